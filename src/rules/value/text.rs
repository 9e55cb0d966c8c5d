//! Texts by their characters.

use super::Text;
use std::fmt;
use std::sync::Arc;

impl Text {
    /// The characters of a text.
    #[must_use]
    pub fn new(text: &str) -> Text {
        if text.is_ascii() {
            return Text(text.bytes().map(char::from).collect());
        }
        Text(text.chars().collect())
    }

    /// How many characters.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The one character of a text of length 1.
    #[must_use]
    pub fn single(&self) -> Option<char> {
        match *self.0 {
            [c] => Some(c),
            _ => None,
        }
    }

    /// The two texts, one after the other.
    #[must_use]
    pub fn concat(&self, other: &Text) -> Text {
        let mut characters = Vec::with_capacity(self.len() + other.len());
        characters.extend_from_slice(&self.0);
        characters.extend_from_slice(&other.0);
        Text(characters.into())
    }

    /// The indices where `part` begins, overlapping ones too; none when it is empty.
    #[must_use]
    pub fn places(&self, part: &Text) -> Vec<usize> {
        if part.is_empty() {
            return Vec::new();
        }
        if let Some(c) = part.single() {
            return self.0.iter().enumerate().filter(|(_, x)| **x == c).map(|(i, _)| i).collect();
        }
        // Knuth, Morris and Pratt: linear however often the parts overlap.
        let part = &part.0;
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
        for (i, c) in self.0.iter().enumerate() {
            while matched > 0 && (matched == part.len() || part[matched] != *c) {
                matched = border[matched - 1];
            }
            matched += usize::from(part[matched] == *c);
            if matched == part.len() {
                places.push(i + 1 - matched);
            }
        }
        places
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        self.0.iter().try_for_each(|&c| f.write_char(c))
    }
}

impl From<&[char]> for Text {
    fn from(characters: &[char]) -> Text {
        Text(Arc::from(characters))
    }
}
