//! What the engines remember of components, instances and sums between questions.
//!
//! Everything is found by the numbers that the store gives, and is forgotten with them. It stands above what runs
//! rules, which owns it, and below the engines, which fill it; nothing is worked out here.
//!
//! What is kept of positions that are sums: their components under small numbers, and a table of decided positions.
//!
//! A position is the ascending list of the numbers of its components. Components that have no moves are dropped: a sum has
//! the same moves with and without them, so in either convention it has the same outcome and remoteness. Nothing else is
//! dropped: outside normal play a component of Grundy value 0, or two equal ones, do count.
//!
//! From sums to words: an exact table whose keys are short strings of bytes.
//!
//! A sum is an ascending list of numbers from 1 on. Each number is written in bytes of 7 bits, the lowest first, with the
//! high bit set in all bytes but its last (LEB128). As no number is 0, no string ends in a zero byte, and every string is
//! that of one list: up to 16 bytes it is the key itself, filled up with zeros, and longer ones are kept apart. Keys are compared as a whole.

use crate::bytecode::{Code, InstanceId};
pub(crate) use crate::graph_search::Solved;
pub(crate) use crate::graph_search::retrograde::Decided;
use crate::model::{GameId, Program};
use crate::store::{ComponentId, IndexSet};
use crate::syntax::tree::Outcome;
use crate::tables::{Kind, Table};
use crate::value::refusal::Refusal;
use crate::value::{Compound, Value};
use grundy_graphs::deletion::Deletion;
use grundy_heap::game::Game;
use grundy_heap::misere::genus::{Genus, Tameness};
use grundy_heap::misere::period::Period;
use grundy_heap::misere::quotient::{Bounds, Quotient};
use grundy_heap::moves::Moves;
use grundy_heap::sequence::Sequence;
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

/// A Grundy value that is not known yet.
pub const UNKNOWN: u32 = u32::MAX;
/// A component whose value is being worked out.
pub const OPEN: u32 = u32::MAX - 1;

/// How the parts of a position are played together, and to which end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mode {
    /// Who cannot move wins.
    pub misere: bool,
    /// The compound; `None`: a disjunctive sum.
    pub compound: Option<Compound>,
}

/// A part of a compound, or of a sum in misere play, as the rule for it looks at it: the rule says what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PartFact {
    /// There is no move in it.
    pub over: bool,
    /// A number.
    pub value: u32,
    /// A second fact, where the rule wants one.
    pub mark: bool,
}

/// Facts about parts played in one way.
#[derive(Debug, Default)]
pub struct PartFacts {
    /// By component.
    pub known: HashMap<ComponentId, PartFact>,
    /// Components about which the rule says nothing, and why.
    pub refused: HashMap<ComponentId, Arc<str>>,
}

impl PartFacts {
    /// Bytes held, roughly.
    pub fn bytes(&self) -> usize {
        self.known.capacity() * 16 + self.refused.capacity() * 32
    }
}

/// A value of a component of a cyclic game: finite, or the finite values of its options.
pub type Loopy = Result<u32, std::sync::Arc<[u32]>>;

