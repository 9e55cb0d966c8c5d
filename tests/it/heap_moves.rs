//! The winning moves of large heaps, counted without looking at each: against the moves themselves, in many spellings.

use crate::heaps::game;
use crate::program::stdout;
use crate::rounds;
use grundy_heap::misere::period::proved;
use grundy_heap::misere::quotient::{Bounds, Quotient};
use serde_json::Value as Json;

/// The moves of a heap: for each combination of names what it leaves.
type Lines = fn(usize) -> Vec<Vec<usize>>;

fn splits(n: usize, taken: usize, keep: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let Some(left) = n.checked_sub(taken) else { return Vec::new() };
    (0..=left).filter(|i| keep(*i, left - i)).map(|i| vec![i, left - i]).collect()
}

fn both(n: usize, keep: impl Fn(usize, usize) -> bool + Copy) -> Vec<Vec<usize>> {
    [splits(n, 1, keep), splits(n, 2, keep)].concat()
}

/// Kayles and a few other games, each line or name in another way.
fn spellings() -> Vec<(&'static str, &'static str, Lines)> {
    vec![
        (
            "0.77",
            "move one i in 0..n - 1 -> H(i) + H(n - 1 - i)\n  move two i in 0..n - 2 -> H(i) + H(n - 2 - i)",
            |n| both(n, |_, _| true),
        ),
        (
            "0.77",
            "move one i in 0..(n - 1) div 2 -> H(i) + H(n - 1 - i)\n  \
             move two i in 0..n - 2 where i <= n - 2 - i -> H(i) + H(n - 2 - i)",
            |n| both(n, |i, j| i <= j),
        ),
        ("0.77", "move take k in 1..2, i in 0..n - k -> H(n - k - i) + H(i)", |n| both(n, |_, _| true)),
        ("0.77", "move take k in 1..2, i in 0..n where i <= n - k and 2 * i > n - k - 2 -> H(i) + H(n - k - i)", |n| {
            both(n, |i, j| i + 2 > j)
        }),
        ("0.77", "move take i in 0..n - 1, k in {1, 2} where i + k <= n -> H(i) + H(n - k - i)", |n| {
            both(n, |_, _| true)
        }),
        // Three moves for each.
        ("0.77", "move take k in 1..2, c in 3..5, i in 0..n - k -> H(i) + H(n - k - i)", |n| {
            both(n, |_, _| true).into_iter().flat_map(|left| [left.clone(), left.clone(), left]).collect()
        }),
        // One name for two lines.
        (
            "0.77",
            "move take i in 0..n - 1 -> H(i) + H(n - 1 - i)\n  move take i in 0..n - 2 -> H(i) + H(n - 2 - i)",
            |n| both(n, |_, _| true),
        ),
        ("0.77", "move take k in 1..2, i in 0..n - k, j = n - k - i -> if i == 0 then H(j) else H(i) + H(j)", |n| {
            both(n, |_, _| true).into_iter().map(|left| left.into_iter().skip_while(|x| *x == 0).collect()).collect()
        }),
        // What is left in the middle comes twice, else once.
        (
            "0.77",
            "move take k in 1..2, i in 0..n - k, s in {0, 1} where s == 0 or 2 * i == n - k -> H(i) + H(n - k - i)",
            |n| {
                let twice = |left: Vec<usize>| if left[0] == left[1] { vec![left.clone(), left] } else { vec![left] };
                both(n, |_, _| true).into_iter().flat_map(twice).collect()
            },
        ),
        ("0.34", "move one where n > 0 -> H(n - 1)\n  move two i in 1..n - 3 -> H(i) + H(n - 2 - i)", |n| {
            let one = n.checked_sub(1).map(|left| vec![left]);
            one.into_iter().chain(splits(n, 2, |i, j| i > 0 && j > 0)).collect()
        }),
        ("{2,5}", "move take k in {2, 5} where k <= n -> H(n - k)", |n| {
            [2, 5].into_iter().filter(|k| *k <= n).map(|k| vec![n - k]).collect()
        }),
    ]
}

