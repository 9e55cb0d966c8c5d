//! The one clause list: what binders go through, written out member by member or looped over; names; conditions.

use crate::bytecode::layout::LONGEST;
use crate::bytecode::lower::columns::Columns;
use crate::bytecode::lower::operand::Part;
use crate::bytecode::lower::sets::Slide;
use crate::bytecode::lower::{Label, Lower, Operand, Scope};
use crate::bytecode::{Aggregate, DomainId, Op, Reg, WordType};
use crate::model::{
    BinaryOp, Builtin, Clause, CompareOp, Def, DefId, Gather, Item, Kind, Pattern, Slot, Term, TermKind, Type,
};
use crate::source::Span;
use crate::value::domain::Domain;
use crate::value::{Value, members, size};
use crate::words::number::NumberWord;
use num_traits::ToPrimitive;
use std::sync::Arc;

struct Walk<'a, 'm, 'p> {
    /// A binder over a bag takes each value once.
    distinct: bool,
    /// When turns are counted: the counters of the binders so far, but of those over bags.
    counters: Option<Vec<Reg>>,
    leaf: &'a mut dyn FnMut(&mut Lower<'m, 'p>, &[Reg]),
}

/// What follows a binder.
struct Body<'w, 'a, 'm, 'p> {
    pattern: &'p Pattern,
    rest: &'p [Clause],
    counter: Option<Reg>,
    /// What it goes through is a list or set of so many ints each; 0: of others.
    ints: u8,
    walk: &'w mut Walk<'a, 'm, 'p>,
}

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

/// Of how many ints each member of such a collection is; 0: it is none of ints, or of tuples of ints.
fn ints_of_each(collection: &Type) -> u8 {
    const MOST: usize = 8;
    let (Type::List(of) | Type::Set(of)) = collection else { return 0 };
    match &**of {
        Type::Int => 1,
        Type::Tuple(parts) if parts.len() <= MOST && parts.iter().all(|part| *part == Type::Int) => {
            u8::try_from(parts.len()).unwrap_or(0)
        }
        _ => 0,
    }
}

/// A part of a collection that is gone through as it is made.
pub(super) enum Piece {
    Member(Operand),
    /// All members of this collection.
    Whole(Operand),
}

/// What is seen of how a collection is made.
struct Look {
    /// So many terms may yet be looked at.
    left: u32,
    parts: u32,
    /// So many of the parts are comprehensions.
    made: u32,
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

/// The list of which a set is, where that will do.
fn without_set(source: &Term, may_repeat: bool) -> &Term {
    let source = range_of(source);
    match &source.kind {
        TermKind::Builtin(Builtin::Set, args) if may_repeat => match &args[..] {
            [list] if matches!(list.ty, Type::List(_) | Type::Set(_)) => without_set(list, may_repeat),
            _ => source,
        },
        _ => source,
    }
}

/// What the collection that a def gives has to be, and each member of it; `None`: nothing is said.
pub(super) type Given<'p> = Option<(&'p Kind, &'p Kind)>;

/// What is said to be wrong when it is not.
const RESULT: &str = "the result";

/// What a def gives, and what that has to be; `None`: its type says more than that of each member, or is not of numbers.
fn given_by(def: &Def) -> Option<(&Term, Given<'_>)> {
    let body = def.body.as_ref()?;
    match &body.kind {
        TermKind::Coerce(inner, kind) if inner.ty == body.ty => match &**kind {
            Kind::List(of, _) | Kind::Set(of) if of.is_of_numbers() => Some((inner, Some((kind, of)))),
            _ => None,
        },
        _ => def.result.is_none().then_some((body, None)),
    }
}

impl<'m, 'p> Lower<'m, 'p> {
    /// Runs through the clauses; `distinct`: a binder over a bag takes each value once (rule 18).
    pub(crate) fn clauses(&mut self, clauses: &'p [Clause], distinct: bool, leaf: &mut dyn FnMut(&mut Self)) {
        self.walk(clauses, Walk { distinct, counters: None, leaf: &mut |lower, _| leaf(lower) });
    }

    /// The same with repetition, and if wanted with a counter for each binder that is not over a bag for the leaf.
    pub(crate) fn counted_clauses_if(
        &mut self,
        count: bool,
        clauses: &'p [Clause],
        leaf: &mut dyn FnMut(&mut Lower<'m, 'p>, &[Reg]),
    ) {
        self.walk(clauses, Walk { distinct: false, counters: count.then(Vec::new), leaf });
    }

    fn walk(&mut self, clauses: &'p [Clause], mut walk: Walk<'_, 'm, 'p>) {
        let end = self.label();
        self.clause(clauses, end, &mut walk);
        self.put(end);
    }

