//! Statements about games whose moves lead from one to the other: what is proved and refuted is held against a search in the test.

use crate::proved::{SMALL, USUAL, findings, told};
use crate::rng::Rng;
use crate::rounds;
use std::collections::HashMap;
use std::fmt::Write as _;

/// From a heap of at least `least` a move takes `take` and leads to a heap of another game, or of the same.
struct Step {
    take: usize,
    least: usize,
    to: usize,
}

const NAMES: [&str; 3] = ["A", "B", "C"];
/// So many heaps are searched.
const HEAPS: usize = 300;
/// A period and what comes before it are no longer.
const LONG: usize = 30;

/// The Grundy values, or 1 where the player to move loses and 0 elsewhere, of each game.
fn searched(games: &[Vec<Step>], values: bool) -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = vec![Vec::new(); games.len()];
    for heap in 0..HEAPS {
        // A move that takes nothing leads to a later game.
        for (at, steps) in games.iter().enumerate().rev() {
            let open = steps.iter().filter(|step| heap >= step.least);
            let options: Vec<usize> = open.map(|step| all[step.to][heap - step.take]).collect();
            let value = if values {
                (0..=options.len()).find(|value| !options.contains(value)).expect("one more than options")
            } else {
                usize::from(!options.contains(&1))
            };
            all[at].push(value);
        }
    }
    all
}

/// From where on a sequence repeats, and after how many.
fn period(of: &[usize]) -> Option<(usize, usize)> {
    (1..LONG).find_map(|period| {
        let start = (0..of.len() - period).rev().find(|&n| of[n] != of[n + period]).map_or(0, |n| n + 1);
        (start < LONG).then_some((start, period))
    })
}

fn list(numbers: impl IntoIterator<Item = usize>) -> String {
    numbers.into_iter().map(|n| n.to_string()).collect::<Vec<_>>().join(", ")
}

/// What is claimed of a game, in the language.
fn claim(name: &str, said: &[usize], (start, period): (usize, usize), values: bool) -> String {
    if values {
        let later = format!("[{}][(n - {start}) mod {period}]", list(said[start..start + period].iter().copied()));
        let first = list(said[..start].iter().copied());
        let all = if start == 0 { later } else { format!("if n < {start} then [{first}][n] else {later}") };
        return format!("claim \"{name}\" for n in nat: grundy({name}(n)) == ({all})\n");
    }
    let first = list((0..start).filter(|n| said[*n] == 1));
    let later = list((start..start + period).filter(|n| said[*n] == 1).map(|n| n % period));
    let set =
        |inner: &str, items: &str| if items.is_empty() { "false".into() } else { format!("{inner} in {{{items}}}") };
    let (first, later) = (set("n", &first), set(&format!("n mod {period}"), &later));
    format!("claim \"{name}\" for n in nat: loses({name}(n)) iff {first} or n >= {start} and {later}\n")
}

