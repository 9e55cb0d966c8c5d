//! Terms in claims and rules: numbers of digits, and definitions that go on by steps. What is said of them is held against plain
//! arithmetic in the test.

use crate::proved::{USUAL, findings, told};
use crate::rounds;

fn all(text: &str) -> Vec<String> {
    findings(text, USUAL).iter().map(told).collect()
}

#[test]
fn moves_by_powers_of_two() {
    // Powers of two are 1 or 2 modulo 3, and 1 and 2 are among them: the Grundy value is n mod 3. Who clears digits 1 of a number
    // one by one wins if they are odd in number.
    let text = "game Powers(n) { move take k in 0..bits(n) - 1 -> Powers(n - 2 ** k) }
claim \"modulo 3\" for n in nat: grundy(Powers(n)) == n mod 3
claim \"late\" for n in nat: loses(Powers(n)) iff n mod 3 == 0 and n < 30000
game Clear(n) { move clear k in 0..bits(n) - 1 where bit(n, k) -> Clear(n - 2 ** k) }
claim \"parity\" for n in nat: grundy(Clear(n)) == sum(digits(n, 2)) mod 2
claim \"up to four\" for n in nat where n < 32: loses(Clear(n)) iff sum(digits(n, 2)) in {0, 2, 4}
claim \"up to four\" for n in nat: loses(Clear(n)) iff sum(digits(n, 2)) in {0, 2, 4}
claim \"few\" for n in nat where sum(digits(n, 2)) <= 3: wins(Clear(n)) iff sum(digits(n, 2)) in {1, 3}
claim \"parts\" for n in nat where size(zeckendorf(n)) >= 2: n >= 4
claim \"places\" for n in nat where n > 0: 2 ** (bits(n) - 1) <= n and n < 2 ** bits(n)
claim \"places\" for n in nat where bits(n) > 3: n > 8
game Few(n) { move take k in 1..bits(n) -> Few(n - k) }
claim \"as a number\" for n in nat: loses(Few(n)) iff n mod 7 == 0 and n mod 3 == 0 and n != 0 or n == 0 or n == 3\n";
    let told = all(text);
    assert_eq!(told[..4], ["PROVED", "REFUTED n=30000", "PROVED", "PROVED"]);
    // Six digits 1 are more.
    assert_eq!(told[4], "REFUTED n=63");
    assert_eq!(told[5..8], ["PROVED", "PROVED", "PROVED"]);
    assert_eq!(told[8], "REFUTED n=8");
    assert!(!told[9].starts_with("PROVED"), "{}", told[9]);
}

#[test]
fn definitions_that_go_on_by_steps() {
    let text = "def quarter(n: nat): bool = if n < 4 then n == 0 else quarter(n - 4)
def turn(n: nat): bool = if n == 0 then true else not turn(n - 1)
def two(n: nat): nat = if n == 0 then 5 else if n == 1 then 7 else 3 + two(n - 2)
def gap(a: nat, b: nat): nat = if a == 0 or b == 0 then a + b else gap(a - 1, b - 1)
def up(n: nat): nat = if n >= 10 then n else up(n + 3)
def down(n): int = if n <= 0 then n else down(n - 2) - 5
game Take(n) { move take k in 1..min(n, 3) -> Take(n - k) }
claim \"a\" for n in nat: loses(Take(n)) iff quarter(n)
claim \"b\" for n in nat: turn(n) iff n mod 2 == 0
claim \"c\" for n in nat: two(n) == 3 * (n div 2) + (if n mod 2 == 0 then 5 else 7)
claim \"d\" for a, b in nat: gap(a, b) == abs(a - b)
claim \"e\" for n in nat: up(n) == max(n, 10 + (n + 2) mod 3)
claim \"f\" for n in nat: down(n) == 0 - 5 * ((n + 1) div 2) - n mod 2
claim \"late\" for n in nat: loses(Take(n)) iff quarter(n) and n < 5000\n";
    let told = all(text);
    assert_eq!(told[..6], ["PROVED"; 6]);
    assert_eq!(told[6], "REFUTED n=5000");
}

