//! Words that make graphs.

use crate::model::kind::GraphWord;
use crate::source::diagnostic::Code;
use crate::value::fault::Fault;
use crate::value::graph::{Graph, Labels};
use crate::value::{List, Value, in_items, iterate, members, too_big, wanted};
use std::sync::Arc;

/// `graph`, `digraph`, `multigraph` of a number or collection of vertices and edges; of a graph; of lists of successors.
pub(super) fn graph(word: GraphWord, args: &[Value]) -> Result<Value, Fault> {
    let made = match args {
        [Value::Graph(g)] if g.word == word => return Ok(args[0].clone()),
        [Value::Graph(g)] if g.word == GraphWord::Graph && word == GraphWord::Multigraph => g.as_multigraph(),
        [Value::Graph(g)] => g.as_word(word),
        [Value::Grid(grid)] if word == GraphWord::Graph => return Ok(Value::Graph(Arc::clone(grid.graph()))),
        [Value::Grid(grid)] => grid.graph().as_word(word),
        [successors] if word == GraphWord::Digraph => from_successors(successors)?,
        [vertices, Value::List(List { items, .. })]
            if let Some(pairs) = items.as_pairs()
                && let Some(made) = of_pairs(word, vertices, pairs)? =>
        {
            made
        }
        [vertices, edges] => {
            let edges = members(edges)?;
            in_items(&[edges.len(), 2], "a graph of so many edges")?;
            let ends = edges.iter().map(crate::value::ends).collect::<Result<Vec<_>, Fault>>()?;
            match vertices {
                Value::Int(_) | Value::Big(_) => {
                    let n = vertices.to_count("the number of vertices")?;
                    Graph::numbered(word, 0, n, ends)?
                }
                Value::Range(from, to) if fits(*from, *to, &ends) => {
                    let n = members_of_range(*from, *to)?;
                    Graph::numbered(word, *from, n, ends)?
                }
                _ => Graph::labelled(word, &members(vertices)?, ends.into_iter()),
            }
        }
        [other] => return Err(wanted("a graph", other)),
        _ => return Err(Fault::new(Code::E05, "a graph is made of vertices and edges")),
    };
    Ok(Value::Graph(Arc::new(made)))
}

/// The same of packed pairs; nothing where vertices are other than ints.
fn of_pairs(word: GraphWord, vertices: &Value, pairs: &[(i64, i64)]) -> Result<Option<Graph>, Fault> {
    in_items(&[pairs.len(), 2], "a graph of so many edges")?;
    match vertices {
        Value::Int(_) | Value::Big(_) => {
            let n = vertices.to_count("the number of vertices")?;
            Graph::of_pairs(word, 0, n, pairs).map(Some)
        }
        Value::Set(_) | Value::List(_) => {
            let int = |label: Value| if let Value::Int(n) = label { Some(n) } else { None };
            let first: Option<Vec<i64>> = iterate(vertices)?.map(int).collect();
            Ok(first.and_then(|first| Graph::of_ints(word, &first, pairs)))
        }
        _ => Ok(None),
    }
}

/// Whether a graph of consecutive numbers needs no other vertices for these edges.
fn fits(from: i64, to: i64, ends: &[(&Value, &Value)]) -> bool {
    let inside = |label: &Value| matches!(label, Value::Int(n) if from <= *n && *n <= to);
    from <= to && ends.iter().all(|(u, v)| inside(u) && inside(v))
}

fn members_of_range(from: i64, to: i64) -> Result<usize, Fault> {
    in_items(&[iterate(&Value::Range(from, to))?.size_hint().0], "a graph of so many vertices")
}

/// Lists of successors of the vertices 0, 1, ... (counted as the list is).
fn from_successors(successors: &Value) -> Result<Graph, Fault> {
    let base = if let Value::List(list) = successors { list.base } else { 0 };
    let rows = members(successors)?;
    let len = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    base.checked_add(len).ok_or_else(|| too_big("the last vertex"))?;
    let mut arcs = Vec::new();
    for (row, tail) in rows.iter().zip(base..) {
        for head in iterate(row)? {
            in_items(&[arcs.len(), 2], "a graph of so many arcs")?;
            arcs.push((Value::Int(tail), head));
        }
    }
    Graph::numbered(GraphWord::Digraph, base, rows.len(), arcs.iter().map(|(u, v)| (u, v)))
}

/// A graph of the vertices 0, ..., n - 1 from pairs of numbers below n.
fn plain(n: usize, edges: Vec<(u32, u32)>) -> Value {
    let labels = Arc::new(Labels::Ints { from: 0, n });
    Value::Graph(Arc::new(Graph::of_numbers(GraphWord::Graph, labels, None, edges)))
}

/// A number of vertices that has a graph of so many edges for each of them.
fn order(n: &Value) -> Result<u32, Fault> {
    let n = in_items(&[n.to_count("the number of vertices")?], "a graph of so many vertices")?;
    Ok(u32::try_from(n).unwrap_or(u32::MAX)) // below ITEM_LIMIT
}

pub(super) fn path(n: &Value) -> Result<Value, Fault> {
    let n = order(n)?;
    Ok(plain(n as usize, (1..n).map(|i| (i - 1, i)).collect()))
}

pub(super) fn cycle(n: &Value) -> Result<Value, Fault> {
    let n = order(n)?;
    Ok(plain(n as usize, (0..n).map(|i| (i, (i + 1) % n)).collect()))
}

pub(super) fn complete(n: &Value) -> Result<Value, Fault> {
    let n = order(n)?;
    in_items(&[n as usize, n as usize / 2], "the edges of this graph")?;
    Ok(plain(n as usize, (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).collect()))
}

pub(super) fn star(n: &Value) -> Result<Value, Fault> {
    let n = order(n)?;
    Ok(plain(n as usize, (1..n).map(|i| (0, i)).collect()))
}

pub(super) fn bipartite(a: &Value, b: &Value) -> Result<Value, Fault> {
    let (a, b) = (order(a)?, order(b)?);
    in_items(&[a as usize, b as usize], "the edges of this graph")?;
    let n = in_items(&[a as usize + b as usize], "a graph of so many vertices")?;
    Ok(plain(n, (0..a).flat_map(|i| (a..a + b).map(move |j| (i, j))).collect()))
}

/// The outer pentagon 0..4, the spokes, the inner star 5..9.
pub(super) fn petersen() -> Value {
    let outer = (0..5).map(|i| (i, (i + 1) % 5));
    let spokes = (0..5).map(|i| (i, i + 5));
    let inner = (0..5).map(|i| (i + 5, (i + 2) % 5 + 5));
    plain(10, outer.chain(spokes).chain(inner).collect())
}
