//! Green Hackenbush by the fusion principle.
//!
//! E. Berlekamp, J. Conway, R. Guy, "Winning Ways", ch. 7: the vertices of a cycle may be fused. All ground vertices are
//! merged into one; what does not hang on it is ignored. The parts joined by no bridge form a tree rooted at the ground; the
//! value of a part is the parity of its inner edges xor (value of the child + 1) over the bridges to its children.

use crate::bits::Bits;
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

/// What no bridge separates.
#[derive(Clone, Copy)]
struct Part {
    /// Of its top vertex with all that hangs on it.
    value: u32,
    /// The change (xor) of this value that wins; 0: no change inside it does.
    change: u32,
}

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
struct RowStart {
    start: u32,
    place: u32,
}

/// Neighbours in compressed rows, and what the search knows of the vertices.
struct Search {
    /// One more than vertices: the last tells where the last row ends.
    nodes: Vec<RowStart>,
    to: Vec<u32>,
    /// Takes up what [`Search::open`] reads ahead of time; nobody looks at it.
    warm: u32,
}

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
struct Cover {
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

/// A ring on the ground: `edges[0]`, the piece with value `pieces[1]`, `edges[1]`, ..., the piece with value `pieces[k - 1]`,
/// `edges[k - 1]`, the ground again; `pieces[0]` stands for nothing. The cut is to leave two stalks whose values xor to
/// `target`. One ring after the other is written here, so that none takes memory of its own.
#[derive(Default)]
pub(super) struct Ring {
    pub(super) edges: Vec<u32>,
    pub(super) pieces: Vec<u32>,
    pub(super) target: u32,
    /// Rings inside this one that are still to be looked at: where they begin and end, and their targets.
    open: Vec<(usize, usize, u32)>,
    colour: Vec<bool>,
    other: Vec<(u32, u32)>,
}

/// A vertex of a multigraph.
#[derive(Clone, Copy, Debug, Default)]
struct Hanging {
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
    nodes: Vec<Hanging>,
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

impl Fused {
    /// O(n + edges).
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
        let whole = !stalks.loose && (stalks.are_all() || rest());
        if stalks.are_none() && !stalks.are_all() {
            // All is in the tree, by places.
            stalks.forget();
            tree.place = Vec::new();
        }
        let mut fused = Fused { value: vec![0; tree.len()], stalks, root, tree, whole, winning: OnceLock::new() };
        fused.values();
        fused
    }

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
    pub fn grundy(&self) -> u64 {
        self.value.first().copied().unwrap_or(0).into()
    }

    /// The winning edges: see [`crate::fusion`]. Worked out once.
    pub fn winning(&self) -> &[u32] {
        self.winning.get_or_init(|| winning(self))
    }

    /// Whether the winning edges were asked for, and this is one.
    pub fn is_known_to_win(&self, edge: u32) -> bool {
        self.winning.get().is_some_and(|winning| winning.binary_search(&edge).is_ok())
    }

    /// Whether an edge that hangs on the ground separates something from it. O(n).
    pub fn is_bridge(&self, edge: u32) -> bool {
        let hangs = |(place, _)| self.tree.hangs_on_bridge(place) && self.tree.parent_edge[place as usize] == edge;
        self.stalks.upwards().any(|(_, _, cut)| cut == edge) || self.tree.places().any(hangs)
    }

