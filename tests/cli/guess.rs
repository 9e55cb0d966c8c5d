//! `grundy guess`: closed forms that are there are found, those that are not are not, and what is found stands in `grundy check`.

use crate::{LONG, checked, rounds};
use grundy::answer::{Finding, Kind};
use proptest::prelude::*;
use serde_json::Value as Json;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

const GAMES: &str = "\
game Nim(n) {
  move take k in 1..n -> Nim(n - k)
  theorem grundy = n
}
game Bash[m](n) {
  move take k in 1..min(n, m) -> Bash(n - k)
}
misere game Last[m](n) {
  move take k in 1..min(n, m) -> Last(n - k)
}
game Lasker(n) {
  move take  k in 1..n       -> Lasker(n - k)
  move split a in 1..n div 2 -> Lasker(a) + Lasker(n - a)
}
game Turtles(n) {
  move one                -> 0 * Turtles(0)
  move two y in 0..n - 1  -> Turtles(y)
}
game Mock(n) {
  move one                            -> 0 * Mock(0)
  move two   y in 0..n - 1            -> Mock(y)
  move three y in 0..n - 1, z in 0..y - 1 -> Mock(y) + Mock(z)
}
game Ruler(n) {
  move turn k in 1..n -> sum(Ruler(i) for i in n - k + 1..n - 1)
}
game Staircase(steps: list of nat) {
  move down i in indices(steps), k in 1..steps[i] ->
    Staircase(if i == 0 then steps[0 -= k] else steps[i -= k, i - 1 += k])
}
game Moore[k](heaps: list of nat) {
  move take t in choices(0..h for h in heaps) where count(x > 0 for x in t) in 1..k ->
    Moore(heaps[i -= t[i] for i in indices(t)])
}
game Wythoff(a, b) {
  move left  k in 1..a -> Wythoff(a - k, b)
  move right k in 1..b -> Wythoff(a, b - k)
  move both  k in 1..min(a, b) -> Wythoff(a - k, b - k)
}
game Fibonacci(n, cap = n - 1) {
  move take k in 1..min(n, cap) -> Fibonacci(n - k, 2 * k)
}
game Euclid(lo, hi) where lo <= hi {
  move subtract where lo > 0, k in 1..hi div lo, r = hi - k * lo -> Euclid(min(r, lo), max(r, lo))
}
game Kayles(n) {
  move one i in 0..n - 1 -> Kayles(i) + Kayles(n - 1 - i)
  move two i in 0..n - 2 -> Kayles(i) + Kayles(n - 2 - i)
}
game Grundy(n) {
  move split a in 1..(n - 1) div 2 -> Grundy(a) + Grundy(n - a)
}
input m: nat = 3
";

/// A folder of its own with the games in it.
struct Place(PathBuf);

