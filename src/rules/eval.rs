//! Evaluating terms outside the inner loop: compiled once, kept by the term's address.

use crate::check::model::{Clause, DefId, Frame, Program, Slot, Term, TermKind};
use crate::check::walk::named_graph;
use crate::rules::code::Code;
use crate::rules::fault::{Fault, Halt, Run};
use crate::rules::lower;
use crate::rules::machine::{Machine, NO_INSTANCE};
use crate::rules::run::{Options, Status, Way};
use crate::rules::sieve::Sieve;
use crate::rules::value::Value;
use crate::text::Span;
use std::sync::Arc;

/// By what the code of clauses is kept: odd, so that it is not the address of a term in them.
pub(super) fn clauses_key(clauses: &[Clause]) -> usize {
    clauses.as_ptr() as usize | 1
}

impl Machine {
    pub(super) fn kept(
        &mut self,
        address: usize,
        instance: usize,
        make: impl FnOnce(&mut Machine) -> Arc<Code>,
    ) -> Arc<Code> {
        if let Some(code) = self.codes.get(&(address, instance)) {
            return code.clone();
        }
        let code = make(self);
        self.codes.insert((address, instance), code.clone());
        code
    }

    /// The value of a term of the program that reads no slot from outside.
    pub fn eval(&mut self, frame: &Frame, term: &Term) -> Run<Value> {
        self.eval_with(frame, &[], &[], term)
    }

    /// The value of a term of the program, given the values of some slots.
    pub fn eval_with(&mut self, frame: &Frame, slots: &[Slot], values: &[Value], term: &Term) -> Run<Value> {
        let program = self.program.clone();
        let address = std::ptr::from_ref(term) as usize;
        let code = self.kept(address, NO_INSTANCE, |m| lower::lower_term(m, &program, frame, None, &[], slots, term));
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
        own: Option<usize>,
        known: &[(Slot, Value)],
        term: &Term,
    ) -> Run<Value> {
        let program = self.program.clone();
        let code = lower::lower_term(self, &program, frame, own, known, &[], term);
        self.execute(&code, &mut Options::default(), |_, _| Ok(())).map_err(|halt| halt.placed(term.span))
    }

    /// Every way through clauses of the program: the values of `yields` for each.
    pub fn ways(&mut self, frame: &Frame, clauses: &[Clause], yields: &[Slot]) -> Run<Vec<Vec<Value>>> {
        let program = self.program.clone();
        let code = lower::lower_clauses(self, &program, frame, None, &[], &[], clauses, yields);
        let mut out = Options::default();
        self.execute(&code, &mut out, |_, _| Ok(()))?;
        Ok(out.yields)
    }

    /// The ways through clauses that a sieve admits, together with the sieve, which has counted all of them.
    pub fn sifted(
        &mut self,
        frame: &Frame,
        clauses: &[Clause],
        yields: &[Slot],
        sieve: Sieve,
    ) -> Run<(Vec<Vec<Value>>, Sieve)> {
        let program = self.program.clone();
        let code = lower::lower_clauses(self, &program, frame, None, &[], &[], clauses, yields);
        let mut out = Options::sifting(sieve);
        self.execute(&code, &mut out, |_, _| Ok(()))?;
        let sieve = out.sieve.take().unwrap_or_default();
        if sieve.overflow {
            out.yields.clear();
        }
        Ok((out.yields, sieve))
    }

    /// The value of a term about a component, inside its game.
    pub fn eval_at(&mut self, id: u32, term: &Term) -> Run<Value> {
        let instance = self.instance_of[id as usize] as usize;
        if self.instances[instance].base != instance {
            let state = self.state_values(id);
            return self.eval_in_game(instance, term, &state);
        }
        // The words of the state are those that the code is about.
        let code = self.code_in_game(instance, term);
        self.execute(&code, &mut Options::default(), |m, regs| m.load(id, &code.inputs, regs))
            .map_err(|halt| halt.placed(term.span))
    }

    /// Every way through clauses about a component, inside its game.
    pub fn ways_at(&mut self, id: u32, clauses: &[Clause], yields: &[Slot]) -> Run<Vec<Vec<Value>>> {
        let instance = self.instance_of[id as usize] as usize;
        if self.instances[instance].base != instance {
            let state = self.state_values(id);
            return self.ways_in_game(instance, clauses, yields, &state);
        }
        let code = self.ways_code(instance, clauses, yields);
        let mut out = Options::default();
        self.execute(&code, &mut out, |m, regs| m.load(id, &code.inputs, regs))?;
        Ok(out.yields)
    }

    /// The code of clauses about a state of an instance for any lengths.
    fn ways_code(&mut self, instance: usize, clauses: &[Clause], yields: &[Slot]) -> Arc<Code> {
        let program = self.program.clone();
        self.kept(clauses_key(clauses), instance, |m| {
            lower::lower_clauses_in_game(m, &program, instance, clauses, yields)
        })
    }

