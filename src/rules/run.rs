//! Running code: one loop over instructions, an explicit stack of frames for recursive defs.

use crate::check::model::Gather;
use crate::rules::adapt;
use crate::rules::builtin;
use crate::rules::code::{Code, EmitSpec, FieldReg, InvokeSpec, Op, Reg, Rep};
use crate::rules::entry;
use crate::rules::fault::{Fault, Halt, Run};
use crate::rules::machine::{Machine, NO_INSTANCE};
use crate::rules::positions;
use crate::rules::sieve::Sieve;
use crate::rules::value::{Edge, Value};
use crate::rules::words;
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
    start: usize,
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

    /// Empties it for the next component.
    pub fn clear(&mut self) {
        self.status = Status::Open;
        self.moves.clear();
        self.components.clear();
        self.binders.clear();
        self.yields.clear();
    }
}

struct Builder {
    items: Vec<Value>,
    serial: i64,
}

struct Frame {
    code: Arc<Code>,
    pc: usize,
    regs: Registers,
    back: Vec<usize>,
    /// Where the result goes, the call, and its memo key: of the frame that waits.
    call: Option<(Reg, Call)>,
}

struct Call {
    key: (crate::check::model::DefId, usize),
    args: Box<[Value]>,
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
        self.execute(&code, out, |machine, regs| machine.load(id, &code.inputs, regs))?;
        self.legal_and_same(out)
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

    /// Checks the clock now and then.
    #[inline]
    fn fuel(&mut self) -> Run<()> {
        self.limits_fuel = self.limits_fuel.wrapping_add(1);
        if self.limits_fuel.is_multiple_of(0x10_0000) {
            self.limits.check_clock()?;
            if self.limits.steps.is_some_and(|steps| self.limits_fuel > steps) {
                return Err(Fault::new("L03", "the limit of steps is reached").into());
            }
        }
        Ok(())
    }

