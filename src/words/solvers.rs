//! The solvers that a theorem may name: from values to plain graphs and heaps, and back.

use crate::model::Builtin;
use crate::source::Code;
use crate::value::graph::{Hackenbush, Likeness, Places};
use crate::value::{Fault, Graph, Items, List, Members, Text, Value, iterate, width};
use crate::words::graph::{as_graph, vertex_set};
use grundy_graphs::Ends;
use grundy_graphs::edge_geography::{self, Refusal};
use grundy_graphs::flip::Condensed;
use grundy_graphs::fusion::Fused;
use grundy_graphs::matching::{self, Matched, Matching};
use grundy_heap::code::Code as HeapCode;
use grundy_heap::game::{Game, MAX_AMOUNT};
use grundy_heap::sequence::Sequence;
use hashbrown::HashMap;
use num_bigint::{BigInt, Sign};
use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::{Arc, OnceLock};

/// The largest heap of `octal` and of `subtraction` while no period is proved.
const OCTAL_LIMIT: u64 = 50_000;
const SUBTRACTION_LIMIT: u64 = 10_000_000;
/// The longest range taken for a collection.
const RANGE_LIMIT: i64 = 10_000_000;
/// How many heap games are remembered before all are forgotten.
const GAMES_KEPT: usize = 64;

thread_local! {
    static HEAPS: RefCell<HashMap<Game, Sequence>> = RefCell::default();
}

/// The value of `flip_outcome` .. `subtraction` for these arguments.
///
/// Costs are those of the modules of [`grundy_graphs`]; values of heaps are remembered for each thread. Errors: R01 for
/// a wrong code, a wrong subtraction set or a negative heap, R04 for what is no vertex of the graph, R06 for a heap too
/// large; E03 for an argument of the wrong type and E05 for a wrong number of them or another word, which a checked
/// file does not have.
pub fn call(word: Builtin, args: &[Value]) -> Result<Value, Fault> {
    use Builtin as B;
    match (word, args) {
        (B::FlipOutcome | B::FlipWinning | B::FlipDrawing, [g, black]) => {
            let graph = as_graph(g)?;
            let position = Condensed::new(graph.out_rows(), graph.strong_components(), &coloured(graph, black)?);
            Ok(match word {
                B::FlipOutcome => text(position.outcome().word()),
                B::FlipWinning => vertex_set(graph, position.winning().into_iter()),
                _ => vertex_set(graph, position.drawing().into_iter()),
            })
        }
        (B::Fusion, [g, edges, ground]) => {
            let ground = self::ground(g, ground)?;
            // The position after a winning move that was asked for.
            if let (Value::Set(items), Value::Graph(graph)) = (edges, g)
                && let Some((_, indices)) = items.as_edges().filter(|(of, _)| Arc::ptr_eq(of, graph))
                && let Some((known, Likeness::Without(edge))) = known(graph, indices, &ground)
                && known.fused.is_known_to_win(edge)
            {
                return Ok(nat(0));
            }
            fused(g, edges, &ground, |fused, _| nat(fused.grundy()))
        }
        (B::FusionWinning, [g, edges, ground]) => {
            fused(g, edges, &self::ground(g, ground)?, |fused, values| edge_set(values, fused.winning()))
        }
        (B::Matching | B::SometimesUnmatched, [g]) => {
            let graph = as_graph(g)?;
            let matching = graph.derived.matched.get_or_init(|| match graph.edges.as_lattice() {
                Some(lattice) => matching::lattice::matching(lattice),
                None => Matched::from(&Matching::new(graph.labels.len(), graph.edges.ends())),
            });
            let size = || nat(width::count(matching.size)); // below ITEM_LIMIT
            // What has a label but is not there is never matched.
            let missed = || vertex_set(graph, matching.missed.iter().filter(|v| graph.present.has(*v)));
            Ok(if word == B::Matching { size() } else { missed() })
        }
        (B::EdgeGeographyWinning, [g, edges, at]) => edge_geography_winning(g, edges, at),
        (B::Octal, [Value::Text(code), n]) => octal(code, n),
        (B::Subtraction, [amounts, n]) => subtraction(amounts, n),
        (B::Octal, [_, _]) => Err(Fault::new(Code::E03, "the code of `octal` is a text, as in `octal(\"0.77\", n)`")),
        _ => Err(Fault::new(Code::E05, format!("{} arguments do not fit this word", args.len()))),
    }
}

