//! Adjacency in compressed rows.

use super::Ends;

/// For every vertex the ends of its edges, and the indices of these edges.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Row `v` is `start[v]..start[v + 1]`.
    start: Vec<usize>,
    to: Vec<u32>,
    edge: Vec<u32>,
}

impl Rows {
    /// Along the arcs: row `u` holds `v` for every arc `u -> v`, in the order of the arcs. O(n + arcs).
    #[must_use]
    pub fn out(n: usize, arcs: &[Ends]) -> Rows {
        Rows::fill(n, (0..).zip(arcs).map(|(e, &(u, v))| (u, v, e)))
    }

    /// Both ways: an edge stands in the rows of both ends, a loop once in the row of its vertex. O(n + edges).
    #[must_use]
    pub fn both(n: usize, edges: &[Ends]) -> Rows {
        let twice = (0..).zip(edges).flat_map(|(e, &(u, v))| {
            let back = (u != v).then_some((v, u, e));
            std::iter::once((u, v, e)).chain(back)
        });
        Rows::fill(n, twice)
    }

    fn fill(n: usize, entries: impl Iterator<Item = (u32, u32, u32)> + Clone) -> Rows {
        let mut start = vec![0; n + 1];
        for (u, _, _) in entries.clone() {
            start[u as usize + 1] += 1;
        }
        for v in 0..n {
            start[v + 1] += start[v];
        }
        let mut next = start.clone();
        let (mut to, mut edge) = (vec![0; start[n]], vec![0; start[n]]);
        for (u, v, e) in entries {
            let place = &mut next[u as usize];
            (to[*place], edge[*place]) = (v, e);
            *place += 1;
        }
        Rows { start, to, edge }
    }

    /// How many vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Whether there is no vertex.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ends of the edges of `v`, repeated when edges are parallel.
    #[must_use]
    pub fn ends(&self, v: u32) -> &[u32] {
        &self.to[self.start[v as usize]..self.start[v as usize + 1]]
    }

    /// The `k`-th edge of `v`: its other end and its index.
    #[must_use]
    pub fn get(&self, v: u32, k: usize) -> Option<(u32, u32)> {
        let place = self.start[v as usize] + k;
        (place < self.start[v as usize + 1]).then(|| (self.to[place], self.edge[place]))
    }

    /// Which vertices can be reached from `from`, itself included. O(n + edges).
    #[must_use]
    pub fn reach(&self, from: u32) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        seen[from as usize] = true;
        let mut open = vec![from];
        while let Some(v) = open.pop() {
            for &w in self.ends(v) {
                if !std::mem::replace(&mut seen[w as usize], true) {
                    open.push(w);
                }
            }
        }
        seen
    }
}
