//! Evaluating terms outside the inner loop: compiled once, kept by the number of the term.

use crate::bytecode::{Code, InstanceId, lower};
use crate::model::{Clause, DefId, Frame, Program, Slot, Term};
use crate::value::Value;
use crate::value::fault::Run;
use crate::vm::context::{CodeKey, Context};
use crate::vm::run::Options;
use crate::vm::size_window::SizeWindow;
use std::sync::Arc;

impl Context {
    pub(super) fn kept(
        &mut self,
        key: CodeKey,
        instance: Option<InstanceId>,
        make: impl FnOnce(&mut Context) -> Arc<Code>,
    ) -> Arc<Code> {
        if let Some(code) = self.code.codes.get(&(key, instance)) {
            return code.clone();
        }
        let code = make(self);
        self.code.codes.insert((key, instance), code.clone());
        code
    }

    /// The value of a term of the program that reads no slot from outside.
    pub fn eval(&mut self, frame: &Frame, term: &Term) -> Run<Value> {
        self.eval_with(frame, &[], &[], term)
    }

    /// The value of a term of the program, given the values of some slots.
    pub fn eval_with(&mut self, frame: &Frame, slots: &[Slot], values: &[Value], term: &Term) -> Run<Value> {
        let program = self.session.program.clone();
        let code = self
            .kept(CodeKey::Term(term.id()), None, |m| lower::lower_term(m, &program, frame, None, &[], slots, term));
        let mut out = Options::default();
        self.execute(&code, &mut out, |_, regs| {
            regs.values[1..=values.len()].clone_from_slice(values);
            Ok(())
        })
        .map_err(|halt| halt.placed(term.span))
    }

    /// The value of a term with known slots worked in; nothing kept.
    pub(crate) fn eval_once(
        &mut self,
        frame: &Frame,
        own: Option<InstanceId>,
        known: &[(Slot, Value)],
        term: &Term,
    ) -> Run<Value> {
        let program = self.session.program.clone();
        let code = lower::lower_term(self, &program, frame, own, known, &[], term);
        self.execute(&code, &mut Options::default(), |_, _| Ok(())).map_err(|halt| halt.placed(term.span))
    }

    /// Every way through clauses of the program: the values of `yields` for each.
    pub fn ways(&mut self, frame: &Frame, clauses: &[Clause], yields: &[Slot]) -> Run<Vec<Vec<Value>>> {
        let program = self.session.program.clone();
        let code = lower::lower_clauses(self, &program, frame, None, &[], &[], clauses, yields);
        let mut out = Options::default();
        self.execute(&code, &mut out, |_, _| Ok(()))?;
        Ok(out.yields)
    }

    /// The ways through clauses that a window admits, together with the window, which has counted all of them.
    pub fn windowed_ways(
        &mut self,
        frame: &Frame,
        clauses: &[Clause],
        yields: &[Slot],
        window: SizeWindow,
    ) -> Run<(Vec<Vec<Value>>, SizeWindow)> {
        let program = self.session.program.clone();
        let code = lower::lower_clauses(self, &program, frame, None, &[], &[], clauses, yields);
        let mut out = Options::windowed(window);
        self.execute(&code, &mut out, |_, _| Ok(()))?;
        let window = out.window.take().unwrap_or_default();
        if window.overflow {
            out.yields.clear();
        }
        Ok((out.yields, window))
    }

    /// The value of a term about a component, inside its game.
    pub fn eval_at(&mut self, id: u32, term: &Term) -> Run<Value> {
        let instance = self.store.instance_of[id as usize];
        if self.store.instances[instance].base != instance {
            let state = self.store.state_values(id);
            return self.eval_in_game(instance, term, &state);
        }
        // The words of the state are those that the code is about.
        let code = self.code_in_game(instance, term);
        self.execute(&code, &mut Options::default(), |m, regs| m.store.load(id, &code.inputs, regs))
            .map_err(|halt| halt.placed(term.span))
    }

