//! The one clause list: loops, names, conditions.

use crate::bytecode::lower::parts::Part;
use crate::bytecode::lower::slide::Slide;
use crate::bytecode::lower::source::Source;
use crate::bytecode::lower::{Label, Lower, Operand};
use crate::bytecode::{Aggregate, DomainId, Op, Reg, WordType};
use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::{BinaryOp, Clause, Pattern, Slot, Term, TermKind};
use crate::value::Value;

/// What happens on each way through.
pub(crate) type Leaf<'a, 'm, 'p> = &'a mut dyn FnMut(&mut Lower<'m, 'p>);

/// What follows a binder.
struct Body<'a, 'm, 'p> {
    pattern: &'p Pattern,
    rest: &'p [Clause],
    distinct: bool,
    counters: &'a mut Vec<Option<Reg>>,
    /// Its own counter, when turns are counted.
    #[allow(clippy::option_option)] // turns over a bag are counted as one
    counter: Option<Option<Reg>>,
    count: bool,
    leaf: &'a mut dyn FnMut(&mut Lower<'m, 'p>, &[Option<Reg>]),
}

impl<'m, 'p> Lower<'m, 'p> {
    /// Runs through the clauses; `distinct`: a binder over a bag takes each value once (rule 18).
    pub(crate) fn clauses(&mut self, clauses: &'p [Clause], distinct: bool, leaf: Leaf<'_, 'm, 'p>) {
        let end = self.label();
        self.clause(clauses, distinct, end, &mut Vec::new(), false, &mut |lower, _| leaf(lower));
        self.put(end);
    }

    /// The same with repetition, and if wanted with a counter for each binder (`None` for binders over bags) for the leaf.
    pub(crate) fn counted_clauses_if(
        &mut self,
        count: bool,
        clauses: &'p [Clause],
        leaf: &mut dyn FnMut(&mut Lower<'m, 'p>, &[Option<Reg>]),
    ) {
        let end = self.label();
        self.clause(clauses, false, end, &mut Vec::new(), count, leaf);
        self.put(end);
    }

