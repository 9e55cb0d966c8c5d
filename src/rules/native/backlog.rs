//! Moves put aside by where they lead, so that they can be turned round without leaps through memory.
//!
//! The idea is that of a radix sort: moves to a narrow range of states go to one heap, and each heap is then small enough for
//! the cache while its moves are counted and put in their rows.

/// Moves to states whose ranks are near to one another.
#[derive(Default)]
pub(super) struct Heap {
    /// The least of these ranks.
    pub(super) rank: u64,
    /// By how much the rank is greater that each move leads to.
    pub(super) to: Vec<u16>,
    /// What was said of where it comes from.
    pub(super) from: Vec<u32>,
}

/// Moves gathered before they go to their heap.
const GATHERED: usize = 64;

#[derive(Clone, Copy)]
struct Gathered {
    len: usize,
    to: [u16; GATHERED],
    from: [u32; GATHERED],
}

/// Moves by where they lead.
#[derive(Default)]
pub(super) struct Backlog {
    heaps: Vec<Heap>,
    gathered: Vec<Gathered>,
    /// Ranks that differ in these low bits only have one heap.
    bits: u32,
    len: u64,
}

impl Backlog {
    /// Bytes a move.
    pub(super) const MOVE: u64 = 6;
    /// Bytes however few moves there are, in boxes of up to `2^22` states.
    pub(super) const LEAST: u64 = 1 << 16;

    /// For moves to ranks below this. Heaps are as narrow as a hundred of them allow, and not wider than 16 bits.
    pub(super) fn new(volume: u64) -> Backlog {
        let bits = volume.max(1).ilog2().saturating_sub(6).clamp(10, 16);
        let count = usize::try_from((volume >> bits) + 1).unwrap_or(usize::MAX);
        let none = Gathered { len: 0, to: [0; GATHERED], from: [0; GATHERED] };
        let heaps = (0..).take(count).map(|i: u64| Heap { rank: i << bits, ..Heap::default() }).collect();
        Backlog { heaps, gathered: vec![none; count], bits, len: 0 }
    }

    /// Puts a move aside.
    #[inline]
    pub(super) fn add(&mut self, to: u64, from: u32) {
        let heap = usize::try_from(to >> self.bits).unwrap_or(usize::MAX);
        let here = &mut self.gathered[heap];
        here.to[here.len] = u16::try_from(to & ((1 << self.bits) - 1)).unwrap_or(u16::MAX); // at most 16 bits
        here.from[here.len] = from;
        here.len += 1;
        if here.len == GATHERED {
            here.len = 0;
            self.heaps[heap].to.extend_from_slice(&here.to);
            self.heaps[heap].from.extend_from_slice(&here.from);
        }
        self.len += 1;
    }

    /// How many moves.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// All moves, in the order of the ranks they lead to. Their memory is given back on the way.
    pub(super) fn heaps(self) -> impl Iterator<Item = Heap> {
        self.heaps.into_iter().zip(self.gathered).map(|(mut heap, gathered)| {
            heap.to.extend_from_slice(&gathered.to[..gathered.len]);
            heap.from.extend_from_slice(&gathered.from[..gathered.len]);
            heap
        })
    }
}
