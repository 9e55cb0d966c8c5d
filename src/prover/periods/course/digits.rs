//! Courses read digit by digit, and the least form of a course.

use crate::prover::periods::course::{EventuallyPeriodic, NONE};
use crate::prover::symbol::No;

impl EventuallyPeriodic {
    /// What is left of it when n has the lowest digit `low` in base 2 and its value the lowest digit `out`: the course of the
    /// rest of the value for the rest of n, undefined where the digit is another.
    pub(in crate::prover::periods) fn after(&self, low: usize, out: i64) -> Result<EventuallyPeriodic, No> {
        // Two periods have twice the steps, which are even.
        let all = self.widened(self.start() + self.start() % 2, 2 * self.period())?.repeating(2)?;
        let half = |value: &i64| if *value != NONE && value.rem_euclid(2) == out { value.div_euclid(2) } else { NONE };
        let values: Vec<i64> = all.values.iter().skip(low).step_by(2).map(half).collect();
        let start = all.start() / 2;
        let mut steps: Vec<i64> = all.steps.iter().skip(low).step_by(2).map(|step| step / 2).collect();
        for (step, value) in steps.iter_mut().zip(&values[start..]) {
            if *value == NONE {
                *step = 0;
            }
        }
        Ok(EventuallyPeriodic { values, steps }.least())
    }

    /// The same with the least period and the least start.
    pub(super) fn least(mut self) -> EventuallyPeriodic {
        let (start, period) = (self.start(), self.period());
        let value = |at: usize| self.values[start + at];
        for part in (1..period).filter(|part| period.is_multiple_of(*part)) {
            // A part of the period has its part of the step.
            let Ok(parts) = i64::try_from(period / part) else { break };
            let fits = (0..period).all(|at| {
                let (next, step) = ((at + part) % period, self.steps[at]);
                let wrapped = if at + part < period { 0 } else { self.steps[next] };
                self.steps[next] == step
                    && step % parts == 0
                    && (value(at) == NONE) == (value(next) == NONE)
                    && (value(at) == NONE || value(at).checked_add(step / parts) == value(next).checked_add(wrapped))
            });
            if fits {
                self.values.truncate(start + part);
                self.steps.truncate(part);
                self.steps.iter_mut().for_each(|step| *step /= parts);
                break;
            }
        }
        self.trimmed()
    }

    /// The same with the least start that can be seen.
    pub(super) fn trimmed(mut self) -> EventuallyPeriodic {
        let (start, period) = (self.start(), self.period());
        // Steps turn with the start.
        let mut least = start;
        while least > 0 {
            let (before, after) = (self.values[least - 1], self.values[least - 1 + period]);
            let step = self.steps[(period - 1 + least - start % period + period) % period];
            let fits =
                if after == NONE || before == NONE { before == after } else { before.checked_add(step) == Some(after) };
            if !fits {
                break;
            }
            least -= 1;
        }
        let by = (start - least) % period;
        self.steps.rotate_right(by);
        self.values.truncate(least + period);
        self
    }
}
