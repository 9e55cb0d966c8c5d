//! Sets of places of a block that are filled by a step and emptied in order. A few places are found without a look at all.

use grundy_graphs::bits::ones;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Fresh {
    /// A bit for each place.
    words: Vec<u64>,
    /// A bit for each word that is not 0.
    used: Vec<u64>,
    /// A bit for each word of those that is not 0. A block has `2^16` places at most.
    some: u64,
}

impl Fresh {
    /// Room for the places of so many words.
    pub(super) fn new(lanes: usize) -> Fresh {
        Fresh { words: vec![0; lanes], used: vec![0; lanes.div_ceil(64)], some: 0 }
    }

    /// Adds a place, if it has a place here.
    #[inline]
    pub(super) fn add(&mut self, place: usize) {
        let lane = place / 64;
        if let (Some(word), Some(used)) = (self.words.get_mut(lane), self.used.get_mut(lane / 64)) {
            *word |= 1 << (place % 64);
            *used |= 1 << (lane % 64);
            self.some |= 1 << (lane / 64 % 64);
        }
    }

    /// Empties it into a list, in ascending order.
    pub(super) fn drain(&mut self, out: &mut Vec<u16>) {
        out.clear();
        for high in ones(std::mem::take(&mut self.some)) {
            let Some(used) = self.used.get_mut(high as usize) else { break };
            for lane in ones(std::mem::take(used)).map(|low| high << 6 | low) {
                let Some(word) = self.words.get_mut(lane as usize) else { break };
                let places = ones(std::mem::take(word)).map(|bit| u16::try_from(lane << 6 | bit).unwrap_or(0));
                out.extend(places);
            }
        }
    }
}
