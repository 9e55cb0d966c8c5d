//! All states of a box with their moves, which are taken back by changes of the rank.
//!
//! For games whose plays may come back and whose moves make few different changes: tokens on a graph, sets, counters. Measured
//! against the graph of the states that are reached (`reach.rs`), one thread: benchmark "annihilation on 22 vertices" 0.67 s and
//! 64 MB against 1.55 s and 459 MB (2.3 times the speed, a seventh of the memory); one question of it alone 1.5 and 5.0 times;
//! tokens that walk without meeting, 22 vertices, 2.6 and 6.4 times. `EngineOptions::boxed` turns it off.
//!
//! A move changes the rank of a state: sets by an exclusive or, other fields by a sum. Such a change is a word, see
//! [`Unmove`]; what ends a play and what cannot be worked out are words of their own. Which of the words met so far a state
//! has is kept as bits of one word. A change is one to one, so that a move is taken back by undoing it, and
//! a predecessor is real when its bit is set: exact by what was seen, with no proof about the rules. Nothing is kept of a
//! move where the bits of a state tell by themselves which changes it can make: that is so when just as many states of the
//! box make each change as there are with certain bits. States that lead to one whose rules fault, or outside of the box,
//! are not answered for.
//!
//! Several threads list the moves: pieces of the box, each by whoever is free. They share the list of the words met.

use crate::graph_search::retrograde::{End, ReverseGraph, Sources, leading_to};
use crate::graph_search::{Edge, NodeId};
use crate::jit::function::watched_attempt;
use crate::jit::ranking::Grid;
use crate::tables::BoxRules;
use crate::tables::expand::{ChangeTable, Changes, ENDED, FAULTY, KEEPS_TURN, PLACES, STOP};
use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Failure, Refusal};
use crate::value::team::team;
use crate::value::width;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// See the module. Nodes are ranks.
#[derive(Debug)]
pub struct BoxGraph {
    grid: Grid,
    /// The changes, each with its bit.
    unmoves: Vec<(Unmove, u32)>,
    /// Which changes each state can make; empty: those that it is allowed.
    bits: Vec<u64>,
    moves: Vec<u8>,
    ends: Vec<(NodeId, End)>,
    /// A bit for each state that leads to one whose options are not known; empty: there is none.
    unknown: Vec<u64>,
}

impl BoxGraph {
    /// Bytes wanted for a box of so many states while it is worked out.
    pub fn forecast(volume: u64) -> u64 {
        volume.saturating_mul(17)
    }

    /// The moves of all states of a box, in `O(states * moves)`; one byte a state, and eight more where bits do not
    /// tell the moves. `joined`: the least significant fields, of `2^n` values each, whose changes are exclusive ors.
    pub(crate) fn new(rules: &BoxRules, grid: &Grid, joined: &[bool]) -> Attempt<BoxGraph> {
        if grid.volume > VOLUME || rules.limits.positions.is_some_and(|limit| grid.volume >= limit) {
            return Err(Refusal::UnlikeMoves.into());
        }
        let wanted = BoxGraph::forecast(grid.volume);
        if wanted > rules.free() {
            return Err(Refusal::Memory(wanted).into());
        }
        let joined = grid.digits.iter().zip(joined).filter(|(_, joined)| **joined).map(|(d, _)| d.span.size).product();
        let changes = Changes::new(rules, grid, joined)?;
        let flag = changes.flag().clone();
        watched_attempt(&rules.limits, &flag, || build(&rules.limits, &Lister::new(changes, joined), grid.clone()))
    }

    /// The node of a state; `None`: it is outside of the box, or leads to a state whose options are not known.
    pub fn node(&self, words: &[i64]) -> Option<NodeId> {
        let node = usize::try_from(self.grid.rank(words)?).ok()?;
        let unknown = self.unknown.get(node / 64).is_some_and(|word| word >> (node % 64) & 1 == 1);
        if unknown { None } else { NodeId::new(node).ok() }
    }

    /// The box.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Whether the bits of states tell all their moves.
    pub fn is_exact(&self) -> bool {
        self.bits.is_empty()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.bits.len() * 8 + self.moves.len() + self.ends.len() * 8 + self.unknown.len() * 8
    }
}

impl ReverseGraph for BoxGraph {
    fn nodes(&self) -> usize {
        self.moves.len()
    }

    #[inline]
    fn out_degree(&self, node: NodeId) -> u32 {
        self.moves[node.index()].into()
    }

