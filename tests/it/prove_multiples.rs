//! Statements about all values of a rule parameter, which divide by it: what is proved and refuted is held against a search in the test.

use crate::proved::{SMALL, USUAL, findings, told};
use crate::rng::Rng;
use crate::rounds;
use grundy::prover::Effort;

/// A move as it is written, and where it leads.
type Rule = (&'static str, fn(usize, usize) -> Vec<usize>);

const RULES: [Rule; 12] =
    [
        ("k in 1..min(n, m) -> G[m](n - k)", |m, n| (1..=n.min(m)).map(|k| n - k).collect()),
        ("k in 1..min(n, m) -> G(n - k)", |m, n| (1..=n.min(m)).map(|k| n - k).collect()),
        ("where n >= m and m > 0 -> G[m](n - m)", |m, n| if m > 0 && n >= m { vec![n - m] } else { Vec::new() }),
        ("where n > 0 -> G[m](n - 1)", |_, n| (1..=n.min(1)).map(|k| n - k).collect()),
        ("where n > m -> G[m](n - m - 1)", |m, n| if n > m { vec![n - m - 1] } else { Vec::new() }),
        ("k in 1..n where k mod (m + 1) == 0 -> G[m](n - k)", |m, n| {
            (1..=n).filter(|k| k % (m + 1) == 0).map(|k| n - k).collect()
        }),
        ("k in 1..n where k mod (m + 2) > 0 -> G[m](n - k)", |m, n| {
            (1..=n).filter(|k| k % (m + 2) > 0).map(|k| n - k).collect()
        }),
        ("k in 1..n div (m + 1) -> G[m](n - k * (m + 1))", |m, n| (1..=n / (m + 1)).map(|k| n - k * (m + 1)).collect()),
        ("where n mod (m + 1) > 0 -> G[m](n - n mod (m + 1))", |m, n| {
            if n % (m + 1) > 0 { vec![n - n % (m + 1)] } else { Vec::new() }
        }),
        ("k in 2..min(n, m + 1) -> G[m](n - k)", |m, n| (2..=n.min(m + 1)).map(|k| n - k).collect()),
        ("where m > 1, d = n div m where d > 0 -> G[m](n - m * d)", |m, n| {
            if m > 1 && n >= m { vec![n % m] } else { Vec::new() }
        }),
        ("where n >= 2 * m and m > 1 -> G[m](n - 2 * m)", |m, n| {
            if m > 1 && n >= 2 * m { vec![n - 2 * m] } else { Vec::new() }
        }),
    ];

type Number = (&'static str, fn(usize) -> usize);

const DIVISORS: [Number; 7] = [
    ("m + 1", |m| m + 1),
    ("m + 2", |m| m + 2),
    ("m + 3", |m| m + 3),
    ("2 * m + 1", |m| 2 * m + 1),
    ("2 * m + 2", |m| 2 * m + 2),
    ("2", |_| 2),
    ("3", |_| 3),
];

/// A value made of n, a divisor and m.
type Form = (&'static str, fn(usize, usize, usize) -> usize);

const VALUES: [Form; 7] = [
    ("n mod (D)", |n, d, _| n % d),
    ("n mod (D) mod 2", |n, d, _| n % d % 2),
    ("min(n mod (D), 1)", |n, d, _| (n % d).min(1)),
    ("(if n mod (D) < m then 0 else 1)", |n, d, m| usize::from(n % d >= m)),
    ("n - n mod (D)", |n, d, _| n - n % d),
    ("n mod (D) xor 1", |n, d, _| (n % d) ^ 1),
    ("(if n div (D) == 1 then 1 else 0)", |n, d, _| usize::from(n / d == 1)),
];

type Condition = (&'static str, fn(usize, usize, usize) -> bool);

const CONDITIONS: [Condition; 9] = [
    ("n mod (D) == 0", |n, d, _| n % d == 0),
    ("n mod (D) == 1", |n, d, _| n % d == 1),
    ("n mod (D) <= 1", |n, d, _| n % d <= 1),
    ("n mod (D) mod 2 == 0", |n, d, _| n % d % 2 == 0),
    ("n mod (D) < m", |n, d, m| n % d < m),
    ("n mod (D) == m", |n, d, m| n % d == m),
    ("n div (D) >= 1", |n, d, _| n >= d),
    ("n < D", |n, d, _| n < d),
    ("n == 0", |n, _, _| n == 0),
];

/// Heaps and rule parameters below these are searched.
const SEARCHED: (usize, usize) = (60, 9);

#[test]
fn all_rule_parameters_at_once() {
    let (most, params) = SEARCHED;
    let points = || (0..params).flat_map(move |m| (0..most).map(move |n| (m, n)));
    let (mut proved, mut refuted, mut open) = (0, 0, 0);
    let effort = Effort { states: 20_000, tests: 400_000, ..SMALL };
    for seed in 0..rounds(40, 400) {
        let mut rng = Rng::new(seed);
        let rules: Vec<&Rule> = (0..=rng.below(3)).map(|_| rng.pick(&RULES)).collect();
        let misere = rng.below(4) == 0;
        let mut known = vec![Vec::new(); params];
        for (m, n) in points() {
            let options: Vec<(usize, bool)> =
                rules.iter().flat_map(|(_, to)| to(m, n)).map(|to| known[m][to]).collect();
            let value = (0..=options.len()).find(|value| options.iter().all(|(other, _)| other != value));
            let lost = if options.is_empty() { !misere } else { options.iter().all(|(_, lost)| !lost) };
            known[m].push((value.expect("one more than options"), lost));
        }
        let moves: Vec<String> =
            rules.iter().enumerate().map(|(i, (text, _))| format!("  move m{i} {text}\n")).collect();
        let convention = if misere { "misere " } else { "" };
        let text = format!("{convention}game G[m](n) {{\n{}}}\n", moves.concat());
        // Those of many statements that are false the least often: most of them are nearly true.
        let mut claims: Vec<(usize, String)> = Vec::new();
        for _ in 0..60 {
            let least = rng.below(3);
            let guard = if least == 0 { String::new() } else { format!(" where m >= {least}") };
            let (by, divisor) = rng.pick(&DIVISORS);
            let wrong =
                |holds: &dyn Fn(usize, usize) -> bool| points().filter(|&(m, n)| m >= least && !holds(m, n)).count();
            claims.push(if misere || rng.below(2) == 0 {
                let (said, holds) = rng.pick(&CONDITIONS);
                let wrong = wrong(&|m, n| holds(n, divisor(m), m) == known[m][n].1);
                (wrong, format!("for m, n in nat{guard}: loses(G[m](n)) iff {}", said.replace('D', by)))
            } else {
                let (said, value) = rng.pick(&VALUES);
                let wrong = wrong(&|m, n| value(n, divisor(m), m) == known[m][n].0);
                (wrong, format!("for m, n in nat{guard}: grundy(G[m](n)) == {}", said.replace('D', by)))
            });
        }
        claims.sort();
        claims.dedup();
        claims.truncate(3);
        for (wrong, claim) in claims {
            let text = format!("{text}claim \"c\" {claim}\n");
            let told = told(&findings(&text, effort)[0]);
            match told.split(' ').next() {
                Some("PROVED") => {
                    assert!(wrong == 0, "seed {seed}: {told}, but {wrong} times wrong\n{text}");
                    proved += 1;
                }
                Some("REFUTED") => {
                    assert!(wrong > 0, "seed {seed}: {told}\n{text}");
                    refuted += 1;
                }
                _ => open += usize::from(wrong == 0),
            }
        }
    }
    assert!(
        proved > 10 && refuted > 30 && open < 2 * proved,
        "{proved} proved, {refuted} refuted, {open} true and open"
    );
}

fn verdicts(text: &str) -> Vec<String> {
    findings(text, USUAL).iter().map(told).collect()
}

#[test]
fn theorems_of_families() {
    // Bash 1 pile; Moore 1910; Cole and Davie 1969 (Euclid); take 1 or b (Berlekamp, Conway, Guy 1982, chapter 4).
    let text = "game Bash[m](n) {\n  move take k in 1..min(n, m) -> Bash(n - k)\n  theorem grundy = n mod (m + 1)\n}\n\
        misere game Last[m](n) where m > 0 {\n  move take k in 1..min(n, m) -> Last(n - k)\n  theorem loses iff n mod (m + 1) == 1\n}\n\
        game Moore[k](heaps: list of nat) {\n  move take t in choices(0..h for h in heaps) where count(x > 0 for x in t) in 1..k\n    \
        -> Moore([heaps[i] - t[i] for i in indices(heaps)])\n}\n\
        claim \"Moore\" for k, a, b, c in nat: loses(Moore[k]([a, b, c])) iff k == 0 or k == 1 and a xor b xor c == 0\n  \
        or k == 2 and a == b and b == c or k >= 3 and a + b + c == 0\n\
        game Euclid(a, b) {\n  move left where b > 0, k in 1..a div b -> Euclid(a - k * b, b)\n  \
        move right where a > 0, k in 1..b div a -> Euclid(a, b - k * a)\n}\n\
        claim \"Euclid\" for a, b in nat: wins(Euclid(a, b)) iff min(a, b) > 0 and (a == b or 2 * max(a, b) > min(a, b) * (1 + sqrt(5)))\n\
        game Two[b](n) {\n  move one where n > 0 -> Two[b](n - 1)\n  move more where n >= b and b > 0 -> Two[b](n - b)\n}\n\
        claim \"odd\" for b, n in nat where b mod 2 == 1: grundy(Two[b](n)) == n mod 2\n\
        claim \"even\" for b, n in nat where b mod 2 == 0 and b > 0: loses(Two[b](n)) iff n mod (b + 1) < b and n mod (b + 1) mod 2 == 0\n\
        claim \"sum\" for a, b in nat: loses(Bash[2](a) + Bash[3](b)) iff a mod 3 == b mod 4\n\
        claim \"sums\" for m, a, b in nat: loses(Bash[m](a) + Bash[m](b)) iff a mod (m + 1) == b mod (m + 1)\n";
    for told in verdicts(text) {
        assert_eq!(told, "PROVED");
    }
}

#[test]
fn what_has_no_value_for_some_parameter_is_not_proved() {
    let text = "game Bash[m](n) { move take k in 1..min(n, m) -> Bash(n - k) }\n\
        claim \"division by 0\" for m, n in nat: grundy(Bash[m](n)) == n mod m\n\
        claim \"it is not\" for m, n in nat: loses(Bash[m](n)) iff n mod (m + 1) == 0 and (m > 99 or n div m >= 0)\n\
        game None[m](n) where n mod m == 0 { move take where n >= m -> None[m](n - m) }\n\
        claim \"no position\" for m, n in nat where m > 0: loses(None[m](n)) iff n mod (2 * m) == 0\n";
    for told in verdicts(text) {
        assert!(!told.starts_with("PROVED"), "{told}");
    }
}