/// Everything that is remembered.
#[derive(Debug, Default)]
pub struct Memo {
    /// Grundy values of components of acyclic normal play by number.
    pub grundy: Vec<u32>,
    /// Their remoteness; [`UNKNOWN`] when options are sums.
    pub remoteness: Vec<u32>,
    /// Values of components of cyclic games.
    pub loopy: HashMap<ComponentId, Loopy>,
    /// Whether it is proved from the rules that every play of a game ends.
    pub ending: HashMap<GameId, bool>,
    /// Decided positions by mode and sorted components.
    pub decided: HashMap<Mode, HashMap<Box<[ComponentId]>, Decided>>,
    /// What is known of parts, by how they are played.
    pub parts: HashMap<Mode, PartFacts>,
    /// Sums decided depth first.
    pub sums: Sums,
    /// Tables of states by instance and kind.
    pub tables: HashMap<(InstanceId, Kind), Table>,
    /// Instances and kinds for which no table could be made, with the reason.
    pub table_refusals: HashMap<(InstanceId, Kind), Refusal>,
    /// States of single instances that were worked out backwards, by instance and whether who cannot move wins.
    pub solved: HashMap<(InstanceId, bool), Solved>,
    /// Instances for which that could not be done, with the reason.
    pub graph_refusals: HashMap<InstanceId, Refusal>,
    /// Components of which a search saw that a play comes to a move that ends it, to an end of it, to a move that keeps the turn.
    pub forbidden: HashMap<ComponentId, [bool; 3]>,
    /// What was asked of each instance.
    pub histories: HashMap<InstanceId, QueryHistory>,
    /// By instance: whether its states fall apart. None: not known yet.
    pub splits: HashMap<InstanceId, Split>,
    /// By instance: the code that its rules are, or why they are none. None: not known yet.
    pub heaps: HashMap<InstanceId, Result<Arc<Game>, String>>,
    /// By instance: the moves of large heaps. None: not known yet; `None` in it: they are looked at one by one.
    pub heap_moves: HashMap<InstanceId, Option<Arc<[Moves]>>>,
    /// The values of such codes.
    pub sequences: HashMap<Arc<Game>, Sequence>,
    /// The misere quotients of such codes.
    pub quotients: HashMap<Arc<Game>, MisereHeaps>,
    /// The genera of positions, by how their parts are played together.
    pub genera: HashMap<Option<Compound>, Genera>,
}

/// The genera of positions, each under a number.
#[derive(Debug, Default)]
pub struct Genera {
    /// The positions: their components, sorted.
    pub keys: IndexSet<Box<[ComponentId]>>,
    /// What is known of each.
    pub known: Vec<Option<Known>>,
    /// Bytes of all that.
    pub held: usize,
}

/// What is known of a position in misere play.
#[derive(Debug)]
pub struct Known {
    /// Its genus.
    pub genus: Genus,
    /// Its tameness.
    pub tameness: Tameness,
    /// If it is not tame, what its tame options are worth in normal and in misere play.
    pub tame_options: Box<[(u32, u32)]>,
}

/// A misere quotient as far as it was asked for.
#[derive(Debug)]
pub struct MisereHeaps {
    /// Of the heaps so far.
    pub quotient: Quotient,
    /// Its proved period: then it is that of all heaps.
    pub period: Option<Period>,
    /// What may still be done for it.
    pub bounds: Bounds,
    /// No quotient of one heap more was found.
    pub ended: bool,
}

impl MisereHeaps {
    /// Of no heap yet.
    pub fn new(game: Game, bounds: Bounds) -> Self {
        MisereHeaps { quotient: Quotient::new(game), period: None, bounds, ended: false }
    }

    /// Bytes held, roughly.
    pub fn bytes(&self) -> usize {
        self.quotient.pairs() * 200 + 2 * self.quotient.monoid().order().pow(2)
    }
}

/// Questions about positions of one instance.
#[derive(Debug, Default)]
pub struct QueryHistory {
    /// How many.
    pub asked: u64,
    /// How many positions were opened one by one for them.
    pub opened: u64,
    /// How many positions were looked at to see whether a table is worth while, or what took as long.
    pub looked: u64,
    /// A table ahead of the questions is thought of when so much was done.
    pub next: u64,
    /// The greatest word of each field.
    pub most: Vec<i64>,
}

/// Whether the states of an instance fall apart into components.
#[derive(Debug)]
pub enum Split {
    /// Why they are searched whole.
    Not(String),
    /// Moves take things away.
    Deletion {
        /// All things that may be left, ascending.
        things: Arc<[Value]>,
        /// The moves, with what is known of components.
        game: Box<Deletion>,
    },
    /// Fields are independent.
    Fields {
        /// The state in which all blocks but one stand still; its constants are those of the values kept.
        base: Arc<[Value]>,
        /// Fields that no move changes.
        constants: Vec<usize>,
        /// The blocks.
        blocks: Vec<Block>,
    },
}

