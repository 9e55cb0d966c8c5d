//! Scores of acyclic scoring games: the best difference for the mover, from the ends up. A cycle is E21. Of one component
//! they are cells of a table if one can be made, else they come from the graph of positions, as those of sums do.

use crate::answer::{Method, Outcome};
use crate::engines::engine::{Engine, Question, Reason, Solution, Verdict, internal_error};
use crate::engines::explore::{self, DRAW, PositionGraph, sorted};
use crate::engines::query::{Destination, Root, RootMove};
use crate::engines::space::{Met, NOTHING, Space};
use crate::engines::{asked, by_tables};
use crate::graph_search::{Edge, NodeId};
use crate::source::Code;
use crate::tables::Kind;
use crate::value::{Fault, Points, Run};
use crate::vm::context::Context;
use std::cmp::Ordering;

pub(crate) struct Scores;

impl Engine for Scores {
    fn fits(&self, ctx: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        Ok(if is_scored(ctx, question.root) { Ok(()) } else { Err("no `gain` and no `score`".into()) })
    }

    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let root = question.root;
        if root.mode.misere {
            return Err(Fault::new(Code::E21, "the score is not defined: it is played in misere").into());
        }
        if root.mode.compound.is_some() {
            return Err(Fault::new(Code::E22, "a compound of scoring games").into());
        }
        if let Some(id) = question.single()
            && asked::asked(ctx, id, Kind::Score)?
            && let Some(total) = by_tables::score(ctx, id)
        {
            let best = total.clone();
            let judge = move |ctx: &mut Context, root: &Root, mv: &RootMove| {
                let next = match root.key_after(mv)[..] {
                    [] => Points::ZERO,
                    [id] => by_tables::score(ctx, id).ok_or_else(internal_error)?,
                    _ => return Err(internal_error()),
                };
                let gain = gain(mv);
                Ok(judged(&worth(&next, mv.keeps_turn(), &gain), &best))
            };
            let positions = by_tables::positions(ctx, id);
            return Ok(Ok(solution(total.clone(), Solution::new(who_leads(&total), Method::Search, positions, judge))));
        }
        let graph = explore::sums(ctx, root.mode, &sorted(&root.ids), true, false)?;
        let scores = scores(&graph)?;
        let start = Space::default().points(ctx, &root.ids)?;
        let total = &scores[0] + &start;
        let positions = graph.len() as u64;
        let judge = move |ctx: &mut Context, root: &Root, mv: &RootMove| {
            let again = mv.keeps_turn();
            let node = graph.find(&root.key_after(mv)).ok_or_else(internal_error)?;
            let mut gain = gain(mv);
            for (_, step) in &mv.steps {
                if let Destination::To(ids) = &step.way {
                    let points = Space::default().points(ctx, ids)?;
                    gain = if again { &gain + &points } else { &gain - &points };
                }
            }
            let edge = Edge::new(node, again);
            Ok(judged(&edge_score(edge, &gain, &scores), &scores[0]))
        };
        Ok(Ok(solution(total.clone(), Solution::new(who_leads(&total), Method::Search, positions, judge))))
    }
}

/// What a move is that is worth so much, where the best is worth `best`.
fn judged(worth: &Points, best: &Points) -> Verdict {
    if worth == best { Verdict::Wins } else { Verdict::Loses }
}

/// Who has more points, by what the player to move has more than the other.
pub fn who_leads(more: &Points) -> Outcome {
    match more.cmp(&Points::ZERO) {
        Ordering::Greater => Outcome::First,
        Ordering::Less => Outcome::Second,
        Ordering::Equal => Outcome::Draw,
    }
}

fn solution(total: Points, mut solution: Solution) -> Solution {
    solution.no_value = Met { points: true, ..Met::default() }.forbids_grundy().map(str::to_string);
    solution.score = Some(total);
    solution
}

/// The score of every node: what the player to move gets more than the other from here on. E21 when a play can come back
/// or an end of the whole play can be reached. `O(positions + moves)`.
pub(crate) fn scores(graph: &PositionGraph) -> Run<Vec<Points>> {
    let undefined = |why: &str| Fault::new(Code::E21, format!("the score is not defined: {why}"));
    if graph.met.stop || graph.met.ending {
        return Err(undefined("a move or an `end when` ends the whole play by win, loss or draw").into());
    }
    let order = bottom_up(graph).ok_or_else(|| undefined("a play can come back to a position"))?;
    let mut score = vec![Points::ZERO; graph.len()];
    for node in order {
        let from = graph.start[node.index()];
        let mut best: Option<Points> = None;
        for (at, &edge) in graph.moves(node).iter().enumerate() {
            let value = edge_score(edge, &graph.gains[from + at], &score);
            best = best.max(Some(value));
        }
        score[node.index()] = best.unwrap_or_default();
    }
    Ok(score)
}

fn edge_score(edge: Edge, gain: &Points, score: &[Points]) -> Points {
    worth(&score[edge.node().index()], edge.keeps(), gain)
}

/// What a move is worth to the mover, of what the position after it is worth to who has the next turn.
pub(crate) fn worth(next: &Points, again: bool, gain: &Points) -> Points {
    if again { gain + next } else { gain - next }
}

/// What a move says that it brings; compounds have no points, so that one step has them.
pub(crate) fn gain(mv: &RootMove) -> Points {
    mv.steps.iter().find_map(|(_, step)| step.gain.clone()).unwrap_or_default()
}

/// All nodes, each after everything it leads to; `None` when there is a cycle.
pub(crate) fn bottom_up(graph: &PositionGraph) -> Option<Vec<NodeId>> {
    let n = graph.len();
    let mut waits = vec![0usize; n];
    for &edge in &graph.edges {
        let to = edge.node();
        if to < DRAW {
            waits[to.index()] += 1;
        }
    }
    // Sources first, then reversed.
    let mut order: Vec<NodeId> = graph.ids().filter(|node| waits[node.index()] == 0).collect();
    let mut at = 0;
    while at < order.len() {
        for &edge in graph.moves(order[at]) {
            let to = edge.node();
            if to < DRAW {
                waits[to.index()] -= 1;
                if waits[to.index()] == 0 {
                    order.push(to);
                }
            }
        }
        at += 1;
    }
    if order.len() < n {
        return None;
    }
    order.reverse();
    Some(order)
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
