//! The one clause list: loops, names, conditions.

use super::expr::last;
use super::slide::Slide;
use super::source::Source;
use super::{Label, Lower, Operand};
use crate::check::builtin::Builtin;
use crate::check::kind::Type;
use crate::check::model::{BinaryOp, Clause, Pattern, Slot, Term, TermKind};
use crate::rules::code::{Op, Reg, Rep};
use crate::rules::value::Value;
use std::sync::Arc;

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
                Source::Range(Operand::Known(Value::Int(0)), Operand::Word(d, Rep::Int), Vec::new())
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
                let to = self.as_word(to, Rep::Int);
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
                self.pattern(body.pattern, Operand::Word(n, Rep::Int));
                self.turn(body, again, exit, Some((i, count, start)));
            }
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

    fn collection_loop(&mut self, pattern: &'p Pattern, items: Operand, distinct: bool, again: Label, exit: Label) {
        let items = self.vertices_as_mask(items);
        if let Operand::Word(a, Rep::Mask(domain)) = items {
            let m = self.word();
            self.emit(Op::Copy { d: m, a });
            self.put(again);
            let d = self.word();
            self.emit(Op::MaskNext { d, m, to: Self::to(exit) });
            self.pattern(pattern, Operand::Word(d, Rep::Member(domain)));
        } else {
            self.item_loop(pattern, items, distinct, again, exit);
        }
    }

    /// A known graph whose vertices stand in ascending order runs as a mask or a range of numbers.
    fn vertices_as_mask(&mut self, items: Operand) -> Operand {
        let Some(graph) = Self::known_graph(&items) else { return items };
        let ascending = graph.vertices.ascend();
        match self.vertex_domain(&graph) {
            Some(domain) if ascending && self.fits_mask(domain) => {
                let n = graph.labels.len();
                let mask = if n == 64 { u64::MAX } else { (1u64 << n) - 1 };
                let d = self.constant(mask.cast_signed());
                Operand::Word(d, Rep::Mask(domain))
            }
            _ => items,
        }
    }

    /// Remembers slots that the bound one does not exceed.
    fn note_bounds(&mut self, pattern: &'p Pattern, bounds: Vec<Slot>) {
        if let Pattern::Slot(slot) = pattern {
            self.scope_mut().bounds.retain(|(s, _)| s != slot);
            self.scope_mut().bounds.push((*slot, bounds));
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
        match from {
            Operand::Known(Value::Int(n)) if n > i64::MIN => self.load(i, n - 1),
            from => {
                let a = self.as_word(from, Rep::Int);
                self.emit(Op::RangeStart { d: i, a });
            }
        }
        self.put(again);
        self.emit(Op::RangeNext { i, hi, to: Self::to(exit) });
        let body = self.label();
        self.put(body);
        self.pattern(pattern, Operand::Word(i, Rep::Int));
        (i, hi, body)
    }

    fn item_loop(&mut self, pattern: &'p Pattern, items: Operand, distinct: bool, again: Label, exit: Label) {
        let items = self.as_value(items);
        let held = self.value();
        self.emit(Op::Members { d: held, a: items });
        let cursor = self.constant(0);
        self.put(again);
        let d = self.value();
        let to = Self::to(exit);
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
        operands: &[Operand],
        again: Label,
        exit: Label,
    ) -> bool {
        let [graph, vertex] = operands else { return false };
        let Some(graph) = Self::known_graph(graph) else { return false };
        let Some(domain) = self.vertex_domain(&graph) else { return false };
        if self.fits_mask(domain) || vertex.member() != Some(domain) {
            return false;
        }
        let digraph = graph.word == crate::check::kind::GraphWord::Digraph;
        if word == Builtin::Neighbours && digraph {
            return false;
        }
        let rows = if word == Builtin::Predecessors { graph.in_rows() } else { graph.out_rows() };
        self.code.rows.push(Arc::clone(rows));
        let rows = last(self.code.rows.len());
        let a = self.as_word(vertex.clone(), Rep::Member(domain));
        let cursor = self.word();
        let _end = self.word();
        self.emit(Op::Row { d: cursor, rows, a });
        self.put(again);
        let d = self.word();
        self.emit(Op::RowNext { d, rows, cursor, to: Self::to(exit) });
        self.pattern(pattern, Operand::Word(d, Rep::Member(domain)));
        true
    }

    /// The edges of a constant graph with both ends in a mask.
    fn edge_loop(
        &mut self,
        pattern: &'p Pattern,
        graph: &Operand,
        vertices: &Operand,
        again: Label,
        exit: Label,
    ) -> bool {
        let Some(graph) = Self::known_graph(graph) else { return false };
        let Some(domain) = self.vertex_domain(&graph) else { return false };
        let Operand::Word(mask, Rep::Mask(of)) = vertices else { return false };
        let Pattern::Tuple(parts, _) = pattern else { return false };
        if *of != domain || parts.len() != 2 {
            return false;
        }
        let mut edges: Vec<[i64; 3]> =
            graph.edges.iter().map(|e| [i64::from(e.id), i64::from(e.u), i64::from(e.v)]).collect();
        edges.sort_unstable();
        self.code.edge_tables.push(edges.into());
        let edges = last(self.code.edge_tables.len());
        let cursor = self.constant(0);
        let held = self.word();
        self.emit(Op::Copy { d: held, a: *mask });
        self.put(again);
        let (d, u, v) = (self.word(), self.word(), self.word());
        self.emit(Op::EdgeNext { d, edges, cursor, to: Self::to(exit) });
        self.pattern(&parts[0], Operand::Word(u, Rep::Member(domain)));
        self.pattern(&parts[1], Operand::Word(v, Rep::Member(domain)));
        true
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
