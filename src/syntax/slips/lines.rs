//! Slips in the make-up of statements and of the lines of a game.

use crate::source::diagnostic::{Code, Diagnostic};
use crate::syntax::parse::Rule;
use crate::syntax::scan::Shape;
use crate::syntax::slips::Context;
use crate::syntax::split::span;

pub(super) fn explain(context: &Context) -> Option<Diagnostic> {
    statement_start(context)
        .or_else(|| ending(context))
        .or_else(|| same(context))
        .or_else(|| with(context))
        .or_else(|| target(context))
        .or_else(|| line_start(context))
        .or_else(|| clause(context))
        .or_else(|| theorem(context))
        .or_else(|| typed(context))
}

/// A text that begins with no keyword, or goes on without one.
fn statement_start(context: &Context) -> Option<Diagnostic> {
    if context.index != 0 || !(context.expects(Rule::k_solve) || context.expects(Rule::statement)) {
        return None;
    }
    let word = context.word(0);
    let begin = "a statement begins with `use`, `input`, `let`, `def`, `game`, `solve`, `table`, `claim` or `expect`";
    let hint = match word {
        "move" | "theorem" | "end" | "legal" | "same" => "it stands inside a game: `game G(n) { ... }`".to_owned(),
        _ if word.starts_with(|first: char| first.is_ascii_uppercase()) => {
            format!("to ask who wins, write `solve {word}...`")
        }
        _ if context.word(1) == "=" => format!("to name a value, write `let {word} = ...`"),
        _ => begin.to_owned(),
    };
    Some(context.error(Code::S01, format!("{} begins no statement", context.found())).hint(hint))
}

/// `end when n == 0: lose`
fn ending(context: &Context) -> Option<Diagnostic> {
    if !context.expects(Rule::verdict) {
        return None;
    }
    let word = match context.word(0) {
        "lose" | "loses" | "loss" => "lost",
        "win" | "wins" => "won",
        "draw" | "draws" => "drawn",
        _ => {
            let error = context
                .error(Code::S01, format!("expected `lost`, `won`, `drawn` or `score E`, found {}", context.found()));
            return Some(
                error.hint("it is said of the player to move; `end when C` alone means that there are no moves here"),
            );
        }
    };
    let error = context.error(Code::S01, format!("`{}` is said of a mover; nobody moves here", context.word(0)));
    let hint =
        format!("write `{word}`: after `end when C:` stands `lost`, `won` or `drawn`, said of the player to move");
    Some(error.label(format!("`{word}` is meant")).hint(hint))
}

