//! Words about graphs: what stands beside a vertex or edge, walks through a graph (linear, without recursion), and making graphs.

use crate::model::{Builtin, GraphWord};
use crate::source::Code;
use crate::value::graph::Likeness;
use crate::value::{Fault, Graph, Items, Labels, List, Value, in_items, iterate, members, too_big, wanted, width};
use grundy_graphs::rows::colours;
use std::sync::Arc;

/// The graph that is meant: a grid is the graph of its cells.
pub(crate) fn as_graph(value: &Value) -> Result<&Arc<Graph>, Fault> {
    graph_in(value).ok_or_else(|| wanted("a graph", value))
}

/// A graph, or that of a grid.
pub(crate) fn graph_in(value: &Value) -> Option<&Arc<Graph>> {
    match value {
        Value::Graph(graph) => Some(graph),
        Value::Grid(grid) => Some(grid.graph()),
        _ => None,
    }
}

/// Which vertex numbers are in a collection of labels; labels that are not there do not count.
pub(super) fn marked(graph: &Graph, labels: &Value) -> Result<Vec<bool>, Fault> {
    let mut marked = vec![false; graph.labels.len()];
    if let (Value::Range(from, to), Labels::Ints { .. } | Labels::Numbers(_)) = (labels, &*graph.labels) {
        // A range may be far longer than the graph.
        for &v in graph.vertices.iter() {
            marked[v as usize] = matches!(graph.label(v), Value::Int(n) if *from <= n && n <= *to);
        }
        return Ok(marked);
    }
    for label in iterate(labels)? {
        if let Some(v) = graph.number(&label) {
            marked[v as usize] = true;
        }
    }
    Ok(marked)
}

/// The set of these vertices; ascending numbers are ascending labels.
pub(super) fn vertex_set(graph: &Graph, numbers: impl Iterator<Item = u32>) -> Value {
    Value::Set(graph.vertex_items(numbers))
}

pub(super) fn vertices(g: &Value) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let there = (0..width::short(graph.labels.len())).filter(|&v| graph.vertices.has(v)); // below ITEM_LIMIT
    Ok(vertex_set(graph, there))
}

/// All edges, or those with both ends in `vs`.
pub(super) fn edges(g: &Value, vs: Option<&Value>) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    // Ascending as edges are by identity.
    let Some(vs) = vs else { return Ok(Value::Set(Items::all_edges(graph))) };
    let inside = marked(graph, vs)?;
    let within = (0..).zip(graph.edges.ends()).filter(|(_, (u, v))| inside[*u as usize] && inside[*v as usize]);
    Ok(Value::Set(Items::edges(graph, within.map(|(index, _)| index).collect())))
}

pub(super) fn ends(e: &Value) -> Result<Value, Fault> {
    let (u, v) = crate::value::ends(e)?;
    Ok(Value::pair(u.clone(), v.clone()))
}

/// `neighbours`, `successors`, `predecessors`
pub(super) fn beside(word: Builtin, g: &Value, v: &Value) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let v = graph.vertex(v)?;
    Ok(match word {
        Builtin::Successors => vertex_set(graph, graph.successors(v).iter().copied()),
        Builtin::Predecessors => vertex_set(graph, graph.predecessors(v).iter().copied()),
        _ => vertex_set(graph, graph.neighbours(v).iter().copied()),
    })
}

pub(super) fn degree(g: &Value, v: &Value) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    Ok(Value::count(graph.degree(graph.vertex(v)?)))
}

/// All vertices, only these edges.
pub(super) fn subgraph(g: &Value, edges: &Value) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let mut kept: Vec<usize> = Vec::new();
    for edge in members(edges)?.iter() {
        match edge {
            Value::Edge(edge) => kept.extend(graph.edge_index(edge)),
            _ => return Err(wanted("an edge", edge)),
        }
    }
    kept.sort_unstable();
    kept.dedup();
    let edges = kept.into_iter().filter_map(|i| graph.edges.get(i)).collect();
    Ok(Value::Graph(Arc::new(graph.with_edges(edges))))
}

