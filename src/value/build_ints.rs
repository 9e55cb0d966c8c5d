//! Making graphs whose labels are ints, from packed pairs.

use crate::model::kind::GraphWord;
use crate::value::Pairs;
use crate::value::edges::Edges;
use crate::value::graph::{Graph, Labels};
use std::sync::Arc;

impl Graph {
    /// [`Graph::labelled`] of ints; `None` where there are none. Linear, but for sorting where they lie far apart.
    #[must_use]
    pub fn of_ints(word: GraphWord, vertices: &[i64], pairs: &Pairs<'_>) -> Option<Graph> {
        Graph::of_consecutive(word, vertices, pairs).or_else(|| Graph::of_far(word, vertices, pairs))
    }

    /// The same where they may be anything.
    fn of_far(word: GraphWord, vertices: &[i64], pairs: &Pairs<'_>) -> Option<Graph> {
        /// Numbers are looked up in a table of at most so many times the ints.
        const WIDE: usize = 4;
        let ends = || pairs.iter().flat_map(|(u, v)| [u, v]);
        let all = || vertices.iter().copied().chain(ends());
        let (from, to) = (all().min()?, all().max()?);
        let most = vertices.len() + 2 * pairs.len();
        let span = usize::try_from(to.abs_diff(from)).ok().and_then(|span| span.checked_add(1));
        let place = |label: i64| usize::try_from(label.abs_diff(from)).unwrap_or(usize::MAX); // below the span
        let mut ranks: Vec<u32> = Vec::new();
        let mut labels: Vec<i64> = Vec::new();
        if let Some(span) = span.filter(|span| *span <= most.saturating_mul(WIDE)) {
            ranks = vec![0; span];
            all().for_each(|label| ranks[place(label)] = 1);
            for (place, rank) in ranks.iter_mut().enumerate().filter(|(_, rank)| **rank == 1) {
                *rank = u32::try_from(labels.len()).ok()?;
                labels.push(from + i64::try_from(place).ok()?);
            }
        } else {
            labels.extend(all());
            labels.sort_unstable();
            labels.dedup();
            u32::try_from(labels.len()).ok()?;
        }
        let number = |label: i64| match ranks[..] {
            [] => labels.binary_search(&label).ok().and_then(|v| u32::try_from(v).ok()).unwrap_or(u32::MAX), // it is one
            _ => ranks[place(label)],
        };
        let first: Vec<u32> = vertices.iter().map(|v| number(*v)).collect();
        let mut given = vec![false; labels.len()];
        for v in &first {
            given[*v as usize] = true;
        }
        let rest = (0..).zip(&given).filter(|(_, given)| !**given).map(|(v, _)| v);
        let order: Vec<u32> = first.into_iter().chain(rest).collect();
        let order = if order.is_sorted_by(|a, b| a < b) { None } else { Some(order) };
        let edges: Vec<(u32, u32)> = pairs.iter().map(|(u, v)| (number(u), number(v))).collect();
        Some(Graph::of_numbers(word, Arc::new(Labels::Numbers(labels)), order, edges))
    }

