//! Frames while lowering: where each slot is, and lazy slots.

use crate::bytecode::lower::{Label, Lower, LowerContext, Operand};
use crate::bytecode::{Code, InstanceId, Op, Reg};
use crate::model::walk::{each_term, free_slots, slots_in, some_term};
use crate::model::{BinaryOp, Builtin, Def, Frame, Kind, Program, Slot, Term, TermKind};
use crate::value::Value;
use std::collections::HashSet;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(crate) enum SlotState {
    Empty,
    At(Operand),
    /// Lazy: its flag, and its part of the code once there is one.
    Lazy {
        flag: Reg,
        part: Option<(Label, Operand)>,
    },
}

/// One frame being lowered.
#[derive(Clone, Debug)]
pub(crate) struct Scope<'p> {
    pub(crate) frame: &'p Frame,
    pub(crate) slots: Vec<SlotState>,
    /// The instance whose rule parameters `G(x)` keeps.
    pub(crate) own: Option<InstanceId>,
    /// The lazy slots in use with their flags, and all slots each depends on.
    lazies: Vec<(Slot, Reg, HashSet<Slot>)>,
    /// Binders over ranges, with slots that they do not exceed.
    pub(crate) bounds: Vec<(Slot, Vec<Slot>)>,
}

impl<'p> Scope<'p> {
    pub(crate) fn new(frame: &'p Frame, own: Option<InstanceId>) -> Self {
        Scope { frame, slots: vec![SlotState::Empty; frame.slots.len()], own, lazies: Vec::new(), bounds: Vec::new() }
    }

    pub(crate) fn of_instance(ctx: &dyn LowerContext, program: &'p Program, id: InstanceId) -> Self {
        let instance = ctx.instance_at(id);
        let mut scope = Scope::new(&program.games[instance.game.0].frame, Some(id));
        for (slot, value) in scope.slots.iter_mut().zip(instance.params.iter()) {
            *slot = SlotState::At(Operand::Known(value.clone()));
        }
        scope
    }
}

/// All slots that a term reads, through lazy slots too.
pub(super) fn dependencies(frame: &Frame, term: &Term, out: &mut HashSet<Slot>) {
    each_term(term, &mut |t| {
        if let TermKind::Slot(slot) = t.kind
            && out.insert(slot)
            && let Some(lazy) = &frame.slots[slot].lazy
        {
            dependencies(frame, lazy, out);
        }
    });
}

