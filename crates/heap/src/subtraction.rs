//! Small values: one bit of a word for the value of each heap.
//!
//! The or of the words of the options of a heap is the set of their values, and its lowest zero is the value of the heap. For
//! the heaps of a block the words of all options by one amount lie side by side; amounts that are shorter than the block are
//! gone through heap by heap, from the lowest.

use crate::instructions::{Instructions, compiled};
use crate::{Halt, Watch};
use std::ops::{BitAnd, BitOrAssign, Not};

/// How many consecutive heaps are worked on together.
const BLOCK: usize = 32;
/// So many blocks between two looks at the watch, and before words are thrown away.
const BLOCKS: usize = 256;

/// A word.
pub(super) trait Word:
    Copy + Default + Eq + BitAnd<Output = Self> + BitOrAssign + Not<Output = Self> + std::fmt::Debug
{
    /// How many values it has bits for.
    const VALUES: u16;
    /// The word with the bit of a value.
    fn of(value: u16) -> Self;
    /// The word with the lowest zero of this one; 0 if there is none.
    fn mex(self) -> Self;
    /// The value of a word with one bit.
    fn value(self) -> u16;
}

macro_rules! word {
    ($type:ty, $values:literal) => {
        impl Word for $type {
            const VALUES: u16 = $values;
            #[inline(always)]
            fn of(value: u16) -> $type {
                1 << value
            }
            #[inline(always)]
            fn mex(self) -> $type {
                !self & self.wrapping_add(1)
            }
            #[inline(always)]
            fn value(self) -> u16 {
                // At most 64.
                u16::try_from(self.trailing_zeros()).unwrap_or(0)
            }
        }
    };
}
word!(u16, 16);
word!(u32, 32);
word!(u64, 64);

/// The engine.
#[derive(Clone, Debug)]
pub(super) struct Bits<T> {
    /// Amounts from `BLOCK` on, descending: what was written last is read last.
    far: Vec<usize>,
    /// Amounts below `BLOCK`.
    near: Vec<usize>,
    /// The words of the last heaps, zeros before heap 0.
    words: Vec<T>,
    /// How many words are kept.
    reach: usize,
    /// How many values are in the words.
    done: usize,
}

impl<T: Word> Bits<T> {
    /// The engine for ascending positive amounts.
    pub(super) fn new(amounts: &[usize]) -> Bits<T> {
        let (near, far): (Vec<usize>, Vec<usize>) = amounts.iter().rev().partition(|amount| **amount < BLOCK);
        let reach = amounts.last().copied().unwrap_or(0).max(BLOCK);
        Bits { far, near, words: Vec::new(), reach, done: 0 }
    }

    /// Goes on from the values that are there to at least `len` of them, or until a value has no bit, which is returned.
    ///
    /// # Errors
    /// When told to stop.
    pub(super) fn extend(
        &mut self,
        set: Instructions,
        values: &mut Vec<u16>,
        len: usize,
        watch: Watch<'_>,
    ) -> Result<Option<u16>, Halt> {
        if let Some(value) = self.read(values) {
            return Ok(Some(value));
        }
        while values.len() < len {
            let count = (len - values.len()).div_ceil(BLOCK).min(BLOCKS) * BLOCK;
            if self.words.len() > 2 * self.reach + 16 * BLOCK * BLOCKS {
                self.words.drain(..self.words.len() - self.reach);
            }
            let (start, from) = (values.len(), self.words.len());
            values.resize(start + count, 0);
            self.words.resize(from + count, T::default());
            let found = blocks(set, &mut self.words, from, &self.far, &self.near, &mut values[start..]);
            values.truncate(start + found);
            self.words.truncate(from + found);
            self.done = values.len();
            if found < count {
                return Ok(Some(T::VALUES));
            }
            watch(values)?;
        }
        Ok(None)
    }

    /// Takes up values that came from elsewhere, unless one of them has no bit, which is returned.
    fn read(&mut self, values: &[u16]) -> Option<u16> {
        if !self.words.is_empty() && self.done == values.len() {
            return None;
        }
        let last = &values[values.len().saturating_sub(self.reach)..];
        if let Some(value) = last.iter().copied().find(|value| *value >= T::VALUES) {
            return Some(value);
        }
        self.words.clear();
        self.words.resize(self.reach - last.len(), T::default());
        self.words.extend(last.iter().map(|value| T::of(*value)));
        self.done = values.len();
        None
    }
}

compiled! {
    /// The words of the heaps from `from` on and their values, block by block; how many could be had before a value had no bit.
    fn blocks<type T: Word>(words: &mut [T], from: usize, far: &[usize], near: &[usize], values: &mut [u16]) -> usize {
        // By near amounts of heaps before: for this block, and for the next one.
        let mut ahead = [T::default(); 2 * BLOCK];
        for (lane, ahead) in ahead[..BLOCK].iter_mut().enumerate() {
            for amount in near.iter().filter(|amount| **amount > lane) {
                *ahead |= words[from + lane - amount];
            }
        }
        for (index, values) in values.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            let at = from + index * BLOCK;
            let mut seen = [T::default(); BLOCK];
            for amount in far {
                let Some(options) = words[at - amount..].first_chunk::<BLOCK>() else { return index * BLOCK };
                for (seen, option) in seen.iter_mut().zip(options) {
                    *seen |= *option;
                }
            }
            let Some(block) = words[at..].first_chunk_mut::<BLOCK>() else { return index * BLOCK };
            if near.is_empty() {
                *block = seen.map(T::mex);
            } else {
                for (seen, ahead) in seen.iter().zip(&mut ahead) {
                    *ahead |= *seen;
                }
                for (lane, word) in block.iter_mut().enumerate() {
                    *word = ahead[lane].mex();
                    for amount in near {
                        ahead[(lane + amount) % (2 * BLOCK)] |= *word;
                    }
                }
                let (this, next) = ahead.split_at_mut(BLOCK);
                this.copy_from_slice(next);
                next.fill(T::default());
            }
            *values = block.map(T::value);
            if block.contains(&T::default()) {
                return index * BLOCK;
            }
        }
        values.len() / BLOCK * BLOCK
    }
}
