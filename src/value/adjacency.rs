//! What is worked out of a graph: each part when it is first asked for, and kept beside the graph.

use crate::model::kind::GraphWord;
use crate::value::edges::Edges;
use crate::value::graph::Graph;
use crate::value::places::Places;
use grundy_graphs::Parts;
use grundy_graphs::fusion::Fused;
use grundy_graphs::matching::Matched;
use grundy_graphs::rows::{Rows, strong_parts};
use std::sync::{Arc, OnceLock};

/// What was asked of a graph, which never changes. A theorem asks first who wins and then for the moves, of the same graph.
#[derive(Debug, Default)]
pub struct Derived {
    /// Distinct neighbours of each vertex number, ascending: along arcs of a digraph, both ways otherwise.
    pub(super) out: OnceLock<Arc<Rows>>,
    /// Distinct neighbours against the arcs of a digraph; never made otherwise.
    inn: OnceLock<Arc<Rows>>,
    /// The strong components in topological order.
    strong: OnceLock<Parts>,
    /// A maximum matching; numbers of vertices that are not there count as vertices without edges.
    pub matched: OnceLock<Matched>,
    /// Green Hackenbush for the first sets of edges asked about: all edges, and those of them that hang on the ground.
    pub hackenbush: [OnceLock<Hackenbush>; 2],
}

/// Green Hackenbush with some edges of a graph.
#[derive(Debug)]
pub struct Hackenbush {
    /// The vertex numbers of the ground.
    pub ground: Vec<u32>,
    /// The indices of the edges.
    pub edges: Places,
    /// What one search tells.
    pub fused: Fused,
    /// The first edge that was cut such that others fell with it, and the edges that were left.
    pub cut: OnceLock<(u32, Places)>,
}

/// What edges of a graph are beside others.
#[derive(Clone, Copy, Debug)]
pub enum Likeness {
    /// They are the same.
    Same,
    /// They are what is left when the edge at this place is cut, with or without what falls with it.
    Without(u32),
}

impl Hackenbush {
    /// What edges are beside the ones that were asked about. Linear.
    #[must_use]
    pub fn compare(&self, edges: &Places) -> Option<Likeness> {
        if self.edges == *edges {
            return Some(Likeness::Same);
        }
        if let Some((edge, left)) = self.cut.get()
            && left == edges
        {
            return Some(Likeness::Without(*edge));
        }
        if edges.len() + 1 != self.edges.len() {
            return None;
        }
        let place = edges.all().zip(self.edges.all()).position(|(a, b)| a != b).unwrap_or(edges.len());
        let same = edges.all().skip(place).eq(self.edges.all().skip(place + 1));
        if same { u32::try_from(place).ok().map(Likeness::Without) } else { None }
    }
}

impl Graph {
    /// The rows of [`Graph::successors`]; made when first asked for, in time linear in labels and edges (and sorting the rows).
    pub fn out_rows(&self) -> &Arc<Rows> {
        self.derived.out.get_or_init(|| Arc::new(out_rows(self.word, self.labels.len(), &self.edges)))
    }

    /// The rows of [`Graph::predecessors`], likewise.
    pub fn in_rows(&self) -> &Arc<Rows> {
        if self.word != GraphWord::Digraph {
            return self.out_rows();
        }
        self.derived.inn.get_or_init(|| Arc::new(self.out_rows().reversed()))
    }

    /// The strong components of the vertices that are there, in topological order; linear when first asked for.
    pub fn strong_components(&self) -> &Parts {
        let from = || self.vertices.iter().rev().copied();
        self.derived.strong.get_or_init(|| strong_parts(self.out_rows(), from()))
    }

    /// Distinct vertices that an arc leads to (in a graph: all neighbours), ascending numbers.
    pub fn successors(&self, v: u32) -> &[u32] {
        self.out_rows().ends(v)
    }

    /// Distinct vertices that an arc comes from (in a graph: all neighbours), ascending numbers.
    pub fn predecessors(&self, v: u32) -> &[u32] {
        self.in_rows().ends(v)
    }

    /// Distinct neighbours, directions ignored, ascending numbers.
    pub fn neighbours(&self, v: u32) -> std::borrow::Cow<'_, [u32]> {
        let out = self.successors(v);
        if self.word != GraphWord::Digraph {
            return out.into();
        }
        let mut all = [out, self.predecessors(v)].concat();
        all.sort_unstable();
        all.dedup();
        all.into()
    }

    /// How many ends of edges there are at a vertex: loops count 2. Constant for graphs and digraphs once the rows are
    /// there, linear in the edges of a multigraph.
    pub fn degree(&self, v: u32) -> usize {
        match self.word {
            GraphWord::Graph => {
                let row = self.successors(v);
                row.len() + usize::from(row.binary_search(&v).is_ok())
            }
            GraphWord::Digraph => self.successors(v).len() + self.predecessors(v).len(),
            GraphWord::Multigraph => {
                self.edges.ends().iter().map(|e| usize::from(e.0 == v) + usize::from(e.1 == v)).sum()
            }
        }
    }
}

/// The rows along edges with these ends: both ways unless they are arcs.
pub(super) fn out_rows(word: GraphWord, n: usize, edges: &Edges) -> Rows {
    let short = |len: usize| u32::try_from(len).unwrap_or(u32::MAX); // no graph has more
    let Rows { mut start, to: mut items } = match word {
        GraphWord::Digraph => Rows::out(n, edges.ends()),
        _ => Rows::both(n, edges.ends().iter().copied()),
    };
    // Each row in ascending order, every member once.
    let (mut kept, mut from) = (0, 0);
    for v in 0..n {
        let to = start[v + 1] as usize;
        if crate::value::row::sort(&mut items[from..to]) {
            if kept < from {
                items.copy_within(from..to, kept);
            }
            kept += to - from;
        } else {
            let first = kept;
            for i in from..to {
                let item = items[i];
                if kept == first || items[kept - 1] != item {
                    items[kept] = item;
                    kept += 1;
                }
            }
        }
        from = to;
        start[v + 1] = short(kept);
    }
    items.truncate(kept);
    Rows { start, to: items }
}
