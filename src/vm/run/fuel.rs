//! How long code may run: steps are counted, and the clock is looked at now and then.

use crate::model::builtin::Builtin;
use crate::source::diagnostic::Code;
use crate::value::Value;
use crate::value::fault::{Fault, Run};
use crate::vm::context::Context;
use crate::words;

impl Context {
    /// A trial does not begin a loop that it cannot end.
    #[inline]
    pub(in crate::vm) fn foresee(&self, from: i64, to: i64) -> Run<()> {
        /// Shorter loops are just run.
        const LONG: u64 = 1 << 17;
        let turns = to.abs_diff(from);
        if turns > LONG && self.limits.steps.is_some_and(|steps| turns > steps.saturating_sub(self.run.fuel)) {
            return Err(Fault::new(Code::L03, "the limit of steps is reached").into());
        }
        Ok(())
    }

    /// The same for work on so many members of collections, or words.
    pub(crate) fn spend(&mut self, members: u64) -> Run<()> {
        /// Members looked at in the time of a step.
        const A_STEP: u64 = 4;
        /// The clock is looked at after so many steps.
        const CHECKED: u64 = 0x4000;
        let before = self.run.fuel;
        self.run.fuel = before.wrapping_add(members / A_STEP);
        if before / CHECKED == self.run.fuel / CHECKED {
            return Ok(());
        }
        self.check_steps()
    }

    /// The value of a word; what it makes is paid for before it is made.
    pub(in crate::vm) fn word(&mut self, word: Builtin, args: &[Value]) -> Run<Value> {
        let members = words::makes(word, args)?;
        if members > 0 {
            self.foresee(0, i64::try_from(members).unwrap_or(i64::MAX))?;
            self.spend(members)?;
        }
        Ok(words::call(word, args)?)
    }

    fn check_steps(&self) -> Run<()> {
        self.limits.check_clock()?;
        let over = self.limits.steps.is_some_and(|steps| self.run.fuel > steps)
            || self.limits.components.is_some_and(|most| self.components() > most);
        if over { Err(Fault::new(Code::L03, "the limit of steps is reached").into()) } else { Ok(()) }
    }

    /// Checks the clock now and then.
    #[inline]
    pub(in crate::vm) fn fuel(&mut self) -> Run<()> {
        self.run.fuel = self.run.fuel.wrapping_add(1);
        if self.run.fuel.is_multiple_of(0x4000) {
            self.check_steps()?;
        }
        Ok(())
    }
}
