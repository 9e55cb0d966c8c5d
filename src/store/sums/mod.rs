//! What is kept of positions that are sums: their components under small numbers, and a table of decided positions.
//!
//! A position is the ascending list of the numbers of its components. Components that have no moves are dropped: a sum has
//! the same moves with and without them, so in either convention it has the same outcome and remoteness. Nothing else is
//! dropped: outside normal play a component of Grundy value 0, or two equal ones, do count.

mod parts;
mod table;

pub use crate::store::sums::parts::{AGAIN, LENGTH, Parts, STOP, Seen};
pub use crate::store::sums::table::{Coded, Table, coded};

use crate::vm::ids::InstanceId;
use hashbrown::HashSet;

/// See the module.
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
