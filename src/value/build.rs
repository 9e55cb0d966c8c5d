//! Making graphs: from labels, numbers, or packed pairs of ints.

use crate::model::GraphWord;
use crate::source::Code;
use crate::value::graph::{Derived, Edges, Vertices, out_rows};
use crate::value::{Edge, Fault, Graph, GraphEdge, Labels, Value, in_items, wanted, width};
use grundy_graphs::Ends;
use grundy_graphs::rows::Rows;
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

impl Labels {
    /// The table of these labels, and for each of them its number. Repeated labels have one number.
    pub fn of(labels: &[Value]) -> (Labels, Vec<u32>) {
        if let Some(short) = Labels::consecutive(labels) {
            return short;
        }
        let mut order: Vec<u32> = (0..width::short(labels.len())).collect();
        order.sort_by(|&i, &j| labels[i as usize].cmp(&labels[j as usize]));
        let mut numbers = vec![0; labels.len()];
        let mut table: Vec<Value> = Vec::with_capacity(labels.len());
        for i in order {
            let label = &labels[i as usize];
            if table.last() != Some(label) {
                table.push(label.clone());
            }
            numbers[i as usize] = width::short(table.len() - 1);
        }
        (Labels::of_ascending(table), numbers)
    }

    /// The same when all are ints and, in some order, consecutive: no sorting.
    fn consecutive(labels: &[Value]) -> Option<(Labels, Vec<u32>)> {
        let int = |label: &Value| match label {
            Value::Int(n) => Some(*n),
            _ => None,
        };
        let ints: Vec<i64> = labels.iter().map(int).collect::<Option<_>>()?;
        let (from, to) = (*ints.iter().min()?, *ints.iter().max()?);
        let n = usize::try_from(to.abs_diff(from)).ok()?.checked_add(1).filter(|&n| n <= ints.len())?;
        let mut met = vec![false; n];
        let mut numbers = Vec::with_capacity(ints.len());
        for int in ints {
            let number = int.abs_diff(from);
            met[usize::try_from(number).ok()?] = true;
            numbers.push(u32::try_from(number).ok()?);
        }
        met.into_iter().all(|met| met).then_some((Labels::Ints { from, n }, numbers))
    }

    /// The table of ascending labels, in its short form when they are consecutive ints, or other ints.
    pub(crate) fn of_ascending(table: Vec<Value>) -> Labels {
        if let (Some(Value::Int(first)), Some(Value::Int(last))) = (table.first(), table.last())
            && usize::try_from(last.abs_diff(*first)).is_ok_and(|span| span == table.len() - 1)
        {
            return Labels::Ints { from: *first, n: table.len() };
        }
        let int = |label: &Value| if let Value::Int(n) = label { Some(*n) } else { None };
        table.iter().map(int).collect::<Option<Vec<i64>>>().map_or(Labels::Other(table), Labels::Numbers)
    }
}

