//! Graphs and grids of a size.

use crate::claims::domain::{Domain, Step, Visit};
use crate::claims::range::Range;
use crate::model::builtin::Builtin;
use crate::model::kind::GraphWord;
use crate::value::graph::Graph;
use crate::value::{Grid, Value};
use crate::words::callable;
use grundy_graphs::Ends;
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
                GraphWord::Graph => callable::call(Builtin::Graphs, &[number]),
                GraphWord::Digraph => callable::call(Builtin::Digraphs, &[number]),
                GraphWord::Multigraph => {
                    callable::call(Builtin::Multigraphs, &[number, Value::Int(edges.cast_signed())])
                }
            };
            // More edges than are listed: nothing of this size.
            let Ok(Value::List(all)) = all else { continue };
            // The lists of graphs and digraphs have none with loops.
            let loops = if word == GraphWord::Multigraph { 0 } else { n.min(edges) };
            for loops in 0..=loops {
                for graph in all.items.iter() {
                    let Value::Graph(graph) = graph else { continue };
                    if graph.edges.len() as u64 + loops != edges {
                        continue;
                    }
                    with_loops(graph, usize::try_from(loops).unwrap_or(usize::MAX), &mut |ends| {
                        self.labelled(graph.word, graph.vertices.len(), ends, base, visit)
                    })?;
                }
            }
        }
        Ok(())
    }

    /// A graph with vertices from `base`; then each vertex in turn under the name of each constant.
    fn labelled(&self, word: GraphWord, n: usize, edges: &[Ends], base: i64, visit: Visit<'_>) -> Step {
        let labels: Vec<Value> = (0..).take(n).map(|v: i64| Value::Int(base + v)).collect();
        visit(named(word, edges, &labels))?;
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
                visit(named(word, edges, &labels))?;
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
    pub(crate) fn nat_grids(&self, size: u64, visit: Visit<'_>) -> Step {
        for cells in 0..=size {
            shapes(cells, |rows, cols| {
                self.tuples(&vec![Range::Nat; rows * cols], size - cells, &mut |cells| {
                    Grid::new(rows, cols, cells).map_or(Ok(()), |grid| visit(Value::Grid(Arc::new(grid))))
                })
            })?;
        }
        Ok(())
    }
}

/// The edges of a graph without loops, and so many loops, in every way up to isomorphism.
fn with_loops(graph: &Graph, loops: usize, visit: &mut dyn FnMut(&[Ends]) -> Step) -> Step {
    let mut edges: Vec<Ends> = graph.edges.iter().map(|e| (e.u, e.v)).collect();
    if loops == 0 {
        return visit(&edges);
    }
    let n = graph.vertices.len();
    let same = symmetries(n, &edges, graph.word == GraphWord::Digraph);
    let plain = edges.len();
    for set in (0_u32..1 << n).filter(|set| set.count_ones() as usize == loops) {
        let image = |symmetry: &Vec<u32>| (0..n).filter(|v| set >> v & 1 == 1).map(|v| 1 << symmetry[v]).sum::<u32>();
        // The least of those that are the same.
        if same.iter().any(|symmetry| image(symmetry) < set) {
            continue;
        }
        edges.truncate(plain);
        edges.extend((0..).take(n).filter(|v| set >> v & 1 == 1).map(|v| (v, v)));
        visit(&edges)?;
    }
    Ok(())
}

/// The permutations of at most 7 vertices that leave the edges as they are.
fn symmetries(n: usize, edges: &[Ends], directed: bool) -> Vec<Vec<u32>> {
    let joined = |u: u32, v: u32| edges.contains(&(u, v)) || !directed && edges.contains(&(v, u));
    let mut found: Vec<Vec<u32>> = vec![Vec::new()];
    for v in (0_u32..).take(n) {
        let longer = found.iter().flat_map(|start| {
            let fits = |to: u32| {
                let same =
                    |(u, image): (u32, &u32)| joined(u, v) == joined(*image, to) && joined(v, u) == joined(to, *image);
                !start.contains(&to) && (0..).zip(start).all(same)
            };
            (0..)
                .take(n)
                .filter(|to| fits(*to))
                .map(|to| start.iter().copied().chain([to]).collect())
                .collect::<Vec<_>>()
        });
        found = longer.collect();
    }
    found
}

/// A graph with these names of its vertices.
fn named(word: GraphWord, edges: &[Ends], labels: &[Value]) -> Value {
    let ends: Vec<(Value, Value)> =
        edges.iter().map(|(u, v)| (labels[*u as usize].clone(), labels[*v as usize].clone())).collect();
    Value::Graph(Arc::new(Graph::labelled(word, labels, ends.iter().map(|(u, v)| (u, v)))))
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

#[cfg(test)]
mod tests {
    use crate::claims::domain_graph::*;

    fn count(word: GraphWord, builtin: Builtin, n: i64) -> usize {
        let Ok(Value::List(all)) = callable::call(builtin, &[Value::Int(n)]) else { panic!("a list") };
        let mut count = 0;
        for graph in all.items.iter() {
            let Value::Graph(graph) = graph else { panic!("a graph") };
            assert_eq!(graph.word, word);
            for loops in 0..=graph.vertices.len() {
                let _ = with_loops(graph, loops, &mut |_| {
                    count += 1;
                    Ok(())
                });
            }
        }
        count
    }

    /// Graphs with loops: OEIS A000666; digraphs with loops, the relations: A000595.
    #[test]
    fn as_many_with_loops_as_there_are() {
        let graphs: Vec<usize> = (0..7).map(|n| count(GraphWord::Graph, Builtin::Graphs, n)).collect();
        assert_eq!(graphs, [1, 2, 6, 20, 90, 544, 5096]);
        let digraphs: Vec<usize> = (0..5).map(|n| count(GraphWord::Digraph, Builtin::Digraphs, n)).collect();
        assert_eq!(digraphs, [1, 2, 10, 104, 3044]);
    }
}
