//! A table of words becomes larger: in place, or as a table with other cells.

use crate::tables::compact_table::slot::PLACES;
use crate::tables::compact_table::{Packed, SLACK, Slot, WRITE, fetch, index, least_lines};
use crate::value::team::team;
use crate::value::width;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// Lines that are worth a thread.
const PIECE: usize = 1 << 12;
/// Lines ahead of the one at hand that are asked for.
const SOON: usize = 12;

/// Mixed keys and their cells.
type Keys = Vec<(u64, u64)>;

impl<W: Slot> Packed<W> {
    fn more_homes(&self) -> u64 {
        self.homes + if self.homes < self.small { self.homes } else { self.homes / 5 }
    }

    /// Bytes held after [`Packed::grow`].
    pub(in crate::tables) fn bytes_grown(&self) -> usize {
        (index(self.more_homes().into()) + SLACK) * PLACES * size_of::<u64>() + size_of_val(&*self.locks)
    }

    /// More homes. `threads`: how many may do it, if the table is shared.
    ///
    /// Every key gets its new place, piece by piece from the last lines to the first. A piece is so small that its keys go to
    /// lines behind it, which are free by then. The few for which this is not so wait until the end. `O(keys)` time.
    pub fn grow(&mut self, threads: usize) {
        let (old, lines) = (self.homes, self.lines());
        self.homes = self.more_homes();
        self.set_reach();
        self.memory.lengthen((index(self.homes.into()) + SLACK) * PLACES);
        let mut pieces = vec![lines];
        while let Some(&end) = pieces.last()
            && end > 0
        {
            pieces.push(if end > SLACK { end - end / 6 } else { 0 });
        }
        let mut waiting = Keys::new();
        for piece in pieces.windows(2).map(|ends| ends[1]..ends[0]) {
            let threads = if self.is_shared() { threads.min(piece.len() / PIECE) } else { 1 };
            waiting.extend(self.moved_by(threads, &piece, old));
        }
        self.age += 1;
        waiting.retain(|&(mixed, cell)| !self.place(mixed, cell));
        if !waiting.is_empty() {
            let (width, shared) = (self.width, self.is_shared());
            *self = self.rebuilt(self.homes, width, self.never, &waiting, |cell| cell);
            if shared {
                self.share();
            }
        } else if self.is_shared() {
            self.make_locks();
        }
    }

    /// Moves the keys of a piece to lines behind it, each thread a part of them. Those that must wait.
    fn moved_by(&self, threads: usize, piece: &Range<usize>, old: u64) -> Keys {
        let waiting = team(threads, &AtomicBool::new(false), |member, members| {
            let at = |i: usize| piece.start + piece.len() * i / members;
            self.moved(at(member)..at(member + 1), piece.end, old)
        });
        waiting.concat()
    }

    /// Moves the keys of these lines to their homes among the lines from `free` on, or to lines behind those that are homes of
    /// no key that stands behind these lines. `old`: how many homes there were. Those that must wait.
    fn moved(&self, lines: Range<usize>, free: usize, old: u64) -> Keys {
        // The least line that can be the home of a key whose home was this line.
        let home_of = |line: usize| match line.checked_sub(1) {
            Some(before) => self.home(self.end(before, old)),
            None => 0,
        };
        let first = home_of(lines.start).max(free);
        let mut taken = vec![0u8; home_of(lines.end).saturating_sub(first)];
        let mut waiting = Vec::new();
        let mut latest = first;
        for (line, end) in lines.clone().zip(self.ends(lines.start, old)) {
            fetch::<WRITE, _>(self.memory.words(), (line + SOON) * PLACES);
            fetch::<WRITE, _>(self.memory.words(), (latest + SOON) * PLACES);
            fetch::<WRITE, _>(self.memory.words(), (latest + SOON + 1) * PLACES);
            for at in 0..W::COUNT {
                let word = W::read(self.line(line), at);
                if word.is_zero() {
                    break;
                }
                W::write(self.line(line), at, W::zero());
                let mixed = self.before(end, word);
                let home = self.home(mixed);
                let mut to = home.wrapping_sub(first);
                while taken.get(to).is_some_and(|&taken| usize::from(taken) == W::COUNT) {
                    to += 1;
                }
                match taken.get_mut(to) {
                    Some(taken) if first + to - home <= self.reach => {
                        W::write(self.line(first + to), usize::from(*taken), word);
                        *taken += 1;
                        latest = first + to;
                    }
                    _ => waiting.push((mixed, self.cell(word))),
                }
            }
        }
        waiting
    }

    /// The greatest mixed keys whose homes, of so many, are no later than this line, than the next one, and so on.
    fn ends(&self, line: usize, homes: u64) -> impl Iterator<Item = u64> {
        let all = 1 << self.bits;
        // (line + 1) * all / homes, and what is left of it.
        let product = (line as u128 + 1) * u128::from(all);
        let (mut whole, mut rest) = (product / u128::from(homes), product % u128::from(homes));
        let (more, left) = (u128::from(all / homes), u128::from(all % homes));
        std::iter::repeat_with(move || {
            let end = (whole + u128::from(rest > 0)).min(u128::from(all)) - 1;
            (whole, rest) = (whole + more, rest + left);
            if rest >= u128::from(homes) {
                (whole, rest) = (whole + 1, rest - u128::from(homes));
            }
            width::count(end)
        })
    }

    /// The same keys and some others in a new table, with cells of another form and at least so many homes.
    fn rebuilt<V: Slot>(
        &self,
        mut homes: u64,
        width: u32,
        never: u64,
        others: &[(u64, u64)],
        change: impl Fn(u64) -> u64,
    ) -> Packed<V> {
        loop {
            let mut table: Packed<V> = Packed::with_homes(self.bits, width, never, self.most, homes);
            table.small = self.small;
            table.age = self.age + 1;
            table.count(self.keys());
            let mut held = (0..self.lines()).flat_map(|line| {
                let end = self.end(line, self.homes);
                let words = (0..W::COUNT).map(move |at| W::read(self.line(line), at)).filter(|word| !word.is_zero());
                words.map(move |word| (self.before(end, word), self.cell(word)))
            });
            if held.all(|(mixed, cell)| table.place(mixed, change(cell)))
                && others.iter().all(|&(mixed, cell)| table.place(mixed, change(cell)))
            {
                return table;
            }
            homes += homes / 4;
        }
    }

    /// The same keys with cells of another form, in a table of any kind.
    pub fn map<V: Slot>(&self, width: u32, never: u64, change: impl Fn(u64) -> u64) -> Packed<V> {
        let lines = (self.homes * W::COUNT as u64).div_ceil(V::COUNT as u64);
        self.rebuilt(lines.max(least_lines::<V>(self.bits, width)), width, never, &[], change)
    }
}