    /// The value of a term about a state, inside its game.
    pub fn eval_in_game(&mut self, instance: usize, term: &Term, state: &Arc<[Value]>) -> Run<Value> {
        let instance = self.instances[instance].base;
        let code = self.code_in_game(instance, term);
        let reps = self.instances[instance].reps.clone();
        self.execute(&code, &mut Options::default(), |m, regs| m.load_values(state, &reps, &code.inputs, regs))
            .map_err(|halt| halt.placed(term.span))
    }

    /// The code of a term about a state of an instance for any lengths.
    pub(super) fn code_in_game(&mut self, instance: usize, term: &Term) -> Arc<Code> {
        let program = self.program.clone();
        let address = std::ptr::from_ref(term) as usize;
        self.kept(address, instance, |m| lower::lower_in_game(m, &program, instance, term))
    }

    /// Every way through clauses about a state, inside its game.
    pub fn ways_in_game(
        &mut self,
        instance: usize,
        clauses: &[Clause],
        yields: &[Slot],
        state: &Arc<[Value]>,
    ) -> Run<Vec<Vec<Value>>> {
        let instance = self.instances[instance].base;
        let code = self.ways_code(instance, clauses, yields);
        let reps = self.instances[instance].reps.clone();
        let mut out = Options::default();
        self.execute(&code, &mut out, |m, regs| m.load_values(state, &reps, &code.inputs, regs))?;
        Ok(out.yields)
    }

    /// Every way through clauses about a component, inside its game as `program` has it: with the games and definitions of
    /// the machine's own program, and perhaps more slots in that game's frame. Nothing is kept.
    pub(crate) fn ways_of(
        &mut self,
        program: &Program,
        id: u32,
        clauses: &[Clause],
        yields: &[Slot],
    ) -> Run<Vec<Vec<Value>>> {
        let instance = self.instance_of[id as usize] as usize;
        let code = lower::lower_clauses_in_game(self, program, instance, clauses, yields);
        let mut out = Options::default();
        self.execute(&code, &mut out, |machine, regs| machine.load(id, &code.inputs, regs))?;
        Ok(out.yields)
    }

    /// The rules of an instance as `program` has them: like the machine's own with some moves left out.
    pub(crate) fn code_for(&mut self, program: &Program, instance: usize) -> Arc<Code> {
        lower::lower_rules(self, program, instance)
    }

    /// The options of a component by other code than its own, of a game without `legal when` and `same as`.
    pub(crate) fn options_by(&mut self, code: &Arc<Code>, id: u32, out: &mut Options) -> Run<()> {
        out.clear();
        self.execute(code, out, |machine, regs| machine.load(id, &code.inputs, regs)).map(|_| ())
    }

    pub(crate) fn def_code(&mut self, def: DefId, instance: Option<usize>) -> Arc<Code> {
        let program = self.program.clone();
        let callee = &program.defs[def.0];
        let address = std::ptr::from_ref(callee) as usize;
        self.kept(address, instance.unwrap_or(NO_INSTANCE), |m| lower::lower_def(m, &program, callee, instance))
    }

    /// The graph that a `vertex of g` names.
    pub(crate) fn graph_of(&mut self, term: &Term, known: &[(Slot, Value)]) -> Result<Value, Fault> {
        let missing = || Fault::new("E03", "this graph is not known here");
        match &named_graph(term).kind {
            TermKind::Slot(slot) => known.iter().find(|(s, _)| s == slot).map(|(_, v)| v.clone()).ok_or_else(missing),
            TermKind::Global(global) => self.global(*global).map_err(Halt::into_fault),
            _ => Err(missing()),
        }
    }

    /// Applies `legal when` and `same as` to the options of a component.
    pub(crate) fn legal_and_same(&mut self, out: &mut Options) -> Run<()> {
        if !self.restricted {
            return Ok(());
        }
        let program = self.program.clone();
        let touched = out.components.iter().any(|&id| {
            let game = self.instances[self.instance_of[id as usize] as usize].game;
            let game = &program.games[game.0];
            !game.legal.is_empty() || !game.same.is_empty()
        });
        if !touched {
            return Ok(());
        }
        let mut keep = Vec::with_capacity(out.moves.len());
        for i in 0..out.moves.len() {
            let mut legal = true;
            if let Way::To { first, len } = out.moves[i].way {
                for at in first..first + len {
                    legal = legal && self.is_legal(out.components[at as usize])?;
                }
            }
            keep.push(legal);
        }
        let mut kept = keep.iter();
        out.moves.retain(|_| kept.next().copied().unwrap_or(true));
        if out.named {
            let mut kept = keep.iter();
            out.binders.retain(|_| kept.next().copied().unwrap_or(true));
        }
        for i in 0..out.moves.len() {
            if let Way::To { first, len } = out.moves[i].way {
                for at in first..first + len {
                    out.components[at as usize] = self.replaced(out.components[at as usize])?;
                }
            }
        }
        Ok(())
    }

