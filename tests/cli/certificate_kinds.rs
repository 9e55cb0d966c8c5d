//! Certificates of each kind of statement: confirmed as they are written, refused when they are altered.

use crate::rng::Rng;
use crate::rounds;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn grundy(folder: &Path, args: &[&str]) -> (String, Option<i32>) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_grundy")).args(args).current_dir(folder).env("NO_COLOR", "1").output();
    let output = output.expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (text(output.stdout) + &text(output.stderr), output.status.code())
}

/// A folder of its own for each kind.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("grundy-kinds-{}-{name}", std::process::id()));
    fs::create_dir_all(&path).expect("a folder");
    path
}

/// All certificates in a folder, by their names.
fn certificates(folder: &Path) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let json = serde_json::from_str(&fs::read_to_string(&path).expect("text")).expect("JSON");
            all.push((path.file_name().expect("a name").to_string_lossy().into_owned(), json));
        }
    }
    all.sort_by(|(a, _), (b, _)| a.cmp(b));
    all
}

struct Kind {
    name: &'static str,
    text: &'static str,
    /// How many certificates there are.
    count: usize,
    /// Changes of the rules with which each statement of the file is false.
    rules: &'static [(&'static str, &'static str)],
    /// Changes of what is claimed, each of which makes a statement false for some small instance.
    claims: &'static [(&'static str, &'static str)],
}

