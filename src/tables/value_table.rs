//! Values of many states, however they are kept.

use crate::tables::cell::{Cell, Kind};
use crate::tables::dense::Dense;
use crate::tables::hashed::Hashed;

/// See the module.
#[derive(Debug)]
pub enum Table {
    /// Every state of a box.
    Dense(Dense),
    /// The states that were met.
    Hashed(Hashed),
}

impl Table {
    /// Value and remoteness of a state that is known.
    #[must_use]
    pub fn read(&self, words: &[i64]) -> Option<(u64, u64)> {
        match self {
            Table::Dense(dense) => dense.read(words),
            Table::Hashed(hashed) => hashed.read(words),
        }
    }

    /// What is known of each.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.cell().kind
    }

    /// How it is kept.
    #[must_use]
    pub fn cell(&self) -> Cell {
        match self {
            Table::Dense(dense) => dense.cell(),
            Table::Hashed(hashed) => hashed.cell(),
        }
    }

    /// How many states were worked out.
    #[must_use]
    pub fn positions(&self) -> u64 {
        match self {
            Table::Dense(dense) => dense.positions(),
            Table::Hashed(hashed) => hashed.positions(),
        }
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Table::Dense(dense) => dense.bytes(),
            Table::Hashed(hashed) => hashed.bytes(),
        }
    }
}
