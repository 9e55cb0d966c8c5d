//! Terms of one natural variable n whose values are worked out for all n at once.
//!
//! A *course* holds the value of a term for n = 0, 1, 2, .. exactly: a table up to some `start`, then one period of `p` more
//! values, each with the step that is added when n grows by p: `f(n + p) = f(n) + step(n mod p)` for all `n >= start`. Such
//! sequences are closed under sums, multiples, remainders and quotients by constants, choices, and under taking one at another;
//! comparisons of two of them are periodic in the end. Each operation here gives the exact result or refuses; where the
//! result settles later, its start is later. Nothing is observed: that the steps go on follows from those of the operands.

use crate::logic::symbol::No;
use num_integer::Integer;

/// No value: the term is undefined at this n.
pub const NONE: i64 = i64::MIN;

/// Courses are not longer than this, start and period together.
pub(super) const MOST: usize = 1 << 22;

/// See the module. Truth values are 1 and 0, with steps 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EventuallyPeriodic {
    /// Values for n = 0, 1, .., as long as start and period together.
    pub values: Vec<i64>,
    /// Steps of the last values, as many as the period; 0 where there is no value.
    pub steps: Vec<i64>,
}

fn far() -> No {
    No::bare(format!("what is claimed settles, or repeats, only beyond {MOST} heaps"))
}

fn wide() -> No {
    No::bare("numbers beyond 64 bits")
}

fn fit(value: Option<i64>) -> Result<i64, No> {
    value.filter(|&value| value != NONE).ok_or_else(wide)
}

impl EventuallyPeriodic {
    /// One value for all n.
    pub fn constant(value: i64) -> EventuallyPeriodic {
        EventuallyPeriodic { values: vec![value], steps: vec![0] }
    }

    /// n itself.
    pub fn variable() -> EventuallyPeriodic {
        EventuallyPeriodic { values: vec![0], steps: vec![1] }
    }

    /// These values and no others: undefined from their end on.
    pub(super) fn list(mut values: Vec<i64>) -> EventuallyPeriodic {
        values.push(NONE);
        EventuallyPeriodic { values, steps: vec![0] }
    }

    /// `f(n + period) = f(n) + step` from `start` on, by the first `start + period` values.
    pub fn periodic(values: Vec<i64>, period: usize, step: i64) -> Result<EventuallyPeriodic, No> {
        if values.len() > MOST || period == 0 || period > values.len() {
            return Err(far());
        }
        Ok(EventuallyPeriodic { values, steps: vec![step; period] })
    }

    /// From which n on it is periodic up to its steps.
    pub fn start(&self) -> usize {
        self.values.len() - self.steps.len()
    }

    /// How many n go by until the steps are added.
    pub fn period(&self) -> usize {
        self.steps.len()
    }

