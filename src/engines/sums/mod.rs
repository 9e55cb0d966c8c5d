//! Disjunctive sums searched as a whole, depth first: misere play, and normal play with ends of the whole play or `again`,
//! where Grundy values do not exist.
//!
//! Positions are multisets of components with small numbers, found again in one exact table that is kept from question to
//! question ([`Sums`]). When only the outcome is asked, a position is left at the first move that wins; its remoteness is
//! then not known. When all is asked, every move is followed: the winner hurries, the loser delays. No theory is used: only
//! components without moves are dropped.
//!
//! The search ends at the first position that is met again on its own stack: then play can come back, draws may arise from
//! it, and retrograde analysis decides ([`retrograde`](crate::graph_search::retrograde)). What was decided before that is right and stays.

mod frame;
mod parts;

use crate::answer::Outcome;
use crate::engines::engine::internal_error;
use crate::engines::sums::frame::{Frame, NEVER, Then, Word};
use crate::graph_search::solved::Decided;
use crate::memo::sums::{AGAIN, LENGTH, STOP, Seen, Sums, Table, coded};
use crate::source::diagnostic::Code;
use crate::value::fault::{Fault, Run};
use crate::vm::context::Context;

/// How much of a position is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Who wins.
    Outcome,
    /// Who wins, how soon, and the outcomes of all its options.
    All,
}

/// What the search found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// Outcome and remoteness; the latter means nothing for a draw, and when only the outcome was wanted.
    pub(crate) decided: Decided,
    /// Positions looked into.
    pub(crate) positions: u64,
}

/// Decides the disjunctive sum of these components, of which none has ended the play. `None`: play can come back, or there
/// are points. `O(positions + moves)`, each move costing the length of the sum.
pub(crate) fn decide(ctx: &mut Context, ids: &[u32], misere: bool, wanted: Wanted) -> Run<Option<Found>> {
    if !ctx.options.deep {
        return Ok(None);
    }
    let mut sums = std::mem::take(&mut ctx.memo.sums);
    if sums.bytes() > ctx.limits.memory / 4 {
        sums = Sums::default();
    }
    let mut search = Search {
        ctx,
        sums,
        misere,
        wanted,
        positions: 0,
        keys: Vec::new(),
        frames: Vec::new(),
        next: Vec::new(),
        heap: Vec::new(),
    };
    let done = search.run(ids);
    search.clean();
    let (sums, positions) = (search.sums, search.positions);
    // Rules may have put questions of their own meanwhile; what those left is less than this.
    ctx.memo.sums = sums;
    Ok(done?.map(|word| Found { decided: word.decided(), positions: positions.max(1) }))
}

/// The outcome of a position that was decided, or that is an option of one of which all was wanted.
pub(crate) fn outcome(ctx: &Context, ids: &[u32], misere: bool) -> Option<Outcome> {
    let sums = &ctx.memo.sums;
    let mut key = Vec::with_capacity(ids.len());
    for &id in ids {
        match sums.parts.seen(id) {
            Some(Seen::Live(number)) => key.push(number),
            Some(Seen::Idle) => {}
            None => key.push(0),
            Some(Seen::Ended(outcome)) => return Some(outcome),
        }
    }
    key.sort_unstable();
    // A component never looked at is in no position but those that another component has ended.
    if key.first() == Some(&0) {
        return None;
    }
    let word = Word(sums.tables[usize::from(misere)].get(coded(&key, &mut Vec::new())));
    (word.kind() >= Word::WIN).then(|| word.decided().outcome)
}

struct Search<'m> {
    ctx: &'m mut Context,
    sums: Sums,
    misere: bool,
    wanted: Wanted,
    positions: u64,
    keys: Vec<u32>,
    frames: Vec<Frame>,
    next: Vec<u32>,
    heap: Vec<u8>,
}

