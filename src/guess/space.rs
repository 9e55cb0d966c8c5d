//! The forms for values of any number of variables: functions of one statistic, sums of functions of one variable each,
//! linear forms modulo a number, periods in two directions. For truth values besides: where one number is a function of another,
//! is below it, or falls into the same class; digit by digit sums; and conditions that turn round for small numbers, as in
//! misere play.

use crate::guess::data::{Points, Series, Sort, function, series, stated};
use crate::guess::formula::{Formula, Op, Word};
use crate::guess::{candidates, statistics};
use std::collections::BTreeMap;

/// Functions of one variable in a sum, for each variable.
const PARTS: usize = 2;
/// Coefficients modulo numbers up to this, by the number of variables.
const MODULI: [i128; 5] = [0, 0, 12, 8, 5];

/// All forms that have the values of the points, with at most a quarter as many numbers in them as `count` values, in order
/// of [`Formula::cost`]. `axes` are values along each variable alone, further out; there may be none.
pub(super) fn forms(points: &Points, axes: &[Points], count: usize) -> Vec<Formula> {
    let room = count / 4;
    let mut found = unsplit(points, room);
    if points.variables > 1 {
        found.extend(sums(points, axes, room));
        found.extend(grids(points, room));
    }
    if points.sort == Sort::Truth {
        found.extend(relations(points, room));
    }
    found.retain(|formula| points.against(formula).is_none());
    crate::guess::candidates::in_order(found, room)
}

/// The forms of some points, which need not be all of a range: functions of one statistic, and linear forms.
pub(super) fn unsplit(points: &Points, room: usize) -> Vec<Formula> {
    let mut found = by_statistics(points, room);
    if points.variables > 1 {
        found.extend(linear(points));
        found.extend(affine(points));
    }
    found
}

/// Functions of one statistic of one number, of points that need not stand side by side; the first of them may be exceptions.
pub(super) fn of_one(points: &Points) -> Vec<Formula> {
    const EXCEPTIONS: usize = 3;
    let entries: Vec<(i64, i128)> = points.rows.iter().map(|(at, value)| (at[0], *value)).collect();
    let Some((first, _)) = entries.first().copied() else { return Vec::new() };
    let late = |late: usize| {
        let forms = candidates::of_statistics(entries.get(late..).unwrap_or_default(), points.sort);
        let with = |form: Formula| {
            let wrong: Vec<_> =
                entries[..late].iter().filter(|(n, value)| form.eval(&[*n]) != Some(*value)).copied().collect();
            stated(form, &wrong, first, points.sort)
        };
        forms.into_iter().map(with).collect::<Vec<_>>()
    };
    (0..=EXCEPTIONS.min(entries.len() / 4)).flat_map(late).collect()
}

fn by_statistics(points: &Points, room: usize) -> Vec<Formula> {
    let mut found = Vec::new();
    for statistic in statistics::of_point(points.variables) {
        let Some(table) = points.by(&statistic) else { continue };
        let Some((series, place)) = series(&table, &statistic, points.sort) else { continue };
        found.extend(candidates::forms(&series, room).into_iter().map(|form| form.of(&place)));
    }
    found
}

/// The values where only this variable differs from the first point.
fn axis(points: &Points, variable: usize) -> Option<(Series, Formula)> {
    let (origin, _) = points.rows.first()?;
    let on_axis = |at: &[i64]| at.iter().zip(origin).enumerate().all(|(i, (x, o))| i == variable || x == o);
    let of = Formula::Var(variable);
    series(&points.only(on_axis).by(&of)?, &of, points.sort)
}

