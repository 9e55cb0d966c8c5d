//! The flat code that rules are compiled to: one array of small instructions over two register files.
//!
//! Word registers hold 64 bits: ints that fit, truth values, numbers of vertices and edges, and sets of up to 64 of them
//! as bit masks. Value registers hold anything. Every instruction that may fail has a place in the file.

use crate::check::builtin::Builtin;
use crate::check::kind::{Kind, Type};
use crate::check::model::{BinaryOp, Clause, CompareOp, DefId, GameId, Gather, Slot, Term};
use crate::rules::floors::Floor;
use crate::rules::value::Value;
use crate::rules::value::adjacency::Rows;
use crate::syntax::tree::{Outcome, SetOp};
use crate::text::Span;
use std::sync::Arc;

/// A register, of the file that the instruction says.
pub type Reg = u16;
/// An instruction's place in its code.
pub type Addr = u32;

/// A finite set of labels or edges whose members are numbered; up to 64 of them make a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DomainId(pub u16);

/// How a word register is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rep {
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
pub enum Whole {
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
pub enum Make {
    /// Known when the code was made.
    Known(Value),
    /// From a word.
    Word(Reg, Rep),
    /// In a value register.
    Value(Reg),
    /// From parts; one with a flag belongs to it when the flag's word is not 0.
    Parts(Whole, Box<[(Option<Reg>, Make)]>),
}

/// An instruction. `d` is written, the others are read; `to` is where it may jump.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Nop,
    Jump(Addr),
    JumpIf(Reg, Addr),
    JumpUnless(Reg, Addr),
    /// Jumps when the comparison of two words holds.
    JumpLt {
        a: Reg,
        b: Reg,
        to: Addr,
    },
    JumpLe {
        a: Reg,
        b: Reg,
        to: Addr,
    },
    JumpEq {
        a: Reg,
        b: Reg,
        to: Addr,
    },
    JumpNe {
        a: Reg,
        b: Reg,
        to: Addr,
    },
    /// Runs the lazy part at `to` unless its flag is set.
    Force {
        flag: Reg,
        to: Addr,
    },
    /// Back from a lazy part.
    Back {
        flag: Reg,
    },
    /// The end; the result of expression code is in value register 0.
    Stop,

