//! The moves of all states of a box as bits: native code that says which of the changes met so far each state can make.
//!
//! A move changes the rank of a state: sets by an exclusive or, other fields by a sum. Many games have few different
//! changes, however many states and moves. A change is a word, see [`Unmove`](crate::graph_search::unmove::Unmove); what ends a play and
//! what cannot be worked out are words of their own, so that all that is known of a state fits the bits of one word.
//!
//! Such a change is one to one, so that a move is taken back by undoing it, and a predecessor is real when its bit is
//! set: exact by what was seen, with no proof about the rules. States that lead to one whose rules fault, or outside of
//! the box, are not answered for.

use crate::bytecode::InstanceId;
use crate::bytecode::{Code, Reg};
use crate::jit::box_loop::Around;
use crate::jit::emit::{Emitter, NONE, trusted};
use crate::jit::flow::Flow;
use crate::jit::function::Native;
use crate::jit::ranking::Grid;
use crate::jit::translate::{Exits, Translator, Words};
use crate::value::refusal::Refusal;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{Block, InstBuilder, Value};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Exclusive-or'ed to a change whose mover has the next turn. Changes of ranks stay far below it.
pub(crate) const KEEPS_TURN: u64 = 1 << 62;

/// No change: a move ends the play; 0, 1, 2 in the low bits: the mover wins, loses, draws.
pub(crate) const STOPS: u64 = 1 << 60;

/// No change: the play is over at the state; for the player to move it is won, lost, drawn.
pub(crate) const OVER: u64 = 1 << 59;

/// No change: the rules fault, or an option is outside of the box.
pub(crate) const FAULTS: u64 = 1 << 58;

/// No word of the others.
const FREE: u64 = 1 << 63;

/// Boxes are smaller.
pub(crate) const VOLUME: u64 = 1 << 31;

/// So many different words, at most.
pub(crate) const MOST: usize = 64;

/// Places of the table of words.
pub(crate) const PLACES: u32 = 9;

/// What a run of the code reads and writes.
#[repr(C)]
struct ListState {
    rank: u64,
    end: u64,
    out: *mut u64,
    slots: *const [u64; 2],
    factor: u64,
    fresh: u64,
}

const FRESH: i64 = 1;

const INTERRUPTED: i64 = 2;

/// Native code that lists moves, with the words met so far.
pub(crate) struct Lister {
    native: Arc<Native>,
    grid: Grid,
    /// The words by bit.
    pub(crate) words: Vec<u64>,
    /// Each word with its bit, where the product of word and factor says.
    slots: Vec<[u64; 2]>,
    factor: u64,
    /// The state of the next rank, and that rank.
    fields: Vec<i64>,
    rank: u64,
    /// What addresses in the native code point to.
    code: Arc<Code>,
    flag: Arc<AtomicBool>,
}

impl Lister {
    /// Compiles the rules of an instance for a box; `joined`: the fields whose changes are exclusive ors, the least
    /// significant ones and of `2^n` values each. `Err` says what native code cannot do.
    pub(crate) fn new(
        code: &Arc<Code>,
        instance: InstanceId,
        grid: &Grid,
        joined: &[bool],
        flag: &Arc<AtomicBool>,
    ) -> Result<Lister, Refusal> {
        if grid.volume > VOLUME {
            return Err(Refusal::BoxTooLarge);
        }
        let flow = Flow::new(code)?;
        let address = i64::try_from(Arc::as_ptr(flag).addr()).unwrap_or_default();
        let native = Native::compile(|b, target| build(b, target, code, &flow, instance, grid, joined, address))?;
        Ok(Lister {
            native: Arc::new(native),
            grid: grid.clone(),
            words: Vec::new(),
            slots: vec![[FREE, 0]; 1 << PLACES],
            factor: 1,
            fields: grid.words(0),
            rank: 0,
            code: code.clone(),
            flag: flag.clone(),
        })
    }

