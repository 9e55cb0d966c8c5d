//! Files that read, files that do not, and what is said then.

use grundy::syntax::{parse_file, parse_position};
use grundy::text::Sources;
use std::path::PathBuf;

fn examples(folder: &str) -> Vec<(String, String)> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/examples").join(folder);
    let mut files: Vec<_> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
        .into_iter()
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(&path).unwrap()))
        .collect()
}

#[test]
fn every_example_parses() {
    for (name, text) in examples("games").into_iter().chain(examples("public")) {
        let mut sources = Sources::default();
        let id = sources.add(&name, text);
        if let Err(errors) = parse_file(&sources, id) {
            panic!("{name}: {errors:#?}");
        }
    }
}

#[test]
fn every_slip_is_refused() {
    for (name, text) in examples("refused") {
        let mut sources = Sources::default();
        let id = sources.add(&name, text);
        match parse_file(&sources, id) {
            Err(errors) => println!("=== {name}\n{}", grundy::diagnostic::render(&errors, &sources, false)),
            Ok(_) => panic!("{name} was read"),
        }
    }
}

#[test]
fn depth() {
    for n in [50, 199] {
        let mut sources = Sources::default();
        let text = format!("{}1{}", "[".repeat(n), "]".repeat(n));
        let id = sources.add("p", text);
        parse_position(&sources, id).unwrap();
    }
}