    /// What the `end when` lines say of a component; its moves are not looked at (rule 24: ends beat the moves).
    pub fn status(&mut self, id: u32) -> Run<Status> {
        let program = self.program.clone();
        let instance = self.instance_of[id as usize] as usize;
        if program.games[self.instances[instance].game.0].ends.is_empty() {
            return Ok(Status::Open);
        }
        let code = if let Some(code) = &self.instances[instance].ends {
            code.clone()
        } else {
            let code = lower::lower_ends(self, &program, instance);
            self.instances[instance].ends = Some(code.clone());
            code
        };
        let mut out = Options::default();
        let done = self.execute(&code, &mut out, |m, regs| m.load(id, &code.inputs, regs));
        done.map_err(|halt| self.told_in(id, halt))?;
        Ok(out.status)
    }

    /// An error of the rules with the state in which it came up, and with the move if it stands in one.
    pub(crate) fn told_in(&self, id: u32, halt: Halt) -> Halt {
        /// Longer states are cut.
        const SHOWN: usize = 120;
        let Halt::Error(error) = halt else { return halt };
        if !error.code.starts_with('R') {
            return Halt::Error(error);
        }
        let within = |span: Span| {
            error.span.is_some_and(|at| at.source == span.source && span.start <= at.start && at.end <= span.end)
        };
        let game = &self.program.games[self.game_of(id).0];
        let mv = game.moves.iter().find(|mv| within(mv.span)).map(|mv| format!("in the move `{}` of ", mv.name));
        let text = self.component_text(&self.component_value(id));
        let cut = text.char_indices().nth(SHOWN).map_or(text.clone(), |(at, _)| format!("{}...", &text[..at]));
        let note = format!("{}`{cut}`", mv.as_deref().unwrap_or("at "));
        Halt::Error(Box::new(error.note(|| note)))
    }

    /// Whether every `legal when` of a component holds.
    fn is_legal(&mut self, id: u32) -> Run<bool> {
        if let Some(&legal) = self.legal_memo.get(&id) {
            return Ok(legal);
        }
        let program = self.program.clone();
        let instance = self.instance_of[id as usize] as usize;
        let game = &program.games[self.instances[instance].game.0];
        if game.legal.is_empty() {
            return Ok(true);
        }
        let code = if let Some(code) = &self.instances[instance].legal {
            code.clone()
        } else {
            let terms: Vec<&Term> = game.legal.iter().collect();
            let code = lower::lower_predicate(self, &program, instance, &terms);
            self.instances[instance].legal = Some(code.clone());
            code
        };
        let value = self.execute(&code, &mut Options::default(), |m, regs| m.load(id, &code.inputs, regs))?;
        let legal = matches!(value, Value::Bool(true));
        self.legal_memo.insert(id, legal);
        Ok(legal)
    }

    /// What `same as` makes of a component, again and again.
    pub fn replaced(&mut self, id: u32) -> Run<u32> {
        /// More replacements in a row than this have no end (R05).
        const STEPS: usize = 100_000;
        if let Some(&at) = self.replaced.get(&id) {
            return Ok(at);
        }
        if self.ignore_same {
            return Ok(id);
        }
        let program = self.program.clone();
        let mut at = id;
        let mut steps = 0;
        let mut seen = hashbrown::HashSet::new();
        loop {
            let instance = self.instance_of[at as usize] as usize;
            let game = &program.games[self.instances[instance].game.0];
            if game.same.is_empty() {
                break;
            }
            let code = if let Some(code) = &self.instances[instance].same {
                code.clone()
            } else {
                let code = lower::lower_same(self, &program, instance);
                self.instances[instance].same = Some(code.clone());
                code
            };
            let mut out = Options::default();
            self.execute(&code, &mut out, |m, regs| m.load(at, &code.inputs, regs))?;
            let next = match (out.moves.first(), &out.components[..]) {
                (None, _) => break,
                (Some(_), [next]) => *next,
                _ => {
                    let span = game.same[0].span;
                    return Err(Halt::at(span, Fault::new("E22", "`same as` takes one position of the same game")));
                }
            };
            if next == at {
                break;
            }
            steps += 1;
            if steps > STEPS || !seen.insert(at) {
                let shown = self.component_text(&self.component_value(id));
                return Err(Halt::at(
                    game.same[0].span,
                    Fault::new("R05", format!("`same as` has no end from {shown}")),
                ));
            }
            at = next;
        }
        self.replaced.insert(id, at);
        Ok(at)
    }
}
