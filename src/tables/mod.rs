//! Values of very many states of one instance, worked out by native code: of all states of a box, or of those that are
//! met.
//!
//! In: an instance, a box, an order of its fields. Out: a table with a cell for each state, value and remoteness, or a
//! reason why there is none. Box and order may be wrong: then states stay undecided and none is wrong. Cells, refusals
//! and answers do not depend on the number of threads. `unsafe` stands here and in the other files that call native
//! code or choose vector instructions, nowhere else.

mod cell;
pub(crate) mod cell_sink;
mod compact_table;
mod dense;
pub(crate) mod expand;
mod fill;
mod fill_context;
mod finish;
mod hashed;
mod hashed_search;
mod line_moves;
mod line_records;
mod line_sink;
mod list_arena;
mod nodes;
mod parallel_fill;
mod rows;
mod shared_search;
mod states;
mod value_table;
mod wavefront;
mod zeroed_mmap;

use crate::bytecode::{Code, InstanceId};
use crate::jit::flow;
use crate::value::limits::Limits;
use crate::value::refusal::Refusal;
use std::sync::Arc;

/// The rules of an instance, with what working out its positions may use.
pub struct BoxRules<'a> {
    /// The rules with `legal when` and `same as` in them.
    pub code: Arc<Code>,
    /// The instance.
    pub instance: InstanceId,
    /// The limits of the run.
    pub limits: &'a Limits,
    /// Bytes held by everything else.
    pub held: usize,
}

impl BoxRules<'_> {
    /// Bytes that are left.
    #[must_use]
    pub fn free(&self) -> u64 {
        self.limits.memory.saturating_sub(self.held) as u64
    }
}

/// Whether code can become native code, or what stands in the way.
///
/// # Errors
/// The first thing that native code cannot do.
pub fn can_compile(code: &Code) -> Result<(), Refusal> {
    flow::Flow::new(code).map(|_| ())
}

pub use crate::jit::ranking::{Digit, Grid};
pub use crate::tables::cell::{Cell, Kind};
pub use crate::tables::dense::Dense;
pub use crate::tables::expand::{Expander, Rows};
pub use crate::tables::hashed::Hashed;
pub(crate) use crate::tables::rows::RowCode;
pub use crate::tables::value_table::Table;
