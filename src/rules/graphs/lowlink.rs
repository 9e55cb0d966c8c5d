//! Depth-first search of an undirected multigraph from one root, with low points: which tree edges are bridges.

use super::rows::Rows;
use super::{Ends, NONE};
use std::ops::Range;

/// A depth-first search tree. The vertices reached are told by their places in the order of discovery, the root by 0: what is
/// near in the tree is then near in memory.
pub(crate) struct Lowlink {
    /// The place from which each place was reached; [`NONE`] for the root.
    pub(crate) parent: Vec<u32>,
    /// The edge by which it was reached; [`NONE`] for the root.
    pub(crate) parent_edge: Vec<u32>,
    /// The least place that the subtree reaches without the edge above it.
    low: Vec<u32>,
    /// The edges outside the tree as (index, lower place, upper place); loops have equal ends.
    pub(crate) back: Vec<(u32, u32, u32)>,
}

/// A vertex on the path from the root.
struct Open {
    /// Its edges that are not yet looked at.
    next: u32,
    end: u32,
    place: u32,
    low: u32,
    /// The edge above it was met among its edges.
    met: bool,
}

impl Lowlink {
    /// Searches from `root` among `n` vertices. Of parallel edges one is in the tree, and the others are not: they count. O(n + edges)
    /// (R. E. Tarjan, "A note on finding the bridges of a graph", Inf. Proc. Letters 2, 1974).
    pub(crate) fn new(n: usize, edges: impl Iterator<Item = Ends> + Clone, root: u32) -> Lowlink {
        let rows = Rows::both(n, edges.clone());
        let open = |v: u32, place: u32| {
            let Range { start, end } = rows.places(v);
            Open { next: start, end, place, low: place, met: false }
        };
        let mut places = vec![NONE; n];
        places[root as usize] = 0;
        let mut tree = Lowlink { parent: vec![NONE], parent_edge: Vec::new(), low: vec![0], back: Vec::new() };
        let mut found = 1;
        let mut path = vec![open(root, 0)];
        while let Some(top) = path.last_mut() {
            if top.next == top.end {
                let (place, low) = (top.place, top.low);
                tree.low[place as usize] = low;
                path.pop();
                if let Some(above) = path.last_mut() {
                    above.low = above.low.min(low);
                }
                continue;
            }
            let w = rows.at(top.next);
            top.next += 1;
            let here = top.place;
            let there = places[w as usize];
            if there == NONE {
                places[w as usize] = found;
                tree.parent.push(here);
                tree.low.push(found);
                path.push(open(w, found));
                found += 1;
            } else if !top.met && there == tree.parent[here as usize] {
                top.met = true;
            } else {
                top.low = top.low.min(there);
            }
        }
        drop(rows);
        tree.tell_edges(edges.map(|(u, v)| (places[u as usize], places[v as usize])));
        tree
    }

    /// Which edges, between places, are in the tree, and which are not; of parallel ones the first.
    fn tell_edges(&mut self, edges: impl Iterator<Item = Ends>) {
        self.parent_edge = vec![NONE; self.parent.len()];
        for (edge, (u, v)) in (0..).zip(edges).filter(|(_, (u, _))| *u != NONE) {
            let (upper, lower) = (u.min(v), u.max(v));
            let own = &mut self.parent_edge[lower as usize];
            if *own == NONE && self.parent[lower as usize] == upper {
                *own = edge;
            } else {
                self.back.push((edge, lower, upper));
            }
        }
    }

    /// How many vertices were reached.
    pub(crate) fn len(&self) -> usize {
        self.parent.len()
    }

    /// All places with those above them, [`NONE`] for the root.
    pub(crate) fn places(&self) -> impl DoubleEndedIterator<Item = (u32, u32)> {
        let count = u32::try_from(self.parent.len()).unwrap_or(NONE); // places are below it
        (0..count).map(|place| (place, self.parent[place as usize]))
    }

    /// Whether this is not the root and the edge above it is a bridge.
    pub(crate) fn hangs_on_bridge(&self, place: u32) -> bool {
        place != 0 && self.low[place as usize] == place
    }
}
