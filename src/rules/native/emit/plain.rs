//! Instructions that neither jump nor move in the game.

use super::arith::Arith;
use super::tables::call_native;
use super::{Emitter, NONE, trusted};
use crate::rules::code::{Code, Op};
use crate::rules::native::facts::Fact;
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};

impl<'f> Emitter<'f> {
    /// An instruction that neither jumps nor moves in the game. `false`: not one of those.
    pub(in crate::rules::native) fn plain(&mut self, op: Op, code: &Code) -> bool {
        match op {
            Op::Const { d, k } => self.constant(d, i64::from(k)),
            Op::ConstWide { d, k } => self.constant(d, code.wide[usize::from(k)]),
            Op::Copy { d, a } => {
                let (value, fact) = (self.get(a), self.fact(a));
                self.set(d, value, fact);
            }
            Op::Add { d, a, b } => {
                let fact = self.fact(a).add(self.fact(b));
                let (a, b) = (self.get(a), self.get(b));
                self.checked(d, a, b, Arith::Add, fact);
            }
            Op::AddConst { d, a, k } => {
                let fact = self.fact(a).add(Fact::known(i64::from(k)));
                let a = self.get(a);
                let b = self.const_value(i64::from(k));
                self.checked(d, a, b, Arith::Add, fact);
            }
            Op::RangeStart { d, a } => {
                let fact = self.fact(a).sub(Fact::known(1));
                let a = self.get(a);
                let b = self.const_value(1);
                self.checked(d, a, b, Arith::Sub, fact);
            }
            Op::Sub { d, a, b } => {
                let fact = self.fact(a).sub(self.fact(b));
                let (a, b) = (self.get(a), self.get(b));
                self.checked(d, a, b, Arith::Sub, fact);
            }
            Op::Neg { d, a } => {
                let fact = Fact::known(0).sub(self.fact(a));
                let a = self.get(a);
                let zero = self.const_value(0);
                self.checked(d, zero, a, Arith::Sub, fact);
            }
            Op::Mul { d, a, b } => {
                let fact = self.fact(a).mul(self.fact(b));
                let (a, b) = (self.get(a), self.get(b));
                self.checked(d, a, b, Arith::Mul, fact);
            }
            Op::Div { d, a, b } => self.divide(d, a, b, true),
            Op::Mod { d, a, b } => self.divide(d, a, b, false),
            Op::Abs { d, a } => {
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
            Op::Min { d, a, b } => {
                let fact = self.fact(a).min(self.fact(b));
                let (a, b) = (self.get(a), self.get(b));
                let value = self.b.ins().smin(a, b);
                self.set(d, value, fact);
            }
            Op::Max { d, a, b } => {
                let fact = self.fact(a).max(self.fact(b));
                let (a, b) = (self.get(a), self.get(b));
                let value = self.b.ins().smax(a, b);
                self.set(d, value, fact);
            }
            Op::NatXor { d, a, b } | Op::NatAnd { d, a, b } => {
                for reg in [a, b] {
                    self.check_nat(reg);
                }
                let (x, y) = (self.fact(a), self.fact(b));
                let (a, b) = (self.get(a), self.get(b));
                if matches!(op, Op::NatXor { .. }) {
                    let value = self.b.ins().bxor(a, b);
                    let all = x.hi.max(y.hi).max(0);
                    let hi = if all == 0 { 0 } else { i64::MAX >> (all.leading_zeros() - 1) };
                    self.set(d, value, Fact::within(0, hi));
                } else {
                    let value = self.b.ins().band(a, b);
                    self.set(d, value, Fact::within(0, x.hi.min(y.hi).max(0)));
                }
            }
            Op::Eq { d, a, b } | Op::Ne { d, a, b } => {
                let want = matches!(op, Op::Eq { .. });
                if let Some(known) = self.fact(a).equal(self.fact(b)) {
                    self.constant(d, i64::from(known == want));
                } else {
                    let (a, b) = (self.get(a), self.get(b));
                    let cc = if want { IntCC::Equal } else { IntCC::NotEqual };
                    let truth = self.b.ins().icmp(cc, a, b);
                    self.truth(d, truth);
                }
            }
            Op::Lt { d, a, b } => {
                if let Some(known) = self.fact(a).less(self.fact(b)) {
                    self.constant(d, i64::from(known));
                } else {
                    let truth = self.less(a, b);
                    self.truth(d, truth);
                }
            }
            Op::Le { d, a, b } => {
                if let Some(greater) = self.fact(b).less(self.fact(a)) {
                    self.constant(d, i64::from(!greater));
                } else {
                    let truth = self.at_most(a, b);
                    self.truth(d, truth);
                }
            }
            Op::Not { d, a } => {
                if let Some(known) = self.fact(a).equal(Fact::known(0)) {
                    self.constant(d, i64::from(known));
                } else {
                    let a = self.get(a);
                    let zero = self.const_value(0);
                    let truth = self.b.ins().icmp(IntCC::Equal, a, zero);
                    self.truth(d, truth);
                }
            }
            Op::CheckNat { a, .. } => self.check_nat(a),
            Op::And { d, a, b } => self.bits(d, a, b, |e, a, b| e.b.ins().band(a, b), |a, b| a & b),
            Op::Or { d, a, b } => self.bits(d, a, b, |e, a, b| e.b.ins().bor(a, b), |a, b| a | b),
            Op::Xor { d, a, b } => self.bits(d, a, b, |e, a, b| e.b.ins().bxor(a, b), |a, b| a ^ b),
            Op::AndNot { d, a, b } => self.bits(d, a, b, |e, a, b| e.b.ins().band_not(a, b), |a, b| a & !b),
            Op::Single { d, a } => self.single(d, a),
            Op::Has { d, a, b } => {
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
            Op::Size { d, a } => {
                if let Some(k) = self.fact(a).value() {
                    self.constant(d, i64::from(k.count_ones()));
                } else {
                    let a = self.get(a);
                    let n = self.b.ins().popcnt(a);
                    self.set(d, n, Fact::within(0, 64));
                }
            }
            Op::Table { d, table, a } => {
                let (at, fact) = (self.get(a), self.fact(a));
                let (value, fact) = self.entry(&code.tables[usize::from(table)], at, fact);
                self.set(d, value, fact);
            }
            Op::ListTable { d, table, a } => {
                let list = &code.list_tables[usize::from(table)];
                let (at, fact) = (self.get(a), self.fact(a));
                // Outside of the list gives up, before the base can be taken off with an overflow.
                let Ok(shifted) = fact.sub(Fact::known(list.base)) else {
                    let fail = self.fail;
                    self.b.ins().jump(fail, NONE);
                    let on = self.b.create_block();
                    self.b.switch_to_block(on);
                    self.constant(d, 0);
                    return true;
                };
                let base = self.const_value(list.base);
                let at = self.b.ins().isub(at, base);
                let (value, fact) = self.entry(&list.items, at, Fact { from: None, least_of: 0, ..shifted });
                self.set(d, value, fact);
            }
            Op::Native { d, native, a } => {
                let entry: *const crate::rules::code::Native = &raw const code.natives[usize::from(native)];
                let signature = self.signature();
                let target = self.address(call_native as *const u8);
                let (entry, mask) = (self.address(entry), self.get(a));
                let call = self.b.ins().call_indirect(signature, target, &[entry, mask]);
                let value = self.b.inst_results(call)[0];
                self.set(d, value, Fact::TOP);
            }
            Op::Row { d, rows, a } => {
                let rows = &code.rows[usize::from(rows)];
                let (at, fact) = (self.get(a), self.fact(a));
                if let Some(k) =
                    fact.value().and_then(|k| usize::try_from(k).ok()).filter(|&k| k + 1 < rows.start.len())
                {
                    self.constant(d, i64::from(rows.start[k]));
                    self.constant(d + 1, i64::from(rows.start[k + 1]));
                    return true;
                }
                let len = i64::try_from(rows.start.len()).unwrap_or(i64::MAX) - 1;
                self.bound(at, fact, len);
                let base = self.address(rows.start.as_ptr());
                let offset = self.b.ins().ishl_imm_u(at, 2);
                let place = self.b.ins().iadd(base, offset);
                let items = i64::try_from(rows.items.len()).unwrap_or(i64::MAX);
                for i in 0..2u16 {
                    let value = self.b.ins().load(I32, trusted(), place, i32::from(i) * 4);
                    let value = self.b.ins().uextend(I64, value);
                    self.set(d + i, value, Fact::within(0, items));
                }
            }
            Op::Nop
            | Op::BoxInt { .. }
            | Op::BoxBool { .. }
            | Op::BoxMember { .. }
            | Op::BoxMask { .. }
            | Op::Value { .. }
            | Op::Make { .. }
            | Op::Move { .. } => {}
            _ => return false,
        }
        true
    }
}
