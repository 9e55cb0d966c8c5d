//! An array of cases, one element at a time.

use crate::cli::cases::{self, Case, Reader, kept};
use crate::cli::stop::Stop;
use crate::diagnostic::Diagnostic;
use std::io::{self, BufRead};

/// Hands on every element of an array that begins with the next byte, after so many lines. An element is what stands between
/// commas outside of brackets and texts, so that one that is no JSON does not end the others.
///
/// # Errors
/// D03 for what cannot be read, D02 with line and column for an array that does not end, or goes on behind its end, or has
/// a comma too many; what `each` says.
pub(super) fn read(mut reader: impl BufRead, passed: usize, to: &mut Reader<'_>) -> Result<(), Stop> {
    reader.consume(1); // the bracket
    let mut place = Place { line: passed, column: 1 };
    let mut text = Vec::new();
    let mut index = 0;
    loop {
        let buffer = reader.fill_buf().map_err(|error| to.unreadable(&error))?;
        let (cases, bytes) = to.taker.take_some(cases::Place { index, line: place.line + 1 }, b',', buffer)?;
        if cases > 0 {
            for byte in &buffer[..bytes] {
                place.pass(*byte);
            }
            reader.consume(bytes);
            index += cases;
            continue;
        }
        let from = place;
        let sign = element(&mut reader, &mut text, &mut place).map_err(|error| to.unreadable(&error))?;
        let blank = text.trim_ascii().is_empty();
        match sign {
            Some(b']') if blank && index == 0 => break,
            Some(b']') if blank => return Err(told(to, index, place.next(), "trailing comma")),
            Some(_) if blank => return Err(told(to, index, place.next(), "expected value")),
            None if blank && index == 0 => return Err(told(to, index, place, "EOF while parsing a list")),
            None if blank => return Err(told(to, index, place, "EOF while parsing a value")),
            _ => {}
        }
        let case = match to.taker.usual(&text) {
            Some(given) => Case::Usual(given),
            None => match serde_json::from_slice(&text) {
                Ok(case) => case,
                Err(error) => {
                    let column = if error.line() == 1 { from.column } else { 0 } + error.column();
                    let at = Place { line: from.line + error.line() - 1, column };
                    let what = match cases::what(&error) {
                        // Behind the case, in an array.
                        what if what == "trailing characters" => "expected `,` or `]`".to_string(),
                        what => what,
                    };
                    if sign.is_none() {
                        return Err(told(to, index, at, &what));
                    }
                    Case::Broken(cases::no_json(to.name, at.line + 1, at.column, &what))
                }
            },
        };
        let blank = text.iter().take_while(|byte| byte.is_ascii_whitespace());
        let line = from.line + blank.filter(|byte| **byte == b'\n').count() + 1;
        to.taker.take(cases::Place { index, line }, case)?;
        index += 1;
        match sign {
            None => return Err(told(to, index, place, "EOF while parsing a list")),
            Some(b']') => break,
            Some(_) => place.column += 1,
        }
        text = kept(text);
    }
    place.column += 1;
    behind(reader, place, to)
}

/// How many lines, and bytes of the last one, stand before something.
#[derive(Clone, Copy)]
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    /// Behind the next byte.
    fn next(self) -> Place {
        Place { column: self.column + 1, ..self }
    }

    fn pass(&mut self, byte: u8) {
        if byte == b'\n' {
            *self = Place { line: self.line + 1, column: 0 };
        } else {
            self.column += 1;
        }
    }
}

/// Reads up to a comma or a closing bracket outside of all brackets, which is passed and returned; nothing at the end of the
/// file.
fn element(reader: &mut impl BufRead, text: &mut Vec<u8>, place: &mut Place) -> io::Result<Option<u8>> {
    text.clear();
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok(None);
        }
        let ends = |byte: u8| {
            if quoted {
                (quoted, escaped) = (escaped || byte != b'"', !escaped && byte == b'\\');
                return false;
            }
            match byte {
                b'"' => quoted = true,
                b'[' | b'{' => depth += 1,
                b',' | b']' if depth == 0 => return true,
                b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            false
        };
        let end = buffer.iter().copied().position(ends);
        let taken = &buffer[..end.unwrap_or(buffer.len())];
        text.extend_from_slice(taken);
        for byte in taken {
            place.pass(*byte);
        }
        let sign = end.map(|end| buffer[end]);
        let used = taken.len() + usize::from(end.is_some());
        reader.consume(used);
        if sign.is_some() {
            return Ok(sign);
        }
    }
}

/// Nothing may stand behind the array.
fn behind(mut reader: impl BufRead, mut place: Place, to: &Reader<'_>) -> Result<(), Stop> {
    loop {
        let buffer = reader.fill_buf().map_err(|error| to.unreadable(&error))?;
        if buffer.is_empty() {
            return Ok(());
        }
        for byte in buffer {
            if !byte.is_ascii_whitespace() {
                return Err(told(to, usize::MAX, place.next(), "trailing characters"));
            }
            place.pass(*byte);
        }
        let length = buffer.len();
        reader.consume(length);
    }
}

/// What ends the array before its end, with the bytes up to `place` read.
fn told(to: &Reader<'_>, index: usize, place: Place, what: &str) -> Stop {
    let told = Diagnostic::bare("D02", cases::no_json(to.name, place.line + 1, place.column, what));
    match index {
        0 => told.into(),
        usize::MAX => told.hint("all cases are answered").into(),
        _ => told.hint(format!("the cases before case {index} are answered")).into(),
    }
}