const KINDS: [Kind; 15] = [
    Kind {
        name: "moves",
        text: "game Bash[most](n) {
  move take k in 1..min(n, most) -> Bash(n - k)
  theorem loses iff n mod (most + 1) == 0
  theorem winning take for k = n mod (most + 1), where k > 0
}
",
        count: 2,
        rules: &[("min(n, most)", "min(n, most + 1)"), ("min(n, most)", "n"), ("1..min", "2..min")],
        claims: &[("iff n mod (most + 1) == 0", "iff n == 0"), ("k = n mod (most + 1)", "k = n mod (most + 2)")],
    },
    Kind {
        name: "lists",
        text: "game Nim(heaps: list of nat) {
  move take i in indices(heaps), k in 1..heaps[i] -> Nim(heaps[i -= k])
  theorem grundy = xor(heaps)
  theorem winning take for i in indices(heaps), k = heaps[i] - (heaps[i] xor xor(heaps)), where k > 0
}
",
        count: 2,
        rules: &[("1..heaps[i]", "2..heaps[i]"), ("1..heaps[i]", "1..min(heaps[i], 2)")],
        claims: &[("= xor(heaps)\n", "= sum(heaps)\n"), ("where k > 0", "where k > 1")],
    },
    Kind {
        name: "some",
        text: "game W(a, b) {
  move left k in 1..a -> W(a - k, b)
  move right k in 1..b -> W(a, b - k)
  move both k in 1..min(a, b) -> W(a - k, b - k)
}
claim \"row\" for n in nat: grundy(W(n, 0)) == n
claim \"next row\" for n in nat: grundy(W(n, 1)) == (if n mod 3 == 2 then n - 2 else n + 1)
",
        count: 2,
        rules: &[("1..a ", "2..a ")],
        claims: &[("== n\n", "== n mod 40\n"), ("n mod 3 == 2 then", "n mod 3 == 1 then")],
    },
    Kind {
        name: "steps",
        text: "def quarter(n: nat): bool = if n < 4 then n == 0 else quarter(n - 4)
game Take(n) { move take k in 1..min(n, 3) -> Take(n - k) }
claim \"by steps\" for n in nat: loses(Take(n)) iff quarter(n)
",
        count: 1,
        rules: &[("min(n, 3)", "min(n, 4)"), ("n - 4", "n - 3"), ("n < 4", "n < 5")],
        claims: &[("iff quarter(n)", "iff quarter(n + 1)"), ("iff quarter(n)", "iff n == 0")],
    },
    Kind {
        name: "period",
        text: "game Kayles(n) {
  move one i in 0..n - 1 -> Kayles(i) + Kayles(n - 1 - i)
  move two i in 0..n - 2 -> Kayles(i) + Kayles(n - 2 - i)
}
claim \"late\" for n in nat where n > 70: grundy(Kayles(n)) == grundy(Kayles(n + 12))
",
        count: 1,
        rules: &[("0..n - 2", "1..n - 2")],
        claims: &[("n + 12", "n + 11"), ("n > 70", "n > 20")],
    },
    Kind {
        name: "graphs",
        text: "game Pick[g: graph](left: set of vertex of g = vertices(g)) {
  move pick v in left -> Pick(left - {v} - neighbours(g, v))
}
claim \"cycles\" for n in 3..8: loses(Pick[cycle(n)]) iff n in {4, 5, 6, 8}
",
        count: 1,
        rules: &[(" - neighbours(g, v)", ""), ("game Pick", "misere game Pick")],
        claims: &[("{4, 5, 6, 8}", "{4, 5, 6}"), ("3..8", "3..9"), ("cycle(n)", "path(n)")],
    },
    Kind {
        name: "learnt",
        text: "game Fibonacci(n, cap) { move take k in 1..min(n, cap) -> Fibonacci(n - k, 2 * k) }
def reads(s: nat, f: nat, g: nat, n: nat, cap: nat): bool =
  if f > max(n, cap) then s in {0, 1, 2, 4} else reads([[0, 1, 2, 3], [4, 3, 3, 3], [0, 1, 3, 3], [3, 3, 3, 3], [4, 1, 3, 3]][s][count([f in zeckendorf(n)]) + 2 * count([f in zeckendorf(cap)])], g, f + g, n, cap)
claim \"learnt\" for n, cap in nat: loses(Fibonacci(n, cap)) iff reads(0, 1, 2, n, cap)
",
        count: 1,
        rules: &[("2 * k", "2 * k + 1"), ("1..min", "2..min"), ("[4, 1, 3, 3]]", "[4, 1, 1, 3]]"), ("{0, 1, 2, 4}", "{0, 1, 4}")],
        claims: &[("reads(0, 1, 2, n, cap)\n", "reads(1, 1, 2, n, cap)\n")],
    },
    Kind {
        name: "same",
        text: "game Pair(a, b) {
  same as Pair(b, a) when a > b
  move left k in 1..a -> Pair(a - k, b)
  move right k in 1..b -> Pair(a, b - k)
}
claim \"nim\" for a, b in nat: grundy(Pair(a, b)) == a xor b
",
        count: 1,
        rules: &[("Pair(b, a) when", "Pair(b, b) when"), ("1..a ", "1..a - 1 ")],
        claims: &[("a xor b\n", "a + b\n")],
    },
    Kind {
        name: "again",
        text: "game Again(n) { move take k in 1..min(n, 3) -> if (n - k) mod 3 == 1 then again Again(n - k) else Again(n - k) }
claim \"all but none\" for n in nat: wins(Again(n)) iff n > 0
",
        count: 1,
        rules: &[("then again Again", "then Again"), ("mod 3 == 1", "mod 3 == 0")],
        claims: &[("iff n > 0\n", "iff n > 1\n")],
    },
    Kind {
        name: "digits",
        text: "def odious(n: nat): bool = if n == 0 then false else if n mod 2 == 1 then not odious(n div 2) else odious(n div 2)
def plus(a: nat, b: nat): nat = if max(a, b) == 0 then 0 else (a mod 2 + b mod 2) mod 2 + 2 * plus(a div 2, b div 2)
game Clear(n) { move clear k in 0..bits(n) - 1 where bit(n, k) -> Clear(n - 2 ** k) }
game Nim(a, b) { move left k in 1..a -> Nim(a - k, b)  move right k in 1..b -> Nim(a, b - k) }
claim \"odious\" for n in nat: wins(Clear(n)) iff odious(n)
claim \"plus\" for a, b in nat: grundy(Nim(a, b)) == plus(a, b)
",
        count: 2,
        rules: &[],
        claims: &[("then not odious", "then odious"), ("wins(Clear", "loses(Clear"), ("mod 2 + 2 *", "mod 2 + 3 *")],
    },
    Kind {
        name: "phases",
        text: "game Place(n) { move put p in 1..n -> Walk(n - p, p) }
game Walk(l, r) { move left k in 1..l -> Walk(l - k, r)  move right k in 1..r -> Walk(l, r - k) }
claim \"walk\" for l, r in nat: grundy(Walk(l, r)) == l xor r
claim \"place\" for n in nat: loses(Place(n)) iff n mod 2 == 1 or n == 0
",
        count: 2,
        rules: &[("move right k in 1..r", "move right k in 2..r")],
        claims: &[("n mod 2 == 1 or n == 0", "n mod 2 == 1"), ("== l xor r", "== l + r")],
    },
    Kind {
        name: "bags",
        text: "game Heaps(h: bag of nat) where size(h) == 2 {
  move take x in h, k in 1..x -> Heaps(h - [x] + [x - k])
  theorem grundy = xor(h)
}
",
        count: 1,
        rules: &[("1..x", "1..min(x, 2)"), ("+ [x - k]", "+ [k - 1]")],
        claims: &[("= xor(h)", "= sum(h)")],
    },
    Kind {
        name: "sums",
        text: "game One(n) { move take k in 1..n -> One(n - k) }
claim \"sum\" for a, b in nat: loses(misere (One(a) + One(b))) iff (if a + b < 3 then a + b == 1 else a == b)
",
        count: 1,
        rules: &[("1..n", "1..min(n, 2)"), ("1..n", "2..n")],
        claims: &[("else a == b", "else a == b + 1"), ("(misere (One(a) + One(b)))", "(One(a) + One(b))")],
    },
    Kind {
        name: "options",
        text: "game W(a, b) {
  move left k in 1..a -> W(a - k, b)
  move right k in 1..b -> W(a, b - k)
  move both k in 1..min(a, b) -> W(a - k, b - k)
}
claim \"row\" for a, b, k in nat where k > 0: grundy(W(a, b)) != grundy(W(a, b + k))
",
        count: 1,
        rules: &[("1..b ", "1..min(b, 1) ")],
        claims: &[("where k > 0", "where k >= 0"), ("W(a, b + k))\n", "W(b + k, a))\n")],
    },
    Kind {
        name: "draws",
        text: "game G(n) {
  move take k in 1..min(n, 3) -> G(n - k)
  theorem draws iff n < 0
}
",
        count: 1,
        rules: &[("-> G(n - k)", "-> if n == k then draw else G(n - k)"), ("1..min(n, 3)", "0..min(n, 3)")],
        claims: &[("n < 0", "n < 1")],
    },
];

