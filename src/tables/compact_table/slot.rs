//! Words of 8 or 16 bytes in a line of memory.

use crate::tables::compact_table::lanes;
use num_traits::{AsPrimitive, PrimInt};
use std::sync::atomic::{AtomicU64, Ordering};

/// Places of 8 bytes in a line.
pub(super) const PLACES: usize = 8;

/// Words of a line, as bits: the one of word `i` is `1 << 2 * i`.
#[derive(Clone, Copy, Debug)]
pub(in crate::tables) struct Survey {
    /// Those looked for.
    pub(super) same: u32,
    /// Those that are 0.
    pub(super) free: u32,
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
pub(in crate::tables) trait Slot: PrimInt + AsPrimitive<u64> + From<u64> + Send + Sync {
    /// Its bits.
    const BITS: u32;
    /// Places of 8 bytes that it takes.
    const SIZE: usize;
    /// Words in a line.
    const COUNT: usize = PLACES / Self::SIZE;
    /// Whether it is read and written as a whole, whatever other threads do.
    const WHOLE: bool = Self::SIZE == 1;

    /// The word at this number of a line of [`PLACES`] places.
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
        line.first_chunk().map_or(Survey { same: 0, free: 0 }, |line| lanes::survey(line, wanted, mask))
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
