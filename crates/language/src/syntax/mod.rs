//! From text to tree: the only room that knows the parser, pest.
//!
//! In: the text of a file. Out: its tree, or everything that is wrong with its form; or the text laid out anew. What
//! names mean is not known here. A statement that does not parse is first held against the usual slips, so that the
//! error says what to write instead; only then does it say what the grammar expected.

mod build;
mod build_expr;
mod format;
mod habits;
mod parse;
pub mod scan;
mod slips;
pub mod tree;

pub use crate::syntax::build_expr::strength;
pub use crate::syntax::format::format;
pub use crate::syntax::parse::{decode, parse_file, parse_position, parse_query};
