//! Values to words: what a program reads, and what a judge compares.

use crate::model::Kind;
use crate::value::{Value, iterate};
use std::fmt::Write as _;

/// The value as a line of an answer: texts as they are, the members of a collection with blanks between, those of a
/// collection of collections each on a line of its own.
pub fn plain(value: &Value) -> String {
    let mut text = String::new();
    add(value, &mut text);
    text
}

fn add(value: &Value, text: &mut String) {
    let members: Vec<Value> = match value {
        Value::Tuple(parts) => parts.to_vec(),
        Value::Grid(grid) => {
            let cells: Vec<Value> = grid.cells.iter().collect();
            let letters = cells.iter().all(|cell| matches!(cell, Value::Text(_)));
            for (row, cells) in cells.chunks(grid.cols.max(1)).enumerate() {
                text.push_str(if row > 0 { "\n" } else { "" });
                let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
                text.push_str(&cells.join(if letters { "" } else { " " }));
            }
            return;
        }
        Value::List(_) | Value::Range(..) | Value::Set(_) | Value::Bag(_) => {
            iterate(value).map(Iterator::collect).unwrap_or_default()
        }
        Value::Edge(edge) => vec![edge.u.clone(), edge.v.clone()],
        // To a text nothing fails.
        _ => return write!(text, "{value}").unwrap_or_default(),
    };
    let nested = members.iter().any(|member| {
        matches!(member, Value::List(_) | Value::Set(_) | Value::Bag(_) | Value::Range(..) | Value::Tuple(_))
    });
    for (at, member) in members.iter().enumerate() {
        text.push_str(match at {
            0 => "",
            _ if nested && !matches!(value, Value::Tuple(_)) => "\n",
            _ => " ",
        });
        add(member, text);
    }
}

/// Adds an input to the text that a program reads: words behind each other on one line, collections on lines of their own.
/// `lengths`: how many stand in brackets behind its name. `None`: words cannot say this value.
pub(super) fn input(text: &mut String, value: &Value, kind: &Kind, line: bool, lengths: Option<usize>) -> Option<()> {
    match value {
        Value::Text(inner) if line || matches!(kind, Kind::Text) => {
            let inner = inner.to_string();
            let wrong =
                if line { inner.trim() != inner || inner.contains('\n') } else { inner.contains(char::is_whitespace) };
            if inner.is_empty() || wrong {
                return None;
            }
            if line {
                fresh(text);
            } else {
                apart(text);
            }
            text.push_str(&inner);
            if line {
                text.push('\n');
            }
        }
        Value::Bool(truth) => {
            apart(text);
            text.push(if *truth { '1' } else { '0' });
        }
        Value::List(_) | Value::Range(..) | Value::Set(_) | Value::Bag(_) => {
            let members: Vec<Value> = iterate(value).ok()?.collect();
            let (Kind::List(of, _) | Kind::Set(of) | Kind::Bag(of)) = kind else { return None };
            fresh(text);
            if lengths.is_none() {
                write!(text, "{}", members.len()).ok()?;
            }
            for member in &members {
                input(text, member, of, false, lengths.and_then(|n| n.checked_sub(1)).filter(|n| *n > 0))?;
            }
            if !text.ends_with('\n') || lengths == Some(0) && members.is_empty() {
                text.push('\n');
            }
        }
        Value::Tuple(parts) => {
            let Kind::Tuple(kinds) = kind else { return None };
            for (part, kind) in parts.iter().zip(kinds) {
                input(text, part, kind, false, None)?;
            }
        }
        Value::Grid(_) => {
            fresh(text);
            text.push_str(&plain(value));
            text.push('\n');
        }
        Value::Graph(graph) => {
            let Kind::Graph(_, base) = kind else { return None };
            fresh(text);
            for &(u, v) in graph.edges.ends() {
                writeln!(text, "{} {}", i64::from(u) + base, i64::from(v) + base).ok()?;
            }
        }
        Value::Position(_) | Value::Loop(_) | Value::Edge(_) => return None,
        _ => {
            apart(text);
            write!(text, "{value}").ok()?;
        }
    }
    Some(())
}

fn apart(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push(' ');
    }
}

fn fresh(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}
