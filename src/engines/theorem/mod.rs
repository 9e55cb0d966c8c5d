//! Closed forms of the file, used instead of searching. Never taken on trust: `check` judges them by the rules,
//! `--exhaustive` ignores them, and the answer says that one was used.

mod moves;
mod outcome;
mod values;

use crate::answer::{Method, MoveList, Outcome};
use crate::engines::components::NORMAL;
use crate::engines::engine::{
    Engine, Evidence, Question, Reason, Solution, UseParts, Verdict, Wanted, Winning, choose, internal_error,
};
use crate::engines::nimber::Nimber;
use crate::engines::query::{Root, RootMove};
pub(super) use crate::engines::theorem::moves::leads_to_zero;
use crate::engines::theorem::moves::winning_moves;
use crate::engines::theorem::outcome::outcome_solution;
pub(crate) use crate::engines::theorem::outcome::{outcome_of, stated_remoteness};
pub(crate) use crate::engines::theorem::values::states_values;
pub(super) use crate::engines::theorem::values::{Values, known_value, speaks_of};
use crate::engines::{Choice, in_proportion, is_hopeless, is_too_much, remoteness};
use crate::tuning;
use crate::tuning::Trial;
use crate::value::fault::Run;
use crate::vm::context::Context;
use crate::vm::trial_budget::TrialBudget;

/// Grundy values that theorems state for every component.
pub(crate) struct StatedValues;

impl Engine for StatedValues {
    fn name(&self) -> &'static str {
        "Grundy values that theorems state"
    }

    fn fits(&self, _: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        let root = question.root;
        Ok(if question.by_theorems().is_none() {
            Err("theorems are not asked".into())
        } else if root.mode != NORMAL {
            Err("values add up in disjunctive sums in normal play alone".into())
        } else if root.ids.is_empty() {
            Err("there are no components".into())
        } else {
            Ok(())
        })
    }

    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let not_all = || Ok(Err("no theorem of the file gives the Grundy value of every component here".into()));
        let (root, Some(choice)) = (question.root, question.by_theorems()) else { return not_all() };
        let mut values = Values::of(&root.ids);
        let mut total = Nimber::ZERO;
        for &id in &root.ids {
            let Some(value) = known_value(ctx, id, &mut values)? else { return not_all() };
            total = total.xor(&value);
        }
        let mut winning = Winning::Known(<[MoveList; 2]>::default());
        if !total.is_zero() {
            winning = match tried(ctx, |ctx| winning_moves(ctx, root, &total, &mut values, choice.moves))? {
                Some(Some(moves)) => Winning::Known([moves, MoveList::default()]),
                Some(None) => return Ok(Err("no theorem gives the value of an option".into())),
                None => Winning::TooMany,
            };
        }
        confirmed(ctx, root, stated_solution(&total, Method::Theorem, winning), choice)
    }

    fn plan(&self, ctx: &mut Context, question: &Question) -> Run<Vec<(String, Result<(), Reason>)>> {
        let fit = match self.fits(ctx, question)? {
            Ok(()) if !states_values(ctx, question.root)? => {
                Err("no theorem of the file gives the Grundy value of every component here".into())
            }
            other => other,
        };
        Ok(vec![(self.name().to_string(), fit)])
    }
}

/// The outcome that a theorem states, where a search is too long: that tells the value and more moves.
pub(crate) struct StatedOutcome;

impl Engine for StatedOutcome {
    fn name(&self) -> &'static str {
        "the outcome that a theorem states, when a search is too long"
    }

    fn fits(&self, _: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        Ok(question.by_theorems().map(|_| ()).ok_or("theorems are not asked".into()))
    }

    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let root = question.root;
        let Some(known) = outcome_of(ctx, root)? else {
            return Ok(Err("no theorem of the file gives the outcome".into()));
        };
        let trial = in_proportion(ctx, root, tuning::SEARCH);
        let search = |ctx: &mut Context| {
            ctx.within_trial(trial, |ctx| {
                choose(ctx, &Question { parts: UseParts::Never, ..Question::search(root, Wanted::Value) })
            })
        };
        let tried = if is_hopeless(ctx, root, trial) { None } else { ctx.within_budget(search) };
        match tried {
            Some(Ok(solution)) => Ok(Ok(solution)),
            Some(Err(halt)) if !is_too_much(&halt) || ctx.limits_reached() => Err(halt),
            _ => outcome_solution(ctx, root, known).map(Ok),
        }
    }

    fn plan(&self, ctx: &mut Context, question: &Question) -> Run<Vec<(String, Result<(), Reason>)>> {
        let fit = match self.fits(ctx, question)? {
            Ok(()) if outcome_of(ctx, question.root)?.is_none() => {
                Err("no theorem of the file gives the outcome".into())
            }
            other => other,
        };
        Ok(vec![(self.name().to_string(), fit)])
    }
}

/// Moves that are known with the value, so that none is judged.
struct StatedMoves(Winning);

impl Evidence for StatedMoves {
    fn verdict(&self, _: &mut Context, _: &Root, _: &RootMove) -> Run<Verdict> {
        Err(internal_error())
    }

    fn winning(&self, _: &mut Context, _: &Root, _most: usize) -> Run<Winning> {
        Ok(self.0.clone())
    }
}

/// The solution of a position whose value and winning moves are known without a search.
pub(super) fn stated_solution(total: &Nimber, method: Method, winning: Winning) -> Solution {
    let outcome = if total.is_zero() { Outcome::Second } else { Outcome::First };
    let mut solution = Solution::new(outcome, method, 0, StatedMoves(winning));
    solution.grundy = Some(total.to_answer());
    solution.search_remoteness = false;
    solution
}

/// The solution with the remoteness, where a short search or a theorem tells it; refused when the search contradicts it: then
/// the theorems are wrong and not used.
pub(super) fn confirmed(
    ctx: &mut Context,
    root: &Root,
    mut solution: Solution,
    choice: Choice,
) -> Run<Result<Solution, Reason>> {
    if !choice.remoteness {
        return Ok(Ok(solution));
    }
    if let Some(tried) = remoteness::tried(ctx, root) {
        if (tried.outcome, &tried.grundy) != (solution.outcome, &solution.grundy) {
            // A file whose theorems are wrong is searched as long as it takes.
            ctx.run.trial_budget = TrialBudget::Distrust;
            return Ok(Err("a search contradicts the theorems".into()));
        }
        solution.remoteness = tried.remoteness;
    }
    if solution.lacks_remoteness() {
        solution.remoteness = stated_remoteness(ctx, root)?;
    }
    Ok(Ok(solution))
}

/// Work that may come to nothing when it is too much; the limits of the user hold all the same.
pub(super) fn tried<T>(ctx: &mut Context, work: impl FnOnce(&mut Context) -> Run<T>) -> Run<Option<T>> {
    tried_within(ctx, tuning::MOVES, work)
}

/// Work that may come to nothing within these limits.
pub(super) fn tried_within<T>(
    ctx: &mut Context,
    trial: Trial,
    work: impl FnOnce(&mut Context) -> Run<T>,
) -> Run<Option<T>> {
    match ctx.within_trial(trial, work) {
        Err(halt) if is_too_much(&halt) && !ctx.limits_reached() => Ok(None),
        other => other.map(Some),
    }
}
