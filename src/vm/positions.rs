//! Positions as values: sums, compounds, and how they are written.

use crate::model::builtin::Builtin;
use crate::source::diagnostic::Code;
use crate::value::fault::Fault;
use crate::value::{Component, Components, Compound, Position, Row, Shape, Value, WRITTEN, cut, in_items, wanted};
use crate::vm::context::Context;
use std::borrow::Cow;
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
    let position = crate::vm::adapt::position(value)?;
    Ok(Value::Position(Arc::new(Position { misere: true, sum: position.sum, shape: position.shape.clone() })))
}

/// The same position with a tag on its components (rule 27).
pub(crate) fn tagged(value: &Value, tag: &[i64]) -> Result<Value, Fault> {
    let position = crate::vm::adapt::position(value)?;
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
        [list @ (Value::List(_) | Value::Set(_) | Value::Bag(_))] => crate::vm::adapt::members(list)?,
        several => several.to_vec(),
    };
    let mut positions = Vec::with_capacity(parts.len());
    for part in &parts {
        let part = crate::vm::adapt::position(part)?;
        if let Shape::Compound(..) = part.shape {
            return Err(Fault::new(Code::E22, "a compound of compounds"));
        }
        positions.push((*part).clone());
    }
    let misere = positions.iter().any(|p| p.misere);
    Ok(Value::Position(Arc::new(Position { misere, sum: false, shape: Shape::Compound(kind, positions) })))
}

/// Room for the text of a position: most fit.
const SHORT: usize = 64;

/// The word of a compound.
#[must_use]
pub fn compound_word(compound: Compound) -> &'static str {
    match compound {
        Compound::Conjunctive => "conjunctive",
        Compound::Continued => "continued",
        Compound::Selective => "selective",
        Compound::ShortenedSelective => "shortened_selective",
        Compound::Diminished => "diminished",
        Compound::AtMost(_) => "at_most",
    }
}

impl Context {
    /// A component as it would be written: `Bash[4](17)`.
    #[must_use]
    pub fn component_text(&self, component: &Component) -> String {
        let mut text = String::with_capacity(SHORT);
        self.add_component_text(component, &mut text);
        text
    }

    /// Adds the same to a text.
    fn add_component_text(&self, component: &Component, text: &mut String) {
        text.push_str(&self.session.program.games[component.game.0].name);
        for (open, values, close) in [('[', &component.params, ']'), ('(', &component.state, ')')] {
            for (i, value) in values.iter().enumerate() {
                if i == 0 {
                    text.push(open);
                } else {
                    text.push_str(", ");
                }
                value.add_position_text(text);
            }
            if !values.is_empty() {
                text.push(close);
            }
        }
    }

    /// A sum as it would be written; `misere` stands before it unless its games are misere games. Of a long one the first
    /// components, and how many are left out.
    #[must_use]
    pub fn sum_text(&self, components: &[Component], misere: bool) -> String {
        let plain = components.iter().any(|c| self.session.program.games[c.game.0].misere);
        let mut text = String::with_capacity(SHORT);
        text.push_str(if misere && !plain { "misere " } else { "" });
        let each = components.iter().map(Cow::Borrowed);
        self.add_sum_text(each, components.len(), &mut text);
        text
    }

    /// Adds the text of so many components.
    fn add_sum_text<'c>(&self, each: impl Iterator<Item = Cow<'c, Component>>, all: usize, text: &mut String) {
        if all == 0 {
            text.push_str("sum([])");
        }
        let (written, rest) = cut(all, WRITTEN);
        for (i, component) in each.take(written).enumerate() {
            text.push_str(if i > 0 { " + " } else { "" });
            self.add_component_text(&component, text);
        }
        if let Some(rest) = rest {
            text.push_str(" + ");
            text.push_str(&rest);
        }
    }

    /// The text of a row with other components in the place of one.
    pub(crate) fn row_text_with(&self, row: &Row, place: usize, instead: &[Component]) -> String {
        let one = |i| row.component(i).map(Cow::Owned);
        let before = (0..place).filter_map(one);
        let behind = (place + 1..row.ints.len()).filter_map(one);
        let mut text = String::new();
        let each = before.chain(instead.iter().map(Cow::Borrowed)).chain(behind);
        self.add_sum_text(each, row.ints.len() - 1 + instead.len(), &mut text);
        text
    }

    /// A position as it would be written.
    #[must_use]
    pub fn position_text(&self, position: &Position) -> String {
        match &position.shape {
            Shape::Sum(Components::Row(row)) if !position.misere => {
                let mut text = String::new();
                let each = (0..row.ints.len()).filter_map(|i| row.component(i).map(Cow::Owned));
                self.add_sum_text(each, row.ints.len(), &mut text);
                text
            }
            Shape::Sum(components) => self.sum_text(components, position.misere),
            Shape::Compound(compound, parts) => {
                let plain = parts.iter().any(|p| match &p.shape {
                    Shape::Sum(cs) => cs.iter().any(|c| self.session.program.games[c.game.0].misere),
                    Shape::Compound(..) => false,
                });
                let mut texts: Vec<String> = parts
                    .iter()
                    .map(|p| match &p.shape {
                        Shape::Sum(components) => self.sum_text(components, false),
                        Shape::Compound(..) => self.position_text(p),
                    })
                    .collect();
                if let Compound::AtMost(k) = compound {
                    texts.insert(0, k.to_string());
                }
                let text = format!("{}({})", compound_word(*compound), texts.join(", "));
                if position.misere && !plain { format!("misere {text}") } else { text }
            }
        }
    }
}

/// A value that is no position.
#[must_use]
pub fn no_position(value: &Value) -> Fault {
    wanted("a position", value)
}
