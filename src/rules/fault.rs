//! What can go wrong while rules run.

/// An error of a running rule; the place is added by the code that ran it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// `"R01"`, `"R02"`, ..., `"E03"` for a type that only running could tell, `"L03"`, ...
    pub code: &'static str,
    /// One lower-case sentence.
    pub message: String,
}

impl Fault {
    /// A fault.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Fault { code, message: message.into() }
    }
}
