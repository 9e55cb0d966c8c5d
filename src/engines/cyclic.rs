//! Games of one instance whose plays may come back, worked out on a graph of states that native code finds: of a whole
//! box where most of it is wanted, else of the states that are reached.

use crate::bytecode::InstanceId;
use crate::engines::by_tables::{self, Plan, groups, grow};
use crate::engines::likely_box::likely_box;
use crate::engines::space::{Met, NOTHING};
use crate::graph_search::box_graph::BoxGraph;
use crate::graph_search::reach::{StateGraph, reaches_at_most};
use crate::graph_search::retrograde::{Decided, End, ReverseGraph, leading_to, retrograde};
use crate::graph_search::{Graph, NodeId, Solved, each_graph, stages};
use crate::source::Code;
use crate::store::ComponentId;
use crate::tables::{BoxRules, Expander, Grid, Span};
use crate::tuning::{BOX_SMALL, BOX_SPARSE, BOX_TRIES};
use crate::value::refusal::{Attempt, Refusal, refusal};
use crate::value::{Halt, Run};
use crate::vm::context::Context;
use crate::vm::run::{MoveTarget, Options};

/// Makes sure that a component's graph is solved, if it can be; `misere`: who cannot move wins.
pub(super) fn decide(ctx: &mut Context, id: ComponentId, misere: bool) -> Run<bool> {
    if node(ctx, id, misere).is_some() {
        return Ok(true);
    }
    let instance = ctx.store.instance_of[id.index()];
    if ctx.options.plain || ctx.memo.graph_refusals.contains_key(&instance) {
        return Ok(false);
    }
    match refusal(graph(ctx, id))? {
        Ok(graph) => {
            let cells = each_graph!(&graph, graph => retrograde(&ctx.limits, graph, misere)?);
            let solved = Solved { graph, cells, values: None, leads: None };
            ctx.memo.solved.insert((instance, misere), solved);
            Ok(true)
        }
        Err(Refusal::Few) => Ok(false),
        Err(why) => {
            ctx.memo.graph_refusals.insert(instance, why);
            Ok(false)
        }
    }
}

/// The graph that a component needs.
fn graph(ctx: &mut Context, id: ComponentId) -> Attempt<Graph> {
    let plan = Plan::new(ctx, id)?;
    let part = &plan.part;
    if part.whole && !by_tables::goes_on(ctx, id) {
        by_tables::note_opened(ctx, id, part.closed);
        return Err(Refusal::Few.into());
    }
    let mut most = part.most.clone();
    if part.whole {
        // One graph for all that were asked about.
        by_tables::widen(ctx, id, &mut most);
    }
    // A search that did not come far enough to see a play come back says little of the box.
    let mut spans = if part.whole || part.cyclic { plan.spans(&most) } else { likely_box(ctx, &plan, &most)? };
    for _ in 0..BOX_TRIES {
        let mut made = refusal(boxed(ctx, &plan, &spans))?;
        if let Err(Refusal::UnlikeMoves | Refusal::Memory(_)) = made {
            made = refusal(reached(ctx, &plan, spans.clone()))?;
        }
        match made {
            Err(Refusal::Outside) if grow(&mut spans, &plan.limits) => {}
            made => return Ok(made?),
        }
    }
    Err(Refusal::Outside.into())
}

/// The graph of all states of the box; [`Refusal::UnlikeMoves`] where that of the reached states is better.
fn boxed(ctx: &mut Context, plan: &Plan, spans: &[Span]) -> Attempt<Graph> {
    if !ctx.options.boxed {
        return Err(Refusal::UnlikeMoves.into());
    }
    let Plan { instance, part, .. } = plan;
    let (grid, joined) = box_of(ctx, plan, spans).ok_or(Refusal::UnlikeMoves)?;
    let rank = grid.rank(&part.start).ok_or(Refusal::Outside)?;
    let rules = ctx.box_rules(*instance)?;
    if is_sparse(&rules, &grid, rank)? {
        return Err(Refusal::UnlikeMoves.into());
    }
    let graph = BoxGraph::new(&rules, &grid, &joined)?;
    graph.node(&part.start).ok_or(Refusal::Outside)?;
    Ok(Graph::Boxed(graph))
}

/// Whether so few states of a large box are reached from one that the graph of these is better.
pub(super) fn is_sparse(rules: &BoxRules, grid: &Grid, from: u64) -> Attempt<bool> {
    if grid.volume <= BOX_SMALL {
        return Ok(false);
    }
    let (expander, few) = (Expander::new(rules, grid)?, grid.volume / BOX_SPARSE);
    Ok(refusal(reaches_at_most(rules, &expander, from, few))?.unwrap_or(false))
}

/// The box of all states, with which fields change by exclusive ors: they are the least significant ones.
pub(super) fn box_of(ctx: &Context, plan: &Plan, spans: &[Span]) -> Option<(Grid, Vec<bool>)> {
    let joined = ctx.store.joined_fields(plan.instance);
    let (mut order, bits): (Vec<usize>, Vec<usize>) = (0..spans.len()).partition(|&field| !joined[field]);
    order.extend(bits);
    Some((Grid::new(spans, &order, &vec![false; spans.len()])?, joined))
}

