//! The floor of a linear function with a root in it, `(a n + b + (c n + d) sqrt(r)) / e` for an int `n`, as in Wythoff
//! pairs.
//!
//! It is made ready once for a rule. Binary digits of the root decide most cases; the others are exact, as for any real.

use crate::model::{BinaryOp, Term, TermKind, Type};
use crate::value::{Surd, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{ToPrimitive, Zero};

/// A real function `by * n + plus` of an int.
#[derive(Clone, Debug)]
pub struct Linear {
    by: Surd,
    plus: Surd,
}

impl Linear {
    /// The int itself.
    pub fn identity() -> Linear {
        Linear { by: Surd::from_int(&BigInt::from(1)), plus: Surd::from_int(&BigInt::zero()) }
    }

    /// A number; `None` for what is none.
    pub fn constant(value: &Value) -> Option<Linear> {
        Some(Linear { by: Surd::from_int(&BigInt::zero()), plus: Surd::of(value).ok()? })
    }

    fn number(&self) -> Option<&Surd> {
        (self.by.a.is_zero() && self.by.b.is_zero()).then_some(&self.plus)
    }

    /// The sum or the difference. `None`: two roots would have to be combined.
    pub fn plus(&self, other: &Linear, negative: bool) -> Option<Linear> {
        let by = self.by.plus(&other.by, negative).ok()?;
        Some(Linear { by, plus: self.plus.plus(&other.plus, negative).ok()? })
    }

    /// The product. `None` likewise, or when it is not linear.
    pub fn times(&self, other: &Linear) -> Option<Linear> {
        let (line, number) = match (self.number(), other.number()) {
            (_, Some(number)) => (self, number),
            (Some(number), _) => (other, number),
            _ => return None,
        };
        Some(Linear { by: line.by.times(number).ok()?, plus: line.plus.times(number).ok()? })
    }

    /// The quotient. `None` likewise, or when the divisor is no number or 0.
    pub fn over(&self, other: &Linear) -> Option<Linear> {
        let inverse = other.number()?.inverse().ok()?;
        Some(Linear { by: self.by.times(&inverse).ok()?, plus: self.plus.times(&inverse).ok()? })
    }

    /// Its floor, or its ceiling. `None`: it has two roots, or numbers beyond 64 bits.
    pub fn floor(&self, up: bool) -> Option<Floor> {
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
        let digits = || (BigInt::from(root) << (2 * FIXED)).sqrt().to_u128();
        let fixed = if root > 0 && root.isqrt().pow(2) == root { None } else { digits() };
        Some(Floor { ints, roots, root, fixed, below: below.to_i64()?, up })
    }
}

/// A term as a function of its one int term that is not `known`, put into `of`. `None`: it is none of one int.
pub(crate) fn linear<'p>(
    term: &'p Term,
    known: &mut dyn FnMut(&'p Term) -> Option<Value>,
    of: &mut Option<&'p Term>,
) -> Option<Linear> {
    if let Some(value) = known(term) {
        return Linear::constant(&value);
    }
    match &term.kind {
        TermKind::Int(n) => Linear::constant(&Value::int(n.clone())),
        TermKind::Adapt(inner) if matches!(inner.ty, Type::Int | Type::Real) => linear(inner, known, of),
        _ if term.ty == Type::Int => {
            // A second one would make it a function of two.
            of.replace(term).is_none().then(Linear::identity)
        }
        TermKind::Neg(a) => Linear::constant(&Value::Int(0))?.plus(&linear(a, known, of)?, true),
        TermKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            let (a, b) = (linear(a, known, of)?, linear(b, known, of)?);
            a.plus(&b, *op == BinaryOp::Sub)
        }
        TermKind::Binary(BinaryOp::Mul, a, b) => {
            let (a, b) = (linear(a, known, of)?, linear(b, known, of)?);
            a.times(&b)
        }
        TermKind::Binary(BinaryOp::Over, a, b) => {
            let (a, b) = (linear(a, known, of)?, linear(b, known, of)?);
            a.over(&b)
        }
        _ => None,
    }
}

/// Bits behind the point of [`Floor::fixed`].
const FIXED: u32 = 96;

/// See the module.
#[derive(Clone, Debug)]
pub struct Floor {
    ints: [i64; 2],
    roots: [i64; 2],
    root: u64,
    /// The root times 2^96, rounded down; `None` where the root is an int above 0.
    fixed: Option<u128>,
    /// At least 1.
    below: i64,
    up: bool,
}

impl Floor {
    /// For this int; `None` when it does not fit 64 bits.
    pub fn of(&self, n: i64) -> Option<i64> {
        let floor = match self.short(n) {
            Some(floor) => floor,
            None => self.long(n).to_i64()?,
        };
        if self.up { floor.checked_neg() } else { Some(floor) }
    }

    /// The floor where 64 bits and the first digits of the root are enough; divisions of 128 bits take longer than all of it.
    pub fn short(&self, n: i64) -> Option<i64> {
        let line = |[by, plus]: [i64; 2]| by.checked_mul(n)?.checked_add(plus);
        let rooted = line(self.roots)?;
        let root = i64::try_from(self.times_root(rooted.unsigned_abs())?).ok()?;
        // Between two ints, but for 0.
        let floor = if rooted < 0 { -root - 1 } else { root };
        Some(line(self.ints)?.checked_add(floor)?.div_euclid(self.below))
    }

    /// The floor of this many times an irrational root, by its first binary digits; `None` where these are not enough to tell.
    pub fn times_root(&self, by: u64) -> Option<u128> {
        let (fixed, by) = (self.fixed?, u128::from(by));
        let (high, low) = (fixed >> 64, fixed & u128::from(u64::MAX));
        // `by * fixed / 2^64`, rounded down, where `fixed` is too small by less than 1: the product with the root itself
        // lies between this and 2 more.
        let product = by * high + ((by * low) >> 64);
        let floor = product >> (FIXED - 64);
        let sure = product.checked_add(1)? >> (FIXED - 64) == floor;
        sure.then_some(floor)
    }

    /// The floor by big numbers.
    #[cold]
    pub fn long(&self, n: i64) -> BigInt {
        let line = |[by, plus]: [i64; 2]| Ratio::from_integer(BigInt::from(by) * n + plus);
        let below = Ratio::from_integer(BigInt::from(self.below));
        let surd = Surd { a: line(self.ints) / &below, b: line(self.roots) / &below, c: BigInt::from(self.root) };
        surd.floor()
    }
}
