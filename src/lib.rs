//! `grundy`: impartial games written in a few lines, solved, and their closed forms checked.
//!
//! Data goes one way: [`text`] -> [`heap`] -> [`verify`] -> [`logic`] -> [`syntax`] -> [`check`] -> [`rules`] -> [`answer`]
//! -> [`solve`] -> [`claim`] -> [`prove`] -> [`guess`] -> [`report`] -> [`cli`]. A module uses only modules to its left, and
//! [`diagnostic`].

pub mod analysis;
pub mod answer;
pub mod bytecode;
pub mod claims;
pub mod cli;
pub mod engines;
pub mod graph_search;
pub mod guess;
pub mod input;
pub mod jit;
pub mod memo;
pub mod model;
pub mod prover;
pub mod report;
pub mod source;
pub mod store;
pub mod syntax;
pub mod tables;
mod tuning;
pub mod typing;
pub mod value;
pub mod vm;
pub mod words;

// What pest_derive writes names it.
extern crate alloc;
