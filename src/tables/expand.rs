//! The options of many positions at once: native code that turns ranks into the ranks of their options.

use crate::bytecode::{Code, InstanceId, Reg};
use crate::jit::box_loop::Around;
use crate::jit::emit::{Emitter, NONE, trusted};
use crate::jit::facts::Fact;
use crate::jit::flow::Flow;
use crate::jit::frame::{FrameInUse, ValueCode};
use crate::jit::function::Native;
use crate::jit::ranking::{Grid, Span};
use crate::jit::translate::{Exits, Translator, Words};
use crate::tables::BoxRules;
use crate::value::limits::Limits;
use crate::value::refusal::Refusal;
use crate::value::width;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a run of the code reads and writes.
#[repr(C)]
struct ExpandState {
    ranks: *const u64,
    count: u64,
    at: u64,
    out: *mut u64,
    room: u64,
    used: u64,
    ends: *mut u64,
    faults: u64,
    rank: u64,
    steps: u64,
}

impl Default for ExpandState {
    fn default() -> Self {
        let (ranks, out, ends) = (std::ptr::null(), std::ptr::null_mut(), std::ptr::null_mut());
        ExpandState { ranks, count: 0, at: 0, out, room: 0, used: 0, ends, faults: 0, rank: 0, steps: 0 }
    }
}

const FULL: i64 = 1;

const INTERRUPTED: i64 = 2;

/// The options of a row of positions.
#[derive(Debug, Default)]
pub struct Rows {
    entries: Vec<u64>,
    ends: Vec<u64>,
}

/// Native code that finds options.
pub struct Expander(Compiled);

/// The same, which counts the steps of loops.
pub(crate) struct CountedExpander(Expander);

/// Native code that finds by which changes of the rank options differ from a position.
pub(crate) struct Changes(Compiled);

/// What native code writes down.
#[derive(Clone, Copy)]
enum Listing {
    Options {
        /// Whether it counts the steps of loops.
        counts: bool,
    },
    /// For so many states of the fields whose changes are exclusive ors.
    Changes(u64),
}

struct Compiled {
    native: Native,
    grid: Grid,
    _code: Arc<Code>,
    values: Option<Arc<ValueCode>>,
    flag: Arc<AtomicBool>,
    /// Bytes that are free for the options of some states.
    free: u64,
}

/// Changes of the rank, each with its bit, where the product of change and factor says.
#[derive(Clone)]
pub(crate) struct ChangeTable {
    pub(crate) slots: Box<[[u64; 2]; 1 << PLACES]>,
    pub(crate) factor: u64,
}

/// How a rank changes: a part that is known, and one that the code works out.
#[derive(Clone, Copy, Default)]
pub(super) struct RankChange {
    pub(super) fixed: i128,
    pub(super) moving: Option<Value>,
}

/// Writes down the ranks of options, or sets the bits of their changes: then `out` is where the table of changes is,
/// `room` its factor, `used` the bits, and `rank` the change that stops the run, which has no bit yet.
pub(crate) struct ExpandSink<'a> {
    pub(crate) instance: InstanceId,
    pub(crate) grid: &'a Grid,
    /// For changes: the number of states of the fields whose changes are exclusive ors.
    pub(crate) joined: Option<u64>,
    pub(crate) inputs: Vec<Variable>,
    pub(crate) rank: Variable,
    pub(crate) out: Variable,
    pub(crate) used: Variable,
    pub(crate) room: Variable,
    pub(crate) full: Block,
    pub(crate) done: Block,
}

/// Set in an option whose mover has the next turn.
pub(crate) const AGAIN: u64 = 1 << 63;

/// Set in an entry that is no option: a move that ends the play; 0, 1, 2 in the low bits: the mover wins, loses, draws.
pub(crate) const STOP: u64 = 1 << 62;

/// Set in an entry that is no option: the play is over at the position itself; for the player to move it is won, lost, drawn.
pub(crate) const ENDED: u64 = 1 << 61;

/// The one entry of a position whose rules fault, or with an option outside of the box.
pub(crate) const FAULTY: u64 = STOP | ENDED;

/// Ranks are below this.
pub(crate) const RANKS: u64 = 1 << 61;

/// Exclusive-or'ed to a change whose mover has the next turn. Changes of ranks stay far below it.
pub(crate) const KEEPS_TURN: u64 = 1 << 60;

/// Bits of a place in the table of changes.
pub(crate) const PLACES: u32 = 9;

