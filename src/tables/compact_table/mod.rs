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
mod slot;

pub use crate::tables::compact_table::slot::{PLACES, Slot, Survey};
use crate::tables::zeroed_mmap::ZeroedMmap;
use crate::value::mix::{mix, ones};
use crate::value::width;
use crossbeam_utils::CachePadded;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

const SMALL: u64 = 1 << 18;

/// Lines after the last home.
const SLACK: usize = 1 << 6;

/// The table grows when this part of it, in hundredths, is full.
const FULL: u64 = 84;

/// The least number of lines.
const FIRST: u64 = 1 << 11;

/// How many lines from home a key may stand at least.
const NEAR: u64 = 14;

/// Bits after the point in how many keys a line is home to.
const STEP_BITS: u32 = 32;

/// Lines after a full one that are asked for with it.
const AHEAD: usize = 5;

/// A distance in lines that bounds nothing: no table has as many.
const ANYWHERE: usize = 1 << 32;

/// See the module. Cells have a fixed number of bits, and one of their values is never used: it would look like nothing.
///
/// Several threads may share it after [`Packed::share`], with no lock for most of what they do:
/// * Words are read and written whole, so what a word holds is always right, and none becomes nothing again.
/// * A key that finds room at home is put in the first free place of that line. If another thread is faster, the line is
///   looked through again; so no key is put twice.
/// * The words of a full line change places under a lock. One that has to go is written to its new place, which is further
///   on, before it is written over. So whoever looks from its home on finds it, and finds the old place first; if its cell
///   changes there in between, the new one is mended.
#[derive(Debug)]
pub struct Packed<W> {
    /// Its words, line by line.
    pub memory: ZeroedMmap,
    /// One for [`LINES`] lines; without any, only one thread may change the table.
    locks: Box<[Mutex<()>]>,
    /// Bits of a cell.
    width: u32,
    /// What cells are changed by to be stored, the one cell that never comes.
    never: u64,
    /// Bits of a key.
    bits: u32,
    /// Lines that are homes.
    homes: u64,
    /// Keys that were counted, see [`Packed::count`].
    used: Box<CachePadded<AtomicU64>>,
    /// How often keys got new places.
    age: u32,
    /// How many lines from home a key may stand.
    reach: usize,
    /// Mixed keys a line, rounded up, with [`STEP_BITS`] bits after the point.
    step: u128,
    /// With fewer homes it becomes twice as large, with more by a fifth.
    pub small: u64,
    /// Bytes to which it may grow without a copy.
    most: usize,
    word: std::marker::PhantomData<W>,
}

/// A key, and where it stands or is looked for until the table grows.
#[derive(Clone, Copy, Debug)]
pub struct Seek {
    mixed: u64,
    line: usize,
    /// Its number in the line.
    at: u32,
    age: u32,
}

/// A word and where it was seen.
#[derive(Clone, Copy, Debug)]
struct Place<W> {
    line: usize,
    at: usize,
    word: W,
}

/// What became of a key that was to be put.
#[derive(Clone, Copy, Debug)]
pub enum Put {
    /// It was put here.
    New(Seek),
    /// It was there already, with this cell.
    There(u64),
    /// The table must grow first.
    Full,
}

/// Lines that one lock is for.
const LINES: usize = 64;

/// To read it.
pub(crate) const READ: bool = false;

/// To write to it: so that no other processor holds it.
pub(super) const WRITE: bool = true;

impl<W: Slot> Packed<W> {
    /// A table for keys of so many bits, at most 61, and cells of so many bits. It may grow to `most` bytes.
    pub fn new(bits: u32, width: u32, never: u64, most: usize) -> Packed<W> {
        Packed::with_homes(bits, width, never, most, least_lines::<W>(bits, width))
    }

    /// [`Packed::new`] with so many homes.
    pub fn with_homes(bits: u32, width: u32, never: u64, most: usize, homes: u64) -> Packed<W> {
        let mut table = Packed {
            memory: ZeroedMmap::new((index(homes.into()) + SLACK) * PLACES, most),
            locks: Box::default(),
            width,
            never,
            bits,
            homes,
            used: Box::default(),
            age: 0,
            reach: 0,
            step: 0,
            small: SMALL,
            most,
            word: std::marker::PhantomData,
        };
        table.set_reach();
        table
    }

