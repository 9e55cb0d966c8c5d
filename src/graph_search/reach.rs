//! All states that can be reached in a box, with their moves turned round in compressed rows.
//!
//! Single states are taken from a list while few wait. When many do, the box is gone through in order, so that what the
//! rules look up for them lies in order, too. Moves are put aside by where they lead, as a radix sort does, so that they
//! are turned round without leaps through memory: moves to a narrow range of states make a heap, and each heap is small
//! enough for the cache while its moves are counted and put in their rows. Where memory is short, moves are only counted,
//! and found once more.

use crate::graph_search::retrograde::{End, Hint, ReverseGraph};
use crate::graph_search::{Edge, NodeId};
use crate::jit::function::watched_attempt;
use crate::jit::ranking::Grid;
use crate::source::Code;
use crate::tables::BoxRules;
use crate::tables::expand::{AGAIN, ENDED, Expander, RANKS, Rows, STOP};
use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Refusal};
use crate::value::{Fault, width};
use bytemuck::TransparentWrapper;
use grundy_graphs::bits::ones;
use hashbrown::HashSet;

/// Positions and the moves that lead to them. Nodes are numbered in the order of ranks.
#[derive(Debug)]
pub struct StateGraph {
    grid: Grid,
    reached: Vec<u64>,
    before: Vec<u32>,
    nodes: usize,
    /// `from[start[i]..start[i + 1]]`: an [`Edge`] for each move to node `i`.
    start: Vec<u32>,
    from: Vec<u32>,
    moves: Vec<u32>,
    /// What else is known of some nodes, by node.
    ends: Vec<(NodeId, End)>,
    again: bool,
}

impl StateGraph {
    /// The graph of all states that can be reached from one in the box. `O(moves)` time, twice over when memory is
    /// short; four bytes a move and six while they are turned round if there is room, some 24 a state, and 4 to 8 a
    /// place of the box.
    pub fn new(rules: &BoxRules, grid: &Grid, start: u64) -> Attempt<StateGraph> {
        let expander = Expander::new(rules, grid)?;
        let room = enough(rules, grid)?;
        watched_attempt(&rules.limits, expander.flag(), || explore(&rules.limits, &expander, start, room))
    }

    /// The node of a state; `None`: it is not reached.
    pub fn node(&self, words: &[i64]) -> Option<NodeId> {
        let rank = self.grid.rank(words)?;
        let at = usize::try_from(rank / 64).ok()?;
        (self.reached.get(at)? >> (rank % 64) & 1 == 1).then(|| self.index(rank))
    }

    #[inline]
    fn index(&self, rank: u64) -> NodeId {
        index(&self.reached, &self.before, rank)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.reached.len() * 12 + self.nodes * 12 + self.from.len() * 4 + self.ends.len() * 8
    }
}

impl ReverseGraph for StateGraph {
    fn nodes(&self) -> usize {
        self.nodes
    }

    #[inline]
    fn out_degree(&self, node: NodeId) -> u32 {
        self.moves[node.index()]
    }

    #[inline]
    fn predecessors(&self, node: NodeId) -> &[Edge] {
        let (from, to) = (self.start[node.index()], self.start[node.index() + 1]);
        Edge::wrap_slice(&self.from[from as usize..to as usize])
    }

    fn ends(&self) -> &[(NodeId, End)] {
        &self.ends
    }

    fn keeps_turn(&self) -> bool {
        self.again
    }

    #[inline]
    fn expect(&self, node: NodeId, very_soon: bool) {
        let node = node.index();
        if very_soon { Hint::new(&self.from).ask(self.start[node] as usize) } else { Hint::new(&self.start).ask(node) }
    }
}

/// The bytes that are left for a graph; refused where they are too few to find even one state of the box.
fn enough(rules: &BoxRules, grid: &Grid) -> Attempt<u64> {
    let (room, noted) = (rules.free(), bytes(grid.volume, 1, 0));
    if noted > room { Err(Refusal::Memory(noted).into()) } else { Ok(room) }
}

