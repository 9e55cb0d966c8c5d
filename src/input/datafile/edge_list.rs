//! Edge lists: a line `u v` is an edge, a line with one label a vertex.

use crate::input::datafile::blocks::{Blocks, first_line, utf8};
use crate::input::datafile::labels::Met;
use crate::input::datafile::number::number;
use crate::input::datafile::{graph6, wrong};
use crate::model::kind::GraphWord;
use crate::value::ITEM_LIMIT;
use crate::value::fault::Fault;
use crate::value::graph::Graph;
use grundy_graphs::Ends;

/// The graph of an edge list. Linear: lines of two small ints take some ten nanoseconds each, and eight bytes.
///
/// # Errors
/// D03 with the first line that is neither an edge nor a vertex.
pub(super) fn read(blocks: &mut Blocks, word: GraphWord) -> Result<Graph, Fault> {
    let mut list = List { first: First::default(), met: Met::default(), edges: Vec::new(), like_graph6: true };
    loop {
        let before = blocks.lines();
        let text = blocks.look()?;
        let bytes = text.len();
        if bytes == 0 {
            break;
        }
        let (mut at, mut line) = (0, before);
        while at < bytes {
            line += 1;
            if list.met.len().max(list.edges.len()) >= ITEM_LIMIT - 2 {
                let what = format!("a graph of fewer than {ITEM_LIMIT} vertices and edges is expected");
                return Err(wrong(line, 0, &what));
            }
            if let Some((u, v, next)) = plain(text, at, &mut list.first) {
                if list.edges.last().is_none_or(|last| last.0 != u) {
                    list.met.small(u);
                }
                list.met.small(v);
                list.edges.push((u, v));
                at = next;
            } else {
                let (content, length) = first_line(&text[at..]);
                list.line(line, content)?;
                at += length;
            }
        }
        blocks.pass(bytes, line - before);
    }
    if list.edges.is_empty() && list.met.len() > 0 && list.like_graph6 {
        let what = "an edge `u v` is expected somewhere: this may be a list of vertices, but it may be graph6, too";
        return Err(wrong(1, 0, what).hint("let the name of a file of graph6 end in `.g6`"));
    }
    Ok(list.met.graph(word, list.edges))
}

/// Two numbers of up to eight digits with one blank between, and where the next line begins.
#[inline]
fn plain(text: &[u8], at: usize, first: &mut First) -> Option<(u32, u32, usize)> {
    let at = match first.stands(text, at) {
        Some(at) => at,
        None => first.read(text, at)?,
    };
    let (v, at) = number(text, at)?;
    let u = first.number;
    match text.get(at)? {
        b'\n' => Some((u, v, at + 1)),
        b'\r' if text.get(at + 1) == Some(&b'\n') => Some((u, v, at + 2)),
        _ => None,
    }
}

/// The first number of a line, which is often that of the next line, too.
#[derive(Default)]
struct First {
    number: u32,
    /// Its digits and the blank behind them; the bits they take, and their number.
    text: u64,
    bits: u64,
    len: usize,
}

impl First {
    fn word(text: &[u8], at: usize) -> Option<u64> {
        Some(u64::from_le_bytes(text.get(at..at + 8)?.try_into().ok()?))
    }

    /// Where the second number begins if this number and its blank stand here.
    #[inline]
    fn stands(&self, text: &[u8], at: usize) -> Option<usize> {
        (self.len > 0 && First::word(text, at)? & self.bits == self.text).then_some(at + self.len)
    }

    /// Reads another number, of at most seven digits; where the second begins.
    #[inline]
    fn read(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let (number, end) = number(text, at)?;
        if !matches!(text.get(end), Some(b' ' | b'\t')) {
            return None;
        }
        let len = end + 1 - at;
        // With eight digits the blank is out of the word, and the next line is read in full.
        *self = if len > 8 {
            First { number, ..First::default() }
        } else {
            let bits = u64::MAX >> (64 - 8 * len);
            First { number, text: First::word(text, at)? & bits, bits, len }
        };
        Some(end + 1)
    }
}

struct List {
    first: First,
    met: Met,
    edges: Vec<Ends>,
    /// There are only lines that graph6 might have.
    like_graph6: bool,
}

impl List {
    /// A line of any form.
    fn line(&mut self, line: usize, content: &[u8]) -> Result<(), Fault> {
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
pub(super) fn column(line: &str, part: &str) -> usize {
    let at = part.as_ptr() as usize - line.as_ptr() as usize; // a part stands within its line
    line.get(..at).map_or(0, |before| before.chars().count() + 1)
}

/// A word as a message shows it.
pub(super) fn short(word: &str) -> String {
    const SHOWN: usize = 40;
    let mut short: String = word.chars().take(SHOWN).collect();
    if short.len() < word.len() {
        short.push_str("...");
    }
    short
}
