//! All states that can be reached in a box, with their moves turned round in compressed rows.

use super::back::{Backward, End, Hint, KEEPS, NoGraph, Sources};
use super::expand::{AGAIN, ENDED, Expander, RANKS, Rows, STOP, Trouble};
use super::grid::Grid;
use super::watch::watched;
use crate::rules::fault::{Fault, Run};
use crate::rules::limits::Limits;
use crate::rules::machine::Machine;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Positions and the moves that lead to them. Nodes are numbered in the order of ranks.
#[derive(Debug)]
pub struct StateGraph {
    grid: Grid,
    /// A bit for each rank that is reached.
    reached: Vec<u64>,
    /// How many are reached before each word of `reached`.
    before: Vec<u32>,
    nodes: usize,
    /// `from[start[i]..start[i + 1]]` are the nodes with a move to node `i`, with [`KEEPS`] where the mover has the next turn;
    /// as often as there are moves.
    start: Vec<u32>,
    from: Vec<u32>,
    /// How many moves each node has, those that end the play included.
    moves: Vec<u32>,
    /// What else is known of some nodes, by node.
    ends: Vec<(u32, End)>,
    /// Some move keeps the turn.
    again: bool,
}

/// Met, but not expanded yet.
const MET: u32 = u32::MAX;
/// States expanded at a time.
const BATCH: usize = 512;

impl StateGraph {
    /// The graph of all states that can be reached from one in the box.
    ///
    /// `O(moves)` time, twice over; four bytes a move, some 20 a state, and 8 a place of the box while the states are found.
    pub fn new(machine: &mut Machine, instance: usize, grid: &Grid, start: u64) -> Run<Result<StateGraph, NoGraph>> {
        let code = match machine.judged_code(instance) {
            Ok(code) => code,
            Err(why) => return Ok(Err(NoGraph::Rules(why))),
        };
        let flag = Arc::new(AtomicBool::new(false));
        let expander = match Expander::new(&code, instance, grid, &flag) {
            Ok(expander) => expander,
            Err(why) => return Ok(Err(NoGraph::Rules(why))),
        };
        let room = machine.limits.memory.saturating_sub(machine.bytes()) as u64;
        let limits = machine.limits.clone();
        let noted = grid.volume.saturating_mul(8);
        if noted > room {
            return Ok(Err(NoGraph::Memory(noted)));
        }
        let made = watched(&limits, &flag, || explore(&limits, &expander, start, room));
        if let Err(Failure::Interrupted) = made {
            limits.check_clock()?;
        }
        match made {
            Ok(graph) => Ok(Ok(graph)),
            // The search that counts positions one by one says more of that.
            Err(Failure::Limit(fault)) if fault.code == "L01" => Ok(Err(NoGraph::Limit)),
            Err(Failure::Limit(fault)) => Err(fault.into()),
            Err(Failure::Memory(bytes)) => Ok(Err(NoGraph::Memory(bytes))),
            Err(Failure::Outside | Failure::Interrupted) => Ok(Err(NoGraph::Outside)),
        }
    }

    /// Whether a search from a state comes to its end after at most so many states. `O(moves)`, a bit for each state of the
    /// box. `false` too when the rules cannot be run natively, or fault.
    pub fn reaches_at_most(machine: &mut Machine, instance: usize, grid: &Grid, start: u64, most: usize) -> Run<bool> {
        let Ok(code) = machine.judged_code(instance) else { return Ok(false) };
        let flag = Arc::new(AtomicBool::new(false));
        let Ok(expander) = Expander::new(&code, instance, grid, &flag) else { return Ok(false) };
        let room = machine.limits.memory.saturating_sub(machine.bytes()) as u64;
        if grid.volume / 8 > room {
            return Ok(false);
        }
        let limits = machine.limits.clone();
        match watched(&limits, &flag, || few(&limits, &expander, start, most)) {
            Ok(few) => Ok(few),
            Err(Failure::Limit(fault)) => Err(fault.into()),
            Err(_) => {
                limits.check_clock()?;
                Ok(false)
            }
        }
    }

