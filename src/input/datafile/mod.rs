//! Graphs and grids in files of their own: bytes in, value out, in one pass over blocks of the file.
//!
//! A graph is an edge list, DIMACS, or graph6 and its kin; which one is told by the end of the file's name, or by how the file
//! begins.
//!
//! Numbers are taken eight bytes at a time ([`number`]). An edge is two numbers of vertices, or one while edges with
//! the same first end stand together (`value/edges.rs`); rows of neighbours are made when they are first asked for.

pub(super) mod blocks;
mod dimacs;
mod edge_list;
mod graph6;
mod grid;
mod labels;
pub(super) mod number;

use crate::input::datafile::blocks::Blocks;
use crate::model::kind::GraphWord;
use crate::source::diagnostic::Code;
use crate::value::Value;
use crate::value::fault::Fault;
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
/// Linear, in blocks: 10^7 edges between small ints take some tenths of a second and 8 bytes each.
///
/// # Errors
/// D03 with the line and column of what does not fit, what was expected, and what may help.
pub fn graph(source: &mut dyn Read, name: &str, word: GraphWord, line: Option<usize>) -> Result<Value, Fault> {
    let mut blocks = Blocks::new(source);
    let begin = blocks.begin()?;
    let end = Path::new(name).extension().and_then(|end| end.to_str()).unwrap_or_default().to_ascii_lowercase();
    let is_six = matches!(&*end, "g6" | "s6" | "d6") || graph6::HEADERS.iter().any(|h| begin.starts_with(h.as_bytes()));
    let is_dimacs = matches!(&*end, "col" | "dimacs") || dimacs::is_like(begin);
    if line.is_some() && !is_six {
        return Err(Fault::new(Code::D03, "a line is chosen of graph6, sparse6 and digraph6 only, not of this file"));
    }
    let graph = if is_six {
        graph6::read(&mut blocks, word, line)?
    } else if is_dimacs {
        dimacs::read(&mut blocks, word)?
    } else {
        edge_list::read(&mut blocks, word)?
    };
    Ok(Value::Graph(Arc::new(graph)))
}

/// The grid of characters in a file; spaces round a line and blank lines do not count.
///
/// # Errors
/// D03 with the number of the first line whose length differs, or line 1 when there is no row.
pub fn grid(source: &mut dyn Read) -> Result<Value, Fault> {
    grid::read(&mut Blocks::new(source)).map(|grid| Value::Grid(Arc::new(grid)))
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
