//! Proofs by induction: what is proved, what is refuted, and that neither is ever wrong.

use crate::corpus_of_proofs::GAMES;
use crate::proofs;
use crate::proved::{USUAL, told};
use grundy::answer::{Finding, Verdict};
use proptest::prelude::*;
use std::fmt::Write as _;

/// What became of each statement of a text.
fn findings(text: &str) -> Vec<Finding> {
    crate::proved::findings(text, USUAL)
}

fn small(text: &str) -> Vec<Finding> {
    crate::proved::findings(text, crate::proved::SMALL)
}

fn claims(claims: &str) -> Vec<String> {
    findings(&format!("{GAMES}{claims}")).iter().map(told).collect()
}

#[test]
fn theorems_of_the_books() {
    for (i, proof) in proofs::of("books").iter().enumerate() {
        assert!(proof.told.starts_with("PROVED"), "claim {i}: {}", proof.told);
    }
}

#[test]
fn false_statements_fall_at_their_least_counterexample() {
    let expected = [
        "REFUTED n=2",
        "REFUTED n=0",
        "REFUTED n=5000",
        "REFUTED n=1000000",
        "REFUTED a=1 b=1",
        "REFUTED a=1 b=1",
        "REFUTED a=0",
    ];
    for (proof, expected) in proofs::of("false").iter().zip(expected) {
        let told = &proof.told;
        assert!(told == expected || told.starts_with("UNKNOWN") && expected.ends_with("a=0"), "{told} {expected}");
    }
}

#[test]
fn what_stands_in_the_way_is_said() {
    let text = "
claim \"square\" for n in nat: loses(Lasker(n)) iff n * n + n == 0
claim \"part of all\" for a in nat: grundy(Nim([a, 3])) == a xor 3
claim \"products\" for n in nat: loses(Lasker(n)) iff nim_product(n, 2) == 0
";
    let expected = ["a product of two variables", "moves lead from its positions to others", "this word"];
    for (told, expected) in claims(text).into_iter().zip(expected) {
        assert!(told.starts_with("UNKNOWN") && told.contains(expected), "{told}");
    }
    let endless = "game G(n) { move up -> G(n + 1) }\nclaim \"x\" for n in nat: loses(G(n))\n";
    assert!(told(&findings(endless)[0]).starts_with("UNKNOWN"), "{endless}");
    let outside = "game G(n) { move down -> G(n - 1) }\nclaim \"x\" for n in nat: wins(G(n)) iff n mod 2 == 1\n";
    assert!(told(&findings(outside)[0]).starts_with("UNKNOWN"), "{outside}");
    let undefined = "game G(n) { move down where n > 0 -> G(n - 1) }
claim \"x\" for n in nat: grundy(G(n)) == (n - 1) xor (n - 1) xor n mod 2\n";
    assert!(!told(&findings(undefined)[0]).starts_with("PROVED"), "{undefined}");
}

/// Each of these was once called PROVED, or would have been: what is said holds of naturals only, in one branch only, or not of an
/// endless play.
#[test]
fn nothing_false_is_proved() {
    for text in [
        // From every position a move leads on for ever: a draw.
        "game G(n: int) { move down -> G(n - 1) }\nclaim \"x\" for n in nat: loses(G(n)) iff n mod 2 == 0\n",
        // In the branch for small n the other branch has no value.
        "game G(n) { move take k in 1..n -> G(n - k) }
claim \"x\" for n in nat: grundy(G(n)) == (if n >= 3 then ((n - 3) xor 1 xor 1) + 3 else 7)\n",
        "game G(n) { move take k in 1..n -> G(n - k) }
claim \"x\" for n in nat: grundy(G(n)) == (if n >= 3 then (n - 3) div 1 + 3 else 7)\n",
        "game G(n) { move one where n == 1 -> G(0) }
claim \"x\" for n in nat: grundy(G(n)) == (if n >= 2 then (n - 2) div 1 - (n - 2) else 0)\n",
    ] {
        let told = told(&findings(text)[0]);
        assert!(!told.starts_with("PROVED"), "{told}\n{text}");
    }
    let text = "game G(n) { move take k in 1..n -> G(n - k) }
claim \"x\" for n in nat: grundy(G(n)) == (if n >= 3 then ((n - 3) xor 1 xor 1) + 3 else 7)\n";
    assert_eq!(told(&findings(text)[0]), "REFUTED n=0");
}