impl Place {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("grundy-guess-{}-{count}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for the test");
        fs::write(folder.join("games.game"), GAMES).expect("a file for the test");
        Place(folder)
    }

    fn run(&self, args: &[&str]) -> (Option<i32>, String, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_grundy"))
            .args(args)
            .current_dir(&self.0)
            .output()
            .expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    }

    /// The JSON lines of a guess.
    fn guess(&self, query: &str) -> Vec<Json> {
        let (code, out, err) = self.run(&["guess", "games.game", query, "--json", "--time", "120s"]);
        assert_eq!(code, Some(0), "{query}: {out}{err}");
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// The closed forms that are proposed: what stands behind the expression.
    fn forms(&self, query: &str) -> Vec<String> {
        let expr = query.rsplit_once(" for ").map_or(query, |(expr, _)| expr);
        let lines = self.guess(query);
        let verified = lines.iter().filter(|line| line["verdict"] == "VERIFIED" || line["verdict"] == "PROVED");
        // An automaton is no claim.
        let claims = verified.filter_map(|line| line["claim"].as_str().map(str::to_string));
        claims
            .map(|claim| {
                let (_, form) = claim.split_once(expr).expect("the expression");
                form.trim_start_matches(')').trim_start_matches(" == ").trim_start_matches(" iff ").to_string()
            })
            .collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // What is left of a failed test is in nobody's way.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn closed_forms_of_games_are_found() {
    let place = Place::new();
    let asked = std::cell::Cell::new(0);
    let found = |query: &str, form: &str| {
        asked.set(asked.get() + 1);
        if asked.get() % rounds(5, 1) > 0 {
            return;
        }
        let forms = place.forms(query);
        assert!(forms.iter().any(|other| other == form), "{query}: {forms:?}, not {form}");
    };
    found("grundy(Nim(n)) for n in nat", "n");
    found("grundy(Nim(a) + Nim(b)) for a, b in 0..15", "a xor b");
    found("grundy(Nim(a) + Nim(b) + Nim(c)) for a, b, c in 0..7", "a xor b xor c");
    found("loses(Nim(a) + Nim(b) + Nim(c)) for a, b, c in 0..7", "a xor b xor c == 0");
    found("grundy(Bash[3](n)) for n in 0..100", "n mod 4");
    found("grundy(Bash[k](n)) for k in 1..6, n in 0..40", "n mod (k + 1)");
    found("grundy(Bash[3](a) + Bash[4](b)) for a, b in 0..24", "a mod 4 xor b mod 5");
    found("grundy(Bash[2](a) + Turtles(b) + Nim(c)) for a, b, c in 0..9", "a mod 3 xor b + 1 xor c");
    found("2 ** n - 1 for n in 0..30", "2 ** n - 1");
    found("7 ** n for n in 0..30", "7 ** n");
    found("loses(Bash[3](n)) for n in 0..60", "n mod 4 == 0");
    found("loses(Last[3](n)) for n in 0..60", "n mod 4 == 1");
    found("outcome(Last[3](n)) for n in 0..60", "(if n mod 4 == 1 then \"second\" else \"first\")");
    found("grundy(Lasker(n)) for n in 0..100", "(if n == 0 then 0 else n + [-1, 0, 0, 1][n mod 4])");
    found("grundy(Turtles(n)) for n in 0..40", "n + 1");
    found("grundy(Mock(n)) for n in 0..40", "2 * n + (sum(digits(n, 2)) + 1) mod 2");
    found("grundy(Ruler(n)) for n in 1..60", "2 ** valuation(n, 2)");
    found("loses(Staircase([a, b, c])) for a, b, c in 0..5", "a == c");
    found("grundy(Staircase([a, b, c])) for a, b, c in 0..5", "a xor c");
    found(
        "loses(Moore[2]([a, b, c])) for a, b, c in 0..5",
        "all(count(bit(x, i) for x in [a, b, c]) mod 3 == 0 for i in 0..bits(max(a, b, c)))",
    );
    found("loses(Wythoff(a, b)) for a, b in 0..30", "min(a, b) == floor(abs(a - b) * (1 + sqrt(5)) / 2)");
    found("grundy(Wythoff(1, n)) for n in 0..60", "n + [1, 1, -2][n mod 3]");
    found("loses(Fibonacci(n)) for n in 1..60", "size(zeckendorf(n)) == 1");
    found("loses(Euclid(a, b)) for a in 1..30, b in a..60", "a != b and b < floor(a * (1 + sqrt(5)) / 2) + 1");
    found("loses(misere Nim(a) + Nim(b)) for a, b in 0..12", "(a == b iff max(a, b) >= 2)");
    found(
        "grundy(Kayles(n)) for n in 0..300",
        "(if n == 0 then 0 else if n in {3, 6, 18, 39} then 3 else if n in {9, 21, 57} then 4 else if n == 28 then 5 \
         else if n in {11, 22, 34, 70} then 6 else if n == 15 then 7 else [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7][n mod 12])",
    );
}

#[test]
fn nothing_is_found_where_nothing_is() {
    let place = Place::new();
    let mixed = "((n * n * 7919 + n * 104729) mod 65537 * 31 mod 257)";
    let random = |modulus: u32| format!("({mixed} * {mixed} + n div 3 * {mixed}) mod 263 mod {modulus} for n in 0..90");
    for query in [
        "grundy(Grundy(n)) for n in 0..150".to_string(),
        "octal(\"0.007\", n) for n in 0..300".into(),
        random(5),
        random(16),
        random(2),
        format!("{mixed} mod 2 == 0 for n in 0..60"),
    ] {
        let lines = place.guess(&query);
        assert_eq!(lines[0]["verdict"], "UNKNOWN", "{query}: {}", lines[0]);
        assert!(lines[0]["claim"].is_null() && lines[1..].iter().all(|line| line["verdict"] == "REFUTED"));
    }
    let (code, out, _) = place.run(&["guess", "games.game", "grundy(Grundy(n)) for n in 0..60"]);
    assert_eq!(
        (code, out.starts_with("# no closed form of 61 values found among constants,")),
        (Some(0), true),
        "{out}"
    );
}

#[test]
fn wrong_guesses_are_told_with_their_smallest_counterexample() {
    let place = Place::new();
    let lines = place.guess("if n < 90 then n mod 3 else 7 for n in 0..100");
    let refuted: Vec<&Json> = lines.iter().filter(|line| line["verdict"] == "REFUTED").collect();
    assert_eq!(refuted.len() + 1, lines.len(), "{lines:?}");
    let first = refuted[0];
    assert_eq!(first["counterexample"]["n"], 90, "{first}");
    assert_eq!((&first["claimed"], &first["found"]), (&Json::from("0"), &Json::from("7")));
    assert!(first["claim"].as_str().is_some_and(|claim| claim.ends_with("== n mod 3")), "{first}");
    // Only values beyond those asked for tell.
    let lines = place.guess("if n < 250 then n mod 3 else 7 for n in 0..100");
    assert_eq!(lines[1]["counterexample"]["n"], 250, "{lines:?}");
    // Refuted guesses are shorter than what is proposed.
    let lines = place.guess("loses(Wythoff(a, b)) for a, b in 0..30");
    assert!(lines.len() > 1 && lines[0]["verdict"] == "PROVED" && lines[1]["verdict"] == "REFUTED", "{lines:?}");
}

#[test]
fn proposals_stand_in_the_file_as_they_are() {
    let place = Place::new();
    let mut file = GAMES.to_string();
    let queries = [
        "grundy(Nim(n)) for n in nat",
        "grundy(Nim(a) + Nim(b)) for a in 0..12, b in 3..12",
        "grundy(Lasker(n)) for n in 0..100",
        "outcome(Last[2](n)) for n in 1..60",
        "outcome(Nim(n + 1)) for n in 0..60",
        "loses(Wythoff(a, b)) for a, b in 0..30",
        "loses(Fibonacci(n)) for n in 1..60",
        "loses(Euclid(a, b)) for a in 1..20, b in a..40",
        "wins(misere Nim(a) + Nim(b)) for a, b in 0..10",
        "grundy(Bash[3](n)) + 1 for n in 0..40 where n mod 2 == 0",
        "n div 2 == 3 or n == 1 for n in 0..40",
        "if n mod 2 == 0 then grundy(Nim(n)) else 0 for n in 0..40",
        "abs(n) for n in -5..40",
        "a - b for (a, b) in pairs(0..9)",
        "x xor i for x, i in 0..9",
        "grundy(Moore[2]([x, i, n])) == 0 for x, i, n in 0..3",
    ];
    // Each of the two takes five seconds and more; in the usual run a third of the others.
    let is_short = |query: &&str| LONG || !query.contains("Moore") && !query.contains("Fibonacci");
    for query in queries.into_iter().filter(is_short).step_by(rounds(3, 1)) {
        fs::write(place.0.join("all.game"), &file).expect("a file for the test");
        let (code, out, err) = place.run(&["guess", "all.game", query, "--time", "120s"]);
        assert_eq!(code, Some(0), "{query}: {err}");
        assert!(out.contains("\nclaim \"guessed: "), "{query}: {out}");
        file += &out;
    }
    fs::write(place.0.join("all.game"), &file).expect("a file for the test");
    let found = checked::file(&place.0.join("all.game"), 200);
    let claims = found.iter().filter(|finding| finding.kind == Kind::Claim);
    assert!(found.iter().all(Finding::success), "{found:#?}");
    assert_eq!(claims.count(), file.matches("\nclaim ").count());
}

#[test]
fn theorems_are_not_what_guesses_come_from() {
    let place = Place::new();
    let wrong = "game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n  theorem grundy = 7 * n\n}\n";
    fs::write(place.0.join("wrong.game"), wrong).expect("a file for the test");
    let (code, out, _) = place.run(&["guess", "wrong.game", "grundy(Nim(n)) for n in 0..40"]);
    assert_eq!(code, Some(0));
    assert!(out.ends_with("claim \"guessed: linear\" for n in nat: grundy(Nim(n)) == n\n"), "{out}");
}

#[test]
fn what_cannot_be_guessed_is_said() {
    let place = Place::new();
    let refused = |query: &str, code: i32, message: &str| {
        let (found, out, err) = place.run(&["guess", "games.game", query, "--max-positions", "2000"]);
        assert_eq!(found, Some(code), "{query}: {out}{err}");
        assert!(err.contains(message), "{query}: {err}");
    };
    refused("[n] for n in 0..40", 2, "formulas are guessed for numbers, truth values and outcomes only");
    refused("1 for y = 3", 2, "formulas are guessed in one to four numbers");
    refused("size(s) for s in subsets({1, 2, 3})", 2, "`s` does not run over numbers");
    refused("grundy(Bash[m](n)) for n in 0..40", 2, "a claim does not read the input `m`");
    refused("grundy(Nim(n)) for", 2, "error[S01]");
    refused("loses(Moore[2]([12, 12, 12 + n])) for n in 0..40", 3, "the limit of 2000 positions is reached");
    refused("1 div (n - 5) for n in 0..40", 2, "this is at n = 0");
    let (code, out, _) = place.run(&["guess", "games.game", "2 ** (9 * n) for n in 0..40"]);
    assert_eq!((code, out.starts_with("# no guess: the value at n = 15 is 4355614")), (Some(0), true), "{out}");
    let (code, out, _) = place.run(&["guess", "games.game", "n for n in 0..5"]);
    assert_eq!((code, out.as_str()), (Some(0), "# no guess: 6 values are too few for a guess\n"));
    let (code, out, _) = place.run(&["guess", "games.game", "[\"a\", \"b\", \"c\"][n mod 3] for n in 0..40"]);
    assert_eq!(
        (code, out.as_str()),
        (Some(0), "# no guess: there are more than two different texts among the values\n")
    );
}

/// An expression with a closed form.
fn planted() -> impl Strategy<Value = String> {
    let one = prop_oneof![
        (0..50i32).prop_map(|c| format!("{c}")),
        (2..15i32, 0..15i32).prop_map(|(m, c)| format!("(n + {c}) mod {m}")),
        (1..9i32, -9..9i32).prop_map(|(a, b)| format!("{a} * n + ({b})")),
        (1..7i32, 0..7i32, 2..7i32).prop_map(|(a, b, d)| format!("({a} * n + {b}) div {d}")),
        (0..64i32).prop_map(|c| format!("n xor {c}")),
        (1..64i32).prop_map(|c| format!("n & {c}")),
        (1..4u32, 0..8i32).prop_map(|(k, c)| format!("n xor n div {} xor {c}", 1 << k)),
        (2..10i32, 2..8i32).prop_map(|(b, k)| format!("sum(digits(n, {b})) mod {k}")),
        prop::collection::vec(0..9i32, 2..9).prop_map(|list| format!("{list:?}[n mod {}]", list.len())),
        (prop::collection::vec(0..9i32, 2..6), 1..4i32)
            .prop_map(|(list, s)| format!("{s} * n + {list:?}[n mod {}]", list.len())),
        (0..20i32, 0..30i32, 2..9i32).prop_map(|(e, v, m)| format!("if n == {e} then {v} else n mod {m}")),
        (0..4i32, 0..4usize, 1..3i32).prop_map(|(p, q, r)| {
            let q = [2, 3, 5, 7][q];
            format!("floor(n * ({p} + sqrt({q})) / {r})")
        }),
        prop::collection::btree_set(0..7i32, 1..5).prop_map(|set| format!(
            "n mod 7 in {{{}}}",
            set.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
        )),
        (0..3i32).prop_map(|c| format!("size(zeckendorf(n + {c})) == 1")),
        (0..3i32, 2..4i32).prop_map(|(c, b)| format!("sum(digits(n + {c}, {b})) == 1")),
    ];
    let two = prop_oneof![
        (1..5i32, 1..5i32, 2..6i32).prop_map(|(a, b, m)| format!("({a} * a + {b} * b) mod {m}")),
        (2..6i32, 2..6i32).prop_map(|(p, q)| format!("a mod {p} xor b mod {q}")),
        (1..4i32, -3..4i32, 0..9i32).prop_map(|(p, q, c)| format!("{p} * a + ({q}) * b + {c}")),
        (2..9i32).prop_map(|m| format!("(a xor b) mod {m} == 0")),
        (2..9i32).prop_map(|m| format!("max(a, b) mod {m}")),
        Just("(min(a, b) + 1) div 2".to_string()),
        Just("b == floor(a * sqrt(2))".to_string()),
    ];
    prop_oneof![
        3 => one.prop_map(|expr| format!("{expr} for n in 0..120")),
        1 => two.prop_map(|expr| format!("{expr} for a, b in 0..24")),
    ]
}

proptest! {
    #![proptest_config(crate::seeds::cases(20))]

    /// What is planted is found again, or something that is no longer and equal as far as anybody looks: the claim itself is
    /// checked by `grundy check`.
    #[test]
    fn planted_forms_are_found(query in planted()) {
        let place = Place::new();
        let (code, out, err) = place.run(&["guess", "games.game", &query]);
        prop_assert_eq!(code, Some(0), "{}: {}", &query, err);
        prop_assert!(out.contains("\nclaim \"guessed: "), "{}: {}", &query, out);
        fs::write(place.0.join("pasted.game"), &out).expect("a file for the test");
        let found = checked::file(&place.0.join("pasted.game"), 1000);
        prop_assert!(!found.is_empty() && found.iter().all(Finding::success), "{}: {}{:#?}", &query, &out, found);
    }
}

/// The automaton of an answer as a function of its own: what it says of some numbers, read anew from its table.
struct Table<'a> {
    json: &'a Json,
    zeckendorf: bool,
}

