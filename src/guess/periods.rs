//! Values that repeat, at once or after a while, perhaps plus the same amount each time, with finitely many exceptions.

use crate::guess::formula::{Formula, Op};
use crate::guess::residues;
use crate::guess::series::{Series, Sort};

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
pub(super) fn candidates(series: &Series, room: usize) -> Vec<Formula> {
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
        (Sort::Truth, _) => residues::truths(&by_residue(&regular, pattern.length, |_, value| value)),
        (Sort::Number, 0) => residues::numbers(&by_residue(&regular, pattern.length, |_, value| value)),
        (Sort::Number, saltus) => sloped(&regular, pattern.length, saltus),
    };
    forms.into_iter().map(|form| series.patched(form)).collect()
}

/// What the first values of a regular series give, by their residues.
fn by_residue(regular: &Series, length: usize, of: impl Fn(i128, i128) -> i128) -> Vec<i128> {
    let mut list = vec![0; length];
    let modulus = i64::try_from(length).unwrap_or(i64::MAX);
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
    found.extend(residues::numbers(&list).into_iter().map(over));
    if length > 1 && rise != saltus {
        let list = by_residue(regular, length, |n, value| value - saltus * n.div_euclid(modulus));
        let steps = n.clone().over(modulus).times(saltus);
        found.extend(residues::numbers(&list).into_iter().map(|added| steps.clone().op(Op::Add, added)));
    }
    found
}