/// `g - vs`
pub(super) fn without(g: &Value, vs: &Value) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let gone = marked(graph, vs)?;
    Ok(Value::Graph(Arc::new(graph.without(|v| gone[v as usize]))))
}

/// The vertex numbers of a vertex or of a set of them: R04 when one is not there.
fn vertex_numbers(graph: &Graph, labels: &Value) -> Result<Vec<u32>, Fault> {
    match labels {
        Value::Set(_) => iterate(labels)?.map(|label| graph.vertex(&label)).collect(),
        Value::List(_) | Value::Range(..) | Value::Bag(_) => {
            crate::words::operator::distinct(labels)?.iter().map(|label| graph.vertex(label)).collect()
        }
        label => Ok(vec![graph.vertex(label)?]),
    }
}

const NONE: u32 = u32::MAX;

/// The vertices that can be reached along the arcs, `v` too.
pub(super) fn reach(g: &Value, v: &Value) -> Result<Value, Fault> {
    /// Of this part of all it is quicker to look who is among them than to sort.
    const MANY: usize = 16;
    let graph = as_graph(g)?;
    let start = graph.vertex(v)?;
    let rows = graph.out_rows();
    let mut seen = vec![false; graph.labels.len()];
    seen[start as usize] = true;
    let mut found = vec![start];
    let mut next = 0;
    while let Some(&v) = found.get(next) {
        next += 1;
        for &w in rows.ends(v) {
            if !std::mem::replace(&mut seen[w as usize], true) {
                found.push(w);
            }
        }
    }
    if found.len() < seen.len() / MANY {
        found.sort_unstable();
    } else {
        found.clear();
        found.extend((0..).zip(&seen).filter(|(_, seen)| **seen).map(|(v, _)| v));
    }
    Ok(vertex_set(graph, found.into_iter()))
}

/// The number of steps along the arcs, -1 when there is no way.
pub(super) fn distance(g: &Value, u: &Value, v: &Value) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let (start, goal) = (graph.vertex(u)?, graph.vertex(v)?);
    let mut steps = vec![-1_i64; graph.labels.len()];
    steps[start as usize] = 0;
    let mut found = vec![start];
    let mut next = 0;
    while steps[goal as usize] < 0
        && let Some(&v) = found.get(next)
    {
        next += 1;
        for &w in graph.successors(v) {
            if steps[w as usize] < 0 {
                steps[w as usize] = steps[v as usize] + 1;
                found.push(w);
            }
        }
    }
    Ok(Value::Int(steps[goal as usize]))
}

/// The component of each vertex, directions ignored, by their first vertices in graph order, else `NONE`; and how many.
fn component_numbers(graph: &Graph, inside: impl Fn(u32) -> bool) -> (Vec<u32>, usize) {
    let mut number = vec![NONE; graph.labels.len()];
    let mut count = 0;
    let mut open = Vec::new();
    for &start in graph.vertices.iter() {
        if number[start as usize] != NONE || !inside(start) {
            continue;
        }
        number[start as usize] = count;
        open.push(start);
        while let Some(v) = open.pop() {
            let back = if graph.word == GraphWord::Digraph { graph.predecessors(v) } else { &[] };
            for &w in graph.successors(v).iter().chain(back) {
                if number[w as usize] == NONE && inside(w) {
                    number[w as usize] = count;
                    open.push(w);
                }
            }
        }
        count += 1;
    }
    (number, count as usize)
}

/// The classes of a numbering as sets, in the order of their numbers.
fn classes(graph: &Graph, number: &[u32], count: usize) -> Value {
    let mut sets = vec![Vec::new(); count];
    for (v, class) in (0..).zip(number) {
        if *class != NONE {
            sets[*class as usize].push(graph.label(v));
        }
    }
    Value::list(sets.into_iter().map(|set| Value::Set(set.into())).collect())
}

