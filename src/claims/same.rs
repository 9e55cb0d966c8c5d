//! `same as` lines: both sides, replaced by nothing, on small positions.

use crate::answer::Answer;
use crate::answer::verdict::{Finding, Kind, Verdict};
use crate::claims::File;
use crate::claims::budget::{Clock, Met, is_limit, within};
use crate::claims::domain::Domain;
use crate::claims::judge::{grundy_value, told_at};
use crate::claims::theorem::{Look, alone, component, conclude, named, sweep};
use crate::engines::{Choice, outcome_word, solve};
use crate::model::GameId;
use crate::source::diagnostic::Diagnostic;
use crate::value::fault::{Halt, Run};
use crate::value::limits::Limits;
use crate::value::{Component, Position, Value};
use crate::vm::context::Context;
use crate::words::adapt;
use std::sync::Arc;
use std::time::Instant;

/// A position of which more positions than this are met is not small; without its `same as` it may have no end.
const SMALL: u64 = 20_000;

/// A pair that a line calls the same.
struct Pair {
    line: usize,
    component: Component,
    /// What differs: the measure, and its value on both sides.
    clash: Option<(String, String)>,
}

/// Judges the `same as` lines of a game.
pub(crate) fn same(ctx: &mut Context, clock: &mut Clock, file: File<'_>, id: GameId) -> Vec<Finding> {
    let start = Instant::now();
    let share = clock.share();
    let most = clock.instances;
    let program = ctx.session.program.clone();
    let game = &program.games[id.0];
    let domain = Domain::of(ctx, id);
    let title = |span| format!("{}: {}", game.name, file.statement(span, ""));
    let mut findings: Vec<Finding> =
        game.same.iter().map(|line| Finding::new(file.name(), Kind::Same, title(line.span), line.span)).collect();
    let mut over = vec![false; findings.len()];
    let mut met = Met::new(ctx);
    let mut compared = 0;
    let swept = within(ctx, share, |ctx| {
        sweep(ctx, &domain, &mut met, &mut |ctx, values| {
            let Some(pair) = look(ctx, id, values)? else { return Ok(Look::Next) };
            compared += 1;
            let finding = &mut findings[pair.line];
            finding.searched += u64::from(!over[pair.line]);
            if let Some((claimed, found)) = pair.clash
                && !over[pair.line]
            {
                over[pair.line] = true;
                finding.verdict = Ok(Verdict::Refuted);
                finding.counterexample = named(&domain, &pair.component);
                finding.claimed = Some(claimed);
                finding.found = Some(found);
            }
            Ok(if over.iter().all(|o| *o) || compared >= most { Look::Enough } else { Look::Next })
        })
    });
    let positions = met.count(ctx);
    for (finding, over) in findings.iter_mut().zip(over) {
        finding.seconds = start.elapsed().as_secs_f64();
        finding.positions = positions;
        if !over {
            conclude(finding, &swept, &domain);
        }
    }
    findings
}

/// Compares a position with what its first `same as` line that holds makes of it.
fn look(ctx: &mut Context, id: GameId, values: &[Option<Value>]) -> Result<Option<Pair>, Box<Diagnostic>> {
    let program = ctx.session.program.clone();
    let game = &program.games[id.0];
    let found = ctx.with_recovery(|ctx| {
        let Some((component, instance)) = component(ctx, id, values)? else { return Ok(None) };
        for (line, same) in game.same.iter().enumerate() {
            if !matches!(ctx.eval_in_game(instance, &same.when, &component.state)?, Value::Bool(true)) {
                continue;
            }
            let other = ctx.eval_in_game(instance, &same.position, &component.state)?;
            let other = adapt::position(&other).map_err(|fault| Halt::at(same.span, fault))?;
            return Ok(Some((line, component, other)));
        }
        Ok(None)
    })?;
    let Some((line, component, other)) = found else { return Ok(None) };
    let here = alone(game, &component);
    let other = Arc::new(Position { misere: game.misere, ..(*other).clone() });
    // Without the line the play may have no end; then only the first move is made without it.
    let clash = match compare(ctx, true, &here, &other) {
        Err(error) if is_limit(&error) && !ctx.limits_reached() => compare(ctx, false, &here, &other),
        compared => compared,
    };
    match clash {
        Ok(clash) => Ok(Some(Pair { line, component, clash })),
        Err(error) if is_limit(&error) && !ctx.limits_reached() => Ok(None),
        Err(error) => Err(Box::new(told_at(ctx, *error, &component))),
    }
}

/// What differs between two positions.
fn compare(
    ctx: &mut Context,
    ignore: bool,
    here: &Arc<Position>,
    other: &Arc<Position>,
) -> Result<Option<(String, String)>, Box<Diagnostic>> {
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
    if here.outcome != other.outcome {
        return Ok(Some((outcome_word(other.outcome).to_string(), outcome_word(here.outcome).to_string())));
    }
    if let (Some(g), Some(h)) = (&here.grundy, &other.grundy)
        && g != h
    {
        return Ok(Some((format!("grundy {}", grundy_value(h)), format!("grundy {}", grundy_value(g)))));
    }
    if let (Some(s), Some(t)) = (here.score, other.score)
        && s != t
    {
        return Ok(Some((format!("score {t}"), format!("score {s}"))));
    }
    Ok(None)
}
