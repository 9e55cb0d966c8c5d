//! Compiled rules: values, words, code.

pub mod builtin;
pub mod datafile;
pub mod entry;
pub mod fault;
pub mod json;
pub mod value;
