//! Games of one instance whose plays may come back, worked out on a graph of states that native code finds: of a whole
//! box where most of it is wanted, else of the states that are reached.

use crate::answer::Outcome;
use crate::engines::query_history;
use crate::engines::sample::{Sample, fields, groups, sample};
use crate::graph_search::box_graph::{BoxGraph, leading_to};
use crate::graph_search::layers;
use crate::graph_search::reach::StateGraph;
use crate::graph_search::reverse_graph::{Backward, End, Graph, NoGraph};
use crate::graph_search::solved::{LOSS, Solved, Values, WIN};
use crate::graph_search::space::NOTHING;
use crate::graph_search::stages;
use crate::graph_search::stages::Known;
use crate::source::diagnostic::Code;
use crate::tables::Grid;
use crate::tuning::{BOX_SMALL, BOX_SPARSE, BOX_TRIES};
use crate::value::fault::{Halt, Run};
use crate::vm::context::Context;
use crate::vm::run::{Options, Way};

/// Makes sure that a component's graph is solved, if it can be; `misere`: who cannot move wins.
pub(super) fn decide(ctx: &mut Context, id: u32, misere: bool) -> Run<bool> {
    if node(ctx, id, misere).is_some() {
        return Ok(true);
    }
    let instance = ctx.store.instance_of[id as usize] as usize;
    if ctx.session.options.plain || ctx.memo.untabled.contains_key(&instance) {
        return Ok(false);
    }
    match graph(ctx, id, instance)? {
        Ok(graph) => {
            let cells = match &graph {
                Graph::Reached(graph) => layers::outcomes(&ctx.session.limits, graph, misere)?,
                Graph::Boxed(graph) => layers::outcomes(&ctx.session.limits, graph, misere)?,
            };
            let solved = Solved { graph, cells, values: None, leads: None };
            ctx.memo.solved.insert((instance, misere), solved);
            Ok(true)
        }
        Err(Some(why)) => {
            ctx.memo.untabled.insert(instance, why);
            Ok(false)
        }
        Err(None) => Ok(false),
    }
}

/// The graph that a component needs; or why there is none, `None` when the search is short.
fn graph(ctx: &mut Context, id: u32, instance: usize) -> Run<Result<Graph, Option<NoGraph>>> {
    let refuse = |why| Ok(Err(Some(why)));
    let natural = match fields(ctx, instance) {
        Ok(natural) => natural,
        Err(why) => return refuse(NoGraph::Rules(why)),
    };
    let part = match sample(ctx, id, instance)? {
        Sample::Unfit(why) => return refuse(NoGraph::Rules(why)),
        Sample::Part(part) if part.whole && !query_history::goes_on(ctx, id) => {
            query_history::opened(ctx, id, part.closed);
            return Ok(Err(None));
        }
        Sample::Part(part) => part,
    };
    let limits = ctx.field_limits(instance);
    let mut most = part.most.clone();
    if part.whole {
        // One graph for all that were asked about.
        query_history::widen(ctx, id, &mut most);
    }
    let mut sizes: Vec<u64> = most.iter().map(|&m| m.unsigned_abs().saturating_add(1)).collect();
    for (size, limit) in sizes.iter_mut().zip(&limits) {
        *size = limit.unwrap_or(*size);
    }
    for _ in 0..BOX_TRIES {
        let mut made = boxed(ctx, instance, &sizes, &natural, &part.start)?;
        if let Err(NoGraph::Unlike | NoGraph::Memory(_)) = made {
            made = reached(ctx, instance, &sizes, &natural, &part.start)?;
        }
        match made {
            Ok(graph) => return Ok(Ok(graph)),
            Err(NoGraph::Outside) => {
                let mut grown = false;
                for (size, _) in sizes.iter_mut().zip(&limits).filter(|(_, limit)| limit.is_none()) {
                    *size = size.saturating_mul(2);
                    grown = true;
                }
                if !grown {
                    break;
                }
            }
            Err(why) => return refuse(why),
        }
    }
    // A field grows too far, or the rules fault at some position.
    refuse(NoGraph::Outside)
}

