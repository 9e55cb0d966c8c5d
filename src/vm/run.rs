//! Running code: an explicit stack of frames for recursive defs, and what running a game's rules gives.
//!
//! Steps are counted, and the clock is looked at now and then. A state space without end is told before the memory is full
//! (L04), though not decided: a field has grown far beyond where it started while millions of positions were searched, in
//! a game whose header does not bound its states, and the user has not said how many positions may be searched.

use crate::analysis::termination::always_ends;
use crate::bytecode::{Code, InstanceId, InvokeSpec, Reg, Registers};
use crate::model::Kind;
use crate::source::{Diagnostic, diagnostic};
use crate::store::ComponentId;
use crate::store::step::Builder;
use crate::syntax::tree::Outcome;
use crate::value::{Fault, Halt, Points, Run, Value, width};
use crate::vm::context::{Context, TrialBudget};
use crate::vm::def_memo::DefKey;
use crate::vm::size_window::SizeWindow;
use crate::vm::step::Step;
use std::sync::Arc;

/// What running code uses up and uses again.
#[derive(Default)]
pub(crate) struct RunState {
    /// Register files that are free.
    pub(crate) pool: Vec<Registers>,
    /// Room for the options of a component.
    pub(crate) options: Options,
    /// How many collections were begun: items of each are in the order of this number.
    pub(crate) serial: i64,
    /// Steps taken so far.
    pub(crate) fuel: u64,
    /// What was done beside these steps, in steps: runs begun, code made, positions that native code went through, moves told.
    pub(crate) effort: u64,
    /// A component of the position that is asked about.
    pub(crate) asked: Option<ComponentId>,
    /// A theorem answered a question of the file.
    pub(crate) theorems_used: bool,
    /// What is left for searches beside theorems.
    pub(crate) trial_budget: TrialBudget,
}

impl RunState {
    /// Counts what was lowered.
    pub(crate) fn lowered(&mut self, code: &Code) {
        self.effort += 20 * code.ops.len() as u64;
    }

    /// All that was done so far, in steps of the rules: the same on every machine, some tenths of a microsecond each.
    pub(crate) fn work(&self) -> u64 {
        self.fuel.saturating_add(self.effort)
    }
}

pub(super) struct Frame {
    code: Arc<Code>,
    pub(super) pc: usize,
    pub(super) regs: Registers,
    pub(super) back: Vec<usize>,
    /// Where the result goes, the call, and its memo key: of the frame that waits.
    call: Option<(Reg, Call)>,
}

pub(crate) struct Runner {
    frame: Frame,
}

/// Deeper recursion of defs than this is taken to have no end (R05).
const DEF_DEPTH: usize = 1_000_000;
/// Results of definitions take this part of the memory at most.
const MEMO_PART: usize = 4;

impl Context {
    /// The options of a component, `legal when` and `same as` applied. `out` is cleared first.
    pub fn options(&mut self, id: ComponentId, out: &mut Options) -> Run<()> {
        let code = self.rules_code(self.store.instance_of[id.index()]);
        let wanted = out.most;
        loop {
            out.clear();
            let ran = self.run_at(&code, id, &[], out).map(|_| ());
            let cut = out.is_full();
            let ran = if cut { Ok(()) } else { ran };
            ran.and_then(|()| self.legal_and_same(out)).map_err(|halt| self.with_state_note(id, halt))?;
            if !cut || wanted.is_none_or(|wanted| out.moves.len() >= wanted) {
                out.most = wanted;
                return Ok(());
            }
            // Moves that are not legal do not count.
            out.most = out.most.map(|most| most.saturating_mul(2));
        }
    }

    /// Runs code; `load` fills its inputs. The result is value register 0.
    pub(crate) fn execute(
        &mut self,
        code: &Arc<Code>,
        out: &mut Options,
        load: impl FnOnce(&Context, &mut Registers) -> Run<()>,
    ) -> Run<Value> {
        self.run.effort += 4;
        let mut regs = self.run.pool.pop().unwrap_or_default();
        regs.fit(code);
        load(self, &mut regs)?;
        if code.too_big {
            return Err(Fault::new(diagnostic::Code::E18, "this rule is too large to compile").into());
        }
        self.run_frames(Frame { code: code.clone(), pc: 0, regs, back: Vec::new(), call: None }, out)
    }

