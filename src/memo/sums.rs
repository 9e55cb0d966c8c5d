//! What is kept of positions that are sums: their components under small numbers, and a table of decided positions.
//!
//! A position is the ascending list of the numbers of its components. Components that have no moves are dropped: a sum has
//! the same moves with and without them, so in either convention it has the same outcome and remoteness. Nothing else is
//! dropped: outside normal play a component of Grundy value 0, or two equal ones, do count.

pub use crate::memo::sum_table::{Coded, Table, coded};

use crate::bytecode::InstanceId;
use crate::syntax::tree::Outcome;
use hashbrown::HashSet;

/// The components that were looked at, and the sums of them that were decided.
#[derive(Debug, Default)]
pub struct Sums {
    /// The components.
    pub parts: Parts,
    /// Decided positions: where who cannot move loses, and where he wins.
    pub tables: [Table; 2],
    /// Instances of which a play came back to a position.
    pub cyclic: HashSet<InstanceId>,
}

impl Sums {
    /// Bytes held in a moment, roughly: tables that are about to grow take two sizes at once.
    #[must_use]
    pub fn bytes_soon(&self) -> usize {
        self.parts.bytes() + self.tables.iter().map(Table::bytes_soon).sum::<usize>()
    }

    /// Bytes held, roughly.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.parts.bytes() + self.tables.iter().map(Table::bytes).sum::<usize>()
    }
}

/// An option: a header, then so many components. Set in the header when the mover has the next turn.
pub const AGAIN: u32 = 1 << 31;
/// Set in the header of an option that ends the play: the mover wins, loses, draws with 0, 1, 2; no components follow.
pub const STOP: u32 = 1 << 30;
/// The part of the header that counts components.
pub const LENGTH: u32 = STOP - 1;

/// What a component is to the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It has moves, and this number, from 1 on.
    Live(u32),
    /// It has no moves and says nothing more.
    Idle,
    /// The whole play is over: so for the player to move.
    Ended(Outcome),
}

/// The least number that is not one of a live component.
pub(crate) const MARKS: u32 = u32::MAX - 4;
pub(crate) const IDLE: u32 = u32::MAX;

pub(crate) fn mark(outcome: Outcome) -> u32 {
    MARKS
        + match outcome {
            Outcome::First => 0,
            Outcome::Second => 1,
            Outcome::Draw => 2,
        }
}

#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) component: u32,
    /// Options with components as the store numbers them, in the order of the rules; empty when linked.
    pub(crate) raw: Box<[u32]>,
    /// Options with numbers of this table: `words[start..end]`.
    pub(crate) options: Option<(usize, usize)>,
}

/// Components under small numbers, each with its options, worked out once and only when they are wanted.
#[derive(Debug, Default)]
pub struct Parts {
    /// By component: 0 when it was not seen.
    numbers: Vec<u32>,
    /// Part `n - 1` has number `n`.
    pub(crate) live: Vec<Part>,
    pub(crate) words: Vec<u32>,
    /// Words in all raw options.
    pub(crate) raw: usize,
}

impl Parts {
    /// What is known of a component.
    #[must_use]
    pub fn seen(&self, component: u32) -> Option<Seen> {
        match *self.numbers.get(component as usize)? {
            0 => None,
            IDLE => Some(Seen::Idle),
            number if number < MARKS => Some(Seen::Live(number)),
            number => Some(Seen::Ended(match number - MARKS {
                0 => Outcome::First,
                1 => Outcome::Second,
                _ => Outcome::Draw,
            })),
        }
    }

    pub(crate) fn put(&mut self, component: u32, number: u32) {
        let at = component as usize;
        if self.numbers.len() <= at {
            self.numbers.resize(at + 1, 0);
        }
        self.numbers[at] = number;
    }

    /// The component of a number.
    #[must_use]
    pub fn component(&self, number: u32) -> u32 {
        self.live[number as usize - 1].component
    }

    /// The header and the numbers of each option.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Bytes held, roughly.
    #[must_use]
    pub fn bytes(&self) -> usize {
        (self.numbers.capacity() + self.raw + self.words.capacity()) * 4 + self.live.capacity() * 48
    }
}
