//! Native code for rules: from flat code, by way of cranelift, to functions that run through whole tables of positions.
//!
//! Of all that works on rules only the files here contain `unsafe`. What native code cannot do it refuses when it is made;
//! what it cannot decide at run time it leaves undecided. It never answers differently from the instruction loop.

mod around;
mod back;
mod backlog;
mod boxed;
mod cell;
mod chains;
mod change;
mod changes;
mod crew;
mod dense;
mod emit;
mod expand;
mod facts;
mod fill;
mod finish;
mod flow;
mod grid;
mod hashed;
mod jit;
mod lines;
mod listing;
mod meet;
mod nodes;
mod option;
mod packed;
mod pen;
mod rank;
mod ray;
mod reach;
mod records;
mod room;
mod search;
mod spread;
mod states;
mod table;
mod translate;
mod undo;
mod watch;
mod wave;

/// Whether code can become native code, or what stands in the way.
///
/// # Errors
/// The first thing that native code cannot do.
pub fn can_compile(code: &crate::rules::code::Code) -> Result<(), &'static str> {
    flow::Flow::new(code).map(|_| ())
}

pub use back::{Backward, End, Graph, Hint, KEEPS, NoGraph, Sources, backwards};
pub use boxed::BoxGraph;
pub(crate) use boxed::leading_to;
pub use cell::{Cell, Kind};
pub use dense::{Dense, Refusal};
pub use expand::{Expander, Rows, Trouble};
pub use grid::{Digit, Grid};
pub use hashed::{Hashed, NoValues};
pub use reach::StateGraph;
pub use table::Table;
