//! Options on lines, seen at once by the records of the lines.

use crate::jit::emit::{Emitter, NONE, trusted};
use crate::tables::cell_sink::FillSink;
use crate::tables::line_moves::{LEAST, LineMoves, POISON, VALUES, record_bytes};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::Variable;

impl FillSink<'_> {
    /// All options on the line of these fields at once; `false`: they are better run through.
    pub(super) fn take_line(&mut self, e: &mut Emitter, fields: u64) -> bool {
        let at = if let Some(at) = self.line_moves.iter().position(|line_move| line_move.fields == fields) {
            at
        } else {
            let Some(&seen) = self.spare.get(self.line_moves.len()) else { return false };
            let Some(line_move) = LineMoves::new(self.grid, fields, self.lines, seen) else { return false };
            self.lines += line_move.lines;
            self.line_moves.push(line_move);
            self.line_moves.len() - 1
        };
        let records = e.b.use_var(self.records);
        let record = self.line_moves[at].record(e, &self.inputs, records, record_bytes(self.record_words));
        if self.cell.far_bits() > 0 {
            let turned = e.b.ins().load(I64, trusted(), record, LEAST);
            // The complement within a cell; of nothing yet, the complement of 0, which no option's cell exceeds.
            let all = e.const_value(self.cell.poison().cast_signed());
            let cell = e.b.ins().bxor(turned, all);
            let none = e.const_value(-1);
            let cell = e.b.ins().select(turned, cell, none);
            let least = e.b.use_var(self.least);
            let least = e.b.ins().umin(least, cell);
            e.b.def_var(self.least, least);
        }
        if self.cell.one_word() {
            let values = e.b.ins().load(I64, trusted(), record, VALUES);
            let seen = e.b.use_var(self.seen);
            let seen = e.b.ins().bor(seen, values);
            e.b.def_var(self.seen, seen);
        } else {
            let bad = e.b.ins().load(I64, trusted(), record, POISON);
            e.fail_if(bad);
            e.b.def_var(self.line_moves[at].seen, record);
        }
        true
    }

    /// Notes the cell just made in the records of its lines, in all of them or, when its value does not fit, in none.
    pub(super) fn note(&self, e: &mut Emitter, larger: Block) {
        if self.line_moves.is_empty() {
            return;
        }
        if !self.cell.one_word() {
            self.fit_records(e, larger);
        }
        let records = e.b.use_var(self.records);
        for line_move in &self.line_moves {
            let record = line_move.record(e, &self.inputs, records, record_bytes(self.record_words));
            let cell = e.b.use_var(self.made);
            if self.cell.far_bits() > 0 {
                let all = e.const_value(self.cell.poison().cast_signed());
                let turned = e.b.ins().bxor(cell, all);
                let old = e.b.ins().load(I64, trusted(), record, LEAST);
                let new = e.b.ins().umax(old, turned);
                e.b.ins().store(trusted(), new, record, LEAST);
            }
            if self.cell.one_word() {
                let one = e.const_value(1);
                let bit = e.b.ins().ishl(one, cell);
                let old = e.b.ins().load(I64, trusted(), record, VALUES);
                let new = e.b.ins().bor(old, bit);
                e.b.ins().store(trusted(), new, record, VALUES);
            } else {
                self.note_value(e, record);
            }
        }
    }

    /// Leaves when the value just made does not fit records.
    fn fit_records(&self, e: &mut Emitter, larger: Block) {
        let cell = e.b.use_var(self.made);
        let value = self.value_of(e, cell);
        let undecided = e.const_value(self.cell.undecided().cast_signed());
        let bad = e.b.ins().icmp(IntCC::Equal, value, undecided);
        let [good, on] = [(); 2].map(|()| e.b.create_block());
        e.b.ins().brif(bad, on, NONE, good, NONE);
        e.b.switch_to_block(good);
        let limit = e.const_value((self.record_words * 64).cast_signed());
        let over = e.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, value, limit);
        e.b.ins().brif(over, larger, NONE, on, NONE);
        e.b.switch_to_block(on);
    }

    pub(super) fn note_value(&self, e: &mut Emitter, record: Value) {
        let cell = e.b.use_var(self.made);
        let value = self.value_of(e, cell);
        let undecided = e.const_value(self.cell.undecided().cast_signed());
        let bad = e.b.ins().icmp(IntCC::Equal, value, undecided);
        let [poison, good, on] = [(); 3].map(|()| e.b.create_block());
        e.b.ins().brif(bad, poison, NONE, good, NONE);
        e.b.switch_to_block(poison);
        let one = e.const_value(1);
        e.b.ins().store(trusted(), one, record, POISON);
        e.b.ins().jump(on, NONE);
        e.b.switch_to_block(good);
        let six = e.const_value(6);
        let word = e.b.ins().ushr(value, six);
        let three = e.const_value(3);
        let offset = e.b.ins().ishl(word, three);
        let place = e.b.ins().iadd(record, offset);
        let one = e.const_value(1);
        let bit = e.b.ins().ishl(one, value);
        let old = e.b.ins().load(I64, trusted(), place, VALUES);
        let new = e.b.ins().bor(old, bit);
        e.b.ins().store(trusted(), new, place, VALUES);
        e.b.ins().jump(on, NONE);
        e.b.switch_to_block(on);
    }

    /// The least value that no record of the position's lines holds and no stamp shows: then `out`. When the records hold
    /// all that they can, `mex` is the first value beyond and `beyond` goes on.
    pub(super) fn search_records(&self, e: &mut Emitter, mex: Variable, stamp: Value, beyond: Block, out: Block) {
        let (word, missing) = (e.b.declare_var(I64), e.b.declare_var(I64));
        let [head, look, next, try_one, again, end] = [(); 6].map(|()| e.b.create_block());
        let zero = e.const_value(0);
        e.b.def_var(word, zero);
        e.b.def_var(missing, zero);
        e.b.ins().jump(head, NONE);
        e.b.switch_to_block(head);
        let at = e.b.use_var(word);
        let last = e.const_value(self.record_words.cast_signed());
        let inside = e.b.ins().icmp(IntCC::UnsignedLessThan, at, last);
        e.b.ins().brif(inside, look, NONE, end, NONE);
        e.b.switch_to_block(look);
        let three = e.const_value(3);
        let offset = e.b.ins().ishl(at, three);
        let mut all = e.const_value(0);
        for line_move in &self.line_moves {
            let record = e.b.use_var(line_move.seen);
            let place = e.b.ins().iadd(record, offset);
            let values = e.b.ins().load(I64, trusted(), place, VALUES);
            all = e.b.ins().bor(all, values);
        }
        let free = e.b.ins().bnot(all);
        e.b.def_var(missing, free);
        e.b.ins().brif(free, try_one, NONE, next, NONE);
        e.b.switch_to_block(next);
        let one = e.const_value(1);
        let more = e.b.ins().iadd(at, one);
        e.b.def_var(word, more);
        e.b.ins().jump(head, NONE);
        e.b.switch_to_block(try_one);
        let free = e.b.use_var(missing);
        let six = e.const_value(6);
        let high = e.b.ins().ishl(at, six);
        let low = e.b.ins().ctz(free);
        let value = e.b.ins().iadd(high, low);
        e.b.def_var(mex, value);
        let place = self.stamp_place(e, value);
        let last = e.b.ins().load(I64, trusted(), place, 0);
        let met = e.b.ins().icmp(IntCC::Equal, last, stamp);
        e.b.ins().brif(met, again, NONE, out, NONE);
        e.b.switch_to_block(again);
        let one = e.const_value(1);
        let less = e.b.ins().isub(free, one);
        let rest = e.b.ins().band(free, less);
        e.b.def_var(missing, rest);
        e.b.ins().brif(rest, try_one, NONE, next, NONE);
        e.b.switch_to_block(end);
        let first = e.const_value((self.record_words * 64).cast_signed());
        e.b.def_var(mex, first);
        e.b.ins().jump(beyond, NONE);
    }
}
