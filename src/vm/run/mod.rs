//! Running code: an explicit stack of frames for recursive defs, and what running a game's rules gives.

mod fuel;
mod invoke;
mod options;

use crate::bytecode::{Code, Reg, Registers};
use crate::source::diagnostic;
use crate::value::fault::{Fault, Halt, Run};
use crate::value::{Row, Value};
use crate::vm::context::Context;
pub(super) use crate::vm::run::invoke::Call;
use crate::vm::run::invoke::Invoked;
pub use crate::vm::run::options::{MoveTarget, OptionMove, Options, Status};
use crate::vm::step::Step;
use crate::vm::trial_budget::TrialBudget;
use std::sync::Arc;

/// What running code uses up and uses again.
#[derive(Default)]
pub(crate) struct RunState {
    /// Register files that are free.
    pub(crate) pool: Vec<Registers>,
    /// Room for the options of a component.
    pub(crate) options: Options,
    /// How many collections were begun: items of each are in the order of this number.
    pub(crate) serial: i64,
    /// Steps taken so far.
    pub(crate) fuel: u64,
    /// What is left for searches beside theorems.
    pub(crate) trial_budget: TrialBudget,
}

pub(super) struct Builder {
    pub(super) items: Vec<Value>,
    /// Components of one kind, instead of items.
    pub(super) row: Option<Row>,
    pub(super) serial: i64,
}

pub(super) struct Frame {
    pub(super) code: Arc<Code>,
    pub(super) pc: usize,
    pub(super) regs: Registers,
    pub(super) back: Vec<usize>,
    /// Where the result goes, the call, and its memo key: of the frame that waits.
    pub(super) call: Option<(Reg, Call)>,
}

/// Code with its registers, to be run again and again.
pub(crate) struct Runner {
    frame: Frame,
}

/// Deeper recursion of defs than this is taken to have no end (R05).
const DEF_DEPTH: usize = 1_000_000;

impl Context {
    /// The options of a component, `legal when` and `same as` applied. `out` is cleared first.
    pub fn options(&mut self, id: u32, out: &mut Options) -> Run<()> {
        let instance = self.store.instance_of[id as usize];
        let code = self.rules_code(instance);
        out.clear();
        let done = self.execute(&code, out, |ctx, regs| ctx.store.load(id, &code.inputs, regs));
        done.and_then(|_| self.legal_and_same(out)).map_err(|halt| self.with_state_note(id, halt))
    }

    /// Runs code; `load` fills its inputs. The result is value register 0.
    pub(crate) fn execute(
        &mut self,
        code: &Arc<Code>,
        out: &mut Options,
        load: impl FnOnce(&Context, &mut Registers) -> Run<()>,
    ) -> Run<Value> {
        let mut regs = self.run.pool.pop().unwrap_or_default();
        regs.fit(code);
        load(self, &mut regs)?;
        if code.too_big {
            return Err(Fault::new(diagnostic::Code::E18, "this rule is too large to compile").into());
        }
        let mut frame = Frame { code: code.clone(), pc: 0, regs, back: Vec::new(), call: None };
        let mut waiting: Vec<Frame> = Vec::new();
        let mut builders: Vec<Builder> = Vec::new();
        loop {
            let running = frame.code.clone();
            let step = self.steps(&running, &mut frame, &mut builders, out);
            match step {
                Ok(Step::Done) => {
                    let result = std::mem::replace(&mut frame.regs.values[0], Value::Int(0));
                    let Some(mut caller) = waiting.pop() else {
                        self.run.pool.push(frame.regs);
                        return Ok(result);
                    };
                    let Some((d, call)) = caller.call.take() else { return Ok(result) };
                    self.run.pool.push(std::mem::take(&mut frame.regs));
                    self.code.def_memo.entry(call.key).or_default().insert(call.args, result.clone());
                    caller.regs.values[usize::from(d)] = result;
                    frame = caller;
                }
                Ok(Step::Invoke(spec)) => {
                    let spec = frame.code.invokes[usize::from(spec)].clone();
                    match self.invoke(&spec, &frame) {
                        Ok(Invoked::Known(value)) => frame.regs.values[usize::from(spec.d)] = value,
                        Ok(Invoked::Enter(inner, call)) => {
                            if waiting.len() >= DEF_DEPTH {
                                let name = &self.session.program.defs[spec.def.0].name;
                                let message = format!("`{name}` calls itself more than {DEF_DEPTH} times deep");
                                return Err(
                                    Halt::Fault(Fault::new(diagnostic::Code::R05, message)).placed(place(&frame))
                                );
                            }
                            frame.call = Some((spec.d, call));
                            waiting.push(std::mem::replace(&mut frame, *inner));
                        }
                        Err(halt) => return Err(halt.placed(place(&frame))),
                    }
                }
                Err(halt) => return Err(halt.placed(place(&frame))),
            }
        }
    }

    /// Code made ready to be run again and again.
    pub(crate) fn runner(&mut self, code: Arc<Code>) -> Runner {
        let mut regs = self.run.pool.pop().unwrap_or_default();
        regs.fit(&code);
        Runner { frame: Frame { code, pc: 0, regs, back: Vec::new(), call: None } }
    }

    /// [`Context::execute`] of such code; `load` may be asked twice, and `out` emptied, where definitions call themselves.
    pub(crate) fn rerun(
        &mut self,
        runner: &mut Runner,
        out: &mut Options,
        load: impl Fn(&Context, &mut Registers) -> Run<()>,
    ) -> Run<Value> {
        let frame = &mut runner.frame;
        let code = frame.code.clone();
        load(self, &mut frame.regs)?;
        frame.pc = 0;
        frame.back.clear();
        if code.too_big {
            return self.execute(&code, out, load);
        }
        match self.steps(&code, frame, &mut Vec::new(), out) {
            Ok(Step::Done) => Ok(std::mem::replace(&mut frame.regs.values[0], Value::Int(0))),
            Ok(Step::Invoke(_)) => {
                out.clear();
                self.execute(&code, out, load)
            }
            Err(halt) => Err(halt.placed(place(frame))),
        }
    }
}

/// The place of the instruction a frame stands at.
fn place(frame: &Frame) -> crate::source::text::Span {
    let at = frame.pc.min(frame.code.spans.len().saturating_sub(1));
    frame.code.spans.get(at).copied().unwrap_or_default()
}
