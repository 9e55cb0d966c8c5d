//! Graphs and grids in files of their own: bytes in, value out, in one pass over blocks of the file.
//!
//! A graph is an edge list, DIMACS, or graph6 and its kin; which one is told by the end of the file's name, or by how the file
//! begins.
//!
//! Numbers are taken eight bytes at a time ([`number`]). An edge is two numbers of vertices, or one while edges with
//! the same first end stand together (`value/graph.rs`); rows of neighbours are made when they are first asked for.

pub mod blocks;
mod graph6;
pub mod number;

use crate::input::datafile::blocks::{Blocks, first_line, utf8};
use crate::input::datafile::number::pair;
use crate::input::first_of;
use crate::model::GraphWord;
use crate::source::Code;
use crate::value::{Fault, Graph, Grid, ITEM_LIMIT, Labels, Value, width};
use grundy_graphs::Ends;
use hashbrown::HashMap;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// The graph in a file of this name.
///
/// * Names in `.g6`, `.s6`, `.d6`, and files that begin with one of the headers of these formats: graph6, sparse6, digraph6; vertices
///   0..n-1. `line` chooses one of several graphs.
/// * Names in `.col`, `.dimacs`, and files that begin with comments `c` and a line `p edge N M`: DIMACS; vertices 1..n.
/// * All others: an edge list. A line `u v` is an edge, a line with one label a vertex; blank lines and what follows `#` do not
///   count. Labels are ints or words; vertices come in the order of their first appearance.
///
/// Linear, in blocks: 10^7 edges between small ints take some tenths of a second and 8 bytes each. Error: D03 with the
/// line and column of what does not fit, what was expected, and what may help.
pub fn graph(source: &mut dyn Read, name: &str, word: GraphWord, line: Option<usize>) -> Result<Value, Fault> {
    let mut blocks = Blocks::new(source);
    let begin = blocks.begin()?;
    let end = Path::new(name).extension().and_then(|end| end.to_str()).unwrap_or_default().to_ascii_lowercase();
    let is_six = matches!(&*end, "g6" | "s6" | "d6") || graph6::HEADERS.iter().any(|h| begin.starts_with(h.as_bytes()));
    let is_dimacs = matches!(&*end, "col" | "dimacs") || is_like_dimacs(begin);
    if line.is_some() && !is_six {
        return Err(Fault::new(Code::D03, "a line is chosen of graph6, sparse6 and digraph6 only, not of this file"));
    }
    let graph = if is_six {
        graph6::read(&mut blocks, word, line)?
    } else if is_dimacs {
        dimacs(&mut blocks, word)?
    } else {
        edge_list(&mut blocks, word)?
    };
    Ok(Value::Graph(Arc::new(graph)))
}

/// A line that does not fit, and the column where (0: all of it).
fn wrong(line: usize, column: usize, what: &str) -> Fault {
    let place = if column > 0 { format!("line {line}, column {column}") } else { format!("line {line}") };
    Fault::new(Code::D03, format!("{place}: {what}"))
}

fn directed(line: usize) -> Fault {
    wrong(line, 0, "a graph without directions is expected, and digraph6 has arcs").hint("write `digraph from`")
}

fn undirected(line: usize) -> Fault {
    wrong(line, 0, "a digraph is expected, and the edges of this format have no direction")
        .hint("read it with `graph from` and make it a digraph of both directions: `digraph(g)`")
}

