//! The graph of all positions that can be reached: explored breadth first, moves in compressed rows.
//!
//! While all moves lead to single components, nodes are components; otherwise they are sorted lists of components,
//! which is also how compounds are played (`space.rs` says which parts may or must move).

use crate::engines::space::{Goal, Met, NOTHING, Space, outcome_code};
use crate::graph_search::retrograde::{Decided, End, ReverseGraph};
use crate::graph_search::{Edge, NodeId};
use crate::memo::Mode;
use crate::source::Code;
use crate::store::{ComponentId, IndexSet};
use crate::value::{Fault, Halt, Points, Run};
use crate::vm::context::Context;
use crate::vm::run::{MoveTarget, Options, Status};
use hashbrown::HashMap;

/// Where edges lead that end the play: the mover wins, loses, draws.
pub(crate) const WIN: NodeId = NodeId::last(0);
pub(crate) const LOSE: NodeId = NodeId::last(1);
pub(crate) const DRAW: NodeId = NodeId::last(2);

/// A move that ends the play with this outcome code of the mover.
fn stop(code: u8) -> Edge {
    Edge::new([WIN, LOSE, DRAW][usize::from(code)], false)
}

const NO_NODE: NodeId = NodeId::last(3);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// Has moves, or none and nothing more said.
    Open,
    /// The whole play is over: outcome code of the player to move.
    Ended(u8),
    Known(Decided),
}

#[derive(Debug, Default)]
pub(crate) struct PositionGraph {
    pub(crate) nodes: Vec<Node>,
    /// `edges[start[i]..start[i + 1]]` are the moves of node `i`.
    pub(crate) start: Vec<usize>,
    pub(crate) edges: Vec<Edge>,
    /// Points of each edge for the mover; empty when there are none.
    pub(crate) gains: Vec<Points>,
    pub(crate) met: Met,
    pub(crate) keys: Keys,
}

/// How nodes are found again.
#[derive(Debug)]
pub(crate) enum Keys {
    /// Nodes are components: component of a node, node of a component.
    Components { of: Vec<ComponentId>, node: Vec<NodeId> },
    /// Nodes are multisets.
    Sums(IndexSet<Box<[ComponentId]>>),
}

impl Default for Keys {
    fn default() -> Self {
        Keys::Sums(IndexSet::default())
    }
}

impl PositionGraph {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + Clone + use<> {
        NodeId::all(self.len())
    }

    pub(crate) fn moves(&self, node: NodeId) -> &[Edge] {
        &self.edges[self.start[node.index()]..self.start[node.index() + 1]]
    }

    pub(crate) fn find(&self, key: &[ComponentId]) -> Option<NodeId> {
        match &self.keys {
            Keys::Components { node, .. } => match key {
                [id] => node.get(id.index()).copied().filter(|&node| node != NO_NODE),
                _ => None,
            },
            Keys::Sums(keys) => NodeId::new(keys.get_index_of(key)?).ok(),
        }
    }

    pub(crate) fn key(&self, node: NodeId) -> Box<[ComponentId]> {
        match &self.keys {
            Keys::Components { of, .. } => Box::new([of[node.index()]]),
            Keys::Sums(keys) => keys.get_index(node.index()).cloned().unwrap_or_default(),
        }
    }

    fn bytes(&self) -> usize {
        let keys = match &self.keys {
            Keys::Components { of, .. } => of.len() * 20,
            Keys::Sums(keys) => keys.len() * (48 + keys.first().map_or(0, |k| k.len() * 4)),
        };
        self.nodes.capacity() * 12
            + self.start.capacity() * 8
            + self.edges.capacity() * 4
            + self.gains.capacity() * size_of::<Points>()
            + keys
    }

    fn close_row(&mut self) {
        let from = self.start.last().copied().unwrap_or(0);
        if self.gains.is_empty() {
            let row = &mut self.edges[from..];
            row.sort_unstable();
            let mut kept = from;
            for at in from..self.edges.len() {
                if at == from || self.edges[at] != self.edges[kept - 1] {
                    self.edges[kept] = self.edges[at];
                    kept += 1;
                }
            }
            self.edges.truncate(kept);
        }
        self.start.push(self.edges.len());
    }
}

/// A graph with its moves turned round.
pub(crate) struct Reversed<'g> {
    graph: &'g PositionGraph,
    /// `from[start[i]..start[i + 1]]` are an [`Edge`] for each move to node `i`.
    start: Vec<usize>,
    from: Vec<Edge>,
    ends: Vec<(NodeId, End)>,
    decided: Vec<(NodeId, Decided)>,
}

