//! How many moves of a heap leave heaps of some kind, without looking at each: where what heaps are like comes again with a period.

/// An end of a stretch of heaps, by the beans that a move leaves in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This number.
    Number(u64),
    /// So many less than all.
    Below(u64),
    /// Half of all and of so many more, rounded down.
    Half(i64),
}

impl End {
    /// The number that it is when so many beans are left.
    pub fn at(self, left: i128) -> i128 {
        match self {
            End::Number(number) => i128::from(number),
            End::Below(less) => left - i128::from(less),
            End::Half(more) => (left + i128::from(more)).div_euclid(2),
        }
    }
}

/// Some moves of all large heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moves {
    /// One move, which takes so much and leaves one heap.
    One {
        /// What it takes.
        taken: u64,
    },
    /// A move for each size of the first of two heaps, from the one end to the other, both in.
    Two {
        /// What each of them takes.
        taken: u64,
        /// The least size of the first heap.
        from: End,
        /// The greatest.
        to: End,
    },
}

/// What heaps are like: their kinds from the heap of 0 on, of which those from `start` on come again and again.
#[derive(Clone, Copy, Debug)]
pub struct Kinds<'k, T> {
    /// The kinds of the first heaps, to the end of one period at least.
    pub kinds: &'k [T],
    /// Where the period begins.
    pub start: usize,
    /// How long it is, not 0.
    pub length: usize,
}

impl<T: Copy> Kinds<'_, T> {
    /// The kind of a heap; `None` of less than nothing.
    pub fn of(&self, heap: i128) -> Option<T> {
        let place = match usize::try_from(heap) {
            Ok(heap) if heap < self.start + self.length => heap,
            _ if heap < 0 => return None,
            _ => self.start + usize::try_from((heap - self.start as i128) % self.length as i128).ok()?,
        };
        self.kinds.get(place).copied()
    }
}

impl Moves {
    /// How many of these moves of a heap leave what is wanted: `one` of a single heap, `two` of two. `None`: too many to
    /// count. Cost: as much as the kinds before the period and two periods.
    pub fn count<T: Copy>(
        self,
        heap: u64,
        kinds: Kinds<'_, T>,
        one: impl Fn(T) -> bool,
        two: impl Fn(T, T) -> bool,
    ) -> Option<u64> {
        let heap = i128::from(heap);
        let (taken, from, to) = match self {
            Moves::One { taken } => return Some(u64::from(one(kinds.of(heap - i128::from(taken))?))),
            Moves::Two { taken, from, to } => (taken, from, to),
        };
        let left = heap - i128::from(taken);
        let (from, to) = (from.at(left), to.at(left));
        if from > to {
            return Some(0);
        }
        if from < 0 || to > left {
            return None;
        }
        let wanted = |first: i128| -> Option<u64> { Some(u64::from(two(kinds.of(first)?, kinds.of(left - first)?))) };
        let (start, length) = (kinds.start as i128, kinds.length as i128);
        // Between these both heaps are in the period.
        let (low, high) = (from.max(start), to.min(left - start));
        let mut count = 0;
        if high - low < length {
            for first in from..=to {
                count += wanted(first)?;
            }
            return Some(count);
        }
        for first in (from..low).chain(high + 1..=to) {
            count += wanted(first)?;
        }
        let (times, rest) = ((high - low + 1) / length, (high - low + 1) % length);
        for place in 0..length {
            let times = u64::try_from(times + i128::from(place < rest)).ok()?;
            count = times.checked_mul(wanted(low + place)?).and_then(|more| more.checked_add(count))?;
        }
        Some(count)
    }
}
