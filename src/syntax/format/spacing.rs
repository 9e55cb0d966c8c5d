//! Where a space stands between two tokens on one line.

use crate::syntax::scan::{Shape, Token};

/// What an open bracket is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bracket {
    /// `graph { a-b }`: spaces inside, and none round `-`.
    Drawing,
    /// Everything else.
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
const SOFT: [&str; 12] =
    ["of", "again", "gain", "when", "as", "score", "grundy", "winning", "remoteness", "first", "second", "draw"];
/// Reserved words after which an operand follows.
const HARD: [&str; 27] = [
    "use", "input", "let", "def", "game", "solve", "table", "claim", "expect", "move", "theorem", "for", "in", "where",
    "with", "if", "then", "else", "and", "or", "not", "xor", "iff", "implies", "mod", "div", "misere",
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

    /// Whether an operand ends with this token.
    fn ends_operand(&self, index: usize) -> bool {
        let token = self.tokens[index];
        match token.shape {
            Shape::Word => !HARD.contains(&self.word(index)),
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
    pub(super) fn may_align(&self, index: usize) -> bool {
        let named = self.previous(index).and_then(|at| self.previous(at)).is_some_and(|at| self.word(at) == "move");
        named || matches!(self.word(index), "->" | "=" | "for" | "where" | "from" | "iff")
    }
}