/// g(a, b, ..) = g(a, 0, ..) xor g(0, b, ..) xor .., and with sums; g(0, 0, ..) goes to one of the parts, each in turn.
fn sums(points: &Points, axes: &[Points], room: usize) -> Vec<Formula> {
    let longer = |variable: usize| axis(axes.get(variable).unwrap_or(points), variable);
    let axes: Option<Vec<(Series, Formula)>> = (0..points.variables).map(longer).collect();
    let (Some(axes), Some((_, start))) = (axes, points.rows.first()) else { return Vec::new() };
    let negative = points.rows.iter().any(|(_, value)| *value < 0);
    if points.sort == Sort::Truth || axes.iter().any(|(series, _)| negative || series.values.iter().any(|v| *v < 0)) {
        return Vec::new();
    }
    let carriers = if *start == 0 { 1 } else { axes.len() };
    let mut found = Vec::new();
    for (op, carrier) in [Op::Xor, Op::Add].into_iter().flat_map(|op| (0..carriers).map(move |carrier| (op, carrier))) {
        let mut parts = axes.clone();
        for (series, _) in parts.iter_mut().enumerate().filter(|(i, _)| *i != carrier).map(|(_, part)| part) {
            for value in &mut series.values {
                *value = if op == Op::Xor { *value ^ start } else { *value - start };
            }
        }
        if points.rows.iter().all(|(at, value)| total(op, &parts, at) == Some(*value)) {
            found.extend(written_sums(op, &parts, room));
        }
    }
    found
}

fn total(op: Op, parts: &[(Series, Formula)], at: &[i64]) -> Option<i128> {
    let mut sum = 0i128;
    for ((series, _), x) in parts.iter().zip(at) {
        let part = *series.values.get(usize::try_from(x - series.first).ok()?)?;
        sum = if op == Op::Xor { sum ^ part } else { sum.checked_add(part)? };
    }
    Some(sum)
}

fn written_sums(op: Op, parts: &[(Series, Formula)], room: usize) -> Vec<Formula> {
    let mut whole: Vec<Vec<Formula>> = vec![Vec::new()];
    for (series, place) in parts {
        let forms = candidates::forms(series, room);
        let forms: Vec<Formula> = forms.iter().take(PARTS).map(|form| form.of(place)).collect();
        let with = |so_far: &Vec<Formula>, part: &Formula| {
            let nothing = *part == Formula::Int(0);
            so_far.iter().cloned().chain((!nothing).then(|| part.clone())).collect::<Vec<_>>()
        };
        whole = whole.iter().flat_map(|so_far| forms.iter().map(move |part| with(so_far, part))).collect();
    }
    whole.into_iter().filter_map(|parts| parts.into_iter().reduce(|sum, part| sum.op(op, part))).collect()
}

fn linear(points: &Points) -> Vec<Formula> {
    let mut found = Vec::new();
    let most = MODULI.get(points.variables).copied().unwrap_or(0);
    for m in 2..=most {
        let mut factors = vec![0i128; points.variables];
        while next(&mut factors, m) {
            let first = factors.iter().find(|factor| **factor != 0);
            // A multiple by a unit says the same.
            let repeated = first.is_some_and(|first| *first != num_integer::gcd(*first, m));
            if repeated || factors.iter().filter(|factor| **factor != 0).count() < 2 {
                continue;
            }
            let Some(list) = residues_of(points, &factors, m) else { continue };
            let form = written(&factors, m);
            let forms = match points.sort {
                Sort::Number => candidates::of_residues(&list),
                Sort::Truth => candidates::residue_conditions(&list),
            };
            found.extend(forms.into_iter().map(|one| one.of(&form)));
        }
    }
    found
}

fn affine(points: &Points) -> Vec<Formula> {
    /// Factors from minus this to this.
    const MOST: i128 = 4;
    let mut found = Vec::new();
    let Some((origin, value)) = points.rows.first() else { return found };
    let mut counters = vec![0i128; points.variables];
    while next(&mut counters, 2 * MOST + 1) {
        let factors: Vec<i128> = counters.iter().map(|counter| counter - MOST).collect();
        let sum = |at: &[i64]| factors.iter().zip(at).map(|(factor, x)| factor * i128::from(*x)).sum::<i128>();
        let constant = value.saturating_sub(sum(origin));
        if points.sort == Sort::Number && points.rows.iter().all(|(at, v)| sum(at).checked_add(constant) == Some(*v)) {
            found.push(written(&factors, i128::MAX / 4).plus(constant));
        }
    }
    found
}

