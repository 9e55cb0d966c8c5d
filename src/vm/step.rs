//! The instructions: one loop over flat code for jumps, words and loops; then those of moves and ends, those on values, and
//! components made from registers.

use crate::bytecode::{Aggregate, Code, EmitSpec, Materialize, Op, PlaceSpec, Reg, WordType, layout};
use crate::input::entry;
use crate::memo::LENGTH;
use crate::model::{BinaryOp, Builtin, Gather, GlobalId, Type};
use crate::source::diagnostic;
use crate::syntax::tree::Outcome;
use crate::value::domain::{NUMBERS, SIDE, numbers_below};
use crate::value::{self, Deopt, Edge, Fault, Halt, Items, List, Row, Run, Value, position, width};
use crate::vm::context::Context;
use crate::vm::run::{Builder, Frame, MoveTarget, OptionMove, Options, Status};
use crate::words;
use std::sync::Arc;

pub(super) enum Step {
    Done,
    Invoke(u16),
}

impl Context {
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
                    None => return Err(Halt::Deopt(Deopt::IntOverflow)),
                }
            };
        }
        let mut pc = frame.pc;
        macro_rules! jump_if {
            ($met:expr, $to:expr) => {
                if $met {
                    pc = $to as usize;
                }
            };
        }
        loop {
            let op = code.ops[pc];
            frame.pc = pc;
            pc += 1;
            match op {
                Op::Nop => {}
                Op::Jump(to) => pc = to as usize,
                Op::JumpIf(a, to) => jump_if!(w!(a) != 0, to),
                Op::JumpUnless(a, to) => jump_if!(w!(a) == 0, to),
                Op::JumpLt { a, b, to } => jump_if!(w!(a) < w!(b), to),
                Op::JumpLe { a, b, to } => jump_if!(w!(a) <= w!(b), to),
                Op::JumpNe { a, b, to } => jump_if!(w!(a) != w!(b), to),
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
                Op::Div { d, a, b } | Op::Mod { d, a, b } => {
                    let (x, y) = (w!(a), w!(b));
                    let div = matches!(op, Op::Div { .. });
                    if y <= 0 {
                        let word = if div { "div" } else { "mod" };
                        return Err(Fault::new(diagnostic::Code::R03, format!("`{word}` by {y}")).into());
                    }
                    w!(d) = if div { x.div_euclid(y) } else { x.rem_euclid(y) };
                }
                Op::Neg { d, a } => w!(d) = fits!(w!(a).checked_neg()),
                Op::Abs { d, a } => w!(d) = fits!(w!(a).checked_abs()),
                Op::Min { d, a, b } => w!(d) = w!(a).min(w!(b)),
                Op::Max { d, a, b } => w!(d) = w!(a).max(w!(b)),
                Op::NatXor { d, a, b } | Op::NatAnd { d, a, b } => {
                    let (x, y) = (w!(a), w!(b));
                    if x < 0 || y < 0 {
                        let message = format!("`xor` and `&` are of nats, not {}", x.min(y));
                        return Err(Fault::new(diagnostic::Code::R01, message).into());
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
                        let message = format!("`{name}` is a nat and cannot be {}", w!(a));
                        return Err(Fault::new(diagnostic::Code::R01, message).into());
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
                Op::Pair { d, a, b } => {
                    let (x, y) = (w!(a), w!(b));
                    let small = (0..SIDE).contains(&x) && (0..SIDE).contains(&y);
                    w!(d) = if small { SIDE * x + y } else { NUMBERS };
                }
                Op::CheckMember { a } => {
                    if !(0..NUMBERS).contains(&w!(a)) {
                        return Err(Halt::Deopt(Deopt::SetOverflow));
                    }
                }
                Op::Below { d, a } => w!(d) = numbers_below(w!(a)),
                Op::Greatest { d, a } => w!(d) = 63 - i64::from(w!(a).leading_zeros()),
                Op::Size { d, a } => w!(d) = i64::from(w!(a).count_ones()),
                Op::Table { d, table, a } => {
                    let at = width::index(w!(a));
                    w!(d) = code.tables[usize::from(table)][at];
                }
                Op::TableValue { d, table, a } => {
                    let at = width::index(w!(a));
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
                Op::NatLimit { d } => w!(d) = self.globals.nat_limit,
                Op::NothingIn { max } => {
                    let word = if max { "greatest" } else { "least" };
                    let message = format!("there is no {word} member of nothing");
                    return Err(Fault::new(diagnostic::Code::R02, message).into());
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
                Op::Members { d, a } => v!(d) = value::iterable(&v!(a))?,
                Op::ItemsNext { d, items, cursor, to } | Op::DistinctNext { d, items, cursor, to } => {
                    let distinct = matches!(op, Op::DistinctNext { .. });
                    if w!(cursor) == 0 {
                        let members = match &v!(items) {
                            Value::Range(from, to) => to.saturating_sub(*from).max(0),
                            other => width::int(other.breadth()),
                        };
                        self.foresee(0, members)?;
                    }
                    match next_item(&v!(items), &mut w!(cursor), distinct) {
                        Some(value) => v!(d) = value,
                        None => pc = to as usize,
                    }
                    self.fuel()?;
                }
                Op::Row { d, rows, a } => {
                    let rows = &code.rows[usize::from(rows)];
                    let at = width::index(w!(a));
                    w!(d) = i64::from(rows.start[at]);
                    w!(d + 1) = i64::from(rows.start[at + 1]);
                }
                Op::RowNext { d, rows, cursor, to } => {
                    let at = w!(cursor);
                    if at >= w!(cursor + 1) {
                        pc = to as usize;
                    } else {
                        let at = width::index(at);
                        w!(d) = i64::from(code.rows[usize::from(rows)].to[at]);
                        w!(cursor) += 1;
                    }
                }
                Op::EdgeNext { d, edges, cursor, to } => {
                    let table = &code.edge_tables[usize::from(edges)];
                    let mask = w!(cursor + 1).cast_unsigned();
                    let mut at = width::index(w!(cursor));
                    while at < table.len() && (mask >> table[at][1] & mask >> table[at][2] & 1) == 0 {
                        at += 1;
                    }
                    if let Some([id, a, b]) = table.get(at) {
                        (w!(d), w!(d + 1), w!(d + 2)) = (*id, *a, *b);
                        w!(cursor) = width::int(at + 1);
                    } else {
                        pc = to as usize;
                    }
                }

                Op::BoxInt { d, a } => v!(d) = Value::Int(w!(a)),
                Op::BoxBool { d, a } => v!(d) = Value::Bool(w!(a) != 0),
                Op::BoxMember { d, a, domain } => v!(d) = self.store.word_value(w!(a), WordType::Member(domain)),
                Op::BoxMask { d, a, domain } => v!(d) = self.store.word_value(w!(a), WordType::Mask(domain)),
                Op::UnboxInt { d, a } => {
                    w!(d) = match &v!(a) {
                        Value::Int(n) => *n,
                        other => self.store.value_word(other, WordType::Int)?,
                    }
                }
                Op::UnboxPoints { d, a } => w!(d) = self.points(&v!(a))?,
                Op::UnboxBool { d, a } => w!(d) = self.store.value_word(&v!(a), WordType::Bool)?,
                Op::UnboxMember { d, a, domain } => w!(d) = self.store.value_word(&v!(a), WordType::Member(domain))?,
                Op::UnboxMask { d, a, domain } => w!(d) = self.store.value_word(&v!(a), WordType::Mask(domain))?,

                Op::Floor { d, a, spec } => w!(d) = fits!(code.floors[usize::from(spec)].of(w!(a))),
                Op::Invoke { spec } => {
                    frame.pc = pc;
                    return Ok(Step::Invoke(spec));
                }
                Op::Target
                | Op::PushPlace { .. }
                | Op::PushValue { .. }
                | Op::Emit { .. }
                | Op::EmitOne { .. }
                | Op::EmitStop { .. }
                | Op::Ended { .. }
                | Op::EndedScore { .. }
                | Op::OutsideDomain { .. }
                | Op::Yield { .. } => self.step_of_moves(op, code, w, v, out)?,
                _ => self.step_on_values(op, code, pc - 1, w, v, builders)?,
            }
        }
    }
}

/// An instruction came to a part of the loop that does not know it: never an answer.
#[cold]
fn misplaced() -> Halt {
    let message = "an instruction has no meaning: a defect of this program, please report the file";
    Halt::Fault(Fault::new(diagnostic::Code::X01, message))
}

impl Context {
    #[inline] // into the one loop
    fn step_of_moves(&mut self, op: Op, code: &Code, w: &[i64], v: &[Value], out: &mut Options) -> Run<()> {
        macro_rules! v {
            ($r:expr) => {
                v[usize::from($r)]
            };
        }
        match op {
            Op::Target => out.start = out.components.len(),
            Op::PushPlace { spec } => {
                let spec = &code.pushes[usize::from(spec)];
                out.components.push(self.intern(spec.instance, &spec.fields, w, v)?);
            }
            Op::PushValue { a } => {
                let position = v!(a).to_position()?;
                for component in position::components(&position)? {
                    out.components.push(self.component(component)?);
                }
            }
            Op::Emit { spec } => {
                let spec = &code.emits[usize::from(spec)];
                let (first, len) = (place(out.start)?, sum_length(out.components.len() - out.start)?);
                self.push_move(out, spec, MoveTarget::To { first, len }, w, v);
            }
            Op::EmitOne { push, spec } => {
                let push = &code.pushes[usize::from(push)];
                let id = match self.store.find_dense(push, w) {
                    Some(id) => id,
                    None => self.intern(push.instance, &push.fields, w, v)?,
                };
                let first = place(out.components.len())?;
                out.components.push(id);
                self.push_move(out, &code.emits[usize::from(spec)], MoveTarget::To { first, len: 1 }, w, v);
            }
            Op::EmitStop { spec, outcome } => {
                let spec = &code.emits[usize::from(spec)];
                self.push_move(out, spec, MoveTarget::Stop(outcome), w, v);
            }
            Op::Ended { status } => {
                out.status = match status {
                    0 => Status::Over,
                    1 => Status::Play(Outcome::Second),
                    2 => Status::Play(Outcome::First),
                    _ => Status::Play(Outcome::Draw),
                };
            }
            Op::EndedScore { a } => out.status = Status::Score(w[usize::from(a)]),
            Op::OutsideDomain { spec } => {
                let spec = &code.pushes[usize::from(spec)];
                let id = self.intern(spec.instance, &spec.fields, w, v)?;
                let component = self.store.component_value(id);
                let name = &self.session.program.games[component.game.0].name;
                let message = format!("{} is outside the domain of `{name}`", self.component_text(&component));
                return Err(Fault::new(diagnostic::Code::R01, message).into());
            }
            Op::Yield { spec } => {
                let registers = &code.registers[usize::from(spec)];
                let keep = out.window.as_mut().is_none_or(|window| window.admits(registers.iter().map(|r| &v!(*r))));
                if keep {
                    out.yields.push(registers.iter().map(|r| v!(*r).clone()).collect());
                }
                self.fuel()?;
            }
            _ => return Err(misplaced()),
        }
        Ok(())
    }

    fn points(&self, value: &Value) -> Run<i64> {
        self.store.value_word(value, WordType::Int).map_err(|halt| match halt {
            Halt::Deopt(Deopt::IntOverflow) => Halt::Fault(Fault::new(diagnostic::Code::R06, "a score is too big")),
            other => other,
        })
    }

    #[inline]
    fn push_move(&self, out: &mut Options, spec: &EmitSpec, target: MoveTarget, w: &[i64], v: &[Value]) {
        let index = width::short(spec.move_index);
        let gain = spec.gain.map(|r| w[usize::from(r)]);
        out.moves.push(OptionMove { index, again: spec.again, gain, target });
        if out.named {
            out.binders.push(spec.binders.iter().map(|make| self.made(make, w, v)).collect());
        }
    }
}

impl Context {
    #[inline(always)] // into the one loop
    #[allow(clippy::inline_always)] // a call for each instruction takes as long as a short one
    fn step_on_values(
        &mut self,
        op: Op,
        code: &Code,
        at: usize,
        w: &mut [i64],
        v: &mut [Value],
        builders: &mut Vec<Builder>,
    ) -> Run<()> {
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
        match op {
            Op::Materialize { d, make } => v!(d) = self.made(&code.makes[usize::from(make)], w, v),
            Op::Value { d, k } => v!(d) = code.constants[usize::from(k)].clone(),
            Op::Move { d, a } => v!(d) = v!(a).clone(),
            Op::Global { d, global } => v!(d) = self.global(GlobalId(global as usize))?,
            Op::Drawing { d, drawing } => {
                let span = code.spans[at];
                match self.code.drawings.get(usize::from(drawing)).cloned() {
                    Some(drawing) => v!(d) = self.drawn(&drawing, span)?,
                    None => return Err(Fault::new(diagnostic::Code::E18, "too many drawings").into()),
                }
            }
            Op::Binary { op, d, a, b } => {
                self.spend(v!(a).breadth() + v!(b).breadth())?;
                v!(d) = words::binary(op, &v!(a), &v!(b))?;
            }
            Op::Range { d, a, b } => v!(d) = words::binary(BinaryOp::Range, &v!(a), &v!(b))?,
            Op::Compare { op, d, a, b } => w!(d) = i64::from(words::compare(op, &v!(a), &v!(b))?),
            Op::NegValue { d, a } => v!(d) = words::negate(&v!(a))?,
            Op::Call { spec } => {
                let spec = &code.calls[usize::from(spec)];
                self.spend(spec.args.iter().map(|a| v!(*a).breadth()).sum())?;
                let result = match &spec.args[..] {
                    [a] => self.word(spec.word, std::slice::from_ref(&v!(*a)))?,
                    args => {
                        let args: Vec<Value> = args.iter().map(|a| v!(*a).clone()).collect();
                        self.word(spec.word, &args)?
                    }
                };
                v!(spec.d) = result;
            }
            Op::Index { d, a, i } => v!(d) = words::index(&v!(a), &v!(i))?,
            Op::IndexWord { d, a, i } => {
                let i = w!(i);
                let result = match &v!(a) {
                    Value::List(list) => {
                        let at = i.checked_sub(list.base).and_then(|i| usize::try_from(i).ok());
                        let Some(item) = at.and_then(|i| list.items.item(i)) else {
                            let whole = Aggregate::List(list.base);
                            return Err(outside(i, list.items.len(), list.base, whole).into());
                        };
                        item
                    }
                    other => words::index(other, &Value::Int(i))?,
                };
                v!(d) = result;
            }
            Op::Slice { spec } => {
                let spec = &code.slices[usize::from(spec)];
                let from = spec.from.map(|r| &v[usize::from(r)]);
                let to = spec.to.map(|r| &v[usize::from(r)]);
                v!(spec.d) = words::slice(&v!(spec.a), from, to)?;
            }
            Op::Update { spec } => {
                let spec = &code.updates[usize::from(spec)];
                let changes: Vec<_> =
                    spec.changes.iter().map(|(i, op, x)| (v!(*i).clone(), *op, v!(*x).clone())).collect();
                v!(spec.d) = words::update(&v!(spec.a), &changes)?;
            }
            Op::UpdateBuilt { d, a, op } => {
                let items = builders.pop().map(|b| b.items).unwrap_or_default();
                let changes: Vec<_> =
                    items.chunks_exact(2).map(|pair| (pair[0].clone(), op, pair[1].clone())).collect();
                v!(d) = words::update(&v!(a), &changes)?;
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
                let graph = |slot| known.iter().find(|(s, _)| *s == slot).map(|(_, v)| v.clone());
                v!(d) = self.enter_kind(value, &spec.kind, graph, || format!("`{}`", spec.name))?;
            }
            Op::Adapt { d, a, ty } => {
                let ty = &code.types[usize::from(ty)];
                if let (Value::Int(n), Type::Int) = (&v!(a), ty) {
                    v!(d) = Value::Int(*n);
                    return Ok(());
                }
                if let Value::Graph(graph) = &v!(a) {
                    // To be gone through.
                    self.foresee(0, width::int(graph.vertices.len()))?;
                }
                v!(d) = entry::adapt(v!(a).clone(), ty)?;
            }
            Op::Build => {
                self.run.serial += 1;
                builders.push(Builder { items: Vec::new(), row: None, serial: self.run.serial });
            }
            Op::BuildPush { a } => {
                if let Some(builder) = builders.last_mut() {
                    builder.items.push(v!(a).clone());
                }
            }
            Op::BuildSpread { a } => {
                let members = value::members(&v!(a))?.into_owned();
                if let Some(builder) = builders.last_mut() {
                    builder.items.extend(members);
                }
            }
            Op::BuildDone { d, gather } => {
                let items = builders.pop().map(|b| b.items).unwrap_or_default();
                v!(d) = match gather {
                    Gather::List => Value::list_packing(items),
                    Gather::Set => Value::set_packing(items.into_iter().map(value::settled).collect()),
                };
            }
            Op::Ask { word, d, a } => {
                let position = v!(a).to_position()?;
                let hook = self.session.hook;
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
                        position::of_row(row)?
                    }
                    row => {
                        let items = row.map_or(items, |row| position::spelled(&row));
                        self.spend(items.len() as u64)?;
                        words::call(Builtin::Sum, &[Value::list_packing(items)])?
                    }
                };
            }
            Op::Misere { d, a } => v!(d) = position::misere(&v!(a))?,
            Op::Tag { d, spec } => {
                let mut tag = vec![builders.last().map_or(0, |b| b.serial)];
                tag.extend(code.registers[usize::from(spec)].iter().map(|r| w!(*r)));
                v!(d) = position::tagged(&v!(d), &tag)?;
            }

            _ => return Err(misplaced()),
        }
        Ok(())
    }
}

