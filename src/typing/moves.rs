//! Moves and where they lead.

use crate::model::kind::Type;
use crate::model::{Clause, Frame, GameId, Move, Slot, Target};
use crate::syntax::tree;
use crate::syntax::tree::Outcome;
use crate::typing::checker::Checker;
use crate::typing::collections::pattern_slots;
use crate::typing::context::Context;

impl<'a> Checker<'a> {
    /// A move line.
    pub(crate) fn game_move(&mut self, game: GameId, cx: &mut Context, line: &'a tree::Move) -> Option<Move> {
        let mark = cx.locals.len();
        let clauses = self.clauses(cx, &line.clauses);
        let target = self.target(game, cx, &line.target);
        cx.locals.truncate(mark);
        let clauses = clauses?;
        let binders = identity(&cx.frame, &clauses);
        Some(Move { name: line.name.text.clone(), clauses, binders, target: target?, span: line.span })
    }

    fn target(&mut self, game: GameId, cx: &mut Context, target: &'a tree::Target) -> Option<Target> {
        match target {
            tree::Target::If { condition, yes, no, span } => self.deeper(*span, |this| {
                let condition = this.condition(cx, condition, "the condition after `if`");
                let yes = this.target(game, cx, yes);
                let no = this.target(game, cx, no);
                Some(Target::If(condition?, Box::new(yes?), Box::new(no?)))
            }),
            tree::Target::Win(_) => Some(Target::Stop(Outcome::First)),
            tree::Target::Lose(_) => Some(Target::Stop(Outcome::Second)),
            tree::Target::Draw(_) => Some(Target::Stop(Outcome::Draw)),
            tree::Target::Go { again, position, gain, .. } => {
                let position =
                    self.expr(cx, position).and_then(|p| self.want(p, &Type::Position, "the target of a move"));
                let gain = match gain {
                    None => Some(None),
                    Some(gain) => self.expr_as(cx, gain, &Type::Int, "the gain of a move").map(Some),
                };
                let (position, gain) = (position?, gain?);
                self.target_fits(game, &position)?;
                Some(Target::Go { again: *again, position, gain })
            }
        }
    }
}

/// The slots whose values tell moves of one name apart: those bound by `in`, but for names with `_` first.
pub(crate) fn identity(frame: &Frame, clauses: &[Clause]) -> Vec<Slot> {
    let mut slots = Vec::new();
    for clause in clauses {
        if let Clause::In { pattern, .. } = clause {
            pattern_slots(pattern, &mut slots);
        }
    }
    slots.retain(|&slot| !frame.slots[slot].name.starts_with('_'));
    slots
}
