//! Games whose positions are single heaps and whose rules are a take-and-break code, a subtraction set or an all-but set: they
//! are answered by the engines of [`grundy_heap`], for heaps of any size once a period is proved.
//!
//! Nothing is taken by its look. The rules are read as statements of linear arithmetic ([`crate::logic`]), and that the
//! moves of every heap are those of the code is decided by automata ([`codes`]); what has no such proof is searched.

mod codes;
mod counted;
mod quotients;

pub(crate) use quotients::MisereQuotients;

use crate::answer::{Method, MoveList};
use crate::engines::engine::{Engine, PlanLines, Question, Reason, Solution, Winning, judge_counted};
use crate::engines::query::{Root, RootMove};
use crate::engines::theorem::{confirmed, stated_remoteness, stated_solution, tried_within};
use crate::engines::values::{KnownValues, NORMAL};
use crate::logic::symbol::{No, Sym};
use crate::memo::OPEN;
use crate::model::walk::{each_part, each_term, free_slots, game_terms};
use crate::model::{Ending, Game as Rules, GameId, Kind, Program, Target, Term, TermId, TermKind};
use crate::source::Code;
use crate::store::ComponentId;
use crate::tuning;
use crate::value::limits::Pace;
use crate::value::{Component, Fault, Halt, Run, Value};
use crate::vm::context::{Context, Policy};
use grundy_automata::Limit;
use grundy_heap::game::Game;
use grundy_heap::moves::{Kinds, Moves};
use grundy_heap::period::Period;
use grundy_heap::sequence::Sequence;
use num_bigint::{BigInt, BigUint};
use num_traits::{ToPrimitive, Zero};
use std::collections::HashMap;
use std::sync::Arc;

/// The size of a component of a game with one natural number.
fn size(ctx: &Context, id: ComponentId) -> Option<Value> {
    let game = &ctx.session.program.games[ctx.store.game_of(id).0];
    let [field] = &game.fields[..] else { return None };
    matches!(field.kind, Kind::Nat).then(|| ctx.store.state_values(id)[0].clone())
}

/// Whether a component is a heap so large that its code is asked for.
fn is_large(ctx: &Context, id: ComponentId) -> bool {
    match (ctx.options.heaps, size(ctx, id)) {
        (Policy::Never, _) | (_, None) => false,
        (Policy::Large, Some(Value::Int(n))) => {
            n > tuning::HEAP_SPLIT
                && (n > tuning::HEAP_WHOLE || splits(&ctx.session.program.games[ctx.store.game_of(id).0]))
        }
        (Policy::Always | Policy::Large, Some(_)) => true,
    }
}

/// Whether a move may lead to several components, by its look.
fn splits(game: &Rules) -> bool {
    fn of(term: &Term) -> bool {
        let (mut places, mut sum) = (0, false);
        each_term(term, &mut |t| match t.kind {
            TermKind::Place(_) => places += 1,
            TermKind::Builtin(..) => sum = true,
            _ => {}
        });
        places > 1 || sum
    }
    let several = |target: &Target| matches!(target, Target::Go { position, .. } if of(position));
    game.moves.iter().flat_map(|mv| mv.target.leaves()).any(several)
}

/// The code whose Grundy values are those of a component, or why there is none.
pub(crate) fn code(ctx: &mut Context, id: ComponentId) -> Run<Result<Arc<Game>, String>> {
    if ctx.session.program.games[ctx.store.game_of(id).0].misere {
        return Ok(Err("a misere game".to_string()));
    }
    code_of_moves(ctx, id)
}

/// The code that the rules of a component are, or why they are none. Made once for each instance, in some milliseconds.
fn code_of_moves(ctx: &mut Context, id: ComponentId) -> Run<Result<Arc<Game>, String>> {
    let instance = ctx.store.instance_of[id.index()];
    if let Some(known) = ctx.memo.heaps.get(&instance) {
        return Ok(known.clone());
    }
    let found = recognised(ctx, id)?.map(Arc::new);
    ctx.memo.heaps.insert(instance, found.clone());
    Ok(found)
}

fn recognised(ctx: &mut Context, id: ComponentId) -> Run<Result<Game, String>> {
    let game = &ctx.session.program.games[ctx.store.game_of(id).0];
    if !game.legal.is_empty() || !game.same.is_empty() || !game.asks.is_empty() {
        return Ok(Err("`legal when`, `same as`, or a rule that asks about another game".to_string()));
    }
    if game.ends.iter().any(|end| !matches!(end.verdict, Ending::Over)) {
        return Ok(Err("an `end when` that ends the whole play".to_string()));
    }
    proved(ctx, id, codes::code)
}

