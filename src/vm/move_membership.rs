//! A move asked for by its name: whether a component has it, and where it leads, without trying any other.

use crate::bytecode::{Code, FieldReg, InstanceId, Registers, WordType, lower};
use crate::model::{Clause, Slot};
use crate::value::fault::Run;
use crate::value::{Items, Value};
use crate::vm::context::{CodeKey, Context};
use crate::vm::run::Options;
use std::sync::Arc;

impl Context {
    /// What the move line `index` of a component's game, with these binders in their order, leads to: nothing, one option,
    /// or several. `out` is cleared first. `false`: the binders of this line cannot be given. The `end when` lines are not
    /// looked at.
    ///
    /// The cost is that of the line's conditions and of one target.
    pub(crate) fn option_by_name(&mut self, id: u32, index: usize, binders: &[Value], out: &mut Options) -> Run<bool> {
        if !self.run_move(id, index, binders, true, out)? {
            return Ok(false);
        }
        self.legal_and_same(out).map_err(|halt| self.with_state_note(id, halt))?;
        Ok(true)
    }

    /// Whether the conditions of such a move hold, `legal when` left out; `None` when its binders cannot be given. `out` is
    /// room to work in.
    pub(crate) fn has_move(
        &mut self,
        id: u32,
        index: usize,
        binders: &[Value],
        out: &mut Options,
    ) -> Run<Option<bool>> {
        let ran = self.run_move(id, index, binders, false, out)?;
        Ok(ran.then_some(!out.yields.is_empty()))
    }

    fn run_move(&mut self, id: u32, index: usize, binders: &[Value], full: bool, out: &mut Options) -> Run<bool> {
        let instance = self.store.instance_of[id as usize];
        let Some(code) = self.move_code(instance, index, full) else { return Ok(false) };
        out.clear();
        let done = self.execute(&code, out, |ctx, regs| {
            let (fields, given) = code.inputs.split_at(code.inputs.len() - binders.len());
            ctx.store.load(id, fields, regs)?;
            ctx.put(given, binders, regs)
        });
        done.map_err(|halt| self.with_state_note(id, halt))?;
        Ok(true)
    }

    /// Every way through clauses about a component and the value of one more slot, inside its game.
    pub(crate) fn ways_with(
        &mut self,
        id: u32,
        clauses: &[Clause],
        given: (Slot, &Value),
        yields: &[Slot],
    ) -> Run<Vec<Vec<Value>>> {
        let instance = self.store.instance_of[id as usize];
        let (slot, value) = given;
        let code = self.ways_with_code(instance, clauses, slot, yields);
        let mut out = Options::default();
        let done = self.execute(&code, &mut out, |ctx, regs| {
            let (fields, given) = code.inputs.split_at(code.inputs.len() - 1);
            ctx.store.load(id, fields, regs)?;
            ctx.put(given, std::slice::from_ref(value), regs)
        });
        done.map_err(|halt| self.with_state_note(id, halt))?;
        Ok(out.yields)
    }

    /// The code of [`Context::ways_with`].
    pub(super) fn ways_with_code(
        &mut self,
        instance: InstanceId,
        clauses: &[Clause],
        slot: Slot,
        yields: &[Slot],
    ) -> Arc<Code> {
        let program = self.session.program.clone();
        let make = |ctx: &mut Context| lower::lower_ways_with(ctx, &program, instance, clauses, slot, yields);
        match CodeKey::clauses(clauses, Some(slot)) {
            Some(key) => self.kept(key, Some(instance), make),
            None => make(self),
        }
    }

    /// Whether a set holds only things that the move line `index` may be made with: a line with one binder of which nothing is
    /// asked but that it is in some collection. `false` where that cannot be told quickly.
    pub(crate) fn all_are_moves(&mut self, id: u32, index: usize, set: &Items) -> Run<bool> {
        let program = self.session.program.clone();
        let game = &program.games[self.store.game_of(id).0];
        let Some(source) = lower::sole_source(game, &game.moves[index]) else { return Ok(false) };
        let among = self.eval_at(id, source)?;
        Ok(match &among {
            Value::Graph(graph) => graph.has_all(set),
            Value::Grid(grid) => grid.graph().has_all(set),
            Value::Set(_) => crate::words::all_inside(&Value::Set(set.clone()), &among),
            _ => false,
        })
    }

    pub(super) fn put(&self, inputs: &[FieldReg], values: &[Value], regs: &mut Registers) -> Run<()> {
        for (input, value) in inputs.iter().zip(values) {
            match input {
                FieldReg::Word(reg) => regs.words[usize::from(*reg)] = self.store.value_word(value, WordType::Int)?,
                FieldReg::Value(reg) => regs.values[usize::from(*reg)] = value.clone(),
            }
        }
        Ok(())
    }

    pub(super) fn move_code(&mut self, instance: InstanceId, index: usize, full: bool) -> Option<Arc<Code>> {
        if let Some(code) = self.code.by_instance.entry(instance).moves.get(&(index, full)) {
            return code.clone();
        }
        let program = self.session.program.clone();
        let code = lower::lower_single_move(self, &program, instance, index, full);
        self.code.by_instance.entry(instance).moves.insert((index, full), code.clone());
        code
    }
}