impl Graph {
    /// A graph of vertices `from, from + 1, ..., from + n - 1`. Errors: R04 when an edge has an end that is not among
    /// them, R06 when there are too many.
    pub fn numbered<'a>(
        word: GraphWord,
        from: i64,
        n: usize,
        edges: impl IntoIterator<Item = (&'a Value, &'a Value)>,
    ) -> Result<Graph, Fault> {
        in_items(&[n], "a graph of so many vertices")?;
        let labels = Labels::Ints { from, n };
        let edges = numbered_edges(&labels, edges)?;
        Ok(Graph::of_numbers(word, Arc::new(labels), None, edges))
    }

    /// [`Graph::numbered`] from 0 of edges between ints, none of which is made a value. Linear. Errors: as
    /// [`Graph::numbered`].
    pub(crate) fn of_pairs(word: GraphWord, n: usize, pairs: &[(i32, i32)]) -> Result<Graph, Fault> {
        in_items(&[n], "a graph of so many vertices")?;
        let is_vertex = |&label: &i32| usize::try_from(label).is_ok_and(|v| v < n);
        if let Some(label) = pairs.iter().flat_map(|&(u, v)| [u, v]).find(|label| !is_vertex(label)) {
            return Err(no_vertex(&Value::Int(label.into())));
        }
        let edges: Vec<Ends> = pairs.iter().map(|&(u, v)| (u.cast_unsigned(), v.cast_unsigned())).collect();
        Ok(Graph::of_numbers(word, Arc::new(Labels::Ints { from: 0, n }), None, edges))
    }

    /// A graph of these vertices, each once, and behind them, ascending, the ends of edges that are not among them.
    pub fn labelled<'a>(
        word: GraphWord,
        vertices: &[Value],
        edges: impl Iterator<Item = (&'a Value, &'a Value)> + Clone,
    ) -> Graph {
        let mut all = vertices.to_vec();
        let given: HashSet<&Value> = vertices.iter().collect();
        let mut more: Vec<Value> =
            edges.clone().flat_map(|(u, v)| [u, v]).filter(|label| !given.contains(label)).cloned().collect();
        more.sort_unstable();
        more.dedup();
        all.append(&mut more);
        let (labels, order) = Labels::of(&all);
        let edges = numbered_edges(&labels, edges).unwrap_or_default(); // all ends are in the table
        Graph::of_numbers(word, Arc::new(labels), Some(order), edges)
    }

    /// A graph from vertex numbers: all of the table in the order given (ascending without one; repeated numbers count
    /// once). Of equal edges `graph` and `digraph` keep the first. Linear.
    pub fn of_numbers(word: GraphWord, labels: Arc<Labels>, order: Option<Vec<u32>>, edges: impl Into<Edges>) -> Graph {
        let mut edges = edges.into();
        let n = labels.len();
        let vertices = order.map_or_else(|| Vertices::all(n), |order| Vertices::new(n, order));
        let derived = Derived::default();
        // Ascending edges, as words and grids make them, need no table.
        if word != GraphWord::Multigraph && edges.as_lattice().is_none() && !ascend(word, &edges) {
            let rows = out_rows(word, labels.len(), &edges);
            let mut distinct = edges.len();
            if word == GraphWord::Graph {
                distinct += edges.ends().iter().filter(|(u, v)| u != v).count();
            }
            if rows.to.len() < distinct {
                edges = first_of_equals(word, &rows, &edges);
            }
            let _ = derived.out.set(Arc::new(rows)); // nobody else has set it
        }
        Graph { word, labels, vertices, edges, derived }
    }

    /// The same vertices and some of the edges, which keep their identity. The label table is shared.
    pub(crate) fn with_edges(&self, edges: Edges) -> Graph {
        Graph {
            word: self.word,
            labels: Arc::clone(&self.labels),
            vertices: self.vertices.clone(),
            edges,
            derived: Derived::default(),
        }
    }

    /// Without the vertices of which `drop` says so, and their edges. The label table is shared.
    pub fn without(&self, drop: impl Fn(u32) -> bool) -> Graph {
        let left = self.vertices.iter().copied().filter(|&v| !drop(v));
        let vertices = Vertices::new(self.labels.len(), left.collect());
        let inside = |e: &GraphEdge| vertices.has(e.u) && vertices.has(e.v);
        let edges = self.edges.iter().filter(inside).collect();
        Graph { word: self.word, labels: Arc::clone(&self.labels), vertices, edges, derived: Derived::default() }
    }

    /// As another kind: arcs both ways in a digraph, one of equal edges in a graph; renumbered. The labels are shared.
    pub(crate) fn as_word(&self, word: GraphWord) -> Graph {
        let both = word == GraphWord::Digraph && self.word != GraphWord::Digraph;
        let mut edges = Vec::with_capacity(self.edges.len() * (1 + usize::from(both)));
        for &(u, v) in self.edges.ends() {
            edges.push((u, v));
            if both {
                edges.push((v, u));
            }
        }
        Graph::of_numbers(word, Arc::clone(&self.labels), Some(self.vertices.to_vec()), edges)
    }

    /// A graph as a multigraph: its edges keep their identity.
    pub(crate) fn as_multigraph(&self) -> Graph {
        let mut graph = self.with_edges(self.edges.clone());
        graph.word = GraphWord::Multigraph;
        graph
    }

    pub(crate) fn edge_value(&self, edge: &GraphEdge) -> Value {
        Value::Edge(Arc::new(Edge { id: edge.id, u: self.label(edge.u), v: self.label(edge.v) }))
    }

    /// The index of an edge in `edges`, when it is there. Logarithmic.
    pub(crate) fn edge_index(&self, edge: &Edge) -> Option<usize> {
        let index = self.edges.index(edge.id)?;
        let here = self.edges.get(index)?;
        let same = |v: u32, label: &Value| self.labels.number(label) == Some(v);
        (same(here.u, &edge.u) && same(here.v, &edge.v)).then_some(index)
    }

    /// The number of a vertex that must be there. Error: R04.
    pub fn vertex(&self, label: &Value) -> Result<u32, Fault> {
        self.number(label).ok_or_else(|| no_vertex(label))
    }

    /// [`Graph::labelled`] of ints; `None` where there are none. Linear, but for sorting where they lie far apart.
    pub fn of_ints(word: GraphWord, vertices: &[i64], pairs: &[(i32, i32)]) -> Option<Graph> {
        /// Numbers are looked up in a table of at most so many times the ints.
        const WIDE: usize = 4;
        let all = || vertices.iter().copied().chain(pairs.iter().flat_map(|&(u, v)| [u, v].map(i64::from)));
        let (from, to) = (all().min()?, all().max()?);
        let most = vertices.len() + 2 * pairs.len();
        let span = usize::try_from(to.abs_diff(from)).ok().and_then(|span| span.checked_add(1));
        let span = span.filter(|span| *span <= most.saturating_mul(WIDE));
        let place = |label: i64| width::index(label.abs_diff(from)); // below the span
        let mut labels: Vec<i64> = Vec::new();
        let mut ranks: Vec<u32> = Vec::new();
        if let Some(span) = span {
            let mut met = vec![false; span];
            all().for_each(|label| met[place(label)] = true);
            let gaps = met.iter().any(|met| !met);
            for (label, met) in (from..=to).zip(met).filter(|_| gaps) {
                ranks.push(u32::try_from(labels.len()).ok()?);
                labels.extend(met.then_some(label));
            }
        } else {
            labels.extend(all());
            labels.sort_unstable();
            labels.dedup();
        }
        let table = if labels.is_empty() { Labels::Ints { from, n: span? } } else { Labels::Numbers(labels) };
        let n = u32::try_from(table.len()).ok()?;
        let number = |label: i64| match &table {
            Labels::Ints { .. } => u32::try_from(label.abs_diff(from)).ok(),
            _ if span.is_some() => Some(ranks[place(label)]),
            _ => table.number(&Value::Int(label)),
        };
        let first: Vec<u32> = vertices.iter().map(|v| number(*v)).collect::<Option<_>>()?;
        let mut given = vec![false; n as usize];
        for v in &first {
            given[*v as usize] = true;
        }
        let order: Vec<u32> = first.into_iter().chain((0..n).filter(|v| !given[*v as usize])).collect();
        let order = if order.is_sorted_by(|a, b| a < b) { None } else { Some(order) };
        let edges: Vec<Ends> =
            pairs.iter().map(|&(u, v)| Some((number(u.into())?, number(v.into())?))).collect::<Option<_>>()?;
        Some(Graph::of_numbers(word, Arc::new(table), order, edges))
    }
}

