//! Comparisons: structural equality, order, inclusion, membership.

use crate::model::CompareOp;
use crate::source::diagnostic::Code;
use crate::value::fault::Fault;
use crate::value::{Value, excerpt, pair, wanted};
use crate::words::merge::{distinct, included, sorted};
use crate::words::packed;

/// `a op b`.
///
/// # Errors
/// E03 where no meaning fits: the order of truth values or of things of different types, equality of graphs and of
/// positions, membership in what is no collection.
pub fn compare(op: CompareOp, a: &Value, b: &Value) -> Result<bool, Fault> {
    match op {
        CompareOp::Eq => equal(a, b),
        CompareOp::Ne => Ok(!equal(a, b)?),
        CompareOp::Lt => less(a, b, true),
        CompareOp::Le => less(a, b, false),
        CompareOp::Gt => less(b, a, true),
        CompareOp::Ge => less(b, a, false),
        CompareOp::In => contains(b, a),
        CompareOp::NotIn => Ok(!contains(b, a)?),
    }
}

/// Structural equality; a list beside a set or bag is taken as one (rule 6). Vertices of different make are just different.
///
/// # Errors
/// E03 for graphs and positions, which are not compared.
pub fn equal(a: &Value, b: &Value) -> Result<bool, Fault> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(a == b),
        (Value::Graph(_) | Value::Position(_), _) | (_, Value::Graph(_) | Value::Position(_)) => {
            Err(Fault::new(Code::E03, "graphs and positions are not compared"))
        }
        (Value::Bag(bag), other @ (Value::List(_) | Value::Range(..) | Value::Set(_)))
        | (other @ (Value::List(_) | Value::Range(..) | Value::Set(_)), Value::Bag(bag)) => {
            Ok(**bag == *sorted(other)?)
        }
        (Value::Set(set), other @ (Value::List(_) | Value::Range(..)))
        | (other @ (Value::List(_) | Value::Range(..)), Value::Set(set)) => Ok(**set == *distinct(other)?),
        _ => Ok(a == b),
    }
}

fn less(a: &Value, b: &Value, strict: bool) -> Result<bool, Fault> {
    use Value as V;
    match (a, b) {
        (V::Int(a), V::Int(b)) => Ok(if strict { a < b } else { a <= b }),
        (V::Bag(_), _) | (_, V::Bag(_)) => {
            let (a, b) = (sorted(a)?, sorted(b)?);
            Ok(included(&a, &b) && !(strict && a.len() == b.len()))
        }
        (V::Set(x), V::Set(y)) if let Some(inside) = packed::inside(a, b) => {
            Ok(inside && !(strict && x.len() == y.len()))
        }
        (V::Set(_), _) | (_, V::Set(_)) => {
            let (a, b) = (distinct(a)?, distinct(b)?);
            Ok(included(&a, &b) && !(strict && a.len() == b.len()))
        }
        (V::Int(_) | V::Big(_) | V::Real(_), V::Int(_) | V::Big(_) | V::Real(_))
        | (V::Text(_), V::Text(_))
        | (V::Tuple(_), V::Tuple(_))
        | (V::List(_) | V::Range(..), V::List(_) | V::Range(..))
        | (V::Edge(_), V::Edge(_)) => Ok(if strict { a < b } else { a <= b }),
        _ => Err(Fault::new(Code::E03, format!("{} and {} have no order", excerpt(a), excerpt(b)))),
    }
}

/// `item in collection`. Logarithmic in sets and bags, constant in ranges, linear in lists and texts.
///
/// # Errors
/// E03 when `collection` is none, or a text is asked for what is no character.
pub fn contains(collection: &Value, item: &Value) -> Result<bool, Fault> {
    match collection {
        Value::Range(from, to) => Ok(matches!(item, Value::Int(n) if from <= n && n <= to)),
        Value::Set(items) | Value::Bag(items) => {
            if let Some(ints) = items.as_ints() {
                return Ok(matches!(item, Value::Int(n) if ints.binary_search(n).is_ok()));
            }
            if let Some(pairs) = items.as_pairs() {
                return Ok(pair(item).is_some_and(|pair| pairs.binary_search(&pair).is_ok()));
            }
            if let (Some((graph, indices)), Value::Edge(edge)) = (items.as_edges(), item) {
                let index = graph.edge_index(edge).and_then(|index| u32::try_from(index).ok());
                return Ok(index.is_some_and(|index| indices.number(index).is_some()));
            }
            Ok(items.binary_search(item).is_ok())
        }
        Value::List(list) => Ok(match (list.items.as_ints(), item) {
            (Some(ints), Value::Int(n)) => ints.contains(n),
            (Some(_), _) => false,
            (None, _) => list.items.contains(item),
        }),
        Value::Text(text) => match item {
            Value::Text(part) => match part.single() {
                Some(c) => Ok(text.has(c)),
                None => Err(Fault::new(
                    Code::E03,
                    format!("`in` asks a text for a character, not for {}; `places` finds parts", excerpt(item)),
                )),
            },
            _ => Err(wanted("a character", item)),
        },
        Value::Graph(graph) => Ok(graph.number(item).is_some()),
        Value::Grid(grid) => Ok(grid.graph().number(item).is_some()),
        _ => Err(wanted("a collection", collection)),
    }
}
