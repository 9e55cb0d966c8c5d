//! Statements about games of heaps that are decided by certified periods: against values that the test works out itself, and
//! against the plain rules. What is proved is true, what is false falls at its least counterexample.

use crate::proved::{SMALL, USUAL, findings, program};
use crate::rounds;
use grundy::answer::{Finding, Verdict};
use grundy::engines::ask;
use grundy::input::data::NoFiles;
use grundy::model::{Clause, Pattern, Question};
use grundy::value::Value;
use grundy::value::limits::Limits;
use grundy::vm::context::{Context, Policy};
use std::fmt::Write as _;
use std::sync::Arc;

/// The same with `PERIOD` for what a certified period proves.
fn told(finding: &Finding) -> String {
    match &finding.verdict {
        Ok(Verdict::Proved { certificate }) if certificate.contains("certified period") => "PERIOD".into(),
        _ => crate::proved::told(finding),
    }
}

fn all_told(text: &str) -> Vec<String> {
    findings(text, USUAL).iter().map(told).collect()
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % n
    }
}

/// A take-and-break code with digits below 8: rules, and values by the definition.
#[derive(Clone, Debug)]
struct Code(Vec<usize>);

impl Code {
    fn rules(&self, name: &str) -> String {
        let mut text = format!("game {name}(n) {{\n");
        for (k, digit) in self.0.iter().enumerate().skip(1) {
            if digit & 1 != 0 {
                writeln!(text, "  move all{k} where n == {k} -> {name}(0)").expect("text");
            }
            if digit & 2 != 0 {
                writeln!(text, "  move some{k} where n > {k} -> {name}(n - {k})").expect("text");
            }
            if digit & 4 != 0 {
                writeln!(text, "  move split{k} a in 1..n - {k} - 1 -> {name}(a) + {name}(n - {k} - a)").expect("text");
            }
        }
        text + "}\n"
    }

    /// Fewer than `most` where values get large.
    fn values(&self, most: usize) -> Vec<usize> {
        let mut values: Vec<usize> = Vec::new();
        for n in 0..most {
            let mut seen = [false; 128];
            for (k, digit) in self.0.iter().enumerate().skip(1).filter(|(k, _)| *k <= n) {
                let rest = n - k;
                if digit & 1 != 0 && rest == 0 {
                    seen[0] = true;
                }
                if digit & 2 != 0 && rest > 0 {
                    seen[values[rest]] = true;
                }
                if digit & 4 != 0 {
                    (1..rest).for_each(|a| seen[values[a] ^ values[rest - a]] = true);
                }
            }
            match seen.iter().position(|seen| !seen) {
                Some(value) if value < 64 => values.push(value),
                _ => break,
            }
        }
        values
    }

    /// The period, by the window of Guy and Smith, or by equal values as many as the largest amount.
    fn period(&self, values: &[usize]) -> Option<(usize, usize)> {
        let k = self.0.len() - 1;
        (1..values.len() / 4).find_map(|p| {
            let start = (0..values.len() - p).rev().find(|&n| values[n] != values[n + p]).map_or(0, |n| n + 1);
            (2 * start.max(1) + 2 * p + k < values.len()).then_some((start, p))
        })
    }
}

fn list(values: &[usize]) -> String {
    format!("{values:?}")
}

/// A closed form with exceptions before a period.
fn closed(values: &[usize], start: usize, p: usize) -> String {
    let rest = list(&values[start..start + p]);
    if start == 0 {
        return format!("{rest}[n mod {p}]");
    }
    format!("if n < {start} then {}[n] else {rest}[(n - {start}) mod {p}]", list(&values[..start]))
}

/// The value that a closed form says.
fn said(values: &[usize], start: usize, p: usize, n: usize) -> usize {
    values[if n < start { n } else { start + (n - start) % p }]
}

fn random_code(random: &mut Random, splits: bool) -> Code {
    let digits = 1 + random.below(if splits { 4 } else { 9 });
    let mut code = vec![0];
    for _ in 0..digits {
        code.push(if splits { random.below(8) } else { 3 * random.below(2) });
    }
    while code.len() > 1 && code.last() == Some(&0) {
        code.pop();
    }
    Code(code)
}

