//! Instructions that neither jump nor move in the game.

use crate::bytecode::{Code, Op};
use crate::jit::emit::Emitter;
use crate::jit::emit::arith::Arith;
use crate::jit::facts::Fact;
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;

impl Emitter<'_> {
    /// An instruction that neither jumps nor moves in the game. `false`: not one of those.
    pub(crate) fn plain(&mut self, op: Op, code: &Code) -> bool {
        match op {
            Op::Const { d, k } => self.constant(d, i64::from(k)),
            Op::ConstWide { d, k } => self.constant(d, code.wide[usize::from(k)]),
            Op::Copy { d, a } => {
                let (value, fact) = (self.get(a), self.fact(a));
                self.set(d, value, fact);
            }
            Op::Add { d, a, b } => self.arith(d, a, b, Arith::Add),
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
            Op::Sub { d, a, b } => self.arith(d, a, b, Arith::Sub),
            Op::Neg { d, a } => {
                let fact = Fact::known(0).sub(self.fact(a));
                let a = self.get(a);
                let zero = self.const_value(0);
                self.checked(d, zero, a, Arith::Sub, fact);
            }
            Op::Mul { d, a, b } => self.arith(d, a, b, Arith::Mul),
            Op::Div { d, a, b } => self.divide(d, a, b, true),
            Op::Mod { d, a, b } => self.divide(d, a, b, false),
            Op::Abs { d, a } => self.abs(d, a),
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
            Op::NatXor { d, a, b } => self.nat_bits(d, a, b, true),
            Op::NatAnd { d, a, b } => self.nat_bits(d, a, b, false),
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
            Op::Has { d, a, b } => self.has(d, a, b),
            Op::Pair { d, a, b } => self.pair(d, a, b),
            Op::CheckMember { a } => self.check_member(a),
            Op::Below { d, a } => self.below(d, a),
            Op::Greatest { d, a } => self.greatest(d, a),
            Op::Size { d, a } => self.size(d, a),
            Op::Table { d, table, a } => {
                let (at, fact) = (self.get(a), self.fact(a));
                let (value, fact) = self.entry(&code.tables[usize::from(table)], at, fact);
                self.set(d, value, fact);
            }
            Op::ListTable { d, table, a } => self.list_entry(d, &code.list_tables[usize::from(table)], a),
            Op::Native { d, native, a } => self.call_native(d, &code.natives[usize::from(native)], a),
            Op::Row { d, rows, a } => self.row(d, &code.rows[usize::from(rows)], a),
            Op::Nop
            | Op::BoxInt { .. }
            | Op::BoxBool { .. }
            | Op::BoxMember { .. }
            | Op::BoxMask { .. }
            | Op::Value { .. }
            | Op::Materialize { .. }
            | Op::Move { .. } => {}
            _ => return false,
        }
        true
    }
}