/// Whether no more than so many states can be reached from one in the box. `O(moves)`.
pub(crate) fn reaches_at_most(rules: &BoxRules, expander: &Expander, start: u64, most: u64) -> Attempt<bool> {
    let room = enough(rules, expander.grid())?;
    let found = watched_attempt(&rules.limits, expander.flag(), || meet(&rules.limits, expander, start, room, most))?;
    Ok(found.nodes <= most)
}

/// The states that can be reached from one in the box, until they are more than so many: then not all. `O(moves)`, and memory for
/// these alone.
pub(crate) fn reached_first(rules: &BoxRules, expander: &Expander, start: u64, most: u64) -> Attempt<HashSet<u64>> {
    watched_attempt(&rules.limits, expander.flag(), || {
        let (mut met, mut todo, mut rows) = (HashSet::new(), vec![start], Rows::default());
        met.insert(start);
        while !todo.is_empty() && met.len() as u64 <= most {
            rules.limits.check_clock()?;
            let asked = todo.split_off(todo.len().saturating_sub(BATCH));
            expander.expand_known(&asked, &mut rows)?;
            for &entry in rows.all().iter().filter(|&entry| entry & (STOP | ENDED) == 0) {
                let to = entry & (RANKS - 1);
                if met.insert(to) {
                    todo.push(to);
                }
            }
        }
        Ok(met)
    })
}

#[inline]
fn index(reached: &[u64], before: &[u32], rank: u64) -> NodeId {
    let at = width::index(rank / 64);
    let (word, low) = (reached[at], rank % 64);
    // Most words are full where most of the box is reached.
    let below =
        if word == u64::MAX { u32::try_from(low).unwrap_or(0) } else { (word & !(u64::MAX << low)).count_ones() };
    NodeId(before[at] + below)
}

fn explore(limits: &Limits, expander: &Expander, start: u64, room: u64) -> Attempt<StateGraph> {
    let met = meet(limits, expander, start, room, u64::MAX)?;
    let Reachable { nodes, edges, .. } = met;
    let wanted = bytes(expander.grid().volume, nodes, edges);
    if wanted > room && bytes(0, nodes, edges) <= room {
        // The box is what is too large, and there are ways without one.
        return Err(Refusal::Memory(wanted).into());
    }
    if wanted > room {
        let (wanted, room) = (wanted >> 20, room >> 20);
        let message = format!("a graph of {nodes} positions and {edges} moves takes {wanted} MiB; {room} MiB are left");
        return Err(Fault::new(Code::L02, message).into());
    }
    if nodes >= u64::from(NodeId::LIMIT) || edges > u64::from(u32::MAX) {
        let message = format!("{nodes} positions with {edges} moves are more than a graph can have");
        return Err(Fault::new(Code::L02, message).into());
    }
    let nodes = width::index(nodes);
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
            for bit in ones(word) {
                numbers[node] = numbers[at * 64 + bit as usize];
                node += 1;
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
        let mut from = vec![0; buckets.moves()];
        let (mut sum, mut counted, mut nodes, mut heap) = (0u32, 0, Vec::new(), Bucket::default());
        for index in 0..buckets.heaps() {
            limits.check_clock()?;
            let mut end = counted;
            let rank = buckets.read(index, &mut heap);
            nodes.clear();
            nodes.extend(heap.to.iter().map(|&to| self.index(rank + u64::from(to))));
            for &node in &nodes {
                start[node.index()] += 1;
                end = end.max(node.index() + 1);
            }
            for count in &mut start[counted..end] {
                sum += *count;
                *count = sum;
            }
            counted = end;
            for (&node, &source) in nodes.iter().zip(&heap.from) {
                let slot = &mut start[node.index()];
                *slot -= 1;
                from[*slot as usize] = self.index(u64::from(source & !Edge::KEEPS)).0 | source & Edge::KEEPS;
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
            let slot = &mut start[self.index(entry & (RANKS - 1)).index()];
            *slot -= 1;
            from[*slot as usize] = Edge::new(node, entry & AGAIN != 0).0;
        })?;
        (self.start, self.from) = (start, from);
        Ok(())
    }
}

