//! The run through all phases: blocks are listed, then groups of blocks are gone through step by step. In memory several threads
//! do so, each with blocks of its own: what they tell waits for the next step. So do several processes, each with the blocks
//! of its groups; they meet at the end of a step, and in a long one from time to time, and make checkpoints only there.

mod listing;
mod meeting;
mod pay;

use crate::disk::Folder;
use crate::graph_search::blocks::desk::{Desk, Moves, Own, Stores, Task};
use crate::graph_search::blocks::mail::{Decided, Mail, Which, Writer, first_decided};
use crate::graph_search::blocks::run::pay::Pay;
use crate::graph_search::blocks::save::{Checkpoint, Met, Phase, Saver, Stage, Subject};
use crate::graph_search::blocks::shape::{Shape, Spread};
use crate::graph_search::blocks::shares::Shares;
use crate::graph_search::blocks::states::States;
use crate::graph_search::blocks::store::{Entry, Store};
use crate::graph_search::blocks::together::{Order, Report, joined, meet};
use crate::graph_search::blocks::values::{self, Said};
use crate::graph_search::blocks::{Blocks, Extent, Setting, Stop};
use crate::graph_search::retrograde;
use crate::graph_search::stages::Known;
use crate::processes::Crew;
use crate::source::Code;
use crate::tables::BoxRules;
use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Failure, Refusal};
use crate::value::team::team;
use crate::value::{Fault, width};
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// When a run stops, and meets others.
struct Course {
    stop: Option<Stop>,
    /// How many blocks and groups were begun.
    begun: u64,
    /// Processes meet after so long at the latest.
    period: Duration,
    /// The number of the box, with several processes.
    job: u32,
    /// Words that all processes told in the last step.
    told: u64,
    /// What was told in layers.
    pay: Pay,
    /// Whether one process may yet go on alone.
    may_give_up: bool,
    /// Bytes that may be held without a folder.
    memory: u64,
}

/// States that are being worked out.
pub(super) struct Run {
    limits: Limits,
    subject: Subject,
    stage: Stage,
    met: Met,
    outcomes: Store,
    values: Option<Store>,
    /// The states that are met, while they are.
    states: Option<States>,
    mail: Mail,
    saver: Option<Saver>,
    course: Course,
    moves: Moves,
    desk: Desk,
}

