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
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut labels = Vec::new();
    let mut edges = Vec::new();
    for (line, content) in (1_usize..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or_default();
        let mut tokens = content.split_whitespace();
        let mut number = |token| {
            *numbers.entry(token).or_insert_with(|| {
                labels.push(label(token));
                u32::try_from(labels.len() - 1).unwrap_or(u32::MAX) // refused below
            })
        };
        let Some(u) = tokens.next().map(&mut number) else { continue };
        if let Some(v) = tokens.next().map(&mut number) {
            edges.push((u, v));
        }
        let more = tokens.count();
        if more > 0 {
            let message =
                format!("line {line}: two vertices `u v` (or one alone) are expected, not {} words", more + 2);
            return Err(Fault::new("D03", message));
        }
        if labels.len().max(edges.len()) > ITEM_LIMIT {
            let message = format!("line {line}: a graph of at most {ITEM_LIMIT} vertices and edges is expected");
            return Err(Fault::new("D03", message));
        }
    }
    // Tokens like 7 and 07 are the same label.
    let (labels, order) = Labels::of(&labels);
    for edge in &mut edges {
        *edge = (order[edge.0 as usize], order[edge.1 as usize]);
    }
    Ok(Value::Graph(Arc::new(Graph::of_numbers(word, Arc::new(labels), Some(order), edges))))
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
