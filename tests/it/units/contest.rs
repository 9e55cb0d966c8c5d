//! Cases that a judge may give, and the smallest of them.

use grundy::contest::{Choices, lower};

/// A list of numbers: its length, then its items.
fn list(given: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let mut choices = Choices::again(given);
    let length = choices.up_to(100);
    let items = (0..length).map(|_| choices.up_to(1_000_000)).collect();
    (items, choices.made())
}

fn smallest(given: &[u64], holds: impl Fn(&[u64]) -> bool) -> Vec<u64> {
    let mut best = list(given).0;
    let mut asked = 0;
    let ended = lower(list(given).1, &mut |choices| {
        asked += 1;
        assert!(asked < 20_000, "no end");
        let (items, made) = list(choices);
        Ok::<_, ()>(holds(&items).then(|| {
            best = items;
            made
        }))
    });
    assert_eq!(ended, Ok(()));
    best
}

#[test]
fn smallest_lists_are_found() {
    let given = [8, 17, 900, 40, 41, 900, 3, 77_777, 12];
    assert_eq!(smallest(&given, |items| items.iter().any(|item| *item >= 1000)), [1000]);
    assert_eq!(smallest(&given, |items| items.len() >= 3), [0, 0, 0]);
    let twice = |items: &[u64]| (1..items.len()).any(|at| items[..at].contains(&items[at]));
    assert_eq!(smallest(&given, twice), [0, 0]);
    let large_twice = |items: &[u64]| (1..items.len()).any(|at| items[at] >= 50 && items[..at].contains(&items[at]));
    assert_eq!(smallest(&given, large_twice), [50, 50]);
    assert_eq!(smallest(&given, |items| items.iter().sum::<u64>() > 1000), [1001]);
    assert_eq!(smallest(&given, |items| items.contains(&40)), [40]);
    let next = |items: &[u64]| items.windows(2).any(|two| two[1] == two[0] + 1 && two[1] > 9);
    assert_eq!(smallest(&given, next), [9, 10]);
}
