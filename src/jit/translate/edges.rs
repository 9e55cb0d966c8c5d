//! Loops over the edges of a constant graph.

use crate::bytecode::Op;
use crate::jit::emit::NONE;
use crate::jit::facts::Fact;
use crate::jit::translate::Translator;
use crate::jit::translate::sink::Sink;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData};

impl<S: Sink> Translator<'_, '_, S> {
    /// The next edge with both ends in the mask after the cursor.
    pub(super) fn edge_next(&mut self, at: usize, out: usize) {
        let Op::EdgeNext { d, edges, cursor, .. } = self.code.ops[at] else { return };
        let body = at + 1;
        let table = &self.code.edge_tables[usize::from(edges)];
        let len = i64::try_from(table.len()).unwrap_or(i64::MAX);
        if let Some(from) = self.e.fact(cursor).value().and_then(|k| usize::try_from(k).ok()) {
            self.known_edge(at, from, out);
            return;
        }
        // A small loop: at = cursor; while at < len and not both ends inside: at += 1.
        let mask = self.e.get(cursor + 1);
        let start = self.e.get(cursor);
        let head = self.e.b.create_block();
        let look = self.e.b.create_block();
        let skip = self.e.b.create_block();
        let found = self.e.b.create_block();
        let place_of = self.e.b.declare_var(I64);
        self.e.b.def_var(place_of, start);
        self.e.b.ins().jump(head, NONE);
        self.e.b.switch_to_block(head);
        let now = self.e.b.use_var(place_of);
        let end = self.e.const_value(len);
        let inside = self.e.b.ins().icmp(IntCC::UnsignedLessThan, now, end);
        let out = self.target(out);
        self.e.b.ins().brif(inside, look, NONE, out, NONE);
        self.e.b.switch_to_block(look);
        let base = self.e.address(table.as_ptr());
        let size = self.e.const_value(24);
        let offset = self.e.b.ins().imul(now, size);
        let place = self.e.b.ins().iadd(base, offset);
        let [id, u, v] = [0, 8, 16].map(|o| self.e.b.ins().load(I64, MemFlagsData::trusted(), place, o));
        let has_u = self.e.b.ins().ushr(mask, u);
        let has_v = self.e.b.ins().ushr(mask, v);
        let both = self.e.b.ins().band(has_u, has_v);
        let one = self.e.const_value(1);
        let both = self.e.b.ins().band(both, one);
        self.e.b.ins().brif(both, found, NONE, skip, NONE);
        self.e.b.switch_to_block(skip);
        let one = self.e.const_value(1);
        let next = self.e.b.ins().iadd(now, one);
        self.e.b.def_var(place_of, next);
        self.e.b.ins().jump(head, NONE);
        self.e.b.switch_to_block(found);
        let one = self.e.const_value(1);
        let next = self.e.b.ins().iadd(now, one);
        for (reg, value) in [(d, id), (d + 1, u), (d + 2, v)] {
            self.e.set(reg, value, Fact::within(0, i64::from(u32::MAX)));
        }
        self.e.facts[usize::from(d + 1)] = Fact::within(0, 63);
        self.e.facts[usize::from(d + 2)] = Fact::within(0, 63);
        self.e.set(cursor, next, Fact::within(1, len));
        self.jump(body);
    }

    /// The same when the cursor is known: one edge's test; past it the instruction again, for the next edge.
    fn known_edge(&mut self, at: usize, from: usize, to: usize) {
        let Op::EdgeNext { d, edges, cursor, .. } = self.code.ops[at] else { return };
        let table = &self.code.edge_tables[usize::from(edges)];
        let Some(&[id, u, v]) = table.get(from) else {
            self.jump(to);
            return;
        };
        let ends = if (0..64).contains(&u) && (0..64).contains(&v) { Some(1i64 << u | 1i64 << v) } else { None };
        self.e.constant(cursor, i64::try_from(from + 1).unwrap_or(i64::MAX));
        let Some(ends) = ends else {
            self.jump(at);
            return;
        };
        let mask = self.e.get(cursor + 1);
        let ends = self.e.const_value(ends);
        let met = self.e.b.ins().band(mask, ends);
        let both = self.e.b.ins().icmp(IntCC::Equal, met, ends);
        let no = self.target(at);
        self.e.constant(d, id);
        self.e.constant(d + 1, u);
        self.e.constant(d + 2, v);
        let yes = self.target(at + 1);
        self.e.b.ins().brif(both, yes, NONE, no, NONE);
    }
}
