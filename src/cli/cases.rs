//! A stream of cases: a JSON array of objects, or JSON Lines. Each case is read, handed on and forgotten.

use crate::cli::case_array;
use crate::cli::feed::Feed;
use crate::cli::inputs::Given;
use crate::cli::load::unreadable;
use crate::cli::stop::Stop;
use crate::diagnostic::Diagnostic;
use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// One case as it was written.
#[derive(Debug)]
pub(crate) enum Case {
    /// An object as most are, read already.
    Usual(Given),
    /// Keys and values in order, repeated keys included.
    Object(Vec<(String, Json)>),
    /// Something else, in words.
    Other(&'static str),
    /// No JSON: what is wrong, and where.
    Broken(String),
}

/// Which case it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Its index, from 0.
    pub(crate) index: usize,
    /// The line that it begins on, from 1.
    pub(crate) line: usize,
}

/// What is done with cases.
pub(crate) trait Taker {
    /// Reads a case that is a usual object, straight from its text.
    fn usual(&mut self, text: &[u8]) -> Option<Given>;

    /// Each case, unless it was among [some](Taker::take_some); `Err` ends the stream.
    fn take(&mut self, place: Place, case: Case) -> Result<(), Stop>;

    /// Takes cases at once from the beginning of a text, with the byte `after` behind each; the first has this place. How many, and
    /// the bytes they took.
    fn take_some(&mut self, place: Place, after: u8, text: &[u8]) -> Result<(usize, usize), Stop>;
}

/// Called before the stream is waited for.
pub(crate) type Idle<'i> = dyn FnMut() + 'i;

/// Where cases come from and go to.
pub(super) struct Reader<'r> {
    /// The name of the file.
    pub(super) name: &'r str,
    pub(super) taker: &'r mut dyn Taker,
}

impl Reader<'_> {
    pub(super) fn unreadable(&self, error: &io::Error) -> Diagnostic {
        unreadable("D03", "file of cases", self.name, error)
    }
}

/// Hands every case on in order with its place. The text of one case is held at a time, or a block of short ones.
///
/// # Errors
/// D03 for a file that cannot be read, D02 with line and column for an array that is no array (the cases before the place are
/// handed on), and what `taker` says. A case that is no JSON is handed on as [`Case::Broken`].
pub(crate) fn read(path: &Path, idle: &mut Idle, taker: &mut dyn Taker) -> Result<(), Stop> {
    if path.as_os_str() == "-" {
        let stdin = Waited { reader: io::stdin().lock(), idle };
        return stream(BufReader::new(stdin), Reader { name: "<stdin>", taker });
    }
    let name = path.display().to_string();
    let file = File::open(path)
        .and_then(|file| if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) });
    let file = file.map_err(|error| unreadable("D03", "file of cases", &name, &error))?;
    stream(BufReader::with_capacity(1 << 14, Waited { reader: file, idle }), Reader { name: &name, taker })
}

/// A stream, and what is done before more of it is waited for.
struct Waited<'i, R> {
    reader: R,
    idle: &'i mut Idle<'i>,
}

impl<R: Read> Read for Waited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (self.idle)();
        self.reader.read(buffer)
    }
}

fn stream(mut reader: impl BufRead, mut to: Reader<'_>) -> Result<(), Stop> {
    let (first, passed) = first_byte(&mut reader).map_err(|error| to.unreadable(&error))?;
    match first {
        None => Ok(()),
        Some(b'[') => case_array::read(reader, passed, &mut to),
        Some(_) => {
            let mut lines = Lines { to, next: 0, held: Vec::new(), line: passed, column: 0 };
            let mut feed = Feed::new(reader);
            while let Some(line) = feed.line().map_err(|error| lines.to.unreadable(&error))? {
                let taken = lines.take_some(feed.whole_lines(&line))?;
                if taken > 0 {
                    feed.pass(&(line.start..line.start + taken));
                } else if let Some(given) = lines.usual(feed.text(&line)) {
                    feed.pass(&line);
                    lines.line += 1;
                    lines.hand_on(Case::Usual(given), lines.line)?;
                } else {
                    lines.hold(feed.text(&line))?;
                    feed.pass(&line);
                }
            }
            lines.read(true)
        }
    }
}

