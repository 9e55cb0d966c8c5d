//! Tables of states worked out by native code: of whole boxes in the order of their ranks, else of the states met.
//!
//! A short search of the usual kind comes first. Its positions tell how large the fields are and in which order of the
//! fields every move goes down lexicographically (a lexicographic ranking function found greedily: Bradley, Manna, Sipma,
//! Linear Ranking with Reachability, 2005, section 4; here from samples). Neither needs to be right for all positions: the
//! table decides a position only when all its options are in the box and below it.
//!
//! Where a play comes back in that search, no table is begun. A table that is too small for a further position is made
//! anew only when the search has gone on for as long.
//!
//! Sweeps of tables and claims ask many questions about one game. Each is answered by a short search that knows the
//! answers before, until so much was searched that a table ahead of the questions costs less.

use crate::analysis::symmetry::interchangeable;
use crate::bytecode::{FieldReg, InstanceId};
use crate::engines::likely_box::{is_without_order, likely_box};
use crate::engines::on_disk;
use crate::engines::space::Met;
use crate::graph_search::blocks::Blocks;
use crate::memo::{QueryHistory, UNKNOWN};
use crate::model::kind;
use crate::store::{ComponentId, Extent};
use crate::tables::{self, Cell, Chain, Dense, Grid, Hashed, Kind, Span, Table};
use crate::tuning::{self, EARLY_CELLS, TABLE_CALLS, TABLE_MET, TABLE_SMALL, TABLE_SPARSE, TABLE_TRIES};
use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Refusal, refusal};
use crate::value::{Points, Run, width};
use crate::vm::context::Context;
use crate::vm::run::{MoveTarget, Options, Status};
use hashbrown::HashMap;

/// Makes a table that decides this component, if one can be made and the search is not short anyway.
pub(super) fn decide(ctx: &mut Context, id: ComponentId, kind: Kind) -> Run<bool> {
    let instance = ctx.store.instance_of[id.index()];
    if ctx.options.plain || ctx.memo.table_refusals.contains_key(&(instance, kind)) {
        return Ok(false);
    }
    if matches!(ctx.memo.tables.get(&(instance, kind)), Some(Table::Hashed(_)))
        && let Some(Table::Hashed(hashed)) = ctx.memo.tables.remove(&(instance, kind))
        && let Some(start) = ctx.store.state_words(id).and_then(|words| hashed.grid.rank(&words))
        && let Some(extended) = ctx.box_rules(instance).ok().map(|rules| hashed.extended(&rules, start))
        && let Ok(hashed) = refusal(extended)?
    {
        ctx.memo.tables.insert((instance, kind), Table::Hashed(hashed));
        return Ok(true);
    }
    match refusal(attempt(ctx, id, kind))? {
        Ok(table) => {
            let decided = ctx.store.state_words(id).is_some_and(|words| table.read(&words).is_some());
            ctx.memo.tables.insert((instance, table.cell().kind), table);
            Ok(decided)
        }
        Err(Refusal::Few | Refusal::ForNow) => Ok(false),
        Err(why) => {
            ctx.memo.table_refusals.insert((instance, kind), why);
            Ok(false)
        }
    }
}

/// Positions that may be asked about.
struct Ahead {
    /// The greatest words.
    most: Vec<i64>,
    /// The box has no more cells.
    cells: u64,
}

impl Ahead {
    /// Those up to twice as great as these words.
    fn twice(words: &[i64], cells: u64) -> Ahead {
        Ahead { most: words.iter().map(|word| word.saturating_mul(2).saturating_add(1)).collect(), cells }
    }

    /// A table does not know this position, since it is larger: others, larger by a quarter in the same fields, may come next.
    fn larger(ctx: &Context, plan: &Plan, kind: Kind) -> Option<Ahead> {
        let Some(Table::Dense(known)) = ctx.memo.tables.get(&(plan.instance, kind)) else { return None };
        let start = &plan.part.start;
        if ctx.session.tables.is_some() || ctx.limits.positions.is_some() || known.grid.rank(start).is_some() {
            return None;
        }
        let zeros = vec![0; start.len()];
        let reached = |(field, most): (usize, &i64)| {
            let mut alone = zeros.clone();
            alone[field] = start[field];
            let before = known.grid.digits.get(field).map_or(0, |digit| digit.span.last());
            if known.grid.rank(&alone).is_some() { before.max(*most) } else { most.saturating_add(most / 4) }
        };
        Some(Ahead { most: plan.part.most.iter().enumerate().map(reached).collect(), cells: u64::MAX })
    }
}

/// Makes a table for a component and others that may be asked about; `false`: there is none, or it does not know this one.
fn decide_ahead(ctx: &mut Context, id: ComponentId, kind: Kind, ahead: &Ahead) -> Run<bool> {
    let instance = ctx.store.instance_of[id.index()];
    if ctx.options.plain || ctx.memo.table_refusals.contains_key(&(instance, kind)) {
        return Ok(false);
    }
    let Ok(plan) = refusal(Plan::new(ctx, id))? else { return Ok(false) };
    if plan.part.cyclic {
        return Ok(false);
    }
    let made = refusal(whole_box(ctx, &plan, kind, Some(ahead)))?;
    Ok(made.map(|table| ctx.memo.tables.insert((instance, table.cell().kind), table)).is_ok())
}

/// What a table says of a component: the value and the remoteness.
fn cell(ctx: &Context, id: ComponentId, kind: Kind) -> Option<(u64, u64)> {
    let (instance, words) = (ctx.store.instance_of[id.index()], ctx.store.state_words(id)?);
    let within = |kind| ctx.memo.tables.get(&(instance, kind))?.read(&words);
    within(kind.whole()).or_else(|| within(kind))
}

