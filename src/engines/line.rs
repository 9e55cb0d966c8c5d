//! A line of play: what the winner does, and what the loser may try against it; in a scoring game the best moves of both.

use crate::answer::{MoveAnswer, Outcome};
use crate::engines::query::{Root, RootMove};
use crate::engines::{Choice, ask, solve};
use crate::model::Builtin;
use crate::value::fault::Run;
use crate::value::limits::Limits;
use crate::value::{Position, Value};
use crate::vm::context::{Context, EngineOptions};
use std::sync::Arc;

/// Longer lines are cut.
const MOVES: usize = 12;

/// The rules may take so many steps for a move; a position with too many moves has no line.
const STEPS: u64 = 1 << 24;

/// A line of play.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Its moves; none of a position without moves and of a draw without points.
    pub moves: Vec<Played>,
    /// More moves would follow, or could not be worked out.
    pub cut: bool,
}

/// A move of a line.
#[derive(Clone, Debug)]
pub struct Played {
    /// As text, with its component in a sum of several: `take 2 in Nim(3)`.
    pub text: String,
    /// The player who has the first move of the line makes it.
    pub by_first: bool,
}

/// Winning moves of the one player and any moves of the other, best moves of both where there are points; twelve at most.
/// `exhaustive`: by the rules alone. `outcome`: searches stop at the first winning move.
pub fn line(ctx: &mut Context, start: &Arc<Position>, exhaustive: bool, outcome: bool) -> Line {
    let choice = Choice { moves: usize::MAX, remoteness: false, exhaustive, outcome };
    let options = EngineOptions { theorems: ctx.options.theorems && !exhaustive, ..ctx.options };
    ctx.with_options(options, |ctx| {
        played(ctx, start, choice, false).or_else(|| played(ctx, start, choice, true)).unwrap_or_default()
    })
}

/// `fastest`: the winner looks at remoteness, and so no position comes twice. `None`: one came twice.
fn played(ctx: &mut Context, start: &Arc<Position>, choice: Choice, fastest: bool) -> Option<Line> {
    let (mut line, mut by_first) = (Line::default(), true);
    let mut at = start.clone();
    let mut met = vec![ctx.position_text(&at)];
    loop {
        let most = ctx.run.fuel.saturating_add(STEPS);
        let narrow = |limits: &mut Limits| limits.steps = Some(limits.steps.map_or(most, |steps| steps.min(most)));
        let found = ctx.under(narrow, |ctx| ctx.with_recovery(|ctx| step(ctx, &at, choice, fastest)));
        let step = match found {
            Ok(Next::Move(step)) if line.moves.len() < MOVES => step,
            Ok(Next::Over) => break,
            // A limit ends the line too.
            _ => {
                line.cut = true;
                break;
            }
        };
        line.moves.push(Played { text: step.text, by_first });
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

enum Next {
    Move(Step),
    /// There is no move, or nobody wins.
    Over,
    /// The moves that win are not known.
    Unknown,
}

struct Step {
    text: String,
    keeps_turn: bool,
    /// `None` behind a move that ends the play.
    next: Option<Arc<Position>>,
}

fn step(ctx: &mut Context, at: &Arc<Position>, choice: Choice, fastest: bool) -> Run<Next> {
    let answer = solve(ctx, at, choice)?;
    let root = Root::new(ctx, at)?;
    let points = answer.score.is_some();
    // Whoever cannot win makes any move; with points the best one.
    let any = answer.outcome == Outcome::Second && !points;
    if answer.outcome == Outcome::Draw && !points {
        return Ok(Next::Over);
    }
    if !any && answer.moves_refused.is_some() {
        return Ok(Next::Unknown);
    }
    let mut chosen: Option<(&RootMove, MoveAnswer, Option<Arc<Position>>)> = None;
    let mut least = i64::MAX;
    let moves = root.moves(ctx)?;
    for mv in &moves {
        let told = root.answer(ctx, mv);
        if !any && !answer.winning.listed.contains(&told) {
            continue;
        }
        let next = root.position_after(ctx, mv).map(Arc::new);
        // A move that wins at once is the best of those that win.
        let far = match &next {
            None => -1,
            Some(next) if fastest && !any && !points => match ask(ctx, Builtin::Remoteness, next)? {
                Value::Int(n) => n,
                _ => i64::MAX - 1,
            },
            Some(_) => i64::MAX - 1,
        };
        if far < least {
            least = far;
            chosen = Some((mv, told, next));
        }
        if any {
            break;
        }
    }
    Ok(match chosen {
        None if moves.is_empty() || any => Next::Over,
        None => Next::Unknown,
        Some((mv, told, next)) => {
            let text = match &told.within {
                Some(within) if root.ids.len() > 1 => format!("{} in {within}", told.text),
                _ => told.text,
            };
            Next::Move(Step { text, keeps_turn: mv.keeps_turn(), next })
        }
    })
}
