//! Sums that are one position, positions of which one is an option of the other, and draws: what is proved and what is refuted is held
//! against a search in the test.

use crate::proved::{SMALL, USUAL, findings, told};
use crate::rng::Rng;
use crate::rounds;
use std::fmt::Write as _;

/// A move of a heap as it is written, and where it leads.
type Rule = (&'static str, fn(usize) -> Vec<usize>);

const RULES: &[Rule] = &[
    ("one where n > 0 -> G(n - 1)", |n| if n > 0 { vec![n - 1] } else { Vec::new() }),
    ("any k in 1..n -> G(n - k)", |n| (0..n).collect()),
    ("few k in 1..min(n, 2) -> G(n - k)", |n| (1..=n.min(2)).map(|k| n - k).collect()),
    ("two where n >= 2 -> G(n - 2)", |n| if n >= 2 { vec![n - 2] } else { Vec::new() }),
    ("three k in {1, 3} where k <= n -> G(n - k)", |n| [1, 3].iter().filter(|k| **k <= n).map(|k| n - k).collect()),
    ("half where n > 0 -> G(n div 2)", |n| if n > 0 { vec![n / 2] } else { Vec::new() }),
    ("all where n > 0 -> G(0)", |n| if n > 0 { vec![0] } else { Vec::new() }),
    ("even m in 0..n - 1 where m mod 2 == 0 -> G(m)", |n| (0..n).step_by(2).collect()),
];

fn options(rules: &[&Rule], n: usize) -> Vec<usize> {
    rules.iter().flat_map(|(_, to)| to(n)).collect()
}

const MOST: usize = 12;

/// Whether the player to move loses the sum of two heaps, for all heaps below [`MOST`].
fn lost(games: [&[&Rule]; 2], misere: bool) -> Vec<Vec<bool>> {
    let mut lost = vec![vec![false; MOST]; MOST];
    for a in 0..MOST {
        for b in 0..MOST {
            let first = options(games[0], a).into_iter().map(|a| lost[a][b]);
            let mut after = first.collect::<Vec<_>>();
            after.extend(options(games[1], b).into_iter().map(|b| lost[a][b]));
            lost[a][b] = if after.is_empty() { !misere } else { !after.contains(&true) };
        }
    }
    lost
}

fn values(rules: &[&Rule]) -> Vec<usize> {
    let mut values: Vec<usize> = Vec::new();
    for n in 0..4 * MOST {
        let after: Vec<usize> = options(rules, n).into_iter().map(|m| values[m]).collect();
        values.push((0..=after.len()).find(|value| !after.contains(value)).expect("a value"));
    }
    values
}

type Form = (&'static str, fn(usize, usize) -> bool);

const FORMS: &[Form] = &[
    ("a == b", |a, b| a == b),
    ("if a <= 1 and b <= 1 then (a + b) mod 2 == 1 else a == b", |a, b| {
        if a <= 1 && b <= 1 { (a + b) % 2 == 1 } else { a == b }
    }),
    ("(a + b) mod 2 == 0", |a, b| (a + b) % 2 == 0),
    ("(a + b) mod 2 == 1", |a, b| (a + b) % 2 == 1),
    ("a mod 3 == b mod 3", |a, b| a % 3 == b % 3),
    ("if a mod 3 != 2 and b mod 3 != 2 then a mod 3 != b mod 3 else a mod 3 == b mod 3", |a, b| {
        if a % 3 != 2 && b % 3 != 2 { a % 3 != b % 3 } else { a % 3 == b % 3 }
    }),
    ("min(a, 1) == min(b, 1)", |a, b| a.min(1) == b.min(1)),
    ("min(a, 1) != min(b, 1)", |a, b| a.min(1) != b.min(1)),
    ("a mod 2 == 0 and b mod 2 == 0", |a, b| a % 2 == 0 && b % 2 == 0),
    ("a mod 2 == b mod 3 mod 2", |a, b| a % 2 == b % 3 % 2),
    ("a == b mod 2", |a, b| a == b % 2),
    ("a mod 2 == min(b, 1)", |a, b| a % 2 == b.min(1)),
    ("false", |_, _| false),
];

fn game(name: &str, rules: &[&Rule]) -> String {
    let mut text = format!("game {name}(n) {{\n");
    for (at, (rule, _)) in rules.iter().enumerate() {
        let (word, rest) = rule.split_once(' ').expect("a name");
        writeln!(text, "  move {word}{at} {}", rest.replace("G(", &format!("{name}("))).expect("a text");
    }
    text + "}\n"
}

#[test]
fn random_sums() {
    let mut rng = Rng::new(5);
    let (mut proved, mut refuted) = (0, 0);
    for _ in 0..rounds(100, 8000) {
        let mut draw = || -> Vec<&Rule> { (0..=rng.below(2)).map(|_| &RULES[rng.below(RULES.len())]).collect() };
        let (first, second) = (draw(), draw());
        let (alike, misere) = (rng.below(2) == 0, rng.below(3) > 0);
        let second = if alike { first.clone() } else { second };
        let lost = lost([&first, &second], misere);
        let all = || (0..MOST).flat_map(|a| (0..MOST).map(move |b| (a, b)));
        let holds = |form: &Form| all().all(|(a, b)| form.1(a, b) == lost[a][b]);
        let mut text = game("G", &first);
        if !alike {
            text += &game("H", &second);
        }
        let other = if alike { "G" } else { "H" };
        let word = if misere { "misere " } else { "" };
        let some = FORMS.iter().filter(|form| holds(form)).take(2).chain([&FORMS[rng.below(FORMS.len())]]);
        let some: Vec<&Form> = some.collect();
        for form in &some {
            writeln!(text, "claim \"x\" for a, b in nat: loses({word}(G(a) + {other}(b))) iff ({})", form.0)
                .expect("a text");
        }
        let ordered = "for a, b in nat where a < b";
        writeln!(text, "claim \"y\" {ordered}: wins({word}(G(a) + {other}(b)))").expect("a text");
        let told: Vec<String> = findings(&text, SMALL).iter().map(told).collect();
        let ordered = all().filter(|(a, b)| a < b).all(|(a, b)| !lost[a][b]);
        for (told, holds) in told.iter().zip(some.iter().map(|form| holds(form)).chain([ordered])) {
            assert!(holds || !told.starts_with("PROVED"), "{told}\n{text}");
            assert!(!holds || !told.starts_with("REFUTED"), "{told}\n{text}");
            proved += usize::from(told == "PROVED");
            refuted += usize::from(told.starts_with("REFUTED"));
        }
    }
    println!("{proved} proved, {refuted} refuted");
    assert!(proved > rounds(25, 2000) && refuted > rounds(100, 8000), "{proved} {refuted}");
}

#[test]
fn random_positions_of_which_one_is_an_option_of_the_other() {
    let mut rng = Rng::new(9);
    let (mut proved, mut refuted) = (0, 0);
    for _ in 0..rounds(80, 6000) {
        let rules: Vec<&Rule> = (0..=rng.below(2)).map(|_| &RULES[rng.below(RULES.len())]).collect();
        let values = values(&rules);
        let mut text = game("G", &rules);
        let mut all = Vec::new();
        for _ in 0..3 {
            let k = 1 + rng.below(3);
            let (second, to): (String, fn(usize, usize) -> usize) = match rng.below(4) {
                0 => (format!("n + {k}"), |n, k| n + k),
                1 => ("2 * n + 1".into(), |n, _| 2 * n + 1),
                2 => ("2 * n".into(), |n, _| 2 * n),
                _ => (format!("n div 2 + {k}"), |n, k| n / 2 + k),
            };
            let from = rng.below(3);
            let (statement, values_differ) = match rng.below(5) {
                0 => (format!("grundy(G(n)) != grundy(G({second}))"), true),
                1 => (format!("not grundy(G({second})) == grundy(G(n))"), true),
                2 => (format!("loses(G(n)) implies wins(G({second}))"), false),
                3 => (format!("wins(G({second})) or wins(G(n))"), false),
                _ => (format!("not (loses(G(n)) and loses(G({second})))"), false),
            };
            writeln!(text, "claim \"x\" for n in nat where n >= {from}: {statement}").expect("a text");
            let apart = |n: usize| {
                let (a, b) = (values[n], values[to(n, k)]);
                if values_differ { a != b } else { a != 0 || b != 0 }
            };
            all.push((from..MOST).all(apart));
        }
        let told: Vec<String> = findings(&text, SMALL).iter().map(told).collect();
        for (told, holds) in told.iter().zip(all) {
            assert!(holds || !told.starts_with("PROVED"), "{told}\n{text}");
            assert!(!holds || !told.starts_with("REFUTED"), "{told}\n{text}");
            proved += usize::from(told == "PROVED");
            refuted += usize::from(told.starts_with("REFUTED"));
        }
    }
    println!("{proved} proved, {refuted} refuted");
    assert!(proved > rounds(60, 4500) && refuted > rounds(60, 4500), "{proved} {refuted}");
}

/// Wythoff's values are no formula: that a move leads from one position to the other is enough.
#[test]
fn one_is_an_option_of_the_other() {
    let text = "game W(a, b) {
  move left k in 1..a -> W(a - k, b)
  move right k in 1..b -> W(a, b - k)
  move both k in 1..min(a, b) -> W(a - k, b - k)
}
claim \"\" for a, b, k in nat where k > 0: grundy(W(a, b)) != grundy(W(a, b + k))
claim \"\" for a, b, k in nat where k > 0: loses(W(a, b)) implies wins(W(a + k, b + k))
claim \"\" for a, b, k in nat: k > 0 implies not grundy(W(a + k, b)) == grundy(W(a, b))
claim \"\" for a, b, k in nat where k > 0: wins(W(a + k, b)) or wins(W(a, b))
claim \"\" for a, b, k in nat where k > 0: not (loses(W(a + k, b + k)) and loses(W(a, b)))
claim \"\" for a, b in nat where a != b: grundy(W(a, 3)) != grundy(W(b, 3))
claim \"\" for a, b, k in nat: grundy(W(a, b)) != grundy(W(a, b + k))
claim \"\" for a, b, k in nat where k > 0: grundy(W(a + k, b + 1)) != grundy(W(a, b))
";
    let verdicts: Vec<String> = findings(text, USUAL).iter().map(told).collect();
    assert!(verdicts[..6].iter().all(|told| told == "PROVED"), "{verdicts:?}");
    assert!(verdicts[6..].iter().all(|told| told.starts_with("REFUTED")), "{verdicts:?}");
    // There is no value where a move ends the whole play, and both may be drawn.
    let text = "game V(n) {
  move take k in 1..min(n, 3) -> if n - k == 5 then win else V(n - k)
}
claim \"\" for n in nat where n > 20: grundy(V(n)) != grundy(V(n + 1))
game D(n) {
  move take k in 1..min(n, 3) -> if n - k == 0 then draw else D(n - k)
}
claim \"\" for n in nat where n > 20: wins(D(n)) or wins(D(n + 1))
game S(n) {
  end when n == 0: score 0
  move take k in 1..min(n, 3) -> S(n - k)
}
claim \"\" for n in nat where n > 10 ** 9: not draws(S(n))
claim \"\" for n in nat where n > 10 ** 9: wins(S(n)) or wins(S(n + 1))
game T(n) { move take k in 1..min(n, 3) -> T(n - k) gain 0 }
claim \"\" for n in nat where n > 10 ** 9: not draws(T(n))
claim \"\" for n in nat where n > 10 ** 9: wins(T(n)) or wins(T(n + 1))
";
    let verdicts: Vec<String> = findings(text, USUAL).iter().map(told).collect();
    assert!(verdicts.iter().all(|told| told != "PROVED"), "{verdicts:?}");
}