impl Run {
    /// Begins, or goes on from the checkpoint in the folder.
    pub(super) fn new(
        rules: &BoxRules<'_>,
        extent: &Extent<'_>,
        misere: bool,
        setting: &Setting,
        folder: Option<Folder>,
    ) -> Attempt<Run> {
        /// Memory for all but blocks and bunches: native code, lists of one block.
        const FIXED: u64 = 3 << 20;
        /// Of an entry of a block, of its planes, of their places in the index while that is written, and of what waits for it.
        const ENTRY: u64 = 192;
        /// The least that is of use.
        const LEAST: u64 = 6 << 20;
        // A block is not larger than the box, and has two places at least.
        let volume = extent.grid.volume;
        let bits = setting.block_bits.min(volume.next_power_of_two().ilog2().max(1));
        let crew = setting.crew.as_deref();
        let part = crew.map_or((0, 1), |crew| (crew.index() as u64, crew.count() as u64));
        let spread = extent.met.map(|_| Spread::new(volume, bits));
        let group_bits = spread.map_or(0, |spread| spread.group_bits(bits));
        let mut shape = Shape { volume, bits, group_bits, part, spread };
        let shares = |memory: Option<usize>, group_bits: Option<u32>| match (spread, memory) {
            (Some(_), memory) => Shares::spread(memory, bits, shape.groups(), shape.group_bits),
            (None, Some(memory)) => Shares::of(memory, volume, bits, group_bits),
            (None, None) => Shares::all(bits),
        };
        let own = || -> Attempt<(Vec<Checkpoint>, Shares, usize)> {
            let Some(folder) = &folder else {
                let wanted = Blocks::forecast(volume.div_ceil(part.1));
                // How many states are met is not known yet.
                if spread.is_none() && wanted > rules.free() {
                    return Err(Refusal::Memory(wanted).into());
                }
                return Ok((Vec::new(), shares(None, None), 0));
            };
            let checkpoints = Checkpoint::read(folder)?;
            let fixed = FIXED.saturating_add(shape.blocks().saturating_mul(ENTRY));
            let free = rules.free() - rules.free() / 16;
            let memory = match setting.memory {
                Some(memory) => memory,
                None if free < fixed.saturating_add(LEAST) => return Err(Refusal::Memory(fixed + LEAST).into()),
                None => width::index(free - fixed),
            };
            let group_bits = checkpoints.first().map(|checkpoint| checkpoint.subject.shape.group_bits);
            Ok((checkpoints, shares(Some(memory), group_bits), memory))
        };
        let mut run_number = 0;
        let (checkpoint, shared) = match (own(), crew) {
            (Ok((checkpoints, shared, _)), None) => (checkpoints.into_iter().next(), shared),
            (Err(why), None) => return Err(why),
            (own, Some(crew)) => {
                let (found, agreed, fresh) = agreed(crew, own, |memory, bits| shares(Some(memory), bits))?;
                run_number = found.as_ref().map_or(fresh, |checkpoint| checkpoint.mark.0);
                (found, agreed)
            }
        };
        shape.group_bits = shared.group_bits;
        if let Some(known) = checkpoint.as_ref().map(|checkpoint| checkpoint.subject.shape)
            && let (Some(spread), Some(noted)) = (shape.spread, known.spread)
            && noted == (Spread { most: noted.most, ..spread.fitting(noted.states, bits) })
        {
            // All states are met; else it is what it was.
            (shape.spread, shape.group_bits) = (known.spread, noted.group_bits(bits));
        }
        let subject = Subject { shape, joined: extent.joined(), misere };
        let (stop, period, job) = (setting.stop, setting.interval, crew.map_or(0, Crew::next_job));
        let begun = || -> Attempt<Run> {
            let states = shape.spread.filter(|spread| spread.most == 0);
            let states =
                states.map(|spread| States::new(shape, spread, folder.as_ref(), shared.blocks / 2)).transpose()?;
            let phase = if states.is_some() { Phase::Meeting } else { Phase::Listing };
            let mut run = Run {
                limits: rules.limits.clone(),
                subject,
                stage: Stage { phase, step: 0, round: 0, next: 0 },
                met: Met::default(),
                outcomes: Store::new(shape, folder.as_ref(), shared.blocks)?,
                values: None,
                states,
                mail: Mail::new(shape, shared.page, shared.pages, folder.clone(), setting.crew.clone()),
                course: Course {
                    may_give_up: folder.is_none(),
                    stop,
                    begun: 0,
                    period,
                    job,
                    told: 1,
                    pay: Pay::new(),
                    memory: rules.free(),
                },
                saver: folder.map(|folder| Saver::new(folder, setting.interval, run_number)),
                moves: Moves::default(),
                desk: Desk::new(shape),
            };
            match (checkpoint, extent.met, shape.spread) {
                (Some(checkpoint), ..) => run.resume(checkpoint)?,
                (None, Some((from, _)), Some(spread)) => run.begin_meeting(spread, from),
                _ => {}
            }
            Ok(run)
        };
        together(crew, begun())
    }

    /// Goes on from a checkpoint.
    fn resume(&mut self, checkpoint: Checkpoint) -> Attempt<()> {
        let Some(saver) = &mut self.saver else { return Ok(()) };
        if checkpoint.stage.phase.is_of_values() {
            self.values = Some(self.outcomes.heir()?);
        }
        let stores = (&mut self.outcomes, self.values.as_mut());
        saver.resume(&checkpoint, &self.subject, stores, self.states.as_mut(), &mut self.mail)?;
        (self.stage, self.met) = (checkpoint.stage, checkpoint.met);
        if !matches!(self.stage.phase, Phase::Meeting | Phase::Listing) {
            self.prepare();
        }
        Ok(())
    }

    /// Meets the other processes, if there are any: what each tells, when all bunches of this step have come. Error: one of them
    /// cannot go on.
    fn meet(&mut self, mine: Attempt<Report>) -> Attempt<Vec<Report>> {
        let Some(crew) = self.mail.crew() else { return Ok(vec![mine?]) };
        // Even where this process cannot go on: what it told belongs to a checkpoint.
        let sent = self.mail.send(true);
        let mine = mine.and_then(|report| Ok(sent.map(|()| report)?));
        let met = meet(&crew, mine, |bytes| self.mail.receive(bytes));
        met.map_err(|(why, over_time)| {
            // States may have been met whose options are not told yet: then the older checkpoint is what there is.
            if over_time && !matches!(self.stage.phase, Phase::Meeting | Phase::Done) {
                // What was done is not lost; where it cannot be saved the older checkpoint is there.
                let _ = self.save();
            }
            why
        })
    }