    #[inline]
    fn predecessors<'a>(&'a self, node: NodeId, room: &'a mut Sources) -> &'a [Edge] {
        let room = &mut room.0;
        let mut found = 0;
        if self.bits.is_empty() {
            for (unmove, _) in &self.unmoves {
                let before = unmove.before(node.0);
                room[found & 63] = Edge::new(NodeId(before), unmove.keeps);
                found += usize::from(unmove.allows(before));
            }
        } else {
            for &(ref unmove, bit) in &self.unmoves {
                let before = unmove.before(node.0);
                if unmove.allows(before) && self.bits.get(before as usize).is_some_and(|bits| bits >> bit & 1 == 1) {
                    room[found & 63] = Edge::new(NodeId(before), unmove.keeps);
                    found += 1;
                }
            }
        }
        &room[..found]
    }

    fn ends(&self) -> &[(NodeId, End)] {
        &self.ends
    }

    fn keeps_turn(&self) -> bool {
        self.unmoves.iter().any(|(unmove, _)| unmove.keeps)
    }
}

fn build(limits: &Limits, lister: &Lister, grid: Grid) -> Attempt<BoxGraph> {
    let listing = list(limits, lister, usize::try_from(grid.volume).map_err(|_| Refusal::ManyStates)?)?;
    let words = listing.words.iter().zip(&listing.seen);
    let unmoves: Vec<(Unmove, u32)> = (0u32..)
        .zip(words)
        .filter_map(|(bit, (&word, seen))| Some((Unmove::of(word, lister.joined, seen)?, bit)))
        .collect();
    let exact = unmoves.iter().all(|(unmove, bit)| unmove.is_exact(grid.volume, &listing.seen[*bit as usize]));
    let bits = if exact { Vec::new() } else { listing.bits };
    let (moves, ends) = (listing.moves, listing.ends);
    let mut graph = BoxGraph { grid, unmoves, bits, moves, ends, unknown: Vec::new() };
    if !listing.faulty.is_empty() {
        graph.unknown = leading_to(limits, &graph, listing.faulty)?;
    }
    Ok(graph)
}

/// All that is known of the states of a box.
pub(crate) struct Listing {
    /// For each state a bit for each word that says what it can do.
    pub(crate) bits: Vec<u64>,
    /// How many bits each has.
    pub(crate) moves: Vec<u8>,
    /// The words by bit.
    pub(crate) words: Vec<u64>,
    /// What was seen of the states with each bit.
    pub(crate) seen: Vec<Seen>,
    /// Where the play ends, or a move ends it, by state.
    pub(crate) ends: Vec<(NodeId, End)>,
    /// States whose moves cannot be worked out, in order.
    pub(crate) faulty: Vec<NodeId>,
}

enum Unmade {
    Failed(Failure),
    Other,
}

impl<F: Into<Failure>> From<F> for Unmade {
    fn from(why: F) -> Self {
        Unmade::Failed(why.into())
    }
}

/// States listed at a time.
const CHUNK: u32 = 4096;

struct Part {
    lister: Lister,
    seen: [Seen; MOST],
    ends: Vec<(NodeId, End)>,
    faulty: Vec<NodeId>,
    /// So many words are looked at.
    known: usize,
    /// Those that end the play, by bit.
    finals: Vec<(u32, End)>,
    /// The bit of what cannot be worked out.
    faults: u64,
}

/// Lists the moves of so many states, the whole box of the lister. `O(states * moves)`.
pub(crate) fn list(limits: &Limits, lister: &Lister, states: usize) -> Attempt<Listing> {
    let threads = limits.threads_for(states as u64);
    // Some pieces for each thread: they do not all take as long.
    let pieces = if threads == 1 { 1 } else { threads * 8 };
    let piece = states.div_ceil(pieces).max(1);
    let (mut bits, mut moves) = (vec![0u64; states], vec![0u8; states]);
    let todo = Mutex::new(bits.chunks_mut(piece).zip(moves.chunks_mut(piece)).enumerate());
    let stop = AtomicBool::new(false);
    let parts = team(threads, &stop, |_, _| {
        let mut part = Part::new(lister.clone());
        loop {
            let next = todo.lock().next();
            let Some((number, (bits, moves))) = next else { return Ok(part) };
            if let Err(why) = part.list(limits, &stop, number * piece, bits, moves) {
                stop.store(true, Ordering::Relaxed);
                return Err(why);
            }
        }
    });
    let (mut found, mut failed) = (Vec::new(), None);
    for part in parts {
        match part {
            Ok(part) => found.push(part),
            // Too many words are too many however far the others came.
            Err(Unmade::Failed(why @ Failure::Refused(Refusal::UnlikeMoves))) => return Err(why),
            Err(Unmade::Failed(why)) => failed = failed.or(Some(why)),
            Err(Unmade::Other) => {}
        }
    }
    match failed {
        Some(why) => Err(why),
        None => Ok(join(found, bits, moves)),
    }
}

