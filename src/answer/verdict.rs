//! What was found out about a claim, a theorem, a `same as` line or an `expect` line.

use crate::source::diagnostic::Diagnostic;
use crate::source::text::Span;
use crate::value::Value;

/// How a statement of a file fared (`docs/language.md`, "What a verdict may say").
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds for all positions.
    Proved {
        /// The kind of the proof.
        certificate: String,
    },
    /// It holds as far as was searched; [`Finding::bound`] says how far.
    Verified,
    /// It is false.
    Refuted,
    /// A limit came before the first size was done.
    Unknown {
        /// The limit.
        limit: String,
    },
    /// An `expect` line holds.
    Passed,
    /// An `expect` line does not hold.
    Failed,
}

impl Verdict {
    /// The word of reports.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Proved { .. } => "PROVED",
            Verdict::Verified => "VERIFIED",
            Verdict::Refuted => "REFUTED",
            Verdict::Unknown { .. } => "UNKNOWN",
            Verdict::Passed => "PASSED",
            Verdict::Failed => "FAILED",
        }
    }
}

/// Which kind of statement a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Kind {
    Claim,
    Theorem,
    /// `same as`
    Same,
    Expect,
}

impl Kind {
    /// The word of reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Kind::Claim => "claim",
            Kind::Theorem => "theorem",
            Kind::Same => "same as",
            Kind::Expect => "expect",
        }
    }
}

/// What was found out about one statement.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The file's name.
    pub file: String,
    /// What the statement is.
    pub kind: Kind,
    /// A claim's title; otherwise the statement as written, with its game.
    pub title: String,
    /// Where it stands.
    pub span: Span,
    /// How it fared; an error when it could not be evaluated.
    pub verdict: Result<Verdict, Box<Diagnostic>>,
    /// `claim false`: meant to be refuted.
    pub negated: bool,
    /// The variables of the smallest counterexample in the order written.
    pub counterexample: Vec<(String, Value)>,
    /// What the statement says of the counterexample.
    pub claimed: Option<String>,
    /// What the rules say of it.
    pub found: Option<String>,
    /// Instances compared.
    pub searched: u64,
    /// How far was searched, in words.
    pub bound: Option<String>,
    /// It was compared at every instance that there is.
    pub whole_range: bool,
    /// Positions met.
    pub positions: u64,
    /// Seconds it took.
    pub seconds: f64,
    /// The winner's line of play from the counterexample, as moves; may be empty.
    pub line: Vec<String>,
}

impl Finding {
    /// A finding without anything found yet.
    #[must_use]
    pub fn new(file: &str, kind: Kind, title: String, span: Span) -> Self {
        Finding {
            file: file.to_string(),
            kind,
            title,
            span,
            verdict: Ok(Verdict::Verified),
            negated: false,
            counterexample: Vec::new(),
            claimed: None,
            found: None,
            searched: 0,
            bound: None,
            whole_range: false,
            positions: 0,
            seconds: 0.0,
            line: Vec::new(),
        }
    }

    /// Whether this is as the file wants it: a `claim false` succeeds only when refuted.
    #[must_use]
    pub fn success(&self) -> bool {
        match &self.verdict {
            Ok(Verdict::Refuted) => self.negated,
            Ok(Verdict::Proved { .. } | Verdict::Verified | Verdict::Passed) => !self.negated,
            Ok(Verdict::Unknown { .. } | Verdict::Failed) | Err(_) => false,
        }
    }

    /// The exit code of the command line for this finding alone: 0 success, 1 failed, 2 error, 3 a limit.
    #[must_use]
    pub fn exit_code(&self) -> i32 {
        match &self.verdict {
            Err(error) => error.exit_code(),
            Ok(Verdict::Unknown { .. }) => 3,
            Ok(_) => i32::from(!self.success()),
        }
    }
}
