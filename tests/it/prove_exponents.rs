//! Statements about powers and exponents: powers of any base that are taken, values that are exponents, and positions that are powers of a
//! variable. What is claimed is held against a plain search in the test.

use crate::proved::{USUAL, Verdicts, findings, told};
use crate::rng::Rng;
use crate::rounds;
use grundy::prover::Effort;

/// So many positions are searched.
const COUNT: usize = 400;

fn all(text: &str) -> Vec<String> {
    findings(text, USUAL).iter().map(told).collect()
}

/// The Grundy values of the positions, and whether the player to move loses in this convention.
fn searched(count: usize, misere: bool, options: impl Fn(usize) -> Vec<usize>) -> (Vec<usize>, Vec<bool>) {
    let (mut values, mut lost): (Vec<usize>, Vec<bool>) = (Vec::new(), Vec::new());
    for n in 0..count {
        let to = options(n);
        let value = (0..=to.len()).find(|value| to.iter().all(|&m| values[m] != *value));
        values.push(value.expect("one of so many is no value of an option"));
        lost.push(if to.is_empty() { !misere } else { to.iter().all(|&m| !lost[m]) });
    }
    (values, lost)
}

fn bits(n: usize) -> usize {
    (usize::BITS - n.leading_zeros()) as usize
}

/// How often a base divides a number, which is not 0.
fn valuation(n: usize, base: usize) -> usize {
    (0..usize::BITS).take_while(|e| n.is_multiple_of(base.pow(*e + 1))).count()
}

#[test]
fn powers_of_any_base_in_any_wording() {
    // Powers of 3 are odd. Those of 4 leave 1 or 4 by 5, those of 10 leave 1 or 10 by 11.
    let moves = [
        "i in 0..n where 3 ** i <= n -> G(n - 3 ** i)",
        "i in 0..n - 1 where n >= 3 ** i -> G(n - 3 ** i)",
        "i in 0..n div 2 where 3 ** i <= n -> G(n - 3 ** i)",
        "k in {3 ** i for i in 0..n} where k <= n -> G(n - k)",
        "k in 1..n where any(k == 3 ** i for i in 0..n) -> G(n - k)",
        "k in 1..n where k in {3 ** i for i in 0..n} -> G(n - k)",
        "k in 1..n where 3 ** valuation(k, 3) == k -> G(n - k)",
        "i in 0..n where 3 ** (i + 1) <= n -> G(n - 3 ** (i + 1)) move one where n > 0 -> G(n - 1)",
        "i in 0..n where 9 ** i <= n -> G(n - 9 ** i)",
        "i in 0..n where 3 ** (2 * i) <= n -> G(n - 3 ** (2 * i))",
        "i in 0..n where 5 ** i <= n -> G(n - 5 ** i)",
        "i in 0..n where 3 * 11 ** i <= 3 * n -> G(n - 11 ** i)",
    ];
    for moves in moves {
        let text = format!("game G(n) {{ move a {moves} }}\nclaim \"c\" for n in nat: grundy(G(n)) == n mod 2\n");
        assert_eq!(all(&text), ["PROVED"], "{text}");
    }
    let text = "game Four(n) { move take i in 0..n where 4 ** i <= n -> Four(n - 4 ** i) }
game Ten(n) { move take i in 0..n where 10 ** i <= n -> Ten(n - 10 ** i) }
game Two(n) { move take i in 0..n where 2 ** (2 * i) <= n -> Two(n - 2 ** (2 * i)) }
claim \"four\" for n in nat: grundy(Four(n)) == [0, 1, 0, 1, 2][n mod 5]
claim \"ten\" for n in nat: grundy(Ten(n)) == [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 2][n mod 11]
claim \"two\" for n in nat: loses(Two(n)) iff n mod 5 in {0, 2}
claim \"less\" for n in nat: loses(Ten(n)) iff n mod 11 in {0, 2, 4, 6}
claim \"far\" for n in nat: loses(Ten(n)) iff n mod 2 == 0 and n < 1000
";
    assert_eq!(all(text), ["PROVED", "PROVED", "PROVED", "REFUTED n=8", "REFUTED n=10"]);
}