fn join(parts: Vec<Part>, bits: Vec<u64>, moves: Vec<u8>) -> Listing {
    let mut listing =
        Listing { bits, moves, words: Vec::new(), seen: Vec::new(), ends: Vec::new(), faulty: Vec::new() };
    let mut seen = [Seen::default(); MOST];
    for part in parts {
        seen.iter_mut().zip(&part.seen).for_each(|(all, part)| all.join(part));
        listing.ends.extend(part.ends);
        listing.faulty.extend(part.faulty);
        // Each knows the first words of all.
        if part.lister.words.len() > listing.words.len() {
            listing.words = part.lister.words;
        }
    }
    // Runs that are in order: linear, nearly.
    listing.ends.sort_by_key(|&(node, _)| node);
    listing.faulty.sort_unstable();
    listing.seen = seen[..listing.words.len()].to_vec();
    listing
}

impl Part {
    fn new(lister: Lister) -> Part {
        Part {
            lister,
            seen: [Seen::default(); MOST],
            ends: Vec::new(),
            faulty: Vec::new(),
            known: 0,
            finals: Vec::new(),
            faults: 0,
        }
    }

    /// Lists the states from this one on.
    fn list(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        first: usize,
        bits: &mut [u64],
        moves: &mut [u8],
    ) -> Result<(), Unmade> {
        let mut first = NodeId::new(first)?.0;
        for (bits, moves) in bits.chunks_mut(CHUNK as usize).zip(moves.chunks_mut(CHUNK as usize)) {
            if stop.load(Ordering::Relaxed) {
                return Err(Unmade::Other);
            }
            limits.check_clock()?;
            self.lister.list(first.into(), bits)?;
            self.look();
            if !self.finals.is_empty() || self.faults != 0 {
                for (node, word) in (first..).map(NodeId).zip(bits.iter()) {
                    let finals = self.finals.iter().filter(|(bit, _)| *word >> bit & 1 == 1);
                    self.ends.extend(finals.map(|&(_, end)| (node, end)));
                    if *word & self.faults != 0 {
                        self.faulty.push(node);
                    }
                }
            }
            for (word, moves) in bits.iter().zip(moves) {
                *moves = u8::try_from(word.count_ones()).unwrap_or(u8::MAX); // at most 64
            }
            for (bit, seen) in (0u32..).zip(&mut self.seen[..self.known]) {
                seen.add(first, bits, bit);
            }
            first += CHUNK;
        }
        Ok(())
    }

    /// Looks at words that were not met before.
    fn look(&mut self) {
        for (bit, &word) in (0u32..).zip(&self.lister.words).skip(self.known) {
            let code = u8::try_from(word & 3).unwrap_or(0);
            match word & !3 {
                STOP => self.finals.push((bit, End::Move(code))),
                ENDED => self.finals.push((bit, End::Here(code))),
                FAULTY => self.faults = 1 << bit,
                _ => {}
            }
        }
        self.known = self.lister.words.len();
    }
}

/// A change of ranks that some move makes.
///
/// The rank of the state after it is `(rank ^ low) + high`, where `high` is a multiple of a power of two that is greater
/// than `low`. That is one to one, so a state has at most one predecessor by each change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unmove {
    low: u32,
    high: u32,
    /// The mover has the next turn.
    pub(crate) keeps: bool,
    /// Bits of the rank that are the same in all states which can make this change.
    mask: u32,
    /// What those bits are.
    want: u32,
}

impl Unmove {
    /// The change that a word stands for; `None`: it stands for something else. `joined` is the number of states of the
    /// fields whose changes are exclusive ors.
    pub(crate) fn of(word: u64, joined: u64, seen: &Seen) -> Option<Unmove> {
        let small = |word: u64| word < VOLUME || word.wrapping_neg() <= VOLUME;
        let (change, keeps) = if small(word) { (word, false) } else { (word ^ KEEPS_TURN, true) };
        if !small(change) {
            return None;
        }
        let (low, high) = (change & (joined - 1), change & !(joined - 1));
        // Of `high` 32 bits are enough: ranks have 31, so no two in the box are as far apart.
        let half = |word: u64| width::short(word & u64::from(u32::MAX));
        let (mask, want) = (!(seen.ones & seen.zeros), seen.ones & !seen.zeros);
        Some(Unmove { low: half(low), high: half(high), keeps, mask: half(mask), want: half(want) })
    }