    /// Does something of which each process has a share, until all are done. `work`: as much as there is, or as can be done until
    /// then; whether something is left.
    fn share(&mut self, mut work: impl FnMut(&mut Run, Option<Instant>) -> Attempt<bool>) -> Attempt<()> {
        loop {
            let until = self.mail.crew().map(|_| Instant::now() + self.course.period);
            // Others have another clock.
            let worked = work(self, until).map_err(|why| match (&why, self.limits.check_clock()) {
                (Failure::Refused(Refusal::Interrupted), Err(over)) => Failure::Halted(over.into()),
                _ => why,
            });
            let due = self.saver.as_ref().is_some_and(Saver::is_due);
            let told = self.mail.told();
            let reports = self.meet(worked.map(|open| Report { open, told, due, ..Report::default() }))?;
            self.course.told = reports.iter().map(|report| report.told).sum();
            if until.is_some() && reports.first().is_some_and(|report| report.due) {
                self.save()?;
            }
            if reports.iter().all(|report| !report.open) {
                return Ok(());
            }
        }
    }

    /// Goes through all phases that are left until it is known who wins.
    pub(super) fn all(&mut self, rules: &BoxRules<'_>, extent: &Extent<'_>) -> Attempt<()> {
        if self.stage.phase.is_decided() {
            return Ok(());
        }
        let grid = extent.grid;
        if let (Phase::Meeting, Some((_, most)), Some(spread)) =
            (self.stage.phase, extent.met, self.subject.shape.spread)
        {
            self.meet_all(rules, grid, spread, most)?;
        }
        if self.stage.phase == Phase::Listing {
            self.list_all(rules, grid)?;
            let unknown = self.outcomes.entries.iter().any(|entry| entry.flags & Entry::UNKNOWN != 0);
            let words = self.met.words.iter().zip(&self.met.seen);
            let words = words.map(|(&word, seen)| (word, [seen.ones, seen.zeros, seen.count])).collect();
            let reports = self.meet(Ok(Report { words, unknown, ..Report::default() }))?;
            let own = std::mem::take(&mut self.met.words);
            self.met = Met { own, ..joined(&reports)? };
            let unknown = reports.iter().any(|report| report.unknown);
            let phase = if unknown { Phase::Marking } else { Phase::Layers };
            self.stage = Stage { phase, step: 0, round: 0, next: 0 };
            self.prepare();
        }
        while !matches!(self.stage.phase, Phase::Settling | Phase::Done) {
            self.step()?;
            self.turn()?;
        }
        if self.stage.phase == Phase::Settling {
            self.settle_all()?;
        }
        if self.subject.misere {
            self.outcomes.forget_changes();
        }
        self.save()?;
        let states = self.saver.as_ref().map_or(Ok(()), Saver::forget_states);
        let rested = states.and_then(|()| self.mail.clean());
        let rested = rested.and_then(|()| self.outcomes.shorten()).and_then(|()| self.outcomes.rest());
        self.meet(rested.map(|()| Report::default()).map_err(Failure::from)).map(|_| ())
    }

