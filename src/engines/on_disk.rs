//! Tables that are kept in a directory: which of them know a component, and where new ones go.
//!
//! A table is told by what its rules depend on besides the game file, its inputs and data, by its kind and its box. Where no
//! directory is given nothing is kept. Tables that are filled in order are made as without a directory
//! (`by_tables`), but for where their cells are. Of a game whose plays can come back the engine here works the whole box out in
//! blocks; it tells who wins after how many moves, and no values.

use crate::answer::{GrundyValue, Method, Outcome};
use crate::bytecode::layout::FieldLayout;
use crate::bytecode::{InstanceId, WordType};
use crate::disk::{Folder, Made, digest};
use crate::engines::by_tables::{Plan, grow};
use crate::engines::cyclic;
use crate::engines::engine::{Engine, Question, Reason, Solution, for_mover, internal_error};
use crate::engines::query::{Root, RootMove};
use crate::engines::score::is_scored;
use crate::engines::values::ends_play;
use crate::graph_search::blocks::Blocks;
use crate::input::json::to_json;
use crate::memo::Decided;
use crate::source::Code;
use crate::store::ComponentId;
use crate::tables::expand::{ENDED, RANKS, STOP};
use crate::tables::{Dense, Expander, Grid, Kind, Rows, Span, Table, kept};
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
        Ok(match (&ctx.session.tables, question.single()) {
            (None, _) => Err("no directory for tables is given".into()),
            (_, None) => Err("not one component".into()),
            _ if is_scored(ctx, question.root) => Err("a scoring game".into()),
            _ => Ok(()),
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
        let instance = ctx.store.instance_of[id.index()];
        let Some(Decided { outcome, remoteness }) = known(ctx, id, misere)? else { return Err(internal_error()) };
        let positions = ctx.memo.blocks.get(&(instance, misere)).map_or(0, Blocks::positions);
        let judge = move |ctx: &mut Context, root: &Root, mv: &RootMove| {
            let [id] = root.key_after(mv)[..] else { return Err(internal_error()) };
            Ok(for_mover(known(ctx, id, misere)?.ok_or_else(internal_error)?.outcome, mv.keeps_turn()))
        };
        let solution = Solution::new(outcome, Method::Retrograde, positions, judge);
        let mut solution = solution.with_remoteness(Some(remoteness.into()));
        if !misere && ends_play(ctx, question.root).is_none() {
            // A position is lost just when its value is 0 (Smith, Graphs and composite games, 1966).
            solution.grundy = (outcome == Outcome::Second).then_some(GrundyValue::Nimber(0));
            solution.no_value = Some("tables in a directory hold no values of plays that can come back".to_string());
        }
        Ok(Ok(solution))
    }
}

/// What blocks that were worked out or read say of a component.
fn known(ctx: &Context, id: ComponentId, misere: bool) -> Run<Option<Decided>> {
    let blocks = ctx.memo.blocks.get(&(ctx.store.instance_of[id.index()], misere));
    match (blocks, ctx.store.state_words(id)) {
        (Some(blocks), Some(words)) => blocks.read(&words).map_err(bare),
        _ => Ok(None),
    }
}

/// Makes sure that blocks know a component: those at hand, those of the directory, or new ones.
fn worked_out(ctx: &mut Context, id: ComponentId, misere: bool) -> Attempt<()> {
    if known(ctx, id, misere)?.is_some() {
        return Ok(());
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
        if grid.rank(&words).is_some() && solved(ctx, id, misere, (&grid, &joined), folder)? {
            return Ok(());
        }
    }
    let plan = Plan::new(ctx, id)?;
    if plan.part.whole {
        return Err(Refusal::Few.into());
    }
    if !plan.part.cyclic {
        // Another kind of table fits.
        return Err(Refusal::NoOrder.into());
    }
    let mut spans = likely_box(ctx, &plan)?;
    for _ in 0..BOX_TRIES {
        let (grid, joined) = cyclic::box_of(ctx, &plan, &spans).ok_or(Refusal::ManyStates)?;
        ctx.judged_code(instance)?;
        let Some(dir) = &ctx.session.tables else { return Err(Refusal::NoOrder.into()) };
        let folder = dir.folder(&made(ctx, instance, kind, kept::noted(&grid), &words)).map_err(bare)?;
        if solved(ctx, id, misere, (&grid, &joined), folder)? {
            return Ok(());
        }
        if !grow(&mut spans, &plan.limits) {
            break;
        }
    }
    Err(Refusal::Outside.into())
}

