//! How many bytes a value takes, for the memory limit.

use super::{Cells, List, Value};

impl Value {
    /// Bytes of this value and what it owns, roughly; shared parts count each time.
    #[must_use]
    pub fn bytes(&self) -> usize {
        /// Deeper parts are counted as nothing: values are shallow.
        fn weigh(value: &Value, depth: usize) -> usize {
            let own = std::mem::size_of::<Value>();
            let below = |items: &[Value]| {
                if depth == 0 {
                    items.len() * 32
                } else {
                    items.iter().map(|v| weigh(v, depth - 1)).sum::<usize>() + 16
                }
            };
            own + match value {
                Value::Tuple(items) => below(items),
                Value::Set(items) | Value::Bag(items) | Value::List(List { items, .. }) => {
                    items.packed_bytes().unwrap_or_else(|| below(items))
                }
                Value::Text(text) => text.len() * 4 + 16,
                Value::Grid(grid) => match &*grid.cells {
                    Cells::Bytes(bytes) => bytes.len() + 16,
                    Cells::Characters(characters) => characters.len() * 4 + 16,
                    Cells::Values(values) => below(values),
                },
                // What is left of a graph has lists of its own: vertices, which they are, edges and their identities.
                Value::Graph(graph) if graph.vertices.len() < graph.labels.len() => {
                    graph.vertices.len() * 4 + graph.labels.len() + graph.edges.len() * 12 + 128
                }
                Value::Int(_) | Value::Bool(_) | Value::Range(..) => 0,
                _ => 64,
            }
        }
        weigh(self, 4)
    }
}