#[test]
fn closed_forms_of_random_games_and_their_mutations() {
    const MOST: usize = 1500;
    let mut random = Random(5);
    let (mut proved, mut tried) = (0, 0);
    while tried < 150 {
        let code = random_code(&mut random, tried % 2 == 0);
        let values = code.values(MOST);
        let Some((start, p)) = code.period(&values) else { continue };
        tried += 1;
        let rules = code.rules("G");
        let statement = |values: &[usize], start: usize, p: usize, kind: usize| {
            let form = closed(values, start, p);
            match kind {
                0 => rules.replace("}\n", &format!("  theorem grundy = {form}\n}}\n")),
                1 => rules.replace("}\n", &format!("  theorem loses iff ({form}) == 0\n}}\n")),
                2 => format!("{rules}claim \"x\" for n in nat: grundy(G(n)) == ({form})\n"),
                _ => format!("{rules}claim \"x\" for n in nat: wins(G(n)) iff ({form}) > 0\n"),
            }
        };
        let kind = random.below(4);
        let word = all_told(&statement(&values, start, p, kind)).remove(0);
        assert_eq!(word, "PERIOD", "{code:?} {start} {p}");
        proved += 1;
        for mutation in 0..4 {
            let (mut wrong, mut start, mut p) = (values.clone(), start, p);
            match mutation {
                0 if start > 0 => wrong[random.below(start)] += 1,
                1 => wrong[start + random.below(p)] += 1 + random.below(2),
                2 => p += 1,
                _ if start > 0 => start -= 1,
                _ => continue,
            }
            let differs = |n: &usize| {
                let (right, said) = (values[*n], said(&wrong, start, p, *n));
                if kind == 0 || kind == 2 { right != said } else { (right == 0) != (said == 0) }
            };
            let expected = (0..MOST).find(differs).map_or("PERIOD".into(), |n| format!("REFUTED n={n}"));
            let text = statement(&wrong, start, p, kind);
            assert_eq!(all_told(&text)[0], expected, "{text}");
        }
    }
    assert!(proved > 100, "{proved}");
}

/// A random number that depends on n, and a random condition; deep ones are larger.
fn number(random: &mut Random, depth: usize) -> String {
    if depth == 0 {
        return match random.below(4) {
            0 => random.below(9).to_string(),
            1 => "grundy(G(n))".into(),
            _ => "n".into(),
        };
    }
    let mut inner = || number(random, depth - 1);
    let (a, b) = (inner(), inner());
    let c = 1 + random.below(5);
    match random.below(13) {
        0 => format!("({a} + {b})"),
        1 => format!("({a} - {b})"),
        2 => format!("({c} * {a})"),
        3 => format!("({a} mod {c})"),
        4 => format!("({a} div {c})"),
        5 => format!("min({a}, {b})"),
        6 => format!("max({a}, {b}, {c})"),
        7 => format!("abs({a})"),
        8 => format!("(if {} then {a} else {b})", condition(random, depth - 1)),
        9 => format!("grundy(G({a}))"),
        10 => format!("grundy(G(n + {c}) + 2 * G({a}) + G({b}))"),
        11 => format!("[3, 1, 4, 1, 5][{a} mod 5]"),
        _ => format!("(({a}) mod 8 xor ({b}) mod {c})"),
    }
}

fn condition(random: &mut Random, depth: usize) -> String {
    let (a, b) = (number(random, depth), number(random, depth));
    let c = random.below(6);
    match random.below(if depth == 0 { 6 } else { 12 }) {
        0 => format!("{a} <= {b}"),
        1 => format!("{a} == {b}"),
        2 => format!("{a} != {b}"),
        3 => format!("{a} in {{0, 2, {c}}}"),
        4 => format!("{c} < {a}"),
        5 => format!("{a} in {c}..{b}"),
        6 => format!("({} and {})", condition(random, depth - 1), condition(random, depth - 1)),
        7 => format!("({} or {})", condition(random, depth - 1), condition(random, depth - 1)),
        8 => format!("({} implies {})", condition(random, depth - 1), condition(random, depth - 1)),
        9 => format!("(wins(G({a})) iff {})", condition(random, depth - 1)),
        10 => format!("all({a} >= i for i in 0..{c})"),
        _ => format!("outcome(G({a}) + G(n)) == \"second\""),
    }
}