/// The moves of large heaps of a component's game, where they are known without looking at each. The game must be a code.
fn counted_moves(ctx: &mut Context, id: ComponentId) -> Run<Option<Arc<[Moves]>>> {
    let instance = ctx.store.instance_of[id.index()];
    if let Some(known) = ctx.memo.heap_moves.get(&instance) {
        return Ok(known.clone());
    }
    let found = proved(ctx, id, counted::moves)?.ok().map(Arc::from);
    ctx.memo.heap_moves.insert(instance, found.clone());
    Ok(found)
}

/// What looks at a game with its rule parameters and at the terms of its rules that are known.
type Prove<T> = fn(&Program, (GameId, Vec<Sym>), HashMap<TermId, Sym>, &Limit) -> Result<T, No>;

/// What is proved of the rules of a component from their terms, or why nothing is.
fn proved<T>(ctx: &mut Context, id: ComponentId, prove: Prove<T>) -> Run<Result<T, String>> {
    let program = ctx.session.program.clone();
    let component = ctx.store.component_value(id);
    let game = &program.games[component.game.0];
    let Some(params) = component.params.iter().map(Sym::of).collect() else {
        return Ok(Err("a rule parameter of another kind than numbers, texts and collections".to_string()));
    };
    let constants = match ctx.within_trial(tuning::CONSTANTS, |ctx| constants(ctx, id, game)) {
        Err(halt @ Halt::Deopt(_)) => return Err(halt),
        Err(halt) if ctx.limits_reached() => return Err(halt),
        Err(_) => return Ok(Err("a constant of the rules cannot be worked out".to_string())),
        Ok(constants) => constants,
    };
    let limit = Limit {
        states: tuning::HEAP_STATES,
        tests: tuning::HEAP_TESTS,
        deadline: ctx.limits.deadline.map(|(at, _)| at),
        interrupted: ctx.limits.interrupted.clone(),
        ..Limit::default()
    };
    let found = prove(&program, (component.game, params), constants, &limit).map_err(|no| no.why);
    ctx.limits.check_clock()?;
    Ok(found)
}

/// Terms of the rules that read nothing but rule parameters, other than plain arithmetic, with their values.
fn constants(ctx: &mut Context, id: ComponentId, game: &Rules) -> Run<HashMap<TermId, Sym>> {
    let mut known = HashMap::new();
    let (mut todo, other) = game_terms(game);
    todo.extend(other);
    while let Some(term) = todo.pop() {
        let is_made = matches!(
            term.kind,
            TermKind::Global(_)
                | TermKind::Call(..)
                | TermKind::Builtin(..)
                | TermKind::Items(..)
                | TermKind::Comprehension(..)
                | TermKind::Index(..)
                | TermKind::Slice(..)
        );
        if is_made && free_slots(term).into_iter().all(|slot| slot < game.params.len()) {
            match ctx.eval_at(id, term) {
                Ok(value) => {
                    if let Some(value) = Sym::of(&value) {
                        known.insert(term.id(), value);
                        continue;
                    }
                }
                Err(Halt::Error(_) | Halt::Fault(_)) if !ctx.limits_reached() => {}
                Err(halt) => return Err(halt),
            }
        }
        each_part(term, &mut |part| todo.push(part));
    }
    Ok(known)
}

/// The Grundy value of a component whose rules are a code; `None` when they are none, or values get too large for the
/// engines. Fails at limits, where no period is proved below the size of the heap.
fn value(ctx: &mut Context, id: ComponentId) -> Run<Option<BigUint>> {
    let Ok(game) = code(ctx, id)? else { return Ok(None) };
    let Some(size) = size(ctx, id).and_then(|size| size.to_big().ok().map(std::borrow::Cow::into_owned)) else {
        return Ok(None);
    };
    let mut sequence = ctx.memo.sequences.remove(&game).unwrap_or_else(|| Sequence::new((*game).clone()));
    let found = find(ctx, &mut sequence, &size);
    ctx.memo.sequences.insert(game, sequence);
    match found {
        Ok(value) => Ok(value),
        Err(grundy_heap::Halt::TooLarge) => {
            let instance = ctx.store.instance_of[id.index()];
            ctx.memo.heaps.insert(instance, Err("its values grow too large for the engine".to_string()));
            Ok(None)
        }
        Err(grundy_heap::Halt::Stopped) => {
            check(ctx, sequence_bytes(ctx, id))?;
            Err(Fault::new(Code::L03, "the values of a heap were not worked out").into())
        }
    }
}

