//! Word instructions as native code, with what facts make superfluous left out.

use crate::bytecode::{Code, ListTable, Native, Op, Reg};
use crate::jit::facts::Fact;
use crate::value::domain::{NUMBERS, SIDE, numbers_below};
use crate::value::width;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Block, BlockArg, InstBuilder, MemFlagsData, SigRef, Signature, Value};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, Variable};
use grundy_graphs::rows::Rows;

pub(crate) const NONE: [&BlockArg; 0] = [];

/// Code being made, with what is known of each register here.
pub(crate) struct Emitter<'f> {
    pub(crate) b: FunctionBuilder<'f>,
    pub(crate) regs: Vec<Variable>,
    pub(crate) facts: Vec<Fact>,
    /// Where a position goes that cannot be worked out.
    pub(crate) fail: Block,
    /// The address of the registers for instructions on values, and that of their words.
    pub(crate) frame: [Value; 2],
    call: Option<SigRef>,
    conv: CallConv,
}

#[derive(Clone, Copy)]
pub(super) enum Arith {
    Add,
    Sub,
    Mul,
}

impl<'f> Emitter<'f> {
    pub(crate) fn new(
        mut b: FunctionBuilder<'f>,
        words: usize,
        fail: Block,
        frame: [Value; 2],
        conv: CallConv,
    ) -> Self {
        let regs = (0..words).map(|_| b.declare_var(I64)).collect();
        Emitter { b, regs, facts: vec![Fact::TOP; words], fail, frame, call: None, conv }
    }

    pub(crate) fn fact(&self, reg: Reg) -> Fact {
        self.facts[usize::from(reg)]
    }

    pub(crate) fn get(&mut self, reg: Reg) -> Value {
        match self.fact(reg).value() {
            Some(k) => self.b.ins().iconst(I64, k),
            None => self.b.use_var(self.regs[usize::from(reg)]),
        }
    }

    pub(crate) fn set(&mut self, reg: Reg, value: Value, fact: Fact) {
        let value = match fact.value() {
            Some(k) => self.b.ins().iconst(I64, k),
            None => value,
        };
        self.b.def_var(self.regs[usize::from(reg)], value);
        self.facts[usize::from(reg)] = fact;
    }

    pub(crate) fn constant(&mut self, reg: Reg, k: i64) {
        let value = self.b.ins().iconst(I64, k);
        self.set(reg, value, Fact::known(k));
    }

    pub(crate) fn const_value(&mut self, k: i64) -> Value {
        self.b.ins().iconst(I64, k)
    }

    pub(crate) fn put(&mut self, var: Variable, k: i64) {
        let value = self.const_value(k);
        self.b.def_var(var, value);
    }

    pub(crate) fn update(&mut self, var: Variable, change: impl FnOnce(&mut Self, Value) -> Value) {
        let old = self.b.use_var(var);
        let new = change(self, old);
        self.b.def_var(var, new);
    }

    pub(crate) fn advance(&mut self, var: Variable, by: i64) {
        self.update(var, |e, now| e.b.ins().iadd_imm_s(now, by));
    }

    pub(crate) fn load(&mut self, place: Value, offset: i32) -> Value {
        self.b.ins().load(I64, trusted(), place, offset)
    }

    /// The address of an item of a table whose items take `1 << shift` bytes.
    pub(crate) fn item_at(&mut self, table: Value, index: Value, shift: u32) -> Value {
        let offset = self.b.ins().ishl_imm_u(index, i64::from(shift));
        self.b.ins().iadd(table, offset)
    }

    pub(crate) fn bit(&mut self, number: Value) -> Value {
        let one = self.const_value(1);
        self.b.ins().ishl(one, number)
    }

    pub(crate) fn without_least(&mut self, mask: Value) -> Value {
        let less = self.b.ins().iadd_imm_s(mask, -1);
        self.b.ins().band(mask, less)
    }

    /// Goes to `yes` or `no` by the truth; what comes next is emitted in `next`.
    pub(crate) fn branch(&mut self, truth: Value, yes: Block, no: Block, next: Block) {
        self.b.ins().brif(truth, yes, NONE, no, NONE);
        self.b.switch_to_block(next);
    }

    pub(crate) fn leave_if(&mut self, truth: Value, to: Block) {
        let on = self.b.create_block();
        self.branch(truth, to, on, on);
    }

    /// Gives the position up when the truth holds.
    pub(crate) fn fail_if(&mut self, truth: Value) {
        self.leave_if(truth, self.fail);
    }

    pub(crate) fn truth(&mut self, d: Reg, truth: Value) {
        let wide = self.b.ins().uextend(I64, truth);
        self.set(d, wide, Fact::within(0, 1));
    }

    /// How two registers compare, where that is known.
    pub(crate) fn known(&self, how: IntCC, a: Reg, b: Reg) -> Option<bool> {
        let (a, b) = (self.fact(a), self.fact(b));
        match how {
            IntCC::Equal => a.equal(b),
            IntCC::NotEqual => a.equal(b).map(|equal| !equal),
            IntCC::SignedLessThan => a.less(b),
            IntCC::SignedLessThanOrEqual => b.less(a).map(|greater| !greater),
            _ => None,
        }
    }

