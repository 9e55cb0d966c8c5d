//! Inner loops over consecutive heaps or consecutive splits, which vector instructions take many at a time.
//!
//! Each loop is written once, plainly; on x86-64 it is compiled a second time for AVX2 and BMI2, and which of the two runs is
//! decided when the program runs. Elsewhere, and without AVX2, the plain one runs.

/// How many consecutive heaps are worked on together.
pub(super) const LANES: usize = 16;
/// How many values are looked for at a time.
pub(super) const SOUGHT: usize = 8;

/// One value for each heap of a block.
pub(super) type Block = [u16; LANES];

/// Makes the plain loop, its twin for AVX2, and the function that chooses.
macro_rules! twice {
    ($(#[$doc:meta])* fn $name:ident / $plain:ident / $wide:ident ($($arg:ident: $type:ty),*) $(-> $out:ty)? $body:block) => {
        #[inline(always)]
        fn $plain($($arg: $type),*) $(-> $out)? $body

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,bmi1,bmi2")]
        fn $wide($($arg: $type),*) $(-> $out)? {
            $plain($($arg),*)
        }

        $(#[$doc])*
        #[inline]
        pub(super) fn $name($($arg: $type),*) $(-> $out)? {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2") {
                // SAFETY: the features that the function is compiled for were just detected.
                #[allow(unsafe_code)]
                return unsafe { $wide($($arg),*) };
            }
            $plain($($arg),*)
        }
    };
}

twice! {
    /// For each of `LANES` totals from `total` on: the set, as bits, of the values of the splits into one of these heaps
    /// and the rest. An entry is a heap and its value; every rest `total - heap ..` must be there and the values below 64.
    fn words / words_plain / words_wide(values: &[u16], total: usize, entries: &[(u32, u16)]) -> [u64; LANES] {
        let mut found = [0_u64; LANES];
        for &(heap, value) in entries {
            let rests: &[u16] = &values[total - heap as usize..][..LANES];
            for (set, rest) in found.iter_mut().zip(rests) {
                *set |= 1 << ((rest ^ value) & 63);
            }
        }
        found
    }
}

twice! {
    /// As `words` for a single total and for entries that need not be there for `LANES` totals.
    fn word / word_plain / word_wide(values: &[u16], total: usize, entries: &[(u32, u16)]) -> u64 {
        let mut found = 0_u64;
        for &(heap, value) in entries {
            found |= 1 << ((values[total - heap as usize] ^ value) & 63);
        }
        found
    }
}

twice! {
    /// The set, as bits, of the values below 64 of the splits of `total` whose smaller part is at least `from` and at most
    /// `to`; ends early when all bits of `needed` were found.
    fn pairs / pairs_plain / pairs_wide(values: &[u16], total: usize, from: usize, to: usize, needed: u64) -> u64 {
        let mut found = 0_u64;
        if from > to {
            return found;
        }
        let small = &values[from..=to];
        let large = &values[total - to..=total - from];
        let mut chunks = small.chunks_exact(8).zip(large.rchunks_exact(8));
        for (a, b) in &mut chunks {
            for i in 0..8 {
                found |= 1 << ((a[i] ^ b[7 - i]) & 63);
            }
            if needed & !found == 0 {
                return found;
            }
        }
        let done = small.len() / 8 * 8;
        for i in done..small.len() {
            found |= 1 << ((small[i] ^ large[large.len() - 1 - i]) & 63);
        }
        found
    }
}

twice! {
    /// Which of the values sought at each of the heaps of a block are values of splits of `total`, `total + 1`, ... into one of
    /// these heaps and the rest: not 0 in `hits` where it is found.
    fn seek / seek_plain / seek_wide(
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

twice! {
    /// Marks in a table for each heap of a block the values of the splits of `total`, `total + 1`, ... into one of these heaps
    /// and the rest. Each table has room for all 16-bit values below `size`, a power of two.
    fn mark / mark_plain / mark_wide(
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

twice! {
    /// Which of the values sought (bits of the result) are values of splits of `total` with a smaller part from `from` to `to`;
    /// ends early when all of the first `count` were found.
    fn find / find_plain / find_wide(
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
