//! The library's claims: folk statements are refuted by the counterexamples that are known, principles hold over all small
//! structures.

use serde_json::Value;
use std::process::Command;
use std::sync::OnceLock;

/// What `grundy check --json` says of a folder of the library, one object a line; its exit code must be 0.
fn checked(folder: &str) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(["check", "--json", "--time", "60s", folder])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn folk_statements_are_refuted_by_the_smallest_counterexamples() {
    /// File, beginning of the title, counterexample.
    const KNOWN: &[(&str, &str, &str)] = &[
        ("moore", "first wins iff in every", r#"{"k":1,"count":1,"heaps":[2]}"#),
        ("moore_distinct", "the amounts", r#"{"k":2,"count":2,"heaps":[1,1]}"#),
        ("bash_misere", "misere Bash is the inversion of Bash", r#"{"n":2,"m":2}"#),
        ("bash_misere", "misere Bash is the inversion of Bash where", r#"{"n":5,"m":2}"#),
        ("lasker", "a heap of n", r#"{"n":0}"#),
        ("dag_misere", "misere", r#"{"n":4,"g":{"n":4,"edges":[[0,1],[0,2],[2,1],[3,0]]},"k":1,"tokens":[3]}"#),
        ("dag_every", "every token", r#"{"n":3,"g":{"n":3,"edges":[[0,1],[0,2],[2,1]]},"k":1,"tokens":[0]}"#),
        ("climbing_hill", "the king", r#"{"count":3,"at":[1,2,3]}"#),
        ("flip", "first wins", r#"{"n":4,"g":{"n":4,"edges":[[0,1],[1,3],[2,0],[2,3]]},"black":[1,3]}"#),
        ("flip", "to hold", r#"{"n":3,"g":{"n":3,"edges":[[0,1],[2,0]]},"black":[0]}"#),
        ("fusion", "a chord of a contracted cycle may be dropped", r#"{"n":1,"m":1,"g":{"n":1,"edges":[[0,0]]}}"#),
        (
            "fusion",
            "a chord of a contracted cycle may be dropped, when",
            r#"{"n":4,"g":{"n":4,"edges":[[0,1],[0,2],[0,3],[1,2],[1,3]]}}"#,
        ),
        ("geography_grid", "the winning starts", r#"{"r":1,"c":3,"start":[0,0]}"#),
        ("wythoff", "second wins", r#"{"k":102334155,"lost":[165580140,267914295]}"#),
        ("wythoff", "27 digits", r#"{"k":44945570212853,"lost":[72723460248141,117669030460994]}"#),
        ("wythoff", "a positive number", r#"{"a":1,"b":2}"#),
    ];
    let findings = folklore();
    let refuted: Vec<&Value> = findings.iter().filter(|finding| finding["verdict"] == "REFUTED").collect();
    assert!(refuted.iter().all(|finding| finding["meant_to_be_false"] == true));
    assert_eq!(refuted.len(), KNOWN.len(), "{refuted:#?}");
    for (file, title, counterexample) in KNOWN {
        let file = format!("games/folklore/{file}.game");
        let named = |finding: &&&Value| {
            finding["file"] == file && finding["title"].as_str().is_some_and(|t| t.starts_with(title))
        };
        let expected: Value = serde_json::from_str(counterexample).expect("JSON");
        let found = refuted.iter().filter(named).any(|finding| {
            let parts = expected.as_object().expect("an object");
            parts.iter().all(|(name, value)| finding["counterexample"][name] == *value)
        });
        assert!(found, "{file}: {title}: {:#?}", refuted.iter().filter(named).collect::<Vec<_>>());
    }
}

/// The folk statements, checked once for all tests.
fn folklore() -> &'static [Value] {
    static CHECKED: OnceLock<Vec<Value>> = OnceLock::new();
    CHECKED.get_or_init(|| checked("games/folklore"))
}

/// What `prove` says of the folk statements: never anything else than `check`, and the same counterexamples. What it does not
/// decide it names.
#[test]
fn folk_statements_are_proved_or_refuted() {
    let found = folklore();
    let (mut decided, mut files) = (0, 0);
    for entry in std::fs::read_dir("games/folklore").expect("the folder is in the tree") {
        let path = entry.expect("an entry").path();
        let output = Command::new(env!("CARGO_BIN_EXE_grundy"))
            .args(["prove", "--json", "--time", "120s"])
            .arg(&path)
            .output()
            .expect("the program starts");
        files += 1;
        for line in String::from_utf8(output.stdout).expect("UTF-8").lines() {
            let said: Value = serde_json::from_str(line).expect("JSON");
            let same = |other: &&Value| other["title"] == said["title"] && other["file"] == said["file"];
            let checked = found.iter().find(same).unwrap_or_else(|| panic!("{said}"));
            match said["verdict"].as_str() {
                Some("REFUTED") => {
                    assert_eq!(checked["verdict"], "REFUTED", "{said}");
                    assert_eq!(checked["counterexample"], said["counterexample"], "{said}");
                    decided += 1;
                }
                Some("PROVED") => {
                    assert_eq!(checked["verdict"], "VERIFIED", "{said}");
                    decided += 1;
                }
                // A part of the statement in quotes, and what is wrong with it.
                _ => assert!(said["limit"].as_str().is_some_and(|limit| limit.starts_with('`')), "{said}"),
            }
        }
    }
    assert!(files == 11 && decided >= 17, "{decided} of {} in {files} files", found.len());
}

#[test]
fn principles_hold_over_all_small_structures() {
    let findings = checked("games/principles");
    assert!(findings.len() > 20, "{} statements", findings.len());
    for finding in &findings {
        assert_eq!(finding["success"], true, "{finding}");
        if finding["verdict"] != "REFUTED" {
            assert_eq!(finding["bound"], "the whole range", "{finding}");
        }
    }
}
