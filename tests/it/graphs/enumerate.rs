use super::chosen;
use grundy_graphs::Ends;
use grundy_graphs::enumerate::{
    bags, connected, dags, digraphs, graphs, lists, multigraphs, posets, rooted_trees, trees,
};
use grundy_graphs::rows::{is_connected, strong_components};
use std::collections::HashSet;

fn counts(of: impl Fn(usize) -> Result<Vec<Vec<Ends>>, String>, up_to: usize) -> Vec<usize> {
    (0..=up_to).map(|n| of(n).unwrap().len()).collect()
}

#[test]
fn the_counts_are_those_of_the_oeis() {
    assert_eq!(counts(graphs, 7), [1, 1, 2, 4, 11, 34, 156, 1044], "A000088");
    assert_eq!(counts(connected, 7), [1, 1, 1, 2, 6, 21, 112, 853], "A001349");
    assert_eq!(counts(digraphs, 5), [1, 1, 3, 16, 218, 9608], "A000273");
    assert_eq!(counts(trees, 14), [1, 1, 1, 1, 2, 3, 6, 11, 23, 47, 106, 235, 551, 1301, 3159], "A000055");
    assert_eq!(counts(rooted_trees, 11), [0, 1, 1, 2, 4, 9, 20, 48, 115, 286, 719, 1842], "A000081");
    assert_eq!(counts(posets, 7), [1, 1, 2, 5, 16, 63, 318, 2045], "A000112");
    assert_eq!(counts(dags, 6), [1, 1, 2, 6, 31, 302, 5984], "A003087");
}

#[test]
fn the_counts_of_larger_ones_are_those_of_the_oeis() {
    assert_eq!(graphs(8).unwrap().len(), 12346);
    assert_eq!(connected(8).unwrap().len(), 11117);
    assert_eq!(posets(8).unwrap().len(), 16999);
    assert_eq!(graphs(9).unwrap().len(), 274_668);
    assert_eq!(dags(7).unwrap().len(), 243_668);
    assert_eq!(trees(18).unwrap().len(), 123_867);
}

fn permutations(n: u32) -> Vec<Vec<u32>> {
    lists(n as usize, n as usize)
        .map(|p| p.into_iter().map(|x| u32::try_from(x).unwrap()).collect::<Vec<u32>>())
        .filter(|p| p.iter().collect::<HashSet<_>>().len() == p.len())
        .collect()
}

/// The least renaming of a list of edges: a canonical form by trying all.
fn least(permutations: &[Vec<u32>], edges: &[Ends], directed: bool) -> Vec<Ends> {
    let renamed = permutations.iter().map(|p| {
        let mut edges: Vec<Ends> = edges
            .iter()
            .map(|&(u, v)| (p[u as usize], p[v as usize]))
            .map(|(u, v)| if directed || u <= v { (u, v) } else { (v, u) })
            .collect();
        edges.sort_unstable();
        edges
    });
    renamed.min().unwrap()
}

/// That `found` holds one member of each class of `all`.
fn assert_classes(n: u32, found: &[Vec<Ends>], all: impl Iterator<Item = Vec<Ends>>, directed: bool) {
    let permutations = permutations(n);
    let classes: HashSet<Vec<Ends>> = all.map(|edges| least(&permutations, &edges, directed)).collect();
    let ours: HashSet<Vec<Ends>> = found.iter().map(|edges| least(&permutations, edges, directed)).collect();
    assert_eq!(ours.len(), found.len(), "no two are isomorphic");
    assert_eq!(ours, classes, "n = {n}");
}

