//! Whole boxes of states worked out in the order of their ranks by native code.
//!
//! A short search of the usual kind comes first. Its positions tell how large the fields are and in which order of the
//! fields every move goes down lexicographically (a lexicographic ranking function found greedily: Bradley, Manna, Sipma,
//! Linear Ranking with Reachability, 2005, section 4; here from samples). Neither needs to be right for all positions: the
//! table decides a position only when all its options are in the box and below it.

use crate::rules::fault::Run;
use crate::rules::machine::Machine;
use crate::rules::memo::{OPEN, UNKNOWN};
use crate::rules::native::{Dense, Grid, Kind, Refusal};
use crate::rules::run::{Options, Way};

/// So many positions are searched the usual way before a table is thought of.
pub(super) const TRIAL: u64 = 4096;
/// A table of at most so many cells is always worth it.
const SMALL: u64 = 1 << 22;
/// A larger one when at least one in so many of its cells is wanted, as far as the first search tells.
const SPARSE: u64 = 16;

/// What the first positions tell of an instance's states.
struct Sample {
    /// The greatest word of each field.
    most: Vec<i64>,
    /// Where the search begins.
    start: Vec<i64>,
    /// How each field changes in moves: the distinct rows of signs.
    signs: Vec<Vec<i8>>,
    /// One in so many states of the smallest box around the finished positions is one of them.
    spread: u64,
}

/// Makes a table that decides this component, if one can be made; then its value is known to [`known`].
pub(super) fn decide(machine: &mut Machine, id: u32, kind: Kind) -> Run<bool> {
    let instance = machine.instance_of[id as usize] as usize;
    if machine.plain || machine.memo.sparse.contains_key(&instance) {
        return Ok(false);
    }
    match attempt(machine, id, instance, kind)? {
        Ok(dense) => {
            machine.memo.dense.insert(instance, dense);
            Ok(true)
        }
        Err(why) => {
            machine.memo.sparse.insert(instance, why);
            Ok(false)
        }
    }
}

fn attempt(machine: &mut Machine, id: u32, instance: usize, kind: Kind) -> Run<Result<Dense, String>> {
    let game = machine.instances[instance].game;
    let game = &machine.program.games[game.0];
    if !game.legal.is_empty() || !game.same.is_empty() {
        return Ok(Err("it has `legal when` or `same as` lines".to_string()));
    }
    let Some(natural) = machine.natural_fields(instance) else {
        return Ok(Err("its states are not words".to_string()));
    };
    let Some(sample) = sample(machine, id, instance)? else {
        return Ok(Err("a field is negative, or moves lead to other games".to_string()));
    };
    let Some((order, reversed)) = lexicographic(&sample.signs, natural.len()) else {
        return Ok(Err("no order of the fields goes down with every move".to_string()));
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
            return Ok(Err("there are too many states in the box".to_string()));
        };
        if grid.volume > SMALL && sample.spread > SPARSE {
            return Ok(Err(format!("only about one state in {} of the box is met", sample.spread)));
        }
        let Some(upto) = grid.rank(&sample.start) else { return Ok(Err("it is outside of the box".to_string())) };
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
                    return Ok(Err("some position on the way is not decided by its options in the box".to_string()));
                }
            }
            Err(Refusal::Sums) if kind == Kind::GrundyFar => kind = Kind::Grundy,
            Err(Refusal::Sums) => return Ok(Err("moves lead to sums".to_string())),
            Err(Refusal::Rules(why)) => return Ok(Err(why.to_string())),
            Err(Refusal::Values) => return Ok(Err("values are too large for a table".to_string())),
            Err(Refusal::Memory(bytes)) => {
                return Ok(Err(format!("a table would take {} MiB", bytes >> 20)));
            }
        }
    }
    Ok(Err("a field grows too far".to_string()))
}

fn sample(machine: &mut Machine, id: u32, instance: usize) -> Run<Option<Sample>> {
    /// So many positions are asked for their moves.
    const ASKED: usize = 1024;
    let Some(start) = machine.state_words(id) else { return Ok(None) };
    let fields = start.len();
    let mut seen = Vec::new();
    let mut most = start.clone();
    let (mut low, mut high, mut finished) = (vec![i64::MAX; fields], vec![i64::MIN; fields], 0u64);
    for other in 0..u32::try_from(machine.components()).unwrap_or(u32::MAX) {
        if machine.instance_of[other as usize] as usize != instance {
            continue;
        }
        let Some(words) = machine.state_words(other) else { return Ok(None) };
        if words.iter().any(|&w| w < 0) {
            return Ok(None);
        }
        most.iter_mut().zip(&words).for_each(|(m, &w)| *m = w.max(*m));
        if machine.memo.grundy.get(other as usize).is_some_and(|&g| g < OPEN) {
            finished += 1;
            for i in 0..fields {
                low[i] = low[i].min(words[i]);
                high[i] = high[i].max(words[i]);
            }
        }
        seen.push(other);
    }
    let volume = low.iter().zip(&high).fold(1u64, |v, (&l, &h)| {
        v.saturating_mul(h.checked_sub(l).map_or(1, i64::unsigned_abs).saturating_add(1))
    });
    let spread = if finished == 0 { 1 } else { volume / finished };
    let mut signs: Vec<Vec<i8>> = Vec::new();
    let mut out = Options::default();
    let step = (seen.len() / ASKED).max(1);
    for &from in std::iter::once(&id).chain(seen.iter().step_by(step)) {
        machine.options(from, &mut out)?;
        let Some(before) = machine.state_words(from) else { return Ok(None) };
        for mv in &out.moves {
            let Way::To { first, len } = mv.way else { continue };
            for &to in &out.components[first as usize..(first + len) as usize] {
                if machine.instance_of[to as usize] as usize != instance {
                    return Ok(None);
                }
                let Some(after) = machine.state_words(to) else { return Ok(None) };
                most.iter_mut().zip(&after).for_each(|(m, &w)| *m = w.max(*m));
                let row: Vec<i8> = before.iter().zip(&after).map(|(b, a)| a.cmp(b) as i8).collect();
                if !signs.contains(&row) {
                    signs.push(row);
                }
            }
        }
    }
    Ok(Some(Sample { most, start, signs, spread }))
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

/// Puts what a table knows of a component into the memo; `false`: nothing is known.
pub(super) fn known(machine: &mut Machine, id: u32) -> bool {
    if machine.memo.dense.is_empty() {
        return false;
    }
    let instance = machine.instance_of[id as usize] as usize;
    let Some(words) = machine.state_words(id) else { return false };
    let Some(dense) = machine.memo.dense.get(&instance) else { return false };
    let Some((value, far)) = dense.read(&words) else { return false };
    let (Ok(value), Ok(far)) = (u32::try_from(value), u32::try_from(far)) else { return false };
    let far = match dense.kind() {
        Kind::GrundyFar => far,
        Kind::Grundy => UNKNOWN,
        Kind::Outcome { .. } => return false,
    };
    machine.memo.fit(machine.instance_of.len());
    machine.memo.grundy[id as usize] = value;
    machine.memo.remoteness[id as usize] = far;
    true
}