impl BoxRules<'static> {
    /// Rules of which the code has no instructions on values; `None`: it has some.
    pub fn of_words(code: Arc<Code>, instance: InstanceId, limits: Limits) -> Option<BoxRules<'static>> {
        let words = !code.calls_for_values();
        words.then_some(BoxRules { code, values: None, instance, limits, held: 0, context: PhantomData })
    }
}

impl Rows {
    /// No rows.
    pub const fn new() -> Rows {
        Rows { entries: Vec::new(), ends: Vec::new() }
    }

    /// The entries of the i-th position asked for: ranks, perhaps with [`AGAIN`], and [`STOP`] and [`ENDED`] marks.
    pub fn row(&self, i: usize) -> &[u64] {
        let from = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.entries[width::index(from)..width::index(self.ends[i])]
    }

    /// The entries of all positions asked for, one row after the other.
    pub fn all(&self) -> &[u64] {
        &self.entries[..self.ends.last().map_or(0, |&end| width::index(end))]
    }
}

impl fmt::Debug for Expander {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("native code")
    }
}

impl Compiled {
    fn new(rules: &BoxRules, grid: &Grid, kind: Listing) -> Result<Compiled, Refusal> {
        let BoxRules { code, values, .. } = rules;
        let (flow, flag) = (Flow::new(code)?, Arc::<AtomicBool>::default());
        let address = i64::try_from(Arc::as_ptr(&flag).addr()).unwrap_or_default();
        let native = Native::compile(|b, target| build(b, target, rules, &flow, (grid, kind), address))?;
        let (grid, values, free) = (grid.clone(), values.clone(), rules.free());
        Ok(Compiled { native, grid, _code: code.clone(), values, flag, free })
    }

    fn run(&self, state: &mut ExpandState, ranks: &[u64], ends: &mut [u64]) -> Result<i64, Refusal> {
        if ranks.len() != ends.len() || ranks.iter().any(|&rank| rank >= self.grid.volume) {
            return Err(Refusal::Outside);
        }
        (state.ranks, state.count, state.ends) = (ranks.as_ptr(), ranks.len() as u64, ends.as_mut_ptr());
        let mut frame = FrameInUse::new(self.values.as_ref());
        // SAFETY: the state describes slices that live as long as the call; the code keeps to them.
        #[allow(unsafe_code)]
        let status = unsafe { self.native.call(std::ptr::from_mut(state), std::ptr::null_mut(), &mut frame) };
        if status == INTERRUPTED { Err(Refusal::Interrupted) } else { Ok(status) }
    }
}

impl Expander {
    /// Compiles the rules of an instance for a box. `Err` says what native code cannot do.
    pub(crate) fn new(rules: &BoxRules, grid: &Grid) -> Result<Expander, Refusal> {
        Compiled::new(rules, grid, Listing::Options { counts: false }).map(Expander)
    }

    /// The box.
    pub fn grid(&self) -> &Grid {
        &self.0.grid
    }

    /// The flag that stops it.
    pub(crate) fn flag(&self) -> &Arc<AtomicBool> {
        &self.0.flag
    }

    /// The options of each of these states, which must be in the box. `rows` is emptied first. `Err`:
    /// [`Refusal::Outside`] when an option is outside of the box or the rules fault; [`Refusal::Memory`] when there are more options than
    /// memory; [`Refusal::Interrupted`].
    pub fn expand(&self, ranks: &[u64], rows: &mut Rows) -> Result<(), Refusal> {
        if self.expand_known(ranks, rows)? { Ok(()) } else { Err(Refusal::Outside) }
    }

    /// The same where the only entry of some states may be [`FAULTY`]: whether there is none.
    pub(crate) fn expand_known(&self, ranks: &[u64], rows: &mut Rows) -> Result<bool, Refusal> {
        self.expand_within(ranks, rows, &mut 0)
    }

    fn expand_within(&self, ranks: &[u64], rows: &mut Rows, steps: &mut u64) -> Result<bool, Refusal> {
        if rows.entries.len() < 1024 {
            rows.entries.resize(1024, 0);
        }
        rows.ends.clear();
        rows.ends.resize(ranks.len(), 0);
        let mut state = ExpandState { steps: *steps, ..ExpandState::default() };
        loop {
            (state.out, state.room) = (rows.entries.as_mut_ptr(), rows.entries.len() as u64);
            let status = self.0.run(&mut state, ranks, &mut rows.ends);
            *steps = state.steps;
            match status? {
                FULL => {
                    let bytes = 2 * size_of_val(&rows.entries[..]) as u64;
                    if bytes > self.0.free {
                        return Err(Refusal::Memory(bytes));
                    }
                    rows.entries.resize(rows.entries.len() * 2, 0);
                }
                _ => return Ok(state.faults == 0),
            }
        }
    }
}

