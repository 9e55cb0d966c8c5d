//! Games of heaps written as rules: recognised or not, they have the values of plain search and of plain arithmetic, and what
//! only looks like a code is not taken for one.

use crate::naive::engine::{self, each, program, told};
use crate::rounds;
use grundy::answer::{Answer, GrundyValue, Outcome};
use grundy::engines as solve;
use grundy::engines::Choice;
use grundy::input::data::NoFiles;
use grundy::model::Program;
use grundy::value::limits::Limits;
use grundy::vm::context::{Context, Policy};
use std::fmt::Write as _;
use std::sync::Arc;

/// The answers to all `solve` lines.
fn answers(program: &Arc<Program>, heaps: Policy, choice: Choice) -> Vec<Result<Answer, String>> {
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    ctx.options.heaps = heaps;
    ctx.give(vec![None; program.inputs.len()]);
    let answers = each(&mut ctx, |ctx, position| {
        let answer = solve::solve(ctx, position, choice)?;
        assert_eq!(solve::outcome(ctx, position)?, answer.outcome, "{}", answer.position);
        if let Some(value) = &answer.grundy {
            assert_eq!(solve::grundy(ctx, position)?, *value, "{}", answer.position);
        }
        Ok(answer)
    });
    answers.into_iter().map(|answer| answer.map_err(|e| format!("{} {}", e.code, e.message))).collect()
}

const EVERYTHING: Choice = Choice { remoteness: false, ..engine::EVERYTHING };

/// The value of a position that has a nimber.
fn nimber(answer: &Result<Answer, String>) -> u64 {
    match answer.as_ref().map(|a| &a.grundy) {
        Ok(Some(GrundyValue::Nimber(value))) => *value,
        other => panic!("{other:?}"),
    }
}

/// The codes that the first position is taken for, or why it is not.
fn planned(text: &str) -> Result<String, String> {
    let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    ctx.options.heaps = Policy::Always;
    let more = engine::planned(&mut ctx, "heaps by their code")?;
    Ok(more.split(';').next().unwrap_or_default().to_string())
}

/// Both ways on every `solve` line, which must agree; the values.
fn agree(text: &str) -> Vec<Result<Answer, String>> {
    let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let coded = answers(&program, Policy::Always, EVERYTHING);
    let searched = answers(&program, Policy::Never, EVERYTHING);
    for (coded, searched) in coded.iter().zip(&searched) {
        assert_eq!(told(coded), told(searched), "{text}");
    }
    coded
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[usize::try_from(self.below(all.len() as u64)).expect("small")]
    }
}

/// What a move may leave when it takes an amount, by the test's own reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Nothing.
    Whole,
    /// One heap.
    Some,
    /// Any heap, or nothing.
    Any,
    /// Two heaps, perhaps empty.
    Parts,
    /// Two heaps that are there.
    Split,
    Unequal,
    Equal,
}

/// The values of heaps up to `most`, by the definition.
fn values(moves: &[(u64, Kind)], most: u64) -> Vec<u64> {
    let mut all: Vec<u64> = Vec::new();
    for n in 0..=most {
        let value = |m: u64| all[usize::try_from(m).expect("small")];
        let mut options = Vec::new();
        for &(k, kind) in moves.iter().filter(|(k, _)| *k <= n) {
            let left = n - k;
            match kind {
                Kind::Whole if left == 0 => options.push(0),
                Kind::Some if left > 0 => options.push(value(left)),
                Kind::Any => options.push(value(left)),
                Kind::Whole | Kind::Some => {}
                _ => options.extend((0..=left).filter_map(|a| {
                    let (b, both) = (left - a, a > 0 && a < left);
                    let may = match kind {
                        Kind::Parts => true,
                        Kind::Split => both,
                        Kind::Unequal => both && a != b,
                        _ => both && a == b,
                    };
                    may.then(|| value(a) ^ value(b))
                })),
            }
        }
        let most = options.len() as u64;
        all.push((0..=most).find(|v| !options.contains(v)).expect("one of them is missing"));
    }
    all
}

