//! What to say when a statement does not parse.

use super::parse::Rule;
use super::split::span;
use crate::diagnostic::Diagnostic;
use crate::text::SourceId;

/// Where the parser could not go on, and what it would have taken.
pub(super) struct Failure<'a> {
    pub(super) text: &'a str,
    pub(super) source: SourceId,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) at: usize,
    pub(super) expected: Vec<Rule>,
}

/// The message for a failure.
pub(super) fn explain(failure: &Failure) -> Diagnostic {
    let place = span(failure.source, failure.at, (failure.at + 1).min(failure.end));
    Diagnostic::new("S01", place, format!("expected {:?} {}", failure.expected, failure.text.len() + failure.start))
}