    /// Two keys whose homes are at most `reach + 1` lines apart differ by less than what the kept bits count.
    fn set_reach(&mut self) {
        let beyond = beyond::<W>(self.bits, self.width);
        self.step = (1u128 << (self.bits + STEP_BITS)).div_ceil(u128::from(self.homes)) + 1;
        self.reach = if beyond == 0 { ANYWHERE } else { index((self.homes >> beyond).into()) - 2 };
    }

    /// From now on several threads may put, set and look up keys. Whether words allow that.
    pub fn share(&mut self) -> bool {
        if W::WHOLE && !self.is_shared() {
            self.make_locks();
        }
        W::WHOLE
    }

    fn make_locks(&mut self) {
        self.locks = (0..=self.lines() / LINES).map(|_| Mutex::new(())).collect();
    }

    #[inline]
    fn is_shared(&self) -> bool {
        !self.locks.is_empty()
    }

    /// One thread puts and sets keys again.
    pub(super) fn unshare(&mut self) {
        self.locks = Box::default();
    }

    /// Keys that were counted.
    pub fn keys(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Counts keys that were put. When the table grows depends on it, so it must not be long behind.
    #[inline]
    pub fn count(&self, keys: u64) {
        self.used.fetch_add(keys, Ordering::Relaxed);
    }

    /// How often keys got new places.
    pub fn age(&self) -> u32 {
        self.age
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        size_of_val(self.memory.words()) + size_of_val(&*self.locks)
    }

    fn lines(&self) -> usize {
        self.memory.words().len() / PLACES
    }

    #[inline]
    fn line(&self, line: usize) -> &[AtomicU64] {
        &self.memory.words()[line * PLACES..(line + 1) * PLACES]
    }

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
        word.as_() & ones(self.width) ^ self.never
    }

    /// Where to look for a key; its memory is asked for, ahead of time.
    #[inline]
    pub fn seek(&self, key: u64) -> Seek {
        let mixed = mix(key, self.bits);
        let line = self.home(mixed);
        fetch::<READ, _>(self.memory.words(), line * PLACES);
        Seek { mixed, line, at: 0, age: self.age }
    }

    /// The cell of a key.
    #[inline]
    pub fn get(&self, Seek { mixed, .. }: Seek) -> Option<u64> {
        self.find(mixed, self.home(mixed)).map(|place| self.cell(place.word))
    }

    /// The cells of keys that stand where they were looked for, else a given word: it says nothing. In that case, memory is
    /// asked for again if the key can be in the next line.
    #[inline]
    pub fn at_home(&self, seeks: &[Seek], nothing: u64, cells: &mut Vec<u64>) {
        let (places, mask) = (self.memory.words(), !(self.limit() - W::one()));
        cells.clear();
        cells.extend(seeks.iter().map(|&Seek { mixed, line, .. }| {
            let wanted = self.word(mixed);
            let at = line * PLACES;
            let line = &places[at..at + PLACES];
            let Survey { same, free } = W::survey(line, wanted, mask);
            if let Some(found) = Survey::first(same & !free) {
                let word = W::read(line, found);
                // Unless it went in between.
                if (word ^ wanted) & mask == W::zero() {
                    return self.cell(word);
                }
            }
            // Most of these are put.
            fetch::<WRITE, _>(places, at);
            if free == 0 {
                (1..=AHEAD).for_each(|line| fetch::<READ, _>(places, at + line * PLACES));
                fetch::<WRITE, _>(&self.locks, at / PLACES / LINES);
            }
            nothing
        }));
    }

    /// Where a key stands, from this line on, which is not before its home.
    #[inline]
    fn find(&self, mixed: u64, from: usize) -> Option<Place<W>> {
        let (wanted, last) = (self.word(mixed), self.home(mixed).saturating_add(self.reach));
        let mut at = from;
        loop {
            let (place, survey) = self.in_line(at, wanted);
            if place.is_some() {
                return place;
            }
            at += 1;
            if survey.free != 0 || at > last {
                return None;
            }
        }
    }

