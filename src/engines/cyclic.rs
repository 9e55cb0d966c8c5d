//! Games of one instance whose plays may come back, worked out by states that native code finds: all of a box, in blocks, where
//! most of it is wanted, else those that are reached, in a graph.

use crate::bytecode::InstanceId;
use crate::disk::Folder;
use crate::engines::asked;
use crate::engines::by_tables::{groups, grow};
use crate::engines::likely_box::likely_box;
use crate::engines::on_disk::{bare, placeless};
use crate::engines::sample::Plan;
use crate::engines::space::{Met, NOTHING};
use crate::graph_search::blocks::{Blocks, Extent, LoopyValue, Setting};
use crate::graph_search::reach::{StateGraph, reaches_at_most};
use crate::graph_search::retrograde::{Decided, End, ReverseGraph, leading_to, retrograde};
use crate::graph_search::{NodeId, Reached, Solved, stages};
use crate::processes::Crew;
use crate::source::Code;
use crate::store::ComponentId;
use crate::tables::{BoxRules, Expander, Grid, Span};
use crate::tuning::{BOX_SMALL, BOX_SPARSE, BOX_TRIES, BOX_WIDE};
use crate::value::refusal::{Attempt, Refusal, refusal};
use crate::value::{Halt, Run};
use crate::vm::context::{Context, Policy};
use crate::vm::run::{MoveTarget, Options};
use std::sync::Arc;

