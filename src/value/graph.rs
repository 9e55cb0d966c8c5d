//! Graphs: vertices are labels, edges have an identity.

use crate::model::kind::GraphWord;
use crate::value::adjacency::Derived;
use crate::value::edges::Edges;
use crate::value::places::Places;
use crate::value::vertices::{Present, Vertices};
use crate::value::{Items, Value};
use std::sync::Arc;

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
    /// The pairs (row, column) of cells of a grid: `row * cols + column`, ascending.
    Cells {
        /// The number of columns.
        cols: u32,
        /// The cells that have a label.
        places: Places,
    },
    /// Other ints, ascending.
    Numbers(Vec<i64>),
    /// Ascending; not all are ints.
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
    pub vertices: Vertices,
    /// Which numbers they are.
    pub present: Present,
    /// The edges in the order written: ends as vertex numbers, and the identity.
    pub edges: Edges,
    /// What was worked out of it.
    pub derived: Derived,
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

impl Graph {
    /// A total order of graphs: by kind, vertices, edges.
    #[must_use]
    pub fn compare(&self, other: &Graph) -> std::cmp::Ordering {
        if std::ptr::eq(self, other) {
            return std::cmp::Ordering::Equal;
        }
        let words = (self.word as u8).cmp(&(other.word as u8));
        let number = |e: GraphEdge| (e.id, e.u, e.v);
        // Numbers of one table are ordered as their labels.
        let one_table = match (&*self.labels, &*other.labels) {
            (Labels::Ints { from: a, .. }, Labels::Ints { from: b, .. }) => a == b,
            _ => Arc::ptr_eq(&self.labels, &other.labels),
        };
        if one_table {
            let edges = || self.edges.iter().map(number).cmp(other.edges.iter().map(number));
            return words.then_with(|| self.vertices.iter().cmp(other.vertices.iter())).then_with(edges);
        }
        let label = |e: GraphEdge, g: &Graph| (e.id, g.label(e.u), g.label(e.v));
        let vertices = || {
            let theirs = other.vertices.iter().map(|&v| other.label(v));
            self.vertices.iter().map(|&v| self.label(v)).cmp(theirs)
        };
        let edges = || self.edges.iter().map(|e| label(e, self)).cmp(other.edges.iter().map(|e| label(e, other)));
        words.then_with(vertices).then_with(edges)
    }

    /// Hashes what [`Graph::compare`] compares, by sizes and the first edges only: equal graphs hash alike.
    pub fn hash_into<H: std::hash::Hasher>(&self, state: &mut H) {
        use std::hash::Hash;
        (self.word as u8, self.vertices.len(), self.edges.len()).hash(state);
        for edge in self.edges.first(64) {
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
        self.labels.number(label).filter(|&v| self.present.has(v))
    }

    /// The vertices with these numbers, which are below the number of labels.
    #[must_use]
    pub fn vertex_items(&self, numbers: impl Iterator<Item = u32>) -> Items {
        match &*self.labels {
            Labels::Cells { cols, places } => Items::pairs(numbers.map(|v| cell(*cols, places.at(v))).collect()),
            Labels::Other(_) => numbers.map(|v| self.label(v)).collect(),
            labels => Items::ints(numbers.filter_map(|v| labels.int(v)).collect()),
        }
    }

    /// Whether all members of a packed set are vertices here; `false` for sets that are not packed, or differently from the
    /// labels. Linear.
    #[must_use]
    pub fn has_all(&self, set: &Items) -> bool {
        match (&*self.labels, set.as_ints(), set.as_pairs()) {
            (&Labels::Ints { from, .. }, Some(ints), _) => {
                ints.iter().all(|&n| n >= from && u32::try_from(n.abs_diff(from)).is_ok_and(|v| self.present.has(v)))
            }
            (Labels::Numbers(_), Some(ints), _) => ints.iter().all(|&n| self.number(&Value::Int(n)).is_some()),
            (&Labels::Cells { cols, ref places }, _, Some(pairs)) => {
                // Both ascend.
                let mut labels = places.iter();
                pairs.iter().all(|&pair| {
                    let found = labels.find(|(_, place)| cell(cols, *place) >= pair);
                    found.is_some_and(|(v, place)| cell(cols, place) == pair && self.present.has(v))
                })
            }
            _ => false,
        }
    }
}

impl Labels {
    /// How many labels.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Labels::Ints { n, .. } => *n,
            Labels::Cells { places, .. } => places.len(),
            Labels::Numbers(numbers) => numbers.len(),
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
            Labels::Cells { cols, places } => {
                let (row, col) = cell(*cols, places.at(v));
                Value::pair(Value::Int(row), Value::Int(col))
            }
            Labels::Numbers(numbers) => Value::Int(numbers[v as usize]),
            Labels::Other(labels) => labels[v as usize].clone(),
        }
    }

    /// The same where labels are ints.
    #[must_use]
    pub fn int(&self, v: u32) -> Option<i64> {
        match self {
            Labels::Ints { from, .. } => Some(from + i64::from(v)),
            Labels::Numbers(numbers) => numbers.get(v as usize).copied(),
            Labels::Cells { .. } | Labels::Other(_) => None,
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
            (Labels::Cells { cols, places }, Value::Tuple(parts)) => match parts[..] {
                [Value::Int(row), Value::Int(col)] if (0..i64::from(*cols)).contains(&col) => {
                    let place = row.checked_mul(i64::from(*cols))?.checked_add(col)?;
                    places.number(u32::try_from(place).ok()?)
                }
                _ => None,
            },
            (Labels::Numbers(numbers), Value::Int(k)) => {
                numbers.binary_search(k).ok().and_then(|v| u32::try_from(v).ok())
            }
            (Labels::Ints { .. } | Labels::Cells { .. } | Labels::Numbers(_), _) => None,
            (Labels::Other(labels), label) => labels.binary_search(label).ok().and_then(|i| u32::try_from(i).ok()),
        }
    }
}

/// Row and column of a cell.
fn cell(cols: u32, place: u32) -> (i64, i64) {
    (i64::from(place / cols), i64::from(place % cols))
}
