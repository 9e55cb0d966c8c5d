//! The theorems of a game against exhaustive search, over all positions in order of size.

use crate::answer::{Answer, Finding, GrundyValue, Kind, MoveList, Outcome};
use crate::claims::File;
use crate::claims::budget::{Clock, within};
use crate::claims::counterexample::line;
use crate::claims::positions::{Clash, Searched, Watched, named, search, sweep, told_at};
use crate::engines::{moves_with_values, outcome_word};
use crate::model::builtin::Builtin;
use crate::model::{Clause, Game, GameId, Slot, Theorem, TheoremSays};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::syntax::tree::{Measure, Verdict as Says, Which};
use crate::value::Value;
use crate::value::fault::{Halt, Run};
use crate::vm::context::Context;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The values that the binders of a move take, for each way to make it.
type Bindings = BTreeSet<Vec<Value>>;

/// Judges all theorems of a game together: each position is searched once.
pub(crate) fn theorems(ctx: &mut Context, clock: &mut Clock, file: File<'_>, id: GameId) -> Vec<Finding> {
    let program = ctx.session.program.clone();
    let game = &program.games[id.0];
    let begin = |theorem: &Theorem| {
        let title = format!("{}: {}", game.name, file.statement(theorem.span, "theorem"));
        Finding::new(file.name(), Kind::Theorem, title, theorem.span)
    };
    let statements = game.theorems.iter().map(begin).collect();
    sweep(ctx, clock, id, statements, &mut |ctx, domain, watched, values| {
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

/// A searched position, and how each theorem that was asked about fares there.
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
        let Some(at) = search(ctx, id, values, if moves { usize::MAX } else { 0 })? else { return Ok(None) };
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

/// The Grundy value as a value of the language.
pub(crate) fn grundy_value(value: &GrundyValue) -> Value {
    match value {
        GrundyValue::Nimber(g) => Value::int((*g).into()),
        GrundyValue::Large(g) => Value::int(g.clone().into()),
        GrundyValue::Loop(options) => Value::Loop(options.clone().into()),
    }
}

/// How a theorem fares at a position.
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
            let outcome = match what {
                Says::Wins => Outcome::First,
                Says::Loses => Outcome::Second,
                Says::Draws => Outcome::Draw,
            };
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

/// What the rules say of a measure; an error where it is not defined.
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
        Measure::Score => at.answer.score.map(Value::Int).ok_or_else(|| undefined(Code::E21, "score", "")),
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
    let of_kind = |t: &&Theorem| matches!(&t.says, TheoremSays::Moves { which: of, .. } if *of == which);
    let stated: Vec<&str> = game
        .theorems
        .iter()
        .filter(of_kind)
        .filter_map(|t| match &t.says {
            TheoremSays::Moves { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let speaks_for_all = game.theorems.iter().find(of_kind).is_some_and(|first| std::ptr::eq(first, theorem));
    let mut found = BTreeSet::new();
    for mv in &found_moves.listed {
        if mv.name == name {
            found.insert(mv.binders.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>());
        } else if speaks_for_all && !stated.contains(&mv.name.as_str()) {
            let claimed = format!("no {word} `{}`", mv.name);
            return Judged::Fails(Clash { claimed, found: format!("`{}` {does}", mv.text) });
        }
    }
    compared(name, word, claimed, &found)
}

fn compared(name: &str, word: &str, claimed: &Bindings, found: &Bindings) -> Judged {
    let show = |set: &Bindings| {
        let mut texts: Vec<String> = set.iter().map(|binders| move_text(name, binders)).collect();
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

fn move_text(name: &str, binders: &[Value]) -> String {
    binders.iter().fold(name.to_string(), |text, value| format!("{text} {value}"))
}
