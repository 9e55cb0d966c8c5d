//! States too spread for a table of the whole box: those that are met, options by native code, values in a table of keys.
//!
//! Several states are gone on from at a time, so that the memory where their options are kept is asked for long before it
//! is read. States wait on a stack, the last ones first, as in a search in depth. Some are taken from its top at once, and
//! all their options are found and asked for. An option that is known is seen at once; one that is not is met: it goes on
//! the stack, and the state waits for it (see [`crate::tables::nodes`]). When the last option of a state is known, so is the
//! state, and those that wait for it see it. So every move is looked up once, and no order among states is needed. Plays
//! without end leave states that wait.
//!
//! A batch of states goes through three stages, and three batches are under way: the lines where their options belong are
//! asked for; they are read, and the next ones asked for where they are full; the options are seen, entered or waited for.
//! The option of least rank is gone on with first: then most options of the others are known when their turn comes, and
//! few states wait. Whenever twice as many wait as before, it is seen whether some wait for themselves: then plays come
//! back, and the search ends.
//!
//! Threads search each for itself with one table. None waits for another: all go through the same states, but begin with
//! different options, and what one has worked out the others find in the table. One that another thread has met and does
//! not know yet is met again, and goes when the table knows it before its turn comes. A state is gone through twice only if
//! two threads come to it before one of them knows it. So answers and the number of states do not depend on the threads
//! (the scheme of parallel search with shared transposition tables: Marsland and Popowich, Parallel game-tree search, IEEE
//! PAMI 7, 1985).
//!
//! Whatever stops the threads, larger cells, a limit, a cycle, is not mended in the middle: open states are forgotten,
//! known ones are kept, and a new search begins. A refusal is found once more by one thread, so that it does not depend
//! on the threads either.

use crate::jit::function::watched_attempt;
use crate::jit::ranking::Grid;
use crate::tables::cell::{Cell, Kind};
use crate::tables::compact_table::{Put, Seek};
use crate::tables::expand::{AGAIN, ENDED, Expander, RANKS, Rows, STOP};
use crate::tables::nodes::Nodes;
use crate::tables::states::States;
use crate::tables::{BoxRules, first_win};
use crate::value::Fault;
use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Failure, Refusal};
use crate::value::team::team;
use crossbeam_utils::CachePadded;
use parking_lot::{RwLock, RwLockReadGuard};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// See the module. Every cell is exact.
#[derive(Debug)]
pub struct Hashed {
    /// The box.
    pub grid: Grid,
    /// How cells are laid out.
    pub cell: Cell,
    pub(super) table: States,
    /// The code for options, kept for further states.
    native: Option<Box<Expander>>,
    /// How many threads worked on it at most.
    pub threads: usize,
}

/// See the module: what its threads share.
pub(super) struct SharedSearch<'a> {
    pub(super) limits: &'a Limits,
    pub(super) expander: &'a Expander,
    pub(super) cell: Cell,
    /// The cells. Who writes to it as a whole is alone.
    pub(super) table: RwLock<States>,
    pub(super) threads: usize,
    /// How many there may be.
    most: usize,
    /// Bytes held by others.
    held: usize,
    /// Bytes that each thread holds.
    bytes: Vec<CachePadded<AtomicUsize>>,
    stop: AtomicBool,
}

/// States taken at once, at most.
const TAKEN: usize = 4;

/// Batches under way.
const STAGES: usize = 3;

/// So many options are enough to ask for in all batches: with more, options of one state are met that others wait for.
const ASKED: usize = 40;

/// New states between two looks at what all threads share: of one thread, and of each of several, whom it costs much.
const LOOK: [u64; 2] = [1 << 4, 1 << 8];

/// New states between two looks at the limits.
const CHECK: u64 = 1 << 14;

/// Why a search ended before its end.
pub(super) enum Stop {
    Limit(Fault),
    Refused(Refusal),
    /// Cells must be larger, for a value or else for a remoteness.
    Small {
        value: bool,
    },
    /// There are so many states that several threads are worth while.
    Many,
    /// Another thread says so.
    Others,
}

enum Entry {
    Known(u64),
    Open(u32),
}

/// States that were taken at once, with their options.
struct Batch {
    taken: Vec<u32>,
    keys: Vec<u64>,
    rows: Rows,
    seeks: Vec<Seek>,
    cells: Vec<u64>,
}

