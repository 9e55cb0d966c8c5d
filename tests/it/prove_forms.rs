//! Rules and terms that the prover reads: `same as`, moves that keep the turn, valuations, sums of digits, definitions by the lowest
//! digit, quotients by the golden ratio. What is claimed is held against a plain search in the test, which says what the verdict must be.

use crate::proved::{USUAL, findings, told};
use crate::rounds;
use std::collections::BTreeMap;

/// Who loses with 0, 1, .. stones: for each number where its moves lead, and whether the mover moves again.
fn losing(count: usize, misere: bool, moves: impl Fn(usize) -> Vec<(usize, bool)>) -> Vec<bool> {
    let mut lost: Vec<bool> = Vec::new();
    for n in 0..count {
        let moves = moves(n);
        let wins = moves.iter().any(|&(to, again)| lost[to] != again);
        lost.push(if moves.is_empty() { !misere } else { !wins });
    }
    lost
}

/// The least of a range where it does not hold, as findings tell it.
fn verdict(range: std::ops::Range<usize>, holds: impl Fn(usize) -> bool) -> String {
    range.into_iter().find(|n| !holds(*n)).map_or("PROVED".into(), |n| format!("REFUTED n={n}"))
}

fn all(text: &str) -> Vec<String> {
    findings(text, USUAL).iter().map(told).collect()
}

