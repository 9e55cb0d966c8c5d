//! What was understood of games, and the code their rules become, as text.

use crate::bytecode::Code;
use crate::model::{Ending, Field, Game, LogicOp, Program, Term, TermKind, TheoremSays};
use crate::report::paint::{bold, dim};
use crate::source::{Sources, Span};

/// Every game with its parameters, fields, lines and moves.
pub fn games(program: &Program, sources: &Sources) -> String {
    program.games.iter().map(|game| self::game(game, program, sources)).collect::<Vec<_>>().join("\n")
}

fn game(game: &Game, program: &Program, sources: &Sources) -> String {
    let slice = |span: Span| sources.one_line(span);
    let kind = if game.misere { "misere game" } else { "game" };
    let mut lines = vec![format!("{} {}", kind, bold(&game.name))];
    let mut line = |name: &str, text: String| lines.push(format!("  {name:<11} {text}"));
    for (name, fields) in [("parameter", &game.params), ("field", &game.fields)] {
        for field in fields {
            line(name, declared(field, &slice));
        }
    }
    if let Some(filter) = &game.filter {
        line("domain", slice(filter.span));
    }
    for end in &game.ends {
        let verdict = match &end.verdict {
            Ending::Over => "no moves here".to_string(),
            Ending::Play(who) => format!("the play is over: {}", crate::engines::outcome_word(*who)),
            Ending::Score(points) => format!("over with {} for the player to move", slice(points.span)),
        };
        line("end", format!("{}: {verdict}", condition(&end.when, &slice)));
    }
    if let Some([mover, other]) = &game.players {
        line("players", format!("{}, {}", slice(mover.span), slice(other.span)));
    }
    for drawn in &game.draws {
        line("draw", drawn.iter().map(|term| slice(term.span)).collect::<Vec<_>>().join(", "));
    }
    for legal in &game.legal {
        line("legal", slice(legal.span));
    }
    for same in &game.same {
        line("same as", format!("{} when {}", slice(same.position.span), slice(same.when.span)));
    }
    for one in &game.moves {
        let binders: Vec<&str> = one.binders.iter().map(|slot| game.frame.slots[*slot].name.as_str()).collect();
        let told = if binders.is_empty() { String::new() } else { format!(", told apart by {}", binders.join(", ")) };
        line("move", format!("{}{}", bold(&one.name), dim(&told)));
        line("", slice(one.span));
    }
    for theorem in &game.theorems {
        let what = match &theorem.says {
            TheoremSays::Value { .. } | TheoremSays::Verdict { .. } => slice(theorem.span),
            TheoremSays::Moves { name, .. } => format!("moves `{name}`: {}", slice(theorem.span)),
        };
        line("theorem", what);
    }
    let names = |ids: &[crate::model::GameId]| {
        ids.iter().map(|id| program.games[id.0].name.as_str()).collect::<Vec<_>>().join(", ")
    };
    if !game.successors.is_empty() {
        line("leads to", names(&game.successors));
    }
    if !game.asks.is_empty() {
        line("asks about", names(&game.asks));
    }
    lines.join("\n") + "\n"
}

/// A condition as it is written; of `end when C: if D then ..` both parts, which stand in different places.
fn condition(when: &Term, slice: &impl Fn(Span) -> String) -> String {
    match &when.kind {
        TermKind::Logic(LogicOp::And, first, second) if first.span.start < when.span.start => {
            format!("{} and {}", condition(first, slice), condition(second, slice))
        }
        _ => slice(when.span),
    }
}

fn declared(field: &Field, slice: &impl Fn(Span) -> String) -> String {
    let default = field.default.as_ref().map_or(String::new(), |term| format!(" = {}", slice(term.span)));
    let name = if field.name.starts_with('%') { slice(field.span) } else { field.name.clone() };
    format!("{name}: {}{default}", crate::typing::kind_words(&field.kind))
}

/// Code as a listing, each stretch under the part of the file that it comes from.
pub(crate) fn listing(code: &Code, sources: &Sources) -> String {
    let mut lines = vec![format!("  {} word registers, {} value registers", code.words, code.values)];
    let mut last = None;
    for (at, op) in code.ops.iter().enumerate() {
        let span = code.spans.get(at).copied().filter(|span| span.start < span.end);
        if let Some(span) = span.filter(|_| span != last) {
            let source: String = sources.one_line(span).chars().take(90).collect();
            lines.push(format!("        {}", dim(&format!("# {source}"))));
            last = Some(span);
        }
        lines.push(format!("  {at:4}  {}", instruction(&format!("{op:?}"))));
    }
    lines.join("\n") + "\n"
}

/// `Add { d: 3, a: 1, b: 2 }` as `Add d=3 a=1 b=2`; `Jump(7)` as `Jump 7`.
pub fn instruction(debug: &str) -> String {
    let (head, rest) = debug.split_at(debug.find([' ', '(']).unwrap_or(debug.len()));
    let rest = rest.trim().trim_start_matches(['{', '(']).trim_end_matches(['}', ')']);
    let parts: Vec<String> = rest.split(", ").map(|part| part.trim().replace(": ", "=")).collect();
    format!("{head:<14} {}", parts.join(" ")).trim_end().to_string()
}
