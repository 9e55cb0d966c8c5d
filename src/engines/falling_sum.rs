//! Tables in the order of a weighted sum of the fields that goes down with every move, where no field does.
//!
//! A knight that comes nearer to the corner makes one number greater and the other smaller by more. Every play stays below the
//! sum of its start, which bounds each field, so the box need not be guessed. The weights are: they are small, and hold for all
//! moves of a short search (a linear ranking function, as in [`crate::engines::by_tables`]); the table decides a position
//! only when all its options are below it. For *knight* of `benches/rivals`: five times the speed of the same box filled depth
//! first. `EngineOptions::sums` turns it off.

use crate::engines::by_tables::{cell_cost, count, worth_a_box};
use crate::engines::sample::Plan;
use crate::store::Extent;
use crate::tables::{Dense, Grid, Kind, Table};
use crate::value::refusal::{Attempt, Refusal, refusal};
use crate::value::width;
use crate::vm::context::Context;

/// The box of all states with a sum up to that of the start, and the rank of the start; a cell costs as much as `cost` of rules
/// on words.
pub(super) fn box_by_sum(plan: &Plan, cost: u64) -> Result<(Grid, u64), Refusal> {
    /// It may have so many times the states of the box of what was seen.
    const GROWTH: u64 = 1 << 4;
    let Plan { part, limits, natural, .. } = plan;
    if !natural.iter().all(|&natural| natural) {
        return Err(Refusal::NoOrder);
    }
    let weights = part.weights.least().ok_or(Refusal::NoOrder)?;
    let sum = sum(plan, weights).ok_or(Refusal::ManyStates)?;
    let below = |(&weight, limit): (&u64, &Extent)| limit.size(sum / weight + 1).min(sum / weight + 1);
    let sizes: Vec<u64> = weights.iter().zip(limits).map(below).collect();
    let seen = plan.spans(&part.most).iter().fold(1u64, |volume, span| volume.saturating_mul(span.size));
    let grid = Grid::by_sum(&sizes, weights).ok_or(Refusal::ManyStates)?;
    let start = grid.rank(&part.start).ok_or(Refusal::StartOutside)?;
    if start / GROWTH > seen || !worth_a_box(start, part.spread, cost) {
        return Err(Refusal::Sparse { one_in: part.spread, volume: start });
    }
    Ok((grid, start))
}

fn sum(plan: &Plan, weights: &[u64]) -> Option<u64> {
    let fields = plan.part.start.iter().zip(weights);
    fields
        .map(|(&word, &weight)| u64::try_from(word).ok()?.checked_mul(weight))
        .try_fold(0u64, |sum, part| sum.checked_add(part?))
}

/// A table of all that a component may lead to, in which it is decided.
pub(super) fn falling_sum(ctx: &mut Context, plan: &Plan, kind: Kind) -> Attempt<Table> {
    let (grid, start) = box_by_sum(plan, cell_cost(ctx, plan.instance))?;
    if ctx.limits.table().is_some_and(|limit| start >= limit) {
        return Err(Refusal::CellLimit.into());
    }
    count(ctx, plan, start + 1);
    let rules = ctx.box_rules(plan.instance)?;
    let made = |kind| Dense::new(&rules, grid.clone(), kind, start, false, None);
    let mut table = match refusal(made(kind))? {
        Err(Refusal::Sums) if kind == Kind::GrundyFar => made(Kind::Grundy)?,
        table => table?,
    };
    if table.read(&plan.part.start).is_none() {
        return Err(Refusal::NoOrder.into());
    }
    table.met = Some(states(&grid, start / grid.digits[grid.order[0]].stride));
    Ok(Table::Dense(table))
}

/// How many states have at most this sum. `O(sum)` for each field.
fn states(grid: &Grid, sum: u64) -> u64 {
    let sum = width::index(sum);
    let mut of_sum = vec![0u64; sum + 1];
    of_sum[0] = 1;
    for (digit, &weight) in grid.digits.iter().zip(&grid.weights) {
        let (step, beyond) = (width::index(weight), width::index(digit.span.size.saturating_mul(weight)));
        let before = of_sum.clone();
        for at in step..=sum {
            let gone = at.checked_sub(beyond).map_or(0, |at| before[at]);
            of_sum[at] = of_sum[at - step].saturating_add(before[at]).saturating_sub(gone);
        }
    }
    of_sum.iter().fold(0, |all, &states| all.saturating_add(states))
}

/// Weights of a sum that goes down in every move seen.
pub(super) struct Weights {
    /// Those that are left, the smallest first; nothing: no move made any field greater, and all weights do.
    left: Option<Vec<Vec<u64>>>,
}

impl Weights {
    pub(super) const ALL: Weights = Weights { left: None };

    /// A move. `O(candidates * fields)` where it makes a field greater.
    pub(super) fn see(&mut self, before: &[i64], after: &[i64]) {
        if before.iter().zip(after).all(|(before, after)| after <= before) && before != after {
            return;
        }
        let sum = |weights: &[u64]| {
            let changes = before.iter().zip(after).zip(weights);
            changes.map(|((&b, &a), &weight)| (i128::from(a) - i128::from(b)) * i128::from(weight)).sum::<i128>()
        };
        self.left.get_or_insert_with(|| candidates(before.len())).retain(|weights| sum(weights) < 0);
    }

    fn least(&self) -> Option<&Vec<u64>> {
        self.left.as_ref()?.first()
    }
}

/// Weights to try, of which one is 1, the smallest first.
fn candidates(fields: usize) -> Vec<Vec<u64>> {
    /// Of more fields all weights are 1.
    const FIELDS: usize = 4;
    const LARGEST: u64 = 3;
    if fields > FIELDS {
        return vec![vec![1; fields]];
    }
    let mut all: Vec<Vec<u64>> = vec![Vec::new()];
    for _ in 0..fields {
        all = all.iter().flat_map(|row| (1..=LARGEST).map(move |weight| [&row[..], &[weight]].concat())).collect();
    }
    all.retain(|row| row.contains(&1));
    all.sort_by_key(|row| row.iter().sum::<u64>());
    all
}
