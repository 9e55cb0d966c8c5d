//! Slips inside expressions, many of them habits from other languages.

use crate::source::diagnostic::{Code, Diagnostic};
use crate::syntax::parse::Rule;
use crate::syntax::scan::Shape;
use crate::syntax::slips::{Context, is_reserved};

pub(super) fn explain(context: &Context) -> Option<Diagnostic> {
    fraction(context)
        .or_else(|| foreign(context))
        .or_else(|| equals(context))
        .or_else(|| word(context))
        .or_else(|| choice(context))
        .or_else(|| missing(context))
        .or_else(|| side_by_side(context))
}

/// `1.5`
fn fraction(context: &Context) -> Option<Diagnostic> {
    // The parser stops at the point, or inside `.5`.
    if context.word(0) != "." || context.shape(-1) != Some(Shape::Number) || context.shape(1) != Some(Shape::Number) {
        return None;
    }
    let (whole, part) = (context.word(-1), context.word(1));
    let error = Diagnostic::new(Code::S01, context.span(-1, 1), format!("`{whole}.{part}`: numbers are whole"));
    if whole.len() + part.len() > 15 {
        return Some(error.hint("`/` is exact: write a fraction as `a / b`"));
    }
    let digits = format!("{whole}{part}");
    let digits = digits.trim_start_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    Some(error.hint(format!("`/` is exact: write `{digits} / 1{}`", "0".repeat(part.len()))))
}

/// Marks of other languages
fn foreign(context: &Context) -> Option<Diagnostic> {
    let next = context.word(1);
    let touching = context.token(0).zip(context.token(1)).is_some_and(|(first, second)| first.end == second.start);
    let (length, instead) = match context.word(0) {
        "&" if context.word(-1) == "&" => return Some(instead_of(context, -1, 0, "&&", "`and`")),
        "|" if next == "|" => (1, "`or`"),
        "|" => (0, "`+` for the union of sets, `or` between conditions"),
        "!" => (0, "`not`"),
        "%" => (0, "`mod`"),
        "^" => (0, "`**` for a power, `xor` for the nim-sum"),
        ";" => (0, "nothing: statements and clauses need no `;`"),
        "?" => (0, "`if C then A else B`"),
        "'" => (0, "`\"...\"` for a text"),
        "/" if context.word(-1) == "/" => {
            return Some(instead_of(context, -1, 0, "//", "`div` to divide, `#` for a comment"));
        }
        ">" if touching && context.word(-1) == "=" => {
            return Some(instead_of(context, -1, 0, "=>", "`->`, `>=` or `implies`"));
        }
        ">" if context.word(-1) == "<" => return Some(instead_of(context, -1, 0, "<>", "`!=`")),
        "=" if touching && next == ">" => (1, "`->`, `>=` or `implies`"),
        "≤" => (0, "`<=`"),
        "≥" => (0, "`>=`"),
        "≠" => (0, "`!=`"),
        "∈" => (0, "`in`"),
        "⊕" => (0, "`xor`"),
        "→" => (0, "`->`"),
        "−" | "–" => (0, "`-`"),
        "·" | "×" => (0, "`*`"),
        "elif" | "elsif" | "elseif" => (0, "`else if`"),
        _ => return None,
    };
    let to = if touching { length } else { 0 };
    let mark = if to == 1 { format!("{}{next}", context.word(0)) } else { context.word(0).to_owned() };
    Some(instead_of(context, 0, to, &mark, instead))
}

fn instead_of(context: &Context, from: isize, to: isize, mark: &str, instead: &str) -> Diagnostic {
    let error = Diagnostic::new(Code::S01, context.span(from, to), format!("`{mark}` means nothing here"));
    error.hint(format!("write {instead}"))
}

/// `=` for `==`, and the other way round
fn equals(context: &Context) -> Option<Diagnostic> {
    if context.word(0) == "=" && (context.expects(Rule::set_op) || context.expects(Rule::update)) {
        let error = context.error(Code::E08, "`=` names a value, `:=` changes one place of a list");
        return Some(error.label("`:=` or `==` is meant").hint("write `xs[i := e]` for the changed list"));
    }
    if context.word(0) == "=" && context.expects_operator() && !context.expects(Rule::eq) {
        let error = context.error(Code::E08, "`=` names a value, `==` compares");
        return Some(error.label("`==` is meant").hint("write `==`"));
    }
    if context.word(0) == "==" && context.expects(Rule::eq) {
        return Some(
            context.error(Code::E08, "`==` compares, `=` names a value").label("`=` is meant").hint("write `=`"),
        );
    }
    None
}

