//! What a run is given and what it has made so far, each part with an owner.
//!
//! [`Session`] is what the caller decides. [`CodeCache`], [`Store`], [`Globals`] and [`Memo`] are filled while questions are
//! answered; all of them are made anew by [`Context::forget`] when the rules need another form.
//!
//! Code on words is fast since it assumes that ints, sets and states fit. What does not fit neither wraps nor slows
//! down the usual case: it halts the run. The context then forgets all code, chooses the wider form, and the work runs
//! again from its beginning. It must therefore be repeatable: positions are made inside it. The limits of a trial count
//! positions, bytes and steps and not seconds, so that answers are the same on every machine.

mod globals;
mod instance;

use crate::analysis::named_texts::{NamedTexts, named_texts};
use crate::bytecode::lower::{CodeForm, LowerContext};
use crate::bytecode::{ByInstance, Code, DomainId, Instance, InstanceId, WordType};
use crate::disk::TablesDir;
use crate::input::data::DataFiles;
use crate::memo::Memo;
use crate::model::walk::clause_terms;
use crate::model::{Builtin, Clause, DefId, Drawing, GameId, GlobalId, Kind, Program, Slot, TermId};
use crate::processes::Crew;
use crate::source::{Diagnostic, Span};
use crate::store::Store;
use crate::tuning::{self, Trial};
use crate::value::domain::Domain;
use crate::value::limits::Limits;
use crate::value::refusal::Refusal;
use crate::value::{Deopt, Halt, Position, Run, Value, width};
pub(crate) use crate::vm::context::globals::Globals;
use crate::vm::def_memo::DefMemo;
use crate::vm::run::{Options, RunState};
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

/// Everything that answering questions about one program needs.
pub struct Context {
    /// The program, and who answers questions about positions.
    pub session: Session,
    /// The engines in force; [`Context::with_options`] changes them for a part of the work.
    pub options: EngineOptions,
    /// The limits in force; [`Context::under`] narrows them for a part of the work.
    pub limits: Limits,
    /// Compiled code.
    pub code: CodeCache,
    /// Instances of games and the states met.
    pub(crate) store: Store,
    /// What the engines remember.
    pub memo: Memo,
    /// Values at top level.
    pub globals: Globals,
    /// What running code uses up and uses again.
    pub(crate) run: RunState,
}

impl Context {
    /// A context for a program. `hook` answers questions of rules about positions.
    pub fn new(program: Arc<Program>, files: Arc<dyn DataFiles>, limits: Limits, hook: Hook) -> Self {
        Context {
            globals: Globals::new(&program, files),
            session: Session::new(program, hook),
            options: EngineOptions::default(),
            limits,
            code: CodeCache::default(),
            store: Store::default(),
            memo: Memo::default(),
            run: RunState::default(),
        }
    }

    /// Sets the given inputs, by input; lets that read inputs are forgotten.
    pub fn give(&mut self, given: Vec<Option<Value>>) {
        self.globals.give(&self.session.program, given);
    }

    /// Forgets everything about games: instances, components, code.
    pub fn forget(&mut self) {
        self.run.asked = None;
        self.store = Store::default();
        self.code.forget();
        self.memo = Memo::default();
    }

    /// Whether so many instances, domains or bytes are held that a long row of questions had better begin anew.
    pub fn is_crowded(&self) -> bool {
        /// Looking for one among more domains takes longer than making them again.
        const DOMAINS: usize = 500;
        /// Each instance holds code.
        const INSTANCES: usize = 10_000;
        self.store.domains.len() > DOMAINS
            || self.store.instances.iter().len() > INSTANCES
            || self.bytes() > self.limits.memory / 4
    }

    /// Bytes held by the tables of components and by instances, roughly.
    pub fn bytes(&self) -> usize {
        self.store.bytes() + self.code.held + self.memo.bytes()
    }
}

/// Answers a question word about a position: set by the layer that can solve.
pub type Hook = fn(&mut Context, Builtin, &Arc<Position>) -> Run<Value>;

/// Which positions an engine takes, where the rules allow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// None. For tests.
    Never,
    /// Those that are not quickly searched whole.
    Large,
    /// All. For tests.
    Always,
}

