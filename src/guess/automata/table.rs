//! Known values as a tree of words, and what is left of it behind a word.

use crate::guess::automata::numerals::Numerals;

/// No such node.
const NONE: u32 = u32::MAX;
/// The node of all words that are no numbers: nothing is accepted there.
const NO_NUMBER: u32 = u32::MAX - 1;

/// What values are for an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It accepts the points of value 1.
    Truth,
    /// It reads the value beside the point, and accepts the right one.
    Value,
}

/// All points that are known, each as the letters of its digits from the lowest on, all of one length.
pub(super) struct Table {
    pub(super) kind: Kind,
    numerals: Numerals,
    /// So many letters: one digit for each variable.
    pub(super) letters: usize,
    children: Vec<u32>,
    /// The letter that leads to each node.
    last: Vec<usize>,
    /// At the end of a word the value: its digits, or one truth value.
    values: Vec<Option<Vec<u8>>>,
    /// How many points there are.
    pub(super) points: usize,
}

/// What is left of the table behind a word.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    node: u32,
    /// The digits of the value so far.
    low: Vec<u8>,
}

/// What is known at a word.
#[derive(PartialEq, Eq)]
enum Known<'t> {
    /// It is no whole word.
    Nothing,
    /// The value begins with other digits than those read, or the word is no number.
    Other,
    /// This is left of the value.
    Left(&'t [u8]),
}

/// How two rests compare.
pub(super) enum Compared {
    /// They differ at a word that both know.
    Differ,
    /// They agree at so many words.
    Agree(usize),
}

impl Table {
    /// The table of some points; `None`: a number is negative, or there is nothing.
    pub(super) fn new(numerals: Numerals, kind: Kind, rows: &[&(Vec<i64>, i128)]) -> Option<Table> {
        let variables = rows.first()?.0.len();
        let letters = usize::from(numerals.digits()).checked_pow(u32::try_from(variables).ok()?)?;
        let mut table = Table {
            kind,
            numerals,
            letters,
            children: Vec::new(),
            last: Vec::new(),
            values: Vec::new(),
            points: rows.len(),
        };
        table.node(0);
        let words = rows.iter().map(|(at, value)| {
            let at: Option<Vec<Vec<u8>>> = at.iter().map(|x| Some(numerals.write(u64::try_from(*x).ok()?))).collect();
            let value = u64::try_from(*value).ok()?;
            Some((at?, if kind == Kind::Truth { vec![u8::from(value == 1)] } else { numerals.write(value) }))
        });
        let words: Vec<(Vec<Vec<u8>>, Vec<u8>)> = words.collect::<Option<_>>()?;
        let depth = words.iter().flat_map(|(at, _)| at.iter().map(Vec::len)).max()?;
        for (at, value) in words {
            let mut node = 0;
            for place in 0..depth {
                let letter = table.letter(at.iter().map(|word| word.get(place).copied().unwrap_or(0)));
                let known = table.children[node as usize * letters + letter];
                node = if known == NONE {
                    let new = table.node(letter);
                    table.children[node as usize * letters + letter] = new;
                    new
                } else {
                    known
                };
            }
            table.values[node as usize] = Some(value);
        }
        Some(table)
    }

    fn node(&mut self, last: usize) -> u32 {
        self.last.push(last);
        self.children.resize(self.children.len() + self.letters, NONE);
        self.values.push(None);
        u32::try_from(self.values.len() - 1).unwrap_or(NONE)
    }

    /// The number of a letter: the digits of the variables, the first one changing fastest.
    pub(super) fn letter(&self, digits: impl DoubleEndedIterator<Item = u8>) -> usize {
        digits.rev().fold(0, |letter, digit| letter * usize::from(self.numerals.digits()) + usize::from(digit))
    }

    /// All of it.
    pub(super) fn whole() -> Rest {
        Rest { node: 0, low: Vec::new() }
    }

    /// What is left behind a letter more, and a digit more of the value; `None`: nothing is known there.
    pub(super) fn after(&self, rest: &Rest, letter: usize, digit: Option<u8>) -> Option<Rest> {
        let node = self.child(rest.node, letter)?;
        let mut low = rest.low.clone();
        low.extend(digit);
        Some(Rest { node, low })
    }

    fn child(&self, node: u32, letter: usize) -> Option<u32> {
        if node == NO_NUMBER {
            return Some(NO_NUMBER);
        }
        if self.values[node as usize].is_some() {
            // Above the highest digits there are zeros.
            return (letter == 0).then_some(node);
        }
        // Two digits 1 of Fibonacci numbers are no neighbours.
        if self.numerals == Numerals::Zeckendorf && self.last[node as usize] & letter != 0 {
            return Some(NO_NUMBER);
        }
        Some(self.children[node as usize * self.letters + letter]).filter(|child| *child != NONE)
    }

    /// What is left of the value at the end of a word.
    fn value(&self, node: u32, rest: &Rest) -> Known<'_> {
        if node == NO_NUMBER {
            return if self.kind == Kind::Truth { Known::Left(&[0]) } else { Known::Other };
        }
        let Some(value) = self.values[node as usize].as_deref() else { return Known::Nothing };
        if self.kind == Kind::Truth {
            return Known::Left(value);
        }
        let fits = rest.low.iter().enumerate().all(|(i, digit)| value.get(i).copied().unwrap_or(0) == *digit);
        if fits { Known::Left(value.get(rest.low.len()..).unwrap_or_default()) } else { Known::Other }
    }

    /// Whether the automaton accepts here, where it is known.
    pub(super) fn accepts(&self, rest: &Rest) -> Option<bool> {
        let mut node = rest.node;
        loop {
            match self.value(node, rest) {
                Known::Left(value) if self.kind == Kind::Truth => return Some(*value == [1]),
                Known::Left(value) => return Some(value.is_empty()),
                Known::Other => return Some(false),
                Known::Nothing => node = self.child(node, 0)?,
            }
        }
    }

    /// Compares what is left behind two words wherever both are known.
    pub(super) fn compare(&self, a: &Rest, b: &Rest) -> Compared {
        let mut agreed = 0;
        let mut todo = vec![(a.node, b.node)];
        while let Some((x, y)) = todo.pop() {
            let known = [self.value(x, a), self.value(y, b)];
            if !known.contains(&Known::Nothing) {
                if known[0] != known[1] {
                    return Compared::Differ;
                }
                agreed += 1;
                continue;
            }
            for letter in 0..self.letters {
                if let (Some(x), Some(y)) = (self.child(x, letter), self.child(y, letter)) {
                    todo.push((x, y));
                }
            }
        }
        Compared::Agree(agreed)
    }
}
