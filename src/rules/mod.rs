//! Compiled rules: values, words, code.

pub mod builtin;
pub mod fault;
pub mod graphs;
pub mod value;
