//! The members of a collection in the order of rule 18.

use crate::value::fault::Fault;
use crate::value::graph::Graph;
use crate::value::text::Characters;
use crate::value::{Items, List, Value, in_items, wanted};
use num_bigint::BigInt;
use std::borrow::Cow;

/// The members of a collection, one after another; nothing is stored.
#[derive(Clone, Debug)]
pub enum Members<'a> {
    /// Of a list, set or bag.
    Items(std::slice::Iter<'a, Value>),
    /// Of one with packed items: what is left of them.
    Packed(&'a Items, std::ops::Range<usize>),
    /// Of a range.
    Range(std::ops::RangeInclusive<i64>),
    /// Of a text.
    Characters(Characters<'a>),
    /// Of a graph or grid.
    Vertices(&'a Graph, std::slice::Iter<'a, u32>),
}

impl Iterator for Members<'_> {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        match self {
            Members::Items(items) => items.next().cloned(),
            Members::Packed(items, left) => items.item(left.next()?),
            Members::Range(range) => range.next().map(Value::Int),
            Members::Characters(characters) => characters.next().map(Value::character),
            Members::Vertices(graph, vertices) => vertices.next().map(|&v| graph.label(v)),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Members::Items(items) => items.size_hint(),
            Members::Packed(_, left) => left.size_hint(),
            Members::Range(range) => range.size_hint(),
            Members::Characters(characters) => characters.size_hint(),
            Members::Vertices(_, vertices) => vertices.size_hint(),
        }
    }
}

/// Goes through the members: lists in order; sets and bags ascending, bags with repetition; ranges; texts by characters;
/// graphs and grids by their vertices in graph order. Nothing is allocated but the members of texts and graphs.
///
/// # Errors
/// E03 when the value is no collection.
pub fn iterate(value: &Value) -> Result<Members<'_>, Fault> {
    match value {
        Value::Set(items) | Value::Bag(items) | Value::List(List { items, .. }) => Ok(match items {
            Items::Values(values) => Members::Items(values.iter()),
            Items::Packed(_) => Members::Packed(items, 0..items.len()),
        }),
        Value::Range(from, to) => Ok(Members::Range(*from..=*to)),
        Value::Text(text) => Ok(Members::Characters(text.characters())),
        Value::Graph(graph) => Ok(Members::Vertices(graph, graph.vertices.iter())),
        Value::Grid(grid) => {
            let graph: &Graph = grid.graph();
            Ok(Members::Vertices(graph, graph.vertices.iter()))
        }
        _ => Err(wanted("a collection", value)),
    }
}

/// The members as a slice, in the order of [`iterate`]; borrowed from lists, sets and bags.
///
/// # Errors
/// E03 when the value is no collection, R06 for a range of more than [`crate::value::ITEM_LIMIT`] numbers.
pub fn members(value: &Value) -> Result<Cow<'_, [Value]>, Fault> {
    match value {
        Value::List(list) => Ok(Cow::Borrowed(&list.items)),
        Value::Set(items) | Value::Bag(items) => Ok(Cow::Borrowed(items)),
        Value::Range(from, to) => {
            in_items(&[range_size(*from, *to)], "the members of this range")?;
            Ok(Cow::Owned((*from..=*to).map(Value::Int).collect()))
        }
        _ => Ok(Cow::Owned(iterate(value)?.collect())),
    }
}

/// How many members there are; a range has up to 2^64.
///
/// # Errors
/// E03 when the value is no collection.
pub fn size(value: &Value) -> Result<Value, Fault> {
    match value {
        Value::Range(from, to) if to < from => Ok(Value::Int(0)),
        Value::Range(from, to) => Ok(Value::int(BigInt::from(*to) - *from + 1)),
        Value::Edge(_) | Value::Tuple(_) => Err(wanted("a collection", value)),
        Value::Graph(graph) => Ok(Value::count(graph.vertices.len())),
        Value::Grid(grid) => Ok(Value::count(grid.graph().vertices.len())),
        _ => Ok(Value::count(iterate(value)?.size_hint().0)),
    }
}

/// The number of members of a range, or the greatest `usize` when it does not fit.
pub(crate) fn range_size(from: i64, to: i64) -> usize {
    if to < from { 0 } else { usize::try_from(to.abs_diff(from)).map_or(usize::MAX, |n| n.saturating_add(1)) }
}
