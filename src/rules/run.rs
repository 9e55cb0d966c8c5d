//! Running code: an explicit stack of frames for recursive defs, and what running a game's rules gives.

use crate::rules::code::{Code, InvokeSpec, Reg, Rep};
use crate::rules::entry;
use crate::rules::fault::{Fault, Halt, Run};
use crate::rules::machine::{Machine, NO_INSTANCE};
use crate::rules::sieve::Sieve;
use crate::rules::step::Step;
use crate::rules::value::{Row, Value};
use crate::syntax::tree::Outcome;
use std::sync::Arc;

/// The two register files of a frame.
#[derive(Debug, Default)]
pub struct Registers {
    pub(crate) words: Vec<i64>,
    pub(crate) values: Vec<Value>,
}

impl Registers {
    /// Makes room for the registers of some code.
    pub(crate) fn fit(&mut self, code: &Code) {
        if self.words.len() < code.words {
            self.words.resize(code.words, 0);
        }
        if self.values.len() < code.values {
            self.values.resize(code.values, Value::Int(0));
        }
    }
}

/// What an `end when` said of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Play goes on.
    Open,
    /// No moves here.
    Over,
    /// The whole play is over: said of the player to move.
    Play(Outcome),
    /// Over with so many points for the player to move.
    Score(i64),
}

/// Where a move leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the components `first..first + len` of [`Options::components`].
    To {
        /// The first.
        first: u32,
        /// How many.
        len: u32,
    },
    /// The mover wins (`First`), loses or draws the whole play.
    Stop(Outcome),
}

/// One move of a component.
#[derive(Clone, Copy, Debug)]
pub struct OptionMove {
    /// Index into the game's moves.
    pub index: u32,
    /// The mover has the next turn.
    pub again: bool,
    /// Points for the mover; `None`: the move says none.
    pub gain: Option<i64>,
    /// Where it leads.
    pub way: Way,
}

/// The options of a component.
#[derive(Debug)]
pub struct Options {
    /// Whether play goes on here.
    pub status: Status,
    /// The moves in order.
    pub moves: Vec<OptionMove>,
    /// Components that the moves lead to.
    pub components: Vec<u32>,
    /// The binders of each move, when asked for.
    pub binders: Vec<Vec<Value>>,
    /// Whether `binders` are wanted.
    pub named: bool,
    /// Values yielded by clause code.
    pub yields: Vec<Vec<Value>>,
    /// Which of them are kept; `None`: all.
    pub sieve: Option<Sieve>,
    pub(super) start: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            status: Status::Open,
            moves: Vec::new(),
            components: Vec::new(),
            binders: Vec::new(),
            named: false,
            yields: Vec::new(),
            sieve: None,
            start: 0,
        }
    }
}

impl Options {
    /// Empty, with binders wanted.
    #[must_use]
    pub fn named() -> Self {
        Options { named: true, ..Options::default() }
    }

    /// Empty, with a sieve for what clause code yields.
    #[must_use]
    pub(crate) fn sifting(sieve: Sieve) -> Self {
        Options { sieve: Some(sieve), ..Options::default() }
    }

    /// Empties it for the next component.
    pub fn clear(&mut self) {
        self.status = Status::Open;
        self.moves.clear();
        self.components.clear();
        self.binders.clear();
        self.yields.clear();
    }
}

pub(super) struct Builder {
    pub(super) items: Vec<Value>,
    /// Components of one kind, instead of items.
    pub(super) row: Option<Row>,
    pub(super) serial: i64,
}

pub(super) struct Frame {
    pub(super) code: Arc<Code>,
    pub(super) pc: usize,
    pub(super) regs: Registers,
    pub(super) back: Vec<usize>,
    /// Where the result goes, the call, and its memo key: of the frame that waits.
    pub(super) call: Option<(Reg, Call)>,
}

pub(super) struct Call {
    pub(super) key: (crate::check::model::DefId, usize),
    pub(super) args: Box<[Value]>,
}

/// Code with its registers, to be run again and again.
pub(crate) struct Runner {
    frame: Frame,
}

/// Deeper recursion of defs than this is taken to have no end (R05).
const DEF_DEPTH: usize = 1_000_000;

impl Machine {
    /// A word as a value.
    pub(crate) fn word_value(&self, word: i64, rep: Rep) -> Value {
        match rep {
            Rep::Int => Value::Int(word),
            Rep::Bool => Value::Bool(word != 0),
            Rep::Member(domain) => self.domain(domain).value(u32::try_from(word).unwrap_or(0)),
            Rep::Mask(domain) => {
                let domain = self.domain(domain);
                let mask = word.cast_unsigned();
                Value::Set((0..64).filter(|i| mask >> i & 1 == 1).map(|i| domain.value(i)).collect())
            }
        }
    }

