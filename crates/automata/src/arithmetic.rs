//! The automata of what is said of single variables and sums, in all ways to write numbers.
//!
//! Sums of Fibonacci numbers are added up from the top: `x + y - z` is followed as `u F(i) + w F(i - 1)` when the digits from place
//! i on were read; the next digits turn `(u, w)` into `(u + w + d, u)`, where `d` is their sum (Frougny, Representations of
//! numbers and finite automata, 1992). Where a place is t times the one below and the one below that, they turn it into `(t u + w + d, u)`. Only finitely many pairs can still come to 0. The automaton here is that one read from
//! its end.

use crate::automaton::{Automaton, Track};
use crate::formula::{Atom, Linear, Sense};
use crate::system::{Limit, Reason, System};
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::ToPrimitive;
use std::cmp::Ordering;

/// Numbers as they must be written: no two neighbouring digits 1, no digit that the base has not; `None`: all words are numbers.
pub(super) fn written(variable: Track, system: System, limit: &Limit) -> Result<Option<Automaton>, Reason> {
    let tracks: Vec<Track> = system.tracks(variable).collect();
    match system {
        System::Binary => Ok(None),
        System::Base(base) if base.is_power_of_two() => Ok(None),
        System::Base(base) => {
            let step = |&good: &bool, bits: &[bool]| good && system.read(bits).all(|digit| digit < base);
            Automaton::build(limit, &tracks, true, step, |&good| good).map(Some)
        }
        System::Surd(most) => {
            // Whether the digit below may stand beside the most: it is 0, or there is none.
            let step = |state: &Option<bool>, bits: &[bool]| {
                let (free, digit) = ((*state)?, system.read(bits).next()?);
                (digit < most || digit == most && free).then_some(digit == 0)
            };
            Automaton::build(limit, &tracks, Some(true), step, Option::is_some).map(Some)
        }
    }
}

pub(super) fn exactly(variable: Track, number: &BigUint, system: System, limit: &Limit) -> Result<Automaton, Reason> {
    let digits = system.digits(number);
    let tracks: Vec<Track> = system.tracks(variable).collect();
    // The place that comes next; `None`: it is another number.
    let step = |state: &Option<usize>, bits: &[bool]| {
        let place = (*state)?;
        let digit = digits.get(place).copied().unwrap_or(0);
        (system.read(bits).eq([digit])).then_some((place + 1).min(digits.len()))
    };
    Automaton::build(limit, &tracks, Some(0), step, |&place| place == Some(digits.len()))
}

/// The automaton without a variable: some number on its tracks is accepted, which must be one as it must be written.
pub fn forget(automaton: Automaton, variable: Track, system: System, limit: &Limit) -> Result<Automaton, Reason> {
    system.tracks(variable).try_fold(automaton, |automaton, track| automaton.exists(track, limit))
}

