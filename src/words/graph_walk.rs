//! Words about graphs that walk through them. Linear, without recursion.

use crate::model::kind::GraphWord;
use crate::source::diagnostic::Code;
use crate::value::adjacency::Likeness;
use crate::value::fault::Fault;
use crate::value::graph::Graph;
use crate::value::{Items, Value, members, wanted};
use crate::words::graph::{as_graph, marked, vertex_numbers, vertex_set};
use grundy_graphs::rows::colours;
use std::sync::Arc;

/// A vertex number that is none.
const NONE: u32 = u32::MAX;

/// The vertices that can be reached along the arcs, `v` too.
pub(super) fn reach(g: &Value, v: &Value) -> Result<Value, Fault> {
    /// Of this part of all it is quicker to look who is among them than to sort.
    const MANY: usize = 16;
    let graph = as_graph(g)?;
    let start = graph.vertex(v)?;
    let rows = graph.out_rows();
    let mut seen = vec![false; graph.labels.len()];
    seen[start as usize] = true;
    let mut found = vec![start];
    let mut next = 0;
    while let Some(&v) = found.get(next) {
        next += 1;
        for &w in rows.ends(v) {
            if !std::mem::replace(&mut seen[w as usize], true) {
                found.push(w);
            }
        }
    }
    if found.len() < seen.len() / MANY {
        found.sort_unstable();
    } else {
        found.clear();
        found.extend((0..).zip(&seen).filter(|(_, seen)| **seen).map(|(v, _)| v));
    }
    Ok(vertex_set(graph, found.into_iter()))
}

/// The number of steps along the arcs, -1 when there is no way.
pub(super) fn distance(g: &Value, u: &Value, v: &Value) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let (start, goal) = (graph.vertex(u)?, graph.vertex(v)?);
    let mut steps = vec![-1_i64; graph.labels.len()];
    steps[start as usize] = 0;
    let mut found = vec![start];
    let mut next = 0;
    while steps[goal as usize] < 0
        && let Some(&v) = found.get(next)
    {
        next += 1;
        for &w in graph.successors(v) {
            if steps[w as usize] < 0 {
                steps[w as usize] = steps[v as usize] + 1;
                found.push(w);
            }
        }
    }
    Ok(Value::Int(steps[goal as usize]))
}

/// The number of the component of each vertex, directions ignored, counted by their first vertices in graph order; `NONE`
/// outside. Also how many there are.
fn component_numbers(graph: &Graph, inside: impl Fn(u32) -> bool) -> (Vec<u32>, usize) {
    let mut number = vec![NONE; graph.labels.len()];
    let mut count = 0;
    let mut open = Vec::new();
    for &start in graph.vertices.iter() {
        if number[start as usize] != NONE || !inside(start) {
            continue;
        }
        number[start as usize] = count;
        open.push(start);
        while let Some(v) = open.pop() {
            for &w in graph.successors(v).iter().chain(arcs_back(graph, v)) {
                if number[w as usize] == NONE && inside(w) {
                    number[w as usize] = count;
                    open.push(w);
                }
            }
        }
        count += 1;
    }
    (number, count as usize)
}

fn arcs_back(graph: &Graph, v: u32) -> &[u32] {
    if graph.word == GraphWord::Digraph { graph.predecessors(v) } else { &[] }
}

/// The classes of a numbering as sets, in the order of their numbers.
fn classes(graph: &Graph, number: &[u32], count: usize) -> Value {
    let mut sets = vec![Vec::new(); count];
    for (v, class) in (0..).zip(number) {
        if *class != NONE {
            sets[*class as usize].push(graph.label(v));
        }
    }
    Value::list(sets.into_iter().map(|set| Value::Set(set.into())).collect())
}

pub(super) fn components(g: &Value, vs: Option<&Value>) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let (number, count) = match vs {
        None => component_numbers(graph, |_| true),
        Some(vs) => {
            let inside = marked(graph, vs)?;
            component_numbers(graph, |v| inside[v as usize])
        }
    };
    Ok(classes(graph, &number, count))
}

/// The strong components in topological order.
pub(super) fn strong_components(g: &Value) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let parts = graph.strong_components();
    Ok(classes(graph, &parts.of, parts.count))
}

