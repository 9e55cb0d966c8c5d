//! What the engines remember of components, instances and sums between questions.
//!
//! Everything is found by the numbers that the store gives, and is forgotten with them. It stands above what runs
//! rules, which owns it, and below the engines, which fill it; nothing is worked out here.

mod sum_table;
pub mod sums;

use crate::bytecode::Code;
use crate::bytecode::InstanceId;
pub(crate) use crate::graph_search::solved::{Decided, Solved};
use crate::memo::sums::Sums;
use crate::model::GameId;
use crate::tables::{Kind, Table};
use crate::value::refusal::Refusal;
use crate::value::{Compound, Value};
use grundy_graphs::deletion::Deletion;
use grundy_heap::game::Game;
use grundy_heap::sequence::Sequence;
use hashbrown::HashMap;
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
    pub known: HashMap<u32, PartFact>,
    /// Components about which the rule says nothing, and why.
    pub refused: HashMap<u32, Arc<str>>,
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
    pub loopy: HashMap<u32, Loopy>,
    /// Whether it is proved from the rules that every play of a game ends.
    pub ending: HashMap<GameId, bool>,
    /// Decided positions by mode and sorted components.
    pub decided: HashMap<Mode, HashMap<Box<[u32]>, Decided>>,
    /// What is known of parts, by how they are played.
    pub parts: HashMap<Mode, PartFacts>,
    /// Sums decided depth first.
    pub sums: Sums,
    /// Tables of states by instance and kind.
    pub tables: HashMap<(InstanceId, Kind), Table>,
    /// Instances and kinds for which no table could be made, with the reason.
    pub table_refusals: HashMap<(InstanceId, Kind), Refusal>,
    /// Graphs of single instances with what was worked out on them, by instance and whether who cannot move wins.
    pub solved: HashMap<(InstanceId, bool), Solved>,
    /// Instances for which no such graph could be made, with the reason.
    pub graph_refusals: HashMap<InstanceId, Refusal>,
    /// What was asked of each instance.
    pub histories: HashMap<InstanceId, QueryHistory>,
    /// Scores by sorted components.
    pub scores: HashMap<Box<[u32]>, i64>,
    /// By instance: whether its states fall apart. None: not known yet.
    pub splits: HashMap<InstanceId, Split>,
    /// By instance: the code that its rules are, or why they are none. None: not known yet.
    pub heaps: HashMap<InstanceId, Result<Arc<Game>, String>>,
    /// The values of such codes.
    pub sequences: HashMap<Arc<Game>, Sequence>,
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
    /// The rules with the moves of these fields alone.
    pub code: Arc<Code>,
    /// Grundy values by component.
    pub values: HashMap<u32, u32>,
}

impl Memo {
    /// The Grundy value of a component, if it is known.
    #[must_use]
    pub fn nimber(&self, id: u32) -> Option<u32> {
        self.grundy.get(id as usize).copied().filter(|&g| g < OPEN)
    }

    /// Bytes held for states that fall apart, roughly.
    fn split_bytes(&self) -> usize {
        let of = |split: &Split| match split {
            Split::Not(why) => why.len(),
            Split::Deletion { game, .. } => game.bytes(),
            Split::Fields { blocks, .. } => blocks.iter().map(|b| b.values.capacity() * 9).sum(),
        };
        self.splits.values().map(of).sum()
    }

    /// Bytes held for the values of heaps, roughly.
    fn heap_bytes(&self) -> usize {
        self.sequences.values().map(|sequence| sequence.values().len() * 4).sum()
    }

    /// Bytes held, roughly, but for what few components have.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let dense: usize = self.tables.values().map(Table::bytes).sum();
        let solved: usize = self.solved.values().map(Solved::bytes).sum();
        let parts: usize = self.parts.values().map(PartFacts::bytes).sum();
        let sums = parts + self.sums.bytes() + self.split_bytes() + self.heap_bytes();
        dense + solved + self.grundy.capacity() * 8 + sums
    }

    /// Makes room for so many components.
    pub fn fit(&mut self, components: usize) {
        if self.grundy.len() < components {
            self.grundy.resize(components, UNKNOWN);
            self.remoteness.resize(components, UNKNOWN);
        }
    }
}
