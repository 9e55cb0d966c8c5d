//! Tables that are kept in a directory: which of them know a component, and where new ones go.
//!
//! A table is told by what its rules depend on besides the game file, its inputs and data, by its kind and its box. Where no
//! directory is given nothing is kept. Tables that are filled in order are made as without a directory
//! (`by_tables`), but for where their cells are. Of a game whose plays can come back the engine here works the whole box out in
//! blocks; it tells who wins after how many moves, and no values.

use crate::analysis::termination::always_ends;
use crate::answer::{GrundyValue, Method, Outcome};
use crate::bytecode::layout::FieldLayout;
use crate::bytecode::{InstanceId, WordType};
use crate::disk::{Folder, Made, digest};
use crate::engines::by_tables::{Plan, grow};
use crate::engines::cyclic;
use crate::engines::engine::{Engine, PlanLines, Question, Reason, Solution, for_mover, internal_error};
use crate::engines::likely_box::{is_without_order, likely_box};
use crate::engines::query::{Root, RootMove};
use crate::engines::score::is_scored;
use crate::engines::space::Met;
use crate::engines::values::ends_play;
use crate::graph_search::blocks::Blocks;
use crate::input::json::to_json;
use crate::memo::Decided;
use crate::source::Code;
use crate::store::ComponentId;
use crate::tables::{Dense, Grid, Kind, Table, kept};
use crate::tuning::BOX_TRIES;
use crate::value::refusal::{Attempt, Refusal, refusal};
use crate::value::{Fault, Halt, Run};
use crate::vm::context::Context;
use serde_json::Value as Json;
use std::fmt::Write;

/// A finished table that knows a component.
pub(super) fn finished(ctx: &Context, id: ComponentId, kind: Kind) -> Run<Option<Table>> {
    let Some(dir) = &ctx.session.tables else { return Ok(None) };
    let instance = ctx.store.instance_of[id.index()];
    let Some(words) = ctx.store.state_words(id) else { return Ok(None) };
    let sums = (kind == Kind::GrundyFar).then_some(Kind::Grundy);
    for kind in [Some(kind), sums].into_iter().flatten() {
        let made = made(ctx, instance, name(kind), Json::Null, &words);
        for (folder, space, _) in dir.finished(&made).map_err(bare)? {
            let grid = kept::restored(&space).map_err(bare)?;
            if grid.rank(&words).is_some() {
                let table = Dense::finished(folder, grid, kind, &ctx.limits).map_err(placeless)?;
                if table.read(&words).is_some() {
                    return Ok(Some(Table::Dense(table)));
                }
            }
        }
    }
    Ok(None)
}

/// Where a table of a box goes that is made for this state; `None`: it is not kept.
pub(super) fn folder(
    ctx: &Context,
    instance: InstanceId,
    kind: Kind,
    grid: &Grid,
    start: &[i64],
) -> Run<Option<Folder>> {
    let Some(dir) = &ctx.session.tables else { return Ok(None) };
    dir.folder(&made(ctx, instance, name(kind), kept::noted(grid), start)).map(Some).map_err(bare)
}

/// Why no table is kept.
pub(crate) fn why_none(ctx: &Context) -> String {
    let noted = ctx.session.tables.as_ref().and_then(|dir| dir.refused());
    let refused = || ctx.memo.table_refusals.values().next().map(ToString::to_string);
    let why = noted.or_else(refused);
    why.unwrap_or_else(|| "the positions are few, or are answered without a table".to_string())
}

/// Outcomes of all states of one component whose plays can come back, in blocks that are kept in a directory.
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
    let finished = match &ctx.session.tables {
        Some(dir) => dir.finished(&made(ctx, instance, kind, Json::Null, &words)).map_err(bare)?,
        None => Vec::new(),
    };
    for (folder, space, _) in finished {
        let grid = kept::restored(&space).map_err(bare)?;
        if grid.rank(&words).is_some() && solved(ctx, id, misere, (&grid, &joined), Some(&folder))? {
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
        let folder = if let Some(dir) = &ctx.session.tables {
            Some(dir.folder(&made(ctx, instance, kind, kept::noted(&grid), &words)).map_err(bare)?)
        } else {
            let start = grid.rank(&words).ok_or(Refusal::StartOutside)?;
            if cyclic::is_sparse(&ctx.box_rules(instance)?, &grid, start)? {
                return Err(Refusal::UnlikeMoves.into());
            }
            None
        };
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

/// An error that is nobody's in the game file has no place there.
pub(super) fn placeless(halt: Halt) -> Halt {
    match halt {
        Halt::Fault(fault) if fault.code == Code::D03 => bare(fault),
        other => other,
    }
}

fn bare(fault: Fault) -> Halt {
    Halt::Error(Box::new(fault.bare()))
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Grundy => "values",
        Kind::GrundyFar => "remote",
        Kind::Outcome { misere: false } | Kind::Wins { misere: false } => "outcomes",
        Kind::Outcome { misere: true } | Kind::Wins { misere: true } => "misere",
        Kind::Score => "scores",
    }
}

fn made(ctx: &Context, instance: InstanceId, kind: &str, space: Json, start: &[i64]) -> Made {
    let of = &ctx.store.instances[instance];
    let mut rules = Json::Array(of.params.iter().map(to_json).collect()).to_string();
    of.forms.iter().for_each(|form| tell(ctx, form, &mut rules));
    Made {
        game: ctx.session.program.games[of.game.0].name.clone(),
        rules: digest(rules.as_bytes()).into(),
        kind: kind.to_string(),
        space,
        start: start.to_vec(),
    }
}

/// How a field lies in words, and what these mean.
fn tell(ctx: &Context, form: &FieldLayout, out: &mut String) {
    // A String takes all that is written to it.
    let _ = match form {
        FieldLayout::Value => write!(out, "value "),
        FieldLayout::Word(WordType::Int) => write!(out, "int "),
        FieldLayout::Word(WordType::Bool) => write!(out, "bool "),
        FieldLayout::Word(WordType::Member(domain)) => write!(out, "member {:?} ", ctx.store.domains.get(*domain)),
        FieldLayout::Word(WordType::Mask(domain)) => write!(out, "set {:?} ", ctx.store.domains.get(*domain)),
        FieldLayout::Parts(whole, parts) => {
            let _ = write!(out, "{whole:?} {} ", parts.len());
            parts.iter().for_each(|part| tell(ctx, part, out));
            Ok(())
        }
    };
}
