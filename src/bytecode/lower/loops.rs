//! The heads of loops: over ranges, masks, collections that are values, rows and edges of constant graphs.

use crate::bytecode::lower::operand::Part;
use crate::bytecode::lower::{Label, Lower, Operand};
use crate::bytecode::{Aggregate, Op, Reg, WordType};
use crate::model::{Builtin, Pattern};
use crate::value::Value;
use crate::value::domain::Domain;
use std::sync::Arc;

impl<'p> Lower<'_, 'p> {
    /// `distinct`: equal members of a bag once; `ints`: of so many ints each member is, or 0.
    pub(super) fn collection_loop(
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

    pub(super) fn range_loop(
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
    pub(super) fn row_loop(
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
    pub(super) fn edge_loop(
        &mut self,
        pattern: &'p Pattern,
        [graph, vertices]: &[Operand; 2],
        again: Label,
        exit: Label,
    ) -> bool {
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
