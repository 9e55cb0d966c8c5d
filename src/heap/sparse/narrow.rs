//! Small values, below 64 or 128: the values of all splits of a total that were looked at are a set in one word or two.
//!
//! The set of a total serves every digit of the code. It holds all splits with a rare part, and some others, so that most
//! heaps need no more.

use super::lanes::{LANES, pairs, word, words};
use super::{Class, Moves};
use crate::heap::instructions::Instructions;

/// So many of the smallest heaps are tried with every total, whether they are rare or not.
const TRIED: usize = 16;

/// A set of values below 64 W.
type Set<const W: usize> = [u64; W];

/// Sets of totals that were worked out.
#[derive(Clone, Debug)]
pub(super) struct Narrow<const W: usize> {
    set: Instructions,
    /// For even and odd heaps: the values of common type.
    types: [Set<W>; 2],
    /// The sets of the totals from `from` on.
    words: Vec<Set<W>>,
    from: usize,
    /// Rare heaps and small ones, ascending; those from `LANES` on begin at `far`.
    entries: Vec<(u32, u16)>,
    far: usize,
    /// How many of the rare heaps are in the entries.
    taken: usize,
    /// The words of the totals from `block` on that can be worked out together.
    block: usize,
    ahead: [[u64; LANES]; W],
}

impl<const W: usize> Narrow<W> {
    /// The engine of a class.
    pub(super) fn new(set: Instructions, class: Class) -> Self {
        let types = [0, 1].map(|heap| {
            let common = (0_u16..).take(64 * W).filter(|value| !class.is_rare(heap, *value));
            common.fold([0; W], |mut set: Set<W>, value| {
                set[usize::from(value >> 6)] |= 1 << (value & 63);
                set
            })
        });
        let (words, entries) = (Vec::new(), Vec::new());
        Narrow { set, types, words, from: 0, entries, far: 0, taken: 0, block: 0, ahead: [[0; LANES]; W] }
    }

    /// Goes on up to `to` values; `false` if the next value is not below 64 W.
    pub(super) fn extend(
        &mut self,
        moves: &Moves,
        class: Class,
        rare: &mut Vec<(u32, u16)>,
        values: &mut Vec<u16>,
        to: usize,
    ) -> bool {
        while values.len() < to {
            let heap = values.len();
            let mut seen: Set<W> = [0; W];
            for amount in &moves.takes {
                let value = values[heap - amount];
                seen[usize::from(value >> 6)] |= 1 << (value & 63);
            }
            let even = |amount: &usize| heap - amount >= 2 && (heap - amount).is_multiple_of(2);
            seen[0] |= u64::from(moves.halves.iter().any(even));
            for &(amount, unequal) in &moves.splits {
                let total = heap - amount;
                let mut set = self.word(values, rare, total);
                if unequal && total.is_multiple_of(2) {
                    // Two equal parts have the value 0, which may have come from nothing else.
                    set[0] &= !1;
                }
                join(&mut seen, set);
            }
            let common = self.types[heap % 2];
            let free: Set<W> = std::array::from_fn(|word| common[word] & !seen[word]);
            // Without splits there are no types, and without a value of common type all others are needed.
            let mut needed = below(free);
            for word in 0..W {
                needed[word] &= !common[word] & !seen[word];
            }
            // All digits by turns: what one of them never gives may be there at once with another.
            let (mut from, mut to) = (1, 64);
            while least(needed).is_some() && from <= heap / 2 {
                for &(amount, unequal) in &moves.splits {
                    let total = heap - amount;
                    let last = if unequal { total.saturating_sub(1) / 2 } else { total / 2 };
                    let found = pairs(self.set, values, total, from, last.min(to), needed);
                    for (needed, found) in needed.iter_mut().zip(found) {
                        *needed &= !found;
                    }
                    if least(needed).is_none() {
                        break;
                    }
                }
                (from, to) = (to + 1, 2 * to);
            }
            let Some(value) = least(needed).or(least(free)) else { return false };
            if class.is_rare(heap, value) {
                // There are fewer than 2^32 heaps.
                rare.push((u32::try_from(heap).unwrap_or(u32::MAX), value));
            }
            values.push(value);
        }
        true
    }

