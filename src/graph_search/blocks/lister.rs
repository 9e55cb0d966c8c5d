//! Which moves each state of a box has, found by native code: words with a bit for each.
//!
//! A move changes the rank of a state: sets by an exclusive or, other fields by a sum. Such a change is a word; what ends a play
//! and what cannot be worked out are words of their own. A change is one to one, so that a move is taken back by undoing
//! it, and a state before is real when it has the bit: exact by what was seen, with no proof about the rules. Several
//! threads share the list of the words that were met.

use crate::tables::expand::{ChangeTable, Changes, PLACES};
use crate::value::refusal::Refusal;
use crate::value::width;
use parking_lot::Mutex;
use std::sync::Arc;

/// What was seen of the states with a certain bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    /// Bits of ranks that are 1 in some of them.
    pub(super) ones: u64,
    /// Bits of ranks that are 0 in some of them.
    pub(super) zeros: u64,
    pub(super) count: u64,
}

impl Seen {
    pub(super) fn join(&mut self, other: &Seen) {
        self.ones |= other.ones;
        self.zeros |= other.zeros;
        self.count += other.count;
    }
}

/// No word of the others.
const FREE: u64 = 1 << 63;

/// So many different words, at most.
pub(super) const MOST: usize = 64;

/// Finds which words each state of a box has: its options by native code, each as a change of the rank.
#[derive(Clone)]
pub(super) struct Lister {
    changes: Arc<Changes>,
    /// The words by bit: the first of those that the listers of a box have met together.
    pub(super) words: Vec<u64>,
    met: Arc<Mutex<Vec<u64>>>,
    table: ChangeTable,
}

impl Lister {
    pub(super) fn new(changes: Changes) -> Lister {
        let table = ChangeTable { slots: Box::new([[FREE, 0]; 1 << PLACES]), factor: 1 };
        Lister { changes: Arc::new(changes), words: Vec::new(), met: Arc::default(), table }
    }

    /// Gives these words, the first that were met, the bits of their places.
    pub(super) fn know(&mut self, known: &[u64]) -> Result<(), Refusal> {
        let Lister { words, met, table, .. } = self;
        known.iter().try_for_each(|&word| add(words, &mut met.lock(), table, word))
    }

    /// The bits of the states of these ranks, all in the box.
    pub(super) fn list(&mut self, ranks: &[u64], out: &mut [u64]) -> Result<(), Refusal> {
        let Lister { changes, words, met, table, .. } = self;
        changes.list(ranks, table, out, |table, word| add(words, &mut met.lock(), table, word))
    }
}

/// Gives a word a bit, and finds a factor that sends all words to different places.
#[cold]
fn add(words: &mut Vec<u64>, met: &mut Vec<u64>, table: &mut ChangeTable, word: u64) -> Result<(), Refusal> {
    if !met.contains(&word) {
        if met.len() == MOST {
            return Err(Refusal::UnlikeMoves);
        }
        met.push(word);
    }
    words.clone_from(met);
    // Odd factors from a Weyl sequence; some tens of tries do for 64 words.
    for _ in 0..1_000_000 {
        table.slots.fill([FREE, 0]);
        let free = (0u32..).zip(&*words).all(|(bit, &word)| {
            let place = width::index(word.wrapping_mul(table.factor) >> (64 - PLACES));
            std::mem::replace(&mut table.slots[place], [word, 1 << bit])[0] == FREE
        });
        if free {
            return Ok(());
        }
        table.factor = table.factor.wrapping_add(0x9e37_79b9_7f4a_7c16) | 1;
    }
    Err(Refusal::UnlikeMoves)
}
