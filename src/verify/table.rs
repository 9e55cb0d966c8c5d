//! Finite automata as plain tables: for every state and every letter the next state.
//!
//! A letter has a digit for each variable of the automaton. Nothing here is clever: products walk all pairs, projections make sets
//! of states, and equal states are merged by refining classes (Moore, 1956).

use super::limits::{Halt, Limits};
use super::sentence::Variable;
use hashbrown::HashMap;
use std::hash::Hash;

/// From which end numbers are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The lowest digits first: zeros at the end of a word change nothing.
    Low,
    /// The highest digits first: zeros at its beginning change nothing.
    High,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// Ascending. The digits of a letter, the first variable's changing fastest, are those of the variables.
    pub(super) variables: Vec<Variable>,
    /// How many digits there are.
    size: u32,
    /// How many letters there are.
    letters: usize,
    /// State s goes to `next[s * letters + letter]`.
    next: Vec<u32>,
    accepting: Vec<bool>,
    start: u32,
}

/// More letters than this make no table.
const MOST_LETTERS: u32 = 1 << 20;

impl Table {
    /// An automaton without variables.
    pub(super) fn constant(value: bool) -> Table {
        Table { variables: Vec::new(), size: 2, letters: 1, next: vec![0], accepting: vec![value], start: 0 }
    }

    /// How many states.
    pub(super) fn states(&self) -> usize {
        self.accepting.len()
    }

    /// Whether the empty word is accepted: of an automaton without variables, its truth.
    pub(super) fn accepts_nothing_read(&self) -> bool {
        self.accepting[self.start as usize]
    }

    /// From a step function on states of any kind; the letter has the digits of the variables in their order.
    pub(super) fn build<S: Clone + Eq + Hash>(
        variables: Vec<Variable>,
        size: u32,
        start: S,
        step: impl Fn(&S, u32) -> S,
        accepting: impl Fn(&S) -> bool,
        limits: &Limits,
    ) -> Result<Table, Halt> {
        let letters = letters(&variables, size)?;
        let mut states = Numbered::default();
        states.number(start);
        let (mut next, mut accepts) = (Vec::new(), Vec::new());
        while let Some(state) = states.list.get(accepts.len()).cloned() {
            accepts.push(accepting(&state));
            for letter in 0..letters {
                next.push(states.number(step(&state, letter)));
            }
            limits.check(states.list.len() * letters as usize)?;
        }
        Table { variables, size, letters: letters as usize, next, accepting: accepts, start: 0 }.minimal(limits)
    }

    /// Accepts what the other does not.
    pub(super) fn complement(mut self) -> Table {
        self.accepting.iter_mut().for_each(|accepting| *accepting = !*accepting);
        self
    }

    fn row(&self, state: u32) -> &[u32] {
        &self.next[state as usize * self.letters..(state as usize + 1) * self.letters]
    }

    /// A state that goes to itself whatever comes.
    fn stays(&self, state: u32) -> bool {
        self.row(state).iter().all(|&next| next == state)
    }

    /// Both (`and`), or one of them at least.
    pub(super) fn product(&self, other: &Table, and: bool, limits: &Limits) -> Result<Table, Halt> {
        let mut variables: Vec<Variable> = self.variables.iter().chain(&other.variables).copied().collect();
        variables.sort_unstable();
        variables.dedup();
        // An automaton without variables has no digits of its own.
        let size = if self.variables.is_empty() { other.size } else { self.size };
        let letters = letters(&variables, size)?;
        let own = |table: &Table| -> Vec<u32> {
            let worth: Vec<u32> = table.variables.iter().map(|v| worth(&variables, *v, size)).collect();
            let letter = |letter: u32| worth.iter().rev().fold(0, |own, worth| own * size + letter / worth % size);
            (0..letters).map(letter).collect()
        };
        let (mine, theirs) = (own(self), own(other));
        // A part that will refuse for ever (with `or`: accept for ever) decides alone: such pairs are one state.
        let decided = |table: &Table| -> Vec<bool> {
            (0u32..).zip(&table.accepting).map(|(state, &accepting)| accepting != and && table.stays(state)).collect()
        };
        let decided = [decided(self), decided(other)];
        let pair = |a: u32, b: u32| (!decided[0][a as usize] && !decided[1][b as usize]).then_some((a, b));
        let mut states = Numbered::default();
        states.number(pair(self.start, other.start));
        let (mut next, mut accepting): (Vec<u32>, Vec<bool>) = (Vec::new(), Vec::new());
        while let Some(&state) = states.list.get(accepting.len()) {
            let number = u32::try_from(accepting.len()).unwrap_or(u32::MAX);
            if let Some((a, b)) = state {
                let (first, second) = (self.row(a), other.row(b));
                for (mine, theirs) in mine.iter().zip(&theirs) {
                    next.push(states.number(pair(first[*mine as usize], second[*theirs as usize])));
                }
                let (a, b) = (self.accepting[a as usize], other.accepting[b as usize]);
                accepting.push(if and { a && b } else { a || b });
            } else {
                next.extend((0..letters).map(|_| number));
                accepting.push(!and);
            }
            limits.check(states.list.len() * letters as usize)?;
        }
        Table { variables, size, letters: letters as usize, next, accepting, start: 0 }.minimal(limits)
    }

