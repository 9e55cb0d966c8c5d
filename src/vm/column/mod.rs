//! Terms about many ints at once: where a slot holds a column of ints, one for each lane, operations on ints and truth values
//! run over whole columns.
//!
//! Nothing is decided here that the usual code would decide otherwise: whatever is unusual in any lane (an overflow, a
//! division by 0, an index outside, a negative number where a nat is asked) ends the attempt, and the usual code then runs
//! and says what is wrong. Which terms have columns shows before anything is evaluated ([`has_columns`]).

mod names;
mod operators;

use crate::model::builtin::Builtin;
use crate::model::kind::{Kind, Type};
use crate::model::{BinaryOp, Clause, CompareOp, LogicOp, Pattern, Slot, Term, TermKind};
use crate::value::Value;
pub(super) use crate::vm::column::names::{Names, Unfolded};
pub(super) use crate::vm::column::operators::Column;
use crate::vm::column::operators::{arithmetic, chosen, compared, logic, operation, picked};
use std::cell::RefCell;

/// So many lanes are worked on at a time: their columns stay in the nearest cache.
pub(super) const LANES: usize = 1024;

/// Lanes with the columns of their slots.
pub(super) struct Lanes<'k> {
    slots: Vec<(Slot, Column)>,
    count: usize,
    /// The values of globals and of slots that are the same in all lanes.
    known: &'k dyn Fn(&Term) -> Option<Value>,
    /// What else names mean here. Without it they mean nothing.
    names: Option<Names<'k>>,
    /// Lazy slots that were used.
    used: RefCell<Vec<(Slot, Column)>>,
}

impl<'k> Lanes<'k> {
    /// Lanes that differ in these slots, of which all columns have one length.
    pub(super) fn new(slots: Vec<(Slot, Column)>, known: &'k dyn Fn(&Term) -> Option<Value>) -> Lanes<'k> {
        let count = slots.iter().find_map(|(_, column)| column.len()).unwrap_or(0);
        Lanes { slots, count, known, names: None, used: RefCell::default() }
    }

    /// So many lanes in which names have their meaning.
    pub(super) fn with_names(self, names: Names<'k>, count: usize) -> Lanes<'k> {
        Lanes { names: Some(names), count, ..self }
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
                    self.used.get_mut().clear();
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
                self.used.get_mut().clear();
                self.count = 0;
            }
            return;
        };
        let count = kept.iter().filter(|there| **there).count();
        if count < self.count {
            self.slots.iter_mut().for_each(|(_, column)| column.keep(&kept));
            self.used.get_mut().clear();
            self.count = count;
        }
    }

    /// A truth value in each lane, spelled out.
    pub(super) fn spelled_truths(&self, term: &Term) -> Option<Vec<bool>> {
        match self.column(term)? {
            Column::Truths(truths) => Some(truths),
            Column::Same(Value::Bool(truth)) => Some(vec![truth; self.count]),
            _ => None,
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

    /// The ends of a range in each lane.
    pub(super) fn ends_of_range(&self, range: &Term) -> Option<(Vec<i64>, Vec<i64>)> {
        let (from, to) = ends(range)?;
        Some((self.ints(from)?, self.ints(to)?))
    }

    /// The column of a slot.
    pub(super) fn column_of(&self, slot: Slot) -> Option<Column> {
        self.slot(slot).cloned()
    }

    fn slot(&self, slot: Slot) -> Option<&Column> {
        self.slots.iter().rev().find(|(at, _)| *at == slot).map(|(_, column)| column)
    }

    /// Whatever is in each lane.
    pub(super) fn column(&self, term: &Term) -> Option<Column> {
        match &term.kind {
            TermKind::Int(n) => i64::try_from(n).ok().map(|n| Column::Same(Value::Int(n))),
            TermKind::Bool(truth) => Some(Column::Same(Value::Bool(*truth))),
            TermKind::Slot(slot) => match self.slot(*slot) {
                Some(column) => Some(column.clone()),
                None => self.named(*slot, term),
            },
            TermKind::Global(id) => match self.global(*id) {
                Some(column) => Some(column),
                None => (self.known)(term).map(Column::Same),
            },
            TermKind::Call(def, args) => self.call(*def, args),
            TermKind::Builtin(Builtin::Floor, args) => self.floor(args, false),
            TermKind::Builtin(Builtin::Ceil, args) => self.floor(args, true),
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
        let (from, to) = ends(range)?;
        let from = compared(CompareOp::Ge, ints.clone(), self.column(from)?)?;
        logic(from, compared(CompareOp::Le, ints, self.column(to)?)?, |a, b| a & b)
    }
}

/// The ends of a range that is written out.
fn ends(range: &Term) -> Option<(&Term, &Term)> {
    let range = if let TermKind::Adapt(inner) = &range.kind { inner } else { range };
    if let TermKind::Binary(BinaryOp::Range, from, to) = &range.kind { Some((from, to)) } else { None }
}

/// Whether a term has a column where these slots and all globals have; `false` is final, `true` a promise only as far as
/// nothing unusual happens.
pub(crate) fn has_columns(term: &Term, slots: &[Slot]) -> bool {
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
