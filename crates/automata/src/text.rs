//! Automata as tables, and formulas as text, for certificates: the syntax is described in `crates/verify/src/sentence.rs`,
//! which reads it.

use crate::arithmetic::OPEN;
use crate::automaton::{Automaton, Track};
use crate::formula::{Atom, Formula, Linear, Sense};
use crate::system::{Limit, Reason, System};
use num_bigint::BigInt;
use num_traits::Signed;
use std::fmt::Write as _;
use std::hash::Hash;
use std::sync::Arc;

/// Texts do not grow beyond so many bytes.
const LONGEST: usize = 16 << 20;

/// Sentences of one way to write numbers as texts, and the automata that they speak of.
pub struct Texts {
    system: System,
    /// Each once; a sentence says `(word i ..)` of the i-th.
    pub automata: Vec<Table>,
    known: Vec<(Arc<Automaton>, usize)>,
}

impl Texts {
    /// Nothing is written yet.
    pub fn new(system: System) -> Texts {
        Texts { system, automata: Vec::new(), known: Vec::new() }
    }

    /// The sentence that no numbers make the formula true.
    /// Errors: when it is too long, or the table of an automaton too large.
    pub fn never(&mut self, formula: &Formula) -> Result<String, Reason> {
        let free = formula.free().into_iter().collect();
        let mut text = String::from("(not ");
        write(&Formula::exists(free, crate::order::simplified(formula)), self, &mut text)?;
        text.push(')');
        Ok(text)
    }

    /// Which of the automata this is, if a sentence speaks of it.
    pub fn known(&self, word: &Arc<Automaton>) -> Option<usize> {
        self.known.iter().find(|(known, _)| Arc::ptr_eq(known, word)).map(|(_, number)| *number)
    }

    fn number(&mut self, word: &Arc<Automaton>, reads: usize) -> Result<usize, Reason> {
        if let Some(number) = self.known(word) {
            return Ok(number);
        }
        let table = Table::of(word, reads, self.system)?;
        let number = self.automata.iter().position(|known| *known == table).unwrap_or(self.automata.len());
        if number == self.automata.len() {
            self.automata.push(table);
        }
        self.known.push((word.clone(), number));
        Ok(number)
    }
}

fn write(formula: &Formula, texts: &mut Texts, text: &mut String) -> Result<(), Reason> {
    if text.len() > LONGEST {
        return Err(Reason::Failed(format!("the text of a sentence is longer than {LONGEST} bytes")));
    }
    let mut many = |word: &str, parts: &[Formula], text: &mut String| {
        *text += word;
        for part in parts {
            text.push(' ');
            write(part, texts, text)?;
        }
        Ok(())
    };
    match formula {
        Formula::Constant(value) => {
            *text += if *value { "true" } else { "false" };
            return Ok(());
        }
        Formula::Atom(atom) => return self::atom(atom, texts, text),
        Formula::Not(inner) => {
            *text += "(not ";
            write(inner, texts, text)?;
        }
        Formula::All(parts) => many("(and", parts, text)?,
        Formula::Any(parts) => many("(or", parts, text)?,
        Formula::Exists(tracks, inner) => {
            let names: Vec<String> = tracks.iter().map(|track| format!("x{track}")).collect();
            put(text, format_args!("(exists ({}) ", names.join(" ")));
            write(inner, texts, text)?;
        }
    }
    text.push(')');
    Ok(())
}

fn put(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = text.write_fmt(what);
}

fn atom(atom: &Atom, texts: &mut Texts, text: &mut String) -> Result<(), Reason> {
    match atom {
        Atom::Sum(sum, sense) => {
            // What is negative stands on the other side.
            let [left, right] = sides(sum);
            let word = if *sense == Sense::Zero { "=" } else { "<=" };
            put(text, format_args!("({word} {left} {right})"));
        }
        Atom::Multiple(sum, of) => {
            let terms = sum.terms.iter().map(|(track, multiple)| term(multiple, *track)).collect();
            put(text, format_args!("(multiple {of} {})", added(terms, &sum.constant)));
        }
        Atom::Times(..) | Atom::Rounded(..) => return Err(Reason::Failed(OPEN.into())),
        Atom::Xor(x, y, z) => put(text, format_args!("(xor x{x} x{y} x{z})")),
        Atom::Meet(x, y, z) => put(text, format_args!("(meet x{x} x{y} x{z})")),
        Atom::Place(x) => put(text, format_args!("(place x{x})")),
        Atom::Part(p, x) => put(text, format_args!("(part x{p} x{x})")),
        Atom::Shift(x, y) => put(text, format_args!("(shift x{x} x{y})")),
        Atom::Word(word, tracks) => {
            let number = texts.number(word, tracks.len())?;
            put(text, format_args!("(word {number}"));
            for track in tracks {
                put(text, format_args!(" x{track}"));
            }
            text.push(')');
        }
    }
    Ok(())
}

