//! What tests share.

#![allow(dead_code, unreachable_pub, clippy::missing_panics_doc)] // not every program uses all of it

pub mod browser;
pub mod checked;
pub mod common;
pub mod corpus_of_proofs;
pub mod crews;
pub mod definition;
pub mod formulas;
pub mod heaps;
pub mod naive;
pub mod program;
pub mod proofs;
pub mod proved;
pub mod random;
pub mod rng;
pub mod seeds;
pub mod server;
pub mod tables_dir;

/// How often a campaign does what it does: in the usual run, and at full length.
pub fn rounds<T>(usual: T, long: T) -> T {
    if crate::LONG { long } else { usual }
}
