//! The theorems and `same as` lines of a game against exhaustive search, over all its positions in order of size (rule 34).

use crate::answer::{Answer, Finding, GrundyValue, Kind, MoveList, Outcome, Verdict};
use crate::bytecode::InstanceId;
use crate::claims::domain::{Domain, Stop};
use crate::claims::{Clock, File, PositionCount, line, round, within};
use crate::engines::{Choice, moves_with_values, outcome_word, solve, solve_position};
use crate::model::{Builtin, Clause, Game, GameId, Slot, Theorem, TheoremSays};
use crate::source::{Code, Diagnostic};
use crate::syntax::tree::{Measure, Which};
use crate::value::limits::Limits;
use crate::value::{Component, Halt, Position, Run, Shape, Value};
use crate::vm::context::{Context, EngineOptions};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

type Bindings = BTreeSet<Vec<Value>>;

/// Judges all theorems of a game together, or `only` this one: each position is searched once.
pub(crate) fn theorems(
    ctx: &mut Context,
    clock: &mut Clock,
    (file, id): (File<'_>, GameId),
    only: Option<usize>,
) -> Vec<Finding> {
    let program = ctx.session.program.clone();
    let game = &program.games[id.0];
    let begin = |theorem: &Theorem| {
        let title = format!("{}: {}", game.name, file.statement(theorem.span, "theorem"));
        Finding::new(file.name(), Kind::Theorem, title, theorem.span)
    };
    let statements = game.theorems.iter().map(begin).collect();
    sweep(ctx, clock, id, statements, &mut |ctx, domain, watched, values| {
        for (index, watched) in watched.iter_mut().enumerate() {
            watched.over |= only.is_some_and(|only| only != index);
        }
        let Some((at, all)) = judged(ctx, id, game, watched, values)? else { return Ok(false) };
        for ((watched, judged), theorem) in watched.iter_mut().zip(all).zip(&game.theorems) {
            match judged {
                Ok(Judged::Silent) => {}
                Ok(Judged::Holds) => watched.finding.searched += 1,
                Ok(Judged::Fails(clash)) => {
                    watched.finding.searched += 1;
                    watched.refute(clash, named(domain, &at.component));
                    if let TheoremSays::Verdict { .. } | TheoremSays::Value { what: Measure::Outcome, .. } =
                        &theorem.says
                    {
                        watched.finding.line = within(ctx, Duration::from_secs(1), |ctx| line(ctx, &at.position));
                    }
                }
                Err(error) => {
                    watched.over = true;
                    watched.finding.verdict = Err(error);
                }
            }
        }
        Ok(true)
    })
}

type JudgedPosition = (Searched, Vec<Result<Judged, Box<Diagnostic>>>);

/// A searched position, and how each theorem that is not yet decided fares there; `None`: there is no such position.
fn judged(
    ctx: &mut Context,
    id: GameId,
    game: &Game,
    watched: &[Watched],
    values: &[Option<Value>],
) -> Result<Option<JudgedPosition>, Box<Diagnostic>> {
    let open = || game.theorems.iter().zip(watched).map(|(theorem, watched)| (!watched.over).then_some(theorem));
    let moves = open().flatten().any(|theorem| matches!(theorem.says, TheoremSays::Moves { .. }));
    ctx.with_recovery(|ctx| {
        let Some(at) = search(ctx, id, values, moves)? else { return Ok(None) };
        let mut all = Vec::with_capacity(watched.len());
        for theorem in open() {
            let Some(theorem) = theorem else {
                all.push(Ok(Judged::Silent));
                continue;
            };
            all.push(match judge(ctx, game, theorem, &at) {
                Ok(judged) => Ok(judged),
                Err(halt @ Halt::Deopt(_)) => return Err(halt),
                Err(halt) => match halt.placed(theorem.span) {
                    Halt::Error(error) if error.code.is_limit() => return Err(Halt::Error(error)),
                    Halt::Error(error) => Err(Box::new(told_at(ctx, *error, &at.component))),
                    other => return Err(other),
                },
            });
        }
        Ok(Some((at, all)))
    })
}

pub(crate) fn grundy_value(value: &GrundyValue) -> Value {
    match value {
        GrundyValue::Nimber(g) => Value::int((*g).into()),
        GrundyValue::Large(g) => Value::int(g.clone().into()),
        GrundyValue::Loop(options) => Value::Loop(options.clone().into()),
    }
}

pub(crate) enum Judged {
    /// Its guard does not hold there: it says nothing.
    Silent,
    Holds,
    Fails(Clash),
}

impl Judged {
    fn of(holds: bool, clash: impl FnOnce() -> Clash) -> Judged {
        if holds { Judged::Holds } else { Judged::Fails(clash()) }
    }
}

/// Holds a theorem against a position. An error: the theorem, or what it states, is not defined there.
pub(crate) fn judge(ctx: &mut Context, game: &Game, theorem: &Theorem, at: &Searched) -> Run<Judged> {
    let state = &at.component.state;
    if let TheoremSays::Value { guard: Some(guard), .. } | TheoremSays::Verdict { guard: Some(guard), .. } =
        &theorem.says
        && !matches!(ctx.eval_in_game(at.instance, guard, state)?, Value::Bool(true))
    {
        return Ok(Judged::Silent);
    }
    match &theorem.says {
        TheoremSays::Value { what, value, .. } => {
            let claimed = ctx.eval_in_game(at.instance, value, state)?;
            let found = measured(ctx, *what, theorem, at)?;
            let clash = || Clash { claimed: claimed.to_string(), found: found.to_string() };
            Ok(Judged::of(claimed == found, clash))
        }
        TheoremSays::Verdict { what, when, .. } => {
            let says = matches!(ctx.eval_in_game(at.instance, when, state)?, Value::Bool(true));
            let outcome = what.outcome();
            let clash = || {
                let word = outcome_word(outcome);
                let claimed = if says { word.to_string() } else { format!("not {word}") };
                Clash { claimed, found: outcome_word(at.answer.outcome).to_string() }
            };
            Ok(Judged::of(says == (at.answer.outcome == outcome), clash))
        }
        TheoremSays::Moves { which, name, clauses, slots } => match which {
            Which::To(slot) => moves_to(ctx, name, (*slot, clauses, slots), at),
            Which::Drawing if at.answer.outcome != Outcome::Draw => Ok(Judged::Silent),
            Which::Winning | Which::Drawing => {
                let bindings = ctx.ways_in_game(at.instance, clauses, slots, state)?;
                let claimed: Bindings = bindings.into_iter().collect();
                Ok(listed(game, theorem, *which, name, &claimed, &at.answer))
            }
        },
    }
}

fn measured(ctx: &mut Context, what: Measure, theorem: &Theorem, at: &Searched) -> Run<Value> {
    let text = ctx.component_text(&at.component);
    let undefined = |code, what: &str, why: &str| {
        let message = format!("the {what} of `{text}` is not defined{why}");
        Halt::Error(Box::new(Diagnostic::new(code, theorem.span, message)))
    };
    match what {
        Measure::Outcome => Ok(Value::text(outcome_word(at.answer.outcome))),
        Measure::Grundy => {
            let why = at.answer.grundy_refused.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
            let value = at.answer.grundy.as_ref().map(grundy_value);
            value.ok_or_else(|| undefined(Code::E20, "Grundy value", &why))
        }
        Measure::Score => at.answer.score.clone().map(Value::from).ok_or_else(|| undefined(Code::E21, "score", "")),
        Measure::Remoteness => (ctx.session.hook)(ctx, Builtin::Remoteness, &at.position),
    }
}

/// Compares sets of moves that win or draw. The first line of a game about them speaks for the names without a line too: they
/// have none.
fn listed(
    game: &Game,
    theorem: &Theorem,
    which: Which<Slot>,
    name: &str,
    claimed: &Bindings,
    answer: &Answer,
) -> Judged {
    let (word, does) = if which == Which::Drawing { ("drawing", "draws") } else { ("winning", "wins") };
    let none = &MoveList::default();
    let found_moves = if which == Which::Drawing { answer.drawing.as_ref().unwrap_or(none) } else { &answer.winning };
    let lines = game.theorems.iter().filter_map(|t| match &t.says {
        TheoremSays::Moves { which: of, name, .. } if *of == which => Some((t, name)),
        _ => None,
    });
    let (lines, stated): (Vec<&Theorem>, Vec<&String>) = lines.unzip();
    let speaks_for_all = lines.first().is_some_and(|first| std::ptr::eq(*first, theorem));
    let mut found = BTreeSet::new();
    for mv in &found_moves.listed {
        if mv.name == name {
            found.insert(mv.binders.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>());
        } else if speaks_for_all && !stated.contains(&&mv.name) {
            let claimed = format!("no {word} `{}`", mv.name);
            return Judged::Fails(Clash { claimed, found: format!("`{}` {does}", mv.text) });
        }
    }
    compared(name, word, claimed, &found)
}

fn compared(name: &str, word: &str, claimed: &Bindings, found: &Bindings) -> Judged {
    let show = |set: &Bindings| {
        let text =
            |binders: &Vec<Value>| binders.iter().fold(name.to_string(), |text, value| format!("{text} {value}"));
        let mut texts: Vec<String> = set.iter().map(text).collect();
        if texts.is_empty() {
            texts.push(format!("no {word} `{name}`"));
        }
        texts.join(", ")
    };
    Judged::of(claimed == found, || Clash { claimed: show(claimed), found: show(found) })
}

/// Compares the moves to each value: up to one more than the greatest that a move leads to, and the first few.
fn moves_to(
    ctx: &mut Context,
    name: &str,
    (slot, clauses, slots): (Slot, &[Clause], &[Slot]),
    at: &Searched,
) -> Run<Judged> {
    /// A line may be wrong about values that no move leads to.
    const FEW: u64 = 8;
    let id = ctx.component(&at.component)?;
    let mut found: BTreeMap<u64, Bindings> = BTreeMap::new();
    for (moved, binders, value) in moves_with_values(ctx, &at.position)? {
        if let (true, GrundyValue::Nimber(value)) = (moved == name, value) {
            found.entry(value).or_default().insert(binders);
        }
    }
    let greatest = found.keys().next_back().map_or(0, |value| value + 1).max(FEW);
    for to in 0..=greatest {
        let ways = ctx.ways_with(id, clauses, (slot, &Value::int(to.into())), slots)?;
        let claimed: Bindings = ways.into_iter().collect();
        let none = BTreeSet::new();
        let compared = compared(name, &format!("move to {to}:"), &claimed, found.get(&to).unwrap_or(&none));
        if let Judged::Fails(_) = compared {
            return Ok(compared);
        }
    }
    Ok(Judged::Holds)
}

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
    pub(crate) fn refute(&mut self, clash: Clash, counterexample: Vec<(String, Value)>) {
        self.over = true;
        self.finding.verdict = Ok(Verdict::Refuted);
        self.finding.counterexample = counterexample;
        self.finding.claimed = Some(clash.claimed);
        self.finding.found = Some(clash.found);
    }
}