    /// The value if it is the same for all n.
    pub fn same(&self) -> Option<i64> {
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

    /// The value for an n. Error: it is beyond 64 bits.
    pub fn at(&self, n: usize) -> Result<i64, No> {
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

    fn step(&self, n: usize) -> i64 {
        self.steps[(n - self.start()) % self.period()]
    }

    /// The same with a later start and a multiple of the period.
    pub fn widened(&self, start: usize, period: usize) -> Result<EventuallyPeriodic, No> {
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
    pub fn plus(&self, factor: i64, other: &EventuallyPeriodic) -> Result<EventuallyPeriodic, No> {
        let add = |x: i64, y: i64| y.checked_mul(factor).and_then(|y| x.checked_add(y));
        self.zip(other, add, |x, y| fit(add(x[1], y[1])))
    }

    /// `self * other`, where at each n at most one of them goes on growing.
    pub fn times(&self, other: &EventuallyPeriodic) -> Result<EventuallyPeriodic, No> {
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
    pub fn compared(&self, other: &EventuallyPeriodic, holds: impl Fn(i64) -> bool) -> Result<EventuallyPeriodic, No> {
        Ok(self.plus(-1, other)?.signs()?.told(holds).trimmed())
    }

    /// A truth value for each value of numbers that do not grow.
    fn told(mut self, holds: impl Fn(i64) -> bool) -> EventuallyPeriodic {
        self.values.iter_mut().filter(|value| **value != NONE).for_each(|value| *value = i64::from(holds(*value)));
        self
    }

    pub(super) fn not(self) -> EventuallyPeriodic {
        self.told(|value| value == 0)
    }

    /// `if self then a else b`; only the branch that is taken must have a value.
    pub fn choose(&self, a: &EventuallyPeriodic, b: &EventuallyPeriodic) -> Result<EventuallyPeriodic, No> {
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

    /// `self and other`; where it is false the other need not have a value.
    pub(super) fn and(&self, other: &EventuallyPeriodic) -> Result<EventuallyPeriodic, No> {
        self.choose(other, &EventuallyPeriodic::constant(0))
    }

    /// Undefined where it is negative.
    pub fn natural(&self) -> Result<EventuallyPeriodic, No> {
        if self.values.iter().all(|&value| value >= 0) && self.steps.iter().all(|&step| step >= 0) {
            return Ok(self.clone());
        }
        let natural = self.compared(&EventuallyPeriodic::constant(0), |sign| sign >= 0)?;
        natural.choose(self, &EventuallyPeriodic::constant(NONE))
    }

    /// What is left of it when n has the lowest digit `low` in base 2 and its value the lowest digit `out`: the course of the
    /// rest of the value for the rest of n, undefined where the digit is another.
    pub fn after(&self, low: usize, out: i64) -> Result<EventuallyPeriodic, No> {
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
    pub fn least(mut self) -> EventuallyPeriodic {
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
    fn trimmed(mut self) -> EventuallyPeriodic {
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

    /// `f(self, other)` for numbers that are not negative and do not grow; undefined at others.
    pub(in crate::prover::periods) fn bitwise(
        &self,
        other: &EventuallyPeriodic,
        f: impl Fn(i64, i64) -> i64,
    ) -> Result<EventuallyPeriodic, No> {
        let value = |x: i64, y: i64| Some(f(x, y));
        self.natural()?.zip(&other.natural()?, value, |x, y| match (x[1], y[1]) {
            (0, 0) => Ok(0),
            _ => Err(No::bare("digits of a number that grows")),
        })
    }

    /// `self xor other`; of equal numbers 0, whether they grow or not.
    pub fn xor(&self, other: &EventuallyPeriodic) -> Result<EventuallyPeriodic, No> {
        if self == other {
            let same = self.natural()?;
            return same.zip(&same, |_, _| Some(0), |_, _| Ok(0));
        }
        for (one, zero) in [(self, other), (other, self)] {
            if zero.same() == Some(0) {
                return one.natural();
            }
        }
        self.bitwise(other, |x, y| x ^ y)
    }

    /// `self div by`, rounded down, and `self mod by`; `by` is positive.
    pub fn divided(&self, by: i64) -> Result<[EventuallyPeriodic; 2], No> {
        let all = self.repeating(by)?;
        let map = |f: &dyn Fn(i64) -> i64| all.values.iter().map(|&v| if v == NONE { NONE } else { f(v) }).collect();
        let steps = all.steps.iter().map(|step| step / by).collect();
        let quotient = EventuallyPeriodic { values: map(&|value| value.div_euclid(by)), steps };
        let rest = EventuallyPeriodic { values: map(&|value| value.rem_euclid(by)), steps: vec![0; all.steps.len()] };
        Ok([quotient, rest])
    }

    /// The same with a period whose steps are multiples of a positive number.
    fn repeating(&self, of: i64) -> Result<EventuallyPeriodic, No> {
        let mut rounds = 1_i64;
        for step in &self.steps {
            let factor = of / of.gcd(step);
            rounds = rounds.checked_mul(factor / rounds.gcd(&factor)).ok_or_else(far)?;
            if usize::try_from(rounds).is_ok_and(|rounds| rounds > MOST) {
                return Err(far());
            }
        }
        let period = usize::try_from(rounds).ok().and_then(|rounds| rounds.checked_mul(self.period()));
        self.widened(self.start(), period.ok_or_else(far)?)
    }

    /// `self` at the places that `index` says; undefined at negative ones.
    pub fn taken(&self, index: &EventuallyPeriodic) -> Result<EventuallyPeriodic, No> {
        let (start, period) = (self.start(), i64::try_from(self.period()).map_err(|_| far())?);
        let from = i64::try_from(start).map_err(|_| far())?;
        let index = index.natural()?;
        // From so many periods of the index on, all places that grow are where this is periodic.
        let mut rounds = 0_i64;
        for (&place, &step) in index.values[index.start()..].iter().zip(&index.steps) {
            if place != NONE && step > 0 && place < from {
                rounds = rounds.max((from - place - 1) / step + 1);
            }
        }
        let later = usize::try_from(rounds).ok().and_then(|rounds| rounds.checked_mul(index.period()));
        let later = later.and_then(|more| more.checked_add(index.start())).ok_or_else(far)?;
        let index = index.widened(later, index.period())?.repeating(period)?;
        let at = |place: i64| match usize::try_from(place) {
            Ok(place) => self.at(place),
            Err(_) => Ok(NONE),
        };
        let values: Result<Vec<i64>, No> = index.values.iter().map(|&place| at(place)).collect();
        let values = values?;
        let mut steps = Vec::with_capacity(index.steps.len());
        for ((&place, &step), &value) in
            index.values[index.start()..].iter().zip(&index.steps).zip(&values[index.start()..])
        {
            let own = usize::try_from(place).ok().filter(|&place| value != NONE && step != 0 && place >= start);
            let own = own.map_or(0, |place| self.step(place));
            steps.push(fit(own.checked_mul(step / period))?);
        }
        Ok(EventuallyPeriodic { values, steps })
    }
}
