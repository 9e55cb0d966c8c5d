//! Exact reals `a + b * sqrt(c)`: no floats anywhere.

use crate::source::Code;
use crate::value::{Fault, Surd, Value, wanted};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;

type Rational = Ratio<BigInt>;

impl Surd {
    /// A number as a surd, an int in a form that is not canonical (see [`Value::real`]). Errors: R01 or E03 when the
    /// value is no number.
    pub fn of(value: &Value) -> Result<Surd, Fault> {
        match value {
            Value::Real(surd) => Ok((**surd).clone()),
            Value::Int(_) | Value::Big(_) => Ok(Surd::from_int(&*value.to_big()?)),
            Value::Loop(_) => value.to_big().map(|n| Surd::from_int(&n)),
            _ => Err(wanted("a number", value)),
        }
    }

    /// The root of both, when one of them has none or both have the same.
    fn root(&self, other: &Surd) -> Result<BigInt, Fault> {
        if self.b.is_zero() || self.c == other.c {
            Ok(other.c.clone())
        } else if other.b.is_zero() {
            Ok(self.c.clone())
        } else {
            let roots = format!("sqrt({}) and sqrt({})", self.c, other.c);
            Err(Fault::new(Code::R01, format!("exact reals with different roots cannot be combined: {roots}")))
        }
    }

    /// `self + other`, or `self - other`. Error: R01 when both have roots, of different numbers.
    pub fn plus(&self, other: &Surd, negative: bool) -> Result<Surd, Fault> {
        let c = self.root(other)?;
        if other.b.is_zero() && self.a.is_integer() && other.a.is_integer() {
            let (a, b) = (self.a.numer(), other.a.numer());
            return Ok(Surd { a: Rational::from_integer(if negative { a - b } else { a + b }), b: self.b.clone(), c });
        }
        Ok(if negative {
            Surd { a: &self.a - &other.a, b: &self.b - &other.b, c }
        } else {
            Surd { a: &self.a + &other.a, b: &self.b + &other.b, c }
        })
    }

    /// `self * other`. Error: R01 when both have roots, of different numbers, and one a rational part.
    pub fn times(&self, other: &Surd) -> Result<Surd, Fault> {
        let pure = |s: &Surd| s.a.is_zero() && !s.b.is_zero();
        if pure(self) && pure(other) && self.c != other.c {
            // sqrt(gx) * sqrt(gy) = g * sqrt(xy), square-free again
            let g = self.c.gcd(&other.c);
            let c = (&self.c / &g) * (&other.c / &g);
            return Ok(Surd { a: Rational::zero(), b: &self.b * &other.b * Rational::from_integer(g), c });
        }
        let c = self.root(other)?;
        if other.b.is_zero() {
            return Ok(Surd { a: product(&self.a, &other.a), b: product(&self.b, &other.a), c });
        }
        if self.b.is_zero() {
            return Ok(Surd { a: product(&other.a, &self.a), b: product(&other.b, &self.a), c });
        }
        let a = &self.a * &other.a + &self.b * &other.b * Rational::from_integer(c.clone());
        Ok(Surd { a, b: &self.a * &other.b + &self.b * &other.a, c })
    }

    /// `1 / self`. Error: R03 for 0.
    pub fn inverse(&self) -> Result<Surd, Fault> {
        if self.b.is_zero() && !self.a.is_zero() {
            return Ok(Surd { a: self.a.recip(), b: Rational::zero(), c: self.c.clone() });
        }
        let norm = &self.a * &self.a - &self.b * &self.b * Rational::from_integer(self.c.clone());
        if norm.is_zero() {
            return Err(Fault::new(Code::R03, "division by 0"));
        }
        Ok(Surd { a: &self.a / &norm, b: -(&self.b / &norm), c: self.c.clone() })
    }

    /// The greatest int that is not greater. Exact: by an integer square root, in 128 bits where they suffice.
    pub fn floor(&self) -> BigInt {
        let below = self.a.denom().lcm(self.b.denom());
        let a = self.a.numer() * (&below / self.a.denom());
        let b = self.b.numer() * (&below / self.b.denom());
        if let (Some(a), Some(b), Some(c), Some(below)) = (a.to_i64(), b.to_i64(), self.c.to_u64(), below.to_i64())
            && let Some(square) = u128::from(b.unsigned_abs()).pow(2).checked_mul(u128::from(c))
        {
            // The root of a u128 is below 2^64.
            let root = i128::try_from(square.isqrt()).unwrap_or(i128::MAX);
            let exact = square == square.isqrt() * square.isqrt();
            let rooted = if b >= 0 { root } else { -root - i128::from(!exact) };
            return BigInt::from((i128::from(a) + rooted).div_euclid(i128::from(below)));
        }
        let square = &b * &b * &self.c;
        let root = square.sqrt();
        let rooted = if b.is_negative() {
            let exact = &root * &root == square;
            -root - i32::from(!exact)
        } else {
            root
        };
        (a + rooted).div_floor(&below)
    }

    pub(crate) fn cmp_zero(&self) -> std::cmp::Ordering {
        self.compare(&Surd::from_int(&BigInt::zero()))
    }

    /// How many bits the numbers in it have: what arithmetic with it costs.
    pub(crate) fn bits(&self) -> u64 {
        let of = |r: &Rational| r.numer().bits() + r.denom().bits();
        of(&self.a) + of(&self.b) + self.c.bits()
    }

    /// An int as a (non-canonical) surd, for comparisons.
    pub(crate) fn from_int(n: &BigInt) -> Surd {
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

/// The product of two rational numbers; without big numbers where words suffice.
fn product(x: &Rational, y: &Rational) -> Rational {
    if x.is_integer() && y.is_integer() {
        return Rational::from_integer(x.numer() * y.numer());
    }
    let words = |r: &Rational| Some((r.numer().to_i64()?, r.denom().to_i64()?));
    let (Some((a, b)), Some((c, d))) = (words(x), words(y)) else { return x * y };
    // Both are in lowest terms: only what stands across can be divided. Nothing here exceeds 128 bits.
    let (a, b, c, d) = (i128::from(a), i128::from(b), i128::from(c), i128::from(d));
    let (g, h) = (a.gcd(&d).max(1), c.gcd(&b).max(1));
    Rational::new_raw(BigInt::from(a / g * (c / h)), BigInt::from(b / h * (d / g)))
}
