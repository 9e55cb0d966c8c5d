//! A table with a cell for every state of a box, filled in the order of ranks.

use super::cell::{Cell, Kind};
use super::fill::{FillState, Filler, Stopped};
use super::flow::Flow;
use super::grid::Grid;
use super::ray::record_bytes;
use super::watch::watched;
use crate::rules::fault::Run;
use crate::rules::machine::Machine;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// See the module.
#[derive(Debug)]
pub struct Dense {
    grid: Grid,
    cell: Cell,
    /// Cells before rank 0, then the box.
    memory: Vec<u64>,
    before: u64,
    /// Ranks below this are filled.
    filled: u64,
    /// Lines with a record each.
    lines: u64,
}

/// Why no table was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The rules have something that native code cannot do.
    Rules(&'static str),
    /// Moves lead to sums: remoteness and outcomes cannot be had cell by cell.
    Sums,
    /// Values are too large for cells.
    Values,
    /// It would take so many bytes.
    Memory(u64),
    /// It has more cells than positions may be searched.
    Limit,
}

/// Ranks filled between two looks at the limits.
const CHUNK: u64 = 1 << 22;

impl Dense {
    /// Fills the ranks up to that of the state `upto`. At its end every decided cell is exact.
    ///
    /// `O(cells * moves)` time; one, two or four bytes a cell.
    pub fn new(
        machine: &mut Machine,
        instance: usize,
        grid: Grid,
        kind: Kind,
        upto: u64,
    ) -> Run<Result<Dense, Refusal>> {
        if machine.limits.positions.is_some_and(|limit| upto >= limit) {
            return Ok(Err(Refusal::Limit));
        }
        let code = match machine.judged_code(instance) {
            Ok(code) => code,
            Err(why) => return Ok(Err(Refusal::Rules(why))),
        };
        let flow = match Flow::new(&code) {
            Ok(flow) => flow,
            Err(why) => return Ok(Err(Refusal::Rules(why))),
        };
        let flag = Arc::new(AtomicBool::new(false));
        let cell = Cell::smallest(kind);
        let first = grid.words(0);
        let mut words = first.clone();
        let mut record_words = 4;
        let mut dense = Dense { grid, cell, memory: Vec::new(), before: 0, filled: 0, lines: 0 };
        loop {
            let filler = match Filler::new(&code, &flow, instance, &dense.grid, dense.cell, record_words, &flag) {
                Ok(filler) => filler,
                Err(why) => return Ok(Err(Refusal::Rules(why))),
            };
            let held = u64::try_from(dense.memory.len()).unwrap_or(u64::MAX).saturating_mul(8);
            let records = filler.records.saturating_mul(record_bytes(filler.record_words));
            let wanted = dense.bytes_for(filler.before, upto).saturating_add(records);
            let room = machine.limits.memory.saturating_sub(machine.bytes());
            if wanted.saturating_add(held) > u64::try_from(room).unwrap_or(u64::MAX) {
                return Ok(Err(Refusal::Memory(wanted)));
            }
            dense.make_room(filler.before, upto);
            dense.lines = filler.records - 1;
            let stopped = dense.fill(machine, &filler, &flag, &mut words, upto)?;
            if filler.records > 1 && stopped != Stopped::Done {
                // The records tell of cells of the old form.
                dense.filled = 0;
                words.clone_from(&first);
            }
            match stopped {
                Stopped::Done => return Ok(Ok(dense)),
                Stopped::Sum => return Ok(Err(Refusal::Sums)),
                Stopped::Interrupted => {
                    machine.limits.check_clock()?;
                }
                Stopped::LargerRecords => {
                    record_words *= 2;
                    if record_words * 64 > 1 << dense.cell.value_bits {
                        return Ok(Err(Refusal::Values));
                    }
                }
                Stopped::LargerValue | Stopped::LargerFar => match dense.cell.larger(stopped == Stopped::LargerValue) {
                    Some(cell) => dense.widen(cell),
                    None => return Ok(Err(Refusal::Values)),
                },
            }
        }
    }

    /// Bytes that a table of this form takes.
    #[must_use]
    pub fn bytes_for(&self, before: u64, upto: u64) -> u64 {
        (before + upto + 1).saturating_mul(u64::from(self.cell.bytes))
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.memory.len() * 8
    }

