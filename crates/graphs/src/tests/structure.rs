use crate::Ends;
use crate::connected::connected_components;
use crate::order::topological_order;
use crate::rows::Rows;
use crate::strong::strong_components;
use crate::tests::Dice;

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
        assert!(parts.members().iter().all(|members| !members.is_empty()));
        assert_eq!(parts.members().len(), parts.count);
    }
}

#[test]
fn an_order_exists_without_cycles_only() {
    let mut dice = Dice(2);
    for round in 0..2000 {
        let n = 1 + round % 8;
        let arcs = dice.edges(n, n);
        let loops = arcs.iter().any(|(u, v)| u == v);
        let order = topological_order(n, &arcs);
        assert_eq!(order.is_some(), !loops && strong_components(n, &arcs).count == n);
        if let Some(order) = order {
            let place = |v: u32| order.iter().position(|&w| w == v).unwrap();
            assert!(order.len() == n && arcs.iter().all(|&(u, v)| place(u) < place(v)));
        }
    }
    assert_eq!(topological_order(0, &[]), Some(vec![]));
}

#[test]
fn components_are_reachability_both_ways() {
    let mut dice = Dice(3);
    for round in 0..1000 {
        let n = 1 + round % 9;
        let edges = dice.edges(n, n / 2);
        let parts = connected_components(n, &edges);
        let rows = Rows::both(n, edges.iter().copied());
        for v in (0..).take(n) {
            let reach = rows.reach(v);
            assert!((0..n).all(|w| reach[w] == (parts.of[v as usize] == parts.of[w])));
        }
    }
}

#[test]
fn a_deep_path_needs_no_deep_stack() {
    let (n, path) = (DEEP as usize, long_path());
    let parts = strong_components(n, &path);
    assert!(parts.count == n && (0..DEEP).all(|v| parts.of[v as usize] == v));
    assert_eq!(topological_order(n, &path).map(|order| order.len()), Some(n));
    let mut ring = path;
    ring.push((DEEP - 1, 0));
    assert_eq!(strong_components(n, &ring).count, 1);
    assert_eq!(connected_components(n, &ring).count, 1);
}
