//! The run through all phases: blocks are listed, then groups of blocks are gone through step by step. In memory several threads
//! do so, each with blocks of its own: what they tell waits for the next step.

use crate::disk::Folder;
use crate::graph_search::blocks::cells::Cells;
use crate::graph_search::blocks::desk::{Desk, Moves, Own, Stores, Task};
use crate::graph_search::blocks::lister::Lister;
use crate::graph_search::blocks::listing::Listing;
use crate::graph_search::blocks::mail::{Mail, Writer};
use crate::graph_search::blocks::save::{Checkpoint, Met, Phase, Saver, Stage, Subject};
use crate::graph_search::blocks::shape::Shape;
use crate::graph_search::blocks::shares::Shares;
use crate::graph_search::blocks::store::{Block, Entry, Store};
use crate::graph_search::blocks::values::{self, Said};
use crate::graph_search::blocks::{Blocks, Setting, Stop};
use crate::graph_search::retrograde;
use crate::graph_search::stages::Known;
use crate::jit::function::watched_attempt;
use crate::jit::ranking::Grid;
use crate::source::Code;
use crate::tables::BoxRules;
use crate::tables::expand::Changes;
use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Failure, Refusal};
use crate::value::team::team;
use crate::value::{Fault, width};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// A box that is being worked out.
pub(super) struct Run {
    limits: Limits,
    subject: Subject,
    stage: Stage,
    met: Met,
    outcomes: Store,
    values: Option<Store>,
    mail: Mail,
    saver: Option<Saver>,
    /// Bytes that may be held without a folder.
    memory: u64,
    /// When to stop, and how many blocks and groups were begun.
    stop: (Option<Stop>, u64),
    moves: Moves,
    desk: Desk,
}

impl Run {
    /// Begins a box, or goes on from the checkpoint in the folder.
    pub(super) fn new(
        rules: &BoxRules<'_>,
        grid: &Grid,
        joined: u64,
        misere: bool,
        setting: &Setting,
        folder: Option<Folder>,
    ) -> Attempt<Run> {
        /// Memory for all but blocks and bunches: native code, lists of one block.
        const FIXED: u64 = 3 << 20;
        /// Of an entry of a block, of its place in the index while that is written, and of what waits for it.
        const ENTRY: u64 = 128;
        /// The least that is of use.
        const LEAST: u64 = 6 << 20;
        // A block is not larger than the box, and has two places at least.
        let (volume, bits) = (grid.volume, setting.block_bits.min(grid.volume.next_power_of_two().ilog2().max(1)));
        let mut shape = Shape { volume, bits, group_bits: 0 };
        let checkpoint = match &folder {
            Some(folder) => Checkpoint::read(folder)?,
            None => None,
        };
        let shares = if folder.is_some() {
            let fixed = FIXED.saturating_add(shape.blocks().saturating_mul(ENTRY));
            let free = rules.free() - rules.free() / 16;
            let memory = match setting.memory {
                Some(memory) => memory as u64,
                None if free < fixed.saturating_add(LEAST) => return Err(Refusal::Memory(fixed + LEAST).into()),
                None => free - fixed,
            };
            let group_bits = checkpoint.as_ref().map(|checkpoint| checkpoint.subject.shape.group_bits);
            Shares::of(width::index(memory), volume, bits, group_bits)
        } else {
            let wanted = Blocks::forecast(volume);
            if wanted > rules.free() {
                return Err(Refusal::Memory(wanted).into());
            }
            Shares::all(bits)
        };
        shape.group_bits = shares.group_bits;
        let subject = Subject { shape, joined, misere };
        let mut run = Run {
            limits: rules.limits.clone(),
            subject,
            stage: Stage { phase: Phase::Listing, step: 0, round: 0, next: 0 },
            met: Met::default(),
            outcomes: Store::new(shape, folder.as_ref(), shares.blocks)?,
            values: None,
            mail: Mail::new(shape, shares.page, shares.pages, folder.clone()),
            saver: folder.map(|folder| Saver::new(folder, setting.interval)),
            memory: rules.free(),
            stop: (setting.stop, 0),
            moves: Moves::default(),
            desk: Desk::new(shape),
        };
        if let (Some(saver), Some(checkpoint)) = (&mut run.saver, checkpoint) {
            if checkpoint.stage.phase.is_of_values() {
                run.values = Some(run.outcomes.heir()?);
            }
            saver.resume(&checkpoint, &subject, &mut run.outcomes, run.values.as_mut(), &mut run.mail)?;
            (run.stage, run.met) = (checkpoint.stage, checkpoint.met);
            if run.stage.phase != Phase::Listing {
                run.prepare();
            }
        }
        Ok(run)
    }

