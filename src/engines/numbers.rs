//! A number for each component of a sum.

use hashbrown::HashMap;

/// Numbers by component: an array, since the numbers of the components of one sum mostly follow each other; what lies apart
/// is in a map.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    first: u32,
    room: usize,
    near: Vec<u64>,
    far: HashMap<u32, u64>,
}

/// No number yet.
const OPEN: u64 = u64::MAX;

impl Numbers {
    /// None yet, for these components and perhaps others.
    pub(super) fn of(ids: &[u32]) -> Numbers {
        Numbers { first: ids.iter().copied().min().unwrap_or(0), room: 2 * ids.len(), ..Numbers::default() }
    }

    /// The place in the array.
    fn place(&self, id: u32) -> Option<usize> {
        usize::try_from(id.checked_sub(self.first)?).ok().filter(|place| *place < self.room)
    }

    /// The number of a component.
    pub(super) fn get(&self, id: u32) -> Option<u64> {
        let near = self.place(id).and_then(|place| self.near.get(place).copied()).filter(|number| *number != OPEN);
        near.or_else(|| if self.far.is_empty() { None } else { self.far.get(&id).copied() })
    }

    /// Gives a component its number.
    pub(super) fn set(&mut self, id: u32, number: u64) {
        match self.place(id).filter(|_| number != OPEN) {
            Some(place) => {
                if place >= self.near.len() {
                    self.near.resize(place + 1, OPEN);
                }
                self.near[place] = number;
            }
            None => {
                self.far.insert(id, number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::engines::numbers::Numbers;

    #[test]
    fn what_is_set_is_found() {
        let mut numbers = Numbers::of(&[7, 5, 6]);
        assert_eq!(numbers.get(5), None);
        for (id, number) in [(5, 0), (6, u64::MAX), (4, 3), (11, 8), (u32::MAX, 9), (7, u64::MAX - 1)] {
            assert_eq!(numbers.get(id), None);
            numbers.set(id, number);
            assert_eq!(numbers.get(id), Some(number));
        }
        assert_eq!((numbers.get(5), numbers.get(6), numbers.get(8)), (Some(0), Some(u64::MAX), None));
    }
}
