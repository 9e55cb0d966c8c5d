//! Numbers of binary places: `bits(n)`, what is a constant more or less, and the powers of two that they stand for.

use crate::model::{CompareOp, Term};
use crate::prover::numbers::times;
use crate::prover::scope::Scope;
use crate::prover::symbol::{No, Sym};
use crate::source::text::Span;
use grundy_automata::{Atom, Formula, Linear, System, Track};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

/// Places are moved by so many at most.
const FAR: i64 = 1000;

/// `2^(shift)` times a number.
struct Power {
    of: Linear,
    shift: i64,
}

impl Scope<'_> {
    /// `exponent + more`, for a number of places and a constant.
    pub(super) fn place_moved(track: Track, shift: i64, more: &Linear, add: bool, span: Span) -> Result<Sym, No> {
        let more = more.constant().and_then(ToPrimitive::to_i64).filter(|more| more.abs() < FAR);
        let moved = more.map(|more| if add { shift + more } else { shift - more }).filter(|shift| shift.abs() < FAR);
        moved.map(|shift| Sym::Exponent(track, shift)).ok_or_else(|| as_number(span))
    }

    /// `2^(exponent + shift)`, which must be whole.
    pub(super) fn power(&mut self, track: Track, shift: i64) -> Linear {
        let of = Linear::track(track);
        let by = BigInt::from(1) << shift.unsigned_abs();
        if shift >= 0 {
            return times(&by, &of);
        }
        self.need(Formula::at_most(&Linear::number(by.clone()), &of));
        self.divided(&of, &by, true)
    }

    /// The greatest power of two that divides a number, which must not be 0.
    pub(super) fn lowest_place(&mut self, of: &Linear) -> Track {
        self.digits.insert(System::Binary);
        let one = BigInt::from(1);
        let positive = Formula::at_most(&Linear::number(1), of);
        self.need(positive.clone());
        let lowest = self.defined();
        let place = Linear::track(lowest);
        // n xor (n - 1) is all places up to the lowest one where n has the digit 1.
        let places = [of.clone(), of.minus(&Linear::number(1)), place.plus(&one, &place).minus(&Linear::number(1))];
        let numbers: Vec<Track> = places.iter().map(|_| self.defined()).collect();
        let all = numbers.iter().zip(&places).map(|(track, number)| Formula::equal(&Linear::track(*track), number));
        let found = Formula::all(all.chain([Formula::atom(Atom::Xor(numbers[0], numbers[1], numbers[2]))]));
        let zero = numbers.iter().map(|track| Formula::equal(&Linear::track(*track), &Linear::default()));
        let none = Formula::all(zero.chain([positive.not(), Formula::equal(&place, &Linear::number(1))]));
        self.define(Formula::any([found, none]));
        lowest
    }

    /// The remainder of an exponent: two to the power e leaves two to the power e mod m, divided by one less than two to the power m.
    pub(super) fn exponent_modulo(&mut self, of: Track, shift: i64, by: &BigInt, span: Span) -> Result<Sym, No> {
        const MOST: i64 = 8;
        let by = by.to_i64().filter(|by| (1..=MOST).contains(by));
        let by =
            by.ok_or_else(|| No::at(span, format!("a number of places modulo a number that is not in 1..{MOST}")))?;
        let whole = (BigInt::from(1) << by) - 1;
        let left = if by == 1 { Linear::default() } else { self.divided(&Linear::track(of), &whole, false) };
        let mut value = Linear::default();
        for exponent in 0..by {
            let holds = Formula::equal(&left, &Linear::number(BigInt::from(1) << exponent));
            let holds = self.truth_value(&holds);
            value = value.plus(&BigInt::from((exponent + shift).rem_euclid(by)), &holds);
        }
        Ok(Sym::Int(value))
    }

    /// Whether a number of places is in a range of such numbers or constants.
    pub(super) fn place_between(&mut self, member: Track, from: &Sym, to: &Sym, span: Span) -> Result<Formula, No> {
        self.digits.insert(System::Binary);
        let (Some(from), Some(to)) = (power_of(from), power_of(to)) else {
            return Err(No::at(span, "a range of places"));
        };
        // Members are variables, which are never negative.
        self.need(Power { of: Linear::number(1), shift: 0 }.compared(CompareOp::Le, &from));
        let of = Power { of: Linear::track(member), shift: 0 };
        Ok(Formula::all([
            Formula::atom(Atom::Place(member)),
            from.compared(CompareOp::Le, &of),
            of.compared(CompareOp::Le, &to),
        ]))
    }
}

/// How two numbers of places compare, or such a number and a constant; `None`: they are something else.
pub(super) fn places_compared(op: CompareOp, a: &Sym, b: &Sym) -> Option<Formula> {
    let place = |value: &Sym| matches!(value, Sym::Exponent(..));
    (place(a) || place(b)).then_some(())?;
    Some(power_of(a)?.compared(op, &power_of(b)?))
}

/// A number of places where only a number is of use.
pub(super) fn as_number(span: Span) -> No {
    No::at(
        span,
        "how many digits a number has, or how often 2 divides it, as a number: automata cannot add or compare it to other numbers",
    )
}

/// Why a term with these values has no form, if one of them is a number of places.
pub(super) fn odd_places(a: &Sym, b: &Sym, term: &Term) -> No {
    match (a, b) {
        (Sym::Exponent(..), _) | (_, Sym::Exponent(..)) => as_number(term.span),
        _ => crate::prover::symbol::odd(term.span),
    }
}

/// Two to a number of places, or to a constant.
fn power_of(exponent: &Sym) -> Option<Power> {
    match exponent {
        Sym::Exponent(track, shift) => Some(Power { of: Linear::track(*track), shift: *shift }),
        Sym::Int(number) => {
            let shift = number.constant()?.to_i64().filter(|shift| shift.abs() < FAR)?;
            Some(Power { of: Linear::number(1), shift })
        }
        _ => None,
    }
}

impl Power {
    fn compared(&self, op: CompareOp, other: &Power) -> Formula {
        let least = self.shift.min(other.shift);
        let whole = |power: &Power| times(&(BigInt::from(1) << (power.shift - least)), &power.of);
        let (a, b) = (whole(self), whole(other));
        match op {
            CompareOp::Eq => Formula::equal(&a, &b),
            CompareOp::Ne => Formula::equal(&a, &b).not(),
            CompareOp::Lt => Formula::less(&a, &b),
            CompareOp::Le => Formula::at_most(&a, &b),
            CompareOp::Gt => Formula::less(&b, &a),
            CompareOp::Ge => Formula::at_most(&b, &a),
            CompareOp::In | CompareOp::NotIn => Formula::Constant(false),
        }
    }
}

/// At most so many equalities say that a sum is less than a number.
const MOST_NUMBERS: i64 = 64;

/// How many digits 1 a number has, or parts in the system of Zeckendorf, beside a constant: which equalities say it.
pub(super) fn few(op: CompareOp, count: &BigInt) -> Option<(Vec<u32>, bool)> {
    let count = if count.is_negative() { -1 } else { count.to_i64().filter(|count| *count <= MOST_NUMBERS)? };
    let up_to = |most: i64| u32::try_from(most + 1).ok().map(|end| (0..end).collect::<Vec<_>>());
    Some(match op {
        CompareOp::Lt => (up_to((count - 1).max(-1))?, true),
        CompareOp::Le => (up_to(count)?, true),
        CompareOp::Gt => (up_to(count)?, false),
        CompareOp::Ge => (up_to((count - 1).max(-1))?, false),
        _ => return None,
    })
}
