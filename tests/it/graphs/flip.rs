use super::{Dice, all_pairs, chosen};
use grundy_graphs::Ends;
use grundy_graphs::flip::{Condensed, Outcome};
use grundy_graphs::rows::{Rows, strong_components};

/// The outcomes of all colourings, by their bits, by retrograde analysis.
fn outcomes(n: usize, reach: &[usize]) -> Vec<Outcome> {
    let mut outcome: Vec<Option<Outcome>> = vec![None; 1 << n];
    if n == 0 {
        return vec![Outcome::Second];
    }
    loop {
        let mut changed = false;
        for black in 0..1 << n {
            if outcome[black].is_some() {
                continue;
            }
            let after = |v: &usize| if black ^ v == 0 { Some(Outcome::Second) } else { outcome[black ^ v] };
            let decided = if reach.iter().any(|v| after(v) == Some(Outcome::Second)) {
                Some(Outcome::First)
            } else if reach.iter().all(|v| after(v) == Some(Outcome::First)) {
                Some(Outcome::Second)
            } else {
                None
            };
            changed |= decided.is_some();
            outcome[black] = decided;
        }
        if !changed {
            return outcome.into_iter().map(|o| o.unwrap_or(Outcome::Draw)).collect();
        }
    }
}

fn check(n: usize, arcs: &[Ends]) {
    let (rows, parts) = (Rows::out(n, arcs), strong_components(n, arcs));
    let bits = |set: Vec<bool>| set.iter().enumerate().map(|(v, &is_in)| usize::from(is_in) << v).sum::<usize>();
    let reach: Vec<usize> = (0..).take(n).map(|v| bits(rows.reach(v))).collect();
    let outcome = outcomes(n, &reach);
    for set in 0..1usize << n {
        let black: Vec<bool> = (0..n).map(|v| set >> v & 1 == 1).collect();
        let moves_to = |wanted: Outcome| -> Vec<u32> {
            (0..)
                .zip(&reach)
                .filter(|(_, r)| {
                    let after = if set ^ **r == 0 { Outcome::Second } else { outcome[set ^ **r] };
                    after == wanted
                })
                .map(|(v, _)| v)
                .collect()
        };
        let flip = Condensed::new(&rows, &parts, &black);
        assert_eq!(flip.outcome(), outcome[set], "{n} {arcs:?} {black:?}");
        assert_eq!(flip.winning(), moves_to(Outcome::Second), "{n} {arcs:?} {black:?}");
        assert_eq!(flip.drawing(), moves_to(Outcome::Draw), "{n} {arcs:?} {black:?}");
    }
}

#[test]
fn the_closed_form_holds_on_all_digraphs_with_3_vertices() {
    for n in 0..=3 {
        let pairs = all_pairs(n, true);
        for bits in 0..1usize << pairs.len() {
            check(n as usize, &chosen(&pairs, bits));
        }
    }
}

#[test]
fn the_closed_form_holds_on_random_digraphs() {
    let mut dice = Dice(4);
    for round in 0..1500 {
        let n = 4 + round % 3;
        let count = usize::try_from(dice.below(10)).unwrap();
        let arcs = dice.edges(n, count);
        check(n, &arcs);
    }
}

#[test]
fn a_long_path_is_fast() {
    let n = 1_000_000;
    let arcs: Vec<Ends> = (1..n).map(|v| (v - 1, v)).collect();
    let black: Vec<bool> = (0..n).map(|v| v >= n / 2).collect();
    let n = n as usize;
    let (rows, parts) = (Rows::out(n, &arcs), strong_components(n, &arcs));
    let flip = Condensed::new(&rows, &parts, &black);
    assert_eq!(flip.outcome(), Outcome::First);
    assert_eq!(flip.winning(), [500_000]);
    assert_eq!(flip.drawing().len(), n - 1);
}
