//! Compiled rules: values, words, code, and the machine that runs it.

pub(crate) mod adapt;
pub mod builtin;
pub mod code;
pub mod data;
pub mod datafile;
pub mod domain;
pub mod entry;
mod eval;
pub mod fault;
mod form;
pub mod graphs;
mod growth;
pub mod json;
pub mod limits;
pub mod long;
mod lower;
pub mod machine;
pub mod memo;
pub mod native;
pub mod positions;
pub mod run;
pub mod sieve;
mod step;
pub(crate) mod store;
mod table;
pub mod value;
pub(crate) mod words;
