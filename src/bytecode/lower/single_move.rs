//! The code of one move whose binders are given: nothing is tried, each binder is only held against what it runs through.

use crate::bytecode::InstanceId;
use crate::bytecode::lower::LowerContext;
use crate::bytecode::lower::expr::last;
use crate::bytecode::lower::game::lower_over;
use crate::bytecode::lower::scope::dependencies;
use crate::bytecode::lower::{Lower, Operand, SlotState};
use crate::bytecode::{Code, EmitSpec, FieldReg, Op, PushSpec, WordType};
use crate::model::kind::Type;
use crate::model::walk::{clause_terms, slots_in, target_terms};
use crate::model::{BinaryOp, Clause, CompareOp, Game, Move, Pattern, Program, Slot, Term, TermKind};
use std::collections::HashSet;
use std::sync::Arc;

/// What a binder runs through. A graph knows its vertices better than their list.
fn collection(source: &Term) -> &Term {
    match &source.kind {
        TermKind::Adapt(inner) if matches!(inner.ty, Type::Graph(_) | Type::Grid) => inner,
        _ => source,
    }
}

/// The collection of a move line with one binder, of which nothing is asked but that it is in there.
pub(crate) fn sole_source<'p>(game: &Game, mv: &'p Move) -> Option<&'p Term> {
    let (Clause::In { pattern: Pattern::Slot(slot), source, .. }, rest) = mv.clauses.split_first()? else {
        return None;
    };
    // Names that no condition reads are not worked out.
    let names = rest.iter().all(|clause| matches!(clause, Clause::Let { pattern: Pattern::Slot(_), .. }));
    let mut read = HashSet::new();
    dependencies(&game.frame, source, &mut read);
    let lazy = read.iter().any(|slot| game.frame.slots[*slot].lazy.is_some());
    (names && !lazy && mv.binders[..] == [*slot]).then(|| collection(source))
}

/// The clauses with `x in S` as a condition instead of a binder; `None` when a binder takes something apart or is no part
/// of the move's name.
fn held(game: &Game, mv: &Move) -> Option<Vec<Clause>> {
    let condition = |slot: Slot, source: &Term| {
        let info = &game.frame.slots[slot];
        let name = Term::new(TermKind::Slot(slot), info.ty.clone(), info.span);
        let collection = collection(source);
        let kind = match &collection.kind {
            // Of ints of any size.
            TermKind::Binary(BinaryOp::Range, from, to) => {
                TermKind::Compare(from.clone(), vec![(CompareOp::Le, name), (CompareOp::Le, (**to).clone())])
            }
            _ => TermKind::Compare(Box::new(name), vec![(CompareOp::In, collection.clone())]),
        };
        Clause::Where(Term::new(kind, Type::Bool, source.span))
    };
    let mut met = Vec::new();
    let clauses = mv.clauses.iter().map(|clause| match clause {
        Clause::In { pattern: Pattern::Slot(slot), source, .. } if mv.binders.contains(slot) && !met.contains(slot) => {
            met.push(*slot);
            Some(condition(*slot, source))
        }
        Clause::In { .. } => None,
        other => Some(other.clone()),
    });
    let clauses: Vec<Clause> = clauses.collect::<Option<_>>()?;
    (met.len() == mv.binders.len()).then_some(clauses)
}

/// The conditions alone, with the names that they read.
fn conditions(clauses: &mut Vec<Clause>) {
    let mut read: HashSet<Slot> = HashSet::new();
    for at in (0..clauses.len()).rev() {
        let names = |pattern: &Pattern| match pattern {
            Pattern::Slot(slot) => Some(*slot),
            _ => None,
        };
        match &clauses[at] {
            Clause::Let { pattern, .. } if names(pattern).is_some_and(|slot| !read.contains(&slot)) => {
                clauses.remove(at);
            }
            clause => read.extend(clause_terms(std::slice::from_ref(clause)).flat_map(slots_in)),
        }
    }
}

/// Code for one move of an instance; the last inputs, one for each binder, are those of the binders. `full`: where it leads;
/// else it yields nothing, once, if there is such a move. `None` when the binders cannot be given.
pub(crate) fn lower_single_move(
    ctx: &mut dyn LowerContext,
    program: &Program,
    instance: InstanceId,
    index: usize,
    full: bool,
) -> Option<Arc<Code>> {
    let game = &program.games[ctx.instance_at(instance).game.0];
    let mv = &game.moves[index];
    let mut clauses = held(game, mv)?;
    let lazy = game.frame.slots.iter().any(|slot| slot.lazy.is_some());
    // A lazy name may read any other.
    if !full && !lazy {
        conditions(&mut clauses);
    }
    let mut terms: Vec<&Term> = clause_terms(&clauses).collect();
    if full {
        target_terms(&mv.target, &mut terms);
    }
    Some(lower_over(ctx, program, instance, &terms, |lower| lower.given(index, mv, &clauses, full)))
}

