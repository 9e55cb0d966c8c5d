//! What a move adds to the cell that is being worked out.

use crate::bytecode::InstanceId;
use crate::bytecode::Reg;
use crate::jit::emit::{Emitter, NONE, trusted};
use crate::jit::facts::Fact;
use crate::jit::ranking::Grid;
use crate::jit::translate::Sink;
use crate::syntax::tree::Outcome;
use crate::tables::cell::{Cell, Kind};
use crate::tables::line_moves::LineMoves;
use crate::value::refusal::Refusal;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::Variable;

/// Works out one cell after the other: what moves do to it.
pub(super) struct FillSink<'a> {
    pub(super) instance: InstanceId,
    pub(super) grid: &'a Grid,
    pub(super) cell: Cell,
    pub(super) inputs: Vec<Variable>,
    pub(super) rank: Variable,
    pub(super) here: Variable,
    pub(super) stamps: Variable,
    pub(super) seen: Variable,
    pub(super) least: Variable,
    pub(super) sum: Variable,
    pub(super) parts: Variable,
    pub(super) store: Block,
    pub(super) made: Variable,
    pub(super) larger_value: Block,
    pub(super) larger_far: Block,
    pub(super) several: Block,
    /// Where threads share the work: cells of a row, and where a position goes from which a move leads to a later place of
    /// an earlier row.
    pub(super) rows: Option<(u64, Block)>,
    pub(super) before: u64,
    pub(super) records: Variable,
    pub(super) record_words: u64,
    pub(super) line_moves: Vec<LineMoves>,
    /// How many records the lines have, the empty one included.
    pub(super) lines: u64,
    /// Variables for lines still to come.
    pub(super) spare: Vec<Variable>,
}