/// Who is black.
fn coloured(graph: &Graph, black: &Value) -> Result<Vec<bool>, Fault> {
    let mut is_black = vec![false; graph.labels.len()];
    let mut paint = |label: &Value| -> Result<(), Fault> {
        is_black[graph.number(label).ok_or_else(absent)? as usize] = true;
        Ok(())
    };
    match black {
        Value::Set(items) if let Some(ints) = items.as_ints() => {
            ints.iter().try_for_each(|n| paint(&Value::Int(*n)))?;
        }
        _ => members(black)?.try_for_each(|label| paint(&label))?,
    }
    Ok(is_black)
}

/// The numbers of the vertices that are the ground.
fn ground(g: &Value, ground: &Value) -> Result<Vec<u32>, Fault> {
    let graph = as_graph(g)?;
    let number = |label: &Value| graph.number(label).ok_or_else(absent);
    match ground {
        Value::Set(_) | Value::Bag(_) | Value::List(_) | Value::Range(..) => {
            members(ground)?.map(|label| number(&label)).collect()
        }
        vertex => Ok(vec![number(vertex)?]),
    }
}

/// What is known of this ground and of these edges of a graph, or of edges with one more.
pub(super) fn known<'g>(graph: &'g Graph, edges: &Places, ground: &[u32]) -> Option<(&'g Hackenbush, Likeness)> {
    let mut all = graph.derived.hackenbush.iter().filter_map(OnceLock::get).filter(|known| known.ground == ground);
    all.find_map(|known| Some((known, known.compare(edges)?)))
}

/// Tells of the graph with these edges only, hanging on the ground, the vertices with these numbers; `tell` gets the edges as values
/// in the same order, too. Kept for the first packed sets of edges.
pub(super) fn fused<T>(
    g: &Value,
    edges: &Value,
    ground: &[u32],
    tell: impl FnOnce(&Fused, &Items) -> T,
) -> Result<T, Fault> {
    let (graph, values) = (as_graph(g)?, edges_of(edges)?);
    let n = graph.labels.len();
    let Some((_, indices)) = values.as_edges().filter(|(of, _)| Arc::ptr_eq(of, graph)) else {
        // A few edges, maybe of a large graph: only their vertices count.
        let ends = ends_of(graph, &values)?;
        let mut met: Vec<u32> = ends.iter().flat_map(|&(u, v)| [u, v]).chain(ground.iter().copied()).collect();
        met.sort_unstable();
        met.dedup();
        let index = |v: u32| met.binary_search(&v).ok().and_then(|at| u32::try_from(at).ok()).unwrap_or(0); // it is there
        let ground: Vec<u32> = ground.iter().map(|v| index(*v)).collect();
        let ends: Vec<Ends> = ends.into_iter().map(|(u, v)| (index(u), index(v))).collect();
        return Ok(tell(&Fused::new(met.len(), ends.into_iter(), &ground), &values));
    };
    let all = graph.edges.ends();
    let new = || Fused::new(n, indices.all().map(|i| all[i as usize]), ground);
    for slot in &graph.derived.hackenbush {
        let first =
            || Hackenbush { ground: ground.to_vec(), edges: indices.clone(), fused: new(), cut: OnceLock::new() };
        let known = slot.get_or_init(first);
        if known.ground == ground && known.edges == *indices {
            return Ok(tell(&known.fused, &values));
        }
    }
    Ok(tell(&new(), &values))
}

/// A collection of edges as items.
fn edges_of(edges: &Value) -> Result<Items, Fault> {
    Ok(match edges {
        Value::Set(items) | Value::Bag(items) | Value::List(List { items, .. }) => items.clone(),
        _ => iterate(edges)?.collect(),
    })
}

/// The ends of edges in a graph.
fn ends_of(graph: &Arc<Graph>, edges: &Items) -> Result<Vec<Ends>, Fault> {
    if let Some((_, indices)) = edges.as_edges().filter(|(of, _)| Arc::ptr_eq(of, graph)) {
        let all = graph.edges.ends();
        return Ok(indices.all().map(|i| all[i as usize]).collect());
    }
    let number = |label: &Value| graph.number(label).ok_or_else(absent);
    let ends = edges.iter().map(|value| match value {
        Value::Edge(edge) => Ok((number(&edge.u)?, number(&edge.v)?)),
        _ => Err(Fault::new(Code::E03, "expected a set of edges")),
    });
    ends.collect()
}

