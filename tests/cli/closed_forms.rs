//! Closed forms far beyond any search, against arithmetic done here.

use crate::rng::Rng;
use num_bigint::BigUint;
use std::process::Command;

/// The first answer of a library file with these inputs.
fn solve(file: &str, inputs: &[String]) -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(["solve", "--json", "--time", "600s", "--moves", "3"])
        .arg(format!("games/{file}.game"))
        .args(inputs)
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    serde_json::from_str(text.lines().next().expect("an answer")).expect("JSON")
}

fn number(value: &serde_json::Value) -> BigUint {
    value.to_string().trim_matches('"').parse().expect("a number")
}

fn random(rng: &mut Rng, bits: usize) -> BigUint {
    (0..bits).fold(BigUint::from(0u8), |n, _| n * 2u8 + u8::from(rng.chance(50)))
}

/// Bouton: a move wins when it leaves the sum 0, so a heap has one winning move if its sum with the total is smaller.
#[test]
fn nim_of_any_size() {
    let mut rng = Rng::new(7);
    for _ in 0..60 {
        let bits = 2 + rng.below(120);
        let mut heaps: Vec<BigUint> = (0..=rng.below(6)).map(|_| random(&mut rng, bits)).collect();
        if rng.chance(30) {
            let total = heaps.iter().fold(BigUint::from(0u8), |sum, heap| sum ^ heap);
            heaps.push(total);
        }
        let total = heaps.iter().fold(BigUint::from(0u8), |sum, heap| sum ^ heap);
        let texts: Vec<String> = heaps.iter().map(BigUint::to_string).collect();
        let answer = solve("nim", &[format!("heaps=[{}]", texts.join(","))]);
        assert_eq!(number(&answer["grundy"]), total, "{texts:?}");
        let winning = heaps.iter().filter(|&heap| (heap ^ &total) < *heap).count();
        assert_eq!(answer["winning_move_count"], winning, "{texts:?}");
        assert_eq!(answer["outcome"], if winning > 0 { "first" } else { "second" });
        for mv in answer["winning_moves"].as_array().expect("moves") {
            let heap = &heaps[usize::try_from(mv["component"].as_u64().expect("a sum")).expect("small")];
            assert_eq!(heap - number(&mv["binders"]["k"]), heap ^ &total, "{texts:?}");
        }
    }
}

/// The lower member of the losing pair of this difference: `floor(d * phi)` by an integer square root.
fn lower(d: &BigUint) -> BigUint {
    (d + (BigUint::from(5u8) * d * d).sqrt()) / 2u8
}

/// Wythoff 1907: of two heaps the losing ones are `floor(d * phi)` and that and `d`.
#[test]
fn wythoff_of_any_size() {
    let mut rng = Rng::new(8);
    let is_lost = |a: &BigUint, b: &BigUint| {
        let (less, more) = if a < b { (a, b) } else { (b, a) };
        lower(&(more - less)) == *less
    };
    for turn in 0..40 {
        let d = random(&mut rng, 3 + turn * 8);
        let (mut a, mut b) = (lower(&d), lower(&d) + &d);
        if turn % 3 > 0 {
            (a, b) = (b, a + random(&mut rng, 2 + turn * 7));
        }
        let answer = solve("wythoff", &[format!("a={a}"), format!("b={b}")]);
        let lost = is_lost(&a, &b);
        assert_eq!(answer["outcome"], if lost { "second" } else { "first" }, "{a} {b}");
        let moves = answer["winning_moves"].as_array().expect("moves");
        assert_eq!(moves.is_empty(), lost, "{a} {b}");
        for mv in moves {
            let k = number(&mv["binders"]["k"]);
            let (mut x, mut y) = (a.clone(), b.clone());
            if mv["name"] != "right" {
                x -= &k;
            }
            if mv["name"] != "left" {
                y -= &k;
            }
            assert!(is_lost(&x, &y), "{a} {b}: {mv}");
        }
    }
}

/// What no theorem tells is left out, and nothing is said of it; a win is one because every play ends.
#[test]
fn what_is_not_known_is_left_out() {
    let text = "game G(a, b) {\n  move x k in 1..a -> G(a - k, b)\n  move y k in 1..b -> G(a, b - k)\n  theorem loses iff a == b\n}\n\
                solve G(10 ** 30, 10 ** 31)\nsolve G(10 ** 30, 10 ** 30)\n";
    let output = crate::program::stdout(text, &["solve", "--json", "--time", "600s"]);
    let answers: Vec<serde_json::Value> = output.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(
        (&answers[0]["outcome"], &answers[0]["winning_move_count"]),
        (&"first".into(), &serde_json::Value::Null)
    );
    assert_eq!((&answers[1]["outcome"], &answers[1]["winning_move_count"]), (&"second".into(), &0.into()));
}

