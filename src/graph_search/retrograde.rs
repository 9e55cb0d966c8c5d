//! Outcomes and remoteness of all nodes of a graph, by retrograde analysis in layers from the ends.
//!
//! Source: Fraenkel, Combinatorial games: selected bibliography, 2012, section 2 (theory); the counters of undecided moves are
//! Zermelo's idea made linear. A layer holds the nodes decided at one distance from the ends. Several threads go back from the
//! nodes of a large layer. What they find does not depend on their order: a node is won by any move to a node of the layer that
//! the opponent loses, and lost by the last of its moves, so never both.

use crate::graph_search::countdown::Waits;
use crate::graph_search::reverse_graph::{End, Hint, KEEPS, ReverseGraph, backwards};
use crate::graph_search::solved::{Cells, LOSS, WIN};
use crate::source::diagnostic::Code;
use crate::syntax::tree::Outcome;
use crate::value::fault::{Fault, Run};
use crate::value::limits::Limits;
use crate::value::team::team;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering};

/// Decides every node: win, loss or draw for the player to move, and after how many moves someone wins when the winner hurries
/// and the loser delays. `misere`: who cannot move wins.
///
/// `O(moves)` time. Memory besides the result: a counter a node and two layers of nodes. L02 past a remoteness of `2^30`.
pub(crate) fn retrograde<G: ReverseGraph + Sync>(limits: &Limits, graph: &G, misere: bool) -> Run<Cells> {
    if graph.out_degrees().all(|moves| moves < AtomicU8::LIMIT) {
        retrograde_with::<AtomicU8, G>(limits, graph, misere)
    } else {
        retrograde_with::<AtomicU32, G>(limits, graph, misere)
    }
}

fn retrograde_with<W: Waits, G: ReverseGraph + Sync>(limits: &Limits, graph: &G, misere: bool) -> Run<Cells> {
    let mut cells = Cells::new(graph.nodes());
    // How many moves of a node are not known to lose; those of decided nodes do not matter any more.
    let left: Vec<W> = graph.out_degrees().map(W::of).collect();
    // What is decided at distance 0 and, by moves that end the play, at distance 1.
    let (mut layer, mut later) = (Layer::default(), Vec::new());
    for (node, waits) in (0u32..).zip(&left) {
        if waits.none() {
            waits.decide(false);
            layer.add(&cells, node, misere, 0);
        }
    }
    for &(node, end) in graph.ends() {
        let waits = &left[node as usize];
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
        left[node as usize].decide(false);
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
            if left[node as usize].decide(false) {
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
        let chunks: Vec<(&[u32], bool)> =
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
    fn back<const SHARED: bool>(&self, nodes: &[u32], won: bool, next: &mut Layer) {
        backwards(self.graph, nodes, &[Hint::new(self.left)], |source| {
            let node = source & !KEEPS;
            let waits = &self.left[node as usize];
            if waits.decided() {
                return;
            }
            if won == (source & KEEPS != 0) {
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

/// Nodes decided at one distance.
#[derive(Default)]
struct Layer {
    won: Vec<u32>,
    lost: Vec<u32>,
}

impl Layer {
    #[inline]
    fn add(&mut self, cells: &Cells, node: u32, won: bool, far: u32) {
        cells.set(node as usize, if won { WIN } else { LOSS }, far);
        if won { self.won.push(node) } else { self.lost.push(node) }
    }

    /// Adds the nodes of this distance from the end of a list that is sorted by distance.
    fn take(&mut self, cells: &Cells, known: &mut Vec<(u32, u32, bool)>, far: u32) {
        while let Some((_, node, won)) = known.pop_if(|&mut (at, ..)| at == far) {
            self.add(cells, node, won, far);
        }
    }

    fn is_empty(&self) -> bool {
        self.won.is_empty() && self.lost.is_empty()
    }
}
