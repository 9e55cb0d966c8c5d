//! Roundings of multiples of a quadratic surd, of roots and of squares; sets of such numbers.

use crate::guess::candidates;
use crate::guess::data::{Series, Sort};
use crate::guess::formula::{Formula, Op, Word};

/// The multiples are counted from so much beside n, and so much is added to them.
const SHIFTS: std::ops::RangeInclusive<i64> = -2..=2;
const TRIED: usize = 6;
/// Fewer values say nothing about a slope.
const LEAST: usize = 8;

/// v(n) = floor((n + c) alpha) + d: each value bounds alpha, and the shortest surds within all bounds are tried (Beatty sequences:
/// Fraenkel, The bracket function and complementary sets of integers, 1969).
pub(super) fn floors(series: &Series) -> Vec<Formula> {
    let mut found = Vec::new();
    if series.len() < LEAST {
        return found;
    }
    for c in SHIFTS {
        for d in SHIFTS {
            let Some((low, high)) = slope(series, c, i128::from(d)) else { continue };
            for surd in Surd::between(low, high).into_iter().take(TRIED) {
                let of = Formula::Var(0).plus(i128::from(c));
                let formula = Formula::Floor(Box::new(of), surd).plus(i128::from(d));
                if series.fits(&formula) {
                    found.push(formula);
                }
            }
        }
    }
    found
}

/// Between which fractions the slope lies, if it can be one at all.
fn slope(series: &Series, c: i64, d: i128) -> Option<(Fraction, Fraction)> {
    let (mut low, mut high): (Fraction, Fraction) = ((0, 1), (i128::from(u32::MAX), 1));
    let less = |a: Fraction, b: Fraction| a.0 * b.1 < b.0 * a.1;
    for (n, value) in series.entries() {
        let n = i128::from(n) + i128::from(c);
        let value = value.checked_sub(d).filter(|v| *v >= 0 && *v < 1 << 60)?;
        if n < 0 || n == 0 && value != 0 {
            return None;
        }
        if n > 0 {
            low = if less(low, (value, n)) { (value, n) } else { low };
            high = if less((value + 1, n), high) { (value + 1, n) } else { high };
        }
        if !less(low, high) {
            return None;
        }
    }
    Some((low, high))
}

/// Roots and squares: floor((sqrt(a n + b) + c) / d), b ** n + c, and quadratic polynomials.
pub(super) fn roots(series: &Series) -> Vec<Formula> {
    let n = || Formula::Var(0);
    let mut found = Vec::new();
    for a in [1, 2, 4, 8] {
        for b in -2..=9 {
            let root = n().times(a).plus(b).under(Word::Root);
            found.extend((-3..=3).flat_map(|c| [root.clone().plus(c), root.clone().plus(c).over(2)]));
        }
    }
    if let Some((last, end)) = series.entries().next_back() {
        for base in 2..=10 {
            let power = Formula::Int(base).op(Op::Pow, n());
            if let Some(known) = power.eval(&[last]) {
                found.push(power.plus(end.saturating_sub(known)));
            }
        }
    }
    found.extend(QUADRATIC_PERIODS.filter_map(|period| quadratic(series, period)).flatten());
    found
}

/// Numbers that are added to a quadratic polynomial have a period up to this.
const QUADRATIC_PERIODS: std::ops::RangeInclusive<usize> = 1..=6;

/// v = (a n^2 + b n + c(n mod p)) div d: second differences over p places are the same (quasi-polynomials of degree 2: Ehrhart 1962).
fn quadratic(series: &Series, period: usize) -> Option<Vec<Formula>> {
    let values = &series.values;
    let large = series.first.unsigned_abs() > 1 << 30 || values.iter().any(|value| value.unsigned_abs() > 1 << 40);
    if large || values.len() < 4 * period {
        return None;
    }
    let p = i128::try_from(period).ok()?;
    let second = |at: usize| values[at + 2 * period] - 2 * values[at + period] + values[at];
    let rise = second(0);
    if rise == 0 || (1..values.len() - 2 * period).any(|at| second(at) != rise) {
        return None;
    }
    // With d = 2 p^2 the square has the factor `rise`, and the rest goes up by the same steps for all residues, or there is none.
    let d = 2 * p * p;
    let rest: Vec<i128> = series.entries().map(|(n, value)| d * value - rise * i128::from(n).pow(2)).collect();
    let step = rest[period] - rest[0];
    if (1..period).any(|at| rest[at + period] - rest[at] != step) || step % p != 0 {
        return None;
    }
    let line = step / p;
    let mut added = vec![0; period];
    for ((n, _), rest) in series.entries().zip(&rest).take(period) {
        added[usize::try_from(n.rem_euclid(i64::try_from(period).ok()?)).ok()?] = rest - line * i128::from(n);
    }
    let written = |common: i128, added: Formula| {
        let (rise, line, d) = (rise / common, line / common, d / common);
        let square = Formula::Var(0).op(Op::Pow, Formula::Int(2)).times(rise);
        let sum = match line {
            0 => square,
            line if line < 0 => square.op(Op::Sub, Formula::Var(0).times(-line)),
            line => square.op(Op::Add, Formula::Var(0).times(line)),
        };
        match added {
            Formula::Int(n) => sum.plus(n).over(d),
            added => sum.op(Op::Add, added).over(d),
        }
    };
    let mut found = Vec::new();
    // One number does for all residues where the division takes away what is too much.
    let common = num_integer::gcd(num_integer::gcd(rise, line), d);
    let (low, high) = (*added.iter().max()?, added.iter().min()? + d - 1);
    let one = if low <= 0 && high >= 0 { 0 } else { low.max(high.min(0)) };
    if low <= high {
        found.push(written(common, Formula::Int(one.div_euclid(common))));
    }
    let common = added.iter().fold(common, |a, b| num_integer::gcd(a, *b));
    let added: Vec<i128> = added.iter().map(|n| n / common).collect();
    found.extend(candidates::of_residues(&added).into_iter().map(|added| written(common, added)));
    Some(found)
}