/// Whether there is a position of these parameters and fields to compare.
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
    let last_step = clock.last_step(ctx, domain.ceiling().is_none());
    let mut watched: Vec<Watched> = statements.into_iter().map(|finding| Watched { finding, over: false }).collect();
    let (mut count, mut compared) = (PositionCount::new(ctx), 0);
    let swept = within(ctx, share, |ctx| {
        every_position(ctx, &domain, &mut count, last_step, &mut |ctx, values| {
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
    limit: Option<String>,
    /// In the game itself.
    error: Option<Box<Diagnostic>>,
}

type Enough<'a> = &'a mut dyn FnMut(&mut Context, &[Option<Value>]) -> Result<bool, Box<Diagnostic>>;

/// Goes through the positions of a game's domain in order of size, as long as limits allow and `enough` is not seen. A limit stops at
/// the size before.
fn every_position(
    ctx: &mut Context,
    domain: &Domain,
    count: &mut PositionCount,
    last_step: u64,
    enough: Enough<'_>,
) -> Swept {
    /// Steps in which a position is made of its values and looked up.
    const ENTERED: u64 = 4;
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
            ctx.run.effort += ENTERED;
            // Once a size is done, the steps are looked at.
            if swept.completed.is_some() && ctx.run.work() > last_step {
                swept.completed = swept.completed.map(round);
                return Err(Stop);
            }
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
    // Where steps are counted, the same bound is told whichever ended it.
    if swept.limit.is_some() && last_step < u64::MAX {
        swept.completed = swept.completed.map(round);
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

pub(crate) struct Searched {
    pub(crate) component: Component,
    pub(crate) instance: InstanceId,
    pub(crate) position: Arc<Position>,
    pub(crate) answer: Answer,
}

/// Searches the position of these parameters and fields, if it is in the domain of the game and legal; lists all its moves that win
/// where they are wanted.
pub(crate) fn search(ctx: &mut Context, id: GameId, values: &[Option<Value>], moves: bool) -> Run<Option<Searched>> {
    let Some((component, instance)) = component(ctx, id, values)? else { return Ok(None) };
    let position = alone(&ctx.session.program.games[id.0], &component);
    let choice = Choice { exhaustive: true, moves: usize::MAX, remoteness: false, outcome: false };
    let answer = if moves { solve(ctx, &position, choice) } else { solve_position(ctx, &position, choice) }?;
    Ok(Some(Searched { component, instance, position, answer }))
}

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
    for legal in &model.legal {
        if !matches!(ctx.eval_in_game(instance, legal, &component.state)?, Value::Bool(true)) {
            return Ok(None);
        }
    }
    Ok(Some((component, instance)))
}

/// The game alone, in its own convention.
pub(crate) fn alone(game: &Game, component: &Component) -> Arc<Position> {
    Arc::new(Position { misere: game.misere, sum: false, shape: Shape::Sum(vec![component.clone()].into()) })
}

pub(crate) fn named(domain: &Domain, component: &Component) -> Vec<(String, Value)> {
    domain.names.iter().cloned().zip(component.params.iter().chain(component.state.iter()).cloned()).collect()
}

/// An error with the position at which it came.
pub(crate) fn told_at(ctx: &Context, mut error: Diagnostic, component: &Component) -> Diagnostic {
    if error.hint.is_none() && !ctx.in_let(&error) {
        error.hint = Some(format!("this is at `{}`", ctx.component_text(component)));
    }
    error
}

/// A position of which more positions than this are met is not small; without its `same as` it may have no end.
const SMALL: u64 = 20_000;

struct Pair {
    line: usize,
    component: Component,
    /// What differs: a measure of the other position, and of this one.
    clash: Option<Clash>,
}

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

fn compare(
    ctx: &mut Context,
    ignore: bool,
    here: &Arc<Position>,
    other: &Arc<Position>,
) -> Result<Option<Clash>, Box<Diagnostic>> {
    let options = EngineOptions { ignore_same: ignore, ..ctx.options };
    // What is remembered holds for one of both ways.
    if ignore {
        ctx.forget();
    }
    let narrow =
        |limits: &mut Limits| limits.positions = Some(limits.positions.map_or(SMALL, |limit| limit.min(SMALL)));
    let choice = Choice { exhaustive: true, moves: 0, remoteness: false, outcome: false };
    let solved = |ctx: &mut Context| -> Run<(Answer, Answer)> {
        Ok((solve_position(ctx, here, choice)?, solve_position(ctx, other, choice)?))
    };
    let both = ctx.with_options(options, |ctx| ctx.under(narrow, |ctx| ctx.with_recovery(solved)));
    if ignore {
        ctx.forget();
    }
    let (here, other) = both?;
    let clash = |claimed: String, found: String| Some(Clash { claimed, found });
    if here.outcome != other.outcome {
        return Ok(clash(outcome_word(other.outcome).to_string(), outcome_word(here.outcome).to_string()));
    }
    Ok(match ((&here.grundy, &other.grundy), (&here.score, &other.score)) {
        ((Some(g), Some(h)), _) if g != h => {
            clash(format!("grundy {}", grundy_value(h)), format!("grundy {}", grundy_value(g)))
        }
        (_, (Some(s), Some(t))) if s != t => clash(format!("score {t}"), format!("score {s}")),
        _ => None,
    })
}
