//! Values of all states that a state leads to, several states at a time so that the memory where their options are kept is
//! asked for long before it is read.
//!
//! States wait on a stack, the last ones first, as in a search in depth. Some are taken from its top at once, and all their
//! options are found and asked for. An option that is known is seen at once; one that is not is met: it goes on the stack,
//! and the state waits for it. When the last option of a state is known, so is the state, and those that wait for it see it.
//! So every move is looked up once, and no order among states is needed. Plays without end leave states that wait.
//!
//! Other threads may do the same with the same table (see [`super::crew`]). Each waits for no state but its own: one that
//! another thread has met and does not know yet is met again, and goes when the table knows it before its turn comes.

use super::cell::Kind;
use super::chains::{Lists, NONE};
use super::crew::Crew;
use super::expand::{AGAIN, ENDED, RANKS, Rows, STOP, Trouble};
use super::hashed::NoValues;
use super::packed::{Put, Seek};
use super::states::States;
use crate::rules::fault::Fault;
use hashbrown::HashMap;
use parking_lot::RwLockReadGuard;

/// States taken at once, at most.
const TAKEN: usize = 4;
/// Batches.
const STAGES: usize = 3;
/// So many options are enough to ask for at once: with more, options of one state are met that others wait for.
const ASKED: usize = 40;
/// New states between two looks at what all threads share: of one thread, and of each of several, whom it costs much.
const LOOK: [u64; 2] = [1 << 4, 1 << 8];
/// New states between two looks at the limits.
const CHECK: u64 = 1 << 14;
/// Whether nodes wait for themselves is seen first when there are so many.
const MANY: usize = 1 << 14;
const GREATER: u64 = 1 << 63;

/// Why a search ended before its end.
pub(super) enum Stop {
    Limit(Fault),
    Trouble(Trouble),
    No(NoValues),
    /// Cells must be larger, for a value or else for a remoteness.
    Small {
        value: bool,
    },
    /// There are so many states that several threads are worth while.
    Many,
    /// Another thread says so.
    Others,
}

/// A state that was met and is not known.
#[derive(Clone, Copy)]
struct Node {
    key: u64,
    place: Seek,
    /// Values below 63 that options have, as bits; the highest bit: there are greater ones, in the list of their own.
    values: u64,
    /// The least cell of an option (see [`Cell`]), poison if there is none.
    least: u64,
    /// Options that are not known, and 1 until all options were looked up.
    open: u32,
    /// States that wait for it: a list in `waiting`.
    waiting: u32,
    /// Values of 63 and more that were seen: a list in `greater`.
    greater: u32,
}

/// What is known of a state.
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

    /// Options that it asked for.
    fn asked(&self) -> usize {
        self.seeks.len()
    }
}

/// See the module: the search of one thread.
pub(super) struct Search<'a> {
    crew: &'a Crew<'a>,
    /// Which of the threads it is.
    turn: usize,
    /// States put that the table has not counted yet.
    fresh: u64,
    /// States put since limits were looked at.
    checked: u64,
    table: RwLockReadGuard<'a, States>,
    nodes: Vec<Node>,
    free: Vec<u32>,
    /// The nodes of keys that are not known.
    met: HashMap<u64, u32>,
    /// Nodes whose options were not looked up.
    stack: Vec<u32>,
    /// Those that wait, and whether the mover has the next turn there.
    waiting: Lists<(u32, bool)>,
    greater: Lists<u64>,
    /// Nodes whose options are all known.
    done: Vec<u32>,
    /// When so many nodes wait, it is time to see whether some wait for themselves.
    many: usize,
}

