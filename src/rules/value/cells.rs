//! The cells of a grid: a byte each while all are characters of ASCII, 4 bytes while all are characters.

use super::Value;
use std::cmp::Ordering;
use std::ops::Range;

/// Cells row by row, in the first of these forms that all of them have: so equal cells have equal forms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cells {
    /// One-character texts of ASCII.
    Bytes(Vec<u8>),
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
            Cells::Bytes(bytes) => bytes.len(),
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
            Cells::Values(values) => values.get(place).cloned(),
            _ => self.character(place).map(Value::character),
        }
    }

    /// The character in a cell, if one is.
    #[must_use]
    pub fn character(&self, place: usize) -> Option<char> {
        match self {
            Cells::Bytes(bytes) => bytes.get(place).map(|byte| char::from(*byte)),
            Cells::Characters(characters) => characters.get(place).copied(),
            Cells::Values(values) => match values.get(place) {
                Some(Value::Text(text)) => text.single(),
                _ => None,
            },
        }
    }

    /// Adds to `to` of each of these cells whether it is not this character of ASCII.
    pub fn are_not(&self, c: u8, places: Range<usize>, to: &mut Vec<bool>) {
        match self {
            Cells::Bytes(bytes) => to.extend(bytes[places].iter().map(|byte| *byte != c)),
            Cells::Characters(characters) => to.extend(characters[places].iter().map(|cell| *cell != char::from(c))),
            Cells::Values(_) => to.extend(places.map(|place| self.character(place) != Some(char::from(c)))),
        }
    }

    /// Puts a character into a cell of a grid of characters; [`Cells::settle`] is to follow.
    ///
    /// # Panics
    /// When there is no such cell.
    pub fn put(&mut self, place: usize, c: char) {
        if let (Cells::Bytes(bytes), false) = (&*self, c.is_ascii()) {
            *self = Cells::Characters(bytes.iter().copied().map(char::from).collect());
        }
        match self {
            Cells::Bytes(bytes) => bytes[place] = u8::try_from(c).unwrap_or(b'?'), // it is one
            Cells::Characters(characters) => characters[place] = c,
            Cells::Values(values) => values[place] = Value::character(c),
        }
    }

    /// Goes to the first form that all cells have after changes of characters. Linear.
    pub fn settle(&mut self) {
        if let Cells::Characters(characters) = self {
            *self = std::mem::take(characters).into();
        }
    }

    /// All in order.
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.len()).filter_map(|place| self.get(place))
    }
}

impl From<Vec<u8>> for Cells {
    /// Bytes of ASCII; others stand for the characters of these numbers.
    fn from(bytes: Vec<u8>) -> Cells {
        if bytes.is_ascii() {
            Cells::Bytes(bytes)
        } else {
            Cells::Characters(bytes.into_iter().map(char::from).collect())
        }
    }
}

impl From<Vec<char>> for Cells {
    fn from(characters: Vec<char>) -> Cells {
        let byte = |c: &char| u8::try_from(*c).ok().filter(u8::is_ascii);
        match characters.iter().map(byte).collect() {
            Some(bytes) => Cells::Bytes(bytes),
            None => Cells::Characters(characters),
        }
    }
}

impl From<Vec<Value>> for Cells {
    fn from(values: Vec<Value>) -> Cells {
        let character = |value: &Value| if let Value::Text(text) = value { text.single() } else { None };
        match values.iter().map(character).collect::<Option<Vec<char>>>() {
            Some(characters) => characters.into(),
            None => Cells::Values(values),
        }
    }
}

impl Ord for Cells {
    fn cmp(&self, other: &Cells) -> Ordering {
        match (self, other) {
            (Cells::Bytes(a), Cells::Bytes(b)) => a.cmp(b),
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
