//! The instructions, and what each reads, writes and leads to.

use crate::bytecode::{Addr, Code, DomainId, Reg};
use crate::model::{BinaryOp, Builtin, CompareOp, Gather};
use crate::syntax::tree::{Outcome, SetOp};
use crate::value::refusal::Refusal;
use crate::words::number::NumberWord;

/// An instruction. `d` is written, the others are read; `to` is where it may jump.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // of fields: a comment on the variant says what they are
pub enum Op {
    /// Nothing.
    Nop,
    /// On from there.
    Jump(Addr),
    /// Jumps when the word is not 0.
    JumpIf(Reg, Addr),
    /// Jumps when the word is 0.
    JumpUnless(Reg, Addr),
    /// Jumps when `a < b`.
    JumpLt { a: Reg, b: Reg, to: Addr },
    /// Jumps when `a <= b`.
    JumpLe { a: Reg, b: Reg, to: Addr },
    /// Jumps when the words are not equal.
    JumpNe { a: Reg, b: Reg, to: Addr },
    /// Runs the lazy part at `to` unless its flag is set.
    Force { flag: Reg, to: Addr },
    /// Back from a lazy part.
    Back { flag: Reg },
    /// The end; the result of expression code is in value register 0.
    Stop,

    /// A constant.
    Const { d: Reg, k: i32 },
    /// Constant `k` of `Code::wide`.
    ConstWide { d: Reg, k: u16 },
    /// From one word register to another.
    Copy { d: Reg, a: Reg },
    /// `a + b`; as all arithmetic on words it halts where the result does not fit.
    Add { d: Reg, a: Reg, b: Reg },
    /// `a + k`
    AddConst { d: Reg, a: Reg, k: i16 },
    /// `a - b`
    Sub { d: Reg, a: Reg, b: Reg },
    /// `a * b`
    Mul { d: Reg, a: Reg, b: Reg },
    /// `a div b`; R03 unless `b > 0`.
    Div { d: Reg, a: Reg, b: Reg },
    /// `a mod b`; R03 unless `b > 0`.
    Mod { d: Reg, a: Reg, b: Reg },
    /// `-a`
    Neg { d: Reg, a: Reg },
    /// `abs(a)`
    Abs { d: Reg, a: Reg },
    /// The lesser.
    Min { d: Reg, a: Reg, b: Reg },
    /// The greater.
    Max { d: Reg, a: Reg, b: Reg },
    /// Bitwise on nats; a negative operand faults.
    NatXor { d: Reg, a: Reg, b: Reg },
    /// The same.
    NatAnd { d: Reg, a: Reg, b: Reg },
    /// Whether the words are equal.
    Eq { d: Reg, a: Reg, b: Reg },
    /// Whether they are not.
    Ne { d: Reg, a: Reg, b: Reg },
    /// Whether `a < b`.
    Lt { d: Reg, a: Reg, b: Reg },
    /// Whether `a <= b`.
    Le { d: Reg, a: Reg, b: Reg },
    /// A word about numbers, as [`NumberWord::of`] says.
    Number { word: NumberWord, d: Reg, a: Reg, b: Reg },
    /// Whether `a` is 0.
    Not { d: Reg, a: Reg },
    /// Faults R01 when `a` is negative; `name` is what did not get a nat.
    CheckNat { a: Reg, name: u16 },

    /// The bits in both.
    And { d: Reg, a: Reg, b: Reg },
    /// The bits in one of them or both.
    Or { d: Reg, a: Reg, b: Reg },
    /// The bits in one of them.
    Xor { d: Reg, a: Reg, b: Reg },
    /// The bits in `a` and not in `b`.
    AndNot { d: Reg, a: Reg, b: Reg },
    /// `1 << a`
    Single { d: Reg, a: Reg },
    /// Whether member `a` is in mask `b`.
    Has { d: Reg, a: Reg, b: Reg },
    /// The number of the pair of `a` and `b` among small pairs; one that no word for sets has where it is none.
    Pair { d: Reg, a: Reg, b: Reg },
    /// Halts where no word for sets has `a` as a member.
    CheckMember { a: Reg },
    /// The members below `a` of a word for sets of numbers.
    Below { d: Reg, a: Reg },
    /// The greatest member of mask `a`, which has one.
    Greatest { d: Reg, a: Reg },
    /// How many bits are set.
    Size { d: Reg, a: Reg },
    /// A table over the numbers of a domain.
    Table { d: Reg, table: u16, a: Reg },
    /// The same with values.
    TableValue { d: Reg, table: u16, a: Reg },
    /// A list of words, indexed from `base`; R02 outside.
    ListTable { d: Reg, table: u16, a: Reg },
    /// A native function from mask to mask.
    Native { d: Reg, native: u16, a: Reg },

