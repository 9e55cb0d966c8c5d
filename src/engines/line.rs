//! A line of play: what the winner does, and what the loser may try against it.

use crate::answer::{MoveAnswer, Outcome};
use crate::engines::query::{Root, RootMove};
use crate::engines::{Choice, answered, ask};
use crate::model::Builtin;
use crate::value::fault::Run;
use crate::value::{Position, Value};
use crate::vm::context::Context;
use std::sync::Arc;

/// Longer lines are cut.
const MOVES: usize = 12;

/// A move of a line.
#[derive(Clone, Debug)]
pub struct Played {
    /// As text, with its component in a sum of several: `take 2 in Nim(3)`.
    pub text: String,
    /// The player who has the first move of the line makes it.
    pub by_first: bool,
}

/// Winning moves of the one player and any moves of the other, twelve at most; empty for draws, and where the moves cannot be told.
pub fn line(ctx: &mut Context, start: &Arc<Position>) -> Vec<Played> {
    played(ctx, start, false).or_else(|| played(ctx, start, true)).unwrap_or_default()
}

/// `fastest`: the winner looks at remoteness, and so no position comes twice. `None`: one came twice.
fn played(ctx: &mut Context, start: &Arc<Position>, fastest: bool) -> Option<Vec<Played>> {
    let (mut line, mut by_first) = (Vec::new(), true);
    let mut at = start.clone();
    let mut met = vec![ctx.position_text(&at)];
    while line.len() < MOVES {
        // A limit ends the line.
        let Ok(Some(step)) = ctx.with_recovery(|ctx| step(ctx, &at, fastest)) else { break };
        line.push(Played { text: step.text, by_first });
        by_first ^= !step.keeps_turn;
        let Some(next) = step.next else { break };
        at = next;
        let text = ctx.position_text(&at);
        if met.contains(&text) && !fastest {
            return None;
        }
        met.push(text);
    }
    Some(line)
}

struct Step {
    text: String,
    keeps_turn: bool,
    /// `None` behind a move that ends the play.
    next: Option<Arc<Position>>,
}

/// One move; `None` at the end and in a draw.
fn step(ctx: &mut Context, at: &Arc<Position>, fastest: bool) -> Run<Option<Step>> {
    let choice = Choice { moves: usize::MAX, remoteness: false, ..Choice::default() };
    let answer = answered(ctx, at, choice)?;
    let root = Root::new(ctx, at)?;
    let moves = root.moves(ctx)?;
    let told = |ctx: &mut Context, mv: &RootMove| (root.answer(ctx, mv), root.position_after(ctx, mv).map(Arc::new));
    let mut chosen: Option<(&RootMove, MoveAnswer, Option<Arc<Position>>)> = None;
    let mut least = i64::MAX;
    for mv in &moves {
        let (answered, next) = match answer.outcome {
            Outcome::First => {
                let (text, next) = told(ctx, mv);
                if !answer.winning.listed.contains(&text) {
                    continue;
                }
                (text, next)
            }
            Outcome::Second => told(ctx, mv),
            Outcome::Draw => return Ok(None),
        };
        if answer.outcome == Outcome::First && fastest {
            let far = match &next {
                None => -1,
                Some(next) => match ask(ctx, Builtin::Remoteness, next)? {
                    Value::Int(n) => n,
                    _ => i64::MAX - 1,
                },
            };
            if far < least {
                least = far;
                chosen = Some((mv, answered, next));
            }
            continue;
        }
        chosen = Some((mv, answered, next));
        break;
    }
    Ok(chosen.map(|(mv, answered, next)| {
        let text = match &answered.within {
            Some(within) if root.ids.len() > 1 => format!("{} in {within}", answered.text),
            _ => answered.text,
        };
        Step { text, keeps_turn: mv.keeps_turn(), next }
    }))
}
