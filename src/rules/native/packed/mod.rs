//! A hash table of keys with a cell for each, both in one word, eight words of 8 bytes in a line of memory.
//!
//! A key of so many bits is mixed by a bijection of these bits. Its home is its share of the table's lines; all lines from
//! there to where it stands are full (linear probing with buckets: Knuth, The Art of Computer Programming 3, section 6.4).
//! A new key always gets a place at home, if need be that of another key (last come, first served: Poblete and Munro,
//! Last-come-first-served hashing, Journal of Algorithms 10, 1989), since new keys are looked up most. So a search nearly
//! always reads one line, without a branch, even when the table is nearly full. The table grows in place.
//!
//! Since no key stands far from its home, its place tells its high bits, and only the low ones are stored (quotienting:
//! exercise 13 there; Cleary, Compact hash tables using bidirectional linear probing, 1984). Nothing is lost by that:
//! keys are found exactly.

mod grow;
#[cfg(test)]
mod tests;

use super::room::Room;
use bytemuck::Pod;
use num_traits::{AsPrimitive, PrimInt};

/// Lines after the last home.
const SLACK: usize = 1 << 6;
/// The table grows when this part of it, in hundredths, is full.
const FULL: u64 = 82;
/// The least number of lines.
const FIRST: u64 = 1 << 11;
/// How many lines from home a key may stand at least.
const NEAR: u64 = 14;
/// Bytes of a line.
const LINE: usize = 64;

/// A word that holds a key's low bits above a cell; 0: nothing.
pub(super) trait Slot: Pod + PrimInt + AsPrimitive<u64> + From<u64> {
    /// Its bits.
    const BITS: u32;
    /// Words in a line.
    const COUNT: usize = LINE / size_of::<Self>();

    /// The least of the words of a line with the bits of another word changed.
    fn nearest(line: &[Self], wanted: Self) -> Self;
}

impl Slot for u64 {
    const BITS: u32 = 64;

    #[inline]
    fn nearest(line: &[u64], wanted: u64) -> u64 {
        let &[a, b, c, d, e, f, g, h] = line else { return u64::MAX };
        let at = |word: u64| word ^ wanted;
        // As a tree: none waits for more than two others.
        let (left, right) = (at(a).min(at(b)).min(at(c).min(at(d))), at(e).min(at(f)).min(at(g).min(at(h))));
        left.min(right)
    }
}

impl Slot for u128 {
    const BITS: u32 = 128;

    #[inline]
    fn nearest(line: &[u128], wanted: u128) -> u128 {
        line.iter().fold(u128::MAX, |least, word| least.min(word ^ wanted))
    }
}

/// See the module. Cells have a fixed number of bits, and one of their values is never used: it would look like nothing.
#[derive(Debug)]
pub(super) struct Packed<W> {
    slots: Room<W>,
    /// Bits of a cell.
    width: u32,
    /// What cells are changed by to be stored, the one cell that never comes.
    never: u64,
    /// Bits of a key.
    bits: u32,
    /// Lines that are homes.
    homes: u64,
    used: u64,
    /// How often keys got new places.
    age: u32,
    /// How many lines from home a key may stand.
    reach: usize,
    /// Bytes to which it may grow without a copy.
    most: usize,
}

/// A key, and where it stands or is looked for until the table grows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seek {
    mixed: u64,
    at: usize,
    age: u32,
}

/// Asks for memory ahead of time.
#[inline]
fn fetch<W>(slots: &[W], at: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing, whatever the address.
    #[allow(unsafe_code)]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(slots.as_ptr().wrapping_add(at).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slots, at);
}

/// Ones in the low bits.
fn ones(bits: u32) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}

fn index(line: u128) -> usize {
    #[allow(clippy::cast_possible_truncation)] // no greater than the number of lines
    let line = line as usize;
    line
}

/// Bits of a key above those that are stored beside a cell.
fn beyond<W: Slot>(bits: u32, width: u32) -> u32 {
    bits.saturating_sub(W::BITS - width)
}

