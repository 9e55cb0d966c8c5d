//! Positions as sorted multisets of components, and what one move makes of them, of compounds too.

use crate::memo::Mode;
use crate::source::Code;
use crate::store::ComponentId;
use crate::syntax::tree::Outcome;
use crate::value::limits::Pace;
use crate::value::{Compound, Fault, Halt, Points, Run};
use crate::vm::context::Context;
use crate::vm::run::{MoveTarget, Options, Status};
use hashbrown::HashMap;
use std::rc::Rc;

/// A component that has no moves and is of no game: a part of a compound that became the zero position.
pub(crate) const NOTHING: ComponentId = ComponentId::mark(u32::MAX - 1);

/// Options of components, each worked out once.
#[derive(Debug, Default)]
pub(crate) struct Space {
    cache: HashMap<ComponentId, Rc<Steps>>,
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
    pub(crate) fn bytes(&self) -> usize {
        self.held + self.cache.capacity() * 16
    }

    pub(crate) fn steps(&mut self, ctx: &mut Context, id: ComponentId) -> Run<Rc<Steps>> {
        if let Some(steps) = self.cache.get(&id) {
            return Ok(steps.clone());
        }
        let steps = Rc::new(self.work_out(ctx, id)?);
        self.held += steps.bytes();
        self.cache.insert(id, steps.clone());
        Ok(steps)
    }