    fn clause(&mut self, clauses: &'p [Clause], next: Label, walk: &mut Walk<'_, 'm, 'p>) {
        let Some((first, rest)) = clauses.split_first() else {
            (walk.leaf)(self, walk.counters.as_deref().unwrap_or_default());
            return;
        };
        match first {
            Clause::Where(condition) => {
                let truth = self.test(condition, next);
                if truth == Some(false) {
                    // Nothing goes on from here; what follows in the code is what `next` names.
                    return;
                }
                let doubt = usize::from(truth.is_none());
                self.doubts += doubt;
                self.clause(rest, next, walk);
                self.doubts -= doubt;
            }
            Clause::Let { pattern, value } => {
                let operand = self.expr(value);
                self.pattern(pattern, operand);
                self.clause(rest, next, walk);
            }
            Clause::In { pattern, source, span } => {
                let counted = walk.counters.is_some() && !matches!(source.ty, Type::Bag(_));
                let counter = counted.then(|| self.constant(-1));
                let ints = ints_of_each(&source.ty);
                self.at(*span, |lower| lower.binder(source, &mut Body { pattern, rest, counter, ints, walk }));
            }
        }
    }

    fn binder(&mut self, source: &'p Term, body: &mut Body<'_, '_, 'm, 'p>) {
        // Which options there are does not depend on how often.
        let may_repeat = self.judging.on && body.walk.distinct;
        let source = without_set(source, may_repeat);
        let known = self.known(source);
        if known.is_none() && self.scalar && body.walk.counters.is_none() {
            if let Some(parts) = self.few_parts_made(source, may_repeat) {
                let around = self.copies;
                self.copies *= parts;
                self.through(source, &mut Vec::new(), may_repeat, &mut |lower, piece| match piece {
                    Piece::Whole(operand) => {
                        let source = lower.source_of(operand, body.walk.distinct);
                        lower.go_through(source, body);
                    }
                    Piece::Member(member) => {
                        lower.pattern(body.pattern, member);
                        let next = lower.label();
                        lower.loops += 1;
                        lower.clause(body.rest, next, body.walk);
                        lower.loops -= 1;
                        lower.put(next);
                    }
                });
                self.copies = around;
                return;
            }
            if let TermKind::Call(def, args) = &source.kind {
                return self.through_call(*def, args, body);
            }
        }
        let unroll = self.unroll;
        // Counters tell the turns of a loop apart.
        self.unroll &= body.walk.counters.is_none();
        let source = match (known, &source.kind) {
            (Some(value), kind) => {
                let graph = self.graph_gone_through(&value, kind, body.walk.distinct);
                if let (Some(graph), TermKind::Builtin(Builtin::Edges, _)) = (&graph, kind) {
                    let (again, exit) = (self.label(), self.label());
                    let vertices = self.vertices_as_mask(graph.clone());
                    if self.edge_loop(body.pattern, &[graph.clone(), vertices], again, exit) {
                        self.unroll = unroll;
                        return self.turn(body, again, exit, None);
                    }
                }
                match graph.map(|graph| self.vertices_as_mask(graph)) {
                    Some(mask @ Operand::Word(..)) if !matches!(kind, TermKind::Builtin(Builtin::Edges, _)) => {
                        Source::Items(mask)
                    }
                    _ => self.source_of(Operand::Known(value), body.walk.distinct),
                }
            }
            (None, TermKind::Binary(BinaryOp::Range, from, to)) if self.narrow() => self.range_source(from, to),
            (None, TermKind::Builtin(Builtin::Nat, _)) => {
                let d = self.emit_word(|d| Op::NatLimit { d });
                Source::Range(Operand::Known(Value::Int(0)), Operand::Word(d, WordType::Int), Vec::new())
            }
            (None, TermKind::Builtin(word, args)) if let Some(operands) = self.beside_operands(*word, args) => {
                let parts = if self.unroll && !self.is_bloated() { self.cells_beside(*word, &operands) } else { None };
                match parts {
                    Some(parts) => Source::Parts(parts),
                    None => Source::Items(self.beside_word(*word, &operands)),
                }
            }
            (
                None,
                TermKind::Builtin(
                    word @ (Builtin::Edges | Builtin::Successors | Builtin::Predecessors | Builtin::Neighbours),
                    args,
                ),
            ) if args.len() == 2 => {
                let operands: [Operand; 2] = [&args[0], &args[1]].map(|a| self.expr(a));
                let (again, exit) = (self.label(), self.label());
                let looped = if *word == Builtin::Edges {
                    self.edge_loop(body.pattern, &operands, again, exit)
                } else {
                    self.row_loop(*word, body.pattern, &operands, again, exit)
                };
                if looped {
                    self.unroll = unroll;
                    self.turn(body, again, exit, None);
                    return;
                }
                let items =
                    self.set_word(*word, &operands, &source.ty).unwrap_or_else(|| self.call_word(*word, &operands));
                Source::Items(items)
            }
            (None, TermKind::Builtin(Builtin::Edges, args))
                if matches!(body.pattern, Pattern::Tuple(..))
                    && let Some(operands) = self.graph_without(&args[0]) =>
            {
                let (again, exit) = (self.label(), self.label());
                if self.edge_loop(body.pattern, &operands, again, exit) {
                    self.unroll = unroll;
                    self.turn(body, again, exit, None);
                    return;
                }
                self.source(source, body.walk.distinct)
            }
            (None, TermKind::Builtin(Builtin::Cells, args)) if args.len() == 2 => {
                let operands: [Operand; 2] = [&args[0], &args[1]].map(|a| self.expr(a));
                self.cells_source(CompareOp::Eq, &operands).unwrap_or_else(|| {
                    let mask = self.parts_word(Builtin::Cells, &operands, &source.ty);
                    Source::Items(mask.unwrap_or_else(|| self.call_word(Builtin::Cells, &operands)))
                })
            }
            // The vertices of a grid are its cells but for walls.
            (None, TermKind::Adapt(grid)) if grid.ty == Type::Grid => {
                let operands = [self.expr(grid), Operand::Known(Value::text("#"))];
                self.cells_source(CompareOp::Ne, &operands).unwrap_or_else(|| {
                    let grid = operands[0].clone();
                    self.source_of(grid, body.walk.distinct)
                })
            }
            _ => self.source(source, body.walk.distinct),
        };
        self.unroll = unroll;
        self.go_through(source, body);
    }

