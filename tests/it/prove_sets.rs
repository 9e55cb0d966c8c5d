//! Games on small sets whose members are turned on and off: what is proved of them and what is refuted is held against a search in the
//! test.

use crate::proved::{SMALL, findings, told};
use crate::rng::Rng;
use crate::rounds;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

type Set = BTreeSet<usize>;

/// A move as it is written, and where it leads.
type Rule = (&'static str, fn(&Set) -> Vec<Set>);

fn each(up: &Set, to: impl Fn(usize) -> Vec<Set>) -> Vec<Set> {
    up.iter().flat_map(|c| to(*c)).collect()
}

fn without(up: &Set, members: &[usize]) -> Set {
    up.iter().copied().filter(|c| !members.contains(c)).collect()
}

fn turned(up: &Set, members: &[usize]) -> Set {
    up.symmetric_difference(&members.iter().copied().collect()).copied().collect()
}

const RULES: &[Rule] = &[
    ("away c in up -> S(up - {c})", |up| each(up, |c| vec![without(up, &[c])])),
    ("both c in up, m in 0..c - 1 -> S(up xor {c, m})", |up| {
        each(up, |c| (0..c).map(|m| turned(up, &[c, m])).collect())
    }),
    ("next c in up where c > 0 -> S(up xor {c, c - 1})", |up| {
        each(up, |c| if c > 0 { vec![turned(up, &[c, c - 1])] } else { Vec::new() })
    }),
    ("even c in up, m in 0..c - 1 where m mod 2 == 0 -> S(up xor {m, c})", |up| {
        each(up, |c| (0..c).step_by(2).map(|m| turned(up, &[c, m])).collect())
    }),
    (
        "named c in up, m in 0..c - 1, other = up xor {m} -> if size(other) < size(up) then S(other) else S(up - {c})",
        |up| {
            each(up, |c| (0..c).map(|m| if up.contains(&m) { without(up, &[m]) } else { without(up, &[c]) }).collect())
        },
    ),
    ("less c in up, m in 0..c - 1 -> S(up - {c, m})", |up| {
        each(up, |c| (0..c).map(|m| without(up, &[c, m])).collect())
    }),
    ("only c in up, m in 0..c - 1 where size(up) > 1 -> S(up & {m, c})", |up| {
        let some = |c| (0..c).map(move |m| up.iter().copied().filter(|x| *x == m || *x == c).collect::<Set>());
        each(up, |c| if up.len() > 1 { some(c).filter(|to| to.len() < up.len()).collect() } else { Vec::new() })
    }),
    ("half c in up where c > 0 -> S((up - {c}) xor {c div 2})", |up| {
        each(up, |c| if c > 0 { vec![turned(&without(up, &[c]), &[c / 2])] } else { Vec::new() })
    }),
];

fn value(rules: &[&Rule], up: &Set, known: &mut BTreeMap<Set, usize>) -> usize {
    if let Some(value) = known.get(up) {
        return *value;
    }
    let options: Vec<usize> = rules.iter().flat_map(|(_, to)| to(up)).map(|to| value(rules, &to, known)).collect();
    let value = (0..=options.len()).find(|v| !options.contains(v)).expect("a value");
    known.insert(up.clone(), value);
    value
}

type Form = (&'static str, fn(usize, usize) -> usize);

const VALUES: &[Form] = &[
    ("a xor b", |a, b| a ^ b),
    ("(a + b) mod 2", |a, b| (a + b) % 2),
    ("a + b", |a, b| a + b),
    ("1", |_, _| 1),
    ("2", |_, _| 2),
    ("0", |_, _| 0),
    ("b", |_, b| b),
    ("b - a", |a, b| b - a),
    ("(a + 1) xor (b + 1)", |a, b| (a + 1) ^ (b + 1)),
    ("a mod 2 xor b mod 2", |a, b| (a % 2) ^ (b % 2)),
];

const LOST: &[Form] = &[
    ("b == a + 1", |a, b| usize::from(b == a + 1)),
    ("(a + b) mod 2 == 0", |a, b| usize::from((a + b) % 2 == 0)),
    ("a == 0", |a, _| usize::from(a == 0)),
    ("false", |_, _| 0),
    ("b mod 2 == 0 and b == a + 1", |a, b| usize::from(b % 2 == 0 && b == a + 1)),
    ("a mod 2 == 0 and b mod 2 == 0", |a, b| usize::from(a % 2 == 0 && b % 2 == 0)),
    ("a mod 3 == b mod 3", |a, b| usize::from(a % 3 == b % 3)),
    ("b mod 2 == 0", |_, b| usize::from(b % 2 == 0)),
];

const MOST: usize = 12;

#[test]
fn random_games_of_coins_that_are_turned() {
    let mut rng = Rng::new(11);
    let (mut proved, mut refuted) = (0, 0);
    for _ in 0..rounds(60, 5000) {
        let count = 1 + rng.below(3);
        let rules: Vec<&Rule> = (0..count).map(|_| &RULES[rng.below(RULES.len())]).collect();
        let mut text = "game S(up: set of nat) where size(up) <= 2 {\n".to_string();
        for (at, (rule, _)) in rules.iter().enumerate() {
            // The same rule may be drawn twice; `only` must make the set smaller.
            let (name, rest) = rule.split_once(' ').expect("a name");
            let rest = rest.replace("-> S(up & {m, c})", "and size(up & {m, c}) < size(up) -> S(up & {m, c})");
            writeln!(text, "  move {name}{at} {rest}").expect("a text");
        }
        text += "}\n";
        let mut known = BTreeMap::new();
        let pairs: Vec<(usize, usize)> = (0..MOST).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
        let mut values = Vec::new();
        for (a, b) in &pairs {
            values.push(value(&rules, &Set::from([*a, *b]), &mut known));
        }
        // What holds as far as the test looks, and one that need not.
        let mut claims: Vec<(String, bool)> = Vec::new();
        let mut add = |forms: &[Form], found: &dyn Fn(usize) -> usize, said: &dyn Fn(&str) -> String, other: usize| {
            let holds = |form: &Form| pairs.iter().zip(&values).all(|((a, b), value)| form.1(*a, *b) == found(*value));
            let some = forms.iter().filter(|form| holds(form)).take(2).chain([&forms[other % forms.len()]]);
            claims.extend(some.map(|form| (said(form.0), holds(form))));
        };
        add(VALUES, &|value| value, &|form| format!("grundy(S({{a, b}})) == {form}"), rng.below(100));
        add(LOST, &|value| usize::from(value == 0), &|form| format!("loses(S({{a, b}})) iff ({form})"), rng.below(100));
        writeln!(text, "claim \"none\": grundy(S({{}})) == {}", value(&rules, &Set::new(), &mut known))
            .expect("a text");
        for (claim, _) in &claims {
            writeln!(text, "claim \"x\" for a, b in nat where a < b: {claim}").expect("a text");
        }
        let told: Vec<String> = findings(&text, SMALL).iter().map(told).collect();
        assert_eq!(told[0], "PROVED", "{text}");
        for (told, (claim, holds)) in told[1..].iter().zip(&claims) {
            assert!(*holds || !told.starts_with("PROVED"), "{told}: {claim}\n{text}");
            assert!(!*holds || !told.starts_with("REFUTED"), "{told}: {claim}\n{text}");
            proved += usize::from(told == "PROVED");
            refuted += usize::from(told.starts_with("REFUTED"));
        }
    }
    assert!(proved > rounds(20, 1500) && refuted > rounds(40, 3500), "{proved} {refuted}");
}

/// Words for one thing that are no term of the logic by themselves.
#[test]
fn digits_that_are_counted_and_quotients_that_are_whole() {
    let text = "game Clear(n) { move clear i in 0..bits(n) - 1 where bit(n, i) -> Clear(n - 2 ** i) }
game Even(n) { move take k in 1..n where k mod 2 == 0 -> Even(n - k) }
game Mark(n) { move to m in {n - 1, n div 2} where n > 0 -> Mark(m) }
game Wythoff(a, b) {
  move left k in 1..a -> Wythoff(a - k, b)
  move right k in 1..b -> Wythoff(a, b - k)
  move both k in 1..min(a, b) -> Wythoff(a - k, b - k)
}
let phi = (1 + sqrt(5)) / 2
claim \"counted\" for n in nat: grundy(Clear(n)) == count(bit(n, i) for i in 0..bits(n) - 1) mod 2
claim \"counted with more places\" for n in nat: grundy(Clear(n)) == count(bit(n, i) for i in 0..bits(n) + 3) mod 2
claim \"summed\" for n in nat: wins(Clear(n)) iff sum(if bit(n, i) then 1 else 0 for i in 0..bits(n)) mod 2 == 1
claim \"a set of places\" for n in nat: wins(Clear(n)) iff size({i for i in 0..bits(n) - 1 where bit(n, i)}) mod 2 != 0
claim \"a list of places\" for n in nat: loses(Clear(n)) iff size([1 for i in 0..bits(n) - 1 where bit(n, i)]) mod 2 == 0
claim \"whole\" for n in nat: grundy(Even(n)) == (n - n mod 2) / 2
claim \"whole, too\" for n in nat: grundy(Even(2 * n)) == (2 * n) / 2
claim \"twice the same member\" for n in nat: loses(Mark(n)) iff n == 0 or valuation(n, 2) mod 2 == 1
claim \"a square\" for n in nat: loses(Wythoff(floor(n * phi), floor(n * phi ** 2)))
claim \"too few places\" for n in nat: grundy(Clear(n)) == count(bit(n, i) for i in 0..bits(n) - 2) mod 2
claim \"a set of truth values\" for n in nat: grundy(Clear(n)) == count({bit(n, i) for i in 0..bits(n) - 1}) mod 2
claim \"a set of numbers\" for n in nat: grundy(Clear(n)) == sum({if bit(n, i) then 1 else 0 for i in 0..bits(n) - 1}) mod 2
claim \"one member\" for n, j in nat: grundy(Clear(n)) == size({j for i in 0..bits(n) - 1 where bit(n, i)}) mod 2
claim \"constant members\" for n in nat: grundy(Clear(n)) == size({7 for i in 0..bits(n) - 1 where bit(n, i)}) mod 2
claim \"no value\" for n in nat: grundy(Clear(n)) == size([1 div (i - i) for i in 0..bits(n) - 1 where bit(n, i)]) mod 2
claim \"not whole\" for n in nat: grundy(Even(n)) == n / 2
";
    let told: Vec<String> = findings(text, crate::proved::USUAL).iter().map(told).collect();
    assert_eq!(told[..9], ["PROVED"; 9], "{told:?}");
    // At 3 there are two digits 1, and one member of those sets.
    assert!(told.len() == 16 && !told[9..].iter().any(|told| told.starts_with("PROVED")), "{told:?}");
}

/// Sets of numbers that may be equal, compared: what that means is written out beside it.
#[test]
fn sets_of_numbers_that_may_be_equal() {
    const TERMS: [&str; 7] = ["a", "b", "a + 1", "min(a, b)", "a + b", "2", "2 * b"];
    const FORMS: [&str; 4] = ["{SET}", "set([SET])", "{SET}", "set([x for x in [SET]])"];
    let mut rng = Rng::new(5);
    let mut below = |n: usize| rng.below(n);
    let mut refuted = 0;
    for _ in 0..rounds(40, 1000) {
        let [some, others] = [(); 2].map(|()| (0..=below(3)).map(|_| TERMS[below(TERMS.len())]).collect::<Vec<&str>>());
        let [x, y] = [&some, &others].map(|set| FORMS[below(FORMS.len())].replace("SET", &set.join(", ")));
        let within = |inner: &[&str], outer: &[&str]| {
            let each = inner.iter().map(|x| {
                let some: Vec<String> = outer.iter().map(|y| format!("{x} == {y}")).collect();
                format!("({})", some.join(" or "))
            });
            format!("({})", each.collect::<Vec<_>>().join(" and "))
        };
        let (up, down) = (within(&some, &others), within(&others, &some));
        let (compared, means) = match below(7) {
            0 => (format!("{x} == {y}"), format!("{up} and {down}")),
            1 => (format!("{x} != {y}"), format!("not ({up} and {down})")),
            2 => (format!("{x} <= {y}"), up.clone()),
            3 => (format!("{x} >= {y}"), down),
            4 => (format!("{x} < {y}"), format!("{up} and not {down}")),
            5 => (format!("{x} > {y}"), format!("{down} and not {up}")),
            _ => (
                format!("{x} in [{{a, 7}}, {y}]"),
                format!("{up} and {down} or {} and {}", within(&some, &["a", "7"]), within(&["a", "7"], &some)),
            ),
        };
        let text = format!(
            "claim \"same\" for a, b in nat: ({compared}) iff ({means})\nclaim \"other\" for a, b in nat: ({compared}) iff not ({means})\n"
        );
        let told: Vec<String> = findings(&text, SMALL).iter().map(told).collect();
        assert_eq!(told[0], "PROVED", "{text}");
        assert!(told[1].starts_with("REFUTED"), "{told:?}\n{text}");
        refuted += 1;
    }
    assert!(refuted > 0);
}

#[test]
fn digits_that_are_one() {
    let text = "claim \"count\" for n in nat: count(d == 1 for d in digits(n, 2)) == sum(digits(n, 2))
claim \"sum\" for n in nat: sum(if d > 0 then 1 else 0 for d in digits(n, 2)) mod 2 == sum(digits(n, 2)) mod 2
claim \"size\" for n in nat: size([d for d in digits(n, 2) where d != 0]) == 1 iff sum(digits(n, 2)) == 1
claim \"zeros\" for n in nat: count(d == 0 for d in digits(n, 2)) == sum(digits(n, 2))
";
    let told: Vec<String> = findings(text, SMALL).iter().map(told).collect();
    assert_eq!(told[1..3], ["PROVED", "PROVED"]);
    assert_ne!(told[0], "REFUTED");
    assert_eq!(told[3], "REFUTED n=1");
}
