//! Vertices as packed items keep them.

use crate::value::graph::{Graph, Labels, cell};
use crate::value::places::Places;
use std::sync::{Arc, OnceLock};

/// Vertices of a graph whose labels are ints or cells.
pub(super) struct Vertices {
    pub(super) graph: Arc<Graph>,
    /// Their numbers; `None`: all, in graph order.
    pub(super) numbers: Option<Places>,
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
        self.numbers.as_ref().map_or(self.graph.vertices.len(), Places::len)
    }

    /// The number at an index.
    pub(super) fn number(&self, index: usize) -> Option<u32> {
        match &self.numbers {
            Some(numbers) => u32::try_from(index).ok().filter(|_| index < numbers.len()).map(|at| numbers.at(at)),
            None => self.graph.vertices.at(index),
        }
    }

    /// All numbers in order.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        let all = if self.numbers.is_some() { 0 } else { self.graph.vertices.len() };
        let some = self.numbers.iter().flat_map(Places::all);
        some.chain((0..all).filter_map(|index| self.graph.vertices.at(index)))
    }

    /// The labels, made when they are first asked for.
    pub(super) fn flat(&self) -> &Flat {
        self.labels.get_or_init(|| match &*self.graph.labels {
            labels @ (Labels::Ints { .. } | Labels::Numbers(_)) => {
                Flat::Ints(self.numbers().filter_map(|v| labels.int(v)).collect())
            }
            Labels::Cells { cols, places } => {
                Flat::Pairs(places.at_each(self.numbers()).map(|place| cell(*cols, place)).collect())
            }
            Labels::Other(_) => Flat::Ints(Vec::new()), // refused when they are made
        })
    }
}
