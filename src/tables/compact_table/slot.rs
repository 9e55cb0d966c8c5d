//! Words of 8 or 16 bytes in a line of memory.

use num_traits::{AsPrimitive, PrimInt};
use std::sync::atomic::{AtomicU64, Ordering};

/// Places of 8 bytes in a line.
pub const PLACES: usize = 8;

/// Words of a line, as bits: the one of word `i` is `1 << 2 * i`.
#[derive(Clone, Copy, Debug)]
pub struct Survey {
    /// Those looked for.
    pub same: u32,
    /// Those that are 0.
    pub free: u32,
}

impl Survey {
    #[inline]
    fn with(self, at: usize, same: bool, free: bool) -> Survey {
        Survey { same: self.same | u32::from(same) << (2 * at), free: self.free | u32::from(free) << (2 * at) }
    }

    /// The number of the first word of some.
    #[inline]
    pub(super) fn first(words: u32) -> Option<usize> {
        if words == 0 { None } else { Some(words.trailing_zeros() as usize / 2) }
    }
}

/// A word that holds a key's low bits above a cell; 0: nothing.
pub trait Slot: PrimInt + AsPrimitive<u64> + From<u64> + Send + Sync {
    /// Its bits.
    const BITS: u32;
    /// Places of 8 bytes that it takes.
    const SIZE: usize;
    /// Words in a line.
    const COUNT: usize = PLACES / Self::SIZE;
    /// Whether it is read and written as a whole, whatever other threads do.
    const WHOLE: bool = Self::SIZE == 1;

    /// A word of a line.
    fn read(line: &[AtomicU64], at: usize) -> Self;

    /// Writes a word where no other thread writes.
    fn write(line: &[AtomicU64], at: usize, word: Self);

    /// Writes a word in place of another one; `Err`: what stands there instead. Who reads it sees all that was written before
    /// it. Words that are not [`Slot::WHOLE`] are written like those that no other thread writes.
    fn swap(line: &[AtomicU64], at: usize, old: Self, word: Self) -> Result<(), Self>;

    /// What the words of a line are, each as it was at one time: those that have the same bits as `wanted` where `mask` has
    /// ones, and those that are 0.
    fn survey(line: &[AtomicU64], wanted: Self, mask: Self) -> Survey;
}

impl Slot for u64 {
    const BITS: u32 = 64;
    const SIZE: usize = 1;

    #[inline]
    fn read(line: &[AtomicU64], at: usize) -> u64 {
        line[at].load(Ordering::Acquire)
    }

    #[inline]
    fn write(line: &[AtomicU64], at: usize, word: u64) {
        line[at].store(word, Ordering::Release);
    }

    #[inline]
    fn swap(line: &[AtomicU64], at: usize, old: u64, word: u64) -> Result<(), u64> {
        line[at].compare_exchange(old, word, Ordering::AcqRel, Ordering::Acquire).map(|_| ())
    }

    #[inline]
    fn survey(line: &[AtomicU64], wanted: u64, mask: u64) -> Survey {
        line.first_chunk().map_or(Survey { same: 0, free: 0 }, |line| survey_words(line, wanted, mask))
    }
}

impl Slot for u128 {
    const BITS: u32 = 128;
    const SIZE: usize = 2;

    #[inline]
    fn read(line: &[AtomicU64], at: usize) -> u128 {
        let place = |i: usize| u128::from(line[2 * at + i].load(Ordering::Relaxed));
        place(1) << 64 | place(0)
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)] // the two halves
    fn write(line: &[AtomicU64], at: usize, word: u128) {
        line[2 * at].store(word as u64, Ordering::Relaxed);
        line[2 * at + 1].store((word >> 64) as u64, Ordering::Relaxed);
    }

    #[inline]
    fn swap(line: &[AtomicU64], at: usize, _: u128, word: u128) -> Result<(), u128> {
        Self::write(line, at, word);
        Ok(())
    }

    #[inline]
    fn survey(line: &[AtomicU64], wanted: u128, mask: u128) -> Survey {
        let words = (0..Self::COUNT).map(|at| Self::read(line, at));
        words
            .enumerate()
            .fold(Survey { same: 0, free: 0 }, |all, (at, word)| all.with(at, (word ^ wanted) & mask == 0, word == 0))
    }
}

#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn survey_words(line: &[AtomicU64; PLACES], wanted: u64, mask: u64) -> Survey {
    use std::arch::asm;
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmpeq_epi32, _mm_movemask_epi8, _mm_packs_epi16, _mm_packs_epi32, _mm_set1_epi64x,
        _mm_setzero_si128, _mm_xor_si128,
    };
    let [a, b, c, d]: [__m128i; 4];
    // SAFETY: 64 bytes are read, those of the line. Every word is read as a whole, as by a relaxed load: x86 reads and writes
    // aligned words of 8 bytes whole and in order, those of a vector too, and no other instruction is moved over this one.
    #[allow(unsafe_code)]
    unsafe {
        asm!(
            "movdqu {a}, [{line}]",
            "movdqu {b}, [{line} + 16]",
            "movdqu {c}, [{line} + 32]",
            "movdqu {d}, [{line} + 48]",
            line = in(reg) line.as_ptr(),
            a = out(xmm_reg) a,
            b = out(xmm_reg) b,
            c = out(xmm_reg) c,
            d = out(xmm_reg) d,
            options(nostack, preserves_flags),
        );
    }
    // SAFETY: every processor of this kind has these instructions.
    #[allow(unsafe_code)]
    unsafe {
        let (wanted, mask) = (_mm_set1_epi64x(wanted.cast_signed()), _mm_set1_epi64x(mask.cast_signed()));
        let zero = _mm_setzero_si128();
        // Each half of a word makes a byte; a word is nothing where both of its bytes are ones.
        let empty = |words| _mm_cmpeq_epi32(words, zero);
        let nothing = |a, b, c, d| {
            let (front, back) = (_mm_packs_epi32(empty(a), empty(b)), _mm_packs_epi32(empty(c), empty(d)));
            let bytes = _mm_movemask_epi8(_mm_packs_epi16(front, back)).cast_unsigned();
            bytes & bytes >> 1 & 0x5555
        };
        let differing = |words| _mm_and_si128(_mm_xor_si128(words, wanted), mask);
        let same = nothing(differing(a), differing(b), differing(c), differing(d));
        Survey { same, free: nothing(a, b, c, d) }
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(super) fn survey_words(line: &[AtomicU64; PLACES], wanted: u64, mask: u64) -> Survey {
    let words = line.each_ref().map(|word| word.load(std::sync::atomic::Ordering::Acquire));
    let none = Survey { same: 0, free: 0 };
    (0..PLACES).fold(none, |all, at| all.with(at, (words[at] ^ wanted) & mask == 0, words[at] == 0))
}
