//! Looking at the condition of a claim: what it claims of whom.

use crate::model::walk::some_term;
use crate::model::{CompareOp, LogicOp, Term, TermKind};

/// The form of a condition, as far as a report can say more of it than "false".
pub(crate) enum Form<'t> {
    /// `found OP claimed`
    Compare { found: &'t Term, op: CompareOp, claimed: &'t Term, flipped: bool },
    /// `found iff claimed`
    Iff { found: &'t Term, claimed: &'t Term },
    /// A question that should be answered so.
    Truth { question: &'t Term, claimed: bool },
    /// Both must hold.
    And(&'t Term, &'t Term),
    /// The second must hold, as the first does.
    Implies(&'t Term),
    /// Anything else.
    Other,
}

/// The condition without adaptations around it.
pub(crate) fn bare(term: &Term) -> &Term {
    match &term.kind {
        TermKind::Coerce(inner, _) | TermKind::Adapt(inner) => bare(inner),
        _ => term,
    }
}

fn asks(term: &Term) -> bool {
    some_term(term, |t| matches!(&t.kind, TermKind::Builtin(word, _) if word.is_question()))
}

/// The form of a condition: the side that asks a question about a position is what the rules say.
pub(crate) fn form(condition: &Term) -> Form<'_> {
    let condition = bare(condition);
    match &condition.kind {
        TermKind::Compare(a, rest) => match &rest[..] {
            [(op, b)] if !asks(a) && asks(b) => Form::Compare { found: b, op: *op, claimed: a, flipped: true },
            [(op, b)] => Form::Compare { found: a, op: *op, claimed: b, flipped: false },
            _ => Form::Other,
        },
        TermKind::Iff(a, b) if !asks(a) && asks(b) => Form::Iff { found: b, claimed: a },
        TermKind::Iff(a, b) => Form::Iff { found: a, claimed: b },
        TermKind::Logic(LogicOp::And, a, b) => Form::And(a, b),
        TermKind::Logic(LogicOp::Implies, _, b) => Form::Implies(b),
        TermKind::Builtin(word, _) if word.is_question() => Form::Truth { question: condition, claimed: true },
        TermKind::Not(inner) => match &bare(inner).kind {
            TermKind::Builtin(word, _) if word.is_question() => Form::Truth { question: bare(inner), claimed: false },
            _ => Form::Other,
        },
        _ => Form::Other,
    }
}

/// A comparison as words before the value: nothing for `==`.
pub(crate) fn comparison(op: CompareOp, flipped: bool) -> &'static str {
    match (op, flipped) {
        (CompareOp::Eq, _) => "",
        (CompareOp::Ne, _) => "not ",
        (CompareOp::Lt, false) | (CompareOp::Gt, true) => "< ",
        (CompareOp::Le, false) | (CompareOp::Ge, true) => "<= ",
        (CompareOp::Gt, false) | (CompareOp::Lt, true) => "> ",
        (CompareOp::Ge, false) | (CompareOp::Le, true) => ">= ",
        (CompareOp::In, false) => "in ",
        (CompareOp::NotIn, false) => "not in ",
        (CompareOp::In, true) => "a collection with ",
        (CompareOp::NotIn, true) => "a collection without ",
    }
}
