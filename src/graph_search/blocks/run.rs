//! The run through all phases: blocks are listed, then groups of blocks are gone through step by step.

use crate::disk::Folder;
use crate::graph_search::blocks::bunch::{self, Cells, Told, UNKNOWN, decided};
use crate::graph_search::blocks::fresh::Fresh;
use crate::graph_search::blocks::listing::Listing;
use crate::graph_search::blocks::mail::Mail;
use crate::graph_search::blocks::save::{Checkpoint, Met, Phase, Saver, Stage, Subject};
use crate::graph_search::blocks::shape::{Shape, Shift};
use crate::graph_search::blocks::store::{Entry, Store};
use crate::graph_search::blocks::{Blocks, Setting, Stop};
use crate::graph_search::box_graph::Lister;
use crate::graph_search::retrograde::{self, LOSS, WIN};
use crate::jit::function::watched_attempt;
use crate::jit::ranking::Grid;
use crate::source::Code;
use crate::tables::BoxRules;
use crate::tables::expand::Changes;
use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Failure, Refusal};
use crate::value::{Fault, width};
use std::sync::atomic::Ordering;

/// A box that is being worked out.
pub(super) struct Run {
    limits: Limits,
    subject: Subject,
    stage: Stage,
    met: Met,
    store: Store,
    mail: Mail,
    saver: Option<Saver>,
    /// Bytes that may be held without a folder.
    memory: u64,
    /// When to stop, and how many blocks and groups were begun.
    stop: (Option<Stop>, u64),
    desk: Desk,
}

/// What one who works on a group needs.
#[derive(Default)]
struct Desk {
    shifts: Vec<Shift>,
    /// For each change the place of its plane in a block, if it has one.
    planes: Vec<Option<usize>>,
    /// For each block of the group what is new: won and lost states.
    fresh: Vec<[Fresh; 2]>,
    /// Whether there is any.
    touched: Vec<bool>,
    lists: [Vec<u16>; 2],
}

/// How memory is shared out.
struct Shares {
    group_bits: u32,
    /// Words of a page.
    page: usize,
    /// Pages of each step.
    pages: usize,
    /// Bytes of blocks.
    blocks: usize,
}

impl Shares {
    const PAGE: usize = 1 << 12;

    /// Without a folder: all there is.
    fn all(bits: u32) -> Shares {
        let page = Shares::PAGE.min(16usize.max(1 << bits));
        Shares { group_bits: 0, page, pages: usize::MAX, blocks: usize::MAX }
    }

