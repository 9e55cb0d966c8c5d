//! What lowering asks of whoever runs the code.

use crate::bytecode::{Code, DomainId, Instance, InstanceId, WordType};
use crate::model::kind::Kind;
use crate::model::{Drawing, GameId, GlobalId};
use crate::source::text::Span;
use crate::value::Value;
use crate::value::domain::Domain;
use crate::value::fault::Run;
use std::sync::Arc;

/// The form in which rules are lowered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodeForm {
    /// Everything is a value.
    pub(crate) plain: bool,
    /// Ints are values.
    pub(crate) wide: bool,
    /// `same as` lines replace nothing.
    pub(crate) ignore_same: bool,
}

/// Numbers of domains and instances, and constants that are worked out while code is made.
pub(crate) trait LowerContext {
    /// The form in which rules are lowered.
    fn code_form(&self) -> CodeForm;

    /// The domain of a number.
    fn domain(&self, id: DomainId) -> &Domain;

    /// The number of a domain; `None` when its sets or members are not kept in words.
    fn domain_id(&mut self, domain: &Domain) -> Option<DomainId>;

    /// The number of the domain of the letters of the file's texts.
    fn letter_domain(&mut self) -> Option<DomainId>;

    /// The instance of a number.
    fn instance_at(&self, id: InstanceId) -> &Instance;

    /// The instance of a game with these rule parameters, entered and completed with defaults.
    fn instance_of(&mut self, game: GameId, given: Vec<Option<Value>>) -> Run<InstanceId>;

    /// The instance of a base for lists and texts of these lengths.
    fn instance_of_lengths(&mut self, base: InstanceId, lengths: &[u32]) -> InstanceId;

    /// The form in which components keep a field.
    fn field_word_type(&mut self, kind: &Kind, params: &[Value]) -> Option<WordType>;

    /// The value of code that needs no inputs; `None` when it fails.
    fn run_quietly(&mut self, code: &Arc<Code>) -> Option<Value>;

    /// The value of a `let`; `None` where it depends on an input, or fails.
    fn global_value(&mut self, global: GlobalId) -> Option<Value>;

    /// A graph or grid drawn or read.
    fn drawing(&mut self, drawing: &Arc<Drawing>, span: Span) -> Run<Value>;

    /// The number by which code that draws names a drawing.
    fn drawing_code(&mut self, drawing: &Arc<Drawing>) -> u16;
}
