//! What can be proved of rules before any search: that every play ends, that fields may change places,
//! which texts a field can have.
//!
//! In: the checked rules of a game. Out: a proof or nothing, which means that the rules do not show it and not that it
//! is false. No value and no position is looked at.

pub(crate) mod named_texts;
pub mod symmetry;
pub mod termination;