    /// The set of a total below the number of values, or equal to it.
    fn word(&mut self, values: &[u16], rare: &[(u32, u16)], total: usize) -> Set<W> {
        if self.words.is_empty() {
            self.from = total;
        }
        if total < self.from {
            // Only before the first block: totals of other digits that were not needed until now.
            return word(self.set, values, total, &entries_below(values, rare, total));
        }
        while self.from + self.words.len() <= total {
            let next = self.from + self.words.len();
            let set = self.next(values, rare, next);
            self.words.push(set);
        }
        let set = self.words[total - self.from];
        if self.words.len() > 1 << 16 {
            let old = self.words.len() - (1 << 15);
            self.words.drain(..old);
            self.from += old;
        }
        set
    }

    fn next(&mut self, values: &[u16], rare: &[(u32, u16)], total: usize) -> Set<W> {
        if self.entries.is_empty() || total >= self.block + LANES {
            self.update(rare, values, total);
            self.block = total;
            // Every rest of a far entry is there: total + LANES - 1 - LANES < total <= values.len().
            self.ahead =
                if total > LANES + TRIED { words(self.set, values, total, &self.entries[self.far..]) } else { [[0; LANES]; W] };
        }
        if total <= LANES + TRIED {
            return word(self.set, values, total, &entries_below(values, rare, total));
        }
        let mut set = self.ahead.map(|row| row[total - self.block]);
        join(&mut set, word(self.set, values, total, &self.entries[..self.far]));
        // Heaps that became rare since the block began.
        for &(heap, value) in &rare[self.taken..] {
            if (heap as usize) < total {
                let both = values[total - heap as usize] ^ value;
                set[usize::from(both >> 6)] |= 1 << (both & 63);
            }
        }
        set
    }

    /// Brings the entries up to date: rare heaps below `total` and the smallest ones.
    fn update(&mut self, rare: &[(u32, u16)], values: &[u16], total: usize) {
        let below = rare.partition_point(|(heap, _)| (*heap as usize) < total);
        if self.entries.is_empty() {
            self.entries = entries_below(values, &rare[..below], total);
            self.taken = below;
        }
        self.entries.extend_from_slice(&rare[self.taken..below]);
        self.taken = below;
        self.far = self.entries.partition_point(|(heap, _)| (*heap as usize) < LANES);
    }
}

/// Puts the members of one set into another.
fn join<const W: usize>(set: &mut Set<W>, more: Set<W>) {
    for (word, more) in set.iter_mut().zip(more) {
        *word |= more;
    }
}

/// The least member.
fn least<const W: usize>(set: Set<W>) -> Option<u16> {
    let (index, word) = (0_u16..).zip(set).find(|(_, word)| *word != 0)?;
    // At most 63.
    Some(64 * index + u16::try_from(word.trailing_zeros()).unwrap_or(0))
}

/// All values below the least member, all there are if the set is empty.
fn below<const W: usize>(set: Set<W>) -> Set<W> {
    let mut open = true;
    set.map(|word| {
        let all = if word == 0 { u64::MAX } else { (word & word.wrapping_neg()) - 1 };
        let kept = if open { all } else { 0 };
        open &= word == 0;
        kept
    })
}

/// The rare heaps below a total and the smallest heaps, ascending, with their values.
fn entries_below(values: &[u16], rare: &[(u32, u16)], total: usize) -> Vec<(u32, u16)> {
    let small = (0_u32..).zip(values).skip(1).take(TRIED).map(|(heap, value)| (heap, *value));
    let late = rare.iter().copied().filter(|(heap, _)| *heap as usize > TRIED);
    small.chain(late).filter(|(heap, _)| (*heap as usize) < total).collect()
}
