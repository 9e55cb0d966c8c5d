//! Words, marks and texts of a file.

mod scan {
    use grundy::syntax::scan::{Scan, Shape};

    fn shapes(text: &str) -> Vec<(Shape, &str)> {
        Scan::new(text, 0).map(|token| (token.shape, token.text(text))).collect()
    }

    #[test]
    fn words_marks_and_comments() {
        let found = shapes("let a1=-x # let\n..");
        let words: Vec<&str> = found.iter().map(|(_, text)| *text).collect();
        assert_eq!(words, ["let", "a1", "=", "-", "x", "# let", ".."]);
    }

    #[test]
    fn texts_hide_what_is_in_them() {
        assert_eq!(shapes(r#""a\"(" "#), [(Shape::Text, r#""a\"(""#)]);
        assert_eq!(shapes("\"\"\"\n\"(\n\"\"\"1")[0].0, Shape::Text);
        assert_eq!(shapes("\"abc\n1"), [(Shape::OpenText, "\"abc"), (Shape::Number, "1")]);
        assert_eq!(shapes("\"\\"), [(Shape::OpenText, "\"\\")]);
        assert_eq!(shapes("\"\\é"), [(Shape::OpenText, "\"\\é")]);
    }

    #[test]
    fn odd_characters_are_whole() {
        assert_eq!(shapes("é`"), [(Shape::Odd, "é"), (Shape::Odd, "`")]);
    }
}
