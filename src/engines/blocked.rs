//! One component of which tables are kept in a directory, or which several processes work out, in blocks: all states of its box
//! where plays can come back, or of a large box the few states that are met. Who wins, after how many moves, and the loopy value.
//!
//! It is asked before searches position by position, of which nothing would be kept; and it guesses the box from a sample. Of
//! several processes the first one decides what is worked out, and the others are told (`serve`).

use crate::analysis::termination::always_ends;
use crate::bytecode::InstanceId;
use crate::disk::Folder;
use crate::engines::by_tables::{self, grow};
use crate::engines::engine::{Engine, PlanLines, Question, Reason, Solution, Wanted, internal_error};
use crate::engines::likely_box::{Likely, likely_box};
use crate::engines::on_disk::bare;
use crate::engines::query::Root;
use crate::engines::sample::Plan;
use crate::engines::score::is_scored;
use crate::engines::space::Met;
use crate::engines::values;
use crate::engines::whole::graph_solution;
use crate::engines::{cyclic, on_disk};
use crate::graph_search::Solved;
use crate::graph_search::blocks::together::Order;
use crate::graph_search::blocks::{Blocks, Extent};
use crate::graph_search::reach::reached_first;
use crate::processes::Crew;
use crate::source::{Code, Diagnostic};
use crate::store::ComponentId;
use crate::tables::{Expander, Grid, Span, kept};
use crate::tuning::{BOX_MET, BOX_SPARSE, BOX_TRIES};
use crate::value::refusal::{Attempt, Failure, Refusal, refusal};
use crate::value::{Fault, Halt, Position, Run};
use crate::vm::context::{Context, Policy};
use hashbrown::{HashMap, HashSet};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// See the module.
pub(crate) struct Blocked;

impl Engine for Blocked {
    fn fits(&self, ctx: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        Ok(match question.single() {
            _ if ctx.session.tables.is_none() && ctx.crew().is_none() => Err("no tables are kept".into()),
            None => Err("not one component".into()),
            Some(_) if is_scored(ctx, question.root) => Err("a scoring game".into()),
            Some(_) => Ok(()),
        })
    }

    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let Some(id) = question.single() else { return Ok(Err("not one component".into())) };
        let misere = question.root.mode.misere;
        if let Err(why) = refusal(worked_out(ctx, id, misere))? {
            if let (Some(dir), true) = (&ctx.session.tables, why != Refusal::NoOrder) {
                dir.refuse(&why);
            }
            if let Some(crew) = ctx.crew() {
                crew.refuse(&why);
            }
            return Ok(Err(why.to_string().into()));
        }
        let mut solution = graph_solution(ctx, id, misere)?.ok_or_else(internal_error)?;
        if misere {
            solution.no_value = Some("it is played in misere".to_string());
        } else if let Some(why) = cyclic::ends(ctx, id)?.and_then(Met::forbids_grundy) {
            solution.no_value = Some(why.to_string());
        } else if question.wanted == Wanted::Value {
            if !cyclic::fetch(ctx, id)? {
                return Ok(Err("its value takes more memory than there is".into()));
            }
            solution.grundy = values::value(ctx, id);
        }
        Ok(Ok(solution))
    }

    fn plan(&self, ctx: &mut Context, question: &Question, name: &str) -> Run<PlanLines> {
        let mut fit = self.fits(ctx, question)?;
        if let (Ok(()), Some(id)) = (&fit, question.single())
            && let Err(why) = refusal(Plan::new(ctx, id)).map(|plan| plan.map(|plan| plan.part.whole))?.and_then(few)
        {
            fit = Err(why.to_string().into());
        }
        Ok(vec![(name.to_string(), fit.map(|()| None))])
    }
}

fn few(whole: bool) -> Result<(), Refusal> {
    if whole { Err(Refusal::Few) } else { Ok(()) }
}