/// The verdict on a certificate.
fn verified(folder: &Path, json: &Value) -> (String, Option<i32>) {
    fs::write(folder.join("changed"), serde_json::to_string(json).expect("JSON")).expect("written");
    grundy(folder, &["verify", "--time", "600s", "changed"])
}

fn refused(folder: &Path, json: &Value, what: &str) {
    let (told, code) = verified(folder, json);
    assert!(told.starts_with("WRONG") && code == Some(1), "{what}: {told}");
}

/// The same certificate of a file in which something stands otherwise; `None`: nothing does.
fn told_of(json: &Value, from: &str, to: &str) -> Option<Value> {
    let mut other = json.clone();
    for key in ["game", "words", "statement"] {
        let old = json[key].as_str().expect("text");
        other[key] = old.replace(from, to).into();
    }
    (other["game"] != json["game"]).then_some(other)
}

/// The other changes: a part or a case that is not there, numbers of sentences, automata that accept something else.
fn damaged(folder: &Path, name: &str, json: &Value) {
    let mut other = json.clone();
    other["words"] = format!("{} and true", json["words"].as_str().expect("text")).into();
    refused(folder, &other, name);
    if let Some(played) = json["played"].as_u64() {
        other.clone_from(json);
        other["played"] = (played - 1).into();
        return refused(folder, &other, name);
    }
    let cases = json["cases"].as_array().expect("cases");
    for (i, case) in cases.iter().enumerate().filter(|(i, _)| i % 20 == 0) {
        if cases.len() > 1 {
            other.clone_from(json);
            let dropped = other["cases"].as_array_mut().expect("cases").remove(i);
            let left = json["sentences"].as_u64().expect("a count")
                - dropped["parts"].as_array().map_or(0, |p| p.len() as u64);
            other["sentences"] = left.into();
            refused(folder, &other, &format!("{name}: without case {i}"));
        }
        for j in (0..case["parts"].as_array().expect("parts").len()).step_by(rounds(12, 1)) {
            let mut other = json.clone();
            let part = &mut other["cases"][i]["parts"][j];
            let sentence = part["sentence"].as_str().expect("text").to_string();
            part["sentence"] = "(exists (x) (= x 3))".into();
            refused(folder, &other, &format!("{name}: another sentence {j}"));
            other["cases"][i]["parts"][j]["sentence"] = format!("(not {sentence})").into();
            refused(folder, &other, &format!("{name}: the contrary of {j}"));
        }
        for j in 0..case["automata"].as_array().map_or(0, Vec::len) {
            let mut other = json.clone();
            other["cases"][i]["automata"].as_array_mut().expect("automata").remove(j);
            refused(folder, &other, &format!("{name}: without automaton {j}"));
        }
    }
}

