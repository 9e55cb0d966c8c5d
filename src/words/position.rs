//! Sums of positions.

use crate::source::diagnostic::Code;
use crate::value::fault::Fault;
use crate::value::{Position, Shape, Value, in_items, size, wanted};
use std::borrow::Cow;
use std::sync::Arc;

fn position(value: &Value) -> Result<Cow<'_, Position>, Fault> {
    match value {
        Value::Position(position) => Ok(Cow::Borrowed(position)),
        Value::Int(0) => Ok(Cow::Owned(Position { misere: false, sum: true, shape: Shape::Sum(Vec::new().into()) })),
        Value::List(_) if size(value)? == Value::Int(0) => {
            Ok(Cow::Owned(Position { misere: false, sum: true, shape: Shape::Sum(Vec::new().into()) }))
        }
        _ => Err(wanted("a position", value)),
    }
}

/// The flattened sum; misere when one of them is (rules 27, 29). A sum of one is that one, a compound too.
pub(super) fn sum_positions<'a>(values: impl ExactSizeIterator<Item = &'a Value>) -> Result<Value, Fault> {
    let several = values.len() > 1;
    let mut sum = Vec::new();
    let mut misere = false;
    for value in values {
        let part = position(value)?;
        misere |= part.misere;
        match &part.shape {
            Shape::Sum(components) => {
                in_items(&[sum.len() + components.len()], "this sum")?;
                sum.extend_from_slice(components);
            }
            Shape::Compound(..) if !several => return Ok(value.clone()),
            Shape::Compound(..) => return Err(Fault::new(Code::E22, "a compound is not a part of a sum")),
        }
    }
    Ok(Value::Position(Arc::new(Position { misere, sum: true, shape: Shape::Sum(sum.into()) })))
}

/// `n * P`: so many copies of the components.
pub(super) fn times_position(n: &Value, position: &Arc<Position>) -> Result<Value, Fault> {
    let n = n.to_count("the number of copies of a position")?;
    match &position.shape {
        Shape::Sum(components) => {
            let total = in_items(&[n, components.len()], "this sum")?;
            let shape = Shape::Sum(components.iter().cycle().take(total).cloned().collect::<Vec<_>>().into());
            Ok(Value::Position(Arc::new(Position { misere: position.misere, sum: true, shape })))
        }
        Shape::Compound(..) if n == 1 => Ok(Value::Position(Arc::clone(position))),
        Shape::Compound(..) if n == 0 => Ok(Value::zero_position()),
        Shape::Compound(..) => Err(Fault::new(Code::E22, "a compound is not a part of a sum")),
    }
}
