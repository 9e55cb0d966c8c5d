//! A stream of cases: a JSON array of objects, or JSON Lines. Each case is read, handed on and forgotten; the text of one case is
//! held at a time, or a block of short ones.
//!
//! In an array a case is what stands between commas outside of brackets and texts. In JSON Lines a case may also stand on several
//! lines, or several cases on one. A case that is no JSON is handed on as an error, and does not end the others.

use crate::input::datafile::blocks::Blocks;
use crate::source::diagnostic::{Code, Diagnostic};
use memchr::memchr;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value as Json;
use std::io::Read;

/// Which case it is.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its index, from 0.
    pub index: usize,
    /// The line that it begins on, from 1.
    pub line: usize,
}

/// Why a case is none.
#[derive(Debug)]
pub enum Bad {
    /// It is JSON, but not for these inputs.
    Misfit(Diagnostic),
    /// It is no JSON: this tells where.
    Broken(Diagnostic),
}

/// What is done with cases.
pub trait Taker {
    /// What is made of the object of a case.
    type Case;
    /// Why the stream ends early.
    type Stop: From<Diagnostic>;

    /// Reads the object that a text begins with, and how many bytes it takes. Error: what does not fit; `None`: no
    /// JSON.
    fn object(&mut self, text: &[u8]) -> Result<(Self::Case, usize), Option<Diagnostic>>;

    /// Takes a case. An error ends the stream.
    fn take(&mut self, place: Place, case: Result<Self::Case, Bad>) -> Result<(), Self::Stop>;

    /// Called before the stream is waited for. An error ends it.
    fn wait(&mut self) -> Result<(), Self::Stop>;
}

/// Hands every case on in order with its place; messages call the stream by its name. Errors: D03 for a stream that
/// cannot be read on, D02 with line and column for an array that does not end, or goes on behind its end, or has a
/// comma too many (the cases before the place are handed on), and what `taker` says.
pub fn read<T: Taker>(from: &mut dyn Read, name: &str, taker: &mut T) -> Result<(), T::Stop> {
    let mut cases = Cases { blocks: Blocks::new(from), name, taker, next: 0 };
    match cases.next_byte()? {
        None => Ok(()),
        Some(b'[') => cases.array(),
        Some(_) => cases.lines(),
    }
}

/// Said where more follows than the text should have.
const BEHIND: &str = "something stands behind its end";
/// Said behind a case of an array.
const SIGN: &str = "`,` or `]` is expected";

struct Cases<'c, T> {
    blocks: Blocks<'c>,
    name: &'c str,
    taker: &'c mut T,
    next: usize,
}

