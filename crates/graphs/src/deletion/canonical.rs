//! Canonical forms of components: equal for isomorphic ones, and only for them.
//!
//! Where every move either needs one thing (at most one such move a thing) or takes exactly the two things it needs, the
//! moves are two relations on the things. Things get colours that isomorphisms keep (refined by the colours beside them
//! until they divide no further); while several share a colour, one of the smallest such class is set apart and the rest
//! refined again, all choices tried; the least of the relations written in the order of the colours is the form. Of things that
//! an exchange leaves indistinguishable only one is tried. A hash that collides makes colours coarser, never wrong: the form
//! holds the relations themselves.

use crate::deletion::{Deed, MOST, bits, mix};

/// More arrangements than this are not tried.
const LEAVES: usize = 240;

/// A relation on things as rows of masks.
#[derive(Debug)]
struct Layer {
    rows: [u64; MOST],
    symmetric: bool,
}

/// The moves as relations.
#[derive(Debug)]
pub(super) struct Layers {
    /// Things that have a move which needs them alone.
    able: u64,
    /// What such a move takes besides; which pairs are moves. Only those that are not empty.
    layers: Vec<Layer>,
}

impl Layers {
    /// The relations; `None` where moves are not of these forms.
    pub(super) fn of(deeds: &[Deed], able: u64) -> Option<Layers> {
        let (mut takes, mut pairs, mut seen) = ([0u64; MOST], [0u64; MOST], 0u64);
        for deed in deeds {
            let first = deed.need.trailing_zeros() as usize;
            match deed.need.count_ones() {
                1 if seen & deed.need == 0 => {
                    seen |= deed.need;
                    takes[first] = deed.remove & !deed.need;
                }
                2 if deed.need == deed.remove => {
                    for v in bits(deed.need) {
                        pairs[v] |= deed.need & !(1 << v);
                    }
                }
                _ => return None,
            }
        }
        let symmetric = (0..MOST).all(|v| bits(takes[v]).all(|u| takes[u] >> v & 1 == 1));
        let layers = [Layer { rows: takes, symmetric }, Layer { rows: pairs, symmetric: true }];
        Some(Layers { able, layers: layers.into_iter().filter(|l| l.rows.iter().any(|&r| r != 0)).collect() })
    }

    /// Writes the canonical form of a component at the end of `out`. `false`, and nothing written, when it has too many
    /// symmetries.
    pub(super) fn form(&self, part: u64, out: &mut Vec<u64>) -> bool {
        let size = part.count_ones() as usize;
        let mut things = [0usize; MOST];
        let mut places = [0usize; MOST];
        for (i, v) in bits(part).enumerate() {
            things[i] = v;
            places[v] = i;
        }
        let inner = |row: u64| bits(row & part).fold(0u64, |mask, v| mask | 1 << places[v]);
        let mut small = Small { size, able: inner(self.able), layers: Vec::with_capacity(self.layers.len()) };
        for layer in &self.layers {
            let mut rows = [0u64; MOST];
            let mut back = [0u64; MOST];
            for (row, &v) in rows.iter_mut().zip(&things[..size]) {
                *row = inner(layer.rows[v]);
            }
            if !layer.symmetric {
                for (i, &row) in rows[..size].iter().enumerate() {
                    for j in bits(row) {
                        back[j] |= 1 << i;
                    }
                }
            }
            small.layers.push(SmallLayer { rows, back: (!layer.symmetric).then_some(back) });
        }
        let mut colours = [0u64; MOST];
        for (i, colour) in colours.iter_mut().enumerate().take(size) {
            *colour = small.able >> i & 1;
            for layer in &small.layers {
                let out = u64::from(layer.rows[i].count_ones());
                let back = layer.back.as_ref().map_or(0, |b| u64::from(b[i].count_ones()));
                *colour = (*colour << 14) + (out << 7) + back;
            }
        }
        let mut search = Search { small, best: Vec::new(), leaf: Vec::new(), leaves: 0 };
        if !search.go(&mut colours) {
            return false;
        }
        out.extend_from_slice(&search.best);
        true
    }
}

struct SmallLayer {
    rows: [u64; MOST],
    /// The converse of a relation that is not symmetric.
    back: Option<[u64; MOST]>,
}

/// A component with its things numbered `0..size`.
struct Small {
    size: usize,
    able: u64,
    layers: Vec<SmallLayer>,
}

struct Search {
    small: Small,
    best: Vec<u64>,
    leaf: Vec<u64>,
    leaves: usize,
}

