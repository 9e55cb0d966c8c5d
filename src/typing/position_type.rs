//! What is known of a position before it is evaluated: normal or misere play, a sum or a compound, which games.

use crate::model::builtin::Builtin;
use crate::model::{BinaryOp, GameId, Term, TermKind};
use crate::typing::checker::GameEntry;

/// What is known; `None` where it depends on values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PositionType {
    /// Played in misere convention.
    pub(crate) misere: Option<bool>,
    /// A compound other than the disjunctive sum.
    pub(crate) compound: Option<bool>,
}

/// Whether two positions are certainly of different conventions.
pub(crate) fn mix(a: PositionType, b: PositionType) -> bool {
    matches!((a.misere, b.misere), (Some(a), Some(b)) if a != b)
}

fn agree(a: PositionType, b: PositionType) -> PositionType {
    PositionType {
        misere: a.misere.filter(|_| a.misere == b.misere),
        compound: a.compound.filter(|_| a.compound == b.compound),
    }
}

/// What is known of a position, or of each position in a list.
pub(crate) fn position_type(games: &[GameEntry], term: &Term) -> PositionType {
    match &term.kind {
        TermKind::Place(place) => PositionType { misere: Some(games[place.game.0].tree.misere), compound: Some(false) },
        TermKind::Misere(of) => PositionType { misere: Some(true), ..position_type(games, of) },
        TermKind::If(_, a, b) => agree(position_type(games, a), position_type(games, b)),
        TermKind::Binary(BinaryOp::Add, a, b) => {
            let (a, b) = (position_type(games, a), position_type(games, b));
            PositionType { misere: a.misere.or(b.misere), compound: Some(false) }
        }
        TermKind::Adapt(of) | TermKind::Binary(BinaryOp::Mul, _, of) | TermKind::Comprehension(_, of, _) => {
            position_type(games, of)
        }
        TermKind::Items(_, items) => {
            let mut known = items.iter().map(|i| position_type(games, &i.term));
            let first = known.next().unwrap_or_default();
            known.fold(first, agree)
        }
        TermKind::Builtin(Builtin::Sum, args) => {
            let misere = args.last().and_then(|a| position_type(games, a).misere);
            PositionType { misere, compound: Some(false) }
        }
        TermKind::Builtin(word, args) if word.is_compound() => {
            let misere = args.last().and_then(|a| position_type(games, a).misere);
            PositionType { misere, compound: Some(true) }
        }
        _ => PositionType::default(),
    }
}

/// The games of all components, when they are certain.
pub(crate) fn known_games(term: &Term) -> Option<Vec<GameId>> {
    let mut games = Vec::new();
    let mut todo = vec![term];
    while let Some(term) = todo.pop() {
        match &term.kind {
            TermKind::Place(place) => games.push(place.game),
            TermKind::Misere(of)
            | TermKind::Adapt(of)
            | TermKind::Binary(BinaryOp::Mul, _, of)
            | TermKind::Comprehension(_, of, _) => todo.push(of),
            TermKind::Binary(BinaryOp::Add, a, b) => todo.extend([&**a, b]),
            TermKind::Items(_, items) => todo.extend(items.iter().map(|i| &i.term)),
            TermKind::Builtin(word, args) if *word == Builtin::Sum || word.is_compound() => todo.extend(args.last()),
            _ => return None,
        }
    }
    (!games.is_empty()).then_some(games)
}
