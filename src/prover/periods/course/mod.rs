//! Terms of one natural variable n whose values are worked out for all n at once.
//!
//! A *course* holds the value of a term for n = 0, 1, 2, .. exactly: a table up to some `start`, then one period of `p` more
//! values, each with the step that is added when n grows by p: `f(n + p) = f(n) + step(n mod p)` for all `n >= start`. Such
//! sequences are closed under sums, multiples, remainders and quotients by constants, choices, and under taking one at another;
//! comparisons of two of them are periodic in the end. Each operation here gives the exact result or refuses; where the
//! result settles later, its start is later. Nothing is observed: that the steps go on follows from those of the operands.

mod digits;
mod places;
#[cfg(test)]
mod tests;

use crate::prover::symbol::No;
use num_integer::Integer;

/// No value: the term is undefined at this n.
pub(super) const NONE: i64 = i64::MIN;

/// Courses are not longer than this, start and period together.
pub(super) const MOST: usize = 1 << 22;

/// See the module. Truth values are 1 and 0, with steps 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct EventuallyPeriodic {
    /// Values for n = 0, 1, .., as long as start and period together.
    values: Vec<i64>,
    /// Steps of the last values, as many as the period; 0 where there is no value.
    steps: Vec<i64>,
}

fn far() -> No {
    No::bare(format!("what is claimed settles, or repeats, only beyond {MOST} heaps"))
}

fn wide() -> No {
    No::bare("numbers beyond 64 bits")
}

/// A value by checked arithmetic.
fn fit(value: Option<i64>) -> Result<i64, No> {
    value.filter(|&value| value != NONE).ok_or_else(wide)
}

impl EventuallyPeriodic {
    /// The same value for all n.
    pub(super) fn constant(value: i64) -> EventuallyPeriodic {
        EventuallyPeriodic { values: vec![value], steps: vec![0] }
    }

    /// n itself.
    pub(super) fn variable() -> EventuallyPeriodic {
        EventuallyPeriodic { values: vec![0], steps: vec![1] }
    }

    /// These values and no others: undefined from their end on.
    pub(super) fn list(mut values: Vec<i64>) -> EventuallyPeriodic {
        values.push(NONE);
        EventuallyPeriodic { values, steps: vec![0] }
    }

    /// `f(n + period) = f(n) + step` from `start` on, by the first `start + period` values.
    pub(super) fn periodic(values: Vec<i64>, period: usize, step: i64) -> Result<EventuallyPeriodic, No> {
        if values.len() > MOST || period == 0 || period > values.len() {
            return Err(far());
        }
        Ok(EventuallyPeriodic { values, steps: vec![step; period] })
    }

    /// From which n on it is periodic up to its steps.
    pub(super) fn start(&self) -> usize {
        self.values.len() - self.steps.len()
    }

    /// Its period.
    pub(super) fn period(&self) -> usize {
        self.steps.len()
    }

    /// The value if it is the same for all n.
    pub(super) fn same(&self) -> Option<i64> {
        let first = self.values[0];
        let same = first != NONE && self.values.iter().all(|&value| value == first);
        (same && self.steps.iter().all(|&step| step == 0)).then_some(first)
    }

    /// The least n for which it is not 1, with the value there.
    pub(super) fn first_not_true(&self) -> Option<(usize, i64)> {
        self.values.iter().position(|&value| value != 1).map(|n| (n, self.values[n]))
    }

    /// 1 where it has a value, and no value elsewhere.
    pub(super) fn defined(&self) -> Result<EventuallyPeriodic, No> {
        let all = self.values.iter().all(|&value| value != NONE);
        if all { Ok(EventuallyPeriodic::constant(1)) } else { self.compared(self, |_| true) }
    }

    /// Whether it has a value anywhere.
    pub(super) fn has_values(&self) -> bool {
        self.values.iter().any(|&value| value != NONE)
    }

    /// The value at n.
    pub(super) fn at(&self, n: usize) -> Result<i64, No> {
        if let Some(&value) = self.values.get(n) {
            return Ok(value);
        }
        let (past, period) = (n - self.start(), self.period());
        let (value, step) = (self.values[self.start() + past % period], self.steps[past % period]);
        if step == 0 {
            return Ok(value);
        }
        let rounds = i64::try_from(past / period).ok();
        fit(rounds.and_then(|rounds| value.checked_add(step.checked_mul(rounds)?)))
    }

    /// The step at a place from `start` on.
    fn step(&self, n: usize) -> i64 {
        self.steps[(n - self.start()) % self.period()]
    }

    /// The same with a later start and a multiple of the period.
    fn widened(&self, start: usize, period: usize) -> Result<EventuallyPeriodic, No> {
        let length = start.checked_add(period).filter(|&length| length <= MOST).ok_or_else(far)?;
        let rounds = i64::try_from(period / self.period()).map_err(|_| far())?;
        let mut values = Vec::with_capacity(length);
        values.extend_from_slice(&self.values[..self.values.len().min(length)]);
        for n in values.len()..length {
            let back = values[n - self.period()];
            values.push(if back == NONE { NONE } else { fit(back.checked_add(self.step(n)))? });
        }
        let steps: Option<Vec<i64>> = (start..length).map(|n| self.step(n).checked_mul(rounds)).collect();
        Ok(EventuallyPeriodic { values, steps: steps.ok_or_else(wide)? })
    }