fn all_of(kinds: &[Kind]) {
    for kind in kinds {
        let folder = folder(kind.name);
        fs::write(folder.join("g.game"), kind.text).expect("written");
        let (told, code) = grundy(&folder, &["prove", "g.game", "--certificates", "."]);
        let part = told.contains("PROVED FOR") && !told.contains("UNKNOWN");
        assert_eq!(code, Some(if part { 3 } else { 0 }), "{}: {told}", kind.name);
        let all = certificates(&folder);
        assert_eq!(all.len(), kind.count, "{}: {told}", kind.name);
        for (name, json) in &all {
            let what = format!("{} {name}", kind.name);
            let (told, code) = verified(&folder, json);
            assert!(told.starts_with("CONFIRMED") && code == Some(0), "{what}: {told}");
            for (from, to) in kind.rules.iter().take(rounds(1, usize::MAX)) {
                let other = told_of(json, from, to).unwrap_or_else(|| panic!("{what}: `{from}`"));
                refused(&folder, &other, &format!("{what}: {from} -> {to}"));
            }
            // What another statement of the file says does not matter.
            let own = |from: &str| json["words"].as_str().is_some_and(|words| words.contains(from.trim_end()));
            for (from, to) in kind.claims.iter().filter(|(from, _)| own(from)).take(rounds(1, usize::MAX)) {
                let other = told_of(json, from.trim_end(), to.trim_end()).expect("it stands there");
                refused(&folder, &other, &format!("{what}: {from} -> {to}"));
            }
            damaged(&folder, &what, json);
        }
        for (from, _) in kind.claims {
            let used = |json: &Value| json["game"].as_str().is_some_and(|text| text.contains(from));
            assert!(all.iter().any(|(_, json)| used(json)), "{}: `{from}`", kind.name);
        }
        fs::remove_dir_all(folder).expect("removed");
    }
}

#[test]
fn moves() {
    all_of(&KINDS[..1]);
}

#[test]
fn lists_rows_steps() {
    all_of(&KINDS[rounds(2, 1)..4]); // lists: ten seconds of larger and larger sentences
}

#[test]
fn periods_graphs_automata() {
    all_of(&KINDS[4..7]);
}

#[test]
fn rules_and_digits() {
    all_of(&KINDS[7..11]);
}

#[test]
fn bags_sums_options_draws() {
    all_of(&KINDS[11..]);
}

/// What is guessed and proved has certificates, too.
#[test]
fn guesses() {
    let folder = folder("guess");
    fs::write(
        folder.join("g.game"),
        "game Cap(n, cap) { move take k in 1..min(n, cap) -> Cap(n - k, k) }
game Lasker(n) { move take k in 1..n -> Lasker(n - k)  move split a in 1..n div 2 -> Lasker(a) + Lasker(n - a) }\n",
    )
    .expect("written");
    for (question, changes) in [
        ("loses(Cap(n, cap)) for n, cap in 0..40", [("Cap(n - k, k)", "Cap(n - k, k + 1)"), ("1..min", "2..min")]),
        ("grundy(Lasker(n)) for n in 0..60", [("1..n div 2", "2..n div 2"), ("1..n ->", "2..n ->")]),
    ] {
        let (told, code) = grundy(&folder, &["guess", "g.game", question, "--certificates", "."]);
        assert!(code == Some(0) && told.contains("# PROVED"), "{told}");
        let all = certificates(&folder);
        assert!(!all.is_empty(), "{told}");
        for (name, json) in all {
            let (told, code) = verified(&folder, &json);
            assert!(told.starts_with("CONFIRMED") && code == Some(0), "{name}: {told}");
            for (from, to) in changes {
                let other = told_of(&json, from, to).unwrap_or_else(|| panic!("`{from}`"));
                refused(&folder, &other, &format!("{name}: {from} -> {to}"));
            }
            damaged(&folder, &name, &json);
            fs::remove_file(folder.join(name)).expect("removed");
        }
    }
    fs::remove_dir_all(folder).expect("removed");
}

