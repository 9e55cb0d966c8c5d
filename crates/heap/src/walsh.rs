//! The mask of the sparse space: which values are rare.
//!
//! For a mask m and a histogram h of values, the Walsh-Hadamard transform at m is the number of values v with an even number
//! of bits in v & m less the number of those with an odd one. The most negative entry splits the values into few rare
//! (even) and many common (odd) ones. J. H. Conway calls this the sparse space phenomenon (Winning Ways, chapter 4).

/// Which heaps are rare: a parity of the bits of the value in the mask, perhaps turned round with each heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mask {
    /// The bits that count.
    pub(super) bits: u16,
    /// Whether the parity of the heap counts too.
    pub(super) alternating: bool,
}

/// The mask with the fewest rare values. `origin` is the parity of all split digits, if they have one; without it the parity
/// of heaps cannot count. O(values + range log range).
pub(super) fn best_mask(values: &[u16], range: usize, origin: Option<usize>) -> Mask {
    let mut best = (0, Mask::default());
    for alternating in [false, true] {
        if alternating && origin.is_none() {
            continue;
        }
        let mut histogram = vec![0_i64; range];
        for (heap, &value) in values.iter().enumerate().skip(1) {
            let odd = alternating && !(heap + origin.unwrap_or(0)).is_multiple_of(2);
            histogram[usize::from(value)] += if odd { -1 } else { 1 };
        }
        transform(&mut histogram);
        for (bits, &sum) in (0..).zip(&histogram) {
            if sum < best.0 {
                best = (sum, Mask { bits, alternating });
            }
        }
    }
    best.1
}

/// In place; the length is a power of two.
fn transform(h: &mut [i64]) {
    let mut half = 1;
    while half < h.len() {
        for block in h.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}
