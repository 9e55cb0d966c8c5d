//! Keys are put into a table of words and their cells set, by one thread or several; see [`Packed`] for why that is right.

use crate::tables::compact_table::slot::PLACES;
use crate::tables::compact_table::{ANYWHERE, FULL, Packed, Place, SLACK, Seek, Slot, Survey, index};

/// What became of a key that was to be put.
#[derive(Clone, Copy, Debug)]
pub(in crate::tables) enum Put {
    /// It stands there now.
    New(Seek),
    /// It was there already, with this cell.
    There(u64),
    /// The table must grow first.
    Full,
}

impl<W: Slot> Packed<W> {
    /// Changes a word that has not changed in between.
    #[inline]
    fn swap(&self, place: Place<W>, word: W) -> Result<(), W> {
        let line = self.line(place.line);
        if self.locks.any() {
            return W::swap(line, place.at, place.word, word);
        }
        W::write(line, place.at, word);
        Ok(())
    }

    /// Sets the cell of a key that is there.
    #[inline]
    pub(in crate::tables) fn set(&self, seek: Seek, cell: u64) {
        let mixed = seek.mixed;
        let word = self.with_cell(mixed, cell);
        let seen = self.seen(seek).filter(|&place| self.swap(place, word).is_ok());
        if seen.is_none() {
            while self.find(mixed, self.home(mixed)).is_some_and(|place| self.swap(place, word).is_err()) {}
        }
    }

    /// Puts a key, unless it is there.
    #[inline]
    pub(in crate::tables) fn put(&self, Seek { mixed, .. }: Seek, cell: u64) -> Put {
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
        self.len() * 100 >= self.homes * W::COUNT as u64 * FULL
    }

    fn at(&self, mixed: u64, Place { line, at, .. }: Place<W>) -> Seek {
        Seek { mixed, line, at: u32::try_from(at).unwrap_or_default(), age: self.age }
    }

    /// Puts a key at its home, which is full. One pass shows whether it is there, and where one has room that goes.
    fn put_in_full(&self, home: usize, mixed: u64, cell: u64) -> Put {
        let _held = self.locks.hold(home);
        let (wanted, word) = (self.word(mixed), self.with_cell(mixed, cell));
        let last = home.saturating_add(self.reach).min(self.lines() - 1);
        loop {
            let mut room = None;
            // Only another thread can have put it at home since that was looked at.
            for line in home + usize::from(!self.locks.any())..=last {
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
