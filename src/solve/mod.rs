//! From a position and a question to an answer: one engine a file, one chooser.

mod components;
mod cyclic;
mod explore;
mod grundy;
mod judge;
mod loopy;
mod plan;
mod retrograde;
mod root;
mod sample;
mod score;
mod space;
mod split;
pub mod table;
mod tabled;
mod theorem;
mod value;

use crate::answer::{Answer, GrundyValue, MoveList, Outcome};
use crate::check::builtin::Builtin;
use crate::rules::fault::{Fault, Halt, Run};
use crate::rules::machine::Machine;
use crate::rules::value::{Position, Value};
use judge::{Judge, Verdict};
use root::Root;
use std::sync::Arc;

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Theorems are ignored.
    pub exhaustive: bool,
    /// So many moves are listed.
    pub moves: usize,
}

impl Default for Choice {
    fn default() -> Self {
        Choice { exhaustive: false, moves: 60 }
    }
}

/// Everything about a position. May halt with `Halt::Wide`/`Halt::Unpack`: call it inside [`Machine::with_recovery`],
/// with the position made inside too.
pub fn solve(machine: &mut Machine, position: &Position, choice: Choice) -> Run<Answer> {
    let root = Root::new(machine, position)?;
    let text = machine.position_text(position);
    if !choice.exhaustive
        && let Some(answer) = theorem::solve(machine, &root, &text, choice)?
    {
        return Ok(answer);
    }
    let searched = if choice.exhaustive { None } else { theorem::outcome_of(machine, &root)? };
    let judge = match searched {
        // A theorem knows who wins: search all the same while it is cheap, for the value and the moves.
        Some(known) => {
            let judged = machine.within_trial(|machine| Judge::new(machine, &root));
            match judged {
                Err(Halt::Fault(fault)) if fault.code.starts_with('L') && !machine.limits_reached() => {
                    return theorem::outcome_answer(machine, &root, &text, known, choice);
                }
                Err(Halt::Error(error)) if error.code.starts_with('L') && !machine.limits_reached() => {
                    return theorem::outcome_answer(machine, &root, &text, known, choice);
                }
                other => other?,
            }
        }
        None => Judge::new(machine, &root)?,
    };
    let mut answer = Answer {
        position: text,
        outcome: judge.outcome(),
        grundy: judge.grundy(),
        grundy_refused: judge.grundy_refused(),
        remoteness: judge.remoteness(),
        score: judge.score(),
        winning: MoveList::default(),
        drawing: None,
        method: judge.method(),
        positions: judge.positions(),
    };
    let mut drawing = MoveList::default();
    for mv in root.moves(machine)? {
        let list = match judge.verdict(machine, &root, &mv)? {
            Verdict::Wins => &mut answer.winning,
            Verdict::Draws => &mut drawing,
            Verdict::Loses => continue,
        };
        list.count += 1;
        if list.listed.len() < choice.moves {
            list.listed.push(root.answer(machine, &mv));
        }
    }
    if answer.outcome == Outcome::Draw && answer.score.is_none() {
        answer.drawing = Some(drawing);
    }
    Ok(answer)
}

/// Who wins.
pub fn outcome(machine: &mut Machine, position: &Position) -> Run<Outcome> {
    let root = Root::new(machine, position)?;
    if let [id] = root.ids[..]
        && root.mode == components::NORMAL
        && let Some(lost) = split::is(machine, id, 0)?
    {
        return Ok(if lost { Outcome::Second } else { Outcome::First });
    }
    Ok(Judge::new(machine, &root)?.outcome())
}

/// The Grundy value; E20 where it is not defined.
pub fn grundy(machine: &mut Machine, position: &Position) -> Run<GrundyValue> {
    let root = Root::new(machine, position)?;
    let judge = Judge::new(machine, &root)?;
    judge.grundy().ok_or_else(|| {
        let why = judge.grundy_refused().unwrap_or_default();
        let text = machine.position_text(position);
        Halt::Fault(Fault::new("E20", format!("the Grundy value of {text} is not defined: {why}")))
    })
}

/// Answers the question words of the language; the hook of [`Machine::new`].
pub fn ask(machine: &mut Machine, word: Builtin, position: &Arc<Position>) -> Run<Value> {
    match word {
        Builtin::Grundy => grundy(machine, position).map(|value| match value {
            GrundyValue::Nimber(g) => Value::int(g.into()),
            GrundyValue::Loop(options) => Value::Loop(options.into()),
        }),
        Builtin::Wins => outcome(machine, position).map(|o| Value::Bool(o == Outcome::First)),
        Builtin::Loses => outcome(machine, position).map(|o| Value::Bool(o == Outcome::Second)),
        Builtin::Draws => outcome(machine, position).map(|o| Value::Bool(o == Outcome::Draw)),
        Builtin::Outcome => outcome(machine, position).map(|o| Value::text(outcome_word(o))),
        Builtin::Score => {
            let root = Root::new(machine, position)?;
            let judge = Judge::new(machine, &root)?;
            let score = judge.score().ok_or_else(|| {
                let text = machine.position_text(position);
                Halt::Fault(Fault::new("E21", format!("{text} is no position of a scoring game and has no score")))
            })?;
            Ok(Value::Int(score))
        }
        Builtin::Remoteness => {
            let root = Root::new(machine, position)?;
            let far = Judge::with_remoteness(machine, &root)?.remoteness().ok_or_else(|| {
                let text = machine.position_text(position);
                Halt::Fault(Fault::new(
                    "E20",
                    format!("the remoteness of {text} is not defined: it is a draw or scored"),
                ))
            })?;
            Ok(Value::int(far.into()))
        }
        Builtin::Moves | Builtin::Winning | Builtin::Options => list_moves(machine, word, position),
        _ => Err(Fault::new("E04", "this word asks nothing about a position").into()),
    }
}

fn list_moves(machine: &mut Machine, word: Builtin, position: &Position) -> Run<Value> {
    let root = Root::new(machine, position)?;
    let judge = if word == Builtin::Winning { Some(Judge::new(machine, &root)?) } else { None };
    let mut items = Vec::new();
    for mv in root.moves(machine)? {
        if let Some(judge) = &judge
            && judge.verdict(machine, &root, &mv)? != Verdict::Wins
        {
            continue;
        }
        if word == Builtin::Options {
            items.extend(root.position_after(machine, &mv).map(|p| Value::Position(Arc::new(p))));
        } else {
            items.push(Value::text(&root.answer(machine, &mv).text));
        }
    }
    Ok(Value::list(items))
}

/// The word for an outcome.
#[must_use]
pub fn outcome_word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::First => "first",
        Outcome::Second => "second",
        Outcome::Draw => "draw",
    }
}

/// Each engine in the order tried, and whether it takes the position or why not.
pub fn plan(machine: &mut Machine, position: &Position) -> Run<Vec<(String, Result<(), String>)>> {
    plan::plan(machine, position)
}
