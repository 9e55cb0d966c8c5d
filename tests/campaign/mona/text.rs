//! Formulas as sources of MONA.

use super::words;
use grundy_automata::{Atom, Automaton, Formula, Linear, Reason, Sense, System, Track};
use num_bigint::{BigInt, BigUint};
use num_traits::Signed;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// Sources do not grow beyond so many bytes.
const LONGEST: usize = 16 << 20;

/// The name of the variable that is the i-th of those not bound.
pub(super) fn variable(i: usize) -> String {
    format!("v{i}")
}

/// A source whose satisfying examples are the numbers that make a formula true, and which variables these are, in the order
/// of their names `v0`, `v1`, .. ([`sets`])
///
/// # Errors
/// When it is too long.
pub(super) fn text(formula: &Formula, system: System) -> Result<(String, Vec<Track>), Reason> {
    let tracks: Vec<Track> = formula.free().into_iter().collect();
    let mut writer =
        Writer { system, names: BTreeMap::new(), fresh: tracks.len(), words: Vec::new(), preds: String::new() };
    let mut text = String::new();
    for (i, &track) in tracks.iter().enumerate() {
        let number = sets(&variable(i), system);
        writeln!(text, "var2 {};", number.join(", ")).unwrap_or_default();
        text += &writer.proper(&number, ";\n");
        writer.names.insert(track, vec![number]);
    }
    writer.formula(formula, &mut text)?;
    text += ";\n";
    Ok((words::preliminaries(system) + &writer.preds + &text, tracks))
}

/// The sets that make a number: in larger bases one for each bit of a digit, the lowest first.
pub(super) fn sets(name: &str, system: System) -> Vec<String> {
    match system {
        System::Base(_) => ('a'..).take(system.width() as usize).map(|bit| format!("{name}{bit}")).collect(),
        System::Binary | System::ZECKENDORF => vec![name.to_string()],
        System::Surd(_) => unreachable!("not written for MONA"),
    }
}

/// A number as the sets that make it.
type Number = Vec<String>;

struct Writer {
    system: System,
    /// What each variable is called now; the last name counts.
    names: BTreeMap<Track, Vec<Number>>,
    fresh: usize,
    /// The automata that are spoken of, each a predicate `word0`, `word1`, ..
    words: Vec<Arc<Automaton>>,
    /// Their predicates.
    preds: String,
}

impl Writer {
    fn number(&self, track: Track) -> Number {
        self.names.get(&track).and_then(|names| names.last()).cloned().unwrap_or_default()
    }

    /// The only set of a number, in systems of the digits 0 and 1.
    fn set(&self, track: Track) -> String {
        self.number(track).pop().unwrap_or_default()
    }

    fn fresh(&mut self) -> Number {
        self.fresh += 1;
        sets(&format!("w{}", self.fresh), self.system)
    }

    /// That sets are a number at all, where not all words are numbers.
    fn proper(&self, number: &Number, behind: &str) -> String {
        if words::all_are_numbers(self.system) {
            return String::new();
        }
        format!("proper({}){behind}", number.join(", "))
    }

    /// For some number.
    fn some(&self, number: &Number) -> String {
        format!("ex2 {}: {}", number.join(", "), self.proper(number, " & "))
    }

    fn formula(&mut self, formula: &Formula, text: &mut String) -> Result<(), Reason> {
        if text.len() > LONGEST {
            return Err(Reason::Failed(format!("the text for mona is longer than {LONGEST} bytes")));
        }
        match formula {
            Formula::Constant(value) => *text += if *value { "true" } else { "false" },
            Formula::Atom(atom) => *text += &self.atom(atom)?,
            Formula::Not(inner) => {
                *text += "~(";
                self.formula(inner, text)?;
                text.push(')');
            }
            Formula::All(parts) => self.many(parts, " & ", "true", text)?,
            Formula::Any(parts) => self.many(parts, " | ", "false", text)?,
            Formula::Exists(tracks, inner) => {
                text.push('(');
                for &track in tracks {
                    let number = self.fresh();
                    *text += &self.some(&number);
                    self.names.entry(track).or_default().push(number);
                }
                text.push('(');
                self.formula(inner, text)?;
                *text += "))";
                for track in tracks {
                    self.names.entry(*track).or_default().pop();
                }
            }
        }
        Ok(())
    }

    fn many(&mut self, parts: &[Formula], between: &str, none: &str, text: &mut String) -> Result<(), Reason> {
        if parts.is_empty() {
            *text += none;
        }
        for (i, part) in parts.iter().enumerate() {
            *text += if i > 0 { between } else { "" };
            text.push('(');
            self.formula(part, text)?;
            text.push(')');
        }
        Ok(())
    }

