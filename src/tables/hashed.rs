//! States too spread for a table of the whole box: those that are met, options by native code, values in a table of keys.

use crate::jit::interrupt_flag::watched;
use crate::jit::ranking::Grid;
use crate::source::diagnostic::Code;
use crate::tables::cell::{Cell, Kind};
use crate::tables::expand::{Expander, Trouble};
use crate::tables::hashed_search::Stop;
use crate::tables::shared_search::Crew;
use crate::tables::states::States;
use crate::value::fault::Run;
use crate::vm::context::Context;
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

impl Hashed {
    /// Works out a state and all that it leads to.
    ///
    /// `O(moves)` expected time; 9 to 12 bytes a state while remoteness and values are small.
    pub fn new(
        ctx: &mut Context,
        instance: usize,
        grid: &Grid,
        kind: Kind,
        start: u64,
    ) -> Run<Result<Hashed, NoValues>> {
        let cell = Cell::smallest(kind);
        let table = States::new(cell, grid.volume, ctx.session.limits.memory);
        let made = Hashed { grid: grid.clone(), cell, table, threads: 1 };
        made.extended(ctx, instance, start)
    }

    /// The same with another state of the box and all that it leads to worked out.
    pub fn extended(self, ctx: &mut Context, instance: usize, start: u64) -> Run<Result<Hashed, NoValues>> {
        if self.table.get(self.table.seek(start)).is_some() {
            return Ok(Ok(self));
        }
        let code = match ctx.judged_code(instance) {
            Ok(code) => code,
            Err(why) => return Ok(Err(NoValues::Rules(why))),
        };
        let flag = Arc::new(AtomicBool::new(false));
        let expander = match Expander::new(&code, instance, &self.grid, &flag) {
            Ok(expander) => expander,
            Err(why) => return Ok(Err(NoValues::Rules(why))),
        };
        let limits = ctx.session.limits.clone();
        let Hashed { grid, cell, table, threads } = self;
        let mut crew = Crew::new(&limits, &expander, ctx.bytes(), cell, table);
        let done = watched(&limits, &flag, || crew.run(start));
        match done {
            Ok(()) => {
                let threads = threads.max(crew.threads);
                Ok(Ok(Hashed { grid, cell: crew.cell, table: crew.table.into_inner(), threads }))
            }
            // The search that counts positions one by one says more of that.
            Err(Stop::Limit(fault)) if fault.code == Code::L01 => Ok(Err(NoValues::Limit)),
            Err(Stop::Limit(fault)) => Err(fault.into()),
            Err(Stop::Trouble(Trouble::Interrupted)) => {
                limits.check_clock()?;
                Ok(Err(NoValues::Outside))
            }
            Err(Stop::No(why)) => Ok(Err(why)),
            // The crew goes on after all of these but the first.
            Err(Stop::Trouble(Trouble::Outside) | Stop::Small { .. } | Stop::Many | Stop::Others) => {
                Ok(Err(NoValues::Outside))
            }
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
