//! Texts by their characters.

use crate::value::Text;
use std::fmt::{self, Write};

/// What is left of the characters of a text.
pub(super) type Characters<'t> = std::iter::Copied<std::slice::Iter<'t, char>>;

impl Text {
    /// The characters of a text.
    pub fn new(text: &str) -> Text {
        text.chars().collect()
    }

    /// How many characters.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All in order.
    pub fn characters(&self) -> Characters<'_> {
        self.0.iter().copied()
    }

    /// A byte for each character, where all are of ASCII.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        self.characters().map(|c| u8::try_from(c).ok().filter(u8::is_ascii)).collect()
    }

    /// The character at an index, from 0.
    pub fn at(&self, index: usize) -> Option<char> {
        self.0.get(index).copied()
    }

    /// The one character of a text of length 1.
    pub fn single(&self) -> Option<char> {
        if let [c] = self.0[..] { Some(c) } else { None }
    }

    /// Whether a character is in it.
    pub fn has(&self, c: char) -> bool {
        self.0.contains(&c)
    }

    /// The characters with indices in a range, all of which there are.
    ///
    /// # Panics
    /// When the range ends behind the text.
    pub fn part(&self, range: std::ops::Range<usize>) -> Text {
        Text(self.0[range].into())
    }

    /// Whether it begins with another text.
    pub fn starts_with(&self, part: &Text) -> bool {
        self.0.starts_with(&part.0)
    }

    /// The two texts, one after the other.
    pub fn concat(&self, other: &Text) -> Text {
        Text([&*self.0, &*other.0].concat().into())
    }

    /// The text so many times.
    pub fn repeat(&self, n: usize) -> Text {
        Text(self.0.repeat(n).into())
    }

    /// The indices where `part` begins, overlapping ones too; none when it is empty.
    pub fn places(&self, part: &Text) -> Vec<usize> {
        if part.is_empty() {
            return Vec::new();
        }
        if let Some(c) = part.single() {
            return self.characters().enumerate().filter(|(_, x)| *x == c).map(|(i, _)| i).collect();
        }
        // Knuth, Morris and Pratt: linear however often the parts overlap.
        let part: Vec<char> = part.characters().collect();
        let mut border = vec![0_usize; part.len()];
        let mut matched = 0;
        for i in 1..part.len() {
            while matched > 0 && part[matched] != part[i] {
                matched = border[matched - 1];
            }
            matched += usize::from(part[matched] == part[i]);
            border[i] = matched;
        }
        let mut places = Vec::new();
        matched = 0;
        for (i, c) in self.characters().enumerate() {
            while matched > 0 && (matched == part.len() || part[matched] != c) {
                matched = border[matched - 1];
            }
            matched += usize::from(part[matched] == c);
            if matched == part.len() {
                places.push(i + 1 - matched);
            }
        }
        places
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.characters().try_for_each(|c| f.write_char(c))
    }
}

impl FromIterator<char> for Text {
    fn from_iter<T: IntoIterator<Item = char>>(characters: T) -> Text {
        Text(characters.into_iter().collect())
    }
}

impl From<Vec<char>> for Text {
    fn from(characters: Vec<char>) -> Text {
        Text(characters.into())
    }
}