impl<'a> Table<'a> {
    /// The automaton among some answers, which must be proved.
    fn proved(lines: &'a [Json], query: &str) -> Self {
        let line =
            lines.iter().find(|line| line["form"] == "automaton").unwrap_or_else(|| panic!("{query}: {lines:?}"));
        assert_eq!(line["verdict"], "PROVED", "{query}: {line}");
        let json = &line["automaton"];
        Table { json, zeckendorf: json["numbers"] == "Zeckendorf" }
    }

    fn states(&self) -> usize {
        self.json["accepts"].as_array().expect("a list").len()
    }

    /// Digits from the lowest on: of base 2, or greedily of Fibonacci numbers.
    fn digits(&self, mut number: u64) -> Vec<u64> {
        let mut places = vec![1u64, 2];
        while places.last().is_some_and(|last| *last <= number) {
            let n = places.len();
            places.push(if self.zeckendorf { places[n - 1] + places[n - 2] } else { 2 * places[n - 1] });
        }
        let mut digits = vec![0; places.len()];
        for (digit, place) in digits.iter_mut().zip(&places).rev() {
            if *place <= number {
                number -= place;
                *digit = 1;
            }
        }
        digits
    }

    fn accepts(&self, numbers: &[u64]) -> bool {
        let words: Vec<Vec<u64>> = numbers.iter().map(|n| self.digits(*n)).collect();
        let letters = self.json["letters"].as_array().expect("a list");
        let mut state = 0;
        for place in 0..words.iter().map(Vec::len).max().expect("a number") {
            let letter: Vec<u64> = words.iter().map(|word| word.get(place).copied().unwrap_or(0)).collect();
            let index = letters.iter().position(|other| *other == serde_json::json!(letter)).expect("a letter");
            state = usize::try_from(self.json["to"][state][index].as_u64().expect("a state")).expect("small");
        }
        self.json["accepts"][state].as_bool().expect("a truth value")
    }
}

