//! From flat code to native code: constants are carried along and short loops unrolled on the way (partial evaluation;
//! Jones, Gomard, Sestoft, Partial Evaluation, chapter 4). What a move does is left to a [`Sink`].
//!
//! Lazy parts are put where they are first used, and checks that facts make superfluous are left out. At the header of
//! a loop that is not unrolled everything that the loop writes is forgotten.

mod blocks;
mod edges;
mod loops;
mod sink;

use crate::bytecode::{Code, Op, Reg};
use crate::jit::emit::{Emitter, NONE};
use crate::jit::facts::Fact;
use crate::jit::flow::Flow;
pub(crate) use crate::jit::translate::sink::{Sink, Words};
use crate::value::refusal::Refusal;
use cranelift_codegen::ir::{Block, InstBuilder};
use hashbrown::HashMap;

/// So many instructions are translated at most; beyond half of it nothing is unrolled.
const BUDGET: usize = 20_000;

type Key = (usize, Vec<Fact>, Vec<usize>);

/// The places of the code around the rules that it may go to.
pub(crate) struct Exits {
    /// All moves were seen.
    pub(crate) done: Block,
    /// The run is to end.
    pub(crate) interrupted: Block,
    /// The address of the flag that says so.
    pub(crate) flag: i64,
}

pub(crate) struct Translator<'a, 'f, S> {
    code: &'a Code,
    flow: &'a Flow,
    pub(crate) e: Emitter<'f>,
    pub(crate) sink: S,
    exits: Exits,
    back: Vec<usize>,
    blocks: HashMap<Key, Block>,
    copies: Vec<u32>,
    todo: Vec<(Key, Block)>,
    spent: usize,
}

impl<'a, 'f, S: Sink> Translator<'a, 'f, S> {
    pub(crate) fn new(code: &'a Code, flow: &'a Flow, e: Emitter<'f>, sink: S, exits: Exits) -> Self {
        Translator {
            code,
            flow,
            e,
            sink,
            exits,
            back: Vec::new(),
            blocks: HashMap::new(),
            copies: vec![0; code.ops.len() + 1],
            todo: Vec::new(),
            spent: 0,
        }
    }

    /// Translates everything from the first instruction on, into the current block. Facts of the inputs are in `e.facts`.
    pub(crate) fn run(&mut self) -> Result<(), Refusal> {
        let first = self.target(0);
        self.e.b.ins().jump(first, NONE);
        while let Some(((at, facts, back), block)) = self.todo.pop() {
            self.e.facts = facts;
            self.back = back;
            self.e.b.switch_to_block(block);
            self.straight(at)?;
        }
        Ok(())
    }

    fn straight(&mut self, mut at: usize) -> Result<(), Refusal> {
        loop {
            self.spent += 1;
            if self.spent > BUDGET {
                return Err(Refusal::TooLong);
            }
            if !self.step(at)? {
                return Ok(());
            }
            at += 1;
            if self.flow.leaders[at] {
                let next = self.target(at);
                self.e.b.ins().jump(next, NONE);
                return Ok(());
            }
        }
    }

