//! What a binder goes through: by the form of the term, or by the operand that it gives.

use crate::bytecode::layout::LONGEST;
use crate::bytecode::lower::columns::Columns;
use crate::bytecode::lower::operand::Part;
use crate::bytecode::lower::sets::Slide;
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, DomainId, Op, Reg, WordType};
use crate::model::{BinaryOp, Builtin, Clause, CompareOp, Gather, Item, Slot, Term, TermKind, Type};
use crate::source::Span;
use crate::value::{Value, members, size};

#[derive(Debug)]
pub(crate) enum Source {
    Parts(Vec<Part>),
    /// A range, with slots that its end does not exceed.
    Range(Operand, Operand, Vec<Slot>),
    Slide(Slide),
    /// The primes up to a number.
    Primes(Reg, Span),
    /// The subsets of a mask that have one of these sizes.
    Subsets((Reg, DomainId), Vec<u32>),
    /// So many members of a mask, ascending, as such wholes.
    Members((Reg, DomainId), u32, Aggregate),
    /// The lists of one number from each of these ranges.
    Choices(Vec<(Operand, Reg)>),
    /// The members at these places of a table.
    Table(Operand, Reg, Columns),
    Items(Operand),
    Both(Box<Source>, Box<Source>),
}

/// The range of which a collection is written, `{a..b}` or `[a..b]`: the same members in the same order.
pub(super) fn range_of(collection: &Term) -> &Term {
    match &collection.kind {
        TermKind::Items(_, items) => match &items[..] {
            [Item { term, spread: true }] if term.ty == Type::Range => term,
            _ => collection,
        },
        _ => collection,
    }
}

