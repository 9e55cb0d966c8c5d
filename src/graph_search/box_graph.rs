//! All states of a box with their moves, which are taken back by changes of the rank.
//!
//! For games whose plays may come back and whose moves make few different changes: tokens on a graph, sets, counters. Measured
//! against the graph of the states that are reached (`reach.rs`), one thread: benchmark "annihilation on 22 vertices" 0.67 s and
//! 64 MB against 1.55 s and 459 MB (2.3 times the speed, a seventh of the memory); one question of it alone 1.5 and 5.0 times;
//! tokens that walk without meeting, 22 vertices, 2.6 and 6.4 times. `EngineOptions::boxed` turns it off.
//!
//! Nothing is kept of a move where the bits of a state tell by themselves which changes it can make: that is so when just as
//! many states of the box make each change as there are with certain bits. Else each state has a bit for each change.

use crate::graph_search::change_lists;
use crate::graph_search::rank_changes::{Lister, VOLUME};
use crate::graph_search::reverse_graph::{End, KEEPS, ReverseGraph, Sources, backwards};
use crate::graph_search::unmove::Unmove;
use crate::jit::function::watched_attempt;
use crate::jit::ranking::Grid;
use crate::tables::BoxRules;
use crate::value::fault::Fault;
use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Refusal};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// See the module. Nodes are ranks.
#[derive(Debug)]
pub struct BoxGraph {
    grid: Grid,
    /// The changes, each with its bit.
    unmoves: Vec<(Unmove, u32)>,
    /// Which changes each state can make; empty: those that it is allowed.
    bits: Vec<u64>,
    moves: Vec<u8>,
    ends: Vec<(u32, End)>,
    /// A bit for each state that leads to one whose options are not known; empty: there is none.
    unknown: Vec<u64>,
}

impl BoxGraph {
    /// Bytes wanted for a box of so many states while it is worked out.
    #[must_use]
    pub fn forecast(volume: u64) -> u64 {
        volume.saturating_mul(17)
    }

    /// The moves of all states of a box. `joined`: the fields whose changes are exclusive ors; they must be the least
    /// significant ones, with `2^n` values each.
    ///
    /// `O(states * moves)` time, which several threads share for a large box; one byte a state, and eight more where bits do not tell the moves.
    pub fn new(rules: &BoxRules, grid: &Grid, joined: &[bool]) -> Attempt<BoxGraph> {
        if grid.volume > VOLUME || rules.limits.positions.is_some_and(|limit| grid.volume >= limit) {
            return Err(Refusal::UnlikeMoves.into());
        }
        let wanted = BoxGraph::forecast(grid.volume);
        if wanted > rules.free() {
            return Err(Refusal::Memory(wanted).into());
        }
        let flag = Arc::new(AtomicBool::new(false));
        let mut lister = Lister::new(&rules.code, rules.instance, grid, joined, &flag)?;
        let size = grid.digits.iter().zip(joined).filter(|(_, joined)| **joined).map(|(d, _)| d.size).product();
        watched_attempt(rules.limits, &flag, || build(rules.limits, &mut lister, grid, size))
    }

    /// The node of a state; `None`: it is outside of the box, or leads to a state whose options are not known.
    #[must_use]
    pub fn node(&self, words: &[i64]) -> Option<usize> {
        let node = usize::try_from(self.grid.rank(words)?).ok()?;
        let unknown = self.unknown.get(node / 64).is_some_and(|word| word >> (node % 64) & 1 == 1);
        (!unknown).then_some(node)
    }

    /// Whether the bits of states tell all their moves.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.bits.is_empty()
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bits.len() * 8 + self.moves.len() + self.ends.len() * 8 + self.unknown.len() * 8
    }
}

impl ReverseGraph for BoxGraph {
    fn nodes(&self) -> usize {
        self.moves.len()
    }

    #[inline]
    fn out_degree(&self, node: usize) -> u32 {
        self.moves[node].into()
    }

    #[inline]
    fn predecessors<'a>(&'a self, node: u32, room: &'a mut Sources) -> &'a [u32] {
        let room = &mut room.0;
        let mut found = 0;
        if self.bits.is_empty() {
            for (unmove, _) in &self.unmoves {
                let before = unmove.before(node);
                room[found & 63] = if unmove.keeps { before | KEEPS } else { before };
                found += usize::from(unmove.allows(before));
            }
        } else {
            for &(ref unmove, bit) in &self.unmoves {
                let before = unmove.before(node);
                if unmove.allows(before) && self.bits.get(before as usize).is_some_and(|bits| bits >> bit & 1 == 1) {
                    room[found & 63] = if unmove.keeps { before | KEEPS } else { before };
                    found += 1;
                }
            }
        }
        &room[..found]
    }

    fn ends(&self) -> &[(u32, End)] {
        &self.ends
    }

    fn keeps_turn(&self) -> bool {
        self.unmoves.iter().any(|(unmove, _)| unmove.keeps)
    }
}

/// The graph. `joined`: the number of states of the fields whose changes are exclusive ors.
fn build(limits: &Limits, lister: &mut Lister, grid: &Grid, joined: u64) -> Attempt<BoxGraph> {
    let states = usize::try_from(grid.volume).map_err(|_| Refusal::ManyStates)?;
    let listing = change_lists::list(limits, lister, states)?;
    let words = listing.words.iter().zip(&listing.seen);
    let unmoves: Vec<(Unmove, u32)> =
        (0u32..).zip(words).filter_map(|(bit, (&word, seen))| Some((Unmove::of(word, joined, seen)?, bit))).collect();
    let exact = unmoves.iter().all(|(unmove, bit)| unmove.is_exact(grid.volume, &listing.seen[*bit as usize]));
    let bits = if exact { Vec::new() } else { listing.bits };
    let (moves, ends) = (listing.moves, listing.ends);
    let mut graph = BoxGraph { grid: grid.clone(), unmoves, bits, moves, ends, unknown: Vec::new() };
    if !listing.faulty.is_empty() {
        graph.unknown = leading_to(limits, &graph, listing.faulty)?;
    }
    Ok(graph)
}

/// The nodes from which a play can come to one of these, those themselves included, as bits. `O(moves)`.
pub(crate) fn leading_to(limits: &Limits, graph: &impl ReverseGraph, mut todo: Vec<u32>) -> Result<Vec<u64>, Fault> {
    /// Nodes gone back from together, so that their memory is asked for in advance.
    const BATCH: usize = 256;
    let mut found = vec![0u64; graph.nodes() / 64 + 1];
    let mark = |found: &mut [u64], node: u32| {
        let (word, bit) = (&mut found[node as usize / 64], 1u64 << (node % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    };
    todo.retain(|&node| mark(&mut found, node));
    let (mut batch, mut batches) = (Vec::with_capacity(BATCH), 0u64);
    while !todo.is_empty() {
        if batches.is_multiple_of(1 << 8) {
            limits.check_clock()?;
        }
        batches += 1;
        batch.clear();
        batch.extend(todo.drain(todo.len().saturating_sub(BATCH)..));
        backwards(graph, &batch, &[], |before| {
            if mark(&mut found, before & !KEEPS) {
                todo.push(before & !KEEPS);
            }
        });
    }
    Ok(found)
}
