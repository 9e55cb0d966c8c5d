//! Instances: games with their rule parameters, each with its states and its code.

use crate::bytecode::layout::Form;
use crate::bytecode::lower;
use crate::bytecode::{Code, DomainId, Rep};
use crate::model::kind::Kind;
use crate::model::walk::named_graph;
use crate::model::{GameId, TermKind};
use crate::store::StateTable;
use crate::value::Value;
use crate::value::fault::{Fault, Run};
use crate::value::graph::Graph;
use crate::vm::context::{Context, Domain};
use crate::vm::ids::InstanceId;
use crate::vm::refusal::Refusal;
use hashbrown::HashMap;
use std::sync::Arc;

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
    pub(crate) base: InstanceId,
    /// Whether states are looked up by their lengths first.
    pub(crate) splits: bool,
    /// Of a base: the instances by lengths.
    pub(crate) shapes: HashMap<Box<[u32]>, InstanceId>,
    /// The states met so far.
    pub states: StateTable,
    pub(crate) rules: Option<Arc<Code>>,
    /// The same with `legal when` and `same as` in it, or why there is no such code.
    pub(crate) judged_rules: Option<Result<Arc<Code>, Refusal>>,
    /// Single moves with binders given, by line and whether with their targets; `None` where that cannot be.
    pub(crate) given: HashMap<(usize, bool), Option<Arc<Code>>>,
    pub(crate) ends: Option<Arc<Code>>,
    pub(crate) legal: Option<Arc<Code>>,
    pub(crate) same: Option<Arc<Code>>,
}

impl Instance {
    /// Nothing met and nothing compiled yet.
    fn new(
        game: GameId,
        params: Arc<[Value]>,
        reps: Vec<Option<Rep>>,
        forms: Vec<Form>,
        states: StateTable,
        base: InstanceId,
    ) -> Self {
        Instance {
            game,
            params,
            reps: reps.into(),
            forms: forms.into(),
            base,
            splits: false,
            shapes: HashMap::new(),
            states,
            rules: None,
            judged_rules: None,
            given: HashMap::new(),
            ends: None,
            legal: None,
            same: None,
        }
    }
}

impl Context {
    /// The instance with these entered parameters.
    pub(crate) fn instance(&mut self, game: GameId, params: Arc<[Value]>) -> Run<InstanceId> {
        if let Some(&at) = self.store.by_params.get(&(game, params.clone())) {
            return Ok(at);
        }
        let program = self.session.program.clone();
        let decls = &program.games[game.0].fields;
        let reps: Vec<Option<Rep>> = decls.iter().map(|field| self.field_rep(&field.kind, &params)).collect();
        let whole = reps.iter().zip(decls).all(|(rep, f)| rep.is_some() || self.is_splittable(&f.kind, &params));
        let splits = whole && reps.contains(&None);
        let signed: Vec<bool> = decls.iter().map(|field| matches!(field.kind, Kind::Int)).collect();
        let packed = !self.session.options.plain && !self.code.unpacked.contains(&game);
        let store = StateTable::new(self, &reps, &signed, packed);
        self.store.boxes += store.places();
        let forms = reps.iter().map(|rep| rep.map_or(Form::Value, Form::Word)).collect();
        let next = self.store.instances.next()?;
        self.store.held += size_of::<Instance>() + params.iter().map(Value::bytes).sum::<usize>();
        let made = Instance { splits, ..Instance::new(game, params.clone(), reps, forms, store, next) };
        let at = self.store.instances.push(made)?;
        self.store.by_params.insert((game, params), at);
        Ok(at)
    }

    /// One more instance of a base: its states are all words.
    pub(crate) fn push_instance(
        &mut self,
        game: GameId,
        params: Arc<[Value]>,
        forms: Vec<Form>,
        words: &[(Rep, bool)],
        base: InstanceId,
    ) -> Result<InstanceId, Fault> {
        let reps: Vec<Option<Rep>> = words.iter().map(|(rep, _)| Some(*rep)).collect();
        let signed: Vec<bool> = words.iter().map(|(_, signed)| *signed).collect();
        let store = StateTable::new(self, &reps, &signed, !self.code.unpacked.contains(&game));
        self.store.boxes += store.places();
        self.store.held += size_of::<Instance>();
        self.store.instances.push(Instance::new(game, params, reps, forms, store, base))
    }

    /// The form in which components keep a field.
    pub(crate) fn field_rep(&mut self, kind: &Kind, params: &[Value]) -> Option<Rep> {
        let graph = |term: &Option<Box<crate::model::Term>>| match term.as_ref().map(|t| &named_graph(t).kind) {
            Some(TermKind::Slot(slot)) => match params.get(*slot) {
                Some(Value::Graph(graph)) => Some(graph.clone()),
                Some(Value::Grid(grid)) => Some(grid.graph().clone()),
                _ => None,
            },
            _ => None,
        };
        match kind {
            _ if self.session.options.plain => None,
            Kind::Int | Kind::Nat => (!self.code.wide).then_some(Rep::Int),
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
                Kind::Nat | Kind::Int => self.small_domain(&Domain::Numbers).map(Rep::Mask),
                Kind::Tuple(parts) => match parts[..] {
                    [Kind::Nat | Kind::Int, Kind::Nat | Kind::Int] => self.small_domain(&Domain::Pairs).map(Rep::Mask),
                    _ => None,
                },
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

    pub(crate) fn rules_code(&mut self, instance: InstanceId) -> Arc<Code> {
        if let Some(code) = &self.store.instances[instance].rules {
            return code.clone();
        }
        let program = self.session.program.clone();
        let code = lower::lower_rules(self, &program, instance);
        self.store.held += code.bytes();
        self.store.instances[instance].rules = Some(code.clone());
        code
    }

    /// The code for states that are looked at one option at a time, without positions: `legal when` and `same as` are part of
    /// it. `Err` says why there is none.
    pub(crate) fn judged_code(&mut self, instance: InstanceId) -> Result<Arc<Code>, Refusal> {
        if !self.session.restricted {
            return Ok(self.rules_code(instance));
        }
        if let Some(code) = &self.store.instances[instance].judged_rules {
            return code.clone();
        }
        let program = self.session.program.clone();
        let code = lower::lower_judged_rules(self, &program, instance);
        self.store.held += code.as_ref().map_or(0, |code| code.bytes());
        self.store.instances[instance].judged_rules = Some(code.clone());
        code
    }
}
