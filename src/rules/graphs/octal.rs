//! Take-and-break games by their codes.
//!
//! R. K. Guy, C. A. B. Smith, "The G-values of various games", Proc. Cambridge Phil. Soc. 52 (1956). In the code
//! `d0.d1d2...dk` the digit `di` says what may be left when `i` are taken from a heap: bit 1 nothing, bit 2 one heap, bit 4
//! two heaps, bit 8 three heaps, all non-empty.

use std::str::FromStr;

/// A code with finitely many digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// `digits[i]` is `di`, below 16; the last one is not 0 unless it is `d0`.
    digits: Vec<u8>,
}

impl Code {
    /// The digits from `d0` on, without zeros at the end.
    #[must_use]
    pub fn digits(&self) -> &[u8] {
        &self.digits
    }
}

impl FromStr for Code {
    type Err = String;

    /// Reads `0.77`, `.77`, `4.7`, `0.3F`: one hexadecimal digit or none, a dot, any number of digits.
    fn from_str(text: &str) -> Result<Code, String> {
        let Some((before, after)) = text.split_once('.') else {
            return Err(format!("`{text}` is no octal code: the dot is missing, as in `0.77`"));
        };
        if after.contains('.') {
            return Err(format!(
                "`{text}` is no octal code: it has more than one dot, and endless codes are not known"
            ));
        }
        let mut digits = Vec::new();
        for c in if before.is_empty() { "0" } else { before }.chars().chain(after.chars()) {
            match c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()) {
                Some(digit) => digits.push(digit),
                None => return Err(format!("`{text}` is no octal code: `{c}` is no digit 0..9 or A..F")),
            }
        }
        if before.chars().count() > 1 {
            return Err(format!("`{text}` is no octal code: one digit at most stands before the dot"));
        }
        if digits[0] & 3 != 0 {
            return Err(format!(
                "`{text}` never ends: with `{before}` before the dot a move may take nothing and break nothing; only \
                 0, 4, 8, C may stand there"
            ));
        }
        while digits.len() > 1 && digits.last() == Some(&0) {
            digits.pop();
        }
        Ok(Code { digits })
    }
}

/// The Grundy values of a code, computed as far as asked.
#[derive(Clone, Debug)]
pub struct Octal {
    code: Code,
    values: Vec<u64>,
    /// `splits[r]`: the values of `r` broken in two, each once; kept only when the code leaves three heaps.
    splits: Vec<Vec<u64>>,
    seen: Seen,
}

/// A set of values that is emptied in O(1).
#[derive(Clone, Debug, Default)]
struct Seen {
    stamp: Vec<u64>,
    now: u64,
}

impl Seen {
    fn clear(&mut self) {
        self.now += 1;
    }

    /// Puts a value in; whether it was not there.
    fn insert(&mut self, value: u64) -> bool {
        let Ok(place) = usize::try_from(value) else { return false };
        if place >= self.stamp.len() {
            self.stamp.resize(place + 1, 0);
        }
        std::mem::replace(&mut self.stamp[place], self.now) != self.now
    }

    fn mex(&self) -> u64 {
        (0..)
            .zip(&self.stamp)
            .find(|(_, stamp)| **stamp != self.now)
            .map_or(self.stamp.len() as u64, |(value, _)| value)
    }
}

impl Octal {
    /// The game of a code; no value is computed yet.
    #[must_use]
    pub fn new(code: Code) -> Octal {
        Octal { code, values: Vec::new(), splits: Vec::new(), seen: Seen::default() }
    }

    /// The value of a heap of `n`. O(n^2 x digits) the first time, O(1) for what was asked before; with a digit from 8 on
    /// O(n^2 x digits x different values).
    pub fn value(&mut self, n: usize) -> u64 {
        let threes = self.code.digits.iter().any(|digit| digit & 8 != 0);
        for heap in self.values.len()..=n {
            if threes {
                self.seen.clear();
                let mut splits = Vec::new();
                for part in 1..=heap / 2 {
                    let value = self.values[part] ^ self.values[heap - part];
                    if self.seen.insert(value) {
                        splits.push(value);
                    }
                }
                self.splits.push(splits);
            }
            self.seen.clear();
            for (&digit, rest) in self.code.digits.iter().zip((0..=heap).rev()) {
                if digit & 1 != 0 && rest == 0 {
                    self.seen.insert(0);
                }
                if digit & 2 != 0 && rest >= 1 {
                    self.seen.insert(self.values[rest]);
                }
                if digit & 4 != 0 {
                    for part in 1..=rest / 2 {
                        self.seen.insert(self.values[part] ^ self.values[rest - part]);
                    }
                }
                if digit & 8 != 0 {
                    // The least of three parts is at most a third.
                    for part in 1..=rest / 3 {
                        for &two in &self.splits[rest - part] {
                            self.seen.insert(self.values[part] ^ two);
                        }
                    }
                }
            }
            self.values.push(self.seen.mex());
        }
        self.values[n]
    }
}

/// The Grundy value of a heap of `n` under a code, [`Octal::value`] without memory of earlier calls.
///
/// # Errors
/// What is wrong with the code.
pub fn octal(code: &str, n: usize) -> Result<u64, String> {
    Ok(Octal::new(code.parse()?).value(n))
}
