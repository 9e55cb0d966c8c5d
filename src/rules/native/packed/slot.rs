//! Words of 8 or 16 bytes in a line of memory.

use num_traits::{AsPrimitive, PrimInt};
use std::sync::atomic::{AtomicU64, Ordering};

/// Places of 8 bytes in a line.
pub(super) const PLACES: usize = 8;

/// A word that holds a key's low bits above a cell; 0: nothing.
pub(in super::super) trait Slot: PrimInt + AsPrimitive<u64> + From<u64> + Send + Sync {
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

    /// The least of the words of a line with the bits of another word changed, and how many of the words are not 0: both of
    /// the line as it was at one time for each word.
    fn survey(line: &[AtomicU64], wanted: Self) -> (Self, usize);
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
    fn survey(line: &[AtomicU64], wanted: u64) -> (u64, usize) {
        let [a, b, c, d, e, f, g, h] = line else { return (u64::MAX, 0) };
        let words = [a, b, c, d, e, f, g, h].map(|word| word.load(Ordering::Acquire));
        let [a, b, c, d, e, f, g, h] = words.map(|word| word ^ wanted);
        // As a tree: none waits for more than two others.
        let nearest = a.min(b).min(c.min(d)).min(e.min(f).min(g.min(h)));
        (nearest, words.iter().map(|&word| usize::from(word != 0)).sum())
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
    fn survey(line: &[AtomicU64], wanted: u128) -> (u128, usize) {
        (0..Self::COUNT)
            .map(|at| Self::read(line, at))
            .fold((u128::MAX, 0), |(least, taken), word| (least.min(word ^ wanted), taken + usize::from(word != 0)))
    }
}
