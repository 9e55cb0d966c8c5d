//! DIMACS graphs: `c` comments, one line `p edge N M` (or `p col N M`), then lines `e u v` with vertices 1..N.

use crate::input::datafile::blocks::{Blocks, first_line, utf8};
use crate::input::datafile::edge_list::{column, short};
use crate::input::datafile::number::number;
use crate::input::datafile::{undirected, wrong};
use crate::model::kind::GraphWord;
use crate::value::ITEM_LIMIT;
use crate::value::fault::Fault;
use crate::value::graph::{Graph, Labels};
use std::sync::Arc;

/// Whether a text begins like one of these: a line `p edge N M` or `p col N M` after comments.
pub(super) fn is_like(mut text: &[u8]) -> bool {
    while !text.is_empty() {
        let (line, length) = first_line(text);
        let line = line.trim_ascii();
        if !(line.is_empty() || line == b"c" || line.starts_with(b"c ") || line.starts_with(b"c\t")) {
            return std::str::from_utf8(line).is_ok_and(|line| head(line).is_some());
        }
        text = &text[length..];
    }
    false
}

/// The numbers of a line `p edge N M`.
fn head(line: &str) -> Option<(usize, usize)> {
    let mut words = line.split_whitespace();
    let known = words.next() == Some("p") && matches!(words.next(), Some("edge" | "edges" | "col"));
    let numbers = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    (known && words.next().is_none()).then_some(numbers)
}

/// The graph. Linear.
///
/// # Errors
/// D03 with the first line that does not fit; when there are neither M edges nor M / 2 (some writers count both directions,
/// some list both).
pub(super) fn read(blocks: &mut Blocks, word: GraphWord) -> Result<Graph, Fault> {
    let mut size: Option<(usize, usize)> = None;
    let mut edges: Vec<(u32, u32)> = Vec::new();
    blocks.each_line(|line, content| {
        if let (Some((n, _)), Some((u, v))) = (size, plain(content))
            && u.min(v) > 0
            && u.max(v) as usize <= n
            && edges.len() < ITEM_LIMIT
        {
            edges.push((u - 1, v - 1));
            return Ok(());
        }
        let text = utf8(line, content)?;
        let trimmed = text.trim();
        let first = trimmed.split_whitespace().next();
        match (first, size) {
            (None | Some("c"), _) => Ok(()),
            (Some("p"), None) => {
                let (n, m) = head(trimmed).ok_or_else(|| {
                    let what = format!("`p edge N M` or `p col N M` is expected, not `{}`", short(trimmed));
                    wrong(line, column(text, trimmed), &what)
                })?;
                if n > ITEM_LIMIT {
                    return Err(wrong(line, 0, &format!("a graph of at most {ITEM_LIMIT} vertices is expected")));
                }
                if word == GraphWord::Digraph {
                    return Err(undirected(line));
                }
                size = Some((n, m));
                Ok(())
            }
            (Some(_), None) => {
                let what = format!("`p edge N M` is expected before the edges, not `{}`", short(trimmed));
                Err(wrong(line, column(text, trimmed), &what))
            }
            (Some(_), Some((n, _))) => {
                let words: Vec<&str> = trimmed.split_whitespace().take(4).collect();
                let ["e", u, v] = words[..] else {
                    let what = format!("an edge `e u v` is expected, not `{}`", short(trimmed));
                    return Err(wrong(line, column(text, trimmed), &what));
                };
                if edges.len() == ITEM_LIMIT {
                    return Err(wrong(line, 0, &format!("a graph of at most {ITEM_LIMIT} edges is expected")));
                }
                let vertex = |end: &str| {
                    let vertex = end.parse::<usize>().ok().filter(|v| (1..=n).contains(v));
                    vertex.and_then(|v| u32::try_from(v - 1).ok()).ok_or_else(|| {
                        wrong(line, column(text, end), &format!("a vertex 1..{n} is expected, not `{}`", short(end)))
                    })
                };
                edges.push((vertex(u)?, vertex(v)?));
                Ok(())
            }
        }
    })?;
    let Some((n, m)) = size else {
        return Err(wrong(1, 0, "`p edge N M` is expected in a DIMACS file, and there is none"));
    };
    if edges.len() != m && edges.len() * 2 != m {
        let what = format!("{m} edges are expected, as the line `p` says, and there are {}", edges.len());
        return Err(wrong(blocks.lines().max(1), 0, &what).hint("the file may have been cut off"));
    }
    Ok(Graph::of_numbers(word, Arc::new(Labels::Ints { from: 1, n }), None, edges))
}

/// The ends of a line `e u v` of numbers with at most seven digits; the last may stand too near to the end to be one.
fn plain(line: &[u8]) -> Option<(u32, u32)> {
    let rest = line.strip_prefix(b"e ")?;
    let (u, at) = number(rest, 0)?;
    if rest.get(at) != Some(&b' ') {
        return None;
    }
    let last = &rest[at + 1..];
    let digits = (1..=7).contains(&last.len()) && last.iter().all(u8::is_ascii_digit);
    digits.then(|| (u, last.iter().fold(0, |v, byte| v * 10 + u32::from(byte - b'0'))))
}
