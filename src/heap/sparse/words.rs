//! Values below 128 W: the values of the splits of a heap are a set of W words, those of common type and those of rare type.
//!
//! All values of one type at a heap have the same parity under the mask, so that the lowest bit of the mask tells nothing and
//! is left out: what remains, the *place* of a value, is below 64 W, and keeps its order within a type. With a flag for rare
//! heaps beside it ([`Packing`]) the xor of two parts has the place of the value and its type.
//!
//! For a block of consecutive heaps the places of the splits with a rare part, and of those with one of some common heaps, are
//! put together for all heaps at once, as bits. What is left goes heap by heap: parts that lie within the block, moves that
//! take, and the search for the last values of rare type.

use super::lanes::{SOUGHT, find};
use super::shifts::{BLOCK, Entry, FLAG, Rows, put};
use super::{Class, Moves};
use crate::heap::instructions::Instructions;

/// How many common heaps are tried for each value that there may be.
const TRIED: usize = 6;
/// And at least so many.
const FEWEST: usize = 16;
/// At most so many have the same place.
const ROUNDS: usize = 64;

/// Places of values of common type, or of those of rare type.
type Set<const W: usize> = [u64; W];

/// How values are written as places.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    class: Class,
    /// The bit that is left out, and those below it.
    dropped: u16,
    low: u16,
}

impl Packing {
    /// The packing for the mask of a class. Without bits in the mask nothing is left out.
    pub(super) fn new(class: Class) -> Packing {
        let dropped = class.mask.bits & class.mask.bits.wrapping_neg();
        Packing { class, dropped, low: dropped.wrapping_sub(1) }
    }

    /// The place of a value.
    pub(super) fn place(self, value: u16) -> u16 {
        if self.dropped == 0 { value } else { value & self.low | value >> 1 & !self.low }
    }

    /// The place, with the flag if a heap with this value is rare: if the value is of rare type at this heap.
    fn pack(self, heap: usize, value: u16) -> u16 {
        self.place(value) | if self.class.is_rare(heap, value) { FLAG } else { 0 }
    }

    /// The value at a place that is of rare or of common type at a heap, if there is one.
    fn value(self, heap: usize, place: u16, rare: bool) -> Option<u16> {
        let value = if self.dropped == 0 { place } else { place & self.low | (place & !self.low) << 1 };
        [value, value | self.dropped].into_iter().find(|value| self.class.is_rare(heap, *value) == rare)
    }

    /// How many of the first places are, as values of rare type, below a value of common type.
    fn below(self, value: u16) -> usize {
        // Among values with the same bits above the dropped one, those of the other type have the other bit there.
        if self.dropped == 0 {
            usize::from(value)
        } else {
            let above = value & !self.low & !self.dropped;
            usize::from(above >> 1) + usize::from(if value & self.dropped == 0 { 0 } else { self.dropped })
        }
    }
}

/// The places of the splits of a total that were looked at: of common type, and of rare type.
type Sets<const W: usize> = [Set<W>; 2];

/// The engine for one mask.
#[derive(Clone, Debug)]
pub(super) struct Words<const W: usize> {
    set: Instructions,
    packing: Packing,
    /// For even and odd heaps: what is to be taken for found, since no value of common or of rare type has these places.
    never: [Sets<W>; 2],
    /// The places of all heaps, with their flags.
    packed: Vec<u16>,
    /// The rare heaps, ascending, those from `BLOCK` on begin at `near`; their places without the flag.
    rare: Vec<Entry>,
    near: usize,
    /// Some common heaps from `BLOCK` on.
    tried: Vec<Entry>,
    /// The sets of the totals from `from` on.
    sets: Vec<Sets<W>>,
    from: usize,
    /// What was found together for the totals from `block` on, by the first `far` rare heaps.
    block: usize,
    far: usize,
    ahead: Box<[Rows<W>; 2]>,
}

impl<const W: usize> Words<W> {
    /// The engine of a class, for values whose places are below 64 W.
    pub(super) fn new(set: Instructions, class: Class) -> Words<W> {
        let packing = Packing::new(class);
        let exists = |heap, rare| packing.value(heap, 0, rare).is_some();
        let never = [0, 1].map(|heap| [false, true].map(|rare| [if exists(heap, rare) { 0 } else { u64::MAX }; W]));
        let ahead = Box::new([[[0; BLOCK]; W]; 2]);
        let (packed, rare, tried, sets) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Words { set, packing, never, packed, rare, near: 0, tried, sets, from: 0, block: 0, far: 0, ahead }
    }

