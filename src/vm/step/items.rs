//! What instructions do with the items of a collection: one by its index, the parts of a pattern, one after the other; and
//! values put together from registers.

use crate::bytecode::layout;
use crate::bytecode::{Aggregate, Materialize};
use crate::source::diagnostic::Code;
use crate::value::fault::{Fault, Run};
use crate::value::{Edge, Items, List, Value, members};
use crate::vm::context::Context;

impl Context {
    /// A value put together from registers.
    pub(super) fn made(&self, make: &Materialize, w: &[i64], v: &[Value]) -> Value {
        match make {
            Materialize::Known(value) => value.clone(),
            Materialize::Word(r, word_type) => self.store.word_value(w[usize::from(*r)], *word_type),
            Materialize::Value(r) => v[usize::from(*r)].clone(),
            Materialize::Parts(kind, parts) => {
                let there = parts.iter().filter(|(flag, _)| flag.is_none_or(|flag| w[usize::from(flag)] != 0));
                layout::whole(*kind, there.map(|(_, part)| self.made(part, w, v)).collect())
            }
        }
    }
}

/// An index that is not there (R02).
pub(super) fn outside(index: i64, len: usize, base: i64, whole: Aggregate) -> Fault {
    let (what, item) = match whole {
        Aggregate::Text => ("a text", "character"),
        Aggregate::Tuple => ("a tuple", "part"),
        Aggregate::List(_) | Aggregate::Set => ("a list", "item"),
    };
    let plural = if len == 1 { "" } else { "s" };
    Fault::new(Code::R02, format!("index {index} is outside {what} of {len} {item}{plural} counted from {base}"))
}

/// Part `index` of a value that is to have `arity` of them.
pub(super) fn part(value: &Value, index: usize, arity: usize) -> Run<Value> {
    let parts: &[Value] = match value {
        Value::Tuple(parts) => parts,
        Value::List(list) => &list.items,
        Value::Edge(edge) => {
            let Edge { u, v, .. } = &**edge;
            if arity == 2 {
                return Ok(if index == 0 { u.clone() } else { v.clone() });
            }
            &[]
        }
        Value::Range(..) => return part(&Value::list(members(value)?.into_owned()), index, arity),
        _ => return Err(Fault::new(Code::E03, format!("{value} cannot be taken apart")).into()),
    };
    if parts.len() == arity {
        Ok(parts[index].clone())
    } else {
        Err(Fault::new(Code::R02, format!("a pattern of {arity} parts meets {value}")).into())
    }
}

/// The next member of a collection made ready by [`crate::value::iterable`].
pub(super) fn next_item(items: &Value, cursor: &mut i64, distinct: bool) -> Option<Value> {
    let at = usize::try_from(*cursor).ok()?;
    let list: &[Value] = match items {
        Value::List(List { items, .. }) | Value::Set(items) if matches!(items, Items::Packed(_)) => {
            let item = items.item(at)?;
            *cursor += 1;
            return Some(item);
        }
        Value::List(list) => &list.items,
        Value::Set(list) | Value::Bag(list) => list,
        Value::Tuple(parts) => parts,
        Value::Range(from, to) => {
            let n = from.checked_add(*cursor).filter(|n| n <= to)?;
            *cursor += 1;
            return Some(Value::Int(n));
        }
        _ => return None,
    };
    let bag = distinct && matches!(items, Value::Bag(_));
    let mut at = at;
    if bag && at > 0 {
        while at < list.len() && list[at] == list[at - 1] {
            at += 1;
        }
    }
    let value = list.get(at)?.clone();
    *cursor = i64::try_from(at + 1).unwrap_or(i64::MAX);
    Some(value)
}
