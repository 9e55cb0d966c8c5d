//! Answers to many cases as JSON lines, written from columns: the same as [`json::answer`](crate::report::json::answer) writes.

use crate::engines::batch::Answers;
use crate::model::Program;
use crate::report::json;
use crate::vm::states::{Moves, States};
use std::ops::Range;
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
            format!(")\",\"outcome\":\"{outcome}\",\"grundy\":null,\"winning_move_count\":{count},\"winning_moves\":[")
        };
        (0..=lines.len()).map(said).collect()
    });
    let mut digits = itoa::Buffer::new();
    let mut places = Places::default();
    for place in 0..answers.count {
        out.extend_from_slice(b"{\"case\":");
        out.extend_from_slice(digits.format(from + place).as_bytes());
        places.fields.clear();
        at.add(place, &mut places.fields, out);
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
                line.add(*next, &mut places, out);
                listed += 1;
            }
            *next += 1;
        }
        out.extend_from_slice(end.as_bytes());
    }
}

/// Where numbers of a line are written: much of what follows them is the same again, and copied.
#[derive(Default)]
struct Places {
    fields: Vec<(i64, Range<usize>)>,
    binders: Vec<Range<usize>>,
}

/// Adds a number, and tells where it is written.
fn add_int(n: i64, out: &mut Vec<u8>) -> Range<usize> {
    let from = out.len();
    out.extend_from_slice(itoa::Buffer::new().format(n).as_bytes());
    from..out.len()
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

    /// All but the bracket at the end. A field that is written `before` in the same place is copied.
    fn add(&self, place: usize, before: &mut Vec<(i64, Range<usize>)>, out: &mut Vec<u8>) {
        out.extend_from_slice(self.head.as_bytes());
        for (i, field) in self.states.fields.iter().enumerate() {
            if i > 0 {
                out.extend_from_slice(b", ");
            }
            let n = field[place];
            match before.get(i) {
                Some((same, there)) if *same == n => out.extend_from_within(there.clone()),
                Some(_) => drop(add_int(n, out)),
                None => before.push((n, add_int(n, out))),
            }
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

    fn add(&self, place: usize, places: &mut Places, out: &mut Vec<u8>) {
        out.extend_from_slice(self.head.as_bytes());
        places.binders.clear();
        for binder in &self.moves.binders {
            out.push(b' ');
            places.binders.push(add_int(binder[place], out));
        }
        for (head, there) in self.binders.iter().zip(&places.binders) {
            out.extend_from_slice(head.as_bytes());
            out.extend_from_within(there.clone());
        }
        self.to.add(place, &mut places.fields, out);
        out.extend_from_slice(b")\"}");
    }
}
