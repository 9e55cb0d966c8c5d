use super::Dice;
use grundy_graphs::Ends;
use grundy_graphs::fusion::{fusion, fusion_winning};
use grundy_graphs::rows::Rows;

/// The values of all sets of edges, by their bits, from the rules.
fn values(n: usize, edges: &[Ends], ground: &[u32]) -> Vec<u64> {
    let hanging = |set: usize| {
        let mut seen = vec![false; n];
        for &v in ground {
            let rows = Rows::both(n, super::chosen(edges, set).into_iter());
            for (seen, reached) in seen.iter_mut().zip(rows.reach(v)) {
                *seen |= reached;
            }
        }
        (0..edges.len()).filter(|&e| set >> e & 1 == 1 && seen[edges[e].0 as usize]).map(|e| 1 << e).sum::<usize>()
    };
    let mut values = vec![0; 1 << edges.len()];
    for set in 0..1usize << edges.len() {
        let kept = hanging(set);
        values[set] = if kept == set {
            let options: Vec<u64> =
                (0..edges.len()).filter(|e| set >> e & 1 == 1).map(|e| values[hanging(set & !(1 << e))]).collect();
            (0..=options.len() as u64).find(|value| !options.contains(value)).unwrap()
        } else {
            values[kept]
        };
    }
    values
}

fn check(n: usize, edges: &[Ends], ground: &[u32]) {
    let values = values(n, edges, ground);
    let all = (1usize << edges.len()) - 1;
    assert_eq!(fusion(n, edges, ground), values[all], "{n} {edges:?} {ground:?}");
    let winning: Vec<u32> = (0..)
        .zip(0..edges.len())
        .filter(|(_, e)| values[all] != 0 && values[all & !(1 << e)] == 0)
        .map(|(e, _)| e)
        .collect();
    assert_eq!(fusion_winning(n, edges, ground), winning, "{n} {edges:?} {ground:?}");
}

#[test]
fn all_multigraphs_with_few_edges() {
    for (n, most) in [(1, 4), (2, 5), (3, 4), (4, 3)] {
        for count in 0..=most {
            for edges in grundy_graphs::enumerate::multigraphs(n, count).unwrap() {
                for ground in 0..1usize << n {
                    check(n, &edges, &super::chosen(&[0, 1, 2, 3][..n], ground));
                }
            }
        }
    }
}

#[test]
fn random_multigraphs() {
    let mut dice = Dice(7);
    for round in 0..600 {
        let n = 2 + round % 6;
        let count = 5 + round % 6;
        let edges = dice.edges(n, count);
        check(n, &edges, &(0..).take(1 + round % 2).collect::<Vec<u32>>());
    }
}

/// Deleting each edge in turn.
fn winning_by_deletion(n: usize, edges: &[Ends], ground: &[u32]) -> Vec<u32> {
    let wins = |e: &usize| {
        let mut rest = edges.to_vec();
        rest.remove(*e);
        fusion(n, &rest, ground) == 0
    };
    if fusion(n, edges, ground) == 0 {
        return Vec::new();
    }
    let grounded = fusion_hanging(n, edges, ground);
    (0..edges.len()).filter(|&e| grounded[e]).filter(wins).map(|e| u32::try_from(e).unwrap()).collect()
}

fn fusion_hanging(n: usize, edges: &[Ends], ground: &[u32]) -> Vec<bool> {
    let rows = Rows::both(n, edges.iter().copied());
    let reach: Vec<Vec<bool>> = ground.iter().map(|&v| rows.reach(v)).collect();
    edges.iter().map(|&(u, _)| reach.iter().any(|seen| seen[u as usize])).collect()
}

#[test]
fn winning_edges_of_larger_graphs() {
    let mut dice = Dice(8);
    let mut won = 0;
    for round in 0..2000 {
        let n = 3 + round % 40;
        // A sparse graph: long cycles with trees on them.
        let mut edges: Vec<Ends> = (1..).take(n - 1).map(|v| (v - 1 - dice.vertex(3.min(v as usize)), v)).collect();
        let more = usize::try_from(dice.below(5)).unwrap();
        edges.extend(dice.edges(n, more));
        let expected = winning_by_deletion(n, &edges, &[0]);
        won += usize::from(!expected.is_empty());
        assert_eq!(fusion_winning(n, &edges, &[0]), expected, "{edges:?}");
    }
    assert!(won > 1000);
}

#[test]
fn long_rings_with_stalks() {
    let mut dice = Dice(9);
    for round in 0..300u32 {
        let length = 2 + round % 30;
        let mut edges: Vec<Ends> = (0..length).map(|v| (v, (v + 1) % length)).collect();
        let mut n = length;
        for v in 0..length {
            let mut at = v;
            for _ in 0..dice.below(6) {
                edges.push((at, n));
                (at, n) = (n, n + 1);
            }
        }
        assert_eq!(
            fusion_winning(n as usize, &edges, &[0]),
            winning_by_deletion(n as usize, &edges, &[0]),
            "{edges:?}"
        );
    }
}

