//! Ranks in native code: of the options of a state, and the digits of a rank.

use crate::bytecode::InstanceId;
use crate::bytecode::Reg;
use crate::jit::emit::{Emitter, NONE, trusted};
use crate::jit::marks::{AGAIN, ENDED, STOP};
use crate::jit::ranking::Grid;
use crate::jit::translate::Words;
use crate::value::refusal::Refusal;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::Variable;

/// Writes down the ranks of options.
pub(crate) struct ExpandSink<'a> {
    pub(crate) instance: InstanceId,
    pub(crate) grid: &'a Grid,
    pub(crate) inputs: Vec<Variable>,
    pub(crate) rank: Variable,
    pub(crate) out: Variable,
    pub(crate) used: Variable,
    pub(crate) room: Variable,
    pub(crate) full: Block,
    pub(crate) done: Block,
}

impl ExpandSink<'_> {
    /// The rank of an option.
    fn rank_of(&self, e: &mut Emitter, instance: InstanceId, fields: &[Reg]) -> Result<Value, Refusal> {
        if instance != self.instance {
            return Err(Refusal::OtherGame);
        }
        let mut rank = e.b.use_var(self.rank);
        let stays = |e: &Emitter, i: usize| e.fact(fields[i]).from == Some((u16::try_from(i).unwrap_or(u16::MAX), 0));
        let mut values: Vec<Value> = self.inputs.iter().map(|&input| e.b.use_var(input)).collect();
        for (i, (&reg, digit)) in fields.iter().zip(&self.grid.digits).enumerate() {
            if !stays(e, i) {
                let size = i64::try_from(digit.size).unwrap_or(i64::MAX);
                let (value, fact) = (e.get(reg), e.fact(reg));
                let known = if digit.natural { fact.at_least(0) } else { fact };
                e.bound(value, known, size);
                values[i] = value;
            }
        }
        let mut moved: Vec<bool> = (0..fields.len()).map(|i| !stays(e, i)).collect();
        for group in &self.grid.groups {
            if group.iter().any(|&i| moved[i]) {
                ascend(e, group, &mut values);
                for &i in group {
                    moved[i] = true;
                }
            }
        }
        for (i, digit) in self.grid.digits.iter().enumerate().filter(|(i, _)| moved[*i]) {
            let (value, old) = (values[i], e.b.use_var(self.inputs[i]));
            let (new, old) = if digit.reversed { (old, value) } else { (value, old) };
            let change = e.b.ins().isub(new, old);
            let stride = e.const_value(i64::try_from(digit.stride).map_err(|_| Refusal::BoxTooLarge)?);
            let change = e.b.ins().imul(change, stride);
            rank = e.b.ins().iadd(rank, change);
        }
        Ok(rank)
    }
}

/// Puts the values of a group in ascending order: the first and so on of `group` get the least and so on (a network of
/// exchanges: insertion, Knuth, The Art of Computer Programming 3, section 5.3.4).
fn ascend(e: &mut Emitter, group: &[usize], values: &mut [Value]) {
    for end in 1..group.len() {
        for at in (0..end).rev() {
            let (low, high) = (group[at], group[at + 1]);
            let (a, b) = (values[low], values[high]);
            values[low] = e.b.ins().umin(a, b);
            values[high] = e.b.ins().umax(a, b);
        }
    }
}

impl Words for ExpandSink<'_> {
    const STOPS: u64 = STOP;
    const OVER: u64 = ENDED;

    fn option(&self, e: &mut Emitter, instance: InstanceId, fields: &[Reg], again: bool) -> Result<Value, Refusal> {
        let rank = self.rank_of(e, instance, fields)?;
        if !again {
            return Ok(rank);
        }
        let mark = e.const_value(AGAIN.cast_signed());
        Ok(e.b.ins().bor(rank, mark))
    }

    fn write(&self, e: &mut Emitter, entry: Value) {
        let (used, room) = (e.b.use_var(self.used), e.b.use_var(self.room));
        let over = e.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, used, room);
        let on = e.b.create_block();
        e.b.ins().brif(over, self.full, NONE, on, NONE);
        e.b.switch_to_block(on);
        let three = e.const_value(3);
        let offset = e.b.ins().ishl(used, three);
        let out = e.b.use_var(self.out);
        let place = e.b.ins().iadd(out, offset);
        e.b.ins().store(trusted(), entry, place, 0);
        let one = e.const_value(1);
        let next = e.b.ins().iadd(used, one);
        e.b.def_var(self.used, next);
    }

    fn done(&self) -> Block {
        self.done
    }
}

/// `rank / stride % size`, by shifts where it can be.
pub(crate) fn digit_of(e: &mut Emitter, rank: Value, stride: u64, size: u64, volume: u64) -> Value {
    let quotient = if stride == 1 {
        rank
    } else if stride.is_power_of_two() {
        let bits = e.const_value(i64::from(stride.trailing_zeros()));
        e.b.ins().ushr(rank, bits)
    } else {
        let stride = e.const_value(stride.cast_signed());
        e.b.ins().udiv(rank, stride)
    };
    if u128::from(stride) * u128::from(size) >= u128::from(volume) {
        quotient
    } else if size.is_power_of_two() {
        let mask = e.const_value((size - 1).cast_signed());
        e.b.ins().band(quotient, mask)
    } else {
        let size = e.const_value(size.cast_signed());
        e.b.ins().urem(quotient, size)
    }
}
