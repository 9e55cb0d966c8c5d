//! What hangs on single edges: vertices of degree 1 are cut off, and those that have degree 1 then, until there are none.

use crate::Ends;
use crate::bits::Bits;

/// A vertex of a multigraph.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    /// Ends of edges that are left at it; loops count 2.
    degree: u32,
    /// The exclusive or of the neighbours that are left: of a vertex that was cut off the one that it hung on.
    other: u32,
    /// The same of the indices of the edges.
    edge: u32,
    /// The value in green Hackenbush of what was cut off at it.
    value: u32,
}

/// The trees that hang on the rest of a multigraph, and on its root.
#[derive(Debug, Default)]
pub(crate) struct Stalks {
    nodes: Vec<Node>,
    /// The vertices that were cut off in their order: what hung on them comes before them.
    order: Vec<u32>,
    /// The same as a set, which stays in the cache.
    off: Bits,
    /// How many edges are left.
    left: usize,
    /// Some edges hung on no vertex that is left.
    loose: bool,
}

/// The degree of what was cut off.
const OFF: u32 = u32::MAX;

impl Stalks {
    /// Cuts off all but `root`. A vertex tells its only edge by the exclusive or of all that it has left, so that nobody writes
    /// down neighbours. O(n + edges).
    pub(crate) fn new(n: usize, edges: impl Iterator<Item = Ends>, root: u32) -> Stalks {
        let mut nodes = vec![Node::default(); n];
        let mut left = 0;
        for (edge, (u, v)) in (0..).zip(edges) {
            let node = &mut nodes[u as usize];
            (node.degree, node.other, node.edge) = (node.degree + 1, node.other ^ v, node.edge ^ edge);
            let node = &mut nodes[v as usize];
            (node.degree, node.other, node.edge) = (node.degree + 1, node.other ^ u, node.edge ^ edge);
            left += 1;
        }
        let mut stalks = Stalks { nodes, order: Vec::new(), off: Bits::default(), left, loose: false };
        for v in (0..).take(n) {
            stalks.cut(v, root);
        }
        stalks.off = Bits::new(n, stalks.order.iter().copied());
        stalks
    }

    /// Cuts off a vertex if it has one edge, and what has one then.
    fn cut(&mut self, v: u32, root: u32) {
        let mut v = v;
        while v != root && self.nodes[v as usize].degree == 1 {
            let Node { other, edge, value, .. } = self.nodes[v as usize];
            self.nodes[v as usize].degree = OFF;
            self.order.push(v);
            self.left -= 1;
            let below = &mut self.nodes[other as usize];
            below.degree -= 1;
            below.other ^= v;
            below.edge ^= edge;
            below.value ^= value + 1;
            self.loose |= below.degree == 0 && other != root;
            v = other;
        }
    }

    /// Forgets the vertices, when none was cut off.
    pub(crate) fn forget(&mut self) {
        self.nodes = Vec::new();
    }

    /// How many vertices there were.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no edge is left.
    pub(crate) fn are_all(&self) -> bool {
        self.left == 0
    }

    /// Whether some edges hung on no vertex that is left.
    pub(crate) fn are_loose(&self) -> bool {
        self.loose
    }

    /// Whether there are none.
    pub(crate) fn are_none(&self) -> bool {
        self.order.is_empty()
    }

    /// Whether a vertex has edges that are left.
    pub(crate) fn has_more(&self, v: u32) -> bool {
        self.stays(v) && self.nodes[v as usize].degree > 0
    }

    /// Whether a vertex was not cut off.
    pub(crate) fn stays(&self, v: u32) -> bool {
        !self.off.has(v)
    }

    /// The value in green Hackenbush of what was cut off above a vertex.
    pub(crate) fn value(&self, v: u32) -> u32 {
        self.nodes[v as usize].value
    }

    /// The vertices cut off, each after the one that it hung on: the vertex, that one, and the edge between them.
    pub(crate) fn upwards(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        self.order.iter().rev().map(|&v| {
            let node = &self.nodes[v as usize];
            (v, node.other, node.edge)
        })
    }
}
