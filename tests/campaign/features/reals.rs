//! Exact reals: numbers (p + q * sqrt(root)) / d, with one root in a file.

use super::expressions::{Fault, Run};
use super::values::Value;
use std::cmp::Ordering;

/// In lowest terms, with d > 0, and a root of 0 where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Real {
    p: i128,
    q: i128,
    d: i128,
    root: i128,
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

impl Real {
    pub(super) fn new(p: i128, q: i128, d: i128, root: i128) -> Run<Real> {
        // What is compared and multiplied stays within 128 bits.
        if [p, q, d].iter().any(|n| n.abs() > 1_000_000_000) {
            return Err(Fault::Big);
        }
        let by = gcd(gcd(p, q), d) * d.signum();
        Ok(Real { p: p / by, q: q / by, d: d / by, root: if q == 0 { 0 } else { root } })
    }
    fn sign(p: i128, q: i128, root: i128) -> Ordering {
        let by_size = (p * p).cmp(&(q * q * root));
        match (p.cmp(&0), q.cmp(&0)) {
            (sign, Ordering::Equal) | (Ordering::Equal, sign) => sign,
            (a, b) if a == b => a,
            (Ordering::Greater, _) => by_size,
            _ => by_size.reverse(),
        }
    }
    fn root(self, other: Real) -> i128 {
        assert!(self.root == other.root || self.root * other.root == 0, "one root in a file");
        self.root.max(other.root)
    }
    pub(super) fn floor(self) -> i128 {
        let size = (self.q * self.q * self.root).isqrt();
        let part = if self.q < 0 { -size - 1 } else { size };
        (self.p + part).div_euclid(self.d)
    }
    pub(super) fn negated(self) -> Real {
        Real { p: -self.p, q: -self.q, ..self }
    }
    pub(super) fn signum(self) -> i128 {
        match Real::sign(self.p, self.q, self.root) {
            Ordering::Less => -1,
            Ordering::Equal => 0,
            Ordering::Greater => 1,
        }
    }
    /// As an expression, in brackets.
    pub(super) fn text(self) -> String {
        let Real { p, q, d, root } = self;
        match (q, d) {
            (0, 1) => format!("({p})"),
            (0, _) => format!("({p} / {d})"),
            (_, 1) => format!("({p} + {q} * sqrt({root}))"),
            _ => format!("(({p} + {q} * sqrt({root})) / {d})"),
        }
    }
    /// The root of a positive number.
    pub(super) fn root_of(n: i128) -> Run<Real> {
        let k = (1..=n.isqrt()).rev().find(|k| n % (k * k) == 0).expect("1");
        let rest = n / (k * k);
        if rest == 1 { Real::new(k, 0, 1, 0) } else { Real::new(0, k, 1, rest) }
    }
}

impl Ord for Real {
    fn cmp(&self, other: &Real) -> Ordering {
        let cross = |a: i128, b: i128| a * other.d - b * self.d;
        Real::sign(cross(self.p, other.p), cross(self.q, other.q), self.root(*other))
    }
}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Real) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A number as a real; `None`: it is no number.
pub(super) fn as_real(value: &Value) -> Option<Run<Real>> {
    match value {
        Value::Int(n) => Some(Real::new(*n, 0, 1, 0)),
        Value::Real(real) => Some(Ok(*real)),
        _ => None,
    }
}

/// Arithmetic of two numbers.
pub(super) fn operator(word: &str, a: Real, b: Real) -> Run<Value> {
    let root = a.root(b);
    Ok(Value::Real(match word {
        "+" => Real::new(a.p * b.d + b.p * a.d, a.q * b.d + b.q * a.d, a.d * b.d, root)?,
        "-" => return operator("+", a, b.negated()),
        "*" => Real::new(a.p * b.p + a.q * b.q * root, a.p * b.q + a.q * b.p, a.d * b.d, root)?,
        "/" => {
            // 1 / (p + q sqrt(root)) is (p - q sqrt(root)) / (p p - q q root).
            let norm = b.p * b.p - b.q * b.q * b.root;
            return operator("*", a, Real::new(b.p * b.d, -b.q * b.d, norm, b.root)?);
        }
        word => panic!("{word} of reals"),
    }))
}