    /// What is accepted with some number for the variable, by sets of states.
    pub(super) fn project(&self, variable: Variable, end: End, limits: &Limits) -> Result<Table, Halt> {
        if !self.variables.contains(&variable) {
            return Ok(self.clone());
        }
        let size = self.size;
        let worth = worth(&self.variables, variable, size);
        let variables: Vec<Variable> = self.variables.iter().copied().filter(|&v| v != variable).collect();
        let letters = letters(&variables, size)?;
        // The digits of the number may go on where all others are 0.
        let alone: Vec<u32> = (0..size).map(|digit| digit * worth).collect();
        let count = u32::try_from(self.states()).unwrap_or(u32::MAX);
        let mut accepting = self.accepting.clone();
        let mut first = vec![self.start];
        match end {
            End::Low => loop {
                let more: Vec<u32> = (0..count)
                    .filter(|&s| !accepting[s as usize])
                    .filter(|&s| alone.iter().any(|&letter| accepting[self.row(s)[letter as usize] as usize]))
                    .collect();
                if more.is_empty() {
                    break;
                }
                for state in more {
                    accepting[state as usize] = true;
                }
                limits.check(0)?;
            },
            End::High => {
                let mut at = 0;
                while let Some(&state) = first.get(at) {
                    at += 1;
                    for &letter in &alone {
                        let next = self.row(state)[letter as usize];
                        if !first.contains(&next) {
                            first.push(next);
                        }
                    }
                }
            }
        }
        let refuses: Vec<bool> = (0..count).map(|s| !accepting[s as usize] && self.stays(s)).collect();
        let accepts: Vec<bool> = (0..count).map(|s| accepting[s as usize] && self.stays(s)).collect();
        // Members that refuse for ever add nothing; one that accepts for ever decides.
        let tidy = |mut set: Vec<u32>| -> Vec<u32> {
            if let Some(&state) = set.iter().find(|&&s| accepts[s as usize]) {
                return vec![state];
            }
            set.retain(|&s| !refuses[s as usize]);
            set.sort_unstable();
            set.dedup();
            set
        };
        let mut states = Numbered::default();
        states.number(tidy(first));
        let (mut next, mut accept) = (Vec::new(), Vec::new());
        let mut members = 0;
        while let Some(set) = states.list.get(accept.len()).cloned() {
            accept.push(set.iter().any(|&state| accepting[state as usize]));
            members += set.len();
            for letter in 0..letters {
                let wide = letter / worth * worth * size + letter % worth;
                let mut to = Vec::with_capacity(alone.len() * set.len());
                for &state in &set {
                    let row = self.row(state);
                    to.extend(alone.iter().map(|digit| row[(wide + digit) as usize]));
                }
                next.push(states.number(tidy(to)));
            }
            limits.check(states.list.len() * letters as usize + members)?;
        }
        Table { variables, size, letters: letters as usize, next, accepting: accept, start: 0 }.minimal(limits)
    }

    /// The same with the fewest states: classes of states are split until all members of a class go to the same classes.
    fn minimal(self, limits: &Limits) -> Result<Table, Halt> {
        let count = u32::try_from(self.states()).unwrap_or(u32::MAX);
        let mut class: Vec<u32> = self.accepting.iter().map(|&accepting| u32::from(accepting)).collect();
        let mut classes = 0;
        loop {
            let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
            let mut split = Vec::with_capacity(class.len());
            for state in 0..count {
                let mut key = Vec::with_capacity(self.letters + 1);
                key.push(class[state as usize]);
                key.extend(self.row(state).iter().map(|&next| class[next as usize]));
                let fresh = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                split.push(*numbers.entry(key).or_insert(fresh));
            }
            limits.check(0)?;
            let found = numbers.len();
            class = split;
            if found == classes {
                break;
            }
            classes = found;
        }
        let (mut next, mut accepting) = (vec![0; classes * self.letters], vec![false; classes]);
        for state in 0..count {
            let to = class[state as usize] as usize;
            accepting[to] = self.accepting[state as usize];
            for (letter, &target) in self.row(state).iter().enumerate() {
                next[to * self.letters + letter] = class[target as usize];
            }
        }
        let start = class[self.start as usize];
        Ok(Table { next, accepting, start, ..self })
    }
}

/// How many letters there are.
fn letters(variables: &[Variable], size: u32) -> Result<u32, Halt> {
    let count = u32::try_from(variables.len()).ok().and_then(|count| size.checked_pow(count));
    count.filter(|&count| count <= MOST_LETTERS).ok_or(Halt::Variables(variables.len()))
}

/// What the digit of a variable is worth in the number of a letter. There are few enough letters.
fn worth(variables: &[Variable], variable: Variable, size: u32) -> u32 {
    variables.iter().take_while(|&&other| other != variable).fold(1, |worth, _| worth * size)
}

/// States of any kind, numbered as they come.
struct Numbered<S> {
    list: Vec<S>,
    known: HashMap<S, u32>,
}

impl<S> Default for Numbered<S> {
    fn default() -> Self {
        Numbered { list: Vec::new(), known: HashMap::new() }
    }
}

impl<S: Clone + Eq + Hash> Numbered<S> {
    fn number(&mut self, state: S) -> u32 {
        if let Some(&number) = self.known.get(&state) {
            return number;
        }
        let number = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(state.clone());
        self.known.insert(state, number);
        number
    }
}
