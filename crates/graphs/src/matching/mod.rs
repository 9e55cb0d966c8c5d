//! Maximum matchings in general graphs, and the vertices that some maximum matching misses.
//!
//! Loops are ignored and parallel edges count once. A vertex that some maximum matching misses is one that an alternating
//! path of even length joins to a vertex missed by the matching at hand: the set D(G) of the structure theorem of T. Gallai
//! (1964) and J. Edmonds (1965).

mod bipartite;
mod general;
pub mod lattice;

use crate::bits::Bits;
use crate::rows::{Rows, two_colours};
use crate::{Ends, NONE};

/// What a maximum matching tells of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matched {
    /// The number of its edges.
    pub size: usize,
    /// The vertices that some maximum matching misses.
    pub missed: Bits,
}

impl From<&Matching> for Matched {
    fn from(matching: &Matching) -> Matched {
        Matched { size: matching.size(), missed: matching.missed() }
    }
}

/// A maximum matching and what it proves.
#[derive(Clone, Debug)]
pub struct Matching {
    mate: Vec<u32>,
    /// Whether some maximum matching misses the vertex.
    missed: Vec<bool>,
}

impl Matching {
    /// A maximum matching. Bipartite graphs: O(edges x sqrt(n)); others: O(n^3) in the worst case, seldom near it.
    pub fn new(n: usize, edges: &[Ends]) -> Matching {
        Matching::of(n, edges.iter().copied())
    }

    /// The same of edges that are gone through twice.
    pub fn of(n: usize, edges: impl Iterator<Item = Ends> + Clone) -> Matching {
        let rows = Rows::both(n, edges.filter(|(u, v)| u != v));
        let mut mate = greedy(&rows);
        if !mate.contains(&NONE) {
            // Nothing is missed by a perfect matching, nor by any other maximum one.
            return Matching { missed: vec![false; mate.len()], mate };
        }
        let missed = if let Some(colours) = two_colours(&rows, (0..).take(n)) {
            let side: Vec<bool> = colours.iter().map(|colour| *colour == 2).collect();
            bipartite::augment(&rows, &side, &mut mate);
            bipartite::missed(&rows, &mate)
        } else {
            general::augment(&rows, &mut mate)
        };
        Matching { mate, missed }
    }

    /// The number of its edges. O(n).
    pub fn size(&self) -> usize {
        self.mate.iter().filter(|mate| **mate != NONE).count() / 2
    }

    /// The partner of a vertex in this matching.
    pub fn mate(&self, v: u32) -> Option<u32> {
        Some(self.mate[v as usize]).filter(|mate| *mate != NONE)
    }

    fn missed(&self) -> Bits {
        Bits::of_flags(&self.missed)
    }

    /// The same as a list, ascending. O(n).
    pub fn sometimes_unmatched(&self) -> Vec<u32> {
        self.missed().iter().collect()
    }
}

/// A matching to begin with: a vertex with one free neighbour takes it, as some maximum matching does; when there is none, the
/// next vertex takes its free neighbour of least degree. O(n + edges).
///
/// R. Karp, M. Sipser, "Maximum matching in sparse random graphs", FOCS 1981.
fn greedy(rows: &Rows) -> Vec<u32> {
    let n = rows.len();
    let mut mate = vec![NONE; n];
    // Free neighbours, parallel edges counted each.
    let mut degree: Vec<u32> = (0..).take(n).map(|v| u32::try_from(rows.ends(v).len()).unwrap_or(u32::MAX)).collect();
    let mut single: Vec<u32> = (0..).take(n).filter(|&v| degree[v as usize] == 1).collect();
    let mut all = (0..).take(n);
    loop {
        let Some(v) = single.pop().or_else(|| all.next()) else { return mate };
        if mate[v as usize] != NONE {
            continue;
        }
        let free = rows.ends(v).iter().copied().filter(|&w| mate[w as usize] == NONE);
        let Some(w) = free.min_by_key(|&w| degree[w as usize]) else { continue };
        (mate[v as usize], mate[w as usize]) = (w, v);
        for &x in rows.ends(v).iter().chain(rows.ends(w)) {
            let left = &mut degree[x as usize];
            *left = left.saturating_sub(1);
            if *left == 1 && mate[x as usize] == NONE {
                single.push(x);
            }
        }
    }
}
