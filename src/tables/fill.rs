//! Filling a dense table in the order of ranks: native code that works out one cell after the other, and what it writes to.
//!
//! Nothing about the rules is assumed: a position whose option lies outside of the box or not below it in rank, or whose
//! rules fault, becomes "undecided", and so does whatever leads to one. A decided cell is therefore exact.

use crate::bytecode::{Code, InstanceId};
use crate::jit::box_loop::Around;
use crate::jit::emit::{NONE, trusted};
use crate::jit::flow::Flow;
use crate::jit::frame::{FrameInUse, ValueCode};
use crate::jit::function::Native;
use crate::jit::ranking::{Chain, Grid};
use crate::jit::translate::{Exits, Translator};
use crate::tables::cell::Cell;
use crate::tables::cell_sink::{FillSink, record_bytes};
use crate::value::refusal::Refusal;
use crate::value::width;
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FunctionBuilder, Variable};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a run of the code reads and writes.
#[repr(C)]
pub(super) struct FillState {
    /// The address of the cell of rank 0.
    pub(super) table: *mut u8,
    pub(super) rank: u64,
    /// The rank to stop before.
    pub(super) end: u64,
    /// For each value the last rank, plus one, that saw it among its options.
    pub(super) stamps: *mut u64,
    /// The records of lines; the first stays empty.
    pub(super) records: *mut u64,
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub(super) enum Stopped {
    Done,
    /// A value does not fit a cell.
    LargerValue,
    /// A remoteness does not.
    LargerFar,
    /// A value does not fit the records of lines, in which nothing is noted yet of its cell.
    LargerRecords,
    Interrupted,
    /// A move leads to a sum, which this kind of cell cannot take.
    Sum,
    /// A move leads to a later place of an earlier row, which another thread may not have filled.
    Ahead,
}

const STOPS: [Stopped; 6] = [
    Stopped::LargerValue,
    Stopped::LargerFar,
    Stopped::LargerRecords,
    Stopped::Interrupted,
    Stopped::Sum,
    Stopped::Ahead,
];

/// What native code that fills cells is made for.
pub(super) struct FillPlan<'a> {
    pub(super) code: &'a Arc<Code>,
    pub(super) values: &'a Option<Arc<ValueCode>>,
    pub(super) flow: &'a Flow,
    pub(super) instance: InstanceId,
    pub(super) grid: &'a Grid,
    pub(super) cell: Cell,
    /// Words of values in a record of a line; 0: moves along lines are run through.
    pub(super) record_words: u64,
    /// Several threads fill rows of so many cells; 0: one fills all.
    pub(super) row: u64,
    pub(super) flag: &'a Arc<AtomicBool>,
}

/// Native code that fills cells of one form.
pub(super) struct Filler {
    native: Native,
    /// So many cells before rank 0 may be read.
    pub(super) before: u64,
    /// So many records of lines are wanted, of so many words of values each.
    pub(super) records: u64,
    pub(super) record_words: u64,
    /// The code that addresses in the native code point into.
    _code: Arc<Code>,
    values: Option<Arc<ValueCode>>,
    _flag: Arc<AtomicBool>,
    _chains: Vec<Chain>,
}

/// More kinds of lines than this are run through.
const RAYS: usize = 8;

/// What threads that fill one table share.
pub(super) struct FillContext<'a> {
    pub(super) filler: &'a Filler,
    pub(super) grid: &'a Grid,
    /// The address of the cell of rank 0, in a table as the filler wants it.
    pub(super) table: *mut u8,
    /// As many records as the filler wants.
    pub(super) records: *mut u64,
    /// How many values there are, the one for "not decided" included.
    pub(super) values: usize,
}

/// What one thread has.
pub(super) struct FillWorker<'a> {
    context: &'a FillContext<'a>,
    stamps: Vec<u64>,
    /// The state of a rank.
    words: Vec<i64>,
    frame: FrameInUse,
    rank: u64,
}