    /// Every way through clauses about a component, inside its game.
    pub fn ways_at(&mut self, id: u32, clauses: &[Clause], yields: &[Slot]) -> Run<Vec<Vec<Value>>> {
        let instance = self.store.instance_of[id as usize];
        if self.store.instances[instance].base != instance {
            let state = self.store.state_values(id);
            return self.ways_in_game(instance, clauses, yields, &state);
        }
        let code = self.ways_code(instance, clauses, yields);
        let mut out = Options::default();
        self.execute(&code, &mut out, |m, regs| m.store.load(id, &code.inputs, regs))?;
        Ok(out.yields)
    }

    /// The code of clauses about a state of an instance for any lengths.
    fn ways_code(&mut self, instance: InstanceId, clauses: &[Clause], yields: &[Slot]) -> Arc<Code> {
        let program = self.session.program.clone();
        let make = |ctx: &mut Context| lower::lower_clauses_in_game(ctx, &program, instance, clauses, yields);
        match CodeKey::clauses(clauses, None) {
            Some(key) => self.kept(key, Some(instance), make),
            None => make(self),
        }
    }

    /// The value of a term about a state, inside its game.
    pub fn eval_in_game(&mut self, instance: InstanceId, term: &Term, state: &Arc<[Value]>) -> Run<Value> {
        let instance = self.store.instances[instance].base;
        let code = self.code_in_game(instance, term);
        let word_types = self.store.instances[instance].word_types.clone();
        self.execute(&code, &mut Options::default(), |m, regs| {
            m.store.load_values(state, &word_types, &code.inputs, regs)
        })
        .map_err(|halt| halt.placed(term.span))
    }

    /// The code of a term about a state of an instance for any lengths.
    pub(super) fn code_in_game(&mut self, instance: InstanceId, term: &Term) -> Arc<Code> {
        let program = self.session.program.clone();
        self.kept(CodeKey::Term(term.id()), Some(instance), |m| lower::lower_in_game(m, &program, instance, term))
    }

    /// Every way through clauses about a state, inside its game.
    pub fn ways_in_game(
        &mut self,
        instance: InstanceId,
        clauses: &[Clause],
        yields: &[Slot],
        state: &Arc<[Value]>,
    ) -> Run<Vec<Vec<Value>>> {
        let instance = self.store.instances[instance].base;
        let code = self.ways_code(instance, clauses, yields);
        let word_types = self.store.instances[instance].word_types.clone();
        let mut out = Options::default();
        self.execute(&code, &mut out, |m, regs| m.store.load_values(state, &word_types, &code.inputs, regs))?;
        Ok(out.yields)
    }

    /// Every way through clauses about a component, inside its game as `program` has it: with the games and definitions of
    /// the context's own program, and perhaps more slots in that game's frame. Nothing is kept.
    pub(crate) fn ways_of(
        &mut self,
        program: &Program,
        id: u32,
        clauses: &[Clause],
        yields: &[Slot],
    ) -> Run<Vec<Vec<Value>>> {
        let instance = self.store.instance_of[id as usize];
        let code = lower::lower_clauses_in_game(self, program, instance, clauses, yields);
        let mut out = Options::default();
        self.execute(&code, &mut out, |ctx, regs| ctx.store.load(id, &code.inputs, regs))?;
        Ok(out.yields)
    }

    /// The rules of an instance as `program` has them: like the context's own with some moves left out.
    pub(crate) fn code_for(&mut self, program: &Program, instance: InstanceId) -> Arc<Code> {
        lower::lower_rules(self, program, instance)
    }

    /// The options of a component by other code than its own, of a game without `legal when` and `same as`.
    pub(crate) fn options_by(&mut self, code: &Arc<Code>, id: u32, out: &mut Options) -> Run<()> {
        out.clear();
        self.execute(code, out, |ctx, regs| ctx.store.load(id, &code.inputs, regs)).map(|_| ())
    }

    pub(crate) fn def_code(&mut self, def: DefId, instance: Option<InstanceId>) -> Arc<Code> {
        let program = self.session.program.clone();
        let callee = &program.defs[def.0];
        self.kept(CodeKey::Def(def), instance, |m| lower::lower_def(m, &program, callee, instance))
    }
}
