//! Vertices, edges, letters, texts and small naturals with numbers, so that they fit words and sets of them masks.

use crate::value::{Graph, GraphEdge, Labels, Value, width};
use std::sync::Arc;

/// Members with numbers.
#[derive(Clone, Debug)]
pub enum Domain {
    /// The vertices of a family of graphs.
    Vertices(Arc<Labels>),
    /// The edges of a graph by identity, which is their index.
    Edges(Arc<Graph>),
    /// The letters of a file, ascending.
    Letters(Arc<[char]>),
    /// A few texts of a file, all different.
    Texts(Arc<[Value]>),
    /// The naturals below [`NUMBERS`], each its own number.
    Numbers,
    /// Pairs of naturals below [`SIDE`]: `(x, y)` is number `SIDE * x + y`, all but the greatest.
    Pairs,
}

/// See [`Domain::Pairs`].
pub(crate) const SIDE: i64 = 8;

/// So many members have [`Domain::Numbers`] and [`Domain::Pairs`]: a set of them as a word is not negative.
pub(crate) const NUMBERS: i64 = 63;

/// The set of the members of [`Domain::Numbers`] below `end`, as a word.
#[inline]
pub(crate) fn numbers_below(end: i64) -> i64 {
    i64::MAX >> (NUMBERS - end.clamp(0, NUMBERS))
}

impl Domain {
    pub(crate) fn len(&self) -> usize {
        match self {
            Domain::Vertices(labels) => labels.len(),
            Domain::Edges(graph) => graph.edges.len(),
            Domain::Letters(letters) => letters.len(),
            Domain::Texts(texts) => texts.len(),
            Domain::Numbers | Domain::Pairs => usize::try_from(NUMBERS).unwrap_or(0),
        }
    }

    /// The number of a member.
    pub fn number(&self, value: &Value) -> Option<u32> {
        match (self, value) {
            (Domain::Vertices(labels), value) => labels.number(value),
            (Domain::Edges(graph), Value::Edge(edge)) => {
                let at = graph.edges.get(edge.id as usize)?;
                (graph.label(at.u) == edge.u && graph.label(at.v) == edge.v).then_some(edge.id)
            }
            (Domain::Letters(letters), Value::Text(text)) => {
                letters.binary_search(&text.single()?).ok().and_then(|at| u32::try_from(at).ok())
            }
            (Domain::Texts(texts), value) => texts.iter().position(|text| text == value).map(width::short),
            (Domain::Pairs, Value::Tuple(parts)) => match parts[..] {
                [Value::Int(x), Value::Int(y)] if (0..SIDE).contains(&x) && (0..SIDE).contains(&y) => {
                    u32::try_from(SIDE * x + y).ok().filter(|&n| i64::from(n) < NUMBERS)
                }
                _ => None,
            },
            (Domain::Numbers, Value::Int(n)) if *n < NUMBERS => u32::try_from(*n).ok(),
            _ => None,
        }
    }

    /// The member of a number below [`Domain::len`].
    pub fn value(&self, number: u32) -> Value {
        match self {
            Domain::Vertices(labels) => labels.label(number),
            Domain::Edges(graph) => {
                let (u, v) = graph.edges.ends()[number as usize];
                graph.edge_value(&GraphEdge { id: number, u, v })
            }
            Domain::Letters(letters) => Value::character(letters[number as usize]),
            Domain::Texts(texts) => texts[number as usize].clone(),
            Domain::Numbers => Value::Int(i64::from(number)),
            Domain::Pairs => Value::pair(Value::Int(i64::from(number) / SIDE), Value::Int(i64::from(number) % SIDE)),
        }
    }

    /// Whether its members are small naturals or pairs of them.
    pub(crate) fn is_small(&self) -> bool {
        matches!(self, Domain::Numbers | Domain::Pairs)
    }

    pub(crate) fn same(&self, other: &Domain) -> bool {
        match (self, other) {
            (Domain::Vertices(a), Domain::Vertices(b)) => {
                Arc::ptr_eq(a, b)
                    || matches!((&**a, &**b), (Labels::Ints { from: f, n }, Labels::Ints { from: g, n: m }) if f == g && n == m)
            }
            (Domain::Edges(a), Domain::Edges(b)) => Arc::ptr_eq(a, b),
            (Domain::Letters(a), Domain::Letters(b)) => a == b,
            (Domain::Texts(a), Domain::Texts(b)) => Arc::ptr_eq(a, b),
            (Domain::Numbers, Domain::Numbers) | (Domain::Pairs, Domain::Pairs) => true,
            _ => false,
        }
    }
}
