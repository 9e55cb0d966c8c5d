//! Bytes of data files and of JSON.

use grundy::input::json::{from_json, to_json};
use grundy::model::kind::Kind;

mod blocks {
    use grundy::input::datafile::blocks::Blocks;
    use std::io::{self, ErrorKind, Read};

    /// Hands on a few bytes at a time, and is interrupted now and then.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            if self.1.is_multiple_of(5) {
                return Err(ErrorKind::Interrupted.into());
            }
            let some = self.0.len().min(buffer.len()).min(1 + self.1 % 7 * 40_000);
            buffer[..some].copy_from_slice(&self.0[..some]);
            self.0 = &self.0[some..];
            Ok(some)
        }
    }

    #[test]
    fn lines_come_whole() {
        let long = "x".repeat(9_000_000);
        for text in ["", "\n", "a", "a\n", "a\n\nbc\nd", &format!("{long}\n1\n22\n{long}"), &format!("1\n{long}\n")] {
            for mark in ["", "\u{feff}"] {
                let bytes = format!("{mark}{text}");
                let (mut slow, mut read) = (Slow(bytes.as_bytes(), 0), Vec::new());
                let mut blocks = Blocks::new(&mut slow);
                let each = |read: &mut Vec<(usize, Vec<u8>)>, line: usize, content: &[u8]| {
                    read.push((line, content.to_vec()));
                    Ok(())
                };
                blocks.each_line(&mut read, |_, _, _| None, each).unwrap();
                let expected = text.lines().enumerate().map(|(i, line)| (i + 1, line.as_bytes().to_vec()));
                assert!(read == expected.collect::<Vec<_>>());
                assert_eq!(blocks.lines(), text.matches('\n').count());
            }
        }
    }
}

mod number {
    use grundy::input::datafile::number::number;

    const DIGITS: usize = 8;

    #[test]
    fn numbers_of_all_lengths_before_all_bytes() {
        for n in [0_u32, 7, 10, 99, 100, 4095, 12_345, 999_999, 1_000_000, 9_999_999, 12_345_678, 99_999_999] {
            for after in 0..=255_u8 {
                let mut text = n.to_string().into_bytes();
                let digits = text.len();
                text.extend([after; 9]);
                let got = number(&text, 0);
                if digits < DIGITS && after.is_ascii_digit() {
                    let all: String = text[..DIGITS].iter().map(|b| char::from(*b)).collect();
                    assert_eq!(got, Some((all.parse().unwrap(), DIGITS)));
                } else {
                    assert_eq!(got, Some((n, digits)), "{n} before {after}");
                }
            }
        }
        assert_eq!(number(b" 1234567", 0), None);
        assert_eq!(number(b"1234567", 0), None);
        assert_eq!(number(b"x00000012 ", 1), Some((12, 9)));
    }
}

/// Found by fuzzing: a grid of numbers with rows and no columns was written as texts and not read again.
#[test]
fn grids_without_cells_are_read_as_they_are_written() {
    for (kind, text) in
        [(Kind::NatGrid, "[[], []]"), (Kind::NatGrid, "[]"), (Kind::Grid, r#"["", ""]"#), (Kind::Grid, "[]")]
    {
        let value = from_json(text, &kind, "x").expect("a grid");
        let written = to_json(&value).to_string();
        assert_eq!(from_json(&written, &kind, "x").expect("what was written"), value, "{written}");
    }
}
