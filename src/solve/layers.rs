//! Outcomes and remoteness of all nodes of a graph of states, in layers from the ends.

use crate::rules::fault::{Fault, Run};
use crate::rules::limits::Limits;
use crate::rules::native::{Backward, End, KEEPS, Sources};
use crate::rules::solved::{Cells, Counter, LOSS, WIN};

/// How far ahead in a list memory is asked for.
pub(super) const SOON: usize = 16;
/// See [`SOON`].
pub(super) const VERY_SOON: usize = 6;

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
    let (mut layer, mut later): (Vec<u32>, Vec<(u32, u8)>) = (Vec::new(), Vec::new());
    for (node, waits) in (0u32..).zip(&mut left) {
        if *waits == C::ZERO {
            *waits = C::TOP;
            cells.set(node as usize, if misere { WIN } else { LOSS }, 0);
            layer.push(node);
        }
    }
    for &(node, end) in graph.ends() {
        let at = node as usize;
        match end {
            // What says so is no move.
            End::Here(code) => {
                left[at] = C::TOP;
                if code < 2 {
                    cells.set(at, if code == 0 { WIN } else { LOSS }, 0);
                    layer.push(node);
                }
            }
            End::Move(0) => later.push((node, WIN)),
            End::Move(1) => {
                left[at] = left[at].less();
                if left[at] == C::ZERO {
                    later.push((node, LOSS));
                }
            }
            End::Move(_) => {}
        }
    }
    let mut room = Sources::default();
    let mut far = 0u32;
    while !layer.is_empty() || !later.is_empty() {
        limits.check_clock()?;
        far += 1;
        if far >= Cells::FARTHEST {
            return Err(Fault::new("L02", "a play is longer than can be counted: 2^30 moves").into());
        }
        cells.fit(far);
        let mut next = Vec::new();
        for (node, mark) in later.drain(..) {
            if left[node as usize] != C::TOP {
                left[node as usize] = C::TOP;
                cells.set(node as usize, mark, far);
                next.push(node);
            }
        }
        for (at, &node) in layer.iter().enumerate() {
            let ahead = |by: usize| layer.get(at + by).map_or(0, |&node| node as usize);
            graph.expect(ahead(SOON), ahead(VERY_SOON));
            let (mark, _) = cells.get(node as usize);
            for &source in graph.sources(node, &mut room) {
                let before = (source & !KEEPS) as usize;
                let waits = left[before];
                if waits == C::TOP {
                    continue;
                }
                if (mark == WIN) == (source & KEEPS != 0) {
                    left[before] = C::TOP;
                    cells.set(before, WIN, far);
                    next.push(source & !KEEPS);
                } else {
                    left[before] = waits.less();
                    if waits.less() == C::ZERO {
                        left[before] = C::TOP;
                        cells.set(before, LOSS, far);
                        next.push(source & !KEEPS);
                    }
                }
            }
        }
        layer = next;
    }
    Ok(cells)
}
