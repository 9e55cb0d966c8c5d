//! Multigraphs, one edge at a time.

use crate::Ends;
use crate::enumerate::canonical::{Form, MAX, MAX_PARALLEL, Matrix};
use hashbrown::HashSet;

/// The most multigraphs that [`all`] is ready to list, by the estimate [`estimate`].
const MAX_COUNT: u128 = 100_000;

/// A lower bound of the count: placings of the edges on the pairs and loops, over the arrangements of the vertices.
fn estimate(n: usize, edges: usize) -> u128 {
    let (n, edges) = (n as u128, edges as u128);
    let places = n * (n + 1) / 2;
    // C(places + edges - 1, edges), exact at each step.
    let placings = (0..edges).fold(1, |count, k| count * (places + k) / (k + 1));
    placings / (1..=n).product::<u128>()
}

/// All multigraphs with `n` vertices and `edges` edges, ascending by form.
pub(super) fn all(n: usize, edges: usize) -> Result<Vec<Vec<Ends>>, String> {
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
