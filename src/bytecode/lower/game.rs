//! The code of a game for one choice of rule parameters: its options, `legal when`, `same as`.

use crate::bytecode::InstanceId;
use crate::bytecode::layout::FieldLayout;
use crate::bytecode::lower::LowerContext;
use crate::bytecode::lower::expr::last;
use crate::bytecode::lower::{Lower, Operand, Scope, SlotState};
use crate::bytecode::{Code, EmitSpec, FieldReg, Op, WordType};
use crate::model::walk::{clause_terms, end_terms, target_terms};
use crate::model::{Clause, Ending, Game, Program, Slot, Target, Term, TermKind};
use crate::syntax::tree::Outcome;
use crate::value::refusal::Refusal;
use std::sync::Arc;

/// How the lists of a state are lowered, the fastest first; the next when there would be too much code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListLowering {
    /// In registers, loops over them written out.
    Unrolled,
    /// In registers, put together where a loop goes through them.
    Looped,
    /// Put together at the start.
    PutTogether,
}

/// Starts code over a component's fields: parameters known, fields in the first registers.
fn start<'m, 'p>(
    ctx: &'m mut dyn LowerContext,
    program: &'p Program,
    instance: InstanceId,
    terms: &[&'p Term],
    way: ListLowering,
) -> Lower<'m, 'p> {
    let game = &program.games[ctx.instance_at(instance).game.0];
    let params = ctx.instance_at(instance).params.clone();
    let forms = ctx.instance_at(instance).forms.clone();
    let scalar = !ctx.code_form().plain && !ctx.code_form().wide && way != ListLowering::PutTogether;
    let letters = if ctx.code_form().plain { None } else { ctx.letter_domain() };
    let mut lower = Lower::new(ctx, program, Scope::new(&game.frame, Some(instance)));
    lower.scalar = scalar;
    lower.unroll = scalar && way == ListLowering::Unrolled;
    lower.letters = letters;
    for (slot, value) in params.iter().enumerate() {
        lower.scope_mut().slots[slot] = SlotState::At(Operand::Known(value.clone()));
    }
    for (i, form) in forms.iter().enumerate() {
        let mut words = Vec::new();
        let operand = lower.registers_of(form, &mut words);
        if let Operand::Value(reg) = &operand {
            lower.code.inputs.push(FieldReg::Value(*reg));
        }
        lower.code.inputs.extend(words.into_iter().map(FieldReg::Word));
        lower.split |= matches!(form, FieldLayout::Parts(..));
        if scalar {
            lower.note_small(form);
        }
        lower.scope_mut().slots[params.len() + i] = SlotState::At(operand);
    }
    if way == ListLowering::PutTogether {
        for slot in params.len()..params.len() + forms.len() {
            let operand = lower.slot(slot);
            if !matches!(operand, Operand::Word(_, word_type) if Some(word_type) != letters.map(WordType::Member)) {
                let reg = lower.as_value(operand);
                lower.scope_mut().slots[slot] = SlotState::At(Operand::Value(reg));
            }
        }
    }
    lower.ready_lazies(terms);
    lower
}

/// Code over a component's fields.
pub(super) fn lower_over<'p>(
    ctx: &mut dyn LowerContext,
    program: &'p Program,
    instance: InstanceId,
    terms: &[&'p Term],
    mut write: impl FnMut(&mut Lower<'_, 'p>),
) -> Arc<Code> {
    for way in [ListLowering::Unrolled, ListLowering::Looped] {
        let mut lower = start(ctx, program, instance, terms, way);
        write(&mut lower);
        if !lower.scalar || !lower.is_bloated() {
            return lower.finish();
        }
    }
    let mut lower = start(ctx, program, instance, terms, ListLowering::PutTogether);
    write(&mut lower);
    lower.finish()
}

fn rule_terms(game: &Game) -> Vec<&Term> {
    let mut terms: Vec<&Term> = end_terms(game).collect();
    for mv in &game.moves {
        terms.extend(clause_terms(&mv.clauses));
        target_terms(&mv.target, &mut terms);
    }
    terms
}

/// The `end when` lines of a component alone.
pub(crate) fn lower_ends(ctx: &mut dyn LowerContext, program: &Program, instance: InstanceId) -> Arc<Code> {
    let game = &program.games[ctx.instance_at(instance).game.0];
    let terms: Vec<&Term> = end_terms(game).collect();
    lower_over(ctx, program, instance, &terms, |lower| lower.ends(game))
}

/// The options of a component: first its `end when` lines, then every way through its moves.
pub(crate) fn lower_rules(ctx: &mut dyn LowerContext, program: &Program, instance: InstanceId) -> Arc<Code> {
    let game = &program.games[ctx.instance_at(instance).game.0];
    lower_over(ctx, program, instance, &rule_terms(game), |lower| lower.rules(game))
}

/// The same with `legal when` and `same as` applied by the code itself; or why it cannot.
pub(crate) fn lower_judged_rules(
    ctx: &mut dyn LowerContext,
    program: &Program,
    instance: InstanceId,
) -> Result<Arc<Code>, Refusal> {
    let game = &program.games[ctx.instance_at(instance).game.0];
    let mut refused = None;
    let code = lower_over(ctx, program, instance, &rule_terms(game), |lower| {
        lower.judging.on = true;
        lower.rules(game);
        refused = lower.judging.refused;
    });
    refused.map_or(Ok(code), Err)
}

impl<'p> Lower<'_, 'p> {
    fn rules(&mut self, game: &'p Game) {
        self.ends(game);
        for (index, mv) in game.moves.iter().enumerate() {
            self.at(mv.span, |lower| {
                lower.clauses(&mv.clauses, true, &mut |lower| lower.target(index, &mv.binders, &mv.target));
            });
        }
    }

    /// Every `end when` line in order; the first that holds ends the code.
    fn ends(&mut self, game: &'p Game) {
        for end in &game.ends {
            let next = self.label();
            self.at(end.span, |lower| {
                lower.jump_unless(&end.when, next);
                let status = match &end.verdict {
                    Ending::Over => 0,
                    Ending::Play(Outcome::Second) => 1,
                    Ending::Play(Outcome::First) => 2,
                    Ending::Play(Outcome::Draw) => 3,
                    Ending::Score(score) => {
                        let a = lower.expr_value(score);
                        lower.emit(Op::EndedScore { a });
                        lower.emit(Op::Stop);
                        lower.put(next);
                        return;
                    }
                };
                lower.emit(Op::Ended { status });
                lower.emit(Op::Stop);
                lower.put(next);
            });
        }
    }

    pub(super) fn target(&mut self, index: usize, binders: &[Slot], target: &'p Target) {
        match target {
            Target::If(condition, yes, no) => {
                let (otherwise, end) = (self.label(), self.label());
                if let Some(truth) = self.test(condition, otherwise) {
                    self.put(otherwise);
                    self.target(index, binders, if truth { yes } else { no });
                    return;
                }
                self.target(index, binders, yes);
                self.emit(Op::Jump(Self::to(end)));
                self.put(otherwise);
                self.target(index, binders, no);
                self.put(end);
            }
            Target::Stop(outcome) => {
                let spec = self.emit_spec(index, binders, false, None);
                self.emit(Op::EmitStop { spec, outcome: *outcome });
            }
            Target::Go { again, position, gain } => {
                let absent = self.label();
                self.judging.absent = Some(absent);
                let doubts = self.doubts;
                self.go(index, binders, *again, position, gain.as_ref());
                self.doubts = doubts;
                self.put(absent);
            }
        }
    }

    fn go(&mut self, index: usize, binders: &[Slot], again: bool, position: &'p Term, gain: Option<&'p Term>) {
        if let (TermKind::Place(place), None) = (&position.kind, gain) {
            let push = self.at(position.span, |lower| lower.ready_place(place));
            if let Some(push) = push {
                let spec = self.emit_spec(index, binders, again, None);
                self.emit(Op::EmitOne { push, spec });
                return;
            }
        }
        self.emit(Op::Target);
        self.push_position(position);
        let gain = gain.map(|t| self.expr_value(t));
        let spec = self.emit_spec(index, binders, again, gain);
        self.emit(Op::Emit { spec });
    }

    fn emit_spec(&mut self, move_index: usize, binders: &[Slot], again: bool, gain: Option<u16>) -> u16 {
        let binders = binders
            .iter()
            .map(|&slot| {
                let operand = self.slot(slot);
                Self::make(&operand)
            })
            .collect();
        self.code.emits.push(EmitSpec { move_index, binders, again, gain });
        last(self.code.emits.len())
    }
}

