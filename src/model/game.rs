//! Games: what may be in their fields, their moves, ends and theorems; and what a file asks.

use crate::model::kind::Kind;
use crate::model::term::{Clause, Term};
use crate::model::{Body, Frame, GameId, Slot};
use crate::source::text::Span;
use crate::syntax::tree::{FactMeasure, Measure, Outcome, Verdict, Which};

/// A rule parameter or field, or a parameter of a def.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name (`%` when a pattern takes it apart; then lazy `Part` slots follow).
    pub name: String,
    /// What may be in it; checked on entering (rules 4, 6, 8).
    pub kind: Kind,
    /// The default; sees the slots before it.
    pub default: Option<Term>,
    pub span: Span,
}

/// A game. Slots: `params`, then `fields`, then lets and binders.
#[derive(Clone, Debug)]
pub struct Game {
    pub name: String,
    pub span: Span,
    /// `misere game`
    pub misere: bool,
    /// Rule parameters: slots `0..params.len()`.
    pub params: Vec<Field>,
    /// State fields: the slots after the parameters.
    pub fields: Vec<Field>,
    /// The header's `where`.
    pub filter: Option<Term>,
    /// The frame, binders of all rules included.
    pub frame: Frame,
    /// `end when` lines in order.
    pub ends: Vec<End>,
    /// `legal when` lines.
    pub legal: Vec<Term>,
    /// `same as P when C` lines in order; each P is a [`TermKind::Place`](crate::model::TermKind::Place) of this game or a term of type position.
    pub same: Vec<Same>,
    pub moves: Vec<Move>,
    pub theorems: Vec<Theorem>,
    /// Games that its targets and `same as` lines name, itself included when it does.
    pub successors: Vec<GameId>,
    /// Games whose `grundy`, `wins`, ... its rules ask (rule 28).
    pub asks: Vec<GameId>,
}

/// `end when`.
#[derive(Clone, Debug)]
pub struct End {
    pub when: Term,
    pub verdict: Ending,
    pub span: Span,
}

/// What an `end when` says.
#[derive(Clone, Debug)]
pub enum Ending {
    /// No moves here.
    Over,
    /// The player to move has lost, won or drawn the whole play: `Second`, `First`, `Draw`.
    Play(Outcome),
    /// This component is over with so many points for the player to move.
    Score(Term),
}

/// `same as P when C`.
#[derive(Clone, Debug)]
pub struct Same {
    pub position: Term,
    pub when: Term,
    pub span: Span,
}

/// A move.
#[derive(Clone, Debug)]
pub struct Move {
    pub name: String,
    pub clauses: Vec<Clause>,
    /// The slots of its `in`-binders that count for its identity (rule 20), in order.
    pub binders: Vec<Slot>,
    /// Where it leads.
    pub target: Target,
    pub span: Span,
}

/// Where a move leads.
#[derive(Clone, Debug)]
pub enum Target {
    If(Term, Box<Target>, Box<Target>),
    /// The mover wins (`First`), loses (`Second`) or draws the whole play.
    Stop(Outcome),
    Go {
        again: bool,
        position: Term,
        gain: Option<Term>,
    },
}

/// A theorem.
#[derive(Clone, Debug)]
pub struct Theorem {
    pub says: TheoremSays,
    pub span: Span,
}

/// What a theorem says.
#[derive(Clone, Debug)]
pub enum TheoremSays {
    Value {
        what: Measure,
        value: Term,
        guard: Option<Term>,
    },
    Verdict {
        what: Verdict,
        when: Term,
        guard: Option<Term>,
    },
    /// `move_index` into [`Game::moves`]: the first move of that name; all moves of that name have binders of the same names.
    /// `slots` are the slots bound by `clauses`, in the order of the move's binders.
    Moves {
        which: Which<Slot>,
        name: String,
        clauses: Vec<Clause>,
        slots: Vec<Slot>,
    },
}

/// A question of the file.
#[derive(Clone, Debug)]
pub enum Question {
    Solve { body: Body, span: Span },
    Table { frame: Frame, value: Term, clauses: Vec<Clause>, span: Span },
    Claim(Claim),
    Expect { frame: Frame, position: Term, facts: Vec<Fact>, span: Span },
}

/// A claim.
#[derive(Clone, Debug)]
pub struct Claim {
    pub title: String,
    pub negated: bool,
    pub frame: Frame,
    pub clauses: Vec<Clause>,
    pub condition: Term,
    pub span: Span,
}

/// A fact of an `expect`.
#[derive(Clone, Debug)]
pub enum Fact {
    Outcome(Outcome, Span),
    Measure(FactMeasure, Term, Span),
}
