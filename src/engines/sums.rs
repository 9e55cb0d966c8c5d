//! Disjunctive sums searched as a whole, depth first: misere play, and normal play with ends of the whole play or `again`,
//! where Grundy values do not exist.
//!
//! Positions are multisets of components with small numbers, found again in one exact table that is kept from question to
//! question ([`Sums`]). When only the outcome is asked, a position is left at the first move that wins; its remoteness is
//! then not known. When all is asked, every move is followed: the winner hurries, the loser delays. No theory is used: only
//! components without moves are dropped.
//!
//! The search ends at the first position that is met again on its own stack: then play can come back, draws may arise from
//! it, and [retrograde analysis](crate::graph_search::retrograde) decides. What was decided before that is right and stays.

use crate::answer::Outcome;
use crate::engines::asked;
use crate::engines::engine::{Wanted, internal_error};
use crate::engines::space::outcome_code;
use crate::graph_search::retrograde::Decided;
use crate::memo::{AGAIN, LENGTH, Part, Parts, STOP, Seen, SumTable, Sums, coded};
use crate::source::Code;
use crate::store::ComponentId;
use crate::value::{Fault, Run};
use crate::vm::context::Context;
use crate::vm::run::{MoveTarget, Options, Status};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// `remoteness` means nothing for a draw, and when only the outcome was wanted.
    pub(crate) decided: Decided,
    pub(crate) positions: u64,
}

/// Decides the disjunctive sum of these components, of which none has ended the play. `None`: play can come back, or
/// there are points, or moves lead to sums that are not `taken`. `O(positions + moves)`, each move costing the length of the sum.
pub(crate) fn decide(
    ctx: &mut Context,
    ids: &[ComponentId],
    misere: bool,
    wanted: Wanted,
    taken: bool,
) -> Run<Option<Found>> {
    if !ctx.options.deep {
        return Ok(None);
    }
    let mut sums = std::mem::take(&mut ctx.memo.sums);
    if sums.bytes() > ctx.limits.memory / 4 {
        sums = Sums::default();
    }
    let table = std::mem::take(&mut sums.tables[usize::from(misere)]);
    let mut search = Search {
        ctx,
        sums,
        table,
        misere,
        wanted,
        taken,
        positions: 0,
        keys: Vec::new(),
        frames: Vec::new(),
        next: Vec::new(),
        heap: Vec::new(),
    };
    let done = search.run(ids);
    search.clean();
    let Search { mut sums, table, positions, .. } = search;
    sums.tables[usize::from(misere)] = table;
    // Rules may have put questions of their own meanwhile; what those left is less than this.
    ctx.memo.sums = sums;
    if let [id] = ids {
        asked::note_opened(ctx, *id, positions);
    }
    Ok(done?.map(|word| Found { decided: word.decided(), positions: positions.max(1) }))
}

/// The outcome of a position that was decided, or that is an option of one of which all was wanted.
pub(crate) fn outcome(ctx: &Context, ids: &[ComponentId], misere: bool) -> Option<Outcome> {
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
    /// That of `sums` for this convention, taken out of it.
    table: SumTable,
    misere: bool,
    wanted: Wanted,
    taken: bool,
    positions: u64,
    keys: Vec<u32>,
    frames: Vec<Frame>,
    next: Vec<u32>,
    heap: Vec<u8>,
}

