//! A second thread that works ahead.
//!
//! Totals are cut into chunks. While one thread goes through the heaps of a chunk, the other puts together what rare heaps
//! from [`FAR`] on and the common heaps that are tried, which are as far, give for the totals of the next chunk: what lies
//! opposite them was known before the chunk began. Rare heaps below [`FAR`], and those that came too late, stay for the first.

use crate::instructions::Instructions;
use crate::sparse::marks::Marks;
use crate::sparse::packing::FLAG;
use crate::sparse::shifts::{BLOCK, Entry, Rows, by_bits, put};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope};

/// How many totals belong to a chunk, a multiple of [`BLOCK`].
const CHUNK: usize = 1024;
/// Opposite heaps from this one on lies nothing of a chunk and the one before.
pub(super) const FAR: usize = 2 * CHUNK;
/// Fewer heaps than these are not worth a thread.
pub(super) const WORTH: usize = 32 * CHUNK;

/// For a block of totals: what is of common type, and what is of rare type.
pub(super) type Found<const W: usize> = [Rows<W>; 2];

/// A chunk to work on, and the heaps that were added since the last one.
struct Job {
    start: usize,
    more: Vec<u16>,
}

/// What was found for the blocks of a chunk, by the heaps below `known`.
struct Chunk<const W: usize> {
    start: usize,
    known: usize,
    blocks: Vec<Found<W>>,
}

/// The other thread, as the first one sees it.
pub(super) struct Helper<const W: usize> {
    jobs: Sender<Job>,
    done: Receiver<Chunk<W>>,
    /// How many heaps it knows.
    sent: usize,
    /// The chunk in work, if the other thread has done it, and where the next one begins.
    chunk: Option<Chunk<W>>,
    next: Option<usize>,
}

impl<const W: usize> Helper<W> {
    /// Starts the thread; `None` if there can be none. It ends with the helper.
    pub(super) fn start<'s>(scope: &'s Scope<'s, '_>, set: Instructions, tried: &[Entry]) -> Option<Helper<W>> {
        let (jobs, orders) = channel();
        let (results, done) = channel();
        let tried = tried.to_vec();
        Builder::new().spawn_scoped(scope, move || work(set, &tried, &orders, &results)).ok()?;
        Some(Helper { jobs, done, sent: 0, chunk: None, next: None })
    }

    /// What the rare heaps from [`FAR`] on give for the totals of the block from `total` on, if it is known, and below which
    /// heap; and what the common heaps give that are tried. To be asked for block after block.
    pub(super) fn found(&mut self, packed: &[u16], total: usize) -> Option<(usize, &Found<W>)> {
        if self.next.is_none_or(|next| next == total) {
            let first = self.next.is_none();
            let job = Job { start: total + CHUNK, more: packed[self.sent..].to_vec() };
            self.sent = packed.len();
            self.next = Some(total + CHUNK);
            // Without the other thread the first one does all.
            let sent = self.jobs.send(job).is_ok();
            self.chunk = if sent && !first { self.done.recv().ok() } else { None };
        }
        let chunk = self.chunk.as_ref()?;
        let block = total.checked_sub(chunk.start)? / BLOCK;
        chunk.blocks.get(block).map(|found| (chunk.known, found))
    }
}

/// What the other thread does until no more jobs come.
fn work<const W: usize>(set: Instructions, tried: &[Entry], orders: &Receiver<Job>, results: &Sender<Chunk<W>>) {
    let (mut packed, mut rare, mut marks) = (Vec::new(), Vec::new(), Marks::new());
    for Job { start, more } in orders {
        let first = packed.len();
        packed.extend(more);
        for (heap, packed) in packed.iter().enumerate().skip(first.max(1)).filter(|(_, packed)| **packed >= FLAG) {
            // There are fewer than 2^32 heaps.
            rare.push((u32::try_from(heap).unwrap_or(u32::MAX), packed & !FLAG));
        }
        // Heaps that are not below all totals of the chunk have no rest.
        let known = packed.len().min(start);
        let below = |limit: usize| rare.partition_point(|(heap, _)| (*heap as usize) < limit);
        let far = below(FAR)..below(known).max(below(FAR));
        let last = rare.last().map_or(0, |entry| entry.0 as usize);
        let heaps = Heaps { rare: [&rare[far], &[]], last, tried };
        let block = |total: usize| {
            let mut found = [[[0; BLOCK]; W]; 2];
            together(set, &packed, total, &heaps, &mut marks, &mut found);
            found
        };
        let blocks = (start..start + CHUNK).step_by(BLOCK).map(block).collect();
        if results.send(Chunk { start, known, blocks }).is_err() {
            return;
        }
    }
}

/// The heaps whose splits are put together.
pub(super) struct Heaps<'h> {
    /// Rare ones, in ascending pieces, and the last rare heap of all.
    pub(super) rare: [&'h [Entry]; 2],
    pub(super) last: usize,
    /// Common ones.
    pub(super) tried: &'h [Entry],
}

/// Puts in what splits into one of some heaps and the rest give for the block of totals from `total` on.
pub(super) fn together<const W: usize>(
    set: Instructions,
    packed: &[u16],
    total: usize,
    Heaps { rare, last, tried }: &Heaps<'_>,
    marks: &mut Marks,
    found: &mut Found<W>,
) {
    if !by_bits::<W>(set) {
        for rare in rare {
            marks.mark(set, packed, total, rare, 0);
        }
        marks.mark(set, packed, total, tried, FLAG);
        marks.collect(set, found);
        return;
    }
    let [common, rarely] = found;
    for rare in rare {
        put(set, packed, total, rare, 0, common);
        // Only these may have a rare heap opposite them.
        let both = rare.partition_point(|(heap, _)| *heap as usize + last + BLOCK < total);
        put(set, packed, total, &rare[both..], FLAG, rarely);
    }
    put(set, packed, total, tried, 0, rarely);
}