    /// Runs until the frame is done or calls a def.
    #[allow(clippy::cognitive_complexity)] // one arm an instruction
    fn steps(&mut self, code: &Code, frame: &mut Frame, builders: &mut Vec<Builder>, out: &mut Options) -> Run<Step> {
        let w = &mut frame.regs.words;
        let v = &mut frame.regs.values;
        macro_rules! w {
            ($r:expr) => {
                w[usize::from($r)]
            };
        }
        macro_rules! v {
            ($r:expr) => {
                v[usize::from($r)]
            };
        }
        macro_rules! fits {
            ($e:expr) => {
                match $e {
                    Some(n) => n,
                    None => return Err(Halt::Wide),
                }
            };
        }
        let mut pc = frame.pc;
        loop {
            let op = code.ops[pc];
            frame.pc = pc;
            pc += 1;
            match op {
                Op::Nop => {}
                Op::Jump(to) => pc = to as usize,
                Op::JumpIf(a, to) => {
                    if w!(a) != 0 {
                        pc = to as usize;
                    }
                }
                Op::JumpUnless(a, to) => {
                    if w!(a) == 0 {
                        pc = to as usize;
                    }
                }
                Op::JumpLt { a, b, to } => {
                    if w!(a) < w!(b) {
                        pc = to as usize;
                    }
                }
                Op::JumpLe { a, b, to } => {
                    if w!(a) <= w!(b) {
                        pc = to as usize;
                    }
                }
                Op::JumpEq { a, b, to } => {
                    if w!(a) == w!(b) {
                        pc = to as usize;
                    }
                }
                Op::JumpNe { a, b, to } => {
                    if w!(a) != w!(b) {
                        pc = to as usize;
                    }
                }
                Op::Force { flag, to } => {
                    if w!(flag) == 0 {
                        frame.back.push(pc);
                        pc = to as usize;
                    }
                }
                Op::Back { flag } => {
                    w!(flag) = 1;
                    match frame.back.pop() {
                        Some(back) => pc = back,
                        None => return Ok(Step::Done),
                    }
                }
                Op::Stop => return Ok(Step::Done),

                Op::Const { d, k } => w!(d) = i64::from(k),
                Op::ConstWide { d, k } => w!(d) = code.wide[usize::from(k)],
                Op::Copy { d, a } => w!(d) = w!(a),
                Op::Add { d, a, b } => w!(d) = fits!(w!(a).checked_add(w!(b))),
                Op::AddConst { d, a, k } => w!(d) = fits!(w!(a).checked_add(i64::from(k))),
                Op::Sub { d, a, b } => w!(d) = fits!(w!(a).checked_sub(w!(b))),
                Op::Mul { d, a, b } => w!(d) = fits!(w!(a).checked_mul(w!(b))),
                Op::Div { d, a, b } => {
                    if w!(b) <= 0 {
                        return Err(Fault::new("R03", format!("`div` by {}", w!(b))).into());
                    }
                    w!(d) = w!(a).div_euclid(w!(b));
                }
                Op::Mod { d, a, b } => {
                    if w!(b) <= 0 {
                        return Err(Fault::new("R03", format!("`mod` by {}", w!(b))).into());
                    }
                    w!(d) = w!(a).rem_euclid(w!(b));
                }
                Op::Neg { d, a } => w!(d) = fits!(w!(a).checked_neg()),
                Op::Abs { d, a } => w!(d) = fits!(w!(a).checked_abs()),
                Op::Min { d, a, b } => w!(d) = w!(a).min(w!(b)),
                Op::Max { d, a, b } => w!(d) = w!(a).max(w!(b)),
                Op::NatXor { d, a, b } | Op::NatAnd { d, a, b } => {
                    let (x, y) = (w!(a), w!(b));
                    if x < 0 || y < 0 {
                        return Err(Fault::new("R01", format!("`xor` and `&` are of nats, not {}", x.min(y))).into());
                    }
                    w!(d) = if matches!(op, Op::NatXor { .. }) { x ^ y } else { x & y };
                }
                Op::Eq { d, a, b } => w!(d) = i64::from(w!(a) == w!(b)),
                Op::Ne { d, a, b } => w!(d) = i64::from(w!(a) != w!(b)),
                Op::Lt { d, a, b } => w!(d) = i64::from(w!(a) < w!(b)),
                Op::Le { d, a, b } => w!(d) = i64::from(w!(a) <= w!(b)),
                Op::Not { d, a } => w!(d) = i64::from(w!(a) == 0),
                Op::CheckNat { a, name } => {
                    if w!(a) < 0 {
                        let name = &code.names[usize::from(name)];
                        return Err(Fault::new("R01", format!("`{name}` is a nat and cannot be {}", w!(a))).into());
                    }
                }
                Op::And { d, a, b } => w!(d) = w!(a) & w!(b),
                Op::Or { d, a, b } => w!(d) = w!(a) | w!(b),
                Op::Xor { d, a, b } => w!(d) = w!(a) ^ w!(b),
                Op::AndNot { d, a, b } => w!(d) = w!(a) & !w!(b),
                Op::Single { d, a } => w!(d) = 1i64.checked_shl(u32::try_from(w!(a)).unwrap_or(64)).unwrap_or(0),
                Op::Has { d, a, b } => {
                    w!(d) = w!(b)
                        .cast_unsigned()
                        .checked_shr(u32::try_from(w!(a)).unwrap_or(64))
                        .map_or(0, |m| (m & 1).cast_signed());
                }
                Op::Size { d, a } => w!(d) = i64::from(w!(a).count_ones()),
                Op::Table { d, table, a } => {
                    let at = usize::try_from(w!(a)).unwrap_or(usize::MAX);
                    w!(d) = code.tables[usize::from(table)][at];
                }
                Op::TableValue { d, table, a } => {
                    let at = usize::try_from(w!(a)).unwrap_or(usize::MAX);
                    v!(d) = code.value_tables[usize::from(table)][at].clone();
                }
                Op::ListTable { d, table, a } => {
                    let list = &code.list_tables[usize::from(table)];
                    let at = w!(a).checked_sub(list.base).and_then(|i| usize::try_from(i).ok());
                    match at.and_then(|i| list.items.get(i)) {
                        Some(item) => w!(d) = *item,
                        None => return Err(outside(w!(a), list.items.len(), list.base).into()),
                    }
                }
                Op::Native { d, native, a } => {
                    w!(d) = (code.natives[usize::from(native)].0)(w!(a).cast_unsigned()).cast_signed();
                }

                Op::RangeStart { d, a } => w!(d) = fits!(w!(a).checked_sub(1)),
                Op::NatLimit { d } => w!(d) = self.nat_limit,
                Op::NothingIn { max } => {
                    let word = if max { "max" } else { "min" };
                    return Err(Fault::new("R02", format!("`{word}` of nothing")).into());
                }
                Op::RangeNext { i, hi, to } => {
                    if w!(i) >= w!(hi) {
                        pc = to as usize;
                    } else {
                        w!(i) += 1;
                        self.fuel()?;
                    }
                }
                Op::RangeBack { i, hi, to } => {
                    if w!(i) < w!(hi) {
                        w!(i) += 1;
                        pc = to as usize;
                        self.fuel()?;
                    }
                }
                Op::MaskNext { d, m, to } => {
                    let mask = w!(m);
                    if mask == 0 {
                        pc = to as usize;
                    } else {
                        w!(d) = i64::from(mask.trailing_zeros());
                        w!(m) = mask & mask.wrapping_sub(1);
                    }
                }
                Op::Members { d, a } => v!(d) = adapt::iterable(&v!(a))?,
                Op::ItemsNext { d, items, cursor, to } | Op::DistinctNext { d, items, cursor, to } => {
                    let distinct = matches!(op, Op::DistinctNext { .. });
                    match next_item(&v!(items), &mut w!(cursor), distinct) {
                        Some(value) => v!(d) = value,
                        None => pc = to as usize,
                    }
                    self.fuel()?;
                }
                Op::Row { d, rows, a } => {
                    let rows = &code.rows[usize::from(rows)];
                    let at = usize::try_from(w!(a)).unwrap_or(usize::MAX);
                    w!(d) = i64::from(rows.start[at]);
                    w!(d + 1) = i64::from(rows.start[at + 1]);
                }
                Op::RowNext { d, rows, cursor, to } => {
                    let at = w!(cursor);
                    if at >= w!(cursor + 1) {
                        pc = to as usize;
                    } else {
                        let at = usize::try_from(at).unwrap_or(usize::MAX);
                        w!(d) = i64::from(code.rows[usize::from(rows)].items[at]);
                        w!(cursor) += 1;
                    }
                }
                Op::EdgeNext { d, edges, cursor, to } => {
                    let table = &code.edge_tables[usize::from(edges)];
                    let mask = w!(cursor + 1).cast_unsigned();
                    let mut at = usize::try_from(w!(cursor)).unwrap_or(usize::MAX);
                    while at < table.len() && (mask >> table[at][1] & mask >> table[at][2] & 1) == 0 {
                        at += 1;
                    }
                    if let Some([id, a, b]) = table.get(at) {
                        (w!(d), w!(d + 1), w!(d + 2)) = (*id, *a, *b);
                        w!(cursor) = i64::try_from(at + 1).unwrap_or(i64::MAX);
                    } else {
                        pc = to as usize;
                    }
                }

                Op::BoxInt { d, a } => v!(d) = Value::Int(w!(a)),
                Op::BoxBool { d, a } => v!(d) = Value::Bool(w!(a) != 0),
                Op::BoxMember { d, a, domain } => v!(d) = self.word_value(w!(a), Rep::Member(domain)),
                Op::BoxMask { d, a, domain } => v!(d) = self.word_value(w!(a), Rep::Mask(domain)),
                Op::UnboxInt { d, a } => {
                    w!(d) = match &v!(a) {
                        Value::Int(n) => *n,
                        other => self.value_word(other, Rep::Int)?,
                    }
                }
                Op::UnboxBool { d, a } => w!(d) = self.value_word(&v!(a), Rep::Bool)?,
                Op::UnboxMember { d, a, domain } => w!(d) = self.value_word(&v!(a), Rep::Member(domain))?,
                Op::UnboxMask { d, a, domain } => w!(d) = self.value_word(&v!(a), Rep::Mask(domain))?,

                Op::Value { d, k } => v!(d) = code.constants[usize::from(k)].clone(),
                Op::Move { d, a } => v!(d) = v!(a).clone(),
                Op::Global { d, global } => v!(d) = self.global(crate::check::model::GlobalId(usize::from(global)))?,
                Op::Drawing { d, drawing } => {
                    let span = code.spans[frame.pc];
                    if let Some(drawing) = self.drawing_of(drawing) {
                        v!(d) = self.drawing(&drawing, span)?;
                    }
                }
                Op::Binary { op, d, a, b } => v!(d) = builtin::binary(op, &v!(a), &v!(b))?,
                Op::Range { d, a, b } => v!(d) = adapt::range(&v!(a), &v!(b))?,
                Op::Compare { op, d, a, b } => w!(d) = i64::from(builtin::compare(op, &v!(a), &v!(b))?),
                Op::NegValue { d, a } => v!(d) = builtin::negate(&v!(a))?,
                Op::Call { spec } => {
                    let spec = &code.calls[usize::from(spec)];
                    let result = match &spec.args[..] {
                        [a] => words::call(spec.word, std::slice::from_ref(&v!(*a)))?,
                        args => {
                            let args: Vec<Value> = args.iter().map(|a| v!(*a).clone()).collect();
                            words::call(spec.word, &args)?
                        }
                    };
                    v!(spec.d) = result;
                }
                Op::Index { d, a, i } => v!(d) = builtin::index(&v!(a), &v!(i))?,
                Op::IndexWord { d, a, i } => {
                    let i = w!(i);
                    let result = match &v!(a) {
                        Value::List(list) => {
                            let at = i.checked_sub(list.base).and_then(|i| usize::try_from(i).ok());
                            match at.and_then(|i| list.items.get(i)) {
                                Some(item) => item.clone(),
                                None => return Err(outside(i, list.items.len(), list.base).into()),
                            }
                        }
                        other => builtin::index(other, &Value::Int(i))?,
                    };
                    v!(d) = result;
                }
                Op::Slice { spec } => {
                    let spec = &code.slices[usize::from(spec)];
                    let from = spec.from.map(|r| &v[usize::from(r)]);
                    let to = spec.to.map(|r| &v[usize::from(r)]);
                    v!(spec.d) = builtin::slice(&v!(spec.a), from, to)?;
                }
                Op::Update { spec } => {
                    let spec = &code.updates[usize::from(spec)];
                    let changes: Vec<_> =
                        spec.changes.iter().map(|(i, op, x)| (v!(*i).clone(), *op, v!(*x).clone())).collect();
                    v!(spec.d) = builtin::update(&v!(spec.a), &changes)?;
                }
                Op::UpdateBuilt { d, a, op } => {
                    let items = builders.pop().map(|b| b.items).unwrap_or_default();
                    let changes: Vec<_> =
                        items.chunks_exact(2).map(|pair| (pair[0].clone(), op, pair[1].clone())).collect();
                    v!(d) = builtin::update(&v!(a), &changes)?;
                }
                Op::Tuple { spec } => {
                    let registers = &code.registers[usize::from(spec)];
                    v!(registers[0]) = Value::Tuple(registers[1..].iter().map(|r| v!(*r).clone()).collect());
                }
                Op::Part { spec } => {
                    let spec = &code.parts[usize::from(spec)];
                    v!(spec.d) = part(&v!(spec.a), spec.index, spec.arity)?;
                }
                Op::Enter { d, a, spec } => {
                    let spec = &code.enters[usize::from(spec)];
                    let known: Vec<_> = spec.graphs.iter().map(|(slot, r)| (*slot, v!(*r).clone())).collect();
                    let value = v!(a).clone();
                    let entered = entry::enter(value, &spec.kind, &mut |term| self.graph_of(term, &known));
                    v!(d) = entered.map_err(|mut fault| {
                        fault.message = format!("`{}`: {}", spec.name, fault.message);
                        fault
                    })?;
                }
                Op::Adapt { d, a, ty } => v!(d) = adapt::adapt(&v!(a), &code.types[usize::from(ty)])?,
                Op::Build => {
                    self.serial += 1;
                    builders.push(Builder { items: Vec::new(), serial: self.serial });
                }
                Op::BuildPush { a } => {
                    if let Some(builder) = builders.last_mut() {
                        builder.items.push(v!(a).clone());
                    }
                }
                Op::BuildSpread { a } => {
                    let members = adapt::members(&v!(a))?;
                    if let Some(builder) = builders.last_mut() {
                        builder.items.extend(members);
                    }
                }
                Op::BuildDone { d, gather } => {
                    let items = builders.pop().map(|b| b.items).unwrap_or_default();
                    v!(d) = match gather {
                        Gather::List => Value::list(items),
                        Gather::Set => Value::set(items.into_iter().map(adapt::settled).collect()),
                    };
                }
                Op::Invoke { spec } => {
                    frame.pc = pc;
                    return Ok(Step::Invoke(spec));
                }
                Op::Ask { word, d, a } => {
                    let position = adapt::position(&v!(a))?;
                    let hook = self.hook;
                    v!(d) = hook(self, word, &position)?;
                }
                Op::Place { spec } => {
                    let spec = code.places[usize::from(spec)].clone();
                    let take = |rs: &[Option<Reg>]| {
                        rs.iter().map(|r| r.map(|r| v[usize::from(r)].clone())).collect::<Vec<_>>()
                    };
                    let params = match (&spec.own, &spec.params) {
                        (Some(own), _) => own.clone(),
                        (None, Some(params)) => self.enter_params(spec.game, take(params))?,
                        (None, None) => self.enter_params(spec.game, Vec::new())?,
                    };
                    let component = self.place(spec.game, params, take(&spec.fields))?;
                    let misere = self.program.games[spec.game.0].misere;
                    v!(spec.d) = positions::single(component, misere);
                }
                Op::Misere { d, a } => v!(d) = positions::misere(&v!(a))?,
                Op::Tag { d, spec } => {
                    let mut tag = vec![builders.last().map_or(0, |b| b.serial)];
                    tag.extend(code.registers[usize::from(spec)].iter().map(|r| w!(*r)));
                    v!(d) = positions::tagged(&v!(d), &tag)?;
                }

                Op::Target => out.start = out.components.len(),
                Op::PushPlace { spec } => {
                    let spec = &code.pushes[usize::from(spec)];
                    let id = self.intern(spec.instance, &spec.fields, w, v)?;
                    out.components.push(id);
                }
                Op::PushValue { a } => {
                    let position = adapt::position(&v!(a))?;
                    for component in positions::components(&position)? {
                        let id = self.component(component)?;
                        out.components.push(id);
                    }
                }
                Op::Emit { spec } => {
                    let spec = &code.emits[usize::from(spec)];
                    let gain = match spec.gain {
                        Some(r) => Some(self.value_word(&v!(r), Rep::Int).map_err(|halt| match halt {
                            Halt::Wide => Halt::Fault(Fault::new("R06", "a score is too big")),
                            other => other,
                        })?),
                        None => None,
                    };
                    let first = u32::try_from(out.start).unwrap_or(u32::MAX);
                    let len = u32::try_from(out.components.len() - out.start).unwrap_or(u32::MAX);
                    self.push_move(out, spec, gain, Way::To { first, len }, w, v);
                }
                Op::EmitOne { push, spec } => {
                    let push = &code.pushes[usize::from(push)];
                    let id = match self.find_dense(push, w) {
                        Some(id) => id,
                        None => self.intern(push.instance, &push.fields, w, v)?,
                    };
                    let first = u32::try_from(out.components.len()).unwrap_or(u32::MAX);
                    out.components.push(id);
                    self.push_move(out, &code.emits[usize::from(spec)], None, Way::To { first, len: 1 }, w, v);
                }
                Op::EmitStop { spec, outcome } => {
                    let spec = &code.emits[usize::from(spec)];
                    self.push_move(out, spec, None, Way::Stop(outcome), w, v);
                }
                Op::Ended { status } => {
                    out.status = match status {
                        0 => Status::Over,
                        1 => Status::Play(Outcome::Second),
                        2 => Status::Play(Outcome::First),
                        _ => Status::Play(Outcome::Draw),
                    };
                }
                Op::EndedScore { a } => {
                    let score = self.value_word(&v!(a), Rep::Int).map_err(|halt| match halt {
                        Halt::Wide => Halt::Fault(Fault::new("R06", "a score is too big")),
                        other => other,
                    })?;
                    out.status = Status::Score(score);
                }
                Op::OutsideDomain { spec } => {
                    let spec = &code.pushes[usize::from(spec)];
                    let id = self.intern(spec.instance, &spec.fields, w, v)?;
                    let component = self.component_value(id);
                    let name = &self.program.games[component.game.0].name;
                    let message = format!("{} is outside the domain of `{name}`", self.component_text(&component));
                    return Err(Fault::new("R01", message).into());
                }
                Op::Yield { spec } => {
                    let registers = &code.registers[usize::from(spec)];
                    let keep = out.sieve.as_mut().is_none_or(|sieve| sieve.admits(registers.iter().map(|r| &v!(*r))));
                    if keep {
                        out.yields.push(registers.iter().map(|r| v!(*r).clone()).collect());
                    }
                    self.fuel()?;
                }
            }
        }
    }