pub(super) fn components(g: &Value, vs: Option<&Value>) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let (number, count) = match vs {
        None => component_numbers(graph, |_| true),
        Some(vs) => {
            let inside = marked(graph, vs)?;
            component_numbers(graph, |v| inside[v as usize])
        }
    };
    Ok(classes(graph, &number, count))
}

pub(super) fn strong_components(g: &Value) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let parts = graph.strong_components();
    Ok(classes(graph, &parts.of, parts.count))
}

/// The edges that hang on the ground: those of a component, directions ignored, with a vertex of the ground in it.
pub(super) fn grounded(g: &Value, edges: Option<&Value>, ground: Option<&Value>) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let all;
    let edges = if let Some(edges) = edges {
        edges
    } else {
        all = self::edges(g, None)?;
        &all
    };
    let ground = match ground {
        Some(ground) => vertex_numbers(graph, ground)?,
        None => vertex_numbers(graph, &Value::text("ground"))?,
    };
    if let Value::Set(items) = edges
        && let Some((of, indices)) = items.as_edges()
        && Arc::ptr_eq(of, graph)
    {
        // What is found out here is what `fusion` asks next.
        if indices.len() == graph.edges.len()
            && crate::words::solvers::fused(g, edges, &ground, |fused, _| fused.is_whole())?
        {
            return Ok(edges.clone());
        }
        let known = crate::words::solvers::known(graph, indices, &ground);
        if known.is_some_and(|(known, cut)| match cut {
            Likeness::Same => known.fused.is_whole(),
            Likeness::Without(edge) => match known.cut.get() {
                Some((_, left)) if left == indices => true,
                _ => known.fused.is_whole() && !known.fused.is_bridge(edge),
            },
        }) {
            return Ok(edges.clone());
        }
        let all = graph.edges.ends();
        let Some(mut hangs) = hanging(graph, indices.all().map(|i| all[i as usize]), &ground) else {
            return Ok(Value::Set(Vec::new().into()));
        };
        let kept: Vec<u32> = indices.all().filter(|i| hangs(all[*i as usize])).collect();
        let kept = if kept.len() == indices.len() { items.clone() } else { Items::edges(graph, kept) };
        if let (Some((known, Likeness::Without(edge))), Some((_, left))) = (known, kept.as_edges()) {
            known.cut.get_or_init(|| (edge, left.clone()));
        }
        return Ok(Value::Set(kept));
    }
    let items = members(edges)?;
    let mut ends = Vec::with_capacity(items.len());
    for edge in items.iter() {
        let Value::Edge(inner) = edge else { return Err(wanted("an edge", edge)) };
        let (Some(u), Some(v)) = (graph.labels.number(&inner.u), graph.labels.number(&inner.v)) else {
            return Err(Fault::new(Code::R04, format!("{edge} is not an edge of the graph")));
        };
        ends.push((u, v));
    }
    let Some(mut hangs) = hanging(graph, ends.iter().copied(), &ground) else {
        return Ok(Value::Set(Vec::new().into()));
    };
    let kept = items.iter().zip(&ends).filter(|(_, ends)| hangs(**ends)).map(|(edge, _)| edge.clone()).collect();
    Ok(Value::set(kept))
}

/// Tells of each of these edges whether it hangs on the ground; nothing without a ground.
fn hanging<E: Iterator<Item = (u32, u32)>>(
    graph: &Graph,
    edges: E,
    ground: &[u32],
) -> Option<impl FnMut((u32, u32)) -> bool + use<E>> {
    let mut union = Union((0..u32::try_from(graph.labels.len()).unwrap_or(NONE)).collect());
    edges.for_each(|(u, v)| union.join(u, v));
    for pair in ground.windows(2) {
        union.join(pair[0], pair[1]);
    }
    let root = union.root(*ground.first()?);
    Some(move |(u, _)| union.root(u) == root)
}

/// Disjoint sets of numbers.
struct Union(Vec<u32>);

impl Union {
    fn root(&mut self, mut v: u32) -> u32 {
        while self.0[v as usize] != v {
            // Halving the way keeps it short for good.
            self.0[v as usize] = self.0[self.0[v as usize] as usize];
            v = self.0[v as usize];
        }
        v
    }

