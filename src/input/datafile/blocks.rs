//! Text read in blocks of whole lines, so that no file is ever held as a whole.

use crate::input::datafile::wrong;
use crate::value::fault::Fault;
use std::io::{ErrorKind, Read};

/// Bytes of a block; longer lines make a longer block.
const BLOCK: usize = 1 << 18;
/// The longest line, in bytes: a graph of 56,000 vertices in graph6.
const LINE: usize = 1 << 28;

/// A reader of blocks of whole lines.
pub(super) struct Blocks<'r> {
    from: &'r mut dyn Read,
    block: Vec<u8>,
    /// Lines handed on, and what was read.
    taken: usize,
    filled: usize,
    /// The end of the last whole line in the block.
    whole: usize,
    /// Lines handed on.
    lines: usize,
    begun: bool,
    ended: bool,
}

impl<'r> Blocks<'r> {
    pub(super) fn new(from: &'r mut dyn Read) -> Self {
        let block = vec![0; BLOCK];
        Blocks { from, block, taken: 0, filled: 0, whole: 0, lines: 0, begun: false, ended: false }
    }

    /// The next lines, whole ones; only the last of the file may lack its line feed. Empty: that was all. The same again
    /// until [`Blocks::pass`] is called. A byte order mark is left out.
    ///
    /// # Errors
    /// D03 for a file that cannot be read on, or a line of more than [`LINE`] bytes.
    pub(super) fn look(&mut self) -> Result<&[u8], Fault> {
        while self.taken == self.whole && !self.ended {
            self.block.copy_within(self.taken..self.filled, 0);
            self.filled -= self.taken;
            (self.taken, self.whole) = (0, 0);
            if self.filled == self.block.len() {
                if self.filled >= LINE {
                    return Err(wrong(self.lines + 1, 0, &format!("a line of at most {LINE} bytes is expected")));
                }
                self.block.resize(self.filled * 2, 0);
            }
            let searched = self.filled;
            self.fill()?;
            let feed = self.block[searched..self.filled].iter().rposition(|byte| *byte == b'\n');
            self.whole = match feed {
                Some(at) => searched + at + 1,
                None if self.ended => self.filled,
                None => 0,
            };
            if !self.begun && self.whole > 0 {
                self.begun = true;
                if self.block[..self.whole].starts_with(b"\xef\xbb\xbf") {
                    self.taken = 3;
                }
            }
        }
        if self.ended {
            self.whole = self.filled;
        }
        Ok(&self.block[self.taken..self.whole])
    }

    /// Reads until the block is full or the file ends.
    fn fill(&mut self) -> Result<(), Fault> {
        while self.filled < self.block.len() {
            match self.from.read(&mut self.block[self.filled..]) {
                Ok(0) => {
                    self.ended = true;
                    return Ok(());
                }
                Ok(length) => self.filled += length,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(wrong(self.lines + 1, 0, &format!("the file cannot be read on: {error}"))),
            }
        }
        Ok(())
    }

    /// Says that so many lines, which took so many bytes of what [`Blocks::look`] gave, are done with.
    pub(super) fn pass(&mut self, bytes: usize, lines: usize) {
        self.taken += bytes;
        self.lines += lines;
    }

    /// How many lines were passed.
    pub(super) fn lines(&self) -> usize {
        self.lines
    }

    /// Calls `each` with the number of every line that is left and the line without its end.
    ///
    /// # Errors
    /// Those of [`Blocks::look`] and of `each`.
    pub(super) fn each_line(&mut self, mut each: impl FnMut(usize, &[u8]) -> Result<(), Fault>) -> Result<(), Fault> {
        loop {
            let mut line = self.lines;
            let text = self.look()?;
            let bytes = text.len();
            if bytes == 0 {
                return Ok(());
            }
            let mut at = 0;
            while at < bytes {
                line += 1;
                let (content, length) = first_line(&text[at..]);
                each(line, content)?;
                at += length;
            }
            let lines = line - self.lines;
            self.pass(bytes, lines);
        }
    }
}

/// The first line without its end, and how many bytes it takes with it.
pub(super) fn first_line(text: &[u8]) -> (&[u8], usize) {
    let feed = text.iter().position(|byte| *byte == b'\n');
    let (line, length) = feed.map_or((text, text.len()), |at| (&text[..at], at + 1));
    (line.strip_suffix(b"\r").unwrap_or(line), length)
}

/// A line as text.
///
/// # Errors
/// D03 with the column, in characters, of the first byte that is no UTF-8.
pub(super) fn utf8(line: usize, content: &[u8]) -> Result<&str, Fault> {
    std::str::from_utf8(content).map_err(|error| {
        let good = error.valid_up_to();
        let column = String::from_utf8_lossy(&content[..good]).chars().count() + 1;
        let byte = content.get(good).copied().unwrap_or(0);
        wrong(line, column, &format!("text is expected, not the byte 0x{byte:02x}, which is no UTF-8"))
            .hint("save the file as UTF-8")
    })
}
