//! Values straight from text, without a tree of JSON between them: what large data looks like. Whatever is unusual (a text with
//! escapes, a real, a repeated member, a broken bracket) is `None`; the general way then reads it or says what is wrong.

use crate::input::datafile::number::number;
use crate::input::json::{distinct, kind_of};
use crate::model::kind::{GraphWord, Kind, Type};
use crate::value::graph::{Graph, Labels};
use crate::value::{Grid, ITEM_LIMIT, Items, List, Value};
use std::sync::Arc;

/// Which input a key means, and its kind.
pub type Lookup<'k> = dyn FnMut(&str) -> Option<(usize, &'k Kind)> + 'k;

/// The inputs that an object binds. `None`: it is unusual, binds an input twice or one that there is not. Linear.
pub fn object(text: &[u8], lookup: &mut Lookup<'_>) -> Option<Vec<(usize, Value)>> {
    let mut scan = Scan { text, at: 0 };
    let mut bound: Vec<(usize, Value)> = Vec::new();
    scan.sequence(b'{', b'}', |scan| {
        let key = scan.string()?;
        scan.sign(b':')?;
        let (input, kind) = lookup(key)?;
        let value = scan.value(kind)?;
        if bound.iter().any(|(known, _)| *known == input) {
            return None;
        }
        bound.push((input, value));
        Some(())
    })?;
    scan.end().then_some(bound)
}

/// The value of one kind. `None`: it is unusual. Linear.
pub(super) fn value(text: &str, kind: &Kind) -> Option<Value> {
    let mut scan = Scan { text: text.as_bytes(), at: 0 };
    let value = scan.value(kind)?;
    scan.end().then_some(value)
}

/// A place in the text.
pub(super) struct Scan<'t> {
    pub(super) text: &'t [u8],
    pub(super) at: usize,
}

