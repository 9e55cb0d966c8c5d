//! The machine: instances of games, components with numbers, compiled code, values of lets; everything that lives as
//! long as one run does.

mod components;
mod domains;
mod entering;
mod globals;
mod instance;
mod recovery;

use crate::bytecode::Code;
use crate::engines::memo::Memo;
use crate::graph_search::solved::Solved;
use crate::input::data::DataFiles;
use crate::model::builtin::Builtin;
use crate::model::{DefId, Drawing, GameId, Program};
pub use crate::value::domain::Domain;
use crate::value::fault::Run;
use crate::value::limits::Limits;
use crate::value::{Position, Value};
use crate::vm::credit::Credit;
pub use crate::vm::machine::instance::Instance;
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

/// What the solver does with a question word about a position: set by the layer that can solve.
pub type Hook = fn(&mut Machine, Builtin, &Arc<Position>) -> Run<Value>;

/// Results of definitions by definition and instance, then by arguments.
pub(crate) type DefMemo = HashMap<(DefId, usize), HashMap<Box<[Value]>, Value>>;

/// Which positions are taken apart into components, or answered as heaps, where the rules allow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Splitting {
    /// None: everything is searched whole. For tests.
    Never,
    /// Those that are not quickly searched whole.
    Large,
    /// All. For tests.
    Always,
}

/// See the module.
#[allow(clippy::struct_excessive_bools)] // each switches one thing, and all combinations make sense
pub struct Machine {
    /// The checked program.
    pub program: Arc<Program>,
    /// Ints do not fit words: everything runs on values.
    pub wide: bool,
    /// Sets of numbers are values: some have members that no word for sets has.
    pub(crate) unmasked: bool,
    /// Games whose states do not fit packed words.
    pub unpacked: HashSet<GameId>,
    /// Fast forms switched off, for tests: everything on values.
    pub plain: bool,
    /// Which positions are taken apart into components.
    pub split: Splitting,
    /// Which heaps are answered by their codes, where the rules are one.
    pub heaps: Splitting,
    /// Compounds, and sums in misere play, are answered by what is known of their parts where a rule tells; `false`: all are
    /// searched, for tests and for exhaustive answers.
    pub parts: bool,
    /// Sums are searched depth first where no play comes back to a position; `false`: all breadth first, for tests.
    pub deep: bool,
    /// `same as` lines replace nothing, for judging them. To be changed together with [`Machine::forget`].
    pub ignore_same: bool,
    /// So many positions are searched one by one before native code and tables are thought of; 0: at once.
    pub trial: u64,
    /// Graphs of states may be those of whole boxes, whose moves are taken back by changes of the rank.
    pub boxed: bool,
    /// States that differ in the order of fields which may change places are one in tables of those that are met.
    pub symmetric: bool,
    /// Limits of the run.
    pub limits: Limits,
    /// What the solver remembers.
    pub memo: Memo,
    /// The solver.
    pub hook: Hook,
    pub(crate) domains: Vec<Domain>,
    pub(crate) instances: Vec<Instance>,
    by_params: HashMap<(GameId, Arc<[Value]>), usize>,
    /// For each component: its instance.
    pub(crate) instance_of: Vec<u32>,
    /// For each component: its packed state, or its number in the instance's store.
    pub(crate) keys: Vec<u64>,
    /// What `same as` makes of a component; `u32::MAX`: not known.
    pub(crate) replaced: HashMap<u32, u32>,
    pub(crate) legal_memo: HashMap<u32, bool>,
    given: Vec<Option<Value>>,
    pub(super) globals: Vec<Option<Value>>,
    pub(crate) depth: usize,
    /// The letters of the file's texts, ascending.
    pub(crate) letters: Arc<[char]>,
    drawings: Vec<Arc<Drawing>>,
    drawn: HashMap<usize, Value>,
    files: Arc<dyn DataFiles>,
    pub(crate) codes: HashMap<(usize, usize), Arc<Code>>,
    pub(crate) def_memo: DefMemo,
    pub(crate) pool: Vec<crate::vm::run::Registers>,
    pub(crate) serial: i64,
    pub(crate) limits_fuel: u64,
    /// What is left for searches beside theorems.
    pub(crate) credit: Credit,
    /// Bytes that instances hold with their rule parameters and code.
    pub(crate) held: usize,
    /// Places of the boxes in which instances keep their states.
    pub(crate) boxes: u64,
    /// Bytes of new components since the memory limit was last looked at.
    pub(crate) grown: usize,
    /// Some game has `legal when` or `same as` lines.
    pub(crate) restricted: bool,
    /// How far `nat` runs in this sweep.
    pub nat_limit: i64,
}

