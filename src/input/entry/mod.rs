//! Entering a field, parameter or input: domain checks and adaptations.

mod collections;
mod graphs;
mod want;

use crate::input::entry::graphs::{graph, grid};
use crate::input::entry::want::{View, Want};
use crate::model::Term;
use crate::model::kind::{Kind, Type};
use crate::source::diagnostic::Code;
use crate::value::fault::Fault;
use crate::value::graph::Graph;
use crate::value::{Value, excerpt, no_vertex, wanted};
use std::sync::Arc;

/// What `value` becomes on entering a place of this kind; itself, without a copy, when it fits as it is.
/// `vertex_check` evaluates the graph of a `vertex of g` or `edge of g`, once for each place of the kind that needs it.
///
/// Linear in the members that have a domain to check.
///
/// # Errors
/// R01 outside the domain, R04 for a vertex or edge that is not in its graph, R06 for a range that is too long to be
/// spelled out, E03 for what cannot be adapted, and what `vertex_check` says.
pub fn enter(
    value: Value,
    kind: &Kind,
    vertex_check: &mut dyn FnMut(&Term) -> Result<Value, Fault>,
) -> Result<Value, Fault> {
    let mut gate = Gate { graph_of: vertex_check, graphs: Vec::new() };
    let changed = gate.pass(&value, Want::Kind(kind))?;
    Ok(changed.unwrap_or(value))
}

/// The adaptation of rule 6 to a static type, without any check of a domain: collections to each other, grids to graphs,
/// lists of texts to grids, edges to pairs, 0 to the zero position.
///
/// # Errors
/// R06 for a range that is too long to be spelled out, R01 for rows of a grid that differ in length, E03 for what cannot
/// be adapted.
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
            (View::Set(of), _) => self.set(value, of),
            (View::Bag(of), _) => self.bag(value, of),
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
}
