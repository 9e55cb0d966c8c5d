//! Games in which any amount may be taken but those of a finite set X.
//!
//! Let x be the largest member of X, A the values of the heaps up to n - x - 1, and h = mex A. All heaps up to n - x - 1 are
//! options of n, so that what follows depends, up to adding h, only on the *state*: the values of A above h, and the values
//! of the last x heaps where they are at least h. A state that comes back makes the sequence arithmetic periodic for ever:
//! state(n) = state(m), n < m, gives `g(j + m - n) = g(j) + (h_m - h_n)` for all j >= n. This is a proof.

use crate::period::{Period, Theorem, beginning};
use crate::{Halt, Watch};
use std::collections::BTreeSet;

/// A state with its heap and its h.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    above: Vec<usize>,
    /// One more than the value less h, 0 for values below h; oldest first.
    last: Vec<usize>,
}

/// The engine. O(x) a heap.
#[derive(Clone, Debug)]
pub struct AllBut {
    amounts: Vec<usize>,
    largest: usize,
    /// The members of A above h.
    above: BTreeSet<usize>,
    base: usize,
    /// How many values are in A.
    inside: usize,
    /// A state that was met, at which heap and with which h; the next one is kept after as many heaps again (Brent).
    kept: Option<(State, usize, usize)>,
    until: usize,
}

impl AllBut {
    /// The engine for ascending amounts that may not be taken.
    pub fn new(amounts: &[usize]) -> AllBut {
        let largest = amounts.last().copied().unwrap_or(0);
        AllBut { amounts: amounts.to_vec(), largest, above: BTreeSet::new(), base: 0, inside: 0, kept: None, until: 0 }
    }

    /// Goes on up to `len` values or until the period is proved, which is returned. Fails when told to stop, or when a
    /// value does not fit.
    pub fn extend(&mut self, values: &mut Vec<u16>, len: usize, watch: Watch<'_>) -> Result<Option<Period>, Halt> {
        let mut work = 0;
        while values.len() < len {
            let heap = values.len();
            while self.inside + self.largest < heap {
                let value = usize::from(values[self.inside]);
                self.inside += 1;
                if value >= self.base {
                    self.above.insert(value);
                }
                while self.above.remove(&self.base) {
                    self.base += 1;
                }
            }
            let recent = &values[heap.saturating_sub(self.largest)..];
            if heap >= self.largest
                && let Some(period) = self.repeated(values, recent)
            {
                return Ok(Some(period));
            }
            let allowed = |taken: &usize| self.amounts.binary_search(taken).is_err();
            let near: BTreeSet<usize> = (1..)
                .zip(recent.iter().rev())
                .filter(|(taken, _)| allowed(taken))
                .map(|(_, v)| usize::from(*v))
                .collect();
            // One of so many values is in neither set.
            let last = self.base + self.above.len() + near.len();
            let value = (self.base..=last).find(|value| !self.above.contains(value) && !near.contains(value));
            values.push(Halt::fit(value.unwrap_or(usize::MAX))?);
            work += self.largest + 16;
            if work > 1 << 18 {
                work = 0;
                watch(values)?;
            }
        }
        Ok(None)
    }

    /// The period, if the state before the next heap is the one that was kept.
    fn repeated(&mut self, values: &[u16], recent: &[u16]) -> Option<Period> {
        let state = State {
            above: self.above.iter().map(|value| value - self.base).collect(),
            last: recent.iter().map(|value| (usize::from(*value) + 1).saturating_sub(self.base)).collect(),
        };
        let heap = values.len();
        match &self.kept {
            Some((kept, from, base)) if *kept == state => {
                let (length, saltus) = (heap - from, self.base - base);
                let (length, saltus) = least(values, *from, length, saltus);
                let start = beginning(values, heap - length, length, saltus);
                Some(Period { start, length, saltus, proof: Some(Theorem::State) })
            }
            _ => {
                if heap >= self.until {
                    self.until = 2 * heap + 1;
                    self.kept = Some((state, heap, self.base));
                }
                None
            }
        }
    }
}

/// The least period that divides a proved one. Over one proved period its steps must agree, round the end too.
fn least(values: &[u16], from: usize, length: usize, saltus: usize) -> (usize, usize) {
    let value = |at: usize| usize::from(values[from + at % length]) + at / length * saltus;
    for divisor in (1..length).filter(|divisor| length.is_multiple_of(*divisor)) {
        if let Some(step) = value(divisor).checked_sub(value(0))
            && (0..length).all(|at| value(at + divisor) == value(at) + step)
        {
            return (divisor, step);
        }
    }
    (length, saltus)
}