impl<T: Taker> Cases<'_, T> {
    fn more(&mut self) -> Result<bool, T::Stop> {
        self.taker.wait()?;
        let unreadable = |error| format!("file of cases `{}` cannot be read: {error}", self.name);
        Ok(self.blocks.more().map_err(|error| Diagnostic::bare(Code::D03, unreadable(error)))?)
    }

    /// The next byte that is no blank; blanks before it are passed.
    fn next_byte(&mut self) -> Result<Option<u8>, T::Stop> {
        loop {
            let text = self.blocks.text();
            let blank = blanks(text);
            let byte = text.get(blank).copied();
            self.blocks.pass(blank);
            if byte.is_some() || !self.more()? {
                return Ok(byte);
            }
        }
    }

    fn hand_on(&mut self, line: usize, case: Result<T::Case, Bad>) -> Result<(), T::Stop> {
        self.next += 1;
        self.taker.take(Place { index: self.next - 1, line }, case)
    }

    /// The case that a text begins with, and how many bytes it takes.
    fn case(&mut self, bytes: std::ops::Range<usize>) -> Result<(Result<T::Case, Bad>, usize), serde_json::Error> {
        let text = &self.blocks.text()[bytes];
        let misfit = match text.first() {
            Some(b'{') => match self.taker.object(text) {
                Ok((case, length)) => return Ok((Ok(case), length)),
                Err(error) => error,
            },
            _ => None,
        };
        // Something is wrong: if it is no JSON, `serde_json` tells where.
        let (length, what) = match text.first() {
            Some(b'{') => (end_of::<Json>(text)?, "this one"),
            Some(b'[') => (end_of::<IgnoredAny>(text)?, "an array"),
            Some(b'"') => (end_of::<Json>(text)?, "a text"),
            Some(b'n') => (end_of::<Json>(text)?, "null"),
            Some(b't' | b'f') => (end_of::<Json>(text)?, "a truth value"),
            _ => (end_of::<Json>(text)?, "a number"),
        };
        let misfit = misfit.unwrap_or_else(|| {
            let index = self.next;
            let message = format!("case {index}: an object that binds the inputs is expected, not {what}");
            Diagnostic::bare(Code::D02, message)
        });
        Ok((Err(Bad::Misfit(misfit)), length))
    }

    /// What is wrong with a text that is no JSON, so many bytes behind what was passed.
    fn broken(&self, bytes: usize, what: &str) -> Diagnostic {
        let (line, column) = self.blocks.place(bytes);
        no_json(self.name, line, column + 1, what)
    }

    /// What `serde_json` says of a text that stands so many bytes behind what was passed.
    fn said(&self, bytes: usize, error: &serde_json::Error, behind: &str) -> Diagnostic {
        let (line, column) = self.blocks.place(bytes);
        let column = if error.line() == 1 { column } else { 0 } + error.column();
        let what = what(error);
        no_json(self.name, line + error.line() - 1, column, if what == BEHIND { behind } else { &what })
    }

    fn lines(&mut self) -> Result<(), T::Stop> {
        while self.next_byte()?.is_some() {
            let line = self.blocks.place(0).0;
            // Objects that fit need no end of a line: there may be many of them on one.
            if let Ok((case, length)) = self.taker.object(self.blocks.text())
                && self.behind(length).is_none()
            {
                self.blocks.pass(length);
                self.hand_on(line, Ok(case))?;
                continue;
            }
            let mut end = 0;
            let read = loop {
                let before = end;
                end = self.line_end(before)?;
                let added = &self.blocks.text()[before..end];
                // A case of many lines is not parsed anew with each of them, only where one may end or another begin.
                let edge = added.trim_ascii_start().starts_with(b"{") || added.trim_ascii_end().ends_with(b"}");
                if before == 0 || before == end || edge {
                    let read = self.case(0..end);
                    if before == end || !matches!(&read, Err(error) if error.is_eof()) {
                        break read;
                    }
                }
            };
            let (case, length) = match read {
                Ok((case, length)) => match self.behind(length) {
                    Some((error, length)) => (Err(Bad::Broken(error)), length),
                    None => (case, length),
                },
                Err(error) => {
                    let mut told = self.said(0, &error, BEHIND);
                    if error.line() > 1 {
                        told.message.extend([", in the case that begins on line ", &line.to_string()]);
                    }
                    (Err(Bad::Broken(told)), broken(&self.blocks.text()[..end]))
                }
            };
            self.blocks.pass(length);
            self.hand_on(line, case)?;
        }
        Ok(())
    }

    /// Where the line ends that begins so many bytes behind what was passed; there, if the stream has ended.
    fn line_end(&mut self, from: usize) -> Result<usize, T::Stop> {
        let mut searched = from;
        loop {
            let text = self.blocks.text();
            if let Some(length) = memchr(b'\n', &text[searched..]) {
                return Ok(searched + length + 1);
            }
            searched = text.len();
            if !self.more()? {
                return Ok(searched);
            }
        }
    }

    /// What is wrong with the line behind a case, and where it ends: only another object may stand there.
    fn behind(&self, case: usize) -> Option<(Diagnostic, usize)> {
        let text = &self.blocks.text()[case..];
        let next = text.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
        if matches!(next, None | Some(b'\n' | b'{')) {
            return None;
        }
        let rest = &text[..memchr(b'\n', text).unwrap_or(text.len())];
        let blank = blanks(rest);
        if matches!(rest.get(blank), None | Some(b'{')) {
            return None;
        }
        let text = String::from_utf8_lossy(rest.trim_ascii());
        let shown: String = text.chars().take(20).collect();
        let dots = if shown.len() < text.len() { ".." } else { "" };
        let what = format!("`{shown}{dots}` stands behind the case");
        Some((self.broken(case + blank, &what), case + rest.len()))
    }

    fn array(&mut self) -> Result<(), T::Stop> {
        self.blocks.pass(1); // the bracket
        loop {
            let (end, sign) = self.element()?;
            let blank = blanks(&self.blocks.text()[..end]);
            let line = self.blocks.place(blank).0;
            if blank == end {
                let what = match sign {
                    Some(b']') if self.next == 0 => break self.blocks.pass(end + 1),
                    Some(b']') => "nothing follows the comma",
                    Some(_) => "a value is expected",
                    None if self.next == 0 => "it ends within a list",
                    None => "it ends where a value is expected",
                };
                return Err(self.end(end, sign.is_some(), what));
            }
            let case = match self.case(blank..end) {
                Ok((case, length)) => {
                    let length = blank + length;
                    let behind = blanks(&self.blocks.text()[length..end]);
                    if length + behind < end { Err(self.broken(length + behind, SIGN)) } else { Ok(case) }
                }
                Err(error) => Err(self.said(blank, &error, SIGN)),
            };
            let case = match case {
                Err(error) if sign.is_none() => return Err(self.with_answered(error)),
                Err(error) => Err(Bad::Broken(error)),
                Ok(case) => case,
            };
            self.blocks.pass(end);
            self.hand_on(line, case)?;
            match sign {
                None => return Err(self.end(0, false, "it ends within a list")),
                Some(_) => self.blocks.pass(1),
            }
            if sign == Some(b']') {
                break;
            }
        }
        match self.next_byte()? {
            None => Ok(()),
            Some(_) => Err(self.broken(0, BEHIND).hint("all cases are answered").into()),
        }
    }

    /// Where the comma or closing bracket outside of all brackets stands, and which it is; nothing at the end of the stream.
    fn element(&mut self) -> Result<(usize, Option<u8>), T::Stop> {
        let (mut at, mut depth, mut quoted) = (0, 0_usize, false);
        loop {
            let text = self.blocks.text();
            while let Some(byte) = text.get(at) {
                match byte {
                    b'"' => quoted = !quoted,
                    b'\\' if quoted => at += 1,
                    _ if quoted => {}
                    b'[' | b'{' => depth += 1,
                    b',' | b']' if depth == 0 => return Ok((at, Some(*byte))),
                    b']' | b'}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                at += 1;
            }
            let length = text.len();
            if !self.more()? {
                return Ok((length, None));
            }
        }
    }

    /// What ends the array so many bytes behind what was passed, where `byte` may stand.
    fn end(&self, bytes: usize, byte: bool, what: &str) -> T::Stop {
        let (line, column) = self.blocks.place(bytes);
        self.with_answered(no_json(self.name, line, column + usize::from(byte), what))
    }

    fn with_answered(&self, told: Diagnostic) -> T::Stop {
        match self.next {
            0 => told.into(),
            next => told.hint(format!("the cases before case {next} are answered")).into(),
        }
    }
}

