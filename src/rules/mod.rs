//! Compiled rules: values, words, code.

pub mod code;
pub mod fault;
pub mod value;