impl Context {
    fn made(&self, make: &Materialize, w: &[i64], v: &[Value]) -> Value {
        match make {
            Materialize::Known(value) => value.clone(),
            Materialize::Word(r, word_type) => self.store.word_value(w[usize::from(*r)], *word_type),
            Materialize::Value(r) => v[usize::from(*r)].clone(),
            Materialize::Parts(kind, parts) => {
                let there = parts.iter().filter(|(flag, _)| flag.is_none_or(|flag| w[usize::from(flag)] != 0));
                layout::whole(*kind, there.map(|(_, part)| self.made(part, w, v)).collect())
            }
        }
    }
}

/// A place among the components that the moves of a position lead to. L01 when they are too many.
#[inline]
fn place(at: usize) -> Result<u32, Fault> {
    u32::try_from(at)
        .map_err(|_| Fault::new(diagnostic::Code::L01, "the moves of a position lead to more than 2^32 components"))
}

/// How many components a move leads to. L01 when they are too many for the lists of options that searches keep.
#[inline]
fn sum_length(len: usize) -> Result<u32, Fault> {
    let len = u32::try_from(len).ok().filter(|&len| len <= LENGTH);
    len.ok_or_else(|| Fault::new(diagnostic::Code::L01, "a move leads to 2^29 components or more"))
}

