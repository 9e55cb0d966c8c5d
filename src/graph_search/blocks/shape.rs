//! How a box is cut: ranks into blocks and places, blocks into groups; and changes of the rank in these parts. Where few states of a
//! box are met only these have places.

use crate::graph_search::blocks::lister::Seen;
use crate::tables::expand::{KEEPS_TURN, RANKS};
use crate::value::mix::{mix, ones, unmix};
use crate::value::width;

/// A box in blocks of `2^bits` ranks, and groups of `2^group_bits` blocks. Of several processes each has the groups whose numbers
/// leave its own when they are divided by how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) volume: u64,
    pub(super) bits: u32,
    pub(super) group_bits: u32,
    /// The number of the process, and how many there are.
    pub(super) part: (u64, u64),
    /// Where only the states that are met have places.
    pub(super) spread: Option<Spread>,
}

/// How states that are met lie in blocks: by their mixed ranks, of which the high bits are the number of the block and the others
/// the key in it. So all blocks have about as many. The place of a state is that of its key among those of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spread {
    pub(super) block_bits: u32,
    /// At most 32.
    pub(super) key_bits: u32,
    /// So many places has each block, a multiple of 64; 0 until all states are met.
    pub(super) most: u32,
    /// How many states there are; 0 until all are met.
    pub(super) states: u64,
}

impl Spread {
    /// Boxes have no more ranks.
    pub(super) const VOLUME: u64 = 1 << (Spread::BLOCKS + Spread::KEYS);
    const BLOCKS: u32 = 20;
    const KEYS: u32 = 32;

    /// For the ranks below this, where so many states of a block are few.
    pub(super) fn new(volume: u64, bits: u32) -> Spread {
        /// More blocks are made only where keys have no place otherwise.
        const MANY: u32 = 17;
        let all = volume.next_power_of_two().ilog2().max(1);
        // However many of the ranks are met, blocks are a quarter full on average.
        let wanted = (all + 2).saturating_sub(bits).min(MANY).max(all.saturating_sub(Spread::KEYS));
        let block_bits = wanted.min(all - 1);
        Spread { block_bits, key_bits: all - block_bits, most: 0, states: 0 }
    }

    /// Bits of the number of a block within its group. There are at most `2^9` groups.
    pub(super) fn group_bits(self, bits: u32) -> u32 {
        self.block_bits.saturating_sub(bits.min(9))
    }

    /// For so many states: as few blocks of as many groups as make each about a quarter full.
    pub(super) fn fitting(self, states: u64, bits: u32) -> Spread {
        let (all, groups) = (self.block_bits + self.key_bits, self.block_bits - self.group_bits(bits));
        let wanted = (states.max(1).ilog2() + 2).saturating_sub(bits);
        let block_bits = wanted.max(groups).max(all.saturating_sub(Spread::KEYS)).min(self.block_bits);
        Spread { block_bits, key_bits: all - block_bits, most: 0, states }
    }

    /// A rank, mixed.
    #[inline]
    pub(super) fn mixed(self, rank: u64) -> u64 {
        mix(rank, self.block_bits + self.key_bits)
    }

    /// The rank of a state of a block.
    #[inline]
    pub(super) fn rank(self, block: u64, key: u32) -> u64 {
        unmix(block << self.key_bits | u64::from(key), self.block_bits + self.key_bits)
    }

    /// The block and the key of a mixed rank.
    #[inline]
    pub(super) fn cut(self, mixed: u64) -> (u64, u32) {
        // Keys have at most 32 bits.
        (mixed >> self.key_bits, u32::try_from(mixed & ones(self.key_bits)).unwrap_or(u32::MAX))
    }

    /// The place of a key among those of a block, which ascend and lie evenly: by interpolation, twice, and some steps from there.
    #[inline]
    pub(super) fn place(self, keys: &[u32], key: u32) -> Option<usize> {
        let last = keys.len().checked_sub(1)?;
        let share = |distance: u32| width::index((u64::from(distance) * keys.len() as u64) >> self.key_bits);
        let mut at = share(key);
        for _ in 0..2 {
            let there = *keys.get(at)?;
            at = if there <= key { (at + share(key - there)).min(last) } else { at.saturating_sub(share(there - key)) };
        }
        while at < last && *keys.get(at)? < key {
            at += 1;
        }
        while at > 0 && *keys.get(at)? > key {
            at -= 1;
        }
        (*keys.get(at)? == key).then_some(at)
    }
}

