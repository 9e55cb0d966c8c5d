//! Strongly connected components.

use super::rows::Rows;
use super::{Ends, NONE, Parts};

/// The strongly connected components in topological order: an arc between different parts goes from the smaller number
/// to the greater.
///
/// R. E. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972), with its own stack.
/// O(n + arcs).
#[must_use]
pub fn strong_components(n: usize, arcs: &[Ends]) -> Parts {
    strong_parts(&Rows::out(n, arcs))
}

/// The same of rows along the arcs.
pub(crate) fn strong_parts(rows: &Rows) -> Parts {
    let n = rows.len();
    // `index[v]` counts from 1 in the order of discovery; 0: not seen yet.
    let (mut index, mut low, mut of) = (vec![0u32; n], vec![0u32; n], vec![NONE; n]);
    let (mut seen, mut count) = (0, 0);
    let (mut open, mut path): (Vec<u32>, Vec<(u32, usize)>) = (Vec::new(), Vec::new());
    for root in (0..).take(n) {
        if index[root as usize] != 0 {
            continue;
        }
        let mut enter = Some(root);
        loop {
            if let Some(v) = enter.take() {
                seen += 1;
                (index[v as usize], low[v as usize]) = (seen, seen);
                open.push(v);
                path.push((v, 0));
            }
            let Some((v, next)) = path.last_mut() else { break };
            let v = *v;
            if let Some(&w) = rows.ends(v).get(*next) {
                *next += 1;
                if index[w as usize] == 0 {
                    enter = Some(w);
                } else if of[w as usize] == NONE {
                    low[v as usize] = low[v as usize].min(index[w as usize]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent as usize] = low[parent as usize].min(low[v as usize]);
            }
            if low[v as usize] == index[v as usize] {
                while let Some(w) = open.pop() {
                    of[w as usize] = count;
                    if w == v {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    // Tarjan finishes sinks first.
    for part in &mut of {
        *part = count - 1 - *part;
    }
    Parts { of, count: count as usize }
}
