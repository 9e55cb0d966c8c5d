//! Rules as formulas, held against the rules as they are played, at single positions: no difference in rules at random and in the games
//! of the library, and a difference wherever one is made.

use crate::proved::{ctx, program};
use crate::rng::Rng;
use crate::{LONG, rounds};
use grundy::prover::{Compared, moves_compared};
use grundy::value::Value;
use std::fmt::Write as _;
use std::fs;

/// The positions of the first game at which its moves are those of another text, with lists and their like of so many members.
fn compared(read: &str, played: &str, size: usize) -> Result<Compared, String> {
    let (_, _, read) = program(read);
    let (_, _, played) = program(played);
    let game = grundy::model::GameId(0);
    moves_compared(&mut ctx(played), &read, game, &[], size)
}

/// A number made of `n` and `m`, never negative.
fn number(rng: &mut Rng, deep: usize) -> String {
    if deep == 0 {
        return ["n", "m", "1", "2", "3", "n", "m"][rng.below(7)].to_string();
    }
    let (a, b) = (number(rng, deep - 1), number(rng, deep - 1));
    let small = 1 + rng.below(6);
    match rng.below(14) {
        0 => format!("({a} + {b})"),
        1 => format!("abs({a} - {b})"),
        2 => format!("({a} div {small})"),
        3 => format!("({a} mod {small})"),
        4 => format!("({a} xor {b})"),
        5 => format!("max({a}, {b})"),
        6 => format!("min({a}, {b})"),
        7 => format!("({small} * {a})"),
        8 => format!("(if {a} < {b} then {a} else {b})"),
        9 => format!("[{a}, {b}][{a} mod 2]"),
        10 => format!("sum([{a}, {b}, 1])"),
        11 => format!("({a} & {b})"),
        12 => format!("sort([{a}, {b}])[1]"),
        _ => format!("max({a} - {b}, 0)"),
    }
}

fn condition(rng: &mut Rng) -> String {
    let (a, b) = (number(rng, 1), number(rng, 1));
    match rng.below(9) {
        0 => format!("{a} < {b}"),
        1 => format!("{a} == {b}"),
        2 => format!("not {a} <= {b}"),
        3 => format!("{a} in {{0, 1, 3, {}}}", 4 + rng.below(9)),
        4 => format!("{a} mod {} == {} or {b} > 2", 2 + rng.below(4), rng.below(2)),
        5 => format!("any(i == {a} for i in 1..{b})"),
        6 => format!("{{{a}, {b}}} == {{1, 2}}"),
        7 => format!("bit({a}, {})", rng.below(4)),
        _ => format!("{a} != {b} and {b} >= 1"),
    }
}

fn target(rng: &mut Rng) -> String {
    let go = |rng: &mut Rng| format!("G({}, {})", number(rng, 2), number(rng, 1));
    match rng.below(7) {
        0 => format!("if {} then win else {}", condition(rng), go(rng)),
        1 => format!("if {} then {} else {}", condition(rng), go(rng), go(rng)),
        2 => format!("{} + {}", go(rng), go(rng)),
        3 => format!("again {}", go(rng)),
        _ => go(rng),
    }
}

fn rules(rng: &mut Rng) -> String {
    let mut text = "game G(n, m) {\n".to_string();
    if rng.below(3) == 0 {
        writeln!(text, "  end when {}: lost", condition(rng)).expect("a text");
    }
    for at in 0..=rng.below(3) {
        let binder = match rng.below(5) {
            0 => format!("k in 1..min({}, 5)", number(rng, 1)),
            1 => format!("k in {{1, 2, {}}}", 3 + rng.below(5)),
            2 => format!("k in {}..{} + 2", 1 + rng.below(3), number(rng, 0)),
            3 => format!("k = {}", number(rng, 1)),
            _ => format!("k in [{}, {}]", number(rng, 1), number(rng, 0)),
        };
        let (guard, target) = (condition(rng), target(rng));
        let target = if rng.below(2) == 0 { target.replacen("(n", "(k", 1) } else { target };
        writeln!(text, "  move m{at} {binder} where {guard} -> {target}").expect("a text");
    }
    text + "}\n"
}

