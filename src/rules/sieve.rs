//! Which of the ways through clauses are kept: by their size, and not too many (rule 35).

use crate::rules::value::Value;

/// A window of sizes. The other ways are counted and dropped, so that nothing large is ever held.
#[derive(Clone, Debug)]
pub struct Sieve {
    /// For each yielded value whether it counts towards the size.
    pub counted: Box<[bool]>,
    /// The least size kept.
    pub from: u64,
    /// The greatest size kept.
    pub to: u64,
    /// So many are kept at most; one more and nothing is.
    pub limit: usize,
    /// All ways seen.
    pub seen: u64,
    /// The greatest size seen.
    pub largest: u64,
    /// Ways inside the window.
    pub inside: usize,
    /// More than `limit` were inside the window.
    pub overflow: bool,
}

impl Default for Sieve {
    /// Admits everything.
    fn default() -> Self {
        Sieve {
            counted: Box::default(),
            from: 0,
            to: u64::MAX,
            limit: usize::MAX,
            seen: 0,
            largest: 0,
            inside: 0,
            overflow: false,
        }
    }
}

impl Sieve {
    /// The size of an instance: of the values that count.
    #[must_use]
    pub fn size<'v>(&self, values: impl Iterator<Item = &'v Value>) -> u64 {
        let sizes = values.zip(&self.counted).filter(|(_, counts)| **counts).map(|(value, _)| value.extent());
        sizes.fold(0, u64::saturating_add)
    }

    /// Counts a way, and says whether it is kept.
    pub(crate) fn admits<'v>(&mut self, values: impl Iterator<Item = &'v Value>) -> bool {
        let size = self.size(values);
        self.seen += 1;
        self.largest = self.largest.max(size);
        if size < self.from || size > self.to {
            return false;
        }
        self.inside += 1;
        self.overflow |= self.inside > self.limit;
        !self.overflow
    }
}
