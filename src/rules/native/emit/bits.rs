//! Sets as bits of a word.

use super::Emitter;
use crate::rules::code::Reg;
use crate::rules::native::facts::Fact;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

impl<'f> Emitter<'f> {
    pub(super) fn bits(
        &mut self,
        d: Reg,
        a: Reg,
        b: Reg,
        emit: impl FnOnce(&mut Self, Value, Value) -> Value,
        fold: impl FnOnce(i64, i64) -> i64,
    ) {
        let (x, y) = (self.fact(a), self.fact(b));
        if let (Some(x), Some(y)) = (x.value(), y.value()) {
            self.constant(d, fold(x, y));
            return;
        }
        let fact = if x.lo >= 0 && x.hi <= 1 && y.lo >= 0 && y.hi <= 1 { Fact::within(0, 1) } else { Fact::TOP };
        let (a, b) = (self.get(a), self.get(b));
        let value = emit(self, a, b);
        self.set(d, value, fact);
    }

    pub(super) fn single(&mut self, d: Reg, a: Reg) {
        let fact = self.fact(a);
        if let Some(k) = fact.value() {
            let bit = u32::try_from(k).ok().and_then(|k| 1i64.checked_shl(k)).unwrap_or(0);
            self.constant(d, bit);
            return;
        }
        let a = self.get(a);
        let one = self.const_value(1);
        let mut bit = self.b.ins().ishl(one, a);
        if fact.lo < 0 || fact.hi > 63 {
            let limit = self.const_value(64);
            let zero = self.const_value(0);
            let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, a, limit);
            bit = self.b.ins().select(inside, bit, zero);
        }
        self.set(d, bit, Fact::TOP);
    }
}
