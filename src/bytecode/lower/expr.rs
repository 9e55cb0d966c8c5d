//! Terms to operands.

use crate::bytecode::lower::parts::Part;
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, Op, Reg, SliceSpec, WordType};
use crate::model::{Term, TermKind};
use crate::value::{Text, Value};

impl<'p> Lower<'_, 'p> {
    /// The value of a term.
    pub(crate) fn expr(&mut self, term: &'p Term) -> Operand {
        if let Some(value) = self.known(term) {
            return Operand::Known(value);
        }
        self.at(term.span, |lower| lower.expr_here(term))
    }

    fn expr_here(&mut self, term: &'p Term) -> Operand {
        match &term.kind {
            TermKind::Int(n) => Operand::Known(Value::int(n.clone())),
            TermKind::Bool(b) => Operand::Known(Value::Bool(*b)),
            TermKind::Text(t) => Operand::Known(Value::Text(Text::new(t))),
            TermKind::Drawing(drawing) => {
                if let Ok(value) = self.ctx.drawing(drawing, term.span) {
                    Operand::Known(value)
                } else {
                    // The error is met again when the code runs.
                    let (d, drawing) = (self.value(), self.ctx.drawing_code(drawing));
                    self.emit(Op::Drawing { d, drawing });
                    Operand::Value(d)
                }
            }
            TermKind::Slot(slot) => self.slot(*slot),
            TermKind::Global(global) => {
                if let Some(value) = self.ctx.global_value(*global) {
                    return Operand::Known(value);
                }
                let d = self.value();
                let global = u32::try_from(global.0).unwrap_or(u32::MAX);
                self.emit(Op::Global { d, global });
                Operand::Value(d)
            }
            TermKind::Neg(a) => self.negate(a),
            TermKind::Not(a) => {
                let operand = self.expr(a);
                if let (true, Operand::Known(Value::Bool(truth))) = (self.scalar, &operand) {
                    return Operand::Known(Value::Bool(!truth));
                }
                let a = self.at(a.span, |lower| lower.as_word(operand, WordType::Bool));
                let d = self.word();
                self.emit(Op::Not { d, a });
                Operand::Word(d, WordType::Bool)
            }
            TermKind::Logic(op, a, b) => self.logic(*op, a, b),
            TermKind::Iff(a, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                let d = self.word();
                self.emit(Op::Eq { d, a, b });
                Operand::Word(d, WordType::Bool)
            }
            TermKind::Binary(op, a, b) => self.binary(*op, a, b, &term.ty),
            TermKind::Compare(first, rest) => self.compare_chain(first, rest),
            TermKind::If(condition, yes, no) => self.choice(condition, yes, no, &term.ty),
            TermKind::Tuple(parts) if self.scalar => {
                let parts = parts.iter().map(|part| Part::sure(self.expr(part))).collect();
                self.whole(Aggregate::Tuple, parts)
            }
            TermKind::Tuple(parts) => {
                let registers: Vec<Reg> = parts.iter().map(|p| self.expr_value(p)).collect();
                self.tuple(registers)
            }
            TermKind::Items(gather, items) => self.items(*gather, items),
            TermKind::Comprehension(gather, value, clauses) => self.comprehension(*gather, value, clauses),
            TermKind::Index(base, index) => self.index(base, index, &term.ty),
            TermKind::Slice(base, from, to) => {
                let base = self.expr(base);
                let from = from.as_ref().map(|t| self.expr(t));
                let to = to.as_ref().map(|t| self.expr(t));
                if let Some(cut) = self.cut(&base, from.as_ref(), to.as_ref()) {
                    return cut;
                }
                let a = self.as_value(base);
                let (from, to) = (from.map(|o| self.as_value(o)), to.map(|o| self.as_value(o)));
                let d = self.value();
                self.code.slices.push(SliceSpec { d, a, from, to });
                let spec = last(self.code.slices.len());
                self.emit(Op::Slice { spec });
                Operand::Value(d)
            }
            TermKind::Update(base, changes, clauses) => self.update(base, changes, clauses.as_ref()),
            TermKind::Part { of, index, arity } => {
                let of = self.expr(of);
                self.part(of, *index, *arity)
            }
            TermKind::Call(def, args) => self.call(*def, args),
            TermKind::Builtin(word, args) => self.builtin(*word, args, &term.ty),
            TermKind::Place(place) => self.place_value(place),
            TermKind::Misere(position) => {
                let a = self.expr_value(position);
                let d = self.value();
                self.emit(Op::Misere { d, a });
                Operand::Value(d)
            }
            TermKind::Coerce(inner, kind) => {
                let operand = self.expr(inner);
                self.enter_kind(operand, kind, "the result")
            }
            TermKind::Adapt(inner) => self.adapt(inner, &term.ty),
        }
    }

    /// The term in a value register.
    pub(crate) fn expr_value(&mut self, term: &'p Term) -> Reg {
        let operand = self.expr(term);
        self.as_value(operand)
    }

    /// A truth value in a word register.
    pub(crate) fn truth(&mut self, term: &'p Term) -> Reg {
        let operand = self.expr(term);
        self.at(term.span, |lower| lower.as_word(operand, WordType::Bool))
    }
}

/// The index of the last of `len` things, as instructions hold it.
pub(crate) fn last(len: usize) -> u16 {
    u16::try_from(len - 1).unwrap_or(u16::MAX)
}
