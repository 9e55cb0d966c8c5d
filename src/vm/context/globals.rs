//! Values at top level: lets, inputs, drawings and data files.

use crate::input::data;
use crate::input::data::DataFiles;
use crate::model::kind::Kind;
use crate::model::{Drawing, GlobalId, GlobalSource, Program};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::value::Value;
use crate::value::fault::{Fault, Halt, Run};
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
                self.enter_input(value, &input.kind, input.span, &input.name)
            }
        }
    }

    fn enter_input(&mut self, value: Value, kind: &Kind, span: Span, name: &str) -> Run<Value> {
        let entered = self.enter_kind(value, kind, |_| None, || format!("input `{name}`"));
        entered.map_err(|halt| halt.placed(span))
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

    /// A graph or grid drawn or read.
    pub(in crate::vm) fn drawn(&mut self, drawing: &Arc<Drawing>, span: Span) -> Run<Value> {
        let key = Arc::as_ptr(drawing).addr();
        if let Some((_, value)) = self.globals.drawn.get(&key) {
            return Ok(value.clone());
        }
        let value = data::draw(drawing, &*self.globals.files, span.source).map_err(|fault| Halt::at(span, fault))?;
        self.globals.drawn.insert(key, (drawing.clone(), value.clone()));
        Ok(value)
    }

    pub(crate) fn drawing_of(&self, index: u16) -> Option<Arc<Drawing>> {
        self.code.drawings.get(usize::from(index)).cloned()
    }
}
