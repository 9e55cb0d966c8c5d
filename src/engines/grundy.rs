//! Grundy values of components of acyclic normal play: depth first with an explicit stack, every component once, sums of
//! options by xor (Sprague 1935, Grundy 1939). The remoteness comes along where options are single components.
//!
//! The first position that is met again on the stack says that play can come back: the search gives up and leaves
//! nothing half-done behind.

use crate::bytecode::InstanceId;
use crate::engines::space::Met;
use crate::engines::{asked, by_tables, decomposition, heap_codes};
use crate::memo::{OPEN, UNKNOWN};
use crate::store::ComponentId;
use crate::tables::Kind;
use crate::tuning::{EARLY, FIRST_SHARE, TABLE_CELLS};
use crate::value::Run;
use crate::vm::context::Context;
use crate::vm::run::{MoveTarget, Options, Status};
use hashbrown::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// A play can come back to a position.
    Cyclic,
    /// Something was met that is no move to components.
    Met(Met),
    /// A short search is too short.
    Long,
}

/// Limits are looked at after so many moves, if not before.
const LOOK: u64 = 1 << 14;

struct Frame {
    id: ComponentId,
    /// Where its options start among all options on the stack.
    start: usize,
    next: usize,
    /// Options are runs of components, each after a mark that is its length, rather than single components.
    runs: bool,
}

struct Search<'m> {
    ctx: &'m mut Context,
    frames: Vec<Frame>,
    options: Vec<ComponentId>,
    out: Options,
    mex: Mex,
    positions: u64,
    /// Positions whose options were worked out one by one.
    opened: u64,
    /// Options of these.
    moves: u64,
    /// The limits are looked at again at so many of these.
    look: u64,
    /// It takes a large part of the memory.
    heavy: bool,
    /// Whether it ends where a table would be thought of.
    short: bool,
    /// Whether some move led to no single component.
    runs: bool,
    /// For instances that were entered: how many positions must be opened before a table is thought of again.
    wait: HashMap<InstanceId, u64>,
}

/// Works out the Grundy values of these components and of all they lead to; how many were worked out. `O(components +
/// moves)` time. On refusal nothing half-done stays behind. `short`: where this is long and all moves lead to single components
/// it ends.
pub(crate) fn values(
    ctx: &mut Context,
    ids: &[ComponentId],
    short: bool,
    positions: &mut u64,
) -> Run<Result<(), Refused>> {
    let mut search = Search {
        ctx,
        frames: Vec::new(),
        options: Vec::new(),
        out: Options::default(),
        mex: Mex::default(),
        positions: *positions,
        opened: 0,
        moves: 0,
        look: LOOK,
        heavy: false,
        short,
        runs: false,
        wait: HashMap::new(),
    };
    for &id in ids {
        search.ctx.memo.fit(search.ctx.components());
        if search.ctx.memo.nimber(id).is_some() || by_tables::known(search.ctx, id) {
            asked::note_answered(search.ctx, id);
            continue;
        }
        asked::note_asked(search.ctx, id, Kind::GrundyFar)?;
        if by_tables::known(search.ctx, id) {
            continue;
        }
        let before = search.opened;
        let done = search.run(id);
        *positions = search.positions;
        asked::note_opened(search.ctx, id, search.opened - before);
        if !matches!(done, Ok(Ok(()))) {
            for frame in &search.frames {
                search.ctx.memo.grundy[frame.id.index()] = UNKNOWN;
            }
            return done;
        }
    }
    Ok(Ok(()))
}

