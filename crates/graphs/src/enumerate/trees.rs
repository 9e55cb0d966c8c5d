//! Free and rooted trees.
//!
//! R. A. Wright, B. Richmond, A. Odlyzko, B. `McKay`, "Constant time generation of free trees", SIAM J. Comput. 15 (1986):
//! level sequences of trees rooted at the centre, in descending order; the path comes first, the star last.

use crate::Ends;

/// All trees with `n` vertices; edges go from parent to child, vertices are numbered in the order of the level sequence.
pub(super) fn all(n: usize) -> Vec<Vec<Ends>> {
    if n <= 2 {
        return vec![if n == 2 { vec![(0, 1)] } else { Vec::new() }];
    }
    let mut found = Vec::new();
    let mut layout: Option<Vec<usize>> = Some((0..=n / 2).chain(1..n.div_ceil(2)).collect());
    while let Some(tree) = layout.and_then(to_free) {
        found.push(edges(&tree));
        layout = next_rooted(&tree, None);
    }
    found
}

/// All rooted trees with `n` vertices, vertex 0 the root; the path comes first, the star last.
pub(super) fn rooted(n: usize) -> Vec<Vec<Ends>> {
    let mut found = Vec::new();
    let mut layout: Option<Vec<usize>> = (n > 0).then(|| (0..n).collect());
    while let Some(tree) = layout {
        found.push(edges(&tree));
        layout = next_rooted(&tree, None);
    }
    found
}

/// Edges from a level sequence: the parent is the last vertex one level up.
fn edges(layout: &[usize]) -> Vec<Ends> {
    let mut last = vec![0; layout.len() + 1];
    let mut edges = Vec::with_capacity(layout.len());
    for (v, &level) in (0..).zip(layout) {
        if level > 0 {
            edges.push((last[level - 1], v));
        }
        last[level] = v;
    }
    edges
}

/// The next rooted tree (T. Beyer, S. M. Hedetniemi, 1980); with `from` the next one that differs at or before that place.
fn next_rooted(layout: &[usize], from: Option<usize>) -> Option<Vec<usize>> {
    let p = from.or_else(|| layout.iter().rposition(|&level| level != 1)).filter(|&p| p > 0)?;
    let q = layout[..p].iter().rposition(|&level| level + 1 == layout[p])?;
    let mut next = layout.to_vec();
    for i in p..next.len() {
        next[i] = next[i + q - p];
    }
    Some(next)
}

/// The first subtree of the root, its levels counted from 0, and where the rest begins.
fn split(layout: &[usize]) -> (Vec<usize>, usize) {
    let end = (2..layout.len()).find(|&i| layout[i] == 1).unwrap_or(layout.len());
    (layout[1..end].iter().map(|level| level - 1).collect(), end)
}

/// This tree if its root is the chosen centre, else the next one for which it is.
fn to_free(layout: Vec<usize>) -> Option<Vec<usize>> {
    let (left, end) = split(&layout);
    let rest: Vec<usize> = std::iter::once(0).chain(layout[end..].iter().copied()).collect();
    let height = |levels: &[usize]| levels.iter().copied().max().unwrap_or(0);
    let ours = (height(&left), left.len(), &left);
    if ours <= (height(&rest), rest.len(), &rest) {
        return Some(layout);
    }
    let p = left.len();
    let mut next = next_rooted(&layout, Some(p))?;
    if layout[p] > 2 {
        // The second subtree becomes a path as long as the first is high.
        let path = height(&split(&next).0) + 1;
        let from = next.len() - path;
        for (place, level) in next[from..].iter_mut().zip(1..) {
            *place = level;
        }
    }
    Some(next)
}