/// Whether a text begins like one of these: a line `p edge N M` or `p col N M` after comments.
fn is_like_dimacs(mut text: &[u8]) -> bool {
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

/// The graph. Linear. Error: D03 with the first line that does not fit; when there are neither M edges nor M / 2 (some
/// writers count both directions, some list both).
fn dimacs(blocks: &mut Blocks, word: GraphWord) -> Result<Graph, Fault> {
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

/// The graph of an edge list. Linear: lines of two small ints take some ten nanoseconds each, and eight bytes. Error:
/// D03 with the first line that is neither an edge nor a vertex.
fn edge_list(blocks: &mut Blocks, word: GraphWord) -> Result<Graph, Fault> {
    let mut list = List { met: Met::default(), edges: Vec::new(), like_graph6: true };
    blocks.each_line(&mut list, List::plain, List::line)?;
    if list.edges.is_empty() && list.met.len() > 0 && list.like_graph6 {
        let what = "an edge `u v` is expected somewhere: this may be a list of vertices, but it may be graph6, too";
        return Err(wrong(1, 0, what).hint("let the name of a file of graph6 end in `.g6`"));
    }
    Ok(list.met.graph(word, list.edges))
}

struct List {
    met: Met,
    edges: Vec<Ends>,
    /// There are only lines that graph6 might have.
    like_graph6: bool,
}

impl List {
    fn is_full(&self) -> bool {
        self.met.len().max(self.edges.len()) >= ITEM_LIMIT - 2
    }

    /// A line of two small ints.
    #[inline]
    fn plain(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let (u, v, next) = pair(text, at).filter(|_| !self.is_full())?;
        if self.edges.last().is_none_or(|last| last.0 != u) {
            self.met.small(u);
        }
        self.met.small(v);
        self.edges.push((u, v));
        Some(next)
    }

    fn line(&mut self, line: usize, content: &[u8]) -> Result<(), Fault> {
        if self.is_full() {
            let what = format!("a graph of fewer than {ITEM_LIMIT} vertices and edges is expected");
            return Err(wrong(line, 0, &what));
        }
        let whole = utf8(line, content)?;
        let text = whole.split('#').next().unwrap_or_default();
        let mut words = text.split_whitespace();
        let Some(u) = words.next() else { return Ok(()) };
        let Some(v) = words.next() else {
            if u.contains([',', ';']) || u.contains("->") {
                let what = format!("two vertices `u v` (or one alone) are expected, not `{}`", short(u));
                return Err(
                    wrong(line, column(whole, u), &what).hint("put a blank between the vertices and nothing else")
                );
            }
            self.like_graph6 &= graph6::is_like(u.as_bytes());
            self.met.word(u);
            return Ok(());
        };
        if let Some(third) = words.next() {
            let count = 3 + words.count();
            let what = format!("two vertices `u v` (or one alone) are expected, not {count} words");
            let hint = "an edge has no weight or name here; what follows `#` does not count";
            return Err(wrong(line, column(whole, third), &what).hint(hint));
        }
        let (u, v) = (self.met.word(u), self.met.word(v));
        self.edges.push((u, v));
        Ok(())
    }
}

/// The column, in characters from 1, of a part of a line.
fn column(line: &str, part: &str) -> usize {
    let at = part.as_ptr() as usize - line.as_ptr() as usize; // a part stands within its line
    line.get(..at).map_or(0, |before| before.chars().count() + 1)
}

/// A word as a message shows it.
fn short(word: &str) -> String {
    first_of(word, 40)
}

/// Ints below stand for themselves while a file is read; other labels have numbers from here on.
const SMALL: u32 = 100_000_000;

/// The labels met so far.
#[derive(Default)]
struct Met {
    /// A bit for each small int that was met.
    small: Vec<u64>,
    ints: HashMap<Value, u32>,
    words: HashMap<Box<str>, u32>,
    /// The values of the numbers from [`SMALL`] on.
    others: Vec<Value>,
    /// All in the order of their first appearance.
    order: Vec<u32>,
}

impl Met {
    fn len(&self) -> usize {
        self.order.len()
    }

    /// Notes an int of at most eight digits.
    #[inline]
    fn small(&mut self, int: u32) {
        let (at, bit) = (int as usize / 64, 1 << (int % 64));
        if at >= self.small.len() {
            self.small.resize((at + 1).next_power_of_two(), 0);
        }
        let word = &mut self.small[at];
        if *word & bit == 0 {
            *word |= bit;
            self.order.push(int);
        }
    }

    /// Notes a label, an int or any other word; the number that stands for it.
    fn word(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.words.get(word) {
            return number;
        }
        let next = SMALL.saturating_add(width::short(self.others.len())); // refused by the caller
        let value = label(word);
        let known = match &value {
            Value::Int(n) if (0..i64::from(SMALL)).contains(n) => {
                let int = u32::try_from(*n).unwrap_or(0); // below SMALL
                self.small(int);
                return int;
            }
            Value::Text(_) => self.words.insert(word.into(), next).unwrap_or(next),
            _ => *self.ints.entry(value.clone()).or_insert(next),
        };
        if known == next {
            self.others.push(value);
            self.order.push(next);
        }
        known
    }

    /// The graph of these labels with edges between their numbers.
    fn graph(self, word: GraphWord, mut edges: Vec<Ends>) -> Graph {
        let Met { small, others, mut order, ints, words } = self;
        drop((ints, words));
        let mut before = Vec::with_capacity(small.len());
        let mut count = 0;
        for bits in &small {
            before.push(count);
            count += bits.count_ones();
        }
        let rank = |int: u32| {
            let (bits, low) = (small[int as usize / 64], int % 64);
            // Most words are full where most ints were met.
            before[int as usize / 64] + if bits == u64::MAX { low } else { (bits & !(u64::MAX << low)).count_ones() }
        };
        let first = order.iter().copied().min().unwrap_or(0);
        let last = order.iter().copied().max().unwrap_or(0);
        if others.is_empty() && last - first < count {
            // All ints from the first to the last.
            if first > 0 {
                for v in &mut order {
                    *v -= first;
                }
                for (u, v) in &mut edges {
                    (*u, *v) = (*u - first, *v - first);
                }
            }
            let labels = Labels::Ints { from: i64::from(first), n: order.len() };
            return Graph::of_numbers(word, Arc::new(labels), Some(order), edges);
        }
        // Negative ints stand before the small ones, larger ints and words behind.
        let mut sorted: Vec<u32> = (0..).take(others.len()).collect();
        sorted.sort_unstable_by(|&a, &b| others[a as usize].cmp(&others[b as usize]));
        let negative = sorted.partition_point(|&i| others[i as usize] < Value::Int(0));
        let mut table = Vec::with_capacity(order.len());
        let mut numbers = vec![0; others.len()];
        let mut put = |table: &mut Vec<Value>, i: u32| {
            numbers[i as usize] = width::short(table.len()); // refused by the caller
            table.push(others[i as usize].clone());
        };
        for &i in &sorted[..negative] {
            put(&mut table, i);
        }
        let from = width::short(negative); // likewise
        for (at, bits) in (0_i64..).zip(&small) {
            let mut bits = *bits;
            while bits != 0 {
                table.push(Value::Int(at * 64 + i64::from(bits.trailing_zeros())));
                bits &= bits - 1;
            }
        }
        for &i in &sorted[negative..] {
            put(&mut table, i);
        }
        let number = |v: u32| if v < SMALL { from + rank(v) } else { numbers[(v - SMALL) as usize] };
        for v in &mut order {
            *v = number(*v);
        }
        for (u, v) in &mut edges {
            (*u, *v) = (number(*u), number(*v));
        }
        Graph::of_numbers(word, Arc::new(Labels::of_ascending(table)), Some(order), edges)
    }
}

/// The label that a word stands for: an int, whatever its zeros and sign, or a text.
fn label(word: &str) -> Value {
    if let Ok(n) = word.parse::<i64>() {
        return Value::Int(n);
    }
    // Beyond 64 bits; what is longer than any number of use is a word.
    let digits = word.strip_prefix('-').unwrap_or(word);
    let is_int = !digits.is_empty() && digits.len() < 1000 && digits.bytes().all(|b| b.is_ascii_digit());
    let int = is_int.then(|| word.parse::<num_bigint::BigInt>().ok()).flatten();
    int.map_or_else(|| Value::text(word), Value::int)
}

/// The grid of characters in a file; spaces round a line and blank lines do not count. Error: D03 with the number of
/// the first line whose length differs, or line 1 when there is no row.
pub fn grid(source: &mut dyn Read) -> Result<Value, Fault> {
    let mut blocks = Blocks::new(source);
    let mut grid: (usize, Vec<char>) = (0, Vec::new());
    blocks.each_line(
        &mut grid,
        |_, _, _| None,
        |(rows, cells), line, content| {
            let content = utf8(line, content)?.trim();
            if content.is_empty() {
                return Ok(());
            }
            let before = cells.len();
            cells.extend(content.chars());
            let (cols, length) = (before / (*rows).max(1), cells.len() - before);
            if *rows > 0 && length != cols {
                return Err(wrong(line, 0, &format!("{cols} cells are expected as before, not {length}")));
            }
            *rows += 1;
            Ok(())
        },
    )?;
    let (rows, cells) = grid;
    if rows == 0 {
        return Err(wrong(1, 0, "a row of cells is expected"));
    }
    Grid::new(rows, cells.len() / rows, cells).map(|grid| Value::Grid(Arc::new(grid)))
}
