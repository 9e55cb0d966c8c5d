//! Loopy Grundy values by stages (Smith 1966; Fraenkel and Yesha 1976).

use crate::graph_search::explore::PositionGraph;
use crate::graph_search::retrograde::Predecessors;
use crate::value::fault::Run;
use crate::vm::context::Context;

/// The value of a node that has no finite one.
pub(crate) const INFINITE: u32 = u32::MAX;
/// Not labelled yet.
const NONE: u32 = u32::MAX - 1;

/// The finite values of all nodes; [`INFINITE`] where there is none. The graph has no ends of the whole play, no `again`
/// and no points.
///
/// In stage `i` a node gets `i` when it has followers of every smaller value, none of value `i`, and each other follower
/// has a follower of value `i` (so that a move there can be answered). `O(moves)` a stage, at most `sqrt(2 moves) + 2`
/// stages.
pub(crate) fn values(ctx: &Context, graph: &PositionGraph) -> Run<Vec<u32>> {
    let n = graph.len();
    let predecessors = Predecessors::of(graph);
    let mut value = vec![NONE; n];
    let mut unlabelled = n;
    let mut stage = 0u32;
    let mut has = vec![false; n];
    let mut bad = vec![0u32; n];
    while unlabelled > 0 {
        ctx.session.limits.check_clock()?;
        has.fill(false);
        let mut queue: Vec<usize> = Vec::new();
        for node in 0..n {
            let open = graph.moves(node).iter().filter(|&&to| value[to as usize] >= NONE).count();
            bad[node] = u32::try_from(open).unwrap_or(u32::MAX);
            if value[node] == NONE && open == 0 {
                queue.push(node);
            }
        }
        let mut at = 0;
        while at < queue.len() {
            let node = queue[at];
            at += 1;
            if value[node] != NONE || has[node] || bad[node] != 0 {
                continue;
            }
            value[node] = stage;
            unlabelled -= 1;
            for &before in predecessors.row(node) {
                let before = before as usize;
                if has[before] {
                    continue;
                }
                has[before] = true;
                if value[before] < NONE {
                    continue;
                }
                for &far in predecessors.row(before) {
                    let far = far as usize;
                    bad[far] -= 1;
                    if bad[far] == 0 && value[far] == NONE && !has[far] {
                        queue.push(far);
                    }
                }
            }
        }
        for node in 0..n {
            if value[node] == NONE && !has[node] {
                value[node] = INFINITE;
                unlabelled -= 1;
            }
        }
        stage += 1;
    }
    Ok(value)
}

/// The finite values among the options of a node, ascending.
pub(crate) fn option_values(graph: &PositionGraph, value: &[u32], node: usize) -> Vec<u32> {
    let mut values: Vec<u32> =
        graph.moves(node).iter().map(|&to| value[to as usize]).filter(|&v| v != INFINITE).collect();
    values.sort_unstable();
    values.dedup();
    values
}