    /// A quarter for bunches. A group is not more than one block until pages are small.
    fn of(memory: usize, volume: u64, bits: u32, group_bits: Option<u32>) -> Shares {
        let least = Shares::PAGE / 8;
        let step = memory / 8;
        let groups = |group_bits: u32| {
            let shape = Shape { volume, bits, group_bits };
            width::index(shape.groups())
        };
        let group_bits = group_bits.unwrap_or_else(|| {
            let block = (1usize << bits).saturating_mul(10);
            let fits = |group_bits: u32| block << (group_bits + 1) <= memory / 2;
            let wanted = (0..12).find(|&group_bits| groups(group_bits).saturating_mul(least * 4) <= step);
            let mut group_bits = wanted.unwrap_or(12);
            while group_bits > 0 && !fits(group_bits) {
                group_bits -= 1;
            }
            group_bits
        });
        let room = step / groups(group_bits).saturating_mul(4).max(1) / 2;
        let page = if bits < 12 { 16.max(1 << bits) } else { (room + 1).next_power_of_two() / 2 };
        let page = if bits < 12 { page } else { page.clamp(least, Shares::PAGE) };
        Shares { group_bits, page, pages: step / (page * 2), blocks: memory - memory / 4 }
    }
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
        let (volume, bits) = (grid.volume, setting.block_bits);
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
        let mut store = Store::new(shape, folder.as_ref(), shares.blocks)?;
        let mut mail = Mail::new(shape, shares.page, shares.pages, folder.clone());
        let mut stage = Stage { phase: Phase::Listing, step: 0, next: 0 };
        let mut met = Met::default();
        let mut saver = folder.map(|folder| Saver::new(folder, setting.interval));
        if let (Some(saver), Some(checkpoint)) = (&mut saver, checkpoint) {
            saver.resume(&checkpoint, &subject, &mut store, &mut mail)?;
            (stage, met) = (checkpoint.stage, checkpoint.met);
        }
        Ok(Run {
            limits: rules.limits.clone(),
            subject,
            stage,
            met,
            store,
            mail,
            saver,
            memory: rules.free(),
            stop: (setting.stop, 0),
            desk: Desk::default(),
        })
    }

    /// Goes through all phases that are left.
    pub(super) fn all(&mut self, rules: &BoxRules<'_>, grid: &Grid) -> Attempt<()> {
        if self.stage.phase == Phase::Done {
            return Ok(());
        }
        if self.stage.phase == Phase::Listing {
            let changes = Changes::new(rules, grid, self.subject.joined)?;
            let flag = changes.flag().clone();
            let mut lister = Lister::new(changes, self.subject.joined);
            lister.know(&self.met.words)?;
            let limits = self.limits.clone();
            let listed = watched_attempt(&limits, &flag, || self.list(&limits, lister));
            limits.goal.store(0, Ordering::Relaxed);
            listed?;
        }
        self.prepare();
        while self.stage.phase != Phase::Done {
            self.step()?;
            self.turn()?;
        }
        self.save()?;
        Ok(())
    }

    /// What is left when all is done.
    pub(super) fn finish(mut self) -> Result<(Shape, Store), Fault> {
        /// Bytes of blocks that stay in memory when they are in a folder.
        const HELD: usize = 4 << 20;
        self.mail.clean()?;
        self.store.rest(HELD)?;
        Ok((self.subject.shape, self.store))
    }

    fn save(&mut self) -> Result<(), Fault> {
        let Run { saver, subject, stage, met, store, mail, .. } = self;
        match saver {
            Some(saver) => saver.save(subject, *stage, met, store, mail),
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
                let bytes = (self.store.bytes() + self.mail.bytes()) as u64;
                if bytes > self.memory {
                    return Err(Refusal::Memory(bytes).into());
                }
            }
        }
        Ok(())
    }

    /// Lists the blocks that are left.
    fn list(&mut self, limits: &Limits, lister: Lister) -> Attempt<()> {
        let Subject { shape, misere, .. } = self.subject;
        let mut listing = Listing::new(limits, lister, shape, misere, self.met.seen.clone());
        limits.goal.store(shape.volume, Ordering::Relaxed);
        while self.stage.next < shape.blocks() {
            self.look()?;
            let block = self.stage.next;
            let mut cells = self.store.cells(block)?;
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
            self.store.put(block, cells, &listing.planes, flags)?;
            self.met.words = listing.words().to_vec();
            self.met.seen.clone_from(&listing.seen);
            self.stage.next += 1;
            limits.progress.store((self.stage.next << shape.bits).min(shape.volume), Ordering::Relaxed);
        }
        let unknown = self.store.entries.iter().any(|entry| entry.flags & Entry::UNKNOWN != 0);
        self.stage = Stage { phase: if unknown { Phase::Marking } else { Phase::Layers }, step: 0, next: 0 };
        Ok(())
    }

    /// Makes ready for steps: all blocks are listed.
    fn prepare(&mut self) {
        let Subject { shape, joined, .. } = self.subject;
        let words = (0u16..).zip(self.met.words.iter().zip(&self.met.seen));
        let desk = &mut self.desk;
        desk.shifts = words.filter_map(|(bit, (&word, seen))| Shift::of(bit, word, joined, seen, shape)).collect();
        let kept: Vec<usize> = desk.shifts.iter().filter(|shift| !shift.exact).map(|shift| shift.bit.into()).collect();
        desk.planes = vec![None; 64];
        for (at, &bit) in kept.iter().enumerate() {
            desk.planes[bit] = Some(at);
        }
        self.store.keep(kept.iter().fold(0, |bits, bit| bits | 1 << bit));
        let (group, lanes) = (1 << shape.group_bits, shape.lanes());
        desk.fresh = (0..group).map(|_| [Fresh::new(lanes), Fresh::new(lanes)]).collect();
        desk.touched = vec![false; group];
    }

    /// Goes through the groups that are left of a step.
    fn step(&mut self) -> Attempt<()> {
        while self.stage.next < self.subject.shape.groups() {
            let group = self.stage.next;
            if self.flags(group) != 0
                || self.mail.now.heaps.get(width::index(group)).is_some_and(|heap| !heap.is_empty())
            {
                self.look()?;
                self.visit(group)?;
            }
            self.stage.next += 1;
        }
        Ok(())
    }

    /// The flags of blocks that begin something in this step.
    fn wanted(&self) -> u8 {
        match self.stage {
            Stage { phase: Phase::Marking, step: 0, .. } => Entry::UNKNOWN,
            Stage { phase: Phase::Layers, step: 0, .. } => Entry::ENDS,
            Stage { phase: Phase::Layers, step: 1, .. } => Entry::STOPS,
            _ => 0,
        }
    }

    /// Those that blocks of a group have.
    fn flags(&self, group: u64) -> u8 {
        let wanted = self.wanted();
        if wanted == 0 {
            return 0;
        }
        let (first, last) = self.subject.shape.group(group);
        let entries = self.store.entries.get(width::index(first)..width::index(last)).unwrap_or_default();
        entries.iter().fold(0, |flags, entry| flags | entry.flags) & wanted
    }

    /// Goes on to the next step, or phase.
    fn turn(&mut self) -> Result<(), Fault> {
        self.mail.advance();
        let over = self.mail.now.is_empty();
        let Stage { phase, step, .. } = self.stage;
        self.stage = match phase {
            Phase::Marking if over => Stage { phase: Phase::Layers, step: 0, next: 0 },
            Phase::Layers if over && step > 0 => Stage { phase: Phase::Done, step, next: 0 },
            _ => Stage { phase, step: step + 1, next: 0 },
        };
        if phase == Phase::Layers && self.stage.step >= retrograde::Cells::FARTHEST {
            return Err(Fault::new(Code::L02, "a play is longer than can be counted: 2^30 moves"));
        }
        Ok(())
    }

    /// Gives the states of a group what waits for them, and tells the states before those that it decides.
    fn visit(&mut self, group: u64) -> Result<(), Fault> {
        let (shape, Stage { phase, step, .. }) = (self.subject.shape, self.stage);
        let range = shape.group(group);
        let wanted = self.wanted();
        let Run { store, mail, desk, .. } = self;
        if wanted != 0 {
            let numbers = match phase {
                Phase::Marking => [UNKNOWN.into(); 2],
                _ => [decided(WIN, step), decided(LOSS, step)],
            };
            for (local, block) in (range.0..range.1).enumerate() {
                if store.entries[width::index(block)].flags & wanted != 0 {
                    let [won, lost] = &mut desk.fresh[local];
                    store.block(block, range, None)?.cells.find(numbers, |place, first| {
                        let set = if first { &mut *won } else { &mut *lost };
                        set.add(place);
                    });
                    desk.touched[local] = true;
                }
            }
        }
        let heap = mail.take(group);
        for row in heap.rows() {
            desk.tell(store, range, step, row)?.ok_or_else(|| mail.damaged())?;
        }
        for &chunk in &heap.chunks {
            let told = desk.tell(store, range, step, mail.read(chunk)?)?;
            told.ok_or_else(|| mail.damaged())?;
        }
        mail.done(heap);
        for local in 0..desk.touched.len() {
            if std::mem::take(&mut desk.touched[local]) {
                desk.send(mail, phase == Phase::Marking, range.0 + local as u64, local)?;
            }
        }
        Ok(())
    }
}