#[test]
fn draws() {
    let cases = [
        ("move take k in 1..min(n, 3) -> G(n - k)", "draws iff false", "PROVED"),
        ("move take k in 1..min(n, 3) -> G(n - k)", "draws iff n < 0", "PROVED"),
        ("move take k in 1..min(n, 3) -> G(n - k)", "draws iff n == 3", "REFUTED n=3"),
        ("move take k in 1..min(n, 3) -> if n == k then draw else G(n - k)", "draws iff false", "REFUTED n=1"),
        (
            "move up -> G(n + 1)\n  move down where n > 0 -> G(n - 1)",
            "draws iff false",
            "UNKNOWN no ranking was found that every move lowers",
        ),
        ("end when n == 4: drawn\n  move take k in 1..min(n, 3) -> G(n - k)", "draws iff false", "REFUTED n=4"),
        ("end when n == 4: lost\n  move take k in 1..min(n, 3) -> G(n - k)", "draws iff false", "PROVED"),
    ];
    for (rules, theorem, verdict) in cases {
        let text = format!("game G(n) {{\n  {rules}\n  theorem {theorem}\n}}\n");
        assert_eq!(findings(&text, USUAL).iter().map(told).collect::<Vec<_>>(), [verdict], "{text}");
    }
    let claims = [
        ("not draws(misere (G(n) + G(2 * n)))", "PROVED"),
        ("outcome(G(n) + G(2 * n + 1)) in {\"first\", \"second\"}", "PROVED"),
        ("not draws(G(n))", "PROVED"),
        ("outcome(G(n)) != \"draw\"", "PROVED"),
        ("\"draw\" != outcome(G(n))", "PROVED"),
        ("outcome(G(n)) in {\"second\", \"first\"}", "PROVED"),
        ("outcome(G(n)) not in {\"draw\"}", "PROVED"),
        ("draws(G(n)) iff n + 1 == n", "PROVED"),
        ("n >= 5 implies not draws(G(n))", "PROVED"),
        ("outcome(G(n)) in {\"draw\", \"first\"}", "REFUTED n=0"),
        ("draws(G(n))", "REFUTED n=0"),
        ("draws(G(n)) iff n == 7", "REFUTED n=7"),
    ];
    for rules in ["k in 1..min(n, 3)", "k in 1..n where k * 3 <= n + 2"] {
        for (claim, verdict) in claims {
            let text = format!("game G(n) {{ move take {rules} -> G(n - k) }}\nclaim \"\" for n in nat: {claim}\n");
            assert_eq!(findings(&text, USUAL).iter().map(told).collect::<Vec<_>>(), [verdict], "{text}");
        }
    }
}
