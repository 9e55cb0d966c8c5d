//! Updates of lists, tuples and grids: `xs[i := e]` and the like, of parts one by one, or of a value as a whole.

use crate::bytecode::layout::FieldLayout;
use crate::bytecode::lower::operand::{Part, Parts};
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, Op, Reg, UpdateSpec, WordType};
use crate::model::{BinaryOp, Change, Clause, Term};
use crate::syntax::tree::SetOp;
use crate::value::{Value, width};
use std::rc::Rc;

impl<'p> Lower<'_, 'p> {
    pub(crate) fn update(
        &mut self,
        base: &'p Term,
        changes: &'p [Change],
        clauses: Option<&'p Vec<Clause>>,
    ) -> Operand {
        let base = self.expr(base);
        if let Some(done) = self.change_parts(&base, changes, clauses) {
            return done;
        }
        let a = self.as_value(base);
        let Some(clauses) = clauses else {
            let changes: Vec<_> = changes
                .iter()
                .map(|c| {
                    let index = self.expr_value(&c.index);
                    (index, c.op, self.expr_value(&c.value))
                })
                .collect();
            let d = self.value();
            let spec = self.entry(|code| &mut code.updates, UpdateSpec { d, a, changes: changes.into() });
            self.emit(Op::Update { spec });
            return Operand::Value(d);
        };
        self.emit(Op::Build);
        let Some(change) = changes.first() else { return Operand::Value(a) };
        self.clauses(clauses, false, &mut |lower| {
            let index = lower.expr_value(&change.index);
            lower.emit(Op::BuildPush { a: index });
            let value = lower.expr_value(&change.value);
            lower.emit(Op::BuildPush { a: value });
        });
        Operand::Value(self.emit_value(|d| Op::UpdateBuilt { d, a, op: change.op }))
    }

    fn change_parts(
        &mut self,
        from: &Operand,
        changes: &'p [Change],
        clauses: Option<&'p Vec<Clause>>,
    ) -> Option<Operand> {
        let parts =
            self.sure_parts(from).filter(|parts| !matches!(parts.whole, Aggregate::Tuple | Aggregate::Set { .. }))?;
        let mut made: Vec<(Option<Reg>, Operand, SetOp, Operand)> = Vec::new();
        if let Some(clauses) = clauses {
            let change = changes.first()?;
            let ways =
                self.static_ways(clauses, &mut |lower| (lower.expr(&change.index), lower.expr(&change.value)))?;
            made.extend(ways.into_iter().map(|(flag, (index, value))| (flag, index, change.op, value)));
        } else {
            for change in changes {
                let index = self.expr(&change.index);
                made.push((None, index, change.op, self.expr(&change.value)));
            }
        }
        let whole = parts.whole;
        let mut items: Vec<Operand> = parts.parts.iter().map(|part| part.operand.clone()).collect();
        if items.iter().all(Operand::is_int) {
            for (.., value) in &mut made {
                *value = self.as_label(value.clone());
            }
        }
        let asked = made.clone();
        if matches!(whole, Aggregate::Grid(_)) {
            for (flag, index, ..) in &mut made {
                // What is not there is not looked at.
                let known = matches!(index, Operand::Known(_));
                let place = if flag.is_none() || known { self.cell_place(&parts, index) } else { None };
                let Some(place) = place else { return Some(self.change_values(parts, &asked)) };
                *index = place;
            }
        }
        if !made.iter().all(|(flag, index, op, value)| self.is_change(&items, whole, *flag, index, *op, value)) {
            return Some(self.change_values(parts, &asked));
        }
        for (flag, index, op, value) in &made {
            self.change(&mut items, whole, *flag, index, *op, value);
        }
        Some(self.whole(whole, items.into_iter().map(Part::sure).collect()))
    }

    fn is_change(
        &mut self,
        items: &[Operand],
        whole: Aggregate,
        flag: Option<Reg>,
        index: &Operand,
        op: SetOp,
        value: &Operand,
    ) -> bool {
        let known = flag.is_none() && matches!(index, Operand::Known(Value::Int(_)));
        if !index.is_int() || !self.narrow() {
            return false;
        }
        if whole == Aggregate::Text || matches!(whole, Aggregate::Grid(_)) && !items.iter().all(Operand::is_int) {
            let single = matches!(value, Operand::Known(Value::Text(text)) if text.single().is_some());
            return op == SetOp::Put && (single || self.is_letter(value)) && (known || self.all_molded(items, value));
        }
        if op == SetOp::Put {
            known || self.all_molded(items, value)
        } else {
            items.iter().chain([value]).all(Operand::is_int)
        }
    }

    /// Whether all items and a value can be in registers of one form that is no value.
    fn all_molded(&mut self, items: &[Operand], value: &Operand) -> bool {
        !matches!(self.common_mold(items.iter().chain([value])), FieldLayout::Value)
    }

    fn change(
        &mut self,
        items: &mut [Operand],
        whole: Aggregate,
        flag: Option<Reg>,
        index: &Operand,
        op: SetOp,
        value: &Operand,
    ) {
        let sum = |lower: &mut Self, old: &Operand| match op {
            SetOp::Put => value.clone(),
            SetOp::Add | SetOp::Remove => {
                let op = if op == SetOp::Add { BinaryOp::Add } else { BinaryOp::Sub };
                lower.int_binary(op, old, value).unwrap_or_else(|| value.clone())
            }
        };
        if let (Operand::Known(Value::Int(i)), None) = (index, flag) {
            if let Some(place) = self.known_place(*i, whole, items.len()) {
                items[place] = sum(self, &items[place].clone());
            }
            return;
        }
        let mold = self.common_mold(items.iter().chain([value]));
        let skip = self.label();
        let copies: Vec<Operand> = items
            .iter()
            .map(|item| {
                let d = self.registers_like(&mold);
                self.copy_into(&d, item);
                d
            })
            .collect();
        if let Some(flag) = flag {
            self.emit(Op::JumpUnless { a: flag, to: Self::to(skip) });
        }
        let index = self.as_word(index.clone(), WordType::Int);
        let place = self.place_of(index, whole, items.len());
        for (i, copy) in copies.iter().enumerate() {
            let next = self.label();
            let b = self.pooled(width::int(i));
            self.emit(Op::JumpNe { a: place, b, to: Self::to(next) });
            let new = sum(self, copy);
            self.copy_into(copy, &new);
            self.emit(Op::Jump { to: Self::to(skip) });
            self.put(next);
        }
        self.put(skip);
        items.clone_from_slice(&copies);
    }

    fn change_values(&mut self, parts: Rc<Parts>, made: &[(Option<Reg>, Operand, SetOp, Operand)]) -> Operand {
        let mut d = self.as_value(Operand::Parts(parts));
        for (flag, index, op, value) in made {
            let (next, skip) = (self.value(), self.label());
            self.emit(Op::Move { d: next, a: d });
            if let Some(flag) = flag {
                self.emit(Op::JumpUnless { a: *flag, to: Self::to(skip) });
            }
            // Where the change is not made, the words of its value hold anything.
            let (index, value) = (self.as_value(index.clone()), self.as_value(value.clone()));
            let spec = self.entry(
                |code| &mut code.updates,
                UpdateSpec { d: next, a: d, changes: Box::new([(index, *op, value)]) },
            );
            self.emit(Op::Update { spec });
            self.put(skip);
            d = next;
        }
        Operand::Value(d)
    }
}
