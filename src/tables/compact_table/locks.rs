//! Locks for pieces of a table, for what takes more than one step.

use crate::tables::compact_table::fetch::{WRITE, fetch};
use parking_lot::{Mutex, MutexGuard};

/// Lines that one lock is for.
const LINES: usize = 64;

/// See the module. Without any lock, only one thread may change the table.
#[derive(Debug, Default)]
pub(super) struct Locks {
    locks: Box<[Mutex<()>]>,
}

impl Locks {
    /// For so many lines.
    pub(super) fn new(lines: usize) -> Locks {
        Locks { locks: (0..=lines / LINES).map(|_| Mutex::new(())).collect() }
    }

    /// Whether there are locks.
    pub(super) fn any(&self) -> bool {
        !self.locks.is_empty()
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.locks)
    }

    /// Asks for the memory of the lock of a line, which will be needed.
    #[inline]
    pub(super) fn fetch(&self, line: usize) {
        fetch::<WRITE, _>(&self.locks, line / LINES);
    }

    /// Waits for the lock of a line, if there are any.
    #[inline]
    pub(super) fn hold(&self, line: usize) -> Option<MutexGuard<'_, ()>> {
        self.locks.get(line / LINES).map(Mutex::lock)
    }
}
