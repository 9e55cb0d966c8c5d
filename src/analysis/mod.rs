//! What can be proved of rules before any search: that every play ends, and that fields may change places.
//!
//! In: the checked rules of a game. Out: a proof or nothing, which means that the rules do not show it and not that it
//! is false. No value and no position is looked at.

pub mod symmetry;
pub mod termination;
