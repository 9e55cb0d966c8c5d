//! Games of one instance whose plays may come back, worked out on the graph of all states that native code finds:
//! outcomes by retrograde analysis, loopy values by stages.

use super::loopy::INFINITE;
use super::sample::{Sample, fields, sample};
use crate::answer::Outcome;
use crate::rules::fault::Run;
use crate::rules::limits::Limits;
use crate::rules::machine::Machine;
use crate::rules::memo::Solved;
use crate::rules::native::{End, Grid, KEEPS, NoGraph, StateGraph};
use crate::rules::run::{Options, Way};

/// Makes sure that a component's graph is solved, if it can be; `misere`: who cannot move wins.
pub(super) fn decide(machine: &mut Machine, id: u32, misere: bool) -> Run<bool> {
    if node(machine, id, misere).is_some() {
        return Ok(true);
    }
    let instance = machine.instance_of[id as usize] as usize;
    if machine.plain || machine.memo.untabled.contains_key(&instance) {
        return Ok(false);
    }
    match graph(machine, id, instance)? {
        Ok(graph) => {
            let (marks, remoteness) = outcomes(&machine.limits, &graph, misere)?;
            let solved = Solved { graph, marks, remoteness, values: None };
            machine.memo.solved.insert((instance, misere), solved);
            Ok(true)
        }
        Err(Some(why)) => {
            machine.memo.untabled.insert(instance, why);
            Ok(false)
        }
        Err(None) => Ok(false),
    }
}

/// Fields may be larger than what was seen: so often there is twice as much room.
const TRIES: usize = 5;

fn graph(machine: &mut Machine, id: u32, instance: usize) -> Run<Result<StateGraph, Option<String>>> {
    let refuse = |why: &str| Ok(Err(Some(why.to_string())));
    let natural = match fields(machine, instance) {
        Ok(natural) => natural,
        Err(why) => return refuse(why),
    };
    let part = match sample(machine, id, instance)? {
        Sample::Whole => return Ok(Err(None)),
        Sample::Unfit(why) => return refuse(why),
        Sample::Part(part) => part,
    };
    let limits = machine.field_limits(instance);
    let mut sizes: Vec<u64> = part.most.iter().map(|&m| m.unsigned_abs().saturating_add(1)).collect();
    for (size, limit) in sizes.iter_mut().zip(&limits) {
        *size = limit.unwrap_or(*size);
    }
    let order: Vec<usize> = (0..sizes.len()).collect();
    for _ in 0..TRIES {
        let Some(grid) = Grid::new(&sizes, &natural, &order, &vec![false; sizes.len()]) else {
            return refuse("there are too many states in the box");
        };
        let Some(start) = grid.rank(&part.start) else { return refuse("it is outside of the box") };
        match StateGraph::new(machine, instance, &grid, start)? {
            Ok(graph) => return Ok(Ok(graph)),
            Err(NoGraph::Rules(why)) => return refuse(why),
            Err(NoGraph::Limit) => return refuse("there are more states than may be searched"),
            Err(NoGraph::Memory(bytes)) => return Ok(Err(Some(format!("its graph would take {} MiB", bytes >> 20)))),
            Err(NoGraph::Outside) => {
                let mut grown = false;
                for (size, _) in sizes.iter_mut().zip(&limits).filter(|(_, limit)| limit.is_none()) {
                    *size = size.saturating_mul(2);
                    grown = true;
                }
                if !grown {
                    return refuse("the rules fault at some position");
                }
            }
        }
    }
    refuse("a field grows too far, or the rules fault at some position")
}

fn node(machine: &Machine, id: u32, misere: bool) -> Option<(&Solved, usize)> {
    let instance = machine.instance_of[id as usize] as usize;
    let solved = machine.memo.solved.get(&(instance, misere))?;
    Some((solved, solved.graph.node(&machine.state_words(id)?)?))
}

/// The outcome of a component of a solved graph, with the remoteness when someone wins.
pub(super) fn outcome(machine: &Machine, id: u32, misere: bool) -> Option<(Outcome, Option<u32>)> {
    let (solved, node) = node(machine, id, misere)?;
    let far = Some(solved.remoteness[node]);
    Some(match solved.marks[node] {
        WIN => (Outcome::First, far),
        LOSS => (Outcome::Second, far),
        _ => (Outcome::Draw, None),
    })
}

/// How many positions a component's solved graph has.
pub(super) fn positions(machine: &Machine, id: u32, misere: bool) -> u64 {
    node(machine, id, misere).map_or(0, |(solved, _)| solved.graph.len() as u64)
}

