//! Outcomes and remoteness that theorems state, and the moves by them.

use crate::analysis::termination::always_ends;
use crate::answer::{Method, MoveList, Outcome};
use crate::engines::engine::{Evidence, Solution, Verdict, Winning};
use crate::engines::nimber::Nimber;
use crate::engines::query::{Goal, Root, RootMove};
use crate::engines::space::NOTHING;
use crate::engines::theorem::tried;
use crate::engines::theorem::values::{holds, stated};
use crate::engines::{lists, outcome_word, stated};
use crate::model::TheoremSays;
use crate::source::diagnostic::Code;
use crate::syntax::tree::{Measure, Verdict as Says, Which};
use crate::value::Value;
use crate::value::fault::{Fault, Halt, Run};
use crate::vm::context::Context;

/// Who wins a component played alone, as theorems state it; `None` when they leave it open.
fn stated_outcome(ctx: &mut Context, id: u32) -> Run<Option<Outcome>> {
    let program = ctx.session.program.clone();
    let game = &program.games[ctx.store.game_of(id).0];
    let mut excluded: Vec<Outcome> = Vec::new();
    for theorem in &game.theorems {
        match &theorem.says {
            TheoremSays::Value { what: Measure::Outcome, value, guard } => {
                if holds(ctx, id, guard.as_ref())?
                    && let Value::Text(word) = ctx.eval_at(id, value)?
                {
                    let word = word.to_string();
                    let all = [Outcome::First, Outcome::Second, Outcome::Draw];
                    return if let Some(outcome) = all.into_iter().find(|o| outcome_word(*o) == word) {
                        Ok(Some(outcome))
                    } else {
                        let message = format!("a theorem says the outcome is `{word}`, not first, second or draw");
                        Err(Halt::at(theorem.span, Fault::new(Code::E03, message)))
                    };
                }
            }
            TheoremSays::Verdict { what, when, guard } if holds(ctx, id, guard.as_ref())? => {
                let said = match what {
                    Says::Wins => Outcome::First,
                    Says::Loses => Outcome::Second,
                    Says::Draws => Outcome::Draw,
                };
                if matches!(ctx.eval_at(id, when)?, Value::Bool(true)) {
                    return Ok(Some(said));
                }
                excluded.push(said);
                // What neither player can hold off for ever is decided.
                let of = ctx.store.game_of(id);
                let mut ends = || *ctx.memo.ending.entry(of).or_insert_with(|| always_ends(&program, of));
                if !excluded.contains(&Outcome::Draw) && ends() {
                    excluded.push(Outcome::Draw);
                }
            }
            _ => {}
        }
    }
    let left: Vec<Outcome> =
        [Outcome::First, Outcome::Second, Outcome::Draw].into_iter().filter(|o| !excluded.contains(o)).collect();
    Ok(if left.len() == 1 { Some(left[0]) } else { None })
}

/// A single component played in its own convention: the position that its theorems about outcome and remoteness are about.
fn alone(ctx: &Context, root: &Root) -> Option<u32> {
    let [id] = root.ids[..] else { return None };
    if root.mode.compound.is_some() || id == NOTHING {
        return None;
    }
    (ctx.session.program.games[ctx.store.game_of(id).0].misere == root.mode.misere).then_some(id)
}

/// Who wins a single component by a theorem about outcomes, in its own convention.
pub(crate) fn outcome_of(ctx: &mut Context, root: &Root) -> Run<Option<Outcome>> {
    alone(ctx, root).map_or(Ok(None), |id| stated_outcome(ctx, id))
}

/// The remoteness of a single component by a theorem, in its own convention.
pub(crate) fn stated_remoteness(ctx: &mut Context, root: &Root) -> Run<Option<u64>> {
    let stated = alone(ctx, root).map_or(Ok(None), |id| stated(ctx, id, Measure::Remoteness))?;
    Ok(stated.and_then(|value| match value {
        Nimber::Small(n) => Some(n),
        Nimber::Large(_) => None,
    }))
}

/// The solution when a theorem knows the outcome and searching is too much.
pub(super) fn outcome_solution(ctx: &mut Context, root: &Root, outcome: Outcome) -> Run<Solution> {
    let far = if outcome == Outcome::Draw { None } else { stated_remoteness(ctx, root)? };
    let mut solution = Solution::new(outcome, Method::Theorem, 0, OutcomeEvidence(outcome)).with_remoteness(far);
    solution.no_value = Some("a theorem gives the outcome only, and the search for the value is too large".to_string());
    solution.search_remoteness = false;
    Ok(solution)
}

/// Theorems about outcomes, and this one of the position.
struct OutcomeEvidence(Outcome);

impl Evidence for OutcomeEvidence {
    fn verdict(&self, ctx: &mut Context, root: &Root, mv: &RootMove) -> Run<Verdict> {
        verdict(ctx, root, mv)
    }

    fn winning(&self, ctx: &mut Context, root: &Root, most: usize) -> Run<Winning> {
        // No move wins or draws a lost position, and none wins a drawn one.
        let (which, list) = match self.0 {
            Outcome::Second => return Ok(Winning::Known(<[MoveList; 2]>::default())),
            Outcome::First => (Which::Winning, 0),
            Outcome::Draw => (Which::Drawing, 1),
        };
        let found = tried(ctx, |ctx| {
            if let Some(moves) = stated::moves(ctx, root, which, most)? {
                let mut lists = <[MoveList; 2]>::default();
                lists[list] = moves.answers(root, ctx, most);
                return Ok(lists);
            }
            let judge = &mut |ctx: &mut Context, mv: &RootMove| verdict(ctx, root, mv).map(Some);
            Ok(lists::judged(root, ctx, most, judge)?.unwrap_or_default())
        });
        Ok(found?.map_or(Winning::TooMany, Winning::Known))
    }
}

fn no_moves(what: &str) -> Halt {
    Halt::Fault(Fault::new(
        Code::L01,
        format!("a theorem gives the outcome, but {what} need a search that is too large"),
    ))
}

/// What a move is worth by the stated outcomes of what it leads to.
fn verdict(ctx: &mut Context, root: &Root, mv: &RootMove) -> Run<Verdict> {
    let [(_, step)] = &mv.steps[..] else { return Err(no_moves("the winning moves")) };
    let next = match &step.way {
        Goal::Stop(Outcome::First) => return Ok(Verdict::Wins),
        Goal::Stop(Outcome::Second) => return Ok(Verdict::Loses),
        Goal::Stop(Outcome::Draw) => return Ok(Verdict::Draws),
        Goal::To(ids) => match ids[..] {
            [id] if ctx.session.program.games[ctx.store.game_of(id).0].misere == root.mode.misere => {
                stated_outcome(ctx, id)?
            }
            _ => None,
        },
    };
    Ok(match (next.ok_or_else(|| no_moves("the winning moves"))?, step.again) {
        (Outcome::Draw, _) => Verdict::Draws,
        (Outcome::Second, false) | (Outcome::First, true) => Verdict::Wins,
        _ => Verdict::Loses,
    })
}
