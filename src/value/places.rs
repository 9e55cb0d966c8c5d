//! Which cells of a grid have a label, and which edges of a graph are in a set.

use std::borrow::Cow;

/// Ascending numbers; nothing is kept while they are all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Places {
    /// `0..n`
    All(u32),
    /// These.
    Some(Vec<u32>),
}

impl Places {
    /// So many ascending numbers below a bound.
    #[must_use]
    pub fn of(bound: usize, count: usize, numbers: impl Iterator<Item = u32>) -> Places {
        match u32::try_from(bound) {
            Ok(all) if count == bound => Places::All(all),
            _ => {
                let mut some = Vec::with_capacity(count);
                some.extend(numbers);
                Places::Some(some)
            }
        }
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Places::All(_) => 0,
            Places::Some(places) => places.len() * 4,
        }
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Places::All(n) => *n as usize,
            Places::Some(places) => places.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cell of an index below [`Places::len`].
    ///
    /// # Panics
    /// When it is not below, unless all cells have a label.
    #[inline]
    #[must_use]
    pub fn at(&self, v: u32) -> u32 {
        match self {
            Places::All(_) => v,
            Places::Some(places) => places[v as usize],
        }
    }

    /// The number of a cell. Logarithmic.
    #[must_use]
    pub fn number(&self, place: u32) -> Option<u32> {
        match self {
            Places::All(n) => Some(place).filter(|place| place < n),
            Places::Some(places) => places.binary_search(&place).ok().and_then(|i| u32::try_from(i).ok()),
        }
    }

    /// All in order.
    pub fn all(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        let (all, some) = match self {
            Places::All(n) => (*n, &[][..]),
            Places::Some(places) => (0, places.as_slice()),
        };
        (0..all).chain(some.iter().copied())
    }

    /// All as a slice, which is made where nothing is kept.
    #[must_use]
    pub fn slice(&self) -> Cow<'_, [u32]> {
        match self {
            Places::All(n) => (0..*n).collect(),
            Places::Some(places) => Cow::Borrowed(places),
        }
    }

    /// All with their numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..).zip(self.all())
    }
}

#[cfg(test)]
mod tests {
    use crate::value::places::Places;

    #[test]
    fn places_are_ascending_numbers() {
        for (bound, step) in
            [(0, 1), (1, 1), (50, 1), (50, 3), (5000, 1), (5000, 2), (5000, 31), (5000, 33), (9000, 400)]
        {
            let list: Vec<u32> = (0..bound).filter(|n| n % step == step / 2 || n % 1001 == 7).collect();
            let places = Places::of(bound as usize, list.len(), list.iter().copied());
            assert_eq!((places.len(), places.is_empty()), (list.len(), list.is_empty()));
            assert!(places.all().eq(list.iter().copied()) && places.slice() == list);
            assert!(places.iter().eq((0..).zip(list.iter().copied())));
            assert!(
                (0..bound + 3).all(
                    |n| places.number(n) == list.iter().position(|m| *m == n).and_then(|at| u32::try_from(at).ok())
                )
            );
            let count = u32::try_from(list.len()).unwrap();
            assert!((0..count).all(|v| places.at(v) == list[v as usize]));
            assert!(places.bytes() <= list.len() * 4 + 64);
        }
    }
}
