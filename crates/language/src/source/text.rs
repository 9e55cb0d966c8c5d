//! Source texts and places in them.

use std::fmt;

/// Which source a place is in: an index into [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct SourceId(pub u32);

/// A stretch of a source, in bytes, `start <= end`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The source.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.source.0, self.start, self.end)
    }
}

impl Span {
    /// The least stretch that holds both, which lie in one source.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// One text with the name it is reported under.
#[derive(Clone, Debug)]
pub struct Source {
    /// A path as the user gave it, or a made-up name such as `<position>` or `library:nim`.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// All texts of one run; places point into it.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// Adds a text and returns its id.
    ///
    /// # Panics
    /// With more than `u32::MAX` sources.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        // A source takes 48 bytes and is a file or an argument: 2^32 of them do not fit any memory.
        self.files.push(Source { name: name.into(), text: text.into() });
        SourceId(u32::try_from(self.files.len() - 1).expect("fewer than 2^32 sources"))
    }

    /// The first source with this name.
    pub fn named(&self, name: &str) -> Option<SourceId> {
        let at = self.files.iter().position(|file| file.name == name)?;
        u32::try_from(at).ok().map(SourceId)
    }

    /// The source with this id, which came from [`Sources::add`].
    pub fn get(&self, id: SourceId) -> &Source {
        &self.files[id.0 as usize]
    }

    /// The line and column at which a span begins, both from 1; columns count characters.
    pub fn line_and_column(&self, span: Span) -> (usize, usize) {
        let text = &self.get(span.source).text;
        let before = &text[..text.floor_char_boundary(span.start as usize)];
        let line = before.rsplit('\n').next().unwrap_or("");
        (before.matches('\n').count() + 1, line.chars().count() + 1)
    }

    /// The text a span covers, on one line.
    pub fn one_line(&self, span: Span) -> String {
        self.slice(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The text a span covers.
    pub fn slice(&self, span: Span) -> &str {
        &self.get(span.source).text[span.start as usize..span.end as usize]
    }
}
