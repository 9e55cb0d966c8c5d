//! Depth-first search of an undirected multigraph from one root, with low points: which tree edges are bridges.

use crate::{Ends, NONE};

/// A depth-first search tree. The vertices reached are told by their places in the order of discovery, the root by 0: what is
/// near in the tree is then near in memory.
#[derive(Debug)]
pub(crate) struct Lowlink {
    /// The place of each vertex; [`NONE`] where it was not reached.
    pub(crate) place: Vec<u32>,
    /// The place from which each place was reached; [`NONE`] for the root.
    pub(crate) parent: Vec<u32>,
    /// The edge by which it was reached; [`NONE`] for the root.
    pub(crate) parent_edge: Vec<u32>,
    /// The least place that the subtree reaches without the edge above it.
    pub(super) low: Vec<u32>,
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

/// Where the row of neighbours of a vertex begins, and its place.
#[derive(Clone, Copy)]
struct Node {
    start: u32,
    place: u32,
}

/// Neighbours in compressed rows, and what the search knows of the vertices.
struct Search {
    /// One more than vertices: the last tells where the last row ends.
    nodes: Vec<Node>,
    to: Vec<u32>,
    /// Of no meaning: see [`Search::open`].
    warm: u32,
}

impl Search {
    /// Edges stand in the rows of both ends, loops once.
    fn new(n: usize, edges: impl Iterator<Item = (u32, Ends)> + Clone) -> Search {
        let mut nodes = vec![Node { start: 0, place: NONE }; n + 1];
        for (_, (u, v)) in edges.clone() {
            nodes[u as usize].start += 1;
            nodes[v as usize].start += u32::from(u != v);
        }
        let mut sum = 0;
        for node in &mut nodes {
            sum += node.start;
            node.start = sum;
        }
        let mut to = vec![0; sum as usize];
        let mut put = |u: u32, v: u32| {
            let start = &mut nodes[u as usize].start;
            *start -= 1;
            to[*start as usize] = v;
        };
        for (_, (u, v)) in edges {
            put(u, v);
            if u != v {
                put(v, u);
            }
        }
        Search { nodes, to, warm: 0 }
    }

    /// Gives a vertex its place. Short rows of its neighbours are looked at all together: the search will want them soon, and
    /// waits for the memory of all of them once instead of for each.
    #[inline]
    fn open(&mut self, v: u32, place: u32) -> Open {
        const SHORT: u32 = 8;
        self.nodes[v as usize].place = place;
        let (start, end) = (self.nodes[v as usize].start, self.nodes[v as usize + 1].start);
        if end - start <= SHORT {
            for &w in &self.to[start as usize..end as usize] {
                let node = self.nodes[w as usize];
                if node.place == NONE {
                    self.warm ^= self.to[node.start as usize];
                }
            }
        }
        Open { next: start, end, place, low: place, met: false }
    }
}

impl Lowlink {
    /// Searches from `root` among `n` vertices; edges come with their indices. Of parallel edges one is in the tree, and the others
    /// are not: they count. O(n + edges)
    /// (R. E. Tarjan, "A note on finding the bridges of a graph", Inf. Proc. Letters 2, 1974).
    pub(crate) fn new(n: usize, edges: impl Iterator<Item = (u32, Ends)> + Clone, root: u32) -> Lowlink {
        let mut search = Search::new(n, edges.clone());
        let mut tree =
            Lowlink { place: Vec::new(), parent: vec![NONE], parent_edge: Vec::new(), low: vec![0], back: Vec::new() };
        let mut found = 1;
        let mut path = vec![search.open(root, 0)];
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
            let w = search.to[top.next as usize];
            top.next += 1;
            let here = top.place;
            let there = search.nodes[w as usize].place;
            if there == NONE {
                tree.parent.push(here);
                tree.low.push(found);
                path.push(search.open(w, found));
                found += 1;
            } else if !top.met && there == tree.parent[here as usize] {
                top.met = true;
            } else {
                top.low = top.low.min(there);
            }
        }
        std::hint::black_box(search.warm);
        let Search { nodes, to, .. } = search;
        drop(to);
        tree.place = nodes[..n].iter().map(|node| node.place).collect();
        drop(nodes);
        tree.tell_edges(edges);
        tree
    }

    /// Which edges are in the tree, and which are not; of parallel ones the first.
    fn tell_edges(&mut self, edges: impl Iterator<Item = (u32, Ends)>) {
        self.parent_edge = vec![NONE; self.parent.len()];
        for (edge, (u, v)) in edges {
            let (u, v) = (self.place[u as usize], self.place[v as usize]);
            if u == NONE {
                continue;
            }
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