pub(crate) fn no_vertex(label: &Value) -> Fault {
    Fault::new(Code::R04, format!("{} is not a vertex of the graph", crate::value::excerpt(label)))
}

/// Whether each edge is greater than the one before, so that none are equal.
fn ascend(word: GraphWord, edges: &Edges) -> bool {
    let mut last = None;
    edges.ends().iter().all(|ends| {
        let edge = Some(key(word, *ends));
        std::mem::replace(&mut last, edge) < edge
    })
}

/// What equal edges have in common.
fn key(word: GraphWord, (u, v): (u32, u32)) -> (u32, u32) {
    if word == GraphWord::Graph && v < u { (v, u) } else { (u, v) }
}

/// Keeps the first of equal edges, which only vertices with fewer neighbours than ends of edges have.
fn first_of_equals(word: GraphWord, rows: &Rows, edges: &Edges) -> Edges {
    let n = rows.start.len() - 1;
    let mut ends = vec![0_u32; n];
    for &(u, v) in edges.ends() {
        ends[u as usize] += 1;
        if word == GraphWord::Graph && v != u {
            ends[v as usize] += 1;
        }
    }
    let repeats = |u: u32| ends[u as usize] > width::short(rows.ends(u).len());
    let those = edges.ends().iter().zip(0..).map(|(ends, at)| (key(word, *ends), at));
    let mut suspects: Vec<(Ends, u32)> = those.filter(|((u, _), _)| repeats(*u)).collect();
    suspects.sort_unstable();
    let mut drop: Vec<u32> = suspects.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1).collect();
    drop.sort_unstable();
    edges.without(&drop)
}

