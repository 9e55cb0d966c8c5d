//! Positions as values: sums of components, and other compounds.
//!
//! A component takes about 100 bytes, an int 8. Of many components of one game with a single int for their state only these ints
//! are kept. Which form components have is never seen: code that has a way with rows asks for one ([`Components::row`]), for all
//! other code they are a slice, which is spelled out when first asked for and kept.

use crate::model::{Builtin, GameId};
use crate::source::Code;
use crate::value::{Fault, Value, in_items, members};
use std::sync::{Arc, OnceLock};

/// A position as a value: a disjunctive sum or a compound.
#[derive(Clone, Debug)]
pub struct Position {
    /// `misere` stands before it, or a component is of a misere game.
    pub misere: bool,
    /// Written as a sum (`+`, `sum(..)`, `n * P`), of however many: moves then tell their component (rule 37).
    pub sum: bool,
    /// What it is made of.
    pub shape: Shape,
}

/// The make of a position.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A disjunctive sum of components in the order written; none: the zero position.
    Sum(Components),
    /// Another compound.
    Compound(Compound, Vec<Position>),
}

/// The compounds of rule 27.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Compound {
    Conjunctive,
    Continued,
    Selective,
    ShortenedSelective,
    Diminished,
    AtMost(usize),
}

/// One component of a sum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Component {
    /// Its game.
    pub game: GameId,
    /// The rule parameters.
    pub params: Arc<[Value]>,
    /// The state.
    pub state: Arc<[Value]>,
    /// Components of a sum with equal tags that are equal otherwise differ only in binders over bags: they count as one
    /// (rule 27). `None`: told apart from all others.
    pub tag: Option<Arc<[i64]>>,
}

/// So few components are never kept as a row.
const FEW: usize = 64;

/// Components in order.
#[derive(Clone, Debug)]
pub enum Components {
    /// Each by itself.
    Each(Vec<Component>),
    /// Many that differ in one int.
    Row(Arc<Row>),
}

/// Components of one game with the same rule parameters, of which the state is one int.
#[derive(Debug)]
pub struct Row {
    /// Their game.
    pub game: GameId,
    /// The rule parameters.
    pub params: Arc<[Value]>,
    /// The states.
    pub ints: Vec<i64>,
    each: OnceLock<Vec<Component>>,
}

impl Row {
    pub(crate) fn new(game: GameId, params: Arc<[Value]>) -> Row {
        Row { game, params, ints: Vec::new(), each: OnceLock::new() }
    }

    /// The component at a place.
    pub fn component(&self, place: usize) -> Option<Component> {
        self.ints.get(place).map(|&n| self.with(n))
    }

    fn with(&self, n: i64) -> Component {
        Component { game: self.game, params: self.params.clone(), state: Arc::new([Value::Int(n)]), tag: None }
    }

    /// Whether they are so many that they are kept like this.
    pub(crate) fn is_long(&self) -> bool {
        self.ints.len() > FEW
    }
}

impl Components {
    /// The row, when they are one.
    pub fn row(&self) -> Option<&Arc<Row>> {
        match self {
            Components::Row(row) => Some(row),
            Components::Each(_) => None,
        }
    }

    /// How many; nothing is spelled out.
    pub fn len(&self) -> usize {
        match self {
            Components::Each(each) => each.len(),
            Components::Row(row) => row.ints.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl std::ops::Deref for Components {
    type Target = [Component];

    fn deref(&self) -> &[Component] {
        match self {
            Components::Each(each) => each,
            Components::Row(row) => row.each.get_or_init(|| row.ints.iter().map(|&n| row.with(n)).collect()),
        }
    }
}

impl From<Vec<Component>> for Components {
    fn from(each: Vec<Component>) -> Components {
        Components::Each(each)
    }
}

impl From<Row> for Components {
    fn from(row: Row) -> Components {
        Components::Row(Arc::new(row))
    }
}

impl Position {
    /// A sum of these components, written as one.
    pub(crate) fn sum(components: impl Into<Components>, misere: bool) -> Position {
        Position { misere, sum: true, shape: Shape::Sum(components.into()) }
    }
}

impl From<Position> for Value {
    fn from(position: Position) -> Value {
        Value::Position(Arc::new(position))
    }
}

pub(crate) fn single(component: Component, misere: bool) -> Value {
    Position { misere, sum: false, shape: Shape::Sum(vec![component].into()) }.into()
}

/// The sum of a row; R06 when it is too long.
pub(crate) fn of_row(row: Row) -> Result<Value, Fault> {
    in_items(&[row.ints.len()], "this sum")?;
    Ok(Position::sum(row, false).into())
}

/// The components of a row as positions.
pub(crate) fn spelled(row: &Row) -> Vec<Value> {
    (0..row.ints.len()).filter_map(|place| row.component(place)).map(|component| single(component, false)).collect()
}

pub(crate) fn misere(value: &Value) -> Result<Value, Fault> {
    let position = value.to_position()?;
    Ok(Position { misere: true, ..Position::clone(&position) }.into())
}

/// The same position with a tag on its components (rule 27).
pub(crate) fn tagged(value: &Value, tag: &[i64]) -> Result<Value, Fault> {
    let position = value.to_position()?;
    Ok(tag_position(&position, tag).into())
}

fn tag_position(position: &Position, tag: &[i64]) -> Position {
    let shape = match &position.shape {
        Shape::Sum(components) => {
            let tagged = (0..).zip(components.iter()).map(|(i, component)| {
                let inner = component.tag.iter().flat_map(|t| t.iter());
                let full: Arc<[i64]> = tag.iter().chain([&i]).chain(inner).copied().collect();
                Component { tag: Some(full), ..component.clone() }
            });
            Shape::Sum(tagged.collect::<Vec<_>>().into())
        }
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
        [list @ (Value::List(_) | Value::Set(_) | Value::Bag(_))] => members(list)?.into_owned(),
        several => several.to_vec(),
    };
    let mut positions = Vec::with_capacity(parts.len());
    for part in &parts {
        let part = part.to_position()?;
        if let Shape::Compound(..) = part.shape {
            return Err(Fault::new(Code::E22, "a compound of compounds"));
        }
        positions.push((*part).clone());
    }
    let misere = positions.iter().any(|p| p.misere);
    Ok(Position { misere, sum: false, shape: Shape::Compound(kind, positions) }.into())
}

/// The flattened sum; misere when one of them is (rules 27, 29). A sum of one is that one, a compound too.
pub(crate) fn sum_positions<'a>(values: impl ExactSizeIterator<Item = &'a Value>) -> Result<Value, Fault> {
    let several = values.len() > 1;
    let mut sum = Vec::new();
    let mut misere = false;
    for value in values {
        let part = value.to_position()?;
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
    Ok(Position::sum(sum, misere).into())
}

/// `n * P`: so many copies of the components.
pub(crate) fn times_position(n: &Value, position: &Arc<Position>) -> Result<Value, Fault> {
    let n = n.to_count("the number of copies of a position")?;
    match &position.shape {
        Shape::Sum(components) => {
            let total = in_items(&[n, components.len()], "this sum")?;
            let copies: Vec<Component> = components.iter().cycle().take(total).cloned().collect();
            Ok(Position::sum(copies, position.misere).into())
        }
        Shape::Compound(..) if n == 1 => Ok(Value::Position(Arc::clone(position))),
        Shape::Compound(..) if n == 0 => Ok(Value::zero_position()),
        Shape::Compound(..) => Err(Fault::new(Code::E22, "a compound is not a part of a sum")),
    }
}
