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
pub(crate) use crate::bytecode::op::{Effects, Next};
pub use crate::bytecode::specs::{
    Aggregate, CallSpec, DomainId, EmitSpec, EnterSpec, FieldReg, InvokeSpec, ListTable, Materialize, Native, PartSpec,
    PlaceSpec, PushSpec, SliceSpec, UpdateSpec, WordType,
};
use crate::model::kind::Type;
use crate::source::text::Span;
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
#[allow(missing_docs)]
pub struct Code {
    pub ops: Vec<Op>,
    /// Where a component's fields are loaded.
    pub inputs: Vec<FieldReg>,
    /// The place of each instruction.
    pub spans: Vec<Span>,
    /// The instance whose rules this is.
    pub instance: Option<InstanceId>,
    pub words: usize,
    pub values: usize,
    pub wide: Vec<i64>,
    pub constants: Vec<Value>,
    pub makes: Vec<Materialize>,
    pub names: Vec<String>,
    pub tables: Vec<Arc<[i64]>>,
    pub value_tables: Vec<Arc<[Value]>>,
    pub list_tables: Vec<ListTable>,
    pub natives: Vec<Native>,
    pub rows: Vec<Arc<Rows>>,
    pub edge_tables: Vec<Arc<[[i64; 3]]>>,
    pub calls: Vec<CallSpec>,
    pub registers: Vec<Box<[Reg]>>,
    pub parts: Vec<PartSpec>,
    pub slices: Vec<SliceSpec>,
    pub updates: Vec<UpdateSpec>,
    pub enters: Vec<EnterSpec>,
    pub types: Vec<Type>,
    pub invokes: Vec<InvokeSpec>,
    pub places: Vec<PlaceSpec>,
    pub pushes: Vec<PushSpec>,
    pub emits: Vec<EmitSpec>,
    pub floors: Vec<Floor>,
    /// More registers were wanted than there are: the code must not run.
    pub too_big: bool,
}

impl Code {
    /// Bytes held, roughly; what is shared with other code counts each time.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let words: usize = self.tables.iter().map(|table| table.len() * 8).sum();
        let values: usize = self.value_tables.iter().map(|table| table.len() * size_of::<Value>()).sum();
        let specs = self.makes.len() + self.pushes.len() + self.emits.len() + self.places.len() + self.parts.len();
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
    /// Makes room for the registers of some code.
    pub(crate) fn fit(&mut self, code: &Code) {
        if self.words.len() < code.words {
            self.words.resize(code.words, 0);
        }
        if self.values.len() < code.values {
            self.values.resize(code.values, Value::Int(0));
        }
    }
}