/// Which engines and fast forms may be used; every combination gives the same answers.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // each switches one thing, and all combinations make sense
pub struct EngineOptions {
    /// Everything runs on values: no packed words, masks or tables. For tests.
    pub plain: bool,
    /// Which positions are taken apart into components.
    pub split: Policy,
    /// Which heaps are answered by their codes, where the rules are one.
    pub heaps: Policy,
    /// Compounds, and sums in misere play, are answered by what is known of their parts where a rule tells; `false`: all are
    /// searched, for tests and for exhaustive answers.
    pub parts: bool,
    /// Sums are searched depth first where no play comes back to a position; `false`: all breadth first, for tests.
    pub deep: bool,
    /// Where only who wins is asked, a search leaves a position at the first move that wins.
    pub early: bool,
    /// `same as` lines replace nothing, for judging them. To be changed together with [`Context::forget`].
    pub ignore_same: bool,
    /// So many positions are searched one by one before native code and tables are thought of; 0: at once.
    pub trial: u64,
    /// Games whose plays come back may be worked out by all states of a box; `false`: by a graph of those that are reached.
    pub boxed: bool,
    /// Moves that take any number from the same fields are seen at once in tables of whole boxes, by records of the lines.
    pub lines: bool,
    /// States that differ in the order of fields which may change places are one in tables of those that are met.
    pub symmetric: bool,
    /// Fields whose values ascend in all states seen are one digit together in tables of whole boxes.
    pub chains: bool,
    /// Boxes in which a weighted sum of the fields goes down are filled in its order, where no order of the fields is seen.
    pub sums: bool,
    /// Boxes in which no order of the fields is seen are filled depth first; `false`: a table of the states that are met.
    pub in_depth: bool,
    /// Blocks have `2^block_bits` states; at most 16.
    pub block_bits: u32,
    /// Several processes share so many states and more; 0: tables that are filled in order, too.
    pub several: u64,
    /// Of which boxes only the states that are met have places in blocks: of large ones of which few are.
    pub spread: Policy,
    /// Questions of the file may be answered by theorems, as `solve` does; those of rules are searched all the same.
    pub theorems: bool,
    /// What is asked may be worked out by several processes, if there are some; not what rules ask.
    pub together: bool,
}

impl Default for EngineOptions {
    fn default() -> Self {
        EngineOptions {
            plain: false,
            split: Policy::Large,
            heaps: Policy::Large,
            parts: true,
            deep: true,
            early: true,
            ignore_same: false,
            trial: tuning::FIRST_SEARCH,
            boxed: true,
            lines: true,
            symmetric: true,
            chains: true,
            sums: true,
            in_depth: true,
            block_bits: 16,
            several: tuning::SEVERAL,
            spread: Policy::Large,
            theorems: false,
            together: true,
        }
    }
}

/// The program, and how questions about it are to be answered.
pub struct Session {
    /// The checked program.
    pub program: Arc<Program>,
    /// The solver.
    pub hook: Hook,
    /// The letters of the file's texts, and of boards, ascending.
    pub(crate) letters: Arc<[char]>,
    /// The fields whose texts the file names.
    named: NamedTexts,
    /// These texts.
    pub(crate) texts: Arc<[Value]>,
    /// Some game has `legal when` or `same as` lines.
    pub(crate) restricted: bool,
    /// Where tables are kept, if they are to outlive the run.
    pub tables: Option<Arc<TablesDir>>,
    /// The processes that answer together, if there are several.
    pub crew: Option<Arc<Crew>>,
}

impl Session {
    fn new(program: Arc<Program>, hook: Hook) -> Session {
        let mut letters = program.letters.clone();
        if program.games.iter().flat_map(|game| &game.fields).any(|field| matches!(field.kind, Kind::Grid)) {
            // Of free cells, which need not be written. Letters that are not met make boxes larger.
            letters.push('.');
            letters.sort_unstable();
            letters.dedup();
        }
        let named = named_texts(&program);
        Session {
            hook,
            tables: None,
            crew: None,
            letters: letters.into(),
            texts: named.texts.iter().map(|text| Value::text(text)).collect(),
            named,
            restricted: program.games.iter().any(|g| !g.legal.is_empty() || !g.same.is_empty()),
            program,
        }
    }
}

/// The code of one instance, each part made when it is first wanted.
#[derive(Default)]
pub(crate) struct InstanceCode {
    pub(crate) rules: Option<Arc<Code>>,
    /// The rules with `legal when` and `same as` in them, or why there is no such code.
    pub(crate) judged_rules: Option<Result<Arc<Code>, Refusal>>,
    /// Single moves with binders given, by line and whether with their targets; `None` where that cannot be.
    pub(crate) moves: HashMap<(usize, bool), Option<Arc<Code>>>,
}

/// What code was compiled from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CodeKey {
    Term(TermId),
    /// So many clauses, by the first term in them, about the fields of a component and the value of one more slot.
    Clauses(TermId, usize, Option<Slot>),
    Def(DefId),
    Ends,
    Legal,
    Same,
}

