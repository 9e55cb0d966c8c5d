//! The last steps of lowering: constants set first, what does nothing left out, labels made places.

use crate::bytecode::lower::{Lower, REGISTERS, TABLE};
use crate::bytecode::{Addr, Code, Op};
use std::sync::Arc;

impl Lower<'_, '_> {
    /// What `write` emits, put right after the instruction at `hole`, which no jump made before it passes over.
    pub(crate) fn insert_after(&mut self, hole: usize, write: impl FnOnce(&mut Self)) {
        let (ops, spans) = (self.code.ops.split_off(hole + 1), self.code.spans.split_off(hole + 1));
        write(self);
        let by = Addr::try_from(self.code.ops.len() - hole - 1).unwrap_or(Addr::MAX);
        self.code.ops.extend(ops);
        self.code.spans.extend(spans);
        for place in self.labels.iter_mut().flatten() {
            if *place as usize > hole {
                *place = place.saturating_add(by);
            }
        }
    }

    /// Sets the constants of the pool before everything else.
    fn set_pool(&mut self) {
        if self.pool.is_empty() {
            return;
        }
        let mut pool: Vec<_> = std::mem::take(&mut self.pool).into_iter().collect();
        pool.sort_unstable_by_key(|&(_, d)| d);
        let (ops, spans) = (std::mem::take(&mut self.code.ops), std::mem::take(&mut self.code.spans));
        for (k, d) in pool {
            self.load(d, k);
        }
        let by = Addr::try_from(self.code.ops.len()).unwrap_or(Addr::MAX);
        self.code.ops.extend(ops);
        self.code.spans.extend(spans);
        for place in self.labels.iter_mut().flatten() {
            *place = place.saturating_add(by);
        }
    }

    /// Leaves out what does nothing.
    fn drop_nops(&mut self) {
        if !self.scalar {
            return;
        }
        let mut kept = Vec::with_capacity(self.code.ops.len() + 1);
        let mut count: Addr = 0;
        for op in &self.code.ops {
            kept.push(count);
            count = count.saturating_add(Addr::from(!matches!(op, Op::Nop)));
        }
        kept.push(count);
        for place in self.labels.iter_mut().flatten() {
            if let Some(&to) = kept.get(*place as usize) {
                *place = to;
            }
        }
        let mut there = self.code.ops.iter().map(|op| !matches!(op, Op::Nop)).collect::<Vec<_>>().into_iter();
        self.code.spans.retain(|_| there.next().unwrap_or(true));
        self.code.ops.retain(|op| !matches!(op, Op::Nop));
    }

    /// Whether writing loops out has made so much code that it had better not be done.
    pub(crate) fn is_bloated(&self) -> bool {
        /// Instructions.
        const MOST: usize = 20_000;
        self.code.ops.len() > MOST || self.words > REGISTERS / 2 || self.code.largest_table() > TABLE / 2
    }

    /// Ends the code: labels become places. Code that ran out of registers is refused by the caller.
    pub(crate) fn finish(mut self) -> Arc<Code> {
        self.emit(Op::Stop);
        self.set_pool();
        self.drop_nops();
        let labels = std::mem::take(&mut self.labels);
        let resolve = |addr: &mut Addr| {
            *addr = labels.get(*addr as usize).copied().flatten().unwrap_or(*addr);
        };
        for op in &mut self.code.ops {
            match op {
                Op::Jump(to)
                | Op::JumpIf(_, to)
                | Op::JumpUnless(_, to)
                | Op::JumpLt { to, .. }
                | Op::JumpLe { to, .. }
                | Op::JumpEq { to, .. }
                | Op::JumpNe { to, .. }
                | Op::Force { to, .. }
                | Op::RangeNext { to, .. }
                | Op::RangeBack { to, .. }
                | Op::MaskNext { to, .. }
                | Op::ItemsNext { to, .. }
                | Op::DistinctNext { to, .. }
                | Op::RowNext { to, .. }
                | Op::EdgeNext { to, .. } => resolve(to),
                _ => {}
            }
        }
        self.code.instance = self.scopes.first().and_then(|s| s.own);
        self.code.words = self.words;
        self.code.values = self.values;
        self.code.too_big = self.words >= REGISTERS || self.values >= REGISTERS || self.code.largest_table() > TABLE;
        Arc::new(self.code)
    }
}
