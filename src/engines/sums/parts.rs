//! The options of components of sums, worked out when they are wanted.

use crate::memo::sums::{AGAIN, IDLE, LENGTH, MARKS, Part, Parts, STOP, Seen, mark};
use crate::source::diagnostic::Code;
use crate::syntax::tree::Outcome;
use crate::value::fault::{Fault, Run};
use crate::vm::context::Context;
use crate::vm::run::{MoveTarget, Options, Status};

impl Parts {
    /// Looks at a component: runs its rules the first time. `None`: it is one of points, and no sum of this kind.
    ///
    /// # Errors
    /// Those of the rules.
    pub fn see(&mut self, ctx: &mut Context, component: u32) -> Run<Option<Seen>> {
        if let Some(seen) = self.seen(component) {
            return Ok(Some(seen));
        }
        let mut out = std::mem::take(&mut ctx.run.options);
        let done = ctx.options(component, &mut out);
        let number = done.map(|()| self.number(component, &out));
        ctx.run.options = out;
        if let Some(number) = number? {
            self.put(component, number);
        }
        Ok(self.seen(component))
    }

    fn number(&mut self, component: u32, out: &Options) -> Option<u32> {
        match out.status {
            Status::Score(_) => return None,
            Status::Play(outcome) => return Some(mark(outcome)),
            Status::Over => return Some(IDLE),
            Status::Open if out.moves.is_empty() => return Some(IDLE),
            Status::Open => {}
        }
        let mut raw = Vec::with_capacity(out.moves.len() + out.components.len());
        for mv in &out.moves {
            if mv.gain.is_some() {
                return None;
            }
            let again = if mv.again { AGAIN } else { 0 };
            match mv.target {
                MoveTarget::Stop(outcome) => raw.push(STOP | (mark(outcome) - MARKS)),
                MoveTarget::To { first, len } => {
                    raw.push(len | again);
                    raw.extend_from_slice(&out.components[first as usize..(first + len) as usize]);
                }
            }
        }
        self.raw += raw.len();
        self.live.push(Part { component, raw: raw.into(), options: None });
        u32::try_from(self.live.len()).ok().filter(|number| *number < MARKS)
    }

    /// The options of a live component, as a range of [`Parts::words`]; `None` as in [`Parts::see`]. Equal ones stand
    /// there once, those that end the play first, then the ones with fewer components; components are live and ascending.
    ///
    /// # Errors
    /// Those of the rules of all components that they lead to; R08 when these end the play in different ways.
    pub fn options(&mut self, ctx: &mut Context, number: u32) -> Run<Option<(usize, usize)>> {
        let at = number as usize - 1;
        if let Some(range) = self.live[at].options {
            return Ok(Some(range));
        }
        let raw = std::mem::take(&mut self.live[at].raw);
        let linked = self.link(ctx, &raw);
        if let Ok(Some(range)) = linked {
            self.raw -= raw.len();
            self.live[at].options = Some(range);
        } else {
            self.live[at].raw = raw;
        }
        linked
    }

    fn link(&mut self, ctx: &mut Context, raw: &[u32]) -> Run<Option<(usize, usize)>> {
        let mut options: Vec<(u32, Box<[u32]>)> = Vec::new();
        let mut at = 0;
        while at < raw.len() {
            let header = raw[at];
            if header & STOP != 0 {
                options.push((header, Box::default()));
                at += 1;
                continue;
            }
            let len = (header & LENGTH) as usize;
            let components = &raw[at + 1..=at + len];
            at += len + 1;
            let again = header & AGAIN;
            if let Some(outcome) = self.verdict(ctx, components)? {
                let stop = match outcome {
                    Outcome::Draw => 2,
                    outcome => u32::from((outcome == Outcome::First) == (again == 0)),
                };
                options.push((STOP | stop, Box::default()));
                continue;
            }
            let mut live = Vec::with_capacity(len);
            for &component in components {
                match self.see(ctx, component)? {
                    Some(Seen::Live(number)) => live.push(number),
                    Some(_) => {}
                    None => return Ok(None),
                }
            }
            live.sort_unstable();
            let len = u32::try_from(live.len()).unwrap_or(LENGTH);
            options.push((again | len, live.into()));
        }
        options.sort_unstable_by(|a, b| (a.0 & STOP == 0, a).cmp(&(b.0 & STOP == 0, b)));
        options.dedup();
        let start = self.words.len();
        for (header, numbers) in &options {
            self.words.push(*header);
            self.words.extend_from_slice(numbers);
        }
        Ok(Some((start, self.words.len())))
    }

    /// What the components that a move enters say of the whole play, of the player then to move. Where one ends the play
    /// the moves of the others are never asked for.
    fn verdict(&mut self, ctx: &mut Context, components: &[u32]) -> Run<Option<Outcome>> {
        let mut verdict = None;
        for &component in components {
            if self.seen(component).is_none() {
                match ctx.status(component)? {
                    Status::Play(outcome) => self.put(component, mark(outcome)),
                    _ => continue,
                }
            }
            if let Some(Seen::Ended(outcome)) = self.seen(component) {
                if verdict.is_some_and(|v| v != outcome) {
                    let message = "components of one sum end the whole play with different verdicts";
                    return Err(Fault::new(Code::R08, message).into());
                }
                verdict = Some(outcome);
            }
        }
        Ok(verdict)
    }
}
