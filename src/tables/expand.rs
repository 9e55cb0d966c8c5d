//! The options of many positions at once: native code that turns ranks into the ranks of their options.

use crate::bytecode::{Code, InstanceId, Reg};
use crate::jit::box_loop::Around;
use crate::jit::emit::{Emitter, NONE, trusted};
use crate::jit::flow::Flow;
use crate::jit::function::Native;
use crate::jit::ranking::Grid;
use crate::jit::translate::{Exits, Translator, Words};
use crate::value::refusal::Refusal;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a run of the code reads and writes.
#[repr(C)]
struct ExpandState {
    ranks: *const u64,
    count: u64,
    at: u64,
    out: *mut u64,
    room: u64,
    used: u64,
    ends: *mut u64,
}

const FULL: i64 = 1;

const FAULT: i64 = 2;

const INTERRUPTED: i64 = 3;

/// The options of a row of positions.
#[derive(Debug, Default)]
pub struct Rows {
    entries: Vec<u64>,
    ends: Vec<u64>,
}

/// Native code that finds options.
pub struct Expander {
    native: Native,
    grid: Grid,
    _code: Arc<Code>,
    _flag: Arc<AtomicBool>,
}

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

/// Set in an option whose mover has the next turn.
pub(crate) const AGAIN: u64 = 1 << 63;

/// Set in an entry that is no option: a move that ends the play; 0, 1, 2 in the low bits: the mover wins, loses, draws.
pub(crate) const STOP: u64 = 1 << 62;

/// Set in an entry that is no option: the play is over at the position itself; for the player to move it is won, lost, drawn.
pub(crate) const ENDED: u64 = 1 << 61;

/// Ranks are below this.
pub(crate) const RANKS: u64 = 1 << 61;

impl Rows {
    /// No rows.
    #[must_use]
    pub const fn new() -> Rows {
        Rows { entries: Vec::new(), ends: Vec::new() }
    }

    /// The entries of the i-th position asked for: ranks, perhaps with [`AGAIN`], and [`STOP`] and [`ENDED`] marks.
    #[must_use]
    pub fn row(&self, i: usize) -> &[u64] {
        let from = if i == 0 { 0 } else { self.ends[i - 1] };
        let (from, to) = (usize::try_from(from).unwrap_or(0), usize::try_from(self.ends[i]).unwrap_or(0));
        &self.entries[from..to]
    }

    /// The entries of all positions asked for, one row after the other.
    #[must_use]
    pub fn all(&self) -> &[u64] {
        let to = self.ends.last().map_or(0, |&end| usize::try_from(end).unwrap_or(0));
        &self.entries[..to]
    }
}

impl Expander {
    /// Compiles the rules of an instance for a box. `Err` says what native code cannot do.
    pub(crate) fn new(
        code: &Arc<Code>,
        instance: InstanceId,
        grid: &Grid,
        flag: &Arc<AtomicBool>,
    ) -> Result<Expander, Refusal> {
        let flow = Flow::new(code)?;
        let address = i64::try_from(Arc::as_ptr(flag).addr()).unwrap_or_default();
        let native = Native::compile(|b, target| build(b, target, code, &flow, instance, grid, address))?;
        Ok(Expander { native, grid: grid.clone(), _code: code.clone(), _flag: flag.clone() })
    }

    /// The box.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The options of each of these states, which must be in the box. `rows` is emptied first.
    ///
    /// # Errors
    /// [`Refusal::Outside`] when an option is outside of the box or the rules fault; [`Refusal::Interrupted`].
    pub fn expand(&self, ranks: &[u64], rows: &mut Rows) -> Result<(), Refusal> {
        if ranks.iter().any(|&rank| rank >= self.grid.volume) {
            return Err(Refusal::Outside);
        }
        if rows.entries.len() < 1024 {
            rows.entries.resize(1024, 0);
        }
        rows.ends.clear();
        rows.ends.resize(ranks.len(), 0);
        let (mut at, mut used) = (0, 0);
        loop {
            let mut state = ExpandState {
                ranks: ranks.as_ptr(),
                count: ranks.len() as u64,
                at,
                out: rows.entries.as_mut_ptr(),
                room: rows.entries.len() as u64,
                used,
                ends: rows.ends.as_mut_ptr(),
            };
            // SAFETY: the state describes the slices, which live as long as the call; the code keeps to them.
            #[allow(unsafe_code)]
            let status = unsafe { self.native.call(&raw mut state, std::ptr::null_mut()) };
            (at, used) = (state.at, state.used);
            match status {
                FULL => rows.entries.resize(rows.entries.len() * 2, 0),
                FAULT => return Err(Refusal::Outside),
                INTERRUPTED => return Err(Refusal::Interrupted),
                _ => return Ok(()),
            }
        }
    }
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
            let change = e.b.ins().imul_imm_s(change, i64::try_from(digit.stride).map_err(|_| Refusal::BoxTooLarge)?);
            rank = e.b.ins().iadd(rank, change);
        }
        Ok(rank)
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
        Ok(e.b.ins().bor_imm_s(rank, AGAIN.cast_signed()))
    }

    fn write(&self, e: &mut Emitter, entry: Value) {
        let (used, room) = (e.b.use_var(self.used), e.b.use_var(self.room));
        let over = e.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, used, room);
        let on = e.b.create_block();
        e.b.ins().brif(over, self.full, NONE, on, NONE);
        e.b.switch_to_block(on);
        let offset = e.b.ins().ishl_imm_s(used, 3);
        let out = e.b.use_var(self.out);
        let place = e.b.ins().iadd(out, offset);
        e.b.ins().store(trusted(), entry, place, 0);
        let next = e.b.ins().iadd_imm_s(used, 1);
        e.b.def_var(self.used, next);
    }

    fn done(&self) -> Block {
        self.done
    }
}