/// The first n at which the only claim of a text is false or has no value, by the plain rules.
fn first_failure(text: &str, most: i64) -> Option<(i64, bool)> {
    let (_, _, program) = program(text);
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), ask);
    ctx.options.heaps = Policy::Never;
    let Some(Question::Claim(claim)) = program.questions.first() else { panic!("a claim") };
    let Some(Clause::In { pattern: Pattern::Slot(slot), .. }) = claim.clauses.first() else { panic!("a binder") };
    (0..most).find_map(|n| {
        let truth = ctx.with_recovery(|ctx| ctx.eval_with(&claim.frame, &[*slot], &[Value::Int(n)], &claim.condition));
        match truth {
            Ok(Value::Bool(true)) => None,
            Ok(_) => Some((n, true)),
            Err(error) => {
                assert!(!error.code.is_limit(), "{}", error.message);
                Some((n, false))
            }
        }
    })
}

#[test]
fn random_statements_against_the_rules() {
    let mut random = Random(17);
    let (mut proved, mut refuted, mut open) = (0, 0, 0);
    let count = rounds(80, 1200);
    for round in 0..usize::try_from(count).expect("small") {
        let splits = random.below(3) == 0;
        let code = random_code(&mut random, splits);
        let condition = condition(&mut random, 1 + round % 2);
        let text = format!("{}claim \"x\" for n in nat: {condition}\n", code.rules("G"));
        let word = findings(&text, SMALL).iter().map(told).next().expect("a claim");
        let failure = first_failure(&text, 80);
        match (word.as_str(), failure) {
            ("PERIOD" | "PROVED", None) => proved += 1,
            (word, Some((n, true))) if word == format!("REFUTED n={n}") => refuted += 1,
            (word, None) if word.starts_with("REFUTED") => {
                // Beyond what was looked at here.
                let n: i64 = word["REFUTED n=".len()..].parse().expect("a number");
                assert!(n >= 80, "{word}\n{text}");
                assert_eq!(first_failure(&text, n + 1), Some((n, true)), "{text}");
                refuted += 1;
            }
            (word, _) => {
                assert!(word.starts_with("UNKNOWN"), "{word} {failure:?}\n{text}");
                open += 1;
            }
        }
    }
    assert!(proved * 12 > count && refuted * 4 > count && open * 12 < count * 5, "{proved} {refuted} {open}");
}

const KAYLES: &str = "
game Kayles(n) {
  move one i in 0..n - 1 -> Kayles(i) + Kayles(n - 1 - i)
  move two i in 0..n - 2 -> Kayles(i) + Kayles(n - 2 - i)
}
game Dawson(n) { move two i in 0..n - 2 -> Dawson(i) + Dawson(n - 2 - i) }
game Coins[s: set of nat](n) { move take k in s where k <= n and k > 0 -> Coins(n - k) }
game Nim(n) { move take k in 1..n -> Nim(n - k) }
";