impl CountedExpander {
    /// Like [`Expander::new`].
    pub(crate) fn new(rules: &BoxRules, grid: &Grid) -> Result<CountedExpander, Refusal> {
        Compiled::new(rules, grid, Listing::Options { counts: true })
            .map(|compiled| CountedExpander(Expander(compiled)))
    }

    /// The box.
    pub(crate) fn grid(&self) -> &Grid {
        self.0.grid()
    }

    /// Like [`Expander::expand_known`], with [`Refusal::Interrupted`] where the loops of the rules take more than so many steps, which become fewer.
    pub(crate) fn expand_known(&self, ranks: &[u64], rows: &mut Rows, steps: &mut u64) -> Result<bool, Refusal> {
        if *steps == 0 { Err(Refusal::Interrupted) } else { self.0.expand_within(ranks, rows, steps) }
    }
}

impl Changes {
    /// Compiles the rules of an instance for a box; `joined` is the number of states of the fields whose changes are
    /// exclusive ors, the least significant ones and of `2^n` values each. `Err` says what native code cannot do.
    pub(crate) fn new(rules: &BoxRules, grid: &Grid, joined: u64) -> Result<Changes, Refusal> {
        Compiled::new(rules, grid, Listing::Changes(joined)).map(Changes)
    }

    /// The flag that stops it.
    pub(crate) fn flag(&self) -> &Arc<AtomicBool> {
        &self.0.flag
    }

    /// For each of these states, which must be in the box, the bits of what it can do: the changes of its options, and
    /// [`STOP`], [`ENDED`] and [`FAULTY`]. A change that is not in the table is told to `add`, which puts it there.
    pub(crate) fn list(
        &self,
        ranks: &[u64],
        table: &mut ChangeTable,
        bits: &mut [u64],
        mut add: impl FnMut(&mut ChangeTable, u64) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut state = ExpandState::default();
        loop {
            (state.out, state.room) = (table.slots.as_mut_ptr().cast(), table.factor);
            match self.0.run(&mut state, ranks, bits)? {
                FULL => add(table, state.rank)?,
                _ => return Ok(()),
            }
        }
    }
}

impl RankChange {
    fn add(&mut self, e: &mut Emitter, by: Value) {
        self.moving = Some(self.moving.map_or(by, |sum| e.b.ins().iadd(sum, by)));
    }

    /// What is known of it.
    pub(super) fn fixed(self) -> Result<i64, Refusal> {
        i64::try_from(self.fixed).map_err(|_| Refusal::BoxTooLarge)
    }

    pub(super) fn value(self, e: &mut Emitter) -> Result<Value, Refusal> {
        let fixed = self.fixed()?;
        Ok(match self.moving {
            Some(moving) => e.b.ins().iadd_imm_s(moving, fixed),
            None => e.const_value(fixed),
        })
    }
}

impl ExpandSink<'_> {
    fn set_bit(&self, e: &mut Emitter, change: Value) {
        let (slots, factor) = (e.b.use_var(self.out), e.b.use_var(self.room));
        let product = e.b.ins().imul(change, factor);
        let place = e.b.ins().ushr_imm_u(product, i64::from(64 - PLACES));
        let slot = e.item_at(slots, place, 4);
        let found = e.load(slot, 0);
        let other = e.b.ins().icmp(IntCC::NotEqual, found, change);
        let [fresh, on] = [(); 2].map(|()| e.b.create_block());
        e.branch(other, fresh, on, fresh);
        e.b.def_var(self.rank, change);
        e.b.ins().jump(self.full, NONE);
        e.b.switch_to_block(on);
        let (bit, bits) = (e.load(slot, 8), e.b.use_var(self.used));
        let bits = e.b.ins().bor(bits, bit);
        e.b.def_var(self.used, bits);
    }
}

