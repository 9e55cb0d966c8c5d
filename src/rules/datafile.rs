//! Graphs and grids in files of their own: text in, value out.

use super::fault::Fault;
use super::value::graph::{Graph, Labels};
use super::value::{Grid, ITEM_LIMIT, Value};
use crate::check::kind::GraphWord;
use hashbrown::HashMap;
use num_bigint::BigInt;
use std::sync::Arc;

/// The graph of an edge list: a line `u v` is an edge, a line with one label a vertex; blank lines and what follows `#` do
/// not count. Labels are ints or words; vertices come in the order of their first appearance. Linear: 10^6 edges take some
/// tenths of a second.
///
/// # Errors
/// D03 with the number of the first line that is neither.
pub fn graph(text: &str, word: GraphWord) -> Result<Value, Fault> {
    let mut numbers = Numbers::default();
    let mut edges = Vec::new();
    for (line, content) in (1_usize..).zip(text.lines()) {
        let content = match content.find('#') {
            Some(end) => &content[..end],
            None => content,
        };
        let (u, rest) = numbers.next(content);
        let Some(u) = u else { continue };
        let (v, rest) = numbers.next(rest);
        if let Some(v) = v {
            edges.push((u, v));
        }
        let more = rest.split_whitespace().count();
        if more > 0 {
            let message =
                format!("line {line}: two vertices `u v` (or one alone) are expected, not {} words", more + 2);
            return Err(Fault::new("D03", message));
        }
        if numbers.labels.len().max(edges.len()) > ITEM_LIMIT {
            let message = format!("line {line}: a graph of at most {ITEM_LIMIT} vertices and edges is expected");
            return Err(Fault::new("D03", message));
        }
    }
    // Tokens like 7 and 07 are the same label.
    let (labels, order) = Labels::of(&numbers.labels);
    for edge in &mut edges {
        *edge = (order[edge.0 as usize], order[edge.1 as usize]);
    }
    Ok(Value::Graph(Arc::new(Graph::of_numbers(word, Arc::new(labels), Some(order), edges))))
}

/// Labels in the order met.
#[derive(Default)]
struct Numbers<'t> {
    /// One more than the number of a small int as usually written; 0: not met.
    small: Vec<u32>,
    /// Numbers of all other words.
    others: HashMap<&'t str, u32>,
    labels: Vec<Value>,
}

impl<'t> Numbers<'t> {
    /// The number of the first word, and what comes after it.
    fn next(&mut self, text: &'t str) -> (Option<u32>, &'t str) {
        /// Ints of so many digits are looked up in a table.
        const DIGITS: usize = 7;
        let bytes = text.as_bytes();
        let mut from = 0;
        while from < bytes.len() && (bytes[from] == b' ' || bytes[from] == b'\t') {
            from += 1;
        }
        let (mut end, mut int) = (from, 0usize);
        while end < bytes.len() && bytes[end].is_ascii_digit() && end - from <= DIGITS {
            int = int * 10 + usize::from(bytes[end] - b'0');
            end += 1;
        }
        let digits = end - from;
        let ends = end == bytes.len() || bytes[end] == b' ' || bytes[end] == b'\t';
        if ends && (1..=DIGITS).contains(&digits) && (digits == 1 || bytes[from] != b'0') {
            if int >= self.small.len() {
                self.small.resize((int + 1).next_power_of_two(), 0);
            }
            if self.small[int] == 0 {
                self.labels.push(Value::Int(i64::try_from(int).unwrap_or(i64::MAX))); // of seven digits
                self.small[int] = u32::try_from(self.labels.len()).unwrap_or(u32::MAX); // refused by the caller
            }
            return (Some(self.small[int] - 1), &text[end..]);
        }
        let text = text.trim_start();
        let (word, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
        if word.is_empty() {
            return (None, rest);
        }
        let labels = &mut self.labels;
        let number = *self.others.entry(word).or_insert_with(|| {
            labels.push(label(word));
            u32::try_from(labels.len() - 1).unwrap_or(u32::MAX) // refused by the caller
        });
        (Some(number), rest)
    }
}

fn label(token: &str) -> Value {
    if let Ok(n) = token.parse::<i64>() {
        return Value::Int(n);
    }
    // Beyond 64 bits; what is longer than any number of use is a word.
    let digits = token.strip_prefix('-').unwrap_or(token);
    let is_int = !digits.is_empty() && digits.len() < 1000 && digits.bytes().all(|b| b.is_ascii_digit());
    let int = is_int.then(|| token.parse::<BigInt>().ok()).flatten();
    int.map_or_else(|| Value::text(token), Value::int)
}

/// The grid of characters in these lines; spaces round a line and blank lines do not count.
///
/// # Errors
/// D03 with the number of the first line whose length differs, or line 1 when there is no row.
pub fn grid(text: &str) -> Result<Value, Fault> {
    let mut rows = 0;
    let mut cells: Vec<Value> = Vec::new();
    for (line, content) in (1_usize..).zip(text.lines()) {
        let content = content.trim();
        if content.is_empty() {
            continue;
        }
        let before = cells.len();
        cells.extend(content.chars().map(Value::character));
        let (cols, length) = (before / rows.max(1), cells.len() - before);
        if rows > 0 && length != cols {
            return Err(Fault::new("D03", format!("line {line}: {cols} cells are expected as before, not {length}")));
        }
        rows += 1;
    }
    if rows == 0 {
        return Err(Fault::new("D03", "line 1: a row of cells is expected"));
    }
    Ok(Value::Grid(Arc::new(Grid::new(rows, cells.len() / rows, cells)?)))
}