/// Files with one claim each about `loses(G(n))`, and what they claim.
type Claims<'a> = &'a [(&'a str, fn(usize) -> bool)];

fn as_played(rules: &str, lost: &[bool], claims: Claims<'_>) {
    for (claim, of) in claims {
        let text = format!("{rules}\nclaim \"c\" for n in nat: loses(G(n)) iff {claim}\n");
        assert_eq!(all(&text), [verdict(0..lost.len(), |n| of(n) == lost[n])], "{text}");
    }
}

#[test]
fn positions_that_count_as_others() {
    // 2, 5, 8, .. count as 1, 4, 7, .. when a move leads there.
    let red =
        losing(400, false, |n| (1..=n.min(2)).map(|k| n - k).map(|m| (m - usize::from(m % 3 == 2), false)).collect());
    as_played(
        "game G(n) { same as G(n - 1) when n mod 3 == 2  move take k in 1..min(n, 2) -> G(n - k) }",
        &red,
        &[("n mod 3 == 0", |n| n % 3 == 0), ("n mod 3 == 0 and n != 39", |n| n % 3 == 0 && n != 39)],
    );
    // Two steps down: 3 counts as 2, and 2 as 1.
    let down = |m: usize| if m % 4 >= 2 { m - m % 4 + 1 } else { m };
    let twice = losing(400, false, |n| (1..=n.min(5)).map(|k| (down(n - k), false)).collect());
    let wanted = |n: usize| n.is_multiple_of(8);
    as_played(
        "game G(n) { same as G(n - 1) when n mod 4 in {2, 3}  move take k in 1..min(n, 5) -> G(n - k) }",
        &twice,
        &[("n mod 8 == 0", wanted), ("n mod 4 == 0", |n| n % 4 == 0)],
    );
    // The order of two heaps means nothing, so that values are those of Nim.
    let pair = "game Pair(a, b) { same as Pair(b, a) when a > b
  move left k in 1..a -> Pair(a - k, b)  move right k in 1..b -> Pair(a, b - k) }
claim \"nim\" for a, b in nat: grundy(Pair(a, b)) == a xor b
claim \"not\" for a, b in nat: grundy(Pair(a, b)) == (if a > b and b == 7 then 0 else a xor b)\n";
    assert_eq!(all(pair), ["PROVED", "REFUTED a=8 b=7"]);
    // Without an end there is no value; nor where it leads to what is no position.
    for rules in ["same as G(1 - n) when n < 2", "same as G(n - 5) when n < 4"] {
        let text = format!(
            "game G(n) {{ {rules}  move take k in 1..n -> G(n - k) }}\nclaim \"c\" for n in nat: loses(G(n)) iff n == 0\n"
        );
        assert!(all(&text)[0].starts_with("UNKNOWN"), "{text}");
    }
}

#[test]
fn moves_that_keep_the_turn() {
    let again = |n: usize| (1..=n.min(3)).map(|k| (n - k, (n - k) % 3 == 1)).collect::<Vec<_>>();
    as_played(
        "game G(n) { move take k in 1..min(n, 3) -> if (n - k) mod 3 == 1 then again G(n - k) else G(n - k) }",
        &losing(300, false, again),
        &[("n == 0", |n| n == 0), ("n mod 3 == 1", |n| n % 3 == 1), ("n == 0 or n == 200", |n| n == 0 || n == 200)],
    );
    let odd = |n: usize| (1..=n.min(3)).map(|k| (n - k, n % 2 == 1)).collect::<Vec<_>>();
    let lost = losing(300, true, odd);
    as_played(
        "misere game G(n) { move take k in 1..min(n, 3) -> if n mod 2 == 1 then again G(n - k) else G(n - k) }",
        &lost,
        &[("n mod 4 == 2", |n| n % 4 == 2), ("n mod 4 == 3", |n| n % 4 == 3)],
    );
}

#[test]
fn how_often_two_divides_a_number() {
    let low = |n: usize| 1usize << n.trailing_zeros();
    let lowest = losing(300, false, |n| if n == 0 { vec![] } else { vec![(n - low(n), false)] });
    as_played(
        "game G(n) { move take where n > 0, k = 2 ** valuation(n, 2) -> G(n - k) }",
        &lowest,
        &[
            ("sum(digits(n, 2)) mod 2 == 0", |n| n.count_ones().is_multiple_of(2)),
            ("n == 0 or valuation(n, 2) mod 2 == 1", |n| n == 0 || n.trailing_zeros() % 2 == 1),
        ],
    );
    let half = losing(300, false, |n| (1..=n / 2).map(|k| (n - k, false)).collect());
    as_played(
        "game G(n) { move take k in 1..n div 2 -> G(n - k) }",
        &half,
        &[("n + 1 == 2 ** valuation(n + 1, 2)", |n| (n + 1).is_power_of_two())],
    );
    let text = "claim \"a\" for n in nat where n > 0: valuation(4 * n, 2) mod 3 == (valuation(n, 2) + 2) mod 3
claim \"b\" for n in nat where n > 0: valuation(4 * n, 2) mod 3 == (valuation(n, 2) + 1) mod 3
claim \"c\" for n in nat: bits(2 * n) mod 2 == (if n == 0 then 0 else (bits(n) + 1) mod 2)
claim \"d\" for n, m in nat where n != m: valuation(n xor m, 2) == valuation(abs(n - m), 2)
claim \"e\" for n in nat where n > 0: valuation(n, 2) < bits(n)
claim \"f\" for n in nat where n > 0: valuation(n, 2) < 17
claim \"g\" for n in nat: valuation(n, 2) >= 0\n";
    let told = all(text);
    assert_eq!(told[..6], ["PROVED", "REFUTED n=1", "PROVED", "PROVED", "PROVED", "REFUTED n=131072"]);
    assert!(told[6].starts_with("UNKNOWN"), "{}", told[6]);
}

/// What is claimed of a number, in the language and here.
type Claim<'a> = (&'a str, Box<dyn Fn(usize) -> bool + 'a>);

#[test]
fn sums_of_digits() {
    let sum = |mut n: usize, base: usize| {
        let mut sum = 0;
        while n > 0 {
            sum += n % base;
            n /= base;
        }
        sum
    };
    // Greedily, the largest Fibonacci number first (Zeckendorf, 1972).
    let parts = |mut n: usize| {
        let (mut count, mut fibonacci) = (0, vec![1, 2]);
        while fibonacci[fibonacci.len() - 1] <= n {
            fibonacci.push(fibonacci[fibonacci.len() - 1] + fibonacci[fibonacci.len() - 2]);
        }
        for part in fibonacci.into_iter().rev() {
            if part <= n {
                n -= part;
                count += 1;
            }
        }
        count
    };
    let claims: [Claim<'_>; 9] = [
        ("sum(digits(n, 3)) mod 2 == n mod 2", Box::new(|n| sum(n, 3) % 2 == n % 2)),
        ("sum(digits(n)) mod 9 == n mod 9", Box::new(|n| sum(n, 10) % 9 == n % 9)),
        ("(sum(digits(n, 4)) + 2) mod 3 == (n + 2) mod 3", Box::new(|n| (sum(n, 4) + 2) % 3 == (n + 2) % 3)),
        ("sum(digits(n, 16)) mod 5 == n mod 5", Box::new(|n| sum(n, 16) % 5 == n % 5)),
        ("sum(digits(n, 3)) != 11", Box::new(|n| sum(n, 3) != 11)),
        ("sum(digits(n, 2)) <= 9", Box::new(|n| sum(n, 2) <= 9)),
        ("sum(digits(n, 7)) mod 4 == n mod 4", Box::new(|n| sum(n, 7) % 4 == n % 4)),
        ("size(zeckendorf(n)) < 8", Box::new(|n| parts(n) < 8)),
        ("size(zeckendorf(n)) mod 3 != 2 or n != 33", Box::new(|n| parts(n) % 3 != 2 || n != 33)),
    ];
    for (claim, of) in claims {
        let text = format!("claim \"c\" for n in nat: {claim}\n");
        assert_eq!(all(&text), [verdict(0..20_000, of)], "{text}");
    }
}

/// Floors of multiples of the square roots of 2 and 13, against roots of whole numbers.
#[test]
fn floors_of_other_square_roots() {
    let root = |n: usize| n.isqrt();
    let claims: [Claim<'_>; 11] = [
        ("3 * floor(n * sqrt(2) / 3) <= floor(n * sqrt(2))", Box::new(|_| true)),
        ("floor(n * sqrt(2)) <= n + n * 2 div 5", Box::new(|n| root(2 * n * n) <= n + n * 2 / 5)),
        ("floor(n * sqrt(2)) <= n + n * 12 div 29", Box::new(|n| root(2 * n * n) <= n + n * 12 / 29)),
        ("floor(n * sqrt(8)) == 2 * floor(n * sqrt(2))", Box::new(|n| root(8 * n * n) == 2 * root(2 * n * n))),
        ("floor(n * (3 - sqrt(2))) + floor(n * sqrt(2)) == 3 * n - 1", Box::new(|n| n > 0)),
        (
            "n == 0 or floor(n / sqrt(2)) + floor(n * (1 - 1 / sqrt(2))) == n - 1",
            // n - n / sqrt(2), which is no whole number, lies above n - floor(n / sqrt(2)) - 1.
            Box::new(|n| n == 0 || root(n * n / 2) + (n - root(n * n / 2) - 1) == n - 1),
        ),
        ("floor(n * sqrt(13)) == 3 * n + floor(n * (sqrt(13) - 3))", Box::new(|_| true)),
        ("floor(n * (sqrt(13) - 3) / 2) <= n * 3 div 10", Box::new(|n| (root(13 * n * n) - 3 * n) / 2 <= n * 3 / 10)),
        ("floor(n * sqrt(13)) <= n * 18 div 5", Box::new(|n| root(13 * n * n) <= n * 18 / 5)),
        ("n * sqrt(13) < floor(n * sqrt(13)) + 1", Box::new(|_| true)),
        (
            "floor((n + 5) * sqrt(2)) - floor(n * sqrt(2)) == 7",
            Box::new(|n| root(2 * (n + 5) * (n + 5)) - root(2 * n * n) == 7),
        ),
    ];
    for (claim, of) in claims {
        let text = format!("claim \"c\" for n in nat: {claim}\n");
        assert_eq!(all(&text), [verdict(0..20_000, of)], "{text}");
    }
    let no = all("claim \"a\" for n in nat: floor(n * sqrt(3)) <= 2 * n\n");
    assert!(no[0].starts_with("UNKNOWN"), "{}", no[0]);
}

/// Variables are never negative: what is said of a range with a negative end is proved of a number in it, and not of its members.
#[test]
fn ranges_with_negative_ends() {
    let told = all("claim \"a\" for a in nat: (a - 5) in -5..a
claim \"b\" for a, b in nat: (a - b) in -2..2 iff abs(a - b) < 3
claim \"c\" for a in -2..3: a >= 0
claim \"d\" for a in (-90000..3) - {1} where a < -70000 or a > 1: a >= 0
claim \"e\" for a in nat: all(k >= 0 for k in -70000..a)
claim \"f\" for a in nat: any(k + 1 == 0 for k in -2..a)\n");
    assert_eq!(told[..2], ["PROVED", "PROVED"]);
    // All but the last are false.
    assert!(told[2..].iter().all(|told| !told.starts_with("PROVED")), "{told:?}");
    assert!(!told[5].starts_with("REFUTED"), "{told:?}");
}

#[test]
fn definitions_by_the_lowest_digit() {
    let text = "def odious(n: nat): bool = if n == 0 then false else if n mod 2 == 1 then not odious(n div 2) else odious(n div 2)
def some1(n: nat): bool = if n == 0 then false else n mod 3 == 1 or some1(n div 3)
def no1(n: nat): bool = if n == 0 then true else n mod 3 in {0, 2} and no1(n div 3)
def even(n: nat): bool = if n == 0 then true else if n mod 2 == 0 then not even(n div 2) else true
def plus3(a: nat, b: nat): nat = if max(a, b) == 0 then 0 else (a mod 3 + b mod 3) mod 3 + 3 * plus3(a div 3, b div 3)
def nim(a: nat, b: nat): nat = if max(a, b) == 0 then 0 else (if a mod 2 == b mod 2 then 0 else 1) + nim(a div 2, b div 2) * 2
def pairs(n: nat): nat = if n == 0 then 0 else [0, 2, 1, 3][n mod 4] + 4 * pairs(n div 4)
def ones(n: nat): nat = if n == 0 then 0 else 1 - n mod 2 + 2 * ones(n div 2)
game Nim(a, b) { move left k in 1..a -> Nim(a - k, b)  move right k in 1..b -> Nim(a, b - k) }
claim \"a\" for n in nat: odious(n) iff sum(digits(n, 2)) mod 2 == 1
claim \"b\" for n in nat: some1(n) iff not no1(n)
claim \"c\" for n in nat where n > 0: even(n) iff valuation(n, 2) mod 2 == 0
claim \"d\" for n, m in nat: plus3(n, m) == plus3(m, n)
claim \"e\" for n, m, l in nat: plus3(n, plus3(m, l)) == plus3(plus3(n, m), l)
claim \"f\" for n in nat: plus3(n, n) <= n
claim \"g\" for n, m in nat: grundy(Nim(n, m)) == nim(n, m)
claim \"h\" for n in nat: pairs(pairs(n)) == n
claim \"i\" for n in nat: pairs(n) == n
claim \"j\" for n in nat: ones(n) == 0
claim \"k\" for n in nat: odious(n) iff n mod 3 != 0 or n == 21
def broken(n: nat): nat = if n == 0 then 0 else [[0][3], 1][1] * (n mod 2) + 2 * broken(n div 2)
claim \"l\" for n in nat: broken(n) == n\n";
    let told = all(text);
    assert_eq!(told[..5], ["PROVED"; 5]);
    assert_eq!(told[5..9], ["REFUTED n=1", "PROVED", "PROVED", "REFUTED n=1"]);
    // Zeros above the highest digit would count, were they read: 2 has the digits 0 and 1.
    assert_eq!(told[9], "REFUTED n=2");
    // An item that is not taken is evaluated too.
    assert!(!told[11].starts_with("PROVED"), "{}", told[11]);
    assert_eq!(told[10], verdict(0..1000, |n| (n.count_ones() % 2 == 1) == (n % 3 != 0 || n == 21)));
}

#[test]
fn quotients_by_the_golden_ratio() {
    let times = |n: usize| usize::midpoint(n, (5 * n * n).isqrt());
    let lost = losing(600, false, |n| (times(n) - n + 1..n).map(|to| (to, false)).collect());
    let lower = |n: usize| {
        let (mut a, mut b) = (1, 2);
        while a < n + 1 {
            (a, b) = (b, a + b);
        }
        a == n + 1 || n < 2
    };
    as_played(
        "game G(n) { move to m in floor(2 * n / (1 + sqrt(5))) + 1..n - 1 -> G(m) }",
        &lost,
        &[("n in {0, 1} or size(zeckendorf(n + 1)) == 1", lower), ("n < 5", |n| n < 5)],
    );
    let text = "let phi = (1 + sqrt(5)) / 2
claim \"a\" for n in nat: floor(n / phi) == floor(n * phi) - n
claim \"b\" for n in nat: floor(n / (phi - 1)) == floor(n * phi)
claim \"c\" for n in nat: floor(n / (phi * phi)) == 2 * n - floor(n * phi) - (if n > 0 then 1 else 0)
claim \"d\" for n in nat: floor(n / (1 - phi)) < 0 or n == 0
claim \"e\" for n in nat: floor(n / phi) == floor(n * phi) - n - (if n == 100000 then 1 else 0)\n";
    let told = all(text);
    assert_eq!(
        (&told[..3], &*told[4]),
        (&["PROVED".to_string(), "PROVED".into(), "PROVED".into()][..], "REFUTED n=100000")
    );
    assert!(!told[3].starts_with("REFUTED"), "{}", told[3]);
}

/// Wythoff's game, said in other words. Each is proved or refuted as the table of the test says.
#[test]
fn differences_in_many_wordings() {
    const SIZE: usize = 40;
    let mut lost = [[false; SIZE]; SIZE];
    for (a, b) in (0..SIZE).flat_map(|a| (0..SIZE).map(move |b| (a, b))) {
        let straight = (1..=a).any(|k| lost[a - k][b]) || (1..=b).any(|k| lost[a][b - k]);
        lost[a][b] = !straight && !(1..=a.min(b)).any(|k| lost[a - k][b - k]);
    }
    let low = |d: usize| usize::midpoint(d, (5 * d * d).isqrt());
    let rules = "game W(a: nat, b: nat) {
  move left k in 1..a -> W(a - k, b)
  move right k in 1..b -> W(a, b - k)
  move both k in 1..min(a, b) -> W(a - k, b - k)\n";
    let wordings = [
        "min(a, b) == floor((max(a, b) - min(a, b)) * (1 + sqrt(5)) / 2)",
        "min(b, a) == floor((max(a, b) - min(a, b)) * (1 + sqrt(5)) / 2)",
        "min(a, b) == floor(d / 2 + d * sqrt(5) / 2) with d = abs(a - b)",
        "lo == floor((hi - lo) * (1 + sqrt(5)) / 2) with lo = min(a, b), hi = max(a, b)",
        "min(a, b) == floor(abs(b - a) * (1 + sqrt(5)) / 2)",
        "max(a, b) == floor(abs(a - b) * (3 + sqrt(5)) / 2)",
        "max(a, b) == floor(d * (1 + sqrt(5)) / 2) + d with d = abs(a - b)",
    ];
    // One more where the numbers are 7 apart.
    let also = rounds(2, wordings.len());
    let asked = wordings
        .iter()
        .enumerate()
        .flat_map(|(i, wording)| (0..=usize::from(i < also)).map(move |more| (wording, more)));
    for (wording, more) in asked {
        let (condition, names) = wording.split_once(" with").map_or((*wording, ""), |(c, names)| (c, names));
        let mut wording = condition.to_string();
        if more == 1 {
            wording += " + (if abs(a - b) == 7 then 1 else 0)";
        }
        if !names.is_empty() {
            wording = format!("{wording} with{names}");
        }
        let mut pairs: Vec<(usize, usize)> = (0..SIZE).flat_map(|a| (0..SIZE).map(move |b| (a, b))).collect();
        pairs.sort_by_key(|&(a, b)| (a + b, a));
        let says = |a: usize, b: usize| {
            let d = a.abs_diff(b);
            a.min(b) == low(d) + if d == 7 { more } else { 0 }
        };
        let expected = match pairs.into_iter().find(|&(a, b)| says(a, b) != lost[a][b]) {
            None => "PROVED".to_string(),
            Some((a, b)) => format!("REFUTED a={a} b={b}"),
        };
        let text = format!("{rules}  theorem loses iff {wording}\n}}\n");
        assert_eq!(all(&text), [expected], "{text}");
    }
}

/// What an induction leaves as the least position where it fails is refuted though no search reaches it.
#[test]
fn too_far_to_be_played() {
    let nim = "game Nim(a, b) { move left k in 1..a -> Nim(a - k, b)  move right k in 1..b -> Nim(a, b - k) }\n";
    for (claim, at) in [
        ("loses(Nim(a, b)) iff a == b and a < 500000", "REFUTED a=500000 b=500000"),
        ("grundy(Nim(a, b)) == (if a == 300000 and b == 400000 then 1 else a xor b)", "REFUTED a=300000 b=400000"),
        ("loses(Nim(a, b)) iff a == b or a + b > 7 * 10 ** 20", "REFUTED a=0 b=700000000000000000001"),
    ] {
        assert_eq!(all(&format!("{nim}claim \"c\" for a, b in nat: {claim}\n")), [at]);
    }
    let text = "game Nim(a, b) {
  move left k in 1..a -> Nim(a - k, b)
  move right k in 1..b -> Nim(a, b - k)
  theorem grundy = a xor b
  theorem winning left for k = a - b, where k > 0 and a < 100000
  theorem winning right for k = b - a, where k > 0
  theorem moves to x left for k = a - (b xor x), where k > 0 and x < 2000000
  theorem moves to x right for k = b - (a xor x), where k > 0
}
game Far(a, b) {
  move left k in 1..a -> Far(a - k, b)
  move right k in 1..b -> Far(a, b - k)
  theorem loses iff a == b and a != 10 ** 9
}\n";
    assert_eq!(
        all(text),
        [
            "PROVED",
            "REFUTED a=100000 b=0",
            "PROVED",
            "REFUTED a=1 b=2000000",
            "PROVED",
            "REFUTED a=1000000000 b=1000000000"
        ]
    );
}

