//! Filling a dense table in the order of ranks: native code that works out one cell after the other.
//!
//! Nothing about the rules is assumed: a position whose option lies outside of the box or not below it in rank, or whose
//! rules fault, becomes "undecided", and so does whatever leads to one. A decided cell is therefore exact.

use super::cell::{Cell, Kind};
use super::emit::{Emitter, NONE, trusted};
use super::facts::Fact;
use super::flow::Flow;
use super::grid::Grid;
use super::jit::Native;
use super::ray::{LEAST, POISON, Ray, VALUES, record_bytes};
use super::translate::{Exits, Sink, Translator};
use crate::rules::code::{Code, FieldReg, Reg};
use crate::syntax::tree::Outcome;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a run of the code reads and writes.
#[repr(C)]
pub(super) struct FillState {
    /// The address of the cell of rank 0.
    pub(super) table: *mut u8,
    /// The next rank.
    pub(super) rank: u64,
    /// The rank to stop before.
    pub(super) end: u64,
    /// For each value the last rank, plus one, that saw it among its options.
    pub(super) stamps: *mut u64,
    /// The records of lines; the first stays empty.
    pub(super) records: *mut u64,
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// At the end.
    Done,
    /// A value does not fit a cell.
    LargerValue,
    /// A remoteness does not.
    LargerFar,
    /// A value does not fit the records of lines: all begins anew.
    LargerRecords,
    /// The flag was set.
    Interrupted,
    /// A move leads to a sum, which this kind of cell cannot take.
    Sum,
}

const LARGER_VALUE: i64 = 1;
const LARGER_FAR: i64 = 4;
const LARGER_RECORDS: i64 = 5;
const INTERRUPTED: i64 = 2;
const SUM: i64 = 3;

/// Native code that fills cells of one form.
pub(super) struct Filler {
    native: Native,
    /// So many cells before rank 0 may be read.
    pub(super) before: u64,
    /// So many records of lines are wanted, of so many words of values each.
    pub(super) records: u64,
    pub(super) record_words: u64,
    /// The code that addresses in the native code point into.
    _code: Arc<Code>,
    _flag: Arc<AtomicBool>,
}

impl Filler {
    /// Compiles the rules for a box and a form of cells. `instance` is that of the code.
    pub(super) fn new(
        code: &Arc<Code>,
        flow: &Flow,
        instance: usize,
        grid: &Grid,
        cell: Cell,
        record_words: u64,
        flag: &Arc<AtomicBool>,
    ) -> Result<Filler, &'static str> {
        let mut before = 0;
        let mut records = 1;
        let record_words = if cell.one_word() { 1 } else { record_words };
        let address = i64::try_from(Arc::as_ptr(flag).addr()).unwrap_or_default();
        let native = Native::compile(|b, target| {
            let made = build(b, target, code, flow, instance, grid, cell, record_words, address)?;
            (before, records) = made;
            Ok(())
        })?;
        Ok(Filler { native, before, records, record_words, _code: code.clone(), _flag: flag.clone() })
    }

    /// Fills `state.rank..state.end`; `words` is the state of the first and becomes that of the next.
    ///
    /// # Safety
    /// `state.table` must point to rank 0 of a table with `before` cells before it and the whole box after it, and
    /// `state.stamps` to as many words as there are values, `state.records` to `records` records.
    #[allow(unsafe_code)]
    pub(super) unsafe fn run(&self, state: &mut FillState, words: &mut [i64]) -> Stopped {
        // SAFETY: the caller's.
        match unsafe { self.native.call(std::ptr::from_mut(state), words.as_mut_ptr()) } {
            LARGER_VALUE => Stopped::LargerValue,
            LARGER_FAR => Stopped::LargerFar,
            LARGER_RECORDS => Stopped::LargerRecords,
            INTERRUPTED => Stopped::Interrupted,
            SUM => Stopped::Sum,
            _ => Stopped::Done,
        }
    }
}

