//! Errors as data; rendered in one place.

mod code;
mod render;

pub use crate::source::diagnostic::code::{Class, Code};
pub use crate::source::diagnostic::render::render;

use crate::source::text::Span;

/// What is told to the user: a code of `docs/language.md`, a lower-case message, a place, a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which error it is.
    pub code: Code,
    /// One sentence in lower case, names in backquotes.
    pub message: String,
    /// Where; `None` when nothing in a file is to blame.
    pub span: Option<Span>,
    /// What stands under the caret; may be empty.
    pub label: String,
    /// In which state of a game it came up.
    pub note: Option<Box<str>>,
    /// How to mend it.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Diagnostic { code, message: message.into(), span: Some(span), label: String::new(), note: None, hint: None }
    }

    /// An error without a place.
    pub fn bare(code: Code, message: impl Into<String>) -> Self {
        Diagnostic { code, message: message.into(), span: None, label: String::new(), note: None, hint: None }
    }

    /// The same with words under the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// The same with a note, unless there is one.
    #[must_use]
    pub fn note(mut self, note: impl FnOnce() -> String) -> Self {
        self.note.get_or_insert_with(|| note().into());
        self
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The exit code of the command line for this error: 3 for limits, 2 for everything else.
    pub fn exit_code(&self) -> i32 {
        if self.code.is_limit() { 3 } else { 2 }
    }
}