/// Whether something in a component's solved graph forbids Grundy values.
pub(super) fn ends(machine: &Machine, id: u32) -> Option<super::space::Met> {
    let (solved, _) = node(machine, id, false)?;
    let ends = solved.graph.ends();
    Some(super::space::Met {
        stop: ends.iter().any(|(_, end)| matches!(end, End::Move(_))),
        ending: ends.iter().any(|(_, end)| matches!(end, End::Here(_))),
        again: solved.graph.again,
        points: false,
    })
}

/// Puts the loopy value of a component of a solved graph into the memo; `false`: it is in none.
pub(super) fn fetch(machine: &mut Machine, id: u32) -> Run<bool> {
    let Some((solved, at)) = node(machine, id, false) else { return Ok(false) };
    if solved.values.is_none() {
        let instance = machine.instance_of[id as usize] as usize;
        let Some(mut solved) = machine.memo.solved.remove(&(instance, false)) else { return Ok(false) };
        let values = values(&machine.limits, &solved);
        if let Ok(values) = &values {
            solved.values = Some(values.clone());
        }
        machine.memo.solved.insert((instance, false), solved);
        values?;
        return fetch(machine, id);
    }
    let Some(value) = solved.values.as_ref().map(|values| values[at]) else { return Ok(false) };
    let value = if value == INFINITE {
        let mut out = Options::default();
        machine.options(id, &mut out)?;
        let mut finite = Vec::new();
        for mv in &out.moves {
            let Way::To { first, len: 1 } = mv.way else { return Ok(false) };
            let Some((solved, at)) = node(machine, out.components[first as usize], false) else { return Ok(false) };
            let value = solved.values.as_ref().map_or(INFINITE, |values| values[at]);
            if value != INFINITE {
                finite.push(value);
            }
        }
        finite.sort_unstable();
        finite.dedup();
        Err(finite.into())
    } else {
        Ok(value)
    };
    machine.memo.loopy.insert(id, value);
    Ok(true)
}

const DRAW: u8 = 0;
const WIN: u8 = 1;
const LOSS: u8 = 2;

/// A counter of moves: one byte where no node has more, which keeps it in the cache.
trait Counter: Copy + PartialEq {
    /// A node that is decided has no moves left to wait for.
    const FIXED: Self;
    const ZERO: Self;
    /// The number, which is known to fit.
    fn of(moves: u32) -> Self;
    /// One less; only asked of counters above zero.
    fn less(self) -> Self;
}

impl Counter for u8 {
    const FIXED: u8 = u8::MAX;
    const ZERO: u8 = 0;
    fn of(moves: u32) -> u8 {
        u8::try_from(moves).unwrap_or(u8::MAX)
    }
    fn less(self) -> u8 {
        self - 1
    }
}

impl Counter for u32 {
    const FIXED: u32 = u32::MAX;
    const ZERO: u32 = 0;
    fn of(moves: u32) -> u32 {
        moves
    }
    fn less(self) -> u32 {
        self - 1
    }
}

fn are_few(graph: &StateGraph) -> bool {
    graph.moves().iter().all(|&moves| moves < u32::from(u8::MAX))
}

/// Outcomes and remoteness by retrograde analysis in layers, first in first out (theory: Fraenkel, Combinatorial games:
/// Selected bibliography, 2012, section 2; the counters are Zermelo's idea made linear). `O(moves)`.
fn outcomes(limits: &Limits, graph: &StateGraph, misere: bool) -> Run<(Vec<u8>, Vec<u32>)> {
    if are_few(graph) {
        outcomes_with::<u8>(limits, graph, misere)
    } else {
        outcomes_with::<u32>(limits, graph, misere)
    }
}