    /// The graph of which this known collection is all vertices, with labels that are no ints, or all edges, in a loop that is not
    /// written out.
    fn graph_gone_through(&mut self, value: &Value, kind: &'p TermKind, distinct: bool) -> Option<Operand> {
        let graph = match kind {
            TermKind::Adapt(graph) => graph,
            TermKind::Builtin(Builtin::Vertices | Builtin::Edges, args) if args.len() == 1 => &args[0],
            _ => return None,
        };
        let ints = matches!(value, Value::Set(items) if matches!(items.first(), Some(Value::Int(_))));
        if ints || self.written_out(value, distinct).is_some() {
            return None;
        }
        self.known(graph).map(Operand::Known)
    }

    /// In how many parts a collection is gone through as it is made; 0: it is made as a whole. `may_repeat`: a set may be gone through
    /// as a list.
    pub(super) fn parts_made(&self, term: &'p Term, may_repeat: bool) -> u32 {
        /// So many terms are looked at: definitions may call definitions many times.
        const MOST: u32 = 1 << 8;
        if self.is_big() || self.is_bloated() {
            return 0;
        }
        let mut look = Look { left: MOST, parts: 0, made: 0 };
        self.look(term, may_repeat, &mut look);
        if look.made > 0 && look.left > 0 { look.parts } else { 0 }
    }

    /// The same where what is done with members is written out for each part: in few parts, those of binders around it counted in.
    pub(super) fn few_parts_made(&self, term: &'p Term, may_repeat: bool) -> Option<u32> {
        const MOST: u32 = 1 << 4;
        let parts = self.parts_made(term, may_repeat);
        (parts > 0 && (parts == 1 || parts.saturating_mul(self.copies) <= MOST)).then_some(parts)
    }

    /// The same where all parts of a list are gone through as they are made.
    pub(super) fn all_made(&self, list: &'p Term) -> Option<u32> {
        let parts = self.few_parts_made(list, false)?;
        let mut look = Look { left: u32::MAX, parts: 0, made: 0 };
        self.look(list, false, &mut look);
        (look.made == parts).then_some(parts)
    }

    fn look(&self, term: &'p Term, may_repeat: bool, look: &mut Look) {
        let term = without_set(term, may_repeat);
        look.left = look.left.saturating_sub(1);
        let fits = matches!(term.ty, Type::List(_)) || matches!(term.ty, Type::Set(_)) && may_repeat;
        match &term.kind {
            _ if look.left == 0 || !fits => {}
            TermKind::Binary(BinaryOp::Add, a, b) if a.ty == b.ty && !has_slide(a) && !has_slide(b) => {
                self.look(a, may_repeat, look);
                return self.look(b, may_repeat, look);
            }
            TermKind::If(_, yes, no) => {
                self.look(yes, may_repeat, look);
                return self.look(no, may_repeat, look);
            }
            TermKind::Call(def, _) => {
                let def = &self.program.defs[def.0];
                if let Some((given, _)) = given_by(def).filter(|_| !def.recursive) {
                    return self.look(given, may_repeat, look);
                }
            }
            TermKind::Comprehension(..) => look.made += 1,
            _ if self.peeled(term).is_some() => look.made += 1,
            _ => {}
        }
        look.parts += 1;
    }

