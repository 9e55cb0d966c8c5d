//! All states that can be reached in a box, with their moves turned round in compressed rows.

use crate::graph_search::edge_buckets::{Bucket, EdgeBuckets};
use crate::graph_search::reachable_states;
use crate::graph_search::reachable_states::{Into, Reachable, expand_all, few, meet};
use crate::graph_search::reverse_graph::{End, Hint, KEEPS, ReverseGraph, Sources};
use crate::jit::function::watched_attempt;
use crate::jit::ranking::Grid;
use crate::source::diagnostic::Code;
use crate::tables::BoxRules;
use crate::tables::expand::{AGAIN, Expander, RANKS};
use crate::value::fault::Fault;
use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Refusal};
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

impl StateGraph {
    /// The graph of all states that can be reached from one in the box.
    ///
    /// `O(moves)` time, twice over when memory is short; four bytes a move and six while they are turned round if there is room
    /// for that, some 24 a state, and 4 to 8 a place of the box.
    pub fn new(rules: &BoxRules, grid: &Grid, start: u64) -> Attempt<StateGraph> {
        let flag = Arc::new(AtomicBool::new(false));
        let expander = Expander::new(&rules.code, rules.instance, grid, &flag)?;
        let room = rules.free();
        let noted = reachable_states::bytes(grid.volume, 1, 0);
        if noted > room {
            return Err(Refusal::Memory(noted).into());
        }
        watched_attempt(rules.limits, &flag, || explore(rules.limits, &expander, start, room))
    }

    /// Whether a search from a state comes to its end after at most so many states. `O(moves)`, a bit for each state of the
    /// box.
    pub fn reaches_at_most(rules: &BoxRules, grid: &Grid, start: u64, most: usize) -> Attempt<bool> {
        let flag = Arc::new(AtomicBool::new(false));
        let expander = Expander::new(&rules.code, rules.instance, grid, &flag)?;
        if grid.volume / 8 > rules.free() {
            return Err(Refusal::Memory(grid.volume / 8).into());
        }
        watched_attempt(rules.limits, &flag, || few(rules.limits, &expander, start, most))
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

impl ReverseGraph for StateGraph {
    fn nodes(&self) -> usize {
        self.nodes
    }

    #[inline]
    fn out_degree(&self, node: usize) -> u32 {
        self.moves[node]
    }

    #[inline]
    fn predecessors<'a>(&'a self, node: u32, _: &'a mut Sources) -> &'a [u32] {
        let (from, to) = (self.start[node as usize], self.start[node as usize + 1]);
        &self.from[from as usize..to as usize]
    }

    fn ends(&self) -> &[(u32, End)] {
        &self.ends
    }

    fn keeps_turn(&self) -> bool {
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
    let (word, low) = (reached[at], rank % 64);
    // Most words are full where most of the box is reached.
    let below =
        if word == u64::MAX { u32::try_from(low).unwrap_or(0) } else { (word & !(u64::MAX << low)).count_ones() };
    before[at] + below
}

fn explore(limits: &Limits, expander: &Expander, start: u64, room: u64) -> Attempt<StateGraph> {
    let met = meet(limits, expander, start, room)?;
    let Reachable { nodes, edges, .. } = met;
    let wanted = reachable_states::bytes(expander.grid().volume, nodes, edges);
    if wanted > room && reachable_states::bytes(0, nodes, edges) <= room {
        // The box is what is too large, and there are ways without one.
        return Err(Refusal::Memory(wanted).into());
    }
    if wanted > room {
        let (wanted, room) = (wanted >> 20, room >> 20);
        let message = format!("a graph of {nodes} positions and {edges} moves takes {wanted} MiB; {room} MiB are left");
        return Err(Fault::new(Code::L02, message).into());
    }
    if nodes >= u64::from(KEEPS) || edges > u64::from(u32::MAX) {
        let message = format!("{nodes} positions with {edges} moves are more than a graph can have");
        return Err(Fault::new(Code::L02, message).into());
    }
    let nodes = usize::try_from(nodes).unwrap_or(usize::MAX);
    let (reached, before) = (met.reached, Vec::new());
    let (moves, again) = (met.moves, met.again);
    let (start, from, ends) = (Vec::new(), Vec::new(), Vec::new());
    let mut graph =
        StateGraph { grid: expander.grid().clone(), reached, before, nodes, start, from, moves, ends, again };
    let mut node = 0u32;
    for &word in &graph.reached {
        graph.before.push(node);
        node += word.count_ones();
    }
    let moves = std::mem::take(&mut graph.moves);
    graph.moves = graph.by_node(moves);
    graph.ends = met.ends.into_iter().map(|(rank, end)| (graph.index(rank), end)).collect();
    match met.into {
        Into::Moves(buckets) => graph.turn(limits, &buckets)?,
        Into::Counts(counts) => graph.turn_again(limits, expander, counts)?,
    }
    Ok(graph)
}

impl StateGraph {
    /// Numbers by node of numbers by rank, in the same memory.
    fn by_node(&self, mut numbers: Vec<u32>) -> Vec<u32> {
        let mut node = 0;
        for (at, &word) in self.reached.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                numbers[node] = numbers[at * 64 + left.trailing_zeros() as usize];
                node += 1;
                left &= left - 1;
            }
        }
        numbers.truncate(node);
        numbers.shrink_to_fit();
        numbers
    }

    /// Puts moves in rows by where they lead, one heap after the other: first each row is as long as it must be, then it is
    /// filled from its end, so that it begins where it should.
    fn turn(&mut self, limits: &Limits, buckets: &EdgeBuckets) -> Attempt<()> {
        let mut start = vec![0; self.nodes + 1];
        let mut from = vec![0; buckets.len()];
        let (mut sum, mut counted, mut nodes, mut heap) = (0u32, 0, Vec::new(), Bucket::default());
        for index in 0..buckets.heaps() {
            limits.check_clock()?;
            let mut end = counted;
            let rank = buckets.read(index, &mut heap);
            nodes.clear();
            nodes.extend(heap.to.iter().map(|&to| self.index(rank + u64::from(to))));
            for &node in &nodes {
                start[node as usize] += 1;
                end = end.max(node as usize + 1);
            }
            for count in &mut start[counted..end] {
                sum += *count;
                *count = sum;
            }
            counted = end;
            for (&node, &source) in nodes.iter().zip(&heap.from) {
                let slot = &mut start[node as usize];
                *slot -= 1;
                from[*slot as usize] = self.index(u64::from(source & !KEEPS)) | source & KEEPS;
            }
        }
        start[counted..].fill(sum);
        (self.start, self.from) = (start, from);
        Ok(())
    }

    /// The same with moves that are found once more, all rows at a time. `counts`: how many moves lead to each rank.
    fn turn_again(&mut self, limits: &Limits, expander: &Expander, counts: Vec<u32>) -> Attempt<()> {
        let mut start = self.by_node(counts);
        let mut sum = 0;
        for count in &mut start {
            sum += *count;
            *count = sum;
        }
        start.push(sum);
        let mut from = vec![0; sum as usize];
        expand_all(limits, expander, &self.reached, |node, entry| {
            let slot = &mut start[self.index(entry & (RANKS - 1)) as usize];
            *slot -= 1;
            from[*slot as usize] = if entry & AGAIN == 0 { node } else { node | KEEPS };
        })?;
        (self.start, self.from) = (start, from);
        Ok(())
    }
}
