//! Tables at known addresses, and functions on masks.

use super::{Emitter, trusted};
use crate::rules::native::facts::Fact;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, InstBuilder, SigRef, Signature, Value};

/// Calls a native function on masks; its address is built into the code.
pub(super) extern "C" fn call_native(native: *const crate::rules::code::Native, mask: u64) -> u64 {
    // SAFETY: the address is that of an entry of `Code::natives`, and the compiled code keeps that code alive.
    #[allow(unsafe_code)]
    let native = unsafe { &*native };
    (native.0)(mask)
}

impl<'f> Emitter<'f> {
    /// Gives up unless `0 <= value < len`.
    pub(in crate::rules::native) fn bound(&mut self, value: Value, fact: Fact, len: i64) {
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

    pub(in crate::rules::native) fn address<T>(&mut self, pointer: *const T) -> Value {
        self.const_value(i64::try_from(pointer.addr()).unwrap_or_default())
    }

    pub(super) fn signature(&mut self) -> SigRef {
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
