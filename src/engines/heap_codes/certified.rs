//! What is proved of a game of heaps as a whole: the code that its rules are, and the period of the values.

use crate::engines::heap_codes::{bytes, check, code};
use crate::model::GameId;
use crate::model::kind::Kind;
use crate::value::fault::Run;
use crate::value::{Component, Value};
use crate::vm::context::Context;
use grundy_heap::Halt;
use grundy_heap::game::Game;
use grundy_heap::period::Period;
use grundy_heap::sequence::Sequence;
use std::sync::Arc;

/// The code that the rules of a game with these rule parameters are, for heaps of every size; or why they are none.
///
/// # Errors
/// Rule parameters that the game does not take; limits.
pub(crate) fn recognised(ctx: &mut Context, game: GameId, params: &[Value]) -> Run<Result<Arc<Game>, String>> {
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

/// The period of a game's values, with the values before it and in it, if it is proved by at most `most` values; or why it
/// is not.
///
/// # Errors
/// Limits.
pub(crate) fn certified(ctx: &mut Context, game: &Arc<Game>, most: usize) -> Run<Result<(Period, Vec<u16>), String>> {
    let mut sequence = ctx.memo.sequences.remove(game).unwrap_or_else(|| Sequence::new((**game).clone()));
    let held = ctx.bytes();
    let limits = &ctx.limits;
    let found = sequence.search(most, &mut |values| {
        let needed = held.saturating_add(bytes(values.len()));
        let fits = limits.check_clock().is_ok() && limits.check_memory(needed).is_ok();
        if fits { Ok(()) } else { Err(Halt::Stopped) }
    });
    let period = sequence.period().filter(|period| period.proof.is_some());
    let values = period.map(|period| sequence.values()[..period.start + period.length].to_vec());
    let computed = sequence.values().len();
    ctx.memo.sequences.insert(game.clone(), sequence);
    match (period.zip(values), found) {
        (Some(certified), _) => Ok(Ok(certified)),
        (None, Err(Halt::TooLarge)) => Ok(Err(format!("the values of `{game}` grow too large"))),
        (None, found) => {
            if found.is_err() {
                check(ctx, bytes(computed))?;
            }
            Ok(Err(format!("no period of `{game}` is proved by its first {computed} values")))
        }
    }
}
