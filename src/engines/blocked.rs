//! One component of which tables are kept in a directory, and whose plays can come back: all states of its box, in blocks. Who
//! wins, after how many moves, and the loopy value.
//!
//! It is asked before searches position by position, of which nothing would be kept; and it guesses the box from a sample.

use crate::analysis::termination::always_ends;
use crate::bytecode::InstanceId;
use crate::disk::Folder;
use crate::engines::by_tables::{Plan, grow};
use crate::engines::engine::{Engine, PlanLines, Question, Reason, Solution, Wanted, internal_error};
use crate::engines::likely_box::{is_without_order, likely_box};
use crate::engines::on_disk::bare;
use crate::engines::score::is_scored;
use crate::engines::space::Met;
use crate::engines::values;
use crate::engines::whole::graph_solution;
use crate::engines::{cyclic, on_disk};
use crate::graph_search::Solved;
use crate::graph_search::blocks::Blocks;
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
        Ok(match question.single() {
            _ if ctx.session.tables.is_none() => Err("no tables are kept".into()),
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
        Ok(vec![(name.to_string(), fit)])
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
    let kind = if misere { "loopy-misere" } else { "loopy" };
    let words = ctx.store.state_words(id).ok_or(Refusal::StatesNoWords)?;
    let joined = ctx.store.joined_fields(instance);
    for (folder, grid) in on_disk::finished_boxes(ctx, instance, kind, &words)? {
        if solved(ctx, id, misere, (&grid, &joined), &folder)? {
            return Ok(());
        }
    }
    if ctx.session.tables.as_ref().is_none_or(|dir| dir.is_read_only()) {
        return Err(Refusal::NoOrder.into());
    }
    let plan = Plan::new(ctx, id)?;
    if plan.part.whole {
        return Err(Refusal::Few.into());
    }
    cyclic::note_ends(ctx, id, plan.part.met);
    if !plan.part.cyclic && (ends_by_rules(ctx, instance) || !is_without_order(ctx, &plan)?) {
        // Another kind of table fits.
        return Err(Refusal::NoOrder.into());
    }
    let (mut spans, met) = likely_box(ctx, &plan, &plan.part.most)?;
    cyclic::note_ends(ctx, id, met);
    for _ in 0..BOX_TRIES {
        let (grid, joined) = cyclic::box_of(ctx, &plan, &spans).ok_or(Refusal::ManyStates)?;
        if grid.volume > Blocks::VOLUME {
            return Err(Refusal::ManyStates.into());
        }
        ctx.judged_code(instance)?;
        let folder = on_disk::folder(ctx, instance, kind, &grid, &words)?.ok_or(Refusal::NoOrder)?;
        let was_done = folder.is_done().map_err(bare)?;
        if solved(ctx, id, misere, (&grid, &joined), &folder)? {
            return Ok(());
        }
        ctx.memo.solved.remove(&(instance, misere));
        if !was_done {
            // It was made for this position, and is too small for it.
            folder.discard().map_err(bare)?;
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
    folder: &Folder,
) -> Attempt<bool> {
    let instance = ctx.store.instance_of[id.index()];
    if folder.read_note().map_err(bare)?.is_none() {
        folder.check_room(Blocks::on_disk(grid.volume)).inspect_err(|_| _ = folder.discard())?;
    }
    match refusal(cyclic::in_blocks(ctx, instance, (grid, joined), misere, Some(folder.clone())))? {
        Ok(blocks) => {
            ctx.memo.solved.insert((instance, misere), Solved::Boxed(Box::new(blocks)));
            Ok(cyclic::outcome(ctx, id, misere)?.is_some())
        }
        Err(why) => {
            folder.discard().map_err(bare)?;
            Err(why.into())
        }
    }
}
