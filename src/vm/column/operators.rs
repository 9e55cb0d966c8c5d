//! Columns, and operators on them lane by lane.

use crate::model::kind::{Kind, Type};
use crate::model::{BinaryOp, CompareOp};
use crate::value::{List, Value};

/// A value in each lane.
#[derive(Clone, Debug)]
pub(in crate::vm) enum Column {
    /// The same everywhere.
    Same(Value),
    Ints(Vec<i64>),
    Truths(Vec<bool>),
}

impl Column {
    /// `None`: the same in however many lanes.
    pub(super) fn len(&self) -> Option<usize> {
        match self {
            Column::Same(_) => None,
            Column::Ints(ints) => Some(ints.len()),
            Column::Truths(truths) => Some(truths.len()),
        }
    }

    pub(super) fn clear(&mut self) {
        match self {
            Column::Same(_) => {}
            Column::Ints(ints) => ints.clear(),
            Column::Truths(truths) => truths.clear(),
        }
    }

    pub(in crate::vm) fn keep(&mut self, kept: &[bool]) {
        match self {
            Column::Same(_) => {}
            Column::Ints(ints) => keep(ints, kept),
            Column::Truths(truths) => keep(truths, kept),
        }
    }

    fn ints(self) -> Option<Each<i64>> {
        match self {
            Column::Ints(ints) => Some(Each::Own(ints)),
            Column::Same(Value::Int(n)) => Some(Each::Same(n)),
            _ => None,
        }
    }

    fn truths(self) -> Option<Each<bool>> {
        match self {
            Column::Truths(truths) => Some(Each::Own(truths)),
            Column::Same(Value::Bool(truth)) => Some(Each::Same(truth)),
            _ => None,
        }
    }

    /// Whether every lane passes a kind as it is.
    pub(in crate::vm) fn is(&self, kind: &Kind) -> bool {
        match (kind, self) {
            (Kind::Int | Kind::Any(Type::Int), Column::Ints(_) | Column::Same(Value::Int(_)))
            | (Kind::Bool | Kind::Any(Type::Bool), Column::Truths(_) | Column::Same(Value::Bool(_))) => true,
            (Kind::Nat, Column::Ints(ints)) => ints.iter().all(|n| *n >= 0),
            (Kind::Nat, Column::Same(Value::Int(n))) => *n >= 0,
            _ => false,
        }
    }
}

/// Without branches, since what is kept is often as good as random.
fn keep<T: Copy>(items: &mut Vec<T>, kept: &[bool]) {
    let mut to = 0;
    for from in 0..items.len().min(kept.len()) {
        items[to] = items[from];
        to += usize::from(kept[from]);
    }
    items.truncate(to);
}

/// One or the other of two ints in each lane.
pub(super) fn chosen(which: Column, yes: Column, no: Column) -> Option<Column> {
    let which = match which {
        Column::Same(Value::Bool(truth)) => return Some(if truth { yes } else { no }),
        Column::Truths(which) => which,
        _ => return None,
    };
    // In the memory of one of them, and without branches.
    let ints = match (yes.ints()?, no.ints()?) {
        (Each::Own(mut yes), Each::Own(no)) => {
            yes.iter_mut().zip(&no).zip(which).for_each(|((yes, no), which)| *yes = if which { *yes } else { *no });
            yes
        }
        (Each::Own(mut yes), Each::Same(no)) => {
            yes.iter_mut().zip(which).for_each(|(yes, which)| *yes = if which { *yes } else { no });
            yes
        }
        (Each::Same(yes), Each::Own(mut no)) => {
            no.iter_mut().zip(which).for_each(|(no, which)| *no = if which { yes } else { *no });
            no
        }
        (Each::Same(yes), Each::Same(no)) => which.into_iter().map(|which| if which { yes } else { no }).collect(),
    };
    Some(Column::Ints(ints))
}

/// An operation on ints, which says whether it overflowed.
pub(super) fn arithmetic(a: Column, b: Column, of: impl Fn(i64, i64) -> (i64, bool)) -> Option<Column> {
    let (column, over) = joined(a.ints()?, b.ints()?, of);
    let column = match column {
        Each::Own(ints) => Column::Ints(ints),
        Each::Same(n) => Column::Same(Value::Int(n)),
    };
    (!over).then_some(column)
}

