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

use crate::jit::flow;
/// Whether code can become native code, or what stands in the way.
///
/// # Errors
/// The first thing that native code cannot do.
pub fn can_compile(code: &crate::bytecode::Code) -> Result<(), crate::vm::refusal::Refusal> {
    flow::Flow::new(code).map(|_| ())
}

pub use crate::graph_search::reverse_graph::ReverseGraph;
pub use crate::jit::ranking::{Digit, Grid};
pub use crate::tables::cell::{Cell, Kind};
pub use crate::tables::dense::Dense;
pub use crate::tables::expand::{Expander, Rows};
pub use crate::tables::hashed::Hashed;
pub(crate) use crate::tables::rows::RowCode;
pub use crate::tables::value_table::Table;