    /// All of these with one start and one period.
    fn together<const N: usize>(all: [&EventuallyPeriodic; N]) -> Result<[EventuallyPeriodic; N], No> {
        let start = all.iter().map(|course| course.start()).max().unwrap_or_default();
        let period = all.iter().try_fold(1_usize, |lcm, course| {
            let factor = course.period() / lcm.gcd(&course.period());
            lcm.checked_mul(factor).filter(|&lcm| lcm <= MOST).ok_or_else(far)
        })?;
        let mut made = Vec::with_capacity(N);
        for course in all {
            made.push(course.widened(start, period)?);
        }
        <[EventuallyPeriodic; N]>::try_from(made).map_err(|_| far())
    }

    /// Value by value, where both have one; steps likewise.
    fn zip(
        &self,
        other: &EventuallyPeriodic,
        value: impl Fn(i64, i64) -> Option<i64>,
        step: impl Fn([i64; 2], [i64; 2]) -> Result<i64, No>,
    ) -> Result<EventuallyPeriodic, No> {
        let [a, b] = EventuallyPeriodic::together([self, other])?;
        let start = a.start();
        let mut values = Vec::with_capacity(a.values.len());
        for (&x, &y) in a.values.iter().zip(&b.values) {
            values.push(if x == NONE || y == NONE { NONE } else { fit(value(x, y))? });
        }
        let mut steps = Vec::with_capacity(a.steps.len());
        for (i, &value) in values[start..].iter().enumerate() {
            let (x, y) = ([a.values[start + i], a.steps[i]], [b.values[start + i], b.steps[i]]);
            steps.push(if value == NONE { 0 } else { step(x, y)? });
        }
        Ok(EventuallyPeriodic { values, steps })
    }

    /// `self + factor * other`
    pub(super) fn plus(&self, factor: i64, other: &EventuallyPeriodic) -> Result<EventuallyPeriodic, No> {
        let add = |x: i64, y: i64| y.checked_mul(factor).and_then(|y| x.checked_add(y));
        self.zip(other, add, |x, y| fit(add(x[1], y[1])))
    }

    /// `self * other`, where at each n at most one of them goes on growing.
    pub(super) fn times(&self, other: &EventuallyPeriodic) -> Result<EventuallyPeriodic, No> {
        self.zip(other, i64::checked_mul, |x, y| match (x[1], y[1]) {
            (step, 0) => fit(step.checked_mul(y[0])),
            (0, step) => fit(step.checked_mul(x[0])),
            _ => Err(No::bare("a product of two numbers that grow")),
        })
    }

    /// -1, 0 or 1, from the n on from which the signs stay.
    fn signs(&self) -> Result<EventuallyPeriodic, No> {
        let start = self.start();
        // So many periods later they do.
        let mut rounds = 0_i64;
        for (&value, &step) in self.values[start..].iter().zip(&self.steps) {
            let late = (step > 0 && value <= 0) || (step < 0 && value >= 0);
            if late && value != NONE {
                rounds = rounds.max(fit((value / step).checked_abs())?.checked_add(1).ok_or_else(wide)?);
            }
        }
        let rounds = usize::try_from(rounds).map_err(|_| far())?;
        let later = rounds.checked_mul(self.period()).and_then(|more| more.checked_add(start)).ok_or_else(far)?;
        let EventuallyPeriodic { mut values, mut steps } = self.widened(later, self.period())?;
        values.iter_mut().filter(|value| **value != NONE).for_each(|value| *value = value.signum());
        steps.fill(0);
        Ok(EventuallyPeriodic { values, steps })
    }

    /// A truth value for each sign of `self - other`.
    pub(super) fn compared(
        &self,
        other: &EventuallyPeriodic,
        holds: impl Fn(i64) -> bool,
    ) -> Result<EventuallyPeriodic, No> {
        Ok(self.plus(-1, other)?.signs()?.told(holds).trimmed())
    }

    /// A truth value for each value of numbers that do not grow.
    fn told(mut self, holds: impl Fn(i64) -> bool) -> EventuallyPeriodic {
        self.values.iter_mut().filter(|value| **value != NONE).for_each(|value| *value = i64::from(holds(*value)));
        self
    }

    /// `not self`
    pub(super) fn not(self) -> EventuallyPeriodic {
        self.told(|value| value == 0)
    }

    /// `if self then a else b`; only the branch that is taken must have a value.
    pub(super) fn choose(&self, a: &EventuallyPeriodic, b: &EventuallyPeriodic) -> Result<EventuallyPeriodic, No> {
        let [which, a, b] = EventuallyPeriodic::together([self, a, b])?;
        let start = which.start();
        let pick = |n: usize, x: i64, y: i64, none: i64| match which.values[n] {
            NONE => none,
            0 => y,
            _ => x,
        };
        let values = (0..which.values.len()).map(|n| pick(n, a.values[n], b.values[n], NONE)).collect();
        let steps = (0..which.steps.len()).map(|i| pick(start + i, a.steps[i], b.steps[i], 0)).collect();
        Ok(EventuallyPeriodic { values, steps })
    }

    /// Undefined where it is negative.
    pub(super) fn natural(&self) -> Result<EventuallyPeriodic, No> {
        if self.values.iter().all(|&value| value >= 0) && self.steps.iter().all(|&step| step >= 0) {
            return Ok(self.clone());
        }
        let natural = self.compared(&EventuallyPeriodic::constant(0), |sign| sign >= 0)?;
        natural.choose(self, &EventuallyPeriodic::constant(NONE))
    }
}