/// Where a definition does not end, or a step has no value, nothing is proved.
#[test]
fn steps_without_an_end() {
    let text = "def never(n: nat): nat = if n == 1 then 0 else never(n - 2)
def below(n: nat): nat = if n == 0 then 0 - 5 else below(n - 1) + 1
def over(n: nat): nat = if n == 0 then 5 else over(n - 1) - 1
def twice(n: nat): nat = if n == 0 then 0 else twice(n - 1) + twice(n - 1)
def round(n: nat): nat = if n == 0 then 0 else round(n)
claim \"a\" for n in nat: never(n) == 0
claim \"b\" for n in nat where n > 10: below(n) == n - 5
claim \"c\" for n in nat: over(n) == 5 - n
claim \"d\" for n in nat: twice(n) == 0
claim \"e\" for n in nat: round(n) == 0\n";
    let told = all(text);
    assert!(told.iter().all(|told| !told.starts_with("PROVED")), "{told:?}");
    let odd = "def never(n: nat): nat = if n == 1 then 0 else never(n - 2)
claim \"odd\" for n in nat where n mod 2 == 1: never(n) == 0\n";
    assert_eq!(all(odd), ["PROVED"]);
}

#[test]
fn random_steps() {
    let mut state = 3_u64;
    let mut below = |n: i64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(state >> 33).expect("31 bits") % n
    };
    let (mut proved, mut refuted) = (0, 0);
    for _ in 0..60 {
        let step = 1 + below(4);
        let (end, by, factor, more) = (step + below(2), below(4), below(3), below(5));
        let value = |n: i64| {
            let steps = if n < end { 0 } else { (n - end) / step + 1 };
            factor * (n - steps * step) + more + by * steps
        };
        let mut list: Vec<i64> = (0..step).map(value).collect();
        if below(3) == 0 {
            list[0] += 1;
        }
        let text = format!(
            "def f(n: nat): nat = if n < {end} then {factor} * n + {more} else f(n - {step}) + {by}
claim \"x\" for n in nat: f(n) == {by} * (n div {step}) + {list:?}[n mod {step}]\n"
        );
        let fails = (0..200).find(|n| value(*n) != by * (n / step) + list[usize::try_from(n % step).expect("small")]);
        match fails {
            None => proved += 1,
            Some(_) => refuted += 1,
        }
        let expected = fails.map_or("PROVED".to_string(), |n| format!("REFUTED n={n}"));
        assert_eq!(all(&text), [expected], "{text}");
    }
    assert!(proved > 10 && refuted > 10, "{proved} {refuted}");
}

/// A move `take k` of a heap with a truth value beside it: how many, which truth value it needs, and which it leaves.
struct Take {
    most: usize,
    needs: Option<bool>,
    leaves: Leaves,
}

#[derive(Clone, Copy)]
enum Leaves {
    Same,
    Other,
    This(bool),
}

impl Take {
    fn to(&self, on: bool) -> bool {
        match self.leaves {
            Leaves::Same => on,
            Leaves::Other => !on,
            Leaves::This(value) => value,
        }
    }

    fn text(&self, at: usize, tuple: bool) -> String {
        let (n, on) = if tuple { ("p[0]", "p[1]") } else { ("n", "on") };
        let needs = match self.needs {
            Some(true) => format!(" where {on}"),
            Some(false) => format!(" where not {on}"),
            None => String::new(),
        };
        let to = match self.leaves {
            Leaves::Same => on.to_string(),
            Leaves::Other => format!("not {on}"),
            Leaves::This(value) => value.to_string(),
        };
        let to = if tuple { format!("({n} - k, {to})") } else { format!("{n} - k, {to}") };
        format!("  move m{at} k in 1..min({n}, {}){needs} -> G({to})\n", self.most)
    }
}

/// Grundy values of 0, 1, .. with `false` and with `true`.
fn played(takes: &[Take], flip: bool, count: usize) -> Vec<[usize; 2]> {
    let mut values: Vec<[usize; 2]> = Vec::new();
    for n in 0..count {
        values.push([0, 0]);
        for on in [false, true] {
            let usable = takes.iter().filter(|take| take.needs.is_none_or(|needs| needs == on));
            let mut options: Vec<usize> = usable
                .flat_map(|take| (1..=take.most.min(n)).map(|k| (n - k, take.to(on))).collect::<Vec<_>>())
                .map(|(n, on)| values[n][usize::from(on)])
                .collect();
            if flip && on {
                options.push(values[n][0]);
            }
            values[n][usize::from(on)] =
                (0..=options.len()).find(|value| !options.contains(value)).expect("one more than options");
        }
    }
    values
}