/// The folder as a whole: what rests on something that is not there, or that is wrong, is not confirmed.
#[test]
fn chains() {
    let folder = folder("chain");
    let text = "game Nim(n) { move take k in 1..n -> Nim(n - k) }
game Pair(a, b) { move left k in 1..a -> Pair(a - k, b)  move right k in 1..b -> Pair(a, b - k) }
claim \"values\" for a, b in nat: grundy(Pair(a, b)) == a xor b
claim \"lost\" for a, b in nat where a > 3: loses(Pair(a, b)) iff a == b
claim \"with 4\" for b in nat where b > 4: wins(Pair(4, b))
";
    fs::write(folder.join("g.game"), text).expect("written");
    let (told, code) = grundy(&folder, &["prove", "g.game", "--certificates", "proofs"]);
    assert_eq!(code, Some(0), "{told}");
    let proofs = folder.join("proofs");
    let all = certificates(&proofs);
    assert_eq!(all.len(), 3, "{told}");
    let (told, code) = grundy(&folder, &["verify", "proofs"]);
    let last = "3 of 3 proofs confirmed, with all that they rest on\n";
    assert!(code == Some(0) && told.ends_with(last) && told.matches("\nCONFIRMED  ").count() == 2, "{told}");
    let rests: Vec<&str> = told.lines().filter_map(|line| line.trim().strip_prefix("it rests on ")).collect();
    assert_eq!(rests.first(), Some(&"claim \"values\""), "{told}");
    // The same statement of other rules is no help.
    let (name, first) = &all[0];
    let other = told_of(
        first,
        "move right k in 1..b -> Pair(a, b - k)",
        "move right k in 1..b -> Pair(a, b - k)  move no where a < 0 -> Pair(0, 0)",
    );
    fs::write(proofs.join(name), serde_json::to_string(&other).expect("JSON")).expect("written");
    let (told, code) = grundy(&folder, &["verify", "proofs"]);
    let missing = "it rests on claim \"values\", of which there is no certificate here";
    assert!(code != Some(0) && told.contains(missing), "{told}");
    // A sentence of it that is true and another one.
    let mut other = first.clone();
    other["cases"][0]["parts"][1]["sentence"] = "(not (= 1 2))".into();
    fs::write(proofs.join(name), serde_json::to_string(&other).expect("JSON")).expect("written");
    let (told, code) = grundy(&folder, &["verify", "proofs"]);
    let wrong = "it rests on claim \"values\", which is wrong";
    assert!(code == Some(1) && told.starts_with("WRONG") && told.contains(wrong), "{told}");
    fs::remove_file(proofs.join(name)).expect("removed");
    let (told, code) = grundy(&folder, &["verify", "proofs"]);
    assert!(code == Some(3) && told.contains(missing), "{told}");
    fs::remove_dir_all(folder).expect("removed");
}

/// All strings and numbers of a certificate, by their pointers.
fn places(json: &Value, at: &str, found: &mut Vec<String>) {
    match json {
        Value::Object(fields) => fields.iter().for_each(|(key, value)| places(value, &format!("{at}/{key}"), found)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, value)| places(value, &format!("{at}/{i}"), found));
        }
        Value::String(_) | Value::Number(_) => found.push(at.to_string()),
        _ => {}
    }
}

/// A text with a digit that is another one, a word left out or doubled, or a comparison turned.
fn altered(text: &str, rng: &mut Rng) -> String {
    let words: Vec<&str> = text.split_inclusive(' ').collect();
    let at = rng.below(words.len().max(1));
    match rng.below(4) {
        0 => {
            let digits: Vec<usize> = text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(i, _)| i).collect();
            let Some(&place) = digits.get(rng.below(digits.len().max(1))) else { return format!("{text} ") };
            format!("{}{}{}", &text[..place], rng.below(10), &text[place + 1..])
        }
        1 => words.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, word)| *word).collect(),
        2 => words
            .iter()
            .enumerate()
            .map(|(i, word)| if i == at { word.repeat(2) } else { (*word).to_string() })
            .collect(),
        _ => [
            ("<=", "="),
            ("and", "or"),
            ("xor", "meet"),
            ("1..", "2.."),
            ("mod 2", "mod 3"),
            ("==", "!="),
            ("or", "and"),
        ]
        .iter()
        .find(|(from, _)| text.contains(from))
        .map_or_else(|| format!("{text}0"), |(from, to)| text.replacen(from, to, 1)),
    }
}

