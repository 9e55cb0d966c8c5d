//! Colours: escape codes, which the output takes away where they are not wanted.

/// Bold.
#[must_use]
pub fn bold(text: &str) -> String {
    format!("\x1b[1m{text}\x1b[0m")
}

/// Pale.
#[must_use]
pub fn dim(text: &str) -> String {
    format!("\x1b[2m{text}\x1b[0m")
}

/// Good news.
#[must_use]
pub fn green(text: &str) -> String {
    format!("\x1b[32m{text}\x1b[0m")
}

/// Bad news.
#[must_use]
pub fn red(text: &str) -> String {
    format!("\x1b[31m{text}\x1b[0m")
}

/// News that is neither.
#[must_use]
pub fn yellow(text: &str) -> String {
    format!("\x1b[33m{text}\x1b[0m")
}
