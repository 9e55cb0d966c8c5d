//! `and`, `or`, `implies` and `if`: only what is asked for is evaluated.

use crate::bytecode::lower::expr::last;
use crate::bytecode::lower::operand::boxed;
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Op, Reg, WordType};
use crate::model::kind::Type;
use crate::model::{LogicOp, Term};
use crate::value::Value;

impl<'p> Lower<'_, 'p> {
    pub(super) fn logic(&mut self, op: LogicOp, a: &'p Term, b: &'p Term) -> Operand {
        let left = self.expr(a);
        if let (true, Operand::Known(Value::Bool(left))) = (self.scalar, &left) {
            return match (op, left) {
                (LogicOp::And | LogicOp::Implies, true) | (LogicOp::Or, false) => {
                    let right = self.expr(b);
                    if let Operand::Known(Value::Bool(_)) = right {
                        return right;
                    }
                    Operand::Word(self.at(b.span, |lower| lower.as_word(right, WordType::Bool)), WordType::Bool)
                }
                (op, _) => Operand::Known(Value::Bool(op != LogicOp::And)),
            };
        }
        let d = self.word();
        let end = self.label();
        let a = self.at(a.span, |lower| lower.as_word(left, WordType::Bool));
        if op == LogicOp::Implies {
            self.emit(Op::Not { d, a });
        } else {
            self.emit(Op::Copy { d, a });
        }
        self.emit(match op {
            LogicOp::And => Op::JumpUnless(d, Self::to(end)),
            LogicOp::Or | LogicOp::Implies => Op::JumpIf(d, Self::to(end)),
        });
        let b = self.truth(b);
        self.emit(Op::Copy { d, a: b });
        self.put(end);
        Operand::Word(d, WordType::Bool)
    }

    pub(super) fn choice(&mut self, condition: &'p Term, yes: &'p Term, no: &'p Term, ty: &Type) -> Operand {
        let (otherwise, end) = (self.label(), self.label());
        if let Some(truth) = self.test(condition, otherwise) {
            self.put(otherwise);
            return self.expr(if truth { yes } else { no });
        }
        let first = self.expr(yes);
        // The form of the result is known when both ways are; the first way's last step is filled in then.
        let hole = self.code.ops.len();
        self.emit(Op::Nop);
        self.emit(Op::Jump(Self::to(end)));
        self.put(otherwise);
        let second = self.expr(no);
        if self.scalar {
            let mold = self.common_mold([&first, &second].into_iter());
            let d = self.registers_like(&mold);
            self.insert_after(hole, |lower| lower.copy_into(&d, &first));
            self.copy_into(&d, &second);
            self.put(end);
            return d;
        }
        let word_type = self.common_rep(&first, &second, ty);
        let d = if word_type.is_some() { self.word() } else { self.value() };
        let (a, b) = (self.move_op(&first, word_type, d), self.move_op(&second, word_type, d));
        self.code.ops[hole] = a;
        self.emit(b);
        self.put(end);
        word_type.map_or(Operand::Value(d), |word_type| Operand::Word(d, word_type))
    }

    /// The word form that both operands have or can be loaded in; `None`: a value.
    fn common_rep(&self, a: &Operand, b: &Operand, ty: &Type) -> Option<WordType> {
        match (a, b) {
            (Operand::Word(_, r), Operand::Word(_, s)) => (r == s).then_some(*r),
            (Operand::Word(_, r), Operand::Known(v)) | (Operand::Known(v), Operand::Word(_, r)) => {
                self.known_word(v, *r).map(|_| *r)
            }
            (Operand::Known(Value::Int(_)), Operand::Known(Value::Int(_))) if *ty == Type::Int && self.narrow() => {
                Some(WordType::Int)
            }
            (Operand::Known(Value::Bool(_)), Operand::Known(Value::Bool(_))) => Some(WordType::Bool),
            _ => None,
        }
    }

    /// The one instruction that puts an operand into `d`, a word of that form or a value.
    fn move_op(&mut self, operand: &Operand, word_type: Option<WordType>, d: Reg) -> Op {
        match (operand, word_type) {
            (Operand::Word(a, _), Some(_)) => Op::Copy { d, a: *a },
            (Operand::Known(value), Some(word_type)) => {
                let k = self.known_word(value, word_type).unwrap_or(0);
                self.code.wide.push(k);
                Op::ConstWide { d, k: last(self.code.wide.len()) }
            }
            (Operand::Known(value), None) => {
                self.code.constants.push(value.clone());
                Op::Value { d, k: last(self.code.constants.len()) }
            }
            (Operand::Word(a, word_type), None) => boxed(d, *a, *word_type),
            (Operand::Value(a), _) => Op::Move { d, a: *a },
            (Operand::Parts(_), _) => {
                self.code.makes.push(Self::make(operand));
                Op::Materialize { d, make: last(self.code.makes.len()) }
            }
        }
    }
}
