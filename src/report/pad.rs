//! Text of a least width. The formats of the standard library stop the program at widths from 2^16 on, and texts of states
//! are longer now and then.

/// The text and blanks behind it, to so many characters.
pub(super) fn left(text: &str, width: usize) -> String {
    format!("{text}{}", blanks(text, width))
}

/// The text and blanks before it, to so many characters.
pub(super) fn right(text: &str, width: usize) -> String {
    format!("{}{text}", blanks(text, width))
}

fn blanks(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(text.chars().count()))
}

#[cfg(test)]
mod tests {
    use crate::report::pad::*;

    #[test]
    fn of_any_width() {
        assert_eq!((left("äb", 4).as_str(), right("äb", 4).as_str(), left("abc", 2).as_str()), ("äb  ", "  äb", "abc"));
        let wide = 70_000;
        assert_eq!(left("a", wide).trim_end(), "a");
        assert_eq!(right("a", wide).len(), wide);
    }
}
