//! An open-addressing table of words with a cell for each, kept in the order of mixed keys.
//!
//! Keys are mixed by a bijection, so only the mixed key is stored and a key is found exactly: no fingerprints. A mixed key's
//! home is its share of the table's length, and keys stand in ascending order at or after their homes (ordered linear
//! probing: Amble and Knuth, Ordered hash tables, 1974; as an order of homes: Robin Hood hashing). So a search ends at the
//! first greater key, the table may be nearly full, and it grows in place.

/// No key: greater than all.
const EMPTY: u64 = u64::MAX;
/// Room after the last home.
const SLACK: usize = 1 << 12;
/// The table grows when this part of it, in hundredths, is full.
const FULL: u64 = 86;

/// See the module.
#[derive(Debug)]
pub(super) struct Sorted {
    keys: Vec<u64>,
    cells: Cells,
    homes: u64,
    used: u64,
}

/// Cells of two or four or eight bytes.
#[derive(Debug)]
enum Cells {
    Two(Vec<u16>),
    Four(Vec<u32>),
    Eight(Vec<u64>),
}

/// A bijection on words that sends neighbours far apart (the finisher of splitmix64, Steele, Lea, Flood 2014). Keys are below
/// `2^61`, so `u64::MAX` is reached by none: the inverse of it is above.
fn mix(key: u64) -> u64 {
    let key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ key >> 31
}

fn truncated(cell: u64) -> (u16, u32) {
    #[allow(clippy::cast_possible_truncation)] // the form of the cells was chosen so that they fit
    (cell as u16, cell as u32)
}

impl Sorted {
    pub(super) fn new(bytes: u32) -> Sorted {
        const FIRST: usize = 1 << 14;
        let slots = FIRST + SLACK;
        let cells = match bytes {
            2 => Cells::Two(vec![0; slots]),
            4 => Cells::Four(vec![0; slots]),
            _ => Cells::Eight(vec![0; slots]),
        };
        Sorted { keys: vec![EMPTY; slots], cells, homes: FIRST as u64, used: 0 }
    }

    pub(super) fn len(&self) -> u64 {
        self.used
    }

    pub(super) fn bytes(&self) -> usize {
        let each = match self.cells {
            Cells::Two(_) => 10,
            Cells::Four(_) => 12,
            Cells::Eight(_) => 16,
        };
        self.keys.len() * each
    }

    #[inline]
    fn home(&self, mixed: u64) -> usize {
        #[allow(clippy::cast_possible_truncation)] // below the number of homes
        let home = ((u128::from(mixed) * u128::from(self.homes)) >> 64) as usize;
        home
    }

    /// Where a key is, or where it would be.
    #[inline]
    fn search(&self, mixed: u64) -> Result<usize, usize> {
        let mut at = self.home(mixed);
        while self.keys[at] < mixed {
            at += 1;
        }
        if self.keys[at] == mixed { Ok(at) } else { Err(at) }
    }

    fn cell(&self, at: usize) -> u64 {
        match &self.cells {
            Cells::Two(cells) => u64::from(cells[at]),
            Cells::Four(cells) => u64::from(cells[at]),
            Cells::Eight(cells) => cells[at],
        }
    }

    fn set_cell(&mut self, at: usize, cell: u64) {
        let (two, four) = truncated(cell);
        match &mut self.cells {
            Cells::Two(cells) => cells[at] = two,
            Cells::Four(cells) => cells[at] = four,
            Cells::Eight(cells) => cells[at] = cell,
        }
    }