    fn join(&mut self, u: u32, v: u32) {
        let (u, v) = (self.root(u), self.root(v));
        self.0[u.max(v) as usize] = u.min(v);
    }
}

pub(super) fn is_connected(g: &Value) -> Result<Value, Fault> {
    Ok(Value::Bool(component_numbers(as_graph(g)?, |_| true).1 <= 1))
}

pub(super) fn is_tree(g: &Value) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let thin = graph.edges.len() + 1 == graph.vertices.len();
    Ok(Value::Bool(thin && component_numbers(graph, |_| true).1 == 1))
}

/// Two colours are enough; the direction of arcs does not count.
pub(super) fn is_bipartite(g: &Value) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let edges = graph.edges.ends();
    let coloured = colours(graph.labels.len(), edges.iter().copied(), graph.vertices.iter().copied());
    Ok(Value::Bool(coloured.is_some()))
}

/// No cycle: of a digraph, none along the arcs.
pub(super) fn is_acyclic(g: &Value) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    if graph.word != GraphWord::Digraph {
        let count = component_numbers(graph, |_| true).1;
        return Ok(Value::Bool(graph.edges.len() + count == graph.vertices.len()));
    }
    let mut left: Vec<usize> = (0..).take(graph.labels.len()).map(|v| graph.predecessors(v).len()).collect();
    let mut open: Vec<u32> = graph.vertices.iter().copied().filter(|v| left[*v as usize] == 0).collect();
    let mut done = 0;
    while let Some(v) = open.pop() {
        done += 1;
        for &w in graph.successors(v) {
            left[w as usize] -= 1;
            if left[w as usize] == 0 {
                open.push(w);
            }
        }
    }
    Ok(Value::Bool(done == graph.vertices.len()))
}

/// `graph`, `digraph`, `multigraph` of a number or collection of vertices and edges; of a graph; of lists of successors.
pub(super) fn graph(word: GraphWord, args: &[Value]) -> Result<Value, Fault> {
    let made = match args {
        [Value::Graph(g)] if g.word == word => return Ok(args[0].clone()),
        [Value::Graph(g)] if g.word == GraphWord::Graph && word == GraphWord::Multigraph => g.as_multigraph(),
        [Value::Graph(g)] => g.as_word(word),
        [Value::Grid(grid)] if word == GraphWord::Graph => return Ok(Value::Graph(Arc::clone(grid.graph()))),
        [Value::Grid(grid)] => grid.graph().as_word(word),
        [successors] if word == GraphWord::Digraph => from_successors(successors)?,
        [vertices, Value::List(List { items, .. })]
            if let Some(pairs) = items.as_pairs()
                && let Some(made) = of_pairs(word, vertices, pairs)? =>
        {
            made
        }
        [vertices, edges] => {
            let edges = members(edges)?;
            in_items(&[edges.len(), 2], "a graph of so many edges")?;
            let ends = edges.iter().map(crate::value::ends).collect::<Result<Vec<_>, Fault>>()?;
            match vertices {
                Value::Int(_) | Value::Big(_) => {
                    let n = vertices.to_count("the number of vertices")?;
                    Graph::numbered(word, 0, n, ends)?
                }
                Value::Range(from, to) if fits(*from, *to, &ends) => {
                    let n = iterate(vertices)?.size_hint().0;
                    Graph::numbered(word, *from, n, ends)?
                }
                _ => Graph::labelled(word, &members(vertices)?, ends.into_iter()),
            }
        }
        [other] => return Err(wanted("a graph", other)),
        _ => return Err(Fault::new(Code::E05, "a graph is made of vertices and edges")),
    };
    Ok(Value::Graph(Arc::new(made)))
}

