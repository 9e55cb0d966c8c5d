//! Strongly connected components.

use crate::rows::Rows;
use crate::{Ends, NONE, Parts};

/// The strongly connected components in topological order: an arc between different parts goes from the smaller number
/// to the greater.
///
/// R. E. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972), with its own stack, and one number for
/// each vertex as D. J. Pearce, "A space-efficient algorithm for finding strongly connected components", Inf. Proc. Letters 116
/// (2016). O(n + arcs).
#[must_use]
pub fn strong_components(n: usize, arcs: &[Ends]) -> Parts {
    strong_parts(&Rows::out(n, arcs), (0..).take(n))
}

/// Whether any two vertices are joined by edges. O(n + edges).
#[must_use]
pub fn is_connected(n: usize, edges: &[Ends]) -> bool {
    strong_parts(&Rows::both(n, edges.iter().copied()), (0..).take(n)).count <= 1
}

/// A vertex on the path of the search.
struct Open {
    vertex: u32,
    /// Its arcs that are not yet looked at.
    next: u32,
    end: u32,
    /// The least number that it reaches, and its own.
    low: u32,
    own: u32,
}

/// The strongly connected components of what can be reached from some vertices along the arcs of these rows; the other vertices
/// are in part [`NONE`]. The order of the vertices and of the rows decides which of several topological orders it is.
pub fn strong_parts(rows: &Rows, from: impl Iterator<Item = u32>) -> Parts {
    let n = rows.len();
    // 0: not seen yet; counted from 1 in the order of discovery, then the least such number that was reached; in the end the part,
    // from the top down in the order of their ends: greater than all numbers of vertices whose part is still open.
    let mut number = vec![0_u32; n];
    let (mut seen, mut part) = (0, u32::MAX);
    // Those whose part is open and that are no more on the path.
    let mut left: Vec<u32> = Vec::new();
    let mut path: Vec<Open> = Vec::new();
    for root in from {
        let mut enter = (number[root as usize] == 0).then_some(root);
        loop {
            if let Some(vertex) = enter.take() {
                seen += 1;
                number[vertex as usize] = seen;
                let places = rows.places(vertex);
                path.push(Open { vertex, next: places.start, end: places.end, low: seen, own: seen });
            }
            let Some(top) = path.last_mut() else { break };
            if top.next < top.end {
                let w = rows.at(top.next);
                top.next += 1;
                match number[w as usize] {
                    0 => enter = Some(w),
                    met => top.low = top.low.min(met),
                }
                continue;
            }
            let Open { vertex, low, own, .. } = *top;
            path.pop();
            if low < own {
                number[vertex as usize] = low;
                left.push(vertex);
                if let Some(below) = path.last_mut() {
                    below.low = below.low.min(low);
                }
            } else {
                while let Some(w) = left.pop_if(|w| number[*w as usize] >= own) {
                    number[w as usize] = part;
                }
                number[vertex as usize] = part;
                part -= 1;
            }
        }
    }
    // Sinks end first.
    let count = u32::MAX - part;
    for number in &mut number {
        // The first part has the greatest number; 0 is a vertex that was not reached.
        *number = number.checked_sub(part).and_then(|number| number.checked_sub(1)).unwrap_or(NONE);
    }
    Parts { of: number, count: count as usize }
}
