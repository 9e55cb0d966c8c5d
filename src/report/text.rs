//! Answers as text for people.

use crate::answer::{Answer, GrundyValue, Method, MoveAnswer, MoveList, Outcome};
use crate::engines::{Line, Played};
use crate::report::paint::{bold, dim, green, left, red, yellow};
use crate::report::{counted, duration, grouped};
use std::time::Duration;

/// An answer: the position, then one indented line for each thing known of it, then the moves.
pub fn answer(answer: &Answer, time: Duration) -> String {
    let mut lines = vec![bold(&answer.position)];
    let mut line = |name: &str, text: &str| lines.push(format!("  {name:<11} {text}"));
    line("outcome", &outcome(answer));
    match (&answer.grundy, &answer.score) {
        (Some(value), _) => line("Grundy", &grundy(value)),
        (None, Some(score)) => {
            let mover = answer.players.as_ref().map_or(String::new(), |[mover, _]| format!("{mover}, "));
            line("score", &format!("{score:+} for {mover}the player to move"));
        }
        (None, None) => {
            let why = answer.grundy_refused.as_deref().map_or("not worked out".into(), |why| format!("none: {why}"));
            line("Grundy", &dim(&why));
        }
    }
    if let Some(remoteness) = answer.remoteness {
        line("remoteness", &counted(remoteness, "move"));
    }
    let (kind, none) = if answer.score.is_some() { ("best", "no move") } else { ("winning", "none") };
    let unknown = answer.moves_refused.as_deref().map(|why| dim(&format!("not worked out: {why}")));
    if answer.winning.count > 0 || answer.outcome != Outcome::Draw || answer.score.is_some() {
        let told = unknown.clone().filter(|_| answer.outcome == Outcome::First);
        line(kind, &told.unwrap_or_else(|| count(&answer.winning, none)));
    }
    let long = long_parameters(&answer.position);
    let mut moves = listed(&answer.winning, &long);
    if answer.outcome == Outcome::Draw && answer.score.is_none() {
        let told = answer.drawing.as_ref().map(|drawing| count(drawing, "none")).or(unknown);
        lines.append(&mut moves);
        lines.push(format!("  {:<11} {}", "drawing", told.unwrap_or_default()));
        moves = answer.drawing.as_ref().map(|drawing| listed(drawing, &long)).unwrap_or_default();
    }
    lines.append(&mut moves);
    lines.push(format!("  {:<11} {}", "found", dim(&found(answer, time))));
    lines.join("\n") + "\n"
}

/// A line of play as a further line of an answer; each move with its player, where they have names.
pub fn line_of_play(line: &Line, players: Option<&[String; 2]>) -> String {
    let told = |played: &Played| match players {
        Some([first, second]) => format!("{}: {}", if played.by_first { first } else { second }, played.text),
        None => played.text.clone(),
    };
    let mut all: Vec<String> = line.moves.iter().map(told).collect();
    all.extend(line.cut.then(|| "..".to_string()).filter(|_| !line.moves.is_empty()));
    let none = if line.cut { "not worked out" } else { "none" };
    format!("  {:<11} {}\n", "line", if all.is_empty() { none.into() } else { all.join(", ") })
}

/// An answer in one line: `Nim(3) + Nim(5): first, Grundy 6, 1 winning move`.
pub fn line(answer: &Answer) -> String {
    let mut parts = vec![crate::engines::outcome_word(answer.outcome).to_string()];
    parts.extend(answer.players.as_ref().and_then(|[mover, other]| match answer.outcome {
        Outcome::First => Some(format!("{mover} wins")),
        Outcome::Second => Some(format!("{other} wins")),
        Outcome::Draw => None,
    }));
    parts.extend(answer.grundy.as_ref().map(|value| format!("Grundy {}", grundy(value))));
    parts.extend(answer.score.as_ref().map(|score| format!("score {score:+}")));
    parts.extend(answer.remoteness.map(|remoteness| format!("remoteness {remoteness}")));
    if answer.outcome == Outcome::First && answer.moves_refused.is_none() {
        parts.push(counted(answer.winning.count, if answer.score.is_some() { "best move" } else { "winning move" }));
    }
    format!("{}: {}", answer.position, parts.join(", "))
}

