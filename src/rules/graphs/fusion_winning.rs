//! All winning moves of green Hackenbush.

use super::cut_pairs::{CutClass, cut_classes};
use super::fusion::Fused;
use super::ring::Ring;
use super::{Ends, NONE};

/// The edges whose cutting leaves value 0, ascending, by their indices; none when the value is 0, and never one that does not
/// hang on the ground. O((n + edges) log edges).
///
/// From the ground up every part without bridges has one value that it would have to take: a bridge then has one value for
/// what hangs on it, which is 0 (cut it) or asks for a value of the next part. Inside a part an edge changes the parity only
/// if no other edge separates the part together with it; else cutting it makes two stalks of a ring.
#[must_use]
pub fn fusion_winning(n: usize, edges: &[Ends], ground: &[u32]) -> Vec<u32> {
    winning(&Fused::new(n, edges.iter().copied(), ground))
}

/// The same where the search is done.
pub(crate) fn winning(fused: &Fused) -> Vec<u32> {
    let Fused { tree, value } = fused;
    let mut found = Vec::new();
    if fused.grundy() == 0 {
        return found;
    }
    // The change (xor) that the value of the part of a vertex needs; 0: no change inside it wins.
    let mut change = vec![0u64; value.len()];
    // The top vertex of its part.
    let mut top: Vec<u32> = (0..).take(value.len()).collect();
    for (v, parent) in tree.places() {
        change[v as usize] = if parent == NONE {
            value[v as usize]
        } else if !tree.hangs_on_bridge(v) {
            top[v as usize] = top[parent as usize];
            change[parent as usize]
        } else if change[parent as usize] == 0 {
            0
        } else {
            match (value[v as usize] + 1) ^ change[parent as usize] {
                0 => {
                    found.push(tree.parent_edge[v as usize]);
                    0
                }
                wanted => value[v as usize] ^ (wanted - 1),
            }
        };
    }
    let mut ring = Ring::default();
    for class in cut_classes(tree, |v| change[v as usize] & 1 == 1).iter() {
        let lower = class.tree.first().copied().or_else(|| class.back.map(|k| tree.back[k].1));
        if let Some(v) = lower {
            let part = top[v as usize];
            let wanted = value[part as usize] ^ change[part as usize];
            write_ring(&mut ring, fused, class, value[part as usize], wanted);
            ring.cuts(&mut found);
        }
    }
    found.sort_unstable();
    found
}

/// The ring of pieces that a class leaves of a part, which has the value `whole` and is to get the value `wanted`.
fn write_ring(ring: &mut Ring, fused: &Fused, class: CutClass<'_>, whole: u64, wanted: u64) {
    let Fused { tree, value } = fused;
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
