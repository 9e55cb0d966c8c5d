//! Why a command ended early, and how a run ends.

use crate::source::diagnostic::Diagnostic;
use std::io;

/// The exit codes of the contract.
pub(crate) const ANSWERED: u8 = 0;
/// A claim or `expect` failed; `fmt --check` found something.
pub(crate) const FAILED: u8 = 1;
/// Bad file, arguments or data.
pub(crate) const BAD: u8 = 2;
/// A limit ended the work.
pub(crate) const LIMIT: u8 = 3;

/// Why a command ended before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Errors that are still to be told.
    Errors(Vec<Diagnostic>),
    /// Stdout does not take more.
    Output(io::Error),
}

impl From<Vec<Diagnostic>> for Stop {
    fn from(errors: Vec<Diagnostic>) -> Self {
        Stop::Errors(errors)
    }
}

impl From<Diagnostic> for Stop {
    fn from(error: Diagnostic) -> Self {
        Stop::Errors(vec![error])
    }
}

impl From<Box<Diagnostic>> for Stop {
    fn from(error: Box<Diagnostic>) -> Self {
        Stop::Errors(vec![*error])
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Output(error)
    }
}

/// The exit code for errors: a bad file counts for more than a limit.
pub(crate) fn exit_code<'d>(errors: impl IntoIterator<Item = &'d Diagnostic>) -> u8 {
    errors.into_iter().fold(ANSWERED, |code, error| worse(code, if error.code.is_limit() { LIMIT } else { BAD }))
}

/// Of two exit codes the one to end with: 2, then 1, then 3, then 0.
pub(crate) fn worse(a: u8, b: u8) -> u8 {
    let rank = |code: u8| match code {
        BAD => 3,
        FAILED => 2,
        LIMIT => 1,
        _ => 0,
    };
    if rank(b) > rank(a) { b } else { a }
}