fn mex(values: impl IntoIterator<Item = u64>) -> u64 {
    let values: std::collections::BTreeSet<u64> = values.into_iter().collect();
    (0..=values.len() as u64).find(|n| !values.contains(n)).expect("a number")
}

#[test]
fn wythoff_pairs_are_an_automaton_of_fibonacci_numbers() {
    let place = Place::new();
    let query = "loses(Wythoff(a, b)) for a, b in 0..30";
    let (code, out, err) = place.run(&["guess", "games.game", query, "--json", "--automata"]);
    assert_eq!(code, Some(0), "{err}");
    let lines: Vec<Json> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let table = Table::proved(&lines, query);
    assert!(table.zeckendorf && table.states() == 7, "{}", table.json);
    // The pairs by their definition: the least number in none before, and that many more.
    let mut pairs = std::collections::BTreeSet::new();
    let mut used = std::collections::BTreeSet::new();
    for k in 0..400 {
        let least = mex(used.iter().copied());
        used.extend([least, least + k]);
        pairs.extend([(least, least + k), (least + k, least)]);
    }
    for a in 0..400 {
        for b in 0..400 {
            assert_eq!(table.accepts(&[a, b]), pairs.contains(&(a, b)), "({a}, {b})");
        }
    }
    // Both the formula and the automaton.
    assert!(lines.iter().any(|line| line["verdict"] == "PROVED" && line["claim"].is_string()), "{lines:?}");
}