    /// How many moves lead from position to position.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.from.len()
    }

    /// The node of a state; `None`: it is not reached.
    #[must_use]
    pub fn node(&self, words: &[i64]) -> Option<usize> {
        let rank = self.grid.rank(words)?;
        let at = usize::try_from(rank / 64).ok()?;
        (self.reached.get(at)? >> (rank % 64) & 1 == 1).then(|| self.index(rank) as usize)
    }

    #[inline]
    fn index(&self, rank: u64) -> u32 {
        index(&self.reached, &self.before, rank)
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.reached.len() * 12 + self.nodes * 12 + self.from.len() * 4 + self.ends.len() * 8
    }
}

impl Backward for StateGraph {
    fn len(&self) -> usize {
        self.nodes
    }

    fn moves(&self) -> impl Iterator<Item = u32> + '_ {
        self.moves.iter().copied()
    }

    #[inline]
    fn sources<'a>(&'a self, node: u32, _: &'a mut Sources) -> &'a [u32] {
        let (from, to) = (self.start[node as usize], self.start[node as usize + 1]);
        &self.from[from as usize..to as usize]
    }

    fn ends(&self) -> &[(u32, End)] {
        &self.ends
    }

    fn again(&self) -> bool {
        self.again
    }

    #[inline]
    fn expect(&self, node: usize) {
        Hint::new(&self.start).ask(node);
    }

    #[inline]
    fn expect_very_soon(&self, node: usize) {
        Hint::new(&self.from).ask(self.start[node] as usize);
    }
}

#[inline]
fn index(reached: &[u64], before: &[u32], rank: u64) -> u32 {
    let at = usize::try_from(rank / 64).unwrap_or(usize::MAX);
    let below = reached[at] & !(u64::MAX << (rank % 64));
    before[at] + below.count_ones()
}

enum Failure {
    Outside,
    Interrupted,
    Memory(u64),
    Limit(Fault),
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Outside => Failure::Outside,
            Trouble::Interrupted => Failure::Interrupted,
        }
    }
}

/// What is noted of a place of the box while the states are found.
#[derive(Clone, Copy, Default)]
struct Noted {
    /// How many moves lead there.
    into: u32,
    /// One more than how many moves lead away, once it was expanded.
    away: u32,
}

fn explore(limits: &Limits, expander: &Expander, start: u64, room: u64) -> Result<StateGraph, Failure> {
    let grid = expander.grid().clone();
    let places = usize::try_from(grid.volume).map_err(|_| Failure::Memory(grid.volume))?;
    let mut noted = vec![Noted::default(); places];
    let (nodes, edges) = reach(limits, expander, start, &mut noted)?;
    let wanted = grid.volume * 8 + nodes * 28 + edges * 4;
    if wanted > room {
        let (wanted, room) = (wanted >> 20, room >> 20);
        let message = format!("a graph of {nodes} positions and {edges} moves takes {wanted} MiB; {room} MiB are left");
        return Err(Failure::Limit(Fault::new("L02", message)));
    }
    if nodes >= u64::from(KEEPS) || edges > u64::from(u32::MAX) {
        let message = format!("{nodes} positions with {edges} moves are more than a graph can have");
        return Err(Failure::Limit(Fault::new("L02", message)));
    }
    let nodes = usize::try_from(nodes).unwrap_or(usize::MAX);
    let mut reached = vec![0u64; places / 64 + 1];
    let mut before = Vec::with_capacity(reached.len());
    // Where each row ends; filling then goes backwards, so that it becomes where the row begins.
    let mut first = Vec::with_capacity(nodes + 1);
    let mut moves = Vec::with_capacity(nodes);
    let mut sum = 0u32;
    for (rank, &Noted { into, away }) in noted.iter().enumerate() {
        if rank % 64 == 0 {
            before.push(u32::try_from(moves.len()).unwrap_or(u32::MAX));
        }
        if away > 0 {
            reached[rank / 64] |= 1 << (rank % 64);
            moves.push(away - 1);
            sum += into;
            first.push(sum);
        }
    }
    first.push(sum);
    before.resize(reached.len(), u32::try_from(moves.len()).unwrap_or(u32::MAX));
    drop(noted);
    let mut from = vec![0u32; sum as usize];
    let (mut ends, mut again) = (Vec::new(), false);
    sweep(limits, expander, &reached, |node, row| {
        let node = u32::try_from(node).unwrap_or(u32::MAX);
        for &entry in row {
            if entry & (STOP | ENDED) == 0 {
                let slot = &mut first[index(&reached, &before, entry & (RANKS - 1)) as usize];
                *slot -= 1;
                again |= entry & AGAIN != 0;
                from[*slot as usize] = if entry & AGAIN == 0 { node } else { node | KEEPS };
            } else {
                let code = u8::try_from(entry & 3).unwrap_or(2);
                ends.push((node, if entry & STOP == 0 { End::Here(code) } else { End::Move(code) }));
            }
        }
    })?;
    Ok(StateGraph { grid, reached, before, nodes, start: first, from, moves, ends, again })
}

