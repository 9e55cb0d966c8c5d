//! Word instructions as native code, with what facts make superfluous left out.

use super::facts::Fact;
use crate::rules::code::{Code, Op, Reg};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I32, I64};
use cranelift_codegen::ir::{AbiParam, Block, BlockArg, InstBuilder, MemFlagsData, SigRef, Signature, Value};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, Variable};

/// Loads and stores that are known to be in bounds.
pub(super) fn trusted() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// No arguments for a block.
pub(super) const NONE: [&BlockArg; 0] = [];

/// Code being made, with what is known of each register here.
pub(super) struct Emitter<'f> {
    pub(super) b: FunctionBuilder<'f>,
    pub(super) regs: Vec<Variable>,
    pub(super) facts: Vec<Fact>,
    /// Where a position goes that cannot be worked out.
    pub(super) fail: Block,
    call: Option<SigRef>,
    conv: CallConv,
}

/// Calls a native function on masks; its address is built into the code.
extern "C" fn call_native(native: *const crate::rules::code::Native, mask: u64) -> u64 {
    // SAFETY: the address is that of an entry of `Code::natives`, and the compiled code keeps that code alive.
    #[allow(unsafe_code)]
    let native = unsafe { &*native };
    (native.0)(mask)
}

impl<'f> Emitter<'f> {
    pub(super) fn new(mut b: FunctionBuilder<'f>, words: usize, fail: Block, conv: CallConv) -> Self {
        let regs = (0..words).map(|_| b.declare_var(I64)).collect();
        Emitter { b, regs, facts: vec![Fact::TOP; words], fail, call: None, conv }
    }

    pub(super) fn fact(&self, reg: Reg) -> Fact {
        self.facts[usize::from(reg)]
    }

    pub(super) fn get(&mut self, reg: Reg) -> Value {
        match self.fact(reg).value() {
            Some(k) => self.b.ins().iconst(I64, k),
            None => self.b.use_var(self.regs[usize::from(reg)]),
        }
    }

    pub(super) fn set(&mut self, reg: Reg, value: Value, fact: Fact) {
        let value = match fact.value() {
            Some(k) => self.b.ins().iconst(I64, k),
            None => value,
        };
        self.b.def_var(self.regs[usize::from(reg)], value);
        self.facts[usize::from(reg)] = fact;
    }

    pub(super) fn constant(&mut self, reg: Reg, k: i64) {
        let value = self.b.ins().iconst(I64, k);
        self.set(reg, value, Fact::known(k));
    }

    pub(super) fn const_value(&mut self, k: i64) -> Value {
        self.b.ins().iconst(I64, k)
    }

    /// Gives the position up when the truth holds.
    pub(super) fn fail_if(&mut self, truth: Value) {
        let on = self.b.create_block();
        let fail = self.fail;
        self.b.ins().brif(truth, fail, NONE, on, NONE);
        self.b.switch_to_block(on);
    }

    pub(super) fn truth(&mut self, d: Reg, truth: Value) {
        let wide = self.b.ins().uextend(I64, truth);
        self.set(d, wide, Fact::within(0, 1));
    }

    pub(super) fn less(&mut self, a: Reg, b: Reg) -> Value {
        let (a, b) = (self.get(a), self.get(b));
        self.b.ins().icmp(IntCC::SignedLessThan, a, b)
    }

    pub(super) fn at_most(&mut self, a: Reg, b: Reg) -> Value {
        let (a, b) = (self.get(a), self.get(b));
        self.b.ins().icmp(IntCC::SignedLessThanOrEqual, a, b)
    }

    pub(super) fn equal(&mut self, a: Reg, b: Reg) -> Value {
        let (a, b) = (self.get(a), self.get(b));
        self.b.ins().icmp(IntCC::Equal, a, b)
    }

    /// `a + b`, `a - b`, `a * b`: given up on overflow.
    fn checked(&mut self, d: Reg, a: Value, b: Value, sort: Arith, fact: Result<Fact, Fact>) {
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

    /// Gives up unless `0 <= value < len`.
    pub(super) fn bound(&mut self, value: Value, fact: Fact, len: i64) {
        if fact.lo < 0 || fact.hi >= len {
            let len = self.const_value(len);
            let outside = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, value, len);
            self.fail_if(outside);
        }
    }

    /// An entry of a table of words at a known address.
    fn entry(&mut self, table: &[i64], at: Value, fact: Fact) -> (Value, Fact) {
        let len = i64::try_from(table.len()).unwrap_or(i64::MAX);
        if let Some(item) = fact.value().and_then(|k| usize::try_from(k).ok()).and_then(|k| table.get(k)) {
            return (self.const_value(*item), Fact::known(*item));
        }
        self.bound(at, fact, len);
        let base = self.address(table.as_ptr());
        let offset = self.b.ins().ishl_imm_u(at, 3);
        let place = self.b.ins().iadd(base, offset);
        let value = self.b.ins().load(I64, trusted(), place, 0);
        let (lo, hi) = (table.iter().min(), table.iter().max());
        (value, Fact::within(lo.copied().unwrap_or(0), hi.copied().unwrap_or(0)))
    }

    pub(super) fn address<T>(&mut self, pointer: *const T) -> Value {
        self.const_value(i64::try_from(pointer.addr()).unwrap_or_default())
    }

    /// An instruction that neither jumps nor moves in the game. `false`: not one of those.
    pub(super) fn plain(&mut self, op: Op, code: &Code) -> bool {
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

    fn check_nat(&mut self, a: Reg) {
        let fact = self.fact(a);
        if fact.lo < 0 {
            let value = self.get(a);
            let zero = self.const_value(0);
            let negative = self.b.ins().icmp(IntCC::SignedLessThan, value, zero);
            self.fail_if(negative);
            self.facts[usize::from(a)] = Fact { hi: fact.hi.max(0), ..fact.at_least(0) };
        }
    }

    fn bits(
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

    fn single(&mut self, d: Reg, a: Reg) {
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

    /// Quotient or remainder rounded down; a divisor that is not positive gives up.
    fn divide(&mut self, d: Reg, a: Reg, b: Reg, quotient: bool) {
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

    fn signature(&mut self) -> SigRef {
        if let Some(signature) = self.call {
            return signature;
        }
        let mut signature = Signature::new(self.conv);
        signature.params.extend([AbiParam::new(I64), AbiParam::new(I64)]);
        signature.returns.push(AbiParam::new(I64));
        let signature = self.b.import_signature(signature);
        self.call = Some(signature);
        signature
    }

    /// Gives the whole run up when the flag at this address is set: asked in loops whose length is not known.
    pub(super) fn heed(&mut self, flag: Value, interrupted: Block) {
        let set = self.b.ins().load(I8, MemFlagsData::trusted(), flag, 0);
        let on = self.b.create_block();
        self.b.ins().brif(set, interrupted, NONE, on, NONE);
        self.b.switch_to_block(on);
    }
}

#[derive(Clone, Copy)]
enum Arith {
    Add,
    Sub,
    Mul,
}