struct FillSink<'a> {
    instance: usize,
    grid: &'a Grid,
    cell: Cell,
    inputs: Vec<Variable>,
    rank: Variable,
    here: Variable,
    stamps: Variable,
    seen: Variable,
    least: Variable,
    sum: Variable,
    parts: Variable,
    store: Block,
    made: Variable,
    larger_value: Block,
    larger_far: Block,
    several: Block,
    before: u64,
    records: Variable,
    record_words: u64,
    rays: Vec<Ray>,
    /// How many records the rays have, the empty one included.
    lines: u64,
    /// Variables for rays still to come.
    spare: Vec<Variable>,
}

impl FillSink<'_> {
    fn begin(&self, e: &mut Emitter) {
        let zero = e.const_value(0);
        e.b.def_var(self.seen, zero);
        let none = e.const_value(-1);
        e.b.def_var(self.least, none);
        e.b.def_var(self.sum, zero);
        e.b.def_var(self.parts, zero);
        let empty = e.b.use_var(self.records);
        for &spare in &self.spare {
            e.b.def_var(spare, empty);
        }
    }

    /// Notes the cell just made in the records of its lines.
    fn note(&self, e: &mut Emitter, larger: Block) {
        let records = e.b.use_var(self.records);
        for ray in &self.rays {
            let record = ray.record(e, &self.inputs, records, record_bytes(self.record_words));
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
                self.note_value(e, record, larger);
            }
        }
    }

    fn note_value(&self, e: &mut Emitter, record: Value, larger: Block) {
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
        let limit = e.const_value((self.record_words * 64).cast_signed());
        let over = e.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, value, limit);
        Self::leave_if(e, over, larger);
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

    /// The cell of an option.
    fn load(&mut self, e: &mut Emitter, instance: usize, fields: &[Reg]) -> Result<Value, &'static str> {
        if instance != self.instance {
            return Err("a move leads to another game");
        }
        let bytes = i64::from(self.cell.bytes);
        let (mut fixed, mut moving): (i128, Option<Value>) = (0, None);
        for (i, (&reg, digit)) in fields.iter().zip(&self.grid.digits).enumerate() {
            let fact = e.fact(reg);
            let size = i64::try_from(digit.size).unwrap_or(i64::MAX);
            let stride = i128::from(digit.stride) * if digit.reversed { -1 } else { 1 };
            let here = u16::try_from(i).unwrap_or(u16::MAX);
            match fact.from {
                Some((field, 0)) if field == here => {}
                Some((field, c)) if field == here => {
                    if !(c < 0 && (digit.natural || fact.lo >= 0)) {
                        let value = e.get(reg);
                        e.bound(value, Fact { from: None, ..fact }, size);
                    }
                    fixed += i128::from(c) * stride;
                }
                _ => {
                    let value = e.get(reg);
                    let known = if digit.natural { fact.at_least(0) } else { fact };
                    e.bound(value, known, size);
                    let old = e.b.use_var(self.inputs[i]);
                    let change = e.b.ins().isub(value, old);
                    let worth = e.const_value(i64::try_from(stride).map_err(|_| TOO_LARGE)?);
                    let change = e.b.ins().imul(change, worth);
                    moving = Some(match moving {
                        Some(sum) => e.b.ins().iadd(sum, change),
                        None => change,
                    });
                }
            }
        }
        let fixed = i64::try_from(fixed).map_err(|_| TOO_LARGE)?;
        let here = e.b.use_var(self.here);
        let (base, offset) = match moving {
            None if fixed < 0 => {
                self.before = self.before.max(fixed.unsigned_abs());
                (here, fixed.checked_mul(bytes).ok_or(TOO_LARGE)?)
            }
            None => {
                // To itself or upwards: not below in rank.
                let yes = e.b.ins().iconst(I8, 1);
                e.fail_if(yes);
                (here, 0)
            }
            Some(moving) => {
                let fixed = e.const_value(fixed);
                let change = e.b.ins().iadd(moving, fixed);
                let rank = e.b.use_var(self.rank);
                let to = e.b.ins().iadd(rank, change);
                let up = e.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, to, rank);
                e.fail_if(up);
                let shift = e.const_value(i64::from(self.cell.bytes.trailing_zeros()));
                let bytes = e.b.ins().ishl(change, shift);
                (e.b.ins().iadd(here, bytes), 0)
            }
        };
        let (base, offset) = if let Ok(offset) = i32::try_from(offset) {
            (base, offset)
        } else {
            let far = e.const_value(offset);
            (e.b.ins().iadd(base, far), 0)
        };
        Ok(match self.cell.bytes {
            1 => e.b.ins().uload8(I64, trusted(), base, offset),
            2 => e.b.ins().uload16(I64, trusted(), base, offset),
            4 => e.b.ins().uload32(trusted(), base, offset),
            _ => e.b.ins().load(I64, trusted(), base, offset),
        })
    }

    fn value_of(&self, e: &mut Emitter, cell: Value) -> Value {
        if self.cell.far_bits() == 0 {
            return cell;
        }
        let mask = e.const_value(self.cell.undecided().cast_signed());
        e.b.ins().band(cell, mask)
    }

    /// Notes an option of this value, or cell.
    fn see(&self, e: &mut Emitter, value: Value) {
        if self.cell.one_word() {
            // Shifts look at the low six bits only: just the value.
            let one = e.const_value(1);
            let bit = e.b.ins().ishl(one, value);
            let seen = e.b.use_var(self.seen);
            let seen = e.b.ins().bor(seen, bit);
            e.b.def_var(self.seen, seen);
        } else {
            let value = self.value_of(e, value);
            let place = self.stamp_place(e, value);
            let stamp = self.stamp(e);
            e.b.ins().store(trusted(), stamp, place, 0);
        }
    }

    fn stamp(&self, e: &mut Emitter) -> Value {
        let rank = e.b.use_var(self.rank);
        let one = e.const_value(1);
        e.b.ins().iadd(rank, one)
    }

    fn stamp_place(&self, e: &mut Emitter, value: Value) -> Value {
        let three = e.const_value(3);
        let offset = e.b.ins().ishl(value, three);
        let stamps = e.b.use_var(self.stamps);
        e.b.ins().iadd(stamps, offset)
    }

    fn option(&self, e: &mut Emitter, cell: Value) {
        self.see(e, cell);
        if self.cell.far_bits() > 0 {
            let least = e.b.use_var(self.least);
            let least = e.b.ins().umin(least, cell);
            e.b.def_var(self.least, least);
        }
    }

    fn is_outcome(&self) -> bool {
        matches!(self.cell.kind, Kind::Outcome { .. })
    }

    /// The cell with win and loss exchanged: the mover has the next turn.
    fn turned(&self, e: &mut Emitter, cell: Value) -> Value {
        // Value 0 becomes 2, 1 stays, 2 becomes 0; the remoteness turns round, except for draws and what is not decided.
        let value = self.value_of(e, cell);
        let two = e.const_value(2);
        let other = e.b.ins().isub(two, value);
        let rest = e.b.ins().bxor(cell, value);
        let all = e.const_value((self.cell.poison() & !self.cell.undecided()).cast_signed());
        let round = e.b.ins().bxor(rest, all);
        let turned = e.b.ins().bor(round, other);
        let one = e.const_value(1);
        let odd = e.b.ins().band(value, one);
        e.b.ins().select(odd, cell, turned)
    }

    fn known_cell(&self, value: u64) -> i64 {
        self.cell.write(value, 0).cast_signed()
    }

    fn leave_if(e: &mut Emitter, truth: Value, to: Block) {
        let on = e.b.create_block();
        e.b.ins().brif(truth, to, NONE, on, NONE);
        e.b.switch_to_block(on);
    }

    /// All options were seen: the cell.
    fn finish(&self, e: &mut Emitter) {
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
    fn keep_first(&self, e: &mut Emitter, value: Value) {
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
    fn keep_second(&self, e: &mut Emitter) {
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

    fn stamped_mex(&self, e: &mut Emitter, undecided: i64) -> Value {
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
        if self.rays.is_empty() {
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

    /// The least value that no record of the position's lines holds and no stamp shows: then `out`. When the records hold
    /// all that they can, `mex` is the first value beyond and `beyond` goes on.
    fn search_records(&self, e: &mut Emitter, mex: Variable, stamp: Value, beyond: Block, out: Block) {
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
        for ray in &self.rays {
            let record = e.b.use_var(ray.seen);
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

    fn finish_outcome(&self, e: &mut Emitter, misere: bool) {
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

/// More kinds of lines than this are run through.
const RAYS: usize = 8;
const TOO_LARGE: &str = "the box of states is too large";

impl Sink for FillSink<'_> {
    fn one(&mut self, e: &mut Emitter, instance: usize, fields: &[Reg], again: bool) -> Result<(), &'static str> {
        let cell = self.load(e, instance, fields)?;
        let cell = match (again, self.is_outcome()) {
            (false, _) => cell,
            (true, true) => self.turned(e, cell),
            (true, false) => return Err("a move keeps the turn"),
        };
        self.option(e, cell);
        Ok(())
    }

    fn target(&mut self, e: &mut Emitter) -> Result<(), &'static str> {
        let zero = e.const_value(0);
        e.b.def_var(self.sum, zero);
        e.b.def_var(self.parts, zero);
        Ok(())
    }

    fn push(&mut self, e: &mut Emitter, instance: usize, fields: &[Reg]) -> Result<(), &'static str> {
        let cell = self.load(e, instance, fields)?;
        if self.cell.kind == Kind::Grundy {
            let undecided = e.const_value(self.cell.undecided().cast_signed());
            let bad = e.b.ins().icmp(IntCC::Equal, cell, undecided);
            e.fail_if(bad);
            let sum = e.b.use_var(self.sum);
            let sum = e.b.ins().bxor(sum, cell);
            e.b.def_var(self.sum, sum);
        } else {
            e.b.def_var(self.sum, cell);
            let parts = e.b.use_var(self.parts);
            let one = e.const_value(1);
            let parts = e.b.ins().iadd(parts, one);
            e.b.def_var(self.parts, parts);
        }
        Ok(())
    }

    fn sum(&mut self, e: &mut Emitter, again: bool) -> Result<(), &'static str> {
        let sum = e.b.use_var(self.sum);
        if self.cell.kind == Kind::Grundy {
            if again {
                return Err("a move keeps the turn");
            }
            let undecided = e.const_value(self.cell.undecided().cast_signed());
            let over = e.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, sum, undecided);
            Self::leave_if(e, over, self.larger_value);
            self.see(e, sum);
            return Ok(());
        }
        let parts = e.b.use_var(self.parts);
        let one = e.const_value(1);
        let several = e.b.ins().icmp(IntCC::NotEqual, parts, one);
        Self::leave_if(e, several, self.several);
        let cell = match (again, self.is_outcome()) {
            (false, _) => sum,
            (true, true) => self.turned(e, sum),
            (true, false) => return Err("a move keeps the turn"),
        };
        self.option(e, cell);
        Ok(())
    }

    fn ray(&mut self, e: &mut Emitter, instance: usize, fields: u64) -> Result<bool, &'static str> {
        if instance != self.instance {
            return Ok(false);
        }
        let at = if let Some(at) = self.rays.iter().position(|ray| ray.fields == fields) {
            at
        } else {
            let Some(&seen) = self.spare.get(self.rays.len()) else { return Ok(false) };
            let Some(ray) = Ray::new(self.grid, fields, self.lines, seen) else { return Ok(false) };
            self.lines += ray.lines;
            self.rays.push(ray);
            self.rays.len() - 1
        };
        let records = e.b.use_var(self.records);
        let record = self.rays[at].record(e, &self.inputs, records, record_bytes(self.record_words));
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
            e.b.def_var(self.rays[at].seen, record);
        }
        Ok(true)
    }

    fn stop(&mut self, e: &mut Emitter, outcome: Outcome) -> Result<(), &'static str> {
        if !self.is_outcome() {
            return Err("a move ends the whole play");
        }
        // As the position of an opponent who has lost, won, drawn.
        let cell = e.const_value(self.known_cell(match outcome {
            Outcome::First => 0,
            Outcome::Draw => 1,
            Outcome::Second => 2,
        }));
        self.option(e, cell);
        Ok(())
    }

    fn ended(&mut self, e: &mut Emitter, status: u8) -> Result<(), &'static str> {
        let value = match (status, self.cell.kind) {
            (0, Kind::Outcome { misere: true }) | (2, Kind::Outcome { .. }) => 2,
            (0, _) | (1, Kind::Outcome { .. }) => 0,
            (_, Kind::Outcome { .. }) => 1,
            _ => return Err("an `end when` ends the whole play"),
        };
        let cell = e.const_value(self.known_cell(value));
        e.b.def_var(self.made, cell);
        e.b.ins().jump(self.store, NONE);
        Ok(())
    }
}

