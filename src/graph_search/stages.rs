//! Loopy Grundy values of the nodes of a graph, by stages, of which only those that a question needs are run.
//!
//! Source: Smith, Graphs and composite games, 1966; Fraenkel and Yesha, Theory of annihilation games, 1976.
//!
//! Stage i labels the nodes that have followers of all smaller values, none of value i, and whose other followers can
//! be answered by a move to value i. What no stage labels is infinite, with the finite values of its options. The first
//! stage is just the lost positions.

use crate::graph_search::NodeId;
use crate::graph_search::retrograde::{Cells, Hint, LOSS, ReverseGraph, WIN, backwards};
use crate::value::Run;
use crate::value::limits::Limits;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    Finite(u32),
    Infinite,
    Open,
}

impl Known {
    /// The value, if it is finite.
    pub(crate) fn finite(self) -> Option<u32> {
        if let Known::Finite(value) = self { Some(value) } else { None }
    }
}

/// Begins with stage 0, which labels just the lost positions. Values hold for nodes that lead to no end of the whole play and
/// to no move that keeps the turn; whatever those others get, they are not among the followers of these.
pub(crate) fn begin(graph: &impl ReverseGraph, cells: &Cells) -> Values {
    // A value is at most the number of moves, and two words say that there is none.
    if graph.out_degrees().all(|moves| moves < u32::from(u8::MAX) - 2) {
        Values::Narrow(begin_with(graph, cells))
    } else {
        Values::Wide(begin_with(graph, cells))
    }
}

fn begin_with<C: Counter>(graph: &impl ReverseGraph, cells: &Cells) -> Stages<C> {
    let (mut left, mut labelled) = (Vec::new(), Vec::new());
    let value = NodeId::all(graph.nodes())
        .map(|node| match cells.get(node).0 {
            LOSS => {
                labelled.push(node);
                C::ZERO
            }
            WIN => {
                left.push(node);
                C::NEXT
            }
            _ => C::TOP,
        })
        .collect();
    Stages { value, open: graph.out_degrees().map(C::of).collect(), left, labelled, stage: 1 }
}

pub(crate) fn known(values: &Values, node: NodeId) -> Known {
    fn of<C: Counter>(value: C) -> Known {
        if value == C::TOP {
            Known::Infinite
        } else if value == C::NEXT {
            Known::Open
        } else {
            Known::Finite(value.get())
        }
    }
    match values {
        Values::Narrow(stages) => of(stages.value[node.index()]),
        Values::Wide(stages) => of(stages.value[node.index()]),
    }
}

/// Runs stages until the values of these nodes are known. `O(moves)` a stage, at most `sqrt(2 moves) + 2` stages.
pub(crate) fn settle(
    limits: &Limits,
    graph: &impl ReverseGraph,
    values: &mut Values,
    nodes: &(impl Iterator<Item = NodeId> + Clone),
) -> Run<()> {
    while nodes.clone().any(|node| known(values, node) == Known::Open) {
        limits.check_clock()?;
        match values {
            Values::Narrow(stages) => stage(graph, stages),
            Values::Wide(stages) => stage(graph, stages),
        }
    }
    Ok(())
}

/// Stage `i`: a node gets `i` when it has followers of every smaller value, none of value `i`, and each other follower has
/// a follower of value `i`, so that a move there can be answered. Nodes without value and without a follower of value `i`
/// then never get one. `O(moves)`, of the nodes that have a follower of value `i`.
fn stage<C: Counter>(graph: &impl ReverseGraph, stages: &mut Stages<C>) {
    /// Nodes taken from the queue at a time.
    const BATCH: usize = 64;
    let Stages { value, open, left, labelled, stage } = stages;
    let hint = [Hint::new(open)];
    backwards(graph, labelled, &hint, |source| {
        let at = source.node().index();
        open[at] = open[at].less();
    });
    labelled.clear();
    // Moves to nodes that cannot answer by a move to value `i`.
    let mut bad = open.clone();
    let mut has = vec![false; graph.nodes()];
    let mut queue: Vec<NodeId> = left.iter().copied().filter(|&node| bad[node.index()] == C::ZERO).collect();
    let (mut batch, mut answer) = (Vec::new(), Vec::new());
    // In whatever order the queue is taken: where no move is bad, every follower without value has one of value `i`, so
    // that none of them can get `i` itself.
    while !queue.is_empty() {
        batch.clear();
        for node in queue.drain(queue.len().saturating_sub(BATCH)..) {
            let here = node.index();
            if value[here] == C::NEXT && !has[here] {
                value[here] = C::of(*stage);
                batch.push(node);
            }
        }
        labelled.extend(&batch);
        answer.clear();
        let hints = [Hint::new(&has), Hint::new(value)];
        backwards(graph, &batch, &hints, |source| {
            let at = source.node().index();
            if !std::mem::replace(&mut has[at], true) && value[at] >= C::NEXT {
                answer.push(source.node());
            }
        });
        let hint = [Hint::new(&bad)];
        backwards(graph, &answer, &hint, |far| {
            let at = far.node().index();
            bad[at] = bad[at].less();
            if bad[at] == C::ZERO && value[at] == C::NEXT && !has[at] {
                queue.push(far.node());
            }
        });
    }
    left.retain(|&node| {
        let here = node.index();
        if value[here] == C::NEXT && !has[here] {
            value[here] = C::TOP;
        }
        value[here] == C::NEXT
    });
    *stage += 1;
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
    pub left: Vec<NodeId>,
    /// Those that got a value in the last stage.
    pub labelled: Vec<NodeId>,
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

impl<C> Stages<C> {
    pub(super) fn bytes(&self) -> usize {
        (self.value.len() + self.open.len()) * size_of::<C>() + (self.left.len() + self.labelled.len()) * 4
    }
}
