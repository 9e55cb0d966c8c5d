//! No enum without fields derives an order: with `max` on such an order rustc 1.95 makes wrong code, see
//! `tests/data/derived_order.rs`, which is as small as it gets. The order is spelled out instead.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The `enum`s of a text that derive an order and have no fields.
fn ordered_without_fields(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("enum ") {
        let head = &text[..at];
        let head = &head[head.rfind(['}', ';']).map_or(0, |end| end + 1)..];
        let body =
            text[at..].split_once('{').map_or("", |(_, rest)| rest.split_once('}').map_or(rest, |(body, _)| body));
        let body = body.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<String>();
        if head.contains("#[derive(") && head.contains("Ord") && !body.contains(['(', ':']) {
            found.push(text[at..].split(['{', '\n']).next().unwrap_or_default().trim().to_string());
        }
    }
    found
}

#[test]
fn no_enum_without_fields_derives_an_order() {
    assert_eq!(ordered_without_fields("#[derive(Eq, Ord)]\nenum A {\n /// (b)\n B,\n C,\n}"), ["enum A"]);
    assert!(ordered_without_fields("#[derive(Eq, Ord)]\nenum A { B(u8), C }\n#[derive(Eq)]\nenum D { E }").is_empty());
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    sources(Path::new("crates"), &mut files);
    assert!(files.len() > 150, "only {} files were found", files.len());
    for file in &files {
        let found = ordered_without_fields(&fs::read_to_string(file).expect("a text"));
        assert!(found.is_empty(), "{}: {}", file.display(), found.join(", "));
    }
}
