//! A stream of cases: a JSON array of objects, or JSON Lines. Each case is read, handed on and forgotten.

use crate::cli::load::unreadable;
use crate::cli::stop::Stop;
use crate::diagnostic::Diagnostic;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// One case as it was written.
#[derive(Debug)]
pub(crate) enum Case {
    /// Keys and values in order, repeated keys included.
    Object(Vec<(String, Json)>),
    /// Something else, in words.
    Other(&'static str),
}

/// What is done with each case; `Err` ends the stream.
pub(crate) type Each<'e> = dyn FnMut(usize, Case) -> Result<(), Stop> + 'e;

/// Calls `each` with every case in order and its index.
///
/// # Errors
/// D03 for a file that cannot be read, D02 with line and column for what is no JSON (the cases before it are handed on),
/// and what `each` says.
pub(crate) fn read(path: &Path, each: &mut Each) -> Result<(), Stop> {
    if path.as_os_str() == "-" {
        return stream(BufReader::new(io::stdin().lock()), "<stdin>", each);
    }
    let name = path.display().to_string();
    let file = File::open(path).and_then(|file| {
        if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
    });
    let file = file.map_err(|error| unreadable("D03", "file of cases", &name, &error))?;
    stream(BufReader::with_capacity(1 << 16, file), &name, each)
}

fn stream(mut reader: impl BufRead, name: &str, each: &mut Each) -> Result<(), Stop> {
    let (first, line) = first_byte(&mut reader).map_err(|e| unreadable("D03", "file of cases", name, &e))?;
    let Some(first) = first else { return Ok(()) };
    let mut json = serde_json::Deserializer::from_reader(reader);
    let mut cases = Cases { each, next: 0, stop: None };
    let result = if first == b'[' {
        json.deserialize_seq(&mut cases).and_then(|()| json.end())
    } else {
        loop {
            // At the end of the text a further value would be an error: ask first.
            match json.end() {
                Ok(()) => break Ok(()),
                Err(error) if error.is_io() => break Err(error),
                Err(_) => {}
            }
            if let Err(error) = One(&mut cases).deserialize(&mut json) {
                break Err(error);
            }
        }
    };
    match (cases.stop.take(), result) {
        (Some(stop), _) => Err(stop),
        (None, Ok(())) => Ok(()),
        (None, Err(error)) => {
            let place = format!("`{name}`, line {}, column {}", error.line() + line, error.column());
            let text = error.to_string();
            let text = text.split(" at line ").next().unwrap_or_default();
            let index = cases.next;
            let message = format!("{place}: this is no JSON: {text}");
            let hint = format!("the cases before case {index} are answered");
            let error = Diagnostic::bare("D02", message);
            Err(if index > 0 { error.hint(hint) } else { error }.into())
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
        match buffer.iter().position(|byte| !byte.is_ascii_whitespace()) {
            Some(at) => {
                let byte = buffer[at];
                lines += buffer[..at].iter().filter(|b| **b == b'\n').count();
                reader.consume(at);
                return Ok((Some(byte), lines));
            }
            None => {
                lines += buffer.iter().filter(|b| **b == b'\n').count();
                let length = buffer.len();
                reader.consume(length);
            }
        }
    }
}

/// The state of a stream.
struct Cases<'c, 'e> {
    each: &'c mut Each<'e>,
    next: usize,
    stop: Option<Stop>,
}

impl<'de> Visitor<'de> for &mut Cases<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an array of cases")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(One(self))?.is_some() {}
        Ok(())
    }
}

/// Reads one case and hands it on.
struct One<'o, 'c, 'e>(&'o mut Cases<'c, 'e>);

impl<'de> DeserializeSeed<'de> for One<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        let case = from.deserialize_any(CaseVisitor)?;
        let index = self.0.next;
        self.0.next += 1;
        (self.0.each)(index, case).map_err(|stop| {
            self.0.stop = Some(stop);
            D::Error::custom("stopped")
        })
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
