//! Source texts, places in them, and errors as data.
//!
//! In: the text of a file. Out: its lines, and diagnostics with a code, a place and a hint, rendered in one place. All
//! other rooms may use this one; it knows none of them.

pub mod diagnostic;
pub mod nearest;
pub mod text;

pub use crate::source::diagnostic::{Class, Code, Diagnostic};
pub use crate::source::nearest::nearest;
pub use crate::source::text::{SourceId, Sources, Span};
