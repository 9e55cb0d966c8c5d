//! What `end when`, `legal when` and `same as` lines say of components.

use crate::bytecode::lower;
use crate::model::Term;
use crate::source::diagnostic::{Class, Code};
use crate::source::text::Span;
use crate::value::Value;
use crate::value::fault::{Fault, Halt, Run};
use crate::vm::context::Context;
use crate::vm::run::{MoveTarget, Options, Status};

impl Context {
    /// Applies `legal when` and `same as` to the options of a component.
    pub(crate) fn legal_and_same(&mut self, out: &mut Options) -> Run<()> {
        if !self.session.restricted {
            return Ok(());
        }
        let program = self.session.program.clone();
        let touched = out.components.iter().any(|&id| {
            let game = self.store.instances[self.store.instance_of[id as usize]].game;
            let game = &program.games[game.0];
            !game.legal.is_empty() || !game.same.is_empty()
        });
        if !touched {
            return Ok(());
        }
        let mut keep = Vec::with_capacity(out.moves.len());
        for i in 0..out.moves.len() {
            let mut legal = true;
            if let MoveTarget::To { first, len } = out.moves[i].target {
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
            if let MoveTarget::To { first, len } = out.moves[i].target {
                for at in first..first + len {
                    out.components[at as usize] = self.replaced(out.components[at as usize])?;
                }
            }
        }
        Ok(())
    }

    /// What the `end when` lines say of a component; its moves are not looked at (rule 24: ends beat the moves).
    pub fn status(&mut self, id: u32) -> Run<Status> {
        let program = self.session.program.clone();
        let instance = self.store.instance_of[id as usize];
        if program.games[self.store.instances[instance].game.0].ends.is_empty() {
            return Ok(Status::Open);
        }
        let code = if let Some(code) = &self.code.by_instance.entry(instance).ends {
            code.clone()
        } else {
            let code = lower::lower_ends(self, &program, instance);
            self.code.by_instance.entry(instance).ends = Some(code.clone());
            code
        };
        let mut out = Options::default();
        let done = self.execute(&code, &mut out, |m, regs| m.store.load(id, &code.inputs, regs));
        done.map_err(|halt| self.with_state_note(id, halt))?;
        Ok(out.status)
    }

    /// An error of the rules with the state in which it came up, and with the move if it stands in one.
    pub(crate) fn with_state_note(&self, id: u32, halt: Halt) -> Halt {
        /// Longer states are cut.
        const SHOWN: usize = 120;
        let Halt::Error(error) = halt else { return halt };
        if error.code.class() != Class::Running {
            return Halt::Error(error);
        }
        let within = |span: Span| {
            error.span.is_some_and(|at| at.source == span.source && span.start <= at.start && at.end <= span.end)
        };
        let game = &self.session.program.games[self.store.game_of(id).0];
        let mv = game.moves.iter().find(|mv| within(mv.span)).map(|mv| format!("in the move `{}` of ", mv.name));
        let text = self.component_text(&self.store.component_value(id));
        let cut = text.char_indices().nth(SHOWN).map_or(text.clone(), |(at, _)| format!("{}...", &text[..at]));
        let note = format!("{}`{cut}`", mv.as_deref().unwrap_or("at "));
        Halt::Error(Box::new(error.note(|| note)))
    }

    /// Whether every `legal when` of a component holds.
    fn is_legal(&mut self, id: u32) -> Run<bool> {
        if let Some(&legal) = self.store.legal_memo.get(&id) {
            return Ok(legal);
        }
        let program = self.session.program.clone();
        let instance = self.store.instance_of[id as usize];
        let game = &program.games[self.store.instances[instance].game.0];
        if game.legal.is_empty() {
            return Ok(true);
        }
        let code = if let Some(code) = &self.code.by_instance.entry(instance).legal {
            code.clone()
        } else {
            let terms: Vec<&Term> = game.legal.iter().collect();
            let code = lower::lower_predicate(self, &program, instance, &terms);
            self.code.by_instance.entry(instance).legal = Some(code.clone());
            code
        };
        let value = self.execute(&code, &mut Options::default(), |m, regs| m.store.load(id, &code.inputs, regs))?;
        let legal = matches!(value, Value::Bool(true));
        self.store.legal_memo.insert(id, legal);
        Ok(legal)
    }

    /// What `same as` makes of a component, again and again.
    pub fn replaced(&mut self, id: u32) -> Run<u32> {
        /// More replacements in a row than this have no end (R05).
        const STEPS: usize = 100_000;
        if let Some(&at) = self.store.replaced.get(&id) {
            return Ok(at);
        }
        if self.options.ignore_same {
            return Ok(id);
        }
        let program = self.session.program.clone();
        let mut at = id;
        let mut steps = 0;
        let mut seen = hashbrown::HashSet::new();
        loop {
            let instance = self.store.instance_of[at as usize];
            let game = &program.games[self.store.instances[instance].game.0];
            if game.same.is_empty() {
                break;
            }
            let code = if let Some(code) = &self.code.by_instance.entry(instance).same {
                code.clone()
            } else {
                let code = lower::lower_same(self, &program, instance);
                self.code.by_instance.entry(instance).same = Some(code.clone());
                code
            };
            let mut out = Options::default();
            self.execute(&code, &mut out, |m, regs| m.store.load(at, &code.inputs, regs))?;
            let next = match (out.moves.first(), &out.components[..]) {
                (None, _) => break,
                (Some(_), [next]) => *next,
                _ => {
                    let span = game.same[0].span;
                    return Err(Halt::at(span, Fault::new(Code::E22, "`same as` takes one position of the same game")));
                }
            };
            if next == at {
                break;
            }
            steps += 1;
            if steps > STEPS || !seen.insert(at) {
                let shown = self.component_text(&self.store.component_value(id));
                return Err(Halt::at(
                    game.same[0].span,
                    Fault::new(Code::R05, format!("`same as` has no end from {shown}")),
                ));
            }
            at = next;
        }
        self.store.replaced.insert(id, at);
        Ok(at)
    }
}