/// Whether at most so many states can be reached.
fn few(limits: &Limits, expander: &Expander, start: u64, most: usize) -> Result<bool, Failure> {
    let mut met = vec![0u64; usize::try_from(expander.grid().volume / 64 + 1).unwrap_or(usize::MAX)];
    let mut new = |rank: u64| {
        let word = &mut met[usize::try_from(rank / 64).unwrap_or(usize::MAX)];
        let new = *word >> (rank % 64) & 1 == 0;
        *word |= 1 << (rank % 64);
        new
    };
    let (mut todo, mut nodes, mut rows, mut asked) = (vec![start], 1, Rows::default(), Vec::new());
    new(start);
    while !todo.is_empty() {
        limits.check_clock().map_err(Failure::Limit)?;
        asked.clear();
        asked.extend(todo.drain(todo.len().saturating_sub(BATCH)..));
        expander.expand(&asked, &mut rows)?;
        for i in 0..asked.len() {
            for &entry in rows.row(i).iter().filter(|&&entry| entry & (STOP | ENDED) == 0) {
                let rank = entry & (RANKS - 1);
                if new(rank) {
                    nodes += 1;
                    todo.push(rank);
                }
            }
        }
        if nodes > most {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Finds what can be reached; how many states and moves there are.
fn reach(limits: &Limits, expander: &Expander, start: u64, noted: &mut [Noted]) -> Result<(u64, u64), Failure> {
    let place = |rank: u64| usize::try_from(rank).unwrap_or(usize::MAX);
    let mut todo = vec![start];
    noted[place(start)].away = MET;
    let (mut nodes, mut edges, mut rows, mut asked) = (1u64, 0u64, Rows::default(), Vec::new());
    let mut batches = 0u64;
    while !todo.is_empty() {
        if batches.is_multiple_of(64) {
            limits.check(nodes, noted.len() * 8).map_err(Failure::Limit)?;
        }
        batches += 1;
        asked.clear();
        asked.extend(todo.drain(todo.len().saturating_sub(BATCH)..));
        expander.expand(&asked, &mut rows)?;
        for (i, &rank) in asked.iter().enumerate() {
            let row = rows.row(i);
            edges += row.len() as u64;
            noted[place(rank)].away = u32::try_from(row.len()).map_or(MET, |moves| moves + 1);
            for &entry in row.iter().filter(|&&entry| entry & (STOP | ENDED) == 0) {
                let rank = entry & (RANKS - 1);
                let there = &mut noted[place(rank)];
                there.into += 1;
                if there.away == 0 {
                    there.away = MET;
                    nodes += 1;
                    todo.push(rank);
                }
            }
        }
    }
    limits.check(nodes, noted.len() * 8).map_err(Failure::Limit)?;
    Ok((nodes, edges))
}

/// Every state reached with its entries, in the order of ranks.
fn sweep(
    limits: &Limits,
    expander: &Expander,
    reached: &[u64],
    mut each: impl FnMut(usize, &[u64]),
) -> Result<(), Failure> {
    let (mut rows, mut asked, mut node, mut batches) = (Rows::default(), Vec::with_capacity(BATCH + 64), 0, 0u64);
    for at in 0..=reached.len() {
        if let Some(&word) = reached.get(at) {
            let mut left = word;
            while left != 0 {
                asked.push(at as u64 * 64 + u64::from(left.trailing_zeros()));
                left &= left - 1;
            }
        }
        if asked.len() >= BATCH || at == reached.len() {
            if batches.is_multiple_of(64) {
                limits.check_clock().map_err(Failure::Limit)?;
            }
            batches += 1;
            expander.expand(&asked, &mut rows)?;
            for i in 0..asked.len() {
                each(node, rows.row(i));
                node += 1;
            }
            asked.clear();
        }
    }
    Ok(())
}
