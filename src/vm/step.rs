//! The instructions: one loop over flat code for jumps, words and loops; then those of moves and ends, those on values, and
//! components made from registers.

use crate::bytecode::{Code, EmitSpec, FieldReg, Op, PlaceSpec, Reg};
use crate::memo::LENGTH;
use crate::model::{Builtin, GlobalId};
use crate::source::diagnostic;
use crate::store::Domains;
use crate::store::step::{self, Builder, Host, next_ints, next_item, outside};
use crate::value::domain::{NUMBERS, SIDE, numbers_below};
use crate::value::{Deopt, Fault, Halt, Points, Row, Run, Value, position, width};
use crate::vm::context::Context;
use crate::vm::run::{Frame, MoveTarget, OptionMove, Options, Status};
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
                Op::Jump { to } => pc = to as usize,
                Op::JumpIf { a, to } => jump_if!(w!(a) != 0, to),
                Op::JumpUnless { a, to } => jump_if!(w!(a) == 0, to),
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
                Op::CopyIf { d, a, b } => w!(d) = if w!(a) == 0 { w!(d) } else { w!(b) },
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
                Op::Number { word, d, a, b } => {
                    w!(d) = match word.of(w!(a), w!(b)) {
                        Some(n) => n,
                        None => word.fault(w!(a), w!(b))?,
                    }
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
                        Context::foresee(self, w!(i), w!(hi), out.most)?;
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
                Op::ItemsNext { d, items, cursor, to }
                | Op::DistinctNext { d, items, cursor, to }
                | Op::IntsNext { d, items, cursor, to, .. } => {
                    let distinct = matches!(op, Op::DistinctNext { .. });
                    if w!(cursor) == 0 {
                        let members = match &v!(items) {
                            Value::Range(from, to) => to.saturating_sub(*from).max(0),
                            other => width::int(other.breadth()),
                        };
                        Context::foresee(self, 0, members, out.most)?;
                    }
                    let there = if let Op::IntsNext { width, .. } = op {
                        next_ints(&v!(items), w, cursor, d..d + Reg::from(width))?
                    } else {
                        next_item(v, d, items, &mut w!(cursor), distinct)
                    };
                    jump_if!(!there, to);
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
                | Op::EndedLargeScore { .. }
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
        match op {
            Op::Target => out.start = out.components.len(),
            Op::PushPlace { spec } => {
                let spec = &code.pushes[usize::from(spec)];
                out.components.push(self.intern_push(spec, w, v)?);
            }
            Op::PushValue { a } => {
                let position = v[usize::from(a)].to_position()?;
                for component in position::components(&position)? {
                    out.components.push(self.component(component)?);
                }
            }
            Op::Emit { spec } => {
                let spec = &code.emits[usize::from(spec)];
                let (first, len) = (place(out.start)?, sum_length(out.components.len() - out.start)?);
                self.push_move(out, spec, MoveTarget::To { first, len }, w, v)?;
            }
            Op::EmitOne { push, spec } => {
                let push = &code.pushes[usize::from(push)];
                let id = match self.store.find_dense(push, w) {
                    Some(id) => id,
                    None => self.intern_push(push, w, v)?,
                };
                let first = place(out.components.len())?;
                out.components.push(id);
                self.push_move(out, &code.emits[usize::from(spec)], MoveTarget::To { first, len: 1 }, w, v)?;
            }
            Op::EmitStop { spec, outcome } => {
                let spec = &code.emits[usize::from(spec)];
                self.push_move(out, spec, MoveTarget::Stop(outcome), w, v)?;
            }
            Op::Ended { who } => out.status = who.map_or(Status::Over, Status::Play),
            Op::EndedScore { a } => out.status = Status::Score(w[usize::from(a)].into()),
            Op::EndedLargeScore { a } => out.status = Status::Score(Points::of(&v[usize::from(a)])?),
            Op::OutsideDomain { spec } => {
                let spec = &code.pushes[usize::from(spec)];
                let id = self.intern_push(spec, w, v)?;
                let component = self.store.component_value(id);
                let name = &self.session.program.games[component.game.0].name;
                let message = format!("{} is outside the domain of `{name}`", self.component_text(&component));
                return Err(Fault::new(diagnostic::Code::R01, message).into());
            }
            Op::Yield { spec } => {
                let registers = &code.registers[usize::from(spec)];
                let keep = out
                    .window
                    .as_mut()
                    .is_none_or(|window| window.admits(registers.iter().map(|r| &v[usize::from(*r)])));
                if keep {
                    out.yields.push(registers.iter().map(|r| v[usize::from(*r)].clone()).collect());
                }
                self.fuel()?;
            }
            _ => return Err(misplaced()),
        }
        Ok(())
    }

    #[inline]
    fn push_move(&self, out: &mut Options, spec: &EmitSpec, target: MoveTarget, w: &[i64], v: &[Value]) -> Run<()> {
        let index = width::short(spec.move_index);
        let gain = match spec.gain {
            Some(FieldReg::Word(r)) => Some(Points::from(w[usize::from(r)])),
            Some(FieldReg::Value(r)) => Some(Points::of(&v[usize::from(r)])?),
            None => None,
        };
        out.moves.push(OptionMove { index, again: spec.again, gain, target });
        if out.named {
            out.binders.push(spec.binders.iter().map(|make| step::made(&self.store.domains, make, w, v)).collect());
            if out.is_full() {
                return Err(Fault::new(diagnostic::Code::L01, "there are as many moves as are wanted").into());
            }
        }
        Ok(())
    }
}