impl<'a> Search<'a> {
    /// One of the threads of a crew.
    pub(super) fn new(crew: &'a Crew<'a>, turn: usize) -> Search<'a> {
        Search {
            crew,
            turn,
            fresh: 0,
            checked: 0,
            table: crew.table.read(),
            nodes: Vec::new(),
            free: Vec::new(),
            met: HashMap::new(),
            stack: Vec::new(),
            waiting: Lists::default(),
            greater: Lists::default(),
            done: Vec::new(),
            many: MANY,
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
        loop {
            let [first, second, third] = &mut batches;
            first.clear();
            if !self.stack.is_empty() && second.asked() + third.asked() < ASKED {
                self.take(several, first)?;
                several = (ASKED * first.taken.len() / (STAGES * first.asked().max(1))).clamp(1, TAKEN);
            } else if self.stack.is_empty() && second.taken.is_empty() && third.taken.is_empty() {
                break;
            }
            self.table.at_home(&second.seeks, self.crew.cell.poison(), &mut second.cells);
            self.look_at(third)?;
            batches.rotate_right(1);
        }
        // All that is left waits for itself.
        if self.met.is_empty() { Ok(()) } else { Err(Stop::No(NoValues::Cyclic)) }
    }

    /// Takes some states from the stack, finds their options and asks for their memory.
    fn take(&mut self, several: usize, batch: &mut Batch) -> Result<(), Stop> {
        batch.taken.extend(self.stack.drain(self.stack.len().saturating_sub(several)..));
        if self.crew.threads > 1 {
            if self.crew.stopped() {
                return Err(Stop::Others);
            }
            RwLockReadGuard::bump(&mut self.table);
            batch.taken.retain(|&node| !self.told(node));
            self.close_all()?;
        }
        batch.keys.extend(batch.taken.iter().map(|&node| self.nodes[node as usize].key));
        // Most of them will be known at once.
        for &node in &batch.taken {
            self.table.fetch(self.nodes[node as usize].place);
        }
        self.crew.expander.expand(&batch.keys, &mut batch.rows).map_err(Stop::Trouble)?;
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
        let cell = loop {
            match self.table.put(seek, self.crew.cell.poison()) {
                Put::New(place) => {
                    self.fresh += 1;
                    if self.fresh >= LOOK[usize::from(self.crew.threads > 1)] {
                        self.count()?;
                    }
                    return self.meet(key, place).map(Entry::Open);
                }
                Put::There(cell) => break cell,
                Put::Full => self.grow(),
            }
        };
        if self.crew.cell.read(cell).is_some() {
            return Ok(Entry::Known(cell));
        }
        let met = self.met.get(&key).copied();
        met.map_or_else(|| self.meet(key, seek), Ok).map(Entry::Open)
    }

    fn grow(&mut self) {
        let (table, threads, age) = (&self.crew.table, self.crew.threads, self.table.age());
        RwLockReadGuard::unlocked_fair(&mut self.table, || {
            let mut table = table.write();
            // Unless another thread did it.
            if table.age() == age {
                table.grow(threads);
            }
        });
    }

    /// The table counts the states put, and now and then limits are looked at.
    fn count(&mut self) -> Result<(), Stop> {
        self.table.count(self.fresh);
        self.checked += std::mem::take(&mut self.fresh);
        if self.crew.wants_more(self.table.len()) {
            return Err(Stop::Many);
        }
        if self.checked < CHECK && self.crew.limits.positions.is_none() {
            return Ok(());
        }
        self.checked = 0;
        self.check()
    }

    fn check(&self) -> Result<(), Stop> {
        let nodes = self.nodes.capacity() * size_of::<Node>() + (self.free.capacity() + self.stack.capacity()) * 4;
        let lists = self.waiting.bytes() + self.greater.bytes() + self.met.allocation_size();
        let bytes = self.crew.bytes(self.turn, nodes + lists) + self.table.bytes();
        self.crew.limits.check(self.table.len(), bytes).map_err(Stop::Limit)
    }