type Made = Run<Result<Graph, NoGraph>>;

/// The graph of all states of the box; `Unlike` where that of the reached states is better.
fn boxed(ctx: &mut Context, instance: usize, sizes: &[u64], natural: &[bool], start: &[i64]) -> Made {
    if !ctx.session.options.boxed {
        return Ok(Err(NoGraph::Unlike));
    }
    let joined = ctx.joined_fields(instance);
    let (mut order, bits): (Vec<usize>, Vec<usize>) = (0..sizes.len()).partition(|&field| !joined[field]);
    order.extend(bits);
    let Some(grid) = Grid::new(sizes, natural, &order, &vec![false; sizes.len()]) else {
        return Ok(Err(NoGraph::Unlike));
    };
    let Some(rank) = grid.rank(start) else { return Ok(Err(NoGraph::Outside)) };
    let few = usize::try_from(grid.volume / BOX_SPARSE).unwrap_or(usize::MAX);
    if grid.volume > BOX_SMALL && StateGraph::reaches_at_most(ctx, instance, &grid, rank, few)? {
        return Ok(Err(NoGraph::Unlike));
    }
    Ok(match BoxGraph::new(ctx, instance, &grid, &joined)? {
        Ok(graph) if graph.node(start).is_none() => Err(NoGraph::Outside),
        made => made.map(Graph::Boxed),
    })
}

/// The graph of the states that can be reached.
fn reached(ctx: &mut Context, instance: usize, sizes: &[u64], natural: &[bool], start: &[i64]) -> Made {
    let order: Vec<usize> = (0..sizes.len()).collect();
    let mut sizes = sizes.to_vec();
    let groups = groups(ctx, instance, &mut sizes);
    let Some(grid) = Grid::new(&sizes, natural, &order, &vec![false; sizes.len()]) else {
        return Ok(Err(NoGraph::Unlike));
    };
    let grid = grid.with_groups(&groups);
    let Some(rank) = grid.rank(start) else { return Ok(Err(NoGraph::Outside)) };
    Ok(StateGraph::new(ctx, instance, &grid, rank)?.map(Graph::Reached))
}

fn node(ctx: &Context, id: u32, misere: bool) -> Option<(&Solved, usize)> {
    let instance = ctx.store.instance_of[id as usize] as usize;
    let solved = ctx.memo.solved.get(&(instance, misere))?;
    Some((solved, solved.graph.node(&ctx.state_words(id)?)?))
}

/// An error of a search that went position by position; where it met a limit only for want of the memory of a graph of states,
/// it tells what that would take.
pub(super) fn explained(ctx: &Context, ids: &[u32], halt: Halt) -> Halt {
    let wanted = ids.iter().filter(|&&id| id != NOTHING).filter_map(|&id| {
        let instance = *ctx.store.instance_of.get(id as usize)? as usize;
        match ctx.memo.untabled.get(&instance) {
            Some(NoGraph::Memory(bytes)) => Some(*bytes),
            _ => None,
        }
    });
    match (halt, wanted.max()) {
        (Halt::Fault(mut fault), Some(bytes)) if matches!(fault.code, Code::L01 | Code::L02) => {
            let mib = bytes.div_ceil(1 << 20);
            let message = &fault.message;
            fault.message = format!("{message}; a graph of states in native code would take {mib} MiB besides");
            Halt::Fault(fault)
        }
        (halt, _) => halt,
    }
}

/// The outcome of a component of a solved graph, with the remoteness when someone wins.
pub(super) fn outcome(ctx: &Context, id: u32, misere: bool) -> Option<(Outcome, Option<u32>)> {
    let (solved, node) = node(ctx, id, misere)?;
    let (mark, far) = solved.cells.get(node);
    Some(match mark {
        WIN => (Outcome::First, Some(far)),
        LOSS => (Outcome::Second, Some(far)),
        _ => (Outcome::Draw, None),
    })
}

