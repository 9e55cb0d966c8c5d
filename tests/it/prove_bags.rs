//! Games on small bags: what is proved of them and what is refuted is held against a search in the test.

use crate::proved::{SMALL, USUAL, findings, told};
use crate::rng::Rng;
use crate::rounds;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Ascending.
type Bag = Vec<usize>;

/// A move as it is written, and where it leads.
type Rule = (&'static str, fn(&Bag) -> Vec<Bag>);

/// The bag with one member in place of another.
fn changed(bag: &Bag, old: usize, new: &[usize]) -> Bag {
    let mut bag = bag.clone();
    let at = bag.iter().position(|x| *x == old).expect("a member");
    bag.remove(at);
    bag.extend(new);
    bag.sort_unstable();
    bag
}

fn each(bag: &Bag, to: impl Fn(usize) -> Vec<Bag>) -> Vec<Bag> {
    bag.iter().flat_map(|x| to(*x)).collect()
}

fn least(bag: &Bag) -> usize {
    bag.first().copied().unwrap_or_default()
}

const RULES: &[Rule] = &[
    ("less x in h, k in 1..x -> B(h - [x] + [x - k])", |h| each(h, |x| (0..x).map(|y| changed(h, x, &[y])).collect())),
    ("one x in h where x > 0 -> B(h - [x] + [x - 1])", |h| {
        each(h, |x| (x > 0).then(|| changed(h, x, &[x - 1])).into_iter().collect())
    }),
    ("half x in h where x > 0 -> B([x div 2] + h - [x])", |h| {
        each(h, |x| (x > 0).then(|| changed(h, x, &[x / 2])).into_iter().collect())
    }),
    ("all k in 1..(if size(h) == 0 then 0 else min(h)) -> B([x - k for x in h])", |h| {
        (1..=least(h)).map(|k| h.iter().map(|x| x - k).collect()).collect()
    }),
    ("top k in 1..(if size(h) == 0 then 0 else max(h)), m = max(h) -> B(h - [m] + [m - k])", |h| {
        h.last().map_or_else(Vec::new, |m| (0..*m).map(|y| changed(h, *m, &[y])).collect())
    }),
    ("gone x in h -> B(h - [x])", |h| each(h, |x| vec![changed(h, x, &[])])),
    ("two (x, y) in pairs(h), k in 1..min(x, y) -> B(h - [x, y] + [y - k, x - k])", |h| match h[..] {
        [x, y] => (1..=x).map(|k| vec![x - k, y - k]).collect(),
        _ => Vec::new(),
    }),
    ("split x in h, k in 1..x - 1 where size(h) == 1 -> B([x - k, k])", |h| match h[..] {
        [x] => (1..x).map(|k| changed(h, x, &[k, x - k])).collect(),
        _ => Vec::new(),
    }),
    ("like x in h, y in h where x < y -> B(h - [y] + [x])", |h| match h[..] {
        [x, y] if x < y => vec![vec![x, x]],
        _ => Vec::new(),
    }),
    ("other x in h, m in 0..x - 1 where m not in h -> B(h - [x] + [m])", |h| {
        each(h, |x| (0..x).filter(|m| !h.contains(m)).map(|m| changed(h, x, &[m])).collect())
    }),
    ("twins x in h where count(y == x for y in h) == 2 -> B(h - [x])", |h| match h[..] {
        [x, y] if x == y => vec![vec![x]],
        _ => Vec::new(),
    }),
    ("even x in h, m in 0..x - 1 where sum(h) mod 2 == 0 -> B(h - [x] + [m])", |h| {
        let even = h.iter().sum::<usize>() % 2 == 0;
        each(h, |x| (0..x).filter(|_| even).map(|m| changed(h, x, &[m])).collect())
    }),
];

fn value(rules: &[&Rule], bag: &Bag, known: &mut BTreeMap<Bag, usize>) -> usize {
    if let Some(value) = known.get(bag) {
        return *value;
    }
    let options: BTreeSet<usize> =
        rules.iter().flat_map(|(_, to)| to(bag)).map(|to| value(rules, &to, known)).collect();
    let value = (0..=options.len()).find(|v| !options.contains(v)).expect("a value");
    known.insert(bag.clone(), value);
    value
}

type Form = (&'static str, fn(usize, usize) -> usize);

const VALUES: &[Form] = &[
    ("a xor b", |a, b| a ^ b),
    ("(a + b) mod 2", |a, b| (a + b) % 2),
    ("a + b", |a, b| a + b),
    ("max(a, b)", |a, b| a.max(b)),
    ("min(a, b)", |a, b| a.min(b)),
    ("abs(a - b)", |a, b| a.abs_diff(b)),
    ("0", |_, _| 0),
    ("1", |_, _| 1),
    ("min(a, 1) xor min(b, 1)", |a, b| a.min(1) ^ b.min(1)),
    ("if a == b then 0 else 1", |a, b| usize::from(a != b)),
    ("a mod 2 xor b mod 2", |a, b| (a % 2) ^ (b % 2)),
    ("(a + 1) xor (b + 1)", |a, b| (a + 1) ^ (b + 1)),
];

const LOST: &[Form] = &[
    ("a == b", |a, b| usize::from(a == b)),
    ("(a + b) mod 2 == 0", |a, b| usize::from((a + b) % 2 == 0)),
    ("a mod 2 == 0 and b mod 2 == 0", |a, b| usize::from(a % 2 == 0 && b % 2 == 0)),
    ("false", |_, _| 0),
    ("true", |_, _| 1),
    ("min(a, b) mod 2 == 0 and abs(a - b) == 1", |a, b| usize::from(a.min(b) % 2 == 0 && a.abs_diff(b) == 1)),
    ("a mod 3 == b mod 3", |a, b| usize::from(a % 3 == b % 3)),
    ("a == 0 and b == 0", |a, b| usize::from(a == 0 && b == 0)),
];

const ALONE: &[Form] = &[
    ("a", |a, _| a),
    ("a mod 2", |a, _| a % 2),
    ("0", |_, _| 0),
    ("1", |_, _| 1),
    ("a + 1", |a, _| a + 1),
    ("min(a, 1)", |a, _| a.min(1)),
    ("(a + 1) mod 2", |a, _| (a + 1) % 2),
    ("if a == 0 then 1 else a mod 2", |a, _| if a == 0 { 1 } else { a % 2 }),
];

const MOST: usize = 10;

#[test]
fn random_games_of_bags() {
    let mut rng = Rng::new(7);
    let (mut proved, mut refuted) = (0, 0);
    for _ in 0..rounds(60, 5000) {
        let rules: Vec<&Rule> = (0..=rng.below(3)).map(|_| &RULES[rng.below(RULES.len())]).collect();
        let mut text = "game B(h: bag of nat) where size(h) <= 2 {\n".to_string();
        for (at, (rule, _)) in rules.iter().enumerate() {
            // The same rule may be drawn twice.
            let (name, rest) = rule.split_once(' ').expect("a name");
            writeln!(text, "  move {name}{at} {rest}").expect("a text");
        }
        text += "}\n";
        let mut known = BTreeMap::new();
        let pairs: Vec<(usize, usize)> = (0..MOST).flat_map(|b| (0..=b).map(move |a| (a, b))).collect();
        let two: Vec<usize> = pairs.iter().map(|(a, b)| value(&rules, &vec![*a, *b], &mut known)).collect();
        let one: Vec<usize> = (0..MOST).map(|a| value(&rules, &vec![a], &mut known)).collect();
        writeln!(text, "claim \"none\": grundy(B([])) == {}", value(&rules, &Vec::new(), &mut known)).expect("a text");
        let mut claims: Vec<(String, bool)> = Vec::new();
        for form in ALONE.iter().filter(|form| (0..MOST).all(|a| form.1(a, 0) == one[a])).take(1) {
            claims.push((format!("for a in nat: grundy(B([a])) == ({})", form.0), true));
        }
        let binders = ["for a, b in nat", "for a, b in nat where a <= b", "for b in nat, a in nat where b >= a"];
        let mut add =
            |forms: &[Form], found: &dyn Fn(usize) -> usize, said: &dyn Fn(&str) -> String, other: [usize; 2]| {
                let holds = |form: &Form| pairs.iter().zip(&two).all(|((a, b), value)| form.1(*a, *b) == found(*value));
                let some = forms.iter().filter(|form| holds(form)).take(2).chain([&forms[other[0] % forms.len()]]);
                claims.extend(some.map(|form| (format!("{}: {}", binders[other[1]], said(form.0)), holds(form))));
            };
        add(VALUES, &|value| value, &|form| format!("grundy(B([b, a])) == ({form})"), [rng.below(100), rng.below(3)]);
        add(
            LOST,
            &|value| usize::from(value == 0),
            &|form| format!("loses(B([a, b])) iff ({form})"),
            [rng.below(100), rng.below(3)],
        );
        for (claim, _) in &claims {
            writeln!(text, "claim \"x\" {claim}").expect("a text");
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
    println!("{proved} proved, {refuted} refuted");
    assert!(proved > rounds(90, 7500) && refuted > rounds(60, 5000), "{proved} {refuted}");
}

/// What is proved of lists of numbers is proved of bags of them; what depends on an order, of the order that a bag has.
#[test]
fn words_of_bags() {
    let verdicts = |text: &str| -> Vec<String> { findings(text, USUAL).iter().map(told).collect() };
    let nim = "  move take x in h, k in 1..x -> Nim(h - [x] + [x - k])\n";
    for (form, verdict) in [
        ("grundy = xor(h)", "PROVED"),
        ("grundy = xor(list(h))", "PROVED"),
        ("grundy = list(h)[0] xor list(h)[1] xor list(h)[2]", "PROVED"),
        ("loses iff xor(x for x in h) == 0", "PROVED"),
        ("loses iff min(h) xor max(h) == sum(h) - min(h) - max(h)", "PROVED"),
        ("grundy = [x for x in h][0] xor sort(h)[1] xor max(h)", "PROVED"),
        ("loses iff h == bag([x xor y for x in [list(h)[0]], y in [list(h)[1]]] + [list(h)[0], list(h)[1]])", "PROVED"),
        ("loses iff last(list(h)) == list(h)[0] xor list(h)[1]", "PROVED"),
        ("loses iff first(list(h)) == list(h)[0] xor list(h)[1]", "REFUTED h={0, 1, 1}"),
        ("grundy = list(h)[2]", "REFUTED h={0, 1, 1}"),
    ] {
        let text = format!("game Nim(h: bag of nat) where size(h) == 3 {{\n{nim}  theorem {form}\n}}\n");
        let told = verdicts(&text);
        assert!(told[0].starts_with(verdict.split(' ').next().expect("a word")), "{told:?} {text}");
    }
    // Two equal members are two, and what is taken out must be there.
    let text = "game Twins(h: bag of nat) where size(h) == 2 {
  move both x in h where h - [x] == bag([x]) and x > 0 -> Twins([x - 1, x - 1])
}
claim \"equal\" for a in nat: grundy(Twins([a, a])) == a mod 2
claim \"not equal\" for a, b in nat where a != b: grundy(Twins([a, b])) == 0
claim \"all\" for a, b in nat: grundy(Twins([a, b])) == (if a == b then a mod 2 else 0)
game Taken(h: bag of nat) where size(h) == 2 {
  move take k in 1..max(h) -> Taken(h - [k] + [0])
}
claim \"no member\" for a, b in nat: grundy(Taken([a, b])) == min(a, 1) + min(b, 1)
";
    let told = verdicts(text);
    assert_eq!(told[..3], ["PROVED", "PROVED", "PROVED"].map(String::from), "{told:?}");
    assert!(told[3].starts_with("UNKNOWN"), "{told:?}");
}

/// Sets of states of an automaton may have very many members before there are many of them: a limit ends that, too.
#[test]
fn what_is_too_large_ends() {
    let text = "game B(h: bag of nat) {
  move m (a, b) in pairs(h), k in 1..min(a, b) -> B(h - [a, b] + [a - k, b - k])
}
game N(n) { move t k in 1..n -> N(n - k) }
claim \"x\" for a, b in nat: loses(B([a, b, 0])) iff min(a, b) == 0
claim \"y\" for n in nat: grundy(N(n)) == n
";
    let told: Vec<String> = findings(text, SMALL).iter().map(told).collect();
    assert!(told[0].starts_with("UNKNOWN") && told[1] == "PROVED", "{told:?}");
}