    /// Goes through all phases that are left until it is known who wins.
    pub(super) fn all(&mut self, rules: &BoxRules<'_>, grid: &Grid) -> Attempt<()> {
        if self.stage.phase.is_decided() {
            return Ok(());
        }
        if self.stage.phase == Phase::Listing {
            let changes = Changes::new(rules, grid, self.subject.joined)?;
            let flag = changes.flag().clone();
            let mut lister = Lister::new(changes);
            lister.know(&self.met.words)?;
            let limits = self.limits.clone();
            limits.goal.store(self.subject.shape.volume, Ordering::Relaxed);
            let listed = watched_attempt(&limits, &flag, || match self.saver {
                Some(_) => self.list(&limits, lister),
                None => self.list_in_memory(&limits, &lister),
            });
            limits.goal.store(0, Ordering::Relaxed);
            listed?;
            let unknown = self.outcomes.entries.iter().any(|entry| entry.flags & Entry::UNKNOWN != 0);
            let phase = if unknown { Phase::Marking } else { Phase::Layers };
            self.stage = Stage { phase, step: 0, round: 0, next: 0 };
            self.prepare();
        }
        while self.stage.phase != Phase::Done {
            self.step()?;
            self.turn()?;
        }
        if self.subject.misere {
            self.outcomes.forget_changes();
        }
        self.save()?;
        self.mail.clean()?;
        self.outcomes.shorten()?;
        Ok(self.outcomes.rest()?)
    }

    /// What is known of the values of the states of these ranks, after as many rounds as that takes. In normal play, when it is
    /// known who wins.
    pub(super) fn values(&mut self, limits: &Limits, ranks: &[u64]) -> Attempt<Vec<Said>> {
        self.begin_values(limits)?;
        let mut went = false;
        loop {
            if let Stage { phase: Phase::Opening, round: 2.., next: 0, .. } = self.stage {
                let said: Result<Vec<Said>, Fault> = ranks.iter().map(|&rank| self.said(rank)).collect();
                let said = said?;
                if !said.contains(&Said::Value(Known::Open)) {
                    if went {
                        self.save()?;
                        self.mail.clean()?;
                        self.values.as_mut().map_or(Ok(()), Store::rest)?;
                        self.outcomes.rest()?;
                    }
                    return Ok(said);
                }
            }
            went = true;
            self.step()?;
            self.turn()?;
        }
    }

    /// The ways in which a play can come from a state to what forbids values, see [`Said::Leads`].
    pub(super) fn leads(&mut self, limits: &Limits, rank: u64) -> Attempt<[bool; 3]> {
        if !self.moves.have_ends() {
            return Ok([false; 3]);
        }
        self.begin_values(limits)?;
        while self.stage.phase == Phase::Leads {
            self.step()?;
            self.turn()?;
        }
        if !matches!(self.stage, Stage { phase: Phase::Opening, round: 1, next: 0, .. }) {
            // Rounds have begun.
            self.values(limits, &[])?;
        }
        Ok(match self.said(rank)? {
            Said::Leads(ways) => ways,
            Said::Value(_) => [false; 3],
        })
    }

    fn begin_values(&mut self, limits: &Limits) -> Attempt<()> {
        self.limits = limits.clone();
        if self.values.is_none() {
            let wanted = (self.bytes() as u64).saturating_add(self.subject.shape.volume.saturating_mul(2));
            if self.saver.is_none() && wanted > self.memory {
                return Err(Refusal::Memory(wanted).into());
            }
            self.values = Some(self.outcomes.heir()?);
            let phase = if self.moves.have_ends() { Phase::Leads } else { Phase::Opening };
            self.stage = Stage { phase, step: 0, round: 1, next: 0 };
        }
        Ok(())
    }

