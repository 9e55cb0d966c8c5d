//! Instructions on values in native code: each is a call that works on registers of its own.

use crate::bytecode::{Code, Op, Registers};
use crate::jit::memoized::{memoized_runs, reads};
use crate::store::Domains;
use crate::store::step::{self, Builder, Host, next_item};
use crate::value::{Run, Value};
use parking_lot::Mutex;
use std::sync::Arc;

/// What code needs for its instructions on values. Threads that run it share it.
pub(crate) struct ValueCode {
    code: Arc<Code>,
    domains: Domains,
    /// Lets and inputs at top level that the code reads.
    globals: Vec<(u32, Value)>,
    /// For each instruction whether it makes or asks about a position that is asked about once, just after it is made.
    asked_once: Vec<bool>,
    /// The length of the table of results.
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
    _table: Vec<u64>,
}

/// How the context runs an instruction: its address, and a function of it, code, the place of the instruction, whether the position
/// it is about is asked about once, and registers.
pub(crate) struct InContext {
    pub(crate) address: *mut (),
    pub(crate) run: RunInContext,
}

/// See [`InContext`].
pub(crate) type RunInContext = fn(*mut (), &Code, usize, bool, &mut Registers, &mut Vec<Builder>) -> Run<()>;

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
        let mut asked_once = vec![false; code.ops.len()];
        let results = effects.map_or(0, |effects| {
            let read = reads(&code, &effects);
            for (at, pair) in code.ops.windows(2).enumerate() {
                if let [Op::Place { spec }, Op::Ask { a, .. }] = *pair {
                    let asked = code.places[usize::from(spec)].d == a && read[usize::from(a)] == 1;
                    asked_once[at..=at + 1].fill(asked);
                }
            }
            memoized_runs(&code, &effects).1
        });
        let (context, free) = (Mutex::new(Some(context)), Mutex::default());
        Arc::new(ValueCode { code, domains, globals, asked_once, results, context, free })
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
                _table: table,
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
        let InContext { address, run } = context.as_ref()?;
        run(*address, &code.code, at, code.asked_once[at], &mut self.registers, &mut self.builders).ok()?;
        Some(0)
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
