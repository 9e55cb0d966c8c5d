//! A move asked for by its name: whether a component has it, and where it leads, without trying any other.

use super::code::{Code, FieldReg};
use super::fault::Run;
use super::lower;
use super::machine::Machine;
use super::run::Options;
use super::value::Value;
use std::sync::Arc;

impl Machine {
    /// What the move line `index` of a component's game, with these binders in their order, leads to: nothing, one option,
    /// or several. `out` is cleared first. `false`: the binders of this line cannot be given. The `end when` lines are not
    /// looked at.
    ///
    /// The cost is that of the line's conditions and of one target.
    pub(crate) fn option_given(&mut self, id: u32, index: usize, binders: &[Value], out: &mut Options) -> Run<bool> {
        if !self.run_given(id, index, binders, true, out)? {
            return Ok(false);
        }
        self.legal_and_same(out).map_err(|halt| self.told_in(id, halt))?;
        Ok(true)
    }

    /// Whether the conditions of such a move hold, `legal when` left out; `None` when its binders cannot be given.
    pub(crate) fn has_given(&mut self, id: u32, index: usize, binders: &[Value]) -> Run<Option<bool>> {
        let mut out = Options::default();
        let ran = self.run_given(id, index, binders, false, &mut out)?;
        Ok(ran.then_some(!out.yields.is_empty()))
    }

    fn run_given(&mut self, id: u32, index: usize, binders: &[Value], full: bool, out: &mut Options) -> Run<bool> {
        let instance = self.instance_of[id as usize] as usize;
        let Some(code) = self.given_code(instance, index, full) else { return Ok(false) };
        out.clear();
        let done = self.execute(&code, out, |machine, regs| {
            machine.load(id, &code.inputs, regs)?;
            let fields = code.inputs.len() - binders.len();
            for (input, value) in code.inputs[fields..].iter().zip(binders) {
                if let FieldReg::Value(reg) = input {
                    regs.values[usize::from(*reg)] = value.clone();
                }
            }
            Ok(())
        });
        done.map_err(|halt| self.told_in(id, halt))?;
        Ok(true)
    }

    fn given_code(&mut self, instance: usize, index: usize, full: bool) -> Option<Arc<Code>> {
        if let Some(code) = self.instances[instance].given.get(&(index, full)) {
            return code.clone();
        }
        let program = self.program.clone();
        let code = lower::lower_given_move(self, &program, instance, index, full);
        self.instances[instance].given.insert((index, full), code.clone());
        code
    }
}