#[test]
fn small_cases_of_the_book() {
    assert_eq!(fusion(1, &[(0, 0)], &[0]), 1);
    assert_eq!(fusion(2, &[(0, 1), (0, 1)], &[0]), 0);
    let triangle = [(0, 1), (1, 2), (2, 0)];
    assert_eq!((fusion(3, &triangle, &[0]), fusion_winning(3, &triangle, &[0])), (1, vec![1]));
    assert_eq!(fusion(3, &triangle, &[]), 0);
    assert_eq!(fusion(2, &[(0, 1)], &[0, 1]), 1);
    assert_eq!(fusion(4, &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)], &[0]), 1);
}

#[test]
fn a_million_edges() {
    let n = 1_000_000;
    let path: Vec<Ends> = (1..=n).map(|v| (v - 1, v)).collect();
    assert_eq!(fusion(n as usize + 1, &path, &[0]), u64::from(n));
    assert_eq!(fusion_winning(n as usize + 1, &path, &[0]), [0]);
    let parallel = vec![(0, 1); n as usize + 1];
    assert_eq!(fusion(2, &parallel, &[0]), 1);
    assert_eq!(fusion_winning(2, &parallel, &[0]).len(), n as usize + 1);
    let mut ring = path;
    ring.push((n, 0));
    assert_eq!(fusion_winning(n as usize + 1, &ring, &[0]), [n / 2]);
}

/// Whether all edges hang on the ground, and rings, chords and stalks of a graph too large for the rules by deletion.
#[test]
fn what_hangs_and_what_does_not() {
    use grundy_graphs::fusion::Fused;
    let mut dice = Dice(23);
    for round in 0..900 {
        let n = 2 + round % 14;
        let count = round % 23;
        let mut edges = dice.edges(n, count);
        if round % 3 == 0 {
            // Mostly rings: a path with some edges twice.
            edges.extend((1..u32::try_from(n).unwrap()).map(|v| (v - 1, v)));
            edges.extend((1..u32::try_from(n).unwrap()).filter(|v| v % 3 == 0).map(|v| (v, v - 1)));
        }
        let ground: Vec<u32> = (0..).take(round % 3).collect();
        if ground.len() <= n {
            let whole = fusion_hanging(n, &edges, &ground).iter().all(|hangs| *hangs);
            if !ground.is_empty() {
                let fused = Fused::new(n, edges.iter().copied(), &ground);
                assert_eq!(fused.is_whole(), whole, "{n} {edges:?} {ground:?}");
                let hanging = fusion_hanging(n, &edges, &ground);
                for e in (0..edges.len()).filter(|&e| hanging[e]) {
                    let rest: Vec<Ends> = (0..).zip(&edges).filter(|(i, _)| *i != e).map(|(_, edge)| *edge).collect();
                    let left = fusion_hanging(n, &rest, &ground).iter().filter(|hangs| **hangs).count();
                    let below = hanging.iter().filter(|hangs| **hangs).count() - 1;
                    // A vertex of the ground may still hang on the ground.
                    let (u, v) = edges[e];
                    let both = ground.contains(&u) && ground.contains(&v);
                    let reached = |w: u32| {
                        let rows = Rows::both(n, rest.iter().copied());
                        ground.iter().any(|&g| rows.reach(g)[w as usize])
                    };
                    let is_bridge = !(both || reached(u) && reached(v));
                    assert!(is_bridge || left == below);
                    assert_eq!(fused.is_bridge(u32::try_from(e).unwrap()), is_bridge, "{e} {n} {edges:?} {ground:?}");
                }
            }
            assert_eq!(
                fusion_winning(n, &edges, &ground),
                winning_by_deletion(n, &edges, &ground),
                "{n} {edges:?} {ground:?}"
            );
        }
    }
}

/// Shapes for which a search that goes back over its steps would take the square of their size: chains of double edges under one
/// long ring, ladders, nested rings, parallel edges, and a deep comb.
#[test]
fn deep_and_wide_shapes_are_linear() {
    const N: u32 = 200_000;
    let chain = (1..N).map(|v| (v - 1, v));
    let shapes: [Vec<Ends>; 6] = [
        chain.clone().chain(chain.clone().filter(|(_, v)| v % 2 == 0)).chain([(N - 1, 0)]).collect(),
        chain.clone().chain((0..N / 2).map(|v| (v, N - 1 - v))).collect(),
        chain.clone().chain((0..N / 4).map(|v| (2 * v, 2 * v + 3))).collect(),
        (0..N).map(|_| (0, 1)).collect(),
        chain.clone().chain((1..N).map(|v| (0, v))).collect(),
        chain.chain((0..N).map(|v| (v, N + v))).collect(),
    ];
    for edges in shapes {
        let n = 2 * N as usize;
        let value = fusion(n, &edges, &[0]);
        assert_eq!(value % 2, edges.len() as u64 % 2);
        for &e in fusion_winning(n, &edges, &[0]).iter().take(3) {
            let mut rest = edges.clone();
            rest.remove(e as usize);
            assert_eq!(fusion(n, &rest, &[0]), 0);
        }
    }
}
