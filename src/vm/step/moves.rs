//! The instructions of moves and ends: components, moves, what `end when` says, ways through clauses.

use crate::bytecode::{Code, EmitSpec, Op, WordType};
use crate::source::diagnostic;
use crate::syntax::tree::Outcome;
use crate::value::Value;
use crate::value::fault::{Deopt, Fault, Halt, Run};
use crate::value::position;
use crate::vm::context::Context;
use crate::vm::run::{MoveTarget, OptionMove, Options, Status};
use crate::vm::step::misplaced;

impl Context {
    /// One instruction.
    #[inline] // into the one loop
    pub(super) fn step_of_moves(&mut self, op: Op, code: &Code, w: &[i64], v: &[Value], out: &mut Options) -> Run<()> {
        macro_rules! v {
            ($r:expr) => {
                v[usize::from($r)]
            };
        }
        match op {
            Op::Target => out.start = out.components.len(),
            Op::PushPlace { spec } => {
                let spec = &code.pushes[usize::from(spec)];
                let id = self.intern(spec.instance, &spec.fields, w, v)?;
                out.components.push(id);
            }
            Op::PushValue { a } => {
                let position = v!(a).to_position()?;
                for component in position::components(&position)? {
                    let id = self.component(component)?;
                    out.components.push(id);
                }
            }
            Op::Emit { spec } => {
                let spec = &code.emits[usize::from(spec)];
                let gain = match spec.gain {
                    Some(r) => Some(self.points(&v!(r))?),
                    None => None,
                };
                let first = u32::try_from(out.start).unwrap_or(u32::MAX);
                let len = u32::try_from(out.components.len() - out.start).unwrap_or(u32::MAX);
                self.push_move(out, spec, gain, MoveTarget::To { first, len }, w, v);
            }
            Op::EmitOne { push, spec } => {
                let push = &code.pushes[usize::from(push)];
                let id = match self.store.find_dense(push, w) {
                    Some(id) => id,
                    None => self.intern(push.instance, &push.fields, w, v)?,
                };
                let first = u32::try_from(out.components.len()).unwrap_or(u32::MAX);
                out.components.push(id);
                self.push_move(out, &code.emits[usize::from(spec)], None, MoveTarget::To { first, len: 1 }, w, v);
            }
            Op::EmitStop { spec, outcome } => {
                let spec = &code.emits[usize::from(spec)];
                self.push_move(out, spec, None, MoveTarget::Stop(outcome), w, v);
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
                let score = self.points(&v!(a))?;
                out.status = Status::Score(score);
            }
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

    /// A value as points.
    fn points(&self, value: &Value) -> Run<i64> {
        self.store.value_word(value, WordType::Int).map_err(|halt| match halt {
            Halt::Deopt(Deopt::IntOverflow) => Halt::Fault(Fault::new(diagnostic::Code::R06, "a score is too big")),
            other => other,
        })
    }

    #[inline]
    fn push_move(
        &self,
        out: &mut Options,
        spec: &EmitSpec,
        gain: Option<i64>,
        target: MoveTarget,
        w: &[i64],
        v: &[Value],
    ) {
        let index = u32::try_from(spec.move_index).unwrap_or(u32::MAX);
        out.moves.push(OptionMove { index, again: spec.again, gain, target });
        if out.named {
            out.binders.push(spec.binders.iter().map(|make| self.made(make, w, v)).collect());
        }
    }
}
