//! Word instructions as native code, with what facts make superfluous left out.

mod arith;
mod bits;
mod plain;
mod tables;

use crate::bytecode::Reg;
use crate::jit::facts::Fact;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, MemFlagsData, SigRef, Value};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, Variable};

/// Loads and stores that are known to be in bounds.
pub(crate) fn trusted() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// No arguments for a block.
pub(crate) const NONE: [&BlockArg; 0] = [];

/// Code being made, with what is known of each register here.
pub(crate) struct Emitter<'f> {
    pub(crate) b: FunctionBuilder<'f>,
    pub(crate) regs: Vec<Variable>,
    pub(crate) facts: Vec<Fact>,
    /// Where a position goes that cannot be worked out.
    pub(crate) fail: Block,
    call: Option<SigRef>,
    conv: CallConv,
}

impl<'f> Emitter<'f> {
    pub(crate) fn new(mut b: FunctionBuilder<'f>, words: usize, fail: Block, conv: CallConv) -> Self {
        let regs = (0..words).map(|_| b.declare_var(I64)).collect();
        Emitter { b, regs, facts: vec![Fact::TOP; words], fail, call: None, conv }
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

    /// Gives the position up when the truth holds.
    pub(crate) fn fail_if(&mut self, truth: Value) {
        let on = self.b.create_block();
        let fail = self.fail;
        self.b.ins().brif(truth, fail, NONE, on, NONE);
        self.b.switch_to_block(on);
    }

    pub(crate) fn truth(&mut self, d: Reg, truth: Value) {
        let wide = self.b.ins().uextend(I64, truth);
        self.set(d, wide, Fact::within(0, 1));
    }

    pub(crate) fn less(&mut self, a: Reg, b: Reg) -> Value {
        let (a, b) = (self.get(a), self.get(b));
        self.b.ins().icmp(IntCC::SignedLessThan, a, b)
    }

    pub(crate) fn at_most(&mut self, a: Reg, b: Reg) -> Value {
        let (a, b) = (self.get(a), self.get(b));
        self.b.ins().icmp(IntCC::SignedLessThanOrEqual, a, b)
    }

    pub(crate) fn equal(&mut self, a: Reg, b: Reg) -> Value {
        let (a, b) = (self.get(a), self.get(b));
        self.b.ins().icmp(IntCC::Equal, a, b)
    }

    /// Gives the whole run up when the flag at this address is set: asked in loops whose length is not known.
    pub(crate) fn heed(&mut self, flag: Value, interrupted: Block) {
        let set = self.b.ins().load(I8, MemFlagsData::trusted(), flag, 0);
        let on = self.b.create_block();
        self.b.ins().brif(set, interrupted, NONE, on, NONE);
        self.b.switch_to_block(on);
    }
}
