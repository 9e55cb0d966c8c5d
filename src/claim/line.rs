//! A line of play that shows who wins: the winner plays winning moves, the loser the first that there are.

use crate::check::builtin::Builtin;
use crate::rules::machine::Machine;
use crate::rules::value::{Position, Value};
use std::sync::Arc;

/// Longer lines are cut.
const MOVES: usize = 12;

/// The moves of the line as texts; empty for draws and where the positions after the moves cannot be told.
pub(crate) fn line(machine: &mut Machine, start: &Arc<Position>) -> Vec<String> {
    let mut line = Vec::new();
    let mut at = start.clone();
    for _ in 0..MOVES {
        let Some((word, next)) = step(machine, &at) else { break };
        line.push(word);
        let Some(next) = next else { break };
        at = next;
    }
    line
}

/// One move; `None` at the end, in a draw, and when a limit is reached.
fn step(machine: &mut Machine, at: &Arc<Position>) -> Option<(String, Option<Arc<Position>>)> {
    let hook = machine.hook;
    let mut ask = |word: Builtin| machine.with_recovery(|m| hook(m, word, at)).ok();
    let moves = texts(&ask(Builtin::Moves)?);
    let outcome = ask(Builtin::Outcome)?.to_string();
    let chosen = match outcome.as_str() {
        "first" => {
            let winning = texts(&ask(Builtin::Winning)?);
            let best = winning.first()?;
            moves.iter().position(|m| m == best)?
        }
        "second" => 0,
        _ => return None,
    };
    let word = moves.get(chosen)?.clone();
    let Value::List(options) = ask(Builtin::Options)? else { return None };
    // Moves that end the play have no option: then places do not match.
    let next = match options.items.get(chosen) {
        Some(Value::Position(next)) if options.items.len() == moves.len() => Some(next.clone()),
        _ => None,
    };
    Some((word, next))
}

fn texts(list: &Value) -> Vec<String> {
    match list {
        Value::List(list) => list.items.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}
