//! Work that is run again in another form of the rules, or under narrower limits for a while.
//!
//! Code on words is fast since it assumes that ints, sets and states fit. What does not fit neither wraps nor slows
//! down the usual case: it halts the run. The context then forgets all code, chooses the wider form, and the work runs
//! again from its beginning. It must therefore be repeatable: positions are made inside it. The limits of a trial count
//! positions, bytes and steps and not seconds, so that answers are the same on every machine.

use crate::source::diagnostic::Diagnostic;
use crate::tuning;
use crate::tuning::Trial;
use crate::value::fault::{Deopt, Halt, Run};
use crate::value::limits::Limits;
use crate::vm::context::{Context, EngineOptions};

impl Context {
    /// Does what a halt asks for so that the work can be tried again; the error when it cannot.
    pub fn recover(&mut self, halt: Halt) -> Result<(), Box<Diagnostic>> {
        match halt {
            Halt::Error(diagnostic) => return Err(diagnostic),
            Halt::Fault(fault) => return Err(Box::new(fault.bare())),
            Halt::Deopt(Deopt::IntOverflow) => self.code.wide = true,
            Halt::Deopt(Deopt::SetOverflow) => self.code.unmasked = true,
            Halt::Deopt(Deopt::StateOverflow(game)) => {
                self.code.unpacked.insert(game);
            }
        }
        self.forget();
        Ok(())
    }

    /// Runs `work` until it needs no other form of the rules.
    pub fn with_recovery<T>(&mut self, mut work: impl FnMut(&mut Context) -> Run<T>) -> Result<T, Box<Diagnostic>> {
        loop {
            self.globals.depth = 0;
            match work(self) {
                Ok(value) => return Ok(value),
                Err(halt) => self.recover(halt)?,
            }
        }
    }

    /// So many moves end a [`crate::vm::context::EngineOptions::trial`] too.
    #[must_use]
    pub(crate) fn trial_moves(&self) -> u64 {
        self.options.trial.saturating_mul(tuning::FIRST_MOVES)
    }

    /// Runs `work` under other limits. Those that were in force before are so again behind it, however it ends.
    pub fn under<T>(&mut self, change: impl FnOnce(&mut Limits), work: impl FnOnce(&mut Context) -> T) -> T {
        let outer = self.limits.clone();
        change(&mut self.limits);
        let result = work(self);
        self.limits = outer;
        result
    }

    /// Runs `work` with these options. Those that were in force before are so again behind it, however it ends.
    pub fn with_options<T>(&mut self, options: EngineOptions, work: impl FnOnce(&mut Context) -> T) -> T {
        let outer = std::mem::replace(&mut self.options, options);
        let result = work(self);
        self.options = outer;
        result
    }

    /// Runs `work` under the limits of a trial, where they are narrower than those in force.
    pub fn within_trial<T>(&mut self, trial: Trial, work: impl FnOnce(&mut Context) -> Run<T>) -> Run<T> {
        let memory = self.bytes() + trial.bytes;
        let steps = self.run.fuel.saturating_add(trial.steps);
        let met = usize::try_from(trial.positions.saturating_mul(tuning::MET)).unwrap_or(usize::MAX);
        let met = self.store.len().saturating_add(met);
        let narrow = |limits: &mut Limits| {
            limits.positions = Some(limits.positions.map_or(trial.positions, |p| p.min(trial.positions)));
            limits.memory = limits.memory.min(memory);
            limits.steps = Some(limits.steps.map_or(steps, |s| s.min(steps)));
            limits.components = Some(limits.components.map_or(met, |c| c.min(met)));
        };
        self.under(narrow, work)
    }

    /// Whether the user's own limits of time are reached, or he wants the work to end.
    pub fn limits_reached(&self) -> bool {
        self.limits.check_clock().is_err()
    }
}