fn sides(sum: &Linear) -> [String; 2] {
    [false, true].map(|negative| {
        let of = |(_, multiple): &(&u32, &BigInt)| multiple.is_negative() == negative;
        let terms = sum.terms.iter().filter(of).map(|(track, multiple)| term(&multiple.abs(), *track)).collect();
        let constant = if sum.constant.is_negative() == negative { sum.constant.abs() } else { BigInt::ZERO };
        added(terms, &constant)
    })
}

fn term(multiple: &BigInt, track: u32) -> String {
    if *multiple == BigInt::from(1) { format!("x{track}") } else { format!("(* {multiple} x{track})") }
}

fn added(mut terms: Vec<String>, constant: &BigInt) -> String {
    if terms.is_empty() || *constant != BigInt::ZERO {
        terms.push(constant.to_string());
    }
    match &terms[..] {
        [one] => one.clone(),
        _ => format!("(+ {})", terms.join(" ")),
    }
}

/// An automaton that reads some numbers from their lowest digits on. Zeros above the highest digits change nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// How many numbers it reads.
    pub reads: usize,
    /// Whether what was read is accepted, and where each letter leads: the number of a letter is that of its digits, the first
    /// number changing fastest. It begins in the first state.
    pub states: Vec<(bool, Vec<usize>)>,
}

const ENTRIES: usize = 1 << 20;

/// How many letters there are; `None`: too many.
fn letters(reads: usize, system: System) -> Option<usize> {
    usize::from(system.size()).checked_pow(u32::try_from(reads).ok()?).filter(|&count| count <= ENTRIES)
}

impl Table {
    /// The table of states of any kind, numbered in the order in which they are met: `row` says whether a state accepts, and where
    /// each letter leads. `None`: `row` says nothing of a state, or there are more states than `most`.
    pub fn explore<S: Clone + Eq + Hash>(
        reads: usize,
        start: S,
        most: usize,
        mut row: impl FnMut(&S) -> Option<(bool, Vec<S>)>,
    ) -> Option<Table> {
        let mut met = indexmap::IndexSet::from([start]);
        let mut states = Vec::new();
        while let Some(state) = met.get_index(states.len()).cloned() {
            let (accepts, to) = row(&state)?;
            states.push((accepts, to.into_iter().map(|next| met.insert_full(next).0).collect()));
            if met.len() > most {
                return None;
            }
        }
        Some(Table { reads, states })
    }

    /// The automaton of a table, with variables `0, 1, ..`, minimal. Words that are no numbers are rejected.
    /// Errors: the limit that was reached; a table that is none.
    pub fn automaton(&self, system: System, limit: &Limit) -> Result<Automaton, Reason> {
        let wrong = || Reason::Failed("a table that is no automaton".into());
        let letters = letters(self.reads, system).ok_or(Reason::Tests(limit.tests))?;
        let fits = |row: &[usize]| row.len() == letters && row.iter().all(|&next| next < self.states.len());
        if self.states.is_empty() || !self.states.iter().all(|(_, row)| fits(row)) {
            return Err(wrong());
        }
        if self.states.iter().any(|(accepts, row)| *accepts != self.states[row[0]].0) {
            return Err(wrong());
        }
        let size = usize::from(system.size());
        let tracks: Vec<Track> = (0..).take(self.reads).flat_map(|variable| system.tracks(variable)).collect();
        // `None`: some digit is none.
        let step = |state: &Option<usize>, bits: &[bool]| {
            let digits: Vec<usize> = system.read(bits).map(usize::from).collect();
            let letter = digits.iter().rev().fold(0, |letter, digit| letter * size + digit);
            (*state).filter(|_| digits.iter().all(|&digit| digit < size)).map(|state| self.states[state].1[letter])
        };
        Automaton::build(limit, &tracks, Some(0), step, |state| state.is_some_and(|state| self.states[state].0))
    }

    /// The table of an automaton with variables `0, 1, ..`.
    /// Errors: when it would be too large.
    pub fn of(automaton: &Automaton, reads: usize, system: System) -> Result<Table, Reason> {
        let count = letters(reads, system).filter(|count| count.saturating_mul(automaton.states()) <= ENTRIES);
        let letters = count
            .ok_or_else(|| Reason::Failed(format!("the table of an automaton has more than {ENTRIES} entries")))?;
        let size = usize::from(system.size());
        let table = Table::explore(reads, automaton.start, usize::MAX, |&state| {
            let next = |letter: usize| {
                let bit = |track: Track| {
                    let (variable, bit) = system.variable(track);
                    (letter / size.pow(variable) % size) >> bit & 1 == 1
                };
                automaton.diagrams.leaf(automaton.rows[state], bit)
            };
            Some((automaton.accepting[state], (0..letters).map(next).collect()))
        });
        table.ok_or_else(|| Reason::Failed("an automaton without a table".into()))
    }
}
