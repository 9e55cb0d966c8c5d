//! Values of any number of variables at some points.

use crate::guess::formula::{Formula, Op};
use std::collections::BTreeMap;

/// Points and their values.
#[derive(Clone, Debug)]
pub struct Points {
    /// How many variables there are.
    pub variables: usize,
    /// The values of the variables and the value at that point, in order of size: the sum of what the variables are without
    /// their signs, then as the variables are written.
    pub rows: Vec<(Vec<i64>, i128)>,
    /// What the values are.
    pub sort: Sort,
}

impl Points {
    /// The points that `keep` keeps.
    pub(super) fn only(&self, keep: impl Fn(&[i64]) -> bool) -> Points {
        let rows = self.rows.iter().filter(|(at, _)| keep(at)).cloned().collect();
        Points { variables: self.variables, rows, sort: self.sort }
    }

    /// Puts the points in order of size.
    pub(super) fn order(&mut self) {
        let size = |at: &[i64]| at.iter().map(|x| x.unsigned_abs()).fold(0u64, u64::saturating_add);
        self.rows.sort_by(|(a, _), (b, _)| size(a).cmp(&size(b)).then_with(|| a.cmp(b)));
    }

    /// The first point at which the formula has another value, or none.
    pub(super) fn against(&self, formula: &Formula) -> Option<&(Vec<i64>, i128)> {
        self.rows.iter().find(|(at, value)| formula.eval(at) != Some(*value))
    }

    /// The values as a function of a statistic of the points, when they are one.
    pub(super) fn by(&self, statistic: &Formula) -> Option<BTreeMap<i128, i128>> {
        let mut table = BTreeMap::new();
        for (at, value) in &self.rows {
            if *table.entry(statistic.eval(at)?).or_insert(*value) != *value {
                return None;
            }
        }
        Some(table)
    }
}

/// A function as a series, with the formula of the place in the series: the keys are evenly spaced, or those are taken that
/// are before the first gap.
pub(super) fn series(table: &BTreeMap<i128, i128>, of: &Formula, sort: Sort) -> Option<(Series, Formula)> {
    let mut keys = table.keys().copied();
    let first = keys.next()?;
    let stride = keys.next().map_or(1, |second| second - first);
    let even = table.keys().zip(0..).take_while(|(key, index)| **key == first + stride * index).count();
    let values = table.values().take(even).copied().collect();
    let (offset, start) = if stride == 1 { (0, first) } else { (first.rem_euclid(stride), first.div_euclid(stride)) };
    let place = of.clone().plus(-offset).over(stride);
    Some((Series { first: i64::try_from(start).ok()?, values, sort }, place))
}

/// What the values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Sort {
    Number,
    /// 0 or 1
    Truth,
}

/// Values at `first`, `first + 1`, ...
#[derive(Clone, Debug)]
pub struct Series {
    /// The first place.
    pub first: i64,
    /// The values.
    pub values: Vec<i128>,
    /// What they are.
    pub sort: Sort,
}

/// A place and its value.
pub(super) type Exception = (i64, i128);

impl Series {
    /// The series without its first values.
    pub(super) fn without(&self, count: usize) -> Series {
        Series {
            first: self.place(count),
            values: self.values.get(count..).unwrap_or_default().to_vec(),
            sort: self.sort,
        }
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// The place of a value.
    pub(super) fn place(&self, index: usize) -> i64 {
        self.first + i64::try_from(index).unwrap_or(i64::MAX / 2)
    }

    /// Places and values.
    pub(super) fn entries(&self) -> impl DoubleEndedIterator<Item = (i64, i128)> + '_ {
        self.values.iter().enumerate().map(|(index, value)| (self.place(index), *value))
    }

    /// Whether a formula in the first variable has all these values. The last ones are tried first: they are the largest.
    pub(super) fn fits(&self, formula: &Formula) -> bool {
        !self.values.is_empty() && self.entries().rev().all(|(n, value)| formula.eval(&[n]) == Some(value))
    }

