//! Outcomes and remoteness of all nodes of a graph of states, in layers from the ends.

use crate::rules::fault::{Fault, Run};
use crate::rules::limits::Limits;
use crate::rules::native::{Backward, End, Hint, KEEPS, backwards};
use crate::rules::solved::{Cells, Counter, LOSS, WIN};

/// Outcomes and remoteness by retrograde analysis in layers, first in first out (theory: Fraenkel, Combinatorial games:
/// Selected bibliography, 2012, section 2; the counters are Zermelo's idea made linear). `O(moves)`; besides the result a
/// counter a node and two layers of nodes.
pub(super) fn outcomes(limits: &Limits, graph: &impl Backward, misere: bool) -> Run<Cells> {
    if graph.moves().all(|moves| moves < u8::MAX.into()) {
        outcomes_with::<u8, _>(limits, graph, misere)
    } else {
        outcomes_with::<u32, _>(limits, graph, misere)
    }
}

fn outcomes_with<C: Counter, G: Backward>(limits: &Limits, graph: &G, misere: bool) -> Run<Cells> {
    let mut cells = Cells::new(graph.len());
    // How many moves of a node are not known to lose; those of decided nodes do not matter any more.
    let mut left: Vec<C> = graph.moves().map(C::of).collect();
    // What is decided at distance 0 and, by moves that end the play, at distance 1.
    let (mut layer, mut later) = (Layer::default(), Vec::new());
    for (node, waits) in (0u32..).zip(&mut left) {
        if *waits == C::ZERO {
            *waits = C::TOP;
            layer.add(&mut cells, node, misere, 0);
        }
    }
    for &(node, end) in graph.ends() {
        let at = node as usize;
        match end {
            // What says so is no move.
            End::Here(code) => {
                left[at] = C::TOP;
                if code < 2 {
                    layer.add(&mut cells, node, code == 0, 0);
                }
            }
            End::Move(0) => later.push((node, true)),
            End::Move(1) => {
                left[at] = left[at].less();
                if left[at] == C::ZERO {
                    later.push((node, false));
                }
            }
            End::Move(_) => {}
        }
    }
    let mut far = 0u32;
    while !layer.is_empty() || !later.is_empty() {
        limits.check_clock()?;
        far += 1;
        if far >= Cells::FARTHEST {
            return Err(Fault::new("L02", "a play is longer than can be counted: 2^30 moves").into());
        }
        cells.fit(far);
        let mut next = Layer::default();
        for (node, won) in later.drain(..) {
            if left[node as usize] != C::TOP {
                left[node as usize] = C::TOP;
                next.add(&mut cells, node, won, far);
            }
        }
        let hint = [Hint::new(&left)];
        for (won, nodes) in [(true, &layer.won), (false, &layer.lost)] {
            backwards(graph, nodes, &hint, |source| {
                let node = source & !KEEPS;
                let waits = left[node as usize];
                if waits == C::TOP {
                    return;
                }
                if won == (source & KEEPS != 0) {
                    left[node as usize] = C::TOP;
                    next.add(&mut cells, node, true, far);
                } else {
                    left[node as usize] = waits.less();
                    if waits.less() == C::ZERO {
                        left[node as usize] = C::TOP;
                        next.add(&mut cells, node, false, far);
                    }
                }
            });
        }
        layer = next;
    }
    Ok(cells)
}

/// The nodes decided at one distance.
#[derive(Default)]
struct Layer {
    won: Vec<u32>,
    lost: Vec<u32>,
}

impl Layer {
    #[inline]
    fn add(&mut self, cells: &mut Cells, node: u32, won: bool, far: u32) {
        cells.set(node as usize, if won { WIN } else { LOSS }, far);
        if won { self.won.push(node) } else { self.lost.push(node) }
    }

    fn is_empty(&self) -> bool {
        self.won.is_empty() && self.lost.is_empty()
    }
}