    pub(crate) fn compare(&mut self, how: IntCC, a: Reg, b: Reg) -> Value {
        let (a, b) = (self.get(a), self.get(b));
        self.b.ins().icmp(how, a, b)
    }

    fn compared(&mut self, d: Reg, how: IntCC, a: Reg, b: Reg) {
        if let Some(known) = self.known(how, a, b) {
            self.constant(d, i64::from(known));
        } else {
            let truth = self.compare(how, a, b);
            self.truth(d, truth);
        }
    }

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
            Op::Min { d, a, b } | Op::Max { d, a, b } => {
                let least = matches!(op, Op::Min { .. });
                let (x, y) = (self.fact(a), self.fact(b));
                let (a, b) = (self.get(a), self.get(b));
                let value = if least { self.b.ins().smin(a, b) } else { self.b.ins().smax(a, b) };
                self.set(d, value, if least { x.min(y) } else { x.max(y) });
            }
            Op::CopyIf { d, a, b } => {
                let (x, y) = (self.fact(d), self.fact(b));
                let (flag, new, old) = (self.get(a), self.get(b), self.get(d));
                let value = self.b.ins().select(flag, new, old);
                self.set(d, value, Fact::within(x.lo.min(y.lo), x.hi.max(y.hi)));
            }
            Op::NatXor { d, a, b } => self.nat_bits(d, a, b, true),
            Op::NatAnd { d, a, b } => self.nat_bits(d, a, b, false),
            Op::Number { word, d, a, b } => {
                let (a, b) = (self.get(a), self.get(b));
                let value = self.call(word.address(), a, b);
                let failed = self.b.ins().icmp_imm_s(IntCC::Equal, value, i64::MIN);
                self.fail_if(failed);
                self.set(d, value, word.range().map_or(Fact::TOP, |(lo, hi)| Fact::within(lo, hi)));
            }
            Op::Eq { d, a, b } => self.compared(d, IntCC::Equal, a, b),
            Op::Ne { d, a, b } => self.compared(d, IntCC::NotEqual, a, b),
            Op::Lt { d, a, b } => self.compared(d, IntCC::SignedLessThan, a, b),
            Op::Le { d, a, b } => self.compared(d, IntCC::SignedLessThanOrEqual, a, b),
            Op::Not { d, a } => {
                if let Some(known) = self.fact(a).equal(Fact::known(0)) {
                    self.constant(d, i64::from(known));
                } else {
                    let a = self.get(a);
                    let truth = self.b.ins().icmp_imm_s(IntCC::Equal, a, 0);
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
            _ => return false,
        }
        true
    }

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
            let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, value, 0);
            self.fail_if(negative);
            self.facts[usize::from(a)] = Fact { hi: fact.hi.max(0), ..fact.at_least(0) };
        }
    }

    /// Quotient or remainder rounded down; a divisor that is not positive gives up.
    pub(super) fn divide(&mut self, d: Reg, a: Reg, b: Reg, quotient: bool) {
        let (x, y) = (self.fact(a), self.fact(b));
        let (a, b) = (self.get(a), self.get(b));
        if y.lo <= 0 {
            let bad = self.b.ins().icmp_imm_s(IntCC::SignedLessThanOrEqual, b, 0);
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
        let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, rest, 0);
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

    pub(super) fn has(&mut self, d: Reg, a: Reg, b: Reg) {
        let fact = self.fact(a);
        let (a, b) = (self.get(a), self.get(b));
        let shifted = self.b.ins().ushr(b, a);
        let bit = self.b.ins().band_imm_s(shifted, 1);
        let bit = self.if_member(a, fact, bit);
        self.set(d, bit, Fact::within(0, 1));
    }

    /// The word where a number is that of a bit, else 0.
    fn if_member(&mut self, number: Value, fact: Fact, word: Value) -> Value {
        if fact.lo >= 0 && fact.hi <= 63 {
            return word;
        }
        let zero = self.const_value(0);
        let inside = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, number, 64);
        self.b.ins().select(inside, word, zero)
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
        let bit = self.bit(a);
        let bit = self.if_member(a, fact, bit);
        let bit_of = |k: i64| u32::try_from(k).ok().filter(|k| *k < 63).map(|k| 1i64 << k);
        let known = bit_of(fact.lo).zip(bit_of(fact.hi)).map_or(Fact::TOP, |(lo, hi)| Fact::within(lo, hi));
        self.set(d, bit, known);
    }

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
            let outside = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, value, NUMBERS);
            self.fail_if(outside);
            let (lo, hi) = (fact.lo.max(0), fact.hi.min(NUMBERS - 1));
            // Where nothing is left this is never reached.
            self.facts[usize::from(a)] = Fact { lo: lo.min(hi.max(0)), hi: hi.max(0), ..fact };
        }
    }

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
        let bit = self.bit(at);
        let value = self.b.ins().iadd_imm_s(bit, -1);
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

    pub(super) fn list_entry(&mut self, d: Reg, list: &ListTable, a: Reg) {
        let (at, fact) = (self.get(a), self.fact(a));
        // Outside of the list gives up, before the base can be taken off with an overflow.
        let Ok(shifted) = fact.sub(Fact::known(list.base)) else {
            let fail = self.fail;
            self.b.ins().jump(fail, NONE);
            let on = self.b.create_block();
            self.b.switch_to_block(on);
            self.constant(d, 0);
            return;
        };
        let base = self.const_value(list.base);
        let at = self.b.ins().isub(at, base);
        let (value, fact) = self.entry(&list.items, at, Fact { from: None, least_of: 0, ..shifted });
        self.set(d, value, fact);
    }

    pub(super) fn call_native(&mut self, d: Reg, native: &Native, a: Reg) {
        let entry: *const Native = native;
        let (entry, mask) = (self.address(entry), self.get(a));
        let value = self.call(call_native as *const u8, entry, mask);
        self.set(d, value, Fact::TOP);
    }

    /// What a function of two words at this address returns.
    fn call(&mut self, function: *const u8, a: Value, b: Value) -> Value {
        let signature = self.signature();
        let target = self.address(function);
        let call = self.b.ins().call_indirect(signature, target, &[a, b]);
        self.b.inst_results(call)[0]
    }

    /// Instructions on values, by a call of `step_on_values` or `run_on_values` of [`crate::jit::frame`], whose status it
    /// gives. Afterwards the words are read again.
    pub(super) fn call_on_values(&mut self, function: *const u8, at: usize, reads: &[Reg], writes: &[Reg]) -> Value {
        let [frame, words] = self.frame;
        let place = |reg: Reg| i32::from(reg) * 8;
        for &reg in reads {
            let word = self.get(reg);
            self.b.ins().store(trusted(), word, words, place(reg));
        }
        let at = self.const_value(width::int(at));
        let status = self.call(function, frame, at);
        for &reg in writes {
            let word = self.load(words, place(reg));
            self.set(reg, word, Fact::TOP);
        }
        status
    }

    /// The bounds of a row, in `d` and the register after it.
    pub(super) fn row(&mut self, d: Reg, rows: &Rows, a: Reg) {
        let (at, fact) = (self.get(a), self.fact(a));
        if let Some(k) = fact.value().and_then(|k| usize::try_from(k).ok()).filter(|&k| k + 1 < rows.start.len()) {
            self.constant(d, i64::from(rows.start[k]));
            self.constant(d + 1, i64::from(rows.start[k + 1]));
            return;
        }
        let len = width::int(rows.start.len()) - 1;
        self.bound(at, fact, len);
        let items = width::int(rows.to.len());
        for i in 0..2u16 {
            let value = self.half_word(&rows.start, at, i32::from(i) * 4);
            self.set(d + i, value, Fact::within(0, items));
        }
    }

    /// An item of a table of numbers of 4 bytes at a known address, or one so many bytes behind it.
    pub(crate) fn half_word(&mut self, table: &[u32], at: Value, behind: i32) -> Value {
        let base = self.address(table.as_ptr());
        let place = self.item_at(base, at, 2);
        self.b.ins().uload32(trusted(), place, behind)
    }

    /// Gives up unless `0 <= value < len`.
    pub(crate) fn bound(&mut self, value: Value, fact: Fact, len: i64) {
        if fact.lo < 0 || fact.hi >= len {
            let outside = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, value, len);
            self.fail_if(outside);
        }
    }

    /// An entry of a table of words at a known address.
    pub(super) fn entry(&mut self, table: &[i64], at: Value, fact: Fact) -> (Value, Fact) {
        let len = width::int(table.len());
        if let Some(item) = fact.value().and_then(|k| usize::try_from(k).ok()).and_then(|k| table.get(k)) {
            return (self.const_value(*item), Fact::known(*item));
        }
        self.bound(at, fact, len);
        let base = self.address(table.as_ptr());
        let place = self.item_at(base, at, 3);
        let value = self.load(place, 0);
        let (lo, hi) = (table.iter().min(), table.iter().max());
        (value, Fact::within(lo.copied().unwrap_or(0), hi.copied().unwrap_or(0)))
    }

    pub(crate) fn address<T>(&mut self, pointer: *const T) -> Value {
        self.const_value(i64::try_from(pointer.addr()).unwrap_or_default())
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
}

/// Loads and stores that are known to be in bounds.
pub(crate) fn trusted() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// The least number that has only ones in binary and is not less.
fn ones(hi: i64) -> i64 {
    if hi <= 0 { 0 } else { i64::MAX >> (hi.leading_zeros() - 1) }
}

/// Calls a native function on masks; its address is built into the code.
extern "C" fn call_native(native: *const Native, mask: u64) -> u64 {
    // SAFETY: the address is that of an entry of `Code::natives`, and the compiled code keeps that code alive.
    #[allow(unsafe_code)]
    let native = unsafe { &*native };
    (native.0)(mask)
}