fn reached(ctx: &mut Context, plan: &Plan, mut spans: Vec<Span>) -> Attempt<Graph> {
    let groups = groups(ctx, plan.instance, &mut spans);
    let grid = Grid::plain(&spans).ok_or(Refusal::ManyStates)?.with_groups(&groups);
    let rank = grid.rank(&plan.part.start).ok_or(Refusal::Outside)?;
    Ok(Graph::Reached(StateGraph::new(&ctx.box_rules(plan.instance)?, &grid, rank)?))
}

fn node(ctx: &Context, id: ComponentId, misere: bool) -> Option<(&Solved, NodeId)> {
    let solved = ctx.memo.solved.get(&(ctx.store.instance_of[id.index()], misere))?;
    Some((solved, solved.graph.node(&ctx.store.state_words(id)?)?))
}

/// An error of a search position by position; a limit met only for want of the memory of a graph of states tells what
/// that would take.
pub(super) fn explained(ctx: &Context, ids: &[ComponentId], halt: Halt) -> Halt {
    let wanted = ids.iter().filter(|&&id| id != NOTHING).filter_map(|&id| {
        match ctx.memo.graph_refusals.get(ctx.store.instance_of.get(id.index())?) {
            Some(Refusal::Memory(bytes)) => Some(*bytes),
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
pub(super) fn outcome(ctx: &Context, id: ComponentId, misere: bool) -> Option<Decided> {
    node(ctx, id, misere).map(|(solved, node)| solved.cells.decided(node))
}

/// How many positions a component's solved graph has.
pub(super) fn positions(ctx: &Context, id: ComponentId, misere: bool) -> u64 {
    node(ctx, id, misere).map_or(0, |(solved, _)| solved.cells.len() as u64)
}

/// What a play from a component of a solved graph can come to that forbids Grundy values.
pub(super) fn ends(ctx: &mut Context, id: ComponentId) -> Run<Option<Met>> {
    let Some((solved, at)) = node(ctx, id, false) else { return Ok(None) };
    if each_graph!(&solved.graph, graph => graph.ends().is_empty() && !graph.keeps_turn()) {
        return Ok(Some(Met::default()));
    }
    if solved.leads.is_none() {
        let leads = each_graph!(&solved.graph, graph => leads(ctx, graph)?);
        if let Some(solved) = ctx.memo.solved.get_mut(&(ctx.store.instance_of[id.index()], false)) {
            solved.leads = Some(leads);
        }
    }
    let Some(Solved { leads: Some(leads), .. }) = node(ctx, id, false).map(|(solved, _)| solved) else {
        return Ok(None);
    };
    let [stop, ending, again] =
        [0, 1, 2].map(|i| leads[i].get(at.index() / 64).is_some_and(|word| word >> (at.index() % 64) & 1 == 1));
    Ok(Some(Met { stop, ending, again, points: false }))
}

/// The nodes that lead to a move which ends the play, to an end of the play, to a move that keeps the turn.
fn leads(ctx: &Context, graph: &impl ReverseGraph) -> Run<[Vec<u64>; 3]> {
    let ends = |here: bool| {
        let those = graph.ends().iter().filter(|(_, end)| matches!(end, End::Here(_)) == here);
        those.map(|&(node, _)| node).collect()
    };
    let lead = |nodes| leading_to(&ctx.limits, graph, nodes);
    Ok([lead(ends(false))?, lead(ends(true))?, lead(graph.keepers())?])
}

/// Puts the loopy value of a component of a solved graph into the memo, by only the stages that it needs; `false`: it
/// is in none.
pub(super) fn fetch(ctx: &mut Context, id: ComponentId) -> Run<bool> {
    let Some((_, at)) = node(ctx, id, false) else { return Ok(false) };
    let instance = ctx.store.instance_of[id.index()];
    let value = if let [Some(value)] = settled(ctx, instance, &[at])?[..] {
        Ok(value)
    } else {
        let mut out = Options::default();
        ctx.options(id, &mut out)?;
        let mut nodes = Vec::new();
        for mv in &out.moves {
            let MoveTarget::To { first, len: 1 } = mv.target else { return Ok(false) };
            let Some((_, at)) = node(ctx, out.components[first as usize], false) else { return Ok(false) };
            nodes.push(at);
        }
        let mut finite: Vec<u32> = settled(ctx, instance, &nodes)?.into_iter().flatten().collect();
        finite.sort_unstable();
        finite.dedup();
        Err(finite.into())
    };
    ctx.memo.loopy.insert(id, value);
    Ok(true)
}

/// The values of nodes of an instance's graph, where they are finite.
fn settled(ctx: &mut Context, instance: InstanceId, nodes: &[NodeId]) -> Run<Vec<Option<u32>>> {
    let Some(Solved { graph, cells, values, .. }) = ctx.memo.solved.get_mut(&(instance, false)) else {
        return Ok(Vec::new());
    };
    each_graph!(graph, graph => {
        let values = values.get_or_insert_with(|| stages::begin(graph, cells));
        stages::settle(&ctx.limits, graph, values, &nodes.iter().copied())?;
        Ok(nodes.iter().map(|&node| stages::known(values, node).finite()).collect())
    })
}
