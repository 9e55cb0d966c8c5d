//! A move asked for by its name: whether a component has it, and where it leads, without trying any other.

use super::code::{Code, FieldReg, Rep};
use super::fault::{Halt, Run};
use super::lower;
use super::machine::Machine;
use super::run::{Options, Registers};
use super::value::Value;
use crate::check::model::{Clause, GameId, Slot, Term};
use std::sync::Arc;

/// A state to look at.
#[derive(Clone, Copy, Debug)]
pub(crate) enum At {
    /// Of a component.
    Component(u32),
    /// Of an instance whose states are one int: this one, which need not have a number.
    Int(usize, i64),
}

impl From<u32> for At {
    fn from(id: u32) -> At {
        At::Component(id)
    }
}

impl Machine {
    fn instance_at(&self, at: At) -> usize {
        match at {
            At::Component(id) => self.instance_of[id as usize] as usize,
            At::Int(instance, _) => instance,
        }
    }

    fn load_at(&self, at: At, inputs: &[FieldReg], regs: &mut Registers) -> Run<()> {
        match at {
            At::Component(id) => self.load(id, inputs, regs),
            At::Int(_, n) => self.put(inputs, &[Value::Int(n)], regs),
        }
    }

    fn told_at(&mut self, at: At, halt: Halt) -> Halt {
        match at {
            At::Component(id) => self.told_in(id, halt),
            At::Int(instance, n) => {
                let state: Arc<[Value]> = Arc::new([Value::Int(n)]);
                match self.intern_state(instance, &state) {
                    Ok(id) => self.told_in(id, halt),
                    Err(other) => other,
                }
            }
        }
    }

    /// The instance whose states are one int, of this game with these rule parameters; `None` when they are kept otherwise.
    pub(crate) fn int_instance(&mut self, game: GameId, params: &Arc<[Value]>) -> Option<usize> {
        let at = self.instance(game, params.clone());
        matches!(self.instances[at].reps[..], [Some(Rep::Int)]).then_some(at)
    }

    /// The values of a term about states that are one int each, in their order, until `each` says `false`.
    pub(crate) fn eval_ints(
        &mut self,
        instance: usize,
        term: &Term,
        ints: &[i64],
        each: &mut dyn FnMut(&Value) -> bool,
    ) -> Run<()> {
        let code = self.code_in_game(instance, term);
        let mut out = Options::default();
        for &n in ints {
            let value = self.execute(&code, &mut out, |m, regs| m.load_at(At::Int(instance, n), &code.inputs, regs));
            if !each(&value.map_err(|halt| halt.placed(term.span))?) {
                break;
            }
        }
        Ok(())
    }

    /// What the move line `index` of a component's game, with these binders in their order, leads to: nothing, one option,
    /// or several. `out` is cleared first. `false`: the binders of this line cannot be given. The `end when` lines are not
    /// looked at.
    ///
    /// The cost is that of the line's conditions and of one target.
    pub(crate) fn option_given(&mut self, id: u32, index: usize, binders: &[Value], out: &mut Options) -> Run<bool> {
        if !self.run_given(id.into(), index, binders, true, out)? {
            return Ok(false);
        }
        self.legal_and_same(out).map_err(|halt| self.told_in(id, halt))?;
        Ok(true)
    }

    /// Whether the conditions of such a move hold, `legal when` left out; `None` when its binders cannot be given. `out` is
    /// room to work in.
    pub(crate) fn has_given(
        &mut self,
        at: At,
        index: usize,
        binders: &[Value],
        out: &mut Options,
    ) -> Run<Option<bool>> {
        let ran = self.run_given(at, index, binders, false, out)?;
        Ok(ran.then_some(!out.yields.is_empty()))
    }

    fn run_given(&mut self, at: At, index: usize, binders: &[Value], full: bool, out: &mut Options) -> Run<bool> {
        let instance = self.instance_at(at);
        let Some(code) = self.given_code(instance, index, full) else { return Ok(false) };
        out.clear();
        let done = self.execute(&code, out, |machine, regs| {
            let (fields, given) = code.inputs.split_at(code.inputs.len() - binders.len());
            machine.load_at(at, fields, regs)?;
            machine.put(given, binders, regs)
        });
        done.map_err(|halt| self.told_at(at, halt))?;
        Ok(true)
    }

    /// Every way through clauses about a state and the value of one more slot, inside its game: what `out` then yields.
    pub(crate) fn ways_given(
        &mut self,
        at: At,
        clauses: &[Clause],
        given: (Slot, &Value),
        yields: &[Slot],
        out: &mut Options,
    ) -> Run<()> {
        let program = self.program.clone();
        let instance = self.instance_at(at);
        let (slot, value) = given;
        let code = self.kept(clauses.as_ptr() as usize, instance, |m| {
            lower::lower_ways_given(m, &program, instance, clauses, slot, yields)
        });
        out.clear();
        let done = self.execute(&code, out, |machine, regs| {
            let (fields, given) = code.inputs.split_at(code.inputs.len() - 1);
            machine.load_at(at, fields, regs)?;
            machine.put(given, std::slice::from_ref(value), regs)
        });
        done.map_err(|halt| self.told_at(at, halt))?;
        Ok(())
    }

    fn put(&self, inputs: &[FieldReg], values: &[Value], regs: &mut Registers) -> Run<()> {
        for (input, value) in inputs.iter().zip(values) {
            match input {
                FieldReg::Word(reg) => regs.words[usize::from(*reg)] = self.value_word(value, Rep::Int)?,
                FieldReg::Value(reg) => regs.values[usize::from(*reg)] = value.clone(),
            }
        }
        Ok(())
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