/// An index that is not there (R02).
fn outside(index: i64, len: usize, base: i64, whole: Aggregate) -> Fault {
    let (what, item) = match whole {
        Aggregate::Text => ("a text", "character"),
        Aggregate::Tuple => ("a tuple", "part"),
        Aggregate::List(_) | Aggregate::Set => ("a list", "item"),
    };
    let plural = if len == 1 { "" } else { "s" };
    Fault::new(
        diagnostic::Code::R02,
        format!("index {index} is outside {what} of {len} {item}{plural} counted from {base}"),
    )
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
        Value::Range(..) => return part(&Value::list(value::members(value)?.into_owned()), index, arity),
        _ => return Err(Fault::new(diagnostic::Code::E03, format!("{value} cannot be taken apart")).into()),
    };
    if parts.len() == arity {
        Ok(parts[index].clone())
    } else {
        Err(Fault::new(diagnostic::Code::R02, format!("a pattern of {arity} parts meets {value}")).into())
    }
}

/// The next member of a collection made ready by [`value::iterable`].
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
    *cursor = width::int(at + 1);
    Some(value)
}

fn taken(registers: &[Option<Reg>], v: &[Value]) -> Vec<Option<Value>> {
    registers.iter().map(|r| r.map(|r| v[usize::from(r)].clone())).collect()
}