impl Words for ExpandSink<'_> {
    const STOPS: u64 = STOP;
    const OVER: u64 = ENDED;

    fn option(&self, e: &mut Emitter, instance: InstanceId, fields: &[Reg], again: bool) -> Result<Value, Refusal> {
        if instance != self.instance {
            return Err(Refusal::OtherGame);
        }
        let [change, _] = rank_changes(e, self.grid, &self.inputs, fields, 0)?;
        let (rank, change) = (e.b.use_var(self.rank), change.value(e)?);
        let to = e.b.ins().iadd(rank, change);
        let (entry, mark) = match self.joined {
            None => (to, AGAIN),
            Some(joined) => {
                // Joined fields have bits of their own, below the strides of the others.
                let low = (joined - 1).cast_signed();
                let (ors, [to, from]) = (e.b.ins().bxor(to, rank), [to, rank].map(|at| e.b.ins().band_imm_s(at, !low)));
                let (ors, sums) = (e.b.ins().band_imm_s(ors, low), e.b.ins().isub(to, from));
                (e.b.ins().iadd(ors, sums), KEEPS_TURN)
            }
        };
        // Neither has the bit.
        Ok(if again { e.b.ins().bxor_imm_s(entry, mark.cast_signed()) } else { entry })
    }

    fn write(&self, e: &mut Emitter, entry: Value) {
        if self.joined.is_some() {
            return self.set_bit(e, entry);
        }
        let (used, room) = (e.b.use_var(self.used), e.b.use_var(self.room));
        let over = e.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, used, room);
        e.leave_if(over, self.full);
        let out = e.b.use_var(self.out);
        let place = e.item_at(out, used, 3);
        e.b.ins().store(trusted(), entry, place, 0);
        e.advance(self.used, 1);
    }

    fn done(&self) -> Block {
        self.done
    }
}

fn build(
    mut b: FunctionBuilder,
    target: TargetFrontendConfig,
    rules: &BoxRules,
    flow: &Flow,
    (grid, kind): (&Grid, Listing),
    flag: i64,
) -> Result<(), Refusal> {
    let &BoxRules { ref code, instance, .. } = rules;
    let (joined, counts) = match kind {
        Listing::Options { counts } => (None, counts),
        Listing::Changes(joined) => (Some(joined), false),
    };
    let [head, body, done, fail, full, interrupted] = [(); 6].map(|()| b.create_block());
    let around = Around::new(&mut b, grid)?;
    let [ranks, count, at, out, room, used, ends, faults, rank, begun] = [(); 10].map(|()| b.declare_var(I64));
    let steps = counts.then(|| b.declare_var(I64));
    let words = [ranks, count, at, out, room, used, ends, faults];
    around.load(&mut b, &(0..).step_by(8).zip(words).chain(steps.map(|steps| (72, steps))).collect::<Vec<_>>());
    let zeroed: Vec<Variable> = around.inputs.iter().copied().chain([rank, begun]).collect();
    let mut e = around.emitter(b, (code, flow), fail, target, &zeroed);

    let now = around.while_below(&mut e, head, at, count, body);
    if joined.is_some() {
        let none = e.const_value(0);
        e.b.def_var(used, none);
    }
    let first = e.b.use_var(used);
    e.b.def_var(begun, first);
    let base = e.b.use_var(ranks);
    let place = e.item_at(base, now, 3);
    let this = e.load(place, 0);
    e.b.def_var(rank, this);
    for (&input, digit) in around.inputs.iter().zip(&grid.digits) {
        let place = digit_of(&mut e, this, digit.stride, digit.span.size, grid.volume);
        let word = if digit.reversed {
            let last = e.const_value(digit.span.last());
            e.b.ins().isub(last, place)
        } else if digit.span.least == 0 {
            place
        } else {
            e.b.ins().iadd_imm_s(place, digit.span.least)
        };
        e.b.def_var(input, word);
    }
    around.fields(&mut e, code)?;
    let inputs = around.inputs.clone();
    let sink = ExpandSink { instance, grid, joined, inputs, rank, out, used, room, full, done };
    let mut translator = Translator::new(code, flow, e, sink, Exits { done, interrupted, flag, steps });
    translator.run()?;
    let Translator { mut e, sink, .. } = translator;

    e.b.switch_to_block(fail);
    let first = e.b.use_var(begun);
    e.b.def_var(used, first);
    let faulty = e.const_value(FAULTY.cast_signed());
    sink.write(&mut e, faulty);
    e.advance(faults, 1);
    e.b.ins().jump(done, NONE);

    e.b.switch_to_block(done);
    let (now, last) = (e.b.use_var(at), e.b.use_var(used));
    let base = e.b.use_var(ends);
    let place = e.item_at(base, now, 3);
    e.b.ins().store(trusted(), last, place, 0);
    e.advance(at, 1);
    e.b.ins().jump(head, NONE);

    around.stops(&mut e, &[(full, FULL), (interrupted, INTERRUPTED)], |e| {
        let first = e.b.use_var(begun);
        e.b.def_var(used, first);
    });
    let words = [(16, at), (40, used), (56, faults), (64, rank)];
    around.store(&mut e, &words.into_iter().chain(steps.map(|steps| (72, steps))).collect::<Vec<_>>());
    around.finish(e, target);
    Ok(())
}

