//! Which cells of a grid have a label, and which edges of a graph are in a set.

use std::borrow::Cow;

/// Ascending numbers; nothing is kept while they are all.
#[derive(Debug)]
pub enum Places {
    /// `0..n`
    All(u32),
    /// These.
    Some(Vec<u32>),
}

impl Places {
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
    pub fn all(&self) -> impl DoubleEndedIterator<Item = u32> + Clone + '_ {
        (0..u32::try_from(self.len()).unwrap_or(u32::MAX)).map(|v| self.at(v)) // there are fewer
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
        (0..).take(self.len()).map(|v| (v, self.at(v)))
    }
}
