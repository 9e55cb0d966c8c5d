//! Cases of a file are answered as each of them alone: random games with random theorems, which need not be true,
//! and files of random cases, once as they are mostly written and once so that each goes its own way.

use serde_json::Value as Json;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn one<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[usize::try_from(self.below(texts.len() as u64)).expect("small")]
    }
}

/// An int that is mostly one of a heap.
fn int(random: &mut Random, depth: u32) -> String {
    let leaf = depth == 0 || random.below(3) == 0;
    if leaf {
        return random.one(&["a", "b", "a", "b", "2", "1", "m", "c"]).to_string();
    }
    let (x, y) = (int(random, depth - 1), int(random, depth - 1));
    match random.below(12) {
        0 => format!("({x} + {y})"),
        1 => format!("({x} - {y})"),
        2 => format!("abs({x} - {y})"),
        3 => format!("min({x}, {y})"),
        4 => format!("max({x}, {y}, 3)"),
        5 => format!("floored({x})"),
        6 => format!("chosen({x}, {y})"),
        7 => format!("({x} mod 5)"),
        8 => format!("({x} div 3)"),
        9 => format!("(if {x} < {y} then {x} else {y})"),
        10 => format!("ceil({x} * sqrt(3) / 2)"),
        _ => format!("owned({x})"),
    }
}

fn condition(random: &mut Random) -> String {
    let (x, y) = (int(random, 2), int(random, 2));
    let plain = format!("{x} {} {y}", random.one(&["==", "<", ">=", "!="]));
    match random.below(6) {
        0 => format!("{plain} and a > {}", random.below(4)),
        1 => format!("{plain} or b == {}", random.below(4)),
        2 => format!("({plain}) iff a < b"),
        3 => format!("not ({plain})"),
        4 => format!("{x} in 0..{y}"),
        _ => plain,
    }
}

/// A game whose plays end, with theorems of many kinds.
fn game(random: &mut Random) -> String {
    let filter = random.one(&["", "", "", " where a != 7", " where a >= 0 and b >= 0"]);
    let misere = random.one(&["", "", "misere "]);
    let r = random.one(&["2", "5", "7", "4"]);
    let mut text = format!(
        "def floored(n) = floor((n + 1) * (sqrt({r}) - 1) / {})\n\
         def chosen(x: int, y: int) = if k > y then x + k else k - x with k = x + y\n\
         {misere}game G[m: nat](a, b){filter} {{\n  let c = a + b\n  def owned(n) = n + a - m\n",
        2 + random.below(3)
    );
    let guard = random.one(&["", "", ", where k != 2", ", where k + b > 1"]);
    let _ = writeln!(text, "  move left k in 1..a{guard} -> G(a - k, b)");
    let _ = writeln!(text, "  move right k in 1..b -> G(a, b - k)");
    if random.below(2) == 0 {
        text += "  move both k in 1..a, l in 1..min(b, k) -> G(a - k, b - l)\n";
    }
    if random.below(3) == 0 {
        text += "  move clear where a > 0 -> G(0, b)\n";
    }
    let both = text.contains("move both");
    let says = random.one(&["loses", "wins"]);
    let _ = writeln!(text, "  theorem {says} iff {}", condition(random));
    let _ = writeln!(text, "  theorem winning left for k = {}, where k > 0", int(random, 2));
    if random.below(3) > 0 {
        let _ = writeln!(text, "  theorem winning right for k = {}, where {}", int(random, 2), condition(random));
    }
    if both && random.below(3) > 0 {
        let _ = writeln!(text, "  theorem winning both for k = {}, l = {}", int(random, 1), int(random, 1));
    }
    if random.below(12) == 0 {
        text += "  theorem remoteness = a + b\n";
    }
    text += "}\ninput a: nat = 3\ninput b: nat\n";
    let asked = random.one(&["G[2](a, b)", "G[2](a, b)", "G[3](b, a + 1)", "G[1](a + b, min(a, b))", "G[2](7, b)"]);
    text + &format!("solve {asked}\n")
}

/// Cases, most of them of one kind and some of others.
fn cases(random: &mut Random) -> Vec<(String, String)> {
    const FAR: u64 = 1_000_000_000_000_000_000;
    let usual = random.below(4) > 0;
    let case = |_| {
        let odd = random.below(if usual { 40 } else { 5 }) == 0;
        let mut heap = || if odd { random.below(9) } else { FAR + random.below(1 << 30) - random.below(1 << 30) };
        let (a, b) = (heap().to_string(), heap().to_string());
        match random.below(200) {
            0 => (String::from("-4"), b),
            1 => (a, String::from("9223372036854775807")),
            2 => (a, String::from("92233720368547758070")),
            3 => (a, String::from("1.5")),
            4 => (a, String::from("[1]")),
            _ => (a, b),
        }
    };
    (0..150).map(case).collect()
}

