//! What to say when a statement does not parse: common slips first, then what was expected.

use crate::source::{Code, Diagnostic, SourceId, Span};
use crate::syntax::habits;
use crate::syntax::parse::Rule;
use crate::syntax::scan::{Scan, Shape, Token, is_reserved, span};

/// Where the parser could not go on, and what it would have taken.
pub(super) struct Failure<'a> {
    pub(super) text: &'a str,
    source: SourceId,
    end: usize,
    /// The statement's tokens, and the first one after it if there is one.
    pub(super) tokens: Vec<Token>,
    /// Which token could not be read; `tokens.len()` at the end of the text.
    pub(super) index: usize,
    expected: Vec<Rule>,
}

/// The slips that have a message of their own, the most certain first.
const SLIPS: [fn(&Failure) -> Option<Diagnostic>; 18] = [
    habits::of,
    equals,
    naming,
    word,
    choice,
    missing,
    side_by_side,
    nameless_move,
    game_name,
    name,
    statement_start,
    ending,
    same,
    target,
    line_start,
    clause,
    theorem,
    typed,
];

impl<'a> Failure<'a> {
    /// The failure at a byte of the text, inside the statement from `start` to `end`.
    pub(super) fn new(
        text: &'a str,
        source: SourceId,
        (start, end): (usize, usize),
        at: usize,
        expected: Vec<Rule>,
    ) -> Self {
        let mut tokens = Vec::new();
        for token in Scan::new(text, start).filter(|token| token.shape != Shape::Comment) {
            tokens.push(token);
            if token.start >= end {
                break;
            }
        }
        let index = tokens.iter().position(|token| token.end > at).unwrap_or(tokens.len());
        Failure { text, source, end, tokens, index, expected }
    }

    /// The message: S01, or E07, E08, E09 for the slips of those names.
    pub(super) fn explain(&self) -> Diagnostic {
        SLIPS.iter().find_map(|slip| slip(self)).unwrap_or_else(|| unexpected(self))
    }

    /// The words of the token so many places from the failure, or nothing outside the statement.
    pub(super) fn word(&self, offset: isize) -> &'a str {
        self.token(offset).map_or("", |token| token.text(self.text))
    }

    /// Whether the token so many places from the failure stands first in a line.
    pub(super) fn begins_line(&self, offset: isize) -> bool {
        self.token(offset).is_some_and(|token| {
            let before = self.text.get(..token.start).unwrap_or("").trim_end_matches([' ', '\t']);
            before.ends_with('\n') || before.is_empty()
        })
    }

    pub(super) fn token(&self, offset: isize) -> Option<Token> {
        self.tokens.get(self.index.checked_add_signed(offset)?).copied()
    }

    pub(super) fn shape(&self, offset: isize) -> Option<Shape> {
        self.token(offset).map(|token| token.shape)
    }

    pub(super) fn expects(&self, rule: Rule) -> bool {
        self.expected.contains(&rule)
    }

    pub(super) fn expects_operand(&self) -> bool {
        self.expects(Rule::expr) || self.expects(Rule::term) || self.expects(Rule::value) || self.expects(Rule::logic)
    }

    pub(super) fn expects_operator(&self) -> bool {
        self.expects(Rule::arith_op) || self.expects(Rule::logic_op)
    }

    /// The place of the tokens from one offset to another, both included.
    pub(super) fn span(&self, from: isize, to: isize) -> Span {
        let end = self.text.len();
        let from = self.token(from).map_or(self.end, |token| token.start);
        let to = self.token(to).map_or(end.min(self.end), |token| token.end);
        span(self.source, from.min(to), to)
    }

    /// The last of these words before the failure, and the place from there up to it.
    pub(super) fn back_to(&self, words: &[&str]) -> Option<(usize, Span)> {
        let back = self.tokens[..self.index].iter().rposition(|token| words.contains(&token.text(self.text)))?;
        Some((back, span(self.source, self.tokens[back].start, self.tokens[self.index - 1].end)))
    }

    /// How the failing token is called.
    pub(super) fn found(&self) -> String {
        match self.token(0) {
            None => "the end of the text".to_owned(),
            Some(token) if token.start >= self.end => {
                format!("the next statement, `{}`", shorten(self.word(0)))
            }
            Some(_) => match self.invisible() {
                Some(number) => format!("an invisible character, U+{number:04X},"),
                None => format!("`{}`", shorten(self.word(0))),
            },
        }
    }

    /// The number of the character at the failure, where nobody sees it: blanks but the usual ones, and marks without width.
    pub(super) fn invisible(&self) -> Option<u32> {
        let mut all = self.word(0).chars();
        let (first, rest) = (all.next()?, all.next());
        let unseen = matches!(first, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}');
        (rest.is_none() && (unseen || first.is_whitespace())).then(|| u32::from(first))
    }

    /// The innermost bracket open at the failure, as an index into the tokens.
    pub(super) fn open_bracket(&self) -> Option<usize> {
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

    /// An error at the failing token, or at the end of the text.
    pub(super) fn error(&self, message: impl Into<String>) -> Diagnostic {
        self.error_at(0, 0, message)
    }

    /// An error at the tokens from one offset to another.
    pub(super) fn error_at(&self, from: isize, to: isize, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Code::S01, self.span(from, to), message)
    }

    /// The error with the code of a slip that has one.
    fn error_as(&self, code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code, ..self.error(message) }
    }
}