/// A buffer for the next text: large ones go back to the system while a case is answered.
pub(super) fn kept(buffer: Vec<u8>) -> Vec<u8> {
    const LARGE: usize = 1 << 22;
    if buffer.capacity() > LARGE { Vec::new() } else { buffer }
}

/// What an error of `serde_json` says, without the place.
pub(super) fn what(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_string()
}

/// What is wrong with a text that is no JSON, and where.
pub(super) fn no_json(name: &str, line: usize, column: usize, what: &str) -> String {
    format!("`{name}`, line {line}, column {column}: this is no JSON: {what}")
}

/// JSON Lines. A case may also stand on several lines, or several cases on one. A broken line is one broken case.
struct Lines<'l> {
    to: Reader<'l>,
    /// The index of the next case.
    next: usize,
    /// What was read and not handed on.
    held: Vec<u8>,
    /// How many lines, and bytes of the line it begins on, stand before it.
    line: usize,
    column: usize,
}

impl Lines<'_> {
    /// Hands on as many lines as can be taken at once: how many bytes.
    fn take_some(&mut self, lines: &[u8]) -> Result<usize, Stop> {
        if !self.is_alone() {
            return Ok(0);
        }
        let place = Place { index: self.next, line: self.line + 1 };
        let (cases, bytes) = self.to.taker.take_some(place, b'\n', lines)?;
        self.next += cases;
        self.line += cases;
        Ok(bytes)
    }

    /// Whether the next line begins a case, as far as is known.
    fn is_alone(&self) -> bool {
        self.held.is_empty() && self.column == 0
    }

    /// A line that is a usual case by itself.
    fn usual(&mut self, line: &[u8]) -> Option<Given> {
        let whole = line.trim_ascii();
        if self.is_alone() && whole.starts_with(b"{") && whole.ends_with(b"}") {
            self.to.taker.usual(line)
        } else {
            None
        }
    }

    /// What is held as one usual case on several lines. The tree of JSON that others need takes many times their text.
    fn usual_lines(&mut self) -> Option<Given> {
        let whole = self.held.trim_ascii();
        // One line by itself was read so before.
        let several = whole.starts_with(b"{") && whole.ends_with(b"}") && whole.contains(&b'\n');
        if several { self.to.taker.usual(whole) } else { None }
    }

    fn hold(&mut self, line: &[u8]) -> Result<(), Stop> {
        let first = self.held.is_empty();
        self.held.extend_from_slice(line);
        // A case of many lines is not parsed anew with each of them, only where one may end or another begin.
        let edge = line.trim_ascii_start().starts_with(b"{") || line.trim_ascii_end().ends_with(b"}");
        if first || edge { self.read(false) } else { Ok(()) }
    }

    /// Hands on what is whole, or broken however it may go on; at the end of the file all there is.
    fn read(&mut self, end: bool) -> Result<(), Stop> {
        loop {
            let blank = self.held.iter().take_while(|byte| byte.is_ascii_whitespace());
            let first = blank.filter(|byte| **byte == b'\n').count() + 1;
            let line = self.line + first;
            if let Some(given) = self.usual_lines() {
                self.pass(self.held.len());
                self.held = kept(std::mem::take(&mut self.held));
                self.hand_on(Case::Usual(given), line)?;
                return Ok(());
            }
            let mut values = serde_json::Deserializer::from_slice(&self.held).into_iter::<Case>();
            match values.next() {
                None => {
                    self.pass(self.held.len());
                    return Ok(());
                }
                Some(Ok(case)) => {
                    let length = values.byte_offset();
                    self.pass(length);
                    let case = self.more().map_or(case, Case::Broken);
                    self.hand_on(case, line)?;
                }
                Some(Err(error)) if error.is_eof() && !end => return Ok(()),
                Some(Err(error)) => {
                    let column = if error.line() == 1 { self.column } else { 0 } + error.column();
                    let mut message = no_json(self.to.name, self.line + error.line(), column, &what(&error));
                    if error.line() > first {
                        message.extend([", in the case that begins on line ", &line.to_string()]);
                    }
                    self.pass(broken(&self.held));
                    self.hand_on(Case::Broken(message), line)?;
                }
            }
        }
    }

    /// What is wrong with the rest of the line behind a case, which is passed then: only another object may stand there.
    fn more(&mut self) -> Option<String> {
        let blank = self.held.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        if matches!(self.held.get(blank), None | Some(b'\n' | b'{')) {
            return None;
        }
        let rest = &self.held[blank..];
        let rest = &rest[..rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())];
        let length = rest.len();
        let text = String::from_utf8_lossy(rest.trim_ascii_end()).into_owned();
        let shown: String = text.chars().take(20).collect();
        let dots = if shown.len() < text.len() { ".." } else { "" };
        let what = format!("`{shown}{dots}` stands behind the case");
        let message = no_json(self.to.name, self.line + 1, self.column + blank + 1, &what);
        self.pass(blank + length);
        Some(message)
    }

    fn hand_on(&mut self, case: Case, line: usize) -> Result<(), Stop> {
        self.next += 1;
        self.to.taker.take(Place { index: self.next - 1, line }, case)
    }

    /// Forgets so many bytes.
    fn pass(&mut self, length: usize) {
        let passed = &self.held[..length];
        self.line += passed.split(|byte| *byte == b'\n').count() - 1;
        self.column = passed.iter().rposition(|byte| *byte == b'\n').map_or(self.column + length, |at| length - at - 1);
        self.held.drain(..length);
    }
}

