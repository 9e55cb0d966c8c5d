//! Instructions on values in native code: each is a call that works on registers of its own.

use crate::bytecode::{Code, Op, Reg, Registers};
use crate::jit::memoized::{AnswerBox, FACTOR, Made, Memoized, StateQuestion, memoized_runs};
use crate::store::Domains;
use crate::store::step::{self, Builder, Host, next_ints, next_item};
use crate::value::{Run, Value, width};
use parking_lot::Mutex;
use std::sync::Arc;

/// What code needs for its instructions on values. Threads that run it share it.
pub(crate) struct ValueCode {
    code: Arc<Code>,
    domains: Domains,
    /// Lets and inputs at top level that the code reads.
    globals: Vec<(u32, Value)>,
    /// The runs of [`crate::jit::memoized`] with the questions that they are.
    runs: Vec<(Memoized, Option<StateQuestion>)>,
    /// The length of the table of their results, and how many numbers their boxes of answers have.
    lengths: [usize; 2],
    /// Runs instructions that need more than values and domains; one thread at a time.
    context: Mutex<Option<InContext>>,
    /// Registers that nobody uses now.
    #[expect(clippy::vec_box, reason = "native code keeps the address of a frame")]
    free: Mutex<Vec<Box<Frame>>>,
}

/// The registers of one thread. Native code reads the addresses of the words, of the memoized results, of the numbers of
/// the boxes of answers and of ints that were made.
#[repr(C)]
pub(crate) struct Frame {
    words: *mut i64,
    results: *mut u64,
    numbers: *const u64,
    ints: *const i64,
    code: *const ValueCode,
    registers: Registers,
    builders: Vec<Builder>,
    serial: i64,
    /// The results of [`crate::jit::memoized`].
    table: Vec<u64>,
    /// By run, answers that a table gave; without any once there can be none.
    boxes: Vec<Option<AnswerBox>>,
    /// The numbers of them all.
    box_numbers: Vec<u64>,
    /// What words made of ints: the number of the call, its ints, the value.
    made: Vec<Option<(u16, [i64; 2], Value)>>,
    lists: Lists,
}

/// Ints that native code goes through, or tuples of them: how many there are, they themselves, and a last one of zeros.
#[derive(Default)]
struct Lists {
    kept: Vec<Box<[i64]>>,
    /// How many numbers these are.
    size: usize,
}

impl Lists {
    /// So many numbers are kept.
    const LARGEST: usize = 1 << 22;

    /// The address of the members of a collection, of so many ints each; 0: of others, of many, or there is no room.
    fn enter(&mut self, members: &Value, width: u8) -> *const i64 {
        let none = std::ptr::null();
        let len = match *members {
            Value::Range(from, to) => to.saturating_sub(from).saturating_add(1).max(0).unsigned_abs(),
            Value::List(_) | Value::Set(_) => members.breadth(),
            _ => return none,
        };
        if len > LONGEST || self.size >= Lists::LARGEST {
            return none;
        }
        let parts = usize::from(width);
        let mut list = vec![0; 1 + (width::index(len) + 1) * parts];
        let mut words = vec![0; 1 + parts];
        for to in list[1..].chunks_exact_mut(parts).take(width::index(len)) {
            if !next_ints(members, &mut words, 0, 1..1 + Reg::from(width)).is_ok_and(|there| there) {
                return none;
            }
            to.copy_from_slice(&words[1..]);
        }
        list[0] = words[0];
        self.size += list.len();
        self.kept.push(list.into_boxed_slice());
        self.kept.last().map_or(none, |list| list.as_ptr())
    }
}

/// So many values that words made of ints are kept.
const MADE: usize = 1 << 12;

/// Collections of more members are not kept.
const LONGEST: u64 = 1 << 10;