    /// Whether values were asked for.
    pub(super) fn has_values(&self) -> bool {
        self.values.is_some()
    }

    /// Whether the bits of ranks tell all moves.
    pub(super) fn is_exact(&self) -> bool {
        self.moves.kept == 0
    }

    /// What is known of the value of a state between two rounds.
    fn said(&mut self, rank: u64) -> Result<Said, Fault> {
        let (block, place) = self.subject.shape.cut(rank);
        let cell = match &mut self.values {
            Some(values) => values.block(block, (block, block + 1), None)?.cells.get(place),
            None => None,
        };
        let cell = cell.and_then(|cell| u16::try_from(cell).ok()).unwrap_or(0);
        Ok(values::said(cell, self.stage.round))
    }

    /// The cell of a state, which says who wins; `None`: there is no such state.
    pub(super) fn outcome(&mut self, rank: u64) -> Result<Option<u32>, Fault> {
        if rank >= self.subject.shape.volume {
            return Ok(None);
        }
        let (block, place) = self.subject.shape.cut(rank);
        Ok(self.outcomes.block(block, (block, block + 1), None)?.cells.get(place))
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.outcomes.bytes() + self.values.as_ref().map_or(0, Store::bytes) + self.mail.bytes()
    }

    /// How many states.
    pub(super) fn volume(&self) -> u64 {
        self.subject.shape.volume
    }

    fn save(&mut self) -> Result<(), Fault> {
        let Run { saver, subject, stage, met, outcomes, values, mail, .. } = self;
        match saver {
            Some(saver) => saver.save(subject, *stage, met, outcomes, values.as_mut(), mail),
            None => Ok(()),
        }
    }

    /// Called before each block or group: the limits, and a checkpoint when it is time for one.
    fn look(&mut self) -> Attempt<()> {
        let (stop, begun) = &mut self.stop;
        if let Some(Stop { saves, .. }) = stop.filter(|stop| stop.after == *begun) {
            if saves {
                self.save()?;
            }
            return Err(Fault::new(Code::L03, "interrupted").into());
        }
        *begun += 1;
        if let Err(why) = self.limits.check_clock() {
            // What was done is not lost; where it cannot be saved the older checkpoint is there.
            let _ = self.save();
            return Err(why.into());
        }
        match &self.saver {
            Some(saver) if saver.is_due() => self.save()?,
            Some(_) => {}
            None => {
                let bytes = self.bytes() as u64;
                if bytes > self.memory {
                    return Err(Refusal::Memory(bytes).into());
                }
            }
        }
        Ok(())
    }

    /// Lists the blocks that are left into the folder.
    fn list(&mut self, limits: &Limits, lister: Lister) -> Attempt<()> {
        let Subject { shape, misere, .. } = self.subject;
        let mut listing = Listing::new(limits, lister, shape, misere, self.met.seen.clone());
        while self.stage.next < shape.blocks() {
            self.look()?;
            let block = self.stage.next;
            let mut cells = self.outcomes.cells(block)?;
            let Cells::Narrow(narrow) = &mut cells else { return Err(Refusal::Outside.into()) };
            let flags = match listing.list(block, narrow) {
                Ok(flags) => flags,
                Err(why) => {
                    if let Failure::Refused(Refusal::Interrupted) | Failure::Halted(_) = why {
                        // As for other limits.
                        let _ = self.save();
                    }
                    return Err(why);
                }
            };
            self.outcomes.put(block, cells, &listing.planes, flags)?;
            self.met.words = listing.words().to_vec();
            self.met.seen.clone_from(&listing.seen);
            self.stage.next += 1;
            limits.progress.store((self.stage.next << shape.bits).min(shape.volume), Ordering::Relaxed);
        }
        Ok(())
    }

