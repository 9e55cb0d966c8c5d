//! Walks over terms. Their depth is bounded by the nesting limit (E18).

use crate::model::builtin::Builtin;
use crate::model::{Clause, Pattern, PlaceParams, Slot, Term, TermKind};

/// Calls `f` with every term below `term`, itself first.
pub fn each_term<'t>(term: &'t Term, f: &mut dyn FnMut(&'t Term)) {
    f(term);
    match &term.kind {
        TermKind::Int(_)
        | TermKind::Bool(_)
        | TermKind::Text(_)
        | TermKind::Drawing(_)
        | TermKind::Slot(_)
        | TermKind::Global(_) => {}
        TermKind::Neg(a) | TermKind::Not(a) | TermKind::Misere(a) | TermKind::Coerce(a, _) | TermKind::Adapt(a) => {
            each_term(a, f);
        }
        TermKind::Part { of, .. } => each_term(of, f),
        TermKind::Logic(_, a, b) | TermKind::Iff(a, b) | TermKind::Binary(_, a, b) | TermKind::Index(a, b) => {
            each_term(a, f);
            each_term(b, f);
        }
        TermKind::Compare(first, rest) => {
            each_term(first, f);
            for (_, t) in rest {
                each_term(t, f);
            }
        }
        TermKind::If(a, b, c) => {
            each_term(a, f);
            each_term(b, f);
            each_term(c, f);
        }
        TermKind::Tuple(parts) | TermKind::Builtin(_, parts) => parts.iter().for_each(|t| each_term(t, f)),
        TermKind::Items(_, items) => items.iter().for_each(|i| each_term(&i.term, f)),
        TermKind::Comprehension(_, value, clauses) => {
            each_in_clauses(clauses, f);
            each_term(value, f);
        }
        TermKind::Slice(a, from, to) => {
            each_term(a, f);
            from.iter().chain(to).for_each(|t| each_term(t, f));
        }
        TermKind::Update(base, changes, clauses) => {
            each_term(base, f);
            if let Some(clauses) = clauses {
                each_in_clauses(clauses, f);
            }
            for change in changes {
                each_term(&change.index, f);
                each_term(&change.value, f);
            }
        }
        TermKind::Call(_, args) => args.iter().flatten().for_each(|t| each_term(t, f)),
        TermKind::Place(place) => {
            if let PlaceParams::Given(params) = &place.params {
                params.iter().flatten().for_each(|t| each_term(t, f));
            }
            place.fields.iter().flatten().for_each(|t| each_term(t, f));
        }
    }
}

/// Calls `f` with every term in the clauses.
pub fn each_in_clauses<'t>(clauses: &'t [Clause], f: &mut dyn FnMut(&'t Term)) {
    for clause in clauses {
        match clause {
            Clause::In { source, .. } => each_term(source, f),
            Clause::Let { value, .. } => each_term(value, f),
            Clause::Where(condition) => each_term(condition, f),
        }
    }
}

/// Calls `f` with every slot that the clauses bind.
pub fn each_bound(clauses: &[Clause], f: &mut dyn FnMut(Slot)) {
    for clause in clauses {
        match clause {
            Clause::In { pattern, .. } | Clause::Let { pattern, .. } => each_slot(pattern, f),
            Clause::Where(_) => {}
        }
    }
}

/// The graph that a kind names, without the adaptation of a grid to its graph around it.
#[must_use]
pub fn named_graph(term: &Term) -> &Term {
    match &term.kind {
        TermKind::Adapt(inner) => named_graph(inner),
        _ => term,
    }
}

/// Calls `f` with every slot of a pattern.
pub fn each_slot(pattern: &Pattern, f: &mut dyn FnMut(Slot)) {
    match pattern {
        Pattern::Slot(slot) => f(*slot),
        Pattern::Tuple(parts, _) => parts.iter().for_each(|p| each_slot(p, f)),
        Pattern::Ignore => {}
    }
}

impl Builtin {
    /// Whether the word asks a question about a position.
    #[must_use]
    pub fn is_question(self) -> bool {
        use Builtin as B;
        matches!(
            self,
            B::Wins
                | B::Loses
                | B::Draws
                | B::Outcome
                | B::Grundy
                | B::Score
                | B::Remoteness
                | B::Moves
                | B::Winning
                | B::Options
        )
    }

    /// Whether the word makes a compound.
    #[must_use]
    pub fn is_compound(self) -> bool {
        use Builtin as B;
        matches!(self, B::Conjunctive | B::Continued | B::Selective | B::ShortenedSelective | B::Diminished | B::AtMost)
    }
}

impl crate::model::Game {
    /// Whether a rule of the game speaks of points (`gain`, `score`).
    #[must_use]
    pub fn has_points(&self) -> bool {
        use crate::model::{Ending, Target};
        fn gains(target: &Target) -> bool {
            match target {
                Target::If(_, yes, no) => gains(yes) || gains(no),
                Target::Stop(_) => false,
                Target::Go { gain, .. } => gain.is_some(),
            }
        }
        self.ends.iter().any(|e| matches!(e.verdict, Ending::Score(_))) || self.moves.iter().any(|m| gains(&m.target))
    }
}
