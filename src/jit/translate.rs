//! From flat code to native code: constants are carried along and short loops unrolled on the way (partial evaluation;
//! Jones, Gomard, Sestoft, Partial Evaluation, chapter 4). What a move does is left to a [`Sink`].
//!
//! Lazy parts are put where they are first used, and checks that facts make superfluous are left out. At the header of
//! a loop that is not unrolled everything that the loop writes is forgotten.

use crate::bytecode::{Code, EmitSpec, FieldReg, InstanceId, Op, Reg};
use crate::jit::emit::{Emitter, NONE, trusted};
use crate::jit::facts::Fact;
use crate::jit::flow::{Count, Flow};
use crate::jit::frame::{ANSWERS, FAILED, INTS, RESULTS, run_on_values, step_on_values};
use crate::jit::memoized::{FACTOR, Made, Memoized};
use crate::syntax::tree::Outcome;
use crate::value::refusal::Refusal;
use crate::value::width;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{I8, I64};
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_frontend::Variable;
use hashbrown::HashMap;

/// So many instructions are translated at most; beyond half of it nothing is unrolled.
const BUDGET: usize = 20_000;

/// After so many instructions there is one more copy of a place: numbers that are chosen one after the other, each of two, have many.
const PATIENCE: usize = BUDGET / 4 * 3;

/// What is known of registers, by ascending register, of which something is.
type Facts = Vec<(Reg, Fact)>;

type Key = (usize, Facts, Vec<usize>);

/// The places of the code around the rules that it may go to.
pub(crate) struct Exits {
    /// All moves were seen.
    pub(crate) done: Block,
    /// The run is to end.
    pub(crate) interrupted: Block,
    /// The address of the flag that says so.
    pub(crate) flag: i64,
    /// The steps of loops that may still be taken; the run is to end where none is left.
    pub(crate) steps: Option<Variable>,
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
    /// By place of which there are many copies.
    common: HashMap<usize, Facts>,
    todo: Vec<(Key, Block)>,
    /// By register for values, the address of its ints.
    lists: HashMap<Reg, Variable>,
    spent: usize,
}

/// What becomes of moves. Every method may end in another block than it began in.
pub(crate) trait Sink {
    /// A move to the one component with these fields.
    fn one(&mut self, e: &mut Emitter, instance: InstanceId, fields: &[Reg], turn: Turn) -> Result<(), Refusal>;
    /// A target of several components begins.
    fn target(&mut self, _: &mut Emitter) -> Result<(), Refusal> {
        Err(Refusal::Sums)
    }
    fn push(&mut self, _: &mut Emitter, _: InstanceId, _: &[Reg]) -> Result<(), Refusal> {
        Err(Refusal::Sums)
    }
    /// A move to what was pushed.
    fn sum(&mut self, _: &mut Emitter, _: Turn) -> Result<(), Refusal> {
        Err(Refusal::Sums)
    }
    /// A move that ends the whole play: the mover wins, loses, draws.
    fn stop(&mut self, e: &mut Emitter, outcome: Outcome) -> Result<(), Refusal>;
    /// Moves that take `1, 2, ..` from all of these fields, given as bits, until one is 0. `false`: not taken.
    fn line_move(&mut self, e: &mut Emitter, instance: InstanceId, fields: u64) -> Result<bool, Refusal> {
        let _ = (e, instance, fields);
        Ok(false)
    }
    /// An `end when` holds: how the whole play ends for the player to move; `None`: there are no moves here. The code ends
    /// after it.
    fn ended(&mut self, e: &mut Emitter, who: Option<Outcome>) -> Result<(), Refusal>;
    /// An `end when` holds that gives the points in this register to the player to move.
    fn ended_score(&mut self, _: &mut Emitter, _: Reg) -> Result<(), Refusal> {
        Err(Refusal::EndsWithPoints)
    }
}

/// What a move does beside where it leads.
#[derive(Clone, Copy)]
pub(crate) struct Turn {
    /// The mover has the next turn.
    pub(crate) again: bool,
    /// The register of the mover's points.
    pub(crate) gain: Option<Reg>,
}

impl TryFrom<&EmitSpec> for Turn {
    type Error = Refusal;

