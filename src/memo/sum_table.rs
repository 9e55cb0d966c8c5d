//! From sums to words: an exact table whose keys are short strings of bytes.
//!
//! A sum is an ascending list of numbers from 1 on. Each number is written in bytes of 7 bits, the lowest first, with the
//! high bit set in all bytes but its last (LEB128). As no number is 0, no string ends in a zero byte, and every string is
//! that of one list: up to 16 bytes it is the key itself, filled up with zeros, and longer ones are kept apart. Keys are compared as a whole.

use hashbrown::HashMap;

/// A sum as bytes.
#[derive(Clone, Copy, Debug)]
pub enum Coded<'a> {
    /// Up to 16 bytes, the first lowest.
    Short(u128),
    /// More.
    Long(&'a [u8]),
}

/// Bytes of a place in a table.
const SLOT: usize = 25;
/// What the allocator takes beside a long key.
const ALLOCATED: usize = 16;

/// The bytes of a sum; `heap` holds them when they are many.
#[inline]
pub fn coded<'a>(sum: &[u32], heap: &'a mut Vec<u8>) -> Coded<'a> {
    let (mut short, mut shift) = (0u128, 0u32);
    for &number in sum {
        let mut rest = number;
        loop {
            if shift == 128 {
                return spilled(sum, heap);
            }
            if rest < 0x80 {
                short |= u128::from(rest) << shift;
                shift += 8;
                break;
            }
            short |= u128::from(rest & 0x7f | 0x80) << shift;
            shift += 8;
            rest >>= 7;
        }
    }
    Coded::Short(short)
}

#[cold]
fn spilled<'a>(sum: &[u32], heap: &'a mut Vec<u8>) -> Coded<'a> {
    heap.clear();
    for &number in sum {
        let mut rest = number;
        while rest >= 0x80 {
            heap.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        #[allow(clippy::cast_possible_truncation)] // less than 0x80
        heap.push(rest as u8);
    }
    Coded::Long(heap)
}

/// See the module. A sum that was never set has the word 0.
#[derive(Debug, Default)]
pub struct Table {
    /// By the halves of the key, which take less room than the whole.
    short: HashMap<(u64, u64), u32>,
    long: HashMap<Box<[u8]>, u32>,
    /// Bytes of long keys.
    heap: usize,
}

#[allow(clippy::cast_possible_truncation)] // the halves
fn halves(key: u128) -> (u64, u64) {
    (key as u64, (key >> 64) as u64)
}

impl Table {
    /// The word of a sum. Constant time but for the length of the sum.
    #[inline]
    #[must_use]
    pub fn get(&self, key: Coded<'_>) -> u32 {
        let word = match key {
            Coded::Short(key) => self.short.get(&halves(key)),
            Coded::Long(key) => self.long.get(key),
        };
        word.copied().unwrap_or(0)
    }

    /// Sets the word of a sum.
    #[inline]
    pub fn set(&mut self, key: Coded<'_>, word: u32) {
        match key {
            Coded::Short(key) => {
                self.short.insert(halves(key), word);
            }
            Coded::Long(key) => {
                if self.long.insert(key.into(), word).is_none() {
                    self.heap += key.len() + ALLOCATED;
                }
            }
        }
    }

    /// Bytes held in a moment, roughly: when a part is about to become twice as large, which takes both sizes.
    #[must_use]
    pub fn bytes_soon(&self) -> usize {
        /// Sums put between two looks, at most.
        const SOON: usize = 1 << 12;
        let full = |len: usize, capacity: usize, each: usize| {
            if len + SOON > capacity { 2 * capacity * each * 8 / 7 } else { 0 }
        };
        let short = full(self.short.len(), self.short.capacity(), SLOT);
        self.bytes() + short + full(self.long.len(), self.long.capacity(), SLOT)
    }

    /// Bytes held, roughly.
    #[must_use]
    pub fn bytes(&self) -> usize {
        (self.short.capacity() + self.long.capacity()) * SLOT * 8 / 7 + self.heap
    }
}

#[cfg(test)]
mod tests {
    use crate::memo::sum_table::{Coded, Table, coded};
    use std::collections::HashMap;

    /// Lists of all lengths and sizes of numbers, many of them close to each other.
    fn sums() -> Vec<Vec<u32>> {
        let numbers = [1, 2, 3, 126, 127, 128, 129, 255, 256, 16383, 16384, 1 << 21, u32::MAX - 9];
        let mut all = vec![Vec::new()];
        let mut seed = 7u64;
        for round in 0..6000usize {
            let mut sum: Vec<u32> = (0..round % 40)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    numbers[usize::try_from(seed >> 33).expect("31 bits") % if round % 3 == 0 { 2 } else { 13 }]
                })
                .collect();
            sum.sort_unstable();
            all.push(sum);
        }
        all
    }

    #[test]
    fn a_table_holds_what_a_plain_map_holds() {
        let (mut table, mut map, mut heap) = (Table::default(), HashMap::new(), Vec::new());
        for (word, sum) in (1u32..).zip(sums()) {
            assert_eq!(table.get(coded(&sum, &mut heap)), map.get(&sum).copied().unwrap_or(0), "{sum:?}");
            table.set(coded(&sum, &mut heap), word);
            map.insert(sum, word);
        }
        for (sum, word) in &map {
            assert_eq!(table.get(coded(sum, &mut heap)), *word, "{sum:?}");
        }
    }

    #[test]
    fn sixteen_bytes_are_short() {
        let mut heap = Vec::new();
        assert!(matches!(coded(&[127; 16], &mut heap), Coded::Short(_)));
        assert!(matches!(coded(&[128; 8], &mut heap), Coded::Short(_)));
        assert!(matches!(coded(&[1; 17], &mut heap), Coded::Long(key) if key == [1; 17]));
        assert!(matches!(coded(&[128; 9], &mut heap), Coded::Long(key) if key.len() == 18));
    }
}
