//! Making values, taking them apart, going through their members, and the faults that say what was expected.

use crate::source::Code;
use crate::value::{Fault, Graph, Items, List, Position, Surd, Text, Value};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};
use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

/// The most items that one word may make (2 GiB of values): beyond it R06, so that no file can exhaust the memory with a
/// single word.
pub const ITEM_LIMIT: usize = 1 << 26;

impl Value {
    /// An int of any size, in the one form that it has.
    pub fn int(n: BigInt) -> Value {
        i64::try_from(&n).map_or_else(|_| Value::Big(Arc::new(n)), Value::Int)
    }

    /// An int of 128 bits.
    pub fn wide(n: i128) -> Value {
        i64::try_from(n).map_or_else(|_| Value::Big(Arc::new(n.into())), Value::Int)
    }

    /// A number of items or an index.
    pub fn count(n: usize) -> Value {
        i64::try_from(n).map_or_else(|_| Value::int(BigInt::from(n)), Value::Int)
    }

    /// A text.
    pub fn text(text: &str) -> Value {
        Value::Text(Text::new(text))
    }

    /// A character: a text of length 1. Those of ASCII are shared.
    pub fn character(c: char) -> Value {
        static ASCII: LazyLock<Vec<Text>> =
            LazyLock::new(|| (0..128_u8).map(|b| std::iter::once(char::from(b)).collect()).collect());
        let shared = ASCII.get(c as usize).cloned();
        Value::Text(shared.unwrap_or_else(|| std::iter::once(c).collect()))
    }

    /// A tuple of two or more parts.
    pub fn tuple(parts: Vec<Value>) -> Value {
        Value::Tuple(parts.into())
    }

    /// A pair.
    pub fn pair(a: Value, b: Value) -> Value {
        Value::Tuple(Arc::new([a, b]))
    }

    /// A list counted from 0.
    pub fn list(items: Vec<Value>) -> Value {
        Value::list_from(0, items)
    }

    /// A list counted from `base`.
    pub fn list_from(base: i64, items: Vec<Value>) -> Value {
        Value::List(List { base, items: items.into() })
    }

    /// The set of these members; sorts unless they are ascending already.
    pub fn set(mut items: Vec<Value>) -> Value {
        if !items.is_sorted_by(|a, b| a < b) {
            items.sort_unstable();
            items.dedup();
        }
        Value::Set(items.into())
    }

    /// The set of these ints; sorts unless they are ascending already.
    pub(crate) fn set_of_ints(mut ints: Vec<i64>) -> Value {
        if !ints.is_sorted_by(|a, b| a < b) {
            ints.sort_unstable();
            ints.dedup();
        }
        Value::Set(Items::ints(ints))
    }

    /// Whether this is a list that the other is a clone of.
    pub(crate) fn is_same_list(&self, other: &Value) -> bool {
        matches!((self, other), (Value::List(a), Value::List(b)) if a.base == b.base && a.items.is_same(&b.items))
    }

    /// The bag of these members; sorts unless they are ascending already.
    pub fn bag(mut items: Vec<Value>) -> Value {
        if !items.is_sorted() {
            items.sort_unstable();
        }
        Value::Bag(items.into())
    }

    /// `a + b * sqrt(c)` with `c` square-free or 0 or 1, in the one form that it has.
    pub fn real(surd: Surd) -> Value {
        let Surd { mut a, mut b, mut c } = surd;
        if c.is_zero() || b.is_zero() {
            (b, c) = (num_rational::Ratio::zero(), BigInt::zero());
        } else if c == BigInt::from(1) {
            (a, b, c) = (a + b, num_rational::Ratio::zero(), BigInt::zero());
        }
        if b.is_zero() && a.is_integer() { Value::int(a.to_integer()) } else { Value::Real(Arc::new(Surd { a, b, c })) }
    }

    pub(crate) fn zero_position() -> Value {
        Position::sum(Vec::new(), false).into()
    }

