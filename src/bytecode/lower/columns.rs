//! Comprehensions that may be worked out by columns: an instruction before their loops tries it, and passes over them when it
//! has the result.

use crate::bytecode::lower::expr::last;
use crate::bytecode::lower::{Label, Lower};
use crate::bytecode::{ColumnSpec, Gathered, Op, Reg};
use crate::model::kind::Type;
use crate::model::{Clause, Pattern, Place, PlaceParams, Term, TermKind};
use crate::vm::column::has_columns;
use std::sync::Arc;

/// The instruction to be filled in, and where it goes.
pub(crate) struct Attempt {
    hole: usize,
    end: Label,
}

impl<'p> Lower<'_, 'p> {
    /// Leaves room for the instruction before the loops, where one member of a collection at top level is bound and all else is
    /// of ints and truth values.
    pub(crate) fn attempt(&mut self, value: &'p Term, clauses: &'p [Clause]) -> Option<Attempt> {
        let [Clause::In { pattern: Pattern::Slot(slot), source, .. }, rest @ ..] = clauses else { return None };
        if !self.narrow() || !matches!(whole(source).kind, TermKind::Global(_)) {
            return None;
        }
        let mut slots = vec![*slot];
        for clause in rest {
            match clause {
                Clause::Where(condition) if has_columns(condition, &slots) => {}
                Clause::Let { pattern: Pattern::Slot(slot), value } if has_columns(value, &slots) => slots.push(*slot),
                _ => return None,
            }
        }
        if !matches!(value.ty, Type::Int | Type::Vertex) || !has_columns(value, &slots) {
            return None;
        }
        let hole = self.code.ops.len();
        self.emit(Op::Nop);
        Some(Attempt { hole, end: self.label() })
    }

    /// The same for a sum of places that differ in one int.
    pub(crate) fn attempt_of_places(&mut self, place: &'p Place, clauses: &'p [Clause]) -> Option<Attempt> {
        let [Some(field)] = &place.fields[..] else { return None };
        let known = |term: &Option<Term>| term.as_ref().is_none_or(|term| has_columns(term, &[]));
        match &place.params {
            PlaceParams::Given(params) if params.iter().all(known) => self.attempt(field, clauses),
            _ => None,
        }
    }

    /// Fills the instruction in: what is gathered goes to `d`, and what comes next is what stands here.
    pub(crate) fn attempted(
        &mut self,
        attempt: Option<&Attempt>,
        d: Reg,
        gathered: Gathered,
        value: &'p Term,
        clauses: &'p [Clause],
    ) {
        let Some(&Attempt { hole, end }) = attempt else { return };
        self.put(end);
        if let [Clause::In { pattern: Pattern::Slot(slot), source, .. }, rest @ ..] = clauses {
            let (source, rest) = (whole(source).clone(), rest.to_vec());
            let spec = ColumnSpec { d, gathered, source, slot: *slot, rest, value: value.clone() };
            self.code.columns.push(Arc::new(spec));
            self.code.ops[hole] = Op::Columns { spec: last(self.code.columns.len()), to: Self::to(end) };
        }
    }
}

/// A collection before it is adapted to one that is gone through in the same order.
fn whole(source: &Term) -> &Term {
    match &source.kind {
        TermKind::Adapt(inner)
            if matches!((&source.ty, &inner.ty), (Type::List(_), Type::List(_) | Type::Graph(_))) =>
        {
            inner
        }
        _ => source,
    }
}
