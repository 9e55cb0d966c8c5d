//! Statements that are not told yet: one that is open waits for what is proved below it, and all behind it wait with it.

use crate::answer::{Finding, Verdict};
use crate::prover::{Argument, Job};
use std::collections::VecDeque;

/// What became of one statement.
pub(super) struct Told<'p> {
    pub(super) finding: Finding,
    pub(super) argument: Argument,
    /// Whether it is of the file itself; others are not told.
    pub(super) own: bool,
    /// The statement, if it is open, and how many were proved when it was last tried.
    pub(super) open: Option<(Job<'p>, usize)>,
}

/// Those that wait, in the order of the file.
#[derive(Default)]
pub(super) struct Deferred<'p> {
    pub(super) all: VecDeque<Told<'p>>,
}

impl<'p> Deferred<'p> {
    /// Tells all before the first that is open.
    pub(super) fn tell(&mut self, tell: &mut dyn FnMut(Finding, Argument)) {
        while let Some(told) = self.all.pop_front_if(|told| told.open.is_none()) {
            if told.own {
                tell(told.finding, told.argument);
            }
        }
    }

    /// The first that is open and was tried when less was proved.
    pub(super) fn helped(&self, proved: usize) -> Option<(usize, Job<'p>)> {
        let again = |told: &Told<'p>| told.open.filter(|(_, then)| *then < proved).map(|(job, _)| job);
        self.all.iter().enumerate().find_map(|(at, told)| Some((at, again(told)?)))
    }

    /// How many are open.
    pub(super) fn open(&self) -> usize {
        self.all.iter().filter(|told| told.open.is_some()).count()
    }

    /// What became of one that was tried again. What stood in the way at first is told if it is still open.
    pub(super) fn settle(&mut self, at: usize, finding: Finding, argument: Argument, open: Option<(Job<'p>, usize)>) {
        if let Some(told) = self.all.get_mut(at) {
            if open.is_none() {
                (told.finding, told.argument) = (finding, argument);
            }
            told.open = open;
        }
    }
}

/// Whether a statement is not decided.
pub(super) fn unknown(finding: &Finding) -> bool {
    matches!(finding.verdict, Ok(Verdict::Unknown { .. }))
}

/// Whether it is proved.
pub(super) fn is_proved(finding: &Finding) -> bool {
    matches!(finding.verdict, Ok(Verdict::Proved { .. }))
}
