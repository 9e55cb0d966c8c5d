//! Certificates of proofs that rest on the period of heaps, or on finitely many instances: what is proved is confirmed, and no
//! number in them can be changed so that something false is.

use crate::proved::{USUAL, ctx, program};
use grundy::claims::File;
use grundy::prover::{arguments, certificate};
use grundy_verify::{Certificate, Limits, Refusal, Written};
use std::path::Path;
use std::process::Command;

const DAWSON: &str = "game Dawson(n) {
  move take i in 0..n - 2 -> Dawson(i) + Dawson(n - 2 - i)
  theorem loses iff n in {0, 1, 15, 35} or n mod 34 in {5, 9, 21, 25, 29}
}
claim \"the values repeat\" for n in nat where n >= 53: grundy(Dawson(n)) == grundy(Dawson(n + 34))
claim \"equal rows\" for a, b in nat where min(a, b) >= 53 and a mod 34 == b mod 34: loses(Dawson(a) + Dawson(b))
";
const BASH: &str = "game Bash[m](n) { move take k in 1..min(n, m) -> Bash(n - k) }
claim \"sums\" for a, b in nat: grundy(Bash[2](a) + Bash[3](b)) == (a mod 3 xor b mod 4)
claim \"two\" for n in nat, b in nat: loses(Bash[2](n) + Bash[2](b)) iff n mod 3 == b mod 3
";
const FINITE: &str = "game Nim(n) { move take k in 1..n -> Nim(n - k) }
misere game Pass(n, p: nat) { move take k in 1..min(n, 2) -> Pass(n - k, p) move pass where p > 0 and n > 0 -> Pass(n, p - 1) }
game Ends(n) { move take k in 1..min(n, 3) -> if n - k == 4 then lose else if n == 7 and k == 1 then win else Ends(n - k)
  end when n == 2: won }
claim \"squares\" for a in 0..9: loses(Nim(a) + Nim(a * a)) iff a * a == a
claim \"with a pass\" for n in 0..12: loses(Pass(n, 1)) iff n * n in {4, 25, 64, 121}
claim \"ends\" for n in 0..12: wins(Ends(n)) iff not n * n in {0, 16, 25, 81}
";

/// The certificates of all statements that are proved.
fn certificates(text: &str) -> Vec<Certificate> {
    let (sources, own, program) = program(text);
    let file = File { sources: &sources, own };
    let mut all = Vec::new();
    arguments(&mut ctx(program), USUAL, file, &mut |finding, argument| {
        assert!(argument.beside.is_empty(), "{:?}", argument.beside);
        all.extend(certificate(&finding, &argument, file, &[]).expect("short enough"));
    });
    all
}

#[test]
fn what_rests_on_a_period_is_confirmed() {
    for (text, count) in [(DAWSON, 3), (BASH, 2)] {
        let all = certificates(text);
        assert_eq!(all.len(), count, "{:?}", all.iter().map(|c| c.statement.as_str()).collect::<Vec<_>>());
        assert!(all.iter().all(|certificate| !certificate.heaps.is_empty()));
        for certificate in all {
            assert_eq!(certificate.verify(&Limits::default()), Ok(()), "{}", certificate.statement);
        }
    }
}

fn refused(certificate: &Certificate) -> bool {
    matches!(certificate.verify(&Limits::default()), Err(Refusal::Wrong(_)))
}

#[test]
fn a_changed_period_is_refused() {
    let all = certificates(DAWSON);
    let certificate = &all[1];
    let changed = |change: &dyn Fn(&mut Certificate)| {
        let mut copy = certificate.clone();
        change(&mut copy);
        copy
    };
    assert!(refused(&changed(&|c| c.heaps.clear())));
    assert!(refused(&changed(&|c| c.played = Some(3))));
    assert!(refused(&changed(&|c| c.heaps[0].period.code = "0.77".into())));
    assert!(refused(&changed(&|c| c.heaps[0].period.code = "0.007".into())));
    assert!(refused(&changed(&|c| c.heaps[0].period.code = "{1,2}".into())));
    assert!(refused(&changed(&|c| c.heaps[0].period.theorem = "magic".into())));
    for by in [1, 34] {
        assert!(refused(&changed(&|c| c.heaps[0].period.period += by)));
        assert!(refused(&changed(&|c| c.heaps[0].period.preperiod += by)));
        assert!(refused(&changed(&|c| c.heaps[0].period.preperiod -= by)));
        assert!(refused(&changed(&|c| c.heaps[0].period.saltus += by)));
        assert!(refused(&changed(&|c| c.heaps[0].period.values -= by)));
    }
    // No heaps, and others.
    assert!(refused(&changed(&|c| c.cases[0].automata[0].heaps = Some(1))));
    let twice = changed(&|c| {
        let again = c.cases[0].automata[0].clone();
        c.cases[0].automata.push(Written { states: vec!["yes 0 0 0 0".into()], ..again });
    });
    assert!(refused(&twice));
}

