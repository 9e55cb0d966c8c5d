//! `floor` and `ceil` of linear functions of one int: a single instruction.

use crate::bytecode::lower::expr::last;
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Op, WordType};
use crate::model::Term;
use crate::model::builtin::Builtin;
use crate::words::floors::linear;

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
        let a = self.as_word(n, WordType::Int);
        self.code.floors.push(floor);
        let (d, spec) = (self.word(), last(self.code.floors.len()));
        self.emit(Op::Floor { d, a, spec });
        Some(Operand::Word(d, WordType::Int))
    }
}
