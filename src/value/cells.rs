//! The cells of a grid: a byte each while all are characters of ASCII.

use crate::value::{Text, Value};
use std::cmp::Ordering;

/// Cells row by row, as bytes whenever they can be: equal cells have one form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cells {
    /// One-character texts of ASCII.
    Bytes(Vec<u8>),
    /// Other one-character texts, or numbers.
    Values(Vec<Value>),
}

impl Cells {
    /// The characters of some texts.
    #[must_use]
    pub fn of_rows(rows: &[&Text]) -> Cells {
        if let Some(rows) = rows.iter().map(|row| row.bytes()).collect::<Option<Vec<_>>>() {
            return Cells::Bytes(rows.concat());
        }
        rows.iter().flat_map(|row| row.characters()).collect::<Vec<char>>().into()
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Cells::Bytes(bytes) => bytes.len(),
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
            Cells::Bytes(bytes) => bytes.get(place).map(|byte| Value::character(char::from(*byte))),
            Cells::Values(values) => values.get(place).cloned(),
        }
    }

    /// The character in a cell, if one is.
    #[must_use]
    pub fn character(&self, place: usize) -> Option<char> {
        match self {
            Cells::Bytes(bytes) => bytes.get(place).map(|byte| char::from(*byte)),
            Cells::Values(values) => values.get(place).and_then(single),
        }
    }

    /// Puts a character into a cell; [`Cells::settle`] is to follow.
    ///
    /// # Panics
    /// When there is no such cell.
    pub fn put(&mut self, place: usize, c: char) {
        match self {
            Cells::Bytes(bytes) if let Some(byte) = ascii(c) => bytes[place] = byte,
            Cells::Bytes(_) => {
                let mut values: Vec<Value> = self.iter().collect();
                values[place] = Value::character(c);
                *self = Cells::Values(values);
            }
            Cells::Values(values) => values[place] = Value::character(c),
        }
    }

    /// Goes to the form that the cells have after changes. Linear.
    pub fn settle(&mut self) {
        if let Cells::Values(values) = self {
            *self = std::mem::take(values).into();
        }
    }

    /// All in order.
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.len()).filter_map(|place| self.get(place))
    }
}

fn single(value: &Value) -> Option<char> {
    if let Value::Text(text) = value { text.single() } else { None }
}

fn ascii(c: char) -> Option<u8> {
    u8::try_from(c).ok().filter(u8::is_ascii)
}

impl From<Vec<Value>> for Cells {
    fn from(values: Vec<Value>) -> Cells {
        match values.iter().map(|value| ascii(single(value)?)).collect() {
            Some(bytes) => Cells::Bytes(bytes),
            None => Cells::Values(values),
        }
    }
}

impl From<Vec<char>> for Cells {
    fn from(characters: Vec<char>) -> Cells {
        match characters.iter().copied().map(ascii).collect() {
            Some(bytes) => Cells::Bytes(bytes),
            None => Cells::Values(characters.into_iter().map(Value::character).collect()),
        }
    }
}

impl From<Vec<u8>> for Cells {
    /// The characters with these numbers.
    fn from(bytes: Vec<u8>) -> Cells {
        if bytes.is_ascii() {
            Cells::Bytes(bytes)
        } else {
            bytes.into_iter().map(char::from).collect::<Vec<_>>().into()
        }
    }
}

impl Ord for Cells {
    fn cmp(&self, other: &Cells) -> Ordering {
        match (self, other) {
            (Cells::Bytes(a), Cells::Bytes(b)) => a.cmp(b),
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

#[cfg(test)]
mod tests {
    use crate::value::cells::{Cells, Text, Value};

    #[test]
    fn cells_are_bytes_whenever_they_can_be() {
        let texts = [Text::new("ab"), Text::new("#.")];
        let cells = Cells::of_rows(&texts.iter().collect::<Vec<_>>());
        assert!(matches!(&cells, Cells::Bytes(bytes) if bytes == b"ab#."));
        let mut changed = cells.clone();
        changed.put(3, 'é');
        changed.settle();
        assert_eq!((changed.character(3), changed.character(2)), (Some('é'), Some('#')));
        assert!(changed > cells && matches!(changed, Cells::Values(_)));
        assert_eq!(Cells::of_rows(&[&Text::new("ab#é")]), changed);
        changed.put(3, '.');
        changed.settle();
        assert_eq!(changed, cells);
        assert_eq!(Cells::from(cells.iter().collect::<Vec<Value>>()), cells);
    }
}