/// Makes sure that blocks know a component: those at hand, those of the directory, or new ones.
fn worked_out(ctx: &mut Context, id: ComponentId, misere: bool) -> Attempt<()> {
    if cyclic::outcome(ctx, id, misere)?.is_some() {
        return Ok(());
    }
    let instance = ctx.store.instance_of[id.index()];
    let words = ctx.store.state_words(id).ok_or(Refusal::StatesNoWords)?;
    let joined = ctx.store.joined_fields(instance);
    for spread in [false, true] {
        for (folder, grid) in on_disk::finished_boxes(ctx, instance, kind(misere, spread), &words)? {
            let met = spread.then(|| Some((grid.rank(&words)?, u64::MAX))).flatten();
            if solved(ctx, id, misere, &Extent { grid: &grid, joined: &joined, met }, Some(&folder))? {
                return Ok(());
            }
        }
    }
    if ctx.session.tables.as_ref().is_some_and(|dir| dir.is_read_only()) {
        return Err(Refusal::NoOrder.into());
    }
    let plan = Plan::new(ctx, id)?;
    if plan.part.whole {
        return Err(Refusal::Few.into());
    }
    cyclic::note_ends(ctx, id, plan.part.met);
    // Then another kind of table fits, but where few states of the box are met.
    let likely = likely_box(ctx, &plan, &plan.part.most)?;
    let ordered = is_ordered(ctx, &plan, &likely);
    let Likely { mut spans, met, .. } = likely;
    cyclic::note_ends(ctx, id, met);
    for _ in 0..BOX_TRIES {
        let (grid, joined) = cyclic::box_of(ctx, &plan, &spans).ok_or(Refusal::ManyStates)?;
        let rank = grid.rank(&words).ok_or(Refusal::Outside)?;
        ctx.judged_code(instance)?;
        let mut refused = None;
        let mut is_small = false;
        let alone = ordered && (ctx.session.tables.is_some() || is_for_one(ctx, &plan, &spans));
        for most in extents(ctx, &plan, (&grid, rank), (ordered, alone), misere)? {
            let of_met = most.and_then(|_| cyclic::box_of_met(ctx, &plan, &spans));
            let grid = of_met.as_ref().unwrap_or(&grid);
            let rank = grid.rank(&words).ok_or(Refusal::Outside)?;
            let met = most.map(|most| (rank, most));
            let extent = Extent { grid, joined: &joined, met };
            let folder = on_disk::folder(ctx, instance, kind(misere, met.is_some()), grid, &words)?;
            let was_done = folder.as_ref().map_or(Ok(false), Folder::is_done).map_err(bare)?;
            match refusal(solved(ctx, id, misere, &extent, folder.as_ref()))? {
                Ok(true) => return Ok(()),
                // The box is too small for it.
                Ok(false) => {
                    ctx.memo.solved.remove(&(instance, misere));
                    if let Some(folder) = folder.filter(|_| !was_done) {
                        folder.discard().map_err(bare)?;
                    }
                    is_small = true;
                    break;
                }
                Err(Refusal::ManyMet) => refused = Some(Refusal::ManyMet),
                Err(why) => return Err(why.into()),
            }
        }
        if !is_small {
            return Err(if alone { in_order(ctx) } else { refused.unwrap_or(Refusal::ManyStates) }.into());
        }
        if !grow(&mut spans, &plan.limits) {
            break;
        }
    }
    Err(Refusal::Outside.into())
}

/// Why a table is left to others: all moves go down in some order.
fn in_order(ctx: &Context) -> Refusal {
    if ctx.crew().is_some() { Refusal::Ordered } else { Refusal::NoOrder }
}

/// Which states are to be worked out, one after the other where it turns out that many are met: only what is met, so many
/// at most; all of the box. Nothing: another kind of table fits.
fn extents(
    ctx: &mut Context,
    plan: &Plan,
    (grid, rank): (&Grid, u64),
    (ordered, alone): (bool, bool),
    misere: bool,
) -> Attempt<Vec<Option<u64>>> {
    let volume = grid.volume;
    let few = volume < ctx.options.several;
    if ctx.crew().is_some() && ctx.session.tables.is_none() && (alone || few) {
        // What is kept nowhere one process works out faster.
        return Err(if alone { Refusal::Ordered } else { Refusal::FewForSeveral }.into());
    }
    let boxes = if alone || volume > Blocks::VOLUME { vec![] } else { vec![None] };
    if ctx.options.spread == Policy::Always {
        return Ok(vec![Some(u64::MAX)]);
    }
    if ctx.options.spread == Policy::Never || ordered && by_tables::is_worth_a_box(ctx, plan, volume) {
        return Ok(boxes);
    }
    if !boxes.is_empty()
        && let Some(folder) = on_disk::folder(ctx, plan.instance, kind(misere, false), grid, &plan.part.start)?
    {
        if folder.read_note().map_err(bare)?.is_some() {
            // What was begun is gone on with.
            return Ok(boxes);
        }
        folder.discard().map_err(bare)?;
    }
    let counted = met_first(ctx, plan.instance, grid, rank)?;
    let few = volume / BOX_SPARSE;
    Ok(match counted {
        Counted::All(_) if ctx.session.tables.is_none() => return Err(Refusal::FewForSeveral.into()),
        Counted::All(_) => vec![Some(u64::MAX)],
        Counted::Many => boxes,
        Counted::More(_) if boxes.is_empty() && !ordered => vec![Some(u64::MAX)],
        Counted::More(_) => [vec![Some(few)], boxes].concat(),
    })
}

