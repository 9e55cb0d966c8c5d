//! Pieces of code: the rules of a game for one choice of rule parameters, its moves one by one, definitions and terms.
//!
//! `legal when` and `same as` can be applied by the code of the moves itself, for native code, which sees one option at a
//! time and asks nothing of positions once they are made.

use crate::bytecode::layout::FieldLayout;
use crate::bytecode::lower::scope::dependencies;
use crate::bytecode::lower::{Label, Lower, LowerContext, Operand, Scope, SlotState};
use crate::bytecode::{Code, EmitSpec, FieldReg, InstanceId, Op, PushSpec, Reg, WordType};
use crate::model::walk::{clause_terms, end_terms, slots_in, target_terms};
use crate::model::{
    BinaryOp, Builtin, Clause, CompareOp, Def, Ending, Frame, Game, Move, Pattern, Program, Same, Slot, Target, Term,
    TermKind, Type,
};
use crate::value::Value;
use crate::value::refusal::Refusal;
use std::collections::HashSet;
use std::sync::Arc;

/// How the lists of a state are lowered, the fastest first; the next when there would be too much code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListLowering {
    /// In registers, loops over them written out.
    Unrolled,
    /// In registers, put together where a loop goes through them.
    Looped,
    PutTogether,
}

/// More replacements in a row than this are left to the general search, which knows whether they end.
const TURNS: i64 = 1000;

