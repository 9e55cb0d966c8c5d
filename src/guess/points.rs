//! Values of any number of variables at some points.

use crate::guess::formula::Formula;
use crate::guess::series::{Series, Sort};
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
