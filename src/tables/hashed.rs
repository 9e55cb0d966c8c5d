//! States too spread for a table of the whole box: those that are met, options by native code, values in a table of keys.

use crate::jit::interrupt_flag::watched_attempt;
use crate::jit::ranking::Grid;
use crate::tables::BoxRules;
use crate::tables::cell::{Cell, Kind};
use crate::tables::expand::Expander;
use crate::tables::shared_search::SharedSearch;
use crate::tables::states::States;
use crate::value::refusal::{Attempt, Failure};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// See the module. Every cell is exact.
#[derive(Debug)]
pub struct Hashed {
    grid: Grid,
    cell: Cell,
    table: States,
    /// How many threads worked on it at most.
    threads: usize,
}

impl Hashed {
    /// Works out a state and all that it leads to.
    ///
    /// `O(moves)` expected time; 9 to 12 bytes a state while remoteness and values are small.
    pub fn new(rules: &BoxRules, grid: &Grid, kind: Kind, start: u64) -> Attempt<Hashed> {
        let cell = Cell::smallest(kind);
        let table = States::new(cell, grid.volume, rules.limits.memory);
        let made = Hashed { grid: grid.clone(), cell, table, threads: 1 };
        made.extended(rules, start)
    }

    /// The same with another state of the box and all that it leads to worked out.
    pub fn extended(self, rules: &BoxRules, start: u64) -> Attempt<Hashed> {
        if self.table.get(self.table.seek(start)).is_some() {
            return Ok(self);
        }
        let flag = Arc::new(AtomicBool::new(false));
        let expander = Expander::new(&rules.code, rules.instance, &self.grid, &flag)?;
        let Hashed { grid, cell, table, threads } = self;
        let mut shared = SharedSearch::new(rules.limits, &expander, rules.held, cell, table);
        watched_attempt(rules.limits, &flag, || shared.run(start).map_err(Failure::from))?;
        let threads = threads.max(shared.threads);
        Ok(Hashed { grid, cell: shared.cell, table: shared.table.into_inner(), threads })
    }

    /// The box.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Value and remoteness of a state that was worked out.
    #[must_use]
    pub fn read(&self, words: &[i64]) -> Option<(u64, u64)> {
        self.cell.read(self.table.get(self.table.seek(self.grid.rank(words)?))?)
    }

    /// How many states.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.table.len()
    }

    /// How many threads worked on it at most.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
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
