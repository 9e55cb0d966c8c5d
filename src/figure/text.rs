//! Figures as lines of text, for terminals and all who read with their fingers or ears.

use crate::figure::{Cell, Drawing, Figure, Look, Shape};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// So many stones are drawn in a line.
const STONES: u64 = 60;

/// So many places are drawn in a line.
const PLACES: usize = 30;

/// The figure as lines, each with its end.
pub fn figure(figure: &Figure) -> String {
    let mut out = String::new();
    let several = figure.parts.len() > 1;
    for part in &figure.parts {
        if several {
            let _ = writeln!(out, "{}", part.title);
        }
        for (name, shape) in &part.shapes {
            let name = if part.shapes.len() > 1 { name } else { "" };
            block(&mut out, name, &lines(shape), if several { "  " } else { "" });
        }
    }
    for note in &figure.notes {
        let _ = writeln!(out, "({note})");
    }
    out
}

/// A field: its name, then its lines, indented alike.
fn block(out: &mut String, name: &str, lines: &[String], margin: &str) {
    let head = if name.is_empty() { String::new() } else { format!("{name}  ") };
    for (at, line) in lines.iter().enumerate() {
        let head = if at == 0 { head.clone() } else { " ".repeat(head.width()) };
        let _ = writeln!(out, "{}", format!("{margin}{head}{line}").trim_end());
    }
}

fn lines(shape: &Shape) -> Vec<String> {
    match shape {
        Shape::Heap(n) => vec![stones(*n)],
        Shape::Heaps(heaps) => {
            let width = heaps.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
            let pad = |name: &str| " ".repeat(width - name.width());
            let head = |name: &str| match name.len() {
                0 if width == 0 => String::new(),
                0 => format!("{}  ", pad(name)),
                _ => format!("{}{name}: ", pad(name)),
            };
            heaps.iter().map(|(name, heap)| format!("{}{}", head(name), stones(*heap))).collect()
        }
        Shape::Row(base, cells) => rows(*base, cells),
        Shape::Board(board) => self::board(board),
        Shape::Graph(drawing) => drawing.as_board().map_or_else(|| graph(drawing), |cells| board(&cells)),
        Shape::Written(text) => vec![text.clone()],
    }
}

/// `3 ●●●`
fn stones(n: u64) -> String {
    let drawn = if n <= STONES { "●".repeat(usize::try_from(n).unwrap_or(0)) } else { "●●● ..".into() };
    format!("{n} {drawn}").trim_end().to_string()
}

fn mark(cell: &Cell) -> &str {
    match cell {
        Cell::Empty => "·",
        Cell::Wall => "█",
        Cell::Stone => "●",
        Cell::Token => "◆",
        Cell::Text(text) => text,
    }
}

/// Places above their numbers.
fn rows(base: i64, cells: &[Cell]) -> Vec<String> {
    let mut lines = Vec::new();
    if cells.is_empty() {
        return vec!["(empty)".into()];
    }
    for (at, chunk) in cells.chunks(PLACES).enumerate() {
        let first = base + i64::try_from(at * PLACES).unwrap_or(0);
        let number = |i: usize| (first + i64::try_from(i).unwrap_or(0)).to_string();
        let width = (0..chunk.len()).map(|i| number(i).len().max(mark(&chunk[i]).width())).max().unwrap_or(1);
        let pad = |text: &str| format!("{}{text}", " ".repeat(width.saturating_sub(text.width())));
        lines.push(chunk.iter().map(|cell| pad(mark(cell))).collect::<Vec<_>>().join(" "));
        lines.push((0..chunk.len()).map(|i| pad(&number(i))).collect::<Vec<_>>().join(" "));
    }
    lines
}

/// Rows with their numbers, below the numbers of the columns.
fn board(board: &[Vec<Cell>]) -> Vec<String> {
    let columns = board.first().map_or(0, Vec::len);
    let widest = board.iter().flatten().map(|cell| mark(cell).width()).max().unwrap_or(1);
    let width = widest.max(columns.saturating_sub(1).to_string().len());
    let head = board.len().saturating_sub(1).to_string().len();
    let pad = |text: &str, width: usize| format!("{}{text}", " ".repeat(width.saturating_sub(text.width())));
    let numbers: Vec<String> = (0..columns).map(|column| pad(&column.to_string(), width)).collect();
    let mut lines = vec![format!("{} {}", " ".repeat(head), numbers.join(" "))];
    for (row, cells) in board.iter().enumerate() {
        let cells: Vec<String> = cells.iter().map(|cell| pad(mark(cell), width)).collect();
        lines.push(format!("{} {}", pad(&row.to_string(), head), cells.join(" ")));
    }
    lines
}

/// A line for each vertex: how it looks, and its neighbours or where its arcs lead.
fn graph(drawing: &Drawing) -> Vec<String> {
    let label = |v: usize| {
        let vertex = &drawing.vertices[v];
        let note = if vertex.note.is_empty() { String::new() } else { format!(" ({})", vertex.note) };
        format!("{}{}{note}", look(vertex.look), vertex.label)
    };
    let width = (0..drawing.vertices.len()).map(|v| label(v).width()).max().unwrap_or(0);
    (0..drawing.vertices.len())
        .map(|v| {
            let mut beside: Vec<&str> = Vec::new();
            for (from, to, look, _) in &drawing.edges {
                let other = if *from == v {
                    *to
                } else if *to == v && !drawing.directed {
                    *from
                } else {
                    continue;
                };
                if *look != Look::Gone {
                    beside.push(&drawing.vertices[other].label);
                }
            }
            let text = label(v);
            let gap = " ".repeat(width - text.width());
            let sign = if drawing.directed { "->" } else { "--" };
            if beside.is_empty() { text } else { format!("{text}{gap} {sign} {}", beside.join(", ")) }
        })
        .collect()
}

fn look(look: Look) -> &'static str {
    match look {
        Look::Token => "◆ ",
        Look::Marked => "● ",
        _ => "  ",
    }
}
