//! Tables by what a short search tells: of the whole box, or of the states met.

use crate::engines::by_tables::{Ahead, CYCLIC, LIMIT};
use crate::engines::sample::{Part, Sample, fields, groups, sample};
use crate::tables::{Dense, Grid, Hashed, Kind, NoValues, Refusal, Table};
use crate::tuning::{TABLE_MET, TABLE_SMALL, TABLE_SPARSE, TABLE_TRIES};
use crate::value::fault::Run;
use crate::vm::context::Context;

/// A table; or why there is none, `None` when the search is short, or limited.
pub(super) fn attempt(ctx: &mut Context, id: u32, instance: usize, kind: Kind) -> Run<Result<Table, Option<String>>> {
    let refuse = |why: &str| Ok(Err(Some(why.to_string())));
    let natural = match fields(ctx, instance) {
        Ok(natural) => natural,
        Err(why) => return refuse(why),
    };
    let part = match sample(ctx, id, instance)? {
        Sample::Unfit(why) => return refuse(why),
        Sample::Part(part) if part.whole => return Ok(Err(None)),
        Sample::Part(part) if part.cyclic => return refuse(CYCLIC),
        Sample::Part(part) => part,
    };
    let limit = ctx.session.limits.positions;
    // Native code counts no steps: their limit becomes one of positions.
    if let Some(steps) = ctx.session.limits.steps {
        let left = steps.saturating_sub(ctx.run.fuel) / part.steps.max(1);
        ctx.session.limits.positions = Some(limit.map_or(left, |limit| limit.min(left)));
    }
    let made = made(ctx, instance, kind, part, &natural);
    ctx.session.limits.positions = limit;
    made
}

fn made(
    ctx: &mut Context,
    instance: usize,
    kind: Kind,
    part: Part,
    natural: &[bool],
) -> Run<Result<Table, Option<String>>> {
    match whole_box(ctx, instance, kind, &part, natural, None)? {
        Ok(dense) => Ok(Ok(Table::Dense(dense))),
        Err(Refused { why, for_good: true, .. }) => Ok(Err(Some(why))),
        Err(Refused { why, for_good: false, sparse }) => {
            match met_first(ctx, instance, kind, part, natural, sparse)? {
                Ok(table) => Ok(Ok(table)),
                // Another search may have other limits.
                Err(further) if further == LIMIT && ctx.session.limits.positions.is_some() => Ok(Err(None)),
                Err(further) => Ok(Err(Some(format!("{why}; {further}")))),
            }
        }
    }
}

pub(super) struct Refused {
    pub(super) why: String,
    /// Other tables cannot be made either.
    pub(super) for_good: bool,
    /// The states in the box, where the only reason is that few of them seem to be met.
    sparse: Option<u64>,
}

/// A table of the states met. A short search tells badly how many these are: where many are met of a box of
/// so many states, the table is made of the whole box after all.
fn met_first(
    ctx: &mut Context,
    instance: usize,
    kind: Kind,
    part: Part,
    natural: &[bool],
    sparse: Option<u64>,
) -> Run<Result<Table, String>> {
    /// Bytes of a cell, while it is made.
    const CELL: u64 = 4;
    let limits = ctx.field_limits(instance);
    let whole = ctx.session.limits.positions;
    let room = ctx.session.limits.memory.saturating_sub(ctx.bytes()) as u64;
    let many = sparse.filter(|volume| volume.saturating_mul(CELL) < room).map(|volume| volume / TABLE_MET);
    let many = many.filter(|&many| whole.is_none_or(|whole| many < whole));
    ctx.session.limits.positions = many.or(whole);
    let met = met_only(ctx, instance, kind, &part, natural, &limits);
    ctx.session.limits.positions = whole;
    match met? {
        Err(why) if why == LIMIT && many.is_some() => {
            let part = Part { spread: 1, ..part };
            match whole_box(ctx, instance, kind, &part, natural, None)? {
                Ok(dense) => Ok(Ok(Table::Dense(dense))),
                Err(_) => Ok(met_only(ctx, instance, kind, &part, natural, &limits)?.map(Table::Hashed)),
            }
        }
        met => Ok(met.map(Table::Hashed)),
    }
}

/// Sizes of the fields by what was seen.
pub(super) fn first_sizes(part: &Part, limits: &[Option<u64>]) -> Vec<u64> {
    let seen = part.most.iter().map(|&most| most.unsigned_abs().saturating_add(1));
    seen.zip(limits).map(|(seen, limit)| limit.unwrap_or(seen)).collect()
}