    #[inline]
    fn push_move(&self, out: &mut Options, spec: &EmitSpec, gain: Option<i64>, way: Way, w: &[i64], v: &[Value]) {
        let index = u32::try_from(spec.move_index).unwrap_or(u32::MAX);
        out.moves.push(OptionMove { index, again: spec.again, gain, way });
        if out.named {
            let binders = spec.binders.iter().map(|(field, rep)| match (field, rep) {
                (FieldReg::Word(r), Some(rep)) => self.word_value(w[usize::from(*r)], *rep),
                (FieldReg::Word(r), None) => Value::Int(w[usize::from(*r)]),
                (FieldReg::Value(r), _) => v[usize::from(*r)].clone(),
            });
            out.binders.push(binders.collect());
        }
    }
}

enum Step {
    Done,
    Invoke(u16),
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

fn outside(index: i64, len: usize, base: i64) -> Fault {
    let items = if len == 1 { "item" } else { "items" };
    Fault::new("R02", format!("index {index} is outside a list of {len} {items} counted from {base}"))
}

fn part(value: &Value, index: usize, arity: usize) -> Run<Value> {
    let parts: &[Value] = match value {
        Value::Tuple(parts) => parts,
        Value::List(list) => &list.items,
        Value::Edge(edge) => {
            let Edge { u, v, .. } = &**edge;
            if arity == 2 {
                return Ok(if index == 0 { u.clone() } else { v.clone() });
            }
            &[]
        }
        Value::Range(..) => return part(&Value::list(adapt::members(value)?), index, arity),
        _ => return Err(Fault::new("E03", format!("{value} cannot be taken apart")).into()),
    };
    if parts.len() == arity {
        Ok(parts[index].clone())
    } else {
        Err(Fault::new("R02", format!("a pattern of {arity} parts meets {value}")).into())
    }
}

/// The next member of a collection made ready by [`adapt::iterable`].
fn next_item(items: &Value, cursor: &mut i64, distinct: bool) -> Option<Value> {
    let at = usize::try_from(*cursor).ok()?;
    let list: &[Value] = match items {
        Value::List(list) => &list.items,
        Value::Set(list) | Value::Bag(list) | Value::Tuple(list) => list,
        Value::Range(from, to) => {
            let n = from.checked_add(*cursor).filter(|n| n <= to)?;
            *cursor += 1;
            return Some(Value::Int(n));
        }
        _ => return None,
    };
    let bag = distinct && matches!(items, Value::Bag(_));
    let mut at = at;
    if bag && at > 0 {
        while at < list.len() && list[at] == list[at - 1] {
            at += 1;
        }
    }
    let value = list.get(at)?.clone();
    *cursor = i64::try_from(at + 1).unwrap_or(i64::MAX);
    Some(value)
}