/// The automaton of an atom; sums of Fibonacci numbers and their like only as `x + y == z` or with two variables `x == y`, `x <= y`.
/// Errors: the limit that was reached, or that the atom speaks of digits in base 2 and numbers are written otherwise.
pub(super) fn automaton(atom: &Atom, system: System, limit: &Limit) -> Result<Automaton, Reason> {
    let variables: Vec<Track> = atom.tracks().into_iter().collect();
    let tracks: Vec<Track> = variables.iter().flat_map(|&variable| system.tracks(variable)).collect();
    let at = |track: &Track| variables.iter().position(|other| other == track).unwrap_or_default();
    let of_bits = matches!(atom, Atom::Xor(..) | Atom::Meet(..) | Atom::Place(_) | Atom::Part(..));
    if of_bits && system.size() > 2 || matches!((system, atom), (System::Base(_), Atom::Shift(..))) {
        let word = system.word();
        return Err(Reason::Failed(format!("a statement about digits in base 2 where numbers are written in {word}")));
    }
    match atom {
        Atom::Sum(sum, sense) => match system {
            System::Binary | System::Base(_) => based_sum(sum, *sense, system, &tracks, limit),
            System::Surd(times) => surd_sum(sum, *sense, times, &tracks, limit),
        },
        Atom::Multiple(sum, of) => based_multiple(sum, of, system, &tracks, limit),
        Atom::Times(..) | Atom::Rounded(..) => Err(Reason::Failed(OPEN.into())),
        Atom::Xor(x, y, z) | Atom::Meet(x, y, z) => {
            let (x, y, z, xor) = (at(x), at(y), at(z), matches!(atom, Atom::Xor(..)));
            let digit = |x: bool, y: bool| if xor { x ^ y } else { x && y };
            let step = |&good: &bool, bits: &[bool]| good && bits[z] == digit(bits[x], bits[y]);
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
            let step = |before: &Option<u8>, bits: &[bool]| {
                let digits: Vec<u8> = system.read(bits).collect();
                (*before == Some(digits[y])).then_some(digits[x])
            };
            Automaton::build(limit, &tracks, Some(0), step, |&before| before == Some(0))
        }
        Atom::Word(word, given) => {
            let places: Vec<usize> = given.iter().map(at).collect();
            let step = |&state: &usize, bits: &[bool]| {
                let bit = |track: Track| {
                    let (variable, bit) = system.variable(track);
                    let place = places.get(variable as usize).map(|&place| place * system.width() as usize);
                    place.is_some_and(|place| bits.get(place + bit as usize).is_some_and(|bit| *bit))
                };
                word.diagrams.leaf(word.rows[state], bit)
            };
            Automaton::build(limit, &tracks, word.start, step, |&state| word.accepting[state])
        }
    }
}

/// Why such an atom is no automaton.
pub(super) const OPEN: &str = "multiples of a variable";

/// What digits add to a sum; `None`: bits make no digit, behind which a sum would be followed for nothing.
fn read(multiples: &[i128], bits: &[bool], system: System) -> Option<i128> {
    let added = |(multiple, digit): (&i128, u8)| (digit < system.size()).then(|| multiple * i128::from(digit));
    multiples.iter().zip(system.read(bits)).map(added).sum()
}

/// What is left of a sum after the lowest digits: those read, and a constant, divided by the base at each place (Boudet, Comon,
/// Diophantine equations, Presburger arithmetic and finite automata, 1996).
fn based_sum(sum: &Linear, sense: Sense, system: System, tracks: &[Track], limit: &Limit) -> Result<Automaton, Reason> {
    let small = |number: &BigInt| number.to_i128().filter(|n| n.unsigned_abs() < 1 << 100);
    let multiples: Option<Vec<i128>> = sum.terms.values().map(small).collect();
    let (Some(multiples), Some(constant)) = (multiples, small(&sum.constant)) else {
        return Err(Reason::States(limit.states));
    };
    let base = i128::from(system.size());
    let step = |state: &Option<i128>, bits: &[bool]| {
        let sum = (*state)? + read(&multiples, bits, system)?;
        match sense {
            Sense::Zero => (sum % base == 0).then_some(sum / base),
            Sense::AtMostZero => Some((sum + base - 1).div_euclid(base)),
        }
    };
    let accept = |state: &Option<i128>| match sense {
        Sense::Zero => *state == Some(0),
        Sense::AtMostZero => state.is_some_and(|left| left <= 0),
    };
    Automaton::build(limit, tracks, Some(constant), step, accept)
}

/// `c + sum(x) == 0 mod m` becomes `(c + digits) + b sum(x / b) == 0` with the lowest digits read. What b and m have in common
/// must divide the first and is taken out of all three; then b has an inverse.
fn based_multiple(
    sum: &Linear,
    of: &BigInt,
    system: System,
    tracks: &[Track],
    limit: &Limit,
) -> Result<Automaton, Reason> {
    let small = |number: &BigInt| number.to_i64().filter(|n| n.unsigned_abs() < 1 << 40).map(i128::from);
    let multiples: Option<Vec<i128>> = sum.terms.values().map(small).collect();
    let (Some(multiples), Some(constant), Some(of)) = (multiples, small(&sum.constant), small(of)) else {
        return Err(Reason::States(limit.states));
    };
    // What is left and modulo what; `None`: it is no multiple.
    let step = |state: &Option<(i128, i128)>, bits: &[bool]| {
        let (rest, mut of) = (*state)?;
        let mut sum = rest + read(&multiples, bits, system)?;
        let mut base = i128::from(system.size());
        loop {
            let common = base.gcd(&of);
            if common == 1 {
                break;
            }
            if sum % common != 0 {
                return None;
            }
            (sum, base, of) = (sum / common, base / common, of / common);
        }
        // Of numbers without a common divisor `x base + y of == 1`.
        let inverse = base.extended_gcd(&of).x;
        Some(((sum * inverse.rem_euclid(of)).rem_euclid(of), of))
    };
    Automaton::build(limit, tracks, Some((constant.rem_euclid(of), of)), step, |state| {
        state.is_some_and(|(rest, _)| rest == 0)
    })
}

