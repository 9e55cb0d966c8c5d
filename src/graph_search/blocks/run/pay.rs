//! Whether it pays that several processes go through the layers together.

/// The words that all processes told, layer by layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pay {
    layers: u64,
    words: u64,
    /// Sixteen times the mean of the last layers: each counts 15/16 of the next.
    recent: u64,
}

/// Two processes are as fast as one on the clock where so many words are told in a layer: a strip of 13,000 positions at each move.
/// With 4,200 words they took 23 times as long as one, with 20,000 twice, with 48,000 nine tenths.
const EVEN: u64 = 1 << 15;

/// From so many words on two processes are 1.6 times as fast as one by the processor time of the busier: with 38,000 words they
/// were 1.4 times as fast, with 48,000 1.5, with 62,000 twice.
const PAYS: u64 = 3 << 14;

/// So many words may be lost in any case: some hundred layers of nothing.
const LEAST: u64 = 1 << 23;

/// The start and the end of processes take as long as these.
const SHORT: u64 = 1 << 24;

/// So many words show how layers are.
const SAMPLE: u64 = 1 << 20;

impl Pay {
    pub(super) fn new() -> Pay {
        Pay { layers: 0, words: 0, recent: 16 * PAYS }
    }

    pub(super) fn add(&mut self, told: u64) {
        self.layers += 1;
        self.words = self.words.saturating_add(told);
        self.recent = (self.recent - self.recent / 16).saturating_add(told);
    }

    /// Whether one process would be done sooner that begins anew now. `moves`: as many as the box has; each is told at most once,
    /// in a word or more.
    pub(super) fn is_better_alone(&self, moves: u64) -> bool {
        let is_slow = (self.layers * EVEN).saturating_sub(self.words) > self.words.max(LEAST);
        let is_early = ((moves / 16).max(SAMPLE)..=moves / 4).contains(&self.words);
        is_slow || (is_early && self.recent < 16 * PAYS)
    }

    /// How many layers there were, if they were so thin, or the whole so short, that several processes gained little.
    pub(super) fn slow_layers(&self) -> Option<u64> {
        (self.words > 0 && self.words < (self.layers * PAYS).max(SHORT)).then_some(self.layers)
    }
}
