//! Places below 64 W: the values of the splits of a heap are a set of W words, those of common type and those of rare type.
//!
//! Values are written as places with a flag ([`crate::sparse::packing`]), so that the xor of two parts has the place of the value and
//! its type. For a block of consecutive heaps the places of the splits with a rare part, and of those with one of some common heaps, are
//! put together for all heaps at once, as bits. What is left goes heap by heap: parts that lie within the block, moves that
//! take, and the search for the last values of rare type.

use crate::instructions::{Instructions, compiled};
use crate::sparse::packing::{FLAG, Packing, Places, Set, Sets, after, first_open, insert, join};
use crate::sparse::splits::{BLOCK, Entry, Marks, Rows, SOUGHT, by_bits, find, put};
use crate::sparse::{Class, Moves};
use crate::{Halt, Watch};
use std::array::from_fn;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope};

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
        Words {
            set,
            packing,
            places: Box::new(Places::new(packing)),
            packed: Vec::new(),
            rare: Vec::new(),
            near: 0,
            tried: Vec::new(),
            sets: Vec::new(),
            from: 0,
            most: 0,
            block: 0,
            far: 0,
            ahead: Box::new([[[0; BLOCK]; W]; 2]),
            marks: Marks::new(),
        }
    }

    /// Goes on up to `len` values, perhaps with one thread more; `false` if the place of the next value is not below 64 W.
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

/// How many totals belong to a chunk, a multiple of [`BLOCK`].
const CHUNK: usize = 1024;

/// Opposite heaps from this one on lies nothing of a chunk and the one before.
pub(super) const FAR: usize = 2 * CHUNK;

/// Fewer heaps than these are not worth a thread.
pub(super) const WORTH: usize = 32 * CHUNK;

/// For a block of totals: what is of common type, and what is of rare type.
pub(super) type Found<const W: usize> = [Rows<W>; 2];

/// A chunk to work on, and the heaps that were added since the last one.
struct Job {
    start: usize,
    more: Vec<u16>,
}

/// What was found for the blocks of a chunk, by the heaps below `known`.
struct Chunk<const W: usize> {
    start: usize,
    known: usize,
    blocks: Vec<Found<W>>,
}

/// The other thread, as the first one sees it.
pub(super) struct Helper<const W: usize> {
    jobs: Sender<Job>,
    done: Receiver<Chunk<W>>,
    /// How many heaps it knows.
    sent: usize,
    /// The chunk in work, if the other thread has done it, and where the next one begins.
    chunk: Option<Chunk<W>>,
    next: Option<usize>,
}

impl<const W: usize> Helper<W> {
    /// Starts the thread; `None` if there can be none. It ends with the helper.
    pub(super) fn start<'s>(scope: &'s Scope<'s, '_>, set: Instructions, tried: &[Entry]) -> Option<Helper<W>> {
        let (jobs, orders) = channel();
        let (results, done) = channel();
        let tried = tried.to_vec();
        Builder::new().spawn_scoped(scope, move || work(set, &tried, &orders, &results)).ok()?;
        Some(Helper { jobs, done, sent: 0, chunk: None, next: None })
    }

    /// What the rare heaps from [`FAR`] on give for the totals of the block from `total` on, if it is known, and below which
    /// heap; and what the common heaps give that are tried. To be asked for block after block.
    pub(super) fn found(&mut self, packed: &[u16], total: usize) -> Option<(usize, &Found<W>)> {
        if self.next.is_none_or(|next| next == total) {
            let first = self.next.is_none();
            let job = Job { start: total + CHUNK, more: packed[self.sent..].to_vec() };
            self.sent = packed.len();
            self.next = Some(total + CHUNK);
            // Without the other thread the first one does all.
            let sent = self.jobs.send(job).is_ok();
            self.chunk = if sent && !first { self.done.recv().ok() } else { None };
        }
        let chunk = self.chunk.as_ref()?;
        let block = total.checked_sub(chunk.start)? / BLOCK;
        chunk.blocks.get(block).map(|found| (chunk.known, found))
    }
}

/// What the other thread does until no more jobs come.
fn work<const W: usize>(set: Instructions, tried: &[Entry], orders: &Receiver<Job>, results: &Sender<Chunk<W>>) {
    let (mut packed, mut rare, mut marks) = (Vec::new(), Vec::new(), Marks::new());
    for Job { start, more } in orders {
        let first = packed.len();
        packed.extend(more);
        for (heap, packed) in packed.iter().enumerate().skip(first.max(1)).filter(|(_, packed)| **packed >= FLAG) {
            // There are fewer than 2^32 heaps.
            rare.push((u32::try_from(heap).unwrap_or(u32::MAX), packed & !FLAG));
        }
        // Heaps that are not below all totals of the chunk have no rest.
        let known = packed.len().min(start);
        let below = |limit: usize| rare.partition_point(|(heap, _)| (*heap as usize) < limit);
        let far = below(FAR)..below(known).max(below(FAR));
        let last = rare.last().map_or(0, |entry| entry.0 as usize);
        let heaps = Heaps { rare: [&rare[far], &[]], last, tried };
        let block = |total: usize| {
            let mut found = [[[0; BLOCK]; W]; 2];
            together(set, &packed, total, &heaps, &mut marks, &mut found);
            found
        };
        let blocks = (start..start + CHUNK).step_by(BLOCK).map(block).collect();
        if results.send(Chunk { start, known, blocks }).is_err() {
            return;
        }
    }
}

/// The heaps whose splits are put together.
pub(super) struct Heaps<'h> {
    /// Rare ones, in ascending pieces, and the last rare heap of all.
    pub(super) rare: [&'h [Entry]; 2],
    pub(super) last: usize,
    /// Common ones.
    pub(super) tried: &'h [Entry],
}

/// Puts in what splits into one of some heaps and the rest give for the block of totals from `total` on.
pub(super) fn together<const W: usize>(
    set: Instructions,
    packed: &[u16],
    total: usize,
    Heaps { rare, last, tried }: &Heaps<'_>,
    marks: &mut Marks,
    found: &mut Found<W>,
) {
    if !by_bits::<W>(set) {
        for rare in rare {
            marks.mark(set, packed, total, rare, 0);
        }
        marks.mark(set, packed, total, tried, FLAG);
        marks.collect(set, found);
        return;
    }
    let [common, rarely] = found;
    for rare in rare {
        put(set, packed, total, rare, 0, common);
        // Only these may have a rare heap opposite them.
        let both = rare.partition_point(|(heap, _)| *heap as usize + last + BLOCK < total);
        put(set, packed, total, &rare[both..], FLAG, rarely);
    }
    put(set, packed, total, tried, 0, rarely);
}
