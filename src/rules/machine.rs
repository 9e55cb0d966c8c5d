//! The machine: instances of games, components with numbers, compiled code, values of lets; everything that lives as
//! long as one run does.

use crate::check::builtin::Builtin;
use crate::check::kind::Kind;
use crate::check::model::{Def, DefId, Drawing, GameId, GlobalId, GlobalSource, Program, TermKind};
use crate::check::walk::{each_term, named_graph};
use crate::diagnostic::Diagnostic;
use crate::rules::code::{Code, DomainId, Rep};
use crate::rules::data::{self, DataFiles};
pub use crate::rules::domain::Domain;
use crate::rules::entry;
use crate::rules::fault::{Fault, Halt, Run};
use crate::rules::form::Form;
use crate::rules::limits::{Limits, Trial};
use crate::rules::lower;
use crate::rules::memo::Memo;
use crate::rules::solved::Solved;
use crate::rules::store::Store;
use crate::rules::value::graph::Graph;
use crate::rules::value::{Component, Position, Value};
use crate::text::Span;
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

/// What the solver does with a question word about a position: set by the layer that can solve.
pub type Hook = fn(&mut Machine, Builtin, &Arc<Position>) -> Run<Value>;

/// A game with its rule parameters, and with the lengths of the lists and texts in its state where these lie in words:
/// compiled on its own.
#[derive(Debug)]
pub struct Instance {
    /// The game.
    pub game: GameId,
    /// The rule parameters.
    pub params: Arc<[Value]>,
    /// The form of each word of the state, or of each field; `None`: a value.
    pub reps: Arc<[Option<Rep>]>,
    /// How each field lies in them.
    pub(crate) forms: Arc<[Form]>,
    /// The instance for states of any lengths: itself unless this one is for certain lengths.
    pub(crate) base: usize,
    /// Whether states are looked up by their lengths first.
    pub(crate) splits: bool,
    /// Of a base: the instances by lengths.
    pub(crate) shapes: HashMap<Box<[u32]>, usize>,
    /// The states met so far.
    pub store: Store,
    pub(crate) rules: Option<Arc<Code>>,
    /// The same with `legal when` and `same as` in it, or why there is no such code.
    pub(crate) judged_rules: Option<Result<Arc<Code>, &'static str>>,
    /// Single moves with binders given, by line and whether with their targets; `None` where that cannot be.
    pub(crate) given: HashMap<(usize, bool), Option<Arc<Code>>>,
    pub(crate) ends: Option<Arc<Code>>,
    pub(crate) legal: Option<Arc<Code>>,
    pub(crate) same: Option<Arc<Code>>,
}

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
    /// Games whose states do not fit packed words.
    pub unpacked: HashSet<GameId>,
    /// Fast forms switched off, for tests: everything on values.
    pub plain: bool,
    /// Which positions are taken apart into components.
    pub split: Splitting,
    /// Which heaps are answered by their codes, where the rules are one.
    pub heaps: Splitting,
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
    pub(crate) pool: Vec<crate::rules::run::Registers>,
    pub(crate) serial: i64,
    pub(crate) limits_fuel: u64,
    /// Some game has `legal when` or `same as` lines.
    pub(crate) restricted: bool,
    /// How far `nat` runs in this sweep.
    pub nat_limit: i64,
}