/// Fields that change independently of all others.
#[derive(Debug)]
pub struct Block {
    /// Which.
    pub fields: Vec<usize>,
    /// The field, a list or bag, whose members move alone: positions of the block have one member.
    pub members: Option<usize>,
    /// There is no other block, and positions with one member never have more.
    pub single: bool,
    /// The rules with the moves of these fields alone.
    pub rules: Program,
    /// Their code, for each instance that the moves lead to.
    pub code: HashMap<InstanceId, Arc<Code>>,
    /// Grundy values by component.
    pub values: HashMap<ComponentId, u32>,
}

impl Memo {
    /// The Grundy value of a component, if it is known.
    pub fn nimber(&self, id: ComponentId) -> Option<u32> {
        self.grundy.get(id.index()).copied().filter(|&g| g < OPEN)
    }

    /// Bytes held, roughly, but for what few components have.
    pub fn bytes(&self) -> usize {
        let tables: usize = self.tables.values().map(Table::bytes).sum();
        let solved: usize = self.solved.values().map(Solved::bytes).sum();
        let parts: usize = self.parts.values().map(PartFacts::bytes).sum();
        let split = |split: &Split| match split {
            Split::Not(why) => why.len(),
            Split::Deletion { game, .. } => game.bytes(),
            Split::Fields { blocks, .. } => blocks.iter().map(|b| b.values.capacity() * 9).sum(),
        };
        let splits: usize = self.splits.values().map(split).sum();
        let heaps: usize = self.sequences.values().map(|sequence| sequence.values().len() * 4).sum();
        let quotients: usize = self.quotients.values().map(MisereHeaps::bytes).sum();
        let genera: usize = self.genera.values().map(|genera| genera.held).sum();
        tables + solved + parts + splits + heaps + quotients + genera + self.sums.bytes() + self.grundy.capacity() * 8
    }

    /// Makes room for so many components.
    pub fn fit(&mut self, components: usize) {
        if self.grundy.len() < components {
            self.grundy.resize(components, UNKNOWN);
            self.remoteness.resize(components, UNKNOWN);
        }
    }
}

/// The components that were looked at, and the sums of them that were decided.
#[derive(Debug, Default)]
pub struct Sums {
    /// The components.
    pub parts: Parts,
    /// Decided positions: where who cannot move loses, and where he wins.
    pub tables: [SumTable; 2],
    /// Instances of which a play came back to a position.
    pub cyclic: HashSet<InstanceId>,
}

impl Sums {
    /// Bytes held in a moment, roughly: tables that are about to grow take two sizes at once.
    pub fn bytes_soon(&self) -> usize {
        self.parts.bytes() + self.tables.iter().map(SumTable::bytes_soon).sum::<usize>()
    }

    /// Bytes held, roughly.
    pub fn bytes(&self) -> usize {
        self.parts.bytes() + self.tables.iter().map(SumTable::bytes).sum::<usize>()
    }
}

/// Set in the header of an option that ends the play: the mover wins, loses, draws with 0, 1, 2; no components follow.
pub const STOP: u32 = 1 << 30;
/// An option: a header, then so many components. Set in the header when the mover has the next turn.
pub const AGAIN: u32 = 1 << 29;
/// The part of the header that counts components.
pub const LENGTH: u32 = AGAIN - 1;

/// What a component is to the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It has moves, and this number, from 1 on.
    Live(u32),
    /// It has no moves and says nothing more.
    Idle,
    /// The whole play is over: so for the player to move.
    Ended(Outcome),
}

#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) component: ComponentId,
    /// Options in the order of the rules, their headers as marks; empty when linked.
    pub(crate) raw: Box<[ComponentId]>,
    /// Options with numbers of this table: `words[start..end]`.
    pub(crate) options: Option<(usize, usize)>,
}

/// Components under small numbers, each with its options, worked out once and only when they are wanted.
#[derive(Debug, Default)]
pub struct Parts {
    /// By component.
    seen: Vec<Option<Seen>>,
    /// Part `n - 1` has number `n`.
    pub(crate) live: Vec<Part>,
    /// The header and the numbers of each option.
    pub(crate) words: Vec<u32>,
    /// Words in all raw options.
    pub(crate) raw: usize,
}