#[test]
fn truth_values_and_tuples_in_positions() {
    const COUNT: usize = 400;
    let mut state = 11_u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % n
    };
    let (mut proved, mut refuted) = (0, 0);
    for _ in 0..rounds(60, 2000) {
        let takes: Vec<Take> = (0..=below(2))
            .map(|_| Take {
                most: 1 + below(3),
                needs: [None, None, Some(false), Some(true)][below(4)],
                leaves: [Leaves::Same, Leaves::Other, Leaves::This(false), Leaves::This(true)][below(4)],
            })
            .collect();
        let (flip, tuple, by_value) = (below(3) == 0, below(2) == 0, below(2) == 0);
        let values = played(&takes, flip, COUNT);
        let holds = |before: usize, period: usize| (before..COUNT / 2).all(|n| values[n] == values[n + period]);
        let Some((before, period)) =
            (0..6).flat_map(|before| (1..13).map(move |period| (before, period))).find(|(b, p)| holds(*b, *p))
        else {
            continue;
        };
        let mut said: Vec<[usize; 2]> = values[..before + period].to_vec();
        if below(3) == 0 {
            let (at, on) = (below(said.len()), below(2));
            said[at][on] = usize::from(said[at][on] == 0);
        }
        let says = |n: usize| said[if n < before { n } else { before + (n - before) % period }];
        let fails = (0..COUNT).flat_map(|n| [(n, false), (n, true)]).find(|&(n, on)| {
            let (says, is) = (says(n)[usize::from(on)], values[n][usize::from(on)]);
            if by_value { says != is } else { (says == 0) != (is == 0) }
        });
        let (n, on) = if tuple { ("p[0]", "p[1]") } else { ("n", "on") };
        let of = |on: usize| {
            let list: Vec<usize> = said.iter().map(|values| values[on]).collect();
            let periodic = format!("{:?}[({n} - {before}) mod {period}]", &list[before..]);
            if before == 0 {
                periodic
            } else {
                format!("(if {n} < {before} then {:?}[{n}] else {periodic})", &list[..before])
            }
        };
        let value = format!("(if {on} then {} else {})", of(1), of(0));
        let theorem =
            if by_value { format!("theorem grundy = {value}") } else { format!("theorem loses iff {value} == 0") };
        let fields = if tuple { "p: (nat, bool)" } else { "n: nat, on: bool" };
        let moves: String = takes.iter().enumerate().map(|(i, take)| take.text(i, tuple)).collect();
        let turned = if tuple { format!("({n}, false)") } else { format!("{n}, false") };
        let flip = if flip { format!("  move flip where {on} -> G({turned})\n") } else { String::new() };
        let text = format!("game G({fields}) {{\n{moves}{flip}  {theorem}\n}}\n");
        let expected = match fails {
            None => "PROVED".to_string(),
            Some((n, on)) if tuple => format!("REFUTED p=({n}, {on})"),
            Some((n, on)) => format!("REFUTED n={n} on={on}"),
        };
        if fails.is_none() {
            proved += 1;
        } else {
            refuted += 1;
        }
        assert_eq!(all(&text), [expected], "{text}");
    }
    assert!(proved > 10 && refuted > 10, "{proved} {refuted}");
}

#[test]
fn claims_about_one_truth_value_of_a_proved_theorem() {
    let text = "game S(n: nat, on: bool) {
  move take k in 1..min(n, 3) -> S(n - k, on)
  move flip where on -> S(n, false)
  theorem grundy = (n mod 4) xor (if on then 1 else 0)
}
claim \"off\" for n in nat: loses(S(n, false)) iff n mod 4 == 0
claim \"on\" for n in nat: loses(S(n, true)) iff n mod 4 == 1
claim \"not\" for n in nat: loses(S(n, true)) iff n mod 4 == 1 and n < 9
claim \"both\" for n in nat: wins(S(n, true) + S(n, false))\n";
    assert_eq!(all(text), ["PROVED", "PROVED", "PROVED", "REFUTED n=9", "PROVED"]);
}

/// Whether a claim says of a number and a truth value that its position is lost.
type Claimed = fn(usize, bool) -> bool;

