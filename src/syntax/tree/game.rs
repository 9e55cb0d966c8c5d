//! Games and the lines inside them.

use crate::source::text::Span;
use crate::syntax::tree::expr::{Clause, Expr, Naming};
use crate::syntax::tree::words::{Measure, Verdict, Which};
use crate::syntax::tree::{Def, Kind, Let, Name};

/// A rule parameter or field of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Decl {
    pub name: Name,
    pub kind: Option<Kind>,
    pub default: Option<Expr>,
}

/// `[misere] game G[params](fields) where C { rules }`
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Game {
    pub name: Name,
    pub misere: bool,
    pub params: Vec<Decl>,
    pub fields: Vec<Decl>,
    pub filter: Option<Expr>,
    pub rules: Vec<Rule>,
    pub span: Span,
}

/// A line inside a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Rule {
    Move(Move),
    /// `end when C: VERDICT`
    End {
        when: Expr,
        verdict: EndVerdict,
        span: Span,
    },
    /// `legal when C`
    Legal {
        when: Expr,
        span: Span,
    },
    /// `same as P when C`
    Same {
        position: Expr,
        when: Expr,
        span: Span,
    },
    Theorem(Theorem),
    Let(Let),
    Def(Def),
}

/// What an `end when` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndVerdict {
    /// Simply no moves here.
    Over,
    /// The player to move has lost the whole play.
    Lost,
    /// The player to move has won the whole play.
    Won,
    /// The whole play is drawn.
    Drawn,
    /// This component ends with so many points for the player to move.
    Score(Expr),
}

/// `move NAME CLAUSES -> TARGET`
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Move {
    pub name: Name,
    pub clauses: Vec<Clause>,
    pub target: Target,
    pub span: Span,
}

/// Where a move leads.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Target {
    /// `if C then T else T`
    If { condition: Expr, yes: Box<Target>, no: Box<Target>, span: Span },
    /// `win`, of the mover
    Win(Span),
    /// `lose`, of the mover
    Lose(Span),
    /// `draw`
    Draw(Span),
    /// `[again] P [gain E]`
    Go { again: bool, position: Expr, gain: Option<Expr>, span: Span },
}

/// `theorem ...`
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Theorem {
    pub says: TheoremSays,
    pub with: Vec<Naming>,
    pub span: Span,
}

/// What a theorem says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum TheoremSays {
    /// `winning NAME for CLAUSES`, `drawing ..`, `moves to X NAME for CLAUSES`
    Moves { which: Which<Name>, name: Name, clauses: Vec<Clause> },
    /// `grundy|outcome|score|remoteness = E [where G]`
    Value { what: Measure, value: Expr, guard: Option<Expr> },
    /// `wins|loses|draws iff C [where G]`
    Verdict { what: Verdict, when: Expr, guard: Option<Expr> },
}
