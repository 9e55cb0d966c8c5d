//! The automata of what is said of variables, each as its definition goes, and those that are written out in a certificate.
//!
//! Base 2 is read from the lowest digit: what is left of a sum is carried on. Fibonacci numbers are read from the highest digit:
//! with the digits from a place on, a sum is `u F(i) + w F(i - 1)`, and each further digit sum d makes `(u + w + d, u)` of it. Where
//! each place is t times the one below and the one below that, it makes `(t u + w + d, u)`.

use crate::sentence::{Atom, Sum, Variable};
use crate::table::{End, Halt, Limits, Table};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// This base, from 2 to 16.
    Base(u32),
    /// Sums of the numbers 1, t + 1, .., each of which is t times the one before and the one before that: digits up to t, and 0 below a
    /// digit t. With t = 1 these are the Fibonacci numbers.
    Surd(u32),
}

impl Numbers {
    /// From which end they are read.
    pub(super) fn end(self) -> End {
        match self {
            Numbers::Base(_) => End::Low,
            Numbers::Surd(_) => End::High,
        }
    }

    /// How many digits there are.
    #[must_use]
    pub fn digits(self) -> u32 {
        match self {
            Numbers::Base(base) => base,
            Numbers::Surd(times) => times + 1,
        }
    }

    pub(super) fn named(name: &str) -> Option<Numbers> {
        if name == "Zeckendorf" {
            return Some(Numbers::Surd(1));
        }
        let number = |word: &str| name.strip_prefix(word).and_then(|number| number.parse().ok());
        let surd = number("Ostrowski ").filter(|times| (2..=15).contains(times)).map(Numbers::Surd);
        surd.or_else(|| number("base ").filter(|base| (2..=16).contains(base)).map(Numbers::Base))
    }
}

/// Digits that make a number, from the highest: below the greatest digit there is 0. `None`: all do.
pub(super) fn proper(variable: Variable, numbers: Numbers, limits: &Limits) -> Result<Option<Table>, Halt> {
    let Numbers::Surd(most) = numbers else { return Ok(None) };
    let step = |above: &Option<u32>, digit: u32| above.filter(|&above| above < most || digit == 0).map(|_| digit);
    Table::build(vec![variable], numbers.digits(), Some(0), step, Option::is_some, limits).map(Some)
}

pub(super) fn table(atom: &Atom, numbers: Numbers, limits: &Limits) -> Result<Table, Halt> {
    let among = |variables: &[Variable]| -> Vec<Variable> {
        let mut sorted = variables.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        sorted
    };
    // The digit of a variable in a letter.
    let digit = |sorted: &[Variable], variable: Variable| {
        let at = sorted.iter().position(|&other| other == variable).unwrap_or_default();
        let (size, below) = (numbers.digits(), sorted[..at].iter().fold(1, |below, _| below * numbers.digits()));
        move |letter: u32| letter / below % size
    };
    let of_bits = matches!(atom, Atom::Xor(_) | Atom::Meet(_) | Atom::Place(_) | Atom::Part(..));
    if of_bits && numbers.digits() > 2 || matches!((numbers, atom), (Numbers::Base(3..), Atom::Shift(..))) {
        return Err(Halt::Digits);
    }
    match atom {
        Atom::Word(automaton, variables) => automaton.table(variables, numbers, limits),
        Atom::Zero(sum) => compared(sum, true, numbers, limits),
        Atom::AtMostZero(sum) => compared(sum, false, numbers, limits),
        Atom::Multiple(of, sum) => multiple(of, sum, numbers, limits),
        Atom::Xor(three) | Atom::Meet(three) => {
            let sorted = among(three);
            let [x, y, z] = three.map(|variable| digit(&sorted, variable));
            let xor = matches!(atom, Atom::Xor(_));
            let fits = |letter: u32| z(letter) == if xor { x(letter) ^ y(letter) } else { x(letter) & y(letter) };
            Table::build(sorted.clone(), 2, true, |good, letter| *good && fits(letter), |good| *good, limits)
        }
        Atom::Place(x) => {
            let step = |ones: &u32, letter: u32| (ones + letter).min(2);
            Table::build(vec![*x], 2, 0, step, |ones| *ones == 1, limits)
        }
        Atom::Part(place, x) => {
            let sorted = among(&[*place, *x]);
            let (p, x) = (digit(&sorted, *place), digit(&sorted, *x));
            // How often the place has the digit 1; 2: too often, or where x has none.
            let step = |ones: &u32, letter: u32| match (p(letter), x(letter)) {
                (0, _) => *ones,
                (_, 0) => 2,
                _ => (ones + 1).min(2),
            };
            Table::build(sorted.clone(), 2, 0, step, |ones| *ones == 1, limits)
        }
        Atom::Shift(x, y) => {
            let sorted = among(&[*x, *y]);
            let (x, y) = (digit(&sorted, *x), digit(&sorted, *y));
            // The digit of x at a place is that of y at the next higher one.
            let step = |kept: &Option<u32>, letter: u32| {
                let (now, keep) = match numbers.end() {
                    End::Low => (y(letter), x(letter)),
                    End::High => (x(letter), y(letter)),
                };
                kept.filter(|kept| *kept == now).map(|_| keep)
            };
            Table::build(sorted.clone(), numbers.digits(), Some(0), step, |kept| *kept == Some(0), limits)
        }
    }
}

