//! The one clause list: loops, names, conditions.

use super::expr::last;
use super::{Label, Lower, Operand};
use crate::check::builtin::Builtin;
use crate::check::kind::Type;
use crate::check::model::{BinaryOp, Clause, Pattern, Slot, Term, TermKind};
use crate::rules::code::{Op, Reg, Rep, Rows};
use crate::rules::value::Value;
use std::sync::Arc;

/// What happens on each way through.
pub(crate) type Leaf<'a, 'm, 'p> = &'a mut dyn FnMut(&mut Lower<'m, 'p>);

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
                self.jump_unless(condition, next);
                self.clause(rest, distinct, next, counters, count, leaf);
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
                let (again, exit) = (self.label(), self.label());
                let range = self.at(*span, |lower| lower.binder(pattern, source, distinct, again, exit));
                if let Some(counter) = counter {
                    if let Some(a) = counter {
                        self.emit(Op::AddConst { d: a, a, k: 1 });
                    }
                    counters.push(counter);
                }
                self.clause(rest, distinct, again, counters, count, leaf);
                if counter.is_some() {
                    counters.pop();
                }
                match range {
                    Some((i, hi, body)) => self.emit(Op::RangeBack { i, hi, to: Self::to(body) }),
                    None => self.emit(Op::Jump(Self::to(again))),
                }
                self.put(exit);
            }
        }
    }

    /// The head of a loop over `source`: sets up, puts `again`, takes the next member or leaves to `exit`, binds it. Of a
    /// range: its counter, its end, and where the body starts.
    fn binder(
        &mut self,
        pattern: &'p Pattern,
        source: &'p Term,
        distinct: bool,
        again: Label,
        exit: Label,
    ) -> Option<(Reg, Reg, Label)> {
        let known = self.known(source);
        match (&known, &source.kind) {
            (None, TermKind::Binary(BinaryOp::Range, from, to)) if self.narrow() => {
                let bounds = upper_bounds(to);
                let (from, to) = (self.expr(from), self.expr(to));
                let to = self.as_word(to, Rep::Int);
                let looped = self.range_loop(pattern, from, to, again, exit);
                self.note_bounds(pattern, bounds);
                return Some(looped);
            }
            (Some(Value::Range(from, to)), _) if self.narrow() => {
                let (from, to) = (Operand::Known(Value::Int(*from)), self.constant(*to));
                return Some(self.range_loop(pattern, from, to, again, exit));
            }
            (None, TermKind::Builtin(Builtin::Nat, _)) => {
                let (from, to) = (Operand::Known(Value::Int(0)), self.word());
                self.emit(Op::NatLimit { d: to });
                return Some(self.range_loop(pattern, from, to, again, exit));
            }
            (None, TermKind::Builtin(Builtin::Edges, args)) if args.len() == 2 => {
                let (graph, vertices) = (self.expr(&args[0]), self.expr(&args[1]));
                if self.edge_loop(pattern, &graph, &vertices, again, exit) {
                    return None;
                }
                let items = self.call_word(Builtin::Edges, &[graph, vertices]);
                self.item_loop(pattern, items, distinct, again, exit);
                return None;
            }
            (
                None,
                TermKind::Builtin(word @ (Builtin::Successors | Builtin::Predecessors | Builtin::Neighbours), args),
            ) => {
                let operands: Vec<Operand> = args.iter().map(|a| self.expr(a)).collect();
                if self.row_loop(*word, pattern, &operands, again, exit) {
                    return None;
                }
                let items =
                    self.set_word(*word, &operands, &source.ty).unwrap_or_else(|| self.call_word(*word, &operands));
                self.collection_loop(pattern, items, distinct, again, exit);
                return None;
            }
            _ => {}
        }
        let items = known.map_or_else(|| self.expr(source), Operand::Known);
        self.collection_loop(pattern, items, distinct, again, exit);
        None
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
        let ascending = graph.vertices.windows(2).all(|w| w[0] < w[1]);
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
        let adjacency = graph.adjacency();
        let rows = if word == Builtin::Predecessors && digraph {
            Rows { start: adjacency.in_start.clone(), items: adjacency.inn.clone() }
        } else {
            Rows { start: adjacency.out_start.clone(), items: adjacency.out.clone() }
        };
        self.code.rows.push(Arc::new(rows));
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
fn upper_bounds(to: &Term) -> Vec<Slot> {
    match &to.kind {
        TermKind::Slot(slot) => vec![*slot],
        TermKind::Builtin(Builtin::Min, args) if args.len() > 1 => args.iter().flat_map(upper_bounds).collect(),
        _ => Vec::new(),
    }
}
