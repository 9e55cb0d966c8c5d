//! The automaton of a table: its states are what words leave of it.
//!
//! Two words that leave the same belong to one state (Myhill, 1957; Nerode, 1958). Of a finite table words leave the less the
//! longer they are, so words are gone through by length, and each joins the first state that it does not contradict. Where
//! the table is long enough for the automaton behind it, that finds it (Trakhtenbrot, Barzdin, Finite Automata: Behavior and
//! Synthesis, 1973); the table comes from the rules at once, so that nothing need be asked (Angluin, Learning regular sets
//! from queries and counterexamples, 1987). Whether it was long enough is told by points that are not in it.

use crate::guess::automata::numerals::Numerals;
use crate::guess::automata::table::{Compared, Kind, Rest, Table};

/// An automaton that reads numbers from their lowest digits on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// How numbers are written.
    pub numerals: Numerals,
    /// How many numbers it reads at once: the variables, then the value if it reads one.
    pub tracks: usize,
    /// Whether the last number is the value.
    pub value: bool,
    /// The states; it begins in the first.
    pub states: Vec<State>,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Whether what was read is accepted.
    pub accepts: bool,
    /// Where each letter leads. The number of a letter is that of its digits, the first variable changing fastest.
    pub to: Vec<usize>,
}

/// The automaton of a table with at most so many states.
pub(super) fn learn(table: &Table, numerals: Numerals, variables: usize, most: usize) -> Option<Machine> {
    let digits = if table.kind == Kind::Value { numerals.digits() } else { 1 };
    let value = |digit: u8| (table.kind == Kind::Value).then_some(digit);
    let mut rests: Vec<Rest> = vec![Table::whole()];
    let mut to: Vec<Vec<Option<usize>>> = Vec::new();
    while to.len() < rests.len() {
        let mut row = Vec::new();
        for digit in 0..digits {
            for letter in 0..table.letters {
                let next = table.after(&rests[to.len()], letter, value(digit));
                let Some(next) = next else {
                    row.push(None);
                    continue;
                };
                // The state with which it agrees most often, the first of these.
                let mut best: Option<(usize, usize)> = None;
                for (state, rest) in rests.iter().enumerate() {
                    if let Compared::Agree(often) = table.compare(&next, rest)
                        && best.is_none_or(|(most, _)| often > most)
                    {
                        best = Some((often, state));
                    }
                }
                let state = best.map_or(rests.len(), |(_, state)| state);
                if best.is_none() {
                    if rests.len() == most {
                        return None;
                    }
                    rests.push(next);
                }
                row.push(Some(state));
            }
        }
        to.push(row);
    }
    finished(table, &rests, to, Machine { numerals, tracks: variables, value: digits > 1, states: Vec::new() })
}

/// Puts what nothing is known of into a state of its own, and sees to it that zeros above the highest digits change nothing.
fn finished(table: &Table, rests: &[Rest], to: Vec<Vec<Option<usize>>>, mut machine: Machine) -> Option<Machine> {
    machine.tracks += usize::from(machine.value);
    let mut accepts: Vec<Option<bool>> = rests.iter().map(|rest| table.accepts(rest)).collect();
    let nowhere = rests.len();
    let missing = to.iter().flatten().any(Option::is_none);
    let mut to: Vec<Vec<usize>> =
        to.into_iter().map(|row| row.into_iter().map(|state| state.unwrap_or(nowhere)).collect()).collect();
    if missing {
        to.push(vec![nowhere; to.first()?.len()]);
        accepts.push(Some(false));
    }
    for _ in 0..to.len() {
        for state in 0..to.len() {
            accepts[state] = accepts[state].or(accepts[to[state][0]]);
        }
    }
    let accepts: Vec<bool> = accepts.into_iter().map(|accepts| accepts == Some(true)).collect();
    if to.iter().enumerate().any(|(state, row)| accepts[state] != accepts[row[0]]) {
        return None;
    }
    machine.states = to.into_iter().zip(accepts).map(|(to, accepts)| State { accepts, to }).collect();
    Some(machine)
}

impl Machine {
    /// The letter of these digits, one for each track.
    fn letter(&self, digits: impl DoubleEndedIterator<Item = u8>) -> usize {
        digits.rev().fold(0, |letter, digit| letter * usize::from(self.numerals.digits()) + usize::from(digit))
    }

    /// The digits of a letter, one for each track.
    #[must_use]
    pub fn digits(&self, mut letter: usize) -> Vec<u8> {
        let base = usize::from(self.numerals.digits());
        let digit = |_| {
            let digit = letter % base;
            letter /= base;
            u8::try_from(digit).unwrap_or_default()
        };
        (0..self.tracks).map(digit).collect()
    }

    /// Accepts what this does not.
    pub(super) fn complement(mut self) -> Machine {
        self.states.iter_mut().for_each(|state| state.accepts = !state.accepts);
        self
    }

    /// Whether these numbers are accepted, one for each track.
    #[must_use]
    pub fn accepts(&self, numbers: &[u64]) -> bool {
        let words: Vec<Vec<u8>> = numbers.iter().map(|number| self.numerals.write(*number)).collect();
        let places = words.iter().map(Vec::len).max().unwrap_or(0);
        let end = (0..places).fold(0, |state: usize, place| {
            let digits = words.iter().map(|word| word.get(place).copied().unwrap_or(0));
            self.states[state].to[self.letter(digits)]
        });
        self.states[end].accepts
    }

    /// Whether it says this value of a point, and no other.
    pub(super) fn says(&self, at: &[i64], value: i128) -> bool {
        let numbers: Option<Vec<u64>> = at.iter().map(|x| u64::try_from(*x).ok()).collect();
        let (Some(mut numbers), Ok(value)) = (numbers, u64::try_from(value)) else { return false };
        if !self.value {
            return self.accepts(&numbers) == (value == 1);
        }
        let only = self.values(&numbers) == 1;
        numbers.push(value);
        only && self.accepts(&numbers)
    }

    /// How many values it accepts at a point, among those that are not much longer than the point.
    fn values(&self, numbers: &[u64]) -> u64 {
        /// So many places more.
        const LONGER: usize = 8;
        let words: Vec<Vec<u8>> = numbers.iter().map(|number| self.numerals.write(*number)).collect();
        let places = words.iter().map(Vec::len).max().unwrap_or(0) + LONGER;
        // How many beginnings of values lead to each state. The digits 1 of Fibonacci numbers are no neighbours: a state counts
        // twice, by what the last digit was.
        let digits = self.numerals.digits();
        let mut ways = vec![[0u64; 2]; self.states.len()];
        ways[0][0] = 1;
        for place in 0..places {
            let mut next = vec![[0u64; 2]; self.states.len()];
            for (state, ways) in self.states.iter().zip(&ways) {
                for digit in 0..digits {
                    let letter = words.iter().map(|word| word.get(place).copied().unwrap_or(0)).chain([digit]);
                    let letter = self.letter(letter.collect::<Vec<_>>().into_iter());
                    for (last, count) in ways.iter().enumerate() {
                        let neighbours = self.numerals == Numerals::Zeckendorf && last == 1 && digit == 1;
                        if !neighbours {
                            let to = &mut next[state.to[letter]][usize::from(digit == 1)];
                            *to = to.saturating_add(*count);
                        }
                    }
                }
            }
            ways = next;
        }
        let accepted = self.states.iter().zip(&ways).filter(|(state, _)| state.accepts);
        accepted.map(|(_, [zero, one])| zero.saturating_add(*one)).fold(0, u64::saturating_add)
    }
}