#[test]
fn values_are_automata() {
    let place = Place::new();
    let learnt = |query: &str| -> Vec<Json> {
        let (code, out, err) = place.run(&["guess", "games.game", query, "--json", "--automata", "--time", "120s"]);
        assert_eq!(code, Some(0), "{query}: {err}");
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    // One value, and no other.
    let says = |table: &Table, numbers: &[u64], value: u64| {
        for other in value.saturating_sub(4)..=value + 4 {
            let all: Vec<u64> = numbers.iter().copied().chain([other]).collect();
            assert_eq!(table.accepts(&all), other == value, "{all:?}");
        }
    };
    let query = "grundy(Turtles(n)) for n in 0..40";
    let (lines, mut turtles) = (learnt(query), Vec::new());
    let query_mock = "grundy(Mock(n)) for n in 0..40";
    let (mock_lines, mut mock) = (learnt(query_mock), Vec::<u64>::new());
    for n in 0..200usize {
        turtles.push(mex(std::iter::once(0).chain(turtles.iter().copied())));
        let pairs = (0..n).flat_map(|y| (0..y).map(move |z| (y, z)));
        mock.push(mex(std::iter::once(0).chain(mock.iter().copied()).chain(pairs.map(|(y, z)| mock[y] ^ mock[z]))));
        says(&Table::proved(&lines, query), &[n as u64], turtles[n]);
        says(&Table::proved(&mock_lines, query_mock), &[n as u64], mock[n]);
    }
    let query = "grundy(Staircase([a, b, c])) for a, b, c in 0..7";
    let lines = learnt(query);
    for (a, b, c) in (0..4096u64).map(|i| (i % 16 * 3, i / 16 % 16, i / 256 * 5)) {
        says(&Table::proved(&lines, query), &[a, b, c], a ^ c);
    }
    for query in ["loses(Nim(a) + Nim(b)) for a, b in 0..15", "grundy(Nim(a) + Nim(b) + Nim(c)) for a, b, c in 0..7"] {
        let lines = learnt(query);
        assert!(lines.iter().any(|line| line["form"] == "automaton"), "{query}: {lines:?}");
    }
}

/// What `guess` prints of automata is a part of the file: it is checked and proved there, has a certificate, and is no more
/// proved when any state of its table is another one.
#[test]
fn automata_are_lines_of_a_file() {
    let marks = "game Mark3(n) {
  move take k in 1..min(n, 2) -> Mark3(n - k)
  move third where n > 0 -> Mark3(n div 3)
}
game Mark4(n) {
  move take k in 1..min(n, 3) -> Mark4(n - k)
  move quarter where n > 0 -> Mark4(n div 4)
}
";
    let place = Place::new();
    fs::write(place.0.join("games.game"), format!("{GAMES}{marks}")).expect("a file for the test");
    for (query, base) in [
        ("loses(Mark3(n)) for n in 0..300", "base 3"),
        ("grundy(Mark3(n)) for n in 0..300", "base 3"),
        ("outcome(Mark4(n)) for n in 0..300", "base 4"),
        ("loses(Fibonacci(n, cap)) for n, cap in 0..30", "Zeckendorf"),
        ("grundy(Lasker(n)) for n in 0..60", "base 2"),
    ]
    .into_iter()
    .take(rounds(2, 5))
    {
        let (code, out, err) = place.run(&["guess", "games.game", query, "--json", "--automata"]);
        assert_eq!(code, Some(0), "{query}: {err}");
        let lines: Vec<Json> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let line = lines.iter().find(|line| line["form"] == "automaton").unwrap_or_else(|| panic!("{query}: {out}"));
        assert_eq!(
            (&line["automaton"]["numbers"], &line["verdict"]),
            (&Json::from(base), &Json::from("PROVED")),
            "{query}"
        );
        let text = line["claim"].as_str().expect("a definition and a claim");
        let written =
            |text: &str| fs::write(place.0.join("pasted.game"), format!("{GAMES}{marks}{text}\n")).expect("a file");
        written(text);
        let (code, out, err) = place.run(&["prove", "pasted.game", "--certificates", "proofs"]);
        assert!(
            code == Some(0) && out.contains("PROVED    claim \"guessed: automaton\": for all positions (induction"),
            "{query}: {out}{err}"
        );
        let folder = fs::read_dir(place.0.join("proofs")).expect("a folder");
        let file = folder.map(|file| file.expect("a file").path()).next().expect("a certificate");
        let (code, out, err) = place.run(&["verify", &file.display().to_string()]);
        assert!(code == Some(0) && out.starts_with("CONFIRMED"), "{query}: {out}{err}");
        // Each state that accepts, changed: the claim is false now.
        let certificate = fs::read_to_string(&file).expect("a text");
        assert_eq!(place.run(&["verify", &file.display().to_string()]).0, Some(0));
        fs::write(&file, certificate.replacen("\"yes ", "\"no ", 1)).expect("a file for the test");
        assert_eq!(place.run(&["verify", &file.display().to_string()]).0, Some(1), "{query}: {certificate}");
        fs::remove_file(&file).expect("it was there");
        let (before, after) = text.split_once("s in {").expect("the states that accept");
        for changed in
            [format!("{before}s not in {{{after}"), text.replacen("[[", "[[0 + ", 1), text.replacen("(0, ", "(1, ", 1)]
        {
            written(&changed);
            let (code, out, _) = place.run(&["prove", "pasted.game", "--time", "120s"]);
            // Another way to write the same number is not read, and the state 1 may be no other one.
            let same = changed.contains("[[0 + ");
            assert!(same || code != Some(0), "{query}: {changed}: {out}");
        }
    }
}