    /// A node for a state that is in the table and not known.
    fn meet(&mut self, key: u64, place: Seek) -> Result<u32, Stop> {
        let poison = self.crew.cell.poison();
        let node = Node { key, place, values: 0, least: poison, open: 1, waiting: NONE, greater: NONE };
        let at = if let Some(at) = self.free.pop() {
            self.nodes[at as usize] = node;
            at
        } else {
            let at = u32::try_from(self.nodes.len()).unwrap_or(NONE);
            if at == NONE {
                return Err(Stop::No(NoValues::Limit));
            }
            self.nodes.push(node);
            at
        };
        self.met.insert(key, at);
        self.stack.push(at);
        Ok(at)
    }

    /// Whether another thread has worked out a node's state; then those that wait see it.
    fn told(&mut self, node: u32) -> bool {
        let place = self.nodes[node as usize].place;
        let known = self.table.again(place).filter(|&cell| self.crew.cell.read(cell).is_some());
        if let Some(cell) = known {
            self.tell(node, cell);
        }
        known.is_some()
    }

    /// Looks up the options of a node.
    fn look(&mut self, node: u32, entries: &[u64], seeks: &[Seek], cells: &[u64]) -> Result<(), Stop> {
        if self.met.len() >= self.many {
            if self.goes_round() {
                return Err(Stop::No(NoValues::Cyclic));
            }
            self.many = self.met.len() * 2;
        }
        // A list has fewer than 2^32 items, and what one state adds, with all that it makes known, is no more than wait already.
        if self.waiting.items.len().max(self.greater.items.len()) > 1 << 30 {
            return Err(Stop::No(NoValues::Limit));
        }
        let marks = entries.iter().fold(0, |marks, entry| marks | entry);
        if marks & (STOP | ENDED | AGAIN) != 0 && !matches!(self.crew.cell.kind, Kind::Outcome { .. }) {
            return Err(Stop::No(NoValues::Ends));
        }
        if marks & ENDED != 0
            && let Some(end) = entries.iter().find(|&entry| entry & ENDED != 0)
        {
            let value = [2, 0, 1][usize::try_from(end & 3).unwrap_or(2)];
            return self.finish(node, value, 0);
        }
        // Threads begin at different options, so that they rarely work on the same ones.
        let first = entries.len() * self.turn / self.crew.threads;
        self.look_up(node, &entries[first..], &seeks[first..], &cells[first..])?;
        self.look_up(node, &entries[..first], &seeks[..first], &cells[..first])?;
        self.settle(node);
        Ok(())
    }

    /// Whether some node waits for itself, by way of others. `O(nodes and moves that are waited for)`.
    fn goes_round(&self) -> bool {
        /// Nodes that are being gone on from, and those from which nothing comes back.
        const ON: u8 = 1;
        const OFF: u8 = 2;
        let mut seen = vec![0; self.nodes.len()];
        // Nodes with what is left of their lists.
        let mut path: Vec<(u32, u32)> = Vec::new();
        for &start in self.met.values() {
            if seen[start as usize] == 0 {
                seen[start as usize] = ON;
                path.push((start, self.nodes[start as usize].waiting));
            }
            while let Some((node, list)) = path.last_mut() {
                if *list == NONE {
                    seen[*node as usize] = OFF;
                    path.pop();
                    continue;
                }
                let ((waits, _), next) = self.waiting.items[*list as usize];
                *list = next;
                match seen[waits as usize] {
                    ON => return true,
                    OFF => {}
                    _ => {
                        seen[waits as usize] = ON;
                        path.push((waits, self.nodes[waits as usize].waiting));
                    }
                }
            }
        }
        false
    }

