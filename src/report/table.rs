//! Tables as text, aligned grids for one and two dimensions and a line for each entry for more; and as CSV (RFC 4180).

use crate::answer::{Axis, Cells, Table};
use crate::report::paint::{bold, dim, right};
use crate::value::Value;
use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};
use unicode_width::UnicodeWidthStr;

/// More columns than this are not put side by side.
const MAX_COLUMNS: usize = 400;

/// The table of the expression `expr`; rows of one-dimensional tables are broken at `width` columns.
pub fn text(expr: &str, table: &Table, width: usize) -> String {
    let title = bold(expr);
    let body = match (&table.axes[..], &table.cells) {
        ([], _) => table.entries().first().map_or(String::new(), |(_, value)| shown(*value)),
        ([axis], Cells::Full(values)) if axis.range.is_some() => rows(&axis.name, &axis.values, values, width),
        ([_, _], _) => {
            let (rows, columns) = (all_members(table, 0), all_members(table, 1));
            if columns.len() <= MAX_COLUMNS { square(table, &rows, &columns) } else { lines(table) }
        }
        _ => lines(table),
    };
    format!("{title}\n{body}\n")
}

/// An entry; `?` where a limit came first.
fn shown(value: Option<&Value>) -> String {
    value.map_or("?".into(), ToString::to_string)
}

/// The members of an axis in their order; of those that depend on others the ones that occur, ascending.
pub(super) fn all_members(table: &Table, axis: usize) -> Vec<Value> {
    if matches!(table.cells, Cells::Full(_)) {
        return table.axes[axis].values.clone();
    }
    let all: BTreeSet<Value> = table.entries().into_iter().map(|(mut members, _)| members.swap_remove(axis)).collect();
    all.into_iter().collect()
}

/// Cells row by row, as wide as the widest of their column, right-aligned with so many blanks between columns.
fn aligned<'c>(columns: usize, cells: impl Iterator<Item = &'c dyn Display>, gap: usize) -> String {
    let (mut written, mut ends) = (String::new(), Vec::new());
    let mut widths = vec![0; columns];
    for (i, cell) in cells.enumerate() {
        let start = written.len();
        // To a text nothing fails.
        let _ = write!(written, "{cell}");
        ends.push(written.len());
        let width = &mut widths[i % columns];
        *width = written[start..].width().max(*width);
    }
    let (mut text, mut start) = (String::new(), 0);
    for row in ends.chunks(columns) {
        let line = text.len();
        for (&end, width) in row.iter().zip(&widths) {
            let cell = &written[start..end];
            let before = width - cell.width() + if text.len() > line { gap } else { 0 };
            text.extend(std::iter::repeat_n(' ', before));
            text.push_str(cell);
            start = end;
        }
        text.truncate(line + text[line..].trim_end().len());
        text.push('\n');
    }
    text.pop();
    text
}

/// Members and values under each other, ten (or twenty) to a line.
fn rows(name: &str, members: &[Value], values: &[Option<Value>], width: usize) -> String {
    let cells: Vec<(String, String)> =
        members.iter().zip(values).map(|(m, v)| (m.to_string(), shown(v.as_ref()))).collect();
    let widest = cells.iter().map(|(m, v)| m.chars().count().max(v.chars().count())).max().unwrap_or(1);
    let fits = width.saturating_sub(name.chars().count() + 4) / (widest + 1);
    let step = match fits {
        20.. => 20,
        10.. => 10,
        n => n.max(1),
    };
    let mut blocks = Vec::new();
    for block in cells.chunks(step) {
        let line = |head: &str, pick: fn(&(String, String)) -> &String| {
            let cells: Vec<String> = block.iter().map(|cell| right(pick(cell), widest)).collect();
            format!("{head} | {}", cells.join(" "))
        };
        let blank = " ".repeat(name.chars().count());
        blocks.push(format!("{}\n{}", dim(&line(name, |cell| &cell.0)), line(&blank, |cell| &cell.1)));
    }
    if blocks.is_empty() { "(no entries)".into() } else { blocks.join("\n") }
}

fn square(table: &Table, rows: &[Value], columns: &[Value]) -> String {
    let mut found: std::collections::BTreeMap<(Value, Value), Vec<String>> = std::collections::BTreeMap::new();
    for (members, value) in table.entries() {
        if let [row, column] = &members[..] {
            found.entry((row.clone(), column.clone())).or_default().push(shown(value));
        }
    }
    // Members that occur twice in a list would be mixed up in a grid.
    if found.values().any(|cell| cell.len() > 1) {
        return lines(table);
    }
    let corner = format!("{} \\ {}", table.axes[0].name, table.axes[1].name);
    let mut cells: Vec<&dyn Display> = vec![&corner];
    cells.extend(columns.iter().map(|column| column as &dyn Display));
    for row in rows {
        cells.push(row);
        let found = columns.iter().map(|column| found.get(&(row.clone(), column.clone())));
        cells.extend(found.map(|cell| cell.and_then(|cell| cell.first()).map_or(&"" as &dyn Display, |cell| cell)));
    }
    aligned(columns.len() + 1, cells.into_iter(), 1)
}

fn lines(table: &Table) -> String {
    let entries = table.entries();
    let cells = entries.iter().flat_map(|(members, value)| {
        let value = value.map_or(&"?" as &dyn Display, |value| value);
        members.iter().map(|member| member as &dyn Display).chain([value])
    });
    let names = table.axes.iter().map(|axis| &axis.name as &dyn Display).chain([&"value" as &dyn Display]);
    aligned(table.axes.len() + 1, names.chain(cells), 2)
}

/// The first record of a table: the names of the binders, and `value`.
pub fn csv_head(axes: &[Axis]) -> String {
    let mut text = String::new();
    record(&mut text, axes.iter().map(|axis| &axis.name as &dyn Display).chain([&"value" as &dyn Display]));
    text
}

/// The record of an entry; the value is empty where a limit came first.
pub fn csv_entry(members: &[Value], value: Option<&Value>) -> String {
    let mut text = String::new();
    let value = value.map_or(&"" as &dyn Display, |value| value);
    record(&mut text, members.iter().map(|member| member as &dyn Display).chain([value]));
    text
}

/// Adds a line of CSV, with quotes around fields where they must be.
pub fn record<'f>(text: &mut String, fields: impl Iterator<Item = &'f dyn Display>) {
    for (i, field) in fields.enumerate() {
        text.push_str(if i > 0 { "," } else { "" });
        let start = text.len();
        // To a text nothing fails.
        let _ = write!(text, "{field}");
        if text[start..].contains([',', '"', '\r', '\n']) {
            let quoted = format!("\"{}\"", text[start..].replace('"', "\"\""));
            text.replace_range(start.., &quoted);
        }
    }
    text.push_str("\r\n");
}