#[test]
fn automata_that_speak_of_no_position() {
    let place = Place::new();
    let args = ["guess", "games.game", "sum(digits(n, 3)) mod 4 == 1 for n in 0..150", "--json", "--automata"];
    let (_, out, err) = place.run(&args);
    let lines: Vec<Json> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let line = lines.iter().find(|line| line["form"] == "automaton").unwrap_or_else(|| panic!("{out}{err}"));
    assert_eq!((&line["automaton"]["numbers"], &line["verdict"]), (&Json::from("base 3"), &Json::from("PROVED")));
    assert_eq!(
        line["automaton"]["accepts"],
        serde_json::json!([false, true, false, false]),
        "a state for each remainder"
    );
    // Nim products are not in the logic of the prover. The product with 2 is odd where the second binary digit is 1.
    let args = ["guess", "games.game", "nim_product(n, 2) mod 2 == 1 for n in 0..150", "--json", "--automata"];
    let (_, out, err) = place.run(&args);
    let lines: Vec<Json> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let line = lines.iter().find(|line| line["form"] == "automaton").unwrap_or_else(|| panic!("{out}{err}"));
    assert_eq!((&line["automaton"]["numbers"], &line["verdict"]), (&Json::from("base 2"), &Json::from("VERIFIED")));
}

