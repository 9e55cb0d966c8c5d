//! Bipartite graphs.

use super::super::NONE;
use super::super::rows::Rows;

/// Makes a matching of a bipartite graph maximum.
///
/// J. E. Hopcroft, R. M. Karp, "An n^(5/2) algorithm for maximum matchings in bipartite graphs", SIAM J. Comput. 2 (1973):
/// rounds of disjoint shortest augmenting paths, from the vertices with `side[v] == false`. O(edges x sqrt(n)).
pub(super) fn augment(rows: &Rows, side: &[bool], mate: &mut [u32]) {
    let n = rows.len();
    let (mut depth, mut next) = (vec![NONE; n], vec![0usize; n]);
    let mut queue = Vec::new();
    loop {
        depth.fill(NONE);
        next.fill(0);
        queue.clear();
        queue.extend((0..).take(n).filter(|&v| !side[v as usize] && mate[v as usize] == NONE));
        let roots = queue.len();
        for &v in &queue {
            depth[v as usize] = 0;
        }
        // The depth at which the first free vertex of the other side is met.
        let mut limit = NONE;
        let mut done = 0;
        while let Some(&v) = queue.get(done) {
            done += 1;
            if depth[v as usize] >= limit {
                break;
            }
            for &w in rows.ends(v) {
                match mate[w as usize] {
                    NONE => limit = depth[v as usize] + 1,
                    x if depth[x as usize] == NONE => {
                        depth[x as usize] = depth[v as usize] + 1;
                        queue.push(x);
                    }
                    _ => {}
                }
            }
        }
        if limit == NONE {
            return;
        }
        let mut path: Vec<u32> = Vec::new();
        for &root in &queue[..roots] {
            path.clear();
            path.push(root);
            while let Some(&v) = path.last() {
                let Some(&w) = rows.ends(v).get(next[v as usize]) else {
                    path.pop();
                    continue;
                };
                next[v as usize] += 1;
                match mate[w as usize] {
                    NONE => {
                        // The last edge read of every vertex on the path becomes its matching edge.
                        for &u in &path {
                            let partner = rows.ends(u)[next[u as usize] - 1];
                            (mate[u as usize], mate[partner as usize]) = (partner, u);
                            // Used up: no other path of this round may go through it.
                            next[u as usize] = usize::MAX;
                        }
                        break;
                    }
                    x if depth[x as usize] == depth[v as usize] + 1 && next[x as usize] == 0 => path.push(x),
                    _ => {}
                }
            }
        }
    }
}

/// Which vertices some maximum matching misses, given one: both sides search along alternating paths from the vertices
/// that it misses. O(n + edges).
pub(super) fn missed(rows: &Rows, mate: &[u32]) -> Vec<bool> {
    let mut missed: Vec<bool> = mate.iter().map(|mate| *mate == NONE).collect();
    let mut open: Vec<u32> = (0..).zip(&missed).filter(|(_, missed)| **missed).map(|(v, _)| v).collect();
    while let Some(v) = open.pop() {
        for &w in rows.ends(v) {
            // A neighbour is matched, or the matching would not be maximum.
            let x = mate[w as usize];
            if x != NONE && !std::mem::replace(&mut missed[x as usize], true) {
                open.push(x);
            }
        }
    }
    missed
}