#[test]
fn variables_that_are_truth_values() {
    let game = "game S(n: nat, on: bool) {
  move take k in 1..min(n, 3) -> S(n - k, on)
  move flip where on -> S(n, false)
}
game Bash[loud: bool](n: nat) { move take k in 1..min(n, if loud then 3 else 2) -> Bash(n - k) }\n";
    let takes = [Take { most: 3, needs: None, leaves: Leaves::Same }];
    let values = played(&takes, true, 200);
    // By the numbers alone, and by the values of the test.
    let first = |claimed: Claimed| {
        let all = (0..200).flat_map(|n| [(n, false), (n, true)]);
        let wrong = all.into_iter().find(|&(n, on)| claimed(n, on) != (values[n][usize::from(on)] == 0));
        wrong.map_or("PROVED".to_string(), |(n, on)| format!("REFUTED n={n} on={on}"))
    };
    let cases: [(&str, Claimed); 5] = [
        ("n mod 4 == (if on then 1 else 0)", |n, on| n % 4 == usize::from(on)),
        ("n mod 4 == 0 and not on or n mod 4 == 1 and on", |n, on| n % 4 == usize::from(on)),
        ("n mod 4 == (if on then 1 else 0) and n != 52", |n, on| n % 4 == usize::from(on) && n != 52),
        ("n mod 4 == (if on then 1 else 0) and (n != 53 or not on)", |n, on| n % 4 == usize::from(on) && n != 53),
        ("n mod 4 == 0", |n, _| n % 4 == 0),
    ];
    let mut verdicts = std::collections::BTreeSet::new();
    for (condition, claimed) in cases {
        for domain in ["{false, true}", "{true, false}"] {
            let text = format!("{game}claim \"c\" for n in nat, on in {domain}: loses(S(n, on)) iff {condition}\n");
            verdicts.insert(first(claimed));
            assert_eq!(all(&text), [first(claimed)], "{text}");
        }
    }
    assert_eq!(verdicts.len(), 4, "{verdicts:?}");
    // Truth values do not count towards the size of a counterexample.
    let two = "game T(a: bool, b: bool, n: nat) { move take k in 1..min(n, 3) -> T(a, b, n - k)";
    let wrong = "n mod 4 == 0 and not (a and b and n == 12) or not a and not b and n == 13";
    let claim = format!(
        "{two} }}\nclaim \"c\" for a in {{false, true}}, b in {{false, true}}, n in nat: loses(T(a, b, n)) iff ({wrong})\n"
    );
    let theorem = format!("{two}  theorem loses iff {wrong} }}\n");
    for text in [claim, theorem] {
        assert_eq!(all(&text), ["REFUTED a=true b=true n=12"], "{text}");
    }
    // A rule parameter is gone through.
    let each = format!(
        "{game}claim \"c\" for loud in {{false, true}}, n in nat: grundy(Bash[loud](n)) == n mod (if loud then 4 else 3)
claim \"d\" for loud in {{false, true}}, n in nat: grundy(Bash[loud](n)) == n mod 4\n"
    );
    assert_eq!(all(&each), ["PROVED", "REFUTED loud=false n=3"]);
}

type Holds<'a> = Box<dyn Fn(usize) -> bool + 'a>;