#[test]
fn a_sum_is_proved_by_what_is_proved_of_its_parts() {
    let place = Place::new();
    let with_theorems = GAMES
        .replace("Mock(y) + Mock(z)\n", "Mock(y) + Mock(z)\n  theorem grundy = 2 * n + (sum(digits(n, 2)) + 1) mod 2\n")
        .replace(
            "i - 1 += k])\n",
            "i - 1 += k])\n  theorem grundy = xor(steps[i] for i in indices(steps) where i mod 2 == 0)\n",
        );
    fs::write(place.0.join("sums.game"), &with_theorems).expect("a file for the test");
    let query = "grundy(Nim(a) + Staircase([b, c])) for a, b, c in 0..6";
    let (code, out, err) = place.run(&["guess", "sums.game", query]);
    assert!(code == Some(0) && out.starts_with("# PROVED ("), "{query}: {out}{err}");
    // Without theorems of its parts these are lemmas.
    let (code, out, _) = place.run(&["guess", "games.game", query]);
    assert!(code == Some(0) && out.starts_with("# PROVED (") && out.contains("claim \"lemma 1\""), "{out}");
    // Of parts of one number something is guessed and proved first; all of it is proved again where it is pasted.
    let query = "grundy(Mock(a) + Mock(b)) for a, b in 0..15";
    let (code, out, err) = place.run(&["guess", "games.game", query]);
    assert!(code == Some(0) && out.starts_with("# PROVED (") && out.matches("\nclaim ").count() == 2, "{out}{err}");
    fs::write(place.0.join("pasted.game"), format!("{GAMES}{out}")).expect("a file for the test");
    let (code, out, err) = place.run(&["prove", "pasted.game"]);
    assert!(code == Some(0) && out.matches("PROVED    claim").count() == 2, "{out}{err}");
    // A wrong theorem is not taken for true: the lemma stands in its place.
    let wrong = with_theorems.replace("where i mod 2 == 0)", "where i mod 2 == 1)");
    fs::write(place.0.join("wrong.game"), wrong).expect("a file for the test");
    let (_, out, _) = place.run(&["guess", "wrong.game", "grundy(Nim(a) + Staircase([b, c])) for a, b, c in 0..6"]);
    assert!(out.contains("claim \"lemma 1\"") && out.contains("== a xor b\n"), "{out}");
}

