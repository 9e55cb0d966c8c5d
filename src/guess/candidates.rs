//! All candidate forms for values of one variable, from the simplest up (`docs/language.md`, "Guessing"): functions of the number
//! modulo a period, of simple statistics (digit sums, valuations, lengths, Fibonacci parts), and of its binary places.
//!
//! Each rung takes a series of values and returns formulas that have all of them; a series is also tried without its
//! first values, which become exceptions. A rung may propose too much: [`forms`] keeps what has the values of the series,
//! and is held against all points afterwards.

use crate::guess::data::{Series, Sort, function};
use crate::guess::formula::{Formula, Op, Word};
use crate::guess::{beatty, statistics};
use crate::value::width;
use std::collections::BTreeMap;

/// Forms with few numbers in them are tried on the series without so many of its first values too.
const LATE: [usize; 9] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/// Of costly forms only so many.
const LATE_SURDS: usize = 3;
/// What is left must have so many values.
const LEAST: usize = 6;

/// All forms that have the values of a series and no more than `room` numbers to choose, in order of [`Formula::cost`].
pub fn forms(series: &Series, room: usize) -> Vec<Formula> {
    let mut found = periodic(series, room);
    for (step, late) in LATE.into_iter().enumerate() {
        let tail = series.without(late);
        if tail.len() < LEAST || late > series.len() / 4 {
            break;
        }
        let mut forms = of_statistics(&tail.entries().collect::<Vec<_>>(), tail.sort);
        match series.sort {
            Sort::Number => {
                forms.extend(of_places(&tail));
                forms.extend(lines_by_residue(&tail));
                forms.extend(beatty::roots(&tail));
                if step < LATE_SURDS {
                    forms.extend(beatty::floors(&tail));
                }
            }
            Sort::Truth if step < LATE_SURDS => forms.extend(beatty::sets(&tail)),
            Sort::Truth => {}
        }
        forms.retain(|form| tail.fits(form));
        found.extend(forms.into_iter().map(|form| series.patched(form)));
    }
    in_order(found, room)
}

/// Formulas with at most so many parameters in order of cost, each once.
pub(super) fn in_order(mut found: Vec<Formula>, room: usize) -> Vec<Formula> {
    found.retain(|formula| formula.parameters() <= room);
    found.sort_by_cached_key(|formula| (formula.cost(), formula.parameters()));
    let mut kept: Vec<Formula> = Vec::new();
    for formula in found {
        if !kept.iter().any(|known| known.repeats(&formula)) {
            kept.push(formula);
        }
    }
    kept
}

/// Statistics are of n plus so much.
const STATISTIC_SHIFTS: std::ops::RangeInclusive<i128> = -2..=2;
/// Statistics are looked at modulo functions up to this.
const STATISTIC_MODULI: std::ops::RangeInclusive<i128> = 2..=10;

/// Functions of one statistic that may have these values.
pub(super) fn of_statistics(entries: &[(i64, i128)], sort: Sort) -> Vec<Formula> {
    let mut found = Vec::new();
    for statistic in STATISTIC_SHIFTS.flat_map(statistics::of_one) {
        let Some(table) = function_of(entries, &statistic) else { continue };
        found.extend(match sort {
            Sort::Number => functions(&statistic, &table),
            Sort::Truth => conditions(&statistic, &table),
        });
    }
    found
}

/// The values as a function of the statistic, if they are one that takes more than one value.
fn function_of(entries: &[(i64, i128)], statistic: &Formula) -> Option<BTreeMap<i128, i128>> {
    let table = function(entries.iter().map(|(n, value)| Some((statistic.eval(&[*n])?, *value))))?;
    let first = *table.values().next()?;
    table.values().any(|value| *value != first).then_some(table)
}

fn functions(statistic: &Formula, table: &BTreeMap<i128, i128>) -> Vec<Formula> {
    let mut found = Vec::new();
    let mut pairs = table.iter();
    let (Some((u, v)), Some((u2, v2))) = (pairs.next(), pairs.next()) else { return found };
    // The line through the first two, (p u + r) div q.
    let line = || {
        let (rise, run) = (v2.checked_sub(*v)?, u2.checked_sub(*u)?);
        let common = num_integer::gcd(rise, run);
        let (p, q) = (rise / common, run / common);
        let more = q.checked_mul(*v)?.checked_sub(p.checked_mul(*u)?)?;
        Some(statistic.clone().times(p).plus(more).over(q))
    };
    found.extend(line());
    for k in STATISTIC_MODULI {
        for shift in 0..k {
            found.push(statistic.clone().plus(shift).modulo(k));
        }
        let items = listed_by_residue(table, k);
        found.extend(items.map(|items| Formula::Pick(items, Box::new(statistic.clone().modulo(k)))));
    }
    if let Formula::Call(Word::Valuation(base), _) = statistic {
        let power = Formula::Int(i128::from(*base)).op(Op::Pow, statistic.clone());
        found.push(power.clone());
        found.push(power.plus(-1));
    }
    found
}

