//! Answers: what is known of a position, and how it was found.
//!
//! Answers are data. The engines make them, claims and the prover make verdicts, `report` writes them; nothing is
//! worked out here.

use crate::source::{Diagnostic, Span};
pub use crate::syntax::tree::Outcome;
use crate::value::{Points, Value};

/// A Grundy value: a nimber, or an infinite loopy value (Smith 1966; Fraenkel and Yesha).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GrundyValue {
    /// A finite value.
    Nimber(u64),
    /// A finite value beyond words: only theorems tell such.
    Large(num_bigint::BigUint),
    /// An infinite value with the finite values of the options, ascending.
    Loop(Vec<u64>),
}

/// How an answer was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// A theorem of the file.
    Theorem,
    /// Components solved apart, values xored.
    Components,
    /// Exhaustive search of the position itself.
    Search,
    /// Retrograde analysis of a position graph (draws possible).
    Retrograde,
}

impl Method {
    /// The word used in answers.
    pub fn word(self) -> &'static str {
        match self {
            Method::Theorem => "theorem",
            Method::Components => "components",
            Method::Search => "search",
            Method::Retrograde => "retrograde",
        }
    }
}

/// A move from the position asked about (rules 20, 37).
#[derive(Clone, Debug, PartialEq)]
pub struct MoveAnswer {
    /// As text: the name and its binders, `take 2`.
    pub text: String,
    /// The name.
    pub name: String,
    /// The binders that count.
    pub binders: Vec<(String, Value)>,
    /// Which component of the sum, from 0; `None` when the position is no sum of several, or a compound.
    pub component: Option<usize>,
    /// That component as text.
    pub within: Option<String>,
    /// The position it leads to as text; `win`, `lose` or `draw` when it ends the play.
    pub to: String,
    /// Compounds: every component moved.
    pub parts: Option<Vec<PartMove>>,
}

/// A component's move in a compound.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct PartMove {
    pub component: usize,
    pub name: String,
    pub binders: Vec<(String, Value)>,
}

/// A list of moves, perhaps cut.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveList {
    /// How many there are.
    pub count: u64,
    /// The first of them, as many as were asked for.
    pub listed: Vec<MoveAnswer>,
    /// Some that are not in the list were counted and not looked at: there may be fewer in it than were asked for.
    pub far: bool,
}

/// Everything `solve` says of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The position as text.
    pub position: String,
    /// Who wins.
    pub outcome: Outcome,
    /// What the player to move is called, and what the other, where the games of all components say the same.
    pub players: Option<[String; 2]>,
    /// The Grundy value where it is defined and was worked out.
    pub grundy: Option<GrundyValue>,
    /// Why there is no Grundy value.
    pub grundy_refused: Option<String>,
    /// Why the moves that win, or draw where no move wins, are not known: only a theorem tells the outcome or the value.
    pub moves_refused: Option<String>,
    /// The remoteness where it is defined and was worked out.
    pub remoteness: Option<u64>,
    /// The score of a scoring game.
    pub score: Option<Points>,
    /// The winning moves; in a scoring game the best moves.
    pub winning: MoveList,
    /// The drawing moves when the outcome is a draw, unless only a theorem knows that and none knows them; in a scoring game
    /// the best moves again.
    pub drawing: Option<MoveList>,
    /// How it was found.
    pub method: Method,
    /// Positions searched.
    pub positions: u64,
}

/// What a `table` line shows.
#[derive(Clone, Debug)]
pub struct Table {
    /// The binders in order.
    pub axes: Vec<Axis>,
    /// The values.
    pub cells: Cells,
}

/// A binder of a table.
#[derive(Clone, Debug)]
pub struct Axis {
    /// As it is written: `n`, `(a, b)`.
    pub name: String,
    /// The members it takes in order; empty when they depend on other binders or on a `where`.
    pub values: Vec<Value>,
    /// Its ends when it is a range of ints.
    pub range: Option<(i64, i64)>,
}

/// The values of a table; `None` where a limit came first.
#[derive(Clone, Debug)]
pub enum Cells {
    /// One for each combination of members; the last axis runs fastest.
    Full(Vec<Option<Value>>),
    /// The combinations that there are, as one member of each axis, with their values.
    Some(Vec<(Vec<Value>, Option<Value>)>),
}

impl Table {
    /// Every entry: the members and the value.
    pub fn entries(&self) -> Vec<(Vec<Value>, Option<&Value>)> {
        match &self.cells {
            Cells::Some(rows) => rows.iter().map(|(members, value)| (members.clone(), value.as_ref())).collect(),
            Cells::Full(values) => {
                let member = |index: usize, axis: usize| {
                    let below: usize = self.axes[axis + 1..].iter().map(|a| a.values.len()).product();
                    self.axes[axis].values[index / below % self.axes[axis].values.len()].clone()
                };
                let members = |index: usize| (0..self.axes.len()).map(|axis| member(index, axis)).collect();
                values.iter().enumerate().map(|(index, value)| (members(index), value.as_ref())).collect()
            }
        }
    }
}

/// How a statement of a file fared (`docs/language.md`, "What a verdict may say").
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds for all positions.
    Proved {
        /// The kind of the proof.
        certificate: String,
    },
    /// It holds for all positions of some rule parameters and lengths; nothing is proved of the others.
    ProvedPart {
        /// The kind of the proof.
        certificate: String,
        /// For which.
        scope: ProofScope,
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

/// For which rule parameters and lengths a statement is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofScope {
    /// The names of the rule parameters.
    pub parameters: Vec<String>,
    /// Rule parameters that have the same lengths, with these: a length for each list and set among the fields, in order.
    pub parts: Vec<ProofScopePart>,
}

/// Some rule parameters and the lengths that belong to each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofScopePart {
    /// The rule parameters, in order.
    pub values: Vec<Vec<Value>>,
    /// The lengths, in order.
    pub lengths: Vec<Vec<usize>>,
}

impl Verdict {
    /// The kind of the proof, if there is one.
    pub fn certificate(&self) -> Option<&str> {
        match self {
            Verdict::Proved { certificate } | Verdict::ProvedPart { certificate, .. } => Some(certificate),
            _ => None,
        }
    }

    /// The word of reports for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Proved { .. } => "PROVED",
            Verdict::ProvedPart { .. } => "PROVED_PART",
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

/// `a = 3, b = 5`
pub fn named_text(named: &[(String, Value)]) -> String {
    let named = named.iter().map(|(name, value)| format!("{name} = {}", value.inner_text()));
    named.collect::<Vec<_>>().join(", ")
}

impl Finding {
    /// A finding without anything found yet.
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
    pub fn success(&self) -> bool {
        match &self.verdict {
            Ok(Verdict::Refuted) => self.negated,
            Ok(Verdict::Proved { .. } | Verdict::Verified | Verdict::Passed) => !self.negated,
            Ok(Verdict::ProvedPart { .. } | Verdict::Unknown { .. } | Verdict::Failed) | Err(_) => false,
        }
    }

    /// The exit code of the command line for this finding alone: 0 success, 1 failed, 2 error, 3 a limit.
    pub fn exit_code(&self) -> i32 {
        match &self.verdict {
            Err(error) => error.exit_code(),
            Ok(Verdict::Unknown { .. } | Verdict::ProvedPart { .. }) => 3,
            Ok(_) => i32::from(!self.success()),
        }
    }
}
