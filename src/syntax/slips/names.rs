//! Names that cannot be names, and names that are missing.

use crate::source::diagnostic::{Code, Diagnostic};
use crate::syntax::parse::Rule;
use crate::syntax::scan::Shape;
use crate::syntax::slips::{Context, is_reserved};

pub(super) fn explain(context: &Context) -> Option<Diagnostic> {
    nameless_move(context).or_else(|| game_name(context)).or_else(|| name(context))
}

/// `move k in 1..n -> ...`
fn nameless_move(context: &Context) -> Option<Diagnostic> {
    let back = [-1, -2].into_iter().find(|back| context.word(*back) == "move")?;
    if back == -2 && !matches!(context.word(0), "in" | "," | "=") {
        return None;
    }
    let clauses = if back == -2 { format!("{} {} ...", context.word(-1), context.word(0)) } else { String::new() };
    let error = Diagnostic::new(Code::E09, context.span(back, back), "this move has no name");
    let example = if clauses.is_empty() { "...".to_owned() } else { clauses };
    Some(
        error
            .label("a name belongs here")
            .hint(format!("every move has one: `move take {}`", example.replace(" , ", ", "))),
    )
}

/// `game nim(n)`
fn game_name(context: &Context) -> Option<Diagnostic> {
    if !context.expects(Rule::game_name) || context.expects_operand() {
        return None;
    }
    let word = context.word(0);
    let mut letters = word.chars();
    match letters.next() {
        Some(first) if first.is_ascii_lowercase() && context.shape(0) == Some(Shape::Word) => {
            let capital: String = first.to_ascii_uppercase().to_string() + letters.as_str();
            let error = context.error(Code::E07, "the name of a game starts with a capital letter");
            Some(error.hint(format!("write `{capital}`, here and wherever the game is meant")))
        }
        _ => Some(context.error(Code::S01, format!("the game's name is missing before {}", context.found()))),
    }
}

/// `let N = 3`, `game G(move)`
fn name(context: &Context) -> Option<Diagnostic> {
    let names = context.expects(Rule::name) || context.expects(Rule::pattern) || context.expects(Rule::param);
    let clauses = context.expects(Rule::clauses) && context.word(-1) == "for";
    let named = names || clauses || context.expects(Rule::decl);
    if !named || context.expects_operand() || context.shape(0) != Some(Shape::Word) {
        return None;
    }
    let word = context.word(0);
    if is_reserved(word) {
        let inside = context.token(0).is_some_and(|token| token.start < context.failure.end);
        if !inside || (word == "where" && !context.expects(Rule::name)) {
            return None;
        }
        let error = context.error(Code::E07, format!("`{word}` is a reserved word and cannot be a name"));
        return Some(
            error.hint(format!("choose another name, or put it in backquotes wherever it is meant: `` `{word}` ``")),
        );
    }
    if !word.starts_with(|first: char| first.is_ascii_uppercase()) {
        return None;
    }
    let error = context.error(Code::E07, format!("`{word}` starts with a capital letter, which only games do"));
    let small = word.to_ascii_lowercase();
    let small = if is_reserved(&small) { format!("{small}_") } else { small };
    let json = if context.word(-1) == "input" { "; the key may still be given in capitals from outside" } else { "" };
    Some(error.hint(format!("write `{small}`, here and wherever it is meant{json}")))
}
