//! Values of all states that a state leads to, several states at a time so that the memory where their options are kept is
//! asked for long before it is read.
//!
//! States wait on a stack, the last ones first, as in a search in depth. Some are taken from its top at once, and all their
//! options are found and asked for. An option that is known is seen at once; one that is not is met: it goes on the stack,
//! and the state waits for it. When the last option of a state is known, so is the state, and those that wait for it see it.
//! So every move is looked up once, and no order among states is needed. Plays without end leave states that wait.

use super::cell::{Cell, Kind};
use super::expand::{AGAIN, ENDED, Expander, RANKS, Rows, STOP, Trouble};
use super::hashed::NoValues;
use super::packed::Seek;
use super::states::States;
use crate::rules::fault::Fault;
use crate::rules::limits::Limits;
use hashbrown::HashMap;

/// States taken at once.
const TAKEN: usize = 4;
/// No entry of a list.
const NONE: u32 = u32::MAX;
const GREATER: u64 = 1 << 63;

/// Why a search ended.
pub(super) enum Stop {
    Limit(Fault),
    Trouble(Trouble),
    No(NoValues),
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

/// Lists of many owners in one vector.
#[derive(Default)]
struct Lists<T> {
    items: Vec<(T, u32)>,
    free: Vec<u32>,
}

impl<T: Copy> Lists<T> {
    fn push(&mut self, head: &mut u32, item: T) {
        let at = self.free.pop().unwrap_or(u32::try_from(self.items.len()).unwrap_or(NONE));
        if at as usize == self.items.len() {
            self.items.push((item, *head));
        } else {
            self.items[at as usize] = (item, *head);
        }
        *head = at;
    }

    fn pop(&mut self, head: &mut u32) -> Option<T> {
        if *head == NONE {
            return None;
        }
        let (item, next) = self.items[*head as usize];
        self.free.push(*head);
        *head = next;
        Some(item)
    }

    fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<(T, u32)>() + self.free.capacity() * 4
    }
}

/// See the module.
pub(super) struct Search<'a> {
    limits: &'a Limits,
    expander: &'a Expander,
    /// Bytes held by others.
    held: usize,
    /// The form of cells.
    pub(super) cell: Cell,
    /// The cells.
    pub(super) table: States,
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
}

