//! Games without a closed form in their file: what `grundy guess` finds of them, how much of it is proved, and that `grundy check` agrees.
//!
//! The closed forms are those of the literature, or nothing is known of the game. Sources: Winning Ways for most; "Game values of arithmetic
//! functions" (Iannucci and Larsson 2021) for divisors and primes; A025480; Nivasch 2006 for Euclid's game.

use crate::{checked, rounds};
use grundy::answer::Finding;
use serde_json::Value as Json;
use std::fs;
use std::process::Command;

/// What is asked, what is behind the question in the claim that is found, if one is, and whether it is proved.
const QUESTIONS: [(&str, &str, bool); 45] = [
    ("grundy(Nim(n)) for n in nat", "== n", true),
    ("grundy(Bash[m](n)) for m in 1..6, n in 0..40", "== n mod (m + 1)", true),
    ("loses(Last[m](n)) for m in 1..6, n in 0..40", "iff n == 1 or n mod (m + 1) == 1", true),
    ("grundy(Lasker(n)) for n in 0..100", "== (if n == 0 then 0 else n + [-1, 0, 0, 1][n mod 4])", true),
    ("grundy(Kayles(n)) for n in 0..300", "", true),
    ("grundy(Dawson(n)) for n in 0..300", "", true),
    ("grundy(Mock(n)) for n in 0..40", "== 2 * n + (sum(digits(n, 2)) + 1) mod 2", true),
    ("grundy(Ruler(n)) for n in 1..60", "== 2 ** valuation(n, 2)", false),
    ("loses(Wythoff(a, b)) for a, b in 0..30", "iff min(a, b) == floor(abs(a - b) * (1 + sqrt(5)) / 2)", true),
    ("loses(Fib(n)) for n in 1..60", "iff size(zeckendorf(n)) == 1", true),
    ("grundy(Half(n)) for n in 0..60", "== ((n + 1) div 2 ** valuation(n + 1, 2) - 1) div 2", false),
    ("grundy(More(n)) for n in 0..60", "== bits(n)", false),
    ("grundy(Aliquot(n)) for n in 1..60", "== valuation(n, 2)", false),
    ("grundy(Dim(n)) for n in 0..60", "== valuation(n + 1, 2)", false),
    (
        "grundy(Coprime(n)) for n in 1..60",
        "== (if n mod 2 == 0 then 0 else if n == 1 then 1 else size(primes(first(prime_factors(n)))))",
        false,
    ),
    ("grundy(Corners(a, b)) for a, b in 0..12", "== nim_product(a, b)", false),
    ("grundy(Euclid(a, b)) for a, b in 1..25", "== abs(a * a - b * b) div (a * b)", false),
    (
        "grundy(Pair[m](n)) for m in 1..12, n in 0..40",
        "== (if n mod (m + 1) == m then [2, 1][m mod 2] else n mod (m + 1) mod 2)",
        true,
    ),
    ("grundy(Powers(n)) for n in 0..60", "== n mod 3", true),
    ("grundy(Primes(n)) for n in 0..60", "", false),
    ("loses(Bar(a, b)) for a in 0..20, b in 0..a", "iff a == 0", true),
    (
        "grundy(King(a, b)) for a, b in 0..15",
        "== (if (a + b) mod 2 == 0 then 2 * (a mod 2) else [1, 3][min(a, b) mod 2])",
        true,
    ),
    ("grundy(Rook(a, b)) for a, b in 0..15", "== a xor b", true),
    ("grundy(Bishop(a, b)) for a, b in 0..15", "== min(a, b)", true),
    ("grundy(Knight(a, b)) for a, b in 0..20", "", false),
    ("grundy(Stairs(a, b, c)) for a, b, c in 0..6", "== a xor c", true),
    (
        "loses(Moore[2]([a, b, c])) for a, b, c in 0..5",
        "iff all(count(bit(x, i) for x in [a, b, c]) mod 3 == 0 for i in 0..bits(max(a, b, c)))",
        true,
    ),
    ("grundy(Pass(n, true)) for n in 0..40", "== (if n == 0 then 0 else n + [-1, 1][n mod 2])", true),
    ("loses(Same(a, b)) for a, b in 0..15", "iff b == a + [0, 1, -1][a mod 3]", true),
    ("grundy(Odd(n)) for n in 0..60", "== n mod 2", true),
    ("grundy(Even(n)) for n in 0..60", "== (n + 1) div 2", true),
    ("grundy(Third(n)) for n in 0..60", "== n mod 3", true),
    ("grundy(Split(n)) for n in 0..60", "== (if n == 0 then 0 else (n + 1) mod 2)", true),
    ("grundy(Grow(n)) for n in 0..100", "", false),
    ("grundy(Merge(a, b)) for a, b in 0..12", "== a", true),
    ("grundy(Silver(a, b)) for a in 0..15, b in a + 1..20", "== abs(a - b) - 1", true),
    ("grundy(Turtles(n)) for n in 0..40", "== n + 1", true),
    ("grundy(Twins(n)) for n in 0..40", "== n", true),
    ("grundy(Factor(n)) for n in 1..100", "== size(prime_factors(n))", false),
    ("grundy(Prime(n)) for n in 1..100", "== size(prime_factors(n)) mod 2", false),
    ("loses(Even2(a, b)) for a, b in 0..20", "iff min(a, b) == 2 * (abs(a - b) mod 2)", true),
    ("grundy(Digits(n)) for n in 0..60", "== sum(digits(n, 2)) mod 2", true),
    ("grundy(Log(n)) for n in 0..60", "== (if n == 0 then 0 else bits(n) - 1)", false),
    ("grundy(Token(a, b)) for a, b in 0..12", "== a - a mod 2 + b mod 2", true),
    ("grundy(Fenced(n)) for n in 0..50", "== n mod 4", true),
];