/// An operator of the language on ints.
pub(super) fn operation(op: BinaryOp, a: Column, b: Column) -> Option<Column> {
    match op {
        BinaryOp::Add => arithmetic(a, b, i64::overflowing_add),
        BinaryOp::Sub => arithmetic(a, b, i64::overflowing_sub),
        BinaryOp::Mul => arithmetic(a, b, i64::overflowing_mul),
        // Of nats; that one is negative is told as if it were too large.
        BinaryOp::Xor => arithmetic(a, b, |a, b| (a ^ b, (a | b) < 0)),
        BinaryOp::Meet => arithmetic(a, b, |a, b| (a & b, (a | b) < 0)),
        BinaryOp::Div => arithmetic(a, b, |a, b| if b > 0 { (a.div_euclid(b), false) } else { (0, true) }),
        BinaryOp::Mod => arithmetic(a, b, |a, b| if b > 0 { (a.rem_euclid(b), false) } else { (0, true) }),
        BinaryOp::Range | BinaryOp::Over | BinaryOp::Pow => None,
    }
}

/// A comparison of ints.
pub(super) fn compared(op: CompareOp, a: Column, b: Column) -> Option<Column> {
    match op {
        CompareOp::Eq => related(a, b, |a, b| a == b),
        CompareOp::Ne => related(a, b, |a, b| a != b),
        CompareOp::Lt => related(a, b, |a, b| a < b),
        CompareOp::Le => related(a, b, |a, b| a <= b),
        CompareOp::Gt => related(a, b, |a, b| a > b),
        CompareOp::Ge => related(a, b, |a, b| a >= b),
        CompareOp::In | CompareOp::NotIn => None,
    }
}

fn related(a: Column, b: Column, of: impl Fn(i64, i64) -> bool) -> Option<Column> {
    Some(match (a, b) {
        (Column::Ints(a), Column::Ints(b)) => Column::Truths(a.iter().zip(&b).map(|(a, b)| of(*a, *b)).collect()),
        (Column::Ints(a), Column::Same(Value::Int(b))) => Column::Truths(a.iter().map(|a| of(*a, b)).collect()),
        (Column::Same(Value::Int(a)), Column::Ints(b)) => Column::Truths(b.iter().map(|b| of(a, *b)).collect()),
        (Column::Same(Value::Int(a)), Column::Same(Value::Int(b))) => Column::Same(Value::Bool(of(a, b))),
        _ => return None,
    })
}

/// An operation on truth values.
pub(super) fn logic(a: Column, b: Column, of: impl Fn(bool, bool) -> bool) -> Option<Column> {
    Some(match joined(a.truths()?, b.truths()?, |a, b| (of(a, b), false)).0 {
        Each::Own(truths) => Column::Truths(truths),
        Each::Same(truth) => Column::Same(Value::Bool(truth)),
    })
}

/// A column of one type.
enum Each<T> {
    Own(Vec<T>),
    Same(T),
}

/// Two columns lane by lane, in the memory of one of them, and whether it was too much in any lane.
#[inline]
fn joined<T: Copy>(a: Each<T>, b: Each<T>, of: impl Fn(T, T) -> (T, bool)) -> (Each<T>, bool) {
    let mut over = false;
    let mut one = |a: T, b: T| {
        let (joined, beyond) = of(a, b);
        over |= beyond;
        joined
    };
    let column = match (a, b) {
        (Each::Own(mut a), Each::Own(b)) => {
            a.iter_mut().zip(&b).for_each(|(a, b)| *a = one(*a, *b));
            Each::Own(a)
        }
        (Each::Own(mut a), Each::Same(b)) => {
            for a in &mut a {
                *a = one(*a, b);
            }
            Each::Own(a)
        }
        (Each::Same(a), Each::Own(mut b)) => {
            for b in &mut b {
                *b = one(a, *b);
            }
            Each::Own(b)
        }
        (Each::Same(a), Each::Same(b)) => Each::Same(one(a, b)),
    };
    (column, over)
}

/// The items of a packed list of ints at these places.
pub(super) fn picked(list: Column, index: Column) -> Option<Column> {
    let (Column::Same(Value::List(List { base, items })), Column::Ints(mut index)) = (list, index) else { return None };
    let items = items.as_ints()?;
    for at in &mut index {
        *at = *items.get(usize::try_from(at.checked_sub(base)?).ok()?)?;
    }
    Some(Column::Ints(index))
}
