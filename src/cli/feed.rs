//! Lines of any length, read straight into the buffer that they are parsed in.

use std::io::{self, Read};
use std::ops::Range;

/// What was read of a stream and not yet passed.
pub(super) struct Feed<R> {
    reader: R,
    /// Room, of which a part is filled.
    bytes: Vec<u8>,
    /// Where what was not passed begins and ends.
    from: usize,
    end: usize,
    /// Bytes of room that are made when there is none.
    chunk: usize,
}

impl<R: Read> Feed<R> {
    pub(super) fn new(reader: R) -> Self {
        Feed { reader, bytes: Vec::new(), from: 0, end: 0, chunk: 1 << 14 }
    }

    /// The next line with its end, or the rest of the stream; nothing at its end. A line is there as soon as the reader hands it
    /// on.
    pub(super) fn line(&mut self) -> io::Result<Option<Range<usize>>> {
        const MOST: usize = 1 << 18;
        let mut seen = self.from;
        loop {
            if let Some(length) = memchr(&self.bytes[seen..self.end]) {
                return Ok(Some(self.from..seen + length + 1));
            }
            if self.from > 0 {
                self.bytes.copy_within(self.from..self.end, 0);
                self.end -= self.from;
                self.from = 0;
            }
            seen = self.end;
            if self.bytes.len() - self.end < self.chunk / 2 {
                self.bytes.resize(self.end + self.chunk, 0);
                self.chunk = MOST.min(2 * self.chunk);
            }
            let read = loop {
                match self.reader.read(&mut self.bytes[self.end..]) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    other => break other?,
                }
            };
            self.end += read;
            if read == 0 {
                return Ok((seen > 0).then_some(0..seen));
            }
        }
    }

    /// The bytes of a line.
    pub(super) fn text(&self, line: &Range<usize>) -> &[u8] {
        &self.bytes[line.clone()]
    }

    /// A line is done with. Large buffers go back to the system while a case is answered.
    pub(super) fn pass(&mut self, line: &Range<usize>) {
        const LARGE: usize = 1 << 22;
        self.from = line.end;
        if self.bytes.capacity() > LARGE {
            self.bytes = self.bytes[self.from..self.end].to_vec();
            self.end -= self.from;
            self.from = 0;
        }
    }
}

/// Where the first end of a line is.
fn memchr(bytes: &[u8]) -> Option<usize> {
    /// Blocks of so many are looked through without a branch for each.
    const BLOCK: usize = 64;
    let has_end = |block: &[u8]| block.iter().map(|byte| u8::from(*byte == b'\n')).fold(0, |found, is| found | is) > 0;
    let whole = bytes.chunks(BLOCK).position(has_end)?;
    let rest = &bytes[whole * BLOCK..];
    rest.iter().position(|byte| *byte == b'\n').map(|place| whole * BLOCK + place)
}

#[cfg(test)]
mod tests {
    use crate::cli::feed::Feed;
    use std::io::{self, Read};

    /// Hands on a few bytes at a time, and is interrupted now and then.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            if self.1.is_multiple_of(5) {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let some = self.0.len().min(buffer.len()).min(1 + self.1 % 7 * 40_000);
            buffer[..some].copy_from_slice(&self.0[..some]);
            self.0 = &self.0[some..];
            Ok(some)
        }
    }

    #[test]
    fn lines_come_whole() {
        let long = "x".repeat(9_000_000);
        for text in ["", "\n", "a", "a\n", "a\n\nbc\nd", &format!("{long}\n1\n22\n{long}"), &format!("1\n{long}\n")] {
            let mut feed = Feed::new(Slow(text.as_bytes(), 0));
            for expected in text.split_inclusive('\n') {
                let line = feed.line().unwrap().unwrap();
                assert!(feed.text(&line) == expected.as_bytes());
                feed.pass(&line);
            }
            assert_eq!(feed.line().unwrap(), None);
        }
    }
}