impl Search {
    /// Tries all arrangements that go on from these colours. `false`: too many.
    fn go(&mut self, colours: &mut [u64; MOST]) -> bool {
        let size = self.small.size;
        let (count, sorted) = self.small.refine(colours);
        let sorted = &sorted[..size];
        if count == size {
            self.leaves += 1;
            self.leaf.clear();
            self.small.write(sorted, &mut self.leaf);
            if self.best.is_empty() || self.leaf < self.best {
                std::mem::swap(&mut self.best, &mut self.leaf);
            }
            return self.leaves < LEAVES;
        }
        let classes = sorted.chunk_by(|a, b| a / PLACES == b / PLACES).filter(|class| class.len() > 1);
        let mut tried = 0u64;
        for v in classes.min_by_key(|class| class.len()).into_iter().flatten().map(|&at| place(at)) {
            if bits(tried).any(|u| self.small.twins(u, v)) {
                continue;
            }
            tried |= 1 << v;
            let mut inner = *colours;
            inner[v] = mix(inner[v] ^ 0x9e37_79b9_7f4a_7c15);
            if !self.go(&mut inner) {
                return false;
            }
        }
        true
    }
}

/// A colour's last digit to this base is left out, and holds the thing while colours are sorted.
const PLACES: u64 = MOST as u64;

/// The thing in a sorted colour.
fn place(at: u64) -> usize {
    // Below 64.
    usize::try_from(at % PLACES).unwrap_or(0)
}

impl Small {
    /// Refines the colours until they divide the things no further. Returns how many there are, and the things in their order.
    fn refine(&self, colours: &mut [u64; MOST]) -> (usize, [u64; MOST]) {
        let size = self.size;
        let (mut last, mut rounds) = (0, 3);
        loop {
            for _ in 0..rounds {
                let mut mixed = [0u64; MOST];
                for (mixed, &colour) in mixed.iter_mut().zip(&colours[..size]) {
                    *mixed = mix(colour);
                }
                for (v, colour) in colours.iter_mut().enumerate().take(size) {
                    let sum = |row: u64| bits(row).fold(0u64, |sum, u| sum.wrapping_add(mixed[u]));
                    let mut seen = mixed[v].wrapping_mul(5);
                    for layer in &self.layers {
                        seen = seen.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(sum(layer.rows[v]));
                        if let Some(back) = &layer.back {
                            seen = seen.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(sum(back[v]));
                        }
                    }
                    *colour = seen;
                }
            }
            let mut sorted = [0u64; MOST];
            for (v, (at, colour)) in (0..).zip(sorted.iter_mut().zip(&colours[..size])) {
                *at = colour / PLACES * PLACES + v;
            }
            sorted[..size].sort_unstable();
            let count = sorted[..size].chunk_by(|a, b| a / PLACES == b / PLACES).count();
            if count == size || count == last {
                return (count, sorted);
            }
            (last, rounds) = (count, 2);
        }
    }

    /// Whether exchanging two things changes nothing.
    fn twins(&self, u: usize, v: usize) -> bool {
        let same =
            |rows: &[u64; MOST]| rows[u] & !(1 << v) == rows[v] & !(1 << u) && rows[u] >> v & 1 == rows[v] >> u & 1;
        self.able >> u & 1 == self.able >> v & 1
            && self.layers.iter().all(|l| same(&l.rows) && l.back.as_ref().is_none_or(same))
    }

    /// The relations in the order of the colours, all different.
    fn write(&self, sorted: &[u64], out: &mut Vec<u64>) {
        let mut places = [0usize; MOST];
        for (i, &at) in sorted.iter().enumerate() {
            places[place(at)] = i;
        }
        let moved = |row: u64| bits(row).fold(0u64, |mask, v| mask | 1 << places[v]);
        out.push(self.size as u64);
        out.push(moved(self.able));
        for layer in &self.layers {
            let symmetric = layer.back.is_none();
            let (mut word, mut used) = (0u64, 0);
            for (i, v) in sorted.iter().map(|&at| place(at)).enumerate() {
                let width = if symmetric { i } else { self.size };
                let row = if width == 64 { moved(layer.rows[v]) } else { moved(layer.rows[v]) & ((1 << width) - 1) };
                word |= row.checked_shl(used).unwrap_or(0);
                // At most 64 columns.
                used += u32::try_from(width).unwrap_or(0);
                if used >= 64 {
                    out.push(word);
                    used -= 64;
                    // The columns that did not fit.
                    word = row.checked_shr(u32::try_from(width).unwrap_or(0) - used).unwrap_or(0);
                }
            }
            out.push(word);
        }
    }
}
