//! Arithmetic and comparisons on words where ints fit, on values elsewhere.

use crate::bytecode::lower::expr::last;
use crate::bytecode::lower::parts::Parts;
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, Op, Reg, WordType};
use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::{BinaryOp, Term};
use crate::value::Value;
use crate::words;

/// Whether a type is read as a number where one is wanted.
pub(super) fn is_int(ty: &Type) -> bool {
    matches!(ty, Type::Int | Type::Vertex)
}

impl<'p> Lower<'_, 'p> {
    pub(crate) fn negate(&mut self, a: &'p Term) -> Operand {
        let operand = self.expr(a);
        if self.scalar
            && let Operand::Known(value) = &operand
            && let Ok(value) = words::negate(value)
        {
            return Operand::Known(value);
        }
        if self.narrow() && is_int(&a.ty) {
            let a = self.as_word(operand, WordType::Int);
            let d = self.word();
            self.emit(Op::Neg { d, a });
            return Operand::Word(d, WordType::Int);
        }
        let a = self.as_value(operand);
        let d = self.value();
        self.emit(Op::NegValue { d, a });
        Operand::Value(d)
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, a: &'p Term, b: &'p Term, ty: &Type) -> Operand {
        let sets = self.numbers.is_some() && matches!(ty, Type::Set(_));
        let (left, right) =
            if sets { (self.set_operand(a), self.set_operand(b)) } else { (self.expr(a), self.expr(b)) };
        if let Some(operand) = self.known_binary(op, &left, &right).or_else(|| self.joined(op, &left, &right, ty)) {
            return operand;
        }
        if self.narrow() && is_int(&a.ty) && is_int(&b.ty) && *ty == Type::Int {
            if let Some(operand) = self.int_binary(op, &left, &right) {
                return operand;
            }
        } else if let Some(operand) = self.set_binary(op, &left, &right) {
            return operand;
        }
        let (a, b) = (self.as_value(left), self.as_value(right));
        let d = self.value();
        self.emit(if op == BinaryOp::Range { Op::Range { d, a, b } } else { Op::Binary { op, d, a, b } });
        Operand::Value(d)
    }

    /// An operator on known operands; `None` when they are not, or when it fails.
    fn known_binary(&mut self, op: BinaryOp, left: &Operand, right: &Operand) -> Option<Operand> {
        match (left, right) {
            (Operand::Known(a), Operand::Known(b)) if self.scalar => words::binary(op, a, b).ok().map(Operand::Known),
            _ => None,
        }
    }

    /// Lists or texts one after the other, part by part.
    fn joined(&mut self, op: BinaryOp, left: &Operand, right: &Operand, ty: &Type) -> Option<Operand> {
        let whole = match (op, ty) {
            (BinaryOp::Add, Type::List(_)) => Aggregate::List(0),
            (BinaryOp::Add, Type::Text) => Aggregate::Text,
            _ => return None,
        };
        let (a, b) = (self.parts(left)?, self.parts(right)?);
        let fine = |parts: &Parts| match parts.whole {
            Aggregate::List(_) => whole != Aggregate::Text,
            Aggregate::Text => whole == Aggregate::Text,
            Aggregate::Tuple | Aggregate::Set => false,
        };
        if !fine(&a) || !fine(&b) {
            return None;
        }
        Some(self.whole(whole, a.parts.iter().chain(&b.parts).cloned().collect()))
    }

    pub(crate) fn int_binary(&mut self, op: BinaryOp, left: &Operand, right: &Operand) -> Option<Operand> {
        if let Some(operand) = self.known_binary(op, left, right) {
            return Some(operand);
        }
        if let (BinaryOp::Add | BinaryOp::Sub, Operand::Known(Value::Int(k))) = (op, right) {
            let k = if op == BinaryOp::Add { Some(*k) } else { k.checked_neg() };
            if let Some(k) = k.and_then(|k| i16::try_from(k).ok()) {
                let a = self.as_word(left.clone(), WordType::Int);
                let d = self.word();
                self.emit(Op::AddConst { d, a, k });
                return Some(Operand::Word(d, WordType::Int));
            }
        }
        if matches!(op, BinaryOp::Pow | BinaryOp::Over | BinaryOp::Range) {
            return None;
        }
        let a = self.as_word(left.clone(), WordType::Int);
        let b = self.as_word(right.clone(), WordType::Int);
        let d = self.word();
        self.emit(match op {
            BinaryOp::Add => Op::Add { d, a, b },
            BinaryOp::Sub => Op::Sub { d, a, b },
            BinaryOp::Mul => Op::Mul { d, a, b },
            BinaryOp::Div => Op::Div { d, a, b },
            BinaryOp::Mod => Op::Mod { d, a, b },
            BinaryOp::Xor => Op::NatXor { d, a, b },
            _ => Op::NatAnd { d, a, b },
        });
        Some(Operand::Word(d, WordType::Int))
    }

    /// Words of one or more numbers, and `bit`.
    pub(crate) fn number_word(&mut self, word: Builtin, operands: &[Operand], args: &'p [Term]) -> Option<Operand> {
        if !self.narrow() || !args.iter().all(|a| a.ty == Type::Int) {
            return None;
        }
        match (word, operands) {
            (Builtin::Abs, [a]) => {
                let a = self.as_word(a.clone(), WordType::Int);
                let d = self.word();
                self.emit(Op::Abs { d, a });
                Some(Operand::Word(d, WordType::Int))
            }
            (Builtin::Min | Builtin::Max, [first, rest @ ..]) if !rest.is_empty() => {
                let mut a = self.as_word(first.clone(), WordType::Int);
                for b in rest {
                    let b = self.as_word(b.clone(), WordType::Int);
                    let d = self.word();
                    self.emit(if word == Builtin::Min { Op::Min { d, a, b } } else { Op::Max { d, a, b } });
                    a = d;
                }
                Some(Operand::Word(a, WordType::Int))
            }
            _ => None,
        }
    }

    /// A table over the numbers of a domain.
    pub(crate) fn table(&mut self, items: Vec<i64>, a: Reg) -> Reg {
        self.code.tables.push(items.into());
        let (d, table) = (self.word(), last(self.code.tables.len()));
        self.emit(Op::Table { d, table, a });
        d
    }
}