    /// The cell of a key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<u64> {
        self.search(mix(key)).ok().map(|at| self.cell(at))
    }

    /// Asks for the memory where a key is, ahead of time.
    #[inline]
    pub(super) fn fetch(&self, key: u64) {
        let at = self.home(mix(key));
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch reads nothing; the address is inside of the table.
        #[allow(unsafe_code)]
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(self.keys.as_ptr().add(at).cast());
            let cell = match &self.cells {
                Cells::Two(cells) => cells.as_ptr().add(at).cast(),
                Cells::Four(cells) => cells.as_ptr().add(at).cast(),
                Cells::Eight(cells) => cells.as_ptr().add(at).cast(),
            };
            _mm_prefetch::<_MM_HINT_T0>(cell);
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = at;
    }

    /// Sets the cell of a key that is there.
    pub(super) fn set(&mut self, key: u64, cell: u64) {
        if let Ok(at) = self.search(mix(key)) {
            self.set_cell(at, cell);
        }
    }

    /// Puts a key that is not there.
    pub(super) fn insert(&mut self, key: u64, cell: u64) {
        if self.used * 100 >= self.homes * FULL {
            self.grow();
        }
        let mixed = mix(key);
        loop {
            let Err(at) = self.search(mixed) else { return };
            let mut end = at;
            while self.keys[end] != EMPTY {
                end += 1;
            }
            // The last slot stays empty: every search ends.
            if end + 1 >= self.keys.len() {
                self.lengthen();
                continue;
            }
            self.keys.copy_within(at..end, at + 1);
            match &mut self.cells {
                Cells::Two(cells) => cells.copy_within(at..end, at + 1),
                Cells::Four(cells) => cells.copy_within(at..end, at + 1),
                Cells::Eight(cells) => cells.copy_within(at..end, at + 1),
            }
            self.keys[at] = mixed;
            self.set_cell(at, cell);
            self.used += 1;
            return;
        }
    }

    /// More homes; the keys move in place, through the far end of the larger table.
    fn grow(&mut self) {
        self.homes += self.homes / 4;
        let old = self.keys.len();
        let slots = (usize::try_from(self.homes).unwrap_or(usize::MAX - SLACK) + SLACK).max(old);
        self.keys.reserve_exact(slots - old);
        self.keys.resize(slots, EMPTY);
        match &mut self.cells {
            Cells::Two(cells) => {
                cells.reserve_exact(slots - old);
                cells.resize(slots, 0);
            }
            Cells::Four(cells) => {
                cells.reserve_exact(slots - old);
                cells.resize(slots, 0);
            }
            Cells::Eight(cells) => {
                cells.reserve_exact(slots - old);
                cells.resize(slots, 0);
            }
        }
        // All keys to the end, in order.
        let mut to = slots;
        for from in (0..old).rev() {
            if self.keys[from] != EMPTY {
                to -= 1;
                self.keys[to] = self.keys[from];
                let cell = self.cell(from);
                self.set_cell(to, cell);
                if to != from {
                    self.keys[from] = EMPTY;
                }
            }
        }
        // And each to its new place, which is as good as never after the place it is read from: the rest just fits there.
        let mut free = 0;
        let mut from = to;
        while from < slots && self.home(self.keys[from]).max(free) <= from {
            let (mixed, cell) = (self.keys[from], self.cell(from));
            self.keys[from] = EMPTY;
            free = self.home(mixed).max(free);
            self.keys[free] = mixed;
            self.set_cell(free, cell);
            free += 1;
            from += 1;
        }
        let rest: Vec<(u64, u64)> = (from..slots).map(|at| (self.keys[at], self.cell(at))).collect();
        self.keys[from..].fill(EMPTY);
        for (mixed, cell) in rest {
            free = self.home(mixed).max(free);
            if free + 1 >= self.keys.len() {
                self.lengthen();
            }
            self.keys[free] = mixed;
            self.set_cell(free, cell);
            free += 1;
        }
    }

    /// More room after the last home.
    fn lengthen(&mut self) {
        let slots = self.keys.len() + SLACK;
        self.keys.resize(slots, EMPTY);
        match &mut self.cells {
            Cells::Two(cells) => cells.resize(slots, 0),
            Cells::Four(cells) => cells.resize(slots, 0),
            Cells::Eight(cells) => cells.resize(slots, 0),
        }
    }

    /// The same keys with cells of another form.
    pub(super) fn map(&mut self, bytes: u32, change: impl Fn(u64) -> u64) {
        let cells = (0..self.keys.len()).map(|at| if self.keys[at] == EMPTY { 0 } else { change(self.cell(at)) });
        self.cells = match bytes {
            2 => Cells::Two(cells.map(|c| truncated(c).0).collect()),
            4 => Cells::Four(cells.map(|c| truncated(c).1).collect()),
            _ => Cells::Eight(cells.collect()),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::Sorted;
    use std::collections::HashMap;

    #[test]
    fn it_holds_what_a_hash_map_holds_while_it_grows() {
        let mut table = Sorted::new(2);
        let mut expected = HashMap::new();
        let mut seed = 1u64;
        for i in 0..200_000u64 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Runs of neighbours and far keys.
            let key = if i % 3 == 0 { i } else { seed >> 4 };
            assert_eq!(table.get(key), expected.get(&key).copied());
            expected.entry(key).or_insert_with(|| {
                table.insert(key, i % 65_536);
                i % 65_536
            });
            if i % 5 == 0 {
                table.set(key, 7);
                expected.insert(key, 7);
            }
        }
        table.map(4, |cell| cell * 3);
        assert_eq!(table.len(), expected.len() as u64);
        for (key, cell) in expected {
            assert_eq!(table.get(key), Some(cell * 3));
        }
        assert!(table.bytes() as u64 <= 16 * table.len(), "nearly full");
    }
}
