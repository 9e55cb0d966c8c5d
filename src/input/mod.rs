//! Everything that reads data: JSON, data files, the values of inputs.
//!
//! In: bytes, and the kind that is wanted. Out: values that are in their domain, or an error that names the line.
//! [`entry`] is the one way into fields, parameters and inputs: defaults, moves, JSON and arguments all go through its
//! checks and adaptations, so that R01 means one thing wherever a value comes from. Files are opened by others.

pub mod data;
pub mod datafile;
pub mod entry;
pub mod json;

/// The text as a message shows it: at most so many characters, and dots for the others.
fn first_of(text: &str, most: usize) -> String {
    let mut short: String = text.chars().take(most).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}
