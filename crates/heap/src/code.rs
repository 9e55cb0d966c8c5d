//! Take-and-break games by their codes.
//!
//! R. K. Guy, C. A. B. Smith, "The G-values of various games", Proc. Cambridge Phil. Soc. 52 (1956). In the code
//! `d0.d1d2...dk` the digit `di` says what may be left when `i` are taken from a heap: bit 1 nothing, bit 2 one heap, bit 4
//! two heaps, bit 8 three heaps, all non-empty. A mark behind a digit restricts its splits, as in `CGSuite`: `!` the parts are
//! pairwise unequal, `?` not all equal, `=` all equal. Grundy's game is `4!.`

use crate::game::Bad;
use std::fmt;

/// How the parts of a split must compare. Of two parts "not all equal" is the same as "unequal".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parts {
    /// As they like.
    Any,
    /// `!`: pairwise unequal.
    Unequal,
    /// `?`: not all equal.
    Mixed,
    /// `=`: all equal.
    Equal,
}

/// What may be left when a certain number is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Digit {
    /// Below 16: bit 1 nothing may be left, 2 one heap, 4 two heaps, 8 three heaps.
    pub bits: u8,
    /// What the parts of two or three heaps must be like.
    pub parts: Parts,
}

/// A code with finitely many digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// `d0, d1, ...`; the last one is not 0 unless it is `d0`.
    digits: Vec<Digit>,
}

/// The longest code: the window of a proof and the work for a heap grow with it.
const MAX_DIGITS: usize = 10_000;

impl Code {
    /// The digits from `d0` on, without zeros at the end.
    pub fn digits(&self) -> &[Digit] {
        &self.digits
    }

    /// The index of the last digit that is not 0.
    pub fn last(&self) -> usize {
        self.digits.len() - 1
    }

    /// The most heaps that a move leaves: 0 without moves, else 1 (also when nothing is left), 2 or 3.
    pub fn most_parts(&self) -> usize {
        match self.digits.iter().fold(0, |all, digit| all | digit.bits) {
            8.. => 3,
            4.. => 2,
            1.. => 1,
            0 => 0,
        }
    }

    /// Reads `0.77`, `.77`, `4.7`, `0.3F`, `4!.0`: one hexadecimal digit or none, a dot, any number of digits.
    pub fn parse(text: &str) -> Result<Code, Bad> {
        let whole = 0..text.len();
        let Some(dot) = text.find('.') else {
            let bad = Bad::new(whole, format!("`{text}` is no game of heaps"), "no code, set or name");
            let bad = if text.chars().all(|c| c.is_ascii_hexdigit()) && !text.is_empty() {
                bad.hint(format!("a code has a dot: `0.{text}`"))
            } else {
                bad.hint("a code like `0.77`, a set like `{2,5}` or `all-but{1,2}`, or a name like `kayles`")
            };
            return Err(bad);
        };
        if text == "." {
            let bad = Bad::new(whole, "a code has a digit", "none before the dot and none behind it");
            return Err(bad.hint("`0.` is the game without moves"));
        }
        let mut digits: Vec<Digit> = Vec::new();
        let mut places = Vec::new();
        for (at, c) in text.char_indices() {
            let place = at..at + c.len_utf8();
            let endless = matches!(c, '[' | ']') || (c == '.' && at > dot) || c == '…';
            if endless {
                return Err(Bad::new(place, "this code has no end", "only finitely many digits are understood")
                    .hint("`all-but{}` is Nim, `all-but{2,3}` takes anything but 2 or 3, `lasker` also splits"));
            }
            if at == dot {
                if digits.is_empty() {
                    digits.push(Digit { bits: 0, parts: Parts::Any });
                    places.push(place);
                }
                continue;
            }
            let parts = match c {
                '!' => Parts::Unequal,
                '?' => Parts::Mixed,
                '=' => Parts::Equal,
                _ => Parts::Any,
            };
            if parts != Parts::Any {
                match digits.last_mut() {
                    Some(digit) if digit.parts == Parts::Any && at != dot + 1 => digit.parts = parts,
                    _ => return Err(Bad::new(place, format!("`{c}` stands behind one digit"), "no digit before this")),
                }
                continue;
            }
            let Some(bits) = c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()) else {
                return Err(Bad::new(place, format!("`{c}` is no digit"), "digits are 0..9 and A..F"));
            };
            if at < dot && !digits.is_empty() {
                return Err(Bad::new(place, "one digit at most stands before the dot", "the second one"));
            }
            if digits.len() > MAX_DIGITS {
                return Err(Bad::new(place, format!("a code has at most {MAX_DIGITS} digits"), "one too many"));
            }
            digits.push(Digit { bits, parts });
            places.push(place);
        }
        if digits[0].bits & 3 != 0 {
            let label = "a move would take nothing and break nothing";
            let bad = Bad::new(places[0].clone(), "play would never end", label);
            return Err(bad.hint("before the dot stands 0, 4, 8 or C"));
        }
        for digit in &mut digits {
            digit.parts = match (digit.parts, digit.bits) {
                (_, ..4) => Parts::Any,
                (Parts::Mixed, ..8) => Parts::Unequal,
                (parts, _) => parts,
            };
        }
        while digits.len() > 1 && digits.last().is_some_and(|digit| digit.bits == 0) {
            digits.pop();
        }
        Ok(Code { digits })
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, digit) in self.digits.iter().enumerate() {
            write!(f, "{:X}", digit.bits)?;
            match digit.parts {
                Parts::Any => {}
                Parts::Unequal => f.write_str("!")?,
                Parts::Mixed => f.write_str("?")?,
                Parts::Equal => f.write_str("=")?,
            }
            if index == 0 {
                f.write_str(".")?;
            }
        }
        if self.digits.len() == 1 {
            f.write_str("0")?;
        }
        Ok(())
    }
}