/// By how much the rank of an option differs from that of the position, and its place within a row of so many cells. Gives
/// the position up where the option is outside of the box.
pub(super) fn rank_changes(
    e: &mut Emitter,
    grid: &Grid,
    inputs: &[Variable],
    fields: &[Reg],
    row: u64,
) -> Result<[RankChange; 2], Refusal> {
    // What is added to the field itself, where that is known.
    let own = |(i, &reg): (usize, &Reg)| e.fact(reg).from.filter(|from| usize::from(from.0) == i).map(|from| from.1);
    let added: Vec<Option<i64>> = fields.iter().enumerate().map(own).collect();
    for (i, (&reg, digit)) in fields.iter().zip(&grid.digits).enumerate() {
        let (fact, added) = (e.fact(reg), added[i]);
        if added != Some(0) {
            let Span { least, size, sure } = digit.span;
            let known = if sure { fact.at_least(least) } else { fact };
            let known = if added.is_some_and(|added| added < 0) { known.at_most(digit.span.last()) } else { known };
            let place = |value: i64| value.saturating_sub(least);
            let known = Fact::within(place(known.lo), place(known.hi));
            let value = e.get(reg);
            let value = if least == 0 { value } else { e.b.ins().iadd_imm_s(value, least.wrapping_neg()) };
            e.bound(value, known, width::int(size));
        }
    }
    // The values of groups in which something changes, in ascending order.
    let mut sorted: Vec<Option<Value>> = vec![None; fields.len()];
    for group in grid.groups.iter().filter(|group| group.iter().any(|&i| added[i] != Some(0))) {
        let mut values: Vec<Value> = group.iter().map(|&i| e.get(fields[i])).collect();
        ascend(e, &mut values);
        for (&i, value) in group.iter().zip(values) {
            sorted[i] = Some(value);
        }
    }
    for chain in &grid.chains {
        for pair in chain.fields.windows(2).filter(|pair| pair.iter().any(|&i| added[i] != Some(0))) {
            let [low, high] = [pair[0], pair[1]].map(|i| e.get(fields[i]));
            let low = e.b.ins().iadd_imm_s(low, width::int(chain.gap));
            let mixed = e.b.ins().icmp(IntCC::SignedLessThan, high, low);
            e.fail_if(mixed);
        }
    }
    let mut changes = [RankChange::default(); 2];
    for (i, (&reg, digit)) in fields.iter().zip(&grid.digits).enumerate() {
        let stride = i128::from(digit.stride) * if digit.reversed { -1 } else { 1 };
        let changed = if digit.stride < row { &mut changes[..] } else { &mut changes[..1] };
        match (sorted[i], added[i]) {
            (None, Some(0)) => {}
            (None, Some(added)) if grid.chain_of(i).is_none() => {
                for change in changed {
                    change.fixed += i128::from(added) * stride;
                }
            }
            (value, _) => {
                let (value, old) = (value.unwrap_or_else(|| e.get(reg)), e.b.use_var(inputs[i]));
                let by = if let Some((chain, at)) = grid.chain_of(i) {
                    let worth = e.address(chain.worth[at].as_ptr());
                    let [new, old] = [value, old].map(|value| {
                        let place = e.item_at(worth, value, 3);
                        e.load(place, 0)
                    });
                    e.b.ins().isub(new, old)
                } else {
                    let by = e.b.ins().isub(value, old);
                    e.b.ins().imul_imm_s(by, i64::try_from(stride).map_err(|_| Refusal::BoxTooLarge)?)
                };
                for change in &mut *changed {
                    change.add(e, by);
                }
            }
        }
    }
    Ok(changes)
}

/// Puts values in ascending order (a network of exchanges: insertion, Knuth, The Art of Computer Programming 3, section
/// 5.3.4).
fn ascend(e: &mut Emitter, values: &mut [Value]) {
    for end in 1..values.len() {
        for at in (0..end).rev() {
            let (a, b) = (values[at], values[at + 1]);
            values[at] = e.b.ins().smin(a, b);
            values[at + 1] = e.b.ins().smax(a, b);
        }
    }
}

/// `rank / stride % size`.
fn digit_of(e: &mut Emitter, rank: Value, stride: u64, size: u64, volume: u64) -> Value {
    let quotient = if stride == 1 { rank } else { e.b.ins().udiv_imm_u(rank, stride.cast_signed()) };
    // The most significant digit has no other before it.
    let most = u128::from(stride) * u128::from(size) >= u128::from(volume);
    if most { quotient } else { e.b.ins().urem_imm_u(quotient, size.cast_signed()) }
}
