//! A line of play that shows who wins: the winner plays winning moves, the loser the first that there are. Where that would
//! come back to a position, the winner plays the fastest.

use crate::model::builtin::Builtin;
use crate::value::{Position, Value};
use crate::vm::context::Context;
use std::sync::Arc;

/// Longer lines are cut.
const MOVES: usize = 12;

/// The moves of the line as texts; empty for draws and where the positions after the moves cannot be told.
pub(crate) fn line(ctx: &mut Context, start: &Arc<Position>) -> Vec<String> {
    played(ctx, start, false).or_else(|| played(ctx, start, true)).unwrap_or_default()
}

/// `fastest`: the winner looks at remoteness, and so no position comes twice. `None`: one came twice.
fn played(ctx: &mut Context, start: &Arc<Position>, fastest: bool) -> Option<Vec<String>> {
    let mut line = Vec::new();
    let mut at = start.clone();
    let mut met = vec![ctx.position_text(&at)];
    for _ in 0..MOVES {
        let Some((word, next)) = step(ctx, &at, fastest) else { break };
        line.push(word);
        let Some(next) = next else { break };
        at = next;
        let text = ctx.position_text(&at);
        if met.contains(&text) && !fastest {
            return None;
        }
        met.push(text);
    }
    Some(line)
}

/// One move; `None` at the end, in a draw, and when a limit is reached.
fn step(ctx: &mut Context, at: &Arc<Position>, fastest: bool) -> Option<(String, Option<Arc<Position>>)> {
    let moves = texts(&ask(ctx, Builtin::Moves, at)?);
    let Value::List(options) = ask(ctx, Builtin::Options, at)? else { return None };
    // Moves that end the play have no option: then places do not match.
    let option = |place: usize| match options.items.item(place) {
        Some(Value::Position(next)) if options.items.len() == moves.len() => Some(next),
        _ => None,
    };
    let chosen = match ask(ctx, Builtin::Outcome, at)?.to_string().as_str() {
        "first" => {
            let winning = texts(&ask(ctx, Builtin::Winning, at)?);
            let mut wins = (0..moves.len()).filter(|&place| winning.contains(&moves[place]));
            let mut remoteness = |place: &usize| match ask(ctx, Builtin::Remoteness, &option(*place)?)? {
                Value::Int(n) => Some(n),
                _ => None,
            };
            if fastest { wins.min_by_key(|place| remoteness(place).unwrap_or(i64::MAX))? } else { wins.next()? }
        }
        "second" => 0,
        _ => return None,
    };
    Some((moves.get(chosen)?.clone(), option(chosen)))
}

fn ask(ctx: &mut Context, word: Builtin, at: &Arc<Position>) -> Option<Value> {
    let hook = ctx.session.hook;
    ctx.with_recovery(|m| hook(m, word, at)).ok()
}

fn texts(list: &Value) -> Vec<String> {
    match list {
        Value::List(list) => list.items.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}
