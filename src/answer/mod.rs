//! Answers: what is known of a position, and how it was found.
//!
//! Answers are data. The engines make them, claims and the prover make verdicts, `report` writes them; nothing is
//! worked out here.

pub mod table;
pub mod verdict;

pub use crate::syntax::tree::Outcome;

use crate::value::Value;

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
    #[must_use]
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
}

/// Everything `solve` says of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The position as text.
    pub position: String,
    /// Who wins.
    pub outcome: Outcome,
    /// The Grundy value where it is defined and was worked out.
    pub grundy: Option<GrundyValue>,
    /// Why there is no Grundy value.
    pub grundy_refused: Option<String>,
    /// Why the moves that win, or draw where no move wins, are not known: only a theorem tells the outcome or the value.
    pub moves_refused: Option<String>,
    /// The remoteness where it is defined and was worked out.
    pub remoteness: Option<u64>,
    /// The score of a scoring game.
    pub score: Option<i64>,
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
