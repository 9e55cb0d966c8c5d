//! Graphs of states that are gone through backwards, from a node to those with a move to it.

use crate::graph_search::box_graph::BoxGraph;
use crate::graph_search::reach::StateGraph;

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

/// Why there is no graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoGraph {
    /// The rules have something that native code cannot do.
    Rules(&'static str),
    /// An option is outside of the box, or the rules fault somewhere.
    Outside,
    /// It would take so many bytes.
    Memory(u64),
    /// There are more positions than may be searched.
    Limit,
    /// Moves have too many different changes, or few states of the box are reached.
    Unlike,
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
pub fn backwards<G: Backward>(graph: &G, nodes: &[u32], hints: &[Hint], mut each: impl FnMut(u32)) {
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
            *row = graph.sources(node, room);
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

/// Nodes `0..len`, fewer than 2^31, whose moves can be taken back.
pub trait Backward {
    /// How many nodes.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many moves each node has. A move that ends the play counts, and so does the end of the play at the node itself.
    fn moves(&self) -> impl Iterator<Item = u32> + '_;

    /// The nodes with a move to this one, with [`KEEPS`] marks; as often as `moves` counts moves to it.
    fn sources<'a>(&'a self, node: u32, room: &'a mut Sources) -> &'a [u32];

    /// Nodes where the play ends, or a move ends it; once for each such move that `moves` counts.
    fn ends(&self) -> &[(u32, End)];

    /// Whether some move keeps the turn.
    fn again(&self) -> bool;

    /// The nodes with a move that keeps the turn, some of them more than once.
    fn keepers(&self) -> Vec<u32> {
        if !self.again() {
            return Vec::new();
        }
        let (mut room, mut found) = (Sources::default(), Vec::new());
        for node in (0u32..).take(self.len()) {
            found.extend(self.sources(node, &mut room).iter().filter(|&&s| s & KEEPS != 0).map(|s| s & !KEEPS));
        }
        found
    }

    /// Says that the sources of a node are wanted soon.
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
    /// How many positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        match self {
            Graph::Reached(graph) => graph.len() as u64,
            Graph::Boxed(graph) => graph.len() as u64,
        }
    }

    /// The node of a state; `None`: it is not there, or some position that it leads to cannot be worked out.
    #[must_use]
    pub fn node(&self, words: &[i64]) -> Option<usize> {
        match self {
            Graph::Reached(graph) => graph.node(words),
            Graph::Boxed(graph) => graph.node(words),
        }
    }

    /// Nodes where the play ends, or a move ends it; once for each such move.
    #[must_use]
    pub fn ends(&self) -> &[(u32, End)] {
        match self {
            Graph::Reached(graph) => graph.ends(),
            Graph::Boxed(graph) => graph.ends(),
        }
    }

    /// Whether some move keeps the turn.
    #[must_use]
    pub fn again(&self) -> bool {
        match self {
            Graph::Reached(graph) => graph.again(),
            Graph::Boxed(graph) => graph.again(),
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