impl<'t> Scan<'t> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    #[inline]
    fn blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// Passes this byte and the blanks round it.
    #[inline]
    pub(super) fn sign(&mut self, sign: u8) -> Option<()> {
        self.blank();
        if self.peek() != Some(sign) {
            return None;
        }
        self.at += 1;
        self.blank();
        Some(())
    }

    pub(super) fn end(&mut self) -> bool {
        self.blank();
        self.at == self.text.len()
    }

    /// Members between brackets.
    #[inline]
    pub(super) fn sequence(
        &mut self,
        open: u8,
        close: u8,
        mut each: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.sign(open)?;
        if self.peek() == Some(close) {
            self.at += 1;
            return Some(());
        }
        loop {
            each(self)?;
            self.blank();
            let sign = self.peek()?;
            self.at += 1;
            if sign == close {
                return Some(());
            }
            if sign != b',' {
                return None;
            }
            self.blank();
        }
    }

    /// The digits of an int: no leading zero, no point or exponent behind, no `-0`.
    #[inline]
    fn digits(&mut self) -> Option<(bool, &'t [u8])> {
        let negative = self.peek() == Some(b'-');
        let start = self.at + usize::from(negative);
        let mut end = start;
        while self.text.get(end).is_some_and(u8::is_ascii_digit) {
            end += 1;
        }
        let digits = &self.text[start..end];
        let plain = match digits {
            [] => false,
            [b'0'] => !negative,
            [first, ..] => *first != b'0',
        };
        if !plain || matches!(self.text.get(end), Some(b'.' | b'e' | b'E')) {
            return None;
        }
        self.at = end;
        Some((negative, digits))
    }

    /// An int that fits.
    #[inline]
    pub(super) fn int(&mut self) -> Option<i64> {
        if let Some((n, at)) = self.nat(self.at) {
            self.at = at;
            return Some(n);
        }
        self.long_int()
    }

    /// An int without sign at this place, and where it ends, eight digits at a time. `None`: look closer.
    #[inline(always)]
    #[allow(clippy::inline_always)] // some nanoseconds for each number of a large file
    fn nat(&self, start: usize) -> Option<(i64, usize)> {
        const FULL: usize = 8;
        const TENS: [i64; FULL + 1] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
        let (first, mut end) = number(self.text, start)?;
        let mut n = i64::from(first);
        if end == start + FULL && self.text.get(end).is_some_and(u8::is_ascii_digit) {
            let (more, behind) = number(self.text, end)?;
            n = n * TENS[behind - end] + i64::from(more); // below 10^16
            end = behind;
            if end == start + 2 * FULL && self.text.get(end).is_some_and(u8::is_ascii_digit) {
                let (more, behind) = number(self.text, end)?;
                n = n.checked_mul(TENS[behind - end])?.checked_add(i64::from(more))?;
                end = behind;
            }
        }
        let plain = self.text[start] != b'0' || end == start + 1;
        let whole = end < start + 3 * FULL && !matches!(self.text.get(end), Some(b'.' | b'e' | b'E'));
        (plain && whole).then_some((n, end))
    }

    /// The same by single digits.
    fn long_int(&mut self) -> Option<i64> {
        let (negative, digits) = self.digits()?;
        if digits.len() < 19 {
            let n = digits.iter().fold(0_i64, |n, digit| n * 10 + i64::from(digit - b'0')); // below 10^18
            return Some(if negative { -n } else { n });
        }
        digits.iter().try_fold(0_i64, |n, digit| {
            let digit = i64::from(digit - b'0');
            let n = n.checked_mul(10)?;
            if negative { n.checked_sub(digit) } else { n.checked_add(digit) }
        })
    }

    /// An int of moderate size.
    fn number(&mut self) -> Option<Value> {
        const DIGITS: usize = 1000;
        let start = self.at;
        if let Some(n) = self.int() {
            return Some(Value::Int(n));
        }
        self.at = start;
        let (_, digits) = self.digits()?;
        let text = std::str::from_utf8(&self.text[start..self.at]).ok()?;
        if digits.len() > DIGITS { None } else { text.parse().ok().map(Value::int) }
    }

    /// A text without escapes.
    pub(super) fn string(&mut self) -> Option<&'t str> {
        if self.peek() != Some(b'"') {
            return None;
        }
        let rest = &self.text[self.at + 1..];
        let length = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
        if rest[length] != b'"' {
            return None;
        }
        self.at += length + 2;
        std::str::from_utf8(&rest[..length]).ok()
    }

    fn word(&mut self, word: &str) -> Option<()> {
        let there = self.text[self.at..].starts_with(word.as_bytes());
        self.at += word.len();
        there.then_some(())
    }

    fn value(&mut self, kind: &Kind) -> Option<Value> {
        match kind {
            Kind::Bool if self.peek() == Some(b't') => self.word("true").map(|()| Value::Bool(true)),
            Kind::Bool => self.word("false").map(|()| Value::Bool(false)),
            Kind::Text => self.string().map(Value::text),
            Kind::Vertex(_) if self.peek() == Some(b'"') => self.string().map(Value::text),
            Kind::Int | Kind::Nat | Kind::Vertex(_) => self.number(),
            Kind::Tuple(kinds) => {
                let mut parts = Vec::with_capacity(kinds.len());
                self.sequence(b'[', b']', |scan| {
                    parts.push(scan.value(kinds.get(parts.len())?)?);
                    Some(())
                })?;
                (parts.len() == kinds.len()).then(|| Value::tuple(parts))
            }
            Kind::List(of, base) => Some(Value::List(List { base: *base, items: self.items(of)? })),
            Kind::Set(of) => self.set(of),
            Kind::Bag(of) => Some(Value::bag(self.items(of)?.to_vec())),
            Kind::Graph(word, base) => self.graph(*word, *base),
            Kind::Grid => self.grid(),
            Kind::Any(Type::Position | Type::Never) | Kind::Real | Kind::NatGrid | Kind::Edge(_) | Kind::Position => {
                None
            }
            Kind::Any(ty) => self.value(&kind_of(ty)),
        }
    }

    /// The items of an array.
    fn items(&mut self, of: &Kind) -> Option<Items> {
        let start = self.at;
        if is_int(of) {
            if let Some(ints) = self.ints() {
                return Some(Items::ints(ints));
            }
        } else if let Kind::Tuple(parts) = of
            && let [a, b] = &parts[..]
            && is_int(a)
            && is_int(b)
        {
            let short = |(a, b): (i64, i64)| Some((u32::try_from(a).ok()?, u32::try_from(b).ok()?));
            if let Some(pairs) = self.pairs(short) {
                return Some(Items::short_pairs(pairs));
            }
            self.at = start;
            if let Some(pairs) = self.pairs(Some) {
                return Some(Items::pairs(pairs));
            }
        }
        self.at = start;
        let mut values = Vec::new();
        self.sequence(b'[', b']', |scan| {
            values.push(scan.value(of)?);
            Some(())
        })?;
        Some(values.into())
    }

    fn ints(&mut self) -> Option<Vec<i64>> {
        let mut ints = Vec::new();
        self.sequence(b'[', b']', |scan| {
            ints.push(scan.int()?);
            // As most are written.
            while scan.text.get(scan.at) == Some(&b',') {
                let blank = usize::from(scan.text.get(scan.at + 1) == Some(&b' '));
                let Some((n, at)) = scan.nat(scan.at + 1 + blank) else { break };
                ints.push(n);
                scan.at = at;
            }
            Some(())
        })?;
        Some(ints)
    }

    /// Pairs of ints, each made into something.
    fn pairs<T>(&mut self, make: impl Fn((i64, i64)) -> Option<T>) -> Option<Vec<T>> {
        let mut pairs = Vec::new();
        self.sequence(b'[', b']', |scan| {
            if let Some((pair, at)) = scan.plain_pair() {
                scan.at = at;
                pairs.push(make(pair)?);
                return Some(());
            }
            scan.sign(b'[')?;
            let u = scan.int()?;
            scan.sign(b',')?;
            let v = scan.int()?;
            scan.sign(b']')?;
            pairs.push(make((u, v))?);
            Some(())
        })?;
        Some(pairs)
    }

    /// A pair of ints as most are written, and where it ends. `None`: look closer.
    #[inline]
    fn plain_pair(&self) -> Option<((i64, i64), usize)> {
        if self.peek() != Some(b'[') {
            return None;
        }
        let (u, at) = self.nat(self.at + 1)?;
        if self.text.get(at) != Some(&b',') {
            return None;
        }
        let blank = usize::from(self.text.get(at + 1) == Some(&b' '));
        let (v, at) = self.nat(at + 1 + blank)?;
        (self.text.get(at) == Some(&b']')).then_some(((u, v), at + 1))
    }

    fn set(&mut self, of: &Kind) -> Option<Value> {
        let items = self.items(of)?;
        let Some(ints) = items.as_ints() else {
            return distinct(items.to_vec(), &crate::input::json::Path::Name("")).ok();
        };
        let mut ints = ints.to_vec();
        if !ints.is_sorted_by(|a, b| a < b) {
            ints.sort_unstable();
        }
        ints.is_sorted_by(|a, b| a < b).then(|| Value::Set(Items::ints(ints)))
    }

    /// `{"n", "edges", "base"?}` with vertices that are ints.
    fn graph(&mut self, word: GraphWord, base: i64) -> Option<Value> {
        let (mut n, mut from, mut edges) = (None, None, None);
        self.sequence(b'{', b'}', |scan| {
            let key = scan.string()?;
            scan.sign(b':')?;
            match key {
                "n" if n.is_none() => {
                    n = Some(usize::try_from(scan.int()?).ok().filter(|n| *n <= ITEM_LIMIT)?);
                }
                "base" if from.is_none() && edges.is_none() => from = Some(scan.int()?),
                "edges" if edges.is_none() => {
                    // Edges before `n`, and a base behind them, are unusual.
                    let (n, from) = (n?, from.unwrap_or(base));
                    edges = Some(scan.pairs(|edge| numbers(edge, from, n))?);
                }
                _ => return None,
            }
            Some(())
        })?;
        let (n, from) = (n?, from.unwrap_or(base));
        from.checked_add(i64::try_from(n).ok()?)?;
        Some(Value::Graph(Arc::new(Graph::of_numbers(word, Arc::new(Labels::Ints { from, n }), None, edges?))))
    }

    /// Rows of characters; those beyond ASCII are unusual.
    fn grid(&mut self) -> Option<Value> {
        let (mut cells, mut rows, mut cols) = (Vec::<u8>::new(), 0, None);
        self.sequence(b'[', b']', |scan| {
            let before = cells.len();
            cells.extend_from_slice(scan.string().filter(|row| row.is_ascii())?.as_bytes());
            rows += 1;
            let length = cells.len() - before;
            (*cols.get_or_insert(length) == length && cells.len() <= ITEM_LIMIT).then_some(())
        })?;
        Some(Value::Grid(Arc::new(Grid::new(rows, cols.unwrap_or(0), cells).ok()?)))
    }
}

/// The numbers of the vertices of an edge.
#[inline]
fn numbers((u, v): (i64, i64), from: i64, n: usize) -> Option<(u32, u32)> {
    let number = |label: i64| u32::try_from(label.checked_sub(from)?).ok().filter(|number| (*number as usize) < n);
    Some((number(u)?, number(v)?))
}

fn is_int(kind: &Kind) -> bool {
    matches!(kind, Kind::Int | Kind::Nat | Kind::Vertex(_) | Kind::Any(Type::Int | Type::Vertex))
}