/// Numbers of sentences are far from the end of their range: no sum of some of them overflows.
fn small(number: &BigInt) -> Result<i128, Halt> {
    number.to_i128().filter(|n| n.unsigned_abs() < 1 << 90).ok_or(Halt::Number)
}

/// The variables of a sum, what each letter adds to it, and its constant.
fn letters(sum: &Sum, numbers: Numbers) -> Result<(Vec<Variable>, Vec<i128>, i128), Halt> {
    const MOST: usize = 1 << 16;
    let mut added = vec![0i128];
    for multiple in sum.terms.values() {
        let multiple = small(multiple)?;
        let with = |digit: u32| added.iter().map(move |sum| sum + multiple * i128::from(digit));
        added = (0..numbers.digits()).flat_map(with).collect();
        if added.len() > MOST {
            return Err(Halt::Variables(sum.terms.len()));
        }
    }
    Ok((sum.terms.keys().copied().collect(), added, small(&sum.constant)?))
}

/// `sum == 0`, or `sum <= 0`.
fn compared(sum: &Sum, equal: bool, numbers: Numbers, limits: &Limits) -> Result<Table, Halt> {
    let (variables, added, constant) = letters(sum, numbers)?;
    let good = |value: i128| if equal { value == 0 } else { value <= 0 };
    match numbers {
        Numbers::Base(base) => {
            let base = i128::from(base);
            // The sum of the digits read is `left` at the present place; of one that the base does not divide no equation holds.
            let step = |left: &Option<i128>, letter: u32| {
                let sum = (*left)? + added[letter as usize];
                if equal { (sum % base == 0).then_some(sum / base) } else { Some((sum + base - 1).div_euclid(base)) }
            };
            Table::build(variables, numbers.digits(), Some(constant), step, |left| left.is_some_and(good), limits)
        }
        Numbers::Surd(times) => {
            let times = i128::from(times);
            let most = added.iter().copied().max().unwrap_or(0);
            let least = added.iter().copied().min().unwrap_or(0);
            // `Err(sign)`: whatever comes, the sum is less than 0, or greater.
            let step = |state: &Result<(i128, i128), bool>, letter: u32| {
                let (u, w) = (*state)?;
                decided((times * u + w + added[letter as usize], u), times, constant, [least, most])
            };
            let accepting = |state: &Result<(i128, i128), bool>| match *state {
                Ok((u, w)) => good(u + w + constant),
                Err(greater) => !equal && !greater,
            };
            Table::build(variables, numbers.digits(), Ok((0, 0)), step, accepting, limits)
        }
    }
}

/// Whether a sum can still come to both sides of 0: `s(i) = u F(i) + w F(i - 1)` is it so far, when i places are left, and these
/// add from `least * (F(i) - 1)` to `most * (F(i) - 1)`, where F(0) = F(-1) = 1 and `F(i + 1) = t F(i) + F(i - 1)`. A sequence with this
/// rule that begins with two numbers of one sign never comes nearer to 0 than the nearer of the two.
fn decided((u, w): (i128, i128), t: i128, constant: i128, [least, most]: [i128; 2]) -> Result<(i128, i128), bool> {
    let begins = |u: i128| (u + w, (t + 1) * u + w);
    let (zeroth, first) = begins(u + least);
    if zeroth >= 0 && first >= 0 && zeroth.min(first) - least + constant > 0 {
        return Err(true);
    }
    let (zeroth, first) = begins(u + most);
    if zeroth <= 0 && first <= 0 && zeroth.max(first) - most + constant < 0 {
        return Err(false);
    }
    Ok((u, w))
}

