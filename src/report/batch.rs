//! Answers to many cases as JSON lines, written from columns: the same as [`json::answer`](super::json::answer) writes.

use super::json;
use crate::check::model::Program;
use crate::rules::states::{Moves, States};
use crate::solve::batch::Answers;
use std::time::Duration;

/// Adds a line for each answer; the first is that of case `from`. `time` is what one of them took.
///
/// Linear in what is written. All that stands between two numbers is one piece.
pub fn add_lines(program: &Program, answers: &Answers, from: usize, time: Duration, out: &mut Vec<u8>) {
    let at = Written::new(",\"position\":\"", program, &answers.positions);
    let lines: Vec<Line<'_>> =
        answers.winning.iter().map(|(mv, moves)| Line::new(program, answers, *mv, moves)).collect();
    let mut next = vec![0; lines.len()];
    let end = format!("],\"method\":\"theorem\",\"positions\":0,\"seconds\":{}}}\n", number(json::seconds(time)));
    let said: [Vec<String>; 2] = ["second", "first"].map(|outcome| {
        let said = |count| {
            format!(
                ")\",\"outcome\":\"{outcome}\",\"grundy\":null,\"winning_move_count\":{count},\"winning_moves\":["
            )
        };
        (0..=lines.len()).map(said).collect()
    });
    let mut digits = itoa::Buffer::new();
    for place in 0..answers.count {
        out.extend_from_slice(b"{\"case\":");
        out.extend_from_slice(digits.format(from + place).as_bytes());
        at.add(place, out);
        // Each line has one move of a position at most.
        let has = |(line, next): (&Line<'_>, &usize)| line.moves.from.get(*next) == Some(&place);
        let count = lines.iter().zip(&next).filter(|&(line, next)| has((line, next))).count();
        out.extend_from_slice(said[usize::from(answers.first[place])][count].as_bytes());
        let mut listed = 0;
        for (line, next) in lines.iter().zip(&mut next) {
            if !has((line, next)) {
                continue;
            }
            if listed < answers.most {
                if listed > 0 {
                    out.push(b',');
                }
                line.add(*next, out);
                listed += 1;
            }
            *next += 1;
        }
        out.extend_from_slice(end.as_bytes());
    }
}

/// A number as JSON has it.
fn number(n: f64) -> String {
    serde_json::Value::from(n).to_string()
}

/// A text within quotes of JSON.
fn quoted(text: &str) -> String {
    let text = serde_json::Value::from(text).to_string();
    text[1..text.len() - 1].to_string()
}

/// States as they would be written.
struct Written<'s> {
    /// What stands before the fields: this text and the game.
    head: String,
    states: &'s States,
}

impl<'s> Written<'s> {
    fn new(before: &str, program: &Program, states: &'s States) -> Self {
        let mut head = program.games[states.game.0].name.clone();
        for (i, value) in states.params.iter().enumerate() {
            head.push_str(if i == 0 { "[" } else { ", " });
            value.add_position_text(&mut head);
        }
        head.push_str(if states.params.is_empty() { "(" } else { "](" });
        Written { head: before.to_string() + &quoted(&head), states }
    }

    /// All but the bracket at the end.
    fn add(&self, place: usize, out: &mut Vec<u8>) {
        let mut digits = itoa::Buffer::new();
        out.extend_from_slice(self.head.as_bytes());
        for (i, field) in self.states.fields.iter().enumerate() {
            if i > 0 {
                out.extend_from_slice(b", ");
            }
            out.extend_from_slice(digits.format(field[place]).as_bytes());
        }
    }
}

/// The moves of one line.
struct Line<'a> {
    moves: &'a Moves,
    /// What stands before the binders in the text of a move.
    head: String,
    /// What stands before each binder as an entry.
    binders: Vec<String>,
    to: Written<'a>,
}

impl<'a> Line<'a> {
    fn new(program: &Program, answers: &Answers, mv: usize, moves: &'a Moves) -> Self {
        let game = &program.games[answers.positions.game.0];
        let line = &game.moves[mv];
        let name = quoted(&line.name);
        let named = format!("\",\"name\":\"{name}\",\"binders\":{{");
        let binder = |(i, slot): (usize, &usize)| {
            let before = if i == 0 { &named } else { "," };
            format!("{before}\"{}\":", quoted(&game.frame.slots[*slot].name))
        };
        let binders: Vec<String> = line.binders.iter().enumerate().map(binder).collect();
        let tail = "},\"component\":null,\"in\":null,\"to\":\"";
        let tail = if binders.is_empty() { named + tail } else { tail.into() };
        Line { moves, head: format!("{{\"move\":\"{name}"), binders, to: Written::new(&tail, program, &moves.to) }
    }

    fn add(&self, place: usize, out: &mut Vec<u8>) {
        let mut digits = itoa::Buffer::new();
        out.extend_from_slice(self.head.as_bytes());
        for binder in &self.moves.binders {
            out.push(b' ');
            out.extend_from_slice(digits.format(binder[place]).as_bytes());
        }
        for (head, binder) in self.binders.iter().zip(&self.moves.binders) {
            out.extend_from_slice(head.as_bytes());
            out.extend_from_slice(digits.format(binder[place]).as_bytes());
        }
        self.to.add(place, out);
        out.extend_from_slice(b")\"}");
    }
}
