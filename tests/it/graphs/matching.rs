use super::{Dice, all_pairs, chosen};
use grundy_graphs::Ends;
use grundy_graphs::matching::Matching;

/// `most[s]`: the size of a maximum matching inside the vertex set with the bits `s`.
fn most(n: usize, edges: &[Ends]) -> Vec<usize> {
    let mut most = vec![0; 1 << n];
    for set in 1usize..1 << n {
        let v = set.trailing_zeros();
        most[set] = most[set & (set - 1)];
        for &(a, b) in edges.iter().filter(|(a, b)| a != b && (*a == v || *b == v)) {
            let pair = 1 << a | 1 << b;
            if set & pair == pair {
                most[set] = most[set].max(1 + most[set & !pair]);
            }
        }
    }
    most
}

fn check(n: usize, edges: &[Ends]) {
    let most = most(n, edges);
    let all = (1usize << n) - 1;
    let found = Matching::new(n, edges);
    for v in (0..).take(n) {
        if let Some(w) = found.mate(v) {
            assert!(found.mate(w) == Some(v) && v != w && edges.iter().any(|&e| e == (v, w) || e == (w, v)));
        }
    }
    assert_eq!(found.size(), most[all], "{n} {edges:?}");
    let missed: Vec<u32> = (0..).take(n).filter(|v| most[all & !(1 << v)] == most[all]).collect();
    assert_eq!(found.sometimes_unmatched(), missed, "{n} {edges:?}");
}

#[test]
fn matchings_are_maximum_in_all_graphs_with_5_vertices() {
    for n in 0..=5 {
        let pairs = all_pairs(n, false);
        for bits in 0..1usize << pairs.len() {
            check(n as usize, &chosen(&pairs, bits));
        }
    }
}

#[test]
fn matchings_are_maximum_in_random_graphs() {
    let mut dice = Dice(5);
    for round in 0..4000 {
        let n = 6 + round % 7;
        let count = usize::try_from(dice.below(2 * n as u64)).unwrap();
        check(n, &dice.edges(n, count));
        let halves: Vec<Ends> = dice.edges(n / 2, count).into_iter().map(|(u, v)| (2 * u, 2 * v + 1)).collect();
        check(n, &halves);
    }
}

/// Triangles in a row, each joined to the next: many nested blossoms.
fn triangles(count: u32) -> Vec<Ends> {
    (0..count)
        .flat_map(|i| {
            let v = 3 * i;
            [(v, v + 1), (v + 1, v + 2), (v, v + 2), (v + 2, v + 3)]
        })
        .collect()
}

#[test]
fn many_blossoms() {
    for count in 1..=4 {
        check(3 * count as usize + 1, &triangles(count));
    }
    let n = 3 * 10_000 + 1;
    assert_eq!(Matching::new(n, &triangles(10_000)).size(), n / 2);
    // The last vertex of a triangle is the only way to the next one: the two others of each, and the end.
    assert_eq!(Matching::new(n, &triangles(10_000)).sometimes_unmatched().len(), 20_001);
}

#[test]
fn large_bipartite_graphs_are_fast() {
    let n = 1_000_001;
    // Every edge of the path is met by the greedy start in the worst order.
    let path: Vec<Ends> = (1..n).rev().map(|v| (v - 1, v)).collect();
    let found = Matching::new(n as usize, &path);
    assert_eq!(found.size(), 500_000);
    assert_eq!(found.sometimes_unmatched().len(), 500_001);
    let mut dice = Dice(6);
    let n = 100_000;
    let edges: Vec<Ends> = dice.edges(n / 2, 3 * n / 2).into_iter().map(|(u, v)| (2 * u, 2 * v + 1)).collect();
    let found = Matching::new(n, &edges);
    // The proof that it is maximum: what is reached from one side alone is as large a cover.
    let missed = found.sometimes_unmatched();
    let free = (0..).take(n).filter(|&v| found.mate(v).is_none()).count();
    assert_eq!(2 * found.size() + free, n);
    assert!(missed.len() >= free);
}