/// A stated move that no position has is not passed over because it is below 0.
#[test]
fn stated_moves_that_do_not_exist() {
    let game = |stated: &str| {
        format!(
            "game G(n) {{
  move take k in 1..min(n, 4) -> G(n - k)
  theorem grundy = n mod 5
  theorem winning take for {stated}
}}\n"
        )
    };
    let told = |stated: &str| findings(&game(stated)).iter().map(told).collect::<Vec<_>>();
    assert_eq!(told("k = n mod 5, where k > 0"), ["PROVED", "PROVED"]);
    let wrong = [
        ("k = n mod 5", "REFUTED n=0"),
        ("k = (if n mod 5 == 0 then -1 else n mod 5)", "REFUTED n=0"),
        ("k = n mod 5 + 5, where k < 9", "REFUTED n=0"),
        ("k = 1, where n mod 5 == 1", "REFUTED n=2"),
    ];
    for (stated, fails) in wrong {
        assert_eq!(told(stated)[1], fails, "{stated}");
    }
}

/// What docs/proving.md measures is proved, all of it.
#[test]
fn proofs_that_are_measured() {
    for entry in std::fs::read_dir("benches/games/proofs").expect("the folder is in the tree") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        for finding in findings(&text) {
            let bound = finding.bound.as_deref().unwrap_or_default();
            let part = bound.ends_with("one proof each");
            assert_eq!(told(&finding), if part { "PROVED_PART" } else { "PROVED" }, "{}: {bound}", path.display());
            // The header leaves up to four chips, and all of that is proved.
            assert!(!path.ends_with("georgia_bob.game") || !part, "{bound}");
        }
    }
}

/// Mock Turtles: values 1, 2, 4, 7, 8, 11, .. with oddly many digits 1 (Winning Ways, chapter 14).
#[test]
fn digit_sums() {
    let told = |claim: &str| {
        let text = format!(
            "game Mock(n) {{
  move one                            -> 0 * Mock(0)
  move two   y in 0..n - 1            -> Mock(y)
  move three y in 0..n - 1, z in 0..y - 1 -> Mock(y) + Mock(z)
}}
claim \"x\" for {claim}\n"
        );
        findings(&text).iter().map(told).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(told("n in nat: grundy(Mock(n)) == 2 * n + (sum(digits(n, 2)) + 1) mod 2"), "PROVED");
    assert_eq!(told("n in nat: grundy(Mock(n)) == 2 * n + sum(digits(n, 2)) mod 2"), "REFUTED n=0");
    let late = "n in nat: grundy(Mock(n)) == 2 * n + (sum(digits(n, 2)) + (if sum(digits(n, 2)) == 1 and n > 90 then 0 else 1)) mod 2";
    assert_eq!(told(late), "REFUTED n=128");
    let then = |claim: &str| {
        told(&format!(
            "n in nat: grundy(Mock(n)) == 2 * n + (sum(digits(n, 2)) + 1) mod 2\nclaim \"y\" for n in nat {claim}"
        ))
    };
    assert_eq!(then("where sum(digits(n, 2)) == 1: wins(Mock(n))"), "PROVED, PROVED");
    assert_eq!(then("where sum(digits(n, 2)) == 1: grundy(Mock(n)) == 2 * n"), "PROVED, PROVED");
    assert_eq!(then("where sum(digits(n, 2)) == 0: loses(Mock(n))"), "PROVED, REFUTED n=0");
    assert_eq!(then("where n >= 4: grundy(Mock(n)) >= 9 or sum(digits(n, 2)) == 1"), "PROVED, PROVED");
    assert_eq!(then("where n >= 4: grundy(Mock(n)) > 12 or sum(digits(n, 2)) == 1"), "PROVED, REFUTED n=5");
}

#[test]
fn outcomes_by_cases() {
    let told = |a: &str, b: &str| {
        claims(&format!("claim \"x\" for a, b in nat: outcome(Nim([a, b])) == (if a == b then \"{a}\" else \"{b}\")\n"))
            .remove(0)
    };
    assert_eq!(told("second", "first"), "PROVED");
    assert_eq!(told("first", "second"), "REFUTED a=0 b=0");
    assert!(!told("second", "draw").starts_with("PROVED") && !told("first", "first").starts_with("PROVED"));
    let other =
        claims("claim \"x\" for a, b in nat: outcome(Nim([a, b])) == (if a != b then \"first\" else \"second\")\n");
    assert_eq!(other, ["PROVED"]);
}

