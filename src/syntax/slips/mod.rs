//! What to say when a statement does not parse: common slips first, then what was expected.

mod expected;
mod expressions;
mod lines;
mod names;

use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::{SourceId, Span};
use crate::syntax::parse::Rule;
use crate::syntax::scan::{Scan, Shape, Token};
use crate::syntax::split::span;

/// Where the parser could not go on, and what it would have taken.
pub(super) struct Failure<'a> {
    pub(super) text: &'a str,
    pub(super) source: SourceId,
    /// The statement's stretch of the text.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) at: usize,
    pub(super) expected: Vec<Rule>,
}

/// A failure with the tokens round it.
struct Context<'a> {
    failure: &'a Failure<'a>,
    /// The statement's tokens, and the first one after it if there is one.
    tokens: Vec<Token>,
    /// Which token could not be read; `tokens.len()` at the end of the text.
    index: usize,
}

/// The message for a failure: S01, or E07, E08, E09 for the slips of those names.
pub(super) fn explain(failure: &Failure) -> Diagnostic {
    let mut tokens = Vec::new();
    for token in Scan::new(failure.text, failure.start).filter(|token| token.shape != Shape::Comment) {
        tokens.push(token);
        if token.start >= failure.end {
            break;
        }
    }
    let index = tokens.iter().position(|token| token.end > failure.at).unwrap_or(tokens.len());
    let context = Context { failure, tokens, index };
    let slips = [expressions::explain, names::explain, lines::explain];
    slips.iter().find_map(|slip| slip(&context)).unwrap_or_else(|| expected::explain(&context))
}

impl<'a> Context<'a> {
    /// The words of the token so many places from the failure, or nothing outside the statement.
    fn word(&self, offset: isize) -> &'a str {
        self.token(offset).map_or("", |token| token.text(self.failure.text))
    }

    fn token(&self, offset: isize) -> Option<Token> {
        self.tokens.get(self.index.checked_add_signed(offset)?).copied()
    }

    fn shape(&self, offset: isize) -> Option<Shape> {
        self.token(offset).map(|token| token.shape)
    }

    fn expects(&self, rule: Rule) -> bool {
        self.failure.expected.contains(&rule)
    }

    /// Whether an expression could have begun here.
    fn expects_operand(&self) -> bool {
        self.expects(Rule::expr) || self.expects(Rule::term) || self.expects(Rule::value) || self.expects(Rule::logic)
    }

    /// Whether an expression could have gone on here.
    fn expects_operator(&self) -> bool {
        self.expects(Rule::arith_op) || self.expects(Rule::logic_op)
    }

    /// The place of the tokens from one offset to another, both included.
    fn span(&self, from: isize, to: isize) -> Span {
        let end = self.failure.text.len();
        let from = self.token(from).map_or(self.failure.end, |token| token.start);
        let to = self.token(to).map_or(end.min(self.failure.end), |token| token.end);
        span(self.failure.source, from.min(to), to)
    }

    /// The failing token's place; the last one's end when the text has ended.
    fn here(&self) -> Span {
        self.span(0, 0)
    }

    /// How the failing token is called.
    fn found(&self) -> String {
        match self.token(0) {
            None => "the end of the text".to_owned(),
            Some(token) if token.start >= self.failure.end => {
                format!("the next statement, `{}`", shorten(self.word(0)))
            }
            Some(_) => format!("`{}`", shorten(self.word(0))),
        }
    }

    /// The innermost bracket open at the failure, as an index into the tokens.
    fn open_bracket(&self) -> Option<usize> {
        let mut open = Vec::new();
        for (index, token) in self.tokens.iter().enumerate().take(self.index) {
            match token.shape {
                Shape::Open => open.push(index),
                Shape::Close => drop(open.pop()),
                _ => {}
            }
        }
        open.pop()
    }

    /// An error at the failing token.
    fn error(&self, code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, self.here(), message)
    }
}

/// At most 40 characters of a word, on one line.
fn shorten(word: &str) -> String {
    let line = word.lines().next().unwrap_or("");
    let short: String = line.chars().take(40).collect();
    if short.len() < word.len() { format!("{short}...") } else { short }
}

/// The words that are never names.
const RESERVED: [&str; 29] = [
    "use", "input", "let", "def", "game", "solve", "table", "claim", "expect", "move", "theorem", "for", "in", "where",
    "with", "if", "then", "else", "and", "or", "not", "xor", "iff", "implies", "mod", "div", "true", "false", "misere",
];

fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}
