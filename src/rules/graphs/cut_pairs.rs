//! Which edges of an undirected multigraph disconnect it in pairs.

use super::NONE;
use super::lowlink::Lowlink;
use super::rows::placed;

/// Edges of which any two separate the graph, and no third edge with them. With all of them gone the rest is a ring of pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct CutClass<'c> {
    /// The tree edges by their lower ends, from the root down: each is below the one before.
    pub(super) tree: &'c [u32],
    /// The place in [`Lowlink::back`] of the one edge outside the tree that may be among them.
    pub(super) back: Option<usize>,
}

/// Classes one after the other.
#[derive(Debug, Default)]
pub(super) struct CutClasses {
    lowers: Vec<u32>,
    /// For each class where its lower ends end, and its edge outside the tree or [`NONE`].
    ends: Vec<(u32, u32)>,
}

impl CutClasses {
    pub(super) fn iter(&self) -> impl Iterator<Item = CutClass<'_>> {
        let mut from = 0;
        self.ends.iter().map(move |&(to, back)| {
            let tree = &self.lowers[from..to as usize];
            from = to as usize;
            CutClass { tree, back: (back != NONE).then_some(back as usize) }
        })
    }
}

/// What the edges outside the tree cover.
struct Cover {
    /// How many of them cover the tree edge above a vertex.
    count: Vec<u32>,
    /// The greatest place of the upper ends of these.
    high: Vec<u32>,
    /// Subtree sizes.
    size: Vec<u32>,
}

/// All classes of edges that are no bridges, most of them single edges, those of vertices that fail `wanted` (asked for the
/// lower end) left out; a class is wanted as a whole or not at all. O((n + edges) log edges).
///
/// Two edges are a pair iff the same cycles go through them, so edges get random words that xor to zero over every cut, and
/// equal words make a class. Each class is then verified (a tree edge and one above it are a pair iff as many edges outside
/// the tree cover both, and all that cover the lower one end above the upper one); after a collision other words are drawn.
pub(super) fn cut_classes(tree: &Lowlink, wanted: impl Fn(u32) -> bool) -> CutClasses {
    if tree.back.is_empty() {
        // All edges are bridges.
        return CutClasses::default();
    }
    let cover = Cover::new(tree);
    let mut seed = 0;
    loop {
        seed += 1;
        let classes = classes(tree, seed, &wanted);
        if let Some(classes) = classes.filter(|classes| classes.iter().all(|class| cover.holds(tree, class))) {
            return classes;
        }
    }
}

fn random_word(seed: u64, k: u32) -> u64 {
    let x = (seed << 40 ^ u64::from(k)).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// Edges with equal words; `None` where two edges outside the tree have one.
fn classes(tree: &Lowlink, seed: u64, wanted: &impl Fn(u32) -> bool) -> Option<CutClasses> {
    let mut word = vec![0u64; tree.len()];
    // (word, the lower end or NONE, place in `back`): the edges of a class in the order of `CutClass`.
    let mut keyed: Vec<(u64, u32, u32)> = Vec::new();
    for (k, &(_, lower, upper)) in (0..).zip(&tree.back) {
        let own = random_word(seed, k);
        word[lower as usize] ^= own;
        word[upper as usize] ^= own;
        if wanted(lower) {
            keyed.push((own, NONE, k));
        }
    }
    for (v, parent) in tree.places().rev() {
        if parent == NONE {
            continue;
        }
        word[parent as usize] ^= word[v as usize];
        if !tree.hangs_on_bridge(v) && wanted(v) {
            keyed.push((word[v as usize], v, NONE));
        }
    }
    drop(word);
    keyed.sort_unstable();
    let mut found = CutClasses::default();
    for group in keyed.chunk_by(|a, b| a.0 == b.0) {
        let outside = group.iter().filter(|(_, lower, _)| *lower == NONE).count();
        if outside > 1 {
            return None;
        }
        found.lowers.extend(group[..group.len() - outside].iter().map(|(_, lower, _)| *lower));
        let back = group[group.len() - 1].2;
        found.ends.push((u32::try_from(found.lowers.len()).unwrap_or(NONE), back)); // no more than edges
    }
    Some(found)
}

impl Cover {
    fn new(tree: &Lowlink) -> Cover {
        let n = tree.len();
        let (mut count, mut size) = (vec![0u32; n], vec![1u32; n]);
        for &(_, lower, upper) in &tree.back {
            // Wraps until the subtree sums are made.
            count[lower as usize] = count[lower as usize].wrapping_add(1);
            count[upper as usize] = count[upper as usize].wrapping_sub(1);
        }
        for (v, parent) in tree.places().rev() {
            if parent != NONE {
                count[parent as usize] = count[parent as usize].wrapping_add(count[v as usize]);
                size[parent as usize] += size[v as usize];
            }
        }
        // The edges with the lowest upper ends first; each gives its upper end to what is not yet covered.
        let (start, lowers) = placed(n, tree.back.iter().map(|&(_, lower, upper)| (upper, lower)));
        let mut high = vec![0; n];
        let mut jump: Vec<u32> = (0..).take(n).collect();
        for (upper, _) in tree.places().rev() {
            for &lower in &lowers[start[upper as usize] as usize..start[upper as usize + 1] as usize] {
                let mut v = lower;
                loop {
                    while jump[v as usize] != v {
                        jump[v as usize] = jump[jump[v as usize] as usize];
                        v = jump[v as usize];
                    }
                    if v <= upper {
                        break;
                    }
                    high[v as usize] = upper;
                    jump[v as usize] = tree.parent[v as usize];
                }
            }
        }
        Cover { count, high, size }
    }

    /// Whether all edges of a class are pairs indeed.
    fn holds(&self, tree: &Lowlink, class: CutClass<'_>) -> bool {
        let below = |u: u32, v: u32| u <= v && v < u + self.size[u as usize];
        let pairs = class.tree.windows(2).all(|pair| {
            let (upper, lower) = (pair[0], pair[1]);
            below(upper, lower)
                && self.count[upper as usize] == self.count[lower as usize]
                && self.high[lower as usize] < upper
        });
        let back = match (class.back, class.tree.last()) {
            (Some(k), Some(&v)) => {
                let (_, lower, upper) = tree.back[k];
                self.count[v as usize] == 1 && below(v, lower) && upper < v
            }
            _ => true,
        };
        pairs && back
    }
}
