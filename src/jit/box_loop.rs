//! The code around the rules: it goes from one state of a box to the next, and stops with a reason.

use crate::bytecode::{Code, FieldReg};
use crate::jit::emit::{Emitter, NONE, trusted};
use crate::jit::facts::Fact;
use crate::jit::flow::Flow;
use crate::jit::ranking::Grid;
use crate::value::refusal::Refusal;
use crate::value::width;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};

/// A function that runs the rules for many states of a box.
pub(crate) struct Around<'a> {
    grid: &'a Grid,
    /// The address of what a run reads and writes.
    pub(crate) state: Value,
    /// The address of the fields of the state at hand.
    pub(crate) memory: Value,
    /// The address of registers for instructions on values.
    frame: Value,
    pub(crate) inputs: Vec<Variable>,
    /// Why the run stopped; 0 at the end.
    status: Variable,
    leave: Block,
}

impl<'a> Around<'a> {
    pub(crate) fn new(b: &mut FunctionBuilder, grid: &'a Grid) -> Result<Around<'a>, Refusal> {
        let [entry, leave] = [(); 2].map(|()| b.create_block());
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        let &[state, memory, frame] = b.block_params(entry) else { return Err(Refusal::NotCompiled) };
        let status = b.declare_var(I64);
        let inputs = grid.digits.iter().map(|_| b.declare_var(I64)).collect();
        Ok(Around { grid, state, memory, frame, inputs, status, leave })
    }

    /// Loads words of what a run reads, each from its offset.
    pub(crate) fn load(&self, b: &mut FunctionBuilder, words: &[(i32, Variable)]) {
        for &(offset, var) in words {
            let value = b.ins().load(I64, trusted(), self.state, offset);
            b.def_var(var, value);
        }
    }

    pub(crate) fn load_fields(&self, b: &mut FunctionBuilder) -> Result<(), Refusal> {
        for (i, &input) in self.inputs.iter().enumerate() {
            let word = b.ins().load(I64, trusted(), self.memory, offset(i)?);
            b.def_var(input, word);
        }
        Ok(())
    }

    /// What the rules are translated with; these variables and all registers are 0.
    pub(crate) fn emitter<'f>(
        &self,
        mut b: FunctionBuilder<'f>,
        (code, flow): (&Code, &Flow),
        fail: Block,
        target: TargetFrontendConfig,
        zeroed: &[Variable],
    ) -> Emitter<'f> {
        // Where no instruction calls there is no frame.
        let words = if flow.has_calls() { b.ins().load(I64, trusted(), self.frame, 0) } else { self.frame };
        let zero = b.ins().iconst(I64, 0);
        for &var in zeroed.iter().chain([&self.status]) {
            b.def_var(var, zero);
        }
        let mut e = Emitter::new(b, code.words, fail, [self.frame, words], target.default_call_conv);
        for &reg in &e.regs {
            e.b.def_var(reg, zero);
        }
        e
    }

    /// The head of the loop over the states: into `body` while `at < end`. What `at` is there.
    pub(crate) fn while_below(&self, e: &mut Emitter, head: Block, at: Variable, end: Variable, body: Block) -> Value {
        e.b.ins().jump(head, NONE);
        e.b.switch_to_block(head);
        let (now, last) = (e.b.use_var(at), e.b.use_var(end));
        let more = e.b.ins().icmp(IntCC::UnsignedLessThan, now, last);
        e.b.ins().brif(more, body, NONE, self.leave, NONE);
        e.b.switch_to_block(body);
        now
    }

    /// The fields in the registers where the rules expect them.
    pub(crate) fn fields(&self, e: &mut Emitter, code: &Code) -> Result<(), Refusal> {
        for (i, (field, digit)) in code.inputs.iter().zip(&self.grid.digits).enumerate() {
            let FieldReg::Word(reg) = *field else { return Err(Refusal::FieldNoWord) };
            let word = e.b.use_var(self.inputs[i]);
            let index = u16::try_from(i).map_err(|_| Refusal::BoxTooLarge)?;
            e.set(reg, word, Fact::field(index, digit.span.least, digit.span.last()));
        }
        Ok(())
    }

    /// Fails for a rank that is none of a state.
    pub(crate) fn must_be_state(&self, e: &mut Emitter) {
        if let Some(told) = self.grid.told() {
            let word = e.b.use_var(self.inputs[told]);
            let size = e.const_value(width::int(self.grid.digits[told].span.size));
            let outside = e.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, word, size);
            e.fail_if(outside);
        }
    }

    /// The fields of the next rank, back to `head`: the least significant digit goes on, and those before it when it starts
    /// again. A field that a sum tells goes the other way meanwhile.
    pub(crate) fn odometer(&self, e: &mut Emitter, head: Block) {
        let told = self.grid.told();
        let tell = |e: &mut Emitter, field: usize, steps: i64| {
            if let Some(told) = told {
                let by = width::int(self.grid.weights[field]) * steps;
                let word = e.b.use_var(self.inputs[told]);
                let word = e.b.ins().iadd_imm_s(word, by);
                e.b.def_var(self.inputs[told], word);
            }
        };
        for &field in self.grid.order.iter().rev().filter(|&&field| Some(field) != told) {
            let (first, last, above) = self.grid.ends(field);
            let step = if self.grid.digits[field].reversed { -1 } else { 1 };
            let word = e.b.use_var(self.inputs[field]);
            let at_end = match above {
                Some((above, gap)) => {
                    let above = e.b.use_var(self.inputs[above]);
                    let last = e.b.ins().iadd_imm_s(above, gap);
                    e.b.ins().icmp(IntCC::Equal, word, last)
                }
                None => e.b.ins().icmp_imm_s(IntCC::Equal, word, last),
            };
            let (on, carry) = (e.b.create_block(), e.b.create_block());
            e.b.ins().brif(at_end, carry, NONE, on, NONE);
            e.b.switch_to_block(on);
            let next = e.b.ins().iadd_imm_s(word, step);
            e.b.def_var(self.inputs[field], next);
            tell(e, field, -1);
            e.b.ins().jump(head, NONE);
            e.b.switch_to_block(carry);
            let first = e.const_value(first);
            e.b.def_var(self.inputs[field], first);
            tell(e, field, width::int(self.grid.digits[field].span.size - 1));
        }
        if let Some(told) = told {
            tell(e, told, 1);
        }
        e.b.ins().jump(head, NONE);
    }

    /// The blocks where a run stops before its end, each with its reason; `first` comes before that.
    pub(crate) fn stops(&self, e: &mut Emitter, stops: &[(Block, i64)], first: impl Fn(&mut Emitter)) {
        for &(block, reason) in stops {
            e.b.switch_to_block(block);
            first(e);
            let reason = e.const_value(reason);
            e.b.def_var(self.status, reason);
            e.b.ins().jump(self.leave, NONE);
        }
    }

    /// The end of a run: these words are stored, each at its offset.
    pub(crate) fn store(&self, e: &mut Emitter, words: &[(i32, Variable)]) {
        e.b.switch_to_block(self.leave);
        for &(offset, var) in words {
            let value = e.b.use_var(var);
            e.b.ins().store(trusted(), value, self.state, offset);
        }
    }

    pub(crate) fn store_fields(&self, e: &mut Emitter) -> Result<(), Refusal> {
        for (i, &input) in self.inputs.iter().enumerate() {
            let word = e.b.use_var(input);
            e.b.ins().store(trusted(), word, self.memory, offset(i)?);
        }
        Ok(())
    }

    /// Then the function is done; it returns the reason.
    pub(crate) fn finish(&self, mut e: Emitter, target: TargetFrontendConfig) {
        let reason = e.b.use_var(self.status);
        e.b.ins().return_(&[reason]);
        e.b.seal_all_blocks();
        e.b.finalize(target);
    }
}

fn offset(i: usize) -> Result<i32, Refusal> {
    i32::try_from(i * 8).map_err(|_| Refusal::BoxTooLarge)
}