/// Moore's Nim (1910): from at most k of the heaps; also in misere play (Jenkyns and Mayberry, 1980).
#[test]
fn heaps_by_the_half_dozen() {
    let rules = |misere: &str| {
        format!(
            "{misere}game Moore[k](heaps: list of nat) {{
  move reduce next in choices(0..h for h in heaps)
      where count(next[i] != heaps[i] for i in indices(heaps)) in 1..k -> Moore(next)
}}\n"
        )
    };
    let digits = |names: &str, by: u32| {
        format!("all(count(bit(h, i) for h in [{names}]) mod {by} == 0 for i in 0..bits(max({names})))")
    };
    let mut text = rules("");
    for (names, k) in [("a, b, c, d, e", 2), ("a, b, c, d, e, f", 2), ("a, b, c, d", 3)] {
        let claim = format!(
            "claim \"{names}\" for {names} in nat: loses(Moore[{k}]([{names}])) iff {}\n",
            digits(names, k + 1)
        );
        text += &claim;
    }
    let five = "a, b, c, d, e";
    let claim = format!("claim \"not\" for {five} in nat: loses(Moore[2]([{five}])) iff {}\n", digits(five, 2));
    text += &claim;
    assert_eq!(all(&text), ["PROVED", "PROVED", "PROVED", "REFUTED a=0 b=0 c=0 d=1 e=1"]);
    let four = "a, b, c, d";
    let ones = format!("if max({four}) < 2 then (a + b + c + d) mod 3 == 1 else {}", digits(four, 3));
    let text = rules("misere ")
        + &format!("claim \"misere\" for {four} in nat: loses(Moore[2]([{four}])) iff ({ones})\n")
        + &format!("claim \"not\" for {four} in nat: loses(Moore[2]([{four}])) iff {}\n", digits(four, 3));
    assert_eq!(all(&text), ["PROVED", "REFUTED a=0 b=0 c=0 d=0"]);
}