    /// Perhaps none of the box.
    #[inline]
    pub(crate) fn before(&self, rank: u32) -> u32 {
        rank.wrapping_sub(self.high) ^ self.low
    }

    /// Whether nothing is known against a state that makes this change.
    #[inline]
    pub(crate) fn allows(&self, rank: u32) -> bool {
        rank & self.mask == self.want
    }

    /// Whether all states of the box that are allowed to make this change are as many as do.
    pub(crate) fn is_exact(&self, volume: u64, seen: &Seen) -> bool {
        let fixed = (u64::from(self.mask) & (volume - 1)).count_ones();
        volume.is_power_of_two() && seen.count == volume >> fixed
    }
}

/// What was seen of the states with a certain bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Bits of ranks that are 1 in some of them.
    pub(crate) ones: u64,
    /// Bits of ranks that are 0 in some of them.
    pub(crate) zeros: u64,
    pub(crate) count: u64,
}

impl Seen {
    /// Adds the states from this rank on that have the bit. Ranks are below 2^31.
    pub(crate) fn add(&mut self, first: u32, words: &[u64], bit: u32) {
        let (mut ones, mut zeros, mut count) = (0u64, 0u64, 0u64);
        for (rank, &word) in (u64::from(first)..).zip(words) {
            let has = word >> bit & 1;
            let all = 0u64.wrapping_sub(has);
            ones |= all & rank;
            zeros |= all & !rank;
            count += has;
        }
        self.ones |= ones;
        self.zeros |= zeros;
        self.count += count;
    }

    pub(crate) fn join(&mut self, other: &Seen) {
        self.ones |= other.ones;
        self.zeros |= other.zeros;
        self.count += other.count;
    }
}

/// No word of the others.
const FREE: u64 = 1 << 63;

/// Boxes are smaller.
pub(crate) const VOLUME: u64 = 1 << 31;

/// So many different words, at most.
pub(crate) const MOST: usize = 64;

/// Finds which words each state of a box has: its options by native code, each as a change of the rank.
#[derive(Clone)]
pub(crate) struct Lister {
    changes: Arc<Changes>,
    /// The number of states of the fields whose changes are exclusive ors.
    joined: u64,
    /// The words by bit: the first of those that the listers of a box have met together.
    pub(crate) words: Vec<u64>,
    met: Arc<Mutex<Vec<u64>>>,
    table: ChangeTable,
}

impl Lister {
    pub(crate) fn new(changes: Changes, joined: u64) -> Lister {
        let table = ChangeTable { slots: Box::new([[FREE, 0]; 1 << PLACES]), factor: 1 };
        Lister { changes: Arc::new(changes), joined, words: Vec::new(), met: Arc::default(), table }
    }

    /// Gives these words, the first that were met, the bits of their places.
    pub(crate) fn know(&mut self, known: &[u64]) -> Result<(), Refusal> {
        let Lister { words, met, table, .. } = self;
        known.iter().try_for_each(|&word| add(words, &mut met.lock(), table, word))
    }

    /// The bits of the states from this rank on, all in the box, as many as `out` is long.
    pub(crate) fn list(&mut self, first: u64, out: &mut [u64]) -> Result<(), Refusal> {
        let ranks: Vec<u64> = (first..).take(out.len()).collect();
        let Lister { changes, words, met, table, .. } = self;
        changes.list(&ranks, table, out, |table, word| add(words, &mut met.lock(), table, word))
    }
}

/// Gives a word a bit, and finds a factor that sends all words to different places.
#[cold]
fn add(words: &mut Vec<u64>, met: &mut Vec<u64>, table: &mut ChangeTable, word: u64) -> Result<(), Refusal> {
    if !met.contains(&word) {
        if met.len() == MOST {
            return Err(Refusal::UnlikeMoves);
        }
        met.push(word);
    }
    words.clone_from(met);
    // Odd factors from a Weyl sequence; some tens of tries do for 64 words.
    for _ in 0..1_000_000 {
        table.slots.fill([FREE, 0]);
        let free = (0u32..).zip(&*words).all(|(bit, &word)| {
            let place = width::index(word.wrapping_mul(table.factor) >> (64 - PLACES));
            std::mem::replace(&mut table.slots[place], [word, 1 << bit])[0] == FREE
        });
        if free {
            return Ok(());
        }
        table.factor = table.factor.wrapping_add(0x9e37_79b9_7f4a_7c16) | 1;
    }
    Err(Refusal::UnlikeMoves)
}
