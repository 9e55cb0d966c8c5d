//! Moves of one component, and what was met among them.

use crate::vm::run::Status;

/// A move of a component, ready to be combined.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Step {
    pub(crate) to: Goal,
    pub(crate) again: bool,
    /// Points for the mover; `end when .. : score` of what is entered included.
    pub(crate) gain: i64,
}

/// Where a step leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Goal {
    /// The mover wins, loses, draws: 0, 1, 2.
    Stop(u8),
    /// Components, sorted.
    Sum(Box<[u32]>),
}

/// The options of a component.
#[derive(Debug)]
pub(crate) struct Steps {
    pub(crate) status: Status,
    pub(crate) steps: Vec<Step>,
}

impl Steps {
    /// Bytes held, with what the system adds to each piece of memory.
    pub(crate) fn bytes(&self) -> usize {
        /// A piece of memory on its own.
        const PIECE: usize = 16;
        let sums = self.steps.iter().map(|step| match &step.to {
            Goal::Stop(_) => 0,
            Goal::Sum(sum) => PIECE + size_of_val(&sum[..]).next_multiple_of(16),
        });
        size_of::<Steps>() + PIECE + self.steps.capacity() * size_of::<Step>() + sums.sum::<usize>()
    }
}

/// What was met while exploring that forbids Grundy values or needs a search of the whole position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // independent facts
pub(crate) struct Met {
    /// `win`, `lose`, `draw`
    pub(crate) stop: bool,
    /// `end when ... : lost`, `won`, `drawn`
    pub(crate) ending: bool,
    /// `again`
    pub(crate) again: bool,
    /// `gain` or `score`
    pub(crate) points: bool,
}

impl Met {
    /// Why there is no Grundy value, if something was met that forbids it (rule 32).
    pub(crate) fn forbids_grundy(self) -> Option<&'static str> {
        if self.stop {
            Some("a move of it ends the whole play (`win`, `lose` or `draw`)")
        } else if self.ending {
            Some("an `end when` of it ends the whole play (`lost`, `won` or `drawn`)")
        } else if self.again {
            Some("a move of it keeps the turn (`again`)")
        } else if self.points {
            Some("it is a scoring game (`gain` or `score`)")
        } else {
            None
        }
    }
}