impl PositionGraph {
    /// Time and memory linear in the moves.
    pub(crate) fn reversed(&self) -> Reversed<'_> {
        let mut start = vec![0usize; self.len() + 1];
        for to in self.edges.iter().map(|edge| edge.node()).filter(|&to| to < DRAW) {
            start[to.index()] += 1;
        }
        let mut sum = 0;
        for count in &mut start {
            sum += *count;
            *count = sum;
        }
        let mut from = vec![Edge::default(); sum];
        let (mut ends, mut decided) = (Vec::new(), Vec::new());
        for (number, node) in self.ids().zip(&self.nodes) {
            match *node {
                Node::Open => {}
                Node::Ended(code) => ends.push((number, End::Here(code))),
                Node::Known(known) => decided.push((number, known)),
            }
            for &edge in self.moves(number) {
                match edge.node() {
                    WIN => ends.push((number, End::Move(0))),
                    LOSE => ends.push((number, End::Move(1))),
                    DRAW => ends.push((number, End::Move(2))),
                    to => {
                        let at = &mut start[to.index()];
                        *at -= 1;
                        from[*at] = Edge::new(number, edge.keeps());
                    }
                }
            }
        }
        Reversed { graph: self, start, from, ends, decided }
    }
}

impl ReverseGraph for Reversed<'_> {
    fn nodes(&self) -> usize {
        self.graph.len()
    }

    fn out_degree(&self, node: NodeId) -> u32 {
        let known = usize::from(self.graph.nodes[node.index()] != Node::Open);
        // More than 32 bits hold are as many as nobody counts: retrograde analysis refuses them.
        u32::try_from(self.graph.moves(node).len() + known).unwrap_or(u32::MAX)
    }

    fn predecessors(&self, node: NodeId) -> &[Edge] {
        &self.from[self.start[node.index()]..self.start[node.index() + 1]]
    }

    fn ends(&self) -> &[(NodeId, End)] {
        &self.ends
    }

    fn decided(&self) -> &[(NodeId, Decided)] {
        &self.decided
    }

    fn keeps_turn(&self) -> bool {
        self.graph.met.again
    }
}

/// Limits are checked after so many positions,
const EVERY: usize = 1 << 10;
/// or so many moves,
const MOVES: usize = 1 << 18;

/// or when it is known that they are reached: whether now is the time, at this position of the graph.
fn is_due(ctx: &Context, graph: &PositionGraph, at: usize, edges: &mut usize) -> bool {
    let many = graph.edges.len() >= *edges;
    let due = many || at.is_multiple_of(EVERY) || ctx.limits.positions.is_some_and(|limit| at as u64 > limit);
    if due {
        *edges = graph.edges.len() + MOVES;
    }
    due
}

/// The limits of the search and of the analysis that follows; `more`: bytes held beside the graph.
fn check(ctx: &Context, graph: &PositionGraph, more: usize) -> Run<()> {
    let analysis = graph.edges.len() * 4 + graph.len() * 24;
    ctx.check_search(graph.len() as u64, ctx.bytes() + graph.bytes() + analysis + more)
}

/// The node with this number. L01 when it is none: the last numbers say what edges are that lead nowhere.
pub(crate) fn node(number: usize) -> Result<NodeId, Fault> {
    NodeId::new(number + 4)?;
    NodeId::new(number)
}

/// Explores from a component as long as every move leads to one component; `None` when one does not. With `use_known`
/// positions decided earlier are left unexplored: enough for outcomes, not for values.
pub(crate) fn components(
    ctx: &mut Context,
    mode: Mode,
    id: ComponentId,
    use_known: bool,
) -> Run<Option<PositionGraph>> {
    with_known(ctx, mode, use_known, |ctx, known| single_components(ctx, id, known))
}

type KnownPositions = HashMap<Box<[ComponentId]>, Decided>;

/// Works with the positions decided earlier, taken out of the memo meanwhile; with none if they are not to be used.
fn with_known<T>(
    ctx: &mut Context,
    mode: Mode,
    use_known: bool,
    work: impl FnOnce(&mut Context, &KnownPositions) -> Run<T>,
) -> Run<T> {
    if !use_known {
        return work(ctx, &KnownPositions::new());
    }
    let known = ctx.memo.decided.remove(&mode).unwrap_or_default();
    let result = work(ctx, &known);
    ctx.memo.decided.insert(mode, known);
    result
}

