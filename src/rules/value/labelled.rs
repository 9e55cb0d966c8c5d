//! Vertices as packed items keep them.

use super::graph::{Graph, Labels, cell};
use std::sync::{Arc, OnceLock};

/// Vertices of a graph whose labels are ints or cells.
pub(super) struct Vertices {
    pub(super) graph: Arc<Graph>,
    /// Their numbers; `None`: all, in graph order.
    pub(super) numbers: Option<Vec<u32>>,
    /// The labels, when they were asked for.
    pub(super) labels: OnceLock<Flat>,
}

/// Labels in their packed form.
pub(super) enum Flat {
    Ints(Vec<i64>),
    Pairs(Vec<(i64, i64)>),
}

impl Vertices {
    /// How many.
    pub(super) fn len(&self) -> usize {
        self.numbers.as_ref().map_or(self.graph.vertices.len(), Vec::len)
    }

    /// The number at an index.
    pub(super) fn number(&self, index: usize) -> Option<u32> {
        match &self.numbers {
            Some(numbers) => numbers.get(index).copied(),
            None => self.graph.vertices.at(index),
        }
    }

    /// All numbers in order.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.len()).filter_map(|index| self.number(index))
    }

    /// The labels, made when they are first asked for.
    pub(super) fn flat(&self) -> &Flat {
        self.labels.get_or_init(|| match &*self.graph.labels {
            Labels::Ints { from, .. } => Flat::Ints(self.numbers().map(|v| from + i64::from(v)).collect()),
            Labels::Cells { cols, places } => Flat::Pairs(self.numbers().map(|v| cell(*cols, places.at(v))).collect()),
            Labels::Other(_) => Flat::Ints(Vec::new()), // refused when they are made
        })
    }
}