    /// Goes on up to `to` values; `false` if the place of the next value is not below 64 W.
    pub(super) fn extend(&mut self, moves: &Moves, rare: &mut Vec<Entry>, values: &mut Vec<u16>, to: usize) -> bool {
        if self.packed.len() < values.len() {
            self.read(moves, values);
        }
        while values.len() < to {
            let heap = values.len();
            let mut sets = self.never[heap % 2];
            for &amount in &moves.takes {
                // The type of a value turns round with the heap if the mask alternates.
                let turned = self.packing.class.mask.alternating && amount % 2 == 1;
                insert(&mut sets, self.packed[heap - amount] ^ if turned { FLAG } else { 0 });
            }
            if moves.halves.iter().any(|amount| heap - amount >= 2 && (heap - amount).is_multiple_of(2)) {
                insert(&mut sets, self.packing.pack(heap, 0));
            }
            for &(amount, unequal) in &moves.splits {
                let total = heap - amount;
                let [common, mut rarely] = self.total(total);
                if unequal && total.is_multiple_of(2) && self.packed[total / 2] >= FLAG {
                    // Two equal parts have the value 0, which may have come from nothing else.
                    rarely[0] &= !1;
                }
                join(&mut sets[0], common);
                join(&mut sets[1], rarely);
            }
            let [common, rarely] = sets;
            let candidate = first_open(common).and_then(|place| Some((place, self.packing.value(heap, place, false)?)));
            let needed = candidate.map_or(64 * W, |(_, value)| self.packing.below(value));
            let missing = self.missing(moves, values, rarely, needed);
            if let Some((place, value)) = missing {
                // There are fewer than 2^32 heaps.
                let heap = u32::try_from(heap).unwrap_or(u32::MAX);
                rare.push((heap, value));
                self.rare.push((heap, place));
                self.packed.push(place | FLAG);
                values.push(value);
            } else if let Some((place, value)) = candidate {
                self.packed.push(place);
                values.push(value);
            } else {
                return false;
            }
        }
        true
    }

    /// Takes up values that came from elsewhere.
    fn read(&mut self, moves: &Moves, values: &[u16]) {
        self.packed = values.iter().enumerate().map(|(heap, value)| self.packing.pack(heap, *value)).collect();
        // There are fewer than 2^32 heaps.
        let entries = || (0_u32..).zip(self.packed.iter().copied()).skip(1);
        self.rare =
            entries().filter(|(_, packed)| *packed >= FLAG).map(|(heap, packed)| (heap, packed & !FLAG)).collect();
        self.near = self.rare.partition_point(|(heap, _)| (*heap as usize) < BLOCK);
        self.from = moves.least(values.len());
        self.block = self.from;
        self.sets.clear();
        // Each is less than its rest, whatever the total.
        let common = entries().take(self.from / 2 - BLOCK).skip(BLOCK).filter(|(_, packed)| *packed < FLAG);
        let most = self.packed.iter().map(|packed| usize::from(packed & !FLAG)).max().unwrap_or(0);
        self.tried = mixed(common, 64 * W);
        self.tried.truncate((TRIED * most).max(FEWEST));
    }

    /// The sets of a total below the number of values, or equal to it.
    fn total(&mut self, total: usize) -> Sets<W> {
        while self.from + self.sets.len() <= total {
            let sets = self.next(self.from + self.sets.len());
            self.sets.push(sets);
        }
        let sets = self.sets[total - self.from];
        if self.sets.len() > 1 << 16 {
            let old = self.sets.len() - (1 << 15);
            self.sets.drain(..old);
            self.from += old;
        }
        sets
    }

    /// The sets of the next total.
    fn next(&mut self, total: usize) -> Sets<W> {
        if self.sets.is_empty() || total >= self.block + BLOCK {
            self.block = total;
            self.together();
        }
        let mut sets = [0, 1].map(|kind| self.ahead[kind].map(|row| row[total - self.block]));
        // Heaps whose rest may not have been there when the block began, and those that became rare since.
        for &(heap, place) in self.rare[..self.near].iter().chain(&self.rare[self.far..]) {
            if (heap as usize) < total {
                insert(&mut sets, self.packed[total - heap as usize] ^ place);
            }
        }
        sets
    }