/// `same as P` without `when C`
fn same(context: &Context) -> Option<Diagnostic> {
    if !context.expects(Rule::w_when) {
        return None;
    }
    let back = (0..context.index)
        .rev()
        .find(|index| matches!(context.tokens[*index].text(context.failure.text), "same" | "end" | "legal"))?;
    let token = context.tokens[back];
    let word = token.text(context.failure.text);
    let place = span(context.failure.source, token.start, context.tokens[context.index - 1].end);
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

/// `with` where none may stand
fn with(context: &Context) -> Option<Diagnostic> {
    if context.word(0) != "with" || context.expects(Rule::k_with) || context.expects_operand() {
        return None;
    }
    if context.expects(Rule::w_gain) || context.expects(Rule::arrow) {
        let error = context.error(Code::S01, "a move has no `with`");
        let hint = "name the value among the clauses, before it is used: `move take m = min(n, 3), k in 1..m -> ...`";
        return Some(error.hint(hint));
    }
    let error = context.error(Code::S01, "`with` cannot stand here");
    Some(error.hint("it ends a `def`, `let`, `theorem` or `claim`; elsewhere name the value with `let`"))
}

/// A move that leads nowhere
fn target(context: &Context) -> Option<Diagnostic> {
    let names = |index: &usize| context.tokens[*index].text(context.failure.text) == "move";
    let missing = context.expects(Rule::arrow) && (ends_line(context) || context.token(0).is_none());
    let nothing = context.word(-1) == "->" && context.expects(Rule::target);
    if !(missing || nothing) {
        return None;
    }
    let back = (0..context.index).rev().find(names)?;
    let name = context.tokens.get(back + 1)?;
    let place = span(context.failure.source, context.tokens[back].start, context.tokens[context.index - 1].end);
    let error =
        Diagnostic::new(Code::S01, place, format!("the move `{}` leads nowhere", name.text(context.failure.text)));
    Some(
        error.label("`-> TARGET` is missing").hint("end it with `-> POSITION`, or with `-> win`, `-> lose`, `-> draw`"),
    )
}

/// Whether the failing token closes the game or begins its next line.
fn ends_line(context: &Context) -> bool {
    let next = context.word(1);
    match context.word(0) {
        "}" | "move" | "theorem" | "let" | "def" => true,
        "end" | "legal" => next == "when",
        "same" => next == "as",
        _ => false,
    }
}

/// A line of a game that begins with no known word
fn line_start(context: &Context) -> Option<Diagnostic> {
    if !context.expects(Rule::k_move) || !context.expects(Rule::w_legal) || context.shape(0) != Some(Shape::Word) {
        return None;
    }
    let word = context.word(0);
    if matches!(word, "use" | "input" | "game" | "solve" | "table" | "claim" | "expect") {
        return Some(
            context.error(Code::S01, format!("`{word}` stands outside games")).hint("put it after the `}` of this one"),
        );
    }
    if context.expects_operator() && !matches!(context.word(-1), "{" | ")") && crate::syntax::slips::is_reserved(word) {
        return None;
    }
    if word == "gain" || matches!(word, "lost" | "won" | "drawn") {
        return None;
    }
    let error = context.error(Code::S01, format!("`{word}` begins no line of a game"));
    Some(error.hint("a line begins with `move`, `end when`, `legal when`, `same as`, `theorem`, `let` or `def`"))
}

/// `input n nat`
fn typed(context: &Context) -> Option<Diagnostic> {
    let word = context.word(0);
    let kind = matches!(word, "int" | "nat" | "bool" | "text" | "list" | "set" | "bag" | "graph" | "digraph" | "grid");
    (kind && context.expects(Rule::colon)).then(|| {
        let error = context.error(Code::S01, format!("`:` is missing before the type `{word}`"));
        error.hint(format!("write `{}: {word}`", context.word(-1)))
    })
}

/// Clause lists: patterns without brackets, arguments after a comprehension, `where` without `for`
fn clause(context: &Context) -> Option<Diagnostic> {
    if context.word(-1) == "where" && context.expects_operand() {
        let error = Diagnostic::new(Code::S01, context.span(-1, -1), "the condition after `where` is missing");
        return Some(error.label(format!("followed by {}", context.found())));
    }
    if context.word(0) == "=" && context.expects(Rule::k_in) && !context.expects_operator() && context.word(-2) == "," {
        let error = Diagnostic::new(Code::S01, context.span(-3, -1), "several names before `=` need brackets");
        return Some(error.hint(format!("write `({}, {}) = ...`", context.word(-3), context.word(-1))));
    }
    if context.word(0) == "where" && context.expects(Rule::k_for) {
        let open = context.open_bracket().and_then(|index| context.tokens.get(index.checked_sub(1)?));
        let name = open.map_or("", |token| token.text(context.failure.text));
        let error = context.error(Code::S01, "`where` needs a `for` before it");
        return Some(match name {
            "count" => error.hint("write `count(CONDITION for i in S)`, which counts how often the condition holds"),
            _ => error.hint("write `E for x in S where C`"),
        });
    }
    let in_list = context.expects(Rule::k_where)
        && (context.expects(Rule::name) || context.expects(Rule::pattern))
        && context.word(-1) == ",";
    let bare = context.word(-2) == "," && context.expects(Rule::k_in) && context.shape(0) == Some(Shape::Close);
    if !(in_list || bare) {
        return None;
    }
    let offset = if in_list { 0 } else { -1 };
    let error =
        Diagnostic::new(Code::S01, context.span(offset, offset), format!("`{}` is no clause", context.word(offset)));
    let open = context.open_bracket()?;
    let hint = if context.tokens[open].text(context.failure.text) == "(" {
        "nothing may follow a comprehension in a call; make a list of it: `max([E for x in xs] + [0])`"
    } else {
        "a clause is `x in S`, `x = E` or `where C`"
    };
    Some(error.label("after `for` stand clauses only").hint(hint))
}

/// `theorem wins = ...`, `theorem grundy iff ...`
fn theorem(context: &Context) -> Option<Diagnostic> {
    let word = context.word(-1);
    if context.expects(Rule::k_iff) && matches!(word, "wins" | "loses" | "draws") && !context.expects_operator() {
        let error = context.error(Code::S01, format!("expected `iff` after `{word}`, found {}", context.found()));
        return Some(error.hint(format!("write `theorem {word} iff C`")));
    }
    if context.expects(Rule::eq) && context.word(-2) == "theorem" {
        let error = context.error(Code::S01, format!("expected `=` after `{word}`, found {}", context.found()));
        return Some(error.hint(format!("write `theorem {word} = E`")));
    }
    None
}