impl Search<'_> {
    fn run(&mut self, ids: &[ComponentId]) -> Run<Option<Word>> {
        for &id in ids {
            match self.sums.parts.see(self.ctx, id)? {
                Some(Seen::Live(number)) => self.next.push(number),
                Some(Seen::Idle) => {}
                Some(Seen::Ended(_)) | None => return Ok(None),
            }
        }
        self.next.sort_unstable();
        let last = Word::new(if self.misere { Word::WIN } else { Word::LOSS }, Some(0));
        self.table.set(coded(&[], &mut Vec::new()), last.0);
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
                    self.table.set(coded(&self.keys[frame.key..], &mut self.heap), word.0);
                    self.keys.truncate(frame.key);
                    let Some(below) = self.frames.last_mut() else { return Ok(Some(word)) };
                    below.count(word, below.again);
                }
            }
        }
    }

    /// What the table says of `next`.
    fn look(&mut self) -> Word {
        Word(self.table.get(coded(&self.next, &mut self.heap)))
    }

    fn enter(&mut self) -> Run<()> {
        let over = self.ctx.limits.positions.is_some_and(|limit| self.positions >= limit);
        if over || self.positions.is_multiple_of(0x400) {
            let stacks = self.keys.capacity() * 4 + self.frames.capacity() * size_of::<Frame>();
            let bytes = self.ctx.bytes() + self.sums.bytes_soon() + self.table.bytes_soon() + stacks;
            self.ctx.check_search(self.positions + u64::from(over), bytes)?;
        }
        self.positions += 1;
        self.table.set(coded(&self.next, &mut self.heap), Word::OPEN);
        self.frames.push(Frame::new(self.keys.len()));
        self.keys.extend_from_slice(&self.next);
        Ok(())
    }

    /// Looks at options of the top position until one has to be entered, or all is known.
    fn step(&mut self) -> Run<Then> {
        let Some(frame) = self.frames.last_mut() else { return Err(internal_error()) };
        let (key, table) = (&self.keys[frame.key..], &self.table);
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
                let Some(&number) = key.get(part) else { return Ok(Then::Close(frame.closed(self.wanted)?)) };
                frame.part = frame.key + part + 1;
                let instance = self.ctx.store.instance_of[self.sums.parts.component(number).index()];
                if self.sums.cyclic.contains(&instance) {
                    return Ok(Then::Refuse);
                }
                let Some((start, end)) = self.sums.parts.options(self.ctx, number)? else {
                    return Ok(Then::Refuse);
                };
                (frame.at, frame.end) = (start, end);
                // An option that is known to win is enough: no other is gone on with.
                let mut at = if self.wanted == Wanted::Outcome { start } else { end };
                while at < end {
                    let header = self.sums.parts.words[at];
                    let len = if header & STOP == 0 { (header & LENGTH) as usize } else { 0 };
                    if header & STOP == 0 {
                        let option = &self.sums.parts.words[at + 1..=at + len];
                        replaced(key, frame.part - frame.key - 1, option, &mut self.next);
                        let word = Word(table.get(coded(&self.next, &mut self.heap)));
                        if word.is_enough(self.wanted) {
                            frame.count(word, header & AGAIN != 0);
                        }
                    }
                    at += len + 1;
                }
                continue;
            }
            let words = &self.sums.parts.words[..];
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
            if header & LENGTH > 1 && !self.taken {
                return Ok(Then::Refuse);
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

    /// With `next` on the stack: notes whose moves lead from it to itself.
    fn note_cycle(&mut self) {
        let mut end = self.keys.len();
        for frame in self.frames.iter().rev() {
            let component = self.sums.parts.component(self.keys[frame.part - 1]);
            self.sums.cyclic.insert(self.ctx.store.instance_of[component.index()]);
            if self.keys[frame.key..end] == self.next {
                return;
            }
            end = frame.key;
        }
    }

    fn clean(&mut self) {
        let mut end = self.keys.len();
        while let Some(frame) = self.frames.pop() {
            self.table.set(coded(&self.keys[frame.key..end], &mut self.heap), 0);
            end = frame.key;
        }
    }
}

/// Of ascending numbers the one at a place replaced by ascending others, ascending again.
#[inline]
fn replaced(key: &[u32], place: usize, others: &[u32], next: &mut Vec<u32>) {
    next.clear();
    let mut rest = others;
    for (i, &number) in key.iter().enumerate() {
        if i == place {
            continue;
        }
        while let [other, later @ ..] = rest
            && *other < number
        {
            next.push(*other);
            rest = later;
        }
        next.push(number);
    }
    next.extend_from_slice(rest);
}

impl Parts {
    /// Looks at a component: runs its rules the first time. `None`: it is one of points, and no sum of this kind.
    pub fn see(&mut self, ctx: &mut Context, component: ComponentId) -> Run<Option<Seen>> {
        if let Some(seen) = self.seen(component) {
            return Ok(Some(seen));
        }
        let mut out = std::mem::take(&mut ctx.run.options);
        let done = ctx.options(component, &mut out);
        let number = done.map(|()| self.number(component, &out));
        ctx.run.options = out;
        if let Some(seen) = number? {
            self.put(component, seen);
        }
        Ok(self.seen(component))
    }

    fn number(&mut self, component: ComponentId, out: &Options) -> Option<Seen> {
        match out.status {
            Status::Score(_) => return None,
            Status::Play(outcome) => return Some(Seen::Ended(outcome)),
            Status::Over => return Some(Seen::Idle),
            Status::Open if out.moves.is_empty() => return Some(Seen::Idle),
            Status::Open => {}
        }
        let mut raw = Vec::with_capacity(out.moves.len() + out.components.len());
        for mv in &out.moves {
            if mv.gain.is_some() {
                return None;
            }
            let again = if mv.again { AGAIN } else { 0 };
            match mv.target {
                MoveTarget::Stop(outcome) => raw.push(ComponentId::mark(STOP | u32::from(outcome_code(outcome)))),
                MoveTarget::To { first, len } => {
                    raw.push(ComponentId::mark(len | again));
                    raw.extend_from_slice(&out.components[first as usize..(first + len) as usize]);
                }
            }
        }
        self.raw += raw.len();
        self.live.push(Part { component, raw: raw.into(), options: None });
        u32::try_from(self.live.len()).ok().map(Seen::Live)
    }

