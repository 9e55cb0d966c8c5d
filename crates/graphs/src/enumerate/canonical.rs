//! The canonical form of a small directed multigraph.
//!
//! Vertices get colours that isomorphisms keep (degrees, refined by the colours of the neighbours); among the arrangements
//! that list the colours in order the one with the greatest code is the canonical one. Branch and bound over the
//! arrangements; of vertices that an exchange leaves indistinguishable only the first is tried at each place.

use crate::Ends;
use std::cmp::Ordering;

/// The most vertices.
pub(super) const MAX: usize = 9;
/// The most parallel edges: a code has 4 bits for each direction of a pair.
pub(super) const MAX_PARALLEL: usize = 15;

/// `cell[u][v]` is the number of arcs from `u` to `v`; symmetric for undirected graphs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix {
    pub(super) n: usize,
    pub(super) cell: [[u8; MAX]; MAX],
}

/// A canonical form: equal for isomorphic matrices with equal `n`, and only for them. Row `i` holds the arcs between place
/// `i` and the earlier places, 8 bits each, then the loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Form {
    rows: [u128; MAX],
}

impl Form {
    /// The form read back with its places as vertices.
    pub(super) fn matrix(&self, n: usize) -> Matrix {
        let mut matrix = Matrix { n, cell: [[0; MAX]; MAX] };
        for i in 0..n {
            let mut row = self.rows[i];
            let mut take = || {
                let low = row & 15;
                row >>= 4;
                // 4 bits.
                u8::try_from(low).unwrap_or(0)
            };
            matrix.cell[i][i] = take();
            for j in (0..i).rev() {
                matrix.cell[j][i] = take();
                matrix.cell[i][j] = take();
            }
        }
        matrix
    }
}

fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Matrix {
    /// The edges, parallel ones repeated, lexicographically; each arc of a digraph, each edge of an undirected graph once.
    pub(super) fn edges(&self, directed: bool) -> Vec<Ends> {
        let mut edges = Vec::new();
        for (u, row) in (0..).zip(&self.cell[..self.n]) {
            for (v, &count) in (0..).zip(&row[..self.n]) {
                if directed || u <= v {
                    edges.extend(std::iter::repeat_n((u, v), usize::from(count)));
                }
            }
        }
        edges
    }

    fn degree(&self, v: usize) -> u64 {
        (0..self.n).map(|w| u64::from(self.cell[v][w]) + u64::from(self.cell[w][v])).sum()
    }

    /// Colours that isomorphisms keep. Hashes that collide make them coarser, never wrong.
    fn colours(&self) -> [(u64, u64); MAX] {
        let n = self.n;
        let mut colour = [(0, 0); MAX];
        for (v, colour) in colour.iter_mut().enumerate().take(n) {
            // Great degrees first.
            *colour = (u64::MAX - self.degree(v), u64::from(self.cell[v][v]));
        }
        let mut classes = distinct(&colour[..n]);
        while classes < n {
            let mut finer = colour;
            for (v, finer) in finer.iter_mut().enumerate().take(n) {
                let around = (0..n).filter(|&w| w != v).fold(0u64, |sum, w| {
                    let pair = u64::from(self.cell[v][w]) << 8 | u64::from(self.cell[w][v]);
                    sum.wrapping_add(mix(mix(colour[w].0 ^ pair.wrapping_mul(0x9e37_79b9_7f4a_7c15)) ^ colour[w].1))
                });
                finer.1 = mix(colour[v].1 ^ mix(around));
            }
            let count = distinct(&finer[..n]);
            if count <= classes {
                break;
            }
            (classes, colour) = (count, finer);
        }
        colour
    }

    /// Whether exchanging two vertices changes nothing.
    fn twins(&self, u: usize, v: usize) -> bool {
        let cell = &self.cell;
        cell[u][u] == cell[v][v]
            && cell[u][v] == cell[v][u]
            && (0..self.n).all(|w| w == u || w == v || (cell[u][w] == cell[v][w] && cell[w][u] == cell[w][v]))
    }

    /// The canonical form. At worst n! arrangements; a few microseconds for most graphs.
    pub(super) fn form(&self) -> Form {
        let n = self.n;
        let colour = self.colours();
        let mut order: [usize; MAX] = std::array::from_fn(|v| v);
        order[..n].sort_unstable_by_key(|&v| (colour[v], v));
        // `order[start[i]..]` are the candidates for place `i`, while the colour lasts.
        let mut start = [0; MAX];
        for i in 1..n {
            start[i] = if colour[order[i]] == colour[order[i - 1]] { start[i - 1] } else { i };
        }
        let mut twins = [[false; MAX]; MAX];
        for i in 0..n {
            for j in start[i]..i {
                twins[order[i]][order[j]] = self.twins(order[i], order[j]);
            }
        }

        let mut best = Form { rows: [0; MAX] };
        let (mut rows, mut place, mut next) = ([0u128; MAX], [0usize; MAX], [0usize; MAX]);
        let mut used = [false; MAX];
        // The first place where the arrangement being made is greater than the best; n: equal so far. All zero is no more
        // than any code, so it serves as the first best.
        let mut greater = n;
        let mut level = 0;
        if n == 0 {
            return best;
        }
        next[0] = start[0];
        loop {
            let i = level;
            let candidate = next[i];
            if candidate >= n || start[candidate] != start[i] {
                if i == 0 {
                    return best;
                }
                level -= 1;
                used[place[level]] = false;
                if level <= greater {
                    greater = n;
                }
                continue;
            }
            next[i] += 1;
            let v = order[candidate];
            if used[v] || (start[i]..candidate).any(|c| !used[order[c]] && twins[v][order[c]]) {
                continue;
            }
            let row = place[..i]
                .iter()
                .fold(0, |row: u128, &w| row << 8 | u128::from(self.cell[v][w]) << 4 | u128::from(self.cell[w][v]))
                << 4
                | u128::from(self.cell[v][v]);
            if greater == n {
                match row.cmp(&best.rows[i]) {
                    Ordering::Less => continue,
                    Ordering::Equal => {}
                    Ordering::Greater => greater = i,
                }
            }
            rows[i] = row;
            place[i] = v;
            if i + 1 == n {
                if greater < n {
                    best.rows = rows;
                    greater = n;
                }
                continue;
            }
            used[v] = true;
            level += 1;
            next[level] = start[level];
        }
    }
}

fn distinct(colours: &[(u64, u64)]) -> usize {
    let mut sorted = [(0, 0); MAX];
    let sorted = &mut sorted[..colours.len()];
    sorted.copy_from_slice(colours);
    sorted.sort_unstable();
    sorted.windows(2).filter(|pair| pair[0] != pair[1]).count() + usize::from(!colours.is_empty())
}