/// What native code has of the context: its address, and functions of it. One runs the instruction at a place of the code;
/// one gives a reader of the answers to a question that tables have, for states as ints.
pub(crate) struct InContext {
    pub(crate) address: *mut (),
    pub(crate) run: fn(*mut (), &Code, usize, &mut Registers, &mut Vec<Builder>) -> Run<()>,
    pub(crate) answers: fn(*mut (), &StateQuestion, UseAnswers<'_>),
}

/// See [`InContext`].
pub(crate) type UseAnswers<'a> = &'a mut dyn FnMut(Answers<'_>);

/// Reads the answers for a state and for those after it in a field, as many as there is place for.
type ReadLine<'a> = &'a dyn Fn(&[i64], usize, &mut [Option<u64>]);

/// What tables answer.
#[derive(Clone, Copy)]
pub(crate) struct Answers<'a> {
    pub(crate) read_line: ReadLine<'a>,
    /// How many naturals each field can be in a table of a box, if there is one, and how many bytes may still be taken.
    pub(crate) sizes: &'a dyn Fn() -> Option<(Vec<u64>, u64)>,
}

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

/// Where in a frame the address of the results is, that of the numbers of the boxes of answers, and that of the ints that the
/// last run made, or 0.
pub(super) const RESULTS: i32 = 8;
pub(super) const ANSWERS: i32 = 16;
pub(super) const INTS: i32 = 24;

// SAFETY: `words`, `results` and `numbers` point into vectors that go with the frame and keep their lengths; `ints` into a
// list that does; `code` is read only while [`FrameInUse`] keeps it.
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
        let (runs, results, numbers) = effects.map_or((Vec::new(), 0, 0), |effects| memoized_runs(&code, &effects));
        let question = |run: Memoized| {
            let question = run.question(&code);
            (run, question)
        };
        let runs = runs.into_iter().map(question).collect();
        let (context, free) = (Mutex::new(Some(context)), Mutex::default());
        Arc::new(ValueCode { code, domains, globals, runs, lengths: [results, numbers], context, free })
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
            let [mut table, box_numbers] = code.lengths.map(|length| vec![0; length]);
            Box::new(Frame {
                words,
                results: table.as_mut_ptr(),
                numbers: box_numbers.as_ptr(),
                ints: std::ptr::null(),
                code: Arc::as_ptr(code),
                registers,
                builders: Vec::new(),
                serial: 0,
                table,
                boxes: code.runs.iter().map(|_| None).collect(),
                box_numbers,
                made: Vec::new(),
                lists: Lists::default(),
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
            Op::IntsNext { d, width, items, cursor, .. } => {
                let d = d..d + Reg::from(width);
                if !next_ints(&values[usize::from(items)], words, cursor, d).ok()? {
                    return Some(OVER);
                }
            }
            Op::Global { d, global } => {
                let (_, value) = code.globals.iter().find(|(at, _)| *at == global)?;
                values[usize::from(d)] = value.clone();
            }
            Op::Call { spec } if let Some(ints) = ints(&code.code.calls[usize::from(spec)].args, values) => {
                return self.call_on_ints(code, at, spec, ints);
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

    /// A word on ints. The collection that it makes is kept: what rules make of a number they make of it often.
    fn call_on_ints(&mut self, code: &ValueCode, at: usize, spec: u16, ints: [i64; 2]) -> Option<i64> {
        let place = ints.iter().fold(u64::from(spec), |key, int| (key ^ int.cast_unsigned()).wrapping_mul(FACTOR));
        let place = width::index(place >> 32) % MADE;
        let d = usize::from(code.code.calls[usize::from(spec)].d);
        if let Some(Some((of, own, value))) = self.made.get(place)
            && (*of, *own) == (spec, ints)
        {
            self.registers.values[d] = value.clone();
            return Some(0);
        }
        let Frame { registers: Registers { words, values }, builders, serial, .. } = self;
        if !step::step(&mut Running { code, serial }, code.code.ops[at], &code.code, words, values, builders).ok()? {
            return self.run_in_context(code, at);
        }
        if values[d].breadth() <= LONGEST {
            self.made.resize(MADE, None);
            self.made[place] = Some((spec, ints, self.registers.values[d].clone()));
        }
        Some(0)
    }

    fn run_in_context(&mut self, code: &ValueCode, at: usize) -> Option<i64> {
        let context = code.context.lock();
        let InContext { address, run, .. } = context.as_ref()?;
        run(*address, &code.code, at, &mut self.registers, &mut self.builders).ok()?;
        Some(0)
    }

    /// The result of a run that is a question, where a table has it; `false`: none has. Answers beside it are kept for
    /// native code.
    fn answer(&mut self, code: &ValueCode, number: usize) -> bool {
        let (run, Some(question)) = &code.runs[number] else { return false };
        let Frame { registers: Registers { words: registers, .. }, boxes, box_numbers, .. } = self;
        let words: Vec<i64> = run.words.iter().map(|&reg| registers[usize::from(reg)]).collect();
        let fields = question.fields.iter().map(|field| field.map_or_else(|known| known, |i| words[i]));
        let mut state: Vec<i64> = fields.collect();
        let mut answer = None;
        let context = code.context.lock();
        let Some(InContext { address, answers, .. }) = context.as_ref() else { return false };
        answers(*address, question, &mut |Answers { read_line, sizes }| {
            let mut known = [None; AnswerBox::TOGETHER];
            read_line(&state, 0, &mut known[..1]);
            answer = known[0].and_then(|answer| i64::try_from(answer).ok());
            let (Some(_), Some(first)) = (answer, run.answers) else { return };
            let found = boxes[number].get_or_insert_with(|| {
                let found = sizes().and_then(|(sizes, room)| AnswerBox::new(question.word_sizes(&words, &sizes), room));
                let found = found.unwrap_or_default();
                let address = found.answers.first().map_or(0, |answer| std::ptr::from_ref(answer).addr() as u64);
                let numbers = std::iter::once(address).chain(found.sizes.iter().copied()).chain(found.strides());
                box_numbers[first..].iter_mut().zip(numbers).for_each(|(to, number)| *to = number);
                found
            });
            let Some(place) = found.place(&words) else { return };
            // A word that is two fields has no line.
            let last = words.len() - 1;
            let (field, most) = question.field_of(last).map_or((0, 1), |field| (field, AnswerBox::TOGETHER));
            let word = width::index(words[last].cast_unsigned());
            let (before, after) = (word % most, width::index(found.sizes[last]) - word);
            state[field] -= width::int(before);
            let to = &mut found.answers[place - before..place + after.min(most - before)];
            read_line(&state, field, &mut known[..to.len()]);
            for (to, known) in to.iter_mut().zip(known) {
                *to = known.and_then(|answer| u16::try_from(answer + 1).ok()).unwrap_or(0);
            }
        });
        let (Some(answer), Made::Word(d)) = (answer, run.result) else { return false };
        registers[usize::from(d)] = answer;
        true
    }
}

/// The arguments of a call, if they are one or two ints.
fn ints(args: &[Reg], values: &[Value]) -> Option<[i64; 2]> {
    let int = |reg: &Reg| if let Value::Int(n) = values[usize::from(*reg)] { Some(n) } else { None };
    match args {
        [a] => Some([int(a)?, 0]),
        [a, b] => Some([int(a)?, int(b)?]),
        _ => None,
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
    let Some(number) = usize::try_from(run).ok().filter(|&run| run < code.runs.len()) else { return FAILED };
    let (run, _) = &code.runs[number];
    if !frame.answer(code, number) && !run.steps.iter().all(|&at| frame.step(code, at) == Some(0)) {
        return FAILED;
    }
    if let Made::Ints(d, width) = run.result {
        frame.ints = frame.lists.enter(&frame.registers.values[usize::from(d)], width);
    }
    0
}
