//! Values at top level, and values that enter rule parameters and fields: checked, completed with defaults, held against
//! the `where` of the header.

use crate::input::data::{self, DataFiles};
use crate::input::entry;
use crate::model::walk::named_graph;
use crate::model::{Drawing, GameId, GlobalId, GlobalSource, Kind, Program, Slot, TermKind};
use crate::source::{Code, Diagnostic, Span};
use crate::value::{Component, Fault, Halt, Run, Value};
use crate::vm::context::Context;
use hashbrown::HashMap;
use std::sync::Arc;

/// Values of inputs and lets, evaluated once each, and graphs and grids that are drawn or read.
pub struct Globals {
    given: Vec<Option<Value>>,
    pub(crate) values: Vec<Option<Value>>,
    /// By the address of the drawing, which stands here so that no other gets it.
    drawn: HashMap<usize, (Arc<Drawing>, Value)>,
    files: Arc<dyn DataFiles>,
    /// How many lets are being evaluated, one inside the other.
    pub(crate) depth: usize,
    /// How far `nat` runs in this sweep.
    pub nat_limit: i64,
}

impl Globals {
    pub(super) fn new(program: &Program, files: Arc<dyn DataFiles>) -> Globals {
        Globals {
            given: vec![None; program.inputs.len()],
            values: vec![None; program.globals.len()],
            drawn: HashMap::new(),
            files,
            depth: 0,
            nat_limit: 0,
        }
    }

    pub(super) fn give(&mut self, program: &Program, given: Vec<Option<Value>>) {
        self.given = given;
        for (value, global) in self.values.iter_mut().zip(&program.globals) {
            if global.reads_input {
                *value = None;
            }
        }
    }
}

impl Context {
    /// The value of a let or input, evaluated once.
    pub fn global(&mut self, id: GlobalId) -> Run<Value> {
        if let Some(value) = &self.globals.values[id.0] {
            return Ok(value.clone());
        }
        if self.globals.depth >= 500 {
            let span = self.session.program.globals[id.0].span;
            return Err(Halt::at(span, Fault::new(Code::E18, "lets are nested more than 500 deep")));
        }
        self.globals.depth += 1;
        let value = self.global_source(id);
        self.globals.depth -= 1;
        let value = value?;
        self.globals.values[id.0] = Some(value.clone());
        Ok(value)
    }

    fn global_source(&mut self, id: GlobalId) -> Run<Value> {
        let program = self.session.program.clone();
        let global = &program.globals[id.0];
        match &global.source {
            GlobalSource::Let(body) => self.eval(&body.frame, &body.term),
            GlobalSource::Input(index) => {
                let input = &program.inputs[*index];
                let value = match (&self.globals.given[*index], &input.default) {
                    (Some(value), _) => value.clone(),
                    (None, Some(default)) => self.eval(&default.frame, &default.term)?,
                    (None, None) => {
                        let message = format!("input `{}` has no value and no default", input.name);
                        let hint = format!("give it: `{}=...`", input.name);
                        return Err(Diagnostic::new(Code::D01, input.span, message).hint(hint).into());
                    }
                };
                let entered = self.enter_kind(value, &input.kind, |_| None, || format!("input `{}`", input.name));
                entered.map_err(|halt| halt.placed(input.span))
            }
        }
    }

    /// Whether an error stands in a `let` at top level: then it is the same wherever the value is read.
    pub(crate) fn in_let(&self, error: &Diagnostic) -> bool {
        let Some(at) = error.span else { return false };
        let inside = |span: Span| span.source == at.source && span.start <= at.start && at.end <= span.end;
        self.session.program.globals.iter().any(|global| match &global.source {
            GlobalSource::Let(body) => body.frame.lazies().chain([&body.term]).any(|term| inside(term.span)),
            GlobalSource::Input(_) => false,
        })
    }

