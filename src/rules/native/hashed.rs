//! States too spread for a table of the whole box: depth first, options by native code, values in a table of keys.

use super::cell::{Cell, Kind};
use super::expand::{AGAIN, ENDED, Expander, RANKS, Rows, STOP, Trouble};
use super::grid::Grid;
use super::sorted::Sorted;
use super::watch::watched;
use crate::rules::fault::{Fault, Run};
use crate::rules::limits::Limits;
use crate::rules::machine::Machine;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// See the module. Every cell is exact.
#[derive(Debug)]
pub struct Hashed {
    grid: Grid,
    cell: Cell,
    table: Sorted,
}

/// Why there are no values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoValues {
    /// The rules have something that native code cannot do.
    Rules(&'static str),
    /// An option is outside of the box, or the rules fault somewhere.
    Outside,
    /// A play can come back to a position.
    Cyclic,
    /// Something was met that has no Grundy value: an end of the whole play, or a move that keeps the turn.
    Ends,
    /// Values are too large for cells.
    Large,
    /// There are more positions than may be searched.
    Limit,
}

/// A position whose options are being looked at.
struct Frame {
    key: u64,
    /// Its entries are `entries[next..end]`, the ones before are done.
    next: usize,
    start: usize,
    end: usize,
    seen: Seen,
}

/// What was seen of the options so far.
#[derive(Clone, Copy)]
struct Seen {
    /// Values below 63 as bits; the highest bit: there are greater ones, in the list of their own.
    values: u64,
    /// The least remoteness of options of value 0.
    near: u64,
    /// The greatest remoteness of the others.
    far: u64,
    any: bool,
}

const NOTHING: Seen = Seen { values: 0, near: u64::MAX, far: 0, any: false };
const GREATER: u64 = 1 << 63;

impl Hashed {
    /// Works out a state and all that it leads to.
    ///
    /// `O(moves)` expected time; 12 to 16 bytes a state with the default form of cells.
    pub fn new(
        machine: &mut Machine,
        instance: usize,
        grid: &Grid,
        kind: Kind,
        start: u64,
    ) -> Run<Result<Hashed, NoValues>> {
        let cell = Cell::smallest(kind);
        let made = Hashed { grid: grid.clone(), cell, table: Sorted::new(cell.bytes) };
        made.extended(machine, instance, start)
    }

    /// The same with another state of the box and all that it leads to worked out.
    pub fn extended(self, machine: &mut Machine, instance: usize, start: u64) -> Run<Result<Hashed, NoValues>> {
        if self.table.get(start).is_some() {
            return Ok(Ok(self));
        }
        let code = match machine.judged_code(instance) {
            Ok(code) => code,
            Err(why) => return Ok(Err(NoValues::Rules(why))),
        };
        let flag = Arc::new(AtomicBool::new(false));
        let expander = match Expander::new(&code, instance, &self.grid, &flag) {
            Ok(expander) => expander,
            Err(why) => return Ok(Err(NoValues::Rules(why))),
        };
        let limits = machine.limits.clone();
        let held = machine.bytes();
        let mut search = Search {
            limits: &limits,
            expander: &expander,
            held,
            made: self,
            frames: Vec::new(),
            entries: Vec::new(),
            greater: Vec::new(),
            rows: Rows::default(),
        };
        let done = watched(&limits, &flag, || search.run(start));
        match done {
            Ok(()) => Ok(Ok(search.made)),
            // The search that counts positions one by one says more of that.
            Err(Stop::Limit(fault)) if fault.code == "L01" => Ok(Err(NoValues::Limit)),
            Err(Stop::Limit(fault)) => Err(fault.into()),
            Err(Stop::Trouble(Trouble::Interrupted)) => {
                limits.check_clock()?;
                Ok(Err(NoValues::Outside))
            }
            Err(Stop::Trouble(Trouble::Outside)) => Ok(Err(NoValues::Outside)),
            Err(Stop::No(why)) => Ok(Err(why)),
        }
    }

    /// The box.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Value and remoteness of a state that was worked out.
    #[must_use]
    pub fn read(&self, words: &[i64]) -> Option<(u64, u64)> {
        self.cell.read(self.table.get(self.grid.rank(words)?)?)
    }

    /// How many states.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.table.len()
    }

    /// How cells are laid out.
    #[must_use]
    pub fn cell(&self) -> Cell {
        self.cell
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }
}

enum Stop {
    Limit(Fault),
    Trouble(Trouble),
    No(NoValues),
}

struct Search<'a> {
    limits: &'a Limits,
    expander: &'a Expander,
    held: usize,
    made: Hashed,
    frames: Vec<Frame>,
    entries: Vec<u64>,
    /// Values of 63 and more, with the depth of the frame that saw them.
    greater: Vec<(usize, u64)>,
    rows: Rows,
}