    Const {
        d: Reg,
        k: i32,
    },
    ConstWide {
        d: Reg,
        k: u16,
    },
    Copy {
        d: Reg,
        a: Reg,
    },
    Add {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AddConst {
        d: Reg,
        a: Reg,
        k: i16,
    },
    Sub {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Mul {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Div {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Mod {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Neg {
        d: Reg,
        a: Reg,
    },
    Abs {
        d: Reg,
        a: Reg,
    },
    Min {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Max {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// Bitwise on nats; a negative operand faults.
    NatXor {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    NatAnd {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Eq {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Ne {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Lt {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Le {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Not {
        d: Reg,
        a: Reg,
    },
    /// Faults R01 when `a` is negative; `name` is what did not get a nat.
    CheckNat {
        a: Reg,
        name: u16,
    },

    And {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Or {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Xor {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    AndNot {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// `1 << a`
    Single {
        d: Reg,
        a: Reg,
    },
    /// Whether member `a` is in mask `b`.
    Has {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    Size {
        d: Reg,
        a: Reg,
    },
    /// A table over the numbers of a domain.
    Table {
        d: Reg,
        table: u16,
        a: Reg,
    },
    /// The same with values.
    TableValue {
        d: Reg,
        table: u16,
        a: Reg,
    },
    /// A list of words, indexed from `base`; R02 outside.
    ListTable {
        d: Reg,
        table: u16,
        a: Reg,
    },
    /// A native function from mask to mask.
    Native {
        d: Reg,
        native: u16,
        a: Reg,
    },

    /// `d = a - 1`, the number before the first of a range.
    RangeStart {
        d: Reg,
        a: Reg,
    },
    /// The end of a loop over a range: `i += 1` and back, or on when it passes `hi`.
    RangeBack {
        i: Reg,
        hi: Reg,
        to: Addr,
    },
    /// How far `nat` is enumerated in this sweep.
    NatLimit {
        d: Reg,
    },
    /// `min` or `max` of nothing: R02.
    NothingIn {
        max: bool,
    },
    /// The members of a collection, ready to be taken one by one.
    Members {
        d: Reg,
        a: Reg,
    },
    /// `i += 1`, leaves when it passes `hi`.
    RangeNext {
        i: Reg,
        hi: Reg,
        to: Addr,
    },
    /// Takes the least member out of mask `m`, leaves when there is none.
    MaskNext {
        d: Reg,
        m: Reg,
        to: Addr,
    },
    /// Next member of the collection in value register `items`; `cursor` is a word.
    ItemsNext {
        d: Reg,
        items: Reg,
        cursor: Reg,
        to: Addr,
    },
    /// The same, equal neighbours once.
    DistinctNext {
        d: Reg,
        items: Reg,
        cursor: Reg,
        to: Addr,
    },
    /// Sets `d` and the word after it to the bounds of a compressed row.
    Row {
        d: Reg,
        rows: u16,
        a: Reg,
    },
    /// Next entry of a row whose bounds are in `cursor` and the word after it.
    RowNext {
        d: Reg,
        rows: u16,
        cursor: Reg,
        to: Addr,
    },
    /// Next edge (from word `cursor`) of an edge table with both ends in the mask after `cursor`: edge id, `u`, `v` go to
    /// the three words after `d`.
    EdgeNext {
        d: Reg,
        edges: u16,
        cursor: Reg,
        to: Addr,
    },

    BoxInt {
        d: Reg,
        a: Reg,
    },
    BoxBool {
        d: Reg,
        a: Reg,
    },
    BoxMember {
        d: Reg,
        a: Reg,
        domain: DomainId,
    },
    BoxMask {
        d: Reg,
        a: Reg,
        domain: DomainId,
    },
    UnboxInt {
        d: Reg,
        a: Reg,
    },
    UnboxBool {
        d: Reg,
        a: Reg,
    },
    UnboxMember {
        d: Reg,
        a: Reg,
        domain: DomainId,
    },
    UnboxMask {
        d: Reg,
        a: Reg,
        domain: DomainId,
    },

    Value {
        d: Reg,
        k: u16,
    },
    /// A value put together from registers.
    Make {
        d: Reg,
        make: u16,
    },
    /// A let or input at top level.
    Global {
        d: Reg,
        global: u32,
    },
    /// A drawing or data file that could not be read while lowering.
    Drawing {
        d: Reg,
        drawing: u16,
    },
    Move {
        d: Reg,
        a: Reg,
    },
    Binary {
        op: BinaryOp,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// The truth goes to a word.
    Compare {
        op: CompareOp,
        d: Reg,
        a: Reg,
        b: Reg,
    },
    NegValue {
        d: Reg,
        a: Reg,
    },
    Call {
        spec: u16,
    },
    Index {
        d: Reg,
        a: Reg,
        i: Reg,
    },
    /// The same with the index in a word register.
    IndexWord {
        d: Reg,
        a: Reg,
        i: Reg,
    },
    Slice {
        spec: u16,
    },
    Update {
        spec: u16,
    },
    /// The pairs collected by the builder, applied to `a`.
    UpdateBuilt {
        d: Reg,
        a: Reg,
        op: SetOp,
    },
    Tuple {
        spec: u16,
    },
    Part {
        spec: u16,
    },
    Enter {
        d: Reg,
        a: Reg,
        spec: u16,
    },
    Adapt {
        d: Reg,
        a: Reg,
        ty: u16,
    },
    Range {
        d: Reg,
        a: Reg,
        b: Reg,
    },
    /// Starts collecting.
    Build,
    BuildPush {
        a: Reg,
    },
    /// Adds all members.
    BuildSpread {
        a: Reg,
    },
    BuildDone {
        d: Reg,
        gather: Gather,
    },
    /// A component as [`Op::Place`] makes it, collected for [`Op::BuildSum`].
    PlaceInto {
        spec: u16,
    },
    /// The sum of what was collected.
    BuildSum {
        d: Reg,
    },
    /// The floor or ceiling of a linear function of an int.
    Floor {
        d: Reg,
        a: Reg,
        spec: u16,
    },
    /// A comprehension worked out by columns; then its loop is passed over.
    Columns {
        spec: u16,
        to: Addr,
    },
    /// A recursive def.
    Invoke {
        spec: u16,
    },
    /// A question about the position in `a`.
    Ask {
        word: Builtin,
        d: Reg,
        a: Reg,
    },
    Place {
        spec: u16,
    },
    Misere {
        d: Reg,
        a: Reg,
    },
    /// Tags all components of the position in `d` with the words of the spec.
    Tag {
        d: Reg,
        spec: u16,
    },

    /// Starts a target.
    Target,
    /// Adds a component whose fields are in registers.
    PushPlace {
        spec: u16,
    },
    /// Adds all components of a position value.
    PushValue {
        a: Reg,
    },
    /// A move with the target collected.
    Emit {
        spec: u16,
    },
    /// A move to one component whose fields are in registers.
    EmitOne {
        push: u16,
        spec: u16,
    },
    /// A move that ends the whole play.
    EmitStop {
        spec: u16,
        outcome: Outcome,
    },
    /// An `end when` that holds; 0 over, 1 lost, 2 won, 3 drawn (of the player to move).
    Ended {
        status: u8,
    },
    EndedScore {
        a: Reg,
    },
    /// The header's `where` of the component being made does not hold.
    OutsideDomain {
        spec: u16,
    },
    /// One way through the clauses: hands the values of the spec to the caller.
    Yield {
        spec: u16,
    },
}

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
    pub instance: Option<usize>,
    pub words: usize,
    pub values: usize,
    pub wide: Vec<i64>,
    pub constants: Vec<Value>,
    pub makes: Vec<Make>,
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
    pub columns: Vec<Arc<ColumnSpec>>,
    pub floors: Vec<Floor>,
    /// More registers were wanted than there are: the code must not run.
    pub too_big: bool,
}

impl Code {
    /// The length of the longest table that instructions name by a number.
    #[must_use]
    pub fn largest_table(&self) -> usize {
        let lengths = [
            self.wide.len(),
            self.constants.len(),
            self.makes.len(),
            self.names.len(),
            self.tables.len(),
            self.value_tables.len(),
            self.list_tables.len(),
            self.natives.len(),
            self.rows.len(),
            self.edge_tables.len(),
            self.calls.len(),
            self.registers.len(),
            self.parts.len(),
            self.slices.len(),
            self.updates.len(),
            self.enters.len(),
            self.types.len(),
            self.invokes.len(),
            self.places.len(),
            self.pushes.len(),
            self.emits.len(),
            self.columns.len(),
            self.floors.len(),
        ];
        lengths.into_iter().max().unwrap_or(0)
    }
}

impl Code {
    /// The first instruction that touches value registers, or `Stop` when an input is one; `None`: all runs on words.
    #[must_use]
    pub fn first_on_values(&self) -> Option<Op> {
        if self.inputs.iter().any(|input| matches!(input, FieldReg::Value(_))) {
            return Some(Op::Stop);
        }
        self.ops.iter().copied().find(|op| !self.is_on_words(*op))
    }

    fn is_on_words(&self, op: Op) -> bool {
        let named = |spec: u16| {
            let spec = &self.emits[usize::from(spec)];
            spec.gain.is_none() && spec.binders.iter().all(Make::is_on_words)
        };
        match op {
            Op::PushPlace { spec } | Op::OutsideDomain { spec } => self.pushes[usize::from(spec)].words.is_some(),
            Op::Emit { spec } | Op::EmitStop { spec, .. } => named(spec),
            Op::EmitOne { push, spec } => self.pushes[usize::from(push)].words.is_some() && named(spec),
            Op::TableValue { .. }
            | Op::Members { .. }
            | Op::ItemsNext { .. }
            | Op::DistinctNext { .. }
            | Op::BoxInt { .. }
            | Op::BoxBool { .. }
            | Op::BoxMember { .. }
            | Op::BoxMask { .. }
            | Op::UnboxInt { .. }
            | Op::UnboxBool { .. }
            | Op::UnboxMember { .. }
            | Op::UnboxMask { .. }
            | Op::Value { .. }
            | Op::Make { .. }
            | Op::Global { .. }
            | Op::Drawing { .. }
            | Op::Move { .. }
            | Op::Binary { .. }
            | Op::Compare { .. }
            | Op::NegValue { .. }
            | Op::Call { .. }
            | Op::Index { .. }
            | Op::IndexWord { .. }
            | Op::Slice { .. }
            | Op::Update { .. }
            | Op::UpdateBuilt { .. }
            | Op::Tuple { .. }
            | Op::Part { .. }
            | Op::Enter { .. }
            | Op::Adapt { .. }
            | Op::Range { .. }
            | Op::Build
            | Op::BuildPush { .. }
            | Op::BuildSpread { .. }
            | Op::BuildDone { .. }
            | Op::PlaceInto { .. }
            | Op::BuildSum { .. }
            | Op::Columns { .. }
            | Op::Floor { .. }
            | Op::Invoke { .. }
            | Op::Ask { .. }
            | Op::Place { .. }
            | Op::Misere { .. }
            | Op::Tag { .. }
            | Op::PushValue { .. }
            | Op::EndedScore { .. }
            | Op::Yield { .. } => false,
            _ => true,
        }
    }
}

impl Make {
    fn is_on_words(&self) -> bool {
        match self {
            Make::Known(_) | Make::Word(..) => true,
            Make::Value(_) => false,
            Make::Parts(_, parts) => parts.iter().all(|(_, part)| part.is_on_words()),
        }
    }
}

/// A constant list of ints.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct ListTable {
    pub base: i64,
    pub items: Arc<[i64]>,
    /// What an index outside is told to be outside of.
    pub whole: Whole,
}

/// A native function on masks.
#[derive(Clone)]
pub struct Native(pub Arc<dyn Fn(u64) -> u64 + Send + Sync>);

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Native")
    }
}

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

/// A comprehension over the members of a collection at top level, as columns: a member is bound to the slot, goes through the
/// rest of the clauses, and gives a value.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct ColumnSpec {
    pub d: Reg,
    pub gathered: Gathered,
    pub source: Term,
    pub slot: Slot,
    pub rest: Vec<Clause>,
    pub value: Term,
}

/// What becomes of the ints of a column.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Gathered {
    Items(Gather),
    /// The sum of components of a game with this state each, which is at least so much.
    Row {
        game: GameId,
        params: Vec<Option<Term>>,
        least: i64,
    },
}

/// A component pushed from registers, already in the form of its fields.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct PushSpec {
    pub instance: usize,
    pub fields: Box<[FieldReg]>,
    /// The same when all fields are words.
    pub words: Option<Box<[Reg]>>,
}

impl PushSpec {
    /// A component of an instance from registers.
    #[must_use]
    pub fn new(instance: usize, fields: Vec<FieldReg>) -> Self {
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
    pub binders: Box<[Make]>,
    pub again: bool,
    pub gain: Option<Reg>,
}
