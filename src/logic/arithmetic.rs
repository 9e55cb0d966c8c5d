//! The automata of what is said of single variables and sums, in both ways to write numbers.

use super::automaton::Automaton;
use super::diagram::Track;
use super::fibonacci::Sums;
use super::formula::{Atom, Linear, Sense};
use super::limit::{Limit, Reason};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
use std::cmp::Ordering;

/// A way to write numbers with the digits 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum System {
    /// Base 2.
    Binary,
    /// Sums of the Fibonacci numbers 1, 2, 3, 5, .., of which no two are neighbours.
    Zeckendorf,
}

impl System {
    /// Its name in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            System::Binary => "base 2",
            System::Zeckendorf => "Zeckendorf",
        }
    }

    /// What the places are worth, from the lowest.
    pub(super) fn places(self) -> impl Iterator<Item = BigUint> {
        let mut next = (BigUint::from(1u8), BigUint::from(2u8));
        std::iter::repeat_with(move || {
            let above = match self {
                System::Binary => &next.1 * 2u8,
                System::Zeckendorf => &next.0 + &next.1,
            };
            std::mem::replace(&mut next.0, std::mem::replace(&mut next.1, above))
        })
    }

    /// The digits of a number, from the lowest.
    #[must_use]
    pub fn digits(self, number: &BigUint) -> Vec<bool> {
        let places: Vec<BigUint> = self.places().take_while(|place| place <= number).collect();
        let mut left = number.clone();
        let mut digits = vec![false; places.len()];
        for (digit, place) in digits.iter_mut().zip(&places).rev() {
            if *place <= left {
                left -= place;
                *digit = true;
            }
        }
        digits
    }
}

/// Numbers as they must be written: no two neighbouring digits 1.
pub(super) fn written(track: Track, limit: &Limit) -> Result<Automaton, Reason> {
    let step = |state: &Option<bool>, bits: &[bool]| match *state {
        Some(before) if !(before && bits[0]) => Some(bits[0]),
        _ => None,
    };
    Automaton::build(limit, &[track], Some(false), step, Option::is_some)
}

/// Exactly this number.
pub(super) fn exactly(track: Track, number: &BigUint, system: System, limit: &Limit) -> Result<Automaton, Reason> {
    let digits = system.digits(number);
    // The place that comes next; `None`: it is another number.
    let step = |state: &Option<usize>, bits: &[bool]| {
        let place = (*state)?;
        (digits.get(place).copied().unwrap_or(false) == bits[0]).then_some((place + 1).min(digits.len()))
    };
    Automaton::build(limit, &[track], Some(0), step, |&place| place == Some(digits.len()))
}

/// The automaton of an atom; sums in the system of Zeckendorf only as `x + y == z` or with two variables `x == y`, `x <= y`.
pub(super) fn automaton(atom: &Atom, system: System, limit: &Limit) -> Result<Automaton, Reason> {
    let tracks: Vec<Track> = atom.tracks().into_iter().collect();
    let at = |track: &Track| tracks.iter().position(|other| other == track).unwrap_or_default();
    match atom {
        Atom::Sum(sum, sense) => match system {
            System::Binary => binary_sum(sum, *sense, &tracks, limit),
            System::Zeckendorf => zeckendorf_sum(sum, *sense, &tracks, limit),
        },
        Atom::Multiple(sum, of) => binary_multiple(sum, of, &tracks, limit),
        Atom::Xor(x, y, z) => {
            let (x, y, z) = (at(x), at(y), at(z));
            let step = |&good: &bool, bits: &[bool]| good && bits[z] == (bits[x] ^ bits[y]);
            Automaton::build(limit, &tracks, true, step, |&good| good)
        }
        Atom::Meet(x, y, z) => {
            let (x, y, z) = (at(x), at(y), at(z));
            let step = |&good: &bool, bits: &[bool]| good && bits[z] == (bits[x] && bits[y]);
            Automaton::build(limit, &tracks, true, step, |&good| good)
        }
        Atom::Place(_) => {
            let step = |&ones: &u8, bits: &[bool]| (ones + u8::from(bits[0])).min(2);
            Automaton::build(limit, &tracks, 0, step, |&ones| ones == 1)
        }
        Atom::Part(p, x) => {
            let (p, x) = (at(p), at(x));
            let step = |&ones: &u8, bits: &[bool]| match (bits[p], bits[x]) {
                (false, _) => ones,
                (true, true) if ones == 0 => 1,
                _ => 2,
            };
            Automaton::build(limit, &tracks, 0, step, |&ones| ones == 1)
        }
        Atom::Shift(x, y) => {
            let (x, y) = (at(x), at(y));
            let step = |before: &Option<bool>, bits: &[bool]| (*before == Some(bits[y])).then_some(bits[x]);
            Automaton::build(limit, &tracks, Some(false), step, |&before| before == Some(false))
        }
        Atom::Word(word, given) => {
            let places: Vec<usize> = given.iter().map(at).collect();
            let step = |&state: &usize, bits: &[bool]| {
                let bit = |track: Track| places.get(track as usize).is_some_and(|&place| bits[place]);
                word.diagrams.leaf(word.rows[state], bit)
            };
            Automaton::build(limit, &tracks, word.start, step, |&state| word.accepting[state])
        }
    }
}

