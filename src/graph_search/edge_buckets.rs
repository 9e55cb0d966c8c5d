//! Moves put aside by where they lead, so that they can be turned round without leaps through memory.
//!
//! The idea is that of a radix sort: moves to a narrow range of states make a heap, and each heap is then small enough for
//! the cache while its moves are counted and put in their rows.

/// Moves of one heap that are stored together.
const BLOCK: usize = 64;

/// The last moves of a heap.
#[derive(Clone)]
struct Last {
    len: usize,
    to: [u16; BLOCK],
    from: [u32; BLOCK],
    /// Where its full blocks are.
    blocks: Vec<u32>,
}

/// Moves by where they lead.
#[derive(Default)]
pub(crate) struct EdgeBuckets {
    /// For each heap what is not in blocks.
    heaps: Vec<Last>,
    /// Blocks of all heaps: the low bits of the ranks that moves lead to.
    to: Vec<u16>,
    /// What was said of where they come from.
    from: Vec<u32>,
    /// Ranks that differ in these low bits only have one heap.
    bits: u32,
}

/// The moves of a heap.
#[derive(Default)]
pub(crate) struct Bucket {
    /// By how much the rank is greater that each move leads to than the least of these ranks.
    pub(crate) to: Vec<u16>,
    /// What was said of where it comes from.
    pub(crate) from: Vec<u32>,
}

impl EdgeBuckets {
    /// Bytes a move.
    pub(crate) const MOVE: u64 = 6;
    /// Bytes however few moves there are, in boxes of up to `2^22` states.
    pub(crate) const LEAST: u64 = 1 << 16;

    /// For moves to ranks below this. Heaps are as narrow as a hundred of them allow, and not wider than 16 bits.
    pub(crate) fn new(volume: u64) -> EdgeBuckets {
        let bits = volume.max(1).ilog2().saturating_sub(6).clamp(10, 16);
        let heaps = usize::try_from((volume >> bits) + 1).unwrap_or(usize::MAX);
        let none = Last { len: 0, to: [0; BLOCK], from: [0; BLOCK], blocks: Vec::new() };
        EdgeBuckets { heaps: vec![none; heaps], to: Vec::new(), from: Vec::new(), bits }
    }

    /// Puts a move aside.
    #[inline]
    pub(crate) fn add(&mut self, to: u64, from: u32) {
        let heap = &mut self.heaps[usize::try_from(to >> self.bits).unwrap_or(usize::MAX)];
        heap.to[heap.len] = u16::try_from(to & ((1 << self.bits) - 1)).unwrap_or(u16::MAX); // at most 16 bits
        heap.from[heap.len] = from;
        heap.len += 1;
        if heap.len == BLOCK {
            heap.len = 0;
            heap.blocks.push(u32::try_from(self.to.len() / BLOCK).unwrap_or(u32::MAX)); // `2^38` moves
            self.to.extend_from_slice(&heap.to);
            self.from.extend_from_slice(&heap.from);
        }
    }

    /// How many moves.
    pub(crate) fn len(&self) -> usize {
        self.to.len() + self.heaps.iter().map(|heap| heap.len).sum::<usize>()
    }

    /// How many heaps.
    pub(crate) fn heaps(&self) -> usize {
        self.heaps.len()
    }

    /// Reads a heap; the least rank that its moves may lead to. Heaps are in the order of ranks.
    pub(crate) fn read(&self, index: usize, heap: &mut Bucket) -> u64 {
        let last = &self.heaps[index];
        heap.to.clear();
        heap.from.clear();
        for &block in &last.blocks {
            let at = block as usize * BLOCK;
            heap.to.extend_from_slice(&self.to[at..at + BLOCK]);
            heap.from.extend_from_slice(&self.from[at..at + BLOCK]);
        }
        heap.to.extend_from_slice(&last.to[..last.len]);
        heap.from.extend_from_slice(&last.from[..last.len]);
        (index as u64) << self.bits
    }
}

#[cfg(test)]
mod tests {
    use crate::graph_search::edge_buckets::{Bucket, EdgeBuckets};

    #[test]
    fn moves_come_back_heap_by_heap() {
        for (volume, step) in [(1, 1), (1000, 7), (1 << 20, 1_000_003), (70 << 16, 12_345_677)] {
            let mut buckets = EdgeBuckets::new(volume);
            let mut all: Vec<(u64, u32)> = (0..50_000).map(|i: u32| (u64::from(i) * step % volume, i)).collect();
            for &(to, from) in &all {
                buckets.add(to, from);
            }
            assert_eq!(buckets.len(), all.len());
            let (mut heap, mut read, mut least) = (Bucket::default(), Vec::new(), 0);
            for index in 0..buckets.heaps() {
                let rank = buckets.read(index, &mut heap);
                assert!(heap.to.iter().all(|&to| rank + u64::from(to) >= least));
                read.extend(heap.to.iter().map(|&to| rank + u64::from(to)).zip(heap.from.iter().copied()));
                least = read.iter().map(|(to, _)| to + 1).max().unwrap_or(0).max(rank);
            }
            all.sort_unstable();
            read.sort_unstable();
            assert!(read == all, "{volume}");
        }
    }
}
