//! What a binder goes through: written out member by member, or looped over when the code runs.

use crate::bytecode::layout::LONGEST;
use crate::bytecode::lower::clauses::upper_bounds;
use crate::bytecode::lower::parts::Part;
use crate::bytecode::lower::slide::Slide;
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{DomainId, Reg, WordType};
use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::{BinaryOp, Clause, Gather, Slot, Term, TermKind};
use crate::value::{Value, members, size};

/// A source that is evaluated.
#[derive(Debug)]
pub(crate) enum Source {
    /// Its members one by one.
    Parts(Vec<Part>),
    /// A range, with slots that its end does not exceed.
    Range(Operand, Operand, Vec<Slot>),
    /// The numbers of a `slide`.
    Slide(Slide),
    /// The subsets of a mask that have one of these sizes.
    Subsets((Reg, DomainId), Vec<u32>),
    /// The lists of one number from each of these ranges.
    Choices(Vec<(Operand, Reg)>),
    /// Any collection.
    Items(Operand),
    /// One after the other.
    Both(Box<Source>, Box<Source>),
}

impl<'p> Lower<'_, 'p> {
    /// Evaluates the source of a binder; `distinct`: equal members of a bag are gone through once.
    pub(crate) fn source(&mut self, term: &'p Term, distinct: bool) -> Source {
        if self.scalar
            && let Some(source) = self.compound_source(term, distinct)
        {
            return source;
        }
        let operand = self.expr(term);
        self.source_of(operand, distinct)
    }

    fn compound_source(&mut self, term: &'p Term, distinct: bool) -> Option<Source> {
        match &term.kind {
            TermKind::Adapt(inner) if matches!((&inner.ty, &term.ty), (Type::List(_), Type::List(_))) => {
                self.compound_source(inner, distinct)
            }
            TermKind::Builtin(Builtin::Slide, args) if self.narrow() => {
                let operands: Vec<Operand> = args.iter().map(|a| self.expr(a)).collect();
                if let Some(slide) = self.slide(&operands) {
                    return Some(Source::Slide(slide));
                }
                let items = self.call_word(Builtin::Slide, &operands);
                Some(self.source_of(items, distinct))
            }
            TermKind::Builtin(Builtin::Choices, args) => Some(Source::Choices(self.ranges(args.first()?)?)),
            TermKind::Builtin(Builtin::Subsets, args) => {
                let (mask, sizes) = self.small_subsets(args)?;
                Some(Source::Subsets(mask, sizes))
            }
            TermKind::Binary(BinaryOp::Add, a, b)
                if matches!(term.ty, Type::List(_)) && (has_slide(a) || has_slide(b)) =>
            {
                let first = self.source(a, distinct);
                Some(Source::Both(Box::new(first), Box::new(self.source(b, distinct))))
            }
            _ => None,
        }
    }

    /// The ends of the ranges in a list of ranges, when it is known how many there are; `None`: nothing was done.
    fn ranges(&mut self, term: &'p Term) -> Option<Vec<(Operand, Reg)>> {
        /// Loops inside each other.
        const DEEPEST: usize = 12;
        if !self.narrow() {
            return None;
        }
        let ends = |term: &'p Term| match &term.kind {
            TermKind::Binary(BinaryOp::Range, from, to) => Some([&**from, &**to]),
            _ => None,
        };
        let of = |lower: &mut Self, [from, to]: [&'p Term; 2]| {
            let (from, to) = (lower.expr(from), lower.expr(to));
            (from, lower.as_word(to, WordType::Int))
        };
        let ranges = match &term.kind {
            TermKind::Items(Gather::List, items) if items.len() <= DEEPEST => {
                let all = items.iter().map(|item| ends(&item.term).filter(|_| !item.spread));
                let all: Vec<[&Term; 2]> = all.collect::<Option<_>>()?;
                all.into_iter().map(|ends| of(self, ends)).collect()
            }
            TermKind::Comprehension(Gather::List, value, clauses) => {
                let ends = ends(value)?;
                let sure = clauses.iter().all(|clause| !matches!(clause, Clause::Where(_)));
                let ways = if sure { self.static_ways(clauses, &mut |lower| of(lower, ends))? } else { return None };
                // What may not be there is no matter of loops.
                ways.into_iter().map(|(flag, range)| flag.is_none().then_some(range)).collect::<Option<Vec<_>>>()?
            }
            _ => return None,
        };
        (ranges.len() <= DEEPEST).then_some(ranges)
    }

    /// The source in an operand.
    pub(crate) fn source_of(&mut self, operand: Operand, distinct: bool) -> Source {
        if let Operand::Known(value) = &operand
            && let Some(parts) = self.written_out(value, distinct)
        {
            return Source::Parts(parts);
        }
        if let Operand::Parts(parts) = &operand
            && self.unroll
            && !self.is_bloated()
            && parts.whole != crate::bytecode::Aggregate::Set
        {
            return Source::Parts(parts.parts.clone());
        }
        if self.unroll && self.is_letter(&operand) {
            return Source::Parts(vec![Part::sure(operand)]);
        }
        match operand {
            Operand::Known(Value::Range(from, to)) if self.narrow() => {
                Source::Range(Operand::Known(Value::Int(from)), Operand::Known(Value::Int(to)), Vec::new())
            }
            operand => Source::Items(operand),
        }
    }

    /// The members of a known collection when its loop is to be written out.
    fn written_out(&mut self, value: &Value, distinct: bool) -> Option<Vec<Part>> {
        if !self.scalar || !self.unroll || self.is_bloated() {
            return None;
        }
        let few = size(value).ok()?.to_i64().is_ok_and(|n| usize::try_from(n).is_ok_and(|n| n <= LONGEST));
        if !few {
            return None;
        }
        let fine = match value {
            Value::Range(..) | Value::Text(_) => self.split,
            Value::List(list) => self.split || list.items.iter().all(|v| matches!(v, Value::Int(_))),
            Value::Set(items) | Value::Bag(items) => self.split || items.iter().all(|v| matches!(v, Value::Int(_))),
            _ => false,
        };
        if !fine {
            return None;
        }
        let mut items = members(value).ok()?.into_owned();
        if distinct && matches!(value, Value::Bag(_)) {
            items.dedup();
        }
        Some(items.into_iter().map(|item| Part::sure(Operand::Known(item))).collect())
    }

    /// A range written as `from..to`, its ends evaluated.
    pub(crate) fn range_source(&mut self, from: &'p Term, to: &'p Term) -> Source {
        let bounds = upper_bounds(to);
        let (from, to) = (self.expr(from), self.expr(to));
        if let (Operand::Known(Value::Int(a)), Operand::Known(Value::Int(b))) = (&from, &to)
            && let Some(parts) = self.written_out(&Value::Range(*a, *b), false)
        {
            return Source::Parts(parts);
        }
        let to = if self.scalar { to } else { Operand::Word(self.as_word(to, WordType::Int), WordType::Int) };
        Source::Range(from, to, bounds)
    }
}

/// Whether a sum of lists is made of slides.
fn has_slide(term: &Term) -> bool {
    match &term.kind {
        TermKind::Builtin(Builtin::Slide, _) => true,
        TermKind::Binary(BinaryOp::Add, a, b) => has_slide(a) || has_slide(b),
        TermKind::Adapt(inner) => has_slide(inner),
        _ => false,
    }
}