#[test]
fn games_of_the_books() {
    let statements = [
        ("for n in nat where n >= 71: grundy(Kayles(n)) == grundy(Kayles(n + 12))", "PERIOD"),
        ("for n in nat where n >= 70: grundy(Kayles(n)) == grundy(Kayles(n + 12))", "REFUTED n=70"),
        ("for n in nat where n > 0: wins(Kayles(n))", "PERIOD"),
        ("for n in nat: wins(Kayles(n))", "REFUTED n=0"),
        ("for n in nat: not loses(Kayles(n + 1))", "PERIOD"),
        ("for n in nat: loses(Kayles(n) + Kayles(n))", "PERIOD"),
        ("for n in nat: grundy(2 * Kayles(n)) == 0", "PERIOD"),
        ("for n in nat: loses(Kayles(n) + Kayles(n + 12)) iff n >= 71 or n in {0, 3, 6, 9}", "REFUTED n=0"),
        ("for n in 0..10 ** 12: grundy(Kayles(n)) < 10", "PERIOD"),
        ("for n in 60..10 ** 12: grundy(Kayles(n)) < 9", "PERIOD"),
        ("for n in nat: grundy(Kayles(n)) == octal(\"0.77\", n)", "PERIOD"),
        ("for n in nat: grundy(Dawson(n + 1)) == octal(\"0.137\", n)", "PERIOD"),
        ("for n in nat: loses(Dawson(n)) iff n in {0, 1, 15, 35} or n mod 34 in {5, 9, 21, 25, 29}", "PERIOD"),
        ("for n in nat: loses(Dawson(n)) iff n in {0, 1, 15} or n mod 34 in {5, 9, 21, 25, 29}", "REFUTED n=35"),
        ("for n in nat: grundy(Coins[{2, 5}](n)) == n mod 7 div 2 - n mod 7 div 4 - n mod 7 div 6", "REFUTED n=4"),
        ("for n in nat: grundy(Coins[{2, 5}](n)) == [0, 0, 1, 1, 0, 2, 1][n mod 7]", "PERIOD"),
        ("for k in 1..6, n in nat: loses(Coins[{i for i in 1..k}](n)) iff n mod (k + 1) == 0", "PERIOD"),
        ("for k in 1..6, n in nat: loses(Coins[{i for i in 1..k}](n)) iff n mod (k + 1) == k div 6", "REFUTED k=6 n=0"),
        ("for n in nat: loses(Coins[{1, 2, 3}](n) + Coins[{1, 2, 3}](n + 4) + Nim(n) + Nim(n))", "PERIOD"),
        ("for n in nat: grundy(Nim(n)) == n and subtraction({1, 2}, n) == n mod 3", "PERIOD"),
        ("for n in nat: grundy(Nim(3 * n)) == n", "REFUTED n=1"),
        ("for a, b in nat: grundy(Kayles(a) + Kayles(b)) == grundy(Kayles(a)) xor grundy(Kayles(b))", "PERIOD"),
        ("for a, b in nat: loses(Kayles(a) + Kayles(b)) iff a == b", "REFUTED a=1 b=4"),
        ("for a, b in nat where a >= 71 and b >= 71 and a mod 12 == b mod 12: loses(Kayles(a) + Kayles(b))", "PERIOD"),
        ("for a, b in nat where b >= 71 and a mod 12 == b mod 12: loses(Kayles(a) + Kayles(b))", "REFUTED a=0 b=72"),
        ("for a, b, c in nat: loses(Nim(a) + Nim(b) + Nim(c)) iff a xor b xor c == 0", "PERIOD"),
        ("for n in 0..60: grundy(Kayles(n)) == octal(\"0.77\", n)", "PERIOD"),
        ("for a, b in 0..12: loses(Kayles(a) + Kayles(b)) iff a == b", "REFUTED a=1 b=4"),
        ("for t in trees(5): size(edges(t)) == 4", "PROVED"),
        (": loses(Nim(5) + Nim(5))", "PERIOD"),
    ];
    let mut text = KAYLES.to_string();
    for (i, (statement, _)) in statements.iter().enumerate() {
        writeln!(text, "claim \"{i}\" {statement}").expect("text");
    }
    for ((statement, expected), told) in statements.iter().zip(all_told(&text)) {
        assert_eq!(told, *expected, "{statement}");
    }
}

/// Arguments, members and what names run through are evaluated even where nothing depends on them: without a value there is no proof.
#[test]
fn what_is_evaluated_must_have_a_value() {
    let statements = [
        "grundy(Kayles(n)) < 10 and n in [f(n - 5), n]",
        "grundy(Kayles(n)) < 10 and n in {n, f(n - 5)}",
        "grundy(Kayles(n)) < 10 and n not in n + 1..f(n - 5)",
        "grundy(Kayles(n)) < 10 and second(f(n - 5), n) == n",
        "all([grundy(Kayles(n)) < 10 for m in [f(n - 5), n]])",
    ];
    let mut text = format!("{KAYLES}def f(x: nat): nat = x\ndef second(x: int, y: int): int = y\n");
    for statement in statements {
        writeln!(text, "claim \"whole\" for n in nat: {statement}").expect("text");
        writeln!(text, "claim \"part\" for n in nat where n >= 5: {statement}").expect("text");
    }
    for (i, told) in all_told(&text).iter().enumerate() {
        let statement = statements[i / 2];
        if i % 2 == 0 {
            assert!(told.starts_with("UNKNOWN"), "{statement}: {told}");
        } else if i < 8 {
            assert_eq!(told, "PERIOD", "{statement}");
        }
    }
}

