//! The signs, numbers and texts that JSON consists of, read straight from it. `None` where something else stands.

use crate::input::datafile::number::number;
use crate::value::Value;
use memchr::memchr2;
use std::borrow::Cow;

/// A place in a text of JSON.
pub struct Scan<'t> {
    pub(super) text: &'t [u8],
    pub(super) at: usize,
}

impl<'t> Scan<'t> {
    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
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

    /// Whether nothing but blanks is left.
    pub(super) fn end(&mut self) -> bool {
        self.blank();
        self.at == self.text.len()
    }

    /// Passes the members between two brackets. Errors are those of `each`, and `None` where something else stands.
    #[inline]
    pub(super) fn sequence<E>(
        &mut self,
        open: u8,
        close: u8,
        mut each: impl FnMut(&mut Self) -> Result<(), Option<E>>,
    ) -> Result<(), Option<E>> {
        self.sign(open).ok_or(None)?;
        if self.peek() == Some(close) {
            self.at += 1;
            return Ok(());
        }
        loop {
            each(self)?;
            self.blank();
            let sign = self.peek();
            self.at += 1;
            if sign == Some(close) {
                return Ok(());
            }
            if sign != Some(b',') {
                return Err(None);
            }
            self.blank();
        }
    }

    /// An array of two.
    #[inline]
    pub(super) fn two<T>(&mut self, each: impl Fn(&mut Self) -> Option<T>) -> Option<(T, T)> {
        self.sign(b'[')?;
        let first = each(self)?;
        self.sign(b',')?;
        let second = each(self)?;
        self.blank();
        (self.peek() == Some(b']')).then(|| self.at += 1)?;
        Some((first, second))
    }

    /// The digits of an int: no leading zero, no point or exponent behind.
    #[inline]
    fn digits(&mut self) -> Option<(bool, &'t [u8])> {
        let negative = self.peek() == Some(b'-');
        let start = self.at + usize::from(negative);
        let length = self.text.get(start..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, end) = (&self.text[start..start + length], start + length);
        let plain = matches!(digits, [_] | [b'1'..=b'9', ..]);
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
        let (negative, digits) = self.digits()?;
        digits.iter().try_fold(0_i64, |n, digit| {
            let digit = i64::from(digit - b'0');
            let n = n.checked_mul(10)?;
            if negative { n.checked_sub(digit) } else { n.checked_add(digit) }
        })
    }

    /// An int without sign at this place, and where it ends, eight digits at a time. `None`: look closer.
    #[inline(always)]
    #[allow(clippy::inline_always)] // some nanoseconds for each number of a large file
    fn nat(&self, start: usize) -> Option<(i64, usize)> {
        const FULL: usize = 8;
        const TENS: [i64; FULL + 1] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
        let (mut n, mut end) = (0_i64, start);
        loop {
            let (more, behind) = number(self.text, end)?;
            let digits = behind - end;
            n = n.checked_mul(TENS[digits])?.checked_add(i64::from(more))?;
            end = behind;
            if digits < FULL || !self.text.get(end).is_some_and(u8::is_ascii_digit) {
                break;
            }
        }
        let plain = self.text[start] != b'0' || end == start + 1;
        (plain && !matches!(self.text.get(end), Some(b'.' | b'e' | b'E'))).then_some((n, end))
    }

    /// An array of ints that fit.
    pub(super) fn ints(&mut self) -> Option<Vec<i64>> {
        let mut ints = Vec::new();
        let read = self.sequence::<()>(b'[', b']', |scan| {
            ints.push(scan.int().ok_or(None)?);
            // As most are written.
            while scan.peek() == Some(b',') {
                let blank = usize::from(scan.text.get(scan.at + 1) == Some(&b' '));
                let Some((n, at)) = scan.nat(scan.at + 1 + blank) else { break };
                ints.push(n);
                scan.at = at;
            }
            Ok(())
        });
        read.is_ok().then_some(ints)
    }

    /// An array of pairs of ints, each made into something.
    pub(super) fn pairs<T>(&mut self, make: impl Fn((i64, i64)) -> Option<T>) -> Option<Vec<T>> {
        let mut pairs = Vec::new();
        let read = self.sequence::<()>(b'[', b']', |scan| {
            let pair = match scan.plain_pair() {
                Some((pair, at)) => {
                    scan.at = at;
                    pair
                }
                None => scan.two(Self::int).ok_or(None)?,
            };
            pairs.push(make(pair).ok_or(None)?);
            Ok(())
        });
        read.is_ok().then_some(pairs)
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

    /// An int of any size.
    pub(super) fn number(&mut self) -> Option<Value> {
        /// Some 10^6 bits: more digits take long to read.
        const DIGITS: usize = 300_000;
        let start = self.at;
        if let Some(n) = self.int() {
            return Some(Value::Int(n));
        }
        self.at = start;
        let (_, digits) = self.digits()?;
        let text = std::str::from_utf8(&self.text[start..self.at]).ok()?;
        if digits.len() >= DIGITS { None } else { text.parse().ok().map(Value::int) }
    }

    pub(super) fn string(&mut self) -> Option<Cow<'t, str>> {
        let rest = self.text.get(self.at..)?.strip_prefix(b"\"")?;
        let length = memchr2(b'"', b'\\', rest).filter(|&end| rest[..end].iter().all(|&byte| byte >= 0x20))?;
        if rest[length] == b'\\' {
            let (text, end) = self.json::<String>()?;
            self.at = end;
            return Some(Cow::Owned(text));
        }
        self.at += length + 2;
        std::str::from_utf8(&rest[..length]).ok().map(Cow::Borrowed)
    }

    /// How a row without cells is written, of whatever they would be.
    pub(super) fn empty_text(&mut self) -> Option<()> {
        self.text.get(self.at..)?.starts_with(b"\"\"").then(|| self.at += 2)
    }

    /// A name and its colon.
    pub(super) fn key(&mut self) -> Option<Cow<'t, str>> {
        let key = self.string()?;
        self.sign(b':')?;
        Some(key)
    }

    pub(super) fn word(&mut self, word: &str) -> Option<()> {
        let there = self.text.get(self.at..)?.starts_with(word.as_bytes());
        self.at += word.len();
        there.then_some(())
    }

    /// Whatever stands here, as JSON is read by `serde_json`, and where it ends: for what is seldom.
    pub(super) fn json<T: serde::de::DeserializeOwned>(&self) -> Option<(T, usize)> {
        let mut values = serde_json::Deserializer::from_slice(self.text.get(self.at..)?).into_iter();
        let value = values.next()?.ok()?;
        Some((value, self.at + values.byte_offset()))
    }
}