impl CodeKey {
    /// The key of clauses; `None` when there are none.
    pub(crate) fn clauses(clauses: &[Clause], given: Option<Slot>) -> Option<CodeKey> {
        Some(CodeKey::Clauses(clause_terms(clauses).next()?.id(), clauses.len(), given))
    }
}

/// Code by what it was compiled from, and the forms that were found too narrow for it.
#[derive(Default)]
pub struct CodeCache {
    /// Ints do not fit words: everything runs on values.
    pub wide: bool,
    /// Sets of numbers are values: some have members that no word for sets has.
    pub(crate) unmasked: bool,
    /// Games whose states do not fit packed words.
    pub(crate) unpacked: HashSet<GameId>,
    pub(crate) codes: HashMap<(CodeKey, Option<InstanceId>), Arc<Code>>,
    pub(crate) by_instance: ByInstance<InstanceCode>,
    /// Bytes held by the rules of instances, roughly.
    pub(crate) held: usize,
    pub(crate) def_memo: DefMemo,
    /// Graphs and grids that code draws, by the number it has for them.
    pub(crate) drawings: Vec<Arc<Drawing>>,
}

impl CodeCache {
    /// Forgets the code, but not the forms that do not fit.
    fn forget(&mut self) {
        self.codes.clear();
        self.by_instance = ByInstance::default();
        self.held = 0;
        self.def_memo.clear();
    }
}

impl Context {
    /// Does what a halt asks for so that the work can be tried again; the error when it cannot.
    pub fn recover(&mut self, halt: Halt) -> Result<(), Box<Diagnostic>> {
        match halt {
            Halt::Error(diagnostic) => return Err(diagnostic),
            Halt::Fault(fault) => return Err(Box::new(fault.bare())),
            Halt::Deopt(Deopt::IntOverflow) => self.code.wide = true,
            Halt::Deopt(Deopt::SetOverflow) => self.code.unmasked = true,
            Halt::Deopt(Deopt::StateOverflow(game)) => {
                self.code.unpacked.insert(game);
            }
        }
        self.forget();
        Ok(())
    }

    /// Runs `work` until it needs no other form of the rules.
    pub fn with_recovery<T>(&mut self, mut work: impl FnMut(&mut Context) -> Run<T>) -> Result<T, Box<Diagnostic>> {
        loop {
            self.globals.depth = 0;
            match work(self) {
                Ok(value) => return Ok(value),
                Err(halt) => self.recover(halt)?,
            }
        }
    }

    /// So many moves end a [`crate::vm::context::EngineOptions::trial`] too.
    pub(crate) fn trial_moves(&self) -> u64 {
        self.options.trial.saturating_mul(tuning::FIRST_MOVES)
    }

    /// Runs `work` under other limits. Those that were in force before are so again behind it, however it ends.
    pub fn under<T>(&mut self, change: impl FnOnce(&mut Limits), work: impl FnOnce(&mut Context) -> T) -> T {
        let outer = self.limits.clone();
        change(&mut self.limits);
        let result = work(self);
        self.limits = outer;
        result
    }

    /// The processes that work out together what is asked, if there are several.
    pub fn crew(&self) -> Option<&Arc<Crew>> {
        self.session.crew.as_ref().filter(|_| self.options.together)
    }

    /// Runs `work` with these options. Those that were in force before are so again behind it, however it ends.
    pub fn with_options<T>(&mut self, options: EngineOptions, work: impl FnOnce(&mut Context) -> T) -> T {
        let outer = std::mem::replace(&mut self.options, options);
        let result = work(self);
        self.options = outer;
        result
    }

    /// Runs `work` under the limits of a trial, where they are narrower than those in force.
    pub fn within_trial<T>(&mut self, trial: Trial, work: impl FnOnce(&mut Context) -> Run<T>) -> Run<T> {
        let memory = self.bytes() + trial.bytes;
        let steps = self.run.fuel.saturating_add(trial.steps);
        let met = width::index(trial.positions.saturating_mul(tuning::MET));
        let met = self.store.len().saturating_add(met);
        let narrow = |limits: &mut Limits| {
            limits.positions = Some(limits.positions.map_or(trial.positions, |p| p.min(trial.positions)));
            limits.memory = limits.memory.min(memory);
            limits.steps = Some(limits.steps.map_or(steps, |s| s.min(steps)));
            limits.components = Some(limits.components.map_or(met, |c| c.min(met)));
        };
        self.under(narrow, work)
    }

    /// Whether the user's own limits of time are reached, or the user wants the work to end.
    pub fn limits_reached(&self) -> bool {
        self.limits.check_clock().is_err()
    }
}

