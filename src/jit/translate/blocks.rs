//! Blocks of native code by place and facts, and the ways from one to another.

use crate::bytecode::Reg;
use crate::jit::emit::{Emitter, NONE};
use crate::jit::facts::Fact;
use crate::jit::flow::Count;
use crate::jit::translate::sink::Sink;
use crate::jit::translate::{BUDGET, Translator};
use cranelift_codegen::ir::{Block, InstBuilder, Value};

/// Loops that run at most so often are unrolled.
const UNROLL: i64 = 16;

/// The same for loops over edges, whose bodies are mostly skipped.
const UNROLL_EDGES: i64 = 64;

/// Copies of a place with different facts.
const COPIES: u32 = 200;

impl<S: Sink> Translator<'_, '_, S> {
    /// The block for an instruction with what is known now.
    pub(super) fn target(&mut self, at: usize) -> Block {
        let mut facts = self.e.facts.clone();
        self.widen(at, &mut facts);
        if self.copies[at] > COPIES {
            facts.fill(Fact::TOP);
        }
        for (reg, fact) in facts.iter_mut().enumerate() {
            if !self.flow.is_live(at, reg) {
                *fact = Fact::TOP;
            }
        }
        let key = (at, facts, self.back.clone());
        if let Some(&block) = self.blocks.get(&key) {
            return block;
        }
        self.copies[at] += 1;
        let block = self.e.b.create_block();
        self.blocks.insert(key.clone(), block);
        self.todo.push((key, block));
        block
    }

    /// At the header of a loop that is not unrolled, what the loop changes is not known.
    fn widen(&self, at: usize, facts: &mut [Fact]) {
        let Some(looped) = &self.flow.loops[at] else { return };
        let fact = |reg: Reg| facts[usize::from(reg)];
        let (left, most) = match looped.count {
            Count::Range(i, hi) => (fact(i).value().and_then(|i| fact(hi).hi.checked_sub(i)), UNROLL),
            Count::Row(cursor) => {
                let (from, to) = (fact(cursor).value(), fact(cursor + 1).value());
                (from.zip(to).map(|(from, to)| to - from), UNROLL)
            }
            Count::Mask(m) => (fact(m).value().map(|m| i64::from(m.count_ones())), UNROLL),
            Count::Edges(cursor, table) => {
                let len = i64::try_from(self.code.edge_tables[usize::from(table)].len()).unwrap_or(i64::MAX);
                (fact(cursor).value().map(|from| len - from), UNROLL_EDGES)
            }
            Count::Unknown => (None, 0),
        };
        if left.is_some_and(|left| left <= most) && self.spent < BUDGET / 2 && self.copies[at] <= COPIES {
            return;
        }
        let bounds = match looped.count {
            Count::Range(i, hi) if !looped.writes.contains(&hi) => {
                let lo = match fact(i).lo {
                    1.. => 1,
                    0 => 0,
                    _ => i64::MIN,
                };
                Some((i, Fact::within(lo, fact(hi).hi)))
            }
            _ => None,
        };
        for &reg in &looped.writes {
            facts[usize::from(reg)] = Fact::TOP;
        }
        if let Some((i, fact)) = bounds {
            facts[usize::from(i)] = fact;
        }
    }

    fn branch(&mut self, truth: Value, yes: usize, no: usize) {
        let (yes, no) = (self.target(yes), self.target(no));
        self.e.b.ins().brif(truth, yes, NONE, no, NONE);
    }

    pub(super) fn jump(&mut self, to: usize) {
        let to = self.target(to);
        self.e.b.ins().jump(to, NONE);
    }

    /// Jumps by what is known, or branches.
    pub(super) fn decide(
        &mut self,
        known: Option<bool>,
        truth: impl FnOnce(&mut Emitter) -> Value,
        yes: usize,
        no: usize,
    ) {
        match known {
            Some(true) => self.jump(yes),
            Some(false) => self.jump(no),
            None => {
                let truth = truth(&mut self.e);
                self.branch(truth, yes, no);
            }
        }
    }

    pub(super) fn heed(&mut self) {
        let flag = self.e.const_value(self.exits.flag);
        self.e.heed(flag, self.exits.interrupted);
    }

    /// Goes on in a new block when the truth holds, else to `no`; `false` when it is known not to hold.
    pub(super) fn test(&mut self, known: Option<bool>, truth: impl FnOnce(&mut Emitter) -> Value, no: usize) -> bool {
        match known {
            Some(true) => true,
            Some(false) => {
                self.jump(no);
                false
            }
            None => {
                let truth = truth(&mut self.e);
                let no = self.target(no);
                let on = self.e.b.create_block();
                self.e.b.ins().brif(truth, on, NONE, no, NONE);
                self.e.b.switch_to_block(on);
                true
            }
        }
    }
}
