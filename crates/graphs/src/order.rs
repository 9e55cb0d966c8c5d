//! Topological order.

use crate::Ends;
use crate::rows::Rows;

/// The vertices such that every arc goes from an earlier to a later one; `None` when there is a cycle (a loop is one).
///
/// The order depends on the arcs as written only: vertices without predecessors ascending, then first freed, first out
/// (A. B. Kahn, "Topological sorting of large networks", CACM 5, 1962). O(n + arcs).
#[must_use]
pub fn topological_order(n: usize, arcs: &[Ends]) -> Option<Vec<u32>> {
    let rows = Rows::out(n, arcs);
    let mut before = vec![0usize; n];
    for &(_, v) in arcs {
        before[v as usize] += 1;
    }
    let mut order: Vec<u32> = (0..).take(n).filter(|&v| before[v as usize] == 0).collect();
    let mut done = 0;
    while let Some(&v) = order.get(done) {
        done += 1;
        for &w in rows.ends(v) {
            before[w as usize] -= 1;
            if before[w as usize] == 0 {
                order.push(w);
            }
        }
    }
    (done == n).then_some(order)
}
