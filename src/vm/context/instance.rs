//! Instances: games with their rule parameters, and with the lengths of the lists and texts in their states; and components
//! by their numbers.

use crate::bytecode::layout::{FieldLayout, LONGEST, NAMED};
use crate::bytecode::lower::{InGame, LowerContext, goes_through_sets};
use crate::bytecode::{Aggregate, Code, DomainId, FieldReg, Instance, InstanceId, Op, PushSpec, Registers, WordType};
use crate::jit::frame::{Answers, InContext, UseAnswers, ValueCode};
use crate::jit::memoized::StateQuestion;
use crate::model::walk::named_graph;
use crate::model::{Builtin, GameId, GlobalId, Kind, TermKind};
use crate::store::step::{self, Builder};
use crate::store::{ComponentId, MOST_WORDS};
use crate::tables::{self, BoxRules, Table};
use crate::value::domain::Domain;
use crate::value::refusal::Refusal;
use crate::value::{Component, Graph, Run, Value, width};
use crate::vm::context::Context;
use hashbrown::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// An instance has no more shapes than this; states of further shapes are kept as values.
const MOST_SHAPES: usize = 128;

impl Context {
    pub(crate) fn instance(&mut self, game: GameId, params: Arc<[Value]>) -> Run<InstanceId> {
        if let Some(&at) = self.store.by_params.get(&(game, params.clone())) {
            return Ok(at);
        }
        let program = self.session.program.clone();
        let decls = &program.games[game.0].fields;
        let word_types: Vec<Option<WordType>> =
            decls.iter().map(|field| self.word_type_of(&field.kind, &params)).collect();
        let whole = word_types
            .iter()
            .zip(decls)
            .all(|(word_type, f)| word_type.is_some() || self.is_splittable(&f.kind, &params));
        let splits = whole && word_types.contains(&None);
        let signed: Vec<bool> = decls.iter().map(|field| matches!(field.kind, Kind::Int)).collect();
        let packed = !self.options.plain && !self.code.unpacked.contains(&game);
        let forms =
            word_types.iter().map(|word_type| word_type.map_or(FieldLayout::Value, FieldLayout::Word)).collect();
        let (word_types, shapes, base) = (word_types.into(), HashMap::new(), self.store.instances.next()?);
        let instance = Instance { game, params, word_types, forms, base, splits, shapes };
        Ok(self.store.push_base(instance, &signed, packed)?)
    }

