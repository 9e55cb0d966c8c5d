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
            let missed = || vertex_set(graph, matching.missed.iter().filter(|v| graph.vertices.has(*v)));
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
