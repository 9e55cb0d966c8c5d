//! Graphs of states gone through backwards: outcomes and remoteness of all nodes, in layers from the ends.
//!
//! Source: Fraenkel, Combinatorial games: selected bibliography, 2012, section 2 (theory); the counters of undecided moves are
//! Zermelo's idea made linear. A layer holds the nodes decided at one distance from the ends. Several threads go back from the
//! nodes of a large layer. What they find does not depend on their order: a node is won by any move to a node of the layer that
//! the opponent loses, and lost by the last of its moves, so never both.

use crate::graph_search::{Edge, NodeId};
use crate::source::Code;
use crate::syntax::tree::Outcome;
use crate::tables::compact_table::{READ, prefetch};
use crate::value::limits::Limits;
use crate::value::team::team;
use crate::value::{Fault, Run};
use std::sync::atomic::Ordering::{self, Relaxed};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicUsize};

/// What ends the play at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The play is over here: won, lost, drawn (0, 1, 2) for the player to move.
    Here(u8),
    /// A move ends it: the mover wins, loses, draws.
    Move(u8),
}

/// Where entries of a list are that will be wanted soon.
#[derive(Clone, Copy, Debug)]
pub struct Hint {
    base: *const u8,
    size: usize,
}

impl Hint {
    /// Of this list, as long as it stays where it is; else asking is of no use, and of no harm.
    pub fn new<T>(items: &[T]) -> Hint {
        Hint { base: items.as_ptr().cast(), size: size_of::<T>() }
    }

    /// Says that this entry is wanted soon.
    #[inline]
    pub fn ask(self, at: usize) {
        prefetch::<READ>(self.base.wrapping_add(at * self.size).cast());
    }
}

/// Nodes gone back from at a time.
const ROWS: usize = 8;

/// Calls `each` with every edge to every one of these nodes. Entries of the hinted lists for some of them
/// are asked for in advance: in large graphs the time goes into waiting for memory.
#[inline]
pub fn backwards<G: ReverseGraph>(graph: &G, nodes: &[NodeId], hints: &[Hint], mut each: impl FnMut(Edge)) {
    for (i, chunk) in nodes.chunks(ROWS).enumerate() {
        for &node in nodes.iter().skip((i + 2) * ROWS).take(ROWS) {
            graph.expect(node, false);
        }
        for &node in nodes.iter().skip((i + 1) * ROWS).take(ROWS) {
            graph.expect(node, true);
        }
        let mut rows: [&[Edge]; ROWS] = [&[]; ROWS];
        for (row, &node) in rows.iter_mut().zip(chunk) {
            *row = graph.predecessors(node);
            for hint in hints {
                row.iter().take(ASKED).for_each(|&source| hint.ask(source.node().index()));
            }
        }
        for row in rows {
            for &source in row {
                each(source);
            }
        }
    }
}

/// So many entries of a row are asked for in advance.
const ASKED: usize = 64;

/// A graph of positions, each with the moves that lead to it. Nodes are `0..nodes`, fewer than 2^31.
pub trait ReverseGraph {
    /// How many nodes.
    fn nodes(&self) -> usize;

    /// How many moves a node has. A move that ends the play counts, and so does the end of the play at the node itself.
    fn out_degree(&self, node: NodeId) -> u32;

    /// The edges to a node, by where they come from; as often as `out_degree` counts moves to it.
    fn predecessors(&self, node: NodeId) -> &[Edge];

    /// Nodes where the play ends, or a move ends it; once for each such move that `out_degree` counts.
    fn ends(&self) -> &[(NodeId, End)];

    /// Nodes without moves here, of which the outcome is known; `out_degree` counts one move for each.
    fn decided(&self) -> &[(NodeId, Decided)] {
        &[]
    }

    /// Whether some move keeps the turn.
    fn keeps_turn(&self) -> bool;

    /// The out-degrees of all nodes, in order.
    fn out_degrees(&self) -> impl Iterator<Item = u32> {
        NodeId::all(self.nodes()).map(|node| self.out_degree(node))
    }

