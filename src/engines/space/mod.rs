//! Positions as sorted multisets of components, and what one move makes of them.

mod compounds;
mod step;

use crate::engines::space::compounds::MUCH_WORDS;
pub(crate) use crate::engines::space::compounds::{MOVE_WORDS, choices, replace, span};
pub(crate) use crate::engines::space::step::{Goal, Met, Step, Steps};
use crate::memo::Mode;
use crate::source::diagnostic::Code;
use crate::syntax::tree::Outcome;
use crate::value::fault::{Fault, Halt, Run};
use crate::value::limits::Pace;
use crate::value::{Position, Shape};
use crate::vm::context::Context;
use crate::vm::run::{MoveTarget, Options, Status};
use hashbrown::HashMap;
use std::rc::Rc;

/// A component that has no moves and is of no game: a part of a compound that became the zero position.
pub(crate) const NOTHING: u32 = u32::MAX - 1;

/// Options of components, each worked out once.
#[derive(Debug, Default)]
pub(crate) struct Space {
    cache: HashMap<u32, Rc<Steps>>,
    /// Bytes of the options kept, roughly.
    held: usize,
    out: Options,
    pub(crate) met: Met,
}

pub(crate) fn outcome_code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::First => 0,
        Outcome::Second => 1,
        Outcome::Draw => 2,
    }
}

impl Space {
    /// Bytes held, roughly.
    pub(crate) fn bytes(&self) -> usize {
        self.held + self.cache.capacity() * 16
    }

    /// The options of a component.
    pub(crate) fn steps(&mut self, ctx: &mut Context, id: u32) -> Run<Rc<Steps>> {
        if let Some(steps) = self.cache.get(&id) {
            return Ok(steps.clone());
        }
        let steps = Rc::new(self.work_out(ctx, id)?);
        self.held += steps.bytes();
        self.cache.insert(id, steps.clone());
        Ok(steps)
    }

    fn work_out(&mut self, ctx: &mut Context, id: u32) -> Run<Steps> {
        if id == NOTHING {
            return Ok(Steps { status: Status::Over, steps: Vec::new() });
        }
        let mut out = std::mem::take(&mut self.out);
        ctx.options(id, &mut out)?;
        let mut steps = Vec::with_capacity(out.moves.len());
        for mv in &out.moves {
            self.met.again |= mv.again;
            self.met.points |= mv.gain.is_some();
            let to = match mv.target {
                MoveTarget::Stop(outcome) => {
                    self.met.stop = true;
                    Goal::Stop(outcome_code(outcome))
                }
                MoveTarget::To { first, len } => {
                    let mut sum: Box<[u32]> = out.components[first as usize..(first + len) as usize].into();
                    sum.sort_unstable();
                    Goal::Sum(sum)
                }
            };
            steps.push(Step { to, again: mv.again, gain: mv.gain.unwrap_or(0) });
        }
        steps.sort_unstable();
        steps.dedup();
        let status = out.status;
        self.met.ending |= matches!(status, Status::Play(_));
        self.met.points |= matches!(status, Status::Score(_));
        self.out = out;
        if status != Status::Open {
            steps.clear();
        }
        Ok(Steps { status, steps })
    }

    /// What `end when` lines say of a whole position: the verdict on the whole play, for the player to move.
    pub(crate) fn verdict(&mut self, ctx: &mut Context, key: &[u32]) -> Run<Option<Outcome>> {
        let mut verdict = None;
        for &id in key {
            if id == NOTHING {
                continue;
            }
            if let Status::Play(outcome) = ctx.status(id)? {
                self.met.ending = true;
                if verdict.is_some_and(|v| v != outcome) {
                    return Err(Fault::new(
                        Code::R08,
                        "components of one sum end the whole play with different verdicts",
                    )
                    .into());
                }
                verdict = Some(outcome);
            }
        }
        Ok(verdict)
    }

    /// Points that components already over bring to the player to move.
    pub(crate) fn points(&mut self, ctx: &mut Context, key: &[u32]) -> Run<i64> {
        let mut points = 0i64;
        for &id in key {
            if let Status::Score(score) = self.steps(ctx, id)?.status {
                points = points.checked_add(score).ok_or_else(too_many_points)?;
            }
        }
        Ok(points)
    }

    /// A step with the points of what it enters counted (rule 24): for the player then to move.
    pub(crate) fn entered(&mut self, ctx: &mut Context, step: &Step) -> Run<Step> {
        let Goal::Sum(sum) = &step.to else { return Ok(step.clone()) };
        let points = self.points(ctx, sum)?;
        let points = if step.again { Some(points) } else { points.checked_neg() };
        let gain = points.and_then(|p| step.gain.checked_add(p)).ok_or_else(too_many_points)?;
        Ok(Step { gain, ..step.clone() })
    }

    /// The moves of a whole position.
    pub(crate) fn moves(&mut self, ctx: &mut Context, mode: Mode, key: &[u32]) -> Run<Vec<Step>> {
        match mode.compound {
            None => self.sum_moves(ctx, key),
            Some(compound) => self.compound_moves(ctx, compound, key),
        }
    }

    fn sum_moves(&mut self, ctx: &mut Context, key: &[u32]) -> Run<Vec<Step>> {
        let mut moves = Vec::new();
        let (mut pace, mut words) = (Pace::default(), 0);
        for (i, &id) in key.iter().enumerate() {
            pace.spend(&ctx.limits, 1)?;
            if i > 0 && key[i - 1] == id {
                continue;
            }
            let steps = self.steps(ctx, id)?;
            words += steps.steps.len() * key.len();
            if words >= MUCH_WORDS {
                ctx.limits.check_memory(ctx.bytes() + 4 * words)?;
            }
            for step in &steps.steps {
                pace.spend(&ctx.limits, MOVE_WORDS + key.len())?;
                let step = if self.met.points { self.entered(ctx, step)? } else { step.clone() };
                let to = match step.to {
                    Goal::Stop(code) => Goal::Stop(code),
                    Goal::Sum(sum) => Goal::Sum(replace(key, &[i], &sum)),
                };
                moves.push(Step { to, ..step });
            }
        }
        Ok(moves)
    }
}

pub(crate) fn too_many_points() -> Halt {
    Halt::Fault(Fault::new(Code::R06, "a score is too big"))
}

/// The components of a position with their numbers, in the order written, and how they are played.
pub(crate) fn lay_out(ctx: &mut Context, position: &Position) -> Run<(Mode, Vec<u32>)> {
    let compound = match &position.shape {
        Shape::Sum(_) => None,
        Shape::Compound(compound, _) => Some(*compound),
    };
    let mut ids = Vec::new();
    match &position.shape {
        Shape::Sum(components) => {
            for component in components.iter() {
                ids.push(ctx.component(component)?);
            }
        }
        Shape::Compound(_, parts) => {
            for part in parts {
                let Shape::Sum(components) = &part.shape else {
                    return Err(Fault::new(Code::E22, "a compound of compounds").into());
                };
                if components.is_empty() {
                    ids.push(NOTHING);
                }
                for component in components.iter() {
                    ids.push(ctx.component(component)?);
                }
            }
        }
    }
    Ok((Mode { misere: position.misere, compound }, ids))
}
