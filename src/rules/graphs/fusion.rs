//! Green Hackenbush by the fusion principle.
//!
//! E. Berlekamp, J. Conway, R. Guy, "Winning Ways", ch. 7: the vertices of a cycle may be fused. All ground vertices are
//! merged into one; what does not hang on it is ignored. The parts joined by no bridge form a tree rooted at the ground; the
//! value of a part is the parity of its inner edges xor (value of the child + 1) over the bridges to its children.

use super::lowlink::Lowlink;
use super::rows::Rows;
use super::{Ends, NONE};

/// The multigraph with its ground merged into vertex `n`; edges keep their indices.
fn merge_ground(n: usize, edges: &[Ends], ground: &[u32]) -> (Rows, u32) {
    let mut name: Vec<u32> = (0..).take(n + 1).collect();
    let root = name[n];
    for &v in ground {
        name[v as usize] = root;
    }
    let merged: Vec<Ends> = edges.iter().map(|&(u, v)| (name[u as usize], name[v as usize])).collect();
    (Rows::both(n + 1, &merged), root)
}

/// For every vertex the value of what hangs on it in the search tree, without the edge above it: at the top vertex of a
/// part this is the value of the part.
fn hanging_values(tree: &Lowlink) -> Vec<u64> {
    let mut value = vec![0u64; tree.place.len()];
    for &(_, lower, _) in &tree.back {
        value[lower as usize] ^= 1;
    }
    for &v in tree.order.iter().rev() {
        let parent = tree.parent[v as usize];
        if parent != NONE {
            let own = value[v as usize];
            value[parent as usize] ^= if tree.hangs_on_bridge(v) { own + 1 } else { own ^ 1 };
        }
    }
    value
}

/// What one search from the ground tells.
pub(crate) struct Fused {
    pub(super) tree: Lowlink,
    /// As [`hanging_values`].
    pub(super) value: Vec<u64>,
    pub(super) root: u32,
}

impl Fused {
    /// O(n + edges).
    pub(crate) fn new(n: usize, edges: &[Ends], ground: &[u32]) -> Fused {
        let (rows, root) = merge_ground(n, edges, ground);
        let tree = Lowlink::new(&rows, root);
        Fused { value: hanging_values(&tree), tree, root }
    }

    /// The Grundy value.
    pub(crate) fn grundy(&self) -> u64 {
        self.value[self.root as usize]
    }
}

/// The Grundy value of green Hackenbush on a multigraph with loops and parallel edges and any set of ground vertices; its
/// parity is that of the number of edges that hang on the ground. O(n + edges).
#[must_use]
pub fn fusion(n: usize, edges: &[Ends], ground: &[u32]) -> u64 {
    Fused::new(n, edges, ground).grundy()
}
