//! How large automata may become, and how long the work may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// Why a formula was not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// An automaton would have more states than this.
    States(usize),
    /// The transitions of an automaton would take more tests of bits than this.
    Tests(usize),
    /// The time is over.
    Time,
    /// The user wants the work to end.
    Interrupted,
    /// Another program did not do its work: why.
    Failed(String),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::States(most) => write!(f, "an automaton would have more than {most} states"),
            Reason::Tests(most) => write!(f, "the transitions of an automaton would take more than {most} tests"),
            Reason::Time => write!(f, "the time is over"),
            Reason::Interrupted => write!(f, "it was interrupted"),
            Reason::Failed(why) => write!(f, "{why}"),
        }
    }
}

/// See the module. Clones count together.
#[derive(Clone, Debug)]
pub struct Limit {
    /// The most states of an automaton.
    pub states: usize,
    /// The most tests of bits in the transitions of an automaton.
    pub tests: usize,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Set when the user wants the work to end.
    pub interrupted: Arc<AtomicBool>,
    /// The most states that an automaton had so far, before it was made minimal.
    pub largest: Arc<AtomicUsize>,
}

impl Default for Limit {
    fn default() -> Self {
        let (interrupted, largest) = Default::default();
        Limit { states: 200_000, tests: 4_000_000, deadline: None, interrupted, largest }
    }
}

impl Limit {
    pub(super) fn check(&self, states: usize, tests: usize) -> Result<(), Reason> {
        self.largest.fetch_max(states, Ordering::Relaxed);
        if states > self.states {
            return Err(Reason::States(self.states));
        }
        if tests > self.tests {
            return Err(Reason::Tests(self.tests));
        }
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(Reason::Interrupted);
        }
        if (states == 0 || states.is_multiple_of(64)) && self.deadline.is_some_and(|at| Instant::now() >= at) {
            return Err(Reason::Time);
        }
        Ok(())
    }
}
