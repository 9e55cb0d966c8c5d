//! Adaptations while code runs.

use crate::value;
use crate::value::fault::Fault;
use crate::value::{Position, Value};
use std::sync::Arc;

/// The members of a collection, spelled out.
pub(crate) fn members(value: &Value) -> Result<Vec<Value>, Fault> {
    value::members(value).map(std::borrow::Cow::into_owned)
}

/// The collection in a form that loops step through: list, set, bag or range.
pub(crate) fn iterable(value: &Value) -> Result<Value, Fault> {
    match value {
        Value::List(_) | Value::Set(_) | Value::Bag(_) | Value::Range(..) => Ok(value.clone()),
        other => members(other).map(Value::list),
    }
}

/// A member of a set: ranges are spelled out as lists.
pub(crate) fn settled(value: Value) -> Value {
    match &value {
        Value::Range(..) => members(&value).map_or(value, Value::list),
        _ => value,
    }
}

/// `a..b`
pub(crate) fn range(a: &Value, b: &Value) -> Result<Value, Fault> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Ok(Value::Range(*a, *b)),
        _ => crate::words::binary(crate::model::BinaryOp::Range, a, b),
    }
}

/// The position in a value.
pub(crate) fn position(value: &Value) -> Result<Arc<Position>, Fault> {
    match value {
        Value::Position(position) => Ok(position.clone()),
        Value::Int(0) => match Value::zero_position() {
            Value::Position(zero) => Ok(zero),
            _ => Err(value::wanted("a position", value)),
        },
        other => Err(value::wanted("a position", other)),
    }
}