fn outcome(answer: &Answer) -> String {
    if let (Some([mover, other]), Outcome::First | Outcome::Second) = (&answer.players, answer.outcome) {
        return match answer.outcome {
            Outcome::First => green(&format!("first: {mover}, the player to move, wins")),
            _ => red(&format!("second: {mover}, the player to move, loses to {other}")),
        };
    }
    match answer.outcome {
        Outcome::First => green("first: the player to move wins"),
        Outcome::Second => red("second: the player to move loses"),
        Outcome::Draw if answer.score.is_some() => yellow("draw: the points are even"),
        Outcome::Draw => yellow("draw: nobody can force a win"),
    }
}

/// A Grundy value as it is written.
pub fn grundy(value: &GrundyValue) -> String {
    match value {
        GrundyValue::Nimber(n) => n.to_string(),
        GrundyValue::Large(n) => n.to_string(),
        GrundyValue::Loop(values) => {
            let values: Vec<String> = values.iter().map(u64::to_string).collect();
            format!("loop({})", values.join(", "))
        }
    }
}

fn count(list: &MoveList, none: &str) -> String {
    if list.count == 0 { none.into() } else { counted(list.count, "move") }
}

/// Rule parameters in a position that are too long to be written again and again: each with what stands for it.
fn long_parameters(position: &str) -> Vec<(String, String)> {
    /// Shorter ones are simply written.
    const SHORT: usize = 24;
    let mut found: Vec<(String, String)> = Vec::new();
    let mut rest = position;
    while let Some(at) = rest.find('[') {
        let game = rest[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
        let length = bracket(&rest[at..]);
        if game && length > SHORT {
            let whole = &rest[at..at + length];
            if found.iter().all(|(known, _)| known != whole) {
                found.push((whole.into(), "[..]".into()));
            }
            rest = &rest[at + length..];
        } else {
            rest = &rest[at + 1..];
        }
    }
    // Different parameters must not look alike.
    if found.len() == 1 { found } else { Vec::new() }
}

/// How long the bracketed text at the beginning is; brackets in quotes do not count.
fn bracket(text: &str) -> usize {
    let (mut depth, mut quoted) = (0_i32, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '[' if !quoted => depth += 1,
            ']' if !quoted => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + c.len_utf8();
        }
    }
    text.len()
}

/// A position, or a move of one, without long rule parameters.
pub fn shortened(text: &str) -> String {
    long_parameters(text).iter().fold(text.to_string(), |text, (whole, short)| text.replace(whole, short))
}

fn listed(list: &MoveList, long: &[(String, String)]) -> Vec<String> {
    let short = |text: &str| long.iter().fold(text.to_string(), |text, (whole, short)| text.replace(whole, short));
    let rows: Vec<(&MoveAnswer, String, String)> = list
        .listed
        .iter()
        .map(|one| (one, one.within.as_deref().map_or(String::new(), short), short(&one.to)))
        .collect();
    let name = rows.iter().map(|(one, ..)| one.text.chars().count()).max().unwrap_or(0);
    let within = rows.iter().map(|(_, within, _)| within.chars().count()).max().unwrap_or(0);
    let line = |(one, place, to): &(&MoveAnswer, String, String)| {
        let place = if one.component.is_some() { format!("  in {}", left(place, within)) } else { String::new() };
        format!("    {}{place}  -> {to}", left(&one.text, name))
    };
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    let more = list.count.saturating_sub(list.listed.len() as u64);
    if more > 0 && list.far {
        lines.push(dim(&format!("    and {} more, counted and not looked at", grouped(more))));
    } else if more > 0 && !list.listed.is_empty() {
        lines.push(dim(&format!("    and {} more: `--moves {}` lists them all", grouped(more), list.count)));
    }
    lines
}

fn found(answer: &Answer, time: Duration) -> String {
    let how = match answer.method {
        Method::Theorem => "by a theorem of the file",
        Method::Components => "components solved apart",
        Method::Search => "by search",
        Method::Retrograde => "by retrograde analysis",
    };
    let searched =
        if answer.positions == 0 { "nothing searched".into() } else { counted(answer.positions, "position") };
    format!("{how}; {searched}; {}", duration(time))
}
