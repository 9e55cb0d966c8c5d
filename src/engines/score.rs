//! Scores of acyclic scoring games: the best difference for the mover, from the ends up. A cycle is E21.

use crate::graph_search::explore::{AGAIN, DRAW, PositionGraph};
use crate::graph_search::space::too_many_points;
use crate::source::diagnostic::Code;
use crate::value::fault::{Fault, Run};

/// The score of every node: what the player to move gets more than the other from here on. E21 when a play can come back
/// or an end of the whole play can be reached. `O(positions + moves)`.
pub(crate) fn scores(graph: &PositionGraph) -> Run<Vec<i64>> {
    let undefined = |why: &str| Fault::new(Code::E21, format!("the score is not defined: {why}"));
    if graph.met.stop || graph.met.ending {
        return Err(undefined("a move or an `end when` ends the whole play by win, loss or draw").into());
    }
    let order = bottom_up(graph).ok_or_else(|| undefined("a play can come back to a position"))?;
    let mut score = vec![0i64; graph.len()];
    for node in order {
        let from = graph.start[node];
        let mut best: Option<i64> = None;
        for (at, &edge) in graph.moves(node).iter().enumerate() {
            let value = edge_score(edge, graph.gains[from + at], &score)?;
            best = Some(best.map_or(value, |b| b.max(value)));
        }
        score[node] = best.unwrap_or(0);
    }
    Ok(score)
}

/// What a move is worth for its mover.
pub(crate) fn edge_score(edge: u32, gain: i64, score: &[i64]) -> Run<i64> {
    let next = score[(edge & !AGAIN) as usize];
    let next = if edge & AGAIN == 0 { next.checked_neg() } else { Some(next) };
    next.and_then(|n| gain.checked_add(n)).ok_or_else(too_many_points)
}

/// All nodes, each after everything it leads to; `None` when there is a cycle.
pub(crate) fn bottom_up(graph: &PositionGraph) -> Option<Vec<usize>> {
    let n = graph.len();
    let mut waits = vec![0u32; n];
    for &edge in &graph.edges {
        let to = edge & !AGAIN;
        if to < DRAW {
            waits[to as usize] += 1;
        }
    }
    // Sources first, then reversed.
    let mut order: Vec<usize> = (0..n).filter(|&i| waits[i] == 0).collect();
    let mut at = 0;
    while at < order.len() {
        for &edge in graph.moves(order[at]) {
            let to = edge & !AGAIN;
            if to < DRAW {
                waits[to as usize] -= 1;
                if waits[to as usize] == 0 {
                    order.push(to as usize);
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