/// Who wins, asked in other words: each is proved of the rules by itself, and refuted where the brute force says so.
#[test]
fn who_wins_in_many_wordings() {
    let plain = "game G(n) { move take k in {1, 3, 4} where k <= n -> G(n - k) }";
    let misere = plain.replace("game", "misere game");
    let lost =
        |misere| losing(600, misere, |n| [1, 3, 4].into_iter().filter(|k| *k <= n).map(|k| (n - k, false)).collect());
    let wordings = [
        "grundy(G(n)) == 0 iff C",
        "C iff grundy(G(n)) == 0",
        "0 == grundy(G(n)) iff C",
        "grundy(G(n)) < 1 iff C",
        "grundy(G(n)) <= 0 iff C",
        "grundy(G(n)) > 0 iff not (C)",
        "grundy(G(n)) != 0 iff not (C)",
        "1 <= grundy(G(n)) iff not (C)",
        "not (grundy(G(n)) == 0) iff not (C)",
    ];
    let outcomes = [
        "loses(G(n)) iff C",
        "not wins(G(n)) iff C",
        "not (not loses(G(n))) iff C",
        "outcome(G(n)) == \"second\" iff C",
        "\"second\" == outcome(G(n)) iff C",
        "C iff outcome(G(n)) == \"second\"",
        "outcome(G(n)) == \"first\" iff not (C)",
        "outcome(G(n)) == (if C then \"second\" else \"first\")",
    ];
    let forms = [(plain, false, "n mod 7 in {0, 2}"), (&*misere, true, "n mod 7 in {1, 3}")];
    for (rules, misere, condition) in forms {
        let lost = lost(misere);
        let residues = if misere { [1, 3] } else { [0, 2] };
        // The second is false at one number.
        let conditions = [
            (condition.to_string(), usize::MAX),
            (format!("{condition} and n != 70 + {}", residues[0]), 70 + residues[0]),
        ];
        let asked = outcomes.iter().chain(if misere { &[][..] } else { &wordings[..] });
        for wording in asked {
            for (condition, but) in &conditions {
                let claim = wording.replace('C', condition);
                let text = format!("{rules}\nclaim \"c\" for n in nat: {claim}\n");
                assert_eq!(
                    all(&text),
                    [verdict(0..lost.len(), |n| (residues.contains(&(n % 7)) && n != *but) == lost[n])],
                    "{text}"
                );
            }
        }
        let (condition, _) = &conditions[0];
        let theorem = format!(
            "{}\n  theorem outcome = if {condition} then \"second\" else \"first\"\n}}",
            rules.trim_end_matches('}')
        );
        assert_eq!(all(&theorem), ["PROVED"], "{theorem}");
    }
    // Where a move ends the whole play there are outcomes and no values: nobody calls such a position 0.
    let ends = "game G(n) { move take k in 1..min(n - 1, 2) -> G(n - k)  move last where n == 1 -> win }";
    let told = all(&format!("{ends}\nclaim \"c\" for n in nat: grundy(G(n)) == 0 iff n mod 3 == 2 or n == 0\n"));
    assert!(!told[0].starts_with("PROVED") && !told[0].starts_with("REFUTED"), "{told:?}");
    // Sums, by the values of their parts.
    let sum = "claim \"n\" for n in nat: grundy(G(n)) == [0, 1, 0, 1, 2, 3, 2][n mod 7]\n";
    for question in ["grundy(G(a) + G(b)) == 0", "outcome(G(a) + G(b)) == \"second\"", "not wins(G(a) + G(b))"] {
        let text = format!("{plain}\n{sum}claim \"s\" for a, b in nat: {question} iff grundy(G(a)) == grundy(G(b))\n");
        assert_eq!(all(&text), ["PROVED", "PROVED"], "{text}");
    }
}

