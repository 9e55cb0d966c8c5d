//! The positions of a game in order of size, shown to the statements about it (rule 34).

use crate::answer::{Answer, Finding, Verdict};
use crate::bytecode::InstanceId;
use crate::claims::budget::{Clock, PositionCount, within};
use crate::claims::domain::{Domain, Stop};
use crate::engines::{Choice, solve};
use crate::model::{Game, GameId, Term};
use crate::source::diagnostic::Diagnostic;
use crate::value::fault::Run;
use crate::value::{Component, Position, Shape, Value};
use crate::vm::context::Context;
use std::sync::Arc;
use std::time::Instant;

/// What a statement says and what the rules say, where they differ.
pub(crate) struct Clash {
    pub(crate) claimed: String,
    pub(crate) found: String,
}

/// A statement with what is known of it so far.
pub(crate) struct Watched {
    pub(crate) finding: Finding,
    /// It is decided.
    pub(crate) over: bool,
}

impl Watched {
    /// The statement fails at this position.
    pub(crate) fn refute(&mut self, clash: Clash, counterexample: Vec<(String, Value)>) {
        self.over = true;
        self.finding.verdict = Ok(Verdict::Refuted);
        self.finding.counterexample = counterexample;
        self.finding.claimed = Some(clash.claimed);
        self.finding.found = Some(clash.found);
    }
}

/// Holds all statements against the position of these parameters and fields; whether there is one to compare.
type Compare<'a> =
    &'a mut dyn FnMut(&mut Context, &Domain, &mut [Watched], &[Option<Value>]) -> Result<bool, Box<Diagnostic>>;

/// Holds statements about a game against its positions in order of size, until all are decided or the budget ends. Each position
/// is searched once for all of them.
pub(crate) fn sweep(
    ctx: &mut Context,
    clock: &mut Clock,
    id: GameId,
    statements: Vec<Finding>,
    compare: Compare<'_>,
) -> Vec<Finding> {
    let (start, share, most) = (Instant::now(), clock.share(), clock.instances);
    let domain = Domain::of(ctx, id);
    let mut watched: Vec<Watched> = statements.into_iter().map(|finding| Watched { finding, over: false }).collect();
    let (mut count, mut compared) = (PositionCount::new(ctx), 0);
    let swept = within(ctx, share, |ctx| {
        every_position(ctx, &domain, &mut count, &mut |ctx, values| {
            compared += u64::from(compare(ctx, &domain, &mut watched, values)?);
            Ok(compared >= most || watched.iter().all(|one| one.over))
        })
    });
    let (seconds, positions) = (start.elapsed().as_secs_f64(), count.count(ctx));
    let finish = |Watched { mut finding, over }: Watched| {
        if !over {
            conclude(&mut finding, &swept, &domain);
        }
        Finding { positions, seconds, ..finding }
    };
    watched.into_iter().map(finish).collect()
}

/// How going through the positions of a game ended.
#[derive(Default)]
struct Swept {
    /// The last size of which all positions were looked at.
    completed: Option<u64>,
    /// There are no more positions.
    whole: bool,
    /// The limit that stopped it.
    limit: Option<String>,
    /// An error in the game itself.
    error: Option<Box<Diagnostic>>,
}

/// Looks at the position of these parameters and fields; whether enough was seen.
type Enough<'a> = &'a mut dyn FnMut(&mut Context, &[Option<Value>]) -> Result<bool, Box<Diagnostic>>;

/// Goes through the positions of a game's domain in order of size, as long as limits allow and `enough` is not seen. A limit stops at
/// the size before.
fn every_position(ctx: &mut Context, domain: &Domain, count: &mut PositionCount, enough: Enough<'_>) -> Swept {
    let mut swept = Swept::default();
    let ceiling = domain.ceiling();
    let (mut any, mut tried) = (false, 0u64);
    for size in 0.. {
        if ceiling.is_some_and(|ceiling| size > ceiling) {
            swept.whole = true;
            break;
        }
        let step = domain.states(size, &mut |values| {
            tried += 1;
            if tried.is_multiple_of(64) {
                if let Err(fault) = ctx.limits.check_clock() {
                    swept.limit = Some(fault.message);
                    return Err(Stop);
                }
                count.tidy(ctx);
            }
            match enough(ctx, values) {
                Ok(false) => {
                    any = true;
                    return Ok(());
                }
                Ok(true) => {}
                Err(error) if error.code.is_limit() => swept.limit = Some(error.message),
                Err(error) => swept.error = Some(error),
            }
            Err(Stop)
        });
        if step.is_err() {
            break;
        }
        if any {
            swept.completed = Some(size);
        }
        if let Err(fault) = ctx.limits.check_clock() {
            swept.limit = Some(fault.message);
            break;
        }
    }
    swept
}

/// How far a statement that was not refuted was searched.
fn conclude(finding: &mut Finding, swept: &Swept, domain: &Domain) {
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

/// A searched position.
pub(crate) struct Searched {
    pub(crate) component: Component,
    pub(crate) instance: InstanceId,
    pub(crate) position: Arc<Position>,
    pub(crate) answer: Answer,
}

/// Searches the position of these parameters and fields, if it is in the domain of the game and legal.
pub(crate) fn search(ctx: &mut Context, id: GameId, values: &[Option<Value>], moves: usize) -> Run<Option<Searched>> {
    let Some((component, instance)) = component(ctx, id, values)? else { return Ok(None) };
    let position = alone(&ctx.session.program.games[id.0], &component);
    let answer = solve(ctx, &position, Choice { exhaustive: true, moves, remoteness: false })?;
    Ok(Some(Searched { component, instance, position, answer }))
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

/// An error with the position at which it came.
pub(crate) fn told_at(ctx: &Context, mut error: Diagnostic, component: &Component) -> Diagnostic {
    if error.hint.is_none() && !ctx.in_let(&error) {
        error.hint = Some(format!("this is at `{}`", ctx.component_text(component)));
    }
    error
}

/// Whether all of these terms hold in a state.
pub(crate) fn all_hold(ctx: &mut Context, instance: InstanceId, terms: &[Term], state: &Arc<[Value]>) -> Run<bool> {
    for term in terms {
        if !matches!(ctx.eval_in_game(instance, term, state)?, Value::Bool(true)) {
            return Ok(false);
        }
    }
    Ok(true)
}
