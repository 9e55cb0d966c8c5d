//! Rules that ask about other games, in native code: against the definition, and in every form of the engine.

use crate::naive::engine::{FORMS, answers, program, said};
use crate::program::stdout;
use crate::rng::Rng;
use crate::rounds;
use serde_json::Value;
use std::fmt::Write as _;

/// More positions than the table of answers has entries: entries are taken by later ints.
#[test]
fn more_questions_than_entries() {
    const STONES: usize = 400_000;
    let text = format!(
        "game Inner(n) {{ move take k in 1..3 where k <= n -> Inner(n - k) }}\n\
         game Outer(a) {{\n  move few k in 1..2 where k <= a, grundy(Inner(a - k)) != k -> Outer(a - k)\n  \
         move far k in {{5, 7}} where k <= a and wins(Inner(a div 2)) -> Outer(a - k)\n}}\nsolve Outer({STONES})\n"
    )
    .replace("where k <= a, grundy", "where k <= a and grundy");
    // A heap of which 1 to 3 are taken is worth its rest by 4.
    let mut values: Vec<u32> = Vec::new();
    for a in 0..=STONES {
        let few = (1..=2).filter(|&k| k <= a && (a - k) % 4 != k);
        let far = [5, 7].into_iter().filter(|&k| k <= a && a / 2 % 4 != 0);
        let options: Vec<u32> = few.chain(far).map(|k| values[a - k]).collect();
        values.push((0..=9).find(|value| !options.contains(value)).expect("some number is missing"));
    }
    for a in [STONES, STONES - 1, STONES - 2, 300_001] {
        let told = stdout(&text.replace(&format!("Outer({STONES})"), &format!("Outer({a})")), &["solve", "--json"]);
        let answer: Value = serde_json::from_str(&told).expect("JSON");
        assert_eq!(answer["grundy"], values[a], "{a} {told}");
    }
}

/// A position that has a name and is asked about twice.
#[test]
fn two_questions_about_one_position() {
    let text = "game Inner(n) { move take k in 1..3 where k <= n -> Inner(n - k) }\n\
                game Outer(a, b) {\n  move left k in 1..min(a, 8), p = Inner(a - k) where wins(p) and grundy(p) < 3 -> Outer(a - k, b)\n  \
                move right k in 1..min(b, 2) -> Outer(a, b - k)\n}\nsolve Outer(200, 91)\n";
    let mut left: Vec<u32> = Vec::new();
    for a in 0..=200_usize {
        let options: Vec<u32> =
            (1..=a.min(8)).filter(|k| [1, 2].contains(&((a - k) % 4))).map(|k| left[a - k]).collect();
        left.push((0..=9).find(|value| !options.contains(value)).expect("some number is missing"));
    }
    // From the heap on the right one or two are taken.
    let told = stdout(text, &["solve", "--json", "--exhaustive"]);
    let answer: Value = serde_json::from_str(&told).expect("JSON");
    assert_eq!(answer["grundy"], left[200] ^ (91 % 3), "{told}");
}

