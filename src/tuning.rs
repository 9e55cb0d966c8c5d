//! The numbers that choose an engine, or say how long something is tried before another way is taken. All of them stand here.
//!
//! None of them changes what is true in an answer; some decide whether it tells the remoteness or lists moves, so they count work and
//! not time, and answers are the same on every machine. Each line says what the number is for, and what it was measured to cost where that is known.

use grundy_heap::misere::quotient::Bounds;

/// Limits of a search that may give up: they count and do not time, so that answers are the same on every machine.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// Positions.
    pub positions: u64,
    /// Bytes of tables, on top of what is held.
    pub bytes: usize,
    /// Steps of loops in the rules.
    pub steps: u64,
}

/// A search beside a theorem that knows the outcome: about a second, for the value and the moves.
pub(crate) const SEARCH: Trial = Trial { positions: 300_000, bytes: 1 << 29, steps: 4_000_000 };
/// A case drawn at random: about a second; what takes more is passed over.
pub(crate) const RANDOM_CASE: Trial = Trial { positions: 2_000_000, bytes: 1 << 29, steps: 6_000_000 };
/// A table beside theorems that tell its values: some seconds, since a table by search is worth more.
pub(crate) const TABLE: Trial = Trial { positions: 20_000_000, bytes: 1 << 30, steps: 6_000_000 };
/// The winning moves by theorems, looked at one by one: about a second.
pub(crate) const MOVES: Trial = Trial { positions: u64::MAX, bytes: 1 << 29, steps: 4_000_000 };
/// The winning moves of heaps answered by a code: about a second.
pub(crate) const HEAP_MOVES: Trial = Trial { positions: 1 << 20, bytes: 1 << 29, steps: 4_000_000 };
/// The remoteness beside a value that theorems state: some tenths of a second, so that it is always worth trying.
pub(crate) const REMOTENESS: Trial = Trial { positions: 60_000, bytes: 1 << 27, steps: 1 << 19 };
/// And so many words of positions looked at, about a tenth of a second.
pub(crate) const REMOTENESS_WORDS: u64 = 6_000_000;
/// Constants in the rules of heaps that may be a code: some milliseconds.
pub(crate) const CONSTANTS: Trial = Trial { positions: 1000, bytes: 1 << 26, steps: 1_000_000 };
/// Components that may be met for each position of a trial.
pub(crate) const MET: u64 = 4;
/// Positions searched before a table is made ([`Context::trial`](crate::vm::context::EngineOptions::trial)): some milliseconds.
pub(crate) const FIRST_SEARCH: u64 = 4096;
/// Moves for each of these positions.
pub(crate) const FIRST_MOVES: u64 = 64;
/// These searches end, too, when they take one part in so many of the memory.
pub(crate) const FIRST_SHARE: usize = 16;

/// So many positions of words are searched while one with numbers beyond words is: powers of two taken from 10^30, 3 * 10^5 positions
/// in 5.6 s.
pub(crate) const BIG: u64 = 8;
/// Trials on states of so many members of collections, vertices and edges are in proportion to them.
pub(crate) const LARGE: u64 = 4096;
/// So many operations on all of these: more than a look at a few positions is not worth it.
pub(crate) const LOOKS: u64 = 16;
/// But no more than this, about a millisecond: what takes longer than reading the state is not worth it.
pub(crate) const MOST_LOOKS: u64 = 1 << 16;

/// Words that trials of all cases of a file may look at, at first: some second.
pub(crate) const CREDIT: i64 = 1 << 26;
/// Added to them with each case: some microseconds.
pub(crate) const CREDIT_CASE: i64 = 1 << 8;
/// What any trial costs of them.
pub(crate) const COST_TRIAL: i64 = 1 << 9;
/// What a component costs that a trial meets first.
pub(crate) const COST_COMPONENT: i64 = 1 << 5;
/// What a step of a loop in the rules costs: it mostly looks for a component, which may be far from the nearest cache.
pub(crate) const COST_STEP: i64 = 1 << 4;

/// Stated moves of a sum that are held against the stated values.
pub(crate) const FOLLOWED: u64 = 100;