/// Makes sure that the states of a component's instance are worked out, if they can be; `misere`: who cannot move wins.
pub(super) fn decide(ctx: &mut Context, id: ComponentId, misere: bool) -> Run<bool> {
    if outcome(ctx, id, misere)?.is_some() {
        return Ok(true);
    }
    let instance = ctx.store.instance_of[id.index()];
    if ctx.options.plain || ctx.memo.graph_refusals.contains_key(&instance) {
        return Ok(false);
    }
    match refusal(work_out(ctx, id, misere))? {
        Ok(solved) => {
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

/// The states that a component needs.
fn work_out(ctx: &mut Context, id: ComponentId, misere: bool) -> Attempt<Solved> {
    let plan = Plan::new(ctx, id)?;
    let part = &plan.part;
    if part.whole && !asked::goes_on(ctx, id) {
        asked::note_opened(ctx, id, part.closed);
        return Err(Refusal::Few.into());
    }
    note_ends(ctx, id, part.met);
    let mut most = part.most.clone();
    if part.whole {
        // One graph for all that were asked about.
        asked::widen(ctx, id, &mut most);
    }
    // A search that did not come to an end says little of the box.
    let mut spans = plan.spans(&most);
    if !part.whole {
        let likely = likely_box(ctx, &plan, &most)?;
        spans = likely.spans;
        note_ends(ctx, id, likely.met);
    }
    for _ in 0..BOX_TRIES {
        let mut made = refusal(boxed(ctx, &plan, &spans, misere))?;
        if let Err(Refusal::UnlikeMoves | Refusal::Memory(_)) = made {
            made = refusal(reached(ctx, &plan, spans.clone(), misere))?;
        }
        match made {
            Err(Refusal::Outside) if grow(&mut spans, &plan.limits) => {}
            made => return Ok(made?),
        }
    }
    Err(Refusal::Outside.into())
}

/// Keeps what a search from a component saw that forbids values: then nobody looks whether there is one.
pub(super) fn note_ends(ctx: &mut Context, id: ComponentId, met: Met) {
    if met.forbids_grundy().is_some() {
        ctx.memo.forbidden.entry(id).or_insert([met.stop, met.ending, met.again]);
    }
}

/// Searches from a component as before it is worked out, and keeps what that sees that forbids values.
fn look_for_ends(ctx: &mut Context, id: ComponentId) -> Attempt<()> {
    let plan = Plan::new(ctx, id)?;
    note_ends(ctx, id, plan.part.met);
    let likely = likely_box(ctx, &plan, &plan.part.most)?;
    note_ends(ctx, id, likely.met);
    Ok(())
}

/// All states of the box; [`Refusal::UnlikeMoves`] where the graph of the reached states is better.
fn boxed(ctx: &mut Context, plan: &Plan, spans: &[Span], misere: bool) -> Attempt<Solved> {
    if !ctx.options.boxed {
        return Err(Refusal::UnlikeMoves.into());
    }
    let Plan { instance, part, .. } = plan;
    let (grid, joined) = box_of(ctx, plan, spans).ok_or(Refusal::UnlikeMoves)?;
    let rank = grid.rank(&part.start).ok_or(Refusal::Outside)?;
    if ctx.options.spread == Policy::Always || grid.volume > BOX_WIDE && ctx.options.spread == Policy::Large {
        // A bit for each of its states is too much where few are met.
        match refusal(met(ctx, plan, (spans, &joined), grid.volume, misere))? {
            Err(Refusal::ManyMet) if grid.volume <= Blocks::VOLUME => {}
            made => return Ok(made?),
        }
    } else if is_sparse(&ctx.box_rules(*instance)?, &grid, rank)? {
        return Err(Refusal::UnlikeMoves.into());
    }
    let extent = Extent { grid: &grid, joined: &joined, met: None };
    let blocks = in_blocks(ctx, *instance, &extent, misere, (None, None))?;
    blocks.read(&part.start).map_err(bare)?.ok_or(Refusal::Outside)?;
    Ok(Solved::Boxed(Box::new(blocks)))
}

/// States of an instance in blocks, in a folder if tables are kept there, by several processes if they have agreed on it.
pub(super) fn in_blocks(
    ctx: &mut Context,
    instance: InstanceId,
    extent: &Extent<'_>,
    misere: bool,
    (folder, crew): (Option<Folder>, Option<Arc<Crew>>),
) -> Attempt<Blocks> {
    let setting = Setting { crew, ..Setting::new(ctx.options.block_bits) };
    let made = Blocks::solve(&ctx.box_rules(instance)?, extent, misere, &setting, folder);
    Ok(refusal(made).map_err(placeless)??)
}

/// The states that are met from the start, in blocks, if they are few of a large box.
fn met(
    ctx: &mut Context,
    plan: &Plan,
    (spans, joined): (&[Span], &[bool]),
    volume: u64,
    misere: bool,
) -> Attempt<Solved> {
    let only = volume > Blocks::VOLUME || ctx.options.spread == Policy::Always;
    let most = if only { u64::MAX } else { volume / BOX_SPARSE };
    let grid = box_of_met(ctx, plan, spans).ok_or(Refusal::ManyStates)?;
    let rank = grid.rank(&plan.part.start).ok_or(Refusal::Outside)?;
    let extent = Extent { grid: &grid, joined, met: Some((rank, most)) };
    let blocks = in_blocks(ctx, plan.instance, &extent, misere, (None, None))?;
    blocks.read(&plan.part.start).map_err(bare)?.ok_or(Refusal::Outside)?;
    Ok(Solved::Boxed(Box::new(blocks)))
}

/// Whether so few states of a large box are reached from one that the graph of these is better.
pub(super) fn is_sparse(rules: &BoxRules, grid: &Grid, from: u64) -> Attempt<bool> {
    if grid.volume <= BOX_SMALL {
        return Ok(false);
    }
    let (expander, few) = (Expander::new(rules, grid)?, grid.volume / BOX_SPARSE);
    Ok(refusal(reaches_at_most(rules, &expander, from, few))?.unwrap_or(false))
}

/// The box of all states, with which fields change by exclusive ors: they are the least significant ones. Those with many
/// more values than others are the most significant ones: what is decided after so many moves then lies in few blocks. For a strip of
/// 50 places and 150,000 steps: an eighth of the time.
pub(super) fn box_of(ctx: &Context, plan: &Plan, spans: &[Span]) -> Option<(Grid, Vec<bool>)> {
    let joined = ctx.store.joined_fields(plan.instance);
    let (mut order, bits): (Vec<usize>, Vec<usize>) = (0..spans.len()).partition(|&field| !joined[field]);
    let most = order.iter().map(|&field| spans[field].size).max().unwrap_or(1);
    // Less than eight times as many are about as many.
    order.sort_by_key(|&field| (most / spans[field].size.max(1)).max(1).ilog2() / 3);
    order.extend(bits);
    Some((Grid::new(spans, &order, &vec![false; spans.len()])?, joined))
}

/// The same box for the states that are met of it: fields have powers of two of values where ranks are not too large then, so that the
/// bits of a rank say which changes its state may have. Five numbers modulo 90, each decided state tells 4 of 17 changes: two thirds of
/// the time.
pub(super) fn box_of_met(ctx: &Context, plan: &Plan, spans: &[Span]) -> Option<Grid> {
    let padded = |span: &Span| Some(Span { size: span.size.checked_next_power_of_two()?, ..*span });
    let padded: Option<Vec<Span>> = spans.iter().map(padded).collect();
    let wide = padded.and_then(|spans| box_of(ctx, plan, &spans)).filter(|(grid, _)| grid.volume <= Blocks::WIDEST);
    wide.or_else(|| box_of(ctx, plan, spans)).map(|(grid, _)| grid)
}

fn reached(ctx: &mut Context, plan: &Plan, mut spans: Vec<Span>, misere: bool) -> Attempt<Solved> {
    let groups = groups(ctx, plan.instance, &mut spans);
    let grid = Grid::plain(&spans).ok_or(Refusal::ManyStates)?.with_groups(&groups);
    let rank = grid.rank(&plan.part.start).ok_or(Refusal::Outside)?;
    let graph = StateGraph::new(&ctx.box_rules(plan.instance)?, &grid, rank)?;
    let cells = retrograde(&ctx.limits, &graph, misere)?;
    Ok(Solved::Reached(Box::new(Reached { graph, cells, values: None, leads: None })))
}

fn solved(ctx: &Context, id: ComponentId, misere: bool) -> Option<(&Solved, Vec<i64>)> {
    let solved = ctx.memo.solved.get(&(ctx.store.instance_of[id.index()], misere))?;
    Some((solved, ctx.store.state_words(id)?))
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

/// The outcome of a component that was worked out, with the remoteness when someone wins.
pub(super) fn outcome(ctx: &Context, id: ComponentId, misere: bool) -> Run<Option<Decided>> {
    match solved(ctx, id, misere) {
        None => Ok(None),
        Some((Solved::Reached(reached), words)) => {
            Ok(reached.graph.node(&words).map(|node| reached.cells.decided(node)))
        }
        Some((Solved::Boxed(blocks), words)) => blocks.read(&words).map_err(bare),
    }
}

/// How many positions were worked out with a component.
pub(super) fn positions(ctx: &Context, id: ComponentId, misere: bool) -> u64 {
    solved(ctx, id, misere).map_or(0, |(solved, _)| match solved {
        Solved::Reached(reached) => reached.cells.len() as u64,
        Solved::Boxed(blocks) => blocks.positions(),
    })
}

/// What a play from a component that was worked out can come to that forbids Grundy values.
pub(super) fn ends(ctx: &mut Context, id: ComponentId) -> Run<Option<Met>> {
    /// Ways to ends of fewer states are found as soon as by a short search.
    const LARGE: u64 = 1 << 20;
    if let Some((Solved::Boxed(blocks), _)) = solved(ctx, id, false)
        && !blocks.knows_leads()
        && blocks.positions() >= LARGE
        && !ctx.memo.forbidden.contains_key(&id)
    {
        // A short search may see one, as that before the blocks were worked out did.
        refusal(look_for_ends(ctx, id)).map_err(placeless)?.ok();
    }
    let met = |[stop, ending, again]: [bool; 3]| Some(Met { stop, ending, again, points: false });
    let seen = ctx.memo.forbidden.get(&id).copied();
    let (at, leads) = match solved(ctx, id, false) {
        None => return Ok(None),
        Some(_) if seen.is_some() => return Ok(seen.and_then(met)),
        Some((Solved::Boxed(blocks), words)) => {
            if blocks.read(&words).map_err(bare)?.is_none() {
                return Ok(None);
            }
            let leads = blocks.leads(&ctx.limits, &words);
            return Ok(worked_on(ctx, id, leads)?.and_then(met));
        }
        Some((Solved::Reached(reached), words)) => {
            let Reached { graph, leads, .. } = &**reached;
            let Some(at) = graph.node(&words) else { return Ok(None) };
            if graph.ends().is_empty() && !graph.keeps_turn() {
                return Ok(Some(Met::default()));
            }
            (at, if leads.is_none() { Some(self::leads(ctx, graph)?) } else { None })
        }
    };
    let instance = ctx.store.instance_of[id.index()];
    let Some(Solved::Reached(reached)) = ctx.memo.solved.get_mut(&(instance, false)) else { return Ok(None) };
    reached.leads = leads.or_else(|| reached.leads.take());
    let Some(leads) = &reached.leads else { return Ok(None) };
    Ok(met([0, 1, 2].map(|i| leads[i].get(at.index() / 64).is_some_and(|word| word >> (at.index() % 64) & 1 == 1))))
}

/// What blocks say after more work. When that fails they are given up, for they are in the middle of a step; `None`: with too
/// little memory.
fn worked_on<T>(ctx: &mut Context, id: ComponentId, made: Attempt<T>) -> Run<Option<T>> {
    let instance = ctx.store.instance_of[id.index()];
    let made = refusal(made).map_err(placeless);
    if !matches!(made, Ok(Ok(_))) {
        ctx.memo.solved.remove(&(instance, false));
    }
    match made? {
        Ok(made) => Ok(Some(made)),
        Err(why) => {
            ctx.memo.graph_refusals.insert(instance, why);
            Ok(None)
        }
    }
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

/// Puts the loopy value of a component that was worked out into the memo, by only the stages that it needs; `false`: it was
/// not, or cannot be with the memory there is.
pub(super) fn fetch(ctx: &mut Context, id: ComponentId) -> Run<bool> {
    if outcome(ctx, id, false)?.is_none() {
        return Ok(false);
    }
    let instance = ctx.store.instance_of[id.index()];
    let Some(value) = settled(ctx, id, &[id])? else { return Ok(false) };
    let value = if let [Some(value)] = value[..] {
        Ok(value)
    } else {
        let mut out = Options::default();
        ctx.options(id, &mut out)?;
        let mut options = Vec::new();
        for mv in &out.moves {
            let MoveTarget::To { first, len: 1 } = mv.target else { return Ok(false) };
            let option = out.components[first as usize];
            if ctx.store.instance_of[option.index()] != instance || outcome(ctx, option, false)?.is_none() {
                return Ok(false);
            }
            options.push(option);
        }
        let Some(values) = settled(ctx, id, &options)? else { return Ok(false) };
        let mut finite: Vec<u32> = values.into_iter().flatten().collect();
        finite.sort_unstable();
        finite.dedup();
        Err(finite.into())
    };
    ctx.memo.loopy.insert(id, value);
    Ok(true)
}

/// The values of components of the instance of this one that were worked out, where they are finite; `None`: with too little
/// memory.
fn settled(ctx: &mut Context, id: ComponentId, of: &[ComponentId]) -> Run<Option<Vec<Option<u32>>>> {
    let words: Option<Vec<Vec<i64>>> = of.iter().map(|&id| ctx.store.state_words(id)).collect();
    let key = (ctx.store.instance_of[id.index()], false);
    let (Some(words), Some(solved)) = (words, ctx.memo.solved.get_mut(&key)) else { return Ok(None) };
    match solved {
        Solved::Reached(reached) => {
            let Reached { graph, cells, values, .. } = &mut **reached;
            let nodes: Option<Vec<NodeId>> = words.iter().map(|words| graph.node(words)).collect();
            let Some(nodes) = nodes else { return Ok(None) };
            let values = values.get_or_insert_with(|| stages::begin(graph, cells));
            stages::settle(&ctx.limits, graph, values, &nodes.iter().copied())?;
            Ok(Some(nodes.iter().map(|&node| stages::known(values, node).finite()).collect()))
        }
        Solved::Boxed(blocks) => {
            let said = blocks.values(&ctx.limits, &words);
            let finite = |value| if let LoopyValue::Finite(value) = value { Some(value) } else { None };
            Ok(worked_on(ctx, id, said)?.map(|values| values.into_iter().map(finite).collect()))
        }
    }
}
