//! Certificates of proofs: what is proved is confirmed, what is changed is not, and the plain procedure is right.

use crate::formulas::{closed, formulas, holds};
use crate::proofs::{self, corpus};
use crate::proved::USUAL;
use crate::rounds;
use grundy_automata::{Atom, Formula, Limit, Linear, System, Table, Texts, by_remainders, compile, solution};
use grundy_verify::{Certificate, Halt, Limits, Method, Numbers, Refusal, Sentence, Written, decide, parse};
use num_bigint::BigInt;
use proptest::prelude::*;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

fn numbers(system: System) -> Numbers {
    match system {
        System::Binary => Numbers::Base(2),
        System::Base(base) => Numbers::Base(u32::from(base)),
        System::Surd(times) => Numbers::Surd(u32::from(times)),
    }
}

/// The sentence that nothing makes the formula true, read from its text.
fn never(formula: &Formula, system: System) -> Sentence {
    let mut texts = Texts::new(system);
    let text = texts.never(formula).expect("a text");
    let automata: Vec<_> = texts
        .automata
        .iter()
        .map(|table| Arc::new(written(table).read(numbers(system)).expect("an automaton")))
        .collect();
    parse(&text, &automata).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn written(table: &Table) -> Written {
    let state = |(accepts, to): &(bool, Vec<usize>)| {
        let to: Vec<String> = to.iter().map(ToString::to_string).collect();
        format!("{} {}", if *accepts { "yes" } else { "no" }, to.join(" "))
    };
    Written { reads: table.reads, states: table.states.iter().map(state).collect(), heaps: None }
}

/// Whether nothing makes the formula true, by its text and the plain procedure.
fn plainly_never(formula: &Formula, system: System) -> Result<bool, Halt> {
    decide(&never(formula, system), numbers(system), &Limits { entries: 1 << 20, ..Limits::default() })
}

/// What is decided by small automata.
fn soon() -> Limit {
    Limit { states: 5000, tests: 100_000, ..Limit::default() }
}

fn agree(formula: &Formula, system: System) {
    // What is too large for one of the two tells nothing.
    let same = |formula: &Formula, expected: bool, at: &[u64]| match plainly_never(formula, system) {
        Ok(never) => assert_eq!(never, expected, "{system:?} {at:?} {formula:?}"),
        Err(halt) => assert!(matches!(halt, Halt::Entries(_)), "{halt:?}"),
    };
    if let (Some(cases), Ok(own)) = (by_remainders(formula), compile(formula, system, &soon()))
        && let Ok(cases) = compile(&cases, system, &soon())
    {
        assert_eq!(own.is_empty(), cases.is_empty(), "{system:?} {formula:?}");
    }
    if let Ok(own) = solution(formula, system, &Limit::default()) {
        same(formula, own.is_none(), &[]);
    }
    for x in [0u64, 1, 2, 5, 13] {
        for y in [0u64, 1, 4] {
            for z in [0u64, 1, 6] {
                let mut values = vec![x, y, z, 0, 0];
                let fixed = |(track, n): (u32, &u64)| Formula::equal(&Linear::track(track), &Linear::number(*n));
                let at = Formula::all((0..3).zip(&values).map(fixed).chain([formula.clone()]));
                let expected = !holds(formula, system, &mut values, 6);
                same(&at, expected, &values);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 40, ..crate::seeds::cases(rounds(4, 40)) })]
    #[test]
    fn the_plain_procedure_in_base_2(formula in formulas(System::Binary)) {
        agree(&closed(formula), System::Binary);
    }

    #[test]
    fn the_plain_procedure_in_base_3(formula in formulas(System::Base(3))) {
        agree(&closed(formula), System::Base(3));
    }

    #[test]
    fn the_plain_procedure_in_base_6(formula in formulas(System::Base(6))) {
        agree(&closed(formula), System::Base(6));
    }

    #[test]
    fn the_plain_procedure_in_fibonacci_numbers(formula in formulas(System::ZECKENDORF)) {
        agree(&closed(formula), System::ZECKENDORF);
    }

    #[test]
    fn the_plain_procedure_in_numbers_of_square_roots(formula in formulas(System::Surd(2)), other in formulas(System::Surd(3))) {
        agree(&closed(formula), System::Surd(2));
        agree(&closed(other), System::Surd(3));
    }

    /// Without bounds for bound variables the truth is that of the other procedure, where both are done soon.
    #[test]
    fn unbounded_formulas(formula in formulas(System::Binary), golden in formulas(System::ZECKENDORF)) {
        for (formula, system) in [(formula, System::Binary), (golden, System::ZECKENDORF)] {
            let formula = Formula::for_all(vec![3], Formula::exists(vec![4], formula));
            let own = solution(&formula, system, &soon());
            let sentence = never(&formula, system);
            let plain = decide(&sentence, numbers(system), &Limits { entries: 1 << 18, ..Limits::default() });
            if let (Ok(own), Ok(plain)) = (own, plain) {
                prop_assert_eq!(plain, own.is_none(), "{:?} {:?}", system, formula);
            }
        }
    }
}

#[test]
fn large_multiples_and_constants() {
    let wide = |a: i64, b: i64, c: i64| {
        let sum = Linear::number(c).plus(&BigInt::from(a), &Linear::track(0));
        sum.plus(&BigInt::from(b), &Linear::track(1))
    };
    let mut compared = 0;
    for system in
        [System::Binary, System::Base(3), System::Base(10), System::ZECKENDORF, System::Surd(2), System::Surd(3)]
    {
        for (a, b, c) in [(3, -5, 1), (7, -21, 3), (-4, 6, -9), (12, 5, -1000), (2, 2, -77), (13, -8, 40)] {
            for formula in [
                Formula::equal(&wide(a, b, c), &Linear::default()),
                Formula::at_most(&wide(a, b, c), &Linear::default()),
                Formula::multiple(&wide(a, b, c), &BigInt::from(6)),
                Formula::multiple(&wide(a, b, c), &BigInt::from(6)).not(),
            ] {
                // At one point too: x = 17.
                let at = Formula::all([formula.clone(), Formula::equal(&Linear::track(0), &Linear::number(17))]);
                for formula in [formula, at] {
                    let Ok(own) = solution(&formula, system, &soon()) else { continue };
                    assert_eq!(plainly_never(&formula, system), Ok(own.is_none()), "{system:?} {formula:?}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 60, "{compared}");
}

/// Every sentence of the corpus, the false ones too: those of claims that fail, and of rankings that were tried.
#[test]
fn every_sentence_of_the_corpus_is_decided_alike() {
    let (mut alike, mut false_ones, mut halted, mut confirmed) = (0, 0, 0, 0);
    for (name, proofs) in corpus() {
        for proof in proofs {
            for decided in proof.decided.iter().step_by(rounds(36, 1)) {
                let limits = Limits { entries: rounds(1 << 18, 1 << 22), ..Limits::default() };
                let sentence = never(&decided.formula, decided.system);
                match decide(&sentence, numbers(decided.system), &limits) {
                    Ok(truth) => {
                        assert_eq!(truth, decided.never, "{name}: {:?}", decided.formula);
                        alike += 1;
                        false_ones += usize::from(!truth);
                    }
                    Err(_) => halted += 1,
                }
            }
            confirmed += usize::from(proof.certificate.is_some());
        }
    }
    println!("{alike} sentences alike, {false_ones} of them false, {halted} not decided, {confirmed} certificates");
    assert!(
        alike > rounds(12, 500) && false_ones > rounds(0, 8) && halted * 20 < alike,
        "{alike} {false_ones} {halted}"
    );
}

fn wrong(certificate: &Certificate) -> bool {
    matches!(certificate.verify(&Limits::default()), Err(Refusal::Wrong(_)))
}

/// Those of the page on proofs, and some short ones of the books.
fn small() -> Vec<Certificate> {
    let short = ["\"nim 2\"", "\"misere nim\"", "\"two phases\""];
    let of_page = corpus().iter().filter(|(name, _)| name.starts_with("docs")).flat_map(|(_, proofs)| proofs);
    let of_page = of_page.filter_map(|proof| proof.certificate.clone());
    let of_books = proofs::of("books").iter().filter_map(|proof| proof.certificate.clone());
    of_page.chain(of_books.filter(|known| short.iter().any(|title| known.statement.contains(title)))).collect()
}

#[test]
fn what_is_changed_is_not_confirmed() {
    let all = small();
    assert!(all.len() >= 9, "{}", all.len());
    for certificate in all.iter().step_by(rounds(2, 1)) {
        assert_eq!(certificate.verify(&Limits::default()), Ok(()), "{}", certificate.statement);
        let text = serde_json::to_string(certificate).expect("JSON");
        assert_eq!(serde_json::from_str::<Certificate>(&text).ok().as_ref(), Some(certificate), "as it was written");
        let changed = |change: &dyn Fn(&mut Certificate)| {
            let mut copy = certificate.clone();
            change(&mut copy);
            copy
        };
        assert!(wrong(&changed(&|c| c.grundy_proof_certificate = 2)));
        assert!(wrong(&changed(&|c| c.words = "claim \"other\": true".into())));
        assert!(wrong(&changed(&|c| c.words = String::new())));
        assert!(wrong(&changed(&|c| c.sentences += 1)));
        if certificate.played.is_some() {
            assert!(wrong(&changed(&|c| c.played = None)));
            continue;
        }
        assert!(wrong(&changed(&|c| c.cases.clear())));
        assert!(wrong(&changed(&|c| c.played = Some(1))));
        for (i, case) in certificate.cases.iter().enumerate().take(2) {
            assert!(wrong(&changed(&|c| c.cases[i].numbers = "base 17".into())));
            let unknown = serde_json::to_string(certificate).expect("JSON").replace(r#""by":""#, r#""by":"magic "#);
            assert!(serde_json::from_str::<Certificate>(&unknown).is_err());
            for (j, part) in case.parts.iter().enumerate() {
                let sentence = &part.sentence;
                let told = |new: String| changed(&|c| c.cases[i].parts[j].sentence.clone_from(&new));
                assert!(wrong(&changed(&|c| drop(c.cases[i].parts.remove(j)))), "{}", part.never);
                // A part that is needed is missed though the count is right; terms without a value are as many as they are.
                let spare = case.by == Method::Same && part.never.contains("smaller");
                if part.never != "a term may have no value" && !part.never.contains("number ") && !spare {
                    let dropped = changed(&|c| {
                        c.cases[i].parts.remove(j);
                        c.sentences -= 1;
                    });
                    assert!(wrong(&dropped), "{}", part.never);
                }
                // Negated, in two ways; replaced by something true that says nothing; cut off at any byte.
                assert!(wrong(&told(format!("(not {sentence})"))), "{sentence}");
                let inner = sentence.strip_prefix("(not ").and_then(|rest| rest.strip_suffix(')')).expect("never");
                assert!(wrong(&told(inner.to_string())), "{inner}");
                assert!(wrong(&told("(exists (x) (= x 3))".into())));
                assert!(wrong(&told(sentence[..sentence.len() - 1].to_string())), "{sentence}");
                for at in 0..sentence.len() {
                    assert!(parse(&sentence[..at], &[]).is_err(), "{}", &sentence[..at]);
                }
            }
        }
    }
}

/// Each number of a sentence made greater by one: some of these sentences are true again, and then another procedure agrees.
#[test]
fn changed_constants_never_confirm_what_is_false() {
    let (mut refused, mut stood) = (0, 0);
    for (name, proofs) in corpus().iter().filter(|(name, _)| name.starts_with("docs")) {
        for proof in proofs {
            for decided in proof.decided.iter().take(rounds(2, 4)) {
                for formula in mutants(&decided.formula) {
                    let Ok(own) = solution(&formula, decided.system, &soon()) else { continue };
                    let sentence = never(&formula, decided.system);
                    let limits = Limits { entries: rounds(1 << 15, 1 << 20), ..Limits::default() };
                    let Ok(plain) = decide(&sentence, numbers(decided.system), &limits) else { continue };
                    assert_eq!(plain, own.is_none(), "{name}: {formula:?}");
                    refused += usize::from(!plain);
                    stood += usize::from(plain);
                }
            }
        }
    }
    assert!(refused > rounds(0, 30), "{refused} became false, {stood} stayed true");
}

/// The formula with one of its sums changed by one, for each of the first eight.
fn mutants(formula: &Formula) -> Vec<Formula> {
    let mutant = |nth: usize| {
        let mut left = Some(nth);
        let made = mutant(formula, &mut left);
        left.is_none().then_some(made)
    };
    (0..rounds(1, 8)).filter_map(mutant).collect()
}

/// Changes the sum before which there are `left` others; then it is `None`.
fn mutant(formula: &Formula, left: &mut Option<usize>) -> Formula {
    match formula {
        Formula::Constant(_) => formula.clone(),
        Formula::Not(inner) => mutant(inner, left).not(),
        Formula::All(parts) => Formula::all(parts.iter().map(|part| mutant(part, left)).collect::<Vec<_>>()),
        Formula::Any(parts) => Formula::any(parts.iter().map(|part| mutant(part, left)).collect::<Vec<_>>()),
        Formula::Exists(tracks, inner) => Formula::exists(tracks.clone(), mutant(inner, left)),
        Formula::Atom(atom) => match (&**atom, *left) {
            (Atom::Sum(sum, sense), Some(0)) => {
                *left = None;
                let sum = sum.plus(&BigInt::from(1), &Linear::number(1));
                Formula::atom(Atom::Sum(sum, *sense))
            }
            (Atom::Sum(..), Some(count)) => {
                *left = Some(count - 1);
                formula.clone()
            }
            _ => formula.clone(),
        },
    }
}

fn grundy(folder: &Path, args: &[&str]) -> (String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(args)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (text(output.stdout) + &text(output.stderr), output.status.code())
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("grundy-certificates-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn broken_files_are_refused() {
    let folder = Folder::new("broken");
    folder.write(
        "g.game",
        "game G(n) { move take k in 1..min(n, 3) -> G(n - k) }
claim \"four\" for n in nat: grundy(G(n)) == n mod 4
claim \"again\" for n in nat: loses(G(n)) iff n mod 4 == 0\n",
    );
    let (told, code) = grundy(&folder.0, &["prove", "g.game", "--certificates", "out"]);
    assert!(told.contains("out/g-2.json") && told.contains("out/g-3.json") && code == Some(0), "{told}");
    let text = fs::read_to_string(folder.0.join("out/g-2.json")).expect("a certificate");
    let (told, code) = grundy(&folder.0, &["verify", "out/g-2.json"]);
    assert!(
        told.starts_with("CONFIRMED  claim \"four\": 5 sentences derived and decided again\n") && code == Some(0),
        "{told}"
    );
    let (told, code) = grundy(&folder.0, &["verify", "--json", "out/g-3.json"]);
    assert!(told.contains("\"confirmed\":true") && code == Some(0), "{told}");
    let refused = |text: &str, wanted: &[i32]| {
        folder.write("bad.json", text);
        let (told, code) = grundy(&folder.0, &["verify", "--time", "600s", "bad.json"]);
        assert!(wanted.contains(&code.expect("no signal")), "{code:?} {told}\n{}", &text[..text.len().min(300)]);
        assert!(!told.contains("CONFIRMED") && !told.contains("panicked"), "{told}");
    };
    for at in (0..text.len()).step_by(41) {
        refused(&text[..at], &[2]);
    }
    refused("[]", &[2]);
    refused("{\"grundy_proof_certificate\": -1}", &[2]);
    refused(&"[".repeat(100_000), &[2]);
    refused(&text.replace("\"sentences\"", "\"sentence_count\""), &[2]);
    refused(&text.replace("\"grundy_proof_certificate\": 1", "\"grundy_proof_certificate\": 7"), &[1]);
    refused(
        &text.replace("\"grundy_proof_certificate\": 1", "\"grundy_proof_certificate\": 99999999999999999999"),
        &[2],
    );
    refused(&text.replace("(not (exists", &format!("{}(not (exists", "(not ".repeat(100_000))), &[1]);
    refused(&text.replace(" 4 ", &format!(" {} ", "9".repeat(300))), &[1, 3]);
    refused(&text.replace(" 4 ", &format!(" {} ", "9".repeat(5000))), &[1]);
    refused(&text.replace("n mod 4", "n mod 5"), &[1]);
    refused(&text.replace("min(n, 3)", "min(n, 4)"), &[1]);
}

/// A statement whose sentences are true but speak of another game is found out by searching small positions.
#[test]
fn other_rules_are_found_out() {
    let folder = Folder::new("rules");
    folder.write(
        "g.game",
        "game G(n) { move take k in 1..n -> G(n - k) }\nclaim \"n\" for n in nat: grundy(G(n)) == n\n",
    );
    let (told, code) = grundy(&folder.0, &["prove", "g.game", "--certificates", "."]);
    assert_eq!(code, Some(0), "{told}");
    let text = fs::read_to_string(folder.0.join("g-2.json")).expect("a certificate");
    folder.write("other.json", &text.replace("1..n ", "2..n "));
    let (told, code) = grundy(&folder.0, &["verify", "other.json"]);
    assert!(told.starts_with("WRONG") && told.contains("n = 1") && code == Some(1), "{told}");
}

/// Certificates of finite ranges, of claims with a case for each instance, and of rankings: whatever is changed is refused.
#[test]
fn finite_and_ranked_certificates() {
    let folder = Folder::new("finite");
    let game = "# A finite range, cases, a ranking.
game Row[g: graph](at: vertex of g) { move go v in neighbours(g, at) where v < at -> Row(v) }
claim \"played\" for n in 1..6: loses(Row[path(n)](n - 1)) iff n mod 2 == 1
claim \"range\" for m in 0..5, n in nat: grundy(Bash[m](n)) == n mod (m + 1)
claim \"stairs\" for a, b in nat: loses(Steps(a, b)) iff a mod 2 == 0
game Steps(a, b) { move one where a > 0 -> Steps(a - 1, b + 2) }
game Bash[m](n) {
  move take k in 1..min(n, m) where m * m >= m -> Bash(n - k)
  theorem grundy = n mod (m + 1)
}
";
    folder.write("g.game", game);
    let (told, code) = grundy(&folder.0, &["prove", "g.game", "--certificates", "."]);
    assert_eq!(code, Some(3), "{told}");
    let (told, _) = grundy(&folder.0, &["verify", "g-9.json"]);
    let scope = "for m = 0 to m = 50; of other rule parameters and lengths it says nothing\n";
    assert!(told.contains(scope), "{told}");
    let verify = |text: &str| {
        folder.write("changed.json", text);
        grundy(&folder.0, &["verify", "--time", "600s", "changed.json"])
    };
    let read = |line: u32| {
        let text = fs::read_to_string(folder.0.join(format!("g-{line}.json"))).expect("a certificate");
        let (told, code) = verify(&text);
        assert!(told.starts_with("CONFIRMED") && code == Some(0), "{told}");
        text
    };
    let refused = |text: &str, old: &str, new: &str, why: &str| {
        assert!(text.contains(old), "{old}");
        let (told, code) = verify(&text.replace(old, new));
        assert!(told.starts_with("WRONG") && told.contains(why) && code == Some(1), "{old} {new}: {told}");
    };
    let played = read(3);
    assert!(played.contains("\"played\": 6"), "{played}");
    refused(&played, "\"played\": 6", "\"played\": 5", "there are 6 instances");
    refused(&played, "1..6", "1..7", "there are 7 instances");
    refused(&played, "n mod 2 == 1", "n mod 2 == 0", "n = 1");
    refused(&played, "n mod 2 == 1", "n mod 4 == 1", "n = 3");
    refused(&played, "where v < at", "where v > at", "n = 2");
    refused(&played, "game Row", "misere game Row", "n = 1");
    let (told, code) = verify(&played.replace("mod 2 == 1", "mod 2 == [1][n]"));
    assert!(!told.contains("CONFIRMED") && code != Some(0), "{told}");
    let range = read(4);
    refused(&range, "0..5", "0..6", "the case `m = 6` is missing");
    refused(&range, "== n mod (m + 1)", "== n mod (m + 2)", "m = 0, n = 1");
    refused(&range, "== n mod (m + 1)", "== (if m < 5 then n mod (m + 1) else 0)", "m = 5, n = 1");
    refused(&range, "== n mod (m + 1)", "== n mod [1, 2, 3, 4, 5][m]", "outside");
    refused(&range, "min(n, m)", "min(n, heaps)", "is no game");
    refused(&range, "Bash[m](n) {", "Bash[m]((n) {", "is no game");
    let stairs = read(5);
    assert!(stairs.contains("a move makes number 1 larger and leaves those before it in the ranking"), "{stairs}");
    refused(&stairs, "as they are: 1", "as they are: 2", "the ranking has 2 numbers");
    refused(&stairs, "as they are: 1", "as they are", "the ranking is missing");
    refused(&stairs, "makes number 1 larger", "makes number 1 smaller", "`number 1 has no upper bound` is missing");
    let bash = read(9);
    let changed = |line: u32, change: &dyn Fn(&mut Certificate)| {
        let text = fs::read_to_string(folder.0.join(format!("g-{line}.json"))).expect("a certificate");
        let mut certificate: Certificate = serde_json::from_str(&text).expect("a certificate");
        change(&mut certificate);
        certificate.sentences = certificate.cases.iter().map(|case| case.parts.len()).sum();
        verify(&serde_json::to_string(&certificate).expect("JSON"))
    };
    assert!(bash.contains("\"case\": \"m = 50\""), "{}", &bash[..300]);
    for (line, case) in [(4, 3), (4, 0), (9, 7), (9, 0)] {
        let (told, code) = changed(line, &|certificate| drop(certificate.cases.remove(case)));
        assert!(told.contains(&format!("the case `m = {case}` is missing")) && code == Some(1), "{told}");
    }
    let (told, code) = changed(5, &|certificate| {
        let parts = &mut certificate.cases[0].parts;
        parts.retain(|part| !part.never.contains("larger"));
    });
    assert!(told.contains("the ranking has 1 numbers, and 0 are spoken of") && code == Some(1), "{told}");
}

/// Lines about winning moves belong together: each has a certificate, and none is refused for what the others say.
#[test]
fn lines_about_winning_moves() {
    let folder = Folder::new("lines");
    let game = fs::read_to_string("games/lasker.game").expect("a game of the library");
    folder.write("lasker.game", &game);
    let (told, _) = grundy(&folder.0, &["prove", "lasker.game", "--certificates", "."]);
    let files: Vec<&str> = told.lines().filter_map(|line| line.trim().strip_prefix("proof ")).map(str::trim).collect();
    assert!(files.len() >= 3, "{told}");
    for file in files {
        let (told, code) = grundy(&folder.0, &["verify", file]);
        assert!(told.starts_with("CONFIRMED") && code == Some(0), "{told}");
    }
}

/// Random games with a period that is read off the values: what is proved goes through a file and is confirmed.
#[test]
fn random_games_go_through_a_file() {
    let (mut confirmed, mut seed) = (0, 11u64);
    let mut random = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    for _ in 0..25 {
        let (low, more, guard, misere) = (1 + random(3), random(3), random(4), random(4) == 0);
        let high = low + more;
        let word = if misere { "misere game" } else { "game" };
        let mut values: Vec<u64> = Vec::new();
        for n in 0..90u64 {
            let takes = (low..=high.min(n)).filter(|_| n >= guard);
            let seen: Vec<u64> = takes.map(|k| values[usize::try_from(n - k).expect("small")]).collect();
            let grundy = (0..=n).find(|v| !seen.contains(v)).expect("a value");
            values.push(if misere { u64::from(seen.is_empty() || seen.contains(&0)) } else { grundy });
        }
        let fits = |p: usize| (8..90 - p).all(|i| values[i] == values[i + p]);
        let Some(p) = (1..20).find(|&p| fits(p)) else { continue };
        let mut form = String::new();
        for (i, value) in values[..8].iter().enumerate() {
            write!(form, "if n == {i} then {value} else ").expect("text");
        }
        for (i, value) in values.iter().enumerate().skip(8).take(p - 1) {
            write!(form, "if n mod {p} == {} then {value} else ", i % p).expect("text");
        }
        let form = format!("({form}{})", values[8 + p - 1]);
        let claim = if misere { format!("wins(G(n)) iff {form} == 1") } else { format!("grundy(G(n)) == {form}") };
        let text = format!(
            "{word} G(n) {{ move m k in {low}..min(n, {high}), where n >= {guard} -> G(n - k) }}
claim \"x\" for n in nat: {claim}\n"
        );
        for proof in proofs::proofs("random", &text, USUAL) {
            let certificate = proof.certificate.unwrap_or_else(|| panic!("not proved\n{text}"));
            let json = serde_json::to_string_pretty(&certificate).expect("JSON");
            let read: Certificate = serde_json::from_str(&json).expect("as it was written");
            assert_eq!(read.verify(&Limits::default()), Ok(()), "{text}");
            confirmed += 1;
        }
    }
    assert!(confirmed > 12, "{confirmed}");
}

#[test]
fn false_claims_leave_no_certificate() {
    let all = proofs::of("false");
    assert!(all.len() > 5 && all.iter().all(|proof| proof.certificate.is_none()));
}

#[test]
fn limits_end_the_work() {
    let sentence = parse("(not (exists (x y) (= (* 1000003 x) (+ (* 999983 y) 1))))", &[]).expect("a sentence");
    let few = Limits { entries: 1000, ..Limits::default() };
    assert_eq!(decide(&sentence, Numbers::Base(2), &few), Err(Halt::Entries(1000)));
    let late = Limits { deadline: Some(Instant::now()), ..Limits::default() };
    assert_eq!(decide(&sentence, Numbers::Base(2), &late), Err(Halt::Time));
    let names: Vec<String> = (0..40).map(|i| format!("x{i}")).collect();
    let many = format!("(exists ({0}) (= (+ {0}) 7))", names.join(" "));
    assert_eq!(
        decide(&parse(&many, &[]).expect("a sentence"), Numbers::Base(2), &Limits::default()),
        Err(Halt::Variables(40))
    );
    assert!(matches!(parse("true", &[]), Ok(Sentence::Constant(true))));
}
