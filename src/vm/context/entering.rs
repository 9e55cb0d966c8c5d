//! Values that enter rule parameters and fields: checked, completed with defaults, held against the `where` of the header.

use crate::input::entry;
use crate::model::kind::Kind;
use crate::model::walk::named_graph;
use crate::model::{GameId, Program, Slot, TermKind};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::value::fault::{Fault, Halt, Run};
use crate::value::{Component, Value};
use crate::vm::context::Context;
use std::sync::Arc;

impl Context {
    /// Rule parameters checked and completed.
    pub(crate) fn enter_params(&mut self, game: GameId, given: Vec<Option<Value>>) -> Run<Arc<[Value]>> {
        let program = self.session.program.clone();
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
        let program = self.session.program.clone();
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
                return Err(Diagnostic::new(Code::E05, field.span, message).into());
            }
        };
        let known = |slot: Slot| before.get(slot).cloned();
        self.enter_kind(value, &field.kind, known, || format!("`{}` of `{}`", field.name, game.name))
    }

    /// What a value becomes on entering a place of this kind. The graph of a `vertex of g` is that of a slot, by `known`, or
    /// of a `let`.
    ///
    /// # Errors
    /// Those of [`entry::enter`], with the place named before them; what stopped the `let` of such a graph, as it is: its
    /// error has its own place.
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
        let value = self.eval_in_game(instance, filter, &component.state)?;
        Ok(matches!(value, Value::Bool(true)))
    }
}
