//! Who wins, of the states that a search in depth meets which leaves a state at the first move that wins.
//!
//! Options come from native code, outcomes stand in a table of the states met. Before the search goes on with an option, all
//! options are looked up: one that is known to win ends the state. A state that is met again while it is gone on from says
//! that a play comes back: the search is given up. What is decided rests on decided states alone, and is right for any order.

use crate::tables::BoxRules;
use crate::tables::cell::Cell;
use crate::tables::compact_table::{Put, Seek};
use crate::tables::expand::{AGAIN, ENDED, Expander, RANKS, Rows, STOP};
use crate::tables::hashed::Hashed;
use crate::tables::states::States;
use crate::value::refusal::{Attempt, Refusal};

/// The limits are looked at after so many states, if there is none of states.
const CHECK: u64 = 1 << 10;

/// What a state is worth for its mover.
const LOST: u64 = 0;
const DRAWN: u64 = 1;
const WON: u64 = 2;

/// A state that is gone on from.
struct Frame {
    place: Seek,
    /// Where its options that are not known start.
    start: usize,
    /// The best that an option is worth so far.
    best: u64,
    /// Whether the mover has the next turn in the option that is followed.
    again: bool,
}

struct Search<'a> {
    rules: &'a BoxRules<'a>,
    expander: &'a Expander,
    misere: bool,
    cell: Cell,
    table: &'a mut States,
    frames: Vec<Frame>,
    /// Options of the frames that are not known, those to be followed first last.
    options: Vec<u64>,
    rows: Rows,
    replies: Rows,
}

/// A table with one more state of its box decided.
pub(super) fn extended(
    mut made: Hashed,
    rules: &BoxRules,
    expander: &Expander,
    misere: bool,
    start: u64,
) -> Attempt<Hashed> {
    let mut search = Search {
        rules,
        expander,
        misere,
        cell: made.cell,
        table: &mut made.table,
        frames: Vec::new(),
        options: Vec::new(),
        rows: Rows::new(),
        replies: Rows::new(),
    };
    search.run(start)?;
    Ok(made)
}

impl Search<'_> {
    fn run(&mut self, start: u64) -> Attempt<()> {
        let mut told = self.open(start)?;
        while let Some(frame) = self.frames.last_mut() {
            if let Some(value) = told.take() {
                frame.best = frame.best.max(if frame.again { value } else { WON - value });
            }
            if frame.best == WON || self.options.len() == frame.start {
                let (place, best) = (frame.place, frame.best);
                self.options.truncate(frame.start);
                self.frames.pop();
                self.table.set(place, self.cell.write(best, 0));
                told = Some(best);
            } else if let Some(entry) = self.options.pop() {
                frame.again = entry & AGAIN != 0;
                let key = entry & (RANKS - 1);
                told = match self.table.get(self.table.seek(key)) {
                    Some(cell) => Some(self.known(cell)?),
                    None => self.open(key)?,
                };
            }
        }
        Ok(())
    }

    /// What a state in the table is worth.
    fn known(&self, cell: u64) -> Result<u64, Refusal> {
        self.cell.read(cell).map(|(value, _)| value).ok_or(Refusal::Cyclic)
    }

    /// Enters a state: what it is worth, where its options tell it; else it is gone on from.
    fn open(&mut self, key: u64) -> Attempt<Option<u64>> {
        let place = self.put(key)?;
        self.expander.expand(&[key], &mut self.rows)?;
        let start = self.options.len();
        let mut best = if self.misere && self.rows.all().is_empty() { WON } else { LOST };
        for i in 0..self.rows.all().len() {
            let entry = self.rows.all()[i];
            if entry & ENDED != 0 {
                best = [WON, LOST, DRAWN][usize::try_from(entry & 3).unwrap_or(2)];
                self.options.truncate(start);
                break;
            }
            if entry & STOP != 0 {
                best = best.max([WON, LOST, DRAWN][usize::try_from(entry & 3).unwrap_or(2)]);
                continue;
            }
            match self.table.get(self.table.seek(entry & (RANKS - 1))) {
                Some(cell) if entry & AGAIN != 0 => best = best.max(self.known(cell)?),
                Some(cell) => best = best.max(WON - self.known(cell)?),
                None => self.options.push(entry),
            }
        }
        if best != WON {
            best = self.order(start, best)?;
        }
        if best == WON || self.options.len() == start {
            self.options.truncate(start);
            self.table.set(place, self.cell.write(best, 0));
            return Ok(Some(best));
        }
        self.frames.push(Frame { place, start, best, again: false });
        Ok(None)
    }

    fn order(&mut self, start: usize, mut best: u64) -> Attempt<u64> {
        match std::env::var("ORDER").ok().and_then(|text| text.parse::<u32>().ok()).unwrap_or(0) {
            0 => self.options[start..].reverse(),
            1 => self.options[start..].sort_unstable_by(|a, b| b.cmp(a)),
            2 => self.options[start..].sort_unstable(),
            3 => {}
            mode => {
                let keys: Vec<u64> = self.options[start..].iter().map(|e| e & (RANKS - 1)).collect();
                self.expander.expand(&keys, &mut self.replies)?;
                let mut counted: Vec<(usize, usize, u64)> = Vec::new();
                for i in 0..keys.len() {
                    let (entry, row) = (self.options[start + i], self.replies.row(i));
                    if row.is_empty() && !self.misere && entry & AGAIN == 0 {
                        best = WON;
                    }
                    let mut refuted = false;
                    let mut unknown = 0;
                    for &r in row {
                        if r & (STOP | ENDED | AGAIN) != 0 {
                            unknown += 1;
                            continue;
                        }
                        match self.table.get(self.table.seek(r & (RANKS - 1))) {
                            Some(cell) => refuted |= self.cell.read(cell).is_some_and(|(v, _)| v == LOST),
                            None => unknown += 1,
                        }
                    }
                    if mode == 4 {
                        refuted = false;
                    }
                    if refuted && entry & AGAIN == 0 {
                        continue;
                    }
                    counted.push((if mode == 6 { row.len() } else { unknown }, i, entry));
                }
                counted.sort_unstable_by(|a, b| b.cmp(a));
                self.options.truncate(start);
                self.options.extend(counted.into_iter().map(|(_, _, e)| e));
            }
        }
        Ok(best)
    }

    /// Puts a state that is not in the table there, as one that is gone on from.
    fn put(&mut self, key: u64) -> Attempt<Seek> {
        let keys = self.table.keys();
        let limits = self.rules.limits;
        if limits.positions.is_some() || keys.is_multiple_of(CHECK) {
            self.check(keys + 1, self.table.bytes())?;
        }
        self.table.count(1);
        loop {
            match self.table.put(self.table.seek(key), self.cell.poison()) {
                Put::New(place) => return Ok(place),
                Put::There(_) => return Err(Refusal::Cyclic.into()),
                Put::Full => {
                    self.check(keys + 1, self.table.bytes_grown())?;
                    self.table.grow(1);
                }
            }
        }
    }

    fn check(&self, states: u64, table: usize) -> Attempt<()> {
        let stacks = self.frames.capacity() * size_of::<Frame>() + self.options.capacity() * 8;
        Ok(self.rules.limits.check(states, self.rules.held + table + stacks)?)
    }
}
