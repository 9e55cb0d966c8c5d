//! Inner loops over consecutive heaps or consecutive splits, which vector instructions take many at a time.

use crate::heap::instructions::compiled;

/// How many consecutive heaps are worked on together.
pub(super) const LANES: usize = 16;
/// How many values are looked for at a time.
pub(super) const SOUGHT: usize = 8;

/// One value for each heap of a block.
pub(super) type Block = [u16; LANES];

/// The bit of a value in word `word` of a set of `W` words, 0 if it belongs to another word.
#[inline]
fn bit<const W: usize>(value: u16, word: usize) -> u64 {
    let bit = 1_u64 << (value & 63);
    if W == 1 || usize::from(value >> 6) == word { bit } else { 0 }
}

compiled! {
    /// For each of `LANES` totals from `total` on: the set, as bits, of the values of the splits into one of these heaps
    /// and the rest. An entry is a heap and its value; every rest `total - heap ..` must be there and the values below 64 W.
    fn words<const W: usize> (values: &[u16], total: usize, entries: &[(u32, u16)]) -> [[u64; LANES]; W] {
        let mut found = [[0_u64; LANES]; W];
        for &(heap, value) in entries {
            let rests: &[u16] = &values[total - heap as usize..][..LANES];
            for (word, row) in found.iter_mut().enumerate() {
                for (set, rest) in row.iter_mut().zip(rests) {
                    *set |= bit::<W>(rest ^ value, word);
                }
            }
        }
        found
    }
}

compiled! {
    /// As `words` for a single total and for entries that need not be there for `LANES` totals.
    fn word<const W: usize> (values: &[u16], total: usize, entries: &[(u32, u16)]) -> [u64; W] {
        let mut found = [0_u64; W];
        for &(heap, value) in entries {
            let both = values[total - heap as usize] ^ value;
            for (word, set) in found.iter_mut().enumerate() {
                *set |= bit::<W>(both, word);
            }
        }
        found
    }
}

compiled! {
    /// The set, as bits, of the values below 64 W of the splits of `total` whose smaller part is at least `from` and at most
    /// `to`; ends early when all bits of `needed` were found.
    fn pairs<const W: usize> (
        values: &[u16], total: usize, from: usize, to: usize, needed: [u64; W]
    ) -> [u64; W] {
        let mut found = [0_u64; W];
        if from > to {
            return found;
        }
        let small = &values[from..=to];
        let large = &values[total - to..=total - from];
        for (a, b) in small.chunks_exact(8).zip(large.rchunks_exact(8)) {
            for (a, b) in a.iter().zip(b.iter().rev()) {
                for (word, set) in found.iter_mut().enumerate() {
                    *set |= bit::<W>(a ^ b, word);
                }
            }
            if (0..W).all(|word| needed[word] & !found[word] == 0) {
                return found;
            }
        }
        let done = small.len() / 8 * 8;
        for (a, b) in small[done..].iter().zip(large[..large.len() - done].iter().rev()) {
            for (word, set) in found.iter_mut().enumerate() {
                *set |= bit::<W>(a ^ b, word);
            }
        }
        found
    }
}

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

compiled! {
    /// Which of the values sought (bits of the result) are values of splits of `total` with a smaller part from `from` to `to`;
    /// ends early when all of the first `count` were found.
    fn find(
        values: &[u16], total: usize, from: usize, to: usize, sought: &[u16; SOUGHT], count: usize
    ) -> u8 {
        let full = if count >= 8 { u8::MAX } else { (1 << count) - 1 };
        let mut found = 0_u8;
        if from > to {
            return found;
        }
        let small = &values[from..=to];
        let large = &values[total - to..=total - from];
        for (a, b) in small.chunks_exact(64).zip(large.rchunks_exact(64)) {
            let mut both = [0_u16; 64];
            for ((both, a), b) in both.iter_mut().zip(a).zip(b.iter().rev()) {
                *both = a ^ b;
            }
            for (bit, sought) in sought[..count].iter().enumerate() {
                let any = both.iter().fold(0_u16, |any, both| any | u16::from(both == sought));
                found |= u8::from(any != 0) << bit;
            }
            if found & full == full {
                return found & full;
            }
        }
        let done = small.len() / 64 * 64;
        for i in done..small.len() {
            let both = small[i] ^ large[large.len() - 1 - i];
            for (bit, sought) in sought.iter().enumerate() {
                found |= u8::from(both == *sought) << bit;
            }
        }
        found & full
    }
}