fn absent() -> Fault {
    Fault::new(Code::R04, "this is not a vertex of the graph")
}

/// Those of a set of edges that have these ascending indices.
fn edge_set(values: &Items, chosen: &[u32]) -> Value {
    // The members of a set are ascending, and so are the indices.
    Value::Set(match values.as_edges() {
        Some((graph, all)) => Items::edges(graph, chosen.iter().map(|e| all.at(*e)).collect()),
        None => chosen.iter().filter_map(|e| values.item(*e as usize)).collect(),
    })
}

/// The edges by which the token goes on from a vertex and wins.
fn edge_geography_winning(g: &Value, edges: &Value, at: &Value) -> Result<Value, Fault> {
    let graph = as_graph(g)?;
    let at = graph.number(at).ok_or_else(absent)?;
    let values = edges_of(edges)?;
    let ends = ends_of(graph, &values)?;
    let winning = edge_geography::winning(graph.labels.len(), &ends, at).map_err(|refusal| match refusal {
        Refusal::NotBipartite => Fault::new(Code::R01, "`edge_geography_winning` on a graph that is not bipartite"),
        Refusal::TooLarge => Fault::new(Code::R06, "this graph has too many cycles for `edge_geography_winning`"),
    })?;
    Ok(edge_set(&values, &winning))
}

fn members(value: &Value) -> Result<Members<'_>, Fault> {
    match value {
        Value::Range(from, to) if to.saturating_sub(*from) > RANGE_LIMIT => {
            Err(Fault::new(Code::R06, "this range is too long"))
        }
        Value::Set(_) | Value::Bag(_) | Value::List(_) | Value::Range(..) => iterate(value),
        _ => Err(Fault::new(Code::E03, "expected a collection")),
    }
}

fn text(word: &str) -> Value {
    Value::text(word)
}

fn nat(n: u64) -> Value {
    i64::try_from(n).map_or_else(|_| Value::Big(Arc::new(n.into())), Value::Int)
}

/// The size of a heap for `word`.
fn heap<'v>(word: &str, n: &'v Value) -> Result<Cow<'v, BigInt>, Fault> {
    match n {
        Value::Int(_) | Value::Big(_) => {
            let size = n.to_big()?;
            if size.sign() == Sign::Minus {
                return Err(Fault::new(Code::R01, format!("`{word}` of a heap of {size}: there is no such heap")));
            }
            Ok(size)
        }
        _ => Err(Fault::new(Code::E03, format!("`{word}` expects the size of a heap"))),
    }
}

fn octal(code: &Text, n: &Value) -> Result<Value, Fault> {
    let code: String = code.characters().collect();
    let n = heap("octal", n)?;
    let wrong =
        |bad: grundy_heap::game::Bad| Fault::new(Code::R01, format!("`{code}` is no octal code: {}", bad.message));
    value("octal", &Game::Code(HeapCode::parse(&code).map_err(wrong)?), &n, OCTAL_LIMIT)
}

fn subtraction(amounts: &Value, n: &Value) -> Result<Value, Fault> {
    let n = heap("subtraction", n)?;
    let mut taken = Vec::new();
    for amount in members(amounts)? {
        match amount {
            Value::Int(amount) if amount < 1 => {
                return Err(Fault::new(
                    Code::R01,
                    format!("the subtraction set contains {amount}: a move takes at least 1"),
                ));
            }
            Value::Int(_) | Value::Big(_) => {
                let amount = amount.to_big()?;
                match usize::try_from(&*amount).ok().filter(|amount| *amount <= MAX_AMOUNT) {
                    Some(amount) => taken.push(amount),
                    // It can never be taken from such a heap.
                    None if *amount > *n => {}
                    None => {
                        let message = format!("`subtraction` takes at most {MAX_AMOUNT}, not {amount}");
                        return Err(Fault::new(Code::R06, message));
                    }
                }
            }
            _ => return Err(Fault::new(Code::E03, "expected a set of numbers")),
        }
    }
    taken.sort_unstable();
    taken.dedup();
    value("subtraction", &Game::Subtraction(taken), &n, SUBTRACTION_LIMIT)
}