#[test]
fn updates_of_many_items() {
    let game = |form: &str| {
        format!(
            "game Many[k](heaps: list of nat) {{
  move take t in choices(0..h for h in heaps) where count(x > 0 for x in t) in 1..k ->
    Many(heaps[i -= t[i] for i in indices(t) {form}])
}}
claim \"x\" for a, b, c in nat:
  loses(Many[2]([a, b, c])) iff all(count(bit(h, i) for h in [a, b, c]) mod 3 == 0 for i in 0..bits(a + b + c))\n"
        )
    };
    assert_eq!(told(&findings(&game(""))[0]), "PROVED");
    // Nothing comes away from the last heap: plays without end.
    assert!(!told(&findings(&game("where i < 2"))[0]).starts_with("PROVED"));
}

#[test]
fn the_least_counterexample_of_all_cases() {
    let text = "claim \"least\" for m in 1..9, n in nat:
  grundy(Bash[m](n)) == (if m == 1 and n >= 90 or m == 7 and n >= 2 then 9 else n mod (m + 1))\n";
    assert_eq!(claims(text), ["REFUTED m=7 n=2"]);
}

/// Bounds at the ends of machine numbers are bounds like others.
#[test]
fn bounds_at_the_ends_of_machine_numbers() {
    let game = "game One(n) { move take k in 1..min(n, 1) -> One(n - k) theorem grundy = n mod 2 }\n";
    for bound in ["9223372036854775807", "9223372036854775808", "9223372036854775809"] {
        let claims = [
            (format!("n <= {bound}: grundy(One(n)) == 5"), "REFUTED n=0"),
            (format!("n > 3 and n <= {bound}: loses(One(n))"), "REFUTED n=5"),
            (format!("n > 3 and n <= {bound}: grundy(One(n)) == n mod 2"), "PROVED"),
        ];
        for (claim, expected) in claims {
            let found = findings(&format!("{game}claim \"far\" for n in nat where {claim}"));
            assert_eq!(told(&found[1]), expected, "{claim}");
        }
    }
}

#[test]
fn definitions_without_end_end() {
    let text = "def f(n: nat): nat = if n mod 2 == 0 then f(n div 2) + f(n div 2 + 1) else f(n div 3) + f(n div 3 + 2)
claim \"deep\" for n in nat: grundy(Lasker(n)) == f(n)\n";
    let told = claims(text);
    assert!(told[0].starts_with("UNKNOWN"), "{told:?}");
}

/// One move: some number from `low` to `high` is taken, when at least `guard` are there; from a second heap, if `second`; the
/// rest may be split in two.
#[derive(Clone, Debug)]
struct Move {
    low: u64,
    high: u64,
    guard: u64,
    split: bool,
}

#[derive(Clone, Debug)]
struct Game {
    misere: bool,
    moves: Vec<Move>,
}

impl Game {
    fn text(&self) -> String {
        let mut text = String::from(if self.misere { "misere game G(n) {\n" } else { "game G(n) {\n" });
        for (i, Move { low, high, guard, split }) in self.moves.iter().enumerate() {
            let target = if *split { ", a in 0..n - k -> G(a) + G(n - k - a)" } else { " -> G(n - k)" };
            writeln!(text, "  move m{i} k in {low}..min(n, {high}), where n >= {guard}{target}").expect("text");
        }
        text + "}\n"
    }

    /// Grundy values below `most`; in misere play 0 where the player to move loses, else 1.
    fn values(&self, most: u64) -> Vec<u64> {
        let mut values: Vec<u64> = Vec::new();
        for n in 0..most {
            let mut seen = Vec::new();
            for m in &self.moves {
                if n < m.guard {
                    continue;
                }
                for k in m.low..=m.high.min(n) {
                    let rest = n - k;
                    let at = |i: u64| values[usize::try_from(i).expect("small")];
                    if m.split {
                        seen.extend((0..=rest).map(|a| at(a) ^ at(rest - a)));
                    } else {
                        seen.push(at(rest));
                    }
                }
            }
            values.push(if self.misere {
                u64::from(seen.is_empty() || seen.contains(&0))
            } else {
                (0..=seen.len() as u64).find(|v| !seen.contains(v)).expect("a value")
            });
        }
        values
    }
}

