//! Places below 64 W: the values of the splits of a heap are a set of W words, those of common type and those of rare type.
//!
//! Values are written as places with a flag ([`crate::sparse::packing`]), so that the xor of two parts has the place of the value and
//! its type. For a block of consecutive heaps the places of the splits with a rare part, and of those with one of some common heaps, are
//! put together for all heaps at once, as bits. What is left goes heap by heap: parts that lie within the block, moves that
//! take, and the search for the last values of rare type.

// What is in line takes the instructions of its caller.
#![allow(clippy::inline_always)]

use crate::instructions::{Instructions, compiled};
use crate::sparse::ahead::{FAR, Found, Heaps, Helper, WORTH, together};
use crate::sparse::lanes::{SOUGHT, find};
use crate::sparse::marks::Marks;
use crate::sparse::packing::{FLAG, Packing, Places};
use crate::sparse::sets::{Set, Sets, after, first_open, insert, join};
use crate::sparse::shifts::{BLOCK, Entry};
use crate::sparse::{Class, Moves};
use crate::{Halt, Watch};
use std::array::from_fn;

/// How many common heaps are tried for each value that there may be.
const TRIED: usize = 6;
/// And at least so many.
const FEWEST: usize = 16;
/// At most so many have the same place.
const ROUNDS: usize = 64;
/// So many splits are looked at, about, between two looks at the watch.
const WORK: usize = 1 << 20;
/// So many words of sets are kept, about.
const KEPT: usize = 1 << 16;
/// Words of fewer rare heaps are not worth a thread.
const MANY: usize = 512;

/// The engine for one mask.
#[derive(Clone, Debug)]
pub(super) struct Words<const W: usize> {
    set: Instructions,
    packing: Packing,
    places: Box<Places<W>>,
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
    /// At most so many are kept, half of them at least, which all moves reach.
    most: usize,
    /// What was found together for the totals from `block` on, by the first `far` rare heaps.
    block: usize,
    far: usize,
    ahead: Box<Found<W>>,
    marks: Marks,
}

impl<const W: usize> Words<W> {
    /// The engine of a class, for values whose places are below 64 W.
    pub(super) fn new(set: Instructions, class: Class) -> Words<W> {
        let packing = Packing::new(class);
        let places = Box::new(Places::new(packing));
        let ahead = Box::new([[[0; BLOCK]; W]; 2]);
        let (packed, rare, tried, sets) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Words {
            set,
            packing,
            places,
            packed,
            rare,
            near: 0,
            tried,
            sets,
            from: 0,
            most: 0,
            block: 0,
            far: 0,
            ahead,
            marks: Marks::new(),
        }
    }

    /// Goes on up to `len` values; `false` if the place of the next value is not below 64 W. May use one thread more.
    ///
    /// # Errors
    /// When told to stop.
    pub(super) fn extend(
        &mut self,
        moves: &Moves,
        rare: &mut Vec<Entry>,
        values: &mut Vec<u16>,
        len: usize,
        threads: usize,
        watch: Watch<'_>,
    ) -> Result<bool, Halt> {
        if self.packed.len() < values.len() {
            self.read(moves, values);
        }
        let most = (WORK / (rare.len() + 64)).max(BLOCK);
        let worth = threads > 1 && len - values.len() >= WORTH && W * rare.len() >= MANY;
        let apart = worth && self.tried.iter().all(|(heap, _)| *heap as usize >= FAR);
        std::thread::scope(|scope| {
            let mut helper = if apart { Helper::start(scope, self.set, &self.tried) } else { None };
            while values.len() < len {
                let to = len.min(values.len() + most);
                if !steps(self.set, self, moves, rare, values, to, &mut helper) {
                    return Ok(false);
                }
                watch(values)?;
            }
            Ok(true)
        })
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
        self.most = (KEPT / W).max(2 * (values.len() - self.from + BLOCK));
        // Each is less than its rest, whatever the total.
        let least = if self.from >= 8 * FAR { FAR } else { BLOCK };
        let common = entries().take(self.from / 2 - BLOCK).skip(least - 1).filter(|(_, packed)| *packed < FLAG);
        let most = self.packed.iter().map(|packed| usize::from(packed & !FLAG)).max().unwrap_or(0);
        self.tried = mixed(common, 64 * W);
        self.tried.truncate((TRIED * most).max(FEWEST));
    }

