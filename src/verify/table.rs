//! Finite automata as plain tables: for every state and every letter the next state.
//!
//! A letter has a bit for each variable of the automaton. Nothing here is clever: products walk all pairs, projections make sets
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
    /// Ascending. Bit i of a letter is the digit of variable i.
    pub(super) variables: Vec<Variable>,
    /// State s goes to `next[s << variables | letter]`.
    next: Vec<u32>,
    accepting: Vec<bool>,
    start: u32,
}

/// More variables than this make no table.
const WIDEST: usize = 20;

impl Table {
    /// An automaton without variables.
    pub(super) fn constant(value: bool) -> Table {
        Table { variables: Vec::new(), next: vec![0], accepting: vec![value], start: 0 }
    }

    /// How many states.
    pub(super) fn states(&self) -> usize {
        self.accepting.len()
    }

    /// Whether the empty word is accepted: of an automaton without variables, its truth.
    pub(super) fn accepts_nothing_read(&self) -> bool {
        self.accepting[self.start as usize]
    }

    /// From a step function on states of any kind; the letter has the bits of the variables in their order.
    pub(super) fn build<S: Clone + Eq + Hash>(
        variables: Vec<Variable>,
        start: S,
        step: impl Fn(&S, u32) -> S,
        accepting: impl Fn(&S) -> bool,
        limits: &Limits,
    ) -> Result<Table, Halt> {
        let letters = letters(&variables)?;
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
        Table { variables, next, accepting: accepts, start: 0 }.minimal(limits)
    }

    /// Accepts what the other does not.
    pub(super) fn complement(mut self) -> Table {
        self.accepting.iter_mut().for_each(|accepting| *accepting = !*accepting);
        self
    }

    fn row(&self, state: u32) -> &[u32] {
        let width = self.variables.len();
        &self.next[(state as usize) << width..(state as usize + 1) << width]
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
        let letters = letters(&variables)?;
        let own = |table: &Table| -> Vec<u32> {
            let places: Vec<u32> = table.variables.iter().map(|v| place(&variables, *v)).collect();
            let letter = |letter: u32| places.iter().enumerate().map(|(i, &p)| (letter >> p & 1) << i).sum();
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
        Table { variables, next, accepting, start: 0 }.minimal(limits)
    }

    /// What is accepted with some number for the variable, by sets of states.
    pub(super) fn project(&self, variable: Variable, end: End, limits: &Limits) -> Result<Table, Halt> {
        if !self.variables.contains(&variable) {
            return Ok(self.clone());
        }
        let bit = place(&self.variables, variable);
        let variables: Vec<Variable> = self.variables.iter().copied().filter(|&v| v != variable).collect();
        let letters = letters(&variables)?;
        // The digits of the number may go on where all others are 0.
        let alone = [0u32, 1 << bit];
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
                    for letter in alone {
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
        let low = (1u32 << bit) - 1;
        let mut members = 0;
        while let Some(set) = states.list.get(accept.len()).cloned() {
            accept.push(set.iter().any(|&state| accepting[state as usize]));
            members += set.len();
            for letter in 0..letters {
                let wide = (letter & !low) << 1 | letter & low;
                let mut to = Vec::with_capacity(2 * set.len());
                for &state in &set {
                    let row = self.row(state);
                    to.push(row[wide as usize]);
                    to.push(row[(wide | 1 << bit) as usize]);
                }
                next.push(states.number(tidy(to)));
            }
            limits.check(states.list.len() * letters as usize + members)?;
        }
        Table { variables, next, accepting: accept, start: 0 }.minimal(limits)
    }

    /// The same with the fewest states: classes of states are split until all members of a class go to the same classes.
    fn minimal(self, limits: &Limits) -> Result<Table, Halt> {
        let width = self.variables.len();
        let count = u32::try_from(self.states()).unwrap_or(u32::MAX);
        let mut class: Vec<u32> = self.accepting.iter().map(|&accepting| u32::from(accepting)).collect();
        let mut classes = 0;
        loop {
            let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
            let mut split = Vec::with_capacity(class.len());
            for state in 0..count {
                let mut key = Vec::with_capacity((1 << width) + 1);
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
        let (mut next, mut accepting) = (vec![0; classes << width], vec![false; classes]);
        for state in 0..count {
            let to = class[state as usize] as usize;
            accepting[to] = self.accepting[state as usize];
            for (letter, &target) in self.row(state).iter().enumerate() {
                next[to << width | letter] = class[target as usize];
            }
        }
        Ok(Table { variables: self.variables, next, accepting, start: class[self.start as usize] })
    }
}

/// How many letters there are.
fn letters(variables: &[Variable]) -> Result<u32, Halt> {
    if variables.len() > WIDEST {
        return Err(Halt::Variables(variables.len()));
    }
    Ok(1 << variables.len())
}

/// The place of a variable among others; it is one of them.
fn place(variables: &[Variable], variable: Variable) -> u32 {
    variables.iter().position(|&v| v == variable).and_then(|at| u32::try_from(at).ok()).unwrap_or_default()
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
