//! Large states: what is answered without making each of its parts, against the same rules written so that each is made.

use crate::rng::Rng;
use serde_json::Value as Json;
use std::fmt::Write;
use std::process::Command;

/// The answers to the `solve` lines of a game with these cases, without their times.
fn answers(name: &str, game: &str, cases: &str, flags: &[&str]) -> Vec<Json> {
    let path = |end: &str| std::env::temp_dir().join(format!("grundy-large-{name}-{}.{end}", std::process::id()));
    std::fs::write(path("game"), game).expect("a file for the test");
    std::fs::write(path("jsonl"), cases).expect("a file for the test");
    let output = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .arg("solve")
        .arg(path("game"))
        .arg("--cases")
        .arg(path("jsonl"))
        .args(flags)
        .output()
        .expect("the program runs");
    for end in ["game", "jsonl"] {
        let _ = std::fs::remove_file(path(end));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!text.contains("\"error\""), "{name}: {}", &text[..text.len().min(600)]);
    let without_time = |line: &str| {
        let mut answer: Json = serde_json::from_str(line).expect("JSON");
        answer.as_object_mut().expect("an object").remove("seconds");
        answer
    };
    text.lines().map(without_time).collect()
}

/// Both answers, and how many moves they count.
fn same(name: &str, quick: &str, general: &str, cases: &str, flags: &[&str]) -> u64 {
    let (quick, general) = (answers(name, quick, cases, flags), answers(name, general, cases, flags));
    assert_eq!(quick.len(), general.len(), "{name}");
    for (case, (a, b)) in quick.iter().zip(&general).enumerate() {
        for (key, value) in a.as_object().expect("an object") {
            // Long texts are not printed.
            assert!(b[key] == *value, "{name}, case {case}: {key}");
        }
        assert_eq!(a.as_object().map(serde_json::Map::len), b.as_object().map(serde_json::Map::len), "{name}");
    }
    let count = |answer: &Json| {
        answer["winning_move_count"].as_u64().unwrap_or(0) + answer["drawing_move_count"].as_u64().unwrap_or(0)
    };
    quick.iter().map(count).sum()
}

const RULES: &str = "\
game Nim(n) {
  move take k in 1..n -> Nim(n - k)
  theorem grundy = n
  theorem moves to x take for k = n - x, where k > 0
}
game Bash[m](n) {
  move take k in 1..min(n, m) -> Bash(n - k)
  theorem grundy = n mod (m + 1)
  theorem moves to x take for k in [n mod (m + 1) - x, n mod (m + 1) - x + m + 1], where k > 0 and k <= n
}
game Loose(n) {
  move take k in 1..n where k mod 2 == 1 -> Loose(n - k)
  theorem grundy = n mod 2
  theorem moves to x take for k in {1, 2, n}, where k <= n and (n - k) mod 2 == x
}
input heaps: list of nat = [1]
";

/// More distinct heaps than a search is tried for: a row of ints, or a position for each.
#[test]
fn rows_of_components_are_the_sums_of_positions() {
    let mut rng = Rng::new(21);
    let mut cases = String::new();
    for size in [61_000, 70] {
        let mut heaps: Vec<i64> = (0..size).map(|n| n + i64::from(rng.chance(20))).collect();
        for _ in 0..500 {
            let (i, j) = (rng.below(heaps.len()), rng.below(heaps.len()));
            heaps.swap(i, j);
        }
        for lost in [false, true] {
            if lost {
                let total = heaps.iter().fold(0, |sum, heap| sum ^ heap);
                heaps.push(total);
            }
            writeln!(cases, "{{\"heaps\":{heaps:?}}}").expect("a string");
        }
    }
    for (name, one) in [("nim", "Nim(h)"), ("bash", "Bash[6](h)"), ("loose", "Loose(h)"), ("plus", "Nim(h + 1)")] {
        let quick = format!("{RULES}solve sum({one} for h in heaps)\n");
        let general = format!("{RULES}let all = [{one} for h in heaps]\nsolve sum(all)\n");
        assert!(same(&format!("row-{name}"), &quick, &general, &cases, &["--moves", "2"]) > 0, "{name}");
    }
}

/// What breaks a row off: another game, rule parameters that differ, a domain, ints that are too large, negative ones.
#[test]
fn rows_that_are_broken_off() {
    let more = "game Even(n) where n mod 2 == 0 {\n  move take k in 1..n where k mod 2 == 0 -> Even(n - k)\n}\n";
    let cases = format!("{{\"heaps\":{:?}}}\n{{\"heaps\":[]}}\n{{\"heaps\":[5]}}\n", (0..90).collect::<Vec<_>>());
    for one in ["Bash[h mod 3 + 1](h)", "Even(2 * h)", "Nim(if h == 80 then 2 ** 70 else h)", "Nim(h)"] {
        let quick = format!("{RULES}{more}solve sum({one} for h in heaps)\n");
        let general = format!("{RULES}{more}let all = [{one} for h in heaps]\nsolve sum(all)\n");
        same("broken", &quick, &general, &cases, &["--moves", "3"]);
    }
}

