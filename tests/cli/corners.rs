//! Corners that once went wrong: each file with the answer that the rules give.

fn solve(text: &str) -> serde_json::Value {
    let text = crate::program::stdout(text, &["solve", "--json", "--time", "600s"]);
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