/// A move line for one kind and some amounts, in one of many spellings, and what has to stand before it.
fn line(random: &mut Random, name: &str, heap: &str, index: usize, amounts: &[u64], kind: Kind) -> (String, String) {
    let h = heap;
    let listed: Vec<String> = amounts.iter().map(ToString::to_string).collect();
    let listed = listed.join(", ");
    let (mut before, mut amount) = (String::new(), String::from("k"));
    let (first, last) = (amounts[0], amounts[amounts.len() - 1]);
    let straight = last - first + 1 == amounts.len() as u64;
    let mut binder = match random.below(7) {
        1 => format!("k in [{listed}]"),
        2 if straight => format!("k in {first}..{last}"),
        3 if straight => format!("k in {first}..min({last}, {h} + 3)"),
        4 => {
            writeln!(before, "  let some{index} = {{{listed}}}").expect("memory");
            format!("k in some{index}")
        }
        5 if straight => format!("k in max(0, {first})..{last} where true"),
        6 if amounts.len() == 1 => {
            amount = first.to_string();
            "one in {7}".to_string()
        }
        _ => format!("k in {{{listed}}}"),
    };
    let k = amount.as_str();
    let fits = match random.below(4) {
        0 => format!("{k} <= {h}"),
        1 => format!("{h} - {k} >= 0"),
        2 => format!("not {h} < {k}"),
        _ => format!("{k} < {h} + 1 and {h} >= 0"),
    };
    let rest = random.of(&["H - K", "less(H, K)", "-K + H", "(2 * H - 2 * K) div 2"]).replace('H', h).replace('K', k);
    let target = match kind {
        Kind::Whole => {
            write!(binder, " where {h} == {k}").expect("memory");
            random.of(&["N(0)", "sum([])", "N(REST)", "N(0) + N(0)"]).replace('N', name).replace("REST", &rest)
        }
        Kind::Some => {
            write!(binder, " where {h} > {k}").expect("memory");
            format!("{name}({rest})")
        }
        Kind::Any => {
            write!(binder, " where {fits}").expect("memory");
            match random.below(3) {
                0 => format!("{name}({rest})"),
                1 => format!("{name}({rest}) + {name}({h} - {k} - ({rest}))"),
                _ => format!("if {h} == {k} then sum([]) else {name}({rest})"),
            }
        }
        _ => {
            let guard = match kind {
                Kind::Parts | Kind::Split => random.of(&["", "where a <= b", "where a >= b or b > a"]),
                Kind::Unequal => random.of(&["where a < b", "where a != b", "where a > b"]),
                _ => random.of(&["where a == b", "where not a != b"]),
            };
            let range = if kind == Kind::Parts { format!("0..{h} - {k}") } else { format!("1..{h} - {k} - 1") };
            write!(binder, ", a in {range}, b = {h} - {k} - a {guard}").expect("memory");
            match random.below(3) {
                0 => format!("{name}(a) + {name}(b)"),
                1 => format!("sum([{name}(a), {name}({h} - {k} - a)])"),
                _ => format!("{name}(b) + {name}({h} - {k} - b)"),
            }
        }
    };
    (before, format!("  move go{index} {binder} -> {target}\n"))
}

#[test]
fn random_codes_in_many_spellings() {
    let mut random = Random(7);
    let (mut games, mut recognised) = (0, 0);
    for _ in 0..rounds(30, 330) {
        let name = random.of(&["Row", "Heap", "G", "Pile_of_coins"]);
        let heap = random.of(&["n", "pins", "left_over", "size_"]);
        let (mut moves, mut lets, mut lines) = (Vec::new(), String::new(), String::new());
        for index in 0..=usize::try_from(random.below(3)).expect("small") {
            let kinds = [Kind::Whole, Kind::Some, Kind::Any, Kind::Parts, Kind::Split, Kind::Unequal, Kind::Equal];
            let kind = kinds[usize::try_from(random.below(7)).expect("small")];
            let least = u64::from(matches!(kind, Kind::Whole | Kind::Some | Kind::Any | Kind::Parts));
            let mut amounts: Vec<u64> = (0..=random.below(3)).map(|_| least + random.below(6)).collect();
            amounts.sort_unstable();
            amounts.dedup();
            moves.extend(amounts.iter().map(|k| (*k, kind)));
            let (before, after) = line(&mut random, name, heap, index, &amounts, kind);
            lets += &before;
            lines += &after;
        }
        let mut text = format!("def less(x: int, y: int) = x - y\ngame {name}({heap}) {{\n{lets}{lines}}}\n");
        for n in 0..=60 {
            writeln!(text, "solve {name}({n})").expect("memory");
        }
        writeln!(text, "solve {name}(60) + {name}(7) + {name}(31)").expect("memory");
        games += 1;
        let expected = values(&moves, 60);
        let found = agree(&text);
        for (n, value) in expected.iter().enumerate() {
            assert_eq!(nimber(&found[n]), *value, "{n}: {text}");
        }
        assert_eq!(nimber(&found[61]), expected[60] ^ expected[7] ^ expected[31], "{text}");
        let code = planned(&text).unwrap_or_else(|why| panic!("{why}: {text}"));
        recognised += usize::from(!code.is_empty());
    }
    assert!(games >= rounds(27, 300) && recognised == games, "{recognised} of {games}");
}

