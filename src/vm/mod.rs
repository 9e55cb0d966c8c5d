//! What runs compiled rules: the loop over instructions, and the context of a run.
//!
//! In: code, a state, limits. Out: the options of a position, values of terms, or a fault. The stack of calls is its
//! own, so that neither a long play nor a deep recursion depends on the thread's. Who wins is not known here: where a
//! rule asks, the context calls the hook that it was given.

pub mod context;
pub(crate) mod def_memo;
mod eval;
pub mod position_text;
pub mod run;
pub mod size_window;
mod step;
