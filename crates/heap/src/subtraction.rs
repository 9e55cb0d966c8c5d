//! Subtraction games.
//!
//! While values are below 64, the value of a heap is kept as one bit of a word ([`Bits`]), and many consecutive heaps are
//! worked on together: the or of the words of the options of a heap is the set of their values, and its lowest zero is the
//! value of the heap. For the heaps of a block the words of all options by one amount lie side by side; amounts that are
//! shorter than the block are gone through heap by heap, from the lowest.
//!
//! After that, for each value v a row of bits says which heaps have it ([`Rows`]). Heap n cannot have v if a heap n - s has
//! it, so what a word of 64 heaps cannot have is the or of that row shifted by all s of the set. Heaps of the same word
//! matter only when some s is below 64: then they are gone through from the lowest.

use crate::instructions::{Instructions, compiled};
use crate::{Halt, Watch};
use std::ops::{BitAnd, BitOrAssign, Not};

/// The engine.
#[derive(Clone, Debug)]
pub struct Subtraction {
    set: Instructions,
    /// Ascending, positive.
    amounts: Vec<usize>,
    engine: Engine,
}

/// By how large the values are.
#[derive(Clone, Debug)]
enum Engine {
    /// Below 16, and so on.
    Short(Bits<u16>),
    Middle(Bits<u32>),
    Long(Bits<u64>),
    /// Any.
    Rows(Rows),
}

/// How many consecutive heaps are worked on together.
const BLOCK: usize = 32;

/// So many blocks between two looks at the watch, and before words are thrown away.
const BLOCKS: usize = 256;

