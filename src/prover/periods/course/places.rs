//! Remainders, quotients and digits of courses, and courses taken at the places that another says.

use crate::prover::periods::course::{EventuallyPeriodic, MOST, NONE, far, fit};
use crate::prover::symbol::No;
use num_integer::Integer;

impl EventuallyPeriodic {
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
    pub(in crate::prover::periods) fn xor(&self, other: &EventuallyPeriodic) -> Result<EventuallyPeriodic, No> {
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
    pub(in crate::prover::periods) fn divided(&self, by: i64) -> Result<[EventuallyPeriodic; 2], No> {
        let all = self.repeating(by)?;
        let map = |f: &dyn Fn(i64) -> i64| all.values.iter().map(|&v| if v == NONE { NONE } else { f(v) }).collect();
        let steps = all.steps.iter().map(|step| step / by).collect();
        let quotient = EventuallyPeriodic { values: map(&|value| value.div_euclid(by)), steps };
        let rest = EventuallyPeriodic { values: map(&|value| value.rem_euclid(by)), steps: vec![0; all.steps.len()] };
        Ok([quotient, rest])
    }

    /// The same with a period whose steps are multiples of a positive number.
    pub(super) fn repeating(&self, of: i64) -> Result<EventuallyPeriodic, No> {
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
    pub(in crate::prover::periods) fn taken(&self, index: &EventuallyPeriodic) -> Result<EventuallyPeriodic, No> {
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