    /// `d = a - 1`, the number before the first of a range.
    RangeStart { d: Reg, a: Reg },
    /// The end of a loop over a range: `i += 1` and back, or on when it passes `hi`.
    RangeBack { i: Reg, hi: Reg, to: Addr },
    /// How far `nat` is enumerated in this sweep.
    NatLimit { d: Reg },
    /// `min` or `max` of nothing: R02.
    NothingIn { max: bool },
    /// The members of a collection, ready to be taken one by one.
    Members { d: Reg, a: Reg },
    /// `i += 1`, leaves when it passes `hi`.
    RangeNext { i: Reg, hi: Reg, to: Addr },
    /// Takes the least member out of mask `m`, leaves when there is none.
    MaskNext { d: Reg, m: Reg, to: Addr },
    /// Next member of the collection in value register `items`; `cursor` is a word.
    ItemsNext { d: Reg, items: Reg, cursor: Reg, to: Addr },
    /// The same, equal neighbours once.
    DistinctNext { d: Reg, items: Reg, cursor: Reg, to: Addr },
    /// Sets `d` and the word after it to the bounds of a compressed row.
    Row { d: Reg, rows: u16, a: Reg },
    /// Next entry of a row whose bounds are in `cursor` and the word after it.
    RowNext { d: Reg, rows: u16, cursor: Reg, to: Addr },
    /// Next edge (from word `cursor`) of an edge table with both ends in the mask after `cursor`: edge id, `u`, `v` go to
    /// the three words after `d`.
    EdgeNext { d: Reg, edges: u16, cursor: Reg, to: Addr },

    /// A word as the value of an int.
    BoxInt { d: Reg, a: Reg },
    /// As a truth value.
    BoxBool { d: Reg, a: Reg },
    /// As a member of a domain.
    BoxMember { d: Reg, a: Reg, domain: DomainId },
    /// As a set of members.
    BoxMask { d: Reg, a: Reg, domain: DomainId },
    /// The value of an int as a word.
    UnboxInt { d: Reg, a: Reg },
    /// The same of points: R06 where they do not fit.
    UnboxPoints { d: Reg, a: Reg },
    /// Of a truth value.
    UnboxBool { d: Reg, a: Reg },
    /// Of a member of a domain.
    UnboxMember { d: Reg, a: Reg, domain: DomainId },
    /// Of a set of members.
    UnboxMask { d: Reg, a: Reg, domain: DomainId },