/// The same of kinds whose values are small.
pub(super) fn read(ctx: &Context, id: ComponentId, kind: Kind) -> Option<(u32, u32)> {
    let (value, far) = cell(ctx, id, kind)?;
    Some((u32::try_from(value).ok()?, u32::try_from(far).ok()?))
}

/// The score of a component that a table of scores knows.
pub(super) fn score(ctx: &Context, id: ComponentId) -> Option<Points> {
    Some(cell(ctx, id, Kind::Score)?.0.cast_signed().into())
}

/// Whether there is a table of this kind for a component's instance.
pub(super) fn is_begun(ctx: &Context, id: ComponentId, kind: Kind) -> bool {
    ctx.memo.tables.contains_key(&(ctx.store.instance_of[id.index()], kind))
}

pub(super) fn known(ctx: &mut Context, id: ComponentId) -> bool {
    if ctx.memo.tables.is_empty() {
        return false;
    }
    let found =
        read(ctx, id, Kind::GrundyFar).or_else(|| read(ctx, id, Kind::Grundy).map(|(value, _)| (value, UNKNOWN)));
    let Some((value, far)) = found else { return false };
    ctx.memo.fit(ctx.store.instance_of.len());
    ctx.memo.grundy[id.index()] = value;
    ctx.memo.remoteness[id.index()] = far;
    true
}

pub(super) fn grows(ctx: &Context, id: ComponentId) -> bool {
    let instance = ctx.store.instance_of[id.index()];
    matches!(ctx.memo.tables.get(&(instance, Kind::GrundyFar)), Some(Table::Hashed(_)))
}

/// How many cells the tables of a component's instance have.
pub(super) fn positions(ctx: &Context, id: ComponentId) -> u64 {
    let instance = ctx.store.instance_of[id.index()];
    let of = |(at, dense): (&(InstanceId, Kind), &Table)| (at.0 == instance).then(|| dense.positions());
    ctx.memo.tables.iter().filter_map(of).max().unwrap_or(0)
}

/// What is known of an instance before a table or graph of its states is made.
pub(super) struct Plan {
    pub(super) instance: InstanceId,
    pub(super) part: Part,
    /// For each field whether it is never negative.
    pub(super) natural: Vec<bool>,
    /// For each field how many values it can have.
    pub(super) limits: Vec<Extent>,
}

impl Plan {
    /// Searches a little. The refusal says why native code cannot hold the states, or why they cannot be worked out together.
    pub(super) fn new(ctx: &mut Context, id: ComponentId) -> Attempt<Plan> {
        let instance = ctx.store.instance_of[id.index()];
        let natural = ctx.store.natural_fields(instance).ok_or(Refusal::StatesNoWords)?;
        let part = sample(ctx, id, &natural)?;
        Ok(Plan { instance, part, natural, limits: ctx.store.field_limits(instance) })
    }

    /// What fields must be able to hold for these words and those with a limit.
    pub(super) fn spans(&self, most: &[i64]) -> Vec<Span> {
        let span = |field: usize| {
            let sure = self.natural[field];
            let least = if sure { 0 } else { self.part.least[field].min(0) };
            let mut span = Span { least, size: 1, sure };
            span.reach(most[field]);
            Span { size: self.limits[field].size(span.size), ..span }
        };
        (0..most.len()).map(span).collect()
    }
}

/// A table. [`Refusal::Few`] and [`Refusal::ForNow`]: another search may get one.
fn attempt(ctx: &mut Context, id: ComponentId, kind: Kind) -> Attempt<Table> {
    if let Some(table) = on_disk::finished(ctx, id, kind)? {
        return Ok(table);
    }
    let plan = Plan::new(ctx, id)?;
    if plan.part.whole {
        return Err(Refusal::Few.into());
    }
    if plan.part.cyclic {
        return Err(Refusal::Cyclic.into());
    }
    let (fuel, steps_each) = (ctx.run.fuel, plan.part.steps.max(1));
    let narrow = |limits: &mut Limits| {
        // Native code counts no steps: their limit becomes one of positions.
        if let Some(steps) = limits.steps {
            let left = steps.saturating_sub(fuel) / steps_each;
            limits.positions = Some(limits.positions.map_or(left, |limit| limit.min(left)));
        }
    };
    ctx.under(narrow, |ctx| made(ctx, kind, plan))
}

/// Counts the work of a table of so many positions: native code takes no steps, but those of the sample, each some sixteen times as
/// fast, and it has to be made.
fn count(ctx: &mut Context, plan: &Plan, positions: u64) {
    /// Steps in which one instruction becomes native code.
    const MADE: u64 = 100;
    let instructions = ctx.judged_code(plan.instance).map_or(0, |code| code.ops.len() as u64);
    let run = positions.saturating_mul(plan.part.steps.max(16)) / 16;
    ctx.run.effort = ctx.run.effort.saturating_add(run).saturating_add(instructions * MADE);
}