impl Parts {
    /// What is known of a component.
    pub fn seen(&self, component: ComponentId) -> Option<Seen> {
        *self.seen.get(component.index())?
    }

    pub(crate) fn put(&mut self, component: ComponentId, seen: Seen) {
        let at = component.index();
        if self.seen.len() <= at {
            self.seen.resize(at + 1, None);
        }
        self.seen[at] = Some(seen);
    }

    /// The component of a number.
    pub fn component(&self, number: u32) -> ComponentId {
        self.live[number as usize - 1].component
    }

    /// Bytes held, roughly.
    pub fn bytes(&self) -> usize {
        self.seen.capacity() * 8 + (self.raw + self.words.capacity()) * 4 + self.live.capacity() * 48
    }
}

/// A sum as bytes.
#[derive(Clone, Copy, Debug)]
pub enum Coded<'a> {
    /// Up to 16 bytes, the first lowest.
    Short(u128),
    /// More.
    Long(&'a [u8]),
}

/// Bytes of a place in a table.
const SLOT: usize = 25;
/// What the allocator takes beside a long key.
const ALLOCATED: usize = 16;

/// The bytes of a sum; `heap` holds them when they are many.
#[inline]
pub fn coded<'a>(sum: &[u32], heap: &'a mut Vec<u8>) -> Coded<'a> {
    let (mut short, mut shift) = (0u128, 0u32);
    for &number in sum {
        let mut rest = number;
        loop {
            if shift == 128 {
                return spilled(sum, heap);
            }
            if rest < 0x80 {
                short |= u128::from(rest) << shift;
                shift += 8;
                break;
            }
            short |= u128::from(rest & 0x7f | 0x80) << shift;
            shift += 8;
            rest >>= 7;
        }
    }
    Coded::Short(short)
}

#[cold]
fn spilled<'a>(sum: &[u32], heap: &'a mut Vec<u8>) -> Coded<'a> {
    heap.clear();
    for &number in sum {
        let mut rest = number;
        while rest >= 0x80 {
            heap.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        #[allow(clippy::cast_possible_truncation)] // less than 0x80
        heap.push(rest as u8);
    }
    Coded::Long(heap)
}

/// See the module. A sum that was never set has the word 0.
#[derive(Debug, Default)]
pub struct SumTable {
    /// By the halves of the key, which take less room than the whole.
    short: HashMap<(u64, u64), u32>,
    long: HashMap<Box<[u8]>, u32>,
    /// Bytes of long keys.
    heap: usize,
}

#[allow(clippy::cast_possible_truncation)] // the halves
fn halves(key: u128) -> (u64, u64) {
    (key as u64, (key >> 64) as u64)
}

impl SumTable {
    /// The word of a sum. Constant time but for the length of the sum.
    #[inline]
    pub fn get(&self, key: Coded<'_>) -> u32 {
        let word = match key {
            Coded::Short(key) => self.short.get(&halves(key)),
            Coded::Long(key) => self.long.get(key),
        };
        word.copied().unwrap_or(0)
    }

    /// Sets the word of a sum.
    #[inline]
    pub fn set(&mut self, key: Coded<'_>, word: u32) {
        match key {
            Coded::Short(key) => {
                self.short.insert(halves(key), word);
            }
            Coded::Long(key) => {
                if self.long.insert(key.into(), word).is_none() {
                    self.heap += key.len() + ALLOCATED;
                }
            }
        }
    }

    /// Bytes held in a moment, roughly: when a part is about to become twice as large, which takes both sizes.
    pub fn bytes_soon(&self) -> usize {
        /// Sums put between two looks, at most.
        const SOON: usize = 1 << 12;
        let full = |len: usize, capacity: usize, each: usize| {
            if len + SOON > capacity { 2 * capacity * each * 8 / 7 } else { 0 }
        };
        let short = full(self.short.len(), self.short.capacity(), SLOT);
        self.bytes() + short + full(self.long.len(), self.long.capacity(), SLOT)
    }

    /// Bytes held, roughly.
    pub fn bytes(&self) -> usize {
        (self.short.capacity() + self.long.capacity()) * SLOT * 8 / 7 + self.heap
    }
}