fn listed_by_residue(table: &BTreeMap<i128, i128>, k: i128) -> Option<Vec<i128>> {
    let value = |r: i128| table.iter().find(|(u, _)| u.rem_euclid(k) == r).map(|(_, value)| *value);
    (0..k).map(value).collect()
}

fn conditions(statistic: &Formula, table: &BTreeMap<i128, i128>) -> Vec<Formula> {
    /// More members than this are no reason.
    const MEMBERS: usize = 3;
    let mut found = Vec::new();
    for k in STATISTIC_MODULI {
        if let Some(items) = listed_by_residue(table, k) {
            found.extend(members(&statistic.clone().modulo(k), &items));
        }
    }
    let of = |wanted: i128| table.iter().filter(|(_, v)| **v == wanted).map(|(u, _)| *u).collect::<Vec<_>>();
    let (holding, failing) = (of(1), of(0));
    for (small, large, op) in [(&holding, &failing, Op::Lt), (&failing, &holding, Op::Ge)] {
        if let (Some(a), Some(b)) = (small.last(), large.first())
            && a < b
        {
            found.push(statistic.clone().op(op, Formula::Int(*b)));
        }
    }
    for (few, holds) in [(holding, true), (failing, false)] {
        if few.len() <= MEMBERS {
            found.push(statistic.clone().among(few, holds));
        }
    }
    found
}

/// Numbers are shifted so far at most before their places are looked at.
const PLACE_SHIFTS: std::ops::RangeInclusive<i128> = -4..=4;
/// Numbers of so many places at most.
const PLACES: u32 = 24;

fn of_places(series: &Series) -> Vec<Formula> {
    let n = || Formula::Var(0);
    let Some((last, end)) = series.entries().next_back() else { return Vec::new() };
    if series.values.iter().any(|value| *value < 0) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for shift in PLACE_SHIFTS {
        let moved = i128::from(last) + shift;
        if moved < 0 {
            continue;
        }
        let of = n().plus(shift);
        // (n + shift) xor c, and a constant more or less behind it.
        for more in PLACE_SHIFTS {
            let before = end - more;
            if before >= 0 && before != moved && (more == 0 || (moved ^ before) > 1) {
                found.push(of.clone().op(Op::Xor, Formula::Int(moved ^ before)).plus(more));
            }
        }
        let parity = of.clone().under(Word::DigitSum(2));
        let twice = of.clone().times(2);
        found.push(twice.clone().op(Op::Add, parity.clone().modulo(2)));
        found.push(twice.op(Op::Add, parity.plus(1).modulo(2)));
    }
    let mask = series.values.iter().fold(0, |mask, value| mask | value);
    // Where the values have the highest digit of the numbers, more digits are to come; all lowest digits are a rest.
    if mask.leading_zeros() > i128::from(last).leading_zeros() && mask & mask.wrapping_add(1) != 0 {
        found.push(n().op(Op::Meet, Formula::Int(mask)));
    }
    found.extend(affine(series));
    found
}

