//! The change of the rank by a move, and the bit for it, in native code.

use crate::bytecode::Reg;
use crate::graph_search::rank_changes::{KEEPS_TURN, OVER, PLACES, STOPS};
use crate::jit::TOO_LARGE;
use crate::jit::emit::{Emitter, NONE, trusted};
use crate::jit::ranking::Grid;
use crate::jit::translate::Words;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::Variable;

pub(crate) struct ListSink<'a> {
    pub(crate) instance: usize,
    pub(crate) grid: &'a Grid,
    pub(crate) joined: &'a [bool],
    pub(crate) inputs: Vec<Variable>,
    pub(crate) bits: Variable,
    pub(crate) slots: Variable,
    pub(crate) factor: Variable,
    pub(crate) fresh: Variable,
    pub(crate) stop: Block,
    pub(crate) done: Block,
}

impl ListSink<'_> {
    /// How a move to these fields changes the rank.
    pub(crate) fn change(&self, e: &mut Emitter, fields: &[Reg], again: bool) -> Result<Value, &'static str> {
        let mut change = e.const_value(0);
        for (i, (&reg, digit)) in fields.iter().zip(&self.grid.digits).enumerate() {
            let fact = e.fact(reg);
            if fact.from == Some((u16::try_from(i).unwrap_or(u16::MAX), 0)) {
                continue;
            }
            let value = e.get(reg);
            let known = if digit.natural { fact.at_least(0) } else { fact };
            e.bound(value, known, i64::try_from(digit.size).unwrap_or(i64::MAX));
            let old = e.b.use_var(self.inputs[i]);
            let step = if self.joined[i] { e.b.ins().bxor(value, old) } else { e.b.ins().isub(value, old) };
            let stride = e.const_value(i64::try_from(digit.stride).map_err(|_| TOO_LARGE)?);
            let step = e.b.ins().imul(step, stride);
            // Joined fields have bits of their own, below the strides of the others.
            change = e.b.ins().iadd(change, step);
        }
        if again {
            let mark = e.const_value(KEEPS_TURN.cast_signed());
            change = e.b.ins().bxor(change, mark);
        }
        Ok(change)
    }

    /// Sets the bit of a word.
    pub(crate) fn note(&self, e: &mut Emitter, word: Value) {
        let factor = e.b.use_var(self.factor);
        let product = e.b.ins().imul(word, factor);
        let shift = e.const_value(i64::from(64 - PLACES));
        let place = e.b.ins().ushr(product, shift);
        let four = e.const_value(4);
        let offset = e.b.ins().ishl(place, four);
        let slots = e.b.use_var(self.slots);
        let slot = e.b.ins().iadd(slots, offset);
        let found = e.b.ins().load(I64, trusted(), slot, 0);
        e.b.def_var(self.fresh, word);
        let other = e.b.ins().icmp(IntCC::NotEqual, found, word);
        let on = e.b.create_block();
        e.b.ins().brif(other, self.stop, NONE, on, NONE);
        e.b.switch_to_block(on);
        let bit = e.b.ins().load(I64, trusted(), slot, 8);
        let bits = e.b.use_var(self.bits);
        let bits = e.b.ins().bor(bits, bit);
        e.b.def_var(self.bits, bits);
    }
}

impl Words for ListSink<'_> {
    const STOPS: u64 = STOPS;
    const OVER: u64 = OVER;

    fn option(&self, e: &mut Emitter, instance: usize, fields: &[Reg], again: bool) -> Result<Value, &'static str> {
        if instance != self.instance {
            return Err("a move leads to another game");
        }
        self.change(e, fields, again)
    }

    fn write(&self, e: &mut Emitter, word: Value) {
        self.note(e, word);
    }

    fn done(&self) -> Block {
        self.done
    }
}
