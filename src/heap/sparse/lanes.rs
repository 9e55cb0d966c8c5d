//! Inner loops over consecutive heaps or consecutive splits, which vector instructions take many at a time.

use crate::heap::instructions::compiled;

/// How many consecutive heaps are worked on together.
pub(super) const LANES: usize = 16;
/// How many values are looked for at a time.
pub(super) const SOUGHT: usize = 8;

/// One value for each heap of a block.
pub(super) type Block = [u16; LANES];

compiled! {
    /// Which of the values sought at each of the heaps of a block are values of splits of `total`, `total + 1`, ... into one of
    /// these heaps and the rest: not 0 in `hits` where it is found.
    fn seek(
        values: &[u16], total: usize, entries: &[(u32, u16)], sought: &[Block; SOUGHT], hits: &mut [Block; SOUGHT]
    ) {
        let mut all = *hits;
        for &(heap, value) in entries {
            let rests: &[u16] = &values[total - heap as usize..][..LANES];
            for (hit, sought) in all.iter_mut().zip(sought) {
                for ((hit, sought), rest) in hit.iter_mut().zip(sought).zip(rests) {
                    *hit |= if *rest ^ value == *sought { u16::MAX } else { 0 };
                }
            }
        }
        *hits = all;
    }
}

compiled! {
    /// Marks in a table for each heap of a block the values of the splits of `total`, `total + 1`, ... into one of these heaps
    /// and the rest. Each table has room for all 16-bit values below `size`, a power of two.
    fn mark(
        values: &[u16], total: usize, entries: &[(u32, u16)], tables: &mut [u8], size: usize
    ) {
        let (mut parts, mut rest) = (Vec::with_capacity(LANES), tables);
        while rest.len() >= size && parts.len() < LANES {
            let (first, others) = rest.split_at_mut(size);
            parts.push(first);
            rest = others;
        }
        for &(heap, value) in entries {
            let rests: &[u16] = &values[total - heap as usize..][..LANES];
            for (table, rest) in parts.iter_mut().zip(rests) {
                table[usize::from(rest ^ value)] = 1;
            }
        }
    }
}

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