/// Heaps above this of games with splits are answered by the code, if there is one; the search of n takes about n^2 steps.
pub(crate) const HEAP_SPLIT: i64 = 256;
/// Heaps above this of games without splits likewise; a search of fewer tells the remoteness too.
pub(crate) const HEAP_WHOLE: i64 = 4_000_000;
/// States of the automata that prove a code: far more than rules need that are one.
pub(crate) const HEAP_STATES: usize = 20_000;
/// Tests of these automata, likewise.
pub(crate) const HEAP_TESTS: usize = 1_000_000;
/// Sums in misere play of no more beans are searched for a second before their quotient is asked.
pub(crate) const MISERE_BEANS: i128 = 20_000;
/// Heaps whose misere quotient is looked for: those of a proved period are far fewer.
pub(crate) const MISERE_HEAPS: usize = 2_000;
/// Likewise in a game for which no period is ever proved.
pub(crate) const MISERE_ENDLESS: i128 = 128;
/// How large a misere quotient may be, and what it may take: a second or two.
pub(crate) const MISERE_BOUNDS: Bounds = Bounds { order: 1_000, pairs: 50_000, products: 4_000_000 };
/// The moves of heaps of this size on are counted by what they leave, where that is proved, and not one by one. At most 2^13,
/// since proofs look at two heaps of this size.
pub(crate) const HEAP_COUNTED: u16 = 1 << 10;
/// The moves that are looked at there so that the first winning ones can be listed: some hundredths of a second.
pub(crate) const HEAP_LISTED: Trial = Trial { positions: 1 << 16, bytes: 1 << 26, steps: 200_000 };
/// Positions of a short search of heaps, or moves of a position in it.
pub(crate) const HEAP_FAR: u64 = 100_000;

/// A table of positions of at most so many cells is always worth it: some milliseconds.
pub(crate) const TABLE_SMALL: u64 = 1 << 22;
/// A larger one when at least one in so many of its cells is wanted, as far as the first search tells.
pub(crate) const TABLE_SPARSE: u64 = 16;
/// Cells of a table that are filled while one position is opened by the search in depth.
pub(crate) const TABLE_CELLS: u64 = 16;
/// A state met takes as long as some 100 cells of a box; where half of that is wasted, little is lost in either case.
pub(crate) const TABLE_MET: u64 = 256;
/// With instructions on values a cell takes so many times as long, so the box must be fuller to be worth it.
pub(crate) const TABLE_CALLS: u64 = 8;
/// Before a search that stops at the first move that wins, this part of the positions of another trial is enough.
pub(crate) const EARLY: u64 = 4;
/// A whole box of so many cells for each of these positions takes about as long as making native code for such a search.
pub(crate) const EARLY_CELLS: u64 = 1 << 8;
/// A field that grows beyond what was seen gets twice as much room so often.
pub(crate) const TABLE_TRIES: usize = 5;

/// A box of a cyclic game of at most so many states is always worked out whole.
pub(crate) const BOX_SMALL: u64 = 1 << 12;
/// A larger one when more than one in so many of its states is reached.
pub(crate) const BOX_SPARSE: u64 = 64;
/// A field that grows beyond what was seen gets twice as much room so often.
pub(crate) const BOX_TRIES: usize = 5;
/// Of a box of more states those that are met are told by their mixed ranks, before it is said whether they are few.
pub(crate) const BOX_WIDE: u64 = 1 << 28;
/// So many states are met at most before it is said whether all of a box is worked out: some tenths of a second.
pub(crate) const BOX_MET: u64 = 1 << 21;

/// Several processes share so many states. Tokens on a ring, two processes against one, processor time of the busier: see
/// `docs/scale.md`.
pub(crate) const SEVERAL: u64 = 1 << 24;

/// States of no more things than this are searched whole and not by their parts: that is quick, and tells the remoteness too.
pub(crate) const PARTS_SMALL: usize = 16;
/// So many positions are searched whole before the parts.
pub(crate) const PARTS_FEW: u64 = 20_000;
/// Or a table of so many cells.
pub(crate) const PARTS_CELLS: u64 = 1 << 20;

/// A question of a sweep counts as so many positions, at least.
pub(crate) const SWEEP_ASKED: u64 = 64;
/// A table ahead of a sweep has so many cells for each position that was opened: filling them takes about as long.
pub(crate) const SWEEP_CELLS: u64 = 64;
/// Short searches of a sweep for so many trials are enough.
pub(crate) const SWEEP_SHORT: u64 = 8;
/// Looks for tables of a sweep may take so many positions for each that was opened.
pub(crate) const SWEEP_LOOKS: u64 = 4;
