//! Connected components.

use crate::rows::Rows;
use crate::{Ends, NONE, Parts};

/// The connected components, directions ignored, numbered by their least vertices. O(n + edges).
#[must_use]
pub fn connected_components(n: usize, edges: &[Ends]) -> Parts {
    let rows = Rows::both(n, edges.iter().copied());
    let mut of = vec![NONE; n];
    let mut count = 0;
    let mut open = Vec::new();
    for root in (0..).take(n) {
        if of[root as usize] != NONE {
            continue;
        }
        of[root as usize] = count;
        open.push(root);
        while let Some(v) = open.pop() {
            for &w in rows.ends(v) {
                if of[w as usize] == NONE {
                    of[w as usize] = count;
                    open.push(w);
                }
            }
        }
        count += 1;
    }
    Parts { of, count: count as usize }
}

/// Whether there is exactly one component, or no vertex at all. O(n + edges).
#[must_use]
pub fn is_connected(n: usize, edges: &[Ends]) -> bool {
    connected_components(n, edges).count <= 1
}