impl<'p> Lower<'_, 'p> {
    /// Evaluates the source of a binder; `distinct`: equal members of a bag are gone through once.
    pub(crate) fn source(&mut self, term: &'p Term, distinct: bool) -> Source {
        if self.scalar
            && let Some(source) = self.compound_source(term, distinct)
        {
            return source;
        }
        if let Some(source) = self.row_source(term, distinct) {
            return source;
        }
        let operand = self.expr(term);
        self.source_of(operand, distinct)
    }

    pub(super) fn compound_source(&mut self, term: &'p Term, distinct: bool) -> Option<Source> {
        match &term.kind {
            TermKind::Adapt(inner) if matches!((&inner.ty, &term.ty), (Type::List(_), Type::List(_))) => {
                self.compound_source(inner, distinct)
            }
            TermKind::Builtin(Builtin::Primes, args) if self.narrow() && self.known(term).is_none() => {
                let to = self.expr(args.first()?);
                Some(Source::Primes(self.as_word(to, WordType::Int), term.span))
            }
            TermKind::Builtin(Builtin::Slide, args) if self.narrow() => {
                let operands: Vec<Operand> = args.iter().map(|a| self.expr(a)).collect();
                if let Some(slide) = self.slide(&operands) {
                    return Some(Source::Slide(slide));
                }
                let items = self.call_word(Builtin::Slide, &operands);
                Some(self.source_of(items, distinct))
            }
            TermKind::Builtin(Builtin::Indices, args) if self.narrow() && self.all_made(args.first()?).is_some() => {
                let size = self.fold(Builtin::Size, args.first()?)?;
                let size = self.as_word(size, WordType::Int);
                let last = self.emit_word(|d| Op::AddConst { d, a: size, k: -1 });
                Some(Source::Range(Operand::Known(Value::Int(0)), Operand::Word(last, WordType::Int), Vec::new()))
            }
            TermKind::Builtin(Builtin::Choices, args) => Some(Source::Choices(self.ranges(args.first()?)?)),
            TermKind::Builtin(word @ (Builtin::Subsets | Builtin::Pairs | Builtin::Choose), args) => {
                let source = self.members_source(*word, args);
                if source.is_some() || *word != Builtin::Subsets {
                    return source;
                }
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

    /// Members of a mask, or subsets of a set that is known by its members; `None`: nothing was done.
    pub(super) fn members_source(&mut self, word: Builtin, args: &'p [Term]) -> Option<Source> {
        const MOST: i64 = 3;
        let (Type::Set(_), true) = (&args.first()?.ty, self.narrow()) else { return None };
        let sizes = match (word, args.get(1)) {
            (Builtin::Pairs, None) => 2..=2,
            (_, Some(sizes)) => match self.known(sizes)? {
                Value::Int(n) => n..=n,
                Value::Range(from, to) => from.max(0)..=to,
                _ => return None,
            },
            _ => return None,
        };
        let mark = self.mark();
        let source = match self.expr(&args[0]) {
            Operand::Word(mask, WordType::Mask(domain))
                if word != Builtin::Subsets && (1..=MOST).contains(sizes.end()) =>
            {
                let whole = if word == Builtin::Pairs { Aggregate::Tuple } else { Aggregate::List(0) };
                Some(Source::Members((mask, domain), u32::try_from(*sizes.end()).ok()?, whole))
            }
            Operand::Parts(parts)
                if word == Builtin::Subsets
                    && self.unroll
                    && !self.is_bloated()
                    && *sizes.end() <= MOST
                    && Self::ascends_for_sure(&parts) =>
            {
                let sizes = sizes.filter_map(|size| usize::try_from(size).ok());
                let ways: Option<Vec<_>> =
                    sizes.map(|size| self.chosen(&parts, size, Aggregate::Set { ascending: false })).collect();
                ways.map(|ways| Source::Parts(ways.concat()))
            }
            _ => None,
        };
        if source.is_none() {
            self.go_back(mark);
        }
        source
    }

    /// The cells of a grid known by its parts that hold something, or that do not, each with a flag.
    pub(super) fn cells_source(&mut self, op: CompareOp, operands: &[Operand; 2]) -> Option<Source> {
        if !self.unroll || self.is_bloated() {
            return None;
        }
        self.cells_where(op, operands).map(Source::Parts)
    }

    /// The ends of the ranges in a list of ranges, when it is known how many there are; `None`: nothing was done.
    fn ranges(&mut self, term: &'p Term) -> Option<Vec<(Operand, Reg)>> {
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
                // A range with a flag is no loop.
                ways.into_iter().map(|(flag, range)| flag.is_none().then_some(range)).collect::<Option<Vec<_>>>()?
            }
            _ => return None,
        };
        (ranges.len() <= DEEPEST).then_some(ranges)
    }

    pub(super) fn source_of(&mut self, operand: Operand, distinct: bool) -> Source {
        if let Operand::Known(value) = &operand
            && let Some(parts) = self.written_out(value, distinct)
        {
            return Source::Parts(parts);
        }
        if let Operand::Parts(parts) = &operand
            && matches!(parts.whole, Aggregate::Bag { .. })
        {
            let parts = parts.clone();
            let members = if self.unroll && !self.is_bloated() { self.bag_members(&parts, distinct) } else { None };
            return members.map_or(Source::Items(operand), Source::Parts);
        }
        if let Operand::Parts(parts) = &operand
            && self.unroll
            && !self.is_bloated()
            && (!matches!(parts.whole, Aggregate::Set { .. } | Aggregate::Grid(_))
                || matches!(parts.whole, Aggregate::Set { .. }) && Self::ascends_for_sure(parts))
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
            Operand::Known(value) => {
                self.table_source(&value, distinct).unwrap_or(Source::Items(Operand::Known(value)))
            }
            operand => Source::Items(operand),
        }
    }

    /// The members of a known collection when its loop is to be written out.
    pub(super) fn written_out(&mut self, value: &Value, distinct: bool) -> Option<Vec<Part>> {
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

    pub(super) fn range_source(&mut self, from: &'p Term, to: &'p Term) -> Source {
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

    /// A small known graph whose vertices stand in ascending order is gone through as a mask.
    pub(super) fn vertices_as_mask(&mut self, items: Operand) -> Operand {
        let Some(graph) = Self::known_graph(&items) else { return items };
        let ascending = graph.vertices.ascend();
        match self.vertex_domain(&graph) {
            Some(domain) if ascending && self.fits_mask(domain) => {
                let n = graph.labels.len();
                let mask = if n == 64 { u64::MAX } else { (1u64 << n) - 1 };
                let d = self.constant(mask.cast_signed());
                Operand::Word(d, WordType::Mask(domain))
            }
            _ => items,
        }
    }
}

/// Slots that a number up to this term does not exceed: the term itself, or an argument of `min`.
fn upper_bounds(to: &Term) -> Vec<Slot> {
    match &to.kind {
        TermKind::Slot(slot) => vec![*slot],
        TermKind::Builtin(Builtin::Min, args) if args.len() > 1 => args.iter().flat_map(upper_bounds).collect(),
        _ => Vec::new(),
    }
}

/// Whether a sum of lists is made of slides.
pub(super) fn has_slide(term: &Term) -> bool {
    match &term.kind {
        TermKind::Builtin(Builtin::Slide, _) => true,
        TermKind::Binary(BinaryOp::Add, a, b) => has_slide(a) || has_slide(b),
        TermKind::Adapt(inner) => has_slide(inner),
        _ => false,
    }
}
