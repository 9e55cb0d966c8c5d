//! Who is beside whom: compressed rows, made once for each graph.

use super::graph::{Adjacency, Graph, GraphEdge};
use crate::check::kind::GraphWord;

impl Graph {
    /// The rows of neighbours; made when first asked for, in time linear in labels and edges (and sorting the rows).
    pub fn adjacency(&self) -> &Adjacency {
        self.adjacency.get_or_init(|| {
            let n = self.labels.len();
            if self.word == GraphWord::Digraph {
                let (out_start, out) = rows(n, &self.edges, |e| [Some((e.u, e.v)), None]);
                let (in_start, inn) = rows(n, &self.edges, |e| [Some((e.v, e.u)), None]);
                Adjacency { out_start, out, in_start, inn }
            } else {
                let (out_start, out) = rows(n, &self.edges, |e| [Some((e.u, e.v)), (e.u != e.v).then_some((e.v, e.u))]);
                Adjacency { out_start, out, in_start: Vec::new(), inn: Vec::new() }
            }
        })
    }

    /// Distinct vertices that an arc leads to (in a graph: all neighbours), ascending numbers.
    pub fn successors(&self, v: u32) -> &[u32] {
        let adjacency = self.adjacency();
        row(&adjacency.out_start, &adjacency.out, v)
    }

    /// Distinct vertices that an arc comes from (in a graph: all neighbours), ascending numbers.
    pub fn predecessors(&self, v: u32) -> &[u32] {
        let adjacency = self.adjacency();
        if self.word == GraphWord::Digraph {
            row(&adjacency.in_start, &adjacency.inn, v)
        } else {
            row(&adjacency.out_start, &adjacency.out, v)
        }
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

    /// How many ends of edges there are at a vertex: loops count 2. Constant for graphs and digraphs once the adjacency is
    /// there, linear in the edges of a multigraph.
    pub fn degree(&self, v: u32) -> usize {
        match self.word {
            GraphWord::Graph => {
                let row = self.successors(v);
                row.len() + usize::from(row.binary_search(&v).is_ok())
            }
            GraphWord::Digraph => self.successors(v).len() + self.predecessors(v).len(),
            GraphWord::Multigraph => self.edges.iter().map(|e| usize::from(e.u == v) + usize::from(e.v == v)).sum(),
        }
    }
}

fn row<'a>(start: &[u32], ends: &'a [u32], v: u32) -> &'a [u32] {
    let v = v as usize;
    &ends[start[v] as usize..start[v + 1] as usize]
}

/// Counts, places, then sorts and thins each row in place.
fn rows(n: usize, edges: &[GraphEdge], arcs: impl Fn(&GraphEdge) -> [Option<(u32, u32)>; 2]) -> (Vec<u32>, Vec<u32>) {
    let mut start = vec![0_u32; n + 1];
    for (u, _) in edges.iter().flat_map(&arcs).flatten() {
        start[u as usize + 1] += 1;
    }
    for v in 0..n {
        start[v + 1] += start[v];
    }
    let mut next = start.clone();
    let mut ends = vec![0_u32; start[n] as usize];
    for (u, v) in edges.iter().flat_map(&arcs).flatten() {
        ends[next[u as usize] as usize] = v;
        next[u as usize] += 1;
    }
    let mut kept = 0;
    let mut from = 0;
    for v in 0..n {
        let to = start[v + 1] as usize;
        ends[from..to].sort_unstable();
        let first = kept;
        for i in from..to {
            if kept == first || ends[kept - 1] != ends[i] {
                ends[kept] = ends[i];
                kept += 1;
            }
        }
        from = to;
        start[v + 1] = u32::try_from(kept).unwrap_or(u32::MAX); // at most the number of ends before
    }
    ends.truncate(kept);
    (start, ends)
}