impl Search<'_> {
    fn run(&mut self, id: ComponentId) -> Run<Result<(), Refused>> {
        let part = if self.short { EARLY } else { 1 };
        let mut trial = self.positions.saturating_add(self.ctx.options.trial / part);
        let moves = self.moves + self.ctx.trial_moves() / part;
        if let Some(refused) = self.open(id)? {
            return Ok(Err(refused));
        }
        while let Some(frame) = self.frames.last_mut() {
            let mut pending = None;
            while frame.next < self.options.len() {
                let component = self.options[frame.next];
                if frame.runs && component.marked().is_some() {
                    frame.next += 1;
                    continue;
                }
                let value = self.ctx.memo.grundy.get(component.index()).copied().unwrap_or(UNKNOWN);
                if value == OPEN {
                    return Ok(Err(Refused::Cyclic));
                }
                if value == UNKNOWN && !by_tables::known(self.ctx, component) {
                    pending = Some(component);
                    break;
                }
                frame.next += 1;
            }
            match pending {
                Some(component) => {
                    if trial != u64::MAX && (self.positions >= trial || self.moves >= moves || self.heavy) {
                        trial = u64::MAX;
                        if self.short && !self.runs {
                            return Ok(Err(Refused::Long));
                        }
                        if self.by_table(id)? {
                            return Ok(Ok(()));
                        }
                    }
                    let instance = |id: ComponentId| self.ctx.store.instance_of[id.index()];
                    let enters = self.frames.last().is_some_and(|frame| instance(frame.id) != instance(component));
                    if trial == u64::MAX && enters && self.table_from(component)? {
                        continue;
                    }
                    if let Some(refused) = self.open(component)? {
                        return Ok(Err(refused));
                    }
                }
                None => self.close(),
            }
        }
        Ok(Ok(()))
    }

    /// Tries to work out a component and all that it leads to in a table. Where one that is too small must be made anew, or
    /// none is made, that is tried again only when the search has gone on for as long.
    fn table_from(&mut self, component: ComponentId) -> Run<bool> {
        let instance = self.ctx.store.instance_of[component.index()];
        if self.wait.get(&instance).is_some_and(|&wait| self.opened < wait) {
            return Ok(false);
        }
        let before = by_tables::positions(self.ctx, component);
        let decided = by_tables::decide(self.ctx, component, Kind::GrundyFar)?;
        let cells = by_tables::positions(self.ctx, component);
        if decided {
            self.positions += cells.saturating_sub(before);
        }
        if !by_tables::grows(self.ctx, component) {
            let cost = self.ctx.options.trial.saturating_add(cells / TABLE_CELLS).saturating_mul(2);
            self.wait.insert(instance, self.opened.saturating_add(cost));
        }
        Ok(decided)
    }

    /// The search is long: tries to work out everything in a table instead.
    fn by_table(&mut self, id: ComponentId) -> Run<bool> {
        let decided = by_tables::decide(self.ctx, id, Kind::GrundyFar)?;
        self.positions = by_tables::positions(self.ctx, id).max(self.positions);
        if !decided {
            return Ok(false);
        }
        for frame in self.frames.drain(..) {
            self.ctx.memo.grundy[frame.id.index()] = UNKNOWN;
        }
        self.options.clear();
        Ok(by_tables::known(self.ctx, id))
    }

    /// Puts a component with its options on the stacks, unless it falls apart and its value is found that way.
    fn open(&mut self, id: ComponentId) -> Run<Option<Refused>> {
        if heap_codes::settle(self.ctx, id)? || decomposition::settle(self.ctx, id, &mut self.positions)? {
            return Ok(None);
        }
        let over = self.ctx.limits.positions.is_some_and(|limit| self.positions >= limit);
        if over || self.positions % 0x400 == 0x3ff || self.moves >= self.look {
            self.look = self.moves + LOOK;
            let bytes = self.ctx.bytes() + self.options.capacity() * 4 + self.frames.capacity() * 32;
            self.heavy = bytes > self.ctx.limits.memory / FIRST_SHARE;
            self.ctx.check_search(self.positions + u64::from(over), bytes)?;
        }
        self.positions += 1;
        self.opened += 1;
        self.ctx.options(id, &mut self.out)?;
        let mut met = Met::default();
        match self.out.status {
            Status::Open | Status::Over => {}
            Status::Play(_) => met.ending = true,
            Status::Score(_) => met.points = true,
        }
        let start = self.options.len();
        let runs = self.out.moves.iter().any(|m| !matches!(m.target, MoveTarget::To { len: 1, .. }));
        self.runs |= runs;
        if runs || self.out.moves.iter().any(|m| m.again || m.gain.is_some()) {
            for mv in &self.out.moves {
                met.again |= mv.again;
                met.points |= mv.gain.is_some();
                match mv.target {
                    MoveTarget::Stop(_) => met.stop = true,
                    MoveTarget::To { first, len } => {
                        self.options.push(ComponentId::mark(len));
                        self.options.extend_from_slice(&self.out.components[first as usize..(first + len) as usize]);
                    }
                }
            }
        } else if self.out.moves.len() == self.out.components.len() {
            self.options.extend_from_slice(&self.out.components);
        } else {
            // `legal when` took moves out; their components are still listed.
            for mv in &self.out.moves {
                if let MoveTarget::To { first, .. } = mv.target {
                    self.options.push(self.out.components[first as usize]);
                }
            }
        }
        self.moves += (self.options.len() - start) as u64;
        self.ctx.memo.fit(self.ctx.components());
        self.ctx.memo.grundy[id.index()] = OPEN;
        self.frames.push(Frame { id, start, next: start, runs });
        Ok((met != Met::default()).then_some(Refused::Met(met)))
    }

    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        let memo = &mut self.ctx.memo;
        let options = &self.options[frame.start..];
        let (mut hurried, mut delayed, mut known) = (u32::MAX, 0u32, !frame.runs);
        if frame.runs {
            let mut at = 0;
            while at < options.len() {
                let len = options[at].marked().unwrap_or(0) as usize;
                let value = options[at + 1..=at + len].iter().fold(0, |x, &c| x ^ memo.grundy[c.index()]);
                self.mex.add(value);
                at += len + 1;
            }
            known = options.is_empty();
        } else {
            for &option in options {
                let value = memo.grundy[option.index()];
                self.mex.add(value);
                let far = memo.remoteness[option.index()];
                known &= far != UNKNOWN;
                if value == 0 {
                    hurried = hurried.min(far);
                }
                delayed = delayed.max(far);
            }
        }
        let value = self.mex.take();
        memo.grundy[frame.id.index()] = value;
        memo.remoteness[frame.id.index()] = match (known, options.is_empty()) {
            (false, _) => UNKNOWN,
            (true, true) => 0,
            (true, false) if value == 0 => delayed + 1,
            (true, false) => hurried + 1,
        };
        self.options.truncate(frame.start);
    }
}

/// The least number not added; small numbers in one word.
#[derive(Debug, Default)]
pub struct Mex {
    low: u64,
    high: Vec<u32>,
}

impl Mex {
    /// Adds a number.
    pub fn add(&mut self, value: u32) {
        if value < 64 {
            self.low |= 1 << value;
        } else {
            self.high.push(value);
        }
    }

    /// Empties it.
    pub fn take(&mut self) -> u32 {
        let low = std::mem::take(&mut self.low);
        if low != u64::MAX {
            self.high.clear();
            return (!low).trailing_zeros();
        }
        self.high.sort_unstable();
        let mut least = 64;
        for &value in &self.high {
            if value == least {
                least += 1;
            } else if value > least {
                break;
            }
        }
        self.high.clear();
        least
    }
}