/// What the lowering of judged moves keeps.
#[derive(Debug, Default)]
pub(super) struct Judging {
    /// Whether targets are judged in the code.
    pub(super) on: bool,
    /// Where a move goes on that is absent.
    pub(super) absent: Option<Label>,
    pub(super) refused: Option<Refusal>,
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
                let op = match &end.verdict {
                    Ending::Over => Op::Ended { who: None },
                    Ending::Play(outcome) => Op::Ended { who: Some(*outcome) },
                    Ending::Score(score) => match lower.points(score) {
                        FieldReg::Word(a) => Op::EndedScore { a },
                        FieldReg::Value(a) => Op::EndedLargeScore { a },
                    },
                };
                lower.emit(op);
                lower.emit(Op::Stop);
                lower.put(next);
            });
        }
    }

    pub(super) fn target(&mut self, index: usize, binders: &[Slot], target: &'p Target) {
        match target {
            Target::If(condition, yes, no) => {
                self.both_ways(condition, |lower, truth| lower.target(index, binders, if truth { yes } else { no }));
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
        if let TermKind::Place(place) = &position.kind {
            let push = self.at(position.span, |lower| lower.ready_place(place));
            if let Some(push) = push {
                let gain = gain.map(|t| self.points(t));
                let spec = self.emit_spec(index, binders, again, gain);
                self.emit(Op::EmitOne { push, spec });
                return;
            }
        }
        self.emit(Op::Target);
        self.push_position(position);
        let gain = gain.map(|t| self.points(t));
        let spec = self.emit_spec(index, binders, again, gain);
        self.emit(Op::Emit { spec });
    }

    /// Points, in a word register if ints are taken to fit.
    fn points(&mut self, term: &'p Term) -> FieldReg {
        match self.expr(term) {
            operand @ Operand::Value(_) if self.ctx.code_form().wide => FieldReg::Value(self.as_value(operand)),
            operand @ Operand::Known(Value::Big(_)) => FieldReg::Value(self.as_value(operand)),
            operand => FieldReg::Word(self.as_word(operand, WordType::Int)),
        }
    }

    fn emit_spec(&mut self, move_index: usize, binders: &[Slot], again: bool, gain: Option<FieldReg>) -> u16 {
        let binders = binders
            .iter()
            .map(|&slot| {
                let operand = self.slot(slot);
                Self::make(&operand)
            })
            .collect();
        self.entry(|code| &mut code.emits, EmitSpec { move_index, binders, again, gain })
    }

    /// A target with an int as its only field.
    fn emit_int(&mut self, instance: InstanceId, operand: Operand) {
        let field = FieldReg::Word(self.as_word(operand, WordType::Int));
        let push = self.entry(|code| &mut code.pushes, PushSpec::new(instance, vec![field]));
        let spec = self.emit_spec(0, &[], false, None);
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

    /// Leaves the move when a `legal when` of the component in the running scope is false. Its fields are bound. What
    /// follows stands in doubt once more for each condition: their number.
    pub(super) fn leave_unless_legal(&mut self, game: &'p Game) -> usize {
        let Some(absent) = self.judging.absent else { return 0 };
        let mut doubts = 0;
        for condition in &game.legal {
            self.ready_lazies(&[condition]);
            match self.test(condition, absent) {
                Some(true) => {}
                Some(false) => self.emit(Op::Jump { to: Self::to(absent) }),
                None => doubts += 1,
            }
        }
        doubts
    }

    /// The component that `same as` puts in the place of this one.
    pub(super) fn replaced_by_same(&mut self, game: &'p Game, push: PushSpec) -> PushSpec {
        if game.same.is_empty() || self.ctx.code_form().ignore_same {
            return push;
        }
        let Some(words) = push.words else {
            self.judging.refused = Some(Refusal::SameNoWords);
            return push;
        };
        let instance = push.instance;
        let forms = self.ctx.instance_at(instance).forms.clone();
        self.scopes.push(Scope::of_instance(self.ctx, self.program, instance));
        let mut now = Vec::new();
        for (i, form) in forms.iter().enumerate() {
            let operand = self.registers_of(form, &mut now);
            self.scope_mut().slots[game.params.len() + i] = SlotState::At(operand);
        }
        for (&d, &a) in now.iter().zip(&words) {
            self.emit(Op::Copy { d, a });
        }
        let left = self.constant(TURNS);
        let (again, done) = (self.label(), self.label());
        self.put(again);
        self.loops += 1;
        self.doubts += 1;
        let terms: Vec<_> = game.same.iter().flat_map(|s| [&s.when, &s.position]).collect();
        self.ready_lazies(&terms);
        for same in &game.same {
            let next = self.label();
            self.at(same.span, |lower| {
                lower.jump_unless(&same.when, next);
                lower.replace(same, instance, &now, left, again, done);
            });
            self.put(next);
        }
        self.loops -= 1;
        self.doubts -= 1;
        self.put(done);
        self.scopes.pop();
        PushSpec::new(instance, now.into_iter().map(FieldReg::Word).collect())
    }

    /// One `same as` line that holds: goes to `done` when nothing changes, else puts the new fields into `now` and goes
    /// to `again`.
    fn replace(&mut self, same: &'p Same, instance: InstanceId, now: &[Reg], left: Reg, again: Label, done: Label) {
        let spec = match &same.position.kind {
            TermKind::Place(place) => {
                self.judging.on = false;
                let spec = self.ready_place(place);
                self.judging.on = true;
                spec
            }
            _ => None,
        };
        let target = spec.map(|spec| self.code.pushes[usize::from(spec)].clone());
        let words = target.filter(|push| push.instance == instance).and_then(|push| push.words);
        let (Some(spec), Some(words)) = (spec, words) else {
            self.judging.refused = Some(Refusal::SameOtherForm);
            return;
        };
        let changed = self.label();
        for (&a, &b) in now.iter().zip(&words) {
            self.emit(Op::JumpNe { a, b, to: Self::to(changed) });
        }
        self.emit(Op::Jump { to: Self::to(done) });
        self.put(changed);
        // The new fields may be the old ones in another order.
        let kept: Vec<Reg> = words.iter().map(|&a| self.emit_word(|d| Op::Copy { d, a })).collect();
        for (&d, &a) in now.iter().zip(&kept) {
            self.emit(Op::Copy { d, a });
        }
        let none = self.pooled(0);
        self.emit(Op::AddConst { d: left, a: left, k: -1 });
        self.emit(Op::JumpLt { a: none, b: left, to: Self::to(again) });
        self.emit(Op::OutsideDomain { spec });
    }
}

/// Starts code over a component's fields: parameters known, fields in the first registers.
fn start<'m, 'p>(
    ctx: &'m mut dyn LowerContext,
    program: &'p Program,
    instance: InstanceId,
    terms: &[&'p Term],
    way: ListLowering,
) -> Lower<'m, 'p> {
    let params = ctx.instance_at(instance).params.len();
    let forms = ctx.instance_at(instance).forms.clone();
    let scalar = !ctx.code_form().plain && !ctx.code_form().wide && way != ListLowering::PutTogether;
    let letters = if ctx.code_form().plain { None } else { ctx.letter_domain() };
    let texts = if ctx.code_form().plain { None } else { ctx.text_domain() };
    let scope = Scope::of_instance(ctx, program, instance);
    let mut lower = Lower::new(ctx, program, scope);
    lower.texts = texts;
    lower.scalar = scalar;
    lower.unroll = scalar && way == ListLowering::Unrolled;
    lower.letters = letters;
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
        lower.scope_mut().slots[params + i] = SlotState::At(operand);
    }
    if way == ListLowering::PutTogether {
        for slot in params..params + forms.len() {
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

fn rule_terms(game: &Game) -> Vec<&Term> {
    let mut terms: Vec<&Term> = end_terms(game).collect();
    for mv in &game.moves {
        terms.extend(clause_terms(&mv.clauses));
        target_terms(&mv.target, &mut terms);
    }
    terms
}

/// Whether moves go through sets that are made where they are gone through: as lists where members may come twice.
pub(crate) fn goes_through_sets(game: &Game) -> bool {
    let is_made = |term: &Term| {
        use TermKind::{Binary, Builtin as Word, Call, Comprehension, If};
        matches!(term.kind, Comprehension(..) | Word(Builtin::Set, _) | Call(..) | Binary(..) | If(..))
    };
    let through = |clause: &Clause| matches!(clause, Clause::In { source, .. } if matches!(source.ty, Type::Set(_)) && is_made(source));
    game.moves.iter().flat_map(|mv| &mv.clauses).any(through)
}

/// Makes code about the states of one instance, with its fields as inputs.
pub(crate) struct InGame<'m, 'p> {
    ctx: &'m mut dyn LowerContext,
    program: &'p Program,
    instance: InstanceId,
    game: &'p Game,
}

impl<'m, 'p> InGame<'m, 'p> {
    pub(crate) fn new(ctx: &'m mut dyn LowerContext, program: &'p Program, instance: InstanceId) -> Self {
        let game = &program.games[ctx.instance_at(instance).game.0];
        InGame { ctx, program, instance, game }
    }

    /// Code that `write` makes, which uses these terms.
    fn code<'t>(self, terms: &[&'t Term], mut write: impl FnMut(&mut Lower<'_, 't>)) -> Arc<Code>
    where
        'p: 't,
    {
        for way in [ListLowering::Unrolled, ListLowering::Looped] {
            let mut lower = start(self.ctx, self.program, self.instance, terms, way);
            write(&mut lower);
            if !lower.scalar || !lower.is_bloated() {
                return lower.finish();
            }
        }
        let mut lower = start(self.ctx, self.program, self.instance, terms, ListLowering::PutTogether);
        write(&mut lower);
        lower.finish()
    }

    /// The `end when` lines of a component alone.
    pub(crate) fn ends(self) -> Arc<Code> {
        let game = self.game;
        self.code(&end_terms(game).collect::<Vec<_>>(), |lower| lower.ends(game))
    }

    /// The options of a component: first its `end when` lines, then every way through its moves.
    pub(crate) fn rules(self) -> Arc<Code> {
        let game = self.game;
        self.code(&rule_terms(game), |lower| lower.rules(game))
    }

    /// The same with `legal when` and `same as` applied by the code itself, and moves to one position perhaps more often; or why it
    /// cannot.
    pub(crate) fn judged_rules(self) -> Result<Arc<Code>, Refusal> {
        let (game, mut refused) = (self.game, None);
        let code = self.code(&rule_terms(game), |lower| {
            lower.judging.on = true;
            lower.rules(game);
            refused = lower.judging.refused;
        });
        refused.map_or(Ok(code), Err)
    }

    /// Whether all `legal when` lines hold, in value register 0.
    pub(crate) fn legal(self) -> Arc<Code> {
        let terms: Vec<&Term> = self.game.legal.iter().collect();
        self.code(&terms, |lower| {
            let all = lower.constant(1);
            for &term in &terms {
                let b = lower.truth(term);
                lower.emit(Op::And { d: all, a: all, b });
            }
            lower.result(Operand::Word(all, WordType::Bool));
        })
    }

    /// The first `same as` line that holds: its position is the target of the only move.
    pub(crate) fn same(self) -> Arc<Code> {
        let game = self.game;
        let terms: Vec<&Term> = game.same.iter().flat_map(|s| [&s.when, &s.position]).collect();
        self.code(&terms, |lower| {
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
    pub(crate) fn term(self, term: &'p Term) -> Arc<Code> {
        self.code(&[term], |lower| {
            let operand = lower.expr(term);
            lower.result(operand);
        })
    }

    /// Clauses about a component's fields, and about one more value, the last input, in the slot `given`, if there is one;
    /// yields the slots for each way through.
    pub(crate) fn clauses(self, clauses: &'p [Clause], given: Option<Slot>, yields: &[Slot]) -> Arc<Code> {
        self.code(&clause_terms(clauses).collect::<Vec<_>>(), |lower| {
            if let Some(slot) = given {
                lower.give(slot);
            }
            lower.clauses(clauses, true, &mut |lower| lower.yield_slots(yields));
        })
    }

    /// Code for one move; the last inputs, one for each binder, are those of the binders. `full`: where it leads; else it
    /// yields nothing, once, if there is such a move. `None` when the binders cannot be given.
    pub(crate) fn single_move(self, index: usize, full: bool) -> Option<Arc<Code>> {
        let (game, mv) = (self.game, &self.game.moves[index]);
        let mut clauses = held(game, mv)?;
        // A lazy name may read any other.
        if !full && game.frame.lazies().next().is_none() {
            conditions(&mut clauses);
        }
        let mut terms: Vec<&Term> = clause_terms(&clauses).collect();
        if full {
            target_terms(&mv.target, &mut terms);
        }
        Some(self.code(&terms, |lower| lower.given(index, mv, &clauses, full)))
    }

    /// A term as the field of a single target: for the native code of rows.
    pub(crate) fn int_row(self, term: &'p Term) -> Arc<Code> {
        let instance = self.instance;
        self.code(&[term], |lower| {
            let operand = lower.expr(term);
            lower.emit_int(instance, operand);
        })
    }

    /// Whether the move that clauses state for one more value, the last input, exists, as the field of a single target: 1,
    /// or no target. `None`: clauses may state several moves, or the binders of the line `index` cannot be given, or names
    /// are worked out when they are first read.
    pub(crate) fn stated_row(
        self,
        index: usize,
        (clauses, slot, yields): (&[Clause], Slot, &[Slot]),
    ) -> Option<Arc<Code>> {
        let (instance, game, mv) = (self.instance, self.game, &self.game.moves[index]);
        let held = held(game, mv)?;
        let lazy = game.frame.lazies().next().is_some();
        if lazy || clauses.iter().any(|clause| matches!(clause, Clause::In { .. })) {
            return None;
        }
        let terms: Vec<&Term> = clause_terms(clauses).chain(clause_terms(&held)).collect();
        Some(self.code(&terms, |lower| {
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
}

/// Code that evaluates a term; `inputs` are the slots whose values are given, in value registers 1, 2, ...
pub(crate) fn lower_term<'p>(
    ctx: &mut dyn LowerContext,
    program: &'p Program,
    frame: &'p Frame,
    own: Option<InstanceId>,
    known: &[(Slot, Value)],
    inputs: &[Slot],
    term: &'p Term,
) -> Arc<Code> {
    let mut lower = Lower::new(ctx, program, Scope::new(frame, own));
    lower.enter_scope(known, inputs, &[term]);
    let operand = lower.expr(term);
    lower.result(operand);
    lower.finish()
}

/// Code of a def: the owner's parameters and fields and its own parameters are in value registers 1, 2, ..., entered.
pub(crate) fn lower_def<'p>(
    ctx: &mut dyn LowerContext,
    program: &'p Program,
    def: &'p Def,
    instance: Option<InstanceId>,
) -> Arc<Code> {
    let owned = def.owner.map_or(0, |g| program.games[g.0].params.len() + program.games[g.0].fields.len());
    let inputs: Vec<Slot> = (0..owned).chain(def.prefix..def.prefix + def.params.len()).collect();
    let mut lower = Lower::new(ctx, program, Scope::new(&def.frame, instance));
    let terms: Vec<&Term> = def.body.iter().collect();
    lower.enter_scope(&[], &inputs, &terms);
    if let Some(body) = &def.body {
        let mut operand = lower.expr(body);
        if let Some(kind) = &def.result {
            operand = lower.enter_kind(operand, kind, &def.name);
        }
        lower.result(operand);
    }
    lower.finish()
}

/// Code that runs through clauses and yields the values of `yields` for each way.
pub(crate) fn lower_clauses<'p>(
    ctx: &mut dyn LowerContext,
    program: &'p Program,
    frame: &'p Frame,
    clauses: &'p [Clause],
    yields: &[Slot],
) -> Arc<Code> {
    let mut lower = Lower::new(ctx, program, Scope::new(frame, None));
    lower.ready_lazies(&clause_terms(clauses).collect::<Vec<_>>());
    lower.clauses(clauses, true, &mut |lower| lower.yield_slots(yields));
    lower.finish()
}

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
        match &clauses[at] {
            Clause::Let { pattern: Pattern::Slot(slot), .. } if !read.contains(slot) => {
                clauses.remove(at);
            }
            clause => read.extend(clause_terms(std::slice::from_ref(clause)).flat_map(slots_in)),
        }
    }
}
