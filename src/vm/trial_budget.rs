//! What may be tried beside theorems, where one machine is asked about many cases one after the other: as much as for a single
//! question at first, and then little for each case, so that a file of cases does not take a short search for each. What is
//! tried is counted and not timed, so that answers are the same on every machine.

use crate::tuning;
use crate::vm::context::Context;

/// What is left to be tried.
#[derive(Clone, Copy, Debug, Default)]
pub enum TrialBudget {
    /// There is one question only: everything.
    #[default]
    Single,
    /// So many words looked at.
    Left(i64),
    /// A theorem of the file was seen to be wrong: everything, however long it takes.
    Distrust,
}

impl Context {
    /// Another case comes: from the first one on trials are on credit.
    pub fn next_case(&mut self) {
        self.run.trial_budget = match self.run.trial_budget {
            TrialBudget::Single => TrialBudget::Left(tuning::CREDIT),
            TrialBudget::Left(left) => TrialBudget::Left(tuning::CREDIT.min(left.saturating_add(tuning::CREDIT_CASE))),
            TrialBudget::Distrust => TrialBudget::Distrust,
        };
    }

    /// Tries something, if there is credit left for it; what it takes is charged.
    pub(crate) fn within_budget<T>(&mut self, work: impl FnOnce(&mut Context) -> T) -> Option<T> {
        if matches!(self.run.trial_budget, TrialBudget::Left(..0)) {
            return None;
        }
        let (steps, components) = (self.run.fuel, self.store.len());
        let done = work(self);
        // Components may have been forgotten on the way.
        let met = i64::try_from(self.store.len().saturating_sub(components)).unwrap_or(i64::MAX);
        let steps = i64::try_from(self.run.fuel.wrapping_sub(steps)).unwrap_or(i64::MAX);
        let words = steps.saturating_mul(tuning::COST_STEP).saturating_add(met.saturating_mul(tuning::COST_COMPONENT));
        self.charge(words.saturating_add(tuning::COST_TRIAL));
        Some(done)
    }

    /// Takes so many words off.
    pub(crate) fn charge(&mut self, words: i64) {
        if let TrialBudget::Left(left) = &mut self.run.trial_budget {
            *left = left.saturating_sub(words);
        }
    }
}
