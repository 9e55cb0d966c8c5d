//! `floor` and `ceil` of linear functions of one int: a single instruction.

use super::expr::last;
use super::{Lower, Operand};
use crate::check::builtin::Builtin;
use crate::check::model::Term;
use crate::rules::code::{Op, Rep};
use crate::rules::floors::linear;

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
        let floor = linear(real, &mut |term| self.known(term), &mut of)?.floor(up)?;
        let n = self.expr(of?);
        let a = self.as_word(n, Rep::Int);
        self.code.floors.push(floor);
        let (d, spec) = (self.word(), last(self.code.floors.len()));
        self.emit(Op::Floor { d, a, spec });
        Some(Operand::Word(d, Rep::Int))
    }
}
