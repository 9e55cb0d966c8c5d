//! What is left of a graph: the moves of a state as what they need and remove, if the rules are such.

use crate::bytecode::InstanceId;
use crate::engines::decomposition::{DEEDS, NUMBERS, deletion};
use crate::memo::Split;
use crate::model::Program;
use crate::model::kind::Kind;
use crate::source::diagnostic::Code;
use crate::store::StateTable;
use crate::tuning::PARTS_SMALL;
use crate::value::Value;
use crate::value::fault::{Fault, Halt, Run};
use crate::vm::context::{Context, Policy};
use grundy_graphs::deletion::{Deed, Deletion, MOST};
use std::slice::from_ref;
use std::sync::Arc;

/// How a component falls apart.
pub(super) enum Found {
    /// The instance, and what is left as a mask over the things of its deletion game.
    Deletion(InstanceId, u64),
    /// The instance, whose fields are independent.
    Fields(InstanceId),
}

/// How much is left in a component whose state is one set.
pub(super) fn left_in(ctx: &Context, id: u32) -> Option<usize> {
    let [field] = &ctx.session.program.games[ctx.store.game_of(id).0].fields[..] else { return None };
    match (&field.kind, &ctx.store.states[ctx.store.instance_of[id as usize]]) {
        // A packed set is a mask.
        (Kind::Set(_), StateTable::Packed { .. }) => Some(ctx.store.keys[id as usize].count_ones() as usize),
        (Kind::Set(_), StateTable::Interned { .. }) => match &ctx.store.state_values(id)[..] {
            [Value::Set(things)] => Some(things.len()),
            _ => None,
        },
        _ => None,
    }
}

/// The things that are left in a component whose state is one set; large sets are spelled out by this.
pub(super) fn things(ctx: &Context, id: u32) -> Option<Arc<[Value]>> {
    match &ctx.store.state_values(id)[..] {
        [Value::Set(things)] => Some(Arc::clone(things.values())),
        _ => None,
    }
}

/// How a component falls apart, if it does.
pub(super) fn found(ctx: &mut Context, id: u32) -> Run<Option<Found>> {
    let least = match ctx.options.split {
        Policy::Never => return Ok(None),
        Policy::Large => PARTS_SMALL + 1,
        Policy::Always => 0,
    };
    let instance = ctx.store.instance_of[id as usize];
    match ctx.memo.splits.get(&instance) {
        Some(Split::Not(_)) => return Ok(None),
        Some(Split::Fields { .. }) => return Ok(Some(Found::Fields(instance))),
        Some(Split::Deletion { .. }) | None => {}
    }
    if left_in(ctx, id).is_none_or(|left| left < least || left > MOST) {
        return Ok(None);
    }
    let Some(left) = things(ctx, id) else { return Ok(None) };
    if let Some(Split::Deletion { things, .. }) = ctx.memo.splits.get(&instance)
        && let Some(mask) = mask(things, &left)
    {
        return Ok(Some(Found::Deletion(instance, mask)));
    }
    let split = match compile(ctx, id, &left)? {
        Ok(game) => Split::Deletion { things: left.clone(), game: Box::new(game) },
        Err(why) => Split::Not(why),
    };
    let all = mask(&left, &left);
    let taken = matches!(split, Split::Deletion { .. });
    ctx.memo.splits.insert(instance, split);
    Ok(all.filter(|_| taken).map(|all| Found::Deletion(instance, all)))
}

/// The places of some things among others, ascending; `None` when one is not among them.
fn mask(things: &[Value], some: &[Value]) -> Option<u64> {
    some.iter().try_fold(0, |mask, thing| things.binary_search(thing).ok().map(|at| mask | 1 << at))
}

/// Runs the rewritten rules of a component once: its moves as a deletion game, or why not.
fn compile(ctx: &mut Context, id: u32, left: &[Value]) -> Run<Result<Deletion, String>> {
    let game = ctx.store.game_of(id);
    let program = ctx.session.program.clone();
    let (frame, moves) = match deletion::rewrite(&program, game) {
        Ok(rewritten) => rewritten,
        Err(why) => return Ok(Err(why.to_string())),
    };
    let mut program = Program::clone(&program);
    program.games[game.0].frame = frame;
    let full = mask(left, left).unwrap_or(0);
    let mut deeds = Vec::new();
    for mv in &moves {
        let yields: Vec<usize> = mv.needs.iter().copied().chain([mv.target]).collect();
        let ways = match ctx.ways_of(&program, id, &mv.clauses, &yields) {
            Ok(ways) => ways,
            Err(Halt::Error(error)) if !error.code.is_limit() => return Ok(Err(fails(&error.message))),
            Err(Halt::Fault(fault)) if !fault.code.is_limit() => return Ok(Err(fails(&fault.message))),
            Err(halt) => return Err(halt),
        };
        for way in ways {
            let Some((Value::Set(target), needs)) = way.split_last() else {
                return Ok(Err("a move leads elsewhere than to a part of what is left".to_string()));
            };
            let need = needs.iter().try_fold(0, |need, value| {
                let ends = match value {
                    Value::Edge(edge) if mask(left, from_ref(value)).is_none() => {
                        mask(left, from_ref(&edge.u)).zip(mask(left, from_ref(&edge.v))).map(|(u, v)| u | v)
                    }
                    thing => mask(left, from_ref(thing)),
                };
                ends.map(|ends| need | ends)
            });
            let (Some(need), Some(target)) = (need, mask(left, target)) else {
                return Ok(Err("a move needs something that is not left".to_string()));
            };
            deeds.push(Deed { need, remove: full & !target });
        }
        if deeds.len() > DEEDS {
            return Ok(Err("too many moves".to_string()));
        }
    }
    Ok(Deletion::new(left.len(), deeds).map_err(str::to_string))
}

fn fails(message: &str) -> String {
    format!("a rule may fail: {message}")
}

/// Puts a question to the deletion game of an instance, under the limits of the machine.
pub(super) fn ask<T>(
    ctx: &mut Context,
    instance: InstanceId,
    positions: &mut u64,
    question: impl FnOnce(&mut Deletion, &mut dyn FnMut(u64, usize) -> Result<(), Fault>) -> Result<T, Fault>,
) -> Run<T> {
    // Taken out while it works, so that the limits can be looked at.
    let Some(mut split) = ctx.memo.splits.remove(&instance) else { return Err(gone().into()) };
    let Split::Deletion { game, .. } = &mut split else { return Err(gone().into()) };
    let (before, earlier, held) = (*positions, game.positions(), ctx.bytes());
    let more = ctx.limits.positions.map_or(u64::MAX, |limit| limit.saturating_sub(before));
    game.limit = earlier.saturating_add(more).min(NUMBERS);
    let limits = &ctx.limits;
    let answer = question(game, &mut |met, bytes| {
        if met > NUMBERS {
            return Err(Fault::new(Code::L01, "more than 2^31 components of positions were met"));
        }
        limits.check(before + met - earlier, held + bytes)
    });
    *positions += game.positions() - earlier;
    ctx.memo.splits.insert(instance, split);
    Ok(answer?)
}

pub(super) fn gone() -> Fault {
    Fault::new(Code::X01, "a game was lost during the search: a defect of this program, please report the file")
}
