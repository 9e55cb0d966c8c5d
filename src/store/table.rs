//! From packed states to component numbers: a dense table over the box of field values while that is small, else hashed.
//!
//! The box is not known beforehand: it starts with the first state and grows with what is met. Neighbouring states are
//! neighbours in the dense table, which is what makes it fast. Exact either way: keys are compared, never fingerprints.

use hashbrown::HashMap;

/// A dense box of at most this many places is made at first (memory is touched only where states are).
const SMALL_BOX: u64 = 1 << 27;
/// Tables are many where each case brings a graph of its own. Together their boxes are made with so many places at first; what is
/// made but not touched takes no memory, but there is an end to addresses too.
const ALL_BOXES: u64 = 1 << 28;
/// One that grew may always be as large as this.
const GROWN_BOX: u64 = 1 << 22;
/// A larger one only while at least one place in this many is used.
const SPARSE: u64 = 16;

/// See the module.
#[derive(Debug)]
pub enum Table {
    /// `slots[rank]` is one more than the component number, 0 when there is none. The sizes of fields whose range is known
    /// beforehand never change.
    Dense { sizes: Vec<u64>, slots: Vec<u32>, used: u64 },
    /// Component numbers by packed state.
    Hashed(HashMap<u64, u32>),
}

fn volume(sizes: &[u64]) -> Option<u64> {
    sizes.iter().try_fold(1u64, |v, &s| v.checked_mul(s.max(1)))
}

#[inline]
fn rank(sizes: &[u64], field: &impl Fn(usize) -> u64) -> Option<usize> {
    let mut rank = 0u64;
    for (i, &size) in sizes.iter().enumerate() {
        let word = field(i);
        if word >= size {
            return None;
        }
        rank = rank * size + word;
    }
    usize::try_from(rank).ok()
}

impl Table {
    /// An empty table. `sizes` are the numbers of values of fields whose range is known, 0 for the others; `others`: how many
    /// places the boxes of all other tables have.
    pub(crate) fn new(sizes: Vec<u64>, others: u64) -> Table {
        match volume(&sizes) {
            Some(v) if v <= SMALL_BOX.min(ALL_BOXES.saturating_sub(others).max(GROWN_BOX)) => {
                Table::Dense { slots: vec![0; usize::try_from(v).unwrap_or(0)], sizes, used: 0 }
            }
            _ => Table::Hashed(HashMap::new()),
        }
    }

    /// How many places the box has.
    pub(crate) fn places(&self) -> u64 {
        match self {
            Table::Dense { slots, .. } => slots.len() as u64,
            Table::Hashed(_) => 0,
        }
    }

    /// Bytes held, roughly; of a dense table what can have been touched.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Table::Dense { slots, used, .. } => {
                let touched = usize::try_from(used.saturating_mul(4096)).unwrap_or(usize::MAX);
                (slots.len() * 4).min(touched)
            }
            Table::Hashed(table) => table.capacity() * 17 * 8 / 7,
        }
    }

    /// The number of a state that is in a dense table; `None`: not there, or not known this way.
    #[inline]
    pub(crate) fn lookup(&self, field: &impl Fn(usize) -> u64) -> Option<u32> {
        let Table::Dense { sizes, slots, .. } = self else { return None };
        let at = rank(sizes, field)?;
        slots[at].checked_sub(1)
    }

    /// The number of a state, or `next` after noting it. `field(i)` is its i-th word, never negative; `unpack(key, i)` that of
    /// any packed state; `key_of(number)` the packed state of a component.
    pub(crate) fn number(
        &mut self,
        key: u64,
        next: u32,
        field: &impl Fn(usize) -> u64,
        unpack: &impl Fn(u64, usize) -> u64,
        key_of: &impl Fn(u32) -> u64,
    ) -> Result<u32, u32> {
        loop {
            match self {
                Table::Dense { sizes, slots, used } => {
                    if let Some(at) = rank(sizes, field) {
                        let slot = &mut slots[at];
                        if *slot == 0 {
                            *slot = next + 1;
                            *used += 1;
                            return Err(next);
                        }
                        return Ok(*slot - 1);
                    }
                    self.grow(field, unpack, key_of);
                }
                Table::Hashed(table) => {
                    let number = *table.entry(key).or_insert(next);
                    return if number == next { Err(next) } else { Ok(number) };
                }
            }
        }
    }

    /// Makes room for a state outside the box: a larger box, or hashing.
    fn grow(
        &mut self,
        field: &impl Fn(usize) -> u64,
        unpack: &impl Fn(u64, usize) -> u64,
        key_of: &impl Fn(u32) -> u64,
    ) {
        let Table::Dense { sizes, slots, used } = self else { return };
        let first = *used == 0;
        let wider: Vec<u64> = sizes
            .iter()
            .enumerate()
            .map(|(i, &size)| match field(i) {
                word if word < size => size,
                word if first => word.saturating_add(1),
                word => word.saturating_add(1).max(size.saturating_mul(2)),
            })
            .collect();
        let room = if first { SMALL_BOX } else { GROWN_BOX.max(used.saturating_mul(SPARSE)) };
        let numbers = slots.iter().filter(|&&slot| slot != 0).map(|slot| slot - 1);
        if let Some(v) = volume(&wider).filter(|&v| v <= room) {
            let mut larger = vec![0u32; usize::try_from(v).unwrap_or(0)];
            for number in numbers {
                let key = key_of(number);
                if let Some(at) = rank(&wider, &|i| unpack(key, i)) {
                    larger[at] = number + 1;
                }
            }
            *slots = larger;
            *sizes = wider;
        } else {
            *self = Table::Hashed(numbers.map(|number| (key_of(number), number)).collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::store::table::Table;
    use std::cell::RefCell;

    fn unpack(key: u64, i: usize) -> u64 {
        if i == 0 { key >> 32 } else { key & 0xffff_ffff }
    }

    #[test]
    fn numbers_stay_when_the_box_grows_and_when_hashing_takes_over() {
        let mut table = Table::new(vec![0, 0], 0);
        let keys = RefCell::new(Vec::<u64>::new());
        let mut seed = 7u64;
        let mut expected = std::collections::HashMap::new();
        for round in 0..20_000u64 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Wider and wider; at last far outside every box.
            let span = 1 + round / 100 + if round > 15_000 { 1 << 30 } else { 0 };
            let (a, b) = ((seed >> 33) % span, (seed >> 13) % span);
            let key = a << 32 | b;
            let next = u32::try_from(keys.borrow().len()).expect("few keys");
            let found = table.number(key, next, &|i| unpack(key, i), &unpack, &|n| keys.borrow()[n as usize]);
            if let Some(&number) = expected.get(&key) {
                assert_eq!(found, Ok(number));
            } else {
                assert_eq!(found, Err(next));
                expected.insert(key, next);
                keys.borrow_mut().push(key);
            }
        }
        assert!(matches!(table, Table::Hashed(_)));
    }
}
