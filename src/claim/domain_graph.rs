//! Graphs and grids of a size.

use super::domain::{Domain, Step, Visit};
use crate::check::builtin::Builtin;
use crate::check::kind::GraphWord;
use crate::rules::value::graph::Graph;
use crate::rules::value::{Grid, Value};
use crate::rules::words;
use std::sync::Arc;

impl Domain {
    /// Graphs with `size` vertices and edges together, up to isomorphism, with vertices from `base`; then each vertex in turn
    /// under the name of each constant.
    pub(crate) fn graphs(&self, word: GraphWord, base: i64, size: u64, visit: Visit<'_>) -> Step {
        /// Graphs with more vertices are too many to be tried.
        const VERTICES: [u64; 3] = [7, 4, 4];
        let most = VERTICES[match word {
            GraphWord::Graph => 0,
            GraphWord::Digraph => 1,
            GraphWord::Multigraph => 2,
        }];
        for n in 0..=size.min(most) {
            let edges = size - n;
            let number = Value::Int(n.cast_signed());
            let all = match word {
                GraphWord::Graph => words::call(Builtin::Graphs, &[number]),
                GraphWord::Digraph => words::call(Builtin::Digraphs, &[number]),
                GraphWord::Multigraph => words::call(Builtin::Multigraphs, &[number, Value::Int(edges.cast_signed())]),
            };
            // More edges than are listed: nothing of this size.
            let Ok(Value::List(all)) = all else { continue };
            for graph in all.items.iter() {
                let Value::Graph(graph) = graph else { continue };
                if graph.edges.len() as u64 != edges {
                    continue;
                }
                let labels: Vec<Value> = (0..).take(graph.vertices.len()).map(|v: i64| Value::Int(base + v)).collect();
                visit(named(graph, &labels))?;
                for constant in &self.constants {
                    for v in 0..labels.len() {
                        let mut labels = labels.clone();
                        if labels[v] == *constant {
                            continue;
                        }
                        match labels.iter().position(|label| label == constant) {
                            Some(other) => labels.swap(v, other),
                            None => labels[v] = constant.clone(),
                        }
                        visit(named(graph, &labels))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Grids of `size` cells of characters.
    pub(crate) fn grids(&self, size: u64, visit: Visit<'_>) -> Step {
        let mut letters: Vec<char> = vec!['.', '#'];
        letters.extend(self.letters.iter().filter(|c| !['.', '#'].contains(*c)));
        shapes(size, |rows, cols| {
            texts(&letters, rows * cols, &mut Vec::new(), &mut |cells| {
                let cells: Vec<char> = cells.to_vec();
                Grid::new(rows, cols, cells).map_or(Ok(()), |grid| visit(Value::Grid(Arc::new(grid))))
            })
        })
    }

    /// Grids of numbers: cells and numbers together make the size.
    pub(crate) fn nat_grids(size: u64, visit: Visit<'_>) -> Step {
        for cells in 0..=size {
            shapes(cells, |rows, cols| {
                sums(rows * cols, size - cells, &mut Vec::new(), &mut |numbers| {
                    let cells: Vec<Value> = numbers.iter().map(|&n| Value::Int(n.cast_signed())).collect();
                    Grid::new(rows, cols, cells).map_or(Ok(()), |grid| visit(Value::Grid(Arc::new(grid))))
                })
            })?;
        }
        Ok(())
    }
}

/// The same graph with other names.
fn named(graph: &Graph, labels: &[Value]) -> Value {
    let ends: Vec<(Value, Value)> =
        graph.edges.iter().map(|e| (labels[e.u as usize].clone(), labels[e.v as usize].clone())).collect();
    Value::Graph(Arc::new(Graph::labelled(graph.word, labels, ends.iter().map(|(u, v)| (u, v)))))
}

/// All `rows x cols` with so many cells.
fn shapes(cells: u64, mut visit: impl FnMut(usize, usize) -> Step) -> Step {
    let cells = usize::try_from(cells).unwrap_or(usize::MAX);
    if cells == 0 {
        return visit(0, 0);
    }
    (1..=cells).filter(|rows| cells.is_multiple_of(*rows)).try_for_each(|rows| visit(rows, cells / rows))
}

/// All texts of a length over letters.
pub(crate) fn texts(
    letters: &[char],
    len: usize,
    so_far: &mut Vec<char>,
    visit: &mut dyn FnMut(&[char]) -> Step,
) -> Step {
    if so_far.len() == len {
        return visit(so_far);
    }
    for &letter in letters {
        so_far.push(letter);
        let step = texts(letters, len, so_far, visit);
        so_far.pop();
        step?;
    }
    Ok(())
}

/// All lists of `len` numbers with this sum.
fn sums(len: usize, sum: u64, so_far: &mut Vec<u64>, visit: &mut dyn FnMut(&[u64]) -> Step) -> Step {
    if so_far.len() == len {
        return if sum == 0 { visit(so_far) } else { Ok(()) };
    }
    let least = if so_far.len() + 1 == len { sum } else { 0 };
    for n in least..=sum {
        so_far.push(n);
        let step = sums(len, sum - n, so_far, visit);
        so_far.pop();
        step?;
    }
    Ok(())
}
