//! `floor` and `ceil` of linear functions of one int: a single instruction.

use super::expr::last;
use super::{Lower, Operand};
use crate::check::builtin::Builtin;
use crate::check::kind::Type;
use crate::check::model::{BinaryOp, Term, TermKind};
use crate::rules::code::{Op, Rep};
use crate::rules::floors::Linear;
use crate::rules::value::Value;

impl<'p> Lower<'_, 'p> {
    /// `floor` or `ceil` of a real that is linear in one term; `None`: nothing was done.
    pub(crate) fn floor_of(&mut self, word: Builtin, args: &'p [Term]) -> Option<Operand> {
        let up = match word {
            Builtin::Floor => false,
            Builtin::Ceil => true,
            _ => return None,
        };
        let [real] = args else { return None };
        if !self.narrow() {
            return None;
        }
        let mut of = None;
        let floor = self.linear(real, &mut of)?.floor(up)?;
        let n = self.expr(of?);
        let a = self.as_word(n, Rep::Int);
        self.code.floors.push(floor);
        let (d, spec) = (self.word(), last(self.code.floors.len()));
        self.emit(Op::Floor { d, a, spec });
        Some(Operand::Word(d, Rep::Int))
    }

    /// The term as a function of the one int term in it that is not known, which is put into `of`.
    fn linear(&mut self, term: &'p Term, of: &mut Option<&'p Term>) -> Option<Linear> {
        if let Some(value) = self.known(term) {
            return Linear::constant(&value);
        }
        match &term.kind {
            TermKind::Int(n) => Linear::constant(&Value::int(n.clone())),
            TermKind::Adapt(inner) if matches!(inner.ty, Type::Int | Type::Real) => self.linear(inner, of),
            _ if term.ty == Type::Int => {
                // A second one would make it a function of two.
                of.replace(term).is_none().then(Linear::identity)
            }
            TermKind::Neg(a) => Linear::constant(&Value::Int(0))?.plus(&self.linear(a, of)?, true),
            TermKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let (a, b) = (self.linear(a, of)?, self.linear(b, of)?);
                a.plus(&b, *op == BinaryOp::Sub)
            }
            TermKind::Binary(BinaryOp::Mul, a, b) => {
                let (a, b) = (self.linear(a, of)?, self.linear(b, of)?);
                a.times(&b)
            }
            TermKind::Binary(BinaryOp::Over, a, b) => {
                let (a, b) = (self.linear(a, of)?, self.linear(b, of)?);
                a.over(&b)
            }
            _ => None,
        }
    }
}
