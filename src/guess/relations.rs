//! Forms for truth values of several variables: where one number is a function of another, is below it, or falls into the same
//! class; digit by digit sums; and conditions that turn round for small numbers, as in misere play.

use crate::guess::candidates;
use crate::guess::formula::{Formula, Op, Word};
use crate::guess::points::{Points, Series, Sort, series};
use crate::guess::space::by_statistics;
use std::collections::BTreeMap;

/// From this size of the largest number on, misere play is as normal play in the games that turn round at all.
const LARGE: i128 = 2;
/// Sums of binary digits modulo numbers up to this.
const MODULI: std::ops::RangeInclusive<u32> = 2..=5;

/// Formulas that may fit the points.
pub(super) fn forms(points: &Points, room: usize) -> Vec<Formula> {
    let mut found = turned(points, room);
    if points.variables > 1 {
        let all: Vec<Formula> = (0..points.variables).map(Formula::Var).collect();
        found.extend(MODULI.map(|k| Formula::Places(all.clone(), k)));
    }
    if points.variables == 2 {
        for (u, v) in pairs() {
            found.extend(graph(points, &u, &v, room));
            found.extend(threshold(points, &u, &v, room));
        }
        found.extend(unequal(points, room));
        found.extend(classes(points, room));
    }
    found
}

/// Thresholds where the numbers differ, and one value where they are equal.
fn unequal(points: &Points, room: usize) -> Vec<Formula> {
    let equal = points.only(|at| at[0] == at[1]);
    let Some((_, value)) = equal.rows.first() else { return Vec::new() };
    if equal.rows.iter().any(|(_, other)| other != value) {
        return Vec::new();
    }
    let rest = points.only(|at| at[0] != at[1]);
    let forms = pairs().into_iter().flat_map(|(u, v)| threshold(&rest, &u, &v, room));
    let (a, b) = (Formula::Var(0), Formula::Var(1));
    let with = |form: Formula| match value {
        1 => a.clone().op(Op::Eq, b.clone()).op(Op::Or, form),
        _ => a.clone().op(Op::Ne, b.clone()).op(Op::And, form),
    };
    forms.map(with).collect()
}

/// Two numbers of a point of which one may tell the other.
fn pairs() -> [(Formula, Formula); 5] {
    let (a, b) = (|| Formula::Var(0), || Formula::Var(1));
    let of = |word: Word| Formula::Call(word, vec![a(), b()]);
    let apart = a().op(Op::Sub, b()).under(Word::Abs);
    [(a(), b()), (b(), a()), (apart, of(Word::Min)), (of(Word::Min), of(Word::Max)), (of(Word::Max), of(Word::Min))]
}

/// v == h(u): the points that hold have one v for each u, as far as the points reach.
fn graph(points: &Points, u: &Formula, v: &Formula, room: usize) -> Vec<Formula> {
    let mut table: BTreeMap<i128, i128> = BTreeMap::new();
    for (at, _) in points.rows.iter().filter(|(_, value)| *value == 1) {
        let (Some(u), Some(v)) = (u.eval(at), v.eval(at)) else { return Vec::new() };
        if *table.entry(u).or_insert(v) != v {
            return Vec::new();
        }
    }
    of_function(&table, u, room).into_iter().map(|h| v.clone().op(Op::Eq, h)).collect()
}

/// v < h(u) or v >= h(u): for each u the points that hold, or those that do not, are those with small v.
fn threshold(points: &Points, u: &Formula, v: &Formula, room: usize) -> Vec<Formula> {
    let mut found = Vec::new();
    for small in [1, 0] {
        // The least v of the other kind, and whether one of this kind is not below it.
        let mut limits: BTreeMap<i128, i128> = BTreeMap::new();
        let mut below: Vec<(i128, i128)> = Vec::new();
        for (at, value) in &points.rows {
            let (Some(u), Some(v)) = (u.eval(at), v.eval(at)) else { return found };
            if *value == small {
                below.push((u, v));
            } else {
                limits.entry(u).and_modify(|least| *least = v.min(*least)).or_insert(v);
            }
        }
        if below.iter().any(|(u, v)| limits.get(u).is_some_and(|limit| v >= limit)) {
            continue;
        }
        let op = if small == 1 { Op::Lt } else { Op::Ge };
        found.extend(of_function(&limits, u, room).into_iter().map(|h| v.clone().op(op, h)));
    }
    found
}

/// Candidates for a function of a statistic.
fn of_function(table: &BTreeMap<i128, i128>, u: &Formula, room: usize) -> Vec<Formula> {
    /// Shorter tables say nothing.
    const LEAST: usize = 5;
    match series(table, u, Sort::Number) {
        Some((series, place)) if series.len() >= LEAST => {
            candidates::forms(&series, room).into_iter().map(|form| form.of(&place)).collect()
        }
        _ => Vec::new(),
    }
}

/// h(a) == h(b), where h numbers the classes of a relation by their least members.
fn classes(points: &Points, room: usize) -> Vec<Formula> {
    let mut least: BTreeMap<i64, i64> = BTreeMap::new();
    for (at, _) in points.rows.iter().filter(|(_, value)| *value == 1) {
        least.entry(at[0]).and_modify(|b| *b = at[1].min(*b)).or_insert(at[1]);
    }
    let holds = |(at, value): &(Vec<i64>, i128)| {
        let same = least.get(&at[0]).is_some_and(|class| least.get(&at[1]) == Some(class));
        i128::from(same) == *value
    };
    if !points.rows.iter().all(holds) {
        return Vec::new();
    }
    let Some(first) = least.keys().next().copied() else { return Vec::new() };
    let series = Series { first, values: least.values().map(|b| i128::from(*b)).collect(), sort: Sort::Number };
    let both = |h: &Formula| h.of(&Formula::Var(0)).op(Op::Eq, h.of(&Formula::Var(1)));
    candidates::forms(&series, room).iter().map(both).collect()
}

/// A condition on large numbers that says the opposite of small ones.
fn turned(points: &Points, room: usize) -> Vec<Formula> {
    let all: Vec<Formula> = (0..points.variables).map(Formula::Var).collect();
    let largest = match &all[..] {
        [one] => one.clone(),
        _ => Formula::Call(Word::Max, all.clone()),
    };
    let is_large = |at: &[i64]| at.iter().any(|x| i128::from(*x) >= LARGE);
    let rows = points.rows.iter().map(|(at, value)| (at.clone(), if is_large(at) { *value } else { 1 - *value }));
    let other = Points { rows: rows.collect(), ..points.clone() };
    let large = largest.op(Op::Ge, Formula::Int(LARGE));
    by_statistics(&other, room).into_iter().map(|form| form.op(Op::Iff, large.clone())).collect()
}
