//! Source texts, places in them, and errors as data.

pub mod diagnostic;
pub mod text;
