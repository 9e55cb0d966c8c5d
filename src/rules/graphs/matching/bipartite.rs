//! Bipartite graphs.

use super::super::NONE;
use super::super::rows::Rows;

/// Makes a matching of a bipartite graph maximum.
///
/// Phases of disjoint augmenting paths found depth first, with a look ahead at free neighbours, until a phase finds none:
/// A. Pothen, C.-J. Fan, "Computing the block triangular form of a sparse matrix", ACM TOMS 16 (1990), where the order of
/// neighbours turns round from phase to phase (I. Duff, K. Kaya, B. Ucar, ACM TOMS 38, 2011). After some phases those of
/// [`shortest`] take over, which bound the time by O(edges x sqrt(n)).
pub(super) fn augment(rows: &Rows, side: &[bool], mate: &mut [u32]) {
    const PHASES: u32 = 60;
    let n = rows.len();
    let mut free: Vec<u32> =
        (0..).take(n).filter(|&v| !side[v as usize] && mate[v as usize] == NONE && !rows.ends(v).is_empty()).collect();
    // Free vertices are looked for at the neighbours from here on: those before are matched, and stay so.
    let mut ahead = vec![0u32; n];
    let mut next = vec![0u32; n];
    let mut met = vec![0u32; n];
    let mut path: Vec<u32> = Vec::new();
    for phase in 1..=PHASES {
        let before = free.len();
        let mut search = Search { rows, mate, ahead: &mut ahead, next: &mut next, met: &mut met, phase };
        free.retain(|&root| !search.from(root, &mut path));
        if free.len() == before {
            return;
        }
    }
    shortest(rows, side, mate);
}

/// One phase.
struct Search<'a> {
    rows: &'a Rows,
    mate: &'a mut [u32],
    ahead: &'a mut [u32],
    next: &'a mut [u32],
    met: &'a mut [u32],
    phase: u32,
}

impl Search<'_> {
    /// The i-th neighbour in the order of this phase.
    fn neighbour(&self, v: u32, i: u32) -> Option<u32> {
        let ends = self.rows.ends(v);
        let i = i as usize;
        if self.phase % 2 == 1 { ends.get(i).copied() } else { ends.len().checked_sub(i + 1).map(|i| ends[i]) }
    }

    /// Whether an augmenting path from a free vertex was found, and used.
    fn from(&mut self, root: u32, path: &mut Vec<u32>) -> bool {
        path.clear();
        path.push(root);
        self.next[root as usize] = 0;
        while let Some(&v) = path.last() {
            let ends = self.rows.ends(v);
            let at = self.ahead[v as usize] as usize;
            let found = ends[at..].iter().position(|&w| self.mate[w as usize] == NONE);
            // A row has less than 2^32 ends.
            self.ahead[v as usize] = u32::try_from(found.map_or(ends.len(), |i| at + i)).unwrap_or(u32::MAX);
            if let Some(i) = found {
                self.turn(path, ends[at + i]);
                return true;
            }
            let mut deeper = None;
            while let Some(w) = self.neighbour(v, self.next[v as usize]) {
                self.next[v as usize] += 1;
                let x = self.mate[w as usize];
                if self.met[x as usize] != self.phase {
                    deeper = Some(x);
                    break;
                }
            }
            if let Some(x) = deeper {
                self.met[x as usize] = self.phase;
                self.next[x as usize] = 0;
                path.push(x);
            } else {
                path.pop();
            }
        }
        false
    }

    /// The last vertex of the path takes `w`, each other one the vertex by which the path left it.
    fn turn(&mut self, path: &[u32], w: u32) {
        let mut w = w;
        for &v in path.iter().rev() {
            let old = std::mem::replace(&mut self.mate[v as usize], w);
            self.mate[w as usize] = v;
            w = old;
        }
    }
}

/// The same by rounds of disjoint shortest augmenting paths, from the vertices with `side[v] == false`: J. E. Hopcroft,
/// R. M. Karp, "An n^(5/2) algorithm for maximum matchings in bipartite graphs", SIAM J. Comput. 2 (1973).
/// O(edges x sqrt(n)).
fn shortest(rows: &Rows, side: &[bool], mate: &mut [u32]) {
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
