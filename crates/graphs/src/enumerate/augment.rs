//! Graphs, digraphs, acyclic digraphs and partial orders, one vertex at a time.
//!
//! Every graph with `n` vertices is one with `n - 1` and a new vertex joined to it in some way. Each graph has a vertex that
//! is greatest by an invariant (degrees; in an acyclic digraph among the sources), so only new vertices that are greatest in
//! what they make need be tried; what is left of the repetitions falls away by canonical forms.

use crate::Ends;
use crate::enumerate::canonical::{Form, Matrix};
use hashbrown::HashSet;

/// What is enumerated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    Graphs,
    Digraphs,
    Dags,
    Posets,
}

/// All members with `n` vertices (at most the `MAX` of `canonical`), ascending by edges, then by form.
pub(super) fn all(family: Family, n: usize) -> Vec<Vec<Ends>> {
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
    let mut degree = [(0, 0); crate::enumerate::canonical::MAX];
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
