//! Files of cases as their users meet them: who waits for an answer gets it, and an error tells the line of its case.

use serde_json::Value as Json;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const NIM: &str = "\
game Nim(n) {
  move take k in 1..n -> Nim(n - k)
}
input heaps: list of nat = [3, 4, 5]
input at: nat = 0
solve Nim(heaps[at])
";

/// A folder with the game in it.
fn place(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("grundy-cases-{}-{test}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    std::fs::write(folder.join("nim.game"), NIM).expect("a file for the test");
    folder
}

fn grundy(folder: &Path, cases: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
    command.args(["solve", "nim.game", "--cases", cases, "--quiet"]).current_dir(folder);
    command
}

#[test]
fn who_waits_for_an_answer_gets_it() {
    let folder = place("talk");
    let mut child =
        grundy(&folder, "-").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let (mut to, from) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
    let mut answers = BufReader::new(from).lines();
    let mut next = || -> Json { serde_json::from_str(&answers.next().expect("a line").expect("text")).expect("JSON") };
    for heap in 0..50 {
        // The next question is asked when the answer is there.
        writeln!(to, "{{\"heaps\": [{heap}]}}").expect("it reads");
        assert_eq!(next()["grundy"], heap);
    }
    // Several questions at once, of which the last is not whole.
    write!(to, "{{\"heaps\": [50]}}\n{{\"heaps\": [51]}}\n{{\"heaps\"").expect("it reads");
    assert_eq!((&next()["grundy"], &next()["grundy"]), (&50.into(), &51.into()));
    writeln!(to, ": [52]}}").expect("it reads");
    assert_eq!(next()["grundy"], 52);
    drop(to);
    assert!(child.wait().expect("it ends").success());
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn many_answers_come_in_order() {
    let folder = place("many");
    let lines = (0..5000).fold(String::new(), |all, n| all + &format!("{{\"heaps\": [{}]}}\n", n % 97));
    std::fs::write(folder.join("many.jsonl"), lines).expect("a file for the test");
    let output = grundy(&folder, "many.jsonl").output().expect("the program ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let told: Vec<(u64, u64)> =
        answers.iter().map(|answer| (answer["case"].as_u64().unwrap(), answer["grundy"].as_u64().unwrap())).collect();
    assert_eq!(told, (0..5000).map(|n| (n, n % 97)).collect::<Vec<_>>());
    let _ = std::fs::remove_dir_all(folder);
}

/// Message and note of every error.
fn errors(folder: &Path, name: &str, text: &str) -> String {
    std::fs::write(folder.join(name), text).expect("a file for the test");
    let output = grundy(folder, name).output().expect("the program ends");
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines = text.lines().map(|line| -> Json { serde_json::from_str(line).expect("JSON") });
    let errors = lines.filter(|line| line["error"].is_object()).map(|line| {
        let error = &line["error"];
        format!("{}: {}; {}\n", line["case"], error["message"].as_str().unwrap(), error["note"].as_str().unwrap_or("-"))
    });
    errors.collect()
}

#[test]
fn an_error_tells_the_line_of_its_case() {
    let folder = place("lines");
    let lines = "{\"heaps\": [1]}\n{\"heaps\": [\"a\"]}\n\n{\"at\": 7}\n{\n\"heap\": []\n}\n[]\n{\"heaps\": [1 2]}\n";
    insta::assert_snapshot!(errors(&folder, "lines.jsonl", lines), @r#"
    1: heaps[0]: an integer >= 0 is expected, not "a"; the case begins on line 2 of `lines.jsonl`
    2: index 7 is outside a list of 3 items counted from 0; the case begins on line 4 of `lines.jsonl`
    3: there is no input `heap`; the case begins on line 5 of `lines.jsonl`
    4: case 4: an object that binds the inputs is expected, not an array; the case begins on line 8 of `lines.jsonl`
    5: `lines.jsonl`, line 9, column 14: this is no JSON: expected `,` or `]`; -
    "#);
    let array = "[{\"heaps\": [1]},\n {\"heaps\": -1}, {\"heaps\": [2]},\n\n {\"at\": 3}]";
    insta::assert_snapshot!(errors(&folder, "array.json", array), @r"
    1: heaps: an array is expected, not -1; the case begins on line 2 of `array.json`
    3: index 3 is outside a list of 3 items counted from 0; the case begins on line 4 of `array.json`
    ");
    let _ = std::fs::remove_dir_all(folder);
}