    /// The nodes with a move that keeps the turn, some of them more than once.
    fn keepers(&self) -> Vec<NodeId> {
        let mut found = Vec::new();
        if self.keeps_turn() {
            for node in NodeId::all(self.nodes()) {
                let sources = self.predecessors(node);
                found.extend(sources.iter().filter(|source| source.keeps()).map(|source| source.node()));
            }
        }
        found
    }

    /// Says that the predecessors of a node are wanted soon, and again very soon before.
    fn expect(&self, _node: NodeId, _very_soon: bool) {}
}

/// Decides every node: win, loss or draw for the player to move, and after how many moves someone wins when the winner
/// hurries and the loser delays. `misere`: who cannot move wins. `O(moves)` time; memory besides the result: a counter a
/// node and two layers of nodes. L02 past a remoteness of `2^30`, and for nodes of `2^31` moves.
pub(crate) fn retrograde<G: ReverseGraph + Sync>(limits: &Limits, graph: &G, misere: bool) -> Run<Cells> {
    if graph.out_degrees().all(|moves| moves < AtomicU8::LIMIT) {
        retrograde_with::<AtomicU8, G>(limits, graph, misere)
    } else if graph.out_degrees().all(|moves| moves < AtomicU32::LIMIT) {
        retrograde_with::<AtomicU32, G>(limits, graph, misere)
    } else {
        Err(Fault::new(Code::L02, "a position has more moves than can be counted: 2^31").into())
    }
}

fn retrograde_with<W: Waits, G: ReverseGraph + Sync>(limits: &Limits, graph: &G, misere: bool) -> Run<Cells> {
    let mut cells = Cells::new(graph.nodes());
    // How many moves of a node are not known to lose; those of decided nodes do not matter any more.
    let left: Vec<W> = graph.out_degrees().map(W::of).collect();
    // What is decided at distance 0 and, by moves that end the play, at distance 1.
    let (mut layer, mut later) = (Layer::default(), Vec::new());
    for (node, waits) in NodeId::all(left.len()).zip(&left) {
        if waits.none() {
            waits.decide(false);
            layer.add(&cells, node, misere, 0);
        }
    }
    for &(node, end) in graph.ends() {
        let waits = &left[node.index()];
        match end {
            // What says so is no move.
            End::Here(code) => {
                waits.decide(false);
                if code < 2 {
                    layer.add(&cells, node, code == 0, 0);
                }
            }
            End::Move(0) => later.push((node, true)),
            End::Move(1) => {
                if waits.less(false) {
                    later.push((node, false));
                }
            }
            End::Move(_) => {}
        }
    }
    // Nodes decided before, the nearest last; each joins the layer of its distance.
    let mut known = Vec::new();
    for &(node, decided) in graph.decided() {
        left[node.index()].decide(false);
        if decided.outcome != Outcome::Draw {
            known.push((decided.remoteness, node, decided.outcome == Outcome::First));
        }
    }
    known.sort_unstable_by(|a, b| b.cmp(a));
    let mut far = 0u32;
    layer.take(&cells, &mut known, far);
    let mut layers = vec![layer];
    loop {
        if layers.iter().all(Layer::is_empty) && later.is_empty() {
            let Some(&(next, ..)) = known.last() else { return Ok(cells) };
            far = next - 1;
        }
        limits.check_clock()?;
        far += 1;
        if far >= Cells::FARTHEST {
            return Err(Fault::new(Code::L02, "a play is longer than can be counted: 2^30 moves").into());
        }
        cells.fit(far);
        let mut first = Layer::default();
        first.take(&cells, &mut known, far);
        for (node, won) in later.drain(..) {
            if left[node.index()].decide(false) {
                first.add(&cells, node, won, far);
            }
        }
        layers = Step { graph, left: &left, cells: &cells, far }.run(limits, &layers, first);
    }
}

/// The step from all nodes of one distance to those of the next.
struct Step<'a, W, G> {
    graph: &'a G,
    left: &'a [W],
    cells: &'a Cells,
    far: u32,
}

/// A thread goes back from so many nodes at a time.
const CHUNK: usize = 1 << 10;
/// Going back from a node takes as long as so many cells of a table.
const WORK: u64 = 64;

