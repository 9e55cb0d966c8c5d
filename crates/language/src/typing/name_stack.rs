//! Names with what they mean, the later ones in front of the earlier ones.

use std::collections::HashMap;

/// See the module. Finding a name takes the same time however many there are.
#[derive(Clone, Debug)]
pub(crate) struct NameStack<T> {
    entries: Vec<(String, T)>,
    places: HashMap<String, Vec<usize>>,
}

impl<T> Default for NameStack<T> {
    fn default() -> Self {
        NameStack { entries: Vec::new(), places: HashMap::new() }
    }
}

impl<T> NameStack<T> {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn push(&mut self, name: &str, meaning: T) {
        self.places.entry(name.to_owned()).or_default().push(self.entries.len());
        self.entries.push((name.to_owned(), meaning));
    }

    /// Only the first `len` are kept.
    pub(crate) fn truncate(&mut self, len: usize) {
        for (name, _) in self.entries.drain(len.min(self.entries.len())..) {
            if let Some(places) = self.places.get_mut(&name) {
                places.pop();
            }
        }
    }

    /// What a name means: the last of this name.
    pub(crate) fn find(&self, name: &str) -> Option<&T> {
        Some(&self.entries[*self.places.get(name)?.last()?].1)
    }

    /// The names with their meanings, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.entries.iter().map(|(name, meaning)| (name.as_str(), meaning))
    }

    /// What the last ones mean, the last one first.
    pub(crate) fn last_first(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().rev().map(|(_, meaning)| meaning)
    }
}
