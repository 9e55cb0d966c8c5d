//! Values of components and sums: Grundy values of any size as theorems state them, values of cyclic sums by Smith's rule,
//! and a number for each component of a sum.

use crate::answer::{Answer, GrundyValue, Method, MoveList, Outcome};
use crate::value::Value;
use hashbrown::HashMap;
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

/// The value of a sum of components, from which one can be taken out and others put in.
#[derive(Clone, Debug, Default)]
pub(crate) struct SumValue {
    xor: u64,
    infinite: Vec<Vec<u64>>,
}

impl SumValue {
    /// Adds a component.
    pub(crate) fn add(&mut self, value: &GrundyValue) {
        match value {
            GrundyValue::Nimber(g) => self.xor ^= g,
            GrundyValue::Loop(options) => self.infinite.push(options.clone()),
            // No search makes such values.
            GrundyValue::Large(_) => {}
        }
    }

    /// Takes out a component that is in it.
    pub(crate) fn remove(&mut self, value: &GrundyValue) {
        match value {
            GrundyValue::Nimber(g) => self.xor ^= g,
            GrundyValue::Loop(options) => {
                if let Some(at) = self.infinite.iter().position(|o| o == options) {
                    self.infinite.swap_remove(at);
                }
            }
            GrundyValue::Large(_) => {}
        }
    }

    /// Both sums together.
    pub(crate) fn plus(&self, other: &SumValue) -> SumValue {
        let infinite = self.infinite.iter().chain(&other.infinite).cloned().collect();
        SumValue { xor: self.xor ^ other.xor, infinite }
    }

    /// The value: one infinite component is shifted, two make the value with no finite options.
    pub(crate) fn value(&self) -> GrundyValue {
        match &self.infinite[..] {
            [] => GrundyValue::Nimber(self.xor),
            [options] => {
                let mut shifted: Vec<u64> = options.iter().map(|k| k ^ self.xor).collect();
                shifted.sort_unstable();
                GrundyValue::Loop(shifted)
            }
            _ => GrundyValue::Loop(Vec::new()),
        }
    }

    /// Who wins: the player to move.
    pub(crate) fn outcome(&self) -> Outcome {
        match &self.infinite[..] {
            [] if self.xor == 0 => Outcome::Second,
            [] => Outcome::First,
            [options] if options.contains(&self.xor) => Outcome::First,
            _ => Outcome::Draw,
        }
    }
}

/// Numbers by component: an array, since the numbers of the components of one sum mostly follow each other; what lies apart
/// is in a map.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    first: u32,
    room: usize,
    near: Vec<u64>,
    far: HashMap<u32, u64>,
}

/// No number yet.
const OPEN: u64 = u64::MAX;

impl Numbers {
    /// None yet, for these components and perhaps others.
    pub(super) fn of(ids: &[u32]) -> Numbers {
        Numbers { first: ids.iter().copied().min().unwrap_or(0), room: 2 * ids.len(), ..Numbers::default() }
    }

    /// The place in the array.
    fn place(&self, id: u32) -> Option<usize> {
        usize::try_from(id.checked_sub(self.first)?).ok().filter(|place| *place < self.room)
    }

    /// The number of a component.
    pub(super) fn get(&self, id: u32) -> Option<u64> {
        let near = self.place(id).and_then(|place| self.near.get(place).copied()).filter(|number| *number != OPEN);
        near.or_else(|| if self.far.is_empty() { None } else { self.far.get(&id).copied() })
    }

    /// Gives a component its number.
    pub(super) fn set(&mut self, id: u32, number: u64) {
        match self.place(id).filter(|_| number != OPEN) {
            Some(place) => {
                if place >= self.near.len() {
                    self.near.resize(place + 1, OPEN);
                }
                self.near[place] = number;
            }
            None => {
                self.far.insert(id, number);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::engines::nimber::Numbers;

    #[test]
    fn what_is_set_is_found() {
        let mut numbers = Numbers::of(&[7, 5, 6]);
        assert_eq!(numbers.get(5), None);
        for (id, number) in [(5, 0), (6, u64::MAX), (4, 3), (11, 8), (u32::MAX, 9), (7, u64::MAX - 1)] {
            assert_eq!(numbers.get(id), None);
            numbers.set(id, number);
            assert_eq!(numbers.get(id), Some(number));
        }
        assert_eq!((numbers.get(5), numbers.get(6), numbers.get(8)), (Some(0), Some(u64::MAX), None));
    }
}