/// The states of an automaton, to be run.
fn accepts(written: &Written, mut n: usize, mut value: usize) -> Option<bool> {
    let states: Option<Vec<Vec<usize>>> = written
        .states
        .iter()
        .map(|state| state.split_whitespace().skip(1).map(|word| word.parse().ok()).collect())
        .collect();
    let states = states?;
    let mut at = 0;
    while n + value > 0 {
        at = *states.get(at)?.get(n % 2 + 2 * (value % 2))?;
        (n, value) = (n / 2, value / 2);
    }
    Some(written.states.get(at)?.starts_with("yes"))
}

#[test]
fn a_changed_automaton_of_heaps_is_refused() {
    let all = certificates(BASH);
    let (mut changed, mut harmless) = (0, 0);
    for certificate in &all {
        for (which, written) in certificate.cases[0].automata.iter().enumerate() {
            for (at, state) in written.states.iter().enumerate() {
                let words: Vec<&str> = state.split_whitespace().collect();
                for word in 0..words.len() {
                    let mut new: Vec<String> = words.iter().map(ToString::to_string).collect();
                    new[word] = match words[word] {
                        "yes" => "no".into(),
                        "no" => "yes".into(),
                        to => ((to.parse::<usize>().expect("a state") + 1) % written.states.len()).to_string(),
                    };
                    let mut copy = certificate.clone();
                    copy.cases[0].automata[which].states[at] = new.join(" ");
                    let other = &copy.cases[0].automata[which];
                    let same = (0..200).all(|n| (0..9).all(|v| accepts(other, n, v) == accepts(written, n, v)));
                    if same && copy.verify(&Limits::default()).is_ok() {
                        harmless += 1;
                    } else {
                        assert!(refused(&copy), "{} {which} {at} {word}", certificate.statement);
                        changed += 1;
                    }
                }
            }
        }
    }
    assert!(changed > 50 && harmless * 5 < changed, "{changed} {harmless}");
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

#[test]
fn files_are_confirmed_and_files_about_other_games_are_not() {
    let folder = std::env::temp_dir().join(format!("grundy-periods-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, text, lines) in [("dawson", DAWSON, &[3, 5, 6][..]), ("finite", FINITE, &[5, 6, 7])] {
        std::fs::write(folder.join(format!("{name}.game")), text).expect("written");
        let (told, code) = grundy(&folder, &["prove", &format!("{name}.game"), "--certificates", "proofs"]);
        assert_eq!(code, Some(0), "{told}");
        for line in lines {
            let file = format!("proofs/{name}-{line}.json");
            let (told, code) = grundy(&folder, &["verify", &file]);
            assert!(told.starts_with("CONFIRMED") && code == Some(0), "{file}: {told}");
            // The same proof of a game in which one may take three, and of other numbers of instances.
            let json = std::fs::read_to_string(folder.join(&file)).expect("read");
            // With each change the files whose statements speak of what is changed.
            for (of, from, to) in [
                (
                    "dawson",
                    "Dawson(i) + Dawson(n - 2 - i)",
                    "Dawson(i) + Dawson(n - 2 - i) move more where n > 8 -> Dawson(n - 1)",
                ),
                ("finite-5", "k in 1..n ", "k in 1..min(n, 3) "),
                ("finite-6", "k in 1..min(n, 2)", "k in 1..min(n, 3)"),
                ("finite-7", "k in 1..min(n, 3) -> if", "k in 1..min(n, 2) -> if"),
                ("finite", "\"played\": 13", "\"played\": 12"),
                ("finite", "\"played\": 10", "\"played\": 11"),
            ] {
                let other = json.replace(from, to);
                if other != json && file.contains(of) {
                    std::fs::write(folder.join("other.json"), other).expect("written");
                    let (told, code) = grundy(&folder, &["verify", "other.json"]);
                    assert!(told.starts_with("WRONG") && code == Some(1), "{file} {to}: {told}");
                }
            }
        }
    }
    std::fs::remove_dir_all(folder).expect("removed");
}
