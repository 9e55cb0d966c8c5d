//! The layers of the sources: a module uses only those to its left. The crates below them are kept apart by the compiler.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// From left to right.
const LAYERS: [&str; 22] = [
    "source",
    "syntax",
    "model",
    "value",
    "tuning",
    "words",
    "input",
    "typing",
    "analysis",
    "bytecode",
    "vm",
    "answer",
    "jit",
    "store",
    "tables",
    "graph_search",
    "engines",
    "claims",
    "prover",
    "guess",
    "report",
    "cli",
];

/// Modules that use one to their right. Nothing is to be added here.
const KNOTS: [(&str, &str); 8] = [
    ("words", "vm"),
    ("bytecode", "vm"),
    ("vm", "store"),
    ("vm", "tables"),
    ("vm", "graph_search"),
    ("vm", "engines"),
    ("tables", "graph_search"),
    ("graph_search", "engines"),
];

/// Every Rust file below a folder.
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

/// The layer that a file belongs to; `None` for `lib.rs` and `main.rs`, which stand above all.
fn layer_of(file: &Path) -> Option<usize> {
    let inside = file.strip_prefix("src").expect("a file of src");
    let first = inside.components().next().expect("a part").as_os_str().to_string_lossy().into_owned();
    let name = first.strip_suffix(".rs").unwrap_or(&first);
    if name == "lib" || name == "main" {
        return None;
    }
    let layer = LAYERS.iter().position(|layer| *layer == name);
    Some(layer.unwrap_or_else(|| panic!("`{name}` is no layer: put it in its place in this test")))
}

/// The names that follow `crate::` in code, those of `crate::{a, b::c}` too. Comments are no code.
fn used(text: &str) -> Vec<String> {
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join("\n");
    let name = |text: &str| text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let mut names: Vec<String> = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        let Some(group) = rest.strip_prefix('{') else {
            names.push(name(rest));
            continue;
        };
        let (mut depth, mut start) = (0, 0);
        for (i, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    names.push(name(&group[start..i]));
                    start = i + 1;
                    if c == '}' {
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[test]
fn the_reader_of_paths_sees_every_form() {
    let text = "use crate::source::Span; // crate::cli\nuse crate::{value::{a, b}, typing::model};\nlet x = crate::engines::f();";
    assert_eq!(used(text), ["source", "value", "typing", "engines"]);
}

#[test]
fn a_module_uses_only_modules_to_its_left() {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    let mut seen: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for file in &files {
        let Some(own) = layer_of(file) else { continue };
        for name in used(&fs::read_to_string(file).expect("a text")) {
            let Some(other) = LAYERS.iter().position(|layer| *layer == name) else {
                wrong.push(format!("{}: `crate::{name}` is no layer", file.display()));
                continue;
            };
            *seen.entry((own, other)).or_default() += 1;
            if other > own && !KNOTS.contains(&(LAYERS[own], LAYERS[other])) {
                wrong.push(format!("{}: `{}` uses `{name}`, which is to its right", file.display(), LAYERS[own]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Were the files not read, nothing would be wrong with them.
    assert!(files.len() > 150, "only {} files were found", files.len());
    // The first uses nothing, and numbers for trials use nothing either.
    for (own, layer) in LAYERS.iter().enumerate().filter(|(_, layer)| !["source", "tuning"].contains(layer)) {
        assert!(seen.keys().any(|(from, _)| *from == own), "no path of `{layer}` was found");
    }
}