    /// For the totals of a block all splits into a rare heap from `BLOCK` on, and some splits into two common heaps.
    fn together(&mut self) {
        let total = self.block;
        self.far = self.rare.partition_point(|(heap, _)| (*heap as usize) < total).max(self.near);
        let rare = &self.rare[self.near..self.far];
        let [common, rarely] = &mut *self.ahead;
        (*common, *rarely) = ([[0; BLOCK]; W], [[0; BLOCK]; W]);
        put(self.set, &self.packed, total, rare, 0, common);
        put(self.set, &self.packed, total, &self.tried, 0, rarely);
        // Only these may have a rare heap opposite them.
        let last = self.rare.last().map_or(0, |entry| entry.0 as usize);
        let both = rare.partition_point(|(heap, _)| *heap as usize + last + BLOCK < total);
        put(self.set, &self.packed, total, &rare[both..], FLAG, rarely);
    }

    /// The least value of rare type that no move of the next heap leads to, of those whose places are among the first; with
    /// its place.
    fn missing(&self, moves: &Moves, values: &[u16], set: Set<W>, needed: usize) -> Option<(u16, u16)> {
        let heap = values.len();
        let mut set = set;
        for (word, set) in set.iter_mut().enumerate() {
            let count = needed.saturating_sub(64 * word);
            *set |= if count < 64 { u64::MAX << count } else { 0 };
        }
        loop {
            let (mut places, mut sought) = ([0; SOUGHT], [u16::MAX; SOUGHT]);
            let mut count = 0;
            while count < SOUGHT
                && let Some(place) = first_open(set)
            {
                set[usize::from(place / 64)] |= 1 << (place % 64);
                (places[count], sought[count]) = (place, self.packing.value(heap, place, true)?);
                count += 1;
            }
            if count == 0 {
                return None;
            }
            let full = u8::MAX >> (SOUGHT - count);
            let mut found = 0;
            // All digits by turns: what one of them never gives may be there at once with another.
            let (mut from, mut to) = (1, 512);
            while found != full && from <= heap / 2 {
                for &(amount, unequal) in &moves.splits {
                    let total = heap - amount;
                    let last = if unequal { total.saturating_sub(1) / 2 } else { total / 2 };
                    if found != full {
                        found |= find(self.set, values, total, from, last.min(to), &sought, count);
                    }
                }
                (from, to) = (to + 1, 2 * to);
            }
            if found != full {
                let least = found.trailing_ones() as usize;
                return Some((places[least], sought[least]));
            }
        }
    }
}

/// Puts a place in the set that its flag says, unless it is 64 W or more.
#[inline]
fn insert<const W: usize>(sets: &mut Sets<W>, packed: u16) {
    let place = packed & !FLAG;
    if W == 1 {
        let bit = if place < 64 { 1 << place } else { 0 };
        let [common, rarely] = sets;
        common[0] |= if packed < FLAG { bit } else { 0 };
        rarely[0] |= if packed < FLAG { 0 } else { bit };
    } else if let Some(word) = sets[usize::from(packed >= FLAG)].get_mut(usize::from(place / 64)) {
        *word |= 1 << (place % 64);
    }
}

/// Puts the members of one set into another.
#[inline]
fn join<const W: usize>(set: &mut Set<W>, more: Set<W>) {
    for (word, more) in set.iter_mut().zip(more) {
        *word |= more;
    }
}

/// The first place that is not in a set.
fn first_open<const W: usize>(set: Set<W>) -> Option<u16> {
    let (index, word) = (0_u16..).zip(set).find(|(_, word)| *word != u64::MAX)?;
    // At most 63.
    Some(64 * index + u16::try_from(word.trailing_ones()).unwrap_or(0))
}

/// Entries in an order that has the first of each place, then the second of each, and so on, [`ROUNDS`] times.
fn mixed(entries: impl Iterator<Item = Entry>, places: usize) -> Vec<Entry> {
    let mut counts = vec![0; places];
    let numbered = entries.filter_map(|entry| {
        let count = &mut counts[usize::from(entry.1)];
        *count += 1;
        (*count <= ROUNDS).then_some((*count, entry))
    });
    let mut numbered: Vec<(usize, Entry)> = numbered.collect();
    numbered.sort_by_key(|(count, _)| *count);
    numbered.into_iter().map(|(_, entry)| entry).collect()
}
