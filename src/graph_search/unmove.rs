//! Moves taken back: what a change does to a rank, and which states it is known to belong to.

use crate::graph_search::rank_changes::{KEEPS_TURN, VOLUME};

/// A change of ranks that some move makes.
///
/// The rank of the state after it is `(rank ^ low) + high`, where `high` is a multiple of a power of two that is greater
/// than `low`. That is one to one, so a state has at most one predecessor by each change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unmove {
    low: u32,
    high: u32,
    /// The mover has the next turn.
    pub(crate) keeps: bool,
    /// Bits of the rank that are the same in all states which can make this change.
    mask: u32,
    /// What those bits are.
    want: u32,
}

impl Unmove {
    /// The change that a word stands for; `None`: it stands for something else. `joined` is the number of states of the
    /// fields whose changes are exclusive ors.
    pub(crate) fn of(word: u64, joined: u64, seen: &Seen) -> Option<Unmove> {
        let small = |word: u64| word < VOLUME || word.wrapping_neg() <= VOLUME;
        let (change, keeps) = if small(word) { (word, false) } else { (word ^ KEEPS_TURN, true) };
        if !small(change) {
            return None;
        }
        let (low, high) = (change & (joined - 1), change & !(joined - 1));
        // Of `high` 32 bits are enough: ranks have 31, so no two in the box are as far apart.
        let half = |word: u64| u32::try_from(word & u64::from(u32::MAX)).unwrap_or(0);
        let (mask, want) = (!(seen.ones & seen.zeros), seen.ones & !seen.zeros);
        Some(Unmove { low: half(low), high: half(high), keeps, mask, want })
    }

    /// The rank before the change; perhaps none of the box.
    #[inline]
    pub(crate) fn before(&self, rank: u32) -> u32 {
        rank.wrapping_sub(self.high) ^ self.low
    }

    /// Whether nothing is known against a state that makes this change.
    #[inline]
    pub(crate) fn allows(&self, rank: u32) -> bool {
        rank & self.mask == self.want
    }

    /// Whether all states of the box that are allowed to make this change are as many as do.
    pub(crate) fn is_exact(&self, volume: u64, seen: &Seen) -> bool {
        let fixed = (u64::from(self.mask) & (volume - 1)).count_ones();
        volume.is_power_of_two() && seen.count == volume >> fixed
    }
}

/// What was seen of the states with a certain bit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// Bits of ranks that are 1 in some of them.
    pub(crate) ones: u32,
    /// Bits of ranks that are 0 in some of them.
    pub(crate) zeros: u32,
    /// How many they are.
    pub(crate) count: u64,
}

impl Seen {
    /// Adds the states from this rank on that have the bit. Ranks are below 2^31.
    pub(crate) fn add(&mut self, first: u32, words: &[u64], bit: u32) {
        let (mut ones, mut zeros, mut count) = (0u64, 0u64, 0u64);
        for (rank, &word) in (u64::from(first)..).zip(words) {
            let has = word >> bit & 1;
            let all = 0u64.wrapping_sub(has);
            ones |= all & rank;
            zeros |= all & !rank;
            count += has;
        }
        let low = |word: u64| u32::try_from(word & u64::from(u32::MAX)).unwrap_or(u32::MAX); // 32 bits
        self.ones |= low(ones);
        self.zeros |= low(zeros);
        self.count += count;
    }

    /// Adds what was seen of other states.
    pub(crate) fn join(&mut self, other: &Seen) {
        self.ones |= other.ones;
        self.zeros |= other.zeros;
        self.count += other.count;
    }
}