/// See the module: the search of one thread.
pub(super) struct Search<'a> {
    shared: &'a SharedSearch<'a>,
    /// Which of the threads it is.
    turn: usize,
    /// States put that the table has not counted yet.
    fresh: u64,
    /// States put since limits were looked at.
    checked: u64,
    table: RwLockReadGuard<'a, States>,
    nodes: Nodes,
    /// Nodes whose options were not looked up.
    stack: Vec<u32>,
}

impl Hashed {
    /// Works out a state and all that it leads to.
    ///
    /// `O(moves)` expected time; 9 to 12 bytes a state while remoteness and values are small.
    pub fn new(rules: &BoxRules, grid: &Grid, kind: Kind, start: u64) -> Attempt<Hashed> {
        let cell = Cell::smallest(kind);
        let table = States::new(cell, grid.volume, rules.limits.memory);
        let made = Hashed { grid: grid.clone(), cell, table, native: None, threads: 1 };
        made.extended(rules, start)
    }

    /// The same with another state of the box and all that it leads to worked out.
    pub fn extended(mut self, rules: &BoxRules, start: u64) -> Attempt<Hashed> {
        if self.table.get(self.table.seek(start)).is_some() {
            return Ok(self);
        }
        let expander = match self.native.take() {
            Some(expander) => expander,
            None => Box::new(Expander::new(rules, &self.grid)?),
        };
        let made = watched_attempt(&rules.limits, expander.flag(), || {
            if let Kind::Wins { misere } = self.cell.kind {
                return first_win::extended(self, rules, &expander, misere, start);
            }
            let Hashed { grid, cell, table, threads, .. } = self;
            let mut shared = SharedSearch::new(&rules.limits, &expander, rules.held, cell, table);
            shared.run(start)?;
            let (cell, threads) = (shared.cell, threads.max(shared.threads));
            Ok(Hashed { grid, cell, table: shared.table.into_inner(), native: None, threads })
        })?;
        // Code that calls the context can do so only while these rules are lent.
        let native = rules.values.is_none().then_some(expander);
        Ok(Hashed { native, ..made })
    }

    /// Value and remoteness of a state that was worked out.
    pub fn read(&self, words: &[i64]) -> Option<(u64, u64)> {
        self.cell.read(self.table.get(self.table.seek(self.grid.rank(words)?))?)
    }

    /// How many states.
    pub fn positions(&self) -> u64 {
        self.table.keys()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.table.bytes()
    }
}

impl<'a> SharedSearch<'a> {
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
                    let known = table.keys();
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

impl From<Stop> for Failure {
    fn from(stop: Stop) -> Failure {
        match stop {
            Stop::Limit(fault) => fault.into(),
            Stop::Refused(why) => why.into(),
            // The search goes on after all of these.
            Stop::Small { .. } | Stop::Many | Stop::Others => Refusal::Outside.into(),
        }
    }
}

impl Batch {
    const fn new() -> Batch {
        Batch { taken: Vec::new(), keys: Vec::new(), rows: Rows::new(), seeks: Vec::new(), cells: Vec::new() }
    }

    fn clear(&mut self) {
        self.taken.clear();
        self.keys.clear();
        self.seeks.clear();
        self.cells.clear();
    }
}

impl<'a> Search<'a> {
    pub(super) fn new(shared: &'a SharedSearch<'a>, turn: usize) -> Search<'a> {
        Search {
            shared,
            turn,
            fresh: 0,
            checked: 0,
            table: shared.table.read(),
            nodes: Nodes::new(shared.cell),
            stack: Vec::new(),
        }
    }

    /// Works out a state and all that it leads to.
    pub(super) fn run(&mut self, start: u64) -> Result<(), Stop> {
        let done = self.work(start);
        self.table.count(std::mem::take(&mut self.fresh));
        done
    }

