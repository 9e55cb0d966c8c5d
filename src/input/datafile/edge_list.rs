//! Edge lists: a line `u v` is an edge, a line with one label a vertex.

use crate::input::datafile::blocks::{Blocks, utf8};
use crate::input::datafile::labels::Met;
use crate::input::datafile::number::pair;
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

    /// A line of any form.
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
