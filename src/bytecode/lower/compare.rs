//! Comparisons and conditions: as truth values, and as jumps.

use crate::bytecode::lower::arith::is_int;
use crate::bytecode::lower::slide::Slide;
use crate::bytecode::lower::{Label, Lower, Operand};
use crate::bytecode::{Op, Reg, WordType};
use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::{BinaryOp, CompareOp, LogicOp, Term, TermKind};
use crate::value::Value;
use crate::words;

impl<'p> Lower<'_, 'p> {
    /// One comparison; both operands are at hand.
    pub(crate) fn compare(&mut self, op: CompareOp, left: &Operand, right: &Operand, ints: bool) -> Result<bool, Reg> {
        if let Some(truth) = self.compare_parts(op, left, right) {
            return truth;
        }
        Err(self.compare_words(op, left, right, ints))
    }

    fn compare_words(&mut self, op: CompareOp, left: &Operand, right: &Operand, ints: bool) -> Reg {
        if let Some(d) = self.set_compare(op, left, right) {
            return d;
        }
        let words = ints
            && self.narrow()
            && !matches!(op, CompareOp::In | CompareOp::NotIn)
            && !(matches!(op, CompareOp::Eq | CompareOp::Ne)
                && (matches!(left, Operand::Value(_)) || matches!(right, Operand::Value(_))));
        let d = self.word();
        if words {
            let a = self.as_word(left.clone(), WordType::Int);
            let b = self.as_word(right.clone(), WordType::Int);
            self.emit(match op {
                CompareOp::Eq => Op::Eq { d, a, b },
                CompareOp::Ne => Op::Ne { d, a, b },
                CompareOp::Lt => Op::Lt { d, a, b },
                CompareOp::Gt => Op::Lt { d, a: b, b: a },
                CompareOp::Le => Op::Le { d, a, b },
                _ => Op::Le { d, a: b, b: a },
            });
            return d;
        }
        let (a, b) = (self.as_value(left.clone()), self.as_value(right.clone()));
        self.emit(Op::Compare { op, d, a, b });
        d
    }

    /// A chain: each operand once, left to right, up to the first false.
    pub(crate) fn compare_chain(&mut self, first: &'p Term, rest: &'p [(CompareOp, Term)]) -> Operand {
        if let (true, [(op, term)]) = (self.scalar, rest) {
            let left = self.expr(first);
            if let Some(truth) = self.membership(*op, &left, &first.ty, term) {
                return Operand::Word(truth, WordType::Bool);
            }
            let right = self.expr(term);
            return Self::truth_operand(self.compare(*op, &left, &right, is_int(&first.ty) && is_int(&term.ty)));
        }
        let d = self.word();
        let end = self.label();
        let mut left = self.expr(first);
        let mut ty = &first.ty;
        for (i, (op, term)) in rest.iter().enumerate() {
            let hit = self.membership(*op, &left, ty, term);
            let truth = if let Some(truth) = hit {
                Err(truth)
            } else {
                let right = self.expr(term);
                let truth = self.compare(*op, &left, &right, is_int(ty) && is_int(&term.ty));
                left = right;
                truth
            };
            ty = &term.ty;
            match truth {
                Err(a) => self.emit(Op::Copy { d, a }),
                Ok(known) => self.load(d, i64::from(known)),
            }
            if i + 1 < rest.len() {
                self.emit(Op::JumpUnless(d, Self::to(end)));
            }
        }
        self.put(end);
        Operand::Word(d, WordType::Bool)
    }

    /// `x in slide(..)` without making the list.
    fn is_in_slide(&mut self, op: CompareOp, left: &Operand, args: &'p [Term]) -> Reg {
        let mut operands: Vec<Operand> = args.iter().map(|arg| self.expr(arg)).collect();
        let is_word = self.narrow() && !matches!(left, Operand::Value(_));
        let slide = if is_word { self.slide(&operands) } else { None };
        let d = if let Some(Slide { from, step, count }) = slide {
            let x = self.as_word(left.clone(), WordType::Int);
            let (far, one, low, high, d) = (self.word(), self.pooled(1), self.word(), self.word(), self.word());
            self.emit(Op::Sub { d: far, a: x, b: from });
            self.emit(Op::Mul { d: far, a: far, b: step });
            self.emit(Op::Le { d: low, a: one, b: far });
            self.emit(Op::Le { d: high, a: far, b: count });
            self.emit(Op::And { d, a: low, b: high });
            d
        } else {
            operands.push(left.clone());
            let there = self.call_word(Builtin::InSlide, &operands);
            self.as_word(there, WordType::Bool)
        };
        self.in_or_not(op, d)
    }

    /// `x in choices(..)` without making the lists.
    fn is_in_choices(&mut self, op: CompareOp, left: &Operand, args: &'p [Term]) -> Reg {
        let mut operands: Vec<Operand> = args.iter().map(|arg| self.expr(arg)).collect();
        operands.push(left.clone());
        let there = self.call_word(Builtin::InChoices, &operands);
        let d = self.as_word(there, WordType::Bool);
        self.in_or_not(op, d)
    }

    /// What `in` or `not in` says, from what `in` says.
    fn in_or_not(&mut self, op: CompareOp, d: Reg) -> Reg {
        if op == CompareOp::In {
            return d;
        }
        let not = self.word();
        self.emit(Op::Not { d: not, a: d });
        not
    }

    /// `x in a..b` without making the range, and other collections whose members are known by what they are.
    fn membership(&mut self, op: CompareOp, left: &Operand, ty: &Type, right: &'p Term) -> Option<Reg> {
        if let TermKind::Builtin(word, args) = &right.kind
            && matches!(op, CompareOp::In | CompareOp::NotIn)
        {
            match (word, ty) {
                (Builtin::Slide, Type::Int) => return Some(self.is_in_slide(op, left, args)),
                (Builtin::Choices, Type::List(_)) => return Some(self.is_in_choices(op, left, args)),
                _ => {}
            }
        }
        let TermKind::Binary(BinaryOp::Range, from, to) = &right.kind else { return None };
        if !self.narrow() || !matches!(op, CompareOp::In | CompareOp::NotIn) || *ty != Type::Int {
            return None;
        }
        if matches!(left, Operand::Value(_)) {
            return None;
        }
        let (from, to) = (self.expr(from), self.expr(to));
        let x = self.as_word(left.clone(), WordType::Int);
        let (from, to) = (self.as_word(from, WordType::Int), self.as_word(to, WordType::Int));
        let (low, high, d) = (self.word(), self.word(), self.word());
        self.emit(Op::Le { d: low, a: from, b: x });
        self.emit(Op::Le { d: high, a: x, b: to });
        self.emit(Op::And { d, a: low, b: high });
        if op == CompareOp::NotIn {
            self.emit(Op::Not { d, a: d });
        }
        Some(d)
    }

    /// Jumps to the label when the term is false.
    pub(crate) fn jump_unless(&mut self, term: &'p Term, label: Label) {
        if self.test(term, label) == Some(false) {
            self.emit(Op::Jump(Self::to(label)));
        }
    }

    /// The same with nothing emitted at the end when the truth is known: that truth.
    pub(crate) fn test(&mut self, term: &'p Term, label: Label) -> Option<bool> {
        if let Some(Value::Bool(truth)) = self.known(term) {
            return Some(truth);
        }
        match &term.kind {
            TermKind::Logic(LogicOp::And, a, b) => match self.test(a, label) {
                Some(false) if self.scalar => Some(false),
                Some(false) => {
                    self.emit(Op::Jump(Self::to(label)));
                    self.jump_unless(b, label);
                    None
                }
                Some(true) => self.test(b, label),
                None => {
                    self.jump_unless(b, label);
                    None
                }
            },
            TermKind::Compare(first, rest) if self.is_plain_comparison(first, rest) => {
                let (op, second) = &rest[0];
                let (left, right) = (self.expr(first), self.expr(second));
                if let (true, Operand::Known(a), Operand::Known(b)) = (self.scalar, &left, &right)
                    && let Ok(truth) = words::compare(*op, a, b)
                {
                    return Some(truth);
                }
                self.at(term.span, |lower| {
                    let a = lower.as_word(left, WordType::Int);
                    let b = lower.as_word(right, WordType::Int);
                    let to = Self::to(label);
                    lower.emit(match op {
                        CompareOp::Lt => Op::JumpLe { a: b, b: a, to },
                        CompareOp::Gt => Op::JumpLe { a, b, to },
                        CompareOp::Le => Op::JumpLt { a: b, b: a, to },
                        _ => Op::JumpLt { a, b, to },
                    });
                });
                None
            }
            _ => {
                let operand = self.expr(term);
                if let (true, Operand::Known(Value::Bool(truth))) = (self.scalar, &operand) {
                    return Some(*truth);
                }
                let a = self.at(term.span, |lower| lower.as_word(operand, WordType::Bool));
                self.emit(Op::JumpUnless(a, Self::to(label)));
                None
            }
        }
    }

    fn is_plain_comparison(&self, first: &Term, rest: &[(CompareOp, Term)]) -> bool {
        self.narrow()
            && rest.len() == 1
            && matches!(rest[0].0, CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge)
            && first.ty == Type::Int
            && rest[0].1.ty == Type::Int
    }
}