    /// Goes through what has [`Lower::parts_made`], in the scope of these defs; `take` is done outside of them.
    pub(super) fn through(
        &mut self,
        term: &'p Term,
        defs: &mut Vec<Given<'p>>,
        may_repeat: bool,
        take: &mut dyn FnMut(&mut Self, Piece),
    ) {
        let term = without_set(term, may_repeat);
        match &term.kind {
            _ if self.parts_made(term, may_repeat) == 0 => {
                let operand = self.expr(term);
                let checks = defs.iter().rev().flatten();
                let entered = checks.fold(operand, |operand, (whole, _)| self.enter_kind(operand, whole, RESULT));
                self.outside(defs, |lower| take(lower, Piece::Whole(entered)));
            }
            _ if let Some(peeled) = self.peeled(term) => self.peel(peeled, term.span, &mut |lower, member| {
                let checks = defs.iter().rev().flatten();
                let member = checks.fold(member, |member, (_, of)| lower.enter_kind(member, of, RESULT));
                lower.outside(defs, |lower| take(lower, Piece::Member(member)));
            }),
            TermKind::Comprehension(_, value, clauses) => self.clauses(clauses, false, &mut |lower| {
                let member = lower.expr(value);
                let checks = defs.iter().rev().flatten();
                let member = checks.fold(member, |member, (_, of)| lower.enter_kind(member, of, RESULT));
                lower.outside(defs, |lower| take(lower, Piece::Member(member)));
            }),
            TermKind::Binary(_, a, b) => {
                self.through(a, defs, may_repeat, take);
                self.through(b, defs, may_repeat, take);
            }
            TermKind::If(condition, yes, no) => {
                self.doubts += 1;
                self.both_ways(condition, |lower, holds| {
                    lower.through(if holds { yes } else { no }, defs, may_repeat, take);
                });
                self.doubts -= 1;
            }
            TermKind::Call(def, args) => {
                let callee = &self.program.defs[def.0];
                let (Some((given, kinds)), Some(whole)) = (given_by(callee), &callee.body) else { return };
                let operands = self.arguments(args);
                self.unfold(*def, whole, operands);
                defs.push(kinds);
                self.through(given, defs, may_repeat, take);
                defs.pop();
                self.leave();
            }
            _ => {}
        }
    }

    /// The word whose list is made number by number, each of what is left of its argument; the argument, and the base of digits.
    fn peeled(&self, term: &'p Term) -> Option<(Builtin, &'p Term, i64)> {
        let TermKind::Builtin(word, args) = &term.kind else { return None };
        let base = match (word, &args[..]) {
            (Builtin::Digits, [_]) => 10,
            (Builtin::Digits, [_, Term { kind: TermKind::Int(base), .. }]) => {
                base.to_i64().filter(|base| *base >= 2)?
            }
            (Builtin::Zeckendorf | Builtin::PrimeFactors, [_]) => 2,
            _ => return None,
        };
        let of = args.first().filter(|of| of.ty == Type::Int && self.narrow())?;
        Some((*word, of, base))
    }