/// States expanded at a time.
const BATCH: usize = 512;
/// The clock is looked at after so many batches.
const LOOK: u64 = 64;

pub(crate) struct Reachable {
    pub(crate) reached: Vec<u64>,
    pub(crate) nodes: u64,
    /// For each rank that is reached how many moves it has, what ends the play included.
    pub(crate) moves: Vec<u32>,
    /// How many moves all have.
    pub(crate) edges: u64,
    /// Ranks with what ends the play there, once for each such entry.
    pub(crate) ends: Vec<(u64, End)>,
    pub(crate) again: bool,
    /// The moves from state to state.
    pub(crate) into: Into,
}

/// What is known of the moves that lead to each state.
pub(crate) enum Into {
    Moves(EdgeBuckets),
    /// How many they are, by rank.
    Counts(Vec<u32>),
}

/// Bytes taken to find so many nodes and moves of a box, to turn the moves round and to decide the nodes: the least.
pub(crate) fn bytes(volume: u64, nodes: u64, edges: u64) -> u64 {
    let aside = bytes_aside(volume, nodes, edges);
    // Instead of each move, how many lead to each place.
    aside.min(aside.saturating_sub(edges.saturating_mul(EdgeBuckets::MOVE)).saturating_add(volume.saturating_mul(4)))
}

/// The same with all moves put aside.
fn bytes_aside(volume: u64, nodes: u64, edges: u64) -> u64 {
    // By place: how many moves, and twice a bit.
    let places = (volume.saturating_mul(17) / 4).saturating_add(EdgeBuckets::LEAST);
    places.saturating_add(nodes.saturating_mul(24)).saturating_add(edges.saturating_mul(4 + EdgeBuckets::MOVE))
}

fn place(rank: u64) -> usize {
    width::index(rank)
}

/// Finds what can be reached, until that is more than `most`. Moves are put aside as long as there is room for that.
/// `O(moves)`.
///
/// Single states are taken from a list, the latest first. When many wait, the whole box is gone through instead and those
/// that wait are taken in the order of ranks: what the rules look up for them then lies in order, too.
pub(crate) fn meet(limits: &Limits, expander: &Expander, start: u64, room: u64, most: u64) -> Attempt<Reachable> {
    let volume = expander.grid().volume;
    let into = if volume <= WIDEST && bytes_aside(volume, 1, 0) <= room {
        Into::Moves(EdgeBuckets::new(volume))
    } else {
        Into::Counts(vec![0; place(volume)])
    };
    let (reached, moves) = (vec![0; place(volume / 64 + 1)], vec![0; place(volume)]);
    let met = Reachable { reached, nodes: 1, moves, edges: 0, ends: Vec::new(), again: false, into };
    let mut search = Search { limits, expander, room, met, taken: 0, batches: 0, rows: Rows::default() };
    search.met.reached[place(start / 64)] |= 1 << (start % 64);
    let many = search.met.reached.len();
    let (mut todo, mut asked) = (vec![start], Vec::with_capacity(BATCH + 64));
    while search.taken < search.met.nodes && search.met.nodes <= most {
        if todo.len() <= many {
            asked.extend(todo.drain(todo.len().saturating_sub(BATCH)..));
            search.take(&mut asked, &mut todo)?;
        } else {
            search.sweep(&mut todo, &mut asked)?;
        }
    }
    search.check()?;
    Ok(search.met)
}

/// Moves are not put aside in larger boxes.
const WIDEST: u64 = 1 << 28;

struct Search<'a> {
    limits: &'a Limits,
    expander: &'a Expander,
    room: u64,
    met: Reachable,
    /// How many states were expanded.
    taken: u64,
    batches: u64,
    rows: Rows,
}