/// How many bytes a broken case takes: its line; or, where the bracket that opens it stands on a line alone, all lines up to
/// the next one that begins with a bracket.
fn broken(held: &[u8]) -> usize {
    let start = held.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let mut at = start;
    loop {
        at += held[at..].iter().position(|byte| *byte == b'\n').map_or(held.len() - at, |length| length + 1);
        let alone = held[start..at].trim_ascii() == b"{" || held[start..].starts_with(b"{\n");
        if at == held.len() || !alone || held[at] == b'{' {
            return at;
        }
    }
}

/// The first byte that is no blank, left in the reader, and how many lines were passed; a byte order mark is dropped.
fn first_byte(reader: &mut impl BufRead) -> io::Result<(Option<u8>, usize)> {
    let mut lines = 0;
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() {
            return Ok((None, lines));
        }
        if buffer.starts_with(b"\xef\xbb\xbf") {
            reader.consume(3);
            continue;
        }
        let blank = buffer.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        lines += buffer[..blank].split(|byte| *byte == b'\n').count() - 1;
        let byte = buffer.get(blank).copied();
        reader.consume(blank);
        if byte.is_some() {
            return Ok((byte, lines));
        }
    }
}

impl<'de> Deserialize<'de> for Case {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(CaseVisitor)
    }
}

/// How `serde_json` hands on a number of any size: as a map with this key.
const NUMBER_KEY: &str = "$serde_json::private::Number";

struct CaseVisitor;

impl<'de> Visitor<'de> for CaseVisitor {
    type Value = Case;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object that binds the inputs")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Case, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            if key == NUMBER_KEY {
                map.next_value::<IgnoredAny>()?;
                return Ok(Case::Other("a number"));
            }
            entries.push((key, map.next_value()?));
        }
        Ok(Case::Object(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Case, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Case::Other("an array"))
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Case, E> {
        Ok(Case::Other("a truth value"))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Case, E> {
        Ok(Case::Other("a number"))
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Case, E> {
        Ok(Case::Other("a number"))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Case, E> {
        Ok(Case::Other("a number"))
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Case, E> {
        Ok(Case::Other("a text"))
    }

    fn visit_unit<E: Error>(self) -> Result<Case, E> {
        Ok(Case::Other("null"))
    }
}
