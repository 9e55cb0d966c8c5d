//! Components under small numbers, each with its options, worked out once and only when they are wanted.

use crate::source::diagnostic::Code;
use crate::syntax::tree::Outcome;
use crate::value::fault::{Fault, Run};
use crate::vm::context::Context;
use crate::vm::run::{Options, Status, Way};

/// An option: a header, then so many components. Set in the header when the mover has the next turn.
pub const AGAIN: u32 = 1 << 31;
/// Set in the header of an option that ends the play: the mover wins, loses, draws with 0, 1, 2; no components follow.
pub const STOP: u32 = 1 << 30;
/// The part of the header that counts components.
pub const LENGTH: u32 = STOP - 1;

/// What a component is to the play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It has moves, and this number, from 1 on.
    Live(u32),
    /// It has no moves and says nothing more.
    Idle,
    /// The whole play is over: so for the player to move.
    Ended(Outcome),
}

/// The least number that is not one of a live component.
const MARKS: u32 = u32::MAX - 4;
const IDLE: u32 = u32::MAX;

fn mark(outcome: Outcome) -> u32 {
    MARKS
        + match outcome {
            Outcome::First => 0,
            Outcome::Second => 1,
            Outcome::Draw => 2,
        }
}

#[derive(Debug)]
struct Part {
    component: u32,
    /// Options with components as the machine numbers them, in the order of the rules; empty when linked.
    raw: Box<[u32]>,
    /// Options with numbers of this module: `words[start..end]`.
    options: Option<(usize, usize)>,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Parts {
    /// By component: 0 when it was not seen.
    numbers: Vec<u32>,
    /// Part `n - 1` has number `n`.
    live: Vec<Part>,
    words: Vec<u32>,
    /// Words in all raw options.
    raw: usize,
    out: Options,
}

impl Parts {
    /// What is known of a component.
    #[must_use]
    pub fn seen(&self, component: u32) -> Option<Seen> {
        match *self.numbers.get(component as usize)? {
            0 => None,
            IDLE => Some(Seen::Idle),
            number if number < MARKS => Some(Seen::Live(number)),
            number => Some(Seen::Ended(match number - MARKS {
                0 => Outcome::First,
                1 => Outcome::Second,
                _ => Outcome::Draw,
            })),
        }
    }

    fn put(&mut self, component: u32, number: u32) {
        let at = component as usize;
        if self.numbers.len() <= at {
            self.numbers.resize(at + 1, 0);
        }
        self.numbers[at] = number;
    }

    /// Looks at a component: runs its rules the first time. `None`: it is one of points, and no sum of this kind.
    ///
    /// # Errors
    /// Those of the rules.
    pub fn see(&mut self, ctx: &mut Context, component: u32) -> Run<Option<Seen>> {
        if let Some(seen) = self.seen(component) {
            return Ok(Some(seen));
        }
        let mut out = std::mem::take(&mut self.out);
        let done = ctx.options(component, &mut out);
        let number = done.map(|()| self.number(component, &out));
        self.out = out;
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
            match mv.way {
                Way::Stop(outcome) => raw.push(STOP | (mark(outcome) - MARKS)),
                Way::To { first, len } => {
                    raw.push(len | again);
                    raw.extend_from_slice(&out.components[first as usize..(first + len) as usize]);
                }
            }
        }
        self.raw += raw.len();
        self.live.push(Part { component, raw: raw.into(), options: None });
        u32::try_from(self.live.len()).ok().filter(|number| *number < MARKS)
    }

    /// The component of a number.
    #[must_use]
    pub fn component(&self, number: u32) -> u32 {
        self.live[number as usize - 1].component
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

    /// The header and the numbers of each option.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
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

    /// Bytes held, roughly.
    #[must_use]
    pub fn bytes(&self) -> usize {
        (self.numbers.capacity() + self.raw + self.words.capacity()) * 4 + self.live.capacity() * 48
    }
}