fn games() -> impl Strategy<Value = Game> {
    let one = (1u64..4, 0u64..3, 0u64..4, prop::bool::weighted(0.15)).prop_map(|(low, more, guard, split)| Move {
        low,
        high: low + more,
        guard,
        split,
    });
    (prop::collection::vec(one, 1..3), prop::bool::weighted(0.25)).prop_map(|(mut moves, misere)| {
        for m in &mut moves {
            m.split &= !misere;
        }
        Game { misere, moves }
    })
}

/// The least period, with what comes before it, seen three times.
fn period(values: &[u64]) -> Option<(usize, usize)> {
    (1..values.len() / 4).find_map(|p| {
        let before = (0..values.len() - p).rev().find(|&i| values[i] != values[i + p]).map_or(0, |i| i + 1);
        (before + 3 * p <= values.len() && before < values.len() / 4).then_some((before, p))
    })
}

/// A closed form as a term of the language: the values before the period, then those by remainders.
fn formula(values: &[u64], before: usize, p: usize, change: Option<usize>) -> String {
    let value = |i: usize| values[i] + u64::from(change == Some(i));
    let mut text = String::new();
    for i in 0..before {
        write!(text, "if n == {i} then {} else ", value(i)).expect("text");
    }
    for i in before..before + p - 1 {
        write!(text, "if n mod {p} == {} then {} else ", i % p, value(i)).expect("text");
    }
    format!("({text}{})", value(before + p - 1))
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 30, ..crate::seeds::cases(60) })]
    /// Closed forms read off the values are proved, and any change of them is refuted where it first shows.
    #[test]
    fn random_games_and_claims(game in games(), change in 0usize..12, asked in 0u64..6) {
        let values = game.values(240);
        let question = |form: &str| {
            let claimed = if game.misere { format!("wins(G(n)) iff {form} == 1") } else { format!("grundy(G(n)) == {form}") };
            format!("{}claim \"x\" for n in nat: {claimed}\n", game.text())
        };
        if let Some((before, p)) = period(&values[..120]) {
            prop_assume!(before + p < 24);
            let right = question(&formula(&values, before, p, None));
            let found = &small(&right)[0];
            let word = told(found);
            prop_assert!(!word.starts_with("REFUTED") && !word.starts_with("ERROR"), "{word}\n{right}");
            if word == "PROVED" {
                for (n, value) in values.iter().enumerate() {
                    let i = if n < before { n } else { before + (n - before) % p };
                    prop_assert_eq!(values[i], *value, "{}", right);
                }
            }
            let at = change % (before + p);
            let wrong = question(&formula(&values, before, p, Some(at)));
            let word = told(&small(&wrong)[0]);
            let first = format!("REFUTED n={at}");
            prop_assert!(word == first || word.starts_with("UNKNOWN"), "{word} {first}\n{wrong}");
            prop_assert!(word != "PROVED");
        }
        // A claim out of the blue: never proved where it is false.
        let forms = ["n mod 2", "n mod 3", "(n + 1) mod 4 div 2", "(if n < 7 then n else 0)", "n", "n xor 1"];
        let form = forms[usize::try_from(asked).expect("small")];
        let blind = question(form);
        let truth = |n: u64| match asked {
            0 => n % 2,
            1 => n % 3,
            2 => (n + 1) % 4 / 2,
            3 => if n < 7 { n } else { 0 },
            4 => n,
            _ => n ^ 1,
        };
        let wrong = values.iter().zip(0u64..).find(|&(&value, n)| {
            if game.misere { (value == 1) != (truth(n) == 1) } else { value != truth(n) }
        }).map(|(_, n)| n);
        let word = told(&small(&blind)[0]);
        match wrong {
            Some(n) => prop_assert!(word == format!("REFUTED n={n}") || word.starts_with("UNKNOWN"), "{word} {n}\n{blind}"),
            None => prop_assert!(!word.starts_with("REFUTED"), "{word}\n{blind}"),
        }
    }
}

