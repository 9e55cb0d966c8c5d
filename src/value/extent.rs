//! The size of a value, by which instances of claims are ordered.

use crate::value::{Cells, Value};

impl Value {
    /// The sum of ints by absolute value, lengths, vertices and edges; what is larger than a word counts as the greatest one.
    #[must_use]
    pub fn extent(&self) -> u64 {
        let sum = |items: &[Value]| items.iter().map(Value::extent).fold(0, u64::saturating_add);
        let with_length = |items: &[Value]| sum(items).saturating_add(items.len() as u64);
        match self {
            Value::Int(n) => n.unsigned_abs(),
            Value::Big(_) => u64::MAX,
            Value::Bool(_) | Value::Edge(_) | Value::Position(_) | Value::Loop(_) => 0,
            Value::Real(_) => 1,
            Value::Text(text) => text.len() as u64,
            Value::Tuple(parts) => sum(parts),
            Value::List(list) => with_length(&list.items),
            Value::Set(items) | Value::Bag(items) => with_length(items),
            Value::Range(from, to) if to < from => 0,
            Value::Range(from, to) => {
                let ints = (*from..=*to).map(i64::unsigned_abs).fold(0, u64::saturating_add);
                to.abs_diff(*from).saturating_add(1).saturating_add(ints)
            }
            Value::Graph(graph) => (graph.vertices.len() + graph.edges.len()) as u64,
            Value::Grid(grid) => {
                let all = grid.cells.len() as u64;
                let Cells::Values(values) = &*grid.cells else { return all };
                let numbers = values.iter().filter(|cell| !matches!(cell, Value::Text(_)));
                numbers.map(Value::extent).fold(all, u64::saturating_add)
            }
        }
    }
}

impl Value {
    /// How many members a collection, vertices and edges a graph has; 0 for everything else. A measure of what one
    /// operation on it costs.
    #[must_use]
    pub fn breadth(&self) -> u64 {
        let members = match self {
            Value::Set(items) | Value::Bag(items) => items.len(),
            Value::List(list) => list.items.len(),
            Value::Text(text) => text.len(),
            Value::Grid(grid) => grid.cells.len(),
            Value::Graph(graph) => graph.vertices.len() + graph.edges.len(),
            _ => 0,
        };
        u64::try_from(members).unwrap_or(u64::MAX)
    }
}
