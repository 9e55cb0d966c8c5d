//! Sets as bits of a word.

use super::Emitter;
use crate::rules::code::Reg;
use crate::rules::native::facts::Fact;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

impl Emitter<'_> {
    /// Whether member `a` is in mask `b`.
    pub(super) fn has(&mut self, d: Reg, a: Reg, b: Reg) {
        let fact = self.fact(a);
        let (a, b) = (self.get(a), self.get(b));
        let shifted = self.b.ins().ushr(b, a);
        let one = self.const_value(1);
        let mut bit = self.b.ins().band(shifted, one);
        if fact.lo < 0 || fact.hi > 63 {
            let limit = self.const_value(64);
            let zero = self.const_value(0);
            let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, a, limit);
            bit = self.b.ins().select(inside, bit, zero);
        }
        self.set(d, bit, Fact::within(0, 1));
    }

    pub(super) fn size(&mut self, d: Reg, a: Reg) {
        if let Some(k) = self.fact(a).value() {
            self.constant(d, i64::from(k.count_ones()));
        } else {
            let a = self.get(a);
            let n = self.b.ins().popcnt(a);
            self.set(d, n, Fact::within(0, 64));
        }
    }

    /// The exclusive or of two nats, else the bits in both.
    pub(super) fn nat_bits(&mut self, d: Reg, a: Reg, b: Reg, xor: bool) {
        for reg in [a, b] {
            self.check_nat(reg);
        }
        let (x, y) = (self.fact(a), self.fact(b));
        let (a, b) = (self.get(a), self.get(b));
        if xor {
            let value = self.b.ins().bxor(a, b);
            let all = x.hi.max(y.hi).max(0);
            let hi = if all == 0 { 0 } else { i64::MAX >> (all.leading_zeros() - 1) };
            self.set(d, value, Fact::within(0, hi));
        } else {
            let value = self.b.ins().band(a, b);
            self.set(d, value, Fact::within(0, x.hi.min(y.hi).max(0)));
        }
    }

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