impl FillSink<'_> {
    pub(super) fn begin(&self, e: &mut Emitter) {
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

    /// The cell of an option.
    pub(super) fn load(&mut self, e: &mut Emitter, instance: InstanceId, fields: &[Reg]) -> Result<Value, Refusal> {
        if instance != self.instance {
            return Err(Refusal::OtherGame);
        }
        let bytes = i64::from(self.cell.bytes);
        let (mut fixed, mut moving): (i128, Option<Value>) = (0, None);
        // The same for the digits within a row.
        let (mut fixed_place, mut moving_place): (i128, Option<Value>) = (0, None);
        let row = self.rows.map_or(0, |(row, _)| row);
        let add = |e: &mut Emitter, sum: Option<Value>, change| match sum {
            Some(sum) => e.b.ins().iadd(sum, change),
            None => change,
        };
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
                    if digit.stride < row {
                        fixed_place += i128::from(c) * stride;
                    }
                }
                _ => {
                    let value = e.get(reg);
                    let known = if digit.natural { fact.at_least(0) } else { fact };
                    e.bound(value, known, size);
                    let old = e.b.use_var(self.inputs[i]);
                    let change = e.b.ins().isub(value, old);
                    let worth = e.const_value(i64::try_from(stride).map_err(|_| Refusal::BoxTooLarge)?);
                    let change = e.b.ins().imul(change, worth);
                    moving = Some(add(e, moving, change));
                    if digit.stride < row {
                        moving_place = Some(add(e, moving_place, change));
                    }
                }
            }
        }
        let fixed = i64::try_from(fixed).map_err(|_| Refusal::BoxTooLarge)?;
        let here = e.b.use_var(self.here);
        let (base, offset) = match moving {
            None if fixed < 0 => {
                self.before = self.before.max(fixed.unsigned_abs());
                (here, fixed.checked_mul(bytes).ok_or(Refusal::BoxTooLarge)?)
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
        self.stay_behind(e, fixed_place, moving_place)?;
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

    /// Leaves when an option in an earlier row, so much further within its row, may not be filled yet.
    fn stay_behind(&self, e: &mut Emitter, fixed: i128, moving: Option<Value>) -> Result<(), Refusal> {
        let Some((_, ahead)) = self.rows else { return Ok(()) };
        if moving.is_none() && fixed <= 0 {
            return Ok(());
        }
        let fixed = e.const_value(i64::try_from(fixed).map_err(|_| Refusal::BoxTooLarge)?);
        let change = moving.map_or(fixed, |moving| e.b.ins().iadd(moving, fixed));
        let zero = e.const_value(0);
        let later = e.b.ins().icmp(IntCC::SignedGreaterThan, change, zero);
        Self::leave_if(e, later, ahead);
        Ok(())
    }

    pub(super) fn value_of(&self, e: &mut Emitter, cell: Value) -> Value {
        if self.cell.far_bits() == 0 {
            return cell;
        }
        let mask = e.const_value(self.cell.undecided().cast_signed());
        e.b.ins().band(cell, mask)
    }

    /// Notes an option of this value, or cell.
    pub(super) fn see(&self, e: &mut Emitter, value: Value) {
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

    pub(super) fn stamp(&self, e: &mut Emitter) -> Value {
        let rank = e.b.use_var(self.rank);
        let one = e.const_value(1);
        e.b.ins().iadd(rank, one)
    }

    pub(super) fn stamp_place(&self, e: &mut Emitter, value: Value) -> Value {
        let three = e.const_value(3);
        let offset = e.b.ins().ishl(value, three);
        let stamps = e.b.use_var(self.stamps);
        e.b.ins().iadd(stamps, offset)
    }

    pub(super) fn option(&self, e: &mut Emitter, cell: Value) {
        self.see(e, cell);
        if self.cell.far_bits() > 0 {
            let least = e.b.use_var(self.least);
            let least = e.b.ins().umin(least, cell);
            e.b.def_var(self.least, least);
        }
    }

    pub(super) fn is_outcome(&self) -> bool {
        matches!(self.cell.kind, Kind::Outcome { .. })
    }

    /// The cell with win and loss exchanged: the mover has the next turn.
    pub(super) fn turned(&self, e: &mut Emitter, cell: Value) -> Value {
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

    pub(super) fn known_cell(&self, value: u64) -> i64 {
        self.cell.write(value, 0).cast_signed()
    }

    pub(super) fn leave_if(e: &mut Emitter, truth: Value, to: Block) {
        let on = e.b.create_block();
        e.b.ins().brif(truth, to, NONE, on, NONE);
        e.b.switch_to_block(on);
    }
}

impl Sink for FillSink<'_> {
    fn one(&mut self, e: &mut Emitter, instance: InstanceId, fields: &[Reg], again: bool) -> Result<(), Refusal> {
        let cell = self.load(e, instance, fields)?;
        let cell = match (again, self.is_outcome()) {
            (false, _) => cell,
            (true, true) => self.turned(e, cell),
            (true, false) => return Err(Refusal::KeepsTurn),
        };
        self.option(e, cell);
        Ok(())
    }

    fn target(&mut self, e: &mut Emitter) -> Result<(), Refusal> {
        let zero = e.const_value(0);
        e.b.def_var(self.sum, zero);
        e.b.def_var(self.parts, zero);
        Ok(())
    }

    fn push(&mut self, e: &mut Emitter, instance: InstanceId, fields: &[Reg]) -> Result<(), Refusal> {
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

    fn sum(&mut self, e: &mut Emitter, again: bool) -> Result<(), Refusal> {
        let sum = e.b.use_var(self.sum);
        if self.cell.kind == Kind::Grundy {
            if again {
                return Err(Refusal::KeepsTurn);
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
            (true, false) => return Err(Refusal::KeepsTurn),
        };
        self.option(e, cell);
        Ok(())
    }

    fn line_move(&mut self, e: &mut Emitter, instance: InstanceId, fields: u64) -> Result<bool, Refusal> {
        if instance != self.instance {
            return Ok(false);
        }
        Ok(self.take_line(e, fields))
    }

    fn stop(&mut self, e: &mut Emitter, outcome: Outcome) -> Result<(), Refusal> {
        if !self.is_outcome() {
            return Err(Refusal::MoveEndsPlay);
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

    fn ended(&mut self, e: &mut Emitter, status: u8) -> Result<(), Refusal> {
        let value = match (status, self.cell.kind) {
            (0, Kind::Outcome { misere: true }) | (2, Kind::Outcome { .. }) => 2,
            (0, _) | (1, Kind::Outcome { .. }) => 0,
            (_, Kind::Outcome { .. }) => 1,
            _ => return Err(Refusal::EndWhenEndsPlay),
        };
        let cell = e.const_value(self.known_cell(value));
        e.b.def_var(self.made, cell);
        e.b.ins().jump(self.store, NONE);
        Ok(())
    }
}