/// See [`crate::tables::cell_sink`].
#[derive(Debug, Default)]
pub struct LineRecords {
    /// Words of values in each.
    words: u64,
    /// The records, one after another.
    pub data: Vec<u64>,
}

impl Stopped {
    /// Whether a cell cannot be written as it is.
    pub(super) fn tells_of_cell(self) -> bool {
        matches!(self, Stopped::LargerValue | Stopped::LargerFar | Stopped::Sum)
    }
}

impl Filler {
    pub(super) fn new(mut plan: FillPlan<'_>) -> Result<Filler, Refusal> {
        if plan.cell.one_word() {
            plan.record_words = plan.record_words.min(1);
        }
        let (mut before, mut records) = (0, 1);
        let native = Native::compile(|b, target| {
            (before, records) = build(b, target, &plan)?;
            Ok(())
        })?;
        let FillPlan { code, values, record_words, flag, grid, .. } = plan;
        Ok(Filler {
            native,
            before,
            records,
            record_words,
            _code: code.clone(),
            values: values.clone(),
            _flag: flag.clone(),
            _chains: grid.chains.clone(),
        })
    }
}

// SAFETY: the addresses are followed in `FillWorker::fill` only, whose callers say when.
#[allow(unsafe_code)]
unsafe impl Sync for FillContext<'_> {}

impl FillContext<'_> {
    /// What another thread needs. `O(values)`.
    pub(super) fn worker(&self) -> FillWorker<'_> {
        let frame = FrameInUse::new(self.filler.values.as_ref());
        FillWorker { context: self, stamps: vec![0; self.values], words: self.grid.words(0), frame, rank: 0 }
    }
}

impl FillWorker<'_> {
    /// Fills the cells of these ranks in order; `Err`: that rank stopped it, and those before it are filled. No worker may fill
    /// a rank again.
    ///
    /// # Safety
    /// The table and records must be as its filler wants them. All cells and records that the code reads for these ranks
    /// must have been written before, and none that it reads or writes may be touched by another thread meanwhile, but for
    /// cells that both only read.
    #[allow(unsafe_code)]
    pub(super) unsafe fn fill(&mut self, ranks: Range<u64>) -> Result<(), (u64, Stopped)> {
        if self.rank != ranks.start {
            self.words = self.context.grid.words(ranks.start);
        }
        let mut state = FillState {
            table: self.context.table,
            rank: ranks.start,
            end: ranks.end,
            stamps: self.stamps.as_mut_ptr(),
            records: self.context.records,
        };
        // SAFETY: the caller's: rank 0 has as many cells before it as the filler says, and the whole box after it; there are
        // as many records; and there is a stamp for every value.
        let code = unsafe { self.context.filler.native.call(&raw mut state, self.words.as_mut_ptr(), &mut self.frame) };
        self.rank = state.rank;
        let stopped = STOPS.into_iter().find(|stop| *stop as i64 == code);
        stopped.map_or(Ok(()), |stopped| Err((state.rank, stopped)))
    }
}

impl LineRecords {
    /// Makes as many records with so many words of values: empty ones, or if `keep` with what they held. `O(records * words)`.
    pub fn fit(&mut self, count: u64, words: u64, keep: bool) {
        let size = |words: u64| width::index(record_bytes(words) / 8);
        let (old, new) = (size(self.words), size(words));
        let len = width::index(count).saturating_mul(new);
        if !keep {
            self.data.fill(0);
            if self.data.len() != len {
                self.data = vec![0; len];
            }
        } else if old != new || self.data.len() != len {
            let mut data = vec![0; len];
            for (to, from) in data.chunks_exact_mut(new).zip(self.data.chunks_exact(old)) {
                // Values come last.
                let kept = old.min(new);
                to[..kept].copy_from_slice(&from[..kept]);
            }
            self.data = data;
        }
        self.words = words;
    }

    pub(super) fn clear(&mut self) {
        self.data.fill(0);
    }

    /// Records as they were, of so many words of values each.
    pub(super) fn restore(&mut self, data: Vec<u64>, words: u64) {
        (self.data, self.words) = (data, words);
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.data.len() as u64 / (record_bytes(self.words) / 8)
    }

