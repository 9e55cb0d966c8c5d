//! Grundy values of components, acyclic or cyclic.

use crate::answer::GrundyValue;
use crate::engines::cyclic;
use crate::engines::explore;
use crate::engines::explore::PositionGraph;
use crate::engines::grundy;
use crate::engines::grundy::Refused;
use crate::engines::space::Met;
use crate::graph_search::retrograde::retrograde;
use crate::graph_search::stages;
use crate::memo::Mode;
use crate::value::fault::Run;
use crate::vm::context::Context;

/// The mode in which Grundy values live.
pub(crate) const NORMAL: Mode = Mode { misere: false, compound: None };

/// Works out the values of these components; what forbids them when they have none. `cyclic` is set when a play can come
/// back.
pub(crate) fn work_out(ctx: &mut Context, ids: &[u32], positions: &mut u64, cyclic: &mut bool) -> Run<Result<(), Met>> {
    decide(ctx, ids, false, positions, cyclic)
}

/// The same; `alone`: where the outcome of a single component stands in a graph of states, its value is left out.
pub(crate) fn decide(
    ctx: &mut Context,
    ids: &[u32],
    alone: bool,
    positions: &mut u64,
    cyclic: &mut bool,
) -> Run<Result<(), Met>> {
    let alone = alone && ids.len() == 1;
    if all_fetched(ctx, ids, alone)? {
        *cyclic = true;
        return Ok(Ok(()));
    }
    match grundy::values(ctx, ids, positions)? {
        Ok(()) => return Ok(Ok(())),
        Err(Refused::Met(met)) => return Ok(Err(met)),
        Err(Refused::Cyclic) => {}
    }
    *cyclic = true;
    for &id in ids {
        if value(ctx, id).is_some() {
            continue;
        }
        if cyclic::decide(ctx, id, false)? {
            *positions += cyclic::positions(ctx, id, false);
            if let Some(met) = cyclic::ends(ctx, id)?.filter(|met| met.forbids_grundy().is_some()) {
                return Ok(Err(met));
            }
            if alone || cyclic::fetch(ctx, id)? {
                continue;
            }
        }
        let graph = explore(ctx, id)?;
        *positions += graph.len() as u64;
        if graph.met.forbids_grundy().is_some() {
            return Ok(Err(graph.met));
        }
        keep(ctx, &graph)?;
    }
    Ok(Ok(()))
}

/// Whether all components stand in graphs solved before, whose values are then in the memo unless only an outcome is wanted.
fn all_fetched(ctx: &mut Context, ids: &[u32], alone: bool) -> Run<bool> {
    if ctx.memo.solved.is_empty() {
        return Ok(false);
    }
    for &id in ids {
        if value(ctx, id).is_none()
            && (cyclic::ends(ctx, id)? != Some(Met::default()) || !(alone || cyclic::fetch(ctx, id)?))
        {
            return Ok(false);
        }
    }
    Ok(true)
}

fn explore(ctx: &mut Context, id: u32) -> Run<PositionGraph> {
    match explore::components(ctx, NORMAL, id, false)? {
        Some(graph) => Ok(graph),
        None => explore::sums(ctx, NORMAL, &[id], false, false),
    }
}

/// Keeps the values of all components that are nodes of a graph without ends, `again` and points.
fn keep(ctx: &mut Context, graph: &PositionGraph) -> Run<()> {
    let reversed = graph.reversed();
    let cells = retrograde(&ctx.limits, &reversed, false)?;
    let mut values = stages::begin(&reversed, &cells);
    stages::settle(&ctx.limits, &reversed, &mut values, &(0..graph.len()))?;
    let finite = |node: usize| stages::known(&values, node).finite();
    for node in 0..graph.len() {
        if let [id] = graph.key(node)[..] {
            let value = finite(node).ok_or_else(|| {
                let mut options: Vec<u32> = graph.moves(node).iter().filter_map(|&to| finite(to as usize)).collect();
                options.sort_unstable();
                options.dedup();
                options.into()
            });
            ctx.memo.loopy.insert(id, value);
        }
    }
    Ok(())
}

/// The value of a component that was worked out.
pub(crate) fn value(ctx: &Context, id: u32) -> Option<GrundyValue> {
    if let Some(g) = ctx.memo.nimber(id) {
        return Some(GrundyValue::Nimber(u64::from(g)));
    }
    ctx.memo.loopy.get(&id).map(|value| match value {
        Ok(g) => GrundyValue::Nimber(u64::from(*g)),
        Err(options) => GrundyValue::Loop(options.iter().map(|&k| u64::from(k)).collect()),
    })
}
