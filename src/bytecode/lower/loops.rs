//! Heads of loops: over members, items, numbers, neighbours and edges.

use crate::bytecode::lower::expr::last;
use crate::bytecode::lower::{Label, Lower, Operand};
use crate::bytecode::{Op, Reg, WordType};
use crate::model::Pattern;
use crate::model::builtin::Builtin;
use crate::value::Value;
use std::sync::Arc;

impl<'p> Lower<'_, 'p> {
    pub(super) fn collection_loop(
        &mut self,
        pattern: &'p Pattern,
        items: Operand,
        distinct: bool,
        again: Label,
        exit: Label,
    ) {
        let items = self.vertices_as_mask(items);
        if let Operand::Word(a, WordType::Mask(domain)) = items {
            let m = self.word();
            self.emit(Op::Copy { d: m, a });
            self.put(again);
            let d = self.word();
            self.emit(Op::MaskNext { d, m, to: Self::to(exit) });
            let member = self.member_of(d, domain);
            self.pattern(pattern, member);
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
                Operand::Word(d, WordType::Mask(domain))
            }
            _ => items,
        }
    }

    pub(super) fn range_loop(
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
    pub(super) fn row_loop(
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
        let digraph = graph.word == crate::model::kind::GraphWord::Digraph;
        if word == Builtin::Neighbours && digraph {
            return false;
        }
        let rows = if word == Builtin::Predecessors { graph.in_rows() } else { graph.out_rows() };
        self.code.rows.push(Arc::clone(rows));
        let rows = last(self.code.rows.len());
        let a = self.as_word(vertex.clone(), WordType::Member(domain));
        let cursor = self.word();
        let _end = self.word();
        self.emit(Op::Row { d: cursor, rows, a });
        self.put(again);
        let d = self.word();
        self.emit(Op::RowNext { d, rows, cursor, to: Self::to(exit) });
        self.pattern(pattern, Operand::Word(d, WordType::Member(domain)));
        true
    }

    /// The edges of a constant graph with both ends in a mask.
    pub(super) fn edge_loop(
        &mut self,
        pattern: &'p Pattern,
        graph: &Operand,
        vertices: &Operand,
        again: Label,
        exit: Label,
    ) -> bool {
        let Some(graph) = Self::known_graph(graph) else { return false };
        let Some(domain) = self.vertex_domain(&graph) else { return false };
        let Operand::Word(mask, WordType::Mask(of)) = vertices else { return false };
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
        self.pattern(&parts[0], Operand::Word(u, WordType::Member(domain)));
        self.pattern(&parts[1], Operand::Word(v, WordType::Member(domain)));
        true
    }
}
