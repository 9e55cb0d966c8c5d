//! One component whose plays can come back: who wins and after how many moves, of all states of its box, in blocks.
//!
//! Where a directory for tables is given the blocks are kept there. Without one this is for positions that have no Grundy value,
//! which blocks do not tell: misere play, and games of which a short search sees an end of the play or a move that
//! keeps the turn. Measured against the graph of the box, one thread: five tokens on a ring of 32 places that block each
//! other 2.8 s and 194 MB against 15.8 s and 417 MB.

use crate::analysis::termination::always_ends;
use crate::answer::{GrundyValue, Method, Outcome};
use crate::bytecode::InstanceId;
use crate::disk::Folder;
use crate::engines::by_tables::{Plan, grow};
use crate::engines::engine::{Engine, PlanLines, Question, Reason, Solution, for_mover, internal_error};
use crate::engines::likely_box::{is_without_order, likely_box};
use crate::engines::on_disk::{bare, placeless};
use crate::engines::query::{Root, RootMove};
use crate::engines::score::is_scored;
use crate::engines::space::Met;
use crate::engines::values::ends_play;
use crate::engines::{cyclic, on_disk};
use crate::graph_search::blocks::Blocks;
use crate::memo::Decided;
use crate::store::ComponentId;
use crate::tables::Grid;
use crate::tuning::BOX_TRIES;
use crate::value::Run;
use crate::value::refusal::{Attempt, Refusal, refusal};
use crate::vm::context::Context;

/// See the module.
pub(crate) struct Blocked;

impl Engine for Blocked {
    fn fits(&self, ctx: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        let values = !question.root.mode.misere && ends_play(ctx, question.root).is_none();
        Ok(match question.single() {
            None => Err("not one component".into()),
            _ if is_scored(ctx, question.root) => Err("a scoring game".into()),
            _ if ctx.session.tables.is_some() => Ok(()),
            // Where many positions are asked about each had its box.
            _ if question.answer.is_none() || !ctx.options.blocked => Err("one of many questions".into()),
            _ if values => Err("it may have a Grundy value, which blocks do not tell".into()),
            _ => Ok(()),
        })
    }

    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let Some(id) = question.single() else { return Ok(Err("not one component".into())) };
        let misere = question.root.mode.misere;
        let seen = match refusal(worked_out(ctx, id, misere))? {
            Ok(seen) => seen,
            Err(why) => {
                if let (Some(dir), true) = (&ctx.session.tables, why != Refusal::NoOrder) {
                    dir.refuse(&why);
                }
                return Ok(Err(why.to_string().into()));
            }
        };
        let instance = ctx.store.instance_of[id.index()];
        let Some(Decided { outcome, remoteness }) = known(ctx, id, misere)? else { return Err(internal_error()) };
        let positions = ctx.memo.blocks.get(&(instance, misere)).map_or(0, Blocks::positions);
        let judge = move |ctx: &mut Context, root: &Root, mv: &RootMove| {
            let [id] = root.key_after(mv)[..] else { return Err(internal_error()) };
            Ok(for_mover(known(ctx, id, misere)?.ok_or_else(internal_error)?.outcome, mv.keeps_turn()))
        };
        let solution = Solution::new(outcome, Method::Retrograde, positions, judge);
        let mut solution = solution.with_remoteness(Some(remoteness.into()));
        let why = match seen.forbids_grundy().or_else(|| ends_play(ctx, question.root)) {
            _ if misere => "it is played in misere",
            Some(why) => why,
            None => {
                // A position is lost just when its value is 0 (Smith, Graphs and composite games, 1966).
                solution.grundy = (outcome == Outcome::Second).then_some(GrundyValue::Nimber(0));
                "tables in a directory hold values only where all moves go down in some order of the fields"
            }
        };
        solution.no_value = Some(why.to_string());
        Ok(Ok(solution))
    }

    fn plan(&self, ctx: &mut Context, question: &Question, name: &str) -> Run<PlanLines> {
        let mut fit = self.fits(ctx, question)?;
        if let (Ok(()), Some(id)) = (&fit, question.single())
            && let Err(why) = refusal(Plan::new(ctx, id)).map(|plan| plan.map(|plan| plan.part.whole))?.and_then(few)
        {
            fit = Err(why.to_string().into());
        }
        Ok(vec![(name.to_string(), fit)])
    }
}