    fn try_from(spec: &EmitSpec) -> Result<Turn, Refusal> {
        let gain = match spec.gain {
            Some(FieldReg::Value(_)) => return Err(Refusal::LargePoints),
            Some(FieldReg::Word(reg)) => Some(reg),
            None => None,
        };
        Ok(Turn { again: spec.again, gain })
    }
}

/// A sink that takes each move and each end as one word.
pub(crate) trait Words {
    /// In the word of a move that ends the play, beside what [`stopped`] says.
    const STOPS: u64;
    /// In the word of a position that is over, beside what [`stopped`] says.
    const OVER: u64;

    /// The word of a move to the one component with these fields.
    fn option(&self, e: &mut Emitter, instance: InstanceId, fields: &[Reg], again: bool) -> Result<Value, Refusal>;
    fn write(&self, e: &mut Emitter, word: Value);
    /// Where the code goes on when all moves were seen.
    fn done(&self) -> Block;
}

/// Loops that run at most so often are unrolled.
const UNROLL: i64 = 16;

/// The same for loops over a range of which both ends are known.
const UNROLL_EXACT: i64 = 32;

/// The same for loops over edges, whose bodies are mostly skipped.
const UNROLL_EDGES: i64 = 64;

/// Copies of a place with different facts.
const COPIES: u32 = 200;

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
            common: HashMap::new(),
            todo: Vec::new(),
            lists: HashMap::new(),
            spent: 0,
        }
    }

    /// Translates everything from the first instruction on, into the current block. Facts of the inputs are in `e.facts`.
    pub(crate) fn run(&mut self) -> Result<(), Refusal> {
        let first = self.target(0);
        self.e.b.ins().jump(first, NONE);
        while let Some(((at, facts, back), block)) = self.todo.pop() {
            self.e.facts.fill(Fact::TOP);
            for (reg, fact) in facts {
                self.e.facts[usize::from(reg)] = fact;
            }
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
        // What a condition passes over comes back here.
        if matches!(op, Op::Native { .. }) || self.heeds_at(at) {
            // Nobody knows how long it takes.
            self.heed();
        }
        if let Some((number, run)) = self.flow.memoized(at) {
            if run.last() == at {
                self.recall(number, run);
            }
            return Ok(true);
        }
        if let Some((reads, writes)) = &self.flow.calls[at] {
            if let Op::IntsNext { items, .. } = op
                && let Some(&list) = self.lists.get(&items)
            {
                self.next_int(at, list, reads, writes);
                return Ok(false);
            }
            return Ok(self.call_step(at, reads, writes));
        }
        if self.e.plain(op, self.code) {
            return Ok(true);
        }
        let zero = Fact::known(0);
        match op {
            Op::Jump { to } => {
                let to = to as usize;
                if to <= at && !self.heeds_at(to) {
                    self.heed();
                }
                self.jump(to);
            }
            Op::JumpIf { a, to } | Op::JumpUnless { a, to } => {
                let jumps = matches!(op, Op::JumpIf { .. });
                let known = self.e.fact(a).equal(zero).map(|zero| !zero);
                let (yes, no) = if jumps { (to as usize, at + 1) } else { (at + 1, to as usize) };
                self.decide(known, |e| e.get(a), yes, no);
            }
            Op::JumpLt { a, b, to } => self.jump_if(IntCC::SignedLessThan, a, b, to as usize, at + 1),
            Op::JumpLe { a, b, to } => self.jump_if(IntCC::SignedLessThanOrEqual, a, b, to as usize, at + 1),
            Op::JumpNe { a, b, to } => self.jump_if(IntCC::NotEqual, a, b, to as usize, at + 1),
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
                let on = self.test(known, |e| e.compare(IntCC::SignedLessThan, cursor, cursor + 1), to as usize);
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
            Op::Emit { spec } => self.sink.sum(&mut self.e, (&self.code.emits[usize::from(spec)]).try_into()?)?,
            Op::EmitOne { push, spec } => {
                let push = &self.code.pushes[usize::from(push)];
                let fields = push.words.as_deref().ok_or(Refusal::TargetNoWords)?;
                self.sink.one(&mut self.e, push.instance, fields, (&self.code.emits[usize::from(spec)]).try_into()?)?;
            }
            Op::EmitStop { outcome, .. } => self.sink.stop(&mut self.e, outcome)?,
            Op::Ended { who } => {
                self.sink.ended(&mut self.e, who)?;
                return Ok(false);
            }
            Op::EndedScore { a } => {
                self.sink.ended_score(&mut self.e, a)?;
                return Ok(false);
            }
            // Its value is not read.
            _ if op.is_on_values(self.code) => return Ok(true),
            _ => return Err(Refusal::WorksOnValues),
        }
        Ok(matches!(op, Op::Target | Op::PushPlace { .. } | Op::Emit { .. } | Op::EmitOne { .. } | Op::EmitStop { .. }))
    }

    /// An instruction on values; `false` when the block is ended.
    fn call_step(&mut self, at: usize, reads: &[Reg], writes: &[Reg]) -> bool {
        let status = self.e.call_on_values(step_on_values as *const u8, at, reads, writes);
        match self.code.ops[at] {
            Op::ItemsNext { to, .. } | Op::DistinctNext { to, .. } | Op::IntsNext { to, .. } => {
                let failed = self.e.b.ins().icmp_imm_s(IntCC::Equal, status, FAILED);
                self.e.fail_if(failed);
                self.decide(None, |_| status, to as usize, at + 1);
                false
            }
            _ => {
                self.e.fail_if(status);
                true
            }
        }
    }

    /// A memoized run: its result from the answers of a table or from the results so far, or by its instructions.
    fn recall(&mut self, number: usize, run: &Memoized) {
        let e = &mut self.e;
        let [look, known, unknown, keep, on] = [(); 5].map(|()| e.b.create_block());
        if let Some(first) = run.answers {
            recall_answer(e, (number, run), first, on);
        }
        let (bits, near) = (i64::from(run.bits), i64::from(run.near_bits()));
        let (mut key, mut outside, mut side) = (e.const_value(0), e.const_value(0), e.const_value(0));
        for (i, &reg) in (0..).zip(&run.words) {
            let word = e.get(reg);
            if bits < 64 {
                let high = e.b.ins().ushr_imm_u(word, bits);
                outside = e.b.ins().bor(outside, high);
            }
            let part = e.b.ins().ishl_imm_s(word, bits * i);
            key = e.b.ins().bor(key, part);
            let last = e.b.ins().band_imm_s(word, (1 << near) - 1);
            let last = e.b.ins().ishl_imm_s(last, near * i);
            side = e.b.ins().bor(side, last);
        }
        // Empty entries have 0 there, and so has the key of all bits.
        let tag = e.b.ins().iadd_imm_s(key, 1);
        let none = e.b.ins().icmp_imm_s(IntCC::Equal, tag, 0);
        let none = e.b.ins().uextend(I64, none);
        let outside = e.b.ins().bor(outside, none);
        let far = e.b.ins().band_imm_s(key, run.far_mask().cast_signed());
        let factor = e.const_value(FACTOR.cast_signed());
        let entry = e.b.ins().imul(far, factor);
        let entry = e.b.ins().ushr_imm_u(entry, i64::from(u64::BITS - run.entry_bits));
        let entry = e.b.ins().band_imm_s(entry, -1 << (near * width::int(run.words.len())));
        let entry = e.b.ins().bor(entry, side);
        let table = e.load(e.frame[0], RESULTS);
        let place = e.item_at(table, entry, 4);
        let place = e.b.ins().iadd_imm_s(place, width::int(run.offset as u64 * 8));
        e.b.ins().brif(outside, unknown, NONE, look, NONE);
        e.b.switch_to_block(look);
        let found = e.load(place, 0);
        let same = e.b.ins().icmp(IntCC::Equal, found, tag);
        e.branch(same, known, unknown, known);
        let list = match run.result {
            Made::Word(_) => None,
            Made::Ints(d, _) => Some(*self.lists.entry(d).or_insert_with(|| e.b.declare_var(I64))),
        };
        let result = e.load(place, 8);
        put(e, run.result, list, result);
        e.b.ins().jump(on, NONE);
        e.b.switch_to_block(unknown);
        let result = run_again(e, (number, run));
        put(e, run.result, list, result);
        e.branch(outside, on, keep, keep);
        if list.is_some() {
            // Of these ints there is no address.
            let kept = e.b.create_block();
            e.branch(result, kept, on, kept);
        }
        e.b.ins().store(trusted(), tag, place, 0);
        e.b.ins().store(trusted(), result, place, 8);
        e.b.ins().jump(on, NONE);
        e.b.switch_to_block(on);
    }

    /// The next member of a list of ints: at its address, or by a call where there is none.
    fn next_int(&mut self, at: usize, list: Variable, reads: &[Reg], writes: &[Reg]) {
        let Op::IntsNext { d, width, cursor, to, .. } = self.code.ops[at] else { return };
        let e = &mut self.e;
        let ([fast, slow, on], over) = ([(); 3].map(|()| e.b.create_block()), e.b.declare_var(I64));
        let address = e.b.use_var(list);
        e.branch(address, fast, slow, fast);
        let (len, place) = (e.load(address, 0), e.get(cursor));
        let ended = e.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, place, len);
        let ended = e.b.ins().uextend(I64, ended);
        e.b.def_var(over, ended);
        // Behind the last one stands one of zeros.
        let first = if width == 1 { place } else { e.b.ins().imul_imm_s(place, i64::from(width)) };
        let member = e.item_at(address, first, 3);
        for part in 0..width {
            let word = e.load(member, 8 * (1 + i32::from(part)));
            e.set(d + Reg::from(part), word, Fact::TOP);
        }
        let next = e.b.ins().iadd_imm_s(place, 1);
        e.set(cursor, next, Fact::TOP);
        e.b.ins().jump(on, NONE);
        e.b.switch_to_block(slow);
        let status = e.call_on_values(step_on_values as *const u8, at, reads, writes);
        let failed = e.b.ins().icmp_imm_s(IntCC::Equal, status, FAILED);
        e.fail_if(failed);
        e.b.def_var(over, status);
        e.b.ins().jump(on, NONE);
        e.b.switch_to_block(on);
        self.decide(None, |e| e.b.use_var(over), to as usize, at + 1);
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

    /// The block for an instruction with what is known now.
    pub(super) fn target(&mut self, at: usize) -> Block {
        let mut facts = self.e.facts.clone();
        self.widen(at, &mut facts);
        let known =
            facts.into_iter().enumerate().filter(|&(reg, fact)| fact != Fact::TOP && self.flow.is_live(at, reg));
        let mut facts: Facts = known.map(|(reg, fact)| (Reg::try_from(reg).unwrap_or(Reg::MAX), fact)).collect();
        if self.copies[at] > if self.spent < PATIENCE { COPIES } else { 1 } {
            // What all copies from now on have in common.
            let common = self.common.entry(at).or_insert_with(|| facts.clone());
            common.retain(|fact| facts.contains(fact));
            facts.clone_from(common);
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
        let exact = |i: Reg, hi: Reg| fact(i).value().zip(fact(hi).value()).and_then(|(i, hi)| hi.checked_sub(i));
        let (left, most) = match looped.count {
            Count::Range(i, hi) | Count::RangeSome(i, hi) if exact(i, hi).is_some() => (exact(i, hi), UNROLL_EXACT),
            Count::Range(i, hi) => (fact(i).value().and_then(|i| fact(hi).hi.checked_sub(i)), UNROLL),
            Count::Row(cursor) => {
                let (from, to) = (fact(cursor).value(), fact(cursor + 1).value());
                (from.zip(to).map(|(from, to)| to - from), UNROLL)
            }
            Count::Mask(m) => (fact(m).value().map(|m| i64::from(m.count_ones())), UNROLL),
            Count::Edges(cursor, table) => {
                let len = width::int(self.code.edge_tables[usize::from(table)].len());
                (fact(cursor).value().map(|from| len - from), UNROLL_EDGES)
            }
            Count::RangeSome(..) | Count::Unknown => (None, 0),
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

    pub(super) fn jump(&mut self, to: usize) {
        let to = self.target(to);
        self.e.b.ins().jump(to, NONE);
    }

    /// Goes to `yes` or `no` by how two registers compare.
    fn jump_if(&mut self, how: IntCC, a: Reg, b: Reg, yes: usize, no: usize) {
        self.decide(self.e.known(how, a, b), |e| e.compare(how, a, b), yes, no);
    }

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
                let (yes, no) = (self.target(yes), self.target(no));
                self.e.b.ins().brif(truth, yes, NONE, no, NONE);
            }
        }
    }

    /// Whether the flag is asked at the header of a loop there, which is not unrolled.
    fn heeds_at(&self, at: usize) -> bool {
        let unknown = |reg: Reg| self.e.fact(reg).value().is_none();
        self.flow.loops[at].as_ref().is_some_and(|looped| {
            looped.passes_over
                && match looped.count {
                    Count::Range(i, _) | Count::RangeSome(i, _) => unknown(i),
                    Count::Row(cursor) | Count::Edges(cursor, _) => unknown(cursor),
                    // A word has few bits.
                    Count::Mask(_) => false,
                    Count::Unknown => true,
                }
        })
    }

    /// Gives the whole run up when the flag is set, or no steps are left: asked in loops whose length is not known.
    fn heed(&mut self) {
        if let Some(steps) = self.exits.steps {
            self.e.advance(steps, -1);
            let left = self.e.b.use_var(steps);
            let none = self.e.b.ins().icmp_imm_s(IntCC::Equal, left, 0);
            self.e.leave_if(none, self.exits.interrupted);
        }
        let flag = self.e.const_value(self.exits.flag);
        let set = self.e.b.ins().load(I8, trusted(), flag, 0);
        self.e.leave_if(set, self.exits.interrupted);
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
                self.e.branch(truth, on, no, on);
                true
            }
        }
    }

    /// One step of a range: `i < hi` goes to `body` with `i + 1`, else to `out`.
    pub(super) fn range(&mut self, i: Reg, hi: Reg, body: usize, out: usize) {
        let (now, end) = (self.e.fact(i), self.e.fact(hi));
        if !self.test(now.less(end), |e| e.compare(IntCC::SignedLessThan, i, hi), out) {
            return;
        }
        let value = self.e.get(i);
        let next = self.e.b.ins().iadd_imm_s(value, 1);
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
                Op::Box { .. } | Op::Value { .. } | Op::Materialize { .. } | Op::Move { .. } => {}
                Op::EmitOne { push, spec } if found.is_none() => {
                    let Turn { again: false, gain: None } = Turn::try_from(&self.code.emits[usize::from(spec)]).ok()?
                    else {
                        return None;
                    };
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
            let rest = self.e.without_least(mask);
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
            self.e.bound(at, from, width::int(items.len()));
            let item = self.e.half_word(items, at, 0);
            let most = items.iter().max().copied().unwrap_or(0);
            self.e.set(d, item, Fact::within(0, i64::from(most)));
        }
        let next = self.e.b.ins().iadd_imm_s(at, 1);
        let fact = match from.add(Fact::known(1)) {
            Ok(fact) | Err(fact) => fact,
        };
        self.e.set(cursor, next, Fact { from: None, least_of: 0, ..fact });
    }

    /// The next edge with both ends in the mask after the cursor.
    pub(super) fn edge_next(&mut self, at: usize, out: usize) {
        let Op::EdgeNext { d, edges, cursor, .. } = self.code.ops[at] else { return };
        let body = at + 1;
        let table = &self.code.edge_tables[usize::from(edges)];
        let len = width::int(table.len());
        if let Some(from) = self.e.fact(cursor).value().and_then(|k| usize::try_from(k).ok()) {
            self.known_edge(at, from, out);
            return;
        }
        // A small loop: at = cursor; while at < len and not both ends inside: at += 1.
        let mask = self.e.get(cursor + 1);
        let start = self.e.get(cursor);
        let [head, look, skip, found] = [(); 4].map(|()| self.e.b.create_block());
        let place_of = self.e.b.declare_var(I64);
        self.e.b.def_var(place_of, start);
        self.e.b.ins().jump(head, NONE);
        self.e.b.switch_to_block(head);
        let now = self.e.b.use_var(place_of);
        let inside = self.e.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, now, len);
        let out = self.target(out);
        self.e.branch(inside, look, out, look);
        let base = self.e.address(table.as_ptr());
        let offset = self.e.b.ins().imul_imm_s(now, 24);
        let place = self.e.b.ins().iadd(base, offset);
        let [id, u, v] = [0, 8, 16].map(|offset| self.e.load(place, offset));
        let has_u = self.e.b.ins().ushr(mask, u);
        let has_v = self.e.b.ins().ushr(mask, v);
        let both = self.e.b.ins().band(has_u, has_v);
        let both = self.e.b.ins().band_imm_s(both, 1);
        self.e.branch(both, found, skip, skip);
        self.e.advance(place_of, 1);
        self.e.b.ins().jump(head, NONE);
        self.e.b.switch_to_block(found);
        let next = self.e.b.ins().iadd_imm_s(now, 1);
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
        self.e.constant(cursor, width::int(from + 1));
        if !(0..64).contains(&u) || !(0..64).contains(&v) {
            self.jump(at);
            return;
        }
        let mask = self.e.get(cursor + 1);
        let ends = self.e.const_value(1 << u | 1 << v);
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