    fn atom(&mut self, atom: &Atom) -> Result<String, Reason> {
        if let (
            System::Base(base),
            Atom::Xor(..) | Atom::Meet(..) | Atom::Place(_) | Atom::Part(..) | Atom::Shift(..),
        ) = (self.system, atom)
        {
            return Err(Reason::Failed(format!("digits in base 2 where numbers are written in base {base}")));
        }
        Ok(match atom {
            Atom::Sum(sum, sense) => self.sum(sum, *sense),
            Atom::Multiple(sum, of) => {
                // The sum is s, and s is a multiple q * of; all multiples in the sum are natural or become so.
                let rest = |number: &BigInt| num_integer::Integer::mod_floor(number, of).magnitude().clone();
                let terms: Vec<(BigUint, Number)> =
                    sum.terms.iter().map(|(&track, multiple)| (rest(multiple), self.number(track))).collect();
                let (s, q) = (self.fresh(), self.fresh());
                let is = self.value(&terms, &rest(&sum.constant), &s);
                let multiple = self.value(&[(of.magnitude().clone(), q.clone())], &BigUint::ZERO, &s);
                format!("{}{is} & ({}{multiple})", self.some(&s), self.some(&q))
            }
            Atom::Times(..) | Atom::Rounded(..) => return Err(Reason::Failed("multiples of a variable".into())),
            Atom::Xor(x, y, z) => {
                let (x, y, z) = (self.set(*x), self.set(*y), self.set(*z));
                format!("{z} = ({x} \\ {y}) union ({y} \\ {x})")
            }
            Atom::Meet(x, y, z) => format!("{} = {} inter {}", self.set(*z), self.set(*x), self.set(*y)),
            Atom::Place(x) => format!("ex1 t: {} = {{t}}", self.set(*x)),
            Atom::Part(p, x) => format!("ex1 t: {} = {{t}} & t in {}", self.set(*p), self.set(*x)),
            Atom::Shift(x, y) => format!("{} = {} + 1", self.set(*y), self.set(*x)),
            Atom::Word(word, tracks) => {
                let number = self.word(word, tracks.len())?;
                let read: Vec<String> = tracks.iter().flat_map(|track| self.number(*track)).collect();
                format!("word{number}({})", read.join(", "))
            }
        })
    }

    /// The number of an automaton's predicate.
    fn word(&mut self, word: &Arc<Automaton>, variables: usize) -> Result<usize, Reason> {
        if let Some(known) = self.words.iter().position(|other| Arc::ptr_eq(other, word)) {
            return Ok(known);
        }
        let number = self.words.len();
        self.preds += &words::word(&format!("word{number}"), word, variables, self.system);
        self.words.push(word.clone());
        if self.preds.len() > LONGEST {
            return Err(Reason::Failed(format!("the text for mona is longer than {LONGEST} bytes")));
        }
        Ok(number)
    }

    /// Both sides of a comparison are added up apart.
    fn sum(&mut self, sum: &Linear, sense: Sense) -> String {
        let mut sides: [Vec<(BigUint, Number)>; 2] = Default::default();
        for (&track, multiple) in &sum.terms {
            sides[usize::from(multiple.is_negative())].push((multiple.magnitude().clone(), self.number(track)));
        }
        let [low, high] = sides;
        let zero = BigUint::ZERO;
        let constant = sum.constant.magnitude();
        let [low_constant, high_constant] =
            if sum.constant.is_negative() { [&zero, constant] } else { [constant, &zero] };
        let a = self.fresh();
        let low = self.value(&low, low_constant, &a);
        let some_a = self.some(&a);
        match sense {
            Sense::Zero => format!("{some_a}{low} & {}", self.value(&high, high_constant, &a)),
            Sense::AtMostZero => {
                let b = self.fresh();
                let high = self.value(&high, high_constant, &b);
                format!("{some_a}{low} & ({}{high} & leq({}, {}))", self.some(&b), a.join(", "), b.join(", "))
            }
        }
    }

    /// That a variable has the value of a sum of natural multiples: by doubling and adding, from the highest bit of all
    /// multiples on (Horner). Each step binds what came before, so that it can be forgotten.
    fn value(&mut self, terms: &[(BigUint, Number)], constant: &BigUint, goal: &Number) -> String {
        let bits = terms.iter().map(|(multiple, _)| multiple.bits()).max().unwrap_or(0);
        // What is added up so far, and how it came about where that must be said.
        let mut said: Option<(Number, Option<String>)> = None;
        let mut then = |writer: &mut Self, other: Option<&Number>| {
            said = Some(match (said.take(), other) {
                // The first summand needs no addition.
                (None, Some(other)) => (other.clone(), None),
                (None, None) => return,
                (Some((before, how)), other) => {
                    let next = writer.fresh();
                    let with = other.unwrap_or(&before);
                    let step = format!("add({}, {}, {})", before.join(", "), with.join(", "), next.join(", "));
                    let how = how.map_or(step.clone(), |how| format!("({}{how} & {step})", writer.some(&before)));
                    (next, Some(how))
                }
            });
        };
        for bit in (0..bits).rev() {
            then(self, None);
            for (multiple, number) in terms {
                if multiple.bit(bit) {
                    then(self, Some(number));
                }
            }
        }
        if *constant != BigUint::ZERO {
            then(self, Some(&self.known(constant)));
        }
        let (last, how) = said.unwrap_or_else(|| (vec!["empty".into(); goal.len()], None));
        let same: Vec<String> = goal.iter().zip(&last).map(|(goal, last)| format!("{goal} = {last}")).collect();
        let same = same.join(" & ");
        how.map_or(same.clone(), |how| format!("({}{how} & {same})", self.some(&last)))
    }

    /// A known number.
    fn known(&self, number: &BigUint) -> Number {
        let digits = self.system.digits(number);
        let set = |bit: u32| {
            let of = digits.iter().enumerate().filter(|(_, digit)| **digit >> bit & 1 == 1);
            format!("{{{}}}", of.map(|(place, _)| place.to_string()).collect::<Vec<_>>().join(","))
        };
        (0..self.system.width()).map(set).collect()
    }
}
