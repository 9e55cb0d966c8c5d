//! Statements that hold but for what is easily overlooked: none of them may be proved.

use crate::proved::{USUAL, findings};
use grundy::answer::Verdict;

/// What became of the last statement of a text: the word, and where it fails.
fn last(text: &str) -> String {
    let finding = findings(text, USUAL).pop().expect("a statement");
    let at = finding.counterexample.iter().fold(String::new(), |all, (name, value)| all + &format!(" {name}={value}"));
    format!("{}{at}", finding.verdict.as_ref().map_or("ERROR", Verdict::word))
}

const NIM: &str = "game G(n) { move take k in 1..n -> G(n - k) theorem grundy = n }\n";

#[test]
fn a_rule_parameter_is_no_number_of_the_position() {
    // G[m](m) may take anything, and then only one at a time.
    let text = "game G[m](n) { move take k in 1..n where k == 1 or n == m -> G(n - k) }\n";
    assert_eq!(
        last(&format!("{text}claim \"own\" for m in nat: grundy(G[m](m)) == (if m < 2 then m else 2)")),
        "UNKNOWN"
    );
    assert_eq!(last(&format!("{text}claim \"own\" for m in nat: grundy(G[m](m)) == m")), "REFUTED m=3");
}

#[test]
fn a_bound_of_another_number_ends_no_play() {
    let text = "game G(z: int, n) where z >= 0 - 3 {\n  move up -> G(z, n + 1)\n  theorem loses iff n mod 2 == 0\n}";
    assert_eq!(last(text), "UNKNOWN");
    // A bound of the positions from which one may go on is enough.
    let race = |end: &str| format!("game G(n) {{\n  {end}\n  move add k in 1..3 -> G(n + k)\n");
    let lost = "theorem loses iff n >= 20 or n mod 4 == 0\n}";
    assert_eq!(last(&format!("{}{lost}", race("end when n >= 20: lost"))), "PROVED");
    assert_eq!(last(&format!("{}{lost}", race("end when n == 20: lost"))), "UNKNOWN");
    assert_eq!(last(&format!("{}theorem wins iff true\n}}", race("end when n < 20: won"))), "UNKNOWN");
    let down = "move down k in 1..3 where z - k >= -10 -> G(z - k)\n  theorem loses iff (z + 10) mod 4 == 0\n}";
    assert_eq!(last(&format!("game G(z: int) where z >= -10 {{\n  {down}")), "PROVED");
    assert_eq!(last(&format!("game G(z: int) {{\n  {down}")), "REFUTED z=-11");
    let endless = down.replace(" where z - k >= -10", "");
    assert_eq!(last(&format!("game G(z: int) {{\n  {endless}")), "UNKNOWN");
    // The same with a bound, and a play that ends there.
    let text =
        "game G(z: int, n) where n <= 7 {\n  move up where n < 7 -> G(z, n + 1)\n  theorem loses iff n mod 2 == 1\n}";
    assert_eq!(last(text), "PROVED");
}

#[test]
fn equal_items_stay_in_a_sorted_list() {
    assert_eq!(last(&format!("{NIM}claim \"x\" for n in nat: sort([2, 1, 1]) == [1, 2]")), "REFUTED n=0");
    assert_eq!(last(&format!("{NIM}claim \"x\" for n in nat: sort([2, 1, 1]) == [1, 1, 2]")), "PROVED");
    assert_eq!(last(&format!("{NIM}claim \"x\" for n in nat: size({{2, 1, 1}}) == 2")), "PROVED");
}

#[test]
fn a_condition_without_a_value_is_not_false() {
    for claim in [
        "for n in nat where [0, 1, 2][n] == 1: loses(G(n)) iff n == 0",
        "for n in nat where [0, 1, 2][n] == 1: n == 1",
        "for m in 0..[1, 2][5], n in nat: m >= 0 and n >= 0",
        "for n in nat: loses(G([n, 0][2])) iff n == n",
        "for n in nat: loses(G(n - 1)) iff n == 1",
    ] {
        assert_eq!(last(&format!("{NIM}claim \"x\" {claim}")), "UNKNOWN", "{claim}");
    }
    assert_eq!(last(&format!("{NIM}claim \"x\" for n in nat where n < 3 and [0, 1, 2][n] == 1: n == 1")), "PROVED");
}

#[test]
fn what_a_condition_leaves_out_of_a_range_is_not_spoken_of() {
    let odd = "for m in [x for x in 0..5 where bit(x, 0)], n in nat";
    assert_eq!(last(&format!("{NIM}claim \"x\" {odd}: m > 0 or n < 0")), "PROVED");
    assert_eq!(last(&format!("{NIM}claim \"x\" {odd}: m > 1 or n < 0")), "REFUTED m=1 n=0");
}

