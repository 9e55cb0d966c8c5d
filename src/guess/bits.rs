//! Forms in binary places: (n + a xor c) + d, n & m, 2n + parity, and functions whose binary places are sums modulo 2 of those of n.

use crate::guess::formula::{Formula, Op, Word};
use crate::guess::points::Series;

/// Numbers are shifted so far at most before their places are looked at.
const SHIFTS: std::ops::RangeInclusive<i128> = -4..=4;
/// Numbers of so many places at most.
const PLACES: u32 = 24;

/// Formulas for values above 0 or 0.
pub(super) fn candidates(series: &Series) -> Vec<Formula> {
    let n = || Formula::Var(0);
    let Some((last, end)) = series.entries().next_back() else { return Vec::new() };
    if series.values.iter().any(|value| *value < 0) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut offer = |formula: Formula| {
        if series.fits(&formula) {
            found.push(formula);
        }
    };
    for shift in SHIFTS {
        let moved = i128::from(last) + shift;
        if moved < 0 {
            continue;
        }
        let of = n().plus(shift);
        // (n + shift) xor c, and a constant more or less behind it.
        for more in SHIFTS {
            let before = end - more;
            if before >= 0 && before != moved && (more == 0 || (moved ^ before) > 1) {
                offer(of.clone().op(Op::Xor, Formula::Int(moved ^ before)).plus(more));
            }
        }
        let parity = of.clone().under(Word::DigitSum(2));
        let twice = of.clone().times(2);
        offer(twice.clone().op(Op::Add, parity.clone().modulo(2)));
        offer(twice.op(Op::Add, parity.plus(1).modulo(2)));
    }
    let mask = series.values.iter().fold(0, |mask, value| mask | value);
    offer(n().op(Op::Meet, Formula::Int(mask)));
    if let Some(formula) = affine(series) {
        offer(formula);
    }
    found
}

/// The affine function over the field of two elements that maps the places of n to those of the value, if there is one:
/// for each place of the value a linear system in the places of n (Gaussian elimination). Places of n that no value tells
/// apart count as not used, and what holds for the greatest known place is taken to hold for all greater ones.
fn affine(series: &Series) -> Option<Formula> {
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
    // What is free is 0.
    Some(pivots.iter().filter(|(_, row)| row >> value & 1 == 1).map(|(pivot, _)| 1 << pivot).sum())
}

/// The number whose places are those of n where the mask has them.
fn masked(mask: u64, reached: u64, places: u32) -> Formula {
    let n = Formula::Var(0);
    let missing = i128::from(reached & !mask);
    if missing == 0 {
        return n;
    }
    if mask >> (places - 1) & 1 == 0 {
        return n.op(Op::Meet, Formula::Int(i128::from(mask)));
    }
    n.clone().op(Op::Sub, n.op(Op::Meet, Formula::Int(missing)))
}

/// Shifted down by so many places, or up.
fn shifted(of: Formula, shift: i64) -> Formula {
    let places = u32::try_from(shift.unsigned_abs()).unwrap_or(0).min(60);
    if shift >= 0 { of.over(1 << places) } else { of.times(1 << places) }
}

fn at(place: u32) -> usize {
    usize::try_from(place).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use crate::guess::bits::affine;
    use crate::guess::formula::text;
    use crate::guess::points::{Series, Sort};

    fn found(of: impl Fn(i128) -> i128) -> Option<String> {
        let series = Series { first: 0, values: (0..100).map(of).collect(), sort: Sort::Number };
        let formula = affine(&series)?;
        assert!(series.fits(&formula), "{formula:?}");
        Some(text(&formula, &["n".to_string()], false))
    }

    #[test]
    fn sums_of_places() {
        assert_eq!(found(|n| n ^ (n >> 1)).as_deref(), Some("n div 2 xor n"));
        assert_eq!(found(|n| (n & !6) ^ 1).as_deref(), Some("n - (n & 6) xor 1"));
        assert_eq!(found(|n| n & 0xc).as_deref(), Some("n & 12"));
        assert_eq!(found(|n| (4 * n) ^ n ^ 9).as_deref(), Some("4 * n xor n xor 9"));
        assert_eq!(
            found(|n| 2 * n + i128::from(n.count_ones() % 2)).as_deref(),
            Some("sum(digits(n, 2)) mod 2 xor 2 * n")
        );
        assert_eq!(found(|n| n + n / 2), None);
    }
}
