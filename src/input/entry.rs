//! Entering a field, parameter or input: domain checks and adaptations. Declared kinds and static types are walked alike, under one
//! view.

use crate::model::{GraphWord, Kind, Term, Type};
use crate::source::Code;
use crate::value::{Cells, Edge, Fault, Graph, Items, List, Value, excerpt, members, no_vertex, wanted};
use crate::words::graph::{as_graph, graph_in};
use std::sync::Arc;

/// What `value` becomes on entering a place of this kind; itself, without a copy, when it fits as it is.
/// `vertex_check` evaluates the graph of a `vertex of g` or `edge of g`, once for each place of the kind that needs it.
///
/// Linear in the members that have a domain to check. Errors: R01 outside the domain, R04 for a vertex or edge that is
/// not in its graph, R06 for a range that is too long to be spelled out, E03 for what cannot be adapted, and what
/// `vertex_check` says.
pub fn enter(
    value: Value,
    kind: &Kind,
    vertex_check: &mut dyn FnMut(&Term) -> Result<Value, Fault>,
) -> Result<Value, Fault> {
    let mut gate = Gate { graph_of: vertex_check, graphs: Vec::new() };
    let changed = gate.pass(&value, Want::Kind(kind))?;
    Ok(changed.unwrap_or(value))
}

/// The adaptation of rule 6 to a static type, without any check of a domain: collections to each other, grids to
/// graphs, lists of texts to grids, edges to pairs, 0 to the zero position. Errors: R06 for a range that is too long to
/// be spelled out, R01 for rows of a grid that differ in length, E03 for what cannot be adapted.
pub fn adapt(value: Value, ty: &Type) -> Result<Value, Fault> {
    let mut none = |_: &Term| Err(Fault::new(Code::E03, "a type names no graph"));
    let mut gate = Gate { graph_of: &mut none, graphs: Vec::new() };
    let changed = gate.pass(&value, Want::Type(ty))?;
    Ok(changed.unwrap_or(value))
}

/// Evaluates each graph once.
struct Gate<'a> {
    graph_of: &'a mut dyn FnMut(&Term) -> Result<Value, Fault>,
    graphs: Vec<(*const Term, Arc<Graph>)>,
}

/// `None`: the value fits as it is.
type Passed = Result<Option<Value>, Fault>;

