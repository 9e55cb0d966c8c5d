//! Who wins, asked in several wordings: `loses(P)`, `not wins(P)`, `outcome(P) == "second"`, `grundy(P) == 0`.

use crate::analysis::termination::reached;
use crate::model::walk::bare;
use crate::model::{Builtin, CompareOp, Ending, Game, GameId, Program, Target, Term, TermKind};
use crate::syntax::tree::Outcome;

/// The question whether the player to move wins, or loses.
#[derive(Clone, Copy)]
pub(crate) struct WhoWins<'t> {
    /// `wins` or `loses`.
    pub(crate) word: Builtin,
    pub(crate) position: &'t Term,
    /// It is asked by the Grundy value: there is none in misere play.
    pub(crate) by_value: bool,
}

/// The question that a condition is; `None`: it is no such question.
pub(crate) fn who_wins<'t>(program: &Program, condition: &'t Term) -> Option<WhoWins<'t>> {
    match &bare(condition).kind {
        TermKind::Builtin(word @ (Builtin::Wins | Builtin::Loses), of) => {
            let [position] = &of[..] else { return None };
            Some(WhoWins { word: *word, position, by_value: false })
        }
        TermKind::Not(inner) => {
            let asked = who_wins(program, inner)?;
            Some(WhoWins { word: if asked.word == Builtin::Wins { Builtin::Loses } else { Builtin::Wins }, ..asked })
        }
        TermKind::Compare(left, rest) => {
            let [(op, right)] = &rest[..] else { return None };
            compared(program, left, *op, right).or_else(|| compared(program, right, flipped(*op)?, left))
        }
        _ => None,
    }
}

/// A comparison of an outcome or a Grundy value, on its left, as such a question.
fn compared<'t>(program: &Program, left: &'t Term, op: CompareOp, right: &Term) -> Option<WhoWins<'t>> {
    let TermKind::Builtin(word, of) = &bare(left).kind else { return None };
    let [position] = &of[..] else { return None };
    let wins = match (word, op, &bare(right).kind) {
        (Builtin::Outcome, CompareOp::Eq, TermKind::Text(text)) => match &**text {
            "first" => true,
            "second" => false,
            _ => return None,
        },
        (Builtin::Grundy, _, TermKind::Int(number)) if have_values(program) => match (op, u8::try_from(number).ok()?) {
            (CompareOp::Eq | CompareOp::Le, 0) | (CompareOp::Lt, 1) => false,
            (CompareOp::Ne | CompareOp::Gt, 0) | (CompareOp::Ge, 1) => true,
            _ => return None,
        },
        _ => return None,
    };
    let by_value = *word == Builtin::Grundy;
    Some(WhoWins { word: if wins { Builtin::Wins } else { Builtin::Loses }, position, by_value })
}

/// The position whose outcome is compared with texts, and whether the comparison holds where the player to move wins, where he loses, and in
/// a draw.
pub(crate) fn may_be(condition: &Term) -> Option<(&Term, [bool; 3])> {
    fn asked(term: &Term) -> Option<&Term> {
        match &bare(term).kind {
            TermKind::Builtin(Builtin::Outcome, of) => of.first(),
            _ => None,
        }
    }
    let text = |term: &Term| match &bare(term).kind {
        TermKind::Text(text) => Some(text.clone()),
        _ => None,
    };
    let TermKind::Compare(left, rest) = &bare(condition).kind else { return None };
    let [(op, right)] = &rest[..] else { return None };
    let (position, texts) = match (op, &bare(right).kind) {
        (CompareOp::In | CompareOp::NotIn, TermKind::Items(_, items)) => {
            let texts = items.iter().map(|item| text(&item.term).filter(|_| !item.spread));
            (asked(left)?, texts.collect::<Option<Vec<_>>>()?)
        }
        (CompareOp::Eq | CompareOp::Ne, _) => match (asked(left), asked(right)) {
            (Some(position), _) => (position, vec![text(right)?]),
            (None, Some(position)) => (position, vec![text(left)?]),
            (None, None) => return None,
        },
        _ => return None,
    };
    let said = matches!(op, CompareOp::Eq | CompareOp::In);
    let may = ["first", "second", "draw"].map(|outcome| texts.iter().any(|text| &**text == outcome) == said);
    Some((position, may))
}

fn flipped(op: CompareOp) -> Option<CompareOp> {
    Some(match op {
        CompareOp::Eq | CompareOp::Ne => op,
        CompareOp::Lt => CompareOp::Gt,
        CompareOp::Le => CompareOp::Ge,
        CompareOp::Gt => CompareOp::Lt,
        CompareOp::Ge => CompareOp::Le,
        CompareOp::In | CompareOp::NotIn => return None,
    })
}

/// Whether no play of a game ends in a draw, by its rules and those of the games that its moves lead to; with points it may.
pub(crate) fn never_drawn(program: &Program, game: GameId) -> bool {
    fn drawn(target: &Target) -> bool {
        match target {
            Target::If(_, a, b) => drawn(a) || drawn(b),
            Target::Stop(outcome) => *outcome == Outcome::Draw,
            Target::Go { .. } => false,
        }
    }
    reached(program, game).into_iter().map(|id| &program.games[id.0]).all(|game| {
        !game.has_points()
            && !game.ends.iter().any(|end| matches!(end.verdict, Ending::Play(Outcome::Draw)))
            && !game.moves.iter().any(|one| drawn(&one.target))
    })
}

/// Whether every position of which it is proved who wins has a Grundy value, which is 0 where the player to move loses.
fn have_values(program: &Program) -> bool {
    program.games.iter().all(has_values)
}

/// The same of the positions of one game, and of those that its moves lead to.
pub(crate) fn all_have_values(program: &Program, game: GameId) -> bool {
    reached(program, game).into_iter().all(|id| has_values(&program.games[id.0]))
}

/// In the game no move or `end when` line ends the whole play, keeps the turn or brings points, and it is not played in misere play.
fn has_values(game: &Game) -> bool {
    fn only_goes(target: &Target) -> bool {
        match target {
            Target::If(_, a, b) => only_goes(a) && only_goes(b),
            Target::Stop(_) => false,
            Target::Go { again, gain, .. } => !again && gain.is_none(),
        }
    }
    !game.misere
        && game.ends.iter().all(|end| matches!(end.verdict, Ending::Over))
        && game.moves.iter().all(|one| only_goes(&one.target))
}
