//! Corners that once went wrong: each file with the answer that the rules give.

use crate::program::{run, stdout};

fn solve(text: &str) -> serde_json::Value {
    let text = stdout(text, &["solve", "--json", "--time", "600s"]);
    serde_json::from_str(text.lines().next().expect("an answer")).expect("JSON")
}

/// A cyclic component whose move leads to a sum: endless play is to be had from `A(1)` by its own move, and the other
/// player cannot leave it with profit either.
#[test]
fn a_cyclic_component_that_moves_to_a_sum() {
    let answer =
        solve("game A(n) {\n  move y -> A(n)\n  move z where n > 0 -> A(0) + B(0)\n}\ngame B(n) { }\nsolve A(1)\n");
    assert_eq!(answer["outcome"], "draw");
    assert_eq!(answer["drawing_move_count"], 2);
    assert_eq!(answer["grundy"], serde_json::json!({ "loop": [] }));
}

/// The end of the whole play beats the moves of every component (rule 24): `B(0)` is not asked for its moves.
#[test]
fn an_end_of_the_whole_play_comes_before_the_moves() {
    let rules = "game A(n) {\n  end when n == 0: won\n  move a -> A(n - 1)\n}\ngame B(n) { move b -> B(n - 1) }\n";
    for sum in ["A(0) + B(0)", "B(0) + A(0)"] {
        let answer = solve(&format!("{rules}solve {sum}\n"));
        assert_eq!((&answer["outcome"], &answer["remoteness"]), (&"first".into(), &0.into()), "{sum}");
        assert_eq!(answer["winning_move_count"], 0, "{sum}");
    }
}

/// A compound with more choices of parts than can be listed: its parts tell who wins, and the one winning move; a search ends in
/// a limit.
#[test]
fn a_compound_with_too_many_choices() {
    let text = "game N(n) { move t where n > 0 -> N(n - 1) }\nsolve selective(N(1) for i in 1..40)\n";
    let answer = solve(text);
    assert_eq!((&answer["outcome"], &answer["winning_move_count"]), (&"first".into(), &1.into()));
    assert_eq!(answer["winning_moves"][0]["parts"].as_array().map(Vec::len), Some(40));
    let searched = crate::program::stdout(text, &["solve", "--json", "--time", "600s", "--exhaustive"]);
    assert!(searched.contains("\"L02\""), "{searched}");
}

/// More lets than 16 bits can number, each of which reads an input: none is taken for another.
#[test]
fn more_lets_than_16_bits_can_number() {
    use std::fmt::Write;
    let mut text = "game End(n) { move all where n > 0 -> End(0) }\ninput x: nat = 7\n".to_string();
    for i in 0..66_000 {
        writeln!(text, "let a{i} = x + {i}").expect("writing to a string");
    }
    text += "solve End(a65999)\n";
    assert_eq!(solve(&text)["position"], "End(66006)");
}

#[test]
fn finite_ranges_of_numbers_too_big_to_be_listed_are_errors() {
    let claims = [
        "for c in 2 ** 63 - 1 .. 2 ** 63 + 2: c == 2 ** 63 - 1",
        "for c in 10 ** 25 .. 10 ** 25 + 2: c > 0",
        "for c in -2 ** 64 .. 2 - 2 ** 64: c < 0",
        "for a in 0..1, c in 2 ** 63 - 2 .. 2 ** 63: a <= c",
    ];
    for claim in claims {
        for word in ["claim", "claim false"] {
            let output = run(&format!("{word} \"big\" {claim}\n"), &["check"]);
            let error = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{word} {claim}: {error}");
            assert!(error.contains("error[R06]"), "{word} {claim}: {error}");
            assert!(!String::from_utf8_lossy(&output.stdout).contains("VERIFIED"), "{word} {claim}");
        }
    }
    // What can be listed is: up to the last number of 63 bits, and single numbers of any size.
    for claim in ["for c in 2 ** 63 - 3 .. 2 ** 63 - 1: c > 0", "for c in [10 ** 25, 10 ** 25 + 1]: c > 10 ** 24"] {
        let told = stdout(&format!("claim \"big\" {claim}\n"), &["check"]);
        assert!(told.starts_with("VERIFIED  claim \"big\": the whole range"), "{claim}: {told}");
    }
}

#[test]
fn no_points_and_0_points_are_one_move() {
    let game = "game A(n) {\n  move t where n > 0 -> A(n - 1) gain 0\n  move t where n > 0 -> A(n - 1)\n  move t where n > 1 -> A(n - 1) gain 1\n}\n";
    let told =
        stdout(&format!("{game}expect A(1): draw winning 1\nexpect A(2): first score 1 winning 1\n"), &["check"]);
    assert_eq!(told.matches("PASSED").count(), 2, "{told}");
    let told = stdout(&format!("{game}solve A(1)\n"), &["solve"]);
    assert_eq!(told.matches("-> A(0)").count(), 1, "{told}");
}

#[test]
fn a_compound_of_the_empty_sum_is_a_position() {
    let game = "game N(n) {\n  move t where n > 0 -> 0 * N(0)\n}\nsolve conjunctive(N(1))\n";
    for position in ["conjunctive(sum([]))", "selective(0 * N(3))", "shortened_selective(sum([]), sum([]))"] {
        let told = stdout(game, &["solve", "-p", position, "--json"]);
        assert!(told.contains("\"outcome\":\"second\""), "{position}: {told}");
    }
    let output = run(game, &["solve", "-p", "conjunctive(3)"]);
    assert!(
        output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("a part of `conjunctive`")
    );
}

#[test]
fn a_collection_without_members_is_an_input() {
    let game = "input s: set of nat\ninput b: bag of nat = [1]\ngame G(s: set of nat) {\n  move t n in s -> G(s - {n})\n}\nsolve G(s + set(b))\n";
    for empty in ["s={}", "s={ }", "s=[]", "s=set([])"] {
        let told = stdout(game, &["solve", empty, "--json"]);
        assert!(told.contains("\"outcome\":\"first\""), "{empty}: {told}");
        let told = stdout(game, &["solve", empty, "b={}", "--json"]);
        assert!(told.contains("\"outcome\":\"second\""), "{empty}: {told}");
    }
    assert_eq!(run(game, &["solve", "s={\"a\": 1}"]).status.code(), Some(2));
}
