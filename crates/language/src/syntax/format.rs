//! The canonical layout of a file: canonical spaces, one statement and one line of a game per line, two spaces of
//! indentation; the line breaks inside a statement are the writer's. Tokens and comments are only moved, never changed.

use crate::source::{Diagnostic, SourceId, Sources, Span};
use crate::syntax::parse::parse_file;
use crate::syntax::scan::{Scan, Shape, Token, is_reserved};
use crate::syntax::tree::{Item, Rule};
use std::collections::HashSet;

/// How far lines of a game, and at least all further lines of a statement, are indented.
const INDENT: usize = 2;

/// The text in canonical layout, which has the same tokens and comments and so the same tree. Doing it twice changes
/// nothing more. Linear in the text. Errors: those of [`parse_file`]: only files that parse are laid out.
pub fn format(sources: &Sources, id: SourceId) -> Result<String, Vec<Diagnostic>> {
    let file = parse_file(sources, id)?;
    let text = sources.get(id).text.as_str();
    let tokens: Vec<Token> = Scan::new(text, 0).collect();
    let starts = Starts::of(&file.items, &tokens, text);
    let mut layout = Layout {
        text,
        tokens: &tokens,
        starts: &starts,
        out: String::with_capacity(text.len()),
        base: 0,
        origin: 0,
        column: 0,
        line: 0,
        read: 0,
        followed: None,
    };
    let laid = layout.run();
    // Meaning goes above layout: a slip in the rules of spacing must never change a file.
    if same_tokens(text, &tokens, &laid) { Ok(laid) } else { Ok(text.to_owned()) }
}

/// Whether a text consists of these tokens, space at the end of comments apart.
fn same_tokens(text: &str, tokens: &[Token], laid: &str) -> bool {
    let new = Scan::new(laid, 0).map(|token| token.text(laid).trim_end());
    new.eq(tokens.iter().map(|token| token.text(text).trim_end()))
}

/// Where lines must begin, as byte offsets into the text.
#[derive(Default)]
struct Starts {
    statements: HashSet<usize>,
    rules: HashSet<usize>,
    /// The brackets round the lines of a game.
    opens: HashSet<usize>,
    closes: HashSet<usize>,
}

impl Starts {
    fn of(items: &[Item], tokens: &[Token], text: &str) -> Starts {
        let mut starts = Starts::default();
        for item in items {
            let span = place(item);
            starts.statements.insert(span.start as usize);
            let Item::Game(game) = item else { continue };
            for rule in &game.rules {
                let span = line_place(rule);
                starts.rules.insert(span.start as usize);
            }
            let close = span.end as usize - 1;
            starts.closes.insert(close);
            starts.opens.extend(opening(tokens, text, close));
        }
        starts
    }
}

fn place(item: &Item) -> Span {
    match item {
        Item::Use { span, .. }
        | Item::Input { span, .. }
        | Item::Solve { span, .. }
        | Item::Table { span, .. }
        | Item::Print { span, .. }
        | Item::Cases { span, .. } => *span,
        Item::Format(item) => item.span,
        Item::Let(item) => item.span,
        Item::Def(item) => item.span,
        Item::Game(item) => item.span,
        Item::Claim(item) => item.span,
        Item::Expect(item) => item.span,
        Item::Given { value, .. } => value.span,
    }
}

fn line_place(rule: &Rule) -> Span {
    match rule {
        Rule::End { span, .. }
        | Rule::Legal { span, .. }
        | Rule::Same { span, .. }
        | Rule::Players { span, .. }
        | Rule::Draw { span, .. } => *span,
        Rule::Move(rule) => rule.span,
        Rule::Theorem(rule) => rule.span,
        Rule::Let(rule) => rule.span,
        Rule::Def(rule) => rule.span,
    }
}

/// The bracket that the bracket at `close` closes.
fn opening(tokens: &[Token], text: &str, close: usize) -> Option<usize> {
    let last = tokens.partition_point(|token| token.start < close);
    let mut depth = 0_usize;
    for token in tokens.get(..=last)?.iter().rev() {
        match token.shape {
            Shape::Close => depth += 1,
            Shape::Open => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return (token.text(text) == "{").then_some(token.start);
                }
            }
            _ => {}
        }
    }
    None
}

struct Layout<'a> {
    text: &'a str,
    tokens: &'a [Token],
    starts: &'a Starts,
    out: String,
    /// The indentation of the current statement or line of a game, new and old.
    base: usize,
    origin: usize,
    /// The indentation of the source line that has been reached, where that line begins, and what was read for it.
    column: usize,
    line: usize,
    read: usize,
    /// The first token after each run of comments, for the run that has been reached.
    followed: Option<usize>,
}