#[test]
fn games_that_lead_to_each_other() {
    let (mut proved, mut together, mut refuted) = (0, 0, 0);
    for seed in 0..rounds(40, 3000) {
        let mut rng = Rng::new(seed);
        let count = 2 + rng.below(2);
        let mut games: Vec<Vec<Step>> = Vec::new();
        for at in 0..count {
            let step = |rng: &mut Rng| {
                let to = rng.below(count);
                let take = if to > at { rng.below(4) } else { 1 + rng.below(4) };
                Step { take, least: take + rng.below(3), to }
            };
            games.push((0..=rng.below(3)).map(|_| step(&mut rng)).collect());
        }
        let values = rng.below(2) == 0;
        let (mut text, mut right) = (String::new(), Vec::new());
        for (at, steps) in games.iter().enumerate() {
            let _ = writeln!(text, "game {}(n) {{", NAMES[at]);
            for (i, Step { take, least, to }) in steps.iter().enumerate() {
                let _ = writeln!(text, "  move m{i} where n >= {least} -> {}(n - {take})", NAMES[*to]);
            }
            text += "}\n";
        }
        for (at, mut said) in searched(&games, values).into_iter().enumerate() {
            let Some((start, period)) = period(&said) else { continue };
            let wrong = rng.below(6) == 0;
            if wrong {
                let place = rng.below(start + period);
                said[place] = if values { said[place] + 1 } else { 1 - said[place] };
            }
            // A game of which nothing is said, now and then.
            if rng.below(8) > 0 {
                text += &claim(NAMES[at], &said, (start, period), values);
                right.push(!wrong);
            }
        }
        for (finding, right) in findings(&text, SMALL).iter().zip(right) {
            let told = told(finding);
            if told.starts_with("PROVED") {
                assert!(right, "seed {seed}: {told}\n{text}");
                proved += 1;
                let how = finding.verdict.as_ref().ok().and_then(|verdict| verdict.certificate());
                together += usize::from(how.is_some_and(|how| how.contains("together with")));
            } else if told.starts_with("REFUTED") {
                assert!(!right, "seed {seed}: {told}\n{text}");
                refuted += 1;
            }
        }
    }
    assert!(proved > 40 && together > 6 && refuted > 4, "{proved} proved, {together} together, {refuted} refuted");
}

fn verdicts(text: &str) -> Vec<String> {
    findings(text, USUAL).iter().map(told).collect()
}

#[test]
fn plays_that_do_not_end_are_no_proof() {
    let endless = "game A(n) { move go where n > 0 -> C(n - 1) }\n\
                   game C(n) { move go where n > 0 -> A(n + 1) }\n\
                   claim \"A\" for n in nat: loses(A(n)) iff n == 0\n\
                   claim \"C\" for n in nat: loses(C(n)) iff n == 0\n";
    // Each of the two follows from the other, and no play from A(1) comes to C(0) but this one.
    for told in verdicts(endless) {
        assert!(!told.starts_with("PROVED"), "{told}");
    }
    let around = "game A(n) { move go -> C(n) }\n game C(n) { move go -> A(n) }\n\
                  claim \"A\" for n in nat: loses(A(n))\nclaim \"C\" for n in nat: wins(C(n))\n";
    for told in verdicts(around) {
        assert!(!told.starts_with("PROVED"), "{told}");
    }
}

#[test]
fn three_games_truth_values_sums_and_parameters() {
    let text = "game A(n, more: bool) {\n  move take k in 1..n -> C(n - k, more)\n  move flip where more -> C(n, false)\n\
                theorem grundy = if more then n xor 1 else n\n}\n\
                game C(n, more: bool) {\n  move take k in 1..n -> A(n - k, more)\n  move flip where more -> A(n, false)\n\
                theorem grundy = if more then n xor 1 else n\n}\n\
                game D[m](n) { move take k in 1..min(m, n) -> E[m](n - k) }\n\
                game E[m](n) { move take k in 1..min(m, n) -> F[m](n - k) }\n\
                game F[m](n) { move take k in 1..min(m, n) -> D[m](n - k) }\n\
                claim \"D\" for m in 1..4, n in nat: grundy(D[m](n)) == n mod (m + 1)\n\
                claim \"E\" for m in 1..4, n in nat: grundy(E[m](n)) == n mod (m + 1)\n\
                claim \"F\" for m in 1..4, n in nat: grundy(F[m](n)) == n mod (m + 1)\n\
                game P(n) { move split a in 0..n - 1 -> Q(a) + P(n - 1 - a) }\n\
                game Q(n) { move split a in 0..n - 1 -> P(a) + Q(n - 1 - a) }\n\
                claim \"P\" for n in nat: grundy(P(n)) == n mod 2\n\
                claim \"Q\" for n in nat: grundy(Q(n)) == n mod 2\n";
    for told in verdicts(text) {
        assert!(told.starts_with("PROVED"), "{told}");
    }
}

