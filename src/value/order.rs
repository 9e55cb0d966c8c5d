//! Equality, hashing and the one total order of values.
//!
//! The order is total so that sets and bags of anything have one canonical arrangement: numbers, texts, tuples and lists
//! (lexicographic), sets and bags (by their ascending members), edges by identity. `<` of the language on sets and bags is
//! inclusion and lives elsewhere.

use crate::value::{Cells, Grid, Items, List, Surd, Text, Value, width};
use num_bigint::BigInt;
use num_traits::Signed;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// Orders in full where there is an order at all.
macro_rules! ordered {
    ($($name:ident),*) => {$(
        impl PartialOrd for $name {
            fn partial_cmp(&self, other: &$name) -> Option<Ordering> {
                Some(self.cmp(other))
            }
        }
    )*};
}

ordered!(Cells, Grid, Items, Text, Value);

/// The families of tuples and edges.
const TUPLE: u8 = 3;
const EDGE: u8 = 7;

/// Which family a value is in; values of different families are ordered by it.
fn family(value: &Value) -> u8 {
    match value {
        Value::Int(_) | Value::Big(_) | Value::Real(_) => 0,
        Value::Bool(_) => 1,
        Value::Text(_) => 2,
        Value::Tuple(_) => TUPLE,
        Value::List(_) | Value::Range(..) => 4,
        Value::Set(_) => 5,
        Value::Bag(_) => 6,
        Value::Edge(_) => EDGE,
        Value::Grid(_) => 8,
        Value::Graph(_) => 9,
        Value::Loop(_) => 10,
        Value::Position(_) => 11,
    }
}

fn big(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(n) => Some(BigInt::from(*n)),
        Value::Big(n) => Some((**n).clone()),
        _ => None,
    }
}

/// On which side of the ints of 64 bits a big one lies.
fn side(n: &BigInt) -> i8 {
    if n.is_negative() { -1 } else { 1 }
}

fn range_len(from: i64, to: i64) -> u64 {
    if to < from { 0 } else { to.abs_diff(from).saturating_add(1) }
}

fn compare_range(a: &[Value], from: i64, to: i64) -> Ordering {
    let mut next = from;
    for item in a {
        if next > to {
            return Ordering::Greater;
        }
        match item.cmp(&Value::Int(next)) {
            Ordering::Equal => next = next.saturating_add(1),
            other => return other,
        }
    }
    (a.len() as u64).cmp(&range_len(from, to))
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Real(a), Value::Real(b)) => a.compare(b),
            (Value::Real(a), b) if family(b) == 0 => big(b).map_or(Ordering::Equal, |n| a.compare(&Surd::from_int(&n))),
            (a, Value::Real(b)) if family(a) == 0 => big(a).map_or(Ordering::Equal, |n| Surd::from_int(&n).compare(b)),
            (Value::Big(a), Value::Big(b)) => a.cmp(b),
            // A big int is beyond all others.
            (Value::Int(_), Value::Big(b)) => 0.cmp(&side(b)),
            (Value::Big(a), Value::Int(_)) => side(a).cmp(&0),
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Text(a), Value::Text(b)) => a.cmp(b),
            (Value::Tuple(a), Value::Tuple(b)) => a.cmp(b),
            (Value::Set(a), Value::Set(b)) | (Value::Bag(a), Value::Bag(b)) => a.cmp(b),
            (Value::List(a), Value::List(b)) => a.items.cmp(&b.items),
            (Value::List(a), Value::Range(from, to)) => compare_range(&a.items, *from, *to),
            (Value::Range(from, to), Value::List(b)) => compare_range(&b.items, *from, *to).reverse(),
            (Value::Range(a, b), Value::Range(c, d)) => match (range_len(*a, *b), range_len(*c, *d)) {
                (0, 0) => Ordering::Equal,
                (0, _) => Ordering::Less,
                (_, 0) => Ordering::Greater,
                (m, n) => a.cmp(c).then(m.cmp(&n)),
            },
            (Value::Edge(a), Value::Edge(b)) => a.cmp(b),
            (Value::Grid(a), Value::Grid(b)) => a.cmp(b),
            (Value::Graph(a), Value::Graph(b)) => a.compare(b),
            (Value::Loop(a), Value::Loop(b)) => a.cmp(b),
            // Positions are never members of anything ordered (rule 2); their address gives a total order all the same.
            (Value::Position(a), Value::Position(b)) => std::sync::Arc::as_ptr(a).cmp(&std::sync::Arc::as_ptr(b)),
            (a, b) => family(a).cmp(&family(b)),
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

/// Hashes as a tuple of these parts does.
pub(super) fn hash_tuple<H: Hasher>(parts: &[Value], state: &mut H) {
    TUPLE.hash(state);
    parts.hash(state);
}

/// Hashes as an edge does: by its identity alone, which few edges with other ends have.
pub(super) fn hash_edge<H: Hasher>(id: u32, state: &mut H) {
    EDGE.hash(state);
    id.hash(state);
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        family(self).hash(state);
        match self {
            Value::Int(n) => n.hash(state),
            Value::Big(n) => n.hash(state),
            Value::Bool(b) => b.hash(state),
            Value::Text(t) => t.hash(state),
            Value::Real(r) => r.hash(state),
            Value::Tuple(items) => items.hash(state),
            Value::Set(items) | Value::Bag(items) => items.hash(state),
            Value::List(list) => list.items.hash(state),
            Value::Range(from, to) => {
                // As the list of its members, which has a length prefix.
                let len = width::index(range_len(*from, *to));
                len.hash(state);
                for n in *from..=*to {
                    Value::Int(n).hash(state);
                }
            }
            Value::Edge(edge) => edge.id.hash(state),
            Value::Grid(grid) => grid.hash(state),
            Value::Graph(graph) => graph.hash_into(state),
            Value::Loop(values) => values.hash(state),
            Value::Position(position) => std::sync::Arc::as_ptr(position).hash(state),
        }
    }
}

impl PartialEq for List {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
    }
}

impl Eq for List {}

impl Grid {
    fn key(&self) -> (usize, usize, &Cells) {
        (self.rows, self.cols, &self.cells)
    }
}

impl PartialEq for Grid {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Grid {}

impl Ord for Grid {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for Grid {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}