/// What is left of a sum after the lowest digits: those read, and a constant of so many halves (Boudet, Comon, Diophantine
/// equations, Presburger arithmetic and finite automata, 1996).
fn binary_sum(sum: &Linear, sense: Sense, tracks: &[Track], limit: &Limit) -> Result<Automaton, Reason> {
    let small = |number: &BigInt| number.to_i128().filter(|n| n.unsigned_abs() < 1 << 100);
    let multiples: Option<Vec<i128>> = sum.terms.values().map(small).collect();
    let (Some(multiples), Some(constant)) = (multiples, small(&sum.constant)) else {
        return Err(Reason::States(limit.states));
    };
    let step = |state: &Option<i128>, bits: &[bool]| {
        let read: i128 = multiples.iter().zip(bits).filter(|(_, bit)| **bit).map(|(multiple, _)| multiple).sum();
        let sum = (*state)? + read;
        match sense {
            Sense::Zero => (sum % 2 == 0).then_some(sum / 2),
            Sense::AtMostZero => Some((sum + 1).div_euclid(2)),
        }
    };
    let accept = |state: &Option<i128>| match sense {
        Sense::Zero => *state == Some(0),
        Sense::AtMostZero => state.is_some_and(|left| left <= 0),
    };
    Automaton::build(limit, tracks, Some(constant), step, accept)
}

/// What the sum of the higher digits must come to: with the lowest digits read, `c + sum(x) == 0 mod m` becomes
/// `(c + digits) / 2 + sum(x / 2) == 0`, by the inverse of 2 where m is odd, else modulo m / 2 where it can be halved.
fn binary_multiple(sum: &Linear, of: &BigInt, tracks: &[Track], limit: &Limit) -> Result<Automaton, Reason> {
    let small = |number: &BigInt| number.to_i64().filter(|n| n.unsigned_abs() < 1 << 40).map(i128::from);
    let multiples: Option<Vec<i128>> = sum.terms.values().map(small).collect();
    let (Some(multiples), Some(constant), Some(of)) = (multiples, small(&sum.constant), small(of)) else {
        return Err(Reason::States(limit.states));
    };
    // What is left and modulo what; `None`: it is no multiple.
    let step = |state: &Option<(i128, i128)>, bits: &[bool]| {
        let (rest, of) = (*state)?;
        let read: i128 = multiples.iter().zip(bits).filter(|(_, bit)| **bit).map(|(multiple, _)| multiple).sum();
        let sum = (rest + read).rem_euclid(of);
        if of % 2 == 1 {
            let half = if sum % 2 == 0 { sum / 2 } else { sum.midpoint(of) };
            return Some((half, of));
        }
        (sum % 2 == 0).then_some((sum / 2, of / 2))
    };
    Automaton::build(limit, tracks, Some((constant, of)), step, |state| state.is_some_and(|(rest, _)| rest == 0))
}

/// `x + y == z`, `x == y` or `x <= y`.
fn zeckendorf_sum(sum: &Linear, sense: Sense, tracks: &[Track], limit: &Limit) -> Result<Automaton, Reason> {
    let multiples: Vec<i8> = sum.terms.values().map(|m| m.to_i8().unwrap_or_default()).collect();
    if let ([x, y], Sense::AtMostZero | Sense::Zero) = (&multiples[..], sense)
        && x + y == 0
    {
        let (low, high) = if *x > 0 { (0, 1) } else { (1, 0) };
        // The highest place at which they differ decides.
        let step = |&so_far: &Ordering, bits: &[bool]| match bits[low].cmp(&bits[high]) {
            Ordering::Equal => so_far,
            other => other,
        };
        let accept = |&so_far: &Ordering| match sense {
            Sense::Zero => so_far == Ordering::Equal,
            Sense::AtMostZero => so_far != Ordering::Greater,
        };
        return Automaton::build(limit, tracks, Ordering::Equal, step, accept);
    }
    let sums = Sums::new();
    let sign = if multiples.iter().map(|&m| i16::from(m)).sum::<i16>() < 0 { -1 } else { 1 };
    let step = |pairs: &Vec<(i8, i8)>, bits: &[bool]| {
        let d: i8 = multiples.iter().zip(bits).filter(|(_, bit)| **bit).map(|(multiple, _)| sign * multiple).sum();
        sums.before(pairs, d)
    };
    Automaton::build(limit, tracks, sums.ends.clone(), step, |pairs| pairs.contains(&(0, 0)))
}
