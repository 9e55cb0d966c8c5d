//! Who is beside whom: compressed rows, made when first asked for.

use crate::model::kind::GraphWord;
use crate::value::edges::Edges;
use crate::value::graph::Graph;
use std::sync::{Arc, OnceLock};

/// Compressed rows over vertex numbers: row `v` is `items[start[v]..start[v + 1]]`.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Rows {
    pub start: Vec<u32>,
    pub items: Vec<u32>,
}

impl Rows {
    /// Row `v`.
    #[inline]
    #[must_use]
    pub fn row(&self, v: u32) -> &[u32] {
        let v = v as usize;
        &self.items[self.start[v] as usize..self.start[v + 1] as usize]
    }
}

/// Distinct neighbours of each vertex number, ascending.
#[derive(Debug, Default)]
pub struct Adjacency {
    /// Along arcs of a digraph, both ways otherwise.
    pub(super) out: OnceLock<Arc<Rows>>,
    /// Against the arcs of a digraph; never made otherwise.
    inn: OnceLock<Arc<Rows>>,
}

impl Graph {
    /// The rows of [`Graph::successors`]; made when first asked for, in time linear in labels and edges (and sorting the rows).
    pub fn out_rows(&self) -> &Arc<Rows> {
        self.adjacency.out.get_or_init(|| Arc::new(out_rows(self.word, self.labels.len(), &self.edges)))
    }

    /// The rows of [`Graph::predecessors`], likewise.
    pub fn in_rows(&self) -> &Arc<Rows> {
        if self.word != GraphWord::Digraph {
            return self.out_rows();
        }
        self.adjacency.inn.get_or_init(|| Arc::new(turned(self.out_rows())))
    }

    /// Distinct vertices that an arc leads to (in a graph: all neighbours), ascending numbers.
    pub fn successors(&self, v: u32) -> &[u32] {
        self.out_rows().row(v)
    }

    /// Distinct vertices that an arc comes from (in a graph: all neighbours), ascending numbers.
    pub fn predecessors(&self, v: u32) -> &[u32] {
        self.in_rows().row(v)
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
    let both = word != GraphWord::Digraph;
    let short = |len: usize| u32::try_from(len).unwrap_or(u32::MAX); // no graph has more
    let mut start = vec![0_u32; n + 1];
    edges.each(|u, some| {
        start[u as usize + 1] += short(some.len());
        if both {
            for &v in some.iter().filter(|&&v| u != v) {
                start[v as usize + 1] += 1;
            }
        }
    });
    let mut next = places(&mut start);
    let mut items = vec![0_u32; start[n] as usize];
    edges.each(|u, some| {
        let slot = &mut next[u as usize];
        let at = *slot as usize;
        *slot += short(some.len());
        match some {
            [v] => items[at] = *v,
            _ => items[at..at + some.len()].copy_from_slice(some),
        }
        if both {
            for &v in some.iter().filter(|&&v| u != v) {
                let at = &mut next[v as usize];
                items[*at as usize] = u;
                *at += 1;
            }
        }
    });
    drop(next);
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
    Rows { start, items }
}

/// Rows turned round: ascending because the rows are gone through in order.
fn turned(rows: &Rows) -> Rows {
    let n = rows.start.len() - 1;
    let mut start = vec![0_u32; n + 1];
    for &v in &rows.items {
        start[v as usize + 1] += 1;
    }
    let mut next = places(&mut start);
    let mut items = vec![0_u32; rows.items.len()];
    for u in (0..).take(n) {
        for &v in rows.row(u) {
            let at = &mut next[v as usize];
            items[*at as usize] = u;
            *at += 1;
        }
    }
    Rows { start, items }
}

/// Makes places of counts, which stand one further; returns the first place of each row.
fn places(start: &mut [u32]) -> Vec<u32> {
    for v in 1..start.len() {
        start[v] += start[v - 1];
    }
    start.to_vec()
}