fn outcomes_with<C: Counter>(limits: &Limits, graph: &StateGraph, misere: bool) -> Run<(Vec<u8>, Vec<u32>)> {
    let mut marks = vec![DRAW; graph.len()];
    let mut remoteness = vec![0u32; graph.len()];
    let mut left: Vec<C> = graph.moves().iter().map(|&moves| C::of(moves)).collect();
    let mut seeds: [Vec<(u32, u8)>; 2] = [Vec::new(), Vec::new()];
    for (node, &moves) in (0u32..).zip(graph.moves()) {
        if moves == 0 {
            seeds[0].push((node, if misere { WIN } else { LOSS }));
        }
    }
    for &(node, end) in graph.ends() {
        let at = node as usize;
        match end {
            // The entry that says so is no move.
            End::Here(0) => seeds[0].push((node, WIN)),
            End::Here(1) => seeds[0].push((node, LOSS)),
            End::Here(_) => left[at] = C::FIXED,
            End::Move(0) => seeds[1].push((node, WIN)),
            End::Move(1) => {
                left[at] = left[at].less();
                if left[at] == C::ZERO {
                    seeds[1].push((node, LOSS));
                }
            }
            End::Move(_) => {}
        }
    }
    let [mut layer, mut later] = seeds;
    let mut distance = 0u32;
    while !layer.is_empty() || !later.is_empty() {
        limits.check_clock()?;
        let mut next = Vec::new();
        for at in 0..layer.len() {
            let (number, mark) = layer[at];
            let ahead = |by: usize| layer.get(at + by).map_or(0, |&(number, _)| number as usize);
            graph.expect(ahead(SOON), ahead(VERY_SOON));
            let node = number as usize;
            if left[node] == C::FIXED {
                continue;
            }
            left[node] = C::FIXED;
            marks[node] = mark;
            remoteness[node] = distance;
            for &source in graph.sources(node) {
                let before = (source & !KEEPS) as usize;
                let waits = left[before];
                if waits == C::FIXED {
                    continue;
                }
                if (mark == WIN) == (source & KEEPS != 0) {
                    next.push((source & !KEEPS, WIN));
                } else {
                    left[before] = waits.less();
                    if waits.less() == C::ZERO {
                        next.push((source & !KEEPS, LOSS));
                    }
                }
            }
        }
        next.append(&mut later);
        layer = next;
        distance += 1;
    }
    Ok((marks, remoteness))
}

/// How far ahead in a list memory is asked for.
const SOON: usize = 16;
/// See [`SOON`].
const VERY_SOON: usize = 6;
/// Not labelled yet.
const NONE: u32 = u32::MAX - 1;

/// Loopy values as in [`super::loopy::values`]; the first stage labels just the lost positions. The graph has no ends of the
/// whole play and no `again`.
fn values(limits: &Limits, solved: &Solved) -> Run<Vec<u32>> {
    if are_few(&solved.graph) { values_with::<u8>(limits, solved) } else { values_with::<u32>(limits, solved) }
}

fn values_with<C: Counter>(limits: &Limits, solved: &Solved) -> Run<Vec<u32>> {
    let graph = &solved.graph;
    let n = graph.len();
    let mut value: Vec<u32> = solved
        .marks
        .iter()
        .map(|&mark| match mark {
            LOSS => 0,
            WIN => NONE,
            _ => INFINITE,
        })
        .collect();
    // How many moves of each node lead to nodes without a finite value.
    let mut open: Vec<C> = graph.moves().iter().map(|&moves| C::of(moves)).collect();
    let mut labelled: Vec<u32> = (0u32..).zip(&value).filter(|(_, v)| **v == 0).map(|(node, _)| node).collect();
    let mut stage = 0u32;
    let mut has = vec![false; n];
    let mut left: Vec<u32> = (0u32..).zip(&value).filter(|(_, v)| **v == NONE).map(|(node, _)| node).collect();
    while !left.is_empty() {
        limits.check_clock()?;
        stage += 1;
        for &node in &labelled {
            for &source in graph.sources(node as usize) {
                open[source as usize] = open[source as usize].less();
            }
        }
        labelled.clear();
        let mut bad = open.clone();
        has.fill(false);
        let mut queue: Vec<u32> = left.iter().copied().filter(|&node| bad[node as usize] == C::ZERO).collect();
        let mut at = 0;
        while let Some(&node) = queue.get(at) {
            let ahead = |by: usize| queue.get(at + by).map_or(0, |&node| node as usize);
            graph.expect(ahead(SOON), ahead(VERY_SOON));
            at += 1;
            let here = node as usize;
            if value[here] != NONE || has[here] || bad[here] != C::ZERO {
                continue;
            }
            value[here] = stage;
            labelled.push(node);
            let sources = graph.sources(here);
            for (i, &before) in sources.iter().enumerate() {
                let ahead = |by: usize| sources.get(i + by).map_or(0, |&node| node as usize);
                graph.expect(ahead(VERY_SOON), ahead(2));
                let before = before as usize;
                if std::mem::replace(&mut has[before], true) || value[before] < NONE {
                    continue;
                }
                for &far in graph.sources(before) {
                    let waits = &mut bad[far as usize];
                    *waits = waits.less();
                    if *waits == C::ZERO && value[far as usize] == NONE && !has[far as usize] {
                        queue.push(far);
                    }
                }
            }
        }
        left.retain(|&node| {
            let here = node as usize;
            if value[here] == NONE && !has[here] {
                value[here] = INFINITE;
            }
            value[here] == NONE
        });
    }
    Ok(value)
}
