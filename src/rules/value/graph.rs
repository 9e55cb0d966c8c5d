//! Graphs: vertices are labels, edges have an identity (rule 8).

use super::Value;
use crate::check::kind::GraphWord;
use std::sync::{Arc, OnceLock};

/// All labels of a family of graphs: a graph and the graphs got from it by deleting share one table.
///
/// The number of a label is its rank in ascending order, so that sets of numbers are in the order of rule 18.
#[derive(Debug)]
pub enum Labels {
    /// `from, from + 1, ..., from + n - 1`
    Ints {
        /// The first label.
        from: i64,
        /// How many.
        n: usize,
    },
    /// Ascending.
    Other(Vec<Value>),
}

/// A graph, digraph or multigraph.
#[derive(Debug)]
pub struct Graph {
    /// Which.
    pub word: GraphWord,
    /// The labels; vertex numbers index it.
    pub labels: Arc<Labels>,
    /// The vertices that are there, in graph order.
    pub vertices: Vec<u32>,
    /// `present[number]`
    pub present: Vec<bool>,
    /// The edges in the order written: ends as vertex numbers, and the identity.
    pub edges: Vec<GraphEdge>,
    /// Distinct successors and predecessors, made when first asked for.
    pub adjacency: OnceLock<Adjacency>,
}

/// An edge of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GraphEdge {
    /// Identity: the index in the order written in the graph it was first part of.
    pub id: u32,
    /// First end (tail of an arc), a vertex number.
    pub u: u32,
    /// Second end (head of an arc).
    pub v: u32,
}

/// Distinct neighbours of each vertex number, ascending, in compressed rows.
#[derive(Debug, Default)]
pub struct Adjacency {
    /// `out[start[v]..start[v + 1]]`: along arcs of a digraph, both ways otherwise.
    pub out_start: Vec<u32>,
    /// See `out_start`.
    pub out: Vec<u32>,
    /// Against the arcs; the same as `out` when not a digraph (then empty: use `out`).
    pub in_start: Vec<u32>,
    /// See `in_start`.
    pub inn: Vec<u32>,
}

impl Graph {
    /// A total order of graphs: by kind, vertices, edges.
    #[must_use]
    pub fn compare(&self, other: &Graph) -> std::cmp::Ordering {
        let key = |g: &Graph| {
            let label = |v: u32| g.label(v);
            let vertices: Vec<Value> = g.vertices.iter().map(|&v| label(v)).collect();
            let edges: Vec<(u32, Value, Value)> = g.edges.iter().map(|e| (e.id, label(e.u), label(e.v))).collect();
            (g.word as u8, vertices, edges)
        };
        key(self).cmp(&key(other))
    }

    /// Hashes what [`Graph::compare`] compares, by sizes and the first edges only: equal graphs hash alike.
    pub fn hash_into<H: std::hash::Hasher>(&self, state: &mut H) {
        use std::hash::Hash;
        (self.word as u8, self.vertices.len(), self.edges.len()).hash(state);
        for edge in self.edges.iter().take(64) {
            (edge.id, self.label(edge.u), self.label(edge.v)).hash(state);
        }
    }

    /// The label of a vertex number.
    ///
    /// # Panics
    /// When the number is not in the table, which no graph of this table has.
    #[must_use]
    pub fn label(&self, v: u32) -> Value {
        self.labels.label(v)
    }

    /// The vertex number of a label that is present here.
    #[must_use]
    pub fn number(&self, label: &Value) -> Option<u32> {
        self.labels.number(label).filter(|&v| self.present[v as usize])
    }
}

impl Labels {
    /// How many labels.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Labels::Ints { n, .. } => *n,
            Labels::Other(labels) => labels.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The label of a number below [`Labels::len`].
    #[must_use]
    pub fn label(&self, v: u32) -> Value {
        match self {
            Labels::Ints { from, .. } => Value::Int(from + i64::from(v)),
            Labels::Other(labels) => labels[v as usize].clone(),
        }
    }

    /// The number of a label.
    #[must_use]
    pub fn number(&self, label: &Value) -> Option<u32> {
        match (self, label) {
            (Labels::Ints { from, n }, Value::Int(k)) => {
                let number = u32::try_from(k.checked_sub(*from)?).ok()?;
                ((number as usize) < *n).then_some(number)
            }
            (Labels::Ints { .. }, _) => None,
            (Labels::Other(labels), label) => labels.binary_search(label).ok().and_then(|i| u32::try_from(i).ok()),
        }
    }
}
