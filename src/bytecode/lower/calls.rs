//! Calls of built-in words and of definitions, which are unfolded where they stand.

use crate::bytecode::lower::expr::last;
use crate::bytecode::lower::{Lower, Operand, Scope, SlotState};
use crate::bytecode::{CallSpec, InvokeSpec, Op, Reg};
use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::{DefId, Gather, Slot, Term, TermKind};
use crate::value::Value;

impl<'p> Lower<'_, 'p> {
    /// A built-in word on value registers.
    pub(crate) fn call_word(&mut self, word: Builtin, args: &[Operand]) -> Operand {
        let args: Vec<Reg> = args.iter().map(|a| self.as_value(a.clone())).collect();
        let d = self.value();
        self.code.calls.push(CallSpec { word, d, args: args.into() });
        let spec = last(self.code.calls.len());
        self.emit(Op::Call { spec });
        Operand::Value(d)
    }

    pub(super) fn builtin(&mut self, word: Builtin, args: &'p [Term], ty: &Type) -> Operand {
        if let [Term { kind: TermKind::Comprehension(Gather::List, value, clauses), .. }] = args
            && let Some(folded) = self.fold(word, value, clauses)
        {
            return folded;
        }
        if let (Builtin::Sum, [Term { kind: TermKind::Comprehension(Gather::List, value, clauses), .. }]) = (word, args)
            && let TermKind::Place(place) = &value.kind
            && !crate::bytecode::lower::fold::gathers_bags(value, clauses)
        {
            return self.sum_of_places(value, place, clauses);
        }
        if word.is_question() {
            let operand = args.first().map_or(Operand::Known(Value::Bool(false)), |a| self.expr(a));
            let a = self.as_value(operand);
            let d = self.value();
            self.emit(Op::Ask { word, d, a });
            return Operand::Value(d);
        }
        if let Some(floor) = self.floor_of(word, args) {
            return floor;
        }
        let operands: Vec<Operand> = args.iter().map(|a| self.expr(a)).collect();
        let done = self.known_call(word, &operands);
        if let Some(done) = done.or_else(|| self.parts_word(word, &operands, ty)) {
            return done;
        }
        if let Some(done) = self.set_word(word, &operands, ty) {
            return done;
        }
        if let Some(done) = self.number_word(word, &operands, args) {
            return done;
        }
        self.call_word(word, &operands)
    }

    /// A def: unfolded where it stands unless it is recursive.
    pub(super) fn call(&mut self, def: DefId, args: &'p [Option<Term>]) -> Operand {
        let program = self.program;
        let callee = &program.defs[def.0];
        let prefix: Vec<Operand> = (0..self.owner_slots(callee.owner)).map(|slot| self.slot(slot)).collect();
        let given: Vec<Option<Operand>> = args.iter().map(|a| a.as_ref().map(|a| self.expr(a))).collect();
        let Some(body) = &callee.body else { return Operand::Known(Value::Int(0)) };
        if callee.recursive || self.is_big() {
            let all = prefix.into_iter().map(Some).chain(given);
            let args: Vec<Option<Reg>> = all.map(|a| a.map(|a| self.as_value(a))).collect();
            let d = self.value();
            self.code.invokes.push(InvokeSpec { def, d, args: args.into() });
            let spec = last(self.code.invokes.len());
            self.emit(Op::Invoke { spec });
            return Operand::Value(d);
        }
        let own = if callee.owner.is_some() { self.scope().own } else { None };
        let mut scope = Scope::new(&callee.frame, own);
        for (slot, operand) in prefix.into_iter().enumerate() {
            scope.slots[slot] = SlotState::At(operand);
        }
        self.unfolded += 1;
        self.scopes.push(scope);
        for (i, (field, operand)) in callee.params.iter().zip(given).enumerate() {
            let operand = match (operand, &field.default) {
                (Some(operand), _) => operand,
                (None, Some(default)) => self.expr(default),
                (None, None) => Operand::Known(Value::Int(0)),
            };
            let operand = self.enter_kind(operand, &field.kind, &field.name);
            self.scope_mut().slots[callee.prefix + i] = SlotState::At(operand);
        }
        self.ready_lazies(&[body]);
        let mut result = self.expr(body);
        if let Some(kind) = &callee.result {
            result = self.enter_kind(result, kind, &callee.name);
        }
        self.scopes.pop();
        self.unfolded -= 1;
        result
    }

    /// How many slots of its owner a def of that game is handed: parameters and fields.
    pub(crate) fn owner_slots(&self, owner: Option<crate::model::GameId>) -> Slot {
        owner.map_or(0, |g| {
            let game = &self.program.games[g.0];
            game.params.len() + game.fields.len()
        })
    }
}