/// At most 40 characters of a word, on one line.
pub(super) fn shorten(word: &str) -> String {
    let line = word.lines().next().unwrap_or("");
    let short: String = line.chars().take(40).collect();
    if short.len() < word.len() { format!("{short}...") } else { short }
}

/// `=` for `==`, and the other way round
fn equals(failure: &Failure) -> Option<Diagnostic> {
    if failure.word(0) == "=" && (failure.expects(Rule::set_op) || failure.expects(Rule::update)) {
        let error = failure.error_as(Code::E08, "`=` names a value, `:=` changes one place of a list");
        return Some(error.label("`:=` or `==` is meant").hint("write `xs[i := e]` for the changed list"));
    }
    if failure.word(0) == "=" && failure.expects_operator() && !failure.expects(Rule::eq) {
        let error = failure.error_as(Code::E08, "`=` names a value, `==` compares");
        return Some(error.label("`==` is meant").hint("write `==`"));
    }
    if failure.word(0) == "==" && failure.expects(Rule::eq) {
        return Some(
            failure.error_as(Code::E08, "`==` compares, `=` names a value").label("`=` is meant").hint("write `=`"),
        );
    }
    None
}

/// Words that stand only in certain places
fn word(failure: &Failure) -> Option<Diagnostic> {
    let operand = failure.expects_operand();
    match failure.word(0) {
        "let" if operand && !matches!(failure.word(-1), "->") && !failure.begins_line(0) => {
            let error = failure.error("`let` cannot stand inside an expression");
            Some(error.hint("name the value behind it: `def f(n) = m + 1 with m = n`"))
        }
        "misere" if operand || failure.expects(Rule::neg) => {
            let error = failure.error("`misere` is said of a whole sum, before its first part");
            Some(error.hint("write `misere P + Q`: then the whole sum is played misere"))
        }
        "gain" if failure.expects_operator() && !failure.expects(Rule::w_gain) => {
            let error = failure.error("`gain` may only follow the target of a move");
            Some(error.hint("write `move take ... -> P gain E`"))
        }
        _ if failure.word(-1) == "again" && failure.expects_operator() && !failure.expects(Rule::w_gain) => {
            let error = failure.error_at(-1, -1, "`again` may only stand before the target of a move");
            Some(error.hint("write `move take ... -> again P`"))
        }
        "if" if operand || failure.expects(Rule::neg) => {
            let error = failure.error("an `if` inside a longer expression needs brackets");
            Some(error.hint("write `(if C then A else B)`"))
        }
        "for" if failure.expects(Rule::k_then) || failure.expects(Rule::k_else) => choice(failure),
        "for" if failure.expects_operator() && !failure.expects(Rule::k_for) => {
            let error = failure.error("`for` cannot stand here");
            if failure.tokens.first().is_some_and(|token| token.text(failure.text) == "solve") {
                return Some(
                    error.hint("`solve` asks about one position; for many write `table outcome(P) for n in 0..9`"),
                );
            }
            Some(error.hint("a comprehension stands in brackets: `[E for x in xs]`, `sum(E for x in xs)`"))
        }
        _ => None,
    }
}

