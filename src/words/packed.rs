//! Operators on sets of which one at least is packed: no values are spelled out.

use crate::value::graph::Graph;
use crate::value::{Items, Value, pair};
use crate::words::merge::{in_one, included, merge_out, union};
use std::borrow::Cow;
use std::sync::Arc;

/// What makes a set of two.
#[derive(Clone, Copy)]
pub(super) enum SetWord {
    Union,
    Minus,
    Xor,
    Meet,
}

/// Two sets as ascending words of one kind.
enum Both<'a> {
    Ints(Cow<'a, [i64]>, Cow<'a, [i64]>),
    Pairs(Cow<'a, [(i64, i64)]>, Cow<'a, [(i64, i64)]>),
    Edges(&'a Arc<Graph>, Cow<'a, [u32]>, Cow<'a, [u32]>),
}

/// The set that `word` makes of two sets. `None`: neither is packed, or they do not go together. Linear, or `m log n` where
/// one is much smaller.
pub(super) fn made(word: SetWord, a: &Value, b: &Value) -> Option<Value> {
    Some(Value::Set(match both(a, b)? {
        Both::Ints(a, b) => Items::ints(joined(word, &a, &b)),
        Both::Pairs(a, b) => Items::pairs(joined(word, &a, &b)),
        Both::Edges(graph, a, b) => Items::edges(graph, joined(word, &a, &b)),
    }))
}

/// Whether all members of `a` are in `b`. `None` as for [`made`].
pub(super) fn inside(a: &Value, b: &Value) -> Option<bool> {
    Some(match both(a, b)? {
        Both::Ints(a, b) => included(&a, &b),
        Both::Pairs(a, b) => included(&a, &b),
        Both::Edges(_, a, b) => included(&a, &b),
    })
}

/// Whether all members of a set are in another, where one of them at least is packed; `false` where that is not known.
pub(crate) fn all_inside(a: &Value, b: &Value) -> bool {
    inside(a, b).unwrap_or(false)
}

fn both<'a>(a: &'a Value, b: &'a Value) -> Option<Both<'a>> {
    let (Value::Set(a), Value::Set(b)) = (a, b) else { return None };
    if a.as_ints().is_some() || b.as_ints().is_some() {
        return Some(Both::Ints(ints(a)?, ints(b)?));
    }
    if a.as_pairs().is_some() || b.as_pairs().is_some() {
        return Some(Both::Pairs(pairs(a)?, pairs(b)?));
    }
    let (graph, _) = a.as_edges().or_else(|| b.as_edges())?;
    Some(Both::Edges(graph, indices(graph, a)?, indices(graph, b)?))
}

fn ints(items: &Items) -> Option<Cow<'_, [i64]>> {
    if let Some(ints) = items.as_ints() {
        return Some(Cow::Borrowed(ints));
    }
    let Items::Values(values) = items else { return None };
    values.iter().map(|value| if let Value::Int(n) = value { Some(*n) } else { None }).collect()
}

fn pairs(items: &Items) -> Option<Cow<'_, [(i64, i64)]>> {
    if let Some(pairs) = items.as_pairs() {
        return Some(Cow::Borrowed(pairs));
    }
    let Items::Values(values) = items else { return None };
    values.iter().map(pair).collect()
}

/// The indices of edges; ascending, as the edges of a set are.
fn indices<'a>(graph: &Arc<Graph>, items: &'a Items) -> Option<Cow<'a, [u32]>> {
    match items {
        Items::Packed(_) => {
            items.as_edges().filter(|(of, _)| Arc::ptr_eq(of, graph)).map(|(_, indices)| indices.slice())
        }
        Items::Values(values) => values
            .iter()
            .map(|value| match value {
                Value::Edge(edge) => u32::try_from(graph.edge_index(edge)?).ok(),
                _ => None,
            })
            .collect(),
    }
}

fn joined<T: Ord + Clone>(word: SetWord, a: &[T], b: &[T]) -> Vec<T> {
    match word {
        SetWord::Union => union(a, b),
        SetWord::Minus => merge_out(a, b),
        SetWord::Xor => in_one(a, b),
        SetWord::Meet => {
            let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
            few.iter().filter(|x| many.binary_search(x).is_ok()).cloned().collect()
        }
    }
}
