//! Text read in blocks, so that no file is ever held as a whole: the one reader of data files and of files of cases.

use crate::input::datafile::wrong;
use crate::value::Fault;
use memchr::{memchr, memchr_iter, memrchr};
use std::io::{self, ErrorKind, Read};

/// The longest line of a data file, in bytes: a graph of 56,000 vertices in graph6.
const LINE: usize = 1 << 28;

/// What was read of a stream and not yet passed, and how much was passed.
pub struct Blocks<'r> {
    from: &'r mut dyn Read,
    /// Room, of which `taken..filled` is text that was read and not passed.
    room: Vec<u8>,
    taken: usize,
    filled: usize,
    /// Bytes of room that are made next when there is too little: twice as many each time.
    chunk: usize,
    lines: usize,
    column: usize,
    ended: bool,
}

impl<'r> Blocks<'r> {
    /// What a stream hands on.
    pub fn new(from: &'r mut dyn Read) -> Self {
        Blocks { from, room: Vec::new(), taken: 0, filled: 0, chunk: 1 << 14, lines: 0, column: 0, ended: false }
    }

    /// The text that was read and not passed.
    pub(crate) fn text(&self) -> &[u8] {
        &self.room[self.taken..self.filled]
    }

    /// Reads more text behind what is there: as much as the stream hands on at once. `false`: it has ended. A byte
    /// order mark is left out. Errors: those of the stream, but for interruptions.
    pub(crate) fn more(&mut self) -> io::Result<bool> {
        const MARK: &[u8] = b"\xef\xbb\xbf";
        let begins = self.filled == 0 && self.taken == 0 && self.lines == 0;
        let read = self.read()?;
        if begins {
            // The mark is looked for in the first three bytes, which no line of any use is without.
            while self.filled < MARK.len() && self.read()? {}
            if self.text().starts_with(MARK) {
                self.taken = MARK.len();
            }
        }
        Ok(read)
    }

    fn read(&mut self) -> io::Result<bool> {
        const MOST: usize = 1 << 18;
        if self.taken > 0 {
            self.room.copy_within(self.taken..self.filled, 0);
            self.filled -= self.taken;
            self.taken = 0;
        }
        if self.room.len() - self.filled < self.chunk / 2 {
            self.room.resize(self.filled + self.chunk, 0);
            self.chunk = MOST.min(2 * self.chunk);
        }
        while !self.ended {
            match self.from.read(&mut self.room[self.filled..]) {
                Ok(length) => {
                    self.filled += length;
                    self.ended = length == 0;
                    return Ok(!self.ended);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(false)
    }

    /// Says that so many bytes of the text are done with. Large room goes back to the system: a case may now be answered.
    pub(crate) fn pass(&mut self, bytes: usize) {
        const LARGE: usize = 1 << 22;
        let passed = &self.room[self.taken..self.taken + bytes];
        let (lines, column) = end_of(passed);
        self.column = if lines > 0 { column } else { self.column + column };
        self.lines += lines;
        self.taken += bytes;
        if self.room.capacity() > LARGE.max(2 * (self.filled - self.taken)) {
            self.room = self.text().to_vec();
            (self.taken, self.filled) = (0, self.room.len());
        }
    }

    /// How many lines were passed.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// The line, from 1, of the byte that so many others of the text stand before, and how many bytes stand before it there.
    pub(crate) fn place(&self, bytes: usize) -> (usize, usize) {
        let (lines, column) = end_of(&self.text()[..bytes]);
        (self.lines + lines + 1, if lines > 0 { column } else { self.column + column })
    }

    /// The next lines, whole ones; only the last of the file may lack its line feed. Empty: that was all. The same
    /// again until [`Blocks::pass`] is called. Error: D03 for a file that cannot be read on, or a line of more than
    /// [`LINE`] bytes.
    pub(super) fn look(&mut self) -> Result<&[u8], Fault> {
        let mut searched = 0;
        let whole = loop {
            if let Some(at) = memrchr(b'\n', &self.text()[searched..]) {
                break searched + at + 1;
            }
            searched = self.text().len();
            if searched >= LINE {
                return Err(wrong(self.lines + 1, 0, &format!("a line of at most {LINE} bytes is expected")));
            }
            if !self.more_lines()? {
                break searched;
            }
        };
        Ok(&self.text()[..whole])
    }

    fn more_lines(&mut self) -> Result<bool, Fault> {
        self.more().map_err(|error| wrong(self.lines + 1, 0, &format!("the file cannot be read on: {error}")))
    }

    /// The lines that the file begins with, as many as tell what it is. Errors: those of [`Blocks::look`].
    pub(super) fn begin(&mut self) -> Result<&[u8], Fault> {
        const BEGIN: usize = 1 << 18;
        while self.text().len() < BEGIN && self.more_lines()? {}
        self.look()
    }

    /// Calls `each` with the number of every line that is left and the line without its end; but not for lines that
    /// `plain` reads at a place of the text, which tells where the next line begins. Errors: those of [`Blocks::look`]
    /// and of `each`.
    pub fn each_line<S>(
        &mut self,
        state: &mut S,
        plain: impl Fn(&mut S, &[u8], usize) -> Option<usize>,
        each: impl Fn(&mut S, usize, &[u8]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        loop {
            let mut line = self.lines;
            let text = self.look()?;
            if text.is_empty() {
                return Ok(());
            }
            let bytes = text.len();
            let mut at = 0;
            while at < bytes {
                line += 1;
                if let Some(next) = plain(state, text, at) {
                    at = next;
                    continue;
                }
                let (content, length) = first_line(&text[at..]);
                each(state, line, content)?;
                at += length;
            }
            self.pass(bytes);
        }
    }
}

/// How many lines end in a text, and how many bytes stand behind the last end.
fn end_of(text: &[u8]) -> (usize, usize) {
    let lines = memchr_iter(b'\n', text).count();
    (lines, memrchr(b'\n', text).map_or(text.len(), |last| text.len() - last - 1))
}

/// The first line without its end, and how many bytes it takes with it.
pub(super) fn first_line(text: &[u8]) -> (&[u8], usize) {
    let feed = memchr(b'\n', text);
    let (line, length) = feed.map_or((text, text.len()), |at| (&text[..at], at + 1));
    (line.strip_suffix(b"\r").unwrap_or(line), length)
}

/// A line as text. Error: D03 with the column, in characters, of the first byte that is no UTF-8.
pub(super) fn utf8(line: usize, content: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(content).map_err(|error| {
        let good = error.valid_up_to();
        let column = String::from_utf8_lossy(&content[..good]).chars().count() + 1;
        let byte = content.get(good).copied().unwrap_or(0);
        wrong(line, column, &format!("text is expected, not the byte 0x{byte:02x}, which is no UTF-8"))
            .hint("save the file as UTF-8")
    })
}