fn folder(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("grundy-together-{}-{test}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// The answers, without their positions looked at and their times.
fn answers(folder: &Path, cases: &str, more: &[&str]) -> Vec<Json> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
    command.args(["solve", "g.game", "--quiet", "--cases", cases]).args(more).current_dir(folder);
    let output = command.output().expect("the program ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let line = |line: &str| {
        let mut answer: Json = serde_json::from_str(line).expect("JSON");
        // The lines of the files differ.
        let error = answer.get_mut("error").and_then(Json::as_object_mut);
        error.and_then(|error| error.remove("note"));
        // What is remembered of earlier cases is not looked at again.
        answer.as_object_mut().and_then(|answer| answer.remove("positions"));
        answer.as_object_mut().and_then(|answer| answer.remove("seconds"));
        answer
    };
    text.lines().map(line).collect()
}

#[test]
fn many_are_answered_as_one() {
    let folder = folder("random");
    for seed in 0..60 {
        let mut random = Random(seed);
        let text = game(&mut random);
        std::fs::write(folder.join("g.game"), &text).expect("a file");
        let cases = cases(&mut random);
        let joined = |before: &str, between: &str, after: &str| {
            let case = |(a, b): &(String, String)| format!("{before}{{\"a\": {a},{between}\"b\": {b}}}");
            cases.iter().map(case).collect::<Vec<_>>().join(after)
        };
        let moves = ["0", "1", "2", "60"][usize::try_from(seed % 4).expect("small")];
        let write = |name: &str, text: String| std::fs::write(folder.join(name), text).expect("a file");
        write("lines.jsonl", joined("", " ", "\n") + "\n");
        write("array.json", format!("[{}]", joined("\n  ", "", ",")));
        // A case on two lines is read by itself.
        write("alone.jsonl", joined("", "\n", "\n") + "\n");
        let more = ["--moves", moves];
        let alone = answers(&folder, "alone.jsonl", &more);
        for together in ["lines.jsonl", "array.json"] {
            let together = answers(&folder, together, &more);
            assert_eq!(together.len(), cases.len(), "seed {seed}\n{text}");
            for (together, alone) in together.iter().zip(&alone) {
                assert_eq!(together.to_string(), alone.to_string(), "seed {seed}\n{text}");
            }
        }
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn inputs_of_the_command_line_and_lines_of_errors() {
    let folder = folder("inputs");
    let game = "game G(a, b) {\n  move left k in 1..a -> G(a - k, b)\n  move right k in 1..b -> G(a, b - k)\n  \
                theorem loses iff a == b\n  theorem winning left for k = a - b\n  theorem winning right for k = b - a\n}\n\
                input a: nat\ninput b: nat\nsolve G(a, b)\n";
    std::fs::write(folder.join("g.game"), game).expect("a file");
    let far = 1_000_000_000_000_u64;
    let mut lines: Vec<String> = (0..400).map(|n| format!("{{\"a\": {}}}", far + n)).collect();
    lines[250] = "{\"a\": -1}".to_string();
    std::fs::write(folder.join("lines.jsonl"), lines.join("\n") + "\n").expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
    let args = ["solve", "g.game", "--quiet", "--cases", "lines.jsonl", "b=1000000000100"];
    let output = command.args(args).current_dir(&folder).output().expect("the program ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let answers: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(answers.len(), 400);
    for (n, answer) in (0_i64..).zip(&answers) {
        assert_eq!(answer["case"], n);
        if n == 250 {
            let note = answer["error"]["note"].as_str().expect("a note");
            assert!(note.contains("line 251"), "{note}");
            continue;
        }
        assert_eq!(answer["outcome"], if n == 100 { "second" } else { "first" });
        assert_eq!(answer["winning_move_count"], i64::from(n != 100));
        if n != 100 {
            let mv = &answer["winning_moves"][0];
            assert_eq!(mv["name"], if n < 100 { "right" } else { "left" });
            assert_eq!(mv["binders"]["k"], (n - 100).abs());
            let least = 1_000_000_000_000 + n.min(100);
            assert_eq!(mv["to"], format!("G({least}, {least})"));
        }
    }
    let _ = std::fs::remove_dir_all(folder);
}

/// A range that ends before it begins is no long loop, for values as little as for words: subtracting 1 or 2 from 5 has the Grundy
/// value 5 mod 3.
#[test]
fn empty_ranges_do_not_end_a_search() {
    let folder = folder("empty");
    for other in ["7", "100000000000000000000"] {
        let game = format!(
            "game G(n, other) {{\n  move far k in 1..n - 10000000000 -> G(n - k, other)\n  \
             move near k in 1..min(n, 2) -> G(n - k, other)\n  theorem loses iff n mod 3 == 0\n}}\nsolve G(5, {other})\n"
        );
        std::fs::write(folder.join("g.game"), game).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
        let output = command.args(["solve", "g.game", "--json"]).current_dir(&folder).output().expect("it ends");
        let answer: Json = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!((&answer["grundy"], &answer["winning_move_count"]), (&2.into(), &1.into()), "{answer}");
    }
    let _ = std::fs::remove_dir_all(folder);
}