#[test]
fn only_positions_of_the_game_are_spoken_of() {
    let text = "game G(a, b) where a <= b { move left k in 1..a -> G(a - k, b) theorem loses iff a == 0 }\n";
    assert_eq!(last(&format!("{text}claim \"x\" for a, b in nat: loses(G(a, b)) iff a == 0")), "UNKNOWN");
    assert_eq!(last(&format!("{text}claim \"x\" for a, b in nat where a <= b: loses(G(a, b)) iff a == 0")), "PROVED");
    // Without the theorem the claim is proved by itself.
    let text = "game G(n) where n < 10 { move take k in 1..n -> G(n - k) }\n";
    assert_eq!(last(&format!("{text}claim \"x\" for n in nat: grundy(G(n)) == n")), "UNKNOWN");
    assert_eq!(last(&format!("{text}claim \"x\" for n in nat where n < 10: grundy(G(n)) == n")), "PROVED");
    assert_eq!(last(&format!("{text}claim \"x\" for n in nat where n > 9: grundy(G(n)) == n")), "UNKNOWN");
}

#[test]
fn definitions_ask_for_natural_numbers() {
    let defs = "def f(x: nat): int = 0 - x\ndef h(x: nat): nat = x - 1\ndef g(x: list of nat): int = x[0]\n";
    for (claim, expected) in [
        ("f(n - 5) == 5 - n", "UNKNOWN"),
        ("f(n + 5) == -5 - n", "PROVED"),
        ("h(n) == n - 1", "UNKNOWN"),
        ("g([n - 1, 3]) == n - 1", "UNKNOWN"),
        ("g([n, n - 1]) == n", "UNKNOWN"),
        ("g([n, n + 1]) == n", "PROVED"),
    ] {
        assert_eq!(last(&format!("{NIM}{defs}claim \"x\" for n in nat: {claim}")), expected, "{claim}");
    }
    let params = "game B[m](n) { move take k in 1..min(n, abs(m)) -> B(n - k) }\n";
    assert_eq!(last(&format!("{params}claim \"x\" for n in nat: loses(B[-1](n)) iff n mod 2 == 0")), "UNKNOWN");
}

#[test]
fn winning_moves_may_have_negative_names() {
    let text = "game G(n) {\n  move take d in -3..-1 where n + d >= 0 -> G(n + d)\n  theorem loses iff n mod 4 == 0\n";
    assert_eq!(last(&format!("{text}  theorem winning take for d in 1..0\n}}")), "REFUTED n=1");
}

#[test]
fn winning_moves_are_proved_where_it_is_proved_who_loses() {
    // From an even number one moves to even ones. Of odd numbers nothing is said, and there other moves win.
    let text = "game G(n) {\n  move take k in 1..min(n, 2) where k == 2 or n mod 2 == 1 -> G(n - k)\n";
    let loses = "  theorem loses iff n mod 4 == 0 where n mod 2 == 0\n";
    let winning = "  theorem winning take for k in {2} where n mod 4 == 2\n}";
    assert_eq!(last(&format!("{text}{loses}}}")), "PROVED");
    assert_eq!(last(&format!("{text}{loses}{winning}")), "REFUTED n=1");
}

#[test]
fn lines_about_moves_are_no_more_proved_than_who_loses() {
    // Who loses is right for m = 0 only, or for the empty list.
    let text = "game G[m](n) {\n  move take k in 1..min(n, m) -> G(n - k)\n  theorem loses iff m == 0 or n == 1\n";
    assert_eq!(last(&format!("{text}  theorem winning take for k in 1..0\n}}")), "REFUTED m=1 n=1");
    let text = "game L(h: list of nat) {\n  move take i in indices(h), k in 1..h[i] -> L(h[i -= k])\n  theorem grundy = size(h)\n";
    assert_eq!(last(&format!("{text}  theorem winning take for i in indices(h), k in 1..0\n}}")), "REFUTED h=[1]");
}

#[test]
fn remainders_and_quotients_of_negative_numbers_are_rounded_down() {
    for (claim, expected) in [
        ("-n div 2 == 0 - (n + 1) div 2", "PROVED"),
        ("-n div 3 == 0 - (n + 2) div 3", "PROVED"),
        ("-n div 3 == 0 - n div 3", "REFUTED n=1"),
        ("(4 - n) div 3 == 1 - (n + 1) div 3", "PROVED"),
        ("-n mod 3 == (2 * n) mod 3", "PROVED"),
        ("(5 - n) div 4 * 4 + (5 - n) mod 4 == 5 - n", "PROVED"),
    ] {
        assert_eq!(last(&format!("{NIM}claim \"x\" for n in nat: {claim}")), expected, "{claim}");
    }
}

