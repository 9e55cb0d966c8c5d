//! Closed forms of the file, used instead of searching: Grundy values, outcomes and remoteness that theorems state, and the
//! moves by them. Never taken on trust: `check` judges them by the rules, `--exhaustive` ignores them, and the answer says
//! that one was used.

use crate::analysis::termination::always_ends;
use crate::answer::{GrundyValue, Method, MoveList, Outcome};
use crate::engines::engine::{
    Engine, Evidence, PlanLines, Question, Reason, Solution, UseParts, Verdict, Wanted, Winning, choose, for_mover,
    internal_error, judge_moves,
};
use crate::engines::query::{Destination, NamedMove, Root, RootMove};
use crate::engines::space::NOTHING;
use crate::engines::values::{KnownValues, NORMAL};
use crate::engines::{Choice, in_proportion, is_hopeless, is_too_much, outcome_word, remoteness, stated};
use crate::model::{Term, TheoremSays};
use crate::source::Code;
use crate::store::ComponentId;
use crate::syntax::tree::{Measure, Which};
use crate::tuning::{self, Trial};
use crate::value::limits::Pace;
use crate::value::{Fault, Halt, Run, Value};
use crate::vm::context::{Context, TrialBudget};
use hashbrown::HashMap;
use num_bigint::BigUint;
use num_traits::Zero;

/// Grundy values that theorems state for every component.
pub(crate) struct StatedValues;

impl Engine for StatedValues {
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
        let mut values = KnownValues::new(stated_value);
        let Some(total) = values.sum(ctx, &BigUint::ZERO, &root.ids)? else { return not_all() };
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

    fn plan(&self, ctx: &mut Context, question: &Question, name: &str) -> Run<PlanLines> {
        let fit = match self.fits(ctx, question)? {
            Ok(()) if KnownValues::new(stated_value).sum(ctx, &BigUint::ZERO, &question.root.ids)?.is_none() => {
                Err("no theorem of the file gives the Grundy value of every component here".into())
            }
            other => other,
        };
        Ok(vec![(name.to_string(), fit.map(|()| None))])
    }
}

/// The outcome that a theorem states, where a search is too long: that tells the value and more moves.
pub(crate) struct StatedOutcome;

impl Engine for StatedOutcome {
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