#[test]
fn rules_at_random_are_read_as_they_are_played() {
    let mut rng = Rng::new(3);
    let (mut positions, mut games) = (0, 0);
    for _ in 0..rounds(60, 5000) {
        let text = rules(&mut rng);
        let found = compared(&text, &text, 0).unwrap_or_else(|why| panic!("{why}\n{text}"));
        positions += found.positions;
        games += u64::from(found.positions > 0);
    }
    println!("{positions} positions of {games} games");
    assert!(games > rounds(40, 3000) && positions > rounds(800, 60_000), "{positions} positions of {games} games");
}

#[test]
fn the_library_is_read_as_it_is_played() {
    let mut positions = 0;
    for folder in ["games", "games/theorems"] {
        let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        for path in files.filter(|path| path.extension().is_some_and(|e| e == "game")) {
            let text = fs::read_to_string(&path).expect("a text");
            if text.contains(" from \"") || text.lines().any(|line| line.starts_with("use ")) {
                continue;
            }
            let (_, _, read) = program(&text);
            for game in 0..read.games.len() {
                for size in if LONG { 1..4 } else { 2..3 } {
                    let params = vec![Value::Int(3); read.games[game].params.len()];
                    let id = grundy::model::GameId(game);
                    let found = moves_compared(&mut ctx(read.clone()), &read, id, &params, size);
                    positions += found.unwrap_or_else(|why| panic!("{}: {why}", path.display())).positions;
                }
            }
        }
    }
    println!("{positions} positions");
    assert!(positions > 2000, "{positions}");
}

/// One word of the rules is another in the text that is played: also where it makes a difference at numbers above 10^4 only.
#[test]
fn a_difference_is_found() {
    let text = "game G(n, m) {
  end when n == m: lost
  move less k in 1..min(n, 4) where n mod 3 != 1 -> G(n - k, m)
  move half where n > 0 -> G(n div 2, m xor 5)
  move both where m > 2 -> if n > 20000 then win else G(n, m - 1) + G(n, 1)
  move on where m in {1, 2} and n > 1 -> again G(n - 1, m)
}
";
    let same = compared(text, text, 0);
    assert!(same.as_ref().is_ok_and(|found| found.positions > 20), "{same:?}");
    for (old, new) in [
        ("n == m", "n == m + 1"),
        ("min(n, 4)", "min(n, 5)"),
        ("min(n, 4)", "min(n, 3)"),
        ("n mod 3 != 1", "n mod 3 != 2"),
        ("n mod 3 != 1", "n mod 3 != 1 or n > 30000"),
        ("n div 2", "n div 3"),
        ("m xor 5", "m + 5"),
        ("m > 2", "m > 3"),
        ("then win", "then lose"),
        ("20000", "10000000000"),
        ("G(n, m - 1) + G(n, 1)", "G(n, m - 1)"),
        ("+ G(n, 1)", "+ G(n, 2)"),
        ("again G", "G"),
    ] {
        let changed = text.replace(old, new);
        assert_ne!(text, changed);
        for (read, played) in [(text, &*changed), (&*changed, text)] {
            assert!(compared(read, played, 0).is_err(), "{old} {new}");
        }
    }
    // One number far out is met where it is written.
    assert!(compared(&text.replace("{1, 2}", "{1, 2, 1000000}"), text, 0).is_err());
    for (read, played, size) in [
        (
            "game H(h: list of nat) { move m i in indices(h), k in 1..min(h[i], 3) -> H(h[i := h[i] - k]) }",
            "h[i] - 1",
            2,
        ),
        ("game H(h: bag of nat) { move m x in h, k in 1..min(x, 3) -> H(h - [x] + [x - k]) }", "x - 1", 3),
        ("game H(h: set of nat) { move m x in h, k in 1..min(x, 3) -> H(h xor {x, x - k}) }", "x - 1", 3),
    ] {
        let played = read.replace(&played.replace('1', "k"), played);
        assert_ne!(read, played);
        assert!(compared(read, read, size).is_ok_and(|found| found.positions > 20), "{read}");
        assert!(compared(read, &played, size).is_err(), "{read}");
    }
}