    /// How many cells are filled.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.filled
    }

    /// How cells are laid out.
    #[must_use]
    pub fn cell(&self) -> Cell {
        self.cell
    }

    /// How many lines of positions had a record of what was seen on them.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// The box.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Value and remoteness of a state, if it is in the table and decided.
    #[must_use]
    pub fn read(&self, words: &[i64]) -> Option<(u64, u64)> {
        let rank = self.grid.rank(words).filter(|&rank| rank < self.filled)?;
        self.cell.read(self.get(rank))
    }

    fn get(&self, rank: u64) -> u64 {
        let bits = u64::from(self.cell.bytes) * 8;
        let at = (rank + self.before) * bits;
        let word = usize::try_from(at / 64).ok().and_then(|i| self.memory.get(i)).copied().unwrap_or(u64::MAX);
        word >> (at % 64) & (u64::MAX >> (64 - bits))
    }

    fn make_room(&mut self, before: u64, upto: u64) {
        // A whole number of words before rank 0, so that no cell crosses a word.
        let before = before.next_multiple_of(8);
        let words = usize::try_from(self.bytes_for(before, upto) / 8 + 2).unwrap_or(usize::MAX);
        if before != self.before || self.memory.len() < words {
            let mut memory = vec![0u64; words];
            if self.filled > 0 {
                let shift = u64::from(self.cell.bytes);
                let (from, to) = (self.before * shift / 8, before * shift / 8);
                let len = usize::try_from(self.filled * shift / 8 + 1).unwrap_or(0);
                if let (Ok(from), Ok(to)) = (usize::try_from(from), usize::try_from(to)) {
                    memory[to..to + len].copy_from_slice(&self.memory[from..from + len]);
                }
            }
            self.memory = memory;
            self.before = before;
        }
    }

    /// The same cells in a larger form.
    fn widen(&mut self, cell: Cell) {
        let bits = u64::from(cell.bytes) * 8;
        let words = usize::try_from((self.before + self.filled) * bits / 64 + 2).unwrap_or(usize::MAX);
        let mut memory = vec![0u64; words];
        for rank in 0..self.filled {
            let at = (rank + self.before) * bits;
            if let Some(word) = usize::try_from(at / 64).ok().and_then(|i| memory.get_mut(i)) {
                *word |= self.cell.widen(self.get(rank), cell) << (at % 64);
            }
        }
        self.memory = memory;
        self.cell = cell;
    }

    fn fill(
        &mut self,
        machine: &Machine,
        filler: &Filler,
        flag: &Arc<AtomicBool>,
        words: &mut [i64],
        upto: u64,
    ) -> Run<Stopped> {
        let values = if self.cell.one_word() { 1 } else { 1usize << self.cell.value_bits };
        let mut stamps = vec![0u64; values];
        let records = filler.records * record_bytes(filler.record_words) / 8;
        let mut records = vec![0u64; usize::try_from(records).unwrap_or(usize::MAX)];
        let bytes = self.bytes() + (stamps.len() + records.len()) * 8 + machine.bytes();
        let start = usize::try_from(self.before * u64::from(self.cell.bytes)).unwrap_or(0);
        let table = self.memory.as_mut_ptr().cast::<u8>();
        machine.limits.goal.store(upto + 1, Ordering::Relaxed);
        let done = watched(&machine.limits, flag, || {
            while self.filled <= upto {
                machine.limits.check(self.filled, bytes)?;
                let end = (self.filled + CHUNK).min(upto + 1);
                let mut state = FillState {
                    // SAFETY: `make_room` made at least `before` cells before rank 0.
                    #[allow(unsafe_code)]
                    table: unsafe { table.add(start) },
                    rank: self.filled,
                    end,
                    stamps: stamps.as_mut_ptr(),
                    records: records.as_mut_ptr(),
                };
                // SAFETY: `make_room` made the cells that this filler may touch; there is a stamp for every value.
                #[allow(unsafe_code)]
                let stopped = unsafe { filler.run(&mut state, words) };
                self.filled = state.rank;
                if stopped != Stopped::Done {
                    return Ok(stopped);
                }
            }
            Ok(Stopped::Done)
        });
        machine.limits.goal.store(0, Ordering::Relaxed);
        done
    }
}
