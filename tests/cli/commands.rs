//! The command line as its users meet it: exit codes, JSON, cases, whole messages.

use serde_json::{Value as Json, json};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const NIM: &str = "\
game Nim(n) {
  move take k in 1..n -> Nim(n - k)
}
input heaps: list of nat = [3, 4, 5]
solve sum(Nim(h) for h in heaps)
";

/// A folder of its own for a test, in which the program runs.
struct Place(PathBuf);

/// What a run ended with.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Place {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("grundy-cli-{}-{test}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for the test");
        Place(folder)
    }

    fn with(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        fs::write(self.0.join(name), text).expect("a file for the test");
        self
    }

    fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, "")
    }

    fn run_with(&self, args: &[&str], stdin: &str) -> Ran {
        let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
            .args(args)
            .current_dir(&self.0)
            .env_remove("COLUMNS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // A program that does not read its stdin may have closed it.
        let _ = child.stdin.take().expect("a pipe").write_all(stdin.as_bytes());
        let output = child.wait_with_output().expect("the program ends");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Ran {
    /// The JSON lines of stdout without the seconds, which differ.
    fn json(&self) -> Vec<Json> {
        let lines = self.out.lines().map(|line| {
            let mut json: Json = serde_json::from_str(line).expect("a line of JSON");
            if let Some(object) = json.as_object_mut() {
                object.shift_remove("seconds");
            }
            json
        });
        lines.collect()
    }
}

fn nim(test: &str) -> Place {
    Place::new(test).with("nim.game", NIM)
}

#[test]
fn an_answer_has_the_fields_of_the_contract_in_their_order() {
    let ran = nim("fields").run(&["solve", "nim.game", "-p", "Nim(3) + Nim(5)", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(
        ran.json(),
        [json!({
            "position": "Nim(3) + Nim(5)", "outcome": "first", "grundy": 6, "remoteness": 7,
            "winning_move_count": 1,
            "winning_moves": [{
                "move": "take 2", "name": "take", "binders": {"k": 2}, "component": 1, "in": "Nim(5)",
                "to": "Nim(3) + Nim(3)"
            }],
            "method": "components", "positions": ran.json()[0]["positions"]
        })]
    );
    let keys: Vec<String> = ran.json()[0].as_object().expect("an object").keys().cloned().collect();
    let order =
        ["position", "outcome", "grundy", "remoteness", "winning_move_count", "winning_moves", "method", "positions"];
    assert_eq!(keys, order);
}

#[test]
fn an_answer_for_people_says_who_wins_and_how() {
    let ran = nim("people").run(&["solve", "nim.game", "-p", "Nim(3) + Nim(5)"]);
    assert_eq!(ran.code, Some(0));
    let known: Vec<&str> = ran.out.lines().filter(|line| !line.contains("found")).collect();
    insta::assert_snapshot!(known.join("\n"), @r"
    Nim(3) + Nim(5)
      outcome     first: the player to move wins
      Grundy      6
      remoteness  7 moves
      winning     1 move
        take 2  in Nim(5)  -> Nim(3) + Nim(3)
    ");
}

#[test]
fn several_lines_are_numbered_and_moves_are_cut_but_counted() {
    let args = ["solve", "nim.game", "-p", "Nim(1) + Nim(1) + Nim(1)", "-p", "Nim(2)", "--json", "--moves", "0"];
    let ran = nim("several").run(&args);
    let json = ran.json();
    assert_eq!((json.len(), &json[0]["solve"], &json[1]["solve"]), (2, &json!(1), &json!(2)));
    assert_eq!((&json[0]["winning_move_count"], &json[0]["winning_moves"]), (&json!(3), &json!([])));
}

#[test]
fn the_remoteness_of_a_sum_too_large_for_a_short_search_is_left_out() {
    let ran = nim("far").run(&["solve", "nim.game", "-p", "sum(Nim(i) for i in 1..40)", "--json", "--moves", "0"]);
    assert_eq!((ran.code, ran.json()[0].get("remoteness")), (Some(0), None), "{}", ran.err);
    assert_eq!(ran.json()[0]["method"], "components");
}

#[test]
fn the_moves_of_equal_components_are_judged_once() {
    let position = "sum(Nim(i mod 500) for i in 1..20000)";
    let ran = nim("many").run(&["solve", "nim.game", "-p", position, "--json", "--moves", "1", "--time", "600s"]);
    assert_eq!((ran.code, &ran.json()[0]["outcome"]), (Some(0), &json!("second")), "{}", ran.err);
}

#[test]
fn a_broken_line_is_one_case_that_failed() {
    let lines = "{\"heaps\": [1]}\n{\"heaps\": [\n{\"heaps\": [2]}\nx\n{\n \"heaps\": ,\n}\n{\n \"heaps\": [3]\n}\n7\n{\"heaps\"";
    let place = nim("lines");
    let ran = place.with("cases.jsonl", lines).run(&["solve", "nim.game", "--cases", "cases.jsonl"]);
    let told: Vec<(Json, bool)> = ran.json().iter().map(|j| (j["case"].clone(), j["error"].is_object())).collect();
    let failed = [false, true, false, true, true, false, true, true];
    assert_eq!(told, failed.iter().enumerate().map(|(i, bad)| (json!(i), *bad)).collect::<Vec<_>>(), "{}", ran.out);
    assert_eq!(ran.code, Some(2));
    assert!(ran.out.contains("line 4, column 1: this is no JSON"), "{}", ran.out);
}

#[test]
fn an_undefined_table_does_not_stand_in_the_way_of_others() {
    let text = format!("{NIM}\nmisere game M(n) {{}}\ntable grundy(M(n)) for n in 0..1\ntable n for n in 0..1");
    let place = Place::new("undefined").with("two.game", &text);
    let solved = place.run(&["solve", "two.game", "--json"]);
    assert_eq!((solved.code, &solved.json()[0]["outcome"]), (Some(0), &json!("first")), "{}", solved.err);
    let tables = place.run(&["table", "two.game", "--json"]);
    assert_eq!(
        (tables.code, &tables.json()[0]["values"], &tables.json()[1]["error"]["code"]),
        (Some(2), &json!([0, 1]), &json!("E20"))
    );
    assert_eq!(place.run(&["check", "two.game"]).code, Some(2));
}

#[test]
fn queries_may_begin_with_a_minus() {
    let ran = nim("minus").run(&["table", "nim.game", "-2 ** 2 + n for n in 0..1", "--csv"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "n,value\r\n0,-4\r\n1,-3\r\n"), "{}", ran.err);
}

#[test]
fn a_drawn_score_has_drawing_moves() {
    let game = "game S(n) { move t where n == 1 -> S(0) move u where n == 1 -> S(0) gain -1 }";
    let ran = Place::new("even").with("s.game", game).run(&["solve", "s.game", "-p", "S(1)", "--json"]);
    let json = &ran.json()[0];
    assert_eq!(
        (&json["outcome"], &json["drawing_move_count"], &json["drawing_moves"]),
        (&json!("draw"), &json!(1), &json["winning_moves"])
    );
}

#[test]
fn errors_of_whole_positions_tell_who_asked() {
    let game = "game A { end when true: won }\ngame B { end when true: lost }\nsolve A + B";
    let ran = Place::new("asked").with("ab.game", game).run(&["solve", "ab.game", "--json"]);
    let error = &ran.json()[0]["error"];
    assert_eq!(
        (&error["code"], &error["line"], &error["column"]),
        (&json!("R08"), &json!(3), &json!(7)),
        "{}",
        ran.out
    );
}

#[test]
fn one_position_with_very_many_moves_keeps_to_the_time() {
    let file = format!("{NIM}\ngame Huge(n) {{ move t k in 1..1000000000 -> Huge(n) }}");
    let place = Place::new("wide").with("wide.game", &file);
    for position in [
        "Huge(3)",
        "misere sum(Nim(i mod 1000) for i in 1..20000)",
        "conjunctive([Nim(2) for i in 1..100000])",
        "at_most(2, [Nim(2) for i in 1..1000])",
        "diminished([Nim(200) for i in 1..2000])",
    ] {
        // What is known of the parts may tell, and may not: a search takes too long.
        for (flag, codes) in [("--quiet", &[Some(0), Some(3)][..]), ("--exhaustive", &[Some(3)])] {
            let ran = place.run(&["solve", "wide.game", "-p", position, "--time", "300ms", flag]);
            assert!(codes.contains(&ran.code), "{position} {flag}: {:?} {}", ran.code, ran.err);
        }
    }
}

/// Rules that take long at each of millions of positions: in loops, in straight code, and by several threads.
#[test]
fn long_rules_on_large_tables_keep_to_the_time() {
    let straight: Vec<String> = (1..=40)
        .map(|i| format!("  move m{i} k in 1..16 where (a * k + b * a + {i}) mod 1009 == 1 and b > 0 -> G(a, b - 1)\n"))
        .collect();
    let straight = straight.concat();
    let loops = "  move l where a > 0 and count((i * a + b) mod 7 == 0 for i in 1..a * b) > 5 -> G(a - 1, b)\n";
    for moves in [&straight, loops] {
        let file = format!("game G(a, b) {{\n{moves}  move z where a > 0 -> G(a - 1, b)\n}}\nsolve G(4000, 4000)\n");
        let place = Place::new("long").with("long.game", &file);
        for threads in ["1", "4"] {
            let ran = place.run(&["solve", "long.game", "--time", "500ms", "--threads", threads]);
            assert_eq!(ran.code, Some(3), "{threads} {moves}: {}", ran.err);
            assert!(ran.err.starts_with("error[L03]"), "{}", ran.err);
        }
    }
}

#[test]
fn misere_turns_the_winner_round() {
    let place = nim("misere");
    let json = place.run(&["solve", "nim.game", "heaps=[1]", "--json", "--misere"]).json();
    assert_eq!((&json[0]["outcome"], &json[0]["grundy"]), (&json!("second"), &Json::Null));
    assert_eq!(json[0]["position"], "misere Nim(1)");
}

#[test]
fn cases_go_on_after_errors_and_their_exit_code_tells() {
    let cases = r#"[{"heaps": [1]}, {"heap": [1]}, {"heaps": [-1]}, {"heaps": "x"}, 7, {"HEAPS": [2, 2]},
      {"heaps": [1], "Heaps": [2]}]"#;
    let ran = nim("cases").with("cases.json", cases).run(&["solve", "nim.game", "--cases", "cases.json"]);
    assert_eq!(ran.code, Some(2));
    let told: Vec<String> = ran
        .json()
        .iter()
        .map(|line| {
            let error = &line["error"];
            let told = if error.is_null() { format!("{}", line["outcome"]) } else { format!("{}", error["code"]) };
            format!("{} {}", line["case"], told.replace('"', ""))
        })
        .collect();
    assert_eq!(told, ["0 first", "1 D05", "2 R01", "3 D02", "4 D02", "5 second", "6 D02"]);
    assert_eq!(
        ran.json()[1]["error"],
        json!({
            "code": "D05", "message": "there is no input `heap`", "note": "the case begins on line 1 of `cases.json`",
            "hint": "did you mean `heaps`?"
        })
    );
    assert_eq!((&ran.json()[2]["error"]["line"], &ran.json()[2]["error"]["column"]), (&json!(4), &json!(7)));
    assert_eq!(ran.err, "5 of 7 cases failed\n");
}

#[test]
fn cases_may_be_lines_on_stdin() {
    let place = nim("lines");
    let ran = place.run_with(&["solve", "nim.game", "--cases", "-"], "\n{\"heaps\": [1]}\n{\"heaps\": [2, 2]}\n");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let outcomes: Vec<Json> = ran.json().iter().map(|line| line["outcome"].clone()).collect();
    assert_eq!(outcomes, ["first", "second"]);
    let ran = place.run_with(&["solve", "nim.game", "--cases", "-"], "{\"heaps\": [1, 2]}");
    assert_eq!((ran.code, ran.json().len()), (Some(0), 1));
    let ran = place.run_with(&["solve", "nim.game", "--cases", "-"], "");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
}

#[test]
fn a_broken_element_is_one_case_that_failed() {
    let text = "[{\"heaps\": [1]},\n {\"heaps\": [1 2]}, {\"heaps\": [2, 2]} {}, {\"heaps\": [\"a,]\"]},\n x, 7\n, {\"heaps\": [3]}]\n";
    let ran = nim("elements").run_with(&["solve", "nim.game", "--cases", "-"], text);
    assert_eq!((ran.code, ran.json().len()), (Some(2), 7), "{}", ran.out);
    assert_eq!(ran.json()[6]["outcome"], json!("first"));
    insta::assert_snapshot!(
        ran.json()[1..6].iter().map(|case| case["error"]["message"].as_str().unwrap()).collect::<Vec<_>>().join("\n"), @r#"
    `<stdin>`, line 2, column 15: this is no JSON: `,` or `]` is expected
    `<stdin>`, line 2, column 38: this is no JSON: `,` or `]` is expected
    heaps[0]: an integer >= 0 is expected, not "a,]"
    `<stdin>`, line 3, column 2: this is no JSON: a value is expected
    case 5: an object that binds the inputs is expected, not a number
    "#);
}

#[test]
fn arrays_that_do_not_end_well_end_with_line_and_column() {
    let place = nim("nojson");
    let told = |text: &str| {
        let ran = place.run_with(&["solve", "nim.game", "--cases", "-"], text);
        assert_eq!(ran.code, Some(2), "{}", ran.out);
        format!("{} answered: {}", ran.json().len() - 1, ran.err.replace("\n |\n = help:", ";"))
    };
    let texts = [
        "[{\"heaps\": [1]},\n {\"heaps\": [1, 2}]",
        "[{\"heaps\": [1]}",
        "[{\"heaps\": [1]},\n",
        "[{\"heaps\": [1]},]",
        "[{\"heaps\": [1]},, {\"heaps\": [1]}]",
        "[",
        "[] {}",
    ];
    insta::assert_snapshot!(texts.map(told).concat());
}

#[test]
fn large_cases_are_answered_in_every_form() {
    let heaps: Vec<String> = (0..20_000_u64).map(|n| (n * n % 5).to_string()).collect();
    let (short, long) = (heaps.join(","), heaps.join(",\n  "));
    let xor = (0..20_000_u64).fold(0, |xor, n| xor ^ (n * n % 5));
    let forms = [
        format!("{{\"heaps\":[{short}]}}"),
        format!("{{\n\"heaps\": [{long}]\n}}\n"),
        format!("[{{\"heaps\": [{long}]}}, {{\"Heaps\": [{short}]}}]"),
        // Not the usual way: the general one.
        format!("{{\"\\u0068eaps\": [{short}]}}"),
    ];
    let place = nim("large");
    for form in forms {
        let ran = place.run_with(&["solve", "nim.game", "--cases", "-", "--moves", "0"], &form);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert!(ran.json().iter().all(|case| case["grundy"] == json!(xor)));
    }
    let ran = place.run_with(
        &["solve", "nim.game", "--cases", "-"],
        &format!("[{{\"heaps\": [{short}, true]}}, {{\"heaps\": [{short}, -1]}}, {{\"heaps\": [{short}}}]"),
    );
    let message = |case: usize| ran.json()[case]["error"]["message"].to_string();
    assert!(message(0).contains("heaps[20000]: an integer >= 0 is expected, not true"), "{}", message(0));
    assert!(message(1).contains("-1 is not a nat"), "{}", message(1));
    assert!(message(2).contains("this is no JSON"), "{}", message(2));
}

#[test]
fn only_limits_among_the_cases_end_with_3() {
    let ran = nim("limited").run_with(
        &["solve", "nim.game", "--exhaustive", "--misere", "--max-positions", "50", "--cases", "-", "--quiet"],
        "{\"heaps\": [1]} {\"heaps\": [90, 90, 90]} {\"heaps\": [2]}",
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(3), ""));
    assert_eq!(ran.json()[1]["error"]["code"], "L01");
    assert_eq!(ran.json()[2]["outcome"], "first");
}

#[test]
fn limits_end_with_3_and_say_how_to_raise_them() {
    let place = nim("limits");
    let big = "misere Nim(90) + Nim(90) + Nim(90)";
    let ran = place.run(&["solve", "nim.game", "-p", big, "--max-positions", "1_000", "--json"]);
    assert_eq!((ran.code, &ran.json()[0]["outcome"]), (Some(0), &json!("first")));
    let ran = place.run(&["solve", "nim.game", "-p", big, "--max-positions", "1_000", "--json", "--exhaustive"]);
    assert_eq!((ran.code, &ran.json()[0]["error"]["code"]), (Some(3), &json!("L01")));
    assert!(ran.err.contains("`--max-positions` raises the limit"), "{}", ran.err);
    let ran = place.run(&["solve", "nim.game", "-p", big, "--time", "1ms", "--exhaustive"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.err.starts_with("error[L03]: the time limit of 0.001 s is reached"), "{}", ran.err);
}

#[test]
fn files_that_cannot_be_read_are_told() {
    let place = nim("files").with("broken.game", b"game \xff");
    let ran = place.run(&["solve", "none.game"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), "error[D03]: there is no file `none.game`\n"));
    let ran = place.run(&["solve", "."]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), "error[D03]: `.` is a folder, not a file\n"));
    let ran = place.run(&["solve", "broken.game"]);
    assert_eq!(ran.code, Some(2));
    insta::assert_snapshot!(ran.err, @r"
    error[S02]: `broken.game` is not valid UTF-8: line 1, column 6 is the byte 0xff
     |
     = help: save the file as UTF-8
    ");
    let ran = place.run(&["solve", "nim.game", "--cases", "none.json"]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), "error[D03]: there is no file of cases `none.json`\n"));
}

#[test]
fn wrong_inputs_show_where_the_input_is_declared() {
    let place = nim("inputs");
    let ran = place.run(&["solve", "nim.game", "heaps=[1,\"x\"]"]);
    assert_eq!(ran.code, Some(2));
    insta::assert_snapshot!(ran.err, @r#"
    error[D02]: heaps[1]: an integer >= 0 is expected, not "x"
     --> nim.game:4:7
      |
    4 | input heaps: list of nat = [3, 4, 5]
      |       ^^^^^ declared here
    "#);
    let ran = place.run(&["solve", "nim.game", "heap=[1]"]);
    assert_eq!(ran.code, Some(2));
    insta::assert_snapshot!(ran.err, @r"
    error[D05]: there is no input `heap`
     |
     = help: did you mean `heaps`?
    ");
    let ran = place.run(&["solve", "nim.game", "heaps=[1]", "Heaps=[2]"]);
    assert!(ran.err.starts_with("error[D02]: input `heaps` is given twice, as `heaps` and as `Heaps`"), "{}", ran.err);
}

#[test]
fn a_position_of_the_command_line_is_a_source_of_its_own() {
    let ran = nim("position").run(&["solve", "nim.game", "-p", "Nim(3) + Nym(4)"]);
    assert_eq!(ran.code, Some(2));
    insta::assert_snapshot!(ran.err, @r"
    error[E01]: there is no game `Nym`
     --> <position>:1:10
      |
    1 | Nim(3) + Nym(4)
      |          ^^^
      |
      = help: did you mean `Nim`?
    ");
}

#[test]
fn wrong_arguments_end_with_2() {
    let place = nim("arguments");
    for args in [&["solve"][..], &["solve", "nim.game", "--time", "soon"], &["solve", "nim.game", "x"], &["resolve"]] {
        let ran = place.run(args);
        assert_eq!(ran.code, Some(2), "{args:?}");
    }
    assert_eq!(place.run(&["--help"]).code, Some(0));
}

#[test]
fn a_file_without_a_question_is_told_how_to_ask() {
    let ran = Place::new("unasked").with("let.game", "let a = 1\n").run(&["solve", "let.game"]);
    assert_eq!(ran.code, Some(2));
    insta::assert_snapshot!(ran.err, @r"
    error[D06]: `let.game` has no `solve` line
     |
     = help: ask about a position with `-p POSITION`
    ");
}

#[test]
fn used_files_stand_beside_the_file_or_in_the_library() {
    let place = nim("uses").with("two.game", "use \"nim\"\nuse \"wythoff\"\nsolve Nim(3)\nsolve Wythoff(1, 2)\n");
    let ran = place.run(&["solve", "two.game", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let outcomes: Vec<Json> = ran.json().iter().map(|line| line["outcome"].clone()).collect();
    assert_eq!(outcomes, ["first", "second"]);
    // A file does not use itself: this is the library's `nim`.
    let place = Place::new("self").with("nim.game", "use \"nim\"\nsolve Nim(3)\n");
    assert_eq!(place.run(&["solve", "nim.game"]).code, Some(0));
}

#[test]
fn data_files_stand_beside_the_game() {
    let game = "let g = graph from \"road.txt\"\ntable size(g) for k in 1..1\n";
    let place = Place::new("data").with("road.game", game);
    let ran = place.run(&["table", "road.game"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("error[D03]: there is no data file `road.txt`"), "{}", ran.err);
    let ran = place.with("road.txt", "a b\nb c\n").run(&["table", "road.game", "--json"]);
    assert_eq!(ran.json()[0]["values"], json!([3]));
}

#[test]
fn tables_come_as_grids_csv_and_json() {
    let place = nim("tables");
    let query = "grundy(Nim(a) + Nim(b)) for a in 0..1, b in 0..3";
    let ran = place.run(&["table", "nim.game", query]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    insta::assert_snapshot!(ran.out, @r"
    grundy(Nim(a) + Nim(b))
    a \ b 0 1 2 3
        0 0 1 2 3
        1 1 0 3 2
    ");
    assert_eq!(
        place.run(&["table", "nim.game", query, "--json"]).json(),
        [json!({
            "expr": "grundy(Nim(a) + Nim(b))",
            "axes": [{"name": "a", "from": 0, "to": 1}, {"name": "b", "from": 0, "to": 3}],
            "values": [[0, 1, 2, 3], [1, 0, 3, 2]]
        })]
    );
    let ran = place.run(&["table", "nim.game", "(a, b) for a, b in 0..1 where a < b", "--csv"]);
    assert_eq!(ran.out, "a,b,value\r\n0,1,\"(0, 1)\"\r\n");
    let ran = place.run(&["table", "nim.game", "a for a in 0..3, b in a..2", "--json"]);
    assert_eq!(ran.json()[0]["rows"][3], json!([1, 1, 1]));
    let ran = place.run(&["table", "nim.game", "n * n for n in 1..22"]);
    insta::assert_snapshot!(ran.out, @r"
    n * n
    n |   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16  17  18  19  20
      |   1   4   9  16  25  36  49  64  81 100 121 144 169 196 225 256 289 324 361 400
    n |  21  22
      | 441 484
    ");
}

#[test]
fn tables_come_as_pictures() {
    let place = nim("pictures");
    let picture = |query: &str| {
        let ran = place.run(&["table", "nim.game", query, "--svg"]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{query}");
        ran.out
    };
    insta::assert_snapshot!(picture("grundy(Nim(a) + Nim(b)) for a in 0..1, b in 0..1"));
    // Dots for numbers over one axis, squares for the rest; each says what it is.
    let dots = picture("n * n for n in 3..8");
    assert_eq!(dots.matches("h0").count(), 6, "{dots}");
    assert!(dots.contains(">3</text>") && dots.contains(">8</text>") && dots.contains(">64</text>"), "{dots}");
    let words = picture("(if a < b then \"less & <\" else \"no\") for a, b in 0..49 where a <= b");
    // One for each square, one for the whole.
    assert_eq!(words.matches("<title>").count(), 50 * 51 / 2 + 1);
    assert!(words.contains("<title>a = 2, b = 7: less &amp; &lt;</title>"), "{words}");
    let truth = picture("n > 1 for n in [1, 2]");
    assert!(truth.contains("<title>n = 1: false</title>") && truth.contains("<title>n = 2: true</title>"), "{truth}");
    for (query, why) in [
        ("a for a, b, c in 0..1", "one or two dimensions"),
        ("a for a, b in 0..600", "at most 250000 squares"),
        ("a for a in [1, 1], b in [2]", "twice"),
    ] {
        let ran = place.run(&["table", "nim.game", query, "--svg"]);
        assert_eq!(ran.code, Some(2), "{query}: {}", ran.err);
        assert!(ran.err.contains("D06") && ran.err.contains(why), "{}", ran.err);
    }
    let ran = place.run(&["table", "nim.game", "n for n in 0..1", "--svg", "--csv"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[test]
fn an_error_in_a_table_names_its_entry() {
    let ran = nim("entry").run(&["table", "nim.game", "10 div n for n in 0..3"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("error[R03]") && ran.err.contains("this is the entry of n = 0"), "{}", ran.err);
}

#[test]
fn check_tells_every_verdict_and_ends_with_1_when_one_fails() {
    let claims = "\
use \"nim\"
claim \"nim\" for a, b in 0..4: loses(Nim(a) + Nim(b)) iff a == b
claim false \"evens lose\" for a, b in 0..4 where (a + b) mod 2 == 0: loses(Nim(a) + Nim(b))
expect Nim(3): first grundy 3
";
    let place = nim("check").with("good.game", claims);
    let ran = place.run(&["check", "good.game", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let verdicts: Vec<Json> = ran.json().iter().map(|line| line["verdict"].clone()).collect();
    assert_eq!(verdicts, ["VERIFIED", "REFUTED", "PASSED"]);
    assert_eq!(ran.json()[1]["counterexample"], json!({"a": 0, "b": 2}));
    let place = place.with("wrong.game", format!("{NIM}expect Nim(3): second\n"));
    let ran = place.run(&["check", "wrong.game"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.out.starts_with("FAILED    expect \"Nim(3): second\"  [wrong.game:6]\n"), "{}", ran.out);
    assert!(ran.out.ends_with("0 as it should be, 1 failed\n"), "{}", ran.out);
    // A folder: every file in it.
    assert_eq!(place.run(&["check", "."]).code, Some(1));
    assert_eq!(place.with("bad.game", "solve Chess()\n").run(&["check", "."]).code, Some(2));
}

#[test]
fn fmt_changes_what_is_not_canonical() {
    let place =
        Place::new("fmt").with("a.game", "game   Nim(n){\nmove take k in 1..n->Nim(n-k)\n}").with("b.game", NIM);
    let ran = place.run(&["fmt", "--check", "a.game", "b.game"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "a.game\n"));
    assert_eq!(place.run(&["fmt", "a.game", "b.game"]).out, "a.game\n");
    assert_eq!(place.run(&["fmt", "--check", "a.game", "b.game"]).code, Some(0));
    assert_eq!(place.run_with(&["fmt", "-"], "let  a=1").out, "let a = 1\n");
    assert_eq!(place.run_with(&["fmt", "-"], "let a =").code, Some(2));
}

#[test]
fn show_prints_the_tree_and_the_rules() {
    let place = nim("show");
    let ran = place.run(&["show", "nim.game", "--stage", "syntax"]);
    assert!(ran.out.starts_with("Game(") && ran.out.contains("name: `Nim` 0:5..8"), "{}", ran.out);
    let ran = place.run(&["show", "nim.game", "--stage", "rules"]);
    assert!(ran.out.contains("move        take, told apart by k") && ran.out.contains("code of Nim(3)"), "{}", ran.out);
    assert_eq!(place.run(&["show", "nim.game", "--stage", "plan"]).code, Some(0));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let place = nim("pipe");
    let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(["table", "nim.game", "n for n in 0..200000", "--csv"])
        .current_dir(&place.0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn entries_and_moves_of_any_width_are_printed() {
    let game = "input xs: list of int = []\ntable xs for i in 0..0\n\
                game B(s: list of int, n) { move m k in [s, []] where n > 0 -> B([1], n - 1) }\nsolve B(xs, 1)\n";
    let place = Place::new("wide").with("wide.game", game);
    let ints: Vec<i64> = (0..5000).map(|n| 1_000_000_000_000_000 + n).collect();
    let input = format!("xs={ints:?}");
    for word in ["table", "solve"] {
        let ran = place.run(&[word, "wide.game", &input]);
        assert_eq!(ran.code, Some(0), "{word}: {}", &ran.err[..ran.err.len().min(300)]);
        assert!(ran.out.contains(&format!("{ints:?}")), "{word}");
    }
}

/// The heaps that moves such as `take 2 in Nim(5)` leave, or those of a vector without a component.
fn taken(heaps: &mut [u64], text: &str) {
    let words: Vec<&str> = text.split(' ').collect();
    let ["take", count, "in", heap] = words[..] else { panic!("{text}") };
    let heap: u64 = heap.trim_start_matches("Nim(").trim_end_matches(')').parse().expect("a heap");
    let count: u64 = count.parse().expect("a number");
    let at = heaps.iter().position(|h| *h == heap).unwrap_or_else(|| panic!("no heap {heap}: {heaps:?} {text}"));
    assert!((1..=heap).contains(&count), "{text}");
    heaps[at] -= count;
}

#[test]
fn a_line_of_play_in_a_sum_names_the_component_and_wins() {
    let place = nim("line");
    for heaps in [[2_u64, 3], [3, 2], [1, 3], [6, 5], [9, 9], [4, 7], [0, 4], [7, 0]] {
        let position = format!("Nim({}) + Nim({})", heaps[0], heaps[1]);
        let ran = place.run(&["solve", "nim.game", "-p", &position, "--line", "--json"]);
        let line = ran.json()[0]["line"].clone();
        let line = line.as_array().expect("a line").clone();
        let mut left = heaps.to_vec();
        let mut winner_moves = heaps[0] != heaps[1];
        assert_eq!(line.is_empty(), heaps == [0, 0], "{position}");
        for text in &line {
            taken(&mut left, text.as_str().expect("a text"));
            if winner_moves {
                assert_eq!(left[0], left[1], "{position}: {line:?}");
            }
            winner_moves = !winner_moves;
        }
        assert!(line.len() == 12 || left == [0, 0], "{position}: {line:?}");
    }
}

#[test]
fn players_may_have_names() {
    let turn = "game Hop(n: nat, cat: bool) {\n\
                \x20 players if cat then \"cat\" else \"mouse\", if cat then \"mouse\" else \"cat\"\n\
                \x20 move hop k in 1..min(n, 2) -> Hop(n - k, not cat)\n\
                \x20 move stay where n > 7 -> again Hop(n - 7, cat)\n}\nsolve Hop(4, true)\n";
    let place = Place::new("players")
        .with("hop.game", turn)
        .with("two.game", format!("{turn}game Nim(n) {{ move take k in 1..n -> Nim(n - k) players \"A\", \"B\" }}"))
        .with("twice.game", "game G(n) { players \"a\", \"b\" players \"c\", \"d\" }")
        .with("number.game", "game G(n) { players n, \"b\" }")
        .with("pipe.game", "game G(n) { players \"a\" \"b\" }");
    let said = |position: &str| place.run(&["solve", "two.game", "-p", position]).out;
    assert!(said("Hop(4, true)").contains("first: cat, the player to move, wins"));
    assert!(said("Hop(3, true)").contains("second: cat, the player to move, loses to mouse"));
    assert!(said("Hop(3, false)").contains("second: mouse, the player to move, loses to cat"));
    assert!(said("Nim(3) + Nim(5)").contains("first: A, the player to move, wins"));
    // Components that say different things say nothing.
    assert!(said("Nim(3) + Hop(4, true)").contains("first: the player to move wins"));
    assert!(said("Hop(4, true) + Hop(4, false)").contains("second: the player to move loses"));
    let line = place.run(&["solve", "hop.game", "--line"]).out;
    assert!(line.contains("line        cat: hop 1, mouse: hop "), "{line}");
    let json = &place.run(&["solve", "hop.game", "--json"]).json()[0];
    assert_eq!(json["players"], serde_json::json!(["cat", "mouse"]));
    assert_eq!(
        place.run(&["eval", "hop.game", "Hop(3, true)"]).out,
        "Hop(3, true): second, mouse wins, Grundy 0, remoteness 2\n"
    );
    for (file, code) in [("twice", "E02"), ("number", "E03"), ("pipe", "S01")] {
        let ran = place.run(&["check", &format!("{file}.game")]);
        assert_eq!(ran.code, Some(2), "{file}");
        assert!(ran.err.contains(&format!("error[{code}]")), "{}", ran.err);
    }
    assert_eq!(place.run(&["fmt", "--check", "hop.game"]).code, Some(0), "{}", place.run(&["fmt", "hop.game"]).out);
    // Whoever moves again is still the same.
    let line = place.run(&["solve", "hop.game", "-p", "Hop(9, true)", "--line"]).out;
    assert!(line.contains("cat: stay, cat: hop ") || line.contains("cat: hop "), "{line}");
}

/// Each verdict of an `if` behind `end when`, against the lines that it stands for.
#[test]
fn an_end_may_depend_on_a_condition() {
    let game = |ends: &str| {
        format!(
            "game G(n) {{\n  {ends}\n  move take k in 1..min(n, 3) -> G(n - k)\n}}\ntable outcome(G(n)) for n in 0..30\n"
        )
    };
    let forms = [
        (
            "end when n < 5: if n mod 2 == 0 then lost else won",
            "end when n < 5 and n mod 2 == 0: lost\n  end when n < 5: won",
        ),
        (
            "end when n < 5: if n == 1 then won else if n == 2 then drawn else lost",
            "end when n == 1: won\n  end when n == 2: drawn\n  end when n < 5: lost",
        ),
        (
            "end when n < 6: if n > 1 then if n > 3 then won else drawn else lost",
            "end when n in 4..5: won\n  end when n in 2..3: drawn\n  end when n < 2: lost",
        ),
        (
            "end when n == 0: if n > 0 then won else lost\n  end when n == 1: won",
            "end when n == 0: lost\n  end when n == 1: won",
        ),
    ];
    for (one, many) in forms {
        let (one, many) = (game(one), game(many));
        let place = Place::new("endif").with("one.game", &one).with("many.game", &many);
        let ran = place.run(&["table", "one.game"]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        assert_eq!(ran.out, place.run(&["table", "many.game"]).out, "{one}");
        assert_eq!(place.run(&["fmt", "--check", "one.game"]).code, Some(0), "{}", place.run(&["fmt", "one.game"]).out);
    }
    let points = "game G(n) { end when n < 4: if n mod 2 == 0 then score n else score -1 move t k in 1..2 where k <= n -> G(n - k) }\n";
    let plain = "game G(n) { end when n < 4: score (if n mod 2 == 0 then n else -1) move t k in 1..2 where k <= n -> G(n - k) }\n";
    let place = Place::new("endscore").with("one.game", points).with("many.game", plain);
    let asked = "score(G(n)) for n in 0..30";
    assert_eq!(place.run(&["table", "one.game", asked]).out, place.run(&["table", "many.game", asked]).out);
}

/// In a call the last of several arguments may be a comprehension: it is a list.
#[test]
fn a_comprehension_may_be_the_last_argument() {
    let text = "game Nim(n) { move take k in 1..n -> Nim(n - k) }\ndef both(a, xs: list of int) = [a] + xs\n";
    let place = Place::new("last").with("a.game", text);
    let ran = place.run(&[
        "eval",
        "a.game",
        "at_most(2, Nim(n) for n in [1, 2, 3])",
        "at_most(2, [Nim(n) for n in [1, 2, 3]])",
        "both(7, n + 1 for n in 1..3 where n != 2)",
        "both(7, n + 1 for n in 1..0)",
    ]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], lines[1]);
    assert_eq!(&lines[2..], ["[7, 2, 4]", "[7]"], "{}", ran.err);
    // It stays the last.
    assert_eq!(place.run(&["eval", "a.game", "both(n for n in 1..3, 7)"]).code, Some(2));
    assert_eq!(place.run(&["eval", "a.game", "both(7, n for n in 1..3,)"]).code, Some(2));
}

#[test]
fn shells_are_told_what_may_follow() {
    let place = Place::new("shell")
        .with("nim.game", NIM)
        .with("cut.game", "use \"nim\"\ninput first, other: nat = 1\ngame Cut[k](n) { move c where n > k -> Cut(n - k) }\nsolve Cut[first](other)\n")
        .with("broken.game", "game (")
        .with("notes.txt", "");
    let proposed = |words: &[&str]| -> Vec<String> {
        let output = Command::new(env!("CARGO_BIN_EXE_grundy"))
            .args(["--", "grundy"])
            .args(words)
            .current_dir(&place.0)
            .env("GRUNDY_COMPLETE", "fish")
            .output()
            .expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.lines().map(|line| line.split('\t').next().unwrap_or("").to_string()).collect()
    };
    assert_eq!(proposed(&["solve", "c"]), ["cut.game"]);
    assert!(!proposed(&["solve", "n"]).contains(&"notes.txt".to_string()));
    assert_eq!(proposed(&["solve", "cut.game", "f"]), ["first="]);
    assert_eq!(proposed(&["run", "cut.game", "o"]), ["other="]);
    assert_eq!(proposed(&["solve", "cut.game", "-p", "C"]), ["Cut["]);
    assert_eq!(proposed(&["solve", "cut.game", "-p", "Cut[2](5) + N"]), ["Cut[2](5) + Nim("]);
    assert_eq!(proposed(&["table", "nim.game", "grundy(N"]), ["grundy(Nim("]);
    assert_eq!(proposed(&["eval", "cut.game", "wins(C"]), ["wins(Cut["]);
    assert_eq!(proposed(&["solve", "cut.game", "--exh"]), ["--exhaustive"]);
    assert_eq!(proposed(&["str"]), ["stress"]);
    assert!(proposed(&["solve", "broken.game", "-p", "N"]).is_empty());
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.run(&["completions", shell]);
        assert!(script.code == Some(0) && script.out.contains("GRUNDY_COMPLETE"), "{shell}");
    }
}

/// What is slow is said in the words of the file, and what is proposed instead has nothing slow in it.
#[test]
fn a_plan_says_what_would_be_faster() {
    let files = [
        ("game S(s: set of nat) { move t c in s -> S(s - {c}) } solve S({3, 90})", "`s` holds 90: "),
        (
            "game S(s: list of set of nat) { move t i in indices(s), c in s[i] -> S(s[i := s[i] - {c}]) } solve S([{3}, {30}])",
            "",
        ),
        ("game S(s: set of (nat, nat)) { move t c in s -> S(s - {c}) } solve S({(3, 12)})", "`s` holds (3, 12): "),
        (
            "game S(s: list of set of nat) { move t r in indices(s), c in s[r] -> S(s[r := s[r] - {c}]) } solve S([{1}, {12}])",
            "",
        ),
        ("game S(s: set of int) { move t c in s -> S(s - {c}) } solve S({-3, 2})", "`s` holds -3: "),
        ("game S(s: set of (int, int)) { move t c in s -> S(s - {c}) } solve S({(0, -1)})", "`s` holds (0, -1): "),
        (
            "game S(s: set of (nat, nat, nat)) { move t c in s -> S(s - {c}) } solve S({(0, 1, 2)})",
            "`s` is a set of tuples",
        ),
        ("game S(s: bag of nat) { move t c in s -> S(s - [c]) } solve S([3, 4])", "`s` changes its length"),
        ("game S(s: bag of nat) { move t c in s where c > 0 -> S(s - [c] + [c - 1]) } solve S([3, 4])", ""),
        (
            "game S(s: bag of nat) { move t c in s where c > 0 -> S(s - [c] + [c - 1]) } solve S([3 for i in 1..70])",
            "`s` has 70 members",
        ),
        ("game S(s: bag of text) { move t c in s -> S(s - [c]) } solve S([\"a\"])", "bag of another kind"),
        ("game S(s: list of nat) { move t i in indices(s), k in 1..s[i] -> S(sort(s[i -= k])) } solve S([3, 4])", ""),
        ("game S(g: graph) { move t v in g -> S(g - {v}) } solve S(grid(2, 3))", "`g` is a graph that moves change"),
        (
            "game S[g: graph](left: set of vertex of g) { move t v in left -> S(left - {v}) } solve S[grid(2, 3)]({(0, 0), (0, 1)})",
            "",
        ),
        ("game S(s: text) { move t i in indices(s) -> S(s[1..]) } solve S(\"abc\")", "`s` changes its length"),
        (
            "game S(s: text, n) { move t i in indices(s) where n > 0 -> S(s[i := \"-\"], n - 1) } solve S(\"abc\", 2)",
            "",
        ),
        ("game S(x: real) { move t where x >= 1 -> S(x - 1 / 2) } solve S(3)", "`x` is a real number"),
        (
            "game A(n) { move t where n > 0 -> B(n - 1) } game B(n) { move t where n > 1 -> A(n - 2) } solve A(9)",
            "from `A` to `B`",
        ),
        ("game A(n, b: bool) { move t where n > 1 -> A(if b then n - 2 else n - 1, not b) } solve A(9, false)", ""),
        (
            "game A[k](n) { move t where k > 0 and n > 0 -> A[k - 1](n - 1) } solve A[3](9)",
            "the rule parameters of `A`",
        ),
        ("game A(k, n) { move t where k > 0 and n > 0 -> A(k - 1, n - 1) } solve A(3, 9)", ""),
    ];
    for (text, wanted) in files {
        let said = crate::program::stdout(text, &["show", "--stage", "plan"]);
        let faster: Vec<&str> = said.lines().filter(|line| line.trim_start().starts_with("faster: ")).collect();
        assert_eq!(faster.is_empty(), wanted.is_empty(), "{text}\n{said}");
        assert!(faster.join("\n").contains(wanted), "{text}\n{said}");
    }
}

/// The points that the player to move gets more than the other, both playing well.
fn points(arcs: &[Vec<(usize, i64)>], at: usize) -> i64 {
    arcs[at].iter().map(|&(to, gain)| gain - points(arcs, to)).max().unwrap_or(0)
}

#[test]
fn a_line_of_a_scoring_game_is_best_play_of_both_to_its_end() {
    let mut rng = crate::rng::Rng::new(5);
    for _ in 0..crate::rounds(25, 500) {
        let nodes = 4 + rng.below(6);
        let arcs: Vec<Vec<(usize, i64)>> =
            (0..nodes).map(|n| (0..rng.below(4).min(n)).map(|_| (rng.below(n), rng.range(-9, 9))).collect()).collect();
        let column = |of: &dyn Fn(&(usize, i64)) -> String| -> String {
            let rows: Vec<String> =
                arcs.iter().map(|row| format!("[{}]", row.iter().map(of).collect::<Vec<_>>().join(", "))).collect();
            format!("[{}]", rows.join(", "))
        };
        let (to, gain) = (column(&|arc| arc.0.to_string()), column(&|arc| arc.1.to_string()));
        let start = nodes - 1;
        let text = format!(
            "let to = {to}\nlet gains = {gain}\ngame G(n) {{\n\
             move go i in indices(to[n]) -> G(to[n][i]) gain gains[n][i] }}\nsolve G({start})\n"
        );
        let output = crate::program::run(&text, &["solve", "--line", "--json"]);
        let told: Json = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{text}{output:?}"));
        let score = points(&arcs, start);
        if arcs.iter().flatten().count() == 0 {
            continue;
        }
        assert_eq!(told["score"], score, "{text}");
        let (mut at, mut sum, mut sign) = (start, 0, 1);
        for mv in told["line"].as_array().expect("a line") {
            let place: usize =
                mv.as_str().and_then(|mv| mv.strip_prefix("go ")).expect("a move").parse().expect("a place");
            let (to, gain) = arcs[at][place];
            (at, sum, sign) = (to, sum + sign * gain, -sign);
        }
        assert!(arcs[at].is_empty() && sum == score, "{text}{told}");
    }
}

/// Theorems are not asked where the rules alone are to tell, in a line neither.
#[test]
fn a_line_by_the_rules_does_not_follow_a_false_theorem() {
    let text = "game G(n) { move t k in {1, 2, 5} where k <= n -> G(n - k) theorem grundy = n mod 4 }\n\
                claim \"x\" for n in 9..9: wins(G(n))\n";
    // The positions from which whoever moves loses.
    let mut loses = vec![true];
    for n in 1..30_usize {
        loses.push(![1, 2, 5].iter().any(|&k| k <= n && loses[n - k]));
    }
    let place = Place::new("false").with("g.game", text);
    for start in 1..30_usize {
        let ran = place.run(&["solve", "g.game", "-p", &format!("G({start})"), "--line", "--json", "--exhaustive"]);
        let mut at = start;
        let mut winner = !loses[start];
        for mv in ran.json()[0]["line"].as_array().expect("a line") {
            let taken: usize =
                mv.as_str().and_then(|mv| mv.strip_prefix("t ")).expect("a move").parse().expect("a number");
            at -= taken;
            assert!(!winner || loses[at], "{start}: {}", ran.out);
            winner = !winner;
        }
        assert!(
            at == 0 || ran.json()[0]["line"].as_array().is_some_and(|line| line.len() == 12),
            "{start}: {}",
            ran.out
        );
    }
    // 9 loses: what is played shows it.
    let ran = place.run(&["check", "g.game"]);
    assert!(ran.out.contains("play    t ") && !ran.out.contains("play    t 1, t 1\n"), "{}", ran.out);
}

/// A board with an odd number of cells has a matching that leaves out the corner, so whoever begins there loses; of square Chomp the
/// one winning move leaves a row and a column.
#[test]
fn who_wins_alone_takes_far_fewer_positions() {
    let text = "game Snake[g: grid](at: vertex of g, seen: set of vertex of g = {at}) {\n\
                move go c in neighbours(g, at) - seen -> Snake(c, seen + {c}) }\n\
                game Chomp(rows: list of nat) { move bite i in indices(rows), k in 0..rows[i] - 1 where i > 0 or k > 0 ->\n\
                Chomp([if j < i then rows[j] else min(rows[j], k) for j in indices(rows)]) }\n\
                solve Snake[grid(5, 5)]((0, 0))\nsolve Chomp([9 for i in 1..9])\n";
    let place = Place::new("outcome").with("o.game", text);
    let [all, alone] = [&[][..], &["--outcome"]].map(|more| {
        let mut arguments = vec!["solve", "o.game", "--json", "--exhaustive"];
        arguments.extend(more);
        place.run(&arguments).json()
    });
    for answers in [&all, &alone] {
        assert_eq!([&answers[0]["outcome"], &answers[1]["outcome"]], ["second", "first"]);
        assert_eq!([&answers[0]["winning_move_count"], &answers[1]["winning_move_count"]], [0, 1]);
        assert_eq!(answers[1]["winning_moves"][0]["binders"], json!({"i": 1, "k": 1}));
    }
    for (all, alone) in all.iter().zip(&alone) {
        let positions = |answer: &Json| answer["positions"].as_u64().expect("a number");
        assert!(20 * positions(alone) < positions(all), "{alone} {all}");
        assert!(all["grundy"].is_u64() && alone["grundy"].is_null(), "{alone} {all}");
    }
}

#[test]
fn a_line_that_is_not_known_is_not_none() {
    let text = "game Big(n) { move t k in 1..n -> Big(n - k) theorem grundy = n }\n\
                game Flip(n) { move t -> Flip(1 - n) }\ngame Snake[g: grid](at: vertex of g, seen: set of vertex of g = {at}) {\n\
                move go c in neighbours(g, at) - seen -> Snake(c, seen + {c}) }\n";
    let place = Place::new("unknown").with("b.game", text);
    let line = |position: &str, more: &[&str]| {
        let mut arguments = vec!["solve", "b.game", "-p", position, "--line"];
        arguments.extend(more);
        place.run(&arguments).out.lines().last().unwrap_or_default().trim().to_string()
    };
    assert_eq!(line("Big(10 ** 15)", &["--memory", "300M"]), "line        not worked out");
    assert_eq!(line("Flip(0)", &[]), "line        none");
    assert_eq!(line("Big(0)", &[]), "line        none");
    assert_eq!(line("Big(1000) + Big(3)", &[]).split(", ").next(), Some("line        t 997 in Big(1000)"));
    assert!(line("Big(1000) + Big(1000)", &[]).ends_with(", .."));
    assert!(line("Snake[grid(5, 5)]((0, 0))", &["--outcome"]).starts_with("line        go (0, 1), "));
    let json = |position: &str| {
        place.run(&["solve", "b.game", "-p", position, "--line", "--json", "--memory", "300M"]).json()[0]["line"]
            .clone()
    };
    assert_eq!(json("Big(10 ** 15)"), Json::Null);
    assert_eq!(json("Big(0)"), serde_json::json!([]));
}
