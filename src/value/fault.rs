//! What can go wrong while rules run.

use crate::source::{Code, Diagnostic, Span};

/// An error of a running rule; the place is added by the code that ran it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which error it is.
    pub code: Code,
    /// One lower-case sentence.
    pub message: String,
    /// How to mend it.
    pub hint: Option<Box<str>>,
}

impl Fault {
    /// A fault.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Fault { code, message: message.into(), hint: None }
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Box<str>>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// As an error that has no place in a file.
    pub fn bare(self) -> Diagnostic {
        let told = Diagnostic::bare(self.code, self.message);
        match self.hint {
            Some(hint) => told.hint(hint),
            None => told,
        }
    }
}

/// In which respect the form of the rules is too narrow.
#[derive(Clone, Copy, Debug)]
pub enum Deopt {
    /// An int does not fit a word.
    IntOverflow,
    /// A set of numbers, or of pairs of them, has a member that no word for sets has.
    SetOverflow,
    /// A state of this game does not fit its packed word.
    StateOverflow(crate::model::GameId),
}

/// Why a run stopped before its end.
#[derive(Clone, Debug)]
pub enum Halt {
    /// An error with its place.
    Error(Box<Diagnostic>),
    /// An error whose place the running code adds.
    Fault(Fault),
    /// The work is to be done again in a wider form of the rules.
    Deopt(Deopt),
}

/// The result of running something.
pub type Run<T> = Result<T, Halt>;

impl Halt {
    /// The code of the error; a wish to run again in another way has none.
    pub fn code(&self) -> Option<Code> {
        match self {
            Halt::Error(error) => Some(error.code),
            Halt::Fault(fault) => Some(fault.code),
            Halt::Deopt(_) => None,
        }
    }

    /// Whether a limit ended the run.
    pub fn is_limit(&self) -> bool {
        self.code().is_some_and(Code::is_limit)
    }

    /// A fault with its place.
    pub fn at(span: Span, fault: Fault) -> Halt {
        Halt::Error(Box::new(Diagnostic { span: Some(span), ..fault.bare() }))
    }

    /// The same with a place, if it has none yet.
    #[must_use]
    pub fn placed(self, span: Span) -> Halt {
        match self {
            Halt::Fault(fault) => Halt::at(span, fault),
            other => other,
        }
    }
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Halt::Fault(fault)
    }
}

impl From<Diagnostic> for Halt {
    fn from(diagnostic: Diagnostic) -> Self {
        Halt::Error(Box::new(diagnostic))
    }
}