#[test]
fn every_class_is_there_once() {
    for n in 0..=4 {
        let pairs = super::all_pairs(n, true);
        let all = || (0..1usize << pairs.len()).map(|bits| chosen(&pairs, bits));
        assert_classes(n, &digraphs(n as usize).unwrap(), all(), true);
        let acyclic = all().filter(|arcs| strong_components(n as usize, arcs).count == n as usize);
        assert_classes(n, &dags(n as usize).unwrap(), acyclic, true);
        let transitive = |arcs: &Vec<Ends>| {
            arcs.iter().all(|&(u, v)| u != v && arcs.iter().all(|&(w, x)| v != w || arcs.contains(&(u, x))))
        };
        assert_classes(n, &posets(n as usize).unwrap(), all().filter(transitive), true);
    }
    for n in 0..=5 {
        let pairs = super::all_pairs(n, false);
        let all = || (0..1usize << pairs.len()).map(|bits| chosen(&pairs, bits));
        assert_classes(n, &graphs(n as usize).unwrap(), all(), false);
        assert_classes(n, &connected(n as usize).unwrap(), all().filter(|e| is_connected(n as usize, e)), false);
        let is_tree = |edges: &Vec<Ends>| edges.len() + 1 == n.max(1) as usize && is_connected(n as usize, edges);
        assert_classes(n, &trees(n as usize).unwrap(), all().filter(is_tree), false);
    }
    for (n, most) in [(0, 0), (1, 4), (2, 6), (3, 5), (4, 4)] {
        let places: Vec<Ends> = (0..n).flat_map(|u| (u..n).map(move |v| (u, v))).collect();
        for edges in 0..=most {
            let all = bags(places.len(), edges).map(|bag| bag.into_iter().map(|i| places[i]).collect());
            assert_classes(n, &multigraphs(n as usize, edges).unwrap(), all, false);
        }
    }
}

#[test]
fn trees_are_connected_and_differ() {
    for n in 1..=10 {
        let found = trees(n).unwrap();
        assert!(found.iter().all(|edges| edges.len() == n - 1 && is_connected(n, edges)));
    }
    let all = trees(7).unwrap();
    let permutations = permutations(7);
    let classes: HashSet<Vec<Ends>> = all.iter().map(|edges| least(&permutations, edges, false)).collect();
    assert_eq!(classes.len(), all.len());
}

#[test]
fn the_order_is_by_edges_and_always_the_same() {
    let all = graphs(6).unwrap();
    assert!(all.is_sorted_by_key(Vec::len));
    assert_eq!(all, graphs(6).unwrap());
    assert_eq!(graphs(3).unwrap(), [vec![], vec![(0, 1)], vec![(0, 1), (0, 2)], vec![(0, 1), (0, 2), (1, 2)]]);
    assert!(digraphs(4).unwrap().is_sorted_by_key(Vec::len));
}

#[test]
fn too_much_is_refused_with_the_bound() {
    assert_eq!(graphs(10).unwrap_err(), "`graphs(10)` is too much: `graphs(n)` goes up to n = 9");
    assert_eq!(digraphs(6).unwrap_err(), "`digraphs(6)` is too much: `digraphs(n)` goes up to n = 5");
    assert!(multigraphs(3, 99).unwrap_err().contains("up to 9 vertices and 15 edges"));
    assert!(multigraphs(9, 15).unwrap_err().contains("the bound is 100000"));
    assert!(multigraphs(9, 15).is_err());
    assert_eq!(multigraphs(0, 1).unwrap().len(), 0);
    assert_eq!(multigraphs(0, 0).unwrap(), [vec![]]);
}

#[test]
fn lists_and_bags_come_in_lexicographic_order() {
    assert_eq!(lists(2, 2).collect::<Vec<_>>(), [[0, 0], [0, 1], [1, 0], [1, 1]]);
    assert_eq!(bags(3, 2).collect::<Vec<_>>(), [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2], [2, 2]]);
    assert_eq!((lists(0, 0).count(), bags(0, 0).count(), lists(5, 0).count()), (1, 1, 1));
    assert_eq!((lists(0, 2).count(), bags(0, 2).count()), (0, 0));
    assert_eq!((lists(3, 4).count(), bags(4, 3).count()), (81, 20));
}