    /// How many words of values each has.
    pub(super) fn words(&self) -> u64 {
        self.words
    }

    pub(super) fn bytes(&self) -> usize {
        self.data.len() * 8
    }

    /// The address of the first record.
    pub(super) fn start(&mut self) -> *mut u64 {
        self.data.as_mut_ptr()
    }
}

/// How many cells before rank 0 may be read, and how many records there are.
fn build(mut b: FunctionBuilder, target: TargetFrontendConfig, plan: &FillPlan<'_>) -> Result<(u64, u64), Refusal> {
    let &FillPlan { code, flow, instance, grid, cell, record_words, row, flag, .. } = plan;
    let [head, body, done, fail, store, larger_value, larger_far, larger_records, several, interrupted, ahead, advance] =
        [(); 12].map(|()| b.create_block());
    let around = Around::new(&mut b, grid)?;
    let mut var = || b.declare_var(I64);
    let [rank, here, stamps, records, seen, least, sum, parts, made, end] = [(); 10].map(|()| var());
    let spare: Vec<Variable> = (0..if record_words > 0 { RAYS } else { 0 }).map(|_| var()).collect();
    let bytes = i64::from(cell.bytes);
    let table = b.ins().load(I64, trusted(), around.state, 0);
    around.load(&mut b, &[(8, rank), (16, end), (24, stamps), (32, records)]);
    let first = b.use_var(rank);
    let offset = b.ins().imul_imm_s(first, bytes);
    let place = b.ins().iadd(table, offset);
    b.def_var(here, place);
    around.load_fields(&mut b)?;
    let mut e = around.emitter(b, (code, flow), fail, target, &[seen, least, sum, parts, made]);

    around.while_below(&mut e, head, rank, end, body);
    let sink = FillSink {
        instance,
        grid,
        cell,
        inputs: around.inputs.clone(),
        rank,
        here,
        stamps,
        seen,
        least,
        sum,
        parts,
        store,
        made,
        larger_value,
        larger_far,
        several,
        rows: (row > 0).then_some((row, ahead)),
        before: 0,
        records,
        record_words,
        line_moves: Vec::new(),
        lines: 1,
        spare,
    };
    sink.begin(&mut e);
    around.must_be_state(&mut e);
    around.fields(&mut e, code)?;
    let flag = i64::try_from(Arc::as_ptr(flag).addr()).unwrap_or_default();
    let exits = Exits { done, interrupted, flag, steps: None };
    let mut translator = Translator::new(code, flow, e, sink, exits);
    translator.run()?;
    let Translator { mut e, sink, .. } = translator;

    e.b.switch_to_block(done);
    sink.finish(&mut e);
    e.b.switch_to_block(fail);
    e.put(made, cell.poison().cast_signed());
    e.b.ins().jump(store, NONE);

    e.b.switch_to_block(store);
    let (cell_value, place) = (e.b.use_var(made), e.b.use_var(here));
    match cell.bytes {
        1 => e.b.ins().istore8(trusted(), cell_value, place, 0),
        2 => e.b.ins().istore16(trusted(), cell_value, place, 0),
        4 => e.b.ins().istore32(trusted(), cell_value, place, 0),
        _ => e.b.ins().store(trusted(), cell_value, place, 0),
    };
    sink.note(&mut e, larger_records);
    e.b.ins().jump(advance, NONE);

    e.b.switch_to_block(advance);
    e.advance(rank, 1);
    e.advance(here, bytes);
    around.odometer(&mut e, head);

    let blocks = [larger_value, larger_far, larger_records, interrupted, several, ahead];
    let stops: Vec<_> = blocks.into_iter().zip(STOPS.map(|stop| stop as i64)).collect();
    around.stops(&mut e, &stops, |_| {});
    around.store(&mut e, &[(8, rank)]);
    around.store_fields(&mut e)?;
    around.finish(e, target);
    Ok((sink.before, sink.lines))
}
