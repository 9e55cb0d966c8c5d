//! The cells of a grid: 4 bytes each while all are characters.

use super::Value;
use std::cmp::Ordering;

/// Cells row by row. Characters are never kept as values when all cells are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cells {
    /// One-character texts.
    Characters(Vec<char>),
    /// Numbers, or anything.
    Values(Vec<Value>),
}

impl Cells {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Cells::Characters(characters) => characters.len(),
            Cells::Values(values) => values.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<Value> {
        match self {
            Cells::Characters(characters) => characters.get(place).map(|c| Value::character(*c)),
            Cells::Values(values) => values.get(place).cloned(),
        }
    }

    /// The character in a cell, if one is.
    #[must_use]
    pub fn character(&self, place: usize) -> Option<char> {
        match self {
            Cells::Characters(characters) => characters.get(place).copied(),
            Cells::Values(values) => match values.get(place) {
                Some(Value::Text(text)) => text.single(),
                _ => None,
            },
        }
    }

    /// Of each in order whether it is not this character.
    #[must_use]
    pub fn are_not(&self, c: char) -> Box<dyn Iterator<Item = bool> + '_> {
        match self {
            Cells::Characters(characters) => Box::new(characters.iter().map(move |cell| *cell != c)),
            Cells::Values(_) => Box::new((0..self.len()).map(move |place| self.character(place) != Some(c))),
        }
    }

    /// All in order.
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.len()).filter_map(|place| self.get(place))
    }
}

impl From<Vec<char>> for Cells {
    fn from(characters: Vec<char>) -> Cells {
        Cells::Characters(characters)
    }
}

impl From<Vec<Value>> for Cells {
    fn from(values: Vec<Value>) -> Cells {
        let character = |value: &Value| if let Value::Text(text) = value { text.single() } else { None };
        match values.iter().map(character).collect() {
            Some(characters) => Cells::Characters(characters),
            None => Cells::Values(values),
        }
    }
}

impl Ord for Cells {
    fn cmp(&self, other: &Cells) -> Ordering {
        match (self, other) {
            (Cells::Characters(a), Cells::Characters(b)) => a.cmp(b),
            (Cells::Values(a), Cells::Values(b)) => a.cmp(b),
            _ => self.iter().cmp(other.iter()),
        }
    }
}

impl PartialOrd for Cells {
    fn partial_cmp(&self, other: &Cells) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
