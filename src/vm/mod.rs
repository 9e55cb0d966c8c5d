//! Compiled rules: values, words, code, and the machine that runs it.

pub(crate) mod adapt;
mod construct;
pub mod context;
pub mod credit;
mod eval;
mod given_ints;
mod growth;
pub mod ids;
mod legal;
pub(crate) mod move_membership;
pub mod positions;
pub mod refusal;
pub mod run;
pub mod size_window;
mod step;
pub(crate) mod team;
