//! Loops over ranges, masks and rows.

use crate::bytecode::InstanceId;
use crate::bytecode::{Op, Reg};
use crate::jit::facts::Fact;
use crate::jit::translate::Translator;
use crate::jit::translate::sink::Sink;
use cranelift_codegen::ir::types::{I32, I64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData};

impl<S: Sink> Translator<'_, '_, S> {
    /// One step of a range: `i < hi` goes to `body` with `i + 1`, else to `out`.
    pub(super) fn range(&mut self, i: Reg, hi: Reg, body: usize, out: usize) {
        let (now, end) = (self.e.fact(i), self.e.fact(hi));
        if !self.test(now.less(end), |e| e.less(i, hi), out) {
            return;
        }
        let value = self.e.get(i);
        let one = self.e.const_value(1);
        let next = self.e.b.ins().iadd(value, one);
        let fact = Fact::within(now.lo.saturating_add(1), now.hi.saturating_add(1)).at_most(end.hi);
        self.e.set(i, next, fact);
        self.jump(body);
    }

    /// Whether the loop that begins here does nothing but move, for `k = 1, 2, ..` up to the least of some fields, to the
    /// state with `k` less in each of just these fields.
    pub(super) fn ray_at(&self, at: usize) -> Option<(InstanceId, u64)> {
        let Op::RangeNext { i, hi, .. } = self.code.ops[at] else { return None };
        if self.e.fact(i).value() != Some(0) {
            return None;
        }
        let field_of = |reg: Reg| match self.e.fact(reg).from {
            Some((field, 0)) => Some(field),
            _ => None,
        };
        let mut less: Vec<(Reg, u16)> = Vec::new();
        let mut found = None;
        for op in &self.code.ops[at + 1..] {
            match *op {
                Op::Sub { d, a, b } if b == i => less.push((d, field_of(a)?)),
                Op::CheckNat { a, .. } if self.e.fact(a).lo >= 0 || less.iter().any(|(reg, _)| *reg == a) => {}
                Op::BoxInt { .. } | Op::Value { .. } | Op::Materialize { .. } | Op::Move { .. } | Op::Nop => {}
                Op::EmitOne { push, spec } if found.is_none() && !self.code.emits[usize::from(spec)].again => {
                    let push = &self.code.pushes[usize::from(push)];
                    let mut fields = 0u64;
                    for (field, reg) in (0u16..).zip(push.words.as_deref()?) {
                        if less.iter().any(|(less, of)| less == reg && *of == field) {
                            fields |= 1u64.checked_shl(u32::from(field))?;
                        } else if field_of(*reg) != Some(field) {
                            return None;
                        }
                    }
                    found = Some((push.instance, fields));
                }
                Op::RangeBack { i: again, hi: end, to } if again == i && end == hi && to as usize == at + 1 => {
                    return found.filter(|(_, fields)| *fields != 0 && self.e.fact(hi).least_of == *fields);
                }
                _ => return None,
            }
        }
        None
    }

    pub(super) fn mask_next(&mut self, d: Reg, m: Reg, body: usize, out: usize) {
        let fact = self.e.fact(m);
        let known = fact.equal(Fact::known(0)).map(|empty| !empty);
        if !self.test(known, |e| e.get(m), out) {
            return;
        }
        if let Some(mask) = fact.value() {
            self.e.constant(d, i64::from(mask.trailing_zeros()));
            self.e.constant(m, mask & mask.wrapping_sub(1));
        } else {
            let mask = self.e.get(m);
            let least = self.e.b.ins().ctz(mask);
            let most = if fact.lo >= 0 && fact.hi > 0 { 63 - i64::from(fact.hi.leading_zeros()) } else { 63 };
            self.e.set(d, least, Fact::within(0, most));
            let one = self.e.const_value(1);
            let less = self.e.b.ins().isub(mask, one);
            let rest = self.e.b.ins().band(mask, less);
            self.e.set(m, rest, if fact.lo >= 0 { Fact::within(0, fact.hi) } else { Fact::TOP });
        }
        self.jump(body);
    }

    pub(super) fn row_item(&mut self, d: Reg, rows: u16, cursor: Reg, from: Fact) {
        let items = &self.code.rows[usize::from(rows)].to;
        let known = from.value().and_then(|k| usize::try_from(k).ok()).and_then(|k| items.get(k));
        let at = self.e.get(cursor);
        if let Some(item) = known {
            self.e.constant(d, i64::from(*item));
        } else {
            self.e.bound(at, from, i64::try_from(items.len()).unwrap_or(i64::MAX));
            let base = self.e.address(items.as_ptr());
            let two = self.e.const_value(2);
            let offset = self.e.b.ins().ishl(at, two);
            let place = self.e.b.ins().iadd(base, offset);
            let item = self.e.b.ins().load(I32, MemFlagsData::trusted(), place, 0);
            let item = self.e.b.ins().uextend(I64, item);
            let most = items.iter().max().copied().unwrap_or(0);
            self.e.set(d, item, Fact::within(0, i64::from(most)));
        }
        let one = self.e.const_value(1);
        let next = self.e.b.ins().iadd(at, one);
        let fact = match from.add(Fact::known(1)) {
            Ok(fact) | Err(fact) => fact,
        };
        self.e.set(cursor, next, Fact { from: None, least_of: 0, ..fact });
    }
}