    /// The int, whatever its size. Errors: R01 for reals and loopy values, E03 for everything else that is no int.
    pub fn to_big(&self) -> Result<Cow<'_, BigInt>, Fault> {
        match self {
            Value::Int(n) => Ok(Cow::Owned(BigInt::from(*n))),
            Value::Big(n) => Ok(Cow::Borrowed(n)),
            _ => Err(self.no_int()),
        }
    }

    /// The int as an index or a length. Error: R06 when it does not fit, otherwise as [`Value::to_big`].
    pub fn to_i64(&self) -> Result<i64, Fault> {
        match self {
            Value::Int(n) => Ok(*n),
            Value::Big(_) => Err(too_big(&format!("the number {}", excerpt(self)))),
            _ => Err(self.no_int()),
        }
    }

    /// A number of things called `what`. Errors: R01 below 0, R06 above what memory holds, else as [`Value::to_big`].
    pub(crate) fn to_count(&self, what: &str) -> Result<usize, Fault> {
        match self {
            Value::Int(n) if *n >= 0 => n.to_usize().ok_or_else(|| too_big(what)),
            Value::Big(n) if n.sign() == num_bigint::Sign::Plus => Err(too_big(what)),
            Value::Int(_) | Value::Big(_) => {
                Err(Fault::new(Code::R01, format!("{what} is at least 0, not {}", excerpt(self))))
            }
            _ => Err(self.no_int()),
        }
    }

    /// The truth value. Error: E03 for anything else.
    pub(crate) fn to_bool(&self) -> Result<bool, Fault> {
        match self {
            Value::Bool(b) => Ok(*b),
            _ => Err(wanted("true or false", self)),
        }
    }

    /// The text. Error: E03 for anything else.
    pub fn to_text(&self) -> Result<&Text, Fault> {
        match self {
            Value::Text(text) => Ok(text),
            _ => Err(wanted("a text", self)),
        }
    }

    /// The position: 0 and the empty list are the zero position. Error: E03 for anything else.
    pub(crate) fn to_position(&self) -> Result<Arc<Position>, Fault> {
        match self {
            Value::Position(position) => Ok(position.clone()),
            Value::Int(0) => Ok(Arc::new(Position::sum(Vec::new(), false))),
            Value::List(list) if list.items.is_empty() => Ok(Arc::new(Position::sum(Vec::new(), false))),
            _ => Err(wanted("a position", self)),
        }
    }

    fn no_int(&self) -> Fault {
        match self {
            Value::Real(_) => Fault::new(Code::R01, format!("an int is wanted, not the real {}", excerpt(self))),
            Value::Loop(_) => {
                Fault::new(Code::R01, format!("a number is wanted, not the infinite loopy value {}", excerpt(self)))
            }
            _ => wanted("a number", self),
        }
    }
}

/// The ints of a pair of ints.
pub(crate) fn pair(value: &Value) -> Option<(i32, i32)> {
    match value {
        Value::Tuple(parts) => match parts[..] {
            [Value::Int(a), Value::Int(b)] => Some((a.try_into().ok()?, b.try_into().ok()?)),
            _ => None,
        },
        _ => None,
    }
}

/// "`what` is wanted, not ...": E03.
pub fn wanted(what: &str, got: &Value) -> Fault {
    let kind = match got {
        Value::Int(_) | Value::Big(_) => "the number ",
        Value::Text(_) => "the text ",
        Value::Real(_) => "the real ",
        Value::Edge(_) => "the edge ",
        Value::Grid(_) => "the grid ",
        Value::Range(..) => "the range ",
        Value::Loop(_) => "the loopy value ",
        Value::Tuple(_) => "the tuple ",
        Value::List(_) => "the list ",
        Value::Set(_) => "the set ",
        Value::Bool(_) | Value::Bag(_) | Value::Graph(_) | Value::Position(_) => "",
    };
    Fault::new(Code::E03, format!("{what} is wanted here, not {kind}{}", excerpt(got)))
}

