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

#[test]
fn cases_on_several_lines_are_cases() {
    let folder = place("pretty");
    let text = "{\n \"heaps\": [\n  1,\n  5\n ],\n \"at\": 1\n}\n\n{\"at\":\n 2}{\"heaps\": [7]}\n{ \"heaps\"\n: [9\n] }\n{\"heaps\": [\n3]\n}  {\"heaps\":\n[4]}";
    std::fs::write(folder.join("pretty.json"), text).expect("a file for the test");
    let output = grundy(&folder, "pretty.json").output().expect("the program ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let found: Vec<(u64, u64)> =
        answers.iter().filter_map(|answer| Some((answer["case"].as_u64()?, answer["grundy"].as_u64()?))).collect();
    assert_eq!(found, [(0, 5), (1, 5), (2, 7), (3, 9), (4, 3), (5, 4)]);
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
    5: `lines.jsonl`, line 9, column 14: this is no JSON: `,` or `]` is expected; -
    "#);
    let array = "[{\"heaps\": [1]},\n {\"heaps\": -1}, {\"heaps\": [2]},\n\n {\"at\": 3}]";
    insta::assert_snapshot!(errors(&folder, "array.json", array), @r"
    1: heaps: an array is expected, not -1; the case begins on line 2 of `array.json`
    3: index 3 is outside a list of 3 items counted from 0; the case begins on line 4 of `array.json`
    ");
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn text_behind_a_case_belongs_to_it() {
    let folder = place("behind");
    let lines = "{\"heaps\": [1]} x\n{\"heaps\": [1]}, {\"heaps\": [2]}\n{\n\"heaps\": [3]} \t7 {\n\
                 {\"heaps\": [4]} {\"heaps\": [5]}\r\n[1] and so on, to the end of this line \n{\"heaps\": [6]} \t";
    insta::assert_snapshot!(errors(&folder, "behind.jsonl", lines), @r#"
    0: `behind.jsonl`, line 1, column 16: this is no JSON: `x` stands behind the case; -
    1: `behind.jsonl`, line 2, column 15: this is no JSON: `, {"heaps": [2]}` stands behind the case; -
    2: `behind.jsonl`, line 4, column 16: this is no JSON: `7 {` stands behind the case; -
    5: `behind.jsonl`, line 6, column 5: this is no JSON: `and so on, to the en..` stands behind the case; -
    "#);
    let output = grundy(&folder, "behind.jsonl").output().expect("the program ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let answers = text.lines().map(|line| -> Json { serde_json::from_str(line).expect("JSON") });
    let told: Vec<(u64, u64)> =
        answers.filter_map(|answer| Some((answer["case"].as_u64()?, answer["grundy"].as_u64()?))).collect();
    assert_eq!(told, [(3, 4), (4, 5), (6, 6)]);
    let _ = std::fs::remove_dir_all(folder);
}

/// Answers of 300 sums that are too large for a short search, with a small one before and after.
fn with_many_large(test: &str, theorem: &str) -> [Json; 2] {
    let folder = place(test);
    let game = format!(
        "game Nim(n) {{\n  move take k in 1..n -> Nim(n - k)\n  theorem grundy = {theorem}\n  \
         theorem moves to x take for k = n - x, where k > 0\n}}\ninput heaps: list of nat = [1]\n\
         solve sum(Nim(h) for h in heaps)\n"
    );
    std::fs::write(folder.join("nim.game"), game).expect("a file for the test");
    let small = "{\"heaps\": [1, 2, 4]}\n";
    let large = (0..300).fold(String::new(), |all, n| all + &format!("{{\"heaps\": [{}, 300000]}}\n", 400_000 + n));
    std::fs::write(folder.join("cases.jsonl"), format!("{small}{large}{small}")).expect("a file for the test");
    let output = grundy(&folder, "cases.jsonl").output().expect("the program ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    for (n, answer) in (400_000..400_300_u64).zip(&answers[1..]) {
        let other: u64 = 300_000;
        assert_eq!(answer["grundy"].as_u64(), Some(n ^ other));
    }
    let _ = std::fs::remove_dir_all(folder);
    [answers[0].clone(), answers[301].clone()]
}

#[test]
fn many_cases_do_not_take_a_short_search_each() {
    let [first, last] = with_many_large("credit", "n");
    // 1, 2, 4: the winner leaves 1, 2, 3; the loser then makes the play 6 moves long at most, as each move takes one.
    assert_eq!((&first["grundy"], &first["remoteness"]), (&7.into(), &7.into()));
    assert_eq!((&last["grundy"], &last["remoteness"]), (&7.into(), &Json::Null));
    assert_eq!(first["winning_moves"], last["winning_moves"]);
}

#[test]
fn theorems_that_were_seen_to_be_wrong_are_not_used_later_either() {
    for answer in with_many_large("distrust", "if n == 2 then 5 else n") {
        assert_eq!((&answer["grundy"], &answer["remoteness"]), (&7.into(), &7.into()));
    }
}
