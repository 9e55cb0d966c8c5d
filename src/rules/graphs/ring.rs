//! A ring of stalks in Hackenbush: which edges give the wanted value when cut.

/// A ring on the ground: `edges[0]`, the piece with value `between[0]`, `edges[1]`, ..., `edges[k - 1]`, the ground again.
/// The cut is to leave two stalks whose values xor to `target`.
pub(super) struct Ring {
    pub(super) edges: Vec<u32>,
    /// One less than `edges`.
    pub(super) between: Vec<u64>,
    pub(super) target: u64,
}

/// Appends the edges that do it to `found`. O(k x bits of the values).
///
/// A stalk is `(value above xor value of the piece) + 1` over its edges. Colour the edges so that neighbours have the same
/// colour iff the piece between them is odd. When `e` is cut, adding 1 carries into the higher bits at just the edges with
/// the colour of `e`. So in the higher bits the ring is one with the edges of that colour only, pieces between them merged;
/// the lowest bit of the sum of the stalks is the same for every cut. Both colours are followed, each edge is in one of them,
/// and when the values have no more bits the colours alternate and halve the ring.
pub(super) fn cuts(ring: Ring, found: &mut Vec<u32>) {
    let mut open = vec![ring];
    while let Some(Ring { edges, between, target }) = open.pop() {
        if edges.len() <= 1 {
            found.extend(edges.into_iter().filter(|_| target == 0));
            continue;
        }
        let mut colour = vec![false];
        for (i, piece) in between.iter().enumerate() {
            colour.push(colour[i] == (piece & 1 == 1));
        }
        let last = colour[edges.len() - 1];
        if last == (target & 1 == 1) {
            for kept in [false, true] {
                let half = halve(&edges, &between, target, |i| colour[i] == kept);
                if !half.edges.is_empty() {
                    open.push(half);
                }
            }
        }
    }
}

/// The ring of the kept edges in the higher bits.
fn halve(edges: &[u32], between: &[u64], target: u64, kept: impl Fn(usize) -> bool) -> Ring {
    let mut half = Ring { edges: Vec::new(), between: Vec::new(), target: target >> 1 };
    // The xor of the pieces since the last kept edge; those before the first and after the last lie on the ground.
    let mut pieces = 0;
    for (i, &edge) in edges.iter().enumerate() {
        if i > 0 {
            pieces ^= between[i - 1] >> 1;
        }
        if kept(i) {
            if half.edges.is_empty() {
                half.target ^= pieces;
            } else {
                half.between.push(pieces);
            }
            half.edges.push(edge);
            pieces = 0;
        }
    }
    half.target ^= pieces;
    half
}
