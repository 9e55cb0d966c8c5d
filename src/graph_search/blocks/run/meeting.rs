//! States of a box are met, step by step, from one of them: where they are few. Then they get places, and are listed as the
//! blocks of a whole box are.

use crate::graph_search::blocks::bunch;
use crate::graph_search::blocks::desk::Desk;
use crate::graph_search::blocks::mail::Which;
use crate::graph_search::blocks::run::{Run, together};
use crate::graph_search::blocks::save::{Phase, Stage, Subject};
use crate::graph_search::blocks::shape::Spread;
use crate::graph_search::blocks::states::States;
use crate::graph_search::blocks::together::Report;
use crate::jit::function::watched_attempt;
use crate::jit::ranking::Grid;
use crate::tables::BoxRules;
use crate::tables::expand::{ENDED, Expander, RANKS, Rows, STOP};
use crate::value::mix::unmix;
use crate::value::refusal::{Attempt, Failure, Refusal};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// What is at hand while states are met.
struct Meeting {
    expander: Expander,
    rows: Rows,
    /// Those of a group that are new, mixed.
    new: Vec<u64>,
    ranks: Vec<u64>,
}

impl Meeting {
    /// So many are expanded at a time.
    const BATCH: usize = 512;
}

impl Run {
    /// The state from which others are met: it is told to its group.
    pub(super) fn begin_meeting(&mut self, spread: Spread, from: u64) {
        let mixed = spread.mixed(from);
        let group = spread.cut(mixed).0 >> self.subject.shape.group_bits;
        if self.subject.shape.has(group) {
            self.mail.writer().push(group, bunch::rank(mixed));
        }
        self.mail.advance();
    }

    /// Meets all states that are met from those that were told, so many at most, step by step, and gives them places.
    pub(super) fn meet_all(&mut self, rules: &BoxRules<'_>, grid: &Grid, spread: Spread, most: u64) -> Attempt<()> {
        let crew = self.mail.crew();
        let expander = together(crew.as_deref(), Expander::new(rules, grid).map_err(Failure::from))?;
        let (limits, flag) = (self.limits.clone(), expander.flag().clone());
        let mut meeting = Meeting { expander, rows: Rows::new(), new: Vec::new(), ranks: Vec::new() };
        watched_attempt(&limits, &flag, || {
            loop {
                self.meeting_step(&mut meeting, spread, most)?;
                if self.course.told == 0 {
                    return Ok(());
                }
                self.mail.advance();
                self.stage = Stage { step: self.stage.step + 1, next: 0, ..self.stage };
            }
        })?;
        let own = self.states.as_ref().map_or(0, States::count);
        let reports = self.meet(Ok(Report { states: own, ..Report::default() }))?;
        let spread = spread.fitting(reports.iter().map(|report| report.states).sum(), self.subject.shape.bits);
        // As many places for each block as the fullest wants, of whichever process.
        let own = self.states.as_ref().map_or(0, |states| states.most(spread));
        let reports = self.meet(Ok(Report { cells: vec![Some(own)], ..Report::default() }))?;
        let fullest = reports.iter().filter_map(|report| report.cells.first().copied().flatten()).max().unwrap_or(0);
        let most = fullest.next_multiple_of(64).max(64);
        let settled =
            if most > 1 << 16 { Err(Refusal::ManyStates.into()) } else { self.place(Spread { most, ..spread }) };
        together(crew.as_deref(), settled)?;
        self.mail.advance();
        self.stage = Stage { phase: Phase::Listing, step: 0, round: 0, next: 0 };
        Ok(())
    }

    /// Goes through the groups that are left of a step in which states are met.
    fn meeting_step(&mut self, meeting: &mut Meeting, spread: Spread, most: u64) -> Attempt<()> {
        let shape = self.subject.shape;
        self.share(|run, until| {
            while let Some(group) = run.mail.now.pages.next(run.stage.next) {
                run.stage.next = group;
                run.look()?;
                run.visit_met(meeting, spread, group)?;
                let count = run.states.as_ref().map_or(0, States::count);
                run.limits.progress.store(count, Ordering::Relaxed);
                run.limits.check(count, 0)?;
                if count > most / shape.part.1 {
                    return Err(Refusal::ManyMet.into());
                }
                run.mail.collect()?;
                run.stage.next += 1;
                if until.is_some_and(|until| Instant::now() >= until) {
                    return Ok(true);
                }
            }
            Ok(false)
        })
    }

    /// Meets the states of a group that wait for it; what is new tells its options.
    fn visit_met(&mut self, meeting: &mut Meeting, spread: Spread, group: u64) -> Attempt<()> {
        let Run { states: Some(states), mail, subject: Subject { shape, .. }, .. } = self else { return Ok(()) };
        let Meeting { expander, rows, new, ranks } = meeting;
        let heap = mail.take(group);
        new.clear();
        for row in heap.rows() {
            states.meet(group, row.as_chunks().0.iter().copied().map(bunch::mixed), new)?;
        }
        for &chunk in &heap.chunks {
            states.meet(group, mail.read(Which::Now, chunk)?.as_chunks().0.iter().copied().map(bunch::mixed), new)?;
        }
        mail.writer().reuse(heap);
        let all = spread.block_bits + spread.key_bits;
        for some in new.chunks(Meeting::BATCH) {
            ranks.clear();
            ranks.extend(some.iter().map(|&mixed| unmix(mixed, all)));
            expander.expand_known(ranks, rows)?;
            for &entry in rows.all().iter().filter(|&entry| entry & (STOP | ENDED) == 0) {
                let mixed = spread.mixed(entry & (RANKS - 1));
                mail.writer().push(spread.cut(mixed).0 >> shape.group_bits, bunch::rank(mixed));
            }
            mail.look()?;
        }
        Ok(())
    }

    /// All states are met: they get places.
    fn place(&mut self, spread: Spread) -> Attempt<()> {
        let shape = &mut self.subject.shape;
        (shape.spread, shape.group_bits) = (Some(spread), spread.group_bits(shape.bits));
        let shape = *shape;
        let mut store = self.outcomes.renewed(shape)?;
        let Some(mut states) = self.states.take() else { return Ok(()) };
        for group in (0..shape.groups()).filter(|&group| shape.has(group)) {
            self.limits.check_clock()?;
            let first = shape.group(group).0;
            for (block, keys) in (first..).zip(states.keys(shape, group)?) {
                store.know(block, keys)?;
            }
            let bytes = (states.bytes() + store.bytes()) as u64;
            if self.saver.is_none() && bytes > self.course.memory {
                return Err(Refusal::Memory(bytes).into());
            }
        }
        self.outcomes = store;
        self.mail.reshape(shape);
        self.desk = Desk::new(shape);
        Ok(())
    }
}
