//! The inner loop with a byte for each place in place of bits: one store a split, however many words the sets have.
//!
//! A flagged place is marked above the others, so that one pass finds what is of common type and what is of rare type.

use crate::instructions::{Instructions, compiled};
use crate::sparse::ahead::Found;
use crate::sparse::packing::FLAG;
use crate::sparse::shifts::{BLOCK, Entry};

/// Room for all places, flagged or not.
const PLACES: usize = 2 * FLAG as usize;
/// A little more, so that the tables of a block do not share their places in the cache.
const ROOM: usize = PLACES + 192;

/// A table for each heap of a block; nothing is marked between two uses.
#[derive(Clone, Debug)]
pub(super) struct Marks(Vec<u8>);

impl Marks {
    /// Nothing marked. Memory is taken when it is marked for the first time.
    pub(super) fn new() -> Marks {
        Marks(vec![0; BLOCK * ROOM])
    }

    /// See [`mark_places`].
    pub(super) fn mark(&mut self, set: Instructions, packed: &[u16], total: usize, entries: &[Entry], turn: u16) {
        // There is a table for each heap.
        if let Some(tables) = self.0.as_chunks_mut().0.first_chunk_mut() {
            mark_places(set, packed, total, entries, turn, tables);
        }
    }

    /// See [`collect`].
    pub(super) fn collect<const W: usize>(&mut self, set: Instructions, found: &mut Found<W>) {
        collect(set, self.0.as_chunks_mut().0, found);
    }
}

compiled! {
    /// Marks the places of the splits of `total`, `total + 1`, ... into one of the heaps and the rest, turned by `turn`. Every
    /// rest must be there.
    fn mark_places(packed: &[u16], total: usize, entries: &[Entry], turn: u16, tables: &mut [[u8; ROOM]; BLOCK]) {
        for &(heap, place) in entries {
            let rests = &packed[total - heap as usize..][..BLOCK];
            let turn = place ^ turn;
            for (table, rest) in tables.iter_mut().zip(rests) {
                table[usize::from(rest ^ turn) & (PLACES - 1)] = 1;
            }
        }
    }
}

compiled! {
    /// Puts the marks in sets, those of common type and those of rare type, and takes them away.
    fn collect<const W: usize>(tables: &mut [[u8; ROOM]], found: &mut Found<W>) {
        for (kind, rows) in found.iter_mut().enumerate() {
            for (lane, table) in tables.iter_mut().enumerate() {
                let table = &mut table[kind * usize::from(FLAG)..][..usize::from(FLAG)];
                for (row, marks) in rows.iter_mut().zip(table.as_chunks_mut::<64>().0) {
                    let mut word = 0;
                    for (byte, marks) in marks.as_chunks::<8>().0.iter().enumerate() {
                        // The lowest bits of eight bytes side by side in the highest byte.
                        let bits = u64::from_le_bytes(*marks).wrapping_mul(0x0102_0408_1020_4080) >> 56;
                        word |= bits << (8 * byte);
                    }
                    row[lane] |= word;
                }
                // Values of two parts may be up to the next power of two.
                table[..64 * W.next_power_of_two()].fill(0);
            }
        }
    }
}