    /// What is known of the values of the states of these ranks, after as many rounds as that takes. In normal play, when it is
    /// known who wins.
    pub(super) fn values(&mut self, limits: &Limits, ranks: &[u64]) -> Attempt<Vec<Said>> {
        self.begin_values(limits)?;
        let mut went = false;
        loop {
            if let Stage { phase: Phase::Opening, round: 2.., next: 0, .. } = self.stage {
                let said = self.said(ranks)?;
                if !said.contains(&Said::Value(Known::Open)) {
                    if went {
                        self.save()?;
                        let rested = self.mail.clean().and_then(|()| {
                            self.values.iter_mut().chain([&mut self.outcomes]).try_for_each(Store::rest)
                        });
                        self.meet(rested.map(|()| Report::default()).map_err(Failure::from))?;
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
        if self.stage.phase == Phase::Leads {
            while self.stage.phase == Phase::Leads {
                self.step()?;
                self.turn()?;
            }
            // Later questions need not find them again.
            self.save()?;
        }
        if !matches!(self.stage, Stage { phase: Phase::Opening, round: 1, next: 0, .. }) {
            // Rounds have begun.
            self.values(limits, &[])?;
        }
        Ok(match self.said(&[rank])?[..] {
            [Said::Leads(ways)] => ways,
            _ => [false; 3],
        })
    }

    fn begin_values(&mut self, limits: &Limits) -> Attempt<()> {
        self.limits = limits.clone();
        if self.values.is_none() {
            let own = self.subject.shape.states().div_ceil(self.subject.shape.part.1);
            let wanted = (self.bytes() as u64).saturating_add(own.saturating_mul(2));
            let heir = if self.saver.is_none() && wanted > self.course.memory {
                Err(Refusal::Memory(wanted).into())
            } else {
                self.outcomes.heir().map_err(Failure::from)
            };
            let (heir, begun) = heir.map_or_else(|why| (None, Err(why)), |heir| (Some(heir), Ok(Report::default())));
            self.meet(begun)?;
            self.values = heir;
            let phase = if self.moves.have_ends() { Phase::Leads } else { Phase::Opening };
            self.stage = Stage { phase, step: 0, round: 1, next: 0 };
        }
        Ok(())
    }

    /// Whether ways to ends were found, or there are none.
    pub(super) fn knows_leads(&self) -> bool {
        !self.moves.have_ends() || self.values.is_some()
    }

    /// Whether values were asked for.
    pub(super) fn has_values(&self) -> bool {
        self.values.is_some()
    }

    /// Whether only the states that were met have places.
    pub(super) fn is_spread(&self) -> bool {
        self.subject.shape.spread.is_some()
    }

    /// Whether the bits of ranks tell all moves.
    pub(super) fn is_exact(&self) -> bool {
        self.moves.kept == 0
    }

    /// What is known of the values of states between two rounds.
    fn said(&mut self, ranks: &[u64]) -> Attempt<Vec<Said>> {
        let shape = self.subject.shape;
        let mut cell = |rank: u64| {
            let block = shape.block(rank);
            let values = self.values.as_mut().filter(|_| shape.has_block(block));
            let found =
                values.map_or(Ok(None), |values| Ok(values.block(block, (block, block + 1), None)?.cell(shape, rank)));
            found.map_err(|why: Fault| Failure::from(why))
        };
        let cells: Attempt<Vec<Option<u32>>> = ranks.iter().map(|&rank| cell(rank)).collect();
        let reports = self.meet(cells.map(|cells| Report { cells, ..Report::default() }))?;
        let round = self.stage.round;
        let said = |at: usize| {
            let cell = reports.iter().find_map(|report| report.cells.get(at).copied().flatten());
            let cell = cell.and_then(|cell| u16::try_from(cell).ok()).ok_or(Refusal::Outside)?;
            Ok(values::said(cell, round))
        };
        (0..ranks.len()).map(said).collect()
    }

    /// The cell of a state, which says who wins; `None`: there is no such state. With several processes the first asks whoever
    /// has it.
    pub(super) fn outcome(&mut self, rank: u64) -> Attempt<Option<u32>> {
        let shape = self.subject.shape;
        if rank >= shape.volume {
            return Ok(None);
        }
        if !shape.has_block(shape.block(rank)) {
            self.announce(&Order::Read(self.course.job, rank))?;
        }
        self.told_outcome(rank)
    }

    /// The same, when all processes know that it is asked for.
    pub(super) fn told_outcome(&mut self, rank: u64) -> Attempt<Option<u32>> {
        let shape = self.subject.shape;
        let block = shape.block(rank);
        if shape.has_block(block) && self.mail.crew().is_none_or(|crew| crew.leads()) {
            return Ok(self.outcomes.block(block, (block, block + 1), None)?.cell(shape, rank));
        }
        let own = if shape.has_block(block) {
            self.outcomes.block(block, (block, block + 1), None).map(|found| found.cell(shape, rank))
        } else {
            Ok(None)
        };
        let reports =
            self.meet(own.map(|cell| Report { cells: vec![cell], ..Report::default() }).map_err(Failure::from))?;
        Ok(reports.iter().find_map(|report| report.cells.first().copied().flatten()))
    }

    /// The first process says what it wants; all then do it.
    pub(super) fn announce(&self, order: &Order) -> Result<(), Fault> {
        match self.mail.crew().filter(|crew| crew.leads()) {
            Some(crew) => order.give(&crew),
            None => Ok(()),
        }
    }

    /// The number of the box, with several processes.
    pub(super) fn job(&self) -> u32 {
        self.course.job
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let stores = self.outcomes.bytes() + self.values.as_ref().map_or(0, Store::bytes);
        stores + self.states.as_ref().map_or(0, States::bytes) + self.mail.bytes()
    }

    /// How many states.
    pub(super) fn states(&self) -> u64 {
        self.subject.shape.states()
    }

    /// Makes a checkpoint: with several processes all make it, and keep the one before until all have.
    fn save(&mut self) -> Attempt<()> {
        let Run { saver, subject, stage, met, outcomes, values, states, mail, .. } = self;
        let Some(saver) = saver else { return Ok(()) };
        let written = saver.write((subject, *stage, met), (outcomes, values.as_mut()), states.as_mut(), mail);
        let written = written.map_err(Failure::from);
        let crew = mail.crew();
        together(crew.as_deref(), written)?;
        let committed = Saver::commit(outcomes, values.as_mut(), mail).map_err(Failure::from);
        together(crew.as_deref(), committed)
    }

    /// Called before each block or group: the limits, and a checkpoint when it is time for one.
    fn look(&mut self) -> Attempt<()> {
        let Course { stop, begun, .. } = &mut self.course;
        let alone = self.mail.crew().is_none();
        if let Some(Stop { saves, .. }) = stop.filter(|stop| stop.after == *begun) {
            if saves && alone {
                self.save()?;
            }
            return Err(Fault::new(Code::L03, "interrupted").into());
        }
        *begun += 1;
        if let Err(why) = self.limits.check_clock() {
            // What was done is not lost; where it cannot be saved the older checkpoint is there.
            if alone {
                let _ = self.save();
            }
            return Err(why.into());
        }
        match &self.saver {
            Some(saver) if alone && saver.is_due() => self.save()?,
            Some(_) => {}
            None => {
                let bytes = self.bytes() as u64;
                if bytes > self.course.memory {
                    return Err(Refusal::Memory(bytes).into());
                }
            }
        }
        Ok(())
    }

    /// Makes ready for steps: all blocks are listed.
    fn prepare(&mut self) {
        self.moves = Moves::new(&self.met, &self.subject);
        match &mut self.values {
            Some(values) => values.keep(self.met.planes(self.moves.kept)),
            None => self.outcomes.keep(self.met.planes(self.moves.kept)),
        }
    }

    /// Goes through the groups that are left of a step.
    fn step(&mut self) -> Attempt<()> {
        let task = Task { shape: self.subject.shape, stage: self.stage };
        // A group of several blocks is of one thread.
        let alone = self.saver.is_none() && self.mail.crew().is_none() && task.shape.group_bits == 0;
        if alone && self.stage.next == 0 {
            // In retrograde analysis a word that waits is a move.
            let work = if task.begins() { task.shape.states() } else { self.mail.waiting() };
            let threads = self.limits.threads_for(work);
            if threads > 1 {
                self.look()?;
                self.step_in_threads(task, threads)?;
                self.course.told = self.mail.told();
                return Ok(());
            }
        }
        self.share(|run, until| {
            loop {
                let Some(group) = run.wanted(task, run.stage.next) else {
                    if task.is_unordered() && run.mail.go_on()? {
                        run.stage.next = 0;
                        continue;
                    }
                    break;
                };
                run.stage.next = group;
                run.look()?;
                run.visit(task, group)?;
                run.mail.collect()?;
                run.stage.next += 1;
                if until.is_some_and(|until| Instant::now() >= until) {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    /// The first group of this process from one on with which there is something to do.
    fn wanted(&self, task: Task, from: u64) -> Option<u64> {
        let waits = self.mail.now.pages.next(from);
        let wanted = task.wanted();
        if !task.begins() && wanted == 0 {
            return waits;
        }
        let begins = |group: u64| {
            let (first, last) = task.shape.group(group);
            let entries = self.outcomes.entries.get(width::index(first)..width::index(last)).unwrap_or_default();
            task.shape.has(group) && (task.begins() || entries.iter().any(|entry| entry.flags & wanted != 0))
        };
        (from..waits.unwrap_or(task.shape.groups())).find(|&group| begins(group)).or(waits)
    }

    /// Goes on to the next step, or phase.
    fn turn(&mut self) -> Attempt<()> {
        self.mail.advance();
        let over = self.course.told == 0;
        let Stage { phase, step, round, .. } = self.stage;
        if phase == Phase::Layers {
            self.look_at_layer()?;
        }
        let next = |phase: Phase, step: u32, round: u32| Stage { phase, step, round, next: 0 };
        self.stage = match phase {
            Phase::Marking if over => next(Phase::Layers, 0, 0),
            Phase::Layers if over && step > 0 && self.saver.is_some() => next(Phase::Settling, step, 0),
            Phase::Layers if over && step > 0 => next(Phase::Done, step, 0),
            Phase::Leads if over => next(Phase::Opening, 0, 1),
            Phase::Opening => next(Phase::Labelling, 0, round),
            Phase::Labelling if over => next(Phase::Opening, 0, round + 1),
            _ => next(phase, step + 1, round),
        };
        if phase == Phase::Layers && self.stage.step >= retrograde::Cells::FARTHEST {
            return Err(Fault::new(Code::L02, "a play is longer than can be counted: 2^30 moves").into());
        }
        Ok(())
    }

    /// Writes into the cells of all blocks what was decided.
    fn settle_all(&mut self) -> Attempt<()> {
        let shape = self.subject.shape;
        self.share(|run, until| {
            while run.stage.next < shape.groups() {
                if shape.has(run.stage.next) {
                    run.look()?;
                    run.settle_group(run.stage.next)?;
                }
                run.stage.next += 1;
                if until.is_some_and(|until| Instant::now() >= until) {
                    break;
                }
            }
            Ok(run.stage.next < shape.groups())
        })?;
        self.mail.forget_decided();
        self.stage = Stage { phase: Phase::Done, next: 0, ..self.stage };
        Ok(())
    }

    fn settle_group(&mut self, group: u64) -> Attempt<()> {
        let Run { outcomes, mail, subject: Subject { shape, .. }, .. } = self;
        let range = shape.group(group);
        let (heap, mut cells) = (mail.decided.take(group), outcomes.widen(range)?);
        let mut decide = |mut row: &[u16]| {
            while !row.is_empty() {
                let (Decided { local, mark, far, places }, rest) = first_decided(row)?;
                let cells = cells.get_mut(usize::from(local))?;
                cells.fit(far);
                cells.decide(mark, far, places);
                row = rest;
            }
            Some(())
        };
        for row in heap.rows() {
            decide(row).ok_or_else(|| mail.damaged(Which::Decided))?;
        }
        for &chunk in &heap.chunks {
            let decided = decide(mail.read(Which::Decided, chunk)?);
            decided.ok_or_else(|| mail.damaged(Which::Decided))?;
        }
        mail.writer().reuse(heap);
        (range.0..range.1).zip(cells).try_for_each(|(block, cells)| outcomes.settle(block, cells))?;
        Ok(())
    }

    /// Gives up where layers are so thin that one process is done as soon, and the first has the memory for it.
    fn look_at_layer(&mut self) -> Attempt<()> {
        let Some(crew) = self.mail.crew() else { return Ok(()) };
        let Course { told, pay, may_give_up, memory, .. } = &mut self.course;
        if *told == 0 {
            crew.note_layers(pay.slow_layers());
            return Ok(());
        }
        pay.add(*told);
        let moves = self.met.seen.iter().map(|seen| seen.count).sum();
        if !*may_give_up || !pay.is_better_alone(moves) {
            return Ok(());
        }
        *may_give_up = false;
        let (states, spread) = (self.subject.shape.states(), self.subject.shape.spread);
        let wanted = Blocks::forecast(states).saturating_add(spread.map_or(0, |_| states * 4));
        let gives_up = crew.leads() && wanted <= *memory;
        together(Some(&*crew), if gives_up { Err(Refusal::ThinLayers.into()) } else { Ok(()) })
    }

    /// Gives the states of a group what waits for them, and tells the states before those that it decides.
    fn visit(&mut self, task: Task, group: u64) -> Result<(), Fault> {
        let range = task.shape.group(group);
        let Run { outcomes, values, mail, desk, moves, .. } = self;
        let hold = &mut Stores { outcomes, values: values.as_mut() };
        let heap = mail.take(group);
        for row in heap.rows() {
            desk.tell(hold, moves, task, range, row)?.ok_or_else(|| mail.damaged(Which::Now))?;
        }
        for &chunk in &heap.chunks {
            let told = desk.tell(hold, moves, task, range, mail.read(Which::Now, chunk)?)?;
            told.ok_or_else(|| mail.damaged(Which::Now))?;
        }
        mail.writer().reuse(heap);
        desk.begin(hold, moves, task, range)?;
        desk.send(hold, mail, moves, task, range)
    }

    /// Goes through all groups of a step, in memory: each is a block, which one thread has at a time.
    fn step_in_threads(&mut self, task: Task, threads: usize) -> Attempt<()> {
        let (groups, page, bytes) = (0..task.shape.groups(), self.mail.page(), self.bytes());
        let mut wanted = vec![false; width::index(groups.end)];
        let mut next = 0;
        while let Some(group) = self.wanted(task, next) {
            (wanted[width::index(group)], next) = (true, group + 1);
        }
        let heaps: Vec<_> = groups.map(|group| self.mail.take(group)).collect();
        let shares = Mutex::new(self.mail.share(threads));
        let Run { limits, outcomes, values, moves, mail, course: Course { memory, .. }, .. } = self;
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
                    desk.send(&mut own, &mut writer, moves, task, range)?;
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

/// What a process has come to, when all have: where no bunches are on their way. Error: one of them cannot go on.
pub(super) fn together<T>(crew: Option<&Crew>, own: Attempt<T>) -> Attempt<T> {
    let Some(crew) = crew else { return own };
    let (made, own) = own.map_or_else(|why| (None, Err(why)), |made| (Some(made), Ok(Report::default())));
    meet(crew, own, |_| Err(mixed())).map_err(|(why, _)| why)?;
    made.ok_or_else(|| mixed().into())
}

/// What all processes begin with: the last checkpoint that all have, how memory is shared out, with equal groups and pages, and
/// a number for a run that begins anew.
fn agreed(
    crew: &Crew,
    own: Attempt<(Vec<Checkpoint>, Shares, usize)>,
    shares: impl Fn(usize, Option<u32>) -> Shares,
) -> Attempt<(Option<Checkpoint>, Shares, u64)> {
    let nothing = |_: &[u8]| Err(mixed());
    let tell = |(checkpoints, own, _): &(Vec<Checkpoint>, Shares, usize)| {
        let marks = checkpoints.iter().map(|checkpoint| checkpoint.mark).collect();
        Report { marks, fresh: fastrand::u64(..), cells: vec![Some(own.group_bits)], ..Report::default() }
    };
    let (report, own) = own.map_or_else(|why| (Err(why), None), |own| (Ok(tell(&own)), Some(own)));
    let reports = meet(crew, report, nothing).map_err(|(why, _)| why)?;
    let (checkpoints, mut agreed, memory) = own.ok_or(Refusal::Interrupted)?;
    let common = |mark: &(u64, u64)| reports.iter().all(|report| report.marks.contains(mark));
    let checkpoint = checkpoints.into_iter().find(|checkpoint| common(&checkpoint.mark));
    let fresh = reports.first().map_or(0, |report| report.fresh);
    let told = |reports: &[Report], at: usize| -> Vec<u32> {
        reports.iter().filter_map(|report| report.cells.get(at).copied().flatten()).collect()
    };
    if memory > 0 {
        // Groups of a checkpoint stay as they are.
        let group_bits = checkpoint.as_ref().map(|checkpoint| checkpoint.subject.shape.group_bits);
        agreed = shares(memory, group_bits.or(told(&reports, 0).into_iter().max()));
    }
    let report = Report { cells: vec![u32::try_from(agreed.page).ok()], ..Report::default() };
    let reports = meet(crew, Ok(report), nothing).map_err(|(why, _)| why)?;
    agreed.page = told(&reports, 0).into_iter().min().map_or(agreed.page, width::index);
    Ok((checkpoint, agreed, fresh))
}
