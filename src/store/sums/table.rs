//! From sums to words: an exact table whose keys are short strings of bytes.
//!
//! A sum is an ascending list of numbers from 1 on. Each number is written in bytes of 7 bits, the lowest first, with the
//! high bit set in all bytes but its last (LEB128). As no number is 0, no string ends in a zero byte, and every string is
//! that of one list: up to 16 bytes it is the key itself, filled up with zeros, and longer ones lie one after the other in a
//! heap of bytes. Keys are compared as a whole.

use hashbrown::HashTable;

/// A sum as bytes.
#[derive(Clone, Copy, Debug)]
pub enum Coded<'a> {
    /// Up to 16 bytes, the first lowest.
    Short(u128),
    /// More.
    Long(&'a [u8]),
}

/// Bytes of a short key.
const SHORT: usize = 16;

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

#[derive(Clone, Copy, Debug)]
struct Short {
    low: u64,
    high: u64,
    word: u32,
}

#[derive(Clone, Copy, Debug)]
struct Long {
    start: usize,
    len: u32,
    word: u32,
}

/// See the module. A sum that was never set has the word 0.
#[derive(Debug, Default)]
pub struct Table {
    short: HashTable<Short>,
    long: HashTable<Long>,
    heap: Vec<u8>,
}

#[inline]
fn mix(low: u64, high: u64) -> u64 {
    let wide = u128::from(low ^ 0x9e37_79b9_7f4a_7c15) * u128::from(high ^ 0xd6e8_feb8_6659_fd93);
    #[allow(clippy::cast_possible_truncation)] // both halves are wanted
    let folded = wide as u64 ^ (wide >> 64) as u64;
    folded
}

#[allow(clippy::cast_possible_truncation)] // the halves
fn halves(key: u128) -> (u64, u64) {
    (key as u64, (key >> 64) as u64)
}

fn hash(bytes: &[u8]) -> u64 {
    bytes.chunks(SHORT).fold(0, |hash, chunk| {
        let mut block = [0; SHORT];
        block[..chunk.len()].copy_from_slice(chunk);
        let (low, high) = halves(u128::from_le_bytes(block));
        mix(low ^ hash, high ^ hash.rotate_left(32))
    })
}

fn bytes_of<'a>(heap: &'a [u8], at: &Long) -> &'a [u8] {
    &heap[at.start..at.start + at.len as usize]
}

impl Table {
    /// The word of a sum. Constant time but for the length of the sum.
    #[inline]
    #[must_use]
    pub fn get(&self, key: Coded<'_>) -> u32 {
        match key {
            Coded::Short(key) => {
                let (low, high) = halves(key);
                self.short.find(mix(low, high), |s| s.low == low && s.high == high).map_or(0, |s| s.word)
            }
            Coded::Long(key) => {
                let found = self.long.find(hash(key), |l| bytes_of(&self.heap, l) == key);
                found.map_or(0, |l| l.word)
            }
        }
    }

    /// Sets the word of a sum.
    #[inline]
    pub fn set(&mut self, key: Coded<'_>, word: u32) {
        match key {
            Coded::Short(key) => {
                let (low, high) = halves(key);
                let same = |s: &Short| s.low == low && s.high == high;
                match self.short.entry(mix(low, high), same, |s| mix(s.low, s.high)) {
                    hashbrown::hash_table::Entry::Occupied(mut at) => at.get_mut().word = word,
                    hashbrown::hash_table::Entry::Vacant(at) => {
                        at.insert(Short { low, high, word });
                    }
                }
            }
            Coded::Long(key) => {
                let heap = &mut self.heap;
                if let Some(at) = self.long.find_mut(hash(key), |l| bytes_of(heap, l) == key) {
                    at.word = word;
                    return;
                }
                let len = u32::try_from(key.len()).unwrap_or(u32::MAX);
                let at = Long { start: heap.len(), len, word };
                heap.extend_from_slice(key);
                self.long.insert_unique(hash(key), at, |l| hash(bytes_of(heap, l)));
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
        let heap = if self.heap.len() + 16 * SOON > self.heap.capacity() { 2 * self.heap.capacity() } else { 0 };
        let short = full(self.short.len(), self.short.capacity(), 25);
        self.bytes() + short + full(self.long.len(), self.long.capacity(), 17) + heap
    }

    /// Bytes held, roughly.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.short.capacity() * 25 * 8 / 7 + self.long.capacity() * 17 * 8 / 7 + self.heap.capacity()
    }
}

#[cfg(test)]
mod tests {
    use crate::store::sums::table::{Coded, Table, coded};
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
