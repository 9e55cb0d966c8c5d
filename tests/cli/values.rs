//! Values on the command line: `eval`, inputs as expressions, tables that keep what is finished, theorems in them.

#![allow(clippy::format_push_string, clippy::needless_for_each)] // texts are put together once

use crate::program;
use std::process::Output;

const GAME: &str = "\
game Nim(n) {
  move take k in 1..n -> Nim(n - k)
}
game Stated(n, round: bool = true) {
  move take k in 1..n -> Stated(n - k, not round)
  theorem grundy = n
}
game Wrong(n) {
  move take k in 1..n -> Wrong(n - k)
  theorem grundy = n + 1
}
input heaps: list of nat = [3, 4]
input s: set of nat = {}
input e: list of (nat, nat) = []
input g: graph = path(1)
input t: text = \"abc\"
let p = path(9)
input at: vertex of p = 0
";

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = program::run(GAME, arguments);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (status.code(), text(stdout), text(stderr))
}

fn eval(words: &[&str]) -> String {
    let (code, out, err) = run(&[&["eval", "--quiet"], words].concat().iter().map(|w| &**w).collect::<Vec<_>>());
    assert_eq!(code, Some(0), "{words:?}: {err}");
    out
}

#[test]
fn expressions_have_values() {
    for (expr, value) in [
        ("1 + 2 * 3", "7"),
        ("0 - 7 div 2", "-3"),
        ("2 ** 100", "1267650600228229401496703205376"),
        ("{3, 1}", "{1, 3}"),
        ("\"a\" + \"b\"", "ab"),
        ("[\"a\"]", "[\"a\"]"),
        ("1 / 3", "1 / 3"),
        ("grundy(Nim(5) + Nim(3))", "6"),
        ("moves(Nim(2))", "[\"take 1\", \"take 2\"]"),
        ("options(Nim(2))", "[Nim(1), Nim(0)]"),
        ("sum(Nim(h) for h in [])", "sum([]): second, Grundy 0, remoteness 0"),
        ("Nim(3) + Nim(3)", "Nim(3) + Nim(3): second, Grundy 0, remoteness 6"),
        ("misere Nim(1)", "misere Nim(1): second, remoteness 1"),
    ] {
        assert_eq!(eval(&[expr]), format!("{value}\n"), "{expr}");
    }
    assert_eq!(eval(&["1 + 1", "heaps", "heaps=[7]", "size(s)", "s=[1, 5]"]), "2\n[7]\n2\n");
}

#[test]
fn inputs_are_json_text_or_expressions() {
    for (input, expr, value) in [
        ("heaps=[1,2]", "heaps", "[1, 2]"),
        ("heaps=[1..4]+[7]", "heaps", "[1, 2, 3, 4, 7]"),
        ("heaps=[x * x for x in 1..3]", "heaps", "[1, 4, 9]"),
        ("s={2,3}", "s", "{2, 3}"),
        ("s=2..4", "s", "{2, 3, 4}"),
        ("e=[(0,1),(1,2)]", "e", "[(0, 1), (1, 2)]"),
        ("e=[[0,1]]", "e", "[(0, 1)]"),
        ("g=graph { a-b, b-c }", "size(edges(g))", "2"),
        ("g=petersen()", "size(edges(g))", "15"),
        ("g={\"n\": 2, \"edges\": [[0, 1]]}", "size(edges(g))", "1"),
        ("t=plain {text}", "t", "plain {text}"),
        ("t=\"quoted\"", "t", "quoted"),
    ] {
        assert_eq!(eval(&[expr, input]), format!("{value}\n"), "{input}");
    }
}