/// Certificates that anything is changed in: what is confirmed all the same has the sentences that the rules give, and nothing is found
/// against its statement.
#[test]
fn random_alterations() {
    let folder = folder("alterations");
    let mut all: Vec<(&str, Value)> = Vec::new();
    for kind in [&KINDS[0], &KINDS[KINDS.len() - 1]] {
        fs::write(folder.join("g.game"), kind.text).expect("written");
        let proofs = folder.join(kind.name);
        let (told, _) = grundy(&folder, &["prove", "g.game", "--certificates", kind.name]);
        assert!(told.contains("PROVED"), "{told}");
        all.extend(certificates(&proofs).into_iter().map(|(_, json)| (kind.name, json)));
    }
    let (mut confirmed, mut refused) = (0, 0);
    for seed in 0..rounds(40, 10_000) {
        let rng = &mut Rng::new(seed);
        let (name, json) = rng.pick(&all);
        let mut other = json.clone();
        let mut found = Vec::new();
        places(json, "", &mut found);
        for _ in 0..=rng.below(2) {
            let at = rng.pick(&found);
            let donor = rng.pick(&found);
            let donor = json.pointer(donor).cloned();
            let Some(value) = other.pointer_mut(at) else { continue };
            *value = match &*value {
                Value::String(_) if rng.chance(30) && donor.as_ref().is_some_and(Value::is_string) => {
                    donor.expect("a string")
                }
                Value::String(text) => altered(text, rng).into(),
                number => (number.as_u64().unwrap_or(0) + rng.below(3) as u64).into(),
            };
        }
        if other == *json {
            continue;
        }
        let (told, code) = verified(&folder, &other);
        if code != Some(0) {
            assert!(matches!(code, Some(1..=3)), "{name}, {seed}: {told}");
            refused += 1;
            continue;
        }
        confirmed += 1;
        let game = other["game"].as_str().expect("text");
        assert!(game != json["game"] || other["cases"] == json["cases"], "{name}, {seed}: {other}");
        fs::write(folder.join("altered.game"), game).expect("written");
        let (told, _) = grundy(&folder, &["check", "altered.game", "--json"]);
        let title =
            other["statement"].as_str().expect("text").split_once('"').expect("a title").1.trim_end_matches('"');
        let against = told.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let against = against.filter(|line| line["title"] == title && line["verdict"] == "REFUTED").count();
        assert_eq!(against, 0, "{name}, {seed}: {told}\n{game}");
    }
    assert!(refused > 3 * confirmed && confirmed > 0, "{confirmed} confirmed, {refused} refused");
    fs::remove_dir_all(folder).expect("removed");
}

/// The texts that a file uses are in its certificates: they can be looked at where these files are not.
#[test]
fn files_that_use_others() {
    let folder = folder("uses");
    fs::create_dir_all(folder.join("more")).expect("a folder");
    let rules = "game Pair(a, b) { move left k in 1..a -> Pair(a - k, b)  move right k in 1..b -> Pair(a, b - k) }\n";
    fs::write(folder.join("more/rules.game"), rules).expect("written");
    fs::write(folder.join("between.game"), "use \"more/rules\"\n").expect("written");
    let claim = "use \"between\"\nclaim \"values\" for a, b in nat: grundy(Pair(a, b)) == a xor b\n";
    fs::write(folder.join("g.game"), claim).expect("written");
    let (told, code) = grundy(&folder, &["prove", "g.game", "--certificates", "proofs"]);
    assert_eq!(code, Some(0), "{told}");
    let all = certificates(&folder.join("proofs"));
    let [(_, json)] = &all[..] else { panic!("{told}") };
    fs::remove_file(folder.join("between.game")).expect("removed");
    let (told, code) = verified(&folder, json);
    assert!(told.starts_with("CONFIRMED") && code == Some(0), "{told}");
    let mut other = json.clone();
    other["uses"]["more/rules"] = rules.replace("right k in 1..b", "right k in 2..b").into();
    refused(&folder, &other, "other rules");
    other["uses"].as_object_mut().expect("texts").remove("more/rules");
    let (told, code) = verified(&folder, &other);
    assert!(told.starts_with("OPEN") && code == Some(3), "{told}");
    fs::remove_dir_all(folder).expect("removed");
}
