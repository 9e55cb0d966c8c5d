//! Graphs as drawn in the file.

use crate::source::text::Span;
use num_bigint::BigInt;

/// `a-b->c`: the first label, then an edge word and a label each.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Chain {
    pub first: Label,
    /// `true` for `->`
    pub rest: Vec<(bool, Label)>,
    pub span: Span,
}

/// A label of a drawn vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Label {
    Int(BigInt, Span),
    Text(String, Span),
}