impl<W: Waits, G: ReverseGraph + Sync> Step<'_, W, G> {
    /// The nodes of the next distance, `first` among them, as the threads found them.
    fn run(&self, limits: &Limits, layers: &[Layer], mut first: Layer) -> Vec<Layer> {
        let nodes: usize = layers.iter().map(|layer| layer.won.len() + layer.lost.len()).sum();
        let threads = limits.threads_for((nodes as u64).saturating_mul(WORK));
        if threads == 1 {
            for layer in layers {
                self.back::<false>(&layer.won, true, &mut first);
                self.back::<false>(&layer.lost, false, &mut first);
            }
            return vec![first];
        }
        let sides = layers.iter().flat_map(|layer| [(&layer.won, true), (&layer.lost, false)]);
        let chunks: Vec<(&[NodeId], bool)> =
            sides.flat_map(|(nodes, won)| nodes.chunks(CHUNK).map(move |chunk| (chunk, won))).collect();
        let taken = AtomicUsize::new(0);
        let mut next = team(threads, &AtomicBool::new(false), |_, _| {
            let mut next = Layer::default();
            while let Some(&(nodes, won)) = chunks.get(taken.fetch_add(1, Ordering::Relaxed)) {
                self.back::<true>(nodes, won, &mut next);
            }
            next
        });
        next.push(first);
        next
    }

    /// Goes back from nodes of this distance. `SHARED`: other threads do so, too.
    fn back<const SHARED: bool>(&self, nodes: &[NodeId], won: bool, next: &mut Layer) {
        backwards(self.graph, nodes, &[Hint::new(self.left)], |source| {
            let node = source.node();
            let waits = &self.left[node.index()];
            if waits.decided() {
                return;
            }
            if won == source.keeps() {
                if waits.decide(SHARED) {
                    next.add(self.cells, node, true, self.far);
                }
            } else if waits.less(SHARED) {
                waits.decide(SHARED);
                next.add(self.cells, node, false, self.far);
            }
        });
    }
}

#[derive(Default)]
struct Layer {
    won: Vec<NodeId>,
    lost: Vec<NodeId>,
}

impl Layer {
    #[inline]
    fn add(&mut self, cells: &Cells, node: NodeId, won: bool, far: u32) {
        cells.set(node, if won { WIN } else { LOSS }, far);
        if won { self.won.push(node) } else { self.lost.push(node) }
    }

    /// Adds the nodes of this distance from the end of a list that is sorted by distance.
    fn take(&mut self, cells: &Cells, known: &mut Vec<(u32, NodeId, bool)>, far: u32) {
        while let Some((_, node, won)) = known.pop_if(|&mut (at, ..)| at == far) {
            self.add(cells, node, won, far);
        }
    }

    fn is_empty(&self) -> bool {
        self.won.is_empty() && self.lost.is_empty()
    }
}

/// How much a node waits for, or that it is decided and waits no more. `shared`: other threads may change the counter
/// meanwhile, and may still count down one of a decided node that they saw before; it stays above [`Waits::LIMIT`], for a
/// node has fewer moves.
pub trait Waits: Send + Sync {
    /// Counters of nodes that wait are less.
    const LIMIT: u32;

    /// Waits for so many things, fewer than [`Waits::LIMIT`].
    fn of(number: u32) -> Self;

    /// Whether it waits for nothing.
    fn none(&self) -> bool;

    /// Whether the node is decided.
    fn decided(&self) -> bool;

    /// The node is decided; whether it was not before.
    fn decide(&self, shared: bool) -> bool;

    /// One thing less to wait for; whether it was the last. Of counters above zero, or decided.
    fn less(&self, shared: bool) -> bool;
}

macro_rules! waits {
    ($atomic:ty, $word:ty) => {
        impl Waits for $atomic {
            const LIMIT: u32 = 1 << (<$word>::BITS - 1);

            fn of(number: u32) -> Self {
                debug_assert!(number < Self::LIMIT);
                <$atomic>::new(<$word>::try_from(number).unwrap_or(<$word>::MAX))
            }

            fn none(&self) -> bool {
                self.load(Relaxed) == 0
            }

            #[inline]
            fn decided(&self) -> bool {
                u32::from(self.load(Relaxed)) >= Self::LIMIT
            }

            #[inline]
            fn decide(&self, shared: bool) -> bool {
                let before = if shared {
                    self.swap(<$word>::MAX, Relaxed)
                } else {
                    let before = self.load(Relaxed);
                    self.store(<$word>::MAX, Relaxed);
                    before
                };
                u32::from(before) < Self::LIMIT
            }

            #[inline]
            fn less(&self, shared: bool) -> bool {
                if shared {
                    return self.fetch_sub(1, Relaxed) == 1;
                }
                let less = self.load(Relaxed).wrapping_sub(1);
                self.store(less, Relaxed);
                less == 0
            }
        }
    };
}

