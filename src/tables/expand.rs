//! The options of many positions at once: native code that turns ranks into the ranks of their options.

use crate::bytecode::Code;
use crate::jit::box_loop::Around;
use crate::jit::emit::{NONE, trusted};
use crate::jit::flow::Flow;
use crate::jit::function::Native;

use crate::bytecode::InstanceId;
use crate::jit::rank::{ExpandSink, digit_of};
use crate::jit::ranking::Grid;
use crate::jit::translate::{Exits, Translator};
use crate::value::refusal::Refusal;
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::types::I64;
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

/// Native code that finds options.
pub struct Expander {
    native: Native,
    grid: Grid,
    _code: Arc<Code>,
    _flag: Arc<AtomicBool>,
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
    let three = e.const_value(3);
    let offset = e.b.ins().ishl(now, three);
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
    let three = e.const_value(3);
    let offset = e.b.ins().ishl(now, three);
    let base = e.b.use_var(ends);
    let place = e.b.ins().iadd(base, offset);
    e.b.ins().store(trusted(), last, place, 0);
    let one = e.const_value(1);
    let next = e.b.ins().iadd(now, one);
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