/// `x + y == z`, `x == y` or `x <= y`.
fn surd_sum(sum: &Linear, sense: Sense, times: u8, tracks: &[Track], limit: &Limit) -> Result<Automaton, Reason> {
    let system = System::Surd(times);
    let multiples: Vec<i128> = sum.terms.values().map(|m| m.to_i128().unwrap_or_default()).collect();
    if let ([x, y], Sense::AtMostZero | Sense::Zero) = (&multiples[..], sense)
        && x + y == 0
    {
        let (low, high) = if *x > 0 { (0, 1) } else { (1, 0) };
        // The highest place at which they differ decides.
        let step = |&so_far: &Ordering, bits: &[bool]| {
            let digits: Vec<u8> = system.read(bits).collect();
            match digits[low].cmp(&digits[high]) {
                Ordering::Equal => so_far,
                other => other,
            }
        };
        let accept = |&so_far: &Ordering| match sense {
            Sense::Zero => so_far == Ordering::Equal,
            Sense::AtMostZero => so_far != Ordering::Greater,
        };
        return Automaton::build(limit, tracks, Ordering::Equal, step, accept);
    }
    let sums = Sums::new(times);
    let sign = if multiples.iter().sum::<i128>() < 0 { -1 } else { 1 };
    let step = |pairs: &Vec<Pair>, bits: &[bool]| {
        let sum = read(&multiples, bits, system);
        sum.map_or_else(Vec::new, |sum| sums.before(pairs, sign * sum))
    };
    Automaton::build(limit, tracks, sums.ends.clone(), step, |pairs| pairs.contains(&(0, 0)))
}

pub(super) type Pair = (i128, i128);

/// Pairs beyond this many times t never come back to 0: the remaining digits are worth less than twice the next place.
const FAR: i128 = 8;

/// The pairs from the start from which 0 can be reached, as steps `(from, d, to)`, and those where the sum is 0 at the end.
pub(super) struct Sums {
    steps: Vec<(Pair, i128, Pair)>,
    pub(super) ends: Vec<Pair>,
}

impl Sums {
    pub(super) fn new(times: u8) -> Sums {
        let times = i128::from(times);
        let next = |(u, w): Pair, d: i128| (times * u + w + d, u);
        let mut met: Vec<Pair> = vec![(0, 0)];
        let mut steps = Vec::new();
        let mut at = 0;
        while let Some(&pair) = met.get(at) {
            at += 1;
            for d in -times..=2 * times {
                let to = next(pair, d);
                if to.0.abs() <= FAR * times && to.1.abs() <= FAR * times {
                    steps.push((pair, d, to));
                    if !met.contains(&to) {
                        met.push(to);
                    }
                }
            }
        }
        let ends: Vec<Pair> = met.into_iter().filter(|(u, w)| u + w == 0).collect();
        // Only pairs that can still end well.
        let mut good = ends.clone();
        let mut at = 0;
        while let Some(&pair) = good.get(at) {
            at += 1;
            for (from, ..) in steps.iter().filter(|(.., to)| *to == pair) {
                if !good.contains(from) {
                    good.push(*from);
                }
            }
        }
        steps.retain(|(from, _, to)| good.contains(from) && good.contains(to));
        Sums { steps, ends }
    }

    /// The pairs from which this digit sum leads to one of these, ascending.
    pub(super) fn before(&self, pairs: &[Pair], d: i128) -> Vec<Pair> {
        let mut found: Vec<Pair> =
            self.steps.iter().filter(|(_, by, to)| *by == d && pairs.contains(to)).map(|(from, _, _)| *from).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}
