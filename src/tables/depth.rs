//! A table with a cell for every state of a box, of which those that a state leads to are worked out, depth first.
//!
//! No order of states is needed: a state waits on a path until its options are known. Where one of them is on the path
//! itself, plays come back, and there is no such table.
//!
//! In: rules, a box, a state. Out: a table in which that state and all that it leads to are decided. For two tokens
//! on a digraph without cycles whose vertices are numbered at random: 2.5 times the speed of the states met, hashed
//! ([`crate::tables::hashed`]). `EngineOptions::in_depth` turns it off.

use crate::jit::function::watched_attempt;
use crate::jit::ranking::Grid;
use crate::tables::BoxRules;
use crate::tables::cell::{Cell, Kind};
use crate::tables::dense::Dense;
use crate::tables::expand::{AGAIN, ENDED, Expander, FAULTY, RANKS, Rows, STOP};
use crate::value::refusal::{Attempt, Refusal};

/// States between two looks at the limits.
const CHECK: u64 = 1 << 14;

/// A state that waits for its options.
struct Waiting {
    rank: u64,
    /// Its entries begin here, and those before `next` are known.
    first: usize,
    next: usize,
    /// Values below 64 of the options seen, as bits, and whether there are greater ones.
    values: u64,
    greater: bool,
    /// The least cell of an option (see [`Cell`]), poison if there is none.
    least: u64,
}

struct Depth<'a> {
    table: Dense,
    expander: &'a Expander,
    path: Vec<Waiting>,
    /// The entries of the states on the path, one row after the other.
    entries: Vec<u64>,
    rows: Rows,
    met: u64,
}

impl Dense {
    /// Works out a state and all that it leads to. The refusal is [`Refusal::Cyclic`] where some play comes back.
    ///
    /// `O(cells + moves)` time; two or four bytes a cell, and 8 for each move on the longest path.
    pub fn by_depth(rules: &BoxRules, grid: &Grid, kind: Kind, start: u64) -> Attempt<Dense> {
        let cell = Cell::smallest(kind);
        if !matches!(kind, Kind::GrundyFar | Kind::Outcome { .. }) {
            return Err(Refusal::Sums.into());
        }
        let wanted = grid.volume.saturating_mul(u64::from(cell.bytes));
        if wanted > rules.free() {
            return Err(Refusal::Memory(wanted).into());
        }
        let expander = Expander::new(rules, grid)?;
        watched_attempt(&rules.limits, expander.flag(), || {
            let (path, entries, rows) = (Vec::new(), Vec::new(), Rows::new());
            let table = Dense::undecided(grid.clone(), cell);
            let mut depth = Depth { table, expander: &expander, path, entries, rows, met: 0 };
            depth.run(rules, start)?;
            depth.table.met = Some(depth.met);
            Ok(depth.table)
        })
    }
}

/// The cell of a state on the path: no value, and not poison.
fn on_path(cell: Cell) -> u64 {
    cell.undecided()
}

impl Depth<'_> {
    fn run(&mut self, rules: &BoxRules, start: u64) -> Attempt<()> {
        self.open(start)?;
        while let Some(last) = self.path.last_mut() {
            let cell = self.table.cell;
            let open = loop {
                let Some(&entry) = self.entries.get(last.next) else { break None };
                let seen = if entry & STOP != 0 {
                    // As the position of an opponent who has lost, won, drawn.
                    cell.write([0, 2, 1][usize::try_from(entry & 3).unwrap_or(2)], 0)
                } else {
                    let rank = entry & (RANKS - 1);
                    let seen = self.table.get(rank);
                    match cell.read(seen) {
                        Some((value, far)) if entry & AGAIN != 0 => cell.write(2 - value, far),
                        Some(_) => seen,
                        None if seen == on_path(cell) => return Err(Refusal::Cyclic.into()),
                        None => break Some(rank),
                    }
                };
                last.see(cell, seen);
                last.next += 1;
            };
            match open {
                Some(rank) => self.open(rank)?,
                None => self.close()?,
            }
            if self.met.is_multiple_of(CHECK) || rules.limits.positions.is_some() {
                let own = self.entries.capacity() * 8 + self.path.capacity() * size_of::<Waiting>();
                rules.limits.check(self.met, rules.held + self.table.bytes() + own)?;
            }
        }
        Ok(())
    }

    /// A state that is met first.
    fn open(&mut self, rank: u64) -> Result<(), Refusal> {
        self.expander.expand(&[rank], &mut self.rows)?;
        self.met += 1;
        let row = self.rows.all();
        let marks = row.iter().fold(0, |marks, entry| marks | entry);
        let cell = self.table.cell;
        if marks & (STOP | ENDED | AGAIN) != 0 && !matches!(cell.kind, Kind::Outcome { .. }) {
            return Err(Refusal::Ends);
        }
        if let Some(end) = row.iter().find(|&entry| entry & ENDED != 0) {
            if end & FAULTY == FAULTY {
                return Err(Refusal::Outside);
            }
            let value = [2, 0, 1][usize::try_from(end & 3).unwrap_or(2)];
            self.table.set(rank, cell.write(value, 0));
            return Ok(());
        }
        let first = self.entries.len();
        self.entries.extend_from_slice(row);
        self.table.set(rank, on_path(cell));
        self.path.push(Waiting { rank, first, next: first, values: 0, greater: false, least: cell.poison() });
        Ok(())
    }

    /// The options of the last state on the path are all known.
    fn close(&mut self) -> Result<(), Refusal> {
        let Some(done) = self.path.pop() else { return Ok(()) };
        let cell = self.table.cell;
        let far = cell.read(done.least).map(|(_, far)| far + 1);
        let (value, far) = match cell.kind {
            Kind::Outcome { misere } => match done.values {
                0 => (if misere { 2 } else { 0 }, None),
                values if values & 1 != 0 => (2, far),
                values if values & 2 != 0 => (1, None),
                _ => (0, far),
            },
            _ => (self.mex(&done), far),
        };
        let far = far.unwrap_or(0);
        self.entries.truncate(done.first);
        while !self.table.cell.fits(value) || far > self.table.cell.most_far() {
            self.widen(!self.table.cell.fits(value))?;
        }
        self.table.set(done.rank, self.table.cell.write(value, far));
        Ok(())
    }

    /// The least value that no option has.
    fn mex(&self, done: &Waiting) -> u64 {
        let low = u64::from((!done.values).trailing_zeros());
        if low < 64 || !done.greater {
            return low;
        }
        let cell = self.table.cell;
        let value = |entry: &u64| Some(cell.read(self.table.get(entry & (RANKS - 1)))?.0);
        let mut seen: Vec<u64> =
            self.entries[done.first..].iter().filter_map(value).filter(|&value| value >= 64).collect();
        seen.sort_unstable();
        seen.into_iter().fold(64, |least, value| least + u64::from(value == least))
    }

    /// Cells of the next larger form.
    fn widen(&mut self, value: bool) -> Result<(), Refusal> {
        let old = self.table.cell;
        let new = old.larger(value).ok_or(Refusal::LargeValues)?;
        self.table.widen_held(new);
        for state in &mut self.path {
            state.least = old.widen(state.least, new);
            self.table.set(state.rank, on_path(new));
        }
        Ok(())
    }
}

impl Waiting {
    /// Notes an option with this cell.
    fn see(&mut self, cell: Cell, seen: u64) {
        self.least = self.least.min(seen);
        let value = seen & cell.undecided();
        if value < 64 {
            self.values |= 1 << value;
        } else {
            self.greater = true;
        }
    }
}