pub(super) trait Word:
    Copy + Default + Eq + BitAnd<Output = Self> + BitOrAssign + Not<Output = Self> + std::fmt::Debug
{
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

#[derive(Clone, Debug)]
pub(super) struct Bits<T> {
    /// Amounts from `BLOCK` on, descending: what was written last is read last.
    far: Vec<usize>,
    /// Amounts below `BLOCK`.
    near: Vec<usize>,
    /// Zeros before heap 0.
    words: Vec<T>,
    reach: usize,
    done: usize,
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

/// The engine; `O(amounts x values / 64)` a heap.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    amounts: Vec<usize>,
    /// Bit s is set for each amount s below 64: what a heap excludes in its own word above itself.
    near: u64,
    /// A row of bits for each value: which heaps have it, heap `64 * lead` first.
    table: Vec<Vec<u64>>,
    /// Words of zeros before heap 0, so that every amount can be looked back.
    lead: usize,
    /// How many heaps are in the rows, a multiple of 64.
    done: usize,
}

impl Engine {
    fn new(max: u16, amounts: &[usize]) -> Engine {
        match max {
            ..16 => Engine::Short(Bits::new(amounts)),
            16..32 => Engine::Middle(Bits::new(amounts)),
            32..64 => Engine::Long(Bits::new(amounts)),
            _ => Engine::Rows(Rows::new(amounts)),
        }
    }
}

impl Subtraction {
    /// The engine for ascending positive amounts.
    pub fn new(amounts: &[usize], set: Instructions) -> Subtraction {
        Subtraction { set, amounts: amounts.to_vec(), engine: Engine::new(0, amounts) }
    }

    /// Goes on from the values that are there to at least `len` of them. O(amounts / 16) a heap while values are below
    /// 32, twice that while they are below 64, then O(amounts x values / 64). Fails when told to stop, or when a value
    /// does not fit.
    pub fn extend(&mut self, values: &mut Vec<u16>, len: usize, watch: Watch<'_>) -> Result<(), Halt> {
        while values.len() < len {
            let next = match &mut self.engine {
                Engine::Short(bits) => bits.extend(self.set, values, len, watch)?,
                Engine::Middle(bits) => bits.extend(self.set, values, len, watch)?,
                Engine::Long(bits) => bits.extend(self.set, values, len, watch)?,
                Engine::Rows(rows) => return rows.extend(values, len, watch),
            };
            if let Some(value) = next {
                self.engine = Engine::new(value, &self.amounts);
            }
        }
        Ok(())
    }
}

impl<T: Word> Bits<T> {
    pub(super) fn new(amounts: &[usize]) -> Bits<T> {
        let (near, far): (Vec<usize>, Vec<usize>) = amounts.iter().rev().partition(|amount| **amount < BLOCK);
        let reach = amounts.last().copied().unwrap_or(0).max(BLOCK);
        Bits { far, near, words: Vec::new(), reach, done: 0 }
    }

    /// Goes on from the values that are there to at least `len` of them, or until a value has no bit, which is returned.
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

impl Rows {
    pub(super) fn new(amounts: &[usize]) -> Rows {
        let lead = amounts.last().copied().unwrap_or(0) / 64 + 2;
        let near = amounts.iter().take_while(|s| **s < 64).fold(0, |near, s| near | 1 << s);
        Rows { amounts: amounts.to_vec(), near, table: Vec::new(), lead, done: 0 }
    }

    /// Goes on from the values that are there to at least `len` of them.
    pub(super) fn extend(&mut self, values: &mut Vec<u16>, len: usize, watch: Watch<'_>) -> Result<(), Halt> {
        self.read(values);
        let mut work = 0;
        while values.len() < len {
            if self.done.is_multiple_of(4096) {
                self.forget();
            }
            let from = values.len();
            values.resize(from + 64, 0);
            if let Err(halt) = self.word(&mut values[from..]) {
                values.truncate(from);
                // The rows are of different lengths now: they are made anew next time.
                self.done = usize::MAX;
                return Err(halt);
            }
            work += 8 + self.amounts.len() * self.table.len();
            if work > 1 << 20 {
                work = 0;
                watch(values)?;
            }
        }
        Ok(())
    }

    /// Takes up values that came from elsewhere: fills the rows from the last of them, and leaves what makes no full word.
    fn read(&mut self, values: &mut Vec<u16>) {
        values.truncate(values.len() / 64 * 64);
        if values.len() == self.done {
            return;
        }
        self.done = values.len();
        self.table.clear();
        let reach = self.lead * 64;
        let from = self.done.saturating_sub(reach);
        for (at, &value) in (reach - (self.done - from)..).zip(&values[from..]) {
            let row = self.row(usize::from(value), self.lead);
            row[at / 64] |= 1 << (at % 64);
        }
    }

    /// The row of a value; new rows have `words` words.
    fn row(&mut self, value: usize, words: usize) -> &mut Vec<u64> {
        while self.table.len() <= value {
            self.table.push(vec![0; words]);
        }
        &mut self.table[value]
    }

    /// Keeps of the rows what can still be looked back to.
    fn forget(&mut self) {
        for row in &mut self.table {
            row.drain(..row.len().saturating_sub(self.lead));
        }
    }

    fn word(&mut self, values: &mut [u16]) -> Result<(), Halt> {
        let words = self.table.first().map_or(self.lead, Vec::len);
        let mut open = !0_u64;
        let mut value = 0;
        let mut planes = [0; 15];
        while open != 0 {
            let kept = Halt::fit(value)?;
            let row = self.row(value, words);
            row.push(0);
            let row = &self.table[value];
            let mut free = open & !excluded(row, words, &self.amounts);
            let mut taken = 0;
            if self.near == 0 {
                taken = free;
            } else {
                while free != 0 {
                    let low = free & free.wrapping_neg();
                    taken |= low;
                    // A product with a power of two is a shift: the heaps above this one by an amount.
                    free &= !(low | self.near.wrapping_mul(low));
                }
            }
            self.table[value][words] = taken;
            open &= !taken;
            for (bit, plane) in planes.iter_mut().enumerate() {
                *plane |= if kept >> bit & 1 != 0 { taken } else { 0 };
            }
            value += 1;
        }
        for row in &mut self.table[value..] {
            row.push(0);
        }
        self.done += 64;
        // Of the planes only those that some value uses are written out.
        let used = (usize::BITS - value.leading_zeros()) as usize;
        for (bit, plane) in planes[..used.min(15)].iter().enumerate() {
            for (part, chunk) in values.chunks_exact_mut(16).enumerate() {
                let bits = (plane >> (16 * part)) & 0xFFFF;
                for (lane, value) in chunk.iter_mut().enumerate() {
                    *value |= u16::from(bits >> lane & 1 != 0) << bit;
                }
            }
        }
        Ok(())
    }
}

/// Which heaps of the word `word` of a row have an option in the row in earlier words; the row ends with that word.
fn excluded(row: &[u64], word: usize, amounts: &[usize]) -> u64 {
    let mut found = 0;
    for &amount in amounts {
        let (back, shift) = (amount / 64, amount % 64);
        // The rows begin `lead` words before heap 0, and no amount reaches further.
        let at = word - back;
        found |= (row[at] << shift) | (row[at - 1] >> 1 >> (63 - shift));
    }
    found
}