/// The affine function over the field of two elements that maps the places of n to those of the value, if there is one:
/// for each place of the value a linear system in the places of n (Gaussian elimination). Places of n that no value tells
/// apart count as not used, and what holds for the greatest known place is taken to hold for all greater ones.
pub fn affine(series: &Series) -> Option<Formula> {
    if series.first < 0 {
        return None;
    }
    let width = |n: i128| 128 - n.leading_zeros();
    let places = width(i128::from(series.place(series.len().saturating_sub(1))));
    let outputs = width(series.values.iter().max().copied()?);
    if places > PLACES || outputs > PLACES || places == 0 {
        return None;
    }
    let rows: Option<Vec<u64>> = (0..outputs).map(|output| solve(series, places, output)).collect();
    let rows = rows?;
    let constant = (0..outputs).filter(|j| rows[at(*j)] >> places & 1 == 1).map(|j| 1i128 << j).sum::<i128>();
    let all = (1u64 << places) - 1;
    let mut terms = Vec::new();
    let mut diagonals: Vec<u64> = vec![0; at(places + outputs)];
    for (j, row) in (0u32..).zip(&rows) {
        let mut row = row & all;
        if row.count_ones() > 1 + places / 2 {
            let parity = Formula::Var(0).under(Word::DigitSum(2)).modulo(2);
            terms.push(parity.times(1 << j));
            row ^= all;
        }
        // Place i of n goes to place j: shift i - j.
        for i in (0..places).filter(|i| row >> i & 1 == 1) {
            diagonals[at(i + outputs - j)] |= 1 << i;
        }
    }
    for (shift, &mask) in diagonals.iter().enumerate().filter(|(_, mask)| **mask != 0) {
        let shift = i64::try_from(shift).ok()? - i64::from(outputs);
        // The places of n that such a shift brings to a place of the value at all.
        let reached = all & !((1u64 << shift.clamp(0, 63)) - 1);
        terms.push(shifted(masked(mask, reached, places), shift));
    }
    terms.sort_by_key(Formula::cost);
    terms.reverse();
    let sum = terms.into_iter().reduce(|sum, term| sum.op(Op::Xor, term));
    match (sum, constant) {
        (None, constant) => Some(Formula::Int(constant)),
        (Some(sum), 0) => Some(sum),
        (Some(sum), constant) => Some(sum.op(Op::Xor, Formula::Int(constant))),
    }
}

/// The coefficients of the places of n, and above them the constant, for one place of the value.
fn solve(series: &Series, places: u32, output: u32) -> Option<u64> {
    let value = places + 1;
    let mut pivots: Vec<(u32, u64)> = Vec::new();
    for (n, v) in series.entries() {
        let known = u64::try_from(n).ok()?;
        let mut row = known | 1 << places | u64::from(v >> output & 1 == 1) << value;
        for (pivot, other) in &pivots {
            if row >> pivot & 1 == 1 {
                row ^= other;
            }
        }
        let left = row & ((1 << value) - 1);
        if left == 0 {
            if row != 0 {
                return None;
            }
            continue;
        }
        let pivot = left.trailing_zeros();
        for (_, other) in &mut pivots {
            if *other >> pivot & 1 == 1 {
                *other ^= row;
            }
        }
        pivots.push((pivot, row));
    }
    Some(pivots.iter().filter(|(_, row)| row >> value & 1 == 1).map(|(pivot, _)| 1 << pivot).sum())
}

/// The number whose places are those of n where the mask has them.
fn masked(mask: u64, reached: u64, places: u32) -> Formula {
    let n = Formula::Var(0);
    let missing = i128::from(reached & !mask);
    if missing == 0 {
        return n;
    }
    if mask & (mask + 1) == 0 {
        return n.modulo(i128::from(mask) + 1);
    }
    if mask >> (places - 1) & 1 == 0 {
        return n.op(Op::Meet, Formula::Int(i128::from(mask)));
    }
    let rest = if missing & (missing + 1) == 0 {
        n.clone().modulo(missing + 1)
    } else {
        n.clone().op(Op::Meet, Formula::Int(missing))
    };
    n.op(Op::Sub, rest)
}

fn shifted(of: Formula, shift: i64) -> Formula {
    let places = u32::try_from(shift.unsigned_abs()).unwrap_or(0).min(60);
    if shift >= 0 { of.over(1 << places) } else { of.times(1 << places) }
}

fn at(place: u32) -> usize {
    width::index(place)
}

/// Longer periods are only listed.
const LONG: usize = 64;

/// Formulas of n mod p for the values of the residues 0..p. The last one is the list itself.
pub fn of_residues(list: &[i128]) -> Vec<Formula> {
    let n = || Formula::Var(0);
    let Some(first) = list.first() else { return Vec::new() };
    if list.iter().all(|value| value == first) {
        return vec![Formula::Int(*first)];
    }
    let p = whole(list.len());
    let mut found = Vec::new();
    let mut offer = |formula: Formula| {
        let fits = list.iter().zip(0i64..).all(|(value, r)| formula.eval(&[r]) == Some(*value));
        if fits {
            found.push(formula);
        }
    };
    if list.len() <= LONG {
        let most = list.iter().max().copied().unwrap_or(0);
        for shift in 0..p {
            let up = n().plus(shift).modulo(p);
            let down = Formula::Int(shift).op(Op::Sub, n()).modulo(p);
            // A shift that gives the last residue reads better as a shift down.
            let back = n().plus(shift - p).modulo(p);
            let turned = if shift * 2 > p { back } else { up };
            for base in [turned, down] {
                offer(base.clone());
                offer(Formula::Call(Word::Min, vec![base.clone(), Formula::Int(most)]));
                for d in 2..p {
                    offer(base.clone().over(d));
                    offer(base.clone().modulo(d));
                }
            }
        }
        let values: Vec<i128> = list.iter().copied().collect::<std::collections::BTreeSet<_>>().into_iter().collect();
        if let [one, other] = values[..] {
            let r = n().modulo(p);
            let places = |value: i128| list.iter().zip(0..).filter(|(v, _)| **v == value).map(|(_, r)| r).collect();
            let (a, b): (Vec<i128>, Vec<i128>) = (places(one), places(other));
            let (few, yes, no) = if a.len() <= b.len() { (a, one, other) } else { (b, other, one) };
            let condition = r.among(few, true);
            offer(Formula::If(Box::new(condition), Box::new(Formula::Int(yes)), Box::new(Formula::Int(no))));
        }
    }
    found.push(Formula::Pick(list.to_vec(), Box::new(n().modulo(p))));
    found
}