#[test]
fn values_that_are_exponents() {
    let text = "game Log(n) { move to m in 0..n - 1 where bits(m) < bits(n) -> Log(m) }
game Fold(n) { move to m in 0..n - 1 where 2 * m <= n -> Fold(m) }
game Third(n) { move to m in 0..n - 1 where 3 * m <= n -> Third(m) }
game Low(n) { move to m in 0..n - 1 where m > 0 and valuation(m, 6) < valuation(n, 6) -> Low(m) }
claim \"bits\" for n in nat: grundy(Log(n)) == bits(n)
claim \"one more\" for n in nat: grundy(Log(n)) == bits(n) + 1
claim \"from 0\" for n in nat: grundy(Fold(n)) == (if n == 0 then 0 else bits(n - 1) + 1)
claim \"by two\" for n in nat: grundy(Fold(n)) == bits(n)
claim \"by six\" for n in nat where n > 0: grundy(Low(n)) == valuation(n, 6)
claim \"sum\" for n in nat: wins(Log(n) + Log(2 * n + 1))
claim \"doubled\" for n in nat where n > 0: grundy(Log(2 * n)) == grundy(Log(n)) + 1
claim \"bound\" for n in nat: grundy(Log(n)) <= bits(n)
claim \"mod\" for n in nat: grundy(Log(n)) mod 3 == bits(n) mod 3
";
    let expected = ["PROVED", "REFUTED n=0", "REFUTED n=3", "PROVED", "PROVED", "PROVED", "PROVED", "PROVED", "PROVED"];
    assert_eq!(all(text), expected);
}

/// A multiple ends with as many zeros as what divides it.
#[test]
fn values_of_games_of_divisors() {
    let text = "game Less(n) { move take d in divisors(n) where d < n -> Less(n - d) }
game Half(n) { move take d in 1..n div 2 where n mod d == 0 -> Half(n - d) }
game Odd(n) { move take d in divisors(n) where d mod 2 == 1 and d < n -> Odd(n - d) }
claim \"less\" for n in nat where n > 0: grundy(Less(n)) == valuation(n, 2)
claim \"half\" for n in nat where n > 0: grundy(Half(n)) == valuation(n, 2)
claim \"odd\" for n in nat where n > 0: grundy(Odd(n)) == (n + 1) mod 2
claim \"by three\" for n in nat where n > 0: grundy(Less(n)) == valuation(n, 3)
claim \"lost\" for n in nat where n > 0: loses(Half(n)) iff valuation(n, 2) == 0
claim \"small\" for n in nat where n > 0: grundy(Less(n)) == min(valuation(n, 2), 3)
";
    let told = all(text);
    assert_eq!(told[..5], ["PROVED", "PROVED", "PROVED", "REFUTED n=2", "PROVED"]);
    assert_ne!(told[5], "PROVED");
}

