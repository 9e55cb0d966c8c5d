use super::Dice;
use grundy_graphs::Ends;
use grundy_graphs::rows::{Rows, is_connected, strong_components};

const DEEP: u32 = 1_000_000;

fn long_path() -> Vec<Ends> {
    (1..DEEP).map(|v| (v - 1, v)).collect()
}

#[test]
fn strong_components_are_mutual_reachability_in_topological_order() {
    let mut dice = Dice(1);
    for round in 0..2000 {
        let n = 1 + round % 8;
        let count = usize::try_from(dice.below(2 * n as u64 + 1)).unwrap();
        let arcs = dice.edges(n, count);
        let parts = strong_components(n, &arcs);
        let rows = Rows::out(n, &arcs);
        let reach: Vec<Vec<bool>> = (0..).take(n).map(|v| rows.reach(v)).collect();
        for (u, from_u) in reach.iter().enumerate() {
            for (v, from_v) in reach.iter().enumerate() {
                assert_eq!(parts.of[u] == parts.of[v], from_u[v] && from_v[u]);
                assert!(!from_u[v] || parts.of[u] <= parts.of[v]);
            }
        }
        assert!((0..).take(parts.count).all(|part| parts.of.contains(&part)));
        assert!(parts.of.iter().all(|part| (*part as usize) < parts.count));
    }
}

#[test]
fn connected_is_reachable_both_ways() {
    let mut dice = Dice(3);
    for round in 0..1000 {
        let n = round % 9;
        let edges = dice.edges(n.max(1), n);
        let rows = Rows::both(n.max(1), edges.iter().copied());
        assert_eq!(is_connected(n.max(1), &edges), rows.reach(0).iter().all(|reached| *reached));
    }
    assert!(is_connected(0, &[]));
}

#[test]
fn a_deep_path_needs_no_deep_stack() {
    let (n, path) = (DEEP as usize, long_path());
    let parts = strong_components(n, &path);
    assert!(parts.count == n && (0..DEEP).all(|v| parts.of[v as usize] == v));
    let mut ring = path;
    ring.push((DEEP - 1, 0));
    assert_eq!(strong_components(n, &ring).count, 1);
    assert!(is_connected(n, &ring));
}
