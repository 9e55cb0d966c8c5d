//! Bipartite graphs.

use crate::NONE;
use crate::rows::Rows;

/// Makes a matching of a bipartite graph maximum.
///
/// Phases of disjoint augmenting paths found depth first, with a look ahead at free neighbours, until a phase finds none:
/// A. Pothen, C.-J. Fan, "Computing the block triangular form of a sparse matrix", ACM TOMS 16 (1990), where the order of
/// neighbours turns round from phase to phase (I. Duff, K. Kaya, B. Ucar, ACM TOMS 38, 2011). After some phases those of
/// [`shortest`] take over, which bound the time by O(edges x sqrt(n)).
pub(super) fn augment(rows: &Rows, side: &[bool], mate: &mut [u32]) {
    const PHASES: u32 = 60;
    let node = |&mate: &u32| Node { mate, met: 0, ahead: 0, next: 0 };
    let mut search = Search { rows, nodes: mate.iter().map(node).collect(), phase: 0 };
    let is_root = |v: u32| !side[v as usize] && mate[v as usize] == NONE && !rows.ends(v).is_empty();
    let mut free: Vec<u32> = (0..).take(rows.len()).filter(|&v| is_root(v)).collect();
    let mut path: Vec<u32> = Vec::new();
    let mut done = false;
    while search.phase < PHASES && !done {
        let before = free.len();
        search.phase += 1;
        free.retain(|&root| !search.from(root, &mut path));
        done = free.len() == before;
    }
    for (mate, node) in mate.iter_mut().zip(&search.nodes) {
        *mate = node.mate;
    }
    drop(search);
    if !done {
        shortest(rows, side, mate);
    }
}

struct Node {
    mate: u32,
    /// The last phase that met it.
    met: u32,
    /// Free vertices are looked for at the neighbours from here on: those before are matched, and stay so.
    ahead: u32,
    next: u32,
}

struct Search<'a> {
    rows: &'a Rows,
    nodes: Vec<Node>,
    phase: u32,
}

impl Search<'_> {
    /// Whether an augmenting path from a free vertex was found, and used.
    fn from(&mut self, root: u32, path: &mut Vec<u32>) -> bool {
        path.clear();
        path.push(root);
        self.nodes[root as usize].next = 0;
        while let Some(&v) = path.last() {
            let ends = self.rows.ends(v);
            let at = self.nodes[v as usize].ahead as usize;
            let found = ends[at..].iter().position(|&w| self.nodes[w as usize].mate == NONE);
            // A row has less than 2^32 ends.
            self.nodes[v as usize].ahead = u32::try_from(found.map_or(ends.len(), |i| at + i)).unwrap_or(u32::MAX);
            if let Some(i) = found {
                self.turn(path, ends[at + i]);
                return true;
            }
            let mut deeper = None;
            let mut next = self.nodes[v as usize].next as usize;
            while next < ends.len() && deeper.is_none() {
                // The order of neighbours of this phase.
                let w = if self.phase % 2 == 1 { ends[next] } else { ends[ends.len() - 1 - next] };
                next += 1;
                let x = self.nodes[w as usize].mate;
                deeper = (self.nodes[x as usize].met != self.phase).then_some(x);
            }
            self.nodes[v as usize].next = u32::try_from(next).unwrap_or(u32::MAX);
            if let Some(x) = deeper {
                let node = &mut self.nodes[x as usize];
                (node.met, node.next) = (self.phase, 0);
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
            let old = std::mem::replace(&mut self.nodes[v as usize].mate, w);
            self.nodes[w as usize].mate = v;
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
