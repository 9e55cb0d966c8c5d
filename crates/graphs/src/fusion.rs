//! Green Hackenbush by the fusion principle.
//!
//! E. Berlekamp, J. Conway, R. Guy, "Winning Ways", ch. 7: the vertices of a cycle may be fused. All ground vertices are
//! merged into one; what does not hang on it is ignored. The parts joined by no bridge form a tree rooted at the ground; the
//! value of a part is the parity of its inner edges xor (value of the child + 1) over the bridges to its children.

use crate::bits::Bits;
use crate::fusion_winning::winning;
use crate::lowlink::Lowlink;
use crate::stalks::Stalks;
use crate::{Ends, NONE};
use std::sync::OnceLock;

/// What one search from the ground tells.
#[derive(Debug)]
pub struct Fused {
    /// What hangs on single edges.
    pub(super) stalks: Stalks,
    /// The ground vertex that stands for all.
    pub(super) root: u32,
    /// The search of the rest.
    pub(super) tree: Lowlink,
    /// For every place of it the value of what hangs there, without the edge above it: at the top of a part this is the value of
    /// the part. Values are below 2^32, as graphs have fewer than 2^31 edges.
    pub(super) value: Vec<u32>,
    /// Whether all edges hang on the ground.
    whole: bool,
    /// The winning edges, when they were asked for.
    winning: OnceLock<Vec<u32>>,
}

impl Fused {
    /// O(n + edges).
    #[must_use]
    pub fn new(n: usize, mut edges: impl Iterator<Item = Ends> + Clone, ground: &[u32]) -> Fused {
        let Some(&root) = ground.first() else {
            let tree = Lowlink::new(1, std::iter::empty(), 0);
            let whole = edges.next().is_none();
            return Fused { stalks: Stalks::default(), root: 0, tree, value: vec![0], whole, winning: OnceLock::new() };
        };
        // All ground vertices are one, the root; edges keep their indices.
        let grounded = Bits::new(n, ground.iter().copied());
        let several = ground.len() > 1;
        let merged = |v: u32| if several && grounded.has(v) { root } else { v };
        let edges = edges.map(|(u, v)| (merged(u), merged(v)));
        let mut stalks = Stalks::new(n, edges.clone(), root);
        let numbered = (0..).zip(edges);
        let mut tree = if stalks.are_all() {
            Lowlink::new(1, std::iter::empty(), 0)
        } else if stalks.are_none() {
            Lowlink::new(n, numbered, root)
        } else {
            Lowlink::new(n, numbered.filter(|(_, (u, v))| stalks.stays(*u) && stalks.stays(*v)), root)
        };
        let reached = |v: u32| tree.place.get(v as usize).is_some_and(|place| *place != NONE);
        let rest = || (0..).take(n).all(|v| !stalks.has_more(v) || reached(v));
        let whole = !stalks.are_loose() && (stalks.are_all() || rest());
        if stalks.are_none() && !stalks.are_all() {
            // All is in the tree, by places.
            stalks.forget();
            tree.place = Vec::new();
        }
        let mut fused = Fused { value: vec![0; tree.len()], stalks, root, tree, whole, winning: OnceLock::new() };
        fused.values();
        fused
    }

    /// The values of all places.
    fn values(&mut self) {
        let Fused { stalks, root, tree, value, .. } = self;
        if stalks.are_all() {
            value[0] = stalks.value(*root);
        } else if !stalks.are_none() {
            for (v, &place) in (0..).zip(&tree.place).filter(|(_, place)| **place != NONE) {
                value[place as usize] = stalks.value(v);
            }
        }
        for &(_, lower, _) in &tree.back {
            value[lower as usize] ^= 1;
        }
        for (place, parent) in tree.places().rev() {
            if parent != NONE {
                let own = value[place as usize];
                value[parent as usize] ^= if tree.hangs_on_bridge(place) { own + 1 } else { own ^ 1 };
            }
        }
    }

    /// The Grundy value.
    #[must_use]
    pub fn grundy(&self) -> u64 {
        self.value.first().copied().unwrap_or(0).into()
    }

    /// The winning edges: see [`crate::fusion_winning`]. Worked out once.
    #[must_use]
    pub fn winning(&self) -> &[u32] {
        self.winning.get_or_init(|| winning(self))
    }

    /// Whether the winning edges were asked for, and this is one.
    #[must_use]
    pub fn is_known_to_win(&self, edge: u32) -> bool {
        self.winning.get().is_some_and(|winning| winning.binary_search(&edge).is_ok())
    }

    /// Whether an edge that hangs on the ground separates something from it. O(n).
    #[must_use]
    pub fn is_bridge(&self, edge: u32) -> bool {
        let hangs = |(place, _)| self.tree.hangs_on_bridge(place) && self.tree.parent_edge[place as usize] == edge;
        self.stalks.upwards().any(|(_, _, cut)| cut == edge) || self.tree.places().any(hangs)
    }

    /// Whether all edges hang on the ground.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.whole
    }
}

/// The Grundy value of green Hackenbush on a multigraph with loops and parallel edges and any set of ground vertices; its
/// parity is that of the number of edges that hang on the ground. O(n + edges).
#[must_use]
pub fn fusion(n: usize, edges: &[Ends], ground: &[u32]) -> u64 {
    Fused::new(n, edges.iter().copied(), ground).grundy()
}