/// What is known of the states of a box that are met after a part of them was: in each case these.
pub(super) enum Counted {
    /// They are all, and few of the box.
    All(HashSet<u64>),
    /// There are more of them, and they may be few of the box.
    More(HashSet<u64>),
    /// Many states of the box are met.
    Many,
}

/// Meets states of a box from a rank, some millions at most: some tenths of a second.
pub(super) fn met_first(ctx: &mut Context, instance: InstanceId, grid: &Grid, rank: u64) -> Attempt<Counted> {
    /// Bytes of a state in a set that grows, and of one that waits.
    const STATE: u64 = 64;
    let (few, several) = (grid.volume / BOX_SPARSE, ctx.options.several);
    let rules = ctx.box_rules(instance)?;
    let counted = few.min(BOX_MET).min(several).min(rules.free() / STATE);
    let met = reached_first(&rules, &Expander::new(&rules, grid)?, rank, counted)?;
    Ok(match met.len() as u64 {
        count if count <= counted => Counted::All(met),
        _ if few <= counted => Counted::Many,
        _ => Counted::More(met),
    })
}

/// Whether there is the memory for one process to fill a table in order, which takes it less time than several.
fn is_for_one(ctx: &Context, plan: &Plan, spans: &[Span]) -> bool {
    ctx.options.several > 0
        && by_tables::table_bytes(ctx, plan, spans) <= ctx.limits.memory.saturating_sub(ctx.bytes()) as u64
}

/// Whether a table that is filled in order fits.
pub(super) fn is_ordered(ctx: &mut Context, plan: &Plan, likely: &Likely) -> bool {
    !plan.part.cyclic && (ends_by_rules(ctx, plan.instance) || !likely.is_without_order(plan))
}

/// Whether the rules of an instance's game show that every play ends.
fn ends_by_rules(ctx: &mut Context, instance: InstanceId) -> bool {
    let (game, program) = (ctx.store.instances[instance].game, ctx.session.program.clone());
    *ctx.memo.ending.entry(game).or_insert_with(|| always_ends(&program, game))
}

/// Works a box out, or takes what a folder has of it; whether it knows the component.
fn solved(
    ctx: &mut Context,
    id: ComponentId,
    misere: bool,
    extent: &Extent<'_>,
    folder: Option<&Folder>,
) -> Attempt<bool> {
    let instance = ctx.store.instance_of[id.index()];
    if let Some(folder) = folder
        && folder.read_note().map_err(bare)?.is_none()
    {
        let parts = ctx.crew().map_or(1, |crew| crew.count() as u64);
        // How many are met is not known yet.
        let volume = if extent.met.is_some() { 0 } else { extent.grid.volume };
        folder.check_room(Blocks::on_disk(volume / parts)).inspect_err(|_| _ = folder.discard())?;
    }
    if let Some(crew) = ctx.crew().cloned().filter(|crew| crew.leads()) {
        ctx.box_rules(instance)?;
        let start = ctx.store.state_words(id).ok_or(Refusal::StatesNoWords)?;
        let rules = on_disk::rules(ctx, instance);
        let Extent { grid, joined, met } = *extent;
        let work =
            Work { misere, joined: joined.to_vec(), met, space: kept::noted(grid), start, rules, data: crew.data() };
        Order::Work(serde_json::to_value(&work).unwrap_or_default()).give(&crew).map_err(bare)?;
    }
    let with = (folder.cloned(), ctx.crew().cloned());
    match refusal(cyclic::in_blocks(ctx, instance, extent, misere, with))? {
        Ok(blocks) => {
            ctx.memo.solved.insert((instance, misere), Solved::Boxed(Box::new(blocks)));
            Ok(cyclic::outcome(ctx, id, misere)?.is_some())
        }
        Err(why) => {
            folder.map_or(Ok(()), Folder::discard).map_err(bare)?;
            Err(why.into())
        }
    }
}

