//! Items of parts by an index: known, or worked out when the code runs.

use super::expr::last;
use super::parts::{Part, Parts};
use super::{Label, Lower, Operand};
use crate::check::kind::Type;
use crate::check::model::{BinaryOp, Change, Clause};
use crate::rules::code::{ListTable, Op, Reg, Rep, Whole};
use crate::rules::value::{Text, Value};
use crate::syntax::tree::SetOp;
use std::rc::Rc;

/// The number of the first item.
fn base(whole: Whole) -> i64 {
    if let Whole::List(base) = whole { base } else { 0 }
}

/// Something of a type, where nothing is ever read.
fn nothing(ty: &Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(false),
        Type::Text => Value::Text(Text::new("")),
        Type::Tuple(types) => Value::tuple(types.iter().map(nothing).collect()),
        Type::List(_) => Value::list(Vec::new()),
        _ => Value::Int(0),
    }
}

impl<'p> Lower<'_, 'p> {
    /// The place of an index in a word among `len` items, counted from 0; R02 outside.
    fn place_of(&mut self, index: Reg, whole: Whole, len: usize) -> Reg {
        let items: Vec<i64> = (0..i64::try_from(len).unwrap_or(i64::MAX)).collect();
        let table = ListTable { base: base(whole), items: items.into(), whole };
        self.code.list_tables.push(table);
        let (d, table) = (self.word(), last(self.code.list_tables.len()));
        self.emit(Op::ListTable { d, table, a: index });
        d
    }

    /// The place of a known index; `None` after an instruction that faults.
    fn known_place(&mut self, index: i64, whole: Whole, len: usize) -> Option<usize> {
        let place = index.checked_sub(base(whole)).and_then(|i| usize::try_from(i).ok()).filter(|i| *i < len);
        if place.is_none() {
            let index = self.pooled(index);
            self.place_of(index, whole, len);
        }
        place
    }

    /// `parts[index]`; `None`: nothing was done.
    pub(crate) fn pick(&mut self, from: &Operand, at: &Operand, ty: &Type) -> Option<Operand> {
        if !self.narrow() || matches!(from, Operand::Known(_)) && matches!(at, Operand::Known(_)) {
            return None;
        }
        let parts = self.sure_parts(from).filter(|parts| parts.whole != Whole::Set)?;
        match at {
            Operand::Known(Value::Int(i)) => Some(match self.known_place(*i, parts.whole, parts.parts.len()) {
                Some(place) => parts.parts[place].operand.clone(),
                None => Operand::Known(nothing(ty)),
            }),
            Operand::Word(i, Rep::Int) => {
                let operands: Vec<&Operand> = parts.parts.iter().map(|part| &part.operand).collect();
                let ints = operands.iter().all(|o| matches!(o, Operand::Known(Value::Int(_))));
                if ints && !operands.is_empty() && matches!(parts.whole, Whole::List(_)) {
                    // A table does it in one step.
                    return None;
                }
                let place = self.place_of(*i, parts.whole, operands.len());
                let mold = self.common_mold(operands.iter().copied());
                let d = self.registers_like(&mold);
                let end = self.label();
                self.branch(place, 0, &operands, &d, end);
                self.put(end);
                Some(d)
            }
            _ => None,
        }
    }

    /// Copies the operand number `place - first` to `d` and goes to `end`: by halves.
    fn branch(&mut self, place: Reg, first: i64, operands: &[&Operand], d: &Operand, end: Label) {
        match operands {
            [] => {}
            [one] => {
                self.copy_into(d, one);
                self.emit(Op::Jump(Self::to(end)));
            }
            _ => {
                let half = operands.len() / 2;
                let middle = first + i64::try_from(half).unwrap_or(0);
                let b = self.pooled(middle);
                let low = self.label();
                self.emit(Op::JumpLt { a: place, b, to: Self::to(low) });
                self.branch(place, middle, &operands[half..], d, end);
                self.put(low);
                self.branch(place, first, &operands[..half], d, end);
            }
        }
    }

    /// A slice with known ends; `None`: nothing was done.
    pub(crate) fn cut(&mut self, from: &Operand, a: Option<&Operand>, b: Option<&Operand>) -> Option<Operand> {
        let parts = self.sure_parts(from).filter(|parts| matches!(parts.whole, Whole::List(_) | Whole::Text))?;
        let end = |end: Option<&Operand>, or: i64| match end {
            None => Some(or),
            Some(Operand::Known(Value::Int(n))) => Some(*n),
            Some(_) => None,
        };
        let first = base(parts.whole);
        let past = first.checked_add(i64::try_from(parts.parts.len()).ok()?)?;
        let (a, b) = (end(a, first)?, end(b, past - 1)?);
        let whole = if parts.whole == Whole::Text { Whole::Text } else { Whole::List(0) };
        let mut kept = Vec::new();
        if a <= b {
            let bad = if a < first { a } else { b };
            if a < first || b >= past {
                self.known_place(bad, parts.whole, parts.parts.len());
            } else {
                let places = usize::try_from(a - first).ok()?..usize::try_from(b - first + 1).ok()?;
                kept = parts.parts[places].to_vec();
            }
        }
        Some(self.whole(whole, kept))
    }

    // ---- updates

    /// An update of parts; `None`: its base is no parts.
    pub(crate) fn change_parts(
        &mut self,
        from: &Operand,
        changes: &'p [Change],
        clauses: Option<&'p Vec<Clause>>,
    ) -> Option<Operand> {
        let parts = self.sure_parts(from).filter(|parts| matches!(parts.whole, Whole::List(_) | Whole::Text))?;
        let mut made: Vec<(Option<Reg>, Operand, SetOp, Operand)> = Vec::new();
        if let Some(clauses) = clauses {
            let change = changes.first()?;
            let ways = self.static_ways(clauses, &mut |lower| {
                (lower.expr(&change.index), lower.expr(&change.value))
            })?;
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
        whole: Whole,
        flag: Option<Reg>,
        index: &Operand,
        op: SetOp,
        value: &Operand,
    ) -> bool {
        let int = |o: &Operand| matches!(o, Operand::Word(_, Rep::Int) | Operand::Known(Value::Int(_)));
        let known = flag.is_none() && matches!(index, Operand::Known(Value::Int(_)));
        if !int(index) || !self.narrow() {
            return false;
        }
        if whole == Whole::Text {
            let single = matches!(value, Operand::Known(Value::Text(text)) if text.single().is_some());
            return op == SetOp::Put && (single || self.is_letter(value)) && (known || self.all_molded(items, value));
        }
        if op == SetOp::Put { known || self.all_molded(items, value) } else { items.iter().chain([value]).all(int) }
    }

    /// Whether all items and a value can be in registers of one form that is no value.
    fn all_molded(&mut self, items: &[Operand], value: &Operand) -> bool {
        !matches!(self.common_mold(items.iter().chain([value])), super::parts::Mold::Value)
    }

    fn change(
        &mut self,
        items: &mut [Operand],
        whole: Whole,
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
        let index = self.as_word(index.clone(), Rep::Int);
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
            self.code.updates.push(crate::rules::code::UpdateSpec {
                d: next,
                a: d,
                changes: Box::new([(index, *op, value)]),
            });
            let spec = last(self.code.updates.len());
            self.emit(Op::Update { spec });
            self.put(skip);
            d = next;
        }
        Operand::Value(d)
    }
}
