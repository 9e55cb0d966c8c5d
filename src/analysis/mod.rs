//! What can be proved of rules before any search.

pub(crate) mod symmetry;
pub mod termination;