    /// [`Graph::labelled`] of ints. `None`: the labels leave gaps. Linear.
    fn of_consecutive(word: GraphWord, vertices: &[i64], pairs: &Pairs<'_>) -> Option<Graph> {
        let (mut from, mut to) = (*vertices.iter().min()?, *vertices.iter().max()?);
        for (u, v) in pairs.iter() {
            (from, to) = (from.min(u).min(v), to.max(u).max(v));
        }
        let most = vertices.len() + 2 * pairs.len();
        let n = usize::try_from(to.abs_diff(from)).ok()?.checked_add(1).filter(|&n| n <= most)?;
        u32::try_from(n).ok()?;
        let number = |label: i64| u32::try_from(label.abs_diff(from)).unwrap_or(u32::MAX); // below n
        let mut met = vec![false; n];
        let mut order: Vec<u32> = vertices.iter().map(|&v| number(v)).collect();
        for &v in &order {
            met[v as usize] = true;
        }
        let given = met.clone();
        let edges = match pairs {
            Pairs::Short(short) if from == 0 => {
                for &(u, v) in &***short {
                    met[u as usize] = true;
                    met[v as usize] = true;
                }
                Edges::from(Arc::clone(short))
            }
            _ => {
                let mut edges = Vec::with_capacity(pairs.len());
                for (u, v) in pairs.iter() {
                    let (u, v) = (number(u), number(v));
                    met[u as usize] = true;
                    met[v as usize] = true;
                    edges.push((u, v));
                }
                edges.into()
            }
        };
        if !met.into_iter().all(|met| met) {
            return None;
        }
        // The first ones in their order, often none but those in front.
        let first = order.len();
        let order = if order.iter().enumerate().all(|(i, v)| *v as usize == i) {
            None
        } else {
            order.reserve_exact(n.saturating_sub(first));
            order.extend((0..).zip(given).filter(|(_, given)| !given).map(|(v, _)| v));
            Some(order)
        };
        Some(Graph::of_numbers(word, Arc::new(Labels::Ints { from, n }), order, edges))
    }
}

#[cfg(test)]
mod tests {
    use crate::value::Value;
    use crate::value::build_ints::{Graph, GraphWord, Pairs};

    /// Vertices in the order given, then the other ends, ascending.
    fn expected(vertices: &[i64], pairs: &[(i64, i64)]) -> Vec<i64> {
        let mut all: Vec<i64> = Vec::new();
        let mut rest: Vec<i64> = pairs.iter().flat_map(|(u, v)| [*u, *v]).collect();
        rest.sort_unstable();
        for &v in vertices.iter().chain(&rest) {
            if !all.contains(&v) {
                all.push(v);
            }
        }
        all
    }

    #[test]
    fn graphs_of_ints_are_those_of_values() {
        let mut state = 7_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) % below
        };
        for round in 0..600_usize {
            let (from, step) = [(0, 1), (-5, 2), (i64::MAX - 200, 1), (i64::MIN, 1_i64 << 57), (3, 40)][round % 5];
            let mut label = || from + step * i64::try_from(random(12)).unwrap();
            let vertices: Vec<i64> = (0..round % 7).map(|_| label()).collect();
            let pairs: Vec<(i64, i64)> = (0..round % 11).map(|_| (label(), label())).collect();
            let Some(graph) = Graph::of_ints(GraphWord::Multigraph, &vertices, &Pairs::Plain(&pairs)) else {
                assert!(vertices.is_empty() && pairs.is_empty());
                continue;
            };
            let labels: Vec<i64> = expected(&vertices, &pairs);
            assert!(graph.vertices.iter().map(|v| graph.label(*v)).eq(labels.iter().map(|n| Value::Int(*n))));
            let edges = graph.edges.iter().map(|e| (graph.label(e.u), graph.label(e.v)));
            assert!(edges.eq(pairs.iter().map(|(u, v)| (Value::Int(*u), Value::Int(*v)))));
            assert!(
                labels.iter().all(|n| graph.number(&Value::Int(*n)).map(|v| graph.label(v)) == Some(Value::Int(*n)))
            );
            assert!((0..40).all(|n| labels.contains(&n) == graph.number(&Value::Int(n)).is_some()));
            let values: Vec<Value> = vertices.iter().map(|n| Value::Int(*n)).collect();
            let ends: Vec<(Value, Value)> = pairs.iter().map(|(u, v)| (Value::Int(*u), Value::Int(*v))).collect();
            let other = Graph::labelled(GraphWord::Multigraph, &values, ends.iter().map(|(u, v)| (u, v)));
            assert!(graph.compare(&other).is_eq() && other.compare(&graph).is_eq());
        }
    }
}