/// What several processes work out.
#[derive(Serialize, Deserialize)]
struct Work {
    misere: bool,
    /// Which fields change by exclusive ors.
    joined: Vec<bool>,
    /// Only what is met from a rank, so many states at most.
    met: Option<(u64, u64)>,
    /// The box.
    space: Json,
    /// The state that it is for.
    start: Vec<i64>,
    /// A digest of the rules and the forms of the fields, and digests of the data that they read.
    rules: Json,
    data: Vec<String>,
}

/// Boxes of which this process has a part, by their numbers.
#[derive(Debug, Default)]
pub struct Parts(HashMap<u32, Blocks>);

/// Does what the first process orders until it has its answer: by every other process, about the same position. Errors: of
/// this process, told to all.
pub fn serve(ctx: &mut Context, position: &Position, crew: &Crew, parts: &mut Parts) -> Run<()> {
    let (root, Parts(boxes)) = (Root::new(ctx, position)?, parts);
    loop {
        let order = Order::take(crew).map_err(bare)?;
        let job = match &order {
            Order::Over => return Ok(()),
            Order::Work(work) => {
                let work = serde_json::from_value(work.clone()).map_err(|_| bare(told_wrong()))?;
                // Errors are the first one's to tell.
                if let Ok(blocks) = begin(ctx, &root, &work, crew) {
                    boxes.insert(blocks.job(), blocks);
                }
                continue;
            }
            Order::Read(job, _) | Order::Values(job, _) | Order::Leads(job, _) | Order::Forget(job) => *job,
        };
        let forgotten = matches!(order, Order::Forget(_));
        let done = match boxes.get(&job) {
            _ if forgotten => Ok(()),
            Some(blocks) => blocks.obey(&ctx.limits, &order),
            None => Err(Blocks::fail(crew, Halt::Fault(told_wrong()).into())),
        };
        if done.is_err() || forgotten {
            boxes.remove(&job);
        }
    }
}

/// What each process has, if all have; else all fail, and say whose error it is. Called by all at the same place.
pub fn all_can<T>(crew: &Crew, own: Result<T, Diagnostic>) -> Result<T, Diagnostic> {
    let own = own.map_err(|error| Halt::Error(Box::new(error)).into());
    Blocks::together(crew, own).map_err(|why| match why {
        Failure::Halted(Halt::Error(error)) => *error,
        Failure::Halted(Halt::Fault(fault)) => fault.bare(),
        Failure::Halted(Halt::Deopt(_)) | Failure::Refused(_) => told_wrong().bare(),
    })
}

/// Tells the other processes that the question is answered: by the first one.
pub fn dismiss(crew: &Crew) -> Result<(), Fault> {
    Order::Over.give(crew)
}

fn told_wrong() -> Fault {
    Fault::new(Code::L02, "another process tells what this one does not know")
}

/// Takes part in working a box out.
fn begin(ctx: &mut Context, root: &Root, work: &Work, crew: &Crew) -> Attempt<Blocks> {
    let mut prepared = || -> Attempt<(InstanceId, Grid, Option<Folder>)> {
        let &[id] = &root.ids[..] else { return Err(Halt::Fault(told_wrong()).into()) };
        let instance = ctx.store.instance_of[id.index()];
        // What a short search finds is of use there; the box is the first one's to choose.
        refusal(Plan::new(ctx, id).map(|_| ()))?.ok();
        ctx.box_rules(instance)?;
        if on_disk::rules(ctx, instance) != work.rules || crew.data().iter().any(|own| !work.data.contains(own)) {
            return Err(Halt::Fault(Fault::new(Code::D02, "the rules, or data that they read, are others here")).into());
        }
        let grid = kept::restored(&work.space)?;
        let folder = on_disk::folder(ctx, instance, kind(work.misere, work.met.is_some()), &grid, &work.start)?;
        Ok((instance, grid, folder))
    };
    let prepared = prepared();
    let (instance, grid, folder) = match prepared {
        Ok(prepared) => prepared,
        Err(why) => return Err(Blocks::fail(crew, why)),
    };
    let with = (folder.clone(), ctx.crew().cloned());
    let extent = Extent { grid: &grid, joined: &work.joined, met: work.met };
    let made = refusal(cyclic::in_blocks(ctx, instance, &extent, work.misere, with))?;
    if let (Err(_), Some(folder)) = (&made, folder) {
        folder.discard()?;
    }
    Ok(made?)
}

/// What a table of blocks is of, as its folder says it.
fn kind(misere: bool, spread: bool) -> &'static str {
    match (spread, misere) {
        (false, false) => "loopy",
        (false, true) => "loopy-misere",
        (true, false) => "spread",
        (true, true) => "spread-misere",
    }
}