impl<'a> Search<'a> {
    pub(super) fn new(
        limits: &'a Limits,
        expander: &'a Expander,
        held: usize,
        cell: Cell,
        table: States,
    ) -> Search<'a> {
        Search {
            limits,
            expander,
            held,
            cell,
            table,
            nodes: Vec::new(),
            free: Vec::new(),
            met: HashMap::new(),
            stack: Vec::new(),
            waiting: Lists::default(),
            greater: Lists::default(),
            done: Vec::new(),
        }
    }

    /// Works out a state and all that it leads to.
    pub(super) fn run(&mut self, start: u64) -> Result<(), Stop> {
        let seek = self.table.seek(start);
        if self.table.get(seek).is_none() {
            self.meet(start, seek)?;
        }
        let (mut rows, mut keys, mut seeks, mut cells) = (Rows::default(), Vec::new(), Vec::new(), Vec::new());
        while !self.stack.is_empty() {
            let taken = self.stack.split_off(self.stack.len().saturating_sub(TAKEN));
            keys.clear();
            keys.extend(taken.iter().map(|&node| self.nodes[node as usize].key));
            self.expander.expand(&keys, &mut rows).map_err(Stop::Trouble)?;
            seeks.clear();
            // Marks are no ranks, but what they ask for does no harm.
            seeks.extend(rows.all().iter().map(|entry| self.table.seek(entry & (RANKS - 1))));
            self.table.at_home(&seeks, self.cell.poison(), &mut cells);
            let (mut at, old) = (0, self.cell);
            for (i, &node) in taken.iter().enumerate() {
                let row = rows.row(i);
                if self.cell != old {
                    cells.fill(self.cell.poison());
                }
                self.look(node, row, &seeks[at..at + row.len()], &cells[at..at + row.len()])?;
                at += row.len();
                while let Some(node) = self.done.pop() {
                    self.close(node)?;
                }
            }
        }
        // All that is left waits for itself.
        if self.met.is_empty() { Ok(()) } else { Err(Stop::No(NoValues::Cyclic)) }
    }

    /// A state that is not in the table.
    fn meet(&mut self, key: u64, seek: Seek) -> Result<u32, Stop> {
        let known = self.table.len();
        if known.is_multiple_of(1 << 14) || self.limits.positions.is_some_and(|limit| known >= limit) {
            let nodes = self.nodes.capacity() * size_of::<Node>() + (self.free.capacity() + self.stack.capacity()) * 4;
            let lists = self.waiting.bytes() + self.greater.bytes() + self.met.allocation_size();
            let bytes = self.held + self.table.bytes() + nodes + lists;
            self.limits.check(known + 1, bytes).map_err(Stop::Limit)?;
        }
        let place = self.table.insert(seek, self.cell.poison());
        let node = Node { key, place, values: 0, least: self.cell.poison(), open: 1, waiting: NONE, greater: NONE };
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

    /// Looks up the options of a node.
    fn look(&mut self, node: u32, entries: &[u64], seeks: &[Seek], cells: &[u64]) -> Result<(), Stop> {
        // A list has fewer than 2^32 items, and what one state adds, with all that it makes known, is no more than wait already.
        if self.waiting.items.len().max(self.greater.items.len()) > 1 << 30 {
            return Err(Stop::No(NoValues::Limit));
        }
        let marks = entries.iter().fold(0, |marks, entry| marks | entry);
        if marks & (STOP | ENDED | AGAIN) != 0 && !matches!(self.cell.kind, Kind::Outcome { .. }) {
            return Err(Stop::No(NoValues::Ends));
        }
        if marks & ENDED != 0
            && let Some(end) = entries.iter().find(|&entry| entry & ENDED != 0)
        {
            let value = [2, 0, 1][usize::try_from(end & 3).unwrap_or(2)];
            return self.finish(node, value, 0);
        }
        let undecided = self.cell.undecided();
        for ((&entry, &seek), &cell) in entries.iter().zip(seeks).zip(cells) {
            if entry & STOP != 0 {
                // As the position of an opponent who has lost, won, drawn.
                let cell = self.cell.write([0, 2, 1][usize::try_from(entry & 3).unwrap_or(2)], 0);
                self.see(node, cell, false);
                continue;
            }
            let again = entry & AGAIN != 0;
            if cell & undecided != undecided {
                self.see(node, cell, again);
                continue;
            }
            let option = match self.table.get(seek) {
                Some(cell) if cell & undecided != undecided => {
                    self.see(node, cell, again);
                    continue;
                }
                Some(_) => match self.met.get(&(entry & (RANKS - 1))) {
                    Some(option) => *option,
                    None => return Err(Stop::No(NoValues::Cyclic)),
                },
                None => self.meet(entry & (RANKS - 1), seek)?,
            };
            self.waiting.push(&mut self.nodes[option as usize].waiting, (node, again));
            self.nodes[node as usize].open += 1;
        }
        self.settle(node);
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
        if again && let Some((value, far)) = self.cell.read(cell) {
            cell = self.cell.write(2 - value, far);
        }
        let state = &mut self.nodes[node as usize];
        state.least = state.least.min(cell);
        let value = cell & self.cell.undecided();
        if value < 63 {
            state.values |= 1 << value;
        } else {
            state.values |= GREATER;
            self.greater.push(&mut state.greater, value);
        }
    }

    /// All options of a node are known.
    fn close(&mut self, node: u32) -> Result<(), Stop> {
        let Node { values, least, .. } = self.nodes[node as usize];
        let far = self.cell.read(least).map(|(_, far)| far + 1);
        let (value, far) = if let Kind::Outcome { misere } = self.cell.kind {
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
        while value >= self.cell.undecided() || (self.cell.far_bits() > 0 && far > self.cell.most_far()) {
            let Some(larger) = self.cell.larger(value >= self.cell.undecided()) else {
                return Err(Stop::No(NoValues::Large));
            };
            let old = std::mem::replace(&mut self.cell, larger);
            self.table = self.table.widened(old, larger, self.expander.grid().volume);
            for node in &mut self.nodes {
                node.least = old.widen(node.least, larger);
            }
        }
        let Node { key, place, mut waiting, .. } = self.nodes[node as usize];
        let cell = self.cell.write(value, far);
        self.table.set(place, cell);
        self.met.remove(&key);
        while let Some((other, again)) = self.waiting.pop(&mut waiting) {
            self.see(other, cell, again);
            self.settle(other);
        }
        self.free.push(node);
        Ok(())
    }
}
