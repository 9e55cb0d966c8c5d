//! Tables of states worked out by native code: of whole boxes in the order of their ranks, else of the states met.
//!
//! A short search of the usual kind comes first. Its positions tell how large the fields are and in which order of the
//! fields every move goes down lexicographically (a lexicographic ranking function found greedily: Bradley, Manna, Sipma,
//! Linear Ranking with Reachability, 2005, section 4; here from samples). Neither needs to be right for all positions: the
//! table decides a position only when all its options are in the box and below it.
//!
//! Where a play comes back in that search, no table is begun. A table that is too small for a further position is made
//! anew only when the search has gone on for as long.

use crate::analysis::symmetry::interchangeable;
use crate::bytecode::{FieldReg, InstanceId};
use crate::engines::asked::Ahead;
use crate::engines::falling_sum::{box_by_sum, falling_sum};
use crate::engines::likely_box::likely_box;
use crate::engines::on_disk;
use crate::engines::sample::Plan;
use crate::graph_search::blocks::Blocks;
use crate::memo::UNKNOWN;
use crate::model::kind;
use crate::store::{ComponentId, Extent};
use crate::tables::{self, Cell, Chain, Dense, Grid, Hashed, Kind, Span, Table};
use crate::tuning::{EARLY_CELLS, TABLE_CALLS, TABLE_MET, TABLE_SMALL, TABLE_SPARSE, TABLE_TRIES};
use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Refusal, refusal};
use crate::value::{Points, Run, width};
use crate::vm::context::Context;
use crate::vm::run::Options;

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

/// What a table says of a component: the value and the remoteness.
pub(super) fn cell(ctx: &Context, id: ComponentId, kind: Kind) -> Option<(u64, u64)> {
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
pub(super) fn count(ctx: &mut Context, plan: &Plan, positions: u64) {
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
    if let Refusal::NoOrder = why
        && ctx.options.sums
        && let Ok(table) = refusal(falling_sum(ctx, &plan, kind))?
    {
        return Ok(table);
    }
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

pub(super) fn whole_box(ctx: &mut Context, plan: &Plan, kind: Kind, ahead: Option<&Ahead>) -> Attempt<Table> {
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
                chains = with_chains;
                let most: Vec<i64> = spans.iter().map(|span| span.last()).collect();
                let likely = likely_box(ctx, plan, &most)?;
                if !std::mem::replace(&mut looked, true) && likely.is_without_order(plan) {
                    // A larger box would be filled for nothing.
                    return Err(Refusal::NoOrder.into());
                }
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

/// Bytes of a table of these sizes that is filled in order, or depth first, where values are small: with room for plays as long as the
/// sum of the fields.
pub(super) fn table_bytes(ctx: &Context, plan: &Plan, spans: &[Span]) -> u64 {
    let kind = Kind::GrundyFar;
    let far = spans.iter().fold(0, |far: u64, span| far.saturating_add(span.size));
    let mut cell = Cell::smallest(kind);
    while let Some(larger) = cell.larger(false).filter(|_| far > cell.most_far()) {
        cell = larger;
    }
    let volume = ordered_box(plan, spans, kind, ctx.options.chains).map_or_else(
        |_| spans.iter().fold(1, |volume: u64, span| volume.saturating_mul(span.size)),
        |(grid, _)| grid.volume,
    );
    volume.saturating_mul(cell.bytes.into())
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
    let cost = cell_cost(ctx, instance);
    let (cells, shown) = match ordered_box(&plan, &spans, kind, ctx.options.chains) {
        Err(Refusal::NoOrder) => {
            if let Ok((_, start)) = box_by_sum(&plan, cost) {
                (start + 1, format!("{} states in a box, by a sum of fields that goes down", start + 1))
            } else {
                let once = alike(ctx, instance, spans.clone());
                let graph = graph_forecast(ctx, &spans);
                return Ok(Ok(format!("the states met, hashed{once}; if a play can come back, {graph}")));
            }
        }
        Ok((grid, spread)) if worth_a_box(grid.volume, spread, cost) => {
            (grid.volume, format!("{} states in a box", grid.volume))
        }
        _ => {
            let once = alike(ctx, instance, spans);
            return Ok(Ok(format!("the states met, hashed: about one in {} of the box{once}", part.spread)));
        }
    };
    let bytes = u128::from(cells) * u128::from(Cell::smallest(kind).bytes);
    let room = ctx.limits.memory.saturating_sub(ctx.bytes());
    let shown = format!("{shown}, {} MiB or a small multiple", bytes >> 20);
    if bytes > u128::try_from(room).unwrap_or(u128::MAX) {
        return Ok(Err(format!("{shown}: more than the {} MiB that there are", room >> 20)));
    }
    Ok(Ok(shown))
}

/// Whether a table of a box is quicker than one of the states met, of which there are about one in `spread`, where a cell
/// costs as much as `cost` of rules on words.
pub(super) fn worth_a_box(volume: u64, spread: u64, cost: u64) -> bool {
    volume <= TABLE_SMALL / cost / cost || spread <= TABLE_SPARSE / cost
}

/// The same of a box of so many states, of the positions of a short search.
pub(super) fn is_worth_a_box(ctx: &mut Context, plan: &Plan, volume: u64) -> bool {
    worth_a_box(volume, plan.part.spread, cell_cost(ctx, plan.instance))
}

/// What a cell costs, in cells of rules on words.
pub(super) fn cell_cost(ctx: &mut Context, instance: InstanceId) -> u64 {
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
pub(super) fn enlarge(span: &mut Span, limit: Extent, below: bool, above: bool) -> bool {
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
