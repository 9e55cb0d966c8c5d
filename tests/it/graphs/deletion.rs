//! The search against plain recursion; canonical forms against isomorphism tried by hand.

#![allow(clippy::cast_possible_truncation)] // the numbers are small

use super::Dice;
use grundy_graphs::deletion::{Deed, Deletion};
use grundy_graphs::enumerate::graphs;
use grundy_heap::game::Game;
use grundy_heap::sequence::Sequence;
use std::collections::HashMap;

/// The numbers of the bits of a mask, ascending.
fn bits(mask: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |i| mask >> i & 1 == 1)
}

fn plain(deeds: &[Deed], left: u64, known: &mut HashMap<u64, u32>) -> u32 {
    if let Some(&value) = known.get(&left) {
        return value;
    }
    let options: Vec<u32> =
        deeds.iter().filter(|d| d.need & !left == 0).map(|d| plain(deeds, left & !d.remove, known)).collect();
    let value = (0..=64).find(|n| !options.contains(n)).expect("a play has at most 64 moves");
    known.insert(left, value);
    value
}

fn agrees(n: usize, deeds: &[Deed]) {
    let mut known = HashMap::new();
    let all = (1u64 << n) - 1;
    let mut backward = Deletion::new(n, deeds.to_vec()).expect("a game");
    let watch = &mut |_, _| Ok::<(), ()>(());
    for left in (0..=all).rev() {
        let value = plain(deeds, left, &mut known);
        assert_eq!(backward.value(left, watch), Ok(value), "{deeds:?} {left:b}");
        let mut fresh = Deletion::new(n, deeds.to_vec()).expect("a game");
        for n in 0..4 {
            assert_eq!(fresh.is(left, n, watch), Ok(value == n), "{deeds:?} {left:b} {n}");
        }
    }
}

/// The rows of neighbours of a graph.
fn rows(n: usize, edges: &[(u32, u32)]) -> Vec<u64> {
    let mut rows = vec![0u64; n];
    for &(u, v) in edges {
        rows[u as usize] |= 1 << v;
        rows[v as usize] |= 1 << u;
    }
    rows
}

fn node_kayles(rows: &[u64]) -> Vec<Deed> {
    (0..rows.len()).map(|v| Deed { need: 1 << v, remove: rows[v] | 1 << v }).collect()
}

fn arc_kayles(rows: &[u64]) -> Vec<Deed> {
    let pair = |v: usize, u: usize| Deed { need: 1 << v | 1 << u, remove: 1 << v | 1 << u };
    (0..rows.len()).flat_map(|v| bits(rows[v]).map(move |u| pair(v, u))).collect()
}

#[test]
fn values_are_those_of_plain_search_on_all_small_graphs() {
    for n in 1..=5 {
        for edges in graphs(n).expect("few") {
            let rows = rows(n, &edges);
            agrees(n, &node_kayles(&rows));
            agrees(n, &arc_kayles(&rows));
            // Kayles: a vertex, or two joined ones.
            let mut both: Vec<Deed> = (0..n).map(|v| Deed { need: 1 << v, remove: 1 << v }).collect();
            both.extend(arc_kayles(&rows));
            agrees(n, &both);
        }
    }
}

#[test]
fn values_are_those_of_plain_search_for_any_moves() {
    let mut random = Dice(7);
    for round in 0..400 {
        let n = 3 + random.below(6) as usize;
        let count = 1 + random.below(2 * n as u64);
        let all = (1u64 << n) - 1;
        let deeds: Vec<Deed> = (0..count)
            .map(|_| {
                let first = 1 << random.below(n as u64);
                let few = |random: &mut Dice| random.below(all) & random.below(all) & all;
                match round % 4 {
                    // Posets and the like.
                    0 => Deed { need: first, remove: first | few(&mut random) & few(&mut random) },
                    1 => Deed { need: first | few(&mut random), remove: first | few(&mut random) },
                    2 => Deed { need: first, remove: first | 1 << random.below(n as u64) },
                    _ => {
                        let pair = first | 1 << random.below(n as u64);
                        Deed { need: pair, remove: pair }
                    }
                }
            })
            .collect();
        agrees(n, &deeds);
    }
}

#[test]
fn isomorphic_components_and_only_they_have_one_form() {
    let mut random = Dice(3);
    for n in 1..=6 {
        let mut forms: Vec<Vec<u64>> = Vec::new();
        for edges in graphs(n).expect("few") {
            let mut names: Vec<usize> = (0..n).collect();
            let mut found = None;
            for _ in 0..6 {
                for i in (1..n).rev() {
                    names.swap(i, random.below(i as u64 + 1) as usize);
                }
                let renamed: Vec<(u32, u32)> =
                    edges.iter().map(|&(u, v)| (names[u as usize] as u32, names[v as usize] as u32)).collect();
                let game = Deletion::new(n, node_kayles(&rows(n, &renamed))).expect("a game");
                let form = game.form((1 << n) - 1).expect("relations");
                assert_eq!(*found.get_or_insert_with(|| form.clone()), form, "{edges:?} {names:?}");
            }
            let form = found.expect("six were made");
            assert!(!forms.contains(&form), "{edges:?}");
            forms.push(form);
        }
    }
}

#[test]
fn known_values() {
    let watch = &mut |_, _| Ok::<(), ()>(());
    let grid = |r: usize, c: usize| {
        let mut edges = Vec::new();
        for v in 0..r * c {
            if v % c + 1 < c {
                edges.push((v as u32, v as u32 + 1));
            }
            if v + c < r * c {
                edges.push((v as u32, (v + c) as u32));
            }
        }
        rows(r * c, &edges)
    };
    let mut value = |deeds: Vec<Deed>, n: usize| {
        let mut game = Deletion::new(n, deeds).expect("a game");
        game.value(u64::MAX >> (64 - n), watch).expect("no limit")
    };
    for (r, c, node, arc) in [(3, 3, 1, 0), (3, 4, 0, 1), (4, 4, 0, 0), (2, 5, 1, 1)] {
        assert_eq!(value(node_kayles(&grid(r, c)), r * c), node, "{r} x {c}");
        assert_eq!(value(arc_kayles(&grid(r, c)), r * c), arc, "{r} x {c}");
    }
    let paths = [1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0];
    for (n, &expected) in (1..).zip(&paths) {
        assert_eq!(value(node_kayles(&grid(1, n)), n), expected, "path of {n}");
    }
    for (n, &expected) in (3..).zip(&[1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]) {
        let edges: Vec<(u32, u32)> = (0..n).map(|v| (v, (v + 1) % n)).collect();
        assert_eq!(value(node_kayles(&rows(n as usize, &edges)), n as usize), expected, "cycle of {n}");
    }
    let petersen: Vec<(u32, u32)> =
        (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]).collect();
    assert_eq!(value(node_kayles(&rows(10, &petersen)), 10), 1);
    assert_eq!(value(arc_kayles(&rows(10, &petersen)), 10), 0);
    let mut dawson = Sequence::new(Game::parse("0.137").expect("a code"));
    dawson.extend(65, &mut |_| Ok(())).expect("the values are small");
    let dawson = dawson.value(64).expect("it was computed");
    assert_eq!(u64::from(value(node_kayles(&grid(1, 64)), 64)), dawson, "Dawson's Kayles");
}

#[test]
fn what_is_no_deletion_game_is_refused() {
    for (n, need, remove) in [(65, 1, 1), (3, 0, 1), (3, 1, 2), (3, 1, 0)] {
        assert!(Deletion::new(n, vec![Deed { need, remove }]).is_err());
    }
}