    /// Constant `k` of `Code::constants`.
    Value { d: Reg, k: u16 },
    /// A value put together from registers.
    Materialize { d: Reg, make: u16 },
    /// A let or input at top level.
    Global { d: Reg, global: u32 },
    /// A drawing or data file that could not be read while lowering.
    Drawing { d: Reg, drawing: u16 },
    /// From one value register to another.
    Move { d: Reg, a: Reg },
    /// An operator on values.
    Binary { op: BinaryOp, d: Reg, a: Reg, b: Reg },
    /// The truth goes to a word.
    Compare { op: CompareOp, d: Reg, a: Reg, b: Reg },
    /// `-a`
    NegValue { d: Reg, a: Reg },
    /// A built-in word.
    Call { spec: u16 },
    /// `a[i]`
    Index { d: Reg, a: Reg, i: Reg },
    /// The same with the index in a word register.
    IndexWord { d: Reg, a: Reg, i: Reg },
    /// `a[from..to]`
    Slice { spec: u16 },
    /// `a[i := x, ..]`
    Update { spec: u16 },
    /// The pairs collected by the builder, applied to `a`.
    UpdateBuilt { d: Reg, a: Reg, op: SetOp },
    /// A tuple of registers: the first of the list is written.
    Tuple { spec: u16 },
    /// A part of a tuple, edge or list.
    Part { spec: u16 },
    /// Checks and adapts a value that enters a declared kind.
    Enter { d: Reg, a: Reg, spec: u16 },
    /// Adapts a value to a type.
    Adapt { d: Reg, a: Reg, ty: u16 },
    /// `a..b`
    Range { d: Reg, a: Reg, b: Reg },
    /// Starts collecting.
    Build,
    /// Adds one item.
    BuildPush { a: Reg },
    /// Adds all members.
    BuildSpread { a: Reg },
    /// What was collected.
    BuildDone { d: Reg, gather: Gather },
    /// A component as [`Op::Place`] makes it, collected for [`Op::BuildSum`].
    PlaceInto { spec: u16 },
    /// The sum of what was collected.
    BuildSum { d: Reg },
    /// The floor or ceiling of a linear function of an int.
    Floor { d: Reg, a: Reg, spec: u16 },
    /// A recursive def.
    Invoke { spec: u16 },
    /// A question about the position in `a`.
    Ask { word: Builtin, d: Reg, a: Reg },
    /// A position of one component.
    Place { spec: u16 },
    /// The position, played in misere.
    Misere { d: Reg, a: Reg },
    /// Tags all components of the position in `d` with the words of the spec.
    Tag { d: Reg, spec: u16 },

    /// Starts a target.
    Target,
    /// Adds a component whose fields are in registers.
    PushPlace { spec: u16 },
    /// Adds all components of a position value.
    PushValue { a: Reg },
    /// A move with the target collected.
    Emit { spec: u16 },
    /// A move to one component whose fields are in registers.
    EmitOne { push: u16, spec: u16 },
    /// A move that ends the whole play.
    EmitStop { spec: u16, outcome: Outcome },
    /// An `end when` that holds; 0 over, 1 lost, 2 won, 3 drawn (of the player to move).
    Ended { status: u8 },
    /// An `end when` with points holds, which are in a word register.
    EndedScore { a: Reg },
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

impl Op {
    pub(crate) fn target(&mut self) -> Option<&mut Addr> {
        match self {
            Op::Jump(to)
            | Op::JumpIf(_, to)
            | Op::JumpUnless(_, to)
            | Op::JumpLt { to, .. }
            | Op::JumpLe { to, .. }
            | Op::JumpNe { to, .. }
            | Op::Force { to, .. }
            | Op::RangeNext { to, .. }
            | Op::RangeBack { to, .. }
            | Op::MaskNext { to, .. }
            | Op::ItemsNext { to, .. }
            | Op::DistinctNext { to, .. }
            | Op::RowNext { to, .. }
            | Op::EdgeNext { to, .. } => Some(to),
            _ => None,
        }
    }