/// In normal play: values by the definition.
#[test]
fn winning_moves_of_large_heaps_are_all_counted() {
    for (code, text, lines) in spellings() {
        let least = if code == "{2,5}" { 4_000_003 } else { 1024 };
        let mut values: Vec<usize> = Vec::new();
        // The set has values of period 7: what follows 5 values is known by them.
        let computed = if code == "{2,5}" { 200 } else { least + 60 };
        for n in 0..computed {
            let mut options: Vec<usize> =
                lines(n).iter().map(|left| left.iter().fold(0, |all, heap| all ^ values[*heap])).collect();
            options.sort_unstable();
            options.dedup();
            values.push(options.iter().enumerate().take_while(|(at, value)| at == *value).count());
        }
        assert!(computed > 200 || values[100..105] == values[107..112]);
        let value = |heap: usize| if heap < computed { values[heap] } else { values[100 + (heap - 100) % 7] };
        let pairs = [(least + 1, 9), (1023, least + 4), (least, 7), (least + 59, 300)];
        for (heap, other) in pairs.into_iter().take(rounds(2, 4)) {
            let total = value(heap) ^ value(other);
            let wins = |at: usize, rest: usize| {
                let worth = |left: &Vec<usize>| left.iter().fold(value(rest), |all, heap| all ^ value(*heap));
                lines(at).iter().filter(|left| worth(left) == 0).count()
            };
            let count = if total == 0 { 0 } else { wins(heap, other) + wins(other, heap) };
            let solve = format!("game H(n) {{\n  {text}\n}}\nsolve H({heap}) + H({other})\n");
            let told: Json = serde_json::from_str(&stdout(&solve, &["solve", "--json"])).expect("JSON");
            assert_eq!(told["grundy"], total, "{solve} {told}");
            assert_eq!(told["winning_move_count"], count, "{solve} {told}");
        }
    }
}

/// In misere play: by the elements of the heaps.
#[test]
fn winning_moves_of_large_heaps_in_misere_play_are_all_counted() {
    for (code, text, lines) in spellings() {
        let mut quotient = Quotient::new(game(code));
        let period = loop {
            quotient.add(&mut Bounds::default(), &mut |_| Ok(())).expect("a finite quotient");
            if let Some(period) = proved(quotient.game(), quotient.images()) {
                break period;
            }
        };
        let monoid = quotient.monoid();
        let element = |heap: usize| {
            let over = heap.saturating_sub(period.start) % period.length;
            quotient.images()[if heap < period.start { heap } else { period.start + over }]
        };
        let least = if code == "{2,5}" { 20_011 } else { 20_001 };
        let pairs = [(least + 1, 9), (1023, least + 4), (least, 7), (least + 58, 300)];
        for (heap, other) in pairs.into_iter().take(rounds(1, 4)) {
            let sum = [heap, other].map(element);
            let wins = |at: usize, rest: usize| {
                let worth =
                    |left: &Vec<usize>| left.iter().fold(element(rest), |all, heap| monoid.times(all, element(*heap)));
                lines(at).iter().filter(|left| monoid.is_lost(worth(left))).count()
            };
            let lost = monoid.is_lost(monoid.times(sum[0], sum[1]));
            let count = if lost { 0 } else { wins(heap, other) + wins(other, heap) };
            let solve = format!("game H(n) {{\n  {text}\n}}\nsolve misere H({heap}) + H({other})\n");
            let told: Json = serde_json::from_str(&stdout(&solve, &["solve", "--json"])).expect("JSON");
            assert_eq!(told["outcome"], if lost { "second" } else { "first" }, "{solve} {told}");
            // Where moves come several times, or a name is of several lines, each is looked at, if they are not too many.
            if !told["winning_move_count"].is_null() || !(text.contains("c in") || text.contains("s in")) {
                assert_eq!(told["winning_move_count"], count, "{solve} {told}");
            }
        }
    }
}