    fn work_out(&mut self, ctx: &mut Context, id: ComponentId) -> Run<Steps> {
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
                    let mut sum: Box<[ComponentId]> = out.components[first as usize..(first + len) as usize].into();
                    sum.sort_unstable();
                    Goal::Sum(sum)
                }
            };
            steps.push(Step { to, again: mv.again, gain: mv.gain.clone().unwrap_or_default() });
        }
        steps.sort_unstable();
        steps.dedup();
        let status = std::mem::take(&mut out.status);
        self.met.ending |= matches!(status, Status::Play(_));
        self.met.points |= matches!(status, Status::Score(_));
        self.out = out;
        if status != Status::Open {
            steps.clear();
        }
        Ok(Steps { status, steps })
    }

    /// What `end when` lines say of a whole position: the verdict on the whole play, for the player to move.
    pub(crate) fn verdict(&mut self, ctx: &mut Context, key: &[ComponentId]) -> Run<Option<Outcome>> {
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
    pub(crate) fn points(&mut self, ctx: &mut Context, key: &[ComponentId]) -> Run<Points> {
        let mut points = Points::ZERO;
        for &id in key {
            if let Status::Score(score) = &self.steps(ctx, id)?.status {
                points = &points + score;
            }
        }
        Ok(points)
    }

    /// A step with the points of what it enters counted (rule 24): for the player then to move.
    pub(crate) fn entered(&mut self, ctx: &mut Context, step: &Step) -> Run<Step> {
        let Goal::Sum(sum) = &step.to else { return Ok(step.clone()) };
        let points = self.points(ctx, sum)?;
        let gain = if step.again { &step.gain + &points } else { &step.gain - &points };
        Ok(Step { gain, ..step.clone() })
    }

    pub(crate) fn moves(&mut self, ctx: &mut Context, mode: Mode, key: &[ComponentId]) -> Run<Vec<Step>> {
        match mode.compound {
            None => self.sum_moves(ctx, key),
            Some(compound) => self.compound_moves(ctx, compound, key),
        }
    }

    fn sum_moves(&mut self, ctx: &mut Context, key: &[ComponentId]) -> Run<Vec<Step>> {
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

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step {
    pub(crate) to: Goal,
    pub(crate) again: bool,
    /// Points for the mover; `end when .. : score` of what is entered included.
    pub(crate) gain: Points,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Goal {
    /// `win`, `lose`, `draw`: 0, 1, 2.
    Stop(u8),
    Sum(Box<[ComponentId]>),
}

#[derive(Debug)]
pub(crate) struct Steps {
    pub(crate) status: Status,
    pub(crate) steps: Vec<Step>,
}

impl Steps {
    /// Bytes held, with what the system adds to each piece of memory.
    pub(crate) fn bytes(&self) -> usize {
        /// A piece of memory on its own.
        const PIECE: usize = 16;
        let sums = self.steps.iter().map(|step| match &step.to {
            Goal::Stop(_) => 0,
            Goal::Sum(sum) => PIECE + size_of_val(&sum[..]).next_multiple_of(16),
        });
        size_of::<Steps>() + PIECE + self.steps.capacity() * size_of::<Step>() + sums.sum::<usize>()
    }
}

/// What was met while exploring that forbids Grundy values or needs a search of the whole position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // independent facts
pub(crate) struct Met {
    /// `win`, `lose`, `draw`
    pub(crate) stop: bool,
    /// `end when ... : lost`, `won`, `drawn`
    pub(crate) ending: bool,
    pub(crate) again: bool,
    /// `gain` or `score`
    pub(crate) points: bool,
}

impl Met {
    /// Why there is no Grundy value, if something was met that forbids it (rule 32).
    pub(crate) fn forbids_grundy(self) -> Option<&'static str> {
        if self.stop {
            Some("a move of it ends the whole play (`win`, `lose` or `draw`)")
        } else if self.ending {
            Some("an `end when` of it ends the whole play (`lost`, `won` or `drawn`)")
        } else if self.again {
            Some("a move of it keeps the turn (`again`)")
        } else if self.points {
            Some("it is a scoring game (`gain` or `score`)")
        } else {
            None
        }
    }
}

impl Space {
    fn compound_moves(&mut self, ctx: &mut Context, compound: Compound, key: &[ComponentId]) -> Run<Vec<Step>> {
        let mut parts = Vec::with_capacity(key.len());
        for &id in key {
            parts.push(self.steps(ctx, id)?);
        }
        if self.met.forbids_grundy().is_some() {
            return Err(Halt::Fault(Fault::new(
                Code::E22,
                "a compound of games with ends of the whole play, `again` or points",
            )));
        }
        let mut moves = Vec::new();
        for choice in choices(ctx, compound, &parts.iter().map(|p| p.steps.len()).collect::<Vec<_>>())? {
            ctx.spend((MOVE_WORDS + key.len()) as u64)?;
            let places: Vec<usize> = choice.iter().map(|&(i, _)| i).collect();
            let mut entered: Vec<ComponentId> = Vec::new();
            for &(i, j) in &choice {
                if let Goal::Sum(sum) = &parts[i].steps[j].to {
                    if sum.is_empty() {
                        entered.push(NOTHING);
                    }
                    entered.extend(sum.iter());
                }
            }
            moves.push(Step { to: Goal::Sum(replace(key, &places, &entered)), again: false, gain: Points::ZERO });
        }
        moves.sort_unstable();
        moves.dedup();
        Ok(moves)
    }
}

/// Looking at a move costs about as much as so many words.
pub(crate) const MOVE_WORDS: usize = 16;

/// The moves of one position are weighed from so many words on.
const MUCH_WORDS: usize = 1 << 22;

/// The key with the components at some places, in ascending order, taken out and others put in, sorted.
pub(crate) fn replace(key: &[ComponentId], out: &[usize], entered: &[ComponentId]) -> Box<[ComponentId]> {
    let mut next: Vec<ComponentId> = Vec::with_capacity((key.len() + entered.len()).saturating_sub(out.len()));
    let mut from = 0;
    for &place in out {
        next.extend_from_slice(&key[from..place]);
        from = place + 1;
    }
    next.extend_from_slice(&key[from..]);
    next.extend_from_slice(entered);
    next.sort_unstable();
    next.into()
}

/// In how many parts one may move at least and at most, where so many can be moved in of so many; `None`: it is over (rule 27).
pub(crate) fn span(compound: Compound, can: usize, all: usize) -> Option<(usize, usize)> {
    let stuck = can < all;
    let (least, most) = match compound {
        Compound::Conjunctive | Compound::ShortenedSelective | Compound::Diminished if stuck => return None,
        Compound::Conjunctive | Compound::Continued => (can, can),
        Compound::Selective | Compound::ShortenedSelective => (1, can),
        Compound::AtMost(k) => (1, k.min(can)),
        Compound::Diminished => (1, 1),
    };
    (can > 0).then_some((least, most))
}

/// All moves of a compound whose parts have so many moves: (part, move) pairs (rule 27; theory of compounds: Conway, On
/// Numbers and Games, chapter 14; Winning Ways, chapter 9).
pub(crate) fn choices(ctx: &mut Context, compound: Compound, counts: &[usize]) -> Run<Vec<Vec<(usize, usize)>>> {
    /// More moves than this of one position are too many.
    const MOVES: usize = 1 << 20;
    let can: Vec<usize> = (0..counts.len()).filter(|&i| counts[i] > 0).collect();
    let Some((least, most)) = span(compound, can.len(), counts.len()) else { return Ok(Vec::new()) };
    let mut all: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    for (at, &i) in can.iter().enumerate() {
        let left = can.len() - at - 1;
        let mut next = Vec::new();
        for chosen in all {
            let more = if chosen.len() < most { counts[i] } else { 0 };
            if next.len() + more > MOVES {
                let message = format!("a position of a compound has more than {MOVES} moves");
                return Err(Fault::new(Code::L02, message).into());
            }
            ctx.spend((MOVE_WORDS + more * (MOVE_WORDS + 4 * chosen.len())) as u64)?;
            if more > 0 {
                next.extend((0..counts[i]).map(|j| {
                    let mut with = chosen.clone();
                    with.push((i, j));
                    with
                }));
            }
            if chosen.len() + left >= least {
                next.push(chosen);
            }
        }
        all = next;
    }
    let mut done: Vec<_> = all.into_iter().filter(|c| c.len() >= least.max(1)).collect();
    done.sort_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
    Ok(done)
}
