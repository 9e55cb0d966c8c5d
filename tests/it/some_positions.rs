//! Claims about some positions of a game: fields that are constants, that repeat a variable or are made of it. What is said of them
//! is held against a search in the test.

use crate::proved::{USUAL, findings, told};
use std::fmt::Write as _;

fn all(text: &str) -> Vec<String> {
    findings(text, USUAL).iter().map(told).collect()
}

const WYTHOFF: &str = "game Wythoff(a, b) {
  move left k in 1..a -> Wythoff(a - k, b)
  move right k in 1..b -> Wythoff(a, b - k)
  move both k in 1..min(a, b) -> Wythoff(a - k, b - k)
}
";
const NIM: &str =
    "game Nim(heaps: list of nat) { move take i in indices(heaps), k in 1..heaps[i] -> Nim(heaps[i -= k]) }
";

#[test]
fn rows_that_moves_do_not_leave() {
    // The first rows of Wythoff's table: n, and then (1, 2, 0), (4, 5, 3), ..; of the third the period is longer.
    let text = format!(
        "{WYTHOFF}claim \"row 0\" for n in nat: grundy(Wythoff(n, 0)) == n
claim \"row 1\" for n in nat: grundy(Wythoff(n, 1)) == (if n mod 3 == 2 then n - 2 else n + 1)
claim \"row 1 turned\" for n in nat where n > 0: wins(Wythoff(n + 2, 1))
claim \"wrong from 5000 on\" for n in nat: grundy(Wythoff(n, 1)) == (if n mod 3 == 2 and n < 5000 then n - 2 else n + 1)
claim \"row -1\" for n in nat: grundy(Wythoff(n, n - n - 1)) == n
claim \"below\" for n in nat: wins(Wythoff(n - n, n - 2)) or n < 3\n"
    );
    let told = all(&text);
    assert_eq!(told[..3], ["PROVED", "PROVED", "PROVED"]);
    // 5000 mod 3 is 2.
    assert_eq!(told[3], "REFUTED n=5000");
    assert!(told[4..].iter().all(|told| told.starts_with("UNKNOWN")), "{told:?}");
}

#[test]
fn rows_one_after_the_other_and_then_all() {
    let text = format!(
        "{NIM}claim \"rows\" for a in 0..4, n in nat: grundy(Nim([n, a])) == n xor a
claim \"beside 1 and 2\" for n in nat: grundy(Nim([1, n, 2])) == n xor 3
claim \"pairs\" for n in nat: loses(Nim([n, n]))
claim \"twice\" for n in nat: grundy(Nim([n, 2 * n, n])) == 2 * n
claim \"all\" for a, b in nat: grundy(Nim([a, b])) == a xor b
claim \"all of three\" for a, b, c in nat: grundy(Nim([a, b, c])) == a xor b xor c\n"
    );
    let told = all(&text);
    // What stands below helps as well as what stands above.
    assert_eq!(told, ["PROVED"; 6]);
}

#[test]
fn what_would_help_is_said() {
    let text = format!("{WYTHOFF}claim \"pairs\" for n in nat where n > 1: wins(Wythoff(n, 2 * n))\n");
    let told = all(&text);
    assert!(told[0].starts_with("UNKNOWN moves lead from its positions to others"), "{told:?}");

    let helped = format!(
        "{text}claim \"all\" for a, b in nat: loses(Wythoff(a, b)) iff min(a, b) == floor(abs(a - b) * (1 + sqrt(5)) / 2)\n"
    );
    assert_eq!(all(&helped), ["PROVED", "PROVED"]);
}

/// A row of three coins, each moved down to a free place: Nim on the gaps. What fails far out fails by what is proved above it.
#[test]
fn what_is_proved_denies_what_is_too_large_to_play() {
    let text = "game Coins(a, b, c) where a < b and b < c {
  move a x in 0..a - 1 -> Coins(x, b, c)
  move b x in a + 1..b - 1 -> Coins(a, x, c)
  move c x in b + 1..c - 1 -> Coins(a, b, x)
}
claim \"gaps\" for a, b, c in nat where a < b and b < c: grundy(Coins(a, b, c)) == (a xor (c - b - 1))
claim \"late\" for a, b, c in nat where a < b and b < c: loses(Coins(a, b, c)) iff a == c - b - 1 and c != 6000
claim \"pairs\" for a, b, c in nat where a < b and b < c and a < 3 and c < b + 4:
  loses(Coins(a, b, c)) iff (a, c - b) in {(0, 1), (1, 2), (2, 3)}\n";
    let told = all(text);
    assert_eq!(told, ["PROVED", "REFUTED a=0 b=5999 c=6000", "PROVED"]);
}