    /// What native code has to know of it; `Err`: it cannot do it.
    pub(crate) fn effects(mut self, code: &Code) -> Result<Effects, Refusal> {
        let of = |reads: &[Reg], writes: &[Reg]| (reads.to_vec(), writes.to_vec());
        if let Some((reads, writes, values)) = self.on_values(code) {
            let next = self.target().map_or(Next::On, |to| Next::Fork(*to));
            return Ok(Effects { reads, writes, next, values: Some(values) });
        }
        let pushed = |spec: u16| code.pushes[usize::from(spec)].words.as_deref().ok_or(Refusal::TargetNoWords);
        let gain = |spec: u16| code.emits[usize::from(spec)].gain.as_slice();
        let (reads, writes) = match self {
            Op::JumpIf(a, _)
            | Op::JumpUnless(a, _)
            | Op::Force { flag: a, .. }
            | Op::CheckNat { a, .. }
            | Op::CheckMember { a }
            | Op::EndedScore { a } => of(&[a], &[]),
            Op::JumpLt { a, b, .. } | Op::JumpLe { a, b, .. } | Op::JumpNe { a, b, .. } => of(&[a, b], &[]),
            Op::Const { d, .. } | Op::ConstWide { d, .. } | Op::Back { flag: d } => of(&[], &[d]),
            Op::Copy { d, a }
            | Op::AddConst { d, a, .. }
            | Op::Neg { d, a }
            | Op::Abs { d, a }
            | Op::Not { d, a }
            | Op::Single { d, a }
            | Op::Size { d, a }
            | Op::Below { d, a }
            | Op::Greatest { d, a }
            | Op::Table { d, a, .. }
            | Op::ListTable { d, a, .. }
            | Op::Native { d, a, .. }
            | Op::RangeStart { d, a } => of(&[a], &[d]),
            Op::Add { d, a, b }
            | Op::Sub { d, a, b }
            | Op::Mul { d, a, b }
            | Op::Div { d, a, b }
            | Op::Mod { d, a, b }
            | Op::Min { d, a, b }
            | Op::Max { d, a, b }
            | Op::NatXor { d, a, b }
            | Op::NatAnd { d, a, b }
            | Op::Eq { d, a, b }
            | Op::Ne { d, a, b }
            | Op::Lt { d, a, b }
            | Op::Le { d, a, b }
            | Op::And { d, a, b }
            | Op::Or { d, a, b }
            | Op::Xor { d, a, b }
            | Op::AndNot { d, a, b }
            | Op::Number { d, a, b, .. }
            | Op::Pair { d, a, b }
            | Op::Has { d, a, b } => of(&[a, b], &[d]),
            Op::RangeNext { i, hi, .. } | Op::RangeBack { i, hi, .. } => of(&[i, hi], &[i]),
            Op::MaskNext { d, m, .. } => of(&[m], &[d, m]),
            Op::Row { d, a, .. } => of(&[a], &[d, d + 1]),
            Op::RowNext { d, cursor, .. } => of(&[cursor, cursor + 1], &[d, cursor]),
            Op::EdgeNext { d, cursor, .. } => of(&[cursor, cursor + 1], &[d, d + 1, d + 2, cursor]),
            Op::Nop
            | Op::Jump(_)
            | Op::Stop
            | Op::NothingIn { .. }
            | Op::OutsideDomain { .. }
            | Op::Target
            | Op::EmitStop { .. }
            | Op::Ended { .. } => of(&[], &[]),
            Op::PushPlace { spec } => of(pushed(spec)?, &[]),
            Op::Emit { spec } => of(gain(spec), &[]),
            Op::EmitOne { push, spec } => of(&[pushed(push)?, gain(spec)].concat(), &[]),
            Op::NatLimit { .. } => return Err(Refusal::RunsThroughNat),
            _ => return Err(Refusal::WorksOnValues),
        };
        let next = match (self, self.target().copied()) {
            (Op::Jump(_), Some(to)) => Next::Away(to),
            (Op::Force { .. }, Some(to)) => Next::Force(to),
            (_, Some(to)) => Next::Fork(to),
            (Op::Back { .. }, None) => Next::Back,
            (Op::Stop | Op::NothingIn { .. } | Op::OutsideDomain { .. }, None) => Next::End,
            (_, None) => Next::On,
        };
        Ok(Effects { reads, writes, next, values: None })
    }