#[allow(clippy::too_many_arguments)] // the one place where all of them meet
fn build(
    mut b: FunctionBuilder,
    target: TargetFrontendConfig,
    code: &Code,
    flow: &Flow,
    instance: usize,
    grid: &Grid,
    cell: Cell,
    record_words: u64,
    flag: i64,
) -> Result<(u64, u64), &'static str> {
    let [
        entry,
        head,
        body,
        done,
        fail,
        store,
        larger_value,
        larger_far,
        larger_records,
        several,
        interrupted,
        advance,
        leave,
    ] = [(); 13].map(|()| b.create_block());
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let (state, memory) = (b.block_params(entry)[0], b.block_params(entry)[1]);
    let mut var = || b.declare_var(I64);
    let [rank, here, stamps, records, seen, least, sum, parts, made, end, status] = [(); 11].map(|()| var());
    let spare: Vec<Variable> = (0..RAYS).map(|_| var()).collect();
    let inputs: Vec<Variable> = grid.digits.iter().map(|_| var()).collect();
    let bytes = i64::from(cell.bytes);
    let table = b.ins().load(I64, trusted(), state, 0);
    for (offset, var) in [(8, rank), (16, end), (24, stamps), (32, records)] {
        let value = b.ins().load(I64, trusted(), state, offset);
        b.def_var(var, value);
    }
    let first = b.use_var(rank);
    let offset = b.ins().imul_imm_s(first, bytes);
    let place = b.ins().iadd(table, offset);
    b.def_var(here, place);
    for (i, &input) in inputs.iter().enumerate() {
        let word = b.ins().load(I64, trusted(), memory, i32::try_from(i * 8).map_err(|_| TOO_LARGE)?);
        b.def_var(input, word);
    }
    let zero = b.ins().iconst(I64, 0);
    for var in [seen, least, sum, parts, made, status] {
        b.def_var(var, zero);
    }
    let mut e = Emitter::new(b, code.words, fail, target.default_call_conv);
    for &reg in &e.regs {
        e.b.def_var(reg, zero);
    }
    e.b.ins().jump(head, NONE);

    e.b.switch_to_block(head);
    let (now, last) = (e.b.use_var(rank), e.b.use_var(end));
    let more = e.b.ins().icmp(IntCC::UnsignedLessThan, now, last);
    e.b.ins().brif(more, body, NONE, leave, NONE);

    e.b.switch_to_block(body);
    let sink = FillSink {
        instance,
        grid,
        cell,
        inputs: inputs.clone(),
        rank,
        here,
        stamps,
        seen,
        least,
        sum,
        parts,
        store,
        made,
        larger_value,
        larger_far,
        several,
        before: 0,
        records,
        record_words,
        rays: Vec::new(),
        lines: 1,
        spare,
    };
    sink.begin(&mut e);
    for (i, (field, digit)) in code.inputs.iter().zip(&grid.digits).enumerate() {
        let FieldReg::Word(reg) = *field else { return Err("a field is no word") };
        let word = e.b.use_var(inputs[i]);
        let hi = i64::try_from(digit.size - 1).map_err(|_| TOO_LARGE)?;
        e.set(reg, word, Fact::field(u16::try_from(i).map_err(|_| TOO_LARGE)?, hi));
    }
    let exits = Exits { done, interrupted, flag };
    let mut translator = Translator::new(code, flow, e, sink, exits);
    translator.run()?;
    let Translator { mut e, sink, .. } = translator;

    e.b.switch_to_block(done);
    sink.finish(&mut e);
    e.b.switch_to_block(fail);
    let poison = e.const_value(cell.poison().cast_signed());
    e.b.def_var(made, poison);
    e.b.ins().jump(store, NONE);

    e.b.switch_to_block(store);
    let (cell_value, place) = (e.b.use_var(made), e.b.use_var(here));
    match cell.bytes {
        1 => e.b.ins().istore8(trusted(), cell_value, place, 0),
        2 => e.b.ins().istore16(trusted(), cell_value, place, 0),
        4 => e.b.ins().istore32(trusted(), cell_value, place, 0),
        _ => e.b.ins().store(trusted(), cell_value, place, 0),
    };
    sink.note(&mut e, larger_records);
    e.b.ins().jump(advance, NONE);

    e.b.switch_to_block(advance);
    let (now, place) = (e.b.use_var(rank), e.b.use_var(here));
    let (one, step) = (e.const_value(1), e.const_value(bytes));
    let next = e.b.ins().iadd(now, one);
    e.b.def_var(rank, next);
    let next = e.b.ins().iadd(place, step);
    e.b.def_var(here, next);
    odometer(&mut e, grid, &inputs, head);

    for (block, code) in [
        (larger_value, LARGER_VALUE),
        (larger_far, LARGER_FAR),
        (larger_records, LARGER_RECORDS),
        (several, SUM),
        (interrupted, INTERRUPTED),
    ] {
        e.b.switch_to_block(block);
        let code = e.const_value(code);
        e.b.def_var(status, code);
        e.b.ins().jump(leave, NONE);
    }
    e.b.switch_to_block(leave);
    let now = e.b.use_var(rank);
    e.b.ins().store(trusted(), now, state, 8);
    for (i, &input) in inputs.iter().enumerate() {
        let word = e.b.use_var(input);
        e.b.ins().store(trusted(), word, memory, i32::try_from(i * 8).map_err(|_| TOO_LARGE)?);
    }
    let code = e.b.use_var(status);
    e.b.ins().return_(&[code]);
    e.b.seal_all_blocks();
    e.b.finalize(target);
    Ok((sink.before, sink.lines))
}

/// The state of the next rank: the least significant digit goes on, and those before it when it starts again.
fn odometer(e: &mut Emitter, grid: &Grid, inputs: &[Variable], head: Block) {
    for &field in grid.order.iter().rev() {
        let digit = grid.digits[field];
        let last = i64::try_from(digit.size - 1).unwrap_or(i64::MAX);
        let (first, last, step) = if digit.reversed { (last, 0, -1) } else { (0, last, 1) };
        let word = e.b.use_var(inputs[field]);
        let last = e.const_value(last);
        let at_end = e.b.ins().icmp(IntCC::Equal, word, last);
        let (on, carry) = (e.b.create_block(), e.b.create_block());
        e.b.ins().brif(at_end, carry, NONE, on, NONE);
        e.b.switch_to_block(on);
        let step = e.const_value(step);
        let next = e.b.ins().iadd(word, step);
        e.b.def_var(inputs[field], next);
        e.b.ins().jump(head, NONE);
        e.b.switch_to_block(carry);
        let first = e.const_value(first);
        e.b.def_var(inputs[field], first);
    }
    e.b.ins().jump(head, NONE);
}