/// How many moves of a large heap win in a sum of this value, where that is known without looking at each.
fn winning_moves(ctx: &mut Context, id: ComponentId, total: &BigUint) -> Run<Option<u64>> {
    let Some(heap) = counted_heap(ctx, id) else { return Ok(None) };
    let (Ok(game), Some(value), Some(moves)) = (code(ctx, id)?, value(ctx, id)?, counted_moves(ctx, id)?) else {
        return Ok(None);
    };
    let Some(sequence) = ctx.memo.sequences.get(&game) else { return Ok(None) };
    let Some(period) = sequence.period().filter(|period| period.proof.is_some() && period.saltus == 0) else {
        return Ok(None);
    };
    let Period { start, length, .. } = period;
    Pace::default().spend(&ctx.limits, moves.len() * 2 * (start + length))?;
    let kinds = Kinds { kinds: sequence.values(), start, length };
    let wanted = value ^ total;
    let wins = |value: u16| BigUint::from(value) == wanted;
    let mut counts = moves.iter().map(|moves| moves.count(heap, kinds, wins, |a, b| wins(a ^ b)));
    Ok(counts.try_fold(0_u64, |all, count| all.checked_add(count?)))
}

/// The size of a heap whose moves may be counted without looking at each.
fn counted_heap(ctx: &Context, id: ComponentId) -> Option<u64> {
    let Some(Value::Int(heap)) = size(ctx, id) else { return None };
    u64::try_from(heap).ok().filter(|heap| *heap >= tuning::HEAP_COUNTED.into())
}

/// The bytes that the values of a component's game take.
fn sequence_bytes(ctx: &Context, id: ComponentId) -> usize {
    let game = ctx.memo.heaps.get(&ctx.store.instance_of[id.index()]).and_then(|found| found.as_ref().ok());
    game.and_then(|game| ctx.memo.sequences.get(game)).map_or(0, |sequence| bytes(sequence.values().len()))
}

/// What so many values take, with what the engine keeps besides and the search for a period.
fn bytes(values: usize) -> usize {
    values.saturating_mul(8)
}

fn check(ctx: &Context, bytes: usize) -> Run<()> {
    ctx.limits.check_clock()?;
    ctx.limits.check_memory(ctx.bytes().saturating_add(bytes))?;
    Ok(())
}

fn find(ctx: &Context, sequence: &mut Sequence, size: &BigInt) -> Result<Option<BigUint>, grundy_heap::Halt> {
    let known = |sequence: &Sequence| match size.to_u64() {
        Some(size) => sequence.value(size).map(BigUint::from),
        None => sequence.beyond(size).and_then(|value| value.to_biguint()),
    };
    if let Some(value) = known(sequence) {
        return Ok(Some(value));
    }
    search(ctx, sequence, size.to_usize().map_or(usize::MAX, |size| size.saturating_add(1)))?;
    Ok(known(sequence))
}

/// Works out so many values, unless a period is proved before, within the limits of time and memory.
fn search(ctx: &Context, sequence: &mut Sequence, len: usize) -> Result<(), grundy_heap::Halt> {
    let held = ctx.bytes();
    sequence.search(len, &mut |values| {
        let needed = held.saturating_add(bytes(values.len()));
        let fits = ctx.limits.check_clock().is_ok() && ctx.limits.check_memory(needed).is_ok();
        if fits { Ok(()) } else { Err(grundy_heap::Halt::Stopped) }
    })
}

/// Works out the Grundy value of a large heap by its code, and keeps it. `false`: search it.
pub(crate) fn settle(ctx: &mut Context, id: ComponentId) -> Run<bool> {
    if !is_large(ctx, id) {
        return Ok(false);
    }
    let value = value(ctx, id)?.and_then(|value| u32::try_from(value).ok()).filter(|value| *value < OPEN);
    ctx.memo.fit(ctx.components());
    if let Some(value) = value {
        ctx.memo.grundy[id.index()] = value;
    }
    Ok(value.is_some())
}

