//! What a long search of one component would take, from a sample of its states.

use crate::engines::blocked::{Counted, is_ordered, met_first};
use crate::engines::by_tables::is_worth_a_box;
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

/// The states that would be worked out.
#[derive(Clone, Copy, Debug)]
pub struct Forecast {
    /// How many they are.
    pub positions: Size,
    /// What was seen of some of them; `None`: a table that is filled in order.
    pub sample: Option<Sample>,
}

/// How many states there are.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    /// All of a box.
    Box(u64),
    /// Those that are met, few of a box: so many.
    Met(u64),
    /// More than the first number are met, in a box of the second.
    More(u64, u64),
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
    let likely = likely_box(ctx, &plan, &plan.part.most)?;
    let ordered = is_ordered(ctx, &plan, &likely);
    let spans = likely.spans;
    let (grid, joined) = cyclic::box_of(ctx, &plan, &spans).ok_or(Refusal::ManyStates)?;
    let extent = Extent { grid: &grid, joined: &joined, met: None };
    let rank = grid.rank(&plan.part.start).ok_or(Refusal::Outside)?;
    let counted = if ordered && is_worth_a_box(ctx, &plan, grid.volume) {
        Counted::Many
    } else {
        met_first(ctx, plan.instance, &grid, rank)?
    };
    let rules = ctx.box_rules(plan.instance)?;
    let (positions, of) = match &counted {
        Counted::All(met) => (Size::Met(met.len() as u64), Some(met)),
        // Perhaps all of it is worked out, which takes the most.
        Counted::More(_) if !ordered && grid.volume <= Blocks::VOLUME => (Size::Box(grid.volume), None),
        Counted::More(met) => (Size::More(met.len() as u64, grid.volume), Some(met)),
        Counted::Many => (Size::Box(grid.volume), None),
    };
    let sample = if ordered && of.is_none() { None } else { Some(Blocks::sample(&rules, &extent, of)?) };
    Ok(Forecast { positions, sample })
}