    pub(in crate::vm) fn drawn(&mut self, drawing: &Arc<Drawing>, span: Span) -> Run<Value> {
        let key = Arc::as_ptr(drawing).addr();
        if let Some((_, value)) = self.globals.drawn.get(&key) {
            return Ok(value.clone());
        }
        let value = data::draw(drawing, &*self.globals.files, span.source).map_err(|fault| Halt::at(span, fault))?;
        self.globals.drawn.insert(key, (drawing.clone(), value.clone()));
        Ok(value)
    }
}

impl Context {
    pub(crate) fn enter_params(&mut self, game: GameId, given: Vec<Option<Value>>) -> Run<Arc<[Value]>> {
        Ok(self.enter_all(game, Vec::new(), self.session.program.games[game.0].params.len(), given)?.into())
    }

    /// The header's `where` is not looked at.
    pub(crate) fn enter_state(
        &mut self,
        game: GameId,
        params: &Arc<[Value]>,
        given: Vec<Option<Value>>,
    ) -> Run<Arc<[Value]>> {
        let count = self.session.program.games[game.0].fields.len();
        Ok(self.enter_all(game, params.to_vec(), count, given)?[params.len()..].into())
    }

    /// So many more parameters or fields, behind those that are known.
    fn enter_all(
        &mut self,
        game: GameId,
        mut values: Vec<Value>,
        count: usize,
        given: Vec<Option<Value>>,
    ) -> Run<Vec<Value>> {
        let program = self.session.program.clone();
        for value in given.into_iter().chain(std::iter::repeat(None)).take(count) {
            let value = self.enter_decl(&program, game, values.len(), value, &values)?;
            values.push(value);
        }
        Ok(values)
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
                return Err(Diagnostic::new(Code::E05, field.span, message).into());
            }
        };
        let known = |slot: Slot| before.get(slot).cloned();
        self.enter_kind(value, &field.kind, known, || format!("`{}` of `{}`", field.name, game.name))
    }

    /// What a value becomes on entering a place of this kind. The graph of a `vertex of g` is that of a slot, by
    /// `known`, or of a `let`. Errors name the place, but for what stopped such a `let`: that has its own place.
    pub(crate) fn enter_kind(
        &mut self,
        value: Value,
        kind: &Kind,
        known: impl Fn(Slot) -> Option<Value>,
        place: impl FnOnce() -> String,
    ) -> Run<Value> {
        let mut stopped = None;
        let entered = entry::enter(value, kind, &mut |term| {
            let missing = || Fault::new(Code::E03, "this graph is not known here");
            match &named_graph(term).kind {
                TermKind::Slot(slot) => known(*slot).ok_or_else(missing),
                TermKind::Global(global) => self.global(*global).map_err(|halt| {
                    stopped = Some(halt);
                    missing()
                }),
                _ => Err(missing()),
            }
        });
        entered.map_err(|mut fault| {
            stopped.unwrap_or_else(|| {
                fault.message = format!("{}: {}", place(), fault.message);
                Halt::Fault(fault)
            })
        })
    }

    /// A position of one game as a component: everything checked.
    pub(crate) fn place(&mut self, game: GameId, params: Arc<[Value]>, given: Vec<Option<Value>>) -> Run<Component> {
        let state = self.enter_state(game, &params, given)?;
        let program = self.session.program.clone();
        if program.games[game.0].filter.is_some() {
            let component = Component { game, params: params.clone(), state: state.clone(), tag: None };
            if !self.in_domain(&component)? {
                let shown = self.component_text(&component);
                let message = format!("{shown} is outside the domain of `{}`", program.games[game.0].name);
                return Err(Halt::Fault(Fault::new(Code::R01, message)));
            }
        }
        Ok(Component { game, params, state, tag: None })
    }

    /// Whether the header's `where` admits a state.
    pub fn in_domain(&mut self, component: &Component) -> Run<bool> {
        let program = self.session.program.clone();
        let Some(filter) = &program.games[component.game.0].filter else { return Ok(true) };
        let instance = self.instance(component.game, component.params.clone())?;
        Ok(matches!(self.eval_in_game(instance, filter, &component.state)?, Value::Bool(true)))
    }
}
