//! All graphs of a kind up to isomorphism, and tuples of indices: what claims run over.
//!
//! A graph is the list of its edges on the vertices `0..n`. Lists are ascending by number of edges, then by a canonical form,
//! so that they are the same on every machine. The counts are those of the OEIS named at each function.

mod canonical;

use crate::Ends;
use crate::enumerate::canonical::{Form, MAX, MAX_PARALLEL, Matrix};
use crate::rows::is_connected;
use hashbrown::HashSet;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Graphs,
    Digraphs,
    Dags,
    Posets,
}

/// The most multigraphs that [`multigraphs`] is ready to list, by [`estimate`].
const MAX_COUNT: u128 = 100_000;

/// Iterator of [`lists`] and [`bags`].
#[derive(Clone, Debug)]
pub struct Tuples {
    c: usize,
    ascending: bool,
    next: Option<Vec<usize>>,
}

impl Iterator for Tuples {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let now = self.next.take()?;
        if let Some(place) = now.iter().rposition(|&x| x + 1 < self.c) {
            let mut next = now.clone();
            next[place] += 1;
            let least = if self.ascending { next[place] } else { 0 };
            next[place + 1..].fill(least);
            self.next = Some(next);
        }
        Some(now)
    }
}

/// What is listed where `n` is no more than a word goes up to.
fn within<T>(word: &str, n: usize, max: usize, list: impl FnOnce() -> T) -> Result<T, String> {
    if n > max {
        return Err(format!("`{word}({n})` is too much: `{word}(n)` goes up to n = {max}"));
    }
    Ok(list())
}

/// The graphs with `n` vertices, no loops (A000088); `Err`: `n` exceeds 9. About 3 microseconds for each graph with one
/// vertex more than asked.
pub fn graphs(n: usize) -> Result<Vec<Vec<Ends>>, String> {
    within("graphs", n, 9, || augmented(Family::Graphs, n))
}

/// The connected graphs with `n` vertices (A001349), the one without vertices among them. `Err` and cost as [`graphs`].
pub fn connected(n: usize) -> Result<Vec<Vec<Ends>>, String> {
    within("connected", n, 9, || {
        let mut all = augmented(Family::Graphs, n);
        all.retain(|edges| is_connected(n, edges));
        all
    })
}

/// The trees with `n` vertices (A000055; one for `n = 0`), in constant time each but for writing; `Err`: `n` exceeds 18.
pub fn trees(n: usize) -> Result<Vec<Vec<Ends>>, String> {
    within("trees", n, 18, || free_trees(n))
}

/// The rooted trees with `n` vertices (A000081), root 0, none for `n = 0`; cost as [`trees`]. `Err`: `n` exceeds 15.
pub fn rooted_trees(n: usize) -> Result<Vec<Vec<Ends>>, String> {
    within("rooted_trees", n, 15, || trees_with_root(n))
}

/// The digraphs with `n` vertices, no loops, arcs both ways allowed (A000273); `Err`: `n` exceeds 5.
pub fn digraphs(n: usize) -> Result<Vec<Vec<Ends>>, String> {
    within("digraphs", n, 5, || augmented(Family::Digraphs, n))
}

/// The digraphs with `n` vertices without cycles (A003087); `Err`: `n` exceeds 7.
pub fn dags(n: usize) -> Result<Vec<Vec<Ends>>, String> {
    within("dags", n, 7, || augmented(Family::Dags, n))
}

/// The posets with `n` elements (A000112): an arc from each element to all that are less; `Err`: `n` exceeds 8.
pub fn posets(n: usize) -> Result<Vec<Vec<Ends>>, String> {
    within("posets", n, 8, || augmented(Family::Posets, n))
}

/// All members with `n` vertices (at most the `MAX` of `canonical`), ascending by edges, then by form.
pub(super) fn augmented(family: Family, n: usize) -> Vec<Vec<Ends>> {
    let empty = Matrix { n: 0, cell: Default::default() };
    let mut level: HashSet<Form> = HashSet::from_iter([empty.form()]);
    for size in 0..n {
        let mut next = HashSet::new();
        for parent in &level {
            extend(family, &parent.matrix(size), &mut next);
        }
        level = next;
    }
    let mut found: Vec<(usize, Form, Vec<Ends>)> = level
        .into_iter()
        .map(|form| {
            let edges = form.matrix(n).edges(family != Family::Graphs);
            (edges.len(), form, edges)
        })
        .collect();
    found.sort_unstable_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    found.into_iter().map(|(_, _, edges)| edges).collect()
}

