//! Instructions on values in native code: each is a call that works on registers of its own.

use crate::bytecode::{Code, Op, Registers};
use crate::jit::memoized::{Memoized, StateQuestion, memoized_runs};
use crate::store::Domains;
use crate::store::step::{self, Builder, Host, next_item};
use crate::value::{Run, Value, width};
use parking_lot::Mutex;
use std::sync::Arc;

/// What code needs for its instructions on values. Threads that run it share it.
pub(crate) struct ValueCode {
    code: Arc<Code>,
    domains: Domains,
    /// Lets and inputs at top level that the code reads.
    globals: Vec<(u32, Value)>,
    /// The runs of [`crate::jit::memoized`] with the questions that they are, and the length of the table of their results.
    runs: Vec<(Memoized, Option<StateQuestion>)>,
    results: usize,
    /// Runs instructions that need more than values and domains; one thread at a time.
    context: Mutex<Option<InContext>>,
    /// Registers that nobody uses now.
    #[expect(clippy::vec_box, reason = "native code keeps the address of a frame")]
    free: Mutex<Vec<Box<Frame>>>,
}

/// The registers of one thread. Native code reads the addresses of the words and of the memoized results.
#[repr(C)]
pub(crate) struct Frame {
    words: *mut i64,
    results: *mut u64,
    code: *const ValueCode,
    registers: Registers,
    builders: Vec<Builder>,
    serial: i64,
    /// The results of [`crate::jit::memoized`].
    table: Vec<u64>,
}

/// What native code has of the context: its address, and functions of it. One runs the instruction at a place of the code;
/// one gives a reader of the answers to a question that tables have, for states as ints.
pub(crate) struct InContext {
    pub(crate) address: *mut (),
    pub(crate) run: fn(*mut (), &Code, usize, &mut Registers, &mut Vec<Builder>) -> Run<()>,
    pub(crate) answers: fn(*mut (), &StateQuestion, UseAnswers<'_>),
}

/// See [`InContext`].
pub(crate) type UseAnswers<'a> = &'a mut dyn FnMut(&dyn Fn(&[i64]) -> Option<i64>);

// SAFETY: the context is used under a lock only, while the thread that owns it waits or takes its turn.
#[allow(unsafe_code)]
unsafe impl Send for InContext {}

/// A frame in use, if code needs one; it is given back at the end.
pub(crate) struct FrameInUse(Option<(Box<Frame>, Arc<ValueCode>)>);

/// What runs an instruction.
struct Running<'a> {
    code: &'a ValueCode,
    serial: &'a mut i64,
}

/// The statuses of [`step_on_values`] but for 0: a loop has no further member; the instruction faults, or a value does not
/// fit its word.
const OVER: i64 = 1;
pub(crate) const FAILED: i64 = 2;

/// Where in a frame the address of the results is.
pub(super) const RESULTS: i32 = 8;

// SAFETY: `words` and `results` point into vectors that go with the frame and keep their lengths; `code` is read only while
// [`FrameInUse`] keeps it.
#[allow(unsafe_code)]
unsafe impl Send for Frame {}

impl ValueCode {
    pub(crate) fn new(
        code: Arc<Code>,
        domains: Domains,
        globals: Vec<(u32, Value)>,
        context: InContext,
    ) -> Arc<ValueCode> {
        let effects = code.ops.iter().map(|op| op.effects(&code)).collect::<Result<Vec<_>, _>>();
        let (runs, results) = effects.map_or((Vec::new(), 0), |effects| memoized_runs(&code, &effects));
        let question = |run: Memoized| {
            let question = run.question(&code);
            (run, question)
        };
        let runs = runs.into_iter().map(question).collect();
        let (context, free) = (Mutex::new(Some(context)), Mutex::default());
        Arc::new(ValueCode { code, domains, globals, runs, results, context, free })
    }

    /// From now on nothing is left to the context.
    pub(crate) fn leave_context(&self) {
        *self.context.lock() = None;
    }
}

impl FrameInUse {
    /// Registers for one thread.
    pub(crate) fn new(code: Option<&Arc<ValueCode>>) -> FrameInUse {
        let Some(code) = code else { return FrameInUse(None) };
        let frame = code.free.lock().pop().unwrap_or_else(|| {
            let mut registers = Registers::default();
            registers.fit(&code.code);
            let words = registers.words.as_mut_ptr();
            let mut table = vec![0; code.results];
            Box::new(Frame {
                words,
                results: table.as_mut_ptr(),
                code: Arc::as_ptr(code),
                registers,
                builders: Vec::new(),
                serial: 0,
                table,
            })
        });
        FrameInUse(Some((frame, code.clone())))
    }

    /// Its address for native code; null where there is none.
    pub(crate) fn address(&mut self) -> *mut Frame {
        self.0.as_mut().map_or(std::ptr::null_mut(), |(frame, _)| &raw mut **frame)
    }
}