impl Shape {
    /// Places of a block.
    pub(super) fn size(self) -> usize {
        self.spread.map_or(1 << self.bits, |spread| width::index(spread.most))
    }

    /// Words of 64 bits with a bit for each rank of a block.
    pub(super) fn lanes(self) -> usize {
        self.size().div_ceil(64)
    }

    /// How many blocks.
    pub(super) fn blocks(self) -> u64 {
        self.spread.map_or_else(|| self.volume.div_ceil(1 << self.bits), |spread| 1 << spread.block_bits)
    }

    /// How many groups.
    pub(super) fn groups(self) -> u64 {
        self.blocks().div_ceil(1 << self.group_bits)
    }

    /// The first block of a group, and the first that is behind it.
    pub(super) fn group(self, group: u64) -> (u64, u64) {
        let first = group << self.group_bits;
        (first, self.blocks().min(first + (1 << self.group_bits)))
    }

    /// The process that has a group.
    pub(super) fn owner(self, group: u64) -> u64 {
        group % self.part.1
    }

    /// Whether this process has a group.
    pub(super) fn has(self, group: u64) -> bool {
        self.owner(group) == self.part.0
    }

    /// Whether this process has a block.
    pub(super) fn has_block(self, block: u64) -> bool {
        self.has(block >> self.group_bits)
    }

    /// How many groups others have.
    pub(super) fn owners(self) -> usize {
        width::index(self.groups() - self.before(self.groups() << self.group_bits).div_ceil(1 << self.group_bits))
    }

    /// How many blocks of this process have smaller numbers.
    pub(super) fn before(self, block: u64) -> u64 {
        let (index, count) = self.part;
        let (group, first) = (block >> self.group_bits, block >> self.group_bits << self.group_bits);
        let groups = group.saturating_sub(index).div_ceil(count);
        (groups << self.group_bits) + if self.has(group) { block - first } else { 0 }
    }

    /// The block of a rank.
    pub(super) fn block(self, rank: u64) -> u64 {
        self.spread.map_or(rank >> self.bits, |spread| spread.cut(spread.mixed(rank)).0)
    }

    /// The place of a rank in its block, of which these are the keys; `None`: there is no such state.
    pub(super) fn place(self, rank: u64, keys: Option<&[u32]>) -> Option<usize> {
        let Some(spread) = self.spread else { return Some(width::index(rank & ones(self.bits))) };
        spread.place(keys?, spread.cut(spread.mixed(rank)).1)
    }

    /// The ranks of the states of a block, by their places.
    pub(super) fn ranks(self, block: u64, keys: Option<&[u32]>) -> Vec<u64> {
        if let Some(spread) = self.spread {
            return keys.unwrap_or_default().iter().map(|&key| spread.rank(block, key)).collect();
        }
        let first = block << self.bits;
        (first..self.volume.min(first + (1 << self.bits))).collect()
    }

    /// How many states there are.
    pub(super) fn states(self) -> u64 {
        self.spread.map_or(self.volume, |spread| spread.states)
    }
}

/// A part of a change: of the places within blocks, or of the numbers of blocks.
#[derive(Clone, Copy, Debug)]
struct Part<N> {
    /// What is added by the move.
    high: N,
    /// What is exclusive-or'ed by it.
    low: N,
    /// Bits that are the same in all states with this change.
    mask: N,
    /// What those bits are.
    want: N,
}

/// A change of ranks by a move, taken back in parts. The rank after it is `(rank ^ low) + high`, where `high` is a
/// multiple of a power of two that is greater than `low`: so places of one block come from at most two blocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    /// The bit of the change.
    pub(super) bit: u16,
    /// The mover has the next turn.
    pub(super) keeps: bool,
    /// The bits of a rank tell whether it has the change.
    pub(super) exact: bool,
    place: Part<u16>,
    block: Part<u64>,
    /// The same of whole ranks.
    whole: Part<u64>,
    /// Bits of a place.
    places: u16,
}