impl LowerContext for Context {
    fn code_form(&self) -> CodeForm {
        let options = &self.options;
        CodeForm {
            plain: options.plain,
            wide: self.code.wide,
            ignore_same: options.ignore_same,
            masked: !self.code.unmasked,
        }
    }

    fn domain(&self, id: DomainId) -> &Domain {
        self.store.domains.get(id)
    }

    fn domain_id(&mut self, domain: &Domain) -> Option<DomainId> {
        if self.options.plain { None } else { self.store.domains.number(domain) }
    }

    fn letter_domain(&mut self) -> Option<DomainId> {
        self.domain_id(&Domain::Letters(self.session.letters.clone()))
    }

    fn text_domain(&mut self) -> Option<DomainId> {
        let texts = self.session.texts.clone();
        if texts.is_empty() { None } else { self.domain_id(&Domain::Texts(texts)) }
    }

    fn has_named_texts(&self, game: GameId, field: usize) -> bool {
        self.session.named.is_field(game, field)
    }

    fn instance_at(&self, id: InstanceId) -> &Instance {
        &self.store.instances[id]
    }

    fn instance_of(&mut self, game: GameId, given: Vec<Option<Value>>) -> Run<InstanceId> {
        let params = self.enter_params(game, given)?;
        self.instance(game, params)
    }

    fn instance_of_lengths(&mut self, base: InstanceId, lengths: &[u32]) -> InstanceId {
        self.shaped_instance(base, lengths)
    }

    fn field_word_type(&mut self, kind: &Kind, params: &[Value]) -> Option<WordType> {
        self.word_type_of(kind, params)
    }

    fn run_quietly(&mut self, code: &Arc<Code>, input: Option<&Value>) -> Run<Value> {
        self.execute(code, &mut Options::default(), |_, regs| {
            if let Some(input) = input {
                regs.values[1] = input.clone();
            }
            Ok(())
        })
    }

    fn global_value(&mut self, global: GlobalId) -> Option<Value> {
        if self.session.program.globals[global.0].reads_input { None } else { self.global(global).ok() }
    }

    fn drawing(&mut self, drawing: &Arc<Drawing>, span: Span) -> Run<Value> {
        self.drawn(drawing, span)
    }

    fn drawing_code(&mut self, drawing: &Arc<Drawing>) -> u16 {
        let drawings = &mut self.code.drawings;
        let known = drawings.iter().position(|known| Arc::ptr_eq(known, drawing));
        let at = known.unwrap_or(drawings.len());
        if known.is_none() && at < usize::from(u16::MAX) {
            drawings.push(drawing.clone());
        }
        // Beyond the last one: E18 when it is drawn.
        u16::try_from(at).unwrap_or(u16::MAX)
    }
}

/// What is left to be tried.
#[derive(Clone, Copy, Debug, Default)]
pub enum TrialBudget {
    /// There is one question only: everything.
    #[default]
    Single,
    /// So many words looked at.
    Left(i64),
    /// A theorem of the file was seen to be wrong: everything, however long it takes.
    Distrust,
}

impl Context {
    /// Another case comes: from the first one on trials are on credit.
    pub fn next_case(&mut self) {
        self.run.trial_budget = match self.run.trial_budget {
            TrialBudget::Single => TrialBudget::Left(tuning::CREDIT),
            TrialBudget::Left(left) => TrialBudget::Left(tuning::CREDIT.min(left.saturating_add(tuning::CREDIT_CASE))),
            TrialBudget::Distrust => TrialBudget::Distrust,
        };
    }

    /// Tries something, if there is credit left for it; what it takes is charged.
    pub(crate) fn within_budget<T>(&mut self, work: impl FnOnce(&mut Context) -> T) -> Option<T> {
        if matches!(self.run.trial_budget, TrialBudget::Left(..0)) {
            return None;
        }
        let (steps, components) = (self.run.fuel, self.store.len());
        let done = work(self);
        // Components may have been forgotten on the way.
        let met = width::int(self.store.len().saturating_sub(components));
        let steps = width::int(self.run.fuel.wrapping_sub(steps));
        let words = steps.saturating_mul(tuning::COST_STEP).saturating_add(met.saturating_mul(tuning::COST_COMPONENT));
        self.charge(words.saturating_add(tuning::COST_TRIAL));
        Some(done)
    }

    pub(crate) fn charge(&mut self, words: i64) {
        if let TrialBudget::Left(left) = &mut self.run.trial_budget {
            *left = left.saturating_sub(words);
        }
    }
}