pub(super) fn whole_box(
    ctx: &mut Context,
    instance: usize,
    kind: Kind,
    part: &Part,
    natural: &[bool],
    ahead: Option<&Ahead<'_>>,
) -> Run<Result<Dense, Refused>> {
    let limits = ctx.field_limits(instance);
    let refuse = |why: String, for_good| Ok(Err(Refused { why, for_good, sparse: None }));
    let Some((order, reversed)) = lexicographic(&part.signs, natural.len()) else {
        return refuse("no order of the fields goes down with every move".to_string(), false);
    };
    let mut sizes = first_sizes(part, &limits);
    if let Some(ahead) = ahead {
        for ((size, &most), limit) in sizes.iter_mut().zip(ahead.most).zip(&limits) {
            let asked = most.unsigned_abs().saturating_add(1).saturating_mul(2);
            *size = limit.unwrap_or((*size).max(asked));
        }
    }
    let mut kind = kind;
    for _ in 0..TABLE_TRIES {
        let Some(grid) = Grid::new(&sizes, natural, &order, &reversed) else {
            return refuse("there are too many states in the box".to_string(), false);
        };
        if ahead.is_some_and(|ahead| grid.volume > ahead.cells) {
            return refuse("it would have too many cells".to_string(), true);
        }
        if grid.volume > TABLE_SMALL && part.spread > TABLE_SPARSE {
            let why = format!("only about one state in {} of the box is met", part.spread);
            return Ok(Err(Refused { why, for_good: false, sparse: Some(grid.volume) }));
        }
        let Some(start) = grid.rank(&part.start) else { return refuse("it is outside of the box".to_string(), true) };
        let upto = if ahead.is_some() { grid.volume - 1 } else { start };
        if ctx.session.limits.table().is_some_and(|limit| upto >= limit) {
            // Those that are met may be fewer.
            return refuse("the table would have more cells than positions may be searched".to_string(), false);
        }
        match Dense::new(ctx, instance, grid, kind, upto)? {
            Ok(dense) if dense.read(&part.start).is_some() => return Ok(Ok(dense)),
            Ok(_) => {
                let mut grown = false;
                for (i, size) in sizes.iter_mut().enumerate() {
                    if limits[i].is_none() && part.most[i] > part.start[i] {
                        *size = size.saturating_mul(2);
                        grown = true;
                    }
                }
                if !grown {
                    let why = "some position on the way is not decided by its options in the box";
                    return refuse(why.to_string(), false);
                }
            }
            Err(Refusal::Sums) if kind == Kind::GrundyFar => kind = Kind::Grundy,
            Err(Refusal::Sums) => return refuse("moves lead to sums".to_string(), true),
            Err(Refusal::Rules(why)) => return refuse(why.to_string(), true),
            Err(Refusal::Values) => return refuse("values are too large for a table".to_string(), false),
            Err(Refusal::Limit) => return refuse(LIMIT.to_string(), false),
            Err(Refusal::Memory(bytes)) => return refuse(format!("a table would take {} MiB", bytes >> 20), false),
        }
    }
    refuse("a field grows too far".to_string(), false)
}

/// A table of the states met.
fn met_only(
    ctx: &mut Context,
    instance: usize,
    kind: Kind,
    part: &Part,
    natural: &[bool],
    limits: &[Option<u64>],
) -> Run<Result<Hashed, String>> {
    let refuse = |why: &str| Ok(Err(why.to_string()));
    let order: Vec<usize> = (0..natural.len()).collect();
    let reversed = vec![false; natural.len()];
    let mut sizes = first_sizes(part, limits);
    let groups = groups(ctx, instance, &mut sizes);
    for _ in 0..TABLE_TRIES {
        // Digits of whole bits are taken apart faster.
        let whole: Vec<u64> = sizes.iter().map(|size| size.checked_next_power_of_two().unwrap_or(u64::MAX)).collect();
        let grid =
            Grid::new(&whole, natural, &order, &reversed).or_else(|| Grid::new(&sizes, natural, &order, &reversed));
        let Some(grid) = grid else { return refuse("its states do not fit words of 61 bits") };
        let grid = grid.with_groups(&groups);
        let Some(start) = grid.rank(&part.start) else { return refuse("it is outside of the box") };
        match Hashed::new(ctx, instance, &grid, kind, start)? {
            Ok(hashed) => return Ok(Ok(hashed)),
            Err(NoValues::Outside) => {
                let mut grown = false;
                for (size, _) in sizes.iter_mut().zip(limits).filter(|(_, limit)| limit.is_none()) {
                    *size = size.saturating_mul(2);
                    grown = true;
                }
                if !grown {
                    return refuse("the rules fault at some position");
                }
            }
            Err(NoValues::Rules(why)) => return refuse(why),
            Err(NoValues::Cyclic) => return refuse(CYCLIC),
            Err(NoValues::Ends) => return refuse("the whole play can end, or a move keeps the turn"),
            Err(NoValues::Limit) => return refuse(LIMIT),
            Err(NoValues::Large) => return refuse("values are too large for a table"),
        }
    }
    refuse("a field grows too far, or the rules fault at some position")
}

/// An order and directions of the fields in which every row of signs goes down; the least significant field is one that
/// moves change alone where there is a choice.
pub(super) fn lexicographic(signs: &[Vec<i8>], fields: usize) -> Option<(Vec<usize>, Vec<bool>)> {
    let mut left: Vec<&Vec<i8>> = signs.iter().collect();
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
