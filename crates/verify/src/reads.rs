//! Automata that are written out in a certificate.

use crate::atoms::Numbers;
use crate::limits::{Halt, Limits};
use crate::sentence::Variable;
use crate::table::{End, Table};
use serde::{Deserialize, Serialize};

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
    /// How many numbers it reads.
    pub(super) reads: usize,
    states: Vec<(bool, Vec<usize>)>,
}

impl Written {
    /// What it says, for these numbers.
    ///
    /// # Errors
    /// Why it is no automaton, or one for which zeros above the highest digits matter.
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
        // The letter that it reads.
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