impl Gate<'_> {
    fn pass(&mut self, value: &Value, want: Want<'_>) -> Passed {
        match (want.view(), value) {
            (View::Any, _)
            | (View::Int, Value::Int(_) | Value::Big(_))
            | (View::Bool, Value::Bool(_))
            | (View::Text, Value::Text(_))
            | (View::Real, Value::Int(_) | Value::Big(_) | Value::Real(_))
            | (View::Edge(None), Value::Edge(_))
            | (View::Position, Value::Position(_)) => Ok(None),
            (View::Nat, Value::Int(n)) if *n >= 0 => Ok(None),
            (View::Nat, Value::Big(n)) if n.sign() == num_bigint::Sign::Plus => Ok(None),
            (View::Nat, Value::Int(_) | Value::Big(_)) => {
                Err(Fault::new(Code::R01, format!("{} is not a nat (0, 1, 2, ...)", excerpt(value))))
            }
            (View::Nat | View::Int | View::Real, Value::Loop(_)) | (View::Nat | View::Int, Value::Real(_)) => {
                // Says why: an int, not a real; a number, not a loopy value.
                value.to_big().map(|_| None)
            }
            (View::Nat | View::Int | View::Real, _) => Err(wanted("a number", value)),
            (View::Bool, _) => Err(wanted("true or false", value)),
            (View::Text, _) => Err(wanted("a text", value)),
            (View::Tuple(n), _) => self.tuple(value, n, want),
            (View::List(of, base), _) => self.list(value, of, base),
            (View::Set(of), _) => self.unordered(value, of, false),
            (View::Bag(of), _) => self.unordered(value, of, true),
            (View::Graph(word), _) => graph(value, word),
            (View::Grid | View::NatGrid, _) => grid(value, matches!(want.view(), View::NatGrid)),
            (View::Vertex(term), _) => {
                let graph = self.graph(term)?;
                if graph.number(value).is_some() { Ok(None) } else { Err(no_vertex(value)) }
            }
            (View::Edge(term), _) => self.edge(value, term),
            (View::Position, Value::Int(0)) => Ok(Some(Value::zero_position())),
            (View::Position, Value::List(list)) if list.items.is_empty() => Ok(Some(Value::zero_position())),
            (View::Position, _) => Err(wanted("a position", value)),
        }
    }

    pub(super) fn edge(&mut self, value: &Value, term: Option<&Term>) -> Passed {
        let graph = term.map(|term| self.graph(term)).transpose()?;
        let absent = || Fault::new(Code::R04, format!("{} is not an edge of the graph", excerpt(value)));
        match (value, graph) {
            (Value::Edge(edge), Some(graph)) if graph.edge_index(edge).is_none() => Err(absent()),
            (Value::Edge(_), _) => Ok(None),
            // A pair, as JSON has it: the first edge with these ends.
            (Value::Tuple(parts), Some(graph)) if parts.len() == 2 => {
                let (Some(u), Some(v)) = (graph.number(&parts[0]), graph.number(&parts[1])) else {
                    return Err(absent());
                };
                let same = |e: &crate::value::graph::GraphEdge| {
                    (e.u, e.v) == (u, v) || graph.word != GraphWord::Digraph && (e.u, e.v) == (v, u)
                };
                let edge = graph.edges.iter().find(same).ok_or_else(absent)?;
                Ok(Some(Value::Edge(Arc::new(Edge { id: edge.id, u: graph.label(edge.u), v: graph.label(edge.v) }))))
            }
            _ => Err(wanted("an edge", value)),
        }
    }

    /// The graph of a kind, evaluated at its first use.
    pub(super) fn graph(&mut self, term: &Term) -> Result<Arc<Graph>, Fault> {
        let key = std::ptr::from_ref(term);
        if let Some((_, graph)) = self.graphs.iter().find(|(known, _)| *known == key) {
            return Ok(Arc::clone(graph));
        }
        let value = (self.graph_of)(term)?;
        let graph = Arc::clone(as_graph(&value)?);
        self.graphs.push((key, Arc::clone(&graph)));
        Ok(graph)
    }

    /// The items after entering; nothing when all fit.
    pub(super) fn items(&mut self, items: &[Value], of: Want<'_>) -> Result<Option<Vec<Value>>, Fault> {
        if of.is_plain() {
            return Ok(None);
        }
        for (i, item) in items.iter().enumerate() {
            if let Some(changed) = self.pass(item, of)? {
                let mut out = Vec::with_capacity(items.len());
                out.extend_from_slice(&items[..i]);
                out.push(changed);
                for item in &items[i + 1..] {
                    out.push(self.pass(item, of)?.unwrap_or_else(|| item.clone()));
                }
                return Ok(Some(out));
            }
        }
        Ok(None)
    }

    /// Packed items that all fit as they are; nothing where each has to be looked at by itself.
    fn packed<'v>(&mut self, value: &'v Value, of: Want<'_>) -> Result<Option<&'v Items>, Fault> {
        let (Value::List(List { items, .. }) | Value::Set(items) | Value::Bag(items)) = value else { return Ok(None) };
        // The bits of all ints together: negative if one of them is.
        let int = |part: Want<'_>, bits: i64| match part.view() {
            View::Any | View::Int | View::Real => true,
            View::Nat => bits >= 0,
            _ => false,
        };
        if let View::Vertex(term) = of.view()
            && (items.as_ints().is_some() || items.as_pairs().is_some())
        {
            let graph = self.graph(term)?;
            let is_vertex = |index| items.item(index).is_some_and(|label| graph.number(&label).is_some());
            let all = if let Value::Set(_) = value { graph.has_all(items) } else { (0..items.len()).all(is_vertex) };
            return Ok(all.then_some(items));
        }
        let fit = if let Some(ints) = items.as_ints() {
            int(of, ints.iter().fold(0, |all, n| all | n))
        } else if let Some(pairs) = items.as_pairs() {
            let bits = || pairs.iter().fold((0, 0), |(a, b), pair| (a | pair.0, b | pair.1));
            of.is_plain()
                || matches!(of.view(), View::Tuple(2)) && {
                    let (first, second) = bits();
                    int(of.part(0), first.into()) && int(of.part(1), second.into())
                }
        } else if let Some((of_graph, _)) = items.as_edges() {
            match of.view() {
                View::Any | View::Edge(None) => true,
                View::Edge(Some(term)) => Arc::ptr_eq(&self.graph(term)?, of_graph),
                _ => false,
            }
        } else {
            false
        };
        Ok(fit.then_some(items))
    }

    pub(super) fn tuple(&mut self, value: &Value, n: usize, want: Want<'_>) -> Passed {
        let ends;
        let (parts, mut new): (&[Value], Option<Vec<Value>>) = match value {
            Value::Tuple(parts) if parts.len() == n => (parts, None),
            Value::Edge(edge) if n == 2 => {
                ends = [edge.u.clone(), edge.v.clone()];
                (&ends, Some(ends.to_vec()))
            }
            _ => return Err(wanted(&format!("a tuple of {n} parts"), value)),
        };
        for (i, part) in parts.iter().enumerate() {
            if let Some(changed) = self.pass(part, want.part(i))? {
                new.get_or_insert_with(|| parts.to_vec())[i] = changed;
            }
        }
        Ok(new.map(Value::tuple))
    }

    pub(super) fn list(&mut self, value: &Value, of: Want<'_>, base: Option<i64>) -> Passed {
        let old = if let Value::List(list) = value { Some(list.base) } else { None };
        let base = base.or(old).unwrap_or(0);
        if let Some(items) = self.packed(value, of)? {
            return Ok((old != Some(base)).then(|| Value::List(List { base, items: items.clone() })));
        }
        if let Some(items) = many_vertices(value) {
            let list = Value::List(List { base, items });
            if self.packed(&list, of)?.is_some() {
                return Ok(Some(list));
            }
        }
        let items = collection(value, "a list")?;
        let items: Items = match (self.items(&items, of)?, value) {
            (Some(changed), _) => changed.into(),
            (None, Value::List(list)) if list.base == base => return Ok(None),
            // A list counted otherwise, a set, a bag: the items can be shared.
            (None, Value::List(List { items, .. }) | Value::Set(items) | Value::Bag(items)) => items.clone(),
            (None, _) => items.into_owned().into(),
        };
        Ok(Some(Value::List(List { base, items })))
    }

    /// A set, or a bag.
    fn unordered(&mut self, value: &Value, of: Want<'_>, bag: bool) -> Passed {
        let fits = if bag { matches!(value, Value::Bag(_)) } else { matches!(value, Value::Set(_)) };
        if let Some(items) = self.packed(value, of)? {
            match (value, items.as_ints()) {
                _ if fits => return Ok(None),
                (Value::Set(_), _) => return Ok(Some(Value::Bag(items.clone()))),
                (_, Some(ints)) if !bag => return Ok(Some(Value::set_of_ints(ints.to_vec()))),
                _ => {}
            }
        }
        let items = collection(value, if bag { "a bag" } else { "a set" })?;
        match (self.items(&items, of)?, value) {
            (None, _) if fits => Ok(None),
            (None, Value::Set(items)) => Ok(Some(Value::Bag(items.clone()))),
            (changed, _) => {
                let items = changed.unwrap_or_else(|| items.into_owned());
                Ok(Some(if bag { Value::bag(items) } else { Value::set(items) }))
            }
        }
    }
}