/// Moves that a theorem states by one set: counted at once, or each held against a condition that always holds.
#[test]
fn sets_of_stated_moves_are_counted_as_if_each_were_tried() {
    let mut rng = Rng::new(22);
    let graph = |rng: &mut Rng, n: usize, arcs: usize| -> Vec<[usize; 2]> {
        (0..arcs).map(|_| [rng.below(n), rng.below(n)]).collect()
    };
    let (mut flips, mut trees, mut grids) = (String::new(), String::new(), String::new());
    for round in 0..12 {
        let n = 70 + rng.below(200);
        let arcs = if round % 2 == 0 { n / 2 } else { 2 * n };
        let colors: Vec<usize> = (0..n).map(|_| if round % 3 == 0 { 1 } else { rng.below(2) }).collect();
        writeln!(flips, "{{\"n\":{n},\"edges\":{:?},\"colors\":{colors:?}}}", graph(&mut rng, n, arcs))
            .expect("a string");
        let mut edges: Vec<[usize; 2]> = (1..n).map(|v| [v - 1 - rng.below(v.min(3)), v]).collect();
        edges.extend(graph(&mut rng, n, round * 3));
        writeln!(trees, "{{\"edges\":{edges:?}}}").expect("a string");
        let blocked = [0, 5, 20, 40][round % 4];
        let mut row = || (0..17).map(|_| if rng.chance(blocked) { '#' } else { '.' }).collect::<String>();
        let rows: Vec<String> = (0..15).map(|_| row()).collect();
        writeln!(grids, "{{\"rows\":{rows:?}}}").expect("a string");
    }
    for (name, file, from, cases) in [
        ("flip", "flip", "flip v in g,", flips),
        ("hackenbush", "hackenbush", "cut e in edges", trees),
        ("geography", "geography_grid", "place c in g", grids),
    ] {
        let game = std::fs::read_to_string(format!("games/{file}.game")).expect("a game");
        let game = if name == "geography" {
            let other = std::fs::read_to_string("games/geography.game").expect("a game");
            game.replace("use \"geography\"", &other[..other.find("\ninput").unwrap_or(other.len())])
        } else {
            game
        };
        let binder = from.split(' ').nth(1).expect("a binder");
        let held = format!("{} where {binder} == {binder}", from.trim_end_matches(','));
        let held = if from.ends_with(',') { format!("{held},") } else { held };
        let general = game.replace(from, &held);
        assert_ne!(game, general, "{name}");
        for most in ["0", "3"] {
            assert!(same(name, &game, &general, &cases, &["--max-positions", "1", "--moves", most]) > 0, "{name}");
        }
    }
}

/// Comprehensions over many ints of a packed list against the same over a list that is put together first. Among them
/// are short circuits that hold an error off, and ints beyond 64 bits.
#[test]
fn columns_are_loops() {
    const TERMS: [&str; 14] = [
        "h",
        "h * 3 + 1",
        "(h xor 5) + (h & 12)",
        "if h mod 3 == 0 then h else 7",
        "min(h, 9, 100 - h div 4) + max(h, 2)",
        "abs(h - 40)",
        "h div 4 + h mod 5",
        "keys[h mod 5]",
        "1000 - h",
        "-(-h)",
        "h * 1152921504606846976",
        "if h > 50 then 4000 div (h - 50) else 0",
        "2 * (if h in 3..20 then 1 else 0)",
        "size(keys) + h",
    ];
    const CONDITIONS: [&str; 12] = [
        "true",
        "h mod 2 == 1",
        "3 <= h < 60 and not h == 7",
        "h in 5..40",
        "h not in 2..9 or h == 4",
        "h > 5 iff h < 50",
        "h > 90 implies h mod 2 == 0",
        "h > 50 and 100 div (h - 50) != 3",
        "keys[h mod 5] != 2",
        "k > 3 where k * k < 9000 with k = h div 2",
        "h * 9223372036854775807 > 40",
        "false",
    ];
    let mut rng = Rng::new(23);
    let mut cases = String::new();
    for size in [0, 3, 70, 1024, 2500] {
        let heaps: Vec<usize> = (0..size).map(|_| rng.below(100)).collect();
        writeln!(cases, "{{\"heaps\":{heaps:?}}}").expect("a string");
    }
    let rules = "game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n}\ninput heaps: list of nat\ninput keys: list of int = [3, 1, 4, 1, 2]\n";
    let mut lines = [String::new(), String::new()];
    for (i, term) in TERMS.iter().enumerate() {
        for (j, condition) in CONDITIONS.iter().enumerate() {
            let clauses = match condition.split_once(" with ") {
                Some((condition, name)) => {
                    let (first, second) = condition.split_once(" where ").expect("two conditions");
                    format!(", {name} where {first} and {second}")
                }
                None => format!(" where {condition}"),
            };
            for (line, heaps) in lines.iter_mut().zip(["heaps", "heaps + []"]) {
                let gathered = if (i + j) % 2 == 0 {
                    format!("sum([{term} for h in {heaps}{clauses}])")
                } else {
                    format!("sum({{{term} for h in {heaps}{clauses}}})")
                };
                writeln!(line, "solve Nim({gathered} mod 997)").expect("a string");
            }
        }
    }
    let [columns, loops] = lines.map(|lines| format!("{rules}{lines}"));
    same("columns", &columns, &loops, &cases, &["--max-positions", "2000000", "--moves", "0"]);
}