impl Layout<'_> {
    fn run(&mut self) -> String {
        let mut spacing = Spacing::new(self.text, self.tokens);
        let mut inside = false;
        for (index, token) in self.tokens.iter().enumerate() {
            let space = spacing.before(index);
            let begins = self.begins(token.start);
            self.reach(index);
            if let Some(indent) = begins {
                self.base = indent;
                self.origin = self.column;
            }
            let lines = self.lines_before(index);
            let previous = index.checked_sub(1).and_then(|before| self.tokens.get(before));
            let opened = previous.is_some_and(|previous| self.starts.opens.contains(&previous.start));
            let closes = self.starts.closes.contains(&token.start);
            let opens = self.starts.opens.contains(&token.start);
            let after_comment = previous.is_some_and(|previous| previous.shape == Shape::Comment);
            let ended = previous.is_some_and(|previous| self.starts.closes.contains(&previous.start));
            if previous.is_none() {
                self.indent(self.own_indent(index, begins, inside));
            } else if closes && opened {
                // an empty game: `{}`
            } else if (begins.is_some() || closes || lines > 0 || opened && token.shape != Shape::Comment)
                && (!opens || after_comment)
            {
                let blank = lines > 1 && !opened && !closes;
                self.out.push_str(if blank { "\n\n" } else { "\n" });
                self.indent(self.own_indent(index, begins, inside));
            } else if token.shape == Shape::Comment {
                let wide = self.spaces_before(token.start).max(2);
                self.indent(wide);
            } else if space || ended {
                let kept = if spacing.may_align(index) { self.spaces_before(token.start).max(1) } else { 1 };
                self.indent(kept);
            }
            self.out.push_str(token.text(self.text).trim_end());
            inside = (inside || opens) && !closes;
        }
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        std::mem::take(&mut self.out)
    }

    /// The indentation of what begins at `at`, if a line must.
    fn begins(&self, at: usize) -> Option<usize> {
        if self.starts.statements.contains(&at) || self.starts.closes.contains(&at) {
            Some(0)
        } else if self.starts.rules.contains(&at) {
            Some(INDENT)
        } else {
            None
        }
    }

    /// The indentation of a line that begins with this token.
    fn own_indent(&self, index: usize, begins: Option<usize>, inside: bool) -> usize {
        if let Some(indent) = begins {
            return indent;
        }
        let token = self.tokens[index];
        if token.shape == Shape::Comment {
            // A comment goes with what follows it.
            match self
                .followed
                .and_then(|next| self.tokens.get(next))
                .map(|next| (self.begins(next.start), self.starts.closes.contains(&next.start)))
            {
                None => return 0,
                Some((Some(_), true)) if inside => return INDENT,
                Some((Some(indent), _)) => return indent,
                _ => {}
            }
        }
        self.base + self.column.saturating_sub(self.origin).max(INDENT)
    }

    /// Goes on to a token; every byte is looked at once.
    fn reach(&mut self, index: usize) {
        let token = self.tokens[index];
        if let Some(newline) = self.text[self.read..token.start].rfind('\n') {
            self.line = self.read + newline + 1;
            let spaces = self.text[self.line..].bytes().take_while(|byte| matches!(byte, b' ' | b'\t'));
            self.column = spaces.count();
        }
        self.read = token.start;
        if token.shape == Shape::Comment && self.followed.is_none_or(|next| next < index) {
            let run = self.tokens[index..].iter().take_while(|token| token.shape == Shape::Comment);
            self.followed = Some(index + run.count());
        }
    }

    fn lines_before(&self, index: usize) -> usize {
        let from = index.checked_sub(1).and_then(|before| self.tokens.get(before)).map_or(0, |token| token.end);
        self.text[from..self.tokens[index].start].bytes().filter(|byte| *byte == b'\n').count()
    }

    fn spaces_before(&self, at: usize) -> usize {
        self.text[..at].bytes().rev().take_while(|byte| *byte == b' ').count()
    }

    fn indent(&mut self, spaces: usize) {
        self.out.extend(std::iter::repeat_n(' ', spaces));
    }
}

/// What an open bracket is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    /// `graph { a-b }`: spaces inside, and none round `-`.
    Drawing,
    Other,
}

/// Goes through the tokens once, from first to last.
pub(super) struct Spacing<'a> {
    text: &'a str,
    tokens: &'a [Token],
    open: Vec<Bracket>,
    /// Whether the token before was a minus with nothing before it.
    unary: bool,
    /// Whether the bracket closed or opened last was a drawing's.
    drawn: bool,
}

/// Words that are keywords in one place and names in another: what follows them keeps its space, if it has one.
const SOFT: [&str; 13] = [
    "of",
    "again",
    "gain",
    "when",
    "as",
    "score",
    "grundy",
    "winning",
    "remoteness",
    "first",
    "second",
    "draw",
    "players",
];

