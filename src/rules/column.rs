//! Terms about many ints at once: where a slot holds a column of ints, one for each lane, operations on ints and truth values
//! run over whole columns.
//!
//! Nothing is decided here that the usual code would decide otherwise: whatever is unusual in any lane (an overflow, a
//! division by 0, an index outside, a negative number where a nat is asked) ends the attempt, and the usual code then runs
//! and says what is wrong. Which terms have columns shows before anything is evaluated ([`has_columns`]).

use super::value::{List, Value};
use crate::check::builtin::Builtin;
use crate::check::kind::{Kind, Type};
use crate::check::model::{BinaryOp, Clause, CompareOp, LogicOp, Pattern, Slot, Term, TermKind};

/// So many lanes are worked on at a time: their columns stay in the nearest cache.
pub(super) const LANES: usize = 1024;

/// A value in each lane.
#[derive(Clone, Debug)]
pub(super) enum Column {
    /// The same everywhere.
    Same(Value),
    Ints(Vec<i64>),
    Truths(Vec<bool>),
}

/// Lanes with the columns of their slots.
pub(super) struct Lanes<'k> {
    slots: Vec<(Slot, Column)>,
    count: usize,
    /// The values of globals and of slots that are the same in all lanes.
    known: &'k dyn Fn(&Term) -> Option<Value>,
}

