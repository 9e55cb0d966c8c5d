//! Which edges of an undirected multigraph disconnect it in pairs.

use crate::NONE;
use crate::lowlink::Lowlink;

/// Edges of which any two separate the graph, and no third edge with them. With all of them gone the rest is a ring of pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct CutClass<'c> {
    /// The tree edges by their lower ends, from the root down: each is below the one before.
    pub(super) tree: &'c [u32],
    /// The place in [`Lowlink::back`] of the one edge outside the tree that may be among them.
    pub(super) back: Option<usize>,
}

/// What the edges outside the tree do at a place.
#[derive(Clone, Copy)]
struct Node {
    /// The child from whose subtree they go highest.
    child: u32,
    /// How high they go from the place itself and from the subtrees of other children.
    other: u32,
    /// Where the lower ends of all those meet that cover the edge above the place: the lowest place with all of them in its subtree.
    meet: u32,
    /// How many cover the edge above the place; wraps until the sums of subtrees are made. 0: none does, or the place is not the
    /// top of its class.
    count: u32,
}

/// Calls `each` with all classes of edges that are no bridges, most of them single edges, those of vertices that fail `wanted`
/// (asked for the lower end) left out; a class is wanted as a whole or not at all. O(n + edges).
///
/// Two edges are a pair iff the same edges outside the tree cover them, where such an edge covers the tree edges between its ends and
/// itself. Edges with one meet lie on one way from the root, and what covers one of them covers those below it, too: so as many cover
/// both of two iff the same do. Meets are found from below as by L. Georgiadis, G. F. Italiano and E. Kosinas, "Computing the
/// 4-edge-connected components of a graph in linear time" (FOCS 2021): from the meet of the child that goes highest on to that of
/// its own such child, until what covers the edge parts there. No place is left behind twice.
pub(super) fn cut_classes(tree: &Lowlink, wanted: impl Fn(u32) -> bool, mut each: impl FnMut(CutClass<'_>)) {
    if tree.back.is_empty() {
        // All edges are bridges.
        return;
    }
    let n = tree.len();
    let mut nodes = vec![Node { child: NONE, other: NONE, meet: NONE, count: 0 }; n];
    for &(_, lower, upper) in &tree.back {
        let node = &mut nodes[lower as usize];
        node.other = upper.min(node.other);
        node.count = node.count.wrapping_add(1);
        let node = &mut nodes[upper as usize];
        node.count = node.count.wrapping_sub(1);
    }
    // Of each meet the highest place so far, and of each place the next one below it in its class.
    let (mut last, mut below) = (vec![NONE; n], vec![NONE; n]);
    for (v, parent) in tree.places().rev() {
        if parent == NONE {
            continue;
        }
        let covered = nodes[v as usize].count;
        let low = tree.low[v as usize];
        let highest = tree.low.get(nodes[parent as usize].child as usize).copied().unwrap_or(NONE);
        let node = &mut nodes[parent as usize];
        node.count = node.count.wrapping_add(covered);
        if low < highest {
            node.child = v;
        }
        // Of the two the one that goes less high is not from the child.
        node.other = node.other.min(low.max(highest));
        if tree.hangs_on_bridge(v) {
            continue;
        }
        let mut meet = v;
        while nodes[meet as usize].other >= v {
            meet = nodes[nodes[meet as usize].child as usize].meet;
        }
        nodes[v as usize].meet = meet;
        let lower = std::mem::replace(&mut last[meet as usize], v);
        if lower != NONE && nodes[lower as usize].count == covered {
            below[v as usize] = lower;
            nodes[lower as usize].count = 0;
        }
    }
    // Of each place its edge outside the tree that goes highest.
    let mut highest = last;
    highest.fill(NONE);
    for (k, &(_, lower, upper)) in (0..).zip(&tree.back) {
        let known = &mut highest[lower as usize];
        if tree.back.get(*known as usize).is_none_or(|(_, _, highest)| upper < *highest) {
            *known = k;
        }
    }
    let mut is_joined = vec![false; tree.back.len()];
    let mut class = Vec::new();
    for top in (0..).take(n).filter(|&v| nodes[v as usize].count != 0 && wanted(v)) {
        class.clear();
        let mut v = top;
        while v != NONE {
            class.push(v);
            v = below[v as usize];
        }
        // One edge that alone covers them is of their class.
        let back = (nodes[top as usize].count == 1).then(|| highest[nodes[top as usize].meet as usize] as usize);
        if let Some(k) = back {
            is_joined[k] = true;
        }
        each(CutClass { tree: &class, back });
    }
    for (k, &(_, lower, _)) in tree.back.iter().enumerate() {
        if !is_joined[k] && wanted(lower) {
            each(CutClass { tree: &[], back: Some(k) });
        }
    }
}
