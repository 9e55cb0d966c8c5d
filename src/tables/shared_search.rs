//! Threads that work out the states that a state leads to, each by a search of its own, with one table.
//!
//! None waits for another: all go through the same states, but begin with different options, and what one has worked out
//! the others find in the table. A state is gone through twice only if two threads come to it before one of them knows it. So
//! answers and the number of states do not depend on the threads (the scheme of parallel search with shared transposition
//! tables: Marsland and Popowich, Parallel game-tree search, IEEE PAMI 7, 1985).
//!
//! Whatever stops the threads, larger cells, a limit, a cycle, is not mended in the middle: open states are forgotten,
//! known ones are kept, and a new search begins. A refusal is found once more by one thread, so that it does not depend
//! on the threads either.

use crate::tables::cell::Cell;
use crate::tables::expand::Expander;
use crate::tables::hashed_search::{Search, Stop};
use crate::tables::states::States;
use crate::value::limits::Limits;
use crate::value::refusal::Refusal;
use crate::value::team::team;
use crossbeam_utils::CachePadded;
use parking_lot::RwLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// See the module: what its threads share.
pub(super) struct SharedSearch<'a> {
    pub(super) limits: &'a Limits,
    pub(super) expander: &'a Expander,
    /// The form of cells.
    pub(super) cell: Cell,
    /// The cells. Who writes to it as a whole is alone.
    pub(super) table: RwLock<States>,
    /// How many threads there are.
    pub(super) threads: usize,
    /// How many there may be.
    most: usize,
    /// Bytes held by others.
    held: usize,
    /// Bytes that each thread holds.
    bytes: Vec<CachePadded<AtomicUsize>>,
    stop: AtomicBool,
}

impl<'a> SharedSearch<'a> {
    /// `held`: bytes held by others.
    pub(super) fn new(
        limits: &'a Limits,
        expander: &'a Expander,
        held: usize,
        cell: Cell,
        table: States,
    ) -> SharedSearch<'a> {
        let (most, stop) = (limits.most_threads(), AtomicBool::new(false));
        let bytes = (0..most).map(|_| CachePadded::default()).collect();
        SharedSearch { limits, expander, cell, table: RwLock::new(table), threads: 1, most, held, bytes, stop }
    }

    /// Works out a state and all that it leads to: by one thread, until there are many states.
    pub(super) fn run(&mut self, start: u64) -> Result<(), Stop> {
        loop {
            match self.round(start) {
                Ok(()) => {
                    let table = self.table.get_mut();
                    table.unshare();
                    let known = table.len();
                    let over = self.limits.positions.is_some_and(|limit| known > limit);
                    let checked = if over { self.limits.check(known, 0) } else { Ok(()) };
                    return checked.map_err(Stop::Limit);
                }
                Err(Stop::Many) if self.table.get_mut().share() => self.threads = self.most,
                Err(Stop::Many) => self.most = 1,
                Err(Stop::Small { value }) => self.widen(value)?,
                // What stands in the way is told as one thread comes to it.
                Err(Stop::Refused(why @ (Refusal::Cyclic | Refusal::Interrupted))) => return Err(Stop::Refused(why)),
                Err(Stop::Refused(_)) if self.threads > 1 => {
                    self.table.get_mut().unshare();
                    (self.threads, self.most) = (1, 1);
                }
                Err(stop) => return Err(stop),
            }
        }
    }

    /// Cells of the next larger form. What is known is kept, open states are met again.
    fn widen(&mut self, value: bool) -> Result<(), Stop> {
        let Some(larger) = self.cell.larger(value) else { return Err(Stop::Refused(Refusal::LargeValues)) };
        let table = self.table.get_mut();
        *table = table.widened(self.cell, larger, self.expander.grid().volume);
        self.cell = larger;
        if self.threads > 1 && !table.share() {
            (self.threads, self.most) = (1, 1);
        }
        Ok(())
    }

    /// Searches until one thread has ended.
    fn round(&self, start: u64) -> Result<(), Stop> {
        self.stop.store(false, Ordering::Relaxed);
        let all = team(self.threads, &self.stop, |turn, _| {
            let done = Search::new(self, turn).run(start);
            self.stop.store(true, Ordering::Relaxed);
            done
        });
        // An end is an end, whatever others came to.
        let rank = |done: &Result<(), Stop>| match done {
            Ok(()) => 0,
            Err(Stop::Limit(_)) => 1,
            Err(Stop::Small { .. }) => 2,
            Err(Stop::Others) => 4,
            Err(_) => 3,
        };
        all.into_iter().min_by_key(rank).unwrap_or(Err(Stop::Others))
    }

    /// Whether a thread shall stop.
    #[inline]
    pub(super) fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether so many states are worth more threads than there are.
    pub(super) fn wants_more(&self, states: u64) -> bool {
        // A state takes longer than in a table that is filled in order.
        self.threads == 1 && self.most > 1 && self.limits.threads_for(states.saturating_mul(16)) > 1
    }

    /// A thread holds so many bytes now; what is held by all, without the table.
    pub(super) fn bytes(&self, turn: usize, bytes: usize) -> usize {
        self.bytes[turn].store(bytes, Ordering::Relaxed);
        self.held + self.bytes.iter().map(|bytes| bytes.load(Ordering::Relaxed)).sum::<usize>()
    }
}
