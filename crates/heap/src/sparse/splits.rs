//! The inner loop of the engine of words: places of splits as bits, for a block of heaps at once.

use crate::instructions::{Instructions, Level};

/// How many consecutive heaps are worked on together.
pub(super) const BLOCK: usize = 16;
/// A heap and its place or value.
pub(super) type Entry = (u32, u16);
/// For the heaps of a block: sets of places below 64 W.
pub(super) type Rows<const W: usize> = [[u64; BLOCK]; W];

/// Whether vector instructions make this faster than [`crate::sparse::marks`]: they take a few words at a time.
pub(super) fn by_bits<const W: usize>(set: Instructions) -> bool {
    set.0 != Level::Plain && W <= 4
}

/// Puts in the sets of a block the places of the splits of `total`, `total + 1`, ... into one of the heaps and the rest, turned
/// by `turn`, unless they are 64 W or more. Every rest must be there.
/// Not without vector instructions ([`by_bits`]).
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
