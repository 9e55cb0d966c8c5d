//! Tables at known addresses, and functions on masks.

use crate::bytecode::{ListTable, Native, Reg};
use crate::jit::emit::{Emitter, NONE, trusted};
use crate::jit::facts::Fact;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{AbiParam, InstBuilder, SigRef, Signature, Value};
use grundy_graphs::rows::Rows;

/// Calls a native function on masks; its address is built into the code.
extern "C" fn call_native(native: *const Native, mask: u64) -> u64 {
    // SAFETY: the address is that of an entry of `Code::natives`, and the compiled code keeps that code alive.
    #[allow(unsafe_code)]
    let native = unsafe { &*native };
    (native.0)(mask)
}

impl Emitter<'_> {
    /// An item of a constant list.
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

    /// The result of a function on masks.
    pub(super) fn call_native(&mut self, d: Reg, native: &Native, a: Reg) {
        let entry: *const Native = native;
        let signature = self.signature();
        let target = self.address(call_native as *const u8);
        let (entry, mask) = (self.address(entry), self.get(a));
        let call = self.b.ins().call_indirect(signature, target, &[entry, mask]);
        let value = self.b.inst_results(call)[0];
        self.set(d, value, Fact::TOP);
    }

    /// The bounds of a row, in `d` and the register after it.
    pub(super) fn row(&mut self, d: Reg, rows: &Rows, a: Reg) {
        let (at, fact) = (self.get(a), self.fact(a));
        if let Some(k) = fact.value().and_then(|k| usize::try_from(k).ok()).filter(|&k| k + 1 < rows.start.len()) {
            self.constant(d, i64::from(rows.start[k]));
            self.constant(d + 1, i64::from(rows.start[k + 1]));
            return;
        }
        let len = i64::try_from(rows.start.len()).unwrap_or(i64::MAX) - 1;
        self.bound(at, fact, len);
        let base = self.address(rows.start.as_ptr());
        let offset = self.b.ins().ishl_imm_u(at, 2);
        let place = self.b.ins().iadd(base, offset);
        let items = i64::try_from(rows.to.len()).unwrap_or(i64::MAX);
        for i in 0..2u16 {
            let value = self.b.ins().load(I32, trusted(), place, i32::from(i) * 4);
            let value = self.b.ins().uextend(I64, value);
            self.set(d + i, value, Fact::within(0, items));
        }
    }

    /// Gives up unless `0 <= value < len`.
    pub(crate) fn bound(&mut self, value: Value, fact: Fact, len: i64) {
        if fact.lo < 0 || fact.hi >= len {
            let len = self.const_value(len);
            let outside = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, value, len);
            self.fail_if(outside);
        }
    }

    /// An entry of a table of words at a known address.
    pub(super) fn entry(&mut self, table: &[i64], at: Value, fact: Fact) -> (Value, Fact) {
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
