use super::Dice;
use grundy_graphs::edge_geography::{Refusal, winning};
use grundy_graphs::rows::colours;
use grundy_graphs::{Ends, enumerate};

/// Whether the player to move wins, for every set of edges by its bits and every vertex, from the rules.
fn wins(n: usize, edges: &[Ends]) -> Vec<Vec<bool>> {
    let mut wins: Vec<Vec<bool>> = Vec::with_capacity(1 << edges.len());
    for set in 0..1usize << edges.len() {
        let goes = |v: u32, e: usize| match edges[e] {
            (u, w) if u == v => Some(w),
            (u, w) if w == v => Some(u),
            _ => None,
        };
        let row = (0..).take(n).map(|v| {
            let left = (0..edges.len()).filter(|e| set >> e & 1 == 1);
            left.into_iter().any(|e| goes(v, e).is_some_and(|w| !wins[set & !(1 << e)][w as usize]))
        });
        let row: Vec<bool> = row.collect();
        wins.push(row);
    }
    wins
}

/// How many of the vertices have a bipartite graph around them.
fn check(n: usize, edges: &[Ends]) -> usize {
    let known = wins(n, edges);
    let all = (1usize << edges.len()) - 1;
    let mut bipartite = 0;
    for at in (0..).take(n) {
        let expected = (0..).zip(edges).filter(|(e, (u, v))| {
            let on = if *u == at { *v } else { *u };
            (*u == at || *v == at) && !known[all & !(1 << e)][on as usize]
        });
        let expected: Vec<u32> = expected.map(|(e, _)| e).collect();
        if colours(n, edges.iter().copied(), [at].into_iter()).is_none() {
            assert_eq!(winning(n, edges, at), Err(Refusal::NotBipartite));
            continue;
        }
        bipartite += 1;
        assert_eq!(winning(n, edges, at), Ok(expected.clone()), "{n} {edges:?} {at}");
        assert_eq!(known[all][at as usize], !expected.is_empty());
    }
    bipartite
}

#[test]
fn all_multigraphs_with_few_edges() {
    for (n, most) in [(1, 3), (2, 5), (3, 5), (4, 6), (5, 5)] {
        for count in 0..=most {
            for edges in enumerate::multigraphs(n, count).unwrap() {
                check(n, &edges);
            }
        }
    }
}

#[test]
fn random_bipartite_multigraphs() {
    let mut dice = Dice(3);
    let mut asked = 0;
    for round in 0..700 {
        let [near, far, count] = [4, 4, 12].map(|bound| dice.vertex(bound));
        let (near, far) = (near + 1, far + 1);
        let edges: Vec<Ends> =
            (0..count).map(|_| (dice.vertex(near as usize), near + dice.vertex(far as usize))).collect();
        // Half of them the other way around.
        let edges: Vec<Ends> = edges.into_iter().map(|(u, v)| if round % 2 == 0 { (u, v) } else { (v, u) }).collect();
        asked += check((near + far) as usize, &edges);
    }
    assert!(asked > 2000, "{asked}");
}

/// On a path a side with an odd number of edges wins.
#[test]
fn long_paths_and_stars() {
    let path: Vec<Ends> = (0..100_000).map(|v| (v, v + 1)).collect();
    assert_eq!(winning(100_001, &path, 0), Ok(Vec::new()));
    assert_eq!(winning(100_001, &path, 1), Ok(vec![0, 1]));
    assert_eq!(winning(100_001, &path, 50_000), Ok(Vec::new()));
    assert_eq!(winning(100_001, &path, 50_001), Ok(vec![50_000, 50_001]));
    let star: Vec<Ends> = (1..100_001).map(|v| (0, v)).collect();
    assert_eq!(winning(100_001, &star, 0), Ok((0..100_000).collect()));
    assert_eq!(winning(100_001, &star, 7), Ok(Vec::new()));
}