    /// One instruction; `false` when the block is ended.
    fn step(&mut self, at: usize) -> Result<bool, Refusal> {
        let op = self.code.ops[at];
        if matches!(op, Op::Native { .. }) {
            // Nobody knows how long it takes.
            self.heed();
        }
        if self.e.plain(op, self.code) {
            return Ok(true);
        }
        let zero = Fact::known(0);
        match op {
            Op::Jump(to) => {
                let to = to as usize;
                if to <= at {
                    self.heed();
                }
                self.jump(to);
            }
            Op::JumpIf(a, to) | Op::JumpUnless(a, to) => {
                let jumps = matches!(op, Op::JumpIf(..));
                let known = self.e.fact(a).equal(zero).map(|zero| !zero);
                let (yes, no) = if jumps { (to as usize, at + 1) } else { (at + 1, to as usize) };
                self.decide(known, |e| e.get(a), yes, no);
            }
            Op::JumpLt { a, b, to } => {
                let known = self.e.fact(a).less(self.e.fact(b));
                self.decide(known, |e| e.less(a, b), to as usize, at + 1);
            }
            Op::JumpLe { a, b, to } => {
                let known = self.e.fact(b).less(self.e.fact(a)).map(|greater| !greater);
                self.decide(known, |e| e.at_most(a, b), to as usize, at + 1);
            }
            Op::JumpEq { a, b, to } => {
                let known = self.e.fact(a).equal(self.e.fact(b));
                self.decide(known, |e| e.equal(a, b), to as usize, at + 1);
            }
            Op::JumpNe { a, b, to } => {
                let known = self.e.fact(a).equal(self.e.fact(b));
                self.decide(known, |e| e.equal(a, b), at + 1, to as usize);
            }
            Op::Force { flag, to } => self.force(flag, to as usize, at + 1)?,
            Op::Back { flag } => {
                self.e.constant(flag, 1);
                let Some(back) = self.back.pop() else { return Err(Refusal::LazyWithoutWayBack) };
                self.jump(back);
            }
            Op::Stop => {
                let done = self.exits.done;
                self.e.b.ins().jump(done, NONE);
            }
            Op::NothingIn { .. } | Op::OutsideDomain { .. } => {
                let fail = self.e.fail;
                self.e.b.ins().jump(fail, NONE);
            }
            Op::RangeNext { i, hi, to } => {
                if let Some((instance, fields)) = self.ray_at(at)
                    && self.sink.line_move(&mut self.e, instance, fields)?
                {
                    self.jump(to as usize);
                } else {
                    self.range(i, hi, at + 1, to as usize);
                }
            }
            Op::RangeBack { i, hi, to } => {
                if self.e.fact(i).value().is_none() {
                    self.heed();
                }
                self.range(i, hi, to as usize, at + 1);
            }
            Op::MaskNext { d, m, to } => self.mask_next(d, m, at + 1, to as usize),
            Op::RowNext { d, rows, cursor, to } => {
                let (from, end) = (self.e.fact(cursor), self.e.fact(cursor + 1));
                let known = from.less(end);
                let on = self.test(known, |e| e.less(cursor, cursor + 1), to as usize);
                if !on {
                    return Ok(false);
                }
                self.row_item(d, rows, cursor, from);
                self.jump(at + 1);
            }
            Op::EdgeNext { to, .. } => self.edge_next(at, to as usize),
            Op::Target => self.sink.target(&mut self.e)?,
            Op::PushPlace { spec } => {
                let push = &self.code.pushes[usize::from(spec)];
                let fields = push.words.as_deref().ok_or(Refusal::TargetNoWords)?;
                self.sink.push(&mut self.e, push.instance, fields)?;
            }
            Op::Emit { spec } => self.sink.sum(&mut self.e, self.code.emits[usize::from(spec)].again)?,
            Op::EmitOne { push, spec } => {
                let push = &self.code.pushes[usize::from(push)];
                let fields = push.words.as_deref().ok_or(Refusal::TargetNoWords)?;
                self.sink.one(&mut self.e, push.instance, fields, self.code.emits[usize::from(spec)].again)?;
            }
            Op::EmitStop { outcome, .. } => self.sink.stop(&mut self.e, outcome)?,
            Op::Ended { status } => {
                self.sink.ended(&mut self.e, status)?;
                return Ok(false);
            }
            _ => return Err(Refusal::WorksOnValues),
        }
        Ok(matches!(op, Op::Target | Op::PushPlace { .. } | Op::Emit { .. } | Op::EmitOne { .. } | Op::EmitStop { .. }))
    }

    fn force(&mut self, flag: Reg, to: usize, on: usize) -> Result<(), Refusal> {
        /// Lazy parts stand inside each other at most so deep.
        const DEEP: usize = 200;
        if self.back.len() > DEEP {
            return Err(Refusal::TooDeep);
        }
        let known = self.e.fact(flag).equal(Fact::known(0));
        if known == Some(false) {
            self.jump(on);
            return Ok(());
        }
        self.back.push(on);
        let lazy = self.target(to);
        self.back.pop();
        if known == Some(true) {
            self.e.b.ins().jump(lazy, NONE);
        } else {
            let on = self.target(on);
            let ready = self.e.get(flag);
            self.e.b.ins().brif(ready, on, NONE, lazy, NONE);
        }
        Ok(())
    }
}