/// The usual [`Machine::trial`]: some milliseconds.
const TRIAL: u64 = 4096;
/// Moves for each position of a [`Machine::trial`].
const TRIAL_MOVES: u64 = 64;

/// "No instance" in code keys.
pub(crate) const NO_INSTANCE: usize = usize::MAX;

impl Machine {
    /// A machine for a program. `given` are the values of the inputs that were given, by input.
    pub fn new(program: Arc<Program>, files: Arc<dyn DataFiles>, limits: Limits, hook: Hook) -> Self {
        let globals = vec![None; program.globals.len()];
        let given = vec![None; program.inputs.len()];
        let restricted = program.games.iter().any(|g| !g.legal.is_empty() || !g.same.is_empty());
        let letters = program.letters.as_slice().into();
        Machine {
            program,
            wide: false,
            unmasked: false,
            unpacked: HashSet::new(),
            plain: false,
            split: Splitting::Large,
            heaps: Splitting::Large,
            parts: true,
            deep: true,
            ignore_same: false,
            trial: TRIAL,
            boxed: true,
            symmetric: true,
            limits,
            memo: Memo::default(),
            hook,
            domains: Vec::new(),
            instances: Vec::new(),
            by_params: HashMap::new(),
            instance_of: Vec::new(),
            keys: Vec::new(),
            replaced: HashMap::new(),
            legal_memo: HashMap::new(),
            given,
            globals,
            depth: 0,
            letters,
            drawings: Vec::new(),
            drawn: HashMap::new(),
            files,
            codes: HashMap::new(),
            def_memo: HashMap::new(),
            pool: Vec::new(),
            serial: 0,
            limits_fuel: 0,
            credit: Credit::default(),
            held: 0,
            boxes: 0,
            grown: 0,
            restricted,
            nat_limit: 0,
        }
    }

    /// Sets the given inputs; lets that read inputs are forgotten.
    pub fn give(&mut self, given: Vec<Option<Value>>) {
        self.given = given;
        for (i, global) in self.program.globals.iter().enumerate() {
            if global.reads_input {
                self.globals[i] = None;
            }
        }
    }

    /// Forgets everything about games: instances, components, code.
    pub fn forget(&mut self) {
        self.domains.clear();
        self.instances.clear();
        self.boxes = 0;
        self.held = 0;
        self.by_params.clear();
        self.instance_of.clear();
        self.keys.clear();
        self.replaced.clear();
        self.legal_memo.clear();
        self.codes.clear();
        self.def_memo.clear();
        self.memo = Memo::default();
    }

    /// Whether so many instances, domains or bytes are held that a long row of questions had better begin anew.
    pub fn is_crowded(&self) -> bool {
        /// Looking for one among more domains takes longer than making them again.
        const DOMAINS: usize = 500;
        /// Each instance holds code.
        const INSTANCES: usize = 10_000;
        self.domains.len() > DOMAINS || self.instances.len() > INSTANCES || self.bytes() > self.limits.memory / 4
    }

    /// Bytes held by the tables of components and by instances, roughly.
    pub fn bytes(&self) -> usize {
        let stores: usize = self.instances.iter().map(|i| i.store.bytes()).sum();
        let dense: usize = self.memo.tables.values().map(crate::tables::Table::bytes).sum();
        let solved: usize = self.memo.solved.values().map(Solved::bytes).sum();
        let parts: usize = self.memo.parts.values().map(crate::engines::memo::PartFacts::bytes).sum();
        let sums = parts + self.memo.sums.bytes() + self.memo.split_bytes() + self.memo.heap_bytes();
        self.held + stores + dense + solved + self.keys.capacity() * 12 + self.memo.grundy.capacity() * 8 + sums
    }
}
