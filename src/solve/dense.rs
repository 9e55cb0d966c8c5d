//! Whole boxes of states worked out in the order of their ranks by native code.
//!
//! A short search of the usual kind comes first. Its positions tell how large the fields are and in which order of the
//! fields every move goes down lexicographically (a lexicographic ranking function found greedily: Bradley, Manna, Sipma,
//! Linear Ranking with Reachability, 2005, section 4; here from samples). Neither needs to be right for all positions: the
//! table decides a position only when all its options are in the box and below it.

use super::sample::{Sample, sample};
use crate::rules::fault::Run;
use crate::rules::machine::Machine;
use crate::rules::memo::UNKNOWN;
use crate::rules::native::{Dense, Grid, Kind, Refusal};

/// A table of at most so many cells is always worth it.
const SMALL: u64 = 1 << 22;
/// A larger one when at least one in so many of its cells is wanted, as far as the first search tells.
const SPARSE: u64 = 16;

/// Makes a table that decides this component, if one can be made and the search is not short anyway.
pub(super) fn decide(machine: &mut Machine, id: u32, kind: Kind) -> Run<bool> {
    let instance = machine.instance_of[id as usize] as usize;
    if machine.plain || machine.memo.sparse.contains_key(&(instance, kind)) {
        return Ok(false);
    }
    match attempt(machine, id, instance, kind)? {
        Ok(dense) => {
            machine.memo.dense.insert((instance, dense.kind()), dense);
            Ok(true)
        }
        Err(Some(why)) => {
            machine.memo.sparse.insert((instance, kind), why);
            Ok(false)
        }
        Err(None) => Ok(false),
    }
}

/// A table; or why there is none, `None` when the search is short.
fn attempt(machine: &mut Machine, id: u32, instance: usize, kind: Kind) -> Run<Result<Dense, Option<String>>> {
    let refuse = |why: &str| Ok(Err(Some(why.to_string())));
    let game = machine.instances[instance].game;
    let game = &machine.program.games[game.0];
    if !game.legal.is_empty() || !game.same.is_empty() {
        return refuse("it has `legal when` or `same as` lines");
    }
    let Some(natural) = machine.natural_fields(instance) else { return refuse("its states are not words") };
    let sample = match sample(machine, id, instance)? {
        Sample::Whole => return Ok(Err(None)),
        Sample::Unfit(why) => return refuse(why),
        Sample::Part(part) => part,
    };
    let Some((order, reversed)) = lexicographic(&sample.signs, natural.len()) else {
        return refuse("no order of the fields goes down with every move");
    };
    let limits = machine.field_limits(instance);
    let mut sizes: Vec<u64> = sample.most.iter().map(|&m| m.unsigned_abs().saturating_add(1)).collect();
    for (size, limit) in sizes.iter_mut().zip(&limits) {
        *size = limit.unwrap_or(*size);
    }
    let mut kind = kind;
    /// A field that grows beyond what was seen gets twice as much room so often.
    const TRIES: usize = 5;
    for _ in 0..TRIES {
        let Some(grid) = Grid::new(&sizes, &natural, &order, &reversed) else {
            return refuse("there are too many states in the box");
        };
        if grid.volume > SMALL && sample.spread > SPARSE {
            return Ok(Err(Some(format!("only about one state in {} of the box is met", sample.spread))));
        }
        let Some(upto) = grid.rank(&sample.start) else { return refuse("it is outside of the box") };
        match Dense::new(machine, instance, grid, kind, upto)? {
            Ok(dense) if dense.read(&sample.start).is_some() => return Ok(Ok(dense)),
            Ok(_) => {
                let mut grown = false;
                for (i, size) in sizes.iter_mut().enumerate() {
                    if limits[i].is_none() && sample.most[i] > sample.start[i] {
                        *size = size.saturating_mul(2);
                        grown = true;
                    }
                }
                if !grown {
                    return refuse("some position on the way is not decided by its options in the box");
                }
            }
            Err(Refusal::Sums) if kind == Kind::GrundyFar => kind = Kind::Grundy,
            Err(Refusal::Sums) => return refuse("moves lead to sums"),
            Err(Refusal::Rules(why)) => return refuse(why),
            Err(Refusal::Values) => return refuse("values are too large for a table"),
            Err(Refusal::Memory(bytes)) => {
                return Ok(Err(Some(format!("a table would take {} MiB", bytes >> 20))));
            }
        }
    }
    refuse("a field grows too far")
}

/// An order and directions of the fields in which every row of signs goes down; the least significant field is one that
/// moves change alone where there is a choice.
fn lexicographic(signs: &[Vec<i8>], fields: usize) -> Option<(Vec<usize>, Vec<bool>)> {
    let mut left: Vec<&Vec<i8>> = signs.iter().collect();
    let (mut order, mut reversed) = (Vec::new(), vec![false; fields]);
    while !left.is_empty() {
        let fits = |field: usize, up: i8| left.iter().all(|row| row[field] != up) && left.iter().any(|row| row[field] != 0);
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

/// Value and remoteness of a component that a table of this kind knows.
pub(super) fn read(machine: &Machine, id: u32, kind: Kind) -> Option<(u32, u32)> {
    let instance = machine.instance_of[id as usize] as usize;
    let dense = machine.memo.dense.get(&(instance, kind))?;
    let (value, far) = dense.read(&machine.state_words(id)?)?;
    Some((u32::try_from(value).ok()?, u32::try_from(far).ok()?))
}

/// Puts the Grundy value that a table knows of a component into the memo; `false`: nothing is known.
pub(super) fn known(machine: &mut Machine, id: u32) -> bool {
    if machine.memo.dense.is_empty() {
        return false;
    }
    let found = read(machine, id, Kind::GrundyFar)
        .or_else(|| read(machine, id, Kind::Grundy).map(|(value, _)| (value, UNKNOWN)));
    let Some((value, far)) = found else { return false };
    machine.memo.fit(machine.instance_of.len());
    machine.memo.grundy[id as usize] = value;
    machine.memo.remoteness[id as usize] = far;
    true
}

/// How many cells the tables of a component's instance have.
pub(super) fn positions(machine: &Machine, id: u32) -> u64 {
    let instance = machine.instance_of[id as usize] as usize;
    let of = |(at, dense): (&(usize, Kind), &Dense)| (at.0 == instance).then(|| dense.positions());
    machine.memo.dense.iter().filter_map(of).max().unwrap_or(0)
}