/// `if` without `then` or `else`
fn choice(failure: &Failure) -> Option<Diagnostic> {
    let word = if failure.expects(Rule::k_then) {
        "then"
    } else if failure.expects(Rule::k_else) {
        "else"
    } else {
        return None;
    };
    let error = failure.error(format!("expected `{word}`, found {}", failure.found()));
    Some(error.hint("an `if` has three parts: `if C then A else B`"))
}

fn missing(failure: &Failure) -> Option<Diagnostic> {
    if !(failure.expects_operand() || failure.expects(Rule::neg) || failure.expects(Rule::arith)) {
        return None;
    }
    let before = failure.word(-1);
    let word = failure.word(0);
    if failure.shape(0) == Some(Shape::Number) && word.contains(|char: char| !char.is_ascii_digit() && char != '_') {
        let error = failure.error(format!("`{}` is neither a number nor a name", shorten(word)));
        return Some(error.hint("multiplication is written out, `2 * n`, and names begin with a letter"));
    }
    if before.is_empty() || failure.shape(-1) == Some(Shape::Open) || before == "->" || before == "where" {
        return None;
    }
    let error = failure.error_at(-1, -1, format!("an expression is missing after `{before}`"));
    Some(error.label(format!("followed by {}", failure.found())))
}

/// `1 2`
fn side_by_side(failure: &Failure) -> Option<Diagnostic> {
    let begins = match failure.shape(0)? {
        Shape::Number | Shape::Text | Shape::Quoted | Shape::Open => true,
        Shape::Word => !is_reserved(failure.word(0)),
        _ => false,
    };
    let inside = failure.token(0).is_some_and(|token| token.start < failure.end);
    let wanted = failure.expects(Rule::arrow) || failure.expects(Rule::k_move) || failure.expects(Rule::w_when);
    if !begins || !inside || !failure.expects_operator() || wanted || failure.index == 0 {
        return None;
    }
    if failure.expects(Rule::colon) {
        return Some(failure.error(format!("`:` is missing before `{}`", shorten(failure.word(0)))));
    }
    let error = failure.error(format!("`{}` cannot follow an expression", shorten(failure.word(0))));
    let hint = match failure.shape(-1) {
        Some(Shape::Number) if failure.shape(0) != Some(Shape::Number) => "multiplication is written out: `2 * n`",
        _ => "an operator or a comma is missing between the two",
    };
    Some(error.label("a second expression begins here").hint(hint))
}

/// `move k in 1..n -> ...`
fn nameless_move(failure: &Failure) -> Option<Diagnostic> {
    let back = [-1, -2].into_iter().find(|back| failure.word(*back) == "move")?;
    if back == -2 && !matches!(failure.word(0), "in" | "," | "=") {
        return None;
    }
    let clauses = if back == -2 { format!("{} {} ...", failure.word(-1), failure.word(0)) } else { String::new() };
    let error = Diagnostic::new(Code::E09, failure.span(back, back), "this move has no name");
    if failure.word(0) == "," {
        let hint = format!("every move has one, and no comma behind it: `move {} ...`", failure.word(-1));
        return Some(error.label("a name belongs here").hint(hint));
    }
    let example = if clauses.is_empty() { "...".to_owned() } else { clauses };
    Some(
        error
            .label("a name belongs here")
            .hint(format!("every move has one: `move take {}`", example.replace(" , ", ", "))),
    )
}

/// `game nim(n)`
fn game_name(failure: &Failure) -> Option<Diagnostic> {
    if !failure.expects(Rule::game_name) || failure.expects_operand() {
        return None;
    }
    let word = failure.word(0);
    let mut letters = word.chars();
    match letters.next() {
        Some(first) if first.is_ascii_lowercase() && failure.shape(0) == Some(Shape::Word) => {
            let capital: String = first.to_ascii_uppercase().to_string() + letters.as_str();
            let error = failure.error_as(Code::E07, "the name of a game starts with a capital letter");
            Some(error.hint(format!("write `{capital}`, here and wherever the game is meant")))
        }
        _ => Some(failure.error(format!("the game's name is missing before {}", failure.found()))),
    }
}