/// All ways to join a new vertex to `parent`.
fn extend(family: Family, parent: &Matrix, found: &mut HashSet<Form>) {
    let old = parent.n;
    let mut child = *parent;
    child.n = old + 1;
    let ways = if family == Family::Digraphs { 1u32 << (2 * old) } else { 1 << old };
    for way in 0..ways {
        if family == Family::Posets && !is_closed(parent, way) {
            continue;
        }
        for v in 0..old {
            let (out, back) = (u8::from(way >> v & 1 == 1), u8::from(way >> (old + v) & 1 == 1));
            child.cell[old][v] = out;
            child.cell[v][old] = match family {
                Family::Graphs => out,
                Family::Digraphs => back,
                Family::Dags | Family::Posets => 0,
            };
        }
        if is_greatest(family, &child) {
            found.insert(child.form());
        }
    }
}

/// Whether a set of vertices holds all successors of its members: a new greatest element above it keeps an order transitive.
fn is_closed(parent: &Matrix, set: u32) -> bool {
    (0..parent.n)
        .filter(|&v| set >> v & 1 == 1)
        .all(|v| (0..parent.n).all(|w| parent.cell[v][w] == 0 || set >> w & 1 == 1))
}

/// Whether no other vertex beats the last one by degrees and then by the degrees around it.
fn is_greatest(family: Family, child: &Matrix) -> bool {
    let n = child.n;
    let out = |v: usize| child.cell[v][..n].iter().map(|&x| u32::from(x)).sum::<u32>();
    let into = |v: usize| child.cell[..n].iter().map(|row| u32::from(row[v])).sum::<u32>();
    let mut degree = [(0, 0); MAX];
    for (v, degree) in degree.iter_mut().enumerate().take(n) {
        *degree = match family {
            Family::Graphs => (out(v), 0),
            Family::Digraphs => (out(v) + into(v), out(v)),
            // Only sources compete.
            Family::Dags | Family::Posets if into(v) == 0 => (out(v) + 1, 0),
            Family::Dags | Family::Posets => (0, 0),
        };
    }
    let last = degree[n - 1];
    if degree[..n].iter().any(|other| *other > last) {
        return false;
    }
    let around = |v: usize| -> u32 {
        (0..n)
            .map(|w| u32::from(child.cell[v][w]) * (1 + degree[w].0) + u32::from(child.cell[w][v]) * degree[w].0)
            .sum()
    };
    let own = around(n - 1);
    (0..n - 1).all(|v| degree[v] < last || around(v) <= own)
}

/// All trees with `n` vertices; edges go from parent to child, vertices are numbered in the order of the level sequence.
pub(super) fn free_trees(n: usize) -> Vec<Vec<Ends>> {
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
pub(super) fn trees_with_root(n: usize) -> Vec<Vec<Ends>> {
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

/// A lower bound of the count: placings of the edges on the pairs and loops, over the arrangements of the vertices.
fn estimate(n: usize, edges: usize) -> u128 {
    let (n, edges) = (n as u128, edges as u128);
    let places = n * (n + 1) / 2;
    // C(places + edges - 1, edges), exact at each step.
    let placings = (0..edges).fold(1, |count, k| count * (places + k) / (k + 1));
    placings / (1..=n).product::<u128>()
}

/// The multigraphs with `n` vertices and exactly `edges` edges, loops and parallel edges allowed; vertices may be isolated.
/// `Err` names the bound that `n`, `edges` or both exceed.
pub fn multigraphs(n: usize, edges: usize) -> Result<Vec<Vec<Ends>>, String> {
    if n > MAX || edges > MAX_PARALLEL {
        return Err(format!(
            "`multigraphs({n}, {edges})` is too much: it goes up to {MAX} vertices and {MAX_PARALLEL} edges"
        ));
    }
    let count = estimate(n, edges);
    if count > MAX_COUNT {
        return Err(format!(
            "`multigraphs({n}, {edges})` is too much: there are at least {count} of them, the bound is {MAX_COUNT}"
        ));
    }
    let empty = Matrix { n, cell: [[0; MAX]; MAX] };
    let mut level: HashSet<Form> = HashSet::from_iter([empty.form()]);
    for _ in 0..edges {
        let mut next = HashSet::new();
        for parent in &level {
            let parent = parent.matrix(n);
            for u in 0..n {
                for v in u..n {
                    let mut child = parent;
                    child.cell[u][v] += 1;
                    child.cell[v][u] = child.cell[u][v];
                    next.insert(child.form());
                }
            }
        }
        level = next;
    }
    let mut forms: Vec<Form> = level.into_iter().collect();
    forms.sort_unstable();
    Ok(forms.into_iter().map(|form| form.matrix(n).edges(false)).collect())
}

/// All lists of `k` numbers below `c`, lexicographically: `c^k` of them; one empty list for `k = 0`. O(k) each.
pub fn lists(c: usize, k: usize) -> Tuples {
    Tuples { c, ascending: false, next: (c > 0 || k == 0).then(|| vec![0; k]) }
}

/// All ascending lists of `k` numbers below `c`, repetition allowed, lexicographically: `C(c + k - 1, k)` of them. O(k) each.
pub fn bags(c: usize, k: usize) -> Tuples {
    Tuples { ascending: true, ..lists(c, k) }
}