    /// The options of a live component, as a range of `words`; `None` as in [`Parts::see`]. Equal ones stand there
    /// once, those that end the play first, then the ones with fewer components; components are live and ascending. R08
    /// when components that they lead to end the play in different ways.
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

    fn link(&mut self, ctx: &mut Context, raw: &[ComponentId]) -> Run<Option<(usize, usize)>> {
        let mut options: Vec<(u32, Box<[u32]>)> = Vec::new();
        let mut at = 0;
        while at < raw.len() {
            let header = raw[at].marked().unwrap_or(0);
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
    fn verdict(&mut self, ctx: &mut Context, components: &[ComponentId]) -> Run<Option<Outcome>> {
        let mut verdict = None;
        for &component in components {
            if self.seen(component).is_none() {
                match ctx.status(component)? {
                    Status::Play(outcome) => self.put(component, Seen::Ended(outcome)),
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

/// What the table says of a position: what it is in the low bits, and one more than its remoteness above, 0 when that is
/// not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Word(u32);

impl Word {
    const OPEN: u32 = 1;
    const WIN: u32 = 2;
    const LOSS: u32 = 3;
    const DRAW: u32 = 4;
    const KINDS: u32 = 3;
    /// The largest remoteness that fits.
    const FAR: u32 = (u32::MAX >> Word::KINDS) - 1;

    fn new(kind: u32, far: Option<u32>) -> Word {
        Word(kind | far.map_or(0, |far| (far + 1) << Word::KINDS))
    }

    fn kind(self) -> u32 {
        self.0 & ((1 << Word::KINDS) - 1)
    }

    fn far(self) -> u32 {
        self.0 >> Word::KINDS
    }

    /// Whether the position is decided, with as much as is wanted.
    fn is_enough(self, wanted: Wanted) -> bool {
        match self.kind() {
            Word::WIN | Word::LOSS => wanted == Wanted::Outcome || self.far() > 0,
            kind => kind == Word::DRAW,
        }
    }

    fn decided(self) -> Decided {
        let outcome = match self.kind() {
            Word::WIN => Outcome::First,
            Word::LOSS => Outcome::Second,
            _ => Outcome::Draw,
        };
        Decided { outcome, remoteness: self.far().saturating_sub(1) }
    }
}

const NEVER: u32 = u32::MAX;

struct Frame {
    /// Its components are `keys[key..]`, up to those of the next frame.
    key: usize,
    /// The component whose options are looked at.
    part: usize,
    /// Its options not looked at yet.
    at: usize,
    end: usize,
    /// The option that the frame above follows: the mover has the next turn.
    again: bool,
    /// Moves to the soonest win; `NEVER`: none yet.
    near: u32,
    /// Moves to the latest loss.
    long: u32,
    drawn: bool,
}

impl Frame {
    fn new(key: usize) -> Frame {
        Frame { key, part: key, at: 0, end: 0, again: false, near: NEVER, long: 0, drawn: false }
    }

    /// Counts an option: what it leads to, for the player then to move. One more than its remoteness is what it is worth here.
    #[inline]
    fn count(&mut self, word: Word, again: bool) {
        let far = word.far();
        match word.kind() {
            Word::DRAW => self.drawn = true,
            kind if (kind == Word::WIN) == again => self.near = self.near.min(far),
            _ => self.long = self.long.max(far),
        }
    }

    /// What the position is, all of its options counted. L01 when its remoteness does not fit.
    fn closed(&self, wanted: Wanted) -> Result<Word, Fault> {
        let far = |far: u32| (wanted != Wanted::Outcome).then_some(far);
        if self.near.min(self.long) > Word::FAR || self.near == NEVER && self.long > Word::FAR {
            return Err(Fault::new(Code::L01, "a play of more than 2^29 moves"));
        }
        Ok(if self.near != NEVER {
            Word::new(Word::WIN, far(self.near))
        } else if self.drawn {
            Word::new(Word::DRAW, None)
        } else {
            Word::new(Word::LOSS, far(self.long))
        })
    }
}

enum Then {
    /// The position in `next` comes first.
    Enter,
    Close(Word),
    /// Not a search of this kind.
    Refuse,
}
