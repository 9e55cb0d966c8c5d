//! `grundy`: impartial games written in a few lines, solved, and their closed forms checked.
//!
//! Data goes one way: [`text`] -> [`heap`] -> [`verify`] -> [`logic`] -> [`syntax`] -> [`check`] -> [`rules`] -> [`answer`]
//! -> [`solve`] -> [`claim`] -> [`prove`] -> [`guess`] -> [`report`] -> [`cli`]. A module uses only modules to its left, and
//! [`diagnostic`].

// What pest_derive writes names it.
extern crate alloc;

pub mod answer;
pub mod check;
pub mod claim;
pub mod cli;
pub mod diagnostic;
pub mod guess;
pub mod heap;
pub mod logic;
pub mod prove;
pub mod report;
pub mod rules;
pub mod solve;
pub mod syntax;
pub mod text;
pub mod verify;