/// Squares, triangular numbers and members of Beatty sequences among the places where the value is 1, or where it is 0.
pub(super) fn sets(series: &Series) -> Vec<Formula> {
    let n = || Formula::Var(0);
    let mut found = Vec::new();
    let both = |formula: Formula| {
        let not = match &formula {
            Formula::Binary(Op::Eq, a, b) => Formula::Binary(Op::Ne, a.clone(), b.clone()),
            other => other.clone().op(Op::Iff, Formula::Truth(false)),
        };
        [formula, not]
    };
    for a in [1, 2, 3, 4, 5, 8, 24] {
        for b in -4..=9 {
            let of = n().times(a).plus(b);
            let root = of.clone().under(Word::Root).op(Op::Pow, Formula::Int(2));
            found.extend(both(root.op(Op::Eq, of)));
        }
    }
    for wanted in [1, 0] {
        let places = series.entries().filter(|(_, value)| *value == wanted).map(|(n, _)| i128::from(n)).collect();
        let sequence = Series { first: 1, values: places, sort: Sort::Number };
        for floor in floors(&sequence) {
            let (surd, d) = match floor {
                Formula::Floor(_, surd) => (surd, 0),
                Formula::Binary(op, floor, d) => match (op, *floor, *d) {
                    (Op::Add, Formula::Floor(_, surd), Formula::Int(d)) => (surd, d),
                    (Op::Sub, Formula::Floor(_, surd), Formula::Int(d)) => (surd, -d),
                    _ => continue,
                },
                _ => continue,
            };
            // Below 1 all naturals are multiples rounded down.
            if !surd.exceeds((1, 1)) {
                continue;
            }
            let member = Formula::Member(Box::new(n().plus(-d)), surd);
            found.extend(both(member));
        }
    }
    found
}

/// (p + sqrt(q)) / r with q > 0 no square and r > 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Surd {
    /// What is added to the root.
    pub p: i32,
    /// What stands under the root.
    pub q: i32,
    /// The divisor.
    pub r: i32,
}

/// A fraction with a denominator above 0.
pub type Fraction = (i128, i128);

impl Surd {
    /// floor(n * self) for naturals n; the root may be rounded down first because the rest is whole.
    pub fn floor_times(self, n: i128) -> Option<i128> {
        if n < 0 {
            return None;
        }
        let root = n.checked_mul(n)?.checked_mul(i128::from(self.q))?.isqrt();
        Some(n.checked_mul(i128::from(self.p))?.checked_add(root)?.div_euclid(i128::from(self.r)))
    }

    /// Whether some multiple k * self with a natural k lies in [m, m + 1). The surd is above 1.
    pub fn has_multiple_in(self, m: i128) -> Option<bool> {
        if m < 0 {
            return None;
        }
        // The least k with k * self >= m is at most m.
        let (mut low, mut high) = (0, m);
        while low < high {
            let middle = i128::midpoint(low, high);
            if self.floor_times(middle)? >= m {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Some(self.floor_times(low)? == m)
    }

    /// Whether this is greater than a fraction (it is never equal): sqrt(q) > (r a - p b) / b.
    pub fn exceeds(self, (a, b): Fraction) -> bool {
        let right = i128::from(self.r) * a - i128::from(self.p) * b;
        right < 0 || b * b * i128::from(self.q) > right * right
    }

    pub(super) fn cost(self) -> u32 {
        let number = |n: i32| 1 + (32 - n.unsigned_abs().leading_zeros()) / 2 + u32::from(n < 0);
        let sum = if self.p == 0 { 0 } else { 2 + number(self.p) };
        let quotient = if self.r == 1 { 0 } else { 2 + number(self.r) };
        3 + number(self.q) + sum + quotient
    }

    pub(super) fn parameters(self) -> usize {
        1 + usize::from(self.p != 0) + usize::from(self.r != 1)
    }

    /// The surds between two fractions whose numbers are small, shortest first.
    pub fn between(low: Fraction, high: Fraction) -> Vec<Surd> {
        let mut found = Vec::new();
        for r in 1..=6 {
            for p in -8..=8 {
                for q in (2..=60i32).filter(|q| q.isqrt().pow(2) != *q) {
                    let surd = Surd { p, q, r };
                    if surd.exceeds(low) && !surd.exceeds(high) {
                        found.push(surd);
                    }
                }
            }
        }
        found.sort_by_key(|surd| surd.cost());
        found
    }
}
