//! States of several words: rows of one array, found again by hashing. Exact: rows are compared, never fingerprints.

use crate::store::Packing;
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// States that do not fit one word, each a row of so many words.
#[derive(Debug)]
pub struct WideStates {
    /// For each field: the word of the row that it is in, and where there.
    places: Vec<(usize, Packing)>,
    /// Words in a row.
    width: usize,
    rows: Vec<u64>,
    /// The component numbers of the rows.
    numbers: Vec<u32>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// The row looked for.
    row: Vec<u64>,
}

fn row_at(rows: &[u64], width: usize, at: u32) -> &[u64] {
    &rows[at as usize * width..(at as usize + 1) * width]
}

impl WideStates {
    /// Fields of so many bits each, with whether they may be negative, laid out one after another.
    pub(crate) fn new(fields: &[(u32, bool)]) -> WideStates {
        let (mut word, mut shift) = (0, 0);
        let mut places = Vec::with_capacity(fields.len());
        for &(bits, signed) in fields {
            if shift + bits > 64 {
                word += 1;
                shift = 0;
            }
            places.push((word, Packing { shift, bits, signed }));
            shift += bits;
        }
        let width = word + 1;
        let hasher = DefaultHashBuilder::default();
        let (rows, numbers, table) = (Vec::new(), Vec::new(), HashTable::new());
        WideStates { places, width, rows, numbers, table, hasher, row: vec![0; width] }
    }

    /// Whether every field fits; then [`WideStates::find`] looks for them.
    pub(crate) fn set(&mut self, words: impl Iterator<Item = i64>) -> bool {
        self.row.fill(0);
        self.places.iter().zip(words).all(|((at, packing), word)| {
            self.row[*at] |= packing.put(word);
            packing.fits(word)
        })
    }

    /// The component number of the state set, or `Err` with the place at which `next` was noted for it.
    pub(crate) fn find(&mut self, next: u32) -> Result<u32, u64> {
        let WideStates { width, rows, numbers, table, hasher, row, .. } = self;
        let hash = hasher.hash_one(&row[..]);
        let same = |&at: &u32| row_at(rows, *width, at) == &row[..];
        match table.entry(hash, same, |&at| hasher.hash_one(row_at(rows, *width, at))) {
            hashbrown::hash_table::Entry::Occupied(found) => Ok(numbers[*found.get() as usize]),
            hashbrown::hash_table::Entry::Vacant(slot) => {
                let at = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                slot.insert(at);
                rows.extend_from_slice(row);
                numbers.push(next);
                Err(u64::from(at))
            }
        }
    }

    /// The fields of a state.
    pub(crate) fn get(&self, at: u64) -> impl Iterator<Item = i64> {
        let start = usize::try_from(at).unwrap_or(usize::MAX).saturating_mul(self.width);
        self.places.iter().map(move |(word, packing)| packing.get(self.rows[start + word]))
    }

    /// How the fields are packed.
    pub(crate) fn packings(&self) -> impl Iterator<Item = Packing> {
        self.places.iter().map(|(_, packing)| *packing)
    }

    /// Bytes held, roughly.
    pub(crate) fn bytes(&self) -> usize {
        self.rows.capacity() * 8 + self.numbers.capacity() * 4 + self.table.capacity() * 5 * 8 / 7
    }
}

#[cfg(test)]
mod tests {
    use crate::store::wide_states::WideStates;

    #[test]
    fn states_come_back_as_they_were_put() {
        let mut long = WideStates::new(&[(16, false), (64, true), (1, false), (60, false), (16, true)]);
        let state = |n: i64| [n % 65_536, -n * 1_000_003, n % 2, n << 20, n % 100 - 50];
        let mut places = Vec::new();
        for n in 0..5000 {
            assert!(long.set(state(n).into_iter()));
            places.push(long.find(u32::try_from(n).expect("small")).expect_err("a new state"));
        }
        for n in 0..5000 {
            assert!(long.set(state(n).into_iter()));
            assert_eq!(long.find(0), Ok(u32::try_from(n).expect("small")));
            let at = places[usize::try_from(n).expect("small")];
            assert_eq!(long.get(at).collect::<Vec<_>>(), state(n));
        }
        assert!(!long.set([65_536, 0, 0, 0, 0].into_iter()));
        assert!(!long.set([0, 0, 0, 0, -32_769].into_iter()));
    }
}
