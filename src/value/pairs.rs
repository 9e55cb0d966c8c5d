//! Pairs of ints as packed items keep them.

use crate::value::Items;
use std::sync::Arc;

/// Packed pairs of ints.
pub enum Pairs<'a> {
    /// As they are.
    Plain(&'a [(i64, i64)]),
    /// Numbers below 2^32, which a graph may share.
    Short(&'a Arc<Vec<(u32, u32)>>),
}

impl<'a> Pairs<'a> {
    /// Those of packed items.
    #[must_use]
    pub fn of(items: &'a Items) -> Option<Pairs<'a>> {
        items.as_short_pairs().map(Pairs::Short).or_else(|| items.as_pairs().map(Pairs::Plain))
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Pairs::Plain(pairs) => pairs.len(),
            Pairs::Short(pairs) => pairs.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All in order.
    pub fn iter(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        let plain = if let Pairs::Plain(pairs) = self { *pairs } else { &[] };
        let short = if let Pairs::Short(pairs) = self { pairs.as_slice() } else { &[] };
        plain.iter().copied().chain(short.iter().map(|&(u, v)| (u.into(), v.into())))
    }
}
