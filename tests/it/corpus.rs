//! One corpus of cases, answered by every form of the engine: packed words, values only, wide ints, theorems ignored,
//! everything taken apart or nothing.

use crate::common::{Case, Form, run_cases, run_cases_together};
use crate::rounds;
use std::path::Path;

/// The forms in which every case must have the same answer.
const FORMS: [Form; 10] = [
    Form::Usual,
    Form::Exhaustive,
    Form::Plain,
    Form::Wide,
    Form::Tables,
    Form::Split,
    Form::Whole,
    Form::Heaps,
    Form::Early,
    Form::EarlyPlain,
];

fn corpus(cases_file: &str, folder: &str, form: Form) {
    let text = std::fs::read_to_string(cases_file).expect("the corpus is in the tree");
    let all: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).expect("the corpus is JSON");
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, cases) in &all {
        // Some games are compiled anew for each instance.
        let step = if matches!(form, Form::Tables | Form::Early) { rounds(3, 1) } else { 1 };
        let cases = cases.as_array().expect("a list of cases").iter().step_by(step);
        let cases: Vec<Case> = cases.map(Case::new).collect();
        count += cases.len();
        let file = Path::new(folder).join(format!("{name}.game"));
        wrong.extend(run_cases(&file, &cases, form));
    }
    assert!(count > rounds(200, 600), "only {count} cases were found");
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

/// Every game of both corpora by one process, two, three and four, in blocks of 16 positions.
#[test]
fn several_processes_answer_all_games_right() {
    let mut tables = 0;
    for (cases_file, folder) in
        [("tests/oracle/public_moves.json", "tests/corpus"), ("tests/oracle/games.json", "games")]
    {
        let text = std::fs::read_to_string(cases_file).expect("the corpus is in the tree");
        let all: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).expect("the corpus is JSON");
        for (at, (name, cases)) in all.iter().enumerate() {
            let cases = cases.as_array().expect("a list of cases").iter().step_by(rounds(10, 1));
            let cases: Vec<Case> = cases.map(Case::new).collect();
            let file = Path::new(folder).join(format!("{name}.game"));
            let ways = (0..8).map(|way| (way % 4 + 1, way >= 4));
            for (count, spread) in ways.skip(at % rounds(8, 1)).step_by(rounds(8, 1)) {
                let (wrong, made) = run_cases_together(&file, &cases, count, spread);
                assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
                tables += made;
            }
        }
    }
    eprintln!("{tables} tables");
    assert!(tables > rounds(100, 3000), "{tables} tables only were made together");
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

/// What the published corpus says of an instance, under the names of our answers.
fn published(answer: &serde_json::Value) -> Vec<(&'static str, serde_json::Value)> {
    let names = [
        ("outcome", "outcome"),
        ("grundy", "grundy"),
        ("loopy_grundy", "grundy"),
        ("score_difference", "score"),
        ("n_winning_moves", "winning_move_count"),
        ("n_best_moves", "winning_move_count"),
        ("n_drawing_moves", "drawing_move_count"),
    ];
    let value = |v: &serde_json::Value| v.get("inf").map_or_else(|| v.clone(), |k| serde_json::json!({ "loop": k }));
    names.iter().filter_map(|(theirs, ours)| answer.get(theirs).map(|v| (*ours, value(v)))).collect()
}

#[test]
fn all_published_instances_are_answered_right_by_the_command_line() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let text = std::fs::read_to_string("tests/corpus/public.json").expect("the corpus is in the tree");
    let games: Vec<serde_json::Value> = serde_json::from_str(&text).expect("the corpus is JSON");
    let (mut count, mut wrong) = (0, Vec::new());
    for game in &games {
        let id = game["id"].as_str().expect("an id");
        let instances = game["instances"].as_array().expect("instances");
        let inputs: Vec<&serde_json::Value> = instances.iter().map(|i| &i["input"]).collect();
        let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
            .args(["solve", &format!("tests/corpus/{id}.game"), "--cases", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let cases = serde_json::to_vec(&inputs).expect("inputs are JSON");
        child.stdin.take().expect("a pipe").write_all(&cases).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{id}: {}", output.status);
        let lines: Vec<serde_json::Value> = String::from_utf8_lossy(&output.stdout)
            .lines()
            .map(|line| serde_json::from_str(line).expect("a JSON line"))
            .collect();
        assert_eq!(lines.len(), instances.len(), "{id}: one answer for each instance");
        for (instance, line) in instances.iter().zip(&lines) {
            count += 1;
            for (name, value) in published(&instance["answer"]) {
                if line[name] != value {
                    wrong.push(format!("{id} {}: {name} is {value}, answered {}", instance["input"], line[name]));
                }
            }
        }
    }
    assert_eq!(count, 662, "all instances of the corpus");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
