//! Values of any size: tables of marks for the heaps of a block, and a search for the few values that are in question.
//!
//! For a block of consecutive heaps some of the rare heaps mark what their splits reach. The least values of common type that
//! are still unmarked are the candidates; whether one of the other rare heaps reaches them is a comparison of vectors, many
//! heaps at a time. Splits that need heaps of the block itself are looked at heap by heap, with the moves that take.

use super::lanes::{Block, LANES, SOUGHT, find, mark, seek};
use super::{Class, Moves};
use crate::heap::instructions::Instructions;
use crate::heap::{Halt, Watch};

/// Room that is used again for every block.
#[derive(Clone, Debug)]
pub(super) struct Wide {
    set: Instructions,
    /// A table of marks for each heap of a block.
    tables: Vec<u8>,
    /// The power of two that all values are below, and twice as large tables.
    range: usize,
    /// For even and odd heaps: 1 for each value of common type.
    common: [Vec<u8>; 2],
    /// And for each value of rare type.
    rare: [Vec<u8>; 2],
    /// How many rare heaps mark; the others look for candidates.
    marking: usize,
}

impl Wide {
    /// The engine.
    pub(super) fn new(set: Instructions) -> Wide {
        Wide { set, tables: Vec::new(), range: 0, common: Default::default(), rare: Default::default(), marking: 0 }
    }

    /// Goes on up to `len` values.
    ///
    /// # Errors
    /// When told to stop, or when a value does not fit.
    pub(super) fn extend(
        &mut self,
        moves: &Moves,
        class: Class,
        rare: &mut Vec<(u32, u16)>,
        values: &mut Vec<u16>,
        len: usize,
        watch: Watch<'_>,
    ) -> Result<(), Halt> {
        let mut work = 0;
        while values.len() < len {
            self.block(moves, class, rare, values, len)?;
            work += (rare.len() + 64) * LANES;
            if work > 1 << 20 {
                work = 0;
                watch(values)?;
            }
        }
        Ok(())
    }