impl<W: Words> Sink for W {
    fn one(&mut self, e: &mut Emitter, instance: InstanceId, fields: &[Reg], turn: Turn) -> Result<(), Refusal> {
        if turn.gain.is_some() {
            return Err(Refusal::GainsPoints);
        }
        let word = self.option(e, instance, fields, turn.again)?;
        self.write(e, word);
        Ok(())
    }

    fn stop(&mut self, e: &mut Emitter, outcome: Outcome) -> Result<(), Refusal> {
        let word = e.const_value((W::STOPS | stopped(outcome)).cast_signed());
        self.write(e, word);
        Ok(())
    }

    fn ended(&mut self, e: &mut Emitter, who: Option<Outcome>) -> Result<(), Refusal> {
        if let Some(outcome) = who {
            let word = e.const_value((W::OVER | stopped(outcome)).cast_signed());
            self.write(e, word);
        }
        let done = self.done();
        e.b.ins().jump(done, NONE);
        Ok(())
    }
}

/// How the whole play ends for its mover, or for the player to move: 0 won, 1 lost, 2 drawn.
fn stopped(outcome: Outcome) -> u64 {
    match outcome {
        Outcome::First => 0,
        Outcome::Second => 1,
        Outcome::Draw => 2,
    }
}

/// A question, where its [`crate::jit::memoized::AnswerBox`] is made: goes `on` with the answer. Else the code after this.
fn recall_answer(e: &mut Emitter<'_>, (number, run): (usize, &Memoized), first: usize, on: Block) {
    let [boxed, inside, known, unknown, not_boxed] = [(); 5].map(|()| e.b.create_block());
    let numbers = e.load(e.frame[0], ANSWERS);
    let at = |number: usize| i32::try_from((first + number) * 8).unwrap_or(i32::MAX);
    let answers = e.load(numbers, at(0));
    e.branch(answers, boxed, not_boxed, boxed);
    let (mut place, mut within) = (e.const_value(0), e.const_value(1));
    for (i, &reg) in run.words.iter().enumerate() {
        let word = e.get(reg);
        let [size, stride] = [1 + i, 1 + run.words.len() + i].map(|number| e.load(numbers, at(number)));
        let fits = e.b.ins().icmp(IntCC::UnsignedLessThan, word, size);
        let fits = e.b.ins().uextend(I64, fits);
        within = e.b.ins().band(within, fits);
        let step = e.b.ins().imul(word, stride);
        place = e.b.ins().iadd(place, step);
    }
    e.branch(within, inside, unknown, inside);
    let place = e.item_at(answers, place, 1);
    let answer = e.b.ins().uload16(I64, trusted(), place, 0);
    e.branch(answer, known, unknown, known);
    let result = e.b.ins().iadd_imm_s(answer, -1);
    put(e, run.result, None, result);
    e.b.ins().jump(on, NONE);
    e.b.switch_to_block(unknown);
    run_again(e, (number, run));
    e.b.ins().jump(on, NONE);
    e.b.switch_to_block(not_boxed);
}

/// Keeps the result of a memoized run: a word, or the address of its ints in the variable.
fn put(e: &mut Emitter<'_>, made: Made, list: Option<Variable>, result: Value) {
    match (made, list) {
        (Made::Word(d), _) => e.set(d, result, Fact::TOP),
        (Made::Ints(..), Some(list)) => e.b.def_var(list, result),
        (Made::Ints(..), None) => {}
    }
}

/// The result of a memoized run by its instructions.
fn run_again(e: &mut Emitter<'_>, (number, run): (usize, &Memoized)) -> Value {
    let written = if let Made::Word(d) = run.result { Some(d) } else { None };
    let status = e.call_on_values(run_on_values as *const u8, number, &run.words, written.as_slice());
    e.fail_if(status);
    if let Some(d) = written { e.get(d) } else { e.load(e.frame[0], INTS) }
}