fn made(ctx: &mut Context, kind: Kind, plan: Plan) -> Attempt<Table> {
    if kind != kind.whole() {
        let small = Ahead::twice(&plan.part.start, ctx.options.trial.saturating_mul(EARLY_CELLS));
        let whole = refusal(whole_box(ctx, &plan, kind.whole(), Some(&small)))?;
        return whole.or_else(|_| met_only(ctx, &plan, kind));
    }
    if let Some(ahead) = Ahead::larger(ctx, &plan, kind)
        && let Ok(table) = refusal(whole_box(ctx, &plan, kind, Some(&ahead)))?
        && table.read(&plan.part.start).is_some()
    {
        return Ok(table);
    }
    let why = match refusal(whole_box(ctx, &plan, kind, None))? {
        Ok(table) => return Ok(table),
        Err(why) => why,
    };
    let of_box = matches!(
        why,
        Refusal::NoOrder
            | Refusal::ManyStates
            | Refusal::Sparse { .. }
            | Refusal::CellLimit
            | Refusal::Undecided
            | Refusal::LargeValues
            | Refusal::PositionLimit
            | Refusal::Memory(_)
            | Refusal::Outside
    );
    if !of_box || kind == Kind::Score {
        return Err(why.into());
    }
    if let Refusal::NoOrder = why
        && ctx.options.in_depth
        && let Ok(table) = refusal(in_depth(ctx, &plan, kind))?
    {
        return Ok(table);
    }
    let sparse = if let Refusal::Sparse { volume, .. } = why { Some(volume) } else { None };
    match refusal(met_first(ctx, plan, kind, sparse))? {
        Err(Refusal::PositionLimit) if ctx.limits.positions.is_some() => Err(Refusal::ForNow.into()),
        made => Ok(made?),
    }
}

/// A table of a box in which no order was seen, filled depth first, where that is worth it.
fn in_depth(ctx: &mut Context, plan: &Plan, kind: Kind) -> Attempt<Table> {
    let Plan { instance, part, limits, .. } = plan;
    let mut spans = plan.spans(&part.most);
    let groups = groups(ctx, *instance, &mut spans);
    for _ in 0..TABLE_TRIES {
        let grid = Grid::plain(&spans).ok_or(Refusal::ManyStates)?.with_groups(&groups);
        if !worth_a_box(grid.volume, part.spread, 1) {
            return Err(Refusal::Sparse { one_in: part.spread, volume: grid.volume }.into());
        }
        let start = grid.rank(&part.start).ok_or(Refusal::StartOutside)?;
        let made = refusal(Dense::by_depth(&ctx.box_rules(*instance)?, &grid, kind, start))?;
        match made {
            Err(Refusal::Outside) if grow(&mut spans, limits) => {}
            made => {
                let made = made?;
                count(ctx, plan, made.positions());
                return Ok(Table::Dense(made));
            }
        }
    }
    Err(Refusal::Outside.into())
}

/// A table of the states met. A short search tells badly how many these are: where many are met of a box of
/// so many states, the table is made of the whole box after all. `sparse`: the states in the box, where the only reason
/// against it is that few of them seem to be met.
fn met_first(ctx: &mut Context, mut plan: Plan, kind: Kind, sparse: Option<u64>) -> Attempt<Table> {
    /// Bytes of a cell, while it is made.
    const CELL: u64 = 4;
    let whole = ctx.limits.positions;
    let room = ctx.limits.memory.saturating_sub(ctx.bytes()) as u64;
    let calls = cell_cost(ctx, plan.instance);
    let many = sparse.filter(|volume| volume.saturating_mul(CELL) < room).map(|volume| volume / (TABLE_MET / calls));
    let many = many.filter(|&many| whole.is_none_or(|whole| many < whole));
    let narrow = |limits: &mut Limits| limits.positions = many.or(whole);
    let met = ctx.under(narrow, |ctx| met_only(ctx, &plan, kind));
    match refusal(met)? {
        Err(Refusal::PositionLimit) if many.is_some() => {
            plan.part.spread = 1;
            refusal(whole_box(ctx, &plan, kind, None))?.or_else(|_| met_only(ctx, &plan, kind))
        }
        met => Ok(met?),
    }
}

