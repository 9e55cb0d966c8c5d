//! Which code runs on words alone, as native code must.

use crate::bytecode::Code;
use crate::bytecode::op::Op;
use crate::bytecode::specs::{FieldReg, Materialize};

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
            spec.gain.is_none() && spec.binders.iter().all(Materialize::is_on_words)
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
            | Op::Materialize { .. }
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

impl Materialize {
    fn is_on_words(&self) -> bool {
        match self {
            Materialize::Known(_) | Materialize::Word(..) => true,
            Materialize::Value(_) => false,
            Materialize::Parts(_, parts) => parts.iter().all(|(_, part)| part.is_on_words()),
        }
    }
}