    /// Goes on by at most one block, up to `to` values.
    fn block(
        &mut self,
        moves: &Moves,
        class: Class,
        rare: &mut Vec<(u32, u16)>,
        values: &mut Vec<u16>,
        to: usize,
    ) -> Result<(), Halt> {
        let start = values.len();
        let block = (to - start).min(LANES);
        self.prepare(class, values);
        let size = 2 * self.range;
        self.tables.fill(0);
        // Every total of the block lies this far above the near heaps and the ones that become rare.
        let least = start - moves.splits.iter().map(|split| split.0).max().unwrap_or(0);
        let near = rare.partition_point(|(heap, _)| (*heap as usize) < LANES);
        let far = rare.partition_point(|(heap, _)| (*heap as usize) < least).max(near);
        let marking = near + self.marking.min(far - near);
        let mut sought = [[u16::MAX; LANES]; SOUGHT];
        let mut hits = [[0; LANES]; SOUGHT];
        let whole = block == LANES && !moves.splits.is_empty();
        if whole {
            for &(amount, _) in &moves.splits {
                mark(self.set, values, start - amount, &rare[near..marking], &mut self.tables, size);
            }
            self.candidates(moves, values, &rare[marking..far], &mut sought, &mut hits);
        }
        for lane in 0..block {
            let heap = start + lane;
            let table = &mut self.tables[lane * size..][..size];
            for amount in &moves.takes {
                table[usize::from(values[heap - amount])] = 1;
            }
            if moves.halves.iter().any(|amount| (heap - amount).is_multiple_of(2)) {
                table[0] = 1;
            }
            // What the block could not do together: everything, if it is not whole.
            let (low, high) = if whole { (near, far) } else { (0, rare.len()) };
            let both = |moves: &Moves, table: &mut [u8], entries: &[(u32, u16)]| {
                for &(amount, _) in &moves.splits {
                    let total = heap - amount;
                    for &(part, value) in entries {
                        if (part as usize) < total {
                            table[usize::from(values[total - part as usize] ^ value)] = 1;
                        }
                    }
                }
            };
            both(moves, table, &rare[..low]);
            both(moves, table, &rare[high..]);
            let (common, rare_type) = (&self.common[heap % 2], &self.rare[heap % 2]);
            let open = |table: &[u8], value: u16| table[usize::from(value)] == 0;
            let candidate = (0..SOUGHT)
                .find(|&k| sought[k][lane] != u16::MAX && hits[k][lane] == 0 && open(table, sought[k][lane]))
                .map(|k| usize::from(sought[k][lane]));
            let candidate = candidate.or_else(|| {
                both(moves, table, &rare[low..high]);
                let (least, count) = unmarked(table, common, 0, size);
                (count > 0).then(|| usize::from(least[0]))
            });
            // Without one, all values below twice the range are of rare type.
            let candidate = candidate.unwrap_or(size);
            // Two equal parts have the value 0, which is of rare type then and may have come from nothing else.
            if moves.splits.iter().any(|split| split.1) && common[0] == 0 {
                table[0] = u8::from(moves.takes.iter().any(|amount| values[heap - amount] == 0))
                    | u8::from(moves.halves.iter().any(|amount| (heap - amount).is_multiple_of(2)));
            }
            let value = missing(self.set, moves, values, table, rare_type, candidate).unwrap_or(candidate);
            let value = Halt::fit(value)?;
            if class.is_rare(heap, value) {
                // There are fewer than 2^32 heaps.
                rare.push((u32::try_from(heap).unwrap_or(u32::MAX), value));
            }
            values.push(value);
            if usize::from(value) >= self.range {
                // The tables have no room for what this may lead to.
                self.range = 0;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Makes the tables fit the values.
    fn prepare(&mut self, class: Class, values: &[u16]) {
        if self.range != 0 {
            return;
        }
        let max = values.iter().copied().max().unwrap_or(0);
        self.range = (usize::from(max) + 1).next_power_of_two().max(64);
        let size = 2 * self.range;
        self.tables = vec![0; size * LANES];
        // Values of 16 bits: the range is at most 2^15.
        let types = |heap, rare| (0..=u16::MAX).take(size).map(|v| u8::from(class.is_rare(heap, v) == rare)).collect();
        self.common = [types(0, false), types(1, false)];
        self.rare = [types(0, true), types(1, true)];
        self.marking = self.range;
    }

    /// The least unmarked values of common type of each heap of the block, and which of them the other rare heaps reach: at
    /// least one of a heap's candidates is not reached unless all values are.
    fn candidates(
        &self,
        moves: &Moves,
        values: &[u16],
        others: &[(u32, u16)],
        sought: &mut [Block; SOUGHT],
        hits: &mut [Block; SOUGHT],
    ) {
        let start = values.len();
        let size = 2 * self.range;
        let mut from = [Some(0); LANES];
        while from.iter().any(Option::is_some) {
            let mut now = [[u16::MAX; LANES]; SOUGHT];
            let mut found = [[0; LANES]; SOUGHT];
            for (lane, table) in self.tables.chunks_exact(size).enumerate() {
                let Some(first) = from[lane] else { continue };
                let (next, count) = unmarked(table, &self.common[(start + lane) % 2], first, size);
                for (row, value) in now.iter_mut().zip(next) {
                    row[lane] = value;
                }
                from[lane] = (count > 0).then(|| usize::from(next[count - 1]) + 1);
            }
            for &(amount, _) in &moves.splits {
                seek(self.set, values, start - amount, others, &now, &mut found);
            }
            for lane in (0..LANES).filter(|lane| from[*lane].is_some()).collect::<Vec<_>>() {
                if (0..SOUGHT).any(|k| now[k][lane] != u16::MAX && found[k][lane] == 0) {
                    from[lane] = None;
                    for k in 0..SOUGHT {
                        (sought[k][lane], hits[k][lane]) = (now[k][lane], found[k][lane]);
                    }
                }
            }
        }
    }
}

/// The first values from `from` up to below `to` that are not marked and of the types that are 1, and how many there are, at
/// most [`SOUGHT`].
fn unmarked(table: &[u8], types: &[u8], from: usize, to: usize) -> ([u16; SOUGHT], usize) {
    let mut found = [u16::MAX; SOUGHT];
    let mut count = 0;
    let word = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_le_bytes);
    for (index, (marks, types)) in table.chunks_exact(8).zip(types.chunks_exact(8)).enumerate().skip(from / 8) {
        if index * 8 >= to {
            break;
        }
        let mut free = !word(marks) & word(types);
        while free != 0 {
            let value = index * 8 + free.trailing_zeros() as usize / 8;
            free &= free - 1;
            if value >= from && value < to {
                // Tables have at most 2^16 places.
                found[count] = u16::try_from(value).unwrap_or(u16::MAX);
                count += 1;
                if count == SOUGHT {
                    return (found, count);
                }
            }
        }
    }
    (found, count)
}

/// The least value of rare type below the candidate that no move leads to.
fn missing(
    set: Instructions,
    moves: &Moves,
    values: &[u16],
    table: &mut [u8],
    rare_type: &[u8],
    candidate: usize,
) -> Option<usize> {
    let heap = values.len();
    let limit = candidate.min(table.len());
    // Marks first: they serve all values at once.
    let longest = heap / 2;
    let chunk = table.len() * 3 / 4;
    for &(amount, unequal) in &moves.splits {
        let total = heap - amount;
        let last = if unequal { total.saturating_sub(1) / 2 } else { total / 2 };
        let last = last.min(chunk);
        let size = table.len();
        for (small, large) in values[1..=last].iter().zip(values[total - last..total].iter().rev()) {
            table[usize::from(small ^ large) & (size - 1)] = 1;
        }
    }
    let mut least = 0;
    loop {
        let (sought, count) = unmarked(table, rare_type, least, limit);
        if count == 0 {
            return None;
        }
        let full = u8::MAX >> (SOUGHT - count);
        let mut found = 0;
        // All digits by turns: what one of them never gives may be there at once with another.
        let (mut from, mut to) = (chunk + 1, chunk + 512);
        while found != full && from <= longest {
            for &(amount, unequal) in &moves.splits {
                let total = heap - amount;
                let last = if unequal { total.saturating_sub(1) / 2 } else { total / 2 };
                if found != full {
                    found |= find(set, values, total, from, last.min(to), &sought, count);
                }
            }
            (from, to) = (to + 1, 2 * to);
        }
        if found != full {
            return Some(usize::from(sought[found.trailing_ones() as usize]));
        }
        least = usize::from(sought[count - 1]) + 1;
    }
}