/// So many of them are found, and so many proved; of the others nothing is known.
const FOUND: usize = 42;
const PROVED: usize = 31;

#[test]
fn closed_forms_are_found_where_the_file_has_none() {
    let games = fs::read_to_string("tests/data/forty.game").expect("the games");
    let folder = std::env::temp_dir().join(format!("grundy-forty-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the test");
    let (mut found, mut proved, mut lines) = (0, 0, String::new());
    for (query, form, is_proved) in QUESTIONS.into_iter().skip(rounds(1, 0)).step_by(rounds(14, 1)) {
        let output = Command::new(env!("CARGO_BIN_EXE_grundy"))
            .args(["guess", "tests/data/forty.game", query, "--json", "--time", "120s"])
            .output()
            .expect("the program starts");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        let told: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let holds = |line: &&Json| line["verdict"] == "PROVED" || line["verdict"] == "VERIFIED";
        let Some(best) = told.iter().find(holds) else {
            assert!(form.is_empty() && !is_proved, "{query}: nothing");
            continue;
        };
        found += 1;
        proved += usize::from(best["verdict"] == "PROVED");
        assert!(best["verdict"] == "PROVED" || !is_proved, "{query}: {best}");
        let claim = best["claim"].as_str().expect("a claim");
        assert!(claim.ends_with(form), "{query}: {claim}, not {form}");
        for lemma in best["lemmas"].as_array().into_iter().flatten() {
            lines += lemma.as_str().expect("a line");
            lines.push('\n');
        }
        lines += claim;
        lines.push('\n');
    }
    assert!(found >= rounds(2, FOUND) && proved >= rounds(2, PROVED), "{found} found, {proved} proved");
    // Lemmas of several questions may have one title.
    let file = folder.join("found.game");
    fs::write(&file, games + &lines).expect("a file for the test");
    let found = checked::file(&file, 200);
    let wrong: Vec<&Finding> = found.iter().filter(|finding| !finding.success()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let _ = fs::remove_dir_all(&folder);
}
