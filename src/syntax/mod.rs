//! From text to tree: the only module that knows pest.

mod build;
mod build_expr;
mod format;
mod parse;
mod scan;
mod slips;
mod split;
pub mod tree;

pub use crate::syntax::format::format;
pub use crate::syntax::parse::{decode, parse_file, parse_position, parse_query};
