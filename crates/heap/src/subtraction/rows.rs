//! Values of any size, 64 heaps at a time.
//!
//! For each value v a row of bits says which heaps have it. Heap n cannot have v if a heap n - s has it, so what a word of 64
//! heaps cannot have is the or of that row shifted by all s of the set. Heaps of the same word matter only when some s is
//! below 64: then they are gone through from the lowest.

use crate::{Halt, Watch};

/// The engine; `O(amounts x values / 64)` a heap.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    /// Ascending, positive.
    amounts: Vec<usize>,
    /// Bit s is set for each amount s below 64: what a heap excludes in its own word above itself.
    near: u64,
    /// A row of bits for each value: which heaps have it, heap `64 * lead` first.
    table: Vec<Vec<u64>>,
    /// Words of zeros before heap 0, so that every amount can be looked back.
    lead: usize,
    /// How many heaps are in the rows, a multiple of 64.
    done: usize,
}

impl Rows {
    /// The engine for ascending positive amounts.
    pub(super) fn new(amounts: &[usize]) -> Rows {
        let lead = amounts.last().copied().unwrap_or(0) / 64 + 2;
        let near = amounts.iter().take_while(|s| **s < 64).fold(0, |near, s| near | 1 << s);
        Rows { amounts: amounts.to_vec(), near, table: Vec::new(), lead, done: 0 }
    }

    /// Goes on from the values that are there to at least `len` of them.
    ///
    /// # Errors
    /// When told to stop, or when a value does not fit.
    pub(super) fn extend(&mut self, values: &mut Vec<u16>, len: usize, watch: Watch<'_>) -> Result<(), Halt> {
        self.read(values);
        let mut work = 0;
        while values.len() < len {
            if self.done.is_multiple_of(4096) {
                self.forget();
            }
            let from = values.len();
            values.resize(from + 64, 0);
            if let Err(halt) = self.word(&mut values[from..]) {
                values.truncate(from);
                // The rows are of different lengths now: they are made anew next time.
                self.done = usize::MAX;
                return Err(halt);
            }
            work += 8 + self.amounts.len() * self.table.len();
            if work > 1 << 20 {
                work = 0;
                watch(values)?;
            }
        }
        Ok(())
    }

    /// Takes up values that came from elsewhere: the rows are filled from the last of them, and what makes no full word is
    /// worked out again.
    fn read(&mut self, values: &mut Vec<u16>) {
        values.truncate(values.len() / 64 * 64);
        if values.len() == self.done {
            return;
        }
        self.done = values.len();
        self.table.clear();
        let reach = self.lead * 64;
        let from = self.done.saturating_sub(reach);
        for (at, &value) in (reach - (self.done - from)..).zip(&values[from..]) {
            let row = self.row(usize::from(value), self.lead);
            row[at / 64] |= 1 << (at % 64);
        }
    }

    /// The row of a value; new rows have `words` words.
    fn row(&mut self, value: usize, words: usize) -> &mut Vec<u64> {
        while self.table.len() <= value {
            self.table.push(vec![0; words]);
        }
        &mut self.table[value]
    }

    /// Keeps of the rows what can still be looked back to.
    fn forget(&mut self) {
        for row in &mut self.table {
            let old = row.len().saturating_sub(self.lead);
            row.drain(..old);
        }
    }

    /// The next 64 values.
    fn word(&mut self, values: &mut [u16]) -> Result<(), Halt> {
        let words = self.table.first().map_or(self.lead, Vec::len);
        let mut open = !0_u64;
        let mut value = 0;
        let mut planes = [0; 15];
        while open != 0 {
            let kept = Halt::fit(value)?;
            let row = self.row(value, words);
            row.push(0);
            let row = &self.table[value];
            let mut free = open & !excluded(row, words, &self.amounts);
            let mut taken = 0;
            if self.near == 0 {
                taken = free;
            } else {
                while free != 0 {
                    let low = free & free.wrapping_neg();
                    taken |= low;
                    // A product with a power of two is a shift: the heaps above this one by an amount.
                    free &= !(low | self.near.wrapping_mul(low));
                }
            }
            self.table[value][words] = taken;
            open &= !taken;
            for (bit, plane) in planes.iter_mut().enumerate() {
                *plane |= if kept >> bit & 1 != 0 { taken } else { 0 };
            }
            value += 1;
        }
        for row in &mut self.table[value..] {
            row.push(0);
        }
        self.done += 64;
        // Of the planes only those that some value uses are written out.
        let used = (usize::BITS - value.leading_zeros()) as usize;
        for (bit, plane) in planes[..used.min(15)].iter().enumerate() {
            for (part, chunk) in values.chunks_exact_mut(16).enumerate() {
                let bits = (plane >> (16 * part)) & 0xFFFF;
                for (lane, value) in chunk.iter_mut().enumerate() {
                    *value |= u16::from(bits >> lane & 1 != 0) << bit;
                }
            }
        }
        Ok(())
    }
}

/// Which heaps of the word `word` of a row have an option in the row in earlier words; the row ends with that word.
fn excluded(row: &[u64], word: usize, amounts: &[usize]) -> u64 {
    let mut found = 0;
    for &amount in amounts {
        let (back, shift) = (amount / 64, amount % 64);
        // The rows begin `lead` words before heap 0, and no amount reaches further.
        let at = word - back;
        found |= (row[at] << shift) | (row[at - 1] >> 1 >> (63 - shift));
    }
    found
}
