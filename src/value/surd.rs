//! Exact reals `a + b * sqrt(c)`.

use crate::value::Surd;
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{Signed, Zero};
use std::cmp::Ordering;

impl Surd {
    /// An int as a (non-canonical) surd, for comparisons.
    #[must_use]
    pub fn from_int(n: &BigInt) -> Surd {
        Surd { a: Ratio::from_integer(n.clone()), b: Ratio::zero(), c: BigInt::zero() }
    }

    /// The sign of `x + y * sqrt(c)` for `c >= 0`: exact, by squares.
    fn sign(x: &Ratio<BigInt>, y: &Ratio<BigInt>, c: &BigInt) -> Ordering {
        let zero = Ratio::zero();
        let (sx, sy) = (x.cmp(&zero), if c.is_zero() { Ordering::Equal } else { y.cmp(&zero) });
        if sx == sy || sy == Ordering::Equal {
            return sx;
        }
        if sx == Ordering::Equal {
            return sy;
        }
        let squares = (x * x).cmp(&(y * y * Ratio::from_integer(c.clone())));
        if sx == Ordering::Greater { squares } else { squares.reverse() }
    }

    /// The order of two reals; exact for roots of different numbers too.
    #[must_use]
    pub fn compare(&self, other: &Surd) -> Ordering {
        let x = &self.a - &other.a;
        if self.c == other.c || other.b.is_zero() {
            return Surd::sign(&x, &(&self.b - &other.b), &self.c);
        }
        if self.b.is_zero() {
            return Surd::sign(&x, &(-&other.b), &other.c);
        }
        // x + b1 sqrt(c1) against b2 sqrt(c2): compare signs, then squares x^2 + b1^2 c1 + 2 x b1 sqrt(c1) with b2^2 c2.
        let left = Surd::sign(&x, &self.b, &self.c);
        let right = other.b.cmp(&Ratio::zero());
        if left != right {
            return left.cmp(&right);
        }
        let two = Ratio::from_integer(BigInt::from(2));
        let constant = &x * &x + &self.b * &self.b * Ratio::from_integer(self.c.clone())
            - &other.b * &other.b * Ratio::from_integer(other.c.clone());
        let squares = Surd::sign(&constant, &(two * &x * &self.b), &self.c);
        if other.b.is_negative() { squares.reverse() } else { squares }
    }
}