fn whole_box(ctx: &mut Context, plan: &Plan, kind: Kind, ahead: Option<&Ahead>) -> Attempt<Table> {
    let Plan { instance, part, limits, .. } = plan;
    let mut spans = plan.spans(&part.most);
    if let Some(ahead) = ahead {
        for ((span, &most), limit) in spans.iter_mut().zip(&ahead.most).zip(limits) {
            span.reach(most);
            span.size = limit.size(span.size);
        }
    }
    let with_chains = ctx.options.chains;
    let (mut kind, mut chains, mut looked) = (kind, with_chains, false);
    for _ in 0..TABLE_TRIES {
        let (grid, spread) = ordered_box(plan, &spans, kind, chains)?;
        if let Some(ahead) = ahead
            && (grid.volume > ahead.cells || !is_cheap_in_the_middle(ctx, *instance, &spans, ahead.cells / grid.volume))
        {
            return Err(Refusal::ManyCells.into());
        }
        if !worth_a_box(grid.volume, spread, cell_cost(ctx, *instance)) {
            return Err(Refusal::Sparse { one_in: spread, volume: grid.volume }.into());
        }
        // The start, or in a box that it lies outside of the states that it leads to.
        let inside = grid.rank(&part.start).is_some();
        let wanted = if inside { std::slice::from_ref(&part.start) } else { &part.first[..] };
        let ranks: Option<Vec<u64>> = wanted.iter().map(|words| grid.rank(words)).collect();
        let upto = ranks.and_then(|ranks| ranks.into_iter().max()).ok_or(Refusal::StartOutside)?;
        let upto = if ahead.is_some() { grid.volume - 1 } else { upto };
        if ctx.session.tables.is_some() && upto >= Blocks::VOLUME {
            // No disk holds them.
            return Err(Refusal::ManyStates.into());
        }
        if ctx.limits.table().is_some_and(|limit| upto >= limit) {
            // Those that are met may be fewer.
            return Err(Refusal::CellLimit.into());
        }
        let lines = ctx.options.lines;
        count(ctx, plan, upto + 1);
        // Rules are made into code first: then their data is read.
        ctx.judged_code(*instance)?;
        let folder = if ahead.is_some() {
            None
        } else {
            on_disk::folder(ctx, *instance, on_disk::name(kind), &grid, &part.start)?
        };
        let made = Dense::new(&ctx.box_rules(*instance)?, grid, kind, upto, lines, folder);
        match refusal(made).map_err(on_disk::placeless)? {
            Ok(dense) if wanted.iter().all(|words| dense.read(words).is_some()) => return Ok(Table::Dense(dense)),
            // Values may ascend in the states seen only.
            Ok(dense) if !dense.grid.chains.is_empty() => chains = false,
            Ok(_) => {
                if !std::mem::replace(&mut looked, true) && is_without_order(ctx, plan)? {
                    // A larger box would be filled for nothing.
                    return Err(Refusal::NoOrder.into());
                }
                chains = with_chains;
                let most: Vec<i64> = spans.iter().map(|span| span.last()).collect();
                let likely = likely_box(ctx, plan, &most)?;
                if likely.closed {
                    let holds =
                        |(own, likely): (&Span, &Span)| own.least <= likely.least && likely.last() <= own.last();
                    if spans.iter().zip(&likely.spans).all(holds) {
                        // Nothing that is missing is outside.
                        return Err(Refusal::NoOrder.into());
                    }
                    spans = likely.spans;
                    continue;
                }
                let mut grown = false;
                for (i, span) in spans.iter_mut().enumerate() {
                    let (below, above) = (part.least[i] < part.start[i], part.most[i] > part.start[i]);
                    grown |= enlarge(span, limits[i], below, above);
                }
                if !grown {
                    return Err(Refusal::Undecided.into());
                }
            }
            Err(Refusal::Sums) if kind == Kind::GrundyFar => kind = Kind::Grundy,
            Err(why) => return Err(why.into()),
        }
    }
    Err(Refusal::Outside.into())
}

/// Whether the rules take, at the state in the middle of a box, no more than so many times the steps of a usual cell. The box may be
/// much larger than the start; where a move chooses for each of many fields, its states have many more moves.
fn is_cheap_in_the_middle(ctx: &mut Context, instance: InstanceId, spans: &[Span], times: u64) -> bool {
    /// Steps of a usual cell.
    const USUAL: u64 = 64;
    let Ok(code) = ctx.judged_code(instance) else { return true };
    let before = ctx.run.fuel;
    let most = before.saturating_add(times.saturating_mul(USUAL));
    let ran = ctx.under(
        |limits| limits.steps = Some(limits.steps.map_or(most, |steps| steps.min(most))),
        |ctx| {
            ctx.execute(&code, &mut Options::default(), |_, regs| {
                for (field, span) in code.inputs.iter().zip(spans) {
                    if let FieldReg::Word(reg) = field {
                        regs.words[usize::from(*reg)] = span.least.saturating_add_unsigned(span.size / 2);
                    }
                }
                Ok(())
            })
        },
    );
    // A state that is none in this game says nothing.
    ctx.run.fuel <= most && !matches!(ran, Err(halt) if halt.is_limit())
}

fn met_only(ctx: &mut Context, plan: &Plan, kind: Kind) -> Attempt<Table> {
    let Plan { instance, part, limits, .. } = plan;
    let mut spans = plan.spans(&part.most);
    let groups = groups(ctx, *instance, &mut spans);
    for _ in 0..TABLE_TRIES {
        // Digits of whole bits are taken apart faster.
        let bits = |span: &Span| Span { size: span.size.checked_next_power_of_two().unwrap_or(u64::MAX), ..*span };
        let whole: Vec<Span> = spans.iter().map(bits).collect();
        let grid = Grid::plain(&whole).or_else(|| Grid::plain(&spans));
        let grid = grid.ok_or(Refusal::ManyBits)?.with_groups(&groups);
        let start = grid.rank(&part.start).ok_or(Refusal::StartOutside)?;
        let made = refusal(Hashed::new(&ctx.box_rules(*instance)?, &grid, kind, start))?;
        match made {
            Err(Refusal::Outside) if grow(&mut spans, limits) => {}
            made => {
                let positions = ctx.limits.progress.load(std::sync::atomic::Ordering::Relaxed);
                count(ctx, plan, positions);
                return Ok(Table::Hashed(made?));
            }
        }
    }
    Err(Refusal::Outside.into())
}

/// A box of these sizes in which every move that was seen goes down, and one in how many of its states is met. Fields of
/// which the values were seen to ascend, or to descend, are a chain where that makes the box much smaller.
fn ordered_box(plan: &Plan, spans: &[Span], kind: Kind, chains: bool) -> Result<(Grid, u64), Refusal> {
    /// Tables of what values are worth are no longer.
    const LONG: u64 = 1 << 17;
    let part = &plan.part;
    let volume = spans.iter().fold(1u128, |volume, span| volume.saturating_mul(span.size.into()));
    let values = matches!(kind, Kind::Grundy | Kind::GrundyFar);
    if chains
        && spans.iter().all(|span| span.size <= LONG)
        && let Some(grid) = chained_box(plan, spans)
        && u128::from(grid.volume) <= volume / 2
        && (values || grid.rank(&part.start).is_some())
    {
        let spread = u128::from(part.spread).saturating_mul(grid.volume.into()) / volume;
        return Ok((grid, u64::try_from(spread).unwrap_or(u64::MAX).max(1)));
    }
    let (order, reversed) = lexicographic(part.all_signs(), spans.len()).ok_or(Refusal::NoOrder)?;
    Ok((Grid::new(spans, &order, &reversed).ok_or(Refusal::ManyStates)?, part.spread))
}

