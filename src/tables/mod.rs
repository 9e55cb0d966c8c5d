//! Values of very many states of one instance, worked out by native code: of all states of a box, or of those that are
//! met.
//!
//! In: an instance, a box, an order of its fields. Out: a table with a cell for each state, value and remoteness, or a
//! reason why there is none. Box and order may be wrong: then states stay undecided and none is wrong. Cells, refusals
//! and answers do not depend on the number of threads. `unsafe` stands here and in the other files that call native
//! code or choose vector instructions, nowhere else.

mod cell;
mod cell_memory;
pub(crate) mod cell_sink;
pub mod compact_table;
mod dense;
mod depth;
pub(crate) mod expand;
pub mod fill;
mod first_win;
mod hashed;
pub(crate) mod kept;
mod nodes;
mod rows;
mod states;
pub mod wavefront;
pub mod zeroed_mmap;

use crate::bytecode::{Code, InstanceId};
use crate::jit::flow;
use crate::jit::frame::ValueCode;
pub use crate::jit::ranking::{Chain, Digit, Grid, Span};
pub use crate::tables::cell::{Cell, Kind};
pub use crate::tables::dense::Dense;
pub(crate) use crate::tables::expand::CountedExpander;
pub use crate::tables::expand::{Expander, Rows};
pub use crate::tables::hashed::Hashed;
pub(crate) use crate::tables::rows::RowCode;
use crate::value::limits::Limits;
use crate::value::refusal::Refusal;
use std::marker::PhantomData;
use std::sync::Arc;

/// The rules of an instance, with what working out its positions may use.
pub struct BoxRules<'a> {
    /// The rules with `legal when` and `same as` in them.
    pub code: Arc<Code>,
    /// What instructions on values need, if the rules have any.
    pub(crate) values: Option<Arc<ValueCode>>,
    /// The instance.
    pub instance: InstanceId,
    /// The limits of the run.
    pub limits: Limits,
    /// Bytes held by everything else.
    pub held: usize,
    /// Instructions may be left to the context, which nobody else uses meanwhile.
    pub(crate) context: PhantomData<&'a mut ()>,
}

impl BoxRules<'_> {
    /// Bytes that are left.
    pub fn free(&self) -> u64 {
        self.limits.memory.saturating_sub(self.held) as u64
    }
}

/// Whether code can become native code; `Err`: the first thing that it cannot do.
pub fn can_compile(code: &Code) -> Result<(), Refusal> {
    flow::Flow::new(code).map(|_| ())
}

impl Drop for BoxRules<'_> {
    fn drop(&mut self) {
        if let Some(values) = &self.values {
            values.leave_context();
        }
    }
}

/// See the module.
#[derive(Debug)]
pub enum Table {
    /// Every state of a box.
    Dense(Dense),
    /// The states that were met.
    Hashed(Hashed),
}

/// What is done with a table of either kind.
macro_rules! each_table {
    ($table:expr, $inner:ident => $said:expr) => {
        match $table {
            Table::Dense($inner) => $said,
            Table::Hashed($inner) => $said,
        }
    };
}

impl Table {
    /// Value and remoteness of a state that is known.
    pub fn read(&self, words: &[i64]) -> Option<(u64, u64)> {
        each_table!(self, table => table.read(words))
    }

    /// The values of a state and of those after it in this field, as many as there is place for; `None`: not known.
    pub(crate) fn read_line(&self, words: &mut [i64], field: usize, values: &mut [Option<u64>]) {
        match self {
            Table::Dense(table) => table.read_line(words, field, values),
            Table::Hashed(table) => {
                for value in values {
                    *value = table.read(words).map(|(value, _)| value);
                    words[field] = words[field].saturating_add(1);
                }
            }
        }
    }

    /// How it is kept, and what is known of each state.
    pub fn cell(&self) -> Cell {
        each_table!(self, table => table.cell)
    }

    /// How many states were worked out.
    pub fn positions(&self) -> u64 {
        each_table!(self, table => table.positions())
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        each_table!(self, table => table.bytes())
    }
}
