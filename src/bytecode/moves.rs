//! Operands of the instructions of moves that do not fit into an instruction: components made from registers, and the moves themselves.

use crate::bytecode::InstanceId;
use crate::bytecode::Reg;
use crate::bytecode::word_type::Materialize;

/// A component pushed from registers, already in the form of its fields.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct PushSpec {
    pub instance: InstanceId,
    pub fields: Box<[FieldReg]>,
    /// The same when all fields are words.
    pub words: Option<Box<[Reg]>>,
}

impl PushSpec {
    /// A component of an instance from registers.
    #[must_use]
    pub fn new(instance: InstanceId, fields: Vec<FieldReg>) -> Self {
        let word = |field: &FieldReg| match field {
            FieldReg::Word(reg) => Some(*reg),
            FieldReg::Value(_) => None,
        };
        PushSpec { instance, words: fields.iter().map(word).collect(), fields: fields.into() }
    }
}

/// Where a field of a component is.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum FieldReg {
    Word(Reg),
    Value(Reg),
}

/// A move.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct EmitSpec {
    pub move_index: usize,
    /// Binders that count; made only when the move is to have a name.
    pub binders: Box<[Materialize]>,
    pub again: bool,
    pub gain: Option<Reg>,
}