    /// Whether all edges hang on the ground.
    pub fn is_whole(&self) -> bool {
        self.whole
    }
}

impl Search {
    /// Edges stand in the rows of both ends, loops once.
    fn new(n: usize, edges: impl Iterator<Item = (u32, Ends)> + Clone) -> Search {
        let mut nodes = vec![RowStart { start: 0, place: NONE }; n + 1];
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

impl Ring {
    /// Appends the edges that do it to `found`, and leaves the ring empty. O(k x bits of the values).
    ///
    /// A stalk is `(value above xor value of the piece) + 1` over its edges. Colour the edges so that neighbours have the same
    /// colour iff the piece between them is odd. When `e` is cut, adding 1 carries into the higher bits at just the edges with
    /// the colour of `e`. So in the higher bits the ring is one with the edges of that colour only, pieces between them merged;
    /// the lowest bit of the sum of the stalks is the same for every cut. Both colours are followed, each edge is in one of
    /// them, and when the values have no more bits the colours alternate and halve the ring.
    pub(super) fn cuts(&mut self, found: &mut Vec<u32>) {
        self.open.push((0, self.edges.len(), self.target));
        while let Some((from, to, target)) = self.open.pop() {
            if to - from <= 1 {
                if target == 0 {
                    found.extend_from_slice(&self.edges[from..to]);
                }
                continue;
            }
            self.colour.clear();
            let mut last = false;
            self.colour.push(last);
            for piece in &self.pieces[from + 1..to] {
                last = last == (piece & 1 == 1);
                self.colour.push(last);
            }
            if last == (target & 1 == 1) {
                self.halve(from, to, target >> 1);
            }
        }
        self.edges.clear();
        self.pieces.clear();
    }

    /// The rings of the edges of each colour in the higher bits, in the place of the whole ring.
    fn halve(&mut self, from: usize, to: usize, target: u32) {
        // The xor of the pieces since the last edge of each colour; those before the first and after the last lie on the ground.
        let mut since = [0, 0];
        let mut targets = [target; 2];
        let mut kept = from;
        self.other.clear();
        for i in from..to {
            if i > from {
                let piece = self.pieces[i] >> 1;
                since = [since[0] ^ piece, since[1] ^ piece];
            }
            let colour = usize::from(self.colour[i - from]);
            let piece = std::mem::take(&mut since[colour]);
            if colour == 0 {
                if kept == from {
                    targets[0] ^= piece;
                }
                (self.edges[kept], self.pieces[kept]) = (self.edges[i], piece);
                kept += 1;
            } else {
                if self.other.is_empty() {
                    targets[1] ^= piece;
                }
                self.other.push((self.edges[i], piece));
            }
        }
        for (i, &(edge, piece)) in (kept..).zip(&self.other) {
            (self.edges[i], self.pieces[i]) = (edge, piece);
        }
        for (colour, (from, to)) in [(from, kept), (kept, to)].into_iter().enumerate() {
            if from < to {
                self.open.push((from, to, targets[colour] ^ since[colour]));
            }
        }
    }
}

impl Stalks {
    /// Cuts off all but `root`. A vertex tells its only edge by the exclusive or of all that it has left, so that nobody writes
    /// down neighbours. O(n + edges).
    pub(crate) fn new(n: usize, edges: impl Iterator<Item = Ends>, root: u32) -> Stalks {
        let mut nodes = vec![Hanging::default(); n];
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
            let Hanging { other, edge, value, .. } = self.nodes[v as usize];
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

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no edge is left.
    pub(crate) fn are_all(&self) -> bool {
        self.left == 0
    }

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

/// The Grundy value of green Hackenbush on a multigraph with loops and parallel edges and any set of ground vertices; its
/// parity is that of the number of edges that hang on the ground. O(n + edges).
pub fn fusion(n: usize, edges: &[Ends], ground: &[u32]) -> u64 {
    Fused::new(n, edges.iter().copied(), ground).grundy()
}

/// The edges whose cutting leaves value 0, ascending, by their indices; none when the value is 0, and never one that does not
/// hang on the ground. O(n + edges x bits of the value).
///
/// From the ground up every part without bridges has one value that it would have to take: a bridge then has one value for
/// what hangs on it, which is 0 (cut it) or asks for a value of the next part. Inside a part an edge changes the parity only
/// if no other edge separates the part together with it; else cutting it makes two stalks of a ring.
pub fn fusion_winning(n: usize, edges: &[Ends], ground: &[u32]) -> Vec<u32> {
    Fused::new(n, edges.iter().copied(), ground).winning().to_vec()
}

/// The same where the search is done.
pub(super) fn winning(fused: &Fused) -> Vec<u32> {
    let Fused { tree, value, .. } = fused;
    let mut found = Vec::new();
    if fused.grundy() == 0 {
        return found;
    }
    // The parts from the ground up, and the part of each vertex: most have many.
    let mut parts: Vec<Part> = Vec::new();
    let mut part_of = vec![0u32; value.len()];
    for (v, parent) in tree.places() {
        let below = if parent == NONE { 0 } else { part_of[parent as usize] };
        let change = if parent == NONE {
            value[v as usize]
        } else if tree.hangs_on_bridge(v) {
            above(tree.parent_edge[v as usize], value[v as usize], parts[below as usize].change, &mut found)
        } else {
            part_of[v as usize] = below;
            continue;
        };
        part_of[v as usize] = u32::try_from(parts.len()).unwrap_or(NONE);
        parts.push(Part { value: value[v as usize], change });
    }
    let part = |v: u32| parts[part_of[v as usize] as usize];
    let mut ring = Ring::default();
    cut_classes(
        tree,
        |v| part(v).change & 1 == 1,
        |class| {
            let lower = class.tree.first().copied().or_else(|| class.back.map(|k| tree.back[k].1));
            if let Some(v) = lower {
                let Part { value, change } = part(v);
                write_ring(&mut ring, fused, class, value, value ^ change);
                ring.cuts(&mut found);
            }
        },
    );
    on_stalks(fused, |place| part(place).change, &mut found);
    found.sort_unstable();
    found
}

/// The change that what hangs on a bridge needs, when the part below it needs a change; or the bridge is found.
fn above(bridge: u32, value: u32, change: u32, found: &mut Vec<u32>) -> u32 {
    if change == 0 {
        return 0;
    }
    match (value + 1) ^ change {
        0 => {
            found.push(bridge);
            0
        }
        wanted => value ^ (wanted - 1),
    }
}

/// Those among the edges that were cut off; `change` is what a place of the search needs.
fn on_stalks(fused: &Fused, change: impl Fn(u32) -> u32, found: &mut Vec<u32>) {
    let Fused { stalks, root, tree, .. } = fused;
    if stalks.are_none() {
        return;
    }
    // The same by vertices.
    let mut needs = vec![0; stalks.len()];
    for (need, &place) in needs.iter_mut().zip(&tree.place).filter(|(_, place)| **place != NONE) {
        *need = change(place);
    }
    needs[*root as usize] = change(0);
    for (v, below, edge) in stalks.upwards() {
        needs[v as usize] = above(edge, stalks.value(v), needs[below as usize], found);
    }
}

/// The ring of pieces that a class leaves of a part, which has the value `whole` and is to get the value `wanted`.
fn write_ring(ring: &mut Ring, fused: &Fused, class: CutClass<'_>, whole: u32, wanted: u32) {
    let Fused { tree, value, .. } = fused;
    let own = |v: u32| value[v as usize];
    // Without the class: each of its tree edges counted 1 in what is above it, its other edge 1 in the lowest piece.
    ring.edges.extend(class.tree.iter().map(|&v| tree.parent_edge[v as usize]));
    ring.pieces.extend(class.tree.first().map(|_| 0));
    ring.pieces.extend(class.tree.windows(2).map(|pair| own(pair[0]) ^ own(pair[1]) ^ 1));
    let mut ground = whole;
    if let Some(&first) = class.tree.first() {
        ground ^= own(first) ^ 1;
    }
    match (class.back, class.tree.last()) {
        (Some(k), Some(&last)) => {
            ring.pieces.push(own(last) ^ 1);
            ring.edges.push(tree.back[k].0);
        }
        (Some(k), None) => {
            ground ^= 1;
            ring.pieces.push(0);
            ring.edges.push(tree.back[k].0);
        }
        // Several edges cover the class: they join what is below it to what is above.
        (None, Some(&last)) => ground ^= own(last),
        (None, None) => {}
    }
    ring.target = ground ^ wanted;
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
    let mut nodes = vec![Cover { child: NONE, other: NONE, meet: NONE, count: 0 }; n];
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
