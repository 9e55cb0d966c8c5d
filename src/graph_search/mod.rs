//! Games whose play may come back: graphs of states, gone through backwards from where play ends.
//!
//! In: the states of a box with native code for their moves, which are worked out in `blocks`, or any graph that can name the
//! nodes before a node ([`ReverseGraph`](retrograde::ReverseGraph)). Out: for each node who wins, after how many moves,
//! and its loopy value where one is asked for. Which of them is worth while is for the engines to say.

pub mod blocks;
pub mod reach;
pub mod retrograde;
pub mod stages;

use crate::graph_search::blocks::Blocks;
use crate::graph_search::reach::StateGraph;
use crate::graph_search::retrograde::Cells;
use crate::graph_search::stages::Values;
use crate::source::Code;
use crate::value::Fault;

/// A vertex of a graph of states, by its number.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// Numbers of nodes are less.
    const LIMIT: u32 = 1 << 31;

    /// The node that a search begins with.
    pub const FIRST: NodeId = NodeId(0);

    /// The node of this number. L01 when there is none.
    #[inline]
    pub fn new(number: usize) -> Result<NodeId, Fault> {
        let node = u32::try_from(number).ok().filter(|&node| node < NodeId::LIMIT).map(NodeId);
        node.ok_or_else(|| Fault::new(Code::L01, "more than 2^31 positions"))
    }

    /// The last numbers, counted down from 0: marks, where a graph has none of these nodes.
    pub(crate) const fn last(down: u32) -> NodeId {
        NodeId(NodeId::LIMIT - 1 - down)
    }

    /// The nodes of a graph that has so many.
    pub fn all(nodes: usize) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + Clone {
        (0..NodeId::LIMIT).take(nodes).map(NodeId)
    }

    /// Its place in a list with an entry for each node.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The node at one end of a move, and whether the mover has the next turn.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge(u32);

// SAFETY: it is a `u32` and nothing else, of any value.
#[allow(unsafe_code)]
unsafe impl bytemuck::TransparentWrapper<u32> for Edge {}

impl Edge {
    /// Set where the mover has the next turn.
    const KEEPS: u32 = NodeId::LIMIT;

    /// An edge to or from a node.
    #[inline]
    pub const fn new(node: NodeId, keeps: bool) -> Edge {
        Edge(if keeps { node.0 | Edge::KEEPS } else { node.0 })
    }

    /// The node.
    #[inline]
    pub const fn node(self) -> NodeId {
        NodeId(self.0 & !Edge::KEEPS)
    }

    /// Whether the mover has the next turn.
    #[inline]
    pub const fn keeps(self) -> bool {
        self.0 & Edge::KEEPS != 0
    }
}

/// States of one instance that were worked out.
#[derive(Debug)]
pub enum Solved {
    /// Those that can be reached from one.
    Reached(Box<Reached>),
    /// All states of a box.
    Boxed(Box<Blocks>),
}

impl Solved {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        match self {
            Solved::Reached(reached) => reached.bytes(),
            Solved::Boxed(blocks) => blocks.bytes(),
        }
    }
}

/// A graph of states with the outcomes of its nodes, and more where it was asked for.
#[derive(Debug)]
pub struct Reached {
    /// The graph.
    pub graph: StateGraph,
    /// Outcome and remoteness of each node.
    pub cells: Cells,
    /// Loopy values, as far as they were asked for.
    pub values: Option<Values>,
    /// As bits: nodes from which a move or position that ends the play, or a move that keeps the turn, can be reached.
    pub leads: Option<[Vec<u64>; 3]>,
}

impl Reached {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let values = match &self.values {
            None => 0,
            Some(Values::Narrow(stages)) => stages.bytes(),
            Some(Values::Wide(stages)) => stages.bytes(),
        };
        let leads: usize = self.leads.iter().flatten().map(|bits| bits.len() * 8).sum();
        self.graph.bytes() + self.cells.bytes() + values + leads
    }
}
