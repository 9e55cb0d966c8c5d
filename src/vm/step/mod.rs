//! The instructions: one loop over flat code. Jumps, words and loops are here; what works on values or makes moves is a file
//! of its own each.

mod items;
mod moves;
mod values;

use crate::bytecode::{Code, Op, WordType};
use crate::source::diagnostic;
use crate::value;
use crate::value::Value;
use crate::value::domain::{NUMBERS, SIDE, numbers_below};
use crate::value::fault::{Deopt, Fault, Halt, Run};
use crate::vm::context::Context;
use crate::vm::run::{Builder, Frame, Options};
use crate::vm::step::items::{next_item, outside};

/// Why the loop stopped.
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
                        return Err(Fault::new(diagnostic::Code::R03, format!("`div` by {}", w!(b))).into());
                    }
                    w!(d) = w!(a).div_euclid(w!(b));
                }
                Op::Mod { d, a, b } => {
                    if w!(b) <= 0 {
                        return Err(Fault::new(diagnostic::Code::R03, format!("`mod` by {}", w!(b))).into());
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
                        return Err(Fault::new(
                            diagnostic::Code::R01,
                            format!("`xor` and `&` are of nats, not {}", x.min(y)),
                        )
                        .into());
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
                        return Err(Fault::new(
                            diagnostic::Code::R01,
                            format!("`{name}` is a nat and cannot be {}", w!(a)),
                        )
                        .into());
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
                Op::NatLimit { d } => w!(d) = self.globals.nat_limit,
                Op::NothingIn { max } => {
                    let word = if max { "greatest" } else { "least" };
                    return Err(
                        Fault::new(diagnostic::Code::R02, format!("there is no {word} member of nothing")).into()
                    );
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
                            other => i64::try_from(other.breadth()).unwrap_or(i64::MAX),
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
                        w!(d) = i64::from(code.rows[usize::from(rows)].to[at]);
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
                Op::BoxMember { d, a, domain } => v!(d) = self.store.word_value(w!(a), WordType::Member(domain)),
                Op::BoxMask { d, a, domain } => v!(d) = self.store.word_value(w!(a), WordType::Mask(domain)),
                Op::UnboxInt { d, a } => {
                    w!(d) = match &v!(a) {
                        Value::Int(n) => *n,
                        other => self.store.value_word(other, WordType::Int)?,
                    }
                }
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
