//! Values at top level: lets, inputs, drawings and data files.

use super::Machine;
use crate::check::kind::Kind;
use crate::check::model::{Def, Drawing, GlobalId, GlobalSource, TermKind};
use crate::check::walk::{each_term, named_graph};
use crate::diagnostic::Diagnostic;
use crate::rules::fault::{Fault, Halt, Run};
use crate::rules::value::Value;
use crate::rules::{data, entry};
use crate::text::Span;
use hashbrown::HashSet;
use std::sync::Arc;

impl Machine {
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
}
