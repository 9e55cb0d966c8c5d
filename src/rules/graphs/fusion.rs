//! Green Hackenbush by the fusion principle.
//!
//! E. Berlekamp, J. Conway, R. Guy, "Winning Ways", ch. 7: the vertices of a cycle may be fused. All ground vertices are
//! merged into one; what does not hang on it is ignored. The parts joined by no bridge form a tree rooted at the ground; the
//! value of a part is the parity of its inner edges xor (value of the child + 1) over the bridges to its children.

use super::lowlink::Lowlink;
use super::{Ends, NONE};

/// For every place of the search tree the value of what hangs on it, without the edge above it: at the top of a part this is
/// the value of the part.
fn hanging_values(tree: &Lowlink) -> Vec<u64> {
    let mut value = vec![0u64; tree.len()];
    for &(_, lower, _) in &tree.back {
        value[lower as usize] ^= 1;
    }
    for (place, parent) in tree.places().rev() {
        if parent != NONE {
            let own = value[place as usize];
            value[parent as usize] ^= if tree.hangs_on_bridge(place) { own + 1 } else { own ^ 1 };
        }
    }
    value
}

/// What one search from the ground tells.
pub(crate) struct Fused {
    pub(super) tree: Lowlink,
    /// As [`hanging_values`].
    pub(super) value: Vec<u64>,
}

impl Fused {
    /// O(n + edges).
    pub(crate) fn new(n: usize, edges: impl Iterator<Item = Ends> + Clone, ground: &[u32]) -> Fused {
        // All ground vertices are one, the root; edges keep their indices.
        let root = ground.first().copied().unwrap_or(0);
        let mut grounded = vec![false; n];
        for &v in ground {
            grounded[v as usize] = true;
        }
        let merged = |v: u32| if grounded[v as usize] { root } else { v };
        let tree = if ground.is_empty() {
            Lowlink::new(1, std::iter::empty(), 0)
        } else {
            Lowlink::new(n, edges.map(|(u, v)| (merged(u), merged(v))), root)
        };
        Fused { value: hanging_values(&tree), tree }
    }

    /// The Grundy value.
    pub(crate) fn grundy(&self) -> u64 {
        self.value.first().copied().unwrap_or(0)
    }
}

/// The Grundy value of green Hackenbush on a multigraph with loops and parallel edges and any set of ground vertices; its
/// parity is that of the number of edges that hang on the ground. O(n + edges).
#[must_use]
pub fn fusion(n: usize, edges: &[Ends], ground: &[u32]) -> u64 {
    Fused::new(n, edges.iter().copied(), ground).grundy()
}
