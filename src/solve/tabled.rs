//! Tables of states worked out by native code: of whole boxes in the order of their ranks, else of the states met.
//!
//! A short search of the usual kind comes first. Its positions tell how large the fields are and in which order of the
//! fields every move goes down lexicographically (a lexicographic ranking function found greedily: Bradley, Manna, Sipma,
//! Linear Ranking with Reachability, 2005, section 4; here from samples). Neither needs to be right for all positions: the
//! table decides a position only when all its options are in the box and below it.

use super::sample::{Part, Sample, fields, groups, sample};
use crate::rules::fault::Run;
use crate::rules::machine::Machine;
use crate::rules::memo::UNKNOWN;
use crate::rules::native::{self, BoxGraph, Cell, Dense, Grid, Hashed, Kind, NoValues, Refusal, Table};

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
    if matches!(machine.memo.tables.get(&(instance, kind)), Some(Table::Hashed(_)))
        && let Some(Table::Hashed(hashed)) = machine.memo.tables.remove(&(instance, kind))
        && let Some(start) = machine.state_words(id).and_then(|words| hashed.grid().rank(&words))
        && let Ok(hashed) = hashed.extended(machine, instance, start)?
    {
        machine.memo.tables.insert((instance, kind), Table::Hashed(hashed));
        return Ok(true);
    }
    match attempt(machine, id, instance, kind)? {
        Ok(dense) => {
            machine.memo.tables.insert((instance, dense.kind()), dense);
            Ok(true)
        }
        Err(Some(why)) => {
            machine.memo.sparse.insert((instance, kind), why);
            Ok(false)
        }
        Err(None) => Ok(false),
    }
}

/// A table; or why there is none, `None` when the search is short, or limited.
fn attempt(machine: &mut Machine, id: u32, instance: usize, kind: Kind) -> Run<Result<Table, Option<String>>> {
    let refuse = |why: &str| Ok(Err(Some(why.to_string())));
    let natural = match fields(machine, instance) {
        Ok(natural) => natural,
        Err(why) => return refuse(why),
    };
    let part = match sample(machine, id, instance)? {
        Sample::Unfit(why) => return refuse(why),
        Sample::Part(part) if part.whole => return Ok(Err(None)),
        Sample::Part(part) if part.cyclic => return refuse(CYCLIC),
        Sample::Part(part) => part,
    };
    let limits = machine.field_limits(instance);
    match whole_box(machine, instance, kind, &part, &natural, None)? {
        Ok(dense) => Ok(Ok(Table::Dense(dense))),
        Err(Refused { why, for_good: true }) => Ok(Err(Some(why))),
        Err(Refused { why, for_good: false }) => match met_only(machine, instance, kind, &part, &natural, &limits)? {
            Ok(hashed) => Ok(Ok(Table::Hashed(hashed))),
            // Another search may have other limits.
            Err(further) if further == LIMIT && machine.limits.positions.is_some() => Ok(Err(None)),
            Err(further) => Ok(Err(Some(format!("{why}; {further}")))),
        },
    }
}

const CYCLIC: &str = "a play can come back to a position";
const LIMIT: &str = "there are more states than may be searched";