    fn work(&mut self, start: u64) -> Result<(), Stop> {
        let seek = self.table.seek(start);
        self.enter(start, seek)?;
        let mut batches = [const { Batch::new() }; STAGES];
        let mut several = 1;
        for turn in (0..STAGES).cycle() {
            // What was taken in the last turn but one is looked at in this one: its memory was asked for in the last.
            let [first, second, third] = [turn, (turn + 2) % STAGES, (turn + 1) % STAGES];
            let asked = batches[second].seeks.len() + batches[third].seeks.len();
            batches[first].clear();
            if !self.stack.is_empty() && asked < ASKED {
                let batch = &mut batches[first];
                self.take(several, batch)?;
                several = match batch.seeks.len() {
                    asked if STAGES * asked > ASKED => (several - 1).max(1),
                    asked if 2 * STAGES * asked < ASKED => (several + 1).min(TAKEN),
                    _ => several,
                };
            } else if self.stack.is_empty() && batches.iter().all(|batch| batch.taken.is_empty()) {
                break;
            }
            let Batch { seeks, cells, .. } = &mut batches[second];
            self.table.at_home(seeks, self.shared.cell.poison(), cells);
            self.look_at(&batches[third])?;
        }
        // All that is left waits for itself.
        if self.nodes.is_empty() { Ok(()) } else { Err(Stop::Refused(Refusal::Cyclic)) }
    }

    /// Takes some states from the stack, finds their options and asks for their memory.
    fn take(&mut self, several: usize, batch: &mut Batch) -> Result<(), Stop> {
        batch.taken.extend(self.stack.drain(self.stack.len().saturating_sub(several)..));
        if self.shared.threads > 1 {
            if self.shared.stop.load(Ordering::Relaxed) {
                return Err(Stop::Others);
            }
            RwLockReadGuard::bump(&mut self.table);
            batch.taken.retain(|&node| !self.told(node));
            self.close_all()?;
        }
        for &node in &batch.taken {
            let (key, place) = self.nodes.state(node);
            batch.keys.push(key);
            // Most of them will be known at once.
            self.table.fetch(place);
        }
        self.shared.expander.expand(&batch.keys, &mut batch.rows).map_err(Stop::Refused)?;
        // Marks are no ranks, but what they ask for does no harm.
        batch.seeks.extend(batch.rows.all().iter().map(|entry| self.table.seek(entry & (RANKS - 1))));
        Ok(())
    }

    fn look_at(&mut self, batch: &Batch) -> Result<(), Stop> {
        let mut at = 0;
        for (i, &node) in batch.taken.iter().enumerate() {
            let row = batch.rows.row(i);
            self.look(node, row, &batch.seeks[at..at + row.len()], &batch.cells[at..at + row.len()])?;
            at += row.len();
            self.close_all()?;
        }
        Ok(())
    }

    /// The cell of a state that is known; else its node, which may be new.
    #[inline]
    fn enter(&mut self, key: u64, seek: Seek) -> Result<Entry, Stop> {
        let (_, open) = self.nodes.next();
        let cell = loop {
            match self.table.put(seek, open) {
                Put::New(place) => {
                    self.fresh += 1;
                    if self.fresh >= LOOK[usize::from(self.shared.threads > 1)] {
                        self.count()?;
                    }
                    return self.meet(key, place, open);
                }
                Put::There(cell) => break cell,
                Put::Full => self.grow()?,
            }
        };
        if self.shared.cell.read(cell).is_some() {
            return Ok(Entry::Known(cell));
        }
        // Another thread has met it, or one that has ended, if there is no node.
        let met = self.nodes.find(key, cell);
        met.map_or_else(|| self.meet(key, seek, self.shared.cell.poison()), |node| Ok(Entry::Open(node)))
    }

    /// A node for a state whose cell in the table is this one.
    #[inline]
    fn meet(&mut self, key: u64, place: Seek, cell: u64) -> Result<Entry, Stop> {
        let node = self.nodes.meet(key, place, cell)?;
        self.stack.push(node);
        Ok(Entry::Open(node))
    }

    fn grow(&mut self) -> Result<(), Stop> {
        self.check(self.table.bytes_grown())?;
        let (table, threads, age) = (&self.shared.table, self.shared.threads, self.table.age());
        RwLockReadGuard::unlocked_fair(&mut self.table, || {
            let mut table = table.write();
            // Unless another thread did it.
            if table.age() == age {
                table.grow(threads);
            }
        });
        Ok(())
    }

    /// The table counts the states put, and now and then limits are looked at.
    fn count(&mut self) -> Result<(), Stop> {
        self.table.count(self.fresh);
        self.checked += std::mem::take(&mut self.fresh);
        if self.shared.wants_more(self.table.keys()) {
            return Err(Stop::Many);
        }
        if self.checked < CHECK && self.shared.limits.positions.is_none() {
            return Ok(());
        }
        self.checked = 0;
        self.check(self.table.bytes())
    }

