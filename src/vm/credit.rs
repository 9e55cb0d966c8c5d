//! What may be tried beside theorems, where one machine is asked about many cases one after the other: as much as for a single
//! question at first, and then little for each case, so that a file of cases does not take a short search for each. What is
//! tried is counted and not timed, so that answers are the same on every machine.

use crate::vm::context::Context;

/// What is left to be tried.
#[derive(Clone, Copy, Debug, Default)]
pub enum Credit {
    /// There is one question only: everything.
    #[default]
    Single,
    /// So many words looked at.
    Left(i64),
    /// A theorem of the file was seen to be wrong: everything, however long it takes.
    Distrust,
}

/// At first: some second.
const FIRST: i64 = 1 << 26;

/// Added with each case: some microseconds.
const CASE: i64 = 1 << 8;

/// What any trial costs.
const TRIAL: i64 = 1 << 9;

/// What a component costs that a trial meets first.
const COMPONENT: i64 = 1 << 5;

/// What a step of a loop in the rules costs: it mostly looks for a component, which may be far from the nearest cache.
const STEP: i64 = 1 << 4;

impl Context {
    /// Another case comes: from the first one on trials are on credit.
    pub fn next_case(&mut self) {
        self.run.credit = match self.run.credit {
            Credit::Single => Credit::Left(FIRST),
            Credit::Left(left) => Credit::Left(FIRST.min(left.saturating_add(CASE))),
            Credit::Distrust => Credit::Distrust,
        };
    }

    /// How many of the next cases are not tried, of which it is known whether a trial would be `hopeless`: up to the first that
    /// is tried. They count as having come.
    pub(crate) fn cases_not_tried(&mut self, hopeless: &[bool]) -> usize {
        for (i, hopeless) in hopeless.iter().enumerate() {
            let before = self.run.credit;
            self.next_case();
            if !hopeless && !matches!(self.run.credit, Credit::Left(..0)) {
                self.run.credit = before;
                return i;
            }
        }
        hopeless.len()
    }

    /// Tries something, if there is credit left for it; what it takes is charged.
    pub(crate) fn on_credit<T>(&mut self, work: impl FnOnce(&mut Context) -> T) -> Option<T> {
        if matches!(self.run.credit, Credit::Left(..0)) {
            return None;
        }
        let (steps, components) = (self.run.fuel, self.store.keys.len());
        let done = work(self);
        // Components may have been forgotten on the way.
        let met = i64::try_from(self.store.keys.len().saturating_sub(components)).unwrap_or(i64::MAX);
        let steps = i64::try_from(self.run.fuel.wrapping_sub(steps)).unwrap_or(i64::MAX);
        let words = steps.saturating_mul(STEP).saturating_add(met.saturating_mul(COMPONENT));
        self.charge(words.saturating_add(TRIAL));
        Some(done)
    }

    /// Takes so many words off.
    pub(crate) fn charge(&mut self, words: i64) {
        if let Credit::Left(left) = &mut self.run.credit {
            *left = left.saturating_sub(words);
        }
    }
}