    /// Lists all blocks in memory.
    fn list_in_memory(&mut self, limits: &Limits, lister: &Lister) -> Attempt<()> {
        let Subject { shape, misere, .. } = self.subject;
        let (stop, bytes) = (AtomicBool::new(false), AtomicU64::new(0));
        let mut flags = vec![0u8; self.outcomes.blocks.len()];
        let todo = Mutex::new((0u64..).zip(self.outcomes.blocks.iter_mut().zip(&mut flags)));
        let parts = team(limits.threads_for(shape.volume), &stop, |_, _| {
            let mut listing = Listing::new(limits, lister.clone(), shape, misere, Vec::new());
            let work = || -> Attempt<Met> {
                loop {
                    let next = todo.lock().next();
                    let Some((block, (slot, flags))) = next.filter(|_| !stop.load(Ordering::Relaxed)) else {
                        return Ok(Met { words: listing.words().to_vec(), seen: listing.seen });
                    };
                    let mut cells = vec![0; shape.size()];
                    *flags = listing.list(block, &mut cells)?;
                    let made = Block::listed(cells, &listing.planes, shape.lanes());
                    let all = bytes.fetch_add(made.bytes() as u64, Ordering::Relaxed);
                    if all > self.memory {
                        return Err(Refusal::Memory(all).into());
                    }
                    *slot = Some(Box::new(made));
                    limits.progress.fetch_add(shape.states(block) as u64, Ordering::Relaxed);
                }
            };
            work().inspect_err(|_| stop.store(true, Ordering::Relaxed))
        });
        limits.progress.store(0, Ordering::Relaxed);
        let mut failed = None;
        for part in parts {
            match part {
                Ok(part) => self.met.join(part),
                // Too many words are too many however far the others came.
                Err(why @ Failure::Refused(Refusal::UnlikeMoves)) => return Err(why),
                Err(why) => failed = failed.or(Some(why)),
            }
        }
        self.outcomes.adopt(flags.into_iter());
        failed.map_or(Ok(()), Err)
    }

    /// Makes ready for steps: all blocks are listed.
    fn prepare(&mut self) {
        self.moves = Moves::new(&self.met, &self.subject);
        match &mut self.values {
            Some(values) => values.keep(self.moves.kept),
            None => self.outcomes.keep(self.moves.kept),
        }
    }

    /// Goes through the groups that are left of a step.
    fn step(&mut self) -> Attempt<()> {
        let task = Task { shape: self.subject.shape, stage: self.stage };
        if self.saver.is_none() && self.stage.next == 0 {
            // In retrograde analysis a word that waits is a move.
            let work = if task.begins() { task.shape.volume } else { self.mail.waiting() };
            let threads = self.limits.threads_for(work);
            if threads > 1 {
                self.look()?;
                return self.step_in_threads(task, threads);
            }
        }
        while self.stage.next < task.shape.groups() {
            let group = self.stage.next;
            if self.is_wanted(task, group) {
                self.look()?;
                self.visit(task, group)?;
            }
            self.stage.next += 1;
        }
        Ok(())
    }

    /// Whether there is something to do with a group.
    fn is_wanted(&self, task: Task, group: u64) -> bool {
        let (first, last) = task.shape.group(group);
        let waits = self.mail.now.pages.heaps.get(width::index(group)).is_some_and(|heap| !heap.is_empty());
        waits || task.begins() || {
            let wanted = task.wanted();
            let entries = self.outcomes.entries.get(width::index(first)..width::index(last)).unwrap_or_default();
            wanted != 0 && entries.iter().any(|entry| entry.flags & wanted != 0)
        }
    }

    /// Goes on to the next step, or phase.
    fn turn(&mut self) -> Result<(), Fault> {
        self.mail.advance();
        let over = self.mail.now.pages.is_empty();
        let Stage { phase, step, round, .. } = self.stage;
        let next = |phase: Phase, step: u32, round: u32| Stage { phase, step, round, next: 0 };
        self.stage = match phase {
            Phase::Marking if over => next(Phase::Layers, 0, 0),
            Phase::Layers if over && step > 0 => next(Phase::Done, step, 0),
            Phase::Leads if over => next(Phase::Opening, 0, 1),
            Phase::Opening => next(Phase::Labelling, 0, round),
            Phase::Labelling if over => next(Phase::Opening, 0, round + 1),
            _ => next(phase, step + 1, round),
        };
        if phase == Phase::Layers && self.stage.step >= retrograde::Cells::FARTHEST {
            return Err(Fault::new(Code::L02, "a play is longer than can be counted: 2^30 moves"));
        }
        Ok(())
    }