#[test]
fn products_choices_and_definitions_of_digit_sums() {
    let text = "def s3(n: nat): nat = if n > 0 then s3(n div 3) + n mod 3 else 0
def other(n: nat): nat = if n == 0 then 0 else n mod 3 + other(n div 2)
game P(h: list of nat) { move both (i, j) in pairs(indices(h)), k in 1..min(h[i], h[j]) -> P(h[i -= k, j -= k]) }
game S(h: list of nat) { move some s in subsets(indices(h), 1..2) where all(h[i] > 0 for i in s) -> S(h[i -= 1 for i in s]) }
game D(a, b) { move both where a * b > 0 -> D(a - 1, b - 1) move one where a > 0 -> D(a - 1, b) }
claim \"sum of digits\" for n in nat: s3(n) mod 2 == n mod 2
claim \"power\" for n in nat: s3(n) == 1 iff any(n == 3 ** i for i in 0..n)
claim \"no sum of digits\" for n in nat: other(n) mod 2 == n mod 2
claim \"pairs\" for a, b in nat: loses(P([a, b])) iff a == 0 or b == 0
claim \"subsets\" for a, b in nat: loses(S([a, b])) iff a mod 2 == 0 and b mod 2 == 0
claim \"one of them\" for a, b in nat: loses(S([a, b])) iff [a mod 2, b mod 2] in [[0, 0], [1, 1]]
claim \"guard\" for a, b in nat: loses(D(a, b)) iff a mod 2 == 0
claim \"signs\" for a, b in nat: 0 >= (a - 3) * (b - 3) iff a <= 3 and b >= 3 or a >= 3 and b <= 3
claim \"other signs\" for a, b in nat: (a - 3) * (b - 3) >= 0 iff a >= 3 and b >= 3 or a < 3 and b < 3
claim \"alike\" for a, b, c in nat: any(x == y for (x, y) in pairs([a, b, c])) iff size({a, b, c}) < 3
claim \"two of three\" for a, b, c in nat: all(sum(t) >= a for t in choose([a, b, c], 2)) iff b + c >= a
claim \"sums\" for a in nat: a in [sum(s) for s in subsets({1, 2, 4}, 1..2)] iff 0 < a and a < 7
";
    let told: Vec<String> = findings(text, USUAL).iter().map(told).collect();
    let expected = [
        "PROVED",
        "PROVED",
        "REFUTED n=2",
        "PROVED",
        "PROVED",
        "REFUTED a=1 b=1",
        "PROVED",
        "PROVED",
        "REFUTED a=0 b=3",
        "PROVED",
        "PROVED",
        "PROVED",
    ];
    assert_eq!(told, expected);
}

