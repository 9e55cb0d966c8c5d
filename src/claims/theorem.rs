//! The theorems of a game against exhaustive search, over all positions in order of size (rule 34).

use crate::answer::verdict::{Finding, Kind, Verdict};
use crate::claims::File;
use crate::claims::budget::{Clock, Met, is_limit, within};
use crate::claims::domain::{Domain, Stop};
use crate::claims::judge::{Clash, Searched, all_hold, judge, told_at};
use crate::claims::line::line;
use crate::engines::{Choice, solve};
use crate::model::{Game, GameId, Theorem, TheoremSays};
use crate::source::diagnostic::Diagnostic;
use crate::syntax::tree::Measure;
use crate::value::fault::{Halt, Run};
use crate::value::{Component, Position, Shape, Value};
use crate::vm::context::Context;
use crate::vm::ids::InstanceId;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How going through the domain of a game ended.
pub(crate) struct Swept {
    /// The last size of which all positions were looked at.
    pub(crate) completed: Option<u64>,
    /// There are no more positions.
    pub(crate) whole: bool,
    /// The limit that stopped it.
    pub(crate) limit: Option<String>,
    /// An error in the game itself.
    pub(crate) error: Option<Box<Diagnostic>>,
}

/// What looking at a position came to.
pub(crate) enum Look {
    /// Go on.
    Next,
    /// Enough was seen.
    Enough,
}

/// Looks at the position of these parameters and fields.
pub(crate) type Looks<'a> = &'a mut dyn FnMut(&mut Context, &[Option<Value>]) -> Result<Look, Box<Diagnostic>>;

/// Goes through the positions of a game's domain in order of size, as long as limits allow. `look` gets the values of
/// parameters and fields and makes the position itself; `Err` with a limit stops at the size before.
pub(crate) fn sweep(ctx: &mut Context, domain: &Domain, met: &mut Met, look: Looks<'_>) -> Swept {
    let mut swept = Swept { completed: None, whole: false, limit: None, error: None };
    let ceiling = domain.ceiling();
    let mut any = false;
    let mut tried = 0u64;
    for size in 0.. {
        if ceiling.is_some_and(|ceiling| size > ceiling) {
            swept.whole = true;
            break;
        }
        let mut enough = false;
        let step = domain.states(size, &mut |values| {
            tried += 1;
            if tried.is_multiple_of(64) {
                if let Err(fault) = ctx.session.limits.check_clock() {
                    swept.limit = Some(fault.message);
                    return Err(Stop);
                }
                met.tidy(ctx);
            }
            match look(ctx, values) {
                Ok(Look::Next) => {
                    any = true;
                    Ok(())
                }
                Ok(Look::Enough) => {
                    enough = true;
                    Err(Stop)
                }
                Err(error) if is_limit(&error) => {
                    swept.limit = Some(error.message);
                    Err(Stop)
                }
                Err(error) => {
                    swept.error = Some(error);
                    Err(Stop)
                }
            }
        });
        if step.is_err() {
            return swept;
        }
        if any {
            swept.completed = Some(size);
        }
        if let Err(fault) = ctx.session.limits.check_clock() {
            swept.limit = Some(fault.message);
            return swept;
        }
    }
    swept
}

/// The component of these values, if it is in the domain of the game and legal.
pub(crate) fn component(
    ctx: &mut Context,
    game: GameId,
    values: &[Option<Value>],
) -> Run<Option<(Component, InstanceId)>> {
    let program = ctx.session.program.clone();
    let model = &program.games[game.0];
    let (params, fields) = values.split_at(model.params.len());
    let params = ctx.enter_params(game, params.to_vec())?;
    let state = ctx.enter_state(game, &params, fields.to_vec())?;
    let component = Component { game, params: params.clone(), state, tag: None };
    if !ctx.in_domain(&component)? {
        return Ok(None);
    }
    let instance = ctx.instance(game, params)?;
    let legal = all_hold(ctx, instance, &model.legal, &component.state)?;
    Ok(legal.then_some((component, instance)))
}

/// The game alone, in its own convention.
pub(crate) fn alone(game: &Game, component: &Component) -> Arc<Position> {
    Arc::new(Position { misere: game.misere, sum: false, shape: Shape::Sum(vec![component.clone()].into()) })
}

/// Names and values of a position's parameters and fields.
pub(crate) fn named(domain: &Domain, component: &Component) -> Vec<(String, Value)> {
    let values = component.params.iter().chain(component.state.iter()).cloned();
    domain.names.iter().cloned().zip(values).collect()
}

/// A theorem with what is known of it so far.
struct Watch<'p> {
    theorem: &'p Theorem,
    finding: Finding,
    /// Nothing more to be learnt.
    over: bool,
}

