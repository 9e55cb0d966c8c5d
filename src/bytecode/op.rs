//! The instructions, and what each reads, writes and leads to.

use crate::bytecode::{Addr, Code, FieldReg, Reg, WordType};
use crate::model::{BinaryOp, Builtin, CompareOp, Gather};
use crate::syntax::tree::{Outcome, SetOp};
use crate::value::refusal::Refusal;
use crate::words::number::NumberWord;

/// Roles of operands. A word register that is read, one that is written, one that is both.
type Read = Reg;
type Write = Reg;
type Change = Reg;
/// Likewise value registers.
type ReadValue = Reg;
type WriteValue = Reg;
type ChangeValue = Reg;
/// How the whole play ends for the player to move; `None`: there are no moves here.
type WhoWins = Option<Outcome>;

/// Adds an operand to the effects of its instruction.
macro_rules! effect {
    (Addr $to:ident, $effects:ident) => { $effects.next = Next::Fork($to) };
    (Read $reg:ident, $effects:ident) => { $effects.reads.push($reg) };
    (Write $reg:ident, $effects:ident) => { $effects.writes.push($reg) };
    (Change $reg:ident, $effects:ident) => { $effects.reads.push($reg); $effects.writes.push($reg) };
    (ReadValue $reg:ident, $effects:ident) => { $effects.on_values().reads.push($reg) };
    (WriteValue $reg:ident, $effects:ident) => { $effects.on_values().write = Some($reg) };
    (ChangeValue $reg:ident, $effects:ident) => { effect!(ReadValue $reg, $effects); effect!(WriteValue $reg, $effects) };
    ($other:ident $field:ident, $effects:ident) => { _ = $field };
}

/// The place to which an instruction may jump.
macro_rules! target {
    (Addr $to:ident, $target:ident) => {
        $target = Some($to)
    };
    ($other:ident $field:ident, $target:ident) => {
        _ = $field
    };
}