#[test]
fn proofs_about_other_games_use_periods() {
    let text = format!(
        "{KAYLES}
game Start(n) {{ move choose k in 1..n -> Coins[{{1, 2, 3}}](4 * k) + Coins[{{1, 2}}](3 * k) }}
game Then(n) {{ move choose k in 1..n -> Kayles(k) }}
claim \"a\" for n in nat: grundy(Start(n)) == (if n == 0 then 0 else 1)
claim \"b\" for n in nat: loses(Then(n))
claim \"c\" for n in nat: wins(Then(n))
"
    );
    assert_eq!(all_told(&text), ["PERIOD", "PERIOD", "REFUTED n=0"]);
}

#[test]
fn what_is_not_known_stays_open() {
    let text = format!(
        "{KAYLES}
misere game Mis(n) {{ move take k in 1..3 where k <= n -> Mis(n - k) }}
game Odd(n) {{ move take k in 1..3 where k <= n and n != 17 -> Odd(n - k) }}
claim \"0\" for n in nat: grundy(Kayles(n)) == [0, 1, 2][n]
claim \"1\" for n in nat: grundy(Kayles(n)) == n * n - n * n + grundy(Kayles(n))
claim \"2\" for n in nat: grundy(Kayles(n - 1)) >= 0
claim \"3\" for n in nat: loses(misere Kayles(n)) iff n == 1 or n != 1 and loses(misere Kayles(n))
claim \"4\" for n in nat: remoteness(Kayles(n)) >= 0
claim \"5\" for n in nat: grundy(Kayles(n ** 2)) >= 0
claim \"6\" for n in nat: grundy(Kayles(n)) < 10 and wins(Odd(n)) or n >= 0
"
    );
    for (i, told) in all_told(&text).iter().enumerate() {
        assert!(told.starts_with("UNKNOWN"), "{i}: {told}");
    }
    let grundy = "game G(n) { move split a in 1..n - 1 where a + a != n -> G(a) + G(n - a) }
claim \"small\" for n in nat: grundy(G(n)) < 1000\n";
    let told = findings(grundy, SMALL).iter().map(told).next().expect("a claim");
    assert!(told.starts_with("UNKNOWN") && told.contains("no period of `4!.0` is proved"), "{told}");
}

#[test]
fn long_periods() {
    let text = "
game G(n) {
  move one where n == 1 -> G(0)
  move two a in 0..n - 2 where n > 2 -> G(a) + G(n - 2 - a)
}
claim \"from\" for n in nat where n >= 105351: grundy(G(n)) == grundy(G(n + 149459))
claim \"earlier\" for n in nat where n >= 105350: grundy(G(n)) == grundy(G(n + 149459))
claim \"another\" for n in nat where n >= 200000: grundy(G(n)) == grundy(G(n + 149458))
claim \"bounded\" for n in nat: grundy(G(2 * n)) + grundy(G(n)) < 512
game Kayles(n) {
  move one i in 0..n - 1 -> Kayles(i) + Kayles(n - 1 - i)
  move two i in 0..n - 2 -> Kayles(i) + Kayles(n - 2 - i)
  theorem grundy = if n == 100000 then 5 else octal(\"0.77\", n)
  theorem wins iff n > 0 and n != 100000
}
";
    let found = all_told(text);
    assert_eq!(found[0], "PERIOD");
    assert_eq!(found[1], "REFUTED n=105350");
    assert!(found[2].starts_with("REFUTED n=2000"), "{}", found[2]);
    assert_eq!(found[3], "PERIOD");
    assert_eq!(found[4..], ["REFUTED n=100000", "REFUTED n=100000"]);
}
