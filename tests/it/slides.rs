//! `x in slide(..)` and `x in choices(..)` are decided without the list, in rules as in conditions; moves that theorems state are found however far they go.

use crate::program::stdout;
use serde_json::{Value, json};
use std::fmt::Write as _;

#[test]
fn membership_means_the_same_with_and_without_the_list() {
    let mut text = String::new();
    for (i, taken) in ["s", "{3, 100} + s", "sort(s) + [2, 90]", "1..3", "[]", "{-2, 0}"].iter().enumerate() {
        for (word, j) in [("in", 0), ("not in", 1)] {
            let _ = write!(
                text,
                "claim \"{i} {j}\" for a in -3..6, b in -3..6, x in -5..8, s in subsets({{1, 2, 4}}):\n  \
                 (x {word} slide(a, b, {taken})) iff (x {word} list(slide(a, b, {taken})))\n"
            );
        }
    }
    let told = stdout(&text, &["check"]);
    assert_eq!(told.matches("PROVED").count() + told.matches("VERIFIED").count(), 12, "{told}");
}

#[test]
fn membership_in_choices_means_the_same_with_and_without_the_list() {
    let text = "claim \"in\" for a in 0..3, b in 0..3, x in lists(0..4, 2):\n  \
                (x in choices([{0, a}, {1, b}])) iff (x in list(choices([{0, a}, {1, b}])))\n\
                claim \"not\" for hs in lists(0..2, 3), x in lists(0..2, 3):\n  \
                (x not in choices(0..h for h in hs)) iff (x not in list(choices(0..h for h in hs)))\n";
    let told = stdout(text, &["check"]);
    assert_eq!(told.matches("PROVED").count() + told.matches("VERIFIED").count(), 2, "{told}");
}

#[test]
fn stated_moves_of_any_length_are_found() {
    let georgia_bob = include_str!("../../games/georgia_bob.game");
    let far = 99_999_999_999_999_999_i64;
    let told = stdout(georgia_bob, &["solve", &format!("positions=[1, 2, {far}]"), "--json"]);
    let answer: Value = serde_json::from_str(&told).expect("JSON");
    // The gap between 1 and the wall is 0, that between the others must become 0 too.
    assert_eq!(answer["winning_move_count"], json!(1), "{told}");
    assert_eq!(answer["winning_moves"][0]["binders"], json!({"c": far, "to": 3}), "{told}");
    let hill = include_str!("../../games/climbing_hill_plain.game");
    let told = stdout(hill, &["solve", &format!("distances=[1, 2, {far}]"), "--json"]);
    let answer: Value = serde_json::from_str(&told).expect("JSON");
    assert!(answer["winning_move_count"].as_u64().is_some_and(|count| count > 0), "{told}");
}