fn single_components(ctx: &mut Context, id: ComponentId, known: &KnownPositions) -> Run<Option<PositionGraph>> {
    let mut graph = PositionGraph { start: vec![0], ..PositionGraph::default() };
    let mut of = vec![id];
    let mut node = vec![NO_NODE; ctx.components()];
    node[id.index()] = NodeId::FIRST;
    let mut out = Options::default();
    let (mut at, mut edges) = (0, MOVES);
    while let Some(&id) = of.get(at) {
        if is_due(ctx, &graph, at, &mut edges) {
            graph.keys = Keys::Components { of: Vec::new(), node: Vec::new() };
            check(ctx, &graph, of.capacity() * 4 + node.capacity() * 4)?;
        }
        at += 1;
        if !known.is_empty()
            && let Some(decided) = known.get(&[id][..])
        {
            graph.nodes.push(Node::Known(*decided));
            graph.start.push(graph.edges.len());
            continue;
        }
        ctx.options(id, &mut out)?;
        match out.status {
            Status::Open | Status::Over => graph.nodes.push(Node::Open),
            Status::Play(outcome) => {
                graph.met.ending = true;
                graph.nodes.push(Node::Ended(outcome_code(outcome)));
            }
            Status::Score(_) => return Ok(None),
        }
        if node.len() < ctx.components() {
            node.resize(ctx.components(), NO_NODE);
        }
        for mv in &out.moves {
            graph.met.again |= mv.again;
            match mv.target {
                MoveTarget::Stop(outcome) => {
                    graph.met.stop = true;
                    graph.edges.push(stop(outcome_code(outcome)));
                }
                MoveTarget::To { first, len: 1 } if mv.gain.is_none() => {
                    let next = out.components[first as usize];
                    if node[next.index()] == NO_NODE {
                        node[next.index()] = self::node(of.len())?;
                        of.push(next);
                    }
                    graph.edges.push(Edge::new(node[next.index()], mv.again));
                }
                MoveTarget::To { .. } => return Ok(None),
            }
        }
        graph.close_row();
    }
    graph.keys = Keys::Components { of, node };
    Ok(Some(graph))
}

/// Explores whole positions from one given by its sorted components; `use_known` as in [`components`].
pub(crate) fn sums(
    ctx: &mut Context,
    mode: Mode,
    key: &[ComponentId],
    scoring: bool,
    use_known: bool,
) -> Run<PositionGraph> {
    let mut graph = PositionGraph { start: vec![0], ..PositionGraph::default() };
    let mut keys: IndexSet<Box<[ComponentId]>> = IndexSet::default();
    keys.insert(key.into());
    let mut space = Space::default();
    space.met.points = scoring;
    with_known(ctx, mode, use_known && !scoring, |ctx, known| {
        let (mut at, mut edges) = (0, MOVES);
        while let Some(key) = keys.get_index(at).cloned() {
            if is_due(ctx, &graph, at, &mut edges) {
                check(ctx, &graph, keys.capacity() * (40 + key.len() * 4) + space.bytes())?;
            }
            at += 1;
            if let Some(decided) = known.get(&key) {
                graph.nodes.push(Node::Known(*decided));
                graph.start.push(graph.edges.len());
            } else {
                expand(ctx, &mut space, mode, &key, &mut keys, &mut graph, scoring)?;
            }
        }
        Ok(())
    })?;
    graph.met = space.met;
    graph.keys = Keys::Sums(keys);
    Ok(graph)
}

fn expand(
    ctx: &mut Context,
    space: &mut Space,
    mode: Mode,
    key: &[ComponentId],
    keys: &mut IndexSet<Box<[ComponentId]>>,
    graph: &mut PositionGraph,
    scoring: bool,
) -> Run<()> {
    let verdict = if mode.compound.is_none() { space.verdict(ctx, key)? } else { None };
    if let Some(outcome) = verdict {
        graph.nodes.push(Node::Ended(outcome_code(outcome)));
        graph.start.push(graph.edges.len());
        return Ok(());
    }
    graph.nodes.push(Node::Open);
    for step in space.moves(ctx, mode, key)? {
        match step.to {
            Goal::Stop(code) => graph.edges.push(stop(code)),
            Goal::Sum(next) => {
                let (number, _) = keys.insert_full(next);
                graph.edges.push(Edge::new(node(number)?, step.again));
            }
        }
        if scoring {
            graph.gains.push(step.gain);
        }
    }
    if scoring {
        graph.start.push(graph.edges.len());
    } else {
        graph.close_row();
    }
    if graph.gains.is_empty() && space.met.points && !scoring {
        return Err(Halt::Fault(Fault::new(Code::E21, "points in a position that is not a scoring game")));
    }
    Ok(())
}

/// Sorted components with the zero parts of a disjunctive sum dropped.
pub(crate) fn sorted(ids: &[ComponentId]) -> Box<[ComponentId]> {
    let mut key: Vec<ComponentId> = ids.to_vec();
    key.sort_unstable();
    debug_assert!(key.iter().all(|&id| id <= NOTHING));
    key.into()
}
