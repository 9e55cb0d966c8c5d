//! The instructions: one loop over flat code.

use crate::check::builtin::Builtin;
use crate::check::model::Gather;
use crate::rules::adapt;
use crate::rules::builtin;
use crate::rules::code::{Code, EmitSpec, Make, Op, Rep, Whole};
use crate::rules::entry;
use crate::rules::fault::{Fault, Halt, Run};
use crate::rules::form;
use crate::rules::machine::Machine;
use crate::rules::positions;
use crate::rules::run::{Builder, Frame, OptionMove, Options, Status, Way};
use crate::rules::value::{Edge, Items, List, Value};
use crate::rules::words;
use crate::syntax::tree::Outcome;

/// Why the loop stopped.
pub(super) enum Step {
    Done,
    Invoke(u16),
}

impl Machine {
    /// Runs until the frame is done or calls a def.
    #[allow(clippy::cognitive_complexity)] // one arm an instruction
    pub(super) fn steps(
        &mut self,
        code: &Code,
        frame: &mut Frame,
        builders: &mut Vec<Builder>,
        out: &mut Options,
    ) -> Run<Step> {
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
                        None => return Err(outside(w!(a), list.items.len(), list.base, list.whole).into()),
                    }
                }
                Op::Native { d, native, a } => {
                    w!(d) = (code.natives[usize::from(native)].0)(w!(a).cast_unsigned()).cast_signed();
                }

                Op::RangeStart { d, a } => w!(d) = fits!(w!(a).checked_sub(1)),
                Op::NatLimit { d } => w!(d) = self.nat_limit,
                Op::NothingIn { max } => {
                    let word = if max { "greatest" } else { "least" };
                    return Err(Fault::new("R02", format!("there is no {word} member of nothing")).into());
                }
                Op::RangeNext { i, hi, to } => {
                    if w!(i) >= w!(hi) {
                        pc = to as usize;
                    } else {
                        self.foresee(w!(i), w!(hi))?;
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
                    if w!(cursor) == 0 {
                        self.foresee(0, i64::try_from(v!(items).breadth()).unwrap_or(i64::MAX))?;
                    }
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

                Op::Make { d, make } => v!(d) = self.made(&code.makes[usize::from(make)], w, v),
                Op::Value { d, k } => v!(d) = code.constants[usize::from(k)].clone(),
                Op::Move { d, a } => v!(d) = v!(a).clone(),
                Op::Global { d, global } => v!(d) = self.global(crate::check::model::GlobalId(global as usize))?,
                Op::Drawing { d, drawing } => {
                    let span = code.spans[frame.pc];
                    match self.drawing_of(drawing) {
                        Some(drawing) => v!(d) = self.drawing(&drawing, span)?,
                        None => return Err(Fault::new("E18", "too many drawings").into()),
                    }
                }
                Op::Binary { op, d, a, b } => {
                    self.spend(v!(a).breadth() + v!(b).breadth())?;
                    v!(d) = builtin::binary(op, &v!(a), &v!(b))?;
                }
                Op::Range { d, a, b } => v!(d) = adapt::range(&v!(a), &v!(b))?,
                Op::Compare { op, d, a, b } => w!(d) = i64::from(builtin::compare(op, &v!(a), &v!(b))?),
                Op::NegValue { d, a } => v!(d) = builtin::negate(&v!(a))?,
                Op::Call { spec } => {
                    let spec = &code.calls[usize::from(spec)];
                    self.spend(spec.args.iter().map(|a| v!(*a).breadth()).sum())?;
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
                            let Some(item) = at.and_then(|i| list.items.item(i)) else {
                                let whole = Whole::List(list.base);
                                return Err(outside(i, list.items.len(), list.base, whole).into());
                            };
                            item
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
                Op::Adapt { d, a, ty } => {
                    if let Value::Graph(graph) = &v!(a) {
                        // To be gone through.
                        self.foresee(0, i64::try_from(graph.vertices.len()).unwrap_or(i64::MAX))?;
                    }
                    v!(d) = adapt::adapt(&v!(a), &code.types[usize::from(ty)])?;
                }
                Op::Build => {
                    self.serial += 1;
                    builders.push(Builder { items: Vec::new(), row: None, serial: self.serial });
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
                        Gather::List => Value::list_packing(items),
                        Gather::Set => Value::set_packing(items.into_iter().map(adapt::settled).collect()),
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
                    let spec = &code.places[usize::from(spec)];
                    let params = self.placed_params(spec, None, v)?;
                    v!(spec.d) = self.placed(spec, params, v)?;
                }
                Op::PlaceInto { spec } => {
                    if let Some(builder) = builders.last_mut() {
                        self.place_into(&code.places[usize::from(spec)], builder, v)?;
                    }
                }
                Op::BuildSum { d } => {
                    let (items, row) = builders.pop().map(|b| (b.items, b.row)).unwrap_or_default();
                    v!(d) = match row {
                        Some(row) if row.is_long() => {
                            self.spend(row.ints.len() as u64)?;
                            positions::of_row(row)?
                        }
                        row => {
                            let items = row.map_or(items, |row| positions::spelled(&row));
                            self.spend(items.len() as u64)?;
                            words::call(Builtin::Sum, &[Value::list_packing(items)])?
                        }
                    };
                }
                Op::Floor { d, a, spec } => w!(d) = fits!(code.floors[usize::from(spec)].of(w!(a))),
                Op::Columns { spec, to } => {
                    let spec = &code.columns[usize::from(spec)];
                    if let Some(value) = self.gathered(spec)? {
                        v!(spec.d) = value;
                        pc = to as usize;
                    }
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
            out.binders.push(spec.binders.iter().map(|make| self.made(make, w, v)).collect());
        }
    }

    /// A value put together from registers.
    fn made(&self, make: &Make, w: &[i64], v: &[Value]) -> Value {
        match make {
            Make::Known(value) => value.clone(),
            Make::Word(r, rep) => self.word_value(w[usize::from(*r)], *rep),
            Make::Value(r) => v[usize::from(*r)].clone(),
            Make::Parts(kind, parts) => {
                let there = parts.iter().filter(|(flag, _)| flag.is_none_or(|flag| w[usize::from(flag)] != 0));
                form::whole(*kind, there.map(|(_, part)| self.made(part, w, v)).collect())
            }
        }
    }
}

fn outside(index: i64, len: usize, base: i64, whole: Whole) -> Fault {
    let (what, item) = match whole {
        Whole::Text => ("a text", "character"),
        Whole::Tuple => ("a tuple", "part"),
        Whole::List(_) | Whole::Set => ("a list", "item"),
    };
    let plural = if len == 1 { "" } else { "s" };
    Fault::new("R02", format!("index {index} is outside {what} of {len} {item}{plural} counted from {base}"))
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
        Value::List(List { items, .. }) | Value::Set(items) if matches!(items, Items::Packed(_)) => {
            let item = items.item(at)?;
            *cursor += 1;
            return Some(item);
        }
        Value::List(list) => &list.items,
        Value::Set(list) | Value::Bag(list) => list,
        Value::Tuple(parts) => parts,
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