/// A game of two numbers, drawn by lot, and its positions by search.
struct Game {
    misere: bool,
    left: usize,
    right: usize,
    both: usize,
    over: usize,
}

const FAR: usize = 60;

impl Game {
    fn text(&self) -> String {
        let Game { left, right, both, over, .. } = self;
        let word = if self.misere { "misere " } else { "" };
        format!(
            "{word}game G(a, b) {{
  move left k in 1..min(a, {left}) -> G(a - k, b)
  move right k in 1..min(b, {right}) -> G(a, b - k)
  move both k in 1..min(a, b, {both}) -> G(a - k, b - k)
  move over where b > 0 and a < {over} -> G(a + 1, b - 1)
}}\n"
        )
    }

    /// Who loses, and Grundy values.
    fn solved(&self) -> Vec<Vec<(bool, usize)>> {
        let mut all = vec![vec![(false, 0); FAR]; FAR];
        // `over` keeps the sum and makes b smaller.
        for sum in 0..FAR {
            for b in 0..=sum {
                let a = sum - b;
                let mut options: Vec<(usize, usize)> = (1..=self.left.min(a)).map(|k| (a - k, b)).collect();
                options.extend((1..=self.right.min(b)).map(|k| (a, b - k)));
                options.extend((1..=self.both.min(a).min(b)).map(|k| (a - k, b - k)));
                if b > 0 && a < self.over {
                    options.push((a + 1, b - 1));
                }
                let at: Vec<(bool, usize)> = options.iter().map(|(a, b)| all[*a][*b]).collect();
                let lost = if at.is_empty() { !self.misere } else { at.iter().all(|(lost, _)| !lost) };
                let value = (0..=at.len()).find(|v| at.iter().all(|(_, other)| other != v)).expect("a value");
                all[a][b] = (lost, value);
            }
        }
        all
    }
}

/// Of every claim that search makes as far as it goes, and of some that are wrong, nothing is said that search denies.
#[test]
fn random_games_with_random_lines() {
    let mut state = 7_u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % n
    };
    let (mut proved, mut refuted) = (0, 0);
    for _ in 0..40 {
        let game = Game {
            misere: below(3) == 0,
            left: below(4),
            right: below(4),
            both: below(3),
            over: if below(3) == 0 { below(3) } else { 0 },
        };
        let table = game.solved();
        let (mut text, mut holds) = (game.text(), Vec::new());
        // Lines (n, c), (c, n), (n + c, n) and (n, n div 2 + c) one after the other.
        let line = [0, 0, 1, 1, 2, 3][below(6)];
        for c in 0..4 {
            let at = |n: usize| match line {
                0 => (n, c),
                1 => (c, n),
                2 => (n + c, n),
                _ => (n, n / 2 + c),
            };
            let position = match line {
                0 => format!("G(n, {c})"),
                1 => format!("G({c}, n)"),
                2 => format!("G(n + {c}, n)"),
                _ => format!("G(n, n div 2 + {c})"),
            };
            let seen: Vec<(bool, usize)> = (0..25).map(|n| table[at(n).0][at(n).1]).collect();
            let values = !game.misere && below(2) == 0;
            let said = |(lost, value): (bool, usize)| if values { value } else { usize::from(lost) };
            let period = (1..=8).find(|p| (*p..20).all(|n| said(seen[n]) == said(seen[n - p]))).unwrap_or(2);
            let mut list: Vec<usize> = seen[..period].iter().map(|one| said(*one)).collect();
            if below(4) == 0 {
                let at = below(period);
                list[at] = 1 - list[at].min(1);
            }
            let shown = format!("{list:?}[n mod {period}]");
            let said_so = if values {
                format!("grundy({position}) == {shown}")
            } else {
                format!("loses({position}) iff {shown} == 1")
            };
            writeln!(text, "claim \"x\" for n in nat: {said_so}").expect("a string");
            holds.push((0..25).position(|n| said(seen[n]) != list[n % period]));
        }
        for (told, fails) in findings(&text, USUAL).iter().map(told).zip(holds) {
            if told == "PROVED" {
                assert_eq!(fails, None, "{text}");
                proved += 1;
            } else if let Some(at) = told.strip_prefix("REFUTED n=") {
                let at: usize = at.parse().expect("a number");
                assert!(fails == Some(at) || fails.is_none() && at >= 25, "{told} {fails:?}\n{text}");
                refuted += 1;
            } else {
                assert!(told.starts_with("UNKNOWN"), "{told}\n{text}");
            }
        }
    }
    println!("{proved} proved, {refuted} refuted of 160");
    assert!(proved >= 20 && refuted >= 20, "{proved} {refuted}");
}
