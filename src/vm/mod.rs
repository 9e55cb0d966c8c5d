//! Compiled rules: values, words, code, and the machine that runs it.

mod construct;
pub mod context;
pub mod credit;
mod eval;
mod given_ints;
mod growth;
mod legal;
pub(crate) mod move_membership;
pub mod position_text;
pub mod run;
pub mod size_window;
mod step;
