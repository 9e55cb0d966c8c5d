//! What game files mean, and what they may not mean.

use grundy::check::model::Program;
use grundy::check::{Loader, check};
use grundy::diagnostic::Diagnostic;
use grundy::syntax::parse_file;
use grundy::text::{SourceId, Sources};
use std::path::PathBuf;

/// Finds `use`d files among these texts, then among the examples.
struct Shelf(Vec<(&'static str, String)>);

impl Loader for Shelf {
    fn load(&mut self, name: &str, from: SourceId, sources: &mut Sources) -> Option<Result<SourceId, Diagnostic>> {
        let own = sources.get(from).name.clone();
        let title = format!("library:{name}");
        if own == title {
            return None;
        }
        let text = match self.0.iter().find(|(n, _)| *n == name) {
            Some((_, text)) => text.clone(),
            None => std::fs::read_to_string(folder("games").join(format!("{name}.game"))).ok()?,
        };
        Some(Ok(sources.add(title, text)))
    }
}

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/examples").join(name)
}

fn checked_with(text: &str, shelf: &[(&'static str, &str)]) -> (Sources, Result<Program, Vec<Diagnostic>>) {
    let mut sources = Sources::default();
    let id = sources.add("t.game", text);
    let result = parse_file(&sources, id).and_then(|file| {
        let mut shelf = Shelf(shelf.iter().map(|(n, t)| (*n, (*t).to_owned())).collect());
        check(&file, id, &mut sources, &mut shelf)
    });
    (sources, result)
}

fn examples() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for name in ["games", "public"] {
        for entry in std::fs::read_dir(folder(name)).expect("the examples are there") {
            let path = entry.expect("a file").path();
            let text = std::fs::read_to_string(&path).expect("a text");
            all.push((path.display().to_string(), text));
        }
    }
    all.sort();
    all
}

/// `E01 2:7 message | hint`, one line for each error.
fn errors(text: &str) -> String {
    errors_with(text, &[])
}

fn errors_with(text: &str, shelf: &[(&'static str, &str)]) -> String {
    let (sources, result) = checked_with(text, shelf);
    let Err(found) = result else { return "no error".into() };
    let line = |d: &Diagnostic| {
        let place = d.span.map_or("-".into(), |span| {
            let before = &sources.get(span.source).text[..span.start as usize];
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
            let file = if span.source.0 == 0 { String::new() } else { format!("{}:", sources.get(span.source).name) };
            format!("{file}{line}:{column} `{}`", sources.slice(span).lines().next().unwrap_or_default())
        });
        let hint = d.hint.as_ref().map_or(String::new(), |h| format!(" | {h}"));
        format!("{} {place}: {}{hint}", d.code, d.message)
    };
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_example_means_something() {
    let all = examples();
    assert_eq!(all.len(), 66);
    let mut bad = String::new();
    for (name, text) in all {
        let found = errors(&text);
        if found != "no error" {
            bad += &format!("{name}:\n{found}\n");
        }
    }
    assert!(bad.is_empty(), "{bad}");
}