/// A game of two heaps: how much comes away from the first, from the second, from both alike; a bound of 0 is none.
#[derive(Clone, Debug)]
struct TwoHeaps {
    misere: bool,
    bounds: [Option<u64>; 3],
}

impl TwoHeaps {
    fn text(&self) -> String {
        let to = |all: &str, bound: u64| if bound == 0 { all.to_string() } else { format!("min({all}, {bound})") };
        let mut text = format!("{}game G(a, b) {{\n", if self.misere { "misere " } else { "" });
        let moves = [("left", "a", "a - k, b"), ("right", "b", "a, b - k"), ("both", "min(a, b)", "a - k, b - k")];
        for ((name, all, target), bound) in moves.into_iter().zip(self.bounds) {
            if let Some(bound) = bound {
                let bound = to(all, bound);
                text += &["  move ", name, " k in 1..", &bound, " -> G(", target, ")\n"].concat();
            }
        }
        text + "}\n"
    }

    /// Whether the player to move loses, for both heaps below `end`.
    fn lost(&self, end: usize) -> Vec<Vec<bool>> {
        let mut lost = vec![vec![false; end]; end];
        for a in 0..end {
            for b in 0..end {
                let mut options = Vec::new();
                for (i, (most, (da, db))) in [(a, (1, 0)), (b, (0, 1)), (a.min(b), (1, 1))].into_iter().enumerate() {
                    let Some(bound) = self.bounds[i] else { continue };
                    let bound = if bound == 0 { most } else { most.min(usize::try_from(bound).expect("small")) };
                    options.extend((1..=bound).map(|k| lost[a - da * k][b - db * k]));
                }
                lost[a][b] = if options.is_empty() { !self.misere } else { !options.contains(&true) };
            }
        }
        lost
    }
}

fn two_heaps() -> impl Strategy<Value = TwoHeaps> {
    let bound = || prop::option::weighted(0.8, 0..4u64);
    (any::<bool>(), bound(), bound(), bound()).prop_map(|(misere, a, b, c)| TwoHeaps { misere, bounds: [a, b, c] })
}

proptest! {
    #![proptest_config(crate::seeds::cases(10))]

    /// An automaton that is proved says what plain search says, far beyond what it was learnt from; one that is not says so at
    /// least for the values that were looked at.
    #[test]
    fn learnt_automata_are_right(game in two_heaps()) {
        let place = Place::new();
        fs::write(place.0.join("random.game"), game.text()).expect("a file for the test");
        let args = ["guess", "random.game", "loses(G(a, b)) for a, b in 0..16", "--json", "--automata"];
        let (code, out, err) = place.run(&args);
        prop_assert_eq!(code, Some(0), "{}{}", game.text(), err);
        let lines: Vec<Json> = out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let Some(line) = lines.iter().find(|line| line["form"] == "automaton") else { return Ok(()) };
        let table = Table { json: &line["automaton"], zeckendorf: line["automaton"]["numbers"] == "Zeckendorf" };
        let far = if line["verdict"] == "PROVED" { 160 } else { 16 };
        for (a, row) in game.lost(far).into_iter().enumerate() {
            for (b, lost) in row.into_iter().enumerate() {
                prop_assert_eq!(table.accepts(&[a as u64, b as u64]), lost, "({}, {})\n{}{}", a, b, game.text(), line);
            }
        }
    }
}

#[test]
fn a_limit_keeps_what_was_found_and_ends_of_games_are_kept() {
    let place = Place::new();
    let game = "\
game Two(a, b) {
  move left where a > 0 -> Two(a - 1, b)
  move right where b > 0 -> Two(a, b - 1)
}
game Fenced(n) where n <= 50 {
  move take k in 1..min(n, 3) -> Fenced(n - k)
}
";
    fs::write(place.0.join("ends.game"), game).expect("a file for the test");
    let query = "grundy(Two(n, 2 * n)) for n in 0..400";
    let (code, out, err) = place.run(&["guess", "ends.game", query, "--max-positions", "300"]);
    assert_eq!(code, Some(3), "{out}{err}");
    assert!(
        out.starts_with("# the limit of 300 positions is reached")
            && out.contains("grundy(Two(n, 2 * n)) == n mod 2\n"),
        "{out}"
    );
    // There is nothing at 51: the claim says nothing of it.
    let (code, out, err) = place.run(&["guess", "ends.game", "grundy(Fenced(n)) for n in 0..50"]);
    assert_eq!((code, out.contains(" for n in 0..50: grundy(Fenced(n)) == n mod 4\n")), (Some(0), true), "{out}{err}");
}