waits!(AtomicU8, u8);
waits!(AtomicU32, u32);

/// An outcome with the remoteness of a decided position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Who wins.
    pub outcome: Outcome,
    /// After how many moves, when someone does.
    pub remoteness: u32,
}

/// A drawn node, or one that is not decided yet.
pub const DRAW: u8 = 0;
/// A node that is won for the player to move.
pub const WIN: u8 = 1;
/// A node that is lost for the player to move.
pub const LOSS: u8 = 2;

/// Outcomes in the two low bits, remoteness above them: two bytes a node as long as that is enough.
#[derive(Debug)]
pub enum Cells {
    /// A remoteness below `2^14`.
    Narrow(Vec<AtomicU16>),
    /// A remoteness below [`Cells::FARTHEST`].
    Wide(Vec<AtomicU32>),
}

impl Cells {
    /// Every remoteness is less.
    pub const FARTHEST: u32 = 1 << 30;

    /// So many nodes that are not decided.
    pub fn new(nodes: usize) -> Cells {
        Cells::Narrow((0..nodes).map(|_| AtomicU16::new(0)).collect())
    }

    /// Makes sure that this remoteness can be kept.
    pub fn fit(&mut self, far: u32) {
        if let Cells::Narrow(cells) = self
            && far >= 1 << 14
        {
            *self = Cells::Wide(cells.iter().map(|cell| AtomicU32::new(cell.load(Relaxed).into())).collect());
        }
    }

    /// Decides a node; several threads may do so for different ones. The remoteness must [fit](Cells::fit).
    #[inline]
    pub fn set(&self, node: NodeId, mark: u8, far: u32) {
        let cell = far << 2 | u32::from(mark);
        match self {
            Cells::Narrow(cells) => cells[node.index()].store(u16::try_from(cell).unwrap_or(u16::MAX), Relaxed),
            Cells::Wide(cells) => cells[node.index()].store(cell, Relaxed),
        }
    }

    /// [`DRAW`], [`WIN`] or [`LOSS`], and the remoteness when someone wins.
    #[inline]
    pub fn get(&self, node: NodeId) -> (u8, u32) {
        let cell = match self {
            Cells::Narrow(cells) => cells[node.index()].load(Relaxed).into(),
            Cells::Wide(cells) => cells[node.index()].load(Relaxed),
        };
        (u8::try_from(cell & 3).unwrap_or(DRAW), cell >> 2)
    }

    /// The outcome of a node, with its remoteness.
    pub fn decided(&self, node: NodeId) -> Decided {
        let (mark, remoteness) = self.get(node);
        let outcome = match mark {
            WIN => Outcome::First,
            LOSS => Outcome::Second,
            _ => Outcome::Draw,
        };
        Decided { outcome, remoteness }
    }

    /// How many nodes.
    pub fn len(&self) -> usize {
        match self {
            Cells::Narrow(cells) => cells.len(),
            Cells::Wide(cells) => cells.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        match self {
            Cells::Narrow(cells) => cells.len() * 2,
            Cells::Wide(cells) => cells.len() * 4,
        }
    }
}

/// The nodes from which a play can come to one of these, those themselves included, as bits. `O(moves)`.
pub(crate) fn leading_to(limits: &Limits, graph: &impl ReverseGraph, mut todo: Vec<NodeId>) -> Result<Vec<u64>, Fault> {
    /// Nodes gone back from together, so that their memory is asked for in advance.
    const BATCH: usize = 256;
    let mut found = vec![0u64; graph.nodes() / 64 + 1];
    let mark = |found: &mut [u64], node: NodeId| {
        let (word, bit) = (&mut found[node.index() / 64], 1u64 << (node.index() % 64));
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
            if mark(&mut found, before.node()) {
                todo.push(before.node());
            }
        });
    }
    Ok(found)
}
