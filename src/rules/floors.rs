//! The floor of a linear function with a root in it, `(a n + b + (c n + d) sqrt(r)) / e` for an int `n`: made ready once for a
//! rule, exact in 128 bits where they suffice and in big numbers elsewhere.

use super::value::{Surd, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{ToPrimitive, Zero};

/// A real function `by * n + plus` of an int.
#[derive(Clone, Debug)]
pub(crate) struct Linear {
    by: Surd,
    plus: Surd,
}

impl Linear {
    /// The int itself.
    pub(crate) fn identity() -> Linear {
        Linear { by: Surd::from_int(&BigInt::from(1)), plus: Surd::from_int(&BigInt::zero()) }
    }

    /// A number; `None` for what is none.
    pub(crate) fn constant(value: &Value) -> Option<Linear> {
        Some(Linear { by: Surd::from_int(&BigInt::zero()), plus: Surd::of(value).ok()? })
    }

    fn number(&self) -> Option<&Surd> {
        (self.by.a.is_zero() && self.by.b.is_zero()).then_some(&self.plus)
    }

    /// The sum or the difference. `None`: two roots would have to be combined.
    pub(crate) fn plus(&self, other: &Linear, negative: bool) -> Option<Linear> {
        let by = self.by.plus(&other.by, negative).ok()?;
        Some(Linear { by, plus: self.plus.plus(&other.plus, negative).ok()? })
    }

    /// The product. `None` likewise, or when it is not linear.
    pub(crate) fn times(&self, other: &Linear) -> Option<Linear> {
        let (line, number) = match (self.number(), other.number()) {
            (_, Some(number)) => (self, number),
            (Some(number), _) => (other, number),
            _ => return None,
        };
        Some(Linear { by: line.by.times(number).ok()?, plus: line.plus.times(number).ok()? })
    }

    /// The quotient. `None` likewise, or when the divisor is no number or 0.
    pub(crate) fn over(&self, other: &Linear) -> Option<Linear> {
        let inverse = other.number()?.inverse().ok()?;
        Some(Linear { by: self.by.times(&inverse).ok()?, plus: self.plus.times(&inverse).ok()? })
    }

    /// Its floor, or its ceiling. `None`: it has two roots, or numbers beyond 64 bits.
    pub(crate) fn floor(&self, up: bool) -> Option<Floor> {
        let zero = Surd::from_int(&BigInt::zero());
        // The ceiling is the negative floor of the negative.
        let (by, plus) = if up {
            (zero.plus(&self.by, true).ok()?, zero.plus(&self.plus, true).ok()?)
        } else {
            (self.by.clone(), self.plus.clone())
        };
        let root = match (by.b.is_zero(), plus.b.is_zero()) {
            (false, false) if by.c != plus.c => return None,
            (false, _) => &by.c,
            (true, _) => &plus.c,
        };
        let parts = [&by.a, &plus.a, &by.b, &plus.b];
        let below = parts.iter().fold(BigInt::from(1), |below, part| below.lcm(part.denom()));
        let whole = |part: &Ratio<BigInt>| (part.numer() * (&below / part.denom())).to_i64();
        let root = if by.b.is_zero() && plus.b.is_zero() { 0 } else { root.to_u64()? };
        let ints = [whole(&by.a)?, whole(&plus.a)?];
        let roots = [whole(&by.b)?, whole(&plus.b)?];
        Some(Floor { ints, roots, root, below: below.to_i64()?, up })
    }
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Floor {
    ints: [i64; 2],
    roots: [i64; 2],
    root: u64,
    /// At least 1.
    below: i64,
    up: bool,
}

impl Floor {
    /// For this int; `None` when it does not fit 64 bits.
    #[must_use]
    pub fn of(&self, n: i64) -> Option<i64> {
        let line = |[by, plus]: [i64; 2]| i128::from(by).checked_mul(i128::from(n))?.checked_add(i128::from(plus));
        let short = || {
            let rooted = line(self.roots)?;
            let square = rooted.unsigned_abs().checked_pow(2)?.checked_mul(u128::from(self.root))?;
            let root = square.isqrt(); // below 2^64
            let exact = root * root == square;
            let root = i128::try_from(root).ok()?;
            let floor = if rooted < 0 { -root - i128::from(!exact) } else { root };
            Some(line(self.ints)?.checked_add(floor)?.div_euclid(i128::from(self.below)))
        };
        let floor = match short() {
            Some(floor) => i64::try_from(floor).ok()?,
            None => self.long(n).to_i64()?,
        };
        if self.up { floor.checked_neg() } else { Some(floor) }
    }

    #[cold]
    fn long(&self, n: i64) -> BigInt {
        let line = |[by, plus]: [i64; 2]| Ratio::from_integer(BigInt::from(by) * n + plus);
        let below = Ratio::from_integer(BigInt::from(self.below));
        let surd = Surd { a: line(self.ints) / &below, b: line(self.roots) / &below, c: BigInt::from(self.root) };
        surd.floor()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::value::sqrt;

    fn constant(n: i64) -> Linear {
        Linear::constant(&Value::Int(n)).unwrap()
    }

    /// `(p n + q + (s n + t) sqrt(r)) / e`, by squares of integers alone: the greatest m with `e m - p n - q <= (s n + t) sqrt(r)`.
    fn is_floor(m: i128, [p, q, s, t, r, e]: [i128; 6], n: i128) -> bool {
        let at_most = |m: i128| {
            let (left, right) = (e * m - p * n - q, s * n + t);
            match (left <= 0, right >= 0) {
                (true, true) => true,
                (false, false) => false,
                (false, true) => left * left <= right * right * r,
                (true, false) => left * left >= right * right * r,
            }
        };
        at_most(m) && !at_most(m + 1)
    }

    #[test]
    fn floors_are_floors() {
        for [p, q, s, t, r, e] in
            [[1, 0, 1, 0, 5, 2], [0, 0, 1, 0, 2, 1], [3, -1, -2, 5, 7, 3], [-1, -1, 1, 1, 5, 2], [2, 1, 0, 0, 3, 3]]
        {
            let line = |by: i64, plus: i64| {
                constant(by).times(&Linear::identity()).unwrap().plus(&constant(plus), false).unwrap()
            };
            let root = Linear::constant(&sqrt(&Value::Int(r)).unwrap()).unwrap();
            let both = line(p, q).plus(&line(s, t).times(&root).unwrap(), false).unwrap();
            let function = both.over(&constant(e)).unwrap();
            let (down, up) = (function.floor(false).unwrap(), function.floor(true).unwrap());
            let wide = [p, q, s, t, r, e].map(i128::from);
            for n in (-40..40).chain([999_999_937, -1_000_000_007, 1_000_000_000_000_000_003]) {
                let floor = down.of(n).unwrap();
                assert!(is_floor(i128::from(floor), wide, i128::from(n)), "{wide:?} {n}");
                let ceiling = up.of(n).unwrap();
                assert!(ceiling == floor || ceiling == floor + 1);
                // The negative of the function, from below.
                let negative = constant(0).plus(&function, true).unwrap().floor(false).unwrap();
                assert_eq!(negative.of(n).unwrap(), -ceiling);
            }
        }
    }

    #[test]
    fn beyond_128_bits_big_numbers_tell() {
        let root = Linear::constant(&sqrt(&Value::Int(5)).unwrap()).unwrap();
        let phi = constant(1).plus(&root, false).unwrap().over(&constant(2)).unwrap();
        let lower = Linear::identity().times(&phi).unwrap().floor(false).unwrap();
        assert_eq!(lower.of(i64::MAX), None);
        let golden = root.plus(&constant(1), true).unwrap().over(&constant(2)).unwrap();
        let less = Linear::identity().times(&golden).unwrap().floor(false).unwrap();
        let n = i64::MAX;
        let expected = (BigInt::from(5) * n * n).sqrt() - n;
        assert_eq!(less.of(n), (expected / 2_i64).to_i64());
        assert!(Linear::identity().times(&Linear::identity()).is_none());
        assert!(phi.over(&constant(0)).is_none());
        let other = Linear::constant(&sqrt(&Value::Int(2)).unwrap()).unwrap();
        assert!(phi.plus(&other, false).is_none());
    }
}
