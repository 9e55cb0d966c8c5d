//! A light scan of a text into words, marks, texts and comments: it knows where brackets and strings are, nothing more.

/// What a stretch of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A bare word, reserved or not.
    Word,
    /// A word in backquotes.
    Quoted,
    /// Digits, and whatever letters stick to them.
    Number,
    /// A whole text with its quotes.
    Text,
    /// A text that is never closed.
    OpenText,
    /// One of `( [ {`.
    Open,
    /// One of `) ] }`.
    Close,
    /// An operator or separator of one or two characters.
    Mark,
    /// From `#` to the end of the line.
    Comment,
    /// A character that no file may contain outside texts and comments.
    Odd,
}

/// A stretch of the scanned text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) shape: Shape,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Token {
    /// What stands there.
    pub(super) fn text(self, source: &str) -> &str {
        source.get(self.start..self.end).unwrap_or("")
    }
}

/// Gives the tokens of a text one after another, comments too; linear, and never fails.
#[derive(Clone)]
pub(super) struct Scan<'a> {
    text: &'a str,
    at: usize,
}

/// The marks of two characters.
const DOUBLE: [&[u8]; 10] = [b"->", b"==", b"!=", b"<=", b">=", b"..", b"**", b":=", b"+=", b"-="];

impl<'a> Scan<'a> {
    /// Starts at a byte of the text, which must be a character boundary outside texts and comments.
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Scan { text, at }
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// The end of the word that goes on at `at`.
    fn word_end(&self, mut at: usize) -> usize {
        while is_word(self.byte(at)) {
            at += 1;
        }
        at
    }

    fn quotes(&self) -> (Shape, usize) {
        let (bytes, start) = (self.text.as_bytes(), self.at);
        if bytes[start..].starts_with(b"\"\"\"") {
            let found = self.text[start + 3..].find("\"\"\"");
            return found.map_or((Shape::OpenText, bytes.len()), |length| (Shape::Text, start + length + 6));
        }
        let mut at = start + 1;
        loop {
            match bytes.get(at) {
                None | Some(b'\n') => return (Shape::OpenText, at.min(bytes.len())),
                Some(b'"') => return (Shape::Text, at + 1),
                // The escaped character may be longer than a byte; its other bytes are neither quote nor backslash.
                Some(b'\\') => at += 2,
                Some(_) => at += 1,
            }
        }
    }

    fn measure(&self) -> (Shape, usize) {
        let start = self.at;
        let bytes = self.text.as_bytes();
        match self.byte(start) {
            b'#' => {
                let length = self.text[start..].find('\n').unwrap_or(bytes.len() - start);
                (Shape::Comment, start + length)
            }
            b'"' => self.quotes(),
            b'(' | b'[' | b'{' => (Shape::Open, start + 1),
            b')' | b']' | b'}' => (Shape::Close, start + 1),
            b'`' => {
                let end = self.word_end(start + 1);
                if end > start + 1 && self.byte(end) == b'`' {
                    (Shape::Quoted, end + 1)
                } else {
                    (Shape::Odd, start + 1)
                }
            }
            b'0'..=b'9' => (Shape::Number, self.word_end(start)),
            byte if is_word(byte) => (Shape::Word, self.word_end(start)),
            _ if DOUBLE.iter().any(|mark| bytes[start..].starts_with(mark)) => (Shape::Mark, start + 2),
            b'=' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'&' | b',' | b':' => (Shape::Mark, start + 1),
            _ => (Shape::Odd, start + self.text[start..].chars().next().map_or(1, char::len_utf8)),
        }
    }
}

impl Iterator for Scan<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        while matches!(self.byte(self.at), b' ' | b'\t' | b'\r' | b'\n') {
            self.at += 1;
        }
        let start = self.at;
        if start >= self.text.len() {
            return None;
        }
        let (shape, end) = self.measure();
        self.at = end;
        Some(Token { shape, start, end })
    }
}

/// Whether a byte may stand inside a word.
pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use crate::syntax::scan::{Scan, Shape};

    fn shapes(text: &str) -> Vec<(Shape, &str)> {
        Scan::new(text, 0).map(|token| (token.shape, token.text(text))).collect()
    }

    #[test]
    fn words_marks_and_comments() {
        let found = shapes("let a1=-x # let\n..");
        let words: Vec<&str> = found.iter().map(|(_, text)| *text).collect();
        assert_eq!(words, ["let", "a1", "=", "-", "x", "# let", ".."]);
    }

    #[test]
    fn texts_hide_what_is_in_them() {
        assert_eq!(shapes(r#""a\"(" "#), [(Shape::Text, r#""a\"(""#)]);
        assert_eq!(shapes("\"\"\"\n\"(\n\"\"\"1")[0].0, Shape::Text);
        assert_eq!(shapes("\"abc\n1"), [(Shape::OpenText, "\"abc"), (Shape::Number, "1")]);
        assert_eq!(shapes("\"\\"), [(Shape::OpenText, "\"\\")]);
        assert_eq!(shapes("\"\\é"), [(Shape::OpenText, "\"\\é")]);
    }

    #[test]
    fn odd_characters_are_whole() {
        assert_eq!(shapes("é`"), [(Shape::Odd, "é"), (Shape::Odd, "`")]);
    }
}
