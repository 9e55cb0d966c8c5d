//! DIMACS graphs: `c` comments, one line `p edge N M` (or `p col N M`), then lines `e u v` with vertices 1..N.

use crate::input::datafile::blocks::{Blocks, first_line, utf8};
use crate::input::datafile::edge_list::{column, short};
use crate::input::datafile::number::pair;
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
    let mut dimacs = Dimacs { word, size: None, edges: Vec::new(), last: 1 };
    blocks.each_line(&mut dimacs, Dimacs::plain, Dimacs::line)?;
    let Dimacs { size, edges, last, .. } = dimacs;
    let Some((n, m)) = size else {
        return Err(wrong(1, 0, "`p edge N M` is expected in a DIMACS file, and there is none"));
    };
    if edges.len() != m && edges.len() * 2 != m {
        let what = format!("{m} edges are expected, as the line `p` says, and there are {}", edges.len());
        return Err(wrong(last, 0, &what).hint("the file may have been cut off"));
    }
    Ok(Graph::of_numbers(word, Arc::new(Labels::Ints { from: 1, n }), None, edges))
}

struct Dimacs {
    word: GraphWord,
    /// The numbers of the line `p`.
    size: Option<(usize, usize)>,
    edges: Vec<(u32, u32)>,
    /// The last line.
    last: usize,
}

impl Dimacs {
    /// An edge as most are written.
    #[inline]
    fn plain(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let (n, _) = self.size.filter(|_| text[at..].starts_with(b"e ") && self.edges.len() < ITEM_LIMIT)?;
        let (u, v, next) = pair(text, at + 2).filter(|(u, v, _)| *u.min(v) > 0 && *u.max(v) as usize <= n)?;
        self.edges.push((u - 1, v - 1));
        self.last += 1;
        Some(next)
    }

    /// A line of any form.
    fn line(&mut self, line: usize, content: &[u8]) -> Result<(), Fault> {
        self.last = line;
        let text = utf8(line, content)?;
        let trimmed = text.trim();
        let wrong_at = |part: &str, what: &str| Err(wrong(line, column(text, part), what));
        match (trimmed.split_whitespace().next(), self.size) {
            (None | Some("c"), _) => Ok(()),
            (Some("p"), None) => {
                let Some((n, m)) = head(trimmed) else {
                    let what = format!("`p edge N M` or `p col N M` is expected, not `{}`", short(trimmed));
                    return wrong_at(trimmed, &what);
                };
                if n > ITEM_LIMIT {
                    return Err(wrong(line, 0, &format!("a graph of at most {ITEM_LIMIT} vertices is expected")));
                }
                if self.word == GraphWord::Digraph {
                    return Err(undirected(line));
                }
                self.size = Some((n, m));
                Ok(())
            }
            (Some(_), None) => {
                let what = format!("`p edge N M` is expected before the edges, not `{}`", short(trimmed));
                wrong_at(trimmed, &what)
            }
            (Some(_), Some((n, _))) => {
                let words: Vec<&str> = trimmed.split_whitespace().take(4).collect();
                let ["e", u, v] = words[..] else {
                    return wrong_at(trimmed, &format!("an edge `e u v` is expected, not `{}`", short(trimmed)));
                };
                if self.edges.len() == ITEM_LIMIT {
                    return Err(wrong(line, 0, &format!("a graph of at most {ITEM_LIMIT} edges is expected")));
                }
                let vertex = |end: &str| end.parse::<u32>().ok().filter(|v| *v > 0 && *v as usize <= n);
                let (Some(tail), Some(top)) = (vertex(u), vertex(v)) else {
                    let end = if vertex(u).is_none() { u } else { v };
                    return wrong_at(end, &format!("a vertex 1..{n} is expected, not `{}`", short(end)));
                };
                self.edges.push((tail - 1, top - 1));
                Ok(())
            }
        }
    }
}
