//! All winning moves of green Hackenbush.

use crate::cut_pairs::{CutClass, cut_classes};
use crate::fusion::Fused;
use crate::ring::Ring;
use crate::{Ends, NONE};

/// The edges whose cutting leaves value 0, ascending, by their indices; none when the value is 0, and never one that does not
/// hang on the ground. O(n + edges x bits of the value).
///
/// From the ground up every part without bridges has one value that it would have to take: a bridge then has one value for
/// what hangs on it, which is 0 (cut it) or asks for a value of the next part. Inside a part an edge changes the parity only
/// if no other edge separates the part together with it; else cutting it makes two stalks of a ring.
#[must_use]
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

/// What no bridge separates.
#[derive(Clone, Copy)]
struct Part {
    /// Of its top vertex with all that hangs on it.
    value: u32,
    /// The change (xor) of this value that wins; 0: no change inside it does.
    change: u32,
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
