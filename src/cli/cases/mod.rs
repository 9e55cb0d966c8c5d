//! A stream of cases: a JSON array of objects, or JSON Lines. Each case is read, handed on and forgotten.

mod array;
mod lines;
mod visitor;

use crate::cli::inputs::Given;
use crate::cli::load::unreadable;
use crate::cli::stop::Stop;
use crate::source::diagnostic::{Code, Diagnostic};
use serde_json::Value as Json;
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

    /// Each case; `Err` ends the stream.
    fn take(&mut self, place: Place, case: Case) -> Result<(), Stop>;
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
        unreadable(Code::D03, "file of cases", self.name, error)
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
    let file = file.map_err(|error| unreadable(Code::D03, "file of cases", &name, &error))?;
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
        Some(b'[') => array::read(reader, passed, &mut to),
        Some(_) => lines::read(reader, passed, to),
    }
}

/// A buffer for the next text: large ones go back to the system while a case is answered.
pub(super) fn kept(buffer: Vec<u8>) -> Vec<u8> {
    const LARGE: usize = 1 << 22;
    if buffer.capacity() > LARGE { Vec::new() } else { buffer }
}

/// Said where more follows than the text should have.
pub(super) const BEHIND: &str = "something stands behind its end";

/// What an error of `serde_json` says, without the place and in the words of this program.
pub(super) fn what(error: &serde_json::Error) -> String {
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

/// What is wrong with a text that is no JSON, and where. Column 0 is the end of the line before.
pub(super) fn no_json(name: &str, line: usize, column: usize, what: &str) -> String {
    if column == 0 && line > 1 {
        return format!("`{name}`, end of line {}: this is no JSON: {what}", line - 1);
    }
    format!("`{name}`, line {line}, column {column}: this is no JSON: {what}")
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
