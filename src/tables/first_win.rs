//! Who wins, of the states that a search in depth meets which leaves a state at the first move that wins.
//!
//! Options come from native code, outcomes stand in a table of the states met. Before the search goes on with an option, all
//! options and the replies to them are looked up: one that is known to win ends the state, one with a reply that is known to
//! win is of no use (Plaat, Schaeffer, Pijls, de Bruin, Exploiting graph properties of game trees, 1996: enhanced transposition
//! cutoffs). Of the others the one with the fewest replies that are not known comes first. A state that is met again while it is
//! gone on from says that a play comes back: the search is given up. What is decided rests on decided states alone.

use crate::tables::BoxRules;
use crate::tables::cell::Cell;
use crate::tables::compact_table::{Put, Seek};
use crate::tables::expand::{AGAIN, ENDED, Expander, RANKS, Rows, STOP};
use crate::tables::hashed::Hashed;
use crate::tables::states::States;
use crate::value::refusal::{Attempt, Refusal};

/// The limits are looked at after so many states, if there is none of states.
const CHECK: u64 = 1 << 10;

/// Options that may have more replies in all, by their number, are not looked at.
const MANY_REPLIES: usize = 1 << 21;

/// So many replies for each state may be looked at for an order: more would take longer than what it saves (Chomp 12 x 12,
/// all moves: 2.8 s with none, 4.1 with 16, 9.7 with 1024; geography 7 x 7: 0.20, 0.02, 0.02).
const REPLIES: u64 = 1 << 4;

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
    /// The option that is followed.
    followed: u64,
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
    /// The options of the last state that was opened, those of them that were not known, and the replies to these.
    rows: Rows,
    asked: Vec<u64>,
    replies: Rows,
    /// How many replies were looked at.
    replied: u64,
}

/// What is seen of a state without going on.
struct Seen {
    /// The best of its options that are known.
    best: u64,
    /// How many are not.
    unknown: usize,
    /// Whether some are gone on from.
    back: bool,
}

impl Seen {
    /// What the state is worth, if that is certain.
    fn told(&self) -> Option<u64> {
        (self.best == WON || self.unknown == 0 && !self.back).then_some(self.best)
    }
}

/// What an option is worth for who moves there, if the state that it leads to is worth `value`.
fn for_mover(entry: u64, value: u64) -> u64 {
    if entry & AGAIN != 0 { value } else { WON - value }
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
        asked: Vec::new(),
        replies: Rows::new(),
        replied: 0,
    };
    search.run(start)?;
    Ok(made)
}

impl Search<'_> {
    fn run(&mut self, start: u64) -> Attempt<()> {
        let mut told = self.open(start)?;
        while let Some(frame) = self.frames.last_mut() {
            if let Some(value) = told.take() {
                frame.best = frame.best.max(for_mover(frame.followed, value));
            }
            if frame.best == WON || self.options.len() == frame.start {
                let (place, best) = (frame.place, frame.best);
                self.options.truncate(frame.start);
                self.frames.pop();
                self.table.set(place, self.cell.write(best, 0));
                told = Some(best);
            } else if let Some(entry) = self.options.pop() {
                frame.followed = entry;
                let key = entry & (RANKS - 1);
                told = match self.table.get(self.table.seek(key)) {
                    Some(cell) => Some(self.cell.read(cell).ok_or(Refusal::Cyclic)?.0),
                    None => self.open(key)?,
                };
            }
        }
        Ok(())
    }

    /// Enters a state: what it is worth, where that is seen at once; else it is gone on from.
    fn open(&mut self, key: u64) -> Attempt<Option<u64>> {
        let place = self.put(key)?;
        self.expander.expand(&[key], &mut self.rows)?;
        let start = self.options.len();
        let seen = self.look(self.rows.all());
        let mut best = seen.best;
        if seen.told().is_none() {
            if seen.back {
                return Err(Refusal::Cyclic.into());
            }
            best = self.order(best)?;
        }
        if best == WON || self.options.len() == start {
            self.options.truncate(start);
            self.table.set(place, self.cell.write(best, 0));
            return Ok(Some(best));
        }
        self.frames.push(Frame { place, start, best, followed: 0 });
        Ok(None)
    }

    /// What is seen of a state with these options without going on.
    fn look(&self, row: &[u64]) -> Seen {
        let mut seen = Seen { best: if self.misere && row.is_empty() { WON } else { LOST }, unknown: 0, back: false };
        for entry in row {
            let end = [WON, LOST, DRAWN][usize::try_from(entry & 3).unwrap_or(2).min(2)];
            if entry & ENDED != 0 {
                return Seen { best: end, unknown: 0, back: false };
            }
            let value = if entry & STOP != 0 {
                end
            } else {
                match self.table.get(self.table.seek(entry & (RANKS - 1))).map(|cell| self.cell.read(cell)) {
                    Some(Some((value, _))) => for_mover(*entry, value),
                    Some(None) => {
                        seen.back = true;
                        continue;
                    }
                    None => {
                        seen.unknown += 1;
                        continue;
                    }
                }
            };
            seen.best = seen.best.max(value);
        }
        seen
    }

    /// Puts the options of the last row that are not known on the stack, those with the fewest replies last; what the best of
    /// the others is worth, or one which a look at its replies tells, if it is more than `best`.
    fn order(&mut self, mut best: u64) -> Attempt<u64> {
        let unknown =
            |&entry: &u64| entry & STOP == 0 && self.table.get(self.table.seek(entry & (RANKS - 1))).is_none();
        self.asked.clear();
        self.asked.extend(self.rows.all().iter().copied().filter(unknown));
        let mut counted: Vec<(usize, u64)> = Vec::with_capacity(self.asked.len());
        // Where there are many moves there are many replies to each, all of which would be held.
        let few = self.asked.len().saturating_mul(self.rows.all().len()) <= MANY_REPLIES;
        if few && self.replied <= REPLIES * (self.table.keys() + CHECK) {
            let keys: Vec<u64> = self.asked.iter().map(|entry| entry & (RANKS - 1)).collect();
            self.expander.expand(&keys, &mut self.replies)?;
            self.replied += self.replies.all().len() as u64;
            for (i, &entry) in self.asked.iter().enumerate() {
                let seen = self.look(self.replies.row(i));
                match seen.told() {
                    Some(value) => best = best.max(for_mover(entry, value)),
                    None => counted.push((seen.unknown, entry)),
                }
            }
        } else {
            counted.extend(self.asked.iter().map(|&entry| (0, entry)));
        }
        counted.sort_unstable_by(|a, b| b.cmp(a));
        self.options.extend(counted.into_iter().map(|(_, entry)| entry));
        Ok(best)
    }

    /// Puts a state that is not in the table there, as one that is gone on from.
    fn put(&mut self, key: u64) -> Attempt<Seek> {
        let keys = self.table.keys();
        let limits = &self.rules.limits;
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