/// Answers are copied from a table in lines: of either field, of fields that go up, of both fields by one int.
#[test]
fn questions_by_lines() {
    type Asked = fn(usize, usize) -> (usize, usize);
    const MOST: usize = 330;
    let inner =
        |a: usize, b: usize, wins: &Vec<Vec<bool>>| (1..=a.min(3)).any(|k| !wins[a - k][b]) || b > 0 && !wins[a][b - 1];
    let mut wins: Vec<Vec<bool>> = Vec::new();
    for a in 0..=MOST {
        wins.push(Vec::new());
        for b in 0..=MOST {
            let win = inner(a, b, &wins);
            wins[a].push(win);
        }
    }
    let down = "game I(n, m) { move a k in 1..min(n, 3) -> I(n - k, m)\n  move b where m > 0 -> I(n, m - 1) }";
    let up =
        "game I(n, m) { move a k in 1..3 where n + k <= 330 -> I(n + k, m)\n  move b where m < 330 -> I(n, m + 1) }";
    let asked: [(&str, &str, &str, Asked); 4] = [
        ("A, B", "330 - A, 330 - B", "a, b", |a, b| (a, b)),
        ("B, A", "330 - B, 330 - A", "b, a", |a, b| (b, a)),
        ("A, A", "330 - A, 330 - A", "a, a", |a, _| (a, a)),
        ("7, B", "323, 330 - B", "7, b", |_, b| (7, b)),
    ];
    for (first, second, name, of) in asked {
        let mut values = vec![vec![0u32; MOST + 1]; MOST + 1];
        let wins = |a: usize, b: usize| wins[of(a, b).0][of(a, b).1];
        for a in 0..=MOST {
            for b in 0..=MOST {
                let left = (1..=a.min(8)).filter(|&k| !wins(a - k, b)).map(|k| values[a - k][b]);
                let right = (1..=b.min(8)).filter(|&k| wins(a, b - k)).map(|k| values[a][b - k]);
                let options: Vec<u32> = left.chain(right).collect();
                values[a][b] = (0..=16).find(|value| !options.contains(value)).expect("some number is missing");
            }
        }
        for (rules, position) in [(down, first), (up, second)] {
            let question = |a: &str, b: &str| position.replace('A', a).replace('B', b);
            let text = format!(
                "{rules}\ngame O(a, b) {{\n  move left k in 1..min(a, 8) where loses(I({})) -> O(a - k, b)\n  \
                 move right k in 1..min(b, 8) where wins(I({})) -> O(a, b - k)\n}}\nsolve O({MOST}, {})\n",
                question("(a - k)", "b"),
                question("a", "(b - k)"),
                MOST - 1
            );
            for threads in ["1", "2"] {
                let told = stdout(&text, &["solve", "--json", "--threads", threads]);
                let answer: Value = serde_json::from_str(&told).expect("JSON");
                assert_eq!(answer["grundy"], values[MOST][MOST - 1], "{name} {threads} {told}\n{text}");
            }
        }
    }
}

#[test]
fn random_questions_are_answered_alike_in_every_form() {
    let mut rng = Rng::new(5);
    for _ in 0..rounds(30, 1000) {
        let inner = [
            "game I(n, m) { move a k in 1..2 where k <= n -> I(n - k, m)\n  move b where m > 0 -> I(n, m - 1) }",
            // Loopy for the first, infinite for some of them.
            "game I(n, m) { move a where n mod 4 == 0 -> I(n + 1, m)\n  move b where n mod 4 == 1 -> I(n - 1, m)\n  \
             move c where n mod 4 in {1, 3} -> I(n div 4 * 4 + 2, m)\n  move d where n mod 4 == 3 -> I(n, m) }",
            "game I(n, m) { move a k in 1..3 where k <= n -> I(n - k, m) + I(m div 2, 0) }",
            "game I(n: int, m: int) where m >= -9 { move a where m > -3 -> I(n, m - 1)\n  move b where n > 1 -> I(n - 2, m) }",
        ];
        let asked = [
            "I(a, b)",
            "I(a - k, b)",
            "I(b, a mod 5)",
            "I(7, a)",
            "I(a, a)",
            "I(3, a - b + 252)",
            "I(a, b) + I(b, k)",
            "I(a * 40, b)",
        ];
        let inner = *rng.pick(&inner);
        let asked = if inner.contains("-9") { &asked[..6] } else { &asked[..] };
        let question = |rng: &mut Rng| {
            let position = rng.pick(asked);
            let number = ["k", "k - 1", "b mod 3", "0", "a - 2", "-1"];
            match rng.below(8) {
                7 => format!("k in [i for i in [k], p = {position} where wins(p) and grundy(p) < 3]"),
                5 => format!("draws({position})"),
                6 => format!("outcome({position}) in [\"draw\", \"second\"]"),
                0 => format!("wins({position})"),
                1 => format!("not loses({position})"),
                2 => format!("grundy({position}) == {}", rng.pick(&number)),
                3 => format!("grundy({position}) != {}", rng.pick(&number)),
                _ => format!("deep(a + k) mod 3 == {}", rng.pick(&number)),
            }
        };
        let (first, second) = (question(&mut rng), question(&mut rng));
        let mut text = format!("{inner}\ndef deep(n: nat): nat = if n < 2 then n else deep(n - 1) + deep(n div 2)\n");
        let _ = write!(
            text,
            "game O(a, b) {{\n  move left k in 1..min(a, 3) where {first} -> O(a - k, b)\n  \
             move right k in 1..min(b, 2) where {second} -> O(a, b - k)\n}}\nsolve O({}, {})\n",
            rng.range(3, 9),
            rng.range(2, 7)
        );
        let program = program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut told: Option<String> = None;
        for form in FORMS {
            for answer in answers(&program, form) {
                let said = said(&answer.map_err(|(code, _)| code), true);
                assert_eq!(told.get_or_insert_with(|| said.clone()), &said, "{form:?}\n{text}");
            }
        }
    }
}