impl<'p> Lower<'_, 'p> {
    // `new` makes a scope, and each of the two places that take one away has put it there: one is always left.
    pub(crate) fn scope(&self) -> &Scope<'p> {
        self.scopes.last().expect("a scope is there from `new` on")
    }

    pub(crate) fn scope_mut(&mut self) -> &mut Scope<'p> {
        self.scopes.last_mut().expect("a scope is there from `new` on")
    }

    /// Binds what is known, the inputs (value registers 1, 2, ...), and clears the flags of the lazy slots that `terms` use.
    pub(crate) fn enter_scope(&mut self, known: &[(Slot, Value)], inputs: &[Slot], terms: &[&Term]) {
        for (slot, value) in known {
            self.scope_mut().slots[*slot] = SlotState::At(Operand::Known(value.clone()));
        }
        for &slot in inputs {
            let reg = self.value();
            self.scope_mut().slots[slot] = SlotState::At(Operand::Value(reg));
        }
        self.ready_lazies(terms);
    }

    /// Gives flags to the lazy slots that the terms use and clears them.
    pub(crate) fn ready_lazies(&mut self, terms: &[&Term]) {
        let frame = self.scope().frame;
        let mut used = HashSet::new();
        for term in terms {
            dependencies(frame, term, &mut used);
        }
        let mut used: Vec<Slot> = used.into_iter().collect();
        used.sort_unstable();
        for slot in used {
            if let Some(term) = &frame.slots[slot].lazy
                && matches!(self.scope().slots[slot], SlotState::Empty)
            {
                let mut on = HashSet::new();
                dependencies(frame, term, &mut on);
                let flag = self.constant(0);
                let scope = self.scope_mut();
                scope.slots[slot] = SlotState::Lazy { flag, part: None };
                scope.lazies.push((slot, flag, on));
            }
        }
    }

    /// Whether a term is a nat field of the running rules, or `a - k` with `k` bound not to exceed `a`.
    pub(crate) fn cannot_be_negative(&self, term: &Term) -> bool {
        if let (TermKind::Slot(slot), Some(own), [_]) = (&term.kind, self.scope().own, &self.scopes[..]) {
            let game = &self.program.games[self.ctx.instance_at(own).game.0];
            let field = slot.checked_sub(game.params.len()).and_then(|i| game.fields.get(i));
            return std::ptr::eq(self.scope().frame, &raw const game.frame)
                && field.is_some_and(|f| matches!(f.kind, Kind::Nat));
        }
        let TermKind::Binary(BinaryOp::Sub, a, k) = &term.kind else { return false };
        let (TermKind::Slot(a), TermKind::Slot(k)) = (&a.kind, &k.kind) else { return false };
        self.scope().bounds.iter().any(|(slot, of)| slot == k && of.contains(a))
    }

    /// A slot gets a (new) value: lazy slots that read it are out of date.
    pub(crate) fn bind(&mut self, slot: Slot, operand: Operand) {
        self.scope_mut().slots[slot] = SlotState::At(operand);
        // What was known of an earlier value does not hold of this one.
        self.scope_mut().bounds.retain(|(s, of)| *s != slot && !of.contains(&slot));
        let stale: Vec<(Slot, Reg)> = self
            .scope()
            .lazies
            .iter()
            .filter(|(_, _, on)| on.contains(&slot))
            .map(|(lazy, flag, _)| (*lazy, *flag))
            .collect();
        for (lazy, flag) in stale {
            if self.scalar {
                // Its part may have taken the earlier value as known, or from another register.
                self.scope_mut().slots[lazy] = SlotState::Lazy { flag, part: None };
            }
            if matches!(self.scope().slots[lazy], SlotState::Lazy { .. }) {
                self.emit(Op::Const { d: flag, k: 0 });
            }
        }
    }

    pub(crate) fn slot(&mut self, slot: Slot) -> Operand {
        match self.scope().slots[slot].clone() {
            SlotState::At(operand) => operand,
            SlotState::Lazy { flag, part: Some((label, operand)) } => {
                self.emit(Op::Force { flag, to: Self::to(label) });
                operand
            }
            SlotState::Lazy { flag, part: None } => self.first_use(slot, flag),
            SlotState::Empty => {
                // A lazy slot that no term of the code names directly (a default or a header of another game).
                let frame = self.scope().frame;
                match &frame.slots[slot].lazy {
                    Some(term) => self.expr(term),
                    None => Operand::Known(Value::Int(0)),
                }
            }
        }
    }

    /// Makes the part of a lazy slot at its first use: known now, or code that runs once.
    fn first_use(&mut self, slot: Slot, flag: Reg) -> Operand {
        let frame = self.scope().frame;
        let Some(term) = &frame.slots[slot].lazy else { return Operand::Known(Value::Int(0)) };
        if let Some(value) = self.known(term) {
            self.scope_mut().slots[slot] = SlotState::At(Operand::Known(value.clone()));
            return Operand::Known(value);
        }
        let (start, over) = (self.label(), self.label());
        self.emit(Op::Jump { to: Self::to(over) });
        self.put(start);
        let from = self.code.ops.len();
        let operand = self.expr(term);
        if self.scalar && self.code.ops.len() == from && !matches!(operand, Operand::Value(_)) {
            // Nothing has to run for it.
            self.code.ops.truncate(from - 1);
            self.code.spans.truncate(from - 1);
            self.scope_mut().slots[slot] = SlotState::At(operand.clone());
            return operand;
        }
        self.emit(Op::Back { flag });
        self.put(over);
        self.emit(Op::Force { flag, to: Self::to(start) });
        self.scope_mut().slots[slot] = SlotState::Lazy { flag, part: Some((start, operand.clone())) };
        operand
    }

    /// The value of a term that depends on nothing unknown, evaluated now. `None` when it does depend, when it asks a
    /// question about a position, or when evaluating it fails: then the error is left for the run.
    pub(crate) fn known(&mut self, term: &'p Term) -> Option<Value> {
        match &term.kind {
            TermKind::Bool(b) => return Some(Value::Bool(*b)),
            TermKind::Int(n) => return Some(Value::int(n.clone())),
            TermKind::Slot(slot) => {
                if let SlotState::At(Operand::Known(value)) = &self.scope().slots[*slot] {
                    return Some(value.clone());
                }
            }
            _ => {}
        }
        if self.folding || !self.is_settled(term, None) {
            return None;
        }
        let code = self.code_of(term, &[]);
        self.ctx.run_quietly(&code, None).ok()
    }

    /// Code for a term of what is known here and of inputs (value registers 1, 2, ...).
    pub(super) fn code_of(&mut self, term: &'p Term, inputs: &[Slot]) -> Arc<Code> {
        let mut scope = self.scope().clone();
        scope.lazies.clear();
        for state in &mut scope.slots {
            if !matches!(state, SlotState::At(Operand::Known(_))) {
                *state = SlotState::Empty;
            }
        }
        let mut inner = Lower::new(self.ctx, self.program, scope);
        inner.folding = true;
        inner.enter_scope(&[], inputs, &[term]);
        let operand = inner.expr(term);
        inner.result(operand);
        inner.finish()
    }

    /// Whether a term reads only known slots, this one and its own binders, and asks nothing.
    pub(super) fn is_settled(&self, term: &Term, given: Option<Slot>) -> bool {
        let scope = self.scope();
        let unsettled = some_term(term, |t| match &t.kind {
            TermKind::Builtin(Builtin::Nat, _) => true,
            TermKind::Call(def, _) => {
                let def = &self.program.defs[def.0];
                def.owner.is_some() || def_asks(self.program, def)
            }
            _ => asks(self.program, t),
        });
        if unsettled {
            return false;
        }
        // What the term binds itself counts nowhere.
        let free = free_slots(term);
        let mut seen: HashSet<Slot> = slots_in(term).into_iter().filter(|slot| !free.contains(slot)).collect();
        let mut todo: Vec<Slot> = free.into_iter().collect();
        while let Some(slot) = todo.pop() {
            if !seen.insert(slot) {
                continue;
            }
            match (&scope.slots[slot], &scope.frame.slots[slot].lazy) {
                (SlotState::At(Operand::Known(_)), _) => {}
                _ if given == Some(slot) => {}
                (_, Some(lazy)) if self.is_settled_shallow(lazy) => todo.extend(slots_in(lazy)),
                _ => return false,
            }
        }
        true
    }

    /// Whether a lazy term asks nothing and binds nothing (terms that bind are left to run).
    fn is_settled_shallow(&self, term: &Term) -> bool {
        !some_term(term, |t| matches!(t.kind, TermKind::Call(..)) || asks(self.program, t))
    }
}

/// Whether a term, apart from its parts, asks about positions or reads the input.
fn asks(program: &Program, term: &Term) -> bool {
    match &term.kind {
        TermKind::Builtin(word, _) => word.is_question() || word.is_compound(),
        TermKind::Place(_) | TermKind::Misere(_) => true,
        TermKind::Global(global) => program.globals[global.0].reads_input,
        _ => false,
    }
}

/// Whether a def asks about positions or reads the input, directly or through others.
fn def_asks(program: &Program, def: &Def) -> bool {
    let mut seen = HashSet::new();
    let mut todo = vec![def];
    while let Some(next) = todo.pop() {
        let mut found = false;
        for term in next.body.iter().chain(next.frame.lazies()) {
            each_term(term, &mut |t| match &t.kind {
                TermKind::Call(id, _) if seen.insert(*id) => todo.push(&program.defs[id.0]),
                _ => found |= asks(program, t),
            });
        }
        if found {
            return true;
        }
    }
    false
}