    /// Words of one key differ by less.
    #[inline]
    fn limit(&self) -> W {
        W::one() << self.width as usize
    }

    /// Where a key stands in a line, and what stands there.
    #[inline]
    fn in_line(&self, line: usize, wanted: W) -> (Option<Place<W>>, Survey) {
        let (words, mask) = (self.line(line), !(self.limit() - W::one()));
        loop {
            let survey = W::survey(words, wanted, mask);
            let Some(at) = Survey::first(survey.same & !survey.free) else { return (None, survey) };
            let word = W::read(words, at);
            // Unless another thread took it away in between.
            if (word ^ wanted) & mask == W::zero() {
                return (Some(Place { line, at, word }), survey);
            }
        }
    }

    /// The place of a key that was put, if it stands there still.
    #[inline]
    fn seen(&self, Seek { mixed, line, at, age }: Seek) -> Option<Place<W>> {
        if age != self.age {
            return None;
        }
        let at = at as usize;
        let word = W::read(self.line(line), at);
        ((word ^ self.word(mixed)) < self.limit() && !word.is_zero()).then_some(Place { line, at, word })
    }

    /// Asks for the memory of a key that was put, to write to it.
    #[inline]
    pub(super) fn fetch(&self, seek: Seek) {
        fetch::<WRITE, _>(self.memory.words(), seek.line * PLACES);
    }

    /// The cell of a key that was put here.
    #[inline]
    pub fn again(&self, seek: Seek) -> Option<u64> {
        self.seen(seek).map(|place| self.cell(place.word)).or_else(|| self.get(seek))
    }

    /// The greatest mixed key whose home, of so many, is no later than this line.
    pub fn end(&self, line: usize, homes: u64) -> u64 {
        let end = ((line as u128 + 1) << self.bits).div_ceil(u128::from(homes)).min(1 << self.bits) - 1;
        width::count(end)
    }

    /// [`Packed::end`] without a division: a little more, by less than the keys of a line where keys are told by their places.
    #[inline]
    pub fn near_end(&self, line: usize) -> u64 {
        let end = ((line as u128 + 1) * self.step) >> STEP_BITS;
        width::count(end).min((1 << self.bits) - 1)
    }

    /// The greatest mixed key up to this one that the word can be.
    #[inline]
    fn before(&self, end: u64, word: W) -> u64 {
        let low: u64 = (word >> self.width as usize).as_();
        end - (end.wrapping_sub(low) & ones((W::BITS - self.width).min(64)))
    }

    /// Changes a word that has not changed in between.
    #[inline]
    fn swap(&self, place: Place<W>, word: W) -> Result<(), W> {
        let line = self.line(place.line);
        if self.is_shared() {
            return W::swap(line, place.at, place.word, word);
        }
        W::write(line, place.at, word);
        Ok(())
    }

    /// Gives a key that was put another cell.
    #[inline]
    pub fn set(&self, seek: Seek, cell: u64) {
        let mixed = seek.mixed;
        let word = self.with_cell(mixed, cell);
        let seen = self.seen(seek).filter(|&place| self.swap(place, word).is_ok());
        if seen.is_none() {
            while self.find(mixed, self.home(mixed)).is_some_and(|place| self.swap(place, word).is_err()) {}
        }
    }

    /// Puts a key, unless it is there.
    #[inline]
    pub fn put(&self, Seek { mixed, .. }: Seek, cell: u64) -> Put {
        let (home, wanted) = (self.home(mixed), self.word(mixed));
        loop {
            let (place, survey) = self.in_line(home, wanted);
            if let Some(place) = place {
                return Put::There(self.cell(place.word));
            }
            let Some(at) = Survey::first(survey.free) else { return self.put_in_full(home, mixed, cell) };
            if self.is_full() {
                return Put::Full;
            }
            let free = Place { line: home, at, word: W::zero() };
            if self.swap(free, self.with_cell(mixed, cell)).is_ok() {
                return Put::New(self.at(mixed, free));
            }
        }
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.keys() * 100 >= self.homes * W::COUNT as u64 * FULL
    }