/// The remainder of a polynomial depends on those of its variables: all of them are gone through here.
#[test]
fn random_remainders_of_products() {
    type Number = (&'static str, fn(i64, i64) -> i64);
    const NUMBERS: [Number; 7] = [
        ("a", |a, _| a),
        ("b", |_, b| b),
        ("(a + 1)", |a, _| a + 1),
        ("(b - 2)", |_, b| b - 2),
        ("(a - b)", |a, b| a - b),
        ("(a + 2 * b)", |a, b| a + 2 * b),
        ("3", |_, _| 3),
    ];
    let mut rng = crate::rng::Rng::new(13);
    for _ in 0..rounds(40, 2000) {
        let [x, y, z, w] = [(); 4].map(|()| NUMBERS[rng.below(NUMBERS.len())]);
        let by = rng.range(1, 9);
        let (term, value): (String, Box<dyn Fn(i64, i64) -> i64>) = match rng.below(3) {
            0 => (format!("{} * {}", x.0, y.0), Box::new(move |a, b| x.1(a, b) * y.1(a, b))),
            1 => (format!("({} * {} - {})", x.0, y.0, z.0), Box::new(move |a, b| x.1(a, b) * y.1(a, b) - z.1(a, b))),
            _ => (
                format!("({} * {} + {} * {})", x.0, y.0, z.0, w.0),
                Box::new(move |a, b| x.1(a, b) * y.1(a, b) + z.1(a, b) * w.1(a, b)),
            ),
        };
        let mut rests: Vec<i64> =
            (0..by).flat_map(|a| (0..by).map(move |b| (a, b))).map(|(a, b)| value(a, b).rem_euclid(by)).collect();
        rests.sort_unstable();
        rests.dedup();
        let set = |rests: &[i64]| rests.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let text = format!(
            "claim \"all\" for a, b in nat: {term} mod {by} in {{{}}}\nclaim \"fewer\" for a, b in nat: {term} mod {by} in {{{}}}\n",
            set(&rests),
            set(&[&rests[1..], &[-1]].concat()),
        );
        let told: Vec<String> = findings(&text, USUAL).iter().map(told).collect();
        assert_eq!(told[0], "PROVED", "{text}");
        assert!(told[1].starts_with("REFUTED"), "{told:?}\n{text}");
    }
}

/// Sums of heaps of Nim and games whose plays are all as long, in lists of pairs and of truth values.
#[test]
fn lists_of_tuples_and_of_truth_values() {
    let rooks = "game Rooks(r: list of (nat, nat)) where size(r) == 2 {
  move left i in indices(r), k in 1..r[i][0] -> Rooks(r[i := (r[i][0] - k, r[i][1])])
  move down i in indices(r), (x, y) = r[i], to in 0..y - 1 -> Rooks(r[i := (x, to)])
  theorem grundy = xor(x xor y for (x, y) in r)
}
claim \"two\" for a, b, c, d in nat: grundy(Rooks([(a, b), (c, d)])) == a xor b xor c xor d
claim \"half\" for a, b, c, d in nat: loses(Rooks([(a, b), (c, d)])) iff (a, b) == (c, d)
";
    let lights = "game Lights(on: list of bool, left) where size(on) == 3 {
  move off i in indices(on) where on[i] -> Lights(on[i := false], left)
  move take where left > 0 -> Lights(on, left - 1)
  theorem loses iff (count(on) + left) mod 2 == 0
}
claim \"all on\" for n in nat: loses(Lights([true, true, true], n)) iff n mod 2 == 1
claim \"some\" for n in nat, p in {false, true}: loses(Lights([true, p, false], n)) iff n mod 2 == 1
";
    let doors = "game Doors(h: list of (nat, bool)) where size(h) == 2 {
  move take i in indices(h), k in 1..h[i][0] where h[i][1] -> Doors(h[i := (h[i][0] - k, true)])
  move open i in indices(h) where not h[i][1] -> Doors(h[i := (h[i][0], true)])
}
claim \"open\" for a, b in nat: loses(Doors([(a, true), (b, true)])) iff a == b
claim \"wrong\" for a, b in nat: loses(Doors([(a, true), (b, false)])) iff a == b
";
    let verdicts = |text: &str| findings(text, USUAL).iter().map(told).collect::<Vec<_>>();
    // Two single rooks on the same row and column of Nim.
    assert_eq!(verdicts(rooks), ["PROVED", "PROVED", "REFUTED a=0 b=0 c=1 d=1"]);
    assert_eq!(verdicts(lights), ["PROVED", "PROVED", "REFUTED n=0 p=true"]);
    assert_eq!(verdicts(doors), ["PROVED", "REFUTED a=0 b=0"]);
}