/// The value of a heap of a game, computed up to `limit` or found by a proved period.
fn value(word: &str, game: &Game, n: &BigInt, limit: u64) -> Result<Value, Fault> {
    HEAPS.with_borrow_mut(|games| {
        if games.len() >= GAMES_KEPT && !games.contains_key(game) {
            games.clear();
        }
        let sequence = games.entry(game.clone()).or_insert_with(|| Sequence::new(game.clone()));
        let small = u64::try_from(n).ok();
        let known = |sequence: &Sequence| match small {
            Some(n) => sequence.value(n).map(nat),
            None => sequence.beyond(n).map(Value::int),
        };
        if let Some(value) = known(sequence) {
            return Ok(value);
        }
        let len = width::index(small.unwrap_or(u64::MAX).min(limit) + 1);
        let halted = |_| Fault::new(Code::R06, format!("the values of `{game}` grow too large for `{word}`"));
        sequence.search(len, &mut |_| Ok(())).map_err(halted)?;
        let message = || format!("`{word}` goes up to heaps of {limit} as long as no period is proved");
        known(sequence).ok_or_else(|| Fault::new(Code::R06, message()))
    })
}

#[cfg(test)]
mod tests {
    use crate::model::kind::GraphWord;
    use crate::value::Edge;
    use crate::value::graph::Derived;
    use crate::value::graph::Present;
    use crate::value::graph::{GraphEdge, Labels};
    use crate::words::solvers::*;
    use grundy_graphs::rows::Rows;

    fn ints(members: &[i64]) -> Vec<Value> {
        members.iter().copied().map(Value::Int).collect()
    }

    fn set(members: &[i64]) -> Value {
        Value::Set(ints(members).into())
    }

    /// Labels 10, 11, ... of which some are there.
    fn graph(word: GraphWord, n: usize, vertices: &[u32], edges: &[Ends]) -> Value {
        let edges = (0..).zip(edges).map(|(id, &(u, v))| GraphEdge { id, u, v }).collect();
        let present = Present::Some((0..).take(n).map(|v| vertices.contains(&v)).collect());
        let labels = Arc::new(Labels::Ints { from: 10, n });
        let derived = Derived::default();
        Value::Graph(Arc::new(Graph { word, labels, vertices: vertices.to_vec().into(), present, edges, derived }))
    }

    fn edge_set(edges: &[(u32, i64, i64)]) -> Value {
        let edge =
            |&(id, u, v): &(u32, i64, i64)| Value::Edge(Arc::new(Edge { id, u: Value::Int(u), v: Value::Int(v) }));
        Value::Set(edges.iter().map(edge).collect())
    }

