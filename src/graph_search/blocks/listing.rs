//! What the states of a block can do, listed by native code: cells for the block, and for each change which states have it.

use crate::graph_search::blocks::cells::{DRAWN, UNKNOWN, decided};
use crate::graph_search::blocks::lister::{Lister, Seen};
use crate::graph_search::blocks::shape::Shape;
use crate::graph_search::blocks::store::Entry;
use crate::graph_search::retrograde::{LOSS, WIN};
use crate::tables::expand::{ENDED, FAULTY, STOP};
use crate::value::limits::Limits;
use crate::value::refusal::Attempt;
use crate::value::width;

/// Lists blocks, one after the other.
pub(super) struct Listing<'a> {
    limits: &'a Limits,
    lister: Lister,
    shape: Shape,
    misere: bool,
    /// What was seen of the states with each word.
    pub(super) seen: Vec<Seen>,
    /// Words that are no changes, as bits: all of them; those of states that cannot be worked out; by code those of ends of
    /// the play here, and by moves.
    other: u64,
    unknown: u64,
    here: [u64; 3],
    moves: [u64; 3],
    /// So many words are looked at.
    known: usize,
    bits: Vec<u64>,
    /// For each word a bit for each state of the block that was listed last.
    pub(super) planes: Vec<u64>,
}

/// States listed at a time.
const CHUNK: usize = 4096;

