//! Tables by what a short search tells: of the whole box, or of the states met.

use crate::bytecode::InstanceId;
use crate::engines::by_tables::Ahead;
use crate::engines::sample::{Part, fields, groups, grow, sample};
use crate::tables::{Dense, Grid, Hashed, Kind, Table};
use crate::tuning::{TABLE_MET, TABLE_SMALL, TABLE_SPARSE, TABLE_TRIES};
use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Refusal, refusal};
use crate::vm::context::Context;

/// A table. [`Refusal::Few`] and [`Refusal::ForNow`]: another search may get one.
pub(super) fn attempt(ctx: &mut Context, id: u32, instance: InstanceId, kind: Kind) -> Attempt<Table> {
    let natural = fields(ctx, instance)?;
    let part = sample(ctx, id, instance)?;
    if part.whole {
        return Err(Refusal::Few.into());
    }
    if part.cyclic {
        return Err(Refusal::Cyclic.into());
    }
    let (fuel, steps_each) = (ctx.run.fuel, part.steps.max(1));
    let narrow = |limits: &mut Limits| {
        // Native code counts no steps: their limit becomes one of positions.
        if let Some(steps) = limits.steps {
            let left = steps.saturating_sub(fuel) / steps_each;
            limits.positions = Some(limits.positions.map_or(left, |limit| limit.min(left)));
        }
    };
    ctx.under(narrow, |ctx| made(ctx, instance, kind, part, &natural))
}

fn made(ctx: &mut Context, instance: InstanceId, kind: Kind, part: Part, natural: &[bool]) -> Attempt<Table> {
    let why = match refusal(whole_box(ctx, instance, kind, &part, natural, None))? {
        Ok(dense) => return Ok(Table::Dense(dense)),
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
    if !of_box {
        return Err(why.into());
    }
    let sparse = if let Refusal::Sparse { volume, .. } = why { Some(volume) } else { None };
    match refusal(met_first(ctx, instance, kind, part, natural, sparse))? {
        Err(Refusal::PositionLimit) if ctx.limits.positions.is_some() => Err(Refusal::ForNow.into()),
        made => Ok(made?),
    }
}

/// A table of the states met. A short search tells badly how many these are: where many are met of a box of
/// so many states, the table is made of the whole box after all. `sparse`: the states in the box, where the only reason
/// against it is that few of them seem to be met.
fn met_first(
    ctx: &mut Context,
    instance: InstanceId,
    kind: Kind,
    part: Part,
    natural: &[bool],
    sparse: Option<u64>,
) -> Attempt<Table> {
    /// Bytes of a cell, while it is made.
    const CELL: u64 = 4;
    let limits = ctx.store.field_limits(instance);
    let whole = ctx.limits.positions;
    let room = ctx.limits.memory.saturating_sub(ctx.bytes()) as u64;
    let many = sparse.filter(|volume| volume.saturating_mul(CELL) < room).map(|volume| volume / TABLE_MET);
    let many = many.filter(|&many| whole.is_none_or(|whole| many < whole));
    let narrow = |limits: &mut Limits| limits.positions = many.or(whole);
    let met = ctx.under(narrow, |ctx| met_only(ctx, instance, kind, &part, natural, &limits));
    match refusal(met)? {
        Err(Refusal::PositionLimit) if many.is_some() => {
            let part = Part { spread: 1, ..part };
            match refusal(whole_box(ctx, instance, kind, &part, natural, None))? {
                Ok(dense) => Ok(Table::Dense(dense)),
                Err(_) => Ok(Table::Hashed(met_only(ctx, instance, kind, &part, natural, &limits)?)),
            }
        }
        met => Ok(Table::Hashed(met?)),
    }
}

/// Sizes of the fields by what was seen.
pub(super) fn first_sizes(part: &Part, limits: &[Option<u64>]) -> Vec<u64> {
    let seen = part.most.iter().map(|&most| most.unsigned_abs().saturating_add(1));
    seen.zip(limits).map(|(seen, limit)| limit.unwrap_or(seen)).collect()
}

pub(super) fn whole_box(
    ctx: &mut Context,
    instance: InstanceId,
    kind: Kind,
    part: &Part,
    natural: &[bool],
    ahead: Option<&Ahead<'_>>,
) -> Attempt<Dense> {
    let limits = ctx.store.field_limits(instance);
    let (order, reversed) = lexicographic(&part.signs, natural.len()).ok_or(Refusal::NoOrder)?;
    let mut sizes = first_sizes(part, &limits);
    if let Some(ahead) = ahead {
        for ((size, &most), limit) in sizes.iter_mut().zip(ahead.most).zip(&limits) {
            let asked = most.unsigned_abs().saturating_add(1).saturating_mul(2);
            *size = limit.unwrap_or((*size).max(asked));
        }
    }
    let mut kind = kind;
    for _ in 0..TABLE_TRIES {
        let grid = Grid::new(&sizes, natural, &order, &reversed).ok_or(Refusal::ManyStates)?;
        if ahead.is_some_and(|ahead| grid.volume > ahead.cells) {
            return Err(Refusal::ManyCells.into());
        }
        if grid.volume > TABLE_SMALL && part.spread > TABLE_SPARSE {
            return Err(Refusal::Sparse { one_in: part.spread, volume: grid.volume }.into());
        }
        let start = grid.rank(&part.start).ok_or(Refusal::StartOutside)?;
        let upto = if ahead.is_some() { grid.volume - 1 } else { start };
        if ctx.limits.table().is_some_and(|limit| upto >= limit) {
            // Those that are met may be fewer.
            return Err(Refusal::CellLimit.into());
        }
        let lines = ctx.options.lines;
        match refusal(Dense::new(&ctx.box_rules(instance)?, grid, kind, upto, lines))? {
            Ok(dense) if dense.read(&part.start).is_some() => return Ok(dense),
            Ok(_) => {
                let mut grown = false;
                for (i, size) in sizes.iter_mut().enumerate() {
                    if limits[i].is_none() && part.most[i] > part.start[i] {
                        *size = size.saturating_mul(2);
                        grown = true;
                    }
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

/// A table of the states met.
fn met_only(
    ctx: &mut Context,
    instance: InstanceId,
    kind: Kind,
    part: &Part,
    natural: &[bool],
    limits: &[Option<u64>],
) -> Attempt<Hashed> {
    let order: Vec<usize> = (0..natural.len()).collect();
    let reversed = vec![false; natural.len()];
    let mut sizes = first_sizes(part, limits);
    let groups = groups(ctx, instance, &mut sizes);
    for _ in 0..TABLE_TRIES {
        // Digits of whole bits are taken apart faster.
        let whole: Vec<u64> = sizes.iter().map(|size| size.checked_next_power_of_two().unwrap_or(u64::MAX)).collect();
        let grid =
            Grid::new(&whole, natural, &order, &reversed).or_else(|| Grid::new(&sizes, natural, &order, &reversed));
        let grid = grid.ok_or(Refusal::ManyBits)?.with_groups(&groups);
        let start = grid.rank(&part.start).ok_or(Refusal::StartOutside)?;
        match refusal(Hashed::new(&ctx.box_rules(instance)?, &grid, kind, start))? {
            Err(Refusal::Outside) if grow(&mut sizes, limits) => {}
            made => return Ok(made?),
        }
    }
    Err(Refusal::Outside.into())
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
