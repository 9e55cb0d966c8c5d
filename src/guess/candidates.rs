//! All candidate forms for values of one variable, from the simplest up (`docs/language.md`, "Guessing").
//!
//! Each rung takes a series of values and returns formulas that have all of them; a series is also tried without its
//! first values, which become exceptions. A rung may propose too much, since every formula is held against all points
//! afterwards. What does not fit the points that it was given it may not propose.

use crate::guess::formula::Formula;
use crate::guess::points::{Series, Sort};
use crate::guess::{beatty, bits, residues, statistics};

/// Forms with few numbers in them are tried on the series without so many of its first values too.
const LATE: [usize; 9] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/// Of costly forms only so many.
const LATE_SURDS: usize = 3;
/// What is left must have so many values.
const LEAST: usize = 6;

/// All forms that have the values of a series and no more than `room` numbers to choose, in order of [`Formula::cost`].
pub(super) fn forms(series: &Series, room: usize) -> Vec<Formula> {
    let mut found = residues::periodic(series, room);
    for (step, late) in LATE.into_iter().enumerate() {
        let tail = series.without(late);
        if tail.len() < LEAST || late > series.len() / 4 {
            break;
        }
        let mut forms = statistics::candidates(&tail);
        match series.sort {
            Sort::Number => {
                forms.extend(bits::candidates(&tail));
                forms.extend(residues::lines_by_residue(&tail));
                forms.extend(beatty::roots(&tail));
                if step < LATE_SURDS {
                    forms.extend(beatty::floors(&tail));
                }
            }
            Sort::Truth if step < LATE_SURDS => forms.extend(beatty::sets(&tail)),
            Sort::Truth => {}
        }
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

#[cfg(test)]
mod tests {
    use crate::guess::candidates::forms;
    use crate::guess::formula::text;
    use crate::guess::points::{Series, Sort};

    fn best(sort: Sort, first: i64, of: impl Fn(i64) -> i128) -> String {
        let values = (first..first + 67).map(of).collect();
        let series = Series { first, values, sort };
        let found = forms(&series, 25);
        assert!(found.iter().all(|formula| series.fits(formula)), "{found:?}");
        found.first().map_or_else(|| "none".into(), |formula| text(formula, &["n".to_string()], false))
    }

    #[test]
    fn numbers() {
        let number = |of: fn(i64) -> i128| best(Sort::Number, 0, of);
        assert_eq!(number(|_| 7), "7");
        assert_eq!(number(|n| (n % 4).into()), "n mod 4");
        assert_eq!(number(|n| (n + 1).into()), "n + 1");
        assert_eq!(number(|n| ((3 * n + 1) / 4).into()), "(3 * n + 1) div 4");
        assert_eq!(number(|n| (n ^ 1).into()), "n xor 1");
        assert_eq!(number(|n| ((n + 1) ^ 1).into()), "n + 1 xor 1");
        assert_eq!(number(|n| ((n ^ 5) + 3).into()), "(n xor 5) + 3");
        assert_eq!(number(|n| (((n + 2) ^ 0xc) + 1).into()), "(n + 2 xor 12) + 1");
        assert_eq!(number(|n| (n ^ (n / 2)).into()), "n div 2 xor n");
        assert_eq!(number(|n| (n.count_ones() % 3).into()), "sum(digits(n, 2)) mod 3");
        assert_eq!(
            number(|n| (2 * n + i64::from(n.count_ones() % 2 == 0)).into()),
            "2 * n + (sum(digits(n, 2)) + 1) mod 2"
        );
        assert_eq!(number(|n| ((n + 1).trailing_zeros()).into()), "valuation(n + 1, 2)");
        assert_eq!(
            number(|n| if n == 0 { 0 } else { (1 << n.trailing_zeros()).into() }),
            "(if n == 0 then 0 else 2 ** valuation(n, 2))"
        );
        assert_eq!(number(|n| i64::midpoint(n, (5 * n * n).isqrt()).into()), "floor(n * (1 + sqrt(5)) / 2)");
        assert_eq!(number(|n| i128::from(n).isqrt()), "floor(sqrt(n))");
        assert_eq!(number(|n| (n * (n + 1) / 2).into()), "(n ** 2 + n) div 2");
        let lasker = |n: i64| match n % 4 {
            _ if n == 0 => 0,
            3 => n + 1,
            0 => n - 1,
            _ => n,
        };
        assert_eq!(best(Sort::Number, 0, |n| lasker(n).into()), "(if n == 0 then 0 else n + [-1, 0, 0, 1][n mod 4])");
    }

    #[test]
    fn truths() {
        let truth = |of: fn(i64) -> bool| best(Sort::Truth, 0, |n| of(n).into());
        assert_eq!(truth(|_| true), "true");
        assert_eq!(truth(|n| n % 4 == 1), "n mod 4 == 1");
        assert_eq!(truth(|n| n == 0), "n == 0");
        assert_eq!(truth(|n| n.count_ones() == 1), "sum(digits(n, 2)) == 1");
        assert_eq!(truth(|n| (n + 1).count_ones() == 1), "sum(digits(n + 1, 2)) == 1");
        assert_eq!(truth(|n| n.isqrt().pow(2) == n), "floor(sqrt(n)) ** 2 == n");
        assert_eq!(truth(|n| [1, 2, 3, 5, 8, 13, 21, 34, 55].contains(&n)), "size(zeckendorf(n)) == 1");
        assert_eq!(truth(|n| n > 0 && n.trailing_zeros() % 2 == 0), "n != 0 and valuation(n, 2) mod 2 == 0");
        let lower = |n: i64| (0..60).any(|k: i64| i64::midpoint(k, (5 * k * k).isqrt()) == n);
        assert_eq!(best(Sort::Truth, 0, |n| lower(n).into()), "n < 2 or last(zeckendorf(n - 1)) != 1");
        let multiple = |n: i64| (0..60).any(|k: i64| (2 * k * k).isqrt() == n);
        let found = best(Sort::Truth, 0, |n| multiple(n).into());
        assert_eq!(found, "floor(ceil(n / sqrt(2)) * sqrt(2)) == n");
    }

    #[test]
    fn nothing_where_there_is_nothing() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            i128::from(state >> 60)
        };
        let values = (0..67).map(|_| random()).collect();
        let found = forms(&Series { first: 0, values, sort: Sort::Number }, 25);
        assert_eq!(found, []);
    }
}
