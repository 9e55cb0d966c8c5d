//! What instructions read, write and lead to; which registers are alive where; the loops.
//!
//! Only instructions that stay in word registers have a shape here. Code with others is left to the instruction loop.

use crate::bytecode::{Addr, Code, FieldReg, Op, Reg};
use crate::value::refusal::Refusal;

/// Where an instruction leads.
pub(crate) enum Next {
    /// To the next one.
    On,
    /// To the next one or away.
    Fork(Addr),
    /// Only away.
    Away(Addr),
    /// Into a lazy part, or on.
    Force(Addr),
    /// Back from a lazy part.
    Back,
    /// Nowhere: the end, or a fault.
    End,
}

/// The word registers that an instruction reads and writes, and where it leads.
pub(crate) struct Shape {
    pub(crate) reads: Vec<Reg>,
    pub(crate) writes: Vec<Reg>,
    pub(crate) next: Next,
}

fn on(reads: &[Reg], writes: &[Reg]) -> Shape {
    Shape { reads: reads.to_vec(), writes: writes.to_vec(), next: Next::On }
}

fn fork(reads: &[Reg], writes: &[Reg], to: Addr) -> Shape {
    Shape { reads: reads.to_vec(), writes: writes.to_vec(), next: Next::Fork(to) }
}

fn pushed(code: &Code, push: u16) -> Option<Vec<Reg>> {
    let word = |field: &FieldReg| match field {
        FieldReg::Word(reg) => Some(*reg),
        FieldReg::Value(_) => None,
    };
    code.pushes[usize::from(push)].fields.iter().map(word).collect()
}

/// The shape of an instruction; `Err` names what native code cannot do.
pub(crate) fn shape(op: &Op, code: &Code) -> Result<Shape, Refusal> {
    Ok(match *op {
        Op::Jump(to) => Shape { reads: Vec::new(), writes: Vec::new(), next: Next::Away(to) },
        Op::JumpIf(a, to) | Op::JumpUnless(a, to) => fork(&[a], &[], to),
        Op::JumpLt { a, b, to } | Op::JumpLe { a, b, to } | Op::JumpEq { a, b, to } | Op::JumpNe { a, b, to } => {
            fork(&[a, b], &[], to)
        }
        Op::Force { flag, to } => Shape { reads: vec![flag], writes: Vec::new(), next: Next::Force(to) },
        Op::Back { flag } => Shape { reads: Vec::new(), writes: vec![flag], next: Next::Back },
        Op::Stop | Op::NothingIn { .. } | Op::OutsideDomain { .. } => {
            Shape { reads: Vec::new(), writes: Vec::new(), next: Next::End }
        }
        Op::Const { d, .. } | Op::ConstWide { d, .. } => on(&[], &[d]),
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
        | Op::RangeStart { d, a } => on(&[a], &[d]),
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
        | Op::Pair { d, a, b }
        | Op::Has { d, a, b } => on(&[a, b], &[d]),
        Op::CheckNat { a, .. } | Op::CheckMember { a } => on(&[a], &[]),
        Op::RangeNext { i, hi, to } | Op::RangeBack { i, hi, to } => fork(&[i, hi], &[i], to),
        Op::MaskNext { d, m, to } => fork(&[m], &[d, m], to),
        Op::Row { d, a, .. } => on(&[a], &[d, d + 1]),
        Op::RowNext { d, cursor, to, .. } => fork(&[cursor, cursor + 1], &[d, cursor], to),
        Op::EdgeNext { d, cursor, to, .. } => fork(&[cursor, cursor + 1], &[d, d + 1, d + 2, cursor], to),
        // Values that only name a move's binders are not wanted here.
        Op::Nop
        | Op::Target
        | Op::EmitStop { .. }
        | Op::Ended { .. }
        | Op::BoxInt { .. }
        | Op::BoxBool { .. }
        | Op::BoxMember { .. }
        | Op::BoxMask { .. }
        | Op::Value { .. }
        | Op::Materialize { .. }
        | Op::Move { .. } => on(&[], &[]),
        Op::PushPlace { spec } | Op::EmitOne { push: spec, .. } => {
            let reads = pushed(code, spec).ok_or(Refusal::TargetNoWords)?;
            on(&reads, &[])
        }
        Op::Emit { spec } => {
            if code.emits[usize::from(spec)].gain.is_some() {
                return Err(Refusal::GainsPoints);
            }
            on(&[], &[])
        }
        Op::EndedScore { .. } => return Err(Refusal::EndsWithPoints),
        Op::NatLimit { .. } => return Err(Refusal::RunsThroughNat),
        Op::Ask { .. } => return Err(Refusal::AsksQuestions),
        Op::Invoke { .. } => return Err(Refusal::CallsRecursion),
        _ => return Err(Refusal::WorksOnValues),
    })
}

