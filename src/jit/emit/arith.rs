//! Arithmetic on words, given up on overflow.

use crate::bytecode::Reg;
use crate::jit::emit::Emitter;
use crate::jit::facts::Fact;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};

impl Emitter<'_> {
    /// An operation on two registers.
    pub(super) fn arith(&mut self, d: Reg, a: Reg, b: Reg, sort: Arith) {
        let (x, y) = (self.fact(a), self.fact(b));
        let fact = match sort {
            Arith::Add => x.add(y),
            Arith::Sub => x.sub(y),
            Arith::Mul => x.mul(y),
        };
        let (a, b) = (self.get(a), self.get(b));
        self.checked(d, a, b, sort, fact);
    }

    pub(super) fn abs(&mut self, d: Reg, a: Reg) {
        let fact = self.fact(a);
        let value = self.get(a);
        if fact.lo >= 0 {
            self.set(d, value, fact);
        } else {
            let zero = self.const_value(0);
            let (negated, over) = self.b.ins().ssub_overflow(zero, value);
            self.fail_if(over);
            let result = self.b.ins().smax(value, negated);
            let hi = fact.hi.max(fact.lo.checked_neg().unwrap_or(i64::MAX));
            self.set(d, result, Fact::within(0, hi));
        }
    }

    /// `a + b`, `a - b`, `a * b`: given up on overflow.
    pub(super) fn checked(&mut self, d: Reg, a: Value, b: Value, sort: Arith, fact: Result<Fact, Fact>) {
        match fact {
            Ok(fact) => {
                let value = match sort {
                    Arith::Add => self.b.ins().iadd(a, b),
                    Arith::Sub => self.b.ins().isub(a, b),
                    Arith::Mul => self.b.ins().imul(a, b),
                };
                self.set(d, value, fact);
            }
            Err(fact) => {
                let (value, over) = match sort {
                    Arith::Add => self.b.ins().sadd_overflow(a, b),
                    Arith::Sub => self.b.ins().ssub_overflow(a, b),
                    Arith::Mul => self.b.ins().smul_overflow(a, b),
                };
                self.fail_if(over);
                self.set(d, value, fact);
            }
        }
    }

    pub(super) fn check_nat(&mut self, a: Reg) {
        let fact = self.fact(a);
        if fact.lo < 0 {
            let value = self.get(a);
            let zero = self.const_value(0);
            let negative = self.b.ins().icmp(IntCC::SignedLessThan, value, zero);
            self.fail_if(negative);
            self.facts[usize::from(a)] = Fact { hi: fact.hi.max(0), ..fact.at_least(0) };
        }
    }

    /// Quotient or remainder rounded down; a divisor that is not positive gives up.
    pub(super) fn divide(&mut self, d: Reg, a: Reg, b: Reg, quotient: bool) {
        let (x, y) = (self.fact(a), self.fact(b));
        let (a, b) = (self.get(a), self.get(b));
        if y.lo <= 0 {
            let zero = self.const_value(0);
            let bad = self.b.ins().icmp(IntCC::SignedLessThanOrEqual, b, zero);
            self.fail_if(bad);
        }
        let least = y.lo.max(1);
        if x.lo >= 0 {
            let value = if quotient { self.b.ins().udiv(a, b) } else { self.b.ins().urem(a, b) };
            let fact = if quotient {
                Fact::within(0, x.hi / least)
            } else {
                Fact::within(0, x.hi.min(y.hi.max(1) - 1).max(0))
            };
            self.set(d, value, fact);
            return;
        }
        let rest = self.b.ins().srem(a, b);
        let zero = self.const_value(0);
        let negative = self.b.ins().icmp(IntCC::SignedLessThan, rest, zero);
        if quotient {
            let value = self.b.ins().sdiv(a, b);
            let one = self.b.ins().uextend(I64, negative);
            let value = self.b.ins().isub(value, one);
            self.set(d, value, Fact::within(x.lo, x.hi.max(0)));
        } else {
            let raised = self.b.ins().iadd(rest, b);
            let value = self.b.ins().select(negative, raised, rest);
            self.set(d, value, Fact::within(0, y.hi.max(1) - 1));
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum Arith {
    Add,
    Sub,
    Mul,
}
