//! From text to tree: the only module that knows pest.

mod build;
mod build_expr;
mod build_rule;
mod build_term;
mod format;
mod operators;
mod parse;
mod scan;
mod slips;
mod split;
pub mod tree;

pub use crate::syntax::format::format;
pub(crate) use crate::syntax::operators::strength;
pub use crate::syntax::parse::{decode, parse_file, parse_position, parse_query};