/// Words that stand only in certain places
fn word(context: &Context) -> Option<Diagnostic> {
    let operand = context.expects_operand();
    match context.word(0) {
        "let" if operand && !matches!(context.word(-1), "->") && !begins_afresh(context) => {
            let error = context.error(Code::S01, "`let` cannot stand inside an expression");
            Some(error.hint("name the value behind it: `def f(n) = m + 1 with m = n`"))
        }
        "misere" if operand || context.expects(Rule::neg) => {
            let error = context.error(Code::S01, "`misere` is said of a whole sum, before its first part");
            Some(error.hint("write `misere P + Q`: then the whole sum is played misere"))
        }
        "gain" if context.expects_operator() && !context.expects(Rule::w_gain) => {
            let error = context.error(Code::S01, "`gain` may only follow the target of a move");
            Some(error.hint("write `move take ... -> P gain E`"))
        }
        _ if context.word(-1) == "again" && context.expects_operator() && !context.expects(Rule::w_gain) => {
            let error =
                Diagnostic::new(Code::S01, context.span(-1, -1), "`again` may only stand before the target of a move");
            Some(error.hint("write `move take ... -> again P`"))
        }
        "if" if operand || context.expects(Rule::neg) => {
            let error = context.error(Code::S01, "an `if` inside a longer expression needs brackets");
            Some(error.hint("write `(if C then A else B)`"))
        }
        "for" if context.expects_operator() && !context.expects(Rule::k_for) => {
            let error = context.error(Code::S01, "`for` cannot stand here");
            if context.tokens.first().is_some_and(|token| token.text(context.failure.text) == "solve") {
                return Some(
                    error.hint("`solve` asks about one position; for many write `table outcome(P) for n in 0..9`"),
                );
            }
            Some(error.hint("a comprehension stands in brackets: `[E for x in xs]`, `sum(E for x in xs)`"))
        }
        _ => None,
    }
}

/// Whether the failing `let` begins a statement on a line of its own, so that something else is missing before it.
fn begins_afresh(context: &Context) -> bool {
    context.token(0).is_some_and(|token| {
        let before = context.failure.text.get(..token.start).unwrap_or("");
        before.ends_with('\n') || before.is_empty()
    })
}

/// `if` without `then` or `else`
fn choice(context: &Context) -> Option<Diagnostic> {
    let word = if context.expects(Rule::k_then) {
        "then"
    } else if context.expects(Rule::k_else) {
        "else"
    } else {
        return None;
    };
    let error = context.error(Code::S01, format!("expected `{word}`, found {}", context.found()));
    Some(error.hint("an `if` has three parts: `if C then A else B`"))
}

/// An operand that is not there
fn missing(context: &Context) -> Option<Diagnostic> {
    if !(context.expects_operand() || context.expects(Rule::neg) || context.expects(Rule::arith)) {
        return None;
    }
    let before = context.word(-1);
    let word = context.word(0);
    if context.shape(0) == Some(Shape::Number) && word.contains(|char: char| !char.is_ascii_digit() && char != '_') {
        let error = context
            .error(Code::S01, format!("`{}` is neither a number nor a name", crate::syntax::slips::shorten(word)));
        return Some(error.hint("multiplication is written out, `2 * n`, and names begin with a letter"));
    }
    if before.is_empty() || context.shape(-1) == Some(Shape::Open) || before == "->" || before == "where" {
        return None;
    }
    let error = Diagnostic::new(Code::S01, context.span(-1, -1), format!("an expression is missing after `{before}`"));
    Some(error.label(format!("followed by {}", context.found())))
}

/// `1 2`
fn side_by_side(context: &Context) -> Option<Diagnostic> {
    let begins = match context.shape(0)? {
        Shape::Number | Shape::Text | Shape::Quoted | Shape::Open => true,
        Shape::Word => !is_reserved(context.word(0)),
        _ => false,
    };
    let inside = context.token(0).is_some_and(|token| token.start < context.failure.end);
    let wanted = context.expects(Rule::arrow) || context.expects(Rule::k_move) || context.expects(Rule::w_when);
    if !begins || !inside || !context.expects_operator() || wanted || context.index == 0 {
        return None;
    }
    if context.expects(Rule::colon) {
        return Some(
            context.error(
                Code::S01,
                format!("`:` is missing before `{}`", crate::syntax::slips::shorten(context.word(0))),
            ),
        );
    }
    let error = context
        .error(Code::S01, format!("`{}` cannot follow an expression", crate::syntax::slips::shorten(context.word(0))));
    let hint = match context.shape(-1) {
        Some(Shape::Number) if context.shape(0) != Some(Shape::Number) => "multiplication is written out: `2 * n`",
        _ => "an operator or a comma is missing between the two",
    };
    Some(error.label("a second expression begins here").hint(hint))
}
