//! The cells of a grid: a byte each while all are characters of ASCII, 4 bytes while all are characters. Many rows of texts are
//! shared with those who gave them.

use crate::value::{Text, Value};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// Cells row by row, in the first of these forms that all of them have, but that those of ASCII have two.
#[derive(Clone, Debug)]
pub enum Cells {
    /// One-character texts of ASCII.
    Bytes(Vec<u8>),
    /// The same, row by row.
    Rows(Rows),
    /// One-character texts.
    Characters(Vec<char>),
    /// Numbers, or anything.
    Values(Vec<Value>),
}

/// Texts of ASCII, all of one length.
#[derive(Clone, Debug)]
pub struct Rows {
    texts: Vec<Text>,
    cols: usize,
}

impl Rows {
    /// The characters of a row.
    fn row(&self, row: usize) -> &[u8] {
        self.texts.get(row).and_then(Text::bytes).unwrap_or_default()
    }

    fn all(&self) -> impl Iterator<Item = u8> + '_ {
        self.texts.iter().filter_map(Text::bytes).flatten().copied()
    }
}

impl Cells {
    /// Rows of ASCII, all of one length; `None`: they are not. Many are shared.
    #[must_use]
    pub fn of_rows(rows: &[&Text]) -> Option<Cells> {
        /// So many cells are written down.
        const FEW: usize = 1 << 12;
        let cols = rows.first().map_or(0, |row| row.len());
        if rows.iter().any(|row| row.len() != cols || row.bytes().is_none()) {
            return None;
        }
        let all = || rows.iter().filter_map(|row| row.bytes());
        Some(if rows.len().saturating_mul(cols) <= FEW {
            Cells::Bytes(all().flatten().copied().collect())
        } else {
            Cells::Rows(Rows { texts: rows.iter().map(|row| (*row).clone()).collect(), cols })
        })
    }

    /// A byte for each cell, where all are characters of ASCII.
    fn bytes(&self) -> Option<impl Iterator<Item = u8> + '_> {
        let (bytes, rows) = match self {
            Cells::Bytes(bytes) => (Some(bytes), None),
            Cells::Rows(rows) => (None, Some(rows)),
            _ => return None,
        };
        Some(bytes.into_iter().flatten().copied().chain(rows.into_iter().flat_map(Rows::all)))
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Cells::Bytes(bytes) => bytes.len(),
            Cells::Rows(rows) => rows.texts.len() * rows.cols,
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
            Cells::Rows(rows) => {
                // Of rows without cells there are none.
                let row = place.checked_div(rows.cols)?;
                rows.row(row).get(place % rows.cols).map(|byte| char::from(*byte))
            }
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
            Cells::Rows(rows) if places.len() == rows.cols && places.start.is_multiple_of(rows.cols) => {
                to.extend(rows.row(places.start / rows.cols).iter().map(|byte| *byte != c));
            }
            Cells::Characters(characters) => to.extend(characters[places].iter().map(|cell| *cell != char::from(c))),
            Cells::Rows(_) | Cells::Values(_) => {
                to.extend(places.map(|place| self.character(place) != Some(char::from(c))));
            }
        }
    }

    /// Puts a character into a cell of a grid of characters; [`Cells::settle`] is to follow.
    ///
    /// # Panics
    /// When there is no such cell.
    pub fn put(&mut self, place: usize, c: char) {
        if let Cells::Rows(rows) = self {
            *self = Cells::Bytes(rows.all().collect());
        }
        if let (Cells::Bytes(bytes), false) = (&*self, c.is_ascii()) {
            *self = Cells::Characters(bytes.iter().copied().map(char::from).collect());
        }
        match self {
            Cells::Bytes(bytes) => bytes[place] = u8::try_from(c).unwrap_or(b'?'), // it is one
            Cells::Rows(_) => {}                                                   // just made bytes
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
            (Cells::Bytes(_) | Cells::Rows(_), Cells::Bytes(_) | Cells::Rows(_)) => {
                self.bytes().into_iter().flatten().cmp(other.bytes().into_iter().flatten())
            }
            (Cells::Characters(a), Cells::Characters(b)) => a.cmp(b),
            (Cells::Values(a), Cells::Values(b)) => a.cmp(b),
            _ => self.iter().cmp(other.iter()),
        }
    }
}

impl PartialEq for Cells {
    fn eq(&self, other: &Cells) -> bool {
        self.len() == other.len() && self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Cells {}

impl Hash for Cells {
    fn hash<H: Hasher>(&self, state: &mut H) {
        /// Of so many all count.
        const ALL: usize = 1 << 12;
        self.len().hash(state);
        match self {
            Cells::Bytes(bytes) if bytes.len() <= ALL => bytes.hash(state),
            Cells::Bytes(_) | Cells::Rows(_) => {
                self.bytes().into_iter().flatten().take(ALL).for_each(|byte| byte.hash(state));
            }
            Cells::Characters(characters) => characters.hash(state),
            Cells::Values(values) => values.hash(state),
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
    use crate::value::cells::{Cells, Text};
    use std::hash::{BuildHasher, RandomState};

    #[test]
    fn shared_rows_are_cells_as_others() {
        let state = RandomState::new();
        for (rows, cols) in [(3, 4), (0, 0), (2, 0), (70, 71), (1, 5000), (5000, 1)] {
            let character = |place: usize| if (place * place / 7).is_multiple_of(3) { '#' } else { '.' };
            let characters: Vec<char> = (0..rows * cols).map(character).collect();
            let texts: Vec<Text> = (0..rows).map(|r| characters[r * cols..(r + 1) * cols].into()).collect();
            let shared = Cells::of_rows(&texts.iter().collect::<Vec<_>>()).unwrap();
            let written = Cells::from(characters.clone());
            assert_eq!(matches!(shared, Cells::Rows(_)), rows * cols > 4096);
            assert!(shared == written && shared.cmp(&written).is_eq());
            assert_eq!(state.hash_one(&shared), state.hash_one(&written));
            assert!((0..rows * cols + 2).all(|place| shared.character(place) == characters.get(place).copied()));
            assert!(shared.iter().eq(written.iter()));
            for r in 0..rows {
                let mut are = Vec::new();
                shared.are_not(b'#', r * cols..(r + 1) * cols, &mut are);
                assert!(are.iter().copied().eq(characters[r * cols..(r + 1) * cols].iter().map(|c| *c != '#')));
            }
            for (place, c) in [(rows * cols / 2, '0'), (rows * cols / 3, 'é')] {
                if place >= rows * cols {
                    continue;
                }
                let (mut changed, mut other) = (shared.clone(), characters.clone());
                changed.put(place, c);
                changed.settle();
                other[place] = c;
                assert!(changed == Cells::from(other.clone()) && changed != shared);
                assert_eq!(changed.cmp(&shared), other.cmp(&characters));
                assert_eq!(shared.cmp(&changed), characters.cmp(&other));
            }
        }
        let uneven = [Text::new("ab"), Text::new("c")];
        assert!(Cells::of_rows(&uneven.iter().collect::<Vec<_>>()).is_none());
        assert!(Cells::of_rows(&[&Text::new("é")]).is_none());
    }
}
