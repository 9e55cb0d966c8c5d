//! The vertices of a graph: nothing is kept of them while they are all labels in their order.

use std::ops::Deref;
use std::sync::OnceLock;

/// Vertex numbers in graph order, each once.
#[derive(Clone, Debug)]
pub struct Vertices(Order);

#[derive(Clone, Debug)]
enum Order {
    /// All numbers below, ascending; spelled out when asked for.
    Ascending(usize, OnceLock<Vec<u32>>),
    Given(Vec<u32>),
}

impl Vertices {
    /// `0..n`
    #[must_use]
    pub fn ascending(n: usize) -> Vertices {
        Vertices(Order::Ascending(n, OnceLock::new()))
    }

    /// How many; nothing is spelled out.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Order::Ascending(n, _) => *n,
            Order::Given(numbers) => numbers.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number at an index; nothing is spelled out.
    #[must_use]
    pub fn at(&self, index: usize) -> Option<u32> {
        match &self.0 {
            Order::Ascending(n, _) => u32::try_from(index).ok().filter(|_| index < *n),
            Order::Given(numbers) => numbers.get(index).copied(),
        }
    }

    /// Whether numbers ascend; nothing is spelled out.
    #[must_use]
    pub fn ascend(&self) -> bool {
        match &self.0 {
            Order::Ascending(..) => true,
            Order::Given(numbers) => numbers.is_sorted(),
        }
    }
}

impl From<Vec<u32>> for Vertices {
    /// These, which must differ.
    fn from(numbers: Vec<u32>) -> Vertices {
        Vertices(Order::Given(numbers))
    }
}

impl Deref for Vertices {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match &self.0 {
            Order::Ascending(n, spelled) => spelled.get_or_init(|| (0..).take(*n).collect()),
            Order::Given(numbers) => numbers,
        }
    }
}

/// Which vertex numbers are there.
#[derive(Clone, Debug)]
pub enum Present {
    /// All below.
    All(usize),
    /// Those that say so.
    Some(Vec<bool>),
}

impl Present {
    /// Whether a number is there.
    #[inline]
    #[must_use]
    pub fn has(&self, v: u32) -> bool {
        match self {
            Present::All(n) => (v as usize) < *n,
            Present::Some(present) => present.get(v as usize).is_some_and(|there| *there),
        }
    }

    /// Whether all are. Linear at most.
    #[must_use]
    pub fn are_all(&self) -> bool {
        match self {
            Present::All(_) => true,
            Present::Some(present) => present.iter().all(|there| *there),
        }
    }

    /// How many numbers there may be.
    fn len(&self) -> usize {
        match self {
            Present::All(n) => *n,
            Present::Some(present) => present.len(),
        }
    }

    /// The numbers that are there, ascending.
    pub fn numbers(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).take(self.len()).filter(|v| self.has(*v))
    }
}