/// How many may be taken from n with the parameter m, in the language and here.
type Taken = (&'static str, fn(usize, usize) -> std::ops::RangeInclusive<usize>);

const TAKEN: [Taken; 4] = [
    ("k in 1..min(n, m)", |n, m| 1..=n.min(m)),
    ("k in 1..min(n, m + 1)", |n, m| 1..=n.min(m + 1)),
    ("k in 1..1 where n >= 1", |n, _| 1..=n.min(1)),
    ("k in m..n where k >= 1", |n, m| m.max(1)..=n),
];

/// A closed form in the language and here.
type Form = (&'static str, fn(usize, usize) -> usize);

const FORMS: [Form; 6] = [
    ("n mod (m + 1)", |n, m| n % (m + 1)),
    ("n mod (m + 2)", |n, m| n % (m + 2)),
    ("n mod 2", |n, _| n % 2),
    ("min(n, m)", |n, m| n.min(m)),
    ("if n < m then 0 else n - m + 1", |n, m| if n < m { 0 } else { n - m + 1 }),
    ("n", |n, _| n),
];

/// Two games with a parameter whose moves lead from one to the other, with claims for all parameters: none is PROVED that fails for a small
/// one, none REFUTED that does not.
#[test]
fn games_that_lead_to_each_other_for_all_parameters() {
    const PARAMS: usize = 7;
    const HEAPS: usize = 50;
    let mut proved = 0;
    for seed in 0..rounds(120, 1000) {
        let rng = &mut Rng::new(seed);
        let games: Vec<Vec<(usize, usize)>> = (0..2)
            .map(|own| {
                let step = |rng: &mut Rng| (rng.below(TAKEN.len()), if rng.chance(80) { 1 - own } else { own });
                (0..=rng.below(2)).map(|_| step(rng)).collect()
            })
            .collect();
        let mut value: HashMap<(usize, usize, usize), usize> = HashMap::new();
        for m in 0..PARAMS {
            for n in 0..HEAPS {
                for (at, steps) in games.iter().enumerate() {
                    let options: Vec<usize> = steps
                        .iter()
                        .flat_map(|(taken, to)| {
                            TAKEN[*taken].1(n, m).map(|k| value[&(*to, m, n - k)]).collect::<Vec<_>>()
                        })
                        .collect();
                    let least = (0..=options.len()).find(|v| !options.contains(v));
                    value.insert((at, m, n), least.expect("one more than options"));
                }
            }
        }
        let mut text = String::new();
        for (name, steps) in NAMES.iter().zip(&games) {
            let _ = writeln!(text, "game {name}[m](n) {{");
            for (i, (taken, to)) in steps.iter().enumerate() {
                let _ = writeln!(text, "  move t{i} {} -> {}[m](n - k)", TAKEN[*taken].0, NAMES[*to]);
            }
            text.push_str("}\n");
        }
        let least = rng.below(3);
        let holds: Vec<bool> = (0..2)
            .map(|at| {
                let right =
                    |form: &Form| (least..PARAMS).all(|m| (0..HEAPS).all(|n| value[&(at, m, n)] == form.1(n, m)));
                let form = FORMS.iter().find(|form| rng.chance(80) && right(form)).unwrap_or_else(|| rng.pick(&FORMS));
                let _ = writeln!(
                    text,
                    "claim \"{0}\" for m in nat where m >= {least}, n in nat: grundy({0}[m](n)) == ({1})",
                    NAMES[at], form.0
                );
                right(form)
            })
            .collect();
        for (finding, holds) in findings(&text, SMALL).iter().zip(holds) {
            let verdict = told(finding);
            assert!(verdict != "PROVED" || holds, "seed {seed}: {verdict}\n{text}");
            assert!(!verdict.starts_with("REFUTED") || !holds, "seed {seed}: {verdict}\n{text}");
            proved += usize::from(verdict == "PROVED");
        }
    }
    assert!(proved > rounds(12, 100usize), "{proved}");
}
