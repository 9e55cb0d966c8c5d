//! Points of scoring games: ints of any size, words as long as they fit.

use crate::value::{Fault, Value};
use num_bigint::BigInt;
use num_traits::Signed;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};
use std::sync::Arc;

/// A number of points, negative where the other player gets them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Points(Form);

/// The one form that a number has: `Large` holds only what is no word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Form {
    Word(i64),
    Large(Arc<BigInt>),
}

impl Points {
    /// None.
    pub const ZERO: Points = Points(Form::Word(0));

    /// An int as points. Errors: anything but an int is R01.
    pub fn of(value: &Value) -> Result<Points, Fault> {
        Ok(match value {
            Value::Int(n) => Points::from(*n),
            value => Points::from(value.to_big()?.into_owned()),
        })
    }

    fn big(&self) -> BigInt {
        match &self.0 {
            Form::Word(n) => BigInt::from(*n),
            Form::Large(n) => (**n).clone(),
        }
    }

    fn combine(
        &self,
        other: &Points,
        words: impl Fn(i64, i64) -> Option<i64>,
        large: impl Fn(BigInt, BigInt) -> BigInt,
    ) -> Points {
        match (&self.0, &other.0) {
            (Form::Word(a), Form::Word(b)) => words(*a, *b).map(Points::from),
            _ => None,
        }
        .unwrap_or_else(|| large(self.big(), other.big()).into())
    }
}

impl Default for Points {
    fn default() -> Self {
        Points::ZERO
    }
}

impl From<i64> for Points {
    fn from(n: i64) -> Self {
        Points(Form::Word(n))
    }
}

impl From<BigInt> for Points {
    fn from(n: BigInt) -> Self {
        Points(i64::try_from(&n).map_or_else(|_| Form::Large(Arc::new(n)), Form::Word))
    }
}

impl From<Points> for Value {
    fn from(points: Points) -> Self {
        match points.0 {
            Form::Word(n) => Value::Int(n),
            Form::Large(n) => Value::Big(n),
        }
    }
}

impl Add for &Points {
    type Output = Points;

    fn add(self, other: &Points) -> Points {
        self.combine(other, i64::checked_add, |a, b| a + b)
    }
}

impl AddAssign<&Points> for Points {
    fn add_assign(&mut self, other: &Points) {
        *self = &*self + other;
    }
}

impl Sub for &Points {
    type Output = Points;

    fn sub(self, other: &Points) -> Points {
        self.combine(other, i64::checked_sub, |a, b| a - b)
    }
}

impl Neg for &Points {
    type Output = Points;

    fn neg(self) -> Points {
        &Points::ZERO - self
    }
}

impl Ord for Points {
    fn cmp(&self, other: &Points) -> Ordering {
        match (&self.0, &other.0) {
            (Form::Word(a), Form::Word(b)) => a.cmp(b),
            (Form::Large(a), Form::Large(b)) => a.cmp(b),
            (Form::Word(_), Form::Large(b)) => {
                if b.is_negative() {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Form::Large(a), Form::Word(_)) => {
                if a.is_negative() {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }
            }
        }
    }
}

impl PartialOrd for Points {
    fn partial_cmp(&self, other: &Points) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Word(n) => n.fmt(f),
            Form::Large(n) => n.fmt(f),
        }
    }
}