/// What a table for this component would be and take, or why there would be none: only a short search is made.
pub(super) fn forecast(machine: &mut Machine, id: u32, kind: Kind) -> Run<Result<String, String>> {
    let instance = machine.instance_of[id as usize] as usize;
    let natural = match fields(machine, instance) {
        Ok(natural) => natural,
        Err(why) => return Ok(Err(why.to_string())),
    };
    let part = match sample(machine, id, instance)? {
        Sample::Unfit(why) => return Ok(Err(why.to_string())),
        Sample::Part(part) if part.whole => {
            return Ok(Err(format!("at most {} positions: searched one by one", machine.trial)));
        }
        Sample::Part(part) => part,
    };
    if let Err(why) = machine.judged_code(instance).and_then(|code| native::can_compile(&code)) {
        return Ok(Err(why.to_string()));
    }
    let limits = machine.field_limits(instance);
    let sizes = first_sizes(&part, &limits);
    if part.cyclic {
        return Ok(Ok(graph_forecast(machine, &sizes)));
    }
    let Some((order, reversed)) = lexicographic(&part.signs, natural.len()) else {
        let once = alike(machine, instance, sizes.clone());
        let graph = graph_forecast(machine, &sizes);
        return Ok(Ok(format!("the states met, hashed{once}; if a play can come back, {graph}")));
    };
    match Grid::new(&sizes, &natural, &order, &reversed) {
        Some(grid) if grid.volume <= SMALL || part.spread <= SPARSE => {
            let bytes = u128::from(grid.volume) * u128::from(Cell::smallest(kind).bytes);
            let room = machine.limits.memory.saturating_sub(machine.bytes());
            let shown = format!("{} states in a box, {} MiB or a small multiple", grid.volume, bytes >> 20);
            if bytes > u128::try_from(room).unwrap_or(u128::MAX) {
                return Ok(Err(format!("{shown}: more than the {} MiB that there are", room >> 20)));
            }
            Ok(Ok(shown))
        }
        _ => {
            let once = alike(machine, instance, sizes);
            Ok(Ok(format!("the states met, hashed: about one in {} of the box{once}", part.spread)))
        }
    }
}

/// Says which fields may change places, if some may.
fn alike(machine: &Machine, instance: usize, mut sizes: Vec<u64>) -> String {
    let fields = &machine.program.games[machine.instances[instance].game.0].fields;
    let names = |group: Vec<usize>| group.iter().map(|&i| fields[i].name.as_str()).collect::<Vec<_>>().join(", ");
    let groups = groups(machine, instance, &mut sizes).into_iter().map(names);
    groups.fold(String::new(), |all, names| format!("{all}; {names} may change places: stored once"))
}

/// What a graph of all states of a box would be and take.
fn graph_forecast(machine: &Machine, sizes: &[u64]) -> String {
    let Some(states) = sizes.iter().try_fold(1u64, |states, &size| states.checked_mul(size)) else {
        return "the graph of those that are reached".to_string();
    };
    let room = machine.limits.memory.saturating_sub(machine.bytes()) >> 20;
    let wanted = BoxGraph::forecast(states) >> 20;
    let beyond = if wanted > room as u64 { ", more than there are" } else { "" };
    format!(
        "the graph of {states} states in a box, {wanted} MiB{beyond}, or of those that are reached where they are few or \
         memory is short: some 5 bytes a state of the box, 24 a state reached, and 4 a move, or 10 where there is room"
    )
}

struct Refused {
    why: String,
    /// Other tables cannot be made either.
    for_good: bool,
}

/// A field that grows beyond what was seen gets twice as much room so often.
const TRIES: usize = 5;

/// Sizes of the fields by what was seen.
fn first_sizes(part: &Part, limits: &[Option<u64>]) -> Vec<u64> {
    let seen = part.most.iter().map(|&most| most.unsigned_abs().saturating_add(1));
    seen.zip(limits).map(|(seen, limit)| limit.unwrap_or(seen)).collect()
}

/// Positions that may be asked about.
pub(super) struct Ahead<'a> {
    /// The greatest words asked about so far: the box is for those up to twice as great.
    pub(super) most: &'a [i64],
    /// The box has no more cells.
    pub(super) cells: u64,
}

/// Makes a table for a component and others that may be asked about; `false`: there is none, or it does not know this one.
pub(super) fn decide_ahead(machine: &mut Machine, id: u32, kind: Kind, ahead: &Ahead<'_>) -> Run<bool> {
    let instance = machine.instance_of[id as usize] as usize;
    if machine.plain || machine.memo.sparse.contains_key(&(instance, kind)) {
        return Ok(false);
    }
    let Ok(natural) = fields(machine, instance) else { return Ok(false) };
    let Sample::Part(part) = sample(machine, id, instance)? else { return Ok(false) };
    if part.cyclic {
        return Ok(false);
    }
    let made = whole_box(machine, instance, kind, &part, &natural, Some(ahead))?;
    Ok(made.map(|dense| machine.memo.tables.insert((instance, dense.cell().kind), Table::Dense(dense))).is_ok())
}

