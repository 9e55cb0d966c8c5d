//! Words to values: what stands between blanks, one input after another.

use crate::model::{GraphWord, Kind, Type};
use crate::value::{Graph, Grid, ITEM_LIMIT, Items, Labels, List, Surd, Value, width};
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Zero;
use std::sync::Arc;

/// A text of words, and how far it was read.
pub(super) struct Words<'t> {
    pub(super) text: &'t [u8],
    pub(super) at: usize,
    /// Something of the line was read, if only that it is empty.
    pub(super) begun: bool,
}

/// What stands somewhere instead of what is expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What was expected.
    pub wanted: String,
}

type Read<T> = Result<T, Misfit>;

impl<'t> Words<'t> {
    /// Where the next word begins; the end of the text where there is none.
    pub(super) fn next(&mut self) -> usize {
        let blanks = self.text[self.at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.at += blanks;
        self.at
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.text[self.at..].iter().all(u8::is_ascii_whitespace)
    }

    fn word(&mut self, wanted: &str) -> Read<&'t [u8]> {
        let start = self.next();
        let length = self.text[start..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        if length == 0 {
            return Err(Misfit { start, end: start, wanted: wanted.into() });
        }
        self.at = start + length;
        self.begun = true;
        Ok(&self.text[start..self.at])
    }

    /// What the word before was taken for, and is not.
    fn misfit(&self, word: &[u8], wanted: &str) -> Misfit {
        Misfit { start: self.at - word.len(), end: self.at, wanted: wanted.into() }
    }

    fn small(&mut self) -> Read<Option<i64>> {
        let word = self.word("a number")?;
        let (digits, negative) = match word {
            [b'-', digits @ ..] => (digits, true),
            [b'+', digits @ ..] | digits => (digits, false),
        };
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Err(self.misfit(word, "a number"));
        }
        let number =
            digits.iter().try_fold(0_i64, |number, digit| number.checked_mul(10)?.checked_add(i64::from(digit - b'0')));
        Ok(number.map(|number| if negative { -number } else { number }))
    }