    /// A value as a word; faults when it does not have that form.
    pub(crate) fn value_word(&self, value: &Value, rep: Rep) -> Run<i64> {
        match (rep, value) {
            (Rep::Int, Value::Int(n)) => Ok(*n),
            (Rep::Int, Value::Big(_)) => Err(Halt::Wide),
            (Rep::Bool, Value::Bool(b)) => Ok(i64::from(*b)),
            (Rep::Member(domain), value) => {
                let number = self.domain(domain).number(value).map(i64::from);
                number.ok_or_else(|| Fault::new("R04", format!("{value} is not a vertex or edge of the graph")).into())
            }
            (Rep::Mask(domain), Value::Set(items)) => {
                let mut mask = 0u64;
                for item in items.iter() {
                    let word = self.value_word(item, Rep::Member(domain))?;
                    mask |= 1u64.checked_shl(u32::try_from(word).unwrap_or(64)).unwrap_or(0);
                }
                Ok(mask.cast_signed())
            }
            (Rep::Int, Value::Loop(_)) => {
                let message = format!("the loopy value {value} is no number");
                Err(Fault::new("E20", message).into())
            }
            (rep, value) => {
                let wanted = match rep {
                    Rep::Int => "an int",
                    Rep::Bool => "a bool",
                    _ => "a set",
                };
                Err(Fault::new("E03", format!("{wanted} is wanted here, not {value}")).into())
            }
        }
    }

    /// Runs code that needs no inputs; `None` when it fails.
    pub(crate) fn run_quietly(&mut self, code: &Arc<Code>) -> Option<Value> {
        let mut out = Options::default();
        self.execute(code, &mut out, |_, _| Ok(())).ok()
    }

    /// The options of a component, `legal when` and `same as` applied. `out` is cleared first.
    pub fn options(&mut self, id: u32, out: &mut Options) -> Run<()> {
        let instance = self.instance_of[id as usize] as usize;
        let code = self.rules_code(instance);
        out.clear();
        let done = self.execute(&code, out, |machine, regs| machine.load(id, &code.inputs, regs));
        done.and_then(|_| self.legal_and_same(out)).map_err(|halt| self.told_in(id, halt))
    }

    /// Runs code; `load` fills its inputs. The result is value register 0.
    pub(crate) fn execute(
        &mut self,
        code: &Arc<Code>,
        out: &mut Options,
        load: impl FnOnce(&Machine, &mut Registers) -> Run<()>,
    ) -> Run<Value> {
        let mut regs = self.pool.pop().unwrap_or_default();
        regs.fit(code);
        load(self, &mut regs)?;
        if code.too_big {
            return Err(Fault::new("E18", "this rule is too large to compile").into());
        }
        let mut frame = Frame { code: code.clone(), pc: 0, regs, back: Vec::new(), call: None };
        let mut waiting: Vec<Frame> = Vec::new();
        let mut builders: Vec<Builder> = Vec::new();
        loop {
            let running = frame.code.clone();
            let step = self.steps(&running, &mut frame, &mut builders, out);
            match step {
                Ok(Step::Done) => {
                    let result = std::mem::replace(&mut frame.regs.values[0], Value::Int(0));
                    let Some(mut caller) = waiting.pop() else {
                        self.pool.push(frame.regs);
                        return Ok(result);
                    };
                    let Some((d, call)) = caller.call.take() else { return Ok(result) };
                    self.pool.push(std::mem::take(&mut frame.regs));
                    self.def_memo.entry(call.key).or_default().insert(call.args, result.clone());
                    caller.regs.values[usize::from(d)] = result;
                    frame = caller;
                }
                Ok(Step::Invoke(spec)) => {
                    let spec = frame.code.invokes[usize::from(spec)].clone();
                    match self.invoke(&spec, &frame) {
                        Ok(Invoked::Known(value)) => frame.regs.values[usize::from(spec.d)] = value,
                        Ok(Invoked::Enter(inner, call)) => {
                            if waiting.len() >= DEF_DEPTH {
                                let name = &self.program.defs[spec.def.0].name;
                                let message = format!("`{name}` calls itself more than {DEF_DEPTH} times deep");
                                return Err(Halt::Fault(Fault::new("R05", message)).placed(place(&frame)));
                            }
                            frame.call = Some((spec.d, call));
                            waiting.push(std::mem::replace(&mut frame, *inner));
                        }
                        Err(halt) => return Err(halt.placed(place(&frame))),
                    }
                }
                Err(halt) => return Err(halt.placed(place(&frame))),
            }
        }
    }

    /// Code made ready to be run again and again.
    pub(crate) fn runner(&mut self, code: Arc<Code>) -> Runner {
        let mut regs = self.pool.pop().unwrap_or_default();
        regs.fit(&code);
        Runner { frame: Frame { code, pc: 0, regs, back: Vec::new(), call: None } }
    }