    fn plan(&self, ctx: &mut Context, question: &Question, name: &str) -> Run<PlanLines> {
        let fit = match self.fits(ctx, question)? {
            Ok(()) if outcome_of(ctx, question.root)?.is_none() => {
                Err("no theorem of the file gives the outcome".into())
            }
            other => other,
        };
        Ok(vec![(name.to_string(), fit.map(|()| None))])
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

pub(super) fn stated_solution(total: &BigUint, method: Method, winning: Winning) -> Solution {
    let outcome = if total.is_zero() { Outcome::Second } else { Outcome::First };
    let mut solution = Solution::new(outcome, method, 0, StatedMoves(winning));
    solution.grundy =
        Some(u64::try_from(total).map_or_else(|_| GrundyValue::Large(total.clone()), GrundyValue::Nimber));
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

/// Whether a theorem's guard holds for a component that it speaks of.
fn holds(ctx: &mut Context, id: ComponentId, guard: Option<&Term>) -> Run<bool> {
    if !speaks_of(ctx, id)? {
        return Ok(false);
    }
    let Some(guard) = guard else { return Ok(true) };
    Ok(matches!(ctx.eval_at(id, guard)?, Value::Bool(true)))
}

/// Whether the theorems of its game speak of a component: `legal when` is not asked of a start, and they say nothing of one
/// to which no move may lead (rules 25 and 34).
pub(in crate::engines) fn speaks_of(ctx: &mut Context, id: ComponentId) -> Run<bool> {
    let program = ctx.session.program.clone();
    for legal in &program.games[ctx.store.game_of(id).0].legal {
        if !matches!(ctx.eval_at(id, legal)?, Value::Bool(true)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The Grundy value that a theorem states for a component; `None` when none does.
pub(super) fn stated_value(ctx: &mut Context, id: ComponentId) -> Run<Option<BigUint>> {
    let program = ctx.session.program.clone();
    let game = &program.games[ctx.store.game_of(id).0];
    if game.misere { Ok(None) } else { stated(ctx, id, Measure::Grundy) }
}

/// The number that a theorem states for a component; `None` when none does.
fn stated(ctx: &mut Context, id: ComponentId, measure: Measure) -> Run<Option<BigUint>> {
    let program = ctx.session.program.clone();
    for theorem in &program.games[ctx.store.game_of(id).0].theorems {
        let TheoremSays::Value { what, value, guard } = &theorem.says else { continue };
        if *what != measure || !holds(ctx, id, guard.as_ref())? {
            continue;
        }
        return Ok(match ctx.eval_at(id, value)? {
            Value::Int(n) => u64::try_from(n).ok().map(BigUint::from),
            Value::Big(n) => n.to_biguint(),
            _ => None,
        });
    }
    Ok(None)
}

/// Who wins a component played alone, as theorems state it; `None` when they leave it open.
fn stated_outcome(ctx: &mut Context, id: ComponentId) -> Run<Option<Outcome>> {
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
                let said = what.outcome();
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
    let mut left = [Outcome::First, Outcome::Second, Outcome::Draw].into_iter().filter(|o| !excluded.contains(o));
    Ok(left.next().filter(|_| left.next().is_none()))
}

/// A single component played in its own convention: the position that its theorems about outcome and remoteness are about.
fn alone(ctx: &Context, root: &Root) -> Option<ComponentId> {
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
    Ok(stated.and_then(|value| u64::try_from(value).ok()))
}

/// The solution when a theorem knows the outcome and searching is too much.
fn outcome_solution(ctx: &mut Context, root: &Root, outcome: Outcome) -> Run<Solution> {
    let far = if outcome == Outcome::Draw { None } else { stated_remoteness(ctx, root)? };
    let mut solution = Solution::new(outcome, Method::Theorem, 0, OutcomeEvidence(outcome)).with_remoteness(far);
    solution.no_value = Some("a theorem gives the outcome only, and the search for the value is too large".to_string());
    solution.search_remoteness = false;
    Ok(solution)
}

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
            Ok(judge_moves(root, ctx, most, judge)?.unwrap_or_default())
        });
        Ok(found?.map_or(Winning::TooMany, Winning::Known))
    }
}

/// What a move is worth by the stated outcomes of what it leads to.
fn verdict(ctx: &mut Context, root: &Root, mv: &RootMove) -> Run<Verdict> {
    let next = match &mv.steps[..] {
        [(_, NamedMove { way: Destination::Stop(outcome), .. })] => return Ok(for_mover(*outcome, true)),
        [(_, NamedMove { way: Destination::To(ids), .. })] => match ids[..] {
            [id] if ctx.session.program.games[ctx.store.game_of(id).0].misere == root.mode.misere => {
                stated_outcome(ctx, id)?
            }
            _ => None,
        },
        _ => None,
    };
    let next = next.ok_or_else(|| {
        let message = "a theorem gives the outcome, but the winning moves need a search that is too large";
        Halt::Fault(Fault::new(Code::L01, message))
    })?;
    Ok(for_mover(next, mv.keeps_turn()))
}

/// The winning moves where the stated values say who wins: as stated, else those that lead to 0 by the stated values; `None`
/// when some option's value is not stated.
fn winning_moves(
    ctx: &mut Context,
    root: &Root,
    total: &BigUint,
    values: &mut KnownValues,
    most: usize,
) -> Run<Option<MoveList>> {
    let stated = match &root.ids[..] {
        [_] => stated::moves(ctx, root, Which::Winning, most.max(1))?,
        _ => None,
    };
    // Lines that contradict each other are not used: every stated move must lead to value 0, and one there must be.
    let agreed = match stated {
        Some(moves) if moves.count > 0 && moves.all_win(ctx, root, total, values, tuning::FOLLOWED)? => Some(moves),
        _ => moves_of_sum(ctx, root, total, values, most)?,
    };
    if let Some(moves) = agreed {
        return Ok(Some(moves.answers(root, ctx, most)));
    }
    let judge = &mut |ctx: &mut Context, mv: &RootMove| values.verdict(ctx, root, mv, total);
    Ok(judge_moves(root, ctx, most, judge)?.map(|[moves, _]| moves))
}

/// The winning moves of a sum by the lines that state the moves to a Grundy value; `None` when some component has no such
/// lines, or they contradict the stated values.
fn moves_of_sum(
    ctx: &mut Context,
    root: &Root,
    total: &BigUint,
    values: &mut KnownValues,
    most: usize,
) -> Run<Option<stated::Stated>> {
    let mut found = stated::Stated::default();
    let mut known: HashMap<ComponentId, u64> = HashMap::new();
    let mut pace = Pace::default();
    for (i, &id) in root.ids.iter().enumerate().filter(|(i, _)| root.class[*i] == *i) {
        pace.spend(&ctx.limits, 8)?;
        let room = most.saturating_sub(found.first.len());
        if let (Some(count), true) = (known.get(&id), room == 0) {
            found.count += count;
            continue;
        }
        let Some(to) = values.sum(ctx, total, &[id])? else { return Ok(None) };
        // One in full of each component, to be held against the stated values.
        let Some(moves) = stated::moves_to(ctx, root, i, &Value::int(to.into()), room.max(1))? else { return Ok(None) };
        let followed = u64::from(found.count < tuning::FOLLOWED);
        if !moves.all_win(ctx, root, total, values, followed)? {
            return Ok(None);
        }
        known.insert(id, moves.count);
        found.count += moves.count;
        found.first.extend(moves.first.into_iter().take(room));
    }
    // From a value that is not 0 some move leads to 0.
    Ok((found.count > 0).then_some(found))
}
