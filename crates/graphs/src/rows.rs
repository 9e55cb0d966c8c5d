//! Adjacency in compressed rows.

use crate::Ends;
use std::ops::Range;

/// For every vertex the ends of its edges.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Row `v` is `to[start[v]..start[v + 1]]`: graphs have fewer than 2^31 edges.
    pub start: Vec<u32>,
    /// The ends, row after row.
    pub to: Vec<u32>,
}

impl Rows {
    /// Along the arcs: row `u` holds `v` for every arc `u -> v`, in the order of the arcs. O(n + arcs).
    #[must_use]
    pub fn out(n: usize, arcs: &[Ends]) -> Rows {
        let (start, to) = placed(n, arcs.iter().copied());
        Rows { start, to }
    }

    /// Both ways: an edge stands in the rows of both ends, a loop once in the row of its vertex. O(n + edges).
    #[must_use]
    pub fn both(n: usize, edges: impl Iterator<Item = Ends> + Clone) -> Rows {
        let ends = edges.flat_map(|(u, v)| std::iter::once((u, v)).chain((u != v).then_some((v, u))));
        let (start, to) = placed(n, ends);
        Rows { start, to }
    }

    /// Every arc turned round; the ends in a row ascend. O(n + arcs).
    #[must_use]
    pub fn reversed(&self) -> Rows {
        let arcs = (0..).take(self.len()).flat_map(|u| self.ends(u).iter().map(move |&v| (v, u)));
        let (start, to) = placed(self.len(), arcs);
        Rows { start, to }
    }

    /// The places of the row of a vertex among all ends.
    #[inline]
    pub(super) fn places(&self, v: u32) -> Range<u32> {
        self.start[v as usize]..self.start[v as usize + 1]
    }

    /// The end at a place.
    #[inline]
    pub(super) fn at(&self, place: u32) -> u32 {
        self.to[place as usize]
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
    #[inline]
    #[must_use]
    pub fn ends(&self, v: u32) -> &[u32] {
        &self.to[self.start[v as usize] as usize..self.start[v as usize + 1] as usize]
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

/// Entries by their rows, in their order: where each row begins, and one more. O(rows + entries).
pub(super) fn placed<T: Copy + Default>(
    rows: usize,
    entries: impl Iterator<Item = (u32, T)> + Clone,
) -> (Vec<u32>, Vec<T>) {
    let mut start = vec![0_u32; rows + 1];
    for (row, _) in entries.clone() {
        start[row as usize + 1] += 1;
    }
    for row in 0..rows {
        start[row + 1] += start[row];
    }
    let mut next = start.clone();
    let mut items = vec![T::default(); start[rows] as usize];
    for (row, item) in entries {
        let place = &mut next[row as usize];
        items[*place as usize] = item;
        *place += 1;
    }
    (start, items)
}
