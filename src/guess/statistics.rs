//! Values that depend on one simple statistic of n: digit sums, valuations, lengths, Fibonacci parts.

use crate::guess::formula::{Formula, Op, Word};
use crate::guess::points::{Series, Sort};
use crate::guess::residues;
use std::collections::BTreeMap;

/// Bases of digits.
const BASES: std::ops::RangeInclusive<u32> = 2..=10;
/// Statistics are of n plus so much.
const SHIFTS: std::ops::RangeInclusive<i128> = -2..=2;
/// Statistics are looked at modulo numbers up to this.
const MODULI: std::ops::RangeInclusive<i128> = 2..=10;

/// The statistics of n + shift.
fn all(shift: i128) -> impl Iterator<Item = Formula> {
    let of = Formula::Var(0).plus(shift);
    let digits = BASES.map(Word::DigitSum);
    let words = BASES.map(Word::Valuation).chain([Word::Length, Word::ZeckendorfSize, Word::ZeckendorfLast]);
    digits.chain(words).map(move |word| of.clone().under(word))
}

/// Formulas that fit the series.
pub(super) fn candidates(series: &Series) -> Vec<Formula> {
    let mut found = Vec::new();
    let mut offer = |formula: Formula| {
        if series.fits(&formula) {
            found.push(formula);
        }
    };
    for statistic in SHIFTS.flat_map(all) {
        let Some(table) = function_of(series, &statistic) else { continue };
        match series.sort {
            Sort::Number => numbers(&statistic, &table).into_iter().for_each(&mut offer),
            Sort::Truth => truths(&statistic, &table).into_iter().for_each(&mut offer),
        }
    }
    found
}

/// The values as a function of the statistic, if they are one that takes more than one value.
fn function_of(series: &Series, statistic: &Formula) -> Option<BTreeMap<i128, i128>> {
    let mut table = BTreeMap::new();
    for (n, value) in series.entries() {
        let known = *table.entry(statistic.eval(&[n])?).or_insert(value);
        if known != value {
            return None;
        }
    }
    let first = *table.values().next()?;
    table.values().any(|value| *value != first).then_some(table)
}

/// Simple functions of a statistic that may fit.
fn numbers(statistic: &Formula, table: &BTreeMap<i128, i128>) -> Vec<Formula> {
    let mut found = Vec::new();
    let mut pairs = table.iter();
    let (Some((u, v)), Some((u2, v2))) = (pairs.next(), pairs.next()) else { return found };
    let slope = (v2 - v).checked_div(u2 - u).unwrap_or(0);
    found.push(statistic.clone().times(slope).plus(v - slope * u));
    for k in MODULI {
        for shift in 0..k {
            found.push(statistic.clone().plus(shift).modulo(k));
        }
        found.extend(listed(statistic, table, k));
    }
    if let Formula::Call(Word::Valuation(base), _) = statistic {
        let power = Formula::Int(i128::from(*base)).op(Op::Pow, statistic.clone());
        found.push(power.clone());
        found.push(power.plus(-1));
    }
    found
}

/// A list over the statistic modulo k, when all residues were seen.
fn listed(statistic: &Formula, table: &BTreeMap<i128, i128>, k: i128) -> Option<Formula> {
    let items = by_residue(table, k)?;
    Some(Formula::Pick(items, Box::new(statistic.clone().modulo(k))))
}

fn by_residue(table: &BTreeMap<i128, i128>, k: i128) -> Option<Vec<i128>> {
    let value = |r: i128| table.iter().find(|(u, _)| u.rem_euclid(k) == r).map(|(_, value)| *value);
    (0..k).map(value).collect()
}

/// Simple conditions on a statistic that may fit.
fn truths(statistic: &Formula, table: &BTreeMap<i128, i128>) -> Vec<Formula> {
    /// More members than this are no reason.
    const MEMBERS: usize = 3;
    let mut found = Vec::new();
    for k in MODULI {
        if let Some(items) = by_residue(table, k) {
            found.extend(residues::set(&statistic.clone().modulo(k), &items));
        }
    }
    let of = |wanted: i128| table.iter().filter(|(_, v)| **v == wanted).map(|(u, _)| *u).collect::<Vec<_>>();
    let (holding, failing) = (of(1), of(0));
    if let (Some(a), Some(b)) = (holding.last(), failing.first())
        && a < b
    {
        found.push(statistic.clone().op(Op::Lt, Formula::Int(*b)));
    }
    if let (Some(a), Some(b)) = (failing.last(), holding.first())
        && a < b
    {
        found.push(statistic.clone().op(Op::Ge, Formula::Int(*b)));
    }
    if holding.len() <= MEMBERS {
        found.push(statistic.clone().among(holding, true));
    }
    if failing.len() <= MEMBERS {
        found.push(statistic.clone().among(failing, false));
    }
    found
}