/// Makes the enum of instructions, and what the roles of their operands say of each.
macro_rules! ops {
    ($($(#[$doc:meta])* $op:ident $({ $($field:ident: $role:ident),* })?,)*) => {
        /// An instruction.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)] // of fields: a comment on the variant says what they are
        pub enum Op {
            $($(#[$doc])* $op $({ $($field: $role),* })?,)*
        }

        impl Op {
            pub(crate) fn target(&mut self) -> Option<&mut Addr> {
                #[allow(unused_mut, unused_assignments)] // in the arms of most
                match self {
                    $(Op::$op $({ $($field),* })? => {
                        let mut target = None;
                        $($(target!($role $field, target);)*)?
                        target
                    })*
                }
            }

            fn effects_of_operands(self) -> Effects {
                let mut effects = Effects { reads: Vec::new(), writes: Vec::new(), next: Next::On, values: None };
                match self {
                    $(Op::$op $({ $($field),* })? => { $($(effect!($role $field, effects);)*)? })*
                }
                effects
            }
        }
    };
}

ops! {
    /// On from there.
    Jump { to: Addr },
    /// Jumps when the word is not 0.
    JumpIf { a: Read, to: Addr },
    /// Jumps when the word is 0.
    JumpUnless { a: Read, to: Addr },
    /// Jumps when `a < b`.
    JumpLt { a: Read, b: Read, to: Addr },
    /// Jumps when `a <= b`.
    JumpLe { a: Read, b: Read, to: Addr },
    /// Jumps when the words are not equal.
    JumpNe { a: Read, b: Read, to: Addr },
    /// Runs the lazy part at `to` unless its flag is set.
    Force { flag: Read, to: Addr },
    /// Back from a lazy part.
    Back { flag: Write },
    /// The end; the result of expression code is in value register 0.
    Stop,

    /// A constant.
    Const { d: Write, k: i32 },
    /// Constant `k` of `Code::wide`.
    ConstWide { d: Write, k: u16 },
    /// From one word register to another.
    Copy { d: Write, a: Read },
    /// The same of `b` where `a` is not 0.
    CopyIf { d: Change, a: Read, b: Read },
    /// `a + b`; as all arithmetic on words it halts where the result does not fit.
    Add { d: Write, a: Read, b: Read },
    /// `a + k`
    AddConst { d: Write, a: Read, k: i16 },
    /// `a - b`
    Sub { d: Write, a: Read, b: Read },
    /// `a * b`
    Mul { d: Write, a: Read, b: Read },
    /// `a div b`; R03 unless `b > 0`.
    Div { d: Write, a: Read, b: Read },
    /// `a mod b`; R03 unless `b > 0`.
    Mod { d: Write, a: Read, b: Read },
    /// `-a`
    Neg { d: Write, a: Read },
    /// `abs(a)`
    Abs { d: Write, a: Read },
    /// The lesser.
    Min { d: Write, a: Read, b: Read },
    /// The greater.
    Max { d: Write, a: Read, b: Read },
    /// Bitwise on nats; a negative operand faults.
    NatXor { d: Write, a: Read, b: Read },
    /// The same.
    NatAnd { d: Write, a: Read, b: Read },
    /// Whether the words are equal.
    Eq { d: Write, a: Read, b: Read },
    /// Whether they are not.
    Ne { d: Write, a: Read, b: Read },
    /// Whether `a < b`.
    Lt { d: Write, a: Read, b: Read },
    /// Whether `a <= b`.
    Le { d: Write, a: Read, b: Read },
    /// A word about numbers, as [`NumberWord::of`] says.
    Number { word: NumberWord, d: Write, a: Read, b: Read },
    /// Whether `a` is 0.
    Not { d: Write, a: Read },
    /// Faults R01 when `a` is negative; `name` is what did not get a nat.
    CheckNat { a: Read, name: u16 },

    /// The bits in both.
    And { d: Write, a: Read, b: Read },
    /// The bits in one of them or both.
    Or { d: Write, a: Read, b: Read },
    /// The bits in one of them.
    Xor { d: Write, a: Read, b: Read },
    /// The bits in `a` and not in `b`.
    AndNot { d: Write, a: Read, b: Read },
    /// `1 << a`
    Single { d: Write, a: Read },
    /// Whether member `a` is in mask `b`.
    Has { d: Write, a: Read, b: Read },
    /// The number of the pair of `a` and `b` among small pairs; one that no word for sets has where it is none.
    Pair { d: Write, a: Read, b: Read },
    /// Halts where no word for sets has `a` as a member.
    CheckMember { a: Read },
    /// The members below `a` of a word for sets of numbers.
    Below { d: Write, a: Read },
    /// The greatest member of mask `a`, which has one.
    Greatest { d: Write, a: Read },
    /// How many bits are set.
    Size { d: Write, a: Read },
    /// A table over the numbers of a domain.
    Table { d: Write, table: u16, a: Read },
    /// The same with values.
    TableValue { d: WriteValue, table: u16, a: Read },
    /// A list of words, indexed from `base`; R02 outside.
    ListTable { d: Write, table: u16, a: Read },
    /// A native function from mask to mask.
    Native { d: Write, native: u16, a: Read },

    /// `d = a - 1`, the number before the first of a range.
    RangeStart { d: Write, a: Read },
    /// The end of a loop over a range: `i += 1` and back, or on when it passes `hi`.
    RangeBack { i: Change, hi: Read, to: Addr },
    /// How far `nat` is enumerated in this sweep.
    NatLimit { d: Write },
    /// `min` or `max` of nothing: R02.
    NothingIn { max: bool },
    /// The members of a collection, ready to be taken one by one.
    Members { d: WriteValue, a: ReadValue },
    /// `i += 1`, leaves when it passes `hi`.
    RangeNext { i: Change, hi: Read, to: Addr },
    /// Takes the least member out of mask `m`, leaves when there is none.
    MaskNext { d: Write, m: Change, to: Addr },
    /// Next member of the collection in value register `items`; `cursor` is a word.
    ItemsNext { d: WriteValue, items: ReadValue, cursor: Change, to: Addr },
    /// The same, equal neighbours once.
    DistinctNext { d: WriteValue, items: ReadValue, cursor: Change, to: Addr },
    /// Next member of a list or set of ints, or of tuples of `width` ints, as words from `d` on.
    IntsNext { d: Write, width: u8, items: ReadValue, cursor: Change, to: Addr },
    /// Sets `d` and the word after it to the bounds of a compressed row.
    Row { d: Write, rows: u16, a: Read },
    /// Next entry of a row whose bounds are in `cursor` and the word after it.
    RowNext { d: Write, rows: u16, cursor: Change, to: Addr },
    /// Next edge (from word `cursor`) of an edge table with both ends in the mask after `cursor`: edge id, `u`, `v` go to
    /// the three words after `d`.
    EdgeNext { d: Write, edges: u16, cursor: Change, to: Addr },

    /// A word as a value.
    Box { d: WriteValue, a: Read, word_type: WordType },
    /// A value as a word.
    Unbox { d: Write, a: ReadValue, word_type: WordType },
    /// The int, or the least word for whatever equals no int in a word: a loopy value, a larger int, another label.
    UnboxValue { d: Write, a: ReadValue },

    /// Constant `k` of `Code::constants`.
    Value { d: WriteValue, k: u16 },
    /// A value put together from registers.
    Materialize { d: WriteValue, make: u16 },
    /// A let or input at top level.
    Global { d: WriteValue, global: u32 },
    /// A drawing or data file that could not be read while lowering.
    Drawing { d: WriteValue, drawing: u16 },
    /// From one value register to another.
    Move { d: WriteValue, a: ReadValue },
    /// An operator on values.
    Binary { op: BinaryOp, d: WriteValue, a: ReadValue, b: ReadValue },
    /// The truth goes to a word.
    Compare { op: CompareOp, d: Write, a: ReadValue, b: ReadValue },
    /// `-a`
    NegValue { d: WriteValue, a: ReadValue },
    /// A built-in word.
    Call { spec: u16 },
    /// `a[i]`
    Index { d: WriteValue, a: ReadValue, i: ReadValue },
    /// The same with the index in a word register.
    IndexWord { d: WriteValue, a: ReadValue, i: Read },
    /// The same where the item is an int.
    IndexInt { d: Write, a: ReadValue, i: Read },
    /// `a[from..to]`
    Slice { spec: u16 },
    /// `a[i := x, ..]`
    Update { spec: u16 },
    /// The pairs collected by the builder, applied to `a`.
    UpdateBuilt { d: WriteValue, a: ReadValue, op: SetOp },
    /// A part of a tuple, edge or list of `arity` parts.
    Part { d: WriteValue, a: ReadValue, index: u16, arity: u16 },
    /// Checks and adapts a value that enters a declared kind.
    Enter { d: WriteValue, a: ReadValue, spec: u16 },
    /// Adapts a value to a type.
    Adapt { d: WriteValue, a: ReadValue, ty: u16 },
    /// Starts collecting.
    Build,
    /// Adds one item.
    BuildPush { a: ReadValue },
    /// Adds all members.
    BuildSpread { a: ReadValue },
    /// What was collected.
    BuildDone { d: WriteValue, gather: Gather },
    /// A component as [`Op::Place`] makes it, collected for [`Op::BuildSum`].
    PlaceInto { spec: u16 },
    /// The sum of what was collected.
    BuildSum { d: WriteValue },
    /// The floor or ceiling of a linear function of an int.
    Floor { d: Write, a: Read, spec: u16 },
    /// A recursive def.
    Invoke { spec: u16 },
    /// A question about the position in `a`.
    Ask { word: Builtin, d: WriteValue, a: ReadValue },
    /// A position of one component.
    Place { spec: u16 },
    /// The position, played in misere.
    Misere { d: WriteValue, a: ReadValue },
    /// Tags all components of the position in `d` with the words of the spec.
    Tag { d: ChangeValue, spec: u16 },

    /// Starts a target.
    Target,
    /// Adds a component whose fields are in registers.
    PushPlace { spec: u16 },
    /// Adds all components of a position value.
    PushValue { a: ReadValue },
    /// A move with the target collected.
    Emit { spec: u16 },
    /// A move to one component whose fields are in registers.
    EmitOne { push: u16, spec: u16 },
    /// A move that ends the whole play.
    EmitStop { spec: u16, outcome: Outcome },
    /// An `end when` that holds.
    Ended { who: WhoWins },
    /// An `end when` with points holds, which are in a word register.
    EndedScore { a: Read },
    /// The same with points in a value register.
    EndedLargeScore { a: ReadValue },
    /// The header's `where` of the component being made does not hold.
    OutsideDomain { spec: u16 },
    /// One way through the clauses: hands the values of the spec to the caller.
    Yield { spec: u16 },
}

/// Where an instruction leads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Next {
    /// To the next one.
    On,
    /// To the next one or away.
    Fork(Addr),
    /// Only away.
    Away(Addr),
    /// Into a lazy part, or on.
    Force(Addr),
    Back,
    /// Nowhere: the end, or a fault.
    End,
}

/// The registers that an instruction reads and writes, and where it leads.
#[derive(Clone, Debug)]
pub(crate) struct Effects {
    /// Word registers.
    pub(crate) reads: Vec<Reg>,
    pub(crate) writes: Vec<Reg>,
    pub(crate) next: Next,
    /// What it does with values; native code leaves that to a call.
    pub(crate) values: Option<ValueEffects>,
}

/// What an instruction does with value registers.
#[derive(Clone, Debug, Default)]
pub(crate) struct ValueEffects {
    pub(crate) reads: Vec<Reg>,
    pub(crate) write: Option<Reg>,
    /// It cannot fault and does nothing but write its register.
    pub(crate) pure: bool,
}

impl Effects {
    fn on_values(&mut self) -> &mut ValueEffects {
        self.values.get_or_insert_default()
    }

    /// The instruction reads these value registers, and makes one.
    fn makes(&mut self, reads: impl IntoIterator<Item = Reg>, d: Reg) {
        let values = self.on_values();
        values.reads.extend(reads);
        values.write = Some(d);
    }
}

impl Op {
    /// What native code has to know of it; `Err`: it cannot do it.
    pub(crate) fn effects(self, code: &Code) -> Result<Effects, Refusal> {
        let mut e = self.effects_of_operands();
        let pushed = |spec: u16| code.pushes[usize::from(spec)].words.as_deref().ok_or(Refusal::TargetNoWords);
        let gain = |spec: u16| match code.emits[usize::from(spec)].gain {
            Some(FieldReg::Value(_)) => Err(Refusal::LargePoints),
            Some(FieldReg::Word(reg)) => Ok(Some(reg)),
            None => Ok(None),
        };
        match self {
            Op::Jump { to } => e.next = Next::Away(to),
            Op::Force { to, .. } => e.next = Next::Force(to),
            Op::Back { .. } => e.next = Next::Back,
            Op::Stop | Op::NothingIn { .. } | Op::OutsideDomain { .. } => e.next = Next::End,
            Op::Row { d, .. } => e.writes.push(d + 1),
            Op::IntsNext { d, width, .. } => e.writes.extend(d + 1..d + Reg::from(width)),
            Op::RowNext { cursor, .. } => e.reads.push(cursor + 1),
            Op::EdgeNext { d, cursor, .. } => {
                e.reads.push(cursor + 1);
                e.writes.extend([d + 1, d + 2]);
            }
            Op::PushPlace { spec } => e.reads.extend(pushed(spec)?),
            Op::Emit { spec } => e.reads.extend(gain(spec)?),
            Op::EmitOne { push, spec } => e.reads.extend(pushed(push)?.iter().copied().chain(gain(spec)?)),
            Op::Materialize { make, .. } => {
                let (mut words, mut values) = (Vec::new(), Vec::new());
                code.makes[usize::from(make)].registers(&mut words, &mut values);
                e.reads = words;
                e.on_values().reads = values;
            }
            Op::Call { spec } => {
                let spec = &code.calls[usize::from(spec)];
                e.makes(spec.args.iter().copied(), spec.d);
            }
            Op::Slice { spec } => {
                let spec = &code.slices[usize::from(spec)];
                e.makes([Some(spec.a), spec.from, spec.to].into_iter().flatten(), spec.d);
            }
            Op::Update { spec } => {
                let spec = &code.updates[usize::from(spec)];
                e.makes(spec.changes.iter().flat_map(|&(i, _, x)| [i, x]).chain([spec.a]), spec.d);
            }
            Op::Enter { spec, .. } => {
                e.on_values().reads.extend(code.enters[usize::from(spec)].graphs.iter().map(|(_, graph)| *graph));
            }
            Op::Invoke { spec } => {
                let spec = &code.invokes[usize::from(spec)];
                e.makes(spec.args.iter().flatten().copied(), spec.d);
            }
            Op::Place { spec } => {
                let spec = &code.places[usize::from(spec)];
                e.makes(spec.registers(), spec.d);
            }
            Op::PlaceInto { spec } => e.on_values().reads.extend(code.places[usize::from(spec)].registers()),
            Op::Tag { spec, .. } => e.reads.extend(&code.registers[usize::from(spec)]),
            Op::Build | Op::Floor { .. } => e.values = Some(ValueEffects::default()),
            Op::NatLimit { .. } => return Err(Refusal::RunsThroughNat),
            Op::PushValue { .. } | Op::Yield { .. } => return Err(Refusal::WorksOnValues),
            _ => {}
        }
        if let Some(values) = &mut e.values {
            values.pure = matches!(
                self,
                Op::Box { .. }
                    | Op::Value { .. }
                    | Op::Materialize { .. }
                    | Op::Move { .. }
                    | Op::TableValue { .. }
                    | Op::Global { .. }
            );
        }
        Ok(e)
    }

    /// Whether native code makes a call for it, unless nothing reads what it makes.
    pub(crate) fn is_on_values(self, code: &Code) -> bool {
        self.effects(code).is_ok_and(|effects| effects.values.is_some())
    }
}

impl Code {
    /// The first instruction that native code cannot do; `None`: there is none.
    pub fn first_not_native(&self) -> Option<Op> {
        self.ops.iter().copied().find(|op| op.effects(self).is_err())
    }

    /// Whether native code of it calls for instructions on values.
    pub(crate) fn calls_for_values(&self) -> bool {
        let effects = self.ops.iter().filter_map(|op| op.effects(self).ok());
        effects.filter_map(|effects| effects.values).any(|values| !values.pure)
    }
}
