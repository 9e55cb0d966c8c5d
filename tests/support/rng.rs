//! Random numbers from a seed, and lists of numbers as texts.

#![allow(dead_code, unreachable_pub, clippy::missing_panics_doc)]

/// A small seeded generator (`SplitMix64`).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D)
    }
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// From `low` to `high`, both possible.
    pub fn range(&mut self, low: i64, high: i64) -> i64 {
        let width = u64::try_from(high - low + 1).expect("a range");
        low + i64::try_from(self.next() % width).expect("small")
    }
    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).expect("small")
    }
    /// True in `percent` of the calls.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
    /// Some of the numbers, ascending.
    pub fn some(&mut self, low: i64, high: i64, percent: u64) -> Vec<i64> {
        (low..=high).filter(|_| self.chance(percent)).collect()
    }
}

/// `1, 2, 3`.
pub fn join<T: std::fmt::Display>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// `{1, 2, 3}`.
pub fn set(items: &[i64]) -> String {
    format!("{{{}}}", join(items))
}

/// `[1, 2, 3]`.
pub fn list(items: &[i64]) -> String {
    format!("[{}]", join(items))
}