/// A box that is expected to hold all that is reached: one too small was work for nothing, and so is what is too large of another.
///
/// Many plays at random say more than a short search. Then states of the box at random: where no move of theirs leaves it, after
/// it was made a little larger, it is one that no play leaves. Where it would grow too much its states are not all
/// reached, and what was seen is the better guess.
fn likely_box(ctx: &mut Context, plan: &Plan) -> Attempt<Vec<Span>> {
    const STATES: usize = 1 << 10;
    const MOVES: usize = 1 << 8;
    const ROUNDS: usize = 1 << 6;
    const GROWTH: u64 = 16;
    // The same plays whenever the work is begun again.
    let mut random = fastrand::Rng::with_seed(1);
    let mut seen = plan.spans(&plan.part.most);
    let Some((expander, mut rows)) = wide_expander(ctx, plan, &seen)? else { return Ok(seen) };
    let start = expander.grid().rank(&plan.part.start).ok_or(Refusal::StartOutside)?;
    let mut plays = vec![start; STATES];
    for _ in 0..MOVES {
        ctx.limits.check_clock()?;
        expander.expand_known(&plays, &mut rows)?;
        for (i, at) in plays.iter_mut().enumerate() {
            let row = rows.row(i);
            let to = if row.is_empty() { None } else { row.get(random.usize(..row.len())) };
            // A play that is over begins again.
            *at = to.filter(|&to| to & (STOP | ENDED) == 0).map_or(start, |to| to & (RANKS - 1));
            reach(&mut seen, plan, &expander.grid().words(*at));
        }
    }
    let volume = |spans: &[Span]| spans.iter().fold(1u64, |volume, span| volume.saturating_mul(span.size));
    let most = volume(&seen).saturating_mul(GROWTH);
    let mut closed = seen.clone();
    let mut calm = 0;
    for _ in 0..ROUNDS {
        let Some((expander, mut rows)) = wide_expander(ctx, plan, &closed)? else { return Ok(seen) };
        while calm < 2 {
            ctx.limits.check_clock()?;
            let mut state = || {
                let mut word = |span: &Span| span.least.saturating_add_unsigned(random.u64(..span.size));
                closed.iter().map(&mut word).collect::<Vec<_>>()
            };
            let states: Vec<u64> = (0..STATES).filter_map(|_| expander.grid().rank(&state())).collect();
            expander.expand_known(&states, &mut rows)?;
            let before = volume(&closed);
            for &entry in rows.all().iter().filter(|&entry| entry & (STOP | ENDED) == 0) {
                reach(&mut closed, plan, &expander.grid().words(entry & (RANKS - 1)));
            }
            if volume(&closed) > most {
                return Ok(seen);
            }
            if volume(&closed) > before {
                calm = 0;
                break;
            }
            calm += 1;
        }
        if calm == 2 {
            return Ok(closed);
        }
    }
    Ok(seen)
}

/// Native code for the options of the states of a box with room around it.
fn wide_expander(ctx: &mut Context, plan: &Plan, spans: &[Span]) -> Attempt<Option<(Expander, Rows)>> {
    let mut wide = spans.to_vec();
    (0..2).for_each(|_| _ = grow(&mut wide, &plan.limits));
    let Some(grid) = Grid::plain(&wide) else { return Ok(None) };
    let rules = ctx.box_rules(plan.instance)?;
    Ok(Some((Expander::new(&rules, &grid)?, Rows::new())))
}

/// Makes a box hold a state.
fn reach(spans: &mut [Span], plan: &Plan, words: &[i64]) {
    for ((span, &word), limit) in spans.iter_mut().zip(words).zip(&plan.limits) {
        let last = span.last().max(word);
        *span = Span { least: span.least.min(word), size: 1, sure: span.sure };
        span.reach(last);
        span.size = limit.size(span.size);
    }
}

/// Works a box out, or takes what a folder has of it; whether it knows the component.
fn solved(
    ctx: &mut Context,
    id: ComponentId,
    misere: bool,
    (grid, joined): (&Grid, &[bool]),
    folder: Folder,
) -> Attempt<bool> {
    let instance = ctx.store.instance_of[id.index()];
    let block_bits = ctx.options.block_bits;
    if folder.read_note().map_err(bare)?.is_none() {
        folder.check_room(Blocks::on_disk(grid.volume)).inspect_err(|_| _ = folder.discard())?;
    }
    let made = Blocks::solve(&ctx.box_rules(instance)?, grid, joined, misere, block_bits, Some(folder.clone()));
    match refusal(made).map_err(placeless)? {
        Ok(blocks) => {
            ctx.memo.blocks.insert((instance, misere), blocks);
            Ok(known(ctx, id, misere)?.is_some())
        }
        Err(why) => {
            folder.discard().map_err(bare)?;
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
    let mut rules: String = of.params.iter().map(|value| format!("{}\n", to_json(value))).collect();
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