/// The 16 least bits.
pub(super) fn low16(word: u64) -> u16 {
    u16::try_from(word & 0xffff).unwrap_or(0)
}

impl Shift {
    /// The change that a word stands for; `None`: it stands for something else. `joined`: the number of states of the
    /// fields whose changes are exclusive ors.
    pub(super) fn of(bit: u16, word: u64, joined: u64, seen: &Seen, shape: Shape) -> Option<Shift> {
        /// Changes are less, and so are their negatives.
        const MOST: u64 = KEEPS_TURN / 2;
        const { assert!(MOST < RANKS) }
        let small = |word: u64| word < MOST || word.wrapping_neg() < MOST;
        let (change, keeps) = if small(word) { (word, false) } else { (word ^ KEEPS_TURN, true) };
        if !small(change) {
            return None;
        }
        let (low, high) = (change & (joined - 1), change & !(joined - 1));
        let (mask, want) = (!(seen.ones & seen.zeros), seen.ones & !seen.zeros);
        let places = u16::MAX >> (16 - shape.bits);
        let place = |word: u64| low16(word) & places;
        let fixed = (mask & (shape.volume - 1)).count_ones();
        Some(Shift {
            bit,
            keeps,
            exact: shape.spread.is_none() && shape.volume.is_power_of_two() && seen.count == shape.volume >> fixed,
            place: Part { high: place(high), low: place(low), mask: place(mask), want: place(want) },
            block: Part {
                // A negative change is one of a negative number of blocks.
                high: (high.cast_signed() >> shape.bits).cast_unsigned(),
                low: low >> shape.bits,
                mask: mask >> shape.bits,
                want: want >> shape.bits,
            },
            whole: Part { high, low, mask, want },
            places,
        })
    }

    /// Cuts ascending places of a block by the block that the change leads there from: those below a place from the one
    /// number, the others from the other. `None`: no block has the change.
    pub(super) fn blocks<'a>(&self, block: u64, places: &'a [u16], shape: Shape) -> [(Option<u64>, &'a [u16]); 2] {
        let cut = places.partition_point(|&place| place < self.place.high);
        let (borrowing, others) = places.split_at(cut);
        let Part { high, low, mask, want } = self.block;
        let before = |borrow: u64| {
            let before = block.wrapping_sub(high).wrapping_sub(borrow) ^ low;
            (before < shape.blocks() && before & mask == want).then_some(before)
        };
        [(before(1), borrowing), (before(0), others)]
    }

    /// Writes down from which places the change leads to these, where nothing is known against it; how many there are.
    #[inline]
    pub(super) fn places(&self, places: &[u16], out: &mut [u16]) -> usize {
        let Part { high, low, mask, want } = self.place;
        let before = |place: u16| (place.wrapping_sub(high) & self.places) ^ low;
        if mask == 0 {
            out.iter_mut().zip(places).for_each(|(out, &place)| *out = before(place));
            return places.len().min(out.len());
        }
        let mut found = 0;
        for &place in places {
            let before = before(place);
            if let Some(out) = out.get_mut(found) {
                *out = before;
            }
            found += usize::from(before & mask == want);
        }
        found
    }

    /// The rank from which the change leads to this one, of so many; `None`: no state there has the change.
    #[inline]
    pub(super) fn rank(&self, rank: u64, volume: u64) -> Option<u64> {
        let Part { high, low, mask, want } = self.whole;
        let before = rank.wrapping_sub(high) ^ low;
        (before < volume && before & mask == want).then_some(before)
    }

    /// Which places of a block have the change, as bits, where the bits of ranks tell.
    pub(super) fn plane(&self, lanes: usize) -> Vec<u64> {
        let Part { mask, want, .. } = self.place;
        let mut plane = vec![0u64; lanes];
        for place in (0..=self.places).filter(|place| place & mask == want) {
            if let Some(word) = plane.get_mut(usize::from(place / 64)) {
                *word |= 1 << (place % 64);
            }
        }
        plane
    }

    /// Whether the number of a block says nothing against it.
    pub(super) fn is_in(&self, block: u64) -> bool {
        block & self.block.mask == self.block.want
    }
}
