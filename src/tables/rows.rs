//! Terms of ints as native code that is run for one row of ints after the other.
//!
//! For *Nim, 10^6 heaps*: what the instruction loop does with a heap takes some 50 ns, this 2. `EngineOptions::plain` turns it off.

use crate::bytecode::{Code, FieldReg, InstanceId, Next, Op, Reg};
use crate::jit::box_loop::Around;
use crate::jit::emit::{Emitter, NONE, trusted};
use crate::jit::facts::Fact;
use crate::jit::flow::Flow;
use crate::jit::frame::FrameInUse;
use crate::jit::function::Native;
use crate::jit::ranking::Grid;
use crate::jit::translate::{Exits, Translator, Words};
use crate::value::refusal::Refusal;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};
use std::sync::Arc;

/// What a run reads and writes: the columns of the inputs come behind it.
#[repr(C)]
struct RowState {
    at: u64,
    count: u64,
    out: *mut i64,
}

/// Code that emits one word a row at most.
pub(crate) struct RowCode {
    native: Native,
    inputs: usize,
    _code: Arc<Code>,
}

impl RowCode {
    /// Compiles code whose inputs are words and which emits moves to one field. `Err` says what native code cannot do.
    ///
    /// Code with loops is refused: nothing would end a long one.
    pub(crate) fn new(code: &Arc<Code>) -> Result<RowCode, Refusal> {
        let flow = Flow::new(code)?;
        if flow.has_calls() {
            return Err(Refusal::WorksOnValues);
        }
        for (at, op) in code.ops.iter().enumerate() {
            let back = match op.effects(code)?.next {
                Next::Fork(to) | Next::Away(to) => to as usize <= at,
                Next::On | Next::Force(_) | Next::Back | Next::End => false,
            };
            if back || matches!(op, Op::Native { .. }) {
                return Err(Refusal::Loops);
            }
        }
        let native = Native::compile(|b, target| build(b, target, code, &flow))?;
        Ok(RowCode { native, inputs: code.inputs.len(), _code: code.clone() })
    }

    /// Runs it for the rows from `at` on, each an int of every column, and puts what they emit to `out`, or leaves what is there.
    /// Returns the first row that it cannot decide, or how many rows there are.
    pub(crate) fn run(&self, at: usize, columns: &[&[i64]], out: &mut [i64]) -> usize {
        let count = columns.iter().map(|column| column.len()).chain([out.len()]).min().unwrap_or(0);
        if columns.len() != self.inputs || at >= count {
            return at;
        }
        let mut state = RowState { at: at as u64, count: count as u64, out: out.as_mut_ptr() };
        let mut starts: Vec<*const i64> = columns.iter().map(|column| column.as_ptr()).collect();
        // SAFETY: the code reads a word of each of as many columns as it has inputs, and writes one to `out`, for rows from `at` up
        // to `count`; all of them are that long and live as long as the call.
        #[allow(unsafe_code)]
        unsafe {
            self.native.call(&raw mut state, starts.as_mut_ptr().cast(), &mut FrameInUse::new(None));
        }
        usize::try_from(state.at).unwrap_or(count)
    }
}

/// Puts the word that a row emits to its place.
struct RowSink {
    place: Variable,
    done: Block,
}

impl Words for RowSink {
    // Only targets are emitted.
    const STOPS: u64 = 0;
    const OVER: u64 = 0;

    fn option(&self, e: &mut Emitter, _: InstanceId, fields: &[Reg], _: bool) -> Result<Value, Refusal> {
        let [word] = fields else { return Err(Refusal::TargetNoWords) };
        Ok(e.get(*word))
    }

    fn write(&self, e: &mut Emitter, word: Value) {
        let place = e.b.use_var(self.place);
        e.b.ins().store(trusted(), word, place, 0);
    }

    fn done(&self) -> Block {
        self.done
    }
}

fn build(mut b: FunctionBuilder, target: TargetFrontendConfig, code: &Arc<Code>, flow: &Flow) -> Result<(), Refusal> {
    let [head, body, done, fail] = [(); 4].map(|()| b.create_block());
    let grid = Grid::default();
    let around = Around::new(&mut b, &grid)?;
    let [at, count, out, place] = [(); 4].map(|()| b.declare_var(I64));
    around.load(&mut b, &[(0, at), (8, count), (16, out)]);
    let mut e = around.emitter(b, (code, flow), fail, target, &[place]);
    let mut columns = Vec::with_capacity(code.inputs.len());
    for i in 0..code.inputs.len() {
        columns.push(e.load(around.memory, i32::try_from(i * 8).map_err(|_| Refusal::TooLong)?));
    }

    let now = around.while_below(&mut e, head, at, count, body);
    let out = e.b.use_var(out);
    let here = e.item_at(out, now, 3);
    e.b.def_var(place, here);
    for (input, column) in code.inputs.iter().zip(columns) {
        let FieldReg::Word(reg) = *input else { return Err(Refusal::FieldNoWord) };
        let address = e.item_at(column, now, 3);
        let word = e.load(address, 0);
        e.set(reg, word, Fact::TOP);
    }
    let exits = Exits { done, interrupted: fail, flag: 0, steps: None };
    let mut translator = Translator::new(code, flow, e, RowSink { place, done }, exits);
    translator.run()?;
    let Translator { mut e, .. } = translator;

    e.b.switch_to_block(done);
    e.advance(at, 1);
    e.b.ins().jump(head, NONE);
    around.stops(&mut e, &[(fail, 1)], |_| {});
    around.store(&mut e, &[(0, at)]);
    around.finish(e, target);
    Ok(())
}