/// "`what` is too big for an index or range": R06.
pub fn too_big(what: &str) -> Fault {
    Fault::new(Code::R06, format!("{what} is too big for an index, a range or a collection"))
}

/// The product of `factors`, the number of items in `what`. Error: R06 above [`ITEM_LIMIT`].
pub fn in_items(factors: &[usize], what: &str) -> Result<usize, Fault> {
    factors
        .iter()
        .try_fold(1_usize, |product, &f| product.checked_mul(f))
        .filter(|&n| n <= ITEM_LIMIT)
        .ok_or_else(|| Fault::new(Code::R06, format!("{what} would hold more than {ITEM_LIMIT} items")))
}

/// The value as a message shows it: as in the language, cut after some 60 characters.
pub fn excerpt(value: &Value) -> String {
    match value {
        // Slow to print in full, and unreadable.
        Value::Big(n) if n.bits() > 1000 => format!("an int of {} bits", n.bits()),
        _ => crate::value::show::excerpt(value, 60),
    }
}

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
    Characters(&'a Text, std::ops::Range<usize>),
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
            Members::Characters(text, left) => text.at(left.next()?).map(Value::character),
            Members::Vertices(graph, vertices) => vertices.next().map(|&v| graph.label(v)),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Members::Items(items) => items.size_hint(),
            Members::Packed(_, left) | Members::Characters(_, left) => left.size_hint(),
            Members::Range(range) => range.size_hint(),
            Members::Vertices(_, vertices) => vertices.size_hint(),
        }
    }
}

/// Goes through the members: lists in order; sets and bags ascending, bags with repetition; ranges; texts by
/// characters; graphs and grids by their vertices in graph order. Nothing is allocated but the members of texts and
/// graphs. Error: E03 when the value is no collection.
pub fn iterate(value: &Value) -> Result<Members<'_>, Fault> {
    match value {
        Value::Set(items) | Value::Bag(items) | Value::List(List { items, .. }) => Ok(match items {
            Items::Values(values) => Members::Items(values.iter()),
            Items::Packed(_) => Members::Packed(items, 0..items.len()),
        }),
        Value::Range(from, to) => Ok(Members::Range(*from..=*to)),
        Value::Text(text) => Ok(Members::Characters(text, 0..text.len())),
        Value::Graph(graph) => Ok(Members::Vertices(graph, graph.vertices.iter())),
        Value::Grid(grid) => {
            let graph: &Graph = grid.graph();
            Ok(Members::Vertices(graph, graph.vertices.iter()))
        }
        _ => Err(wanted("a collection", value)),
    }
}

/// The collection in a form that loops step through: list, set, bag or range.
pub(crate) fn iterable(value: &Value) -> Result<Value, Fault> {
    match value {
        Value::List(_) | Value::Set(_) | Value::Bag(_) | Value::Range(..) => Ok(value.clone()),
        Value::Graph(graph) => {
            let items = graph.vertex_items(graph.vertices.iter().copied());
            Ok(Value::List(List { base: 0, items }))
        }
        Value::Grid(grid) => iterable(&Value::Graph(grid.graph().clone())),
        other => Ok(Value::list(members(other)?.into_owned())),
    }
}

/// A member of a set: ranges are spelled out as lists.
pub(crate) fn settled(value: Value) -> Value {
    match &value {
        Value::Range(..) => members(&value).map_or(value.clone(), |all| Value::list(all.into_owned())),
        _ => value,
    }
}

/// The members as a slice, in the order of [`iterate`]; borrowed from lists, sets and bags. Errors: E03 when the value
/// is no collection, R06 for a range of more than [`crate::value::ITEM_LIMIT`] numbers.
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

/// How many members there are; a range has up to 2^64. Error: E03 when the value is no collection.
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
