//! Native code for rules: from flat code, by way of cranelift, to functions that run through whole tables of positions.
//!
//! Of all that works on rules only the files here contain `unsafe`. What native code cannot do it refuses when it is made;
//! what it cannot decide at run time it leaves undecided. It never answers differently from the instruction loop.

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