fn build(
    mut b: FunctionBuilder,
    target: TargetFrontendConfig,
    code: &Code,
    flow: &Flow,
    instance: InstanceId,
    grid: &Grid,
    flag: i64,
) -> Result<(), Refusal> {
    let [head, body, done, fail, full, interrupted] = [(); 6].map(|()| b.create_block());
    let around = Around::new(&mut b, grid);
    let [ranks, count, at, out, room, used, ends, rank, begun] = [(); 9].map(|()| b.declare_var(I64));
    around.load(&mut b, &[(0, ranks), (8, count), (16, at), (24, out), (32, room), (40, used), (48, ends)]);
    let zeroed: Vec<Variable> = around.inputs.iter().copied().chain([rank, begun]).collect();
    let mut e = around.emitter(b, code, fail, target, &zeroed);

    let now = around.while_below(&mut e, head, at, count, body);
    let first = e.b.use_var(used);
    e.b.def_var(begun, first);
    let offset = e.b.ins().ishl_imm_s(now, 3);
    let base = e.b.use_var(ranks);
    let place = e.b.ins().iadd(base, offset);
    let this = e.b.ins().load(I64, trusted(), place, 0);
    e.b.def_var(rank, this);
    for (&input, digit) in around.inputs.iter().zip(&grid.digits) {
        let word = digit_of(&mut e, this, digit.stride, digit.size, grid.volume);
        let word = if digit.reversed {
            let last = e.const_value(i64::try_from(digit.size - 1).map_err(|_| Refusal::BoxTooLarge)?);
            e.b.ins().isub(last, word)
        } else {
            word
        };
        e.b.def_var(input, word);
    }
    around.fields(&mut e, code)?;
    let inputs = around.inputs.clone();
    let sink = ExpandSink { instance, grid, inputs, rank, out, used, room, full, done };
    let mut translator = Translator::new(code, flow, e, sink, Exits { done, interrupted, flag });
    translator.run()?;
    let Translator { mut e, .. } = translator;

    e.b.switch_to_block(done);
    let (now, last) = (e.b.use_var(at), e.b.use_var(used));
    let offset = e.b.ins().ishl_imm_s(now, 3);
    let base = e.b.use_var(ends);
    let place = e.b.ins().iadd(base, offset);
    e.b.ins().store(trusted(), last, place, 0);
    let next = e.b.ins().iadd_imm_s(now, 1);
    e.b.def_var(at, next);
    e.b.ins().jump(head, NONE);

    around.stops(&mut e, &[(full, FULL), (fail, FAULT), (interrupted, INTERRUPTED)], |e| {
        let first = e.b.use_var(begun);
        e.b.def_var(used, first);
    });
    around.store(&mut e, &[(16, at), (40, used)]);
    around.finish(e, target);
    Ok(())
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

/// `rank / stride % size`, by shifts where it can be.
pub(crate) fn digit_of(e: &mut Emitter, rank: Value, stride: u64, size: u64, volume: u64) -> Value {
    let quotient = if stride == 1 {
        rank
    } else if stride.is_power_of_two() {
        e.b.ins().ushr_imm_s(rank, i64::from(stride.trailing_zeros()))
    } else {
        e.b.ins().udiv_imm_s(rank, stride.cast_signed())
    };
    if u128::from(stride) * u128::from(size) >= u128::from(volume) {
        quotient
    } else if size.is_power_of_two() {
        e.b.ins().band_imm_s(quotient, (size - 1).cast_signed())
    } else {
        e.b.ins().urem_imm_s(quotient, size.cast_signed())
    }
}