/// Code that runs through clauses about a component's fields and one more value, the last input, in the slot `given`; it
/// yields the slots for each way through.
pub(crate) fn lower_ways_with<'p>(
    ctx: &mut dyn LowerContext,
    program: &'p Program,
    instance: InstanceId,
    clauses: &'p [Clause],
    given: Slot,
    yields: &[Slot],
) -> Arc<Code> {
    let terms: Vec<&Term> = clause_terms(clauses).collect();
    lower_over(ctx, program, instance, &terms, |lower| {
        lower.give(given);
        lower.clauses(clauses, true, &mut |lower| lower.yield_slots(yields));
    })
}

/// A term about a component's fields as the field of a single target: for the native code of rows.
pub(crate) fn lower_int_row(
    ctx: &mut dyn LowerContext,
    program: &Program,
    instance: InstanceId,
    term: &Term,
) -> Arc<Code> {
    lower_over(ctx, program, instance, &[term], |lower| {
        let operand = lower.expr(term);
        lower.emit_int(instance, operand);
    })
}

/// Whether the move that clauses state for one more value, the last input, exists, as the field of a single target: 1, or no
/// target. `None`: clauses may state several moves, or the binders of the line `index` cannot be given, or names are worked out when they are first read.
pub(crate) fn lower_stated_row(
    ctx: &mut dyn LowerContext,
    program: &Program,
    instance: InstanceId,
    index: usize,
    (clauses, slot, yields): (&[Clause], Slot, &[Slot]),
) -> Option<Arc<Code>> {
    let game = &program.games[ctx.instance_at(instance).game.0];
    let mv = &game.moves[index];
    let held = held(game, mv)?;
    let lazy = game.frame.slots.iter().any(|slot| slot.lazy.is_some());
    if lazy || clauses.iter().any(|clause| matches!(clause, Clause::In { .. })) {
        return None;
    }
    let terms: Vec<&Term> = clause_terms(clauses).chain(clause_terms(&held)).collect();
    Some(lower_over(ctx, program, instance, &terms, |lower| {
        lower.give(slot);
        lower.clauses(clauses, true, &mut |lower| {
            let given: Vec<Operand> = yields.iter().map(|slot| lower.slot(*slot)).collect();
            for (binder, operand) in mv.binders.iter().zip(given) {
                lower.scope_mut().slots[*binder] = SlotState::At(operand);
            }
            lower.clauses(&held, true, &mut |lower| {
                let there = lower.constant(1);
                lower.emit_int(instance, Operand::Word(there, WordType::Int));
            });
        });
    }))
}

impl<'p> Lower<'_, 'p> {
    /// A target with an int as its only field.
    fn emit_int(&mut self, instance: InstanceId, operand: Operand) {
        let field = FieldReg::Word(self.as_word(operand, WordType::Int));
        self.code.pushes.push(PushSpec::new(instance, vec![field]));
        self.code.emits.push(EmitSpec { move_index: 0, binders: Box::default(), again: false, gain: None });
        let (push, spec) = (last(self.code.pushes.len()), last(self.code.emits.len()));
        self.emit(Op::EmitOne { push, spec });
    }

    /// An input for a slot: a word for an int where ints are words, else a value.
    fn give(&mut self, slot: Slot) {
        let is_word = self.narrow() && !self.ctx.code_form().plain && self.scope().frame.slots[slot].ty == Type::Int;
        let (input, operand) = if is_word {
            let reg = self.word();
            (FieldReg::Word(reg), Operand::Word(reg, WordType::Int))
        } else {
            let reg = self.value();
            (FieldReg::Value(reg), Operand::Value(reg))
        };
        self.code.inputs.push(input);
        self.scope_mut().slots[slot] = SlotState::At(operand);
    }

    fn given(&mut self, index: usize, mv: &'p Move, clauses: &'p [Clause], full: bool) {
        for &slot in &mv.binders {
            self.give(slot);
        }
        self.at(mv.span, |lower| {
            lower.clauses(clauses, true, &mut |lower| {
                if full {
                    lower.target(index, &mv.binders, &mv.target);
                } else {
                    lower.yield_slots(&[]);
                }
            });
        });
    }
}