impl Search<'_> {
    fn run(&mut self, start: u64) -> Result<(), Stop> {
        self.open(start)?;
        while let Some(frame) = self.frames.last_mut() {
            if frame.next == frame.end {
                self.close()?;
                continue;
            }
            let entry = self.entries[frame.next];
            if entry & (STOP | ENDED) != 0 {
                frame.next += 1;
                self.stop(entry)?;
                continue;
            }
            let key = entry & (RANKS - 1);
            match self.made.table.get(key) {
                None => self.open(key)?,
                // Open: the play came back.
                Some(cell) => match self.made.cell.read(cell) {
                    None => return Err(Stop::No(NoValues::Cyclic)),
                    Some((value, far)) => {
                        frame.next += 1;
                        self.see(entry, value, far);
                    }
                },
            }
        }
        Ok(())
    }

    fn open(&mut self, key: u64) -> Result<(), Stop> {
        let table = &mut self.made.table;
        if table.len().is_multiple_of(1 << 14) || self.limits.positions.is_some_and(|limit| table.len() >= limit) {
            let bytes = self.held + table.bytes() + self.entries.capacity() * 8 + self.frames.capacity() * 72;
            self.limits.check(table.len() + 1, bytes).map_err(Stop::Limit)?;
        }
        table.insert(key, self.made.cell.poison());
        self.expander.expand(&[key], &mut self.rows).map_err(Stop::Trouble)?;
        let start = self.entries.len();
        self.entries.extend_from_slice(self.rows.row(0));
        let has_values = !matches!(self.made.cell.kind, Kind::Outcome { .. });
        for &entry in &self.entries[start..] {
            if has_values && entry & AGAIN != 0 {
                return Err(Stop::No(NoValues::Ends));
            }
            if entry & (STOP | ENDED) == 0 {
                table.fetch(entry & (RANKS - 1));
            }
        }
        self.frames.push(Frame { key, next: start, start, end: self.entries.len(), seen: NOTHING });
        Ok(())
    }

    /// Notes an option with this value in the frame on top.
    fn see(&mut self, entry: u64, value: u64, far: u64) {
        let depth = self.frames.len();
        let Some(frame) = self.frames.last_mut() else { return };
        let value = if entry & AGAIN == 0 { value } else { 2 - value };
        let seen = &mut frame.seen;
        seen.any = true;
        if value < 63 {
            seen.values |= 1 << value;
        } else {
            seen.values |= GREATER;
            self.greater.push((depth, value));
        }
        if value == 0 {
            seen.near = seen.near.min(far);
        } else {
            seen.far = seen.far.max(far);
        }
    }

    /// Notes an end of the whole play.
    fn stop(&mut self, entry: u64) -> Result<(), Stop> {
        if !matches!(self.made.cell.kind, Kind::Outcome { .. }) {
            return Err(Stop::No(NoValues::Ends));
        }
        if entry & STOP != 0 {
            // As the position of an opponent who has lost, won, drawn.
            self.see(0, [0, 2, 1][usize::try_from(entry & 3).unwrap_or(2)], 0);
            return Ok(());
        }
        let value = [2, 0, 1][usize::try_from(entry & 3).unwrap_or(2)];
        self.finish(value, 0)
    }

    /// All options of the frame on top are known.
    fn close(&mut self) -> Result<(), Stop> {
        let Some(frame) = self.frames.last() else { return Ok(()) };
        let seen = frame.seen;
        let (value, far) = if let Kind::Outcome { misere } = self.made.cell.kind {
            match seen.values {
                0 => (if misere { 2 } else { 0 }, 0),
                v if v & 1 != 0 => (2, seen.near + 1),
                v if v & 2 != 0 => (1, 0),
                _ => (0, seen.far + 1),
            }
        } else {
            let mex = self.mex(seen.values);
            (mex, if mex > 0 { seen.near + 1 } else { u64::from(seen.any) * (seen.far + 1) })
        };
        self.finish(value, far)
    }

    fn mex(&self, values: u64) -> u64 {
        let low = u64::from((!(values & !GREATER)).trailing_zeros());
        if low < 63 || values & GREATER == 0 {
            return low;
        }
        let depth = self.frames.len();
        let mut rest: Vec<u64> = self.greater.iter().rev().take_while(|(d, _)| *d == depth).map(|(_, v)| *v).collect();
        rest.sort_unstable();
        let mut least = 63;
        for value in rest {
            if value == least {
                least += 1;
            }
        }
        least
    }

    /// The frame on top is worked out: it goes, and the one below has seen it.
    fn finish(&mut self, value: u64, far: u64) -> Result<(), Stop> {
        let depth = self.frames.len();
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        while self.greater.last().is_some_and(|(d, _)| *d == depth) {
            self.greater.pop();
        }
        self.entries.truncate(frame.start);
        let made = &mut self.made;
        while value >= made.cell.undecided() || (made.cell.far_bits() > 0 && far > made.cell.most_far()) {
            let Some(larger) = made.cell.larger(value >= made.cell.undecided()) else {
                return Err(Stop::No(NoValues::Large));
            };
            let old = made.cell;
            made.table.map(larger.bytes, |cell| old.widen(cell, larger));
            made.cell = larger;
        }
        made.table.set(frame.key, made.cell.write(value, far));
        if let Some(below) = self.frames.last_mut() {
            let entry = self.entries[below.next];
            below.next += 1;
            // Most of the others are known by now: their cells are wanted next.
            for &other in &self.entries[below.next..below.end] {
                made.table.fetch(other & (RANKS - 1));
            }
            self.see(entry, value, far);
        }
        Ok(())
    }
}
