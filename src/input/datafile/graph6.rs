//! graph6, sparse6 and digraph6, a graph on each line, as `formats.txt`, which comes with nauty, describes them.

use crate::input::datafile::blocks::{Blocks, first_line};
use crate::input::datafile::{directed, undirected, wrong};
use crate::model::GraphWord;
use crate::value::{Fault, Graph, ITEM_LIMIT, Labels, width};

/// Headers that a file may begin with.
pub(super) const HEADERS: [&str; 3] = [">>graph6<<", ">>sparse6<<", ">>digraph6<<"];

/// The graph on line `wanted`, or the only one of the file. Vertices are 0..n-1. Linear in the file up to that line,
/// with the line in memory. Error: D03: no such line, several graphs, arcs where edges are wanted or the other way
/// round, a line that is none of the three.
pub(super) fn read(blocks: &mut Blocks, word: GraphWord, wanted: Option<usize>) -> Result<Graph, Fault> {
    let mut found: Option<Graph> = None;
    loop {
        let line = blocks.lines() + 1;
        let text = blocks.look()?;
        if text.is_empty() {
            break;
        }
        let (mut content, length) = first_line(text);
        if line == 1 {
            let header = HEADERS.iter().find_map(|header| content.strip_prefix(header.as_bytes()));
            content = header.unwrap_or(content);
        }
        let content = content.trim_ascii();
        let asked = wanted.is_none_or(|wanted| wanted == line);
        if asked && !content.is_empty() {
            if found.is_some() {
                let what = "one graph is expected in the file, and here is another";
                let hint = format!("write `#{line}` behind the name of the file for the graph on line {line}");
                return Err(wrong(line, 0, what).hint(hint));
            }
            found = Some(graph(content, word, line)?);
        }
        blocks.pass(length);
        if wanted == Some(line) {
            break;
        }
    }
    let line = wanted.unwrap_or(1);
    found.ok_or_else(|| wrong(line, 0, "a graph in graph6, sparse6 or digraph6 is expected, and there is none"))
}

/// Whether a word may be a graph in one of the three formats.
pub(super) fn is_like(word: &[u8]) -> bool {
    match word {
        [b':' | b'&', rest @ ..] => !rest.is_empty() && rest.iter().copied().all(is_six),
        _ => {
            word.iter().copied().all(is_six)
                && size(word, 1).is_ok_and(|(n, from)| (word.len() - from) as u64 == sixes(n * n.saturating_sub(1) / 2))
        }
    }
}

fn is_six(byte: u8) -> bool {
    (63..=126).contains(&byte)
}

/// How many bytes so many bits take.
fn sixes(bits: u64) -> u64 {
    bits.div_ceil(6)
}

fn graph(text: &[u8], word: GraphWord, line: usize) -> Result<Graph, Fault> {
    let (kind, body) = match text {
        [b':', body @ ..] => ("sparse6", body),
        [b'&', body @ ..] => ("digraph6", body),
        [b';', ..] => {
            let what = "graph6, sparse6 or digraph6 is expected, not incremental sparse6";
            return Err(wrong(line, 1, what).hint("`copyg` of nauty writes sparse6"));
        }
        _ => ("graph6", text),
    };
    let shift = text.len() - body.len();
    if let Some(at) = body.iter().position(|&byte| !is_six(byte)) {
        let shown = body[at].escape_ascii();
        let what = format!("{kind} has characters from `?` to `~` only, not `{shown}`");
        return Err(wrong(line, shift + at + 1, &what));
    }
    match (kind, word) {
        ("digraph6", GraphWord::Graph | GraphWord::Multigraph) => return Err(directed(line)),
        ("graph6" | "sparse6", GraphWord::Digraph) => return Err(undirected(line)),
        _ => {}
    }
    let (n, from) = size(body, line)?;
    let bits = &body[from..];
    let mut edges = Vec::new();
    if kind == "sparse6" {
        sparse(n, bits, &mut edges);
    } else {
        let places = if kind == "digraph6" { n * n } else { n * n.saturating_sub(1) / 2 };
        let (is, must) = (bits.len() as u64, sixes(places));
        if is != must {
            let what = format!("{must} characters are expected for {n} vertices in {kind}, not {is}");
            return Err(wrong(line, shift + from + bits.len().min(usize::try_from(must).unwrap_or(0)) + 1, &what));
        }
        // The column of the matrix that a bit belongs to, and the number of its first bit.
        let (mut v, mut first) = (1, 0);
        for place in ones(bits) {
            if place >= places {
                return Err(wrong(line, shift + body.len(), &format!("the spare bits at the end of {kind} must be 0")));
            }
            if kind == "digraph6" {
                edges.push((place / n, place % n));
                continue;
            }
            while place >= first + v {
                (first, v) = (first + v, v + 1);
            }
            edges.push((place - first, v));
        }
    }
    if edges.len() > ITEM_LIMIT {
        return Err(wrong(line, 0, &format!("a graph of at most {ITEM_LIMIT} edges is expected")));
    }
    // All are below ITEM_LIMIT.
    let edges: Vec<(u32, u32)> = edges.into_iter().map(|(u, v)| (width::short(u), width::short(v))).collect();
    let labels = Labels::Ints { from: 0, n: width::index(n) };
    Ok(Graph::of_numbers(word, std::sync::Arc::new(labels), None, edges))
}

/// The number of vertices, which comes first, and where the bits begin.
fn size(body: &[u8], line: usize) -> Result<(u64, usize), Fault> {
    let value = |bytes: &[u8]| bytes.iter().fold(0, |n, byte| n << 6 | u64::from(byte - 63));
    let size = match body {
        [126, 126, long @ ..] => long.get(..6).map(|bytes| (value(bytes), 8)),
        [126, middle @ ..] => middle.get(..3).map(|bytes| (value(bytes), 4)),
        _ => body.get(..1).map(|bytes| (value(bytes), 1)),
    };
    match size {
        Some((n, from)) if n <= ITEM_LIMIT as u64 => Ok((n, from)),
        Some((n, _)) => Err(wrong(line, 0, &format!("a graph of at most {ITEM_LIMIT} vertices is expected, not {n}"))),
        None => Err(wrong(line, 0, "a number of vertices is expected first, and the line ends")),
    }
}

/// The edges of sparse6: pairs of a bit and a number; the bit moves on to the next vertex.
fn sparse(n: u64, bytes: &[u8], edges: &mut Vec<(u64, u64)>) {
    let width = 64 - n.saturating_sub(1).leading_zeros();
    let mut bits = bytes.iter().flat_map(|byte| (0..6).rev().map(move |bit| u64::from(byte - 63) >> bit & 1));
    let mut number = |width| (0..width).try_fold(0, |number, _| Some(number << 1 | bits.next()?));
    let mut v = 0;
    while let (Some(b), Some(x)) = (number(1), number(width)) {
        v += b;
        if x > v {
            v = x;
        } else if v < n {
            edges.push((x, v));
        }
        if v >= n {
            break; // what is left fills the last byte
        }
    }
}

/// The places, from 0, of the bits that are set: six a byte, the highest first.
fn ones(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let some = (0_u64..).zip(bytes).filter(|(_, byte)| **byte != 63);
    some.flat_map(|(i, byte)| (0..6).filter(move |bit| (byte - 63) << bit & 32 != 0).map(move |bit| 6 * i + bit))
}