fn multiple(of: &BigInt, sum: &Sum, numbers: Numbers, limits: &Limits) -> Result<Table, Halt> {
    let (variables, added, constant) = letters(sum, numbers)?;
    let of = small(of)?;
    if of >= 1 << 50 {
        return Err(Halt::Number);
    }
    let start = (constant.rem_euclid(of), 1 % of);
    match numbers {
        // With what the present place is worth.
        Numbers::Base(base) => {
            let step = |&(rest, worth): &(i128, i128), letter: u32| {
                ((rest + worth * (added[letter as usize] % of)).rem_euclid(of), worth * i128::from(base) % of)
            };
            Table::build(variables, numbers.digits(), start, step, |(rest, _)| *rest == 0, limits)
        }
        Numbers::Surd(times) => {
            let times = i128::from(times);
            let step =
                |&(u, w): &(i128, i128), letter: u32| ((times * u + w + added[letter as usize]).rem_euclid(of), u);
            let accepting = |&(u, w): &(i128, i128)| (u + w + constant).rem_euclid(of) == 0;
            Table::build(variables, numbers.digits(), (0, 0), step, accepting, limits)
        }
    }
}

/// An automaton as it stands in a file: it begins in the first state and reads numbers from their lowest digits on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// How many numbers it reads.
    pub reads: usize,
    /// For each state `yes` or `no`, whether it accepts, and the numbers of the states to which the letters lead. The number of a
    /// letter is that of its digits, the first number changing fastest.
    pub states: Vec<String>,
    /// It reads a heap and its Grundy value: which of the heaps of the certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heaps: Option<usize>,
}

/// The same, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reads {
    pub(super) reads: usize,
    states: Vec<(bool, Vec<usize>)>,
}

impl Written {
    /// What it says, for these numbers.
    /// Errors: why it is no automaton, or one for which zeros above the highest digits matter.
    pub fn read(&self, numbers: Numbers) -> Result<Reads, String> {
        let letters = u32::try_from(self.reads).ok().and_then(|reads| numbers.digits().checked_pow(reads));
        let letters = letters.filter(|&letters| letters <= 1 << 20).ok_or("an automaton reads too many numbers")?;
        let mut states = Vec::new();
        for (number, text) in self.states.iter().enumerate() {
            let wrong = || format!("state {number} of an automaton is not understood");
            let mut words = text.split_whitespace();
            let accepts = match words.next() {
                Some("yes") => true,
                Some("no") => false,
                _ => return Err(wrong()),
            };
            let to: Result<Vec<usize>, _> = words.map(str::parse).collect();
            let to = to.map_err(|_| wrong())?;
            if Ok(to.len()) != usize::try_from(letters) || to.iter().any(|&next| next >= self.states.len()) {
                return Err(wrong());
            }
            states.push((accepts, to));
        }
        if states.is_empty() {
            return Err("an automaton has no states".into());
        }
        if states.iter().any(|(accepts, to)| *accepts != states[to[0]].0) {
            return Err("an automaton accepts otherwise when zeros stand above the highest digits".into());
        }
        Ok(Reads { reads: self.reads, states })
    }
}

impl Reads {
    /// Whether it accepts two numbers in base 2.
    pub(super) fn accepts(&self, mut numbers: [usize; 2]) -> bool {
        let mut state = 0;
        while numbers != [0, 0] {
            state = self.states[state].1[numbers[0] % 2 + 2 * (numbers[1] % 2)];
            numbers = numbers.map(|number| number / 2);
        }
        self.states[state].0
    }

    /// What it says of these variables, which need not be different.
    pub(super) fn table(&self, variables: &[Variable], numbers: Numbers, limits: &Limits) -> Result<Table, Halt> {
        let mut sorted = variables.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let size = numbers.digits();
        let letter = |letter: u32| {
            let digit = |variable: &Variable| {
                let at = sorted.iter().take_while(|other| *other != variable).count();
                sorted[..at].iter().fold(letter, |left, _| left / size) % size
            };
            variables.iter().rev().fold(0, |all, variable| all * size + digit(variable)) as usize
        };
        match numbers.end() {
            End::Low => {
                let step = |&state: &usize, read: u32| self.states[state].1[letter(read)];
                Table::build(sorted.clone(), size, 0, step, |&state| self.states[state].0, limits)
            }
            // The states from which what was read leads to one that accepts: more and more stands before it.
            End::High => {
                let ends: Vec<bool> = self.states.iter().map(|(accepts, _)| *accepts).collect();
                let step = |good: &Vec<bool>, read: u32| {
                    let letter = letter(read);
                    self.states.iter().map(|(_, to)| good[to[letter]]).collect()
                };
                Table::build(sorted.clone(), size, ends, step, |good: &Vec<bool>| good[0], limits)
            }
        }
    }
}