    fn number(&mut self) -> Read<Value> {
        if let Some(number) = self.small()? {
            return Ok(Value::Int(number));
        }
        let start = self.text[..self.at].iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1);
        let digits = std::str::from_utf8(&self.text[start..self.at]).ok().and_then(|word| word.parse::<BigInt>().ok());
        digits.map(Value::int).ok_or_else(|| self.misfit(&self.text[start..self.at], "a number"))
    }

    /// How many of something follow.
    pub(super) fn count(&mut self) -> Read<usize> {
        let start = self.next();
        let number = self.small()?.and_then(|number| usize::try_from(number).ok()).filter(|n| *n <= ITEM_LIMIT);
        number.ok_or(Misfit { start, end: self.at, wanted: "a number of things".into() })
    }

    fn text_word(&mut self) -> Read<Value> {
        let word = self.word("a word")?;
        let text = std::str::from_utf8(word).map_err(|_| self.misfit(word, "a word in UTF-8"))?;
        Ok(Value::text(text))
    }

    /// The next line that is not empty.
    fn line(&mut self) -> Read<Value> {
        let start = self.next();
        let length = self.text[start..].iter().take_while(|byte| **byte != b'\n').count();
        self.at = start + length;
        self.begun = true;
        let line = self.text[start..self.at].trim_ascii_end();
        if line.is_empty() {
            return Err(Misfit { start, end: start, wanted: "a line".into() });
        }
        let text = std::str::from_utf8(line).map_err(|_| self.misfit(line, "a line in UTF-8"))?;
        Ok(Value::text(text))
    }

    /// A value of this kind; `lengths` as in [`crate::model::FormatPart`].
    pub(super) fn value(&mut self, kind: &Kind, line: bool, lengths: Option<&[usize]>) -> Read<Value> {
        if line {
            return self.line();
        }
        match kind {
            Kind::Int | Kind::Nat => self.number(),
            Kind::Text => self.text_word(),
            Kind::Bool => {
                let word = self.word("true or false")?;
                match word.to_ascii_lowercase().as_slice() {
                    b"1" | b"true" | b"yes" => Ok(Value::Bool(true)),
                    b"0" | b"false" | b"no" => Ok(Value::Bool(false)),
                    _ => Err(self.misfit(word, "true or false")),
                }
            }
            Kind::Real => {
                let word = self.word("a number")?;
                real(word).ok_or_else(|| self.misfit(word, "a number such as 3 or 1/2"))
            }
            Kind::Vertex(_) => {
                let word = self.word("a vertex")?;
                let text = std::str::from_utf8(word).map_err(|_| self.misfit(word, "a vertex in UTF-8"))?;
                Ok(text.parse().map_or_else(|_| Value::text(text), Value::Int))
            }
            Kind::Tuple(parts) => {
                let parts: Vec<Value> = parts.iter().map(|part| self.value(part, false, None)).collect::<Read<_>>()?;
                Ok(Value::tuple(parts))
            }
            Kind::List(of, base) => Ok(Value::List(List { base: *base, items: self.items(of, lengths)? })),
            Kind::Set(of) => Ok(Value::set(self.items(of, lengths)?.to_vec())),
            Kind::Bag(of) => Ok(Value::bag(self.items(of, lengths)?.to_vec())),
            Kind::Graph(word, base) => self.graph(*word, *base, lengths.unwrap_or_default()),
            Kind::Grid => {
                let start = self.next();
                let rows = lengths.and_then(|lengths| lengths.first().copied()).unwrap_or(0);
                let rows: Vec<Value> = (0..rows).map(|_| self.text_word()).collect::<Read<_>>()?;
                let texts: Vec<_> =
                    rows.iter().filter_map(|row| if let Value::Text(text) = row { Some(text) } else { None }).collect();
                let grid = Grid::of_texts(&texts);
                grid.map(|grid| Value::Grid(Arc::new(grid))).map_err(|_| self.since(start, "rows of one length"))
            }
            Kind::NatGrid => {
                let (rows, columns) = match lengths {
                    Some([rows, columns, ..]) => (*rows, *columns),
                    _ => (0, 0),
                };
                let start = self.next();
                let rows: Vec<Vec<Value>> =
                    (0..rows).map(|_| (0..columns).map(|_| self.number()).collect()).collect::<Read<_>>()?;
                let grid = Grid::of_rows(&rows);
                grid.map(|grid| Value::Grid(Arc::new(grid))).map_err(|_| self.since(start, "a grid"))
            }
            Kind::Any(ty) if !matches!(ty, Type::Never) => self.value(&Kind::of(ty), line, lengths),
            Kind::Any(_) | Kind::Edge(_) | Kind::Position => {
                let start = self.next();
                Err(Misfit { start, end: start, wanted: "nothing that words can say".into() })
            }
        }
    }

    fn since(&self, start: usize, wanted: &str) -> Misfit {
        Misfit { start, end: self.at, wanted: wanted.into() }
    }

    fn items(&mut self, of: &Kind, lengths: Option<&[usize]>) -> Read<Items> {
        let (count, inner) = match lengths {
            None => (Some(self.count()?), None),
            Some([]) => (None, None),
            Some([count]) => (Some(*count), None),
            Some([count, inner @ ..]) => (Some(*count), Some(inner)),
        };
        let numbers = matches!(of, Kind::Int | Kind::Nat | Kind::Any(Type::Int));
        // No more items than bytes: a wrong count takes no memory.
        let room = count.unwrap_or(0).min(self.text.len() - self.at);
        let end = count.is_none().then(|| {
            let blanks = self.text[self.at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
            // Behind the last word of a line this is the next line.
            if self.begun && self.text.get(self.at + blanks) == Some(&b'\n') {
                self.at += blanks + 1;
            }
            self.begun = true;
            self.at + self.text[self.at..].iter().take_while(|byte| **byte != b'\n').count()
        });
        let mut left = count;
        let mut more = |words: &mut Self| match (&mut left, end) {
            (Some(left), _) => {
                let more = *left > 0;
                *left = left.saturating_sub(1);
                more
            }
            (None, end) => end.is_some_and(|end| {
                let more = words.next() < end;
                words.at = if more { words.at } else { end };
                more
            }),
        };
        if numbers {
            let mut ints = Vec::with_capacity(room);
            let mut values: Option<Vec<Value>> = None;
            while more(self) {
                match (self.number()?, &mut values) {
                    (Value::Int(number), None) => ints.push(number),
                    (value, Some(values)) => values.push(value),
                    (value, None) => {
                        let before = ints.iter().copied().map(Value::Int);
                        values = Some(before.chain([value]).collect());
                    }
                }
            }
            return Ok(values.map_or_else(|| Items::ints(ints), Items::from));
        }
        let mut values = Vec::with_capacity(room);
        while more(self) {
            values.push(self.value(of, false, inner)?);
        }
        Ok(values.into())
    }

    /// Vertices counted from `base`, and edges as pairs; without a number of edges those of a tree.
    fn graph(&mut self, word: GraphWord, base: i64, lengths: &[usize]) -> Read<Value> {
        let (n, m) = match lengths {
            [n, m, ..] => (*n, *m),
            [n] => (*n, n.saturating_sub(1)),
            [] => (0, 0),
        };
        let mut pairs = Vec::with_capacity(m.min(self.text.len() - self.at));
        for _ in 0..m {
            let mut ends = [0_u32; 2];
            for end in &mut ends {
                let found = self.small();
                let misfit = |words: &Self| {
                    let start = words.text[..words.at].iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1);
                    let last = base.saturating_add(width::int(n)).saturating_sub(1);
                    Misfit { start, end: words.at, wanted: format!("a vertex, {base} to {last}") }
                };
                let number = found?.and_then(|label| u32::try_from(label.checked_sub(base)?).ok());
                *end = number.filter(|number| width::index(u64::from(*number)) < n).ok_or_else(|| misfit(self))?;
            }
            pairs.push((ends[0], ends[1]));
        }
        let labels = Arc::new(Labels::Ints { from: base, n });
        Ok(Value::Graph(Arc::new(Graph::of_numbers(word, labels, None, pairs))))
    }
}

fn real(word: &[u8]) -> Option<Value> {
    let text = std::str::from_utf8(word).ok()?;
    let (p, q) = text.split_once('/').unwrap_or((text, "1"));
    let (p, q): (BigInt, BigInt) = (p.parse().ok()?, q.parse().ok()?);
    (q > BigInt::zero()).then(|| Value::real(Surd { a: Ratio::new(p, q), b: Ratio::zero(), c: BigInt::zero() }))
}
