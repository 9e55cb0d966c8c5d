//! Who wins, where nothing else is asked: depth first, and a position is left at the first move that wins.
//!
//! One component whose moves lead to single components, in any convention: of a sum in normal play Grundy values know more,
//! and what falls apart is left to them. A short search for values comes first, as elsewhere: it may be enough, and small
//! questions of a sweep share what it finds. Then native code finds the options ([`crate::tables`]), or the rules are run
//! one by one. Where a play comes back to a position, draws may arise, and the search of all positions decides.

use crate::answer::{Method, Outcome};
use crate::engines::engine::{Engine, Question, Reason, Solution, Verdict, Wanted, for_mover, internal_error};
use crate::engines::grundy::{self, Refused};
use crate::engines::query::{Root, RootMove};
use crate::engines::score::is_scored;
use crate::engines::values::{NORMAL, valued};
use crate::engines::whole::outcome_of_cell;
use crate::engines::{asked, by_tables, cyclic, decomposition, outcome, sums};
use crate::tables::Kind;
use crate::tuning::EARLY;
use crate::value::Run;
use crate::vm::context::{Context, EngineOptions};

pub(crate) struct FirstWin;

impl Engine for FirstWin {
    fn fits(&self, ctx: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        let Some(id) = question.single() else { return Ok(Err("not one component".into())) };
        Ok(if question.wanted != Wanted::Outcome {
            Err("more than who wins is asked".into())
        } else if !ctx.options.early {
            Err("turned off".into())
        } else if is_scored(ctx, question.root) {
            Err("a scoring game".into())
        } else if cyclic::outcome(ctx, id, question.root.mode.misere)?.is_some() {
            Err("it is known".into())
        } else {
            Ok(())
        })
    }

    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let Some(id) = question.single() else { return Ok(Err("not one component".into())) };
        let (root, misere) = (question.root, question.root.mode.misere);
        let kind = Kind::Wins { misere };
        if let Some((value, _)) = by_tables::read(ctx, id, kind) {
            return Ok(Ok(alone(outcome_of_cell(value), by_tables::positions(ctx, id))));
        }
        let mut positions = 0;
        if root.mode == NORMAL && !by_tables::is_begun(ctx, id, kind) {
            decomposition::try_fields(ctx, &root.ids, &mut positions)?;
            if let Some(lost) = decomposition::is(ctx, id, 0, &mut positions)? {
                return Ok(Ok(alone(if lost { Outcome::Second } else { Outcome::First }, positions)));
            }
            match grundy::values(ctx, &root.ids, true, &mut positions)? {
                Ok(()) => return valued(ctx, root, positions, false).map(Ok),
                Err(Refused::Cyclic) => return Ok(Err("a play can come back to a position".into())),
                Err(Refused::Met(_) | Refused::Long) => {}
            }
        }
        let options = EngineOptions { trial: ctx.options.trial / EARLY, ..ctx.options };
        ctx.with_options(options, |ctx| asked::asked(ctx, id, kind))?;
        if let Some((value, _)) = by_tables::read(ctx, id, kind) {
            return Ok(Ok(alone(outcome_of_cell(value), by_tables::positions(ctx, id))));
        }
        Ok(match sums::decide(ctx, &root.ids, misere, Wanted::Outcome, false)? {
            Some(found) => Ok(alone(found.decided.outcome, found.positions)),
            None => Err("a play can come back to a position, or moves lead to sums".into()),
        })
    }
}

fn alone(who: Outcome, positions: u64) -> Solution {
    Solution::new(who, Method::Search, positions, judged)
}

/// What a move is worth: who wins what it leads to is asked by itself.
pub(super) fn judged(ctx: &mut Context, root: &Root, mv: &RootMove) -> Run<Verdict> {
    let after = root.position_after(ctx, mv).ok_or_else(internal_error)?;
    Ok(for_mover(outcome(ctx, &after)?, mv.keeps_turn()))
}
