//! Operands of the instructions on values that do not fit into an instruction.

use crate::bytecode::Reg;
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
