//! Sentences about natural numbers, and their text.
//!
//! ```text
//! F = true | false | (not F) | (and F ..) | (or F ..) | (exists (x ..) F)
//!   | (= S S) | (<= S S)   sums are equal, or at most
//!   | (multiple n S)       a sum is a multiple of n
//!   | (xor x y z)          z = x xor y      | (meet x y z)   z = x & y       base 2 only
//!   | (place x)            one digit is 1   | (part p x)     place p, where x has the digit 1
//!   | (shift x y)          the digits of y are those of x, one place higher
//!   | (word i x ..)        the i-th automaton accepts these numbers
//! S = n | x | (+ S ..) | (* n S)            n: a number, perhaps with `-`; x: a name
//! ```

use crate::atoms::Reads;
use num_bigint::BigInt;
use num_traits::Zero;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A variable. No two places that bind one share it.
pub type Variable = u32;

/// A sum of multiples of variables and a constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Multiples, none of them 0.
    pub terms: BTreeMap<Variable, BigInt>,
    /// The constant.
    pub constant: BigInt,
}

/// What is said of some variables.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // see the module
pub enum Atom {
    /// The sum is 0.
    Zero(Sum),
    /// The sum is at most 0.
    AtMostZero(Sum),
    Multiple(BigInt, Sum),
    Xor([Variable; 3]),
    Meet([Variable; 3]),
    Place(Variable),
    Part(Variable, Variable),
    Shift(Variable, Variable),
    Word(Arc<Reads>, Vec<Variable>),
}

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Sentence {
    Constant(bool),
    Atom(Atom),
    Not(Box<Sentence>),
    All(Vec<Sentence>),
    Any(Vec<Sentence>),
    Exists(Vec<Variable>, Box<Sentence>),
}

const DEEPEST: usize = 300;
const LONGEST_NUMBER: usize = 400;

/// A sentence from its text, and the automata that it may speak of. All its variables are bound.
/// Errors: why it is none.
pub fn parse(text: &str, automata: &[Arc<Reads>]) -> Result<Sentence, String> {
    let mut reader = Reader { text, automata, at: 0, depth: 0, names: BTreeMap::new(), next: 0 };
    let sentence = reader.sentence()?;
    match reader.word() {
        "" => Ok(sentence),
        more => Err(format!("`{more}` stands behind the end of the sentence")),
    }
}

struct Reader<'t> {
    text: &'t str,
    automata: &'t [Arc<Reads>],
    at: usize,
    depth: usize,
    /// What the names mean here; the last counts.
    names: BTreeMap<&'t str, Vec<Variable>>,
    next: Variable,
}

