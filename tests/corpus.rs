//! One corpus of cases, answered by every form of the engine: packed words, values only, wide ints, theorems ignored.

mod common;

use common::{Case, Form, run_cases};
use std::path::Path;

/// The forms in which every case must have the same answer.
const FORMS: [Form; 4] = [Form::Usual, Form::Exhaustive, Form::Plain, Form::Wide];

fn corpus(cases_file: &str, folder: &str, form: Form) {
    let text = std::fs::read_to_string(cases_file).expect("the corpus is in the tree");
    let all: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).expect("the corpus is JSON");
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, cases) in &all {
        let cases: Vec<Case> = cases.as_array().expect("a list of cases").iter().map(Case::new).collect();
        count += cases.len();
        let file = Path::new(folder).join(format!("{name}.game"));
        wrong.extend(run_cases(&file, &cases, form));
    }
    assert!(count > 600, "only {count} cases were found");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_public_games_are_answered_right_in_every_form() {
    for form in FORMS {
        corpus("tests/oracle/public_moves.json", "tests/corpus", form);
    }
}

#[test]
fn the_library_games_are_answered_right_in_every_form() {
    for form in FORMS {
        corpus("tests/oracle/games.json", "games", form);
    }
}

#[test]
fn the_small_games_are_answered_right_in_every_form() {
    for form in FORMS {
        let mut wrong = Vec::new();
        let mut count = 0;
        for entry in std::fs::read_dir("tests/oracle/more").expect("the folder is in the tree") {
            let path = entry.expect("a readable entry").path();
            if path.extension().is_some_and(|e| e == "game") {
                let text = std::fs::read_to_string(path.with_extension("json")).expect("cases beside the game");
                let cases: Vec<serde_json::Value> = serde_json::from_str(&text).expect("a list of cases");
                let cases: Vec<Case> = cases.iter().map(Case::new).collect();
                count += cases.len();
                wrong.extend(run_cases(&path, &cases, form));
            }
        }
        assert!(count > 300, "only {count} cases were found");
        assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    }
}
