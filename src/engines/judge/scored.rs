//! Scoring games.

use crate::answer::{Method, Outcome};
use crate::engines::explore;
use crate::engines::explore::sorted;
use crate::engines::judge::{Judge, Made};
use crate::engines::query::Root;
use crate::engines::score;
use crate::engines::space::{Met, NOTHING, Space, too_many_points};
use crate::source::diagnostic::Code;
use crate::value::fault::{Fault, Run};
use crate::vm::context::Context;

impl Judge {
    /// The judge of a scoring game.
    pub(super) fn scored(ctx: &mut Context, root: &Root) -> Run<Judge> {
        if root.mode.misere {
            return Err(Fault::new(Code::E21, "the score is not defined: it is played in misere").into());
        }
        if root.mode.compound.is_some() {
            return Err(Fault::new(Code::E22, "a compound of scoring games").into());
        }
        let graph = explore::sums(ctx, root.mode, &sorted(&root.ids), true, false)?;
        let scores = score::scores(&graph)?;
        let start = Space::default().points(ctx, &root.ids)?;
        let total = scores[0].checked_add(start).ok_or_else(too_many_points)?;
        let outcome = match total.cmp(&0) {
            std::cmp::Ordering::Greater => Outcome::First,
            std::cmp::Ordering::Less => Outcome::Second,
            std::cmp::Ordering::Equal => Outcome::Draw,
        };
        Ok(Judge {
            outcome,
            grundy: None,
            refused: Met { points: true, ..Met::default() }.forbids_grundy().map(str::to_string),
            remoteness: None,
            score: Some(total),
            positions: graph.len() as u64,
            method: Method::Search,
            made: Made::Scores(graph, scores),
        })
    }
}

/// Whether a rule of a game that a component names, directly or through others, has points (rule 33).
pub(crate) fn is_scored(ctx: &Context, root: &Root) -> bool {
    games_of(ctx, root).into_iter().any(|game| ctx.session.program.games[game].has_points())
}

/// The games that components name, directly or through others.
pub(crate) fn games_of(ctx: &Context, root: &Root) -> Vec<usize> {
    let program = &ctx.session.program;
    let mut games = Vec::new();
    let mut seen = vec![false; program.games.len()];
    let mut todo: Vec<usize> =
        root.ids.iter().filter(|&&id| id != NOTHING).map(|&id| ctx.store.game_of(id).0).collect();
    while let Some(game) = todo.pop() {
        if std::mem::replace(&mut seen[game], true) {
            continue;
        }
        games.push(game);
        todo.extend(program.games[game].successors.iter().map(|g| g.0));
    }
    games
}