fn whole_box(
    machine: &mut Machine,
    instance: usize,
    kind: Kind,
    part: &Part,
    natural: &[bool],
    ahead: Option<&Ahead<'_>>,
) -> Run<Result<Dense, Refused>> {
    let limits = machine.field_limits(instance);
    let refuse = |why: String, for_good| Ok(Err(Refused { why, for_good }));
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
    for _ in 0..TRIES {
        let Some(grid) = Grid::new(&sizes, natural, &order, &reversed) else {
            return refuse("there are too many states in the box".to_string(), false);
        };
        if ahead.is_some_and(|ahead| grid.volume > ahead.cells) {
            return refuse("it would have too many cells".to_string(), true);
        }
        if grid.volume > SMALL && part.spread > SPARSE {
            return refuse(format!("only about one state in {} of the box is met", part.spread), false);
        }
        let Some(start) = grid.rank(&part.start) else { return refuse("it is outside of the box".to_string(), true) };
        let upto = if ahead.is_some() { grid.volume - 1 } else { start };
        if machine.limits.table().is_some_and(|limit| upto >= limit) {
            // Those that are met may be fewer.
            return refuse("the table would have more cells than positions may be searched".to_string(), false);
        }
        match Dense::new(machine, instance, grid, kind, upto)? {
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
    machine: &mut Machine,
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
    let groups = groups(machine, instance, &mut sizes);
    for _ in 0..TRIES {
        // Digits of whole bits are taken apart faster.
        let whole: Vec<u64> = sizes.iter().map(|size| size.checked_next_power_of_two().unwrap_or(u64::MAX)).collect();
        let grid =
            Grid::new(&whole, natural, &order, &reversed).or_else(|| Grid::new(&sizes, natural, &order, &reversed));
        let Some(grid) = grid else { return refuse("its states do not fit words of 61 bits") };
        let grid = grid.with_groups(&groups);
        let Some(start) = grid.rank(&part.start) else { return refuse("it is outside of the box") };
        match Hashed::new(machine, instance, &grid, kind, start)? {
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
fn lexicographic(signs: &[Vec<i8>], fields: usize) -> Option<(Vec<usize>, Vec<bool>)> {
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

/// Value and remoteness of a component that a table of this kind knows.
pub(super) fn read(machine: &Machine, id: u32, kind: Kind) -> Option<(u32, u32)> {
    let instance = machine.instance_of[id as usize] as usize;
    let dense = machine.memo.tables.get(&(instance, kind))?;
    let (value, far) = dense.read(&machine.state_words(id)?)?;
    Some((u32::try_from(value).ok()?, u32::try_from(far).ok()?))
}

/// Puts the Grundy value that a table knows of a component into the memo; `false`: nothing is known.
pub(super) fn known(machine: &mut Machine, id: u32) -> bool {
    if machine.memo.tables.is_empty() {
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

/// Whether the table of a component's instance takes in further positions without being made anew.
pub(super) fn grows(machine: &Machine, id: u32) -> bool {
    let instance = machine.instance_of[id as usize] as usize;
    matches!(machine.memo.tables.get(&(instance, Kind::GrundyFar)), Some(Table::Hashed(_)))
}

/// How many cells the tables of a component's instance have.
pub(super) fn positions(machine: &Machine, id: u32) -> u64 {
    let instance = machine.instance_of[id as usize] as usize;
    let of = |(at, dense): (&(usize, Kind), &Table)| (at.0 == instance).then(|| dense.positions());
    machine.memo.tables.iter().filter_map(of).max().unwrap_or(0)
}