impl<'a> Spacing<'a> {
    pub(super) fn new(text: &'a str, tokens: &'a [Token]) -> Self {
        Spacing { text, tokens, open: Vec::new(), unary: false, drawn: false }
    }

    fn word(&self, index: usize) -> &'a str {
        self.tokens.get(index).map_or("", |token| token.text(self.text))
    }

    /// The token before, comments left out.
    fn previous(&self, index: usize) -> Option<usize> {
        (0..index).rev().find(|at| self.tokens[*at].shape != Shape::Comment)
    }

    fn ends_operand(&self, index: usize) -> bool {
        let token = self.tokens[index];
        match token.shape {
            Shape::Word => !is_reserved(self.word(index)) || matches!(self.word(index), "true" | "false"),
            Shape::Quoted | Shape::Number | Shape::Text | Shape::Close => true,
            _ => false,
        }
    }

    /// Whether the writer left space before this token.
    fn apart(&self, index: usize) -> bool {
        index.checked_sub(1).is_some_and(|before| self.tokens[before].end < self.tokens[index].start)
    }

    /// Whether a space stands before this token, if no line break does. To be called once for each token in order.
    pub(super) fn before(&mut self, index: usize) -> bool {
        let was_unary = std::mem::take(&mut self.unary);
        let shape = self.tokens[index].shape;
        let word = self.word(index);
        if shape == Shape::Comment {
            self.unary = was_unary;
            return true;
        }
        let previous = self.previous(index);
        let in_drawing = self.open.last() == Some(&Bracket::Drawing);
        let space = match previous {
            None => false,
            Some(previous) => !was_unary && self.between(previous, index, in_drawing),
        };
        match shape {
            Shape::Open => {
                let drawing = word == "{" && previous.is_some_and(|at| self.draws(at));
                self.open.push(if drawing { Bracket::Drawing } else { Bracket::Other });
                self.drawn = drawing;
            }
            Shape::Close => self.drawn = self.open.pop() == Some(Bracket::Drawing),
            Shape::Mark if word == "-" && !in_drawing => {
                let operand = previous.is_some_and(|at| self.ends_operand(at));
                let soft = previous.is_some_and(|at| SOFT.contains(&self.word(at)));
                self.unary = !operand || soft && self.apart(index) && !self.apart(index + 1);
            }
            _ => {}
        }
        space
    }

    /// Whether a `{` after this token begins a drawing.
    fn draws(&self, at: usize) -> bool {
        let graph = matches!(self.word(at), "graph" | "digraph" | "multigraph");
        graph && !self.previous(at).is_some_and(|before| self.ends_operand(before))
    }

    fn between(&self, previous: usize, index: usize, in_drawing: bool) -> bool {
        let (before, word) = (self.word(previous), self.word(index));
        match self.tokens[index].shape {
            Shape::Close => {
                let empty = self.tokens[previous].shape == Shape::Open;
                return in_drawing && !empty;
            }
            Shape::Mark if matches!(word, "," | ":" | "..") => return false,
            Shape::Mark if word == "-" && in_drawing => return false,
            Shape::Open if word != "{" && self.tokens[previous].shape != Shape::Open => {
                return self.opens_apart(previous, index);
            }
            _ => {}
        }
        match self.tokens[previous].shape {
            Shape::Open => before == "{" && self.drawn && in_drawing,
            Shape::Mark => !(before == ".." || before == "-" && in_drawing),
            _ => true,
        }
    }

    /// Whether a `(` or `[` stands apart from the token before it: not if it calls or indexes that.
    fn opens_apart(&self, previous: usize, index: usize) -> bool {
        let before = self.word(previous);
        let earlier = self.previous(previous);
        let is_name_of_move = earlier.is_some_and(|at| self.word(at) == "move" && self.tokens[at].shape == Shape::Word);
        if is_name_of_move {
            return true;
        }
        if self.tokens[previous].shape == Shape::Word && SOFT.contains(&before) {
            return self.apart(index);
        }
        if before == "xor" {
            // `xor(h for h in heaps)` folds, `a xor (b + c)` joins.
            return earlier.is_some_and(|at| self.ends_operand(at));
        }
        match self.tokens[previous].shape {
            Shape::Mark => before != "..",
            _ => !self.ends_operand(previous),
        }
    }

    /// Whether the writer may put more than one space before this token, to align lines.
    fn may_align(&self, index: usize) -> bool {
        let named = self.previous(index).and_then(|at| self.previous(at)).is_some_and(|at| self.word(at) == "move");
        named || matches!(self.word(index), "->" | "=" | "for" | "where" | "from" | "iff")
    }
}
