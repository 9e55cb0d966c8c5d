//! Values below 64: the values of all splits of a total that were looked at are one word.
//!
//! The word of a total serves every digit of the code. It holds all splits with a rare part, and some others, so that most
//! heaps need no more.

use super::lanes::{LANES, pairs, word, words};
use super::{Class, Moves};

/// So many of the smallest heaps are tried with every total, whether they are rare or not.
const TRIED: usize = 16;

/// Words of totals that were worked out.
#[derive(Clone, Debug, Default)]
pub(super) struct Narrow {
    /// The words of the totals from 0 on, less those before `from`.
    words: Vec<u64>,
    from: usize,
    /// Rare heaps and small ones, ascending; those from `LANES` on begin at `far`.
    entries: Vec<(u32, u16)>,
    far: usize,
    /// How many of the rare heaps are in the entries.
    taken: usize,
    /// The words of the totals from `block` on that can be worked out together.
    block: usize,
    ahead: [u64; LANES],
}

impl Narrow {
    /// Goes on up to `to` values; `false` if the next value is not below 64.
    pub(super) fn extend(
        &mut self,
        moves: &Moves,
        class: Class,
        rare: &mut Vec<(u32, u16)>,
        values: &mut Vec<u16>,
        to: usize,
    ) -> bool {
        let types = [0, 1].map(|heap| (0..64).filter(|v| !class.is_rare(heap, *v)).fold(0_u64, |set, v| set | 1 << v));
        while values.len() < to {
            let heap = values.len();
            let mut seen = 0_u64;
            for amount in &moves.takes {
                seen |= 1 << values[heap - amount];
            }
            let even = |amount: &usize| heap - amount >= 2 && (heap - amount).is_multiple_of(2);
            seen |= u64::from(moves.halves.iter().any(even));
            for &(amount, unequal) in &moves.splits {
                let total = heap - amount;
                let set = self.word(values, rare, total);
                // Two equal parts have the value 0, which may have come from nothing else.
                seen |= if unequal && total.is_multiple_of(2) { set & !1 } else { set };
            }
            let common = types[heap % 2];
            let free = common & !seen;
            // Without splits there are no types, and without a value of common type all others are needed.
            let below = if free == 0 { u64::MAX } else { (free & free.wrapping_neg()) - 1 };
            let mut needed = !common & below & !seen;
            // All digits by turns: what one of them never gives may be there at once with another.
            let (mut from, mut to) = (1, 64);
            while needed != 0 && from <= heap / 2 {
                for &(amount, unequal) in &moves.splits {
                    let total = heap - amount;
                    let last = if unequal { total.saturating_sub(1) / 2 } else { total / 2 };
                    needed &= !pairs(values, total, from, last.min(to), needed);
                    if needed == 0 {
                        break;
                    }
                }
                (from, to) = (to + 1, 2 * to);
            }
            let set = if needed != 0 { needed } else { free };
            let Ok(value) = u16::try_from(set.trailing_zeros()) else { return false };
            if value > 63 {
                return false;
            }
            if class.is_rare(heap, value) {
                // A heap number fits as the memory for so many values would.
                rare.push((u32::try_from(heap).unwrap_or(u32::MAX), value));
            }
            values.push(value);
        }
        true
    }

    /// The word of a total below the number of values, or equal to it.
    fn word(&mut self, values: &[u16], rare: &[(u32, u16)], total: usize) -> u64 {
        if self.words.is_empty() {
            self.from = total;
        }
        if total < self.from {
            // Only before the first block: totals of other digits that were not needed until now.
            return word(values, total, &entries_below(values, rare, total));
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

    fn next(&mut self, values: &[u16], rare: &[(u32, u16)], total: usize) -> u64 {
        if self.entries.is_empty() || total >= self.block + LANES {
            self.update(rare, values, total);
            self.block = total;
            // Every rest of a far entry is there: total + LANES - 1 - LANES < total <= values.len().
            self.ahead =
                if total > LANES + TRIED { words(values, total, &self.entries[self.far..]) } else { [0; LANES] };
        }
        if total <= LANES + TRIED {
            return word(values, total, &entries_below(values, rare, total));
        }
        let mut set = self.ahead[total - self.block];
        set |= word(values, total, &self.entries[..self.far]);
        // Heaps that became rare since the block began.
        for &(heap, value) in &rare[self.taken..] {
            if (heap as usize) < total {
                set |= 1 << ((values[total - heap as usize] ^ value) & 63);
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

/// The rare heaps below a total and the smallest heaps, ascending, with their values.
fn entries_below(values: &[u16], rare: &[(u32, u16)], total: usize) -> Vec<(u32, u16)> {
    let small = (0_u32..).zip(values).skip(1).take(TRIED).map(|(heap, value)| (heap, *value));
    let late = rare.iter().copied().filter(|(heap, _)| *heap as usize > TRIED);
    small.chain(late).filter(|(heap, _)| (*heap as usize) < total).collect()
}
