//! Graphs as solvers want them: vertices numbered without gaps.

use crate::model::kind::GraphWord;
use crate::source::diagnostic::Code;
use crate::value::fault::Fault;
use crate::value::graph::Graph;
use crate::value::{Items, List, Value, iterate};
use grundy_graphs::Ends;
use grundy_graphs::matching;
use grundy_graphs::matching::{Matched, Matching};
use grundy_graphs::rows::Rows;
use std::sync::Arc;

/// A graph with its vertices numbered without gaps, in ascending order of labels.
pub(super) struct Plain {
    pub(super) graph: Arc<Graph>,
    /// Where some are not there.
    pub(super) gaps: Option<Gaps>,
    pub(super) edges: Vec<Ends>,
}

/// Vertices of which some numbers are left out.
pub(super) struct Gaps {
    /// The vertex numbers that are there, ascending.
    numbers: Vec<u32>,
    /// The index of each vertex number in `numbers`.
    place: Vec<u32>,
}

impl Plain {
    pub(super) fn new(value: &Value) -> Result<Plain, Fault> {
        let graph = match value {
            Value::Graph(graph) => graph.clone(),
            Value::Grid(grid) => grid.graph().clone(),
            _ => return Err(Fault::new(Code::E03, "expected a graph")),
        };
        if graph.present.are_all() {
            return Ok(Plain { graph, gaps: None, edges: Vec::new() });
        }
        let numbers: Vec<u32> = graph.present.numbers().collect();
        let mut place = vec![0; graph.labels.len()];
        for (index, &number) in (0..).zip(&numbers) {
            place[number as usize] = index;
        }
        Ok(Plain { graph, gaps: Some(Gaps { numbers, place }), edges: Vec::new() })
    }

    /// Rows along the arcs, both ways if it is no digraph.
    pub(super) fn arc_rows(&self) -> Rows {
        if self.gaps.is_none() {
            let rows = self.graph.out_rows();
            if let Some(rows) = Rows::from_places(rows.start.clone(), rows.items.clone()) {
                return rows;
            }
        }
        let mut arcs: Vec<Ends> = self.graph.edges.ends().iter().map(|ends| self.ends(*ends)).collect();
        if self.graph.word != GraphWord::Digraph {
            let back: Vec<Ends> = arcs.iter().map(|&(u, v)| (v, u)).collect();
            arcs.extend(back);
        }
        Rows::out(self.n(), &arcs)
    }

    /// What a maximum matching tells.
    pub(super) fn matched(&self) -> Matched {
        match self.graph.edges.as_lattice() {
            Some(lattice) if self.gaps.is_none() => matching::lattice::matching(lattice),
            _ => {
                let edges = self.graph.edges.ends().iter().map(|ends| self.ends(*ends));
                Matched::from(&Matching::of(self.n(), edges))
            }
        }
    }

    pub(super) fn ends(&self, (u, v): (u32, u32)) -> Ends {
        (self.index(u), self.index(v))
    }

    /// The index of a vertex number that is there.
    pub(super) fn index(&self, number: u32) -> u32 {
        self.gaps.as_ref().map_or(number, |gaps| gaps.place[number as usize])
    }

    pub(super) fn n(&self) -> usize {
        self.gaps.as_ref().map_or(self.graph.labels.len(), |gaps| gaps.numbers.len())
    }

    /// The vertex with a label.
    pub(super) fn vertex(&self, label: &Value) -> Result<u32, Fault> {
        let number = self.graph.number(label).map(|number| self.index(number));
        number.ok_or_else(absent)
    }

    /// These edges as values; their ends are put into `edges` where they are no indices of edges of this graph.
    pub(super) fn edges_of(&mut self, edges: &Value) -> Result<Items, Fault> {
        let values = match edges {
            Value::Set(items) | Value::Bag(items) | Value::List(List { items, .. }) => items.clone(),
            _ => iterate(edges)?.collect(),
        };
        if values.as_edges().is_none_or(|(of, _)| !Arc::ptr_eq(of, &self.graph)) {
            let ends = values.iter().map(|value| match value {
                Value::Edge(edge) => Ok((self.vertex(&edge.u)?, self.vertex(&edge.v)?)),
                _ => Err(Fault::new(Code::E03, "expected a set of edges")),
            });
            self.edges = ends.collect::<Result<_, Fault>>()?;
        }
        Ok(values)
    }

    /// The set of the labels of ascending vertices.
    pub(super) fn vertex_set(&self, vertices: impl Iterator<Item = u32>) -> Value {
        match &self.gaps {
            None => crate::words::graph::vertex_set(&self.graph, vertices),
            Some(gaps) => crate::words::graph::vertex_set(&self.graph, vertices.map(|v| gaps.numbers[v as usize])),
        }
    }
}

pub(super) fn absent() -> Fault {
    Fault::new(Code::R04, "this is not a vertex of the graph")
}
