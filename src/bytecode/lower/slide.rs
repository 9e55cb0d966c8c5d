//! `slide(from, to, taken)` as a loop over words: how many steps, and which way.

use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Op, Reg, WordType};
use crate::value::Value;

/// The numbers `from + step`, `from + 2 * step`, ..., so many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slide {
    pub(crate) from: Reg,
    pub(crate) step: Reg,
    pub(crate) count: Reg,
}

impl Lower<'_, '_> {
    /// The steps from the first number towards the second, with it, up to the first that is taken; `None`: the operands
    /// are no words, nothing was done.
    pub(crate) fn slide(&mut self, operands: &[Operand]) -> Option<Slide> {
        if let Some(slide) = self.slide_past_mask(operands) {
            return Some(slide);
        }
        let [from, to, taken] = operands else { return None };
        let int = |o: &Operand| matches!(o, Operand::Word(_, WordType::Int) | Operand::Known(Value::Int(_)));
        let taken = self.parts(taken)?;
        if !int(from) || !int(to) || !taken.parts.iter().all(|part| int(&part.operand)) {
            return None;
        }
        let (a, b) = (self.as_word(from.clone(), WordType::Int), self.as_word(to.clone(), WordType::Int));
        let (step, count, one, zero) = (self.word(), self.word(), self.pooled(1), self.pooled(0));
        let up = self.label();
        self.emit(Op::Copy { d: step, a: one });
        self.emit(Op::Sub { d: count, a: b, b: a });
        self.emit(Op::JumpLt { a, b, to: Self::to(up) });
        self.emit(Op::Neg { d: step, a: step });
        self.emit(Op::Neg { d: count, a: count });
        self.put(up);
        for part in &taken.parts {
            let (past, far) = (self.label(), self.word());
            if let Some(flag) = part.flag {
                self.emit(Op::JumpUnless(flag, Self::to(past)));
            }
            let t = self.as_word(part.operand.clone(), WordType::Int);
            self.emit(Op::Sub { d: far, a: t, b: a });
            self.emit(Op::Mul { d: far, a: far, b: step });
            self.emit(Op::JumpLe { a: far, b: zero, to: Self::to(past) });
            self.emit(Op::AddConst { d: far, a: far, k: -1 });
            self.emit(Op::Min { d: count, a: count, b: far });
            self.put(past);
        }
        Some(Slide { from: a, step, count })
    }
}
