//! Who wins, asked in several wordings: `loses(P)`, `not wins(P)`, `outcome(P) == "second"`, `grundy(P) == 0`.

use crate::model::walk::bare;
use crate::model::{Builtin, CompareOp, Ending, Program, Target, Term, TermKind};

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

/// Whether every position of which it is proved who wins has a Grundy value, which is 0 where the player to move loses: in no game does a
/// move or an `end when` line end the whole play, keep the turn or bring points, and none is played in misere play.
fn have_values(program: &Program) -> bool {
    fn only_goes(target: &Target) -> bool {
        match target {
            Target::If(_, a, b) => only_goes(a) && only_goes(b),
            Target::Stop(_) => false,
            Target::Go { again, gain, .. } => !again && gain.is_none(),
        }
    }
    program.games.iter().all(|game| {
        !game.misere
            && game.ends.iter().all(|end| matches!(end.verdict, Ending::Over))
            && game.moves.iter().all(|one| only_goes(&one.target))
    })
}