impl Search<'_> {
    fn check(&self) -> Attempt<()> {
        Ok(self.limits.check(self.met.nodes, self.met.moves.len() * 4)?)
    }

    /// Expands states; new ones go to the list.
    fn take(&mut self, asked: &mut Vec<u64>, todo: &mut Vec<u64>) -> Attempt<()> {
        if self.batches.is_multiple_of(LOOK) {
            self.check()?;
        }
        self.batches += 1;
        self.expander.expand(asked, &mut self.rows)?;
        let volume = self.expander.grid().volume;
        let Reachable { reached, nodes, moves, edges, ends, again, into } = &mut self.met;
        let mut meet = |rank: u64| {
            let (word, bit) = (&mut reached[place(rank / 64)], 1 << (rank % 64));
            if *word & bit == 0 {
                *word |= bit;
                *nodes += 1;
                todo.push(rank);
            }
        };
        for (i, &rank) in asked.iter().enumerate() {
            let row = self.rows.row(i);
            moves[place(rank)] = width::short(row.len());
            *edges += row.len() as u64;
            for &entry in row {
                if entry & (STOP | ENDED) == 0 {
                    let to = entry & (RANKS - 1);
                    meet(to);
                    match into {
                        Into::Moves(buckets) => {
                            let from = u32::try_from(rank).unwrap_or(0); // at most WIDEST
                            buckets.add(to, if entry & AGAIN == 0 { from } else { from | Edge::KEEPS });
                        }
                        Into::Counts(counts) => counts[place(to)] += 1,
                    }
                    *again |= entry & AGAIN != 0;
                } else {
                    let code = u8::try_from(entry & 3).unwrap_or(2);
                    ends.push((rank, if entry & STOP == 0 { End::Here(code) } else { End::Move(code) }));
                }
            }
        }
        self.taken += asked.len() as u64;
        if let Into::Moves(buckets) = into
            && (bytes_aside(volume, *nodes, *edges) > self.room || *edges > u64::from(u32::MAX))
        {
            let mut counts: Vec<u32> = vec![0; moves.len()];
            let mut heap = Bucket::default();
            for index in 0..buckets.heaps() {
                let rank = place(buckets.read(index, &mut heap));
                heap.to.iter().for_each(|&to| counts[rank + usize::from(to)] += 1);
            }
            *into = Into::Counts(counts);
        }
        asked.clear();
        Ok(())
    }

    /// Expands all states that wait, in the order of ranks, and those met ahead on the way; the others go to the list.
    fn sweep(&mut self, todo: &mut Vec<u64>, asked: &mut Vec<u64>) -> Attempt<()> {
        let mut done = self.met.reached.clone();
        for rank in todo.drain(..) {
            done[place(rank / 64)] &= !(1 << (rank % 64));
        }
        for at in 0..done.len() {
            let wait = self.met.reached[at] & !done[at];
            done[at] |= wait;
            asked.extend(ranks(at, wait));
            if asked.len() >= BATCH || (at + 1 == done.len() && !asked.is_empty()) {
                self.take(asked, todo)?;
                todo.clear();
            }
        }
        for (at, (reached, done)) in self.met.reached.iter().zip(&done).enumerate() {
            todo.extend(ranks(at, reached & !done));
        }
        Ok(())
    }
}

/// Calls `each` with every move from state to state once more: the node it comes from, in the order of ranks, and its entry.
pub(crate) fn expand_all(
    limits: &Limits,
    expander: &Expander,
    reached: &[u64],
    mut each: impl FnMut(NodeId, u64),
) -> Attempt<()> {
    let (mut rows, mut asked, mut batches) = (Rows::default(), Vec::with_capacity(BATCH + 64), 0u64);
    let mut node = 0;
    for at in 0..reached.len() {
        asked.extend(ranks(at, reached[at]));
        if asked.len() >= BATCH || at + 1 == reached.len() {
            if batches.is_multiple_of(LOOK) {
                limits.check_clock()?;
            }
            batches += 1;
            expander.expand(&asked, &mut rows)?;
            for i in 0..asked.len() {
                rows.row(i)
                    .iter()
                    .filter(|&&entry| entry & (STOP | ENDED) == 0)
                    .for_each(|&entry| each(NodeId(node), entry));
                node += 1;
            }
            asked.clear();
        }
    }
    Ok(())
}