const STRIP: &str =
    "game S(at: set of nat) where 0 not in at { move left c in at, to in slide(c, 1, at) -> S(at - {c} + {to}) }\n";

#[test]
fn a_set_in_a_claim_is_read_in_ascending_order() {
    let strip = |claim: &str| last(&format!("{STRIP}claim \"x\" {claim}"));
    assert_eq!(strip("for a, b in nat where 0 < a < b: loses(S({a, b})) iff b == a + 1"), "PROVED");
    assert_eq!(strip("for a, b in nat where 0 < a and a < b: grundy(S({a, b})) == b - a - 1"), "PROVED");
    assert_eq!(strip("for a, b in nat where 0 < a < b: grundy(S({a, b})) == b - a"), "REFUTED a=1 b=2");
    // As these are written, it holds where a < b, and nowhere else.
    let unordered = "where min(a, b) > 0 and a != b: loses(S({a, b})) iff b == a + 1";
    assert_eq!(strip(&format!("for a, b in nat {unordered}")), "REFUTED a=2 b=1");
    assert_eq!(strip("for a, b in nat where 0 < b < a: loses(S({a, b})) iff b == a + 1"), "REFUTED a=2 b=1");
    assert_eq!(strip("for a, b in nat where 0 < a <= b: loses(S({a, b})) iff b == a + 1"), "REFUTED a=1 b=1");
    // A set that is no literal is sorted before anything is asked of it.
    let list = "game L(h: list of nat) { move take k in 1..h[0] -> L(h[0 -= k]) }\n";
    let sorted = "for a, b in nat where a < b: grundy(L(sort({b, a})))";
    assert_eq!(last(&format!("{list}claim \"x\" {sorted} == b")), "REFUTED a=0 b=1");
    assert_ne!(last(&format!("{list}claim \"x\" {sorted} == a")), "REFUTED");
}

#[test]
fn a_difference_that_goes_down_ends_the_play_where_it_has_a_least_value() {
    let row = |head: &str, last: &str| {
        format!(
            "game N(a, b) {head} {{\n  move left k in 1..b - a - 1 -> N(a + k, b)\n  move right k in 1..b - a - 1 -> N(a, b - k)\n{last}}}"
        )
    };
    assert_eq!(last(&row("where a < b", "  theorem grundy = b - a - 1\n")), "PROVED");
    assert_eq!(last(&row("where a < b", "  theorem loses iff b - a == 1\n")), "PROVED");
    assert_eq!(last(&row("where a < b", "  move on -> N(a + 1, b + 1)\n  theorem loses iff false\n")), "UNKNOWN");
    let shifted = "game N(a, b) where a <= b + 2 {\n  move up where a < b + 2 -> N(a + 1, b)";
    assert_eq!(last(&format!("{shifted}\n  theorem loses iff (a + b) mod 2 == 0\n}}")), "PROVED");
    // The difference goes down for ever, or as far as a bound that is none of the difference.
    let up = "move up -> N(a + 1, b)\n  theorem loses iff a mod 2 == 0\n}";
    assert_eq!(last(&format!("game N(a, b) {{\n  {up}")), "UNKNOWN");
    assert_eq!(last(&format!("game N(a, b) where b <= 7 {{\n  {up}")), "UNKNOWN");
}

#[test]
fn the_sum_of_no_positions() {
    let text = "game T(n) {\n  move one -> sum(T(k) for k in [])\n  move two k in 0..n - 1 -> T(k)\n";
    assert_eq!(last(&format!("{text}  theorem grundy = n + 1\n}}")), "PROVED");
    assert_eq!(last(&format!("{text}  theorem loses iff n == 0\n}}")), "REFUTED n=0");
    let misere = format!("misere {text}");
    assert_eq!(last(&format!("{misere}  theorem loses iff n == 1\n}}")), "REFUTED n=0");
    assert_eq!(last(&format!("{misere}  theorem loses iff n == 0\n}}")), "PROVED");
    assert_eq!(last(&format!("{text}  theorem wins iff true\n}}")), "PROVED");
    assert_eq!(last(&format!("{text}}}\nclaim \"x\" for n in nat: loses(sum(T(k) for k in []))")), "PROVED");
}