/// Judges all theorems of a game together: each position is searched once.
pub(crate) fn theorems(ctx: &mut Context, clock: &mut Clock, file: File<'_>, id: GameId) -> Vec<Finding> {
    let start = Instant::now();
    let share = clock.share();
    let program = ctx.session.program.clone();
    let game = &program.games[id.0];
    let domain = Domain::of(ctx, id);
    let watch = |theorem| Watch { theorem, finding: begin(file, game, theorem), over: false };
    let mut watches: Vec<Watch<'_>> = game.theorems.iter().map(watch).collect();
    let mut met = Met::new(ctx);
    let mut compared = 0;
    let most = clock.instances;
    let swept = within(ctx, share, |ctx| {
        sweep(ctx, &domain, &mut met, &mut |ctx, values| {
            let looked = look(ctx, id, game, &mut watches, &domain, values)?;
            compared += u64::from(looked);
            let done = watches.iter().all(|w| w.over) || compared >= most;
            Ok(if done { Look::Enough } else { Look::Next })
        })
    });
    let seconds = start.elapsed().as_secs_f64();
    let positions = met.count(ctx);
    let mut findings: Vec<Finding> = Vec::new();
    for mut watch in watches {
        watch.finding.seconds = seconds;
        watch.finding.positions = positions;
        if !watch.over {
            conclude(&mut watch.finding, &swept, &domain);
        }
        findings.push(watch.finding);
    }
    findings
}

/// How far a statement that was not refuted was searched.
pub(crate) fn conclude(finding: &mut Finding, swept: &Swept, domain: &Domain) {
    if let Some(error) = &swept.error {
        finding.verdict = Err(error.clone());
    } else if swept.whole {
        finding.bound = Some("all that were listed".to_string());
    } else if let Some(size) = swept.completed.filter(|_| finding.searched > 0) {
        finding.bound = Some(domain.bound(size));
    } else {
        let limit = swept.limit.clone().unwrap_or_else(|| "no position was found to compare".to_string());
        finding.verdict = Ok(Verdict::Unknown { limit });
    }
}

fn begin(file: File<'_>, game: &Game, theorem: &Theorem) -> Finding {
    let title = format!("{}: {}", game.name, file.statement(theorem.span, "theorem"));
    Finding::new(file.name(), Kind::Theorem, title, theorem.span)
}

/// Searches a position and holds every theorem against it; whether there is such a position.
fn look(
    ctx: &mut Context,
    id: GameId,
    game: &Game,
    watches: &mut [Watch<'_>],
    domain: &Domain,
    values: &[Option<Value>],
) -> Result<bool, Box<Diagnostic>> {
    type Judged = Result<Option<Result<(), Clash>>, Box<Diagnostic>>;
    let moves = watches.iter().any(|w| !w.over && matches!(w.theorem.says, TheoremSays::Moves { .. }));
    let choice = Choice { exhaustive: true, moves: if moves { usize::MAX } else { 0 }, remoteness: false };
    let judged = ctx.with_recovery(|ctx| {
        let Some((component, instance)) = component(ctx, id, values)? else { return Ok(None) };
        let position = alone(game, &component);
        let answer = solve(ctx, &position, choice)?;
        let at = Searched { component: &component, instance, position: &position, answer: &answer };
        let mut all: Vec<Judged> = Vec::with_capacity(watches.len());
        for watch in watches.iter() {
            let judged = if watch.over { Ok(None) } else { judge(ctx, game, watch.theorem, &at) };
            all.push(match judged {
                Ok(judged) => Ok(judged),
                Err(halt @ (Halt::Wide | Halt::Unpack(_) | Halt::Unmask)) => return Err(halt),
                Err(halt) => match halt.placed(watch.theorem.span) {
                    Halt::Error(error) if is_limit(&error) => return Err(Halt::Error(error)),
                    Halt::Error(error) => Err(Box::new(told_at(ctx, *error, &component))),
                    other => return Err(other),
                },
            });
        }
        Ok(Some((component, position, all)))
    })?;
    let Some((component, position, all)) = judged else { return Ok(false) };
    for (watch, judged) in watches.iter_mut().zip(all) {
        match judged {
            Ok(None) => {}
            Ok(Some(Ok(()))) => watch.finding.searched += 1,
            Ok(Some(Err(clash))) => {
                watch.over = true;
                let finding = &mut watch.finding;
                finding.searched += 1;
                finding.verdict = Ok(Verdict::Refuted);
                finding.counterexample = named(domain, &component);
                finding.claimed = Some(clash.claimed);
                finding.found = Some(clash.found);
                let about_outcome = matches!(
                    watch.theorem.says,
                    TheoremSays::Verdict { .. } | TheoremSays::Value { what: Measure::Outcome, .. }
                );
                if about_outcome {
                    finding.line = within(ctx, Duration::from_secs(1), |ctx| line(ctx, &position));
                }
            }
            Err(error) => {
                watch.over = true;
                watch.finding.verdict = Err(error);
            }
        }
    }
    Ok(true)
}
