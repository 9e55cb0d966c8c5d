//! Graphs of states that are gone through backwards, from a node to those with a move to it.

use crate::graph_search::box_graph::BoxGraph;
use crate::graph_search::reach::StateGraph;
use crate::graph_search::solved::Decided;

/// Set in a node with a move whose mover has the next turn.
pub const KEEPS: u32 = 1 << 31;

/// What ends the play at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The play is over here: won, lost, drawn (0, 1, 2) for the player to move.
    Here(u8),
    /// A move ends it: the mover wins, loses, draws.
    Move(u8),
}

/// Room for the nodes before another one.
#[derive(Debug)]
pub struct Sources(pub(crate) [u32; 64]);

impl Default for Sources {
    fn default() -> Self {
        Sources([0; 64])
    }
}

/// Where entries of a list are that will be wanted soon.
#[derive(Clone, Copy, Debug)]
pub struct Hint {
    base: *const u8,
    size: usize,
}

impl Hint {
    /// Of this list, as long as it stays where it is; else asking is of no use, and of no harm.
    #[must_use]
    pub fn new<T>(items: &[T]) -> Hint {
        Hint { base: items.as_ptr().cast(), size: size_of::<T>() }
    }

    /// Says that this entry is wanted soon.
    #[inline]
    pub fn ask(self, at: usize) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch reads nothing, whatever the address.
        #[allow(unsafe_code)]
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(self.base.wrapping_add(at * self.size).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = (at, self.base, self.size);
    }
}

/// Nodes gone back from at a time.
const ROWS: usize = 8;

/// Calls `each` with every node before every one of these, with [`KEEPS`] marks. Entries of the hinted lists for some of them
/// are asked for in advance: in large graphs the time goes into waiting for memory.
#[inline]
pub fn backwards<G: ReverseGraph>(graph: &G, nodes: &[u32], hints: &[Hint], mut each: impl FnMut(u32)) {
    let mut rooms: [Sources; ROWS] = Default::default();
    for (i, chunk) in nodes.chunks(ROWS).enumerate() {
        for &node in nodes.iter().skip((i + 2) * ROWS).take(ROWS) {
            graph.expect(node as usize);
        }
        for &node in nodes.iter().skip((i + 1) * ROWS).take(ROWS) {
            graph.expect_very_soon(node as usize);
        }
        let mut rows: [&[u32]; ROWS] = [&[]; ROWS];
        for ((row, room), &node) in rows.iter_mut().zip(&mut rooms).zip(chunk) {
            *row = graph.predecessors(node, room);
            for hint in hints {
                row.iter().take(ASKED).for_each(|&source| hint.ask((source & !KEEPS) as usize));
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
    fn out_degree(&self, node: usize) -> u32;

    /// The nodes with a move to this one, with [`KEEPS`] marks; as often as `out_degree` counts moves to it.
    fn predecessors<'a>(&'a self, node: u32, room: &'a mut Sources) -> &'a [u32];

    /// Nodes where the play ends, or a move ends it; once for each such move that `out_degree` counts.
    fn ends(&self) -> &[(u32, End)];

    /// Nodes without moves here, of which the outcome is known; `out_degree` counts one move for each.
    fn decided(&self) -> &[(u32, Decided)] {
        &[]
    }

    /// Whether some move keeps the turn.
    fn keeps_turn(&self) -> bool;

    /// The out-degrees of all nodes, in order.
    fn out_degrees(&self) -> impl Iterator<Item = u32> {
        (0..self.nodes()).map(|node| self.out_degree(node))
    }

    /// The nodes with a move that keeps the turn, some of them more than once.
    fn keepers(&self) -> Vec<u32> {
        let (mut room, mut found) = (Sources::default(), Vec::new());
        if self.keeps_turn() {
            for node in (0u32..).take(self.nodes()) {
                let sources = self.predecessors(node, &mut room);
                found.extend(sources.iter().filter(|&&s| s & KEEPS != 0).map(|s| s & !KEEPS));
            }
        }
        found
    }

    /// Says that the predecessors of a node are wanted soon.
    fn expect(&self, node: usize) {
        let _ = node;
    }

    /// Says so again, very soon before.
    fn expect_very_soon(&self, node: usize) {
        let _ = node;
    }
}

/// A graph of either kind.
#[derive(Debug)]
pub enum Graph {
    /// The states that can be reached from one.
    Reached(StateGraph),
    /// All states of a box.
    Boxed(BoxGraph),
}

impl Graph {
    /// The node of a state; `None`: it is not there, or some position that it leads to cannot be worked out.
    #[must_use]
    pub fn node(&self, words: &[i64]) -> Option<usize> {
        match self {
            Graph::Reached(graph) => graph.node(words),
            Graph::Boxed(graph) => graph.node(words),
        }
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Graph::Reached(graph) => graph.bytes(),
            Graph::Boxed(graph) => graph.bytes(),
        }
    }
}

impl ReverseGraph for Graph {
    fn nodes(&self) -> usize {
        match self {
            Graph::Reached(graph) => graph.nodes(),
            Graph::Boxed(graph) => graph.nodes(),
        }
    }

    #[inline]
    fn out_degree(&self, node: usize) -> u32 {
        match self {
            Graph::Reached(graph) => graph.out_degree(node),
            Graph::Boxed(graph) => graph.out_degree(node),
        }
    }

    #[inline]
    fn predecessors<'a>(&'a self, node: u32, room: &'a mut Sources) -> &'a [u32] {
        match self {
            Graph::Reached(graph) => graph.predecessors(node, room),
            Graph::Boxed(graph) => graph.predecessors(node, room),
        }
    }

    fn ends(&self) -> &[(u32, End)] {
        match self {
            Graph::Reached(graph) => graph.ends(),
            Graph::Boxed(graph) => graph.ends(),
        }
    }

    fn keeps_turn(&self) -> bool {
        match self {
            Graph::Reached(graph) => graph.keeps_turn(),
            Graph::Boxed(graph) => graph.keeps_turn(),
        }
    }

    #[inline]
    fn expect(&self, node: usize) {
        if let Graph::Reached(graph) = self {
            graph.expect(node);
        }
    }

    #[inline]
    fn expect_very_soon(&self, node: usize) {
        if let Graph::Reached(graph) = self {
            graph.expect_very_soon(node);
        }
    }
}