/// `let N = 3`, `game G(move)`
fn name(failure: &Failure) -> Option<Diagnostic> {
    let names = failure.expects(Rule::name) || failure.expects(Rule::pattern) || failure.expects(Rule::param);
    let clauses = failure.expects(Rule::clauses) && failure.word(-1) == "for";
    let named = names || clauses || failure.expects(Rule::decl);
    if !named || failure.expects_operand() || failure.shape(0) != Some(Shape::Word) {
        return None;
    }
    let word = failure.word(0);
    if is_reserved(word) {
        let inside = failure.token(0).is_some_and(|token| token.start < failure.end);
        if !inside || (word == "where" && !failure.expects(Rule::name)) {
            return None;
        }
        let error = failure.error_as(Code::E07, format!("`{word}` is a reserved word and cannot be a name"));
        return Some(
            error.hint(format!("choose another name, or put it in backquotes wherever it is meant: `` `{word}` ``")),
        );
    }
    if !word.starts_with(|first: char| first.is_ascii_uppercase()) {
        return None;
    }
    let error = failure.error_as(Code::E07, format!("`{word}` starts with a capital letter, which only games do"));
    let small = word.to_ascii_lowercase();
    let small = if is_reserved(&small) { format!("{small}_") } else { small };
    let json = if failure.word(-1) == "input" { "; the key may still be given in capitals from outside" } else { "" };
    Some(error.hint(format!("write `{small}`, here and wherever it is meant{json}")))
}

/// A text that begins with no keyword, or goes on without one.
fn statement_start(failure: &Failure) -> Option<Diagnostic> {
    if failure.index != 0 || !(failure.expects(Rule::k_solve) || failure.expects(Rule::statement)) {
        return None;
    }
    let word = failure.word(0);
    let begin = "a statement begins with `use`, `input`, `let`, `def`, `game`, `solve`, `table`, `claim` or `expect`";
    let hint = match word {
        "move" | "theorem" | "end" | "legal" | "same" => "it stands inside a game: `game G(n) { ... }`".to_owned(),
        _ if word.starts_with(|first: char| first.is_ascii_uppercase()) => {
            format!("to ask who wins, write `solve {word}...`")
        }
        _ if failure.word(1) == "=" => format!("to name a value, write `let {word} = ...`"),
        _ => begin.to_owned(),
    };
    Some(failure.error(format!("{} begins no statement", failure.found())).hint(hint))
}

/// `end when n == 0: lose`
fn ending(failure: &Failure) -> Option<Diagnostic> {
    if !failure.expects(Rule::verdict) && !failure.expects(Rule::end_verdict) {
        return None;
    }
    let word = match failure.word(0) {
        "lose" | "loses" | "loss" | "second" => "lost",
        "win" | "wins" | "first" => "won",
        "draw" | "draws" => "drawn",
        _ => {
            let error =
                failure.error(format!("expected `lost`, `won`, `drawn` or `score E`, found {}", failure.found()));
            return Some(
                error.hint("it is said of the player to move; `if D then lost else won` chooses; `end when C` alone means that there are no moves here"),
            );
        }
    };
    let error = failure.error(format!("`{}` is said of a mover; nobody moves here", failure.word(0)));
    let hint =
        format!("write `{word}`: after `end when C:` stands `lost`, `won` or `drawn`, said of the player to move");
    Some(error.label(format!("`{word}` is meant")).hint(hint))
}

/// `same as P` without `when C`
fn same(failure: &Failure) -> Option<Diagnostic> {
    if !failure.expects(Rule::w_when) {
        return None;
    }
    let (back, place) = failure.back_to(&["same", "end", "legal"])?;
    let word = failure.tokens[back].text(failure.text);
    if word == "same" {
        let error = Diagnostic::new(Code::S01, place, "`same as` has no condition");
        return Some(
            error.label("`when C` is missing").hint("write `same as P when C`; `when true` for every position"),
        );
    }
    Some(
        Diagnostic::new(Code::S01, place, format!("`when` is missing after `{word}`"))
            .hint(format!("write `{word} when C`")),
    )
}