impl<'a> Listing<'a> {
    /// Goes on with the words that are known and what was seen of them.
    pub(super) fn new(limits: &'a Limits, lister: Lister, shape: Shape, misere: bool, seen: Vec<Seen>) -> Listing<'a> {
        let bits = vec![0; shape.size()];
        let (here, moves) = ([0; 3], [0; 3]);
        Listing {
            limits,
            lister,
            shape,
            misere,
            seen,
            other: 0,
            unknown: 0,
            here,
            moves,
            known: 0,
            bits,
            planes: Vec::new(),
        }
    }

    /// The words by bit.
    pub(super) fn words(&self) -> &[u64] {
        &self.lister.words
    }

    /// Lists the states of a block: fills its cells and the planes; what it says of the block, see [`Entry`]. `keys`: which states
    /// have places, where not all have. `O(states * moves)`. Errors: the limits; rules that do not fit.
    pub(super) fn list(&mut self, block: u64, keys: Option<&[u32]>, cells: &mut [u16]) -> Attempt<u8> {
        let ranks = self.shape.ranks(block, keys);
        let (states, mut flags) = (ranks.len(), 0);
        cells.fill(0);
        self.bits.fill(0);
        let mut at = 0;
        while at < states {
            self.limits.check_clock()?;
            let end = states.min(at + CHUNK);
            self.lister.list(&ranks[at..end], &mut self.bits[at..end])?;
            self.look();
            for (cell, &bits) in cells[at..end].iter_mut().zip(&self.bits[at..end]) {
                let moves = u16::try_from(bits.count_ones()).unwrap_or(0); // at most 64
                *cell = moves << 2;
                if bits == 0 {
                    *cell = narrow(decided(if self.misere { WIN } else { LOSS }, 0));
                    flags |= Entry::ENDS;
                } else if bits & self.other != 0 {
                    let (number, flag) = self.ended(bits);
                    *cell = narrow(number);
                    flags |= flag;
                }
            }
            at = end;
        }
        self.turn();
        if self.shape.spread.is_some() {
            self.look_at_each(&ranks);
        } else if let Some(&first) = ranks.first() {
            self.look_at_all(first);
        }
        Ok(flags)
    }

    /// Looks at words that were not met before.
    fn look(&mut self) {
        for (bit, &word) in self.lister.words.iter().enumerate().skip(self.known) {
            let (bit, code) = (1u64 << bit, width::index(word & 3).min(2));
            match word & !3 {
                STOP => self.moves[code] |= bit,
                ENDED => self.here[code] |= bit,
                FAULTY => self.unknown |= bit,
                _ => continue,
            }
            self.other |= bit;
        }
        self.known = self.lister.words.len();
        self.seen.resize(self.known, Seen::default());
    }

    /// The cell of a state where a play ends, or that is not known, and what it says of the block.
    fn ended(&self, bits: u64) -> (u32, u8) {
        let has = |those: u64| bits & those != 0;
        if has(self.unknown) {
            (UNKNOWN.into(), Entry::UNKNOWN)
        } else if has(self.here[0]) {
            (decided(WIN, 0), Entry::ENDS)
        } else if has(self.here[1]) {
            (decided(LOSS, 0), Entry::ENDS)
        } else if has(self.here[2]) {
            (DRAWN, 0)
        } else if has(self.moves[0]) {
            (decided(WIN, 1), Entry::STOPS)
        } else {
            // A move that loses is known to; one that draws never is.
            let left = bits.count_ones() - (bits & self.moves[1]).count_ones();
            if left == 0 { (decided(LOSS, 1), Entry::STOPS) } else { (left << 2, 0) }
        }
    }

    /// Turns the bits of states by word into bits of words by state.
    fn turn(&mut self) {
        let lanes = self.shape.lanes();
        self.planes.resize(self.known * lanes, 0);
        let mut rows = [0u64; 64];
        for (lane, bits) in self.bits.chunks(64).enumerate() {
            rows[..bits.len()].copy_from_slice(bits);
            transpose(&mut rows);
            for (row, plane) in rows.iter().zip(self.planes.chunks_exact_mut(lanes)) {
                plane[lane] = *row;
            }
        }
    }

    /// Looks at the states with each word, from the first rank of a block on.
    fn look_at_all(&mut self, first: u64) {
        for (seen, plane) in self.seen.iter_mut().zip(self.planes.chunks_exact(self.shape.lanes())) {
            look(seen, first, plane);
        }
    }

    /// The same of single states.
    fn look_at_each(&mut self, ranks: &[u64]) {
        for (&rank, &bits) in ranks.iter().zip(&self.bits) {
            let mut left = bits;
            while left != 0 {
                let word = width::index(u64::from(left.trailing_zeros()));
                left &= left - 1;
                if let Some(seen) = self.seen.get_mut(word) {
                    seen.join(&Seen { ones: rank, zeros: !rank, count: 1 });
                }
            }
        }
    }
}

fn narrow(number: u32) -> u16 {
    u16::try_from(number).unwrap_or(0) // a remoteness of 0 or 1, or a count up to 64
}

/// Adds the states from a rank on that have their bits in a plane. The rank is a multiple of how many they are.
fn look(seen: &mut Seen, first: u64, plane: &[u64]) {
    /// Places of a word of which a certain bit is 1.
    const ONES: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    let (mut ones, mut zeros, mut any, mut count) = (0, 0, 0, 0);
    for (rank, &word) in (first..).step_by(64).zip(plane) {
        let all = if word == 0 { 0 } else { u64::MAX };
        ones |= rank & all;
        zeros |= !rank & all;
        any |= word;
        count += u64::from(word.count_ones());
    }
    if any == 0 {
        return;
    }
    let (high, mut low) = (!63, [0, 0]);
    for (bit, mask) in (0u32..).zip(ONES) {
        low[0] |= u64::from(any & mask != 0) << bit;
        low[1] |= u64::from(any & !mask != 0) << bit;
    }
    // Blocks of fewer than 64 ranks begin within a word's reach.
    let within = first & 63;
    seen.ones |= ones & high | low[0] | within;
    seen.zeros |= zeros & high | low[1] & !within;
    seen.count += count;
}

/// Turns 64 rows of 64 bits into columns (Warren, Hacker's Delight, section 7-3).
fn transpose(rows: &mut [u64; 64]) {
    let (mut width, mut mask) = (32, 0x0000_0000_ffff_ffffu64);
    while width > 0 {
        for low in (0..64).filter(|row| row & width == 0) {
            let other = (rows[low] >> width ^ rows[low | width]) & mask;
            rows[low] ^= other << width;
            rows[low | width] ^= other;
        }
        width /= 2;
        mask ^= mask << width;
    }
}
