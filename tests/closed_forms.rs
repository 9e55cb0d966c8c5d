//! Closed forms far beyond any search, against arithmetic done here.

mod naive;

use naive::Rng;
use num_bigint::BigUint;
use std::process::Command;

/// The first answer of a library file with these inputs.
fn solve(file: &str, inputs: &[String]) -> serde_json::Value {
    let output = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(["solve", "--json", "--time", "20s", "--moves", "3"])
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
    let path = std::env::temp_dir().join(format!("grundy-left-out-{}.game", std::process::id()));
    let text = "game G(a, b) {\n  move x k in 1..a -> G(a - k, b)\n  move y k in 1..b -> G(a, b - k)\n  theorem loses iff a == b\n}\n\
                solve G(10 ** 30, 10 ** 31)\nsolve G(10 ** 30, 10 ** 30)\n";
    std::fs::write(&path, text).expect("a file for the test");
    let output =
        Command::new(env!("CARGO_BIN_EXE_grundy")).args(["solve", "--json", "--time", "20s"]).arg(&path).output();
    let _ = std::fs::remove_file(&path);
    let output = String::from_utf8_lossy(&output.expect("the program runs").stdout).into_owned();
    let answers: Vec<serde_json::Value> = output.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(
        (&answers[0]["outcome"], &answers[0]["winning_move_count"]),
        (&"first".into(), &serde_json::Value::Null)
    );
    assert_eq!((&answers[1]["outcome"], &answers[1]["winning_move_count"]), (&"second".into(), &0.into()));
}
