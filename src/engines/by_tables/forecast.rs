//! What a table would take, said without making it.

use crate::bytecode::InstanceId;
use crate::engines::by_tables::boxes::{first_sizes, lexicographic};
use crate::engines::sample::{Part, fields, groups, sample};
use crate::graph_search::box_graph::BoxGraph;
use crate::tables;
use crate::tables::{Cell, Grid, Kind};
use crate::tuning::{TABLE_SMALL, TABLE_SPARSE};
use crate::value::fault::Run;
use crate::value::refusal::{Attempt, Refusal, refusal};
use crate::vm::context::Context;

/// What a table for this component would be and take, or why there would be none: only a short search is made.
pub(in crate::engines) fn forecast(ctx: &mut Context, id: u32, kind: Kind) -> Run<Result<String, String>> {
    let instance = ctx.store.instance_of[id as usize];
    let looked = refusal(look(ctx, id, instance))?;
    let (natural, part) = match looked {
        Ok(looked) => looked,
        Err(Refusal::Few) => {
            return Ok(Err(format!("at most {} positions: searched one by one", ctx.options.trial)));
        }
        Err(why) => return Ok(Err(why.to_string())),
    };
    let limits = ctx.store.field_limits(instance);
    let sizes = first_sizes(&part, &limits);
    if part.cyclic {
        return Ok(Ok(graph_forecast(ctx, &sizes)));
    }
    let Some((order, reversed)) = lexicographic(&part.signs, natural.len()) else {
        let once = alike(ctx, instance, sizes.clone());
        let graph = graph_forecast(ctx, &sizes);
        return Ok(Ok(format!("the states met, hashed{once}; if a play can come back, {graph}")));
    };
    match Grid::new(&sizes, &natural, &order, &reversed) {
        Some(grid) if grid.volume <= TABLE_SMALL || part.spread <= TABLE_SPARSE => {
            let bytes = u128::from(grid.volume) * u128::from(Cell::smallest(kind).bytes);
            let room = ctx.limits.memory.saturating_sub(ctx.bytes());
            let shown = format!("{} states in a box, {} MiB or a small multiple", grid.volume, bytes >> 20);
            if bytes > u128::try_from(room).unwrap_or(u128::MAX) {
                return Ok(Err(format!("{shown}: more than the {} MiB that there are", room >> 20)));
            }
            Ok(Ok(shown))
        }
        _ => {
            let once = alike(ctx, instance, sizes);
            Ok(Ok(format!("the states met, hashed: about one in {} of the box{once}", part.spread)))
        }
    }
}

/// Which fields are never negative, and what a short search shows; or what stands in the way of native code.
fn look(ctx: &mut Context, id: u32, instance: InstanceId) -> Attempt<(Vec<bool>, Part)> {
    let natural = fields(ctx, instance)?;
    let part = sample(ctx, id, instance)?;
    if part.whole {
        return Err(Refusal::Few.into());
    }
    tables::can_compile(&*ctx.judged_code(instance)?)?;
    Ok((natural, part))
}

/// Says which fields may change places, if some may.
fn alike(ctx: &Context, instance: InstanceId, mut sizes: Vec<u64>) -> String {
    let fields = &ctx.session.program.games[ctx.store.instances[instance].game.0].fields;
    let names = |group: Vec<usize>| group.iter().map(|&i| fields[i].name.as_str()).collect::<Vec<_>>().join(", ");
    let groups = groups(ctx, instance, &mut sizes).into_iter().map(names);
    groups.fold(String::new(), |all, names| format!("{all}; {names} may change places: stored once"))
}

/// What a graph of all states of a box would be and take.
fn graph_forecast(ctx: &Context, sizes: &[u64]) -> String {
    let Some(states) = sizes.iter().try_fold(1u64, |states, &size| states.checked_mul(size)) else {
        return "the graph of those that are reached".to_string();
    };
    let room = ctx.limits.memory.saturating_sub(ctx.bytes()) >> 20;
    let wanted = BoxGraph::forecast(states) >> 20;
    let beyond = if wanted > room as u64 { ", more than there are" } else { "" };
    format!(
        "the graph of {states} states in a box, {wanted} MiB{beyond}, or of those that are reached where they are few or \
         memory is short: some 5 bytes a state of the box, 24 a state reached, and 4 a move, or 10 where there is room"
    )
}