#[test]
fn random_games_of_divisors() {
    /// What is said of a divisor d of n and of n, in the language and here.
    type Guard = (&'static str, fn(usize, usize) -> bool);
    const GUARDS: [Guard; 8] = [
        ("d < n", |_, _| true),
        ("2 * d <= n", |_, _| true),
        ("d < n and d mod 2 == 1", |d, _| d % 2 == 1),
        ("d < n and (n div d) mod 2 == 0", |d, n| (n / d).is_multiple_of(2)),
        ("d < n and d mod 3 > 0", |d, _| d % 3 > 0),
        ("d < n and d <= 4", |d, _| d <= 4),
        ("d < n and d in {2 ** i for i in 0..n}", |d, _| d.is_power_of_two()),
        ("d < n and valuation(d, 3) <= 1", |d, _| valuation(d, 3) <= 1),
    ];
    type Form = (&'static str, fn(usize) -> usize);
    const VALUES: [Form; 7] = [
        ("valuation(n, 2)", |n| valuation(n, 2)),
        ("valuation(n, 3)", |n| valuation(n, 3)),
        ("(n + 1) mod 2", |n| (n + 1) % 2),
        ("min(valuation(n, 2), 2)", |n| valuation(n, 2).min(2)),
        ("(if n mod 4 == 0 then 2 else (n + 1) mod 2)", |n| if n.is_multiple_of(4) { 2 } else { (n + 1) % 2 }),
        ("valuation(2 * n, 2) - 1", |n| valuation(n, 2)),
        ("bits(n) - 1", |n| bits(n) - 1),
    ];
    const COUNT: usize = 200;
    let mut rng = Rng::new(67);
    let mut below = |n: usize| rng.below(n);
    let mut verdicts = Verdicts::default();
    for _ in 0..rounds(120, 4000) {
        let (guard, holds) = GUARDS[below(GUARDS.len())];
        let options = |at: usize| {
            let n = at + 1;
            (1..n).filter(|d| n.is_multiple_of(*d) && holds(*d, n)).map(|d| n - d - 1).collect()
        };
        let (values, lost) = searched(COUNT, false, options);
        // One that holds as far as the test looks, if there is one.
        let fitting = VALUES.iter().position(|(_, value)| (1..=COUNT).all(|n| values[n - 1] == value(n)));
        let (form, value) = VALUES[fitting.filter(|_| below(3) > 0).unwrap_or_else(|| below(VALUES.len()))];
        let (claim, least) = if below(3) == 0 {
            let other = below(2);
            let least = (1..=COUNT).find(|n| lost[n - 1] != (value(*n) == other));
            (format!("loses(G(n)) iff {form} == {other}"), least)
        } else {
            (format!("grundy(G(n)) == {form}"), (1..=COUNT).find(|n| values[n - 1] != value(*n)))
        };
        let text = format!(
            "game G(n) {{ move take d in divisors(n) where {guard} -> G(n - d) }}\nclaim \"c\" for n in nat where n > 0: {claim}\n"
        );
        verdicts.take(&text, Effort { states: 20_000, tests: 400_000, ..USUAL }, least);
    }
    assert!(verdicts.proved > rounds(25, 900) && verdicts.refuted > rounds(25, 900), "{verdicts:?}");
}

#[test]
fn variables_that_are_exponents() {
    let text = "game Half(n) { move take k in 1..n where 2 * k <= n -> Half(n - k) }
game Two(n) { move take i in 0..n where 2 ** i <= n -> Two(n - 2 ** i) }
claim \"of all\" for n in nat: grundy(Two(n)) == n mod 3
claim \"alone\" for k in nat: loses(Half(2 ** k - 1))
claim \"one more\" for k in nat: loses(Half(2 ** (k + 1) - 1))
claim \"won\" for k in nat where k > 0: wins(Half(2 ** k))
claim \"lost\" for k in nat where k > 0: loses(Half(2 ** k))
claim \"at once\" for k in nat: wins(Two(2 ** k))
claim \"by parity\" for k in nat: grundy(Two(2 ** k)) == 1 + k mod 2
claim \"by parity, wrong\" for k in nat: grundy(Two(2 ** k)) == 2 - k mod 2
claim \"two\" for j, k in nat where j < k: wins(Half(2 ** j + 2 ** k))
";
    let expected =
        ["PROVED", "PROVED", "PROVED", "PROVED", "REFUTED k=1", "PROVED", "PROVED", "REFUTED k=0", "REFUTED j=0 k=1"];
    assert_eq!(all(text), expected);
}

/// A power that is taken: its factor, base and exponent, `a * i + c`.
#[derive(Clone, Copy)]
struct Power {
    factor: usize,
    base: usize,
    exponent: [usize; 2],
}

impl Power {
    fn text(self) -> String {
        let Power { factor, base, exponent: [a, c] } = self;
        let exponent = match (a, c) {
            (1, 0) => "i".to_string(),
            (1, c) => format!("(i + {c})"),
            (a, c) => format!("({a} * i + {c})"),
        };
        if factor == 1 { format!("{base} ** {exponent}") } else { format!("{factor} * {base} ** {exponent}") }
    }

    fn value(self, i: usize) -> Option<usize> {
        let exponent = u32::try_from(self.exponent[0] * i + self.exponent[1]).ok()?;
        self.factor.checked_mul(self.base.checked_pow(exponent)?)
    }
}

/// A range of exponents for a position, in the language and here: its ends, the last of which is in it if it is not negative.
type Range = (&'static str, fn(usize) -> (usize, Option<usize>));

#[test]
fn random_powers() {
    const RANGES: [Range; 7] = [
        ("0..n", |n| (0, Some(n))),
        ("0..n", |n| (0, Some(n))),
        ("1..n", |n| (1, Some(n))),
        ("0..n - 1", |n| (0, n.checked_sub(1))),
        ("0..n - 2", |n| (0, n.checked_sub(2))),
        ("0..n div 2", |n| (0, Some(n / 2))),
        ("0..bits(n)", |n| (0, Some(bits(n)))),
    ];
    let mut rng = Rng::new(29);
    let mut below = |n: usize| rng.below(n);
    let mut verdicts = Verdicts::default();
    for round in 0..rounds(60, 3000) {
        let power = Power {
            factor: [1, 1, 2, 3][below(4)],
            base: [2, 3, 3, 4, 5, 6, 10][below(7)],
            exponent: [[1, 0], [1, 0], [1, 1], [2, 0], [2, 1]][below(5)],
        };
        let (range, ends) = RANGES[below(RANGES.len())];
        let one = below(3) == 0;
        let misere = below(4) == 0;
        let taken = power.text();
        let mv = [
            format!("i in {range} where {taken} <= n -> G(n - {taken})"),
            format!("k in {{{taken} for i in {range}}} where k <= n -> G(n - k)"),
            format!("k in 1..n where any(k == {taken} for i in {range}) -> G(n - k)"),
            format!("k in 1..n where k in {{{taken} for i in {range}}} -> G(n - k)"),
            format!("i in {range}, k in 1..n where {taken} == k -> G(n - k)"),
        ][below(5)]
        .clone();
        let options = |n: usize| {
            let (from, to) = ends(n);
            let exponents = to.map_or(0..0, |to| from..to + 1);
            let mut options: Vec<usize> =
                exponents.map_while(|i| power.value(i).filter(|taken| *taken <= n)).map(|taken| n - taken).collect();
            options.extend((one && n > 0).then(|| n - 1));
            options
        };
        let (values, lost) = searched(COUNT, misere, options);
        // The period, if there is one, and perhaps one rest too many or too few.
        let by_value = !misere && below(2) == 0;
        let fits = |period: usize| {
            (period..COUNT)
                .all(|n| if by_value { values[n] == values[n - period] } else { lost[n] == lost[n - period] })
        };
        let period = (1..24).find(|period| fits(*period)).unwrap_or(2 + below(4));
        let mut said: Vec<usize> =
            (0..period).map(|n| if by_value { values[n] } else { usize::from(lost[n]) }).collect();
        if below(3) == 0 {
            let at = below(period);
            said[at] = usize::from(said[at] == 0);
        }
        let listed: Vec<String> = said.iter().map(ToString::to_string).collect();
        let table = format!("[{}][n mod {period}]", listed.join(", "));
        let claim = if by_value { format!("grundy(G(n)) == {table}") } else { format!("loses(G(n)) iff {table} == 1") };
        let least = (0..COUNT).find(|&n| said[n % period] != if by_value { values[n] } else { usize::from(lost[n]) });
        let convention = if misere { "misere " } else { "" };
        let one = if one { " move one where n > 0 -> G(n - 1)" } else { "" };
        let text = format!("{convention}game G(n) {{ move take {mv}{one} }}\nclaim \"c\" for n in nat: {claim}\n");
        let effort = Effort { states: 20_000, tests: 400_000, first: [0, 300][round % 2], ..USUAL };
        verdicts.take(&text, effort, least);
    }
    assert!(verdicts.proved > 10 && verdicts.refuted > 10, "{verdicts:?}");
}

/// A number of digits or of divisions, in the language and here; the number is not 0.
type Counted = (&'static str, fn(usize) -> usize);

const COUNTED: [Counted; 6] = [
    ("bits(n)", bits),
    ("bits(n - 1)", |n| bits(n - 1)),
    ("bits(n div 3)", |n| bits(n / 3)),
    ("valuation(n, 2)", |n| valuation(n, 2)),
    ("valuation(n, 3)", |n| valuation(n, 3)),
    ("valuation(n, 4)", |n| valuation(n, 4)),
];

#[test]
fn random_values_that_are_exponents() {
    /// Moves from n to m, in the language and here; `count` is of which number what is counted.
    type Moves = (&'static str, fn(usize, usize, &dyn Fn(usize) -> usize) -> bool);
    const MOVES: [Moves; 5] = [
        ("C(m) < C(n)", |m, n, count| count(m) < count(n)),
        ("C(m) < C(n) and m + 3 >= n", |m, n, count| count(m) < count(n) && m + 3 >= n),
        ("C(m) + 2 >= C(n) and C(m) < C(n)", |m, n, count| count(m) + 2 >= count(n) && count(m) < count(n)),
        ("C(m) != C(n)", |m, n, count| count(m) != count(n)),
        ("2 * m <= n and C(m) <= C(n)", |m, n, count| 2 * m <= n && count(m) <= count(n)),
    ];
    const COUNT: usize = 80;
    let mut rng = Rng::new(31);
    let mut below = |n: usize| rng.below(n);
    let mut verdicts = Verdicts::default();
    for round in 0..rounds(300, 10_000) {
        let (word, count) = COUNTED[below(COUNTED.len())];
        let (moves, leads) = MOVES[[0, 0, 0, 0, 1, 2, 3, 4][below(8)]];
        let (claimed, says) = if below(3) > 0 { (word, count) } else { COUNTED[below(COUNTED.len())] };
        let says = |n: usize| isize::try_from(says(n)).expect("a number of bits");
        let more: isize = [-1, 0, 0, 1][below(4)];
        let options = |at: usize| (0..at).filter(|m| leads(m + 1, at + 1, &count)).collect();
        let (values, lost) = searched(COUNT, false, options);
        let form = [0, 1, 2, 3, 3, 3][below(6)];
        let claim = match form {
            0 => format!("loses(G(n)) iff {claimed} == {more}"),
            1 => format!("grundy(G(n)) == (if n <= 2 then {more} else {claimed})"),
            2 => format!("grundy(G(n)) mod 2 == ({claimed} + {more}) mod 2"),
            _ => format!("grundy(G(n)) == {claimed} + {more}"),
        };
        let holds = |n: usize| {
            let value = isize::try_from(values[n - 1]).expect("less than there are positions");
            match form {
                0 => lost[n - 1] == (says(n) == more),
                1 => value == if n <= 2 { more } else { says(n) },
                2 => value % 2 == (says(n) + more).rem_euclid(2),
                _ => value == says(n) + more,
            }
        };
        let least = (1..=COUNT).find(|n| !holds(*n));
        let [at_m, at_n] = ["m", "n"].map(|name| word.replace('n', name));
        let [at_m, at_n] = [at_m, at_n].map(|term| term.replace("valuatiom", "valuation"));
        let guard = moves.replace("C(m)", &at_m).replace("C(n)", &at_n);
        let game = format!("game G(n) where n > 0 {{ move to m in 1..n - 1 where {guard} -> G(m) }}\n");
        let text = format!("{game}claim \"c\" for n in nat where n > 0: {claim}\n");
        let effort = Effort { states: 20_000, tests: 400_000, first: [0, 300][round % 2], ..USUAL };
        verdicts.take(&text, effort, least);
    }
    assert!(verdicts.proved > 5 && verdicts.refuted > 10, "{verdicts:?}");
}

/// A term of a number, in the language, and its value here.
struct Valued(String, Box<dyn Fn(usize) -> usize>);

/// Terms that are chosen from lists and by conditions, within each other.
fn chosen(below: &mut dyn FnMut(usize) -> usize, depth: usize) -> Valued {
    let small = 2 + below(3);
    let leaf = |below: &mut dyn FnMut(usize) -> usize| match below(4) {
        0 => Valued(format!("bits(n) mod {small}"), Box::new(move |n| bits(n) % small)),
        1 => Valued(format!("valuation(n, 2) mod {small}"), Box::new(move |n| valuation(n, 2) % small)),
        2 => {
            let rest = below(3);
            let text = format!("(if n mod 3 == {rest} then {} else 0)", small - 1);
            Valued(text, Box::new(move |n| if n % 3 == rest { small - 1 } else { 0 }))
        }
        _ => Valued(format!("n mod {small}"), Box::new(move |n| n % small)),
    };
    if depth == 0 {
        return leaf(below);
    }
    match below(4) {
        0 => {
            let list: Vec<usize> = (0..small).map(|_| below(5)).collect();
            let Valued(at, value) = leaf(below);
            let items: Vec<String> = list.iter().map(ToString::to_string).collect();
            Valued(format!("[{}][{at}]", items.join(", ")), Box::new(move |n| list[value(n)]))
        }
        1 => {
            let (Valued(a, x), Valued(b, y)) = (chosen(below, depth - 1), chosen(below, depth - 1));
            Valued(format!("({a} + {b})"), Box::new(move |n| x(n) + y(n)))
        }
        2 => {
            let (Valued(a, x), Valued(b, y)) = (chosen(below, depth - 1), chosen(below, depth - 1));
            Valued(format!("max({a}, {b})"), Box::new(move |n| x(n).max(y(n))))
        }
        _ => {
            let (Valued(of, when), number) = (chosen(below, depth - 1), below(4));
            let (Valued(a, x), Valued(b, y)) = (leaf(below), chosen(below, depth - 1));
            let text = format!("(if {of} == {number} then {a} else {b})");
            Valued(text, Box::new(move |n| if when(n) == number { x(n) } else { y(n) }))
        }
    }
}

/// Lists with places that are chosen, in sets and sums, without a search: what is proved is true of all numbers that were looked at, and
/// what is refuted at the least that fails.
#[test]
fn random_choices() {
    const COUNT: usize = 300;
    let mut rng = Rng::new(53);
    let mut below = |n: usize| rng.below(n);
    let mut verdicts = Verdicts::default();
    for _ in 0..rounds(150, 2_000) {
        let Valued(term, value) = chosen(&mut below, 2);
        let all: Vec<usize> = (1..COUNT).map(&value).collect();
        let mut there: Vec<usize> = all.clone();
        there.sort_unstable();
        there.dedup();
        if below(2) == 0 && there.len() > 1 {
            there.remove(below(there.len()));
        }
        let Valued(other, against) = chosen(&mut below, 1);
        let set: Vec<String> = there.iter().map(ToString::to_string).collect();
        let form = below(4);
        let (claim, holds): (String, Box<dyn Fn(usize) -> bool>) = match form {
            0 => (format!("{term} in {{{}}}", set.join(", ")), Box::new(move |n| there.contains(&value(n)))),
            1 => (format!("{term} in [{}, 77]", set.join(", ")), Box::new(move |n| there.contains(&value(n)))),
            2 => {
                let text = format!("{term} in {{{}, 78}} or {other} == 1", set.join(", "));
                (text, Box::new(move |n| there.contains(&value(n)) || against(n) == 1))
            }
            _ => {
                let greatest = there.last().copied().unwrap_or_default();
                (
                    format!("{term} + {other} <= {greatest} + 3"),
                    Box::new(move |n| value(n) + against(n) <= greatest + 3),
                )
            }
        };
        let least = (1..COUNT).find(|n| !holds(*n));
        let text = format!("claim \"c\" for n in nat where n > 0: {claim}\n");
        // No search comes first.
        verdicts.take(&text, USUAL, least);
    }
    assert!(verdicts.proved > 30 && verdicts.refuted > 30, "{verdicts:?}");
}

#[test]
fn exponents_in_more_wordings() {
    let text = "game Log(n) { move to m in 0..n - 1 where bits(m) < bits(n) -> Log(m) }
game Third(n) { move leave m in 0..n div 3 where n > 0 -> Third(m) }
game Five(n) { move take i in 0..n where 5 ** (2 * i) <= n -> Five(n - 5 ** (2 * i)) }
game Seven(n) { move take i in 0..n where 7 ** (2 * i + 1) <= n -> Seven(n - 7 ** (2 * i + 1)) }
game Four(n) { move take i in 0..bits(n) where 2 ** (2 * i) <= n -> Four(n - 2 ** (2 * i)) }
claim \"size\" for n in nat: grundy(Log(n)) == size(digits(n, 2))
claim \"base 3\" for n in nat: grundy(Third(n)) == size(digits(n, 3))
claim \"one less\" for n in nat: grundy(Third(n)) == size(digits(n div 3, 3))
claim \"power\" for k in nat: grundy(Third(3 ** k)) == k + 1
claim \"25\" for n in nat: grundy(Five(n)) == n mod 2
claim \"49\" for n in nat: loses(Seven(n)) iff n div 7 mod 2 == 0
claim \"49, wrong\" for n in nat: loses(Seven(n)) iff n div 7 mod 3 == 0
claim \"4\" for n in nat: grundy(Four(n)) == [0, 1, 0, 1, 2][n mod 5]
claim \"order\" for i, j in nat where i < j: 2 ** i < 2 ** j
claim \"no order\" for i, j in nat where i <= j: 2 ** i < 2 ** j
claim \"named\" for n, m in nat where m == bits(n) and n > 0: 2 ** m <= 2 * n and n < 2 ** m
claim \"period\" for k in nat: 2 ** k mod 5 == [1, 2, 4, 3][k mod 4]
";
    let expected = [
        "PROVED",
        "PROVED",
        "REFUTED n=1",
        "PROVED",
        "PROVED",
        "PROVED",
        "REFUTED n=14",
        "PROVED",
        "PROVED",
        "REFUTED i=0 j=0",
        "PROVED",
        "PROVED",
    ];
    assert_eq!(all(text), expected);
}