    fn clause(
        &mut self,
        clauses: &'p [Clause],
        distinct: bool,
        next: Label,
        counters: &mut Vec<Option<Reg>>,
        count: bool,
        leaf: &mut dyn FnMut(&mut Lower<'m, 'p>, &[Option<Reg>]),
    ) {
        let Some((first, rest)) = clauses.split_first() else {
            leaf(self, counters);
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
                self.clause(rest, distinct, next, counters, count, leaf);
                self.doubts -= doubt;
            }
            Clause::Let { pattern, value } => {
                let operand = self.expr(value);
                self.pattern(pattern, operand);
                self.clause(rest, distinct, next, counters, count, leaf);
            }
            Clause::In { pattern, source, span } => {
                let counter = count.then(|| {
                    let bag = matches!(source.ty, Type::Bag(_));
                    (!bag).then(|| self.constant(-1))
                });
                let mut body = Body { pattern, rest, distinct, counters, counter, count, leaf };
                self.at(*span, |lower| lower.binder(source, &mut body));
            }
        }
    }

    /// A binder with all that follows it.
    fn binder(&mut self, source: &'p Term, body: &mut Body<'_, 'm, 'p>) {
        let unroll = self.unroll;
        // Counters tell the turns of a loop apart.
        self.unroll &= !body.count;
        let known = self.known(source);
        let source = match (known, &source.kind) {
            (Some(value), _) => self.source_of(Operand::Known(value), body.distinct),
            (None, TermKind::Binary(BinaryOp::Range, from, to)) if self.narrow() => self.range_source(from, to),
            (None, TermKind::Builtin(Builtin::Nat, _)) => {
                let d = self.word();
                self.emit(Op::NatLimit { d });
                Source::Range(Operand::Known(Value::Int(0)), Operand::Word(d, WordType::Int), Vec::new())
            }
            (None, TermKind::Builtin(Builtin::Edges, args)) if args.len() == 2 => {
                let (graph, vertices) = (self.expr(&args[0]), self.expr(&args[1]));
                let (again, exit) = (self.label(), self.label());
                if self.edge_loop(body.pattern, &graph, &vertices, again, exit) {
                    self.unroll = unroll;
                    self.turn(body, again, exit, None);
                    return;
                }
                Source::Items(self.call_word(Builtin::Edges, &[graph, vertices]))
            }
            (
                None,
                TermKind::Builtin(word @ (Builtin::Successors | Builtin::Predecessors | Builtin::Neighbours), args),
            ) => {
                let operands: Vec<Operand> = args.iter().map(|a| self.expr(a)).collect();
                let (again, exit) = (self.label(), self.label());
                if self.row_loop(*word, body.pattern, &operands, again, exit) {
                    self.unroll = unroll;
                    self.turn(body, again, exit, None);
                    return;
                }
                let items =
                    self.set_word(*word, &operands, &source.ty).unwrap_or_else(|| self.call_word(*word, &operands));
                Source::Items(items)
            }
            _ => self.source(source, body.distinct),
        };
        self.unroll = unroll;
        self.go_through(source, body);
    }

    fn go_through(&mut self, source: Source, body: &mut Body<'_, 'm, 'p>) {
        let (again, exit) = (self.label(), self.label());
        match source {
            Source::Parts(parts) => {
                for part in parts {
                    let next = self.label();
                    if let Some(flag) = part.flag {
                        self.emit(Op::JumpUnless(flag, Self::to(next)));
                    }
                    let doubt = usize::from(part.flag.is_some());
                    self.doubts += doubt;
                    self.pattern(body.pattern, part.operand);
                    self.clause(body.rest, body.distinct, next, body.counters, body.count, body.leaf);
                    self.doubts -= doubt;
                    self.put(next);
                }
            }
            Source::Range(from, to, bounds) => {
                let to = self.as_word(to, WordType::Int);
                let looped = self.range_loop(body.pattern, from, to, again, exit);
                self.note_bounds(body.pattern, bounds);
                self.turn(body, again, exit, Some(looped));
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
            Source::Choices(ranges) => self.choices(&ranges, &mut Vec::new(), body),
            Source::Items(items) => {
                self.collection_loop(body.pattern, items, body.distinct, again, exit);
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
        body: &mut Body<'_, 'm, 'p>,
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
            self.emit(Op::Jump(Self::to(again)));
            self.put(exit);
        }
    }

    /// A loop for each range, inside each other, the last number changing fastest.
    fn choices(&mut self, ranges: &[(Operand, Reg)], chosen: &mut Vec<Part>, body: &mut Body<'_, 'm, 'p>) {
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
    fn turn(&mut self, body: &mut Body<'_, 'm, 'p>, again: Label, exit: Label, range: Option<(Reg, Reg, Label)>) {
        if let Some(counter) = body.counter {
            if let Some(a) = counter {
                self.emit(Op::AddConst { d: a, a, k: 1 });
            }
            body.counters.push(counter);
        }
        self.loops += 1;
        self.clause(body.rest, body.distinct, again, body.counters, body.count, body.leaf);
        self.loops -= 1;
        if body.counter.is_some() {
            body.counters.pop();
        }
        match range {
            Some((i, hi, start)) => self.emit(Op::RangeBack { i, hi, to: Self::to(start) }),
            None => self.emit(Op::Jump(Self::to(again))),
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

    /// Binds a pattern.
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
}

/// Slots that a number up to this term does not exceed: the term itself, or an argument of `min`.
pub(super) fn upper_bounds(to: &Term) -> Vec<Slot> {
    match &to.kind {
        TermKind::Slot(slot) => vec![*slot],
        TermKind::Builtin(Builtin::Min, args) if args.len() > 1 => args.iter().flat_map(upper_bounds).collect(),
        _ => Vec::new(),
    }
}