    /// [`Machine::execute`] of such code; `load` may be asked twice, and `out` emptied, where definitions call themselves.
    pub(crate) fn rerun(
        &mut self,
        runner: &mut Runner,
        out: &mut Options,
        load: impl Fn(&Machine, &mut Registers) -> Run<()>,
    ) -> Run<Value> {
        let frame = &mut runner.frame;
        let code = frame.code.clone();
        load(self, &mut frame.regs)?;
        frame.pc = 0;
        frame.back.clear();
        if code.too_big {
            return self.execute(&code, out, load);
        }
        match self.steps(&code, frame, &mut Vec::new(), out) {
            Ok(Step::Done) => Ok(std::mem::replace(&mut frame.regs.values[0], Value::Int(0))),
            Ok(Step::Invoke(_)) => {
                out.clear();
                self.execute(&code, out, load)
            }
            Err(halt) => Err(halt.placed(place(frame))),
        }
    }

    fn invoke(&mut self, spec: &InvokeSpec, frame: &Frame) -> Run<Invoked> {
        let program = self.program.clone();
        let def = &program.defs[spec.def.0];
        let values = &frame.regs.values;
        let given: Vec<Option<Value>> = spec.args.iter().map(|a| a.map(|a| values[usize::from(a)].clone())).collect();
        let instance = frame.code.instance.filter(|_| def.owner.is_some());
        let owned = given.len() - def.params.len();
        let mut args: Vec<Value> = given[..owned].iter().flatten().cloned().collect();
        for (i, value) in given[owned..].iter().enumerate() {
            let field = &def.params[i];
            let known: Vec<_> = args
                .iter()
                .cloned()
                .enumerate()
                .map(|(i, v)| (if i < owned { i } else { def.prefix + i - owned }, v))
                .collect();
            let value = match (value, &field.default) {
                (Some(value), _) => value.clone(),
                (None, Some(default)) => self.eval_once(&def.frame, instance, &known, default)?,
                (None, None) => return Err(Fault::new("E05", format!("`{}` is missing an argument", def.name)).into()),
            };
            let entered = entry::enter(value, &field.kind, &mut |term| self.graph_of(term, &known));
            args.push(entered.map_err(|mut fault| {
                fault.message = format!("`{}` of `{}`: {}", field.name, def.name, fault.message);
                fault
            })?);
        }
        let args: Box<[Value]> = args.into();
        let key = (spec.def, instance.unwrap_or(NO_INSTANCE));
        if let Some(value) = self.def_memo.get(&key).and_then(|memo| memo.get(&args)) {
            return Ok(Invoked::Known(value.clone()));
        }
        self.fuel()?;
        let code = self.def_code(spec.def, instance);
        let mut regs = self.pool.pop().unwrap_or_default();
        regs.fit(&code);
        for (i, value) in args.iter().enumerate() {
            regs.values[i + 1] = value.clone();
        }
        let inner = Frame { code, pc: 0, regs, back: Vec::new(), call: None };
        Ok(Invoked::Enter(Box::new(inner), Call { key, args }))
    }

    /// A trial does not begin a loop that it cannot end.
    #[inline]
    pub(super) fn foresee(&self, from: i64, to: i64) -> Run<()> {
        /// Shorter loops are just run.
        const LONG: u64 = 1 << 17;
        let turns = to.abs_diff(from);
        if turns > LONG && self.limits.steps.is_some_and(|steps| turns > steps.saturating_sub(self.limits_fuel)) {
            return Err(Fault::new("L03", "the limit of steps is reached").into());
        }
        Ok(())
    }

    /// The same for work on so many members of collections.
    pub(super) fn spend(&mut self, members: u64) -> Run<()> {
        /// Members looked at in the time of a step.
        const A_STEP: u64 = 4;
        /// The clock is looked at after so many steps.
        const CHECKED: u64 = 0x4000;
        let before = self.limits_fuel;
        self.limits_fuel = before.wrapping_add(members / A_STEP);
        if before / CHECKED == self.limits_fuel / CHECKED {
            return Ok(());
        }
        self.check_steps()
    }

    fn check_steps(&self) -> Run<()> {
        self.limits.check_clock()?;
        let over = self.limits.steps.is_some_and(|steps| self.limits_fuel > steps)
            || self.limits.components.is_some_and(|most| self.components() > most);
        if over { Err(Fault::new("L03", "the limit of steps is reached").into()) } else { Ok(()) }
    }

    /// Checks the clock now and then.
    #[inline]
    pub(super) fn fuel(&mut self) -> Run<()> {
        self.limits_fuel = self.limits_fuel.wrapping_add(1);
        if self.limits_fuel.is_multiple_of(0x4000) {
            self.check_steps()?;
        }
        Ok(())
    }
}

enum Invoked {
    Known(Value),
    Enter(Box<Frame>, Call),
}

/// The place of the instruction a frame stands at.
fn place(frame: &Frame) -> crate::text::Span {
    let at = frame.pc.min(frame.code.spans.len().saturating_sub(1));
    frame.code.spans.get(at).copied().unwrap_or_default()
}
