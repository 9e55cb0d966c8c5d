//! Answers as text for people.

use crate::answer::{Answer, GrundyValue, Method, MoveAnswer, MoveList, Outcome};
use crate::report::paint::{bold, dim, green, red, yellow};
use crate::report::{counted, duration, grouped};
use std::time::Duration;

/// An answer: the position, then one indented line for each thing known of it, then the moves.
#[must_use]
pub fn answer(answer: &Answer, time: Duration) -> String {
    let mut lines = vec![bold(&answer.position)];
    let mut line = |name: &str, text: &str| lines.push(format!("  {name:<11} {text}"));
    line("outcome", &outcome(answer));
    match (&answer.grundy, answer.score) {
        (Some(value), _) => line("Grundy", &grundy(value)),
        (None, Some(score)) => line("score", &format!("{score:+} for the player to move")),
        (None, None) => {
            let why = answer.grundy_refused.as_deref().map_or("not worked out".into(), |why| format!("none: {why}"));
            line("Grundy", &dim(&why));
        }
    }
    if let Some(remoteness) = answer.remoteness {
        line("remoteness", &counted(remoteness, "move"));
    }
    let (kind, none) = if answer.score.is_some() { ("best", "no move") } else { ("winning", "none") };
    if answer.winning.count > 0 || answer.drawing.is_none() {
        line(kind, &count(&answer.winning, none));
    }
    let mut moves = listed(&answer.winning);
    if let Some(drawing) = &answer.drawing {
        lines.append(&mut moves);
        lines.push(format!("  {:<11} {}", "drawing", count(drawing, "none")));
        moves = listed(drawing);
    }
    lines.append(&mut moves);
    lines.push(format!("  {:<11} {}", "found", dim(&found(answer, time))));
    lines.join("\n") + "\n"
}

fn outcome(answer: &Answer) -> String {
    match answer.outcome {
        Outcome::First => green("first: the player to move wins"),
        Outcome::Second => red("second: the player to move loses"),
        Outcome::Draw if answer.score.is_some() => yellow("draw: the points are even"),
        Outcome::Draw => yellow("draw: nobody can force a win"),
    }
}

fn grundy(value: &GrundyValue) -> String {
    match value {
        GrundyValue::Nimber(n) => n.to_string(),
        GrundyValue::Loop(values) => {
            let values: Vec<String> = values.iter().map(u64::to_string).collect();
            format!("loop({})", values.join(", "))
        }
    }
}

fn count(list: &MoveList, none: &str) -> String {
    if list.count == 0 { none.into() } else { counted(list.count, "move") }
}

/// The moves, their parts under each other.
fn listed(list: &MoveList) -> Vec<String> {
    let width = |text: fn(&MoveAnswer) -> &str| list.listed.iter().map(|m| text(m).chars().count()).max().unwrap_or(0);
    let name = width(|one| &one.text);
    let within = width(|one| one.within.as_deref().unwrap_or(""));
    let line = |one: &MoveAnswer| {
        let place = match (&one.within, one.component) {
            (Some(text), Some(_)) => format!("  in {text:<within$}"),
            _ => String::new(),
        };
        format!("    {:<name$}{place}  -> {}", one.text, one.to)
    };
    let mut lines: Vec<String> = list.listed.iter().map(line).collect();
    let more = list.count.saturating_sub(list.listed.len() as u64);
    if more > 0 && !list.listed.is_empty() {
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
    let searched = if answer.positions == 0 { "nothing searched".into() } else { counted(answer.positions, "position") };
    format!("{how}; {searched}; {}", duration(time))
}
