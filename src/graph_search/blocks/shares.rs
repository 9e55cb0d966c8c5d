//! How memory is shared out between blocks and bunches.

use crate::graph_search::blocks::shape::Shape;
use crate::value::width;

/// See the module.
pub(super) struct Shares {
    pub(super) group_bits: u32,
    /// Words of a page.
    pub(super) page: usize,
    /// Pages of each step.
    pub(super) pages: usize,
    /// Bytes of blocks.
    pub(super) blocks: usize,
}

impl Shares {
    const PAGE: usize = 1 << 12;

    /// Without a folder: all there is.
    pub(super) fn all(bits: u32) -> Shares {
        let page = Shares::PAGE.min(16usize.max(1 << bits));
        Shares { group_bits: 0, page, pages: usize::MAX, blocks: usize::MAX }
    }

    /// Where only states that are met have places: with so many groups. `memory`: with a folder, as much as there is.
    pub(super) fn spread(memory: Option<usize>, bits: u32, groups: u64, group_bits: u32) -> Shares {
        let Some(memory) = memory else { return Shares { group_bits, ..Shares::all(bits) } };
        let (step, least) = (memory / 8, Shares::PAGE / 16);
        let room = step / width::index(groups).saturating_mul(4).max(1) / 2;
        let page = if bits < 12 { 16.max(1 << bits) } else { room.clamp(least, Shares::PAGE) / 4 * 4 };
        Shares { group_bits, page, pages: step / (page * 2), blocks: memory - memory / 4 - memory / 32 }
    }

    /// A quarter for bunches, and something for what is decided. A group is not more than one block until pages are small.
    pub(super) fn of(memory: usize, volume: u64, bits: u32, group_bits: Option<u32>) -> Shares {
        let least = Shares::PAGE / 8;
        let step = memory / 8;
        let groups = |group_bits: u32| {
            let shape = Shape { volume, bits, group_bits, part: (0, 1), spread: None };
            width::index(shape.groups())
        };
        let group_bits = group_bits.unwrap_or_else(|| {
            let block = (1usize << bits).saturating_mul(10);
            let fits = |group_bits: u32| block << (group_bits + 1) <= memory / 2;
            let wanted = (0..12).find(|&group_bits| groups(group_bits).saturating_mul(least * 4) <= step);
            let mut group_bits = wanted.unwrap_or(12);
            while group_bits > 0 && !fits(group_bits) {
                group_bits -= 1;
            }
            group_bits
        });
        let room = step / groups(group_bits).saturating_mul(4).max(1) / 2;
        let page = if bits < 12 { 16.max(1 << bits) } else { (room + 1).next_power_of_two() / 2 };
        let page = if bits < 12 { page } else { page.clamp(least, Shares::PAGE) };
        Shares { group_bits, page, pages: step / (page * 2), blocks: memory - memory / 4 - memory / 32 }
    }
}
