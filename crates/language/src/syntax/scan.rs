//! A light scan of a text into words, marks, texts and comments, and a file cut into its statements.
//!
//! A statement keyword outside brackets can only begin a statement, because keywords are never names. So each statement is read alone:
//! one broken statement does not hide the errors of the next, and the parser never holds more than one.

use crate::source::{Code, Diagnostic, SourceId, Span};

/// What a stretch of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
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
pub struct Token {
    /// What it is.
    pub shape: Shape,
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

impl Token {
    /// The stretch itself.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start..self.end).unwrap_or("")
    }
}

/// Gives the tokens of a text one after another, comments too; linear, and never fails.
#[derive(Clone)]
pub struct Scan<'a> {
    text: &'a str,
    at: usize,
}

const DOUBLE: [&[u8]; 10] = [b"->", b"==", b"!=", b"<=", b">=", b"..", b"**", b":=", b"+=", b"-="];

impl<'a> Scan<'a> {
    /// Starts at a byte of the text, which must be a character boundary outside texts and comments.
    pub fn new(text: &'a str, at: usize) -> Self {
        Scan { text, at }
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

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

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// How deep brackets and `if` may be nested.
const MAX_NESTING: usize = 200;

/// How many words and marks a statement may have: longer ones are data, which the grammar is not made for.
const MAX_TOKENS: usize = 500_000;

/// The words that begin a statement.
pub(super) const STATEMENTS: [&str; 12] =
    ["use", "input", "let", "def", "game", "solve", "table", "claim", "expect", "print", "format", "cases"];

/// The words that are never names, but for those that begin a statement.
const RESERVED: [&str; 20] = [
    "move", "theorem", "for", "in", "where", "with", "if", "then", "else", "and", "or", "not", "xor", "iff", "implies",
    "mod", "div", "true", "false", "misere",
];

pub(super) fn is_reserved(word: &str) -> bool {
    STATEMENTS.contains(&word) || RESERVED.contains(&word)
}

/// One statement's stretch of the text, without the space and comments after it.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) depth: usize,
    /// How many words and marks it has.
    pub(super) tokens: usize,
    /// What is wrong with its brackets, texts or size; such a piece is not parsed.
    pub(super) fault: Option<Diagnostic>,
}

/// An open bracket, or the ground (`at` is `None`), with the `if`s open in it.
#[derive(Clone, Copy)]
struct Frame {
    at: Option<usize>,
    ifs: usize,
}

/// Gives the pieces of a text one after another. Linear in the text when brackets are balanced.
pub(super) struct Split<'a> {
    text: &'a str,
    source: SourceId,
    scan: Scan<'a>,
    ahead: Option<Token>,
    /// Whether to cut at keywords at all.
    cut: bool,
}

impl<'a> Split<'a> {
    pub(super) fn statements(text: &'a str, source: SourceId) -> Self {
        let mut split = Split { text, source, scan: Scan::new(text, 0), ahead: None, cut: true };
        split.advance();
        split
    }

    pub(super) fn whole(text: &'a str, source: SourceId) -> Self {
        Split { cut: false, ..Split::statements(text, source) }
    }

    fn advance(&mut self) -> Option<Token> {
        let token = self.ahead.take();
        self.ahead = self.scan.by_ref().find(|token| token.shape != Shape::Comment);
        token
    }

    fn go_to(&mut self, at: usize) {
        self.scan = Scan::new(self.text, at);
        self.ahead = None;
        self.advance();
    }

    /// Whether `token` begins a statement when it stands outside brackets.
    fn begins(&self, token: Token, before: Option<Token>) -> bool {
        if !self.cut || token.shape != Shape::Word {
            return false;
        }
        let is = |token: Option<Token>, word| token.is_some_and(|token: Token| token.text(self.text) == word);
        match token.text(self.text) {
            "misere" => {
                let mut rest = Scan::new(self.text, token.end).filter(|token| token.shape != Shape::Comment);
                is(rest.next(), "game")
            }
            "game" => !is(before, "misere"),
            "cases" => !is(before, "format"),
            word => STATEMENTS.contains(&word),
        }
    }

