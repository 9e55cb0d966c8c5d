//! Adjacency in compressed rows; strongly connected components; colouring with two colours.

use crate::{Ends, NONE, Parts};
use std::ops::Range;

/// For every vertex the ends of its edges.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Row `v` is `to[start[v]..start[v + 1]]`: graphs have fewer than 2^31 edges.
    pub start: Vec<u32>,
    /// The ends, row after row.
    pub to: Vec<u32>,
}

/// A vertex on the path of the search.
struct Open {
    vertex: u32,
    /// Its arcs that are not yet looked at.
    next: u32,
    end: u32,
    /// The least number that it reaches, and its own.
    low: u32,
    own: u32,
}

impl Rows {
    /// Along the arcs: row `u` holds `v` for every arc `u -> v`, in the order of the arcs. O(n + arcs).
    pub fn out(n: usize, arcs: &[Ends]) -> Rows {
        let (start, to) = placed(n, arcs.iter().copied());
        Rows { start, to }
    }

    /// Both ways: an edge stands in the rows of both ends, a loop once in the row of its vertex. O(n + edges).
    pub fn both(n: usize, edges: impl Iterator<Item = Ends> + Clone) -> Rows {
        let ends = edges.flat_map(|(u, v)| std::iter::once((u, v)).chain((u != v).then_some((v, u))));
        let (start, to) = placed(n, ends);
        Rows { start, to }
    }

    /// Every arc turned round; the ends in a row ascend. O(n + arcs).
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
    pub fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ends of the edges of `v`, repeated when edges are parallel.
    #[inline]
    pub fn ends(&self, v: u32) -> &[u32] {
        &self.to[self.start[v as usize] as usize..self.start[v as usize + 1] as usize]
    }

    /// Which vertices can be reached from `from`, itself included. O(n + edges).
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

/// The strongly connected components in topological order: an arc between different parts goes from the smaller number
/// to the greater.
///
/// R. E. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972), with its own stack, and one number for
/// each vertex as D. J. Pearce, "A space-efficient algorithm for finding strongly connected components", Inf. Proc. Letters 116
/// (2016). O(n + arcs).
pub fn strong_components(n: usize, arcs: &[Ends]) -> Parts {
    strong_parts(&Rows::out(n, arcs), (0..).take(n))
}

/// Whether any two vertices are joined by edges. O(n + edges).
pub fn is_connected(n: usize, edges: &[Ends]) -> bool {
    strong_parts(&Rows::both(n, edges.iter().copied()), (0..).take(n)).count <= 1
}

/// The strongly connected components of what can be reached from some vertices along the arcs of these rows; the other vertices
/// are in part [`NONE`]. The order of the vertices and of the rows decides which of several topological orders it is.
pub fn strong_parts(rows: &Rows, from: impl Iterator<Item = u32>) -> Parts {
    let n = rows.len();
    // 0: not seen yet; counted from 1 in the order of discovery, then the least such number that was reached; in the end the part,
    // from the top down in the order of their ends: greater than all numbers of vertices whose part is still open.
    let mut number = vec![0_u32; n];
    let (mut seen, mut part) = (0, u32::MAX);
    // Those whose part is open and that are no more on the path.
    let mut left: Vec<u32> = Vec::new();
    let mut path: Vec<Open> = Vec::new();
    for root in from {
        let mut enter = (number[root as usize] == 0).then_some(root);
        loop {
            if let Some(vertex) = enter.take() {
                seen += 1;
                number[vertex as usize] = seen;
                let places = rows.places(vertex);
                path.push(Open { vertex, next: places.start, end: places.end, low: seen, own: seen });
            }
            let Some(top) = path.last_mut() else { break };
            if top.next < top.end {
                let w = rows.at(top.next);
                top.next += 1;
                match number[w as usize] {
                    0 => enter = Some(w),
                    met => top.low = top.low.min(met),
                }
                continue;
            }
            let Open { vertex, low, own, .. } = *top;
            path.pop();
            if low < own {
                number[vertex as usize] = low;
                left.push(vertex);
                if let Some(below) = path.last_mut() {
                    below.low = below.low.min(low);
                }
            } else {
                while let Some(w) = left.pop_if(|w| number[*w as usize] >= own) {
                    number[w as usize] = part;
                }
                number[vertex as usize] = part;
                part -= 1;
            }
        }
    }
    // Sinks end first.
    let count = u32::MAX - part;
    for number in &mut number {
        // The first part has the greatest number; 0 is a vertex that was not reached.
        *number = number.checked_sub(part).and_then(|number| number.checked_sub(1)).unwrap_or(NONE);
    }
    Parts { of: number, count: count as usize }
}

/// The colours, 1 and 2, of what is joined with these vertices, of which the first of each part has the colour 1; 0 elsewhere.
/// `None`: an edge there joins two of one colour, or is a loop. O(n + edges).
pub fn colours(
    n: usize,
    edges: impl Iterator<Item = Ends> + Clone,
    from: impl Iterator<Item = u32>,
) -> Option<Vec<u8>> {
    two_colours(&Rows::both(n, edges), from)
}

/// The same of a graph by its rows.
pub(crate) fn two_colours(rows: &Rows, from: impl Iterator<Item = u32>) -> Option<Vec<u8>> {
    let mut colours = vec![0; rows.len()];
    let mut open = Vec::new();
    for first in from {
        if colours[first as usize] != 0 {
            continue;
        }
        colours[first as usize] = 1;
        open.push(first);
        while let Some(v) = open.pop() {
            let other = 3 - colours[v as usize];
            for place in rows.places(v) {
                let w = rows.at(place);
                if colours[w as usize] == 0 {
                    colours[w as usize] = other;
                    open.push(w);
                } else if colours[w as usize] != other {
                    return None;
                }
            }
        }
    }
    Some(colours)
}
