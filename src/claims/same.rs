//! `same as` lines: both sides, replaced by nothing, on small positions.

use crate::answer::Answer;
use crate::answer::verdict::{Finding, Kind};
use crate::claims::File;
use crate::claims::budget::Clock;
use crate::claims::positions::{Clash, alone, component, named, sweep, told_at};
use crate::claims::theorem::grundy_value;
use crate::engines::{Choice, outcome_word, solve};
use crate::model::GameId;
use crate::source::diagnostic::Diagnostic;
use crate::value::fault::{Halt, Run};
use crate::value::limits::Limits;
use crate::value::{Component, Position, Value};
use crate::vm::context::Context;
use std::sync::Arc;

/// A position of which more positions than this are met is not small; without its `same as` it may have no end.
const SMALL: u64 = 20_000;

/// A pair that a line calls the same.
struct Pair {
    line: usize,
    component: Component,
    /// What differs: a measure of the other position, and of this one.
    clash: Option<Clash>,
}

/// Judges the `same as` lines of a game.
pub(crate) fn same(ctx: &mut Context, clock: &mut Clock, file: File<'_>, id: GameId) -> Vec<Finding> {
    let program = ctx.session.program.clone();
    let game = &program.games[id.0];
    let title = |span| format!("{}: {}", game.name, file.statement(span, ""));
    let statements =
        game.same.iter().map(|line| Finding::new(file.name(), Kind::Same, title(line.span), line.span)).collect();
    sweep(ctx, clock, id, statements, &mut |ctx, domain, watched, values| {
        let Some(pair) = pair(ctx, id, values)? else { return Ok(false) };
        let watched = &mut watched[pair.line];
        watched.finding.searched += u64::from(!watched.over);
        if let (Some(clash), false) = (pair.clash, watched.over) {
            watched.refute(clash, named(domain, &pair.component));
        }
        Ok(true)
    })
}

/// Compares a position with what its first `same as` line that holds makes of it.
fn pair(ctx: &mut Context, id: GameId, values: &[Option<Value>]) -> Result<Option<Pair>, Box<Diagnostic>> {
    let program = ctx.session.program.clone();
    let game = &program.games[id.0];
    let found = ctx.with_recovery(|ctx| {
        let Some((component, instance)) = component(ctx, id, values)? else { return Ok(None) };
        for (line, same) in game.same.iter().enumerate() {
            if !matches!(ctx.eval_in_game(instance, &same.when, &component.state)?, Value::Bool(true)) {
                continue;
            }
            let other = ctx.eval_in_game(instance, &same.position, &component.state)?;
            let other = other.to_position().map_err(|fault| Halt::at(same.span, fault))?;
            return Ok(Some((line, component, other)));
        }
        Ok(None)
    })?;
    let Some((line, component, other)) = found else { return Ok(None) };
    let here = alone(game, &component);
    let other = Arc::new(Position { misere: game.misere, ..(*other).clone() });
    // Without the line the play may have no end; then only the first move is made without it.
    let clash = match compare(ctx, true, &here, &other) {
        Err(error) if error.code.is_limit() && !ctx.limits_reached() => compare(ctx, false, &here, &other),
        compared => compared,
    };
    match clash {
        Ok(clash) => Ok(Some(Pair { line, component, clash })),
        Err(error) if error.code.is_limit() && !ctx.limits_reached() => Ok(None),
        Err(error) => Err(Box::new(told_at(ctx, *error, &component))),
    }
}

/// What differs between two positions.
fn compare(
    ctx: &mut Context,
    ignore: bool,
    here: &Arc<Position>,
    other: &Arc<Position>,
) -> Result<Option<Clash>, Box<Diagnostic>> {
    if ctx.options.ignore_same != ignore {
        ctx.forget();
    }
    ctx.options.ignore_same = ignore;
    let narrow =
        |limits: &mut Limits| limits.positions = Some(limits.positions.map_or(SMALL, |limit| limit.min(SMALL)));
    let choice = Choice { exhaustive: true, moves: 0, remoteness: false };
    let solved =
        |ctx: &mut Context| -> Run<(Answer, Answer)> { Ok((solve(ctx, here, choice)?, solve(ctx, other, choice)?)) };
    let both = ctx.under(narrow, |ctx| ctx.with_recovery(solved));
    if ignore {
        ctx.options.ignore_same = false;
        ctx.forget();
    }
    let (here, other) = both?;
    let clash = |claimed: String, found: String| Some(Clash { claimed, found });
    if here.outcome != other.outcome {
        return Ok(clash(outcome_word(other.outcome).to_string(), outcome_word(here.outcome).to_string()));
    }
    Ok(match ((&here.grundy, &other.grundy), (here.score, other.score)) {
        ((Some(g), Some(h)), _) if g != h => {
            clash(format!("grundy {}", grundy_value(h)), format!("grundy {}", grundy_value(g)))
        }
        (_, (Some(s), Some(t))) if s != t => clash(format!("score {t}"), format!("score {s}")),
        _ => None,
    })
}
