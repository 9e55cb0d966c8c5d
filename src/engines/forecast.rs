//! What a long search of one component would take, from a sample of its states.

use crate::engines::blocked::is_ordered;
use crate::engines::cyclic;
use crate::engines::likely_box::likely_box;
use crate::engines::query::Root;
use crate::engines::sample::Plan;
use crate::engines::space::NOTHING;
use crate::graph_search::blocks::{Blocks, Extent, Sample};
use crate::store::ComponentId;
use crate::value::refusal::{Attempt, Refusal, refusal};
use crate::value::{Position, Run};
use crate::vm::context::Context;

/// A box of states that would be worked out.
#[derive(Clone, Copy, Debug)]
pub struct Forecast {
    /// The states of the box.
    pub positions: u64,
    /// What was seen of some of them; `None`: a table that is filled in order.
    pub sample: Option<Sample>,
}

/// The box of a position and what was seen of it; else why there is none. Some seconds at most.
pub fn forecast(ctx: &mut Context, position: &Position) -> Run<Result<Forecast, Refusal>> {
    let root = Root::new(ctx, position)?;
    match (&root.ids[..], root.mode.compound) {
        (&[id], None) if id != NOTHING => refusal(of_box(ctx, id)),
        _ => Ok(Err(Refusal::SeveralComponents)),
    }
}

fn of_box(ctx: &mut Context, id: ComponentId) -> Attempt<Forecast> {
    let plan = Plan::new(ctx, id)?;
    if plan.part.whole {
        return Err(Refusal::Few.into());
    }
    let ordered = is_ordered(ctx, &plan)?;
    let spans = likely_box(ctx, &plan, &plan.part.most)?.spans;
    let (grid, joined) = cyclic::box_of(ctx, &plan, &spans).ok_or(Refusal::ManyStates)?;
    if !ordered && grid.volume > Blocks::VOLUME {
        return Err(Refusal::ManyStates.into());
    }
    let extent = Extent { grid: &grid, joined: &joined, met: None };
    let sample = if ordered { None } else { Some(Blocks::sample(&ctx.box_rules(plan.instance)?, &extent)?) };
    Ok(Forecast { positions: grid.volume, sample })
}
