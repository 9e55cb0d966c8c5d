//! Items of parts by an index: known, or worked out when the code runs.

use crate::bytecode::lower::expr::last;
use crate::bytecode::lower::{Label, Lower, Operand};
use crate::bytecode::{Aggregate, ListTable, Op, Reg, WordType};
use crate::model::kind::Type;
use crate::value::{Text, Value};

/// The number of the first item.
fn base(whole: Aggregate) -> i64 {
    if let Aggregate::List(base) = whole { base } else { 0 }
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

impl Lower<'_, '_> {
    /// The place of an index in a word among `len` items, counted from 0; R02 outside.
    pub(crate) fn place_of(&mut self, index: Reg, whole: Aggregate, len: usize) -> Reg {
        let items: Vec<i64> = (0..i64::try_from(len).unwrap_or(i64::MAX)).collect();
        let table = ListTable { base: base(whole), items: items.into(), whole };
        self.code.list_tables.push(table);
        let (d, table) = (self.word(), last(self.code.list_tables.len()));
        self.emit(Op::ListTable { d, table, a: index });
        d
    }

    /// The place of a known index; `None` after an instruction that faults.
    pub(crate) fn known_place(&mut self, index: i64, whole: Aggregate, len: usize) -> Option<usize> {
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
        let parts = self.sure_parts(from).filter(|parts| parts.whole != Aggregate::Set)?;
        match at {
            Operand::Known(Value::Int(i)) => Some(match self.known_place(*i, parts.whole, parts.parts.len()) {
                Some(place) => parts.parts[place].operand.clone(),
                None => Operand::Known(nothing(ty)),
            }),
            Operand::Word(i, WordType::Int) => {
                let operands: Vec<&Operand> = parts.parts.iter().map(|part| &part.operand).collect();
                let ints = operands.iter().all(|o| matches!(o, Operand::Known(Value::Int(_))));
                if ints && !operands.is_empty() && matches!(parts.whole, Aggregate::List(_)) {
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
        let parts =
            self.sure_parts(from).filter(|parts| matches!(parts.whole, Aggregate::List(_) | Aggregate::Text))?;
        let end = |end: Option<&Operand>, or: i64| match end {
            None => Some(or),
            Some(Operand::Known(Value::Int(n))) => Some(*n),
            Some(_) => None,
        };
        let first = base(parts.whole);
        let past = first.checked_add(i64::try_from(parts.parts.len()).ok()?)?;
        let (a, b) = (end(a, first)?, end(b, past - 1)?);
        let whole = if parts.whole == Aggregate::Text { Aggregate::Text } else { Aggregate::List(0) };
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
}