/// The ranks of the states that are ones in a word of a set.
fn ranks(at: usize, word: u64) -> impl Iterator<Item = u64> {
    ones(word).map(move |bit| at as u64 * 64 + u64::from(bit))
}

/// Moves of one heap that are stored together.
const BLOCK: usize = 64;

/// The last moves of a heap.
#[derive(Clone)]
struct Last {
    len: usize,
    to: [u16; BLOCK],
    from: [u32; BLOCK],
    /// Where its full blocks are.
    blocks: Vec<u32>,
}

/// Moves in heaps, by the high bits of the ranks that they lead to.
#[derive(Default)]
pub struct EdgeBuckets {
    /// For each heap what is not in blocks.
    heaps: Vec<Last>,
    /// Blocks of all heaps: the low bits of the ranks that moves lead to.
    to: Vec<u16>,
    /// What was said of where they come from.
    from: Vec<u32>,
    /// Ranks that differ in these low bits only have one heap.
    bits: u32,
}

/// A heap of moves.
#[derive(Default)]
pub struct Bucket {
    /// By how much the rank is greater that each move leads to than the least of these ranks.
    pub to: Vec<u16>,
    /// What was said of where it comes from.
    pub from: Vec<u32>,
}

impl EdgeBuckets {
    /// Bytes a move.
    pub(crate) const MOVE: u64 = 6;
    /// Bytes however few moves there are, in boxes of up to `2^22` states.
    pub(crate) const LEAST: u64 = 1 << 16;

    /// For moves to ranks below this. Heaps are as narrow as a hundred of them allow, and not wider than 16 bits.
    pub fn new(volume: u64) -> EdgeBuckets {
        let bits = volume.max(1).ilog2().saturating_sub(6).clamp(10, 16);
        let heaps = width::index((volume >> bits) + 1);
        let none = Last { len: 0, to: [0; BLOCK], from: [0; BLOCK], blocks: Vec::new() };
        EdgeBuckets { heaps: vec![none; heaps], to: Vec::new(), from: Vec::new(), bits }
    }

    /// Adds a move, and something to be said of where it comes from.
    #[inline]
    pub fn add(&mut self, to: u64, from: u32) {
        let heap = &mut self.heaps[width::index(to >> self.bits)];
        heap.to[heap.len] = u16::try_from(to & ((1 << self.bits) - 1)).unwrap_or(u16::MAX); // at most 16 bits
        heap.from[heap.len] = from;
        heap.len += 1;
        if heap.len == BLOCK {
            heap.len = 0;
            heap.blocks.push(width::short(self.to.len() / BLOCK)); // fewer than `2^32` moves are put aside
            self.to.extend_from_slice(&heap.to);
            self.from.extend_from_slice(&heap.from);
        }
    }

    /// How many moves there are.
    pub fn moves(&self) -> usize {
        self.to.len() + self.heaps.iter().map(|heap| heap.len).sum::<usize>()
    }

    /// How many heaps there are.
    pub fn heaps(&self) -> usize {
        self.heaps.len()
    }

    /// Reads a heap; the least rank that its moves may lead to. Heaps are in the order of ranks.
    pub fn read(&self, index: usize, heap: &mut Bucket) -> u64 {
        let last = &self.heaps[index];
        heap.to.clear();
        heap.from.clear();
        for &block in &last.blocks {
            let at = block as usize * BLOCK;
            heap.to.extend_from_slice(&self.to[at..at + BLOCK]);
            heap.from.extend_from_slice(&self.from[at..at + BLOCK]);
        }
        heap.to.extend_from_slice(&last.to[..last.len]);
        heap.from.extend_from_slice(&last.from[..last.len]);
        (index as u64) << self.bits
    }
}