    /// The formula with the places of this series where it is wrong, or has no value, stated one by one.
    pub(super) fn patched(&self, formula: Formula) -> Formula {
        let wrong = self.entries().filter(|(n, value)| formula.eval(&[*n]) != Some(*value));
        let wrong: Vec<Exception> = wrong.collect();
        match self.sort {
            Sort::Truth => truth_with(formula, &wrong, self.first),
            Sort::Number => number_with(formula, &wrong, self.first),
        }
    }
}

/// The condition that tells exceptions: `n == 0`, `n < 3`, `n in {1, 4}`.
fn told(places: &[i64], first: i64, holds: bool) -> Formula {
    let prefix = places.len() > 1 && places.iter().zip(first..).all(|(place, at)| *place == at);
    if prefix && let Some(last) = places.last() {
        return Formula::Var(0).op(if holds { Op::Lt } else { Op::Ge }, Formula::Int(i128::from(*last) + 1));
    }
    Formula::Var(0).among(places.iter().map(|n| i128::from(*n)).collect(), holds)
}

fn number_with(formula: Formula, wrong: &[Exception], first: i64) -> Formula {
    let mut values: Vec<i128> = wrong.iter().map(|(_, value)| *value).collect();
    values.sort_unstable();
    values.dedup();
    let prefix = wrong.iter().zip(0..).all(|((place, _), at)| *place == at);
    if prefix && values.len() > 2 {
        let places: Vec<i64> = wrong.iter().map(|(place, _)| *place).collect();
        let items = wrong.iter().map(|(_, value)| *value).collect();
        let listed = Formula::Pick(items, Box::new(Formula::Var(0)));
        return Formula::If(Box::new(told(&places, first, true)), Box::new(listed), Box::new(formula));
    }
    values.into_iter().rev().fold(formula, |rest, value| {
        let places: Vec<i64> = wrong.iter().filter(|(_, v)| *v == value).map(|(place, _)| *place).collect();
        Formula::If(Box::new(told(&places, first, true)), Box::new(Formula::Int(value)), Box::new(rest))
    })
}

fn truth_with(formula: Formula, wrong: &[Exception], first: i64) -> Formula {
    let of = |wanted: i128| -> Vec<i64> {
        wrong.iter().filter(|(_, value)| *value == wanted).map(|(place, _)| *place).collect()
    };
    let (holding, failing) = (of(1), of(0));
    let mut result = formula;
    if !failing.is_empty() {
        let others = told(&failing, first, false);
        result = if result == Formula::Truth(true) { others } else { others.op(Op::And, result) };
    }
    if !holding.is_empty() {
        let these = told(&holding, first, true);
        result = if result == Formula::Truth(false) { these } else { these.op(Op::Or, result) };
    }
    result
}

#[cfg(test)]
mod tests {
    use crate::guess::formula::Formula;
    use crate::guess::formula::text;
    use crate::guess::points::{Series, Sort};

    fn patched(first: i64, values: &[i128], sort: Sort, formula: Formula) -> String {
        let series = Series { first, values: values.to_vec(), sort };
        let patched = series.patched(formula);
        assert!(series.fits(&patched), "{patched:?}");
        text(&patched, &["n".to_string()], false)
    }

    #[test]
    fn exceptions_are_stated() {
        let n = || Formula::Var(0);
        assert_eq!(patched(0, &[0, 1, 2], Sort::Number, n()), "n");
        assert_eq!(patched(0, &[5, 1, 2, 5, 4], Sort::Number, n()), "(if n in {0, 3} then 5 else n)");
        assert_eq!(patched(0, &[3, 2, 1, 0, 4], Sort::Number, n()), "(if n < 4 then [3, 2, 1, 0][n] else n)");
        assert_eq!(patched(1, &[1, 0, 0], Sort::Truth, Formula::Truth(false)), "n == 1");
        assert_eq!(patched(1, &[0, 0, 1], Sort::Truth, Formula::Truth(true)), "n >= 3");
        let odd = n().modulo(2).among(vec![1], true);
        assert_eq!(patched(0, &[1, 0, 0], Sort::Truth, odd), "n == 0 or n != 1 and n mod 2 == 1");
    }
}
