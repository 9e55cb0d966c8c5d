//! Games whose positions are single heaps and whose rules are a take-and-break code, a subtraction set or an all-but set: they
//! are answered by the engines of [`grundy_heap`], for heaps of any size once a period is proved.
//!
//! Nothing is taken by its look. The rules are read as statements of linear arithmetic ([`read`], [`ways`]), and that the
//! moves of every heap are those of the code is decided by automata ([`digits`]); what has no such proof is searched.

mod answer;
mod certified;
mod codes;
mod digits;
mod domain;
mod numbers;
mod read;
mod targets;
mod ways;

pub(crate) use crate::engines::heap_codes::answer::HeapCodes;
pub(crate) use crate::engines::heap_codes::certified::{certified, recognised as code_of_rules};
use crate::source::diagnostic::Code;

use crate::engines::engine::Reason;
use crate::engines::heap_codes::read::{No, Reader};
use crate::engines::nimber::Nimber;
use crate::engines::query::Root;
use crate::memo::OPEN;
use crate::model::kind::Kind;
use crate::model::walk::each_term;
use crate::model::{Game as Rules, Target, Term, TermKind};
use crate::tuning;
use crate::value::Value;
use crate::value::fault::{Fault, Halt, Run};
use crate::vm::context::{Context, Policy};
use grundy_automata::Limit;
use grundy_heap::game::Game;
use grundy_heap::sequence::Sequence;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::sync::Arc;

/// The size of a component of a game with one natural number.
fn size(ctx: &Context, id: u32) -> Option<Value> {
    let game = &ctx.session.program.games[ctx.store.game_of(id).0];
    let [field] = &game.fields[..] else { return None };
    matches!(field.kind, Kind::Nat).then(|| ctx.store.state_values(id)[0].clone())
}

/// Whether a component is a heap so large that its code is asked for.
fn is_large(ctx: &Context, id: u32) -> bool {
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

/// The code that the rules of a component are, or why they are none. Worked out once for each instance, in some
/// milliseconds.
pub(crate) fn code(ctx: &mut Context, id: u32) -> Run<Result<Arc<Game>, String>> {
    let instance = ctx.store.instance_of[id as usize];
    if let Some(known) = ctx.memo.heaps.get(&instance) {
        return Ok(known.clone());
    }
    let found = recognised(ctx, id)?.map(Arc::new);
    ctx.memo.heaps.insert(instance, found.clone());
    Ok(found)
}

fn recognised(ctx: &mut Context, id: u32) -> Run<Result<Game, String>> {
    let program = ctx.session.program.clone();
    let limit = Limit {
        states: tuning::HEAP_STATES,
        tests: tuning::HEAP_TESTS,
        deadline: ctx.limits.deadline.map(|(at, _)| at),
        interrupted: ctx.limits.interrupted.clone(),
        ..Limit::default()
    };
    let mut why = String::new();
    for spelled in [false, true] {
        let found = ctx.within_trial(tuning::CONSTANTS, |ctx| {
            let mut reader = Reader::new(ctx, &program, id, spelled);
            let moves = match reader.moves() {
                Ok(moves) => moves,
                Err(no) => return Ok(Err(no)),
            };
            for leaves in &moves {
                reader.must_not_grow(leaves);
            }
            Ok(digits::code(&reader, &moves, &limit))
        })?;
        match found {
            Ok(game) => return Ok(Ok(game)),
            Err(No::Because(because)) => return Ok(Err(because)),
            Err(No::Unknown(because)) => why = because,
            Err(No::Halt(halt @ Halt::Deopt(_))) => return Err(halt),
            Err(No::Halt(halt)) if ctx.limits_reached() => return Err(halt),
            Err(No::Halt(_)) => return Ok(Err("a constant of the rules cannot be worked out".to_string())),
        }
    }
    ctx.limits.check_clock()?;
    Ok(Err(why))
}

/// The Grundy value of a component whose rules are a code; `None` when they are none, or when values get too large for the
/// engines.
///
/// # Errors
/// Limits, where no period is proved below the size of the heap.
fn value(ctx: &mut Context, id: u32) -> Run<Option<Nimber>> {
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
            let instance = ctx.store.instance_of[id as usize];
            ctx.memo.heaps.insert(instance, Err("its values grow too large for the engine".to_string()));
            Ok(None)
        }
        Err(grundy_heap::Halt::Stopped) => {
            check(ctx, sequence_bytes(ctx, id))?;
            Err(Fault::new(Code::L03, "the values of a heap were not worked out").into())
        }
    }
}

/// The bytes that the values of a component's game take.
fn sequence_bytes(ctx: &Context, id: u32) -> usize {
    let game = ctx.memo.heaps.get(&ctx.store.instance_of[id as usize]).and_then(|found| found.as_ref().ok());
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

fn find(ctx: &Context, sequence: &mut Sequence, size: &BigInt) -> Result<Option<Nimber>, grundy_heap::Halt> {
    let held = ctx.bytes();
    let limits = &ctx.limits;
    let known = |sequence: &Sequence| match size.to_u64() {
        Some(size) => sequence.value(size).map(Nimber::Small),
        None => sequence.beyond(size).and_then(|value| Nimber::of(&Value::int(value))),
    };
    if let Some(value) = known(sequence) {
        return Ok(Some(value));
    }
    let len = size.to_usize().map_or(usize::MAX, |size| size.saturating_add(1));
    sequence.search(len, &mut |values| {
        let fits =
            limits.check_clock().is_ok() && limits.check_memory(held.saturating_add(bytes(values.len()))).is_ok();
        if fits { Ok(()) } else { Err(grundy_heap::Halt::Stopped) }
    })?;
    Ok(known(sequence))
}

/// Works out the Grundy value of a large heap by its code, and keeps it. `false`: search it.
pub(crate) fn settle(ctx: &mut Context, id: u32) -> Run<bool> {
    if !is_large(ctx, id) {
        return Ok(false);
    }
    let value = match value(ctx, id)? {
        Some(Nimber::Small(value)) => u32::try_from(value).ok().filter(|value| *value < OPEN),
        _ => None,
    };
    ctx.memo.fit(ctx.components());
    if let Some(value) = value {
        ctx.memo.grundy[id as usize] = value;
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