/// Whether a play from some heap takes so many moves, or a heap has so many, that a short search does not come to the end.
pub(crate) fn is_far(ctx: &mut Context, root: &Root) -> Run<bool> {
    for &id in &root.ids {
        let Ok(game) = code(ctx, id)? else { continue };
        let step = match &*game {
            Game::Subtraction(amounts) => amounts.last().map_or(u64::MAX, |most| *most as u64),
            Game::Code(_) | Game::AllBut(_) | Game::Lasker => 1,
        };
        let far = match size(ctx, id) {
            Some(Value::Int(n)) => n.unsigned_abs() / step > tuning::HEAP_FAR,
            _ => step < u64::MAX,
        };
        if far {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What the plan says of a position: the codes of its heaps, or why they are not used.
pub(crate) fn planned(ctx: &mut Context, root: &Root) -> Run<Result<Vec<String>, Reason>> {
    let mut codes = Vec::new();
    for &id in &root.ids {
        if size(ctx, id).is_none() {
            return Ok(Err("there is not exactly one field, a natural number".into()));
        }
        match code(ctx, id)? {
            Ok(game) => codes.push(game.to_string()),
            Err(why) => return Ok(Err(why.into())),
        }
    }
    codes.sort_unstable();
    codes.dedup();
    if root.ids.iter().any(|&id| is_large(ctx, id)) {
        return Ok(Ok(codes));
    }
    Ok(Err(if codes.is_empty() {
        "there are no components".into()
    } else {
        format!("the code is {}, but the heaps are small and quickly searched", codes.join(", ")).into()
    }))
}

/// Sums of heaps, one of them large, whose rules are codes.
pub(crate) struct HeapCodes;

impl Engine for HeapCodes {
    fn fits(&self, ctx: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        let root = question.root;
        Ok(if !question.codes {
            Err("all is searched".into())
        } else if root.mode != NORMAL {
            Err("values add up in disjunctive sums in normal play alone".into())
        } else if !root.ids.iter().any(|&id| is_large(ctx, id)) {
            Err("there is no large heap".into())
        } else {
            Ok(())
        })
    }

    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let root = question.root;
        let mut values = KnownValues::new(value);
        let Some(total) = values.sum(ctx, &BigUint::ZERO, &root.ids)? else {
            return Ok(Err("not all are heaps with a code".into()));
        };
        let mut winning = Winning::Known(<[MoveList; 2]>::default());
        if let Some(choice) = question.answer.filter(|_| !total.is_zero()) {
            let listed = tried_within(ctx, tuning::HEAP_MOVES, |ctx| {
                let judge = &mut |ctx: &mut Context, mv: &RootMove| values.verdict(ctx, root, mv, &total);
                let counts = &mut |ctx: &mut Context, i: usize| winning_moves(ctx, root.ids[i], &total);
                judge_counted(root, ctx, choice.moves, judge, counts)
            });
            winning = match listed? {
                Some(Some([moves, _])) => Winning::Known([moves, MoveList::default()]),
                Some(None) => return Ok(Err("a move leads to what is no heap with a code".into())),
                None => Winning::TooMany,
            };
        }
        let mut solution = stated_solution(&total, Method::Components, winning);
        let Some(choice) = question.answer else { return Ok(Ok(solution)) };
        if choice.remoteness && is_far(ctx, root)? {
            solution.remoteness = stated_remoteness(ctx, root)?;
            return Ok(Ok(solution));
        }
        confirmed(ctx, root, solution, choice)
    }

    fn plan(&self, ctx: &mut Context, question: &Question, name: &str) -> Run<PlanLines> {
        let fit = if question.root.mode == NORMAL {
            let codes = planned(ctx, question.root)?;
            codes.map(|codes| Some(format!("{}; any size once a period is proved", codes.join(", "))))
        } else {
            self.fits(ctx, question)?.map(|()| None)
        };
        Ok(vec![(name.to_string(), fit)])
    }
}

/// The code that the rules of a game with these rule parameters are, for heaps of every size; or why they are none.
pub(crate) fn code_of_rules(ctx: &mut Context, game: GameId, params: &[Value]) -> Run<Result<Arc<Game>, String>> {
    let program = ctx.session.program.clone();
    let model = &program.games[game.0];
    match &model.fields[..] {
        [field] if matches!(field.kind, Kind::Nat) => {}
        _ => return Ok(Err("there is not exactly one field, a natural number".to_string())),
    }
    let params = ctx.enter_params(game, params.iter().cloned().map(Some).collect())?;
    let state = ctx.enter_state(game, &params, vec![Some(Value::Int(0))])?;
    let component = Component { game, params, state, tag: None };
    if !ctx.in_domain(&component)? {
        return Ok(Err("the header's `where` restricts the heaps".to_string()));
    }
    let id = ctx.component(&component)?;
    code(ctx, id)
}

/// The period of a game's values, with the values before it and in it, if at most `most` values prove it; or why not.
pub(crate) fn certified_period(
    ctx: &mut Context,
    game: &Arc<Game>,
    most: usize,
) -> Run<Result<(Period, Vec<u16>), String>> {
    let mut sequence = ctx.memo.sequences.remove(game).unwrap_or_else(|| Sequence::new((**game).clone()));
    let found = search(ctx, &mut sequence, most);
    let period = sequence.period().filter(|period| period.proof.is_some());
    let values = period.map(|period| sequence.values()[..period.start + period.length].to_vec());
    let computed = sequence.values().len();
    ctx.memo.sequences.insert(game.clone(), sequence);
    match (period.zip(values), found) {
        (Some(certified), _) => Ok(Ok(certified)),
        (None, Err(grundy_heap::Halt::TooLarge)) => Ok(Err(format!("the values of `{game}` grow too large"))),
        (None, found) => {
            if found.is_err() {
                check(ctx, bytes(computed))?;
            }
            Ok(Err(format!("no period of `{game}` is proved by its first {computed} values")))
        }
    }
}
