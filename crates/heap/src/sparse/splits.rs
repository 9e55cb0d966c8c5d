//! The inner loops of the engine of words: places of splits, for a block of heaps at once, as bits or with a byte for each
//! place; and the search for a few values among all splits of a heap.

use crate::instructions::{Instructions, Level, compiled};
use crate::sparse::packing::FLAG;
use crate::sparse::words::Found;

/// How many consecutive heaps are worked on together.
pub(super) const BLOCK: usize = 16;

/// A heap and its place or value.
pub(super) type Entry = (u32, u16);

/// For the heaps of a block: sets of places below 64 W.
pub(super) type Rows<const W: usize> = [[u64; BLOCK]; W];

/// Whether vector instructions make this faster than [`crate::sparse::splits`]: they take a few words at a time.
pub(super) fn by_bits<const W: usize>(set: Instructions) -> bool {
    set.0 != Level::Plain && W <= 4
}

/// Puts in the sets of a block the places below 64 W of the splits of `total`, `total + 1`, ... into one of the heaps and
/// the rest, turned by `turn`. Every rest must be there. Not without vector instructions ([`by_bits`]).
pub(super) fn put<const W: usize>(
    set: Instructions,
    packed: &[u16],
    total: usize,
    entries: &[Entry],
    turn: u16,
    found: &mut Rows<W>,
) {
    match set.0 {
        // SAFETY: `Instructions` of this level are made only when the processor has the features.
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        Level::Avx512 => unsafe { put_avx512(packed, total, entries, turn, found) },
        // SAFETY: the same.
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        Level::Avx2 => unsafe { put_avx2(packed, total, entries, turn, found) },
        Level::Plain => {}
    }
}

/// The same with rotations of one bit and comparisons that say which word it belongs to.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn put_avx512<const W: usize>(packed: &[u16], total: usize, entries: &[Entry], turn: u16, found: &mut Rows<W>) {
    use std::arch::x86_64::{
        _mm512_and_si512, _mm512_cmpeq_epi64_mask, _mm512_cvtepu16_epi64, _mm512_mask_or_epi64, _mm512_rolv_epi64,
        _mm512_set1_epi64, _mm512_setzero_si512, _mm512_xor_si512,
    };
    let (one, high) = (_mm512_set1_epi64(1), _mm512_set1_epi64(!63));
    let mut sets = [[_mm512_setzero_si512(); BLOCK / 8]; W];
    for &(heap, place) in entries {
        let rests = &packed[total - heap as usize..][..BLOCK];
        let turn = _mm512_set1_epi64(i64::from(place ^ turn));
        for (eight, rests) in rests.as_chunks::<8>().0.iter().enumerate() {
            let places = _mm512_xor_si512(_mm512_cvtepu16_epi64(bytemuck::cast(*rests)), turn);
            let bits = _mm512_rolv_epi64(one, places);
            let words = _mm512_and_si512(places, high);
            for (word, sets) in (0..).step_by(64).zip(&mut sets) {
                let here = _mm512_cmpeq_epi64_mask(words, _mm512_set1_epi64(word));
                sets[eight] = _mm512_mask_or_epi64(sets[eight], here, sets[eight], bits);
            }
        }
    }
    for (row, sets) in found.iter_mut().zip(sets) {
        for (row, sets) in row.as_chunks_mut::<8>().0.iter_mut().zip(sets) {
            let bits: [u64; 8] = bytemuck::cast(sets);
            for (row, bits) in row.iter_mut().zip(bits) {
                *row |= bits;
            }
        }
    }
}