/// Where the JSON ends that a text begins with.
fn end_of<T: DeserializeOwned>(text: &[u8]) -> Result<usize, serde_json::Error> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<T>();
    values.next().transpose()?;
    Ok(values.byte_offset())
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// How many bytes a broken case takes: its line; or, where the bracket that opens it stands on a line alone, all lines up to
/// the next one that begins with a bracket.
fn broken(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at += memchr(b'\n', &text[at..]).map_or(text.len() - at, |length| length + 1);
        let alone = text[..at].trim_ascii() == b"{" || text.starts_with(b"{\n");
        if at == text.len() || !alone || text[at] == b'{' {
            return at;
        }
    }
}

/// What an error of `serde_json` says, without the place and in the words of this program.
fn what(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let said = text.split(" at line ").next().unwrap_or_default();
    let better = match said {
        "EOF while parsing a list" => "it ends within a list",
        "EOF while parsing an object" => "it ends within an object",
        "EOF while parsing a string" => "it ends within a text",
        "EOF while parsing a value" => "it ends where a value is expected",
        "expected value" => "a value is expected",
        "expected ident" => "`true`, `false` or `null` is expected",
        "key must be a string" => "a name in double quotes is expected",
        "invalid number" => "this is no number (it begins with 0, or a sign or digit is missing)",
        "trailing characters" => BEHIND,
        "trailing comma" => "nothing follows the comma",
        "recursion limit exceeded" => "its brackets are nested too deep",
        _ => match said.strip_prefix("expected ") {
            Some(signs) => return format!("{signs} is expected"),
            None => said,
        },
    };
    better.to_string()
}

/// Column 0 is the end of the line before.
fn no_json(name: &str, line: usize, column: usize, what: &str) -> Diagnostic {
    let place = match column {
        0 if line > 1 => format!("`{name}`, end of line {}", line - 1),
        _ => format!("`{name}`, line {line}, column {column}"),
    };
    Diagnostic::bare(Code::D02, format!("{place}: this is no JSON: {what}"))
}
