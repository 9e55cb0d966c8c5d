//! Words about graphs that look at a vertex or edge and its neighbours.

use crate::model::builtin::Builtin;
use crate::value::fault::Fault;
use crate::value::graph::{Graph, Labels};
use crate::value::{Items, Value, iterate, members, wanted};
use crate::words::merge::distinct;
use std::sync::Arc;

/// The graph that is meant: a grid is the graph of its cells.
pub(super) fn as_graph(value: &Value) -> Result<&Arc<Graph>, Fault> {
    match value {
        Value::Graph(graph) => Ok(graph),
        Value::Grid(grid) => Ok(grid.graph()),
        _ => Err(wanted("a graph", value)),
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
    Ok(vertex_set(graph, graph.present.numbers()))
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
pub(super) fn vertex_numbers(graph: &Graph, labels: &Value) -> Result<Vec<u32>, Fault> {
    match labels {
        Value::Set(_) => iterate(labels)?.map(|label| graph.vertex(&label)).collect(),
        Value::List(_) | Value::Range(..) | Value::Bag(_) => {
            distinct(labels)?.iter().map(|label| graph.vertex(label)).collect()
        }
        label => Ok(vec![graph.vertex(label)?]),
    }
}