impl Context {
    #[inline(always)] // into the one loop
    #[allow(clippy::inline_always)] // a call for each instruction takes as long as a short one
    pub(super) fn step_on_values(
        &mut self,
        op: Op,
        code: &Code,
        at: usize,
        w: &mut [i64],
        v: &mut [Value],
        builders: &mut Vec<Builder>,
    ) -> Run<()> {
        macro_rules! v {
            ($r:expr) => {
                v[usize::from($r)]
            };
        }
        match op {
            Op::Global { d, global } => {
                let id = GlobalId(global as usize);
                // In a loop the register has it already.
                if !self.globals.values[id.0].as_ref().is_some_and(|value| value.is_same_list(&v!(d))) {
                    v!(d) = self.global(id)?;
                }
            }
            Op::Drawing { d, drawing } => {
                let span = code.spans[at];
                match self.code.drawings.get(usize::from(drawing)).cloned() {
                    Some(drawing) => v!(d) = self.drawn(&drawing, span)?,
                    None => return Err(Fault::new(diagnostic::Code::E18, "too many drawings").into()),
                }
            }
            Op::Enter { d, a, spec } => {
                let spec = &code.enters[usize::from(spec)];
                let known: Vec<_> = spec.graphs.iter().map(|(slot, r)| (*slot, v!(*r).clone())).collect();
                let value = v!(a).clone();
                let graph = |slot| known.iter().find(|(s, _)| *s == slot).map(|(_, v)| v.clone());
                v!(d) = self.enter_kind(value, &spec.kind, graph, || format!("`{}`", spec.name))?;
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
                let (items, row) = builders.pop().map(|mut b| (std::mem::take(b.values()), b.row)).unwrap_or_default();
                v!(d) = match row {
                    Some(row) if row.is_long() => {
                        self.spend(row.ints.len() as u64)?;
                        position::of_row(row)?
                    }
                    row => {
                        let items = row.map_or(items, |row| position::spelled(&row));
                        self.spend(items.len() as u64)?;
                        words::call(Builtin::Sum, &[Value::list(items)])?
                    }
                };
            }
            Op::Misere { d, a } => v!(d) = position::misere(&v!(a))?,
            Op::Tag { d, spec } => {
                let mut tag = vec![builders.last().map_or(0, |b| b.serial)];
                tag.extend(code.registers[usize::from(spec)].iter().map(|r| w[usize::from(*r)]));
                v!(d) = position::tagged(&v!(d), &tag)?;
            }

            _ => {
                if !step::step(self, op, code, w, v, builders)? {
                    return Err(misplaced());
                }
            }
        }
        Ok(())
    }
}

impl Host for Context {
    #[inline]
    fn domains(&self) -> &Domains {
        &self.store.domains
    }

    #[inline]
    fn spend(&mut self, members: u64) -> Run<()> {
        Context::spend(self, members)
    }

    #[inline]
    fn foresee(&self, from: i64, to: i64) -> Run<()> {
        Context::foresee(self, from, to, None)
    }

    fn serial(&mut self) -> i64 {
        self.run.serial += 1;
        self.run.serial
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
        if let Some(n) = int.filter(|_| builder.values().is_empty()) {
            let row = builder.row.get_or_insert_with(|| Row::new(spec.game, params.clone()));
            if row.game == spec.game && Arc::ptr_eq(&row.params, &params) {
                row.ints.push(n);
                return Ok(());
            }
        }
        if let Some(row) = builder.row.take() {
            *builder.values() = position::spelled(&row);
        }
        let placed = self.placed(spec, params, v)?;
        builder.values().push(placed);
        Ok(())
    }
}