/// `with` or `let` where none may stand
fn naming(failure: &Failure) -> Option<Diagnostic> {
    let word = failure.word(0);
    let clauses = failure.expects(Rule::w_gain) || failure.expects(Rule::arrow);
    let in_move = match word {
        "with" if failure.expects(Rule::k_with) || failure.expects_operand() => return None,
        "with" => clauses,
        "let" if goes_on(failure) => {
            let line = failure.back_to(&["move", "let", "def", "theorem", "end", "legal", "same"]);
            line.is_some_and(|(back, _)| failure.tokens[back].text(failure.text) == "move")
        }
        _ => return None,
    };
    if in_move {
        let error = failure.error(format!("a move has no `{word}`"));
        let hint = "name the value among the clauses, before it is used: `move take m = min(n, 3), k in 1..m -> ...`";
        return Some(error.hint(hint));
    }
    if word == "let" {
        return None;
    }
    let error = failure.error("`with` cannot stand here");
    Some(error.hint("it ends a `def`, `let`, `theorem` or `claim`; elsewhere name the value with `let`"))
}

/// Whether the failing token stands in the line of the one before it.
fn goes_on(failure: &Failure) -> bool {
    let (before, token) = (failure.token(-1), failure.token(0));
    let between = before.zip(token).and_then(|(before, token)| failure.text.get(before.end..token.start));
    between.is_some_and(|between| !between.contains('\n'))
}

/// A move that leads nowhere
fn target(failure: &Failure) -> Option<Diagnostic> {
    let missing = failure.expects(Rule::arrow) && (ends_line(failure) || failure.token(0).is_none());
    let nothing = failure.word(-1) == "->" && failure.expects(Rule::target);
    if !(missing || nothing) {
        return None;
    }
    let (back, place) = failure.back_to(&["move"])?;
    let name = failure.tokens.get(back + 1)?;
    let error = Diagnostic::new(Code::S01, place, format!("the move `{}` leads nowhere", name.text(failure.text)));
    Some(
        error.label("`-> TARGET` is missing").hint("end it with `-> POSITION`, or with `-> win`, `-> lose`, `-> draw`"),
    )
}

/// Whether the failing token closes the game or begins its next line.
fn ends_line(failure: &Failure) -> bool {
    let next = failure.word(1);
    match failure.word(0) {
        "}" | "move" | "theorem" | "let" | "def" => true,
        "end" | "legal" => next == "when",
        "same" => next == "as",
        _ => false,
    }
}

/// A line of a game that begins with no known word
fn line_start(failure: &Failure) -> Option<Diagnostic> {
    if !failure.expects(Rule::k_move) || !failure.expects(Rule::w_legal) || failure.shape(0) != Some(Shape::Word) {
        return None;
    }
    let word = failure.word(0);
    if matches!(word, "use" | "input" | "game" | "solve" | "table" | "claim" | "expect") {
        return Some(failure.error(format!("`{word}` stands outside games")).hint("put it after the `}` of this one"));
    }
    if failure.expects_operator() && !matches!(failure.word(-1), "{" | ")") && is_reserved(word) {
        return None;
    }
    if word == "gain" || matches!(word, "lost" | "won" | "drawn") {
        return None;
    }
    let error = failure.error(format!("`{word}` begins no line of a game"));
    Some(error.hint(
        "a line begins with `move`, `end when`, `legal when`, `same as`, `players`, `draw`, `theorem`, `let` or `def`",
    ))
}