type Inside = fn(usize, usize) -> bool;

/// A range is the condition that it says: ends that depend on other variables, ends too far to go to one by one. What fails is found at its least instance, where the search of the test finds it.
#[test]
fn ranges_are_conditions() {
    const RULES: &str = "game W(a, b) {
  move left k in 1..a -> W(a - k, b)  move right k in 1..b -> W(a, b - k)  move both k in 1..min(a, b) -> W(a - k, b - k) }";
    const SEEN: usize = 30;
    let mut lost = vec![vec![false; SEEN]; SEEN];
    for (a, b) in (0..SEEN).flat_map(|a| (0..SEEN).map(move |b| (a, b))) {
        let left = (1..=a).any(|k| lost[a - k][b]);
        let right = (1..=b).any(|k| lost[a][b - k]);
        lost[a][b] = !left && !right && !(1..=a.min(b)).any(|k| lost[a - k][b - k]);
    }
    let golden = |a: usize, b: usize| {
        ((1..SEEN)
            .fold((0, 1, vec![(0, 0)]), |(_, mut next, mut pairs), d| {
                let mut used: Vec<usize> = pairs.iter().flat_map(|&(x, y)| [x, y]).collect();
                used.sort_unstable();
                while used.contains(&next) {
                    next += 1;
                }
                pairs.push((next, next + d));
                (d, next, pairs)
            })
            .2)
            .contains(&(a, b))
    };
    let ranges: [(&str, Inside); 6] = [
        ("b in nat, a in 0..b", |a, b| a <= b),
        ("b in 0..4000, a in 0..b", |a, b| a <= b),
        ("a in 0..6, b in a..100", |a, b| a <= 6 && a <= b),
        ("a in 0..5, b in nat where a <= b", |a, b| a <= 5 && a <= b),
        ("a in 0..40, b in a..100", |a, b| a <= 40 && a <= b),
        ("a in 0..2, b in a..4000", |a, b| a <= 2 && a <= b),
    ];
    for (range, inside) in ranges {
        for (more, differs) in
            [("", None), (" and (a, b) != (4, 7)", Some((4, 7))), (" or (a, b) == (2, 6)", Some((2, 6)))]
        {
            let text = format!(
                "{RULES}\nclaim \"c\" for {range}: loses(W(a, b)) iff a == floor((b - a) * (1 + sqrt(5)) / 2){more}\n"
            );
            let wrong = (0..SEEN).flat_map(|a| (0..SEEN).map(move |b| (a, b)));
            let wrong =
                wrong.filter(|&(a, b)| inside(a, b) && lost[a][b] != (golden(a, b) != (Some((a, b)) == differs)));
            let least = wrong.min_by_key(|(a, b)| a + b);
            let found = findings(&text, USUAL);
            let counterexample: BTreeMap<String, String> =
                found[0].counterexample.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
            let wanted = least.map(|(a, b)| BTreeMap::from([("a".into(), a.to_string()), ("b".into(), b.to_string())]));
            assert_eq!(
                told(&found[0]).split(' ').next(),
                Some(if least.is_some() { "REFUTED" } else { "PROVED" }),
                "{text}"
            );
            assert_eq!(counterexample, wanted.unwrap_or_default(), "{text}");
        }
    }
}

