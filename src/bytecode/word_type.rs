//! How words and values are read, and how a value is put together from registers.

use crate::bytecode::Reg;
use crate::value::Value;

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