/// A proof for some rule parameters and lengths is called so, unless the header or the guard leaves no others.
#[test]
fn proofs_for_a_part_are_told_from_others() {
    let bash = |header: &str, guard: &str| {
        format!(
            "game B[m](n){header} {{\n  move take k in 1..min(n, m) where m * m >= m -> B(n - k)\n  theorem loses iff n mod (m + 1) == 0{guard}\n}}\n"
        )
    };
    let nim = |header: &str, guard: &str| {
        format!(
            "game N(h: list of nat){header} {{\n  move take i in indices(h), k in 1..h[i] -> N(h[i := h[i] - k])\n  theorem loses iff xor(h) == 0{guard}\n}}\n"
        )
    };
    // A product of a rule parameter with itself keeps it from being a variable of one proof. The theorems are true of all; how far they are proved was counted by hand in the source: parameters to 50, lengths to 6.
    let cases = [
        (bash("", ""), "PROVED_PART"),
        (bash(" where m <= 50", ""), "PROVED"),
        (bash(" where m <= 51", ""), "PROVED_PART"),
        (bash(" where m < 51", ""), "PROVED"),
        (bash(" where 50 >= m", ""), "PROVED"),
        (bash(" where m in 2..9", ""), "PROVED"),
        (bash(" where 1 <= m <= 9", ""), "PROVED"),
        (bash(" where n < 9", ""), "PROVED_PART"),
        (bash(" where n < 9 and m == 3", ""), "PROVED"),
        (bash(" where m <= 9 or n < 9", ""), "PROVED_PART"),
        (bash(" where not m <= 9", ""), "PROVED_PART"),
        (bash("", " where m <= 9"), "PROVED"),
        (bash(" where m <= 60", " where m <= 9"), "PROVED"),
        (bash("", " where m >= 9"), "PROVED_PART"),
        (nim("", ""), "PROVED_PART"),
        (nim(" where size(h) <= 6", ""), "PROVED"),
        (nim(" where size(h) <= 7", ""), "PROVED_PART"),
        (nim(" where size(h) == 3", ""), "PROVED"),
        (nim(" where max([0] + h) <= 3", ""), "PROVED_PART"),
        (nim("", " where size(h) < 4"), "PROVED"),
    ];
    for (text, wanted) in cases {
        let found = findings(&text);
        assert_eq!(told(&found[0]), wanted, "{text}");
        let part = wanted == "PROVED_PART";
        assert_eq!((found[0].success(), found[0].exit_code()), (!part, if part { 3 } else { 0 }), "{text}");
    }
    // False at m = 51 and at lengths of 7 only: never proved.
    let false_far = [bash("", " or m == 51 and n == 1"), nim("", " or size(h) == 7")];
    for text in false_far {
        assert_ne!(told(&findings(&text)[0]), "PROVED", "{text}");
    }
    // A closed form of one rule parameter that is no natural number, where the theorem is false of another far away.
    let pair = |kind: &str, far: &str, header: &str| {
        format!(
            "game U[t: {kind}](a, b){header} {{\n  move left k in 1..(if t == {far} then min(a, 2) else a) -> U(a - k, b)\n  \
             move right k in 1..b -> U(a, b - k)\n  theorem winning left for k = a - b where k > 0\n  \
             theorem winning right for k = b - a where k > 0\n}}\n"
        )
    };
    let others = [
        ("text", "\"abcdefghij\"", "\"a\"", ""),
        ("int", "-500", "3", ""),
        ("int", "-500", "0", " where t <= 0"),
        ("set of nat", "{400}", "{1, 2}", ""),
        ("bool", "false", "true", ""),
    ];
    for (kind, far, here, header) in others {
        let text =
            pair(kind, far, header) + &format!("claim \"z\" for a, b in nat: loses(U[{here}](a, b)) iff a == b\n");
        let all: Vec<String> = findings(&text).iter().map(told).collect();
        let refuted = kind == "bool";
        assert!(
            all[..2].iter().all(|told| told == "PROVED_PART" || refuted && told.starts_with("REFUTED")),
            "{all:?}: {text}"
        );
        assert_eq!(all[2], "PROVED", "{text}");
    }
    let Ok(Verdict::ProvedPart { scope, .. }) = &findings(&nim("", ""))[0].verdict else { panic!("a part") };
    let lengths: Vec<Vec<usize>> = (0..=6).map(|length| vec![length]).collect();
    assert_eq!((scope.parameters.len(), &scope.parts[0].lengths), (0, &lengths));
}
