//! Which cells of a grid have a label, and which edges of a graph are in a set.

use grundy_graphs::bits::{Bits, Members};
use std::borrow::Cow;
use std::ops::Range;

/// What is left of them.
#[derive(Clone, Debug)]
pub enum Numbers<'p> {
    /// Of all.
    All(Range<u32>),
    /// Of a list.
    Some(std::slice::Iter<'p, u32>),
    /// Of many.
    Bits(Members<'p>),
}

impl Iterator for Numbers<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        match self {
            Numbers::All(range) => range.next(),
            Numbers::Some(some) => some.next().copied(),
            Numbers::Bits(bits) => bits.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Numbers::All(range) => range.size_hint(),
            Numbers::Some(some) => some.size_hint(),
            Numbers::Bits(bits) => bits.size_hint(),
        }
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<u32> {
        match self {
            Numbers::All(range) => range.nth(n),
            Numbers::Some(some) => some.nth(n).copied(),
            Numbers::Bits(bits) => bits.nth(n),
        }
    }
}

impl ExactSizeIterator for Numbers<'_> {}

/// Ascending numbers; nothing is kept while they are all.
#[derive(Debug)]
pub enum Places {
    /// `0..n`
    All(u32),
    /// These.
    Some(Vec<u32>),
    /// These, of which there are many.
    Bits(Bits),
}

impl Places {
    /// Ascending numbers below a bound, in the form that takes the least room. O(numbers), and O(bound) where they are many.
    #[must_use]
    pub fn of(bound: usize, mut numbers: impl Iterator<Item = u32>) -> Places {
        /// Of so many numbers.
        const MANY: usize = 1 << 12;
        /// A number takes as much as so many bits.
        const SPARSE: usize = 32;
        let most = if bound < MANY { bound } else { bound / SPARSE };
        let some: Vec<u32> = numbers.by_ref().take(most + 1).collect();
        let bits = if some.len() > most { Some(Bits::new(bound, some.iter().copied().chain(numbers))) } else { None };
        let len = bits.as_ref().map_or(some.len(), Bits::len);
        match u32::try_from(bound) {
            Ok(bound) if len == bound as usize => Places::All(bound),
            _ => bits.map_or(Places::Some(some), Places::Bits),
        }
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Places::All(_) => 0,
            Places::Some(places) => places.len() * 4,
            Places::Bits(places) => places.bytes(),
        }
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Places::All(n) => *n as usize,
            Places::Some(places) => places.len(),
            Places::Bits(places) => places.len(),
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
            Places::Bits(places) => places.member(v).unwrap_or_else(|| panic!("there is no place {v}")),
        }
    }

    /// The number of a cell. Logarithmic.
    #[must_use]
    pub fn number(&self, place: u32) -> Option<u32> {
        match self {
            Places::All(n) => Some(place).filter(|place| place < n),
            Places::Some(places) => places.binary_search(&place).ok().and_then(|i| u32::try_from(i).ok()),
            Places::Bits(places) => places.rank(place),
        }
    }

    /// All in order.
    #[must_use]
    pub fn all(&self) -> Numbers<'_> {
        match self {
            Places::All(n) => Numbers::All(0..*n),
            Places::Some(places) => Numbers::Some(places.iter()),
            Places::Bits(places) => Numbers::Bits(places.iter()),
        }
    }

    /// Those with these indices: constant for each where the indices ascend by little.
    pub fn at_each<'p>(&'p self, indices: impl Iterator<Item = u32> + 'p) -> impl Iterator<Item = u32> + 'p {
        let (mut next, mut rest) = (0, self.all());
        indices.filter_map(move |index| {
            if let (Places::Bits(_), true) = (self, index >= next) {
                let found = rest.nth((index - next) as usize);
                next = index + 1;
                return found;
            }
            Some(self.at(index))
        })
    }

    /// All as a slice, which is made where nothing is kept.
    #[must_use]
    pub fn slice(&self) -> Cow<'_, [u32]> {
        match self {
            Places::All(n) => (0..*n).collect(),
            Places::Some(places) => Cow::Borrowed(places),
            Places::Bits(places) => places.iter().collect(),
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
            let places = Places::of(bound as usize, list.iter().copied());
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
            for indices in
                [(0..count).collect(), (0..count).step_by(7).collect(), (0..count).rev().collect::<Vec<u32>>()]
            {
                let found = places.at_each(indices.iter().copied());
                assert!(found.eq(indices.iter().map(|v| list[*v as usize])), "{bound} {step}");
            }
            assert!(places.bytes() <= list.len() * 4 + 64);
        }
    }
}
