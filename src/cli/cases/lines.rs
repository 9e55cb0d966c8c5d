//! JSON Lines. A case may also stand on several lines, or several cases on one. A broken line is one broken case.

use crate::cli::cases::{Case, Place, Reader, kept, no_json, what};
use crate::cli::feed::Feed;
use crate::cli::inputs::Given;
use crate::cli::stop::Stop;
use std::io::Read;

/// Hands on every case of lines that stand behind so many others.
///
/// # Errors
/// D03 for what cannot be read, and what the taker says.
pub(super) fn read(reader: impl Read, passed: usize, to: Reader<'_>) -> Result<(), Stop> {
    let mut lines = Lines { to, next: 0, held: Vec::new(), line: passed, column: 0 };
    let mut feed = Feed::new(reader);
    while let Some(line) = feed.line().map_err(|error| lines.to.unreadable(&error))? {
        if let Some(given) = lines.usual(feed.text(&line)) {
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

/// See the module.
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