impl<'t> Reader<'t> {
    /// A bracket, or what stands up to the next blank or bracket; empty at the end.
    fn word(&mut self) -> &'t str {
        let rest = self.text[self.at..].trim_start();
        let start = self.text.len() - rest.len();
        let length = match rest.chars().next() {
            Some('(' | ')') => 1,
            _ => rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')').unwrap_or(rest.len()),
        };
        self.at = start + length;
        &self.text[start..self.at]
    }

    fn ahead(&mut self) -> &'t str {
        let at = self.at;
        let word = self.word();
        self.at = at;
        word
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        match self.word() {
            word if word == wanted => Ok(()),
            word => Err(format!("`{wanted}` is missing before `{word}` at byte {}", self.at)),
        }
    }

    fn open(&mut self) -> Result<(), String> {
        self.expect("(")?;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("brackets are nested deeper than {DEEPEST}"));
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        self.depth -= 1;
        self.expect(")")
    }

    fn sentence(&mut self) -> Result<Sentence, String> {
        match self.ahead() {
            "true" | "false" => return Ok(Sentence::Constant(self.word() == "true")),
            _ => self.open()?,
        }
        let sentence = match self.word() {
            "not" => Sentence::Not(Box::new(self.sentence()?)),
            "and" => Sentence::All(self.many()?),
            "or" => Sentence::Any(self.many()?),
            "exists" => self.exists()?,
            "=" => Sentence::Atom(Atom::Zero(self.difference()?)),
            "<=" => Sentence::Atom(Atom::AtMostZero(self.difference()?)),
            "multiple" => {
                let of = self.number()?;
                if of <= BigInt::ZERO {
                    return Err(format!("multiples of {of}"));
                }
                Sentence::Atom(Atom::Multiple(of, self.sum()?))
            }
            "xor" => Sentence::Atom(Atom::Xor([self.variable()?, self.variable()?, self.variable()?])),
            "meet" => Sentence::Atom(Atom::Meet([self.variable()?, self.variable()?, self.variable()?])),
            "place" => Sentence::Atom(Atom::Place(self.variable()?)),
            "part" => Sentence::Atom(Atom::Part(self.variable()?, self.variable()?)),
            "shift" => Sentence::Atom(Atom::Shift(self.variable()?, self.variable()?)),
            "word" => {
                let word = self.word();
                let automaton = word.parse().ok().and_then(|number: usize| self.automata.get(number));
                let automaton = automaton.ok_or_else(|| format!("there is no automaton `{word}`"))?;
                let variables: Result<Vec<Variable>, String> = (0..automaton.reads).map(|_| self.variable()).collect();
                Sentence::Atom(Atom::Word(automaton.clone(), variables?))
            }
            word => return Err(format!("`{word}` begins no sentence")),
        };
        self.close()?;
        Ok(sentence)
    }

    fn many(&mut self) -> Result<Vec<Sentence>, String> {
        let mut parts = Vec::new();
        while self.ahead() != ")" {
            parts.push(self.sentence()?);
        }
        Ok(parts)
    }

    fn exists(&mut self) -> Result<Sentence, String> {
        self.expect("(")?;
        let (mut names, mut variables) = (Vec::new(), Vec::new());
        while self.ahead() != ")" {
            let name = self.word();
            if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
                return Err(format!("`{name}` is no name"));
            }
            names.push(name);
            variables.push(self.next);
            self.names.entry(name).or_default().push(self.next);
            self.next += 1;
        }
        self.expect(")")?;
        let inner = self.sentence()?;
        for name in names {
            self.names.entry(name).or_default().pop();
        }
        Ok(Sentence::Exists(variables, Box::new(inner)))
    }

    fn variable(&mut self) -> Result<Variable, String> {
        let name = self.word();
        let known = self.names.get(name).and_then(|known| known.last());
        known.copied().ok_or_else(|| format!("`{name}` is not bound"))
    }

    fn number(&mut self) -> Result<BigInt, String> {
        let word = self.word();
        if word.len() > LONGEST_NUMBER {
            return Err(format!("a number of more than {LONGEST_NUMBER} digits"));
        }
        word.parse().map_err(|_| format!("`{word}` is no number"))
    }

    fn difference(&mut self) -> Result<Sum, String> {
        let mut sum = self.sum()?;
        let other = self.sum()?;
        sum.add(&BigInt::from(-1), &other);
        Ok(sum)
    }

    fn sum(&mut self) -> Result<Sum, String> {
        let mut sum = Sum::default();
        let ahead = self.ahead();
        if ahead == "(" {
            self.open()?;
            match self.word() {
                "+" => {
                    while self.ahead() != ")" {
                        let part = self.sum()?;
                        sum.add(&BigInt::from(1), &part);
                    }
                }
                "*" => {
                    let factor = self.number()?;
                    let part = self.sum()?;
                    sum.add(&factor, &part);
                }
                word => return Err(format!("`{word}` begins no sum")),
            }
            self.close()?;
        } else if ahead.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            sum.constant = self.number()?;
        } else {
            sum.terms.insert(self.variable()?, BigInt::from(1));
        }
        Ok(sum)
    }
}

impl Sum {
    fn add(&mut self, factor: &BigInt, other: &Sum) {
        for (&variable, multiple) in &other.terms {
            let entry = self.terms.entry(variable).or_default();
            *entry += factor * multiple;
            if entry.is_zero() {
                self.terms.remove(&variable);
            }
        }
        self.constant += factor * &other.constant;
    }
}
