//! Native code that fills cells, with all that it writes to: what threads share, and what each has for itself.

use crate::jit::ranking::Grid;
use crate::tables::fill::{FillState, Filler, Stopped};
use std::ops::Range;

/// What threads that fill one table share.
pub(super) struct FillContext<'a> {
    pub(super) filler: &'a Filler,
    pub(super) grid: &'a Grid,
    /// The address of the cell of rank 0, in a table as the filler wants it.
    pub(super) table: *mut u8,
    /// As many records as the filler wants.
    pub(super) records: *mut u64,
    /// How many values there are, the one for "not decided" included.
    pub(super) values: usize,
}

// SAFETY: the addresses are followed in `FillWorker::fill` only, whose callers say when.
#[allow(unsafe_code)]
unsafe impl Sync for FillContext<'_> {}

/// What one thread has.
pub(super) struct FillWorker<'a> {
    context: &'a FillContext<'a>,
    /// For each value the last rank, plus one, that saw it among its options.
    stamps: Vec<u64>,
    /// The state of a rank.
    words: Vec<i64>,
    rank: u64,
}

impl FillContext<'_> {
    /// What another thread needs. `O(values)`.
    pub(super) fn worker(&self) -> FillWorker<'_> {
        FillWorker { context: self, stamps: vec![0; self.values], words: self.grid.words(0), rank: 0 }
    }
}

impl FillWorker<'_> {
    /// Fills the cells of these ranks in order; `Err`: that rank stopped it, and those before it are filled. No worker may fill
    /// a rank again.
    ///
    /// # Safety
    /// The table and records must be as its filler wants them. All cells and records that the code reads for these ranks
    /// must have been written before, and none that it reads or writes may be touched by another thread meanwhile, but for
    /// cells that both only read.
    #[allow(unsafe_code)]
    pub(super) unsafe fn fill(&mut self, ranks: Range<u64>) -> Result<(), (u64, Stopped)> {
        if self.rank != ranks.start {
            self.words = self.context.grid.words(ranks.start);
        }
        let mut state = FillState {
            table: self.context.table,
            rank: ranks.start,
            end: ranks.end,
            stamps: self.stamps.as_mut_ptr(),
            records: self.context.records,
        };
        // SAFETY: the caller's; there is a stamp for every value.
        let stopped = unsafe { self.context.filler.run(&mut state, &mut self.words) };
        self.rank = state.rank;
        if stopped == Stopped::Done { Ok(()) } else { Err((state.rank, stopped)) }
    }
}
