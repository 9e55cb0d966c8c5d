//! The components of a sum: one by one, or, when there are many of one game with a single int for their state, only these ints.
//!
//! A component takes about 100 bytes, an int 8. Which form components have is never seen: code that has a way with rows asks for
//! one ([`Components::row`]), for all other code they are a slice, which is spelled out when first asked for and kept.

use crate::model::GameId;
use crate::value::{Component, Value};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

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
    /// No components yet.
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

impl Deref for Components {
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