/// All answers of a library file to these cases.
fn answers(file: &str, cases: &[String], flags: &[&str]) -> Vec<serde_json::Value> {
    let path = std::env::temp_dir().join(format!("grundy-cases-{file}-{}.jsonl", std::process::id()));
    std::fs::write(&path, cases.join("\n")).expect("a file for the test");
    let output = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(["solve", "--json"])
        .arg(format!("games/{file}.game"))
        .arg("--cases")
        .arg(&path)
        .args(flags)
        .output()
        .expect("the program runs");
    let _ = std::fs::remove_file(&path);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Small positions by theorems alone, since nothing may be searched, and by search alone: who wins, and all winning moves.
#[test]
fn theorems_alone_and_search_alone_agree() {
    let mut rng = Rng::new(9);
    let mut list = |most: usize, below: i64, from: i64, ascending: bool| {
        let mut items: Vec<i64> = (0..=rng.below(most)).map(|_| rng.range(from, below - 1)).collect();
        if ascending {
            items.sort_unstable();
            items.dedup();
        }
        format!("{items:?}")
    };
    let mut cases: Vec<(&str, Vec<String>)> = Vec::new();
    for (file, input, most, below) in [
        ("nim", "heaps", 4, 9),
        ("nim_misere", "heaps", 4, 6),
        ("nim_staircase", "steps", 4, 5),
        ("lasker", "heaps", 3, 9),
    ] {
        cases.push((file, (0..40).map(|_| format!("{{\"{input}\":{}}}", list(most, below, 0, false))).collect()));
    }
    for (file, input) in [("georgia_bob", "positions"), ("climbing_hill_plain", "distances")] {
        cases.push((file, (0..40).map(|_| format!("{{\"{input}\":{}}}", list(4, 9, 1, true))).collect()));
    }
    cases.push(("fibonacci", (2..40).map(|n| format!("{{\"n\":{n}}}")).collect()));
    cases.push(("wythoff", (0..64).map(|i| format!("{{\"a\":{},\"b\":{}}}", i / 8, i % 8 * 2)).collect()));
    let mut flips = Vec::new();
    for _ in 0..60 {
        let n = 1 + rng.below(5);
        let edges: Vec<String> = (0..rng.below(8)).map(|_| format!("[{},{}]", rng.below(n), rng.below(n))).collect();
        let colors: Vec<usize> = (0..n).map(|_| rng.below(2)).collect();
        flips.push(format!("{{\"n\":{n},\"edges\":[{}],\"colors\":{colors:?}}}", edges.join(",")));
    }
    cases.push(("flip", flips));
    for (file, cases) in cases {
        let stated = answers(file, &cases, &["--max-positions", "1", "--moves", "1000"]);
        let counted = answers(file, &cases, &["--max-positions", "1", "--moves", "0"]);
        let searched = answers(file, &cases, &["--exhaustive", "--moves", "1000"]);
        let by_theorem = stated.iter().filter(|answer| answer["method"] == "theorem").count();
        assert!(by_theorem * 2 > cases.len(), "{file}: {by_theorem} of {}", cases.len());
        assert_eq!((stated.len(), counted.len(), searched.len()), (cases.len(), cases.len(), cases.len()), "{file}");
        for (((case, a), b), c) in cases.iter().zip(&stated).zip(&searched).zip(&counted) {
            for key in ["outcome", "winning_move_count", "drawing_move_count"] {
                assert_eq!(a[key], b[key], "{file} {case}: {key}");
                assert_eq!(c[key], b[key], "{file} {case}: {key}, none listed");
            }
            for key in ["winning_moves", "drawing_moves"] {
                let moves = |answer: &serde_json::Value| {
                    let all = answer[key].as_array().cloned().unwrap_or_default();
                    let mut all: Vec<String> = all.iter().map(ToString::to_string).collect();
                    all.sort_unstable();
                    all
                };
                assert_eq!(moves(a), moves(b), "{file} {case}: {key}");
            }
        }
    }
}

/// Lines that state more than there is: only moves that the rules have are counted, whether they are listed or not.
#[test]
fn stated_moves_that_do_not_exist_are_no_moves() {
    let lost = |n: u64| n < 2 || n % 4 == 3;
    let text = "game G(n) {\n  move take k in 1..3, h = n div 2, where k <= h -> G(n - k)\n  def lost(m) = m in 0..1 or m >= 0 and m mod 4 == 3\n  \
                theorem loses iff lost(n)\n  theorem winning take for k in 0..9, where lost(n - k)\n}\n";
    let lines: Vec<String> = (0..60).map(|n| format!("solve G({n})")).collect();
    let text = text.to_string() + &lines.join("\n");
    for most in ["0", "1", "9"] {
        let output = crate::program::stdout(&text, &["solve", "--json", "--max-positions", "1", "--moves", most]);
        for (n, line) in (0u64..).zip(output.lines()) {
            let answer: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(answer["outcome"], if lost(n) { "second" } else { "first" }, "{n}");
            let winning = (1..=3.min(n / 2)).filter(|k| lost(n - k)).count();
            assert_eq!(answer["winning_move_count"], winning, "{n}, {most} listed");
        }
        assert_eq!(output.lines().count(), 60);
    }
}

/// On a tree the token never comes back: a vertex loses when all that lie behind it win.
#[test]
fn edge_geography_on_trees() {
    let mut rng = Rng::new(19);
    for round in 0..12 {
        let n = 600 + 100 * round;
        let edges: Vec<(usize, usize)> = (1..n).map(|v| (v - 1 - rng.below(v.min(1 + round)), v)).collect();
        let start = rng.below(n);
        let mut near: Vec<Vec<usize>> = vec![Vec::new(); n];
        for &(u, v) in &edges {
            near[u].push(v);
            near[v].push(u);
        }
        // Every vertex behind the one it is reached from.
        let mut order = vec![(start, start)];
        let mut at = 0;
        while let Some(&(v, from)) = order.get(at) {
            order.extend(near[v].iter().filter(|w| **w != from).map(|w| (*w, v)));
            at += 1;
        }
        let mut wins = vec![false; n];
        for &(v, from) in order.iter().rev() {
            wins[v] = near[v].iter().any(|w| *w != from && !wins[*w]);
        }
        let texts: Vec<String> = edges.iter().map(|(u, v)| format!("[{u},{v}]")).collect();
        let inputs = [format!("edges=[{}]", texts.join(",")), format!("start={start}")];
        let answer = solve("edge_geography", &inputs);
        assert_eq!(answer["outcome"], if wins[start] { "first" } else { "second" }, "{inputs:?}");
        assert_eq!(answer["winning_move_count"], near[start].iter().filter(|w| !wins[**w]).count(), "{inputs:?}");
    }
}
