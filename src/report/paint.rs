//! Colours: escape codes, which the output takes away where they are not wanted.

/// Bold.
pub fn bold(text: &str) -> String {
    format!("\x1b[1m{text}\x1b[0m")
}

/// Pale.
pub(crate) fn dim(text: &str) -> String {
    format!("\x1b[2m{text}\x1b[0m")
}

/// Good news.
pub fn green(text: &str) -> String {
    format!("\x1b[32m{text}\x1b[0m")
}

/// Bad news.
pub fn red(text: &str) -> String {
    format!("\x1b[31m{text}\x1b[0m")
}

/// News that is neither.
pub(crate) fn yellow(text: &str) -> String {
    format!("\x1b[33m{text}\x1b[0m")
}

/// The text and blanks behind it, to so many characters.
pub fn left(text: &str, width: usize) -> String {
    format!("{text}{}", blanks(text, width))
}

/// The text and blanks before it, to so many characters.
pub fn right(text: &str, width: usize) -> String {
    format!("{}{text}", blanks(text, width))
}

/// A width in a format string ends at 65,535.
fn blanks(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(text.chars().count()))
}