/// A truth about a component's fields, in value register 0.
pub(crate) fn lower_predicate(
    ctx: &mut dyn LowerContext,
    program: &Program,
    instance: InstanceId,
    terms: &[&Term],
) -> Arc<Code> {
    lower_over(ctx, program, instance, terms, |lower| {
        let all = lower.constant(1);
        for term in terms {
            let b = lower.truth(term);
            lower.emit(Op::And { d: all, a: all, b });
        }
        lower.result(Operand::Word(all, WordType::Bool));
    })
}

/// The first `same as` line that holds: its position is the target of the only move.
pub(crate) fn lower_same(ctx: &mut dyn LowerContext, program: &Program, instance: InstanceId) -> Arc<Code> {
    let game = &program.games[ctx.instance_at(instance).game.0];
    let terms: Vec<&Term> = game.same.iter().flat_map(|s| [&s.when, &s.position]).collect();
    lower_over(ctx, program, instance, &terms, |lower| {
        for same in &game.same {
            let next = lower.label();
            lower.at(same.span, |lower| {
                lower.jump_unless(&same.when, next);
                lower.emit(Op::Target);
                lower.push_position(&same.position);
                let spec = lower.emit_spec(0, &[], false, None);
                lower.emit(Op::Emit { spec });
                lower.emit(Op::Stop);
                lower.put(next);
            });
        }
    })
}

/// A term about a component's fields, in value register 0.
pub(crate) fn lower_in_game(
    ctx: &mut dyn LowerContext,
    program: &Program,
    instance: InstanceId,
    term: &Term,
) -> Arc<Code> {
    lower_over(ctx, program, instance, &[term], |lower| {
        let operand = lower.expr(term);
        lower.result(operand);
    })
}

/// Clauses about a component's fields; yields the slots for each way through.
pub(crate) fn lower_clauses_in_game<'p>(
    ctx: &mut dyn LowerContext,
    program: &'p Program,
    instance: InstanceId,
    clauses: &'p [Clause],
    yields: &[Slot],
) -> Arc<Code> {
    let terms: Vec<&Term> = clause_terms(clauses).collect();
    lower_over(ctx, program, instance, &terms, |lower| {
        lower.clauses(clauses, true, &mut |lower| lower.yield_slots(yields));
    })
}