impl Context {
    /// The rule parameters, entered; those of `like` where they are the same.
    fn placed_params(&mut self, spec: &PlaceSpec, like: Option<&Row>, v: &[Value]) -> Run<Arc<[Value]>> {
        if let Some(own) = &spec.own {
            return Ok(own.clone());
        }
        let row = like.filter(|row| row.game == spec.game);
        if let Some(row) = row.filter(|_| self.session.program.games[spec.game.0].params.is_empty()) {
            return Ok(row.params.clone());
        }
        let params = self.enter_params(spec.game, spec.params.as_ref().map_or_else(Vec::new, |rs| taken(rs, v)))?;
        Ok(row.filter(|row| row.params == params).map_or(params, |row| row.params.clone()))
    }

    /// The component with these rule parameters as a position.
    fn placed(&mut self, spec: &PlaceSpec, params: Arc<[Value]>, v: &[Value]) -> Run<Value> {
        let component = self.place(spec.game, params, taken(&spec.fields, v))?;
        Ok(position::single(component, self.session.program.games[spec.game.0].misere))
    }

    /// Adds a component to what is collected: to a row as long as all are of one kind.
    fn place_into(&mut self, spec: &PlaceSpec, builder: &mut Builder, v: &[Value]) -> Run<()> {
        let params = self.placed_params(spec, builder.row.as_ref(), v)?;
        let int = match (spec.int_from, &spec.fields[..]) {
            (Some(least), [Some(field)]) => match &v[usize::from(*field)] {
                Value::Int(n) if *n >= least => Some(*n),
                _ => None,
            },
            _ => None,
        };
        if let Some(n) = int.filter(|_| builder.items.is_empty()) {
            let row = builder.row.get_or_insert_with(|| Row::new(spec.game, params.clone()));
            if row.game == spec.game && Arc::ptr_eq(&row.params, &params) {
                row.ints.push(n);
                return Ok(());
            }
        }
        if let Some(row) = builder.row.take() {
            builder.items = position::spelled(&row);
        }
        builder.items.push(self.placed(spec, params, v)?);
        Ok(())
    }
}
