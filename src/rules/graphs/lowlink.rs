//! Depth-first search of an undirected multigraph from one root, with low points: which tree edges are bridges.

use super::NONE;
use super::rows::Rows;

/// A depth-first search tree.
pub(crate) struct Lowlink {
    /// The vertices reached, in the order of discovery; the root first.
    pub(crate) order: Vec<u32>,
    /// Place in `order`; [`NONE`] for vertices not reached.
    pub(crate) place: Vec<u32>,
    /// The vertex from which `v` was reached; [`NONE`] for the root.
    pub(crate) parent: Vec<u32>,
    /// The edge by which `v` was reached; [`NONE`] for the root.
    pub(crate) parent_edge: Vec<u32>,
    /// The least place that the subtree of `v` reaches without the edge above `v`.
    low: Vec<u32>,
    /// The edges outside the tree as (index, lower end, upper end); loops have equal ends.
    pub(crate) back: Vec<(u32, u32, u32)>,
}

impl Lowlink {
    /// Searches from `root`. The edge to the parent is skipped by its index, so that parallel edges count. O(n + edges)
    /// (R. E. Tarjan, "A note on finding the bridges of a graph", Inf. Proc. Letters 2, 1974).
    pub(crate) fn new(rows: &Rows, root: u32) -> Lowlink {
        let n = rows.len();
        let mut tree = Lowlink {
            order: vec![root],
            place: vec![NONE; n],
            parent: vec![NONE; n],
            parent_edge: vec![NONE; n],
            low: vec![0; n],
            back: Vec::new(),
        };
        tree.place[root as usize] = 0;
        let mut places = 1;
        let mut path = vec![(root, 0)];
        while let Some((v, next)) = path.last_mut() {
            let v = *v;
            let Some((w, e)) = rows.get(v, *next) else {
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    tree.low[parent as usize] = tree.low[parent as usize].min(tree.low[v as usize]);
                }
                continue;
            };
            *next += 1;
            if e == tree.parent_edge[v as usize] {
                continue;
            }
            let (here, there) = (tree.place[v as usize], tree.place[w as usize]);
            if there == NONE {
                (tree.place[w as usize], tree.low[w as usize]) = (places, places);
                (tree.parent[w as usize], tree.parent_edge[w as usize]) = (v, e);
                places += 1;
                tree.order.push(w);
                path.push((w, 0));
            } else if there <= here {
                tree.low[v as usize] = tree.low[v as usize].min(there);
                tree.back.push((e, v, w));
            }
        }
        tree
    }

    /// Whether `v` is not the root and the edge above it is a bridge.
    pub(crate) fn hangs_on_bridge(&self, v: u32) -> bool {
        self.parent_edge[v as usize] != NONE && self.low[v as usize] == self.place[v as usize]
    }
}
