//! Graphs of states with what was worked out of them.

use crate::graph_search::reverse_graph::Graph;
use crate::syntax::tree::Outcome;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering::Relaxed};

/// An outcome with the remoteness of a decided position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Who wins.
    pub outcome: Outcome,
    /// After how many moves, when someone does.
    pub remoteness: u32,
}

/// A graph of states with the outcomes of its nodes, and more where it was asked for.
#[derive(Debug)]
pub struct Solved {
    /// The graph.
    pub graph: Graph,
    /// Outcome and remoteness of each node.
    pub cells: Cells,
    /// Loopy values, as far as they were asked for.
    pub values: Option<Values>,
    /// The nodes from which a move that ends the play can be reached, an end of the play, a move that keeps the turn: as
    /// bits, when they were asked for.
    pub leads: Option<[Vec<u64>; 3]>,
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
    #[must_use]
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
    pub fn set(&self, node: usize, mark: u8, far: u32) {
        let cell = far << 2 | u32::from(mark);
        match self {
            Cells::Narrow(cells) => cells[node].store(u16::try_from(cell).unwrap_or(u16::MAX), Relaxed),
            Cells::Wide(cells) => cells[node].store(cell, Relaxed),
        }
    }

    /// [`DRAW`], [`WIN`] or [`LOSS`], and the remoteness when someone wins.
    #[inline]
    #[must_use]
    pub fn get(&self, node: usize) -> (u8, u32) {
        let cell = match self {
            Cells::Narrow(cells) => cells[node].load(Relaxed).into(),
            Cells::Wide(cells) => cells[node].load(Relaxed),
        };
        (u8::try_from(cell & 3).unwrap_or(DRAW), cell >> 2)
    }

    /// The outcome of a node, with its remoteness.
    #[must_use]
    pub fn decided(&self, node: usize) -> Decided {
        let (mark, remoteness) = self.get(node);
        let outcome = match mark {
            WIN => Outcome::First,
            LOSS => Outcome::Second,
            _ => Outcome::Draw,
        };
        Decided { outcome, remoteness }
    }

    /// How many nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Cells::Narrow(cells) => cells.len(),
            Cells::Wide(cells) => cells.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Cells::Narrow(cells) => cells.len() * 2,
            Cells::Wide(cells) => cells.len() * 4,
        }
    }
}

/// Loopy values in the smallest form that holds them: no value is greater than the number of moves of its node.
#[derive(Debug)]
pub enum Values {
    /// No node has more than 252 moves.
    Narrow(Stages<u8>),
    /// Any.
    Wide(Stages<u32>),
}

/// Loopy values worked out up to some stage.
#[derive(Debug)]
pub struct Stages<C> {
    /// The value of each node, or that it has none, or none yet.
    pub value: Vec<C>,
    /// How many moves of each node lead to nodes that had no finite value before the last stage.
    pub open: Vec<C>,
    /// The nodes that have no value yet.
    pub left: Vec<u32>,
    /// Those that got a value in the last stage.
    pub labelled: Vec<u32>,
    /// The next stage.
    pub stage: u32,
}

/// A small number that is counted down, or a value.
pub trait Counter: Copy + PartialEq + PartialOrd {
    /// No value that a counter can have: decided, or without a finite value.
    const TOP: Self;
    /// One less than that.
    const NEXT: Self;
    /// Nothing to count any more.
    const ZERO: Self;
    /// The number, which is known to fit.
    fn of(number: u32) -> Self;
    /// The number.
    fn get(self) -> u32;
    /// One less; only asked of counters above zero.
    #[must_use]
    fn less(self) -> Self;
}

impl Counter for u8 {
    const TOP: u8 = u8::MAX;
    const NEXT: u8 = u8::MAX - 1;
    const ZERO: u8 = 0;
    fn of(number: u32) -> u8 {
        u8::try_from(number).unwrap_or(u8::MAX)
    }
    fn get(self) -> u32 {
        u32::from(self)
    }
    #[inline]
    fn less(self) -> u8 {
        self.wrapping_sub(1)
    }
}

impl Counter for u32 {
    const TOP: u32 = u32::MAX;
    const NEXT: u32 = u32::MAX - 1;
    const ZERO: u32 = 0;
    fn of(number: u32) -> u32 {
        number
    }
    fn get(self) -> u32 {
        self
    }
    #[inline]
    fn less(self) -> u32 {
        self.wrapping_sub(1)
    }
}

impl Solved {
    /// Bytes held.
    #[must_use]
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

impl<C> Stages<C> {
    fn bytes(&self) -> usize {
        (self.value.len() + self.open.len()) * size_of::<C>() + (self.left.len() + self.labelled.len()) * 4
    }
}