    /// Runs a frame and those of the definitions that it calls, to its result.
    fn run_frames(&mut self, mut frame: Frame, out: &mut Options) -> Run<Value> {
        let mut waiting: Vec<Frame> = Vec::new();
        let mut builders: Vec<Builder> = Vec::new();
        loop {
            let running = frame.code.clone();
            let step = self.steps(&running, &mut frame, &mut builders, out);
            match step {
                Ok(Step::Done) => {
                    let result = std::mem::replace(&mut frame.regs.values[0], Value::Int(0));
                    let Some(mut caller) = waiting.pop() else {
                        self.run.pool.push(frame.regs);
                        return Ok(result);
                    };
                    let Some((d, call)) = caller.call.take() else { return Ok(result) };
                    self.run.pool.push(std::mem::take(&mut frame.regs));
                    self.keep_result(call, &result);
                    caller.regs.values[usize::from(d)] = result;
                    frame = caller;
                }
                Ok(Step::Invoke(spec)) => {
                    let spec = frame.code.invokes[usize::from(spec)].clone();
                    match self.invoke(&spec, frame.code.instance, &frame.regs.values) {
                        Ok(Invoked::Known(value)) => frame.regs.values[usize::from(spec.d)] = value,
                        Ok(Invoked::Enter(inner, call)) => {
                            if waiting.len() >= DEF_DEPTH {
                                let name = &self.session.program.defs[spec.def.0].name;
                                let message = format!("`{name}` calls itself more than {DEF_DEPTH} times deep");
                                return Err(
                                    Halt::Fault(Fault::new(diagnostic::Code::R05, message)).placed(place(&frame))
                                );
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
        let mut regs = self.run.pool.pop().unwrap_or_default();
        regs.fit(&code);
        Runner { frame: Frame { code, pc: 0, regs, back: Vec::new(), call: None } }
    }

    /// [`Context::execute`] of such code; `load` may be asked twice, and `out` emptied, where definitions call themselves.
    pub(crate) fn rerun(
        &mut self,
        runner: &mut Runner,
        out: &mut Options,
        load: impl Fn(&Context, &mut Registers) -> Run<()>,
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
}

fn place(frame: &Frame) -> crate::source::text::Span {
    let at = frame.pc.min(frame.code.spans.len().saturating_sub(1));
    frame.code.spans.get(at).copied().unwrap_or_default()
}

/// What an `end when` said of a component.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// Play goes on.
    #[default]
    Open,
    /// No moves here.
    Over,
    /// The whole play is over: said of the player to move.
    Play(Outcome),
    /// Over with so many points for the player to move.
    Score(Points),
}

/// Where a move leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveTarget {
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
#[derive(Clone, Debug)]
pub struct OptionMove {
    /// Index into the game's moves.
    pub index: u32,
    /// The mover has the next turn.
    pub again: bool,
    /// Points for the mover; `None`: the move says none.
    pub gain: Option<Points>,
    /// Where it leads.
    pub target: MoveTarget,
}

/// The options of a component.
#[derive(Debug, Default)]
pub struct Options {
    /// Whether play goes on here.
    pub status: Status,
    /// The moves in order.
    pub moves: Vec<OptionMove>,
    /// Components that the moves lead to.
    pub components: Vec<ComponentId>,
    /// The binders of each move, when asked for.
    pub binders: Vec<Vec<Value>>,
    /// Whether `binders` are wanted.
    pub named: bool,
    /// Named moves beyond so many are not wanted.
    pub most: Option<usize>,
    /// Values yielded by clause code.
    pub yields: Vec<Vec<Value>>,
    /// Which of them are kept; `None`: all.
    pub window: Option<SizeWindow>,
    pub(in crate::vm) start: usize,
}

impl Options {
    /// Empty, with binders wanted.
    pub fn named() -> Self {
        Options { named: true, ..Options::default() }
    }

    /// Whether there are as many moves as are wanted at most.
    pub(in crate::vm) fn is_full(&self) -> bool {
        self.most.is_some_and(|most| self.moves.len() >= most)
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

impl Context {
    /// A trial does not begin a loop that it cannot end, where not only the first moves are wanted.
    #[inline]
    pub(in crate::vm) fn foresee(&self, from: i64, to: i64, first: Option<usize>) -> Run<()> {
        /// Shorter loops are just run.
        const LONG: u64 = 1 << 17;
        let turns = to.abs_diff(from);
        if turns > LONG
            && first.is_none()
            && self.limits.steps.is_some_and(|steps| turns > steps.saturating_sub(self.run.fuel))
        {
            return Err(Fault::new(diagnostic::Code::L03, "the limit of steps is reached").into());
        }
        Ok(())
    }

    /// The same for work on so many members of collections, or words.
    pub(crate) fn spend(&mut self, members: u64) -> Run<()> {
        /// Members looked at in the time of a step.
        const A_STEP: u64 = 4;
        /// The clock is looked at after so many steps.
        const CHECKED: u64 = 0x4000;
        let before = self.run.fuel;
        self.run.fuel = before.wrapping_add(members / A_STEP);
        if before / CHECKED == self.run.fuel / CHECKED {
            return Ok(());
        }
        self.check_steps()
    }

    fn check_steps(&self) -> Run<()> {
        self.limits.check_clock()?;
        let over = self.limits.steps.is_some_and(|steps| self.run.fuel > steps)
            || self.limits.components.is_some_and(|most| self.components() > most);
        if over { Err(Fault::new(diagnostic::Code::L03, "the limit of steps is reached").into()) } else { Ok(()) }
    }

    /// Checks the clock now and then.
    #[inline]
    pub(in crate::vm) fn fuel(&mut self) -> Run<()> {
        self.run.fuel = self.run.fuel.wrapping_add(1);
        if self.run.fuel.is_multiple_of(0x4000) {
            self.check_steps()?;
        }
        Ok(())
    }
}

pub(in crate::vm) struct Call {
    pub(in crate::vm) key: DefKey,
    pub(in crate::vm) args: Box<[Value]>,
}

impl Context {
    /// The value of a definition that calls itself; its arguments are in registers.
    pub(super) fn call_def(&mut self, code: &Code, spec: &InvokeSpec, values: &[Value]) -> Run<Value> {
        match self.invoke(spec, code.instance, values)? {
            Invoked::Known(value) => Ok(value),
            Invoked::Enter(frame, call) => {
                let value = self.run_frames(*frame, &mut Options::default())?;
                self.keep_result(call, &value);
                Ok(value)
            }
        }
    }

    fn keep_result(&mut self, call: Call, result: &Value) {
        self.code.def_memo.keep(call.key, call.args, result.clone(), self.limits.memory / MEMO_PART);
    }

    fn invoke(&mut self, spec: &InvokeSpec, own: Option<InstanceId>, values: &[Value]) -> Run<Invoked> {
        let program = self.session.program.clone();
        let def = &program.defs[spec.def.0];
        let given: Vec<Option<Value>> = spec.args.iter().map(|a| a.map(|a| values[usize::from(a)].clone())).collect();
        let instance = own.filter(|_| def.owner.is_some());
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
                (None, None) => {
                    return Err(
                        Fault::new(diagnostic::Code::E05, format!("`{}` is missing an argument", def.name)).into()
                    );
                }
            };
            let graph = |slot| known.iter().find(|(s, _)| *s == slot).map(|(_, v)| v.clone());
            let place = || format!("`{}` of `{}`", field.name, def.name);
            args.push(self.enter_kind(value, &field.kind, graph, place)?);
        }
        let args: Box<[Value]> = args.into();
        let key = (spec.def, instance);
        if let Some(value) = self.code.def_memo.get(key, &args, self.limits.memory / MEMO_PART) {
            return Ok(Invoked::Known(value));
        }
        self.fuel()?;
        let code = self.def_code(spec.def, instance);
        let mut regs = self.run.pool.pop().unwrap_or_default();
        regs.fit(&code);
        for (i, value) in args.iter().enumerate() {
            regs.values[i + 1] = value.clone();
        }
        let inner = Frame { code, pc: 0, regs, back: Vec::new(), call: None };
        Ok(Invoked::Enter(Box::new(inner), Call { key, args }))
    }
}

enum Invoked {
    Known(Value),
    Enter(Box<Frame>, Call),
}

/// The first look is after so many positions, the next after twice as many.
const FIRST_LOOK: u64 = 1 << 25;
/// Or, of states that take much room, after so many bytes, and then every 2^22 positions.
const MUCH: usize = 1 << 31;
/// A field has grown when it is this many times its start, and at least [`LARGE`].
const FACTOR: i64 = 256;
const LARGE: i64 = 1000;
/// So many of the newest states are looked at.
const SAMPLE: usize = 256;

/// How large a value is: ints by absolute value, collections and texts by their members.
fn magnitude(value: &Value) -> i64 {
    match value {
        Value::Int(n) => n.saturating_abs(),
        Value::Big(_) => i64::MAX,
        Value::List(list) => width::int(list.items.len()),
        Value::Set(items) | Value::Bag(items) => width::int(items.len()),
        Value::Tuple(parts) => width::int(parts.len()),
        Value::Text(text) => width::int(text.len()),
        _ => 0,
    }
}

fn is_bounded(kind: &Kind) -> bool {
    match kind {
        Kind::Bool | Kind::Vertex(Some(_)) | Kind::Edge(Some(_)) => true,
        Kind::Set(of) => is_bounded(of),
        Kind::Tuple(parts) => parts.iter().all(is_bounded),
        _ => false,
    }
}

impl Context {
    /// The limits of a running search; L04 where its states seem to grow without end.
    pub fn check_search(&self, positions: u64, bytes: usize) -> Run<()> {
        // Component numbers share their words with marks of the searches: they end well before the marks begin.
        if self.components() > (1 << 31) - (1 << 24) {
            return Err(Fault::new(diagnostic::Code::L01, "more than 2^31 components of positions were met").into());
        }
        if let Err(fault) = self.limits.check(positions, bytes) {
            if fault.code != diagnostic::Code::L03
                && let Some(grown) = self.grown()
            {
                return Err(self.endless(&grown, &fault.message));
            }
            return Err(fault.into());
        }
        let look = positions >= FIRST_LOOK && (positions >> 12).is_power_of_two()
            || bytes >= MUCH && positions >= 1 << 20 && positions.is_multiple_of(1 << 22);
        if look
            && self.limits.positions.is_none()
            && let Some(grown) = self.grown()
        {
            return Err(self.endless(&grown, &format!("{positions} positions were searched")));
        }
        Ok(())
    }

    fn grown(&self) -> Option<(String, String, i64, i64)> {
        let instance = &self.store.instances[*self.store.instance_of.last()?];
        let game = &self.session.program.games[instance.game.0];
        if game.filter.is_some() || always_ends(&self.session.program, instance.game) {
            return None;
        }
        let of = instance.base;
        let same = |&i: &InstanceId| self.store.instances[i].base == of;
        let is_same = |id: &ComponentId| same(&self.store.instance_of[id.index()]);
        let asked = self.run.asked.filter(|id| id.index() < self.store.len() && is_same(id));
        let oldest = asked.or_else(|| self.store.ids().find(is_same))?;
        let start = self.store.state_values(oldest);
        let sample = self.store.ids().rev().filter(|id| same(&self.store.instance_of[id.index()])).take(SAMPLE);
        let mut largest = vec![0i64; start.len()];
        for id in sample {
            for (most, value) in largest.iter_mut().zip(self.store.state_values(id).iter()) {
                *most = (*most).max(magnitude(value));
            }
        }
        (0..start.len()).find_map(|i| {
            let from = magnitude(&start[i]);
            if is_bounded(&game.fields[i].kind) {
                return None;
            }
            let grown = largest[i] >= LARGE && largest[i] >= from.saturating_add(1).saturating_mul(FACTOR);
            grown.then(|| (game.name.clone(), game.fields[i].name.clone(), from, largest[i]))
        })
    }

    fn endless(&self, (game, field, from, to): &(String, String, i64, i64), why: &str) -> Halt {
        let message =
            format!("the positions seem to have no end: `{field}` of `{game}` grew from {from} to {to}; {why}");
        let span = self.session.program.games.iter().find(|g| g.name == *game).map(|g| g.span);
        let mut diagnostic = Diagnostic::bare(diagnostic::Code::L04, message)
            .hint("bound it by `where` in the header, `end when` or `same as`; or say how far to search with `--max-positions`");
        diagnostic.span = span;
        Halt::from(diagnostic)
    }
}
