//! An array of cases, one element at a time.

use crate::cli::cases;
use crate::cli::cases::{BEHIND, Case, Reader, kept};
use crate::cli::stop::Stop;
use crate::source::diagnostic::{Code, Diagnostic};
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
        let from = place;
        let sign = element(&mut reader, &mut text, &mut place).map_err(|error| to.unreadable(&error))?;
        let blank = text.trim_ascii().is_empty();
        match sign {
            Some(b']') if blank && index == 0 => break,
            Some(b']') if blank => return Err(told(to, index, place.next(), "nothing follows the comma")),
            Some(_) if blank => return Err(told(to, index, place.next(), "a value is expected")),
            None if blank && index == 0 => return Err(told(to, index, place, "it ends within a list")),
            None if blank => return Err(told(to, index, place, "it ends where a value is expected")),
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
                        what if what == BEHIND => "`,` or `]` is expected".to_string(),
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
            None => return Err(told(to, index, place, "it ends within a list")),
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

    fn pass(&mut self, bytes: &[u8]) {
        match bytes.iter().rposition(|byte| *byte == b'\n') {
            Some(last) => {
                self.line += bytes.split(|byte| *byte == b'\n').count() - 1;
                self.column = bytes.len() - last - 1;
            }
            None => self.column += bytes.len(),
        }
    }
}

/// The next byte that says something about where an element ends; commas do only outside of brackets.
fn next_sign(bytes: &[u8], inside: bool) -> Option<usize> {
    /// Blocks of so many are looked through without a branch for each.
    const BLOCK: usize = 64;
    let bracket = |byte: u8| (b'['..=b']').contains(&(byte & 0xdf)) || byte == b'"';
    if !inside {
        return bytes.iter().position(|byte| bracket(*byte) || *byte == b',');
    }
    let has_bracket = |block: &[u8]| block.iter().fold(false, |found, byte| found | bracket(*byte));
    let before = bytes.chunks(BLOCK).take_while(|block| !has_bracket(block)).count() * BLOCK;
    let rest = bytes.get(before..)?;
    rest.iter().position(|byte| bracket(*byte)).map(|place| before + place)
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
        let mut at = 0;
        let end = loop {
            let Some(next) = next_sign(&buffer[at..], depth > 0 || quoted) else {
                escaped &= at == buffer.len();
                break None;
            };
            // Only the byte behind a backslash is escaped.
            let is_escaped = escaped && next == 0;
            at += next + 1;
            escaped = false;
            match buffer[at - 1] {
                b'\\' => escaped = quoted && !is_escaped,
                b'"' if !is_escaped => quoted = !quoted,
                _ if quoted => {}
                b'[' | b'{' => depth += 1,
                b',' | b']' if depth == 0 => break Some(at - 1),
                b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        };
        let taken = &buffer[..end.unwrap_or(buffer.len())];
        text.extend_from_slice(taken);
        place.pass(taken);
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
                return Err(told(to, usize::MAX, place.next(), BEHIND));
            }
            place.pass(&[*byte]);
        }
        let length = buffer.len();
        reader.consume(length);
    }
}

/// What ends the array before its end, with the bytes up to `place` read.
fn told(to: &Reader<'_>, index: usize, place: Place, what: &str) -> Stop {
    let told = Diagnostic::bare(Code::D02, cases::no_json(to.name, place.line + 1, place.column, what));
    match index {
        0 => told.into(),
        usize::MAX => told.hint("all cases are answered").into(),
        _ => told.hint(format!("the cases before case {index} are answered")).into(),
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::cases::array::*;
    use std::io::BufReader;

    /// Where the element ends, one byte after the other.
    fn end(text: &[u8]) -> Option<usize> {
        let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
        for (at, byte) in text.iter().enumerate() {
            if quoted {
                (quoted, escaped) = (escaped || *byte != b'"', !escaped && *byte == b'\\');
                continue;
            }
            match byte {
                b'"' => quoted = true,
                b'[' | b'{' => depth += 1,
                b',' | b']' if depth == 0 => return Some(at),
                b']' | b'}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        None
    }

    #[test]
    fn elements_end_where_they_end() {
        let mut random = 1_u64;
        for round in 0..20_000 {
            let mut byte = || {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                b"\"\"\\\\[]{},a\n0 "[usize::try_from(random >> 33).expect("31 bits") % 13]
            };
            let text: Vec<u8> = (0..round % 40).map(|_| byte()).collect();
            let (mut element_text, mut place) = (Vec::new(), Place { line: 0, column: 5 });
            let mut reader = BufReader::with_capacity(1 + round % 7, &text[..]);
            let sign = element(&mut reader, &mut element_text, &mut place).expect("no file");
            let end = end(&text);
            assert_eq!(sign, end.map(|end| text[end]), "{text:?}");
            let taken = &text[..end.unwrap_or(text.len())];
            assert_eq!(element_text, taken);
            let lines: Vec<&[u8]> = taken.split(|byte| *byte == b'\n').collect();
            let column = lines[lines.len() - 1].len() + if lines.len() == 1 { 5 } else { 0 };
            assert_eq!((place.line, place.column), (lines.len() - 1, column));
        }
    }
}