    /// The form in which components keep a field.
    pub(super) fn word_type_of(&mut self, kind: &Kind, params: &[Value]) -> Option<WordType> {
        if self.options.plain {
            return None;
        }
        let mut graph = |term: &Option<Box<crate::model::Term>>| {
            let value = match term.as_ref().map(|t| &named_graph(t).kind) {
                Some(TermKind::Slot(slot)) => params.get(*slot).cloned(),
                Some(TermKind::Global(of)) => self.global_value(*of),
                _ => None,
            };
            match value {
                Some(Value::Graph(graph)) => Some(graph),
                Some(Value::Grid(grid)) => Some(grid.graph().clone()),
                _ => None,
            }
        };
        match kind {
            Kind::Int | Kind::Nat => (!self.code.wide).then_some(WordType::Int),
            Kind::Bool => Some(WordType::Bool),
            Kind::Vertex(of) => {
                let graph = graph(of)?;
                self.whole_domain(&graph).map(WordType::Member)
            }
            Kind::Edge(of) => {
                let graph = graph(of)?;
                self.domain_id(&Domain::Edges(graph)).map(WordType::Member)
            }
            Kind::Set(of) => match &**of {
                Kind::Vertex(of) => {
                    let graph = graph(of)?;
                    if graph.labels.len() > 64 {
                        return None;
                    }
                    self.whole_domain(&graph).map(WordType::Mask)
                }
                Kind::Edge(of) => {
                    let graph = graph(of)?;
                    self.domain_id(&Domain::Edges(graph)).map(WordType::Mask)
                }
                Kind::Nat | Kind::Int => self.small_domain(&Domain::Numbers).map(WordType::Mask),
                Kind::Tuple(parts) => match parts[..] {
                    [Kind::Nat | Kind::Int, Kind::Nat | Kind::Int] => {
                        self.small_domain(&Domain::Pairs).map(WordType::Mask)
                    }
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// The domain of sets of small naturals, or of pairs of them; `None` where such sets are kept as values.
    fn small_domain(&mut self, domain: &Domain) -> Option<DomainId> {
        if self.code.wide || self.code.unmasked { None } else { self.domain_id(domain) }
    }

    fn whole_domain(&mut self, graph: &Arc<Graph>) -> Option<DomainId> {
        if graph.vertices.len() != graph.labels.len() {
            return None;
        }
        self.domain_id(&Domain::Vertices(graph.labels.clone()))
    }

    /// Whether fields of this kind can lie in several words. `word`: whether it is one word.
    pub(crate) fn is_splittable(&mut self, kind: &Kind, params: &[Value]) -> bool {
        if self.options.plain || self.code.wide {
            return false;
        }
        match kind {
            Kind::Text | Kind::Grid | Kind::NatGrid => true,
            Kind::List(of, _) => self.is_one_or_more_words(of, params),
            Kind::Bag(of) | Kind::Set(of) => self.is_in_ordered_words(of, params),
            Kind::Tuple(kinds) => kinds.iter().all(|kind| self.is_one_or_more_words(kind, params)),
            _ => false,
        }
    }

    /// Whether what is of this kind lies in words that are ordered as the values are, as many for each.
    fn is_in_ordered_words(&mut self, kind: &Kind, params: &[Value]) -> bool {
        match kind {
            Kind::Nat | Kind::Int | Kind::Bool => true,
            Kind::Vertex(_) => self.word_type_of(kind, params).is_some(),
            Kind::Tuple(kinds) => kinds.iter().all(|kind| self.is_in_ordered_words(kind, params)),
            _ => false,
        }
    }

    fn is_one_or_more_words(&mut self, kind: &Kind, params: &[Value]) -> bool {
        self.word_type_of(kind, params).is_some() || self.is_splittable(kind, params)
    }

    /// The lengths of the lists and texts in a field, outer ones first; `None`: it must stay a value.
    fn lengths(&mut self, kind: &Kind, value: &Value, params: &[Value], out: &mut Vec<u32>) -> Option<()> {
        match (kind, value) {
            (Kind::Text, Value::Text(text)) => {
                let fits =
                    text.len() <= LONGEST && text.characters().all(|c| self.session.letters.binary_search(&c).is_ok());
                fits.then(|| out.push(width::short(text.len())))
            }
            (Kind::List(of, _), Value::List(list)) => {
                out.push(u32::try_from(list.items.len()).ok().filter(|&n| n as usize <= LONGEST)?);
                list.items.iter().try_for_each(|item| self.lengths(of, item, params, out))
            }
            (Kind::Set(_), Value::Set(_)) if self.word_type_of(kind, params).is_some() => Some(()),
            (Kind::Bag(_), Value::Bag(items)) | (Kind::Set(_), Value::Set(items)) => {
                let fits = items.len() <= LONGEST;
                fits.then(|| out.push(width::short(items.len())))
            }
            (Kind::Tuple(kinds), Value::Tuple(parts)) => {
                kinds.iter().zip(parts.iter()).try_for_each(|(kind, part)| self.lengths(kind, part, params, out))
            }
            (Kind::Grid | Kind::NatGrid, Value::Grid(grid)) => {
                let letter = |place: usize| self.session.letters.binary_search(&grid.cells.character(place)?).ok();
                let number = |place: usize| matches!(grid.cells.get(place), Some(Value::Int(_))).then_some(0_usize);
                let n = Some(grid.rows.checked_mul(grid.cols)?).filter(|n| (1..=LONGEST * 2).contains(n))?;
                out.extend([width::short(grid.rows), width::short(grid.cols)]);
                let lettered = matches!(kind, Kind::Grid);
                (0..n).all(|place| if lettered { letter(place) } else { number(place) }.is_some()).then_some(())
            }
            (
                Kind::Text | Kind::List(..) | Kind::Bag(_) | Kind::Set(_) | Kind::Tuple(_) | Kind::Grid | Kind::NatGrid,
                _,
            ) => None,
            _ => Some(()),
        }
    }

    fn form(&mut self, kind: &Kind, params: &[Value], lengths: &mut std::slice::Iter<'_, u32>) -> FieldLayout {
        match kind {
            Kind::Text if lengths.as_slice().first() == Some(&NAMED) => {
                lengths.next();
                self.text_domain().map_or(FieldLayout::Value, |domain| FieldLayout::Word(WordType::Member(domain)))
            }
            Kind::Text => {
                let n = lengths.next().map_or(0, |&n| n as usize);
                let letter = self
                    .letter_domain()
                    .map_or(FieldLayout::Value, |domain| FieldLayout::Word(WordType::Member(domain)));
                // A text of one letter is that letter.
                if n == 1 { letter } else { FieldLayout::Parts(Aggregate::Text, vec![letter; n].into()) }
            }
            Kind::Grid | Kind::NatGrid => {
                let [rows, cols] = [0, 1].map(|_| lengths.next().copied().unwrap_or(0));
                let cell = match self.letter_domain().filter(|_| matches!(kind, Kind::Grid)) {
                    Some(domain) => WordType::Member(domain),
                    None => WordType::Int,
                };
                FieldLayout::Parts(Aggregate::Grid(cols), vec![FieldLayout::Word(cell); (rows * cols) as usize].into())
            }
            Kind::List(of, base) => {
                let n = lengths.next().map_or(0, |&n| n as usize);
                FieldLayout::Parts(Aggregate::List(*base), (0..n).map(|_| self.form(of, params, lengths)).collect())
            }
            Kind::Set(_) if let Some(word_type) = self.word_type_of(kind, params) => FieldLayout::Word(word_type),
            Kind::Bag(of) | Kind::Set(of) => {
                let n = lengths.next().map_or(0, |&n| n as usize);
                let ascending = true;
                let whole = if matches!(kind, Kind::Bag(_)) {
                    Aggregate::Bag { ascending }
                } else {
                    Aggregate::Set { ascending }
                };
                FieldLayout::Parts(whole, (0..n).map(|_| self.form(of, params, lengths)).collect())
            }
            Kind::Tuple(kinds) => FieldLayout::Parts(
                Aggregate::Tuple,
                kinds.iter().map(|kind| self.form(kind, params, lengths)).collect(),
            ),
            _ => self.word_type_of(kind, params).map_or(FieldLayout::Value, FieldLayout::Word),
        }
    }

    /// The instance that a state of a base instance belongs to.
    pub(crate) fn instance_of_state(&mut self, base: InstanceId, state: &[Value]) -> InstanceId {
        if !self.store.instances[base].splits {
            return base;
        }
        let program = self.session.program.clone();
        let game = self.store.instances[base].game;
        let params = self.store.instances[base].params.clone();
        let fields = &program.games[game.0].fields;
        let mut lengths = Vec::new();
        let fits = fields.iter().zip(state).enumerate().try_for_each(|(index, (field, value))| {
            if self.has_named_texts(game, index) && self.session.texts.contains(value) {
                lengths.push(NAMED);
                return Some(());
            }
            self.lengths(&field.kind, value, &params, &mut lengths)
        });
        if fits.is_some() { self.shaped_instance(base, &lengths) } else { base }
    }

    /// Made when it is first met; the base when there are too many, which serves any lengths.
    pub(super) fn shaped_instance(&mut self, base: InstanceId, lengths: &[u32]) -> InstanceId {
        if let Some(&at) = self.store.instances[base].shapes.get(lengths) {
            return at;
        }
        if self.store.instances[base].shapes.len() >= MOST_SHAPES {
            return base;
        }
        let program = self.session.program.clone();
        let game = self.store.instances[base].game;
        let params = self.store.instances[base].params.clone();
        let fields = &program.games[game.0].fields;
        let mut left = lengths.iter();
        let forms: Vec<FieldLayout> = fields.iter().map(|f| self.form(&f.kind, &params, &mut left)).collect();
        let mut words = Vec::new();
        let fits = forms.iter().zip(fields).try_for_each(|(form, field)| form.words(&field.kind, &mut words));
        let at = if fits.is_some() && words.len() <= usize::from(MOST_WORDS) {
            let word_types = words.iter().map(|(word_type, _)| Some(*word_type)).collect();
            let signed: Vec<bool> = words.iter().map(|(_, signed)| *signed).collect();
            let packed = !self.code.unpacked.contains(&game);
            let (forms, shapes) = (forms.into(), HashMap::new());
            let instance = Instance { game, params, word_types, forms, base, splits: false, shapes };
            self.store.push_instance(instance, &signed, packed).unwrap_or(base)
        } else {
            base
        };
        self.store.instances[base].shapes.insert(lengths.into(), at);
        at
    }

    pub(crate) fn rules_code(&mut self, instance: InstanceId) -> Arc<Code> {
        if let Some(code) = &self.code.by_instance.entry(instance).rules {
            return code.clone();
        }
        let program = self.session.program.clone();
        let code = InGame::new(self, &program, instance).rules();
        self.run.lowered(&code);
        self.code.held += code.bytes();
        self.code.by_instance.entry(instance).rules = Some(code.clone());
        code
    }

    /// The code for states that are looked at one option at a time, without positions, `legal when` and `same as` in
    /// it. `Err` says why there is none.
    pub(crate) fn judged_code(&mut self, instance: InstanceId) -> Result<Arc<Code>, Refusal> {
        let game = self.store.instances[instance].game;
        if !self.session.restricted && !goes_through_sets(&self.session.program.games[game.0]) {
            return Ok(self.rules_code(instance));
        }
        if let Some(code) = &self.code.by_instance.entry(instance).judged_rules {
            return code.clone();
        }
        let program = self.session.program.clone();
        let code = InGame::new(self, &program, instance).judged_rules();
        self.code.held += code.as_ref().map_or(0, |code| code.bytes());
        self.code.by_instance.entry(instance).judged_rules = Some(code.clone());
        code
    }

    /// These rules, with what a table or graph of the positions may use.
    pub(crate) fn box_rules(&mut self, instance: InstanceId) -> Result<BoxRules<'_>, Refusal> {
        let code = self.judged_code(instance)?;
        let values = self.value_code(&code);
        let (limits, held) = (self.limits.clone(), self.bytes());
        Ok(BoxRules { code, values, instance, limits, held, context: PhantomData })
    }

    /// What the instructions on values of native code need.
    fn value_code(&mut self, code: &Arc<Code>) -> Option<Arc<ValueCode>> {
        if !code.calls_for_values() {
            return None;
        }
        let mut globals = Vec::new();
        for op in &code.ops {
            // Where it faults, positions that need it are left to the interpreter, which says so.
            if let Op::Global { global, .. } = *op
                && let Ok(value) = self.global(GlobalId(global as usize))
            {
                globals.push((global, value));
            }
        }
        let context = InContext { address: std::ptr::from_mut(self).cast(), run: run_in_context, answers };
        Some(ValueCode::new(code.clone(), self.store.domains.clone(), globals, context))
    }
}

impl Context {
    /// The number of a component.
    pub fn component(&mut self, component: &Component) -> Run<ComponentId> {
        let base = self.instance(component.game, component.params.clone())?;
        self.intern_state(base, &component.state)
    }

    /// The number of a state given as values, of an instance for any lengths.
    pub(crate) fn intern_state(&mut self, base: InstanceId, state: &Arc<[Value]>) -> Run<ComponentId> {
        let instance = self.instance_of_state(base, state);
        let id = self.store.intern_state(instance, state)?;
        self.check_growth()?;
        Ok(id)
    }

    pub(crate) fn intern(
        &mut self,
        instance: InstanceId,
        fields: &[FieldReg],
        words: &[i64],
        values: &[Value],
    ) -> Run<ComponentId> {
        if self.store.instances[instance].splits {
            let state = self.store.gathered(instance, fields, words, values);
            return self.intern_state(instance, &state);
        }
        let id = self.store.intern(instance, fields, words, values)?;
        self.check_growth()?;
        Ok(id)
    }

    /// The component that a push names.
    pub(crate) fn intern_push(&mut self, push: &PushSpec, words: &[i64], values: &[Value]) -> Run<ComponentId> {
        let Some(shaped) = &push.shaped else { return self.intern(push.instance, &push.fields, words, values) };
        let (mut lengths, mut state) = std::mem::take(&mut self.store.pieces);
        lengths.clear();
        state.clear();
        shaped.put_together(words, &mut lengths, &mut state);
        let instance = self.shaped_instance(push.instance, &lengths);
        let id = if instance == push.instance {
            let domains = &self.store.domains;
            let fields = shaped.makes.iter().map(|make| step::made(domains, make, words, values)).collect();
            self.intern_state(instance, &fields)
        } else {
            self.store.intern_words(instance, &state)
        };
        self.store.pieces = (lengths, state);
        self.check_growth()?;
        id
    }

    /// Looks at the memory limit when many components were met since the last look: one position can have very many options,
    /// and a state can be very large.
    #[inline]
    fn check_growth(&mut self) -> Run<()> {
        if self.store.grown > (self.limits.memory / 32).max(1 << 20) {
            self.store.grown = 0;
            self.check_search(self.limits.progress.load(Ordering::Relaxed), self.bytes())?;
        }
        Ok(())
    }

    /// How many components have a number.
    pub fn components(&self) -> usize {
        self.store.len()
    }

    /// All components, in the order in which they were met.
    pub fn component_ids(&self) -> impl DoubleEndedIterator<Item = ComponentId> + use<> {
        self.store.ids()
    }

    /// The code of the rules that a component plays by.
    pub fn code_of(&mut self, id: ComponentId) -> Arc<Code> {
        self.rules_code(self.store.instance_of[id.index()])
    }
}

/// Runs an instruction of native code.
fn run_in_context(
    address: *mut (),
    code: &Code,
    at: usize,
    registers: &mut Registers,
    builders: &mut Vec<Builder>,
) -> Run<()> {
    // SAFETY: `BoxRules` borrows the context alone for as long as it is used from here, under a lock.
    #[allow(unsafe_code)]
    let ctx = unsafe { &mut *address.cast::<Context>() };
    let Registers { words, values } = registers;
    match code.ops[at] {
        Op::Invoke { spec } => {
            let spec = &code.invokes[usize::from(spec)];
            values[usize::from(spec.d)] = ctx.call_def(code, spec, values)?;
            Ok(())
        }
        op => ctx.step_on_values(op, code, at, words, values, builders),
    }
}

/// The answers to a question of native code about components of ints in normal play, where tables have them.
fn answers(address: *mut (), question: &StateQuestion, uses: UseAnswers<'_>) {
    // SAFETY: as above.
    #[allow(unsafe_code)]
    let ctx = unsafe { &*address.cast::<Context>() };
    let kinds = [tables::Kind::GrundyFar, tables::Kind::Grundy];
    let tables = kinds.map(|kind| ctx.memo.tables.get(&(question.instance, kind)));
    let read_line = |words: &[i64], field: usize, answers: &mut [Option<u64>]| {
        for table in tables.iter().flatten() {
            let mut words = words.to_vec();
            table.read_line(&mut words, field, answers);
            if answers[0].is_some() {
                break;
            }
        }
        for answer in answers {
            *answer = answer.and_then(|value| match question.word {
                Builtin::Grundy => Some(value),
                Builtin::Wins => Some(u64::from(value != 0)),
                Builtin::Loses => Some(u64::from(value == 0)),
                Builtin::Draws => Some(0),
                _ => None,
            });
        }
    };
    let sizes = || {
        let dense = tables.iter().flatten().find_map(|table| match table {
            Table::Dense(dense) => Some(dense),
            Table::Hashed(_) => None,
        });
        let naturals = dense?
            .grid
            .digits
            .iter()
            .map(|digit| u64::try_from(digit.span.last()).map_or(0, |last| last + 1))
            .collect();
        Some((naturals, ctx.limits.memory.saturating_sub(ctx.bytes()) as u64))
    };
    uses(Answers { read_line: &read_line, sizes: &sizes });
}