/// Conditions on n mod p that hold for the residues whose value is 1.
pub fn residue_conditions(list: &[i128]) -> Vec<Formula> {
    if let Some(first) = list.first()
        && list.iter().all(|value| value == first)
    {
        return vec![Formula::Truth(*first == 1)];
    }
    let p = whole(list.len());
    members(&Formula::Var(0).modulo(p), list)
}

/// Conditions on a number 0..k that hold where the value is 1, whatever stands beyond.
pub(super) fn members(of: &Formula, list: &[i128]) -> Vec<Formula> {
    let places = |wanted: i128| -> Vec<i128> {
        list.iter().zip(0..).filter(|(value, _)| **value == wanted).map(|(_, r)| r).collect()
    };
    let (holding, failing) = (places(1), places(0));
    let mut found = Vec::new();
    let below = |places: &[i128]| places.iter().zip(0..).all(|(place, at)| *place == at);
    if holding.len() > 1 && below(&holding) {
        found.push(of.clone().op(Op::Lt, Formula::Int(whole(holding.len()))));
    }
    if failing.len() > 1 && below(&failing) {
        found.push(of.clone().op(Op::Ge, Formula::Int(whole(failing.len()))));
    }
    found.push(of.clone().among(holding, true));
    found.push(of.clone().among(failing, false));
    found
}

pub(super) fn whole(length: usize) -> i128 {
    i128::try_from(length).unwrap_or(i128::MAX)
}

/// From some place on v(n + length) = v(n) + saltus.
struct Pattern {
    length: usize,
    saltus: i128,
    /// The first index from which it holds.
    start: usize,
    /// How many values before that are not as if it had always held.
    exceptions: usize,
}

/// So many patterns of one series are worth stating.
const STATED: usize = 3;

/// Formulas for the patterns that the end of a series shows: three full periods at least, and over a third of the values;
/// length and exceptions are at most `room` together, and three eighths of the values. Time: quadratic in their number.
pub(super) fn periodic(series: &Series, room: usize) -> Vec<Formula> {
    let room = room.min(series.len() * 3 / 8);
    let longest = (series.len() / 3).min(room);
    let mut patterns: Vec<Pattern> = (1..=longest).filter_map(|length| pattern(series, length, room)).collect();
    patterns.sort_by_key(|pattern| pattern.length + 2 * pattern.exceptions);
    // Multiples of a period say nothing more.
    let mut kept: Vec<Pattern> = Vec::new();
    for pattern in patterns {
        let implied = |known: &Pattern| pattern.length % known.length == 0 && pattern.exceptions >= known.exceptions;
        if kept.len() < STATED && !kept.iter().any(implied) {
            kept.push(pattern);
        }
    }
    kept.iter().flat_map(|pattern| formulas(series, pattern)).collect()
}

fn pattern(series: &Series, length: usize, room: usize) -> Option<Pattern> {
    let values = &series.values;
    let count = values.len();
    let step = |at: usize| values[at + length].checked_sub(values[at]);
    let saltus = step(count.checked_sub(length + 1)?)?;
    if series.sort == Sort::Truth && saltus != 0 {
        return None;
    }
    let mut start = count - length;
    while start > 0 && step(start - 1) == Some(saltus) {
        start -= 1;
    }
    if count - start < (3 * length).max(count / 3) {
        return None;
    }
    let mut exceptions = 0;
    // What each value would be, from the end down.
    let mut regular = values.clone();
    for at in (0..start).rev() {
        regular[at] = regular[at + length].checked_sub(saltus)?;
        exceptions += usize::from(regular[at] != values[at]);
    }
    (length + exceptions <= room).then_some(Pattern { length, saltus, start, exceptions })
}

