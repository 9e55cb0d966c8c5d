use super::Dice;
use grundy_graphs::Ends;
use grundy_graphs::lattice::Lattice;
use grundy_graphs::matching::lattice::{matching, within};
use grundy_graphs::matching::{Matched, Matching};

/// The edges, by looking at all pairs of free cells.
fn edges(cols: usize, free: &[bool]) -> (usize, Vec<Ends>) {
    let cells: Vec<usize> = (0..free.len()).filter(|i| free[*i]).collect();
    let mut edges = Vec::new();
    for (u, a) in (0..).zip(&cells) {
        for (v, b) in (0..).zip(&cells) {
            let right = a / cols == b / cols && a + 1 == *b;
            if right || a + cols == *b {
                edges.push((u, v));
            }
        }
    }
    (cells.len(), edges)
}

fn check(rows: usize, cols: usize, free: &[bool]) {
    let lattice = Lattice::new(rows, cols, |row, to| to.extend_from_slice(&free[row * cols..(row + 1) * cols]));
    let (n, edges) = edges(cols.max(1), free);
    assert_eq!((lattice.vertices(), lattice.edges()), (n, edges.len()));
    assert_eq!(lattice.ends(), edges);
    assert!(lattice.cells().eq((0..free.len()).filter(|i| free[*i])));
    let mut some = Vec::new();
    let whole = lattice.all(|edge| {
        some.push(edge);
        some.len() < 3
    });
    assert!(whole == (edges.len() < 3) && some == edges[..edges.len().min(3)]);
    let expected = Matched::from(&Matching::new(n, &edges));
    for phases in [0, 1, 2, 60] {
        assert_eq!(within(&lattice, phases), expected, "{rows} x {cols}, {phases}: {free:?}");
    }
}

#[test]
fn all_small_grids() {
    for (rows, cols) in [(0, 0), (0, 3), (3, 0), (1, 1), (1, 7), (7, 1), (2, 5), (3, 4), (4, 3)] {
        for bits in 0..1_u32 << (rows * cols) {
            let free: Vec<bool> = (0..rows * cols).map(|i| bits >> i & 1 == 1).collect();
            check(rows, cols, &free);
        }
    }
}

#[test]
fn random_grids() {
    let mut dice = Dice(11);
    for round in 0..600 {
        let mut side = || usize::try_from(2 + dice.below(24)).unwrap();
        let (rows, cols) = (side(), side());
        let walls = [0, 2, 5, 10, 30, 50, 70][round % 7];
        let free: Vec<bool> = (0..rows * cols).map(|_| dice.below(100) >= walls).collect();
        check(rows, cols, &free);
    }
}

/// Mazes in which paths are as long as there are cells, and combs of them: no recursion, and no time for each cell and path.
#[test]
fn winding_ways() {
    const SIDE: usize = 801;
    let snake = |r: usize, c: usize| r.is_multiple_of(2) || c == if r % 4 == 1 { SIDE - 1 } else { 0 };
    let comb = |r: usize, c: usize| r == 0 || c.is_multiple_of(2);
    let crooked = |r: usize, c: usize| snake(r, c) && !(r * 31 + c * 17).is_multiple_of(1009);
    let shapes: [&dyn Fn(usize, usize) -> bool; 4] = [&snake, &comb, &crooked, &|_, _| true];
    for shape in shapes {
        let lattice = Lattice::new(SIDE, SIDE, |row, to| to.extend((0..SIDE).map(|col| shape(row, col))));
        let found = matching(&lattice);
        assert_eq!(found, Matched::from(&Matching::new(lattice.vertices(), &lattice.ends())));
        assert!(2 * found.size + found.missed.len() >= lattice.vertices());
    }
}
