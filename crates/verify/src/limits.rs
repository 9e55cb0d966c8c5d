//! How large tables may become, and how long the work may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Why a sentence was not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The tables would have more entries than this.
    Entries(usize),
    /// An automaton would have so many variables.
    Variables(usize),
    /// The time is over.
    Time,
    /// The user wants the work to end.
    Interrupted,
    /// A number in a sentence is too large for this procedure.
    Number,
    /// A sentence speaks of digits in base 2, and numbers are written in another base.
    Digits,
}

/// How much work is allowed.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most entries of a table, four bytes each.
    pub entries: usize,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Set when the user wants the work to end.
    pub interrupted: Arc<AtomicBool>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { entries: 1 << 26, deadline: None, interrupted: Arc::default() }
    }
}

impl Limits {
    /// Whether the work may go on with tables of so many entries.
    pub(super) fn check(&self, entries: usize) -> Result<(), Halt> {
        if entries > self.entries {
            return Err(Halt::Entries(self.entries));
        }
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(Halt::Interrupted);
        }
        if self.deadline.is_some_and(|at| Instant::now() >= at) {
            return Err(Halt::Time);
        }
        Ok(())
    }
}