/// The same of packed pairs; nothing where vertices are other than ints.
fn of_pairs(word: GraphWord, vertices: &Value, pairs: &[(i32, i32)]) -> Result<Option<Graph>, Fault> {
    in_items(&[pairs.len(), 2], "a graph of so many edges")?;
    match vertices {
        Value::Int(_) | Value::Big(_) => {
            let n = vertices.to_count("the number of vertices")?;
            Graph::of_pairs(word, n, pairs).map(Some)
        }
        Value::Set(_) | Value::List(_) => {
            let int = |label: Value| if let Value::Int(n) = label { Some(n) } else { None };
            let first: Option<Vec<i64>> = iterate(vertices)?.map(int).collect();
            Ok(first.and_then(|first| Graph::of_ints(word, &first, pairs)))
        }
        _ => Ok(None),
    }
}

/// Whether a graph of consecutive numbers needs no other vertices for these edges.
fn fits(from: i64, to: i64, ends: &[(&Value, &Value)]) -> bool {
    let inside = |label: &Value| matches!(label, Value::Int(n) if from <= *n && *n <= to);
    from <= to && ends.iter().all(|(u, v)| inside(u) && inside(v))
}

/// Lists of successors of the vertices 0, 1, ... (counted as the list is).
fn from_successors(successors: &Value) -> Result<Graph, Fault> {
    let base = if let Value::List(list) = successors { list.base } else { 0 };
    let rows = members(successors)?;
    let len = width::int(rows.len());
    base.checked_add(len).ok_or_else(|| too_big("the last vertex"))?;
    let mut arcs = Vec::new();
    for (row, tail) in rows.iter().zip(base..) {
        for head in iterate(row)? {
            in_items(&[arcs.len(), 2], "a graph of so many arcs")?;
            arcs.push((Value::Int(tail), head));
        }
    }
    Graph::numbered(GraphWord::Digraph, base, rows.len(), arcs.iter().map(|(u, v)| (u, v)))
}

/// A graph of the vertices 0, ..., n - 1 from pairs of numbers below n.
fn plain(n: usize, edges: Vec<(u32, u32)>) -> Value {
    let labels = Arc::new(Labels::Ints { from: 0, n });
    Value::Graph(Arc::new(Graph::of_numbers(GraphWord::Graph, labels, None, edges)))
}

/// A number of vertices that has a graph of so many edges for each of them.
fn order(n: &Value) -> Result<u32, Fault> {
    let n = in_items(&[n.to_count("the number of vertices")?], "a graph of so many vertices")?;
    Ok(width::short(n)) // below ITEM_LIMIT
}

pub(super) fn path(n: &Value) -> Result<Value, Fault> {
    let n = order(n)?;
    Ok(plain(n as usize, (1..n).map(|i| (i - 1, i)).collect()))
}

pub(super) fn cycle(n: &Value) -> Result<Value, Fault> {
    let n = order(n)?;
    Ok(plain(n as usize, (0..n).map(|i| (i, (i + 1) % n)).collect()))
}

pub(super) fn complete(n: &Value) -> Result<Value, Fault> {
    let n = order(n)?;
    in_items(&[n as usize, n as usize / 2], "the edges of this graph")?;
    Ok(plain(n as usize, (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).collect()))
}

pub(super) fn star(n: &Value) -> Result<Value, Fault> {
    let n = order(n)?;
    Ok(plain(n as usize, (1..n).map(|i| (0, i)).collect()))
}

pub(super) fn bipartite(a: &Value, b: &Value) -> Result<Value, Fault> {
    let (a, b) = (order(a)?, order(b)?);
    in_items(&[a as usize, b as usize], "the edges of this graph")?;
    let n = in_items(&[a as usize + b as usize], "a graph of so many vertices")?;
    Ok(plain(n, (0..a).flat_map(|i| (a..a + b).map(move |j| (i, j))).collect()))
}

/// The outer pentagon 0..4, the spokes, the inner star 5..9.
pub(super) fn petersen() -> Value {
    let outer = (0..5).map(|i| (i, (i + 1) % 5));
    let spokes = (0..5).map(|i| (i, i + 5));
    let inner = (0..5).map(|i| (i + 5, (i + 2) % 5 + 5));
    plain(10, outer.chain(spokes).chain(inner).collect())
}