/// Where a move leads to is a position, or an error, before it is asked whether it is allowed, or counts as another.
#[test]
fn what_is_no_position_is_not_merely_forbidden() {
    for (field, more, wanted) in [
        ("nat", "legal when n > 5", "UNKNOWN"),
        ("nat", "legal when n != n", "UNKNOWN"),
        ("nat", "same as G(5) when n < 0", "UNKNOWN"),
        ("nat", "", "UNKNOWN"),
        ("int", "legal when n > 5", "PROVED"),
    ] {
        let rules = format!("game G(n: {field}) {{\n  move take k in 1..2 -> G(n - k)\n  {more}\n}}");
        let said = all(&format!("{rules}\nclaim \"c\" for q in nat where q == 1: loses(G(q)) iff q < 5\n"));
        assert!(said[0].starts_with(wanted), "{said:?}: {rules}");
    }
}

/// `xor` with 0 is the number itself, but of negative ones it has no value.
#[test]
fn negative_numbers_have_no_xor() {
    for (condition, wanted) in [
        ("(k xor 0) < 9", "UNKNOWN"),
        ("(0 xor k) < 9", "UNKNOWN"),
        ("(k xor (n - n)) < 9", "UNKNOWN"),
        ("xor([k, 0]) < 9", "UNKNOWN"),
        ("k + (n - 1 xor 0) < n", "UNKNOWN"),
        ("(k + 1 xor 0) < 9", "PROVED"),
        ("(n xor 0) + k < n", "PROVED"),
    ] {
        let moves = format!("move one k in -1..-1 where not ({condition}) -> G(n)");
        let rules = format!("game G(n: nat) {{\n  {moves}\n  move two k in 1..min(n, 2) -> G(n - k)\n}}");
        let said = all(&format!("{rules}\nclaim \"c\" for q in nat: loses(G(q)) iff q mod 3 == 0\n"));
        assert!(said[0].starts_with(wanted), "{said:?}: {rules}");
    }
}