    /// Looks up some of the options of a node.
    #[inline]
    fn look_up(&mut self, node: u32, entries: &[u64], seeks: &[Seek], cells: &[u64]) -> Result<(), Stop> {
        let undecided = self.crew.cell.undecided();
        // The last one that is met is taken first: let it be one near the ends of plays, as those of low rank often are.
        let rank = |entry: Option<&u64>| entry.map_or(0, |entry| entry & (RANKS - 1));
        let rising = rank(entries.first()) < rank(entries.last());
        for i in 0..entries.len() {
            let i = if rising { entries.len() - 1 - i } else { i };
            let (entry, seek, cell) = (entries[i], seeks[i], cells[i]);
            if entry & STOP != 0 {
                // As the position of an opponent who has lost, won, drawn.
                let cell = self.crew.cell.write([0, 2, 1][usize::try_from(entry & 3).unwrap_or(2)], 0);
                self.see(node, cell, false);
                continue;
            }
            let again = entry & AGAIN != 0;
            if cell & undecided != undecided {
                self.see(node, cell, again);
                continue;
            }
            match self.enter(entry & (RANKS - 1), seek)? {
                Entry::Known(cell) => self.see(node, cell, again),
                Entry::Open(option) => {
                    self.waiting.push(&mut self.nodes[option as usize].waiting, (node, again));
                    self.nodes[node as usize].open += 1;
                }
            }
        }
        Ok(())
    }

    /// One thing less that a node waits for.
    #[inline]
    fn settle(&mut self, node: u32) {
        let state = &mut self.nodes[node as usize];
        state.open -= 1;
        if state.open == 0 {
            self.done.push(node);
        }
    }

    /// Notes an option with this cell.
    #[inline]
    fn see(&mut self, node: u32, mut cell: u64, again: bool) {
        if again && let Some((value, far)) = self.crew.cell.read(cell) {
            cell = self.crew.cell.write(2 - value, far);
        }
        let state = &mut self.nodes[node as usize];
        state.least = state.least.min(cell);
        let value = cell & self.crew.cell.undecided();
        if value < 63 {
            state.values |= 1 << value;
        } else {
            state.values |= GREATER;
            self.greater.push(&mut state.greater, value);
        }
    }

    fn close_all(&mut self) -> Result<(), Stop> {
        while let Some(node) = self.done.pop() {
            self.close(node)?;
        }
        Ok(())
    }

    /// All options of a node are known.
    fn close(&mut self, node: u32) -> Result<(), Stop> {
        let Node { values, least, .. } = self.nodes[node as usize];
        let far = self.crew.cell.read(least).map(|(_, far)| far + 1);
        let (value, far) = if let Kind::Outcome { misere } = self.crew.cell.kind {
            match values {
                0 => (if misere { 2 } else { 0 }, None),
                v if v & 1 != 0 => (2, far),
                v if v & 2 != 0 => (1, None),
                _ => (0, far),
            }
        } else {
            (self.mex(node), far)
        };
        self.finish(node, value, far.unwrap_or(0))
    }

    /// The least value that was not seen.
    fn mex(&mut self, node: u32) -> u64 {
        let state = &mut self.nodes[node as usize];
        let values = state.values;
        let mut rest: Vec<u64> = std::iter::from_fn(|| self.greater.pop(&mut state.greater)).collect();
        let low = u64::from((!(values & !GREATER)).trailing_zeros());
        if low < 63 || values & GREATER == 0 {
            return low;
        }
        rest.sort_unstable();
        let mut least = 63;
        for value in rest {
            if value == least {
                least += 1;
            }
        }
        least
    }

    /// A node is known: it goes, and those that wait for it see it.
    fn finish(&mut self, node: u32, value: u64, far: u64) -> Result<(), Stop> {
        let cell = self.crew.cell;
        if value >= cell.undecided() || (cell.far_bits() > 0 && far > cell.most_far()) {
            return Err(Stop::Small { value: value >= cell.undecided() });
        }
        let cell = cell.write(value, far);
        self.table.set(self.nodes[node as usize].place, cell);
        self.tell(node, cell);
        Ok(())
    }

    /// A node's state is known: the node goes, and those that wait for it see the cell.
    fn tell(&mut self, node: u32, cell: u64) {
        let Node { key, mut waiting, mut greater, .. } = self.nodes[node as usize];
        self.met.remove(&key);
        while let Some((other, again)) = self.waiting.pop(&mut waiting) {
            self.see(other, cell, again);
            self.settle(other);
        }
        while self.greater.pop(&mut greater).is_some() {}
        self.free.push(node);
    }
}