impl Desk {
    /// Gives a row of bunches to the blocks of a group; `None`: it is not what was written.
    fn tell(&mut self, store: &mut Store, range: (u64, u64), far: u32, mut row: &[u16]) -> Result<Option<()>, Fault> {
        while !row.is_empty() {
            let Some((bunch, rest)) = bunch::first(row) else { return Ok(None) };
            row = rest;
            let (local, block) = (usize::from(bunch.local), range.0 + u64::from(bunch.local));
            let Some(fresh) = self.fresh.get_mut(local).filter(|_| block < range.1) else { return Ok(None) };
            self.touched[local] = true;
            if far >= Cells::FAR {
                store.block(block, range, None)?;
                store.fit(block, far);
            }
            let plane = self.planes.get(usize::from(bunch.bit)).copied().flatten();
            let found = store.block(block, range, plane)?;
            found.changed = true;
            let plane = plane.map(|at| found.planes.get(at).map_or(&[][..], Vec::as_slice));
            found.cells.tell(&bunch, plane, far, fresh);
        }
        Ok(Some(()))
    }

    /// Tells the states before those of a block that are new.
    fn send(&mut self, mail: &mut Mail, marking: bool, block: u64, local: usize) -> Result<(), Fault> {
        for (set, list) in self.fresh[local].iter_mut().zip(&mut self.lists) {
            set.drain(list);
        }
        let [won, lost] = &self.lists;
        for shift in &self.shifts {
            if !won.is_empty() {
                let told = match (marking, shift.keeps) {
                    (true, _) => Told::Unknown,
                    (_, true) => Told::Wins,
                    (_, false) => Told::Less,
                };
                mail.add(shift, told, block, won)?;
            }
            if !lost.is_empty() {
                mail.add(shift, if shift.keeps { Told::Less } else { Told::Wins }, block, lost)?;
            }
        }
        Ok(())
    }
}