/// Moves that take k and leave heaps like this: a condition on their sizes in ascending order.
fn three_line(k: u64, like: &str, name: usize) -> String {
    format!(
        "  move m{name} a, b in 0..n, c = n - {k} - a - b where 0 <= a <= b <= c and ({like}) -> G(b) + sum([G(c), G(a)])\n"
    )
}

#[test]
fn random_codes_that_leave_three_heaps() {
    type Like = (&'static str, fn(u64, u64, u64) -> bool);
    const WHOLE: Like = ("c == 0", |_, _, c| c == 0);
    const SINGLE: Like = ("b == 0 and c > 0", |_, b, c| b == 0 && c > 0);
    // Two heaps and three, for each mark.
    let marks: [(&str, Like, Like); 4] = [
        ("", ("a == 0 and b > 0", |a, b, _| a == 0 && b > 0), ("a > 0", |a, _, _| a > 0)),
        (
            "!",
            ("a == 0 and 0 < b < c", |a, b, c| a == 0 && 0 < b && b < c),
            ("0 < a < b < c", |a, b, c| 0 < a && a < b && b < c),
        ),
        (
            "?",
            ("a == 0 and 0 < b < c", |a, b, c| a == 0 && 0 < b && b < c),
            ("a > 0 and a < c", |a, _, c| a > 0 && a < c),
        ),
        (
            "=",
            ("a == 0 and 0 < b == c", |a, b, c| a == 0 && 0 < b && b == c),
            ("0 < a == c", |a, _, c| 0 < a && a == c),
        ),
    ];
    let mut random = Random(23);
    for _ in 0..rounds(10, 60) {
        let (mut text, mut code, mut likes) = (String::from("game G(n) {\n"), String::new(), Vec::new());
        let last = 1 + random.below(3);
        for k in 0..=last {
            let (mark, two, three) = marks[usize::try_from(random.below(4)).expect("small")];
            let digit = if k == 0 { 4 * random.below(4) } else { random.below(16) };
            let digit = if k == last { digit | 8 } else { digit };
            let parts = [WHOLE, SINGLE, two, three];
            for (bit, (words, like)) in parts.into_iter().enumerate().filter(|(bit, _)| digit >> bit & 1 != 0) {
                text += &three_line(k, words, likes.len());
                likes.push((k, like));
                let _ = bit;
            }
            let mark = match (mark, digit) {
                (_, ..4) => "",
                ("?", ..8) => "!",
                _ => mark,
            };
            write!(code, "{digit:X}{mark}{}", if k == 0 { "." } else { "" }).expect("memory");
        }
        text += "}\n";
        let mut values: Vec<u64> = Vec::new();
        for n in 0..=36_u64 {
            let value = |m: u64| values[usize::try_from(m).expect("small")];
            let mut options = Vec::new();
            for (k, like) in likes.iter().filter(|(k, _)| *k <= n) {
                for a in 0..=n - k {
                    for b in a..=n - k - a {
                        let c = n - k - a - b;
                        if b <= c && like(a, b, c) {
                            options.push(value(a) ^ value(b) ^ value(c));
                        }
                    }
                }
            }
            values.push((0..=options.len() as u64).find(|v| !options.contains(v)).expect("one of them is missing"));
            writeln!(text, "solve G({n})").expect("memory");
        }
        assert_eq!(planned(&text), Ok(code), "{text}");
        for (answer, value) in agree(&text).iter().zip(values) {
            assert_eq!(nimber(answer), value, "{text}");
        }
    }
}

/// Rules that are no code though they look like one, or that end otherwise.
const NEAR: [&str; 33] = [
    "move take k in 1..3 where k <= n and n mod 2 == 0 -> G(n - k)",
    "move take k in 1..3 where k <= n and n != 17 -> G(n - k)",
    "move take k in 1..n div 2 -> G(n - k)",
    "move take k in 1..3 where k <= n and n < 50 -> G(n - k)",
    "move take k in 1..min(3, 40 - n) where k <= n -> G(n - k)",
    "move cut a in 1..min(n - 2, 20) -> G(a) + G(n - 1 - a)",
    "move cut a in 2..n - 2 -> G(a) + G(n - 1 - a)",
    "move cut a in 0..n - 2 -> G(a) + G(n - 2 - a)\n  move one k in {1} where n >= 1 and n != 30 -> G(n - k)",
    "move cut a in 1..n - 2 where (a + n) mod 3 != 1 -> G(a) + G(n - 1 - a)",
    "move cut a in 1..n - 1 where a * 2 < n - 1 -> G(a) + G(n - a)",
    "move cut a in 1..n - 1, b = n - a where a <= b + 1 and b <= a + 9 -> G(a) + G(b)",
    "move cut a in 1..n - 1 -> G(a) + G(a div 2)",
    "move cut a in 0..n - 1 -> G(a) + G(max(n - 1 - a, a div 5))",
    "move take k in 1..n where k mod 2 == 1 or n > 55 -> G(n - k)",
    "move three a, b in 1..n where a + b < n and a + b > 3 -> G(a) + G(b) + G(n - a - b)",
    "move three a, b in 1..n where a + b < n and a <= b -> G(a) + G(b) + G(n - a - b)\n  move two a in 1..n - 1 where a + a != n -> G(a) + G(n - a)",
    "move take k in 1..n -> G(n - k)\n  move split a in 2..n - 2 -> G(a) + G(n - a)",
    "move take k in 1..n -> G(n - k)\n  move split a in 1..n - 1 where a + a != n -> G(a) + G(n - a)",
    "move cut a in 0..n, b = n - 1 - a where b >= 0 -> sum(G(x) for x in {a, b})",
    "move half where n > 1 and n mod 4 < 2 -> 2 * G(n div 2)",
    "move four a, b, c in 1..n where a + b + c < n -> G(a) + G(b) + G(c) + G(n - a - b - c)",
    "move take k in 1..3 where k <= n -> if n == 3 then win else G(n - k)",
    "end when n == 2\n  move take k in 1..3 where k <= n -> G(n - k)",
    "end when n == 0: lost\n  move take k in 1..3 where k <= n -> G(n - k)",
    "move take k in 1..3 where k <= n -> again G(n - k)",
    "legal when n != 4\n  move take k in 1..3 where k <= n -> G(n - k)",
    "move take k in 1..3 where k <= n -> Other(n - k)",
    "move take k in 1..n where k * k <= n -> G(n - k)",
    "move take k in 1..3 where k <= n -> G(n - k) + Other(0)",
    "move mirror where n >= 1 -> G(n div 2)",
    "move take k in 1..3 where k <= n -> G(if n > 20 then n - k else n - 1)",
    "move take k in [n - 1, n - 2] where k >= 0 -> G(n - k)\n  move odd where n mod 2 == 1 -> G(n - 1)",
    "move take k in 1..n where k in {1, n} and n != 5 -> G(n - k)",
];

#[test]
fn what_only_looks_like_a_code_is_refused() {
    for rule in NEAR {
        let mut text = format!(
            "game Other(n) {{\n  move take k in {{1, 4}} where k <= n -> Other(n - k)\n}}\ngame G(n) {{\n  {rule}\n}}\n"
        );
        for n in 0..=60 {
            writeln!(text, "solve G({n})").expect("memory");
        }
        agree(&text);
        let planned = planned(&text);
        assert!(planned.is_err(), "{rule}: {planned:?}");
    }
    let others = [
        "game G(n, m) {\n  move take k in 1..3 where k <= n -> G(n - k, m)\n}\nsolve G(9, 1)",
        "misere game G(n) {\n  move take k in 1..3 where k <= n -> G(n - k)\n}\nsolve G(9)",
        "game G[m](n) {\n  move take k in 1..m where k <= n -> G[m + 1](n - k)\n}\nsolve G[2](9)",
        "game G(n) where n != 13 {\n  move take k in 1..3 where k <= n and n - k != 13 -> G(n - k)\n}\nsolve G(9)",
        "game G(n: int) {\n  move take k in 1..3 where k <= n -> G(n - k)\n}\nsolve G(9)",
        "game G(n) {\n  same as G(n - 1) when n mod 4 == 3\n  move take k in 1..3 where k <= n -> G(n - k)\n}\nsolve G(9)",
        "game G[m](n) {\n  move take k in 1..3 where k <= n -> G(n + k)\n}\nsolve G[2](9)",
    ];
    for text in others {
        let planned = planned(text);
        assert!(planned.is_err(), "{text}: {planned:?}");
    }
}

#[test]
fn rules_that_fail_are_not_answered() {
    let text = "game G(n) {\n  move take k in {1, 4} -> G(n - k)\n}\nsolve G(20)\nsolve G(3)\n";
    let found = agree(text);
    assert!(found.iter().all(Result::is_err), "{found:?}");
    assert!(planned(text).is_err());
}

/// Well-known games as they may be written, and their codes.
const KNOWN: [(&str, &str); 27] = [
    ("move one i in 0..n - 1 -> G(i) + G(n - 1 - i)\n  move two i in 0..n - 2 -> G(i) + G(n - 2 - i)", "0.77"),
    ("move close i in 0..n - 1 -> G(max(0, i - 1)) + G(max(0, n - i - 2))", "0.137"),
    ("move two i in 0..n - 2 -> G(i) + G(n - 2 - i)", "0.07"),
    ("move mark i in 0..n - 3 -> G(i) + G(n - i - 3)", "0.007"),
    ("move split a in 1..n - 1, b = n - a where a < b -> G(a) + G(b)", "4!.0"),
    ("move split a in 1..n - 1 where n - a != a -> sum([G(n - a), G(a)])", "4!.0"),
    ("move take k in 1..n -> G(n - k)", "all-but{}"),
    ("move to m in 0..n - 1 where m + 3 != n -> G(m)", "all-but{3}"),
    ("move take k in {2, 5} where k <= n -> G(n - k)", "{2,5}"),
    ("move sq k in 1..5 where k * k <= n -> G(n - k ** 2)", "{1,4,9,16,25}"),
    ("move take k in 1..1000 where n >= k -> G(n - k)", "{A}"),
    ("let few = [1, 2]\n  end when n == 0\n  move go i in 1..2 where n >= few[i - 1] -> G(n - few[i - 1])", "{1,2}"),
    ("move drop x in [(1, 2), (3, 4)], (a, b) = x where a + b <= n -> G(n - a - b)", "{3,7}"),
    ("move nothing k in 1..n where k > n -> G(n)", "{}"),
    ("move three a, b in 1..n where a + b < n -> G(a) + G(b) + G(n - a - b)", "8.0"),
    ("move three a, b in 1..n where a < b and 2 * b < n - a -> G(a) + G(b) + G(n - a - b)", "8!.0"),
    (
        "move three a, b in 1..n where a <= b <= n - a - b and not a == b == n - a - b -> G(a) + G(b) + G(n - a - b)",
        "8?.0",
    ),
    ("move three where n mod 3 == 0 and n > 0 -> 3 * G(n div 3)", "8=.0"),
    ("move three a, b in 0..n where a + b < n -> sum(G(x) for x in [a, b, n - 1 - a - b])", "0.F"),
    ("move three a, b in 0..n where a + b < n -> sum(G(x) for x in [a, b, n - 1 - a - b] where x > 0)", "0.F"),
    (
        "move cut a, b in 1..n, c = n - 2 - a - b where c > 0 -> sum([G(a), G(b), G(c)])\n  move two a in 0..n - 2 -> G(a) + G(n - 2 - a)",
        "0.0F",
    ),
    ("move half k in 1..2 where n > k and (n - k) mod 2 == 0 -> 2 * G((n - k) div 2)", "0.4=4="),
    ("move half where n > 1 -> 2 * G(n div 2)", "4=.4="),
    ("move take k in 1..n -> G(n - k)\n  move split a in 1..n div 2 -> G(a) + G(n - a)", "lasker"),
    (
        "move to a in 0..n - 1 -> sum(G(x) for x in [a])\n  move split a in 1..n - 1 -> sum(G(x) for x in [a, n - a])",
        "lasker",
    ),
    ("move one i in 0..n - 1 -> sum(G(m) for m in [i, n - 1 - i])", "0.7"),
    ("move both i in 0..n - 2, j = n - 2 - i -> sum(G(m) for m in [i, j, 0])", "0.07"),
];

#[test]
fn known_games_have_their_codes() {
    for (rule, code) in KNOWN {
        let text = format!("game G(n) {{\n  {rule}\n}}\nsolve G(70)\nsolve G(69) + G(12)\n");
        let all: Vec<String> = (1..=1000).map(|k| k.to_string()).collect();
        let code = code.replace('A', &all.join(","));
        assert_eq!(planned(&text), Ok(code), "{rule}");
        agree(&text);
    }
}

#[test]
fn long_collections_and_what_conditions_leave_are_read() {
    let threes = (1..=100).map(|k| (3 * k).to_string()).collect::<Vec<_>>().join(",");
    let some = format!("{{{threes}}}");
    let two = "{1,4}".to_string();
    let cases = [
        ("move take k in {3 * j for j in 1..100} where k <= n -> G(n - k)", &some),
        ("move take k in [3 * j for j in 1..100] where k <= n -> G(n - k)", &some),
        ("move take k in {-2, 1, 4} where 0 <= k <= n -> G(n - k)", &two),
        ("move take k in {1, 4} where k <= n -> if k == 1 then G(n - 1) else G(n - 4)", &two),
        ("move take k in {1, 4} where k <= n -> (if n > 90 then G(n - k) + G(0) else G(n - k))", &two),
    ];
    for (rule, code) in cases {
        let text = format!("game G(n) {{\n  {rule}\n}}\nsolve G(70)\nsolve G(69) + G(12)\nsolve G(95)\n");
        assert_eq!(planned(&text).as_ref(), Ok(code), "{rule}");
        agree(&text);
    }
}

/// The value of a huge heap by a period that was proved by hand: g(n + p) = g(n) from `start` on.
fn by_period(values: &[u64], start: u64, period: u64, n: u64) -> u64 {
    values[usize::try_from(start + (n - start) % period).expect("small")]
}

#[test]
fn huge_heaps_have_the_values_of_their_periods() {
    let mut random = Random(3);
    let games = [
        (KNOWN[0].0, vec![(1, Kind::Parts), (2, Kind::Parts)], 71, 12),
        (KNOWN[2].0, vec![(2, Kind::Parts)], 53, 34),
        (KNOWN[8].0, vec![(2, Kind::Any), (5, Kind::Any)], 0, 7),
        (
            "move take k in [1, 4, 10] where k <= n -> G(n - k)",
            vec![(1, Kind::Any), (4, Kind::Any), (10, Kind::Any)],
            16,
            11,
        ),
    ];
    for (rule, moves, start, period) in games {
        let small = values(&moves, 400);
        assert!((start..400).all(|n| by_period(&small, start, period, n) == by_period(&small, n, 1, n)), "{rule}");
        let heaps: Vec<u64> = (0..rounds(10, 40)).map(|_| 1_000_000_000_000_000_000 + random.below(1 << 30)).collect();
        let mut text = format!("game G(n) {{\n  {rule}\n}}\n");
        for pair in heaps.windows(2) {
            writeln!(text, "solve G({})\nsolve G({}) + G({})", pair[0], pair[0], pair[1]).expect("memory");
        }
        let program = program(&text).expect("a program");
        let found =
            answers(&program, Policy::Large, Choice { exhaustive: false, moves: 9, remoteness: false, outcome: false });
        for (pair, answers) in heaps.windows(2).zip(found.chunks(2)) {
            let of = |n| by_period(&small, start, period, n);
            assert_eq!(nimber(&answers[0]), of(pair[0]), "{rule} {pair:?}");
            assert_eq!(nimber(&answers[1]), of(pair[0]) ^ of(pair[1]), "{rule} {pair:?}");
            let answer = answers[1].as_ref().expect("an answer");
            assert_eq!(answer.outcome == Outcome::Second, of(pair[0]) == of(pair[1]));
            if moves.iter().all(|(_, kind)| *kind == Kind::Any) {
                let wins = |n: u64, goal: u64| moves.iter().filter(|(k, _)| of(n - k) == goal).count() as u64;
                let count = if of(pair[0]) == of(pair[1]) {
                    0
                } else {
                    wins(pair[0], of(pair[1])) + wins(pair[1], of(pair[0]))
                };
                assert_eq!(answer.winning.count, count, "{rule} {pair:?}");
            }
        }
    }
}

#[test]
fn random_subtraction_sets_of_huge_heaps() {
    let mut random = Random(11);
    for _ in 0..40 {
        let mut amounts: Vec<u64> = (0..=random.below(4)).map(|_| 1 + random.below(12)).collect();
        amounts.sort_unstable();
        amounts.dedup();
        let moves: Vec<(u64, Kind)> = amounts.iter().map(|k| (*k, Kind::Any)).collect();
        let small = values(&moves, 6000);
        let most = usize::try_from(amounts[amounts.len() - 1]).expect("small");
        // As many equal values as the largest amount determine all that follow.
        let (start, end) = (0..2000)
            .find_map(|from| {
                let window = &small[from..from + most];
                (from + 1..6000 - most).find(|to| small[*to..to + most] == *window).map(|to| (from as u64, to as u64))
            })
            .expect("a period");
        let n = 1_000_000_000_000_000_000 + random.below(1 << 40);
        let text = format!(
            "game Coins[s: set of nat](heap) where 0 not in s {{\n  move take some in s where some <= heap -> Coins(heap - some)\n}}\nsolve Coins[{{{}}}]({n})\n",
            amounts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        );
        let program = program(&text).expect("a program");
        let found = answers(&program, Policy::Large, Choice::default());
        assert_eq!(nimber(&found[0]), by_period(&small, start, end - start, n), "{text}");
    }
}

#[test]
fn heaps_beyond_words_and_beside_other_games() {
    let text = "game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n}\n\
        game Three(n) {\n  move take k in 1..3 where k <= n -> Three(n - k)\n}\n\
        game Pair(a, b) {\n  move left where a > 0 -> Pair(a - 1, b)\n  move enter where b > 0 -> Three(999999999999999999 + b)\n}\n\
        solve Nim(10 ** 30) + Nim(10 ** 30 + 1)\nsolve Nim(10 ** 30) + Nim(5)\nsolve Three(10 ** 30 + 2)\nsolve Pair(3, 2) + Three(10 ** 18 + 1)\n";
    let program = program(text).expect("a program");
    let found = answers(&program, Policy::Large, Choice::default());
    let values: Vec<Option<GrundyValue>> =
        found.iter().map(|a| a.as_ref().expect("an answer").grundy.clone()).collect();
    let ten: num_bigint::BigUint = num_bigint::BigUint::from(10_u8).pow(30);
    assert_eq!(values[0], Some(GrundyValue::Nimber(1)));
    assert_eq!(values[1], Some(GrundyValue::Large(ten ^ num_bigint::BigUint::from(5_u8))));
    assert_eq!(values[2], Some(GrundyValue::Nimber(2)));
    // Three(10^18 + 1) has value 1, Pair(0, 2) = mex {1} = 0, Pair(1, 2) = mex {0, 1} = 2, Pair(2, 2) = mex {2, 1} = 0, ...
    assert_eq!(values[3], Some(GrundyValue::Nimber(2 ^ 1)));
}

#[test]
fn the_remoteness_is_that_of_the_search() {
    let text = "game G(n) {\n  move take k in {1, 3, 4} where k <= n -> G(n - k)\n}\nsolve G(20)\nsolve G(25) + G(3)\n";
    let program = program(text).expect("a program");
    let choice = Choice { exhaustive: false, moves: 9, remoteness: true, outcome: false };
    let coded = answers(&program, Policy::Always, choice);
    let searched = answers(&program, Policy::Never, choice);
    for (coded, searched) in coded.iter().zip(&searched) {
        let far = |answer: &Result<Answer, String>| answer.as_ref().expect("an answer").remoteness;
        assert!(far(coded).is_some());
        assert_eq!(far(coded), far(searched));
    }
}

#[test]
fn the_corpus_is_answered_the_same_with_codes_and_without() {
    let mut lines = 0;
    for folder in ["tests/corpus", "games", "tests/oracle/more"] {
        for entry in std::fs::read_dir(folder).expect("the folder is in the tree") {
            let path = entry.expect("a readable entry").path();
            if path.extension().is_none_or(|e| e != "game") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a readable file");
            // Files that use others are left out.
            let Ok(program) = program(&text) else { continue };
            let coded = answers(&program, Policy::Always, EVERYTHING);
            let searched = answers(&program, Policy::Never, EVERYTHING);
            for (coded, searched) in coded.iter().zip(&searched) {
                assert_eq!(told(coded), told(searched), "{}", path.display());
                lines += 1;
            }
        }
    }
    assert!(lines > 60, "{lines}");
}
