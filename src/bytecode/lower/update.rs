//! Updates: of parts item by item, of other collections as values.

use crate::bytecode::lower::expr::last;
use crate::bytecode::lower::mold::JoinLayout;
use crate::bytecode::lower::parts::{Part, Parts};
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, Op, Reg, UpdateSpec, WordType};
use crate::model::{BinaryOp, Change, Clause, Term};
use crate::syntax::tree::SetOp;
use crate::value::Value;
use std::rc::Rc;

impl<'p> Lower<'_, 'p> {
    /// `base[i := e, ...]`
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
            self.code.updates.push(UpdateSpec { d, a, changes: changes.into() });
            let spec = last(self.code.updates.len());
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
        let d = self.value();
        self.emit(Op::UpdateBuilt { d, a, op: change.op });
        Operand::Value(d)
    }

    /// An update of parts; `None`: its base is no parts.
    fn change_parts(
        &mut self,
        from: &Operand,
        changes: &'p [Change],
        clauses: Option<&'p Vec<Clause>>,
    ) -> Option<Operand> {
        let parts =
            self.sure_parts(from).filter(|parts| matches!(parts.whole, Aggregate::List(_) | Aggregate::Text))?;
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
        if !made.iter().all(|(flag, index, op, value)| self.is_change(&items, whole, *flag, index, *op, value)) {
            return Some(self.change_values(parts, &made));
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
        let int = |o: &Operand| matches!(o, Operand::Word(_, WordType::Int) | Operand::Known(Value::Int(_)));
        let known = flag.is_none() && matches!(index, Operand::Known(Value::Int(_)));
        if !int(index) || !self.narrow() {
            return false;
        }
        if whole == Aggregate::Text {
            let single = matches!(value, Operand::Known(Value::Text(text)) if text.single().is_some());
            return op == SetOp::Put && (single || self.is_letter(value)) && (known || self.all_molded(items, value));
        }
        if op == SetOp::Put { known || self.all_molded(items, value) } else { items.iter().chain([value]).all(int) }
    }

    /// Whether all items and a value can be in registers of one form that is no value.
    fn all_molded(&mut self, items: &[Operand], value: &Operand) -> bool {
        !matches!(self.common_mold(items.iter().chain([value])), JoinLayout::Value)
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
            self.emit(Op::JumpUnless(flag, Self::to(skip)));
        }
        let index = self.as_word(index.clone(), WordType::Int);
        let place = self.place_of(index, whole, items.len());
        for (i, copy) in copies.iter().enumerate() {
            let next = self.label();
            let b = self.pooled(i64::try_from(i).unwrap_or(i64::MAX));
            self.emit(Op::JumpNe { a: place, b, to: Self::to(next) });
            let new = sum(self, copy);
            self.copy_into(copy, &new);
            self.emit(Op::Jump(Self::to(skip)));
            self.put(next);
        }
        self.put(skip);
        items.clone_from_slice(&copies);
    }

    /// The same on values, with everything evaluated already.
    fn change_values(&mut self, parts: Rc<Parts>, made: &[(Option<Reg>, Operand, SetOp, Operand)]) -> Operand {
        let mut d = self.as_value(Operand::Parts(parts));
        for (flag, index, op, value) in made {
            let (index, value) = (self.as_value(index.clone()), self.as_value(value.clone()));
            let (next, skip) = (self.value(), self.label());
            self.emit(Op::Move { d: next, a: d });
            if let Some(flag) = flag {
                self.emit(Op::JumpUnless(*flag, Self::to(skip)));
            }
            self.code.updates.push(UpdateSpec { d: next, a: d, changes: Box::new([(index, *op, value)]) });
            let spec = last(self.code.updates.len());
            self.emit(Op::Update { spec });
            self.put(skip);
            d = next;
        }
        Operand::Value(d)
    }
}
