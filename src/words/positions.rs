//! Positions as values: single components, rows, compounds.

use crate::model::builtin::Builtin;
use crate::source::diagnostic::Code;
use crate::value::fault::Fault;
use crate::value::{Component, Compound, Position, Row, Shape, Value, in_items};
use crate::words::adapt;
use std::sync::Arc;

/// A position of one component.
pub(crate) fn single(component: Component, misere: bool) -> Value {
    Value::Position(Arc::new(Position { misere, sum: false, shape: Shape::Sum(vec![component].into()) }))
}

/// The sum of a row; R06 when it is too long.
pub(crate) fn of_row(row: Row) -> Result<Value, Fault> {
    in_items(&[row.ints.len()], "this sum")?;
    Ok(Value::Position(Arc::new(Position { misere: false, sum: true, shape: Shape::Sum(row.into()) })))
}

/// The components of a row as positions.
pub(crate) fn spelled(row: &Row) -> Vec<Value> {
    (0..row.ints.len()).filter_map(|place| row.component(place)).map(|component| single(component, false)).collect()
}

/// `misere P`
pub(crate) fn misere(value: &Value) -> Result<Value, Fault> {
    let position = adapt::position(value)?;
    Ok(Value::Position(Arc::new(Position { misere: true, sum: position.sum, shape: position.shape.clone() })))
}

/// The same position with a tag on its components (rule 27).
pub(crate) fn tagged(value: &Value, tag: &[i64]) -> Result<Value, Fault> {
    let position = adapt::position(value)?;
    Ok(Value::Position(Arc::new(tag_position(&position, tag))))
}

fn tag_position(position: &Position, tag: &[i64]) -> Position {
    let shape = match &position.shape {
        Shape::Sum(components) => Shape::Sum(
            components
                .iter()
                .enumerate()
                .map(|(i, component)| {
                    let mut full = tag.to_vec();
                    full.push(i64::try_from(i).unwrap_or(i64::MAX));
                    full.extend(component.tag.iter().flat_map(|t| t.iter().copied()));
                    Component { tag: Some(full.into()), ..component.clone() }
                })
                .collect::<Vec<_>>()
                .into(),
        ),
        Shape::Compound(word, parts) => {
            Shape::Compound(*word, parts.iter().map(|part| tag_position(part, tag)).collect())
        }
    };
    Position { misere: position.misere, sum: position.sum, shape }
}

/// The components of a sum; E22 for another compound.
pub(crate) fn components(position: &Position) -> Result<&[Component], Fault> {
    match &position.shape {
        Shape::Sum(components) => Ok(components),
        Shape::Compound(..) => Err(Fault::new(Code::E22, "a compound stands where a sum of positions is wanted")),
    }
}

/// A compound word on positions: one collection of them, or several.
pub(crate) fn compound(word: Builtin, args: &[Value]) -> Result<Value, Fault> {
    let (kind, rest) = match (word, args) {
        (Builtin::Conjunctive, rest) => (Compound::Conjunctive, rest),
        (Builtin::Continued, rest) => (Compound::Continued, rest),
        (Builtin::Selective, rest) => (Compound::Selective, rest),
        (Builtin::ShortenedSelective, rest) => (Compound::ShortenedSelective, rest),
        (Builtin::AtMost, [k, rest @ ..]) => (Compound::AtMost(k.to_count("the number of components")?), rest),
        (_, rest) => (Compound::Diminished, rest),
    };
    let parts: Vec<Value> = match rest {
        [list @ (Value::List(_) | Value::Set(_) | Value::Bag(_))] => adapt::members(list)?,
        several => several.to_vec(),
    };
    let mut positions = Vec::with_capacity(parts.len());
    for part in &parts {
        let part = adapt::position(part)?;
        if let Shape::Compound(..) = part.shape {
            return Err(Fault::new(Code::E22, "a compound of compounds"));
        }
        positions.push((*part).clone());
    }
    let misere = positions.iter().any(|p| p.misere);
    Ok(Value::Position(Arc::new(Position { misere, sum: false, shape: Shape::Compound(kind, positions) })))
}
