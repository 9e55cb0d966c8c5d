//! Loopy Grundy values in blocks: the cells of states, and what a round makes of them.
//!
//! Source: Smith, Graphs and composite games, 1966; Fraenkel and Yesha, Theory of annihilation games, 1976; the same stages as
//! in `stages`. Round `i` labels the states that have options of all smaller values, none of value `i`, and whose other options
//! can all be answered by a move to value `i`. It opens with two looks at every block: first what got the last value tells
//! the states before it, and states that waited in vain get no value any more; then counts begin anew. Steps as of
//! retrograde analysis follow. A state that has no bad option any more never has one of value `i`, in whatever order things are
//! told: an option of value `i` is bad for good.
//!
//! Values are those of games without ends of the whole play and moves that keep the turn: states that lead to one get none.

use crate::graph_search::blocks::bunch::{Bunch, Told};
use crate::graph_search::blocks::cells::Cells;
use crate::graph_search::blocks::fresh::Fresh;
use crate::graph_search::retrograde::{LOSS, WIN};
use crate::graph_search::stages::Known;

/// A state that waits for a value. In the low bits how many options had none when the round was opened, above them how many
/// of these are not known to be answered.
const OPEN: u16 = 1 << 15;
/// A state that has no value yet and has an option of the value of this round.
const REACHES: u16 = 1 << 14;
/// Bits of a count, or of a value.
const COUNT: u16 = (1 << BITS) - 1;
const BITS: u32 = 7;
/// A state without a finite value.
const INFINITE: u16 = COUNT;
/// A state that leads to an end, or to a move that keeps the turn, has this less how it does, as a number of three bits. Values
/// are less: a state has at most 64 moves.
const FORBIDDEN: u16 = INFINITE - 1;

/// Marks states that lead to an end in some way before they have values: bits of the cell.
fn mark(told: Told) -> u16 {
    match told {
        Told::Stops => 1,
        Told::Ends => 2,
        _ => 4,
    }
}

/// A state leads to an end in this way, the place of [`Told::Stops`], [`Told::Ends`], [`Told::Keeps`]; whether that is new.
pub(super) fn lead(cell: &mut u16, way: usize) -> bool {
    let bit = 1 << way.min(2);
    let new = *cell & bit == 0;
    *cell |= bit;
    new
}

/// What states make of a bunch in the round of this value.
#[inline]
pub(super) fn tell(
    cells: &mut [u16],
    bunch: &Bunch<'_>,
    has: impl Fn(usize) -> bool,
    round: u32,
    fresh: &mut [Fresh; 3],
) {
    let places = bunch.places.iter().map(|&place| usize::from(place)).filter(|&at| has(at));
    let [labelled, reaching, keeping] = fresh;
    match bunch.told {
        Told::Valued => places.for_each(|at| {
            if let Some(cell) = cells.get_mut(at).filter(|cell| **cell & OPEN != 0 && **cell & COUNT != 0) {
                *cell -= 1;
            }
        }),
        Told::Reaches => places.for_each(|at| {
            let waits = |cell: u16| cell & REACHES == 0 && (cell & OPEN != 0 || cell == INFINITE);
            if let Some(cell) = cells.get_mut(at).filter(|cell| waits(**cell)) {
                *cell |= REACHES;
                reaching.add(at);
            }
        }),
        Told::Answered => places.for_each(|at| {
            let bad = |cell: u16| cell & OPEN != 0 && cell >> BITS & COUNT != 0;
            if let Some(cell) = cells.get_mut(at).filter(|cell| bad(**cell)) {
                *cell -= 1 << BITS;
                if *cell >> BITS & COUNT == 0 && *cell & REACHES == 0 {
                    *cell = value(round);
                    labelled.add(at);
                }
            }
        }),
        told => {
            let set = match told {
                Told::Stops => labelled,
                Told::Ends => reaching,
                _ => keeping,
            };
            places.for_each(|at| {
                if let Some(cell) = cells.get_mut(at).filter(|cell| **cell & mark(told) == 0) {
                    *cell |= mark(told);
                    set.add(at);
                }
            });
        }
    }
}

/// Gives the states of a block their first cells, after who wins and how many moves they have. Lost ones have the value 0.
pub(super) fn begin(cells: &mut [u16], outcomes: &Cells, moves: impl Fn(usize) -> u16) {
    for (at, cell) in cells.iter_mut().enumerate() {
        *cell = match (*cell, outcomes.get(at).unwrap_or(0) & 3) {
            (0, mark) if mark == u32::from(LOSS) => 0,
            (0, mark) if mark == u32::from(WIN) => OPEN | moves(at).min(COUNT),
            (0, _) => INFINITE,
            (ways, _) => FORBIDDEN + 1 - (ways & 7),
        };
    }
}

/// Ends the round before this one: what has its value is found, what waited for it in vain has none.
pub(super) fn close(cells: &mut [u16], round: u32, found: &mut Fresh) {
    let last = value(round - 1);
    for (at, cell) in cells.iter_mut().enumerate() {
        if *cell & OPEN != 0 && *cell & REACHES == 0 && round > 1 {
            *cell = INFINITE;
        } else if *cell == last {
            found.add(at);
        }
    }
}

/// Opens a round, when the states were told of the values of the one before: states without a bad option are found.
pub(super) fn open(cells: &mut [u16], round: u32, found: &mut Fresh) {
    for (at, cell) in cells.iter_mut().enumerate() {
        if *cell & OPEN != 0 {
            let left = *cell & COUNT;
            *cell = OPEN | left << BITS | left;
            if left == 0 {
                *cell = value(round);
                found.add(at);
            }
        } else {
            *cell &= !REACHES;
        }
    }
}

fn value(round: u32) -> u16 {
    u16::try_from(round).unwrap_or(COUNT).min(FORBIDDEN - 7)
}

/// What a cell says between two rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Value(Known),
    /// There is none: whether it leads to a move that ends the play, to an end, to a move that keeps the turn.
    Leads([bool; 3]),
}

/// See [`Said`]. `round`: that which is opened next; before the first one cells hold ways to ends alone.
pub(super) fn said(cell: u16, round: u32) -> Said {
    let leads = |ways: u16| Said::Leads([1, 2, 4].map(|way| ways & way != 0));
    if round == 1 {
        return if cell == 0 { Said::Value(Known::Open) } else { leads(cell) };
    }
    if cell & OPEN != 0 {
        return Said::Value(if cell & REACHES != 0 { Known::Open } else { Known::Infinite });
    }
    match cell & COUNT {
        INFINITE => Said::Value(Known::Infinite),
        value if value >= FORBIDDEN - 6 => leads(FORBIDDEN + 1 - value),
        value => Said::Value(Known::Finite(value.into())),
    }
}
