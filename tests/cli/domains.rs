//! What `check` tries, and that `solve` uses theorems of nothing else.

use crate::program::stdout;
use serde_json::Value;

/// The first verdict with its counterexample.
fn verdict(text: &str) -> (String, Value) {
    let told = stdout(text, &["check", "--json"]);
    let line = told.lines().next().expect("a verdict");
    let found: Value = serde_json::from_str(line).expect("JSON");
    (found["verdict"].as_str().expect("a word").to_string(), found["counterexample"].clone())
}

#[test]
fn theorems_are_tried_on_graphs_with_loops() {
    for (word, beside) in [("digraph", "successors"), ("graph", "neighbours"), ("multigraph", "neighbours")] {
        let text = format!(
            "game D[g: {word}](n) {{\n  move take k in 1..n -> D(n - k)\n  \
             theorem grundy = if any(v in {beside}(g, v) for v in g) then 77 else n\n}}\n"
        );
        let (word, at) = verdict(&text);
        assert_eq!(word, "REFUTED", "{text}");
        assert_eq!(at["n"], 0, "{at}");
        assert_eq!(at["g"]["edges"], serde_json::json!([[0, 0]]), "{at}");
    }
}

/// `legal when` keeps moves away from a position, but one may start there.
#[test]
fn theorems_say_nothing_of_positions_that_are_not_legal() {
    let text = "game G(a) {\n  legal when a mod 4 != 2\n  move take k in 1..min(a, 2) -> G(a - k)\n  \
                theorem grundy = if a mod 4 == 2 then 77 else if a <= 1 then a else if a mod 4 == 0 then 1\n    \
                else if a mod 4 == 1 then 2 else 0\n  theorem winning take for k in 1..min(a, 2), where a mod 4 == 2\n}\n";
    for n in [6, 1_000_002] {
        for position in [format!("G({n})"), format!("G({n}) + G(0)")] {
            let told = stdout(text, &["solve", "--json", "-p", &position]);
            let searched = stdout(text, &["solve", "--json", "--exhaustive", "-p", &position]);
            let parse = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
            let (told, searched) = (parse(&told), parse(&searched));
            for what in ["outcome", "grundy", "winning_move_count"] {
                assert_eq!(told[what], searched[what], "{position}");
            }
        }
    }
}

/// A graph with n vertices makes an instance of size 2n at least: those that cannot be listed come late.
#[test]
fn claims_about_all_graphs_are_refuted_before_graphs_are_too_many() {
    let (word, at) = verdict("claim \"few\" for n in nat, g in graphs(n): size(edges(g)) < 5\n");
    assert_eq!((word.as_str(), &at["n"]), ("REFUTED", &Value::from(4)));
    assert_eq!(at["g"]["edges"].as_array().map(Vec::len), Some(5));
    let (word, at) = verdict("claim \"no cycle\" for n in nat, d in digraphs(n): is_acyclic(d)\n");
    assert_eq!((word.as_str(), &at["n"]), ("REFUTED", &Value::from(2)));
    let (word, at) = verdict("claim \"sum\" for k in nat, x in lists(0..2, k): sum(x) != 9\n");
    assert_eq!((word.as_str(), &at["x"]), ("REFUTED", &serde_json::json!([1, 2, 2, 2, 2])));
    let told = stdout("claim \"even\" for n in nat, d in digraphs(n): sum(degree(d, v) for v in d) >= 0\n", &["check"]);
    assert!(told.contains("VERIFIED") && told.contains("of size <= 11"), "{told}");
}

/// The winner does not go round in circles.
#[test]
fn lines_of_play_come_to_their_end() {
    let text = "game Token[g: digraph](at: vertex of g) {\n  move go v in successors(g, at) -> Token(v)\n}\n\
                claim \"drawn\" : draws(Token[digraph(3, [(0, 1), (0, 2), (1, 0)])](0))\n";
    let told = stdout(text, &["check"]);
    assert!(told.contains("play    go 2\n"), "{told}");
}

/// No move leads to 3 here, and a line that says so is false.
#[test]
fn moves_to_values_that_nothing_leads_to_are_tried() {
    let text = |line: &str| {
        format!(
            "game One(n) {{\n  move take where n > 0 -> One(n - 1)\n  theorem moves to x take for where n > 0 and {line}\n}}\n"
        )
    };
    assert_eq!(verdict(&text("(n - 1) mod 2 == x")).0, "VERIFIED");
    let (word, at) = verdict(&text("((n - 1) mod 2 == x or x == 3)"));
    assert_eq!((word.as_str(), &at["n"]), ("REFUTED", &Value::from(1)));
}

/// A position in a counterexample is written out.
#[test]
fn positions_in_counterexamples_can_be_read() {
    let text =
        "game Nim(n) { move take k in 1..n -> Nim(n - k) }\nclaim \"p\" for p in options(Nim(3)): grundy(p) != 2\n";
    let (word, at) = verdict(text);
    assert_eq!((word.as_str(), &at["p"]), ("REFUTED", &Value::from("Nim(2)")));
}

/// The free cells of a grid are tried as vertices and in sets, of a grid with a name and of a parameter.
#[test]
fn theorems_are_tried_on_vertices_of_grids() {
    let game = |head: &str, of: &str| {
        format!(
            "let g = grid([\".#.\"])\ngame S{head}(at: vertex of {of}, p: set of vertex of {of}) {{\n  \
             move take v in p -> S(v, p - {{v}})\n  theorem grundy = if at != (0, 0) and size(p) == 2 then 77 else size(p) mod 2\n}}\n"
        )
    };
    let (word, at) = verdict(&game("", "g"));
    assert_eq!((word.as_str(), &at["at"]), ("REFUTED", &serde_json::json!([0, 2])));
    assert_eq!(at["p"], serde_json::json!([[0, 0], [0, 2]]));
    assert_eq!(verdict(&game("[h: grid]", "h")).0, "REFUTED");
}