    /// Goes through the numbers of such a list.
    fn peel(
        &mut self,
        (word, of, base): (Builtin, &'p Term, i64),
        span: Span,
        take: &mut dyn FnMut(&mut Self, Operand),
    ) {
        let (again, exit) = (self.label(), self.label());
        let of = self.expr(of);
        let (a, base, end) = (self.as_word(of, WordType::Int), self.pooled(base), self.pooled(1));
        let start = match word {
            Builtin::Digits => NumberWord::OfDigits,
            Builtin::Zeckendorf => NumberWord::OfParts,
            _ => NumberWord::OfFactors,
        };
        let rest = self.at(span, |lower| lower.emit_word(|d| Op::Number { word: start, d, a, b: base }));
        let member = self.word();
        if word == Builtin::PrimeFactors {
            self.emit(Op::Copy { d: member, a: base });
        }
        self.put(again);
        match word {
            Builtin::Digits => {
                self.emit(Op::JumpUnless { a: rest, to: Self::to(exit) });
                self.emit(Op::Mod { d: member, a: rest, b: base });
                self.emit(Op::Div { d: rest, a: rest, b: base });
            }
            Builtin::Zeckendorf => {
                self.emit(Op::JumpUnless { a: rest, to: Self::to(exit) });
                self.emit(Op::Number { word: NumberWord::GreatestPart, d: member, a: rest, b: base });
                self.emit(Op::Sub { d: rest, a: rest, b: member });
            }
            _ => {
                let more = self.emit_word(|d| Op::Lt { d, a: end, b: rest });
                self.emit(Op::JumpUnless { a: more, to: Self::to(exit) });
                self.at(span, |lower| {
                    lower.emit(Op::Number { word: NumberWord::LeastFactor, d: member, a: rest, b: member });
                });
                self.emit(Op::Div { d: rest, a: rest, b: member });
            }
        }
        self.loops += 1;
        take(self, Operand::Word(member, WordType::Int));
        self.loops -= 1;
        self.emit(Op::Jump { to: Self::to(again) });
        self.put(exit);
    }

    /// Does something outside of so many defs.
    fn outside(&mut self, defs: &[Given<'p>], work: impl FnOnce(&mut Self)) {
        let left: Vec<Scope<'p>> = defs.iter().filter_map(|_| self.leave()).collect();
        work(self);
        left.into_iter().rev().for_each(|scope| self.enter_again(scope));
    }

    /// Goes through what a def gives: if it is one of few numbers, a list that is made once for all states with the same ones.
    fn through_call(&mut self, def: DefId, args: &'p [Option<Term>], body: &mut Body<'_, '_, 'm, 'p>) {
        let callee = &self.program.defs[def.0];
        let given = self.arguments(args);
        let mark = self.mark();
        let mut made = self.call_with(def, given.clone());
        if matches!(made, Operand::Value(_)) && body.ints > 0 && self.repeats(callee, &given) {
            self.go_back(mark);
            made = self.invoke(def, given);
        }
        let source = self.source_of(made, body.walk.distinct);
        self.go_through(source, body);
    }

    /// Whether a def is of numbers alone, and of fewer than a state has: then many states ask for the same.
    fn repeats(&self, callee: &Def, given: &[Option<Operand>]) -> bool {
        let own = self.scopes.first().and_then(|scope| scope.own);
        let fields = own.map_or(0, |own| self.ctx.instance_at(own).forms.len());
        let words = given.iter().flatten().filter(|operand| matches!(operand, Operand::Word(..))).count();
        callee.owner.is_none() && words < fields && given.iter().flatten().all(Operand::is_int)
    }

    /// The cells of a grid known by its parts that hold something, or that do not, each with a flag.
    fn cells_source(&mut self, op: CompareOp, operands: &[Operand; 2]) -> Option<Source> {
        if !self.unroll || self.is_bloated() {
            return None;
        }
        self.cells_where(op, operands).map(Source::Parts)
    }

    fn go_through(&mut self, source: Source, body: &mut Body<'_, '_, 'm, 'p>) {
        let (again, exit) = (self.label(), self.label());
        match source {
            Source::Parts(parts) => {
                for part in parts {
                    let doubt = usize::from(part.flag.is_some());
                    self.doubts += doubt;
                    self.where_there(part.flag, |lower, next| {
                        lower.pattern(body.pattern, part.operand);
                        lower.clause(body.rest, next, body.walk);
                    });
                    self.doubts -= doubt;
                }
            }
            Source::Range(from, to, bounds) => {
                let to = self.as_word(to, WordType::Int);
                let looped = self.range_loop(body.pattern, from, to, again, exit);
                self.note_bounds(body.pattern, bounds);
                self.turn(body, again, exit, Some(looped));
            }
            Source::Primes(to, span) => {
                let from = Operand::Known(Value::Int(2));
                let (i, hi, start) = self.range_loop(&Pattern::Ignore, from, to, again, exit);
                let a = self
                    .at(span, |lower| lower.emit_word(|d| Op::Number { word: NumberWord::InPrimes, d, a: i, b: to }));
                self.emit(Op::JumpUnless { a, to: Self::to(again) });
                self.pattern(body.pattern, Operand::Word(i, WordType::Int));
                self.turn(body, again, exit, Some((i, hi, start)));
            }
            Source::Slide(Slide { from, step, count }) => {
                let (i, n, zero) = (self.word(), self.word(), self.pooled(0));
                self.emit(Op::Copy { d: i, a: zero });
                self.emit(Op::Copy { d: n, a: from });
                self.put(again);
                self.emit(Op::RangeNext { i, hi: count, to: Self::to(exit) });
                let start = self.label();
                self.put(start);
                self.emit(Op::Add { d: n, a: n, b: step });
                self.pattern(body.pattern, Operand::Word(n, WordType::Int));
                self.turn(body, again, exit, Some((i, count, start)));
            }
            Source::Subsets(mask, sizes) => {
                for size in sizes {
                    self.subsets(mask, size, None, body);
                }
            }
            Source::Members(mask, count, whole) => self.members(mask, (count, whole), &mut Vec::new(), body),
            Source::Choices(ranges) => self.choices(&ranges, &mut Vec::new(), body),
            Source::Table(from, to, columns) => {
                let (i, hi, start) = self.range_loop(&Pattern::Ignore, from, to, again, exit);
                let member = self.column_entry(&columns, i);
                self.pattern(body.pattern, member);
                self.turn(body, again, exit, Some((i, hi, start)));
            }
            Source::Items(items) => {
                self.collection_loop(body.pattern, items, (body.walk.distinct, body.ints), again, exit);
                self.turn(body, again, exit, None);
            }
            Source::Both(first, second) => {
                self.go_through(*first, body);
                self.go_through(*second, body);
            }
        }
    }

    /// Goes through the subsets of a mask with so many members, in lexicographic order: a loop inside a loop for each member,
    /// each over what is above the one before. `chosen`: members that belong to all of them.
    fn subsets(
        &mut self,
        (mask, domain): (Reg, DomainId),
        size: u32,
        chosen: Option<Reg>,
        body: &mut Body<'_, '_, 'm, 'p>,
    ) {
        let (again, exit) = (self.label(), self.label());
        if size == 0 {
            let none = self.pooled(0);
            self.pattern(body.pattern, Operand::Word(none, WordType::Mask(domain)));
            self.turn(body, again, exit, None);
            self.put(again);
            return;
        }
        let [rest, member, set] = [(); 3].map(|()| self.word());
        self.emit(Op::Copy { d: rest, a: mask });
        self.put(again);
        self.emit(Op::MaskNext { d: member, m: rest, to: Self::to(exit) });
        self.emit(Op::Single { d: set, a: member });
        if let Some(b) = chosen {
            self.emit(Op::Or { d: set, a: set, b });
        }
        if size == 1 {
            self.pattern(body.pattern, Operand::Word(set, WordType::Mask(domain)));
            self.turn(body, again, exit, None);
        } else {
            self.loops += 1;
            self.subsets((rest, domain), size - 1, Some(set), body);
            self.loops -= 1;
            self.emit(Op::Jump { to: Self::to(again) });
            self.put(exit);
        }
    }

    /// Goes through the ways to take so many members of a mask, in the order of their places. `chosen`: those of the loops around.
    fn members(
        &mut self,
        (mask, domain): (Reg, DomainId),
        (count, whole): (u32, Aggregate),
        chosen: &mut Vec<Part>,
        body: &mut Body<'_, '_, 'm, 'p>,
    ) {
        let (again, exit) = (self.label(), self.label());
        let [rest, place] = [(); 2].map(|()| self.word());
        self.emit(Op::Copy { d: rest, a: mask });
        self.put(again);
        self.emit(Op::MaskNext { d: place, m: rest, to: Self::to(exit) });
        let member = self.member_of(place, domain);
        self.note_values(&member, place, domain);
        chosen.push(Part::sure(member));
        if count == 1 {
            let all = self.whole(whole, chosen.clone());
            self.pattern(body.pattern, all);
            self.turn(body, again, exit, None);
        } else {
            self.loops += 1;
            self.members((rest, domain), (count - 1, whole), chosen, body);
            self.loops -= 1;
            self.emit(Op::Jump { to: Self::to(again) });
            self.put(exit);
        }
        chosen.pop();
    }

    /// Members of a mask, or subsets of a set that is known by its members; `None`: nothing was done.
    fn members_source(&mut self, word: Builtin, args: &'p [Term]) -> Option<Source> {
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
                let ways: Option<Vec<_>> = sizes.map(|size| self.chosen(&parts, size, Aggregate::Set)).collect();
                ways.map(|ways| Source::Parts(ways.concat()))
            }
            _ => None,
        };
        if source.is_none() {
            self.go_back(mark);
        }
        source
    }