fn chained_box(plan: &Plan, spans: &[Span]) -> Option<Grid> {
    let Plan { part, limits, .. } = plan;
    let mut chains = part.chains();
    let fits = |chain: &Chain, field: usize| limits[field] == limits[chain.fields[0]] && spans[field].least == 0;
    chains.retain(|chain| chain.fields.iter().all(|&field| fits(chain, field)));
    let admitted = chains.iter().all(|chain| chain.admits(&part.start));
    let signs = || part.signs.iter().chain(part.first_signs.iter().filter(|_| admitted));
    let (mut order, reversed) = lexicographic(signs(), spans.len())?;
    chains.retain(|chain| chain.fields.iter().all(|&field| reversed[field] == reversed[chain.fields[0]]));
    let mut spans = spans.to_vec();
    for chain in &chains {
        make_equal(&mut spans, &chain.fields);
        let at = order.iter().position(|field| chain.fields.contains(field)).unwrap_or(0);
        order.retain(|field| !chain.fields.contains(field));
        let mut fields = chain.fields.clone();
        if !reversed[fields[0]] {
            fields.reverse();
        }
        order.splice(at..at, fields);
    }
    let down = |row: &Vec<i8>| {
        let first = order.iter().find(|&&field| row[field] != 0);
        first.is_none_or(|&field| (row[field] < 0) != reversed[field])
    };
    let fits = !chains.is_empty() && signs().all(down);
    if fits { Grid::with_chains(&spans, &order, &reversed, chains) } else { None }
}

/// An order and directions of the fields in which every row of signs goes down; the least significant field is one that
/// moves change alone where there is a choice.
pub(super) fn lexicographic<'s>(
    signs: impl Iterator<Item = &'s Vec<i8>>,
    fields: usize,
) -> Option<(Vec<usize>, Vec<bool>)> {
    let mut left: Vec<&Vec<i8>> = signs.collect();
    let (mut order, mut reversed) = (Vec::new(), vec![false; fields]);
    while !left.is_empty() {
        let fits =
            |field: usize, up: i8| left.iter().all(|row| row[field] != up) && left.iter().any(|row| row[field] != 0);
        let (field, up) = (0..fields)
            .filter(|f| !order.contains(f))
            .flat_map(|f| [(f, 1i8), (f, -1)])
            .find(|&(f, up)| fits(f, up))?;
        order.push(field);
        reversed[field] = up == -1;
        left.retain(|row| row[field] == 0);
    }
    order.extend((0..fields).filter(|f| !order.contains(f)).collect::<Vec<_>>());
    Some((order, reversed))
}

/// What a table for this component would be and take, or why there would be none: only a short search is made.
pub(in crate::engines) fn forecast(ctx: &mut Context, id: ComponentId, kind: Kind) -> Run<Result<String, String>> {
    let plan = match refusal(look(ctx, id))? {
        Ok(plan) => plan,
        Err(Refusal::Few) => {
            return Ok(Err(format!("at most {} positions: searched one by one", ctx.options.trial)));
        }
        Err(why) => return Ok(Err(why.to_string())),
    };
    let spans = plan.spans(&plan.part.most);
    let Plan { instance, ref part, .. } = plan;
    if part.cyclic {
        return Ok(Ok(graph_forecast(ctx, &spans)));
    }
    match ordered_box(&plan, &spans, kind, ctx.options.chains) {
        Err(Refusal::NoOrder) => {
            let once = alike(ctx, instance, spans.clone());
            let graph = graph_forecast(ctx, &spans);
            Ok(Ok(format!("the states met, hashed{once}; if a play can come back, {graph}")))
        }
        Ok((grid, spread)) if worth_a_box(grid.volume, spread, cell_cost(ctx, instance)) => {
            let bytes = u128::from(grid.volume) * u128::from(Cell::smallest(kind).bytes);
            let room = ctx.limits.memory.saturating_sub(ctx.bytes());
            let shown = format!("{} states in a box, {} MiB or a small multiple", grid.volume, bytes >> 20);
            if bytes > u128::try_from(room).unwrap_or(u128::MAX) {
                return Ok(Err(format!("{shown}: more than the {} MiB that there are", room >> 20)));
            }
            Ok(Ok(shown))
        }
        _ => {
            let once = alike(ctx, instance, spans);
            Ok(Ok(format!("the states met, hashed: about one in {} of the box{once}", part.spread)))
        }
    }
}

/// Whether a table of a box is quicker than one of the states met, of which there are about one in `spread`, where a cell
/// costs as much as `cost` of rules on words.
fn worth_a_box(volume: u64, spread: u64, cost: u64) -> bool {
    volume <= TABLE_SMALL / cost / cost || spread <= TABLE_SPARSE / cost
}

/// What a cell costs, in cells of rules on words.
fn cell_cost(ctx: &mut Context, instance: InstanceId) -> u64 {
    let calls = ctx.judged_code(instance).is_ok_and(|code| code.calls_for_values());
    if calls { TABLE_CALLS } else { 1 }
}

