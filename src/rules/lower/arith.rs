//! Arithmetic and comparisons on words where ints fit, on values elsewhere.

use super::expr::last;
use super::parts::Parts;
use super::{Label, Lower, Operand};
use crate::check::builtin::Builtin;
use crate::check::kind::Type;
use crate::check::model::{BinaryOp, CompareOp, LogicOp, Term, TermKind};
use crate::rules::builtin;
use crate::rules::code::{Op, Reg, Rep, Whole};
use crate::rules::value::Value;

/// Whether a type is read as a number where one is wanted.
fn is_int(ty: &Type) -> bool {
    matches!(ty, Type::Int | Type::Vertex)
}

impl<'p> Lower<'_, 'p> {
    pub(crate) fn negate(&mut self, a: &'p Term) -> Operand {
        let operand = self.expr(a);
        if self.scalar
            && let Operand::Known(value) = &operand
            && let Ok(value) = builtin::negate(value)
        {
            return Operand::Known(value);
        }
        if self.narrow() && is_int(&a.ty) {
            let a = self.as_word(operand, Rep::Int);
            let d = self.word();
            self.emit(Op::Neg { d, a });
            return Operand::Word(d, Rep::Int);
        }
        let a = self.as_value(operand);
        let d = self.value();
        self.emit(Op::NegValue { d, a });
        Operand::Value(d)
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, a: &'p Term, b: &'p Term, ty: &Type) -> Operand {
        let (left, right) = (self.expr(a), self.expr(b));
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
            (Operand::Known(a), Operand::Known(b)) if self.scalar => builtin::binary(op, a, b).ok().map(Operand::Known),
            _ => None,
        }
    }

    /// Lists or texts one after the other, part by part.
    fn joined(&mut self, op: BinaryOp, left: &Operand, right: &Operand, ty: &Type) -> Option<Operand> {
        let whole = match (op, ty) {
            (BinaryOp::Add, Type::List(_)) => Whole::List(0),
            (BinaryOp::Add, Type::Text) => Whole::Text,
            _ => return None,
        };
        let (a, b) = (self.parts(left)?, self.parts(right)?);
        let fine = |parts: &Parts| match parts.whole {
            Whole::List(_) => whole != Whole::Text,
            Whole::Text => whole == Whole::Text,
            Whole::Tuple | Whole::Set => false,
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
                let a = self.as_word(left.clone(), Rep::Int);
                let d = self.word();
                self.emit(Op::AddConst { d, a, k });
                return Some(Operand::Word(d, Rep::Int));
            }
        }
        if matches!(op, BinaryOp::Pow | BinaryOp::Over | BinaryOp::Range) {
            return None;
        }
        let a = self.as_word(left.clone(), Rep::Int);
        let b = self.as_word(right.clone(), Rep::Int);
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
        Some(Operand::Word(d, Rep::Int))
    }

    /// Words of one or more numbers, and `bit`.
    pub(crate) fn number_word(&mut self, word: Builtin, operands: &[Operand], args: &'p [Term]) -> Option<Operand> {
        if !self.narrow() || !args.iter().all(|a| a.ty == Type::Int) {
            return None;
        }
        match (word, operands) {
            (Builtin::Abs, [a]) => {
                let a = self.as_word(a.clone(), Rep::Int);
                let d = self.word();
                self.emit(Op::Abs { d, a });
                Some(Operand::Word(d, Rep::Int))
            }
            (Builtin::Min | Builtin::Max, [first, rest @ ..]) if !rest.is_empty() => {
                let mut a = self.as_word(first.clone(), Rep::Int);
                for b in rest {
                    let b = self.as_word(b.clone(), Rep::Int);
                    let d = self.word();
                    self.emit(if word == Builtin::Min { Op::Min { d, a, b } } else { Op::Max { d, a, b } });
                    a = d;
                }
                Some(Operand::Word(a, Rep::Int))
            }
            _ => None,
        }
    }

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
            let a = self.as_word(left.clone(), Rep::Int);
            let b = self.as_word(right.clone(), Rep::Int);
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
                return Operand::Word(truth, Rep::Bool);
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
        Operand::Word(d, Rep::Bool)
    }

    /// `x in a..b` without making the range.
    fn membership(&mut self, op: CompareOp, left: &Operand, ty: &Type, right: &'p Term) -> Option<Reg> {
        let TermKind::Binary(BinaryOp::Range, from, to) = &right.kind else { return None };
        if !self.narrow() || !matches!(op, CompareOp::In | CompareOp::NotIn) || *ty != Type::Int {
            return None;
        }
        if matches!(left, Operand::Value(_)) {
            return None;
        }
        let (from, to) = (self.expr(from), self.expr(to));
        let x = self.as_word(left.clone(), Rep::Int);
        let (from, to) = (self.as_word(from, Rep::Int), self.as_word(to, Rep::Int));
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
                    && let Ok(truth) = builtin::compare(*op, a, b)
                {
                    return Some(truth);
                }
                self.at(term.span, |lower| {
                    let a = lower.as_word(left, Rep::Int);
                    let b = lower.as_word(right, Rep::Int);
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
                let a = self.at(term.span, |lower| lower.as_word(operand, Rep::Bool));
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

    /// A table over the numbers of a domain.
    pub(crate) fn table(&mut self, items: Vec<i64>, a: Reg) -> Reg {
        self.code.tables.push(items.into());
        let (d, table) = (self.word(), last(self.code.tables.len()));
        self.emit(Op::Table { d, table, a });
        d
    }
}