/// How many positions a component's solved graph has.
pub(super) fn positions(ctx: &Context, id: u32, misere: bool) -> u64 {
    node(ctx, id, misere).map_or(0, |(solved, _)| solved.graph.positions())
}

/// What a play from a component of a solved graph can come to that forbids Grundy values.
pub(super) fn ends(ctx: &mut Context, id: u32) -> Run<Option<crate::graph_search::space::Met>> {
    let Some((solved, at)) = node(ctx, id, false) else { return Ok(None) };
    if solved.graph.ends().is_empty() && !solved.graph.again() {
        return Ok(Some(crate::graph_search::space::Met::default()));
    }
    if solved.leads.is_none() {
        let leads = match &solved.graph {
            Graph::Reached(graph) => leads(ctx, graph)?,
            Graph::Boxed(graph) => leads(ctx, graph)?,
        };
        let instance = ctx.store.instance_of[id as usize] as usize;
        if let Some(solved) = ctx.memo.solved.get_mut(&(instance, false)) {
            solved.leads = Some(leads);
        }
    }
    let Some(Solved { leads: Some(leads), .. }) = node(ctx, id, false).map(|(solved, _)| solved) else {
        return Ok(None);
    };
    let [stop, ending, again] = [0, 1, 2].map(|i| leads[i].get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1));
    Ok(Some(crate::graph_search::space::Met { stop, ending, again, points: false }))
}

/// The nodes that lead to a move which ends the play, to an end of the play, to a move that keeps the turn.
fn leads(ctx: &Context, graph: &impl Backward) -> Run<[Vec<u64>; 3]> {
    let ends = |here: bool| {
        let those = graph.ends().iter().filter(|(_, end)| matches!(end, End::Here(_)) == here);
        those.map(|&(node, _)| node).collect()
    };
    let lead = |nodes| leading_to(&ctx.session.limits, graph, nodes);
    Ok([lead(ends(false))?, lead(ends(true))?, lead(graph.keepers())?])
}

/// Puts the loopy value of a component of a solved graph into the memo; `false`: it is in none. Only the stages are run
/// that this value needs.
pub(super) fn fetch(ctx: &mut Context, id: u32) -> Run<bool> {
    let Some((_, at)) = node(ctx, id, false) else { return Ok(false) };
    let instance = ctx.store.instance_of[id as usize] as usize;
    let value = if let [Known::Finite(value)] = settled(ctx, instance, &[at])?[..] {
        Ok(value)
    } else {
        let mut out = Options::default();
        ctx.options(id, &mut out)?;
        let mut nodes = Vec::new();
        for mv in &out.moves {
            let Way::To { first, len: 1 } = mv.way else { return Ok(false) };
            let Some((_, at)) = node(ctx, out.components[first as usize], false) else { return Ok(false) };
            nodes.push(at);
        }
        let known = settled(ctx, instance, &nodes)?.into_iter();
        let mut finite: Vec<u32> =
            known.filter_map(|known| if let Known::Finite(value) = known { Some(value) } else { None }).collect();
        finite.sort_unstable();
        finite.dedup();
        Err(finite.into())
    };
    ctx.memo.loopy.insert(id, value);
    Ok(true)
}

/// The values of nodes of an instance's graph, none of them open.
fn settled(ctx: &mut Context, instance: usize, nodes: &[usize]) -> Run<Vec<Known>> {
    let Some(Solved { graph, cells, values, .. }) = ctx.memo.solved.get_mut(&(instance, false)) else {
        return Ok(Vec::new());
    };
    let limits = &ctx.session.limits;
    let known = |values: &Values| nodes.iter().map(|&node| stages::known(values, node)).collect();
    match graph {
        Graph::Reached(graph) => {
            let values = values.get_or_insert_with(|| stages::begin(graph, cells));
            stages::settle(limits, graph, values, nodes)?;
            Ok(known(values))
        }
        Graph::Boxed(graph) => {
            let values = values.get_or_insert_with(|| stages::begin(graph, cells));
            stages::settle(limits, graph, values, nodes)?;
            Ok(known(values))
        }
    }
}