    fn at_line_start(&self, token: Token) -> bool {
        token.start == 0 || self.text.as_bytes().get(token.start - 1) == Some(&b'\n')
    }

    /// Whether a keyword after this token, inside brackets, may be the name of a move or vertex.
    fn names_may_follow(&self, token: Token) -> bool {
        matches!(token.text(self.text), "move" | "winning" | "drawing" | "{" | "," | "-" | "->")
    }

    /// Ends a piece with an open bracket where the next statement seems to begin.
    fn give_up(&mut self, mut piece: Piece, nesting: &Nesting, limit: usize) -> Piece {
        let blamed = nesting.open_before(limit).or(nesting.innermost());
        piece.fault = piece.fault.or(blamed.map(|at| self.never_closed(at, None)));
        self.go_to(limit);
        piece
    }

    /// Goes on after a fault: at `resume`, or else at the next line that begins with a statement keyword.
    fn recover(&mut self, resume: Option<usize>) {
        if let Some(at) = resume {
            return self.go_to(at);
        }
        let mut before = None;
        while let Some(token) = self.ahead {
            if self.at_line_start(token) && self.begins(token, before) {
                return;
            }
            before = self.advance();
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        span(self.source, start, end)
    }

    fn never_closed(&self, at: usize, close: Option<Token>) -> Diagnostic {
        let open = &self.text[at..=at];
        let wanted = closing(open);
        let error = Diagnostic::new(Code::S01, self.span(at, at + 1), format!("`{open}` is never closed"));
        // A move's `->` comes after all its brackets.
        let of_move = self.text[..at].lines().last().is_some_and(|line| line.trim_start().starts_with("move "));
        let behind = Scan::new(self.text, at + 1).take_while(|token| self.text[at..token.start].find('\n').is_none());
        let arrow = behind.into_iter().find(|token| of_move && open != "{" && token.text(self.text) == "->");
        match arrow.or(close) {
            Some(token) => {
                let line = self.text[..token.start].bytes().filter(|byte| *byte == b'\n').count() + 1;
                error
                    .label(format!("`{wanted}` is missing for this bracket"))
                    .hint(format!("`{}` on line {line} came first; put `{wanted}` before it", token.text(self.text)))
            }
            None => error.label(format!("`{wanted}` is missing for this bracket")),
        }
    }
}

fn closing(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// A span of offsets into a text shorter than 4 GiB, which the callers have made sure of.
pub(super) fn span(source: SourceId, start: usize, end: usize) -> Span {
    let fit = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { source, start: fit(start), end: fit(end) }
}

/// The running count of what is open inside a piece.
struct Nesting {
    frames: Vec<Frame>,
    ifs: usize,
    ofs: usize,
}

impl Nesting {
    fn new() -> Self {
        Nesting { frames: vec![Frame { at: None, ifs: 0 }], ifs: 0, ofs: 0 }
    }

    fn brackets(&self) -> usize {
        self.frames.len() - 1
    }

    fn innermost(&self) -> Option<usize> {
        self.frames.last().and_then(|frame| frame.at)
    }

    /// The last bracket opened before `limit` and still open.
    fn open_before(&self, limit: usize) -> Option<usize> {
        self.frames.iter().rev().filter_map(|frame| frame.at).find(|at| *at < limit)
    }

    fn close(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.ifs -= frame.ifs;
        }
    }

    /// Counts a word or mark; an `if` ends where its bracket does, at a comma, or where the next rule begins.
    fn count(&mut self, token: Token, word: &str) {
        self.ofs = match (token.shape, word) {
            (Shape::Word, "of") => self.ofs + 1,
            (Shape::Word, _) => self.ofs,
            _ => 0,
        };
        let Some(frame) = self.frames.last_mut() else { return };
        match (token.shape, word) {
            (Shape::Word, "if") => {
                frame.ifs += 1;
                self.ifs += 1;
            }
            (Shape::Mark, ",") | (Shape::Word, "move" | "theorem" | "let" | "def" | "when") => {
                self.ifs -= frame.ifs;
                frame.ifs = 0;
            }
            _ => {}
        }
    }

    fn depth(&self) -> usize {
        self.brackets() + self.ifs + self.ofs
    }
}

impl Iterator for Split<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let start = self.ahead?.start;
        let mut piece = Piece { start, end: start, depth: 0, tokens: 0, fault: None };
        let mut nesting = Nesting::new();
        let mut resume = None;
        let mut before: Option<Token> = None;
        while let Some(token) = self.ahead {
            if before.is_some() && self.begins(token, before) {
                if nesting.brackets() == 0 {
                    return Some(piece);
                }
                let inner = matches!(token.text(self.text), "let" | "def");
                if resume.is_none() && !inner && self.at_line_start(token) {
                    resume = Some(token.start);
                    if !before.is_some_and(|before| self.names_may_follow(before)) {
                        return Some(self.give_up(piece, &nesting, token.start));
                    }
                }
            }
            piece.tokens += 1;
            let word = token.text(self.text);
            nesting.count(token, word);
            match token.shape {
                Shape::Open => nesting.frames.push(Frame { at: Some(token.start), ifs: 0 }),
                Shape::Close => match nesting.innermost() {
                    Some(at) if closing(&self.text[at..=at]) == word => nesting.close(),
                    Some(at) => {
                        let at = resume.and_then(|limit| nesting.open_before(limit)).unwrap_or(at);
                        let fault = self.never_closed(at, Some(token));
                        piece.fault.get_or_insert(fault);
                        self.recover(resume);
                        return Some(piece);
                    }
                    None => {
                        let place = self.span(token.start, token.end);
                        let fault = Diagnostic::new(Code::S01, place, format!("`{word}` closes nothing"));
                        piece.fault.get_or_insert(fault.label("no bracket is open here"));
                        self.recover(None);
                        return Some(piece);
                    }
                },
                Shape::OpenText => {
                    let long = word.starts_with("\"\"\"");
                    let place = self.span(token.start, token.start + if long { 3 } else { 1 });
                    let quotes = if long { "\"\"\"" } else { "\"" };
                    let fault =
                        Diagnostic::new(Code::S01, place, format!("this text is never closed: `{quotes}` is missing"));
                    let hint =
                        "a text in `\"` ends on its line; one of several lines stands between `\"\"\"` and `\"\"\"`";
                    piece.fault.get_or_insert(if long { fault } else { fault.hint(hint) });
                    self.recover(None);
                    return Some(piece);
                }
                _ => {}
            }
            piece.depth = piece.depth.max(nesting.depth());
            if let Some(limit) = resume.filter(|_| nesting.depth() > MAX_NESTING) {
                return Some(self.give_up(piece, &nesting, limit));
            }
            if nesting.depth() > MAX_NESTING && piece.fault.is_none() {
                let place = self.span(token.start, token.end);
                let message = format!("this is nested more than {MAX_NESTING} deep");
                piece.fault =
                    Some(Diagnostic::new(Code::E18, place, message).hint("give parts of it names with `let` or `def`"));
            }
            if piece.tokens > MAX_TOKENS && piece.fault.is_none() {
                let place =
                    self.span(start, self.text[start..].find(char::is_whitespace).map_or(token.end, |l| start + l));
                let message = format!("this statement has more than {MAX_TOKENS} words and marks");
                let hint = "declare an `input` and give its value in a JSON file, which may be of any size";
                piece.fault = Some(Diagnostic::new(Code::S01, place, message).hint(hint));
            }
            piece.end = token.end;
            before = self.advance();
        }
        if let (Some(limit), 1..) = (resume, nesting.brackets()) {
            return Some(self.give_up(piece, &nesting, limit));
        }
        if let Some(at) = nesting.innermost() {
            piece.fault = piece.fault.or(Some(self.never_closed(at, None)));
        }
        Some(piece)
    }
}