#[test]
fn the_ends_of_the_parts_of_a_number() {
    // The parts from the greatest to the least.
    let parts = |mut n: usize| {
        let mut fibonacci = vec![1, 2];
        while fibonacci[fibonacci.len() - 1] <= n {
            fibonacci.push(fibonacci[fibonacci.len() - 2] + fibonacci[fibonacci.len() - 1]);
        }
        let mut parts = Vec::new();
        for part in fibonacci.into_iter().rev() {
            if part <= n {
                parts.push(part);
                n -= part;
            }
        }
        parts
    };
    let ends = |n| (parts(n)[0], parts(n)[parts(n).len() - 1]);
    let claims: Vec<(&str, Holds<'_>)> = vec![
        ("2 * first(zeckendorf(n)) > n", Box::new(|n| 2 * ends(n).0 > n)),
        ("first(zeckendorf(n)) >= last(zeckendorf(n))", Box::new(|n| ends(n).0 >= ends(n).1)),
        (
            "max(zeckendorf(n)) == first(zeckendorf(n)) and min(zeckendorf(n)) == last(zeckendorf(n))",
            Box::new(|_| true),
        ),
        ("last(zeckendorf(n)) < 34", Box::new(|n| ends(n).1 < 34)),
        ("first(zeckendorf(n)) == last(zeckendorf(n)) iff size(zeckendorf(n)) == 1", Box::new(|_| true)),
        ("min(zeckendorf(n)) != 2 or n < 100", Box::new(|n| ends(n).1 != 2 || n < 100)),
        ("3 * first(zeckendorf(n)) > 2 * n", Box::new(|n| 3 * ends(n).0 > 2 * n)),
    ];
    for (claim, holds) in claims {
        let expected = (1..1000).find(|n| !holds(*n)).map_or("PROVED".to_string(), |n| format!("REFUTED n={n}"));
        let text = format!("claim \"c\" for n in nat where n > 0: {claim}\n");
        assert_eq!(all(&text), [expected], "{text}");
    }
    // 0 has no parts.
    let told = all("claim \"c\" for n in nat: last(zeckendorf(n)) <= n\n");
    assert!(!told[0].starts_with("PROVED"), "{told:?}");
    // Fibonacci Nim: who loses, in other words for the least part.
    let game = "game F(n: nat, most: nat) { move take k in 1..min(n, most) -> F(n - k, 2 * k) ";
    for theorem in ["n == 0 or most < last(zeckendorf(n))", "n == 0 or min(zeckendorf(n)) > most"] {
        assert_eq!(all(&format!("{game} theorem loses iff {theorem} }}\n")), ["PROVED"], "{theorem}");
    }
    let guarded = format!("{game} theorem loses iff most < last(zeckendorf(n)) where n > 0 }}\n");
    assert!(!all(&guarded)[0].starts_with("REFUTED"));
    let wrong = all(&format!("{game} theorem loses iff n == 0 or most <= last(zeckendorf(n)) }}\n"));
    assert_eq!(wrong, ["REFUTED n=1 most=1"]);
}

/// A claim about whole numbers in a tuple is not one about naturals.
#[test]
fn whole_numbers_in_tuples() {
    let game = "game S(p: (int, nat)) { move a k in 1..min(p[1], 2) -> S((p[0] - 1, p[1] - k)) }\n";
    let nested = "game T(p: (nat, (bool, int))) { move a k in 1..min(p[0], 2) -> T((p[0] - k, p[1])) }\n";
    let claims = [
        (game, "for n in nat: loses(S((0 - 3, n))) iff n == 7"),
        (game, "for n in nat: loses(S((-3, n))) iff n == 7"),
        (game, "for a in nat, n in nat: loses(S((a, n))) iff n == 7"),
        (nested, "for n in nat: loses(T((n, (true, -1)))) iff n == 7"),
        (nested, "for n in nat, on in {false, true}: loses(T((n, (on, -1)))) iff n == 7"),
        (nested, "for n in nat, a in nat: wins(T((n, (false, a)))) iff n == 7"),
    ];
    for (game, claim) in claims {
        let told = all(&format!("{game}claim \"c\" {claim}\n"));
        assert!(!told[0].starts_with("PROVED"), "{claim}: {told:?}");
    }
    let endless = "game E(p: (int, bool)) { move a where p[1] -> E((p[0] - 1, true))  theorem loses iff not p[1] }\n";
    assert!(!all(endless)[0].starts_with("PROVED"));
}

/// Items that are tuples are items, however many numbers they hold: the first statements are false, far beyond any search.
#[test]
fn items_that_are_tuples() {
    let false_ones = [
        "size(sort([(2, n), (1, 0)])) == 4",
        "bag([(1, n)]) == bag([(n, 1)])",
        "[x for x in bag([(n, 1), (1, n)])][0] == (n, 1)",
        "size(bag([(1, n), (n, 1)]) - [(1, n)]) == 3",
        "increasing([(1, n), (2, 0)]) == false",
        "size(set([(1, n), (2, 0)])) == 4",
        "max([(1, n), (2, 0)]) == (1, n)",
    ];
    let true_ones = ["bag([(1, n)]) != bag([(n, 1)])", "size(bag([(1, n), (n, 1)]) - [(1, n)]) == 1"];
    for (statements, may) in [(&false_ones[..], false), (&true_ones[..], true)] {
        for statement in statements {
            let text = format!("claim \"\" for n in nat where n > 10 ** 30: {statement}\n");
            let told: Vec<String> = findings(&text, USUAL).iter().map(told).collect();
            assert_eq!(told == ["PROVED"], may, "{told:?} {statement}");
        }
    }
}