    /// Gives the states of a group what waits for them, and tells the states before those that it decides.
    fn visit(&mut self, task: Task, group: u64) -> Result<(), Fault> {
        let range = task.shape.group(group);
        let Run { outcomes, values, mail, desk, moves, .. } = self;
        let hold = &mut Stores { outcomes, values: values.as_mut() };
        let heap = mail.take(group);
        for row in heap.rows() {
            desk.tell(hold, moves, task, range, row)?.ok_or_else(|| mail.damaged())?;
        }
        for &chunk in &heap.chunks {
            let told = desk.tell(hold, moves, task, range, mail.read(chunk)?)?;
            told.ok_or_else(|| mail.damaged())?;
        }
        mail.writer().reuse(heap);
        desk.begin(hold, moves, task, range)?;
        desk.send(mail, moves, task, range)
    }

    /// Goes through all groups of a step, in memory: each is a block, which one thread has at a time.
    fn step_in_threads(&mut self, task: Task, threads: usize) -> Attempt<()> {
        let (groups, page, bytes) = (0..task.shape.groups(), self.mail.page(), self.bytes());
        let wanted: Vec<bool> = groups.clone().map(|group| self.is_wanted(task, group)).collect();
        let heaps: Vec<_> = groups.map(|group| self.mail.take(group)).collect();
        let shares = Mutex::new(self.mail.share(threads));
        let Run { limits, outcomes, values, moves, mail, memory, .. } = self;
        let flags: Vec<u8> = outcomes.entries.iter().map(|entry| entry.flags).collect();
        let no_values = std::iter::repeat_with(|| None).take(if values.is_some() { 0 } else { flags.len() });
        let valued = values.iter_mut().flat_map(|values| values.blocks.iter_mut().map(Option::as_deref_mut));
        let blocks = outcomes.blocks.iter_mut().flatten().zip(valued.chain(no_values)).zip(flags).zip(heaps);
        let todo = Mutex::new((0u64..).zip(blocks).zip(wanted).filter(|(_, wanted)| *wanted));
        let (stop, held, grew) = (AtomicBool::new(false), AtomicUsize::new(bytes), AtomicUsize::new(0));
        let parts = team(threads, &stop, |_, _| {
            let (mut pages, mut free) = shares.lock().pop().unwrap_or_default();
            let mut writer = Writer { shape: task.shape, page, pages: &mut pages, free: &mut free };
            let mut desk = Desk::new(task.shape);
            let mut work = || -> Attempt<()> {
                while !stop.load(Ordering::Relaxed) {
                    let next = todo.lock().next();
                    let Some(((block, (((cells, values), flags), heap)), _)) = next else { return Ok(()) };
                    limits.check_clock()?;
                    let (range, before) = ((block, block + 1), writer.bytes());
                    let mut own = Own { outcomes: cells, values, flags, grew: false };
                    for row in heap.rows() {
                        desk.tell(&mut own, moves, task, range, row)?.ok_or_else(mixed)?;
                    }
                    writer.reuse(heap);
                    desk.begin(&mut own, moves, task, range)?;
                    desk.send(&mut writer, moves, task, range)?;
                    grew.fetch_add(own.grew.into(), Ordering::Relaxed);
                    let held = held.fetch_add(writer.bytes().saturating_sub(before), Ordering::Relaxed) as u64;
                    if held > *memory {
                        return Err(Refusal::Memory(held).into());
                    }
                }
                Ok(())
            };
            let done = work().inspect_err(|_| stop.store(true, Ordering::Relaxed));
            (done, pages, free)
        });
        drop(todo);
        let mut done = Ok(());
        for (part, pages, free) in parts {
            mail.join(pages, free);
            done = done.and(part);
        }
        outcomes.widened(grew.into_inner());
        done
    }
}

fn mixed() -> Fault {
    Fault::new(Code::L02, "bunches of moves were mixed up")
}