impl<'k> Lanes<'k> {
    /// Lanes that differ in these slots, of which all columns have one length.
    pub(super) fn new(slots: Vec<(Slot, Column)>, known: &'k dyn Fn(&Term) -> Option<Value>) -> Lanes<'k> {
        let count = slots.iter().find_map(|(_, column)| column.len()).unwrap_or(0);
        Lanes { slots, count, known }
    }

    /// How many lanes are left.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Goes through names, conditions, and binders that have their column already, for which it is a condition that their
    /// column is in the range; lanes for which a condition does not hold are dropped. `None`: the usual code is to run.
    pub(super) fn through(&mut self, clauses: &[Clause]) -> Option<()> {
        for clause in clauses {
            let kept = match clause {
                Clause::Where(condition) => self.truths(condition)?,
                Clause::Let { pattern: Pattern::Slot(slot), value } => {
                    let column = self.column(value)?;
                    self.slots.push((*slot, column));
                    continue;
                }
                Clause::In { pattern: Pattern::Slot(slot), source, .. } => {
                    let column = self.slots.iter().rev().find(|(at, _)| at == slot)?.1.clone();
                    self.inside(column, source)?
                }
                _ => return None,
            };
            self.keep(kept);
        }
        Some(())
    }

    fn keep(&mut self, kept: Column) {
        let Column::Truths(kept) = kept else {
            if matches!(kept, Column::Same(Value::Bool(false))) {
                self.slots.iter_mut().for_each(|(_, column)| column.clear());
                self.count = 0;
            }
            return;
        };
        let count = kept.iter().filter(|there| **there).count();
        if count < self.count {
            self.slots.iter_mut().for_each(|(_, column)| column.keep(&kept));
            self.count = count;
        }
    }

    /// A truth value in each lane.
    fn truths(&self, term: &Term) -> Option<Column> {
        let column = self.column(term)?;
        matches!(column, Column::Truths(_) | Column::Same(Value::Bool(_))).then_some(column)
    }

    /// An int in each lane.
    pub(super) fn ints(&self, term: &Term) -> Option<Vec<i64>> {
        match self.column(term)? {
            Column::Ints(ints) => Some(ints),
            Column::Same(Value::Int(n)) => Some(vec![n; self.count]),
            _ => None,
        }
    }

    /// The column of a slot.
    pub(super) fn column_of(&self, slot: Slot) -> Option<Column> {
        self.slot(slot).cloned()
    }

    fn slot(&self, slot: Slot) -> Option<&Column> {
        self.slots.iter().rev().find(|(at, _)| *at == slot).map(|(_, column)| column)
    }

    fn column(&self, term: &Term) -> Option<Column> {
        match &term.kind {
            TermKind::Int(n) => i64::try_from(n).ok().map(|n| Column::Same(Value::Int(n))),
            TermKind::Bool(truth) => Some(Column::Same(Value::Bool(*truth))),
            TermKind::Slot(slot) => match self.slot(*slot) {
                Some(column) => Some(column.clone()),
                None => (self.known)(term).map(Column::Same),
            },
            TermKind::Global(_) => (self.known)(term).map(Column::Same),
            TermKind::Neg(a) => arithmetic(Column::Same(Value::Int(0)), self.column(a)?, i64::overflowing_sub),
            TermKind::Not(a) => logic(self.truths(a)?, Column::Same(Value::Bool(true)), |a, _| !a),
            TermKind::Logic(op, a, b) => {
                let (a, b) = (self.truths(a)?, self.truths(b)?);
                match op {
                    LogicOp::And => logic(a, b, |a, b| a & b),
                    LogicOp::Or => logic(a, b, |a, b| a | b),
                    LogicOp::Implies => logic(a, b, |a, b| !a | b),
                }
            }
            TermKind::Iff(a, b) => logic(self.truths(a)?, self.truths(b)?, |a, b| a == b),
            TermKind::Binary(op, a, b) => operation(*op, self.column(a)?, self.column(b)?),
            TermKind::Compare(first, rest) => self.chain(first, rest),
            TermKind::If(condition, yes, no) => chosen(self.truths(condition)?, self.column(yes)?, self.column(no)?),
            TermKind::Index(list, index) => picked(self.column(list)?, self.column(index)?),
            TermKind::Builtin(Builtin::Min, args) => self.extremum(args, i64::min),
            TermKind::Builtin(Builtin::Max, args) => self.extremum(args, i64::max),
            TermKind::Builtin(Builtin::Abs, args) => {
                let [n] = &args[..] else { return None };
                arithmetic(self.column(n)?, Column::Same(Value::Int(0)), |n, _| n.overflowing_abs())
            }
            TermKind::Coerce(inner, kind) => {
                let column = self.column(inner)?;
                column.is(kind).then_some(column)
            }
            // A vertex with an int for its label is this int.
            TermKind::Adapt(inner)
                if matches!((&term.ty, &inner.ty), (Type::Int | Type::Vertex, Type::Int | Type::Vertex)) =>
            {
                let column = self.column(inner)?;
                column.is(&Kind::Int).then_some(column)
            }
            _ => None,
        }
    }

    fn extremum(&self, args: &[Term], of: fn(i64, i64) -> i64) -> Option<Column> {
        let [first, rest @ ..] = args else { return None };
        if rest.is_empty() {
            return None;
        }
        rest.iter().try_fold(self.column(first)?, |known, term| {
            arithmetic(known, self.column(term)?, |a, b| (of(a, b), false))
        })
    }

    fn chain(&self, first: &Term, rest: &[(CompareOp, Term)]) -> Option<Column> {
        let mut left = self.column(first)?;
        let mut holds = Column::Same(Value::Bool(true));
        for (op, term) in rest {
            let (right, step) = match op {
                CompareOp::In => (None, self.inside(left, term)?),
                CompareOp::NotIn => {
                    (None, logic(self.inside(left, term)?, Column::Same(Value::Bool(true)), |a, _| !a)?)
                }
                _ => {
                    let right = self.column(term)?;
                    (Some(right.clone()), compared(*op, left, right)?)
                }
            };
            holds = logic(holds, step, |a, b| a & b)?;
            left = right.unwrap_or(Column::Same(Value::Bool(true)));
        }
        Some(holds)
    }

    /// Whether each int is in a range.
    fn inside(&self, ints: Column, range: &Term) -> Option<Column> {
        let range = if let TermKind::Adapt(inner) = &range.kind { inner } else { range };
        let TermKind::Binary(BinaryOp::Range, from, to) = &range.kind else { return None };
        let from = compared(CompareOp::Ge, ints.clone(), self.column(from)?)?;
        logic(from, compared(CompareOp::Le, ints, self.column(to)?)?, |a, b| a & b)
    }
}

impl Column {
    /// `None`: the same in however many lanes.
    fn len(&self) -> Option<usize> {
        match self {
            Column::Same(_) => None,
            Column::Ints(ints) => Some(ints.len()),
            Column::Truths(truths) => Some(truths.len()),
        }
    }

    fn clear(&mut self) {
        match self {
            Column::Same(_) => {}
            Column::Ints(ints) => ints.clear(),
            Column::Truths(truths) => truths.clear(),
        }
    }

    fn keep(&mut self, kept: &[bool]) {
        match self {
            Column::Same(_) => {}
            Column::Ints(ints) => keep(ints, kept),
            Column::Truths(truths) => keep(truths, kept),
        }
    }

    fn int(&self, lane: usize) -> Option<i64> {
        match self {
            Column::Ints(ints) => ints.get(lane).copied(),
            Column::Same(Value::Int(n)) => Some(*n),
            _ => None,
        }
    }