#[test]
fn wrong_values_are_told() {
    let mut told = String::new();
    for (expr, input) in [
        ("heaps", "heaps=foo"),
        ("heaps", "heaps=[1,"),
        ("heaps", "heaps=[1,\"x\"]"),
        ("heaps", "heaps={-1}"),
        ("heaps", "heaps=[1..q]"),
        ("heaps", "heaps=[size(s)]"),
        ("s", "s=[2,2]"),
        ("s", "s={(1, 2)}"),
        ("heaps", "heaps=Nim(3)"),
        ("heaps", "hepas=[1]"),
        ("heaps +", "heaps=[1]"),
        ("unknown", "heaps=[1]"),
        ("1 div 0", "heaps=[1]"),
        ("grundy(Nim(n)) for n in 1..3", "heaps=[1]"),
    ] {
        let (code, out, err) = run(&["eval", expr, input]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{expr} {input}");
        let err: Vec<&str> = err.lines().filter(|line| !line.contains("grundy-test-")).collect();
        told += &format!("=== {expr} {input}\n{}\n", err.join("\n"));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn entries_that_are_finished_stay() {
    let query = "grundy(Nim(n)) for n in [3, 5000, 5, 5000, 7]";
    let (code, out, err) = run(&["table", query, "--max-positions", "1000"]);
    assert_eq!(code, Some(3), "{err}");
    assert_eq!(
        out.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>(),
        ["n value", "3 3", "5000 ?", "5 5", "5000 ?", "7 7"]
    );
    assert!(err.starts_with("error[L01]: "), "{err}");
    let (code, out, _) = run(&["table", query, "--max-positions", "1000", "--csv"]);
    assert_eq!((code, out.as_str()), (Some(3), "n,value\r\n3,3\r\n5000,\r\n5,5\r\n5000,\r\n7,7\r\n"));
    let (code, out, _) = run(&["table", query, "--max-positions", "1000", "--json"]);
    let line = out.lines().next().expect("a line");
    let table: serde_json::Value = serde_json::from_str(line).expect("JSON");
    assert_eq!((code, &table["values"]), (Some(3), &serde_json::json!([3, null, 5, null, 7])));
    // With theorems beside it, entries of the first look are kept as well.
    let query = "if n < 0 then grundy(Stated(1)) else grundy(Nim(n)) for n in [3, 5000, 5]";
    let (code, out, _) = run(&["table", query, "--max-positions", "1000", "--csv"]);
    assert_eq!((code, out.as_str()), (Some(3), "n,value\r\n3,3\r\n5000,\r\n5,5\r\n"));
    let (code, out, _) = run(&["table", "10 div (3 - n) for n in 0..5", "--csv"]);
    assert_eq!((code, out.as_str()), (Some(2), "n,value\r\n0,3\r\n1,5\r\n2,10\r\n"));
}

#[test]
fn theorems_answer_what_is_too_long_for_a_search() {
    let note = "note: theorems of the file were used; `--exhaustive` searches\n";
    for (command, words, answer) in [
        ("eval", &["grundy(Stated(10 ** 30))"][..], "1000000000000000000000000000000\n"),
        ("eval", &["wins(Stated(10 ** 15) + Stated(10 ** 15))"], "false\n"),
        ("eval", &["outcome(Stated(10 ** 15))", "draws(Stated(10 ** 15))"], "first\nfalse\n"),
        ("eval", &["winning(Stated(30000))"], "[\"take 30000\"]\n"),
        (
            "table",
            &["grundy(Stated(n)) for n in [1, 10 ** 15]", "--csv"],
            "n,value\r\n1,1\r\n1000000000000000,1000000000000000\r\n",
        ),
    ] {
        let (code, out, err) = run(&[&[command], words].concat().iter().map(|w| &**w).collect::<Vec<_>>());
        assert_eq!((code, out.as_str(), err.as_str()), (Some(0), answer, note), "{words:?}");
    }
    let (code, _, err) = run(&["eval", "grundy(Stated(3000))", "--exhaustive", "--max-positions", "1000"]);
    assert_eq!(code, Some(3), "{err}");
    // What a search tells is not asked of a theorem, so a wrong one does no harm.
    for n in [0, 1, 17, 300] {
        assert_eq!(eval(&[&format!("grundy(Wrong({n}))")]), format!("{n}\n"));
        assert_eq!(eval(&[&format!("size(winning(Wrong({n})))")]), format!("{}\n", i32::from(n > 0)));
    }
    let (_, out, err) = run(&["table", "grundy(Wrong(n)) for n in [0, 5, 300]", "--csv"]);
    assert_eq!((out.as_str(), err.as_str()), ("n,value\r\n0,0\r\n5,5\r\n300,300\r\n", ""));
    // A claim never trusts a theorem.
    let claim = format!("{GAME}claim \"x\" for n in 0..9: grundy(Wrong(n)) == n\n");
    let out = program::stdout(&claim, &["check"]);
    assert!(out.contains("VERIFIED  claim \"x\""), "{out}");
}

#[test]
fn a_line_of_play_is_told() {
    let (code, out, err) = run(&["solve", "-p", "Nim(3) + Nim(4) + Nim(5)", "--line", "--exhaustive"]);
    assert_eq!(code, Some(0), "{err}");
    let line = out.lines().last().and_then(|line| line.trim().strip_prefix("line")).expect("a line of play").trim();
    // The winner leaves nim-sum 0 each time; what the other takes is any move.
    let mut heaps = vec![3_i32, 4, 5];
    for (at, mv) in line.split(", ").enumerate() {
        let mv = mv.strip_prefix("take ").expect("a move");
        let (count, heap) = mv.split_once(" in Nim(").expect("a component");
        let heap: i32 = heap.trim_end_matches(')').parse().expect("a heap");
        let place = heaps.iter().position(|has| *has == heap).expect("a heap that is there");
        heaps[place] -= count.parse::<i32>().expect("a number");
        let sum = heaps.iter().fold(0, |sum, heap| sum ^ heap);
        assert!(heaps[place] >= 0 && (at % 2 == 1 || sum == 0), "{line}");
    }
    assert_eq!(heaps, [0, 0, 0], "{line}");
    let (code, out, _) = run(&["solve", "-p", "Nim(2)", "--line", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &told["line"]), (Some(0), &serde_json::json!(["take 2"])));
    // Too many moves to play: no line, and no end of the program either.
    let (code, out, err) = run(&["solve", "-p", "Stated(10 ** 15)", "--line", "--memory", "300M"]);
    assert_eq!(code, Some(0), "{err}");
    assert!(out.ends_with("line        not worked out\n"), "{out}");
}

#[test]
fn every_command_has_a_manual_page() {
    let page = |words: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_grundy")).arg("man").args(words).output();
        let output = output.expect("the program runs");
        (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
    };
    let (code, program) = page(&[]);
    assert_eq!(code, Some(0));
    for command in grundy::cli::command().get_subcommands() {
        let name = command.get_name();
        assert!(program.contains(&format!("grundy\\-{name}")), "{name} is not on the page of the program");
        let (code, text) = page(&[name]);
        assert!(code == Some(0) && text.contains(&format!(".TH grundy-{name} 1")), "{name}");
    }
    assert_eq!(page(&["nothing"]).0, Some(2));
}

/// `tally` and `xor_tally` against counting one by one.
#[test]
fn nim_sums_are_counted() {
    let mut rng = crate::rng::Rng::new(11);
    for k in [0, 1, 2, 3] {
        let numbers: Vec<i64> = (0..rng.range(1, 9)).map(|_| rng.range(0, 11)).collect();
        let mut sums = vec![0_i64];
        for _ in 0..k {
            sums = sums.iter().flat_map(|sum| numbers.iter().map(move |number| sum ^ number)).collect();
        }
        let pairs = |values: &[i64]| {
            let mut counts = std::collections::BTreeMap::new();
            values.iter().for_each(|value| *counts.entry(*value).or_insert(0) += 1);
            let pairs: Vec<String> = counts.iter().map(|(value, count)| format!("({value}, {count})")).collect();
            format!("[{}]\n", pairs.join(", "))
        };
        assert_eq!(eval(&[&format!("tally({numbers:?})")]), pairs(&numbers), "{numbers:?}");
        assert_eq!(eval(&[&format!("xor_tally(tally({numbers:?}), {k})")]), pairs(&sums), "{numbers:?} {k}");
    }
    // 1000 heaps of the sizes 0..999, of which 30 are drawn: beyond any word.
    let all = eval(&["sum(c for (g, c) in xor_tally(tally(n for n in 0..999), 30)) == 1000 ** 30"]);
    assert_eq!(all, "true\n");
    for wrong in [
        "xor_tally([(-1, 1)], 2)",
        "xor_tally([(1, -1)], 2)",
        "xor_tally([(1, 1)], 10 ** 9)",
        "xor_tally([(2 ** 40, 1)], 2)",
    ] {
        assert_eq!(run(&["eval", wrong]).0, Some(2), "{wrong}");
    }
}
