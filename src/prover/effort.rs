//! What the proofs of a file may use.

use crate::claims::LOOK;
use crate::prover::periods::heaps::VALUES;
use grundy_automata::Limit;
use std::time::Duration;

/// Limits of all proofs of a file. Without a limit of time the counts alone end the work, and every machine finds the same.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Time for all statements together; each gets a fair part of what is left.
    pub time: Option<Duration>,
    /// The most states of an automaton.
    pub states: usize,
    /// The most tests of bits in the transitions of an automaton.
    pub tests: usize,
    /// The most instances of an infinite range that are searched for a counterexample.
    pub instances: u64,
    /// The most heaps whose values are worked out in search of a period.
    pub heaps: usize,
}

impl Default for Effort {
    fn default() -> Self {
        let Limit { states, tests, .. } = Limit::default();
        Effort { time: None, states, tests, instances: LOOK, heaps: VALUES }
    }
}

/// So much time, and the usual counts.
impl From<Duration> for Effort {
    fn from(time: Duration) -> Self {
        Effort { time: Some(time), ..Effort::default() }
    }
}