fn look(ctx: &mut Context, id: ComponentId) -> Attempt<Plan> {
    let plan = Plan::new(ctx, id)?;
    if plan.part.whole {
        return Err(Refusal::Few.into());
    }
    tables::can_compile(&*ctx.judged_code(plan.instance)?)?;
    Ok(plan)
}

/// Says which fields may change places, if some may.
fn alike(ctx: &Context, instance: InstanceId, mut spans: Vec<Span>) -> String {
    let fields = &ctx.session.program.games[ctx.store.instances[instance].game.0].fields;
    let names = |group: Vec<usize>| group.iter().map(|&i| fields[i].name.as_str()).collect::<Vec<_>>().join(", ");
    let groups = groups(ctx, instance, &mut spans).into_iter().map(names);
    groups.fold(String::new(), |all, names| format!("{all}; {names} may change places: stored once"))
}

/// What all states of a box, or the graph of those that are reached, would take.
fn graph_forecast(ctx: &Context, spans: &[Span]) -> String {
    let Some(states) = spans.iter().try_fold(1u64, |states, span| states.checked_mul(span.size)) else {
        return "the graph of those that are reached".to_string();
    };
    let room = ctx.limits.memory.saturating_sub(ctx.bytes()) >> 20;
    let wanted = Blocks::forecast(states) >> 20;
    let beyond = if wanted > room as u64 { ", more than there are" } else { "" };
    format!(
        "{states} states in a box, {wanted} MiB{beyond}, or the graph of those that are reached where they are few or \
         memory is short: some 5 bytes a state of the box, 24 a state reached, and 4 a move, or 10 where there is room"
    )
}

pub(super) struct Part {
    /// The greatest and the least word of each field.
    pub(super) most: Vec<i64>,
    least: Vec<i64>,
    pub(super) start: Vec<i64>,
    /// How each field changes in moves: the distinct rows of signs.
    signs: Vec<Vec<i8>>,
    /// The same of moves from the start.
    first_signs: Vec<Vec<i8>>,
    /// The states that the start leads to.
    first: Vec<Vec<i64>>,
    /// For each field but the last the least and the greatest difference that the next one has to it after a move.
    apart: Vec<[i64; 2]>,
    /// One in so many states of the smallest box around the finished positions is one of them.
    spread: u64,
    /// Whether a play was seen that comes back to a position.
    pub(super) cyclic: bool,
    /// What was seen that forbids Grundy values.
    pub(super) met: Met,
    /// The search came to its end: there are few positions.
    pub(super) whole: bool,
    /// How many positions were searched to the end.
    pub(super) closed: u64,
    /// How many steps of loops a position took, on average.
    steps: u64,
}

impl Part {
    /// How each field changes in moves that were seen.
    pub(super) fn all_signs(&self) -> impl Iterator<Item = &Vec<i8>> {
        self.signs.iter().chain(&self.first_signs)
    }

    fn see(&mut self, words: &[i64]) {
        self.most.iter_mut().zip(words).for_each(|(most, &word)| *most = word.max(*most));
        self.least.iter_mut().zip(words).for_each(|(least, &word)| *least = word.min(*least));
        for (apart, pair) in self.apart.iter_mut().zip(words.windows(2)) {
            let difference = pair[1].saturating_sub(pair[0]);
            *apart = [apart[0].min(difference), apart[1].max(difference)];
        }
    }

    /// Whether a field and the next are about as large: one digit for both has room for the larger.
    fn are_alike(&self, at: usize) -> bool {
        let (a, b) = (self.most[at], self.most[at + 1]);
        a <= b.saturating_mul(2).saturating_add(1) && b <= a.saturating_mul(2).saturating_add(1)
    }

    /// Rows of neighbouring fields whose values ascended in all states seen, or descended.
    fn chains(&self) -> Vec<Chain> {
        let mut chains: Vec<Chain> = Vec::new();
        if self.apart.iter().any(|[least, greatest]| least > greatest) {
            // No state was seen.
            return chains;
        }
        let mut from = 0;
        while from < self.apart.len() {
            let run = |by: fn(&[i64; 2]) -> i64| {
                let near = self.apart[from..].iter().zip(from..).take_while(|&(_, at)| self.are_alike(at));
                near.map(move |(apart, _)| by(apart)).take_while(|&least| least >= 0)
            };
            let (up, down) = (run(|apart| apart[0]), run(|apart| apart[1].saturating_neg()));
            let (many, falls) =
                (up.clone().count().max(down.clone().count()), down.clone().count() > up.clone().count());
            let gap = if falls { down.min() } else { up.min() };
            let mut fields: Vec<usize> = (from..=from + many).collect();
            if falls {
                fields.reverse();
            }
            if let Some(gap) = gap {
                chains.push(Chain::new(fields, gap.clamp(0, 1).unsigned_abs()));
            }
            from += many + 1;
        }
        chains
    }
}

/// The groups of fields of an instance that may change places. Their values become the same.
pub(super) fn groups(ctx: &Context, instance: InstanceId, spans: &mut [Span]) -> Vec<Vec<usize>> {
    let game = ctx.store.instances[instance].game;
    let fields = &ctx.session.program.games[game.0].fields;
    // A field that takes several words, or none, is not one of theirs.
    let word = |kind: &kind::Kind| {
        use kind::Kind::{Bool, Int, Nat, Set, Vertex};
        matches!(kind, Int | Nat | Bool | Vertex(_) | Set(_))
    };
    if !ctx.options.symmetric || spans.len() != fields.len() || !fields.iter().all(|field| word(&field.kind)) {
        return Vec::new();
    }
    let groups = interchangeable(&ctx.session.program, game);
    for group in &groups {
        make_equal(spans, group);
    }
    groups
}