    /// A loop for each range, inside each other, the last number changing fastest.
    fn choices(&mut self, ranges: &[(Operand, Reg)], chosen: &mut Vec<Part>, body: &mut Body<'_, '_, 'm, 'p>) {
        let (again, exit) = (self.label(), self.label());
        let Some(((from, to), rest)) = ranges.split_first() else {
            let list = self.whole(Aggregate::List(0), Vec::new());
            self.pattern(body.pattern, list);
            self.turn(body, again, exit, None);
            self.put(again);
            return;
        };
        let (i, hi, start) = self.range_loop(&Pattern::Ignore, from.clone(), *to, again, exit);
        chosen.push(Part::sure(Operand::Word(i, WordType::Int)));
        if rest.is_empty() {
            let list = self.whole(Aggregate::List(0), chosen.clone());
            self.pattern(body.pattern, list);
            self.turn(body, again, exit, Some((i, hi, start)));
        } else {
            self.loops += 1;
            self.choices(rest, chosen, body);
            self.loops -= 1;
            self.emit(Op::RangeBack { i, hi, to: Self::to(start) });
            self.put(exit);
        }
        chosen.pop();
    }

    /// The rest of a loop whose head has bound its pattern; of a range with its counter, its end, and where the body starts.
    fn turn(&mut self, body: &mut Body<'_, '_, 'm, 'p>, again: Label, exit: Label, range: Option<(Reg, Reg, Label)>) {
        if let (Some(a), Some(counters)) = (body.counter, &mut body.walk.counters) {
            counters.push(a);
            self.emit(Op::AddConst { d: a, a, k: 1 });
        }
        self.loops += 1;
        self.clause(body.rest, again, body.walk);
        self.loops -= 1;
        if let (Some(_), Some(counters)) = (body.counter, &mut body.walk.counters) {
            counters.pop();
        }
        match range {
            Some((i, hi, start)) => self.emit(Op::RangeBack { i, hi, to: Self::to(start) }),
            None => self.emit(Op::Jump { to: Self::to(again) }),
        }
        self.put(exit);
    }

