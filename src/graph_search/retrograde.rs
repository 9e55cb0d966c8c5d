//! Win, loss, draw and remoteness by retrograde analysis, nearest first (design: FIFO layers; theory of loopy games, Smith
//! 1966, Fraenkel and Yesha).

use crate::graph_search::explore::{AGAIN, DRAW, LOSE, Node, PositionGraph, WIN};
use crate::value::fault::Run;
use crate::vm::context::Context;

/// What is known of a node: of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Nobody can force an end.
    Draw,
    Win,
    Loss,
}

/// Outcomes and remoteness of all nodes.
#[derive(Debug)]
pub(crate) struct Marks {
    pub(crate) marks: Vec<Mark>,
    /// Moves until the end, where someone wins: the winner hurries, the loser delays.
    pub(crate) remoteness: Vec<u32>,
}

/// The predecessors of every node, in compressed rows: node numbers, with [`AGAIN`] as in the edge.
pub(crate) struct Predecessors {
    start: Vec<usize>,
    from: Vec<u32>,
}

impl Predecessors {
    /// Turns the edges round. Time and memory linear in the moves.
    pub(crate) fn of(graph: &PositionGraph) -> Self {
        let mut start = vec![0usize; graph.len() + 1];
        for &edge in &graph.edges {
            let to = edge & !AGAIN;
            if to < DRAW {
                start[to as usize + 1] += 1;
            }
        }
        for i in 1..start.len() {
            start[i] += start[i - 1];
        }
        let mut place = start.clone();
        let mut from = vec![0u32; start[graph.len()]];
        for node in 0..graph.len() {
            let number = u32::try_from(node).unwrap_or(u32::MAX);
            for &edge in graph.moves(node) {
                let to = edge & !AGAIN;
                if to < DRAW {
                    let at = &mut place[to as usize];
                    from[*at] = number | (edge & AGAIN);
                    *at += 1;
                }
            }
        }
        Predecessors { start, from }
    }

    pub(crate) fn row(&self, node: usize) -> &[u32] {
        &self.from[self.start[node]..self.start[node + 1]]
    }
}

/// Decides every node. `O(positions + moves)`.
pub(crate) fn decide(ctx: &Context, graph: &PositionGraph, misere: bool) -> Run<Marks> {
    let n = graph.len();
    let predecessors = Predecessors::of(graph);
    let mut marks = vec![Mark::Draw; n];
    let mut remoteness = vec![0u32; n];
    let mut fixed = vec![false; n];
    let mut left = vec![0u32; n];
    // Nodes decided at each distance, as far as they are known before the sweep.
    let mut seeds: std::collections::BTreeMap<u32, Vec<(u32, Mark)>> = std::collections::BTreeMap::new();
    for node in 0..n {
        let number = u32::try_from(node).unwrap_or(u32::MAX);
        match graph.nodes[node] {
            Node::Ended(2) => fixed[node] = true,
            Node::Ended(code) => {
                seeds.entry(0).or_default().push((number, if code == 0 { Mark::Win } else { Mark::Loss }));
            }
            Node::Known(decided) => match decided.outcome {
                crate::answer::Outcome::Draw => fixed[node] = true,
                outcome => {
                    let mark = if outcome == crate::answer::Outcome::First { Mark::Win } else { Mark::Loss };
                    seeds.entry(decided.remoteness).or_default().push((number, mark));
                }
            },
            Node::Open => {
                let moves = graph.moves(node);
                left[node] = u32::try_from(moves.len()).unwrap_or(u32::MAX);
                if moves.is_empty() {
                    seeds.entry(0).or_default().push((number, if misere { Mark::Win } else { Mark::Loss }));
                } else if moves.contains(&WIN) {
                    seeds.entry(1).or_default().push((number, Mark::Win));
                } else {
                    let lost = moves.iter().filter(|&&e| e == LOSE).count();
                    left[node] -= u32::try_from(lost).unwrap_or(u32::MAX);
                    if left[node] == 0 {
                        seeds.entry(1).or_default().push((number, Mark::Loss));
                    }
                }
            }
        }
    }
    let mut distance = 0u32;
    let mut layer: Vec<(u32, Mark)> = Vec::new();
    loop {
        if let Some(more) = seeds.remove(&distance) {
            layer.extend(more);
        }
        if layer.is_empty() {
            match seeds.keys().next() {
                Some(&next) => {
                    distance = next;
                    continue;
                }
                None => break,
            }
        }
        ctx.session.limits.check_clock()?;
        let mut next = Vec::new();
        for (number, mark) in layer.drain(..) {
            let node = number as usize;
            if fixed[node] {
                continue;
            }
            fixed[node] = true;
            marks[node] = mark;
            remoteness[node] = distance;
            for &from in predecessors.row(node) {
                let (before, again) = ((from & !AGAIN) as usize, from & AGAIN != 0);
                if fixed[before] || !matches!(graph.nodes[before], Node::Open) {
                    continue;
                }
                if (mark == Mark::Win) == again {
                    next.push((from & !AGAIN, Mark::Win));
                } else {
                    left[before] -= 1;
                    if left[before] == 0 {
                        next.push((from & !AGAIN, Mark::Loss));
                    }
                }
            }
        }
        layer = next;
        distance += 1;
    }
    Ok(Marks { marks, remoteness })
}