fn few(whole: bool) -> Result<(), Refusal> {
    if whole { Err(Refusal::Few) } else { Ok(()) }
}

/// What blocks that were worked out or read say of a component.
fn known(ctx: &Context, id: ComponentId, misere: bool) -> Run<Option<Decided>> {
    let blocks = ctx.memo.blocks.get(&(ctx.store.instance_of[id.index()], misere));
    match (blocks, ctx.store.state_words(id)) {
        (Some(blocks), Some(words)) => blocks.read(&words).map_err(bare),
        _ => Ok(None),
    }
}

/// Makes sure that blocks know a component: those at hand, those of the directory, or new ones. What was seen on the way that
/// forbids Grundy values.
fn worked_out(ctx: &mut Context, id: ComponentId, misere: bool) -> Attempt<Met> {
    let kept = ctx.session.tables.is_some();
    let is_known = known(ctx, id, misere)?.is_some();
    if is_known && (kept || misere) {
        return Ok(Met::default());
    }
    let instance = ctx.store.instance_of[id.index()];
    let kind = if misere { "loopy-misere" } else { "loopy" };
    let words = ctx.store.state_words(id).ok_or(Refusal::StatesNoWords)?;
    let joined = ctx.store.joined_fields(instance);
    for (folder, grid) in on_disk::finished_boxes(ctx, instance, kind, &words)? {
        if solved(ctx, id, misere, (&grid, &joined), Some(&folder))? {
            return Ok(Met::default());
        }
    }
    let plan = Plan::new(ctx, id)?;
    if plan.part.whole {
        return Err(Refusal::Few.into());
    }
    if !kept && !misere && plan.part.met.forbids_grundy().is_none() {
        // It may have a Grundy value.
        return Err(Refusal::NoOrder.into());
    }
    if is_known {
        return Ok(plan.part.met);
    }
    if !plan.part.cyclic && (ends_by_rules(ctx, instance) || !is_without_order(ctx, &plan)?) {
        // Another kind of table fits.
        return Err(Refusal::NoOrder.into());
    }
    let mut spans = likely_box(ctx, &plan, &plan.part.most)?;
    for _ in 0..BOX_TRIES {
        let (grid, joined) = cyclic::box_of(ctx, &plan, &spans).ok_or(Refusal::ManyStates)?;
        ctx.judged_code(instance)?;
        let folder = on_disk::folder(ctx, instance, kind, &grid, &words)?;
        if !kept {
            let start = grid.rank(&words).ok_or(Refusal::StartOutside)?;
            if cyclic::is_sparse(&ctx.box_rules(instance)?, &grid, start)? {
                return Err(Refusal::UnlikeMoves.into());
            }
        }
        if solved(ctx, id, misere, (&grid, &joined), folder.as_ref())? {
            return Ok(plan.part.met);
        }
        if !grow(&mut spans, &plan.limits) {
            break;
        }
    }
    Err(Refusal::Outside.into())
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
    (grid, joined): (&Grid, &[bool]),
    folder: Option<&Folder>,
) -> Attempt<bool> {
    let instance = ctx.store.instance_of[id.index()];
    let block_bits = ctx.options.block_bits;
    if let Some(folder) = folder
        && folder.read_note().map_err(bare)?.is_none()
    {
        folder.check_room(Blocks::on_disk(grid.volume)).inspect_err(|_| _ = folder.discard())?;
    }
    let made = Blocks::solve(&ctx.box_rules(instance)?, grid, joined, misere, block_bits, folder.cloned());
    match refusal(made).map_err(placeless)? {
        Ok(blocks) => {
            ctx.memo.blocks.insert((instance, misere), blocks);
            Ok(known(ctx, id, misere)?.is_some())
        }
        Err(why) => {
            if let Some(folder) = folder {
                folder.discard().map_err(bare)?;
            }
            Err(why.into())
        }
    }
}
