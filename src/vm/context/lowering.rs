//! What lowering asks of a context.

use crate::bytecode::lower::{CodeForm, LowerContext};
use crate::bytecode::{Code, DomainId, Instance, InstanceId, WordType};
use crate::model::kind::Kind;
use crate::model::{Drawing, GameId, GlobalId};
use crate::source::text::Span;
use crate::value::Value;
use crate::value::domain::Domain;
use crate::value::fault::Run;
use crate::vm::context::Context;
use crate::vm::run::Options;
use std::sync::Arc;

impl LowerContext for Context {
    fn code_form(&self) -> CodeForm {
        let options = &self.options;
        CodeForm { plain: options.plain, wide: self.code.wide, ignore_same: options.ignore_same }
    }

    fn domain(&self, id: DomainId) -> &Domain {
        self.store.domain(id)
    }

    fn domain_id(&mut self, domain: &Domain) -> Option<DomainId> {
        if self.options.plain { None } else { self.store.domain_id(domain) }
    }

    fn letter_domain(&mut self) -> Option<DomainId> {
        let letters = self.session.letters.clone();
        self.domain_id(&Domain::Letters(letters))
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

    fn run_quietly(&mut self, code: &Arc<Code>) -> Option<Value> {
        self.execute(code, &mut Options::default(), |_, _| Ok(())).ok()
    }

    fn global_value(&mut self, global: GlobalId) -> Option<Value> {
        if self.session.program.globals[global.0].reads_input { None } else { self.global(global).ok() }
    }

    fn drawing(&mut self, drawing: &Arc<Drawing>, span: Span) -> Run<Value> {
        self.drawn(drawing, span)
    }

    fn drawing_code(&mut self, drawing: &Arc<Drawing>) -> u16 {
        self.code.drawings.push(drawing.clone());
        u16::try_from(self.code.drawings.len() - 1).unwrap_or(u16::MAX)
    }
}
