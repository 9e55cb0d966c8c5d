//! Every algorithm against brute force.

mod bits;
mod edge_geography;
mod enumerate;
mod flip;
mod fusion;
mod lattice;
mod matching;
mod structure;

use grundy_graphs::Ends;

/// A small generator of pseudo-random numbers (splitmix64), the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % bound
    }

    fn vertex(&mut self, n: usize) -> u32 {
        u32::try_from(self.below(n as u64)).unwrap()
    }

    fn edges(&mut self, n: usize, count: usize) -> Vec<Ends> {
        (0..count).map(|_| (self.vertex(n), self.vertex(n))).collect()
    }
}

/// The pairs of the numbers below `n`: all, or those with the first smaller.
fn all_pairs(n: u32, ordered: bool) -> Vec<Ends> {
    (0..n).flat_map(|u| (0..n).map(move |v| (u, v))).filter(|(u, v)| u != v && (ordered || u < v)).collect()
}

/// The members of a list chosen by the bits of a number.
fn chosen<T: Copy>(from: &[T], bits: usize) -> Vec<T> {
    from.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1).map(|(_, x)| *x).collect()
}