/// Gives these fields the values of all of them.
fn make_equal(spans: &mut [Span], fields: &[usize]) {
    let own = || fields.iter().map(|&field| spans[field]);
    let (Some(least), Some(last)) = (own().map(|span| span.least).min(), own().map(Span::last).max()) else { return };
    let mut all = Span { least, size: 1, sure: own().all(|span| span.sure) };
    all.reach(last);
    for &field in fields {
        spans[field] = all;
    }
}

/// More room for the fields of which a short search may not have seen all words; `false`: there is none.
pub(super) fn grow(spans: &mut [Span], limits: &[Extent]) -> bool {
    spans.iter_mut().zip(limits).fold(false, |any, (span, &limit)| enlarge(span, limit, true, true) | any)
}

/// Twice as much room below where a field is negative, and above; `false`: there is none.
fn enlarge(span: &mut Span, limit: Extent, below: bool, above: bool) -> bool {
    let mut any = false;
    let (most, size) = (span.last(), width::int(span.size));
    if below && !span.sure && span.least < 0 {
        *span = Span { least: span.least.saturating_sub(size), size: 1, sure: false };
        span.reach(most);
        any = true;
    }
    if above && let Some(grown) = limit.grown(span.size) {
        (span.size, any) = (grown, true);
    }
    any
}

struct Frame {
    id: ComponentId,
    options: Vec<ComponentId>,
    next: usize,
}

/// Searches depth first from a component, at most [`Context::trial`] positions and [`Context::trial_moves`] moves,
/// and in a share of the memory.
/// The refusal says why more positions cannot be worked out together.
fn sample(ctx: &mut Context, id: ComponentId, natural: &[bool]) -> Attempt<Part> {
    /// Memory is looked at after so many moves.
    const LOOK: u64 = 1 << 14;
    let instance = ctx.store.instance_of[id.index()];
    let start = ctx.store.state_words(id).ok_or(Refusal::StatesNoWords)?;
    let mut part = Part {
        most: start.clone(),
        least: start.clone(),
        start,
        signs: Vec::new(),
        first_signs: Vec::new(),
        first: Vec::new(),
        apart: Vec::new(),
        spread: 1,
        cyclic: false,
        met: Met::default(),
        whole: false,
        closed: 0,
        steps: 0,
    };
    part.apart = vec![[i64::MAX, i64::MIN]; part.start.len().saturating_sub(1)];
    let mut closed: Vec<ComponentId> = Vec::new();
    // Whether all was seen that a position leads to.
    let mut met: HashMap<ComponentId, bool> = HashMap::new();
    let mut frames: Vec<Frame> = Vec::new();
    let mut out = Options::default();
    let mut next = Some(id);
    let (mut opened, mut moves, mut look) = (0, 0, LOOK);
    let (before, held) = (ctx.run.fuel, ctx.bytes());
    loop {
        if let Some(id) = next.take() {
            if opened > ctx.options.trial || moves > ctx.trial_moves() {
                break;
            }
            if moves >= look {
                look = moves + LOOK;
                if ctx.bytes().saturating_sub(held) > ctx.limits.memory / tuning::FIRST_SHARE {
                    break;
                }
            }
            opened += 1;
            ctx.options(id, &mut out)?;
            let before = ctx.store.state_words(id).ok_or(Refusal::StatesNoWords)?;
            let mut options = Vec::new();
            part.met.ending |= matches!(out.status, Status::Play(_));
            for mv in &out.moves {
                part.met.again |= mv.again;
                let MoveTarget::To { first, len } = mv.target else {
                    part.met.stop = true;
                    continue;
                };
                for &to in &out.components[first as usize..(first + len) as usize] {
                    if ctx.store.instance_of[to.index()] != instance {
                        return Err(Refusal::OtherGames.into());
                    }
                    let after = ctx.store.state_words(to).ok_or(Refusal::StatesNoWords)?;
                    if after.iter().zip(natural).any(|(&word, &natural)| natural && word < 0) {
                        return Err(Refusal::LargeWord.into());
                    }
                    part.see(&after);
                    let row: Vec<i8> = before.iter().zip(&after).map(|(b, a)| a.cmp(b) as i8).collect();
                    let signs = if opened == 1 { &mut part.first_signs } else { &mut part.signs };
                    if !signs.contains(&row) {
                        signs.push(row);
                    }
                    options.push(to);
                    if opened == 1 {
                        part.first.push(after);
                    }
                }
            }
            moves += options.len() as u64;
            met.insert(id, false);
            frames.push(Frame { id, options, next: 0 });
        }
        let Some(frame) = frames.last_mut() else {
            part.whole = ctx.options.trial > 0;
            break;
        };
        if let Some(&option) = frame.options.get(frame.next) {
            frame.next += 1;
            match met.get(&option) {
                None => next = Some(option),
                Some(closed) => part.cyclic |= !closed,
            }
        } else {
            met.insert(frame.id, true);
            closed.push(frame.id);
            frames.pop();
        }
    }
    // Of sets few are met, as a rule; ints are taken to be all met where nothing is known.
    let unknown = closed.is_empty() && ctx.store.has_small_sets(instance);
    part.spread = if unknown { u64::MAX } else { spread(ctx, &closed, part.start.len()) };
    part.closed = closed.len() as u64;
    part.steps = ctx.run.fuel.saturating_sub(before) / opened.max(1);
    Ok(part)
}