    /// Whether every lane passes a kind as it is.
    fn is(&self, kind: &Kind) -> bool {
        match (kind, self) {
            (Kind::Int, Column::Ints(_) | Column::Same(Value::Int(_)))
            | (Kind::Bool, Column::Truths(_) | Column::Same(Value::Bool(_))) => true,
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
fn chosen(which: Column, yes: Column, no: Column) -> Option<Column> {
    let which = match which {
        Column::Same(Value::Bool(truth)) => return Some(if truth { yes } else { no }),
        Column::Truths(which) => which,
        _ => return None,
    };
    match (&yes, &no) {
        (Column::Ints(_) | Column::Same(Value::Int(_)), Column::Ints(_) | Column::Same(Value::Int(_))) => {
            let lanes = which.into_iter().enumerate();
            lanes
                .map(|(i, yes_here)| if yes_here { yes.int(i) } else { no.int(i) })
                .collect::<Option<_>>()
                .map(Column::Ints)
        }
        _ => None,
    }
}

/// An operation on ints, which says whether it overflowed.
fn arithmetic(a: Column, b: Column, of: impl Fn(i64, i64) -> (i64, bool)) -> Option<Column> {
    let mut over = false;
    let mut one = |a: i64, b: i64| {
        let (n, beyond) = of(a, b);
        over |= beyond;
        n
    };
    let column = match (a, b) {
        (Column::Ints(mut a), Column::Ints(b)) => {
            a.iter_mut().zip(&b).for_each(|(a, b)| *a = one(*a, *b));
            Column::Ints(a)
        }
        (Column::Ints(mut a), Column::Same(Value::Int(b))) => {
            for a in &mut a {
                *a = one(*a, b);
            }
            Column::Ints(a)
        }
        (Column::Same(Value::Int(a)), Column::Ints(mut b)) => {
            for b in &mut b {
                *b = one(a, *b);
            }
            Column::Ints(b)
        }
        (Column::Same(Value::Int(a)), Column::Same(Value::Int(b))) => Column::Same(Value::Int(one(a, b))),
        _ => return None,
    };
    (!over).then_some(column)
}

fn operation(op: BinaryOp, a: Column, b: Column) -> Option<Column> {
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

fn compared(op: CompareOp, a: Column, b: Column) -> Option<Column> {
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

fn logic(a: Column, b: Column, of: impl Fn(bool, bool) -> bool) -> Option<Column> {
    Some(match (a, b) {
        (Column::Truths(mut a), Column::Truths(b)) => {
            a.iter_mut().zip(&b).for_each(|(a, b)| *a = of(*a, *b));
            Column::Truths(a)
        }
        (Column::Truths(mut a), Column::Same(Value::Bool(b))) => {
            for a in &mut a {
                *a = of(*a, b);
            }
            Column::Truths(a)
        }
        (Column::Same(Value::Bool(a)), Column::Truths(mut b)) => {
            for b in &mut b {
                *b = of(a, *b);
            }
            Column::Truths(b)
        }
        (Column::Same(Value::Bool(a)), Column::Same(Value::Bool(b))) => Column::Same(Value::Bool(of(a, b))),
        _ => return None,
    })
}

/// The items of a packed list of ints at these places.
fn picked(list: Column, index: Column) -> Option<Column> {
    let (Column::Same(Value::List(List { base, items })), Column::Ints(mut index)) = (list, index) else { return None };
    let items = items.as_ints()?;
    for at in &mut index {
        *at = *items.get(usize::try_from(at.checked_sub(base)?).ok()?)?;
    }
    Some(Column::Ints(index))
}

/// Whether a term has a column where these slots and all globals have; `false` is final, `true` a promise only as far as
/// nothing unusual happens.
pub(super) fn has_columns(term: &Term, slots: &[Slot]) -> bool {
    let has = |term: &Term| has_columns(term, slots);
    match &term.kind {
        TermKind::Int(_) | TermKind::Bool(_) | TermKind::Global(_) => true,
        TermKind::Slot(slot) => slots.contains(slot),
        TermKind::Neg(a) | TermKind::Not(a) | TermKind::Coerce(a, _) | TermKind::Adapt(a) => has(a),
        TermKind::Logic(_, a, b) | TermKind::Iff(a, b) | TermKind::Index(a, b) => has(a) && has(b),
        TermKind::Binary(op, a, b) => !matches!(op, BinaryOp::Over | BinaryOp::Pow) && has(a) && has(b),
        TermKind::Compare(first, rest) => has(first) && rest.iter().all(|(_, term)| has(term)),
        TermKind::If(condition, yes, no) => has(condition) && has(yes) && has(no),
        TermKind::Builtin(Builtin::Min | Builtin::Max | Builtin::Abs, args) => args.iter().all(has),
        _ => false,
    }
}