/// The fewest lines with which the places of keys tell the rest of their bits.
pub(super) fn least_lines<W: Slot>(bits: u32, width: u32) -> u64 {
    ((NEAR + 2) << beyond::<W>(bits, width)).max(FIRST)
}

impl<W: Slot> Packed<W> {
    /// A table for keys of so many bits, at most 61, and cells of so many bits. It may grow to `most` bytes.
    pub(super) fn new(bits: u32, width: u32, never: u64, most: usize) -> Packed<W> {
        Packed::with_homes(bits, width, never, most, least_lines::<W>(bits, width))
    }

    fn with_homes(bits: u32, width: u32, never: u64, most: usize, homes: u64) -> Packed<W> {
        let slots = Room::new((index(homes.into()) + SLACK) * W::COUNT, most);
        let mut table = Packed { slots, width, never, bits, homes, used: 0, age: 0, reach: 0, most };
        table.set_reach();
        table
    }

    /// Two keys whose homes are at most `reach + 1` lines apart differ by less than what the kept bits count.
    fn set_reach(&mut self) {
        let beyond = beyond::<W>(self.bits, self.width);
        self.reach = if beyond == 0 { 1 << 32 } else { index((self.homes >> beyond).into()) - 2 };
    }

    pub(super) fn len(&self) -> u64 {
        self.used
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.slots.words())
    }

    /// A bijection on keys that sends neighbours far apart (multiplications by odd numbers and shifted sums, as in the
    /// finisher of splitmix64, Steele, Lea, Flood 2014).
    #[inline]
    fn mix(&self, key: u64) -> u64 {
        let (mask, half) = (ones(self.bits), self.bits.div_ceil(2));
        let key = (key ^ key >> half).wrapping_mul(0xbf58_476d_1ce4_e5b9) & mask;
        (key ^ key >> half).wrapping_mul(0x94d0_49bb_1331_11eb) & mask
    }

    /// The line where a key belongs.
    #[inline]
    fn home(&self, mixed: u64) -> usize {
        index((u128::from(mixed) * u128::from(self.homes)) >> self.bits)
    }

    /// The word of a key without a cell.
    #[inline]
    fn word(&self, mixed: u64) -> W {
        <W as From<u64>>::from(mixed) << self.width as usize
    }

    #[inline]
    fn with_cell(&self, mixed: u64, cell: u64) -> W {
        self.word(mixed) | <W as From<u64>>::from(cell ^ self.never)
    }

    #[inline]
    fn cell(&self, word: W) -> u64 {
        AsPrimitive::<u64>::as_(word) & ones(self.width) ^ self.never
    }

    /// Where to look for a key; its memory is asked for, ahead of time.
    #[inline]
    pub(super) fn seek(&self, key: u64) -> Seek {
        let mixed = self.mix(key);
        let at = self.home(mixed) * W::COUNT;
        fetch(self.slots.words(), at);
        Seek { mixed, at, age: self.age }
    }

    /// The cell of a key.
    #[inline]
    pub(super) fn get(&self, Seek { mixed, .. }: Seek) -> Option<u64> {
        self.find(mixed).map(|at| self.cell(self.slots.words()[at]))
    }

    /// The cells of keys that stand where they were looked for, else a given word: it says nothing. In that case, memory is
    /// asked for again if the key can be in the next line.
    #[inline]
    pub(super) fn at_home(&self, seeks: &[Seek], nothing: u64, cells: &mut Vec<u64>) {
        let (slots, limit) = (self.slots.words(), W::one() << self.width as usize);
        cells.clear();
        cells.extend(seeks.iter().map(|&Seek { mixed, at, .. }| {
            let wanted = self.word(mixed);
            let line = &slots[at..at + W::COUNT];
            // Only the word of this key has no more than a cell when the key is taken away, or an empty one if the low bits
            // of the key are zeros.
            let nearest = W::nearest(line, wanted);
            if nearest < limit && !wanted.is_zero() {
                return self.cell(nearest);
            }
            if !line[W::COUNT - 1].is_zero() {
                fetch(slots, at + W::COUNT);
            }
            nothing
        }));
    }

    /// Where a key is.
    #[inline]
    fn find(&self, mixed: u64) -> Option<usize> {
        let (slots, wanted) = (self.slots.words(), self.word(mixed));
        let limit = W::one() << self.width as usize;
        let first = self.home(mixed) * W::COUNT;
        let mut at = first;
        loop {
            let line = &slots[at..at + W::COUNT];
            if W::nearest(line, wanted) < limit
                && let Some(i) = line.iter().position(|&word| (word ^ wanted) < limit && !word.is_zero())
            {
                return Some(at + i);
            }
            at += W::COUNT;
            if line[W::COUNT - 1].is_zero() || at > first + self.reach * W::COUNT {
                return None;
            }
        }
    }

    /// Sets the cell of a key that is there.
    #[inline]
    pub(super) fn set(&mut self, Seek { mixed, at, age }: Seek, cell: u64) {
        let (wanted, word) = (self.word(mixed), self.with_cell(mixed, cell));
        let here = self.slots.words()[at];
        if age == self.age && (here ^ wanted) >> self.width as usize == W::zero() && !here.is_zero() {
            self.slots.words_mut()[at] = word;
        } else if let Some(at) = self.find(mixed) {
            self.slots.words_mut()[at] = word;
        }
    }

    /// Puts a key that is not there; where it stands now.
    #[inline]
    pub(super) fn insert(&mut self, Seek { mixed, .. }: Seek, cell: u64) -> Seek {
        if self.used * 100 >= self.homes * W::COUNT as u64 * FULL {
            self.grow();
        }
        loop {
            let home = self.home(mixed);
            let start = home * W::COUNT;
            let word = self.with_cell(mixed, cell);
            let taken = self.taken(home);
            if taken < W::COUNT {
                self.slots.words_mut()[start + taken] = word;
                self.used += 1;
                return Seek { mixed, at: start + taken, age: self.age };
            }
            let at = start + index(u128::from(mixed % W::COUNT as u64));
            let other = self.slots.words()[at];
            let (key, other_cell) = (self.before(self.end(home), other), self.cell(other));
            if self.place_from(home + 1, key, other_cell).is_some() {
                self.slots.words_mut()[at] = word;
                self.used += 1;
                return Seek { mixed, at, age: self.age };
            }
            self.grow();
        }
    }

    /// The greatest mixed key whose home is no later than this line.
    fn end(&self, line: usize) -> u64 {
        let end = ((line as u128 + 1) << self.bits).div_ceil(u128::from(self.homes)).min(1 << self.bits) - 1;
        u64::try_from(end).unwrap_or(u64::MAX)
    }

    /// The greatest mixed key up to this one that the word can be.
    #[inline]
    fn before(&self, end: u64, word: W) -> u64 {
        let low: u64 = (word >> self.width as usize).as_();
        end - (end.wrapping_sub(low) & ones((W::BITS - self.width).min(64)))
    }

    /// Puts a mixed key that is not there; `None`: it would be too far from its home.
    #[inline]
    fn place(&mut self, mixed: u64, cell: u64) -> Option<usize> {
        self.place_from(self.home(mixed), mixed, cell)
    }

    /// How many words of a line are taken: from the first on.
    #[inline]
    fn taken(&self, line: usize) -> usize {
        let at = line * W::COUNT;
        self.slots.words()[at..at + W::COUNT].iter().map(|word| usize::from(!word.is_zero())).sum()
    }

    /// The same in no earlier line than this one.
    fn place_from(&mut self, from: usize, mixed: u64, cell: u64) -> Option<usize> {
        for line in from..=self.home(mixed) + self.reach {
            let at = line * W::COUNT;
            if at + W::COUNT >= self.slots.words().len() {
                self.slots.lengthen((line + SLACK) * W::COUNT);
            }
            let taken = self.taken(line);
            if taken < W::COUNT {
                let word = self.with_cell(mixed, cell);
                self.slots.words_mut()[at + taken] = word;
                return Some(at + taken);
            }
        }
        None
    }
}