/// How often a loop runs, as far as registers tell.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Count {
    /// From the first register to the second.
    Range(Reg, Reg),
    /// Over a row between the bounds in a register and the next.
    Row(Reg),
    /// The members of a mask.
    Mask(Reg),
    /// Edges of a table from the cursor on.
    Edges(Reg, u16),
    /// Not known.
    Unknown,
}

/// A loop: entered at its header only.
#[derive(Debug)]
pub(crate) struct Loop {
    /// Registers written in it.
    pub(crate) writes: Vec<Reg>,
    pub(crate) count: Count,
}

/// What is known of a piece of code before it is translated.
pub(crate) struct Flow {
    /// Instructions that others jump to.
    pub(crate) leaders: Vec<bool>,
    /// For each instruction the word registers whose contents matter there, as bits.
    live: Vec<Vec<u64>>,
    /// Loops by header.
    pub(crate) loops: Vec<Option<Loop>>,
}

impl Flow {
    /// `O(instructions * registers)` for code without deep nests of loops.
    pub(crate) fn new(code: &Code) -> Result<Flow, Refusal> {
        /// Longer code is left to the instruction loop.
        const LONGEST: usize = 6_000;
        if code.ops.len() > LONGEST || code.words > LONGEST || code.too_big {
            return Err(Refusal::TooLong);
        }
        let shapes = code.ops.iter().map(|op| shape(op, code)).collect::<Result<Vec<_>, _>>()?;
        let returns: Vec<usize> =
            (0..shapes.len()).filter(|&i| matches!(shapes[i].next, Next::Force(_))).map(|i| i + 1).collect();
        let after = |i: usize| -> Vec<usize> {
            match shapes[i].next {
                Next::On => vec![i + 1],
                Next::Fork(to) | Next::Force(to) => vec![i + 1, to as usize],
                Next::Away(to) => vec![to as usize],
                Next::Back => returns.clone(),
                Next::End => Vec::new(),
            }
        };
        let next: Vec<Vec<usize>> = (0..shapes.len()).map(after).collect();
        let mut leaders = vec![false; shapes.len() + 1];
        for (i, shape) in shapes.iter().enumerate() {
            if !matches!(shape.next, Next::On) {
                for &to in &next[i] {
                    leaders[to] = true;
                }
            }
        }
        let live = live(&shapes, &next, code.words);
        let loops = loops(code, &shapes, &next);
        Ok(Flow { leaders, live, loops })
    }

    pub(crate) fn is_live(&self, at: usize, reg: usize) -> bool {
        self.live[at][reg / 64] >> (reg % 64) & 1 == 1
    }
}

fn live(shapes: &[Shape], next: &[Vec<usize>], words: usize) -> Vec<Vec<u64>> {
    let width = words / 64 + 1;
    let mut live = vec![vec![0u64; width]; shapes.len()];
    loop {
        let mut changed = false;
        for i in (0..shapes.len()).rev() {
            let mut now = vec![0u64; width];
            for &to in &next[i] {
                now.iter_mut().zip(&live[to]).for_each(|(a, b)| *a |= b);
            }
            for &reg in &shapes[i].writes {
                now[usize::from(reg) / 64] &= !(1 << (reg % 64));
            }
            for &reg in &shapes[i].reads {
                now[usize::from(reg) / 64] |= 1 << (reg % 64);
            }
            if now != live[i] {
                live[i] = now;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

/// Natural loops of the edges that lead back (Aho, Lam, Sethi, Ullman, Compilers, 9.6.6).
fn loops(code: &Code, shapes: &[Shape], next: &[Vec<usize>]) -> Vec<Option<Loop>> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); shapes.len()];
    for (i, all) in next.iter().enumerate() {
        for &to in all {
            before[to].push(i);
        }
    }
    let mut loops: Vec<Option<Loop>> = (0..shapes.len()).map(|_| None).collect();
    for (from, all) in next.iter().enumerate() {
        for &header in all.iter().filter(|&&to| to <= from) {
            if matches!(shapes[from].next, Next::Force(_) | Next::Back) {
                continue;
            }
            let mut inside = vec![false; shapes.len()];
            inside[header] = true;
            let mut todo = vec![from];
            while let Some(i) = todo.pop() {
                if !std::mem::replace(&mut inside[i], true) {
                    todo.extend(&before[i]);
                }
            }
            let count = match (code.ops[from], code.ops[header]) {
                (Op::RangeBack { i, hi, .. }, _) => Count::Range(i, hi),
                (_, Op::RowNext { cursor, .. }) => Count::Row(cursor),
                (_, Op::MaskNext { m, .. }) => Count::Mask(m),
                (_, Op::EdgeNext { cursor, edges, .. }) => Count::Edges(cursor, edges),
                _ => Count::Unknown,
            };
            let found = loops[header].get_or_insert(Loop { writes: Vec::new(), count });
            for i in (0..shapes.len()).filter(|&i| inside[i]) {
                found.writes.extend(&shapes[i].writes);
            }
            found.writes.sort_unstable();
            found.writes.dedup();
        }
    }
    loops
}
