//! Terms in claims and rules: numbers of digits, and definitions that go on by steps. What is said of them is held against plain
//! arithmetic in the test.

use crate::proved::{USUAL, findings, told};

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
