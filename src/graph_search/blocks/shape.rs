//! How a box is cut: ranks into blocks and places, blocks into groups; and changes of the rank in these parts.

use crate::graph_search::blocks::lister::Seen;
use crate::tables::expand::{KEEPS_TURN, RANKS};
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
}

impl Shape {
    /// Ranks of a block.
    pub(super) fn size(self) -> usize {
        1 << self.bits
    }

    /// Words of 64 bits with a bit for each rank of a block.
    pub(super) fn lanes(self) -> usize {
        self.size().div_ceil(64)
    }

    /// How many blocks.
    pub(super) fn blocks(self) -> u64 {
        self.volume.div_ceil(1 << self.bits)
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

    /// Block and place of a rank.
    pub(super) fn cut(self, rank: u64) -> (u64, usize) {
        (rank >> self.bits, width::index(rank & ((1 << self.bits) - 1)))
    }

    /// How many ranks of a block are in the box.
    pub(super) fn states(self, block: u64) -> usize {
        width::index(self.volume - (block << self.bits)).min(self.size())
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
            exact: shape.volume.is_power_of_two() && seen.count == shape.volume >> fixed,
            place: Part { high: place(high), low: place(low), mask: place(mask), want: place(want) },
            block: Part {
                // A negative change is one of a negative number of blocks.
                high: (high.cast_signed() >> shape.bits).cast_unsigned(),
                low: low >> shape.bits,
                mask: mask >> shape.bits,
                want: want >> shape.bits,
            },
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
