//! Tables as CSV (RFC 4180): one record for each entry, the members of the axes and the value.

use crate::answer::Table;

/// The table with a header of the binders' names and `value`.
pub fn table(table: &Table) -> String {
    let names: Vec<String> = table.axes.iter().map(|axis| axis.name.clone()).chain(["value".into()]).collect();
    let mut text = record(&names);
    for (members, value) in table.entries() {
        let fields: Vec<String> = members.iter().chain([value]).map(ToString::to_string).collect();
        text += &record(&fields);
    }
    text
}

fn record(fields: &[String]) -> String {
    fields.iter().map(|field| quoted(field)).collect::<Vec<_>>().join(",") + "\r\n"
}

/// A field in quotes where it needs them.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\r', '\n']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.into() }
}

#[cfg(test)]
mod tests {
    use crate::report::csv::{quoted, record};

    #[test]
    fn fields_are_quoted_where_they_must() {
        assert_eq!(quoted("12"), "12");
        assert_eq!(quoted("(1, 2)"), "\"(1, 2)\"");
        assert_eq!(quoted("a \"b\""), "\"a \"\"b\"\"\"");
        assert_eq!(record(&["n".into(), "value".into()]), "n,value\r\n");
    }
}
