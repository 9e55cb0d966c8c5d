//! Texts by their characters: a byte each while all are of ASCII.

use crate::value::Text;
use std::fmt::{self, Write};
use std::sync::Arc;

/// Characters in the first of these forms that all of them have: so equal texts have equal forms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// Of ASCII.
    Bytes(Arc<[u8]>),
    Characters(Arc<Vec<char>>),
}

impl Text {
    /// The characters of a text.
    pub fn new(text: &str) -> Text {
        if text.is_ascii() {
            return Text(Form::Bytes(text.as_bytes().into()));
        }
        Text(Form::Characters(Arc::new(text.chars().collect())))
    }

    /// How many characters.
    pub fn len(&self) -> usize {
        match &self.0 {
            Form::Bytes(bytes) => bytes.len(),
            Form::Characters(characters) => characters.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All in order.
    pub fn characters(&self) -> impl ExactSizeIterator<Item = char> + DoubleEndedIterator + '_ {
        (0..self.len()).map(|index| self.character(index))
    }

    #[inline]
    fn character(&self, index: usize) -> char {
        match &self.0 {
            Form::Bytes(bytes) => char::from(bytes[index]),
            Form::Characters(characters) => characters[index],
        }
    }

    /// A byte for each character, where all are of ASCII.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.0 {
            Form::Bytes(bytes) => Some(bytes),
            Form::Characters(_) => None,
        }
    }

    /// The character at an index, from 0.
    pub fn at(&self, index: usize) -> Option<char> {
        (index < self.len()).then(|| self.character(index))
    }

    /// The one character of a text of length 1.
    pub fn single(&self) -> Option<char> {
        if self.len() == 1 { self.at(0) } else { None }
    }

    /// Whether a character is in it.
    pub fn has(&self, c: char) -> bool {
        self.characters().any(|x| x == c)
    }

    /// The characters with indices in a range, all of which there are.
    ///
    /// # Panics
    /// When the range ends behind the text.
    pub fn part(&self, range: std::ops::Range<usize>) -> Text {
        range.map(|index| self.character(index)).collect()
    }

    /// Whether it begins with another text.
    pub fn starts_with(&self, part: &Text) -> bool {
        part.len() <= self.len() && part.characters().eq(self.characters().take(part.len()))
    }

    /// The two texts, one after the other.
    pub fn concat(&self, other: &Text) -> Text {
        self.characters().chain(other.characters()).collect()
    }

    /// The text so many times.
    pub fn repeat(&self, n: usize) -> Text {
        (0..n).flat_map(|_| self.characters()).collect()
    }

    /// The indices where `part` begins, overlapping ones too; none when it is empty.
    pub fn places(&self, part: &Text) -> Vec<usize> {
        if part.is_empty() {
            return Vec::new();
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
        match self.bytes().map(std::str::from_utf8) {
            Some(Ok(text)) => f.write_str(text),
            _ => self.characters().try_for_each(|c| f.write_char(c)),
        }
    }
}

impl FromIterator<char> for Text {
    fn from_iter<T: IntoIterator<Item = char>>(characters: T) -> Text {
        let mut characters = characters.into_iter();
        let mut bytes = Vec::with_capacity(characters.size_hint().0);
        while let Some(c) = characters.next() {
            match u8::try_from(c) {
                Ok(byte) if byte.is_ascii() => bytes.push(byte),
                _ => {
                    let mut all: Vec<char> = bytes.into_iter().map(char::from).collect();
                    all.push(c);
                    all.extend(characters);
                    return Text(Form::Characters(Arc::new(all)));
                }
            }
        }
        Text(Form::Bytes(bytes.into()))
    }
}

impl Ord for Text {
    fn cmp(&self, other: &Text) -> std::cmp::Ordering {
        match (&self.0, &other.0) {
            (Form::Bytes(a), Form::Bytes(b)) => a.cmp(b),
            _ => self.characters().cmp(other.characters()),
        }
    }
}