/// The usual [`Machine::trial`]: some milliseconds.
const TRIAL: u64 = 4096;

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
            unpacked: HashSet::new(),
            plain: false,
            split: Splitting::Large,
            heaps: Splitting::Large,
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

    /// Does what a halt asks for so that the work can be tried again; the error when it cannot.
    pub fn recover(&mut self, halt: Halt) -> Result<(), Box<Diagnostic>> {
        match halt {
            Halt::Error(diagnostic) => return Err(diagnostic),
            Halt::Fault(fault) => return Err(Box::new(fault.bare())),
            Halt::Wide => self.wide = true,
            Halt::Unpack(game) => {
                self.unpacked.insert(game);
            }
        }
        self.forget();
        Ok(())
    }

    /// Runs `work` until it needs no other form of the rules.
    pub fn with_recovery<T>(&mut self, mut work: impl FnMut(&mut Machine) -> Run<T>) -> Result<T, Box<Diagnostic>> {
        loop {
            self.depth = 0;
            match work(self) {
                Ok(value) => return Ok(value),
                Err(halt) => self.recover(halt)?,
            }
        }
    }

    // ---- domains

    pub(crate) fn domain(&self, id: DomainId) -> &Domain {
        &self.domains[usize::from(id.0)]
    }

    /// The number of a domain; `None` when a mask of edges would not fit or there are too many domains.
    pub(crate) fn domain_id(&mut self, domain: &Domain) -> Option<DomainId> {
        if self.plain {
            return None;
        }
        if let Domain::Edges(graph) = domain
            && (graph.edges.len() > 64 || !graph.edges.are_numbered())
        {
            return None;
        }
        // Most recent first: code asks for the domains of its own instance.
        if let Some(at) = self.domains.iter().rposition(|d| d.same(domain)) {
            return u16::try_from(at).ok().map(DomainId);
        }
        let id = u16::try_from(self.domains.len()).ok()?;
        self.domains.push(domain.clone());
        Some(DomainId(id))
    }

    // ---- values at top level

    pub(crate) fn global_is_plain(&self, global: GlobalId) -> bool {
        !self.program.globals[global.0].reads_input
    }

    /// A let's value for lowering: only of lets that read no input, and only when evaluating it succeeds.
    pub(crate) fn global_value(&mut self, global: GlobalId) -> Option<Value> {
        if !self.global_is_plain(global) {
            return None;
        }
        self.global(global).ok()
    }

    /// The value of a let or input, evaluated once.
    pub fn global(&mut self, id: GlobalId) -> Run<Value> {
        if let Some(value) = &self.globals[id.0] {
            return Ok(value.clone());
        }
        let program = self.program.clone();
        let global = &program.globals[id.0];
        self.depth += 1;
        if self.depth > 500 {
            return Err(Halt::at(global.span, Fault::new("E18", "lets are nested more than 500 deep")));
        }
        let value = match &global.source {
            GlobalSource::Let(body) => self.eval(&body.frame, &body.term)?,
            GlobalSource::Input(index) => {
                let input = &program.inputs[*index];
                let value = match (&self.given[*index], &input.default) {
                    (Some(value), _) => value.clone(),
                    (None, Some(default)) => self.eval(&default.frame, &default.term)?,
                    (None, None) => {
                        let message = format!("input `{}` has no value and no default", input.name);
                        let hint = format!("give it: `{}=...`", input.name);
                        return Err(Diagnostic::new("D01", input.span, message).hint(hint).into());
                    }
                };
                self.enter_input(value, &input.kind, input.span, &input.name)?
            }
        };
        self.depth -= 1;
        self.globals[id.0] = Some(value.clone());
        Ok(value)
    }

    fn enter_input(&mut self, value: Value, kind: &Kind, span: Span, name: &str) -> Run<Value> {
        let entered = entry::enter(value, kind, &mut |term| match &named_graph(term).kind {
            TermKind::Global(global) => self.global(*global).map_err(Halt::into_fault),
            _ => Err(Fault::new("E03", "this graph is not known here")),
        });
        entered.map_err(|mut fault| {
            fault.message = format!("input `{name}`: {}", fault.message);
            Halt::at(span, fault)
        })
    }

    /// The letters of the file's texts as numbers.
    pub(crate) fn letter_domain(&mut self) -> Option<DomainId> {
        let letters = self.letters.clone();
        self.domain_id(&Domain::Letters(letters))
    }

    /// A graph or grid drawn or read.
    pub(crate) fn drawing(&mut self, drawing: &Arc<Drawing>, span: Span) -> Run<Value> {
        let key = Arc::as_ptr(drawing) as usize;
        if let Some(value) = self.drawn.get(&key) {
            return Ok(value.clone());
        }
        let value = data::draw(drawing, &*self.files, span.source).map_err(|fault| Halt::at(span, fault))?;
        self.drawn.insert(key, value.clone());
        Ok(value)
    }

    pub(crate) fn drawing_code(&mut self, drawing: &Arc<Drawing>) -> u16 {
        self.drawings.push(drawing.clone());
        u16::try_from(self.drawings.len() - 1).unwrap_or(u16::MAX)
    }

    pub(crate) fn drawing_of(&self, index: u16) -> Option<Arc<Drawing>> {
        self.drawings.get(usize::from(index)).cloned()
    }

    /// Whether a def asks questions about positions, directly or through others.
    pub(crate) fn def_asks(&self, def: &Def) -> bool {
        let mut seen = HashSet::new();
        let mut todo = vec![def];
        while let Some(next) = todo.pop() {
            let mut asks = false;
            let lazies = next.frame.slots.iter().filter_map(|s| s.lazy.as_deref());
            for term in next.body.iter().chain(lazies) {
                each_term(term, &mut |t| match &t.kind {
                    TermKind::Builtin(word, _) if word.is_question() || word.is_compound() => asks = true,
                    TermKind::Place(_) => asks = true,
                    TermKind::Global(global) => asks |= !self.global_is_plain(*global),
                    TermKind::Call(id, _) if seen.insert(*id) => todo.push(&self.program.defs[id.0]),
                    _ => {}
                });
            }
            if asks {
                return true;
            }
        }
        false
    }

    // ---- instances and components

    /// The instance of a game with these rule parameters, entered and completed with defaults.
    pub fn instance_of(&mut self, game: GameId, given: Vec<Option<Value>>) -> Run<usize> {
        let params = self.enter_params(game, given)?;
        Ok(self.instance(game, params))
    }

    /// Rule parameters checked and completed.
    pub(crate) fn enter_params(&mut self, game: GameId, given: Vec<Option<Value>>) -> Run<Arc<[Value]>> {
        let program = self.program.clone();
        let decls = &program.games[game.0].params;
        let mut values: Vec<Value> = Vec::with_capacity(decls.len());
        for (i, value) in (0..decls.len()).zip(given.into_iter().chain(std::iter::repeat(None))) {
            let value = self.enter_decl(&program, game, i, value, &values)?;
            values.push(value);
        }
        Ok(values.into())
    }

    /// Fields checked and completed; then the header's `where`.
    pub(crate) fn enter_state(
        &mut self,
        game: GameId,
        params: &Arc<[Value]>,
        given: Vec<Option<Value>>,
    ) -> Run<Arc<[Value]>> {
        let program = self.program.clone();
        let decls = &program.games[game.0].fields;
        let mut values: Vec<Value> = params.to_vec();
        for (i, value) in (0..decls.len()).zip(given.into_iter().chain(std::iter::repeat(None))) {
            let value = self.enter_decl(&program, game, params.len() + i, value, &values)?;
            values.push(value);
        }
        Ok(values[params.len()..].into())
    }

    fn enter_decl(
        &mut self,
        program: &Program,
        game: GameId,
        slot: usize,
        value: Option<Value>,
        before: &[Value],
    ) -> Run<Value> {
        let game = &program.games[game.0];
        let field = if slot < game.params.len() { &game.params[slot] } else { &game.fields[slot - game.params.len()] };
        let value = match (value, &field.default) {
            (Some(value), _) => value,
            (None, Some(default)) => {
                let known: Vec<_> = before.iter().cloned().enumerate().collect();
                self.eval_once(&game.frame, None, &known, default)?
            }
            (None, None) => {
                let message = format!("`{}` of `{}` has no value", field.name, game.name);
                return Err(Diagnostic::new("E05", field.span, message).into());
            }
        };
        let entered = entry::enter(value, &field.kind, &mut |term| match &named_graph(term).kind {
            TermKind::Slot(slot) => {
                before.get(*slot).cloned().ok_or_else(|| Fault::new("E03", "this graph is not known here"))
            }
            TermKind::Global(global) => self.global(*global).map_err(Halt::into_fault),
            _ => Err(Fault::new("E03", "this graph is not known here")),
        });
        entered.map_err(|mut fault| {
            fault.message = format!("`{}` of `{}`: {}", field.name, game.name, fault.message);
            Halt::Fault(fault)
        })
    }

    /// The instance with these entered parameters.
    pub(crate) fn instance(&mut self, game: GameId, params: Arc<[Value]>) -> usize {
        if let Some(&at) = self.by_params.get(&(game, params.clone())) {
            return at;
        }
        let program = self.program.clone();
        let decls = &program.games[game.0].fields;
        let reps: Vec<Option<Rep>> = decls.iter().map(|field| self.field_rep(&field.kind, &params)).collect();
        let whole = reps.iter().zip(decls).all(|(rep, f)| rep.is_some() || self.is_splittable(&f.kind, &params));
        let splits = whole && reps.contains(&None);
        let signed: Vec<bool> = decls.iter().map(|field| matches!(field.kind, Kind::Int)).collect();
        let packed = !self.plain && !self.unpacked.contains(&game);
        let store = Store::new(self, &reps, &signed, packed);
        let forms = reps.iter().map(|rep| rep.map_or(Form::Value, Form::Word)).collect();
        let at = self.instances.len();
        self.instances.push(Instance {
            game,
            params: params.clone(),
            reps: reps.into(),
            forms,
            base: at,
            splits,
            shapes: HashMap::new(),
            store,
            rules: None,
            judged_rules: None,
            given: HashMap::new(),
            ends: None,
            legal: None,
            same: None,
        });
        self.by_params.insert((game, params), at);
        at
    }

    /// One more instance of a base: its states are all words.
    pub(crate) fn push_instance(
        &mut self,
        game: GameId,
        params: Arc<[Value]>,
        forms: Vec<Form>,
        words: &[(Rep, bool)],
        base: usize,
    ) -> usize {
        let reps: Vec<Option<Rep>> = words.iter().map(|(rep, _)| Some(*rep)).collect();
        let signed: Vec<bool> = words.iter().map(|(_, signed)| *signed).collect();
        let store = Store::new(self, &reps, &signed, !self.unpacked.contains(&game));
        self.instances.push(Instance {
            game,
            params,
            reps: reps.into(),
            forms: forms.into(),
            base,
            splits: false,
            shapes: HashMap::new(),
            store,
            rules: None,
            judged_rules: None,
            given: HashMap::new(),
            ends: None,
            legal: None,
            same: None,
        });
        self.instances.len() - 1
    }

    /// The form in which components keep a field.
    pub(crate) fn field_rep(&mut self, kind: &Kind, params: &[Value]) -> Option<Rep> {
        let graph = |term: &Option<Box<crate::check::model::Term>>| match term.as_ref().map(|t| &named_graph(t).kind) {
            Some(TermKind::Slot(slot)) => match params.get(*slot) {
                Some(Value::Graph(graph)) => Some(graph.clone()),
                Some(Value::Grid(grid)) => Some(grid.graph().clone()),
                _ => None,
            },
            _ => None,
        };
        match kind {
            _ if self.plain => None,
            Kind::Int | Kind::Nat => (!self.wide).then_some(Rep::Int),
            Kind::Bool => Some(Rep::Bool),
            Kind::Vertex(of) => {
                let graph = graph(of)?;
                self.whole_domain(&graph).map(Rep::Member)
            }
            Kind::Edge(of) => {
                let graph = graph(of)?;
                self.domain_id(&Domain::Edges(graph)).map(Rep::Member)
            }
            Kind::Set(of) => match &**of {
                Kind::Vertex(of) => {
                    let graph = graph(of)?;
                    if graph.labels.len() > 64 {
                        return None;
                    }
                    self.whole_domain(&graph).map(Rep::Mask)
                }
                Kind::Edge(of) => {
                    let graph = graph(of)?;
                    self.domain_id(&Domain::Edges(graph)).map(Rep::Mask)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn whole_domain(&mut self, graph: &Arc<Graph>) -> Option<DomainId> {
        if graph.vertices.len() != graph.labels.len() {
            return None;
        }
        self.domain_id(&Domain::Vertices(graph.labels.clone()))
    }

    /// A position of one game as a component: everything checked.
    pub(crate) fn place(&mut self, game: GameId, params: Arc<[Value]>, given: Vec<Option<Value>>) -> Run<Component> {
        let state = self.enter_state(game, &params, given)?;
        let program = self.program.clone();
        if program.games[game.0].filter.is_some() {
            let component = Component { game, params: params.clone(), state: state.clone(), tag: None };
            if !self.in_domain(&component)? {
                let shown = self.component_text(&component);
                let message = format!("{shown} is outside the domain of `{}`", program.games[game.0].name);
                return Err(Halt::Fault(Fault::new("R01", message)));
            }
        }
        Ok(Component { game, params, state, tag: None })
    }

    /// Whether the header's `where` admits a state.
    pub fn in_domain(&mut self, component: &Component) -> Run<bool> {
        let program = self.program.clone();
        let Some(filter) = &program.games[component.game.0].filter else { return Ok(true) };
        let instance = self.instance(component.game, component.params.clone());
        let value = self.eval_in_game(instance, filter, &component.state)?;
        Ok(matches!(value, Value::Bool(true)))
    }

    /// The number of a component.
    pub fn component(&mut self, component: &Component) -> Run<u32> {
        let base = self.instance(component.game, component.params.clone());
        let instance = self.instance_of_state(base, &component.state);
        self.intern_state(instance, &component.state)
    }

    /// How many components have a number.
    pub fn components(&self) -> usize {
        self.keys.len()
    }

    /// The component of a number.
    pub fn component_value(&self, id: u32) -> Component {
        let instance = &self.instances[self.instance_of[id as usize] as usize];
        let state = self.state_values(id);
        Component { game: instance.game, params: instance.params.clone(), state, tag: None }
    }

    /// The members of collections, vertices and edges in the rule parameters and fields of a component.
    pub fn breadth(&self, id: u32) -> u64 {
        let component = self.component_value(id);
        component.params.iter().chain(component.state.iter()).map(Value::breadth).sum()
    }

    /// Bytes held by the tables of components, roughly.
    pub fn bytes(&self) -> usize {
        let stores: usize = self.instances.iter().map(|i| i.store.bytes()).sum();
        let dense: usize = self.memo.tables.values().map(crate::rules::native::Table::bytes).sum();
        let solved: usize = self.memo.solved.values().map(Solved::bytes).sum();
        let sums = self.memo.sums.bytes() + self.memo.split_bytes() + self.memo.heap_bytes();
        stores + dense + solved + self.keys.capacity() * 12 + self.memo.grundy.capacity() * 8 + sums
    }

    /// The game of a component.
    pub fn game_of(&self, id: u32) -> GameId {
        self.instances[self.instance_of[id as usize] as usize].game
    }

    /// Runs `work` under the limits of a trial, where they are narrower than those of the run.
    pub fn within_trial<T>(&mut self, trial: Trial, work: impl FnOnce(&mut Machine) -> Run<T>) -> Run<T> {
        /// So many components may be met for each position that may be searched.
        const MET: u64 = 4;
        let whole = self.limits.clone();
        let base = self.bytes();
        self.limits.positions = Some(whole.positions.map_or(trial.positions, |p| p.min(trial.positions)));
        self.limits.memory = whole.memory.min(base + trial.bytes);
        let steps = self.limits_fuel.saturating_add(trial.steps);
        self.limits.steps = Some(whole.steps.map_or(steps, |s| s.min(steps)));
        let met = usize::try_from(trial.positions.saturating_mul(MET)).unwrap_or(usize::MAX);
        let met = self.keys.len().saturating_add(met);
        self.limits.components = Some(whole.components.map_or(met, |c| c.min(met)));
        let result = work(self);
        self.limits = whole;
        result
    }

    /// Whether the user's own limits of time are reached, or he wants the work to end.
    pub fn limits_reached(&self) -> bool {
        self.limits.check_clock().is_err()
    }

    /// The code of the rules that a component plays by.
    pub fn code_of(&mut self, id: u32) -> Arc<Code> {
        self.rules_code(self.instance_of[id as usize] as usize)
    }

    pub(crate) fn rules_code(&mut self, instance: usize) -> Arc<Code> {
        if let Some(code) = &self.instances[instance].rules {
            return code.clone();
        }
        let program = self.program.clone();
        let code = lower::lower_rules(self, &program, instance);
        self.instances[instance].rules = Some(code.clone());
        code
    }

    /// The code for states that are looked at one option at a time, without positions: `legal when` and `same as` are part of
    /// it. `Err` says why there is none.
    pub(crate) fn judged_code(&mut self, instance: usize) -> Result<Arc<Code>, &'static str> {
        if !self.restricted {
            return Ok(self.rules_code(instance));
        }
        if let Some(code) = &self.instances[instance].judged_rules {
            return code.clone();
        }
        let program = self.program.clone();
        let code = lower::lower_judged_rules(self, &program, instance);
        self.instances[instance].judged_rules = Some(code.clone());
        code
    }
}