impl Search<'_> {
    fn run(&mut self, ids: &[u32]) -> Run<Option<Word>> {
        for &id in ids {
            match self.sums.parts.see(self.ctx, id)? {
                Some(Seen::Live(number)) => self.next.push(number),
                Some(Seen::Idle) => {}
                Some(Seen::Ended(_)) | None => return Ok(None),
            }
        }
        self.next.sort_unstable();
        let last = Word::new(if self.misere { Word::WIN } else { Word::LOSS }, Some(0));
        self.table().set(coded(&[], &mut Vec::new()), last.0);
        let known = self.look();
        if known.is_enough(self.wanted) {
            return Ok(Some(known));
        }
        self.enter()?;
        loop {
            match self.step()? {
                Then::Enter => self.enter()?,
                Then::Refuse => return Ok(None),
                Then::Close(word) => {
                    let Some(frame) = self.frames.pop() else { return Err(internal_error()) };
                    let table = &mut self.sums.tables[usize::from(self.misere)];
                    table.set(coded(&self.keys[frame.key..], &mut self.heap), word.0);
                    self.keys.truncate(frame.key);
                    let Some(below) = self.frames.last_mut() else { return Ok(Some(word)) };
                    below.count(word, below.again);
                }
            }
        }
    }

    fn table(&mut self) -> &mut Table {
        &mut self.sums.tables[usize::from(self.misere)]
    }

    /// What the table says of the position in `next`.
    fn look(&mut self) -> Word {
        Word(self.sums.tables[usize::from(self.misere)].get(coded(&self.next, &mut self.heap)))
    }

    /// Puts the position in `next` on the stack.
    fn enter(&mut self) -> Run<()> {
        let over = self.ctx.limits.positions.is_some_and(|limit| self.positions >= limit);
        if over || self.positions.is_multiple_of(0x400) {
            let stacks = self.keys.capacity() * 4 + self.frames.capacity() * size_of::<Frame>();
            let bytes = self.ctx.bytes() + self.sums.bytes_soon() + stacks;
            self.ctx.check_search(self.positions + u64::from(over), bytes)?;
            if self.frames.len() >= Word::FAR as usize {
                return Err(Fault::new(Code::L01, "a play of more than 2^29 moves").into());
            }
        }
        self.positions += 1;
        let table = &mut self.sums.tables[usize::from(self.misere)];
        table.set(coded(&self.next, &mut self.heap), Word::OPEN);
        self.frames.push(Frame::new(self.keys.len()));
        self.keys.extend_from_slice(&self.next);
        Ok(())
    }

    /// Looks at options of the top position until one has to be entered, or all is known.
    fn step(&mut self) -> Run<Then> {
        let Some(frame) = self.frames.last_mut() else { return Err(internal_error()) };
        let (key, table) = (&self.keys[frame.key..], &self.sums.tables[usize::from(self.misere)]);
        loop {
            if frame.near != NEVER && self.wanted == Wanted::Outcome {
                return Ok(Then::Close(Word::new(Word::WIN, None)));
            }
            if frame.at == frame.end {
                // The next component that is not equal to the one before.
                let mut part = frame.part - frame.key;
                while part > 0 && part < key.len() && key[part] == key[part - 1] {
                    part += 1;
                }
                let Some(&number) = key.get(part) else { return Ok(Then::Close(frame.closed(self.wanted))) };
                frame.part = frame.key + part + 1;
                let instance = self.ctx.store.instance_of[self.sums.parts.component(number) as usize];
                if self.sums.cyclic.contains(&instance) {
                    return Ok(Then::Refuse);
                }
                let Some((start, end)) = self.sums.parts.options(self.ctx, number)? else {
                    return Ok(Then::Refuse);
                };
                (frame.at, frame.end) = (start, end);
                continue;
            }
            let words = self.sums.parts.words();
            let header = words[frame.at];
            frame.at += 1;
            if header & STOP != 0 {
                // To end the play is one move: what comes next has remoteness 0.
                match header & LENGTH {
                    0 => frame.count(Word::new(Word::LOSS, Some(0)), false),
                    1 => frame.count(Word::new(Word::WIN, Some(0)), false),
                    _ => frame.drawn = true,
                }
                continue;
            }
            let option = &words[frame.at..frame.at + (header & LENGTH) as usize];
            frame.at += option.len();
            replaced(key, frame.part - frame.key - 1, option, &mut self.next);
            let word = Word(table.get(coded(&self.next, &mut self.heap)));
            if word.is_enough(self.wanted) {
                frame.count(word, header & AGAIN != 0);
            } else if word.kind() == Word::OPEN {
                self.note_cycle();
                return Ok(Then::Refuse);
            } else {
                frame.again = header & AGAIN != 0;
                return Ok(Then::Enter);
            }
        }
    }

    /// The position in `next` is on the stack: notes whose moves lead from it to itself.
    fn note_cycle(&mut self) {
        let mut end = self.keys.len();
        for frame in self.frames.iter().rev() {
            let component = self.sums.parts.component(self.keys[frame.part - 1]);
            self.sums.cyclic.insert(self.ctx.store.instance_of[component as usize]);
            if self.keys[frame.key..end] == self.next {
                return;
            }
            end = frame.key;
        }
    }

    /// Takes what is on the stack out of the table.
    fn clean(&mut self) {
        let mut end = self.keys.len();
        while let Some(frame) = self.frames.pop() {
            let table = &mut self.sums.tables[usize::from(self.misere)];
            table.set(coded(&self.keys[frame.key..end], &mut self.heap), 0);
            end = frame.key;
        }
    }
}

/// Of ascending numbers the one at a place replaced by ascending others, ascending again.
#[inline]
fn replaced(key: &[u32], place: usize, others: &[u32], next: &mut Vec<u32>) {
    next.clear();
    let mut rest = others.iter().copied().peekable();
    for (i, &number) in key.iter().enumerate() {
        if i == place {
            continue;
        }
        while let Some(other) = rest.next_if(|other| *other < number) {
            next.push(other);
        }
        next.push(number);
    }
    next.extend(rest);
}
