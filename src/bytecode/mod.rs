//! The flat code that rules are compiled to: one array of small instructions over two register files.
//!
//! Word registers hold 64 bits: ints that fit, truth values, numbers of vertices and edges, and sets of up to 64 of them
//! as bit masks. Value registers hold anything. Every instruction that may fail has a place in the file.
//!
//! In: the checked rules of a game and its rule parameters. Out: [`Code`], which the interpreter runs and native code
//! is made from. Lowering is partial evaluation and never fails; what cannot be made better it leaves to general
//! instructions on values.

mod instance;
pub(crate) mod layout;
pub(crate) mod lower;
mod op;
mod specs;

pub use crate::bytecode::instance::{ByInstance, Instance, InstanceId};
pub use crate::bytecode::op::Op;
pub(crate) use crate::bytecode::op::{Effects, Next, ValueEffects};
pub(crate) use crate::bytecode::specs::{
    Aggregate, CallSpec, EmitSpec, EnterSpec, FieldReg, InvokeSpec, ListTable, Materialize, Member, Native, Piece,
    PlaceSpec, PushSpec, ShapedPush, SliceSpec, UpdateSpec,
};
pub use crate::bytecode::specs::{DomainId, WordType};
use crate::model::Type;
use crate::source::Span;
use crate::value::Value;
use crate::words::floors::Floor;
use grundy_graphs::rows::Rows;
use std::sync::Arc;

/// A register, of the file that the instruction says.
pub type Reg = u16;

/// An instruction's place in its code.
pub type Addr = u32;

/// Compiled code with its tables.
#[derive(Debug, Default)]
pub struct Code {
    pub(crate) ops: Vec<Op>,
    /// Where a component's fields are loaded.
    pub(crate) inputs: Vec<FieldReg>,
    pub(crate) spans: Vec<Span>,
    /// The instance whose rules this is.
    pub(crate) instance: Option<InstanceId>,
    pub(crate) words: usize,
    pub(crate) values: usize,
    pub(crate) wide: Vec<i64>,
    pub(crate) constants: Vec<Value>,
    pub(crate) makes: Vec<Materialize>,
    pub(crate) names: Vec<String>,
    pub(crate) tables: Vec<Arc<[i64]>>,
    pub(crate) value_tables: Vec<Arc<[Value]>>,
    pub(crate) list_tables: Vec<ListTable>,
    pub(crate) natives: Vec<Native>,
    pub(crate) rows: Vec<Arc<Rows>>,
    pub(crate) edge_tables: Vec<Arc<[[i64; 3]]>>,
    pub(crate) calls: Vec<CallSpec>,
    pub(crate) registers: Vec<Box<[Reg]>>,
    pub(crate) slices: Vec<SliceSpec>,
    pub(crate) updates: Vec<UpdateSpec>,
    pub(crate) enters: Vec<EnterSpec>,
    pub(crate) types: Vec<Type>,
    pub(crate) invokes: Vec<InvokeSpec>,
    pub(crate) places: Vec<PlaceSpec>,
    pub(crate) pushes: Vec<PushSpec>,
    pub(crate) emits: Vec<EmitSpec>,
    pub(crate) floors: Vec<Floor>,
    /// More registers were wanted than there are: the code must not run.
    pub(crate) too_big: bool,
}

impl Code {
    /// Bytes held, roughly; what is shared with other code counts each time.
    pub fn bytes(&self) -> usize {
        let words: usize = self.tables.iter().map(|table| table.len() * 8).sum();
        let values: usize = self.value_tables.iter().map(|table| table.len() * size_of::<Value>()).sum();
        let specs = self.makes.len() + self.pushes.len() + self.emits.len() + self.places.len();
        let lists = self.wide.len() * 8 + self.constants.len() * size_of::<Value>() + specs * 64;
        size_of::<Code>() + self.ops.len() * (size_of::<Op>() + size_of::<Span>()) + words + values + lists
    }
}

/// The two register files of a frame.
#[derive(Debug, Default)]
pub struct Registers {
    pub(crate) words: Vec<i64>,
    pub(crate) values: Vec<Value>,
}

impl Registers {
    pub(crate) fn fit(&mut self, code: &Code) {
        if self.words.len() < code.words {
            self.words.resize(code.words, 0);
        }
        if self.values.len() < code.values {
            self.values.resize(code.values, Value::Int(0));
        }
    }
}