    /// Word registers read and written, and value registers, of an instruction on values.
    pub(crate) fn on_values(self, code: &Code) -> Option<(Vec<Reg>, Vec<Reg>, ValueEffects)> {
        let made = |reads: &[Reg], d: Reg| (Vec::new(), Vec::new(), reads.to_vec(), Some(d));
        let pure = matches!(
            self,
            Op::BoxInt { .. }
                | Op::BoxBool { .. }
                | Op::BoxMember { .. }
                | Op::BoxMask { .. }
                | Op::Value { .. }
                | Op::Materialize { .. }
                | Op::Move { .. }
                | Op::Tuple { .. }
                | Op::TableValue { .. }
                | Op::Global { .. }
        );
        let (words, written, reads, write) = match self {
            Op::BoxInt { d, a }
            | Op::BoxBool { d, a }
            | Op::BoxMember { d, a, .. }
            | Op::BoxMask { d, a, .. }
            | Op::TableValue { d, a, .. } => (vec![a], Vec::new(), Vec::new(), Some(d)),
            Op::Floor { d, a, .. } => (vec![a], vec![d], Vec::new(), None),
            Op::UnboxInt { d, a }
            | Op::UnboxPoints { d, a }
            | Op::UnboxBool { d, a }
            | Op::UnboxMember { d, a, .. }
            | Op::UnboxMask { d, a, .. } => (Vec::new(), vec![d], vec![a], None),
            Op::Value { d, .. }
            | Op::Global { d, .. }
            | Op::BuildDone { d, .. }
            | Op::BuildSum { d }
            | Op::Drawing { d, .. } => made(&[], d),
            Op::Materialize { d, make } => {
                let (mut words, mut values) = (Vec::new(), Vec::new());
                code.makes[usize::from(make)].registers(&mut words, &mut values);
                (words, Vec::new(), values, Some(d))
            }
            Op::Members { d, a }
            | Op::Move { d, a }
            | Op::NegValue { d, a }
            | Op::Adapt { d, a, .. }
            | Op::UpdateBuilt { d, a, .. }
            | Op::Ask { d, a, .. }
            | Op::Misere { d, a } => made(&[a], d),
            Op::Binary { d, a, b, .. } | Op::Range { d, a, b } | Op::Index { d, a, i: b } => made(&[a, b], d),
            Op::ItemsNext { d, items, cursor, .. } | Op::DistinctNext { d, items, cursor, .. } => {
                (vec![cursor], vec![cursor], vec![items], Some(d))
            }
            Op::Compare { d, a, b, .. } => (Vec::new(), vec![d], vec![a, b], None),
            Op::Call { spec } => {
                let spec = &code.calls[usize::from(spec)];
                made(&spec.args, spec.d)
            }
            Op::IndexWord { d, a, i } => (vec![i], Vec::new(), vec![a], Some(d)),
            Op::Slice { spec } => {
                let spec = &code.slices[usize::from(spec)];
                let reads: Vec<Reg> = [Some(spec.a), spec.from, spec.to].into_iter().flatten().collect();
                made(&reads, spec.d)
            }
            Op::Update { spec } => {
                let spec = &code.updates[usize::from(spec)];
                let changes = spec.changes.iter().flat_map(|&(i, _, x)| [i, x]);
                made(&changes.chain([spec.a]).collect::<Vec<_>>(), spec.d)
            }
            Op::Tuple { spec } => {
                let registers = &code.registers[usize::from(spec)];
                made(&registers[1..], registers[0])
            }
            Op::Part { spec } => {
                let spec = &code.parts[usize::from(spec)];
                made(&[spec.a], spec.d)
            }
            Op::Enter { d, a, spec } => {
                let graphs = code.enters[usize::from(spec)].graphs.iter().map(|(_, graph)| *graph);
                made(&graphs.chain([a]).collect::<Vec<_>>(), d)
            }
            Op::Invoke { spec } => {
                let spec = &code.invokes[usize::from(spec)];
                made(&spec.args.iter().flatten().copied().collect::<Vec<_>>(), spec.d)
            }
            Op::Place { spec } => {
                let spec = &code.places[usize::from(spec)];
                made(&spec.registers().collect::<Vec<_>>(), spec.d)
            }
            Op::PlaceInto { spec } => {
                (Vec::new(), Vec::new(), code.places[usize::from(spec)].registers().collect(), None)
            }
            Op::Tag { d, spec } => (code.registers[usize::from(spec)].to_vec(), Vec::new(), vec![d], Some(d)),
            Op::Build => (Vec::new(), Vec::new(), Vec::new(), None),
            Op::BuildPush { a } | Op::BuildSpread { a } => (Vec::new(), Vec::new(), vec![a], None),
            _ => return None,
        };
        Some((words, written, ValueEffects { reads, write, pure }))
    }
}

impl Code {
    /// The first instruction that native code cannot do; `None`: there is none.
    pub fn first_not_native(&self) -> Option<Op> {
        self.ops.iter().copied().find(|op| op.effects(self).is_err())
    }

    /// Whether native code of it calls for instructions on values.
    pub(crate) fn calls_for_values(&self) -> bool {
        self.ops.iter().any(|op| op.on_values(self).is_some_and(|(.., values)| !values.pure))
    }
}