fn next(factors: &mut [i128], m: i128) -> bool {
    for factor in factors.iter_mut().rev() {
        *factor += 1;
        if *factor < m {
            return true;
        }
        *factor = 0;
    }
    false
}

fn residues_of(points: &Points, factors: &[i128], m: i128) -> Option<Vec<i128>> {
    let mut list = vec![None; usize::try_from(m).ok()?];
    for (at, value) in &points.rows {
        let sum: i128 = factors.iter().zip(at).map(|(factor, x)| factor * i128::from(*x)).sum();
        let known = &mut list[usize::try_from(sum.rem_euclid(m)).ok()?];
        if *known.get_or_insert(*value) != *value {
            return None;
        }
    }
    list.into_iter().collect()
}

fn written(factors: &[i128], m: i128) -> Formula {
    let mut sum: Option<Formula> = None;
    for (variable, factor) in factors.iter().enumerate().filter(|(_, factor)| **factor != 0) {
        let factor = if factor * 2 > m && sum.is_some() { factor - m } else { *factor };
        let size = if sum.is_some() { factor.abs() } else { factor };
        let term = Formula::Var(variable).times(size);
        sum = Some(match sum {
            None => term,
            Some(sum) => sum.op(if factor < 0 { Op::Sub } else { Op::Add }, term),
        });
    }
    sum.unwrap_or(Formula::Int(0))
}

/// Two variables: what depends on both modulo something.
fn grids(points: &Points, room: usize) -> Vec<Formula> {
    /// Longer periods are not looked for.
    const LONGEST: usize = 16;
    if points.variables != 2 {
        return Vec::new();
    }
    let longest = |variable: usize| usize::try_from(points.most(variable) / 3).unwrap_or(0).min(LONGEST);
    let mut best: Option<Formula> = None;
    for p in 1..=longest(0) {
        for q in 1..=longest(1) {
            let shorter = best.as_ref().is_none_or(|best| p * q < best.parameters());
            if p * q > room || !shorter {
                continue;
            }
            let (p, q) = (candidates::whole(p), candidates::whole(q));
            let place = Formula::Var(0).modulo(p).times(q).op(Op::Add, Formula::Var(1).modulo(q));
            let Some(table) = points.by(&place) else { continue };
            if candidates::whole(table.len()) == p * q {
                let items: Vec<i128> = table.into_values().collect();
                best = Some(match points.sort {
                    Sort::Number => Formula::Pick(items, Box::new(place)),
                    Sort::Truth => match candidates::members(&place, &items).into_iter().min_by_key(Formula::cost) {
                        Some(shortest) => shortest,
                        None => continue,
                    },
                });
            }
        }
    }
    best.into_iter().collect()
}

/// From this size of the largest number on, misere play is as normal play in the games that turn round at all.
const LARGE: i128 = 2;
/// Sums of binary digits modulo numbers up to this.
const PLACE_MODULI: std::ops::RangeInclusive<u32> = 2..=5;

/// Formulas for truth values that may fit the points.
fn relations(points: &Points, room: usize) -> Vec<Formula> {
    let mut found = turned(points, room);
    if points.variables > 1 {
        let all: Vec<Formula> = (0..points.variables).map(Formula::Var).collect();
        found.extend(PLACE_MODULI.map(|k| Formula::Places(all.clone(), k)));
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
    let holding = points.rows.iter().filter(|(_, value)| *value == 1);
    let Some(table) = function(holding.map(|(at, _)| u.eval(at).zip(v.eval(at)))) else { return Vec::new() };
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
