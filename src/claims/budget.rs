//! How long judging may take, and who gets how much of it.

use crate::value::limits::Limits;
use crate::vm::context::Context;
use std::time::{Duration, Instant};

/// What one `check` of a file may use.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Time for everything together; each statement gets a fair part of what is left, and never less than half a second.
    /// `Duration::MAX` is no limit.
    pub time: Duration,
    /// So many instances of a statement with an infinite range are compared at most.
    pub instances: u64,
}

impl Default for Budget {
    /// Ten seconds.
    fn default() -> Self {
        Budget { time: Duration::from_secs(10), instances: 200_000 }
    }
}

/// The running budget.
pub(crate) struct Clock {
    end: Option<Instant>,
    left: u32,
    pub(crate) instances: u64,
}

/// No statement gets less time than this.
const LEAST: Duration = Duration::from_millis(500);

impl Clock {
    pub(crate) fn new(budget: &Budget, statements: usize) -> Self {
        Clock {
            end: Instant::now().checked_add(budget.time),
            left: u32::try_from(statements).unwrap_or(u32::MAX),
            instances: budget.instances,
        }
    }

    /// The time of the next statement.
    pub(crate) fn share(&mut self) -> Duration {
        let left = self.end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        let share = left / self.left.max(1);
        self.left = self.left.saturating_sub(1);
        share.max(LEAST)
    }
}

/// Runs `work` with so much time, or without end for `Duration::MAX`; the time limit of the run holds besides.
pub(crate) fn within<T>(ctx: &mut Context, time: Duration, work: impl FnOnce(&mut Context) -> T) -> T {
    let until = Instant::now().checked_add(time).map(|until| (until, time));
    let narrow = |limits: &mut Limits| {
        limits.deadline = match (limits.deadline, until) {
            (Some(old), Some(until)) if until.0 < old.0 => Some(until),
            (old, until) => old.or(until),
        };
    };
    ctx.under(narrow, work)
}

/// Counts the positions that a run meets, also those that are forgotten in between to save memory.
pub(crate) struct PositionCount {
    before: usize,
    forgotten: u64,
}

impl PositionCount {
    pub(crate) fn new(ctx: &Context) -> Self {
        PositionCount { before: ctx.components(), forgotten: 0 }
    }

    /// Positions met since the start.
    pub(crate) fn count(&self, ctx: &Context) -> u64 {
        self.forgotten + ctx.components().saturating_sub(self.before) as u64
    }

    /// Forgets all positions when they hold many graphs or a good part of the memory.
    pub(crate) fn tidy(&mut self, ctx: &mut Context) {
        if ctx.is_crowded() {
            self.forgotten = self.count(ctx);
            self.before = 0;
            ctx.forget();
        }
    }
}