/// What is wanted: kinds and types are walked alike.
#[derive(Clone, Copy)]
pub(super) enum Want<'k> {
    Kind(&'k Kind),
    Type(&'k Type),
}

/// One level of a [`Want`].
pub(super) enum View<'k> {
    Any,
    Int,
    Nat,
    Bool,
    Text,
    Real,
    Tuple(usize),
    List(Want<'k>, Option<i64>),
    Set(Want<'k>),
    Bag(Want<'k>),
    Graph(GraphWord),
    Grid,
    NatGrid,
    Vertex(&'k Term),
    Edge(Option<&'k Term>),
    Position,
}

impl<'k> Want<'k> {
    fn view(self) -> View<'k> {
        match self {
            Want::Kind(kind) => match kind {
                Kind::Int => View::Int,
                Kind::Nat => View::Nat,
                Kind::Bool => View::Bool,
                Kind::Text => View::Text,
                Kind::Real => View::Real,
                Kind::Tuple(parts) => View::Tuple(parts.len()),
                Kind::List(of, base) => View::List(Want::Kind(of), Some(*base)),
                Kind::Set(of) => View::Set(Want::Kind(of)),
                Kind::Bag(of) => View::Bag(Want::Kind(of)),
                Kind::Graph(word, _) => View::Graph(*word),
                Kind::Grid => View::Grid,
                Kind::NatGrid => View::NatGrid,
                Kind::Vertex(Some(graph)) => View::Vertex(graph),
                Kind::Vertex(None) | Kind::Any(_) => View::Any,
                Kind::Edge(graph) => View::Edge(graph.as_deref()),
                Kind::Position => View::Position,
            },
            Want::Type(ty) => match ty {
                Type::Tuple(parts) => View::Tuple(parts.len()),
                Type::List(of) => View::List(Want::Type(of), None),
                Type::Set(of) => View::Set(Want::Type(of)),
                Type::Bag(of) => View::Bag(Want::Type(of)),
                Type::Graph(word) => View::Graph(*word),
                Type::Grid => View::Grid,
                Type::NatGrid => View::NatGrid,
                Type::Position => View::Position,
                // Checked before the program ran; a loopy value goes as an int.
                Type::Never
                | Type::Int
                | Type::Bool
                | Type::Text
                | Type::Real
                | Type::Range
                | Type::Vertex
                | Type::Edge => View::Any,
            },
        }
    }

    pub(super) fn part(self, i: usize) -> Want<'k> {
        match self {
            Want::Kind(Kind::Tuple(parts)) => Want::Kind(&parts[i]),
            Want::Type(Type::Tuple(parts)) => Want::Type(&parts[i]),
            other => other,
        }
    }

    /// Whether nothing inside needs a look.
    fn is_plain(self) -> bool {
        matches!(self.view(), View::Any)
    }
}

/// The vertices of a large graph, packed; nothing where they cannot be.
fn many_vertices(value: &Value) -> Option<Items> {
    let graph = graph_in(value)?;
    let items = graph.vertex_items(graph.vertices.iter().copied());
    matches!(items, Items::Packed(_)).then_some(items)
}

/// The members of what can become a list, set or bag unasked: everything but a text.
fn collection<'a>(value: &'a Value, what: &str) -> Result<std::borrow::Cow<'a, [Value]>, Fault> {
    match value {
        Value::Text(_) => Err(wanted(what, value)),
        _ => members(value).map_err(|fault| if fault.code == Code::E03 { wanted(what, value) } else { fault }),
    }
}

pub(super) fn graph(value: &Value, word: GraphWord) -> Passed {
    let graph = as_graph(value)?;
    if graph.word == word {
        Ok(matches!(value, Value::Grid(_)).then(|| Value::Graph(Arc::clone(graph))))
    } else if (graph.word, word) == (GraphWord::Graph, GraphWord::Multigraph) {
        Ok(Some(Value::Graph(Arc::new(graph.as_multigraph()))))
    } else {
        Err(wanted(&format!("a {}", word.sign()), value))
    }
}

pub(super) fn grid(value: &Value, of_numbers: bool) -> Passed {
    let made;
    let (grid, changed) = match value {
        Value::Grid(grid) => (grid, false),
        Value::List(_) | Value::Tuple(_) => {
            made = Arc::new(crate::words::grid::from_rows(value)?);
            (&made, true)
        }
        _ => return Err(wanted("a grid", value)),
    };
    if let (Cells::Bytes(_), false) = (&*grid.cells, of_numbers) {
        return Ok(changed.then(|| Value::Grid(Arc::clone(grid))));
    }
    for cell in grid.cells.iter() {
        match &cell {
            Value::Int(n) if of_numbers && *n >= 0 => {}
            Value::Big(n) if of_numbers && n.sign() == num_bigint::Sign::Plus => {}
            Value::Int(_) | Value::Big(_) if of_numbers => {
                return Err(Fault::new(Code::R01, format!("{cell} in a cell is not a nat (0, 1, 2, ...)")));
            }
            Value::Text(text) if !of_numbers && text.single().is_some() => {}
            _ if of_numbers => return Err(wanted("a nat in each cell", &cell)),
            _ => return Err(wanted("a character in each cell", &cell)),
        }
    }
    Ok(changed.then(|| Value::Grid(Arc::clone(grid))))
}
