//! Work that is tried again in another form of the rules, or for a while only.

use crate::source::diagnostic::Diagnostic;
use crate::value::fault::{Halt, Run};
use crate::value::limits::Trial;
use crate::vm::machine::Machine;

impl Machine {
    /// Does what a halt asks for so that the work can be tried again; the error when it cannot.
    pub fn recover(&mut self, halt: Halt) -> Result<(), Box<Diagnostic>> {
        match halt {
            Halt::Error(diagnostic) => return Err(diagnostic),
            Halt::Fault(fault) => return Err(Box::new(fault.bare())),
            Halt::Wide => self.wide = true,
            Halt::Unmask => self.unmasked = true,
            Halt::Unpack(game) => {
                self.unpacked.insert(game);
            }
        }
        self.forget();
        Ok(())
    }

    /// Runs `work` until it needs no other form of the rules.
    pub fn with_recovery<T>(&mut self, mut work: impl FnMut(&mut Machine) -> Run<T>) -> Result<T, Box<Diagnostic>> {
        loop {
            self.depth = 0;
            match work(self) {
                Ok(value) => return Ok(value),
                Err(halt) => self.recover(halt)?,
            }
        }
    }

    /// So many moves end a [`Machine::trial`] too.
    #[must_use]
    pub(crate) fn trial_moves(&self) -> u64 {
        self.trial.saturating_mul(crate::vm::machine::TRIAL_MOVES)
    }

    /// Runs `work` under the limits of a trial, where they are narrower than those of the run.
    pub fn within_trial<T>(&mut self, trial: Trial, work: impl FnOnce(&mut Machine) -> Run<T>) -> Run<T> {
        /// So many components may be met for each position that may be searched.
        const MET: u64 = 4;
        let whole = self.limits.clone();
        let base = self.bytes();
        self.limits.positions = Some(whole.positions.map_or(trial.positions, |p| p.min(trial.positions)));
        self.limits.memory = whole.memory.min(base + trial.bytes);
        let steps = self.limits_fuel.saturating_add(trial.steps);
        self.limits.steps = Some(whole.steps.map_or(steps, |s| s.min(steps)));
        let met = usize::try_from(trial.positions.saturating_mul(MET)).unwrap_or(usize::MAX);
        let met = self.keys.len().saturating_add(met);
        self.limits.components = Some(whole.components.map_or(met, |c| c.min(met)));
        let result = work(self);
        self.limits = whole;
        result
    }

    /// Whether the user's own limits of time are reached, or he wants the work to end.
    pub fn limits_reached(&self) -> bool {
        self.limits.check_clock().is_err()
    }
}
