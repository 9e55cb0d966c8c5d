//! Sets as bits of a word.

use crate::bytecode::Reg;
use crate::jit::emit::Emitter;
use crate::jit::facts::Fact;
use crate::value::domain::{NUMBERS, SIDE, numbers_below};
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
            self.set(d, value, Fact::within(0, ones(x.hi.max(y.hi).max(0))));
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
        let fact = if x.lo >= 0 && y.lo >= 0 { Fact::within(0, ones(x.hi.max(y.hi))) } else { Fact::TOP };
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
        let bit_of = |k: i64| u32::try_from(k).ok().filter(|k| *k < 63).map(|k| 1i64 << k);
        let known = bit_of(fact.lo).zip(bit_of(fact.hi)).map_or(Fact::TOP, |(lo, hi)| Fact::within(lo, hi));
        self.set(d, bit, known);
    }

    /// The number of a small pair.
    pub(super) fn pair(&mut self, d: Reg, a: Reg, b: Reg) {
        let facts = [self.fact(a), self.fact(b)];
        let small = facts.iter().all(|fact| fact.lo >= 0 && fact.hi < SIDE);
        let (x, y) = (self.get(a), self.get(b));
        let side = self.const_value(SIDE);
        let row = self.b.ins().imul(x, side);
        let mut number = self.b.ins().iadd(row, y);
        if !small {
            let both = self.b.ins().bor(x, y);
            let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, both, side);
            let none = self.const_value(NUMBERS);
            number = self.b.ins().select(inside, number, none);
        }
        self.set(d, number, Fact::within(0, NUMBERS));
    }

    /// Gives the position up where no word for sets of numbers has `a` as a member.
    pub(super) fn check_member(&mut self, a: Reg) {
        let fact = self.fact(a);
        if fact.lo < 0 || fact.hi >= NUMBERS {
            let value = self.get(a);
            let end = self.const_value(NUMBERS);
            let outside = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, value, end);
            self.fail_if(outside);
            let (lo, hi) = (fact.lo.max(0), fact.hi.min(NUMBERS - 1));
            // Where nothing is left this is never reached.
            self.facts[usize::from(a)] = Fact { lo: lo.min(hi.max(0)), hi: hi.max(0), ..fact };
        }
    }

    /// The members below `a`.
    pub(super) fn below(&mut self, d: Reg, a: Reg) {
        let fact = self.fact(a);
        if let Some(k) = fact.value() {
            self.constant(d, numbers_below(k));
            return;
        }
        let mut at = self.get(a);
        if fact.lo < 0 {
            let zero = self.const_value(0);
            at = self.b.ins().smax(at, zero);
        }
        if fact.hi > NUMBERS {
            let end = self.const_value(NUMBERS);
            at = self.b.ins().smin(at, end);
        }
        let one = self.const_value(1);
        let bit = self.b.ins().ishl(one, at);
        let value = self.b.ins().isub(bit, one);
        self.set(d, value, Fact::within(numbers_below(fact.lo), numbers_below(fact.hi)));
    }

    /// The greatest member of a mask that is not empty.
    pub(super) fn greatest(&mut self, d: Reg, a: Reg) {
        let fact = self.fact(a);
        let of = |mask: i64| 63 - i64::from(mask.leading_zeros());
        if let Some(mask) = fact.value().filter(|mask| *mask > 0) {
            self.constant(d, of(mask));
            return;
        }
        let mask = self.get(a);
        let zeros = self.b.ins().clz(mask);
        let most = self.const_value(63);
        let value = self.b.ins().isub(most, zeros);
        let known = if fact.lo > 0 { Fact::within(of(fact.lo), of(fact.hi)) } else { Fact::within(-1, 63) };
        self.set(d, value, known);
    }
}

/// The least number that has only ones in binary and is not less.
fn ones(hi: i64) -> i64 {
    if hi <= 0 { 0 } else { i64::MAX >> (hi.leading_zeros() - 1) }
}