fn formulas(series: &Series, pattern: &Pattern) -> Vec<Formula> {
    let regular = series.without(pattern.start);
    let forms = match (series.sort, pattern.saltus) {
        (Sort::Truth, _) => residue_conditions(&by_residue(&regular, pattern.length, |_, value| value)),
        (Sort::Number, 0) => of_residues(&by_residue(&regular, pattern.length, |_, value| value)),
        (Sort::Number, saltus) => sloped(&regular, pattern.length, saltus),
    };
    forms.into_iter().map(|form| series.patched(form)).collect()
}

/// What the first values of a regular series give, by their residues.
fn by_residue(regular: &Series, length: usize, of: impl Fn(i128, i128) -> i128) -> Vec<i128> {
    let mut list = vec![0; length];
    let modulus = width::int(length);
    for (n, value) in regular.entries().take(length) {
        list[usize::try_from(n.rem_euclid(modulus)).unwrap_or(0)] = of(i128::from(n), value);
    }
    list
}

/// (s n + b(n mod p)) div q where s / q is the slope in lowest terms; with the same b for all residues if there is one.
fn sloped(regular: &Series, length: usize, saltus: i128) -> Vec<Formula> {
    let n = Formula::Var(0);
    let modulus = i128::try_from(length).unwrap_or(i128::MAX);
    let common = num_integer::gcd(modulus, saltus);
    let (rise, run) = (saltus / common, modulus / common);
    let over = |added: Formula| match added {
        Formula::Int(b) => n.clone().times(rise).plus(b).over(run),
        added => n.clone().times(rise).op(Op::Add, added).over(run),
    };
    let mut found = Vec::new();
    // v = (s n + b) div q exactly when q v - s n <= b < q v - s n + q.
    let bounds = regular.entries().take(length).map(|(n, value)| run * value - rise * i128::from(n));
    let (low, high) = bounds.fold((i128::MIN, i128::MAX), |(low, high), b| (low.max(b), high.min(b + run - 1)));
    if low <= high {
        found.push(over(Formula::Int(if low > 0 { low } else { high.min(0) })));
    }
    let list = by_residue(regular, length, |n, value| run * value - rise * n);
    found.extend(of_residues(&list).into_iter().map(over));
    if length > 1 && rise != saltus {
        let list = by_residue(regular, length, |n, value| value - saltus * n.div_euclid(modulus));
        let steps = n.clone().over(modulus).times(saltus);
        found.extend(of_residues(&list).into_iter().map(|added| steps.clone().op(Op::Add, added)));
    }
    found
}

/// Lines by residue are tried for these moduli.
const LINE_MODULI: std::ops::RangeInclusive<usize> = 2..=4;

/// Formulas where not all lines rise by the same.
pub fn lines_by_residue(series: &Series) -> Vec<Formula> {
    LINE_MODULI.filter_map(|modulus| lines(series, modulus)).filter(|formula| series.fits(formula)).collect()
}

fn lines(series: &Series, modulus: usize) -> Option<Formula> {
    /// A line is seen by so many values.
    const SEEN: usize = 3;
    if series.len() < SEEN * modulus {
        return None;
    }
    let m = whole(modulus);
    let mut cases: Vec<(i128, Formula)> = Vec::new();
    let mut rises = Vec::new();
    for (index, (n, value)) in series.entries().take(modulus).enumerate() {
        let rise = series.values[index + modulus].checked_sub(value)?;
        let n = i128::from(n);
        let added = m.checked_mul(value)?.checked_sub(rise.checked_mul(n)?)?;
        let common = num_integer::gcd(num_integer::gcd(rise, added), m);
        let line = match rise / common {
            0 => Formula::Int(added / common),
            rise => Formula::Var(0).times(rise).plus(added / common),
        };
        rises.push(rise);
        cases.push((n.rem_euclid(m), line.over(m / common)));
    }
    if rises.windows(2).all(|pair| pair[0] == pair[1]) {
        return None;
    }
    cases.sort_by_key(|(residue, _)| *residue);
    let (_, last) = cases.pop()?;
    let choose = |rest: Formula, (residue, line): (i128, Formula)| {
        let condition = Formula::Var(0).modulo(m).op(Op::Eq, Formula::Int(residue));
        Formula::If(Box::new(condition), Box::new(line), Box::new(rest))
    };
    Some(cases.into_iter().rev().fold(last, choose))
}