    fn at(&self, mixed: u64, Place { line, at, .. }: Place<W>) -> Seek {
        Seek { mixed, line, at: u32::try_from(at).unwrap_or_default(), age: self.age }
    }

    /// Puts a key at its home, which is full. One pass shows whether it is there, and where one has room that goes.
    fn put_in_full(&self, home: usize, mixed: u64, cell: u64) -> Put {
        let _held = self.locks.get(home / LINES).map(Mutex::lock);
        let (wanted, word) = (self.word(mixed), self.with_cell(mixed, cell));
        let last = home.saturating_add(self.reach).min(self.lines() - 1);
        loop {
            let mut room = None;
            // Only another thread can have put it at home since that was looked at.
            for line in home + usize::from(!self.is_shared())..=last {
                let (place, survey) = self.in_line(line, wanted);
                if let Some(place) = place {
                    return Put::There(self.cell(place.word));
                }
                if let Some(at) = Survey::first(survey.free) {
                    room = Some(Place { line, at, word: W::zero() });
                    break;
                }
            }
            let Some(room) = room.filter(|_| !self.is_full()) else { return Put::Full };
            let at = index(u128::from(mixed % W::COUNT as u64));
            let mut old = W::read(self.line(home), at);
            // Where all bits of keys are stored, a key may stand anywhere.
            if self.reach < ANYWHERE && room.line - self.home(self.before(self.near_end(home), old)) > self.reach {
                return Put::Full;
            }
            if self.swap(room, old).is_err() {
                // Another thread took it.
                continue;
            }
            while let Err(changed) = self.swap(Place { line: home, at, word: old }, word) {
                // Another thread set the cell here. The new place is no longer where it was if others needed it.
                old = changed;
                let key = self.before(self.near_end(home), old);
                let copy = self.with_cell(key, self.cell(old));
                while self.find(key, home + 1).is_some_and(|place| self.swap(place, copy).is_err()) {}
            }
            return Put::New(self.at(mixed, Place { line: home, at, word }));
        }
    }

    /// Puts a mixed key that is not there in no earlier line than this one. `Err`: all lines where it may stand are full, up
    /// to this one.
    fn place_from(&self, from: usize, mixed: u64, cell: u64) -> Result<(), usize> {
        let last = self.home(mixed).saturating_add(self.reach);
        let word = self.with_cell(mixed, cell);
        for line in from..=last.min(self.lines() - 1) {
            loop {
                let Survey { free, .. } = W::survey(self.line(line), W::zero(), W::zero());
                let Some(at) = Survey::first(free) else { break };
                if self.swap(Place { line, at, word: W::zero() }, word).is_ok() {
                    return Ok(());
                }
            }
        }
        Err(last)
    }

    /// Puts a mixed key that is not there; whether it had a place near enough to its home.
    pub(super) fn place(&mut self, mixed: u64, cell: u64) -> bool {
        loop {
            match self.place_from(self.home(mixed), mixed, cell) {
                Ok(()) => return true,
                Err(last) if last < self.lines() => return false,
                Err(_) => self.memory.lengthen((self.lines() + SLACK) * PLACES),
            }
        }
    }
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
pub fn least_lines<W: Slot>(bits: u32, width: u32) -> u64 {
    ((NEAR + 2) << beyond::<W>(bits, width)).max(FIRST)
}

/// Asks for the line of memory where this item is, or would be.
#[inline]
pub(super) fn fetch<const WRITTEN: bool, T>(items: &[T], at: usize) {
    prefetch::<WRITTEN>(items.as_ptr().wrapping_add(at).cast());
}

/// Asks for the line of memory at an address.
#[inline]
pub(crate) fn prefetch<const WRITTEN: bool>(address: *const i8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing, whatever the address; processors that have none for writing do nothing.
    #[allow(unsafe_code)]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_ET0, _MM_HINT_T0, _mm_prefetch};
        if WRITTEN {
            _mm_prefetch::<_MM_HINT_ET0>(address);
        } else {
            _mm_prefetch::<_MM_HINT_T0>(address);
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