    /// The limits, with a table of so many bytes.
    fn check(&self, table: usize) -> Result<(), Stop> {
        let bytes = self.shared.bytes(self.turn, self.nodes.bytes() + self.stack.capacity() * 4) + table;
        self.shared.limits.check(self.table.keys(), bytes).map_err(Stop::Limit)
    }

    /// Whether another thread has worked out a node's state; then those that wait see it.
    fn told(&mut self, node: u32) -> bool {
        let (_, place) = self.nodes.state(node);
        let known = self.table.again(place).filter(|&cell| self.shared.cell.read(cell).is_some());
        if let Some(cell) = known {
            self.nodes.tell(node, cell);
        }
        known.is_some()
    }

    fn look(&mut self, node: u32, entries: &[u64], seeks: &[Seek], cells: &[u64]) -> Result<(), Stop> {
        if self.nodes.go_round() {
            return Err(Stop::Refused(Refusal::Cyclic));
        }
        if self.nodes.full() {
            return Err(Stop::Refused(Refusal::PositionLimit));
        }
        let marks = entries.iter().fold(0, |marks, entry| marks | entry);
        if marks & (STOP | ENDED | AGAIN) != 0 && !matches!(self.shared.cell.kind, Kind::Outcome { .. }) {
            return Err(Stop::Refused(Refusal::Ends));
        }
        if marks & ENDED != 0
            && let Some(end) = entries.iter().find(|&entry| entry & ENDED != 0)
        {
            let value = [2, 0, 1][usize::try_from(end & 3).unwrap_or(2)];
            return self.finish(node, value, 0);
        }
        // Threads begin at different options, so that they rarely work on the same ones.
        let first = if self.turn == 0 { 0 } else { entries.len() * self.turn / self.shared.threads };
        self.look_up(node, &entries[first..], &seeks[first..], &cells[first..])?;
        self.look_up(node, &entries[..first], &seeks[..first], &cells[..first])?;
        self.nodes.settle(node);
        Ok(())
    }

    /// Looks up some of the options of a node.
    #[inline]
    fn look_up(&mut self, node: u32, entries: &[u64], seeks: &[Seek], cells: &[u64]) -> Result<(), Stop> {
        let undecided = self.shared.cell.undecided();
        // The last one that is met is taken first: let it be one near the ends of plays, as those of low rank often are.
        let rank = |entry: Option<&u64>| entry.map_or(0, |entry| entry & (RANKS - 1));
        let rising = rank(entries.first()) < rank(entries.last());
        for i in 0..entries.len() {
            let i = if rising { entries.len() - 1 - i } else { i };
            let (entry, seek, cell) = (entries[i], seeks[i], cells[i]);
            if entry & STOP != 0 {
                // As the position of an opponent who has lost, won, drawn.
                let cell = self.shared.cell.write([0, 2, 1][usize::try_from(entry & 3).unwrap_or(2)], 0);
                self.nodes.see(node, cell, false);
                continue;
            }
            let (key, again) = (entry & (RANKS - 1), entry & AGAIN != 0);
            let option = if cell & undecided != undecided {
                Entry::Known(cell)
            } else if let Some(option) = self.nodes.find(key, cell) {
                Entry::Open(option)
            } else {
                self.enter(key, seek)?
            };
            match option {
                Entry::Known(cell) => self.nodes.see(node, cell, again),
                Entry::Open(option) => self.nodes.wait(node, option, again),
            }
        }
        Ok(())
    }

    /// Works out the nodes whose options are all known.
    fn close_all(&mut self) -> Result<(), Stop> {
        while let Some(node) = self.nodes.done() {
            let (value, far) = self.nodes.value(node);
            self.finish(node, value, far)?;
        }
        Ok(())
    }

    /// A node is known: it goes, and those that wait for it see it.
    fn finish(&mut self, node: u32, value: u64, far: u64) -> Result<(), Stop> {
        let cell = self.shared.cell;
        if value >= cell.undecided() || (cell.far_bits() > 0 && far > cell.most_far()) {
            return Err(Stop::Small { value: value >= cell.undecided() });
        }
        let cell = cell.write(value, far);
        let (_, place) = self.nodes.state(node);
        self.table.set(place, cell);
        self.nodes.tell(node, cell);
        Ok(())
    }
}