/// The same with shifts that leave nothing of bits of other words.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn put_avx2<const W: usize>(packed: &[u16], total: usize, entries: &[Entry], turn: u16, found: &mut Rows<W>) {
    use std::arch::x86_64::{
        _mm256_cvtepu16_epi64, _mm256_or_si256, _mm256_set1_epi64x, _mm256_setzero_si256, _mm256_sllv_epi64,
        _mm256_sub_epi64, _mm256_xor_si256,
    };
    let (one, next) = (_mm256_set1_epi64x(1), _mm256_set1_epi64x(64));
    for half in 0..2 {
        let mut sets = [[_mm256_setzero_si256(); BLOCK / 8]; W];
        for &(heap, place) in entries {
            let rests = &packed[total - heap as usize + half * 8..][..BLOCK / 2];
            let turn = _mm256_set1_epi64x(i64::from(place ^ turn));
            for (four, rests) in rests.as_chunks::<4>().0.iter().enumerate() {
                let rests = std::arch::x86_64::_mm_cvtsi64_si128(bytemuck::cast(*rests));
                let mut places = _mm256_xor_si256(_mm256_cvtepu16_epi64(rests), turn);
                for sets in &mut sets {
                    sets[four] = _mm256_or_si256(sets[four], _mm256_sllv_epi64(one, places));
                    places = _mm256_sub_epi64(places, next);
                }
            }
        }
        for (row, sets) in found.iter_mut().zip(sets) {
            for (row, sets) in row[half * 8..].as_chunks_mut::<4>().0.iter_mut().zip(sets) {
                let bits: [u64; 4] = bytemuck::cast(sets);
                for (row, bits) in row.iter_mut().zip(bits) {
                    *row |= bits;
                }
            }
        }
    }
}

/// Room for all places, flagged or not.
const PLACES: usize = 2 * FLAG as usize;

/// A little more, so that the tables of a block do not share their places in the cache.
const ROOM: usize = PLACES + 192;

/// A table for each heap of a block; nothing is marked between two uses.
#[derive(Clone, Debug)]
pub(super) struct Marks(Vec<u8>);

impl Marks {
    /// Nothing marked. Memory is taken when it is marked for the first time.
    pub(super) fn new() -> Marks {
        Marks(vec![0; BLOCK * ROOM])
    }

    pub(super) fn mark(&mut self, set: Instructions, packed: &[u16], total: usize, entries: &[Entry], turn: u16) {
        // There is a table for each heap.
        if let Some(tables) = self.0.as_chunks_mut().0.first_chunk_mut() {
            mark_places(set, packed, total, entries, turn, tables);
        }
    }

    pub(super) fn collect<const W: usize>(&mut self, set: Instructions, found: &mut Found<W>) {
        collect(set, self.0.as_chunks_mut().0, found);
    }
}

compiled! {
    /// Marks the places of the splits of `total`, `total + 1`, ... into one of the heaps and the rest, turned by `turn`. Every
    /// rest must be there.
    fn mark_places(packed: &[u16], total: usize, entries: &[Entry], turn: u16, tables: &mut [[u8; ROOM]; BLOCK]) {
        for &(heap, place) in entries {
            let rests = &packed[total - heap as usize..][..BLOCK];
            let turn = place ^ turn;
            for (table, rest) in tables.iter_mut().zip(rests) {
                table[usize::from(rest ^ turn) & (PLACES - 1)] = 1;
            }
        }
    }
}

compiled! {
    /// Puts the marks in sets, those of common type and those of rare type, and takes them away.
    fn collect<const W: usize>(tables: &mut [[u8; ROOM]], found: &mut Found<W>) {
        for (kind, rows) in found.iter_mut().enumerate() {
            for (lane, table) in tables.iter_mut().enumerate() {
                let table = &mut table[kind * usize::from(FLAG)..][..usize::from(FLAG)];
                for (row, marks) in rows.iter_mut().zip(table.as_chunks_mut::<64>().0) {
                    let mut word = 0;
                    for (byte, marks) in marks.as_chunks::<8>().0.iter().enumerate() {
                        // The lowest bits of eight bytes side by side in the highest byte.
                        let bits = u64::from_le_bytes(*marks).wrapping_mul(0x0102_0408_1020_4080) >> 56;
                        word |= bits << (8 * byte);
                    }
                    row[lane] |= word;
                }
                // Values of two parts may be up to the next power of two.
                table[..64 * W.next_power_of_two()].fill(0);
            }
        }
    }
}

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
