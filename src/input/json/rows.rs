//! Many objects one after the other that differ in nothing but their ints, as files of cases have them: the ints of each as
//! columns.

use crate::input::json::quick::{Lookup, Scan};
use crate::model::kind::Kind;

/// How such an object is written.
#[derive(Clone, Debug)]
pub struct Form {
    /// What stands before each int, and behind the last one, up to the end of the object and the byte after it.
    pieces: Vec<Vec<u8>>,
    /// The inputs that the ints are for.
    pub inputs: Vec<usize>,
}

/// Objects that were read.
#[derive(Debug, Default)]
pub struct Rows {
    /// The ints by inputs.
    pub columns: Vec<Vec<i64>>,
    /// Where each ends in the text.
    pub ends: Vec<usize>,
}

impl Form {
    /// That of the object that a text begins with: at least one int and no other values, and then the byte `after`. `None`: it is unusual.
    pub fn of(text: &[u8], after: u8, lookup: &mut Lookup<'_>) -> Option<Form> {
        let mut scan = Scan { text, at: 0 };
        let mut form = Form { pieces: Vec::new(), inputs: Vec::new() };
        let mut from = 0;
        scan.sequence(b'{', b'}', |scan| {
            let key = scan.string()?;
            scan.sign(b':')?;
            let (input, kind) = lookup(key)?;
            if form.inputs.contains(&input) || !matches!(kind, Kind::Int | Kind::Nat) {
                return None;
            }
            form.pieces.push(text[from..scan.at].to_vec());
            form.inputs.push(input);
            scan.int()?;
            from = scan.at;
            Some(())
        })?;
        let blank = |byte: &&u8| byte.is_ascii_whitespace() && **byte != after;
        let end = scan.at + text[scan.at..].iter().take_while(blank).count();
        if form.inputs.is_empty() || text.get(end) != Some(&after) {
            return None;
        }
        form.pieces.push(text[from..=end].to_vec());
        // Lines are counted.
        let inner = form.pieces.iter().flatten().filter(|byte| **byte == b'\n').count();
        (after != b'\n' || inner == 1).then_some(form)
    }

    /// The objects of this form at the beginning of a text, `most` at most.
    #[must_use]
    pub fn read(&self, text: &[u8], most: usize) -> Rows {
        // Each takes its pieces and at least a digit for each int.
        let least = self.pieces.iter().map(Vec::len).sum::<usize>() + self.inputs.len();
        let room = most.min(text.len() / least + 1);
        let columns = self.inputs.iter().map(|_| Vec::with_capacity(room)).collect();
        let mut rows = Rows { columns, ends: Vec::with_capacity(room) };
        let mut scan = Scan { text, at: 0 };
        while rows.ends.len() < most && self.row(&mut scan, &mut rows.columns).is_some() {
            rows.ends.push(scan.at);
        }
        for column in &mut rows.columns {
            column.truncate(rows.ends.len());
        }
        rows
    }

    fn row(&self, scan: &mut Scan<'_>, columns: &mut [Vec<i64>]) -> Option<()> {
        let pass = |scan: &mut Scan<'_>, piece: &[u8]| {
            let there = scan.text.get(scan.at..)?.starts_with(piece);
            scan.at += piece.len();
            there.then_some(())
        };
        let (last, before) = self.pieces.split_last()?;
        for (piece, column) in before.iter().zip(columns) {
            pass(scan, piece)?;
            column.push(scan.int()?);
        }
        pass(scan, last)
    }
}

#[cfg(test)]
mod tests {
    use crate::input::json::rows::*;

    fn form(text: &str, after: u8) -> Option<Form> {
        let mut lookup = |key: &str| {
            ["a", "b", "t"].iter().position(|name| *name == key).map(|i| (i, &[Kind::Nat, Kind::Int, Kind::Text][i]))
        };
        Form::of(text.as_bytes(), after, &mut lookup)
    }

    #[test]
    fn rows_of_one_form() {
        let lines = form("{\"b\": 12, \"a\": 3}\n", b'\n').unwrap();
        assert_eq!(lines.inputs, [1, 0]);
        let text = "{\"b\": -1, \"a\": 0}\n{\"b\": 9223372036854775807, \"a\": 44}\n{\"b\": 7, \"a\":5}\n";
        let rows = lines.read(text.as_bytes(), 10);
        assert_eq!(rows.columns, [vec![-1, i64::MAX], vec![0, 44]]);
        assert_eq!(rows.ends, [18, 18 + 36]);
        assert_eq!(lines.read(text.as_bytes(), 1).ends, [18]);
        let array = form("\n  {\"a\":1},{", b',').unwrap();
        assert_eq!(array.read(b"\n  {\"a\":2},\n  {\"a\":3}]", 9).columns, [[2]]);
    }

    #[test]
    fn other_forms_and_other_numbers() {
        let lines = form("{\"a\": 12}\n", b'\n').unwrap();
        for text in [
            "{\"a\": 9223372036854775808}\n",
            "{\"a\": 01}\n",
            "{\"a\": 1.0}\n",
            "{\"a\": 1e3}\n",
            "{\"a\": -0}\n",
            "{\"a\": }\n",
            "{\"a\": 1}",
            "{\"a\": 1} \n",
            "{\"b\": 1}\n",
            "",
        ] {
            assert!(lines.read(text.as_bytes(), 9).ends.is_empty(), "{text}");
        }
        for text in [
            "{}\n",
            "{\"a\": 1, \"a\": 2}\n",
            "{\"a\": 1, \"t\": \"x\"}\n",
            "{\"c\": 1}\n",
            "{\"a\":\n1}\n",
            "[1]\n",
            "{\"a\": 1}{\n",
        ] {
            assert!(form(text, b'\n').is_none(), "{text}");
        }
    }
}