    /// Another one for the same box, with the words met so far.
    pub(crate) fn fork(&self) -> Lister {
        Lister {
            native: self.native.clone(),
            grid: self.grid.clone(),
            words: self.words.clone(),
            slots: self.slots.clone(),
            factor: self.factor,
            fields: self.fields.clone(),
            rank: self.rank,
            code: self.code.clone(),
            flag: self.flag.clone(),
        }
    }

    /// Goes on at this state.
    pub(crate) fn go(&mut self, rank: u64) {
        if self.rank != rank {
            (self.fields, self.rank) = (self.grid.words(rank), rank);
        }
    }

    /// The bits of as many states as `out` is long, which go on where the last call ended. All must be in the box.
    pub(crate) fn list(&mut self, out: &mut [u64]) -> Result<(), Refusal> {
        let end = self.rank + out.len() as u64;
        let mut state = ListState {
            rank: self.rank,
            end,
            out: out.as_mut_ptr(),
            slots: self.slots.as_ptr(),
            factor: self.factor,
            fresh: 0,
        };
        loop {
            // SAFETY: the state describes slices that live as long as the call: the code writes one word a rank below
            // `end` and reads the places of the table.
            #[allow(unsafe_code)]
            let status = unsafe { self.native.call(&raw mut state, self.fields.as_mut_ptr()) };
            self.rank = state.rank;
            match status {
                FRESH => {
                    self.add(state.fresh)?;
                    state.slots = self.slots.as_ptr();
                    state.factor = self.factor;
                }
                INTERRUPTED => return Err(Refusal::Interrupted),
                _ => return Ok(()),
            }
        }
    }

    /// Gives a word a bit, and finds a factor that sends all words to different places.
    fn add(&mut self, word: u64) -> Result<(), Refusal> {
        if self.words.len() == MOST {
            return Err(Refusal::UnlikeMoves);
        }
        self.words.push(word);
        // Odd factors from a Weyl sequence; some tens of tries do for 64 words.
        for _ in 0..1_000_000 {
            self.slots.fill([FREE, 0]);
            let free = self.words.iter().zip(0u32..).all(|(&word, bit)| {
                let place = word.wrapping_mul(self.factor) >> (64 - PLACES);
                let slot = &mut self.slots[usize::try_from(place).unwrap_or(0)];
                let free = slot[0] == FREE;
                *slot = [word, 1 << bit];
                free
            });
            if free {
                return Ok(());
            }
            self.factor = self.factor.wrapping_add(0x9e37_79b9_7f4a_7c16) | 1;
        }
        Err(Refusal::UnlikeMoves)
    }
}

#[allow(clippy::too_many_arguments)] // the one place where all of them meet
fn build(
    mut b: FunctionBuilder,
    target: TargetFrontendConfig,
    code: &Code,
    flow: &Flow,
    instance: InstanceId,
    grid: &Grid,
    joined: &[bool],
    flag: i64,
) -> Result<(), Refusal> {
    let [head, body, done, fail, stop, interrupted] = [(); 6].map(|()| b.create_block());
    let around = Around::new(&mut b, grid);
    let [rank, end, out, slots, factor, fresh, bits] = [(); 7].map(|()| b.declare_var(I64));
    around.load(&mut b, &[(0, rank), (8, end), (16, out), (24, slots), (32, factor)]);
    around.load_fields(&mut b)?;
    let mut e = around.emitter(b, code, fail, target, &[fresh, bits]);
    around.while_below(&mut e, head, rank, end, body);
    let none = e.const_value(0);
    e.b.def_var(bits, none);
    around.fields(&mut e, code)?;
    let sink =
        ListSink { instance, grid, joined, inputs: around.inputs.clone(), bits, slots, factor, fresh, stop, done };
    let mut translator = Translator::new(code, flow, e, sink, Exits { done, interrupted, flag });
    translator.run()?;
    let Translator { mut e, sink, .. } = translator;

    // A state that cannot be worked out has this bit alone.
    e.b.switch_to_block(fail);
    let none = e.const_value(0);
    e.b.def_var(bits, none);
    let word = e.const_value(FAULTS.cast_signed());
    sink.note(&mut e, word);
    e.b.ins().jump(done, NONE);

    e.b.switch_to_block(done);
    let (found, place) = (e.b.use_var(bits), e.b.use_var(out));
    e.b.ins().store(trusted(), found, place, 0);
    let (one, eight) = (e.const_value(1), e.const_value(8));
    let next = e.b.ins().iadd(place, eight);
    e.b.def_var(out, next);
    let now = e.b.use_var(rank);
    let next = e.b.ins().iadd(now, one);
    e.b.def_var(rank, next);
    around.odometer(&mut e, head);

    around.stops(&mut e, &[(stop, FRESH), (interrupted, INTERRUPTED)], |_| {});
    around.store(&mut e, &[(0, rank), (16, out), (40, fresh)]);
    around.store_fields(&mut e)?;
    around.finish(e, target);
    Ok(())
}