/// `input n nat`, `n: 0..7`, `n: 5`, `def f(x): 5`
fn typed(failure: &Failure) -> Option<Diagnostic> {
    let wants_type = [Rule::kind, Rule::kind_word].iter().any(|rule| failure.expects(*rule));
    if wants_type && failure.shape(0) == Some(Shape::Number) {
        let number = failure.word(0);
        let error = failure.error(format!("expected a type, found `{number}`"));
        return Some(if failure.word(1).starts_with("..") {
            error.hint("a range is no type: write `nat`, and what holds of all positions in the header: `game G(n: nat) where n <= 7`")
        } else if failure.word(-1) != ":" {
            error
        } else if failure.shape(-2) == Some(Shape::Close) {
            error.hint(format!("what a definition is worth stands behind `=`: `= {number}`"))
        } else {
            error.hint(format!("a default stands behind `=`: `{} = {number}`", failure.word(-2)))
        });
    }
    let word = failure.word(0);
    let kind = matches!(word, "int" | "nat" | "bool" | "text" | "list" | "set" | "bag" | "graph" | "digraph" | "grid");
    (kind && failure.expects(Rule::colon)).then(|| {
        let error = failure.error(format!("`:` is missing before the type `{word}`"));
        error.hint(format!("write `{}: {word}`", failure.word(-1)))
    })
}

/// Clause lists: patterns without brackets, arguments after a comprehension, `where` without `for`
fn clause(failure: &Failure) -> Option<Diagnostic> {
    if failure.word(-1) == "where" && failure.expects_operand() {
        let error = failure.error_at(-1, -1, "the condition after `where` is missing");
        return Some(error.label(format!("followed by {}", failure.found())));
    }
    if failure.word(0) == "=" && failure.expects(Rule::k_in) && !failure.expects_operator() && failure.word(-2) == "," {
        let error = failure.error_at(-3, -1, "several names before `=` need brackets");
        return Some(error.hint(format!("write `({}, {}) = ...`", failure.word(-3), failure.word(-1))));
    }
    if failure.word(0) == "where" && failure.expects(Rule::k_for) {
        let open = failure.open_bracket().and_then(|index| failure.tokens.get(index.checked_sub(1)?));
        let name = open.map_or("", |token| token.text(failure.text));
        let error = failure.error("`where` needs a `for` before it");
        return Some(match name {
            "count" => error.hint("write `count(CONDITION for i in S)`, which counts how often the condition holds"),
            _ => error.hint("write `E for x in S where C`"),
        });
    }
    let in_list = failure.expects(Rule::k_where)
        && (failure.expects(Rule::name) || failure.expects(Rule::pattern))
        && failure.word(-1) == ",";
    let bare = failure.word(-2) == "," && failure.expects(Rule::k_in) && failure.shape(0) == Some(Shape::Close);
    if !(in_list || bare) {
        return None;
    }
    let offset = if in_list { 0 } else { -1 };
    let error = failure.error_at(offset, offset, format!("`{}` is no clause", failure.word(offset)));
    let open = failure.open_bracket()?;
    let hint = if failure.tokens[open].text(failure.text) == "(" {
        "nothing may follow a comprehension in a call; make a list of it: `f([E for x in xs], k)`, `max([E for x in xs] + [0])`"
    } else {
        "a clause is `x in S`, `x = E` or `where C`"
    };
    Some(error.label("after `for` stand clauses only").hint(hint))
}

/// `theorem wins = ...`, `theorem grundy iff ...`
fn theorem(failure: &Failure) -> Option<Diagnostic> {
    let word = failure.word(-1);
    if failure.expects(Rule::k_iff) && matches!(word, "wins" | "loses" | "draws") && !failure.expects_operator() {
        let error = failure.error(format!("expected `iff` after `{word}`, found {}", failure.found()));
        return Some(error.hint(format!("write `theorem {word} iff C`")));
    }
    if failure.expects(Rule::eq) && failure.word(-2) == "theorem" {
        let error = failure.error(format!("expected `=` after `{word}`, found {}", failure.found()));
        return Some(error.hint(format!("write `theorem {word} = E`")));
    }
    None
}