    /// The sets of a total below the number of values, or equal to it.
    #[inline(always)]
    fn total(&mut self, total: usize, helper: &mut Option<Helper<W>>) -> Sets<W> {
        while self.from + self.sets.len() <= total {
            let sets = self.next(self.from + self.sets.len(), helper);
            self.sets.push(sets);
        }
        let sets = self.sets[total - self.from];
        if self.sets.len() > self.most {
            let old = self.sets.len() - self.most / 2;
            self.sets.drain(..old);
            self.from += old;
        }
        sets
    }

    /// The sets of the next total.
    #[inline(always)]
    fn next(&mut self, total: usize, helper: &mut Option<Helper<W>>) -> Sets<W> {
        if self.sets.is_empty() || total >= self.block + BLOCK {
            self.block = total;
            self.together(helper);
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
    fn together(&mut self, helper: &mut Option<Helper<W>>) {
        let total = self.block;
        let last = self.rare.last().map_or(0, |entry| entry.0 as usize);
        let below = |limit: usize| self.rare.partition_point(|(heap, _)| (*heap as usize) < limit).max(self.near);
        self.far = below(total);
        let heaps = if let Some((known, found)) = helper.as_mut().and_then(|helper| helper.found(&self.packed, total)) {
            *self.ahead = *found;
            let rare = [self.near..below(FAR), below(known.max(FAR))..self.far].map(|range| &self.rare[range]);
            Heaps { rare, last, tried: &[] }
        } else {
            *self.ahead = [[[0; BLOCK]; W]; 2];
            Heaps { rare: [&self.rare[self.near..self.far], &[]], last, tried: &self.tried }
        };
        together(self.set, &self.packed, total, &heaps, &mut self.marks, &mut self.ahead);
    }

    /// The least place that is not in the set and is, as a value of rare type, not one of the splits of the next heap.
    fn missing(&self, moves: &Moves, values: &[u16], mut set: Set<W>) -> Option<u16> {
        let heap = values.len();
        loop {
            let (mut places, mut sought) = ([0; SOUGHT], [u16::MAX; SOUGHT]);
            let mut count = 0;
            while count < SOUGHT
                && let Some(place) = first_open(set)
            {
                set[usize::from(place / 64)] |= 1 << (place % 64);
                (places[count], sought[count]) = (place, self.places.value(heap, place, true));
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
                return Some(places[least]);
            }
        }
    }
}

compiled! {
    /// See [`Words::extend`].
    fn steps<const W: usize>(words: &mut Words<W>, moves: &Moves, rare: &mut Vec<Entry>, values: &mut Vec<u16>, to: usize, helper: &mut Option<Helper<W>>) -> bool {
        let alternating = words.packing.class.mask.alternating;
        while values.len() < to {
            let heap = values.len();
            let mut sets = words.places.never[heap % 2];
            for &amount in &moves.takes {
                // The type of a value turns round with the heap if the mask alternates.
                let turned = alternating && amount % 2 == 1;
                insert(&mut sets, words.packed[heap - amount] ^ if turned { FLAG } else { 0 });
            }
            if moves.halves.iter().any(|amount| heap - amount >= 2 && (heap - amount).is_multiple_of(2)) {
                insert(&mut sets, words.packing.pack(heap, 0));
            }
            for &(amount, unequal) in &moves.splits {
                let total = heap - amount;
                let [common, mut rarely] = words.total(total, helper);
                if unequal && total.is_multiple_of(2) && words.packed[total / 2] >= FLAG {
                    // Two equal parts have the value 0, which may have come from nothing else.
                    rarely[0] &= !1;
                }
                join(&mut sets[0], common);
                join(&mut sets[1], rarely);
            }
            let [common, mut rarely] = sets;
            let candidate = first_open(common);
            let needed = candidate.map_or(64 * W, |place| words.places.below(heap, place));
            // All places that are not needed.
            join(&mut rarely, from_fn(|word| after(needed.saturating_sub(64 * word))));
            let missing = if rarely == [u64::MAX; W] { None } else { words.missing(moves, values, rarely) };
            let Some((place, is_rare)) = missing.map(|place| (place, true)).or(candidate.map(|place| (place, false))) else {
                return false;
            };
            let value = words.places.value(heap, place, is_rare);
            if is_rare {
                // There are fewer than 2^32 heaps.
                let heap = u32::try_from(heap).unwrap_or(u32::MAX);
                rare.push((heap, value));
                words.rare.push((heap, place));
            }
            words.packed.push(if is_rare { place | FLAG } else { place });
            values.push(value);
        }
        true
    }
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