fn numbered_edges<'a>(
    labels: &Labels,
    edges: impl IntoIterator<Item = (&'a Value, &'a Value)>,
) -> Result<Vec<(u32, u32)>, Fault> {
    let number = |label: &Value| labels.number(label).ok_or_else(|| no_vertex(label));
    match labels {
        Labels::Ints { .. } | Labels::Cells { .. } | Labels::Numbers(_) => {
            edges.into_iter().map(|(u, v)| Ok((number(u)?, number(v)?))).collect()
        }
        Labels::Other(table) => {
            // Hashing beats searching in a long table of texts.
            let numbers: HashMap<&Value, u32> = table.iter().zip(0..).collect();
            let number = |label: &Value| numbers.get(label).copied().ok_or_else(|| no_vertex(label));
            edges.into_iter().map(|(u, v)| Ok((number(u)?, number(v)?))).collect()
        }
    }
}

/// The two ends of an edge or of a pair. Error: E03 for anything else.
pub(crate) fn ends(edge: &Value) -> Result<(&Value, &Value), Fault> {
    match edge {
        Value::Edge(edge) => Ok((&edge.u, &edge.v)),
        Value::Tuple(parts) => match &**parts {
            [u, v] => Ok((u, v)),
            _ => Err(wanted("an edge", edge)),
        },
        Value::List(list) => match &*list.items {
            [u, v] => Ok((u, v)),
            _ => Err(wanted("an edge", edge)),
        },
        _ => Err(wanted("an edge", edge)),
    }
}

/// Puts numbers below `2^31` in ascending order; whether all differ.
///
/// Rows of up to 24 by counting, for each number, how many are less: a fixed number of steps that processors do several of
/// at a time, where the branches of other ways are half of them guessed wrong.
pub fn sort(row: &mut [u32]) -> bool {
    let ascends = |row: &[u32]| row.is_sorted_by(|a, b| a < b);
    if ascends(row) {
        return true;
    }
    if let [a, b] = row {
        std::mem::swap(a, b);
        return a != b;
    }
    let sorted = match row.len() {
        0..=4 => place::<4>(row),
        5..=8 => place::<8>(row),
        9..=16 => place::<16>(row),
        17..=24 => place::<24>(row),
        _ => false,
    };
    if sorted {
        return true;
    }
    row.sort_unstable();
    ascends(row)
}

/// Puts up to `N` numbers in ascending order if all differ; `false` and nothing done if not.
#[inline]
fn place<const N: usize>(row: &mut [u32]) -> bool {
    let mut all = [i32::MAX; N];
    for (to, &number) in all.iter_mut().zip(row.iter()) {
        *to = number.cast_signed();
    }
    let mut less = [0i32; N];
    for &this in &all[..row.len()] {
        for (less, &other) in less.iter_mut().zip(&all) {
            *less += i32::from(this < other);
        }
    }
    let places = &less[..row.len()];
    // 0, 1, 2, ... in some order when all differ, and less in sum when not.
    let sum: usize = places.iter().map(|less| usize::try_from(*less).unwrap_or(0)).sum();
    let distinct = sum == row.len() * (row.len() - 1) / 2;
    if distinct {
        for (&less, &number) in places.iter().zip(&all) {
            row[usize::try_from(less).unwrap_or(0)] = number.cast_unsigned();
        }
    }
    distinct
}