/// Where no slip fits: what could have stood there, in the words of the language.
fn unexpected(failure: &Failure) -> Diagnostic {
    let mut words: Vec<String> = Vec::new();
    for expected in &failure.expected {
        // Where an operator fits, brackets fit too; that need not be told.
        let after_operand = matches!(expected, Rule::call | Rule::index) && failure.expects_operator();
        let word = expectation(*expected).filter(|word| !after_operand && !words.contains(word));
        words.extend(word);
    }
    let error = failure.error(format!("expected {}, found {}", list(&words), failure.found()));
    if failure.expected.contains(&Rule::fact) {
        return error
            .hint("write `expect P: first grundy 2`, with `first`, `second`, `draw`, `grundy N`, `score N`, ...");
    }
    let first = failure.tokens.first().map_or("", |token| token.text(failure.text));
    match first {
        "claim" if failure.index == 1 => error.hint("a claim has a title: `claim \"title\" for n in nat: C`"),
        "use" if failure.index == 1 => error.hint("write `use \"nim\"`"),
        "table" if failure.expects(Rule::k_for) => error.hint("a table has clauses: `table E for n in 0..100`"),
        _ if failure.expects(Rule::arrow) => error.hint("`->` and the target follow the clauses of a move"),
        _ => error,
    }
}

/// `a`, `a or b`, `a, b or c`
fn list(words: &[String]) -> String {
    match words {
        [] => "something else".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// How the language calls what a rule of the grammar reads; nothing for what need not be told.
#[allow(clippy::match_same_arms)] // one arm a word, in the order of the grammar
fn expectation(rule: Rule) -> Option<String> {
    let words = match rule {
        Rule::EOI => "the end of the statement",
        Rule::name | Rule::word | Rule::pattern | Rule::param | Rule::decl => "a name",
        Rule::game_name => "the name of a game",
        Rule::move_name => "the name of a move",
        Rule::number => "a number",
        Rule::text => "a text in `\"`",
        Rule::expr
        | Rule::term
        | Rule::neg
        | Rule::value
        | Rule::logic
        | Rule::arith
        | Rule::choice
        | Rule::primary => "an expression",
        Rule::unit | Rule::comparison | Rule::place | Rule::group | Rule::list | Rule::set => "an expression",
        Rule::logic_op | Rule::cmp_op | Rule::arith_op => "an operator",
        Rule::set_op | Rule::update => "`:=`, `+=` or `-=`",
        Rule::kind | Rule::kind_word | Rule::tuple_kind => "a type",
        Rule::clauses | Rule::binder | Rule::naming => "a clause",
        Rule::filter | Rule::k_where => "`where`",
        Rule::tail | Rule::k_for => "`for`",
        Rule::with | Rule::k_with => "`with`",
        Rule::target | Rule::go | Rule::stop | Rule::target_if => "the target of the move",
        Rule::fact | Rule::result | Rule::measure => "a fact",
        Rule::end_verdict | Rule::ending_if | Rule::verdict => "`lost`, `won`, `drawn` or `score E`",
        Rule::part | Rule::turns | Rule::w_line => "an input",
        Rule::w_until => "`until`",
        Rule::k_cases => "`cases`",
        Rule::label => "a vertex",
        Rule::chain => "an edge",
        Rule::edge => "an edge, `-` or `->`",
        Rule::comma => "`,`",
        Rule::colon => "`:`",
        Rule::lp | Rule::fields | Rule::arg | Rule::call => "`(`",
        Rule::rp => "`)`",
        Rule::lb | Rule::index | Rule::rule_params | Rule::rule_args => "`[`",
        Rule::rb => "`]`",
        Rule::lc => "`{`",
        Rule::rc => "`}`",
        Rule::statement => "a statement",
        Rule::arrow => "`->`",
        Rule::eq => "`=`",
        Rule::range => "`..`",
        Rule::w_end => "`end when`",
        Rule::w_legal => "`legal when`",
        Rule::w_same => "`same as`",
        Rule::theorem_value | Rule::theorem_verdict | Rule::theorem_moves | Rule::theorem_which | Rule::theorem_to => {
            "what the theorem is about (`grundy`, `outcome`, `wins`, `loses`, `winning`, ...)"
        }
        // Words between and before operands go without saying, as do those that may always be left out.
        Rule::k_and | Rule::k_or | Rule::k_not | Rule::k_xor | Rule::k_implies | Rule::k_mod | Rule::k_div => {
            return None;
        }
        Rule::k_true | Rule::w_to | Rule::w_again => return None,
        // The rules of other keywords are called after them.
        keyword => {
            let name = format!("{keyword:?}");
            return name.strip_prefix("k_").or(name.strip_prefix("w_")).map(|word| format!("`{word}`"));
        }
    };
    Some(words.to_owned())
}
