//! Sets of places of a block that are filled by a step and emptied in order. A few places are found without a look at all.

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Fresh {
    /// A bit for each place.
    words: Vec<u64>,
    /// A bit for each word that is not 0.
    used: Vec<u64>,
}

impl Fresh {
    /// Room for the places of so many words.
    pub(super) fn new(lanes: usize) -> Fresh {
        Fresh { words: vec![0; lanes], used: vec![0; lanes.div_ceil(64)] }
    }

    /// Adds a place, if it has a place here.
    #[inline]
    pub(super) fn add(&mut self, place: usize) {
        let lane = place / 64;
        if let (Some(word), Some(used)) = (self.words.get_mut(lane), self.used.get_mut(lane / 64)) {
            *word |= 1 << (place % 64);
            *used |= 1 << (lane % 64);
        }
    }

    /// Empties it into a list, in ascending order.
    pub(super) fn drain(&mut self, out: &mut Vec<u16>) {
        out.clear();
        for (words, used) in self.words.chunks_mut(64).zip((0u16..).step_by(1 << 12)).zip(&mut self.used) {
            let (words, base) = words;
            let mut lanes = std::mem::take(used);
            while lanes != 0 {
                let lane = lanes.trailing_zeros();
                lanes &= lanes - 1;
                let Some(word) = words.get_mut(usize::try_from(lane).unwrap_or(0)) else { break };
                let base = base | u16::try_from(lane << 6).unwrap_or(0);
                let mut left = std::mem::take(word);
                while left != 0 {
                    out.push(base | u16::try_from(left.trailing_zeros()).unwrap_or(0));
                    left &= left - 1;
                }
            }
        }
    }
}
