//! Grundy values of any size, as theorems state them.

use crate::answer::{Answer, GrundyValue, Method, MoveList, Outcome};
use crate::value::Value;
use num_bigint::{BigInt, BigUint};

/// A nimber: a word, or a larger number and only such.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Nimber {
    Small(u64),
    Large(BigUint),
}

impl Nimber {
    pub(super) const ZERO: Nimber = Nimber::Small(0);

    /// The nimber that an int states; `None` when it is no int or negative.
    pub(super) fn of(value: &Value) -> Option<Nimber> {
        match value {
            Value::Int(n) => u64::try_from(*n).ok().map(Nimber::Small),
            Value::Big(n) => n.to_biguint().map(Nimber::from_big),
            _ => None,
        }
    }

    fn from_big(n: BigUint) -> Nimber {
        match u64::try_from(&n) {
            Ok(small) => Nimber::Small(small),
            Err(_) => Nimber::Large(n),
        }
    }

    fn to_big(&self) -> BigUint {
        match self {
            Nimber::Small(n) => BigUint::from(*n),
            Nimber::Large(n) => n.clone(),
        }
    }

    /// The sum of two nimbers.
    pub(super) fn xor(&self, other: &Nimber) -> Nimber {
        match (self, other) {
            (Nimber::Small(a), Nimber::Small(b)) => Nimber::Small(a ^ b),
            _ => Nimber::from_big(self.to_big() ^ other.to_big()),
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        *self == Nimber::ZERO
    }

    /// As an int of the language.
    pub(super) fn to_value(&self) -> Value {
        match self {
            Nimber::Small(n) => Value::int(BigInt::from(*n)),
            Nimber::Large(n) => Value::int(BigInt::from(n.clone())),
        }
    }

    /// The answer about a sum of this value, of which no position was searched.
    pub(super) fn answer(
        &self,
        position: String,
        winning: MoveList,
        moves_refused: Option<String>,
        method: Method,
    ) -> Answer {
        Answer {
            position,
            outcome: if self.is_zero() { Outcome::Second } else { Outcome::First },
            grundy: Some(self.to_answer()),
            grundy_refused: None,
            moves_refused,
            remoteness: None,
            score: None,
            winning,
            drawing: None,
            method,
            positions: 0,
        }
    }

    pub(super) fn to_answer(&self) -> GrundyValue {
        match self {
            Nimber::Small(n) => GrundyValue::Nimber(*n),
            Nimber::Large(n) => GrundyValue::Large(n.clone()),
        }
    }
}
