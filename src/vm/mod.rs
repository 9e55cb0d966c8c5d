//! Compiled rules: values, words, code, and the machine that runs it.

pub(crate) mod adapt;
pub(crate) mod column;
mod construct;
pub mod context;
pub mod credit;
mod eval;
mod gathering;
mod given_ints;
mod growth;
mod legal;
pub(crate) mod move_membership;
pub mod positions;
pub mod run;
pub mod size_window;
pub mod states;
mod step;
