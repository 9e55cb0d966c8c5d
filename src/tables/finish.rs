//! The cell of a state, from what was seen of all its options.

use crate::jit::emit::{Emitter, NONE, trusted};
use crate::tables::cell::Kind;
use crate::tables::cell_sink::FillSink;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};

impl FillSink<'_> {
    /// All options were seen: the cell.
    pub(super) fn finish(&self, e: &mut Emitter) {
        if let Kind::Outcome { misere } = self.cell.kind {
            self.finish_outcome(e, misere);
            return;
        }
        let undecided = self.cell.undecided().cast_signed();
        let mex = if self.cell.one_word() {
            let seen = e.b.use_var(self.seen);
            let bad = e.const_value(undecided);
            let bad = e.b.ins().ushr(seen, bad);
            e.fail_if(bad);
            let missing = e.b.ins().bnot(seen);
            let mex = e.b.ins().ctz(missing);
            let limit = e.const_value(undecided);
            let over = e.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, mex, limit);
            Self::leave_if(e, over, self.larger_value);
            mex
        } else {
            self.stamped_mex(e, undecided)
        };
        if self.cell.far_bits() == 0 {
            e.b.def_var(self.made, mex);
            e.b.ins().jump(self.store, NONE);
            return;
        }
        let [first, second, stuck, moves] = [(); 4].map(|()| e.b.create_block());
        e.b.ins().brif(mex, first, NONE, second, NONE);
        e.b.switch_to_block(first);
        self.keep_first(e, mex);
        e.b.switch_to_block(second);
        let least = e.b.use_var(self.least);
        let none = e.const_value(-1);
        let none = e.b.ins().icmp(IntCC::Equal, least, none);
        e.b.ins().brif(none, stuck, NONE, moves, NONE);
        e.b.switch_to_block(moves);
        self.keep_second(e);
        e.b.switch_to_block(stuck);
        let cell = e.const_value(self.known_cell(0));
        e.b.def_var(self.made, cell);
        e.b.ins().jump(self.store, NONE);
    }

    /// A won position: one more than the remoteness of the nearest lost option, the least cell.
    pub(super) fn keep_first(&self, e: &mut Emitter, value: Value) {
        let least = e.b.use_var(self.least);
        let bits = e.const_value(i64::from(self.cell.value_bits));
        let far = e.b.ins().ushr(least, bits);
        let limit = e.const_value(self.cell.most_far().cast_signed());
        let over = e.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, far, limit);
        Self::leave_if(e, over, self.larger_far);
        // Counted down: the greatest less (far + 1), and the one above.
        let top = e.const_value((2 * self.cell.most_far()).cast_signed());
        let far = e.b.ins().isub(top, far);
        let high = e.b.ins().ishl(far, bits);
        let cell = e.b.ins().bor(high, value);
        e.b.def_var(self.made, cell);
        e.b.ins().jump(self.store, NONE);
    }

    /// A lost position that has moves: one more than the remoteness of the farthest option, the least cell.
    pub(super) fn keep_second(&self, e: &mut Emitter) {
        let least = e.b.use_var(self.least);
        let bits = e.const_value(i64::from(self.cell.value_bits));
        let down = e.b.ins().ushr(least, bits);
        // The one above and the greatest less far: far + 1 is two greatest, plus two, less this.
        let top = e.const_value((2 * self.cell.most_far() + 2).cast_signed());
        let far = e.b.ins().isub(top, down);
        let limit = e.const_value(self.cell.most_far().cast_signed());
        let over = e.b.ins().icmp(IntCC::UnsignedGreaterThan, far, limit);
        Self::leave_if(e, over, self.larger_far);
        let cell = e.b.ins().ishl(far, bits);
        e.b.def_var(self.made, cell);
        e.b.ins().jump(self.store, NONE);
    }

    pub(super) fn stamped_mex(&self, e: &mut Emitter, undecided: i64) -> Value {
        let stamp = self.stamp(e);
        let bad = e.const_value(undecided);
        let place = self.stamp_place(e, bad);
        let last = e.b.ins().load(I64, trusted(), place, 0);
        let met = e.b.ins().icmp(IntCC::Equal, last, stamp);
        e.fail_if(met);
        let mex = e.b.declare_var(I64);
        let zero = e.const_value(0);
        e.b.def_var(mex, zero);
        let [head, body, out] = [(); 3].map(|()| e.b.create_block());
        if self.line_moves.is_empty() {
            e.b.ins().jump(head, NONE);
        } else {
            self.search_records(e, mex, stamp, head, out);
        }
        e.b.switch_to_block(head);
        let now = e.b.use_var(mex);
        let place = self.stamp_place(e, now);
        let last = e.b.ins().load(I64, trusted(), place, 0);
        let met = e.b.ins().icmp(IntCC::Equal, last, stamp);
        e.b.ins().brif(met, body, NONE, out, NONE);
        // The stamp of "undecided" is old, so the loop ends there at the latest.
        e.b.switch_to_block(body);
        let one = e.const_value(1);
        let next = e.b.ins().iadd(now, one);
        e.b.def_var(mex, next);
        e.b.ins().jump(head, NONE);
        e.b.switch_to_block(out);
        let now = e.b.use_var(mex);
        let limit = e.const_value(undecided);
        let over = e.b.ins().icmp(IntCC::Equal, now, limit);
        Self::leave_if(e, over, self.larger_value);
        now
    }

    pub(super) fn finish_outcome(&self, e: &mut Emitter, misere: bool) {
        let seen = e.b.use_var(self.seen);
        let bad = e.const_value(self.cell.undecided().cast_signed());
        let bad = e.b.ins().ushr(seen, bad);
        e.fail_if(bad);
        let [wins, not, draws, loses, stuck, lost] = [(); 6].map(|()| e.b.create_block());
        let one = e.const_value(1);
        let bit = e.b.ins().band(seen, one);
        e.b.ins().brif(bit, wins, NONE, not, NONE);
        e.b.switch_to_block(not);
        let two = e.const_value(2);
        let bit = e.b.ins().band(seen, two);
        e.b.ins().brif(bit, draws, NONE, loses, NONE);
        e.b.switch_to_block(loses);
        e.b.ins().brif(seen, lost, NONE, stuck, NONE);
        e.b.switch_to_block(wins);
        let value = e.const_value(2);
        self.keep_first(e, value);
        e.b.switch_to_block(lost);
        self.keep_second(e);
        e.b.switch_to_block(draws);
        let cell = e.const_value(self.known_cell(1));
        e.b.def_var(self.made, cell);
        e.b.ins().jump(self.store, NONE);
        e.b.switch_to_block(stuck);
        let cell = e.const_value(self.known_cell(if misere { 2 } else { 0 }));
        e.b.def_var(self.made, cell);
        e.b.ins().jump(self.store, NONE);
    }
}
