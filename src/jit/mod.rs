//! Native code from flat code, by way of cranelift.
//!
//! In: code, a box of states that are words, a sink that says what becomes of moves. Out: a function
//! that goes through states by their ranks. Instructions on values are calls. What it cannot translate it refuses with a reason; what it cannot decide
//! while it runs it leaves undecided, so that it never answers differently from the instruction loop. Tables and
//! searches are not known here.

pub(crate) mod box_loop;
pub(crate) mod emit;
pub(crate) mod facts;
pub(crate) mod flow;
pub(crate) mod frame;
pub mod function;
pub(crate) mod memoized;
pub(crate) mod ranking;
pub(crate) mod translate;