    /// Remembers slots that the bound one does not exceed.
    fn note_bounds(&mut self, pattern: &'p Pattern, bounds: Vec<Slot>) {
        if let Pattern::Slot(slot) = pattern {
            self.scope_mut().bounds.retain(|(s, _)| s != slot);
            self.scope_mut().bounds.push((*slot, bounds));
        }
    }

    pub(crate) fn pattern(&mut self, pattern: &'p Pattern, operand: Operand) {
        match pattern {
            Pattern::Ignore => {}
            Pattern::Slot(slot) => self.bind(*slot, operand),
            Pattern::Tuple(parts, span) => {
                for (i, part) in parts.iter().enumerate() {
                    let piece = self.at(*span, |lower| lower.part(operand.clone(), i, parts.len()));
                    self.pattern(part, piece);
                }
            }
        }
    }

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

    fn compound_source(&mut self, term: &'p Term, distinct: bool) -> Option<Source> {
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

    fn source_of(&mut self, operand: Operand, distinct: bool) -> Source {
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
            && (!matches!(parts.whole, Aggregate::Set | Aggregate::Grid(_))
                || parts.whole == Aggregate::Set && Self::ascends_for_sure(parts))
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

    fn range_source(&mut self, from: &'p Term, to: &'p Term) -> Source {
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

    /// `distinct`: equal members of a bag once; `ints`: of so many ints each member is, or 0.
    fn collection_loop(
        &mut self,
        pattern: &'p Pattern,
        items: Operand,
        (distinct, ints): (bool, u8),
        again: Label,
        exit: Label,
    ) {
        let items = self.vertices_as_mask(items);
        if let Operand::Word(a, WordType::Mask(domain)) = items {
            let m = self.emit_word(|d| Op::Copy { d, a });
            self.put(again);
            let d = self.emit_word(|d| Op::MaskNext { d, m, to: Self::to(exit) });
            let member = self.member_of(d, domain);
            self.note_values(&member, d, domain);
            self.pattern(pattern, member);
        } else {
            self.item_loop(pattern, items, (distinct, ints), again, exit);
        }
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

    fn range_loop(
        &mut self,
        pattern: &'p Pattern,
        from: Operand,
        to: Reg,
        again: Label,
        exit: Label,
    ) -> (Reg, Reg, Label) {
        let (i, hi) = (self.word(), to); // nothing in the loop writes the end's register
        self.note_range(i, &from, to);
        match from {
            Operand::Known(Value::Int(n)) if n > i64::MIN => self.load(i, n - 1),
            from => {
                let a = self.as_word(from, WordType::Int);
                self.emit(Op::RangeStart { d: i, a });
            }
        }
        self.put(again);
        self.emit(Op::RangeNext { i, hi, to: Self::to(exit) });
        let body = self.label();
        self.put(body);
        self.pattern(pattern, Operand::Word(i, WordType::Int));
        (i, hi, body)
    }

    fn item_loop(
        &mut self,
        pattern: &'p Pattern,
        items: Operand,
        (distinct, ints): (bool, u8),
        again: Label,
        exit: Label,
    ) {
        let items = self.as_value(items);
        let held = self.emit_value(|d| Op::Members { d, a: items });
        let cursor = self.constant(0);
        self.put(again);
        let to = Self::to(exit);
        if (ints == 1 || ints > 1 && self.scalar) && self.narrow() {
            let words: Vec<Reg> = (0..ints).map(|_| self.word()).collect();
            self.emit(Op::IntsNext { d: words[0], width: ints, items: held, cursor, to });
            let mut parts = words.into_iter().map(|word| Operand::Word(word, WordType::Int));
            let member = match parts.next() {
                Some(int) if ints == 1 => int,
                first => self.whole(Aggregate::Tuple, first.into_iter().chain(parts).map(Part::sure).collect()),
            };
            return self.pattern(pattern, member);
        }
        let d = self.value();
        self.emit(if distinct {
            Op::DistinctNext { d, items: held, cursor, to }
        } else {
            Op::ItemsNext { d, items: held, cursor, to }
        });
        self.pattern(pattern, Operand::Value(d));
    }

    /// Neighbours in a constant graph too large for masks: a row of the adjacency, no set made.
    fn row_loop(
        &mut self,
        word: Builtin,
        pattern: &'p Pattern,
        [graph, vertex]: &[Operand; 2],
        again: Label,
        exit: Label,
    ) -> bool {
        let Some(graph) = Self::known_graph(graph) else { return false };
        let Some(domain) = self.vertex_domain(&graph) else { return false };
        if self.fits_mask(domain) {
            return false;
        }
        if word == Builtin::Neighbours && graph.word == crate::model::kind::GraphWord::Digraph {
            return false;
        }
        let vertex = self.as_vertex(vertex, domain);
        if vertex.member() != Some(domain) {
            return false;
        }
        let rows = if word == Builtin::Predecessors { graph.in_rows() } else { graph.out_rows() };
        let rows = self.entry(|code| &mut code.rows, Arc::clone(rows));
        let a = self.as_word(vertex, WordType::Member(domain));
        let cursor = self.word();
        let _end = self.word();
        self.emit(Op::Row { d: cursor, rows, a });
        self.put(again);
        let d = self.emit_word(|d| Op::RowNext { d, rows, cursor, to: Self::to(exit) });
        self.pattern(pattern, Operand::Word(d, WordType::Member(domain)));
        true
    }

    /// The edges of a constant graph with both ends in a mask.
    fn edge_loop(&mut self, pattern: &'p Pattern, [graph, vertices]: &[Operand; 2], again: Label, exit: Label) -> bool {
        let Some(graph) = Self::known_graph(graph) else { return false };
        let Some(domain) = self.vertex_domain(&graph) else { return false };
        let Operand::Word(mask, WordType::Mask(of)) = vertices else { return false };
        // Of an edge as a whole the number, where edges are members.
        let whole = match pattern {
            Pattern::Tuple(parts, _) if parts.len() == 2 => None,
            Pattern::Slot(slot) => {
                let Some(edges) = self.ctx.domain_id(&Domain::Edges(graph.clone())) else { return false };
                Some((*slot, edges))
            }
            _ => return false,
        };
        if *of != domain {
            return false;
        }
        let mut edges: Vec<[i64; 3]> =
            graph.edges.iter().map(|e| [i64::from(e.id), i64::from(e.u), i64::from(e.v)]).collect();
        edges.sort_unstable();
        let edges = self.entry(|code| &mut code.edge_tables, edges.into());
        let cursor = self.constant(0);
        // In the register after the cursor.
        let _ = self.emit_word(|d| Op::Copy { d, a: *mask });
        self.put(again);
        let (d, u, v) = (self.word(), self.word(), self.word());
        self.emit(Op::EdgeNext { d, edges, cursor, to: Self::to(exit) });
        match (whole, pattern) {
            (Some((slot, edges)), _) => self.bind(slot, Operand::Word(d, WordType::Member(edges))),
            (None, Pattern::Tuple(parts, _)) => {
                self.pattern(&parts[0], Operand::Word(u, WordType::Member(domain)));
                self.pattern(&parts[1], Operand::Word(v, WordType::Member(domain)));
            }
            (None, _) => {}
        }
        true
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
fn has_slide(term: &Term) -> bool {
    match &term.kind {
        TermKind::Builtin(Builtin::Slide, _) => true,
        TermKind::Binary(BinaryOp::Add, a, b) => has_slide(a) || has_slide(b),
        TermKind::Adapt(inner) => has_slide(inner),
        _ => false,
    }
}
