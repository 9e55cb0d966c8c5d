//! Automata as tables: states in order, the first one is where it begins, and for each of them where each letter leads.

use crate::automaton::Automaton;
use crate::diagram::Track;
use crate::limit::{Limit, Reason};
use crate::system::System;

/// An automaton that reads some numbers from their lowest digits on. Zeros above the highest digits change nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// How many numbers it reads.
    pub reads: usize,
    /// Whether what was read is accepted, and where each letter leads: the number of a letter is that of its digits, the first
    /// number changing fastest. It begins in the first state.
    pub states: Vec<(bool, Vec<usize>)>,
}

/// A table has no more entries.
const ENTRIES: usize = 1 << 20;

/// How many letters there are; `None`: too many.
fn letters(reads: usize, system: System) -> Option<usize> {
    usize::from(system.size()).checked_pow(u32::try_from(reads).ok()?).filter(|&count| count <= ENTRIES)
}

impl Table {
    /// The automaton of a table, with variables `0, 1, ..`, minimal. Words that are no numbers are rejected.
    ///
    /// # Errors
    /// The limit that was reached; a table that is none.
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
    ///
    /// # Errors
    /// When it would be too large.
    pub fn of(automaton: &Automaton, reads: usize, system: System) -> Result<Table, Reason> {
        let count = letters(reads, system).filter(|count| count.saturating_mul(automaton.states()) <= ENTRIES);
        let letters = count
            .ok_or_else(|| Reason::Failed(format!("the table of an automaton has more than {ENTRIES} entries")))?;
        let size = usize::from(system.size());
        // Numbers of states in the order in which they are met.
        let mut met = vec![automaton.start];
        let mut states: Vec<(bool, Vec<usize>)> = Vec::new();
        while let Some(&state) = met.get(states.len()) {
            let mut row = Vec::with_capacity(letters);
            for letter in 0..letters {
                let bit = |track: Track| {
                    let (variable, bit) = system.variable(track);
                    (letter / size.pow(variable) % size) >> bit & 1 == 1
                };
                let next = automaton.diagrams.leaf(automaton.rows[state], bit);
                row.push(met.iter().position(|&other| other == next).unwrap_or_else(|| {
                    met.push(next);
                    met.len() - 1
                }));
            }
            states.push((automaton.accepting[state], row));
        }
        Ok(Table { reads, states })
    }
}
