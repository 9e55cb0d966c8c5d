//! All graphs of a kind up to isomorphism, and tuples of indices: what claims run over.
//!
//! A graph is the list of its edges on the vertices `0..n`. Lists are ascending by number of edges, then by a canonical form,
//! so that they are the same on every machine. The counts are those of the OEIS named at each function.

mod augment;
mod canonical;
mod multigraphs;
mod trees;
mod tuples;

pub use crate::enumerate::tuples::{Tuples, bags, lists};

use crate::Ends;
use crate::enumerate::augment::Family;
use crate::strong::is_connected;

/// Up to how many vertices [`graphs`] and [`connected`] go.
pub const MAX_GRAPHS: usize = 9;
/// Up to how many vertices [`trees`] goes.
pub const MAX_TREES: usize = 18;
/// Up to how many vertices [`rooted_trees`] goes.
pub const MAX_ROOTED_TREES: usize = 15;
/// Up to how many vertices [`digraphs`] goes.
pub const MAX_DIGRAPHS: usize = 5;
/// Up to how many vertices [`dags`] goes.
pub const MAX_DAGS: usize = 7;
/// Up to how many elements [`posets`] goes.
pub const MAX_POSETS: usize = 8;

fn within(word: &str, n: usize, max: usize) -> Result<(), String> {
    if n <= max { Ok(()) } else { Err(format!("`{word}({n})` is too much: `{word}(n)` goes up to n = {max}")) }
}

/// The graphs with `n` vertices, no loops (A000088). About 3 microseconds for each graph with one vertex more than asked.
///
/// # Errors
/// When `n` exceeds [`MAX_GRAPHS`].
pub fn graphs(n: usize) -> Result<Vec<Vec<Ends>>, String> {
    within("graphs", n, MAX_GRAPHS)?;
    Ok(augment::all(Family::Graphs, n))
}

/// The connected graphs with `n` vertices (A001349); the one without vertices is among them. Cost as [`graphs`].
///
/// # Errors
/// When `n` exceeds [`MAX_GRAPHS`].
pub fn connected(n: usize) -> Result<Vec<Vec<Ends>>, String> {
    within("connected", n, MAX_GRAPHS)?;
    let mut all = augment::all(Family::Graphs, n);
    all.retain(|edges| is_connected(n, edges));
    Ok(all)
}

/// The trees with `n` vertices (A000055; one for `n = 0`). Constant time for each on average, apart from writing it down.
///
/// # Errors
/// When `n` exceeds [`MAX_TREES`].
pub fn trees(n: usize) -> Result<Vec<Vec<Ends>>, String> {
    within("trees", n, MAX_TREES)?;
    Ok(trees::all(n))
}

/// The rooted trees with `n` vertices (A000081), vertex 0 the root; none for `n = 0`. Constant time for each on average,
/// apart from writing it down.
///
/// # Errors
/// When `n` exceeds [`MAX_ROOTED_TREES`].
pub fn rooted_trees(n: usize) -> Result<Vec<Vec<Ends>>, String> {
    within("rooted_trees", n, MAX_ROOTED_TREES)?;
    Ok(trees::rooted(n))
}

/// The digraphs with `n` vertices, no loops, arcs both ways allowed (A000273).
///
/// # Errors
/// When `n` exceeds [`MAX_DIGRAPHS`].
pub fn digraphs(n: usize) -> Result<Vec<Vec<Ends>>, String> {
    within("digraphs", n, MAX_DIGRAPHS)?;
    Ok(augment::all(Family::Digraphs, n))
}

/// The digraphs with `n` vertices without cycles (A003087).
///
/// # Errors
/// When `n` exceeds [`MAX_DAGS`].
pub fn dags(n: usize) -> Result<Vec<Vec<Ends>>, String> {
    within("dags", n, MAX_DAGS)?;
    Ok(augment::all(Family::Dags, n))
}

/// The partially ordered sets with `n` elements (A000112): an arc from each element to all that are less.
///
/// # Errors
/// When `n` exceeds [`MAX_POSETS`].
pub fn posets(n: usize) -> Result<Vec<Vec<Ends>>, String> {
    within("posets", n, MAX_POSETS)?;
    Ok(augment::all(Family::Posets, n))
}

/// The multigraphs with `n` vertices and exactly `edges` edges, loops and parallel edges allowed; vertices may be isolated.
///
/// # Errors
/// When `n` or `edges` or their combination is too much; the message names the bound.
pub fn multigraphs(n: usize, edges: usize) -> Result<Vec<Vec<Ends>>, String> {
    multigraphs::all(n, edges)
}