/// Writes down the change of the rank by each move, as a bit of the state's word.
struct ListSink<'a> {
    instance: InstanceId,
    grid: &'a Grid,
    joined: &'a [bool],
    inputs: Vec<Variable>,
    bits: Variable,
    slots: Variable,
    factor: Variable,
    fresh: Variable,
    stop: Block,
    done: Block,
}

impl ListSink<'_> {
    /// How a move to these fields changes the rank.
    fn change(&self, e: &mut Emitter, fields: &[Reg], again: bool) -> Result<Value, Refusal> {
        let mut change = e.const_value(0);
        for (i, (&reg, digit)) in fields.iter().zip(&self.grid.digits).enumerate() {
            let fact = e.fact(reg);
            if fact.from == Some((u16::try_from(i).unwrap_or(u16::MAX), 0)) {
                continue;
            }
            let value = e.get(reg);
            let known = if digit.natural { fact.at_least(0) } else { fact };
            e.bound(value, known, i64::try_from(digit.size).unwrap_or(i64::MAX));
            let old = e.b.use_var(self.inputs[i]);
            let step = if self.joined[i] { e.b.ins().bxor(value, old) } else { e.b.ins().isub(value, old) };
            let stride = e.const_value(i64::try_from(digit.stride).map_err(|_| Refusal::BoxTooLarge)?);
            let step = e.b.ins().imul(step, stride);
            // Joined fields have bits of their own, below the strides of the others.
            change = e.b.ins().iadd(change, step);
        }
        if again {
            let mark = e.const_value(KEEPS_TURN.cast_signed());
            change = e.b.ins().bxor(change, mark);
        }
        Ok(change)
    }

    /// Sets the bit of a word.
    fn note(&self, e: &mut Emitter, word: Value) {
        let factor = e.b.use_var(self.factor);
        let product = e.b.ins().imul(word, factor);
        let shift = e.const_value(i64::from(64 - PLACES));
        let place = e.b.ins().ushr(product, shift);
        let four = e.const_value(4);
        let offset = e.b.ins().ishl(place, four);
        let slots = e.b.use_var(self.slots);
        let slot = e.b.ins().iadd(slots, offset);
        let found = e.b.ins().load(I64, trusted(), slot, 0);
        e.b.def_var(self.fresh, word);
        let other = e.b.ins().icmp(IntCC::NotEqual, found, word);
        let on = e.b.create_block();
        e.b.ins().brif(other, self.stop, NONE, on, NONE);
        e.b.switch_to_block(on);
        let bit = e.b.ins().load(I64, trusted(), slot, 8);
        let bits = e.b.use_var(self.bits);
        let bits = e.b.ins().bor(bits, bit);
        e.b.def_var(self.bits, bits);
    }
}

impl Words for ListSink<'_> {
    const STOPS: u64 = STOPS;
    const OVER: u64 = OVER;

    fn option(&self, e: &mut Emitter, instance: InstanceId, fields: &[Reg], again: bool) -> Result<Value, Refusal> {
        if instance != self.instance {
            return Err(Refusal::OtherGame);
        }
        self.change(e, fields, again)
    }

    fn write(&self, e: &mut Emitter, word: Value) {
        self.note(e, word);
    }

    fn done(&self) -> Block {
        self.done
    }
}
