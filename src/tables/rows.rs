//! Terms of ints as native code that is run for one row of ints after the other.
//!
//! For *Nim, 10^6 heaps*: what the instruction loop does with a heap takes some 50 ns, this 2. `EngineOptions::plain` turns it off.

use crate::bytecode::InstanceId;
use crate::bytecode::{Code, FieldReg, Op, Reg};
use crate::jit::emit::{Emitter, NONE, trusted};
use crate::jit::facts::Fact;
use crate::jit::flow::{Flow, Next, shape};
use crate::jit::function::Native;
use crate::jit::translate::{Exits, Translator, Words};
use crate::value::refusal::Refusal;
use cranelift_codegen::ir::condcodes::IntCC;
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
        for (at, op) in code.ops.iter().enumerate() {
            let back = match shape(op, code)?.next {
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
            self.native.call(&raw mut state, starts.as_mut_ptr().cast());
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
    let [entry, head, body, done, leave] = [(); 5].map(|()| b.create_block());
    let [at, place] = [(); 2].map(|()| b.declare_var(I64));
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let (state, starts) = (b.block_params(entry)[0], b.block_params(entry)[1]);
    let words: Vec<Value> = [0, 8, 16].iter().map(|offset| b.ins().load(I64, trusted(), state, *offset)).collect();
    let (first, count, out) = (words[0], words[1], words[2]);
    b.def_var(at, first);
    let zero = b.ins().iconst(I64, 0);
    b.def_var(place, zero);
    let mut e = Emitter::new(b, code.words, leave, target.default_call_conv);
    for &reg in &e.regs {
        e.b.def_var(reg, zero);
    }
    let mut columns = Vec::with_capacity(code.inputs.len());
    for i in 0..code.inputs.len() {
        let offset = i32::try_from(i * 8).map_err(|_| Refusal::TooLong)?;
        columns.push(e.b.ins().load(I64, trusted(), starts, offset));
    }
    e.b.ins().jump(head, NONE);

    e.b.switch_to_block(head);
    let now = e.b.use_var(at);
    let more = e.b.ins().icmp(IntCC::UnsignedLessThan, now, count);
    e.b.ins().brif(more, body, NONE, leave, NONE);
    e.b.switch_to_block(body);
    let offset = e.b.ins().ishl_imm_s(now, 3);
    let here = e.b.ins().iadd(out, offset);
    e.b.def_var(place, here);
    for (input, column) in code.inputs.iter().zip(columns) {
        let FieldReg::Word(reg) = *input else { return Err(Refusal::FieldNoWord) };
        let address = e.b.ins().iadd(column, offset);
        let word = e.b.ins().load(I64, trusted(), address, 0);
        e.set(reg, word, Fact::TOP);
    }
    let exits = Exits { done, interrupted: leave, flag: 0 };
    let mut translator = Translator::new(code, flow, e, RowSink { place, done }, exits);
    translator.run()?;
    let Translator { mut e, .. } = translator;

    e.b.switch_to_block(done);
    e.advance(at, 1);
    e.b.ins().jump(head, NONE);

    e.b.switch_to_block(leave);
    let now = e.b.use_var(at);
    e.b.ins().store(trusted(), now, state, 0);
    e.b.ins().return_(&[now]);
    e.b.seal_all_blocks();
    e.b.finalize(target);
    Ok(())
}