impl Drop for FrameInUse {
    fn drop(&mut self) {
        if let Some((frame, code)) = self.0.take() {
            code.free.lock().push(frame);
        }
    }
}

impl Host for Running<'_> {
    fn domains(&self) -> &Domains {
        &self.code.domains
    }

    /// Nothing: native code counts no steps.
    fn spend(&mut self, _: u64) -> Run<()> {
        Ok(())
    }

    fn foresee(&self, _: i64, _: i64) -> Run<()> {
        Ok(())
    }

    fn serial(&mut self) -> i64 {
        *self.serial += 1;
        *self.serial
    }
}

impl Frame {
    fn step(&mut self, code: &ValueCode, at: usize) -> Option<i64> {
        let Frame { registers: Registers { words, values }, builders, serial, .. } = self;
        let op = code.code.ops[at];
        match op {
            Op::ItemsNext { d, items, cursor, .. } | Op::DistinctNext { d, items, cursor, .. } => {
                let distinct = matches!(op, Op::DistinctNext { .. });
                if !next_item(values, d, items, &mut words[usize::from(cursor)], distinct) {
                    return Some(OVER);
                }
            }
            Op::Global { d, global } => {
                let (_, value) = code.globals.iter().find(|(at, _)| *at == global)?;
                values[usize::from(d)] = value.clone();
            }
            Op::Build if builders.len() > code.code.ops.len() => {
                // Those of positions that were given up.
                builders.drain(..builders.len() / 2);
                return self.step(code, at);
            }
            _ => {
                let done = step::step(&mut Running { code, serial }, op, &code.code, words, values, builders);
                if !done.ok()? {
                    return self.run_in_context(code, at);
                }
            }
        }
        Some(0)
    }

    fn run_in_context(&mut self, code: &ValueCode, at: usize) -> Option<i64> {
        let context = code.context.lock();
        let InContext { address, run, .. } = context.as_ref()?;
        run(*address, &code.code, at, &mut self.registers, &mut self.builders).ok()?;
        Some(0)
    }

    /// The result of a run that is a question, where a table has it; `false`: none has.
    fn answer(&mut self, code: &ValueCode, (run, question): (&Memoized, &StateQuestion)) -> bool {
        let Frame { registers: Registers { words: registers, .. }, table, .. } = self;
        let mut words: Vec<i64> = run.words.iter().map(|&reg| registers[usize::from(reg)]).collect();
        let mut answer = None;
        let context = code.context.lock();
        let Some(InContext { address, answers, .. }) = context.as_ref() else { return false };
        answers(*address, question, &mut |read| {
            let mut state = vec![0; question.fields.len()];
            let mut answer_of = |words: &[i64]| {
                let fields = question.fields.iter().map(|field| field.map_or_else(|known| known, |i| words[i]));
                state.iter_mut().zip(fields).for_each(|(to, field)| *to = field);
                read(&state)
            };
            answer = answer_of(&words);
            let mut beside = (0..words.len()).filter_map(|i| {
                let mut words = words.clone();
                words[i] ^= 1;
                run.entry(&words)
            });
            if answer.is_none() || !beside.any(|(tag, place)| table[place] == tag) {
                return;
            }
            // A second one of those side by side.
            let (near, first) = (run.near_bits(), words.clone());
            for side in 0..1_i64 << (near * width::short(words.len())) {
                for (i, (word, first)) in (0..).zip(words.iter_mut().zip(&first)) {
                    *word = first >> near << near | side >> (near * i) & ((1 << near) - 1);
                }
                if let (Some((tag, place)), Some(answer)) = (run.entry(&words), answer_of(&words)) {
                    table[place..place + 2].copy_from_slice(&[tag, answer.cast_unsigned()]);
                }
            }
        });
        let Some(answer) = answer else { return false };
        registers[usize::from(run.d)] = answer;
        true
    }
}

/// Runs the instruction at this place of the code. Its address is built into native code.
pub(super) extern "C" fn step_on_values(frame: *mut Frame, at: u64) -> i64 {
    // SAFETY: native code with such instructions is given the address of a frame in use, made for this code.
    #[allow(unsafe_code)]
    let (frame, code) = unsafe { (&mut *frame, &*(*frame).code) };
    let Ok(at) = usize::try_from(at) else { return FAILED };
    frame.step(code, at).unwrap_or(FAILED)
}

/// Runs the instructions of a run of [`crate::jit::memoized`], the one with this number.
pub(super) extern "C" fn run_on_values(frame: *mut Frame, run: u64) -> i64 {
    // SAFETY: as above.
    #[allow(unsafe_code)]
    let (frame, code) = unsafe { (&mut *frame, &*(*frame).code) };
    let Some((run, question)) = usize::try_from(run).ok().and_then(|run| code.runs.get(run)) else { return FAILED };
    let answered = question.as_ref().is_some_and(|question| frame.answer(code, (run, question)));
    if answered || run.steps.iter().all(|&at| frame.step(code, at) == Some(0)) { 0 } else { FAILED }
}