    /// What is looked up after a move in a large graph is what is worked out of the graph that is left.
    #[test]
    fn cuts_of_a_large_graph() {
        // Rings and stalks, and some vertices that do not hang on the ground.
        let (mut edges, mut seed): (Vec<Ends>, u64) = (Vec::new(), 5);
        let mut below = |bound: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u32::try_from(seed >> 33).unwrap() % bound
        };
        for loose in [false, true] {
            edges.clear();
            for v in 1..6000 {
                let near = v - 1 - below(3.min(v));
                edges.push((near, v));
                if v % 5 == 0 {
                    edges.push((v, v - below(v.min(40))));
                }
            }
            // An odd number of edges that hang has an odd value.
            if edges.len().is_multiple_of(2) {
                edges.push((0, 7));
            }
            if loose {
                edges.extend([(6000, 6001), (6001, 6000)]);
            }
            let labels = Arc::new(Labels::Ints { from: 0, n: 6002 });
            let g = Arc::new(Graph::of_numbers(GraphWord::Multigraph, labels, None, edges.clone()));
            let (graph, ground) = (Value::Graph(g.clone()), set(&[0]));
            let all = Items::edges(&g, (0..).take(edges.len()).collect());
            let word = |word, edges: &Items| {
                let args = [graph.clone(), Value::Set(edges.clone()), ground.clone()];
                if word == Builtin::Grounded { crate::words::call(word, &args) } else { call(word, &args) }
            };
            let Ok(Value::Set(hanging)) = word(Builtin::Grounded, &all) else { panic!() };
            assert_eq!(hanging.len(), edges.len() - if loose { 2 } else { 0 });
            assert_ne!(word(Builtin::Fusion, &hanging), Ok(Value::Int(0)));
            let Ok(Value::Set(winning)) = word(Builtin::FusionWinning, &hanging) else { panic!() };
            let wins: Vec<u32> = winning.iter().map(|e| if let Value::Edge(e) = e { e.id } else { panic!() }).collect();
            assert!(!wins.is_empty());
            for e in (0..u32::try_from(edges.len()).unwrap()).step_by(211).chain(wins.iter().copied().take(5)) {
                let rest: Vec<u32> = hanging.as_edges().unwrap().1.all().filter(|i| *i != e).collect();
                let plain: Vec<Ends> = rest.iter().map(|i| edges[*i as usize]).collect();
                let Ok(Value::Set(left)) = word(Builtin::Grounded, &Items::edges(&g, rest)) else { panic!() };
                let reached = Rows::both(6002, plain.iter().copied()).reach(0);
                assert_eq!(left.len(), plain.iter().filter(|(u, _)| reached[*u as usize]).count());
                let expected = grundy_graphs::fusion::fusion(6002, &plain, &[0]);
                assert_eq!(word(Builtin::Fusion, &left), Ok(nat(expected)));
                assert_eq!(expected == 0, wins.contains(&e));
                // Asked about again, the large graph is the last one.
                assert!(word(Builtin::FusionWinning, &hanging).is_ok());
            }
        }
    }

    #[test]
    fn flip_speaks_in_labels() {
        let g = graph(GraphWord::Digraph, 4, &[0, 1, 3], &[(0, 1), (1, 3)]);
        assert_eq!(call(Builtin::FlipOutcome, &[g.clone(), set(&[11, 13])]), Ok(text("first")));
        assert_eq!(call(Builtin::FlipWinning, &[g.clone(), set(&[11, 13])]), Ok(set(&[11])));
        assert_eq!(call(Builtin::FlipOutcome, &[g.clone(), set(&[10])]), Ok(text("draw")));
        assert_eq!(call(Builtin::FlipDrawing, &[g.clone(), set(&[10])]), Ok(set(&[13])));
        assert_eq!(call(Builtin::FlipOutcome, &[g, set(&[12])]).unwrap_err().code, "R04");
    }

    #[test]
    fn absent_vertices_are_not_matched() {
        let g = graph(GraphWord::Graph, 4, &[3, 1, 0], &[(0, 1), (1, 3)]);
        assert_eq!(call(Builtin::Matching, std::slice::from_ref(&g)), Ok(Value::Int(1)));
        assert_eq!(call(Builtin::SometimesUnmatched, &[g]), Ok(set(&[10, 13])));
    }

    #[test]
    fn fusion_keeps_the_edges_themselves() {
        let g = graph(GraphWord::Multigraph, 3, &[0, 1, 2], &[(0, 1), (1, 2), (2, 0), (0, 0)]);
        let triangle = edge_set(&[(0, 10, 11), (1, 11, 12), (2, 12, 10)]);
        assert_eq!(call(Builtin::Fusion, &[g.clone(), triangle.clone(), set(&[10])]), Ok(Value::Int(1)));
        let winning = call(Builtin::FusionWinning, &[g.clone(), triangle.clone(), Value::Int(10)]);
        assert_eq!(winning, Ok(edge_set(&[(1, 11, 12)])));
        assert_eq!(call(Builtin::Fusion, &[g, triangle, set(&[9])]).unwrap_err().code, "R04");
    }

    #[test]
    fn heaps_are_remembered_and_bounded() {
        assert_eq!(call(Builtin::Octal, &[text("0.77"), Value::Int(9)]), Ok(Value::Int(4)));
        assert_eq!(call(Builtin::Octal, &[text("1.7"), Value::Int(9)]).unwrap_err().code, "R01");
        assert_eq!(call(Builtin::Octal, &[text("0.77"), Value::Int(i64::MAX)]), Ok(Value::Int(2)));
        assert_eq!(call(Builtin::Octal, &[text("0.6"), Value::Int(i64::MAX)]).unwrap_err().code, "R06");
        let list = Value::List(List { base: 0, items: ints(&[1, 2, 3]).into() });
        assert_eq!(call(Builtin::Subtraction, &[list, Value::Int(7)]), Ok(Value::Int(3)));
        assert_eq!(call(Builtin::Subtraction, &[Value::Range(1, 3), Value::Int(8)]), Ok(Value::Int(0)));
        assert_eq!(call(Builtin::Subtraction, &[set(&[0, 1]), Value::Int(7)]).unwrap_err().code, "R01");
    }
}
