//! The built-in words.

pub mod solvers;