/// The edges that hang on the ground: those of a component, directions ignored, with a vertex of the ground in it.
pub(super) fn grounded(g: &Value, edges: Option<&Value>, ground: Option<&Value>) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let all;
    let edges = if let Some(edges) = edges {
        edges
    } else {
        all = crate::words::graph::edges(g, None)?;
        &all
    };
    let ground = match ground {
        Some(ground) => vertex_numbers(graph, ground)?,
        None => vertex_numbers(graph, &Value::text("ground"))?,
    };
    if let Value::Set(items) = edges
        && let Some((of, indices)) = items.as_edges()
        && Arc::ptr_eq(of, graph)
    {
        // What is found out here is what `fusion` asks next.
        if indices.len() == graph.edges.len()
            && crate::words::solvers::fused(g, edges, &ground, |fused, _| fused.is_whole())?
        {
            return Ok(edges.clone());
        }
        let known = crate::words::solvers::known(graph, indices, &ground);
        if known.is_some_and(|(known, cut)| match cut {
            Likeness::Same => known.fused.is_whole(),
            Likeness::Without(edge) => match known.cut.get() {
                Some((_, left)) if left == indices => true,
                _ => known.fused.is_whole() && !known.fused.is_bridge(edge),
            },
        }) {
            return Ok(edges.clone());
        }
        let all = graph.edges.ends();
        let Some(mut hangs) = hanging(graph, indices.all().map(|i| all[i as usize]), &ground) else {
            return Ok(Value::Set(Vec::new().into()));
        };
        let kept: Vec<u32> = indices.all().filter(|i| hangs(all[*i as usize])).collect();
        let kept = if kept.len() == indices.len() { items.clone() } else { Items::edges(graph, kept) };
        if let (Some((known, Likeness::Without(edge))), Some((_, left))) = (known, kept.as_edges()) {
            known.cut.get_or_init(|| (edge, left.clone()));
        }
        return Ok(Value::Set(kept));
    }
    let items = members(edges)?;
    let mut ends = Vec::with_capacity(items.len());
    for edge in items.iter() {
        let Value::Edge(inner) = edge else { return Err(wanted("an edge", edge)) };
        let (Some(u), Some(v)) = (graph.labels.number(&inner.u), graph.labels.number(&inner.v)) else {
            return Err(Fault::new(Code::R04, format!("{edge} is not an edge of the graph")));
        };
        ends.push((u, v));
    }
    let Some(mut hangs) = hanging(graph, ends.iter().copied(), &ground) else {
        return Ok(Value::Set(Vec::new().into()));
    };
    let kept = items.iter().zip(&ends).filter(|(_, ends)| hangs(**ends)).map(|(edge, _)| edge.clone()).collect();
    Ok(Value::set(kept))
}

/// Tells of each of these edges whether it hangs on the ground; nothing without a ground.
fn hanging<E: Iterator<Item = (u32, u32)>>(
    graph: &Graph,
    edges: E,
    ground: &[u32],
) -> Option<impl FnMut((u32, u32)) -> bool + use<E>> {
    let mut union = Union((0..u32::try_from(graph.labels.len()).unwrap_or(NONE)).collect());
    edges.for_each(|(u, v)| union.join(u, v));
    for pair in ground.windows(2) {
        union.join(pair[0], pair[1]);
    }
    let root = union.root(*ground.first()?);
    Some(move |(u, _)| union.root(u) == root)
}

/// Disjoint sets of numbers.
struct Union(Vec<u32>);

impl Union {
    fn root(&mut self, mut v: u32) -> u32 {
        while self.0[v as usize] != v {
            // Halving the way keeps it short for good.
            self.0[v as usize] = self.0[self.0[v as usize] as usize];
            v = self.0[v as usize];
        }
        v
    }

    fn join(&mut self, u: u32, v: u32) {
        let (u, v) = (self.root(u), self.root(v));
        self.0[u.max(v) as usize] = u.min(v);
    }
}

pub(super) fn is_connected(g: &Value) -> Result<Value, Fault> {
    Ok(Value::Bool(component_numbers(as_graph(g)?, |_| true).1 <= 1))
}

pub(super) fn is_tree(g: &Value) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let thin = graph.edges.len() + 1 == graph.vertices.len();
    Ok(Value::Bool(thin && component_numbers(graph, |_| true).1 == 1))
}

/// Two colours are enough; the direction of arcs does not count.
pub(super) fn is_bipartite(g: &Value) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let edges = graph.edges.ends();
    let coloured = colours(graph.labels.len(), edges.iter().copied(), graph.vertices.iter().copied());
    Ok(Value::Bool(coloured.is_some()))
}

/// No cycle: of a digraph, none along the arcs.
pub(super) fn is_acyclic(g: &Value) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    if graph.word != GraphWord::Digraph {
        let count = component_numbers(graph, |_| true).1;
        return Ok(Value::Bool(graph.edges.len() + count == graph.vertices.len()));
    }
    let mut left: Vec<usize> = (0..).take(graph.labels.len()).map(|v| graph.predecessors(v).len()).collect();
    let mut open: Vec<u32> = graph.vertices.iter().copied().filter(|v| left[*v as usize] == 0).collect();
    let mut done = 0;
    while let Some(v) = open.pop() {
        done += 1;
        for &w in graph.successors(v) {
            left[w as usize] -= 1;
            if left[w as usize] == 0 {
                open.push(w);
            }
        }
    }
    Ok(Value::Bool(done == graph.vertices.len()))
}
