//! Operands of the instructions that do not fit into an instruction: how words are read, how values are put together from
//! registers, tables that were worked out when the code was made, components and moves.

use crate::bytecode::{InstanceId, Reg};
use crate::model::builtin::Builtin;
use crate::model::kind::Kind;
use crate::model::{DefId, GameId, Slot};
use crate::syntax::tree::SetOp;
use crate::value::Value;
use std::sync::Arc;

/// A built-in word on values.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct CallSpec {
    pub word: Builtin,
    pub d: Reg,
    pub args: Box<[Reg]>,
}

/// A part of a tuple, edge or list of `arity` parts.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct PartSpec {
    pub d: Reg,
    pub a: Reg,
    pub index: usize,
    pub arity: usize,
}

/// A slice.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct SliceSpec {
    pub d: Reg,
    pub a: Reg,
    pub from: Option<Reg>,
    pub to: Option<Reg>,
}

/// An update.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct UpdateSpec {
    pub d: Reg,
    pub a: Reg,
    pub changes: Box<[(Reg, SetOp, Reg)]>,
}

/// Entering a declared kind. The graph terms of its vertices, in the order met, are in `graphs`.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct EnterSpec {
    pub kind: Kind,
    pub name: String,
    /// Value registers of the graphs of `vertex of g`, by the slot of `g`.
    pub graphs: Vec<(Slot, Reg)>,
}

/// A call of a def that is not unfolded.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct InvokeSpec {
    pub def: DefId,
    pub d: Reg,
    /// Parameters and fields of the owner, then arguments; `None` where the default stands.
    pub args: Box<[Option<Reg>]>,
}

/// A position made as a value.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct PlaceSpec {
    pub game: GameId,
    pub d: Reg,
    pub params: Option<Box<[Option<Reg>]>>,
    pub fields: Box<[Option<Reg>]>,
    /// The rule parameters when they are those of the running rules.
    pub own: Option<Arc<[Value]>>,
    /// The least int that the state may be, when it is one int and nothing else is asked of it.
    pub int_from: Option<i64>,
}

/// A component pushed from registers, already in the form of its fields.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct PushSpec {
    pub instance: InstanceId,
    pub fields: Box<[FieldReg]>,
    /// The same when all fields are words.
    pub words: Option<Box<[Reg]>>,
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

/// A constant list of ints.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct ListTable {
    pub base: i64,
    pub items: Arc<[i64]>,
    /// What an index outside is told to be outside of.
    pub whole: Aggregate,
}

/// A native function on masks.
#[derive(Clone)]
pub struct Native(pub Arc<dyn Fn(u64) -> u64 + Send + Sync>);

/// A finite set of labels or edges whose members are numbered; up to 64 of them make a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DomainId(pub u16);

/// How a word register is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordType {
    /// An int.
    Int,
    /// 0 or 1.
    Bool,
    /// The number of a vertex or edge.
    Member(DomainId),
    /// A set of vertices or edges.
    Mask(DomainId),
}

/// What some parts make together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// A list and the number of its first item.
    List(i64),
    /// A text, of its characters.
    Text,
    /// A tuple.
    Tuple,
    /// A set; equal parts are one member.
    Set,
}

/// How a value is put together from registers where it is wanted.
#[derive(Clone, Debug)]
pub enum Materialize {
    /// Known when the code was made.
    Known(Value),
    /// From a word.
    Word(Reg, WordType),
    /// In a value register.
    Value(Reg),
    /// From parts; one with a flag belongs to it when the flag's word is not 0.
    Parts(Aggregate, Box<[(Option<Reg>, Materialize)]>),
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

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Native")
    }
}
