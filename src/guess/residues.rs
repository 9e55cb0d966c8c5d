//! Functions of a number modulo a period, written as shortly as may be.

use crate::guess::formula::{Formula, Op, Word};
use crate::guess::points::{Series, Sort};

/// Longer periods are only listed.
const LONG: usize = 64;

/// Formulas of n mod p for the values of the residues 0..p. The last one is the list itself.
pub(super) fn numbers(list: &[i128]) -> Vec<Formula> {
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
        if let [one, other] = two(list)[..] {
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

/// The two values of a list of two values.
fn two(list: &[i128]) -> Vec<i128> {
    let mut values = list.to_vec();
    values.sort_unstable();
    values.dedup();
    values
}

/// Conditions on n mod p that hold for the residues whose value is 1.
pub(super) fn truths(list: &[i128]) -> Vec<Formula> {
    if let Some(first) = list.first()
        && list.iter().all(|value| value == first)
    {
        return vec![Formula::Truth(*first == 1)];
    }
    let p = whole(list.len());
    set(&Formula::Var(0).modulo(p), list)
}

/// Conditions on a number 0..k that hold where the value is 1, whatever stands beyond.
pub(super) fn set(of: &Formula, list: &[i128]) -> Vec<Formula> {
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

/// A length as a number of formulas.
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
        (Sort::Truth, _) => truths(&by_residue(&regular, pattern.length, |_, value| value)),
        (Sort::Number, 0) => numbers(&by_residue(&regular, pattern.length, |_, value| value)),
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
    found.extend(numbers(&list).into_iter().map(over));
    if length > 1 && rise != saltus {
        let list = by_residue(regular, length, |n, value| value - saltus * n.div_euclid(modulus));
        let steps = n.clone().over(modulus).times(saltus);
        found.extend(numbers(&list).into_iter().map(|added| steps.clone().op(Op::Add, added)));
    }
    found
}

/// Residues modulo numbers up to this.
const MODULI: std::ops::RangeInclusive<usize> = 2..=4;

/// Formulas where not all lines rise by the same.
pub(super) fn lines_by_residue(series: &Series) -> Vec<Formula> {
    MODULI.filter_map(|modulus| lines(series, modulus)).filter(|formula| series.fits(formula)).collect()
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

#[cfg(test)]
mod tests {
    use crate::guess::formula::Formula;
    use crate::guess::formula::text;
    use crate::guess::points::{Series, Sort};
    use crate::guess::residues::lines_by_residue;
    use crate::guess::residues::{numbers, truths};

    fn shortest(found: &[Formula]) -> String {
        let best = found.iter().min_by_key(|formula| formula.cost()).expect("a formula");
        text(best, &["n".to_string()], false)
    }

    #[test]
    fn short_ways_to_say_it() {
        assert_eq!(shortest(&numbers(&[7, 7])), "7");
        assert_eq!(shortest(&numbers(&[0, 1, 2, 3])), "n mod 4");
        assert_eq!(shortest(&numbers(&[1, 2, 3, 0])), "(n + 1) mod 4");
        assert_eq!(shortest(&numbers(&[3, 0, 1, 2])), "(n - 1) mod 4");
        assert_eq!(shortest(&numbers(&[0, 0, 1, 1, 2, 2])), "n mod 6 div 2");
        assert_eq!(shortest(&numbers(&[0, 1, 2, 2, 2])), "min(n mod 5, 2)");
        assert_eq!(shortest(&numbers(&[0, 5, 1, 9])), "[0, 5, 1, 9][n mod 4]");
        assert_eq!(shortest(&truths(&[1, 0, 0])), "n mod 3 == 0");
        assert_eq!(shortest(&truths(&[1, 0, 1])), "n mod 3 != 1");
        assert_eq!(shortest(&truths(&[1, 0, 1, 1, 0, 0, 0])), "n mod 7 in {0, 2, 3}");
        assert_eq!(shortest(&truths(&[1, 1, 1, 0, 0, 0, 0])), "n mod 7 < 3");
    }

    #[test]
    fn each_residue_has_its_line() {
        let found = |of: fn(i128) -> i128| {
            let series = Series { first: 0, values: (0..40).map(of).collect(), sort: Sort::Number };
            lines_by_residue(&series).first().map(|formula| text(formula, &["n".to_string()], false))
        };
        let halves = found(|n| if n % 2 == 0 { n / 2 } else { 0 });
        assert_eq!(halves.as_deref(), Some("(if n mod 2 == 0 then n div 2 else 0)"));
        let three = found(|n| [n, 7, 2 * n + 1][usize::try_from(n % 3).unwrap_or(0)]);
        assert_eq!(three.as_deref(), Some("(if n mod 3 == 0 then n else if n mod 3 == 1 then 7 else 2 * n + 1)"));
        assert_eq!(found(|n| n), None);
    }
}
