//! Tables of states worked out by native code: of whole boxes in the order of their ranks, else of the states met.
//!
//! A short search of the usual kind comes first. Its positions tell how large the fields are and in which order of the
//! fields every move goes down lexicographically (a lexicographic ranking function found greedily: Bradley, Manna, Sipma,
//! Linear Ranking with Reachability, 2005, section 4; here from samples). Neither needs to be right for all positions: the
//! table decides a position only when all its options are in the box and below it.
//!
//! Where a play comes back in that search, no table is begun. A table that is too small for a further position is made
//! anew only when the search has gone on for as long.

mod boxes;
mod forecast;

use crate::bytecode::InstanceId;
use crate::engines::by_tables::boxes::{attempt, whole_box};
pub(super) use crate::engines::by_tables::forecast::forecast;
use crate::engines::sample::{fields, sample};
use crate::memo::UNKNOWN;
use crate::tables::{Kind, Table};
use crate::value::fault::Run;
use crate::value::refusal::{Refusal, refusal};
use crate::vm::context::Context;

/// Makes a table that decides this component, if one can be made and the search is not short anyway.
pub(super) fn decide(ctx: &mut Context, id: u32, kind: Kind) -> Run<bool> {
    let instance = ctx.store.instance_of[id as usize];
    if ctx.options.plain || ctx.memo.table_refusals.contains_key(&(instance, kind)) {
        return Ok(false);
    }
    if matches!(ctx.memo.tables.get(&(instance, kind)), Some(Table::Hashed(_)))
        && let Some(Table::Hashed(hashed)) = ctx.memo.tables.remove(&(instance, kind))
        && let Some(start) = ctx.store.state_words(id).and_then(|words| hashed.grid().rank(&words))
        && let Ok(rules) = ctx.box_rules(instance)
        && let Ok(hashed) = refusal(hashed.extended(&rules, start))?
    {
        ctx.memo.tables.insert((instance, kind), Table::Hashed(hashed));
        return Ok(true);
    }
    match refusal(attempt(ctx, id, instance, kind))? {
        Ok(table) => {
            ctx.memo.tables.insert((instance, table.kind()), table);
            Ok(true)
        }
        Err(Refusal::Few | Refusal::ForNow) => Ok(false),
        Err(why) => {
            ctx.memo.table_refusals.insert((instance, kind), why);
            Ok(false)
        }
    }
}

/// Positions that may be asked about.
pub(super) struct Ahead<'a> {
    /// The greatest words asked about so far: the box is for those up to twice as great.
    pub(super) most: &'a [i64],
    /// The box has no more cells.
    pub(super) cells: u64,
}

/// Makes a table for a component and others that may be asked about; `false`: there is none, or it does not know this one.
pub(super) fn decide_ahead(ctx: &mut Context, id: u32, kind: Kind, ahead: &Ahead<'_>) -> Run<bool> {
    let instance = ctx.store.instance_of[id as usize];
    if ctx.options.plain || ctx.memo.table_refusals.contains_key(&(instance, kind)) {
        return Ok(false);
    }
    let Ok(natural) = fields(ctx, instance) else { return Ok(false) };
    let part = match refusal(sample(ctx, id, instance))? {
        Ok(part) if !part.cyclic => part,
        _ => return Ok(false),
    };
    let made = refusal(whole_box(ctx, instance, kind, &part, &natural, Some(ahead)))?;
    Ok(made.map(|dense| ctx.memo.tables.insert((instance, dense.cell().kind), Table::Dense(dense))).is_ok())
}

/// Value and remoteness of a component that a table of this kind knows.
pub(super) fn read(ctx: &Context, id: u32, kind: Kind) -> Option<(u32, u32)> {
    let instance = ctx.store.instance_of[id as usize];
    let dense = ctx.memo.tables.get(&(instance, kind))?;
    let (value, far) = dense.read(&ctx.store.state_words(id)?)?;
    Some((u32::try_from(value).ok()?, u32::try_from(far).ok()?))
}

/// Puts the Grundy value that a table knows of a component into the memo; `false`: nothing is known.
pub(super) fn known(ctx: &mut Context, id: u32) -> bool {
    if ctx.memo.tables.is_empty() {
        return false;
    }
    let found =
        read(ctx, id, Kind::GrundyFar).or_else(|| read(ctx, id, Kind::Grundy).map(|(value, _)| (value, UNKNOWN)));
    let Some((value, far)) = found else { return false };
    ctx.memo.fit(ctx.store.instance_of.len());
    ctx.memo.grundy[id as usize] = value;
    ctx.memo.remoteness[id as usize] = far;
    true
}

/// Whether the table of a component's instance takes in further positions without being made anew.
pub(super) fn grows(ctx: &Context, id: u32) -> bool {
    let instance = ctx.store.instance_of[id as usize];
    matches!(ctx.memo.tables.get(&(instance, Kind::GrundyFar)), Some(Table::Hashed(_)))
}

/// How many cells the tables of a component's instance have.
pub(super) fn positions(ctx: &Context, id: u32) -> u64 {
    let instance = ctx.store.instance_of[id as usize];
    let of = |(at, dense): (&(InstanceId, Kind), &Table)| (at.0 == instance).then(|| dense.positions());
    ctx.memo.tables.iter().filter_map(of).max().unwrap_or(0)
}