fn spread(ctx: &Context, closed: &[ComponentId], fields: usize) -> u64 {
    if closed.is_empty() {
        return 1;
    }
    let (mut low, mut high) = (vec![i64::MAX; fields], vec![i64::MIN; fields]);
    for words in closed.iter().filter_map(|&id| ctx.store.state_words(id)) {
        for i in 0..fields {
            low[i] = low[i].min(words[i]);
            high[i] = high[i].max(words[i]);
        }
    }
    let volume = low
        .iter()
        .zip(&high)
        .fold(1u64, |v, (&l, &h)| v.saturating_mul(h.checked_sub(l).map_or(1, i64::unsigned_abs).saturating_add(1)));
    volume / u64::try_from(closed.len()).unwrap_or(1).max(1)
}

impl QueryHistory {
    fn done(&self) -> u64 {
        self.asked * tuning::SWEEP_ASKED + self.opened
    }
}

/// Notes that a component is asked about that no table knows; when much was done for its instance, makes a table of it and
/// of others that may be asked about next.
pub(super) fn note_asked(ctx: &mut Context, id: ComponentId, kind: Kind) -> Run<()> {
    let instance = ctx.store.instance_of[id.index()];
    let Some(words) = ctx.store.state_words(id) else { return Ok(()) };
    let trial = ctx.options.trial;
    let history = ctx.memo.histories.entry(instance).or_default();
    history.asked += 1;
    history.most.resize(words.len(), 0);
    history.most.iter_mut().zip(&words).for_each(|(most, &word)| *most = word.max(*most));
    let done = history.done();
    // Who counts positions wants no more of them than needed.
    if done < history.next.max(trial) || ctx.limits.positions.is_some() {
        return Ok(());
    }
    let most = history.most.clone();
    // What lies outside of a table made here is twice as great in some field: that happens seldom.
    let made = decide_ahead(ctx, id, kind, &Ahead::twice(&most, done * tuning::SWEEP_CELLS))?;
    ctx.memo.histories.entry(instance).or_default().next = if made { 0 } else { done * 2 };
    Ok(())
}

/// Notes that a component is asked about, and makes a table that knows it, if none does and one is worth while; `false`: it is not
/// worth while to look for a graph either.
pub(super) fn asked(ctx: &mut Context, id: ComponentId, kind: Kind) -> Run<bool> {
    if cell(ctx, id, kind).is_some() {
        note_answered(ctx, id);
        return Ok(true);
    }
    // Before it is one of those asked about.
    let look = is_worth_a_look(ctx, id) || matches!(kind, Kind::Wins { .. }) && is_begun(ctx, id, kind);
    note_asked(ctx, id, kind.whole())?;
    if look && cell(ctx, id, kind).is_none() {
        let found = decide(ctx, id, kind)?;
        note_looked(ctx, id, found.then(|| positions(ctx, id)));
    }
    Ok(look)
}

/// Notes that a component was asked about that a table knows.
pub(super) fn note_answered(ctx: &mut Context, id: ComponentId) {
    ctx.memo.histories.entry(ctx.store.instance_of[id.index()]).or_default().asked += 1;
}

/// Whether it is worth while to look whether a table or a graph can be made for a component: little time went into that so
/// far, or it is much larger than those before.
fn is_worth_a_look(ctx: &Context, id: ComponentId) -> bool {
    let instance = ctx.store.instance_of[id.index()];
    let (Some(words), Some(history)) = (ctx.store.state_words(id), ctx.memo.histories.get(&instance)) else {
        return true;
    };
    let larger = |(&word, &most): (&i64, &i64)| word > most.saturating_mul(2).saturating_add(2);
    history.looked <= history.done().saturating_add(ctx.options.trial).saturating_mul(tuning::SWEEP_LOOKS)
        || words.iter().zip(&history.most).any(larger)
}

/// Notes that this was looked for, and whether a table or graph of so many positions was found.
pub(super) fn note_looked(ctx: &mut Context, id: ComponentId, found: Option<u64>) {
    let (instance, trial) = (ctx.store.instance_of[id.index()], ctx.options.trial);
    let history = ctx.memo.histories.entry(instance).or_default();
    let positions = match found {
        None => trial,
        // Few large questions are best answered so.
        Some(_) if history.done() < trial => 0,
        Some(positions) => trial.saturating_add(positions / tuning::SWEEP_CELLS),
    };
    history.looked = history.looked.saturating_add(positions);
}

/// Notes that so many positions were opened.
pub(super) fn note_opened(ctx: &mut Context, id: ComponentId, positions: u64) {
    ctx.memo.histories.entry(ctx.store.instance_of[id.index()]).or_default().opened += positions;
}

/// Whether so much was searched for the instance of a component, by short searches, that a graph of its positions is worth it.
pub(super) fn goes_on(ctx: &Context, id: ComponentId) -> bool {
    let done = ctx.memo.histories.get(&ctx.store.instance_of[id.index()]).map_or(0, QueryHistory::done);
    ctx.options.trial > 0
        && done >= ctx.options.trial.saturating_mul(tuning::SWEEP_SHORT)
        && ctx.limits.positions.is_none()
}

/// Makes words no less than those that were asked about.
pub(super) fn widen(ctx: &Context, id: ComponentId, most: &mut [i64]) {
    if let Some(history) = ctx.memo.histories.get(&ctx.store.instance_of[id.index()]) {
        most.iter_mut().zip(&history.most).for_each(|(most, &word)| *most = word.max(*most));
    }
}
