//! The game files of `benches/games` on small sizes. The expected answers are those of the programs in `benches/rivals`,
//! which were written without the tool; the bench compares both on the large sizes.

use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

/// The answers of the tool, one for each line.
fn answers(arguments: &[&str]) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_grundy")).args(arguments).args(["--json", "--quiet"]).output();
    let output = output.expect("the tool runs");
    let text = String::from_utf8(output.stdout).expect("answers are UTF-8");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// Every given fact is in the answer of the same place.
fn says(arguments: &[&str], facts: &[Value]) {
    let answers = answers(arguments);
    assert_eq!(answers.len(), facts.len(), "{arguments:?}");
    for (answer, facts) in answers.iter().zip(facts) {
        for (key, fact) in facts.as_object().expect("an object of facts") {
            assert_eq!(answer[key], *fact, "{arguments:?}: {key}");
        }
    }
}

fn file(name: &str) -> String {
    format!("benches/games/{name}.game")
}

#[test]
fn heaps() {
    let coupled = json!({"outcome": "first", "grundy": 1, "winning_move_count": 4, "positions": 10648});
    says(&["solve", &file("coupled"), "n=21"], &[coupled]);
    let wythoff = json!({"outcome": "first", "winning_move_count": 3, "positions": 1225});
    says(&["solve", &file("wythoff"), "n=34", "--exhaustive"], &[wythoff]);
    let sparse = json!({"outcome": "first", "grundy": 2, "winning_move_count": 3, "positions": 19683});
    says(&["solve", &file("sparse"), "n=300"], &[sparse]);
    let alike = json!({"outcome": "first", "grundy": 2, "winning_move_count": 3});
    says(&["solve", &file("sparse_alike"), "n=300"], &[alike]);
    let area = json!({"outcome": "first", "grundy": 1, "winning_move_count": 2, "positions": 10039});
    says(&["solve", &file("area"), "n=11"], &[area]);
    let sorted = json!({"outcome": "first", "grundy": 8, "winning_move_count": 5});
    says(&["solve", &file("sorted"), "n=8"], &[sorted]);
    let asks = json!({"outcome": "first", "grundy": 3, "winning_move_count": 2});
    says(&["solve", &file("asks"), "n=40"], &[asks]);
    let knight = json!({"outcome": "first", "grundy": 2, "winning_move_count": 2});
    says(&["solve", &file("knight"), "n=10"], &[knight]);
    let divisors = json!({"outcome": "first", "grundy": 2, "winning_move_count": 2});
    says(&["solve", &file("divisors"), "n=12"], &[divisors]);
    let bag = json!({"outcome": "first", "grundy": 3, "winning_move_count": 8, "positions": 1390});
    says(&["solve", &file("bag"), "n=3"], &[bag]);
    let letters = json!({"outcome": "second", "grundy": 0, "winning_move_count": 0, "positions": 220});
    says(&["solve", &file("letters"), "start=abcabbcabc"], &[letters]);
    let lit = json!({"outcome": "first", "grundy": 1, "winning_move_count": 9});
    says(&["solve", &file("lit"), "n=9"], &[lit]);
    says(&["solve", &file("start")], &[json!({"outcome": "first", "grundy": 3, "winning_move_count": 1})]);
}

#[test]
fn boards_and_graphs() {
    let chomp = json!({"outcome": "first", "winning_move_count": 1});
    says(&["solve", &file("chomp"), "rows=4", "columns=5"], &[chomp]);
    // Values: the exclusive or of the places of heads; by the C++ program of the bench.
    let turtles = json!({"outcome": "first", "grundy": 13, "winning_move_count": 1});
    says(&["solve", &file("turtles"), "coins=8"], &[turtles]);
    let welter = json!({"outcome": "first", "winning_move_count": 1});
    says(&["solve", &file("welter"), "coins=3"], &[welter]);
    let cram = json!({"outcome": "first", "grundy": 1, "winning_move_count": 7});
    says(&["solve", &file("cram"), "rows=3", "columns=4"], &[cram]);
    let cram = json!({"outcome": "second", "grundy": 0, "winning_move_count": 0});
    says(&["solve", &file("cram"), "rows=4", "columns=4"], &[cram]);
    let kayles = json!({"outcome": "second", "grundy": 0, "winning_move_count": 0});
    says(&["solve", &file("node_kayles"), "n=4"], &[kayles]);
    says(&["solve", &file("dots"), "rows=2", "columns=2"], &[json!({"outcome": "first", "score": 2})]);
    let notakto = json!({"outcome": "first", "grundy": 1, "winning_move_count": 6});
    says(&["solve", &file("notakto_grid")], &[notakto]);
}

#[test]
fn play_that_comes_back() {
    let won = json!({"outcome": "first", "winning_move_count": 1, "remoteness": 19});
    says(&["solve", &file("annihilation"), "n=14"], &[won.clone(), won]);
    let drawn = json!({"outcome": "draw", "winning_move_count": 0});
    says(&["solve", &file("annihilation"), "n=12"], &[drawn.clone(), drawn.clone()]);
    says(&["solve", &file("tokens")], &[drawn]);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bench_games");
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    std::fs::copy(file("token"), folder.join("token.game")).expect("the game file is there");
    std::fs::write(folder.join("digraph.txt"), "0 1\n1 2\n2 0\n2 3\n3 4\n4 5\n1 5\n").expect("a file of arcs");
    let token = folder.join("token.game").to_string_lossy().into_owned();
    says(&["solve", &token], &[json!({"outcome": "second", "winning_move_count": 0, "remoteness": 2})]);
    says(&["solve", &token, "start=2"], &[json!({"outcome": "first", "winning_move_count": 2, "remoteness": 3})]);
}

#[test]
fn misere_rows() {
    let answer = answers(&["table", &file("misere_kayles")]);
    let values = answer[0]["values"].as_array().expect("a list of values");
    let lost: Vec<usize> = (1..).zip(values).filter(|(_, wins)| **wins == json!(false)).map(|(n, _)| n).collect();
    assert_eq!(lost, [1, 4, 9, 12, 20]);
}

#[test]
fn they_are_laid_out_as_the_formatter_would() {
    let within = |folder: &str| std::fs::read_dir(folder).expect("the files are in the tree");
    let entries = within("benches/games").chain(within("benches/games/proofs"));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let files: Vec<_> = paths.filter(|path| path.is_file()).collect();
    assert!(files.len() >= 10, "only {} files", files.len());
    let status = Command::new(env!("CARGO_BIN_EXE_grundy")).args(["fmt", "--check"]).args(files).status();
    assert!(status.expect("the tool runs").success());
}
