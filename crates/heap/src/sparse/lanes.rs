//! The search for a few values among all splits of a heap, which vector instructions take many at a time.

use crate::instructions::compiled;

/// How many values are looked for at a time.
pub(super) const SOUGHT: usize = 8;

/// So many splits are compared before it is asked what was found.
const STRETCH: usize = 256;

compiled! {
    /// Which of the values sought (bits of the result) are values of splits of `total` with a smaller part from `from` to `to`;
    /// ends early when all of the first `count` were found.
    fn find(values: &[u16], total: usize, from: usize, to: usize, sought: &[u16; SOUGHT], count: usize) -> u8 {
        let full = if count >= 8 { u8::MAX } else { (1 << count) - 1 };
        let mut found = 0_u8;
        if from > to {
            return found;
        }
        let small = &values[from..=to];
        let large = &values[total - to..=total - from];
        for (small, large) in small.chunks(STRETCH).zip(large.rchunks(STRETCH)) {
            let mut nearest = [[u16::MAX; 32]; SOUGHT];
            let ((small, first), (last, large)) = (small.as_chunks::<32>(), large.as_rchunks::<32>());
            for (a, b) in small.iter().zip(large.iter().rev()) {
                let mut both = *b;
                both.reverse();
                for (both, a) in both.iter_mut().zip(a) {
                    *both ^= a;
                }
                for (nearest, sought) in nearest.iter_mut().zip(sought) {
                    for (nearest, both) in nearest.iter_mut().zip(both) {
                        *nearest = (*nearest).min(both ^ sought);
                    }
                }
            }
            for (bit, (nearest, sought)) in nearest.iter().zip(sought).enumerate() {
                let mut rest = first.iter().zip(last.iter().rev());
                let any = nearest.contains(&0) || rest.any(|(a, b)| a ^ b == *sought);
                found |= u8::from(any) << bit;
            }
            if found & full == full {
                break;
            }
        }
        found & full
    }
}
