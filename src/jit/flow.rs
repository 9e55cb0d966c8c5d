//! Which registers are alive where, and the loops.
//!
//! Code with instructions that native code cannot do is left to the instruction loop.

use crate::bytecode::{Code, Effects, Next, Op, Reg, ValueEffects};
use crate::jit::memoized::{Memoized, memoized_runs};
use crate::value::refusal::Refusal;

/// How often a loop runs, as far as registers tell.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Count {
    /// From the first register to the second.
    Range(Reg, Reg),
    /// The same where some are passed over.
    RangeSome(Reg, Reg),
    /// Over a row between the bounds in a register and the next.
    Row(Reg),
    Mask(Reg),
    /// Edges of a table from the cursor on.
    Edges(Reg, u16),
    Unknown,
}

/// A loop: entered at its header only.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) writes: Vec<Reg>,
    pub(crate) count: Count,
    /// Some way back to the header is the branch of a condition.
    pub(crate) passes_over: bool,
}

/// What is known of a piece of code before it is translated.
pub(crate) struct Flow {
    /// Instructions that others jump to.
    pub(crate) leaders: Vec<bool>,
    /// For each instruction the word registers whose contents matter there, as bits.
    live: Vec<Vec<u64>>,
    /// Loops by header.
    pub(crate) loops: Vec<Option<Loop>>,
    /// For each instruction on values that is wanted: the word registers that it reads and writes.
    pub(crate) calls: Vec<Option<(Vec<Reg>, Vec<Reg>)>>,
    /// The memoized runs.
    memoized: Vec<Memoized>,
}

impl Flow {
    /// `O(instructions * registers)` for code without deep nests of loops.
    pub(crate) fn new(code: &Code) -> Result<Flow, Refusal> {
        /// Longer code is left to the instruction loop.
        const LONGEST: usize = 6_000;
        if code.ops.len() > LONGEST || code.words > LONGEST || code.too_big {
            return Err(Refusal::TooLong);
        }
        let mut shapes = code.ops.iter().map(|op| op.effects(code)).collect::<Result<Vec<_>, _>>()?;
        let (memoized, ..) = memoized_runs(code, &shapes);
        drop_unread(&mut shapes, code.values);
        let wanted = |shape: &Effects| shape.values.is_some().then(|| (shape.reads.clone(), shape.writes.clone()));
        let calls = shapes.iter().map(wanted).collect();
        let returns: Vec<usize> =
            (0..shapes.len()).filter(|&i| matches!(shapes[i].next, Next::Force(_))).map(|i| i + 1).collect();
        let after = |i: usize| -> Vec<usize> {
            match shapes[i].next {
                Next::On => vec![i + 1],
                Next::Fork(to) | Next::Force(to) => vec![i + 1, to as usize],
                Next::Away(to) => vec![to as usize],
                Next::Back => returns.clone(),
                Next::End => Vec::new(),
            }
        };
        let next: Vec<Vec<usize>> = (0..shapes.len()).map(after).collect();
        let mut leaders = vec![false; shapes.len() + 1];
        for (i, shape) in shapes.iter().enumerate() {
            if !matches!(shape.next, Next::On) {
                for &to in &next[i] {
                    leaders[to] = true;
                }
            }
        }
        let live = live(&shapes, &next, code.words);
        let loops = loops(code, &shapes, &next);
        Ok(Flow { leaders, live, loops, calls, memoized })
    }

    /// Whether native code calls for instructions on values.
    pub(crate) fn has_calls(&self) -> bool {
        self.calls.iter().any(Option::is_some)
    }

    /// The memoized run that an instruction belongs to, and its number.
    pub(crate) fn memoized(&self, at: usize) -> Option<(usize, &Memoized)> {
        self.memoized.iter().enumerate().find(|(_, run)| run.steps.contains(&at))
    }

    pub(crate) fn is_live(&self, at: usize, reg: usize) -> bool {
        self.live[at][reg / 64] >> (reg % 64) & 1 == 1
    }
}

/// Forgets the instructions that only make values which nothing but the names of moves reads.
fn drop_unread(shapes: &mut [Effects], values: usize) {
    let mut read = vec![false; values];
    loop {
        let mut changed = false;
        for effects in shapes.iter().filter_map(|shape| shape.values.as_ref()) {
            if !effects.pure || effects.write.is_some_and(|d| read[usize::from(d)]) {
                for &reg in &effects.reads {
                    changed |= !std::mem::replace(&mut read[usize::from(reg)], true);
                }
            }
        }
        if !changed {
            break;
        }
    }
    for shape in shapes {
        let unread = |e: &ValueEffects| e.pure && !e.write.is_some_and(|d| read[usize::from(d)]);
        if shape.values.as_ref().is_some_and(unread) {
            (shape.reads, shape.values) = (Vec::new(), None);
        }
    }
}

fn live(shapes: &[Effects], next: &[Vec<usize>], words: usize) -> Vec<Vec<u64>> {
    let width = words / 64 + 1;
    let mut live = vec![vec![0u64; width]; shapes.len()];
    loop {
        let mut changed = false;
        for i in (0..shapes.len()).rev() {
            let mut now = vec![0u64; width];
            for &to in &next[i] {
                now.iter_mut().zip(&live[to]).for_each(|(a, b)| *a |= b);
            }
            for &reg in &shapes[i].writes {
                now[usize::from(reg) / 64] &= !(1 << (reg % 64));
            }
            for &reg in &shapes[i].reads {
                now[usize::from(reg) / 64] |= 1 << (reg % 64);
            }
            if now != live[i] {
                live[i] = now;
                changed = true;
            }
        }
        if !changed {
            return live;
        }
    }
}

/// Natural loops of the edges that lead back (Aho, Lam, Sethi, Ullman, Compilers, 9.6.6).
fn loops(code: &Code, shapes: &[Effects], next: &[Vec<usize>]) -> Vec<Option<Loop>> {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); shapes.len()];
    for (i, all) in next.iter().enumerate() {
        for &to in all {
            before[to].push(i);
        }
    }
    let mut loops: Vec<Option<Loop>> = (0..shapes.len()).map(|_| None).collect();
    for (from, all) in next.iter().enumerate() {
        for &header in all.iter().filter(|&&to| to <= from) {
            if matches!(shapes[from].next, Next::Force(_) | Next::Back) {
                continue;
            }
            let mut inside = vec![false; shapes.len()];
            inside[header] = true;
            let mut todo = vec![from];
            while let Some(i) = todo.pop() {
                if !std::mem::replace(&mut inside[i], true) {
                    todo.extend(&before[i]);
                }
            }
            let count = match (code.ops[from], code.ops[header]) {
                (Op::RangeBack { i, hi, .. }, _) => Count::Range(i, hi),
                (_, Op::RangeNext { i, hi, .. }) => Count::RangeSome(i, hi),
                (_, Op::RowNext { cursor, .. }) => Count::Row(cursor),
                (_, Op::MaskNext { m, .. }) => Count::Mask(m),
                (_, Op::EdgeNext { cursor, edges, .. }) => Count::Edges(cursor, edges),
                _ => Count::Unknown,
            };
            let found = loops[header].get_or_insert(Loop { writes: Vec::new(), count, passes_over: false });
            found.passes_over |= !matches!(code.ops[from], Op::Jump { .. } | Op::RangeBack { .. });
            for i in (0..shapes.len()).filter(|&i| inside[i]) {
                found.writes.extend(&shapes[i].writes);
            }
            found.writes.sort_unstable();
            found.writes.dedup();
        }
    }
    loops
}
